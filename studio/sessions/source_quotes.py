"""Where in the sources a quote stands that a person or a judge gave as evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from studio.model.checklists import SourceQuote


class QuotePlace(NamedTuple):
    """A page and the part of its text; an empty part if the words do not stand there."""

    page: int
    start: int
    end: int


def place_of_source(name: str, names: Sequence[str]) -> int | None:
    """Return the place of a source, from 0, that is named by its file name or by its number from 1; None if unknown."""
    for place, known in enumerate(names):
        if name.casefold() in (known.casefold(), known.rpartition(".")[0].casefold()):
            return place
    number = re.search(r"\d+", name)
    if number is not None and 1 <= int(number.group()) <= len(names):
        return int(number.group()) - 1
    return 0 if len(names) == 1 else None


def place_of_quote(quote: SourceQuote, pages: Sequence[str]) -> QuotePlace:
    """Return where a quote stands: on its page, else on the first that has the words; white space may differ."""
    words = quote.quote.split()
    page = min(max(quote.page or 1, 1), max(1, len(pages)))
    if not words:
        return QuotePlace(page, 0, 0)
    pattern = re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE)
    order = [page, *(number for number in range(1, len(pages) + 1) if number != page)]
    for number in order:
        found = pattern.search(pages[number - 1]) if number <= len(pages) else None
        if found is not None:
            return QuotePlace(number, found.start(), found.end())
    return QuotePlace(page, 0, 0)
