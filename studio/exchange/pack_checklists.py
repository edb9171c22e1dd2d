"""Checklists in packs: the questions as they stand, with their ids and versions, and nothing of who wrote them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from studio.exchange.names import RowRefused
from studio.model.authoring import ListSettings, Scope
from studio.model.checklists import Dimension, Item, ItemId, ItemKind, RuleCall
from studio.model.decks import Instance
from studio.model.ids import InstanceId
from studio.store import checklist_lists as list_store
from studio.store import checklists as checklist_store
from studio.store.project import Project
from studio.store.values import plain

SETTINGS = ("checklist_needs_evidence", list_store.CUTS_META)
"""Settings of a project that change what people are asked, with ``0`` or ``1`` as their values."""
_ID = re.compile(r"[A-Za-z0-9_.-]{1,120}")
_MAX_TEXT = 100_000


def checklists_json(project: Project, instances: Iterable[Instance]) -> dict[str, Any]:
    """Return the lists of these instances as JSON values: their items, and of their settings what people meet."""
    asked = list(instances)
    scopes = {scope.key: scope for instance in asked for scope in list_store.scopes_of(instance)}
    lists = [list_store.scope_list(project, scope) for scope in scopes.values()]
    return {
        "items": [_item_json(item) for one in lists for item in one.items],
        "lists": [
            {"scope": one.scope.key, "declared": sorted(each.value for each in one.settings.declared),
             "slide_limits": list(one.settings.slide_limits) if one.settings.slide_limits else None}
            for one in lists
        ],
        "settings": {name: value for name in SETTINGS if (value := project.meta(name, ""))},
    }  # fmt: skip


def add_checklists(project: Project, raw: Any) -> None:
    """Store the checklists of a pack in the project that it becomes; ids and versions stay.

    Raises:
        RowRefused: if something is not what a pack holds.
    """
    items = [_item(each) for each in _list(raw, "items")]
    settings = [_settings(each) for each in _list(raw, "lists")]
    checklist_store.add_as_they_are(project, items, settings, words="Came with the pack")
    values = raw.get("settings")
    if not isinstance(values, dict) or any(name not in SETTINGS or value not in "01" for name, value in values.items()):
        raise RowRefused("the settings of the checklists are odd")
    for name, value in values.items():
        project.set_meta(name, value)


def _item_json(item: Item) -> dict[str, Any]:
    raw: dict[str, Any] = plain(item)
    del raw["author"]
    return raw


def _item(raw: Any) -> Item:
    if not isinstance(raw, dict):
        raise RowRefused("an item is not an object")
    number = raw.get("version")
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise RowRefused("an item's version is no number from 1 up")
    rule = raw.get("rule")
    instance = raw.get("instance_id")
    try:
        return Item(
            id=ItemId(_id(raw.get("id"))), version=number, dimension=Dimension(_text(raw, "dimension")),
            text=_text(raw, "text"), kind=ItemKind(_text(raw, "kind")), rule=_rule(rule) if rule is not None else None,
            domain=_text(raw, "domain"), instance_id=InstanceId(_id(instance)) if instance is not None else None,
            weight=_number(raw, "weight"), position=_number(raw, "position"), note=_text(raw, "note"),
            no_when=_text(raw, "no_when"), needs_evidence=raw.get("needs_evidence") is True, at=_text(raw, "at"),
        )  # fmt: skip
    except ValueError:
        raise RowRefused("an item is of no kind or dimension that is known") from None


def _rule(raw: Any) -> RuleCall:
    if not isinstance(raw, dict) or not isinstance(raw.get("parameters"), dict):
        raise RowRefused("an item's rule is not an object")
    for value in raw["parameters"].values():
        if value is not None and not isinstance(value, str | int | float | bool | list):
            raise RowRefused("a rule's parameter is odd")
    return RuleCall(rule=_id(raw.get("rule")), parameters=dict(raw["parameters"]))


def _settings(raw: Any) -> tuple[Scope, ListSettings]:
    limits = raw.get("slide_limits") if isinstance(raw, dict) else 0
    if limits is not None and not (
        isinstance(limits, list) and len(limits) == 2 and all(isinstance(limit, int) for limit in limits)
    ):
        raise RowRefused("a list's slide limits are odd")
    try:
        declared = frozenset(Dimension(name) for name in _list(raw, "declared"))
        scope = Scope.of_key(_text(raw, "scope"))
    except ValueError:
        raise RowRefused("a list is of nothing that is known") from None
    return scope, ListSettings(declared=declared, slide_limits=(limits[0], limits[1]) if limits else None)


def _list(raw: Any, name: str) -> list[Any]:
    value = raw.get(name) if isinstance(raw, dict) else None
    if not isinstance(value, list):
        raise RowRefused(f"{name} is not a list")
    return value


def _id(value: Any) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise RowRefused(f"{value!r:.80} is no id")
    return value


def _text(raw: dict[str, Any], name: str) -> str:
    value = raw.get(name, "")
    if not isinstance(value, str) or len(value) > _MAX_TEXT:
        raise RowRefused(f"{name} of an item is no text")
    return value


def _number(raw: dict[str, Any], name: str) -> float:
    value = raw.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e12:
        raise RowRefused(f"{name} of an item is no number")
    return value
