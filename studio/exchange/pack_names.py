"""What keeps a pack blind: names masked in words, files told by a keyed hash."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

from studio.model.decks import Deck
from studio.store.project import Project

MASK = "•••"
_SECRET_META = "pack_secret"


def keyed_token(project: Project, *parts: str) -> str:
    """Return a token of 64 hex digits for a text in parts; nobody without the project can check a guess at it.

    Its key is drawn by chance when it is first needed, and never leaves the project.
    """
    secret = project.meta(_SECRET_META, "")
    if not secret:
        secret = secrets.token_hex(32)
        project.set_meta(_SECRET_META, secret)
    return hmac.new(secret.encode(), "\x1f".join(parts).encode(), hashlib.sha256).hexdigest()


def deck_token(project: Project, deck: Deck) -> str:
    """Return what tells a deck's file in packs: nobody without the project can tell which file it is."""
    return keyed_token(project, deck.asset or "")


def deck_tokens(project: Project, deck: Deck) -> frozenset[str]:
    """Return what a deck's file is called in packs of this release and of those before, whose key was a weaker one."""
    before = f"{project.id}\x1f{project.meta('seed')}\x1f{project.meta('created_at', '')}".encode()
    older = hmac.new(before, (deck.asset or "").encode(), hashlib.sha256).hexdigest()
    return frozenset({deck_token(project, deck), older})


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
