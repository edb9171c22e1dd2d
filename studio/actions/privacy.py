"""Looking for what names a deck's maker, in one file or in a whole project."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from studio.decks.privacy import Finding, privacy_findings
from studio.errors import DeckUnreadable
from studio.model.decks import Deck, DeckStatus
from studio.model.passwords import PasswordVault
from studio.model.protocols import CancelToken
from studio.store import decks as deck_store
from studio.store.project import Project


def file_findings(path: Path, *, systems: Sequence[str] = (), password: str | None = None) -> dict[str, Any]:
    """Return what one file tells about its maker, as JSON values; see `privacy_findings` for what it raises."""
    return _row(path.name, privacy_findings(path, systems=systems, password=password))


def project_findings(project: Project, *, cancel: CancelToken) -> list[dict[str, Any]]:
    """Return one row for each deck: what in it names any of the project's systems or a known product.

    A deck that cannot be read has its `failure` instead of findings.
    """
    systems = [system.name for system in deck_store.list_systems(project)]
    instances = {item.id: item.name for item in deck_store.list_instances(project)}
    rows = []
    for deck in deck_store.list_decks(project):
        if cancel.is_set() or deck.status is not DeckStatus.PRESENT or deck.asset is None:
            continue
        about = {"instance": instances[deck.instance_id], "deck_id": deck.id, "system": deck.system}
        try:
            found = privacy_findings(
                project.asset_path(deck.asset, deck.extension), systems=systems, file_name=deck.original_name
            )
        except DeckUnreadable as error:
            empty = _row(deck.original_name, ())
            rows.append(about | empty | {"failure": {"kind": str(error.kind), "message": str(error)}})
            continue
        rows.append(about | _row(deck.original_name, found))
    return rows


def deck_findings(project: Project, deck: Deck, passwords: PasswordVault | None = None) -> tuple[Finding, ...]:
    """Return what in one deck of a project names its maker; nothing for a deck without a file.

    Raises:
        DeckUnreadable: if its file cannot be read.
    """
    if deck.status is not DeckStatus.PRESENT or deck.asset is None:
        return ()
    return privacy_findings(
        project.asset_path(deck.asset, deck.extension),
        systems=[system.name for system in deck_store.list_systems(project)],
        file_name=deck.original_name,
        password=passwords.of(deck.asset) if passwords else None,
    )


def _row(name: str, found: Sequence[Finding]) -> dict[str, Any]:
    return {
        "file": name,
        "findings": [
            {
                "where": item.where.value, "what": item.what, "slide": item.slide, "text": item.text,
                "name": item.name or None, "stripped_in_packs": item.is_stripped,
            }
            for item in found
        ],
        "failure": None,
    }  # fmt: skip
