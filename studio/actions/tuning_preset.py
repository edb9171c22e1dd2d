"""Keeping what a search found as a preset of the project."""

from __future__ import annotations

from studio.actions import presets
from studio.actions.tuning_result import TuningResult, provenance
from studio.errors import BadInput
from studio.model.changes import Changes
from studio.store import presets as preset_store
from studio.store.project import Project


def check_free(project: Project, name: str) -> None:
    """Raise `BadInput` if no preset can be stored under a name, before time is spent on a search."""
    presets.check_name(name)
    if preset_store.get_preset(project, name) is not None:
        raise BadInput(f"The project has a preset {name} already.", next_step="Choose another name.")


def save_tuned(project: Project, name: str, result: TuningResult) -> tuple[presets.Preset, Changes]:
    """Store the optimum under a name, with how it was found and how far it held on instances held out.

    Raises:
        BadInput: for a name that cannot be used or stands for other parameters.
    """
    return presets.save(project, name, result.optimum, provenance(result))
