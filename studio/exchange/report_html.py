"""One HTML file that says how well methods agree with people, without any outside reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jinja2
from markupsafe import Markup, escape

from studio import __version__
from studio.paths import resource

Point = tuple[float, float, str, str]
"""x, y, name of the system, text to show on hover."""

_SHAPES = ("circle", "square", "diamond", "triangle", "cross", "plus")
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#7f7f7f")
"""The colour-blind-safe set of Okabe and Ito (2008), and two more."""

_INTERVAL_WIDTH = 240


def report_html(**values: Any) -> str:
    """Return the report for the values that its template names; text is escaped."""
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    template = environment.from_string(resource("report/report.html").read_text(encoding="utf-8"))
    return template.render(version=__version__, **values)


def interval_svg(mean: float | None, low: float | None, high: float | None, ceiling: float | None) -> Markup:
    """Return a row of the interval plot on the scale −1 to 1."""
    marks = [_line(_at(-1), 9, _at(1), 9, "var(--line)"), _line(_at(0), 5, _at(0), 13, "var(--muted)")]
    if low is not None and high is not None:
        marks.append(_line(_at(low), 9, _at(high), 9, "var(--accent)", width=3))
    if mean is not None:
        marks.append(Markup('<circle cx="{:.1f}" cy="9" r="4.5" fill="var(--accent)"/>').format(_at(mean)))
    if ceiling is not None:
        marks.append(_line(_at(ceiling), 1, _at(ceiling), 17, "var(--ceiling)", dash="3 2"))
    return _svg(_INTERVAL_WIDTH, 18, marks)


def interval_axis_svg() -> Markup:
    """Return the scale under the interval plots."""
    marks = [_text(_at(value), 12, f"{value:g}".replace("-", "−"), "middle") for value in (-1, -0.5, 0, 0.5, 1)]
    return _svg(_INTERVAL_WIDTH, 18, marks)


def _at(rho: float) -> float:
    return 14 + (rho + 1) / 2 * (_INTERVAL_WIDTH - 28)


def scatter_svg(points: Sequence[Point], systems: Sequence[str], *, x_label: str, y_label: str) -> Markup:
    """Return a scatter plot in which each of the systems has its own colour and shape, the same in every plot."""
    width, height, left, right, top, bottom = 500, 300, 48, 12, 28, 44
    x_low, x_high = _range([point[0] for point in points])
    y_low, y_high = _range([point[1] for point in points])

    def x(value: float) -> float:
        return left + (value - x_low) / (x_high - x_low) * (width - left - right)

    def y(value: float) -> float:
        return height - bottom - (value - y_low) / (y_high - y_low) * (height - bottom - top)

    marks = [_text(left, 14, y_label, "start"), _text((left + width - right) / 2, height - 8, x_label, "middle")]
    for value in _ticks(x_low, x_high):
        marks.append(_line(x(value), top, x(value), height - bottom, "var(--line)"))
        marks.append(_text(x(value), height - bottom + 16, f"{value:g}", "middle"))
    for value in _ticks(y_low, y_high):
        marks.append(_line(left, y(value), width - right, y(value), "var(--line)"))
        marks.append(_text(left - 6, y(value) + 4, f"{value:g}".replace("-", "−"), "end"))
    for point_x, point_y, system, hover in points:
        marks.append(_mark(x(point_x), y(point_y), systems.index(system), hover))
    return _svg(width, height, marks)


def legend_svg(index: int, system: str) -> Markup:
    """Return the mark of the system with this place among all systems."""
    return _svg(14, 14, [_mark(7, 7, index, system)])


def heat_colour(rho: float | None) -> str:
    """Return a background for a cell: green above 0, red below, deeper with the size; grey where undefined."""
    if rho is None:
        return "var(--none)"
    # Never so deep that the text, which keeps its colour, would be hard to read.
    strength = 8 + round(52 * abs(rho))
    return f"color-mix(in srgb, var(--{'pos' if rho >= 0 else 'neg'}) {strength}%, var(--panel))"


def _svg(width: int, height: int, marks: Sequence[Markup]) -> Markup:
    return Markup('<svg viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img">{2}</svg>').format(
        width, height, Markup("").join(marks)
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, *, width: int = 1, dash: str = "") -> Markup:
    return Markup(
        '<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="{}" stroke-width="{}" stroke-dasharray="{}"/>'
    ).format(x1, y1, x2, y2, colour, width, dash)


def _text(x: float, y: float, text: str, anchor: str) -> Markup:
    return Markup('<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>').format(x, y, anchor, text)


def _mark(x: float, y: float, index: int, hover: str) -> Markup:
    shape, colour = _SHAPES[index % len(_SHAPES)], _COLOURS[index % len(_COLOURS)]
    path = {
        "circle": "M -5 0 a 5 5 0 1 0 10 0 a 5 5 0 1 0 -10 0",
        "square": "M -4.5 -4.5 h 9 v 9 h -9 z",
        "diamond": "M 0 -6 L 6 0 L 0 6 L -6 0 z",
        "triangle": "M 0 -5.5 L 5.5 4.5 L -5.5 4.5 z",
        "cross": "M -5 -3 L -3 -5 L 0 -2 L 3 -5 L 5 -3 L 2 0 L 5 3 L 3 5 L 0 2 L -3 5 L -5 3 L -2 0 z",
        "plus": "M -1.5 -5.5 h 3 v 4 h 4 v 3 h -4 v 4 h -3 v -4 h -4 v -3 h 4 z",
    }[shape]
    return Markup(
        '<path d="{}" transform="translate({:.1f} {:.1f})" fill="{}" fill-opacity="0.85"><title>{}</title></path>'
    ).format(path, x, y, colour, escape(hover))


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values, default=0.0), max(values, default=1.0)
    margin = (high - low) * 0.06 or 0.5
    return low - margin, high + margin


def _ticks(low: float, high: float) -> list[float]:
    span = high - low
    step = next(base * 10**power for power in range(-4, 6) for base in (1, 2, 5) if span / (base * 10**power) <= 6)
    first = -(-low // step)
    return [round((first + index) * step, 10) for index in range(int((high - first * step) / step) + 1)]
