"""The example slides of the shipped guidelines, drawn anew: `python -m studio.dev.guideline_pictures`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PIL import Image, ImageDraw

SIZE = (960, 540)
FOLDER = Path(__file__).resolve().parents[2] / "resources" / "guidelines" / "pictures"
INK, PAPER = "#1f2a3a", "#ffffff"


def draw_all(folder: Path = FOLDER) -> list[Path]:
    """Write every picture into a folder and return their paths; the same pictures every time."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, draw in PICTURES.items():
        path = folder / f"{name}.png"
        draw().quantize(64).save(path, optimize=True)
        written.append(path)
    return written


def _slide(ground: str = PAPER) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    image = Image.new("RGB", SIZE, ground)
    return image, ImageDraw.Draw(image)


def _bars(draw: ImageDraw.ImageDraw, colours: list[str], left: int = 560, base: int = 440) -> None:
    for place, colour in enumerate(colours):
        height = (120, 190, 150, 260)[place % 4]
        draw.rectangle((left + place * 80, base - height, left + place * 80 + 52, base), fill=colour)


def _text(
    draw: ImageDraw.ImageDraw, colour: str, *, title: str | None = None, lines: int = 4, top: int = 170, gap: int = 56
) -> None:  # fmt: skip
    draw.rectangle((60, 60, 430, 100), fill=title or colour)
    for line in range(lines):
        draw.rectangle((60, top + line * gap, 60 + (380, 330, 410, 290)[line % 4], top + line * gap + 16), fill=colour)


def _harmony_good() -> Image.Image:
    image, draw = _slide("#f4f8fc")
    _text(draw, "#33506f", title="#1d4e89")
    _bars(draw, ["#9cc3e6", "#5b9bd5", "#2e75b6", "#1d4e89"])
    return image


def _harmony_bad() -> Image.Image:
    image, draw = _slide("#ffe94a")
    _text(draw, "#d4145a", title="#00a651")
    _bars(draw, ["#ff6a00", "#7a00cc", "#00c2d1", "#e60012"])
    return image


def _engagement_good() -> Image.Image:
    image, draw = _slide("#0f3057")
    _text(draw, "#e8eef5", title="#ffb703", lines=3, gap=72)
    draw.ellipse((560, 110, 880, 430), fill="#ffb703")
    draw.pieslice((560, 110, 880, 430), -90, 70, fill="#fb8500")
    return image


def _engagement_bad() -> Image.Image:
    image, draw = _slide("#f2f2f2")
    _text(draw, "#c9c9c9", title="#bdbdbd", lines=6, gap=52)
    return image


def _usability_good() -> Image.Image:
    image, draw = _slide()
    _text(draw, INK, lines=3, gap=84)
    draw.line((520, 150, 520, 440), fill="#d5dbe3", width=2)
    _bars(draw, ["#8fb1de", "#5b82e0", "#8fb1de", "#2f5cc4"])
    return image


def _usability_bad() -> Image.Image:
    image, draw = _slide("#8a9bb0")
    for line in range(24):
        y = 40 + line * 20
        draw.rectangle((30, y, 30 + 840 - (line * 37) % 120, y + 8), fill="#9db0c6")
    draw.rectangle((520, 60, 930, 330), fill="#7f93aa")
    for line in range(10):
        draw.rectangle((500, 90 + line * 22, 900, 98 + line * 22), fill="#93a7bf")
    return image


def _strip(makers: list[Callable[[], Image.Image]]) -> Image.Image:
    image, _ = _slide("#ffffff")
    for place, make in enumerate(makers):
        thumb = make().resize((288, 162), Image.Resampling.LANCZOS)
        x, y = 24 + (place % 3) * 312, 84 + (place // 3) * 200
        image.paste(thumb, (x, y))
        ImageDraw.Draw(image).rectangle((x, y, x + 288, y + 162), outline="#c5ccd6", width=2)
    return image


def _opening() -> Image.Image:
    image, draw = _slide("#1d4e89")
    draw.rectangle((200, 220, 760, 270), fill="#ffffff")
    draw.rectangle((320, 310, 640, 330), fill="#9cc3e6")
    return image


def _picture() -> Image.Image:
    image, draw = _slide("#dcebf7")
    draw.ellipse((300, 90, 660, 450), fill="#2e75b6")
    return image


def _dense() -> Image.Image:
    image, draw = _slide()
    _text(draw, "#33506f", lines=6, gap=52)
    return image


PICTURES: dict[str, Callable[[], Image.Image]] = {
    "harmony-good": _harmony_good,
    "harmony-bad": _harmony_bad,
    "engagement-good": _engagement_good,
    "engagement-bad": _engagement_bad,
    "usability-good": _usability_good,
    "usability-bad": _usability_bad,
    "rhythm-good": lambda: _strip([_opening, _harmony_good, _picture, _dense, _harmony_good, _opening]),
    "rhythm-bad": lambda: _strip([_dense, _dense, _dense, _dense, _dense, _dense]),
}
"""Name → drawing; what is wrong or right with each is said in the guidelines."""

if __name__ == "__main__":
    for path in draw_all():
        print(path.name)
