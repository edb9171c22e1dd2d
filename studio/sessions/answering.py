"""What a person does with one unit of a study, of whatever kind: acts become events, and the events are the answer."""

from __future__ import annotations

import uuid
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar

from studio.errors import BadInput
from studio.model.answers import AnswerEvent, AnswerKind, AnswerState, AnswerStatus
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.sessions.clock import Spent, Unstored
from studio.sessions.journal import Journal, Record
from studio.sessions.order import letter

State = TypeVar("State", bound=AnswerState)

_DECISIONS = frozenset(
    status.value for status in (AnswerStatus.SUBMITTED, AnswerStatus.RETURNED, AnswerStatus.CANNOT_JUDGE)
)
"""What settles an answer; changing it afterwards begins a new revision."""

Unseen = Callable[[], Sequence[tuple[DeckId, int]]]
"""Returns the slides that must still be looked at, in the order of the decks shown."""


def nothing_unseen() -> Sequence[tuple[DeckId, int]]:
    """Return no slide: the study does not ask what was looked at."""
    return ()


@dataclass(frozen=True, kw_only=True)
class AnsweringRules:
    """What an answer is stamped with."""

    guidelines_version: str = ""
    app_version: str = ""


class AnswerJournal(Journal[State]):
    """The journal of one unit, which knows which of its decisions holds."""

    @property
    def last_decision(self) -> AnswerEvent | None:
        """The newest act that settled the answer (submitted, returned, cannot judge) and was not taken back.

        A skip and a draft settle nothing: what was submitted before stays the answer.
        """
        return next((event for event in reversed(self.done) if event.state.get("status") in _DECISIONS), None)

    @property
    def last_submit(self) -> AnswerEvent | None:
        """The submitted answer that holds, or None if none was, or if it was returned or taken for unjudgeable."""
        event = self.last_decision
        return event if event is not None and event.state.get("status") == AnswerStatus.SUBMITTED.value else None


