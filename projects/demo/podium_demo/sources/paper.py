"""Sources as PDF: Markdown set by MuPDF's story in two columns, or in one for the Chinese text."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pymupdf
from markdown_it import MarkdownIt

from podium_demo.fonts import CHINESE, PLAIN, page_face
from podium_demo.outline import DemoInstance
from podium_demo.sheet import Sheet
from podium_demo.sources.figures import PREFIX, figure_png

_WIDE, _HIGH = 482.0, 680.0
"""170 × 240 mm, the page of many journals."""

_STYLE = """
body { margin: 0; font-family: serif; font-size: 10pt; line-height: 1.36; text-align: justify; }
h1 { font-size: 21pt; text-align: left; line-height: 1.15; margin: 0 0 8pt 0; }
h2 { font-size: 11.5pt; margin: 9pt 0 3pt 0; }
h3 { font-size: 10pt; font-style: italic; margin: 7pt 0 2pt 0; }
p { margin: 0 0 5pt 0; } li { margin-bottom: 2pt; }
table { font-size: 8pt; margin: 3pt 0 8pt 0; text-align: left; }
th { border-bottom: 1pt solid #000000; padding: 2pt; }
td { border-bottom: 0.4pt solid #999999; padding: 2pt; }
.caption { font-size: 8pt; text-align: left; margin-bottom: 8pt; }
"""
_CHINESE_STYLE = """
body { font-family: sans-serif; font-size: 11pt; line-height: 1.7; text-align: left; }
table { font-size: 9.5pt; }
"""
_IMAGE = re.compile(r'<p><img src="([^"]+)" alt="([^"]*)" /></p>')


def write_pdf(instance: DemoInstance, text: str, target: Path) -> None:
    """Write the Markdown as a PDF with figures, page numbers and running heads."""
    archive = pymupdf.Archive()
    html = MarkdownIt("commonmark").enable("table").render(text)
    for number, (address, _) in enumerate(_IMAGE.findall(html)):
        archive.add(figure_png(instance, address, high_pt=220 if instance.is_chinese else 300), f"figure{number}.png")
    counter = iter(range(99))
    html = _IMAGE.sub(
        lambda m: f'<p><img src="figure{next(counter)}.png" width="100%"/></p><p class="caption">{m[2]}</p>',
        html,
    )
    if PREFIX in html:
        raise ValueError(f"{instance.name}: a figure of the source was not placed")
    style = _STYLE + (_CHINESE_STYLE if instance.is_chinese else "")
    columns = 1 if instance.is_chinese else 2
    # Title and abstract stand over the columns, up to the second heading.
    parts = [p for p in re.split(r"(?=<h2>)", html, maxsplit=2 if columns == 2 else 1) if p]
    head, rest = "".join(parts[:-1]), parts[-1]
    stories = [pymupdf.Story(f"<body>{p}</body>", user_css=style, archive=archive, em=10) for p in (head, rest)]
    out = io.BytesIO()
    writer = pymupdf.DocumentWriter(out)
    _lay_out(stories[0], stories[1], writer, columns)
    writer.close()
    with pymupdf.open("pdf", out.getvalue()) as document:
        _add_heads(document, instance)
        document.set_metadata(
            {"title": instance.outline.title, "author": "Invented sample", "producer": "Podium Studio demo"}
        )
        document.subset_fonts()
        # A new id would make every build differ.
        target.write_bytes(document.tobytes(garbage=3, deflate=True, no_new_id=True))


def _lay_out(head: pymupdf.Story | None, story: pymupdf.Story, writer: pymupdf.DocumentWriter, columns: int) -> None:
    """Place the head over the full width, and the story into the columns of as many pages as it takes."""
    left, first, gap = 40.0, 58.0, 18.0
    wide = (_WIDE - 2 * left - gap * (columns - 1)) / columns
    more = 1
    while more:
        device = writer.begin_page(pymupdf.Rect(0, 0, _WIDE, _HIGH))
        top = first
        if head is not None:
            _, filled = head.place(pymupdf.Rect(left, first, _WIDE - left, _HIGH - 54))
            head.draw(device)
            top, head = filled[3] + 4, None
        for column in range(columns):
            x = left + column * (wide + gap)
            more, _ = story.place(pymupdf.Rect(x, top, x + wide, _HIGH - 54))
            story.draw(device)
            if not more:
                break
        writer.end_page()


def _add_heads(document: pymupdf.Document, instance: DemoInstance) -> None:
    family = CHINESE if instance.is_chinese else PLAIN
    for number, page in enumerate(document, start=1):
        sheet = Sheet(page, page_face(family), page_face(family, bold=True))
        sheet.text((40, 30), instance.outline.short_title, 8, "#555555")
        sheet.text((_WIDE - 40, 30), instance.outline.byline, 8, "#555555", align="right")
        sheet.line((40, 44), (_WIDE - 40, 44), "#999999", 0.5)
        sheet.text((_WIDE / 2, _HIGH - 38), str(number), 8, "#555555", align="centre")
