"""Reads an answer of the Gemini API, whichever spelling its keys have."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from studio.judges.server_faults import counted, of_known_shape, pick, refusal
from studio.model.judging import CallFailed, CallFault, JudgeReply, ReplyEnd, TokenChoice, Usage

_BLOCKS = {
    "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT",
    "LANGUAGE", "MODEL_ARMOR",
}  # fmt: skip


@of_known_shape
def read_reply(answer: Mapping[str, Any], *, latency_s: float) -> JudgeReply:
    """Return an answer's words, how it ended and what it used; thoughts are not among the words.

    Raises:
        CallFailed: if it is an error that came as a success, or has no part of an answer's shape.
    """
    if "error" in answer and not answer.get("candidates"):
        error = answer["error"]
        code = error.get("code") if isinstance(error, Mapping) else None
        raise refusal(code if isinstance(code, int) else 500, answer, {}, now=datetime.now(UTC))
    candidates = answer.get("candidates") or []
    feedback = pick(answer, "promptFeedback") or {}
    usage = pick(answer, "usageMetadata")
    if not candidates and not feedback and usage is None:
        raise CallFailed(CallFault.BROKEN_REPLY, "The answer has none of the parts of a reply.")
    first = candidates[0] if candidates else {}
    text = _text(first)
    end, why = _end(first, feedback, text)
    return JudgeReply(
        text=text, end=end, why_blocked=why, usage=_usage(usage or {}), raw=answer, tokens=_tokens(first),
        latency_s=latency_s, model=str(pick(answer, "modelVersion") or ""),
    )  # fmt: skip


def _text(candidate: Mapping[str, Any]) -> str:
    parts = (candidate.get("content") or {}).get("parts") or []
    return "".join(str(part.get("text") or "") for part in parts if not part.get("thought"))


def _end(candidate: Mapping[str, Any], feedback: Mapping[str, Any], text: str) -> tuple[ReplyEnd, str]:
    block = pick(feedback, "blockReason")
    if block:
        return ReplyEnd.BLOCKED, f"prompt: {block}"
    reason = str(pick(candidate, "finishReason") or "")
    if reason in _BLOCKS:
        ratings = pick(candidate, "safetyRatings") or []
        named = [str(rating.get("category")) for rating in ratings if rating.get("blocked")]
        return ReplyEnd.BLOCKED, ", ".join([f"reply: {reason}", *named])
    if reason == "MAX_TOKENS":
        return ReplyEnd.CUT_OFF, reason
    if not text:
        return ReplyEnd.EMPTY, reason or "no candidates"
    return ReplyEnd.COMPLETE, ""


def _usage(usage: Mapping[str, Any]) -> Usage:
    thinking = counted(pick(usage, "thoughtsTokenCount"))
    return Usage(
        input_tokens=counted(pick(usage, "promptTokenCount")),
        # Thoughts are counted apart by this server and paid as output.
        output_tokens=counted(pick(usage, "candidatesTokenCount")) + thinking,
        cached_input_tokens=counted(pick(usage, "cachedContentTokenCount")),
        thinking_tokens=thinking,
    )


def _tokens(candidate: Mapping[str, Any]) -> tuple[TokenChoice, ...]:
    result = pick(candidate, "logprobsResult") or {}
    chosen = pick(result, "chosenCandidates") or []
    top = pick(result, "topCandidates") or []
    places = []
    for position, choice in enumerate(chosen):
        others = top[position].get("candidates") or [] if position < len(top) else []
        places.append(
            TokenChoice(
                token=str(choice.get("token") or ""), logprob=float(pick(choice, "logProbability") or 0.0),
                alternatives=tuple(
                    (str(each.get("token") or ""), float(pick(each, "logProbability") or 0.0)) for each in others
                ),
            )
        )  # fmt: skip
    return tuple(places)
