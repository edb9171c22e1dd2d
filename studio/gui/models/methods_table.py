"""The methods table: how well each method agrees with the people, and the people last."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from studio.actions.figures import figure, interval_in_words, p_in_words, percent
from studio.actions.method_rows import LEVEL_WORDS, MethodRow, MethodsView
from studio.gui import theme
from studio.gui.plots.interval import draw_interval, scale_of
from studio.gui.widgets.badge import HEIGHT_PX, draw_badge, shown_text
from studio.gui.widgets.table import ROW_ROLE, Column, RowDelegate, RowModel
from studio.stats.levels import Level

METHOD, INTERVAL, STD, IDENTICAL, TAU, CHANGE = 0, 1, 3, 4, 7, 8
INTERVAL_TITLE = "95 % interval, dashed: people"

_HEAD_TIPS = {
    INTERVAL_TITLE: "Percentile bootstrap over instances; the line ends at 1, a tick marks 0.\n"
    "Dashed: the human ceiling, each annotator against the mean of the others",
    "mean ρ": "Spearman's rank correlation with the mean human rank; 1 is the same order",
    "std": "Population standard deviation of the values behind the mean",
    "identical %": "Decks that both sides give the same place",
    "defined": "Instances that the number rests on, of those with a submitted ranking",
    "mean τ": "Kendall's τ-b at the same level",
    "change": "ρ with what is left out minus ρ with everything",
    "paired p": "Two-sided sign-flip test of the difference in ρ per instance, whatever the level",
}


class MethodsTable(RowModel[MethodRow]):
    """Rows of a `MethodsView`. Sorting leaves the people at the end."""

    def __init__(self, parent: QObject | None = None) -> None:
        self._view: MethodsView | None = None
        self._whole: MethodsView | None = None
        columns = [
            Column(title="Method", value=lambda row: row.title, is_strong=True, tip=self._method_tip),
            Column(title=INTERVAL_TITLE, value=lambda row: row.mean_rho,
                   text=lambda _row: "", tip=self._interval_tip, reason=self._interval_tip, width=260),
            Column(title="mean ρ", value=lambda row: row.mean_rho, text=lambda row: figure(row.mean_rho),
                   reason=lambda row: row.reason, tip=self._interval_tip, is_number=True, is_strong=True, width=84),
            Column(title="std", value=lambda row: row.std_rho, text=lambda row: figure(row.std_rho),
                   reason=self._no_std, is_number=True, width=72),
            Column(title="identical %", value=lambda row: row.identical,
                   text=lambda row: percent(row.identical),
                   reason=lambda row: row.reason or "No instance with three shared decks",
                   tip=_identical_tip, is_number=True, width=100),
            Column(title="defined", value=lambda row: row.n_defined,
                   text=lambda row: f"{row.n_defined:,} / {row.n_total:,}", tip=_defined_tip,
                   tone=lambda row: "warn" if row.n_defined < row.n_total else "", is_number=True, width=92),
            Column(title="paired p", value=lambda row: row.paired.p if row.paired is not None else None,
                   text=lambda row: p_in_words(row.paired.p), reason=self._no_p, tip=_paired_tip, is_number=True,
                   width=84),
            Column(title="mean τ", value=_tau, text=lambda row: figure(_tau(row)),
                   reason=lambda row: "People are compared by ρ" if row.is_people else row.reason, is_number=True,
                   width=72),
            Column(title="change", value=self._change, text=self._change_in_words, tip=self._change_tip,
                   reason=lambda _row: "Undefined with or without what is left out", is_number=True, width=76),
        ]  # fmt: skip
        super().__init__(columns, parent, key=lambda row: row.name)

    def set_view(self, view: MethodsView, whole: MethodsView | None = None) -> None:
        """Show another state of the table.

        Args:
            view: the rows.
            whole: the rows with nothing left out, for a what-if.
        """
        self._view, self._whole = view, whole
        self.set_rows(view.rows)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # @override
        if orientation == Qt.Orientation.Horizontal and 0 <= section < len(self.columns):
            title = self.columns[section].title
            if role == Qt.ItemDataRole.ToolTipRole:
                return _HEAD_TIPS.get(title)
            if role == Qt.ItemDataRole.DisplayRole and self._is_one_correlation:
                return {INTERVAL_TITLE: "95 % interval", "mean ρ": "ρ", "mean τ": "τ"}.get(title, title)
        return super().headerData(section, orientation, role)

    @property
    def scale(self) -> tuple[float, float]:
        """The ends of the interval column's scale."""
        values = [value for row in self._rows for value in (row.mean_rho, row.ci_low)]
        return scale_of([*values, self.ceiling])

    @property
    def ceiling(self) -> float | None:
        """The human ceiling to draw; None at levels where it would not be comparable."""
        if self._view is None or self._is_one_correlation:
            return None
        return self._view.table.ceilings.leave_one_out

    @property
    def _is_one_correlation(self) -> bool:
        """Whether a number is one correlation over everything and not a mean over instances."""
        return self._view is not None and self._view.table.level in (Level.SYSTEM, Level.POOLED)

    @property
    def pairwise(self) -> float | None:
        """The mean agreement of two single annotators."""
        return self._view.table.ceilings.pairwise_mean if self._view is not None else None

    def _sort_rows(self) -> None:
        super()._sort_rows()
        self._rows.sort(key=lambda row: row.is_people)

    def _method_tip(self, row: MethodRow) -> str:
        if row.is_people:
            return (
                "Each annotator against the mean rank of the others, per instance.\n"
                f"Single annotators against each other (pairwise): ρ {figure(self.pairwise)}."
            )
        return "\n".join([row.name, *row.cautions, f"ρ {row.levels_in_words}"])

    def _interval_tip(self, row: MethodRow) -> str:
        if row.mean_rho is None:
            return "\n".join(filter(None, [row.reason, row.undefined_in_words]))
        words = [f"{'ρ' if self._is_one_correlation else 'mean ρ'} {figure(row.mean_rho)}"]
        if row.ci_low is not None:
            words.append(
                f"95 % interval {interval_in_words(row.ci_low, row.ci_high)}: percentile bootstrap over instances"
            )
        if row.alignment is not None:
            words[-1] += f", {row.alignment.resamples:,} resamples, seed {row.alignment.seed}"
        if self._view is not None:
            words.append(f"Human ceiling, leave one out: {figure(self._view.table.ceilings.leave_one_out)}")
            level = self._view.table.level
            if self._is_one_correlation:
                words.append(f"The ceiling is per instance and not drawn beside a number {LEVEL_WORDS[level]}.")
        return "\n".join([*words, *row.cautions])

    def _change(self, row: MethodRow) -> float | None:
        before = self._whole.row(row.name) if self._whole is not None else None
        if before is None or before.mean_rho is None or row.mean_rho is None:
            return None
        return row.mean_rho - before.mean_rho

    def _change_in_words(self, row: MethodRow) -> str:
        words = figure(self._change(row), 3)
        return f"+{words}" if (self._change(row) or 0) > 0 and float(words) else words

    def _change_tip(self, row: MethodRow) -> str:
        before = self._whole.row(row.name) if self._whole is not None else None
        return "" if before is None else f"ρ {figure(before.mean_rho, 3)} with nothing left out"

    def _no_std(self, row: MethodRow) -> str:
        if self._is_one_correlation and not row.is_people:
            return "One correlation has no spread; see the interval."
        return row.reason

    def _no_p(self, row: MethodRow) -> str:
        if row.is_people:
            return "People are not tested against a method."
        if row.paired is None:
            return "The other methods are compared with this one."
        return "No instance where both have a ρ"


