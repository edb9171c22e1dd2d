"""Does an evaluator notice what was made worse on purpose, and from which degree on?

A ladder is a deck as it was and the same deck made worse by four degrees. A deck may have several, each made with other
chance; intervals over them then speak for this deck only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from studio.stats.correlation import MINIMUM_PAIRS, kendall_tau_b
from studio.stats.intervals import bootstrap_mean
from studio.stats.statistic import Reason

LEAST_LADDERS = 5
"""Below, four steps in a row downwards are too likely by chance."""
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

    @property
    def is_noticed(self) -> bool | None:
        """Whether the interval of tau lies above 0; None if fewer than five ladders have values to tell it from chance.

        The same value on every rung of five ladders or more is not noticing either.
        """
        if self.n_tau + self.n_constant < LEAST_LADDERS:
            return None
        return self.low is not None and self.low > 0 and 2 * self.n_tau > self.n_ladders

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
    defined = [each for each in taus if each is not None]
    mean = bootstrap_mean(defined, seed=seed)
    has_interval = len(defined) > 1
    return Noticing(
        n_ladders=len(by_origin), degrees=tuple(_degree(by_origin.values(), each) for each in _degrees(rungs)),
        tau=mean.mean, low=mean.low if has_interval else None, high=mean.high if has_interval else None,
        n_tau=len(defined), n_constant=n_constant, is_optimistic=mean.is_optimistic,
        undefined_reason=None if defined else (Reason.CONSTANT if n_constant else Reason.TOO_FEW),
    )  # fmt: skip


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
