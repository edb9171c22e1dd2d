"""What a unit of a judge run carries, and what asks for it, in this program or on a worker of a cluster."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from studio.judges.asking import Asker, Held, RetryRules, RunStop, Stored
from studio.judges.budget import Ledger
from studio.judges.limits import EndpointGate, Limits
from studio.model.judging import (
    CallFailed,
    CallFault,
    Conversation,
    JudgeClient,
    JudgeReply,
    JudgeRequest,
    JudgeSetup,
    JudgingProtocol,
)
from studio.model.protocols import CancelToken


@dataclass(frozen=True, kw_only=True)
class JudgeTask:
    """One conversation to hold."""

    conversation: Conversation
    protocol: JudgingProtocol
    prompt_version: str = ""
    asks_anew: bool = False
    """Stored replies are left aside."""


@dataclass(frozen=True, kw_only=True)
class AskerParts:
    """What an asker is made of besides its client; picklable, without a key."""

    setup: JudgeSetup
    version: str
    rules: RetryRules = field(default_factory=RetryRules)

    def asker(self, client: JudgeClient, stop: RunStop, ledger: Ledger, *, workers: int = 1) -> Asker:
        """Return an asker with its share of the endpoint's limits."""
        limits = Limits.of(self.setup, workers=workers)
        limit = self.setup.settings.get("max_output_tokens")
        return Asker(
            client, version=self.version, provider=self.setup.provider, gate=EndpointGate(limits), ledger=ledger,
            stop=stop, rules=self.rules, width=limits.max_in_flight,
            output_limit=limit if isinstance(limit, int) else None,
        )  # fmt: skip


class CloseOnce:
    """Makes an asker when the first conversation needs it, once, and closes it with its client at the end."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._make: Callable[[], Asker] | None = None
        self._asker: Asker | None = None

    def keep(self, make: Callable[[], Asker]) -> CloseOnce:
        """Take note of how the asker is made."""
        self._make = make
        return self

    def hold(self, conversation: Conversation, cancel: CancelToken, stored: Stored) -> Held:
        """See `Asker.hold`."""
        with self._lock:
            if self._asker is None:
                assert self._make is not None
                self._asker = self._make()
        return self._asker.hold(conversation, cancel, stored)

    def close(self) -> None:
        """End the asker's threads and its client, if it was ever made."""
        with self._lock:
            asker, self._asker = self._asker, None
        if asker is not None:
            asker.close()
            asker.client.close()


class _StoredOnly:
    """A client that asks nobody."""

    def ask(self, request: JudgeRequest, cancel: CancelToken) -> JudgeReply:
        del request, cancel
        raise CallFailed(CallFault.BAD_REQUEST, "There is no stored reply to this request, and nothing is asked.")

    def close(self) -> None:
        """See `JudgeClient.close`."""


def stored_only() -> JudgeClient:
    """Return a client for reading stored replies again."""
    return _StoredOnly()
