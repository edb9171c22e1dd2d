"""Finding what a slide says in its sources: word for word, in other numbers or units, or nearly.

"Not found" is an answer, so nothing that a reader would call different counts as found: numbers always have to
agree by value, whatever else is only similar.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

from rapidfuzz import fuzz

from studio.model.decks import SourcePage
from studio.texts.folded_text import WIDE, Folded, fold
from studio.texts.places import Box, boxes_of
from studio.texts.quantities import Quantity, is_connector, quantities

Where = TypeVar("Where")

_WORD = re.compile(rf"[{WIDE}]|[^\W_{WIDE}]+")
_NUMBER_BEFORE, _NUMBER_BEHIND = re.compile(r"\d$|\d[.,]$"), re.compile(r"\d|[.,]\d")
_IS_WIDE = re.compile(rf"[{WIDE}]")
HIT_LIMIT = 50
"""Hits that a lookup lists; all are counted."""
FUZZY_PAGES = 12
"""Pages that are compared letter by letter: those that share most of the phrase's rarer words."""
FUZZY_SCORE = 86.0
"""From this similarity on, 0 to 100, two wordings count as nearly the same."""
ROUNDED_SCORE = 0.9
"""Score of the same words with rounded numbers."""
FUZZY_LETTERS = 12
FUZZY_WIDE_LETTERS = 6
"""Shorter phrases are similar to too much; one Chinese letter says as much as several others."""


class HitKind(StrEnum):
    """How a phrase was found."""

    EXACT = "exact"
    """The same words; case, line breaks, hyphens and letter forms aside."""
    NORMALISED = "normalised"
    """The same words with the same numbers, written in another way or in another unit."""
    FUZZY = "fuzzy"
    """Nearly the same words, with the same numbers or with rounded ones."""


@dataclass(frozen=True, kw_only=True)
class LookupHit(Generic[Where]):
    """One place where a phrase was found."""

    where: Where
    """The source."""
    page: int
    start: int
    """In characters of the page's text."""
    end: int
    text: str
    """What stands there, as written."""
    kind: HitKind
    score: float
    """1 for the same words, less for what is only similar or whose unit is not said."""
    boxes: tuple[Box, ...] = ()
    """One for each line, as shares of the page; empty where the source has no places."""


@dataclass(frozen=True, kw_only=True)
class Lookup(Generic[Where]):
    """The answer to "is this in the sources, and where?"."""

    phrase: str
    hits: tuple[LookupHit[Where], ...] = ()
    """Best first: exact, normalised, fuzzy; equal ones in the order of the sources."""
    total: int = 0
    """Hits in all, listed or not."""
    missing_numbers: tuple[str, ...] = ()
    """Numbers of the phrase that stand nowhere in the sources, as written; for phrases that were not found."""
    pages_searched: int = 0

    @property
    def is_found(self) -> bool:
        """Whether the phrase stands anywhere in the sources."""
        return self.total > 0


class _Found(NamedTuple):
    """A hit before it is brought back to the original text."""

    page: int
    """Index of the page."""
    start: int
    """In characters of the folded text."""
    end: int
    kind: HitKind
    score: float


@dataclass(kw_only=True)
class _Page(Generic[Where]):
    where: Where
    page: SourcePage
    folded: Folded
    tokens: list[str | Quantity]
    starts: list[int]
    """In characters of the folded text."""
    ends: list[int]


@dataclass(frozen=True, kw_only=True)
class _Phrase:
    folded: Folded
    text: str
    tokens: list[str | Quantity]
    numbers: list[Quantity] = field(default_factory=list)

    @property
    def is_one_number(self) -> bool:
        return len(self.tokens) == 1 and len(self.numbers) == 1


