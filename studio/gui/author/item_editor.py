"""The form of one item: its words, kind, weight, hints while typing, the exact prompt, versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from studio.actions.checklists import AskedItem
from studio.actions.code_rules import rule_name, rule_rows
from studio.checklists.lint import LintFinding
from studio.gui.author.bulk_edit import tags_of
from studio.gui.author.rule_form import RuleForm
from studio.gui.widgets.number_box import DecimalBox
from studio.gui.widgets.panel import toned_label
from studio.model.checklists import Dimension, Item, ItemKind, RuleCall

TEXT_PX = 92
NOTE_PX = 52


class ItemEditor(QWidget):
    """`edited` tells that a person changed something; `changes` says what the form holds."""

    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_filling = False
        self._given: RuleCall | None = None
        self.problem = ""
        self.dimension = QComboBox()
        self.dimension.setAccessibleName("Dimension")
        for dimension in Dimension:
            self.dimension.addItem(f"{dimension.value.capitalize()} · {dimension.tier.value}", dimension)
        self.text = _area("Question", TEXT_PX, "Asks one thing that the slides answer with yes or no")
        self.note = _area("Note", NOTE_PX, "What counts as no; people and judges read it")
        self.no_when = QLineEdit()
        self.no_when.setAccessibleName("Counts as no when")
        self.no_when.setPlaceholderText("the deck has no chart")
        self.tags = QLineEdit()
        self.tags.setAccessibleName("Tags")
        self.tags.setPlaceholderText("tags, with commas between them")
        self.kind = QComboBox()
        self.kind.setAccessibleName("Answered by")
        self.kind.addItem("People and judges", ItemKind.QUESTION)
        self.kind.addItem("Code", ItemKind.CODE)
        self.rule = QComboBox()
        self.rule.setAccessibleName("Rule")
        for box in (self.dimension, self.kind, self.rule):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(16)
            box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._rules = {row["rule"]: row for row in rule_rows()}
        for name, row in self._rules.items():
            self.rule.addItem(str(row.get("title") or name), name)
        self.parameters = RuleForm()
        self.parameters.setAccessibleName("Parameters of the rule")
        self._given_rule = ""
        self.weight = DecimalBox(0, 1000)
        self.weight.setAccessibleName("Weight")
        self.weight.setFixedWidth(88)
        self.evidence = QCheckBox("Evidence needed")
        self.evidence.setToolTip("People mark a slide before the answer counts as complete")
        self.hints = QLabel()
        self.hints.setWordWrap(True)
        self.hints.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.hints.hide()
        self.hints.setProperty("tone", "warn")
        self.hints.setAccessibleName("Hints")
        self.preview = QPlainTextEdit()
        self.preview.setReadOnly(True)
        self.preview.setAccessibleName("Exact prompt")
        self.versions = QPlainTextEdit()
        self.versions.setReadOnly(True)
        self.versions.setAccessibleName("Versions")
        for area in (self.preview, self.versions):
            area.setTabChangesFocus(True)
            area.setMinimumHeight(110)
        self._build()
        self._listen()
        self._show_kind()

    def _build(self) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(12)
        form.setVerticalSpacing(8)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self.rule_label, self.parameters_label = toned_label("Rule", "muted"), toned_label("Parameters", "muted")
        asked = QVBoxLayout()
        asked.setSpacing(4)
        asked.addWidget(self.text)
        asked.addWidget(self.hints)
        line = QHBoxLayout()
        line.setSpacing(12)
        line.addWidget(self.weight)
        line.addWidget(self.evidence)
        line.addWidget(self.tags, 1)
        for words, field in (
            ("Dimension", self.dimension), ("Question", asked), ("Note", self.note),
            ("No when", self.no_when), ("Answered by", self.kind),
        ):  # fmt: skip
            form.addRow(toned_label(words, "muted"), field)
        form.addRow(self.rule_label, self.rule)
        form.addRow(self.parameters_label, self.parameters)
        form.addRow(toned_label("Weight", "muted"), line)
        self.below = QTabWidget()
        self.below.addTab(self.preview, "Exact prompt")
        self.below.addTab(self.versions, "Versions")
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        column.addLayout(form)
        column.addWidget(self.below, 1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inner)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)

    def _listen(self) -> None:
        for area in (self.text, self.note):
            area.textChanged.connect(self._on_edited)
        self.parameters.edited.connect(self._on_edited)
        for line in (self.no_when, self.tags):
            line.textEdited.connect(self._on_edited)
        self.dimension.activated.connect(self._on_edited)
        self.kind.activated.connect(self._on_edited)
        self.rule.activated.connect(self._on_rule_chosen)
        self.weight.valueChanged.connect(self._on_edited)
        self.evidence.toggled.connect(self._on_edited)

    def show_item(self, item: Item) -> None:
        """Fill the form."""
        self._is_filling = True
        self.dimension.setCurrentIndex(self.dimension.findData(item.dimension))
        self.text.setPlainText(item.text)
        self.note.setPlainText(item.note)
        self.no_when.setText(item.no_when)
        while self.kind.count() > 2:
            self.kind.removeItem(2)
        if item.kind is ItemKind.TOOL_ERROR:
            self.kind.addItem("Nobody: its rule is not known", ItemKind.TOOL_ERROR)
        self.kind.setCurrentIndex(self.kind.findData(item.kind))
        # As it is written there: a rule goes by the reference's name too.
        self._given_rule = item.rule.rule if item.rule is not None else ""
        self._given = item.rule
        name = rule_name(self._given_rule) or (next(iter(self._rules)) if item.rule is None else "")
        self.rule.setCurrentIndex(self.rule.findData(name))
        self._show_parameters(item.rule.parameters if item.rule else {})
        self.weight.setValue(item.weight)
        self.evidence.setChecked(item.needs_evidence)
        self.tags.setText(", ".join(item.tags))
        self.set_problem("")
        self.preview.clear()
        self.versions.clear()
        self._is_filling = False
        self._show_kind()

    def changes(self) -> dict[str, Any] | None:
        """Return fields of an item with what the form holds; None while it cannot be stored, for `problem`."""
        kind = ItemKind(self.kind.currentData())
        self.problem, rule = "", None
        if kind is ItemKind.TOOL_ERROR:
            rule = self._given
        elif kind is ItemKind.CODE:
            name = self.rule.currentData()
            if name is None:
                self.problem = "Not saved: choose a rule."
                return None
            is_given = name == rule_name(self._given_rule)
            rule = RuleCall(rule=self._given_rule if is_given else name, parameters=self.parameters.parameters())
        elif not self.text.toPlainText().strip():
            self.problem = "Not saved: an item needs a question."
            return None
        return {
            "dimension": Dimension(self.dimension.currentData()), "text": self.text.toPlainText(),
            "note": self.note.toPlainText(), "no_when": self.no_when.text(), "kind": kind, "rule": rule,
            "weight": self.weight.value(), "needs_evidence": self.evidence.isChecked(),
            "tags": tuple(tags_of(self.tags.text())),
        }  # fmt: skip

    def set_hints(self, findings: Sequence[LintFinding]) -> None:
        """Show what is to be said about the words."""
        self.set_problem("\n".join(f"{each.severity.value}: {each.message}" for each in findings))

    def set_problem(self, words: str) -> None:
        """Show a line in the place of the hints."""
        self.hints.setText(words)
        self.hints.setVisible(bool(words))

    def set_asked(self, asked: AskedItem) -> None:
        """Show what a judge is sent, byte for byte, or the rule of a code item."""
        if asked.item.kind is ItemKind.QUESTION:
            self.preview.setPlainText(asked.prompt)
        else:
            row = self._rules.get(rule_name(asked.item.rule.rule) if asked.item.rule else "", {})
            self.preview.setPlainText("\n\n".join(str(row[key]) for key in ("title", "exact_rule") if row.get(key)))

    def set_versions(self, states: Sequence[Item]) -> None:
        """Show all versions, newest first."""
        shown = {each.version: each for each in states}
        lines = [
            f"{each.version}  ·  {each.author or 'unknown'}  ·  {each.at[:16].replace('T', ' ')}\n{each.text}"
            for each in sorted(shown.values(), key=lambda each: -each.version)
        ]
        self.versions.setPlainText("\n\n".join(lines))
        self.below.setTabText(1, f"Versions {len(shown)}" if shown else "Versions")

    def set_read_only(self, is_read_only: bool) -> None:
        """Let nothing be changed."""
        self.parameters.set_read_only(is_read_only)
        for area in (self.text, self.note, self.no_when, self.tags):
            area.setReadOnly(is_read_only)
        for control in (self.dimension, self.kind, self.rule, self.weight, self.evidence):
            control.setEnabled(not is_read_only)

    @Slot()
    def _on_edited(self, *_: object) -> None:
        if not self._is_filling:
            self._show_kind()
            self.edited.emit()

    @Slot()
    def _on_rule_chosen(self, *_: object) -> None:
        self._show_parameters({})
        self._on_edited()

    def _show_parameters(self, given: Mapping[str, Any]) -> None:
        row = self._rules.get(self.rule.currentData() or "", {})
        self.parameters.show_rule(row.get("parameters", ()), given)

    def _show_kind(self) -> None:
        is_code = self.kind.currentData() == ItemKind.CODE
        for widget in (self.rule, self.rule_label, self.parameters, self.parameters_label):
            widget.setVisible(is_code)


def _area(name: str, height: int, hint: str) -> QPlainTextEdit:
    area = QPlainTextEdit()
    area.setAccessibleName(name)
    area.setPlaceholderText(hint)
    area.setTabChangesFocus(True)
    area.setFixedHeight(height)
    return area
