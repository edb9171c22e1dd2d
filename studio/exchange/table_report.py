"""What reading a table in came to, row by row."""

from __future__ import annotations

from dataclasses import dataclass, field

Line = tuple[int, dict[str, str]]
"""A row's line in its file, from 1, and its cells by column."""


@dataclass
class TableReport:
    """What reading a table in did, in rows."""

    table: str
    new: int = 0
    same: int = 0
    conflicting: int = 0
    refused: list[dict[str, object]] = field(default_factory=list)
    """`line` (from 1) and `reason` of each row that was not taken in."""
    notes: list[str] = field(default_factory=list)

    def refuse(self, line: int, reason: str) -> None:
        """Note a row that was not taken in."""
        self.refused.append({"line": line, "reason": reason})
