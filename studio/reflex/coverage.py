"""Coverage: is every section of the source on some slide? (REFLEX, section 3; features of our own)."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache

import numpy as np

from studio.model.reflex import Section
from studio.reflex.embedded import Embedded, cosines, spread, words_of

_KEYWORDS = 60
LENGTH = ("words_ratio", "slides_per_section", "n_slides", "n_words")


def section_features(it: Embedded) -> np.ndarray:
    """Return one row of features for each section, shape (sections, 12): how much speaks for its being there."""
    return it.once("coverage.sections", None, lambda: _section_features(it))


def _section_features(it: Embedded) -> np.ndarray:
    near = cosines(it.sections, it.texts)
    by_heading = cosines(it.headings, it.titles)
    by_heading_text = cosines(it.headings, it.texts)
    terms = _section_terms(it)
    lexical = np.array([[_hits(own, slide) for slide in it.words] for own in terms])
    best = near.max(axis=1, initial=0.0)
    order = np.sort(near, axis=1)[:, ::-1]
    second = order[:, 1] if near.shape[1] > 1 else best
    nearest_of = np.bincount(near.argmax(axis=0), minlength=len(best)) if near.size else np.zeros(len(best))
    deck_words = frozenset().union(*it.words) if it.words else frozenset()
    whole = np.array([_hits(own, deck_words) for own in terms])
    title_hits = np.array([
        max((_jaccard(words_of(section.title), words_of(slide.title)) for slide in it.deck.slides), default=0.0)
        for section in (it.deck.document.sections if it.deck.document else ())
    ])  # fmt: skip
    place = np.linspace(0, 1, len(best))
    relative = best - best.mean()
    rank = np.argsort(np.argsort(best)) / max(1, len(best) - 1)
    lex_best = lexical.max(axis=1, initial=0.0)
    lex_rank = np.argsort(np.argsort(lex_best)) / max(1, len(best) - 1)
    return np.column_stack([
        best, second, relative, rank, nearest_of > 0, by_heading.max(axis=1, initial=0.0),
        by_heading_text.max(axis=1, initial=0.0), lex_best, lex_rank, whole, title_hits, place,
    ]).astype(np.float64)  # fmt: skip


def deck_features(it: Embedded, *, with_length: bool = True) -> list[float]:
    """Return the features of a deck as one row."""
    near = cosines(it.sections, it.texts)
    best = near.max(axis=1, initial=0.0)
    rows = section_features(it)
    slide_best = near.max(axis=0, initial=0.0)
    is_nearest = rows[:, 4] > 0
    found = [
        *spread(best, (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)),
        float(is_nearest.mean()) if len(is_nearest) else 0.0,
        _longest_run(~is_nearest) / max(1, len(is_nearest)),
        _keyword_rate(it),
        float(rows[:, 5].mean()) if len(rows) else 0.0,
        float(rows[:, 7].mean()) if len(rows) else 0.0,
        float(rows[:, 9].mean()) if len(rows) else 0.0,
        float(rows[:, 10].mean()) if len(rows) else 0.0,
        *spread(slide_best, (0.0, 0.1, 0.25, 0.5)),
        float(near.mean()) if near.size else 0.0,
        *_order_gaps(near),
    ]
    own = own_shares(it)
    found += spread(own[~np.isnan(own)], (0.0, 0.1, 0.25, 0.5))
    return found + ([*length_features(it), *_own_length(it, own)] if with_length else [])


def own_shares(it: Embedded) -> np.ndarray:
    """Return for each slide which share of its longer words the source knows, 0 to 1: low for another deck's slide."""
    sections = it.deck.document.sections if it.deck.document else ()
    known = frozenset().union(*(words_of(f"{section.title} {section.text}") for section in sections))
    longer = [frozenset(word for word in words if len(word) > 3) for words in it.words]
    return np.array([len(words & known) / len(words) if words else np.nan for words in longer])


