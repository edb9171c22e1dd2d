"""What lies behind the methods table: every instance as a heat map, every deck of one method as a scatter plot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QMenu, QSplitter, QStackedWidget, QWidget

from studio.actions.align import points
from studio.actions.bump import Bump, bump_csv, bump_of
from studio.actions.figures import figure
from studio.actions.method_rows import MethodRow, MethodsView, instances_csv, points_csv, title_of
from studio.gui.plots.bump_chart import BumpChart
from studio.gui.plots.heat_map import HeatCell, HeatMap, HeatRow
from studio.gui.plots.picture import add_picture_actions
from studio.gui.plots.scatter import Mark, Scatter
from studio.gui.widgets.panel import Panel
from studio.gui.widgets.states import EmptyState
from studio.model.ids import DeckId, InstanceId

SCATTER, RANKS = "scatter", "ranks"
HEAT_WORDS = "ρ per method; click or Enter opens the instance, with Shift its disagreements"


class MethodPlots(QSplitter):
    """The heat map at the left, the scatter plot of the chosen method at the right."""

    instance_opened = Signal(str)
    deck_opened = Signal(str)
    number_asked = Signal(str)
    """The method whose number is to be opened."""
    disagreements_asked = Signal(str, str, str)
    """Method (or the people's row), instance, and deck or an empty text: where disagreements are looked for."""
    failed = Signal(object)
    """An error to show."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._view: MethodsView | None = None
        self._method = ""
        self._bump: Bump | None = None
        self.heat = HeatMap()
        self.heat.cell_opened.connect(self._on_cell_opened)
        self.heat.disagreements_asked.connect(self._on_cell_asked)
        self.heat.cell_pointed.connect(self._on_cell_pointed)
        self.heat.menu_asked.connect(self._on_heat_menu_asked)
        self.heat_panel = Panel("Every instance", HEAT_WORDS)
        self.heat_panel.set_body(self.heat)
        self.scatter = Scatter()
        self.scatter.mark_opened.connect(self.deck_opened)
        self.scatter.disagreements_asked.connect(self._on_mark_asked)
        self.scatter.menu_asked.connect(self._on_scatter_menu_asked)
        self._no_points = EmptyState("No deck to draw", icon_name="chart-scatter")
        self._states = QStackedWidget()
        self._states.addWidget(self.scatter)
        self._states.addWidget(self._no_points)
        self.bump = BumpChart()
        self.bump.mark_opened.connect(self._on_mark_opened)
        self.bump.mark_pointed.connect(self._on_mark_pointed)
        self.bump.menu_asked.connect(self._on_bump_menu_asked)
        self._states.addWidget(self.bump)
        self.scatter_panel = Panel("Against people", " ")
        self.kind, self.scope = QComboBox(), QComboBox()
        for words, kind in (("Scatter", SCATTER), ("Ranks", RANKS)):
            self.kind.addItem(words, kind)
        for box, words, tip in (
            (self.scope, "Instance of the ranks", "All instances, by the mean rank within each, or the decks of one"),
            (self.kind, "Plot", "Scores against people, or the ranks of every method side by side"),
        ):  # fmt: skip
            box.setAccessibleName(words)
            box.setToolTip(tip)
            box.setMaximumWidth(150)
            box.activated.connect(self._on_plot_chosen)
            self.scatter_panel.head.add_control(box)
        self.scope.hide()
        self.scatter_panel.set_body(self._states)
        self.setChildrenCollapsible(False)
        self.addWidget(self.heat_panel)
        self.addWidget(self.scatter_panel)
        self.setSizes([720, 580])

    def set_view(self, view: MethodsView) -> None:
        """Show the instances of a methods table."""
        self._view = view
        columns = [cell.instance_id for cell in view.rows[0].cells]
        order = {instance_id: place for place, instance_id in enumerate(view.evidence.instances)}
        columns.sort(key=lambda instance_id: order.get(instance_id, len(order)))
        self.heat.set_rows([_heat_row(view, row, columns) for row in view.rows], columns)
        self.heat_panel.head.set_facts(HEAT_WORDS)
        self._fill_scope(view, columns)

    def show_bump(self) -> None:
        """Show the ranks side by side in place of the scatter plot."""
        self.kind.setCurrentIndex(self.kind.findData(RANKS))
        self.show_method(self._method)

    def show_method(self, name: str) -> None:
        """Show the decks of one method."""
        view, self._method = self._view, name
        if view is None:
            return
        self.scope.setVisible(self.kind.currentData() == RANKS)
        if self.kind.currentData() == RANKS:
            self._show_ranks(view, name)
            return
        evidence, title = view.evidence, title_of(name)
        if name not in evidence.methods:
            self.scatter_panel.set_title("Against people", " ")
            self._no_points.set_words("No method is left", "Everything that could be drawn is left out.")
            self._states.setCurrentWidget(self._no_points)
            return
        human = evidence.people.side.axis_words
        marks = [
            Mark(
                key=point.deck_id, system=point.system, x=point.mean_human_rank, y=point.score,
                tip=f"{point.system} · {evidence.instances[point.instance_id].title}\n"
                f"{human} {figure(point.mean_human_rank)}, score {figure(point.score)}",
            )
            for point in points(evidence, name)
        ]  # fmt: skip
        missing = _ranked(view) - len(marks)
        without = f" · {missing:,} without a score" if missing else ""
        self.scatter_panel.set_title(f"{title} against people", f"n = {len(marks):,} decks{without}")
        if not marks:
            self._no_points.set_words("No deck to draw", f"{title} has no score of a ranked deck.")
            self._states.setCurrentWidget(self._no_points)
            return
        self._states.setCurrentWidget(self.scatter)
        best = "" if evidence.human.is_on_one_scale else " (1 is best)"
        self.scatter.set_marks(marks, _systems(view), x_words=f"{human}{best}", y_words=title)

    def _show_ranks(self, view: MethodsView, name: str) -> None:
        instance_id = self.scope.currentData()
        self._bump = bump_of(view.evidence, InstanceId(instance_id) if instance_id else None)
        what = "decks" if instance_id else "systems"
        self.scatter_panel.set_title("Ranks", f"{len(self._bump.lines):,} {what}")
        self.bump.set_bump(self._bump, _systems(view), strong=name)
        self._states.setCurrentWidget(self.bump)

    def _fill_scope(self, view: MethodsView, columns: Sequence[InstanceId]) -> None:
        before = self.scope.currentData()
        self.scope.blockSignals(True)
        self.scope.clear()
        self.scope.addItem("All instances", "")
        for instance_id in columns:
            instance = view.evidence.instances.get(instance_id)
            self.scope.addItem((instance.title or instance.name) if instance is not None else instance_id, instance_id)
        self.scope.setCurrentIndex(max(0, self.scope.findData(before)))
        self.scope.blockSignals(False)

    def restyle(self) -> None:
        """Draw both plots in the present colours."""
        self.scatter.restyle()
        self.bump.restyle()
        self.heat.viewport().update()

    def clear(self) -> None:
        """Forget the project."""
        self._view = None

    @Slot(str, str)
    def _on_cell_opened(self, _method: str, instance_id: str) -> None:
        self.instance_opened.emit(instance_id)

    @Slot(str, str)
    def _on_cell_asked(self, method: str, instance_id: str) -> None:
        self.disagreements_asked.emit(method, instance_id, "")

    @Slot(str)
    def _on_mark_asked(self, deck_id: str) -> None:
        deck = self._view.evidence.decks.get(DeckId(deck_id)) if self._view is not None else None
        if deck is not None:
            self.disagreements_asked.emit(self._method, deck.instance_id, deck_id)

    def ask_for_current(self) -> bool:
        """Ask for the disagreements behind the cell that the keyboard is on; false if it is on none."""
        keys = self.heat.current_keys() if self.heat.hasFocus() else None
        if keys is not None:
            self._on_cell_asked(*keys)
        return keys is not None

    @Slot(str)
    def _on_cell_pointed(self, words: str) -> None:
        self.heat_panel.head.set_facts(words.replace("\n", ": "))

    @Slot(QPoint)
    def _on_heat_menu_asked(self, place: QPoint) -> None:
        view = self._view
        if view is not None:
            menu = self._menu(self.heat, "alignment-instances", lambda: instances_csv(view))
            keys = self.heat.keys_at(place)
            _add_first(menu, partial(self._on_cell_asked, *keys) if keys is not None else None)
            menu.popup(place)

    @Slot(QPoint)
    def _on_scatter_menu_asked(self, place: QPoint) -> None:
        view, name = self._view, self._method
        if view is not None:
            menu = self._menu(self.scatter, f"alignment-{name}", lambda: points_csv(view.evidence, name))
            deck_id = self.scatter.pointed
            _add_first(menu, partial(self._on_mark_asked, deck_id) if deck_id else None)
            menu.popup(place)

    @Slot(int)
    def _on_plot_chosen(self, _place: int) -> None:
        self.show_method(self._method)

    @Slot(int, int)
    def _on_mark_opened(self, line: int, column: int) -> None:
        if self._bump is None:
            return
        if self._bump.deck_ids:
            self.deck_opened.emit(self._bump.deck_ids[line])
        else:
            self.number_asked.emit(self._bump.columns[column])

    @Slot(str)
    def _on_mark_pointed(self, words: str) -> None:
        self.scatter_panel.head.set_facts(words)

    @Slot(QPoint)
    def _on_bump_menu_asked(self, place: QPoint) -> None:
        bump = self._bump
        if bump is not None:
            self._menu(self.bump, "alignment-ranks", lambda: bump_csv(bump)).popup(place)

    def _menu(self, widget: QWidget, name: str, csv: Callable[[], str]) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        add_picture_actions(menu, widget, name=name, failed=self.failed.emit, csv=csv)
        return menu


def _add_first(menu: QMenu, run: Callable[[], None] | None) -> None:
    """Put the way to the disagreements above the other entries, where the pointer is on something."""
    if run is not None:
        above, action = menu.actions()[0], QAction("Look at its disagreements", menu)
        action.triggered.connect(lambda _is_checked: run())
        menu.insertAction(above, action)
        menu.insertSeparator(above)


def _systems(view: MethodsView) -> list[str]:
    return sorted({deck.system for deck in view.evidence.decks.values()})


def _ranked(view: MethodsView) -> int:
    """Return how many decks somebody ranked."""
    ranks = view.evidence.human.ranks.values()
    return sum(len({deck for placed in by_person.values() for deck in placed}) for by_person in ranks)


def _heat_row(view: MethodsView, row: MethodRow, columns: Sequence[InstanceId]) -> HeatRow:
    by_instance = {cell.instance_id: cell for cell in row.cells}
    cells = []
    for instance_id in columns:
        instance = view.evidence.instances.get(instance_id)
        name = instance.title or instance.name if instance is not None else instance_id
        cell = by_instance.get(instance_id)
        if cell is None or cell.rho is None:
            reason = cell.reason if cell is not None else "not ranked"
            cells.append(HeatCell(value=None, tip=f"{row.title} · {name}\nno ρ: {reason}"))
            continue
        people = f"{cell.n_annotators} annotator{'' if cell.n_annotators == 1 else 's'}"
        facts = people if row.is_people else f"{cell.n} decks, {people}"
        cells.append(HeatCell(value=cell.rho, tip=f"{row.title} · {name}\nρ {figure(cell.rho)}, {facts}"))
    return HeatRow(key=row.name, title=row.title, cells=tuple(cells), is_strong=row.is_people)
