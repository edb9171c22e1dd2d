"""Plain values to and from JSON columns; NaN never gets in."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any


def to_json(value: object) -> str:
    """Return compact JSON; dataclasses become objects.

    Raises:
        ValueError: for NaN or infinity, which JSON does not know.
    """
    return json.dumps(plain(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def plain(value: object) -> Any:
    """Return `value` as lists, dicts, strings and numbers."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        # Sorted, since the order of a set differs from one process to the next and keys are made from this.
        return sorted((plain(item) for item in value), key=repr)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def from_json(text: str) -> Any:
    """Return the value of a JSON column."""
    return json.loads(text)
