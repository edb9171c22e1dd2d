"""The offline reader: a stated retrieval rule that answers from a deck's passages or abstains (decision 38)."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz

from studio.model.quiz import INSUFFICIENT, Question, SlideText
from studio.quiz.passages import Passage, passages_of
from studio.quiz.values import agreement, dimensions, is_year, quantities_in
from studio.quiz.words import content_words, is_mostly_wide
from studio.texts.folded_text import fold
from studio.texts.quantities import Quantity

READER = "offline"
READER_VERSION = 1
RULE = (
    "Retrieval, no model of language: the answer is the option that a close passage supports; numbers count by "
    "value and unit, words by their share or by nearly equal wording; it abstains where nothing is close or where the "
    "closest passages give another value."
)
CLOSE = 0.42
"""From this closeness on, 0 to 1, a passage is about the question."""
CLOSE_WITH_VALUE = 0.26
"""The same for a passage that holds an option's quantity, if that has a unit or three digits."""
CLEAR = 0.06
"""The best option is better than the next by so much, or nothing is answered."""
CONTRADICTS = 0.04
"""A passage with another value of that kind that is closer by so much, or as close, speaks against an option."""
SUPPORTED = 0.62
"""From this share on a passage supports an option in words."""
_FUZZY = 88.0
_CONTEXT = 0.55
"""What a word of the title or of the lines around counts against one of the passage itself."""
_NUMBER_WEIGHT = 1.4
_BLANK = re.compile(r"_{2,}|…{2,}|\[blank\]|（\s*）|\(\s*\)", re.IGNORECASE)

_BESIDE = 5
"""Letters between two numbers that belong together, as in "2019: 37"."""
_NEGATED = re.compile(
    r"(?:\bnot|\bno|\bnever|\bwithout|\brather than|\binstead of|并非|不是|没有|而非)\s?(?:the |a |an |by )?$"
)

Encode = Callable[[Sequence[str]], NDArray[np.float32]]
"""Returns a unit row for each text."""


@dataclass(frozen=True, kw_only=True)
class Reading:
    """An answer with what it rests on."""

    answer: str
    """A letter or `INSUFFICIENT`."""
    slides: tuple[int, ...] = ()
    reason: str = ""
    closeness: float = 0.0
    is_contradicted: bool = False
    """The slides speak of it with another value."""


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """A question taken apart."""

    words: tuple[str, ...]
    numbers: tuple[Quantity, ...]
    """Those of the question itself, which a passage on it should hold too."""
    text: str
    blank: tuple[str, str]
    """What stands before and behind a blank, folded; empty without one."""


