from __future__ import annotations

import docx
import pytest
from PIL import Image

from studio.decks.sources import read_source, read_text, source_page_picture
from studio.errors import DeckUnreadable
from studio.model.decks import SourceFormat
from tests.shared_files import shared
from tests.unit.decks.decks_made_here import pdf_bytes


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "windows-1252"])
def test_that_text_is_read_in_any_common_encoding(tmp_path, encoding):
    path = tmp_path / "a.txt"
    path.write_bytes("Die Größe der Häfen\r\nund ihre Zufahrten".encode(encoding))
    assert read_text(path) == "Die Größe der Häfen\nund ihre Zufahrten"


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("gb18030", "数据存储系统的设计与实现,包括分布式文件系统和数据库。" * 4),
        ("shift_jis", "これは日本語の文章です。港の設計について説明します。" * 4),
    ],
)
def test_that_east_asian_encodings_are_detected(tmp_path, encoding, text):
    path = tmp_path / "a.txt"
    path.write_bytes(text.encode(encoding))
    assert read_text(path) == text


def test_that_a_short_windows_1252_text_keeps_its_quotes():
    # The file holds bytes 0x93 and 0x94, which are curly quotes in windows-1252.
    assert "“windows” encoding" in read_text(shared("corpus/docs/tika__testTXT_win-1252.txt"))


def test_that_markdown_is_paged_at_its_chapters_and_code_is_no_heading(tmp_path):
    path = tmp_path / "a.md"
    path.write_text("# Book\n\nintro\n\n## One\n\n```\n# not a heading\n```\n\n### One *a*\n\n## Two\n\nend\n")
    source = read_source(path, SourceFormat.MARKDOWN)
    assert [(h.level, h.text, h.page) for h in source.headings] == [
        (1, "Book", 1),
        (2, "One", 2),
        (3, "One a", 2),
        (2, "Two", 3),
    ]
    assert len(source.pages) == 3
    assert "# not a heading" in source.pages[1].text


def test_that_a_word_document_gives_headings_tables_and_nested_tables(tmp_path):
    document = docx.Document()
    document.add_heading("Ports", level=1)
    document.add_paragraph("Depth matters.")
    table = document.add_table(rows=1, cols=2)
    table.cell(0, 0).text = "Hamburg"
    table.cell(0, 1).text = "15 m"
    inner = table.cell(0, 1).add_table(rows=1, cols=1)
    inner.cell(0, 0).text = "low tide"
    document.add_heading("Ships", level=1)
    path = tmp_path / "a.docx"
    document.save(str(path))
    source = read_source(path, SourceFormat.DOCX)
    assert [(h.level, h.text, h.page) for h in source.headings] == [(1, "Ports", 1), (1, "Ships", 2)]
    assert "Hamburg\t15 m" in source.pages[0].text
    assert "low tide" in source.pages[0].text


def test_that_formulas_of_a_word_document_are_read():
    text = read_source(shared("corpus/docs/docling__equations.docx"), SourceFormat.DOCX).pages[0].text
    assert "A=πr2" in text


def test_that_html_gives_text_without_scripts_and_headings(tmp_path):
    path = tmp_path / "a.html"
    path.write_text(
        "<html><head><title>T</title><style>p{}</style></head><body><h1>A</h1><p>one <b>two</b></p>"
        "<script>var x = 1;</script>tail<h1>B</h1><ul><li>x<li>y</ul></body></html>"
    )
    source = read_source(path, SourceFormat.HTML)
    assert [page.text for page in source.pages] == ["A\none two\ntail", "B\nx\ny"]
    assert [(h.text, h.page) for h in source.headings] == [("A", 1), ("B", 2)]


def test_that_a_pdf_gives_one_page_of_text_per_page(tmp_path):
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf_bytes([(612, 792, "first page"), (612, 792, "second page")]))
    source = read_source(path, SourceFormat.PDF)
    assert [page.text.strip() for page in source.pages] == ["first page", "second page"]
    out = tmp_path / "page.png"
    # 612 x 792 fitted into 500 x 400: 400/792 x 612 = 309.09 wide.
    assert source_page_picture(path, 2, (500, 400), out) == (309, 400)
    with Image.open(out) as picture:
        assert picture.size == (309, 400)
    assert [entry.name for entry in sorted(tmp_path.iterdir())] == ["a.pdf", "page.png"]


def test_that_an_empty_source_says_so(tmp_path):
    path = tmp_path / "a.md"
    path.write_bytes(b"")
    with pytest.raises(DeckUnreadable, match="empty"):
        read_source(path, SourceFormat.MARKDOWN)
