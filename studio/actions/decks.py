"""Bringing instances, sources and decks into a project, and rendering them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from studio.actions import imported_verdicts
from studio.decks.content import Content, content_of, copy_content
from studio.decks.images import readable
from studio.decks.layouts import ImportPlan, PlannedDeck, PlannedInstance, PlannedSource, plan_import
from studio.decks.structure import inspect_file
from studio.errors import BadInput, DeckUnreadable, StudioError
from studio.exchange import presentbench_import, presentbench_verdicts
from studio.exchange.presentbench_import import ChecklistReport
from studio.model.changes import Changes, Topic, changed
from studio.model.decks import Deck, DeckFacts, DeckStatus, Failure, Instance, RenderState, Source
from studio.model.events import ImportProgress
from studio.model.ids import DeckId, InstanceId, SourceId, new_id
from studio.model.protocols import CancelToken, Emit
from studio.store import decks as deck_store
from studio.store.project import Project


@dataclass(frozen=True, kw_only=True)
class ImportReport:
    """What an import did."""

    instances: int = 0
    sources: int = 0
    decks: int = 0
    skipped: int = 0
    """Files that were there already, with the same content."""
    failed: tuple[Failure, ...] = field(default=())
    """`detail` holds the path."""
    instance_ids: tuple[InstanceId, ...] = ()
    deck_ids: tuple[DeckId, ...] = ()
    waiting_ids: tuple[DeckId, ...] = ()
    """Decks that were there already and have no pictures yet, as after an import that was stopped or killed."""
    checklist_items: int = 0
    """Items that came with a PresentBench tree, new or as a new version."""
    verdicts: int = 0
    """Answers of its result files."""
    notes: tuple[str, ...] = ()
    """What a person should know about checklists and results as they were read."""

    @property
    def to_render(self) -> tuple[DeckId, ...]:
        """What is to have pictures next: the decks that came, and those that wait from before."""
        return tuple(dict.fromkeys((*self.deck_ids, *self.waiting_ids)))


def preview_import(paths: Sequence[Path], *, layout: str = "auto") -> ImportPlan:
    """Return what an import of these paths would bring in, for a person to look at and change."""
    return plan_import(paths, layout=layout)


def import_plan(project: Project, plan: ImportPlan, *, emit: Emit, cancel: CancelToken) -> tuple[ImportReport, Changes]:
    """Bring in what was planned and return what was added, what was there, and what failed with its reason.

    A file that cannot be read never stops the others: a deck of that kind is kept as failed, so that its
    system's absence is on record. Files are copied, never moved or changed. A cancel keeps what is in.
    """
    work = _Import(project, emit, cancel, total=sum(len(item.sources) + len(item.decks) for item in plan.instances))
    for failure in plan.failures:
        work.fail(failure.path, failure.kind, failure.reason)
    for planned in plan.instances:
        if cancel.is_set():
            break
        work.instance(planned)
    if cancel.is_set() or not any(planned.case or planned.results for planned in plan.instances):
        return work.report, changed(Topic.DECKS)
    return _with_checklists(project, plan, work), changed(Topic.DECKS, Topic.CHECKLISTS, Topic.RUNS, Topic.SCORES)


def import_paths(
    project: Project, paths: Sequence[Path], *, layout: str = "auto", emit: Emit, cancel: CancelToken
) -> tuple[ImportReport, Changes]:
    """Plan and bring in in one go; see `import_plan`.

    Raises:
        BadInput: if none of the paths is there; one that is missing beside others only fails itself.
    """
    if not any(path.exists() for path in paths):
        raise BadInput(f"{', '.join(map(str, paths))} not found; nothing was imported.", next_step="Check the path.")
    return import_plan(project, preview_import(paths, layout=layout), emit=emit, cancel=cancel)


def render_failures(project: Project, deck_ids: Sequence[DeckId]) -> list[dict[str, str]]:
    """Return path and reason of those of the decks that could not be rendered."""
    return [
        {"path": deck.original_name, "reason": deck.render_reason}
        for deck in deck_store.list_decks(project)
        if deck.id in set(deck_ids) and deck.render_state is RenderState.FAILED
    ]


def _with_checklists(project: Project, plan: ImportPlan, work: _Import) -> ImportReport:
    """Bring in the checklists and results that stand beside the decks, after all decks are known."""
    found = ChecklistReport()
    presentbench_import.bring_in(project, [(each.name, each.case) for each in plan.instances if each.case], found)
    folders = [(each.name, system, folder) for each in plan.instances for system, folder in each.results]
    presentbench_verdicts.bring_in(project, folders, found)
    if found.results:
        imported_verdicts.score_imported(project)
    for path, reason in found.failed:
        work.fail(path, "unreadable", reason)
    return replace(work.report, checklist_items=found.items, verdicts=found.results, notes=tuple(found.notes))


class _Import:
    """One import under way."""

    def __init__(self, project: Project, emit: Emit, cancel: CancelToken, *, total: int) -> None:
        self.report = ImportReport()
        self._project = project
        self._emit = emit
        self._cancel = cancel
        self._total = total
        self._done = 0

    def fail(self, path: Path, kind: str, reason: str) -> None:
        failure = Failure(kind=kind, message=readable(reason), detail=readable(str(path)))
        self.report = replace(self.report, failed=(*self.report.failed, failure))

    def instance(self, planned: PlannedInstance) -> None:
        instance = self._instance_named(planned)
        for source in planned.sources:
            if self._cancel.is_set():
                return
            self._guarded(source.path, partial(self._source, instance, source))
        for deck in planned.decks:
            if self._cancel.is_set():
                return
            self._guarded(deck.path, partial(self._deck, instance, deck))

    def _guarded(self, path: Path, bring_in: Callable[[], None]) -> None:
        before = len(self.report.failed)
        try:
            bring_in()
        except DeckUnreadable as error:
            self.fail(path, error.kind, str(error))
        except StudioError as error:
            self.fail(path, "unreadable", str(error))
        except OSError as error:
            self.fail(path, "unreadable", f"{path.name}: {error.strerror or error}")
        self._done += 1
        has_failed = len(self.report.failed) > before
        self._emit(ImportProgress(done=self._done, total=self._total, name=readable(path.name), failed=has_failed))

    def _instance_named(self, planned: PlannedInstance) -> Instance:
        known = next((item for item in deck_store.list_instances(self._project) if item.name == planned.name), None)
        instruction = self._instruction(planned)
        if known is not None:
            if instruction and not known.instruction:
                known = replace(known, instruction=instruction)
                deck_store.update_instance(self._project, known)
            return known
        instance = Instance(
            id=InstanceId(new_id("instance")), name=planned.name, title=planned.title, instruction=instruction,
            scenario=planned.scenario, domain=planned.domain,
        )  # fmt: skip
        deck_store.add_instance(self._project, instance)
        self.report = replace(
            self.report,
            instances=self.report.instances + 1,
            instance_ids=(*self.report.instance_ids, instance.id),
        )
        return instance

    def _instruction(self, planned: PlannedInstance) -> str:
        """Return an instance's instruction; one that cannot be read is a failure of its own and stops nothing."""
        if planned.instruction is None:
            return ""
        try:
            return planned.instruction.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            name = readable(planned.instruction.name)
            self.fail(planned.instruction, "unreadable", f"{name}: {error.strerror or error}")
            return ""

    def _source(self, instance: Instance, planned: PlannedSource) -> None:
        content = content_of(planned.path)
        known = deck_store.list_sources(self._project, instance.id)
        if any(source.asset == content.sha256 for source in known):
            self.report = replace(self.report, skipped=self.report.skipped + 1)
            return
        self._store_asset(planned.path, content)
        name = _free_name(planned.name, {source.name for source in known})
        deck_store.add_source(
            self._project,
            Source(
                id=SourceId(new_id("source")), instance_id=instance.id, name=name, format=planned.format,
                asset=content.sha256, extension=content.extension, size_bytes=content.size_bytes,
            ),
        )  # fmt: skip
        self.report = replace(self.report, sources=self.report.sources + 1)

    def _deck(self, instance: Instance, planned: PlannedDeck) -> None:
        known = deck_store.list_decks(self._project, instance.id)
        content = _content(planned)
        old = next((deck for deck in known if deck.system == planned.system), None)
        if old is not None and not _gives_way(old, planned, content):
            if content is not None and old.asset != content.sha256 and old.asset is not None:
                self.fail(
                    planned.path,
                    "conflict",
                    f"{planned.system} has another deck for {instance.name} already; it was kept as it is",
                )
            else:
                self.report = replace(self.report, skipped=self.report.skipped + 1)
                if old.status is DeckStatus.PRESENT and old.render_state is RenderState.PENDING:
                    self.report = replace(self.report, waiting_ids=(*self.report.waiting_ids, old.id))
            return
        facts = _readable(inspect_file(planned.path))
        failure = planned.failure or facts.failure
        if old is not None and failure is not None:
            self.fail(planned.path, failure.kind, failure.message)
            return
        if content is not None:
            self._store_asset(planned.path, content)
        system = deck_store.system_named(self._project, planned.system)
        removed = deck_store.removed_deck(self._project, instance.id, planned.system)
        known_id = old.id if old is not None else removed
        deck_id = known_id or DeckId(new_id("deck"))
        store = deck_store.replace_deck if known_id is not None else deck_store.add_deck
        store(
            self._project,
            Deck(
                id=deck_id, instance_id=instance.id, system_id=system.id, system=system.name,
                status=DeckStatus.FAILED if failure else DeckStatus.PRESENT,
                reason=f"{failure.kind}: {failure.message}" if failure else "",
                format=facts.format or planned.format, asset=content.sha256 if content else None,
                extension=content.extension if content else "", original_name=readable(planned.path.name),
                size_bytes=content.size_bytes if content else 0, slides=facts.slides or 0,
                hidden_slides=facts.hidden_slides or 0, warnings=facts.warnings,
            ),
            facts=facts,
            failure=failure,
        )  # fmt: skip
        if removed is not None:
            deck_store.bring_back(self._project, removed)
        if failure:
            self.fail(planned.path, failure.kind, failure.message)
        self.report = replace(
            self.report, decks=self.report.decks + (failure is None), deck_ids=(*self.report.deck_ids, deck_id)
        )

    def _store_asset(self, path: Path, content: Content) -> None:
        if content.is_packed:
            with tempfile.TemporaryDirectory(prefix="podium-") as folder:
                packed = Path(folder) / "packed.zip"
                copy_content(path, packed)
                self._project.add_asset(packed, content.sha256, content.extension)
        else:
            self._project.add_asset(path, content.sha256, content.extension)


def _content(planned: PlannedDeck) -> Content | None:
    """Return a deck's content; a file that cannot be used now is kept too, so that it can be mended later."""
    try:
        return content_of(planned.path)
    except DeckUnreadable:
        if planned.failure is None:
            raise
        return None


def _readable(facts: DeckFacts) -> DeckFacts:
    """Return facts whose words for people can be stored even if the file's name cannot."""
    failure = facts.failure
    return replace(facts, failure=replace(failure, message=readable(failure.message)) if failure else None)


def _gives_way(old: Deck, planned: PlannedDeck, content: Content | None) -> bool:
    """Return whether a deck may be taken in place of the record that its system has none, or a bad one."""
    is_good = content is not None and planned.failure is None
    return old.status is not DeckStatus.PRESENT and is_good and content is not None and old.asset != content.sha256


def _free_name(name: str, taken: set[str]) -> str:
    if name not in taken:
        return name
    stem, dot, extension = name.rpartition(".")
    number = 2
    while (candidate := f"{stem or name} ({number}){dot}{extension if stem else ''}") in taken:
        number += 1
    return candidate
