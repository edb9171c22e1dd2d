from __future__ import annotations

import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import psutil
import pytest
from PIL import Image

from studio.decks import office_workers
from studio.decks.content import copy_content
from studio.decks.images import page_images
from studio.decks.libreoffice import shutdown as remove_profiles
from studio.decks.limits import Limits
from studio.decks.render import RenderTools, find_tools, page_image_size, render_deck, render_page
from studio.errors import Cancelled
from studio.model.decks import DeckFormat
from tests.patience import cancelled_when
from tests.shared_files import shared
from tests.unit.decks.decks_made_here import pdf_bytes, write_deck

_NONE = RenderTools(libreoffice=None, chromium=None)


@pytest.fixture(scope="module")
def tools():
    return find_tools()


def _needs(program, name):
    if program is None:
        pytest.skip(f"{name} is not installed")


def _pdf(path, pages, **options):
    path.write_bytes(pdf_bytes(pages, **options))
    return path


def test_that_a_4_by_3_page_becomes_960_by_720_without_padding(tmp_path):
    pdf = _pdf(tmp_path / "a.pdf", [(720, 540, "Hello"), (959.98, 540, "World"), (540, 720, "")])
    deck = render_deck(pdf, tmp_path / "out", format=DeckFormat.PDF, tools=_NONE)
    assert deck.failure is None
    assert [(page.width_px, page.height_px) for page in deck.pages] == [(960, 720), (1280, 720), (540, 720)]
    for page in deck.pages:
        with Image.open(page.image) as picture:
            assert picture.size == (page.width_px, page.height_px)
        with Image.open(page.thumb) as thumb:
            assert thumb.width <= 480
            assert thumb.height <= 270
    assert deck.pages[0].image == tmp_path / "out" / "slide_0001.png"
    assert deck.raster_px == (960, 720)
    assert deck.renderer.startswith("MuPDF ")
    assert deck.pages[0].text == "Hello"
    # Drawn without letters: known to have no text.
    assert deck.pages[2].boxes == ()


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_that_boxes_lie_where_the_letters_are_on_a_rotated_page(tmp_path, rotate):
    pdf = _pdf(tmp_path / "a.pdf", [(800, 400, "Rotated")], rotate=rotate)
    (page,) = render_deck(pdf, tmp_path / "out", format=DeckFormat.PDF, tools=_NONE).pages
    (box,) = page.boxes
    with Image.open(page.image) as picture:
        grey = picture.convert("L").point(lambda value: 255 if value < 128 else 0)
        left, top, right, bottom = grey.getbbox()
    assert box.x0 * page.width_px <= left + 2
    assert box.y0 * page.height_px <= top + 2
    assert box.x1 * page.width_px >= right - 2
    assert box.y1 * page.height_px >= bottom - 2
    assert (box.x1 - box.x0) * (box.y1 - box.y0) < 0.1


def test_that_a_huge_page_is_fitted_before_it_is_rendered(tmp_path):
    pdf = _pdf(tmp_path / "a.pdf", [(14_400, 200_000, "x")])
    deck = render_deck(pdf, tmp_path / "out", format=DeckFormat.PDF, tools=_NONE)
    # 720/200000 x 14400 = 51.84
    assert deck.raster_px == (52, 720)
    limits = Limits(max_pixels=10_000)
    assert page_image_size(pdf, 1, (1280, 720)) == (52, 720)
    width, height = render_page(pdf, 1, (40_000, 40_000), tmp_path / "zoom.png", limits=limits)
    assert width * height <= 10_000


def test_that_a_broken_pdf_comes_back_with_its_failure(tmp_path):
    whole = pdf_bytes([(720, 405, "a")])
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.4\n" + b"junk" * 50)
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.4\n" + b"junk" * 50 + b"\nstartxref\n5\n%%EOF\n")
    kinds = {}
    for name in ("a", "b"):
        deck = render_deck(tmp_path / f"{name}.pdf", tmp_path / name, format=DeckFormat.PDF, tools=_NONE)
        kinds[name] = deck.failure.kind
    assert kinds == {"a": "truncated", "b": "unreadable"}
    assert whole.endswith(b"%%EOF\n")


def test_that_a_scanned_page_has_unknown_boxes():
    scan = shared("corpus/pdf/markitdown__MEDRPT-2024-PAT-3847_medical_report_scan.pdf")
    from studio.decks.mupdf_pages import render_pages
    from studio.decks.workers import in_worker

    with tempfile.TemporaryDirectory() as temp:
        (picture,) = in_worker(
            render_pages, str(scan), None, ((1, f"{temp}/p.png", None),), (400, 400), (1, 1), timeout_s=60
        )
    assert picture.text.boxes is None


