"""The window that says what a deck's content lacks: four scores, what to change, and the deck as it would be."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from studio.actions.content import (
    Content,
    Line,
    content_of,
    moved_slides,
    order_in_words,
    save_suggested,
    suggested_order,
)
from studio.actions.viewing import DeckOnView
from studio.errors import StudioError
from studio.gui.background import Ticket
from studio.gui.content_evidence import EvidencePanel, strip_slides
from studio.gui.context import AppContext
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.film_strip import FilmStrip
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.states import FailedState, LoadingState
from studio.gui.widgets.suggestion_list import SuggestionList
from studio.metrics.flags import FLAGS
from studio.metrics.registry import METRICS
from studio.reflex.language import UNTRAINED_LANGUAGE
from studio.reflex.scorer import ContentScore

_PREVIEW_PX = 84


class ContentWindow(QDialog):
    """Shows one deck at a time; Enter on a line goes to its slide, Esc closes."""

    slide_picked = Signal(str, int)
    """Deck id and slide number."""
    topic_picked = Signal(str)
    """A section of the source that is missing from the deck."""
    lab_asked = Signal(str, str)
    """Deck id and name."""
    card_asked = Signal()
    paper_asked = Signal()
    summaries_asked = Signal()
    scored = Signal()

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._ticket: Ticket | None = None
        self._view: DeckOnView | None = None
        self.content: Content | None = None
        self.setWindowTitle("Content")
        self._build()
        self.resize(1100, 760)

    def _build(self) -> None:
        self.heading = ElidedLabel()
        self.heading.setProperty("tone", "title")
        self.note = toned_label(
            "Scores from the words alone, 0 to 1. The model learned from English research talks made worse on purpose, "
            "not from people; how well it agrees with yours stands on Align.", "muted",
        )  # fmt: skip
        self.note.setWordWrap(True)
        self.scores: dict[str, ElidedLabel] = {}
        row = QHBoxLayout()
        row.setSpacing(12)
        for name in (each for each in METRICS if each.startswith("reflex.")):
            panel = Panel(METRICS[name].title)
            label = ElidedLabel()
            label.setProperty("tone", "heading")
            self.scores[name] = label
            panel.set_body(label, margin=12)
            row.addWidget(panel, 1)
        self.lines = SuggestionList()
        self.lines.line_opened.connect(self._on_line)
        self.lines.line_shown.connect(self._show_evidence)
        self.lines.choice_changed.connect(self._on_choice)
        changes = Panel("What to change", "Enter goes there, Space ticks what is applied")
        changes.set_body(self.lines)
        self.evidence = EvidencePanel(self._context)
        self.evidence.slide_picked.connect(self._on_strip)
        middle = QSplitter(Qt.Orientation.Horizontal)
        middle.setChildrenCollapsible(False)
        middle.setHandleWidth(12)
        middle.addWidget(changes)
        middle.addWidget(self.evidence)
        middle.setStretchFactor(0, 3)
        middle.setStretchFactor(1, 1)
        middle.setSizes([760, 300])
        self.strip = FilmStrip(self._context.background, self._context.images, thumb_px=_PREVIEW_PX)
        self.strip.slide_picked.connect(self._on_strip)
        self.preview = Panel("The deck as it would be")
        self.preview.set_body(self.strip)
        self.preview.hide()
        self.apply = KeyCapButton("Apply suggestions", "Ctrl+Enter", is_primary=True)
        self.apply.setShortcut("Ctrl+Return")
        self.apply.setAutoDefault(False)
        self.apply.clicked.connect(self.show_preview)
        self.save = KeyCapButton("Save as a copy…", "Ctrl+S")
        self.save.setShortcut("Ctrl+S")
        self.save.setAutoDefault(False)
        self.save.setEnabled(False)
        self.save.clicked.connect(self._on_save)
        self.lab = KeyCapButton("Sensitivity lab…", "Ctrl+L")
        self.lab.setShortcut("Ctrl+L")
        self.lab.setAutoDefault(False)
        self.lab.setToolTip("Make this deck worse on purpose, and see which metric or judge notices what")
        self.lab.clicked.connect(self._on_lab)
        self.more = KeyCapButton("More…")
        self.more.setAutoDefault(False)
        self.more.setMenu(QMenu(self.more))
        for words, asked in (
            ("Model card: what the scores rest on", self.card_asked),
            ("Tables and figures of the REFLEX paper", self.paper_asked),
            ("Summaries of the source, by its own sentences or a judge", self.summaries_asked),
        ):
            self.more.menu().addAction(words).triggered.connect(asked)
        self.said = ElidedLabel()
        self.said.setProperty("tone", "muted")
        for button in (self.more, self.lab, self.save, self.apply):
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.said)
        buttons.addStretch(1)
        buttons.addWidget(self.more)
        buttons.addWidget(self.lab)
        buttons.addWidget(self.save)
        buttons.addWidget(self.apply)
        self.work = QWidget()
        column = QVBoxLayout(self.work)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addLayout(row)
        column.addWidget(middle, 1)
        column.addWidget(self.preview)
        column.addLayout(buttons)
        self.loading, self.failed = LoadingState(is_slide=False), FailedState("The content cannot be scored")
        self.failed.retried.connect(self.reload)
        holder = QWidget()
        self._layers = QStackedLayout(holder)
        for layer in (self.work, self.loading, self.failed):
            self._layers.addWidget(layer)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 12, 16, 16)
        outer.setSpacing(12)
        outer.addWidget(self.heading)
        outer.addWidget(self.note)
        outer.addWidget(holder, 1)

    def show_deck(self, view: DeckOnView) -> None:
        """Score a deck and say what to change."""
        self._view = view
        self.heading.set_text(view.name)
        self.reload()

    @Slot()
    def reload(self) -> None:
        """Score the deck anew."""
        if self._view is None:
            return
        self.drop()
        self.content = None
        self.preview.hide()
        self.save.setEnabled(False)
        self.said.set_text("")
        self._layers.setCurrentWidget(self.loading)
        read = partial(content_of, self._context.project, self._view.id)
        self._ticket = self._context.background.query(read, self._on_scored, self._on_failed, owner=self)

    def drop(self) -> None:
        """Drop what is still being scored."""
        if self._ticket is not None:
            self._ticket.drop()
            self._ticket = None

    def _on_scored(self, content: Content) -> None:
        self._ticket = None
        self.content = content
        for score in content.scores:
            self._show_score(score)
        self.lines.set_content(content)
        self._show_evidence(self.lines.current_line())
        self._on_choice()
        self._layers.setCurrentWidget(self.work)
        self.lines.setFocus()
        self.scored.emit()

    def _show_score(self, score: ContentScore) -> None:
        name = f"reflex.{score.metric.value}"
        flagged = " · language not trained on" if UNTRAINED_LANGUAGE in score.flags else ""
        self.scores[name].set_text("undefined" if score.value is None else f"{score.value:.2f}{flagged}")
        rules = [FLAGS[flag].rule for flag in score.flags if flag in FLAGS]
        self.scores[name].setToolTip(score.undefined_reason or " ".join(rules))

    @property
    def order(self) -> tuple[int, ...]:
        """Slide numbers of the deck as the ticked lines would have it."""
        return suggested_order(self.content.deck, self.lines.chosen()) if self.content is not None else ()

    @Slot()
    def _on_choice(self) -> None:
        """Say what the ticked lines come to; a preview that is open follows them."""
        assert self.content is not None
        is_changed = self.order != tuple(slide.number for slide in self.content.deck.slides)
        has_any = any(line.can_be_applied for line in self.lines.all_lines())
        self.apply.setEnabled(is_changed)
        why = "Tick a line first" if has_any else "No slide is to be moved or taken out"
        self.apply.setToolTip("" if is_changed else why)
        if self.preview.isVisible():
            self.show_preview()
        self.save.setEnabled(is_changed and self.preview.isVisible())

    @Slot(object)
    def _show_evidence(self, line: Line | None) -> None:
        if self.content is not None and self._view is not None:
            self.evidence.show_line(line, self.content, self._view)

    def _on_failed(self, error: BaseException) -> None:
        self._ticket = None
        if isinstance(error, StudioError):
            self.failed.set_error(error)
        else:
            self._context.report(error)
        self._layers.setCurrentWidget(self.failed)
        self.scored.emit()

    @Slot(object)
    def _on_line(self, line: Line) -> None:
        if self._view is None:
            return
        if line.slides:
            self.slide_picked.emit(self._view.id, line.slides[0])
        if line.suggestion.slide is None:
            self.topic_picked.emit(line.suggestion.topic)

    @Slot()
    def _on_lab(self) -> None:
        if self._view is not None:
            self.lab_asked.emit(self._view.id, self._view.name)

    @Slot(int)
    def _on_strip(self, number: int) -> None:
        if self._view is not None:
            self.slide_picked.emit(self._view.id, number)

    @Slot()
    def show_preview(self) -> None:
        """Show the deck as it would be; no file changes."""
        if self.content is None or self._view is None:
            return
        view, order = self._view, self.order
        before = [slide.number for slide in self.content.deck.slides]
        moved = set(moved_slides([number for number in before if number in set(order)], order))
        self.strip.set_slides(
            [
                replace(each, mark="alert", name=f"Slide {each.number}, moved") if each.number in moved else each
                for each in strip_slides(view, order)
            ],
            aspect=view.aspect,
        )
        self.preview.set_title("The deck as it would be", order_in_words(self.content.deck, order))
        self.preview.show()
        is_changed = list(order) != before
        self.save.setEnabled(is_changed)
        self.said.set_text("A preview: no file was changed." if is_changed else "Nothing is ticked.")

    @Slot()
    def _on_save(self) -> None:
        if self.content is None or self._view is None:
            return
        chosen, _ = QFileDialog.getSaveFileName(
            self, "Save as a copy", f"{self._view.name}-suggested{self.content.suffix}"
        )
        if chosen:
            self.save_copy(Path(chosen))

    def save_copy(self, out: Path) -> None:
        """Write the deck as it would be to a new file."""
        assert self.content is not None
        write = partial(save_suggested, self._context.project, self.content.deck_id, self.order, out)
        self._context.background.query(write, self._on_saved, self._on_not_saved, owner=self)

    def _on_saved(self, path: Path) -> None:
        self.said.set_text(f"Saved as {path.name}.")

    def _on_not_saved(self, error: BaseException) -> None:
        self.said.set_text(str(error))
        if not isinstance(error, StudioError):
            self._context.report(error)
