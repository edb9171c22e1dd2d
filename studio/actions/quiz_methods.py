"""The names under which accuracies of question banks stand among the methods."""

from __future__ import annotations

METHOD = "quizbank"


def method_of(reader: str, part: str = "") -> str:
    """Return the name under which a reader's accuracy stands, such as ``offline/quizbank`` or ``….data``."""
    return f"{reader}/{METHOD}" + (f".{part}" if part else "")