class SourceIndex(Generic[Where]):
    """All sources of an instance, read once, so that a lookup takes milliseconds."""

    def __init__(self, sources: Sequence[tuple[Where, Sequence[SourcePage]]]) -> None:
        """Index the pages of sources; takes about a second for 300 pages."""
        self._pages: list[_Page[Where]] = []
        self._places: dict[str, list[tuple[int, int]]] = defaultdict(list)
        """Key of a word or a number → (index of the page, index of the token)."""
        self._numbers: list[tuple[int, int, Quantity]] = []
        for where, pages in sources:
            for page in pages:
                self._add(where, page)

    def search(self, phrase: str, *, limit: int = 500) -> Lookup[Where]:
        """Return every place in which a phrase stands, as typed into a search field.

        Parts of words count, parts of numbers do not. A phrase that is one number is also found where it is written
        in another way.
        """
        wanted = fold(phrase.strip()).text.strip()
        found = [
            _Found(number, start, start + len(wanted), HitKind.EXACT, 1.0)
            for number, page in enumerate(self._pages if wanted else ())
            for start in _occurrences(page.folded.text, wanted)
            if not _cuts_number(page.folded.text, start, start + len(wanted))
        ]
        phrase_of_tokens = _phrase(phrase)
        if phrase_of_tokens.is_one_number:
            found = _merged(found, self._normalised(phrase_of_tokens))
            found.sort(key=lambda each: (each.page, each.start))
        return Lookup(
            phrase=phrase, hits=tuple(map(self._hit, found[:limit])), total=len(found), pages_searched=len(self._pages)
        )

    def lookup(self, phrase: str, *, limit: int = HIT_LIMIT) -> Lookup[Where]:
        """Return where the sources say what this phrase says; see `HitKind`.

        Similar wordings are only looked for if no equal one was found.
        """
        wanted = _phrase(phrase)
        if not wanted.tokens:
            return Lookup(phrase=phrase, pages_searched=len(self._pages))
        found = [] if wanted.is_one_number else list(self._exact(wanted))
        if len(wanted.tokens) > 1 or wanted.is_one_number:
            found = _merged(found, self._normalised(wanted))
        if not found:
            found = _merged(list(self._rounded(wanted)), self._fuzzy(wanted))
        order = {kind: place for place, kind in enumerate(HitKind)}
        found.sort(key=lambda each: (order[each.kind], -each.score, each.page, each.start))
        return Lookup(
            phrase=phrase, hits=tuple(map(self._hit, found[:limit])), total=len(found),
            missing_numbers=() if found else tuple(self._missing(wanted)), pages_searched=len(self._pages),
        )  # fmt: skip

    def _add(self, where: Where, page: SourcePage) -> None:
        folded = fold(page.text)
        tokens, starts, ends = _tokens(folded)
        number = len(self._pages)
        self._pages.append(_Page(where=where, page=page, folded=folded, tokens=tokens, starts=starts, ends=ends))
        for place, token in enumerate(tokens):
            for key in (token,) if isinstance(token, str) else _keys(token):
                self._places[key].append((number, place))
            if isinstance(token, Quantity):
                self._numbers.append((number, place, token))

    def _exact(self, phrase: _Phrase) -> Iterator[_Found]:
        for number, page in enumerate(self._pages):
            for start in _occurrences(page.folded.text, phrase.text):
                end = start + len(phrase.text)
                if _is_whole(page.folded, start, end) and _numbers_agree(page, start, end, phrase.numbers):
                    yield _Found(number, start, end, HitKind.EXACT, 1.0)

    def _normalised(self, phrase: _Phrase) -> Iterator[_Found]:
        """Yield where the tokens of the phrase follow each other, numbers compared by value."""
        candidates = [(self._candidates(token), place) for place, token in enumerate(phrase.tokens)]
        rarest, offset = min(candidates, key=lambda each: len(each[0]))
        for number, start, end, tokens in self._runs(rarest, offset, len(phrase.tokens)):
            score = _agreement(phrase.tokens, tokens)
            if score > 0:
                is_same = self._pages[number].folded.text[start:end] == phrase.text
                yield _Found(number, start, end, HitKind.EXACT if is_same else HitKind.NORMALISED, score)

    def _rounded(self, phrase: _Phrase) -> Iterator[_Found]:
        """Yield where the tokens of the phrase follow each other if its numbers are taken as rounded ones."""
        if not any(number.may_be_rounded for number in phrase.numbers):
            return
        if phrase.is_one_number:
            wanted = phrase.numbers[0]
            rarest, offset = [(page, place) for page, place, number in self._numbers if wanted.rounds(number)], 0
        else:
            words = [
                (self._places.get(token, []), place)
                for place, token in enumerate(phrase.tokens)
                if isinstance(token, str)
            ]
            rarest, offset = min(words, key=lambda each: len(each[0]), default=([], 0))
        for number, start, end, tokens in self._runs(rarest, offset, len(phrase.tokens)):
            if _agreement(phrase.tokens, tokens, is_rounded=True) > 0:
                yield _Found(number, start, end, HitKind.FUZZY, ROUNDED_SCORE)

    def _runs(
        self, seeds: Sequence[tuple[int, int]], offset: int, length: int
    ) -> Iterator[tuple[int, int, int, list[str | Quantity]]]:
        """Yield the runs of so many tokens whose token at `offset` is a seed: page, start, end, tokens."""
        for number, place in seeds:
            page, first = self._pages[number], place - offset
            last = first + length - 1
            if first >= 0 and last < len(page.tokens):
                yield number, page.starts[first], page.ends[last], page.tokens[first : last + 1]

    def _candidates(self, token: str | Quantity) -> list[tuple[int, int]]:
        if isinstance(token, str):
            return self._places.get(token, [])
        found: dict[tuple[int, int], None] = {}
        for key in _keys(token):
            found.update(dict.fromkeys(self._places.get(key, ())))
        return sorted(found)

    def _fuzzy(self, phrase: _Phrase) -> Iterator[_Found]:
        text = phrase.text
        letters = sum(letter.isalpha() for letter in text)
        is_wide = sum(bool(_IS_WIDE.match(letter)) for letter in text) * 2 > letters
        if letters < (FUZZY_WIDE_LETTERS if is_wide else FUZZY_LETTERS):
            return
        for number in self._likely_pages(phrase):
            page = self._pages[number]
            if len(page.folded.text) < len(text) * 0.8:
                # The shorter of two texts is what is looked for in the longer one.
                continue
            found = fuzz.partial_ratio_alignment(text, page.folded.text, score_cutoff=FUZZY_SCORE)
            if found is None:
                continue
            start, end = _to_words(page, found.dest_start, found.dest_end)
            if start < end and _numbers_agree(page, start, end, phrase.numbers, is_rounded=True):
                yield _Found(number, start, end, HitKind.FUZZY, round(found.score / 100, 3))

    def _likely_pages(self, phrase: _Phrase) -> list[int]:
        """Return the pages that share most of the phrase's words, rare words counting more."""
        weights: dict[int, float] = defaultdict(float)
        for word in {token for token in phrase.tokens if isinstance(token, str)}:
            pages = {number for number, _ in self._places.get(word, ())}
            for number in pages:
                weights[number] += math.log(1 + len(self._pages) / len(pages))
        return sorted(sorted(weights, key=lambda number: (-weights[number], number))[:FUZZY_PAGES])

    def _missing(self, phrase: _Phrase) -> Iterator[str]:
        for number in phrase.numbers:
            if not any(number.agrees(other) > 0 or number.rounds(other) for _, _, other in self._numbers):
                yield phrase.folded.cased[number.start : number.end]

    def _hit(self, found: _Found) -> LookupHit[Where]:
        page = self._pages[found.page]
        begin, end = page.folded.origin[found.start], page.folded.origin[found.end - 1] + 1
        return LookupHit(
            where=page.where, page=page.page.number, start=begin, end=end, text=page.page.text[begin:end],
            kind=found.kind, score=found.score, boxes=boxes_of(page.page, begin, end),
        )  # fmt: skip


