"""Sets of scales that people rate on: dimensions with a question, and words for every point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from studio.errors import BadInput


@dataclass(frozen=True, kw_only=True)
class Scale:
    """One dimension."""

    dimension: str
    """Stable name, as in tables."""
    title: str
    question: str
    anchors: tuple[str, ...]
    """What each point means, the lowest first."""
    low: int = 1
    """The number of the lowest point."""

    @property
    def high(self) -> int:
        """The number of the highest point."""
        return self.low + len(self.anchors) - 1

    def anchor(self, value: int) -> str:
        """Return what a point means."""
        return self.anchors[value - self.low]


@dataclass(frozen=True, kw_only=True)
class ScaleSet:
    """What is rated of one unit."""

    name: str
    """Stable name, as in tables and studies."""
    title: str
    scales: tuple[Scale, ...]
    needs_source: bool = False
    """Whether the source has to be looked at."""

    def scale(self, dimension: str) -> Scale:
        """Return the scale of a dimension.

        Raises:
            BadInput: if there is none.
        """
        found = next((scale for scale in self.scales if scale.dimension == dimension), None)
        if found is None:
            names = ", ".join(scale.dimension for scale in self.scales)
            raise BadInput(f"{self.title} has no dimension {dimension}.", next_step=f"Known: {names}.")
        return found


REFLEX = ScaleSet(
    name="reflex",
    title="Content (REFLEX)",
    needs_source=True,
    scales=(
        Scale(
            dimension="coverage",
            title="Coverage",
            question="How much of what matters in the source is on the slides?",
            anchors=(
                "Hardly anything that matters",
                "Some of it; main topics are missing",
                "About half; one main topic is missing",
                "Nearly all; a minor topic is missing",
                "Everything that matters",
            ),
        ),
        Scale(
            dimension="redundancy",
            title="Redundancy",
            question="How free is the deck of slides that say the same again?",
            anchors=(
                "Most slides repeat others",
                "Many repeat others",
                "A few repeat others",
                "One repeats a little",
                "Nothing is said twice without need",
            ),
        ),
        Scale(
            dimension="alignment",
            title="Text and pictures",
            question="How well do the pictures fit the words beside them?",
            anchors=(
                "They have nothing to do with them",
                "Most do not fit",
                "About half fit",
                "Nearly all fit",
                "All fit and help to understand",
            ),
        ),
        Scale(
            dimension="flow",
            title="Flow",
            question="How well does each slide follow from the one before?",
            anchors=(
                "No order can be seen",
                "Jumps most of the time",
                "Jumps now and then",
                "One slide stands in the wrong place",
                "Each slide leads to the next",
            ),
        ),
    ),
)
"""The four metrics of REFLEX as scales from 1 to 5, higher is better; the words of the points are our own."""

PPTEVAL = ScaleSet(
    name="ppteval",
    title="PPTEval",
    scales=(
        Scale(
            dimension="content",
            title="Content",
            question="How clear and complete is what the slides say?",
            anchors=(
                "Hard to understand, many faults of language",
                "Understandable, but thin or crowded",
                "Clear, without pictures that help",
                "Clear, with pictures that hardly belong to it",
                "Clear, and words and pictures complete each other",
            ),
        ),
        Scale(
            dimension="design",
            title="Design",
            question="How well are colours, layout and decoration done?",
            anchors=(
                "Styles clash, words are hard to read",
                "Readable, black on white",
                "Simple colours, nothing more",
                "Colours that go together, small faults",
                "Colours, layout and decoration of one piece",
            ),
        ),
        Scale(
            dimension="coherence",
            title="Coherence",
            question="How well is the deck built as a whole?",
            anchors=(
                "No order, names and terms change",
                "An order that breaks now and then",
                "A clear order, no background",
                "A clear order with some background",
                "A clear order from opening to conclusion, with the background",
            ),
        ),
    ),
)
"""The three dimensions of PPTEval as scales from 1 to 5; the levels mean what they mean there, the words are ours."""

USEFULNESS = ScaleSet(
    name="usefulness",
    title="Usefulness of an explanation",
    scales=(
        Scale(
            dimension="usefulness",
            title="Usefulness",
            question="How much does this explanation help to make the deck better?",
            anchors=(
                "Misleading: following it makes the deck worse",
                "Of no use: says nothing about this deck",
                "Of some use: points the right way, vaguely",
                "Useful: names what to change",
                "Very useful: names what to change, where and why",
            ),
        ),
    ),
)
"""How useful an explanation of a score is; who or what wrote it is not told."""

READY_SETS: Mapping[str, ScaleSet] = {each.name: each for each in (REFLEX, PPTEVAL, USEFULNESS)}
"""Name → set that every project has."""


def scale_set_from(raw: Mapping[str, Any]) -> ScaleSet:
    """Return a set of scales out of JSON values: ``name``, ``title``, ``scales`` with ``dimension`` and ``anchors``.

    Raises:
        BadInput: if a name is missing or twice there, or a scale has fewer than two points or more than nine.
    """
    scales = []
    for each in raw.get("scales", ()):
        anchors = tuple(str(words) for words in each.get("anchors", ()))
        dimension = str(each.get("dimension", "")).strip()
        if not dimension or not 2 <= len(anchors) <= 9:
            raise BadInput(
                f"The scale {dimension or 'without a name'} has {len(anchors)} points.",
                next_step="Give every scale a name, and two to nine points with words for each.",
            )
        title = str(each.get("title") or dimension)
        question = str(each.get("question") or title)
        low = int(each.get("low", 1))
        scales.append(Scale(dimension=dimension, title=title, question=question, anchors=anchors, low=low))
    names = [scale.dimension for scale in scales]
    name = str(raw.get("name", "")).strip()
    if not name or not scales or len(set(names)) < len(names):
        raise BadInput("A set of scales needs a name and scales with different names.")
    return ScaleSet(
        name=name, title=str(raw.get("title") or name), scales=tuple(scales),
        needs_source=bool(raw.get("needs_source", False)),
    )  # fmt: skip
