"""Which judge is to propose items, and what that costs, before it is asked."""

from __future__ import annotations

import textwrap

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialogButtonBox, QInputDialog, QWidget

from studio.actions.judge_draft import draft_price, price_words
from studio.actions.judge_price import Estimate
from studio.errors import StudioError
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.model.ids import InstanceId

REST_MS = 400
"""How long typing rests before the price is worked out."""
_WIDTH = 92
_ABOUT = "Judge: openai:MODEL, gemini:MODEL, scripted:FILE, or its name in this project"
_ROOM = 5
"""Lines of the price at most, so that the dialog does not jump while one types."""


class DraftDialog(QInputDialog):
    """Takes a judge's name; it can be asked once its price is shown."""

    priced = Signal()
    """A price, or why there is none, is shown."""

    def __init__(self, context: AppContext, instance: InstanceId, judge: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._context, self._instance = context, instance
        self._ticket: Ticket | None = None
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._count)
        self.setWindowTitle("Ask a judge for items")
        self.setOkButtonText("Ask")
        self.setTextValue(judge)
        self._show("Its price stands here before it is asked.")
        self._can_ask(False)
        self.textValueChanged.connect(self._on_typed)
        self.finished.connect(self._on_finished)
        if judge.strip():
            self._rest.start(0)

    @property
    def price(self) -> str:
        """What is said of the price now."""
        return " ".join(self.labelText().removeprefix(_ABOUT).split())

    @Slot(str)
    def _on_typed(self, _judge: str) -> None:
        self._drop()
        self._can_ask(False)
        self._rest.start(REST_MS)

    @Slot()
    def _count(self) -> None:
        judge = self.textValue().strip()
        if not judge:
            self._show("Its price stands here before it is asked.")
            return
        project, instance = self._context.project, self._instance
        self._ticket = self._context.background.query(
            lambda: draft_price(project, instance, judge), self._on_counted, self._on_failed, owner=self
        )

    def _on_counted(self, found: Estimate) -> None:
        self._show(f"{price_words(found)} {found.basis[:1].upper()}{found.basis[1:]}.")
        self._can_ask(True)
        self.priced.emit()

    def _on_failed(self, error: BaseException) -> None:
        if not isinstance(error, StudioError):
            self._context.report(error)
        self._show(str(error))
        self.priced.emit()

    def _show(self, words: str) -> None:
        lines = textwrap.wrap(words, _WIDTH)
        self.setLabelText("\n".join([_ABOUT, "", *lines, *[""] * (_ROOM - len(lines))]))

    def _can_ask(self, can: bool) -> None:
        box = self.findChild(QDialogButtonBox)
        button = box.button(QDialogButtonBox.StandardButton.Ok) if box is not None else None
        if button is not None:
            button.setEnabled(can)

    @Slot()
    def _on_finished(self, *_: object) -> None:
        self._drop()

    def _drop(self) -> None:
        self._rest.stop()
        if self._ticket is not None:
            self._ticket.drop()
            self._ticket = None

    def closeEvent(self, event: QCloseEvent) -> None:  # @override
        self._drop()
        super().closeEvent(event)
