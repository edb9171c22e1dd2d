"""Every case of the shared golden values, dispatched by its method."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from studio.stats.agreement import (
    Scale,
    cohen_kappa,
    cross_table,
    gwet_ac1,
    krippendorff_alpha,
    pabak,
    percent_agreement,
)
from studio.stats.alignment import align
from studio.stats.alt_test import CaseScore, alt_test
from studio.stats.calibration import probability_calibration, verdict_calibration
from studio.stats.concordance import kendall_w
from studio.stats.correlation import fisher_interval, kendall_tau_b, spearman, spearman_interval, spearman_p
from studio.stats.identical import identical_summary
from studio.stats.intervals import bootstrap_mean
from studio.stats.judges import Slot, expected_score, mean_of_samples, position_bias, self_consistency
from studio.stats.levels import Level
from studio.stats.paired import Comparison, bradley_terry, elo
from studio.stats.rankings import HumanRankings
from studio.stats.ranks import competition_ranks, dense_ranks, mid_ranks
from tests.shared_files import shared_root

Case = dict[str, Any]

ELSEWHERE = {
    "reflex_target": "the degrees of worsened decks belong to the module that makes them",
    "reflex_count": "how many slides a degree worsens belongs to the module that makes them",
}
"""Methods of the golden file that this package does not implement, and why."""

NOT_COMPARED = {
    "spearman_n2": ["rho"],  # ±1 by construction; the product says too_few
    "spearman_shortcut_is_wrong_with_ties": ["shortcut"],  # the wrong value
    "bradley_terry_separation": ["alpha0"],  # an exception of a library; the product gives a reason
    "geval_n_sample_mean": ["parsed", "parse_failures", "wrong_if_failure_is_zero"],  # reading replies
}
"""Expected entries that are checked in another way, by case; see the function of the case's method."""


def _cases() -> list[Case]:
    root = shared_root()
    file = Path(os.devnull) if root is None else root / "golden" / "stats_golden.json"
    return json.loads(file.read_text("utf-8"))["cases"] if file.is_file() else []


CASES = _cases()


def _same(found: Any, expected: Any, tolerance: float) -> None:
    if expected is None:
        assert found is None
    else:
        assert found is not None
        assert np.asarray(found, dtype=float) == pytest.approx(
            np.asarray(expected, dtype=float), abs=tolerance, nan_ok=True
        )


def _spearman(case: Case) -> dict[str, Any]:
    x, y = case["input"]["x"], case["input"]["y"]
    if case["id"] == "spearman_n2":
        # The golden value is what a library returns; the note asks the product for three shared decks.
        found = spearman(x, y)
        assert (found.value, found.undefined_reason, found.n) == (None, "too_few", 2)
        return {}
    found = spearman_p(x, y, exact=False)
    return {"rho": found.value, "p": found.p}


def _shortcut(case: Case) -> dict[str, Any]:
    found = spearman(case["input"]["x"], case["input"]["y"]).value
    assert found != pytest.approx(case["expected"]["shortcut"], abs=1e-4)
    return {"correct": found}


def _rankings(rows: list[list[float]]) -> HumanRankings:
    return HumanRankings(
        ranks={f"i{i}": {"ann": {f"d{i}.{k}": rank for k, rank in enumerate(row)}} for i, row in enumerate(rows)}
    )


def _as_scores(rows: list[list[float]]) -> dict[str, dict[str, float]]:
    return {f"i{i}": {f"d{i}.{k}": rank for k, rank in enumerate(row)} for i, row in enumerate(rows)}


def _per_instance(case: Case) -> dict[str, Any]:
    data = case["input"]
    if "human" in data:
        # Here the values of the human side are pooled as they are, so the list is correlated directly.
        pooled = spearman(np.concatenate(data["human"]), np.concatenate(data["judge"]))
        found = align(_rankings(data["human"]), _as_scores(data["judge"]), higher_is_better=False)
        return {"per_instance_mean": found.mean_rho, "pooled": pooled.value}
    found = align(
        _rankings(data["human_ranks"]),
        _as_scores(data["judge_ranks"]),
        higher_is_better=False,
        level="instance",
    )
    assert [each.reason for each in found.instances] == [None, None, "constant", None]
    return {
        "per_instance": [each.rho for each in found.instances],
        "mean_skip": found.mean_rho,
        "std_skip_pop": found.std_rho,
        "std_skip_sample": found.std_rho_sample,
        "mean_zero_fill": found.zero_filled_rho,
        "n_defined": found.n_defined,
        "n_total": found.n_total,
    }


