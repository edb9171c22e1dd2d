"""Sources as DOCX: Markdown blocks become the parts of a Word document."""

from __future__ import annotations

import io
from datetime import datetime
from pathlib import Path

from docx import Document
from docx.document import Document as DocumentType
from docx.shared import Cm, Pt, RGBColor
from docx.text.paragraph import Paragraph
from markdown_it import MarkdownIt
from markdown_it.token import Token

from podium_demo.fixed_archive import fixed
from podium_demo.outline import DemoInstance
from podium_demo.sources.figures import figure_png

_LISTS = {"bullet_list_open": "List Bullet", "ordered_list_open": "List Number"}


def write_docx(instance: DemoInstance, text: str, target: Path) -> None:
    """Write the Markdown as a Word document with native tables and pictures of the charts."""
    document = Document()
    document.core_properties.title = instance.outline.title
    document.core_properties.author = "Invented sample"
    document.core_properties.created = document.core_properties.modified = datetime(2026, 1, 1)
    normal = document.styles["Normal"]
    normal.font.name, normal.font.size = "Carlito", Pt(11)
    for level in (1, 2, 3):
        style = document.styles[f"Heading {level}"]
        style.font.color.rgb = RGBColor(0x23, 0x4B, 0x3A)
    _add_blocks(document, instance, MarkdownIt("commonmark").enable("table").parse(text))
    out = io.BytesIO()
    document.save(out)
    target.write_bytes(fixed(out.getvalue()))


def _add_blocks(document: DocumentType, instance: DemoInstance, tokens: list[Token]) -> None:
    style: str | None = None
    heading: int | None = None
    rows: list[list[Token]] | None = None
    for token in tokens:
        match token.type:
            case "heading_open":
                heading = int(token.tag[1])
            case "bullet_list_open" | "ordered_list_open":
                style = _LISTS[token.type]
            case "bullet_list_close" | "ordered_list_close":
                style = None
            case "table_open":
                rows = []
            case "tr_open" if rows is not None:
                rows.append([])
            case "table_close" if rows is not None:
                _add_table(document, rows)
                rows = None
            case "inline" if rows is not None:
                rows[-1].append(token)
            case "inline" if heading is not None:
                document.add_heading(token.content, level=max(heading - 1, 0))
                heading = None
            case "inline":
                _add_paragraph(document, instance, token, style)


def _add_paragraph(document: DocumentType, instance: DemoInstance, token: Token, style: str | None) -> None:
    children = token.children or []
    if children and children[0].type == "image":
        png = figure_png(instance, str(children[0].attrs["src"]))
        document.add_picture(io.BytesIO(png), width=Cm(15))
        document.add_paragraph(children[0].content, style="Caption")
        return
    _add_runs(document.add_paragraph(style=style), token)


def _add_runs(paragraph: Paragraph, token: Token) -> None:
    bold = italic = False
    for child in token.children or []:
        match child.type:
            case "strong_open" | "strong_close":
                bold = child.type == "strong_open"
            case "em_open" | "em_close":
                italic = child.type == "em_open"
            case "softbreak":
                paragraph.add_run(" ")
            case _:
                run = paragraph.add_run(child.content)
                run.bold, run.italic = bold, italic


def _add_table(document: DocumentType, rows: list[list[Token]]) -> None:
    table = document.add_table(rows=len(rows), cols=len(rows[0]), style="Light Grid Accent 3")
    for i, row in enumerate(rows):
        for k, token in enumerate(row):
            _add_runs(table.cell(i, k).paragraphs[0], token)
    document.add_paragraph()
