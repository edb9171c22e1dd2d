"""Checklists in and out: spreadsheets of items, PresentBench trees, single prompt files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from studio.checklists.instruction_text import slide_range_in
from studio.checklists.lint import LintFinding, lint_list
from studio.checklists.merge import ScopeList, merge
from studio.checklists.prompt_files import PromptFile, listed_items, merged
from studio.errors import BadInput
from studio.exchange.checklist_tables import (
    ITEM_COLUMNS,
    ItemConflict,
    ItemsReport,
    differing_fields,
    item_rows,
    items_workbook,
    read_items,
)
from studio.exchange.files import csv_text, jsonl_text, write_whole
from studio.exchange.presentbench_export import ExportReport, export_instances, export_results
from studio.exchange.presentbench_import import COMMON, ChecklistReport, read_prompts, save_lists
from studio.model.authoring import ListSettings, Scope
from studio.model.changes import Changes, Topic, changed
from studio.model.checklists import Checklist, Dimension, Item, ItemId, ItemKind, Tier
from studio.model.ids import InstanceId
from studio.store import checklists as checklist_store
from studio.store import decks as deck_store
from studio.store.project import Project

__all__ = [
    "ITEM_FILES",
    "ItemConflict",
    "ItemsReport",
    "PromptFiles",
    "differing_fields",
    "export_items",
    "export_tree",
    "export_verdicts",
    "import_items",
    "import_prompts",
    "items_of",
    "merge_items",
    "read_prompt_files",
    "scope_named",
    "write_items",
    "write_text",
]

ITEM_FILES = (".csv", ".jsonl", ".xlsx")


def export_items(
    project: Project, *, scopes: Sequence[Scope] | None = None, with_retired: bool = False, format: str = "csv"
) -> str:
    """Return items as a table that `import_items` reads back."""
    items = checklist_store.list_items(project, scopes=scopes, with_retired=with_retired)
    write = jsonl_text if format == "jsonl" else csv_text
    return write(ITEM_COLUMNS, item_rows(project, items))


def write_items(
    project: Project, path: Path, *, scopes: Sequence[Scope] | None = None, with_retired: bool = False,
    format: str = "",
) -> None:  # fmt: skip
    """Write items as ``csv``, ``jsonl`` or ``xlsx``; without a format as the file's name ends, else CSV.

    Raises:
        BadInput: if it cannot be written.
    """
    ending = path.suffix.lower() if path.suffix.lower() in ITEM_FILES else ".csv"
    ending = f".{format}" if format else ending
    if ending == ".xlsx":
        items = checklist_store.list_items(project, scopes=scopes, with_retired=with_retired)
        write_whole(path, items_workbook(project, items))
        return
    write_whole(path, export_items(project, scopes=scopes, with_retired=with_retired, format=ending[1:]))


def import_items(
    project: Project, path: Path, *, author: str, takes_theirs: Sequence[ItemId] = (), scope: Scope | None = None
) -> tuple[ItemsReport, Changes]:
    """Read a table of items in; see `studio.exchange.checklist_tables.read_items`."""
    report = read_items(project, path, author=author, takes_theirs=takes_theirs, scope=scope)
    return report, changed(Topic.CHECKLISTS)


def merge_items(
    project: Project,
    paths: Sequence[Path],
    *,
    author: str,
    takes_theirs: Mapping[Path, Sequence[ItemId]] | None = None,
    scope: Scope | None = None,
) -> tuple[dict[Path, ItemsReport], Changes]:
    """Read the tables of several authors in, one after the other, and return what each did.

    A later table that contradicts an earlier one is a conflict like any other: what is here by then stays.

    Raises:
        BadInput: if a file is no such table; those before it are in by then.
    """
    taken = takes_theirs or {}
    found = {
        path: read_items(project, path, author=author, takes_theirs=taken.get(path, ()), scope=scope) for path in paths
    }
    return found, changed(Topic.CHECKLISTS)


def import_prompts(project: Project, path: Path, scope: Scope, *, author: str) -> tuple[ChecklistReport, Changes]:
    """Bring one PresentBench prompt file into a list.

    Raises:
        BadInput: if it is none.
    """
    file = read_prompts(path)
    report = ChecklistReport()
    items, notes = items_of(file, scope)
    report.notes += notes
    before = checklist_store.settings_of(project, scope)
    settings = replace(
        before,
        independent_prefix=file.prefixes.get(Tier.INDEPENDENT, before.independent_prefix),
        dependent_prefix=file.prefixes.get(Tier.DEPENDENT, before.dependent_prefix),
        declared=before.declared | {dimension for dimension, value in file.lists.items() if value is not None},
    )
    save_lists(project, scope, items, settings, report, what=path.name, author=author, dimensions=tuple(file.lists))
    return report, changed(Topic.CHECKLISTS)


def export_tree(project: Project, out: Path, instance_ids: Sequence[InstanceId] | None = None) -> ExportReport:
    """Write instances as a PresentBench data tree."""
    instances = [
        item for item in deck_store.list_instances(project) if instance_ids is None or item.id in set(instance_ids)
    ]
    return export_instances(project, out, instances)


def export_verdicts(
    project: Project, out: Path, judge_id: str, *, now: datetime, model: str = "", level: str = ""
) -> ExportReport:
    """Write a judge's verdicts as result and score files; `now` is in the names, in local time."""
    time = now.strftime("%Y-%m-%d_%H-%M-%S")
    return export_results(project, out, judge_id, time=time, model=model, level=level)