def _identical(case: Case) -> dict[str, Any]:
    human, judge = case["input"]["human_ranks"], case["input"]["judge_ranks"]
    found = identical_summary(zip(human, judge, strict=True))
    row = align(_rankings(human), _as_scores(judge), higher_is_better=False)
    assert row.identical == found.ratio
    assert row.by_level[Level.INSTANCE] == row.mean_rho
    assert found.ratio is not None
    return {
        "ratio": found.ratio,
        "ratio_percent": 100 * found.ratio,
        "exact_match_instances": found.exact_order,
    }


def _kendall(case: Case) -> dict[str, Any]:
    found = kendall_tau_b(case["input"]["x"], case["input"]["y"])
    return {"tau": found.value, "p": found.p}


def _kendall_w(case: Case) -> dict[str, Any]:
    found = kendall_w(case["input"]["ranks"])
    return {
        "W": found.w,
        "chi2": found.chi2,
        "p": found.p,
        "mean_spearman": found.mean_spearman,
        "friedman_chi2": found.chi2,
    }


def _alpha(case: Case) -> dict[str, Any]:
    return {scale.value: krippendorff_alpha(case["input"]["ratings"], scale=scale).value for scale in Scale}


def _kappa(case: Case) -> dict[str, Any]:
    data = case["input"]
    if "table" in data:
        pairs = [key.split("_") for key, count in data["table"].items() for _ in range(count)]
        a, b = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    else:
        a, b = data["a"], data["b"]
    table = cross_table(a, b, labels=("yes", "no"))
    return {
        "kappa": cohen_kappa(table).value,
        "percent_agreement": percent_agreement(table).value,
        "gwet_ac1": gwet_ac1(table).value,
        "pabak": pabak(table).value,
    }


def _won(pairs: list[list[int]]) -> list[Comparison[int]]:
    return [Comparison(first=winner, second=loser, score=1.0) for winner, loser in pairs]


def _bradley_terry(case: Case) -> dict[str, Any]:
    comparisons = _won(case["input"]["wins"])
    plain = bradley_terry(comparisons)
    if "alpha" in case["input"]:
        # Where the library raises, the product says why there is no finite estimate.
        assert plain.theta is None
        assert plain.undefined_reason == "separated"
        pulled = bradley_terry(comparisons, alpha=case["input"]["alpha"])
        assert pulled.theta is not None
        assert not pulled.is_finite_without_alpha
        return {"theta_alpha_0_01": [pulled.theta[i] for i in range(3)]}
    theta, points = plain.theta, plain.elo
    assert theta is not None
    assert points is not None
    return {
        "theta_centered": [theta[i] for i in sorted(theta)],
        "elo_scale": [points[i] for i in sorted(points)],
        "p_0_beats_1": plain.chance_to_beat(0, 1),
        "theta_diff": theta[0] - theta[1],
        "elo_diff": points[0] - points[1],
    }


def _elo(case: Case) -> dict[str, Any]:
    found = {}
    for name in ("order1", "order2"):
        ratings = elo(_won(case["input"][name]), k=case["input"]["k"])
        found[name] = [ratings[0], ratings[1]]
    return found


def _bootstrap(case: Case) -> dict[str, Any]:
    data = case["input"]
    found = bootstrap_mean(data["values"], resamples=data["iterations"], seed=data["seed"])
    assert found.is_optimistic
    return {"mean": found.mean, "ci95": [found.low, found.high]}


def _fisher(case: Case) -> dict[str, Any]:
    found = fisher_interval(case["input"]["r"], case["input"]["n"])
    return {"ci95": [found.low, found.high]}


def _spearman_interval(case: Case) -> dict[str, Any]:
    found = spearman_interval(case["input"]["rho"], case["input"]["n"])
    return {"ci95": [found.low, found.high]}


def _alt_test(case: Case) -> dict[str, Any]:
    data = case["input"]
    assert data["score"] == "accuracy"
    found = alt_test(data["humans"], data["judge"], epsilon=data["epsilon"], q=data["q"], score=CaseScore.ACCURACY)
    return {
        "p_values": [each.p for each in found.annotators],
        "p_adjusted_BY": [each.p_adjusted for each in found.annotators],
        "winning_rate": found.winning_rate,
        "advantage_probability": found.advantage,
        "passes": found.passes,
    }


