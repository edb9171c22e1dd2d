"""Tuning, ablation and the V-E matrix from the terminal."""

from __future__ import annotations

import pytest

from studio.store import decks as deck_store
from tests.measured_projects import add_level, measured_project


@pytest.fixture
def folder(tmp_path):
    project = measured_project(tmp_path / "study", instances=6)
    for place, deck in enumerate(deck_store.list_decks(project)):
        add_level(project, deck.id, place % 6)
    project.close()
    return tmp_path / "study"


def test_that_a_tuned_preset_is_stored_listed_and_measured_with(studio, folder):
    tuned = studio(
        "tune", folder, "--method", "grid", "--levels", 5, "--trials", 40, "--folds", 3, "--save", "mine", "--json",
        "--parameters", "weight_contrast,harmony_sigma=0.001:10:log",
    )  # fmt: skip
    assert tuned.code == 0, tuned.err
    found = tuned.json
    assert [each["parameter"] for each in found["parameters"]] == ["weight_contrast", "harmony_sigma"]
    assert found["preset"] == "mine"
    assert found["cross_validation"] == {"kind": "k_fold", "folds": 3}
    assert found["warnings"]
    shown = studio("presets", "show", folder, "mine", "--json").json
    assert shown["parameters"] == found["optimum_parameters"]
    assert shown["provenance"]["kind"] == "tuned"
    again = studio("tune", folder, "--save", "mine", "--json")
    assert "has a preset mine already" in again.error_line


def test_that_a_person_reads_the_table_the_gap_and_the_warnings(studio, folder):
    out = studio("tune", folder, "--method", "grid", "--levels", 3, "--trials", 30, "--folds", 0).out
    for words in (
        "weight_contrast",
        "out-of-sample",
        "Gap, in-sample minus out-of-sample",
        "leave one out",
        "! 6 inst",
    ):
        assert words in out


def test_that_scenarios_can_be_kept_for_the_test(studio, folder):
    found = studio(
        "tune", folder, "--method", "grid", "--trials", 20, "--folds", 2, "--test-scenario", "report", "--json"
    ).json
    assert found["test"]["n_instances"] == found["fit"]["n_instances"] == 3
    assert found["parameters_tested_on"] == "test"


def test_that_the_ablation_prints_fifteen_rows_and_a_sum_of_ones_own(studio, folder):
    found = studio("ablate", folder, "--weight", "aesthetics.usability=2", "--json").json
    assert len(found["rows"]) == 15
    alone = next(row for row in found["rows"] if row["components"] == ["aesthetics.usability"])
    assert found["weighted"]["mean_rho"] == alone["mean_rho"]  # a factor changes no order
    out = studio("ablate", folder, "--weight", "aesthetics.usability=2").out
    assert "Harmony + Engagement + Usability + Rhythm" in out
    assert "2 Usability" in out


def test_that_a_weight_that_is_none_is_refused(studio, folder):
    assert "is no METHOD=WEIGHT" in studio("ablate", folder, "--weight", "aesthetics.usability=much").error_line
    assert "nothing is none of" in studio("ablate", folder, "--weight", "nothing=1").error_line


def test_that_the_matrix_names_lines_and_quadrants(studio, folder):
    found = studio("ve-matrix", folder, "--edits-line", 3, "--json").json
    assert found["lines"]["edits"] == {"at": 3.0, "rule": "set by hand"}
    assert found["lines"]["looks"]["rule"] == "median of the decks that have both values"
    assert sum(found["counts"].values()) == len(found["decks"]) == 36
    out = studio("ve-matrix", folder).out
    assert "median of the decks that have both values" in out
    assert "a deck on a line counts as above it" in out
