"""Faults that users of other programs reported, by their number in the list of known bugs."""

from __future__ import annotations

import io
import os
import resource
import struct
import sys
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Inches

from studio.decks.archive import unpack
from studio.decks.limits import Limits
from studio.decks.processes import held_bytes
from studio.decks.render import RenderTools, find_tools, render_deck
from studio.decks.structure import inspect_file
from studio.decks.structure.shape_tree import read_structure
from studio.errors import DeckUnreadable
from studio.model.decks import DeckFormat, FailureKind
from tests.shared_files import shared
from tests.unit.decks.decks_made_here import pdf_bytes, rewritten, with_content_type, write_deck

_NONE = RenderTools(libreoffice=None, chromium=None)


def _png(width: int = 20, height: int = 10) -> io.BytesIO:
    out = io.BytesIO()
    Image.new("RGB", (width, height), (9, 99, 199)).save(out, "PNG")
    out.seek(0)
    return out


def _with_picture(path: Path) -> Path:
    presentation = Presentation()
    for number in range(3):
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        slide.shapes.add_picture(_png(), 0, 0)
        slide.shapes.add_textbox(0, 0, Inches(3), Inches(1)).text_frame.text = f"words of slide {number}"
    presentation.save(str(path))
    return path


def test_b01_that_a_relation_to_null_costs_one_warning(tmp_path):
    whole = _with_picture(tmp_path / "a.pptx")
    null = '<Relationship Id="rIdNull" Type="{}/image" Target="NULL"/></Relationships>'.format(
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    )

    def change(name: str, data: bytes) -> bytes:
        is_first = name == "ppt/slides/_rels/slide1.xml.rels"
        return data.replace(b"</Relationships>", null.encode()) if is_first else data

    facts = inspect_file(rewritten(whole, tmp_path / "b.pptx", change))
    assert facts.failure is None
    assert (facts.slides, facts.text_boxes, facts.pictures.embedded) == (3, 3, 3)
    assert [(warning.slide, "rIdNull" in warning.message) for warning in facts.warnings] == [(1, True)]


def test_b01_that_a_missing_slide_part_costs_that_slide_only(tmp_path):
    whole = _with_picture(tmp_path / "a.pptx")
    facts = inspect_file(
        rewritten(whole, tmp_path / "b.pptx", lambda name, data: None if name == "ppt/slides/slide2.xml" else data)
    )
    assert facts.failure is None
    assert (facts.slides, facts.text_boxes) == (3, 2)
    assert any(warning.slide == 2 and "cannot be read" in warning.message for warning in facts.warnings)


def test_b01_that_a_part_with_something_else_than_a_slide_costs_that_slide_only(tmp_path):
    whole = _with_picture(tmp_path / "a.pptx")
    facts = inspect_file(
        rewritten(whole, tmp_path / "b.pptx", lambda name, data: b"<a/>" if name == "ppt/slides/slide2.xml" else data)
    )
    assert facts.failure is None
    assert (facts.slides, facts.text_boxes) == (3, 2)
    assert [(warning.slide, "something else than a slide" in warning.message) for warning in facts.warnings] == [
        (2, True)
    ]
    structure = read_structure(tmp_path / "b.pptx", DeckFormat.PPTX)
    assert [slide.is_readable for slide in structure.slides] == [True, False, True]


def test_that_a_deck_whose_slide_list_is_something_else_is_not_taken_for_an_empty_one(tmp_path):
    whole = _with_picture(tmp_path / "a.pptx")
    facts = inspect_file(
        rewritten(whole, tmp_path / "b.pptx", lambda name, data: b"<a/>" if name == "ppt/presentation.xml" else data)
    )
    assert facts.failure.kind == FailureKind.UNREADABLE
    assert "something else than a presentation" in facts.failure.message


@pytest.mark.parametrize(
    ("kind", "format"),
    [
        ("application/vnd.openxmlformats-officedocument.presentationml.template.main+xml", "potx"),
        ("application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml", "ppsx"),
        ("application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml", "ppsm"),
        ("application/vnd.ms-powerpoint.template.macroEnabled.main+xml", "potm"),
        ("application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml", "pptm"),
    ],
)
def test_b02_that_every_kind_of_presentation_is_read_under_any_name(tmp_path, kind, format):
    whole = _with_picture(tmp_path / "a.pptx")
    facts = inspect_file(with_content_type(whole, tmp_path / "named.pptx", kind))
    assert (facts.failure, facts.format, facts.slides) == (None, format, 3)