def _position(case: Case) -> dict[str, Any]:
    slots = {"A": Slot.FIRST, "B": Slot.SECOND, "tie": Slot.TIE}
    found = position_bias([(slots[a], slots[b]) for a, b in case["input"]["slot_verdicts"]])
    assert found is not None
    return {
        "swap_consistency": found.swap_consistency,
        "always_first": found.always_first,
        "always_second": found.always_second,
        "first_slot_rate": found.first_slot_rate.value,
        "first_slot_binom_p": found.first_slot_rate.p,
        "reconciled_score_of_system1": found.reconciled_score,
    }


def _consistency(case: Case) -> dict[str, Any]:
    found = self_consistency(case["input"]["repeated_scores"])
    return {
        "mean_sd_sample": found.mean_sd.value,
        "all_identical_rate": found.all_identical.value,
        "mean_pairwise_agreement": found.pairwise_agreement.value,
        "icc_1_1": found.icc_1_1.value,
    }


def _verdicts(case: Case) -> dict[str, Any]:
    data = case["input"]
    found = verdict_calibration(data["human"], data["judge"], positive=data["positive"])
    return {
        "precision": found.precision.value,
        "recall": found.recall.value,
        "f1": found.f1.value,
        "support": found.support,
        "tp": found.tp,
        "fp": found.fp,
        "fn": found.fn,
        "tn": found.tn,
        "precision_wilson95": [found.precision_interval.low, found.precision_interval.high],
        "recall_wilson95": [found.recall_interval.low, found.recall_interval.high],
        "kappa": found.kappa.value,
    }


def _calibration(case: Case) -> dict[str, Any]:
    data = case["input"]
    found = probability_calibration(data["y"], data["p"], bins=data["bins"])
    assert found is not None
    return {"brier": found.brier, "log_loss": found.log_loss, "ece": found.ece}


def _geval(case: Case) -> dict[str, Any]:
    if "token_probs" in case["input"]:
        found = expected_score(case["input"]["token_probs"])
        return {"mass": found.mass, "raw_sum": found.raw_sum, "renormalised": found.value}
    # Reading a score out of a reply is the judges' work; what is left here is that a failure is no zero.
    parsed: list[float | None] = [*case["expected"]["parsed"], *[None] * case["expected"]["parse_failures"]]
    assert len(parsed) <= len(case["input"]["samples"])
    mean = mean_of_samples(parsed)
    assert mean.n == len(case["expected"]["parsed"])
    return {"mean": mean.value}


def _ranks(case: Case) -> dict[str, Any]:
    scores, higher = case["input"]["scores"], case["input"]["higher_is_better"]
    return {
        "average": mid_ranks(scores, higher_is_better=higher),
        "min": competition_ranks(scores, higher_is_better=higher),
        "dense": dense_ranks(scores, higher_is_better=higher),
    }


COMPUTE: dict[str, Callable[[Case], dict[str, Any]]] = {
    "spearman": _spearman,
    "spearman_shortcut": _shortcut,
    "per_instance_spearman": _per_instance,
    "identical_ratio": _identical,
    "kendall_tau_b": _kendall,
    "kendall_W": _kendall_w,
    "krippendorff_alpha": _alpha,
    "cohen_kappa": _kappa,
    "bradley_terry": _bradley_terry,
    "elo": _elo,
    "bootstrap_mean_ci": _bootstrap,
    "fisher_z_ci": _fisher,
    "spearman_ci": _spearman_interval,
    "alt_test": _alt_test,
    "position_bias": _position,
    "self_consistency": _consistency,
    "verdict_calibration": _verdicts,
    "calibration": _calibration,
    "geval_expected_score": _geval,
    "rankdata": _ranks,
}


def test_that_every_golden_method_is_computed_here_or_named_as_left_out():
    if not CASES:
        pytest.skip("needs the shared folder beside the checkout (or its path in PODIUM_SHARED)")
    methods = {case["method"] for case in CASES}
    assert methods == set(COMPUTE) | set(ELSEWHERE)


@pytest.mark.parametrize("case", [c for c in CASES if c["method"] in COMPUTE], ids=lambda case: case["id"])
def test_that_the_golden_value_is_met(case):
    found = COMPUTE[case["method"]](case)
    compared = {k: v for k, v in case["expected"].items() if k not in NOT_COMPARED.get(case["id"], ())}
    assert compared.keys() <= found.keys()
    for name, expected in compared.items():
        _same(found[name], expected, case["tolerance"])
