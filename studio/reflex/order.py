"""One slide elsewhere: what each such move gains, and how likely it undoes one (conditional logit, McFadden 1974)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from studio.reflex import flow
from studio.reflex.embedded import Embedded, cosines, words_of
from studio.reflex.flow import FlowParts

LEAST_STEP = 2
"""How far a slide moves at least; of two neighbours that changed places nobody can say which one moved."""
LEAST_SLIDES = 4
NEIGHBOURS = (
    "after", "text", "title", "counts_on", "words", "rare_words", "title_before", "title_words", "same_cue",
    "section_back", "section_same", "section_next",
)  # fmt: skip
"""Matrices whose sum over neighbours is compared: what speaks for b coming right after a."""
TWO_APART = ("words", "after", "title_words")
"""The same over slides with one between them."""
FEATURES = (
    *NEIGHBOURS, *(f"{name}_two_apart" for name in TWO_APART), "counted_order", "predicted_order", "section_order",
    "own_rank", "all_ranks", "section_places", "opening", "closing", "log_step", "to_front", "from_front", "to_end",
    "from_end",
)  # fmt: skip
"""What is known of a move: after less before. The last five say what kind of move it is."""
_SHARPNESS = 12.0
"""Of the softmax that spreads a slide over the sections of the source, by cosine."""
_OPENING = re.compile(r"outline|agenda|introduc|motivat|background|overview|引言|背景|目录|概述", re.IGNORECASE)
_CLOSING = re.compile(r"conclu|summary|thank|question|future|acknowledg|reference|结论|总结|谢谢|展望", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class OrderWeights:
    """One weight for each of `FEATURES`, then the log odds of leaving the deck as it is: a constant, and by log n."""

    with_source: np.ndarray
    without_source: np.ndarray

    def of(self, it: Embedded) -> np.ndarray:
        """Return the weights that are meant for a deck."""
        return self.with_source if len(it.sections) else self.without_source


@dataclass(frozen=True, kw_only=True)
class MoveRows:
    """Every move of one slide by `LEAST_STEP` places or more."""

    slides: np.ndarray
    """Place from 0 of the slide that moves, shape (moves,)."""
    places: np.ndarray
    """Its place afterwards."""
    rows: np.ndarray
    """Shape (moves, len(FEATURES))."""


@dataclass(frozen=True, kw_only=True)
class LikelyMoves:
    """For each slide, in the order of the deck."""

    chance: np.ndarray
    """That it was moved, 0 to 1; over all slides at most 1, the rest says that none was."""
    place: np.ndarray
    """Where it stands best, from 0, after the move."""
    gain: np.ndarray
    """Log odds of the order with it there against the order as it is."""


def likely_moves(it: Embedded, parts: FlowParts, weights: OrderWeights) -> LikelyMoves:
    """Return how likely each slide was moved, and where it should stand; nobody in a deck of fewer than four."""
    n = it.n
    if n < LEAST_SLIDES:
        return LikelyMoves(chance=np.zeros(n), place=np.arange(n), gain=np.zeros(n))
    made, own = move_rows(it, parts), weights.of(it)
    gain = made.rows @ own[:-2]
    stays = own[-2] + own[-1] * np.log(n)
    top = max(float(gain.max()), float(stays))
    odds = np.exp(gain - top)
    chance = np.bincount(made.slides, weights=odds, minlength=n) / (odds.sum() + np.exp(stays - top))
    best = np.array([np.flatnonzero(made.slides == i)[gain[made.slides == i].argmax()] for i in range(n)])
    return LikelyMoves(chance=chance, place=made.places[best], gain=gain[best])


def move_rows(it: Embedded, parts: FlowParts) -> MoveRows:
    """Return the moves of a deck of four slides or more and what each gains."""
    n = it.n
    start, end = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    is_far = np.abs(start - end) >= LEAST_STEP
    start, end = start[is_far], end[is_far]
    near = _neighbour_matrices(it, parts)
    sections = _section_places(it)
    predicted = flow.positions(it, parts)
    ranks = np.argsort(np.argsort(predicted)) / (n - 1)
    step = np.abs(start - end)
    columns = [_neighbours_gain(near[name], start, end) for name in NEIGHBOURS]
    columns += [_two_apart_gain(near[name], start, end) for name in TWO_APART]
    columns += [
        _order_gain(near["counts_on"], start, end),
        _order_gain(np.clip(predicted[None, :] - predicted[:, None], -0.3, 0.3), start, end) / step,
        np.zeros(len(start)) if sections is None else _order_gain(_clear_order(sections), start, end),
        np.abs(end / (n - 1) - ranks[start]) - np.abs(start / (n - 1) - ranks[start]),
        _places_gain(ranks, start, end),
        np.zeros(len(start)) if sections is None else _places_gain(sections, start, end),
    ]  # fmt: skip
    opens, closes = _said(it, _OPENING), _said(it, _CLOSING)
    first, last = _ends(n, start, end)
    columns += [opens[first] - opens[0], closes[last] - closes[-1], np.log(step), (end == 0) * 1.0, (start == 0) * 1.0,
                (end == n - 1) * 1.0, (start == n - 1) * 1.0]  # fmt: skip
    return MoveRows(slides=start, places=end, rows=np.column_stack(columns).astype(np.float64))


def _neighbour_matrices(it: Embedded, parts: FlowParts) -> dict[str, np.ndarray]:
    titles = [slide.title for slide in it.deck.slides]
    cues = np.array([flow.cues_of(title) for title in titles], dtype=float)
    found = {
        "after": flow.successor_matrix(it, parts), "text": cosines(it.texts, it.texts),
        "title": cosines(it.titles, it.titles), "words": _standardised(flow.words_shared(it)),
        "same_cue": cues @ cues.T,
        "counts_on": np.array([[flow.continues(a, b) for b in titles] for a in titles]),
    }  # fmt: skip
    found |= dict(zip(("rare_words", "title_before", "title_words"), _by_rarity(it), strict=True))
    found |= dict(zip(("section_back", "section_same", "section_next"), _by_section(it), strict=True))
    return found


def _by_rarity(it: Embedded) -> Iterator[np.ndarray]:
    """Yield three matrices of words weighed by log(slides / slides with the word).

    Root of the cosine of two slides' words; the share of b's title in a's words; the share that two titles have in
    common, of the lighter one.
    """
    vocabulary = {word: at for at, word in enumerate(sorted(frozenset().union(*it.words)))}
    has = np.zeros((it.n, len(vocabulary)))
    titled = np.zeros_like(has)
    for row, (words, slide) in enumerate(zip(it.words, it.deck.slides, strict=True)):
        has[row, [vocabulary[word] for word in words]] = 1.0
        titled[row, [vocabulary[word] for word in words_of(slide.title) if word in vocabulary]] = 1.0
    weight = np.log(it.n / np.maximum(1.0, has.sum(axis=0)))
    rows = has * weight
    length = np.sqrt((rows**2).sum(axis=1)) + 1e-9
    yield np.sqrt(rows @ rows.T / np.outer(length, length))
    heavy = titled @ weight
    yield (has * weight) @ titled.T / (heavy[None, :] + 1e-6)
    yield (titled * weight) @ titled.T / (np.minimum(heavy[:, None], heavy[None, :]) + 1e-6)


def _by_section(it: Embedded) -> Iterator[np.ndarray]:
    """Yield how far b lies before a in the source (as a loss), their share of sections, and of each with the next."""
    share = _section_shares(it)
    if share is None:
        yield from (np.zeros((it.n, it.n)) for _ in range(3))
        return
    places = share @ np.linspace(0, 1, share.shape[1])
    yield np.minimum(0.0, places[None, :] - places[:, None])
    yield share @ share.T
    yield share[:, :-1] @ share[:, 1:].T


def _section_shares(it: Embedded) -> np.ndarray | None:
    """Return how much of each slide belongs to each section, rows of sum 1; None without two sections."""
    if len(it.sections) < 2:
        return None
    return it.once("order.sections", None, lambda: _softmax(_SHARPNESS * cosines(it.texts, it.sections)))


def _section_places(it: Embedded) -> np.ndarray | None:
    """Return where each slide stands in the source, 0 to 1."""
    share = _section_shares(it)
    return None if share is None else share @ np.linspace(0, 1, share.shape[1])


def _softmax(values: np.ndarray) -> np.ndarray:
    odds = np.exp(values - values.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def _clear_order(places: np.ndarray) -> np.ndarray:
    step = places[None, :] - places[:, None]
    return np.asarray(np.sign(step) * (np.abs(step) > 0.05))


def _standardised(matrix: np.ndarray) -> np.ndarray:
    off = matrix[~np.eye(len(matrix), dtype=bool)]
    return np.asarray((matrix - off.mean()) / (off.std() + 1e-6))


def _said(it: Embedded, pattern: re.Pattern[str]) -> np.ndarray:
    return np.array([float(bool(pattern.search(slide.title))) for slide in it.deck.slides])


def _ends(n: int, start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return which slides stand first and last after each move."""
    first = np.where(end == 0, start, np.where(start == 0, 1, 0))
    last = np.where(end == n - 1, start, np.where(start == n - 1, n - 2, n - 1))
    return first, last


