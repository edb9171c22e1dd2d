"""Brings the checklists of a PresentBench data tree into a project; what differs from it is never overwritten."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from studio.checklists.instruction_text import slide_range_in
from studio.checklists.pages import slide_range
from studio.checklists.prompt_files import (
    LIST_KEYS,
    ListedItem,
    PromptFile,
    check_kinds,
    listed_items,
    merged,
    prompt_file,
)
from studio.checklists.results import DIMENSIONS, Class, WeightsDocument
from studio.errors import BadInput, StudioError
from studio.exchange.presentbench_results import read_weights
from studio.exchange.yaml_nodes import is_lfs_pointer
from studio.model.authoring import ListSettings, Scope
from studio.model.checklists import Dimension, Item, ItemKind, Tier
from studio.model.decks import Instance
from studio.store import checklists as checklist_store
from studio.store import decks as deck_store
from studio.store.project import Project

COMMON, WEIGHTS, CASE = "common_judge_prompt.json", "judge_weights.yaml", "judge_prompt.json"
AUTHOR = "PresentBench import"


@dataclass
class ChecklistReport:
    """What bringing checklists in did."""

    items: int = 0
    """New items and new versions."""
    same: int = 0
    """Items that were there already, also those that somebody has edited since."""
    results: int = 0
    """Answers that became verdicts."""
    results_same: int = 0
    notes: list[str] = field(default_factory=list)
    failed: list[tuple[Path, str]] = field(default_factory=list)

    def note(self, text: str) -> None:
        """Keep a note once."""
        if text not in self.notes:
            self.notes.append(text)

    def fail(self, path: Path, reason: str) -> None:
        """Keep a failure once; a domain's file is looked at for each of its cases."""
        if (path, reason) not in self.failed:
            self.failed.append((path, reason))


class TreeImport:
    """One import of checklists under way."""

    def __init__(self, project: Project, report: ChecklistReport, *, author: str = AUTHOR) -> None:
        self._project = project
        self._report = report
        self._author = author
        self._commons: dict[Path, PromptFile | None] = {}

    def case(self, instance: Instance, folder: Path) -> None:
        """Bring in a case's own lists, and its domain's the first time that one of its cases comes."""
        path = folder / "generation_task" / CASE
        domain = folder.parent.parent
        try:
            own = read_prompts(path)
            common = self._common(domain, instance.domain)
            if common is None and (domain / COMMON).is_file():
                return
            if common is None:
                self._report.note(f"{instance.domain}: there is no {COMMON}; its cases have their own lists only")
            both = merged(own, common) if common is not None else own
            check_kinds(both)
            self._lists(Scope(instance_id=instance.id), own, f"{instance.name}: {CASE}", path)
        except StudioError as error:
            self._report.fail(path, str(error))
            return
        for dimension, values in both.lists.items():
            if not values:
                self._report.note(f"{instance.name}: {LIST_KEYS[dimension]} is an empty class; its weight stays")
        self._compare_range(instance, both)

    def _common(self, folder: Path, domain: str) -> PromptFile | None:
        if folder in self._commons:
            return self._commons[folder]
        self._commons[folder] = None
        path = folder / COMMON
        if not path.is_file():
            return None
        try:
            found = read_prompts(path)
            weights = self._weights(folder)
            self._lists(Scope(domain=domain), found, f"{domain}: {COMMON}", path, weights=weights)
            self._commons[folder] = found
        except StudioError as error:
            self._report.fail(path, str(error))
        return self._commons[folder]

    def _weights(self, folder: Path) -> WeightsDocument | None:
        path = folder / WEIGHTS
        if not path.is_file():
            self._report.note(f"{folder.name}: there is no {WEIGHTS}; every dimension weighs the same")
            return None
        try:
            found = read_weights(path)
        except StudioError as error:
            self._report.fail(path, str(error))
            return None
        for text in found.notes:
            self._report.note(f"{folder.name}/{WEIGHTS}: {text}")
        return found

    def _lists(
        self, scope: Scope, file: PromptFile, what: str, path: Path, *, weights: WeightsDocument | None = None
    ) -> None:
        check_kinds(file)
        items: list[Item] = []
        for dimension, values in file.lists.items():
            for position, listed in enumerate(listed_items(values or ())):
                items.append(_item(listed, scope, dimension, position))
                if listed.problem:
                    place = f"{LIST_KEYS[dimension]}, item {position + 1}"
                    self._report.note(f"{what}: {place}: {listed.problem}; kept as a tool error, not scored")
        settings = _settings(checklist_store.settings_of(self._project, scope), file, weights)
        save_lists(
            self._project, scope, items, settings, self._report, what=what, author=self._author,
            dimensions=tuple(file.lists),
        )  # fmt: skip

    def _compare_range(self, instance: Instance, both: PromptFile) -> None:
        said = slide_range_in(instance.instruction)
        asked = slide_range(
            _item(listed, Scope(), dimension, 0)
            for dimension, values in both.lists.items()
            for listed in listed_items(values or ())
        )
        if said is not None and asked is not None and said != asked:
            self._report.note(
                f"{instance.name}: the instruction asks for {said[0]}–{said[1]} slides, the checklist for "
                f"{asked[0]}–{asked[1]}"
            )


