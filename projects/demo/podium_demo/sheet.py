"""A drawing sheet on a MuPDF page: text with line breaks, boxes, lines and polygons in points."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

import pymupdf

from podium_demo.fonts import Face, measuring
from podium_demo.typeset import wrap

Xy = tuple[float, float]
Box = tuple[float, float, float, float]


def rgb(colour: str) -> tuple[float, float, float]:
    """Return a ``#rrggbb`` colour as three numbers from 0 to 1."""
    return tuple(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))  # type: ignore[return-value]


def mix(a: str, b: str, share: float) -> str:
    """Return the colour that lies `share` (0 to 1) of the way from a to b."""
    pairs = ((int(a[i : i + 2], 16), int(b[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(x + (y - x) * share):02x}" for x, y in pairs)


class Sheet:
    """Draws on one page; y grows downwards, as in the page itself."""

    def __init__(self, page: pymupdf.Page, regular: Face, bold: Face) -> None:
        self._page = page
        self._faces = {"R": regular, "B": bold}
        for name, face in self._faces.items():
            if face.path:
                page.insert_font(fontname=name, fontfile=face.path)
            else:
                page.insert_font(fontname=name, fontbuffer=face.data)
        self.width = page.rect.width
        self.height = page.rect.height

    def measure(self, text: str, size: float, *, bold: bool = False) -> float:
        """Return the width of a line in points."""
        return float(measuring(self._faces["B" if bold else "R"]).text_length(text, size))

    def text(
        self,
        at: Xy,
        text: str,
        size: float,
        colour: str,
        *,
        bold: bool = False,
        width: float | None = None,
        leading: float = 1.28,
        align: str = "left",
        opacity: float = 1.0,
    ) -> float:
        """Set text with its top at `at` and return the y of its bottom.

        Args:
            at: left edge (or centre, or right edge, by `align`) and top.
            text: what to set.
            size: of the type, in points.
            colour: ``#rrggbb``.
            bold: whether to use the bold face.
            width: breaks lines at this width; None sets one line.
            leading: distance of lines, in type sizes.
            align: ``left``, ``centre`` or ``right``.
            opacity: 0 to 1.
        """
        x, top = at
        outline = self._faces["B"].stroke if bold else 0.0
        lines = [text] if width is None else wrap(text, width, lambda s: self.measure(s, size, bold=bold))
        shift = {"left": 0.0, "centre": 0.5, "right": 1.0}[align]
        for number, line in enumerate(lines):
            left = x - shift * self.measure(line, size, bold=bold) if shift else x
            baseline = top + size * 0.95 + number * size * leading
            self._page.insert_text(
                (left, baseline),
                line,
                fontsize=size,
                fontname="B" if bold else "R",
                color=rgb(colour),
                fill=rgb(colour),
                render_mode=2 if outline else 0,
                border_width=outline,
                fill_opacity=opacity,
            )
        return top + len(lines) * size * leading

    def fitted(
        self, at: Xy, text: str, size: float, colour: str, *, width: float, lines: int, bold: bool = False
    ) -> float:
        """Set text in at most `lines` lines, smaller if it must be, and return the y of its bottom."""
        while size > 9:
            needed = wrap(text, width, lambda s: self.measure(s, size, bold=bold))  # noqa: B023
            widest = max(self.measure(line, size, bold=bold) for line in needed)
            if len(needed) <= lines and widest <= width:
                break
            size *= 0.94
        return self.text(at, text, size, colour, bold=bold, width=width)

    def box(
        self,
        box: Box,
        fill: str | None,
        *,
        line: str | None = None,
        round_by: float = 0.0,
        opacity: float = 1.0,
    ) -> None:
        """Draw a rectangle (x0, y0, x1, y1); `round_by` is the corner radius in points."""
        x0, y0, x1, y1 = box
        side = min(x1 - x0, y1 - y0)
        self._page.draw_rect(
            pymupdf.Rect(box),
            color=rgb(line) if line else None,
            fill=rgb(fill) if fill else None,
            width=1 if line else 0,
            radius=min(round_by / side, 0.5) if round_by and side > 0 else None,
            fill_opacity=opacity,
        )

    def line(self, a: Xy, b: Xy, colour: str, width: float = 1.0, dashes: str = "") -> None:
        """Draw a straight line; `dashes` as in PDF, such as ``[3 3] 0``."""
        self._page.draw_line(a, b, color=rgb(colour), width=width, dashes=dashes or None, lineCap=1)

    def path(self, points: Sequence[Xy], colour: str, width: float) -> None:
        """Draw an open path through the points."""
        self._page.draw_polyline(list(points), color=rgb(colour), width=width, lineCap=1, lineJoin=1)

    def area(self, points: Sequence[Xy], fill: str, opacity: float = 1.0) -> None:
        """Fill a polygon."""
        self._page.draw_polyline(
            list(points), color=None, fill=rgb(fill), width=0, closePath=True, fill_opacity=opacity
        )

    def disc(
        self,
        centre: Xy,
        radius: float,
        fill: str | None,
        *,
        line: str | None = None,
        width: float = 1.0,
        opacity: float = 1.0,
    ) -> None:
        """Draw a circle."""
        self._page.draw_circle(
            centre,
            radius,
            color=rgb(line) if line else None,
            fill=rgb(fill) if fill else None,
            width=width if line else 0,
            fill_opacity=opacity,
        )

    def ring(self, centre: Xy, radius: float, hole: float, start: float, share: float, fill: str) -> None:
        """Fill a part of a ring; `start` and `share` are shares of the full turn, from the top, clockwise."""
        steps = max(2, round(share * 120))
        turns = [2 * pi * (start + share * i / steps) for i in range(steps + 1)]
        outer = [(centre[0] + radius * sin(t), centre[1] - radius * cos(t)) for t in turns]
        inner = [(centre[0] + hole * sin(t), centre[1] - hole * cos(t)) for t in reversed(turns)]
        self.area([*outer, *inner], fill)
