"""What people say: append-only events, and the state that they add up to."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from studio.model.ids import AnnotatorId, DeckId, InstanceId


class Role(StrEnum):
    """What a profile may see: an annotator's window never shows systems, verdicts or other people."""

    ANNOTATOR = "annotator"
    REVIEWER = "reviewer"
    AUTHOR = "author"
    ENGINEER = "engineer"


class AnswerStatus(StrEnum):
    """Where an answer stands."""

    DRAFT = "draft"
    SUBMITTED = "submitted"
    RETURNED = "returned"
    SKIPPED = "skipped"
    CANNOT_JUDGE = "cannot_judge"


class AnswerKind(StrEnum):
    """What was asked."""

    RANKING = "ranking"
    PAIR = "pair"
    BEST_WORST = "best_worst"
    CHECKLIST = "checklist"
    RATING = "rating"
    EDITABILITY = "editability"
    """The steps of the editability protocols, tried by a person on one deck."""


class RankMethod(StrEnum):
    """How a ranking came about."""

    RANKING = "ranking"
    COMPARISON = "comparison"
    IMPORTED = "imported"


@dataclass(frozen=True, kw_only=True)
class Annotator:
    """A person who answers; a name on a profile, never a login."""

    id: AnnotatorId
    name: str
    group: str = ""
    """Such as ``expert``, ``design student``, ``end user``."""
    role: Role = Role.ANNOTATOR
    is_sample: bool = False
    """Invented for the demo; said so wherever the name shows."""


@dataclass(frozen=True, kw_only=True)
class AnswerState:
    """What answers of every kind have."""

    status: AnswerStatus = AnswerStatus.DRAFT
    note: str = ""
    is_flagged: bool = False
    reason: str = ""
    """Why the annotator cannot judge, or skipped."""
    recognised_system: bool = False


class Preference(StrEnum):
    """What is better of two units."""

    A = "a"
    B = "b"
    TIE = "tie"
    BOTH_BAD = "both_bad"


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One answer to "which of these two is better?" on the way to a ranking."""

    first: DeckId
    second: DeckId
    said: Preference
    """`A`: the first; `B`: the second; `TIE`."""


@dataclass(frozen=True, kw_only=True)
class RankingState(AnswerState):
    """One annotator's present answer to one instance.

    `ranks` holds only decks that the annotator placed; equal numbers are ties. Numbers are
    competition ranks (1, 2, 2, 4). A deck that was never placed is unranked, whatever the order shown.
    """

    ranks: dict[DeckId, int] = field(default_factory=dict)
    rank_method: RankMethod = RankMethod.RANKING
    large_gaps: frozenset[DeckId] = frozenset()
    """Decks of the tiers below which the gap is large (≫); below all others it is usual (>)."""
    comparisons: tuple[Comparison, ...] = ()
    """Oldest first; of two about the same decks the later one holds."""


@dataclass(frozen=True, kw_only=True)
class PairState(AnswerState):
    """One annotator's present answer about two units."""

    preference: Preference | None = None
    """Over the units in the order of their names, wherever they were shown."""
    strength: int | None = None
    """1 slightly, 2 clearly, 3 much; None where it was not said, and for ties."""


@dataclass(frozen=True, kw_only=True)
class BestWorstState(AnswerState):
    """One annotator's present answer about a group of units."""

    best: str = ""
    worst: str = ""


@dataclass(frozen=True, kw_only=True)
class RatingState(AnswerState):
    """One annotator's present ratings of one unit."""

    scale_set: str = ""
    values: dict[str, int] = field(default_factory=dict)
    """Dimension → point of its scale; a dimension that was not rated is not there."""
    comments: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class AnswerEvent:
    """One thing a person did, as stored; never changed and never removed.

    `verb` names the act (``rank``, ``unrank``, ``move``, ``tie``, ``note``, ``flag``, ``submit``,
    ``skip``, ``cannot_judge``, ``reopen``, ``undo``, ``redo``, ``import``). `state` is the whole answer after it,
    as JSON values; `target` is the sequence number of the event that an undo takes back or a redo brings back.
    """

    seq: int
    kind: AnswerKind
    instance_id: InstanceId
    annotator_id: AnnotatorId
    deck_id: DeckId | None
    """For answers about one deck (checklist, rating)."""
    item_key: str
    """Item id and the like; the two deck ids of a pair; empty for rankings."""
    verb: str
    state: dict[str, object]
    at: str
    """ISO 8601, UTC."""
    active_s: float = 0.0
    """Active seconds since the event before it in the same answer."""
    wall_s: float = 0.0
    target: int | None = None
    display: tuple[DeckId, ...] = ()
    """Deck ids in the order in which they were shown."""
    revision: int = 1
    guidelines_version: str = ""
    app_version: str = ""
    uid: str = ""
    """Unique over all projects, so that merging twice changes nothing."""
    study_id: str = ""
    """Empty: the study of a project without studies, and answers that came by table."""
    repeat: int = 0
    """0: asked for the first time; 1 and more: asked again, to see whether a person agrees with themselves."""


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """The current ranking of one instance by one annotator, ready for statistics and export."""

    instance_id: InstanceId
    annotator_id: AnnotatorId
    annotator: str
    status: AnswerStatus
    rank_method: RankMethod
    ranks: dict[DeckId, int]
    display: tuple[DeckId, ...]
    n_candidates: int
    duration_s: float | None
    """Seconds from the first act to this answer; None where a table came in without them."""
    active_s: float | None
    revision: int
    started_at: str
    submitted_at: str
    note: str = ""
    is_flagged: bool = False
    guidelines_version: str = ""
    app_version: str = ""
    is_sample: bool = False
    study_id: str = ""
    stale_decks: tuple[DeckId, ...] = ()
    """Decks whose rank was given on another file than they have now; `ranks` holds none of them."""
