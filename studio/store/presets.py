"""Named parameters of metrics that belong to a project."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from studio.errors import BadInput
from studio.store.project import Project, utc_now
from studio.store.values import from_json, to_json


@dataclass(frozen=True, kw_only=True)
class StoredPreset:
    """Named parameters as stored."""

    name: str
    parameters: dict[str, Any]
    """As `AestheticsParameters.to_json` writes them."""
    provenance: dict[str, Any] = field(default_factory=dict)
    """Where they come from, as JSON values; ``kind`` says how: imported, tuned, …"""
    at: str = ""
    """When they were stored, ISO 8601 UTC."""


def save_preset(project: Project, preset: StoredPreset) -> StoredPreset:
    """Store named parameters and return them with the time.

    A name stands for one set of parameters for ever: scores carry the name only.

    Raises:
        BadInput: if the name stands for other parameters already.
    """
    with project.writing(is_durable=True) as db:
        known = get_preset(project, preset.name)
        if known is not None:
            if known.parameters == preset.parameters:
                return known
            raise BadInput(
                f"The project has a preset {preset.name} with other parameters.",
                next_step="Choose another name: scores that were made with it keep it.",
            )
        stored = StoredPreset(
            name=preset.name, parameters=preset.parameters, provenance=preset.provenance, at=utc_now()
        )
        db.execute(
            "INSERT INTO presets (name, parameters, provenance, at) VALUES (?, ?, ?, ?)",
            [stored.name, to_json(stored.parameters), to_json(stored.provenance), stored.at],
        )
    return stored


def get_preset(project: Project, name: str) -> StoredPreset | None:
    """Return the project's preset of this name, or None."""
    return next((preset for preset in list_presets(project) if preset.name == name), None)


def list_presets(project: Project) -> list[StoredPreset]:
    """Return the project's own presets, oldest first."""
    return [
        StoredPreset(
            name=row["name"], parameters=from_json(row["parameters"]), provenance=from_json(row["provenance"]),
            at=row["at"],
        )
        for row in project.reading().query("SELECT * FROM presets ORDER BY at, name")
    ]  # fmt: skip
