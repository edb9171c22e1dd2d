"""Demo Template: a PPTX with a master of its own, native charts and tables, groups, notes and entrances."""

from __future__ import annotations

import io
from pathlib import Path
from typing import NamedTuple

from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LABEL_POSITION, XL_LEGEND_POSITION
from pptx.enum.dml import MSO_THEME_COLOR as THEME
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.shapes.group import GroupShape
from pptx.slide import Slide
from pptx.text.text import TextFrame
from pptx.util import Emu, Inches, Length, Pt

from podium_demo.fixed_archive import fixed
from podium_demo.outline import Chart, ChartKind, DemoInstance, Flaw, Section, Stat, Table, Take, with_swaps
from podium_demo.pictures import Paint, picture_png
from podium_demo.styles import pptx_parts as parts
from podium_demo.styles.template_master import PALETTES, Layout, master


class _Box(NamedTuple):
    """Left, top, width and height in inches."""

    x: float
    y: float
    w: float
    h: float

    def emu(self) -> tuple[Length, Length, Length, Length]:
        return Inches(self.x), Inches(self.y), Inches(self.w), Inches(self.h)


class _Deck:
    """Adds slides in one palette."""

    def __init__(self, instance: DemoInstance, take: Take) -> None:
        self.presentation = master(PALETTES[take.palette or "harbour"])
        self._instance = instance
        self._take = take

    def _new(self, layout: Layout, title: str, notes: str) -> Slide:
        slide = self.presentation.slides.add_slide(self.presentation.slide_layouts[layout])
        self._write(slide.shapes.title.text_frame, title)
        if notes:
            slide.notes_slide.notes_text_frame.text = with_swaps(notes, self._take)
        return slide

    def _write(
        self,
        frame: TextFrame,
        text: str,
        size: float | None = None,
        colour: THEME | None = None,
        *,
        bold: bool | None = None,
        align: PP_ALIGN | None = None,
        more: bool = False,
        after: float = 0,
    ) -> None:
        paragraph = frame.add_paragraph() if more else frame.paragraphs[0]
        run = paragraph.add_run()
        run.text = with_swaps(text, self._take)
        if self._instance.is_chinese:
            parts.set_chinese(run)
        if size is not None:
            run.font.size = Pt(size)
        if bold is not None:
            run.font.bold = bold
        if colour is not None:
            run.font.color.theme_color = colour
        if align is not None:
            paragraph.alignment = align
        if after:
            paragraph.space_after = Pt(after)

    def _shape(self, owner: Slide | GroupShape, kind: MSO_SHAPE, box: _Box, fill: THEME) -> TextFrame:
        shape = owner.shapes.add_shape(kind, *box.emu())
        shape.fill.solid()
        shape.fill.fore_color.theme_color = fill
        shape.line.fill.background()
        shape.shadow.inherit = False
        if kind == MSO_SHAPE.ROUNDED_RECTANGLE:
            shape.adjustments[0] = 0.06
        frame = shape.text_frame
        frame.word_wrap = True
        return frame

    def _label(self, owner: Slide | GroupShape, box: _Box) -> TextFrame:
        frame = owner.shapes.add_textbox(*box.emu()).text_frame
        frame.word_wrap = True
        frame.margin_left = frame.margin_right = Emu(0)
        return frame

    def cover(self) -> None:
        outline = self._instance.outline
        slide = self._new(Layout.TITLE, outline.title, outline.byline)
        frame = slide.placeholders[1].text_frame
        self._write(frame, outline.subtitle)
        self._write(frame, outline.byline, 14, more=True)
        self._picture(slide, _Box(8.75, 1.9, 3.6, 3.6))
        parts.add_transition(slide)

    def _picture(self, slide: Slide, box: _Box) -> None:
        colours = {name: f"#{value}" for name, value in PALETTES[self._take.palette or "harbour"].items()}
        paint = Paint(dark=colours["accent6"], main=colours["accent2"], light=colours["lt1"], spark=colours["accent4"])
        picture = slide.shapes.add_picture(io.BytesIO(picture_png(self._instance.subject, paint, 640)), *box.emu())
        picture.name = "Illustration"

    def agenda(self) -> None:
        outline = self._instance.outline
        slide = self._new(Layout.HEADING, outline.agenda, "")
        chosen = [outline.sections[i] for i in self._take.sections]
        half = (len(chosen) + 1) // 2
        groups = []
        for k, section in enumerate(chosen):
            x, y = 0.9 + (k // half) * 6.0, 1.9 + (k % half) * 1.18
            group = slide.shapes.add_group_shape()
            disc = self._shape(group, MSO_SHAPE.OVAL, _Box(x, y, 0.72, 0.72), THEME.ACCENT_1)
            self._write(disc, str(k + 1), 20, THEME.BACKGROUND_1, bold=True, align=PP_ALIGN.CENTER)
            disc.vertical_anchor = MSO_ANCHOR.MIDDLE
            frame = self._label(group, _Box(x + 0.95, y, 4.7, 0.72))
            frame.vertical_anchor = MSO_ANCHOR.MIDDLE
            self._write(frame, section.topic, 22, THEME.TEXT_1, bold=True)
            groups.append(group.shape_id)
        parts.add_transition(slide)
        parts.add_entrances(slide, groups)

    def section(self, section: Section) -> None:
        outline = self._instance.outline
        if section.chart:
            self._with_chart(section, outline.charts[section.chart])
        elif section.table:
            self._with_table(section, outline.tables[section.table])
        elif section.stats:
            self._with_stats(section)
        else:
            self._with_cards(section)

    def _points(self, frame: TextFrame, section: Section, *, size: float = 21) -> None:
        for k, point in enumerate(section.points):
            self._write(frame, point.label, size, THEME.ACCENT_1, bold=True, more=k > 0)
            self._write(frame, point.brief, size, more=True, after=12)

    def _with_chart(self, section: Section, chart: Chart) -> None:
        slide = self._new(Layout.TWO, section.claim, section.notes)
        self._points(slide.placeholders[1].text_frame, section)
        place = slide.placeholders[2]
        box = (place.left, place.top, place.width, place.height)
        place.element.getparent().remove(place.element)
        data = CategoryChartData()
        data.categories = chart.categories
        for series in chart.series:
            data.add_series(series.name, series.values)
        kinds = {
            ChartKind.BAR: XL_CHART_TYPE.COLUMN_CLUSTERED,
            ChartKind.LINE: XL_CHART_TYPE.LINE_MARKERS,
            ChartKind.SHARE: XL_CHART_TYPE.DOUGHNUT,
        }
        frame = slide.shapes.add_chart(kinds[chart.kind], *box, data)
        self._style_chart(frame.chart, chart)
        parts.add_transition(slide)

    def _style_chart(self, drawn: object, chart: Chart) -> None:
        drawn.font.size = Pt(13)  # type: ignore[attr-defined]
        drawn.has_title = True  # type: ignore[attr-defined]
        self._write(drawn.chart_title.text_frame, chart.title, 14, THEME.TEXT_2, bold=True)  # type: ignore[attr-defined]
        plot = drawn.plots[0]  # type: ignore[attr-defined]
        is_share = chart.kind is ChartKind.SHARE
        drawn.has_legend = is_share or len(chart.series) > 1  # type: ignore[attr-defined]
        if drawn.has_legend:  # type: ignore[attr-defined]
            drawn.legend.position = XL_LEGEND_POSITION.BOTTOM  # type: ignore[attr-defined]
            drawn.legend.include_in_layout = False  # type: ignore[attr-defined]
        if chart.kind is not ChartKind.LINE:
            plot.has_data_labels = True
            plot.data_labels.font.size = Pt(12)
            plot.data_labels.show_value = True
        colours = (THEME.ACCENT_1, THEME.ACCENT_2, THEME.ACCENT_4, THEME.ACCENT_5)
        if is_share:
            plot.data_labels.font.color.rgb = RGBColor(0xFF, 0xFF, 0xFF)
            for k in range(len(chart.categories)):
                fill = plot.series[0].points[k].format.fill
                fill.solid()
                fill.fore_color.theme_color = colours[k]
            return
        drawn.value_axis.major_gridlines.format.line.color.theme_color = THEME.BACKGROUND_2  # type: ignore[attr-defined]
        drawn.value_axis.format.line.fill.background()  # type: ignore[attr-defined]
        drawn.value_axis.tick_labels.font.size = Pt(11)  # type: ignore[attr-defined]
        drawn.value_axis.minimum_scale = 0  # type: ignore[attr-defined]
        for k, series in enumerate(plot.series):
            if chart.kind is ChartKind.LINE:
                series.smooth = False
                series.format.line.color.theme_color = colours[k]
                series.format.line.width = Pt(3)
                series.marker.format.fill.solid()
                series.marker.format.fill.fore_color.theme_color = colours[k]
                series.marker.format.line.color.theme_color = colours[k]
            else:
                series.format.fill.solid()
                series.format.fill.fore_color.theme_color = colours[k]
        if chart.kind is ChartKind.BAR:
            plot.gap_width = 60
            plot.overlap = -5
            plot.data_labels.position = XL_LABEL_POSITION.OUTSIDE_END

    def _with_table(self, section: Section, table: Table) -> None:
        slide = self._new(Layout.HEADING, section.claim, section.notes)
        high = min(0.62, 3.9 / (len(table.rows) + 1))
        box = _Box(0.85, 1.85, 11.6, high * (len(table.rows) + 1))
        grid = slide.shapes.add_table(len(table.rows) + 1, len(table.header), *box.emu()).table
        if self._instance.is_chinese and max(len(row[2]) for row in table.rows) > 8:
            for k, width in enumerate((2.0, 2.2, 4.6, 2.8)):
                grid.columns[k].width = Inches(width)
        for i, row in enumerate((table.header, *table.rows)):
            for k, text in enumerate(row):
                cell = grid.cell(i, k)
                cell.vertical_anchor = MSO_ANCHOR.MIDDLE
                cell.fill.solid()
                ground = THEME.ACCENT_1 if i == 0 else THEME.BACKGROUND_2 if i % 2 == 0 else THEME.BACKGROUND_1
                cell.fill.fore_color.theme_color = ground
                colour = THEME.BACKGROUND_1 if i == 0 else THEME.TEXT_1
                self._write(cell.text_frame, text, 18, colour, bold=i == 0 or k == 0)
        foot = self._label(slide, _Box(0.9, 6.02, 11.5, 0.6))
        self._write(foot, "  ·  ".join(f"{p.label}: {p.brief}" for p in section.points[:2]), 16, THEME.TEXT_2)
        parts.add_transition(slide)

    def _with_stats(self, section: Section) -> None:
        slide = self._new(Layout.HEADING, section.claim, section.notes)
        self._stats(slide, section.stats)
        frame = self._label(slide, _Box(0.9, 4.15, 11.5, 2.3))
        for k, point in enumerate(section.points[:4]):
            self._write(frame, f"{point.label} – {point.brief}", 23, THEME.TEXT_1, more=k > 0, after=8)
        parts.add_transition(slide)

    def _stats(self, slide: Slide, stats: tuple[Stat, ...]) -> None:
        wide = (11.6 - 0.3 * (len(stats) - 1)) / len(stats)
        for k, stat in enumerate(stats):
            group = slide.shapes.add_group_shape()
            x = 0.85 + k * (wide + 0.3)
            self._shape(group, MSO_SHAPE.ROUNDED_RECTANGLE, _Box(x, 1.85, wide, 1.95), THEME.BACKGROUND_2)
            self._shape(group, MSO_SHAPE.RECTANGLE, _Box(x, 1.98, 0.09, 1.69), THEME.ACCENT_2)
            big = self._label(group, _Box(x + 0.3, 1.98, wide - 0.4, 1.0))
            self._write(big, stat.value, 44, THEME.ACCENT_1, bold=True)
            small = self._label(group, _Box(x + 0.3, 2.98, wide - 0.4, 0.6))
            self._write(small, stat.label, 17, THEME.TEXT_2)

    def _with_cards(self, section: Section) -> None:
        slide = self._new(Layout.HEADING, section.claim, section.notes)
        count = len(section.points)
        wide = (11.6 - 0.3 * (count - 1)) / count
        ids = []
        for k, point in enumerate(section.points):
            x = 0.85 + k * (wide + 0.3)
            group = slide.shapes.add_group_shape()
            self._shape(group, MSO_SHAPE.ROUNDED_RECTANGLE, _Box(x, 1.9, wide, 4.3), THEME.BACKGROUND_2)
            bar = (THEME.ACCENT_1, THEME.ACCENT_2)[k % 2]
            self._shape(group, MSO_SHAPE.RECTANGLE, _Box(x + 0.28, 2.2, 0.7, 0.09), bar)
            head = self._label(group, _Box(x + 0.28, 2.4, wide - 0.5, 0.6))
            self._write(head, point.label, 24, THEME.ACCENT_1, bold=True)
            body = self._label(group, _Box(x + 0.28, 3.05, wide - 0.5, 3.0))
            self._write(body, point.full, 21 if count < 4 else 19, THEME.TEXT_1)
            ids.append(group.shape_id)
        parts.add_transition(slide)
        parts.add_entrances(slide, ids)

    def closing(self) -> None:
        outline = self._instance.outline
        slide = self._new(Layout.CLOSING, outline.summary, outline.byline)
        frame = slide.placeholders[1].text_frame
        for k, line in enumerate(outline.takeaways):
            self._write(frame, line, more=k > 0)
        self._picture(slide, _Box(10.0, 3.9, 2.6, 2.6))
        parts.add_transition(slide)

    def leftover(self) -> None:
        """Add the slide that somebody forgot to fill."""
        slide = self._new(Layout.TWO, "Insert customer quotes here", "")
        self._write(slide.placeholders[1].text_frame, "Quote 1")
        self._write(slide.placeholders[2].text_frame, "Quote 2")

    def backup(self, table: Table) -> None:
        """Add a hidden slide with the numbers behind a chart."""
        section = Section(topic="Backup", claim=f"Backup: {table.title.lower()}", points=())
        self._with_table(section, table)
        parts.hide(self.presentation.slides[len(self.presentation.slides) - 1])


def build(instance: DemoInstance, take: Take, target: Path) -> None:
    """Write the instance's deck in this style to the PPTX file `target`."""
    deck = _Deck(instance, take)
    deck.cover()
    deck.agenda()
    for index in take.sections:
        deck.section(instance.outline.sections[index])
    if Flaw.LEFTOVER in take.flaws:
        deck.leftover()
    deck.closing()
    if instance.name == "library-year":
        deck.backup(instance.outline.tables["loans"])
    out = io.BytesIO()
    deck.presentation.core_properties.title = instance.outline.title
    deck.presentation.core_properties.author = "Demo Template (invented)"
    deck.presentation.save(out)
    target.write_bytes(fixed(out.getvalue()))
