"""Sensitivity by degree as an SVG picture, drawn without a window: one field for each defect, one line an evaluator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import escape

_FIELD_W, _FIELD_H, _GAP, _LEFT, _TOP = 230, 190, 26, 54, 52
_ROW_H, _KEY_W = 17, 250
_DASHES = ("", "6 3", "2 2", "8 3 2 3")
"""Lines differ in colour and, once these are used up, in their dashes."""


@dataclass(frozen=True, kw_only=True)
class Colours:
    """Of a picture, as CSS."""

    ground: str
    ink: str
    grid: str
    zero: str
    lines: tuple[str, ...]


PAPER = Colours(
    ground="#ffffff", ink="#1b1f24", grid="#e3e6ea", zero="#9aa3ad",
    lines=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#5e4fa2", "#7f7f7f"),
)  # fmt: skip
"""For print; the lines can be told apart by colour-blind people."""


@dataclass(frozen=True, kw_only=True)
class Curve:
    """One evaluator in one field."""

    title: str
    points: tuple[tuple[int, float | None], ...]
    """Degree and value, −1 to 1; None leaves a gap."""
    is_baseline: bool = False


@dataclass(frozen=True, kw_only=True)
class Facet:
    """One kind of defect."""

    title: str
    curves: tuple[Curve, ...]


def sensitivity_svg(
    facets: Sequence[Facet], *, words: str, colours: Colours = PAPER, low: float = -1.0, start: float | None = 0.0
) -> str:
    """Return an SVG document; the key names the lines once.

    Args:
        facets: from left to right.
        words: what the values are.
        colours: of everything in it.
        low: the lowest value that is drawn; the highest is 1.
        start: value of every line at degree 0; None if lines start at their first point.
    """
    names = list(dict.fromkeys(curve.title for facet in facets for curve in facet.curves))
    width = _LEFT + len(facets) * (_FIELD_W + _GAP) + _KEY_W
    height = max(_TOP + _FIELD_H + 46, _TOP + len(names) * _ROW_H + 20)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="11" role="img">',
        f"<title>{escape(words)}</title>",
        f'<rect width="{width}" height="{height}" fill="{colours.ground}"/>',
        f'<g fill="{colours.ink}">',
        f'<text x="{_LEFT}" y="20" font-size="13">{escape(words)}</text>',
    ]
    draw = _Drawing(names=names, colours=colours, low=low, start=start)
    for number, facet in enumerate(facets):
        out += draw.field(facet, _LEFT + number * (_FIELD_W + _GAP), has_scale=number == 0)
    key_x = _LEFT + len(facets) * (_FIELD_W + _GAP)
    for place, name in enumerate(names):
        y = _TOP + 8 + place * _ROW_H
        out.append(f'<line x1="{key_x}" y1="{y}" x2="{key_x + 26}" y2="{y}" {draw.stroke(place)}/>')
        out.append(f'<text x="{key_x + 32}" y="{y + 4}">{escape(name)}</text>')
    return "\n".join([*out, "</g>", "</svg>", ""])


@dataclass(frozen=True, kw_only=True)
class _Drawing:
    names: Sequence[str]
    colours: Colours
    low: float
    start: float | None

    def field(self, facet: Facet, x: int, *, has_scale: bool) -> list[str]:
        out = [f'<text x="{x}" y="{_TOP - 10}" font-weight="bold">{escape(facet.title)}</text>']
        for step in range(5):
            height = self.low + step * (1 - self.low) / 4
            y = self._y(height)
            line = self.colours.zero if height == 0 else self.colours.grid
            out.append(f'<line x1="{x}" y1="{y:.1f}" x2="{x + _FIELD_W}" y2="{y:.1f}" stroke="{line}"/>')
            if has_scale:
                out.append(f'<text x="{x - 8}" y="{y + 4:.1f}" text-anchor="end">{_signed(height)}</text>')
        for degree in range(5):
            middle = _x(x, degree)
            out.append(f'<text x="{middle:.1f}" y="{_TOP + _FIELD_H + 16}" text-anchor="middle">{degree}</text>')
        out.append(f'<text x="{x + _FIELD_W / 2}" y="{_TOP + _FIELD_H + 34}" text-anchor="middle">degree</text>')
        for curve in facet.curves:
            number = self.names.index(curve.title)
            run = [] if self.start is None else [f"{_x(x, 0):.1f},{self._y(self.start):.1f}"]
            for degree, value in curve.points:
                if value is None:
                    out += self._line(run, number)
                    run = []
                else:
                    run.append(f"{_x(x, degree):.1f},{self._y(max(self.low, value)):.1f}")
            out += self._line(run, number)
        return out

    def stroke(self, number: int) -> str:
        lines = self.colours.lines
        dash = _DASHES[number // len(lines) % len(_DASHES)]
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        return f'stroke="{lines[number % len(lines)]}" stroke-width="1.8"{dashed}'

    def _line(self, points: Sequence[str], number: int) -> list[str]:
        if len(points) < 2:
            return []
        return [f'<polyline fill="none" points="{" ".join(points)}" {self.stroke(number)}/>']

    def _y(self, value: float) -> float:
        return _TOP + (1 - value) / (1 - self.low) * _FIELD_H


def _x(left: int, degree: int) -> float:
    return left + 8 + degree * (_FIELD_W - 16) / 4


def _signed(value: float) -> str:
    return f"{value:+g}".replace("-", "−") if value else "0"