def _phrase(phrase: str) -> _Phrase:
    folded = fold(phrase.strip().strip("•·◦▪-–—*,;:.。，；：、 \t\n"))
    tokens, _, _ = _tokens(folded)
    return _Phrase(
        folded=folded, text=folded.text.strip(), tokens=tokens,
        numbers=[token for token in tokens if isinstance(token, Quantity)],
    )  # fmt: skip


def _tokens(folded: Folded) -> tuple[list[str | Quantity], list[int], list[int]]:
    """Return the words and numbers of a text with their places; the "to" of a range is left out."""
    numbers = quantities(folded)
    tokens: list[str | Quantity] = []
    starts: list[int] = []
    ends: list[int] = []

    def words(start: int, end: int) -> None:
        for match in _WORD.finditer(folded.text, start, end):
            tokens.append(match.group())
            starts.append(match.start())
            ends.append(match.end())

    at = 0
    for number in numbers:
        if not (at and is_connector(folded.text[at : number.start])):
            words(at, number.start)
        tokens.append(number)
        starts.append(number.start)
        ends.append(number.end)
        at = number.end
    words(at, len(folded.text))
    return tokens, starts, ends


def _keys(number: Quantity) -> list[str]:
    """Return under what a number is listed and looked for; what is listed is compared once more."""
    keys = [f"#{value}" for value in number.raw]
    for dimension, value in number.measured:
        keys.append(f"#{dimension} {value}")
        if dimension == "%":
            keys.append(f"#{float(value) / 100:.9g}")
    return keys


