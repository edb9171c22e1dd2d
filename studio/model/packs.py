"""What went out in a pack, and what became of answers that came back."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

PACK_FORMAT = "podium-pack"
ANSWERS_FORMAT = "podium-answers"
FORMAT_VERSION = 1
"""Of files of answers, and of packs without checklists."""
CHECKLIST_VERSION = 2
"""Of packs with checklists, which earlier releases cannot show."""

PACK_META = "pack"
"""The setting of a project that tells that it came from a pack."""


class PackContent(StrEnum):
    """What a pack holds of each deck."""

    IMAGES = "images"
    """Pictures of its pages."""
    DECKS = "decks"
    """A copy without metadata and notes, and the pictures."""


@dataclass(frozen=True, kw_only=True)
class PackReport:
    """What a pack holds."""

    path: Path
    annotator: str
    study: str
    n_instances: int
    n_decks: int
    n_assignments: int
    size_bytes: int
    warnings: tuple[str, ...] = ()
    """Where a deck still names a system, such as in its words."""


@dataclass(frozen=True, kw_only=True)
class MergeReport:
    """What became of the lines of a file of answers; each answer is counted once."""

    file: str
    annotator: str
    new: int = 0
    same: int = 0
    conflicting: int = 0
    over_quota: int = 0
    """New answers beyond the overlap of the study; kept."""
    refused: tuple[tuple[int, str], ...] = ()
    """Line number from 1, and why."""
    views: int = 0
    """New records of what was looked at."""
    training: int = 0
    notes: tuple[str, ...] = field(default=())

    def json(self) -> dict[str, Any]:
        """Return the report as the command prints it."""
        return {
            "new": self.new, "same": self.same, "conflicting": self.conflicting, "over_quota": self.over_quota,
            "refused": [{"line": line, "reason": reason} for line, reason in self.refused],
            "file": self.file, "annotator": self.annotator, "views": self.views, "training": self.training,
            "notes": list(self.notes),
        }  # fmt: skip
