"""Searching for parameters on people's answers."""

from __future__ import annotations

import json
import threading
from dataclasses import replace

import numpy as np
import pytest

from studio.actions import align, presets
from studio.actions.tuning import TuningSpec, parameters_named, tune
from studio.actions.tuning_data import Answers, judged_pairs, tuning_data
from studio.actions.tuning_preset import check_free, save_tuned
from studio.actions.tuning_result import as_json, warnings_of
from studio.errors import BadInput, Cancelled
from studio.metrics.parameters import AestheticsParameters
from studio.model.scores import Score
from studio.stats.alignment import align as align_one
from studio.stats.search import Method
from studio.stats.targets import RankingTarget
from studio.store import decks as deck_store
from studio.store import scores as score_store
from tests.measured_projects import TRUTH, add_measures, add_pair, measured_project, scores_of
from tests.projects import make_project

GRID = TuningSpec(method=Method.GRID, trials=60, levels=5, folds=3, resamples=200)
FAST = replace(GRID, parameters=parameters_named(["weight_contrast", "harmony_sigma"]))


def ignore(_event):
    pass


def run(project, spec, **more):
    return tune(project, spec, **({"emit": ignore, "cancel": threading.Event()} | more))


@pytest.fixture
def project(tmp_path):
    made = measured_project(tmp_path / "study")
    yield made
    made.close()


def test_that_the_initial_row_is_the_row_of_the_methods_table(project):
    stated = align.methods_table(project, metrics=["aesthetics.total"], resamples=0).methods["aesthetics.total"]
    found = run(project, FAST).fit.initial_row
    assert found.mean_rho == pytest.approx(stated.mean_rho, abs=1e-12)
    assert found.std_rho == pytest.approx(stated.std_rho, abs=1e-12)
    assert found.identical == pytest.approx(stated.identical, abs=1e-12)


def test_that_a_search_finds_what_the_people_rank_by(project):
    # Started from the truth but for one weight, the search has a perfect point within reach: mean rho 1.
    truth = replace(TRUTH, usability_scale=7.0)
    presets.save(project, "near", truth, {"kind": "test"})
    spec = replace(
        GRID, start="near", trials=200, levels=9, parameters=parameters_named(["weight_contrast=0:32"])
    )  # levels 0, 4, …, 16, … 32  # fmt: skip
    found = run(project, spec)
    assert found.optimum.usability_scale == 16.0
    assert found.fit.optimum.mean == 1.0
    assert found.fit.optimum_row.mean_rho == 1.0
    assert found.fit.optimum_row.identical == 1.0


def test_that_the_optimum_scored_by_a_metrics_run_has_the_rho_that_is_stated(project):
    found = run(project, FAST)
    name = presets.save(project, "mine", found.optimum, {"kind": "test"})[0].name
    data = tuning_data(project, "benchmark")
    rows = [
        Score(
            run_id=None, metric="aesthetics.total", metric_version=1, preset=name, deck_id=deck, instance_id=instance,
            slide=None, value=value,
        )
        for instance, decks in data.totals(found.optimum).items()
        for deck, value in decks.items()
    ]  # fmt: skip
    score_store.append_scores(project, rows)
    stated = align.methods_table(project, metrics=["aesthetics.total@mine"], resamples=0).methods
    assert stated["aesthetics.total@mine"].mean_rho == pytest.approx(found.fit.optimum_row.mean_rho, abs=1e-12)
    assert found.fit.optimum.mean == pytest.approx(found.fit.optimum_row.mean_rho, abs=1e-12)


def test_that_held_out_instances_do_not_choose_their_own_parameters(project):
    found = run(project, FAST)
    assert len(found.folds) == 3
    held_out = [instance for fold in found.folds for instance in fold.instance_ids]
    assert sorted(held_out) == sorted(item.id for item in deck_store.list_instances(project))
    # Each held-out value is the rho of that instance at the optimum of its own fold.
    data = tuning_data(project, "benchmark")
    target = RankingTarget(data.evidence.human, data.deck_ids)
    for fold in found.folds:
        parameters = AestheticsParameters.from_reference(dict(fold.optimum), base=data.parameters)
        totals = data.totals(parameters)
        scores = np.array([totals[data.instance_of[deck]][deck] for deck in data.deck_ids])
        values = dict(zip(target.instance_ids, target.values(scores), strict=True))
        for instance in fold.instance_ids:
            assert found.by_instance_out_of_sample[instance] == pytest.approx(values[instance], abs=1e-12)


