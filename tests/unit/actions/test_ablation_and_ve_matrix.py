"""The ablation table and the V-E matrix of a project."""

from __future__ import annotations

import csv
import io

import pytest

from studio.actions import ablation, align, ve_matrix
from studio.actions.ve_matrix import Quadrant
from studio.errors import BadInput
from studio.store import decks as deck_store
from tests.measured_projects import add_level, measured_project
from tests.projects import make_project


@pytest.fixture
def project(tmp_path):
    made = measured_project(tmp_path / "study", instances=4, systems=("Aster", "Birch", "Cedar"))
    yield made
    made.close()


def test_that_all_components_agree_as_the_total_does(project):
    table = ablation.ablate(project)
    total = align.methods_table(project, metrics=["aesthetics.total"], resamples=0).methods["aesthetics.total"]
    everything = table.rows[-1].alignment
    assert everything.components == ablation.COMPONENTS
    assert everything.mean_rho == pytest.approx(total.mean_rho, abs=1e-12)
    assert everything.std_rho == pytest.approx(total.std_rho, abs=1e-12)
    assert everything.identical == pytest.approx(total.identical, abs=1e-12)
    assert len(table.rows) == 15


def test_that_single_components_agree_as_their_own_rows_do(project):
    table = ablation.ablate(project)
    methods = align.methods_table(project, resamples=0).methods
    for row in table.rows[:4]:
        (name,) = row.alignment.components
        assert row.alignment.mean_rho == pytest.approx(methods[name].mean_rho, abs=1e-12)


def test_that_differences_are_to_all_components(project):
    table = ablation.ablate(project)
    row = table.rows[2]  # usability; harmony is 0 for every deck here, so it has no order
    assert row.against_all.difference == pytest.approx(
        row.alignment.mean_rho - table.rows[-1].alignment.mean_rho, abs=1e-12
    )
    assert row.p_holm >= row.against_all.p
    assert ablation.as_json(table)["rows"][-1]["difference_from_all"] is None


def test_that_only_the_components_asked_for_are_combined(project):
    table = ablation.ablate(project, components=["aesthetics.usability", "aesthetics.rhythm"])
    assert [row.alignment.components for row in table.rows] == [
        ("aesthetics.usability",), ("aesthetics.rhythm",), ("aesthetics.usability", "aesthetics.rhythm"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("kwargs", "words"),
    [
        ({"components": ["nothing"]}, "No scores of nothing"),
        ({"preset": "paper-text"}, "the aesthetics with the preset paper-text"),
    ],
)
def test_that_components_without_scores_are_named(project, kwargs, words):
    with pytest.raises(BadInput, match=words):
        ablation.ablate(project, **kwargs)


def test_that_an_ablation_without_rankings_says_so(tmp_path):
    project = measured_project(tmp_path / "unranked", instances=1, ranks=False)
    with pytest.raises(BadInput, match="No ranking is submitted"):
        ablation.ablate(project)
    project.close()


def test_that_decks_lie_in_the_quadrants_of_the_medians(project):
    decks = deck_store.list_decks(project)
    for deck, level in zip(decks, [0, 2, 5, 2, 3, None, 1, 2, 4, 2, 2], strict=False):  # the last has no level
        add_level(project, deck.id, level)
    matrix = ve_matrix.ve_matrix(project)
    # Levels 0 2 5 2 3 1 2 4 2 2, sorted 0 1 2 2 2 2 2 3 4 5: the median is 2.
    assert (matrix.edits_line.at, matrix.edits_line.rule) == (2, ve_matrix.MEDIAN_RULE)
    totals = sorted(each.total for each in matrix.decks)
    assert matrix.looks_line.at == pytest.approx((totals[4] + totals[5]) / 2)
    for each in matrix.decks:
        is_high, edits = each.total >= matrix.looks_line.at, each.level >= 2
        assert each.quadrant is {
            (True, True): Quadrant.HIGH_HIGH, (True, False): Quadrant.HIGH_LOW,
            (False, True): Quadrant.LOW_HIGH, (False, False): Quadrant.LOW_LOW,
        }[is_high, edits]  # fmt: skip
    assert sum(matrix.counts.values()) == 10
    assert [each.reason for each in matrix.missing] == ["editability: unreadable", "editability: not measured"]


def test_that_a_system_has_the_mean_total_and_the_lower_median_level(project):
    decks = [deck for deck in deck_store.list_decks(project) if deck.system == "Aster"]
    for deck, level in zip(decks, [1, 4, 2, 3], strict=True):
        add_level(project, deck.id, level)
    (aster,) = ve_matrix.ve_matrix(project).systems
    # 1 2 3 4: the lower of the middle two is 2.
    assert (aster.system, aster.level, aster.n_decks, aster.n_missing) == ("Aster", 2, 4, 0)
    assert aster.shares == (0.0, 0.25, 0.25, 0.25, 0.25, 0.0)
    points = ve_matrix.ve_matrix(project).decks
    assert aster.total == pytest.approx(sum(each.total for each in points) / 4)


def test_that_lines_can_be_set_by_hand(project):
    for deck in deck_store.list_decks(project):
        add_level(project, deck.id, 3)
    matrix = ve_matrix.ve_matrix(project, looks_line=-100.0, edits_line=3.5)
    assert {each.quadrant for each in matrix.decks} == {Quadrant.HIGH_LOW}
    assert matrix.looks_line.rule == matrix.edits_line.rule == "set by hand"


def test_that_a_level_of_another_preset_serves_where_there_is_none_of_this(project):
    deck = deck_store.list_decks(project)[0]
    add_level(project, deck.id, 1, preset="paper-text")
    assert ve_matrix.ve_matrix(project).decks[0].level == 1
    add_level(project, deck.id, 4)
    add_level(project, deck.id, 2, preset="paper-text")
    assert ve_matrix.ve_matrix(project).decks[0].level == 4


def test_that_the_csv_holds_every_deck_once(project):
    for deck in deck_store.list_decks(project)[:5]:
        add_level(project, deck.id, 3)
    rows = list(csv.DictReader(io.StringIO(ve_matrix.as_csv(ve_matrix.ve_matrix(project)).removeprefix("\ufeff"))))
    assert len(rows) == 12
    assert [row["undefined_reason"] for row in rows].count("editability: not measured") == 7


def test_that_missing_scores_of_one_side_say_what_to_run(project, tmp_path):
    with pytest.raises(BadInput, match="editability scores"):
        ve_matrix.ve_matrix(project)
    empty = make_project(tmp_path / "empty")
    with pytest.raises(BadInput, match="aesthetics scores"):
        ve_matrix.ve_matrix(empty)
    empty.close()
