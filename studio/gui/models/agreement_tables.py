"""The tables of the Agreement page: coefficients, annotators, instances or items, and the consensus of an instance."""

from __future__ import annotations

from PySide6.QtCore import QObject

from studio.actions.agreement import AgreementRow
from studio.actions.agreement_view import AgreementItem, title_of, who_in_short, who_in_words
from studio.actions.annotator_report import AnnotatorReport
from studio.actions.consensus import ConsensusDeck
from studio.actions.definitions import DEFINITIONS
from studio.actions.figures import figure, interval_in_words, percent
from studio.actions.method_rows import REASONS
from studio.gui.widgets.table import Column, RowModel

LEVEL, KNOWN, SELF, CIRCLES = 2, 5, 6, 7
"""Columns that a narrow window does without."""
COEFFICIENT = 0
"""The column of a coefficient's name."""


class CoefficientTable(RowModel[AgreementRow]):
    """One row for each number about everybody."""

    def __init__(self, parent: QObject | None = None) -> None:
        columns = [
            Column(title="Coefficient", value=title_of, is_strong=True,
                   tip=lambda row: f"{title_of(row)}\n{DEFINITIONS.get(row.metric, '')}", width=176),
            Column(title="between", value=who_in_short, tip=who_in_words),
            Column(title="level", value=lambda row: row.level.value, width=76),
            Column(title="value", value=lambda row: row.value, text=lambda row: figure(row.value, 3),
                   reason=_reason, is_number=True, is_strong=True, width=76),
            Column(title="95 % interval", value=lambda row: row.ci_low,
                   text=lambda row: interval_in_words(row.ci_low, row.ci_high),
                   tip=lambda _row: "Percentile bootstrap over instances",
                   reason=lambda row: _reason(row) or "No interval for this coefficient", is_number=True, width=116),
            Column(title="n", value=lambda row: row.n, text=lambda row: f"{row.n:,}", tip=_n_tip, is_number=True,
                   width=50),
        ]  # fmt: skip
        super().__init__(columns, parent, key=lambda row: (row.metric, row.level, row.who_b, row.about))


class AnnotatorTable(RowModel[AnnotatorReport]):
    """One row for each annotator."""

    def __init__(self, parent: QObject | None = None) -> None:
        columns = [
            Column(title="Annotator", value=lambda row: row.name, is_strong=True, tip=_person_tip),
            Column(title="done", value=lambda row: row.n_instances, text=lambda row: f"{row.n_instances:,}",
                   tip=lambda row: f"{row.n_instances:,} instances answered", is_number=True, width=56),
            Column(title="ρ with others", value=lambda row: row.rho, text=lambda row: figure(row.rho),
                   tip=lambda row: f"Mean Spearman's ρ with the mean of the others, {row.n_rho:,} instances",
                   reason=lambda _row: "No instance that others answered too", is_number=True, width=104),
            Column(title="distance", value=lambda row: row.distance, text=lambda row: figure(row.distance),
                   tip=lambda _row: "Mean places between this person's ranks and those of the others' mean",
                   reason=lambda _row: "Nobody else answered the same", is_number=True, width=76),
            Column(title="time, s", value=lambda row: row.seconds, text=lambda row: figure(row.seconds, 0),
                   tip=lambda _row: "Median active seconds on an instance",
                   reason=lambda _row: "The answers came without times", is_number=True, width=66),
            Column(title="known", value=lambda row: _share(row.gold_right + row.attention_right,
                                                           row.gold + row.attention),
                   text=lambda row: f"{row.gold_right + row.attention_right} / {row.gold + row.attention}",
                   tip=lambda row: f"Gold {row.gold_right} of {row.gold}, attention {row.attention_right} of "
                   f"{row.attention} answered as known",
                   reason=lambda _row: "Nothing with a known answer was asked", is_number=True, width=66),
            Column(title="self", value=lambda row: row.self_agreement, text=lambda row: percent(row.self_agreement),
                   tip=lambda row: f"Percent of {row.n_repeats:,} repeats answered as before",
                   reason=lambda _row: "Nothing was asked again", is_number=True, width=58),
            Column(title="circles", value=lambda row: row.consistency,
                   text=lambda row: percent(None if row.consistency is None else 1 - row.consistency),
                   tip=lambda row: f"Percent of {row.n_triads:,} triads of pairs that go in a circle; 25 by chance",
                   reason=lambda _row: "Only pairwise answers can go in circles", is_number=True, width=64),
        ]  # fmt: skip
        super().__init__(columns, parent, key=lambda row: row.annotator_id)


