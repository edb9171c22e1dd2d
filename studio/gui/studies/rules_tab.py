"""Rules of a study beside a plan that is worked out anew with every change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from studio.actions.figures import counted
from studio.actions.studies import save_study, undo_study
from studio.actions.study_desk import StudiesDesk, StudyRow
from studio.actions.study_plan import COMPLETION, PlanPreview, plan_study, preview_plan, sample_study
from studio.errors import StudioError
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.icons import icon
from studio.gui.studies.study_form import StudyForm
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.number_box import DecimalBox, WholeBox
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.model.changes import Changes
from studio.model.studies import Study
from studio.store.care import ProjectAct

PREVIEW_MS = 150
Row = dict[str, Any]

COLUMNS: tuple[Column[Row], ...] = (
    Column(title="person", value=lambda row: row["name"]),
    Column(title="all", value=lambda row: row["instances"], is_number=True, width=52, tip=lambda _: "instances in all"),
    Column(title="new", value=lambda row: sum(row["new"].values()), is_number=True, width=56),
    Column(title="known", value=lambda row: row["new"].get("gold", 0) + row["new"].get("attention", 0),
           is_number=True, width=68, tip=lambda _: "instances whose answer is known"),
    Column(title="again", value=lambda row: row["new"].get("repeat", 0), is_number=True, width=62,
           tip=lambda _: "instances that are asked again"),
)  # fmt: skip


class RulesTab(QWidget):
    """Edits one study; `stored` is sent when its rules, or rules and plan, are in the project."""

    stored = Signal(object)
    """The `Study`."""
    previewed = Signal()
    """The plan of what is in the form is shown, or why there is none."""

    def __init__(self, context: AppContext, do: Callable[..., None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self._do = context, do
        self._ticket: Ticket | None = None
        self.preview: PlanPreview | None = None
        self.shown: Study | None = None
        """The rules as the form gave them before anything was typed."""
        self.form = StudyForm()
        self.form.changed.connect(self._on_changed)
        self.form.sample_asked.connect(self._on_sample_asked)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(self.form)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setMinimumWidth(self.form.minimumSizeHint().width() + 14)
        rules = Panel("Rules")
        rules.set_body(area)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PREVIEW_MS)
        self._timer.timeout.connect(self._preview)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 8, 0, 0)
        row.setSpacing(8)
        row.addWidget(rules, 4)
        row.addWidget(self._plan_panel(), 3)

    def _plan_panel(self) -> Panel:
        self.repeats, self.capacity = WholeBox(0, 1000), WholeBox(0, 1_000_000)
        self.capacity.setSpecialValueText("no limit")
        self.completion = DecimalBox(0, 100, 100 * COMPLETION, decimals=0)
        self.completion.setSuffix(" %")
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        for words, spin in (
            ("Asked again, for each person", self.repeats), ("Most instances for one person", self.capacity),
            ("Work that will get done", self.completion),
        ):  # fmt: skip
            spin.setAccessibleName(words)
            spin.valueChanged.connect(self._on_changed)
            form.addRow(words, spin)
        self.summary = toned_label("", "heading")
        self.shortfall = toned_label("", "muted")
        self.trouble = toned_label("", "warn")
        for label in (self.summary, self.shortfall, self.trouble):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.model = RowModel(COLUMNS, parent=self, key=lambda row: row["annotator_id"])
        self.table = DataTable()
        self.table.set_model(self.model)
        self.table.setAccessibleName("Plan for each person")
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        column.addLayout(form)
        column.addWidget(self.summary)
        column.addWidget(self.shortfall)
        column.addWidget(self.trouble)
        column.addWidget(self.table, 1)
        panel = Panel("Plan")
        panel.set_body(body)
        foot = panel.add_foot()
        self.save = KeyCapButton("Save rules", "Ctrl+S")
        self.save.setShortcut("Ctrl+S")
        self.save.clicked.connect(self.save_rules)
        self.apply = KeyCapButton("Save and plan", "Ctrl+Enter", is_primary=True)
        self.apply.setShortcut("Ctrl+Return")
        self.apply.clicked.connect(self.save_and_plan)
        self.undo, self.redo = KeyCapButton("", icon=icon("rotate-ccw")), KeyCapButton("", icon=icon("rotate-cw"))
        for button, key, is_redo in ((self.undo, "Ctrl+Z", False), (self.redo, "Ctrl+Shift+Z", True)):
            button.setShortcut(key)
            button.setFixedWidth(34)
            button.clicked.connect(partial(self.take_back, is_redo=is_redo))
            foot.row.addWidget(button)
        for button in (self.save, self.apply, self.undo, self.redo):
            button.setAutoDefault(False)
        foot.row.addStretch(1)
        foot.row.addWidget(self.save)
        foot.row.addWidget(self.apply)
        return panel

    def show_study(
        self, study: Study, row: StudyRow | None, desk: StudiesDesk, *, draft: tuple[Study, Study] | None = None
    ) -> None:
        """Show a study, also one that is not stored yet; over it what a draft (before, typed) changed."""
        is_own = row is None or row.is_own
        can_change = is_own and not self._context.project.is_read_only and not study.is_closed
        is_begun = row is not None and row.is_begun
        self.form.show_study(study, desk, is_begun=is_begun, can_change=can_change)
        self.shown = self.form.study()
        if draft is not None and self.shown is not None:
            before, typed = draft
            changes = {
                each.name: getattr(typed, each.name)
                for each in fields(Study)
                if getattr(typed, each.name) != getattr(before, each.name)
            }
            self.form.show_study(replace(self.shown, **changes), desk, is_begun=is_begun, can_change=can_change)
        for button, said, key in (
            (self.undo, desk.undo_words, "Undo (Ctrl+Z)"), (self.redo, desk.redo_words, "Redo (Ctrl+Shift+Z)")
        ):  # fmt: skip
            words = f"{key}: {said}" if said else f"{key}: nothing yet"
            button.setToolTip(words)
            button.setAccessibleName(words)
            button.setEnabled(bool(said) and not self._context.project.is_read_only)
        for widget in (self.save, self.apply, self.repeats, self.capacity, self.completion):
            widget.setEnabled(can_change)
        # What is still being worked out is the plan of what was shown before.
        self.stop()
        if not is_own:
            self._show_nothing("Everybody ranks all decks of all instances; this needs no plan.")
        elif study.is_closed:
            self._show_nothing("The study is closed; nothing more is answered in it.")
        else:
            self._preview()

    def save_rules(self) -> None:
        """Store the rules as they are in the form."""
        study = self.form.study()
        if study is not None:
            self._do(partial(save_study, self._context.project, study), self._on_stored)

    def take_back(self, _is_checked: bool = False, *, is_redo: bool = False) -> None:
        """Take the last stored change of any study's rules or training back, or bring it back."""
        self._do(partial(undo_study, self._context.project, is_redo=is_redo), self._on_taken_back)

    def save_and_plan(self) -> None:
        """Store the rules, and the plan that they give now."""
        study = self.form.study()
        if study is not None:
            self._do(partial(plan_study, self._context.project, study, **self._how()), self._on_planned)

    def _how(self) -> dict[str, Any]:
        return {
            "repeats": self.repeats.value(), "capacity": self.capacity.value() or None,
            "completion": self.completion.value() / 100,
        }  # fmt: skip

    def stop(self) -> None:
        """Work no further plan out."""
        self._timer.stop()
        if self._ticket is not None:
            self._ticket.drop()
            self._ticket = None

    @Slot()
    def _on_changed(self, *_: object) -> None:
        self._timer.start()

    @Slot()
    def _preview(self) -> None:
        study = self.form.study()
        if study is None:
            return
        if self._ticket is not None:
            self._ticket.drop()
        read = partial(preview_plan, self._context.project, study, **self._how())
        self._ticket = self._context.background.query(read, self._on_preview, self._on_no_preview, owner=self)

    def _on_preview(self, preview: PlanPreview) -> None:
        self._ticket, self.preview = None, preview
        values = preview.json()
        reached, wanted = values["reached"], values["wanted"]
        least, most = reached["least"], reached["most"]
        got = f"{least}" if least == most else f"{least} to {most}"
        self.summary.setText(
            f"{counted(values['instances'], 'instance')}, {got} of {wanted} wanted answers each; "
            f"{counted(values['new'], 'new assignment')}"
            + (f", {values['withdrawn']} taken back" if values["withdrawn"] else "")
        )
        self.shortfall.setText(
            f"Nobody is there for {counted(values['shortfall'], 'answer')}. Expected to be missing in the end: "
            f"{preview.expected_shortfall:.1f} of {wanted * values['instances']}."
        )
        self.trouble.setText("")
        self.model.set_rows(values["annotators"])
        self.previewed.emit()

    def _on_no_preview(self, error: BaseException) -> None:
        self._ticket = None
        if not isinstance(error, StudioError):
            self._context.report(error)
        self._show_nothing(str(error))

    def _show_nothing(self, words: str) -> None:
        self.preview = None
        self.summary.setText("")
        self.shortfall.setText("")
        self.trouble.setText(words)
        self.model.set_rows([])
        self.previewed.emit()

    @Slot(int, list, int)
    def _on_sample_asked(self, n: int, by: list[str], n_systems: int) -> None:
        study = self.form.study()
        if study is None:
            return
        read = partial(
            sample_study, self._context.project, replace(study, instance_ids=None), n, by=by,
            n_systems=n_systems or None,
        )  # fmt: skip
        self._context.background.query(read, self.form.show_sample, self._on_no_preview, owner=self)

    def _on_stored(self, outcome: tuple[Study, Changes]) -> None:
        self._context.toast(f"Saved the rules of {outcome[0].name}.")
        self.stored.emit(outcome[0])

    def _on_taken_back(self, outcome: tuple[ProjectAct, Changes]) -> None:
        self._context.toast(f"{outcome[0].words}.")

    def _on_planned(self, outcome: tuple[int, Study, Changes]) -> None:
        self._context.toast(f"{outcome[1].name}: {counted(outcome[0], 'new assignment')}.")
        self.stored.emit(outcome[1])