def _agreement(wanted: Sequence[str | Quantity], found: Sequence[str | Quantity], *, is_rounded: bool = False) -> float:
    """Return how well the tokens agree: 0 if one of them differs, else the worst agreement of a number."""
    worst = 1.0
    for one, other in zip(wanted, found, strict=True):
        if isinstance(one, str) or isinstance(other, str):
            if one != other:
                return 0.0
        else:
            worst = min(worst, one.agrees(other) or float(is_rounded and one.rounds(other)))
            if worst == 0.0:
                return 0.0
    return worst


def _numbers_agree(
    page: _Page[Where], start: int, end: int, numbers: Sequence[Quantity], *, is_rounded: bool = False
) -> bool:
    """Return whether every number of a phrase stands in this part of a page with the value that the page gives it.

    So "grew to 5" is not found in "grew to 5 million".
    """
    if not numbers:
        return True
    first, last = bisect_right(page.ends, start), bisect_left(page.starts, end)
    here = [token for token in page.tokens[first:last] if isinstance(token, Quantity)]
    return all(
        any(number.agrees(other) > 0 or (is_rounded and number.rounds(other)) for other in here) for number in numbers
    )


def _occurrences(text: str, wanted: str) -> Iterator[int]:
    at = text.find(wanted)
    while at >= 0:
        yield at
        at = text.find(wanted, at + len(wanted))


def _is_whole(folded: Folded, start: int, end: int) -> bool:
    """Return whether a part of a text begins and ends where words do."""
    return not (_goes_on(folded, start - 1, start) or _goes_on(folded, end - 1, end))


def _goes_on(folded: Folded, left: int, right: int) -> bool:
    if left < 0 or right >= len(folded.text):
        return False
    before, after = folded.text[left], folded.text[right]
    if not (before.isalnum() and after.isalnum()) or _IS_WIDE.match(before) or _IS_WIDE.match(after):
        return False
    # Letters that a dropped hyphen or soft hyphen parts in the original are two words.
    return folded.origin[right] == folded.origin[left] + 1 or folded.origin[right] == folded.origin[left]


def _cuts_number(text: str, start: int, end: int) -> bool:
    """Return whether a part of a text begins or ends inside a number."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    return (text[start].isdigit() and _NUMBER_BEFORE.search(before) is not None) or (
        text[end - 1].isdigit() and _NUMBER_BEHIND.match(after) is not None
    )


def _to_words(page: _Page[Where], start: int, end: int) -> tuple[int, int]:
    """Return a part of a page widened to whole words, without the gaps at its ends."""
    first, last = bisect_right(page.ends, start), bisect_left(page.starts, end) - 1
    if first > last:
        return start, start
    return page.starts[first], page.ends[last]


def _merged(found: list[_Found], more: Iterable[_Found]) -> list[_Found]:
    """Return what was found with what was found later, without the places that were known already."""
    taken: dict[int, list[_Found]] = defaultdict(list)
    for each in found:
        taken[each.page].append(each)
    result = list(found)
    for each in more:
        if not any(other.start < each.end and each.start < other.end for other in taken[each.page]):
            result.append(each)
            taken[each.page].append(each)
    return result
