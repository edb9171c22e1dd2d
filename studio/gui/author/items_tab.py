"""The items of one list at the left, the form of one item at the right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSplitter, QStackedWidget, QWidget

from studio.actions import checklists as author
from studio.actions.figures import counted
from studio.checklists.lint import LintFinding
from studio.gui.author.bulk_edit import BulkEdit
from studio.gui.author.item_editor import ItemEditor
from studio.gui.author.reading import ListView
from studio.gui.author.trial_window import TrialWindow
from studio.gui.author.words import title_and_question
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.icons import icon
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel
from studio.gui.widgets.states import EmptyState
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.gui.writes import Writes
from studio.model.authoring import Scope
from studio.model.checklists import Dimension, Item, ItemId, ItemKind

ROW_PX = 44
LOOK_AFTER_MS = 250
SAVE_AFTER_MS = 2000


@dataclass(frozen=True, kw_only=True)
class ItemRow:
    """One line of the list."""

    item: Item
    findings: tuple[LintFinding, ...]


class _Shown:
    """The item in the form; a draft has no id before it is stored first."""

    def __init__(self, item: Item, scope: Scope, *, is_draft: bool) -> None:
        self.item, self.scope = item, scope
        self.item_id: ItemId | None = None if is_draft else item.id


class ItemsTab(QWidget):
    """Everything about the items of one list; what is typed is stored when the typing rests."""

    template_asked = Signal()

    def __init__(self, context: AppContext, writes: Writes, *, name: Callable[[], str], can_write: bool) -> None:
        super().__init__()
        self._context, self._writes, self._name, self._can_write = context, writes, name, can_write
        self.view: ListView | None = None
        self._shown: _Shown | None = None
        self._is_dirty = False
        self._wanted: ItemId | None = None
        self._look_ticket: Ticket | None = None
        self._versions_ticket: Ticket | None = None
        self.trial: TrialWindow | None = None
        self._look = QTimer(self, singleShot=True, interval=LOOK_AFTER_MS)
        self._look.timeout.connect(self._look_at_words)
        self._save = QTimer(self, singleShot=True, interval=SAVE_AFTER_MS)
        self._save.timeout.connect(self.save)
        self._build()

    def _build(self) -> None:
        self.rows: RowModel[ItemRow] = RowModel(
            [
                Column(title="Dimension", value=lambda row: row.item.dimension.value.capitalize(), width=124,
                       tone=lambda row: "text_muted"),
                Column(title="Item", value=_words, second_line=_second_line,
                       tone=lambda row: "text_muted" if row.item.is_retired else "", tip=lambda row: row.item.text),
                Column(title="Weight", value=lambda row: row.item.weight, text=lambda row: f"{row.item.weight:g}",
                       is_number=True, width=72),
                Column(title="Hints", value=lambda row: len(row.findings) or None,
                       text=lambda row: f"! {len(row.findings)}", reason=lambda row: "no hints",
                       tone=lambda row: "warn",
                       tip=lambda row: "\n".join(each.message for each in row.findings), width=56),
            ],
            key=lambda row: row.item.id,
        )  # fmt: skip
        self.rows.setParent(self)
        self.table = DataTable(row_px=ROW_PX, is_sortable=False)
        self.table.set_model(self.rows)
        self.table.setAccessibleName("Items")
        self.table.row_selected.connect(self._on_selected)
        self.table.row_opened.connect(self._on_opened)
        self.empty = EmptyState(
            "No items here yet", "Begin with a template, or write the first item.", "Use a template…",
            icon_name="list-checks",
        )  # fmt: skip
        self.empty.button_clicked.connect(self.template_asked)
        self.empty.button.setVisible(self._can_write)
        self.left = QStackedWidget()
        self.left.addWidget(self.table)
        self.left.addWidget(self.empty)
        self.list_panel = Panel("Items")
        self.list_panel.set_body(self.left)
        self.filter = QLineEdit()
        self.filter.setAccessibleName("Filter items")
        self.filter.setPlaceholderText("Filter: words, tag, dimension")
        self.filter.setClearButtonEnabled(True)
        self.filter.setFixedWidth(210)
        self.filter.textChanged.connect(self._apply_filter)
        self.list_panel.head.add_control(self.filter)
        foot = self.list_panel.add_foot()
        self.back: dict[str, KeyCapButton] = {}
        shortcuts = self._context.shortcuts
        for words, icon_name, action in (
            ("New item", "plus", "author.add"), ("Edit…", "", "author.bulk"),
            ("Copy to…", "", "author.copy"), ("Retire", "", "author.retire"),
            ("", "rotate-ccw", "author.undo"), ("", "rotate-cw", "author.redo"),
        ):  # fmt: skip
            button = KeyCapButton(words, icon=icon(icon_name) if icon_name else None, is_compact=True)
            button.follow(shortcuts, action)
            button.setEnabled(self._can_write)
            if not words:
                button.setAccessibleName(action.partition(".")[2].capitalize())
                button.setToolTip(button.accessibleName())
                self.back[action] = button
            foot.row.addWidget(button)
            if action == "author.retire":
                foot.row.addStretch(1)
        self.editor = ItemEditor()
        self.editor.edited.connect(self._on_edited)
        self.editor.set_read_only(not self._can_write)
        self.nothing = EmptyState("No item chosen", "Choose one at the left.", icon_name="pencil")
        self.right = QStackedWidget()
        self.right.addWidget(self.editor)
        self.right.addWidget(self.nothing)
        self.right.setCurrentWidget(self.nothing)
        self.item_panel = Panel("Item")
        self.item_panel.set_body(self.right)
        self.try_button = KeyCapButton("Try…", is_compact=True)
        self.try_button.follow(shortcuts, "author.try")
        self.try_button.setToolTip("What you, annotators, code and judges say about a few decks")
        self.item_panel.head.add_control(self.try_button)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(self.list_panel)
        split.addWidget(self.item_panel)
        split.setStretchFactor(0, 1)
        split.setStretchFactor(1, 1)
        split.setSizes([600, 600])
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 12, 0, 0)
        row.addWidget(split)

    # the page's side

    def set_view(self, view: ListView) -> None:
        """Show a list; what is being typed stays."""
        is_other = self.view is None or self.view.scope != view.scope
        self.view = view
        self.rows.set_rows(
            [
                ItemRow(item=item, findings=tuple(each for each in view.findings if each.item_id == item.id))
                for item in view.items
            ]
        )
        self._apply_filter()
        code = sum(item.kind is ItemKind.CODE for item in view.items)
        facts = f"{len(view.items)}" + (f" · {code} by code" if code else "")
        of_list = [each.message for each in view.findings if each.item_id is None]
        self.list_panel.set_title("Items", " · ".join([facts, *of_list]))
        self.left.setCurrentWidget(self.table if view.items else self.empty)
        for action, words in (("author.undo", view.undo), ("author.redo", view.redo)):
            self._context.shortcuts.set_enabled(action, self._can_write and bool(words))
            self.back[action].setEnabled(self._can_write and bool(words))
            self.back[action].setToolTip(f"{self.back[action].accessibleName()}: {words}" if words else "")
        self._follow(is_other)

    @Slot()
    def _apply_filter(self, *_: object) -> None:
        wanted = self.filter.text().casefold().split()
        for number, row in enumerate(self.rows.rows()):
            item = row.item
            words = " ".join((item.text, item.note, item.dimension.value, item.kind.value, *item.tags)).casefold()
            self.table.setRowHidden(number, not all(each in words for each in wanted))

    def _follow(self, is_other: bool) -> None:
        assert self.view is not None
        wanted = self._wanted or (self._shown.item_id if self._shown and not is_other else None)
        self._wanted = None
        found = next((item for item in self.view.items if item.id == wanted), None)
        if found is None:
            if self._shown is not None and self._shown.item_id is None and not is_other:
                return
            found = self.view.items[0] if self.view.items else None
        if found is None:
            self._put(None)
            return
        number = [item.id for item in self.view.items].index(found.id)
        if self._shown is None or self._shown.item_id != found.id:
            self._put(_Shown(found, self.view.scope, is_draft=False))
        elif not self._is_dirty:
            is_changed = replace(self._shown.item, position=0, version=0, at="", author="") != replace(
                found, position=0, version=0, at="", author=""
            )
            self._shown.item = found
            if is_changed and self.editor.changes() != _fields(found):
                self.editor.show_item(found)
            self._look_at_words()
            self._read_versions()
            self._show_title()
        if self.table.currentIndex().row() != number:
            self.table.selectRow(number)

    def stop(self) -> None:
        """Store what is typed and stop the timers."""
        self.save()
        self.close_trial()
        for timer in (self._look, self._save):
            timer.stop()
        for ticket in (self._look_ticket, self._versions_ticket):
            if ticket is not None:
                ticket.drop()

    def chosen(self) -> list[Item]:
        """Return the chosen items from top to bottom; those that the filter hides are never among them."""
        return [
            self.rows.row(index).item
            for index in sorted(self.table.selectionModel().selectedRows(), key=lambda each: each.row())
            if not self.table.isRowHidden(index.row())
        ]

    # what a person can do

    @Slot()
    def add(self) -> None:
        """Begin an item of the dimension of the chosen one; it is stored with its first words."""
        if self.view is None or not self._can_write:
            return
        self.save()
        dimension = self._shown.item.dimension if self._shown else Dimension.FUNDAMENTALS
        draft = Item(
            id=ItemId(""), version=1, dimension=dimension, text="", domain=self.view.scope.domain,
            instance_id=self.view.scope.instance_id,
        )  # fmt: skip
        self.table.clearSelection()
        self._put(_Shown(draft, self.view.scope, is_draft=True))
        self.editor.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def move(self, step: int) -> None:
        """Move the chosen item up (−1) or down (1) within its dimension."""
        if self.view is None or self._shown is None or not self._can_write:
            return
        item_id = self._shown.item_id
        row = next((item for item in self.view.items if item.id == item_id), None)
        if row is None:
            return
        inside = [item.id for item in self.view.items if item.dimension is row.dimension]
        place = inside.index(row.id)
        if not 0 <= place + step < len(inside):
            return
        self.save()
        inside[place], inside[place + step] = inside[place + step], inside[place]
        self._do(lambda project, who: author.order_items(project, inside, author=who))

    @Slot()
    def move_up(self) -> None:
        """Move the chosen item up."""
        self.move(-1)

    @Slot()
    def move_down(self) -> None:
        """Move the chosen item down."""
        self.move(1)

    @Slot()
    def retire(self) -> None:
        """Retire the chosen items; bring them back where all are retired."""
        items = self.chosen()
        if not items or not self._can_write:
            return
        self.save()
        ids, is_retired = [item.id for item in items], not all(item.is_retired for item in items)
        self._do(lambda project, who: author.retire_items(project, ids, author=who, is_retired=is_retired))

    @Slot()
    def undo(self) -> None:
        """Take back the last act."""
        self.save()
        self._do(lambda project, who: author.undo(project, author=who), lambda act: f"Undone: {act.words}.")

    @Slot()
    def redo(self) -> None:
        """Bring back what was taken back."""
        self._do(lambda project, who: author.redo(project, author=who), lambda act: f"Done again: {act.words}.")

    def copy_to(self, scopes: list[Scope]) -> None:
        """Copy the chosen items into other lists."""
        ids = [item.id for item in self.chosen()]
        if ids and scopes:
            self.save()
            self._do(
                lambda project, who: author.duplicate_items(project, ids, scopes, author=who),
                lambda copies: (
                    f"{len(copies)} {'copy' if len(copies) == 1 else 'copies'} made"
                    + (f", {n - len(copies)} there already." if (n := len(ids) * len(scopes)) > len(copies) else ".")
                ),
            )

    @Slot()
    def ask_bulk_edit(self) -> None:
        """Ask what to change of the chosen items."""
        items = self.chosen()
        if items and self._can_write:
            self.save()
            dialog = BulkEdit(items, self)
            dialog.chosen.connect(partial(self.bulk_edit, [item.id for item in items]))
            dialog.open()

    def bulk_edit(self, ids: list[ItemId], fields: dict[str, Any], added: list[str], removed: list[str]) -> None:
        """Change fields and tags of items as one act."""
        self._do(
            lambda project, who: author.bulk_edit(
                project, ids, fields, author=who, add_tags=added, remove_tags=removed
            ),
            lambda items: f"{counted(len(items), 'item')} changed.",
        )  # fmt: skip

    @Slot()
    def try_item(self) -> None:
        """Open the window that tries the chosen item, stored first."""
        shown = self._shown
        if shown is None:
            return
        self.save()

        def opens(_none: object) -> None:
            if shown.item_id is None or self._shown is not shown:
                return
            self.close_trial()
            self.trial = TrialWindow(
                self._context, self._writes, shown.item_id, person=self._name(), can_write=self._can_write,
                parent=self.window(),
            )  # fmt: skip
            self.trial.destroyed.connect(self._on_trial_gone)
            self.trial.show()

        # After what is typed was written: a draft has no id before.
        self._writes.add(lambda: None, opens, self._context.report)

    def close_trial(self) -> None:
        """Close the window that tries an item, if it is open."""
        if self.trial is not None:
            self.trial.close()
            self.trial = None

    @Slot()
    def _on_trial_gone(self) -> None:
        self.trial = None

    @Slot()
    def save(self) -> None:
        """Store what is typed, if it can be."""
        self._save.stop()
        shown = self._shown
        if shown is None or not self._is_dirty or not self._can_write:
            return
        fields = self.editor.changes()
        if fields is None:
            self.editor.set_problem(self.editor.problem)
            return
        self._is_dirty = False

        def write(project: Any, who: str) -> Any:
            if shown.item_id is None:
                more = {key: value for key, value in fields.items() if key not in ("dimension", "text")}
                item, changes = author.add_item(
                    project, shown.scope, fields["dimension"], fields["text"], author=who, **more
                )  # fmt: skip
                shown.item_id = item.id
                return item, changes
            stored, changes = author.edit_items(project, [shown.item_id], fields, author=who)
            return stored[0], changes

        self._do(write)

    def _do(self, fn: Callable[[Any, str], Any], says: Callable[[Any], str] | None = None) -> None:
        """Write in order; `fn` returns what it did and its changes."""
        if not self._can_write:
            return
        project, who, context = self._context.project, self._name(), self._context

        def done(result: Any) -> None:
            if result is None:
                return
            what, changes = result
            if says is not None:
                context.toast(says(what))
            context.announce(changes)

        self._writes.add(lambda: fn(project, who), done, context.report)

    # showing one item

    def _put(self, shown: _Shown | None) -> None:
        if self._is_dirty:
            self.save()
        self._is_dirty = False
        self._shown = shown
        self.right.setCurrentWidget(self.nothing if shown is None else self.editor)
        if shown is None:
            self.item_panel.set_title("Item")
            return
        self.editor.show_item(shown.item)
        self._show_title()
        self._look_at_words()
        self._read_versions()

    def _show_title(self) -> None:
        assert self._shown is not None
        item = self._shown.item
        is_draft = self._shown.item_id is None
        facts = "not saved yet" if is_draft else f"version {item.version} · {item.author or 'unknown'}"
        self.item_panel.set_title("New item" if is_draft else "Item", facts + (" · retired" if item.is_retired else ""))

    @Slot(object)
    def _on_selected(self, row: ItemRow) -> None:
        if self.view is not None and (self._shown is None or self._shown.item_id != row.item.id):
            self._put(_Shown(row.item, self.view.scope, is_draft=False))

    @Slot(object)
    def _on_opened(self, _row: ItemRow) -> None:
        self.editor.text.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _on_edited(self) -> None:
        self._is_dirty = True
        self._look.start()
        self._save.start()

    @Slot()
    def _look_at_words(self) -> None:
        self._look.stop()
        if self._look_ticket is not None:
            self._look_ticket.drop()
        shown, view, fields = self._shown, self.view, self.editor.changes()
        if shown is None or view is None:
            return
        if fields is None:
            self.editor.set_problem(self.editor.problem if self._is_dirty else "")
            return
        item, checklist = replace(shown.item, **fields), view.checklist

        def look() -> Any:
            own = [each for each in view.items if not each.is_retired and each.id != item.id]
            others = {each.id: each for each in (*checklist.items, *own)}
            hints = author.lint_words(item, list(others.values()), instruction_range=view.instruction_range)
            return hints, author.as_asked(checklist, item)

        def told(found: Any) -> None:
            self.editor.set_hints(found[0])
            self.editor.set_asked(found[1])

        self._look_ticket = self._context.background.query(look, told, self._context.report, owner=self)

    def _read_versions(self) -> None:
        if self._versions_ticket is not None:
            self._versions_ticket.drop()
        item_id, project = self._shown.item_id if self._shown else None, self._context.project
        if item_id is None:
            self.editor.set_versions([])
            return
        self._versions_ticket = self._context.background.query(
            lambda: author.versions(project, item_id), self.editor.set_versions, self._context.report, owner=self
        )


def _words(row: ItemRow) -> str:
    title, question = title_and_question(row.item)
    words = title or question
    return f"{words} (retired)" if row.item.is_retired else words


def _second_line(row: ItemRow) -> str:
    title, question = title_and_question(row.item)
    return " · ".join(filter(None, (question if title else "", ", ".join(row.item.tags))))


def _fields(item: Item) -> dict[str, Any]:
    return {
        "dimension": item.dimension, "text": item.text, "note": item.note, "no_when": item.no_when, "kind": item.kind,
        "rule": item.rule, "weight": item.weight, "needs_evidence": item.needs_evidence, "tags": item.tags,
    }  # fmt: skip
