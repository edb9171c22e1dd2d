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


def report_html(**values: Any) -> str:
    """Return the report for the values that its template names; text is escaped."""
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    template = environment.from_string(resource("report/report.html").read_text(encoding="utf-8"))
    return template.render(version=__version__, **values)


def interval_svg(mean: float | None, low: float | None, high: float | None, ceiling: float | None) -> Markup:
    """Return a row of the interval plot on the scale −1 to 1."""
    width, height = 240, 18

    def x(value: float) -> float:
        return 6 + (value + 1) / 2 * (width - 12)

    marks = [_line(x(-1), 9, x(1), 9, "var(--line)"), _line(x(0), 5, x(0), 13, "var(--line)")]
    if low is not None and high is not None:
        marks.append(_line(x(low), 9, x(high), 9, "var(--accent)", width=3))
    if mean is not None:
        marks.append(Markup('<circle cx="{:.1f}" cy="9" r="4.5" fill="var(--accent)"/>').format(x(mean)))
    if ceiling is not None:
        marks.append(_line(x(ceiling), 2, x(ceiling), 16, "var(--ceiling)", dash="3 2"))
    return _svg(width, height, marks)


def scatter_svg(points: Sequence[Point], *, x_label: str, y_label: str) -> Markup:
    """Return a scatter plot with one colour and shape for each system, labelled in a legend."""
    width, height, left, bottom = 640, 320, 60, 40
    systems = sorted({point[2] for point in points})
    x_low, x_high = _range([point[0] for point in points])
    y_low, y_high = _range([point[1] for point in points])

    def x(value: float) -> float:
        return left + (value - x_low) / (x_high - x_low) * (width - left - 180)

    def y(value: float) -> float:
        return height - bottom - (value - y_low) / (y_high - y_low) * (height - bottom - 16)

    marks = [
        _line(left, height - bottom, width - 180, height - bottom, "var(--muted)"),
        _line(left, 16, left, height - bottom, "var(--muted)"),
        _text((left + width - 180) / 2, height - 8, x_label, "middle"),
        _text(left, 10, y_label, "start"),
    ]
    for value in _ticks(x_low, x_high):
        marks.append(_text(x(value), height - bottom + 16, f"{value:g}", "middle"))
    for value in _ticks(y_low, y_high):
        marks.append(_text(left - 6, y(value) + 4, f"{value:g}", "end"))
    for point_x, point_y, system, hover in points:
        marks.append(_mark(x(point_x), y(point_y), systems.index(system), hover))
    for row, system in enumerate(systems):
        marks.append(_mark(width - 164, 24 + 20 * row, row, system))
        marks.append(_text(width - 152, 28 + 20 * row, system, "start"))
    return _svg(width, height, marks)


def heat_colour(rho: float | None) -> str:
    """Return a background for a cell: green above 0, red below, deeper with the size; grey where undefined."""
    if rho is None:
        return "var(--none)"
    strength = 35 + round(65 * abs(rho))
    return f"color-mix(in srgb, var(--{'pos' if rho >= 0 else 'neg'}) {strength}%, #667)"


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
