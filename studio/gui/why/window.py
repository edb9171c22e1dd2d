"""The window that says why a deck has its numbers: the slide on the left, a tab for each metric on the right."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QSplitter,
    QStackedLayout,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from studio.actions.explanation import Explanation, explain
from studio.errors import StudioError
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.why.deck_tabs import EngagementTab, RhythmTab
from studio.gui.why.slide_pane import WhySlide
from studio.gui.why.slide_tabs import HarmonyTab, UsabilityTab
from studio.gui.why.tab import WhyTab
from studio.gui.why.table_tabs import CuesTab, FindingsTab, PercentilesTab, ResultTab
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.states import FailedState, LoadingState
from studio.model.ids import DeckId


class WhyWindow(QDialog):
    """Explains one deck at a time; PgDn and PgUp change the slide, Ctrl+Tab the tab, Esc closes."""

    slide_shown = Signal(str, int)
    """Deck id and number of the slide that is shown now."""
    explained = Signal()
    """The deck is read and everything about it is shown."""

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.explanation: Explanation | None = None
        self._deck: DeckId | None = None
        self._name = ""
        self._wanted_slide = 0
        self._preset, self._reference, self._label = "benchmark", "", ""
        self._ticket: Ticket | None = None
        self.setWindowTitle("Why these numbers")
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint, True)
        self._build()
        for keys, run in (
            ("PgDown", partial(self._step, 1)), ("PgUp", partial(self._step, -1)), ("Ctrl+Tab", partial(self._turn, 1)),
            ("Ctrl+Shift+Tab", partial(self._turn, -1)), ("Home", self._first), ("End", self._last),
        ):  # fmt: skip
            QShortcut(QKeySequence(keys), self, run)
        self.resize(1360, 820)

    def _build(self) -> None:
        self.heading = ElidedLabel()
        self.heading.setProperty("tone", "title")
        self.facts = ElidedLabel()
        self.facts.setProperty("tone", "muted")
        self.preset = QComboBox()
        self.preset.setAccessibleName("Preset")
        self.preset.setMaximumWidth(220)
        self.preset.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.preset.activated.connect(self._on_preset_chosen)
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(self.heading)
        head.addWidget(self.facts)
        head.addStretch(1)
        head.addWidget(toned_label("Preset", "muted"))
        head.addWidget(self.preset)
        self.slide = WhySlide(self.context.background, self.context.images)
        self.harmony, self.usability = HarmonyTab(), UsabilityTab()
        self.engagement, self.rhythm = EngagementTab(), RhythmTab()
        self.cues, self.findings = CuesTab(), FindingsTab()
        self.percentiles, self.result = PercentilesTab(), ResultTab()
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setUsesScrollButtons(True)
        for tab in self._tabs():
            self.tabs.addTab(tab, tab.title)
            tab.slide_picked.connect(self.show_slide)
        panel = Panel()
        panel.set_body(self.tabs)
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.addWidget(self.slide)
        self.split.addWidget(panel)
        self.split.setStretchFactor(0, 1)
        self.split.setStretchFactor(1, 1)
        self.split.setSizes([640, 700])
        self.split.setChildrenCollapsible(False)
        self.work, self.loading = self.split, LoadingState(is_slide=True)
        self.failed = FailedState("This deck cannot be explained")
        holder = QWidget()
        self._layers = QStackedLayout(holder)
        for layer in (self.work, self.loading, self.failed):
            self._layers.addWidget(layer)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 16)
        column.setSpacing(12)
        column.addLayout(head)
        column.addWidget(holder, 1)
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self.slide.slide_picked.connect(self.show_slide)
        self.slide.region_picked.connect(self.usability.select_region)
        self.usability.table.row_selected.connect(self._on_region_selected)
        self.percentiles.reference_picked.connect(self._on_reference_picked)
        self.result.label_picked.connect(self._on_label_picked)
        self.failed.retried.connect(self.reload)

    def _tabs(self) -> tuple[WhyTab, ...]:
        return (
            self.harmony, self.usability, self.engagement, self.rhythm, self.cues, self.findings, self.percentiles,
            self.result,
        )  # fmt: skip

    # what is shown

    def show_deck(self, deck: DeckId, name: str, slide: int = 0) -> None:
        """Explain a deck.

        Args:
            deck: which deck.
            name: what it is called here: the system, or a letter.
            slide: the slide to show first; the first one if 0 or not measured.
        """
        if deck != self._deck:
            self._label = ""
        self._deck, self._name, self._wanted_slide = deck, name, slide
        self.heading.set_text(name)
        self.facts.set_text("")
        self.reload()

    @Slot()
    def reload(self) -> None:
        """Read the deck anew, such as after a run."""
        if self._deck is None:
            return
        self.drop()
        if self.explanation is None or self.explanation.deck_id != self._deck:
            self._layers.setCurrentWidget(self.loading)
        read = partial(
            explain, self.context.project, self._deck, preset=self._preset, reference=self._reference, label=self._label
        )
        self._ticket = self.context.background.query(read, self._on_read, self._on_failed, owner=self)

    def drop(self) -> None:
        """Drop what is still being read."""
        if self._ticket is not None:
            self._ticket.drop()
            self._ticket = None
        self.slide.clear()

    @Slot(int)
    def show_slide(self, number: int) -> None:
        """Show a slide of the deck."""
        if self.explanation is None or number not in {slide.number for slide in self.explanation.slides}:
            return
        self.slide.show_slide(number)
        for tab in self._tabs():
            tab.show_slide(self.explanation.slide(number))
        self.slide_shown.emit(self.explanation.deck_id, number)

    def _on_read(self, explanation: Explanation) -> None:
        self._ticket = None
        is_same = self.explanation is not None and self.explanation.deck_id == explanation.deck_id
        here = self.slide.number if is_same and not self._wanted_slide else self._wanted_slide
        self.explanation = explanation
        numbers = [slide.number for slide in explanation.slides]
        self._wanted_slide = 0
        self.preset.clear()
        self.preset.addItems(explanation.presets)
        self.preset.setCurrentText(explanation.preset)
        total = explanation.scores.total
        words = "total undefined" if total.value is None else f"total {total.value:.2f}"
        size = "×".join(map(str, explanation.raster_px)) if explanation.raster_px else "size unknown"
        self.facts.set_text(f"{words} · {len(numbers)} slides · {size}")
        self.facts.setToolTip(total.undefined_reason or "")
        self._layers.setCurrentWidget(self.work)
        self.slide.show_deck(explanation)
        for tab in self._tabs():
            tab.show_deck(explanation)
        self.tabs.setTabText(self.tabs.indexOf(self.findings), _counted("Findings", len(explanation.findings)))
        self.slide.set_mode(self.tabs.currentWidget().mode)
        self.show_slide(here if here in numbers else numbers[0])
        self.explained.emit()

    def _on_failed(self, error: BaseException) -> None:
        self._ticket = None
        if not isinstance(error, StudioError):
            self.context.report(error)
        self.explanation = None
        self.failed.set_words("This deck cannot be explained", str(error))
        self._layers.setCurrentWidget(self.failed)
        self.explained.emit()

    # what the user does

    def _step(self, by: int) -> None:
        if self.explanation is not None:
            numbers = [slide.number for slide in self.explanation.slides]
            there = numbers.index(self.slide.number) + by
            if 0 <= there < len(numbers):
                self.show_slide(numbers[there])

    def _first(self) -> None:
        if self.explanation is not None:
            self.show_slide(self.explanation.slides[0].number)

    def _last(self) -> None:
        if self.explanation is not None:
            self.show_slide(self.explanation.slides[-1].number)

    def _turn(self, by: int) -> None:
        self.tabs.setCurrentIndex((self.tabs.currentIndex() + by) % self.tabs.count())

    @Slot(int)
    def _on_tab_changed(self, _place: int) -> None:
        self.slide.set_mode(self.tabs.currentWidget().mode)

    @Slot(object)
    def _on_region_selected(self, row: object) -> None:
        self.slide.mark_region(row.place)

    @Slot(int)
    def _on_preset_chosen(self, _place: int) -> None:
        self._preset = self.preset.currentText()
        self.reload()

    @Slot(str)
    def _on_reference_picked(self, name: str) -> None:
        self._reference = name
        self.reload()

    @Slot(str)
    def _on_label_picked(self, label: str) -> None:
        self._label = label
        self.reload()

    def closeEvent(self, event: QCloseEvent) -> None:  # @override
        self.drop()
        super().closeEvent(event)


def _counted(words: str, number: int) -> str:
    return f"{words} · {number}" if number else words
