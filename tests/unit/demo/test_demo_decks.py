from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from types import ModuleType

import pymupdf
import pytest
from PIL import Image
from pptx import Presentation

TEMPLATE = "decks/Demo Template.pptx"
# Anything that would make a browser fetch another file; data: addresses are inside the page.
OUTSIDE = re.compile(r"(?:src|href|data|poster)\s*=\s*[\"'](?!data:|#)|url\(|@import|<script|<link|<iframe", re.I)
CHINESE = re.compile(r"[一-鿿]")


def _xml(deck: Path, part: str) -> list[str]:
    with zipfile.ZipFile(deck) as archive:
        return [archive.read(name).decode("utf-8") for name in archive.namelist() if re.fullmatch(part, name)]


def _pptx_text(deck: Path) -> str:
    return "".join(re.sub(r"<[^>]+>", "", xml) for xml in _xml(deck, r"ppt/slides/slide\d+\.xml"))


def _pdf_text(path: Path) -> str:
    with pymupdf.open(path) as document:
        return "".join(page.get_text() for page in document)


def test_that_html_refers_to_nothing_outside_itself(built: Path) -> None:
    pages = list(built.rglob("*.html"))
    assert len(pages) == 6
    for page in pages:
        assert OUTSIDE.findall(page.read_text(encoding="utf-8")) == []


def test_that_the_chinese_instance_is_chinese_throughout(built: Path) -> None:
    folder = built / "tea-zh"
    texts = {
        "instruction": (folder / "instruction.md").read_text(encoding="utf-8"),
        "source": _pdf_text(folder / "sources/tea.pdf"),
        "template": _pptx_text(folder / TEMPLATE),
        "minimal": _pptx_text(folder / "decks/Demo Minimal.pptx"),
        "vector": _pdf_text(folder / "decks/Demo Vector.pdf"),
        "web": (folder / "decks/Demo Web.html").read_text(encoding="utf-8"),
    }
    assert {name for name, text in texts.items() if len(CHINESE.findall(text)) < 60} == set()
    assert {name for name, text in texts.items() if "茶" not in text} == set()


def test_that_the_template_decks_use_what_a_pptx_can_do(built: Path) -> None:
    deck = built / "library-year" / TEMPLATE
    presentation = Presentation(str(deck))
    shapes = [shape for slide in presentation.slides for shape in slide.shapes]
    assert sum(shape.has_chart for shape in shapes) == 3
    assert sum(shape.has_table for shape in shapes) == 1
    assert sum(slide.has_notes_slide for slide in presentation.slides) >= 8
    slides = _xml(deck, r"ppt/slides/slide\d+\.xml")
    assert sum("<p:transition" in xml for xml in slides) == len(slides)
    assert sum("<p:animEffect" in xml for xml in slides) == 2
    assert len(presentation.slide_layouts) == 4


def test_that_one_deck_has_a_hidden_slide(built: Path) -> None:
    hidden = {
        deck.parent.parent.name: sum('show="0"' in xml for xml in _xml(deck, r"ppt/slides/slide\d+\.xml"))
        for deck in built.rglob("*.pptx")
        if deck.stem == "Demo Template"
    }
    assert hidden.pop("library-year") == 1
    assert set(hidden.values()) == {0}


def test_that_some_decks_are_four_to_three(built: Path) -> None:
    ratios = {}
    for deck in built.rglob("Demo Minimal.pptx"):
        presentation = Presentation(str(deck))
        ratios[deck.parent.parent.name] = round(presentation.slide_width / presentation.slide_height, 2)
    # 10 × 7.5 inches are 1.33, 13.333 × 7.5 inches are 1.78.
    assert ratios == {
        "hash-tables-lecture": 1.33,
        "tea-zh": 1.33,
        "library-year": 1.78,
        "weather-station-product": 1.78,
        "white-roofs-paper": 1.78,
    }


def test_that_picture_decks_are_of_the_canonical_size(built: Path) -> None:
    for picture in built.rglob("slide_*.png"):
        with Image.open(picture) as image:
            assert (image.size, image.mode) == ((1280, 720), "RGB")


def test_that_a_slip_stands_only_in_the_deck_that_makes_it(built: Path) -> None:
    folder = built / "white-roofs-paper"
    web = (folder / "decks/Demo Web.html").read_text(encoding="utf-8")
    assert "11.8 K" in web
    assert "10.8 K" not in web
    assert "10.8 K" in _pptx_text(folder / TEMPLATE)
    assert "11.8 K" not in _pptx_text(folder / TEMPLATE) + _pdf_text(folder / "decks/Demo Vector.pdf")


def test_that_vector_decks_have_text_and_stay_small(built: Path) -> None:
    for deck in built.rglob("Demo Vector.pdf"):
        assert len(_pdf_text(deck)) > 400
        assert deck.stat().st_size < 1_000_000


def test_that_monthly_visits_add_up_to_the_year(recipe: ModuleType) -> None:
    from podium_demo.content import library

    # The report says 612,400 visits; the chart is in thousands.
    assert sum(library.INSTANCE.outline.charts["visits"].series[0].values) == pytest.approx(612.4)
    assert sum(library.INSTANCE.outline.charts["budget"].series[0].values) == 100


@pytest.mark.parametrize("load", ["0.25", "0.50", "0.75", "0.90"])
def test_that_the_table_of_probes_follows_knuths_formulas(recipe: ModuleType, load: str) -> None:
    from podium_demo.content import hashing

    row = next(row for row in hashing.INSTANCE.outline.tables["probes"].rows if row[0] == load)
    free = 1 - float(load)
    # found: (1 + 1 / (1 − a)) / 2, not found: (1 + 1 / (1 − a)²) / 2
    assert float(row[2]) == pytest.approx((1 + 1 / free) / 2, abs=0.005)
    assert float(row[3]) == pytest.approx((1 + 1 / free**2) / 2, abs=0.005)


def test_that_every_number_of_a_table_stands_in_the_source(recipe: ModuleType) -> None:
    from podium_demo.content import INSTANCES, source_text

    for instance in INSTANCES:
        text = source_text(instance)
        for table in instance.outline.tables.values():
            cells = {cell for row in table.rows for cell in row if re.search(r"\d", cell)}
            assert {cell for cell in cells if cell not in text} == set(), instance.name


def test_that_a_line_never_starts_with_closing_punctuation(recipe: ModuleType) -> None:
    from podium_demo.typeset import wrap

    # Five characters a line; the comma would be the sixth and hangs on instead.
    assert wrap("一二三四五，六七", 5, len) == ["一二三四五，", "六七"]
    assert wrap("one two three", 7, len) == ["one two", "three"]


def test_that_fixed_archives_do_not_depend_on_the_time(recipe: ModuleType) -> None:
    from podium_demo.fixed_archive import fixed

    def archive(year: int) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as file:
            info = zipfile.ZipInfo("docProps/core.xml", (year, 5, 6, 7, 8, 10))
            file.writestr(info, f'<x><dcterms:created a="b">{year}-05-06T07:08:10Z</dcterms:created></x>')
        return out.getvalue()

    assert archive(2001) != archive(2002)
    assert fixed(archive(2001)) == fixed(archive(2002))
