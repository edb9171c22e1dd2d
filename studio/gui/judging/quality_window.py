"""How good each judge is by itself, version by version: repeats, places, length, and which defects it notices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from studio.actions.figures import counted
from studio.actions.judge_quality import quality_rows
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.widgets.panel import Panel
from studio.gui.widgets.states import EmptyState, FailedState, LoadingState
from studio.gui.widgets.table import Column, DataTable, RowModel

Row = dict[str, Any]
_NO_REPEATS = "nothing was asked more than once; Repeats in a judge run asks again"
_NO_SWAP = "only the arena shows two decks in both orders"


class QualityTable(RowModel[Row]):
    """One row for each version of a judge under each protocol."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            [
                Column(title="Judge", value=lambda row: row["judge_id"], is_strong=True,
                       tip=lambda row: f"{row['judge_id']}, version {row['judge_version']}"),
                Column(title="version", value=lambda row: row["judge_version"][:8], width=92),
                Column(title="protocol", value=lambda row: row["protocol"], width=84),
                Column(title="verdicts", value=lambda row: row["verdicts"], text=lambda row: f"{row['verdicts']:,}",
                       is_number=True, width=76),
                _figure("failed %", "failed_rate", "", scale=100, width=72),
                _figure("flips %", "flip_rate", _NO_REPEATS, scale=100, width=68),
                _figure("mean SD", "mean_sd", _NO_REPEATS, width=86),
                _figure("swap same %", "swap_consistency", _NO_SWAP, scale=100, width=116),
                _figure("first place %", "first_slot_rate", _NO_SWAP, scale=100, width=112),
                _figure("place ρ", "slot_rho", "only lists show decks in an order", width=68),
                _figure("length ρ", "length_rho", "fewer than three decks have scores", width=74),
                _figure("given people", "length_rho_given_people", "people ranked fewer than four of the decks",
                        width=112),
            ],
            parent,
            key=lambda row: (row["judge_id"], row["judge_version"], row["protocol"]),
        )  # fmt: skip


class NoticedTable(RowModel[Row]):
    """One row for each criterion and defect of the chosen judge."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            [
                Column(title="Criterion", value=lambda row: row["criterion"], is_strong=True),
                Column(title="made worse in", value=lambda row: row["defect"], width=130),
                *(_fall(degree) for degree in range(1, 5)),
                Column(title="decks", value=lambda row: max(each["n"] for each in row["degrees"]), is_number=True,
                       width=64),
                Column(title="noticed from", value=lambda row: row["noticed_from"], is_number=True, width=112,
                       text=lambda row: f"{20 * row['noticed_from']} %",
                       reason=lambda _row: "The interval of the fall reaches 0 even at 80 %, or there are fewer than "
                       "three decks."),
            ],
            parent,
            key=lambda row: (row["criterion"], row["defect"]),
        )  # fmt: skip


def _figure(title: str, name: str, why: str, *, scale: float = 1, width: int) -> Column[Row]:
    return Column(
        title=title, value=lambda row: row[name], is_number=True, width=width, reason=lambda _row: why,
        text=lambda row: f"{row[name] * scale:.0f}" if scale == 100 else f"{row[name]:.2f}",
    )  # fmt: skip


def _fall(degree: int) -> Column[Row]:
    def found(row: Row) -> Row:
        return next((each for each in row["degrees"] if each["degree"] == degree), {"fall": None, "n": 0})

    def tip(row: Row) -> str:
        each = found(row)
        if each["fall"] is None:
            return "no deck has both scores"
        p = f"p {each['p']:.3f}" if each["p"] is not None else "no difference to test"
        return (
            f"95 % from {each['low']:.2f} to {each['high']:.2f}, {p}, lower for {100 * each['lower']:.0f} % of "
            f"{each['n']} decks"
        )

    return Column(
        title=f"fall at {20 * degree} %", value=lambda row: found(row)["fall"], is_number=True, width=98, tip=tip,
        text=lambda row: f"{found(row)['fall']:+.2f}", reason=lambda _row: "no deck has both scores",
    )  # fmt: skip


class QualityWindow(QDialog):
    """The judges above; what the chosen one notices below."""

    loaded = Signal()
    """What was read is shown."""

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._ticket: Ticket | None = None
        self.setWindowTitle("Judge quality")
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint, True)
        self.resize(1240, 640)
        self.judges, self.noticed = QualityTable(self), NoticedTable(self)
        self.judge_table, self.noticed_table = DataTable(), DataTable()
        self.judge_table.set_model(self.judges)
        self.noticed_table.set_model(self.noticed)
        self.judge_table.setAccessibleName("Judges")
        self.noticed_table.setAccessibleName("Defects that the judge notices")
        self.judge_panel, self.noticed_panel = Panel("Judges", " "), Panel("Made worse on purpose", " ")
        self.judge_panel.set_body(self.judge_table)
        holder = QWidget()
        self._lower = QStackedLayout(holder)
        self.no_sensitivity = EmptyState(
            "Not measured", "Ask the judge with “Also show decks made worse by degrees” (rating and G-Eval).",
            icon_name="search",
        )  # fmt: skip
        self._lower.addWidget(self.noticed_table)
        self._lower.addWidget(self.no_sensitivity)
        self.noticed_panel.set_body(holder)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(self.judge_panel)
        split.addWidget(self.noticed_panel)
        split.setSizes([320, 300])
        self.split = split
        self.loading = LoadingState()
        self.empty = EmptyState("No judge has said anything yet", "Ask a judge on this page first.", icon_name="play")
        self.failed = FailedState("The judges could not be read")
        self.failed.retried.connect(self.reload)
        body = QWidget()
        self._layers = QStackedLayout(body)
        for layer in (split, self.loading, self.empty, self.failed):
            self._layers.addWidget(layer)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.addWidget(body)
        self.judge_table.row_selected.connect(self._on_judge_selected)

    def show_fresh(self) -> None:
        """Show the window with what the project holds now."""
        self.show()
        self.activateWindow()
        self.reload()

    @Slot()
    def reload(self) -> None:
        """Read the judges anew."""
        self._drop()
        self._layers.setCurrentWidget(self.loading)
        project = self._context.project
        read: Callable[[], list[Row]] = lambda: quality_rows(project)  # noqa: E731
        self._ticket = self._context.background.query(read, self._on_read, self._on_failed, owner=self)

    def _on_read(self, rows: list[Row]) -> None:
        self._ticket = None
        self.judges.set_rows(rows)
        self.judge_panel.set_title("Judges", counted(len(rows), "version"))
        self._layers.setCurrentWidget(self.split if rows else self.empty)
        if rows:
            self.judge_table.selectRow(0)
            self._on_judge_selected(self.judges.row(0))
        self.loaded.emit()

    def _on_failed(self, error: BaseException) -> None:
        self._ticket = None
        self.failed.set_words("The judges could not be read", str(error))
        self._layers.setCurrentWidget(self.failed)

    @Slot(object)
    def _on_judge_selected(self, row: Row) -> None:
        self.noticed.set_rows(row["sensitivity"])
        self.noticed_panel.set_title("Made worse on purpose", f"{row['judge_id']} · {row['protocol']}")
        self._lower.setCurrentWidget(self.noticed_table if row["sensitivity"] else self.no_sensitivity)

    def _drop(self) -> None:
        if self._ticket is not None:
            self._ticket.drop()
            self._ticket = None

    def closeEvent(self, event: QCloseEvent) -> None:  # @override
        self._drop()
        super().closeEvent(event)