def _tau(row: MethodRow) -> float | None:
    return row.alignment.mean_tau if row.alignment is not None else None


def _identical_tip(row: MethodRow) -> str:
    chance = row.alignment.chance_identical if row.alignment is not None else None
    expected = f"; by chance {percent(chance)} %" if chance is not None else ""
    return f"{percent(row.identical)} % of decks have the same place{expected}"


def _defined_tip(row: MethodRow) -> str:
    undefined = row.undefined_in_words
    return f"{row.n_defined:,} of {row.n_total:,} instances\n{undefined}".strip()


def _paired_tip(row: MethodRow) -> str:
    paired = row.paired
    if paired is None:
        return ""
    how = "exact, all sign flips" if paired.is_exact else "sign flips, drawn"
    dropped = f", {paired.n_dropped} without a pair" if paired.n_dropped else ""
    return (
        f"The chosen method is ahead by {figure(paired.difference)} "
        f"(95 % interval {interval_in_words(paired.low, paired.high)})\n"
        f"p {p_in_words(paired.p)} ({how}), Holm-adjusted {p_in_words(row.p_holm)}\n{paired.n} instances{dropped}"
    )


class MethodsDelegate(RowDelegate):
    """Draws the kind of a method as a badge and the interval as a line."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:  # @override
        row: MethodRow = index.data(ROW_ROLE)
        if index.column() == METHOD:
            self.paint_ground(painter, option)
            self._paint_name(painter, option, row, index.model())
        elif index.column() == INTERVAL:
            self.paint_ground(painter, option)
            model: MethodsTable = index.model()
            room = QRectF(option.rect).adjusted(14, 0, -14, -1)
            draw_interval(
                painter, room, scale=model.scale, mean=row.mean_rho, low=row.ci_low, high=row.ci_high,
                ceiling=model.ceiling, tone="warn" if row.is_people else "accent",
            )  # fmt: skip
        else:
            super().paint(painter, option, index)

    def _paint_name(self, painter: QPainter, option: QStyleOptionViewItem, row: MethodRow, model: MethodsTable) -> None:
        room = option.rect.adjusted(10, 0, -6, -1)
        badges = [(row.kind, "")]
        if row.signs_disagree:
            badges.append((shown_text("signs disagree", "alert"), "alert"))
        if row.is_people:
            badges.append((f"pairwise {figure(model.pairwise)}", ""))
        small = QFontMetrics(theme.sized_font(theme.CAPTION_PX))
        widths = [small.horizontalAdvance(words) + 16 for words, _ in badges]
        painter.save()
        painter.setFont(theme.sized_font(theme.BODY_PX, bold=True))
        painter.setPen(theme.color("text"))
        metrics = painter.fontMetrics()
        while len(badges) > 1 and metrics.horizontalAdvance(row.title) + sum(widths) + 6 * len(badges) > room.width():
            # The kind goes first: a warning must stay in sight, and the tooltip has the rest.
            dropped = 0 if row.signs_disagree else len(badges) - 1
            del badges[dropped], widths[dropped]
        left = max(24, room.width() - sum(widths) - 6 * len(badges))
        words = metrics.elidedText(row.title, Qt.TextElideMode.ElideMiddle, left)
        painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), words)
        x = room.left() + metrics.horizontalAdvance(words) + 8
        for (text, tone), width in zip(badges, widths, strict=True):
            box = QRectF(x, room.center().y() - HEIGHT_PX / 2 + 1, width, HEIGHT_PX)
            draw_badge(painter, box, text, tone)
            x += width + 6
        painter.restore()
