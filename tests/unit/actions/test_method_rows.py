from __future__ import annotations

import csv
import io

import pytest

from studio.actions import align
from studio.actions import method_rows as rows_of
from studio.stats.levels import Level
from tests.gui import projects
from tests.gui.evidence import add_ranking, add_scores

SYSTEMS = ("alpha", "beta", "gamma", "delta")


@pytest.fixture
def project(tmp_path):
    made = projects.make_project(tmp_path / "study", instances=0, systems=())
    for name in ("one", "two"):
        projects.add_instance(made, name, title=name.title())
        for system in SYSTEMS:
            projects.add_deck(made, f"i_{name}", system, slides=1)
        add_ranking(made, "ada", name, SYSTEMS)
        add_ranking(made, "bo", name, SYSTEMS if name == "one" else ("beta", "alpha", "gamma", "delta"))
    # In the people's order on both instances; on the second people's mean ranks are 1.5, 1.5, 3, 4.
    add_scores(made, "aesthetics.total", "one", dict(zip(SYSTEMS, (9, 8, 7, 6), strict=True)))
    add_scores(made, "aesthetics.total", "two", dict(zip(SYSTEMS, (9, 9, 7, 6), strict=True)))
    # Turned round on the first, without enough values on the second.
    add_scores(made, "aesthetics.harmony", "one", dict(zip(SYSTEMS, (1, 2, 3, 4), strict=True)))
    add_scores(made, "aesthetics.harmony", "two", dict(zip(SYSTEMS, (1, 2, None, None), strict=True)))
    yield made
    made.close()


@pytest.fixture
def view(project):
    return rows_of.view_of(align.gather(project), level="instance")


def test_that_the_rows_hold_the_numbers_of_the_command_line(project, view):
    table = align.methods_table(project)
    stated = {item["method"]: item for item in align.as_json(table)["methods"]}
    assert [row.name for row in view.rows] == [*stated, rows_of.PEOPLE]
    for row in view.rows[:-1]:
        item = stated[row.name]
        for name in ("mean_rho", "std_rho", "identical", "ci_low", "ci_high", "n_defined", "n_total", "undefined"):
            assert getattr(row, name) == item[name], (row.name, name)
        assert [cell.rho for cell in row.cells] == [cell["rho"] for cell in item["instances"]]
    assert view.rows[-1].mean_rho == stated["aesthetics.total"]["ceiling"]["value"]


def test_that_an_undefined_instance_is_counted_and_says_why(view):
    harmony = view.row("aesthetics.harmony")
    assert (harmony.n_defined, harmony.n_total, harmony.mean_rho) == (1, 2, -1.0)
    assert harmony.undefined_in_words == "1 × fewer than three decks that both sides have"
    assert harmony.cells[1].rho is None
    assert harmony.cells[1].reason == "fewer than three decks that both sides have (no_text)"


def test_that_the_paired_test_is_over_instances_where_both_are_defined(view):
    assert view.compared_with == "aesthetics.total"
    assert view.row("aesthetics.total").paired is None
    paired = view.row("aesthetics.harmony").paired
    # One instance is left, ρ 1 against −1: both sign flips reach a mean difference of 2, so p is 1.
    assert (paired.n, paired.n_dropped, paired.difference, paired.p) == (1, 1, 2.0, 1.0)
    turned = rows_of.compared(view.table, "aesthetics.harmony")
    assert turned.row("aesthetics.total").paired.difference == -2.0
    assert turned.row("aesthetics.harmony").paired is None


def test_that_people_are_each_against_the_mean_of_the_others(view):
    people = view.row(rows_of.PEOPLE)
    # Two annotators: equal on the first instance (ρ 1); one swap of four on the second: 1 − 6·2/(4·15) = 0.8.
    assert [cell.rho for cell in people.cells] == pytest.approx([1.0, 0.8])
    assert people.mean_rho == pytest.approx(0.9)
    assert people.std_rho == pytest.approx(0.1)
    # All four decks on the first instance, gamma and delta on the second: (1 + 0.5) / 2.
    assert people.identical == 0.75
    # Resamples of two instances draw one of them twice (a quarter each) or both: all three means are in 95 %.
    assert (people.ci_low, people.ci_high) == pytest.approx((0.8, 1.0))


def test_that_the_levels_are_told_with_a_number(project):
    pooled = rows_of.view_of(align.gather(project), level="pooled")
    row = pooled.row("aesthetics.total")
    assert row.mean_rho == row.by_level[Level.POOLED]
    assert row.std_rho is None
    assert "pooled" in row.levels_in_words


def test_that_the_csv_leaves_undefined_values_empty(view):
    text = rows_of.as_csv(view)
    assert text.startswith("\ufeff")
    table = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))
    assert [row["method"] for row in table] == ["aesthetics.total", "aesthetics.harmony", "people"]
    assert float(table[0]["mean_rho"]) == view.rows[0].mean_rho
    assert table[0]["p"] == ""
    assert table[1]["undefined_too_few"] == "1"
    assert float(table[2]["identical"]) == 0.75


def test_that_the_markdown_table_is_rounded_and_names_the_level(view):
    lines = rows_of.as_markdown(view).splitlines()
    assert lines[0].startswith("| Method | mean ρ |")
    assert lines[3].startswith("| Harmony | −1.00 |")
    assert "Level: instance. Paired p against Aesthetics, on the ρ of each instance." in lines


def test_that_the_exported_file_is_what_its_name_says(view, tmp_path):
    assert rows_of.export_methods(view, tmp_path / "t.md").read_text(encoding="utf-8").startswith("| Method")
    assert rows_of.export_methods(view, tmp_path / "t.csv").read_bytes().startswith(b"\xef\xbb\xbfmethod,")


def test_that_the_values_behind_the_plots_can_be_had(view):
    instances = list(csv.DictReader(io.StringIO(rows_of.instances_csv(view).removeprefix("\ufeff"))))
    assert len(instances) == 3 * 2
    assert instances[3]["rho"] == ""
    assert instances[3]["undefined_reason"].startswith("fewer than three decks")
    decks = list(csv.DictReader(io.StringIO(rows_of.points_csv(view.evidence, "aesthetics.harmony")[1:])))
    # Two of the eight decks have no score.
    assert len(decks) == 6
    assert {deck["system"] for deck in decks if deck["instance"] == "two"} == {"alpha", "beta"}


def test_that_methods_have_names_for_people():
    assert rows_of.title_of("aesthetics.total") == "Aesthetics"
    assert rows_of.title_of("aesthetics.harmony@paper-text") == "Harmony · paper-text"
    assert rows_of.title_of("somebody.else") == "somebody.else"
