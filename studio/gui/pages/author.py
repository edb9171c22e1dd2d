"""Author: the checklists of everywhere, a domain or an instance; its instruction; the benchmark in numbers."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QInputDialog,
    QMenu,
    QWidget,
)

from studio.actions import checklist_exchange as exchange
from studio.actions import checklist_templates as templates
from studio.actions import checklists as author
from studio.actions.checklist_exchange import ItemsReport
from studio.actions.figures import counted
from studio.gui.author.benchmark_tab import BenchmarkTab
from studio.gui.author.choose_lists import ChooseLists
from studio.gui.author.conflicts import ConflictsDialog
from studio.gui.author.instruction_tab import InstructionTab
from studio.gui.author.items_tab import ItemsTab
from studio.gui.author.reading import ListView, read_list
from studio.gui.author.settings_tab import SettingsTab
from studio.gui.author.statistics_tab import StatisticsTab
from studio.gui.author.tree_export import TreeExport
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.framed_page import WritingPage
from studio.gui.icons import icon
from studio.gui.shortcuts import Action
from studio.gui.widgets.badge import Badge
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.page_head import PageHead, pop_up_below
from studio.model.authoring import EVERYWHERE, Scope
from studio.model.changes import Changes, Topic
from studio.model.checklists import ItemId
from studio.model.decks import Instance
from studio.model.ids import InstanceId

TRIAL_TOPICS = frozenset({Topic.CHECKLISTS, Topic.DECKS, Topic.SCORES, Topic.ANSWERS})


class AuthorPage(WritingPage):
    """The list at the left, one item at the right; tabs for the instruction and the facts of the benchmark."""

    page_id = "author"
    title = "Author"
    icon_name = "pencil"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ticket: Ticket | None = None
        self._scope: Scope = EVERYWHERE
        self._instances: tuple[Instance, ...] = ()
        self.view: ListView | None = None

    # the window's side

    def open_project(self, context: AppContext) -> None:
        self.begin(context)
        self._build(context)

    def _build(self, context: AppContext) -> None:
        self.head = PageHead("Checklists")
        self.scope = QComboBox()
        self.scope.setAccessibleName("List")
        self.scope.setMinimumWidth(150)
        self.scope.setMaximumWidth(260)
        self.scope.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.scope.activated.connect(self._on_scope_chosen)
        self.signed = Badge("")
        self.head.add_badge(self.signed)
        self.template = KeyCapButton("Template")
        self.template.clicked.connect(self.ask_template)
        self.sheet = KeyCapButton("Spreadsheet", icon=icon("download"))
        self.sheet.clicked.connect(self._on_sheet_clicked)
        self.sign = KeyCapButton("Sign off", icon=icon("check"))
        self.sign.setToolTip("A second person says that the list may be released")
        self.sign.clicked.connect(self.sign_off)
        self.release = KeyCapButton("Release…")
        self.release.setToolTip("Freeze all lists; each must be signed off")
        self.release.clicked.connect(self.ask_release)
        for control, gives_way in (
            (self.scope, 0), (self.template, 4), (self.sheet, 3), (self.sign, 2), (self.release, 1),
        ):  # fmt: skip
            self.head.add_control(control, gives_way=gives_way)
        for control in (self.template, self.sign, self.release):
            control.setEnabled(self.can_write)
        self.items = ItemsTab(context, self.writes, name=self._name, can_write=self.can_write)
        self.items.template_asked.connect(self.ask_template)
        self.instruction = InstructionTab(context, self.writes, name=self._name, can_write=self.can_write)
        self.tree_export = TreeExport(context, self)
        self.list_settings = SettingsTab(context, self.writes, name=self._name, can_write=self.can_write)
        self.statistics = StatisticsTab(context)
        self.benchmark = BenchmarkTab(context)
        self.build_tabs(
            self.head, ("Items", self.items), ("Instruction", self.instruction), ("Settings", self.list_settings),
            ("Statistics", self.statistics), ("Benchmark", self.benchmark), failed="The checklist could not be read",
            who="Who writes?",
        )  # fmt: skip

    def close_project(self) -> None:
        context = self._context
        if context is None:
            return
        self.items.stop()
        self.instruction.stop()
        self.list_settings.stop()
        self.statistics.stop()
        self.writes.finish(context.report)
        if self._ticket is not None:
            self._ticket.drop()
        self._context, self.view = None, None

    def go_to(self, **place: str) -> None:
        if place.get("instance"):
            self._choose(Scope(instance_id=InstanceId(place["instance"])))
        if place.get("tab"):
            names = [self.tabs.tabText(number).lower() for number in range(self.tabs.count())]
            if place["tab"] in names:
                self.tabs.setCurrentIndex(names.index(place["tab"]))

    def place(self) -> dict[str, str]:
        return {"instance": str(self._scope.instance_id)} if self._scope.instance_id else {}

    def focus_first(self) -> None:
        self.items.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def on_hidden(self) -> None:
        super().on_hidden()
        self.items.save()
        self.instruction.save()
        self.list_settings.save()

    def on_changes(self, changes: Changes) -> None:
        if self.items.trial is not None and changes.topics & TRIAL_TOPICS:
            self.items.trial.reload()
        if changes.topics & TRIAL_TOPICS:
            self.statistics.is_stale = True
        if changes.topics & {Topic.CHECKLISTS, Topic.DECKS}:
            self._is_stale = True
            self.benchmark.is_stale = True
            if self._is_shown:
                self.load()
        elif self._is_shown:
            self._on_tab_changed()

    def actions(self) -> list[Action]:  # type: ignore[override]
        def act(name: str, words: str, run: Any, *keys: str, repeats: bool = False) -> Action:
            return Action(id=f"author.{name}", words=words, run=run, keys=keys, page=self.page_id, repeats=repeats)

        items = self.items
        return [
            act("add", "New item", items.add, "N"),
            act("move_up", "Move item up", items.move_up, "Alt+Up", repeats=True),
            act("move_down", "Move item down", items.move_down, "Alt+Down", repeats=True),
            act("retire", "Retire or bring back items", items.retire, "Del"),
            act("copy", "Copy items to other lists…", self.ask_copy, "D"),
            act("try", "Try the item on decks…", items.try_item, "T"),
            act("bulk", "Edit items together…", items.ask_bulk_edit, "B"),
            act("undo", "Undo", items.undo, "Ctrl+Z"),
            act("redo", "Redo", items.redo, "Ctrl+Shift+Z"),
            act("save", "Save item", items.save, "Ctrl+S"),
            act("template", "Use a template…", self.ask_template),
            act("import", "Import items from a spreadsheet…", self.ask_import_items),
            act("export", "Export items as a spreadsheet…", self.ask_export_items),
            act("export_tree", "Export instances for PresentBench…", self.tree_export.ask_instances),
            act("export_results", "Export results for PresentBench…", self.tree_export.ask_results),
            act("sign_off", "Sign the list off", self.sign_off),
            act("release", "Release the checklists…", self.ask_release),
        ]

    # loading

    def load_named(self) -> None:  # @override
        context = self._context
        self._is_stale = False
        if self._ticket is not None:
            self._ticket.drop()
        project, scope, who = context.project, self._scope, self._name()
        if self.view is None:
            self.states.setCurrentWidget(self.loading)
        self._ticket = context.background.query(
            lambda: read_list(project, scope, with_retired=True, person=who), self._on_read, self._on_failed, owner=self
        )

    def _on_read(self, view: ListView) -> None:
        self.view = view
        self._fill_scopes(view)
        self.signed.set_text("signed off" if view.is_signed else "", "ok")
        last = view.releases[-1] if view.releases else None
        self.head.facts_label.set_text(f"release {last.number}: {last.title}" if last else "not released yet")
        self.items.set_view(view)
        self.instruction.set_scope(view)
        self.list_settings.set_view(view)
        self.statistics.set_scope(view.scope)
        self.states.setCurrentWidget(self.tabs)
        self._on_tab_changed()

    def _on_failed(self, error: BaseException) -> None:
        self._is_stale = True
        if self._scope.instance_id is not None and self.view is None:
            self._scope = EVERYWHERE
        self.show_failure(error, "The checklist could not be read")

    def _fill_scopes(self, view: ListView) -> None:
        if view.instances != self._instances or not self.scope.count():
            self._instances = view.instances
            self.scope.clear()
            self.scope.addItem("Everywhere", EVERYWHERE.key)
            for domain in sorted({each.domain for each in view.instances if each.domain}):
                self.scope.addItem(f"Domain: {domain}", Scope(domain=domain).key)
            for each in view.instances:
                self.scope.addItem(each.title or each.name, Scope(instance_id=each.id).key)
        self.scope.setCurrentIndex(max(0, self.scope.findData(view.scope.key)))

    @Slot()
    def _on_scope_chosen(self, *_: object) -> None:
        self._choose(Scope.of_key(self.scope.currentData()))

    def _choose(self, scope: Scope) -> None:
        if scope != self._scope:
            self.items.save()
            self.instruction.save()
            self.list_settings.save()
            self._scope = scope
            self.load()

    @Slot()
    def _on_tab_changed(self, *_: object) -> None:
        if self.tabs.currentWidget() is self.benchmark:
            self.benchmark.show_facts()
        if self.tabs.currentWidget() is self.statistics:
            self.statistics.show_statistics()

    # what a person can do

    def _do(self, fn: Any, says: Any) -> None:
        context = self._context
        if context is None or not self.can_write:
            return
        self.items.save()

        def done(result: Any) -> None:
            if result is not None:
                context.toast(says(result[0]))
                context.announce(result[1])

        self.writes.add(fn, done, context.report)

    @Slot()
    def ask_template(self) -> None:
        """Offer the starter lists."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for each in templates.list_templates():
            menu.addAction(f"{each.name} ({each.language.upper()})", partial(self.use_template, each.key))
        pop_up_below(menu, self.template)

    def use_template(self, key: str) -> None:
        """Add a starter list's items to the list that is shown."""
        if self._context is not None:
            project, scope, who = self._context.project, self._scope, self._name()
            self._do(
                lambda: templates.use_template(project, scope, key, author=who),
                lambda items: f"{len(items)} items added.",
            )

    @Slot()
    def ask_copy(self) -> None:
        """Ask for lists and copy the chosen items there."""
        if self.view is None or not self.items.chosen() or not self.can_write:
            return
        dialog = ChooseLists(self.view.instances, self._scope, self.items.chosen(), self.view.own_lists, self)
        dialog.lists_chosen.connect(self.items.copy_to)
        dialog.open()

    @Slot()
    def _on_sheet_clicked(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Import items…", self.ask_import_items).setEnabled(self.can_write)
        menu.addAction("Export this list…", self.ask_export_items)
        menu.addSeparator()
        menu.addAction("Export instances for PresentBench…", self.tree_export.ask_instances)
        menu.addAction("Export results for PresentBench…", self.tree_export.ask_results)
        pop_up_below(menu, self.sheet)

    @Slot()
    def ask_import_items(self) -> None:
        """Ask for tables of items, of one author or of several, and read them in."""
        chosen, _ = QFileDialog.getOpenFileNames(self, "Import items", "", "Tables (*.xlsx *.csv *.tsv *.jsonl)")
        if chosen:
            self.import_items(*map(Path, chosen))

    def import_items(self, *paths: Path, takes_theirs: dict[Path, list[ItemId]] | None = None) -> None:
        """Read tables of items into the list that is shown; what contradicts is asked about, item by item."""
        if self._context is None:
            return
        project, scope, who = self._context.project, self._scope, self._name()

        def says(reports: dict[Path, ItemsReport]) -> str:
            conflicts = {path: each.conflicts for path, each in reports.items() if each.conflicts}
            if conflicts and takes_theirs is None:
                self.conflicts = ConflictsDialog(conflicts, self)
                self.conflicts.decided.connect(lambda taken: self.import_items(*taken, takes_theirs=taken))
                self.conflicts.open()
            new, edited, same = (
                sum(getattr(one, key) for one in reports.values()) for key in ("new", "edited", "same")
            )
            n_refused = sum(len(each.refused) for each in reports.values())
            first = next((one for each in reports.values() for one in each.refused), None)
            refused = f", {counted(n_refused, 'row')} refused: line {first['line']}, {first['reason']}" if first else ""
            return f"{new} new, {edited} edited, {same} as before{refused}."

        self._do(lambda: exchange.merge_items(project, paths, author=who, takes_theirs=takes_theirs, scope=scope), says)

    @Slot()
    def ask_export_items(self) -> None:
        """Ask for a file and write the list that is shown there."""
        endings = "Excel workbook (*.xlsx);;CSV (*.csv);;JSON lines (*.jsonl)"
        chosen, _ = QFileDialog.getSaveFileName(self, "Export items", "items.xlsx", endings)
        if chosen:
            self.export_items(Path(chosen))

    def export_items(self, path: Path) -> None:
        """Write the list that is shown as a table that can be read in again."""
        context, scope = self._context, self._scope
        if context is None:
            return
        project = context.project
        self.items.save()

        def write() -> None:
            exchange.write_items(project, path, scopes=[scope])

        context.background.query(
            write, lambda _none: context.toast(f"Exported as {path.name}."), context.report, owner=self
        )

    @Slot()
    def sign_off(self) -> None:
        """Sign the list off that is shown; refused to whoever wrote in it."""
        if self._context is not None:
            project, scope, who = self._context.project, self._scope, self._name()
            self._do(lambda: author.sign_off(project, scope, person=who), lambda one: f"Signed off by {one.person}.")

    @Slot()
    def ask_release(self) -> None:
        """Ask for a title and freeze all lists."""
        if not self.can_write:
            return
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Release the checklists")
        dialog.setLabelText("Title of the release")
        dialog.textValueSelected.connect(self.release_as)
        dialog.open()

    @Slot(str)
    def release_as(self, title: str) -> None:
        """Freeze all lists under the next number."""
        if self._context is not None and title.strip():
            project, who = self._context.project, self._name()
            self._do(
                lambda: author.release(project, title=title.strip(), author=who),
                lambda one: f"Release {one.number}: {one.title}.",
            )