class Answering(Generic[State]):
    """One unit answered by one person.

    The state is only ever what the events say: an act is first recorded, then shown.

    Args:
        instance_id: the instance that the unit belongs to.
        annotator_id: who answers.
        display: the decks in the order in which they are shown.
        record: stores an event durably.
        now: the present time as ISO 8601 in UTC.
        spent: the active and wall seconds since the last event.
        history: the journal of this person's earlier events for this unit.
        deck_id: the deck that the answer is about, if it is one.
        item_key: the pair, group or slide that it is about.
        rules: what the answer is stamped with.
        unseen: which slides must still be looked at.
    """

    kind: ClassVar[AnswerKind]
    changes: ClassVar[frozenset[str]] = frozenset({"note", "flag", "recognised"})
    """Verbs that change what was said, and so make a draft of a decided answer."""

    def __init__(
        self,
        *,
        instance_id: InstanceId,
        annotator_id: AnnotatorId,
        display: tuple[DeckId, ...],
        record: Record,
        now: Callable[[], str],
        spent: Callable[[], Spent],
        history: AnswerJournal[State],
        deck_id: DeckId | None = None,
        item_key: str = "",
        rules: AnsweringRules | None = None,
        unseen: Unseen = nothing_unseen,
    ) -> None:
        self.instance_id = instance_id
        self.annotator_id = annotator_id
        self.display = display
        self.deck_id = deck_id
        self.item_key = item_key
        self._stamp = rules or AnsweringRules()
        self._record = record
        self._now = now
        self._spent = spent
        self._unseen = unseen
        self._unstored = Unstored()
        self._history = history
        self.saved_at = max((event.at for event in (*history.done, *history.undone)), default="")

    # what there is

    @property
    def state(self) -> State:
        """The present answer."""
        return self._history.state

    @property
    def revision(self) -> int:
        """1 until the first change of a settled answer, then one more each time."""
        return self._history.revision

    @property
    def acts(self) -> tuple[AnswerEvent, ...]:
        """The acts that hold, oldest first."""
        return tuple(self._history.done)

    @property
    def can_undo(self) -> bool:
        """Whether there is an act to take back."""
        return bool(self._history.done)

    @property
    def can_redo(self) -> bool:
        """Whether there is an act to bring back."""
        return bool(self._history.undone)

    @property
    def is_decided(self) -> bool:
        """Whether it is submitted, or was said to be beyond judging, as it stands."""
        return self.state.status in {AnswerStatus.SUBMITTED, AnswerStatus.CANNOT_JUDGE}

    @property
    def recognised_system(self) -> bool:
        """Whether the person said that they know who made one of the decks."""
        return self.state.recognised_system

    @property
    def unseen(self) -> Sequence[tuple[DeckId, int]]:
        """The slides that must still be looked at before this can be submitted."""
        return self._unseen()

    @property
    @abstractmethod
    def unanswered(self) -> str:
        """What is left to say, such as "2 decks unranked: C, E"; empty if everything is said."""

    @property
    def missing(self) -> str:
        """Why the answer cannot be submitted; empty if it can."""
        return self.unanswered or self.unseen_words()

    def unseen_words(self) -> str:
        """Return which slides were not looked at, such as "3 slides not seen: B 4, C 2–3"; empty if all were."""
        unseen = self.unseen
        if not unseen:
            return ""
        by_deck: dict[DeckId, list[int]] = {}
        for deck, slide in unseen:
            by_deck.setdefault(deck, []).append(slide)
        parts = [f"{self.letter_of(deck)} {spans(slides)}" for deck, slides in by_deck.items()]
        return f"{len(unseen)} slide{'s' if len(unseen) != 1 else ''} not seen: {', '.join(parts)}"

    def letter_of(self, deck: DeckId) -> str:
        """Return a deck's anonymous name."""
        return letter(self.display.index(deck))

    # what people do

    def set_note(self, note: str) -> None:
        """Keep a comment on the whole answer."""
        if note != self.state.note:
            self._act("note", replace(self.state, note=note))

    def toggle_flag(self) -> None:
        """Set or clear the flag."""
        self._act("flag", replace(self.state, is_flagged=not self.state.is_flagged))

    def toggle_recognised(self) -> None:
        """Note, or take back, that the person recognised a system."""
        self._act("recognised", replace(self.state, recognised_system=not self.state.recognised_system))

    def submit(self) -> None:
        """Submit the answer; one that is submitted as it stands stays as it is.

        Raises:
            BadInput: if it is incomplete; the message says what is missing.
        """
        if self.missing:
            raise BadInput(f"{self.missing}.")
        self._act("submit", replace(self._as_submitted(), status=AnswerStatus.SUBMITTED, reason=""))

    def skip(self) -> None:
        """Leave the unit for later; it goes to the end of this person's queue."""
        self._act("skip", replace(self.state, status=AnswerStatus.SKIPPED))

    def cannot_judge(self, reason: str) -> None:
        """Record that this unit cannot be judged, and why.

        Raises:
            BadInput: if no reason is given.
        """
        if not reason.strip():
            raise BadInput("Say why it cannot be judged.")
        self._act("cannot_judge", replace(self.state, status=AnswerStatus.CANNOT_JUDGE, reason=reason.strip()))

    def undo(self) -> None:
        """Take the last act back; this is one more event."""
        if self.can_undo:
            self._store("undo", self._history.state_before_last(), target=self._history.done[-1].seq)

    def redo(self) -> None:
        """Bring the last act that was taken back again; this is one more event."""
        if self.can_redo:
            event = self._history.undone[-1]
            self._store("redo", self._state_of(event), target=event.seq)

    # for the kinds

    @abstractmethod
    def _state_of(self, event: AnswerEvent) -> State: ...

    @abstractmethod
    def _as_json(self, state: State) -> dict[str, object]: ...

    def _as_submitted(self) -> State:
        return self.state

    def _act(self, verb: str, state: State, *, acted_on: DeckId | None = None) -> None:
        if verb in self.changes and state.status is not AnswerStatus.DRAFT:
            state = replace(state, status=AnswerStatus.DRAFT, reason="")
        if state != self.state:
            self._store(verb, state, acted_on=acted_on)

    def _store(
        self, verb: str, state: State, *, target: int | None = None, acted_on: DeckId | None = None
    ) -> None:  # fmt: skip
        spent = self._unstored.add(self._spent())
        revision = self.revision
        if target is None and self.state.status.value in _DECISIONS:
            revision += 1
        said = remarks_as_json(state) | self._as_json(state)
        if acted_on is not None:
            said["acted_on"] = acted_on
        stored = self._record(
            AnswerEvent(
                seq=0,
                uid=uuid.uuid4().hex,
                kind=self.kind,
                instance_id=self.instance_id,
                annotator_id=self.annotator_id,
                deck_id=self.deck_id,
                item_key=self.item_key,
                verb=verb,
                state=said,
                at=self._now(),
                active_s=round(spent.active_s, 3),
                wall_s=round(spent.wall_s, 3),
                target=target,
                display=self.display,
                revision=revision,
                guidelines_version=self._stamp.guidelines_version,
                app_version=self._stamp.app_version,
            )
        )
        self._unstored.clear()
        self._history.add(stored)
        self.saved_at = stored.at


def remarks_of(event: AnswerEvent) -> dict[str, Any]:
    """Return the fields of `AnswerState` that an event holds, for the state of any kind."""
    raw = event.state
    return {
        "status": AnswerStatus(str(raw.get("status", "draft"))),
        "note": str(raw.get("note", "")),
        "is_flagged": bool(raw.get("is_flagged", False)),
        "reason": str(raw.get("reason", "")),
        "recognised_system": bool(raw.get("recognised_system", False)),
    }


def remarks_as_json(state: AnswerState) -> dict[str, object]:
    """Return the fields that all kinds have as JSON values."""
    return {
        "status": state.status.value,
        "note": state.note,
        "is_flagged": state.is_flagged,
        "reason": state.reason,
        "recognised_system": state.recognised_system,
    }


def spans(numbers: Sequence[int]) -> str:
    """Return numbers as spans: 1, 2, 3, 7 → "1–3, 7"."""
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ", ".join(str(low) if low == high else f"{low}–{high}" for low, high in found)
