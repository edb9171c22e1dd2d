"""Items to a spreadsheet and back; the work of several authors is merged, and what contradicts is shown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from studio.errors import BadInput
from studio.exchange.files import read_table
from studio.exchange.names import RowRefused, filled, number, one_of, text, whole
from studio.exchange.workbook import workbook_bytes
from studio.model.authoring import Scope
from studio.model.checklists import Dimension, Item, ItemId, ItemKind, RuleCall
from studio.store import checklists as checklist_store
from studio.store import decks as deck_store
from studio.store.project import Project

ITEM_COLUMNS = (
    "item_id", "item_version", "instance_id", "domain", "dimension", "kind", "text", "note", "no_when", "rule",
    "parameters", "weight", "position", "needs_evidence", "is_retired", "tags", "author", "at",
)  # fmt: skip
_REQUIRED = ("dimension", "text")
_KINDS = (ItemKind.QUESTION.value, ItemKind.CODE.value)
_COMPARED = (
    "dimension", "kind", "text", "note", "no_when", "rule", "weight", "position", "needs_evidence", "is_retired",
    "tags",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class ItemConflict:
    """An item that was changed here and, differently, in the table since the table was written."""

    line: int
    item_id: ItemId
    base: Item
    """What the table's author saw."""
    ours: Item
    theirs: Item


@dataclass
class ItemsReport:
    """What reading items in did, in rows."""

    new: int = 0
    edited: int = 0
    same: int = 0
    conflicts: list[ItemConflict] = field(default_factory=list)
    refused: list[dict[str, object]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def item_rows(project: Project, items: Iterable[Item]) -> Iterator[dict[str, object]]:
    """Yield a row for each item; instances stand by their folder name."""
    names = {item.id: item.name for item in deck_store.list_instances(project)}
    for item in items:
        yield {
            "item_id": item.id, "item_version": item.version, "domain": item.domain, "author": item.author,
            "instance_id": names.get(item.instance_id, item.instance_id) if item.instance_id else "", "at": item.at,
            "dimension": item.dimension.value, "kind": item.kind.value, "text": item.text, "note": item.note,
            "no_when": item.no_when, "rule": item.rule.rule if item.rule else "",
            "parameters": json.dumps(item.rule.parameters, ensure_ascii=False) if item.rule else "",
            "weight": item.weight, "position": item.position, "needs_evidence": item.needs_evidence,
            "is_retired": item.is_retired, "tags": ", ".join(item.tags),
        }  # fmt: skip


def items_workbook(project: Project, items: Iterable[Item]) -> bytes:
    """Return items as an Excel workbook that `read_items` reads back; dimension and kind offer their values."""
    choices = {"dimension": [each.value for each in Dimension], "kind": _KINDS}
    return workbook_bytes(ITEM_COLUMNS, item_rows(project, items), choices=choices)


def read_items(
    project: Project, path: Path, *, author: str, takes_theirs: Sequence[ItemId] = (), scope: Scope | None = None
) -> ItemsReport:
    """Read a table of items in as one act.

    A row with an id changes that item if the item is still as the row's version has it; if it was changed here
    too, and differently, that is a conflict and is left as it is here. Rows without an id are new items, unless
    their list has the same words.

    Args:
        project: open for writing.
        path: CSV, JSONL or a workbook (.xlsx) with the columns of `ITEM_COLUMNS`; dimension and text are needed.
        author: who the changes are by, where a row does not say.
        takes_theirs: items whose conflicts are decided for the table.
        scope: list of rows that name neither instance nor domain.

    Raises:
        BadInput: if the file is no such table.
    """
    found = read_table(path)
    lacking = [name for name in _REQUIRED if name not in found.header]
    if lacking:
        raise BadInput(
            f"{path.name} has no column {' and '.join(lacking)}.", next_step=f"Needed: {', '.join(_REQUIRED)}."
        )
    report = ItemsReport(refused=[{"line": line, "reason": reason} for line, reason in found.refused])
    unknown = [name for name in found.header if name not in ITEM_COLUMNS and name != "version"]
    if unknown:
        report.notes.append(f"columns left out: {', '.join(unknown)}")
    work = _Rows(project, report, set(found.header), author, set(takes_theirs), scope or Scope())
    with project.writing(is_durable=True):
        for line, row in found.rows:
            try:
                work.take(line, row)
            except RowRefused as refusal:
                report.refused.append({"line": line, "reason": str(refusal)})
        checklist_store.save_items(
            project, work.changed.values(), author=author, verb="import", words=f"Brought in {path.name}"
        )
    return report


def differing_fields(conflict: ItemConflict) -> list[tuple[str, str, str, str]]:
    """Return the fields in which both sides differ: name, and as text what was before, ours and theirs."""
    return [
        (
            name,
            _field_text(getattr(conflict.base, name)),
            _field_text(getattr(conflict.ours, name)),
            _field_text(getattr(conflict.theirs, name)),
        )
        for name in _COMPARED
        if getattr(conflict.ours, name) != getattr(conflict.theirs, name)
    ]


def _field_text(value: object) -> str:
    if isinstance(value, RuleCall):
        return f"{value.rule} {json.dumps(value.parameters, ensure_ascii=False)}"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value or "")


