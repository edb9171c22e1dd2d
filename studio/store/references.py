"""Named references: how a corpus of decks is distributed, kept as one JSON document each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from studio.errors import BadInput
from studio.store.project import Project, utc_now
from studio.store.values import from_json, to_json


@dataclass(frozen=True, kw_only=True)
class StoredReference:
    """A reference as stored."""

    name: str
    content: dict[str, Any]
    """The document that `studio.metrics.references` reads."""
    provenance: dict[str, Any] = field(default_factory=dict)
    at: str = ""
    """When it was stored, ISO 8601 UTC."""


def save_reference(project: Project, reference: StoredReference, *, replace: bool = False) -> StoredReference:
    """Store a reference and return it with the time; one that is the same in content stays as it was.

    Raises:
        BadInput: if there is another one of that name and `replace` is not asked for.
    """
    with project.writing(is_durable=True) as db:
        known = get_reference(project, reference.name)
        if known is not None and known.content == reference.content:
            return known
        if known is not None and not replace:
            raise BadInput(
                f"The project has a reference {reference.name} already.",
                next_step="Choose another name, or replace it with --replace.",
            )
        stored = StoredReference(
            name=reference.name, content=reference.content, provenance=reference.provenance, at=utc_now()
        )
        db.execute(
            "INSERT OR REPLACE INTO metric_references (name, content, provenance, at) VALUES (?, ?, ?, ?)",
            [stored.name, to_json(stored.content), to_json(stored.provenance), stored.at],
        )
    return stored


def get_reference(project: Project, name: str) -> StoredReference | None:
    """Return the reference of this name, or None."""
    return next((each for each in list_references(project) if each.name == name), None)


def list_references(project: Project) -> list[StoredReference]:
    """Return the project's references, oldest first."""
    return [
        StoredReference(
            name=row["name"], content=from_json(row["content"]), provenance=from_json(row["provenance"]), at=row["at"]
        )
        for row in project.reading().query("SELECT * FROM metric_references ORDER BY at, name")
    ]
