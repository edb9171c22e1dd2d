"""Checklists in the database: items with permanent ids, settings of lists, curation and instructions by parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from studio.errors import BadInput
from studio.model.authoring import ChecklistAct, Curation, InstructionPlan, InstructionSection, ListSettings, Scope
from studio.model.checklists import Dimension, Item, ItemId, ItemKind, RuleCall
from studio.model.decks import Instance
from studio.model.ids import InstanceId, new_id
from studio.store import checklist_records as records
from studio.store.checklist_records import Record, RecordKind
from studio.store.project import Project, utc_now
from studio.store.values import plain

_ASKED = ("text", "note", "no_when", "rule", "dimension", "kind", "weight", "needs_evidence", "slide")
"""What makes a new version when it changes; place and retirement do not."""


def new_item_id() -> ItemId:
    """Return a fresh permanent id."""
    return ItemId(new_id("item"))


def scope_of(item: Item) -> Scope:
    """Return whose list an item is in."""
    return Scope(domain="" if item.instance_id else item.domain, instance_id=item.instance_id)


def list_items(project: Project, *, scopes: Sequence[Scope] | None = None, with_retired: bool = False) -> list[Item]:
    """Return the current version of each item in the order of dimensions, then position."""
    keys = None if scopes is None else [scope.key for scope in scopes]
    items = [_item(each) for each in records.current(project, RecordKind.ITEM, scopes=keys)]
    order = list(Dimension)
    # Stable: items with the same position stay in the order in which they were first written.
    items.sort(key=lambda item: (order.index(item.dimension), item.position))
    return [item for item in items if with_retired or not item.is_retired]


def item_versions(project: Project, item_id: ItemId) -> list[Item]:
    """Return all states of an item, oldest first; a version that came back stands there twice."""
    return [_item(each) for each in records.history(project, RecordKind.ITEM, item_id) if each.state is not None]


def versions_in(project: Project, scopes: Sequence[Scope]) -> dict[ItemId, list[Item]]:
    """Return all states of every item of some scopes, oldest first."""
    found = records.histories(project, RecordKind.ITEM, [scope.key for scope in scopes])
    return {ItemId(key): [_item(each) for each in states if each.state is not None] for key, states in found.items()}


def save_items(
    project: Project, items: Iterable[Item], *, author: str, verb: str, words: str, with_settings: Sequence[Record] = ()
) -> tuple[list[Item], ChecklistAct | None]:
    """Store items as one act and return them with the versions that they now have.

    An item whose id is known becomes its next version if what is asked differs from the current one; one that
    goes back to an earlier content gets that content's number again.

    Raises:
        BadInput: for an item without a question or with a weight below zero.
    """
    with project.writing(is_durable=True):
        stored = [_numbered(project, item, author) for item in items]
        act = records.write(
            project, [*map(item_record, stored), *with_settings], verb=verb, words=words, author=author
        )  # fmt: skip
    return stored, act


def add_as_they_are(
    project: Project, items: Sequence[Item], settings: Sequence[tuple[Scope, ListSettings]], *, words: str
) -> ChecklistAct | None:
    """Store items with the versions that they have, and settings, as one act; for copies of another project's lists.

    Raises:
        BadInput: for what no list may hold; see `save_items` and `settings_record`.
    """
    for item in items:
        _check(item)
    made = [settings_record(scope, each) for scope, each in settings if each != ListSettings()]
    return records.write(project, [*map(item_record, items), *made], verb="import", words=words)


def _numbered(project: Project, item: Item, author: str) -> Item:
    _check(item)
    states = item_versions(project, item.id)
    now = utc_now()
    if not states:
        return replace(item, version=1, author=item.author or author, at=item.at or now)
    last = states[-1]
    same = next((each for each in reversed(states) if _asked(each) == _asked(item)), None)
    if same is not None:
        return replace(item, version=same.version, author=same.author, at=same.at)
    return replace(item, version=max(each.version for each in states) + 1, author=author or last.author, at=now)


def _asked(item: Item) -> tuple[object, ...]:
    return tuple(plain(getattr(item, name)) for name in _ASKED)


def _check(item: Item) -> None:
    if item.kind is ItemKind.QUESTION and not item.text.strip():
        raise BadInput("An item has no question.", next_step="Type one.")
    if item.kind is ItemKind.CODE and item.rule is None:
        raise BadInput(f"The code item {item.text[:40]!r} names no rule.", next_step="Choose a rule.")
    if not 0 <= item.weight < float("inf"):
        raise BadInput(f"The weight {item.weight} cannot be used.", next_step="Give a number from 0 up.")


def item_record(item: Item) -> Record:
    """Return an item as a record."""
    state = {key: value for key, value in plain(item).items() if key != "id" and (key != "tags" or value)}
    return Record(kind=RecordKind.ITEM, key=item.id, scope=scope_of(item).key, state=state)


def list_settings(project: Project) -> dict[str, ListSettings]:
    """Return the settings of each list by the key of its scope; a list that never set anything is not there."""
    return {each.key: _settings(each.state or {}) for each in records.current(project, RecordKind.LIST)}


def settings_of(project: Project, scope: Scope) -> ListSettings:
    """Return the settings of one list; all unset if nobody set any."""
    found = records.current(project, RecordKind.LIST, scopes=[scope.key])
    return _settings(found[0].state or {}) if found else ListSettings()


def prefixes_since(project: Project, scope: Scope) -> str:
    """Return when the words that judges read before a list's items became what they are; empty if nobody set any."""
    since = ""
    words: tuple[str | None, str | None] = (None, None)
    for each in records.history(project, RecordKind.LIST, scope.key):
        found = _settings(each.state or {})
        if (found.independent_prefix, found.dependent_prefix) != words:
            since, words = each.at, (found.independent_prefix, found.dependent_prefix)
    return since


