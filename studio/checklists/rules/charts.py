"""Whether native charts say what they show: axis titles, legends, units."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from studio.checklists.rules.findings import evidence_box, no, not_applicable, quoted, slides_named, yes
from studio.checklists.rules.rule import Rule, parameter
from studio.model.checklists import Finding
from studio.model.deck_evidence import DeckEvidence, Fact, SeenChart
from studio.model.structure import Chart

_ROUND = frozenset({"pieChart", "pie3DChart", "doughnutChart", "ofPieChart", "sunburst", "treemap"})
_UNIT_IN_FORMAT = re.compile(r"%|[€$£¥₩₹]|\[\$|\"[^\"]*[^\W\d_][^\"]*\"|yy|mm|dd|hh", re.IGNORECASE)
_UNIT_IN_WORDS = re.compile(
    r"[(\[（][^)\]）]{1,25}[)\]）]|[%€$£¥₩₹‰°]"
    r"|\bin\s+\w+|\b(?:percent|per cent|share|ratio|rate|count|number|total|amount|index|score|rank|year|month|day"
    r"|week|quarter|date|hours?"
    r"|minutes?|seconds?|ms|kg|km|cm|mm|mb|gb|tb|kwh|mwh|usd|eur|gbp|rmb|millions?|billions?|thousands?|points?|people|users?)\b"
    r"|百分|占比|比例|数量|人数|个数|年份|月份|万元|亿元|单位|次数|得分|吨|千米|公里",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class AxisTitleParameters:
    """Which axes need a title."""

    value_axes_only: bool = parameter(False, "Whether axes of categories and dates may do without a title.")


def chart_axis_titles(evidence: DeckEvidence, parameters: AxisTitleParameters) -> Finding:
    """Yes if every axis shown of every native chart on visible slides has a title.

    Axes that are switched off are not shown. Pies, rings and other charts without axes are left out; a deck with no
    chart that has axes is not applicable. Titles that are text boxes beside the chart are not seen, and in many good
    charts the heading names the axes, so this only suggests a fault.
    """
    kinds = {"value"} if parameters.value_axes_only else {"value", "category", "date", "series"}

    def lacks(chart: Chart) -> str:
        bare = [axis.kind for axis in chart.axes if axis.kind in kinds and not axis.has_title]
        return f"no title on its {bare[0]} axis" if bare else ""

    return _each(evidence, lambda chart: bool(chart.axes), lacks, "axes", "has a title on every axis")


@dataclass(frozen=True, kw_only=True)
class LegendParameters:
    """Which charts need a legend."""

    min_series: int = parameter(2, "From so many series on, a chart needs a legend.", 1, 100)


def chart_legend(evidence: DeckEvidence, parameters: LegendParameters) -> Finding:
    """Yes if every native chart that needs a legend has one, or names its series at the points.

    Needed it is from `min_series` series on, and for pies and rings with more than one category. Labels that name
    series or categories, and a table of data under the chart, do as well. Other charts are left out.
    """

    def needs(chart: Chart) -> bool:
        if set(chart.types) & _ROUND:
            return max((len(series.values) for series in chart.series), default=0) > 1
        return len(chart.series) >= parameters.min_series

    def lacks(chart: Chart) -> str:
        return "" if chart.has_legend or chart.names_points or chart.has_data_table else "no legend"

    return _each(evidence, needs, lacks, "more than one series", "has a legend or names its series")


@dataclass(frozen=True, kw_only=True)
class UnitParameters:
    """What counts as a unit."""

    numbers_alone: bool = parameter(False, "Whether a currency or percent format of the axis is the only unit allowed.")


def chart_units(evidence: DeckEvidence, parameters: UnitParameters) -> Finding:
    """Yes if every native chart says in which unit its values are.

    A unit is a percent sign, currency, date or quoted word in a value axis' number format, labels that are
    percentages, or words of a unit (a bracket such as "(kg)", "in tons", "number of") in the title of a value axis, of
    the chart or of every series. What stands beside the chart is not seen, so this only suggests a fault.
    """

    def lacks(chart: Chart) -> str:
        axes = [axis for axis in chart.axes if axis.kind == "value"]
        if chart.shows_shares or any(_UNIT_IN_FORMAT.search(axis.number_format) for axis in axes):
            return ""
        if parameters.numbers_alone:
            return "no unit"
        words = [axis.title for axis in axes] + [chart.title]
        named = [series.name for series in chart.series]
        is_said = any(_UNIT_IN_WORDS.search(text) for text in words)
        return "" if is_said or (named and all(_UNIT_IN_WORDS.search(text) for text in named)) else "no unit"

    return _each(evidence, lambda chart: bool(chart.series), lacks, "values", "says in which unit its values are")


def _each(
    evidence: DeckEvidence, counts: Callable[[Chart], bool], lacks: Callable[[Chart], str], what: str, passed: str
) -> Finding:
    charts = [(slide.number, seen) for slide in evidence.visible for seen in slide.charts if seen.chart.part]
    if not charts:
        return not_applicable("The deck has no native chart.")
    asked = [(number, seen) for number, seen in charts if counts(seen.chart)]
    if not asked:
        return not_applicable(f"The deck has no native chart with {what}.")
    failed: list[tuple[int, SeenChart, str]] = [
        (number, seen, lack) for number, seen in asked if (lack := lacks(seen.chart))
    ]
    if not failed:
        return yes(f"Every native chart with {what} {passed}.")
    number, seen, lack = failed[0]
    name = f"the chart {quoted(seen.chart.title)}" if seen.chart.title else "a chart"
    boxes = [evidence_box(each, found.box) for each, found, _ in failed]
    rest = f"; {len(failed)} charts fail, on {slides_named(n for n, _, _ in failed)}" if len(failed) > 1 else ""
    return no(f"On slide {number} {name} has {lack}{rest}.", boxes)


_NEEDS = frozenset({Fact.SLIDES, Fact.CHARTS})
AXIS_TITLES = Rule(
    name="chart_axis_titles", title="Native charts have titles on their axes", judge=chart_axis_titles,
    parameters=AxisTitleParameters, needs=_NEEDS, is_verdict=False,
)  # fmt: skip
LEGEND = Rule(
    name="chart_legend", title="Native charts with several series have a legend", judge=chart_legend,
    parameters=LegendParameters, needs=_NEEDS, is_verdict=True,
)  # fmt: skip
UNITS = Rule(
    name="chart_units", title="Native charts say in which unit their values are", judge=chart_units,
    parameters=UnitParameters, needs=_NEEDS, is_verdict=False,
)  # fmt: skip
