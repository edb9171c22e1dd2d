"""What a search over parameters found, how far it can be believed, and how it is written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from studio.actions.tuning_data import Answers
from studio.metrics.parameters import AestheticsParameters
from studio.model.ids import InstanceId
from studio.stats.components import SumAlignment
from studio.stats.intervals import BootstrapMean, PairedComparison
from studio.stats.search import Method

FEW_INSTANCES_BELOW = 30
"""Instances below which tuned parameters are an anecdote: the interval of a mean ρ is then about ±0.1."""
INSTANCES_PER_PARAMETER = 10
"""Instances for each searched parameter below which a search can fit noise."""
GAP_ABOVE = 0.05
"""Difference of in-sample and out-of-sample mean from which a warning says so whatever the interval."""
SURE_GAP_ABOVE = 0.02
"""The same where the interval of the gap excludes 0. A smaller one is sure with many instances and harms nobody."""
NEAR = 0.01
"""A mean this close to the best one is as good."""
FLAT_SHARE = 0.5
"""Share of a parameter's range that is as good as the optimum from which the optimum is called flat."""


@dataclass(frozen=True, kw_only=True)
class SetResult:
    """The initial parameters and the optimum on one set of answers."""

    answers: Answers
    n_instances: int
    """Instances that can be compared."""
    initial: BootstrapMean
    optimum: BootstrapMean
    gain: PairedComparison
    """Optimum minus initial, on the same instances."""
    initial_row: SumAlignment | None
    """Mean ρ, deviation and identical ratio, as the methods table gives them; None for pairs."""
    optimum_row: SumAlignment | None
    by_instance_initial: Mapping[InstanceId, float | None]
    by_instance_optimum: Mapping[InstanceId, float | None]


@dataclass(frozen=True, kw_only=True)
class ParameterResult:
    """One parameter before and after (the paper's table 13)."""

    name: str
    """Field of `AestheticsParameters`."""
    key: str
    """The reference's key."""
    low: float
    high: float
    is_log: bool
    initial: float
    optimum: float
    alone: PairedComparison
    """Δρ of moving this parameter alone, everything else as at the start."""
    p_alone: float | None
    """Adjusted by Holm's rule for the number of parameters."""
    without: PairedComparison
    """Δρ that is lost when this parameter alone goes back to its initial value."""
    p_without: float | None
    near_low: float
    near_high: float
    """Where the mean is as good as at the optimum (within 0.01), the others at the optimum."""
    near_share: float
    """Share of the range that is as good."""
    profile: tuple[tuple[float, float], ...]
    """Value → mean on the fitting set, the others at the optimum."""

    @property
    def is_at_border(self) -> bool:
        """Return whether the optimum lies at an end of the range, so that a wider one may do better."""
        width = self.high - self.low
        return min(abs(self.optimum - self.low), abs(self.high - self.optimum)) <= 1e-9 * width

    @property
    def is_flat(self) -> bool:
        """Return whether half of the range or more is as good as the optimum."""
        return self.near_share >= FLAT_SHARE


@dataclass(frozen=True, kw_only=True)
class FoldResult:
    """One fit of the cross-validation."""

    instance_ids: tuple[InstanceId, ...]
    """Held out."""
    optimum: Mapping[str, float]
    """Key → value, fitted on the other instances."""
    in_sample: float
    out_of_sample: float | None
    """Mean over the instances held out; None if none has a value."""


@dataclass(frozen=True, kw_only=True)
class TuningResult:
    """What a search found."""

    start: str
    method: Method
    trials: int
    n_trials: int
    """Points that the fit on all instances tried."""
    is_full_grid: bool | None
    levels: int
    n_folds: int
    leaves_one_out: bool
    seed: int
    resamples: int
    n_decks: int
    n_pairs: int
    n_undecided: int
    initial: AestheticsParameters
    optimum: AestheticsParameters
    fit: SetResult
    out_of_sample: BootstrapMean | None
    """Each instance at the optimum of the folds without it; None with a single instance."""
    gap: PairedComparison | None
    """In-sample minus out-of-sample."""
    out_of_sample_gain: PairedComparison | None
    """Out-of-sample minus initial: what the search gains on instances it has not seen."""
    by_instance_out_of_sample: Mapping[InstanceId, float | None]
    test: SetResult | None
    """Where the test set is another than the fitting set."""
    parameters: tuple[ParameterResult, ...]
    folds: tuple[FoldResult, ...]
    has_sample_people: bool
    warnings: tuple[str, ...]

    @property
    def value_words(self) -> str:
        """Return what the fitting set's values are."""
        return "ρ" if self.fit.answers is Answers.RANKINGS else "pair agreement"


