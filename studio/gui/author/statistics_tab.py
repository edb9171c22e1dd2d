"""How the items of the list have behaved once they were answered, and each judge beside people for one item."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QComboBox, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from studio.actions.checklist_stats import PEOPLE, ItemComparison, ItemStatistics
from studio.actions.figures import counted, figure, percent
from studio.actions.list_statistics import ItemBehaviour, ListStatistics, list_statistics
from studio.actions.method_rows import REASONS
from studio.gui.author.words import title_and_question
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.widgets.panel import Panel
from studio.gui.widgets.states import EmptyState, FailedState, LoadingState
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.model.authoring import EVERYWHERE, Scope
from studio.model.scores import Value
from studio.stats.statistic import Statistic

ROW_PX = 44
WHY = {
    "too_few": "fewer than three decks were answered",
    "constant": "every deck got the same answer, or all decks are equally good",
    "one_rater": "no deck was answered by two people",
    "none_predicted": "the judge never said no",
    "no_support": "people never said no",
}


class StatisticsTab(QWidget):
    """Read when it is looked at, as all answers are opened for it."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._ticket: Ticket | None = None
        self._scope: Scope = EVERYWHERE
        self.found: ListStatistics | None = None
        self.is_stale = True
        self.who = QComboBox()
        self.who.setAccessibleName("Whose answers")
        self.who.addItem("People", PEOPLE)
        self.who.activated.connect(self._on_who_chosen)
        self.rows: RowModel[ItemBehaviour] = RowModel(_columns(), self, key=lambda row: row.item.id)
        self.table = DataTable(row_px=ROW_PX)
        self.table.setAccessibleName("Statistics of items")
        self.table.set_model(self.rows)
        self.table.row_selected.connect(self._on_row)
        self.panel = Panel("Statistics", " ")
        self.panel.head.add_control(self.who)
        self.loading, self.failed = LoadingState(), FailedState("The statistics could not be read")
        self.failed.retried.connect(self._read)
        self.empty = EmptyState(
            "No answers yet", "Once people have answered this list, the numbers of each item stand here.",
            icon_name="list-checks", is_primary=False,
        )  # fmt: skip
        self.empty.button.hide()
        self.body = QStackedWidget()
        for widget in (self.table, self.loading, self.empty, self.failed):
            self.body.addWidget(widget)
        self.panel.set_body(self.body)
        self.judges: RowModel[ItemComparison] = RowModel(_judge_columns(), self, key=lambda row: row.judge_id)
        self.judge_table = DataTable()
        self.judge_table.setAccessibleName("Judges beside people")
        self.judge_table.set_model(self.judges)
        self.judge_panel = Panel("Judges beside people", " ")
        self.judge_panel.set_body(self.judge_table)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(self.panel)
        split.addWidget(self.judge_panel)
        split.setSizes([520, 180])
        split.setStretchFactor(0, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 0)
        column.addWidget(split)

    def set_scope(self, scope: Scope) -> None:
        """Choose the list; it is read when the tab is looked at."""
        if scope != self._scope:
            self._scope, self.is_stale, self.found = scope, True, None

    def show_statistics(self) -> None:
        """Show the numbers, read anew where they may have changed."""
        if self.is_stale:
            self._read()

    def stop(self) -> None:
        """Wait for nothing more."""
        if self._ticket is not None:
            self._ticket.drop()
            self._ticket = None

    @Slot()
    def _read(self) -> None:
        self.stop()
        self.is_stale = False
        if self.found is None:
            self.body.setCurrentWidget(self.loading)
        project, scope, who = self._context.project, self._scope, self.who.currentData()
        self._ticket = self._context.background.query(
            lambda: list_statistics(project, scope, who=who), self._on_read, self._on_failed, owner=self
        )

    def _on_read(self, found: ListStatistics) -> None:
        self._ticket, self.found = None, found
        known = [self.who.itemData(row) for row in range(self.who.count())]
        for judge in found.judges:
            if judge not in known:
                self.who.addItem(judge, judge)
        self.rows.set_rows(found.rows)
        whom = "people" if found.who == PEOPLE else found.who
        facts = [f"{counted(found.n_answered, 'item')} answered by {whom}", found.left_out]
        self.panel.set_title("Statistics", " · ".join(filter(None, facts)))
        has_any = found.n_answered or any(row.beside_people for row in found.rows)
        self.body.setCurrentWidget(self.table if has_any else self.empty)
        self.judge_panel.setVisible(bool(has_any))
        if has_any and not self.table.currentIndex().isValid():
            self.table.selectRow(0)
        index = self.table.currentIndex()
        if index.isValid():
            self._on_row(self.rows.row(index))

    def _on_failed(self, error: BaseException) -> None:
        self._ticket, self.is_stale = None, True
        self.failed.set_words("The statistics could not be read", str(error))
        self.body.setCurrentWidget(self.failed)

    @Slot()
    def _on_who_chosen(self, *_: object) -> None:
        self._read()

    @Slot(object)
    def _on_row(self, row: ItemBehaviour) -> None:
        self.judges.set_rows(row.beside_people)
        title, question = title_and_question(row.item)
        said = title or question
        self.judge_panel.set_title("Judges beside people", said if row.beside_people else f"no judge yet · {said}")


