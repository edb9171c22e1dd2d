"""What a conversation with a judge comes to: one judgement for each thing that was asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from studio.model.checklists import EvidenceBox, SourceQuote
from studio.model.ids import DeckId
from studio.model.judging import JudgeReply, ReplyEnd
from studio.model.runs import UnitStatus


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """One verdict, or why there is none."""

    deck_id: DeckId
    item_id: str
    """A checklist item's id, or what was asked: ``harmony``, ``against:DECK``, ``slide:7:design``."""
    status: UnitStatus
    verdict: str = ""
    """As words: ``yes``, ``first``, ``7``; empty where there is none."""
    score: float | None = None
    reason: str = ""
    """The judge's, or why there is no verdict."""
    boxes: tuple[EvidenceBox, ...] = ()
    quotes: tuple[SourceQuote, ...] = ()
    flags: tuple[str, ...] = ()
    """Such as ``conflicting``: the reply says both yes and no."""
    detail: Mapping[str, object] = field(default_factory=dict)
    """What the value was made of, as JSON values."""


@dataclass(frozen=True, kw_only=True)
class Ending:
    """Why no verdict could be read: a stored state, never a verdict."""

    status: UnitStatus
    reason: str


def ending_of(reply: JudgeReply) -> Ending | None:
    """Return the state of a reply that can hold no verdict, whatever words are in it; None for a whole one."""
    match reply.end:
        case ReplyEnd.BLOCKED:
            return Ending(status=UnitStatus.REFUSED, reason=reply.why_blocked or "the provider blocked the reply")
        case ReplyEnd.CUT_OFF:
            return Ending(status=UnitStatus.INCOMPLETE, reason="the reply ended at its limit of tokens")
        case ReplyEnd.EMPTY:
            return Ending(status=UnitStatus.PARSE_ERROR, reason="the reply is empty")
        case ReplyEnd.COMPLETE:
            if reply.text.strip():
                return None
            return Ending(status=UnitStatus.PARSE_ERROR, reason="the reply is empty")
