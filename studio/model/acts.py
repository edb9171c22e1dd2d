"""What people do, as journals keep it: acts that are only added to, undo and redo among them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar


@dataclass(frozen=True, kw_only=True)
class Act:
    """One thing an author did, which may have changed many records."""

    seq: int
    at: str
    """ISO 8601, UTC."""
    author: str
    verb: str
    """``add``, ``edit``, ``retire``, ``move``, ``settings``, ``import``, ``undo``, ``redo`` and the like."""
    words: str
    """For people, such as "Edited 3 items"."""
    undoes: int | None = None
    """The act that an undo takes back or a redo brings back."""


class Recorded(Protocol):
    """An act of any journal."""

    @property
    def seq(self) -> int:
        """Its place in the journal."""
        ...

    @property
    def verb(self) -> str:
        """``undo``, ``redo``, or what was done."""
        ...

    @property
    def undoes(self) -> int | None:
        """The act that an undo takes back or a redo brings back."""
        ...


RecordedAct = TypeVar("RecordedAct", bound=Recorded)


class Stacks(NamedTuple, Generic[RecordedAct]):
    """Acts of a journal, in the order in which undo and redo walk through them from the end."""

    done: list[RecordedAct]
    """Acts that hold."""
    undone: list[RecordedAct]
    """Acts that were taken back, and that no newer act has replaced."""


def stacks(acts: Iterable[RecordedAct]) -> Stacks[RecordedAct]:
    """Return the acts that hold and those that can be brought back.

    Args:
        acts: of one journal, oldest first. An undo or redo of an act that is not among them changes nothing, so that
            the acts of one person may stand beside everybody's undos.
    """
    done: list[RecordedAct] = []
    undone: list[RecordedAct] = []
    for act in acts:
        if act.verb in {"undo", "redo"}:
            source, sink = (done, undone) if act.verb == "undo" else (undone, done)
            moved = next((each for each in reversed(source) if each.seq == act.undoes), None)
            if moved is not None:
                source.remove(moved)
                sink.append(moved)
        else:
            done.append(act)
            undone.clear()
    return Stacks(done, undone)
