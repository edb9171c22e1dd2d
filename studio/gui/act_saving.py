"""Acts on the answer that is open: done, stored, said when they are not, and tried again."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from studio.actions.answer_desk import OpenUnit
from studio.actions.sessions import answers_changed
from studio.errors import BadInput, StudioError
from studio.gui.context import AppContext

RETRY_MS = 3000
"""How soon what could not be stored is tried again."""
READ_ONLY = "The project is open read-only: nothing can be changed here."
CLOSED = "The study is closed: nothing can be changed here."
_log = logging.getLogger(__name__)


class ActSaving(QObject):
    """Does acts on one unit at a time; an act that cannot be stored waits in the unit's outbox and shows as not saved.

    Args:
        context: of the window.
        page_id: the page whose acts these are.
        parent: the page.
    """

    shown = Signal()
    """The answer may look different now."""
    acted = Signal()
    """The answer is another one now."""
    trouble_told = Signal(str)
    """Why something is not saved; empty once everything is."""

    def __init__(self, context: AppContext, page_id: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context, self._page_id = context, page_id
        self._unit: OpenUnit | None = None
        self._is_front = False
        self._has_logged = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.retry)

    def begin(self, unit: OpenUnit | None) -> None:
        """Do what follows to this unit."""
        self._unit = unit
        self.trouble_told.emit("")

    def set_front(self, is_front: bool) -> None:
        """Say whether the page is in front: only then the top bar is its own."""
        self._is_front = is_front

    @property
    def is_locked(self) -> bool:
        """Whether nothing can be changed."""
        return bool(self._context.project.is_read_only) or (self._unit is not None and self._unit.study.is_closed)

    @property
    def has_waiting(self) -> bool:
        """Whether acts wait to be stored."""
        return self._unit is not None and bool(self._unit.outbox.waiting)

    def act(self, do: Callable[[Any], object]) -> bool:
        """Do something to the answer; return whether it and all before it is stored."""
        unit = self._unit
        if unit is None:
            return False
        if self.is_locked:
            self._context.toast(READ_ONLY if self._context.project.is_read_only else CLOSED)
            self.shown.emit()
            return False
        before = unit.session.acts
        try:
            do(unit.session)
        except BadInput as error:
            self._context.toast(str(error))
            self.shown.emit()
            return False
        self.shown.emit()
        self.tell()
        if before != unit.session.acts:
            self.acted.emit()
            if not unit.outbox.waiting:
                self._context.announce(answers_changed(self._page_id))
        return not unit.outbox.waiting

    def flush(self) -> bool:
        """Try to store what waits; return whether nothing waits any more."""
        return self._unit is None or self._unit.outbox.flush()

    def tell(self) -> None:
        """Say once that something is not saved, and when it is; tries go on by themselves."""
        if self._unit is None:
            return
        outbox = self._unit.outbox
        if outbox.waiting:
            if not self._has_logged:
                _log.error("an answer could not be stored: %s", outbox.trouble, exc_info=outbox.trouble)
            self._has_logged = True
            self.trouble_told.emit(f"Not saved: {words_of(outbox.trouble)}")
            self._context.set_saved("not saved")
            if not self._timer.isActive():
                self._timer.start(RETRY_MS)
        else:
            self._has_logged = False
            self.trouble_told.emit("")
            self.show_saved()

    @Slot()
    def retry(self) -> None:
        """Try to store what waits, now."""
        if self._unit is None:
            return
        had_waiting = bool(self._unit.outbox.waiting)
        if self._unit.outbox.flush() and had_waiting:
            self._context.announce(answers_changed(self._page_id))
        self.tell()

    def stop(self) -> None:
        """Try no more: the project closes."""
        self._timer.stop()

    def trouble_words(self) -> str:
        """Return why acts wait."""
        return words_of(self._unit.outbox.trouble) if self._unit is not None else ""

    def show_saved(self) -> None:
        """Say in the top bar when the answer was stored last."""
        if not self._is_front or self._unit is None:
            return
        saved_at = self._unit.session.saved_at
        if self.is_locked:
            self._context.set_saved("read-only")
        elif self._unit.outbox.waiting:
            self._context.set_saved("not saved")
        elif saved_at:
            self._context.set_saved(f"saved {datetime.fromisoformat(saved_at).astimezone():%H:%M:%S}")
        else:
            self._context.set_saved("")


def words_of(error: BaseException | None) -> str:
    """Return why something could not be stored, as a sentence."""
    if error is None:
        return "it is tried again."
    return str(error) if isinstance(error, StudioError) else f"{error}."
