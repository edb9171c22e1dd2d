"""Content, aesthetics and editability in one number, with weights that the user sets.

Ours: the published formula for such a total is not known, and this one must not be taken for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from studio.actions.quiz_methods import method_of
from studio.actions.ve_matrix import EDITS, LEVELS, LOOKS
from studio.errors import BadInput
from studio.model.decks import DeckStatus
from studio.model.ids import DeckId
from studio.quiz.reader import READER
from studio.stats.intervals import bootstrap_mean
from studio.store import decks as deck_store
from studio.store import scores as score_store
from studio.store.project import Project

LABEL = "Composite (ours, not the paper's)"
LOWEST_LOOKS, HIGHEST_LOOKS = -3.0, 35.5
"""What the aesthetics total can come to with the benchmark's parameters."""
RULE = (
    "weighted mean of content (accuracy, 0 to 1), aesthetics (total from -3 to 35.5, brought to 0 to 1) and "
    "editability (level over 5), over decks that have all three; interval: 95 % percentile bootstrap over decks"
)


@dataclass(frozen=True, kw_only=True)
class Weights:
    """How much each side counts; only their proportions matter."""

    content: float = 1.0
    aesthetics: float = 1.0
    editability: float = 1.0

    def __post_init__(self) -> None:
        if min(self.content, self.aesthetics, self.editability) < 0 or not self.total:
            raise BadInput("Weights are zero or more, and not all of them zero.", next_step="Raise one of them.")

    @property
    def total(self) -> float:
        """Their sum."""
        return self.content + self.aesthetics + self.editability


@dataclass(frozen=True, kw_only=True)
class CompositeRow:
    """One system."""

    system: str
    composite: float | None
    """0 to 1."""
    ci_low: float | None
    ci_high: float | None
    content: float | None
    aesthetics: float | None
    editability: float | None
    n_decks: int
    """Decks that have all three."""
    n_missing: int
    undefined_reason: str | None = None


def composite(
    project: Project, weights: Weights, *, reader: str = READER, preset: str = "benchmark"
) -> list[CompositeRow]:
    """Return the composite of every system, best first; one without a complete deck is undefined with the reason."""
    parts: dict[str, dict[DeckId, float]] = {"content": {}, "aesthetics": {}, "editability": {}}
    for score in score_store.current_scores(project):
        if score.value is None:
            continue
        if score.metric == method_of(reader):
            parts["content"][score.deck_id] = score.value
        elif score.metric == LOOKS and score.preset == preset:
            share = (score.value - LOWEST_LOOKS) / (HIGHEST_LOOKS - LOWEST_LOOKS)
            parts["aesthetics"][score.deck_id] = min(1.0, max(0.0, share))
        elif score.metric == EDITS:
            parts["editability"][score.deck_id] = score.value / (LEVELS - 1)
    systems: dict[str, list[DeckId]] = {}
    for deck in deck_store.list_decks(project):
        if deck.status is DeckStatus.PRESENT:
            systems.setdefault(deck.system, []).append(deck.id)
    rows = [_row(system, decks, parts, weights) for system, decks in systems.items()]
    return sorted(rows, key=lambda row: (row.composite is None, -(row.composite or 0.0), row.system))


def _row(
    system: str, decks: list[DeckId], parts: Mapping[str, Mapping[DeckId, float]], weights: Weights
) -> CompositeRow:
    complete = [deck for deck in decks if all(deck in values for values in parts.values())]
    values = [
        (
            weights.content * parts["content"][deck] + weights.aesthetics * parts["aesthetics"][deck]
            + weights.editability * parts["editability"][deck]
        ) / weights.total
        for deck in complete
    ]  # fmt: skip
    found = bootstrap_mean(values)
    means = {
        name: sum(of[deck] for deck in complete) / len(complete) if complete else None for name, of in parts.items()
    }
    lacking = [name for name, of in parts.items() if not any(deck in of for deck in decks)]
    reason = None if complete else f"no deck has all three{': no ' + ', '.join(lacking) if lacking else ''}"
    return CompositeRow(
        system=system, composite=found.mean, ci_low=found.low, ci_high=found.high, n_decks=len(complete),
        n_missing=len(decks) - len(complete), undefined_reason=reason, **means,
    )  # fmt: skip
