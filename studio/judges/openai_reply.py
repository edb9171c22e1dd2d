"""Reads answers of chat completions and of the responses interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from studio.judges.server_faults import counted, of_known_shape
from studio.model.judging import CallFailed, CallFault, JudgeReply, ReplyEnd, TokenChoice, Usage


@of_known_shape
def read_chat(answer: Mapping[str, Any], *, latency_s: float) -> JudgeReply:
    """Return the words of a chat completion, how it ended and what it used.

    Raises:
        CallFailed: BROKEN_REPLY if it has no list of choices.
    """
    choices = answer.get("choices")
    if not isinstance(choices, list):
        raise CallFailed(CallFault.BROKEN_REPLY, "The answer has no choices.")
    first: Mapping[str, Any] = choices[0] if choices else {}
    message = first.get("message") or {}
    text = _words(message.get("content"))
    end, why = _chat_end(first, message, text, has_choice=bool(choices))
    usage = answer.get("usage") or {}
    return JudgeReply(
        text=text, end=end, why_blocked=why, raw=answer, latency_s=latency_s, model=str(answer.get("model") or ""),
        usage=_usage(usage, "prompt_tokens", "completion_tokens"), tokens=_chat_tokens(first.get("logprobs")),
    )  # fmt: skip


@of_known_shape
def read_response(answer: Mapping[str, Any], *, latency_s: float) -> JudgeReply:
    """Return the words of a response, how it ended and what it used.

    Raises:
        CallFailed: BROKEN_REPLY if it has no list of outputs; SERVER if the server says that it failed.
    """
    output = answer.get("output")
    if not isinstance(output, list):
        raise CallFailed(CallFault.BROKEN_REPLY, "The answer has no output.")
    if answer.get("status") == "failed":
        raise CallFailed(CallFault.SERVER, "The server says that the response failed.")
    content = [part for item in output if item.get("type") == "message" for part in item.get("content") or []]
    text = "".join(str(part.get("text") or "") for part in content if part.get("type") == "output_text")
    refused = "".join(str(part.get("refusal") or "") for part in content if part.get("type") == "refusal")
    why = str((answer.get("incomplete_details") or {}).get("reason") or "")
    if refused or why == "content_filter":
        end, why = ReplyEnd.BLOCKED, refused or why
    elif answer.get("status") == "incomplete":
        end = ReplyEnd.CUT_OFF
    else:
        end = ReplyEnd.COMPLETE if content else ReplyEnd.EMPTY
    places = [place for part in content for place in part.get("logprobs") or []]
    return JudgeReply(
        text=text, end=end, why_blocked=why, raw=answer, latency_s=latency_s, model=str(answer.get("model") or ""),
        usage=_usage(answer.get("usage") or {}, "input_tokens", "output_tokens"), tokens=_places(places),
    )  # fmt: skip


def _chat_end(
    choice: Mapping[str, Any], message: Mapping[str, Any], text: str, *, has_choice: bool
) -> tuple[ReplyEnd, str]:
    if message.get("refusal"):
        return ReplyEnd.BLOCKED, str(message["refusal"])
    finish = choice.get("finish_reason")
    if finish == "content_filter":
        return ReplyEnd.BLOCKED, "content_filter"
    if finish == "length":
        return ReplyEnd.CUT_OFF, "length"
    if not has_choice or (message.get("content") is None and not text):
        return ReplyEnd.EMPTY, "no choices" if not has_choice else "no content"
    return ReplyEnd.COMPLETE, ""


def _words(content: object) -> str:
    """Return the words of a message; a few servers send them as a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, Mapping))
    return ""


def _usage(usage: Mapping[str, Any], sent: str, received: str) -> Usage:
    cached = (usage.get(f"{sent}_details") or {}).get("cached_tokens")
    thinking = (usage.get(f"{received}_details") or {}).get("reasoning_tokens")
    return Usage(
        input_tokens=counted(usage.get(sent)), output_tokens=counted(usage.get(received)),
        cached_input_tokens=counted(cached), thinking_tokens=counted(thinking),
    )  # fmt: skip


def _chat_tokens(logprobs: object) -> tuple[TokenChoice, ...]:
    places = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    return _places(places or [])


def _places(places: list[Mapping[str, Any]]) -> tuple[TokenChoice, ...]:
    return tuple(
        TokenChoice(
            token=str(place.get("token") or ""), logprob=float(place.get("logprob") or 0.0),
            alternatives=tuple(
                (str(each.get("token") or ""), float(each.get("logprob") or 0.0))
                for each in place.get("top_logprobs") or []
            ),
        )
        for place in places
    )  # fmt: skip