def test_that_the_gap_is_in_sample_minus_out_of_sample(project):
    found = run(project, FAST)
    assert found.gap.difference == pytest.approx(found.fit.optimum.mean - found.out_of_sample.mean, abs=1e-12)
    assert found.out_of_sample_gain.difference == pytest.approx(
        found.out_of_sample.mean - found.fit.initial.mean, abs=1e-12
    )


def test_that_leaving_one_out_makes_a_fold_of_each_instance(project):
    found = run(project, replace(FAST, folds=0, levels=3))
    assert found.leaves_one_out
    assert [len(fold.instance_ids) for fold in found.folds] == [1] * 12
    assert as_json(found)["cross_validation"] == {"kind": "leave_one_out", "folds": 12}


def test_that_a_parameter_alone_gives_its_own_difference(project):
    found = run(project, FAST)
    for each in found.parameters:
        moved = replace(found.initial, **{each.name: each.optimum})
        data = tuning_data(project, "benchmark")
        human = data.evidence.human
        expected = [
            align_one(human, data.totals(parameters), resamples=0).mean_rho for parameters in (moved, found.initial)
        ]
        assert each.alone.difference == pytest.approx(expected[0] - expected[1], abs=1e-12)
        assert each.p_alone >= each.alone.p


def test_that_a_parameter_that_changes_no_order_is_called_flat(project):
    # Rhythm is scale · points · …; with a scale of 0 no number of points changes anything.
    presets.save(project, "still", replace(AestheticsParameters(), rhythm_scale=0.0), {"kind": "test"})
    found = run(project, replace(GRID, start="still", parameters=parameters_named(["weight_subband_entropy_score"])))
    (each,) = found.parameters
    assert (each.is_flat, each.near_share, each.near_low, each.near_high) == (True, 1.0, 10.0, 200.0)
    assert (each.optimum, each.alone.difference, each.alone.p) == (100.0, 0.0, 1.0)
    assert any(text.startswith("Flat optimum: within 0.01") for text in found.warnings)


def test_that_little_data_is_said_to_be_little(project):
    found = run(project, FAST)
    assert any(text.startswith("12 instances can hardly support") for text in found.warnings)
    assert any(text.startswith("2 parameters on 12 instances") for text in found.warnings)


def test_that_noise_is_called_overfit_or_no_sure_gain(tmp_path):
    project = measured_project(tmp_path / "noise", instances=8, noise=500.0)
    found = run(project, replace(GRID, trials=400, levels=9))
    project.close()
    assert found.fit.gain.difference > 0
    assert any(text.startswith(("Overfit", "No sure gain on instances held out")) for text in found.warnings)


def test_that_a_bayesian_search_repeats_with_its_seed(project):
    spec = replace(FAST, method=Method.BAYES, trials=15, folds=2)
    first, second = run(project, spec), run(project, spec)
    assert as_json(first) == as_json(second)
    other = run(project, replace(spec, seed=1))
    assert other.optimum != first.optimum or other.folds != first.folds


def test_that_a_stopped_search_goes_on_and_ends_where_an_uninterrupted_one_does(tmp_path):
    spec = replace(FAST, method=Method.BAYES, trials=14, folds=2)
    whole = measured_project(tmp_path / "whole")
    expected = as_json(run(whole, spec))
    whole.close()

    project = measured_project(tmp_path / "stopped")
    cancel, told = threading.Event(), []

    def stop_in_the_second_fold(event):
        told.append(event)
        if event.stage.startswith("fold 1"):
            cancel.set()

    with pytest.raises(Cancelled):
        run(project, spec, emit=stop_in_the_second_fold, cancel=cancel)
    (ledger,) = (project.cache_folder / "tuning").iterdir()
    kept = [json.loads(line) for line in ledger.read_text().splitlines() if line]
    assert [item["stage"] for item in kept] == [0] * 14 + [1] * (len(kept) - 14)
    assert len(kept) > 14
    with ledger.open("a") as file:
        file.write('{"stage": 1, "poi')  # killed in the middle of a line
    assert as_json(run(project, spec)) == expected
    assert not ledger.exists()
    project.close()


def test_that_progress_never_goes_back_and_ends_below_the_total(project):
    told = []
    run(project, FAST, emit=told.append)
    assert [event.done for event in told] == sorted(event.done for event in told)
    assert all(event.done <= event.total == 60 * 4 for event in told)
    assert told[0].stage == "all instances"


