"""Dated snapshots of a benchmark: what it held and what came of it, frozen when somebody asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from studio.errors import BadInput
from studio.store.project import Project, utc_now
from studio.store.values import from_json, to_json


@dataclass(frozen=True, kw_only=True)
class StoredSnapshot:
    """One snapshot; its content is only read when it is asked for."""

    number: int
    name: str
    at: str
    author: str
    note: str
    content_hash: str
    """SHA-256 of the content: equal for equal states of the benchmark."""


def add(
    project: Project, *, name: str, author: str, note: str, content_hash: str, content: Mapping[str, Any]
) -> StoredSnapshot:  # fmt: skip
    """Store a snapshot and return it with its number; durable when this returns.

    Raises:
        BadInput: if the name is blank or taken.
    """
    name = name.strip()
    if not name:
        raise BadInput("A snapshot needs a name.", next_step="Give it one, such as 2026-12 release.")
    at = utc_now()
    with project.writing(is_durable=True) as db:
        if any(each.name == name for each in list_all(project)):
            raise BadInput(f"There is a snapshot {name} already.", next_step="Choose another name.")
        cursor = db.execute(
            "INSERT INTO snapshots (name, at, author, note, content_hash, content) VALUES (?, ?, ?, ?, ?, ?)",
            [name, at, author, note, content_hash, to_json(dict(content))],
        )
        number = int(cursor.lastrowid or 0)
    return StoredSnapshot(number=number, name=name, at=at, author=author, note=note, content_hash=content_hash)


def list_all(project: Project) -> list[StoredSnapshot]:
    """Return all snapshots, oldest first, without their content."""
    rows = project.reading().query("SELECT number, name, at, author, note, content_hash FROM snapshots ORDER BY number")
    return [StoredSnapshot(**row) for row in rows]


def content_of(project: Project, number: int) -> dict[str, Any]:
    """Return what a snapshot holds."""
    row = project.reading().execute("SELECT content FROM snapshots WHERE number = ?", [number]).fetchone()
    found: dict[str, Any] = from_json(row[0])
    return found
