"""The words that an item is asked in: what people read and, behind a prefix, what judges read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping

from studio.model.checklists import Checklist, Item, ItemKind, Tier

PARTLY_MET = {"en": "Partly met counts as no.", "zh": "部分满足也算“否”。"}
"""The rule that people see beside every item; judges have it in their prefix."""
_NO_WHEN = {"en": "Counts as no when: {}", "zh": "以下情况算“否”：{}"}
_NOTE = {"en": "Note: {}", "zh": "说明：{}"}


def language_of(text: str) -> str:
    """Return ``zh`` for words with Chinese characters, else ``en``."""
    return "zh" if any("\u4e00" <= letter <= "\u9fff" for letter in text) else "en"


def item_words(item: Item) -> str:
    """Return an item with its note and its dependency as people and judges read it.

    An item without either is returned byte for byte.
    """
    language = language_of(item.text)
    added = [
        form[language].format(said.strip())
        for form, said in ((_NOTE, item.note), (_NO_WHEN, item.no_when))
        if said.strip()
    ]
    return item.text + "".join(f"\n{line}\n" if item.text.endswith("\n") else f"\n\n{line}" for line in added)


def prompt_of(checklist: Checklist, item: Item) -> str:
    """Return exactly what a judge is sent in words: the tier's prefix, then the item, nothing between.

    Raises:
        ValueError: for a code item, which no judge is asked.
    """
    if item.kind is not ItemKind.QUESTION:
        raise ValueError(f"{item.id} is answered by code, not by a judge")
    is_independent = item.dimension.tier is Tier.INDEPENDENT
    return (checklist.independent_prefix if is_independent else checklist.dependent_prefix) + item_words(item)


def asked(checklist: Checklist) -> list[tuple[Item, str]]:
    """Return the items that judges are asked with their prompts, in the order of asking: dimension by dimension."""
    return [(item, prompt_of(checklist, item)) for item in checklist.items if item.kind is ItemKind.QUESTION]


def sees_sources(item: Item) -> bool:
    """Say whether whoever answers an item may look at the sources."""
    return item.dimension.tier is Tier.DEPENDENT


def item_hash(item: Item) -> str:
    """Return a hash of what an item asks: its words, or its rule with parameters; place and version do not count."""
    rule: Mapping[str, object] | None = (
        {"rule": item.rule.rule, "parameters": item.rule.parameters} if item.rule is not None else None
    )
    content = [item.dimension.value, item.kind.value, item_words(item), rule, item.slide]
    return hashlib.sha256(json.dumps(content, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def content_hash(items: Iterable[Item], *more: object) -> str:
    """Return a hash over items with their ids, versions and places, and over further plain values."""
    content = [[item.id, item.version, item.position, item.weight, item_hash(item)] for item in items]
    return hashlib.sha256(json.dumps([content, more], ensure_ascii=False, sort_keys=True).encode()).hexdigest()
