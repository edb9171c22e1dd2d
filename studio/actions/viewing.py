"""What a page needs to show the decks of one instance side by side, with or without their names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from studio.actions.sessions import candidates, list_people, open_ranking
from studio.actions.studies import ranking_order
from studio.model.decks import Deck, DeckStatus, DeckWarning, Instance, RenderState, Slide, slide_file_name
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.sessions.order import display_order, letter
from studio.store import decks as deck_store
from studio.store.project import Project

_WHY_NONE = {
    DeckStatus.FAILED: "The system failed",
    DeckStatus.MISSING: "No deck",
    DeckStatus.NOT_SUPPORTED: "Not supported by this system",
}


@dataclass(frozen=True, kw_only=True)
class DeckOnView:
    """One deck as a pane shows it."""

    id: DeckId
    name: str
    """The system's name, or a letter where the viewer is blind."""
    slides: tuple[Slide, ...] = ()
    folder: Path | None = None
    """Where its slide pictures lie; None if there are none."""
    aspect: float = 16 / 9
    """Width divided by height."""
    failure: str = ""
    """Why there is no picture of it, in a few words; empty if there is."""
    reason: str = ""
    """More about the failure."""
    warnings: tuple[DeckWarning, ...] = ()
    missing_fonts: tuple[str, ...] = ()
    drawn_hidden: frozenset[int] = frozenset()
    """Numbers of hidden slides that were drawn all the same, since somebody asked."""


@dataclass(frozen=True, kw_only=True)
class InstanceOnView:
    """One instance and its decks in the order in which they are shown."""

    instance: Instance
    decks: tuple[DeckOnView, ...]


def instance_on_view(
    project: Project, instance_id: InstanceId, *, is_blind: bool, annotator: str = ""
) -> InstanceOnView | None:
    """Return an instance with everything its panes show, or None if it is not there any more.

    Args:
        project: the open project.
        instance_id: which instance.
        is_blind: letters in place of system names, in this annotator's own order; decks without pictures are
            left out, since the reason might name the system.
        annotator: the name on the profile.
    """
    instance = next((item for item in deck_store.list_instances(project) if item.id == instance_id), None)
    if instance is None:
        return None
    if is_blind:
        order = blind_order(project, instance_id, annotator)
        names = {deck: letter(place) for place, deck in enumerate(order)}
        return InstanceOnView(instance=instance, decks=decks_on_view(project, instance_id, names, is_blind=True))
    names = {deck.id: deck.system for deck in deck_store.list_decks(project, instance_id)}
    return InstanceOnView(instance=instance, decks=decks_on_view(project, instance_id, names, is_blind=False))


def decks_on_view(
    project: Project, instance_id: InstanceId, names: dict[DeckId, str], *, is_blind: bool
) -> tuple[DeckOnView, ...]:
    """Return the decks of an instance under these names and in their order; decks without a name are left out.

    Args:
        project: the open project.
        instance_id: whose decks.
        names: what each deck is called.
        is_blind: say nothing of replaced fonts and of the file as a whole, which tell how a deck was made.
    """
    decks = {deck.id: deck for deck in deck_store.list_decks(project, instance_id)}
    shown = tuple(_on_view(project, decks[deck], name) for deck, name in names.items() if deck in decks)
    return tuple(map(_without_its_making, shown)) if is_blind else shown


def blind_order(project: Project, instance_id: InstanceId, annotator: str) -> tuple[DeckId, ...]:
    """Return an instance's decks in the order in which this annotator ranks them, without storing anything."""
    person = next((found for found in list_people(project) if annotator in (found.name, found.id)), None)
    if person is not None:
        order = ranking_order(project, person.id, instance_id)
        if order is not None:
            return order
        return open_ranking(project, instance_id, person.id).session.display
    present = [deck.id for deck in candidates(project, instance_id)]
    return display_order(present, seed=project.seed, annotator_id=AnnotatorId(annotator), instance_id=instance_id)


def _on_view(project: Project, deck: Deck, name: str) -> DeckOnView:
    slides = tuple(deck_store.list_slides(project, deck.id))
    folder = deck_store.page_folder(project, deck.id)
    failure, reason = _failure(deck, folder)
    width, height = deck.raster_px or (16, 9)
    return DeckOnView(
        id=deck.id, name=name, slides=slides, folder=folder, aspect=width / max(1, height), failure=failure,
        reason=reason, warnings=deck.warnings, missing_fonts=deck.missing_fonts,
        drawn_hidden=frozenset(
            slide.number
            for slide in slides
            if slide.page is None and folder is not None and (folder / slide_file_name(slide.number)).is_file()
        ),
    )  # fmt: skip


def _without_its_making(deck: DeckOnView) -> DeckOnView:
    of_slides = tuple(warning for warning in deck.warnings if warning.slide is not None)
    return replace(deck, missing_fonts=(), warnings=of_slides)


def _failure(deck: Deck, folder: Path | None) -> tuple[str, str]:
    if deck.status is not DeckStatus.PRESENT:
        return _WHY_NONE[deck.status], deck.reason
    match deck.render_state:
        case RenderState.FAILED:
            return "The slides could not be drawn", deck.render_reason
        case RenderState.NO_SLIDES:
            return "This deck has no slides", ""
        case RenderState.PENDING:
            return "The slides are not drawn yet", "Draw them in Library."
        case RenderState.RENDERED:
            if folder is None:
                return "The pictures were removed from the cache", "Draw them again in Library."
            return "", ""
