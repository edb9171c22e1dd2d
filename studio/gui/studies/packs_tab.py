"""Packs that go out for a study, and answers that came back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QFormLayout, QVBoxLayout, QWidget

from studio.actions.packs import create_pack, undrawn_decks
from studio.actions.programs import render_tools
from studio.actions.runs import start_run
from studio.actions.study_desk import StudiesDesk
from studio.errors import Cancelled
from studio.gui.context import AppContext
from studio.gui.studies.table_panel import TablePanel
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.table import Column
from studio.model.changes import Changes
from studio.model.packs import PackContent, PackReport
from studio.model.protocols import CancelToken, Emit
from studio.model.runs import RunKind, RunSpec
from studio.model.studies import Study

_CONTENT = {
    PackContent.IMAGES: "Pictures of the slides",
    PackContent.DECKS: "Copies of the decks without metadata, and pictures",
}
MERGES: tuple[Column[dict[str, Any]], ...] = (
    Column(title="when", value=lambda row: row["at"][:16].replace("T", " "), width=130),
    Column(title="annotator", value=lambda row: row["annotator"], is_strong=True),
    Column(title="file", value=lambda row: row["file"]),
    Column(title="new", value=lambda row: row["new"], is_number=True, width=70),
    Column(title="the same", value=lambda row: row["same"], is_number=True, width=80),
    Column(title="conflicting", value=lambda row: row["conflicting"], is_number=True, width=90),
    Column(title="over quota", value=lambda row: row["over_quota"], is_number=True, width=90),
    Column(title="refused", value=lambda row: len(row["refused"]), is_number=True, width=80),
)


class PacksTab(QWidget):
    """Makes a pack for a person, and shows what was merged."""

    merge_asked = Signal()
    made = Signal(object)
    """The `PackReport` of a pack that was written."""

    def __init__(self, context: AppContext, do_long: Callable[..., None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self._do_long = context, do_long
        self._study: Study | None = None
        self.person, self.content = QComboBox(), QComboBox()
        self.person.setEditable(True)
        self.person.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.person.setAccessibleName("Annotator")
        self.content.setAccessibleName("Content")
        for value, words in _CONTENT.items():
            self.content.addItem(words, value)
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.addRow("Annotator", self.person)
        form.addRow("Content", self.content)
        words = toned_label(
            "A pack holds what this person needs for the study: no system, no file name, no verdict, nobody else's "
            "answers. They open it with File › Open a pack, and send a file of answers back.", "muted",
        )  # fmt: skip
        words.setWordWrap(True)
        self.told = toned_label("", "muted")
        self.told.setWordWrap(True)
        body = QWidget()
        inner = QVBoxLayout(body)
        inner.setContentsMargins(12, 12, 12, 12)
        inner.setSpacing(8)
        inner.addWidget(words)
        inner.addLayout(form)
        inner.addWidget(self.told)
        out = Panel("Send work out")
        out.set_body(body)
        self.create = KeyCapButton("Make a pack…", is_primary=True)
        self.create.setAutoDefault(False)
        self.create.clicked.connect(lambda _checked=False: self.ask_pack())
        foot = out.add_foot()
        foot.row.addStretch(1)
        foot.row.addWidget(self.create)
        self.merges = TablePanel("Answers that came back", MERGES, key=id, nothing="No answers were merged yet.")
        self.merges.add_button("Merge answers…", self.merge_asked.emit)
        self.merges.set_can_change(not context.project.is_read_only)
        self.create.setEnabled(not context.project.is_read_only)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(8)
        column.addWidget(out)
        column.addWidget(self.merges, 1)

    def show_study(self, study: Study, desk: StudiesDesk) -> None:
        """Show whom a pack of this study can be made for."""
        self._study = study
        typed = self.person.currentText()
        asked = study.annotator_ids
        names = [
            person["name"]
            for person in desk.people
            if (person["annotator_id"] in asked if asked is not None else person["role"] == "annotator")
        ]
        self.person.clear()
        self.person.addItems(names)
        if typed in names:
            self.person.setCurrentText(typed)
        self.told.setText("")
        self.merges.show_rows(desk.merges, str(len(desk.merges)) if desk.merges else "")

    def ask_pack(self) -> None:
        """Ask where the pack goes, and write it."""
        name = self.person.currentText().strip()
        if not name:
            self.told.setText("For whom? Choose an annotator, or type a name.")
            return
        letters = "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in name)
        proposed = self._context.project.exports_folder / f"{letters}.pack"
        chosen, _ = QFileDialog.getSaveFileName(self, "Make a pack", str(proposed), "Packs (*.pack)")
        if chosen:
            self.write(Path(chosen), name)

    def write(self, out: Path, name: str) -> None:
        """Draw what is not drawn yet, and write the pack, in the background."""
        project, study, content = self._context.project, self._study, PackContent(self.content.currentData())
        if study is None:
            return
        tools = render_tools(self._context.settings)

        def work(*, emit: Emit, cancel: CancelToken) -> tuple[PackReport, Changes]:
            undrawn = undrawn_decks(project, study)
            if undrawn:
                spec = RunSpec(kind=RunKind.RENDER, deck_ids=undrawn)
                start_run(project, spec, tools=tools, emit=emit, cancel=cancel)
            if cancel.is_set():
                raise Cancelled("The pack was not made.")
            return create_pack(project, out, annotator=name, study=study.id, content=content)

        self._do_long(work, f"Pack for {name}", self._on_made)

    def _on_made(self, outcome: tuple[PackReport, Changes]) -> None:
        report = outcome[0]
        lines = [
            f"Wrote {report.path} for {report.annotator}: {report.n_instances} instances, {report.n_decks} decks.",
            *report.warnings[:5],
        ]
        self.told.setText("\n".join(lines))
        self.made.emit(report)