def settings_record(scope: Scope, settings: ListSettings) -> Record:
    """Return settings as a record.

    Raises:
        BadInput: for limits that no deck can meet, or a weight below zero.
    """
    if settings.slide_limits is not None and not 1 <= settings.slide_limits[0] <= settings.slide_limits[1]:
        raise BadInput(f"No deck can have {settings.slide_limits} slides.", next_step="Give the fewest, then the most.")
    if any(not 0 <= weight < float("inf") for weight in (settings.weights or {}).values()):
        raise BadInput("A weight cannot be below zero or infinite.", next_step="Give a number from 0 up.")
    if settings.weights_total is not None and not 0 < settings.weights_total < float("inf"):
        raise BadInput("The total of the weights must be above zero.", next_step="Leave it out for their sum.")
    return Record(kind=RecordKind.LIST, key=scope.key, scope=scope.key, state=plain(settings))


def save_settings(project: Project, scope: Scope, settings: ListSettings, *, author: str) -> ChecklistAct | None:
    """Store the settings of a list; None if nothing differs."""
    record = settings_record(scope, settings)
    words = f"Changed the settings of {scope.key}"
    return records.write(project, [record], verb="settings", words=words, author=author)


def curations(project: Project) -> dict[InstanceId, Curation]:
    """Return the curation of each instance that has any."""
    return {
        InstanceId(each.key): Curation(instance_id=InstanceId(each.key), **(each.state or {}))
        for each in records.current(project, RecordKind.CURATION)
    }


def as_curated(project: Project, instances: Iterable[Instance]) -> list[Instance]:
    """Return instances with the difficulty that their curation gives them, else with their own.

    Whatever groups, samples or publishes instances by difficulty reads them so.
    """
    found = curations(project)
    given = {key: each.difficulty for key, each in found.items() if each.difficulty}
    return [replace(each, difficulty=given.get(each.id, each.difficulty)) for each in instances]


