"""Which decks a person really acted on, and when: the proof that a rank was given and not found there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from studio.model.answers import AnswerEvent
from studio.model.ids import DeckId


class Touch(NamedTuple):
    """The acts of one person on one deck."""

    n_acts: int
    first_at: str
    """ISO 8601, UTC."""
    last_at: str


def touches(events: Iterable[AnswerEvent]) -> dict[DeckId, Touch]:
    """Return what was done to each deck; decks that nobody acted on are not there.

    Ranking, moving, tying and comparing count, also when they were taken back; undo and redo do not. Events of an
    earlier release do not name the deck: there the decks whose rank became another one count.

    Args:
        events: of one ranking, oldest first.
    """
    found: dict[DeckId, Touch] = {}
    before: dict[str, object] = {}
    compared: list[object] = []
    for event in events:
        ranks = event.state.get("ranks", {})
        ranks = dict(ranks) if isinstance(ranks, dict) else {}
        given = event.state.get("comparisons", [])
        given = list(given) if isinstance(given, list) else []
        if event.verb in {"undo", "redo", "submit", "skip", "cannot_judge"}:
            decks: set[str] = set()
        elif isinstance(event.state.get("acted_on"), str):
            decks = {str(event.state["acted_on"])}
        elif given != compared:
            decks = {
                str(deck) for item in given if item not in compared and isinstance(item, list) for deck in item[:2]
            }
        else:
            decks = {deck for deck in {*ranks, *before} if ranks.get(deck) != before.get(deck)}
        for deck in decks:
            old = found.get(DeckId(deck))
            found[DeckId(deck)] = Touch(old.n_acts + 1 if old else 1, old.first_at if old else event.at, event.at)
        before, compared = ranks, given
    return found
