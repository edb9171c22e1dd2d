"""The judge X-ray: the window that a verdict opens, with the call that it comes from."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from studio.actions.judge_xray import UnitView, unit_of_verdict, unit_view
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.judging.call_pane import CallPane
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCapButton
from studio.model.ids import DeckId


class XrayWindow(QDialog):
    """Shows one unit; PgDn and PgUp change the picture, Esc closes."""

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._ticket: Ticket | None = None
        self._view: UnitView | None = None
        self.setWindowTitle("Judge X-ray")
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint, True)
        self.heading = ElidedLabel()
        self.heading.setProperty("tone", "title")
        self.facts = ElidedLabel()
        self.facts.setProperty("tone", "muted")
        self.deck = KeyCapButton("Open deck", "Ctrl+Enter")
        self.deck.clicked.connect(self._on_deck_clicked)
        self.deck.setAutoDefault(False)
        self.calls = CallPane(context.background, context.images)
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(self.heading)
        head.addWidget(self.facts)
        head.addStretch(1)
        head.addWidget(self.deck)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 16)
        column.setSpacing(12)
        column.addLayout(head)
        column.addWidget(self.calls, 1)
        for keys, by in (("PgDown", 1), ("PgUp", -1)):
            QShortcut(QKeySequence(keys), self, lambda by=by: self.calls.step(by))
        QShortcut(QKeySequence("Ctrl+Return"), self, self._on_deck_clicked)
        self.resize(1240, 780)

    def show_unit(self, unit_key: str, deck_id: str) -> None:
        """Show a unit by its key and deck."""
        project = self._context.project
        self._read(lambda: unit_view(project, unit_key, DeckId(deck_id)), "")

    def show_verdict(self, judge_id: str, deck_id: str, item_id: str) -> None:
        """Show the unit that a judge's verdict on an item of a deck comes from."""
        project = self._context.project

        def read() -> UnitView | str:
            found = unit_of_verdict(project, judge_id, DeckId(deck_id), item_id)
            if found is not None:
                return unit_view(project, *found)
            if judge_id == "code":
                return "Code rules ask nobody: they read the deck's file, and say the same every time."
            return "This verdict came by a table, so that nothing is known of what was asked."

        self._read(read, judge_id)

    def _read(self, read: Callable[[], UnitView | str], judge_id: str) -> None:
        if self._ticket is not None:
            self._ticket.drop()
        self.heading.set_text(judge_id)
        self.facts.set_text("")
        self.calls.show_loading()
        self._ticket = self._context.background.query(read, self._on_read, self.calls.show_failed, owner=self)
        self.show()
        self.activateWindow()

    def _on_read(self, found: UnitView | str) -> None:
        self._ticket = None
        self._view = found if isinstance(found, UnitView) else None
        self.deck.setEnabled(self._view is not None)
        if isinstance(found, str):
            self.calls.show_words("There is no call to show", found)
            return
        self.heading.set_text(found.title)
        scripted = "scripted, no model" if found.judge.startswith("scripted:") else ""
        settings = ", ".join(f"{name} {value}" for name, value in found.settings)
        self.facts.set_text(" · ".join(filter(None, [found.judge, scripted, found.protocol, settings])))
        self.calls.show_unit(found)

    @Slot()
    def _on_deck_clicked(self) -> None:
        if self._view is not None:
            self._context.navigate("compare", instance=self._view.instance_id, deck=self._view.deck_id)

    def closeEvent(self, event: QCloseEvent) -> None:  # @override
        if self._ticket is not None:
            self._ticket.drop()
            self._ticket = None
        super().closeEvent(event)
