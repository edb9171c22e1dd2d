"""Decks made for the rules, one fault at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Inches, Pt

from studio.checklists.rules import judge_by_code
from studio.decks.evidence import read_evidence
from studio.decks.evidence.drawn import drawn_pdf
from studio.decks.render import find_tools
from studio.decks.sniff import sniff
from studio.model.checklists import EvidenceBox, Finding, ItemAnswer, RuleCall
from studio.model.deck_evidence import DeckEvidence
from studio.model.protocols import CancelToken

YES, NO, NOT_APPLICABLE = ItemAnswer.YES, ItemAnswer.NO, ItemAnswer.NOT_APPLICABLE
TITLE, TITLE_AND_BODY, SECTION, TITLE_ONLY, BLANK = 0, 1, 2, 5, 6
"""Layouts of python-pptx's own template, whose slides are 10 by 7.5 inches: 720 by 540 points."""


class Pptx:
    """A deck under construction."""

    def __init__(self) -> None:
        self.deck = Presentation()

    def slide(self, layout: int, *texts: str) -> Any:
        """Add a slide; the texts fill its placeholders, lines becoming paragraphs."""
        slide = self.deck.slides.add_slide(self.deck.slide_layouts[layout])
        for holder, text in zip(slide.placeholders, texts, strict=False):
            holder.text_frame.text = text
        return slide

    def hide(self, number: int) -> None:
        """Hide a slide."""
        self.deck.slides[number - 1]._element.set("show", "0")

    def save(self, folder: Path) -> Path:
        """Write the deck."""
        path = folder / "deck.pptx"
        self.deck.save(str(path))
        return path


def box(slide: Any, text: str, at: Sequence[float], size_pt: float = 18.0, font: str = "") -> Any:
    """Add a text box at x, y, width, height in inches."""
    shape = slide.shapes.add_textbox(*(Inches(value) for value in at))
    shape.text_frame.word_wrap = True
    shape.text_frame.text = text
    for paragraph in shape.text_frame.paragraphs:
        for run in paragraph.runs:
            run.font.size = Pt(size_pt)
            if font:
                run.font.name = font
    return shape


def picture(folder: Path, width: int, height: int) -> Path:
    """Write a picture with something on it."""
    path = folder / f"picture_{width}x{height}.png"
    Image.linear_gradient("L").resize((width, height)).convert("RGB").save(path)
    return path


def evidence_of(path: Path, pdf: Path | None = None) -> DeckEvidence:
    """Return what is known of a file."""
    found = sniff(path).deck_format
    assert found is not None
    return read_evidence(path, format=found, pdf=pdf)


def drawn_evidence(path: Path, folder: Path) -> DeckEvidence:
    """Return what is known of a file with its pages drawn; skips without the program for that."""
    tools = find_tools()
    found = sniff(path).deck_format
    assert found is not None
    if tools.libreoffice is None:
        pytest.skip("needs LibreOffice")
    pages = drawn_pdf(path, folder, format=found, tools=tools, cancel=_NEVER)
    assert pages.pdf is not None, pages.reason
    return read_evidence(path, format=found, pdf=pages.pdf)


class _Never:
    def is_set(self) -> bool:
        return False

    def wait(self, timeout: float | None = None) -> bool:
        return False


_NEVER: CancelToken = _Never()


def judge(evidence: DeckEvidence, rule: str, **parameters: object) -> Finding:
    """Return what a rule says."""
    return judge_by_code(evidence, RuleCall(rule=rule, parameters=parameters))


def pdf(folder: Path, *pages: Callable[[Any], object], size: tuple[float, float] = (960.0, 540.0)) -> Path:
    """Write a PDF; each function draws one page."""
    path = folder / "deck.pdf"
    with pymupdf.open() as document:
        for draw in pages:
            draw(document.new_page(width=size[0], height=size[1]))
        document.save(str(path))
    return path


def text_at(text: str, x: float, y: float, size: float = 24.0, colour: tuple[float, float, float] = (0, 0, 0)) -> Any:
    """Return a function that writes a line with its base line at y, in points."""
    return lambda page: page.insert_text((x, y), text, fontsize=size, color=colour, fontname="helv")


def slides_of(finding: Finding) -> list[int]:
    """Return the slides that a finding marks, each once."""
    return sorted({each.slide for each in finding.boxes})


def near(found: EvidenceBox, slide: int, x0: float, y0: float, x1: float, y1: float, within: float = 0.02) -> bool:
    """Say whether a mark is where it should be."""
    places = zip((found.x0, found.y0, found.x1, found.y1), (x0, y0, x1, y1), strict=True)
    return found.slide == slide and all(abs(a - b) <= within for a, b in places)
