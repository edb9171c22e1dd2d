"""Tuning the aesthetics parameters to people, and saying how much of the gain would be there for other decks."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from studio.actions.tuning_data import Answers, TuningData, tuning_data
from studio.actions.tuning_ledger import Ledger, ledger_of
from studio.actions.tuning_result import (
    NEAR,
    FoldResult,
    ParameterResult,
    SetResult,
    TuningResult,
    warnings_of,
)
from studio.errors import BadInput, Cancelled
from studio.jobs.keys import unit_key
from studio.metrics.parameter_ranges import RANGES, WEIGHTS, ParameterRange, range_named
from studio.metrics.parameters import AestheticsParameters, reference_name
from studio.metrics.raw_decks import components_of
from studio.model.events import SearchProgress
from studio.model.protocols import CancelToken, Emit
from studio.stats.components import SumAlignment, component_table, weighted
from studio.stats.intervals import bootstrap_mean, compare_paired, holm
from studio.stats.rankings import HumanRankings
from studio.stats.search import Dimension, Found, Method, Point, folds, objective, profile, search
from studio.stats.statistic import FloatArray
from studio.stats.targets import Target, named
from studio.store.project import Project

PROFILE_LEVELS = 21
"""Values of one parameter, the others at the optimum, from which it is said how flat the optimum is."""
_TELL_EVERY_S = 0.05


@dataclass(frozen=True, kw_only=True)
class TuningSpec:
    """What is searched, how, and on which answers."""

    start: str = "benchmark"
    """Preset that gives the initial values, and the values of everything that is not searched."""
    parameters: tuple[tuple[str, ParameterRange], ...] = field(
        default_factory=lambda: tuple((name, RANGES[name]) for name in WEIGHTS)
    )
    method: Method = Method.BAYES
    trials: int = 100
    """Points to try at most, in each fit."""
    levels: int = 7
    """Values of each parameter on a grid."""
    folds: int = 5
    """Parts for cross-validation; 0 leaves one instance out at a time."""
    seed: int = 0
    fit_on: Answers = Answers.RANKINGS
    test_on: Answers = Answers.RANKINGS
    test_scenarios: tuple[str, ...] = ()
    """Scenarios that are kept out of the fit and are the test set."""
    resamples: int = 1000

    @property
    def has_own_test_set(self) -> bool:
        """Return whether the test set is another than the fitting set."""
        return bool(self.test_scenarios) or self.fit_on is not self.test_on


def parameters_named(names: Sequence[str]) -> tuple[tuple[str, ParameterRange], ...]:
    """Return the parameters that a person listed, each with its range; "all" stands for every one.

    Raises:
        BadInput: for an unknown name, one named twice, or a range that cannot be read.
    """
    if list(names) == ["all"]:
        return tuple(RANGES.items())
    found = [range_named(name) for name in names if name.strip()]
    twice = {name for name, _ in found if [each for each, _ in found].count(name) > 1}
    if twice:
        raise BadInput(f"{', '.join(sorted(twice))} is named twice.", next_step="Name each parameter once.")
    return tuple(found) or TuningSpec().parameters


def tune(project: Project, spec: TuningSpec, *, emit: Emit, cancel: CancelToken) -> TuningResult:
    """Search for the parameters whose totals agree best with people, and test what was found on other instances.

    A search that is cancelled goes on from where it was when it is asked for again with the same spec.

    Args:
        project: an open project with measured decks.
        spec: what to search.
        emit: told about progress, at most twenty times a second.
        cancel: looked at after every trial.

    Raises:
        BadInput: if there is nothing to fit to, or nothing to test on.
        Cancelled: when the user stops it; the trials are kept.
    """
    _check(spec)
    data = tuning_data(project, spec.start)
    fit_target, test_target, fit_human, test_human = _targets(data, spec)
    key = unit_key(
        "tuning", 1, data.fingerprint(), data.parameters.to_json(), spec.parameters, spec.method, spec.trials,
        spec.levels, spec.folds, spec.seed, spec.fit_on, spec.test_scenarios,
    )  # fmt: skip
    ledger = ledger_of(project, key)
    is_done = False
    try:
        run = _Fits(data, spec, fit_target, ledger, emit, cancel)
        result = _result(run, test_target, fit_human, test_human)
        is_done = True
    finally:
        ledger.close(is_done=is_done)
    return result


class _Fits:
    """The fit on all instances and on all but each fold, with what they share."""

    def __init__(
        self, data: TuningData, spec: TuningSpec, target: Target, ledger: Ledger, emit: Emit, cancel: CancelToken
    ) -> None:
        self.data, self.spec, self.target = data, spec, target
        self.dimensions = [
            Dimension(
                name=reference_name(name), low=each.low, high=each.high, is_log=each.is_log,
                initial=float(getattr(data.parameters, name)),
            )
            for name, each in spec.parameters
        ]  # fmt: skip
        self.initial: Point = tuple(each.initial for each in self.dimensions)
        self._ledger, self._emit, self._cancel = ledger, emit, cancel
        self._known: dict[Point, FloatArray] = {}
        self._told_at = -1.0
        n = len(target.instance_ids)
        k = n if spec.folds == 0 else spec.folds
        self.folds = folds(n, k, seed=spec.seed) if n > 1 else []
        self.everything = np.ones(n, dtype=np.bool_)

    def parameters_at(self, point: Point) -> AestheticsParameters:
        """Return the start's parameters with the searched ones as at a point."""
        changed = {name: value for (name, _), value in zip(self.spec.parameters, point, strict=True)}
        return replace(self.data.parameters, **changed)  # type: ignore[arg-type]

    def scores_at(self, point: Point) -> FloatArray:
        """Return the total of each deck at a point."""
        return components_of(self.data.raw, self.parameters_at(point)).total

    def values_at(self, point: Point) -> FloatArray:
        """Return the value of each instance at a point; computed once for all fits."""
        if point not in self._known:
            self._known[point] = self.target.values(self.scores_at(point))
        return self._known[point]

    def on_all(self) -> Found:
        """Return the optimum on all instances of the fitting set."""
        return self._fit(0, self.everything)

    def out_of_sample(self) -> tuple[FloatArray, list[FoldResult]]:
        """Return the value of each instance at the optimum of the others, and what each fold found."""
        values = np.full(len(self.everything), np.nan)
        found = []
        for number, held_out in enumerate(self.folds, start=1):
            chosen = self.everything.copy()
            chosen[held_out] = False
            fit = self._fit(number, chosen)
            at = self.values_at(fit.point)
            values[held_out] = at[held_out]
            known = at[held_out][~np.isnan(at[held_out])]
            found.append(
                FoldResult(
                    instance_ids=tuple(self.target.instance_ids[place] for place in held_out),
                    optimum=dict(zip((each.name for each in self.dimensions), fit.point, strict=True)),
                    in_sample=fit.value,
                    out_of_sample=float(np.mean(known)) if len(known) else None,
                )
            )
        return values, found

    def _fit(self, stage: int, chosen: np.ndarray[Any, np.dtype[np.bool_]]) -> Found:
        spec = self.spec
        words = f"fold {stage} of {len(self.folds)}" if stage else "all instances"
        total = spec.trials * (len(self.folds) + 1)

        def on_trial(number: int, point: Point, best: float) -> None:
            self._ledger.record(stage, number, point)
            if self._cancel.is_set():
                raise Cancelled("The search was stopped.", next_step="Ask for it again to go on from here.")
            now = time.monotonic()
            if now - self._told_at >= _TELL_EVERY_S or number == 1:
                self._told_at = now
                self._emit(SearchProgress(done=stage * spec.trials + number, total=total, stage=words, best=best))

        return search(
            self.values_at, self.dimensions, chosen, method=spec.method, trials=spec.trials, levels=spec.levels,
            seed=int(np.random.SeedSequence([spec.seed, stage]).generate_state(1)[0]),
            replay=self._ledger.points(stage), on_trial=on_trial,
        )  # fmt: skip


