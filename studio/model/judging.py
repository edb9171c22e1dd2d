"""What is sent to a judge and what comes back, the same for every provider and every protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol as TypingProtocol

from studio.model.checklists import EvidenceBox, SourceQuote
from studio.model.ids import DeckId, InstanceId, Sha256
from studio.model.protocols import CancelToken
from studio.model.runs import UnitStatus


class JudgingProtocol(StrEnum):
    """How a judge is asked; the names of the command line."""

    CHECKLIST = "checklist"
    RATING = "rating"
    ARENA = "arena"
    LISTWISE = "listwise"
    PPTEVAL = "ppteval"
    GEVAL = "geval"
    FEWSHOT = "fewshot"
    QUIZ_BUILD = "quiz_build"
    QUIZ_TEXT = "quiz_text"
    QUIZ_ANSWERS = "quiz_answers"


QUIZ_PROTOCOLS = frozenset({JudgingProtocol.QUIZ_BUILD, JudgingProtocol.QUIZ_TEXT, JudgingProtocol.QUIZ_ANSWERS})
"""What `studio quiz` asks judges; no protocols of `studio judge`."""
DECK_PROTOCOLS = tuple(each for each in JudgingProtocol if each not in QUIZ_PROTOCOLS)
"""How a judge is asked what it thinks of decks."""


@dataclass(frozen=True, kw_only=True)
class JudgeSetup:
    """A configured judge: what it is called by, where it is reached, and the settings that make its identity.

    A key is never a part of it.
    """

    provider: str
    """``gemini``, ``openai``, ``code`` or ``scripted``."""
    model: str
    """The model's name; for ``scripted`` the file."""
    base_url: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)
    """Such as ``temperature``, ``seed``, ``thinking``, ``max_in_flight``; only those that change an answer
    count in keys."""

    @property
    def id(self) -> str:
        """Return ``provider:model``."""
        return f"{self.provider}:{self.model}"


@dataclass(frozen=True, kw_only=True)
class TextPart:
    """Words of a request."""

    text: str


@dataclass(frozen=True, kw_only=True)
class ImagePart:
    """A picture of a request, read from its file only while it is sent."""

    path: Path
    sha256: Sha256
    label: str
    """What the words call it, such as "deck slide 7" or "source 2 page 3"."""
    mime: str = "image/png"
    size_px: tuple[int, int] | None = None


@dataclass(frozen=True, kw_only=True)
class FilePart:
    """A whole file of a request, for providers that take files."""

    path: Path
    sha256: Sha256
    label: str
    mime: str
    pages: int | None = None


Part = TextPart | ImagePart | FilePart


@dataclass(frozen=True, kw_only=True)
class JudgeRequest:
    """One call: a user message of parts in order."""

    parts: tuple[Part, ...]
    prompt_version: str
    """Name, version and hash of the prompt it was built from."""
    max_output_tokens: int | None = None
    wants_token_probabilities: bool = False
    sample: int = 0
    """Number of this repeat, from 0; added to a seed where one is set."""


class ReplyEnd(StrEnum):
    """How a reply ended, as the server says."""

    COMPLETE = "complete"
    CUT_OFF = "cut_off"
    """At the limit of output tokens."""
    BLOCKED = "blocked"
    """By the provider's safety rules, on the prompt or on the reply."""
    EMPTY = "empty"


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Tokens of one call as the server counted them."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_input_tokens: int = 0
    thinking_tokens: int = 0


@dataclass(frozen=True, kw_only=True)
class TokenChoice:
    """One place of a reply with its likeliest tokens."""

    token: str
    logprob: float
    alternatives: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, kw_only=True)
class JudgeReply:
    """What a server answered, as it is; reading a verdict out of it is another step."""

    text: str
    end: ReplyEnd
    usage: Usage
    raw: Mapping[str, object]
    """The answer's JSON, without keys."""
    why_blocked: str = ""
    tokens: tuple[TokenChoice, ...] = ()
    latency_s: float = 0.0
    model: str = ""
    """The model's name as the server gives it."""


class CallFault(StrEnum):
    """Why a call gave no reply; what to do differs by it."""

    AUTH = "auth"
    """Wrong or missing key: the run ends at once."""
    BAD_REQUEST = "bad_request"
    """The unit fails; asking again would not help."""
    RATE = "rate"
    """Too fast: wait as long as the server says, all calls to this endpoint together."""
    QUOTA = "quota"
    """Nothing more today: the run pauses with the reason."""
    SERVER = "server"
    """5xx and the like: retried with jitter, up to the limit."""
    TIMEOUT = "timeout"
    NETWORK = "network"
    BROKEN_REPLY = "broken_reply"
    """The reply was no JSON, or ended in the middle."""
    CANCELLED = "cancelled"


