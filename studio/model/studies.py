"""Studies: who answers what, in which order and under which rules."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from studio.model.ids import AnnotatorId, DeckId, InstanceId

StudyId = NewType("StudyId", str)

ALL_ON_ALL = StudyId("study_all")
"""The implicit study of a project without studies: everybody ranks all decks of all instances."""

ALL_CHECKLISTS = StudyId("study_checklists")
"""The implicit study of checklists: everybody answers every checklist about all decks."""
IMPLICIT = frozenset({ALL_ON_ALL, ALL_CHECKLISTS})
"""Studies without rows, whose rules are the project's own and whose events name no study."""


class StudyKind(StrEnum):
    """What a study asks for."""

    RANK = "rank"
    PAIRWISE = "pairwise"
    BEST_WORST = "best_worst"
    CHECKLIST = "checklist"
    RATE = "rate"


class RankingRule(StrEnum):
    """When a ranking is complete."""

    FULL = "full"
    TOP_K = "top_k"
    ANY = "any"


class AnswerUnit(StrEnum):
    """What is judged in pairwise, best-worst and rate studies."""

    DECK = "deck"
    SLIDE = "slide"


class AssignmentPurpose(StrEnum):
    """Why an assignment is in somebody's queue."""

    REGULAR = "regular"
    GOLD = "gold"
    """Its answer is known."""
    ATTENTION = "attention"
    """Made so that whoever looks gives the known answer."""
    REPEAT = "repeat"


@dataclass(frozen=True, kw_only=True)
class Study:
    """One round of human answers and its rules."""

    id: StudyId
    name: str
    kind: StudyKind
    instance_ids: tuple[InstanceId, ...] | None = None
    """None: every instance of the project, also later ones."""
    systems: tuple[str, ...] | None = None
    """Names of the systems whose decks take part; None: all."""
    annotator_ids: tuple[AnnotatorId, ...] | None = None
    """None: everybody with a profile."""
    overlap: int | None = None
    """Annotators for each instance; None: everybody answers everything."""
    order_seed: int = 0
    rule: RankingRule = RankingRule.FULL
    top_k: int = 3
    ties_allowed: bool = True
    graded_gaps: bool = False
    """Whether a gap between ranks may be said to be large."""
    unit: AnswerUnit = AnswerUnit.DECK
    scale_set: str = ""
    """For rate studies: the name of the set of scales."""
    needs_all_slides_seen: bool = False
    needs_training: bool = False
    training_pass_mark: float = 0.75
    """Share of the training items that must be right before the study opens, 0 to 1."""
    training_tries: int = 2
    """How often a training item may be answered."""
    guidelines_version: str = ""
    is_closed: bool = False
    at: str = ""


@dataclass(frozen=True, kw_only=True)
class Assignment:
    """That an annotator is to answer an instance (or one unit of it) in a study."""

    study_id: StudyId
    annotator_id: AnnotatorId
    instance_id: InstanceId
    deck_ids: tuple[DeckId, ...] = ()
    """In the order shown to this annotator."""
    item_key: str = ""
    """For pairs, groups of four and single slides."""
    is_about_deck: bool = False
    """Whether the answer is about the one deck in `deck_ids`, and its event names it."""
    position: int = 0
    """Place in the annotator's queue."""
    repeat: int = 0
    """0: asked for the first time; 1 and more: asked again, for the agreement of a person with themselves."""
    purpose: AssignmentPurpose = AssignmentPurpose.REGULAR
    """Never told to the annotator."""
    is_withdrawn: bool = False
    """Taken back from somebody who dropped out, before it was answered."""


SCALE_SETS_META = "scale_sets"
"""The setting of a project that holds its own sets of scales, as JSON."""

REASONS_META = "cannot_judge_reasons"
"""The setting that holds the project's own reasons, as JSON."""


def explanations_meta(study_id: StudyId) -> str:
    """Return the setting that holds the explanations that a study lets people rate, as JSON."""
    return f"explanations:{study_id}"
