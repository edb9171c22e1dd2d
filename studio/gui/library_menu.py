"""What can be done on the Library page, by key and in the context menu of a cell."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtWidgets import QMenu, QWidget

from studio.actions import library as library_actions
from studio.actions.library import Cell, CellState
from studio.gui.context import AppContext
from studio.gui.shortcuts import Action
from studio.store.care import Kind

FIRST_OF_GROUP = frozenset({"original", "replace", "remove_deck"})
"""Entries of the context menu with a line above them."""
ABSENT = frozenset({CellState.MISSING, CellState.NOT_SUPPORTED, CellState.FAILED})
"""Cells without a deck, whose reason can be recorded."""


def page_actions(page: Any) -> list[Action]:
    """Return the actions of a `LibraryPage`."""

    def act(name: str, words: str, run: Any, *keys: str) -> Action:
        return Action(id=f"library.{name}", words=words, run=run, keys=keys, page="library")

    return [
        act("open", "Compare the decks of this instance", page.open_cell, "Return"),
        act("retry", "Render this deck again", page.retry_cell, "R"),
        act("render_all", "Render all decks without pictures", page.render_all, "Shift+R"),
        act("filter", "Filter instances", page.focus_filter, "Ctrl+F"),
        act("no_filter", "Show all instances", page.clear_filter, "Ctrl+Shift+F"),
        act("details", "Show or hide the details", page.toggle_details, "D"),
        act("warnings", "Show the warnings of this deck", page.show_warnings, "W"),
        act("absence", "Record why there is no deck…", page.edit_absence, "N"),
        act("edit_instance", "Edit the instance", page.edit_instance, "E"),
        act("edit_system", "Edit the system", page.edit_system, "Shift+E"),
        act("replace", "Replace the file of this deck…", page.replace_deck, "Ctrl+R"),
        act("rename", "Rename this deck…", page.rename_deck, "F2"),
        act("remove_deck", "Remove this deck", partial(page.remove, Kind.DECK), "Delete"),
        act("remove_system", "Remove this system", partial(page.remove, Kind.SYSTEM), "Shift+Delete"),
        act("remove_instance", "Remove this instance", partial(page.remove, Kind.INSTANCE), "Ctrl+Delete"),
        act("undo", "Undo", page.undo, "Ctrl+Z"),
        act("redo", "Redo", page.redo, "Ctrl+Shift+Z"),
        act("password", "Give the password…", page.give_password, "P"),
        act("original", "Open the original in its program", page.open_original, "Ctrl+Shift+O"),
        act("last_import", "Show the last import", page.show_last_import),
    ]


def cell_menu(context: AppContext, cell: Cell, parent: QWidget) -> QMenu:
    """Return the context menu of a cell: its actions, those that do not fit it switched off."""
    can_change = not context.project.is_read_only
    can = {
        "open": cell.state is CellState.RENDERED,
        "retry": can_change and cell.state in library_actions.PRESENT,
        "warnings": cell.deck is not None and bool(cell.deck.warnings),
        "absence": can_change and cell.state in ABSENT,
        "password": cell.needs_password and can_change,
        "original": cell.deck is not None and cell.deck.asset is not None,
        "details": True,
        "replace": can_change and cell.deck is not None,
        "rename": can_change and cell.deck is not None and cell.deck.asset is not None,
        "edit_system": can_change,
        "edit_instance": can_change,
        "remove_deck": can_change and cell.deck is not None,
        "remove_system": can_change,
        "remove_instance": can_change,
    }
    menu = QMenu(parent)
    for name, is_on in can.items():
        if name in FIRST_OF_GROUP:
            menu.addSeparator()
        action = context.shortcuts.action(f"library.{name}")
        entry = menu.addAction(action.words)
        entry.setEnabled(is_on)
        entry.triggered.connect(action.run)
    return menu
