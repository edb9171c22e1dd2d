"""Flow: do the slides follow one another as slides do? (REFLEX, section 3; features of our own)."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from studio.reflex.embedded import Embedded, cosines, spread

N_FEATURES = 75
_N_SHUFFLES = 30
_CUES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"outline|agenda|overview|contents|目录|大纲|议程",
        r"introduc|motivation|background|problem|task|引言|背景|动机|问题",
        r"related|previous|prior|相关工作",
        r"method|model|approach|architecture|algorithm|framework|formul|方法|模型|算法",
        r"data|corpus|corpora|dataset|setup|setting|数据|设置",
        r"result|experiment|evaluat|performance|comparison|ablation|结果|实验|评测",
        r"analysis|example|case|error|discussion|分析|讨论|案例",
        r"conclu|summary|takeaway|结论|总结|小结",
        r"future|next step|展望|未来",
        r"thank|question|q\s*&\s*a|acknowledg|谢谢|致谢|提问",
        r"reference|bibliograph|appendix|backup|参考文献|附录",
    )
)


@dataclass(frozen=True, kw_only=True)
class FlowParts:
    """What is learned of order from decks as their authors made them."""

    position: np.ndarray
    """Weights of a ridge regression from slide rows to place/(n − 1); the last one is the constant."""
    successor: np.ndarray
    """Weights of a logistic regression from pair rows to "comes next"; the last one is the constant."""
    mean: np.ndarray
    """Of the pair rows, and their scale."""
    scale: np.ndarray


def slide_rows(it: Embedded) -> np.ndarray:
    """Return one row for each slide, without its place: vectors of body and title, and the cues of its title."""
    cues = np.array([
        [float(found) for found in cues_of(slide.title)]
        + [float(len(slide.text.split()) < 12), min(1.0, len(slide.text.split()) / 100), float(bool(slide.images))]
        for slide in it.deck.slides
    ])  # fmt: skip
    return np.hstack([it.bodies, it.titles, 2 * cues]) if it.n else np.zeros((0, 0))


@lru_cache(maxsize=8192)
def cues_of(title: str) -> tuple[bool, ...]:
    """Return which cues a title has."""
    return tuple(bool(cue.search(title)) for cue in _CUES)


def pair_rows(it: Embedded, predicted: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """Return one row for each pair (i, j) of slides: what speaks for j coming right after i."""
    i, j = pairs[:, 0], pairs[:, 1]
    text, title = cosines(it.texts, it.texts), cosines(it.titles, it.titles)
    step = predicted[j] - predicted[i]
    same = title > 0.95
    shared = words_shared(it)
    titles = [slide.title for slide in it.deck.slides]
    numbered = np.array([continues(titles[a], titles[b]) for a, b in pairs])
    return np.column_stack([
        text[i, j], title[i, j], same[i, j], cosines(it.bodies, it.titles)[i, j], cosines(it.titles, it.bodies)[i, j],
        step, np.abs(step), step > 0, predicted[i], predicted[j], shared[i, j], numbered, text[i, j] * (step > 0),
    ]).astype(np.float64)  # fmt: skip


def words_shared(it: Embedded) -> np.ndarray:
    """Return the share of the lighter slide's words that the other has, rare ones counting more, 0 to 1, (n, n)."""
    return it.once("flow.shared", None, lambda: _shared_words(it))


def _shared_words(it: Embedded) -> np.ndarray:
    seen: dict[str, int] = {}
    for words in it.words:
        for word in words:
            seen[word] = seen.get(word, 0) + 1
    weight = {word: np.log(1 + it.n / n) for word, n in seen.items()}
    # Exactly summed: sets have another order in every process.
    total = [math.fsum(weight[word] for word in words) for words in it.words]
    matrix = np.zeros((it.n, it.n))
    for a in range(it.n):
        for b in range(a):
            least = min(total[a], total[b])
            shared = math.fsum(weight[word] for word in it.words[a] & it.words[b])
            matrix[a, b] = matrix[b, a] = shared / least if least else 0.0
    return matrix


