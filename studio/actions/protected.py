"""Opening what is protected with a password, which is kept in memory only."""

from __future__ import annotations

from dataclasses import replace

from studio.actions.care import deck_of
from studio.decks.sources import read_source
from studio.decks.structure import inspect_file
from studio.errors import BadInput, DeckUnreadable
from studio.model.changes import Changes, Topic, changed
from studio.model.decks import DeckStatus, FailureKind, Source
from studio.model.ids import DeckId
from studio.model.passwords import PasswordVault
from studio.store import decks as deck_store
from studio.store.project import Project


def open_deck(project: Project, deck_id: DeckId, password: str, vault: PasswordVault) -> Changes:
    """Read a protected deck with a password; if it opens, keep the password in `vault` for drawing its slides.

    Raises:
        BadInput: if the password is wrong; nothing is kept and nothing is changed.
        DeckUnreadable: if the file opens but cannot be used.
    """
    deck = deck_of(project, deck_id)
    if deck.asset is None:
        raise BadInput(f"{deck.system} has no file.", next_step="Import its deck.")
    facts = inspect_file(project.asset_path(deck.asset, deck.extension), password=password)
    if facts.failure is not None:
        if facts.failure.kind == FailureKind.NEEDS_PASSWORD:
            raise _wrong(deck.original_name)
        raise DeckUnreadable(facts.failure.kind, f"{deck.original_name}: {facts.failure.message}")
    vault.give(deck.asset, password)
    if deck.status is DeckStatus.PRESENT:
        return changed()
    opened = replace(
        deck, status=DeckStatus.PRESENT, reason="", format=facts.format, slides=facts.slides or 0,
        hidden_slides=facts.hidden_slides or 0, warnings=facts.warnings,
    )  # fmt: skip
    deck_store.replace_deck(project, opened, facts=facts)
    return changed(Topic.DECKS)


def open_source(project: Project, source: Source, password: str, vault: PasswordVault) -> None:
    """Read a protected source with a password; if it opens, keep the password in `vault`.

    Raises:
        BadInput: if the password is wrong; nothing is kept.
        DeckUnreadable: if the file opens but cannot be read.
    """
    path = project.asset_path(source.asset, source.extension)
    try:
        read_source(path, source.format, password=password)
    except DeckUnreadable as error:
        if error.kind == FailureKind.NEEDS_PASSWORD:
            raise _wrong(source.name) from None
        raise
    vault.give(source.asset, password)


def _wrong(name: str) -> BadInput:
    return BadInput(f"This password does not open {name}.", next_step="Check it and try again.")
