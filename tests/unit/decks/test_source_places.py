from __future__ import annotations

import pytest
from PIL import Image, ImageDraw, ImageFont

from studio.decks import scanned
from studio.decks.sources import read_source
from studio.model.decks import SourceFormat
from studio.texts.source_lookup import HitKind, SourceIndex
from tests.shared_files import shared
from tests.unit.decks.decks_made_here import pdf_bytes


def scan(path, *lines):
    page = Image.new("RGB", (1240, 1754), "white")
    pen = ImageDraw.Draw(page)
    for number, line in enumerate(lines):
        pen.text((124, 200 + 100 * number), line, font=ImageFont.load_default(size=36), fill="black")
    page.save(path, resolution=150)


def test_that_every_word_of_a_pdf_has_its_place(tmp_path):
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf_bytes([(720, 540, "first page")]))
    (page,) = read_source(path, SourceFormat.PDF).pages
    first, second = page.words
    assert page.text == "first page"
    assert [page.text[word.start : word.end] for word in page.words] == ["first", "page"]
    # Written from x = 72 of 720 on, with its base line 96 of 540 below the upper edge.
    assert first.x0 == pytest.approx(0.1, abs=0.005)
    assert first.y0 < 96 / 540 < first.y1
    assert first.x1 < second.x0
    assert first.line == second.line


def test_that_places_follow_the_rotation_of_a_page(tmp_path):
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf_bytes([(720, 540, "first page")], rotate=90))
    (page,) = read_source(path, SourceFormat.PDF).pages
    first, second = page.words
    # Turned clockwise the page is 540 wide and 720 high: the left edge (72 of 720) is now the upper one, and the
    # base line 96 from the upper edge is 96 from the right one.
    assert first.y0 == pytest.approx(0.1, abs=0.005)
    assert first.x0 < 1 - 96 / 540 < first.x1
    assert first.y1 < second.y0


def test_that_a_scanned_page_is_read_and_keeps_its_number(tmp_path):
    path = tmp_path / "scan.pdf"
    scan(path, "Minutes of the harbour board", "The fee is 1,250 euros")
    (page,) = read_source(path, SourceFormat.PDF).pages
    assert page.text == "Minutes of the harbour board\nThe fee is 1,250 euros"
    (hit,) = SourceIndex([("scan", [page])]).lookup("€1250").hits
    assert (hit.kind, hit.page) == (HitKind.NORMALISED, 1)
    ((x0, y0, x1, y1),) = hit.boxes
    # The second line begins 124 of 1240 from the left, 300 of 1754 from above; the number is behind "The fee is ".
    assert x0 > 0.15
    assert y0 < 320 / 1754 < y1
    assert x1 < 0.6


def test_that_a_scanned_page_stays_empty_where_the_reader_is_missing(tmp_path, monkeypatch):
    path = tmp_path / "scan.pdf"
    scan(path, "Minutes of the harbour board")
    monkeypatch.setattr(scanned, "why_no_detector", lambda: "not installed")
    assert [page.text for page in read_source(path, SourceFormat.PDF).pages] == [""]


def test_that_a_picture_source_has_the_text_that_was_read_on_it(tmp_path):
    path = tmp_path / "board.png"
    scan(path, "Berth 7 closed in March")
    (page,) = read_source(path, SourceFormat.IMAGE).pages
    assert page.text == "Berth 7 closed in March"
    assert page.words[0].x0 == pytest.approx(0.1, abs=0.02)


@pytest.mark.corpus
def test_that_phrases_of_a_real_paper_are_found_across_lines_with_a_box_for_each():
    source = read_source(shared("corpus/pdf/docling__normal_4pages.pdf"), SourceFormat.PDF)
    index = SourceIndex([("paper", source.pages)])
    for page in source.pages:
        for start in range(0, max(0, len(page.words) - 40), 97):
            words = page.words[start : start + 12]
            phrase = page.text[words[0].start : words[-1].end]
            found = index.lookup(phrase)
            here = [hit for hit in found.hits if hit.page == page.number and hit.start == words[0].start]
            assert here, phrase
            assert here[0].kind is HitKind.EXACT
            # As many boxes as lines, all of them on the page.
            assert len(here[0].boxes) == len({word.line for word in words})
            assert all(0 <= box.x0 < box.x1 <= 1 and 0 <= box.y0 < box.y1 <= 1 for box in here[0].boxes)
