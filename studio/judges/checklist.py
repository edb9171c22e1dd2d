"""The checklist protocol: one call for each yes/no item (PresentBench, section 3.4).

Independent items are asked about the deck alone, dependent ones about the deck and then the sources in order; the
words are prefix and item, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from studio.judges.evidence import boxes_given, quotes_given, slides_named, source_quotes
from studio.judges.re_asking import (
    ATTEMPTS,
    Ending,
    Unreadable,
    ask_until_read,
    parts_key,
    request_of,
    result_of,
    text_key,
    without_verdict,
)
from studio.judges.reply_json import objects_in, text_in
from studio.model.checklists import EvidenceBox, ItemAnswer
from studio.model.judging import (
    ConversationResult,
    JudgeReply,
    JudgeRequest,
    ParseStatus,
    Part,
    Replies,
    VerdictRecord,
)

CONFLICTING = "the reply says both yes and no; the last counts"


class BoxRead(Protocol):
    """What was read out of the boxes of a reply; `studio.checklists.boxed.BoxedVerdict` fits."""

    @property
    def answer(self) -> ItemAnswer | None:
        """Yes, no, or None without a valid box."""
        ...

    @property
    def token(self) -> str | None:
        """The words that were read, case kept."""
        ...

    @property
    def reason(self) -> str:
        """Why there is no verdict, or what is odd about it."""
        ...

    @property
    def is_conflicting(self) -> bool:
        """Whether boxes contradict each other."""
        ...


@dataclass(frozen=True, kw_only=True)
class ItemRead:
    """A verdict on one item with what it rests on."""

    answer: ItemAnswer
    token: str
    is_conflicting: bool
    was_boxed: bool
    value: Mapping[str, Any]
    """The JSON object in the reply that holds answer or evidence; empty without one."""


@dataclass(frozen=True, kw_only=True)
class ItemConversation:
    """One item about one deck."""

    about: VerdictRecord
    parts: tuple[Part, ...]
    words: str
    """Prefix and item."""
    prompt_id: str
    """Of the prefix."""
    shown: tuple[int, ...]
    """Slide numbers that the judge sees; only these can be evidence."""
    read_boxes: Callable[[str], BoxRead]
    """A function of a module, so that the conversation can be sent to another process."""
    reading: str = "default"
    """Whose reading of boxes it is: ``default`` or ``compat``; a part of the key."""
    attempts: int = ATTEMPTS

    def key_parts(self) -> tuple[object, ...]:
        """See `Conversation.key_parts`."""
        return ("checklist", self.prompt_id, self.about.item_id, text_key(self.words), parts_key(self.parts),
                self.reading, self.about.sample)  # fmt: skip

    def requests(self) -> tuple[JudgeRequest, ...]:
        """See `Conversation.requests`."""
        return (request_of(self.parts, self.words, [self.prompt_id], sample=self.about.sample),)

    def subjects(self) -> tuple[VerdictRecord, ...]:
        """See `Conversation.subjects`."""
        return (self.about,)

    def hold(self, ask: Replies) -> ConversationResult:
        """See `Conversation.hold`."""
        found, reply = ask_until_read(ask, self.requests()[0], self._read, attempts=self.attempts)
        if isinstance(found, Ending):
            return result_of([without_verdict(self.about, found, reply)])
        return result_of([answered(self.about, found, reply.text, self.shown)])

    def _read(self, reply: JudgeReply) -> ItemRead | Unreadable:
        boxed = self.read_boxes(reply.text)
        value = next((each for each in objects_in(reply.text) if _EVIDENCE & set(each)), {})
        if boxed.answer is not None:
            return ItemRead(
                answer=boxed.answer, token=boxed.token or "", is_conflicting=boxed.is_conflicting, was_boxed=True,
                value=value,
            )  # fmt: skip
        answer = answer_in(value.get("answer")) if self.reading == "default" else None
        if answer is None:
            return Unreadable(boxed.reason or "the reply has no boxed verdict")
        return ItemRead(
            answer=answer, token=text_in(value.get("answer")), is_conflicting=False, was_boxed=False, value=value
        )


_EVIDENCE = frozenset({"answer", "slides", "boxes", "quotes"})


def answer_in(value: object) -> ItemAnswer | None:
    """Return the yes or no of a JSON value; None for anything else."""
    words = text_in(value).strip().lower()
    return ItemAnswer(words) if words in {"yes", "no"} else None


def answered(about: VerdictRecord, found: ItemRead, words: str, shown: tuple[int, ...]) -> VerdictRecord:
    """Return the record of an item that got a verdict, with the slides, boxes and quotes that the words name."""
    boxes = boxes_given(found.value, shown)
    with_box = {box.slide for box in boxes}
    named = [EvidenceBox(slide=slide) for slide in slides_named(words, shown) if slide not in with_box]
    is_odd = found.is_conflicting or not found.was_boxed
    detail = {**about.detail, "token": found.token}
    if found.is_conflicting:
        detail["conflict"] = CONFLICTING
    if not found.was_boxed:
        detail["read_from"] = "json"
    return replace(
        about, verdict=found.answer.value, score=float(found.answer is ItemAnswer.YES), scale=(0.0, 1.0),
        parse=ParseStatus.REPAIRED if is_odd else ParseStatus.OK,
        reason=text_in(found.value.get("reason")) or words.strip(),
        boxes=(*boxes, *named), quotes=quotes_given(found.value) or source_quotes(words), detail=detail,
    )  # fmt: skip
