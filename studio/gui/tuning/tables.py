"""The tables of the tuning window."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from studio.actions.ablation import AblationRow, short_name
from studio.actions.method_rows import figure, p_in_words
from studio.actions.tuning_result import ParameterResult
from studio.gui.widgets.table import Column, RowModel


class AblationModel(RowModel[AblationRow]):
    """Every subset of the components (the paper's table 5)."""

    def __init__(self, parent: QObject | None = None) -> None:
        self._all: tuple[str, ...] = ()
        columns = [
            Column(title="Components", value=lambda row: len(row.alignment.components), text=self._names,
                   tip=_tip_names, is_strong=True),
            Column(title="mean ρ", value=lambda row: row.alignment.mean_rho,
                   text=lambda row: figure(row.alignment.mean_rho, 3), reason=_reason, is_number=True,
                   is_strong=True, width=74),
            Column(title="std", value=lambda row: row.alignment.std_rho,
                   text=lambda row: figure(row.alignment.std_rho, 3), reason=_reason, is_number=True, width=64),
            Column(title="identical %", value=lambda row: row.alignment.identical,
                   text=lambda row: figure(100 * row.alignment.identical, 1), reason=_reason, is_number=True,
                   width=98),
            Column(title="defined", value=lambda row: row.alignment.n_defined,
                   text=lambda row: f"{row.alignment.n_defined:,} / {row.alignment.n_total:,}",
                   tip=_undefined, is_number=True, width=84),
            Column(title="Δ to all", value=lambda row: row.against_all.difference if row.against_all else None,
                   text=lambda row: signed(row.against_all.difference), reason=_no_difference, tip=_difference,
                   is_number=True, width=76),
            Column(title="p", value=lambda row: row.p_holm, text=lambda row: p_in_words(row.p_holm),
                   reason=_no_difference, tip=_difference, is_number=True, width=60),
        ]  # fmt: skip
        super().__init__(columns, parent, key=lambda row: row.alignment.components)

    def set_rows(self, rows: Sequence[AblationRow]) -> None:
        """Show these rows; the largest subset is all components."""
        self._all = max((row.alignment.components for row in rows), key=len, default=())
        super().set_rows(rows)

    def _names(self, row: AblationRow) -> str:
        components = row.alignment.components
        if len(components) == len(self._all) > 2:
            return f"All {len(components)}"
        if len(components) == len(self._all) - 1 > 2:
            (left_out,) = set(self._all) - set(components)
            return f"All but {short_name(left_out)}"
        return _tip_names(row)


PUT_BACK = 5
"""The column that a narrow window leaves out."""


class ParameterModel(RowModel[ParameterResult]):
    """Each parameter before and after (the paper's table 13)."""

    def __init__(self, parent: QObject | None = None) -> None:
        columns = [
            Column(title="Parameter", value=lambda row: row.key, tip=lambda row: row.name, is_strong=True),
            Column(title="initial", value=lambda row: row.initial, text=lambda row: f"{row.initial:.4g}",
                   is_number=True, width=72),
            Column(title="optimum", value=lambda row: row.optimum, text=lambda row: f"{row.optimum:.4g}",
                   tip=_range, tone=lambda row: "warn" if row.is_at_border else "", is_number=True, is_strong=True,
                   width=82),
            Column(title="Δρ", value=lambda row: row.alone.difference, text=lambda row: signed(row.alone.difference),
                   reason=_no_rho, tip=_alone, is_number=True, width=70),
            Column(title="p", value=lambda row: row.p_alone, text=lambda row: p_in_words(row.p_alone),
                   reason=_no_rho, tip=_alone, is_number=True, width=60),
            Column(title="Δρ put back", value=_put_back, text=lambda row: signed(_put_back(row)), reason=_no_rho,
                   tip=_without, is_number=True, width=106),
            Column(title="as good", value=lambda row: row.near_share,
                   text=lambda row: f"{row.near_low:.3g} … {row.near_high:.3g}", tip=_near,
                   tone=lambda row: "warn" if row.is_flat else "", is_number=True, width=112),
        ]  # fmt: skip
        super().__init__(columns, parent, key=lambda row: row.key)


def signed(value: float | None, digits: int = 3) -> str:
    """Return a difference with its sign, "+0.012" or "−0.012"."""
    if value is None:
        return "–"
    words = figure(value, digits)
    return words if words.startswith("−") or not float(words) else f"+{words}"


def _tip_names(row: AblationRow) -> str:
    return " + ".join(short_name(name) for name in row.alignment.components)


def _reason(row: AblationRow) -> str:
    words = {"constant": "every deck gets the same value", "too_few": "fewer than three decks have all of these"}
    return words.get(row.alignment.undefined_reason or "", "no ranked instance")


def _undefined(row: AblationRow) -> str:
    item = row.alignment
    return (
        f"{item.n_defined:,} of {item.n_total:,} ranked instances; "
        f"{item.undefined['too_few']:,} with too few decks, {item.undefined['constant']:,} constant"
    )


def _no_difference(row: AblationRow) -> str:
    return "This is all of them" if row.against_all is None else "No instance where both have a ρ"


def _difference(row: AblationRow) -> str:
    each = row.against_all
    if each is None or each.low is None:
        return _no_difference(row)
    return (
        f"95 % interval {signed(each.low)} … {signed(each.high)} over {each.n:,} instances\n"
        f"p {p_in_words(each.p)} by sign flips, {p_in_words(row.p_holm)} adjusted by Holm's rule"
    )


def _no_rho(_row: ParameterResult) -> str:
    return "No instance has a value on both sides"


def _put_back(row: ParameterResult) -> float | None:
    return None if row.without.difference is None else -row.without.difference


def _range(row: ParameterResult) -> str:
    words = f"searched from {row.low:.4g} to {row.high:.4g}{' by logarithm' if row.is_log else ''}"
    return f"{words}\nThe optimum lies at an end: a wider range may do better" if row.is_at_border else words


def _alone(row: ParameterResult) -> str:
    each = row.alone
    return (
        "This parameter moved alone, everything else as at the start\n"
        f"95 % interval {signed(each.low)} … {signed(each.high)} over {each.n:,} instances\n"
        f"p {p_in_words(each.p)} by sign flips, {p_in_words(row.p_alone)} adjusted by Holm's rule"
    )


def _without(row: ParameterResult) -> str:
    return (
        f"This parameter put back to {row.initial:.4g}, everything else at the optimum\np {p_in_words(row.p_without)}"
    )


def _near(row: ParameterResult) -> str:
    words = f"Within 0.01 of the best mean: {100 * row.near_share:.0f} % of the range"
    return f"{words}. The optimum is flat: this value means little" if row.is_flat else words
