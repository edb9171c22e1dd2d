"""Replacing, renaming and removing from the library, passwords, and opening originals: the window's side."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from studio.actions import care as care_actions
from studio.actions import library as library_actions
from studio.actions import protected
from studio.actions.library import Cell
from studio.errors import StudioError
from studio.gui.context import AppContext
from studio.gui.dialogs.password import PasswordDialog
from studio.gui.dialogs.record_form import RecordField, RecordForm
from studio.model.changes import Changes
from studio.model.decks import Deck
from studio.model.ids import DeckId
from studio.store.care import Kind, ProjectAct

Acted = tuple[ProjectAct | None, Changes]


class LibraryCare(QObject):
    """Runs the actions off the main thread and tells what was done. Lives as long as the page that owns it."""

    acted = Signal(object)
    """The `ProjectAct` that was just stored."""
    drawing_wanted = Signal(str)
    """A deck has a file without pictures now."""

    def __init__(self, context: AppContext, owner: QWidget) -> None:
        super().__init__(owner)
        self._context, self._owner = context, owner

    # acts

    def ask_replacement(self, deck: Deck) -> None:
        """Ask for the file that takes the place of a deck's."""
        dialog = QFileDialog(self._owner, f"Replace the file of {deck.system}")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(partial(self._on_file_selected, deck.id))
        dialog.open()

    def _on_file_selected(self, deck_id: DeckId, path: str) -> None:
        self.replace(deck_id, Path(path))

    def replace(self, deck_id: DeckId, path: Path) -> None:
        """Give a deck another file; drawing it follows by itself."""
        self._run(partial(care_actions.replace_deck_file, self._context.project, deck_id, path))

    def ask_name(self, deck: Deck) -> None:
        """Ask for the name that a deck's file is shown under."""
        dialog = NameRecord(deck.system, deck.original_name, self._owner)
        dialog.name_given.connect(partial(self.rename, Kind.DECK, deck.id))
        dialog.open()

    def rename(self, kind: Kind, target_id: str, name: str) -> None:
        """Give something another name."""
        self._run(partial(care_actions.rename, self._context.project, kind, target_id, name))

    def remove(self, kind: Kind, target_id: str) -> None:
        """Hide something; the bar that says so offers to undo it."""
        self._run(partial(care_actions.remove, self._context.project, kind, target_id))

    def undo(self) -> None:
        """Take the last act back."""
        self._run(partial(care_actions.undo, self._context.project))

    def redo(self) -> None:
        """Bring back what was taken back last."""
        self._run(partial(care_actions.redo, self._context.project))

    def _run(self, fn: Callable[[], Acted]) -> None:
        self._context.background.query(fn, self._on_acted, self._context.report, owner=self)

    def _on_acted(self, result: Acted) -> None:
        done, changes = result
        self._context.announce(changes)
        if done is None:
            return
        self.acted.emit(done)
        if done.kind is Kind.DECK and done.after.get("asset"):
            self.drawing_wanted.emit(done.target_id)

    # passwords

    def ask_password(self, cell: Cell) -> None:
        """Ask for the password of a deck's file; once it opens, its slides are drawn."""
        deck = cell.deck
        if deck is None:
            return
        attempt = _Attempt(self._context, deck.id)
        dialog = PasswordDialog(deck.original_name or deck.system, attempt, self._context.background, self._owner)
        dialog.opened.connect(partial(self._on_deck_opened, deck.id))
        dialog.open()

    def _on_deck_opened(self, deck_id: DeckId, changes: Changes) -> None:
        self._context.announce(changes)
        self.drawing_wanted.emit(deck_id)

    # originals

    def open_original(self, deck: Deck) -> None:
        """Open a read-only copy of a deck's file in its own program."""
        self._context.background.query(
            partial(library_actions.copy_deck_for_viewing, self._context.project, deck),
            self.show_file,
            self._context.report,
            owner=self,
        )

    def show_file(self, path: Path) -> None:
        """Open a file in the program that is set for its kind."""
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            self._context.report(
                StudioError(f"No program opens {path.name}.", next_step="Set one for this kind of file, then retry.")
            )


class NameRecord(RecordForm):
    """Asks for another name of a deck's file."""

    name_given = Signal(str)

    def __init__(self, system: str, name: str, parent: QWidget | None = None) -> None:
        help_words = "Shown in place of the file's name; the file itself stays as it is."
        field = RecordField(name="name", words="Name", value=name, help=help_words)
        super().__init__(f"Rename the deck of {system}", (field,), parent=parent)
        self.resize(520, 240)

    def take(self, values: dict[str, str]) -> None:  # @override
        self.name_given.emit(values["name"])


class _Attempt:
    """Tries a password on a deck; a callable of its own so that no log ever prints one with its arguments."""

    def __init__(self, context: AppContext, deck_id: DeckId) -> None:
        self._context, self._deck_id = context, deck_id

    def __call__(self, password: str) -> Changes:
        return protected.open_deck(self._context.project, self._deck_id, password, self._context.passwords)
