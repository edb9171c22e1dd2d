"""Sets of scales, and the reasons why something cannot be judged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from studio.actions.answer_desk import REASONS, save_cannot_judge_reasons, save_scale_set
from studio.actions.study_desk import StudiesDesk
from studio.errors import BadInput
from studio.gui.context import AppContext
from studio.gui.dialogs.record_form import RecordField, RecordForm
from studio.gui.studies.table_panel import TablePanel
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.table import Column
from studio.model.changes import Changes, Topic, changed
from studio.sessions.scales import ScaleSet, scale_set_from

COLUMNS: tuple[Column[ScaleSet], ...] = (
    Column(title="name", value=lambda each: each.name, is_strong=True, width=130),
    Column(title="title", value=lambda each: each.title),
    Column(title="dimensions", value=lambda each: ", ".join(scale.title for scale in each.scales),
           tip=lambda each: "\n".join(_scale_words(scale) for scale in each.scales)),
    Column(title="points", value=lambda each: max(len(scale.anchors) for scale in each.scales), is_number=True,
           text=lambda each: ", ".join(sorted({f"{scale.low}–{scale.high}" for scale in each.scales})), width=80),
)  # fmt: skip

EXAMPLE = """Clarity
Is it clear what the slides say?
1 = Nothing is clear
2 = Some of it is clear
3 = All of it is clear"""


def _scale_words(scale: Any) -> str:
    points = "; ".join(f"{number} {words}" for number, words in enumerate(scale.anchors, start=scale.low))
    return f"{scale.title} – {scale.question} {points}"


def scales_text(each: ScaleSet) -> str:
    """Return a set's scales as they are typed: name, question, then a line for each point; a blank line between."""
    blocks = []
    for scale in each.scales:
        points = [f"{number} = {words}" for number, words in enumerate(scale.anchors, start=scale.low)]
        blocks.append("\n".join([scale.title, scale.question, *points]))
    return "\n\n".join(blocks)


def scales_from(text: str) -> list[dict[str, Any]]:
    """Return the scales of a typed text as JSON values; see `scales_text`.

    Raises:
        BadInput: if a scale has no question, or its points do not go up by one.
    """
    found = []
    for block in (part.strip() for part in text.replace("\r", "").split("\n\n")):
        if not block:
            continue
        title, *rest = [line.strip() for line in block.splitlines() if line.strip()]
        questions = [line for line in rest if not _point(line)]
        points = [point for line in rest if (point := _point(line))]
        if len(questions) != 1:
            raise BadInput(f"{title}: one line after its name is the question.", next_step="Then one line a point.")
        numbers = [number for number, _ in points]
        if not points or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
            raise BadInput(f"{title}: its points do not go up by one.", next_step="Write them as: 1 = words")
        found.append(
            {
                "dimension": "_".join(title.lower().split()), "title": title, "question": questions[0],
                "anchors": [words for _, words in points], "low": numbers[0],
            }
        )  # fmt: skip
    return found


def _point(line: str) -> tuple[int, str] | None:
    number, sign, words = line.partition("=")
    stripped = number.strip()
    return (int(stripped), words.strip()) if sign and stripped.isdecimal() and words.strip() else None