def _check(spec: TuningSpec) -> None:
    if not spec.parameters:
        raise BadInput("No parameter to search.", next_step="Name one at least.")
    if spec.trials < 2 or spec.levels < 2:
        raise BadInput("A search needs two trials and two levels at least.", next_step="Give a higher number.")
    if spec.folds == 1 or spec.folds < 0:
        raise BadInput(
            f"{spec.folds} folds leave nothing to fit on.",
            next_step="Give 2 or more, or 0 to leave one instance out at a time.",
        )


def _targets(data: TuningData, spec: TuningSpec) -> tuple[Target, Target | None, HumanRankings, HumanRankings]:
    """Return what is fitted to and, if it is something else, what is tested on, with the rankings of both sets."""
    human = data.everyone()
    known = set(human.scenarios.values())
    unknown = [name for name in spec.test_scenarios if name not in known]
    if unknown:
        raise BadInput(
            f"There is no scenario {', '.join(unknown)}.", next_step=f"There are: {', '.join(sorted(known - {''}))}."
        )
    inside, outside = human, human
    if spec.test_scenarios:
        inside = human.without(scenarios=spec.test_scenarios)
        outside = human.without(scenarios=(known | {""}) - set(spec.test_scenarios))
    fit = data.target(spec.fit_on, inside)
    if not fit.instance_ids:
        raise BadInput(
            f"There are no {spec.fit_on} to fit to: no instance has measured decks that people "
            + ("ranked, three or more of them." if spec.fit_on is Answers.RANKINGS else "compared."),
            next_step="Rank decks, or import rankings or pairs.",
        )
    if not spec.has_own_test_set:
        return fit, None, inside, outside
    test = data.target(spec.test_on, outside)
    if not test.instance_ids:
        raise BadInput(
            f"There are no {spec.test_on} to test on.", next_step="Choose another test set, or rank its decks."
        )
    return fit, test, inside, outside


