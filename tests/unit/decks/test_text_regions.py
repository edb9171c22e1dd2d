from __future__ import annotations

import importlib.util
import socket
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from studio.decks import text_regions
from studio.decks.ocr import PictureTask, read_picture, read_pictures
from studio.decks.text_regions import Detail, detector_name, find_quads, load_bgr, why_no_detector
from studio.errors import BadInput, ToolMissing
from studio.model.regions import PictureRegion

LINES = [
    ((80, 60), "Harbour traffic in winter", 44),
    ((80, 220), "Ships wait nine hours", 30),
    ((700, 500), "Source: port office", 24),
]


def picture(
    path: Path, *, lines=LINES, size=(1280, 720), mode="RGB", paper=(255, 255, 255), ink=(20, 20, 60)
) -> list[tuple[float, ...]]:
    """Draw lines of text and return the true box of each, in pixels."""
    canvas = Image.new("RGB", size, paper)
    draw = ImageDraw.Draw(canvas)
    boxes = []
    for place, text, height in lines:
        font = ImageFont.load_default(size=height)
        draw.text(place, text, font=font, fill=ink)
        boxes.append(draw.textbbox(place, text, font=font))
    canvas.convert(mode).save(path)
    return boxes


def covered(box: tuple[float, ...], regions: tuple[PictureRegion, ...]) -> float:
    """Return which share of a box the regions cover; they do not overlap each other here."""
    x0, y0, x1, y1 = box
    area = sum(
        max(0.0, min(x1, region.x1) - max(x0, region.x0)) * max(0.0, min(y1, region.y1) - max(y0, region.y0))
        for region in regions
    )
    return area / ((x1 - x0) * (y1 - y0))


def test_that_every_line_of_text_is_found_and_little_else(tmp_path):
    boxes = picture(tmp_path / "a.png")
    found = read_picture(tmp_path / "a.png", is_read=False)
    assert len(found.regions) == 3
    assert [covered(box, found.regions) > 0.9 for box in boxes] == [True] * 3
    # A region is its line with a small margin: never twice as high or half as long again.
    for box, region in zip(boxes, found.regions, strict=True):
        assert region.y1 - region.y0 < 2 * (box[3] - box[1])
        assert region.x1 - region.x0 < 1.5 * (box[2] - box[0])
    assert all(region.label == "text" and 0.5 <= region.score <= 1 for region in found.regions)
    assert (found.width_px, found.height_px, found.reader) == (1280, 720, "")


def test_that_the_lines_are_read_from_top_to_bottom(tmp_path):
    picture(tmp_path / "a.png")
    found = read_picture(tmp_path / "a.png")
    assert found.text == "Harbour traffic in winter\nShips wait nine hours\nSource: port office"
    assert found.detector == detector_name()
    assert found.reader.startswith("RapidOCR ")


def test_that_a_picture_without_text_has_no_region(tmp_path):
    picture(tmp_path / "a.png", lines=[], paper=(200, 220, 240))
    found = read_picture(tmp_path / "a.png")
    assert (found.regions, found.text) == ((), "")


def test_that_finding_and_reading_in_turn_do_not_disturb_each_other(tmp_path):
    # RapidOCR keeps the switches of the call before.
    picture(tmp_path / "a.png")
    first = read_picture(tmp_path / "a.png")
    only_found = read_picture(tmp_path / "a.png", is_read=False)
    again = read_picture(tmp_path / "a.png")
    assert first == again
    assert [region.text for region in only_found.regions] == ["", "", ""]


def test_that_light_text_on_a_dark_transparent_or_grey_picture_is_found(tmp_path):
    picture(tmp_path / "dark.png", paper=(10, 10, 30), ink=(240, 240, 240))
    picture(tmp_path / "grey.png", mode="L")
    canvas = Image.new("RGBA", (1280, 720), (0, 0, 0, 0))
    ImageDraw.Draw(canvas).text(
        (100, 100), "Black on nothing", font=ImageFont.load_default(size=40), fill=(0, 0, 0, 255)
    )
    canvas.save(tmp_path / "clear.png")
    texts = read_pictures(
        PictureTask(paths=tuple(str(tmp_path / name) for name in ("dark.png", "grey.png", "clear.png")))
    )
    assert [len(text.regions) for text in texts] == [3, 3, 1]
    assert texts[2].text == "Black on nothing"


def test_that_regions_stay_inside_the_picture(tmp_path):
    picture(tmp_path / "a.png", lines=[((-10, -6), "At the very edge", 40)], size=(640, 360))
    found = read_picture(tmp_path / "a.png", is_read=False)
    assert found.regions
    assert all(0 <= r.x0 < r.x1 <= 640 and 0 <= r.y0 < r.y1 <= 360 for r in found.regions)


def test_that_small_letters_of_a_scanned_page_are_found_when_looked_at_closely(tmp_path):
    lines = [((60, 60 + 30 * n), f"line {n} of a page with small letters", 14) for n in range(20)]
    picture(tmp_path / "page.png", lines=lines, size=(1240, 1754))
    found = read_picture(tmp_path / "page.png", detail=Detail.PAGE)
    assert sum("small letters" in region.text for region in found.regions) >= 19


def test_that_a_file_that_is_no_picture_is_named(tmp_path):
    (tmp_path / "a.png").write_text("no picture")
    with pytest.raises(BadInput, match=r"a\.png"):
        read_picture(tmp_path / "a.png")
    with pytest.raises(BadInput, match=r"b\.png"):
        read_picture(tmp_path / "b.png")


def test_that_no_connection_is_opened(tmp_path, monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("the network was asked for")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    text_regions._detector.cache_clear()
    picture(tmp_path / "a.png")
    assert len(find_quads(load_bgr(tmp_path / "a.png")).scores) == 3


def test_that_it_works_where_there_is_no_network_and_says_nothing(tmp_path):
    picture(tmp_path / "a.png")
    program = textwrap.dedent(
        """
        import sys
        from pathlib import Path
        from studio.decks.ocr import read_picture
        print(len(read_picture(Path(sys.argv[1])).regions))
        """
    )
    alone = ["unshare", "--user", "--map-root-user", "--net"]
    try:
        can = subprocess.run([*alone, "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        can = False
    if not can:
        pytest.skip("this machine cannot take a process off the network")
    run = subprocess.run(
        [*alone, sys.executable, "-c", program, str(tmp_path / "a.png")],
        capture_output=True, text=True, check=False, cwd=Path(__file__).parents[3],
    )  # fmt: skip
    assert (run.stdout.strip(), run.stderr) == ("3", "")


def test_that_a_missing_package_is_named_with_the_next_step(monkeypatch):
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "rapidocr" else find_spec(name))
    assert why_no_detector() == "text cannot be found on pictures: rapidocr is not installed. Run: make setup"
    with pytest.raises(ToolMissing, match="make setup"):
        text_regions.engine({})


def test_that_a_wheel_without_its_model_is_said(monkeypatch, tmp_path):
    monkeypatch.setattr(text_regions, "model_file", lambda model: tmp_path / f"{model}.onnx")
    assert "does not carry PP-OCRv6_det_small" in why_no_detector()


def test_that_a_grey_picture_of_sixteen_bits_is_read_with_its_greys(tmp_path):
    Image.new("I;16", (4, 3), 0x4000).save(tmp_path / "a.png")
    # 0x4000 / 0xFFFF * 255 = 63.75
    assert (load_bgr(tmp_path / "a.png") == 64).all()
