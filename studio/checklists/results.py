"""Answers and weights as PresentBench files hold them: sections, classes and items by their places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from studio.model.checklists import Dimension


class Class(NamedTuple):
    """A dimension by the names that PresentBench files give it."""

    section: str
    key: str

    @property
    def name(self) -> str:
        """Return such as ``material_independent_1``."""
        return f"{self.section}_{self.key}"


INDEPENDENT, DEPENDENT = "material_independent", "material_dependent"
SECTIONS = (INDEPENDENT, DEPENDENT)
CLASSES: dict[Dimension, Class] = {
    Dimension.FUNDAMENTALS: Class(INDEPENDENT, "1"),
    Dimension.DESIGN: Class(INDEPENDENT, "2"),
    Dimension.COMPLETENESS: Class(DEPENDENT, "1"),
    Dimension.CORRECTNESS: Class(DEPENDENT, "2"),
    Dimension.FIDELITY: Class(DEPENDENT, "3"),
}
DIMENSIONS: dict[Class, Dimension] = {place: dimension for dimension, place in CLASSES.items()}


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One item of a result file."""

    answer: str | None
    """As it stands, case kept; None: there is no answer."""
    explanation: str | None = None
    log: str | None = None
    has_answer: bool = True
    """False where the record has no ``answer`` at all, which counts as an item and a fail."""
    is_left_out: bool = False
    """A tool error or an item that does not apply: it is not scored."""

    @property
    def is_yes(self) -> bool:
        """Whether scoring counts it as met: exactly ``yes``, trimmed, any case."""
        return self.answer is not None and self.answer.strip().lower() == "yes"

    @property
    def is_answered(self) -> bool:
        """Whether there is an answer, whatever it says."""
        return self.answer is not None or not self.has_answer


Entries = Mapping[str, Entry]


@dataclass(frozen=True, kw_only=True)
class ResultDocument:
    """A result file."""

    sections: Mapping[str, Mapping[str, Entries]]
    """Section → class key → item key such as ``1.2`` → its record, in the order of the file."""
    resume_info: Mapping[str, object] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """What was read otherwise than it stands."""


@dataclass(frozen=True, kw_only=True)
class WeightsDocument:
    """A weights file."""

    sections: Mapping[str, Mapping[str, float]]
    """Section → class key → points."""
    total: float | None = None
    """What the points are divided by; None: their sum."""
    notes: tuple[str, ...] = ()

    @property
    def sum(self) -> float:
        """Return the sum of all points."""
        return sum(sum(each.values()) for each in self.sections.values())

    def of(self, place: Class) -> float:
        """Return the points of a class; 0 where the file does not name it."""
        return self.sections.get(place.section, {}).get(place.key, 0.0)
