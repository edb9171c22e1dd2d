"""Demo Vector: a PDF drawn from shapes on a dark ground, with large numbers and few words."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pymupdf

from podium_demo.charts import Ink, draw_chart
from podium_demo.fonts import CHINESE, SANS, page_face
from podium_demo.outline import DemoInstance, Flaw, Section, Table, Take, with_swaps
from podium_demo.pictures import Paint, draw_picture
from podium_demo.sheet import Sheet, mix

_WIDE, _HIGH = 960.0, 540.0
_MARGIN = 56.0


@dataclass(frozen=True, kw_only=True)
class Night:
    """The colours of a dark deck."""

    ground: str
    panel: str
    text: str
    muted: str
    main: str
    second: str


_PALETTES = {
    "ember": Night(
        ground="#17141f", panel="#241f30", text="#f6f1ea", muted="#a79fb3", main="#ff8a4c", second="#5fb3d9"
    ),
    "aqua": Night(ground="#0c1a26", panel="#142a3b", text="#eef6fa", muted="#8fa9b8", main="#3fd0c0", second="#f7c65b"),
    "jade": Night(ground="#10201a", panel="#1a3229", text="#f3f1e4", muted="#9bb3a4", main="#8ccf8f", second="#e0b15e"),
}


class _Deck:
    """Adds slides to a document in one palette."""

    def __init__(self, instance: DemoInstance, take: Take) -> None:
        self.document = pymupdf.open()
        self._instance = instance
        self._take = take
        night = _PALETTES[take.palette or "ember"]
        if Flaw.PALE in take.flaws:
            night = Night(
                ground=night.ground,
                panel=night.panel,
                text=mix(night.ground, night.text, 0.6),
                muted=mix(night.ground, night.muted, 0.55),
                main=mix(night.ground, night.main, 0.62),
                second=mix(night.ground, night.second, 0.55),
            )
        self.night = night
        family = CHINESE if instance.is_chinese else SANS
        self._faces = (page_face(family), page_face(family, bold=True))

    def say(self, text: str) -> str:
        return with_swaps(text, self._take)

    def _page(self) -> Sheet:
        sheet = Sheet(self.document.new_page(width=_WIDE, height=_HIGH), *self._faces)
        sheet.box((0, 0, _WIDE, _HIGH), self.night.ground)
        return sheet

    def _headed(self, section: Section) -> Sheet:
        sheet, night = self._page(), self.night
        number = len(self.document)
        sheet.box((_MARGIN, 48, _MARGIN + 34, 52), night.main)
        sheet.text((_MARGIN, 62), section.topic, 14, night.main, bold=True)
        sheet.fitted(
            (_MARGIN, 84),
            self.say(section.claim),
            32,
            night.text,
            width=_WIDE - 2 * _MARGIN,
            lines=1,
            bold=True,
        )
        sheet.text((_MARGIN, _HIGH - 34), self._instance.outline.short_title, 11, night.muted)
        sheet.text((_WIDE - _MARGIN, _HIGH - 34), f"{number:02d}", 11, night.muted, align="right")
        return sheet

    def cover(self) -> None:
        sheet, night, outline = self._page(), self.night, self._instance.outline
        sheet.disc((770, 270), 330, night.panel)
        sheet.disc((770, 270), 238, mix(night.panel, night.main, 0.14))
        paint = Paint(dark=mix(night.ground, night.second, 0.75), main=night.main, light=night.text, spark=night.second)
        draw_picture(sheet, self._instance.subject, (630, 130), 280, paint)
        sheet.box((_MARGIN, 150, _MARGIN + 60, 156), night.main)
        bottom = sheet.fitted((_MARGIN, 176), outline.title, 50, night.text, width=430, lines=3, bold=True)
        sheet.text((_MARGIN, bottom + 12), outline.subtitle, 19, night.muted, width=390)
        sheet.text((_MARGIN, _HIGH - 44), outline.byline, 12, night.muted)

    def section(self, section: Section) -> None:
        outline = self._instance.outline
        if section.chart:
            self._with_chart(section)
        elif section.table:
            self._with_table(section, outline.tables[section.table])
        elif section.stats:
            self._with_stats(section)
        else:
            self._with_cards(section)

    def _with_chart(self, section: Section) -> None:
        sheet, night = self._headed(section), self.night
        chart = self._instance.outline.charts[section.chart]
        sheet.box((_MARGIN, 146, 600, 482), night.panel, round_by=14)
        sheet.text((_MARGIN + 24, 164), chart.title, 14, night.muted)
        ink = Ink(
            text=night.text,
            muted=mix(night.panel, night.muted, 0.4),
            series=(night.main, night.second, mix(night.panel, night.main, 0.55), night.muted),
        )
        crowd = 10 if len(chart.categories) > 9 else 13
        draw_chart(sheet, (_MARGIN + 22, 192, 580, 472), chart, ink, size=crowd)
        y = 152.0
        for point in section.points[:3]:
            sheet.box((632, y + 4, 636, y + 84), night.main)
            sheet.text((652, y), point.label, 14, night.main, bold=True)
            sheet.fitted((652, y + 24), self.say(point.brief), 20, night.text, width=250, lines=3)
            y += 112

    def _with_table(self, section: Section, table: Table) -> None:
        sheet, night = self._headed(section), self.night
        rows = (table.header, *table.rows)
        high = min(48.0, 316 / len(rows))
        share = (0.34, *([0.66 / (len(table.header) - 1)] * (len(table.header) - 1)))
        if self._instance.is_chinese:
            share = (0.15, 0.18, 0.44, 0.23)
        wide = _WIDE - 2 * _MARGIN
        for i, row in enumerate(rows):
            top = 150 + i * high
            if i == 0:
                sheet.box((_MARGIN, top, _MARGIN + wide, top + high), night.main, round_by=6)
            elif i % 2 == 0:
                sheet.box((_MARGIN, top, _MARGIN + wide, top + high), night.panel, round_by=6)
            x = _MARGIN + 16
            for k, cell in enumerate(row):
                colour = night.ground if i == 0 else night.second if k == len(row) - 1 else night.text
                sheet.text((x, top + high / 2 - 10), self.say(cell), 16, colour, bold=i == 0 or k == 0)
                x += wide * share[k]

    def _with_stats(self, section: Section) -> None:
        sheet, night = self._headed(section), self.night
        count = len(section.stats)
        wide = (_WIDE - 2 * _MARGIN - 20 * (count - 1)) / count
        for k, stat in enumerate(section.stats):
            x = _MARGIN + k * (wide + 20)
            sheet.box((x, 150, x + wide, 296), night.panel, round_by=14)
            sheet.fitted(
                (x + 22, 168),
                self.say(stat.value),
                54,
                night.main if k % 2 == 0 else night.second,
                width=wide - 40,
                lines=1,
                bold=True,
            )
            sheet.text((x + 24, 244), stat.label, 16, night.muted, width=wide - 40)
        self._columns(sheet, section, 326)

    def _with_cards(self, section: Section) -> None:
        sheet, night = self._headed(section), self.night
        count = len(section.points)
        wide = (_WIDE - 2 * _MARGIN - 20 * (count - 1)) / count
        for k, point in enumerate(section.points):
            x = _MARGIN + k * (wide + 20)
            sheet.box((x, 158, x + wide, 470), night.panel, round_by=14)
            sheet.disc((x + 44, 206), 22, night.main if k % 2 == 0 else night.second)
            sheet.text((x + 44, 194), str(k + 1), 20, night.ground, bold=True, align="centre")
            sheet.fitted((x + 24, 250), point.label, 24, night.text, width=wide - 44, lines=1, bold=True)
            sheet.text((x + 24, 292), self.say(point.full), 18, mix(night.muted, night.text, 0.4), width=wide - 44)

    def _columns(self, sheet: Sheet, section: Section, top: float) -> None:
        night = self.night
        points = section.points[:3]
        wide = (_WIDE - 2 * _MARGIN - 28 * (len(points) - 1)) / len(points)
        for k, point in enumerate(points):
            x = _MARGIN + k * (wide + 28)
            sheet.line((x, top), (x + wide, top), mix(night.ground, night.muted, 0.5), 1)
            sheet.text((x, top + 14), point.label, 16, night.main, bold=True)
            sheet.text((x, top + 40), self.say(point.brief), 19, night.text, width=wide)

    def closing(self) -> None:
        sheet, night, outline = self._page(), self.night, self._instance.outline
        sheet.box((0, 0, 300, _HIGH), night.main)
        sheet.fitted((_MARGIN, 60), outline.summary, 40, night.ground, width=220, lines=3, bold=True)
        paint = Paint(dark=night.ground, main=night.panel, light=night.text, spark=night.second)
        draw_picture(sheet, self._instance.subject, (50, 290), 200, paint)
        y = 84.0
        for k, line in enumerate(outline.takeaways):
            sheet.text((356, y - 8), str(k + 1), 44, night.main, bold=True)
            sheet.fitted((410, y + 4), self.say(line), 24, night.text, width=500, lines=2)
            y += 100


def build(instance: DemoInstance, take: Take, target: Path) -> None:
    """Write the instance's deck in this style to the PDF file `target`."""
    deck = _Deck(instance, take)
    deck.cover()
    for index in take.sections:
        deck.section(instance.outline.sections[index])
    deck.closing()
    with deck.document as document:
        document.set_metadata({"title": instance.outline.title, "producer": "Demo Vector (invented)"})
        document.subset_fonts()
        # A new id would make every build differ.
        target.write_bytes(document.tobytes(garbage=3, deflate=True, no_new_id=True))
