"""Fitting what speaks for a move: decks with one slide moved, and decks left alone (decision 43)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from studio.model.protocols import CancelToken
from studio.model.reflex import ContentMetric, DeckObject, SlideObject
from studio.reflex import redundancy
from studio.reflex.embedded import Embedded, embedded
from studio.reflex.encoder import Encoder
from studio.reflex.flow import FlowParts
from studio.reflex.ladder import with_other_defects
from studio.reflex.order import FEATURES, LEAST_SLIDES, LEAST_STEP, MoveRows, OrderWeights, move_rows

ROUNDS = 6
"""Times one slide of each deck is moved; every second time in a deck that carries other defects."""
_LEFT_ALONE = 0.5
"""Weight of a deck nobody touched, beside 1 of one with a moved slide: there are as many of both."""
_RIDGE = 20.0


@dataclass(frozen=True, kw_only=True)
class _Case:
    moves: MoveRows
    moved: int
    """Place of the slide that was moved; −1 if none was."""
    n: int


def with_one_moved(deck: DeckObject, rng: random.Random) -> tuple[DeckObject, int]:
    """Return a deck one of whose slides stands at least two places off, and the place, from 0, where it stands now."""
    n = len(deck.slides)
    start = rng.randrange(n)
    end = rng.choice([place for place in range(n) if abs(place - start) >= LEAST_STEP])
    slides = list(deck.slides)
    slides.insert(end, slides.pop(start))
    # Numbers are those of the deck as it is read, never a sign of where a slide was.
    return replace(deck, slides=tuple(replace(slide, number=at) for at, slide in enumerate(slides, start=1))), end


def without_repeats(it: Embedded) -> Embedded:
    """Return a deck without slides that say again what an earlier one says; the others keep their numbers."""
    repeated = {later for later, _, _ in redundancy.repeats(it)}
    return it.taken([place for place in range(it.n) if place not in repeated])


def fit_order(
    decks: Sequence[DeckObject],
    encoder: Encoder,
    parts: Mapping[str, FlowParts],
    *,
    fillers: Sequence[SlideObject],
    seed: int,
    cancel: CancelToken | None = None,
) -> OrderWeights:
    """Return the weights of a conditional logit over moves.

    Args:
        decks: as their authors made them.
        encoder: of their words.
        parts: for each deck's id what was learned of order from other decks.
        fillers: slides of other decks, for other defects.
        seed: of what is moved.
        cancel: looked at between decks; what was seen by then is fitted on.
    """
    with_source: list[_Case] = []
    without: list[_Case] = []
    for deck in decks:
        if cancel is not None and cancel.is_set():
            break
        for it, moved in _cases(deck, encoder, fillers, seed):
            bare = replace(it, sections=it.sections[:0], memo={})
            without.append(_Case(moves=move_rows(bare, parts[deck.id]), moved=moved, n=it.n))
            if len(it.sections) >= 2:
                with_source.append(_Case(moves=move_rows(it, parts[deck.id]), moved=moved, n=it.n))
    own = _fit(without)
    return OrderWeights(with_source=_fit(with_source) if len(with_source) >= 2 * ROUNDS else own, without_source=own)


def _cases(
    deck: DeckObject, encoder: Encoder, fillers: Sequence[SlideObject], seed: int
) -> Iterator[tuple[Embedded, int]]:
    """Yield decks without repeats, and the place of the slide that was moved in them, −1 for none."""
    others = tuple(slide for slide in fillers if slide not in deck.slides)
    for round_ in range(ROUNDS):
        rng = random.Random(f"moved/{deck.id}/{seed}/{round_}")
        base = deck
        if round_ % 2:
            base = with_other_defects(deck, ContentMetric.FLOW, seed=1000 * seed + round_, fillers=others)
        clean = without_repeats(embedded(base, encoder))
        if clean.n < LEAST_SLIDES + 1:
            continue
        yield clean, -1
        # Repeats go first, as they do when a deck is scored: a slide that is left out cannot be found.
        tidy = replace(base, slides=clean.deck.slides)
        worse, place = with_one_moved(tidy, rng)
        yield embedded(worse, encoder), place


def _fit(cases: Sequence[_Case]) -> np.ndarray:
    """Return weights per unit of each feature and of the deck left alone, by maximum likelihood with a ridge."""
    from scipy.optimize import minimize

    width = len(FEATURES)
    if not cases:
        return np.zeros(width + 2)
    rows = np.concatenate([case.moves.rows for case in cases])
    scale = np.sqrt((rows**2).mean(axis=0)) + 1e-9
    rows = rows / scale
    sizes = np.array([len(case.moves.rows) for case in cases])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    is_gold = np.concatenate([case.moves.slides == case.moved for case in cases])
    is_alone = np.array([case.moved < 0 for case in cases])
    log_n = np.log(np.array([case.n for case in cases], dtype=float))
    weight = np.where(is_alone, _LEFT_ALONE, 1.0)
    hidden = np.where(is_gold, 0.0, -1e9)

    def log_sum(values: np.ndarray) -> np.ndarray:
        top = np.maximum.reduceat(values, starts)
        return np.asarray(top + np.log(np.add.reduceat(np.exp(values - np.repeat(top, sizes)), starts)))

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        gain = rows @ w[:width]
        stays = w[width] + w[width + 1] * log_n
        whole = np.logaddexp(log_sum(gain), stays)
        gold = np.where(is_alone, stays, log_sum(gain + hidden))
        share = np.exp(gain - np.repeat(whole, sizes))
        wanted = np.exp(np.minimum(0.0, gain + hidden - np.repeat(gold, sizes))) * np.repeat(~is_alone, sizes)
        down = rows.T @ ((share - wanted) * np.repeat(weight, sizes)) + _RIDGE * w[:width]
        off = weight * (np.exp(stays - whole) - is_alone)
        value = float((weight * (whole - gold)).sum() + _RIDGE * (w[:width] @ w[:width]) / 2)
        return value, np.concatenate([down, [off.sum(), off @ log_n]])

    found = minimize(loss, np.concatenate([np.zeros(width), [3.0, 0.0]]), jac=True, method="L-BFGS-B")
    return np.concatenate([found.x[:width] / scale, found.x[width:]])