_COUNT = re.compile(r"\(?\s*(\d+|[ivx]+)\s*(?:/\s*\d+)?\)?\s*$", re.IGNORECASE)


def continues(one: str, other: str) -> float:
    """Return 1 where titles count on (Results 1 → Results 2), −1 where they count back, otherwise 0."""
    (stem, first), (next_stem, second) = _stem(one), _stem(other)
    if second is None or stem != next_stem or not stem:
        return 0.0
    return float(np.sign(second - (1 if first is None else first)))


@lru_cache(maxsize=8192)
def _stem(title: str) -> tuple[str, int | None]:
    """Return a title without the number that it ends in, folded, and this number; None if it ends in none."""
    found = _COUNT.search(title)
    if found is None:
        return title.strip().casefold(), None
    return title[: found.start()].strip().casefold(), _number(found.group(1))


def _number(text: str) -> int:
    roman = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10}
    return int(text) if text.isdigit() else roman.get(text.casefold(), 0)


def positions(it: Embedded, parts: FlowParts) -> np.ndarray:
    """Return where each slide would stand by its words alone, about 0 to 1."""
    return it.once("flow.positions", parts, lambda: _positions(it, parts))


def _positions(it: Embedded, parts: FlowParts) -> np.ndarray:
    return np.asarray(slide_rows(it) @ parts.position[:-1] + parts.position[-1])


def successor_matrix(it: Embedded, parts: FlowParts) -> np.ndarray:
    """Return the log odds that slide j comes right after slide i, shape (n, n)."""
    return it.once("flow.successors", parts, lambda: _successors(it, parts))


def _successors(it: Embedded, parts: FlowParts) -> np.ndarray:
    n, predicted = it.n, positions(it, parts)
    pairs = np.array([(i, j) for i in range(n) for j in range(n)])
    rows = (pair_rows(it, predicted, pairs) - parts.mean) / parts.scale
    return np.asarray(rows @ parts.successor[:-1] + parts.successor[-1]).reshape(n, n)


def slide_features(it: Embedded, parts: FlowParts) -> np.ndarray:
    """Return one row for each slide, shape (slides, 16): how well it stands where it stands."""
    return it.once("flow.slides", parts, lambda: _slide_features(it, parts))


def _slide_features(it: Embedded, parts: FlowParts) -> np.ndarray:
    n = it.n
    predicted = positions(it, parts)
    after = successor_matrix(it, parts)
    text = cosines(it.texts, it.texts)
    place = np.arange(n) / max(1, n - 1)
    rank = np.argsort(np.argsort(predicted)) / max(1, n - 1)
    off = np.where(np.eye(n, dtype=bool), np.nan, after)
    rows = np.zeros((n, 16))
    for i in range(n):
        before_it = after[i - 1, i] if i else 0.0
        after_it = after[i, i + 1] if i + 1 < n else 0.0
        bridge = after[i - 1, i + 1] if 0 < i < n - 1 else 0.0
        others = np.delete(np.arange(n), i)
        gains = _insertion_gains(after, i)
        rows[i] = [
            place[i] - predicted[i], abs(place[i] - predicted[i]), abs(place[i] - rank[i]), place[i],
            before_it, after_it, before_it + after_it - bridge, gains,
            (off[i - 1, others] > before_it).mean() if i else 0.0,
            (off[others, i] > before_it).mean() if i else 0.0,
            (off[i, others] > after_it).mean() if i + 1 < n else 0.0,
            text[i, i - 1] if i else 0.0, text[i, i + 1] if i + 1 < n else 0.0,
            text[i, others].max(initial=0.0), predicted[i], n / 30,
        ]  # fmt: skip
    return rows


