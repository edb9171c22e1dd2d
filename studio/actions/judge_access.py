"""What it takes to reach a judge: its key and its client."""

from __future__ import annotations

from studio import paths
from studio.errors import BadInput
from studio.judges.connect import connect, needs_key
from studio.judges.keys import KEY_NAMES, find_key
from studio.model.judging import JudgeClient, JudgeSetup


def check_key(setup: JudgeSetup) -> None:
    """Raise `BadInput` if a judge needs a key and there is none."""
    if needs_key(setup) and not find_key(setup.provider).key:
        name = KEY_NAMES[setup.provider]
        raise BadInput(
            f"{setup.id} needs a key, and there is none.",
            next_step=f"Set {name} in the environment, or keep it in the system's keyring.",
        )


def connected(setup: JudgeSetup) -> JudgeClient:
    """Return a client of a judge's endpoint."""
    return connect(setup, key=find_key(setup.provider).key, notes=paths.data_dir() / "uploads")
