"""The window that says what a deck's content lacks: four scores, what to change, and the deck as it would be."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from studio.actions.content import Content, content_of, save_suggested
from studio.actions.viewing import DeckOnView
from studio.errors import StudioError
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.lab_window import LabWindow
from studio.gui.model_card_window import ModelCardWindow
from studio.gui.widgets.deck_stage import DeckStage
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.film_strip import FilmStrip, StripSlide
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.states import FailedState, LoadingState
from studio.metrics.flags import FLAGS
from studio.metrics.registry import METRICS
from studio.model.decks import thumb_file_name
from studio.model.ids import DeckId
from studio.reflex.explanations import Suggestion
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
    scored = Signal()

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._ticket: Ticket | None = None
        self._view: DeckOnView | None = None
        self.content: Content | None = None
        self.setWindowTitle("Content")
        self._build()
        self.resize(980, 720)

    def _build(self) -> None:
        self.heading = ElidedLabel()
        self.heading.setProperty("tone", "title")
        self.note = toned_label(
            "Scores from the words alone, 0 to 1; the model learned from English research talks, and nobody has "
            "compared it with people yet.", "muted",
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
        self.lines = QListWidget()
        self.lines.setAccessibleName("What to change")
        self.lines.setWordWrap(True)
        self.lines.itemActivated.connect(self._on_line)
        self.lines.itemClicked.connect(self._on_line)
        changes = Panel("What to change")
        changes.set_body(self.lines)
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
        self.card = KeyCapButton("Model card…")
        self.card.setAutoDefault(False)
        self.card.clicked.connect(self.card_asked)
        self.said = ElidedLabel()
        self.said.setProperty("tone", "muted")
        for button in (self.card, self.lab, self.save, self.apply):
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.said)
        buttons.addStretch(1)
        buttons.addWidget(self.card)
        buttons.addWidget(self.lab)
        buttons.addWidget(self.save)
        buttons.addWidget(self.apply)
        self.work = QWidget()
        column = QVBoxLayout(self.work)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addLayout(row)
        column.addWidget(changes, 1)
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
        self.lines.clear()
        for score in content.scores:
            self._show_score(score)
        for score in content.scores:
            for each in score.suggestions:
                if not each.is_firm:
                    self._add(f"Less sure · {METRICS[f'reflex.{score.metric.value}'].title}: {each.text}", each)
        self.apply.setEnabled(content.is_changed)
        self.apply.setToolTip("" if content.is_changed else "No slide is to be moved or taken out")
        self._layers.setCurrentWidget(self.work)
        self.lines.setCurrentRow(0)
        self.lines.setFocus()
        self.scored.emit()

    def _show_score(self, score: ContentScore) -> None:
        name = f"reflex.{score.metric.value}"
        flagged = " · language not trained on" if UNTRAINED_LANGUAGE in score.flags else ""
        self.scores[name].set_text("undefined" if score.value is None else f"{score.value:.2f}{flagged}")
        rules = [FLAGS[flag].rule for flag in score.flags if flag in FLAGS]
        self.scores[name].setToolTip(score.undefined_reason or " ".join(rules))
        title = METRICS[name].title
        if score.undefined_reason:
            self._add(f"{title}: undefined, {score.undefined_reason}.", None)
        elif not score.suggestions:
            self._add(f"{title}: {score.explanation}", None)
        elif not any(each.is_firm for each in score.suggestions):
            self._add(f"{title}: nothing is sure enough to be changed; see below.", None)
        for each in score.suggestions:
            if each.is_firm:
                self._add(f"{title}: {each.text}", each)

    def _add(self, words: str, found: Suggestion | None) -> None:
        item = QListWidgetItem(words)
        item.setData(Qt.ItemDataRole.UserRole, found)
        if found is not None:
            item.setToolTip(f"Likelihood {found.chance:.2f}, evidence {found.evidence:.2f}")
        self.lines.addItem(item)

    def _on_failed(self, error: BaseException) -> None:
        self._ticket = None
        if isinstance(error, StudioError):
            self.failed.set_error(error)
        else:
            self._context.report(error)
        self._layers.setCurrentWidget(self.failed)
        self.scored.emit()

    @Slot(QListWidgetItem)
    def _on_line(self, item: QListWidgetItem) -> None:
        found: Suggestion | None = item.data(Qt.ItemDataRole.UserRole)
        if found is None or self._view is None:
            return
        number = found.slide if found.slide is not None else found.other
        if number:
            self.slide_picked.emit(self._view.id, number)
        if found.slide is None:
            self.topic_picked.emit(found.topic)

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
        if self.content is None or self._view is None or not self.content.is_changed:
            return
        thumbs = {
            slide.number: self._view.folder / thumb_file_name(slide.number)
            for slide in self._view.slides
            if self._view.folder is not None
        }
        self.strip.set_slides(
            [StripSlide(number=number, thumbnail=thumbs.get(number)) for number in self.content.order],
            aspect=self._view.aspect,
        )
        gone = len(self.content.deck.slides) - len(self.content.order)
        self.preview.set_title("The deck as it would be", f"{len(self.content.order)} slides, {gone} left out")
        self.preview.show()
        self.save.setEnabled(True)
        self.said.set_text("A preview: no file was changed.")

    @Slot()
    def _on_save(self) -> None:
        if self.content is None or self._view is None:
            return
        chosen, _ = QFileDialog.getSaveFileName(self, "Save as a copy", f"{self._view.name}-suggested.pptx")
        if chosen:
            self.save_copy(Path(chosen))

    def save_copy(self, out: Path) -> None:
        """Write the deck as it would be to a new file."""
        assert self.content is not None
        write = partial(save_suggested, self._context.project, self.content.deck_id, self.content.order, out)
        self._context.background.query(write, self._on_saved, self._on_not_saved, owner=self)

    def _on_saved(self, path: Path) -> None:
        self.said.set_text(f"Saved as {path.name}.")

    def _on_not_saved(self, error: BaseException) -> None:
        self.said.set_text(str(error))
        if not isinstance(error, StudioError):
            self._context.report(error)


class ContentOpener(QObject):
    """Owns the window and keeps it in step with a stage."""

    topic_picked = Signal(str)

    def __init__(self, context: AppContext, stage: DeckStage, parent: QWidget) -> None:
        super().__init__(parent)
        self._context, self._stage, self._page = context, stage, parent
        self.window: ContentWindow | None = None
        self.lab: LabWindow | None = None
        self.card: ModelCardWindow | None = None

    def open(self) -> None:
        """Show the content of the deck that has the focus."""
        deck = self._stage.deck(self._stage.focused)
        if deck is None or self._context.is_blind:
            return
        if self.window is None:
            self.window = ContentWindow(self._context, self._page)
            self.window.slide_picked.connect(self._on_slide_picked)
            self.window.topic_picked.connect(self.topic_picked)
            self.window.lab_asked.connect(self._on_lab_asked)
            self.window.card_asked.connect(self.open_card)
        self.window.show_deck(deck)
        self.window.show()
        self.window.activateWindow()

    def open_lab(self) -> None:
        """Show the sensitivity lab of the deck that has the focus."""
        deck = self._stage.deck(self._stage.focused)
        if deck is not None and not self._context.is_blind:
            self._on_lab_asked(deck.id, deck.name)

    @Slot()
    def open_card(self) -> None:
        """Show the model card: what the scores rest on."""
        if self.card is None:
            self.card = ModelCardWindow(self._context, self._page)
        self.card.show()
        self.card.activateWindow()

    @Slot(str, str)
    def _on_lab_asked(self, deck_id: str, name: str) -> None:
        if self.lab is None:
            self.lab = LabWindow(self._context, self._page)
        self.lab.show_deck(DeckId(deck_id), name)
        self.lab.show()
        self.lab.activateWindow()

    def close(self) -> None:
        """Close the windows and let go of them."""
        if self.lab is not None:
            self.lab.drop()
            self.lab.close()
            self.lab.deleteLater()
            self.lab = None
        if self.card is not None:
            self.card.drop()
            self.card.close()
            self.card.deleteLater()
            self.card = None
        if self.window is not None:
            self.window.drop()
            self.window.close()
            self.window.deleteLater()
            self.window = None

    @Slot(str, int)
    def _on_slide_picked(self, deck_id: str, number: int) -> None:
        if self._stage.deck(deck_id) is not None:
            self._stage.show_slide(DeckId(deck_id), number)
