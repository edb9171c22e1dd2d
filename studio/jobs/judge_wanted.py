"""What every protocol's planning needs: what is wanted, of which decks of one instance, and how they are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from studio.jobs.judge_material import Material, NothingToShow
from studio.judges import fewshot, geval, listwise, ppteval, rating
from studio.judges.re_asking import ATTEMPTS
from studio.judges.shown import ShownDeck
from studio.model.decks import Deck, Instance
from studio.model.ids import DeckId
from studio.model.judging import Conversation, JudgingProtocol, Part, PlannedConversation, VerdictRecord
from studio.model.judging_options import ProtocolOptions

CRITERIA: Mapping[JudgingProtocol, tuple[str, ...]] = {
    JudgingProtocol.RATING: rating.CRITERIA,
    JudgingProtocol.PPTEVAL: ppteval.DIMENSIONS,
    JudgingProtocol.GEVAL: geval.CRITERIA,
    JudgingProtocol.FEWSHOT: fewshot.CRITERIA,
}
"""What a deck is scored on, where a protocol has criteria."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is asked for."""

    protocol: JudgingProtocol
    deck_ids: tuple[DeckId, ...] | None = None
    """None: every deck of the project."""
    item_ids: tuple[str, ...] = ()
    """Checklist items; empty: all."""
    repeats: int | None = None
    """None: once, for lists three times."""
    options: ProtocolOptions = field(default_factory=ProtocolOptions)
    verdict_of: Callable[[PlannedConversation], VerdictRecord | None] = lambda planned: None
    """The newest record of a conversation that was held before, for protocols that plan by what was said."""


@dataclass(frozen=True)
class Group:
    """The decks of one instance, and what is wanted of them."""

    instance: Instance
    decks: tuple[Deck, ...]
    wanted: Wanted
    material: Material
    seed: int

    @property
    def repeats(self) -> range:
        """How often everything is asked: numbers of the repeats, from 0."""
        default = listwise.REPEATS if self.wanted.protocol is JudgingProtocol.LISTWISE else 1
        return range(self.wanted.repeats or default)

    @property
    def attempts(self) -> int:
        """How often an unreadable reply is asked for."""
        return self.wanted.options.asks or ATTEMPTS

    @property
    def criteria(self) -> tuple[str, ...]:
        """The criteria wanted, in the protocol's order."""
        wanted = self.wanted.options.criteria
        return tuple(name for name in CRITERIA[self.wanted.protocol] if not wanted or name in wanted)

    def planned(self, deck: Deck, what: str, conversation: Conversation, blocked: str = "") -> PlannedConversation:
        """Return a conversation about a deck under the name that people know it by."""
        return PlannedConversation(
            conversation=conversation, protocol=self.wanted.protocol, instance_id=self.instance.id, deck_id=deck.id,
            label=" · ".join(part for part in (self.instance.name, deck.system, what) if part), blocked=blocked,
        )  # fmt: skip

    def about(self, deck: Deck, item_id: str, repeat: int, **more: object) -> VerdictRecord:
        """Return the record of something that is asked about a deck, with the page rule and no verdict yet."""
        detail = {"pages": self.material.pages(deck)}
        return VerdictRecord(
            instance_id=self.instance.id, deck_id=deck.id, item_id=item_id, sample=repeat, detail=detail,
            **more,  # type: ignore[arg-type]  # fields of the record
        )  # fmt: skip

    def shown(self, deck: Deck, name: str = "deck") -> tuple[ShownDeck, str]:
        """Return a deck's parts, and why there are none."""
        try:
            shown = self.material.deck(deck, name=name)
        except NothingToShow as error:
            return ShownDeck(deck_id=deck.id, parts=(), slides=()), str(error)
        if not self.material.note or name != "deck":
            return shown, ""
        noted = ShownDeck(
            deck_id=deck.id, parts=(*self.material.note, *shown.parts), slides=shown.slides, texts=shown.texts,
            pages=shown.pages,
        )  # fmt: skip
        return noted, ""

    def sources(self) -> tuple[tuple[Part, ...], str]:
        """Return the pages of the instance's sources, and why there are none."""
        try:
            return self.material.sources(self.instance.id), ""
        except NothingToShow as error:
            return (), str(error)


def repeat_words(number: int) -> str:
    """Return what a repeat is called; the first one has no name."""
    return f"repeat {number + 1}" if number else ""


def joined(*parts: str) -> str:
    """Return the parts that say something, with commas."""
    return ", ".join(part for part in parts if part)
