import re
from html.parser import HTMLParser

import pytest

from studio.actions import align, reports, tables
from studio.exchange.svg_plots import heat_colour, interval_svg, scatter_svg
from studio.store import people as people_store
from tests.projects import make_project

SYSTEMS = ("Aster", "Birch", "<Cedar & Co>")


@pytest.fixture
def project(tmp_path):
    with make_project(tmp_path / "study", instances=["alpha", "beta"], systems=SYSTEMS) as made:
        yield made


def take(project, tmp_path, name, lines):
    path = tmp_path / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    report, _ = tables.import_table(project, path)
    assert report.refused == []


def ranked_and_scored(project, tmp_path):
    take(
        project,
        tmp_path,
        "r.csv",
        ["instance_id,annotator_id,system,rank"]
        + [f"{name},Ada,{system},{rank}" for name in ("alpha", "beta") for rank, system in enumerate(SYSTEMS, 1)],
    )
    values = {"alpha": ("9", "8", "7"), "beta": ("5", "5", "5")}
    take(
        project,
        tmp_path,
        "s.csv",
        ["metric,instance_id,system,value,undefined_reason"]
        + [
            f"m,{name},{system},{value},"
            for name in values
            for system, value in zip(SYSTEMS, values[name], strict=True)
        ]
        + ["n,alpha,Aster,,too_small"],
    )


class Balanced(HTMLParser):
    """Checks that every element is closed and collects the text."""

    def __init__(self):
        super().__init__()
        self.open, self.text = [], []

    def handle_starttag(self, tag, attrs):
        if tag not in {"meta", "br"}:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def read(path):
    page = Balanced()
    page.feed(path.read_text(encoding="utf-8"))
    page.close()
    assert page.open == []
    return " ".join(" ".join(page.text).split())


def test_that_a_report_of_an_empty_project_says_what_to_do(project, tmp_path):
    text = read(reports.write_report(project, tmp_path / "out" / "report.html"))
    assert "No method has scores yet" in text
    assert "Test study" in text


def test_that_a_report_carries_the_table_the_reasons_and_no_reference(project, tmp_path):
    ranked_and_scored(project, tmp_path)
    path = reports.write_report(project, tmp_path / "report.html")
    text = read(path)
    # alpha ρ 1 and 3/3 the same; beta constant, mid-ranks 2, 2, 2 against 1, 2, 3: 1/3 → identical 66.7 %.
    assert re.search(r"\bm 1\.00 0\.00 66\.7 33\.3 1/2 1 constant", text), text
    assert "1/2" in text
    assert "1 constant" in text
    assert "<Cedar & Co>" in text
    assert "too_small" in text
    assert "invented" not in text
    raw = path.read_text(encoding="utf-8")
    assert "<Cedar" not in raw
    assert re.findall(r"https?:|<script|<link|url\(|\ssrc=|\shref=", raw) == []


def test_that_sample_people_are_said_to_be_invented(project, tmp_path):
    people_store.annotator_named(project, "Ada", is_sample=True)
    ranked_and_scored(project, tmp_path)
    assert "Sample data." in read(reports.write_report(project, tmp_path / "report.html"))


def test_that_a_system_has_one_mark_in_all_plots():
    points = [(1.0, 2.0, "Birch", "b"), (2.0, 1.0, "Aster", "a")]
    all_systems, fewer = ["Aster", "Birch"], [point for point in points if point[2] == "Birch"]

    def marks(svg):
        return set(re.findall(r'<path d="([^"]+)"[^>]*fill="([^"]+)"', str(svg)))

    both = marks(scatter_svg(points, all_systems, x_label="x", y_label="y"))
    one = marks(scatter_svg(fewer, all_systems, x_label="x", y_label="y"))
    assert len(both) == 2
    assert one < both


def test_that_a_plot_of_equal_values_has_a_scale():
    svg = str(scatter_svg([(2.0, 5.0, "A", "")] * 3, ["A"], x_label="x", y_label="y"))
    assert "nan" not in svg
    assert ">5</text>" in svg


def test_that_the_interval_plot_leaves_out_what_is_undefined():
    assert "circle" not in str(interval_svg(None, None, None, None))
    # The scale is −1 to 1 over 14 to 226 px: 0 lies at 120.
    assert 'cx="120.0"' in str(interval_svg(0.0, -0.5, 0.5, None))
    assert heat_colour(None) == "var(--none)"


def test_that_points_need_both_a_rank_and_a_score(project, tmp_path):
    ranked_and_scored(project, tmp_path)
    evidence = align.gather(project)
    assert len(align.points(evidence, "m")) == 6
    assert align.points(evidence, "n") == []
