"""Asks again while a reply cannot be read, and no longer."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from studio.model.judging import (
    ConversationResult,
    FilePart,
    ImagePart,
    JudgeReply,
    JudgeRequest,
    ParseStatus,
    Part,
    Replies,
    ReplyEnd,
    TextPart,
    VerdictRecord,
    status_of_end,
)
from studio.model.runs import UnitStatus

Read = TypeVar("Read")

ATTEMPTS = 5
"""How often one thing is asked at most; the reference's number."""
MOST_ASKS = 20
"""What this number can be set to, at most."""


class Unreadable(NamedTuple):
    """A reply that holds no verdict, and what is wrong with it."""

    reason: str


@dataclass(frozen=True, kw_only=True)
class Ending:
    """Why no verdict could be read: a stored state, never a verdict."""

    status: UnitStatus
    reason: str


def ask_until_read(
    ask: Replies, request: JudgeRequest, read: Callable[[JudgeReply], Read | Unreadable], *, attempts: int = ATTEMPTS
) -> tuple[Read | Ending, JudgeReply]:
    """Return what was read and the reply it was read from, or why nothing could be read and the last reply.

    A blocked reply is not asked for again, nor is one that was cut off: the next would be so too. An empty one and
    one without a verdict are, with the same request.

    Raises:
        CallFailed: if a call gave no reply at all.
    """
    left = max(1, attempts)
    while True:
        left -= 1
        reply = ask((request,))[0]
        ending = ending_of(reply)
        if ending is None:
            found = read(reply)
            if not isinstance(found, Unreadable):
                return found, reply
            ending = Ending(status=UnitStatus.PARSE_ERROR, reason=found.reason)
        if not left or reply.end in {ReplyEnd.BLOCKED, ReplyEnd.CUT_OFF}:
            return ending, reply


def is_empty(reply: JudgeReply) -> bool:
    """Return whether a reply has no words, though nobody blocked it and nothing cut it off."""
    return reply.end is ReplyEnd.EMPTY or (reply.end is ReplyEnd.COMPLETE and not reply.text.strip())


def ending_of(reply: JudgeReply) -> Ending | None:
    """Return the state of a reply that can hold no verdict, whatever words are in it; None for a whole one."""
    match reply.end:
        case ReplyEnd.COMPLETE if reply.text.strip():
            return None
        case ReplyEnd.BLOCKED:
            reason = reply.why_blocked or "the provider blocked the reply"
        case ReplyEnd.CUT_OFF:
            reason = "the reply ended at its limit of tokens"
        case _:
            return Ending(status=status_of_end(ReplyEnd.EMPTY), reason="the reply is empty")
    return Ending(status=status_of_end(reply.end), reason=reason)


def without_verdict(about: VerdictRecord, ending: Ending, reply: JudgeReply | None = None) -> VerdictRecord:
    """Return the record of a thing that got no verdict, with the reason."""
    parse = ParseStatus.FAILED if ending.status is UnitStatus.PARSE_ERROR else ParseStatus.NONE
    detail = {**about.detail, "reply": reply.text} if reply is not None else about.detail
    return replace(about, status=ending.status, parse=parse, reason=ending.reason, detail=detail)


def result_of(records: Sequence[VerdictRecord]) -> ConversationResult:
    """Return what several records come to: not done as long as one of them has no verdict."""
    bad = [record for record in records if record.status is not UnitStatus.OK]
    if not bad:
        return ConversationResult(verdicts=tuple(records))
    more = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
    return ConversationResult(verdicts=tuple(records), status=bad[0].status, message=bad[0].reason + more)


def request_of(
    parts: Sequence[Part], words: str, prompt_ids: Sequence[str], *, sample: int = 0, probabilities: bool = False
) -> JudgeRequest:
    """Return the request that shows parts and then says these words."""
    return JudgeRequest(
        parts=(*parts, TextPart(text=words)), prompt_version="+".join(prompt_ids), sample=sample,
        wants_token_probabilities=probabilities,
    )  # fmt: skip


def parts_key(parts: Sequence[Part]) -> list[list[str]]:
    """Return what tells parts apart, as JSON values: content and label, wherever their files lie."""
    return [_part_key(part) for part in parts]


def text_key(text: str) -> str:
    """Return the hash of words, 64 hex digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def _part_key(part: Part) -> list[str]:
    match part:
        case TextPart():
            return ["text", text_key(part.text)]
        case ImagePart():
            return ["image", part.sha256, part.label]
        case FilePart():
            return ["file", part.sha256, part.label]
