"""What an import would add: instances, sources and decks found in files and folders, nothing lost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from studio.decks.layouts.folders import plan_folder, plan_loose
from studio.decks.layouts.plan import (
    ImportPlan,
    PlannedDeck,
    PlannedFailure,
    PlannedInstance,
    PlannedSource,
    Planning,
)
from studio.decks.layouts.presentbench import is_presentbench, plan_presentbench
from studio.decks.layouts.slides_align import is_slides_align, plan_slides_align
from studio.errors import BadInput
from studio.model.decks import FailureKind

__all__ = [
    "LAYOUTS",
    "ImportPlan",
    "PlannedDeck",
    "PlannedFailure",
    "PlannedInstance",
    "PlannedSource",
    "plan_import",
]

LAYOUTS = ("auto", "folders", "presentbench", "slides-align")


def plan_import(paths: Sequence[Path], layout: str = "auto") -> ImportPlan:
    """Return what importing these files and folders would add.

    Bad files become decks with a failure, or failures with a reason; they never stop the others.

    Args:
        paths: files (together one instance for each folder that they are in) and folders.
        layout: one of `LAYOUTS`; ``auto`` looks at each folder.

    Raises:
        BadInput: for an unknown layout.
    """
    if layout not in LAYOUTS:
        raise BadInput(f"There is no layout {layout!r}.", next_step=f"Use one of: {', '.join(LAYOUTS)}.")
    planning = Planning()
    benches: list[Path] = []
    loose: dict[Path, list[Path]] = {}
    for path in _each_once(paths):
        if path.is_dir():
            _plan(path, layout, planning, benches)
        elif path.exists():
            loose.setdefault(path.absolute().parent, []).append(path)
        else:
            planning.fail(path, FailureKind.NOT_FOUND, "was not found")
    for folder, files in loose.items():
        plan_loose(folder.name, files, planning)
    if benches:
        # Together: cases and what agents made of them may be two trees.
        plan_presentbench(benches, planning)
    return planning.plan()


def _each_once(paths: Sequence[Path]) -> list[Path]:
    """Return the paths without those that were named before, or that lie in a folder that is named too."""
    folders = {path.resolve() for path in paths if path.is_dir()}
    seen: set[Path] = set()
    once: list[Path] = []
    for path in paths:
        real = path.resolve()
        is_covered = path.exists() and not folders.isdisjoint(real.parents)
        if real not in seen and not is_covered:
            once.append(path)
        seen.add(real)
    return once


def _plan(folder: Path, layout: str, planning: Planning, benches: list[Path]) -> None:
    try:
        if layout == "presentbench" or (layout == "auto" and is_presentbench(folder)):
            benches.append(folder)
        elif layout == "slides-align" or (layout == "auto" and is_slides_align(folder)):
            plan_slides_align(folder, planning)
        else:
            plan_folder(folder, planning)
    except OSError as error:
        planning.fail(folder, FailureKind.UNREADABLE, f"cannot be read: {error.strerror or error}")