def _insertion_gains(after: np.ndarray, i: int) -> float:
    """Return by how much the chain of slides would gain if slide i stood at its best place instead."""
    rest = [each for each in range(len(after)) if each != i]
    if len(rest) < 2:
        return 0.0
    here = (after[i - 1, i] if i else 0.0) + (after[i, i + 1] if i + 1 < len(after) else 0.0)
    here -= after[i - 1, i + 1] if 0 < i < len(after) - 1 else 0.0
    best = max(after[a, i] + after[i, b] - after[a, b] for a, b in itertools.pairwise(rest))
    best = max(best, after[i, rest[0]], after[rest[-1], i])
    return float(best - here)


def deck_features(it: Embedded, parts: FlowParts) -> list[float]:
    """Return the features of a deck as one row."""
    n = it.n
    if n < 3:
        return [0.0] * N_FEATURES
    predicted = positions(it, parts)
    after = successor_matrix(it, parts)
    order = np.arange(n)
    shuffles = _shuffles(n)
    found: list[float] = []
    for matrix in (cosines(it.bodies, it.bodies), cosines(it.titles, it.titles), after, words_shared(it)):
        for skip in (1, 2):
            here = float(matrix[order[:-skip], order[skip:]].mean())
            there = matrix[shuffles[:, :-skip], shuffles[:, skip:]].mean(axis=1)
            found += [here, (here - float(there.mean())) / (float(there.std()) + 1e-6), float((there < here).mean())]
    place = order / (n - 1)
    residual = np.abs(predicted - place)
    random_residual = np.abs(predicted[shuffles] - place).mean(axis=1)
    found += [float(residual.mean()), float(residual.max()), float((random_residual > residual.mean()).mean()),
              _order_kept(predicted)]  # fmt: skip
    found += [float(np.corrcoef(predicted, place)[0, 1]) if predicted.std() > 0 else 0.0]
    found += _broken_groups(it)
    found += _cue_places(it)
    off = np.where(np.eye(n, dtype=bool), -np.inf, after)
    next_rank = [(off[i] > after[i, i + 1]).mean() for i in range(n - 1)]
    found += spread(np.array(next_rank))
    rows = slide_features(it, parts)
    found += spread(rows[:, 7]) + spread(rows[:, 6])
    found += [float((rows[:, 7] > limit).mean()) for limit in (0.0, 1.0, 2.0, 4.0)]
    return found


@lru_cache(maxsize=64)
def _shuffles(n: int) -> np.ndarray:
    """Return the random orders that every deck of n slides is compared with, shape (30, n)."""
    rng = np.random.default_rng(0)
    return np.array([rng.permutation(n) for _ in range(_N_SHUFFLES)])


def _order_kept(values: np.ndarray) -> float:
    """Return Kendall's tau-b of values and their places, −1 to 1; 0 if all are equal."""
    n = len(values)
    pairs = np.sign(values[None, :] - values[:, None])[np.triu_indices(n, 1)]
    total, tied = len(pairs), int((pairs == 0).sum())
    if tied == total:
        return 0.0
    return float(pairs.sum() / np.sqrt(total - tied) / np.sqrt(total))


def _broken_groups(it: Embedded) -> list[float]:
    """Return how many slides of the same title do not stand together, and how many counted titles count back."""
    titles = [slide.title.strip().casefold() for slide in it.deck.slides]
    groups: dict[str, list[int]] = {}
    for place, title in enumerate(titles):
        if title:
            groups.setdefault(title, []).append(place)
    gaps = sum(sum(b - a > 1 for a, b in itertools.pairwise(at)) for at in groups.values())
    together = sum(len(at) - 1 for at in groups.values())
    back = sum(continues(a, b) < 0 for i, a in enumerate(titles) for b in titles[i + 1 :])
    return [float(gaps), gaps / max(1, together), float(together) / it.n, float(back)]


def _cue_places(it: Embedded) -> list[float]:
    """Return where each kind of slide stands, −1 if there is none, and whether opening and closing are at the ends."""
    n = it.n
    found = []
    for number in range(len(_CUES)):
        at = [place / (n - 1) for place, slide in enumerate(it.deck.slides) if cues_of(slide.title)[number]]
        found.append(float(np.mean(at)) if at else -1.0)
    return found