def test_b02_that_macros_are_noted_and_only_then(tmp_path):
    whole = _with_picture(tmp_path / "a.pptx")
    packed = tmp_path / "b.pptm"
    packed.write_bytes(whole.read_bytes())
    with zipfile.ZipFile(packed, "a") as archive:
        archive.writestr("ppt/vbaProject.bin", b"macro code")
    assert not any("macros" in warning.message for warning in inspect_file(whole).warnings)
    assert any("macros" in warning.message for warning in inspect_file(packed).warnings)


def test_b03_that_a_strict_deck_is_read():
    facts = inspect_file(shared("corpus/pptx/openxmlsdk__sldsz-Slide Size-type-b4iso.pptx"))
    assert facts.failure is None
    assert facts.slides == 2


def test_b04_that_a_linked_picture_is_counted_and_not_fetched(tmp_path):
    facts = inspect_file(shared("corpus/pptx/openxmlsdk__linkedpicture.pptx"))
    assert facts.failure is None
    assert facts.pictures.linked >= 1


def test_b05_that_malformed_pictures_are_each_counted_with_a_reason():
    facts = inspect_file(shared("corpus/pptx/docling__powerpoint_malformed_pictures.pptx"))
    assert facts.failure is None
    assert (facts.slides, facts.pictures.broken) == (3, 3)
    assert {warning.slide for warning in facts.warnings} == {1, 2, 3}


def test_b06_that_three_states_of_a_charts_workbook_are_told_apart():
    external = inspect_file(shared("corpus/pptx/markitdown__test.pptx")).charts
    gone = inspect_file(shared("corpus/pptx/pptx-automizer__ChartWithExternalData.pptx")).charts
    whole = inspect_file(shared("corpus/pptx/python-pptx__cht-charts.pptx")).charts
    assert external.external + external.broken >= 1
    assert gone.native >= 1
    assert gone.with_workbook < gone.native
    assert whole.with_workbook >= 1


def test_b07_that_a_table_in_three_nested_groups_is_counted(tmp_path):
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    group = slide.shapes.add_group_shape().shapes.add_group_shape().shapes.add_group_shape()
    group.shapes.add_textbox(0, 0, Inches(2), Inches(1)).text_frame.text = "innermost words"
    group.shapes.add_picture(_png(), 0, 0)
    presentation.save(str(tmp_path / "a.pptx"))
    facts = inspect_file(tmp_path / "a.pptx")
    assert (facts.groups, facts.text_boxes, facts.pictures.embedded) == (3, 1, 1)


@pytest.mark.slow
def test_b08_that_a_hidden_slide_in_the_middle_moves_no_picture(tmp_path):
    tools = find_tools()
    if tools.libreoffice is None:
        pytest.skip("LibreOffice is not installed")
    deck = write_deck(tmp_path / "a.pptx", [f"unmistakable words {n}" for n in range(1, 11)], hidden=[5])
    pages = render_deck(deck, tmp_path / "out", format=DeckFormat.PPTX, tools=tools).pages
    assert [page.page for page in pages] == [1, 2, 3, 4, None, 5, 6, 7, 8, 9]
    for page in pages:
        if not page.is_hidden:
            assert page.boxes[0].text == f"unmistakable words {page.number}"


@pytest.mark.slow
def test_b10_that_reading_and_rendering_never_change_the_file(tmp_path):
    deck = write_deck(tmp_path / "a.pptx", ["one", "two"], hidden=[2])
    before = deck.read_bytes(), deck.stat().st_mtime_ns
    inspect_file(deck)
    render_deck(deck, tmp_path / "out", format=DeckFormat.PPTX, tools=find_tools(), with_hidden=True)
    assert (deck.read_bytes(), deck.stat().st_mtime_ns) == before