def save_lists(
    project: Project,
    scope: Scope,
    items: Sequence[Item],
    settings: ListSettings | None,
    report: ChecklistReport,
    *,
    what: str,
    author: str,
    dimensions: Sequence[Dimension] = tuple(Dimension),
) -> None:
    """Store a scope's lists as one act and count what became of each item.

    An item whose words are those of any version that is here is the same, also where somebody has edited or
    retired it since. Others take, in order, the ids of items of their dimension that the file no longer has,
    as their next version, or become new items. What is here and not in the file stays.
    """
    versions = checklist_store.versions_in(project, [scope])
    known: dict[tuple[object, ...], list[Any]] = {}
    for identifier, states in versions.items():
        for state in states:
            known.setdefault(_said(state), []).append(identifier)
    fresh: list[Item] = []
    taken: set[str] = set()
    for item in items:
        same = next((one for one in known.get(_said(item), ()) if one not in taken), None)
        if same is not None:
            taken.add(same)
            report.same += 1
        else:
            fresh.append(item)
    free = {
        dimension: [
            states[-1]
            for identifier, states in versions.items()
            if identifier not in taken
            and states[-1].dimension is dimension
            and not states[-1].is_retired
            # Only what an import wrote gives way to an import; a person's own item stays beside it.
            and states[-1].author == author
        ]
        for dimension in dimensions
    }
    stored = []
    for item in fresh:
        waiting = free.get(item.dimension, [])
        stored.append(replace(item, id=waiting.pop(0).id) if waiting else item)
    records = [checklist_store.settings_record(scope, settings)] if settings is not None else []
    checklist_store.save_items(
        project, stored, author=author, verb="import", words=f"Brought in {what}", with_settings=records
    )
    report.items += len(stored)


def _said(item: Item) -> tuple[object, ...]:
    rule = json.dumps([item.rule.rule, item.rule.parameters], sort_keys=True) if item.rule is not None else ""
    return item.dimension, item.kind, item.text, rule


def _item(listed: ListedItem, scope: Scope, dimension: Dimension, position: int) -> Item:
    return Item(
        id=checklist_store.new_item_id(), version=1, dimension=dimension, text=listed.text, kind=listed.kind,
        rule=listed.rule, domain=scope.domain, instance_id=scope.instance_id, position=float(position),
    )  # fmt: skip


def _settings(before: ListSettings, file: PromptFile, weights: WeightsDocument | None) -> ListSettings:
    found = replace(
        before,
        independent_prefix=file.prefixes.get(Tier.INDEPENDENT, before.independent_prefix),
        dependent_prefix=file.prefixes.get(Tier.DEPENDENT, before.dependent_prefix),
        declared=before.declared | {dimension for dimension, value in file.lists.items() if value is not None},
    )
    if weights is None:
        return found
    return replace(found, weights=dimension_weights(weights), weights_total=weights.total)


def dimension_weights(weights: WeightsDocument) -> dict[Dimension, float]:
    """Return the points of a weights file by dimension; classes that stand for none are left out."""
    return {
        DIMENSIONS[Class(section, key)]: points
        for section, classes in weights.sections.items()
        for key, points in classes.items()
        if Class(section, key) in DIMENSIONS
    }


def read_prompts(path: Path) -> PromptFile:
    """Return a prompt file.

    Raises:
        BadInput: if it is missing, a Git LFS pointer, no JSON or no object.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror or error}).", next_step="Check the tree.") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8.", next_step="Save it as UTF-8.") from error
    if is_lfs_pointer(text):
        raise BadInput(f"{path} is a Git LFS pointer, not the file.", next_step="Run: git lfs pull")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path} is no JSON: {error}.", next_step="Mend it.") from error
    return prompt_file(value, path.name)


def bring_in(
    project: Project, cases: Iterable[tuple[str, Path]], report: ChecklistReport, *, author: str = AUTHOR
) -> None:
    """Bring in the checklists of cases, each an instance's name and its folder in the data tree."""
    instances = {item.name: item for item in deck_store.list_instances(project)}
    work = TreeImport(project, report, author=author)
    for name, folder in cases:
        if name in instances:
            work.case(instances[name], folder)


def kinds(items: Iterable[Item]) -> dict[str, int]:
    """Return how many items there are of each kind."""
    found = dict.fromkeys((kind.value for kind in ItemKind), 0)
    for item in items:
        found[item.kind.value] += 1
    return found
