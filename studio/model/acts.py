"""What authors do, as journals keep it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Act:
    """One thing an author did, which may have changed many records."""

    seq: int
    at: str
    """ISO 8601, UTC."""
    author: str
    verb: str
    """``add``, ``edit``, ``retire``, ``move``, ``settings``, ``import``, ``undo``, ``redo`` and the like."""
    words: str
    """For people, such as "Edited 3 items"."""
    undoes: int | None = None
    """The act that an undo takes back or a redo brings back."""