class OfflineReader:
    """Reads one deck; made once for all questions about it.

    Args:
        slides: the deck's Markdown.
        encode: word vectors; None: without, by words alone.
    """

    def __init__(self, slides: Sequence[SlideText], encode: Encode | None = None) -> None:
        self.passages = passages_of(slides)
        self._encode = encode
        counts: Counter[str] = Counter(word for passage in self.passages for word in passage.words)
        n = max(1, len(self.passages))
        self._weights = {word: math.log(1 + n / count) for word, count in counts.items()}
        self._unknown = math.log(1 + n)
        self._vectors: NDArray[np.float32] | None = None

    def read(self, question: Question) -> Reading:
        """Return the answer to a question, or why there is none."""
        if not self.passages:
            return Reading(answer=INSUFFICIENT, reason="The slides have no words.")
        asked = _asked(question)
        closeness = self._closeness(asked)
        options = {letter: quantities_in(words) for letter, words in question.options.items() if words.strip()}
        if len(options) > 1 and all(found for _, found in options.values()) and _differ(options):
            return self._by_number(question, asked, closeness, {key: found for key, (_, found) in options.items()})
        return self._by_words(question, asked, closeness)

    # how close passages are

    def _closeness(self, asked: _Asked) -> list[float]:
        words = Counter(asked.words)
        total = sum(self._weight(word) for word in words) + _NUMBER_WEIGHT * self._unknown * 0.5 * len(asked.numbers)
        if not total:
            return [0.0] * len(self.passages)
        by_words = []
        asked_words = set(words)
        for passage in self.passages:
            found = 0.0
            for word in words:
                share = 1.0 if word in passage.words else _CONTEXT if word in passage.context else 0.0
                found += share * self._weight(word)
            for number in asked.numbers:
                is_there = any(agreement(number, each) for each in passage.quantities)
                is_near = not is_there and any(agreement(number, each) for each in passage.near)
                found += (1.0 if is_there else _CONTEXT if is_near else 0.0) * _NUMBER_WEIGHT * self._unknown * 0.5
            share = found / total
            said = passage.words & asked_words
            if len(said) >= 2:
                # A terse line says little of the question, but little else either.
                own = sum(self._weight(word) for word in passage.words)
                share = max(share, 0.5 * share + 0.5 * sum(self._weight(word) for word in said) / own)
            by_words.append(share)
        if self._encode is None or is_mostly_wide(asked.text):
            return by_words
        cosines = self._cosines(asked.text)
        return [
            max(share, 0.6 * share + 0.4 * max(0.0, cosine)) for share, cosine in zip(by_words, cosines, strict=True)
        ]

    def _weight(self, word: str) -> float:
        return self._weights.get(word, self._unknown)

    def _cosines(self, text: str) -> NDArray[np.float32]:
        assert self._encode is not None
        if self._vectors is None:
            self._vectors = self._encode([passage.text for passage in self.passages])
        return np.asarray(self._vectors @ self._encode([_BLANK.sub(" ", text)])[0], dtype=np.float32)

    # options that are quantities

    def _by_number(
        self, question: Question, asked: _Asked, closeness: Sequence[float], options: Mapping[str, list[Quantity]]
    ) -> Reading:
        best: dict[str, tuple[float, int]] = {}
        closest_other = (0.0, -1)
        kinds = frozenset(name for found in options.values() for each in found for name in dimensions(each))
        shared = _shared_numbers(options)
        for place, (passage, close) in enumerate(zip(self.passages, closeness, strict=True)):
            if not passage.quantities or close < CLOSE_WITH_VALUE * 0.7:
                continue
            supports = {
                letter: score * close * (1 + 0.5 * self._proximity(passage, asked, found, shared))
                for letter, found in options.items()
                if (score := _supported(found, passage, shared)) > 0
            }
            if supports and _speaks_of_other(passage, asked, options):
                continue
            for letter, score in supports.items():
                if score > best.get(letter, (0.0, -1))[0]:
                    best[letter] = (score, place)
            is_other = not supports and any(
                dimensions(each) & kinds and not any(agreement(number, each) for number in asked.numbers)
                for each in passage.quantities
            )
            if is_other and close > closest_other[0]:
                closest_other = (close, place)
        ranked = sorted(best.items(), key=lambda each: (-each[1][0], each[0]))
        if not ranked:
            return self._none(closeness, closest_other)
        letter, (score, place) = ranked[0]
        needed = CLOSE_WITH_VALUE if _is_telling(options[letter], shared) else CLOSE
        if closeness[place] < needed:
            return self._none(closeness, closest_other)
        if closest_other[0] >= closeness[place] - CONTRADICTS:
            return self._contradicted(closest_other)
        if len(ranked) > 1 and score - ranked[1][1][0] < CLEAR * score:
            other = ranked[1][0]
            return self._insufficient(place, closeness, f"The passages bear out both {letter} and {other}.")
        return self._answer(letter, place, closeness)

    def _proximity(
        self, passage: Passage, asked: _Asked, found: Sequence[Quantity], shared: Sequence[Quantity]
    ) -> float:
        """Return how near the words and numbers of the question stand to an option's quantity, 0 to 1.5."""
        text = passage.folded.text
        places = [
            each for each in passage.quantities
            if any(agreement(number, each) for number in found if not any(agreement(number, one) for one in shared))
        ]  # fmt: skip
        best = 0.0
        for each in places:
            before, behind = text[max(0, each.start - 60) : each.start], text[each.end : each.end + 60]
            before = re.split(r"[,;:，；：]", before)[-1]
            behind = re.split(r"[,;:.，；：。]", behind)[0]
            near = content_words(before)[-5:] + content_words(behind)[:5]
            distinct = set(near)
            said = sum(self._weight(word) for word in distinct & set(asked.words))
            everything = sum(self._weight(word) for word in distinct)
            score = said / everything if everything else 0.0
            if _is_beside(asked.numbers, each, passage):
                score = 1.4 + 0.1 * score
            if any(asked.blank):
                left, right = asked.blank
                fits = sum(
                    bool(want) and (part.strip().endswith(want) if side else part.strip().startswith(want))
                    for want, part, side in ((left, text[: each.start], True), (right, text[each.end :], False))
                )
                score = max(score, fits / max(1, sum(bool(part) for part in asked.blank)))
            best = max(best, score)
        return best

    # options in words

    def _by_words(self, question: Question, asked: _Asked, closeness: Sequence[float]) -> Reading:
        options = {letter: content_words(words) for letter, words in question.options.items() if words.strip()}
        occurs = Counter(word for words in options.values() for word in set(words))
        n = len(options)
        best: dict[str, tuple[float, int, float]] = {}
        for letter, words in options.items():
            weights = {word: self._weight(word) * (1 - (occurs[word] - 1) / n) for word in set(words)}
            whole = sum(weights.values())
            _, numbers = quantities_in(question.options[letter])
            wording = fold(question.options[letter]).text.strip(" .。")
            for place, (passage, close) in enumerate(zip(self.passages, closeness, strict=True)):
                own = sum(weight for word, weight in weights.items() if word in passage.words)
                near = sum(
                    weight for word, weight in weights.items() if word not in passage.words and word in passage.context
                )
                share = (own + _CONTEXT * near) / whole if whole else 0.0
                if len(wording) >= 4 and (found := passage.folded.text.find(wording)) >= 0:
                    share = 1.0
                    if _NEGATED.search(passage.folded.text[:found]):
                        share = 0.5
                elif share < 1.0 and len(wording) >= 12 and share > 0.3:
                    ratio = fuzz.partial_ratio(wording, passage.folded.text, score_cutoff=_FUZZY)
                    share = max(share, ratio / 100)
                if numbers and not all(
                    any(agreement(number, each) for each in (*passage.quantities, *passage.near)) for number in numbers
                ):
                    continue
                score = share * (0.55 + 0.45 * close)
                if share > 0 and score > best.get(letter, (0.0, -1, 0.0))[0]:
                    best[letter] = (score, place, share)
        ranked = sorted(best.items(), key=lambda each: (-each[1][0], each[0]))
        if not ranked:
            return self._none(closeness, (0.0, -1))
        letter, (score, place, share) = ranked[0]
        if share < SUPPORTED or closeness[place] < CLOSE * 0.5:
            return self._none(closeness, (0.0, -1))
        if len(ranked) > 1 and score - ranked[1][1][0] < CLEAR * score:
            return self._insufficient(place, closeness, f"The passages bear out both {letter} and {ranked[1][0]}.")
        return self._answer(letter, place, closeness)

    # what is said

    def _answer(self, letter: str, place: int, closeness: Sequence[float]) -> Reading:
        passage = self.passages[place]
        return Reading(
            answer=letter, slides=(passage.slide,), reason=_shown(passage.text), closeness=round(closeness[place], 3)
        )

    def _insufficient(self, place: int, closeness: Sequence[float], why: str) -> Reading:
        passage = self.passages[place]
        return Reading(
            answer=INSUFFICIENT, slides=(passage.slide,), reason=f"{why} {_shown(passage.text)}",
            closeness=round(closeness[place], 3),
        )  # fmt: skip

    def _contradicted(self, other: tuple[float, int]) -> Reading:
        passage = self.passages[other[1]]
        return Reading(
            answer=INSUFFICIENT, slides=(passage.slide,), closeness=round(other[0], 3), is_contradicted=True,
            reason=f"The closest passage gives a value that is none of the options: {_shown(passage.text)}",
        )  # fmt: skip

    def _none(self, closeness: Sequence[float], other: tuple[float, int]) -> Reading:
        if other[0] >= CLOSE:
            return self._contradicted(other)
        place = int(np.argmax(closeness))
        return Reading(
            answer=INSUFFICIENT, closeness=round(closeness[place], 3),
            reason="No passage is about this." if closeness[place] < CLOSE
            else f"No passage bears out an option; the closest is: {_shown(self.passages[place].text)}",
        )  # fmt: skip