class ItemTable(RowModel[AgreementItem]):
    """One row for each instance, or for each checklist item."""

    def __init__(self, parent: QObject | None = None) -> None:
        self.is_by_item = False
        columns = [
            Column(title="Instance", value=lambda row: row.title, is_strong=True),
            Column(title="people", value=lambda row: row.n, text=lambda row: f"{row.n:,}", is_number=True, width=68),
            Column(title="couples ρ", value=lambda row: row.value, text=lambda row: figure(row.value),
                   reason=lambda row: row.reason, is_number=True, is_strong=True, width=84),
            Column(title="with others ρ", value=lambda row: row.second, text=self._second,
                   reason=lambda row: row.reason, is_number=True, width=122),
        ]  # fmt: skip
        super().__init__(columns, parent, key=lambda row: row.key)

    def set_items(self, items: tuple[AgreementItem, ...], *, is_by_item: bool) -> None:
        """Show instances, or checklist items with their own coefficients."""
        self.is_by_item = is_by_item
        self.set_rows(items)

    def headerData(self, section: int, orientation: object, role: int = 0) -> object:  # @override
        found = super().headerData(section, orientation, role)  # type: ignore[arg-type]
        words = {"Instance": "Item", "people": "couples", "couples ρ": "α", "with others ρ": "same, %"}
        return words.get(found, found) if self.is_by_item and isinstance(found, str) else found

    def _second(self, row: AgreementItem) -> str:
        return percent(row.second) if self.is_by_item else figure(row.second)


class ConsensusTable(RowModel[ConsensusDeck]):
    """The decks of one instance in the consensus of the people."""

    def __init__(self, parent: QObject | None = None) -> None:
        columns = [
            Column(title="System", value=lambda row: row.system, is_strong=True),
            Column(title="mean rank", value=lambda row: row.mean_rank, text=lambda row: figure(row.mean_rank),
                   reason=lambda _row: "Nobody ranked it", tip=_mean_tip, is_number=True, width=100),
            Column(title="Kemeny", value=lambda row: row.kemeny_rank, text=lambda row: figure(row.kemeny_rank, 1),
                   reason=lambda _row: "More than eight decks: not every order can be tried",
                   tip=lambda _row: "Rank in the order that the rankings contradict least; the mean over all such",
                   is_number=True, width=74),
            Column(title="strength", value=lambda row: row.strength, text=lambda row: figure(row.strength),
                   reason=lambda _row: "The decks were never compared with each other",
                   tip=lambda _row: "Natural-log strength, mean 0", is_number=True, width=78),
            Column(title="people", value=lambda row: row.n, is_number=True, width=74),
        ]  # fmt: skip
        super().__init__(columns, parent, key=lambda row: row.deck_id)


def _reason(row: AgreementRow) -> str:
    return REASONS.get(row.undefined_reason or "", row.undefined_reason or "")


def _n_tip(row: AgreementRow) -> str:
    return f"{row.n:,} behind the number: instances, or cases with two answers at the level pooled"


def _share(right: int, of: int) -> float | None:
    return right / of if of else None


def _person_tip(row: AnnotatorReport) -> str:
    return "\n".join(filter(None, [row.name, row.group, "invented sample person" if row.is_sample else ""]))


def _mean_tip(row: ConsensusDeck) -> str:
    value = "" if row.mean_value is None else f"\nmean value {figure(row.mean_value)}"
    return f"Mean of {row.n:,} people's mid-ranks{value}"
