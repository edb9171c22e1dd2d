"""Checklist scores of many decks at once: dimensions, totals, coverage and tables over any part of them.

Source: PresentBench, section 3.4 (a dimension is the share of its items that are met; the total is the mean of the
dimensions) and the reference code's weighted form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum

import numpy as np
from numpy.typing import NDArray

from studio.checklists.reference_score import NullPolicy
from studio.model.checklists import Dimension, ItemAnswer
from studio.model.ids import DeckId, InstanceId
from studio.model.scores import Value

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
DIMENSION_ORDER = tuple(Dimension)
_PLACE = {dimension: index for index, dimension in enumerate(DIMENSION_ORDER)}


class Form(StrEnum):
    """How dimensions make a total."""

    EQUAL = "equal"
    """The paper: the mean of the dimensions."""
    WEIGHTED = "weighted"
    """The reference: points by weight, over all weights, also of dimensions without items."""


class Said(IntEnum):
    """An answer as the arrays hold it."""

    NO = 0
    YES = 1
    UNANSWERED = 2
    """Null, cannot tell, failed units: the null policy decides."""
    LEFT_OUT = 3
    """Does not apply, or a tool error: never in a denominator."""


def said_of(answer: ItemAnswer | None) -> Said:
    """Return how an answer enters a score."""
    return {ItemAnswer.YES: Said.YES, ItemAnswer.NO: Said.NO, ItemAnswer.NOT_APPLICABLE: Said.LEFT_OUT}.get(
        answer, Said.UNANSWERED  # type: ignore[arg-type]  # None is unanswered
    )  # fmt: skip


class DeckState(StrEnum):
    """Where a deck's score stands."""

    SCORED = "scored"
    FAILED = "failed"
    """The generation failed: zero, said so wherever it counts."""
    MISSING = "missing"
    """There is nothing to score: no deck, or nobody answered."""


@dataclass(frozen=True, kw_only=True)
class ScoredDeck:
    """What tables group decks by."""

    deck_id: DeckId
    instance_id: InstanceId
    system: str
    domain: str = ""
    source: str = ""
    language: str = ""
    difficulty: str = ""
    state: DeckState = DeckState.SCORED
    points: Mapping[Dimension, float] | None = None
    """What the lists that its instance reads give each dimension, for the weighted form; None: 20 for each."""
    points_total: float | None = None
    """What the points are divided by, as the lists say; None: their sum."""


@dataclass(frozen=True, kw_only=True)
class Answers:
    """All answers of one judge (or of people put together) as columns; one row for each item of a deck."""

    deck: NDArray[np.int64]
    """Index into the decks."""
    dimension: NDArray[np.int64]
    """Index into `DIMENSION_ORDER`."""
    said: NDArray[np.int64]
    """A value of `Said`."""
    weight: Floats
    """Item weights; 1 everywhere is the papers' average."""

    @staticmethod
    def joined(parts: Sequence[Answers]) -> Answers:
        """Return the answers of several decks as one."""
        if not parts:
            return Answers.of(())
        names = ("deck", "dimension", "said", "weight")
        return Answers(**{name: np.concatenate([getattr(each, name) for each in parts]) for name in names})

    @staticmethod
    def of(rows: Sequence[tuple[int, Dimension, Said, float]]) -> Answers:
        """Return rows as columns."""
        return Answers(
            deck=np.array([row[0] for row in rows], dtype=np.int64),
            dimension=np.array([_PLACE[row[1]] for row in rows], dtype=np.int64),
            said=np.array([int(row[2]) for row in rows], dtype=np.int64),
            weight=np.array([row[3] for row in rows], dtype=np.float64),
        )


