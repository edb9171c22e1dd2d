"""The library: every instance with its sources and, for every system, the deck or the reason why there is none."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from studio.actions.bucket_align import style_of_deck
from studio.actions.care import stale_of
from studio.actions.figures import UNDEFINED, counted
from studio.errors import BadInput
from studio.metrics.buckets import Bucket
from studio.model.changes import Changes, Topic, changed
from studio.model.decks import Deck, DeckStatus, FailureKind, Instance, RenderState, Source, System
from studio.model.ids import DeckId, InstanceId, new_id
from studio.store import decks as deck_store
from studio.store import library as library_store
from studio.store.care import Stale
from studio.store.checklists import as_curated
from studio.store.project import Project


class CellState(StrEnum):
    """What there is of one system for one instance; each of them looks different in the matrix."""

    RENDERED = "rendered"
    PENDING = "not rendered"
    RENDER_FAILED = "rendering failed"
    NO_SLIDES = "no slides"
    FILE_GONE = "file gone"
    FAILED = "failed"
    MISSING = "missing"
    NOT_SUPPORTED = "not supported"


PRESENT = frozenset({CellState.RENDERED, CellState.PENDING, CellState.RENDER_FAILED, CellState.NO_SLIDES})
"""The states of a deck that was delivered and is here."""

NOTHING_STALE = Stale()


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One system's deck for one instance."""

    system: System
    state: CellState
    reason: str = ""
    """Why there is no deck or no picture of it."""
    deck: Deck | None = None
    """None where nothing was ever imported."""
    thumb: Path | None = None
    """Small picture of the first visible slide."""
    stale: Stale = NOTHING_STALE
    """Answers and values given on another file than the deck has now."""

    @property
    def needs_password(self) -> bool:
        """Whether its file opens with a password only, and nobody gave it."""
        return self.reason.startswith(f"{FailureKind.NEEDS_PASSWORD}:")


@dataclass(frozen=True, kw_only=True)
class LibraryRow:
    """One instance."""

    instance: Instance
    sources: tuple[Source, ...]
    cells: tuple[Cell, ...]
    """In the order of `Library.systems`."""
    difficulty: str = ""
    """As the instance's curation says it, else as its own record does; `instance` is the record itself."""

    @property
    def badges(self) -> tuple[str, ...]:
        """Scenario, language and difficulty, those that are known."""
        known = (self.instance.scenario, self.instance.language, self.difficulty)
        return tuple(value for value in known if value)

    def decks(self) -> list[Deck]:
        """Return the decks on record, delivered or not."""
        return [cell.deck for cell in self.cells if cell.deck is not None]


@dataclass(frozen=True, kw_only=True)
class Library:
    """All instances and systems of a project."""

    systems: tuple[System, ...] = ()
    rows: tuple[LibraryRow, ...] = ()

    def values(self, field: str) -> list[str]:
        """Return the values that a field of the instances takes, such as `scenario`, sorted."""
        return sorted({str(getattr(row.instance, field)) for row in self.rows} - {""})

    def states(self) -> Counter[CellState]:
        """Return how many cells there are of each state."""
        return Counter(cell.state for row in self.rows for cell in row.cells)


@dataclass(frozen=True, kw_only=True)
class LibraryFilter:
    """What a person wants to see. An empty field lets everything pass."""

    text: str = ""
    """Words that must all be found in title, name, scenario, domain, sources, systems or file names."""
    scenario: str = ""
    language: str = ""
    status: str = ""
    """A `CellState`, `warnings`, `fonts` or `stale`: instances with at least one such deck."""

    @property
    def is_empty(self) -> bool:
        """Whether everything passes."""
        return self == LibraryFilter()


