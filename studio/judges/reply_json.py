"""Finds the JSON that a model was asked for in what it wrote: alone, in a fence, or among other words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

MAX_LETTERS = 200_000
"""A longer reply is read from its end on; what a judge says last counts."""
_MAX_STARTS = 2_000
"""Opening braces that are tried; a reply with more of them is no answer to a question."""


def objects_in(reply: str) -> Iterator[dict[str, Any]]:
    """Yield the outermost JSON objects of a reply, the last one first.

    Constants that JSON does not know (NaN, Infinity) make an object unreadable.
    """
    text = reply[-MAX_LETTERS:]
    found: list[dict[str, Any]] = []
    at, tried = text.find("{"), 0
    while at != -1 and tried < _MAX_STARTS:
        tried += 1
        value, end = _object_at(text, at)
        if value is None:
            at = text.find("{", at + 1)
        else:
            found.append(value)
            at = text.find("{", end)
    return iter(reversed(found))


def _object_at(text: str, at: int) -> tuple[dict[str, Any] | None, int]:
    try:
        value, end = _STRICT.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None, at
    return (storable(value), end) if isinstance(value, dict) else (None, at)


def storable(value: Any) -> Any:
    """Return a JSON value whose texts can be stored and sent on.

    JSON may spell half of a pair of surrogates (an emoji that a model was cut off in, say), which is no text; each
    becomes U+FFFD.
    """
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, list):
        return [storable(each) for each in value]
    if isinstance(value, dict):
        return {storable(name): storable(each) for name, each in value.items()}
    return value


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_STRICT = json.JSONDecoder(parse_constant=_refuse, strict=False)
"""Not strict about line ends within strings, which models write often and which leave no doubt."""


def number_in(value: object, low: float, high: float) -> float | None:
    """Return a JSON value as a number within its scale, both ends included; None for everything else.

    True is no number, nor is "7"; a number off the scale is not pushed onto it.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if low <= value <= high else None


def text_in(value: object) -> str:
    """Return a JSON value that should be words; empty for everything else."""
    return value if isinstance(value, str) else ""
