"""The V-E matrix: how good decks look against how far they can be edited, by deck and by system."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from studio.actions.align import DEFAULT_PRESET
from studio.actions.quiz_methods import METHOD
from studio.errors import BadInput
from studio.exchange.files import csv_text
from studio.exchange.settled import attention_instances
from studio.model.decks import Deck, DeckStatus
from studio.model.ids import DeckId, InstanceId
from studio.model.scores import Score
from studio.store import decks as deck_store
from studio.store import scores as score_store
from studio.store.project import Project

LOOKS, EDITS = "aesthetics.total", "editability.pei"
LEVELS = 6
"""L0 to L5."""
MEDIAN_RULE = "median of the decks that have both values"
SYSTEM_RULE = "mean aesthetics total; median level, of an even number the lower of the middle two"
ON_LINE_RULE = "a deck on a line counts as above it"


class Quadrant(StrEnum):
    """Where a deck lies; named by looks, then by editability."""

    HIGH_HIGH = "looks_high_edits_high"
    HIGH_LOW = "looks_high_edits_low"
    LOW_HIGH = "looks_low_edits_high"
    LOW_LOW = "looks_low_edits_low"


QUADRANT_WORDS = {
    Quadrant.HIGH_HIGH: "Looks good, edits well",
    Quadrant.HIGH_LOW: "Looks good, hard to edit",
    Quadrant.LOW_HIGH: "Looks plain, edits well",
    Quadrant.LOW_LOW: "Looks plain, hard to edit",
}


@dataclass(frozen=True, kw_only=True)
class DeckPoint:
    """One deck with both values."""

    deck_id: DeckId
    instance_id: InstanceId
    instance: str
    system: str
    total: float
    level: int
    """0 to 5."""
    quadrant: Quadrant


@dataclass(frozen=True, kw_only=True)
class MissingPoint:
    """One deck that has no place in the matrix."""

    deck_id: DeckId
    instance: str
    system: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class SystemPoint:
    """One system over its decks that have both values."""

    system: str
    total: float
    level: int
    n_decks: int
    n_missing: int
    shares: tuple[float, ...]
    """Share of its decks at L0 … L5."""
    quadrant: Quadrant


@dataclass(frozen=True, kw_only=True)
class Line:
    """Where a quadrant line lies, and why there."""

    at: float
    rule: str


@dataclass(frozen=True, kw_only=True)
class VEMatrix:
    """The matrix of a project."""

    preset: str
    decks: tuple[DeckPoint, ...]
    systems: tuple[SystemPoint, ...]
    missing: tuple[MissingPoint, ...]
    looks_line: Line | None
    """Of the aesthetics total; None without a deck."""
    edits_line: Line | None
    """Of the level."""
    accuracies: Mapping[str, Mapping[DeckId, float]] = field(default_factory=dict)
    """Content accuracy of decks, 0 to 1, by method such as ``offline/quizbank``; what decks can be coloured by."""

    @property
    def counts(self) -> Mapping[Quadrant, int]:
        """Return how many decks lie in each quadrant."""
        return {each: sum(deck.quadrant is each for deck in self.decks) for each in Quadrant}


def ve_matrix(
    project: Project, *, preset: str = DEFAULT_PRESET, looks_line: float | None = None, edits_line: float | None = None
) -> VEMatrix:
    """Return the matrix of the newest scores.

    Args:
        project: an open project.
        preset: of the aesthetics total. The level is taken of the same preset, or of any where there is none.
        looks_line: aesthetics total that parts the quadrants; the median of the decks if None.
        edits_line: level that does; the median if None.

    Raises:
        BadInput: if no deck has a score of one of the two under any preset.
    """
    scores = score_store.current_scores(project)
    looks = {each.deck_id: each for each in scores if each.metric == LOOKS and each.preset == preset}
    edits: dict[DeckId, Score] = {}
    for each in scores:  # in the order in which they were stored
        if each.metric == EDITS and (each.preset == preset or edits.get(each.deck_id) is None):
            edits[each.deck_id] = each
    for metric, found in ((LOOKS, looks), (EDITS, edits)):
        if not found:
            wording = "aesthetics" if metric == LOOKS else "editability"
            raise BadInput(f"No deck of this project has {wording} scores.", next_step="Run the metrics first.")
    names = {item.id: item.name for item in deck_store.list_instances(project)}
    spoilt = attention_instances(project)
    decks = [
        deck
        for deck in deck_store.list_decks(project)
        if deck.status is DeckStatus.PRESENT and deck.instance_id not in spoilt
    ]
    both: list[tuple[Deck, float, int]] = []
    missing: list[MissingPoint] = []
    for deck in decks:
        look, edit = looks.get(deck.id), edits.get(deck.id)
        if look is not None and edit is not None and look.value is not None and edit.value is not None:
            both.append((deck, look.value, int(edit.value)))
        else:
            missing.append(
                MissingPoint(
                    deck_id=deck.id, instance=names[deck.instance_id], system=deck.system, reason=_why(look, edit)
                )
            )
    across = _line([total for _, total, _ in both], looks_line)
    up = _line([float(level) for _, _, level in both], edits_line)
    points = tuple(
        DeckPoint(
            deck_id=deck.id, instance_id=deck.instance_id, instance=names[deck.instance_id], system=deck.system,
            total=total, level=level, quadrant=quadrant_of(total, level, across, up),
        )
        for deck, total, level in both
    )  # fmt: skip
    return VEMatrix(
        preset=preset,
        decks=points,
        systems=_systems(points, missing, across, up),
        missing=tuple(missing),
        looks_line=across,
        edits_line=up,
        accuracies=_accuracies(scores),
    )


def _accuracies(scores: Sequence[Score]) -> dict[str, dict[DeckId, float]]:
    found: dict[str, dict[DeckId, float]] = {}
    for each in scores:
        if each.metric.endswith(f"/{METHOD}") and each.value is not None:
            found.setdefault(each.metric, {})[each.deck_id] = each.value
    return found


def quadrant_of(total: float, level: float, looks_line: Line | None, edits_line: Line | None) -> Quadrant:
    """Return the quadrant of a place; on a line counts as above it."""
    is_high = looks_line is None or total >= looks_line.at
    is_editable = edits_line is None or level >= edits_line.at
    if is_high:
        return Quadrant.HIGH_HIGH if is_editable else Quadrant.HIGH_LOW
    return Quadrant.LOW_HIGH if is_editable else Quadrant.LOW_LOW


def as_json(matrix: VEMatrix) -> dict[str, Any]:
    """Return the matrix as `studio ve-matrix --json` prints it."""
    return {
        "preset": matrix.preset,
        "x": LOOKS,
        "y": EDITS,
        "lines": {
            "looks": _line_json(matrix.looks_line),
            "edits": _line_json(matrix.edits_line),
            "on_line": ON_LINE_RULE,
        },
        "system_rule": SYSTEM_RULE,
        "counts": {each.value: number for each, number in matrix.counts.items()},
        "decks": [
            {
                "deck_id": each.deck_id, "instance_id": each.instance_id, "instance": each.instance,
                "system": each.system, "total": each.total, "level": each.level, "quadrant": each.quadrant.value,
                "accuracies": {name: values.get(each.deck_id) for name, values in matrix.accuracies.items()},
            }
            for each in matrix.decks
        ],
        "systems": [
            {
                "system": each.system, "mean_total": each.total, "level": each.level, "n_decks": each.n_decks,
                "n_missing": each.n_missing, "shares": {f"L{level}": share for level, share in enumerate(each.shares)},
                "quadrant": each.quadrant.value,
            }
            for each in matrix.systems
        ],
        "missing": [
            {"deck_id": each.deck_id, "instance": each.instance, "system": each.system, "reason": each.reason}
            for each in matrix.missing
        ],
    }  # fmt: skip


def as_csv(matrix: VEMatrix) -> str:
    """Return the decks as CSV, those without a place with the reason."""
    columns = ("instance", "deck_id", "system", "total", "level", "quadrant", "undefined_reason")
    rows = [
        {
            "instance": each.instance, "deck_id": each.deck_id, "system": each.system, "total": each.total,
            "level": each.level, "quadrant": each.quadrant.value, "undefined_reason": None,
        }
        for each in matrix.decks
    ] + [
        {
            "instance": each.instance, "deck_id": each.deck_id, "system": each.system, "total": None, "level": None,
            "quadrant": None, "undefined_reason": each.reason,
        }
        for each in matrix.missing
    ]  # fmt: skip
    return csv_text(columns, rows)


def _line_json(line: Line | None) -> dict[str, Any] | None:
    return None if line is None else {"at": line.at, "rule": line.rule}


def _line(values: Sequence[float], given: float | None) -> Line | None:
    if given is not None:
        return Line(at=given, rule="set by hand")
    return Line(at=statistics.median(values), rule=MEDIAN_RULE) if values else None


def _systems(
    points: Sequence[DeckPoint], missing: Sequence[MissingPoint], looks_line: Line | None, edits_line: Line | None
) -> tuple[SystemPoint, ...]:
    found = []
    for system in dict.fromkeys(each.system for each in points):
        of = [each for each in points if each.system == system]
        levels = [each.level for each in of]
        total, level = statistics.fmean(each.total for each in of), statistics.median_low(levels)
        found.append(
            SystemPoint(
                system=system,
                total=total,
                level=level,
                n_decks=len(of),
                n_missing=sum(each.system == system for each in missing),
                shares=tuple(levels.count(place) / len(levels) for place in range(LEVELS)),
                quadrant=quadrant_of(total, level, looks_line, edits_line),
            )
        )
    return tuple(found)


def _why(look: Score | None, edit: Score | None) -> str:
    reasons = []
    for words, score in (("aesthetics", look), ("editability", edit)):
        if score is None:
            reasons.append(f"{words}: not measured")
        elif score.value is None:
            reasons.append(f"{words}: {score.undefined_reason}")
    return "; ".join(reasons)
