"""Does an evaluator notice what was made worse on purpose, and from which degree on?

A ladder is a deck as it was and the same deck made worse by four degrees. A deck may have several, each made with other
chance; intervals over them then speak for this deck only.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from studio.stats.correlation import MINIMUM_PAIRS, kendall_tau_b
from studio.stats.intervals import bootstrap_mean, holm
from studio.stats.statistic import Reason

ALPHA = 0.05
"""Of the whole table."""
_SAME = 1e-9
"""Of the larger of two values: smaller differences come from floating point."""


@dataclass(frozen=True, kw_only=True)
class Rung:
    """One value on one rung of a ladder."""

    origin: str
    """Which ladder: the deck as it was, and which time it was made worse."""
    degree: int
    """0: as it was; 1 to 4: worse and worse."""
    value: float | None
    """Higher is better; None where the evaluator gives none."""


@dataclass(frozen=True, kw_only=True)
class DegreeNoticed:
    """One degree against the decks as they were."""

    degree: int
    n: int
    """Ladders with a value on both rungs."""
    lower: int
    """Ladders whose value fell."""
    higher: int
    same: int
    mean_change: float | None
    """Mean of value − value of the deck as it was, in the evaluator's unit; None without ladders."""
    p: float | None
    """Exact one-sided sign test of falling against rising; None if no value changed."""

    @property
    def signed_share(self) -> float | None:
        """Share of ladders that fell minus share that rose, −1 to 1; None without ladders."""
        return (self.lower - self.higher) / self.n if self.n else None


@dataclass(frozen=True, kw_only=True)
class Noticing:
    """What an evaluator notices of one kind of defect."""

    n_ladders: int
    degrees: tuple[DegreeNoticed, ...]
    tau: float | None
    """Mean over ladders of Kendall's tau-b of value and −degree within the ladder, −1 to 1; 1 sees every step."""
    low: float | None
    """95 % bootstrap interval over ladders; None below two."""
    high: float | None
    n_tau: int
    """Ladders with a tau."""
    n_constant: int
    """Ladders all of whose rungs have the same value."""
    undefined_reason: str | None
    """``constant`` or ``too_few`` where there is no tau."""
    is_optimistic: bool
    """The interval rests on fewer than ten ladders."""

    p: float | None
    """Exact and one-sided, see `fall_p`; None if no value changed anywhere."""
    least_p: float | None
    """What p would be had every ladder fallen as far as it can."""
    p_holm: float | None = None
    """p corrected for all cells of a table; None for a cell that was looked at alone."""
    n_cells: int = 1
    """Cells with a p in the table."""

    @property
    def is_noticed(self) -> bool | None:
        """Whether the values fall more than chance explains (corrected p below 0.05), or None if it cannot be told.

        It cannot if not even falls at every step could have passed. The same value everywhere is not noticing.
        """
        if self.p is None or self.least_p is None:
            return False if self.n_constant else None
        if self.n_cells * self.least_p >= ALPHA:
            return None
        return (self.p if self.p_holm is None else self.p_holm) < ALPHA

    @property
    def from_degree(self) -> int | None:
        """The lowest degree from which on more than half of the ladders fall, at all higher degrees too; or None."""
        found = None
        for each in sorted(self.degrees, key=lambda one: -one.degree):
            if each.n == 0 or 2 * each.lower <= each.n:
                break
            found = each.degree
        return found


def noticing(rungs: Sequence[Rung], *, seed: int = 0) -> Noticing:
    """Return what one evaluator notices of one kind of defect.

    Args:
        rungs: of all ladders; a rung without a value is left out, and a ladder without its value of degree 0 counts
            for the correlation only.
        seed: of the bootstrap.
    """
    by_origin: dict[str, dict[int, float | None]] = {}
    for each in rungs:
        by_origin.setdefault(each.origin, {})[each.degree] = each.value
    taus: list[float | None] = []
    n_constant = 0
    for ladder in by_origin.values():
        there = {degree: value for degree, value in ladder.items() if value is not None}
        found = kendall_tau_b(list(there.values()), [-degree for degree in there])
        n_constant += found.undefined_reason == Reason.CONSTANT and len(there) >= MINIMUM_PAIRS
        taus.append(found.value)
    p, least = fall_p(by_origin.values())
    defined = [each for each in taus if each is not None]
    mean = bootstrap_mean(defined, seed=seed)
    has_interval = len(defined) > 1
    return Noticing(
        n_ladders=len(by_origin), degrees=tuple(_degree(by_origin.values(), each) for each in _degrees(rungs)),
        tau=mean.mean, low=mean.low if has_interval else None, high=mean.high if has_interval else None,
        n_tau=len(defined), n_constant=n_constant, is_optimistic=mean.is_optimistic,
        undefined_reason=None if defined else (Reason.CONSTANT if n_constant else Reason.TOO_FEW),
        p=p, least_p=least,
    )  # fmt: skip


