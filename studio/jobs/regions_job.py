"""Finding text on slide pictures of which nobody knows where their text is."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from studio.decks.ocr import PictureTask, read_pictures, reader_name
from studio.decks.text_regions import detector_name, why_no_detector
from studio.jobs.executors import Executor, ProcessExecutor, Work
from studio.jobs.job import Plan
from studio.jobs.keys import unit_key
from studio.jobs.render_job import RASTER_PX, RENDER_VERSION, wanted_decks
from studio.model.decks import Deck, Failure, RenderState, slide_file_name
from studio.model.ids import DeckId, Sha256
from studio.model.protocols import CancelToken
from studio.model.regions import PictureText, RegionsOrigin
from studio.model.runs import RunKind, RunSpec, Unit, UnitResult, UnitStatus
from studio.store import decks as deck_store
from studio.store import regions as region_store
from studio.store.project import Project

NO_DETECTOR = "no_detector"
"""Failure kind: the detector is not installed."""


@dataclass(frozen=True, kw_only=True)
class RegionsTask:
    """The slides of one deck to look through."""

    made_at: str
    """When the deck's pictures were made."""
    numbers: tuple[int, ...]
    """Number of each slide, from 1."""
    paths: tuple[str, ...]
    known: tuple[PictureText | None, ...]
    """What was found on the same picture before; None: look."""


class RegionsJob:
    """Finds and reads the text of every slide picture that has no text of its own."""

    kind = RunKind.REGIONS
    title = "Find text on pictures"

    def __init__(self, spec: RunSpec) -> None:
        self.spec = spec
        self.failures: dict[DeckId, str] = {}
        """Why the text of a deck could not be found, after the run."""

    def plan(self, project: Project) -> Plan:
        """See `Job.plan`. Pictures that were looked through before, in whatever deck, are not looked through again."""
        units, blocked, cached = [], [], 0
        reason = why_no_detector()
        for deck in wanted_decks(project, self.spec):
            numbers = _numbers_without_regions(project, deck)
            if not numbers:
                continue
            found = region_store.picture_texts(project, deck.id)
            if not self.spec.force and all(number in found and _is_current(found[number]) for number in numbers):
                cached += 1
                continue
            unit = self._unit(project, deck, numbers)
            if reason:
                failure = Failure(kind=NO_DETECTOR, message=reason)
                blocked.append(UnitResult(unit=unit, status=UnitStatus.SKIPPED, failure=failure))
            else:
                units.append(unit)
        return Plan(units=tuple(units), cached=cached, blocked=tuple(blocked))

    def executor(self) -> Executor:
        """See `Job.executor`."""
        return ProcessExecutor(self.spec.workers or os.cpu_count() or 1, limit_s=1800.0)

    def work(self, cancel: CancelToken) -> Work:
        """See `Job.work`."""
        return find_regions

    def save(self, project: Project, result: UnitResult, run_id: str) -> None:
        """See `Job.save`."""
        task: RegionsTask = result.unit.payload
        if result.status is not UnitStatus.OK:
            self.failures[result.unit.deck_id] = result.failure.message if result.failure else "no result"
            return
        region_store.record_pictures(project, result.unit.deck_id, task.made_at, task.numbers, result.value)

    def _unit(self, project: Project, deck: Deck, numbers: tuple[int, ...]) -> Unit:
        folder = deck_store.page_folder(project, deck.id) or Path()
        paths = tuple(folder / slide_file_name(number) for number in numbers)
        known = tuple(None if self.spec.force else _known(project, path) for path in paths)
        return Unit(
            key=unit_key(
                "regions", deck.asset or deck.id, deck_store.renderer_of(project, deck.id), RENDER_VERSION, RASTER_PX,
                detector_name(), reader_name(),
            ),
            deck_id=deck.id, instance_id=deck.instance_id, label=deck.system,
            payload=RegionsTask(
                made_at=region_store.rendered_at(project, deck.id), numbers=numbers,
                paths=tuple(str(path) for path in paths), known=known,
            ),
        )  # fmt: skip


def find_regions(task: RegionsTask) -> tuple[PictureText, ...]:
    """Return what is on each picture of the task, in its order; for worker processes."""
    missing = [path for path, known in zip(task.paths, task.known, strict=True) if known is None]
    found = dict(zip(missing, read_pictures(PictureTask(paths=tuple(missing))), strict=True)) if missing else {}
    return tuple(known or found[path] for path, known in zip(task.paths, task.known, strict=True))


def _numbers_without_regions(project: Project, deck: Deck) -> tuple[int, ...]:
    if deck.render_state is not RenderState.RENDERED:
        return ()
    slides = [slide for slide in deck_store.list_slides(project, deck.id) if slide.page and slide.boxes is None]
    if not slides:
        return ()
    imported = {
        number
        for number, regions in region_store.slide_regions(project, deck.id).items()
        if regions.origin is RegionsOrigin.IMPORTED
    }
    return tuple(slide.number for slide in slides if slide.number not in imported)


def _is_current(found: PictureText) -> bool:
    return found.detector == detector_name() and found.reader == reader_name()


def _known(project: Project, path: Path) -> PictureText | None:
    try:
        picture = Sha256(hashlib.sha256(path.read_bytes()).hexdigest())
    except OSError:
        # The worker meets the same error and says which picture it is.
        return None
    return region_store.known_picture(project, picture, detector_name(), reader=reader_name())
