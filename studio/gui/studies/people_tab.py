"""Who answers: group, role, qualification, training, and whether they still take part."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from studio.actions.quality import set_profile
from studio.actions.study_desk import StudiesDesk
from studio.errors import BadInput
from studio.gui.context import AppContext
from studio.gui.dialogs.record_form import RecordField, RecordForm
from studio.gui.studies.table_panel import TablePanel
from studio.gui.widgets.table import Column
from studio.model.answers import Role

GROUPS = ("expert", "design student", "end user")
Row = dict[str, Any]

COLUMNS: tuple[Column[Row], ...] = (
    Column(title="name", value=lambda row: row["name"], is_strong=True,
           tone=lambda row: "" if row["is_active"] else "text_muted"),
    Column(title="group", value=lambda row: row["group"] or None, reason=lambda _: "no group was given", width=150),
    Column(title="role", value=lambda row: row["role"], width=100),
    Column(title="qualification", value=lambda row: row["qualification"] or None,
           reason=lambda _: "none was given"),
    Column(title="training", value=lambda row: len(row["trainings"]) if row["n_trainings"] else None,
           text=lambda row: f"{len(row['trainings'])} of {row['n_trainings']} passed",
           tip=lambda row: ", ".join(row["trainings"]) or "none passed yet",
           reason=lambda _: "no study has a training", width=120),
    Column(title="state", value=lambda row: "takes part" if row["is_active"] else "dropped out", width=110),
)  # fmt: skip


class ProfileForm(RecordForm):
    """One person's profile; a name that is there cannot be changed, since answers carry it."""

    def __init__(self, row: Row | None, take: Callable[[dict[str, str]], None], parent: QWidget | None = None) -> None:
        self._take, self._row = take, row
        fields = [
            RecordField(name="group", words="Group", value=row["group"] if row else "", choices=GROUPS,
                        help="Such as expert, design student, end user."),
            RecordField(name="role", words="Role", value=row["role"] if row else Role.ANNOTATOR.value,
                        choices=tuple(role.value for role in Role),
                        help="An annotator's window shows no systems, verdicts or other people's answers."),
            RecordField(name="qualification", words="Qualification", value=row["qualification"] if row else ""),
        ]  # fmt: skip
        if row is None:
            fields.insert(0, RecordField(name="name", words="Name"))
        super().__init__(f"Profile of {row['name']}" if row else "New person", fields, parent=parent)

    def check(self, values: dict[str, str]) -> None:  # @override
        if self._row is None and not values["name"]:
            raise BadInput("A profile needs a name.", next_step="Type one.")
        if values["role"] not in {role.value for role in Role}:
            raise BadInput(f"There is no role {values['role']}.", next_step=f"Use: {', '.join(Role)}.")

    def take(self, values: dict[str, str]) -> None:  # @override
        self._take(values)


class PeopleTab(QWidget):
    """The people of the project."""

    def __init__(self, context: AppContext, do: Callable[..., None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self._do = context, do
        self.panel = TablePanel(
            "People", COLUMNS, key=lambda row: row["annotator_id"],
            nothing="Nobody is known yet. People appear when they answer, or when they are added here.",
        )  # fmt: skip
        self.drop = self.panel.add_button("Dropped out", self.toggle_active, needs_row=True)
        self.drop.setToolTip("Planning again gives open work of those who dropped out to others")
        self.panel.add_button("Edit…", self.edit, needs_row=True)
        self.panel.add_button("New person…", self.add, is_primary=True)
        self.panel.row_opened.connect(self.edit)
        self.panel.set_can_change(not context.project.is_read_only)
        self.panel.table.selectionModel().selectionChanged.connect(self._on_selected)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.addWidget(self.panel)

    def show_desk(self, desk: StudiesDesk) -> None:
        """Show the people as they are in the project."""
        self.panel.show_rows(desk.people, str(len(desk.people)))

    def add(self) -> None:
        """Ask for a new person's profile."""
        ProfileForm(None, lambda values: self._store(values["name"], values), self).open()

    def edit(self, row: Row | None = None) -> None:
        """Edit the selected person's profile."""
        found = row or self.panel.selected()
        if found is not None:
            ProfileForm(found, partial(self._store, found["annotator_id"]), self).open()

    def toggle_active(self) -> None:
        """Note that the selected person dropped out, or takes part again."""
        row = self.panel.selected()
        if row is not None:
            self._do(
                partial(set_profile, self._context.project, row["annotator_id"], is_active=not row["is_active"])
            )  # fmt: skip

    def _store(self, name: str, values: dict[str, str]) -> None:
        store = partial(
            set_profile, self._context.project, name, group=values["group"], role=Role(values["role"]),
            qualification=values["qualification"],
        )  # fmt: skip
        self._do(store)

    def _on_selected(self, *_: object) -> None:
        row = self.panel.selected()
        self.drop.setText("Takes part again" if row is not None and not row["is_active"] else "Dropped out")
