"""Search: choose, run, see what came out and how far it can be believed, keep it as a preset."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from studio.actions.method_rows import figure, p_in_words
from studio.actions.tuning_result import TuningResult
from studio.gui import theme
from studio.gui.plots.interval import draw_interval, scale_of
from studio.gui.tuning.search_form import SearchForm
from studio.gui.tuning.tables import PUT_BACK, ParameterModel, signed
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, hairline, toned_label
from studio.gui.widgets.states import EmptyState, FailedState
from studio.gui.widgets.table import HEAD_PX, ROW_PX, DataTable
from studio.model.events import SearchProgress
from studio.stats.intervals import BootstrapMean, PairedComparison

_LINE_PX = 28
_NAME_PX, _NUMBER_PX, _CHANGE_PX = 186, 64, 216
_WIDE_PX = 580
_NARROW_PX = 1000


class MeansView(QWidget):
    """Mean and interval of the start, in-sample, out-of-sample and the test set, one line each on one scale."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: list[tuple[str, BootstrapMean, str]] = []

    def set_result(self, result: TuningResult) -> None:
        """Show a result."""
        lines = [
            ("Initial", result.fit.initial, ""),
            ("Optimum, in-sample", result.fit.optimum, _change(result.fit.gain)),
        ]
        if result.out_of_sample is not None:
            lines.append(("Optimum, out-of-sample", result.out_of_sample, _change(result.out_of_sample_gain)))
        if result.test is not None:
            on = result.test.answers.value
            lines.append((f"Test set ({on}), initial", result.test.initial, ""))
            lines.append((f"Test set ({on}), optimum", result.test.optimum, _change(result.test.gain)))
        self._lines = lines
        self.setFixedHeight(self.sizeHint().height())
        self.setAccessibleName("; ".join(f"{name} {figure(mean.mean, 3)}" for name, mean, _ in lines))
        self.update()

    def sizeHint(self) -> QSize:  # @override
        return QSize(400, _LINE_PX * max(1, len(self._lines)))

    def paintEvent(self, _event: QPaintEvent) -> None:  # @override
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scale = scale_of([value for _, mean, _ in self._lines for value in (mean.mean, mean.low)])
        change_px = _CHANGE_PX if self.width() >= _WIDE_PX else 0
        for number, (name, mean, change) in enumerate(self._lines):
            line = QRectF(0, number * _LINE_PX, self.width(), _LINE_PX)
            painter.setFont(theme.sized_font(theme.BODY_PX))
            painter.setPen(theme.color("text"))
            left = line.adjusted(0, 0, _NAME_PX - line.width(), 0)
            painter.drawText(left, int(Qt.AlignmentFlag.AlignVCenter), name)
            painter.setFont(theme.sized_font(theme.BODY_PX, bold=True, tabular=True))
            value = QRectF(left.right(), line.top(), _NUMBER_PX - 12, _LINE_PX)
            painter.drawText(
                value, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), figure(mean.mean, 3)
            )
            room = line.adjusted(_NAME_PX + _NUMBER_PX, 0, -change_px - (12 if change_px else 0), 0)
            tone = "text_muted" if "nitial" in name else "accent"
            draw_interval(
                painter, room, scale=scale, mean=mean.mean, low=mean.low, high=mean.high, ceiling=None, tone=tone
            )
            if change_px:
                painter.setFont(theme.sized_font(theme.CAPTION_PX, tabular=True))
                painter.setPen(theme.color("text_muted"))
                right = QRectF(line.right() - change_px, line.top(), change_px, _LINE_PX)
                painter.drawText(right, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), change)
        painter.end()


