"""Asks a judge: through the endpoint's gate and the run's budget, with retries, and never twice for the same thing."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from studio.judges.budget import BudgetSpent, Ledger
from studio.judges.identity import request_key
from studio.judges.limits import EndpointGate
from studio.judges.pricing import estimated_input_tokens
from studio.judges.re_asking import is_empty
from studio.judges.settings import DEFAULT_ATTEMPTS
from studio.model.judging import (
    CallFailed,
    CallFault,
    Conversation,
    ConversationResult,
    JudgeClient,
    JudgeReply,
    JudgeRequest,
    ReplyEnd,
    Usage,
)
from studio.model.protocols import CancelToken

LARGER = 4
"""A reply that was cut off is asked for once more with so many times the limit."""
_NO_LIMIT_SET = 8192
"""What was likely the limit where the request set none."""


@dataclass(frozen=True, kw_only=True)
class RetryRules:
    """How often and how long a call is tried again."""

    attempts: int = DEFAULT_ATTEMPTS
    """Calls at most for 5xx, time limits, connections and broken replies."""
    rate_attempts: int = 8
    """Calls at most where the server says that it is asked too fast."""
    first_wait_s: float = 0.5
    longest_wait_s: float = 60.0
    first_empty_wait_s: float = 1.0
    """Before the same is asked again after an empty reply, twice as long after each; the reference's second."""

    def wait_after_empty_s(self, attempt: int) -> float:
        """Return the seconds to wait after an empty reply to the attempt of this number, from 1.

        Source: the reference's loop, min(2^(attempt − 1), 60); after a reply without a verdict it does not wait.
        """
        return float(min(self.first_empty_wait_s * 2 ** min(attempt - 1, 30), self.longest_wait_s))


class RunStop:
    """Says that nothing new is to be asked, and why; the first reason counts. A cancel token."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self.fault: CallFault | None = None
        self.reason = ""

    def stop(self, reason: str, fault: CallFault | None = None) -> None:
        """Stop, for a reason that people read; `fault` says which kind, None: a limit of the user's own."""
        with self._lock:
            if not self._event.is_set():
                self.reason, self.fault = reason, fault
                self._event.set()

    def is_set(self) -> bool:
        """See `CancelToken.is_set`."""
        return self._event.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        """See `CancelToken.wait`."""
        return self._event.wait(timeout)


@dataclass(frozen=True, kw_only=True)
class Answered:
    """A request with its reply, to be stored."""

    key: str
    request: JudgeRequest
    reply: JudgeReply
    cost: float


@dataclass(frozen=True, kw_only=True)
class Held:
    """What became of a conversation, and what it took."""

    result: ConversationResult | None
    """None: a call failed, or reading the replies did."""
    fault: CallFault | None = None
    """Of the call that failed; None with no result: a fault of ours, which the message names."""
    message: str = ""
    calls: int = 0
    """Requests that were sent, with those that failed."""
    reused: int = 0
    """Replies that were there already."""
    faults: dict[str, int] = field(default_factory=dict)
    """Calls that failed, by class."""
    answered: tuple[Answered, ...] = ()
    used: tuple[str, ...] = ()
    """Keys of all that it asked, in order."""
    usage: Usage = field(default_factory=Usage)
    """Of the new replies."""
    cost: float = 0.0
    latency_s: float = 0.0
    """Of the slowest new reply."""
    model: str = ""
    """As the server named it last."""


Stored = Callable[[str], Sequence[JudgeReply]]
"""Returns the replies that were stored under a request's key, the newest first."""