def library(project: Project) -> Library:
    """Return the whole library of a project."""
    systems = deck_store.list_systems(project)
    instances = deck_store.list_instances(project)
    difficulty = {each.id: each.difficulty for each in as_curated(project, instances)}
    sources: dict[str, list[Source]] = {}
    for source in deck_store.list_sources(project):
        sources.setdefault(source.instance_id, []).append(source)
    decks = {(deck.instance_id, deck.system_id): deck for deck in deck_store.list_decks(project)}
    thumbs = library_store.first_thumbnails(project)
    stale = stale_of(project)
    assets = library_store.stored_assets(project)
    drawn = library_store.cached_folders(project)
    rows = []
    for instance in instances:
        cells = []
        for system in systems:
            deck = decks.get((instance.id, system.id))
            has_file = deck is None or deck.asset is None or _asset_name(project, deck) in assets
            thumb = thumbs.get(deck.id) if deck else None
            if deck is not None and thumb is not None and thumb.parent.name not in drawn:
                # The cache may be emptied at any time; the deck is then drawn anew like one that never was.
                deck, thumb = replace(deck, render_state=RenderState.PENDING), None
            cell = cell_of(system, deck, has_file=has_file, thumb=thumb)
            cells.append(replace(cell, stale=stale[deck.id]) if deck is not None and deck.id in stale else cell)
        rows.append(
            LibraryRow(
                instance=instance, sources=tuple(sources.get(instance.id, ())), cells=tuple(cells),
                difficulty=difficulty[instance.id],
            )
        )  # fmt: skip
    return Library(systems=tuple(systems), rows=tuple(rows))


def cell_of(system: System, deck: Deck | None, *, has_file: bool = True, thumb: Path | None = None) -> Cell:
    """Return the cell of a system's deck, or of the record that there is none."""
    if deck is None:
        return Cell(system=system, state=CellState.MISSING, reason=f"No deck of {system.name} was imported.")
    if deck.status is DeckStatus.FAILED:
        return Cell(system=system, deck=deck, state=CellState.FAILED, reason=deck.reason)
    if deck.status is DeckStatus.MISSING:
        return Cell(
            system=system,
            deck=deck,
            state=CellState.MISSING,
            reason=deck.reason or f"{system.name} delivered nothing.",
        )
    if deck.status is DeckStatus.NOT_SUPPORTED:
        reason = deck.reason or f"{system.name} does not support this task."
        return Cell(system=system, deck=deck, state=CellState.NOT_SUPPORTED, reason=reason)
    if not has_file:
        reason = f"The original of {deck.original_name} is gone from the project's assets."
        return Cell(system=system, deck=deck, state=CellState.FILE_GONE, reason=reason, thumb=thumb)
    state = {
        RenderState.PENDING: CellState.PENDING,
        RenderState.RENDERED: CellState.RENDERED,
        RenderState.FAILED: CellState.RENDER_FAILED,
        RenderState.NO_SLIDES: CellState.NO_SLIDES,
    }[deck.render_state]
    reason = {
        CellState.PENDING: "Its slides have no pictures yet.",
        CellState.RENDER_FAILED: deck.render_reason,
        CellState.NO_SLIDES: "The deck has no visible slides.",
    }.get(state, "")
    return Cell(system=system, deck=deck, state=state, reason=reason, thumb=thumb)


def counts_in_words(library: Library, *, shown: int) -> str:
    """Return such as "24 instances · 5 systems · 118 decks · 1 failed · 1 missing"."""
    if not library.rows:
        return ""
    states = library.states()
    present = sum(states[state] for state in PRESENT)
    total = len(library.rows)
    instances = counted(total, "instance")
    if shown != total:
        instances = f"{shown:,} of {instances}"
    words = [
        instances,
        counted(len(library.systems), "system"),
        counted(present, "deck"),
    ]
    for state in (
        CellState.RENDER_FAILED, CellState.FILE_GONE, CellState.FAILED, CellState.MISSING, CellState.NOT_SUPPORTED
    ):  # fmt: skip
        if states[state]:
            words.append(f"{states[state]:,} {state.value}")
    return " · ".join(words)


def filtered(rows: Sequence[LibraryRow], wanted: LibraryFilter) -> list[LibraryRow]:
    """Return the rows that pass the filter, in their order."""
    if wanted.is_empty:
        return list(rows)
    words = wanted.text.casefold().split()
    return [
        row
        for row in rows
        if (not wanted.scenario or row.instance.scenario == wanted.scenario)
        and (not wanted.language or row.instance.language == wanted.language)
        and (not wanted.status or any(has_status(cell, wanted.status) for cell in row.cells))
        and (not words or _holds(row, words))
    ]


