"""The audit over all banks: letters, lengths, places of the evidence, coverage; and the difficulty of instances."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget

from studio.actions.figures import figure, percent
from studio.gui.quiz.reading import AuditView
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.states import EmptyState, LoadingState
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.quiz.audit import BankCoverage
from studio.quiz.richness import ANCHORS, FORMULA, Richness


@dataclass(frozen=True, kw_only=True)
class InstanceRow:
    """One instance: how rich its sources are, and how far its questions reach."""

    name: str
    coverage: BankCoverage | None
    richness: Richness | None
    reason: str


class AuditTab(QWidget):
    """Figures above, one line for each instance below."""

    def __init__(self) -> None:
        super().__init__()
        self.facts = QLabel()
        self.facts.setTextFormat(Qt.TextFormat.PlainText)
        self.facts.setWordWrap(True)
        self.facts.setContentsMargins(12, 12, 12, 12)
        self.facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.rows: RowModel[InstanceRow] = RowModel(
            [
                Column(title="Instance", value=lambda row: row.name),
                Column(title="Questions", value=lambda row: row.coverage.questions if row.coverage else None,
                       is_number=True, width=86, reason=lambda row: "no bank"),
                Column(title="Pages asked", value=lambda row: row.coverage.share if row.coverage else None,
                       text=lambda row: f"{row.coverage.pages_asked} of {row.coverage.pages}", is_number=True,
                       width=100,
                       reason=lambda row: row.reason or "no bank"),
                Column(title="First · middle · last third", value=lambda row: _thirds(row), width=190,
                       reason=lambda row: row.reason or "no bank"),
                Column(title="Characters", value=lambda row: row.richness.sizes.letters if row.richness else None,
                       text=lambda row: f"{row.richness.sizes.letters:,}", is_number=True, width=92,
                       reason=lambda row: row.reason),
                Column(title="Pages", value=lambda row: row.richness.sizes.pages if row.richness else None,
                       is_number=True, width=66, reason=lambda row: row.reason),
                Column(title="Images", value=lambda row: row.richness.sizes.images if row.richness else None,
                       is_number=True, width=70, reason=lambda row: row.reason),
                Column(title="Richness", value=lambda row: row.richness.score if row.richness else None,
                       text=lambda row: figure(row.richness.score), is_number=True, width=80,
                       reason=lambda row: row.reason),
                Column(title="Difficulty", value=_level, width=90,
                       reason=lambda row: row.richness.undefined_reason if row.richness else row.reason),
            ],
            key=lambda row: row.name,
        )  # fmt: skip
        self.rows.setParent(self)
        self.table = DataTable()
        self.table.set_model(self.rows)
        self.table.setAccessibleName("Instances")
        self.rule = toned_label(f"Richness: {FORMULA}. Anchors {ANCHORS}.", "muted")
        self.rule.setWordWrap(True)
        self.loading = LoadingState()
        self.empty = EmptyState("No instances yet", "Import decks or a benchmark first.", icon_name="library")
        self.panel = Panel("Audit of all banks", " ")
        body = QWidget()
        inner = QVBoxLayout(body)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(self.facts)
        inner.addWidget(self.table, 1)
        self.panel.set_body(body)
        self.panel.add_foot().row.addWidget(self.rule, 1)
        self.states = QStackedWidget()
        for widget in (self.loading, self.panel, self.empty):
            self.states.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 0)
        column.addWidget(self.states)

    def set_view(self, view: AuditView) -> None:
        """Show an audit."""
        audit = view.audit
        by_name = {view.names.get(each.bank_id, ""): each for each in audit.coverage}
        self.rows.set_rows(
            [
                InstanceRow(
                    name=item.title or item.name, coverage=by_name.get(item.title or item.name),
                    richness=view.richness.get(item.id), reason=view.unknown.get(item.id, ""),
                )
                for item in view.instances
            ]
        )  # fmt: skip
        letters = ", ".join(f"{letter} {n}" for letter, n in audit.letters.items())
        p = "" if audit.letters_p is None else f" (p = {figure(audit.letters_p)} if each were as likely)"
        first, middle, last = audit.thirds
        self.facts.setText(
            f"Keys: {letters}{p}.\n"
            f"The right option is the only longest in {percent(audit.key_longest)} %, the only shortest in "
            f"{percent(audit.key_shortest)} % of the questions; its length is {figure(audit.length_ratio)} times the "
            f"others' (median).\nOf questions with four numbers the right one is neither the largest nor the smallest "
            f"in {percent(audit.middle_value)} % (chance 50).\nEvidence stands in the first third of the sources for "
            f"{first}, in the middle for {middle}, in the last for {last} questions."
        )
        self.panel.head.set_facts(f"{audit.questions:,} questions asked")
        self.states.setCurrentWidget(self.panel if view.instances else self.empty)


def _thirds(row: InstanceRow) -> str | None:
    return " · ".join(map(str, row.coverage.thirds)) if row.coverage is not None else None


def _level(row: InstanceRow) -> str | None:
    return row.richness.level.value if row.richness is not None and row.richness.level is not None else None
