"""What keeps answers good: profiles, guidelines, training, known answers, and what was looked at."""

from __future__ import annotations

from dataclasses import dataclass, field

from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.model.studies import AssignmentPurpose, StudyId


@dataclass(frozen=True, kw_only=True)
class Profile:
    """What is known of an annotator besides name, group and role."""

    annotator_id: AnnotatorId
    qualification: str = ""
    note: str = ""
    is_active: bool = True
    """False: dropped out; what they have not answered can go to others."""


@dataclass(frozen=True, kw_only=True)
class ExampleDeck:
    """A deck or picture that guidelines and training show, good or bad in one respect."""

    title: str
    is_good: bool
    aspect: str = ""
    """Such as ``harmony``."""
    why: str = ""
    resource: str = ""
    """A shipped example, as a path below the resources' ``guidelines`` folder."""
    deck_id: DeckId | None = None
    """Or a deck of the project."""
    picture: str = ""
    """Or a PNG among the project's assets, by its content, as a pack brings it."""


@dataclass(frozen=True, kw_only=True)
class Guidelines:
    """One version of what annotators are told; versions are never changed."""

    version: str
    text: str
    """Markdown."""
    examples: tuple[ExampleDeck, ...] = ()
    at: str = ""


@dataclass(frozen=True, kw_only=True)
class TrainingItem:
    """A question with a known answer and an explanation, asked before a study opens."""

    id: str
    study_id: StudyId
    question: str
    options: tuple[str, ...]
    answer: str
    """One of the options."""
    explanation: str
    examples: tuple[ExampleDeck, ...] = ()
    """What is shown with the question."""


@dataclass(frozen=True, kw_only=True)
class TrainingTry:
    """One answer to a training item."""

    uid: str
    study_id: StudyId
    annotator_id: AnnotatorId
    item_id: str
    answer: str
    is_correct: bool
    at: str


@dataclass(frozen=True, kw_only=True)
class TrainingResult:
    """How far a person is with a study's training."""

    n_items: int
    n_answered: int
    """Items answered rightly, or wrongly as often as is allowed."""
    n_correct: int
    pass_mark: float
    tries_left: dict[str, int] = field(default_factory=dict)
    """Item id → how often it may still be answered; 0 once it is right."""

    @property
    def is_passed(self) -> bool:
        """Whether the share of right items has reached the pass mark; True where there is nothing to pass."""
        return self.n_correct >= self.pass_mark * self.n_items - 1e-9

    @property
    def is_failed(self) -> bool:
        """Whether it can no longer be passed."""
        open_items = sum(left > 0 for left in self.tries_left.values())
        return self.n_correct + open_items < self.pass_mark * self.n_items - 1e-9


@dataclass(frozen=True, kw_only=True)
class Probe:
    """An item of a study whose answer is known to the author."""

    study_id: StudyId
    instance_id: InstanceId
    purpose: AssignmentPurpose
    """Gold or attention."""
    expected: dict[str, object]
    """One of ``{"ranks": {deck: rank}}`` (the order of those decks), ``{"preference": "a"}``,
    ``{"best": unit, "worst": unit}`` and ``{"values": {dimension: [lowest, highest]}}``."""
    deck_id: DeckId | None = None
    item_key: str = ""
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class SlideView:
    """That somebody looked at a slide, or had the sources open, for a while."""

    uid: str
    study_id: str
    """Empty: the study of a project without studies."""
    instance_id: InstanceId
    annotator_id: AnnotatorId
    deck_id: DeckId | None
    """None: the sources."""
    slide: int | None
    seen_s: float = 0.0
    source_opened_s: float = 0.0
    at: str = ""
