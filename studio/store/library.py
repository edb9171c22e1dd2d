"""Reads for a whole library at once: what a matrix of decks needs, without one query for each deck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from studio.model.decks import thumb_file_name
from studio.model.ids import DeckId
from studio.store.project import Project
from studio.store.values import from_json, plain


def first_thumbnails(project: Project) -> dict[DeckId, Path]:
    """Return where the small picture of each rendered deck's first visible slide lies; it may have been deleted."""
    rows = _rows(
        project,
        "SELECT r.deck_id AS deck_id, r.folder AS folder, min(s.number) AS number FROM renders r "
        "JOIN decks d ON d.id = r.deck_id AND d.asset = r.asset "
        "JOIN slides s ON s.deck_id = r.deck_id AND s.page IS NOT NULL "
        "WHERE r.state = 'rendered' GROUP BY r.deck_id",
    )
    return {
        DeckId(row["deck_id"]): project.cache_folder / str(row["folder"]) / thumb_file_name(int(row["number"]))
        for row in rows
    }


def stored_assets(project: Project) -> frozenset[str]:
    """Return the names of the original files that are there."""
    folder = project.folder / "assets"
    return frozenset(entry.name for entry in folder.iterdir()) if folder.is_dir() else frozenset()


def cached_folders(project: Project) -> frozenset[str]:
    """Return the names of what is in the cache, such as the folders of rendered pages."""
    folder = project.cache_folder
    return frozenset(entry.name for entry in folder.iterdir()) if folder.is_dir() else frozenset()


def facts_of(project: Project, deck_id: DeckId) -> dict[str, Any]:
    """Return what `inspect` said of one deck, as JSON values; empty for a deck without a file."""
    row = next(_rows(project, "SELECT facts FROM decks WHERE id = ?", [deck_id]), None)
    facts: dict[str, Any] = from_json(row["facts"]) if row else {}
    return facts


def hidden_slides(project: Project, deck_id: DeckId) -> tuple[int, ...]:
    """Return the numbers of a deck's hidden slides, from 1."""
    rows = _rows(project, "SELECT number FROM slides WHERE deck_id = ? AND is_hidden ORDER BY number", [deck_id])
    return tuple(int(row["number"]) for row in rows)


def _rows(project: Project, sql: str, parameters: Sequence[object] = ()) -> Iterator[dict[str, Any]]:
    return iter(project.reading().query(sql, [plain(value) for value in parameters]))
