"""The library: instances × systems as a matrix, with what is missing, failed or doubtful in plain sight."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QModelIndex, QPoint, Qt, QTimer, Slot
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from studio.actions import library as library_actions
from studio.actions import privacy as privacy_actions
from studio.actions.library import Cell, CellState, Library
from studio.errors import StudioError
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.icons import icon
from studio.gui.image_loader import ImageLoader
from studio.gui.imports import Imports
from studio.gui.library_care import LibraryCare
from studio.gui.library_menu import ABSENT, cell_menu, page_actions
from studio.gui.library_records import LibraryRecords
from studio.gui.models.instance_matrix import InstanceMatrix
from studio.gui.page import Page
from studio.gui.shortcuts import Action
from studio.gui.widgets.deck_details import DeckDetails
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.library_filters import LibraryFilters
from studio.gui.widgets.matrix_view import MatrixView
from studio.gui.widgets.page_head import PageHead
from studio.gui.widgets.panel import Panel
from studio.gui.widgets.states import EmptyState, FailedState, LoadingState
from studio.gui.widgets.undo_bar import UndoBar
from studio.model.changes import Changes, Topic
from studio.model.decks import Deck, Source
from studio.model.events import ImportProgress, RunEnded, RunStarted, UnitDone, UnitFailed
from studio.model.ids import DeckId
from studio.model.runs import RunKind
from studio.store.care import Kind, ProjectAct

RELOAD_MS = 700
"""While decks come in, the matrix is read again at most this often."""
REST_MS = 400
FILTERS_PX = 44


class LibraryPage(Page):
    """Page 1: what there is, and what there is not."""

    page_id = "library"
    title = "Library"
    icon_name = "library"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context: AppContext | None = None
        self._reads: dict[str, Ticket] = {}
        self._wanted_place: dict[str, str] = {}
        self._runs: set[str] = set()
        self._has_loaded = False
        self._is_stale = False
        self._is_reading = False
        self._must_read_again = False
        self._model = InstanceMatrix(self)
        self._privacy_timer = QTimer(self)
        self._privacy_timer.setSingleShot(True)
        self._privacy_timer.setInterval(REST_MS)
        self._privacy_timer.timeout.connect(self._read_privacy)
        self._reload_timer = QTimer(self)
        self._reload_timer.setSingleShot(True)
        self._reload_timer.setInterval(RELOAD_MS)
        self._reload_timer.timeout.connect(self.reload)

    # what others may look at

    @property
    def context(self) -> AppContext:
        """The open project and the services around it."""
        assert self._context is not None
        return self._context

    @property
    def matrix(self) -> InstanceMatrix:
        """The model of the matrix."""
        return self._model

    @property
    def view(self) -> MatrixView:
        """The view of the matrix."""
        return self._view

    @property
    def details(self) -> DeckDetails:
        """The side panel."""
        return self._details

    @property
    def filters(self) -> LibraryFilters:
        """The filters above the matrix."""
        return self._filters

    @property
    def imports(self) -> Imports:
        """What brings decks and tables in."""
        return self._imports

    def counts(self) -> str:
        """Return the facts in the page's head."""
        return self._head.facts_label.full_text()

    def is_empty(self) -> bool:
        """Return whether the page says that there are no decks yet."""
        return self._stack.currentWidget() is self._empty

    def says_nothing_passes(self) -> bool:
        """Return whether the page says that no instance passes the filter."""
        return self._matrix.currentWidget() is self._nothing

    def empty_button(self) -> KeyCapButton:
        """Return the one button of the empty page."""
        return self._empty.button

    # the window's side

    def open_project(self, context: AppContext) -> None:
        self._context = context
        self._imports = Imports(context, self)
        self._records = LibraryRecords(context, self)
        self._care = LibraryCare(context, self)
        self._care.acted.connect(self._on_acted)
        self._care.drawing_wanted.connect(self._on_drawing_wanted)
        self._build(context)
        self._view.set_loader(ImageLoader(context.background, context.images, self))
        self.reload()

    def close_project(self) -> None:
        self._reload_timer.stop()
        self._privacy_timer.stop()
        self._filters.stop()
        for ticket in self._reads.values():
            ticket.drop()
        self._reads.clear()
        self._view.set_loader(None)
        self._context = None

    def go_to(self, **place: str) -> None:
        self._wanted_place = {name: place[name] for name in ("instance", "deck") if place.get(name)}
        self._take_place()

    def place(self) -> dict[str, str]:
        index = self._view.currentIndex()
        if not index.isValid():
            return {}
        row, cell = self._model.row(index.row()), self._model.cell(index)
        return {"instance": row.instance.id} | ({"deck": cell.deck.id} if cell.deck else {})

    def on_shown(self) -> None:
        self._view.setFocus()
        if self._is_stale:
            self.reload()

    def on_changes(self, changes: Changes) -> None:
        if Topic.DECKS in changes.topics:
            self.reload()

    def on_events(self, events: list[Any]) -> None:
        for event in events:
            match event:
                case RunStarted() if event.kind is RunKind.RENDER:
                    self._runs.add(event.run_id)
                case RunEnded() if event.run_id in self._runs:
                    self._runs.discard(event.run_id)
                    self._reload_soon()
                case UnitDone() | UnitFailed() if event.run_id in self._runs:
                    self._reload_soon()
                case ImportProgress():
                    self._reload_soon()
                case _:
                    pass
        if self._model.is_rendering != bool(self._runs):
            self._model.set_rendering(bool(self._runs))
            self._show_details(self._view.currentIndex())

    def take_paths(self, paths: list[Path]) -> bool:
        if self._context is None:
            return False
        self._imports.take(paths)
        return True

    def ask_import(self) -> None:
        """Ask for files to import."""
        self._imports.ask()

    def read_table(self, path: Path) -> None:
        """Read a table in."""
        self._imports.read_table(path)

    def actions(self) -> list[Action]:  # type: ignore[override]
        return page_actions(self)

    # widgets

    def _build(self, context: AppContext) -> None:
        can_change = not context.project.is_read_only
        self._head = PageHead("Library")
        # The counts beside the name give way first.
        self._filters = LibraryFilters()
        self._filters.filter_changed.connect(self._apply_filter)
        self._filters.left.connect(self._on_filters_left)
        self._render = KeyCapButton("Render", icon=icon("refresh-cw"))
        self._render.follow(context.shortcuts, "library.render_all")
        self._import = KeyCapButton("Import", is_primary=True, icon=icon("plus", "on_accent"))
        self._import.follow(context.shortcuts, "file.import")
        self._import.setEnabled(can_change)
        self._head.add_control(self._render)
        self._head.add_control(self._import)

        self._view = MatrixView()
        self._view.set_matrix(self._model)
        self._view.cell_opened.connect(self._on_cell_opened)
        self._view.cell_selected.connect(self._on_cell_selected)
        self._view.menu_asked.connect(self._on_menu_asked)
        self._view.horizontalHeader().sectionDoubleClicked.connect(self._on_system_double_clicked)
        self._view.verticalHeader().sectionDoubleClicked.connect(self._on_instance_double_clicked)
        self._matrix = QStackedWidget()
        self._matrix.addWidget(self._view)
        self._panel = Panel()
        self._panel.set_body(self._matrix)
        self._panel.head.setVisible(True)
        self._panel.head.setFixedHeight(FILTERS_PX)
        self._panel.head.add_control(self._filters)
        self._details = DeckDetails(context.shortcuts)
        self._details.set_can_change(can_change)
        self._details.source_opened.connect(self._on_source_opened)
        self._details.warning_opened.connect(self._on_warning_opened)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.addWidget(self._panel)
        self._split.addWidget(self._details)
        self._split.setStretchFactor(0, 1)
        self._split.setStretchFactor(1, 0)
        self._split.setChildrenCollapsible(False)
        self._split.setSizes([1000, 300])

        self._empty = EmptyState(
            "Drop decks here, or import a folder",
            "A folder with instances, sources and decks, or loose decks of one task."
            if can_change
            else "This project is open read-only, so nothing can be imported.",
            "Import" if can_change else "",
            key=context.shortcuts.cap("file.import") if can_change else "",
        )
        self._empty.button_clicked.connect(self._import.click)
        self._nothing = EmptyState(
            "No instance passes the filter", "", "Show all instances", icon_name="search", is_primary=False
        )
        self._nothing.button_clicked.connect(self.clear_filter)
        self._matrix.addWidget(self._nothing)
        self._failed = FailedState("The library could not be read.")
        self._failed.retried.connect(self.reload)
        self._loading = LoadingState(is_still=context.settings.is_on("reduced_motion"))
        self._stack = QStackedWidget()
        for widget in (self._loading, self._split, self._empty, self._failed):
            self._stack.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(12)
        column.addWidget(self._head)
        column.addWidget(self._stack, 1)
        self.undo_bar = UndoBar(context.shortcuts, "library.undo", "library.redo")
        column.addWidget(self.undo_bar)

    # reading

    @Slot()
    def reload(self) -> None:
        """Read the library again, off the main thread; what is shown stays until then."""
        if self._context is None:
            return
        self._reload_timer.stop()
        self._is_stale = False
        if self._is_reading:
            # A read that is dropped for a newer one each time would never end while decks keep coming in.
            self._must_read_again = True
            return
        self._is_reading = True
        project = self._context.project
        self._read("library", partial(library_actions.library, project), self._on_library, self._on_library_failed)

    def _reload_soon(self) -> None:
        if not self.isVisible():
            self._is_stale = True
        elif not self._reload_timer.isActive():
            self._reload_timer.start()

    def _read(self, name: str, fn: Any, done: Any, failed: Any = None) -> None:
        """Begin a read in place of an older one of this name."""
        if name in self._reads:
            self._reads[name].drop()
        self._reads[name] = self._context.background.query(fn, done, failed or self._context.report, owner=self)

    def _on_library(self, library: Library) -> None:
        if self._has_read():
            return
        place = self.place()
        is_first = not self._has_loaded
        self._has_loaded = True
        self._view.forget_failures()
        self._model.set_library(library)
        self._filters.set_choices(library.values("scenario"), library.values("language"))
        if not self._view.currentIndex().isValid() and not self._wanted_place:
            self._wanted_place = place
        self._show_library()
        self._take_place()
        self._show_details(self._view.currentIndex())
        states = library.states()
        is_undrawn = states[CellState.PENDING] > 0 and not states[CellState.RENDERED]
        if is_first and is_undrawn and not self._context.project.is_read_only:
            # A project without any picture, such as a demo just built, is of no use before it is drawn.
            self.render_all()

    def _has_read(self) -> bool:
        """Note that the read ended; return whether it is out of date and another one began."""
        self._is_reading, again = False, self._must_read_again
        self._must_read_again = False
        if again:
            self.reload()
        return again

    def _on_library_failed(self, error: BaseException) -> None:
        self._is_reading = self._must_read_again = False
        if not isinstance(error, StudioError):
            self._context.report(error)
        self._failed.set_words("The library could not be read.", str(error))
        self._stack.setCurrentWidget(self._failed)

    def _show_library(self) -> None:
        library = self._model.library
        self._head.set_title("Library", library_actions.counts_in_words(library, shown=self._model.rowCount()))
        front: QWidget = self._split if library.rows else self._empty
        had_focus = self._view.hasFocus() or self._stack.currentWidget() is self._loading
        self._matrix.setCurrentWidget(self._view if self._model.rowCount() else self._nothing)
        self._stack.setCurrentWidget(front)
        waiting = self._waiting()
        self._render.setVisible(bool(waiting) and not self._context.project.is_read_only)
        self._render.setText(f"Render {len(waiting):,}")
        # The empty state has the page's one primary button.
        self._import.setVisible(bool(library.rows))
        if front is self._split and had_focus and self.isVisible():
            self._view.setFocus()

    def _waiting(self) -> tuple[DeckId, ...]:
        return library_actions.retryable(cell for row in self._model.library.rows for cell in row.cells)

    def _take_place(self) -> None:
        """Go where somebody wanted to go, once the rows are there."""
        if not self._has_loaded or (not self._wanted_place and self._view.currentIndex().isValid()):
            return
        place, self._wanted_place = self._wanted_place, {}
        index = self._model.index_of(place.get("instance", ""), deck_id=place.get("deck", ""))
        if not index.isValid() and not self._filters.wanted().is_empty:
            self.clear_filter()
            index = self._model.index_of(place.get("instance", ""), deck_id=place.get("deck", ""))
        self._view.go_to(index if index.isValid() else self._model.index(0, 0))

    # filters

    @Slot()
    def _apply_filter(self) -> None:
        if self._context is None:
            return
        place = self.place()
        self._model.set_filter(self._filters.wanted())
        self._show_library()
        if place:
            self._view.go_to(self._model.index_of(place["instance"], deck_id=place.get("deck", "")))

    @Slot()
    def _on_filters_left(self) -> None:
        self._view.setFocus()

    def focus_filter(self) -> None:
        """Go to the filter's text."""
        self._filters.begin()

    @Slot()
    def clear_filter(self) -> None:
        """Show every instance again."""
        self._filters.clear()
        self._view.setFocus()

    # the selected cell

    def _selected(self) -> Cell | None:
        index = self._view.currentIndex()
        return self._model.cell(index) if index.isValid() else None

    @Slot(QModelIndex)
    def _on_cell_selected(self, index: QModelIndex) -> None:
        self._show_details(index)

    def _show_details(self, index: QModelIndex) -> None:
        if self._context is None:
            return
        if not index.isValid():
            self._details.show_nothing()
            return
        row, cell = self._model.row(index.row()), self._model.cell(index)
        self._details.show_cell(row, cell, is_rendering=self._model.is_rendering)
        if cell.deck is not None:
            deck = cell.deck
            self._read(
                "facts",
                partial(library_actions.deck_facts, self._context.project, deck),
                partial(self._details.show_facts, deck.id),
            )
        # Looking for names reads the whole file, so it waits until the selection rests.
        self._privacy_timer.start()

    @Slot()
    def _read_privacy(self) -> None:
        cell = self._selected()
        if self._context is None or cell is None or cell.deck is None or cell.state not in library_actions.PRESENT:
            return
        deck = cell.deck
        self._read(
            "privacy",
            partial(privacy_actions.deck_findings, self._context.project, deck, self._context.passwords),
            partial(self._details.show_privacy, deck.id),
            self._on_privacy_failed,
        )

    def _on_privacy_failed(self, error: BaseException) -> None:
        # A file that cannot be read says so in its cell already.
        if not isinstance(error, StudioError):
            self._context.report(error)

    @Slot(QModelIndex)
    def _on_cell_opened(self, _index: QModelIndex) -> None:
        self.open_cell()

    def open_cell(self) -> None:
        """Show the selected instance and deck in Compare."""
        focus = QApplication.focusWidget()
        if isinstance(focus, QAbstractButton) and self.isAncestorOf(focus):
            # Enter on a button that Tab led to means the button.
            focus.click()
            return
        place = self.place()
        if place:
            self._context.navigate("compare", **place)

    @Slot(int)
    def _on_warning_opened(self, slide: int) -> None:
        self._context.navigate("compare", **self.place(), slide=str(slide))

    def show_warnings(self) -> None:
        """Show the details, where the warnings are listed first."""
        cell = self._selected()
        if cell is None or cell.deck is None or not cell.deck.warnings:
            self._context.toast("This deck has no warnings.")
            return
        self._details.setVisible(True)

    def toggle_details(self) -> None:
        """Show or hide the side panel."""
        self._details.setVisible(self._details.isHidden())

    def retry_cell(self) -> None:
        """Render the selected deck again, also where it has pictures already."""
        cell = self._selected()
        if cell is None or cell.deck is None or cell.state not in library_actions.PRESENT:
            self._context.toast("There is no deck here to render.")
            return
        self._imports.render((cell.deck.id,), is_forced=True)

    def render_all(self) -> None:
        """Render every deck that has no pictures yet."""
        waiting = self._waiting()
        if not waiting:
            self._context.toast("Every deck has its pictures.")
            return
        self._imports.render(waiting)

    @Slot(QModelIndex, QPoint)
    def _on_menu_asked(self, index: QModelIndex, place: QPoint) -> None:
        menu = self.cell_menu(index)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)

    def cell_menu(self, index: QModelIndex) -> QMenu:
        """Return the context menu of a cell."""
        return cell_menu(self.context, self._model.cell(index), self)

    # care

    def _selected_deck(self) -> Deck | None:
        cell = self._selected()
        if cell is None or cell.deck is None:
            self._context.toast("There is no deck here.")
            return None
        return cell.deck

    def replace_deck(self) -> None:
        """Ask for another file of the selected deck."""
        deck = self._selected_deck()
        if deck is not None:
            self._care.ask_replacement(deck)

    def rename_deck(self) -> None:
        """Ask for another name of the selected deck."""
        deck = self._selected_deck()
        if deck is not None:
            self._care.ask_name(deck)

    def remove(self, kind: Kind) -> None:
        """Hide the selected deck, or its system or instance."""
        index = self._view.currentIndex()
        if not index.isValid():
            return
        if kind is Kind.DECK:
            deck = self._selected_deck()
            if deck is not None:
                self._care.remove(kind, deck.id)
        elif kind is Kind.SYSTEM:
            self._care.remove(kind, self._model.system(index.column()).id)
        else:
            self._care.remove(kind, self._model.row(index.row()).instance.id)

    def undo(self) -> None:
        """Take the last replacing, renaming or removing back."""
        self._care.undo()

    def redo(self) -> None:
        """Bring back what was taken back last."""
        self._care.redo()

    def give_password(self) -> None:
        """Ask for the password of the selected deck."""
        cell = self._selected()
        if cell is None or not cell.needs_password:
            self._context.toast("This deck needs no password.")
            return
        self._care.ask_password(cell)

    def open_original(self) -> None:
        """Open a read-only copy of the selected deck in its own program."""
        deck = self._selected_deck()
        if deck is not None:
            self._care.open_original(deck)

    @Slot(object)
    def _on_acted(self, done: ProjectAct) -> None:
        self.undo_bar.say(done.words, is_undone=done.verb == "undo")

    @Slot(str)
    def _on_drawing_wanted(self, deck_id: str) -> None:
        self._imports.render((DeckId(deck_id),))

    # records and sources

    def edit_instance(self) -> None:
        """Open the record of the selected instance."""
        index = self._view.currentIndex()
        if index.isValid():
            self._records.edit_instance(self._model.library, self._model.row(index.row()).instance)

    def edit_system(self) -> None:
        """Open the record of the selected system."""
        index = self._view.currentIndex()
        if index.isValid():
            self._records.edit_system(self._model.library, self._model.system(index.column()))

    def edit_absence(self) -> None:
        """Ask why the selected system has no deck for the selected instance."""
        index = self._view.currentIndex()
        if not index.isValid() or self._model.cell(index).state not in ABSENT:
            self._context.toast("There is a deck here; nothing needs to be recorded.")
            return
        self._records.edit_absence(self._model.row(index.row()).instance, self._model.cell(index))

    @Slot(int)
    def _on_instance_double_clicked(self, section: int) -> None:
        self._records.edit_instance(self._model.library, self._model.row(section).instance)

    @Slot(int)
    def _on_system_double_clicked(self, section: int) -> None:
        self._records.edit_system(self._model.library, self._model.system(section))

    @Slot(object)
    def _on_source_opened(self, source: Source) -> None:
        self._read(
            "source", partial(library_actions.copy_for_viewing, self._context.project, source), self._on_source_copied
        )

    def _on_source_copied(self, path: Path) -> None:
        self._care.show_file(path)

    def show_last_import(self) -> None:
        """Show what the last import did."""
        self._imports.show_last()
