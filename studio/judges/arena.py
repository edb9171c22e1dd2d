"""The arena protocol: two decks of one instance, which one is better; each pair is shown in both orders.

Source: SlidesGen-Bench, section 4 (arena); Zheng et al. (2023) for the swap. Differs: two verdicts that contradict
each other are a class of their own and not a tie.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from studio.judges.prompts import prompt
from studio.judges.re_asking import (
    ATTEMPTS,
    Ending,
    Unreadable,
    ask_until_read,
    parts_key,
    request_of,
    result_of,
    without_verdict,
)
from studio.judges.reply_json import objects_in, text_in
from studio.judges.shown import ShownDeck
from studio.model.judging import (
    ConversationResult,
    JudgeReply,
    JudgeRequest,
    ParseStatus,
    Replies,
    TextPart,
    VerdictRecord,
)

PROMPT = "arena"
ITEM = "overall"


class Slot(StrEnum):
    """Which of two shown decks a verdict prefers."""

    FIRST = "first"
    SECOND = "second"
    TIE = "tie"


_SLOTS = {"a": Slot.FIRST, "b": Slot.SECOND, "c": Slot.TIE, "tie": Slot.TIE}
_TOKEN = re.compile(r"\[\[\s*[*_`]*\s*(A|B|C|tie)\s*[*_`]*\s*\]\]", re.IGNORECASE)
_KEYS = ("winner", "verdict", "better")
POINTS = {Slot.FIRST: 1.0, Slot.SECOND: 0.0, Slot.TIE: 0.5}


class PairRead(NamedTuple):
    """What a reply says of a pair."""

    slot: Slot
    is_conflicting: bool
    reason: str
    from_json: bool


@dataclass(frozen=True, kw_only=True)
class PairConversation:
    """Two decks in one order."""

    about: VerdictRecord
    """Of the deck shown first, against the other; `order_index` is 1 where the pair is swapped."""
    first: ShownDeck
    second: ShownDeck
    """Their labels begin with "deck A" and "deck B"."""
    attempts: int = ATTEMPTS

    def key_parts(self) -> tuple[object, ...]:
        """See `Conversation.key_parts`."""
        return ("arena", prompt(PROMPT).id, parts_key(self.first.parts), parts_key(self.second.parts),
                list(self.about.against), self.about.sample)  # fmt: skip

    def requests(self) -> tuple[JudgeRequest, ...]:
        """See `Conversation.requests`."""
        parts = (
            TextPart(text="Deck A:"), *self.first.parts, TextPart(text="Deck B:"), *self.second.parts,
        )  # fmt: skip
        return (request_of(parts, prompt(PROMPT).filled(), [prompt(PROMPT).id], sample=self.about.sample),)

    def subjects(self) -> tuple[VerdictRecord, ...]:
        """See `Conversation.subjects`."""
        return (self.about,)

    def hold(self, ask: Replies) -> ConversationResult:
        """See `Conversation.hold`. The score is that of the deck shown first: 1 won, ½ tie, 0 lost."""
        found, reply = ask_until_read(ask, self.requests()[0], _read, attempts=self.attempts)
        if isinstance(found, Ending):
            return result_of([without_verdict(self.about, found, reply)])
        detail = dict(self.about.detail)
        if found.is_conflicting:
            detail["conflict"] = "the reply names several winners; the last counts"
        if found.from_json:
            detail["read_from"] = "json"
        return result_of(
            [
                replace(
                    self.about, verdict=found.slot.value, score=POINTS[found.slot], scale=(0.0, 1.0),
                    reason=found.reason or reply.text.strip(), detail=detail,
                    parse=ParseStatus.REPAIRED if found.is_conflicting else ParseStatus.OK,
                )
            ]
        )  # fmt: skip


def read_pair(text: str) -> PairRead | Unreadable:
    """Return the last valid verdict of a reply: ``[[A]]``, ``[[B]]``, ``[[C]]``, or ``{"winner": "A"}``."""
    tokens = [_SLOTS[match[1].lower()] for match in _TOKEN.finditer(text)]
    if tokens:
        return PairRead(tokens[-1], len(set(tokens)) > 1, "", from_json=False)
    for value in objects_in(text):
        said = next((text_in(value[key]) for key in _KEYS if key in value), "").strip().lower()
        said = said.removeprefix("deck ").strip("[] ")
        if said in _SLOTS:
            return PairRead(_SLOTS[said], False, text_in(value.get("reason")), from_json=True)
    return Unreadable("the reply names neither [[A]] nor [[B]] nor [[C]]")


def _read(reply: JudgeReply) -> PairRead | Unreadable:
    return read_pair(reply.text)