def _speaks_of_other(passage: Passage, asked: _Asked, options: Mapping[str, list[Quantity]]) -> bool:
    """Return whether a passage has another number in the place of one that the question names.

    "In district 200 the station counted 2,018 visits" does not answer which district counted 1,194.
    """
    there = (*passage.quantities, *passage.near)
    missing = [number for number in asked.numbers if not any(agreement(number, each) for each in there)]
    if not missing:
        return False
    offered = [number for found in options.values() for number in found]
    others = [
        each for each in passage.quantities
        if not any(agreement(number, each) for number in (*offered, *asked.numbers))
    ]  # fmt: skip
    return any(dimensions(number) & dimensions(each) for number in missing for each in others)


def _is_beside(numbers: Sequence[Quantity], quantity: Quantity, passage: Passage) -> bool:
    """Return whether a number of the question, such as a year, stands right beside this quantity of a passage."""
    return any(
        agreement(number, other) and min(abs(other.start - quantity.end), abs(quantity.start - other.end)) <= _BESIDE
        for number in numbers
        for other in passage.quantities
        if other is not quantity
    )


def _asked(question: Question) -> _Asked:
    folded, numbers = quantities_in(question.question)
    blank = _BLANK.search(question.question)
    sides = ("", "")
    if blank is not None:
        before = fold(question.question[: blank.start()]).text.strip().strip("\"'“”‘’「」 ")
        behind = fold(question.question[blank.end() :]).text.strip().strip("\"'“”‘’「」 ")
        sides = (_end(before), _start(behind))
    del folded
    return _Asked(
        words=tuple(content_words(_BLANK.sub(" ", question.question))), numbers=tuple(numbers), text=question.question,
        blank=sides,
    )  # fmt: skip


