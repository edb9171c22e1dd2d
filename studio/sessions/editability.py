"""One person trying one deck out by protocols A to C: each answer is an event, and the events are the form."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from studio.errors import BadInput
from studio.model.answers import AnswerEvent, AnswerKind, AnswerStatus
from studio.model.editability import STEPS, STEPS_THAT_SUFFICE, Gate, Step, StepAnswer
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.model.scores import Value
from studio.sessions.clock import Spent, Unstored
from studio.sessions.journal import Journal, Record

_STEPS = {step.id: step for step in STEPS}


@dataclass(frozen=True, kw_only=True)
class FormState:
    """One person's present answers about one deck."""

    answers: dict[str, StepAnswer] = field(default_factory=dict)
    """Step id → answer; a step that was never answered is not there."""
    notes: dict[str, str] = field(default_factory=dict)
    """Step id → comment."""
    status: AnswerStatus = AnswerStatus.DRAFT
    reason: str = ""
    """Why the deck cannot be judged."""


class EditabilityForm:
    """The editability form of one deck.

    Args:
        instance_id: the deck's instance.
        annotator_id: who tries it out.
        deck_id: what is tried out.
        events: this person's earlier events for this deck, oldest first.
        record: stores an event durably.
        now: the present time as ISO 8601 in UTC.
        spent: the active and wall seconds since the last event.
    """

    steps = STEPS

    def __init__(
        self,
        *,
        instance_id: InstanceId,
        annotator_id: AnnotatorId,
        deck_id: DeckId,
        events: Sequence[AnswerEvent],
        record: Record,
        now: Callable[[], str],
        spent: Callable[[], Spent],
        app_version: str = "",
    ) -> None:
        self.instance_id = instance_id
        self.annotator_id = annotator_id
        self.deck_id = deck_id
        self._record = record
        self._now = now
        self._spent = spent
        self._app_version = app_version
        self._unstored = Unstored()
        self._history = FormHistory(events)

    @property
    def state(self) -> FormState:
        """The present answers."""
        return self._history.state

    @property
    def open_steps(self) -> tuple[Step, ...]:
        """The steps without an answer, in their order."""
        return tuple(step for step in STEPS if step.id not in self.state.answers)

    @property
    def missing(self) -> str:
        """Why the form cannot be submitted, such as "2 steps open: B3, C2"; empty if it can."""
        steps = self.open_steps
        names = ", ".join(step.id for step in steps)
        return f"{len(steps)} step{'s' if len(steps) != 1 else ''} open: {names}" if steps else ""

    @property
    def level(self) -> Value:
        """The level that the answers give by the same knock-out as the parser's, or why they give none."""
        return level_from(gates_from(self.state.answers))

    @property
    def can_undo(self) -> bool:
        """Whether there is an act to take back."""
        return bool(self._history.done)

    @property
    def can_redo(self) -> bool:
        """Whether there is an act to bring back."""
        return bool(self._history.undone)

    def answer(self, step_id: str, answer: StepAnswer) -> None:
        """Answer a step, or change its answer.

        Raises:
            BadInput: if there is no such step.
        """
        _step(step_id)
        if self.state.answers.get(step_id) is not answer:
            self._change("answer", step_id, replace(self.state, answers={**self.state.answers, step_id: answer}))

    def clear(self, step_id: str) -> None:
        """Take the answer to a step away."""
        if step_id in self.state.answers:
            left = {key: value for key, value in self.state.answers.items() if key != step_id}
            self._change("clear", step_id, replace(self.state, answers=left))

    def set_note(self, step_id: str, note: str) -> None:
        """Keep a comment on a step; an empty one takes it away.

        Raises:
            BadInput: if there is no such step.
        """
        _step(step_id)
        if note != self.state.notes.get(step_id, ""):
            notes = {key: text for key, text in {**self.state.notes, step_id: note}.items() if text}
            self._change("note", step_id, replace(self.state, notes=notes))

    def submit(self) -> None:
        """Submit the form.

        Raises:
            BadInput: if a step is open; the message names it.
        """
        if self.missing:
            raise BadInput(f"{self.missing}.")
        self._store("submit", "", replace(self.state, status=AnswerStatus.SUBMITTED, reason=""))

    def cannot_judge(self, reason: str) -> None:
        """Record that the deck cannot be tried out, and why.

        Raises:
            BadInput: if no reason is given.
        """
        if not reason.strip():
            raise BadInput("Say why it cannot be judged.")
        self._store("cannot_judge", "", replace(self.state, status=AnswerStatus.CANNOT_JUDGE, reason=reason.strip()))

    def undo(self) -> None:
        """Take the last act back; this is one more event."""
        if self.can_undo:
            last = self._history.done[-1]
            self._store("undo", last.item_key, self._history.state_before_last(), target=last.seq)

    def redo(self) -> None:
        """Bring the last act that was taken back again; this is one more event."""
        if self.can_redo:
            event = self._history.undone[-1]
            self._store("redo", event.item_key, form_state_of(event), target=event.seq)

    def _change(self, verb: str, step_id: str, state: FormState) -> None:
        if state.status is not AnswerStatus.DRAFT:
            state = replace(state, status=AnswerStatus.DRAFT, reason="")
        self._store(verb, step_id, state)

    def _store(self, verb: str, step_id: str, state: FormState, *, target: int | None = None) -> None:
        spent = self._unstored.add(self._spent())
        is_reopened = target is None and self.state.status is AnswerStatus.SUBMITTED
        stored = self._record(
            AnswerEvent(
                seq=0,
                uid=uuid.uuid4().hex,
                kind=AnswerKind.EDITABILITY,
                instance_id=self.instance_id,
                annotator_id=self.annotator_id,
                deck_id=self.deck_id,
                item_key=step_id,
                verb=verb,
                state=_as_json(state),
                at=self._now(),
                active_s=round(spent.active_s, 3),
                wall_s=round(spent.wall_s, 3),
                target=target,
                revision=self._history.revision + is_reopened,
                app_version=self._app_version,
            )
        )
        self._unstored.clear()
        self._history.add(stored)


