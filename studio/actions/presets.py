"""Parameters of the aesthetics metrics under a name: those that come with the studio, and the project's own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from studio.errors import BadInput
from studio.exchange.files import write_whole
from studio.jobs.parameters import is_builtin, parameters_of
from studio.metrics.json_values import json_object
from studio.metrics.parameters import PRESETS, AestheticsParameters, reference_name
from studio.model.changes import Changes, Topic, changed
from studio.store import presets as preset_store
from studio.store.presets import StoredPreset
from studio.store.project import Project

RESERVED = "imported"
"""Names that begin like this stand for results that were made elsewhere."""


@dataclass(frozen=True, kw_only=True)
class Preset:
    """Named parameters."""

    name: str
    parameters: AestheticsParameters
    is_builtin: bool
    provenance: Mapping[str, Any]
    at: str = ""

    @property
    def differences(self) -> dict[str, tuple[float, float]]:
        """Return what differs from "benchmark": reference key → (benchmark's value, value)."""
        ours, theirs = PRESETS["benchmark"], self.parameters
        return {
            reference_name(each.name): (getattr(ours, each.name), getattr(theirs, each.name))
            for each in fields(AestheticsParameters)
            if getattr(ours, each.name) != getattr(theirs, each.name)
        }


def list_presets(project: Project) -> list[Preset]:
    """Return the presets of the studio, then those of the project."""
    known = [
        Preset(name=name, parameters=parameters, is_builtin=True, provenance={"kind": "studio"})
        for name, parameters in PRESETS.items()
    ]
    return known + [
        Preset(
            name=each.name, parameters=AestheticsParameters.from_json(each.parameters), is_builtin=False,
            provenance=each.provenance, at=each.at,
        )
        for each in preset_store.list_presets(project)
    ]  # fmt: skip


def preset(project: Project, name: str) -> Preset:
    """Return one preset.

    Raises:
        BadInput: if neither the studio nor the project has it; the message names those that there are.
    """
    parameters_of(project, name)
    return next(each for each in list_presets(project) if each.name == name)


def save(
    project: Project, name: str, parameters: AestheticsParameters, provenance: Mapping[str, Any]
) -> tuple[Preset, Changes]:
    """Store parameters under a name of their own.

    Raises:
        BadInput: for a name that cannot be used or stands for other parameters.
    """
    check_name(name)
    stored = preset_store.save_preset(
        project, StoredPreset(name=name, parameters=parameters.to_json(), provenance=dict(provenance))
    )
    return preset(project, stored.name), changed(Topic.SCORES)


def check_name(name: str) -> None:
    """Raise `BadInput` for a name that no preset of a project can have."""
    is_plain = name == name.strip() and bool(name) and not set(name) & set("@/\\,\n\r\t")
    if not is_plain or len(name) > 60:
        raise BadInput(
            f"A preset cannot be called {name!r}.",
            next_step="Use 1 to 60 characters without @, slashes, commas and spaces at the ends.",
        )
    if is_builtin(name) or name.partition(":")[0] == RESERVED:
        raise BadInput(f"{name} is a name of the studio's own.", next_step="Choose another name.")


def import_preset(project: Project, path: Path, *, name: str = "", base: str = "") -> tuple[Preset, Changes]:
    """Store the parameters of a file in the reference's layout (its configuration file, or a result file).

    Args:
        project: an open project.
        path: JSON with the reference's keys at the top, or a result with them as ``parameters_used``.
        name: name of the preset; the file's if empty.
        base: preset that gives what the file leaves out; empty to insist on all parameters.

    Raises:
        BadInput: if the file cannot be used, or for the name.
    """
    content, _ = json_object(path)
    score = content.get("aesthetics_score")
    given = score.get("parameters_used") if isinstance(score, Mapping) else content
    if not isinstance(given, Mapping):
        raise BadInput(f"{path.name} holds no parameters.", next_step="Give a configuration or a result file.")
    parameters = AestheticsParameters.from_json(given, base=parameters_of(project, base) if base else None)
    provenance = {"kind": "imported", "file": path.name} | ({"base": base} if base else {})
    return save(project, name or path.stem, parameters, provenance)


def export_preset(project: Project, name: str, out: Path) -> Path:
    """Write a preset as a file under the reference's keys and return the file.

    Raises:
        BadInput: if there is no such preset, or the file cannot be written.
    """
    content = preset(project, name).parameters.to_json()
    write_whole(out, json.dumps(content, indent=2, allow_nan=False) + "\n")
    return out


def as_json(item: Preset) -> dict[str, Any]:
    """Return a preset as `studio presets --json` prints it."""
    return {
        "name": item.name,
        "builtin": item.is_builtin,
        "parameters": item.parameters.to_json(),
        "provenance": dict(item.provenance),
        "at": item.at or None,
        "differs_from_benchmark": {key: list(pair) for key, pair in item.differences.items()},
    }
