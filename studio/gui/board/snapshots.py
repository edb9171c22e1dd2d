"""The window of snapshots: what was frozen when, taking one, and what differs between two."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QDialog, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from studio.actions import snapshots as actions
from studio.actions.figures import counted, figure
from studio.actions.method_rows import title_of
from studio.actions.snapshots import Difference, SnapshotComparison, StoredSnapshot
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.table import Column, DataTable, RowModel


class SnapshotWindow(QDialog):
    """Everything is read and written in the background."""

    loaded = Signal()
    """The snapshots are listed, and the comparison of the chosen ones is shown if there are any."""

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._ticket: Ticket | None = None
        self.setWindowTitle("Snapshots")
        self.resize(980, 620)
        self.name = QLineEdit()
        self.name.setPlaceholderText("Name, such as 2026-12")
        self.name.setAccessibleName("Name of the snapshot")
        self.name.returnPressed.connect(self.take)
        self.take_button = KeyCapButton("Take snapshot", is_primary=True)
        self.take_button.clicked.connect(self.take)
        self.before, self.after = QComboBox(), QComboBox()
        for box, words in ((self.before, "Compare"), (self.after, "with")):
            box.setAccessibleName(words)
            box.setMinimumWidth(280)
            box.activated.connect(self._on_chosen)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.name, 1)
        line.addWidget(self.take_button)
        choice = QHBoxLayout()
        choice.setSpacing(8)
        for word, box in (("Compare", self.before), ("with", self.after)):
            choice.addWidget(QLabel(word))
            choice.addWidget(box)
        choice.addStretch(1)
        self.words = toned_label("", "muted")
        self.words.setWordWrap(True)
        self.model: RowModel[Difference] = RowModel(_columns(), self, key=lambda row: (row.system, row.method))
        self.table = DataTable()
        self.table.set_model(self.model)
        self.panel = Panel("What differs", " ")
        self.panel.set_body(self.table)
        self.trouble = toned_label("", "bad")
        self.trouble.setWordWrap(True)
        self.trouble.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(12)
        column.addLayout(line)
        column.addLayout(choice)
        column.addWidget(self.words)
        column.addWidget(self.panel, 1)
        column.addWidget(self.trouble)
        can_write = not context.project.is_read_only
        self.name.setEnabled(can_write)
        self.take_button.setEnabled(can_write)

    @Slot()
    def reload(self) -> None:
        """List the snapshots anew."""
        project = self._context.project
        self._query(lambda: actions.list_snapshots(project), self._on_list)

    @Slot()
    def take(self) -> None:
        """Freeze the benchmark under the name that was typed."""
        project, name = self._context.project, self.name.text()
        author = self._context.settings.text("profile_name").strip()
        self._query(lambda: actions.take_snapshot(project, name, author=author), self._on_taken)

    def closeEvent(self, event: object) -> None:  # @override
        if self._ticket is not None:
            self._ticket.drop()
            self._ticket = None
        super().closeEvent(event)

    def _query(self, run: Callable[[], Any], done: Callable[[Any], None]) -> None:
        if self._ticket is not None:
            self._ticket.drop()
        self.trouble.hide()
        self._ticket = self._context.background.query(run, done, self._on_failed, owner=self)

    def _on_taken(self, made: StoredSnapshot) -> None:
        self.name.clear()
        self._context.toast(f"Snapshot {made.name} taken.")
        self.reload()

    def _on_list(self, found: list[StoredSnapshot]) -> None:
        self._ticket = None
        named = [(each.name, f"{each.name} · {each.at[:16].replace('T', ' ')} UTC") for each in found]
        _offer(self.before, named, last=True)
        _offer(self.after, [*named, (actions.NOW, "The project as it is")], last=True)
        if found:
            self._compare()
        else:
            self.words.setText("No snapshot yet. One keeps instances, decks, checklists and every value as they are.")
            self.model.set_rows([])
            self.loaded.emit()

    @Slot()
    def _on_chosen(self, *_: object) -> None:
        self._compare()

    def _compare(self) -> None:
        project, before, after = self._context.project, self.before.currentData(), self.after.currentData()
        self._query(lambda: actions.compare(project, before, after), self._on_compared)

    def _on_compared(self, found: SnapshotComparison) -> None:
        self._ticket = None
        said = []
        for kind, part in [*found.parts.items(), ("methods", found.methods)]:
            for word in ("added", "removed", "changed"):
                names = getattr(part, word)
                if names:
                    said.append(f"{len(names)} {kind} {word} ({', '.join(names[:4])}{', …' if len(names) > 4 else ''})")
        said += found.people_in_words
        self.words.setText("; ".join(said) if said else "The same instances, decks, checklists and methods.")
        rows = [each for each in found.differences if each.n_changed]
        self.model.set_rows(rows)
        self.panel.set_title("What differs", counted(len(rows), "value") if rows else "no value differs")
        self.loaded.emit()

    def _on_failed(self, error: BaseException) -> None:
        self._ticket = None
        self.trouble.setText(str(error))
        self.trouble.show()


def _columns() -> list[Column[Difference]]:
    return [
        Column(title="System", value=lambda row: row.system, is_strong=True, width=190),
        Column(title="method", value=lambda row: title_of(row.method), tip=lambda row: row.method),
        Column(title="before", value=lambda row: row.before, text=lambda row: figure(row.before),
               reason=lambda _row: "no deck has a value", is_number=True, width=84),
        Column(title="after", value=lambda row: row.after, text=lambda row: figure(row.after),
               reason=lambda _row: "no deck has a value", is_number=True, width=84),
        Column(title="on the same decks", value=lambda row: row.on_both, text=lambda row: figure(row.on_both),
               reason=lambda row: row.reason, is_number=True, width=152),
        Column(title="decks", value=lambda row: row.n_both, is_number=True, width=64),
    ]  # fmt: skip


def _offer(box: QComboBox, values: list[tuple[str, str]], *, last: bool) -> None:
    chosen = box.currentData()
    box.clear()
    for value, words in values:
        box.addItem(words, value)
    place = box.findData(chosen)
    box.setCurrentIndex(place if place >= 0 else (box.count() - 1 if last else 0))
