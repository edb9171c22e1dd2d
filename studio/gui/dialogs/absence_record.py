"""Records why a system has no deck for an instance."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from studio.actions.library import ABSENCES, Cell
from studio.errors import BadInput
from studio.gui.dialogs.record_form import RecordField, RecordForm
from studio.model.decks import DeckStatus, Instance

WORDS = {status: status.value.replace("_", " ") for status in ABSENCES}


class AbsenceRecord(RecordForm):
    """Asks for a status and a reason."""

    record_saved = Signal(object, str)
    """The `DeckStatus` and the reason."""

    def __init__(self, instance: Instance, cell: Cell, parent: QWidget | None = None) -> None:
        status = cell.deck.status if cell.deck is not None else DeckStatus.MISSING
        fields = (
            RecordField(
                name="status", words="Status", value=WORDS[status], choices=tuple(WORDS.values()),
                help="Missing: nothing came. Not supported: it cannot do this task. Failed: it tried and broke.",
            ),
            RecordField(name="reason", words="Reason", value=cell.deck.reason if cell.deck else ""),
        )  # fmt: skip
        super().__init__(f"No deck of {cell.system.name} for {instance.title}", fields, parent=parent)
        self.resize(520, 240)

    def check(self, values: dict[str, str]) -> None:  # @override
        if values["status"] not in WORDS.values():
            raise BadInput(f"{values['status']} is no status.", next_step=f"Known: {', '.join(WORDS.values())}.")

    def take(self, values: dict[str, str]) -> None:  # @override
        status = next(status for status, words in WORDS.items() if words == values["status"])
        self.record_saved.emit(status, values["reason"])
