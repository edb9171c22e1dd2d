"""Decks with what was measured on their slides, read from the stored scores; nothing is measured anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from studio.errors import BadInput
from studio.exchange.settled import attention_instances
from studio.metrics.slides import SlideMeasures
from studio.metrics.stored import slide_measures
from studio.model.decks import Deck
from studio.model.ids import DeckId, InstanceId
from studio.model.scores import Score
from studio.store import decks as deck_store
from studio.store import scores as score_store
from studio.store.project import Project

CARRIER = "aesthetics.harmony"
"""The metric whose scores of slides carry all that was measured there."""


@dataclass(frozen=True, kw_only=True)
class MeasuredDeck:
    """One deck and the measures of its slides."""

    deck_id: DeckId
    instance_id: InstanceId
    instance: str
    """The instance's name."""
    system: str
    numbers: tuple[int, ...]
    measures: tuple[SlideMeasures, ...]
    raster_px: tuple[int, int] | None


def measured_deck(project: Project, deck_id: DeckId, *, preset: str = "") -> MeasuredDeck:
    """Return a deck with the measures of its last run.

    Measures do not depend on the weights, so a deck that was measured with one preset is measured for all but
    for `min_saturation` and `grid_fallback`.

    Args:
        project: an open project.
        deck_id: which deck.
        preset: take the run of this preset; the newest run of any if empty.

    Raises:
        BadInput: if there is no such deck, or it is not measured yet.
    """
    deck = deck_of(project, deck_id)
    found = _measured(project, deck, _names(project), preset)
    if found is None:
        raise BadInput(f"The deck of {deck.system} is not measured yet.", next_step="Run: studio metrics PROJECT")
    return found


def measured_decks(project: Project) -> Iterator[MeasuredDeck]:
    """Yield every deck of the project that is measured, in the project's order; without those of attention items."""
    names, spoilt = _names(project), attention_instances(project)
    for deck in deck_store.list_decks(project):
        if deck.instance_id in spoilt:
            continue
        found = _measured(project, deck, names, "")
        if found is not None:
            yield found


def deck_of(project: Project, deck_id: DeckId) -> Deck:
    """Return a deck by its id.

    Raises:
        BadInput: if there is none.
    """
    deck = next((each for each in deck_store.list_decks(project) if each.id == deck_id), None)
    if deck is None:
        raise BadInput(f"There is no deck {deck_id}.", next_step="See the ids with: studio decks PROJECT --json")
    return deck


def find_deck(project: Project, text: str) -> Deck:
    """Return the deck that a person names: by its id, or as instance/system.

    Raises:
        BadInput: if there is none, or more than one.
    """
    instances = {item.id: item.name for item in deck_store.list_instances(project)}
    decks = deck_store.list_decks(project)
    instance, _, system = text.rpartition("/")
    matching = [deck for deck in decks if deck.id == text] or [
        deck
        for deck in decks
        if deck.system == system and (not instance or instance in (deck.instance_id, instances[deck.instance_id]))
    ]
    if len(matching) != 1:
        problem = "There is no deck" if not matching else f"There are {len(matching)} decks"
        raise BadInput(f"{problem} {text}.", next_step="Give its id, or the instance's name, a slash and the system.")
    return matching[0]


def _names(project: Project) -> dict[InstanceId, str]:
    return {item.id: item.name for item in deck_store.list_instances(project)}


def _measured(project: Project, deck: Deck, names: dict[InstanceId, str], preset: str) -> MeasuredDeck | None:
    carriers = [
        score
        for score in score_store.current_scores(project, deck_id=deck.id, with_slides=True)
        if score.metric == CARRIER and preset in ("", score.preset)
    ]
    # Scores come in the order in which they were stored. A slide that went away keeps its old score, and a run
    # that failed has no slides: what counts is what came with the deck's own newest value.
    runs = {score.preset: score.run_id for score in carriers if score.slide is None}
    by_preset: dict[str, list[Score]] = {}
    for score in carriers:
        if score.slide is not None and "harmony" in score.detail and score.run_id == runs.get(score.preset):
            by_preset.setdefault(score.preset, []).append(score)
    if not by_preset:
        return None
    newest = sorted(list(by_preset.values())[-1], key=lambda score: score.slide or 0)
    return MeasuredDeck(
        deck_id=deck.id,
        instance_id=deck.instance_id,
        instance=names[deck.instance_id],
        system=deck.system,
        numbers=tuple(score.slide or 0 for score in newest),
        measures=tuple(slide_measures(score.detail) for score in newest),
        raster_px=newest[0].raster_px,
    )
