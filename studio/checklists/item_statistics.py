"""What answers tell of items: how often they are met, and whether they tell good decks from bad ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from studio.model.scores import Value

Floats = NDArray[np.float64]


def prevalence(answers: Floats) -> Value:
    """Return the share of yes (0 to 1) among 1 for yes and 0 for no; NaN is no answer."""
    known = answers[np.isfinite(answers)]
    return Value(value=float(known.mean())) if len(known) else Value(value=None, undefined_reason="too_few")


def discrimination(answers: Floats, rest: Floats) -> Value:
    """Return the correlation of an item with the score of a deck's other items, −1 to 1.

    Args:
        answers: 1 for yes, 0 for no, NaN for no answer, one for each deck.
        rest: share of the other items that are met, for the same decks.

    Source:
        Corrected item–total correlation (point-biserial), as in classical test theory.
    """
    both = np.isfinite(answers) & np.isfinite(rest)
    x, y = answers[both], rest[both]
    if len(x) < 3:
        return Value(value=None, undefined_reason="too_few")
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return Value(value=None, undefined_reason="constant")
    return Value(value=float(np.corrcoef(x, y)[0, 1]))


def rest_scores(table: Floats) -> Floats:
    """Return for each deck and item the share of the deck's other items that are met, (decks, items).

    Args:
        table: 1, 0 and NaN, (decks, items).
    """
    known = np.isfinite(table)
    values = np.where(known, table, 0.0)
    met, of = values.sum(axis=1, keepdims=True) - values, known.sum(axis=1, keepdims=True) - known
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(of > 0, met / of, np.nan), dtype=np.float64)
