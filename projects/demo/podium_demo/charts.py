"""Charts drawn on a sheet: bars, lines and a ring, in the colours of whoever asks."""

from __future__ import annotations

from dataclasses import dataclass

import pymupdf

from podium_demo.fonts import Face
from podium_demo.outline import Chart, ChartKind
from podium_demo.sheet import Box, Sheet


@dataclass(frozen=True, kw_only=True)
class Ink:
    """The colours of a chart."""

    text: str
    muted: str
    """Axes and grid."""
    series: tuple[str, ...]


def number(value: float, unit: str = "") -> str:
    """Return a number as people write it, with its unit behind it."""
    text = f"{value:g}"
    return f"{text} {unit}".strip()


def draw_chart(sheet: Sheet, box: Box, chart: Chart, ink: Ink, *, size: float = 14) -> None:
    """Draw a chart into the box; `size` is that of its labels in points."""
    if chart.kind is ChartKind.SHARE:
        _draw_ring(sheet, box, chart, ink, size)
        return
    x0, y0, x1, y1 = box
    if len(chart.series) > 1:
        _draw_legend(sheet, (x0 + size * 3, y0), chart, ink, size)
        y0 += size * 2
    plot = (x0 + size * 3, y0 + size * 1.4, x1, y1 - size * 2)
    top = _nice_top(max(v for s in chart.series for v in s.values))
    _draw_grid(sheet, plot, top, ink, size)
    step = (plot[2] - plot[0]) / len(chart.categories)
    for i, name in enumerate(chart.categories):
        sheet.text((plot[0] + step * (i + 0.5), plot[3] + size * 0.5), name, size, ink.text, align="centre")
    if chart.kind is ChartKind.BAR:
        _draw_bars(sheet, plot, chart, top, ink, size)
    else:
        _draw_lines(sheet, plot, chart, top, ink, size)


def chart_png(
    chart: Chart,
    ink: Ink,
    faces: tuple[Face, Face],
    size_pt: tuple[float, float],
    zoom: float,
    label_pt: float = 14,
) -> bytes:
    """Return a chart as PNG with a transparent ground, `size_pt` × `zoom` pixels large."""
    with pymupdf.open() as document:
        page = document.new_page(width=size_pt[0], height=size_pt[1])
        draw_chart(Sheet(page, *faces), (0, 0, *size_pt), chart, ink, size=label_pt)
        return bytes(page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), alpha=True).tobytes("png"))


def _nice_top(highest: float) -> float:
    scale = 1.0
    while highest / scale > 10:
        scale *= 10
    while highest / scale <= 1:
        scale /= 10
    steps = (1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
    return scale * next(s for s in steps if s * scale >= highest * 1.02 or s == 10)


def _draw_grid(sheet: Sheet, plot: Box, top: float, ink: Ink, size: float) -> None:
    for i in range(5):
        y = plot[3] - (plot[3] - plot[1]) * i / 4
        sheet.line((plot[0], y), (plot[2], y), ink.muted, 0.6 if i else 1.2)
        sheet.text(
            (plot[0] - 6, y - size * 0.6),
            f"{top * i / 4:g}",
            size * 0.85,
            ink.text,
            align="right",
            opacity=0.75,
        )


def _draw_bars(sheet: Sheet, plot: Box, chart: Chart, top: float, ink: Ink, size: float) -> None:
    step = (plot[2] - plot[0]) / len(chart.categories)
    thick = step * 0.66 / len(chart.series)
    for k, series in enumerate(chart.series):
        for i, value in enumerate(series.values):
            left = plot[0] + step * (i + 0.17) + thick * k
            high = plot[3] - (plot[3] - plot[1]) * value / top
            sheet.box((left, high, left + thick * 0.94, plot[3]), ink.series[k % len(ink.series)])
            sheet.text(
                (left + thick / 2, high - size * 1.15),
                number(value, chart.unit),
                size * 0.85,
                ink.text,
                align="centre",
            )


def _draw_lines(sheet: Sheet, plot: Box, chart: Chart, top: float, ink: Ink, size: float) -> None:
    step = (plot[2] - plot[0]) / len(chart.categories)
    for k, series in enumerate(chart.series):
        colour = ink.series[k % len(ink.series)]
        points = [
            (plot[0] + step * (i + 0.5), plot[3] - (plot[3] - plot[1]) * value / top)
            for i, value in enumerate(series.values)
        ]
        sheet.path(points, colour, size / 5)
        for point in points:
            sheet.disc(point, size / 3.2, colour)
        peak = max(range(len(points)), key=lambda i: series.values[i])
        x, y = points[peak]
        sheet.text(
            (x, y - size * 1.6),
            number(series.values[peak], chart.unit),
            size,
            ink.text,
            bold=True,
            align="centre",
        )


def _draw_legend(sheet: Sheet, at: tuple[float, float], chart: Chart, ink: Ink, size: float) -> None:
    x, y = at
    for k, series in enumerate(chart.series):
        sheet.box((x, y + 2, x + size * 0.9, y + size * 0.9 + 2), ink.series[k % len(ink.series)], round_by=2)
        sheet.text((x + size * 1.3, y), series.name, size, ink.text)
        x += size * 2.6 + sheet.measure(series.name, size)


def _draw_ring(sheet: Sheet, box: Box, chart: Chart, ink: Ink, size: float) -> None:
    x0, y0, x1, y1 = box
    radius = min(y1 - y0, (x1 - x0) * 0.5) / 2
    centre = (x0 + radius, (y0 + y1) / 2)
    values = chart.series[0].values
    start = 0.0
    for k, value in enumerate(values):
        share = value / sum(values)
        sheet.ring(centre, radius, radius * 0.58, start, share, ink.series[k % len(ink.series)])
        start += share
    sheet.text(
        (centre[0], centre[1] - size),
        number(max(values), chart.unit),
        size * 1.8,
        ink.text,
        bold=True,
        align="centre",
    )
    y = centre[1] - len(values) * size * 0.95
    for k, (name, value) in enumerate(zip(chart.categories, values, strict=True)):
        left = x0 + radius * 2 + size * 1.5
        sheet.box((left, y + 3, left + size * 0.9, y + size * 0.9 + 3), ink.series[k % len(ink.series)], round_by=2)
        sheet.text((left + size * 1.5, y), f"{name}  {number(value, chart.unit)}", size, ink.text)
        y += size * 1.9