def has_status(cell: Cell, status: str) -> bool:
    """Return whether a cell has a state, or `warnings`, or missing `fonts`."""
    if status == "warnings":
        return cell.deck is not None and bool(cell.deck.warnings)
    if status == "fonts":
        return cell.deck is not None and bool(cell.deck.missing_fonts)
    if status == "stale":
        return cell.stale.total > 0
    return cell.state == status


def retryable(cells: Iterable[Cell]) -> tuple[DeckId, ...]:
    """Return the decks among these that rendering again may help: delivered, but without pictures."""
    states = {CellState.PENDING, CellState.RENDER_FAILED}
    return tuple(cell.deck.id for cell in cells if cell.deck is not None and cell.state in states)


ABSENCES = (DeckStatus.MISSING, DeckStatus.NOT_SUPPORTED, DeckStatus.FAILED)
"""Why a system has no deck for an instance: nothing came, it cannot do the task, or it tried and broke."""


def record_absence(
    project: Project, instance_id: InstanceId, system: System, status: DeckStatus, reason: str = ""
) -> Changes:
    """Store why a system has no deck for an instance, in place of an earlier reason.

    Raises:
        BadInput: if the system has a deck there, or the status is no absence.
    """
    if status not in ABSENCES:
        raise BadInput(f"{status.value} is no reason for having no deck.", next_step="Choose another status.")
    old = next((deck for deck in deck_store.list_decks(project, instance_id) if deck.system_id == system.id), None)
    if old is not None and old.status is DeckStatus.PRESENT:
        raise BadInput(f"{system.name} has a deck for this instance.", next_step="Nothing needs to be recorded.")
    removed = deck_store.removed_deck(project, instance_id, system.name)
    known_id = old.id if old is not None else removed
    deck = Deck(
        id=known_id or DeckId(new_id("deck")), instance_id=instance_id, system_id=system.id,
        system=system.name, status=status, reason=reason,
    )  # fmt: skip
    store = deck_store.replace_deck if known_id is not None else deck_store.add_deck
    store(project, deck)
    if removed is not None:
        deck_store.bring_back(project, removed)
    return changed(Topic.DECKS)


class Fact(NamedTuple):
    """One thing that is known of a deck, in words."""

    label: str
    value: str
    """ "–" where it is undefined."""
    reason: str = ""
    """Why it is undefined."""


def deck_facts(project: Project, deck: Deck) -> list[Fact]:
    """Return what is known of a deck's file and of its pictures."""
    facts = library_store.facts_of(project, deck.id)
    hidden = library_store.hidden_slides(project, deck.id) or tuple(facts.get("hidden") or ())
    renderer = deck_store.renderer_of(project, deck.id)
    lines = fact_lines(deck, facts, hidden=hidden, renderer=renderer)
    return [*lines, _style(project, deck)] if lines else []


def _style(project: Project, deck: Deck) -> Fact:
    try:
        found = style_of_deck(project, deck.id)
    except BadInput:
        return Fact("Style", UNDEFINED, "Not measured yet.")
    words = [bucket.value.replace("_", "-") for bucket in Bucket if bucket in found.buckets]
    return Fact("Style", ", ".join(words))


def fact_lines(deck: Deck, facts: dict[str, Any], *, hidden: Sequence[int] = (), renderer: str = "") -> list[Fact]:
    """Return the facts of a deck in words; none for the record that there is no deck.

    Args:
        deck: as stored.
        facts: what `inspect` said, as JSON values.
        hidden: numbers of hidden slides, from 1.
        renderer: name and version of what drew the pictures.
    """
    if deck.asset is None and not facts:
        return []
    lines = [
        Fact("File", deck.original_name or UNDEFINED),
        Fact("Format", deck.format.value if deck.format else UNDEFINED, "The content was not recognised."),
        Fact("Size", size_words(deck.size_bytes)),
        Fact("Slides", f"{deck.slides:,}"),
    ]
    if hidden:
        lines.append(Fact("Hidden slides", ", ".join(map(str, hidden))))
    found = {
        "Slide size": _slide_size(facts.get("slide_size_emu")),
        "Text boxes": _count(facts.get("text_boxes")),
        "Tables": _count(facts.get("tables")),
        "Pictures": _counts(facts.get("pictures"), "embedded", "linked", "broken"),
        "Charts": _counts(facts.get("charts"), "native", "with_workbook", "external", "broken"),
        "SmartArt": _count(facts.get("smartart")),
        "Audio, video": _counts(facts.get("media"), "embedded", "linked"),
        "Animations": _counts(facts.get("animations"), "effects", "slides"),
        "Notes": _count(facts.get("notes")),
        "Fonts": ", ".join((facts.get("fonts") or {}).get("asked") or ()) or UNDEFINED,
    }
    lines += [Fact(label, value, "Not known for this format.") for label, value in found.items()]
    if deck.raster_px:
        width_px, height_px = deck.raster_px
        lines.append(Fact("Drawn", f"{deck.pages_rendered:,} at {width_px} × {height_px} px"))
        lines.append(Fact("Drawn by", renderer or UNDEFINED, "The renderer was not noted."))
    return lines


