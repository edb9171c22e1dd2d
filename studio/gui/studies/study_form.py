"""The rules of one study as a form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QRegularExpression, Qt, Signal, Slot
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from studio.actions.study_desk import StudiesDesk, strata_counts
from studio.gui.widgets.check_list import CheckList
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.number_box import WholeBox
from studio.gui.widgets.panel import toned_label
from studio.model.studies import AnswerUnit, RankingRule, Study, StudyKind
from studio.sessions.sampling import STRATA

_KINDS = {
    StudyKind.RANK: "Rank all decks of an instance",
    StudyKind.PAIRWISE: "Compare two decks",
    StudyKind.BEST_WORST: "Best and worst of four decks",
    StudyKind.CHECKLIST: "Answer a checklist",
    StudyKind.RATE: "Rate on scales",
}
_RULES = {
    RankingRule.FULL: "All decks need a rank",
    RankingRule.TOP_K: "The best few need a rank",
    RankingRule.ANY: "Any number of ranks will do",
}
_UNITS = {AnswerUnit.DECK: "Whole decks", AnswerUnit.SLIDE: "Single slides"}


class StudyForm(QWidget):
    """Shows a study's rules; `changed` is sent with every change a person makes."""

    changed = Signal()
    sample_asked = Signal(int, list, int)
    """How many instances, stratified by what, and how many systems (0: those that are chosen)."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._study: Study | None = None
        self._is_filling = False
        self._desk: StudiesDesk | None = None
        self.name = QLineEdit()
        self.kind, self.unit, self.rule = _combo(_KINDS), _combo(_UNITS), _combo(_RULES)
        self.top_k = _spin(1, 11, 3)
        self.ties = QCheckBox("Ties are allowed")
        self.gaps = QCheckBox("Large gaps (≫) may be marked")
        self.scales, self.guidelines = QComboBox(), QComboBox()
        for box in (self.kind, self.unit, self.rule, self.scales, self.guidelines):
            box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            box.setMinimumContentsLength(12)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.all_slides = QCheckBox("All slides must have been seen first")
        self.overlap = _spin(0, 1000, 0)
        self.overlap.setSpecialValueText("all on all")
        self.overlap.setSuffix(" people each")
        self.overlap.setAccessibleName("Overlap")
        self.every_one = KeyCapButton("All on all", is_compact=True)
        self.every_one.setToolTip("Everybody answers everything")
        self.every_one.clicked.connect(lambda: self.overlap.setValue(0))
        # A line, since seeds are larger than what a spin box holds.
        self.seed = QLineEdit()
        self.seed.setValidator(QRegularExpressionValidator(QRegularExpression(r"\d{1,19}"), self))
        self.instances = CheckList("All instances, also later ones", "Instances")
        self.systems = CheckList("All systems", "Systems")
        self.people = CheckList("All annotators", "Annotators")
        self.sample = self._sample_row()
        self._form = QFormLayout(self)
        self._form.setContentsMargins(12, 12, 12, 12)
        self._form.setHorizontalSpacing(16)
        self._form.setVerticalSpacing(8)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        overlap = QHBoxLayout()
        overlap.addWidget(self.overlap, 1)
        overlap.addWidget(self.every_one)
        rows: tuple[tuple[str, Any], ...] = (
            ("Name", self.name), ("Asks to", self.kind), ("About", self.unit), ("Complete", self.rule),
            ("Best", self.top_k), ("", self.ties), ("", self.gaps), ("Scales", self.scales), ("Overlap", overlap),
            ("Instances", self.instances), ("Sample", self.sample), ("Systems", self.systems),
            ("Annotators", self.people), ("Guidelines", self.guidelines), ("", self.all_slides),
            ("Seed", self.seed),
        )  # fmt: skip
        for words, field in rows:
            label = QLabel(words)
            label.setMinimumWidth(84)
            label.setAlignment(Qt.AlignmentFlag.AlignTop)
            if isinstance(field, QWidget):
                label.setBuddy(field)
                if words:
                    field.setAccessibleName(words)
            self._form.addRow(label, field)
        self._connect()

    def _sample_row(self) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout()
        row.setSpacing(8)
        self.sample_size, self.sample_systems = _spin(1, 1_000_000, 24), _spin(0, 100, 0)
        self.sample_size.setSuffix(" instances")
        self.sample_size.setAccessibleName("Instances to draw")
        self.sample_systems.setSpecialValueText("as chosen")
        self.sample_systems.setSuffix(" systems")
        self.sample_systems.setAccessibleName("Systems to draw")
        draw = KeyCapButton("Draw")
        draw.setToolTip("The same seed draws the same sample")
        draw.clicked.connect(self._on_draw_clicked)
        row.addWidget(self.sample_size, 1)
        row.addWidget(self.sample_systems, 1)
        row.addWidget(draw)
        strata = QGridLayout()
        strata.setHorizontalSpacing(12)
        strata.setVerticalSpacing(2)
        self.strata = {name: QCheckBox(f"by {name}") for name in STRATA}
        for place, box in enumerate(self.strata.values()):
            box.toggled.connect(self._show_strata)
            strata.addWidget(box, place // 2, place % 2)
        self.strata_words = toned_label("", "caption")
        self.strata_words.setWordWrap(True)
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(row)
        column.addLayout(strata)
        column.addWidget(self.strata_words)
        self.strata_words.hide()
        return holder

    def _connect(self) -> None:
        for line in (self.name, self.seed):
            line.textEdited.connect(self._on_changed)
        for box in (self.kind, self.unit, self.rule, self.scales, self.guidelines):
            box.activated.connect(self._on_changed)
        for spin in (self.top_k, self.overlap):
            spin.valueChanged.connect(self._on_changed)
        for check in (self.ties, self.gaps, self.all_slides):
            check.toggled.connect(self._on_changed)
        for chosen in (self.instances, self.systems, self.people):
            chosen.changed.connect(self._on_changed)

    # in and out

    def show_study(self, study: Study, desk: StudiesDesk, *, is_begun: bool, can_change: bool) -> None:
        """Show the rules of a study; what it asks is fixed once it was planned or answered."""
        self._is_filling = True
        self._study, self._desk = study, desk
        self.name.setText(study.name)
        for box, value in ((self.kind, study.kind), (self.unit, study.unit), (self.rule, study.rule)):
            box.setCurrentIndex(box.findData(value))
        self.top_k.setValue(study.top_k)
        self.ties.setChecked(study.ties_allowed)
        self.gaps.setChecked(study.graded_gaps)
        self.all_slides.setChecked(study.needs_all_slides_seen)
        self.overlap.setValue(study.overlap or 0)
        self.seed.setText(str(study.order_seed))
        _fill(self.scales, [(each.name, each.title) for each in desk.scale_sets], study.scale_set)
        versions = [("", "None"), *((each.version, each.version) for each in reversed(desk.guidelines))]
        _fill(self.guidelines, versions, study.guidelines_version)
        self.instances.set_items([(item.id, item.title or item.name) for item in desk.instances])
        self.instances.choose(study.instance_ids)
        self.systems.set_items([(name, name) for name in desk.systems])
        self.systems.choose(study.systems)
        self.people.set_items([(person["annotator_id"], _person_words(person)) for person in desk.people])
        self.people.choose(study.annotator_ids)
        self.sample_size.setMaximum(max(1, len(desk.instances)))
        self.sample_systems.setMaximum(max(0, len(desk.systems)))
        for box in (self.kind, self.unit, self.scales):
            box.setEnabled(can_change and not is_begun)
            box.setToolTip("Planned or answered already: what is asked stays" if is_begun else "")
        self.setEnabled(can_change)
        self._is_filling = False
        self._show_fitting()
        self._show_strata()

    def study(self) -> Study | None:
        """Return the study with the rules as they are in the form."""
        if self._study is None:
            return None
        kind = StudyKind(self.kind.currentData())
        hidden = set(self._study.instance_ids or ()) - {
            item.id for item in (self._desk.instances if self._desk else ())
        }
        instances = self.instances.chosen()
        systems = self.systems.chosen()
        kept = [name for name in self._study.systems or () if self._desk and name not in self._desk.systems]
        return replace(
            self._study,
            name=self.name.text().strip(),
            kind=kind,
            unit=AnswerUnit(self.unit.currentData()),
            rule=RankingRule(self.rule.currentData()),
            top_k=self.top_k.value(),
            ties_allowed=self.ties.isChecked(),
            graded_gaps=self.gaps.isChecked(),
            scale_set=self.scales.currentData() or "" if kind is StudyKind.RATE else "",
            overlap=self.overlap.value() or None,
            # Attention items are not in the lists, and stay in the study.
            instance_ids=None if instances is None else (*instances, *sorted(hidden)),
            systems=None if systems is None else (*systems, *kept),
            annotator_ids=self.people.chosen(),
            guidelines_version=self.guidelines.currentData() or "",
            needs_all_slides_seen=self.all_slides.isChecked(),
            order_seed=int(self.seed.text() or 0),
        )

    def show_sample(self, sampled: Study) -> None:
        """Choose the instances and systems that were drawn."""
        self.instances.choose(sampled.instance_ids)
        self.systems.choose(sampled.systems)
        self.changed.emit()

    # what belongs together

    @Slot()
    def _on_changed(self, *_: object) -> None:
        if not self._is_filling:
            self._show_fitting()
            self.changed.emit()

    def _show_fitting(self) -> None:
        kind = StudyKind(self.kind.currentData())
        is_ranking, is_paired = kind is StudyKind.RANK, kind is StudyKind.PAIRWISE
        for field, is_shown in (
            (self.unit, kind in {StudyKind.PAIRWISE, StudyKind.BEST_WORST, StudyKind.RATE}),
            (self.rule, is_ranking), (self.top_k, is_ranking and self.rule.currentData() == RankingRule.TOP_K),
            (self.ties, is_ranking or is_paired), (self.gaps, is_ranking), (self.scales, kind is StudyKind.RATE),
        ):  # fmt: skip
            self._form.setRowVisible(field, is_shown)

    @Slot()
    def _on_draw_clicked(self) -> None:
        by = [name for name, box in self.strata.items() if box.isChecked()]
        self.sample_asked.emit(self.sample_size.value(), by, self.sample_systems.value())

    @Slot()
    def _show_strata(self, *_: object) -> None:
        by = [name for name, box in self.strata.items() if box.isChecked()]
        words = ""
        if by and self._desk is not None:
            counts = strata_counts(self._desk.instances, by)
            words = f"{len(counts)} strata: " + ", ".join(f"{name} {n}" for name, n in sorted(counts.items())[:8])
            words += " …" if len(counts) > 8 else ""
        self.strata_words.setText(words)
        self.strata_words.setVisible(bool(words))


def _person_words(person: dict[str, Any]) -> str:
    facts = [person["group"], person["qualification"], "" if person["is_active"] else "dropped out"]
    known = ", ".join(fact for fact in facts if fact)
    return f"{person['name']} ({known})" if known else str(person["name"])


def _combo(words: dict[Any, str]) -> QComboBox:
    box = QComboBox()
    for value, text in words.items():
        box.addItem(text, value)
    return box


def _fill(box: QComboBox, items: Sequence[tuple[str, str]], chosen: str) -> None:
    box.clear()
    for value, words in items:
        box.addItem(words, value)
    box.setCurrentIndex(max(0, box.findData(chosen)))


def _spin(low: int, high: int, value: int) -> WholeBox:
    spin = WholeBox(low, high, value)
    spin.setMinimumWidth(60)
    return spin
