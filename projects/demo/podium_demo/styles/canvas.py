"""Demo Canvas: a deck of pictures only: soft grounds, large words and one drawing."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from podium_demo.charts import Ink, chart_png
from podium_demo.content import excerpt
from podium_demo.fonts import CHINESE, CHINESE_SERIF, NARROW, SERIF, face, page_face, pillow_font
from podium_demo.outline import DemoInstance, Flaw, Section, Take, with_swaps
from podium_demo.pictures import Paint, picture_png
from podium_demo.sheet import mix
from podium_demo.typeset import wrap

_WIDE, _HIGH = 1280, 720


@dataclass(frozen=True, kw_only=True)
class Wash:
    """The colours of a painted deck."""

    high: str
    """Ground at the top left."""
    low: str
    """Ground at the bottom right."""
    glow: str
    text: str
    main: str
    spark: str


_PALETTES = {
    "sun": Wash(high="#fff3d6", low="#f7b267", glow="#ffffff", text="#3a2313", main="#c8452b", spark="#f4d35e"),
    "haze": Wash(high="#d9dde3", low="#a9b4c2", glow="#e9ecef", text="#5b6672", main="#6c7f96", spark="#c9b79c"),
    "sky": Wash(high="#dff3ff", low="#7fb8e6", glow="#ffffff", text="#0d2b45", main="#0f5c9c", spark="#ffb703"),
    "candy": Wash(high="#ff6ec7", low="#39ff88", glow="#fff700", text="#1d00ff", main="#ff0033", spark="#00e5ff"),
    "ink": Wash(high="#f4efe2", low="#d8d3c0", glow="#fffdf5", text="#23201c", main="#3f5b45", spark="#a8743a"),
}


class _Deck:
    """Paints slides into a folder."""

    def __init__(self, instance: DemoInstance, take: Take, folder: Path) -> None:
        self._instance = instance
        self._take = take
        self._folder = folder
        self._count = 0
        self._wash = _PALETTES[take.palette or "sun"]
        is_chinese = instance.is_chinese
        self._title_face = face(CHINESE_SERIF if is_chinese else SERIF, bold=True)
        self._text_face = face(CHINESE if is_chinese else NARROW)
        family = CHINESE if is_chinese else NARROW
        self._chart_faces = (page_face(family), page_face(family, bold=True))
        wash = self._wash
        self._paint = Paint(dark=wash.text, main=wash.main, light=mix(wash.high, "#ffffff", 0.6), spark=wash.spark)

    def _ground(self, seed: int) -> Image.Image:
        """Return a painted ground: a slanting gradient and three soft glows."""
        rng = np.random.default_rng(seed)
        y, x = np.mgrid[0:_HIGH:4, 0:_WIDE:4].astype(np.float64)
        slope = (x / _WIDE * 0.6 + y / _HIGH * 0.4)[..., None]
        ground = _array(self._wash.high) * (1 - slope) + _array(self._wash.low) * slope
        for k in range(3):
            cx, cy, radius = rng.uniform(0, _WIDE), rng.uniform(0, _HIGH), rng.uniform(160, 380)
            glow = np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * radius**2))[..., None] * 0.55
            colour = _array(self._wash.glow if k < 2 else self._wash.spark)
            ground = ground * (1 - glow) + colour * glow
        small = Image.fromarray(np.clip(ground, 0, 255).astype(np.uint8))
        return small.resize((_WIDE, _HIGH), Image.Resampling.BICUBIC)

    def _write(
        self,
        image: Image.Image,
        at: tuple[float, float],
        text: str,
        size: int,
        colour: str,
        width: float,
        *,
        title: bool = False,
        lines: int = 9,
    ) -> float:
        """Set text, smaller (down to half) if it has more lines than it may; return the y of its bottom."""
        draw = ImageDraw.Draw(image)
        chosen = self._title_face if title else self._text_face
        text = with_swaps(text, self._take)
        smallest = size // 2
        while True:
            font = pillow_font(chosen, size)
            broken = wrap(text, width, font.getlength)
            if len(broken) <= lines or size <= smallest:
                break
            size -= 2
        y = at[1]
        for line in broken:
            draw.text((at[0], y), line, font=font, fill=colour, anchor="la")
            y += size * 1.25
        return y

    def _picture(self, image: Image.Image, at: tuple[int, int], side: int) -> None:
        picture = Image.open(io.BytesIO(picture_png(self._instance.subject, self._paint, side)))
        shadow = Image.new("RGBA", picture.size, self._wash.text)
        shadow.putalpha(picture.getchannel("A").point(lambda a: a // 4))
        shadow = shadow.filter(ImageFilter.GaussianBlur(8))
        image.paste(shadow, (at[0] + 8, at[1] + 12), shadow)
        image.paste(picture, at, picture)

    def _veil(self, image: Image.Image, box: tuple[int, int, int, int], strength: int = 150) -> None:
        """Lay a light, soft panel on the image."""
        mask = Image.new("L", image.size, 0)
        ImageDraw.Draw(mask).rounded_rectangle(box, 28, fill=strength)
        image.paste(Image.new("RGB", image.size, mix(self._wash.high, "#ffffff", 0.7)), (0, 0), mask)

    def _save(self, image: Image.Image) -> None:
        self._count += 1
        if Flaw.BLURRED in self._take.flaws:
            image = image.resize((_WIDE * 3 // 8, _HIGH * 3 // 8), Image.Resampling.BILINEAR)
            image = image.resize((_WIDE, _HIGH), Image.Resampling.BICUBIC)
        image.save(self._folder / f"slide_{self._count:04d}.png", compress_level=4)

    def cover(self) -> None:
        outline = self._instance.outline
        image = self._ground(1)
        self._picture(image, (700, 110), 500)
        bottom = self._write(
            image,
            (80, 180),
            outline.title,
            66 if self._instance.is_chinese else 78,
            self._wash.main,
            610,
            title=True,
            lines=3,
        )
        self._write(image, (84, bottom + 26), outline.subtitle, 34, self._wash.text, 560)
        self._write(image, (84, 650), outline.byline, 22, self._wash.text, 800)
        self._save(image)

    def section(self, section: Section) -> None:
        if Flaw.CROWDED in self._take.flaws:
            self._crowded(section)
        elif section.chart and Flaw.THIN not in self._take.flaws:
            self._with_chart(section)
        elif section.stats and Flaw.THIN not in self._take.flaws:
            self._with_stats(section)
        else:
            self._with_points(section)

    def _head(self, section: Section, seed: int) -> Image.Image:
        image = self._ground(seed)
        claim = section.topic if Flaw.THIN in self._take.flaws else section.claim
        self._write(image, (80, 62), claim, 56, self._wash.main, 1120, title=True, lines=2)
        return image

    def _with_chart(self, section: Section) -> None:
        image = self._head(section, 10 + self._count)
        wash = self._wash
        self._veil(image, (80, 216, 800, 664))
        ink = Ink(
            text=wash.text,
            muted=mix(wash.low, wash.text, 0.25),
            series=(wash.main, wash.spark, wash.text, wash.low),
        )
        data = chart_png(self._instance.outline.charts[section.chart], ink, self._chart_faces, (660, 400), 1.0, 17)
        chart = Image.open(io.BytesIO(data))
        image.paste(chart, (110, 244), chart)
        y = 226.0
        for point in section.points[:3]:
            self._write(image, (850, y), point.label, 34, wash.main, 370, title=True)
            y = self._write(image, (850, y + 46), point.brief, 28, wash.text, 360, lines=3) + 30
        self._save(image)

    def _with_stats(self, section: Section) -> None:
        image = self._head(section, 20 + self._count)
        self._picture(image, (880, 260), 330)
        y = 220.0
        for stat in section.stats[:3]:
            self._write(image, (80, y), stat.value, 88, self._wash.main, 430, title=True, lines=1)
            self._write(image, (470, y + 36), stat.label, 34, self._wash.text, 360, lines=2)
            y += 140
        self._save(image)

    def _with_points(self, section: Section) -> None:
        image = self._head(section, 30 + self._count)
        points = section.points[:4]
        wide = (1120 - 30 * (len(points) - 1)) // len(points)
        for k, point in enumerate(points):
            x = 80 + k * (wide + 30)
            self._veil(image, (x, 240, x + wide, 610))
            draw = ImageDraw.Draw(image)
            draw.ellipse((x + 30, 270, x + 90, 330), fill=self._wash.main)
            number = pillow_font(self._title_face, 34)
            draw.text((x + 60, 299), str(k + 1), font=number, fill="#ffffff", anchor="mm")
            self._write(image, (x + 30, 356), point.label, 38, self._wash.main, wide - 50, title=True, lines=1)
            if Flaw.THIN not in self._take.flaws:
                self._write(image, (x + 30, 416), point.brief, 30, self._wash.text, wide - 56, lines=4)
        self._save(image)

    def _crowded(self, section: Section) -> None:
        """One long text, set as a picture; it may run over the lower edge."""
        image = self._head(section, 40 + self._count)
        text = " ".join([*excerpt(self._instance, section), *(p.full for p in section.points)])
        self._write(image, (80, 210), text, 37, self._wash.text, 1120, lines=99)
        self._save(image)

    def closing(self) -> None:
        outline = self._instance.outline
        image = self._ground(3)
        self._write(image, (80, 70), outline.summary, 64, self._wash.main, 1000, title=True)
        self._veil(image, (80, 190, 860, 650))
        y = 226.0
        for line in outline.takeaways:
            ImageDraw.Draw(image).ellipse((116, y + 12, 132, y + 28), fill=self._wash.main)
            self._write(image, (156, y), line, 34, self._wash.text, 670, lines=2)
            y += 102
        self._picture(image, (890, 330), 320)
        self._save(image)


def _array(colour: str) -> np.ndarray:
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=np.float64)


def build(instance: DemoInstance, take: Take, target: Path) -> None:
    """Write the instance's deck in this style as ``slide_0001.png`` … into the folder `target`."""
    target.mkdir(parents=True)
    deck = _Deck(instance, take, target)
    deck.cover()
    for index in take.sections:
        deck.section(instance.outline.sections[index])
    deck.closing()
