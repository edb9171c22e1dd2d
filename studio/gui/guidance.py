"""What a study tells people: its guidelines beside the decks, its training, and to its author how it went."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

from studio.actions.answer_desk import AnswerDesk
from studio.actions.quality import quality_rows
from studio.actions.training import TrainingReply, answer_training, note_guidelines_read
from studio.gui.context import AppContext
from studio.gui.dialogs.study_results import StudyResults
from studio.gui.widgets.guideline_drawer import GuidelineDrawer
from studio.gui.widgets.training_form import TrainingForm
from studio.model.changes import Changes


class Guidance(QObject):
    """Fills the drawer and the training form of a page from its desk.

    Args:
        context: of the window.
        drawer: beside the decks.
        training: the form that stands before a study.
        parent: the page, which owns what is read.
    """

    closed = Signal()
    """The guidelines were put away."""

    def __init__(self, context: AppContext, drawer: GuidelineDrawer, training: TrainingForm, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._drawer, self._training = context, drawer, training
        self._desk: AnswerDesk | None = None
        self._is_locked = False
        drawer.closed.connect(self.close)
        training.answered.connect(self._on_answered)

    def follow(self, desk: AnswerDesk | None, *, is_locked: bool) -> None:
        """Tell of this desk from now on; nothing is written down if `is_locked`."""
        self._desk, self._is_locked = desk, is_locked

    @property
    def is_open(self) -> bool:
        """Whether the guidelines are shown."""
        return not self._drawer.isHidden()

    def toggle(self) -> None:
        """Show or hide the guidelines; showing them is reading them."""
        if self.is_open:
            self.close()
            return
        if self._desk is None:
            return
        shown = self._desk.guidelines
        if shown.guidelines is None:
            self._drawer.show_text("", "This study has no guidelines yet.", (), is_changed=False)
        else:
            found = shown.guidelines
            self._drawer.show_text(
                found.version, found.text, found.examples, is_changed=shown.is_changed, pictures=shown.pictures
            )
        self._drawer.show()
        if shown.guidelines is not None and not shown.is_read and not self._is_locked:
            note = partial(note_guidelines_read, self._context.project, self._desk.study, self._desk.person.id)
            self._context.background.query(note, self._on_noted, self._on_failed, owner=self)

    @Slot()
    def close(self) -> None:
        """Put the guidelines away."""
        self._drawer.hide()
        self.closed.emit()

    def show_results(self) -> None:
        """Show how known answers, repeats and the training went: for the author, not for annotators."""
        if self._desk is not None and not self._context.is_blind:
            study = self._desk.study
            read = partial(quality_rows, self._context.project, study)
            self._context.background.query(read, partial(self._on_results, study.name), self._on_failed, owner=self)

    def begin_training(self) -> None:
        """Ask the training items of the study."""
        self._training.begin(self._desk.training_items, self._desk.training, self._desk.training_pictures)

    def _on_noted(self, changes: Changes) -> None:
        self._context.announce(changes)

    def _on_failed(self, error: BaseException) -> None:
        self._context.report(error)

    def _on_results(self, study: str, rows: list[dict[str, Any]]) -> None:
        dialog = StudyResults(study, rows, self._drawer.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    @Slot(str, str)
    def _on_answered(self, item_id: str, option: str) -> None:
        item = next((item for item in self._desk.training_items if item.id == item_id), None)
        if item is None or self._is_locked:
            return
        answer = partial(
            answer_training, self._context.project, self._desk.study, self._desk.person.id, item, option
        )  # fmt: skip
        self._context.background.query(answer, self._on_training_stored, self._on_failed, owner=self)

    def _on_training_stored(self, stored: tuple[TrainingReply, Changes]) -> None:
        reply, _ = stored
        self._training.tell(is_correct=reply.is_correct, explanation=reply.explanation, result=reply.result)
