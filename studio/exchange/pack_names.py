"""What keeps a pack blind: names masked in words, files told by a keyed hash."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

from studio.model.decks import Deck
from studio.store.project import Project

MASK = "•••"


def deck_token(project: Project, deck: Deck) -> str:
    """Return what tells a deck's file in packs: nobody without the project can tell which file it is."""
    secret = f"{project.id}\x1f{project.meta('seed')}\x1f{project.meta('created_at', '')}".encode()
    return hmac.new(secret, (deck.asset or "").encode(), hashlib.sha256).hexdigest()


def masker(names: Iterable[str]) -> Callable[[str], str]:
    """Return a function that puts a mask in place of these names, whatever their case.

    Names of one or two letters are masked only where they stand alone.
    """
    parts = []
    for name in sorted({name.strip() for name in names if name.strip()}, key=len, reverse=True):
        pattern = re.escape(name)
        parts.append(pattern if len(name) > 2 else rf"(?<!\w){pattern}(?!\w)")
    if not parts:
        return lambda text: text
    found = re.compile("|".join(parts), re.IGNORECASE)
    return lambda text: found.sub(MASK, text)


def telling_names(systems: Iterable[str], decks: Iterable[Deck]) -> set[str]:
    """Return what must not stand in a pack: systems and file names, these also without ending."""
    names = set(systems)
    for deck in decks:
        if deck.original_name:
            names |= {deck.original_name, PurePosixPath(deck.original_name).stem}
    return names