def copy_for_viewing(project: Project, source: Source) -> Path:
    """Return a copy of a source under its own name, for other programs to open: the original stays as it is.

    Raises:
        BadInput: if the original is gone or the copy cannot be written.
    """
    return _copy(project, project.asset_path(source.asset, source.extension), source.asset, source.name)


def copy_deck_for_viewing(project: Project, deck: Deck) -> Path:
    """Return a read-only copy of a deck's file under its own name; see `copy_for_viewing`."""
    if deck.asset is None:
        raise BadInput(f"{deck.system} has no file.", next_step="Import its deck.")
    name = deck.original_name or f"deck.{deck.extension}"
    return _copy(project, project.asset_path(deck.asset, deck.extension), deck.asset, name)


def _copy(project: Project, original: Path, asset: str, shown_as: str) -> Path:
    name = Path(shown_as.replace("\\", "/")).name or "file"
    if original.suffix and Path(name).suffix.lower() != original.suffix.lower():
        # A deck that was renamed still opens in the program for its kind.
        name += original.suffix
    target = project.cache_folder / "opened" / asset[:16] / name
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            target.chmod(0o644)
        shutil.copyfile(original, target)
        # Read-only: a change saved in the other program would be lost, so that program should ask where to.
        target.chmod(0o444)
    except FileNotFoundError as error:
        raise BadInput(f"{shown_as} is gone from the project's assets.", next_step="Import it again.") from error
    except OSError as error:
        raise BadInput(
            f"{shown_as} cannot be copied for viewing ({error.strerror or error}).",
            next_step="Check the free space and the permissions of the project's cache folder.",
        ) from error
    return target


def size_words(size_bytes: int) -> str:
    """Return a size in kB or MB (1,000 and 1,000,000 bytes), at least 1 kB for a file that is not empty."""
    if size_bytes >= 1_000_000:
        return f"{size_bytes / 1_000_000:,.1f} MB"
    return f"{max(1, round(size_bytes / 1_000)) if size_bytes else 0:,} kB"


def _asset_name(project: Project, deck: Deck) -> str:
    return project.asset_path(deck.asset, deck.extension).name if deck.asset else ""


def _holds(row: LibraryRow, words: Sequence[str]) -> bool:
    instance = row.instance
    parts = [instance.title, instance.name, instance.scenario, instance.domain, instance.language]
    parts += [source.name for source in row.sources]
    for deck in row.decks():
        parts += [deck.system, deck.original_name]
    text = "\n".join(parts).casefold()
    return all(word in text for word in words)


def _count(value: int | None) -> str:
    return UNDEFINED if value is None else f"{value:,}"


def _counts(counts: dict[str, int] | None, *names: str) -> str:
    """Return such as "3 embedded, 1 broken"; "0" where there are none at all."""
    if counts is None:
        return UNDEFINED
    told = [f"{counts[name]:,} {name.replace('_', ' ')}" for name in names if counts.get(name)]
    return ", ".join(told) or "0"


def _slide_size(emu: Sequence[int] | None) -> str:
    """Return a slide's size in inches; 914,400 EMU are an inch."""
    if not emu:
        return UNDEFINED
    width, height = (value / 914_400 for value in emu)
    return f"{width:.2f} × {height:.2f} in"