class ScaleSetForm(RecordForm):
    """A set of scales as a text."""

    def __init__(
        self,
        shown: ScaleSet | None,
        take: Callable[[dict[str, Any]], None],
        *,
        taken: frozenset[str] = frozenset(),
        is_read_only: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        self._take, self._taken = take, taken
        name = "" if shown is None else shown.name if is_read_only else f"{shown.name}_2"
        fields = (
            RecordField(name="name", words="Name", value=name,
                        help="Stable, as in tables; without blanks."),
            RecordField(name="title", words="Title", value=shown.title if shown else ""),
            RecordField(name="scales", words="Scales", value=scales_text(shown) if shown else EXAMPLE, lines=14,
                        help="Each scale: its name, its question, one line for each point; a blank line between "
                             "scales. Two to nine points."),
            RecordField(name="needs_source", words="Source", value="yes" if shown and shown.needs_source else "no",
                        choices=("yes", "no"), help="Whether the source has to be looked at."),
        )  # fmt: skip
        title = f"Scales {shown.title}" if shown else "New set of scales"
        super().__init__(title, fields, is_read_only=is_read_only, parent=parent)
        if is_read_only:
            self.show_error("Sets are never changed, since answers were given on their words. Make a copy instead.")
        self.resize(560, 620)

    def raw(self, values: dict[str, str]) -> dict[str, Any]:
        """Return the set as JSON values."""
        return {
            "name": values["name"], "title": values["title"] or values["name"], "scales": scales_from(values["scales"]),
            "needs_source": values["needs_source"] == "yes",
        }  # fmt: skip

    def check(self, values: dict[str, str]) -> None:  # @override
        if not values["name"] or len(values["name"].split()) > 1:
            raise BadInput("A set of scales needs a name without blanks.", next_step="Type one.")
        if values["name"] in self._taken:
            raise BadInput(f"There is a set of scales {values['name']} already.", next_step="Choose another name.")
        scale_set_from(self.raw(values))

    def take(self, values: dict[str, str]) -> None:  # @override
        self._take(self.raw(values))


class ScalesTab(QWidget):
    """Sets of scales at the left, reasons at the right."""

    def __init__(self, context: AppContext, do: Callable[..., None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self._do = context, do
        self._names: frozenset[str] = frozenset()
        can_change = not context.project.is_read_only
        self.panel = TablePanel("Sets of scales", COLUMNS, key=lambda each: each.name, nothing="")
        self.panel.add_button("Look at it…", self.look, needs_row=True)
        self.panel.add_button("Copy…", self.copy, needs_row=True)
        self.panel.add_button("New set…", self.add, is_primary=True)
        self.panel.row_opened.connect(self.look)
        self.panel.set_can_change(can_change)
        self.reasons = QPlainTextEdit()
        self.reasons.setAccessibleName("Reasons for cannot judge")
        self.reasons.setTabChangesFocus(True)
        self.reasons.setReadOnly(not can_change)
        body = QWidget()
        inner = QVBoxLayout(body)
        inner.setContentsMargins(12, 12, 12, 12)
        inner.setSpacing(8)
        words = toned_label("One reason a line, eight at most; each gets a digit as its key, in this order.", "muted")
        words.setWordWrap(True)
        inner.addWidget(words)
        inner.addWidget(self.reasons, 1)
        right = Panel("Reasons for “cannot judge”")
        right.set_body(body)
        foot = right.add_foot()
        usual = KeyCapButton("The usual ones")
        usual.clicked.connect(lambda _checked=False: self.reasons.setPlainText("\n".join(REASONS)))
        self.save = KeyCapButton("Save reasons")
        self.save.clicked.connect(lambda _checked=False: self.save_reasons())
        foot.row.addStretch(1)
        for button in (usual, self.save):
            button.setAutoDefault(False)
            button.setEnabled(can_change)
            foot.row.addWidget(button)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 8, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.panel, 3)
        row.addWidget(right, 2)

    def show_desk(self, desk: StudiesDesk) -> None:
        """Show sets and reasons as they are in the project; reasons that are being typed stay."""
        self._names = frozenset(each.name for each in desk.scale_sets)
        self.panel.show_rows(desk.scale_sets, f"{len(desk.own_scales)} of the project's own")
        if not self.reasons.document().isModified():
            self.reasons.setPlainText("\n".join(desk.reasons))
            self.reasons.document().setModified(False)

    def add(self) -> None:
        """Ask for a new set of scales."""
        ScaleSetForm(None, self._store, taken=self._names, parent=self).open()

    def copy(self) -> None:
        """Ask for a new set that begins as a copy of the selected one."""
        found = self.panel.selected()
        if found is not None:
            form = ScaleSetForm(found, self._store, taken=self._names, parent=self)
            form.setWindowTitle(f"Copy of {found.title}")
            form.open()

    def look(self, found: ScaleSet | None = None) -> None:
        """Show the words of the selected set."""
        shown = found or self.panel.selected()
        if shown is not None:
            ScaleSetForm(shown, self._store, is_read_only=True, parent=self).open()

    def save_reasons(self) -> None:
        """Store the reasons as they are typed."""
        project, lines = self._context.project, self.reasons.toPlainText().splitlines()

        def store() -> Changes:
            save_cannot_judge_reasons(project, lines)
            return changed(Topic.PEOPLE)

        self._do(store, self._on_reasons_saved)

    def _on_reasons_saved(self, _changes: Changes) -> None:
        self.reasons.document().setModified(False)
        self._context.toast("Saved the reasons.")

    def _store(self, raw: dict[str, Any]) -> None:
        project = self._context.project

        def store() -> tuple[ScaleSet, Changes]:
            return save_scale_set(project, raw), changed(Topic.PEOPLE)

        self._do(store)
