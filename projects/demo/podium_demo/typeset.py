"""Breaking text into lines, in Latin and Chinese."""

from __future__ import annotations

import re
from collections.abc import Callable

_TOKEN = re.compile(r"[⺀-鿿＀-￯]|[^\s⺀-鿿＀-￯]+|\s+")
_NEVER_FIRST = frozenset("，。、；：？！）》”’」』%,.;:?!)")


def wrap(text: str, width: float, measure: Callable[[str], float]) -> list[str]:
    """Return the lines of a text.

    Args:
        text: may hold line breaks of its own.
        width: the room, in the unit of `measure`; one word wider than it stays whole.
        measure: gives the width of a string.
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for token in _TOKEN.findall(paragraph):
            if not line and token.isspace():
                continue
            too_wide = bool(line) and measure((line + token).rstrip()) > width
            if too_wide and token not in _NEVER_FIRST:
                lines.append(line.rstrip())
                line = "" if token.isspace() else token
            else:
                line += token
        lines.append(line.rstrip())
    return lines
