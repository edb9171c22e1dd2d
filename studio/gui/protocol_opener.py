"""Opens the form of protocols A to C for the deck that has the focus on a stage."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from studio.actions.editability import OpenForm, open_form
from studio.actions.sessions import be_annotator
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.dialogs.protocol_form import ProtocolForm
from studio.gui.widgets.deck_stage import DeckStage
from studio.model.answers import Role
from studio.model.ids import DeckId


class ProtocolOpener(QObject):
    """Owns the dialog that is open, one at a time."""

    opened = Signal()
    """The form is on the screen."""

    def __init__(self, context: AppContext, stage: DeckStage, parent: QWidget) -> None:
        super().__init__(parent)
        self._context, self._stage, self._page = context, stage, parent
        self._ticket: Ticket | None = None
        self.dialog: ProtocolForm | None = None

    def open(self) -> None:
        """Show the form of the focused deck as this person left it."""
        deck = self._stage.deck(self._stage.focused)
        settings = self._context.settings
        name = settings.text("profile_name").strip()
        if deck is None or self._ticket is not None:
            return
        if self.dialog is not None and isValid(self.dialog):
            self.dialog.raise_()
            self.dialog.activateWindow()
            return
        if self._context.project.is_read_only:
            self._context.toast("The project is open read-only, so nothing can be answered.")
            return
        if not name:
            self._context.toast("Give your name in Settings first: it is stored with your answers.")
            return
        read = partial(
            _read, self._context.project, deck.id, name, settings.text("profile_group"), Role(settings.role.value)
        )
        self._ticket = self._context.background.query(
            read, partial(self._on_read, deck.name, deck.id), self._on_failed, owner=self
        )

    def close(self) -> None:
        """Close the form; what was answered is stored."""
        if self._ticket is not None:
            self._ticket.drop()
            self._ticket = None
        if self.dialog is not None and isValid(self.dialog):
            self.dialog.close()
        self.dialog = None

    def _on_read(self, name: str, deck: DeckId, opened: OpenForm) -> None:
        self._ticket = None
        self.dialog = ProtocolForm(self._context, opened, name, deck, self._page)
        self.dialog.show()
        self.dialog.activateWindow()
        self.opened.emit()

    def _on_failed(self, error: BaseException) -> None:
        self._ticket = None
        self._context.report(error)


def _read(project: Any, deck: DeckId, name: str, group: str, role: Role) -> OpenForm:
    return open_form(project, deck, be_annotator(project, name, group=group, role=role).id)
