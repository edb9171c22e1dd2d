"""The journal of checklists: items, lists, curation and instructions (decision 18)."""

from __future__ import annotations

from enum import StrEnum

from studio.store.act_journal import ActJournal, Record, State

__all__ = ["Record", "RecordKind", "State", "can_undo", "current", "histories", "history", "list_acts", "redo", "undo",
           "write"]  # fmt: skip


class RecordKind(StrEnum):
    """What a record is about."""

    ITEM = "item"
    LIST = "list"
    CURATION = "curation"
    INSTRUCTION = "instruction"
    TRIAL = "trial"
    """What an author says to an item about a deck while trying it; never an annotator's answer."""


def _unmade(record: Record) -> State | None:
    """Return the state of a thing whose making is taken back; an item stays known as retired: answers may name it."""
    return {**record.state, "is_retired": True} if record.kind == RecordKind.ITEM and record.state else None


_JOURNAL = ActJournal(name="checklist", subject="checklists", unmade=_unmade, is_own_only=True)
write = _JOURNAL.write
current = _JOURNAL.current
history = _JOURNAL.history
histories = _JOURNAL.histories
list_acts = _JOURNAL.list_acts
undo = _JOURNAL.undo
redo = _JOURNAL.redo
can_undo = _JOURNAL.can_undo
