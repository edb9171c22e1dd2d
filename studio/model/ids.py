"""Opaque, stable identifiers; none of them depends on a position or a name."""

from __future__ import annotations

import uuid
from typing import NewType

ProjectId = NewType("ProjectId", str)
InstanceId = NewType("InstanceId", str)
SourceId = NewType("SourceId", str)
SystemId = NewType("SystemId", str)
DeckId = NewType("DeckId", str)
AnnotatorId = NewType("AnnotatorId", str)
RunId = NewType("RunId", str)
Sha256 = NewType("Sha256", str)
"""64 lower-case hex digits: the name of an asset."""


def new_id(prefix: str) -> str:
    """Return a fresh opaque id such as ``deck_9f1c…`` (prefix and 16 random hex digits)."""
    return f"{prefix}_{uuid.uuid4().hex[:16]}"