def _end(text: str) -> str:
    return text[-6:] if is_mostly_wide(text[-6:]) else " ".join(text.split()[-2:])


def _start(text: str) -> str:
    return text[:6] if is_mostly_wide(text[:6]) else " ".join(text.split()[:2])


def _differ(options: Mapping[str, tuple[object, list[Quantity]]]) -> bool:
    """Return whether the quantities tell the options apart: no two options hold the same ones."""
    listed = [found for _, found in options.values()]
    return not any(_same(one, other) for place, one in enumerate(listed) for other in listed[place + 1 :])


def _same(one: Sequence[Quantity], other: Sequence[Quantity]) -> bool:
    return len(one) == len(other) and all(
        left.raw & right.raw and left.measured == right.measured for left, right in zip(one, other, strict=True)
    )


def _shared_numbers(options: Mapping[str, list[Quantity]]) -> list[Quantity]:
    """Return the quantities that every option has, such as a year, and that tell nothing."""
    first, *others = options.values()
    return [
        each for each in first
        if all(any(each.raw & one.raw and each.measured == one.measured for one in found) for found in others)
    ]  # fmt: skip


def _supported(found: Sequence[Quantity], passage: Passage, shared: Sequence[Quantity]) -> float:
    """Return how well a passage holds an option's own quantities: the worst agreement among them."""
    own = [each for each in found if not any(each is one or each.raw & one.raw for one in shared)]
    worst = 1.0
    for number in own or found:
        best = max(
            (agreement(number, each) for each in passage.quantities if _may_stand_for(number, each)), default=0.0
        )
        worst = min(worst, best)
    return worst


def _is_telling(found: Sequence[Quantity], shared: Sequence[Quantity]) -> bool:
    """Return whether an option's own quantities hardly stand anywhere by chance: with a unit, or of three digits."""
    own = [each for each in found if not any(each.raw & one.raw for one in shared)]
    return all(each.measured or each.is_scaled or each.written >= 3 for each in own or found)


def _may_stand_for(wanted: Quantity, found: Quantity) -> bool:
    """Return whether a passage's quantity may be the wanted one at all: a bare year is no count of anything else."""
    return not is_year(found) or is_year(wanted) or not wanted.measured


def _shown(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 220 else words[:219].rstrip() + "…"
