"""The record of an instance: what the task is about, and the instruction that systems got."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from studio.errors import BadInput
from studio.gui.dialogs.record_form import RecordField, RecordForm
from studio.model.decks import Instance

LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
"""The shape of a BCP 47 tag; whether the language exists is not looked up."""


class InstanceRecord(RecordForm):
    """Edits one instance."""

    record_saved = Signal(object)
    """The changed `Instance`."""

    def __init__(
        self,
        instance: Instance,
        *,
        taken: Collection[str] = (),
        is_read_only: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        fields = (
            RecordField(name="title", words="Title", value=instance.title),
            RecordField(
                name="name", words="Name", value=instance.name,
                help="Short and unique in the project; tables and imports find the instance by it.",
            ),
            RecordField(name="scenario", words="Scenario", value=instance.scenario, help="Such as lecture or report."),
            RecordField(name="domain", words="Domain", value=instance.domain),
            RecordField(
                name="language", words="Language", value=instance.language, help="Such as en, zh or pt-BR."
            ),
            RecordField(name="difficulty", words="Difficulty", value=instance.difficulty),
            RecordField(
                name="instruction", words="Instruction", value=instance.instruction, lines=8,
                help="Markdown, as the systems got it.",
            ),
        )  # fmt: skip
        super().__init__(f"Instance {instance.name}", fields, is_read_only=is_read_only, parent=parent)
        self._instance = instance
        self._taken = frozenset(taken)
        self.resize(560, 620)

    def check(self, values: dict[str, str]) -> None:  # @override
        for name, words in (("title", "title"), ("name", "name")):
            if not values[name]:
                raise BadInput(f"An instance needs a {words}.", next_step="Type one.")
        if values["name"] in self._taken:
            raise BadInput(f"There is an instance {values['name']} already.", next_step="Choose another name.")
        if values["language"] and not LANGUAGE.fullmatch(values["language"]):
            raise BadInput(f"{values['language']} is no language tag.", next_step="Write such as en, zh or pt-BR.")

    def take(self, values: dict[str, str]) -> None:  # @override
        changed = replace(self._instance, **values)
        if changed != self._instance:
            self.record_saved.emit(changed)
