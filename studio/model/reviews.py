"""Disagreements, and what a reviewer decides about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

from studio.model.checklists import EvidenceBox, SourceQuote
from studio.model.ids import AnnotatorId, DeckId, InstanceId, Sha256

CaseId = NewType("CaseId", str)


class CaseKind(StrEnum):
    """What is decided."""

    ITEM = "item"
    """What is true of a checklist item about a deck."""
    PAIR = "pair"
    """Which of two decks of an instance is better."""
    QUIZ = "quiz"
    """Whether a reader's answer to a quiz question about a deck is wrong, and why."""


class DisputeKind(StrEnum):
    """Who disagrees with whom."""

    PEOPLE = "people"
    PEOPLE_MACHINE = "people_machine"
    MACHINES = "machines"
    FLIP = "flip"
    """A judge disagrees with itself: between repeats, or when the order is swapped."""
    ITEMS_NOT_RANK = "items_not_rank"
    """A judge answers the items as people do, and ranks the decks otherwise."""


DISPUTE_WORDS = {
    DisputeKind.PEOPLE: "People disagree",
    DisputeKind.PEOPLE_MACHINE: "People and a machine",
    DisputeKind.MACHINES: "Machines disagree",
    DisputeKind.FLIP: "A judge flips",
    DisputeKind.ITEMS_NOT_RANK: "Right on items, wrong on rank",
}


@dataclass(frozen=True, kw_only=True)
class Dispute:
    """One disagreement within a case."""

    kind: DisputeKind
    who_a: str
    """``people``, or a judge or method."""
    who_b: str
    """The other side; for a judge that flips the same."""
    size: float
    """How far apart they are: above 0, at most 1."""


class Decision(StrEnum):
    """What a reviewer can decide; which of these depends on the kind of case."""

    YES = "yes"
    NO = "no"
    CANNOT_TELL = "cannot_tell"
    NOT_APPLICABLE = "not_applicable"
    A = "a"
    B = "b"
    TIE = "tie"
    CORRECT = "correct"
    WRONG = "wrong"


DECISIONS: Mapping[CaseKind, tuple[Decision, ...]] = {
    CaseKind.ITEM: (Decision.YES, Decision.NO, Decision.CANNOT_TELL, Decision.NOT_APPLICABLE),
    CaseKind.PAIR: (Decision.A, Decision.B, Decision.TIE, Decision.CANNOT_TELL),
    CaseKind.QUIZ: (Decision.CORRECT, Decision.WRONG, Decision.CANNOT_TELL),
}

ERROR_TYPES: Mapping[CaseKind, Mapping[str, str]] = {
    CaseKind.ITEM: {
        "overlooked": "Overlooked what is on a slide",
        "not_on_slide": "Claims what no slide shows",
        "wrong_place": "Right answer, but the place cited does not show it",
        "misread_slide": "Misread a slide",
        "misread_source": "Misread a source",
        "partly_met": "Took partly met for met",
        "ambiguous_item": "The item can be read in two ways",
        "item_at_fault": "The item is wrong about the source",
        "other": "Other",
    },
    CaseKind.PAIR: {
        "looks_over_content": "Judged the looks, not the content",
        "content_over_looks": "Judged the content, not the looks",
        "order_effect": "The order shown decided",
        "length_effect": "The number of slides decided",
        "rendering_fault": "A fault of the rendering was judged",
        "hasty": "Judged without looking at the slides",
        "taste": "A matter of taste: no error",
        "other": "Other",
    },
    CaseKind.QUIZ: {
        "missing_content": "Missing content",
        "value_mismatch": "Value mismatch",
        "extraction_failure": "Extraction failure",
        "other": "Other",
    },
}
"""Kinds of errors by kind of case: the code that is stored, and its words.

Source: items after PresentBench's localised evidence; quiz after SlidesGen-Bench, section 3.3 (four types).
"""