class CallFailed(Exception):
    """A call gave no reply.

    Args:
        fault: the class of the failure.
        message: one line for people, without a key.
        retry_after_s: how long the server asks to wait, if it says.
    """

    def __init__(self, fault: CallFault, message: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.fault = fault
        self.message = message
        self.retry_after_s = retry_after_s


class JudgeClient(TypingProtocol):
    """Sends requests to one endpoint; may be called from many threads at once; retries nothing by itself."""

    def ask(self, request: JudgeRequest, cancel: CancelToken) -> JudgeReply:
        """Send one request and return the reply.

        Raises:
            CallFailed: if there is no reply, also within a second after `cancel` is set.
        """
        ...

    def close(self) -> None:
        """Delete what was uploaded and free the connections."""


class Replies(TypingProtocol):
    """What a protocol's conversation asks through: retries, limits and budgets are behind it."""

    def __call__(self, requests: Sequence[JudgeRequest], /) -> Sequence[JudgeReply]:
        """Return the replies in the order of the requests; raises `CallFailed` for the first that has none."""
        ...


class ParseStatus(StrEnum):
    """How a verdict was read out of a reply."""

    OK = "ok"
    REPAIRED = "repaired"
    """Read after a repair that the detail names, such as a fence taken off or a conflict settled."""
    FAILED = "failed"
    NONE = "none"
    """There was nothing to read."""


@dataclass(frozen=True, kw_only=True)
class VerdictRecord:
    """What a judge said about one thing, or that it said nothing and why."""

    instance_id: InstanceId
    deck_id: DeckId
    """For a pair the deck shown first; the others are in `against`."""
    item_id: str
    """The checklist item, the criterion or the dimension asked after."""
    verdict: str = ""
    """Such as ``yes``, ``first``, ``inconsistent`` or the rank; empty where there is none."""
    score: float | None = None
    scale: tuple[float, float] | None = None
    """Lowest and highest that `score` can be."""
    status: UnitStatus = UnitStatus.OK
    parse: ParseStatus = ParseStatus.OK
    reason: str = ""
    """The judge's words, or why there is no verdict."""
    boxes: tuple[EvidenceBox, ...] = ()
    quotes: tuple[SourceQuote, ...] = ()
    dimension: str = ""
    slide: int | None = None
    against: tuple[DeckId, ...] = ()
    """The other decks of a pair or list, in the order shown."""
    order_index: int = 0
    """0: as planned; 1: a pair swapped; for lists the number of the permutation."""
    sample: int = 0
    """Number of the repeat, from 0."""
    detail: Mapping[str, object] = field(default_factory=dict)
    """Anything else that explains it, as JSON values: token probabilities, mode, conflict, pages shown."""


@dataclass(frozen=True, kw_only=True)
class ConversationResult:
    """What a conversation came to."""

    verdicts: tuple[VerdictRecord, ...]
    status: UnitStatus = UnitStatus.OK
    """The unit's; not OK: the unit is not done and planned again."""
    message: str = ""
    """One line for people where the status is not OK."""


class Conversation(TypingProtocol):
    """One unit of a judge run: what is asked and how the replies are read. Picklable, knows no project."""

    def key_parts(self) -> tuple[object, ...]:
        """Return what the result depends on besides the judge, as JSON values.

        Hashes of decks, sources, item and prompt, page rule, order, repeat; the run adds the judge's own identity.
        """
        ...

    def requests(self) -> tuple[JudgeRequest, ...]:
        """Return the requests known before any reply, for the preview and the price.

        Every picture and file that a later request sends is in one of these.
        """
        ...

    def subjects(self) -> tuple[VerdictRecord, ...]:
        """Return a record without a verdict for each thing asked after; stored with the failure where a call failed."""
        ...

    def hold(self, ask: Replies) -> ConversationResult:
        """Ask, read the replies, and return what they came to.

        Lets `CallFailed` pass. A reply that did not end COMPLETE is no verdict: see `status_of_end`.
        """
        ...


@dataclass(frozen=True, kw_only=True)
class PlannedConversation:
    """A conversation with what people call it."""

    conversation: Conversation
    protocol: JudgingProtocol
    instance_id: InstanceId
    deck_id: DeckId
    label: str
    """Such as ``storage · B · item 12``."""
    blocked: str = ""
    """``kind: reason`` where it cannot be held, such as a deck that is not rendered."""


def status_of_end(end: ReplyEnd) -> UnitStatus:
    """Return the status of a unit whose reply ended so: OK, REFUSED when blocked, else INCOMPLETE."""
    match end:
        case ReplyEnd.COMPLETE:
            return UnitStatus.OK
        case ReplyEnd.BLOCKED:
            return UnitStatus.REFUSED
        case _:
            return UnitStatus.INCOMPLETE
