"""Whether a quote stands in a source, letter by letter, typesetting aside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from studio.model.decks import SourcePage
from studio.texts.folded_text import Folded, fold

LEAST_LETTERS = 8
"""A shorter quote stands somewhere in every text and proves nothing."""
LEAST_WIDE = 4


@dataclass(frozen=True, kw_only=True)
class QuotePlace:
    """Where a quote was found."""

    source: str
    page: int
    start: int
    """In characters of the page's text."""
    end: int


@dataclass(frozen=True, kw_only=True)
class NamedPages:
    """One source's pages under the name that people know it by."""

    name: str
    pages: tuple[SourcePage, ...]


class QuoteFinder:
    """All pages of an instance's sources, folded once."""

    def __init__(self, sources: Sequence[NamedPages]) -> None:
        self.sources = tuple(sources)
        self._folded: list[tuple[str, int, Folded]] = [
            (source.name, page.number, fold(page.text)) for source in sources for page in source.pages
        ]

    def places(self, quote: str) -> list[QuotePlace]:
        """Return every page on which a quote stands verbatim; differences of typesetting and of case do not count."""
        wanted = fold(quote.strip().strip("\"'“”‘’「」『』…").strip()).text.strip()
        if not wanted:
            return []
        found = []
        for source, page, folded in self._folded:
            at = folded.text.find(wanted)
            if at >= 0 and _is_whole(folded.text, at, at + len(wanted)):
                start, end = folded.origin[at], folded.origin[at + len(wanted) - 1] + 1
                found.append(QuotePlace(source=source, page=page, start=start, end=end))
        return found

    def place(self, quote: str, *, source: str = "", page: int | None = None) -> QuotePlace | None:
        """Return where a quote stands: on the page that is named if it is there, else on the first one; or None."""
        found = self.places(quote)
        named = [each for each in found if (not source or each.source == source) and (not page or each.page == page)]
        return next(iter(named or found), None)

    def page_text(self, source: str, page: int) -> str:
        """Return a page's text; empty if there is none."""
        return next((text for name, number, text in self._texts() if (name, number) == (source, page)), "")

    @property
    def page_numbers(self) -> list[tuple[str, int]]:
        """Source and page of every page with words, in order."""
        return [(name, number) for name, number, text in self._texts() if text.strip()]

    def _texts(self) -> Iterator[tuple[str, int, str]]:
        for source in self.sources:
            for page in source.pages:
                yield source.name, page.number, page.text


def is_long_enough(quote: str) -> bool:
    """Return whether a quote says enough to prove anything."""
    letters = [letter for letter in quote if not letter.isspace()]
    wide = sum("\u3040" <= letter <= "\u9fff" for letter in letters)
    return len(letters) + wide * (LEAST_LETTERS // LEAST_WIDE - 1) >= LEAST_LETTERS


def _is_whole(text: str, start: int, end: int) -> bool:
    """Return whether no number is cut at either end: "grew to 5" is no quote of "grew to 56"."""
    if text[start].isdigit() and start and (text[start - 1].isdigit() or text[start - 1 : start] in ".,"):
        return False
    behind = text[end : end + 2]
    if not text[end - 1].isdigit() or not behind:
        return True
    return not (behind[0].isdigit() or (behind[0] in ".," and len(behind) == 2 and behind[1].isdigit()))
