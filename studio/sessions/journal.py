"""What all human work has in common: acts are events, and undo is one more of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from studio.errors import BadInput
from studio.model.answers import AnswerEvent

State = TypeVar("State")


class Record(Protocol):
    """Stores an event durably and returns it with its sequence number."""

    def __call__(self, event: AnswerEvent, /) -> AnswerEvent:
        """Store one event; an error means that it is not stored."""
        ...


class Journal(Generic[State]):
    """What a row of events adds up to: the acts that hold, those taken back, and the state.

    Args:
        events: of one answer, oldest first.
        empty: the state before the first act.
        state_of: reads the state that an event left behind.
    """

    def __init__(
        self, events: Sequence[AnswerEvent], *, empty: State, state_of: Callable[[AnswerEvent], State]
    ) -> None:
        self._empty = empty
        self._state_of = state_of
        self.done: list[AnswerEvent] = []
        """Acts that hold, oldest first."""
        self.undone: list[AnswerEvent] = []
        """Acts that were taken back, the next to bring back last."""
        self.state = empty
        for event in events:
            self.add(event)

    @property
    def revision(self) -> int:
        """1 until the first change after a decision, then one more each time."""
        return self.done[-1].revision if self.done else 1

    def add(self, event: AnswerEvent) -> None:
        """Take in the next event.

        Raises:
            BadInput: if it takes back or brings back an act that is not there.
        """
        if event.verb in {"undo", "redo"}:
            source, sink = (self.done, self.undone) if event.verb == "undo" else (self.undone, self.done)
            if not source:
                raise BadInput(
                    f"Answer event {event.seq} is an {event.verb} of nothing.",
                    next_step="Restore a saved copy of the project.",
                )
            sink.append(source.pop())
        else:
            self.done.append(event)
            self.undone.clear()
        self.state = self._state_of(event)

    def state_before_last(self) -> State:
        """Return the state that holds once the last act is taken back."""
        return self._state_of(self.done[-2]) if len(self.done) > 1 else self._empty