class SearchTab(QWidget):
    """The form on the left, the result on the right."""

    search_asked = Signal(object)
    """The `TuningSpec`."""
    stop_asked = Signal()
    save_asked = Signal(str)
    """The name of the preset."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.result: TuningResult | None = None
        self._is_running = False
        self._can_save = True
        self.form = SearchForm()
        self.form.changed.connect(self._on_form_changed)
        self.start = KeyCapButton("Search", is_primary=True)
        self.start.clicked.connect(self._on_start_clicked)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Progress of the search")
        self.stage = toned_label("", "muted")
        self.stage.setWordWrap(True)
        left = Panel("Search")
        body = QWidget()
        inner = QVBoxLayout(body)
        inner.setContentsMargins(12, 12, 12, 12)
        inner.setSpacing(8)
        inner.addWidget(self.form, 1)
        inner.addWidget(self.bar)
        inner.addWidget(self.stage)
        inner.addWidget(self.start)
        left.set_body(body)
        left.setFixedWidth(300)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 12, 0, 0)
        row.setSpacing(12)
        row.addWidget(left)
        row.addWidget(self._build_result(), 1)
        self.bar.hide()
        self._on_form_changed()

    def _build_result(self) -> QWidget:
        self.empty = EmptyState("No search yet", "Slides are not measured again, so a search takes seconds.",
                                icon_name="search")  # fmt: skip
        self.failed = FailedState("The search could not be done")
        self.failed.retried.connect(self._on_start_clicked)
        self.means = MeansView()
        self.gap = toned_label("", "heading")
        self.warnings = toned_label("", "warn")
        for label in (self.gap, self.warnings):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.model = ParameterModel(self)
        self.table = DataTable()
        self.table.set_model(self.model)
        self.table.setAccessibleName("Parameters before and after")
        self.name = QLineEdit()
        self.name.setPlaceholderText("Name of the preset")
        self.name.setAccessibleName("Name of the preset")
        self.name.setMaxLength(60)
        self.name.textChanged.connect(self._on_name_changed)
        self.name.returnPressed.connect(self._on_save_clicked)
        self.save = KeyCapButton("Save as preset")
        self.save.clicked.connect(self._on_save_clicked)
        self.panel = Panel("Result")
        content = QWidget()
        inner = QVBoxLayout(content)
        inner.setContentsMargins(12, 12, 12, 12)
        inner.setSpacing(12)
        for widget in (self.means, self.gap, self.warnings, hairline(), self.table):
            inner.addWidget(widget)
        inner.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(content)
        self.panel.set_body(area)
        foot = self.panel.add_foot()
        foot.row.addWidget(self.name, 1)
        foot.row.addWidget(self.save)
        self.results = QStackedWidget()
        for widget in (self.empty, self.panel, self.failed):
            self.results.addWidget(widget)
        return self.results

    def set_can_save(self, can: bool) -> None:
        """Say whether the project takes presets; a read-only one does not."""
        self._can_save = can
        self.name.setEnabled(can)
        self.name.setToolTip("" if can else "The project is open for reading only")
        self._on_name_changed()

    def set_running(self, is_running: bool) -> None:
        """Show that a search goes on, or not."""
        self._is_running = is_running
        self.form.setEnabled(not is_running)
        self.bar.setVisible(is_running)
        self.start.setText("Stop" if is_running else "Search")
        if is_running:
            self.bar.setRange(0, 0)
            self.stage.setText("Reading …")
        self._on_form_changed()

    def show_progress(self, event: SearchProgress) -> None:
        """Show how far the search is."""
        if self._is_running:
            self.bar.setRange(0, event.total)
            self.bar.setValue(event.done)
            self.stage.setText(f"{event.stage}: best {figure(event.best, 3)}")

    def show_result(self, result: TuningResult) -> None:
        """Show what was found."""
        self.result = result
        self.stage.setText("")
        self.means.set_result(result)
        self.gap.setText(_gap_words(result))
        self.gap.setVisible(result.gap is not None)
        self.warnings.setText("\n".join(f"! {text}" for text in result.warnings))
        self.warnings.setVisible(bool(result.warnings))
        self.model.set_rows(result.parameters)
        self.table.setFixedHeight(HEAD_PX + ROW_PX * len(result.parameters) + 4)
        self.panel.set_title("Result", _facts(result))
        self.results.setCurrentWidget(self.panel)
        self._on_name_changed()

    def show_stopped(self) -> None:
        """Say that the search was stopped and goes on where it was."""
        self.stage.setText("Stopped. The same search goes on from here.")

    def show_error(self, words: str) -> None:
        """Say why there is no result."""
        self.stage.setText("")
        self.failed.set_words("The search could not be done", words)
        self.results.setCurrentWidget(self.failed)

    def resizeEvent(self, event: QResizeEvent) -> None:  # @override
        super().resizeEvent(event)
        self.table.setColumnHidden(PUT_BACK, self.width() < _NARROW_PX)

    @Slot()
    def _on_form_changed(self) -> None:
        self.start.setEnabled(self._is_running or bool(self.form.chosen()))

    @Slot()
    def _on_start_clicked(self) -> None:
        if self._is_running:
            self.stop_asked.emit()
        else:
            self.search_asked.emit(self.form.spec())

    @Slot()
    def _on_name_changed(self, *_: object) -> None:
        self.save.setEnabled(self._can_save and self.result is not None and bool(self.name.text().strip()))

    @Slot()
    def _on_save_clicked(self) -> None:
        if self.save.isEnabled():
            self.save_asked.emit(self.name.text().strip())


def _change(item: PairedComparison | None) -> str:
    if item is None or item.difference is None:
        return ""
    interval = f" [{signed(item.low)}, {signed(item.high)}]" if item.low is not None else ""
    return f"{signed(item.difference)}{interval}, p {p_in_words(item.p)}"


def _gap_words(result: TuningResult) -> str:
    gap = result.gap
    if gap is None or gap.difference is None:
        return ""
    interval = f", 95 % interval {signed(gap.low)} to {signed(gap.high)}" if gap.low is not None else ""
    return f"In-sample minus out-of-sample {result.value_words}: {signed(gap.difference)}{interval}"


def _facts(result: TuningResult) -> str:
    folds = "leave one out" if result.leaves_one_out else f"{result.n_folds} folds"
    n: Any = result.fit.n_instances
    return (
        f"{n:,} instance{'' if n == 1 else 's'} · {result.n_decks:,} decks · {result.n_trials:,} points · {folds} · "
        f"seed {result.seed}"
    )
