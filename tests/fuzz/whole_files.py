"""Whole files of every format, small, made here; and those of the shared corpus where it is."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from tests.shared_files import shared_root
from tests.unit.decks.decks_made_here import pdf_bytes

_CORPUS_BYTES = 160_000
_CORPUS_SUFFIXES = frozenset({".pptx", ".pdf", ".ppt", ".html"})

_ODP_CONTENT = """<?xml version="1.0" encoding="UTF-8"?><office:document-content
 xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
 xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2"><office:body>
 <office:presentation>{pages}</office:presentation></office:body></office:document-content>"""
_ODP_PAGE = """<draw:page draw:name="p{n}"><draw:frame svg:x="2cm" svg:y="2cm" svg:width="12cm" svg:height="3cm">
 <draw:text-box><text:p>open slide number {n}</text:p></draw:text-box></draw:frame></draw:page>"""
_ODP_MANIFEST = """<?xml version="1.0" encoding="UTF-8"?><manifest:manifest
 xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/"
 manifest:media-type="application/vnd.oasis.opendocument.presentation"/><manifest:file-entry
 manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>"""
_HTML = """<!doctype html><html><head><meta charset="utf-8"><title>A deck</title></head><body><div class="reveal">
<div class="slides"><section><h1>First</h1><p>words of one</p></section><section><section><h2>Up</h2></section>
<section><h2>Down</h2><img src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==">
</section></section></div></div></body></html>"""


def pptx_bytes() -> bytes:
    """Return a deck with words, notes, a table, a chart, a picture, a group and a hidden slide."""
    presentation = Presentation()
    for number in range(4):
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = f"Title of slide {number + 1}"
    first, second, third, fourth = presentation.slides
    place = (Inches(1), Inches(2), Inches(6), Inches(3))
    first.notes_slide.notes_text_frame.text = "what to say"
    table = first.shapes.add_table(2, 2, *place).table
    table.cell(0, 0).text = "cell"
    data = CategoryChartData()
    data.categories = ["a", "b"]
    data.add_series("s", [1, 2])
    second.shapes.add_chart(XL_CHART_TYPE.PIE, *place, data)
    third.shapes.add_picture(io.BytesIO(png_bytes()), *place)
    group = third.shapes.add_group_shape()
    group.shapes.add_textbox(*place).text_frame.text = "inside a group"
    fourth._element.set("show", "0")
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def png_bytes() -> bytes:
    """Return a small picture."""
    out = io.BytesIO()
    Image.linear_gradient("L").resize((160, 90)).convert("RGB").save(out, "PNG")
    return out.getvalue()


def odp_bytes() -> bytes:
    """Return an OpenDocument presentation of two slides."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.presentation")
        archive.writestr("META-INF/manifest.xml", _ODP_MANIFEST)
        archive.writestr("content.xml", _ODP_CONTENT.format(pages=_ODP_PAGE.format(n=1) + _ODP_PAGE.format(n=2)))
    return out.getvalue()


def images_zip_bytes() -> bytes:
    """Return two page pictures in a zip."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("slide_1.png", png_bytes())
        archive.writestr("slide_2.png", png_bytes())
    return out.getvalue()


def made_here() -> dict[str, bytes]:
    """Return whole files by name, one of every format that can be made without other programs."""
    return {
        "deck.pptx": pptx_bytes(),
        "deck.odp": odp_bytes(),
        "deck.pdf": pdf_bytes([(720, 405, "page one"), (720, 405, "page two"), (540, 720, "")]),
        "deck.html": _HTML.encode(),
        "pages.zip": images_zip_bytes(),
        "page.png": png_bytes(),
    }


def from_corpus() -> list[Path]:
    """Return the small files of the shared corpus, sorted; none where it is missing."""
    root = shared_root()
    if root is None:
        return []
    return sorted(
        path
        for path in (root / "corpus").rglob("*")
        if path.suffix.lower() in _CORPUS_SUFFIXES and 0 < path.stat().st_size <= _CORPUS_BYTES
    )