class Asker:
    """What all conversations of a run ask through.

    Args:
        client: sends one request.
        version: the judge's identity; see `judge_version`.
        provider: for the size of pictures.
        gate: the endpoint's.
        ledger: the run's.
        stop: set when nothing new is to be asked.
        rules: how failed calls are tried again.
        rng: for the jitter of waits.
        width: calls that one conversation may have in flight.
        output_limit: the judge's limit of output tokens, for requests that set none.
        wait: waits for so many seconds or until one of the tokens is set; tests put another in.
    """

    def __init__(
        self, client: JudgeClient, *, version: str, provider: str, gate: EndpointGate, ledger: Ledger, stop: RunStop,
        rules: RetryRules | None = None, rng: random.Random | None = None, width: int = 8,
        output_limit: int | None = None,
        wait: Callable[..., None] | None = None,
    ) -> None:  # fmt: skip
        self.client = client
        self.version = version
        self.stop = stop
        self.ledger = ledger
        self._provider = provider
        self._gate = gate
        self._rules = rules or RetryRules()
        self._rng = rng or random.Random()
        self._width = width
        self._output_limit = output_limit or _NO_LIMIT_SET
        self._wait = wait or _wait
        self._pool: ThreadPoolExecutor | None = None
        self._pool_lock = threading.Lock()

    def hold(self, conversation: Conversation, cancel: CancelToken, stored: Stored) -> Held:
        """Hold a conversation and return what became of it; a call that failed is an outcome, not an error."""
        replies = _Replies(self, cancel, stored)
        try:
            result, fault, message = conversation.hold(replies), None, ""
        except CallFailed as failed:
            result, fault, message = None, failed.fault, failed.message
        except Exception as error:
            # A fault of ours in reading a reply must not lose the replies that were paid for.
            result, fault, message = None, None, f"{type(error).__name__}: {error}"
        return replies.held(result, fault, message)

    def close(self) -> None:
        """End the threads for conversations with many requests."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def pool(self) -> ThreadPoolExecutor:
        """Return the threads in which a conversation's requests go out side by side."""
        with self._pool_lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._width * 4, thread_name_prefix="call")
            return self._pool

    def reply_to(self, request: JudgeRequest, cancel: CancelToken, tried: _Tried) -> tuple[JudgeReply, float]:
        """Return a server's reply and its cost, after as many tries as the rules allow.

        Raises:
            CallFailed: if there is none; the run is stopped where no other call would fare better.
        """
        reply, cost = self._tried(request, cancel, tried)
        if reply.end is ReplyEnd.CUT_OFF and not self.stop.is_set():
            larger = replace(request, max_output_tokens=(request.max_output_tokens or self._output_limit) * LARGER)
            try:
                # There is a reply already, if a short one: a longer one that does not come at once is not worth more.
                second, more = self._tried(larger, cancel, tried, attempts=1)
            except CallFailed as failed:
                if failed.fault is CallFault.CANCELLED:
                    raise
                return reply, cost
            usage = _sum([reply.usage, second.usage])
            return replace(second, usage=usage), cost + more
        return reply, cost

    def wait_after_empty(self, attempt: int, cancel: CancelToken) -> None:
        """Wait before a request is sent again whose attempt of this number brought an empty reply."""
        self._wait(self._rules.wait_after_empty_s(attempt), cancel, self.stop)

    def _tried(
        self, request: JudgeRequest, cancel: CancelToken, tried: _Tried, *, attempts: int | None = None
    ) -> tuple[JudgeReply, float]:
        tokens = estimated_input_tokens(request, provider=self._provider)
        failures = refusals = 0
        while True:
            try:
                return self._once(request, tokens, cancel, tried)
            except CallFailed as failed:
                if failed.fault in {CallFault.AUTH, CallFault.QUOTA}:
                    self.stop.stop(failed.message, failed.fault)
                    raise
                if failed.fault in {CallFault.BAD_REQUEST, CallFault.CANCELLED}:
                    raise
                if failed.fault is CallFault.RATE:
                    refusals += 1
                    is_last, number = refusals >= self._rules.rate_attempts, refusals
                else:
                    failures += 1
                    is_last, number = failures >= (attempts or self._rules.attempts), failures
                if is_last:
                    raise CallFailed(
                        failed.fault, f"{failed.message} — given up after {failures + refusals} tries"
                    ) from None
                self._pause(failed, number, cancel)

    def _once(self, request: JudgeRequest, tokens: int, cancel: CancelToken, tried: _Tried) -> tuple[JudgeReply, float]:
        try:
            reserve = self.ledger.reserve(request, tokens, cancel, self.stop)
        except BudgetSpent as spent:
            self.stop.stop(str(spent))
            raise CallFailed(CallFault.CANCELLED, str(spent)) from None
        usage: Usage | None = None
        cost = 0.0
        try:
            self._gate.enter(tokens, cancel, self.stop)
            failed: CallFailed | None = CallFailed(CallFault.NETWORK, "the client broke down")
            try:
                tried.calls += 1
                reply = self.client.ask(request, cancel)
                usage, failed = reply.usage, None
            except CallFailed as error:
                failed = error
                tried.faults[error.fault.value] += 1
                raise
            finally:
                used = usage.input_tokens + usage.output_tokens - tokens if usage else 0
                self._gate.leave(failed, tokens_over=used)
        finally:
            cost = self.ledger.settle(reserve, usage)
        return reply, cost

    def _pause(self, failed: CallFailed, number: int, cancel: CancelToken) -> None:
        """Wait before the next try: as long as the server says, else longer each time, never all at the same moment.

        With a delay from the server the gate holds all calls; what is added here only spreads them.
        """
        rules = self._rules
        if failed.retry_after_s is not None:
            seconds = failed.retry_after_s + self._rng.uniform(0.0, min(1.0, 0.1 * failed.retry_after_s))
        else:
            longest = min(rules.longest_wait_s, rules.first_wait_s * 2 ** (number - 1))
            seconds = self._rng.uniform(longest / 2, longest)
            if failed.fault is CallFault.RATE:
                self._gate.hold(seconds)
        self._wait(seconds, cancel, self.stop)


