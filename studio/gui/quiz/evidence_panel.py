"""The source beside a question: one page as text, with the quote highlighted, and which pages are asked after."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QComboBox, QFrame, QPlainTextEdit, QStackedWidget, QTextEdit, QVBoxLayout, QWidget

from studio.gui import theme
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel
from studio.gui.widgets.states import EmptyState
from studio.quiz.quotes import NamedPages, QuoteFinder, QuotePlace

MARK_ALPHA = 70


class EvidencePanel(Panel):
    """Shows pages of an instance's sources; `show_quote` goes to a quote, a selection can become one."""

    quote_chosen = Signal(str, str, int)
    """Words that were marked, source and page: they are to be the question's quote."""

    def __init__(self) -> None:
        super().__init__("Source", " ")
        self._finder: QuoteFinder | None = None
        self._places: list[tuple[str, int]] = []
        self._covered: Mapping[tuple[str, int], int] = {}
        self._mark: QuotePlace | None = None
        self.pages = QComboBox()
        self.pages.setAccessibleName("Page of the source")
        self.pages.setMinimumWidth(120)
        self.pages.currentIndexChanged.connect(self._on_page_chosen)
        self.previous, self.next = KeyCapButton("‹", is_compact=True), KeyCapButton("›", is_compact=True)
        for button, words, slot in (
            (self.previous, "Previous page", self._on_previous), (self.next, "Next page", self._on_next),
        ):  # fmt: skip
            button.setAccessibleName(words)
            button.setToolTip(words)
            button.clicked.connect(slot)
        for control in (self.pages, self.previous, self.next):
            self.head.add_control(control)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setStyleSheet("border: 0;")
        self.text.document().setDocumentMargin(12)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName("Source text")
        self.empty = EmptyState("No source", "This instance has no source that can be read.", icon_name="file")
        self.states = QStackedWidget()
        self.states.addWidget(self.text)
        self.states.addWidget(self.empty)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.states)
        self.set_body(body)
        foot = self.add_foot()
        self.take = KeyCapButton("Use selection as quote", is_compact=True)
        self.take.setEnabled(False)
        self.take.clicked.connect(self._on_take)
        self.message = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.message.setProperty("tone", "muted")
        foot.row.addWidget(self.take)
        foot.row.addWidget(self.message, 1)
        self.text.selectionChanged.connect(self._on_selection)
        self._can_take = False
        theme.current().theme_changed.connect(self._draw_mark)

    def show_sources(
        self, pages: tuple[NamedPages, ...], finder: QuoteFinder | None, covered: Mapping[tuple[str, int], int], *,
        unread: str, can_take: bool,
    ) -> None:  # fmt: skip
        """Show the sources of an instance; the page that is shown stays if it is there still."""
        here = self._places[self.pages.currentIndex()] if self._places and self.pages.currentIndex() >= 0 else None
        self._finder, self._covered, self._can_take = finder, covered, can_take
        self._places = [(source.name, page.number) for source in pages for page in source.pages]
        self.pages.blockSignals(True)
        self.pages.clear()
        for source, number in self._places:
            n = covered.get((source, number), 0)
            name = f"{source} · " if len(pages) > 1 else ""
            self.pages.addItem(f"{name}page {number}" + (f"  ({n})" if n else ""))
        self.pages.setCurrentIndex(self._places.index(here) if here in self._places else 0)
        self.pages.blockSignals(False)
        asked = sum(map(bool, covered.values()))
        self.head.set_facts(f"{asked} / {len(covered)} pages asked" if covered else " ")
        words = f"Questions reach {asked} of {len(covered)} pages." if covered else ""
        self.head.facts_label.setToolTip("\n".join(each for each in (words, unread) if each))
        self.empty.set_words("No source", unread or "This instance has no source documents.")
        self.states.setCurrentWidget(self.text if self._places else self.empty)
        self._mark = None
        self._show_page()

    def show_quote(self, quote: str, *, source: str = "", page: int | None = None) -> bool:
        """Go to a quote and highlight it; return whether it stands in the sources."""
        place = self._finder.place(quote, source=source, page=page) if self._finder and quote.strip() else None
        self._mark = place
        if place is not None and (place.source, place.page) in self._places:
            self.pages.blockSignals(True)
            self.pages.setCurrentIndex(self._places.index((place.source, place.page)))
            self.pages.blockSignals(False)
        self._show_page()
        if not quote.strip():
            self._say("No quote yet: mark the words here and take them.")
        elif place is None:
            self._say("The quote stands in no source, word for word.", "bad")
        else:
            self._say(f"Found word for word on page {place.page}.")
        return place is not None

    def _say(self, words: str, tone: str = "muted") -> None:
        self.message.setProperty("tone", tone)
        self.message.style().unpolish(self.message)
        self.message.style().polish(self.message)
        self.message.set_text(words)

    def _here(self) -> tuple[str, int] | None:
        at = self.pages.currentIndex()
        return self._places[at] if 0 <= at < len(self._places) else None

    def _show_page(self) -> None:
        here = self._here()
        words = self._finder.page_text(*here) if self._finder is not None and here is not None else ""
        if self.text.toPlainText() != words:
            self.text.setPlainText(words)
        self.previous.setEnabled(self.pages.currentIndex() > 0)
        self.next.setEnabled(self.pages.currentIndex() < len(self._places) - 1)
        self._draw_mark()

    @Slot()
    def _draw_mark(self) -> None:
        here, mark = self._here(), self._mark
        selections = []
        if mark is not None and here == (mark.source, mark.page):
            cursor = QTextCursor(self.text.document())
            cursor.setPosition(mark.start)
            cursor.setPosition(mark.end, QTextCursor.MoveMode.KeepAnchor)
            style = QTextCharFormat()
            colour = QColor(theme.color("accent"))
            colour.setAlpha(MARK_ALPHA)
            style.setBackground(colour)
            selection = QTextEdit.ExtraSelection()
            selection.cursor, selection.format = cursor, style
            selections = [selection]
            seen = QTextCursor(self.text.document())
            seen.setPosition(mark.start)
            self.text.setTextCursor(seen)
            self.text.centerCursor()
        self.text.setExtraSelections(selections)

    @Slot(int)
    def _on_page_chosen(self, _index: int) -> None:
        self._show_page()

    @Slot()
    def _on_previous(self) -> None:
        self.pages.setCurrentIndex(self.pages.currentIndex() - 1)

    @Slot()
    def _on_next(self) -> None:
        self.pages.setCurrentIndex(self.pages.currentIndex() + 1)

    @Slot()
    def _on_selection(self) -> None:
        self.take.setEnabled(self._can_take and self.text.textCursor().hasSelection())

    @Slot()
    def _on_take(self) -> None:
        here = self._here()
        # Qt has its own sign for a line break within a selection.
        words = self.text.textCursor().selectedText().replace("\u2029", "\n").strip()
        if here is not None and words:
            self.quote_chosen.emit(words, here[0], here[1])
