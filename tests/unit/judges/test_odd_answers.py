"""Answers of servers that keep the shape of their interface only in part."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from studio.judges.gemini_reply import read_reply
from studio.judges.network import json_of
from studio.judges.openai_reply import read_chat, read_response
from studio.judges.redaction import Secret
from studio.judges.reply_json import objects_in
from studio.judges.server_faults import refusal
from studio.model.judging import CallFailed, CallFault, JudgeReply

CHAT: dict[str, Any] = {
    "model": "m", "usage": {"prompt_tokens": 5, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 1}},
    "choices": [{"finish_reason": "stop", "message": {"content": "seven"}, "logprobs": {"content": []}}],
}  # fmt: skip
RESPONSE: dict[str, Any] = {
    "status": "completed", "usage": {"input_tokens": 5, "output_tokens": 7},
    "output": [{"type": "message", "content": [{"type": "output_text", "text": "seven"}]}],
}  # fmt: skip
GEMINI: dict[str, Any] = {
    "candidates": [{"content": {"parts": [{"text": "seven"}]}, "finishReason": "STOP"}],
    "usageMetadata": {"promptTokenCount": 5, "candidatesTokenCount": 7},
}  # fmt: skip
READERS = [(read_chat, CHAT), (read_response, RESPONSE), (read_reply, GEMINI)]
ODD: list[object] = [None, 3, -1, 1e300, "x", [], [1], [None], {}, {"a": 1}, True]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every part of a JSON value."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, below in steps:
        yield (*path, step)
        yield from places(below, (*path, step))


@pytest.mark.parametrize(("read", "answer"), READERS)
def test_that_any_odd_part_gives_a_reply_or_a_broken_one(read: Callable[..., JudgeReply], answer: Any) -> None:
    assert read(answer, latency_s=0.0).text == "seven"
    for path in places(answer):
        for odd in ODD:
            changed = copy.deepcopy(answer)
            parent = changed
            for step in path[:-1]:
                parent = parent[step]
            parent[path[-1]] = odd
            assert how_it_ended(read, changed) in {None, CallFault.BROKEN_REPLY}, (path, odd)


def how_it_ended(read: Callable[..., JudgeReply], answer: Any) -> CallFault | None:
    try:
        read(answer, latency_s=0.0)
    except CallFailed as failed:
        return failed.fault
    return None


@pytest.mark.parametrize("count", [-5, 10**30, float("inf"), float("nan"), "many", None, True])
@pytest.mark.parametrize(("read", "answer", "usage"), [
    (read_chat, CHAT, {"prompt_tokens": 5, "completion_tokens": 0}),
    (read_response, RESPONSE, {"input_tokens": 5, "output_tokens": 0}),
    (read_reply, GEMINI, {"promptTokenCount": 5, "candidatesTokenCount": 0}),
])  # fmt: skip
def test_that_a_count_that_cannot_be_one_loses_no_words(
    count: object, read: Callable[..., JudgeReply], answer: Any, usage: dict[str, object]
) -> None:
    received = [name for name, value in usage.items() if value == 0]
    told = usage | dict.fromkeys(received, count)
    reply = read(answer | {"usageMetadata" if read is read_reply else "usage": told}, latency_s=0.0)
    assert (reply.text, reply.usage.input_tokens, reply.usage.output_tokens) == ("seven", 5, 0)


def test_that_half_a_pair_of_surrogates_never_reaches_what_is_stored() -> None:
    # A whole pair is one sign; half of one is no text.
    said = list(objects_in(r'{"reason": "a\ud83d b\ud83d\ude00", "score": 7}'))
    assert said == [{"reason": "a\ufffd b\U0001f600", "score": 7}]
    answer = json_of(r'{"choices": [{"\ud800": ["x\udfff", 1, null]}]}', Secret(""))
    assert answer == {"choices": [{"\ufffd": ["x\ufffd", 1, None]}]}
    failed = refusal(400, {"error": {"message": "no \ud800"}}, {}, now=datetime.now(UTC))
    assert failed.message == "no \ufffd (HTTP 400)"
