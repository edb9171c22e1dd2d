"""An item in one line, as tables of the Author page show it."""

from __future__ import annotations

import re

from studio.model.checklists import Item

_TITLE = re.compile(r"^\s*\*\*(?P<title>[^*\n]+?)\s*[:：]?\s*\*\*\s*[:：]?\s*(?P<rest>.*)$", re.DOTALL)
_HEADING = re.compile(r"^\s*#+\s+(?P<title>[^\n]+)\n(?P<rest>.*)$", re.DOTALL)
_MARKS = re.compile(r"\*\*|__|`|^\s*[-*]\s+|^\s*#+\s+", re.MULTILINE)


def title_and_question(item: Item) -> tuple[str, str]:
    """Return an item's bold or heading title, empty without one, and the words behind it, both in one line."""
    found = _TITLE.match(item.text) or _HEADING.match(item.text)
    if found is None:
        words = plain(item.text)
        return "", words or (item.rule.rule if item.rule else "")
    return plain(found["title"]), plain(found["rest"])


def plain(text: str) -> str:
    """Return Markdown as one line of plain words."""
    return " ".join(_MARKS.sub("", text).split())
