"""What authors of checklists write beside the items: settings of a list, curation, instructions, releases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from studio.model.acts import Act
from studio.model.checklists import Dimension
from studio.model.ids import InstanceId


@dataclass(frozen=True, kw_only=True)
class Scope:
    """Whose list it is: one instance's, a domain's, or everybody's (neither given)."""

    domain: str = ""
    instance_id: InstanceId | None = None

    @property
    def key(self) -> str:
        """Return ``instance:ID`` or ``domain:NAME``; the text is stable and stored."""
        return f"instance:{self.instance_id}" if self.instance_id else f"domain:{self.domain}"

    @staticmethod
    def of_key(key: str) -> Scope:
        """Return the scope that a key stands for.

        Raises:
            ValueError: if it is no such key.
        """
        kind, colon, name = key.partition(":")
        if not colon or kind not in {"instance", "domain"} or (kind == "instance" and not name):
            raise ValueError(f"{key!r} is no scope")
        return Scope(instance_id=InstanceId(name)) if kind == "instance" else Scope(domain=name)


EVERYWHERE = Scope()
"""The list that every instance shares."""


@dataclass(frozen=True, kw_only=True)
class ListSettings:
    """What a list says beside its items; None leaves it to the list behind it."""

    independent_prefix: str | None = None
    dependent_prefix: str | None = None
    slide_limits: tuple[int, int] | None = None
    """Fewest and most slides, set by a person; otherwise a slide-count item gives them."""
    weights: Mapping[Dimension, float] | None = None
    """Points of each dimension; a dimension that is not named has none."""
    weights_total: float | None = None
    """What the points are divided by; None: their sum."""
    declared: frozenset[Dimension] = frozenset()
    """Dimensions whose list this scope has even while it is empty: an empty list wins and switches them off."""


@dataclass(frozen=True, kw_only=True)
class Curation:
    """Where an instance comes from and whether it is part of the benchmark."""

    instance_id: InstanceId
    address: str = ""
    """Where its sources were found."""
    licence: str = ""
    difficulty: str = ""
    is_accepted: bool | None = None
    """None: not decided."""
    why: str = ""
    """Why it was accepted or rejected."""


@dataclass(frozen=True, kw_only=True)
class InstructionSection:
    """One part that the deck must have."""

    title: str
    key_points: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class InstructionPlan:
    """A generation instruction by its parts."""

    slide_limits: tuple[int, int] | None = None
    """Fewest and most slides."""
    sections: tuple[InstructionSection, ...] = ()
    """In the order in which the deck must have them."""
    constraints: tuple[str, ...] = ()
    audience: str = ""
    tone: str = ""
    language: str = ""
    """BCP 47; empty if it does not say."""


ChecklistAct = Act
"""One thing that an author of checklists did."""


@dataclass(frozen=True, kw_only=True)
class SignOff:
    """A second person's word that a list may be released."""

    seq: int
    scope: Scope
    content_hash: str
    """Of the list as it was signed; the sign-off holds as long as the list has this hash."""
    person: str
    at: str
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Release:
    """A frozen version of all lists."""

    number: int
    """From 1."""
    title: str
    at: str
    author: str
    content_hash: str
    note: str = ""
    content: Mapping[str, object] = field(default_factory=dict)
    """Records by kind and key, as stored."""


@dataclass(frozen=True, kw_only=True)
class JudgedPages:
    """Which slides of a deck are asked about."""

    original: int
    """Visible slides of the deck as delivered."""
    slides: tuple[int, ...]
    """Slide number (from 1, hidden ones counted) of each judged page, in order: page k is ``slides[k - 1]``."""
    hidden: tuple[int, ...] = ()
    """Slide numbers that are hidden and were never judged."""
    removed: tuple[int, ...] = ()
    """Slide numbers that the limit cut off."""
    limit: int | None = None
    """The most pages that were judged, where a limit cut the deck."""

    @property
    def judged(self) -> int:
        """Number of judged pages."""
        return len(self.slides)
