"""Editing the records behind the library: instances, systems, and why a system has no deck."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from studio.actions import care as care_actions
from studio.actions import library as library_actions
from studio.actions.library import Cell, Library
from studio.gui.context import AppContext
from studio.gui.dialogs.absence_record import AbsenceRecord
from studio.gui.dialogs.instance_record import InstanceRecord
from studio.gui.dialogs.system_record import SystemRecord
from studio.model.changes import Changes
from studio.model.decks import DeckStatus, Instance, System


class LibraryRecords(QObject):
    """Opens the dialogs and stores what they give, off the main thread."""

    def __init__(self, context: AppContext, owner: QWidget) -> None:
        super().__init__(owner)
        self._context = context
        self._owner = owner

    @property
    def _is_read_only(self) -> bool:
        return bool(self._context.project.is_read_only)

    def edit_instance(self, library: Library, instance: Instance) -> None:
        """Open the record of an instance."""
        taken = {row.instance.name for row in library.rows if row.instance.id != instance.id}
        dialog = InstanceRecord(instance, taken=taken, is_read_only=self._is_read_only, parent=self._owner)
        dialog.record_saved.connect(self._on_instance_saved)
        dialog.open()

    def edit_system(self, library: Library, system: System) -> None:
        """Open the record of a system."""
        taken = {other.name for other in library.systems if other.id != system.id}
        dialog = SystemRecord(system, taken=taken, is_read_only=self._is_read_only, parent=self._owner)
        dialog.record_saved.connect(self._on_system_saved)
        dialog.open()

    def edit_absence(self, instance: Instance, cell: Cell) -> None:
        """Ask why there is no deck in a cell."""
        if self._is_read_only:
            self._context.toast("The project is open read-only, so nothing can be changed.")
            return
        dialog = AbsenceRecord(instance, cell, self._owner)
        dialog.record_saved.connect(partial(self._on_absence_saved, instance, cell.system))
        dialog.open()

    @Slot(object)
    def _on_instance_saved(self, instance: Instance) -> None:
        self._store(partial(care_actions.save_instance, self._context.project, instance))

    @Slot(object)
    def _on_system_saved(self, system: System) -> None:
        self._store(partial(care_actions.save_system, self._context.project, system))

    def _on_absence_saved(self, instance: Instance, system: System, status: DeckStatus, reason: str) -> None:
        project = self._context.project
        self._store(partial(library_actions.record_absence, project, instance.id, system, status, reason))

    def _store(self, save: Callable[[], Changes]) -> None:
        self._context.background.query(save, self._context.announce, self._context.report, owner=self)
