"""What the pages of a deck show as drawn, as evidence for rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from studio.decks.mupdf_lines import DrawnPage
from studio.decks.slide_pages import slide_pages
from studio.model.deck_evidence import DrawnLine, SlideEvidence, TextPiece, TextRole

_TITLE_ABOVE = 0.4
"""A title starts in this upper share of the page…"""
_TITLE_LARGER = 1.15
"""…in letters so much larger than most of the rest."""
_FOOTER_BELOW = 0.92
_HEADER_ABOVE = 0.08
_FOOTER_LETTERS = 80
_FOOTER_PT = 14.0
"""Larger letters in the outer strips are no footer and no header."""
_PICTURE_SHARE = 0.6
"""From this share of a page on, a picture on a page without seen text is the slide itself."""
_BULLET = re.compile(r"^\s*(?:[•◦▪▫●○■□‣⁃∙·►▶➢➤❖✓✔–—*\-\uf0a7\uf0b7\uf0d8]|\d{1,2}[.)])\s+\S")
_NUMBER = re.compile(r"^\W*\d{1,3}(?:\s*(?:/|of|von|sur)\s*\d{1,3})?\W*$")


def page_slides(pages: Sequence[DrawnPage]) -> tuple[SlideEvidence, ...]:
    """Return one slide for each page, for formats whose pages are all that is known of them."""
    repeated = _repeated(pages)
    return tuple(_slide(page, repeated) for page in pages)


def with_pages(slides: Sequence[SlideEvidence], pages: Sequence[DrawnPage]) -> tuple[SlideEvidence, ...]:
    """Return slides that a file tells of with what their pages show; those without a page stay as they are."""
    texts = [page.text for page in pages]
    found = slide_pages([slide.is_hidden for slide in slides], [slide.text for slide in slides], texts).pages
    return tuple(
        slide if page is None else replace(slide, lines=pages[page - 1].lines, drawn_share=pages[page - 1].drawn_share)
        for slide, page in zip(slides, found, strict=True)
    )


def with_page_text(slides: Sequence[SlideEvidence], pages: Sequence[DrawnPage]) -> tuple[SlideEvidence, ...]:
    """Return slides of which the file knows little (HTML, OpenDocument) with all that their pages show."""
    texts = [page.text for page in pages]
    found = slide_pages([slide.is_hidden for slide in slides], [slide.text for slide in slides], texts).pages
    repeated = _repeated(pages)
    merged = []
    for slide, number in zip(slides, found, strict=True):
        if number is None:
            merged.append(slide)
            continue
        shown = _slide(pages[number - 1], repeated)
        merged.append(replace(shown, number=slide.number, is_hidden=slide.is_hidden, title=slide.title or shown.title))
    return tuple(merged)


def _slide(page: DrawnPage, repeated: frozenset[tuple[str, int]]) -> SlideEvidence:
    seen = [line for line in page.lines if line.is_seen]
    title = _title_lines(seen, repeated)
    pieces = tuple(
        TextPiece(
            text=line.text, box=line.box, size_pt=line.size_pt, is_code=line.is_code, block=line.block,
            is_bullet=bool(_BULLET.match(line.text)) and index not in title,
            role=TextRole.TITLE if index in title else TextRole.FOOTER if _is_footer(line, repeated) else TextRole.BODY,
        )
        for index, line in enumerate(seen)
    )  # fmt: skip
    covers = max((picture.box.width * picture.box.height for picture in page.pictures), default=0.0)
    return SlideEvidence(
        number=page.number, is_readable=page.width_pt > 0, pieces=pieces, pictures=page.pictures, lines=page.lines,
        title=" ".join(seen[index].text for index in sorted(title)), drawn_share=page.drawn_share,
        is_picture=not seen and covers >= _PICTURE_SHARE,
    )  # fmt: skip


def _title_lines(lines: Sequence[DrawnLine], repeated: frozenset[tuple[str, int]]) -> set[int]:
    """Return the indices of the lines of the title: the largest ones, high on the page, next to each other."""
    able = {
        index: line
        for index, line in enumerate(lines)
        if line.is_upright and line.box.y0 < _TITLE_ABOVE and any(letter.isalpha() for letter in line.text)
        and not _is_footer(line, repeated)
    }  # fmt: skip
    if not able:
        return set()
    largest = max(line.size_pt for line in able.values())
    others = [line.size_pt for index, line in enumerate(lines) if index not in able or line.size_pt < 0.97 * largest]
    # A page with all its text in one size has no title that could be told apart.
    if not others or largest < _TITLE_LARGER * sorted(others)[len(others) // 2]:
        return set()
    found = {index for index, line in able.items() if line.size_pt >= 0.97 * largest}
    return found if len(found) <= 3 and len("".join(lines[i].text for i in found)) <= 200 else set()


def _is_footer(line: DrawnLine, repeated: frozenset[tuple[str, int]]) -> bool:
    is_outer = (line.box.y0 >= _FOOTER_BELOW or line.box.y1 <= _HEADER_ABOVE) and (
        line.size_pt <= _FOOTER_PT and len(line.text) <= _FOOTER_LETTERS
    )
    is_number = bool(_NUMBER.match(line.text)) and (line.box.y0 >= 0.85 or line.box.y1 <= 0.15)
    return is_outer or is_number or (line.size_pt <= _FOOTER_PT and _place(line) in repeated)


def _place(line: DrawnLine) -> tuple[str, int]:
    # Numbers change from page to page, the rest of a footer does not.
    return re.sub(r"\d+", "#", line.text), round(line.box.y0 * 50)


def _repeated(pages: Sequence[DrawnPage]) -> frozenset[tuple[str, int]]:
    """Return the lines that stand in the outer fifths of most pages in the same words."""
    counts: Counter[tuple[str, int]] = Counter()
    for page in pages:
        counts.update(
            {
                _place(line)
                for line in page.lines
                if line.size_pt <= _FOOTER_PT and (line.box.y0 > 0.8 or line.box.y1 < 0.2)
            }
        )
    return frozenset(place for place, count in counts.items() if count >= 3 and count > len(pages) / 2)
