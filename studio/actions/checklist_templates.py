"""Starter lists in the studio's own words, to begin a domain with."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from studio import paths
from studio.errors import BadInput
from studio.model.authoring import Scope
from studio.model.changes import Changes, Topic, changed
from studio.model.checklists import Dimension, Item
from studio.store import checklists as checklist_store
from studio.store.project import Project


@dataclass(frozen=True, kw_only=True)
class Template:
    """One starter list."""

    key: str
    name: str
    language: str
    independent_prefix: str
    dependent_prefix: str
    items: tuple[Item, ...]
    """Without ids of a project."""


def list_templates() -> list[Template]:
    """Return the starter lists that come with the studio."""
    return [_read(path.stem) for path in sorted((paths.resource("checklists")).glob("*.json"))]


def template(key: str) -> Template:
    """Return one starter list.

    Raises:
        BadInput: if there is no such one.
    """
    known = {each.key: each for each in list_templates()}
    if key not in known:
        raise BadInput(f"There is no template {key}.", next_step=f"Known: {', '.join(known)}.")
    return known[key]


def use_template(project: Project, scope: Scope, key: str, *, author: str) -> tuple[list[Item], Changes]:
    """Add a starter list's items to a list, and its prefixes where the list has none; return the items added.

    Items whose words are in the list already are left out.
    """
    found = template(key)
    known = {item.text for item in checklist_store.list_items(project, scopes=[scope])}
    items = [
        replace(item, id=checklist_store.new_item_id(), domain=scope.domain, instance_id=scope.instance_id)
        for item in found.items
        if item.text not in known
    ]
    before = checklist_store.settings_of(project, scope)
    settings = replace(
        before,
        independent_prefix=before.independent_prefix or found.independent_prefix,
        dependent_prefix=before.dependent_prefix or found.dependent_prefix,
    )
    records = [] if settings == before else [checklist_store.settings_record(scope, settings)]
    stored, _ = checklist_store.save_items(
        project, items, author=author, verb="template", words=f"Began with “{found.name}”", with_settings=records
    )
    return stored, changed(Topic.CHECKLISTS)


def _read(key: str) -> Template:
    content = json.loads((paths.resource("checklists") / f"{key}.json").read_text(encoding="utf-8"))
    return Template(
        key=key, name=content["name"], language=content["language"],
        independent_prefix=content["independent_prefix"], dependent_prefix=content["dependent_prefix"],
        items=tuple(
            Item(
                id=checklist_store.new_item_id(), version=1, dimension=Dimension(each["dimension"]),
                text=each["text"], note=each.get("note", ""), no_when=each.get("no_when", ""), position=float(place),
            )
            for place, each in enumerate(content["items"])
        ),
    )  # fmt: skip