@dataclass(kw_only=True)
class _Tried:
    """Counts of one conversation; its calls may be in several threads, each with its own."""

    calls: int = 0
    faults: Counter[str] = field(default_factory=Counter)


class _Replies:
    """What one conversation asks through; see `Replies`."""

    def __init__(self, asker: Asker, cancel: CancelToken, stored: Stored) -> None:
        self._asker = asker
        self._cancel = cancel
        self._stored = stored
        self._tried: list[_Tried] = []
        self._answered: list[Answered] = []
        self._used: list[str] = []
        self._reused = 0
        self._model = ""
        self._left: dict[str, list[JudgeReply]] = {}
        """Stored replies that this conversation has not seen yet; the next one is the last."""
        self._attempts: Counter[str] = Counter()
        """How often each request was asked, stored replies counted."""
        self._was_empty: set[str] = set()
        """Requests whose last reply came from the server just now and was empty."""
        self._lock = threading.Lock()

    def __call__(self, requests: Sequence[JudgeRequest], /) -> Sequence[JudgeReply]:
        """Return the replies; what came is kept also where one of them failed."""
        keys = [request_key(self._asker.version, request) for request in requests]
        self._used.extend(keys)
        if len(requests) == 1:
            return [self._one(requests[0], keys[0])]
        pool = self._asker.pool()
        futures = [pool.submit(self._one, request, key) for request, key in zip(requests, keys, strict=True)]
        replies: list[JudgeReply] = []
        first: BaseException | None = None
        for future in futures:
            # Waits for all: a reply that was paid for is stored, and a conversation that ended has no calls left.
            error = future.exception()
            if error is None:
                replies.append(future.result())
            elif first is None:
                first = error
        if first is not None:
            raise first
        return replies

    def held(self, result: ConversationResult | None, fault: CallFault | None, message: str) -> Held:
        """Return what became of the conversation."""
        faults: Counter[str] = Counter()
        for tried in self._tried:
            faults.update(tried.faults)
        return Held(
            result=result, fault=fault, message=message, calls=sum(tried.calls for tried in self._tried),
            reused=self._reused, faults=dict(faults), answered=tuple(self._answered), used=tuple(self._used),
            usage=_sum([each.reply.usage for each in self._answered]), cost=sum(each.cost for each in self._answered),
            latency_s=max((each.reply.latency_s for each in self._answered), default=0.0), model=self._model,
        )  # fmt: skip

    def _one(self, request: JudgeRequest, key: str) -> JudgeReply:
        with self._lock:
            # Asking the same again means that the reply before was of no use: it must not come a second time.
            if key not in self._left:
                self._left[key] = list(reversed(self._stored(key)))
            before = self._attempts[key]
            self._attempts[key] += 1
            if self._left[key]:
                known = self._left[key].pop()
                self._reused += 1
                self._model = known.model or self._model
                return known
            tried = _Tried()
            self._tried.append(tried)
            is_asked_again = key in self._was_empty
        if is_asked_again:
            self._asker.wait_after_empty(before, self._cancel)
        reply, cost = self._asker.reply_to(request, self._cancel, tried)
        with self._lock:
            (self._was_empty.add if is_empty(reply) else self._was_empty.discard)(key)
            self._answered.append(Answered(key=key, request=request, reply=reply, cost=cost))
            self._model = reply.model or self._model
        return reply


def _sum(usages: Sequence[Usage]) -> Usage:
    return Usage(
        input_tokens=sum(each.input_tokens for each in usages),
        output_tokens=sum(each.output_tokens for each in usages),
        cached_input_tokens=sum(each.cached_input_tokens for each in usages),
        thinking_tokens=sum(each.thinking_tokens for each in usages),
    )


def _wait(seconds: float, *stops: CancelToken) -> None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0 and not any(stop.is_set() for stop in stops):
        stops[0].wait(min(left, 0.2))