def save_curation(project: Project, curation: Curation, *, author: str) -> ChecklistAct | None:
    """Store an instance's curation; None if nothing differs.

    Raises:
        BadInput: if an instance is rejected without a reason.
    """
    if curation.is_accepted is False and not curation.why.strip():
        raise BadInput("An instance is rejected without a reason.", next_step="Say why.")
    state = {key: value for key, value in plain(curation).items() if key != "instance_id"}
    scope = Scope(instance_id=curation.instance_id).key
    record = Record(kind=RecordKind.CURATION, key=curation.instance_id, scope=scope, state=state)
    return records.write(project, [record], verb="curate", words="Changed an instance's curation", author=author)


def instruction_plan(project: Project, instance_id: InstanceId) -> InstructionPlan | None:
    """Return an instance's instruction by its parts, or None if nobody wrote it so."""
    found = records.current(project, RecordKind.INSTRUCTION, scopes=[Scope(instance_id=instance_id).key])
    return _plan(found[0].state or {}) if found else None


def save_instruction_plan(
    project: Project,
    instance_id: InstanceId,
    plan: InstructionPlan,
    *,
    author: str,
    rewritten: tuple[str, str] | None = None,
) -> ChecklistAct | None:
    """Store an instance's instruction by its parts; None if nothing differs.

    Args:
        project: open for writing.
        instance_id: whose it is.
        plan: the parts.
        author: who wrote them.
        rewritten: the instruction's text before and after, where it was made anew of the parts.

    Raises:
        BadInput: for limits that no deck can meet.
    """
    if plan.slide_limits is not None and not 1 <= plan.slide_limits[0] <= plan.slide_limits[1]:
        raise BadInput(f"No deck can have {plan.slide_limits} slides.", next_step="Give the fewest, then the most.")
    scope = Scope(instance_id=instance_id).key
    texts = {"text_before": rewritten[0], "text": rewritten[1]} if rewritten is not None else {}
    record = Record(kind=RecordKind.INSTRUCTION, key=instance_id, scope=scope, state=plain(plan) | texts)
    return records.write(project, [record], verb="instruction", words="Changed an instruction", author=author)


def _item(record: Record) -> Item:
    state: dict[str, Any] = dict(record.state or {})
    rule = state.pop("rule", None)
    state["tags"] = tuple(state.get("tags") or ())
    return Item(
        id=ItemId(record.key), dimension=Dimension(state.pop("dimension")), kind=ItemKind(state.pop("kind")),
        rule=RuleCall(**rule) if rule else None, instance_id=_instance_id(state.pop("instance_id", None)), **state,
    )  # fmt: skip


def item_of_state(key: str, state: dict[str, Any]) -> Item:
    """Return an item from a stored state, such as one of a release."""
    return _item(Record(kind=RecordKind.ITEM, key=key, scope="", state=state))


def _instance_id(value: str | None) -> InstanceId | None:
    return InstanceId(value) if value else None


def _settings(state: Any) -> ListSettings:
    weights = state.get("weights")
    return ListSettings(
        independent_prefix=state.get("independent_prefix"), dependent_prefix=state.get("dependent_prefix"),
        slide_limits=_pair(state.get("slide_limits")),
        weights=None if weights is None else {Dimension(name): float(value) for name, value in weights.items()},
        weights_total=state.get("weights_total"),
        declared=frozenset(Dimension(name) for name in state.get("declared", ())),
    )  # fmt: skip


def settings_of_state(state: dict[str, Any]) -> ListSettings:
    """Return settings from a stored state, such as one of a release."""
    return _settings(state)


def _plan(state: Any) -> InstructionPlan:
    return InstructionPlan(
        slide_limits=_pair(state["slide_limits"]),
        sections=tuple(
            InstructionSection(title=each["title"], key_points=tuple(each["key_points"])) for each in state["sections"]
        ),
        constraints=tuple(state["constraints"]), audience=state["audience"], tone=state["tone"],
        language=state["language"],
    )  # fmt: skip


def _pair(value: Sequence[int] | None) -> tuple[int, int] | None:
    return (int(value[0]), int(value[1])) if value else None