class _Rows:
    def __init__(
        self, project: Project, report: ItemsReport, header: set[str], author: str, theirs: set[ItemId], scope: Scope
    ) -> None:
        self._project, self._report, self._header = project, report, header
        self._author, self._theirs, self._scope = author, theirs, scope
        instances = deck_store.list_instances(project)
        self._instances = {item.name: item.id for item in instances} | {item.id: item.id for item in instances}
        self._states: dict[ItemId, list[Item]] = {}
        self._known = {
            (checklist_store.scope_of(item).key, item.dimension, item.text): item.id
            for item in checklist_store.list_items(project)
        }
        self.changed: dict[ItemId, Item] = {}

    def take(self, line: int, row: dict[str, str]) -> None:
        identifier = ItemId(text(row, "item_id"))
        states = self._of(identifier) if identifier else []
        if not states:
            self._new(row, identifier)
            return
        version = whole(row, "item_version" if "item_version" in row else "version", states[-1].version, least=1)
        base = next((each for each in reversed(states) if each.version == version), None)
        if base is None:
            raise RowRefused(f"item {identifier} has no version {version}")
        ours = self.changed.get(identifier, states[-1])
        theirs = self._item(row, base)
        if _same(theirs, ours) or _same(theirs, base):
            self._report.same += 1
        elif _same(ours, base) or identifier in self._theirs:
            self.changed[identifier] = replace(
                theirs, version=ours.version, instance_id=ours.instance_id, domain=ours.domain
            )
            self._report.edited += 1
        else:
            self._report.conflicts.append(
                ItemConflict(line=line, item_id=identifier, base=base, ours=ours, theirs=theirs)
            )

    def _new(self, row: dict[str, str], identifier: ItemId) -> None:
        scope = self._scope_of(row)
        end = float(sum(key[0] == scope.key for key in self._known))
        blank = Item(
            id=identifier or checklist_store.new_item_id(), version=1, dimension=Dimension.FUNDAMENTALS, text="",
            domain=scope.domain, instance_id=scope.instance_id, position=end, author=text(row, "author"),
        )  # fmt: skip
        item = self._item(row, blank)
        key = (scope.key, item.dimension, item.text)
        if key in self._known:
            self._report.same += 1
            return
        self._known[key] = item.id
        self.changed[item.id] = item
        self._report.new += 1

    def _of(self, identifier: ItemId) -> list[Item]:
        if identifier not in self._states:
            self._states[identifier] = checklist_store.item_versions(self._project, identifier)
        return self._states[identifier]

    def _scope_of(self, row: dict[str, str]) -> Scope:
        name, domain = text(row, "instance_id"), text(row, "domain")
        if name and name not in self._instances:
            raise RowRefused(f"no instance {name}")
        if name:
            return Scope(instance_id=self._instances[name])
        return Scope(domain=domain) if domain else self._scope

    def _item(self, row: dict[str, str], base: Item) -> Item:
        """Return the base with what the row says; columns that the table lacks stay."""
        said: dict[str, Any] = {
            "dimension": Dimension(one_of(row, "dimension", tuple(each.value for each in Dimension))),
            "text": filled(row, "text"),
        }
        if "kind" in self._header:
            kinds = (*_KINDS, ItemKind.TOOL_ERROR.value) if base.kind is ItemKind.TOOL_ERROR else _KINDS
            said["kind"] = ItemKind(one_of(row, "kind", kinds, ItemKind.QUESTION.value))
        for name in ("note", "no_when"):
            if name in self._header:
                said[name] = row[name]
        for name in ("weight", "position"):
            value = number(row, name) if name in self._header else None
            if value is not None:
                said[name] = value
        if said.get("weight", 1.0) < 0:
            raise RowRefused(f"weight is below zero: {text(row, 'weight')}")
        for name in ("needs_evidence", "is_retired"):
            if name in self._header:
                said[name] = _flag(row, name)
        if "tags" in self._header:
            said["tags"] = tuple(dict.fromkeys(part.strip() for part in row["tags"].split(",") if part.strip()))
        if "rule" in self._header:
            said["rule"] = _rule(row)
        item = replace(base, **said)
        if item.kind is ItemKind.CODE and item.rule is None:
            raise RowRefused("a code item names no rule")
        return item


def _same(first: Item, second: Item) -> bool:
    return all(getattr(first, name) == getattr(second, name) for name in _COMPARED)


def _flag(row: dict[str, str], column: str) -> bool:
    said = text(row, column).lower()
    if said not in {"", "true", "false", "1", "0", "yes", "no"}:
        raise RowRefused(f"{column} is {said}, not true or false")
    return said in {"true", "1", "yes"}


def _rule(row: dict[str, str]) -> RuleCall | None:
    name = text(row, "rule")
    if not name:
        return None
    try:
        parameters = json.loads(text(row, "parameters") or "{}")
    except (ValueError, RecursionError):
        raise RowRefused("parameters is not JSON") from None
    if not isinstance(parameters, dict):
        raise RowRefused("parameters is not a JSON object")
    return RuleCall(rule=name, parameters=parameters)
