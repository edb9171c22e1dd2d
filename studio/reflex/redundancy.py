"""Redundancy: does a slide say again what another said? (REFLEX, section 3; features of our own)."""

from __future__ import annotations

import numpy as np

from studio.reflex.embedded import Embedded, cosines, spread

SAME = 0.97
"""Cosine above which a later slide repeats an earlier one word for word."""


def slide_features(it: Embedded) -> np.ndarray:
    """Return one row for each slide, shape (slides, 10): how much it is like an earlier one, and like any other."""
    text, title, held = _pairs(it)
    n = it.n
    rows = np.zeros((n, 10))
    for i in range(n):
        earlier, others = np.arange(i), np.delete(np.arange(n), i)
        for at, matrix in enumerate((text, title, held)):
            rows[i, 2 * at] = matrix[i, earlier].max(initial=0.0)
            rows[i, 2 * at + 1] = matrix[i, others].max(initial=0.0)
        near = int(np.argmax(np.where(np.arange(n) == i, -1, held[i])))
        sizes = len(it.words[i]), len(it.words[near])
        rows[i, 6] = sizes[0] / max(1, sizes[1])
        rows[i, 7] = min(20, sizes[0])
        rows[i, 8] = rows[i, 1] - np.median(text[i, others]) if n > 1 else 0.0
        rows[i, 9] = rows[i, 5] - np.median(held[i, others]) if n > 1 else 0.0
    return rows


def deck_features(it: Embedded) -> list[float]:
    """Return the features of a deck as one row."""
    text, title, held = _pairs(it)
    off = ~np.eye(it.n, dtype=bool)
    found: list[float] = []
    for matrix in (text, title, held):
        nearest = np.where(off, matrix, -1.0).max(axis=1) if it.n > 1 else np.zeros(it.n)
        later = np.array([matrix[i, :i].max(initial=0.0) for i in range(it.n)])
        found += spread(nearest)
        found += [float((later > limit).mean()) if it.n else 0.0 for limit in (0.99, SAME, 0.9, 0.8, 0.7, 0.6)]
        found.append(float(matrix[off].mean()) if it.n > 1 else 0.0)
    return found


def repeats(it: Embedded) -> list[tuple[int, int, float]]:
    """Return (place of the later slide, place of the earlier, cosine) of slides that are the same, places from 0."""
    text, _, _ = _pairs(it)
    return [
        (i, int(text[i, :i].argmax()), float(text[i, :i].max()))
        for i in range(1, it.n)
        if text[i, :i].max() > SAME
    ]  # fmt: skip


def nearest_earlier(it: Embedded, place: int) -> tuple[int, float]:
    """Return the earlier slide that one is most like, and how much, by words held in common and by cosine."""
    text, _, held = _pairs(it)
    both = np.maximum(text[place, :place], held[place, :place])
    return int(both.argmax()), float(both.max())


def _pairs(it: Embedded) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return cosines of texts and titles, and the share of the shorter slide's words that the longer holds."""
    return it.once("redundancy.pairs", None, lambda: _compared(it))


def _compared(it: Embedded) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    n = it.n
    held = np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            least = min(len(it.words[i]), len(it.words[j]))
            if least >= 3:
                held[i, j] = held[j, i] = len(it.words[i] & it.words[j]) / least
            else:
                held[i, j] = held[j, i] = float(it.words[i] == it.words[j])
    return cosines(it.texts, it.texts), cosines(it.titles, it.titles), held
