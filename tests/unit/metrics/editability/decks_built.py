"""Decks that the editability tests build, one class of system after the other."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

from lxml import etree
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.util import Emu, Inches, Pt

WIDE, HIGH = 12_192_000, 6_858_000
TITLE_ONLY, BLANK, TITLE_AND_CONTENT = 5, 6, 1

_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
FADE = f'<p:transition xmlns:p="{_P}"><p:fade/></p:transition>'
VIDEO = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/video"


class Built:
    """A 16:9 deck under construction."""

    def __init__(self):
        self.presentation = Presentation()
        self.presentation.slide_width, self.presentation.slide_height = WIDE, HIGH

    def slide(self, layout=BLANK, title=None):
        slide = self.presentation.slides.add_slide(self.presentation.slide_layouts[layout])
        if title is not None:
            slide.shapes.title.text = title
        return slide

    def save(self, path: Path) -> Path:
        self.presentation.save(str(path))
        return path


def text(slide, words, *, left=1.0, top=1.0, width=8.0, height=0.5, size=18):
    """Add a text box; inches and points."""
    box = slide.shapes.add_textbox(Inches(left), Inches(top), Inches(width), Inches(height))
    box.text_frame.word_wrap = True
    run = box.text_frame.paragraphs[0].add_run()
    run.text = words
    run.font.size = Pt(size)
    return box


def picture(slide, *, width_share=1.0, height_share=1.0, name=None):
    """Add a picture at the upper left that takes these shares of the slide's sides."""
    data = io.BytesIO()
    Image.new("RGB", (32, 18), (40, 90, 160)).save(data, "PNG")
    data.seek(0)
    shape = slide.shapes.add_picture(data, 0, 0, Emu(round(WIDE * width_share)), Emu(round(HIGH * height_share)))
    if name:
        shape.name = name
    return shape


def rectangles(shapes, number):
    """Add small drawn rectangles without text."""
    return [
        shapes.add_shape(MSO_SHAPE.RECTANGLE, Inches(0.5 + 0.3 * index), Inches(5), Inches(0.2), Inches(0.2))
        for index in range(number)
    ]


def line(slide):
    return slide.shapes.add_connector(MSO_CONNECTOR.STRAIGHT, Inches(1), Inches(3), Inches(4), Inches(4))


def freeform(slide):
    builder = slide.shapes.build_freeform(Inches(1), Inches(1))
    builder.add_line_segments([(Inches(2), Inches(1)), (Inches(2), Inches(2))])
    return builder.convert_to_shape()


def table(slide, rows=2, columns=2):
    return slide.shapes.add_table(rows, columns, Inches(1), Inches(3), Inches(4), Inches(1)).table


def chart(slide, name=None):
    """Add a bar chart: two categories, one series 3, 5."""
    data = CategoryChartData()
    data.categories = ["north", "south"]
    data.add_series("sales", (3, 5))
    shape = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(2), Inches(5), Inches(3), data)
    if name:
        shape.name = name
    return shape


def transition(slide):
    slide._element.append(etree.fromstring(FADE))


def effect(slide, shape):
    """Add a fade-in on click; the timing stands in the order in which PowerPoint writes it."""
    slide._element.append(
        etree.fromstring(
            f'<p:timing xmlns:p="{_P}"><p:tnLst><p:par><p:cTn id="1" dur="indefinite" nodeType="tmRoot">'
            '<p:childTnLst><p:seq><p:cTn id="2" dur="indefinite" nodeType="mainSeq"><p:childTnLst><p:par>'
            '<p:cTn id="3" presetID="10" presetClass="entr" presetSubtype="0" nodeType="clickEffect"><p:childTnLst>'
            f'<p:set><p:cBhvr><p:cTn id="4" dur="500"/><p:tgtEl><p:spTgt spid="{shape.shape_id}"/></p:tgtEl>'
            "</p:cBhvr></p:set></p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:seq></p:childTnLst>"
            f'</p:cTn></p:par></p:tnLst><p:bldLst><p:bldP spid="{shape.shape_id}" grpId="0"/></p:bldLst></p:timing>'
        )
    )


def linked_video(slide):
    """Give the slide a video that is somewhere else."""
    slide.part.rels.get_or_add_ext_rel(VIDEO, "https://example.org/film.mp4")


def embedded_video(slide):
    return slide.shapes.add_movie(
        io.BytesIO(b"\x00\x00\x00\x18ftypmp42"), Inches(1), Inches(1), Inches(3), Inches(2), mime_type="video/mp4"
    )


def hide(slide):
    slide._element.set("show", "0")


def rewritten(path: Path, change: Callable[[str, bytes], bytes | None], name: str = "changed.pptx") -> Path:
    """Write the deck again beside itself with each member changed; None leaves one out."""
    out = path.with_name(name)
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.namelist():
            data = change(member, old.read(member))
            if data is not None:
                new.writestr(member, data)
    return out


def replaced(path: Path, pairs: Iterable[tuple[str, bytes, bytes]], name: str = "changed.pptx") -> Path:
    """Write the deck again with bytes replaced in the members whose name contains a text."""

    def change(member, data):
        for part, old, new in pairs:
            if part in member:
                assert old in data, f"{member} has no {old!r}"
                data = data.replace(old, new)
        return data

    return rewritten(path, change, name)


def picture_only(path):
    """Each slide one picture: what a PDF exported as pictures becomes."""
    deck = Built()
    for _ in range(4):
        picture(deck.slide())
    return deck.save(path)


def picture_with_overlay(path):
    """Each slide one picture with editable words on it."""
    deck = Built()
    for number in range(4):
        slide = deck.slide()
        picture(slide)
        text(slide, f"Words over picture number {number}")
    return deck.save(path)


def loose_shapes(path):
    """Text boxes and many loose shapes on blank layouts, as converters from HTML write them; with charts."""
    deck = Built()
    for number in range(4):
        slide = deck.slide()
        text(slide, f"Heading of slide {number}", size=32)
        rectangles(slide.shapes, 14)
        chart(slide)
    return deck.save(path)


def template(path, *, is_animated=False, with_chart=False):
    """Titles and content in placeholders, with a few shapes."""
    deck = Built()
    for number in range(4):
        slide = deck.slide(TITLE_AND_CONTENT, f"Heading of slide {number}")
        slide.placeholders[1].text = "First point\nSecond point"
        rectangles(slide.shapes, 3)
        if with_chart:
            chart(slide)
        if is_animated:
            effect(slide, slide.shapes.title)
            transition(slide)
    return deck.save(path)
