"""Figures of a benchmark as SVG: bars for shares, histograms for sizes. No window is needed, and PNG is made of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from studio.decks.vector_files import svg_to_png
from studio.exchange.svg_marks import fitted, line, rect, text

WIDTH = 720
ROW = 24
FONT = "sans-serif"


@dataclass(frozen=True, kw_only=True)
class Palette:
    """Colours of a figure as ``#rrggbb``."""

    ground: str = "#ffffff"
    ink: str = "#1f2328"
    muted: str = "#5b6570"
    line: str = "#d5dae0"
    bar: str = "#0072b2"


PRINT = Palette()
"""On white, for papers."""


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One bar with its words."""

    label: str
    value: float
    text: str
    """At its end."""
    is_group: bool = False
    """A heading over the bars that follow it."""


@dataclass(frozen=True, kw_only=True)
class Histogram:
    """One quantity over instances."""

    title: str
    edges: tuple[float, ...]
    """One more than counts."""
    counts: tuple[int, ...]
    missing: int = 0
    """Instances where it is not known."""


def bars_svg(title: str, bars: Sequence[Bar], palette: Palette = PRINT) -> str:
    """Return bars from top to bottom, the longest across the room that the words leave."""
    left, right, top = 220, 96, 44
    most = max((bar.value for bar in bars), default=0) or 1
    marks = [_text(16, 26, title, palette.ink, size=15, weight="bold")]
    y = float(top)
    for bar in bars:
        length = (WIDTH - left - right) * bar.value / most
        indent, height = (16, 15) if bar.is_group else (32, 11)
        label = fitted(bar.label, (left - indent - 8) / (7.4 if bar.is_group else 6.8))
        marks += [
            _text(indent, y + 12, label, palette.ink if bar.is_group else palette.muted,
                  size=13 if bar.is_group else 12, weight="bold" if bar.is_group else "normal"),
            rect(left, y + (ROW - 8 - height) / 2, max(length, 1), height, palette.bar,
                  opacity=1.0 if bar.is_group else 0.55),
            _text(left + max(length, 1) + 6, y + 12, bar.text, palette.muted, size=12),
        ]  # fmt: skip
        y += ROW
    return _svg(WIDTH, math.ceil(y) + 16, title, marks, palette)


def histograms_svg(title: str, histograms: Sequence[Histogram], palette: Palette = PRINT) -> str:
    """Return histograms, two in a row, each with its own axes; the height of a bar is a number of instances."""
    columns = 1 if len(histograms) == 1 else 2
    width, height = (WIDTH - 16) / columns, 200
    marks = [_text(16, 26, title, palette.ink, size=15, weight="bold")]
    for place, histogram in enumerate(histograms):
        x, y = 8 + width * (place % columns), 36 + height * (place // columns)
        marks += _panel(histogram, x, y, width, height, palette)
    rows = math.ceil(len(histograms) / columns)
    return _svg(WIDTH, 44 + height * rows, title, marks, palette)


def png_of(svg: str, *, scale: float = 2.0) -> bytes:
    """Return an SVG of this file as PNG, so many pixels for each of its units."""
    return svg_to_png(svg, scale=scale)


def _panel(each: Histogram, x: float, y: float, width: float, height: float, palette: Palette) -> list[Markup]:
    left, right, top, bottom = x + 40, x + width - 16, y + 28, y + height - 32
    known = sum(each.counts)
    facts = f"{known} known, {each.missing} not" if each.missing else f"n = {known}"
    marks = [
        _text(x + 8, y + 16, each.title, palette.ink, size=13, weight="bold"),
        _text(right, y + 16, facts, palette.muted, size=11, anchor="end"),
    ]
    if not each.counts:
        return [*marks, _text((left + right) / 2, (top + bottom) / 2, "no values", palette.muted, anchor="middle")]
    most = max(each.counts)
    for value in _whole_ticks(most):
        at = bottom - (bottom - top) * value / most
        marks += [
            line(left, at, right, at, palette.line),
            _text(left - 6, at + 4, str(value), palette.muted, size=11, anchor="end"),
        ]
    low, high = each.edges[0], each.edges[-1]
    span = (high - low) or 1.0
    for place, count in enumerate(each.counts):
        start = left + (right - left) * (each.edges[place] - low) / span
        end = left + (right - left) * (each.edges[place + 1] - low) / span
        tall = (bottom - top) * count / most
        if count:
            marks.append(rect(start + 0.5, bottom - tall, max(end - start - 1, 1), tall, palette.bar))
    marks.append(line(left, bottom, right, bottom, palette.muted))
    for tick in (low,) if len(each.counts) == 1 else (low, (low + high) / 2, high):
        at = left + (right - left) * (tick - low) / span
        anchor = "start" if tick == low else "end" if tick == high else "middle"
        marks.append(_text(at, bottom + 16, number_in_words(tick), palette.muted, size=11, anchor=anchor))
    return marks


def number_in_words(value: float) -> str:
    """Return such as 12, 12.5 or 22.2k."""
    if abs(value) >= 10_000:
        return f"{value / 1000:.1f}k"
    return f"{value:g}" if value == round(value) else f"{value:.1f}"


def _whole_ticks(most: int) -> list[int]:
    power = 10 ** max(0, len(str(most)) - 2)
    step = next(one * ten for ten in (power, 10 * power, 100 * power) for one in (1, 2, 5) if most / (one * ten) <= 5)
    return list(range(0, most + 1, step))


def _svg(width: float, height: float, title: str, marks: Sequence[Markup], palette: Palette) -> str:
    return str(
        Markup(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0:.0f} {1:.0f}" width="{0:.0f}" height="{1:.0f}" '
            'role="img"><title>{2}</title>{3}{4}</svg>'
        ).format(width, height, title, rect(0, 0, width, height, palette.ground), Markup("").join(marks))
    )


def _text(
    x: float, y: float, words: str, colour: str, *, size: int = 12, weight: str = "normal", anchor: str = "start"
) -> Markup:
    return text(x, y, words, anchor, fill=colour, font_family=FONT, font_size=size, font_weight=weight)
