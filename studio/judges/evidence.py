"""Reads out of a judge's words what its answer rests on: slides, boxes on them, quotes of sources."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from studio.judges.reply_json import number_in, text_in
from studio.model.checklists import EvidenceBox, SourceQuote

_NUMBERS = r"\d{1,4}(?:\s*(?:,|、|and|und|et|&|和|-|–|—|to|through|至|到)\s*\d{1,4}(?!\s*%))*"
_SLIDES = re.compile(rf"\b(?P<kind>slides?|pages?)\s*(?:no\.?|number|#)?\s*(?P<numbers>{_NUMBERS})", re.IGNORECASE)
_CHINESE_SLIDES = re.compile(rf"第\s*(?P<numbers>{_NUMBERS})\s*(?P<kind>[页頁张張])")
_SOURCE_PAGES = re.compile(
    r"\bsource\s*(?:no\.?|#)?\s*(?P<source>\d{1,3})(?:\s*,?\s*(?:page|p\.)\s*(?P<page>\d{1,4}))?", re.IGNORECASE
)
_QUOTED = re.compile(r"[\"“„「«](?P<words>[^\"“”„「」«»\n]{3,300})[\"”“」»]")
_RANGE = re.compile(r"(\d{1,4})\s*(?:-|–|—|to|through|至|到)\s*(\d{1,4})")
_LONGEST_RANGE = 40
_NEAR = 200
"""Letters between a quote and the source page that it belongs to, at most."""


def slides_named(text: str, shown: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers of slides that a text names, in the order of their first mention.

    Args:
        text: a judge's words. "Slide 3" is the slide with this number, "page 3" the third one that was shown: the
            two differ in a deck with hidden slides.
        shown: numbers of the slides that it was shown, in order; others are no evidence.
    """
    without_sources = _SOURCE_PAGES.sub(lambda found: " " * len(found[0]), text)
    found: list[tuple[int, bool, str]] = []
    for pattern in (_SLIDES, _CHINESE_SLIDES):
        found += [
            (match.start(), not match["kind"].lower().startswith("slide"), match["numbers"])
            for match in pattern.finditer(without_sources)
        ]
    numbers = []
    for _, is_page, part in sorted(found):
        for number in _numbers(part):
            if is_page and 1 <= number <= len(shown):
                numbers.append(shown[number - 1])
            elif not is_page and number in shown:
                numbers.append(number)
    return tuple(dict.fromkeys(numbers))


def source_quotes(text: str) -> tuple[SourceQuote, ...]:
    """Return the source pages that a text names, each with the quoted words nearest before or behind it."""
    quoted = [(match.start(), match.end(), match["words"]) for match in _QUOTED.finditer(text)]
    quotes: dict[tuple[str, int | None], SourceQuote] = {}
    for match in _SOURCE_PAGES.finditer(text):
        page = int(match["page"]) if match["page"] else None
        distance = {
            words: max(begin - match.end(), match.start() - end, 0)
            for begin, end, words in quoted
            if not begin <= match.start() < end
        }
        nearest = min(distance, key=lambda words: distance[words], default="")
        near = nearest if nearest and distance[nearest] <= _NEAR else ""
        known = quotes.get((match["source"], page))
        if known is None or (near and not known.quote):
            quotes[match["source"], page] = SourceQuote(source=match["source"], page=page, quote=near)
    return tuple(quotes.values())


def boxes_given(value: Mapping[str, Any], shown: Collection[int]) -> tuple[EvidenceBox, ...]:
    """Return the places that a JSON answer names under ``boxes`` or ``slides``; what makes no sense is left out.

    Args:
        value: such as ``{"slides": [3], "boxes": [{"slide": 3, "box": [0.1, 0.2, 0.5, 0.4]}]}``; edges are
            left, top, right, bottom as shares of the slide.
        shown: numbers of the slides that the judge was shown.
    """
    boxes = [_box(each, shown) for each in _listed(value.get("boxes"))]
    placed = {box.slide for box in boxes if box is not None}
    whole = [
        EvidenceBox(slide=int(number))
        for each in _listed(value.get("slides"))
        if (number := number_in(each, 1, 9999)) is not None and number in shown and number not in placed
    ]
    return (*(box for box in boxes if box is not None), *dict.fromkeys(whole))


def quotes_given(value: Mapping[str, Any]) -> tuple[SourceQuote, ...]:
    """Return the quotes that a JSON answer names under ``quotes``: source, page and words."""
    found = []
    for each in _listed(value.get("quotes")):
        if not isinstance(each, Mapping):
            continue
        source, page = each.get("source"), number_in(each.get("page"), 1, 99_999)
        name = str(source) if isinstance(source, int) and not isinstance(source, bool) else text_in(source)
        if name:
            found.append(
                SourceQuote(source=name, page=int(page) if page is not None else None, quote=text_in(each.get("quote")))
            )
    return tuple(found)


def _box(value: Any, shown: Collection[int]) -> EvidenceBox | None:
    if not isinstance(value, Mapping):
        return None
    slide, edges = number_in(value.get("slide"), 1, 9999), _listed(value.get("box"))
    shares = [number_in(edge, 0.0, 1.0) for edge in edges]
    if slide is None or slide not in shown or len(shares) != 4:
        return None
    x0, y0, x1, y1 = shares
    if x0 is None or y0 is None or x1 is None or y1 is None or x0 >= x1 or y0 >= y1:
        return None
    return EvidenceBox(slide=int(slide), x0=x0, y0=y0, x1=x1, y1=y1)


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _numbers(part: str) -> list[int]:
    numbers: list[int] = []
    at = 0
    for match in _RANGE.finditer(part):
        first, last = int(match[1]), int(match[2])
        numbers += [int(number) for number in re.findall(r"\d+", part[at : match.start()])]
        numbers += range(first, last + 1) if 0 <= last - first < _LONGEST_RANGE else [first, last]
        at = match.end()
    return numbers + [int(number) for number in re.findall(r"\d+", part[at:])]
