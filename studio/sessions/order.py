"""The order in which decks are shown, drawn once for each person and instance."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable

from studio.model.ids import AnnotatorId, DeckId, InstanceId


def display_order(
    deck_ids: Iterable[DeckId], *, seed: int, annotator_id: AnnotatorId, instance_id: InstanceId
) -> tuple[DeckId, ...]:
    """Return the decks in the order in which this person sees them.

    The same project seed, person and instance always give the same order, whatever order the decks come in.
    """
    digest = hashlib.sha256(f"{seed}\x1f{annotator_id}\x1f{instance_id}".encode()).digest()
    shuffled = sorted(deck_ids)
    random.Random(int.from_bytes(digest[:8], "big")).shuffle(shuffled)
    return tuple(shuffled)


def letter(position: int) -> str:
    """Return the anonymous name of the deck at a display position from 0: A to Z, then AA."""
    name = ""
    number = position + 1
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(ord("A") + rest) + name
    return name
