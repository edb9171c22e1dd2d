"""Looking for the point at which a mean over instances is highest, by grid or by Bayesian optimisation."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import BadInput
from studio.stats.statistic import FloatArray

Point = tuple[float, ...]
"""One value for each dimension, in their order."""
Evaluate = Callable[[Point], FloatArray]
"""Returns the value of each instance at a point, NaN where it is undefined."""
OnTrial = Callable[[int, Point, float], None]
"""Told after each trial: its number from 1, the point, and the best mean so far. May raise to stop the search."""
GAIN = 1e-12
"""What a point must be better by, so that rounding never moves the optimum."""


class Method(StrEnum):
    """How points are chosen."""

    GRID = "grid"
    BAYES = "bayes"


@dataclass(frozen=True, kw_only=True)
class Dimension:
    """One parameter that is searched over."""

    name: str
    low: float
    high: float
    initial: float
    is_log: bool = False

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise BadInput(
                f"{self.name} has the range {self.low} to {self.high}.", next_step="Give the lower end first."
            )
        if self.is_log and self.low <= 0:
            raise BadInput(
                f"{self.name} is searched by its logarithm from {self.low}.", next_step="Give a range above 0."
            )

    def levels(self, n: int) -> list[float]:
        """Return n values from low to high, evenly spaced (by their logarithm where that is asked for)."""
        space = np.geomspace if self.is_log else np.linspace
        return [float(min(self.high, max(self.low, each))) for each in space(self.low, self.high, n)]


@dataclass(frozen=True, kw_only=True)
class Found:
    """Where a search ended."""

    point: Point
    value: float
    """Mean over the instances searched on; an instance that the point leaves undefined counts 0."""
    n_trials: int
    is_full_grid: bool | None
    """Whether every combination was tried; None for a Bayesian search."""


def objective(values: FloatArray, chosen: NDArray[np.bool_]) -> float:
    """Return the mean over the chosen instances; undefined counts 0, so that nothing is won by leaving one out."""
    return math.fsum(np.nan_to_num(values[chosen])) / int(chosen.sum())


def search(
    evaluate: Evaluate,
    dimensions: Sequence[Dimension],
    chosen: NDArray[np.bool_],
    *,
    method: Method,
    trials: int,
    levels: int = 7,
    seed: int = 0,
    replay: Sequence[Point] = (),
    on_trial: OnTrial | None = None,
) -> Found:
    """Return the best point; the initial one is tried first and stays unless another is better.

    A grid takes every combination of levels where these are no more than `trials`; otherwise it moves along one
    dimension at a time, again and again, until nothing gets better. The Bayesian search is Optuna's TPE with all
    dimensions together; each trial has a random state of its own from the seed, so that a search that is taken up
    again from `replay` ends where an uninterrupted one does.

    Args:
        evaluate: gives the value of each instance at a point.
        dimensions: what is searched over.
        chosen: (instances,) those that the mean is over; at least one.
        method: grid or Bayesian.
        trials: points to try at most, with the initial one.
        levels: values of each dimension on a grid.
        seed: of the Bayesian search.
        replay: points of an earlier, interrupted search in the order in which they were tried.
        on_trial: told after each trial.
    """
    if not dimensions or not chosen.any() or trials < 1:
        raise ValueError("a search needs a dimension, an instance and a trial")
    run = _Run(evaluate, chosen, replay, on_trial)
    start = tuple(dimension.initial for dimension in dimensions)
    is_full: bool | None = None
    if method is Method.BAYES:
        _bayes(run, dimensions, start, trials, seed)
    else:
        is_full = levels ** len(dimensions) < trials
        run.at(start)
        if is_full:
            for point in itertools.product(*(each.levels(levels) for each in dimensions)):
                run.at(point)
        else:
            _along_each(run, dimensions, start, trials, levels)
    return Found(point=run.best, value=run.value, n_trials=run.n, is_full_grid=is_full)


def folds(n: int, k: int, *, seed: int) -> list[NDArray[np.int64]]:
    """Return k parts of the numbers 0 … n − 1, shuffled by the seed; n parts of one each if k is n or more."""
    if k >= n:
        return [np.array([number]) for number in range(n)]
    return [np.sort(part) for part in np.array_split(np.random.default_rng(seed).permutation(n), k)]


def profile(
    evaluate: Evaluate, dimension: int, levels: Sequence[float], at: Point, chosen: NDArray[np.bool_]
) -> list[float]:
    """Return the mean at each level of one dimension, the others as they are at a point."""
    return [
        objective(evaluate((*at[:dimension], level, *at[dimension + 1 :])), chosen) for level in levels
    ]  # fmt: skip


class _Run:
    """Tries points, keeps the best, and takes the first ones from an earlier run."""

    def __init__(
        self, evaluate: Evaluate, chosen: NDArray[np.bool_], replay: Sequence[Point], on_trial: OnTrial | None
    ) -> None:
        self._evaluate, self._chosen, self._on_trial = evaluate, chosen, on_trial
        self.replay = tuple(replay)
        self.n = 0
        self.best: Point = ()
        self.value = -math.inf

    def at(self, point: Point) -> float:
        """Try a point and return its mean."""
        value = objective(self._evaluate(point), self._chosen)
        self.n += 1
        if value > self.value + GAIN or not self.best:
            self.best, self.value = point, value
        if self._on_trial is not None:
            self._on_trial(self.n, point, self.value)
        return value


def _along_each(run: _Run, dimensions: Sequence[Dimension], start: Point, trials: int, levels: int) -> None:
    tried = {start}
    while True:
        before = run.value
        for place, dimension in enumerate(dimensions):
            base = run.best
            for level in dimension.levels(levels):
                point = (*base[:place], level, *base[place + 1 :])
                if point in tried:
                    continue
                if run.n >= trials:
                    return
                tried.add(point)
                run.at(point)
        if run.value <= before + GAIN:
            return


def _bayes(run: _Run, dimensions: Sequence[Dimension], start: Point, trials: int, seed: int) -> None:
    optuna = _optuna()
    ranges = {
        each.name: optuna.distributions.FloatDistribution(each.low, each.high, log=each.is_log) for each in dimensions
    }
    study = optuna.create_study(direction="maximize")
    for number, point in enumerate(_points(run, study, ranges, dimensions, start, trials, seed)):
        value = run.at(point)
        inside = all(each.low <= at <= each.high for each, at in zip(dimensions, point, strict=True))
        if number or inside:  # a start outside the ranges is tried, but nothing can be learnt from it
            params = dict(zip(ranges, point, strict=True))
            study.add_trial(optuna.trial.create_trial(params=params, distributions=ranges, value=value))


def _points(
    run: _Run, study: Any, ranges: dict[str, Any], dimensions: Sequence[Dimension], start: Point, trials: int, seed: int
) -> Iterator[Point]:
    optuna = _optuna()
    yield start
    for number in range(1, trials):
        if number < len(run.replay):
            yield run.replay[number]
            continue
        # A state for each trial, and not one for the search: what is drawn then depends on the trials before only.
        state = int(np.random.SeedSequence([seed, number]).generate_state(1)[0])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            sampler = optuna.samplers.TPESampler(seed=state, multivariate=True, n_startup_trials=STARTUP_TRIALS)
        asking = optuna.create_study(direction="maximize", sampler=sampler)
        asking.add_trials(study.get_trials(deepcopy=False))
        asked = asking.ask(ranges)
        yield tuple(float(asked.params[each.name]) for each in dimensions)


STARTUP_TRIALS = 10
"""Random points before the Bayesian search begins to learn."""


def _optuna() -> Any:
    try:
        import optuna
    except ImportError as error:
        raise BadInput(
            "The Bayesian search needs the package optuna, which is not installed.",
            next_step="Install optuna, or search by grid.",
        ) from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna
