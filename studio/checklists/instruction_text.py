"""What a generation instruction says about the number of slides, in English or Chinese words."""

from __future__ import annotations

import re

_DASH = r"\s*(?:-|–|—|−|~|～|to|and|至|到|through)\s*"
_SLIDES = r"(?:[a-z\- ]{0,25}?\b(?:slides?|pages?)\b|\s*(?:页|张|頁|張|片))"
_RANGE = re.compile(rf"(?<![\d.])(\d{{1,3}}){_DASH}(\d{{1,3}})\s*{_SLIDES}", re.IGNORECASE)
_COUNT_FIRST = re.compile(
    rf"(?:slides?|pages?|slide count|页数|张数|幻灯片数量?)\D{{0,25}}?(?<![\d.])(\d{{1,3}}){_DASH}(\d{{1,3}})(?![\d.])",
    re.IGNORECASE,
)
_AT_MOST = re.compile(
    rf"(?:at most|no more than|up to|maximum(?: of)?|不超过|最多)\s*(\d{{1,3}})\s*{_SLIDES}", re.IGNORECASE
)


def slide_range_in(text: str) -> tuple[int, int] | None:
    """Return fewest and most slides that a text asks for, or None if it names no range.

    Understood are "21–35 slides", "between 15 and 20 slides", "Slides: 10-12", "15到20页" and "at most 12 slides".
    """
    for pattern in (_RANGE, _COUNT_FIRST):
        for match in pattern.finditer(text):
            least, most = int(match[1]), int(match[2])
            if 1 <= least <= most:
                return least, most
    found = _AT_MOST.search(text)
    return (1, int(found[1])) if found and int(found[1]) else None
