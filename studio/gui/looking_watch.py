"""Keeps what was looked at and stores it now and then, off the main thread, so that no page waits for it."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Slot

from studio.actions.answer_desk import OpenUnit, store_looked, with_ids
from studio.gui.background import Background
from studio.model.ids import DeckId
from studio.sessions.looking import Looked

FLUSH_MS = 5000
_log = logging.getLogger(__name__)


class LookingWatch(QObject):
    """What was looked at and is not stored yet, of whatever unit.

    Each part has an id, so that one that may have been stored already can be handed in again.
    """

    def __init__(self, background: Background, project: Any, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = background
        self._project = project
        self._unit: OpenUnit | None = None
        self._waiting: dict[str, tuple[OpenUnit, Looked]] = {}
        self._has_failed = False
        self._timer = QTimer(self)
        self._timer.setInterval(FLUSH_MS)
        self._timer.timeout.connect(self.flush)

    def begin(self, unit: OpenUnit) -> None:
        """Keep what is looked at of this unit from now on."""
        self._unit = unit
        self._timer.start()

    def show(self, slides: Iterable[tuple[DeckId, int]], *, has_source: bool) -> None:
        """Say what is on the screen."""
        if self._unit is not None:
            self._unit.looking.show(slides, has_source=has_source)

    def away(self) -> None:
        """Note that nobody looks any more."""
        if self._unit is not None:
            self._unit.looking.away()

    def end(self) -> None:
        """Store what the unit came to, and let go of it."""
        if self._unit is not None:
            self.away()
            self._take()
            self._unit = None
            self._timer.stop()
            self.flush()

    def stop(self) -> None:
        """Store everything at once: the project closes."""
        self.end()
        if not self._waiting or self._project.is_read_only:
            return
        try:
            self._store(dict(self._waiting))
        except Exception:
            _log.exception("what was looked at could not be stored")

    @Slot()
    def flush(self) -> None:
        """Hand what waits to the store, in the background."""
        self._take()
        if self._waiting and not self._project.is_read_only:
            part = dict(self._waiting)
            store = partial(self._store, part)
            self._background.query(store, partial(self._on_stored, part), self._on_failed, owner=self)

    def _take(self) -> None:
        if self._unit is not None:
            for uid, looked in with_ids(self._unit.looking.take()):
                self._waiting[uid] = (self._unit, looked)

    def _store(self, part: dict[str, tuple[OpenUnit, Looked]]) -> None:
        units = {id(unit): unit for unit, _ in part.values()}
        for key, unit in units.items():
            mine = [(uid, looked) for uid, (owner, looked) in part.items() if id(owner) == key]
            store_looked(self._project, unit, mine)

    def _on_stored(self, part: dict[str, tuple[OpenUnit, Looked]], _nothing: object) -> None:
        self._has_failed = False
        for uid in part:
            self._waiting.pop(uid, None)

    def _on_failed(self, error: BaseException) -> None:
        # Kept, and tried again with the next part; the page says "not saved" by the answer itself.
        if not self._has_failed:
            _log.warning("what was looked at is not stored yet: %s", error)
        self._has_failed = True