def test_that_page_pictures_are_sorted_by_number_and_counted_once(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    for number, width in ((10, 40), (2, 32), (1, 16)):
        Image.new("RGB", (width, 18), (number, 0, 0)).save(folder / f"s{number}.png")
    (folder / "again.png").symlink_to(folder / "s1.png")
    (folder / "zz.png").write_bytes(b"\x89PNG\r\n\x1a\nbroken")
    copy_content(folder, tmp_path / "asset.zip")
    for path in (folder, tmp_path / "asset.zip"):
        deck = render_deck(path, tmp_path / "out", format=DeckFormat.IMAGES, tools=_NONE)
        assert deck.failure is None
        sizes = [(page.width_px, page.height_px) for page in deck.pages]
        # 16x18 -> 640x720; 32x18 -> 1280x720; 40x18 -> 1280x576; the broken one has no picture.
        assert sizes == [(640, 720), (1280, 720), (1280, 576), (0, 0)]
        assert deck.pages[3].image is None
        assert [warning.slide for warning in deck.warnings] == [4]
        assert all(page.boxes is None for page in deck.pages)


def test_that_a_grey_picture_of_sixteen_bits_keeps_its_greys(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    greys = np.full((72, 128), 0x4000, np.uint16)
    greys[:, 64:] = 0xC000
    for name in ("s1.png", "s2.tiff"):
        Image.fromarray(greys).save(folder / name)
    deck = render_deck(folder, tmp_path / "out", format=DeckFormat.IMAGES, tools=_NONE)
    assert (deck.failure, deck.warnings) == (None, ())
    for page in deck.pages:
        with Image.open(page.image) as drawn:
            # 0x4000 / 0xFFFF * 255 = 63.75 and 0xC000 / 0xFFFF * 255 = 191.25.
            assert [drawn.getpixel((x, 360)) for x in (200, 1000)] == [(64,) * 3, (191,) * 3]


def test_that_the_reason_of_a_page_that_is_no_picture_names_no_place_of_ours(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    Image.new("RGB", (16, 9)).save(folder / "s1.png")
    (folder / "s2.png").write_bytes(b"")
    (folder / "s3.png").write_bytes(b"words")
    copy_content(folder, tmp_path / "asset.zip")
    deck = render_deck(tmp_path / "asset.zip", tmp_path / "out", format=DeckFormat.IMAGES, tools=_NONE)
    assert [(warning.slide, warning.message.strip(".")) for warning in deck.warnings] == [
        (2, "the picture s2.png cannot be read: it is empty"),
        (3, "the picture s3.png cannot be read: it is no picture"),
    ]


def test_that_a_protected_pdf_is_kept_without_its_password(tmp_path):
    path = shared("corpus/pdf/unstructured__password.pdf")
    refused = render_deck(path, tmp_path / "no", format=DeckFormat.PDF, tools=_NONE)
    assert refused.failure.kind == "needs_password"
    deck = render_deck(path, tmp_path / "out", format=DeckFormat.PDF, tools=_NONE, password="password")
    assert deck.failure is None
    assert len(deck.pages) == 1
    render_page(deck.pdf, 1, (2000, 2000), tmp_path / "zoom.png")
    assert (tmp_path / "zoom.png").stat().st_size > 0


def test_that_a_missing_program_is_a_failure_with_a_next_step(tmp_path):
    path = write_deck(tmp_path / "a.pptx", ["one"])
    deck = render_deck(path, tmp_path / "out", format=DeckFormat.PPTX, tools=_NONE)
    assert deck.failure.kind == "render_failed"
    assert "Settings" in deck.failure.message


@pytest.mark.parametrize("texts", [[], ["a", "b"]])
def test_that_a_deck_without_visible_slides_is_a_state_and_no_error(tmp_path, texts):
    path = write_deck(tmp_path / "a.pptx", texts, hidden=range(1, len(texts) + 1))
    deck = render_deck(path, tmp_path / "out", format=DeckFormat.PPTX, tools=_NONE)
    assert deck.failure is None
    assert [page.page for page in deck.pages] == [None] * len(texts)
    assert len(deck.warnings) == 1


@pytest.mark.slow
def test_that_each_picture_belongs_to_its_slide_when_some_are_hidden(tmp_path, tools):
    _needs(tools.libreoffice, "LibreOffice")
    texts = [f"This is slide number {number} of the deck" for number in range(1, 6)]
    path = write_deck(tmp_path / "Größe #1 %20 最終版.pptx", texts, hidden=[3], notes={2: "say hello"})
    before = path.read_bytes()
    deck = render_deck(path, tmp_path / "out", format=DeckFormat.PPTX, tools=tools)
    assert deck.failure is None
    assert [page.page for page in deck.pages] == [1, 2, None, 3, 4]
    assert deck.pages[2].is_hidden
    assert [page.boxes[0].text for page in deck.pages if page.boxes] == [t for i, t in enumerate(texts) if i != 2]
    assert deck.pages[1].notes == "say hello"
    assert deck.raster_px == (1280, 720)
    assert "LibreOffice" in deck.renderer
    assert "MuPDF" in deck.renderer
    assert path.read_bytes() == before
    assert deck.pdf == tmp_path / "out" / "deck.pdf"


def _office_processes():
    names = []
    for process in psutil.process_iter(["name", "cmdline"]):
        command = " ".join(process.info["cmdline"] or ())
        if f"{tempfile.gettempdir()}/podium-studio-" in command and process.ppid() == os.getpid():
            names.append(process.info["name"])
    return names


@pytest.mark.slow
def test_that_cancel_and_time_limit_stop_libreoffice_and_leave_nothing(tmp_path, tools):
    _needs(tools.libreoffice, "LibreOffice")
    path = write_deck(tmp_path / "a.pptx", [f"text of slide {number}" for number in range(60)])
    remove_profiles()
    # By then LibreOffice begins to start, and sixty slides are far from done.
    cancel = cancelled_when(lambda: office_workers.worker_pids() != () or "oosplash" in _office_processes())
    with pytest.raises(Cancelled):
        render_deck(path, tmp_path / "out", format=DeckFormat.PPTX, tools=tools, cancel=cancel)
    deck = render_deck(path, tmp_path / "out", format=DeckFormat.PPTX, tools=tools, timeout_s=0.01)
    assert deck.failure.kind == "timed_out"
    remove_profiles()
    assert [process for process in psutil.Process().children(recursive=True) if "office" in process.name()] == []


@pytest.mark.slow
def test_that_decks_convert_at_once_from_several_threads(tmp_path, tools):
    _needs(tools.libreoffice, "LibreOffice")
    paths = [write_deck(tmp_path / f"{n}.pptx", [f"deck number {n} has words"]) for n in range(4)]

    def render(path: Path):
        return render_deck(path, tmp_path / path.stem, format=DeckFormat.PPTX, tools=tools)

    with ThreadPoolExecutor(4) as threads:
        decks = list(threads.map(render, paths))
    assert [deck.pages[0].boxes[0].text for deck in decks] == [f"deck number {n} has words" for n in range(4)]


@pytest.mark.slow
def test_that_html_slides_become_one_page_each_and_scripts_reach_no_network(tmp_path, tools):
    _needs(tools.chromium, "Chromium")
    path = tmp_path / "deck.html"
    path.write_text(
        "<html><head><style>.slide{display:none;width:960px;height:540px}.slide.active{display:flex}</style>"
        '<link rel="stylesheet" href="https://cdn.example/x.css"></head><body>'
        '<div class="slide active"><h1>First words</h1></div><div class="slide"><h1>Second words</h1></div>'
        '<div class="slide"><p id="net">waiting</p></div>'
        "<script>fetch('http://127.0.0.1:9/').catch(function(){document.getElementById('net').textContent="
        "'no network here';});</script></body></html>"
    )
    deck = render_deck(path, tmp_path / "out", format=DeckFormat.HTML, tools=tools)
    assert deck.failure is None
    assert [page.page for page in deck.pages] == [1, 2, 3]
    assert deck.raster_px == (1280, 720)
    assert deck.pages[0].boxes[0].text == "First words"
    assert deck.pages[1].boxes[0].text == "Second words"
    assert deck.pages[2].boxes[0].text == "no network here"
    assert any("cdn.example" in warning.message for warning in deck.warnings)
    assert _office_processes() == []


def test_that_a_page_that_is_no_picture_is_told_and_not_left_out(tmp_path):
    folder = tmp_path / "deck"
    folder.mkdir()
    Image.new("RGB", (32, 18)).save(folder / "slide_1.png")
    (folder / "slide_2.png").write_text("<html>404</html>")
    Image.new("RGB", (32, 18)).save(folder / "slide_3.png")
    rendered = render_deck(folder, tmp_path / "out", format=DeckFormat.IMAGES, tools=_NONE)
    assert [page.image is not None for page in rendered.pages] == [True, False, True]
    assert [warning.slide for warning in rendered.warnings] == [2]


def test_that_files_that_are_only_named_as_pictures_make_no_deck(tmp_path):
    (tmp_path / "slide_1.png").write_text("<html>404</html>")
    assert page_images(tmp_path) == ()