def why(reason: str | None) -> str:
    """Return in words why there is no number."""
    return WHY.get(reason or "", REASONS.get(reason or "", reason or "nobody has answered it"))


def _columns() -> list[Column[ItemBehaviour]]:
    def number(title: str, of: str, form: object, width: int, tip: str) -> Column[ItemBehaviour]:
        def found(row: ItemBehaviour) -> Value | Statistic | None:
            statistics: ItemStatistics | None = row.statistics
            return getattr(statistics, of) if statistics is not None else None

        return Column(
            title=title, value=lambda row: each.value if (each := found(row)) is not None else None,
            text=lambda row: form(found(row).value),  # type: ignore[operator, union-attr]  # only asked where there is one
            reason=lambda row: why(each.undefined_reason if (each := found(row)) is not None else None),
            tip=lambda row: tip, is_number=True, width=width,
        )  # fmt: skip

    return [
        Column(title="Dimension", value=lambda row: row.item.dimension.value.capitalize(), width=120,
               tone=lambda row: "text_muted"),
        Column(title="Item", value=lambda row: title_and_question(row.item)[0] or title_and_question(row.item)[1],
               second_line=lambda row: title_and_question(row.item)[1] if title_and_question(row.item)[0] else "",
               tip=lambda row: row.item.text),
        Column(title="Decks", value=lambda row: row.statistics.n if row.statistics else None, is_number=True,
               reason=lambda row: "nobody has answered it", width=64),
        number("Yes, %", "prevalence", percent, 72, "Share of decks that meet it"),
        number("Same, %", "same", percent, 80, "Share of pairs of people who say the same"),
        number("Alpha", "agreement", figure, 72, "Krippendorff's alpha between people, nominal"),
        number("Discrimination", "discrimination", figure, 116,
               "Correlation with the share of the deck's other items that are met"),
    ]  # fmt: skip


def _judge_columns() -> list[Column[ItemComparison]]:
    def share(title: str, of: object, width: int) -> Column[ItemComparison]:
        return Column(
            title=title, value=lambda row: of(row).value,  # type: ignore[operator]
            text=lambda row: percent(of(row).value),  # type: ignore[operator]
            reason=lambda row: why(of(row).undefined_reason), is_number=True, width=width,  # type: ignore[operator]
        )  # fmt: skip

    return [
        Column(title="Judge", value=lambda row: row.judge_id, is_strong=True),
        Column(title="Decks", value=lambda row: row.same.n, is_number=True, width=72),
        share("Same, %", lambda row: row.same, 88),
        share("No: precision, %", lambda row: row.no.precision, 130),
        share("No: recall, %", lambda row: row.no.recall, 110),
    ]
