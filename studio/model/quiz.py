"""Question banks: what of a source should survive in its decks, and what readers answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from studio.model.ids import DeckId, InstanceId

LETTERS = ("A", "B", "C", "D")
CHANCE = 1 / len(LETTERS)
"""Accuracy of whoever draws a letter."""
PER_TYPE = 5
"""Questions of each type that a finished bank asks (SlidesGen-Bench, 2.2)."""


class QuestionType(StrEnum):
    """What a question asks after."""

    CONCEPT = "concept"
    DATA = "data"


class QuestionState(StrEnum):
    """Whether a person stands behind a question."""

    DRAFT = "draft"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class QuestionOrigin(StrEnum):
    """Who wrote a question first."""

    OFFLINE = "offline"
    """Drafted by rules, without a model."""
    JUDGE = "judge"
    PERSON = "person"
    IMPORTED = "imported"


@dataclass(frozen=True, kw_only=True)
class Question:
    """One multiple-choice question with the place in the source that it rests on."""

    id: str
    type: QuestionType
    question: str
    options: Mapping[str, str]
    """Letter to words; four of them in a sound question."""
    answer: str
    """The letter of the right option."""
    explanation: str = ""
    source: str = ""
    """The source's name; empty: any source of the instance."""
    page: int | None = None
    """From 1."""
    source_quote: str = ""
    state: QuestionState = QuestionState.DRAFT
    origin: QuestionOrigin = QuestionOrigin.PERSON
    verified_by: str = ""
    verified_at: str = ""
    note: str = ""
    extra: Mapping[str, object] = field(default_factory=dict)
    """What an imported file says besides; goes out again as it came."""

    @property
    def key_words(self) -> str:
        """The words of the right option; empty if there is none."""
        return self.options.get(self.answer, "")


@dataclass(frozen=True, kw_only=True)
class QuizBank:
    """The questions of one instance."""

    id: str
    instance_id: InstanceId
    title: str = ""
    difficulty: str = ""
    """As a file says it; what the studio computes stands beside it."""
    version: int = 1
    """Goes up when a question that is asked changes in what it asks."""
    questions: tuple[Question, ...] = ()
    made_with: str = ""
    """What wrote the first drafts, such as ``offline`` or ``openai:m``."""

    @property
    def asked(self) -> tuple[Question, ...]:
        """The questions that a run asks: the accepted ones, or every one not rejected while none is accepted."""
        accepted = tuple(each for each in self.questions if each.state is QuestionState.ACCEPTED)
        return accepted or tuple(each for each in self.questions if each.state is QuestionState.DRAFT)


class Condition(StrEnum):
    """What a reader is given besides the questions."""

    SLIDES = "slides"
    ORACLE = "oracle"
    """The quotes that the questions rest on: must come to 100 %."""
    CLOSED_BOOK = "closed_book"
    """Nothing: must stay at chance."""


INSUFFICIENT = "insufficient"


class ErrorType(StrEnum):
    """Why an answer is wrong (SlidesGen-Bench, appendix A)."""

    MISSING = "missing_content"
    VALUE = "value_mismatch"
    EXTRACTION = "extraction_failure"
    OTHER = "other"


@dataclass(frozen=True, kw_only=True)
class SlideText:
    """One slide's Markdown, without its speaker notes."""

    number: int
    markdown: str
    """Its first line may be a heading with its title."""


@dataclass(frozen=True, kw_only=True)
class QuizAnswer:
    """What one reader answered to one question about one deck."""

    bank_id: str
    bank_version: int
    question_id: str
    type: QuestionType
    instance_id: InstanceId
    deck_id: DeckId
    """Empty for the oracle and the closed book, which see no deck."""
    reader: str
    """``offline`` or a judge's id."""
    condition: Condition
    answer: str
    """A letter, `INSUFFICIENT`, or empty where the reply could not be read."""
    key: str
    cited_slides: tuple[int, ...] = ()
    reason: str = ""
    """The reader's words, or the passage it went by."""
    text_from: str = ""
    """Where the slides' words came from: ``offline`` or a judge's id."""
    presort: ErrorType | None = None
    """What the wrong answer looks like to code; None for a right one."""
    question_key: str = ""
    """Hash of what was asked."""
    run_id: str = ""
    at: str = ""

    @property
    def is_correct(self) -> bool:
        """Whether the chosen letter is the key; anything else is wrong."""
        return self.answer == self.key


@dataclass(frozen=True, kw_only=True)
class AuditedError:
    """What a person decided about a wrong answer."""

    deck_id: DeckId
    bank_id: str
    question_id: str
    reader: str
    error_type: ErrorType
    audited_by: str
    topic: str = ""
    note: str = ""
    at: str = ""


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """One fact of a source that questions can be made of."""

    id: str
    type: QuestionType
    claim: str
    quote: str
    source: str
    page: int
    start: int
    """Of the quote, in characters of the page's text."""
    end: int
    value: str = ""
    """Of a data fact, as written, with its unit."""
    context: str = ""


@dataclass(frozen=True, kw_only=True)
class RejectedEvidence:
    """What a model listed and code did not let through."""

    claim: str
    quote: str
    page: int | None
    reason: str
