"""Checklists: yes/no items about a deck, in five dimensions and two tiers (PresentBench, sections 3.2 and 3.3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

from studio.model.ids import InstanceId

ItemId = NewType("ItemId", str)


class Tier(StrEnum):
    """Whether an item can be answered from the deck alone, or only beside the sources."""

    INDEPENDENT = "independent"
    DEPENDENT = "dependent"


class Dimension(StrEnum):
    """What an item asks after; the order is the papers'."""

    FUNDAMENTALS = "fundamentals"
    DESIGN = "design"
    COMPLETENESS = "completeness"
    CORRECTNESS = "correctness"
    FIDELITY = "fidelity"

    @property
    def tier(self) -> Tier:
        """Return the tier that holds this dimension."""
        return Tier.INDEPENDENT if self in {Dimension.FUNDAMENTALS, Dimension.DESIGN} else Tier.DEPENDENT


class ItemKind(StrEnum):
    """Who or what answers an item."""

    QUESTION = "question"
    """Asked of people and of model judges."""
    CODE = "code"
    """Answered by a named rule of the fixed registry."""
    TOOL_ERROR = "tool_error"
    """Names a rule that the registry does not have: shown, never scored, nothing of it is ever run."""


class ItemAnswer(StrEnum):
    """What can be said to an item; partly met counts as no."""

    YES = "yes"
    NO = "no"
    CANNOT_TELL = "cannot_tell"
    NOT_APPLICABLE = "not_applicable"


@dataclass(frozen=True, kw_only=True)
class RuleCall:
    """A rule of the fixed registry and its keyword parameters."""

    rule: str
    """Such as ``slide_count``."""
    parameters: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Item:
    """One version of one yes/no question; the id stays through all versions."""

    id: ItemId
    version: int
    """From 1; editing makes the next one."""
    dimension: Dimension
    text: str
    """The question as people and judges read it, Markdown."""
    kind: ItemKind = ItemKind.QUESTION
    rule: RuleCall | None = None
    """For code items."""
    domain: str = ""
    """For common items: the domain whose instances share it; empty with no instance means every domain."""
    instance_id: InstanceId | None = None
    """For items of one instance."""
    slide: int | None = None
    """For fidelity items made for each page: the slide asked after, from 1."""
    weight: float = 1.0
    """Relative to the other items of its dimension; 1 everywhere is the papers' average."""
    position: float = 0.0
    """Order within its dimension."""
    note: str = ""
    """Guidance that people and judges see, such as what counts as no."""
    no_when: str = ""
    """Dependency note, such as "the deck has no chart": the answer is then no."""
    needs_evidence: bool = False
    """People must mark a slide before the answer counts as complete."""
    is_retired: bool = False
    tags: tuple[str, ...] = ()
    """Words to find and group items by; not a part of what is asked."""
    author: str = ""
    at: str = ""
    """ISO 8601, UTC, of this version."""


@dataclass(frozen=True, kw_only=True)
class Checklist:
    """What one deck of one instance is asked, merged from the common and the instance's own list."""

    instance_id: InstanceId
    items: tuple[Item, ...]
    """In the order of dimensions, then position."""
    independent_prefix: str = ""
    """What judges read before items that need no source."""
    dependent_prefix: str = ""
    slide_limits: tuple[int, int] | None = None
    """Fewest and most slides that the instance allows; a deck is cut at the most where the project says so."""
    notes: tuple[str, ...] = ()
    """What a person should know about this list, such as a class that an empty list switched off."""


@dataclass(frozen=True, kw_only=True)
class EvidenceBox:
    """Where on a slide an answer rests."""

    slide: int
    x0: float = 0.0
    """Shares of the slide's width and height, 0 to 1; the whole slide by default."""
    y0: float = 0.0
    x1: float = 1.0
    y1: float = 1.0


@dataclass(frozen=True, kw_only=True)
class SourceQuote:
    """Where in a source an answer rests."""

    source: str
    """The source's name or its number as the judge saw it."""
    page: int | None = None
    quote: str = ""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """An answer with what it rests on: one shape for people, code and judges."""

    answer: ItemAnswer | None
    """None: there is no answer, and the reason says why."""
    reason: str = ""
    boxes: tuple[EvidenceBox, ...] = ()
    quotes: tuple[SourceQuote, ...] = ()
    is_suggestion: bool = False
    """True where a rule only approximates the question."""
