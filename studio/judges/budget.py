"""Keeps a run within a budget: what a call may cost is set aside before it is sent."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

from studio.judges.pricing import LIKELY_OUTPUT_TOKENS, Price
from studio.model.judging import JudgeRequest, Usage
from studio.model.protocols import CancelToken

_LOOK_S = 0.2
_KEEPS_OF_OLD = 0.8
"""Weight of what was known before in the running means."""


@dataclass(frozen=True, kw_only=True)
class Budget:
    """What a run may use; None: as much as it needs."""

    usd: float | None = None
    tokens: int | None = None
    """Input and output together."""


class BudgetSpent(Exception):
    """The next call does not fit any more; the message says by how much."""


@dataclass(frozen=True, kw_only=True)
class Reserve:
    """What was set aside for one call."""

    usd: float
    tokens: int
    input_tokens: int


@dataclass(frozen=True, kw_only=True)
class Spent:
    """What a run has used so far."""

    usd: float
    input_tokens: int
    output_tokens: int


class Ledger:
    """Counts what calls use; may be asked from many threads.

    Args:
        budget: the limits.
        price: of the model; None: not known.
    """

    def __init__(self, budget: Budget, price: Price | None) -> None:
        self._budget = budget
        self._price = price
        self._change = threading.Condition()
        self._usd = 0.0
        self._input = self._output = 0
        self._held_usd = 0.0
        self._held_tokens = 0
        self._input_ratio = 1.0
        self._output_mean = float(LIKELY_OUTPUT_TOKENS)
        self._is_measured = False

    def reserve(self, request: JudgeRequest, input_tokens: int, *stops: CancelToken) -> Reserve:
        """Set aside what a call will likely use; waits while calls in flight may still turn out cheaper.

        Args:
            request: what will be sent.
            input_tokens: its estimated size.
            stops: ends the wait; the call is then not sent anyway.

        Raises:
            BudgetSpent: if it does not fit into what is left.
        """
        with self._change:
            usage = Usage(
                input_tokens=round(input_tokens * self._input_ratio), output_tokens=self._likely_output(request)
            )
            usd = self._price.cost(usage) if self._price else 0.0
            tokens = usage.input_tokens + usage.output_tokens
            while not self._fits(usd, tokens):
                if not self._held_tokens or any(stop.is_set() for stop in stops):
                    raise BudgetSpent(self._why(usd, tokens))
                self._change.wait(_LOOK_S)
            self._held_usd += usd
            self._held_tokens += tokens
            return Reserve(usd=usd, tokens=tokens, input_tokens=input_tokens)

    def reserve_unit(self, requests: Sequence[tuple[JudgeRequest, int]]) -> Reserve | None:
        """Set aside what another program will likely use for these requests, each with its estimated size.

        Returns:
            None if it does not fit now; it may once something else was `release`d.
        """
        with self._change:
            usage = Usage(
                input_tokens=sum(round(tokens * self._input_ratio) for _, tokens in requests),
                output_tokens=sum(self._likely_output(request) for request, _ in requests),
            )
            usd = self._price.cost(usage) if self._price else 0.0
            tokens = usage.input_tokens + usage.output_tokens
            if not self._fits(usd, tokens):
                return None
            self._held_usd += usd
            self._held_tokens += tokens
            return Reserve(usd=usd, tokens=tokens, input_tokens=sum(tokens for _, tokens in requests))

    def release(self, reserve: Reserve, usage: Usage, *, calls: int) -> float:
        """Put in what another program really used of a unit's reserve, and return its cost in US dollars.

        Args:
            reserve: what was set aside.
            usage: of all its replies.
            calls: how many replies these were; 0: there was none.
        """
        with self._change:
            self._held_usd -= reserve.usd
            self._held_tokens -= reserve.tokens
            cost = self._price.cost(usage) if self._price else 0.0
            self._usd += cost
            self._input += usage.input_tokens
            self._output += usage.output_tokens
            if calls:
                self._learn(reserve, replace(usage, output_tokens=round(usage.output_tokens / calls)))
            self._change.notify_all()
            return cost

    def why_not(self, requests: Sequence[tuple[JudgeRequest, int]]) -> str | None:
        """Return why these requests can never be sent, though nothing is in flight; None while something is."""
        with self._change:
            if self._held_tokens:
                return None
            output = sum(self._likely_output(request) for request, _ in requests)
            sent = sum(round(tokens * self._input_ratio) for _, tokens in requests)
            usd = self._price.cost(Usage(input_tokens=sent, output_tokens=output)) if self._price else 0.0
            return self._why(usd, sent + output)

    def settle(self, reserve: Reserve, usage: Usage | None) -> float:
        """Put in what a call really used (None: nothing, it failed), and return its cost in US dollars."""
        with self._change:
            self._held_usd -= reserve.usd
            self._held_tokens -= reserve.tokens
            cost = 0.0
            if usage is not None:
                cost = self._price.cost(usage) if self._price else 0.0
                self._usd += cost
                self._input += usage.input_tokens
                self._output += usage.output_tokens
                self._learn(reserve, usage)
            self._change.notify_all()
            return cost

    def spent(self) -> Spent:
        """Return what was used so far."""
        with self._change:
            return Spent(usd=self._usd, input_tokens=self._input, output_tokens=self._output)

    def _likely_output(self, request: JudgeRequest) -> int:
        likely = self._output_mean if self._is_measured else max(self._output_mean, request.max_output_tokens or 0)
        return round(min(likely, request.max_output_tokens) if request.max_output_tokens else likely)

    def _learn(self, reserve: Reserve, usage: Usage) -> None:
        keep = _KEEPS_OF_OLD if self._is_measured else 0.0
        if reserve.input_tokens and usage.input_tokens:
            ratio = usage.input_tokens / reserve.input_tokens
            self._input_ratio = keep * self._input_ratio + (1 - keep) * ratio
        self._output_mean = keep * self._output_mean + (1 - keep) * usage.output_tokens
        self._is_measured = True

    def _fits(self, usd: float, tokens: int) -> bool:
        limit_usd, limit_tokens = self._budget.usd, self._budget.tokens
        return (limit_usd is None or self._usd + self._held_usd + usd <= limit_usd) and (
            limit_tokens is None or self._input + self._output + self._held_tokens + tokens <= limit_tokens
        )

    def _why(self, usd: float, tokens: int) -> str:
        if self._budget.usd is not None and self._usd + self._held_usd + usd > self._budget.usd:
            return (
                f"The budget of ${self._budget.usd:g} is used up: ${self._usd:.4f} spent, "
                f"the next call costs about ${usd:.4f}."
            )
        return (
            f"The budget of {self._budget.tokens} tokens is used up: {self._input + self._output} used, "
            f"the next call takes about {tokens}."
        )
