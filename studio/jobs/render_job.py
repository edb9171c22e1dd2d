"""Rendering decks: from the original in the assets to pages in the cache."""

from __future__ import annotations

import os
import shutil
import threading
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from studio.decks.render import RenderedDeck, RenderTools, render_deck
from studio.decks.rendered import renderer_fingerprint
from studio.errors import DeckUnreadable
from studio.jobs.executors import Executor, ThreadExecutor, Work
from studio.jobs.job import Plan
from studio.jobs.keys import unit_key
from studio.model.decks import Deck, DeckFormat, DeckStatus, RenderState, Slide
from studio.model.ids import Sha256
from studio.model.passwords import PasswordVault
from studio.model.protocols import CancelToken
from studio.model.runs import RunKind, RunSpec, Unit, UnitResult, UnitStatus
from studio.store import decks as deck_store
from studio.store.page_cache import PAGES_PREFIX
from studio.store.project import Project

RASTER_PX = (1280, 720)
"""The box that every slide is fitted into; stored with each value that is computed from its pictures."""

RENDER_VERSION = 1
"""Goes up when the same file would come out as other pictures, so that old ones are made anew."""


_REMOVE_TRIES, _REMOVE_PAUSE_S = 20, 0.05


@dataclass(frozen=True, kw_only=True)
class RenderTask:
    """What rendering one deck needs."""

    sha256: Sha256
    asset: Path
    format: DeckFormat
    folder: Path
    """Where its pages go; made whole or not at all."""


class RenderJob:
    """Renders every present deck that has no pages yet."""

    kind = RunKind.RENDER
    title = "Render decks"

    def __init__(self, spec: RunSpec, tools: RenderTools, passwords: PasswordVault | None = None) -> None:
        self.spec = spec
        self._tools = tools
        self._passwords = passwords or PasswordVault()

    def plan(self, project: Project) -> Plan:
        """See `Job.plan`. A deck whose pages were deleted from the cache is planned again."""
        units, cached = [], 0
        for deck in wanted_decks(project, self.spec):
            if deck.status is not DeckStatus.PRESENT or deck.asset is None or deck.format is None:
                continue
            is_done = deck.render_state is RenderState.NO_SLIDES or (
                deck.render_state is RenderState.RENDERED and deck_store.page_folder(project, deck.id) is not None
            )
            if is_done and not self.spec.force:
                cached += 1
                continue
            renderer = renderer_fingerprint(deck.format, self._tools)
            folder = project.cache_folder / page_folder_name(deck.asset, renderer)
            units.append(
                Unit(
                    key=unit_key("render", deck.asset, RENDER_VERSION, RASTER_PX, renderer),
                    deck_id=deck.id,
                    instance_id=deck.instance_id,
                    label=deck.system,
                    payload=RenderTask(
                        sha256=deck.asset,
                        asset=project.asset_path(deck.asset, deck.extension),
                        format=deck.format,
                        folder=folder,
                    ),
                )
            )
        return Plan(units=tuple(units), cached=cached)

    def executor(self) -> Executor:
        """See `Job.executor`."""
        return ThreadExecutor(self.spec.workers or max(1, min(4, os.cpu_count() or 1)))

    def work(self, cancel: CancelToken) -> Work:
        """See `Job.work`."""
        return partial(_render, tools=self._tools, cancel=cancel, passwords=self._passwords)

    def save(self, project: Project, result: UnitResult, run_id: str) -> None:
        """See `Job.save`."""
        task: RenderTask = result.unit.payload
        rendered: RenderedDeck | None = result.value if result.status is UnitStatus.OK else None
        if rendered is None:
            failure = result.failure
            deck_store.record_rendering(
                project,
                deck_store.Rendering(
                    deck_id=result.unit.deck_id,
                    asset=task.sha256,
                    state=RenderState.FAILED,
                    reason=f"{failure.kind}: {failure.message}" if failure else "no result",
                ),
            )
            return
        slides = tuple(
            Slide(
                deck_id=result.unit.deck_id,
                number=page.number,
                page=page.page,
                is_hidden=page.is_hidden,
                text=page.text,
                notes=page.notes,
                boxes=page.boxes,
                width_px=page.width_px,
                height_px=page.height_px,
                fonts=page.fonts,
                missing_fonts=page.missing_fonts,
            )
            for page in rendered.pages
        )
        n_pages = sum(page.image is not None for page in rendered.pages)
        deck_store.record_rendering(
            project,
            deck_store.Rendering(
                deck_id=result.unit.deck_id,
                asset=task.sha256,
                state=RenderState.RENDERED if n_pages else RenderState.NO_SLIDES,
                renderer=rendered.renderer,
                pages=n_pages,
                raster_px=rendered.raster_px or (0, 0),
                missing_fonts=rendered.missing_fonts,
                warnings=rendered.warnings,
                folder=task.folder.name,
                seconds=rendered.seconds,
                slides=slides,
            ),
        )


def wanted_decks(project: Project, spec: RunSpec) -> list[Deck]:
    """Return the decks that a run is about."""
    decks = deck_store.list_decks(project)
    return decks if spec.deck_ids is None else [deck for deck in decks if deck.id in set(spec.deck_ids)]


def page_folder_name(asset: Sha256, renderer: str) -> str:
    """Return the name of the cache folder for the pages of an original as one renderer draws them."""
    return f"{PAGES_PREFIX}{asset[:24]}-v{RENDER_VERSION}-{RASTER_PX[0]}x{RASTER_PX[1]}-{renderer}"


_moving = threading.Lock()


def _render(task: RenderTask, *, tools: RenderTools, cancel: CancelToken, passwords: PasswordVault) -> RenderedDeck:
    staging = task.folder.with_name(f".{task.folder.name}.{os.getpid()}.{id(task)}")
    shutil.rmtree(staging, ignore_errors=True)
    staging.mkdir(parents=True)
    try:
        rendered = render_deck(
            task.asset, staging, format=task.format, tools=tools, box_px=RASTER_PX, cancel=cancel,
            password=passwords.of(task.sha256),
        )  # fmt: skip
        if rendered.failure is not None:
            raise DeckUnreadable(rendered.failure.kind, rendered.failure.message)
        # One at a time: two decks with the same file have the same folder, and both may be ready at once.
        with _moving:
            shutil.rmtree(task.folder, ignore_errors=True)
            staging.rename(task.folder)
        return rendered
    finally:
        _remove(staging)


def _remove(staging: Path) -> None:
    # After a cancel a worker may still be writing its last page while it is being stopped.
    for _ in range(_REMOVE_TRIES):
        shutil.rmtree(staging, ignore_errors=True)
        if not staging.exists():
            return
        time.sleep(_REMOVE_PAUSE_S)
