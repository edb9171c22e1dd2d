"""Plots as SVG: for the report, and as files of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup, escape

from studio.exchange.svg_marks import letters, line, text

Point = tuple[float, float, str, str]
"""x, y, name of the system, text to show on hover."""

_SHAPES = ("circle", "square", "diamond", "triangle", "cross", "plus")
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#7f7f7f")
"""The colour-blind-safe set of Okabe and Ito (2008), and two more."""

_INTERVAL_WIDTH = 240


def interval_svg(mean: float | None, low: float | None, high: float | None, ceiling: float | None) -> Markup:
    """Return a row of the interval plot on the scale −1 to 1."""
    marks = [line(_at(-1), 9, _at(1), 9, "var(--line)"), line(_at(0), 5, _at(0), 13, "var(--muted)")]
    if low is not None and high is not None:
        marks.append(line(_at(low), 9, _at(high), 9, "var(--accent)", width=3))
    if mean is not None:
        marks.append(Markup('<circle cx="{:.1f}" cy="9" r="4.5" fill="var(--accent)"/>').format(_at(mean)))
    if ceiling is not None:
        marks.append(line(_at(ceiling), 1, _at(ceiling), 17, "var(--ceiling)", dash="3 2"))
    return _svg(_INTERVAL_WIDTH, 18, marks)


def interval_axis_svg() -> Markup:
    """Return the scale under the interval plots."""
    marks = [text(_at(value), 12, f"{value:g}".replace("-", "−"), "middle") for value in (-1, -0.5, 0, 0.5, 1)]
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

    marks = [text(left, 14, y_label, "start"), text((left + width - right) / 2, height - 8, x_label, "middle")]
    for value in _ticks(x_low, x_high):
        marks.append(line(x(value), top, x(value), height - bottom, "var(--line)"))
        marks.append(text(x(value), height - bottom + 16, f"{value:g}", "middle"))
    for value in _ticks(y_low, y_high):
        marks.append(line(left, y(value), width - right, y(value), "var(--line)"))
        marks.append(text(left - 6, y(value) + 4, f"{value:g}".replace("-", "−"), "end"))
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


_PAPER = {
    "var(--line)": "#dfe3e8", "var(--muted)": "#5b6675", "var(--accent)": "#2b5fd9", "var(--ceiling)": "#a05f00",
    "var(--text)": "#1b2430",
}  # fmt: skip
"""Colours of a file of its own: the light theme's."""

_ROW_PX, _NAME_PX, _LETTER_PX = 24, 40, 6.4


@dataclass(frozen=True, kw_only=True)
class IntervalRow:
    """One row of the interval plot."""

    name: str
    mean: float | None
    low: float | None
    high: float | None
    note: str = ""


def standalone(svg: str) -> str:
    """Return a plot as a file of its own: fixed colours, white ground, a font that is there everywhere."""
    for name, colour in _PAPER.items():
        svg = svg.replace(name, colour)
    start = svg.index(">")
    head = svg[:start].replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    style = (
        '<rect width="100%" height="100%" fill="#ffffff"/><g font-family="Helvetica, Arial, sans-serif" font-size="11">'
    )
    body = svg[start + 1 :].replace("<text ", '<text fill="#1b2430" ').replace("</svg>", "</g></svg>")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}>{style}{body}\n'


def intervals_svg(rows: Sequence[IntervalRow], *, ceiling: float | None, x_label: str) -> Markup:
    """Return one line for each method: its mean and interval on the scale −1 to 1, the ceiling of people dashed."""
    left = _room([row.name for row in rows])
    width, top = left + _INTERVAL_WIDTH + 150, 10
    bottom = top + _ROW_PX * len(rows)
    marks = []
    for value in (-1, -0.5, 0, 0.5, 1):
        x = left + _at(value)
        marks.append(line(x, top, x, bottom, "var(--line)"))
        marks.append(text(x, bottom + 14, f"{value:g}".replace("-", "−"), "middle"))
    if ceiling is not None:
        marks.append(line(left + _at(ceiling), top, left + _at(ceiling), bottom, "var(--ceiling)", dash="3 2"))
    for place, row in enumerate(rows):
        y = top + _ROW_PX * (place + 0.5)
        marks.append(text(left - 8, y + 4, row.name, "end"))
        if row.low is not None and row.high is not None:
            marks.append(line(left + _at(row.low), y, left + _at(row.high), y, "var(--accent)", width=3))
        if row.mean is not None:
            marks.append(Markup('<circle cx="{:.1f}" cy="{:.1f}" r="4.5" fill="var(--accent)"/>').format(
                left + _at(row.mean), y
            ))  # fmt: skip
        marks.append(text(left + _INTERVAL_WIDTH + 4, y + 4, row.note, "start"))
    marks.append(text(left + _INTERVAL_WIDTH / 2, bottom + 32, x_label, "middle"))
    return _svg(width, bottom + 42, marks)


