"""What a pack tells of guidelines and training: their words, and pictures of example decks without whose they are."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from studio.decks.image_bytes import without_metadata
from studio.model.decks import Instance, slide_file_name
from studio.model.quality import ExampleDeck, Guidelines, TrainingItem
from studio.store import decks as deck_store
from studio.store.project import Project
from studio.store.values import plain

_FEWEST_LETTERS = 3
"""Shorter names of systems stand in many words; nobody is warned of them."""


class Put(Protocol):
    """Puts a file into a pack and returns its name there."""

    def __call__(self, name: str, data: bytes, *, is_packed: bool) -> str:
        """Put it there once, compressed unless it is packed already."""


def guidelines_json(project: Project, guidelines: Guidelines, put: Put, warnings: list[str]) -> dict[str, Any]:
    """Return a version of the guidelines as JSON values, with the pictures of its examples put into the pack."""
    told: dict[str, Any] = plain(guidelines)
    return told | {"examples": _examples(project, guidelines.examples, put, warnings)}


def training_json(project: Project, item: TrainingItem, put: Put, warnings: list[str]) -> dict[str, Any]:
    """Return a training item as JSON values, with the pictures of its examples put into the pack."""
    told: dict[str, Any] = plain(item)
    return told | {"examples": _examples(project, item.examples, put, warnings)}


def named_in_words(
    systems: Iterable[str],
    instances: Sequence[Instance],
    guidelines: Sequence[Guidelines],
    training: Sequence[TrainingItem],
) -> list[str]:
    """Return where the author's own words name a system; they go out as they are, so the author is told."""
    told = [(f"The guidelines {each.version}", (each.text, *_words(each.examples))) for each in guidelines]
    told += [
        ("The training", (each.question, *each.options, each.explanation, *_words(each.examples))) for each in training
    ]
    told += [(f"The instance {each.name}", (each.title, each.instruction)) for each in instances]
    names = {name: re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE) for name in systems}
    return [
        f"{where}: the words name {name}"
        for where, texts in told
        for name, pattern in names.items()
        if len(name) >= _FEWEST_LETTERS and any(pattern.search(text) for text in texts)
    ]


def _words(examples: Iterable[ExampleDeck]) -> list[str]:
    return [text for each in examples for text in (each.title, each.why)]


def _examples(
    project: Project, examples: Sequence[ExampleDeck], put: Put, warnings: list[str]
) -> list[dict[str, Any]]:  # fmt: skip
    found = []
    for example in examples:
        # Which deck it is stays here: it may be among those that are judged.
        told: dict[str, Any] = {
            "title": example.title, "is_good": example.is_good, "aspect": example.aspect, "why": example.why,
            "resource": example.resource, "deck_id": None,
        }  # fmt: skip
        if example.deck_id is not None:
            folder = deck_store.page_folder(project, example.deck_id)
            path = folder / slide_file_name(1) if folder is not None else None
            if path is not None and path.is_file():
                data = without_metadata(path.read_bytes())
                told["picture"] = put(f"examples/{hashlib.sha256(data).hexdigest()}.png", data, is_packed=True)
            else:
                warnings.append(f"The example {example.title}: its deck has no picture, so the pack has only its words")
        found.append(told)
    return found
