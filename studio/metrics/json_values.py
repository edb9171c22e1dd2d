"""Values out of JSON that others wrote, with errors that say what is wrong."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from studio.errors import BadInput


def json_object(source: Path | str | Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    """Return the object that a JSON file holds, and what to call it in a message.

    Args:
        source: the file, or its content.

    Raises:
        BadInput: if it cannot be read or is no JSON object.
    """
    if isinstance(source, Mapping):
        return source, "The JSON document"
    try:
        content = json.loads(Path(source).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadInput(f"{source} cannot be read: {error.strerror}.", next_step="Check the path.") from error
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{source} is not JSON: {error}.", next_step="Give a JSON file.") from error
    if not isinstance(content, dict):
        raise BadInput(f"{source} holds no JSON object.", next_step="Give a JSON file in the known layout.")
    return content, str(source)


def finite_number(value: Any) -> float:
    """Return a JSON number.

    Raises:
        ValueError: if it is none, or not finite.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{value!r} is not a number")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError("a number is too large") from None
    if not math.isfinite(number):
        raise ValueError(f"{value!r} is not a number")
    return number


def number_or_none(value: Any) -> float | None:
    """Return a JSON number, or None for null."""
    return None if value is None else finite_number(value)


def what_is_wrong(error: Exception) -> str:
    """Return in a few words why a document is not in its layout."""
    return f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
