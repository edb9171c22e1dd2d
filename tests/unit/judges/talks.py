"""Tiny conversations for tests; importable by workers and other processes."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from studio.jobs.judge_job import Again, JudgeJob
from studio.judges.asking import RetryRules
from studio.judges.budget import Budget
from studio.judges.connect import connect, read_setup
from studio.judges.pricing import Price
from studio.judges.re_asking import Ending, Unreadable, ask_until_read, result_of, without_verdict
from studio.model.ids import DeckId, InstanceId
from studio.model.judging import (
    ConversationResult,
    JudgeReply,
    JudgeRequest,
    JudgingProtocol,
    ParseStatus,
    Part,
    PlannedConversation,
    Replies,
    TextPart,
    VerdictRecord,
    status_of_end,
)
from studio.model.runs import RunKind, RunSpec, UnitStatus
from tests.fake_judge_server import KEY

QUICK = RetryRules(first_wait_s=0.01, longest_wait_s=0.02)
"""For tests: the same number of tries, without the waits."""


@dataclass(frozen=True, kw_only=True)
class Talk:
    """Asks one thing (or the same thing several times) and wants a JSON with a score."""

    deck_id: DeckId
    instance_id: InstanceId
    words: str
    parts: tuple[Part, ...] = ()
    samples: int = 1
    order_index: int = 0
    limit: int | None = None

    def key_parts(self) -> tuple[object, ...]:
        return (
            hashlib.sha256(self.words.encode()).hexdigest(), [part.sha256 for part in self.parts],  # type: ignore[union-attr]
            self.samples, self.order_index,
        )  # fmt: skip

    def requests(self) -> tuple[JudgeRequest, ...]:
        return tuple(
            JudgeRequest(
                parts=(TextPart(text=self.words), *self.parts), prompt_version="talk 1", sample=sample,
                max_output_tokens=self.limit,
            )
            for sample in range(self.samples)
        )  # fmt: skip

    def subjects(self) -> tuple[VerdictRecord, ...]:
        return (VerdictRecord(instance_id=self.instance_id, deck_id=self.deck_id, item_id="talk"),)

    def hold(self, ask: Replies) -> ConversationResult:
        record = self.subjects()[0]
        scores = []
        for reply in ask(self.requests()):
            status = status_of_end(reply.end)
            if status is not UnitStatus.OK:
                return self._none(record, status, reply.why_blocked)
            try:
                scores.append(float(json.loads(reply.text)["score"]))
            except (ValueError, KeyError, TypeError):
                return self._none(record, UnitStatus.PARSE_ERROR, f"no score in {reply.text[:40]!r}")
        mean = sum(scores) / len(scores)
        said = VerdictRecord(
            instance_id=record.instance_id, deck_id=record.deck_id, item_id="talk", verdict=f"{mean:g}", score=mean,
            reason="said so", order_index=self.order_index,
        )  # fmt: skip
        return ConversationResult(verdicts=(said,))

    def _none(self, record: VerdictRecord, status: UnitStatus, why: str) -> ConversationResult:
        blank = VerdictRecord(
            instance_id=record.instance_id, deck_id=record.deck_id, item_id="talk", status=status, reason=why,
            parse=ParseStatus.FAILED if status is UnitStatus.PARSE_ERROR else ParseStatus.NONE,
        )  # fmt: skip
        return ConversationResult(verdicts=(blank,), status=status, message=why)


@dataclass(frozen=True, kw_only=True)
class StubbornTalk(Talk):
    """Asks again while the reply holds no number."""

    def hold(self, ask: Replies) -> ConversationResult:
        found, _ = ask_until_read(ask, self.requests()[0], _number, attempts=3)
        about = self.subjects()[0]
        if isinstance(found, Ending):
            return result_of([without_verdict(about, found)])
        return result_of([replace(about, score=found, verdict=str(found))])


def _number(reply: JudgeReply) -> float | Unreadable:
    return float(reply.text) if reply.text.isdigit() else Unreadable("no number")


class FaultyTalk(Talk):
    """Breaks down while it reads its reply."""

    def hold(self, ask: Replies) -> ConversationResult:
        ask(self.requests())
        raise ZeroDivisionError("nothing to divide")


def planned(talks: Iterable[Talk]) -> list[PlannedConversation]:
    return [
        PlannedConversation(
            conversation=talk, protocol=JudgingProtocol.RATING, instance_id=talk.instance_id, deck_id=talk.deck_id,
            label=f"talk {number}",
        )
        for number, talk in enumerate(talks)
    ]  # fmt: skip


def judge_job(
    talks: Iterable[Talk], base_url: str, *, judge: str = "openai:m-1", key: str = KEY,
    settings: dict[str, Any] | None = None,
    again: Again = Again.LEFT, budget: Budget | None = None, price: Price | None = None, scheduler: str = "",
    rules: RetryRules = QUICK, notes: Path | None = None, **more: Any,
) -> JudgeJob:  # fmt: skip
    setup = read_setup(judge, base_url=base_url, settings={"max_in_flight": 8, **(settings or {})})
    listed = planned(talks)
    return JudgeJob(
        RunSpec(kind=RunKind.JUDGE, evaluators=(setup.id,)), setup, lambda project: listed,
        lambda: connect(setup, key=key, notes=notes), price=price, budget=budget, again=again, scheduler=scheduler,
        rules=rules, **more,
    )  # fmt: skip


def seeded() -> random.Random:
    return random.Random(0)
