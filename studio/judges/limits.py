"""How fast an endpoint may be asked: one gate for all calls to it."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from studio.judges.clock import Clock, SystemClock
from studio.judges.settings import DEFAULT_IN_FLIGHT
from studio.model.judging import CallFailed, CallFault, JudgeSetup
from studio.model.protocols import CancelToken

_LOOK_S = 0.2
"""How long a cancel may go unseen."""

ALONE_S = 5.0
"""How long the first call goes alone at most; if it hangs, the others need not."""

_AT_FIRST = 0.75
"""Share of the allowed number that may be in flight after the first reply."""

_HOLD_OFF_S = 1.0
"""Refusals within this time are of the same crowd, and halve the number in flight once."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What the user allows for one endpoint."""

    max_in_flight: int = DEFAULT_IN_FLIGHT
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None

    @classmethod
    def of(cls, setup: JudgeSetup, *, workers: int = 1) -> Limits:
        """Return the limits that a judge's settings name; a share of them for each of several workers."""
        settings = setup.settings

        def share(name: str) -> float | None:
            value = settings.get(name)
            return float(value) / workers if isinstance(value, int | float) else None

        wanted = settings.get("max_in_flight", DEFAULT_IN_FLIGHT)
        in_flight = int(wanted) if isinstance(wanted, int | float) else DEFAULT_IN_FLIGHT
        return cls(
            max_in_flight=max(1, in_flight // workers), requests_per_minute=share("requests_per_minute"),
            tokens_per_minute=share("tokens_per_minute"),
        )  # fmt: skip


class Bucket:
    """A token bucket that holds at most `burst` and fills by `per_minute`; a draw may leave it in debt."""

    def __init__(self, per_minute: float, *, now: float) -> None:
        self._per_s = per_minute / 60.0
        # A burst of a tenth of a minute's worth: servers count in windows, and a full minute at once would be refused.
        self._most = max(1.0, per_minute / 10.0)
        self._level = self._most
        self._at = now

    def wait_s(self, amount: float, now: float) -> float:
        """Return how long until the amount may be drawn; more than the bucket holds is let through when it is full."""
        self._fill(now)
        missing = min(amount, self._most) - self._level
        return max(0.0, missing / self._per_s)

    def draw(self, amount: float, now: float) -> None:
        """Take the amount out; a negative one puts back what was not needed."""
        self._fill(now)
        self._level = min(self._most, self._level - amount)

    def _fill(self, now: float) -> None:
        self._level = min(self._most, self._level + (now - self._at) * self._per_s)
        self._at = now


class EndpointGate:
    """Lets calls through one by one: as many at once as the endpoint bears, none before the server wants more.

    The first call goes alone. Then three quarters of the allowed number may be in flight; it grows by one with every
    good reply until the first refusal, and by one with every full round after that; a refusal halves it.
    """

    def __init__(self, limits: Limits, clock: Clock | None = None) -> None:
        self._limits = limits
        self._clock = clock or SystemClock()
        now = self._clock.now()
        self._requests = Bucket(limits.requests_per_minute, now=now) if limits.requests_per_minute else None
        self._tokens = Bucket(limits.tokens_per_minute, now=now) if limits.tokens_per_minute else None
        self._change = threading.Condition()
        self._in_flight = 0
        self._allowed = 1.0
        self._is_proven = False
        self._was_refused = False
        self._first_at: float | None = None
        self._not_before = now
        self._halved_at = float("-inf")
        self.most_in_flight = 0

    @property
    def allowed(self) -> int:
        """How many calls may be in flight now."""
        return int(self._allowed)

    def enter(self, tokens: int, *stops: CancelToken) -> None:
        """Wait until a call of about so many tokens may leave.

        Raises:
            CallFailed: CANCELLED, within a second after any of `stops` is set.
        """
        with self._change:
            while True:
                if any(stop.is_set() for stop in stops):
                    # Somebody else may have been waiting for the place that was offered to this one.
                    self._change.notify()
                    raise CallFailed(CallFault.CANCELLED, "stopped")
                wait_s = self._wait_s(tokens)
                if wait_s <= 0:
                    break
                self._clock.wait(self._change, min(wait_s, _LOOK_S))
            now = self._clock.now()
            for bucket, amount in ((self._requests, 1.0), (self._tokens, float(tokens))):
                if bucket is not None:
                    bucket.draw(amount, now)
            self._in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self._in_flight)
            if self._first_at is None:
                self._first_at = now

    def leave(self, failed: CallFailed | None, *, tokens_over: int = 0) -> None:
        """Give a call's place back and learn from how it ended.

        Args:
            failed: why there was no reply; None if there was one.
            tokens_over: how many tokens it took beyond those that `enter` was told.
        """
        with self._change:
            now = self._clock.now()
            self._in_flight -= 1
            if self._tokens is not None and tokens_over:
                self._tokens.draw(float(tokens_over), now)
            if failed is None:
                self._grow()
            elif failed.fault is not CallFault.CANCELLED:
                self._shrink(failed, now)
            # One place came free; if growth made room for more, those look by themselves within a moment.
            self._change.notify(2)

    def hold(self, seconds: float) -> None:
        """Let no call through for so long."""
        with self._change:
            self._not_before = max(self._not_before, self._clock.now() + seconds)

    def _wait_s(self, tokens: int) -> float:
        now = self._clock.now()
        if self._in_flight >= int(self._allowed):
            if not self._is_proven and self._first_at is not None and now - self._first_at >= ALONE_S:
                self._prove()
                return 0.0 if self._in_flight < int(self._allowed) else _LOOK_S
            return _LOOK_S
        waits = [self._not_before - now]
        if self._requests is not None:
            waits.append(self._requests.wait_s(1.0, now))
        if self._tokens is not None:
            waits.append(self._tokens.wait_s(float(tokens), now))
        return max(waits)

    def _prove(self) -> None:
        if not self._is_proven:
            self._is_proven = True
            self._allowed = max(1.0, self._limits.max_in_flight * _AT_FIRST)
            self._change.notify_all()

    def _grow(self) -> None:
        self._prove()
        step = 1.0 / self._allowed if self._was_refused else 1.0
        self._allowed = min(float(self._limits.max_in_flight), self._allowed + step)

    def _shrink(self, failed: CallFailed, now: float) -> None:
        if failed.fault in {CallFault.AUTH, CallFault.QUOTA}:
            return
        self._prove()
        if failed.retry_after_s:
            self._not_before = max(self._not_before, now + failed.retry_after_s)
        is_crowding = failed.fault is CallFault.RATE or failed.fault is CallFault.SERVER
        if is_crowding and now - self._halved_at >= _HOLD_OFF_S:
            self._was_refused = True
            self._halved_at = now
            self._allowed = max(1.0, self._allowed / 2)
