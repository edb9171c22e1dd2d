"""The checklist protocol with several items in one call: cheaper, and every item still has a verdict of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from studio.judges.checklist import ItemRead, answer_in, answered
from studio.judges.prompts import prompt
from studio.judges.re_asking import (
    ATTEMPTS,
    Ending,
    ending_of,
    parts_key,
    request_of,
    result_of,
    text_key,
    without_verdict,
)
from studio.judges.reply_json import number_in, objects_in, text_in
from studio.model.ids import DeckId
from studio.model.judging import ConversationResult, JudgeReply, JudgeRequest, Part, Replies, ReplyEnd, VerdictRecord
from studio.model.runs import UnitStatus

PROMPT = "checklist-batch"


class BatchItem(NamedTuple):
    """One item of a batch."""

    about: VerdictRecord
    words: str
    """The item without its prefix."""


@dataclass(frozen=True, kw_only=True)
class BatchConversation:
    """Several items of one tier about one deck."""

    deck_id: DeckId
    items: tuple[BatchItem, ...]
    parts: tuple[Part, ...]
    guidance: str
    """The prefix of the tier."""
    prompt_id: str
    """Of the prefix."""
    shown: tuple[int, ...]
    answered_before: frozenset[str] = frozenset()
    """Ids of items that have a verdict of this batch already: they are not asked again. Not a part of the key."""
    attempts: int = ATTEMPTS
    sample: int = 0

    def key_parts(self) -> tuple[object, ...]:
        """See `Conversation.key_parts`."""
        items = [[item.about.item_id, text_key(item.words)] for item in self.items]
        return ("checklist-batch", *self._prompt_ids, text_key(self.guidance), items, parts_key(self.parts),
                self.sample)  # fmt: skip

    def requests(self) -> tuple[JudgeRequest, ...]:
        """See `Conversation.requests`."""
        return (self._request(self._open(self.answered_before)),)

    def subjects(self) -> tuple[VerdictRecord, ...]:
        """See `Conversation.subjects`. Items that have a verdict are not among them."""
        return tuple(self.items[index].about for index in self._open(self.answered_before))

    def hold(self, ask: Replies) -> ConversationResult:
        """See `Conversation.hold`. Asks again for those items only that got no result, two, or an unreadable one."""
        done: dict[int, VerdictRecord] = {}
        open_ = self._open(self.answered_before)
        why: dict[int, str] = {}
        ending, reply = Ending(status=UnitStatus.PARSE_ERROR, reason=""), None
        for _ in range(max(1, self.attempts)):
            if not open_:
                break
            reply = ask((self._request(open_),))[0]
            over = ending_of(reply)
            if over is None:
                found, why = self._read(reply, open_)
                done |= found
                open_ = [index for index in open_ if index not in done]
                ending = Ending(status=UnitStatus.PARSE_ERROR, reason="the reply holds no result for the item")
            else:
                ending, why = over, {}
            if reply.end in {ReplyEnd.BLOCKED, ReplyEnd.CUT_OFF}:
                break
        for index in open_:
            reason = why.get(index, ending.reason)
            done[index] = without_verdict(self.items[index].about, Ending(status=ending.status, reason=reason), reply)
        return result_of([done[index] for index in sorted(done)])

    @property
    def _prompt_ids(self) -> tuple[str, str]:
        return prompt(PROMPT).id, self.prompt_id

    def _open(self, known: frozenset[str]) -> list[int]:
        return [index for index, item in enumerate(self.items) if item.about.item_id not in known]

    def _request(self, indexes: list[int]) -> JudgeRequest:
        # Numbers, not ids: opaque ids cost tokens, and models copy them with mistakes. They stay the same when
        # fewer items are asked again.
        listed = "\n\n".join(f"Requirement {index + 1}:\n{self.items[index].words}" for index in indexes)
        words = prompt(PROMPT).filled(
            {"guidance": self.guidance.rstrip(), "items": listed, "count": str(len(indexes))}
        )  # fmt: skip
        return request_of(self.parts, words, self._prompt_ids, sample=self.sample)

    def _read(self, reply: JudgeReply, asked: list[int]) -> tuple[dict[int, VerdictRecord], dict[int, str]]:
        """Return the records of the items with exactly one readable result, and what is wrong with the others."""
        results = next((each["results"] for each in objects_in(reply.text) if _is_list(each.get("results"))), None)
        if results is None:
            return {}, dict.fromkeys(asked, "the reply holds no list of results")
        by_item: dict[int, list[Mapping[str, Any]]] = {}
        unknown = 0
        for result in results:
            number = number_in(result.get("item"), 1, len(self.items)) if isinstance(result, Mapping) else None
            if number is None or number != int(number) or int(number) - 1 not in asked:
                unknown += 1
                continue
            by_item.setdefault(int(number) - 1, []).append(result)
        found, why = {}, {}
        for index in asked:
            given = by_item.get(index, [])
            answer = answer_in(given[0].get("answer")) if len(given) == 1 else None
            if answer is None:
                extra = f"; {unknown} results are for items that were not asked" if unknown else ""
                why[index] = f"{_wrong(given)}{extra}"
                continue
            read = ItemRead(
                answer=answer, token=text_in(given[0].get("answer")), is_conflicting=False, was_boxed=True,
                value=given[0],
            )  # fmt: skip
            reason = text_in(given[0].get("reason"))
            found[index] = answered(self.items[index].about, read, reason, self.shown)
        return found, why


def _wrong(given: list[Mapping[str, Any]]) -> str:
    if not given:
        return "the reply holds no result for the item"
    if len(given) > 1:
        return f"the reply holds {len(given)} results for the item"
    return "the result for the item is neither yes nor no"


def _is_list(value: object) -> bool:
    return isinstance(value, list)