@pytest.mark.slow
def test_b13_that_six_decks_at_once_in_three_threads_all_come_out(tmp_path):
    tools = find_tools()
    if tools.libreoffice is None:
        pytest.skip("LibreOffice is not installed")
    paths = [write_deck(tmp_path / f"{n}.pptx", [f"words of deck {n} here"]) for n in range(6)]
    with ThreadPoolExecutor(3) as threads:
        decks = list(
            threads.map(
                lambda path: render_deck(path, tmp_path / path.stem, format=DeckFormat.PPTX, tools=tools), paths
            )
        )
    assert [deck.failure for deck in decks] == [None] * 6
    assert [deck.pages[0].boxes[0].text for deck in decks] == [f"words of deck {n} here" for n in range(6)]


def test_b15_that_a_font_nobody_has_is_missing_on_its_slide(tmp_path):
    from studio.decks.fonts import installed_families
    from studio.decks.structure import slide_texts

    if not installed_families():
        pytest.skip("fontconfig is not installed")
    presentation = Presentation()
    for font in ("DejaVu Sans", "Nowhere Serif"):
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        box = slide.shapes.add_textbox(0, 0, Inches(2), Inches(1)).text_frame
        box.text = "x"
        box.paragraphs[0].runs[0].font.name = font
    presentation.save(str(tmp_path / "a.pptx"))
    facts = inspect_file(tmp_path / "a.pptx")
    assert "Nowhere Serif" in facts.fonts.missing
    first, second = slide_texts(tmp_path / "a.pptx", Limits())
    assert "Nowhere Serif" not in first.fonts
    assert "Nowhere Serif" in second.fonts


@pytest.mark.slow
def test_b16_that_pdfs_read_at_once_keep_their_own_words(tmp_path):
    paths = []
    for number in range(4):
        path = tmp_path / f"{number}.pdf"
        path.write_bytes(pdf_bytes([(720, 405, f"words of file {number} page {page}") for page in range(6)]))
        paths.append(path)
    with ThreadPoolExecutor(4) as threads:
        decks = list(
            threads.map(lambda path: render_deck(path, tmp_path / path.stem, format=DeckFormat.PDF, tools=_NONE), paths)
        )
    for number, deck in enumerate(decks):
        assert [page.text for page in deck.pages] == [f"words of file {number} page {page}" for page in range(6)]
    assert "pymupdf" not in _modules_after_reading()


def _modules_after_reading() -> set[str]:
    import subprocess

    code = (
        "import sys; from studio.decks import render, structure, sources; "
        "print(' '.join(name for name in sys.modules if name in ('pymupdf', 'fitz')))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(said.stdout.split())


def test_b17_that_a_page_of_poster_size_is_drawn_small_instead_of_not_at_all(tmp_path):
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf_bytes([(14_400, 200_000, "huge"), (720, 405, "usual")]))
    deck = render_deck(path, tmp_path / "out", format=DeckFormat.PDF, tools=_NONE)
    assert deck.failure is None
    assert [(page.width_px, page.height_px) for page in deck.pages] == [(52, 720), (1280, 720)]


