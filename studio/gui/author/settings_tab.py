"""What a list says beside its items and, for an instance, where it comes from and whether it is in the benchmark."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from studio.actions import checklists as author
from studio.actions.checklist_answers import needs_evidence, set_needs_evidence
from studio.actions.unsaved_words import keep_unsaved_words, unsaved_words
from studio.gui.author.reading import ListView
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.writes import Writes
from studio.model.authoring import EVERYWHERE, Curation, ListSettings, Scope
from studio.model.changes import Changes
from studio.model.checklists import Dimension

SAVE_AFTER_MS = 2000
_RANGE = re.compile(r"^\s*(\d{1,4})\s*(?:[-–—]|to)\s*(\d{1,4})\s*$")
_SAY_WHY = "Not saved: say why it is rejected."
DECISIONS = (("Not decided", None), ("Accepted", True), ("Rejected", False))


class _Stored(NamedTuple):
    """What the project has for one list."""

    settings: ListSettings
    curation: Curation | None
    kept: dict[str, str]
    asks_evidence: bool


class SettingsTab(QWidget):
    """Stored when the typing rests, when another list is chosen and when the page goes away.

    Words that cannot be stored, such as half a range, are kept with the project and stand there again when their list
    is chosen the next time; what was typed beside them is stored.
    """

    def __init__(self, context: AppContext, writes: Writes, *, name: Callable[[], str], can_write: bool) -> None:
        super().__init__()
        self._context, self._writes, self._name, self._can_write = context, writes, name, can_write
        self._scope: Scope | None = None
        self._settings = ListSettings()
        self._curation: Curation | None = None
        self._ticket: Ticket | None = None
        self._read_number = 0
        self._is_filling = False
        self._dirty: set[str] = set()
        self._kept: dict[str, str] = {}
        """Words of this list that are kept because they cannot be stored."""
        self._rest = QTimer(self, singleShot=True, interval=SAVE_AFTER_MS)
        self._rest.timeout.connect(self.save)
        self._build()

    def _build(self) -> None:
        self.slides = _line("Slides", "as the list behind says, or its slide-count item")
        self.prefixes = {
            "independent_prefix": _area("Prefix, no source", "What judges read before items that need no source"),
            "dependent_prefix": _area("Prefix, with sources", "What judges read before items that need a source"),
        }
        self.weights = {each: _line(f"Points of {each.value}", "–") for each in Dimension}
        self.total = _line("Total of the points", "their sum")
        self.declared = {each: QCheckBox(each.value.capitalize()) for each in Dimension}
        self.problem = _problem()
        form = _form()
        form.addRow(toned_label("Slides", "muted"), self.slides)
        form.addRow(toned_label("Prefix, no source", "muted"), self.prefixes["independent_prefix"])
        form.addRow(toned_label("Prefix, with sources", "muted"), self.prefixes["dependent_prefix"])
        points = QGridLayout()
        points.setHorizontalSpacing(12)
        points.setVerticalSpacing(6)
        points.setColumnStretch(4, 1)
        lines = [(each.value.capitalize(), line) for each, line in self.weights.items()] + [("Total", self.total)]
        for place, (words, line) in enumerate(lines):
            line.setFixedWidth(96)
            points.addWidget(QLabel(words), place // 2, place % 2 * 2)
            points.addWidget(line, place // 2, place % 2 * 2 + 1)
        form.addRow(toned_label("Points", "muted"), points)
        ticks = QGridLayout()
        ticks.setHorizontalSpacing(24)
        ticks.setVerticalSpacing(8)
        ticks.setColumnStretch(3, 1)
        for place, tick in enumerate(self.declared.values()):
            ticks.addWidget(tick, place // 3, place % 3)
        form.addRow(toned_label("Own list of", "muted"), ticks)
        form.addRow("", _hint("A ticked dimension without items here is switched off, and its points stay."))
        self.evidence = QCheckBox("Every “no” must name a slide, a box or a source page")
        self.evidence.setToolTip("For all lists; single items can ask for a place by themselves.")
        self.evidence_words = toned_label("Answers", "muted")
        form.addRow(self.evidence_words, self.evidence)
        form.addRow("", self.problem)
        self.list_panel = Panel("List", " ")
        self.list_panel.set_body(_scrolled(form))

        self.address = _line("Address", "https://…")
        self.licence = _line("Licence", "CC BY 4.0")
        self.difficulty = _line("Difficulty", "easy, medium, hard")
        self.decision = QComboBox()
        self.decision.setAccessibleName("Decision")
        for words, value in DECISIONS:
            self.decision.addItem(words, value)
        self.why = _area("Why", "Why it was accepted or rejected")
        self.curation_problem = _problem()
        curation = _form()
        for words, field in (
            ("Address", self.address), ("Licence", self.licence), ("Difficulty", self.difficulty),
            ("Decision", self.decision), ("Why", self.why),
        ):  # fmt: skip
            curation.addRow(toned_label(words, "muted"), field)
        curation.addRow("", self.curation_problem)
        self.curation_panel = Panel("Curation", "where the instance comes from, and whether it is in the benchmark")
        self.curation_panel.set_body(_scrolled(curation))
        split = QSplitter()
        split.setChildrenCollapsible(False)
        split.addWidget(self.list_panel)
        split.addWidget(self.curation_panel)
        split.setSizes([600, 600])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 0)
        column.addWidget(split)
        self._listen()

    def _listen(self) -> None:
        for line in (self.slides, self.total, *self.weights.values()):
            line.textEdited.connect(self._on_list_edited)
            line.setReadOnly(not self._can_write)
        for area in self.prefixes.values():
            area.textChanged.connect(self._on_list_edited)
            area.setReadOnly(not self._can_write)
        for tick in self.declared.values():
            tick.toggled.connect(self._on_list_edited)
            tick.setEnabled(self._can_write)
        self.evidence.clicked.connect(self._on_evidence_asked)
        self.evidence.setEnabled(self._can_write)
        for line in (self.address, self.licence, self.difficulty):
            line.textEdited.connect(self._on_curation_edited)
            line.setReadOnly(not self._can_write)
        self.decision.activated.connect(self._on_curation_edited)
        self.decision.setEnabled(self._can_write)
        self.why.textChanged.connect(self._on_curation_edited)
        self.why.setReadOnly(not self._can_write)

    # the page's side

    def set_view(self, view: ListView) -> None:
        """Show what a list says; what is being typed stays."""
        if self._scope != view.scope:
            self.save()
            if self._dirty:
                self._context.toast(f"{self.problem.text() or self.curation_problem.text()} The words are kept.")
            self._dirty.clear()
            self._kept = {}
            # Until the other list is read the fields show this one's, and nobody may type into them.
            self._set_enabled(False)
        self._scope = view.scope
        self.curation_panel.setVisible(view.scope.instance_id is not None)
        for part in (self.evidence, self.evidence_words):
            part.setVisible(view.scope == EVERYWHERE)
        if self._ticket is not None:
            self._ticket.drop()
        project, scope = self._context.project, view.scope

        def read() -> _Stored:
            curation = None
            if scope.instance_id is not None:
                curation = author.curations(project).get(scope.instance_id) or Curation(instance_id=scope.instance_id)
            return _Stored(
                author.settings_of(project, scope), curation, unsaved_words(project, scope), needs_evidence(project)
            )

        inherited = view.checklist
        limits = inherited.slide_limits
        self.slides.setPlaceholderText(f"{limits[0]}–{limits[1]} by now" if limits else "any number")
        self._read_number += 1
        number = self._read_number

        def done(found: _Stored | None) -> None:
            if found is not None and number == self._read_number:
                self._on_read(found)

        if self._writes.is_busy:
            # What is being stored of this list is read after it is there.
            self._writes.add(read, done, self._context.report)
        else:
            self._ticket = self._context.background.query(read, done, self._context.report, owner=self)

    def stop(self) -> None:
        """Store what is typed and wait for nothing more."""
        self.save()
        self._rest.stop()
        if self._ticket is not None:
            self._ticket.drop()

    def _on_read(self, found: _Stored) -> None:
        settings, curation, kept, asks_evidence = found
        self._is_filling = True
        self.evidence.setChecked(asks_evidence)
        self._settings = settings
        said, wrong, _ = self._list_said()
        # What cannot be stored counts as what is stored, so it says nothing about what the fields show.
        if "list" not in self._dirty and (wrong or self.problem.text() or said != settings):
            self._fill_list(settings)
        if "curation" not in self._dirty and curation is not None and self.curation() != curation:
            self._fill_curation(curation)
        self._curation = curation
        if not self._dirty:
            self._put_back(kept)
        self._is_filling = False
        self._set_enabled(True)

    def _set_enabled(self, is_enabled: bool) -> None:
        self.list_panel.setEnabled(is_enabled)
        self.curation_panel.setEnabled(is_enabled)

    def _put_back(self, kept: dict[str, str]) -> None:
        """Show the words that wait for this list, with what is the matter with them."""
        lines = {"slides": self.slides, "total": self.total} | {each.value: self.weights[each] for each in Dimension}
        self._kept = dict(kept)
        for name, words in kept.items():
            if name == "decision":
                self._dirty.add("curation")
                self.decision.setCurrentIndex([value for _, value in DECISIONS].index(False))
            elif name in lines:
                self._dirty.add("list")
                lines[name].setText(words)
        if "list" in self._dirty:
            self.problem.setText(self._list_said()[2])
        if "curation" in self._dirty:
            self.curation_problem.setText(_SAY_WHY)

    def _fill_list(self, settings: ListSettings) -> None:
        self.slides.setText("–".join(map(str, settings.slide_limits)) if settings.slide_limits else "")
        for name, area in self.prefixes.items():
            area.setPlainText(getattr(settings, name) or "")
        for dimension, line in self.weights.items():
            known = settings.weights is not None and dimension in settings.weights
            line.setText(f"{settings.weights[dimension]:g}" if known else "")  # type: ignore[index]  # known
        self.total.setText(f"{settings.weights_total:g}" if settings.weights_total is not None else "")
        for dimension, tick in self.declared.items():
            tick.setChecked(dimension in settings.declared)
        self.problem.clear()

    def _fill_curation(self, curation: Curation) -> None:
        self.address.setText(curation.address)
        self.licence.setText(curation.licence)
        self.difficulty.setText(curation.difficulty)
        self.decision.setCurrentIndex([value for _, value in DECISIONS].index(curation.is_accepted))
        self.why.setPlainText(curation.why)
        self.curation_problem.clear()

    # what the form holds

    def settings(self) -> ListSettings:
        """Return the settings as the form has them, where it cannot be stored as the list has them."""
        return self._list_said()[0]

    def _list_said(self) -> tuple[ListSettings, dict[str, str], str]:
        """Return what can be stored, the words by field that cannot, and what is the matter with them."""
        before, wrong, problem = self._settings, dict[str, str](), ""
        weights: dict[Dimension, float] = {}
        for each, line in self.weights.items():
            value = _number(line.text())
            if value is not None and math.isnan(value):
                wrong[each.value], problem = line.text(), "Not saved: points are numbers from 0 up."
                value = (before.weights or {}).get(each)
            if value is not None:
                weights[each] = value
        total = _number(self.total.text())
        if total is not None and not total > 0:
            wrong["total"], total = self.total.text(), before.weights_total
            problem = "Not saved: the total of the points is a number above 0."
        words = self.slides.text().strip()
        found = _RANGE.match(words)
        slides = (int(found[1]), int(found[2])) if found else None
        if words and (slides is None or not 1 <= slides[0] <= slides[1]):
            wrong["slides"], slides = words, before.slide_limits
            problem = "Not saved: give the slides as a range, such as 8–12."
        prefixes = {name: area.toPlainText() or None for name, area in self.prefixes.items()}
        # An empty prefix that a file gave stays what it is until somebody types one.
        for name, text in prefixes.items():
            if text is None and getattr(before, name) == "":
                prefixes[name] = ""
        settings = ListSettings(
            slide_limits=slides, weights=weights or None, weights_total=total,
            declared=frozenset(each for each, tick in self.declared.items() if tick.isChecked()), **prefixes,
        )  # fmt: skip
        return settings, wrong, problem

    def curation(self) -> Curation | None:
        """Return the curation as the form has it; None without an instance."""
        if self._scope is None or self._scope.instance_id is None:
            return None
        return Curation(
            instance_id=self._scope.instance_id, address=self.address.text().strip(),
            licence=self.licence.text().strip(), difficulty=self.difficulty.text().strip(),
            is_accepted=self.decision.currentData(), why=self.why.toPlainText().strip(),
        )  # fmt: skip

    @Slot()
    def save(self) -> None:
        """Store what was changed, where it can be."""
        self._rest.stop()
        if self._scope is None or not self._can_write:
            return
        project, scope, who = self._context.project, self._scope, self._name()
        wrong: dict[str, str] = {}
        if "list" in self._dirty:
            settings, wrong, problem = self._list_said()
            self.problem.setText(problem)
            if not wrong:
                self._dirty.discard("list")
            if settings != self._settings:
                self._settings = settings
                self._write(lambda: author.set_settings(project, scope, settings, author=who))
        curation = self.curation() if "curation" in self._dirty else None
        if curation is not None:
            is_told = curation.is_accepted is not False or bool(curation.why)
            self.curation_problem.setText("" if is_told else _SAY_WHY)
            if is_told:
                self._dirty.discard("curation")
            else:
                wrong["decision"] = "rejected"
                known = self._curation
                # Whoever clears the reason of a rejection has not taken the rejection back.
                if known is not None and known.is_accepted is False:
                    curation = replace(curation, why=known.why)
                else:
                    curation = replace(curation, is_accepted=known.is_accepted if known is not None else None)
            if curation != self._curation:
                self._store_curation(curation, who)
        self._keep(wrong)

    def _store_curation(self, curation: Curation, who: str) -> None:
        project, self._curation = self._context.project, curation
        self._write(lambda: author.set_curation(project, curation, author=who))

    def _keep(self, words: dict[str, str]) -> None:
        if words == self._kept or self._scope is None:
            return
        self._kept = words
        project, scope = self._context.project, self._scope
        self._writes.add(lambda: keep_unsaved_words(project, scope, words), lambda _done: None, self._context.report)

    def _write(self, fn: Callable[[], Changes]) -> None:
        self._writes.add(fn, self._announce, self._context.report)

    def _announce(self, changes: Changes | None) -> None:
        if changes is not None:
            self._context.announce(changes)

    @Slot(bool)
    def _on_evidence_asked(self, is_needed: bool) -> None:
        project = self._context.project
        self._write(lambda: set_needs_evidence(project, is_needed))

    @Slot()
    def _on_list_edited(self, *_: object) -> None:
        self._edited("list")

    @Slot()
    def _on_curation_edited(self, *_: object) -> None:
        self._edited("curation")

    def _edited(self, what: str) -> None:
        if not self._is_filling:
            self._dirty.add(what)
            self._rest.start()


def _number(text: str) -> float | None:
    """Return a number from 0 up; NaN for words that are none, None for no words."""
    if not text.strip():
        return None
    try:
        value = float(text.strip().replace(",", "."))
    except ValueError:
        return math.nan
    return value if 0 <= value < math.inf else math.nan


def _form() -> QFormLayout:
    form = QFormLayout()
    form.setContentsMargins(12, 12, 12, 12)
    form.setHorizontalSpacing(12)
    form.setVerticalSpacing(8)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
    return form


def _scrolled(form: Any) -> QScrollArea:
    holder = QWidget()
    holder.setLayout(form)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setWidget(holder)
    return area


def _line(name: str, hint: str) -> QLineEdit:
    line = QLineEdit()
    line.setAccessibleName(name)
    line.setPlaceholderText(hint)
    return line


def _area(name: str, hint: str) -> QPlainTextEdit:
    area = QPlainTextEdit()
    area.setAccessibleName(name)
    area.setPlaceholderText(hint)
    area.setTabChangesFocus(True)
    area.setFixedHeight(96)
    return area


def _hint(words: str) -> QLabel:
    label = toned_label(words, "caption")
    label.setWordWrap(True)
    label.setMinimumWidth(360)
    return label


def _problem() -> QLabel:
    label = toned_label("", "warn")
    label.setWordWrap(True)
    label.setMinimumWidth(360)
    return label