def test_that_pairs_are_fitted_to_and_rankings_tested_on(tmp_path):
    project = measured_project(tmp_path / "pairs")
    decks = deck_store.list_decks(project)
    for first, second in zip(decks[::2], decks[1::2], strict=True):
        add_pair(project, "Bo", first.instance_id, first.id, second.id, "a")
    # The newest answer of a person counts, and a tie decides nothing.
    add_pair(project, "Bo", decks[0].instance_id, decks[0].id, decks[1].id, "tie")
    pairs, undecided = judged_pairs(project)
    assert (len(pairs), undecided) == (35, 1)
    found = run(project, replace(FAST, fit_on=Answers.PAIRS, test_on=Answers.RANKINGS))
    assert (found.fit.answers, found.fit.initial_row, found.value_words) == (Answers.PAIRS, None, "pair agreement")
    assert found.test.answers is Answers.RANKINGS
    assert found.test.initial_row.mean_rho == pytest.approx(found.test.initial.mean, abs=1e-12)
    assert as_json(found)["parameters_tested_on"] == "test"
    project.close()


def test_that_a_scenario_kept_for_the_test_has_no_say_in_the_fit(project):
    found = run(project, replace(FAST, test_scenarios=("report",)))
    assert (found.fit.n_instances, found.test.n_instances) == (6, 6)
    assert not set(found.fit.by_instance_optimum) & set(found.test.by_instance_optimum)


def test_that_the_optimum_is_stored_with_where_it_comes_from(project):
    found = run(project, FAST)
    stored, _ = save_tuned(project, "mine", found)
    assert stored.parameters == found.optimum
    assert stored.provenance["kind"] == "tuned"
    assert stored.provenance["seed"] == 0
    assert stored.provenance["out_of_sample"]["mean"] == found.out_of_sample.mean
    assert stored.provenance["warnings"] == list(found.warnings)
    with pytest.raises(BadInput, match="has a preset mine already"):
        check_free(project, "mine")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"folds": 1}, "leave nothing to fit on"),
        ({"trials": 1}, "two trials"),
        ({"start": "nowhere"}, "There is no preset nowhere"),
        ({"fit_on": Answers.PAIRS}, "There are no pairs to fit to"),
        ({"test_scenarios": ("nothing",)}, "There is no scenario nothing"),
        ({"parameters": ()}, "No parameter to search"),
    ],
)
def test_that_what_cannot_be_searched_is_refused_in_one_line(project, change, words):
    with pytest.raises(BadInput, match=words):
        run(project, replace(FAST, **change))


@pytest.mark.parametrize("text", ["nothing", "weight_contrast=3", "weight_contrast=1:2:3", "weight_contrast=a:b"])
def test_that_parameters_that_cannot_be_read_are_refused(text):
    with pytest.raises(BadInput):
        parameters_named([text])


def test_that_parameters_are_named_by_either_name():
    found = parameters_named(["weight_contrast", "harmony_sigma_deg=0.01:5:log"])
    assert [name for name, _ in found] == ["usability_scale", "harmony_sigma_deg"]
    assert found[1][1] == (0.01, 5.0, True)
    with pytest.raises(BadInput, match="named twice"):
        parameters_named(["weight_contrast", "usability_scale"])
    assert len(parameters_named(["all"])) == 20


def test_that_slides_count_as_the_newest_run_measured_them(project):
    deck = deck_store.list_decks(project)[0]
    slides = [(0.9, 0.0, 26.0, 3.0)]
    add_measures(project, deck.instance_id, deck.id, [*slides] * 3)
    data = tuning_data(project, "benchmark")
    totals = data.totals(AestheticsParameters())
    assert totals[deck.instance_id][deck.id] == scores_of(slides * 3, AestheticsParameters()).total.value


def test_that_a_project_without_measures_says_what_to_run(tmp_path):
    project = make_project(tmp_path / "empty")
    with pytest.raises(BadInput, match="No deck of this project is measured"):
        run(project, FAST)
    project.close()


@pytest.mark.parametrize(
    ("difference", "low", "is_overfit"),
    [(0.06, -0.1, True), (0.03, 0.01, True), (0.03, -0.01, False), (0.015, 0.01, False)],
)
def test_that_a_gap_is_called_overfit_when_large_or_sure_and_not_small(project, difference, low, is_overfit):
    found = run(project, FAST)
    gap = replace(found.gap, difference=difference, low=low, high=0.2)
    assert any(text.startswith("Overfit") for text in warnings_of(replace(found, gap=gap))) == is_overfit
