"""Asks again while a reply cannot be read, and no longer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from studio.judges.judgement import Ending, ending_of
from studio.model.judging import JudgeReply, JudgeRequest, Replies
from studio.model.runs import UnitStatus

Read = TypeVar("Read")

ATTEMPTS = 5
"""How often one thing is asked at most; the reference's number."""


class Unreadable(NamedTuple):
    """A reply that holds no verdict, and what is wrong with it."""

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
    last: Ending
    for _ in range(max(1, attempts)):
        reply = ask((request,))[0]
        ending = ending_of(reply)
        if ending is None:
            found = read(reply)
            if not isinstance(found, Unreadable):
                return found, reply
            ending = Ending(status=UnitStatus.PARSE_ERROR, reason=found.reason)
        last = ending
        if last.status is not UnitStatus.PARSE_ERROR:
            break
    return last, reply


def worst(statuses: Sequence[UnitStatus]) -> UnitStatus:
    """Return the status that stands for several: ok only if all are, else the first that is not."""
    return next((status for status in statuses if status is not UnitStatus.OK), UnitStatus.OK)
