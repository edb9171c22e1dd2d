"""The record of a system: what generated its decks, and how."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import date

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from studio.errors import BadInput
from studio.gui.dialogs.record_form import RecordField, RecordForm
from studio.model.decks import System

PARADIGMS = ("", "template", "code", "html", "image", "human")


class SystemRecord(RecordForm):
    """Edits one system."""

    record_saved = Signal(object)
    """The changed `System`."""

    def __init__(
        self,
        system: System,
        *,
        taken: Collection[str] = (),
        is_read_only: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        fields = (
            RecordField(name="name", words="Name", value=system.name),
            RecordField(name="version", words="Version", value=system.version, help="As the maker calls it."),
            RecordField(
                name="paradigm", words="Paradigm", value=system.paradigm, choices=PARADIGMS,
                help="How it makes slides: fills a template, writes code or HTML, draws images, or a person.",
            ),
            RecordField(
                name="access_date", words="Access date", value=system.access_date,
                help="On which its decks were made, such as 2025-11-30.",
            ),
            RecordField(name="settings", words="Settings", value=system.settings, lines=3),
            RecordField(
                name="adaptation", words="Adaptation", value=system.adaptation, lines=3,
                help="What was changed to make it fit the task.",
            ),
        )  # fmt: skip
        super().__init__(f"System {system.name}", fields, is_read_only=is_read_only, parent=parent)
        self._system = system
        self._taken = frozenset(taken)
        self.resize(520, 520)

    def check(self, values: dict[str, str]) -> None:  # @override
        if not values["name"]:
            raise BadInput("A system needs a name.", next_step="Type one.")
        if values["name"] in self._taken:
            raise BadInput(f"There is a system {values['name']} already.", next_step="Choose another name.")
        if values["access_date"]:
            try:
                date.fromisoformat(values["access_date"])
            except ValueError:
                raise BadInput(
                    f"{values['access_date']} is no date.", next_step="Write it as year-month-day."
                ) from None

    def take(self, values: dict[str, str]) -> None:  # @override
        changed = replace(self._system, **values)
        if changed != self._system:
            self.record_saved.emit(changed)
