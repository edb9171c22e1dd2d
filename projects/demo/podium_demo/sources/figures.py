"""The figures of the sources: charts of an instance as pictures."""

from __future__ import annotations

from podium_demo.charts import Ink, chart_png
from podium_demo.fonts import CHINESE, PLAIN, page_face
from podium_demo.outline import DemoInstance

PREFIX = "chart:"
"""Starts the address of a picture in a source's Markdown that stands for a chart."""

_INK = Ink(text="#222222", muted="#c4c4c4", series=("#3b4a5a", "#d9822b", "#7d9cb5", "#b9b9b9"))


def figure_png(instance: DemoInstance, address: str, *, high_pt: float = 250) -> bytes:
    """Return the chart that a picture's address names, such as ``chart:hours``, as PNG."""
    chart = instance.outline.charts[address.removeprefix(PREFIX)]
    family = CHINESE if instance.is_chinese else PLAIN
    return chart_png(chart, _INK, (page_face(family), page_face(family, bold=True)), (520, high_pt), 2.5, 14)