def warnings_of(result: TuningResult) -> tuple[str, ...]:
    """Return why the optimum may not hold for other decks, one sentence each; empty if nothing speaks against it."""
    found = []
    n, k = result.fit.n_instances, len(result.parameters)
    if n < FEW_INSTANCES_BELOW:
        found.append(
            f"{n} {_instances(n)} can hardly support a search: {FEW_INSTANCES_BELOW} or more are needed to tell "
            "a gain from chance."
        )
    if n < INSTANCES_PER_PARAMETER * k:
        found.append(
            f"{k} parameters on {n} {_instances(n)}: fewer than {INSTANCES_PER_PARAMETER} instances for each "
            "parameter. Search fewer parameters."
        )
    gap, gain = result.gap, result.out_of_sample_gain
    if gap is None:
        found.append("One instance cannot be split, so nothing says how the optimum does on others.")
    elif gap.difference is not None and (
        gap.difference > GAP_ABOVE or (gap.difference > SURE_GAP_ABOVE and gap.low is not None and gap.low > 0)
    ):
        found.append(
            f"Overfit: {result.value_words} is {gap.difference:.3f} higher on the instances fitted to than on "
            f"instances held out ({_interval(gap.low, gap.high)})."
        )
    if gain is not None and gain.difference is not None and (gain.low is None or gain.low <= 0):
        found.append(
            f"No sure gain on instances held out: {gain.difference:+.3f} ({_interval(gain.low, gain.high)}) "
            "against the initial parameters."
        )
    if result.test is not None:
        tested = result.test.gain
        if tested.difference is not None and (tested.low is None or tested.low <= 0):
            found.append(
                f"No sure gain on the test set: {tested.difference:+.3f} ({_interval(tested.low, tested.high)})."
            )
    flat = [each for each in result.parameters if each.is_flat]
    if flat:
        words = "; ".join(f"{each.key} from {each.near_low:.4g} to {each.near_high:.4g}" for each in flat)
        found.append(f"Flat optimum: within {NEAR} of the best lie {words}. The values found mean little.")
    border = [each.key for each in result.parameters if each.is_at_border]
    if border:
        found.append(f"At the end of the range: {', '.join(border)}. A wider range may do better.")
    if result.has_sample_people:
        found.append("The rankings include invented sample data: no finding, only an example.")
    return tuple(found)


def as_json(result: TuningResult) -> dict[str, Any]:
    """Return the result as `studio tune --json` prints it."""
    return {
        "start": result.start,
        "method": result.method.value,
        "grid": None if result.is_full_grid is None else "full" if result.is_full_grid else "along_each_parameter",
        "trials": result.trials,
        "tried": result.n_trials,
        "levels": result.levels,
        "cross_validation": {
            "kind": "none" if not result.n_folds else "leave_one_out" if result.leaves_one_out else "k_fold",
            "folds": result.n_folds,
        },
        "seed": result.seed,
        "resamples": result.resamples,
        "n_decks": result.n_decks,
        "n_pairs": result.n_pairs,
        "n_undecided_pairs": result.n_undecided,
        "sample_data": result.has_sample_people,
        "fit": _set_json(result.fit),
        "in_sample": _mean_json(result.fit.optimum),
        "out_of_sample": None if result.out_of_sample is None else _mean_json(result.out_of_sample),
        "gap": None if result.gap is None else _paired_json(result.gap),
        "out_of_sample_gain": (None if result.out_of_sample_gain is None else _paired_json(result.out_of_sample_gain)),
        "test": None if result.test is None else _set_json(result.test),
        "parameters": [
            {
                "parameter": each.key,
                "field": each.name,
                "low": each.low,
                "high": each.high,
                "log": each.is_log,
                "initial": each.initial,
                "optimum": each.optimum,
                "delta": each.alone.difference,
                "p": each.p_alone,
                "p_unadjusted": each.alone.p,
                "delta_ci": [each.alone.low, each.alone.high],
                "delta_when_put_back": each.without.difference,
                "p_when_put_back": each.p_without,
                "as_good_from": each.near_low,
                "as_good_to": each.near_high,
                "flat": each.is_flat,
                "at_border": each.is_at_border,
            }
            for each in result.parameters
        ],
        "parameters_tested_on": "test" if result.test is not None else "fit",
        "folds": [
            {
                "held_out": list(each.instance_ids),
                "optimum": dict(each.optimum),
                "in_sample": each.in_sample,
                "out_of_sample": each.out_of_sample,
            }
            for each in result.folds
        ],
        "initial_parameters": result.initial.to_json(),
        "optimum_parameters": result.optimum.to_json(),
        "warnings": list(result.warnings),
    }


def provenance(result: TuningResult) -> dict[str, Any]:
    """Return what is stored beside the preset that a search ends in: enough to judge it, and to do it again."""
    content = as_json(result)
    left_out = ("folds", "initial_parameters", "optimum_parameters")
    return {"kind": "tuned", **{key: value for key, value in content.items() if key not in left_out}}


def _set_json(found: SetResult) -> dict[str, Any]:
    def row(item: SumAlignment | None) -> dict[str, Any] | None:
        if item is None:
            return None
        return {
            "mean_rho": item.mean_rho, "std_rho": item.std_rho, "identical": item.identical,
            "n_defined": item.n_defined, "n_total": item.n_total, "undefined": dict(item.undefined),
        }  # fmt: skip

    return {
        "on": found.answers.value,
        "n_instances": found.n_instances,
        "initial": _mean_json(found.initial),
        "optimum": _mean_json(found.optimum),
        "gain": _paired_json(found.gain),
        "initial_alignment": row(found.initial_row),
        "optimum_alignment": row(found.optimum_row),
    }


def _mean_json(item: BootstrapMean) -> dict[str, Any]:
    return {"mean": item.mean, "ci_low": item.low, "ci_high": item.high, "n": item.n,
            "undefined_reason": item.undefined_reason}  # fmt: skip


def _paired_json(item: PairedComparison) -> dict[str, Any]:
    return {
        "difference": item.difference, "ci_low": item.low, "ci_high": item.high, "p": item.p, "exact": item.is_exact,
        "n": item.n, "n_dropped": item.n_dropped, "undefined_reason": item.undefined_reason,
    }  # fmt: skip


def _instances(n: int) -> str:
    return "instance" if n == 1 else "instances"


def _interval(low: float | None, high: float | None) -> str:
    return "no interval" if low is None or high is None else f"95 % interval {low:.3f} to {high:.3f}"
