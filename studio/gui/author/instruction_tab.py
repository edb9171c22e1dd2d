"""An instance's instruction by its parts at the left, the items that it gives reason for at the right."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from studio.actions import checklists as author
from studio.actions.judge_draft import Draft, draft_by_judge
from studio.checklists.draft import Proposal
from studio.gui.author.draft_dialog import DraftDialog
from studio.gui.author.reading import ListView
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.icons import icon
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.states import EmptyState
from studio.gui.writes import Writes
from studio.model.authoring import InstructionPlan, InstructionSection, Scope
from studio.model.changes import Changes
from studio.model.checklists import Dimension, ItemKind
from studio.model.ids import InstanceId

WORK = "A judge's draft"
_RANGE = re.compile(r"^\s*(\d{1,4})\s*(?:[-–—]|to)\s*(\d{1,4})\s*$")


class InstructionTab(QWidget):
    """The parts are stored when the field is left; a proposal becomes an item when a person accepts it."""

    def __init__(self, context: AppContext, writes: Writes, *, name: Callable[[], str], can_write: bool) -> None:
        super().__init__()
        self._context, self._writes, self._name, self._can_write = context, writes, name, can_write
        self._scope: Scope | None = None
        self._plan: InstructionPlan | None = None
        self._proposals: list[Proposal] = []
        self._ticket: Ticket | None = None
        self._is_dirty = self._is_filling = False
        self._judge = ""
        self._drafted: dict[InstanceId, list[Proposal]] = {}
        """What judges proposed in this window; their replies are stored in the project."""
        self.slides = _line("Slides", "8–12")
        self.sections = _area("Sections", "Background\n- Why it matters\n- What was known\nResults")
        self.constraints = _area("Constraints", "One in each line, such as: At most six bullets on a slide")
        self.constraints.setMaximumHeight(110)
        self.audience = _line("Audience", "")
        self.tone = _line("Tone", "")
        self.language = _line("Language", "en")
        self.rewrites = QCheckBox("Write the instruction's text anew from these parts")
        self._build()

    def _build(self) -> None:
        form = QFormLayout()
        form.setContentsMargins(12, 12, 12, 12)
        form.setHorizontalSpacing(12)
        form.setVerticalSpacing(8)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        for words, field in (
            ("Slides", self.slides), ("Sections", self.sections), ("Constraints", self.constraints),
            ("Audience", self.audience), ("Tone", self.tone), ("Language", self.language),
        ):  # fmt: skip
            form.addRow(toned_label(words, "muted"), field)
            if isinstance(field, QLineEdit):
                field.textEdited.connect(self._on_edited)
                field.setReadOnly(not self._can_write)
            else:
                field.textChanged.connect(self._on_edited)
                field.setReadOnly(not self._can_write)
        form.addRow("", self.rewrites)
        self.rewrites.setEnabled(self._can_write)
        self.problem = toned_label("", "warn")
        self.problem.setWordWrap(True)
        form.addRow("", self.problem)
        holder = QWidget()
        holder.setLayout(form)
        self.form_panel = Panel("Instruction")
        self.form_panel.set_body(holder)
        self.store = KeyCapButton("Save and propose", is_compact=True)
        self.store.setEnabled(self._can_write)
        self.store.clicked.connect(self.save)
        self.form_panel.head.add_control(self.store)
        self.proposals = QListWidget()
        self.proposals.setWordWrap(True)
        self.proposals.setAccessibleName("Proposed items")
        self.proposals.itemActivated.connect(self._on_activated)
        self.none = EmptyState(
            "Nothing to propose", "Every part of the instruction has its item, or it has no parts yet.",
            icon_name="list-checks",
        )  # fmt: skip
        self.right = QStackedWidget()
        self.right.addWidget(self.proposals)
        self.right.addWidget(self.none)
        self.proposal_panel = Panel("Proposed items", "")
        self.proposal_panel.set_body(self.right)
        foot = self.proposal_panel.add_foot()
        self.accept = KeyCapButton("Accept", "Enter", icon=icon("check"), is_compact=True)
        self.accept.clicked.connect(self.accept_chosen)
        foot.row.addWidget(self.accept)
        foot.row.addWidget(toned_label("One at a time: a person reads each.", "muted"))
        foot.row.addStretch(1)
        self.ask_button = KeyCapButton("Ask a judge…", is_compact=True)
        self.ask_button.setToolTip(
            "Propose from the sources too: the price comes first, and asking the same again costs nothing"
        )
        self.ask_button.clicked.connect(self.ask_judge)
        self.ask_button.setEnabled(self._can_write)
        foot.row.addWidget(self.ask_button)
        self.accept.setEnabled(self._can_write)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(self.form_panel)
        split.addWidget(self.proposal_panel)
        split.setSizes([600, 600])
        self.choose = EmptyState(
            "Choose an instance", "An instruction belongs to one instance: choose it in the list at the top.",
            icon_name="file",
        )  # fmt: skip
        self.states = QStackedWidget()
        self.states.addWidget(split)
        self.states.addWidget(self.choose)
        self.body = split
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 0)
        column.addWidget(self.states)

    def set_scope(self, view: ListView) -> None:
        """Show the instruction of the instance whose list it is."""
        is_other = self._scope != view.scope
        self._scope = view.scope
        self.states.setCurrentWidget(self.body if view.scope.instance_id else self.choose)
        if is_other:
            self._is_dirty = False
        self._read()

    def _read(self) -> None:
        if self._ticket is not None:
            self._ticket.drop()
        instance = self._scope.instance_id if self._scope is not None else None
        if instance is None:
            return
        project, drafted = self._context.project, self._drafted.get(instance, [])

        def read() -> tuple[InstructionPlan, list[Proposal]]:
            known = {item.text for item in author.instance_checklist(project, instance).items}
            left = [each for each in drafted if each.text not in known]
            return author.instruction(project, instance), [*left, *author.proposals(project, instance)]

        self._ticket = self._context.background.query(read, self._on_read, self._context.report, owner=self)

    def stop(self) -> None:
        """Store what is typed and wait for nothing more."""
        self.save()
        if self._ticket is not None:
            self._ticket.drop()

    def _on_read(self, found: tuple[InstructionPlan, list[Proposal]]) -> None:
        plan, self._proposals = found
        if not self._is_dirty and plan != self._plan:
            self._fill(plan)
        row = self.proposals.currentRow()
        self.proposals.clear()
        for each in self._proposals:
            by = " · by code" if each.kind is ItemKind.CODE else ""
            line = QListWidgetItem(f"{each.text}\n{each.dimension.value.capitalize()}{by} · from {each.why}")
            self.proposals.addItem(line)
        self.proposals.setCurrentRow(min(max(row, 0), len(self._proposals) - 1))
        self.proposal_panel.head.set_facts(str(len(self._proposals)) if self._proposals else "")
        self.right.setCurrentWidget(self.proposals if self._proposals else self.none)
        self.accept.setEnabled(self._can_write and bool(self._proposals))

    def _fill(self, plan: InstructionPlan) -> None:
        self._is_filling, self._plan = True, plan
        self.slides.setText("–".join(map(str, plan.slide_limits)) if plan.slide_limits else "")
        self.sections.setPlainText(sections_text(plan.sections))
        self.constraints.setPlainText("\n".join(plan.constraints))
        self.audience.setText(plan.audience)
        self.tone.setText(plan.tone)
        self.language.setText(plan.language)
        self.problem.clear()
        self._is_filling = False

    def plan(self) -> InstructionPlan | None:
        """Return the instruction as the form has it; None while the slides are no range."""
        words = self.slides.text().strip()
        found = _RANGE.match(words)
        if words and (found is None or int(found[1]) > int(found[2])):
            return None
        return InstructionPlan(
            slide_limits=(int(found[1]), int(found[2])) if found else None,
            sections=sections_of(self.sections.toPlainText()),
            constraints=tuple(line.strip() for line in self.constraints.toPlainText().splitlines() if line.strip()),
            audience=self.audience.text().strip(), tone=self.tone.text().strip(), language=self.language.text().strip(),
        )  # fmt: skip

    @Slot()
    def save(self) -> None:
        """Store the parts, where they were changed."""
        if not self._is_dirty or self._scope is None or self._scope.instance_id is None or not self._can_write:
            return
        plan = self.plan()
        if plan is None:
            self.problem.setText("Not saved: give the slides as a range, such as 8–12.")
            return
        self.problem.clear()
        self._is_dirty, self._plan = False, plan
        project, instance, who, rewrites = (
            self._context.project, self._scope.instance_id, self._name(), self.rewrites.isChecked()
        )  # fmt: skip
        self._writes.add(
            lambda: author.set_instruction(project, instance, plan, author=who, rewrite=rewrites),
            self._announce, self._context.report,
        )  # fmt: skip

    @Slot()
    def accept_chosen(self) -> None:
        """Make an item of the chosen proposal."""
        row = self.proposals.currentRow()
        if not 0 <= row < len(self._proposals) or self._scope is None or not self._can_write:
            return
        project, scope, who, each = self._context.project, self._scope, self._name(), self._proposals[row]
        self.accept.setEnabled(False)

        def write() -> tuple[list[Dimension], Changes]:
            replaced = author.replaces(project, scope, [each.dimension])
            return replaced, author.accept(project, scope, [each], author=who)[1]

        self._writes.add(write, self._on_accepted, self._context.report)

    def _on_accepted(self, result: tuple[list[Dimension], Changes] | None) -> None:
        if result is None:
            return
        replaced, changes = result
        if replaced:
            self._context.toast(
                f"The common {replaced[0].value} list is not asked here any more: this list has its own."
            )
        self._announce(changes)

    @Slot()
    def ask_judge(self) -> None:
        """Ask which judge is to propose items."""
        if self._scope is None or self._scope.instance_id is None or not self._can_write:
            return
        dialog = DraftDialog(self._context, self._scope.instance_id, self._judge, self)
        dialog.textValueSelected.connect(self.propose_by)
        dialog.open()

    @Slot(str)
    def propose_by(self, judge: str) -> None:
        """Let a judge propose items from the instruction and the sources, in the background."""
        context, scope = self._context, self._scope
        if not judge.strip() or scope is None or scope.instance_id is None:
            return
        if context.background.busy:
            context.toast(f"{context.background.busy[0].name} goes on; one piece of work at a time.")
            return
        self._judge = judge.strip()
        self.save()
        self.ask_button.setEnabled(False)
        instance = scope.instance_id
        context.background.start(
            draft_by_judge, context.project, instance, self._judge, name=WORK,
            done=lambda found: self._on_drafted(instance, found), failed=self._on_draft_failed, owner=self,
        )  # fmt: skip

    def _on_drafted(self, instance: InstanceId, found: Draft) -> None:
        self.ask_button.setEnabled(self._can_write)
        self._drafted[instance] = list(found.proposals)
        cost = f", ${found.cost:.4f}" if found.calls else ", stored before"
        self._context.toast(f"{found.judge_id} proposed {len(found.proposals)} items{cost}.")
        if self._scope is not None and self._scope.instance_id == instance:
            self._read()

    def _on_draft_failed(self, error: BaseException) -> None:
        self.ask_button.setEnabled(self._can_write)
        self._context.report(error)

    def _announce(self, changes: Changes | None) -> None:
        if changes is not None:
            self._context.announce(changes)

    @Slot(object)
    def _on_activated(self, _line: Any) -> None:
        if self.accept.isEnabled():
            self.accept_chosen()

    @Slot()
    def _on_edited(self, *_: object) -> None:
        if not self._is_filling:
            self._is_dirty = True


def sections_of(text: str) -> tuple[InstructionSection, ...]:
    """Return sections from lines: a title, and below it its key points with a dash before each."""
    found: list[tuple[str, list[str]]] = []
    for line in (line.strip() for line in text.splitlines()):
        if line.startswith(("-", "*", "•")) and found:
            found[-1][1].append(line[1:].strip())
        elif line:
            found.append((line, []))
    return tuple(InstructionSection(title=title, key_points=tuple(filter(None, points))) for title, points in found)


def sections_text(sections: Sequence[InstructionSection]) -> str:
    """Return sections as the lines that `sections_of` reads."""
    return "\n".join("\n".join([each.title, *(f"- {point}" for point in each.key_points)]) for each in sections)


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
    return area
