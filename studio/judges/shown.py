"""What a judge is shown of one deck."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from studio.model.ids import DeckId
from studio.model.judging import Part


@dataclass(frozen=True, kw_only=True)
class ShownDeck:
    """One deck as parts of a request."""

    deck_id: DeckId
    parts: tuple[Part, ...]
    """Its judged slides in order, pictures or texts, each with its label."""
    slides: tuple[int, ...]
    """Slide numbers (from 1, hidden ones counted) of the parts, in the same order."""
    texts: tuple[str, ...] = ()
    """Text of each of these slides, for protocols that read the deck's text."""
    pages: Mapping[str, object] = field(default_factory=dict)
    """What the page rule came to, as JSON values; stored beside each value."""
