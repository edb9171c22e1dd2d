"""Asks for a table and its format, and writes it into the exports folder or elsewhere."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from studio.actions import tables as table_actions
from studio.gui.context import AppContext
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import hairline, toned_label
from studio.model.protocols import CancelToken, Emit

TABLES = {
    "rankings": "Ranks that people gave, a row for each deck",
    "pairs": "Preferences between two decks, asked or derived",
    "checklist": "Answers to checklist items",
    "ratings": "Points that people gave on scales",
    "views": "Which slides were looked at, and for how long",
    "touches": "Which decks of a ranking were acted on, and when",
    "training": "Answers to training questions",
    "scores": "What metrics measured",
    "verdicts": "What judges said",
    "methods": "How well each method agrees with people",
    "method_instances": "The same for each instance",
    "agreement": "How well people agree with each other",
    "reviews": "What reviewers decided",
    "quiz": "What was answered from slides alone",
    "dpo": "Preferences as chosen and rejected",
    "slides-align": "Ranks as the Slides-Align set has them",
    "label-studio": "Answers and boxes as Label Studio tasks",
    "inspect": "Verdicts as precomputed scores for Inspect",
}
"""Everything that `studio export` writes."""
FORMATS = {
    "csv": "for spreadsheets", "jsonl": "for programs", "md": "Markdown, for a README", "tex": "LaTeX, for a paper",
    "parquet": "for data sets", "json": "for the program that it is named after",
}  # fmt: skip

TABLES_PX = 220


class ExportTable(QDialog):
    """Chooses a table, a format and a file."""

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Export table")
        self.setMinimumWidth(560)
        self._context = context
        self._chosen: Path | None = None
        self._tables = self._group("Table", TABLES)
        self._formats = self._group("Format", FORMATS)
        self._file = QLineEdit()
        self._file.setReadOnly(True)
        self._file.setAccessibleName("File")
        choose = KeyCapButton("Choose")
        choose.clicked.connect(self._on_choose_clicked)
        choose.setAutoDefault(False)
        cancel = KeyCapButton("Cancel", "Esc")
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.export_button = KeyCapButton("Export", "Enter", is_primary=True)
        self.export_button.setDefault(True)
        self.export_button.clicked.connect(self._on_export_clicked)
        inner = QVBoxLayout()
        inner.setContentsMargins(16, 16, 16, 16)
        inner.setSpacing(6)
        inner.addWidget(toned_label("Table", "heading"))
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setMinimumHeight(TABLES_PX)
        area.setWidget(_choices(self._tables, TABLES))
        inner.addWidget(area, 1)
        inner.addSpacing(8)
        inner.addWidget(toned_label("Format", "heading"))
        inner.addWidget(_choices(self._formats, FORMATS))
        inner.addSpacing(8)
        inner.addWidget(toned_label("File", "heading"))
        file_row = QHBoxLayout()
        file_row.addWidget(self._file, 1)
        file_row.addWidget(choose)
        inner.addLayout(file_row)
        foot = QHBoxLayout()
        foot.setContentsMargins(16, 12, 16, 12)
        foot.setSpacing(8)
        foot.addWidget(QLabel(), 1)
        foot.addWidget(cancel)
        foot.addWidget(self.export_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(inner, 1)
        column.addWidget(hairline())
        column.addLayout(foot)
        self._on_chosen()

    def _group(self, words: str, choices: dict[str, str]) -> QButtonGroup:
        group = QButtonGroup(self)
        for name in choices:
            button = QRadioButton(name if words == "Table" else name.upper())
            button.setProperty("choice", name)
            button.setAccessibleName(f"{words} {name}")
            group.addButton(button)
        group.buttons()[0].setChecked(True)
        group.buttonToggled.connect(self._on_chosen)
        return group

    def choose(self, *, table: str = "", format: str = "", out: Path | None = None) -> None:
        """Choose as a user would."""
        for group, name in ((self._tables, table), (self._formats, format)):
            for button in group.buttons():
                if button.property("choice") == name:
                    button.setChecked(True)
        self._chosen = out or self._chosen
        self._show_file()

    def out(self) -> Path:
        """Return the file that would be written."""
        table, format = self._choice(self._tables), self._choice(self._formats)
        if self._chosen is not None:
            return self._chosen.with_suffix(f".{format}")
        return self._context.project.folder / "exports" / f"{table}.{format}"

    @Slot()
    def _on_chosen(self) -> None:
        if not hasattr(self, "_file"):
            return
        own = table_actions.DOCUMENTS.get(self._choice(self._tables))
        buttons = {str(button.property("choice")): button for button in self._formats.buttons()}
        for name, button in buttons.items():
            button.setEnabled(name == own if own else name in table_actions.FORMATS)
        if not self._formats.checkedButton().isEnabled():
            next(button for button in buttons.values() if button.isEnabled()).setChecked(True)
        self._show_file()

    def _choice(self, group: QButtonGroup) -> str:
        return str(group.checkedButton().property("choice"))

    @Slot()
    def _show_file(self) -> None:
        self._file.setText(str(self.out()))
        self._file.setToolTip(str(self.out()))

    @Slot()
    def _on_choose_clicked(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(self, "Export table", str(self.out()))
        if chosen:
            self._chosen = Path(chosen)
            self._show_file()

    @Slot()
    def _on_export_clicked(self) -> None:
        context, table, format, out = (
            self._context,
            self._choice(self._tables),
            self._choice(self._formats),
            self.out(),
        )

        def work(*, emit: Emit, cancel: CancelToken) -> Path:
            return table_actions.export_table(context.project, table, format=format, out=out)

        context.background.start(
            work,
            name=f"Export {table}",
            done=partial(_told, context),
            failed=context.report,
        )
        self.accept()


def _choices(group: QButtonGroup, words: dict[str, str]) -> QWidget:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(6)
    for button, said in zip(group.buttons(), words.values(), strict=True):
        row = QHBoxLayout()
        row.addWidget(button)
        row.addWidget(toned_label(said, "muted"), 1)
        button.setMinimumWidth(140)
        column.addLayout(row)
    return holder


def _told(context: AppContext, path: Path) -> None:
    context.toast(f"{path.name} was written to {path.parent}.")
