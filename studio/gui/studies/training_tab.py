"""The training of a study: its questions, the pass mark, how often each may be tried."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from studio.actions.shipped_guidelines import LANGUAGES, use_shipped
from studio.actions.study_desk import StudyDetail, save_training, training_item
from studio.gui.context import AppContext
from studio.gui.dialogs.record_form import RecordField, RecordForm
from studio.gui.studies.table_panel import TablePanel
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.number_box import DecimalBox, WholeBox
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.table import Column
from studio.model.quality import TrainingItem
from studio.model.studies import ALL_ON_ALL, Study

COLUMNS: tuple[Column[TrainingItem], ...] = (
    Column(title="question", value=lambda item: item.question),
    Column(title="right answer", value=lambda item: item.answer),
    Column(title="answers", value=lambda item: len(item.options), tip=lambda item: "\n".join(item.options),
           is_number=True, width=80),
    Column(title="examples", value=lambda item: len(item.examples), is_number=True, width=90),
)  # fmt: skip


class TrainingItemForm(RecordForm):
    """One question of the training."""

    def __init__(
        self, study: Study, item: TrainingItem | None, take: Callable[[TrainingItem], None],
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        self._study, self._item, self._take = study, item, take
        fields = (
            RecordField(name="question", words="Question", value=item.question if item else "", lines=2),
            RecordField(name="options", words="Answers", value="\n".join(item.options) if item else "", lines=4,
                        help="One a line, two to nine; each gets a digit as its key."),
            RecordField(name="answer", words="Right one", value=item.answer if item else "",
                        help="One of the answers, letter by letter, or its number."),
            RecordField(name="explanation", words="Explanation", value=item.explanation if item else "", lines=4,
                        help="Shown once no try is left, or the answer was right."),
        )  # fmt: skip
        super().__init__("Training question", fields, parent=parent)
        self.resize(560, 480)

    def item(self, values: dict[str, str]) -> TrainingItem:
        """Return the question as it is typed."""
        options = [line.strip() for line in values["options"].splitlines() if line.strip()]
        answer = values["answer"]
        if answer.isdecimal() and answer not in options and 1 <= int(answer) <= len(options):
            answer = options[int(answer) - 1]
        old = self._item
        return training_item(
            self._study.id, values["question"], options, answer, values["explanation"],
            examples=old.examples if old else (), item_id=old.id if old else "",
        )  # fmt: skip

    def check(self, values: dict[str, str]) -> None:  # @override
        self.item(values)

    def take(self, values: dict[str, str]) -> None:  # @override
        self._take(self.item(values))


class TrainingTab(QWidget):
    """Questions at the left, settings at the right."""

    def __init__(self, context: AppContext, do: Callable[..., None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self._do = context, do
        self._study: Study | None = None
        self._items: list[TrainingItem] = []
        self._shown: tuple[bool, float, int] = (False, 0.0, 0)
        self.panel = TablePanel(
            "Questions", COLUMNS, key=lambda item: item.id,
            nothing="No training yet. Add questions, or take the shipped ones.",
        )  # fmt: skip
        self.panel.add_button("Remove", self.remove, needs_row=True)
        self.panel.add_button("Move up", partial(self.move, -1), needs_row=True)
        self.panel.add_button("Edit…", self.edit, needs_row=True)
        self.panel.add_button("Add…", self.add)
        self.panel.row_opened.connect(self.edit)
        self.is_needed = QCheckBox("The study opens after its training is passed")
        self.pass_mark = DecimalBox(0, 100, decimals=0)
        self.pass_mark.setSuffix(" % right")
        self.pass_mark.setAccessibleName("Pass mark")
        self.tries = WholeBox(1, 20, 1)
        self.tries.setSuffix(" tries for each question")
        self.tries.setAccessibleName("Tries")
        self.words = toned_label("", "muted")
        self.words.setWordWrap(True)
        self.language = QComboBox()
        self.language.setAccessibleName("Language of the shipped training")
        self.language.addItems(LANGUAGES)
        shipped = KeyCapButton("Take the shipped guidelines and training")
        shipped.setAutoDefault(False)
        shipped.clicked.connect(lambda _checked=False: self.take_shipped())
        self.save = KeyCapButton("Save training", is_primary=True)
        self.save.setAutoDefault(False)
        self.save.clicked.connect(lambda _checked=False: self.save_all())
        self._changing = (self.is_needed, self.pass_mark, self.tries, shipped, self.language, self.save)
        body = QWidget()
        inner = QVBoxLayout(body)
        inner.setContentsMargins(12, 12, 12, 12)
        inner.setSpacing(8)
        for widget in (self.is_needed, self.pass_mark, self.tries, self.words):
            inner.addWidget(widget)
        inner.addSpacing(8)
        given = QHBoxLayout()
        given.addWidget(self.language)
        given.addWidget(shipped, 1)
        inner.addLayout(given)
        inner.addStretch(1)
        right = Panel("Rules of the training")
        right.set_body(body)
        foot = right.add_foot()
        foot.row.addStretch(1)
        foot.row.addWidget(self.save)
        self.pass_mark.valueChanged.connect(self._show_words)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 8, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.panel, 3)
        row.addWidget(right, 2)

    def show_detail(self, detail: StudyDetail) -> None:
        """Show a study's training."""
        is_typed = self._study is not None and self._study.id == detail.study.id and self._rules() != self._shown
        self._study, self._items = detail.study, list(detail.training)
        can_change = detail.study.id != ALL_ON_ALL and not self._context.project.is_read_only
        self.panel.set_can_change(can_change)
        for widget in self._changing:
            widget.setEnabled(can_change)
        if not is_typed:  # what is typed and not saved stays
            self.is_needed.setChecked(detail.study.needs_training)
            self.pass_mark.setValue(100 * detail.study.training_pass_mark)
            self.tries.setValue(detail.study.training_tries)
            self._shown = self._rules()
        self._show_items()

    def _rules(self) -> tuple[bool, float, int]:
        return self.is_needed.isChecked(), self.pass_mark.value(), self.tries.value()

    def add(self) -> None:
        """Ask for a new question."""
        if self._study is not None:
            TrainingItemForm(self._study, None, self._put, self).open()

    def edit(self, item: TrainingItem | None = None) -> None:
        """Edit the selected question."""
        found = item or self.panel.selected()
        if self._study is not None and found is not None:
            TrainingItemForm(self._study, found, self._put, self).open()

    def remove(self) -> None:
        """Take the selected question out; answers that were given to it stay."""
        chosen = self.panel.selected()
        self._keep([item for item in self._items if item is not chosen])

    def move(self, by: int) -> None:
        """Move the selected question up or down."""
        chosen = self.panel.selected()
        if chosen is None:
            return
        here = self._items.index(chosen)
        there = max(0, min(len(self._items) - 1, here + by))
        items = [item for item in self._items if item is not chosen]
        self._keep([*items[:there], chosen, *items[there:]])

    def save_all(self) -> None:
        """Store questions and rules as they are shown."""
        self._keep(self._items)

    def take_shipped(self) -> None:
        """Give the study the shipped guidelines and training."""
        if self._study is not None:
            language = self.language.currentText()
            self._do(
                partial(use_shipped, self._context.project, self._study, language=language, with_training=True),
                self._on_stored,
            )

    def _put(self, item: TrainingItem) -> None:
        known = [each.id for each in self._items]
        if item.id in known:
            self._keep([item if each.id == item.id else each for each in self._items])
        else:
            self._keep([*self._items, item])

    def _keep(self, items: list[TrainingItem]) -> None:
        """Store these questions with the rules as they are shown."""
        if self._study is None:
            return
        self._items = items
        self._show_items()
        self._do(
            partial(
                save_training, self._context.project, self._study, items, pass_mark=self.pass_mark.value() / 100,
                tries=self.tries.value(), is_needed=self.is_needed.isChecked(),
            ),
            self._on_stored,
        )  # fmt: skip

    def _on_stored(self, _outcome: object) -> None:
        self._shown = self._rules()

    def _show_items(self) -> None:
        self.panel.show_rows(self._items, str(len(self._items)))
        self._show_words()

    def _show_words(self, *_: object) -> None:
        number = len(self._items)
        needed = -(-number * self.pass_mark.value() // 100)
        self.words.setText(f"{needed:.0f} of {number} questions must be right." if number else "")