def corrected(cells: Sequence[Noticing]) -> list[Noticing]:
    """Return the cells of one table with p-values corrected by Holm's rule; cells without one do not count."""
    adjusted = iter(holm([each.p for each in cells if each.p is not None]))
    n = sum(each.p is not None for each in cells)
    return [each if each.p is None else replace(each, p_holm=next(adjusted), n_cells=n) for each in cells]


def fall_p(ladders: Iterable[Mapping[int, float | None]]) -> tuple[float | None, float | None]:
    """Return how likely values would fall as much by chance, and how likely the furthest fall there could be.

    If an evaluator is blind to a defect, what was done makes its value rise as often as fall: each rung's difference
    from its own deck has a free sign, its size being as it is. Fallen is measured by Kendall's S within each ladder,
    the deck as it was included, summed over ladders (as for seasons: Hirsch, Slack and Smith 1982, equation 2). All
    signs of a ladder are tried and the distributions of ladders added, so p is exact. Rungs, not decks, are what
    chance drew: p speaks for the decks at hand.

    Args:
        ladders: degree → value; ladders without a value at degree 0 say nothing here.

    Returns:
        Both None if no value changed.
    """
    whole = np.ones(1)
    lowest = seen = 0
    best = 1.0
    for ladder in ladders:
        start = ladder.get(0)
        there = sorted((degree, value) for degree, value in ladder.items() if degree > 0 and value is not None)
        if start is None or not there:
            continue
        size = [abs(value - start) for _, value in there]
        size = [0.0 if each <= _SAME * max(abs(start), abs(value)) else each
                for each, (_, value) in zip(size, there, strict=True)]  # fmt: skip
        if not any(size):
            continue
        own = [_fallen([0.0, *(sign * each for sign, each in zip(signs, size, strict=True))])
               for signs in itertools.product((-1, 1), repeat=len(size))]  # fmt: skip
        floor = min(own)
        shares = np.bincount(np.array(own) - floor) / len(own)
        whole = np.convolve(whole, shares)
        lowest += floor
        best *= float(shares[-1])
        seen += _fallen([0.0, *(np.sign(value - start) * each for each, (_, value) in zip(size, there, strict=True))])
    if best == 1.0:
        return None, None
    return min(1.0, float(whole[seen - lowest :].sum())), best


def _fallen(values: Sequence[float]) -> int:
    """Return Kendall's S of falling: pairs of rungs whose later value is lower less pairs whose later one is higher."""
    return sum(int(np.sign(one - other)) for one, other in itertools.combinations(values, 2))


def _degrees(rungs: Sequence[Rung]) -> list[int]:
    return sorted({each.degree for each in rungs if each.degree > 0})


def _degree(ladders: Iterable[Mapping[int, float | None]], degree: int) -> DegreeNoticed:
    changes = []
    for ladder in ladders:
        before, after = ladder.get(0), ladder.get(degree)
        if before is not None and after is not None:
            changes.append(0.0 if abs(after - before) <= _SAME * max(abs(after), abs(before)) else after - before)
    lower, higher = sum(each < 0 for each in changes), sum(each > 0 for each in changes)
    return DegreeNoticed(
        degree=degree, n=len(changes), lower=lower, higher=higher, same=len(changes) - lower - higher,
        mean_change=sum(changes) / len(changes) if changes else None, p=_sign_p(lower, higher),
    )  # fmt: skip


def _sign_p(lower: int, higher: int) -> float | None:
    if lower + higher == 0:
        return None
    from scipy import stats

    return float(stats.binomtest(lower, lower + higher, 0.5, alternative="greater").pvalue)
