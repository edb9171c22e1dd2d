"""Which parameters stand behind the name of a preset, in a project."""

from __future__ import annotations

from studio.errors import BadInput
from studio.metrics.parameters import PRESETS, AestheticsParameters
from studio.store import presets as preset_store
from studio.store.project import Project


def is_builtin(name: str) -> bool:
    """Return whether a preset comes with the studio."""
    return name in PRESETS


def parameters_of(project: Project, name: str) -> AestheticsParameters:
    """Return the parameters of a preset of the studio or of the project.

    Raises:
        BadInput: if there is none of that name; the message names those that there are.
    """
    if name in PRESETS:
        return PRESETS[name]
    own = preset_store.list_presets(project)
    for each in own:
        if each.name == name:
            return AestheticsParameters.from_json(each.parameters)
    known = ", ".join([*PRESETS, *(each.name for each in own)])
    raise BadInput(f"There is no preset {name}.", next_step=f"Known: {known}.")
