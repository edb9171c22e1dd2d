"""The sources of an instance as text, page by page, and the search over decks and sources."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QTextCursor, QWheelEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QMenu,
    QPlainTextEdit,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from studio.actions.protected import open_source
from studio.actions.sources import Found, Hit, SourceReader
from studio.errors import Cancelled, DeckUnreadable, StudioError
from studio.gui import theme
from studio.gui.background import Background, Ticket
from studio.gui.dialogs.password import PasswordDialog
from studio.gui.icons import icon
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.hit_list import ROW_PX, HitModel, HitRow
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, hairline
from studio.gui.widgets.source_marks import embolden, highlight
from studio.gui.widgets.source_words import where_found
from studio.gui.widgets.states import EmptyState, FailedState, LoadingState
from studio.model.checklists import SourceQuote
from studio.model.decks import FailureKind, Source, SourceText
from studio.model.ids import DeckId, InstanceId
from studio.sessions.source_quotes import place_of_quote, place_of_source
from studio.store import decks as deck_store

SEARCH_MS = 250
SMALLEST_PX, LARGEST_PX = 10, 28
HITS_SHOWN = 6
HEADING_LIMIT = 300
ROOMY_PX = 560
"""Below this width the head keeps only the page and the search; Ctrl and the wheel still resize the text."""


class SourcePanel(Panel):
    """Shows one page of one source, and lists where a phrase stands in decks and sources."""

    slide_asked = Signal(str, int, int, int, str)
    """Deck id, slide number, start and end in its text, and which part: text or notes."""
    searched = Signal()
    """The hits of the latest search are listed, or it is said that there are none."""
    page_shown = Signal()
    closed = Signal()
    """Escape took the cursor out of the search; nothing has the keyboard now."""

    def __init__(self, background: Background, reader: SourceReader, *, search_key: str = "Ctrl+F") -> None:
        super().__init__("Source", " ")
        self._background, self._reader = background, reader
        self._project: Any = None
        self._cancel = threading.Event()
        self._ticket: Ticket | None = None
        self._search_ticket: Ticket | None = None
        self._instance: InstanceId | None = None
        self._decks: dict[DeckId, str] = {}
        self._sources: list[Source] = []
        self._text: SourceText | None = None
        self._page = 0
        self._phrase = ""
        self._found: tuple[Hit, ...] = ()
        self._wanted: tuple[int, int, int] | None = None
        self._quote: SourceQuote | None = None
        self._origin = ""
        self._size_px = theme.BODY_PX
        self._build(search_key)

    def _build(self, search_key: str) -> None:
        self.previous = KeyCapButton("‹", is_compact=True)
        self.next = KeyCapButton("›", is_compact=True)
        self.contents = KeyCapButton("Contents", is_compact=True)
        self.smaller = KeyCapButton("A−", is_compact=True)
        self.larger = KeyCapButton("A+", is_compact=True)
        self.find = KeyCapButton("", search_key, is_compact=True, icon=icon("search"))
        for button, tip in (
            (self.previous, "Previous page"), (self.next, "Next page"), (self.contents, "Go to a heading"),
            (self.smaller, "Smaller text"), (self.larger, "Larger text"), (self.find, "Search decks and sources"),
        ):  # fmt: skip
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            self.head.add_control(button)
        self.tabs = QTabBar()
        self.tabs.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search decks and sources")
        self.search.installEventFilter(self)
        self.search_row = QWidget()
        row = QHBoxLayout(self.search_row)
        row.setContentsMargins(12, 8, 12, 8)
        row.addWidget(self.search, 1)
        self.page_text = QPlainTextEdit()
        self.page_text.setReadOnly(True)
        self.page_text.setFrameShape(QFrame.Shape.NoFrame)
        self.page_text.document().setDocumentMargin(12)
        self.page_text.setTabChangesFocus(True)
        self.page_text.setStyleSheet("border: 0;")
        self.page_text.setAccessibleName("Source text")
        self.page_text.viewport().installEventFilter(self)
        self.loading = LoadingState()
        self.empty = EmptyState("No source", "This instance has no source documents.", icon_name="file")
        self.failed = FailedState("The source cannot be read", details="Give the password")
        self.body_stack = QStackedWidget()
        for widget in (self.page_text, self.loading, self.empty, self.failed):
            self.body_stack.addWidget(widget)
        self.hits = QListView()
        self.hit_model = HitModel(self)
        self.hits.setModel(self.hit_model)
        self.hits.setItemDelegate(HitRow(self.hits))
        self.hits.setUniformItemSizes(True)
        self.hits.setMouseTracking(True)
        self.hits.setAccessibleName("Hits")
        self.hits_line = hairline()
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget, stretch in (
            (self.tabs, 0), (self.search_row, 0), (self.hits, 0), (self.hits_line, 0), (self.body_stack, 1),
        ):  # fmt: skip
            column.addWidget(widget, stretch)
        self.set_body(body)
        self.foot = self.add_foot()
        self.message = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.message.setProperty("tone", "muted")
        self.foot.row.addWidget(self.message, 1, Qt.AlignmentFlag.AlignLeft)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(SEARCH_MS)
        self._typing.timeout.connect(self._on_typing_settled)
        self.search.textEdited.connect(self._on_text_edited)
        self.search.returnPressed.connect(self._on_return)
        self.hits.clicked.connect(self._on_hit)
        self.hits.activated.connect(self._on_hit)
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self.previous.clicked.connect(self._on_previous)
        self.next.clicked.connect(self._on_next)
        self.smaller.clicked.connect(self._on_smaller)
        self.larger.clicked.connect(self._on_larger)
        self.find.clicked.connect(self.focus_search)
        self.contents.clicked.connect(self._on_contents)
        self.failed.retried.connect(self._read_current)
        self.failed.details_asked.connect(self.ask_password)
        theme.current().theme_changed.connect(self._mark)
        self._show_search(is_on=False)
        self._say("")

    def resizeEvent(self, event: object) -> None:  # @override
        super().resizeEvent(event)
        self._fit_head()
        self._fit_hits()

    def _fit_hits(self) -> None:
        most = max(2, min(HITS_SHOWN, int(self.height() * 0.4) // ROW_PX))
        self.hits.setFixedHeight(ROW_PX * max(1, min(most, self.hit_model.rowCount())))

    def _fit_head(self) -> None:
        has_room = self.width() >= ROOMY_PX
        self.smaller.setVisible(has_room)
        self.larger.setVisible(has_room)
        self.contents.setVisible(has_room and bool(self._text and self._text.headings))

    # what others ask for

    def show_instance(self, project: Any, instance_id: InstanceId | None, decks: Mapping[DeckId, str]) -> None:
        """Show the sources of an instance; `decks` are searched too, under these names."""
        self._decks = dict(decks)
        if instance_id == self._instance and instance_id is not None:
            # The same instance again: only sources that came or went are worth losing one's place for.
            if self._ticket is None:
                self._ticket = self._background.query(
                    partial(deck_store.list_sources, project, instance_id), self._on_sources_again, self._on_failed,
                    owner=self,
                )  # fmt: skip
            return
        self.stop()
        self._cancel = threading.Event()
        self._project, self._instance = project, instance_id
        self._sources, self._text, self._phrase, self._wanted = [], None, "", None
        self._quote = None
        self._found = ()
        self.search.clear()
        self._show_search(is_on=False)
        self._show_tabs()
        self._say("")
        if instance_id is None:
            self.body_stack.setCurrentWidget(self.empty)
            return
        self.body_stack.setCurrentWidget(self.loading)
        self._ticket = self._background.query(
            partial(deck_store.list_sources, project, instance_id), self._on_sources, self._on_failed, owner=self
        )

    def stop(self) -> None:
        """Let go of what is being read or searched."""
        self._cancel.set()
        self._typing.stop()
        for ticket in (self._ticket, self._search_ticket):
            if ticket is not None:
                ticket.drop()
        self._ticket = self._search_ticket = None

    @Slot()
    def focus_search(self) -> None:
        """Open the search and put the cursor into it."""
        self._show_search(is_on=True)
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def close_search(self) -> bool:
        """Close the search with its hits; return whether it was open."""
        if self.search_row.isHidden():
            return False
        self._typing.stop()
        self.search.clear()
        self._start_search("", sources_only=False)
        self._show_search(is_on=False)
        return True

    def find_phrase(self, phrase: str, origin: str) -> None:
        """Look for a phrase of a slide in the sources and say whether it is there.

        Args:
            phrase: what was selected.
            origin: where it was selected, such as "deck B, slide 5".
        """
        self._origin = origin
        self._show_search(is_on=False)
        self._start_search(phrase, sources_only=True)

    # reading

    def place_shown(self) -> tuple[str, int, str] | None:
        """Return the source's name, the page shown, from 1, and the words selected there; None if no text is shown."""
        source = self._current()
        if source is None or self._text is None or self.body_stack.currentWidget() is not self.page_text:
            return None
        return source.name, self._page, self.page_text.textCursor().selectedText().replace("\u2029", "\n").strip()

    def show_quote(self, quote: SourceQuote) -> None:
        """Show the page of a source that a quote is from, with the quote marked if it stands there."""
        self._quote = quote
        self._show_wanted_quote()

    def _show_wanted_quote(self) -> None:
        quote = self._quote
        place = None if quote is None else place_of_source(quote.source, [each.name for each in self._sources])
        if quote is None or place is None:
            return
        if place != self.tabs.currentIndex():
            self.tabs.setCurrentIndex(place)
        elif self._text is not None:
            self._quote = None
            number, start, end = place_of_quote(quote, [page.text for page in self._text.pages])
            self._show_page(number, select=(start, end) if end > start else None)
            if end > start:
                cursor = self.page_text.textCursor()
                cursor.setPosition(start)
                cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                self.page_text.setTextCursor(cursor)

    def _show_tabs(self) -> None:
        self.tabs.blockSignals(True)
        while self.tabs.count():
            self.tabs.removeTab(0)
        for source in self._sources:
            self.tabs.setTabToolTip(self.tabs.addTab(source.name), source.name)
        self.tabs.blockSignals(False)
        self.tabs.setVisible(len(self._sources) > 1)
        self._show_page_number()

    def _on_sources(self, sources: list[Source]) -> None:
        self._ticket = None
        self._sources = sources
        self._show_tabs()
        if not sources:
            self.body_stack.setCurrentWidget(self.empty)
        else:
            self._read_current()

    def _on_sources_again(self, sources: list[Source]) -> None:
        self._ticket = None
        if sources != self._sources:
            self._on_sources(sources)

    def _current(self) -> Source | None:
        place = max(0, self.tabs.currentIndex())
        return self._sources[place] if place < len(self._sources) else None

    @Slot()
    def _read_current(self) -> None:
        source = self._current()
        if source is None:
            return
        if self._ticket is not None:
            self._ticket.drop()
        self._text = None
        self._show_page_number()
        self.body_stack.setCurrentWidget(self.loading)
        self._ticket = self._background.query(
            partial(self._reader.text, source, self._cancel), self._on_text, self._on_failed, owner=self
        )

    def _on_text(self, text: SourceText) -> None:
        self._ticket = None
        self._text = text
        wanted, self._wanted = self._wanted, None
        if self._quote is not None:
            self._show_page(1)
            self._show_wanted_quote()
        elif wanted is not None:
            self._show_page(wanted[0], select=wanted[1:])
        else:
            self._show_page(1)

    def _on_failed(self, error: BaseException) -> None:
        self._ticket = None
        if isinstance(error, Cancelled):
            return
        if not isinstance(error, StudioError):
            raise error
        is_locked = isinstance(error, DeckUnreadable) and error.kind == FailureKind.NEEDS_PASSWORD
        self.failed.set_words("The source is protected" if is_locked else "The source cannot be read", str(error))
        self.failed.details_button.setVisible(is_locked)
        self.failed.retry_button.setVisible(not is_locked)
        self.body_stack.setCurrentWidget(self.failed)

    @Slot()
    def ask_password(self) -> None:
        """Ask for the password of the source on show; once it opens, it is read."""
        source = self._current()
        if source is None:
            return

        def attempt(password: str) -> None:
            open_source(self._project, source, password, self._reader.passwords)

        dialog = PasswordDialog(source.name, attempt, self._background, self)
        dialog.opened.connect(self._on_source_opened)
        dialog.open()

    @Slot(object)
    def _on_source_opened(self, _nothing: object) -> None:
        self._read_current()

    def _show_page(self, number: int, *, select: tuple[int, int] | None = None) -> None:
        pages = self._text.pages if self._text else ()
        if not pages:
            self.empty.set_words("No text", "This source has no text.")
            self.body_stack.setCurrentWidget(self.empty)
            return
        self._page = max(1, min(number, len(pages)))
        page = pages[self._page - 1]
        self.body_stack.setCurrentWidget(self.page_text)
        self.page_text.setPlainText(page.text or "This page has no text.")
        embolden(
            self.page_text, frozenset(each.text.strip() for each in self._text.headings if each.page == self._page)
        )
        self._show_page_number()
        self._mark()
        spans = [select] if select else self._spans()[:1]
        if spans:
            cursor = self.page_text.textCursor()
            cursor.setPosition(min(spans[0][0], len(page.text)))
            self.page_text.setTextCursor(cursor)
            self.page_text.centerCursor()
        self.page_shown.emit()

    @Slot()
    def _mark(self) -> None:
        """Highlight the phrase on the page."""
        is_on = self._text is not None and bool(self._phrase) and bool(self._page)
        highlight(self.page_text, self._spans() if is_on else ())

    def _spans(self) -> list[tuple[int, int]]:
        """Return where the latest search found its phrase on the page that is shown."""
        source = self._current()
        return [
            (hit.start, hit.end)
            for hit in self._found
            if source is not None and hit.where == source.id and hit.number == self._page
        ]

    def _show_page_number(self) -> None:
        source = self._current()
        pages = len(self._text.pages) if self._text else 0
        words = source.name if source else ""
        if pages:
            words += f" · p. {self._page} / {pages}"
        self.head.set_facts(words)
        self.previous.setEnabled(pages > 0 and self._page > 1)
        self.next.setEnabled(pages > 0 and self._page < pages)
        self._fit_head()

    # searching

    def _start_search(self, phrase: str, *, sources_only: bool) -> None:
        if self._search_ticket is not None:
            self._search_ticket.drop()
            self._search_ticket = None
        self._phrase, self._found = phrase, ()
        self._mark()
        if self._instance is None or not phrase.strip():
            self._show_hits(None)
            self._say("")
            return
        self._say("Searching…")
        self._search_ticket = self._background.query(
            partial(self._reader.lookup, self._instance, phrase, cancel=self._cancel)
            if sources_only
            else partial(self._reader.search, self._instance, phrase, decks=tuple(self._decks), cancel=self._cancel),
            partial(self._on_found, sources_only=sources_only), self._on_search_failed, owner=self,
        )  # fmt: skip

    def _on_found(self, found: Found, *, sources_only: bool) -> None:
        self._search_ticket = None
        in_sources = [hit for hit in found.hits if hit.is_source]
        self._found = tuple(in_sources)
        self._mark()
        if sources_only:
            self._say(where_found(found, in_sources, self._origin, has_sources=bool(self._sources)))
            self._show_hits(found if len(in_sources) > 1 else None)
            if in_sources:
                self._show_hit(in_sources[0])
            self.searched.emit()
            return
        self._show_hits(found)
        in_decks = len(found.hits) - len(in_sources)
        words = f"{found.total} hits: {in_decks} in decks, {len(in_sources)} in sources" if found.total else "Not found"
        if found.total > len(found.hits):
            words = f"{found.total} hits, the first {len(found.hits)} listed"
        self._say(" · ".join([words, *found.unread]))
        self.searched.emit()

    def _on_search_failed(self, error: BaseException) -> None:
        self._search_ticket = None
        if isinstance(error, Cancelled):
            return
        if not isinstance(error, StudioError):
            raise error
        self._say(str(error))

    def _show_hits(self, found: Found | None) -> None:
        hits = found.hits if found else ()
        self.hit_model.set_rows([(self._place_words(hit), hit) for hit in hits])
        for widget in (self.hits, self.hits_line):
            widget.setVisible(bool(hits))
        self._fit_hits()

    def _place_words(self, hit: Hit) -> str:
        if hit.is_source:
            name = next((source.name for source in self._sources if source.id == hit.where), "source")
            return f"p. {hit.number}" if len(self._sources) == 1 else f"{name} p. {hit.number}"
        part = {"notes": " notes", "picture": " picture"}.get(hit.part, "")
        return f"{self._decks.get(DeckId(hit.where), '?')} · slide {hit.number}{part}"

    def _show_hit(self, hit: Hit) -> None:
        place = next((at for at, source in enumerate(self._sources) if source.id == hit.where), None)
        if place is None:
            return
        if place == self.tabs.currentIndex() and self._text is not None:
            self._show_page(hit.number, select=(hit.start, hit.end))
            return
        self._wanted = (hit.number, hit.start, hit.end)
        if place == self.tabs.currentIndex():
            self._read_current()
        else:
            self.tabs.setCurrentIndex(place)

    def _show_search(self, *, is_on: bool) -> None:
        self.search_row.setVisible(is_on)
        if not is_on:
            self._show_hits(None)

    def _say(self, words: str) -> None:
        self.message.set_text(words)
        self.foot.setVisible(bool(words))

    # what the user does

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # @override
        is_key = watched is self.search and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent)
        if is_key and event.key() == Qt.Key.Key_Down and self.hit_model.rowCount():
            self.hits.setFocus(Qt.FocusReason.OtherFocusReason)
            self.hits.setCurrentIndex(self.hit_model.index(0, 0))
            return True
        if watched is self.search and event.type() == QEvent.Type.FocusOut and QApplication.focusWidget() is None:
            self.closed.emit()
        is_wheel = event.type() == QEvent.Type.Wheel and isinstance(event, QWheelEvent)
        if is_wheel and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._resize_text(1 if event.angleDelta().y() > 0 else -1)
            return True
        return super().eventFilter(watched, event)

    @Slot(str)
    def _on_text_edited(self, _text: str) -> None:
        self._typing.start()

    @Slot()
    def _on_typing_settled(self) -> None:
        self._origin = ""
        self._start_search(self.search.text(), sources_only=False)

    @Slot()
    def _on_return(self) -> None:
        if self._typing.isActive() or self.search.text() != self._phrase:
            self._typing.stop()
            self._on_typing_settled()
        elif self.hit_model.rowCount():
            row = self.hits.currentIndex().row() + 1
            index = self.hit_model.index(row % self.hit_model.rowCount(), 0)
            self.hits.setCurrentIndex(index)
            self._on_hit(index)

    @Slot(QModelIndex)
    def _on_hit(self, index: QModelIndex) -> None:
        hit = self.hit_model.hit(index.row())
        if hit.is_source:
            self._show_hit(hit)
        else:
            self.slide_asked.emit(hit.where, hit.number, hit.start, hit.end, hit.part)

    @Slot(int)
    def _on_tab_changed(self, _place: int) -> None:
        self._read_current()

    @Slot()
    def _on_previous(self) -> None:
        self._show_page(self._page - 1)

    @Slot()
    def _on_next(self) -> None:
        self._show_page(self._page + 1)

    @Slot()
    def _on_smaller(self) -> None:
        self._resize_text(-1)

    @Slot()
    def _on_larger(self) -> None:
        self._resize_text(1)

    def _resize_text(self, by: int) -> None:
        self._size_px = max(SMALLEST_PX, min(LARGEST_PX, self._size_px + by))
        # A font set by code would be undone by the style sheet's own at the next change of theme.
        self.page_text.setStyleSheet(f"border: 0; font-size: {self._size_px}px;")

    @Slot()
    def _on_contents(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for heading in self._text.headings[:HEADING_LIMIT]:
            words = self.fontMetrics().elidedText(heading.text, Qt.TextElideMode.ElideMiddle, 360)
            entry = menu.addAction("    " * (heading.level - 1) + words.replace("&", "&&"))
            entry.setData(heading.page)
            entry.triggered.connect(partial(self._go_to_heading, heading.page))
        menu.popup(self.contents.mapToGlobal(self.contents.rect().bottomLeft()))

    def _go_to_heading(self, page: int, _is_checked: bool = False) -> None:
        self._show_page(page)
