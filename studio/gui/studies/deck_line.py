"""A line in which a deck is named, with proposals while one types."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtWidgets import QCompleter, QLineEdit

from studio.errors import BadInput
from studio.model.ids import DeckId


def propose_decks(line: QLineEdit, decks: Mapping[DeckId, str]) -> None:
    """Let a line propose decks by what an author calls them; any part of the words finds one."""
    completer = QCompleter(line)
    completer.setModel(QStringListModel(list(decks.values()), completer))
    completer.setFilterMode(Qt.MatchFlag.MatchContains)
    completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    line.setCompleter(completer)
    line.setPlaceholderText("Instance · system")


def deck_named(words: str, decks: Mapping[DeckId, str]) -> DeckId:
    """Return the deck that an author calls so, or whose id this is.

    Raises:
        BadInput: if there is none, or more than one.
    """
    found = [deck for deck, name in decks.items() if words in (name, deck)]
    if len(found) != 1:
        raise BadInput(
            f"{len(found) or 'No'} deck{'s are' if len(found) > 1 else ' is'} called {words or 'nothing'}.",
            next_step="Choose one from the list that opens while you type.",
        )
    return found[0]