class FormHistory(Journal[FormState]):
    """The journal of one deck's form."""

    def __init__(self, events: Sequence[AnswerEvent]) -> None:
        super().__init__(events, empty=FormState(), state_of=form_state_of)


def form_state_of(event: AnswerEvent) -> FormState:
    """Return the answers that an event left behind.

    Raises:
        BadInput: if the event holds none.
    """
    answers, notes = event.state.get("answers"), event.state.get("notes", {})
    if not isinstance(answers, dict) or not isinstance(notes, dict):
        raise BadInput(f"Answer event {event.seq} has no answers.", next_step="Restore a saved copy of the project.")
    return FormState(
        answers={str(step): StepAnswer(str(answer)) for step, answer in answers.items()},
        notes={str(step): str(text) for step, text in notes.items()},
        status=AnswerStatus(str(event.state.get("status", "draft"))),
        reason=str(event.state.get("reason", "")),
    )


def gates_from(answers: Mapping[str, StepAnswer]) -> dict[Gate, bool | None]:
    """Return what the answers say of each gate; None where a person left it open or could not tell.

    Every step of a gate must be yes, of masters and grouping one is enough. "Not applicable" leaves a step out;
    a gate of which nothing applies does not hold: a deck without a chart has no chart to edit.
    """
    found: dict[Gate, bool | None] = {}
    for gate in Gate:
        given = [answers.get(step.id) for step in STEPS if step.gate is gate]
        tried = [answer for answer in given if answer is not StepAnswer.NOT_APPLICABLE]
        is_open = None in tried or StepAnswer.CANNOT_TELL in tried
        deciding = gate in STEPS_THAT_SUFFICE
        if (StepAnswer.YES if deciding else StepAnswer.NO) in tried:
            found[gate] = deciding
        elif is_open:
            found[gate] = None
        else:
            found[gate] = StepAnswer.YES in tried
    return found


def level_from(gates: Mapping[Gate, bool | None]) -> Value:
    """Return the level that gates give in order, or the gate that nobody could decide."""
    level = 0
    for gate in Gate:
        if gates[gate] is None:
            return Value(value=None, undefined_reason=f"not_judged: {gate.value} is open")
        if not gates[gate]:
            break
        level += 1
    return Value(value=float(level))


def _step(step_id: str) -> Step:
    if step_id not in _STEPS:
        raise BadInput(f"There is no step {step_id!r}.", next_step=f"Steps are {', '.join(_STEPS)}.")
    return _STEPS[step_id]


def _as_json(state: FormState) -> dict[str, object]:
    return {
        "answers": {step: answer.value for step, answer in state.answers.items()},
        "notes": dict(state.notes),
        "status": state.status.value,
        "reason": state.reason,
    }
