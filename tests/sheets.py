"""Checklists of people in tests."""

from __future__ import annotations

from studio.model.answers import AnswerStatus
from studio.sessions.checklist import ChecklistSheet, DeckState, Unit


def submit_as_it_is(sheet: ChecklistSheet) -> None:
    """Submit each deck that has an answer, also where a test leaves most items open, as rows of a table do."""
    for deck in sheet.decks:
        if any(sheet.reply(Unit(deck, item.id)).answer is not None for item in sheet.items[deck]):
            sheet._set_deck("submit", deck, DeckState(status=AnswerStatus.SUBMITTED))