def _result(
    run: _Fits, test_target: Target | None, fit_human: HumanRankings, test_human: HumanRankings
) -> TuningResult:
    spec, data = run.spec, run.data
    found = run.on_all()
    held_out, fold_results = run.out_of_sample()
    initial, inside = run.values_at(run.initial), run.values_at(found.point)
    optimum = run.parameters_at(found.point)
    test = None
    if test_target is not None:
        before, after = (test_target.values(run.scores_at(point)) for point in (run.initial, found.point))
        test = _set_result(spec, spec.test_on, test_target, before, after, data, optimum, test_human)
    # Where there is a test set of its own, the parameters are tested on it; else on what they were fitted to.
    judge = test_target or run.target
    result = TuningResult(
        start=spec.start,
        method=spec.method,
        trials=spec.trials,
        n_trials=found.n_trials,
        is_full_grid=found.is_full_grid,
        levels=spec.levels,
        n_folds=len(run.folds),
        leaves_one_out=len(run.folds) == len(held_out) and bool(run.folds),
        seed=spec.seed,
        resamples=spec.resamples,
        n_decks=len(data.deck_ids),
        n_pairs=len(data.pairs),
        n_undecided=data.n_undecided,
        initial=data.parameters,
        optimum=optimum,
        fit=_set_result(spec, spec.fit_on, run.target, initial, inside, data, optimum, fit_human),
        out_of_sample=bootstrap_mean(held_out, resamples=spec.resamples, seed=spec.seed) if run.folds else None,
        gap=compare_paired(inside, held_out, resamples=spec.resamples, seed=spec.seed) if run.folds else None,
        out_of_sample_gain=(
            compare_paired(held_out, initial, resamples=spec.resamples, seed=spec.seed) if run.folds else None
        ),
        by_instance_out_of_sample=named(run.target, held_out) if run.folds else {},
        test=test,
        parameters=_parameter_results(run, judge, found.point),
        folds=tuple(fold_results),
        has_sample_people=data.evidence.has_sample_people,
        warnings=(),
    )
    return replace(result, warnings=warnings_of(result))


def _set_result(
    spec: TuningSpec, answers: Answers, target: Target, before: FloatArray, after: FloatArray, data: TuningData,
    optimum: AestheticsParameters, human: HumanRankings,
) -> SetResult:  # fmt: skip
    is_ranking = answers is Answers.RANKINGS
    return SetResult(
        answers=answers,
        n_instances=len(target.instance_ids),
        initial=bootstrap_mean(before, resamples=spec.resamples, seed=spec.seed),
        optimum=bootstrap_mean(after, resamples=spec.resamples, seed=spec.seed),
        gain=compare_paired(after, before, resamples=spec.resamples, seed=spec.seed),
        initial_row=_row(data, data.parameters, human) if is_ranking else None,
        optimum_row=_row(data, optimum, human) if is_ranking else None,
        by_instance_initial=named(target, before),
        by_instance_optimum=named(target, after),
    )


def _row(data: TuningData, parameters: AestheticsParameters, human: HumanRankings) -> SumAlignment:
    """Return the row of the methods table that a metrics run with these parameters would get."""
    return weighted(component_table(human, {"aesthetics.total": data.totals(parameters)}), {"aesthetics.total": 1.0})


def _parameter_results(run: _Fits, judge: Target, best: Point) -> tuple[ParameterResult, ...]:
    is_fit = judge is run.target

    def values(point: Point) -> FloatArray:
        return run.values_at(point) if is_fit else judge.values(run.scores_at(point))

    at_initial, at_best = values(run.initial), values(best)
    alone, without = [], []
    for place, (initial, optimum) in enumerate(zip(run.initial, best, strict=True)):
        moved = (*run.initial[:place], optimum, *run.initial[place + 1 :])
        put_back = (*best[:place], initial, *best[place + 1 :])
        alone.append(compare_paired(values(moved), at_initial, resamples=run.spec.resamples, seed=run.spec.seed))
        without.append(compare_paired(at_best, values(put_back), resamples=run.spec.resamples, seed=run.spec.seed))
    p_alone = holm([each.p if each.p is not None else 1.0 for each in alone])
    p_without = holm([each.p if each.p is not None else 1.0 for each in without])
    found = []
    for place, dimension in enumerate(run.dimensions):
        levels = dimension.levels(PROFILE_LEVELS)
        means = profile(run.values_at, place, levels, best, run.everything)
        highest = max(*means, objective(run.values_at(best), run.everything))
        near = [level for level, mean in zip(levels, means, strict=True) if mean >= highest - NEAR]
        found.append(
            ParameterResult(
                name=run.spec.parameters[place][0],
                key=dimension.name,
                low=dimension.low,
                high=dimension.high,
                is_log=dimension.is_log,
                initial=run.initial[place],
                optimum=best[place],
                alone=alone[place],
                p_alone=p_alone[place] if alone[place].p is not None else None,
                without=without[place],
                p_without=p_without[place] if without[place].p is not None else None,
                near_low=min([*near, best[place]]),
                near_high=max([*near, best[place]]),
                near_share=len(near) / len(levels),
                profile=tuple(zip(levels, means, strict=True)),
            )
        )
    return tuple(found)
