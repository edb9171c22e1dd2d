import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from tests.unit.checklists.decks_for_rules import (
    BLANK,
    NO,
    NOT_APPLICABLE,
    YES,
    Pptx,
    evidence_of,
    judge,
    near,
    pdf,
    text_at,
)


def chart_deck(tmp_path, change=lambda chart: None, *, series=1, kind=XL_CHART_TYPE.COLUMN_CLUSTERED):
    deck = Pptx()
    data = CategoryChartData()
    data.categories = ["spring", "summer", "autumn"]
    for number in range(series):
        data.add_series(f"gauge {number}", [1.0, 2.0, 3.0 + number])
    place = (Inches(1), Inches(1.5), Inches(6), Inches(4.5))
    chart = deck.slide(BLANK).shapes.add_chart(kind, *place, data).chart
    chart.has_legend = False
    chart.has_title = False
    change(chart)
    return evidence_of(deck.save(tmp_path))


def titled(chart, value="Rain (mm)"):
    chart.category_axis.axis_title.text_frame.text = "Season"
    chart.value_axis.axis_title.text_frame.text = value


def is_at_the_chart(found):
    # 1 to 7 inches of 10, 1.5 to 6 of 7.5.
    return near(found.boxes[0], 1, 0.1, 0.2, 0.7, 0.8, 0.001)


def test_that_every_axis_shown_needs_a_title(tmp_path):
    found = judge(chart_deck(tmp_path), "chart_axis_titles")
    assert (found.answer, found.is_suggestion) == (NO, True)
    assert is_at_the_chart(found)
    assert judge(chart_deck(tmp_path, titled), "chart_axis_titles").answer is YES

    def only_value(chart):
        chart.value_axis.axis_title.text_frame.text = "Rain"

    evidence = chart_deck(tmp_path, only_value)
    assert judge(evidence, "chart_axis_titles").answer is NO
    assert judge(evidence, "chart_axis_titles", value_axes_only=True).answer is YES

    def hidden(chart):
        only_value(chart)
        chart.category_axis.visible = False

    assert judge(chart_deck(tmp_path, hidden), "chart_axis_titles").answer is YES


def test_that_a_pie_has_no_axes(tmp_path):
    evidence = chart_deck(tmp_path, kind=XL_CHART_TYPE.PIE)
    assert judge(evidence, "chart_axis_titles").answer is NOT_APPLICABLE


@pytest.mark.parametrize(("series", "legend", "answer"), [(1, False, NOT_APPLICABLE), (2, False, NO), (2, True, YES)])
def test_that_several_series_need_a_legend(tmp_path, series, legend, answer):
    def change(chart):
        chart.has_legend = legend

    found = judge(chart_deck(tmp_path, change, series=series), "chart_legend")
    assert found.answer is answer
    if answer is NO:
        assert is_at_the_chart(found)


def test_that_a_pie_needs_a_legend_or_names_at_its_points(tmp_path):
    assert judge(chart_deck(tmp_path, kind=XL_CHART_TYPE.PIE), "chart_legend").answer is NO

    def named(chart):
        chart.plots[0].has_data_labels = True
        chart.plots[0].data_labels.show_category_name = True

    assert judge(chart_deck(tmp_path, named, kind=XL_CHART_TYPE.PIE), "chart_legend").answer is YES


def in_percent(chart):
    chart.value_axis.tick_labels.number_format = "0%"
    chart.value_axis.tick_labels.number_format_is_linked = False


def titled_chart(chart):
    chart.chart_title.text_frame.text = "Rain in mm"


@pytest.mark.parametrize(
    ("change", "answer"),
    [
        (lambda chart: None, NO),
        (lambda chart: titled(chart, "Rain"), NO),
        (lambda chart: titled(chart, "Rain (mm)"), YES),
        (in_percent, YES),
        (titled_chart, YES),
    ],
)
def test_that_a_unit_is_a_format_or_words(tmp_path, change, answer):
    found = judge(chart_deck(tmp_path, change), "chart_units")
    assert (found.answer, found.is_suggestion) == (answer, True)
    if answer is NO:
        assert is_at_the_chart(found)


def test_that_decks_without_charts_and_pages_have_none_to_judge(tmp_path):
    deck = Pptx()
    deck.slide(BLANK)
    page = pdf(tmp_path, text_at("A page", 60, 60))
    for rule in ("chart_axis_titles", "chart_legend", "chart_units"):
        assert judge(evidence_of(deck.save(tmp_path)), rule).answer is NOT_APPLICABLE
        found = judge(evidence_of(page), rule)
        assert (found.answer, found.reason) == (
            NOT_APPLICABLE, "This cannot be told: a PDF does not tell of native charts."
        )  # fmt: skip
