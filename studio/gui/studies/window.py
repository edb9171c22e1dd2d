"""The studies window: stays open beside the pages, for one project; never there for annotators."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QHBoxLayout, QTabWidget, QVBoxLayout, QWidget

from studio.actions.studies import close_study
from studio.actions.study_desk import StudiesDesk, StudyDetail, StudyRow, read_detail, read_studies
from studio.errors import Cancelled, StudioError
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.studies.explanations_tab import ExplanationsTab
from studio.gui.studies.guidelines_tab import GuidelinesTab
from studio.gui.studies.packs_tab import PacksTab
from studio.gui.studies.people_tab import PeopleTab
from studio.gui.studies.quality_tab import QualityTab
from studio.gui.studies.rules_tab import RulesTab
from studio.gui.studies.scales_tab import ScalesTab
from studio.gui.studies.table_panel import TablePanel
from studio.gui.studies.training_tab import TrainingTab
from studio.gui.widgets.panel import toned_label
from studio.gui.widgets.table import Column
from studio.model.changes import Changes
from studio.model.ids import new_id
from studio.model.studies import Study, StudyId, StudyKind

LIST_PX = 250
_KIND_WORDS = {
    StudyKind.RANK: "ranking", StudyKind.PAIRWISE: "pairs", StudyKind.BEST_WORST: "best and worst",
    StudyKind.CHECKLIST: "checklist", StudyKind.RATE: "ratings",
}  # fmt: skip


def _second_line(row: StudyRow) -> str:
    state = "closed" if row.study.is_closed else "planned" if row.is_planned else "open to all"
    return f"{_KIND_WORDS[row.study.kind]} · {row.n_done}/{row.n_units} with ≥{row.wanted} · {state}"


COLUMNS: tuple[Column[StudyRow], ...] = (
    Column(title="study", value=lambda row: row.study.name, second_line=_second_line, is_strong=True,
           tone=lambda row: "text_muted" if row.study.is_closed else ""),
)  # fmt: skip


class StudiesWindow(QDialog):
    """Studies, people, guidelines, scales of the open project."""

    loaded = Signal()
    """The project's studies are shown as they are stored."""
    study_shown = Signal(str)
    """Everything about the study with this id is shown; empty for one that is not stored yet."""
    stored = Signal()
    """Something that was asked for is in the project."""
    refused = Signal(str)
    """Something that was asked for is not, and why."""

    def __init__(
        self,
        context: AppContext,
        ask_merge: Callable[[], None],
        announce: Callable[[Changes], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._context, self._announce = context, announce
        self._tickets: dict[str, Ticket] = {}
        self.desk: StudiesDesk | None = None
        self._chosen = ""
        self._new: Study | None = None
        self._drafts: dict[StudyId, tuple[Study, Study]] = {}
        """Rules that were typed and not saved: as they were shown, and as they are in the form."""
        self.setWindowTitle("Studies")
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self.setModal(False)
        self.resize(1280, 820)
        self._build(ask_merge)
        self.reload()

    def _build(self, ask_merge: Callable[[], None]) -> None:
        context, do, do_long = self._context, self.do, self.do_long
        can_change = not context.project.is_read_only
        self.list = TablePanel("Studies", COLUMNS, key=lambda row: row.study.id, nothing="", row_px=46)
        self.list.setFixedWidth(LIST_PX)
        self.list.table.horizontalHeader().hide()
        self.close_button = self.list.add_button("Close", self.toggle_closed, needs_row=True)
        self.list.add_button("New study", self.new_study)
        self.list.set_can_change(can_change)
        self.list.table.row_selected.connect(self._on_row_selected)
        self.rules = RulesTab(context, do)
        self.rules.stored.connect(self._on_rules_stored)
        self.training = TrainingTab(context, do)
        self.quality = QualityTab(context, do, do_long)
        self.explanations = ExplanationsTab(context, do)
        self.packs = PacksTab(context, do_long)
        self.packs.merge_asked.connect(ask_merge)
        self.parts = _tabs(
            (self.rules, "Rules and plan"), (self.training, "Training"), (self.quality, "Results and known answers"),
            (self.explanations, "Explanations"), (self.packs, "Packs"),
        )  # fmt: skip
        studies = QWidget()
        row = QHBoxLayout(studies)
        row.setContentsMargins(0, 8, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.list)
        row.addWidget(self.parts, 1)
        self.people = PeopleTab(context, do)
        self.guidelines = GuidelinesTab(context, do)
        self.scales = ScalesTab(context, do)
        self.tabs = _tabs(
            (studies, "Studies"), (self.people, "People"), (self.guidelines, "Guidelines"),
            (self.scales, "Scales and reasons"),
        )  # fmt: skip
        self.trouble = toned_label("", "bad")
        self.trouble.setWordWrap(True)
        self.trouble.setTextFormat(Qt.TextFormat.PlainText)
        self.trouble.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 16, 16)
        column.setSpacing(8)
        column.addWidget(self.tabs, 1)
        column.addWidget(self.trouble)
        for place in range(4):
            key = QShortcut(QKeySequence(f"Ctrl+{place + 1}"), self)
            key.activated.connect(partial(self.tabs.setCurrentIndex, place))
        fresh = QShortcut(QKeySequence("Ctrl+N"), self)
        fresh.activated.connect(self.new_study)

    # what is shown

    def reload(self) -> None:
        """Read the project again; what is chosen stays chosen, and a study that is being made stays as it is typed."""
        self._query("desk", partial(read_studies, self._context.project), self._on_desk)

    def show_tab(self, name: str) -> None:
        """Bring a tab to the front: those of a study, or ``people``, ``guidelines``, ``scales``."""
        parts = {
            "rules": self.rules, "training": self.training, "results": self.quality,
            "explanations": self.explanations, "packs": self.packs,
        }  # fmt: skip
        if name in parts:
            self.tabs.setCurrentIndex(0)
            self.parts.setCurrentWidget(parts[name])
        else:
            self.tabs.setCurrentWidget(
                {"people": self.people, "guidelines": self.guidelines, "scales": self.scales}[name]
            )  # fmt: skip

    def choose(self, study_id: str) -> None:
        """Show a study; rules that were typed for another one are there again when it is chosen again."""
        self._keep_typed()
        self._chosen, self._new = study_id, None
        self._show_chosen()

    def _keep_typed(self) -> None:
        """Keep what is typed in the form and not saved."""
        shown, typed = self.rules.shown, self.rules.form.study()
        if shown is None or typed is None:
            return
        if typed != shown:
            self._drafts[shown.id] = (shown, typed)
        else:
            self._drafts.pop(shown.id, None)

    def _on_desk(self, desk: StudiesDesk) -> None:
        self._keep_typed()
        self.desk = desk
        self.list.show_rows(desk.rows, str(len(desk.rows)))
        self.people.show_desk(desk)
        self.guidelines.show_desk(desk)
        self.scales.show_desk(desk)
        self._show_chosen()
        self.loaded.emit()

    def _show_chosen(self) -> None:
        if self.desk is None:
            return
        if self._new is not None:
            self._show_study(self._new, None)
            return
        row = self.desk.row_of(self._chosen) or self.desk.rows[-1]
        self._chosen = row.study.id
        place = self.list.model.rows().index(row)
        self.list.table.blockSignals(True)
        self.list.table.selectRow(place)
        self.list.table.blockSignals(False)
        self.close_button.setText("Reopen" if row.study.is_closed else "Close")
        self.close_button.setEnabled(row.is_own and not self._context.project.is_read_only)
        self._show_study(row.study, row)

    def _show_study(self, study: Study, row: StudyRow | None) -> None:
        assert self.desk is not None
        self.rules.show_study(study, row, self.desk, draft=self._drafts.get(study.id))
        self.packs.show_study(study, self.desk)
        for tab in (self.training, self.quality, self.explanations, self.packs):
            self.parts.setTabEnabled(self.parts.indexOf(tab), row is not None)
        if row is None:
            self.parts.setCurrentWidget(self.rules)
            self.study_shown.emit("")
        else:
            self._query("detail", partial(read_detail, self._context.project, study), self._on_detail)

    def _on_detail(self, detail: StudyDetail) -> None:
        if self.desk is None or detail.study.id != self._chosen or self._new is not None:
            return
        self.training.show_detail(detail)
        self.quality.show_detail(detail, self.desk)
        self.explanations.show_detail(detail, self.desk)
        self.parts.setTabEnabled(self.parts.indexOf(self.explanations), detail.study.kind is StudyKind.RATE)
        self.study_shown.emit(detail.study.id)

    # what is done

    def new_study(self) -> None:
        """Begin a study; nothing is stored before it is saved."""
        if self.desk is None or self._context.project.is_read_only:
            return
        self._keep_typed()
        names = {row.study.name for row in self.desk.rows}
        number = next(n for n in range(1, len(names) + 2) if f"Study {n}" not in names)
        self._new = Study(
            id=StudyId(new_id("study")), name=f"Study {number}", kind=StudyKind.RANK,
            order_seed=self._context.project.seed,
        )  # fmt: skip
        self.list.table.clearSelection()
        self.tabs.setCurrentIndex(0)
        self._show_study(self._new, None)
        self.rules.form.name.setFocus(Qt.FocusReason.OtherFocusReason)
        self.rules.form.name.selectAll()

    def toggle_closed(self) -> None:
        """Close the chosen study, or open it again; its answers stay."""
        row = self.desk.row_of(self._chosen) if self.desk else None
        if row is not None and row.is_own:
            self.do(partial(close_study, self._context.project, row.study, is_closed=not row.study.is_closed))

    def do(self, act: Callable[[], Any], done: Callable[[Any], None] | None = None) -> None:
        """Do something to the project off the main thread, tell the pages, and show what became of it."""
        self._say("")
        self._context.background.query(act, partial(self._on_done, done), self._on_refused, owner=self)

    def do_long(self, work: Callable[..., Any], name: str, done: Callable[[Any], None]) -> None:
        """Do something that takes longer, with its name in the status line."""
        self._say("")
        self._context.background.start(
            work, name=name, done=partial(self._on_done, done), failed=self._on_refused, owner=self
        )

    def _on_done(self, done: Callable[[Any], None] | None, outcome: Any) -> None:
        if done is not None:
            done(outcome)
        changes = outcome[-1] if isinstance(outcome, tuple) else outcome
        if isinstance(changes, Changes):
            self._announce(changes)
        self.stored.emit()

    def _on_refused(self, error: BaseException) -> None:
        if isinstance(error, Cancelled):
            return
        if not isinstance(error, StudioError):
            self._context.report(error)
        self._say(str(error))
        self.refused.emit(str(error))

    def _say(self, words: str) -> None:
        self.trouble.setText(words)
        self.trouble.setVisible(bool(words))

    @Slot(object)
    def _on_rules_stored(self, study: Study) -> None:
        self._drafts.pop(study.id, None)
        self.rules.shown = None
        self._chosen, self._new = study.id, None

    @Slot(object)
    def _on_row_selected(self, row: StudyRow) -> None:
        if row.study.id != self._chosen or self._new is not None:
            self.choose(row.study.id)

    def _query(self, name: str, fn: Callable[[], Any], done: Callable[[Any], None]) -> None:
        if name in self._tickets:
            self._tickets[name].drop()
        self._tickets[name] = self._context.background.query(fn, done, self._on_refused, owner=self)

    def close_project(self) -> None:
        """Let go of the project: drop reads, close."""
        for ticket in self._tickets.values():
            ticket.drop()
        self._tickets = {}
        self.rules.stop()
        self.close()
        self.deleteLater()


def _tabs(*tabs: tuple[QWidget, str]) -> QTabWidget:
    widget = QTabWidget()
    widget.setDocumentMode(True)
    widget.tabBar().setDrawBase(False)
    for tab, words in tabs:
        widget.addTab(tab, words)
    return widget