def heat_svg(columns: Sequence[str], rows: Sequence[tuple[str, Sequence[float | None]]], *, hover: str = "ρ") -> Markup:
    """Return a heat map with the value in each cell; undefined cells are grey and hold a dash."""
    left, cell, high = _room([name for name, _ in rows]), 62, 24
    top = _slanted_px(columns)
    marks = [_slanted(left + cell * (place + 0.5), top - 8, name) for place, name in enumerate(columns)]
    for number, (name, values) in enumerate(rows):
        y = top + high * number
        marks.append(text(left - 8, y + 16, name, "end"))
        for place, value in enumerate(values):
            x = left + cell * place
            marks.append(
                Markup('<rect x="{:.1f}" y="{:.1f}" width="{}" height="{}" fill="{}"><title>{}</title></rect>').format(
                    x, y, cell - 2, high - 2, _mixed(value), f"{name}, {columns[place]}: {hover} {_number(value)}"
                )
            )
            marks.append(text(x + cell / 2 - 1, y + 15, _number(value), "middle"))
    return _svg(int(left + cell * len(columns) + 120), int(top + high * len(rows) + 10), marks)


def bump_svg(columns: Sequence[str], places: Mapping[str, Sequence[float | None]], systems: Sequence[str]) -> Markup:
    """Return a bump chart: a line for each system over its mean rank by people and by each method, 1 on top."""
    known = [value for row in places.values() for value in row if value is not None]
    low, high = min(known, default=1.0), max(known, default=2.0)
    step, left, tall, right = 64, 56, max(200, 44 * len(places)), _room(list(places))
    top = _slanted_px(columns)
    span = (high - low) or 1.0

    def y(value: float) -> float:
        return top + 10 + (value - low) / span * (tall - 20)

    marks = [text(left - 14, y(value) + 4, f"{value:.1f}", "end") for value in (low, high)]
    for place, name in enumerate(columns):
        x = left + step * place
        marks += [line(x, top, x, top + tall, "var(--line)"), _slanted(x, top - 8, name)]
    ends: list[tuple[float, float, str]] = []
    for name, values in places.items():
        index = systems.index(name)
        colour = _COLOURS[index % len(_COLOURS)]
        drawn = [(left + step * place, y(value), value) for place, value in enumerate(values) if value is not None]
        for (x1, y1, _), (x2, y2, _) in pairwise(drawn):
            marks.append(line(x1, y1, x2, y2, colour, width=2))
        for x, height, value in drawn:
            marks.append(_mark(x, height, index, f"{name}: mean rank {value:.2f}"))
        if drawn:
            ends.append((drawn[-1][1], drawn[-1][0], name))
    lowest = 0.0
    for level, end, name in sorted(ends):
        # Names of lines that end side by side stand one below the other.
        lowest = max(level, lowest + 13)
        marks.append(text(end + 12, lowest + 4, name, "start"))
    return _svg(int(left + step * (len(columns) - 1) + max(right, 110)), int(max(top + tall, lowest) + 14), marks)


def _slanted_px(names: Sequence[str]) -> int:
    """Return how much room slanted names need above what they name."""
    return 22 + int(max((letters(_short(name)) for name in names), default=0) * _LETTER_PX * 0.71)


def _slanted(x: float, y: float, name: str) -> Markup:
    return Markup(
        '<text x="{0:.1f}" y="{1:.1f}" text-anchor="start" transform="rotate(-45 {0:.1f} {1:.1f})">{2}</text>'
    ).format(x, y, _short(name))


def _room(names: Sequence[str]) -> int:
    """Return how wide the names are, about."""
    return _NAME_PX + int(max(map(letters, names), default=0) * _LETTER_PX)


def _short(name: str, most: int = 28) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}".replace("-", "−")


def _mixed(value: float | None) -> str:
    """Return the colour of a cell as the report has it, mixed for paper."""
    if value is None:
        return "#eceff2"
    red, green, blue = (0x27, 0x83, 0x5A) if value >= 0 else (0xC0, 0x39, 0x2B)
    share = (8 + 52 * min(1.0, abs(value))) / 100
    return "#" + "".join(f"{round(255 + (part - 255) * share):02x}" for part in (red, green, blue))


def _svg(width: int, height: int, marks: Sequence[Markup]) -> Markup:
    return Markup('<svg viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img">{2}</svg>').format(
        width, height, Markup("").join(marks)
    )


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
