"""The tuning window: stays open beside the Alignment page, for one project."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QTabWidget, QVBoxLayout, QWidget

from studio.actions import presets
from studio.actions.ablation import AblationTable, ablation_of
from studio.actions.align import gather
from studio.actions.bucket_align import BucketTable, bucket_table
from studio.actions.people_and_parser import FormRow, form_rows
from studio.actions.tuning import TuningSpec, tune
from studio.actions.tuning_preset import check_free, save_tuned
from studio.actions.tuning_result import TuningResult
from studio.actions.ve_matrix import VEMatrix, ve_matrix
from studio.errors import BadInput, Cancelled, StudioError
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.tuning.agreement_tab import AgreementTab
from studio.gui.tuning.components_tab import ComponentsTab
from studio.gui.tuning.matrix_tab import MatrixTab
from studio.gui.tuning.search_tab import SearchTab
from studio.gui.tuning.styles_tab import StylesTab
from studio.model.events import SearchProgress

WORK = "tuning"


class TuningWindow(QDialog):
    """Components, search and V-E matrix of the open project."""

    loaded = Signal()
    """What was read is shown."""
    styles_shown = Signal()
    """The table of styles is shown, or why there is none."""
    search_ended = Signal()
    """A search ended, in whatever way, and that is shown."""

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._tickets: dict[str, Ticket] = {}
        self._is_searching = False
        self.setWindowTitle("Tuning to people")
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self.setModal(False)
        self.resize(1080, 720)
        self.components = ComponentsTab()
        self.search = SearchTab()
        self.matrix = MatrixTab()
        self.styles = StylesTab()
        self.agreement = AgreementTab()
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        for tab, title in (
            (self.components, "Components"), (self.search, "Search"), (self.matrix, "V-E matrix"),
            (self.styles, "Styles"), (self.agreement, "People and parser"),
        ):  # fmt: skip
            self.tabs.addTab(tab, title)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 16, 16)
        column.addWidget(self.tabs)
        self.search.search_asked.connect(self._on_search_asked)
        self.search.stop_asked.connect(self._on_stop_asked)
        self.search.save_asked.connect(self._on_save_asked)
        self.search.set_can_save(not context.project.is_read_only)
        self.matrix.lines_changed.connect(self._load_matrix)
        self.matrix.deck_opened.connect(self._on_deck_opened)
        self.matrix.failed.connect(context.report)
        self.agreement.deck_opened.connect(self._on_deck_opened)
        context.background.events.connect(self._on_events)
        self._decks: dict[str, str] = {}
        self._styles_are_stale = True
        self.tabs.currentChanged.connect(self._load_styles)
        self.reload()

    def reload(self) -> None:
        """Read the project again; sliders, choices and results stay."""
        project = self._context.project

        def read() -> tuple[AblationTable | str, list[str], list[str]]:
            evidence = gather(project)
            names = [each.name for each in presets.list_presets(project)]
            scenarios = sorted({each.scenario for each in evidence.instances.values() if each.scenario})
            try:
                return ablation_of(evidence), names, scenarios
            except BadInput as error:
                return str(error), names, scenarios

        self._query("components", read, self._on_read)
        self._styles_are_stale = True
        self._load_styles()
        self._query("agreement", lambda: form_rows(project), self._on_forms)
        self._load_matrix()

    def show_tab(self, name: str) -> None:
        """Bring a tab to the front: ``components``, ``search``, ``matrix``, ``styles`` or ``agreement``."""
        tabs: dict[str, QWidget] = {
            "components": self.components, "search": self.search, "matrix": self.matrix, "styles": self.styles,
            "agreement": self.agreement,
        }  # fmt: skip
        self.tabs.setCurrentWidget(tabs[name])

    def close_project(self) -> None:
        """Let go of the project: drop reads, stop the search, close."""
        for ticket in self._tickets.values():
            ticket.drop()
        self._tickets = {}
        if self._is_searching:
            self._context.background.stop(WORK)
        self._context.background.events.disconnect(self._on_events)
        self.close()
        self.deleteLater()

    def closeEvent(self, event: QCloseEvent) -> None:  # @override
        # Closing the window stops a search: it goes on from there when it is asked for again.
        if self._is_searching:
            self._context.background.stop(WORK)
        super().closeEvent(event)

    def _query(self, name: str, fn: Any, done: Any, failed: Any = None) -> None:
        if name in self._tickets:
            self._tickets[name].drop()
        self._tickets[name] = self._context.background.query(fn, done, failed or self._context.report, owner=self)

    def _on_read(self, found: tuple[AblationTable | str, list[str], list[str]]) -> None:
        table, names, scenarios = found
        if isinstance(table, str):
            self.components.show_nothing(table)
        else:
            self.components.show_table(table)
        self.search.form.set_choices(names, scenarios)
        self.loaded.emit()

    @Slot()
    def _load_styles(self, *_: object) -> None:
        # Two alignments with intervals for each style take seconds in a large study: only when they are looked at.
        if self.tabs.currentWidget() is not self.styles or not self._styles_are_stale:
            return
        self._styles_are_stale = False
        project = self._context.project

        def read() -> BucketTable | str:
            try:
                return bucket_table(project)
            except BadInput as error:
                return str(error)

        self._query("styles", read, self._on_styles)

    def _on_styles(self, table: BucketTable | str) -> None:
        if isinstance(table, str):
            self.styles.show_nothing(table)
        else:
            self.styles.show_table(table)
        self.styles_shown.emit()

    def _on_forms(self, rows: tuple[FormRow, ...]) -> None:
        self._decks |= {row.deck_id: row.instance_id for row in rows}
        self.agreement.show_forms(rows)

    @Slot()
    def _load_matrix(self) -> None:
        project, (looks, edits) = self._context.project, self.matrix.lines()
        self._query(
            "matrix", lambda: ve_matrix(project, looks_line=looks, edits_line=edits), self._on_matrix,
            self._on_no_matrix,
        )  # fmt: skip

    def _on_matrix(self, matrix: VEMatrix) -> None:
        self._decks |= {each.deck_id: each.instance_id for each in matrix.decks}
        if matrix.decks:
            self.matrix.show_matrix(matrix)
        else:
            self.matrix.show_nothing("No deck has both an aesthetics total and an editability level.")

    def _on_no_matrix(self, error: BaseException) -> None:
        if not isinstance(error, StudioError):
            self._context.report(error)
        self.matrix.show_nothing(str(error))

    # search

    @Slot(object)
    def _on_search_asked(self, spec: TuningSpec) -> None:
        self._is_searching = True
        self.search.set_running(True)
        self._context.background.start(
            tune, self._context.project, spec, name=WORK, done=self._on_found, failed=self._on_search_failed,
            owner=self,
        )  # fmt: skip

    @Slot()
    def _on_stop_asked(self) -> None:
        self._context.background.stop(WORK)

    @Slot(list)
    def _on_events(self, events: list[Any]) -> None:
        newest = next((each for each in reversed(events) if isinstance(each, SearchProgress)), None)
        if newest is not None:
            self.search.show_progress(newest)

    def _on_found(self, result: TuningResult) -> None:
        self._end_search()
        self.search.show_result(result)
        self.search_ended.emit()

    def _on_search_failed(self, error: BaseException) -> None:
        self._end_search()
        if isinstance(error, Cancelled):
            self.search.show_stopped()
        else:
            if not isinstance(error, StudioError):
                self._context.report(error)
            self.search.show_error(str(error))
        self.search_ended.emit()

    def _end_search(self) -> None:
        self._is_searching = False
        self.search.set_running(False)

    @Slot(str)
    def _on_save_asked(self, name: str) -> None:
        result, project = self.search.result, self._context.project
        if result is None:
            return

        def save() -> Any:
            check_free(project, name)
            return save_tuned(project, name, result)

        self._query("save", save, self._on_saved)

    def _on_saved(self, saved: Any) -> None:
        preset, changes = saved
        self.search.name.clear()
        self._context.announce(changes)
        self._context.toast(f"Saved the preset {preset.name}. Choose it in a new run to measure with it.")
        self.reload()

    @Slot(str)
    def _on_deck_opened(self, deck_id: str) -> None:
        if deck_id in self._decks:
            self._context.navigate("compare", instance=self._decks[deck_id], deck=deck_id)