def _rest(n: int, start: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Return the slide at a place among those that stay, n where there is none."""
    slide = np.where(place < start, place, place + 1)
    return np.where((place < 0) | (place > n - 2), n, slide)


def _padded(matrix: np.ndarray) -> np.ndarray:
    """Return a matrix with a row and a column of zeros behind: before the first and after the last comes nothing."""
    return np.pad(matrix, ((0, 1), (0, 1)))


def _neighbours_gain(matrix: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the sum over neighbours after each move less the sum before, shape (moves,)."""
    n, of = len(matrix), _padded(matrix)
    before, behind = np.where(start > 0, start - 1, n), start + 1
    left, right = _rest(n, start, end - 1), _rest(n, start, end)
    taken = of[before, behind] - of[before, start] - of[start, behind]
    return np.asarray(taken + of[left, start] + of[start, right] - of[left, right])


def _two_apart_gain(matrix: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the sum over slides with one between them after each move less the sum before, shape (moves,)."""
    n, of = len(matrix), _padded(matrix)

    def at(place: np.ndarray) -> np.ndarray:
        return np.where((place < 0) | (place > n - 1), n, place)

    before2, before, behind, behind2 = at(start - 2), at(start - 1), at(start + 1), at(start + 2)
    taken = of[before2, behind] + of[before, behind2] - of[before2, start] - of[start, behind2] - of[before, behind]
    left2, left, right, right2 = (_rest(n, start, end + by) for by in (-2, -1, 0, 1))
    put = of[left2, start] + of[start, right2] + of[left, right] - of[left2, right] - of[left, right2]
    return np.asarray(taken + put)


def _order_gain(matrix: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return what the pairs that change their order gain, (a, b) being worth `matrix[a, b]` with a before b."""
    # passed[i, k]: what slide i gains by standing after the first k slides instead of before them.
    passed = np.pad(np.cumsum(matrix.T - matrix, axis=1), ((0, 0), (1, 0)))
    later = passed[start, end + 1] - passed[start, np.minimum(start + 1, len(matrix))]
    earlier = passed[start, start] - passed[start, end]
    return np.asarray(np.where(end > start, later, -earlier))


def _places_gain(wanted: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the sum of distances to wanted places, 0 to 1, after each move less the sum before."""
    n = len(wanted)
    place = np.arange(n) / (n - 1)
    off = np.abs(place - wanted)
    up = np.pad(np.cumsum(np.abs(place - 1 / (n - 1) - wanted) - off), (1, 0))
    down = np.pad(np.cumsum(np.abs(place + 1 / (n - 1) - wanted) - off), (1, 0))
    own = np.abs(end / (n - 1) - wanted[start]) - off[start]
    others = np.where(end > start, up[np.maximum(end, start) + 1] - up[start + 1], down[start] - down[end])
    return np.asarray(own + others)