class Confidence(StrEnum):
    """How sure the reviewer is."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True, kw_only=True)
class Case:
    """One thing to decide, with every disagreement about it."""

    id: CaseId
    """Depends on what is decided alone, never on who disagrees."""
    kind: CaseKind
    instance_id: InstanceId
    deck_id: DeckId
    """Of a pair the one that is called a."""
    against: DeckId | None = None
    """Of a pair the one that is called b."""
    item_id: str = ""
    """The checklist item or the quiz question."""
    text: str = ""
    """What is asked."""
    group: str = ""
    """The dimension of an item, or the type of a quiz question."""
    disputes: tuple[Dispute, ...] = ()
    people: Mapping[str, int] = field(default_factory=dict)
    """How many people say what, by decision; ties of a pair among them."""

    @property
    def size(self) -> float:
        """The size of the largest disagreement."""
        return max((dispute.size for dispute in self.disputes), default=0.0)

    @property
    def majority(self) -> tuple[str, float, int]:
        """Return what most people say, their share (0 to 1) and how many said anything; empty where two are even."""
        total = sum(self.people.values())
        best = sorted(self.people.items(), key=lambda pair: -pair[1])
        if not best or (len(best) > 1 and best[0][1] == best[1][1]):
            return "", 0.0, total
        return best[0][0], best[0][1] / total, total


@dataclass(frozen=True, kw_only=True)
class QuizCase:
    """What a case about a quiz question is about: one reader's answer."""

    deck_id: DeckId
    bank_id: str
    question_id: str
    reader: str

    @property
    def item_id(self) -> str:
        """The case's ``item_id``."""
        return f"{self.bank_id}/{self.question_id}"


def quiz_case_id(about: QuizCase) -> CaseId:
    """Return the id of the case about a reader's answer to a question about a deck."""
    return CaseId(f"quiz:{about.deck_id}:{about.item_id}:{about.reader}")


@dataclass(frozen=True, kw_only=True)
class Returned:
    """One answer that was sent back to its author."""

    annotator_id: AnnotatorId
    event_uid: str
    """The event that was added to the annotator's journal."""


BY_REVIEWER, BY_THRESHOLD = "reviewer", "threshold"


@dataclass(frozen=True, kw_only=True)
class Review:
    """What stands about a case; every act leaves a whole state."""

    case_id: CaseId
    kind: CaseKind
    instance_id: InstanceId
    deck_id: DeckId
    against: DeckId | None = None
    item_id: str = ""
    decision: Decision | None = None
    error_type: str = ""
    """A code of `ERROR_TYPES`; empty if none was given."""
    confidence: Confidence | None = None
    comment: str = ""
    boxes: tuple[EvidenceBox, ...] = ()
    """Where on the slides the decision rests; of a pair on those of `deck_id`."""
    quotes: tuple[SourceQuote, ...] = ()
    by: str = BY_REVIEWER
    """``reviewer``, or ``threshold`` where agreement between people was taken for the decision."""
    threshold: float | None = None
    """The share of people that was asked for; None for a reviewer's decision."""
    was_blind: bool = True
    """Whether the names of who said what were hidden while it was decided."""
    returned: tuple[Returned, ...] = ()
    assets: Mapping[DeckId, Sha256 | None] = field(default_factory=dict)
    """The decks' files that were looked at."""
    reviewer_id: AnnotatorId | None = None
    """Who left this state."""
    at: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is said: the case is as it was before anybody looked at it."""
        return self.decision is None and not (
            self.error_type or self.confidence or self.comment or self.boxes or self.quotes or self.returned
        )


@dataclass(frozen=True, kw_only=True)
class ReviewAct:
    """One act of a reviewer."""

    seq: int
    at: str
    reviewer_id: AnnotatorId
    verb: str
    """``decide``, ``error``, ``confidence``, ``comment``, ``evidence``, ``return``, ``accept``, ``undo``, ``redo``."""
    words: str
    undoes: int | None = None
