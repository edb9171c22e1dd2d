"""Demo Minimal: a bare PPTX of titles and bullets in the slide layouts that python-pptx brings along."""

from __future__ import annotations

import io
from pathlib import Path

from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.oxml.ns import qn
from pptx.slide import Slide
from pptx.text.text import TextFrame
from pptx.util import Inches, Pt

from podium_demo.charts import Ink, chart_png
from podium_demo.content import excerpt
from podium_demo.fixed_archive import fixed
from podium_demo.fonts import PLAIN, face
from podium_demo.outline import DemoInstance, Flaw, Section, Take, with_swaps
from podium_demo.styles.pptx_parts import set_chinese

_GROUNDS = {"white": None, "sky": "C9DDF0"}
_PALE = RGBColor(0x7B, 0x93, 0xAA)


class _Deck:
    """Adds bullet slides to a presentation."""

    def __init__(self, instance: DemoInstance, take: Take) -> None:
        self.presentation = Presentation()
        # The shape of the template itself is 4:3; decks on "white" keep it.
        self._is_wide = take.palette != "white"
        if self._is_wide:
            self._widen()
        self._instance = instance
        self._take = take

    def _widen(self) -> None:
        old = self.presentation.slide_width
        self.presentation.slide_width = Inches(13.333)
        factor = self.presentation.slide_width / old
        for owner in (self.presentation.slide_master, *self.presentation.slide_layouts):
            for shape in owner.placeholders:
                if shape.element.spPr.find(qn("a:xfrm")) is not None:
                    shape.left, shape.width = round(shape.left * factor), round(shape.width * factor)

    def _new(self, layout: int, title: str) -> Slide:
        slide = self.presentation.slides.add_slide(self.presentation.slide_layouts[layout])
        ground = _GROUNDS.get(self._take.palette)
        if ground:
            slide.background.fill.solid()
            slide.background.fill.fore_color.rgb = RGBColor.from_string(ground)
        self._fill(slide.shapes.title.text_frame, [title], 40 if layout == 0 else 32)
        return slide

    def _fill(self, frame: TextFrame, lines: list[str], size: float, *, is_body: bool = False) -> None:
        frame.word_wrap = True
        for i, line in enumerate(lines):
            paragraph = frame.paragraphs[0] if i == 0 else frame.add_paragraph()
            run = paragraph.add_run()
            run.text = with_swaps(line, self._take)
            run.font.size = Pt(size)
            if self._instance.is_chinese:
                set_chinese(run)
            if is_body and Flaw.PALE in self._take.flaws:
                run.font.color.rgb = _PALE

    def cover(self) -> None:
        outline = self._instance.outline
        slide = self._new(0, outline.title)
        self._fill(slide.placeholders[1].text_frame, [outline.subtitle, outline.byline], 22, is_body=True)

    def section(self, section: Section) -> None:
        slide = self._new(1, section.topic)
        is_crowded = Flaw.CROWDED in self._take.flaws
        lines = [p.full for p in section.points]
        if is_crowded:
            lines = [*excerpt(self._instance, section), *lines]
        if is_crowded and section.table:
            table = self._instance.outline.tables[section.table]
            lines += ["; ".join(c for c in row if c) for row in table.rows]
        body = slide.placeholders[1]
        self._fill(body.text_frame, lines, 16 if is_crowded else 26, is_body=True)
        if section.chart and self._instance.name == "white-roofs-paper" and section.chart == "hours":
            self._picture(slide, section)

    def _picture(self, slide: Slide, section: Section) -> None:
        chart = self._instance.outline.charts[section.chart]
        ink = Ink(text="#333333", muted="#bbbbbb", series=("#1f4e9e", "#c0504d"))
        png = chart_png(chart, ink, (face(PLAIN), face(PLAIN, bold=True)), (480, 270), 1.5)
        left = round(self.presentation.slide_width * 0.55)
        slide.shapes.add_picture(io.BytesIO(png), left, Inches(2.4), width=Inches(5.4))
        slide.placeholders[1].left, slide.placeholders[1].top = Inches(0.6), Inches(1.75)
        slide.placeholders[1].width, slide.placeholders[1].height = Inches(6.6), Inches(4.9)

    def closing(self) -> None:
        outline = self._instance.outline
        slide = self._new(1, outline.summary)
        self._fill(slide.placeholders[1].text_frame, list(outline.takeaways), 28, is_body=True)


def build(instance: DemoInstance, take: Take, target: Path) -> None:
    """Write the instance's deck in this style to the PPTX file `target`."""
    deck = _Deck(instance, take)
    deck.cover()
    order = list(take.sections)
    if Flaw.REPEATED in take.flaws:
        order.insert(3, order[1])
    for index in order:
        deck.section(instance.outline.sections[index])
    deck.closing()
    out = io.BytesIO()
    deck.presentation.save(out)
    target.write_bytes(fixed(out.getvalue()))
