"""What an action changed, so that pages reload just what they show."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Topic(StrEnum):
    """A part of the project that a page may show."""

    DECKS = "decks"
    ANSWERS = "answers"
    SCORES = "scores"
    RUNS = "runs"
    CHECKLISTS = "checklists"
    PEOPLE = "people"
    QUIZ = "quiz"


@dataclass(frozen=True, kw_only=True)
class Changes:
    """The topics that changed, and the page that did it, which may ignore its own echo."""

    topics: frozenset[Topic]
    origin: str = ""

    def __or__(self, other: Changes) -> Changes:
        return Changes(topics=self.topics | other.topics, origin=self.origin or other.origin)


def changed(*topics: Topic, origin: str = "") -> Changes:
    """Return the changes value for these topics."""
    return Changes(topics=frozenset(topics), origin=origin)