@dataclass(frozen=True, kw_only=True)
class PromptFiles:
    """Prompt files without a project, merged."""

    checklist: Checklist
    findings: tuple[LintFinding, ...]


def read_prompt_files(path: Path, common: Path | None = None) -> PromptFiles:
    """Return the checklist of a case's prompt file and what is to be said about it.

    Args:
        path: ``judge_prompt.json``, a domain's file, or a case's folder.
        common: the domain's file; None looks where a data tree has it.

    Raises:
        BadInput: if a file cannot be used, or a list or prefix is missing from both.
    """
    if path.is_dir():
        path = path / "generation_task" / "judge_prompt.json"
    own = read_prompts(path)
    beside = (
        path.parent.parent.parent.parent / COMMON if path.parent.name == "generation_task" else path.parent / COMMON
    )
    shared = common or (beside if beside.is_file() and beside.resolve() != path.resolve() else None)
    both = merged(own, read_prompts(shared) if shared is not None else PromptFile(name="", prefixes={}, lists={}))
    scope = Scope()
    # A place is what there is instead of an id outside a project.
    items = tuple(
        replace(item, id=ItemId(f"{item.dimension.value}.{int(item.position) + 1}"))
        for item in items_of(both, scope)[0]
    )
    settings = ListSettings(
        independent_prefix=both.prefixes[Tier.INDEPENDENT], dependent_prefix=both.prefixes[Tier.DEPENDENT],
        declared=frozenset(Dimension),
    )  # fmt: skip
    checklist = merge(InstanceId(path.stem), [ScopeList(scope=scope, items=items, settings=settings)])
    asked = None
    for name in ("instructions.md", "generation_prompt.md"):
        file = path.parent / name
        if file.is_file():
            asked = slide_range_in(file.read_text(encoding="utf-8", errors="replace"))
            break
    findings = lint_list(checklist.items, instruction_range=asked, limits=checklist.slide_limits, notes=checklist.notes)
    return PromptFiles(checklist=checklist, findings=tuple(findings))


def items_of(file: PromptFile, scope: Scope) -> tuple[list[Item], list[str]]:
    """Return a prompt file's items under fresh ids, and what could not be understood in it."""
    items, notes = [], []
    for dimension, values in file.lists.items():
        for position, listed in enumerate(listed_items(values or ())):
            items.append(
                Item(
                    id=checklist_store.new_item_id(), version=1, dimension=dimension, text=listed.text,
                    kind=listed.kind, rule=listed.rule, domain=scope.domain, instance_id=scope.instance_id,
                    position=float(position),
                )
            )  # fmt: skip
            if listed.kind is ItemKind.TOOL_ERROR:
                notes.append(f"{dimension.value} {position + 1}: {listed.problem}; a tool error, not scored")
    return items, notes


def write_text(path: Path, text: str) -> None:
    """Write a text file whole or not at all."""
    write_whole(path, text)


def scope_named(project: Project, *, instance: str = "", domain: str = "") -> Scope:
    """Return the list that an instance's name or id, or a domain, stands for; everybody's without either.

    Raises:
        BadInput: if there is no such instance, or both are named.
    """
    if instance and domain:
        raise BadInput("A list belongs to an instance or to a domain.", next_step="Name one of them.")
    if not instance:
        return Scope(domain=domain)
    found = next((each for each in deck_store.list_instances(project) if instance in (each.name, each.id)), None)
    if found is None:
        raise BadInput(f"There is no instance {instance}.", next_step="See: studio status.")
    return Scope(instance_id=found.id)
