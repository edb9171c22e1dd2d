"""How far a deck can be edited: levels, gates with their evidence, and what people are asked about the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from studio.model.decks import Failure


class Triage(StrEnum):
    """What kind of file a deck is; it bounds the level before any gate is tried."""

    STATIC = "static"
    WEB = "web"
    NATIVE = "native"


class Gate(StrEnum):
    """The tests in the order in which they are taken; passing the n-th gives level n."""

    TEXT = "T1"
    VECTOR = "T2"
    STRUCTURE = "T3"
    DATA = "T4"
    TIME = "T5"


MAXIMUM_LEVEL = {Triage.STATIC: 0, Triage.WEB: 2, Triage.NATIVE: 5}
"""The highest level that each kind of file can have."""

LEVEL_NAMES = ("static", "patchwork", "vector", "structural", "parametric", "cinematic")
"""Names of levels 0 to 5."""

GATE_TITLES = {
    Gate.TEXT: "Text is real",
    Gate.VECTOR: "Text flows, graphics are vectors",
    Gate.STRUCTURE: "Masters or grouping",
    Gate.DATA: "Charts have their data",
    Gate.TIME: "Animation, transitions, media",
}
"""What each gate asks, in a few words."""


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """One fact that a gate rests on, and where in the file it is."""

    text: str
    slide: int | None = None
    """Slide number from 1; None for the whole deck."""
    shape: str = ""
    """Name of the shape."""
    part: str = ""
    """Name of the part."""

    def __str__(self) -> str:
        where = [f"slide {self.slide}"] if self.slide is not None else []
        where += [f"“{self.shape}”"] if self.shape else []
        where += [self.part] if self.part else []
        return f"{self.text} ({', '.join(where)})" if where else self.text


@dataclass(frozen=True, kw_only=True)
class GateResult:
    """The outcome of one gate."""

    gate: Gate
    is_reached: bool
    """False if an earlier gate failed, or the kind of file ends the trial before."""
    holds: bool | None
    """What the file says of it, reached or not; None where it was not looked at."""
    evidence: tuple[Evidence, ...]
    measures: dict[str, float] = field(default_factory=dict)
    """The numbers that were held against the thresholds."""

    @property
    def passed(self) -> bool:
        """Whether it counts for the level: reached, and it holds."""
        return self.is_reached and self.holds is True


@dataclass(frozen=True, kw_only=True)
class Subcriteria:
    """Shares from 0 to 1 that stand beside the level and never change it."""

    text: float
    """Characters that are real text in whole paragraphs, of all that the slides show."""
    grouping: float
    """Vector shapes that are grouped or need no group; 1 where there are none."""
    native_data: float
    """Charts and tables that are native, of these and pictures of charts; 0 where there are none."""
    narrative: float
    """Mean of the shares of slides with a title placeholder, in a section, and with notes."""
    motion: float
    """Slides with an effect, a transition or embedded media."""


@dataclass(frozen=True, kw_only=True)
class Editability:
    """The editability of one deck."""

    level: int | None
    """0 to 5; None with a reason."""
    undefined_reason: str | None = None
    triage: Triage | None = None
    maximum: int | None = None
    gates: tuple[GateResult, ...] = ()
    subcriteria: Subcriteria | None = None
    rules: str = ""
    """Name of the rules; ``custom`` for a person's own."""
    n_slides: int = 0
    """Slides that were looked at."""
    notes: tuple[str, ...] = ()
    """What a reader of the level should know, such as slides that could not be read."""
    failure: Failure | None = None
    """Set where the file itself cannot be read."""

    def __post_init__(self) -> None:
        if (self.level is None) == (self.undefined_reason is None):
            raise ValueError("a level is either a number or has a reason, never both or neither")


@dataclass(frozen=True, kw_only=True)
class SystemEditability:
    """One system's level over its decks: the median, of an even number the lower of the middle two."""

    system: str
    level: int | None
    """None if no deck has a level."""
    n_decks: int
    """Decks with a level."""
    n_undefined: int
    shares: tuple[float, ...]
    """Share of the decks at level 0, 1, … 5; all 0 without decks."""


class Protocol(StrEnum):
    """The three ways in which people try a deck out."""

    ZOOM = "A"
    SELECT = "B"
    EDIT = "C"


PROTOCOL_TITLES = {
    Protocol.ZOOM: "Look at 400 %",
    Protocol.SELECT: "Select",
    Protocol.EDIT: "Edit",
}


@dataclass(frozen=True, kw_only=True)
class Step:
    """One thing that a person does in the editing program, and the yes/no question about it."""

    id: str
    """Such as ``A1``; permanent."""
    protocol: Protocol
    gate: Gate
    todo: str
    question: str


STEPS = (
    Step(
        id="A1",
        protocol=Protocol.ZOOM,
        gate=Gate.TEXT,
        todo="Zoom to 400 % on a title and on running text, on three slides.",
        question="Are the letters sharp?",
    ),
    Step(
        id="A2",
        protocol=Protocol.ZOOM,
        gate=Gate.VECTOR,
        todo="Zoom to 400 % on icons, diagrams and charts; photographs do not count.",
        question="Are their edges sharp?",
    ),
    Step(
        id="B1",
        protocol=Protocol.SELECT,
        gate=Gate.TEXT,
        todo="Click into the text of three slides.",
        question="Does a cursor appear, and can single words be selected?",
    ),
    Step(
        id="B2",
        protocol=Protocol.SELECT,
        gate=Gate.VECTOR,
        todo="Click on a paragraph of more than one line and make its box narrower.",
        question="Is the paragraph one object whose lines wrap anew?",
    ),
    Step(
        id="B3",
        protocol=Protocol.SELECT,
        gate=Gate.STRUCTURE,
        todo="Click once on the most complex graphic and drag it.",
        question="Does it move as one group?",
    ),
    Step(
        id="C1",
        protocol=Protocol.EDIT,
        gate=Gate.STRUCTURE,
        todo="In the master view change the font of the title, then close the view and undo.",
        question="Did the titles of the slides follow?",
    ),
    Step(
        id="C2",
        protocol=Protocol.EDIT,
        gate=Gate.DATA,
        todo="Choose Edit Data on a chart and change a number, then undo.",
        question="Did a sheet open, and did the chart follow?",
    ),
    Step(
        id="C3",
        protocol=Protocol.EDIT,
        gate=Gate.TIME,
        todo="Start the slide show and go through it.",
        question="Does anything move or play that the animation pane or the transition list names?",
    ),
)
"""The questions of protocols A to C in the order in which they are asked."""

STEPS_THAT_SUFFICE = frozenset({Gate.STRUCTURE})
"""Gates where one yes is enough; elsewhere every answered step must be yes."""


class StepAnswer(StrEnum):
    """What a person may say to a step; the closed set of checklist answers."""

    YES = "yes"
    NO = "no"
    CANNOT_TELL = "cannot_tell"
    NOT_APPLICABLE = "not_applicable"
