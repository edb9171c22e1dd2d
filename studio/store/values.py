"""Plain values to and from JSON columns; NaN never gets in."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache
from typing import Any

_PLAIN = frozenset({str, int, float, bool, type(None)})


def to_json(value: object) -> str:
    """Return compact JSON; dataclasses become objects.

    Raises:
        ValueError: for NaN or infinity, which JSON does not know.
    """
    return json.dumps(plain(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def plain(value: object) -> Any:
    """Return `value` as lists, dicts, strings and numbers."""
    # Most values are these: judge runs store dozens of them with each reply.
    if type(value) in _PLAIN:
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {name: plain(getattr(value, name)) for name in _names(type(value))}
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


@lru_cache(maxsize=1024)
def _names(of: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(of))


def from_json(text: str) -> Any:
    """Return the value of a JSON column."""
    return json.loads(text)
