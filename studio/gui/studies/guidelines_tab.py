"""Versions of the guidelines: what each says, with its good and bad examples, and a new one made from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from studio.actions.quality import add_guidelines
from studio.actions.shipped_guidelines import LANGUAGES, shipped_guidelines
from studio.actions.study_desk import StudiesDesk
from studio.errors import BadInput
from studio.gui.context import AppContext
from studio.gui.dialogs.record_form import RecordField, RecordForm
from studio.gui.studies.deck_line import deck_named, propose_decks
from studio.gui.studies.table_panel import TablePanel
from studio.gui.widgets.guideline_drawer import space_paragraphs
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.table import Column
from studio.model.ids import DeckId
from studio.model.quality import ExampleDeck, Guidelines

ASPECTS = ("harmony", "engagement", "usability", "rhythm")

VERSIONS: tuple[Column[Guidelines], ...] = (
    Column(title="version", value=lambda each: each.version, is_strong=True),
    Column(title="made", value=lambda each: each.at[:10], width=100),
    Column(title="examples", value=lambda each: len(each.examples), is_number=True, width=90),
)
EXAMPLES: tuple[Column[ExampleDeck], ...] = (
    Column(title="verdict", value=lambda each: "✓ good" if each.is_good else "✗ bad",
           tone=lambda each: "ok" if each.is_good else "bad", width=80),
    Column(title="aspect", value=lambda each: each.aspect or None, reason=lambda _: "of no single aspect", width=110),
    Column(title="title", value=lambda each: each.title),
    Column(title="why", value=lambda each: each.why),
)  # fmt: skip


class ExampleForm(RecordForm):
    """One deck of the project as a good or a bad example."""

    def __init__(
        self, decks: Mapping[DeckId, str], take: Callable[[ExampleDeck], None], parent: QWidget | None = None
    ) -> None:  # fmt: skip
        self._decks, self._take = decks, take
        fields = (
            RecordField(name="deck", words="Deck"),
            RecordField(name="verdict", words="Example", value="good", choices=("good", "bad")),
            RecordField(name="aspect", words="Aspect", choices=("", *ASPECTS)),
            RecordField(name="title", words="Title", help="Annotators read this; name no system in it."),
            RecordField(name="why", words="Why", lines=3),
        )
        super().__init__("Example deck", fields, save="Add", parent=parent)
        line = self.editor("deck")
        assert isinstance(line, QLineEdit)
        propose_decks(line, decks)

    def check(self, values: dict[str, str]) -> None:  # @override
        deck_named(values["deck"], self._decks)
        if values["verdict"] not in ("good", "bad"):
            raise BadInput("An example is good or bad.")
        if not values["title"]:
            raise BadInput("An example needs a title.", next_step="Type one without the system's name.")

    def take(self, values: dict[str, str]) -> None:  # @override
        self._take(
            ExampleDeck(
                title=values["title"], is_good=values["verdict"] == "good", aspect=values["aspect"], why=values["why"],
                deck_id=deck_named(values["deck"], self._decks),
            )
        )  # fmt: skip


class GuidelinesEditor(QDialog):
    """Writes a new version; the one it began from stays as it is."""

    def __init__(
        self,
        begun: Guidelines | None,
        desk: StudiesDesk,
        take: Callable[[str, str, Sequence[ExampleDeck]], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("New version of the guidelines")
        self.resize(760, 720)
        self._desk, self._take = desk, take
        self._taken = {each.version for each in desk.guidelines}
        self.version = QLineEdit(f"v{len(desk.guidelines) + 1}")
        self.version.setAccessibleName("Version")
        self.text = QPlainTextEdit(begun.text if begun else "")
        self.text.setAccessibleName("Guidelines, as Markdown")
        self.text.setPlaceholderText("# What to look at\n\nMarkdown.")
        self.text.setTabChangesFocus(True)
        self.examples = TablePanel("Examples", EXAMPLES, key=id, nothing="No examples yet.")
        self.examples.setFixedHeight(220)
        self.examples.add_button("Remove", self._remove, needs_row=True)
        self.examples.add_button("Add a deck…", self._add)
        self._kept = list(begun.examples) if begun else []
        self.examples.show_rows(self._kept)
        self.error = toned_label("", "bad")
        self.error.setWordWrap(True)
        cancel = KeyCapButton("Cancel", "Esc")
        cancel.clicked.connect(self.reject)
        self.save = KeyCapButton("Store version", "Ctrl+Enter", is_primary=True)
        self.save.setShortcut("Ctrl+Return")
        self.save.clicked.connect(self._on_save_clicked)
        for button in (cancel, self.save):
            button.setAutoDefault(False)
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.addRow("Version", self.version)
        foot = QHBoxLayout()
        foot.addWidget(self.error, 1)
        foot.addWidget(cancel)
        foot.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addLayout(form)
        column.addWidget(self.text, 1)
        column.addWidget(self.examples)
        column.addLayout(foot)

    def add_example(self, example: ExampleDeck) -> None:
        """Add an example at the end."""
        self._kept.append(example)
        self.examples.show_rows(self._kept)

    def _add(self) -> None:
        ExampleForm(self._desk.decks, self.add_example, self).open()

    def _remove(self) -> None:
        chosen = self.examples.selected()
        self._kept = [each for each in self._kept if each is not chosen]
        self.examples.show_rows(self._kept)

    @Slot()
    def _on_save_clicked(self) -> None:
        version, text = self.version.text().strip(), self.text.toPlainText()
        if not version or not text.strip():
            self.error.setText("Guidelines need a version and a text.")
        elif version in self._taken:
            self.error.setText(f"Version {version} is there already; versions are never changed.")
        else:
            self._take(version, text, tuple(self._kept))
            self.accept()


class GuidelinesTab(QWidget):
    """Versions at the left, what the selected one says at the right."""

    def __init__(self, context: AppContext, do: Callable[..., None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self._do = context, do
        self._desk: StudiesDesk | None = None
        self.panel = TablePanel(
            "Versions", VERSIONS, key=lambda each: each.version,
            nothing="No guidelines yet. Begin with the shipped ones, or write your own.",
        )  # fmt: skip
        self.language = QComboBox()
        self.language.setAccessibleName("Language of the shipped guidelines")
        self.language.addItems(LANGUAGES)
        self.panel.foot.row.addWidget(self.language)
        self.panel.add_button("Take the shipped ones", self.take_shipped)
        self.panel.add_button("New version…", self.add, is_primary=True)
        self.panel.set_can_change(not context.project.is_read_only)
        self.panel.table.row_selected.connect(self._show)
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.text.setStyleSheet("border: 0; padding: 0;")
        self.text.setAccessibleName("Guidelines")
        self.reader = Panel("Guidelines")
        self.reader.set_body(self.text, margin=12)
        self.examples = TablePanel("Examples", EXAMPLES, key=id, nothing="This version has no examples.")
        self.examples.foot.hide()
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addWidget(self.reader, 3)
        right.addWidget(self.examples, 2)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 8, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.panel, 2)
        row.addLayout(right, 3)

    def show_desk(self, desk: StudiesDesk) -> None:
        """Show the versions, newest first."""
        self._desk = desk
        newest = list(reversed(desk.guidelines))
        self.panel.show_rows(newest)
        shown = self.panel.selected() or next(iter(newest), None)
        if shown is not None:
            self._show(shown)

    def take_shipped(self) -> None:
        """Store the shipped guidelines of the chosen language as a version."""
        given = shipped_guidelines(self.language.currentText())
        self._store(given.version, given.text, given.examples)

    def add(self) -> GuidelinesEditor | None:
        """Ask for a new version, begun from the selected one."""
        if self._desk is None:
            return None
        newest = next(reversed(self._desk.guidelines), None)
        editor = GuidelinesEditor(self.panel.selected() or newest, self._desk, self._store, self)
        editor.open()
        return editor

    def _store(self, version: str, text: str, examples: Sequence[ExampleDeck]) -> None:
        self._do(partial(add_guidelines, self._context.project, version, text, examples))

    @Slot(object)
    def _show(self, shown: Guidelines) -> None:
        self.reader.set_title("Guidelines", shown.version)
        self.text.setMarkdown(shown.text)
        space_paragraphs(self.text.document())
        self.examples.show_rows(shown.examples, str(len(shown.examples)))
