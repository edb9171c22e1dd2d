"""One small illustration for each instance, drawn from shapes in the colours of whoever asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pymupdf

from podium_demo.fonts import PLAIN, face
from podium_demo.sheet import Sheet


@dataclass(frozen=True, kw_only=True)
class Paint:
    """Four colours of an illustration."""

    dark: str
    main: str
    light: str
    spark: str


def draw_picture(sheet: Sheet, name: str, at: tuple[float, float], side: float, paint: Paint) -> None:
    """Draw the illustration of an instance into a square of `side` points, its top left at `at`."""
    _PICTURES[name](_Frame(sheet=sheet, x=at[0], y=at[1], unit=side / 100), paint)


def picture_png(name: str, paint: Paint, side_px: int) -> bytes:
    """Return the illustration of an instance as a square PNG with a transparent ground."""
    with pymupdf.open() as document:
        page = document.new_page(width=400, height=400)
        draw_picture(Sheet(page, face(PLAIN), face(PLAIN, bold=True)), name, (0, 0), 400, paint)
        zoom = side_px / 400
        return bytes(page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), alpha=True).tobytes("png"))


@dataclass(frozen=True, kw_only=True)
class _Frame:
    """A square of 100 × 100 units on a sheet."""

    sheet: Sheet
    x: float
    y: float
    unit: float

    def at(self, x: float, y: float) -> tuple[float, float]:
        return self.x + x * self.unit, self.y + y * self.unit

    def box(
        self, x0: float, y0: float, x1: float, y1: float, fill: str, round_by: float = 0, opacity: float = 1
    ) -> None:
        self.sheet.box((*self.at(x0, y0), *self.at(x1, y1)), fill, round_by=round_by * self.unit, opacity=opacity)

    def disc(self, x: float, y: float, radius: float, fill: str, opacity: float = 1) -> None:
        self.sheet.disc(self.at(x, y), radius * self.unit, fill, opacity=opacity)

    def area(self, points: list[tuple[float, float]], fill: str, opacity: float = 1) -> None:
        self.sheet.area([self.at(*p) for p in points], fill, opacity)

    def line(self, x0: float, y0: float, x1: float, y1: float, colour: str, width: float) -> None:
        self.sheet.line(self.at(x0, y0), self.at(x1, y1), colour, width * self.unit)

    def rays(self, x: float, y: float, inner: float, outer: float, colour: str) -> None:
        for dx, dy in ((1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7), (0, -1), (0.7, -0.7)):
            self.line(x + dx * inner, y + dy * inner, x + dx * outer, y + dy * outer, colour, 1.8)


def _person(frame: _Frame, x: float, foot: float, tall: float, colour: str) -> None:
    frame.disc(x, foot - tall, tall * 0.14, colour)
    frame.box(x - tall * 0.14, foot - tall * 0.82, x + tall * 0.14, foot - tall * 0.36, colour, round_by=tall * 0.1)
    for side in (-1, 1):
        frame.line(x + side * tall * 0.07, foot - tall * 0.4, x + side * tall * 0.08, foot, colour, tall * 0.1)


def _shelter(frame: _Frame, paint: Paint) -> None:
    frame.disc(80, 18, 9, paint.spark)
    frame.rays(80, 18, 12, 16, paint.spark)
    frame.box(20, 42, 80, 86, paint.main, opacity=0.35)
    for x in (22, 78):
        frame.line(x, 38, x, 88, paint.dark, 2.4)
    frame.box(12, 32, 88, 39, paint.light, round_by=2)
    frame.box(12, 37, 88, 40, paint.dark, round_by=1.5)
    frame.box(46, 70, 74, 73, paint.dark, round_by=1)
    _person(frame, 34, 87, 34, paint.dark)
    frame.disc(58, 54, 4.4, paint.main)
    frame.box(54, 59, 62, 71, paint.main, round_by=3)
    frame.line(60, 70, 66, 72, paint.main, 3.4)
    frame.line(66, 72, 66, 86, paint.main, 3.4)
    frame.box(4, 87, 96, 90, paint.dark, round_by=1)


def _books(frame: _Frame, paint: Paint) -> None:
    colours = (paint.main, paint.spark, paint.light, paint.dark, paint.main, paint.light, paint.spark)
    x = 12.0
    for i, colour in enumerate(colours):
        wide = (9, 12, 8, 11, 10, 9, 12)[i]
        top = (22, 30, 18, 26, 34, 24, 28)[i]
        frame.box(x, top, x + wide, 78, colour, round_by=1.5)
        frame.box(x + 2, top + 8, x + wide - 2, top + 11, paint.dark if colour != paint.dark else paint.light)
        x += wide + 1
    frame.box(6, 78, 94, 83, paint.dark, round_by=1.5)
    frame.box(14, 83, 18, 94, paint.dark)
    frame.box(82, 83, 86, 94, paint.dark)


def _station(frame: _Frame, paint: Paint) -> None:
    frame.line(50, 26, 50, 12, paint.dark, 2)
    for x in (36, 64):
        frame.line(50, 12, x, 12, paint.dark, 1.8)
        frame.disc(x, 12, 5.5, paint.spark)
    frame.box(28, 24, 72, 92, paint.dark, round_by=10)
    frame.box(33, 31, 67, 62, paint.light, round_by=4)
    frame.disc(43, 42, 5, paint.spark)
    frame.rays(43, 42, 6.5, 8.5, paint.spark)
    for x, y, r in ((50, 50, 5), (56, 47, 6.5), (62, 51, 4)):
        frame.disc(x, y, r, paint.main)
    frame.box(50, 50, 62, 55, paint.main, round_by=2)
    for i in range(4):
        for j in range(2):
            frame.box(35 + i * 7.8, 68 + j * 9, 41.5 + i * 7.8, 75 + j * 9, paint.main, round_by=1, opacity=0.8)


def _slots(frame: _Frame, paint: Paint) -> None:
    filled = {1: 1, 3: 3, 4: 1, 6: 2}
    for i in range(8):
        y = 8 + i * 10.6
        frame.box(10, y, 28, y + 9, paint.main if i in filled else paint.light, round_by=1.5)
        for k in range(filled.get(i, 0)):
            x = 38 + k * 21
            frame.line(x - 10, y + 4.5, x, y + 4.5, paint.dark, 1.2)
            frame.box(x, y, x + 14, y + 9, paint.spark if k else paint.dark, round_by=3)


def _cup(frame: _Frame, paint: Paint) -> None:
    for x, up in ((40, 8), (50, 2), (60, 8)):
        points = [(x, 38.0), (x + 3, 32.0), (x - 3, 24.0), (x + 2, 16.0 + up / 4), (x, 10.0 + up)]
        frame.sheet.path([frame.at(*p) for p in points], paint.main, 1.6 * frame.unit)
    frame.area([(20, 46), (80, 46), (74, 66), (62, 80), (38, 80), (26, 66)], paint.light)
    frame.area([(20, 46), (80, 46), (78.4, 52), (21.6, 52)], paint.spark)
    frame.box(38, 79, 62, 84, paint.light)
    frame.box(18, 85, 82, 89, paint.dark, round_by=2)
    leaf = [(84.0, 30.0), (92.0, 20.0), (96.0, 8.0), (86.0, 12.0), (80.0, 22.0)]
    frame.area(leaf, paint.main)
    frame.line(82, 32, 94, 11, paint.dark, 0.8)


_PICTURES: dict[str, Callable[[_Frame, Paint], None]] = {
    "white-roofs-paper": _shelter,
    "library-year": _books,
    "weather-station-product": _station,
    "hash-tables-lecture": _slots,
    "tea-zh": _cup,
}