def _bomb(path: Path, members: dict[str, bytes | int]) -> Path:
    whole = write_deck(path.with_name("whole.pptx"), ["one"])
    path.write_bytes(whole.read_bytes())
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            if isinstance(data, bytes):
                archive.writestr(name, data)
                continue
            with archive.open(name, "w", force_zip64=True) as out:
                for _ in range(data // (1 << 20)):
                    out.write(bytes(1 << 20))
    return path


def test_b37_that_400_mb_of_zeros_in_half_a_megabyte_are_refused_by_name_and_cost_no_memory(tmp_path):
    bomb = _bomb(tmp_path / "bomb.pptx", {"ppt/media/image1.png": 400 << 20})
    assert bomb.stat().st_size < 1_000_000
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    facts = inspect_file(bomb)
    assert facts.failure.kind == FailureKind.TOO_LARGE
    assert "limit for compression" in facts.failure.message
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak < 100_000
    assert inspect_file(tmp_path / "whole.pptx").slides == 1


def test_b37_that_a_member_that_lies_about_its_size_is_not_read_further(tmp_path):
    bomb = _bomb(tmp_path / "bomb.pptx", {"ppt/media/lies.bin": 64 << 20})
    data = bytearray(bomb.read_bytes())
    at = data.rfind(b"ppt/media/lies.bin") - 46
    assert data[at : at + 4] == b"PK\x01\x02"
    # Declared size in the central directory: one megabyte instead of 64.
    data[at + 24 : at + 28] = struct.pack("<I", 1 << 20)
    bomb.write_bytes(bytes(data))
    before = held_bytes(os.getpid())
    facts = inspect_file(bomb)
    assert facts.failure is None or facts.failure.message
    assert held_bytes(os.getpid()) - before < 200 << 20


def test_b37_that_entities_are_not_expanded_and_cost_one_slide(tmp_path):
    whole = _with_picture(tmp_path / "a.pptx")
    entities = b'<!DOCTYPE p [<!ENTITY a "aaaaaaaaaa">' + b"".join(
        b'<!ENTITY %c "%s">' % (letter, b"&%c;" % (letter - 1) * 10) for letter in range(ord("b"), ord("l"))
    )

    def change(name: str, data: bytes) -> bytes:
        if name != "ppt/slides/slide1.xml":
            return data
        head, _, body = data.partition(b"?>")
        return head + b"?>" + entities + b"]>" + body.replace(b"words of slide 0", b"&k;")

    facts = inspect_file(rewritten(whole, tmp_path / "b.pptx", change))
    assert facts.failure is None
    assert (facts.slides, facts.text_boxes) == (3, 2)
    assert any(warning.slide == 1 for warning in facts.warnings)


@pytest.mark.parametrize("name", ["../escaped.txt", "/escaped.txt", "a/../../escaped.txt", "..\\escaped.txt"])
def test_that_a_member_that_points_outside_is_never_written(tmp_path, name):
    path = tmp_path / "slip.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("index.html", "<p>x")
        archive.writestr(name, "escaped")
    target = tmp_path / "inner" / "target"
    target.mkdir(parents=True)
    with pytest.raises(DeckUnreadable, match="outside"):
        unpack(path, target, Limits())
    assert not list(tmp_path.rglob("escaped*"))
    assert inspect_file(path).failure is not None


@pytest.mark.slow
def test_that_many_pages_are_refused_by_a_message_that_names_the_limit(tmp_path):
    path = tmp_path / "many.pdf"
    path.write_bytes(pdf_bytes([(72, 72, "")] * 2001))
    failure = inspect_file(path).failure
    assert failure.kind == FailureKind.TOO_LARGE
    assert "2,001 pages" in failure.message
    assert "2,000" in failure.message


def test_that_a_picture_with_too_many_pixels_is_refused_before_it_is_decoded(tmp_path):
    path = tmp_path / "big.png"
    data = bytearray(_png().getvalue())
    # Width and height in the head of a PNG; the pixels behind it stay few.
    data[16:24] = struct.pack(">II", 100_000, 100_000)
    path.write_bytes(bytes(data))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    deck = render_deck(path, tmp_path / "out", format=DeckFormat.IMAGES, tools=_NONE)
    assert deck.failure is not None
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak < 200_000


@pytest.mark.slow
def test_that_a_page_that_never_ends_is_stopped_and_the_next_one_is_drawn(tmp_path):
    tools = find_tools()
    if tools.chromium is None:
        pytest.skip("Chromium is not installed")
    slow = tmp_path / "slow.html"
    slow.write_text("<html><body><section>a</section><section>b</section><script>for (;;) {}</script></body></html>")
    deck = render_deck(slow, tmp_path / "slow", format=DeckFormat.HTML, tools=tools, timeout_s=4)
    assert deck.failure.kind == FailureKind.TIMED_OUT
    good = tmp_path / "good.html"
    good.write_text("<html><body><section>a</section><section>b</section></body></html>")
    again = render_deck(good, tmp_path / "good", format=DeckFormat.HTML, tools=tools, timeout_s=60)
    assert [page.text for page in again.pages] == ["a", "b"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the script needs a POSIX shell")
def test_that_a_program_that_eats_memory_is_stopped_by_a_limit_that_is_named(tmp_path):
    from studio.decks.processes import run_program

    code = "import time\nheld = []\nfor _ in range(60):\n    held.append(bytearray(10 << 20)); time.sleep(0.05)\n"
    # It holds what it took until somebody stops it, however late that is.
    code += "time.sleep(300)\n"
    with pytest.raises(DeckUnreadable, match="memory of a worker") as caught:
        run_program(
            [sys.executable, "-c", code], name="The eater", log=tmp_path / "log", timeout_s=60, memory_bytes=200 << 20
        )
    assert caught.value.kind == FailureKind.TOO_LARGE
    assert threading.active_count() < 50