def _own_length(it: Embedded, own: np.ndarray) -> list[float]:
    """Return the length again, slides counted by how much of them comes from this source.

    Where gaps were filled from other decks the length says nothing, but this still does.
    """
    there = own[~np.isnan(own)]
    usual = float(np.median(there)) if len(there) else 1.0
    weight = np.where(np.isnan(own), 1.0, np.clip((own - 0.6 * usual) / (0.4 * usual + 1e-9), 0.0, 1.0))
    # A slide that says again what an earlier one said carries nothing new.
    weight = weight * (1.0 - np.clip((_nearest_earlier(it) - 0.8) / 0.15, 0.0, 1.0))
    n_words = np.array([len(slide.text.split()) for slide in it.deck.slides], dtype=float)
    sections = it.deck.document.sections if it.deck.document else ()
    source_words = sum(len(section.text.split()) for section in sections)
    return [
        float(weight.sum()) / max(1, len(sections)), float(weight.sum()), float(weight.mean()),
        1000 * float(weight @ n_words) / max(1, source_words), math.log1p(float(weight @ n_words)),
        math.log1p(source_words), float(len(sections)),
    ]  # fmt: skip


def length_features(it: Embedded) -> list[float]:
    """Return what the length alone tells: the baseline that is always printed."""
    n_words = sum(len(slide.text.split()) for slide in it.deck.slides)
    sections = it.deck.document.sections if it.deck.document else ()
    source_words = sum(len(section.text.split()) for section in sections)
    return [
        1000 * n_words / max(1, source_words), it.n / max(1, len(sections)), float(it.n), math.log1p(n_words),
    ]  # fmt: skip


def _nearest_earlier(it: Embedded) -> np.ndarray:
    near = np.tril(cosines(it.texts, it.texts), -1)
    return near.max(axis=1, initial=0.0) if it.n else np.zeros(0)


def _order_gaps(near: np.ndarray) -> list[float]:
    """Return how far the sources of neighbouring slides lie apart: a missing part leaves a leap."""
    if near.shape[1] < 2:
        return [0.0, 0.0]
    steps = np.diff(near.argmax(axis=0)) / max(1, near.shape[0])
    return [float(np.abs(steps).mean()), float(np.abs(steps).max())]


def _section_terms(it: Embedded) -> tuple[frozenset[str], ...]:
    return _terms_of(it.deck.document.sections if it.deck.document else ())


@lru_cache(maxsize=512)
def _terms_of(sections: tuple[Section, ...]) -> tuple[frozenset[str], ...]:
    # Kept: every rung of a deck has the same source.
    bags = [Counter(word for word in section.text.casefold().split() if word.isalpha() and len(word) > 3)
            for section in sections]  # fmt: skip
    spread_over = Counter(word for bag in bags for word in bag)
    chosen = []
    for bag in bags:
        weight = {word: n * math.log(1 + len(bags) / spread_over[word]) for word, n in bag.items()}
        chosen.append(frozenset(sorted(weight, key=lambda word: (-weight[word], word))[:15]))
    return tuple(chosen)


def _keyword_rate(it: Embedded) -> float:
    top = _keywords_of(it.deck.document.sections if it.deck.document else ())
    there = frozenset().union(*it.words) if it.words else frozenset()
    return _hits(top, there)


@lru_cache(maxsize=512)
def _keywords_of(sections: tuple[Section, ...]) -> frozenset[str]:
    bag = Counter(word for section in sections for word in set(words_of(section.text)) if len(word) > 4)
    total = Counter(word for section in sections for word in section.text.casefold().split())
    weight = {word: total[word] * math.log(1 + len(sections) / bag[word]) for word in bag}
    return frozenset(sorted(weight, key=lambda word: (-weight[word], word))[:_KEYWORDS])


def _hits(wanted: frozenset[str], there: frozenset[str]) -> float:
    return len(wanted & there) / len(wanted) if wanted else 0.0


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0


def _longest_run(flags: np.ndarray) -> int:
    longest = run = 0
    for flag in flags:
        run = run + 1 if flag else 0
        longest = max(longest, run)
    return longest