@dataclass(frozen=True, kw_only=True)
class Scores:
    """Scores of decks; percents are 0 to 100, NaN where there is none."""

    decks: tuple[ScoredDeck, ...]
    dimensions: Floats
    """(decks, dimensions)."""
    totals: Floats
    leave_one_out: Floats
    """(decks, dimensions): the total without that dimension."""
    items: NDArray[np.int64]
    """(decks, dimensions): all items."""
    answered: NDArray[np.int64]
    """(decks, dimensions): items with a yes or a no."""
    yes: NDArray[np.int64]
    chosen: Mask
    """(dimensions): those that count towards the total."""

    def total(self, index: int) -> Value:
        """Return a deck's total, or why it has none."""
        deck = self.decks[index]
        if np.isfinite(self.totals[index]):
            return Value(value=float(self.totals[index]))
        if deck.state is DeckState.MISSING or not self.items[index].any():
            return Value(value=None, undefined_reason="missing: nobody answered this deck's checklist")
        empty = [
            name for place, name in enumerate(DIMENSION_ORDER)
            if self.chosen[place] and not np.isfinite(self.dimensions[index, place])
        ]  # fmt: skip
        return Value(value=None, undefined_reason=f"incomplete: no answered item in {', '.join(empty) or 'any class'}")

    @property
    def coverage(self) -> Floats:
        """Share of items with a yes or a no, for each deck; NaN without items."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.answered.sum(axis=1) / self.items.sum(axis=1), dtype=np.float64)


def score_decks(
    decks: Sequence[ScoredDeck],
    answers: Answers,
    *,
    form: Form = Form.EQUAL,
    nulls: NullPolicy = NullPolicy.FAIL,
    dimensions: Sequence[Dimension] | None = None,
) -> Scores:
    """Return the scores of all decks.

    Args:
        decks: in the order that `answers` points into.
        answers: one row for each item of each deck.
        form: the paper's equal average or the reference's weighted one, by the points of each deck.
        nulls: what items without an answer count as.
        dimensions: those that make the total, divided by their own points in the weighted form. None: in the equal
            form all that any deck has items in; in the weighted one all, since points stay where there is no item.
    """
    shape = (len(decks), len(DIMENSION_ORDER))

    def summed(mask: Mask, by: Floats | None = None) -> Floats:
        places = answers.deck[mask] * shape[1] + answers.dimension[mask]
        values = None if by is None else by[mask]
        return np.bincount(places, weights=values, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)

    is_yes, is_no = answers.said == Said.YES, answers.said == Said.NO
    counts = is_yes | is_no | ((answers.said == Said.UNANSWERED) if nulls is NullPolicy.FAIL else False)
    met, of = summed(is_yes, answers.weight), summed(counts, answers.weight)
    items = summed(np.ones(len(answers.said), dtype=np.bool_)).astype(np.int64)
    with np.errstate(invalid="ignore", divide="ignore"):
        percent = np.where(of > 0, 100 * met / of, np.nan)
    states = np.array([deck.state.value for deck in decks], dtype=object)
    failed = states == DeckState.FAILED.value
    percent[failed] = 0.0
    percent[states == DeckState.MISSING.value] = np.nan
    chosen: Mask = np.asarray((items > 0).any(axis=0), dtype=np.bool_)
    if dimensions is not None:
        chosen = np.array([each in dimensions for each in DIMENSION_ORDER], dtype=np.bool_)
    if not chosen.any() or (dimensions is None and form is Form.WEIGHTED):
        chosen = np.ones(len(DIMENSION_ORDER), dtype=np.bool_)
    points = _points(decks, form) * chosen
    whole = _wholes(decks, points, form, is_part=dimensions is not None)
    left = points if form is Form.EQUAL else points * (items > 0)
    kept = [left * (np.arange(shape[1]) != place) for place in range(shape[1])]
    return Scores(
        decks=tuple(decks), dimensions=percent, totals=_totals(percent, points, whole, form),
        leave_one_out=(
            np.stack([_totals(percent, each, each.sum(axis=1), form) for each in kept], axis=1)
            if len(decks)
            else np.zeros(shape)
        ),
        items=items, answered=summed(is_yes | is_no).astype(np.int64), yes=summed(is_yes).astype(np.int64),
        chosen=chosen,
    )  # fmt: skip


def _points(decks: Sequence[ScoredDeck], form: Form) -> Floats:
    """Return the points of each dimension for each deck, (decks, dimensions)."""
    found = np.full((len(decks), len(DIMENSION_ORDER)), 20.0)
    if form is Form.WEIGHTED:
        for place, deck in enumerate(decks):
            if deck.points is not None:
                found[place] = [float(deck.points.get(each, 0.0)) for each in DIMENSION_ORDER]
    return found


def _wholes(decks: Sequence[ScoredDeck], points: Floats, form: Form, *, is_part: bool) -> Floats:
    """Return what the points of each deck are divided by, (decks)."""
    whole = np.asarray(points.sum(axis=1), dtype=np.float64)
    if form is Form.WEIGHTED and not is_part:
        for place, deck in enumerate(decks):
            if deck.points is not None and deck.points_total is not None:
                whole[place] = deck.points_total
    return whole


def _totals(percent: Floats, points: Floats, whole: Floats, form: Form) -> Floats:
    """Return Σ points · percent / whole.

    A dimension without a score leaves the equal form without a total; in the weighted form its points stay in the
    whole, as in the reference, unless the deck has no score at all.
    """
    has = np.isfinite(percent)
    wanted = points > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        total = (np.where(has, percent, 0.0) * points).sum(axis=1) / whole
    undefined = (wanted & ~has).any(axis=1) if form is Form.EQUAL else ~has.any(axis=1)
    total = np.where(undefined, np.nan, total)
    return np.asarray(total, dtype=np.float64)


@dataclass(frozen=True, kw_only=True)
class TableRow:
    """One row of a table: a system, or a system within a group."""

    system: str
    group: str
    """Domain, source and the like; empty for all together."""
    total: float | None
    """Mean over the decks that have a total."""
    dimensions: dict[Dimension, float | None]
    n: int
    """Decks in the mean."""
    n_failed: int
    """Of them, decks whose generation failed and which count as zero."""
    missing: tuple[InstanceId, ...]
    """Instances of the group without a total for this system."""


GROUPS = ("domain", "source", "language", "difficulty")


def table(scores: Scores, *, by: str | None = None, mask: Mask | None = None) -> list[TableRow]:
    """Return the mean scores of each system, over all decks or for each group.

    Args:
        scores: from `score_decks`.
        by: one of `GROUPS`; None for all decks together.
        mask: decks to look at; None for all.

    Raises:
        ValueError: for an unknown group.
    """
    if by is not None and by not in GROUPS:
        raise ValueError(f"{by!r} is none of {', '.join(GROUPS)}")
    inside = np.ones(len(scores.decks), dtype=np.bool_) if mask is None else mask
    groups: dict[tuple[str, str], list[int]] = {}
    instances: dict[str, dict[InstanceId, None]] = {}
    for index in np.flatnonzero(inside):
        deck = scores.decks[index]
        name = str(getattr(deck, by)) if by else ""
        groups.setdefault((deck.system, name), []).append(int(index))
        instances.setdefault(name, {})[deck.instance_id] = None
    rows = []
    for (system, name), places in sorted(groups.items()):
        totals = scores.totals[places]
        has = np.isfinite(totals)
        with_total = {scores.decks[place].instance_id for place, good in zip(places, has, strict=True) if good}
        rows.append(
            TableRow(
                system=system, group=name, total=float(totals[has].mean()) if has.any() else None,
                dimensions={
                    each: _mean(scores.dimensions[places, column]) for column, each in enumerate(DIMENSION_ORDER)
                },
                n=int(has.sum()), n_failed=sum(scores.decks[place].state is DeckState.FAILED for place in places),
                missing=tuple(one for one in instances[name] if one not in with_total),
            )
        )  # fmt: skip
    return rows


def _mean(values: Floats) -> float | None:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else None
