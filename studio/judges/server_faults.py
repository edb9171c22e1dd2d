"""What a server's refusal means: its class, one line for people, and how long it asks to wait."""

from __future__ import annotations

import email.utils
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import wraps
from typing import Any

from studio.judges.reply_json import storable
from studio.model.judging import CallFailed, CallFault, JudgeReply

_DELAY_WORDS = re.compile(
    r"(?:retry|try again|retry after|wait)(?: again)?(?: in| after)? "
    r"((?:\d+(?:\.\d+)?\s*(?:ms|milliseconds?|hours?|h|minutes?|min|m|seconds?|secs?|s)(?![a-z])\s*)+)",
    re.IGNORECASE,
)
_ONE_DELAY = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|mil|h|m|s)", re.IGNORECASE)
_SECONDS = {"ms": 0.001, "mil": 0.001, "h": 3600.0, "m": 60.0, "s": 1.0}
_PER_DAY = re.compile(r"per[ _-]?day|requests?/day|tokens?/day|\bRPD\b|\bTPD\b|daily (?:limit|quota)", re.IGNORECASE)
_KEY_WORDS = re.compile(r"API[ _]key (?:not valid|not found|expired)|API_KEY_(?:INVALID|EXPIRED)|invalid_api_key", re.I)
_MESSAGE_LENGTH = 300
_MOST_TOKENS = 10**12
"""Of one reply; a count beyond it is a fault of the server."""


def refusal(status: int, body: object, headers: Mapping[str, str], *, now: datetime) -> CallFailed:
    """Return what an HTTP status that is no success means; keys are not yet hidden in its message.

    Args:
        status: the HTTP status.
        body: the JSON of the answer as it was read, or its text.
        headers: the answer's headers; names in lower case, or a mapping that does not mind.
        now: the present time, for `Retry-After` dates.
    """
    error = _error_of(body)
    words = storable(str(error.get("message") or (body if isinstance(body, str) else "") or f"HTTP {status}"))
    message = f"{' '.join(words.split())[:_MESSAGE_LENGTH]} (HTTP {status})"
    wait_s = delay_s(error, headers, words, now=now)
    return CallFailed(_fault(status, error, words), message, retry_after_s=wait_s)


def delay_s(error: Mapping[str, Any], headers: Mapping[str, str], words: str, *, now: datetime) -> float | None:
    """Return the longest delay that any part of the answer asks for, in seconds; None if none does."""
    found = [
        *(_duration(pick(detail, "retryDelay")) for detail in _details(error)),
        _header_s(headers, now),
        _words_s(words),
    ]
    given = [each for each in found if each is not None]
    return max(given) if given else None


def pick(mapping: Mapping[str, Any], name: str) -> Any:
    """Return a value under its camelCase name or its snake_case one; servers send both."""
    if name in mapping:
        return mapping[name]
    return mapping.get(re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower())


def of_known_shape(read: Callable[..., JudgeReply]) -> Callable[..., JudgeReply]:
    """Make what reads an answer say BROKEN_REPLY where a part of it is of another kind than the interface's."""

    @wraps(read)
    def reading(answer: Mapping[str, Any], **more: Any) -> JudgeReply:
        try:
            return read(answer, **more)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise CallFailed(
                CallFault.BROKEN_REPLY, f"The answer is not of the interface's shape ({type(error).__name__})."
            ) from error

    return reading


def counted(tokens: object) -> int:
    """Return a number of tokens that a server told; 0, as where none is told, for what cannot be one.

    The words of a reply are good although its count is not, so a wrong count must not lose them.
    """
    if isinstance(tokens, bool) or not isinstance(tokens, int | float):
        return 0
    return int(tokens) if 0 <= tokens <= _MOST_TOKENS else 0


def _fault(status: int, error: Mapping[str, Any], words: str) -> CallFault:
    code = str(error.get("code") or "")
    if status in {401, 403} or _KEY_WORDS.search(words) or code == "invalid_api_key":
        return CallFault.AUTH
    if any(pick(detail, "reason") in {"API_KEY_INVALID", "API_KEY_EXPIRED"} for detail in _details(error)):
        return CallFault.AUTH
    if status == 402 or code in {"insufficient_quota", "billing_hard_limit_reached"}:
        return CallFault.QUOTA
    if status == 429:
        return CallFault.QUOTA if _is_of_the_day(error, words) else CallFault.RATE
    if status >= 500 or status in {408, 409, 425}:
        return CallFault.SERVER
    return CallFault.BAD_REQUEST


def _is_of_the_day(error: Mapping[str, Any], words: str) -> bool:
    quotas = [
        f"{pick(violation, 'quotaId') or ''} {pick(violation, 'quotaMetric') or ''}"
        for detail in _details(error)
        for violation in detail.get("violations") or ()
    ]
    return any(_PER_DAY.search(text) for text in [*quotas, words])


def _error_of(body: object) -> Mapping[str, Any]:
    if isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, Mapping):
        return {}
    error = body.get("error", body)
    return error if isinstance(error, Mapping) else {"message": str(error)}


def _details(error: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    details = error.get("details")
    return [detail for detail in details if isinstance(detail, Mapping)] if isinstance(details, list) else []


def _duration(value: object) -> float | None:
    """Return the seconds of a protobuf duration: ``53s``, ``0.5s`` or ``{"seconds": 53, "nanos": 0}``."""
    if isinstance(value, Mapping):
        return float(value.get("seconds") or 0) + float(value.get("nanos") or 0) / 1e9
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)s\s*", value) if isinstance(value, str) else None
    return float(match[1]) if match else None


def _header_s(headers: Mapping[str, str], now: datetime) -> float | None:
    milliseconds, after = headers.get("retry-after-ms"), headers.get("retry-after") or headers.get("Retry-After")
    if milliseconds and re.fullmatch(r"\d+(?:\.\d+)?", milliseconds):
        return float(milliseconds) / 1000
    if not after:
        return None
    if re.fullmatch(r"\s*\d+(?:\.\d+)?\s*", after):
        return float(after)
    try:
        return max(0.0, (email.utils.parsedate_to_datetime(after) - now).total_seconds())
    except (TypeError, ValueError):
        return None


def _words_s(words: str) -> float | None:
    match = _DELAY_WORDS.search(words)
    if match is None:
        return None
    return sum(float(number) * _SECONDS[unit.lower()] for number, unit in _ONE_DELAY.findall(match[1]))
