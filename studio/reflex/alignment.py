"""Text–image alignment: does each slide show the image that its text speaks of? (REFLEX, section 3)."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from studio.reflex.embedded import Embedded, cosines, spread


def places(it: Embedded) -> list[int]:
    """Return the places, from 0, of slides of whose images something is known in words."""
    return [place for place, has in enumerate(it.has_caption) if has]


def matrices(it: Embedded) -> dict[str, np.ndarray]:
    """Return how well the text (or title) of slide i fits the image of slide j, each of shape (k, k)."""
    return it.once("alignment.matrices", None, lambda: _matrices(it))


def _matrices(it: Embedded) -> dict[str, np.ndarray]:
    at = places(it)
    around = np.array([_around(it, place) for place in at]) if at else np.zeros((0, it.texts.shape[1]))
    return {
        "text": cosines(it.texts[at], it.captions[at]),
        "title": cosines(it.titles[at], it.captions[at]),
        "words": _lexical(it, at),
        "around": (around @ it.captions[at].T).astype(np.float64),
    }


def _around(it: Embedded, place: int) -> np.ndarray:
    """Return the mean text of a slide and its neighbours, at half weight: an image often belongs to a run of slides."""
    total = it.texts[place].copy()
    for near in (place - 1, place + 1):
        if 0 <= near < it.n:
            total = total + 0.5 * it.texts[near]
    length = float(np.linalg.norm(total))
    return np.asarray(total / length if length else total)


def slide_features(it: Embedded) -> np.ndarray:
    """Return one row for each slide with an image, shape (k, 22)."""
    found = matrices(it)
    k = len(places(it))
    rows = []
    sums = found["text"] + found["words"] + 0.5 * found["around"]
    for matrix in (*found.values(), sums):
        own = np.diag(matrix)
        off = np.where(np.eye(k, dtype=bool), -np.inf, matrix)
        row_best = off.max(axis=1, initial=-1.0)
        column_best = off.max(axis=0, initial=-1.0)
        rank = (matrix > own[:, None]).mean(axis=1) if k else np.zeros(0)
        rows += [own, own - row_best, own - column_best, rank]
    if k:
        taken = _best_pairs(sums)[1]
        rows += [(taken != np.arange(k)).astype(float), np.full(k, float(k))]
    else:
        rows += [np.zeros(0), np.zeros(0)]
    return np.column_stack(rows) if k else np.zeros((0, 22))


def deck_features(it: Embedded) -> list[float]:
    """Return the features of a deck as one row."""
    rows = slide_features(it)
    found: list[float] = []
    for column in range(20):
        values = rows[:, column]
        found += [float(values.mean()), float(np.median(values)), float(values.min(initial=1.0)),
                  float(values.max(initial=-1.0))] if len(values) else [0.0] * 4  # fmt: skip
    for matrix in matrices(it).values():
        found += _assignment(matrix)
    sums = sum(matrices(it).values())
    found += _assignment(np.asarray(sums))
    found += spread(rows[:, 16])
    found.append(float(len(rows)))
    return found


def better_place(it: Embedded, row: int) -> tuple[int, float]:
    """Return the place of the slide whose text fits this image best, and by how much, among slides with images."""
    found = matrices(it)
    sums = found["text"] + found["words"] + 0.5 * found["around"]
    best = int(sums[:, row].argmax())
    return places(it)[best], float(sums[best, row] - sums[row, row])


def _best_pairs(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows and columns, each once, whose cells have the largest sum."""
    # Imported here: it takes a good part of a second, and the window needs no features.
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(-matrix)
    return rows, columns


def _assignment(matrix: np.ndarray) -> list[float]:
    k = len(matrix)
    if k == 0:
        return [0.0, 0.0]
    rows, columns = _best_pairs(matrix)
    gain = float(matrix[rows, columns].sum() - np.trace(matrix)) / k
    return [gain, float((columns != rows).mean())]


def _lexical(it: Embedded, at: list[int]) -> np.ndarray:
    """Return cosines of words weighed by how few slides have them."""
    seen = Counter(word for words in it.words for word in words)
    weight = {word: math.log(1 + it.n / n) ** 2 for word, n in seen.items()}
    matrix = np.zeros((len(at), len(at)))
    for i, one in enumerate(at):
        for j, other in enumerate(at):
            slide, caption = it.words[one], it.caption_words[other]
            shared = sum(weight[word] for word in slide & caption)
            known = sum(weight[word] for word in caption if word in weight)
            own = sum(weight[word] for word in slide)
            matrix[i, j] = shared / math.sqrt(known * own) if shared else 0.0
    return matrix
