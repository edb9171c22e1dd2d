"""Asks a model for checklist items once, and reads what it proposes; a person accepts each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from studio.judges.prompts import prompt
from studio.judges.re_asking import request_of
from studio.judges.reply_json import objects_in
from studio.model.checklists import Dimension
from studio.model.judging import JudgeRequest

MOST_ITEMS = 24
ASKED_AFTER = (Dimension.FUNDAMENTALS, Dimension.DESIGN, Dimension.COMPLETENESS, Dimension.CORRECTNESS)
"""Items for each page are the same everywhere; nobody needs a model for them."""
LONGEST_ITEM = 600


@dataclass(frozen=True, kw_only=True)
class DraftedItem:
    """One item as a model proposed it."""

    dimension: Dimension
    text: str
    note: str
    why: str


def draft_request(
    instruction: str, sources: str, known: Sequence[str], *, language: str, most: int = MOST_ITEMS
) -> JudgeRequest:
    """Return the one request of a draft."""
    words = prompt("draft-items")
    filled = words.filled(
        {
            "instruction": instruction.strip() or "(none is written down)", "sources": sources.strip() or "(none)",
            "known": "\n".join(f"- {' '.join(text.split())}" for text in known) or "- (none yet)",
            "language": language or "the language of the task", "most": str(most),
        }
    )  # fmt: skip
    return request_of((), filled, [words.id])


def read_draft(reply: str) -> tuple[list[DraftedItem], int]:
    """Return the usable items of a reply in its order, each once, and how many others were left out."""
    found: dict[str, DraftedItem] = {}
    dropped = 0
    for value in objects_in(reply):
        items = value.get("items")
        if not isinstance(items, list):
            continue
        for each in items:
            item = _item(each)
            if item is None or item.text in found:
                dropped += 1
            else:
                found[item.text] = item
        break
    return list(found.values()), dropped


def _item(value: object) -> DraftedItem | None:
    if not isinstance(value, dict):
        return None
    text, dimension = value.get("text"), str(value.get("dimension", "")).strip().lower()
    if not isinstance(text, str) or not 0 < len(text.strip()) <= LONGEST_ITEM:
        return None
    if dimension not in [each.value for each in ASKED_AFTER]:
        return None
    note, why = (str(value.get(name) or "").strip() for name in ("note", "why"))
    return DraftedItem(dimension=Dimension(dimension), text=text.strip(), note=note, why=why)
