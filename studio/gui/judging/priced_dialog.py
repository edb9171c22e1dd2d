"""What every window has that sets a judge up for a run: its price before it starts, names of judges, keys, prices."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QHBoxLayout, QInputDialog, QScrollArea, QWidget

from studio.actions import judge_names
from studio.errors import BadInput, Cancelled
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.judging.judge_form import JudgeForm
from studio.gui.judging.key_dialog import ask_for_key
from studio.gui.judging.prices_dialog import PricesDialog
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import toned_label
from studio.model.protocols import CancelToken

WAIT_MS = 300
"""Choices in quick succession are counted once."""


class PricedDialog(QDialog):
    """The form of a judge, and what a run with it would do and cost, counted anew after each change.

    A subclass places the parts, says what is wished and how that is counted, and shows what was counted.
    """

    def __init__(self, context: AppContext, form: JudgeForm, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self.form = context, form
        self._ticket: Ticket | None = None
        self._cancel = threading.Event()
        self.count = toned_label("Counting …", "heading")
        self.details = toned_label("", "muted")
        for label in (self.count, self.details):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.prices = KeyCapButton("Prices")
        self.cancel = KeyCapButton("Cancel", "Esc")
        self.start = KeyCapButton("Start", "Ctrl+Enter", is_primary=True)
        for button in (self.prices, self.cancel, self.start, form.save, form.forget, form.keep_key):
            button.setAutoDefault(False)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(WAIT_MS)
        self._wait.timeout.connect(self._on_waited)
        form.changed.connect(self._on_changed)
        form.save_asked.connect(self._on_save_asked)
        form.forget_asked.connect(self._on_forget_asked)
        form.key_asked.connect(self._on_key_asked)
        self.prices.clicked.connect(self._on_prices_clicked)
        self.start.clicked.connect(self._on_start_clicked)
        self.cancel.clicked.connect(self.reject)
        QShortcut(QKeySequence("Ctrl+Return"), self, self._on_start_clicked)

    # for the kinds

    def wish(self) -> Any:
        """Return the run as it is chosen.

        Raises:
            BadInput: for something that does not fit.
        """
        raise NotImplementedError

    def counting(self, wish: Any, cancel: CancelToken) -> Callable[[], Any]:
        """Return the function that counts what the run would do and cost; it is called off the main thread."""
        raise NotImplementedError

    def begin_count(self) -> None:
        """What was counted does not hold any more."""
        raise NotImplementedError

    def show_counted(self, found: Any) -> None:
        """Show what was counted."""
        raise NotImplementedError

    def show_uncounted(self, error: BaseException) -> None:
        """Show why nothing can be counted."""
        raise NotImplementedError

    def begin_run(self) -> None:
        """Start what is wished."""
        raise NotImplementedError

    # the parts

    def scrolled_form(self) -> QScrollArea:
        """Return the form in an area that scrolls up and down."""
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(self.form)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        return area

    def foot(self, *more: KeyCapButton) -> QHBoxLayout:
        """Return the line of buttons: prices, cancel, those given, start."""
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.prices)
        foot.addStretch(1)
        for button in (self.cancel, *more, self.start):
            button.setAutoDefault(False)
            foot.addWidget(button)
        return foot

    def show_saved(self, saved: Any) -> None:
        """Offer the judges that were kept under a name, and set the form to the first."""
        self.form.set_saved(saved)
        if saved:
            self.form.saved.setCurrentIndex(1)
            self.form.show_setup(saved[0].setup)

    # counting

    def _query(self, fn: Callable[[], Any], done: Callable[[Any], None]) -> Ticket:
        return self._context.background.query(fn, done, self._context.report, owner=self)

    @Slot()
    def _on_changed(self, *_: object) -> None:
        self._drop()
        self.form.wrong.setText("")
        self.count.setText("Counting …")
        self.begin_count()
        self._wait.start()

    def _drop(self) -> None:
        self._cancel.set()
        if self._ticket is not None:
            self._ticket.drop()
            self._ticket = None

    @Slot()
    def _on_waited(self) -> None:
        try:
            wish = self.wish()
        except BadInput as error:
            self._show_wrong(error)
            return
        cancel = self._cancel = threading.Event()
        self._ticket = self._context.background.query(
            self.counting(wish, cancel), self._on_counted, self._on_not_counted, owner=self
        )

    def _on_counted(self, found: Any) -> None:
        self._ticket = None
        self.show_counted(found)

    def _on_not_counted(self, error: BaseException) -> None:
        self._ticket = None
        if isinstance(error, Cancelled):
            return
        if not isinstance(error, BadInput):
            self._context.report(error)
        self._show_wrong(error)

    def _show_wrong(self, error: BaseException) -> None:
        self.count.setText("Nothing to count yet")
        self.details.setText(str(error))
        self.show_uncounted(error)

    # what the user does

    @Slot()
    def _on_start_clicked(self) -> None:
        if self.start.isEnabled():
            self.begin_run()
            self.accept()

    @Slot()
    def _on_prices_clicked(self) -> None:
        dialog = PricesDialog(self._context, self, model=self.form.model.text().strip())
        dialog.prices_changed.connect(self._on_changed)
        dialog.open()

    @Slot()
    def _on_save_asked(self) -> None:
        try:
            setup = self.form.setup()
        except BadInput as error:
            self.form.wrong.setText(str(error))
            return
        proposed = self.form.saved.currentData() or setup.model or setup.provider
        name, is_given = QInputDialog.getText(self, "Save judge", "Name", text=proposed.replace(":", " "))
        if is_given:
            self.save_as(name)

    def save_as(self, name: str) -> None:
        """Keep the judge of the form under a name."""
        project, setup = self._context.project, self.form.setup()

        def keep() -> Any:
            changes = judge_names.save_judge(project, name, setup)
            return changes, judge_names.saved_judges(project), " ".join(name.split())

        self._query(keep, self._on_names_changed)

    @Slot(str)
    def _on_forget_asked(self, name: str) -> None:
        project = self._context.project
        self._query(
            lambda: (judge_names.forget_judge(project, name), judge_names.saved_judges(project), ""),
            self._on_names_changed,
        )

    def _on_names_changed(self, found: Any) -> None:
        changes, saved, chosen = found
        self.form.set_saved(saved, chosen=chosen)
        self._context.announce(changes)

    @Slot(str)
    def _on_key_asked(self, provider: str) -> None:
        def kept(states: Any) -> None:
            self.form.set_keys(states)
            self._on_changed()

        ask_for_key(self._context, self, provider, kept)

    def done(self, result: int) -> None:  # @override
        self._stop()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:  # @override
        self._stop()
        super().closeEvent(event)

    def _stop(self) -> None:
        self._drop()
        self._wait.stop()
