"""Pages with a head and one thing below it: what they are about, or that it loads, is missing or failed."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from studio.errors import StudioError
from studio.gui.context import AppContext
from studio.gui.page import Page
from studio.gui.widgets.name_form import NameForm
from studio.gui.widgets.states import FailedState, LoadingState
from studio.gui.writes import Writes
from studio.model.changes import Changes, Topic

MARGIN_PX, GAP_PX, TABS_GAP_PX = 12, 12, 8


class FramedPage(Page):
    """A page that reads when it is in front and what it showed does not hold any more."""

    topics: ClassVar[frozenset[Topic]] = frozenset()
    """What the page depends on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context: AppContext | None = None
        self._is_stale = True
        self._is_shown = False

    def load(self) -> None:
        """Read what the page shows."""
        raise NotImplementedError

    def focus_first(self) -> None:
        """Give the focus to what keys are for when the page comes to the front."""

    def build_frame(
        self, head: QWidget, body: QWidget, *others: QWidget, failed: str, gap_px: int = GAP_PX
    ) -> QVBoxLayout:  # fmt: skip
        """Put the head above the body; loading, failure and other states take the body's place.

        Args:
            head: stands at the top in every state.
            body: what the page is about.
            *others: further states, such as that there is nothing yet.
            failed: what could not be done, in words, when reading fails.
            gap_px: between head and body.
        """
        self.loading = LoadingState()
        self.failed = FailedState(failed)
        self.failed.retried.connect(self._on_retried)
        self.states = QStackedWidget()
        for widget in (self.loading, body, *others, self.failed):
            self.states.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN_PX, MARGIN_PX, MARGIN_PX, MARGIN_PX)
        column.setSpacing(gap_px)
        column.addWidget(head)
        column.addWidget(self.states, 1)
        return column

    def show_failure(self, error: BaseException, title: str) -> None:
        """Say why reading failed."""
        if isinstance(error, StudioError):
            self.failed.set_error(error)
        else:
            self.failed.set_words(title, str(error))
        self.states.setCurrentWidget(self.failed)

    def on_shown(self) -> None:  # @override
        self._is_shown = True
        if self._is_stale:
            self.load()
        self.focus_first()

    def on_hidden(self) -> None:  # @override
        self._is_shown = False

    def on_changes(self, changes: Changes) -> None:  # @override
        if changes.topics & self.topics:
            self._is_stale = True
            if self._is_shown:
                self.load()

    @Slot()
    def _on_retried(self) -> None:
        self.load()


class WritingPage(FramedPage):
    """A framed page with tabs, in which a person with a name writes; without a name it asks for one first."""

    def begin(self, context: AppContext) -> None:
        """Take the project; what is written goes through `writes`, if it can be written at all."""
        self._context = context
        self.writes = Writes(context.background, self)
        self.can_write = not context.project.is_read_only

    def build_tabs(
        self, head: QWidget, *tabs: tuple[str, QWidget], failed: str, who: str, none: QWidget | None = None
    ) -> None:
        """Put tabs below the head.

        Args:
            head: stands at the top in every state.
            *tabs: words and content of each.
            failed: what could not be done, in words, when reading fails.
            who: the question for the name.
            none: what stands there if there is nothing to show, for pages that can have nothing.
        """
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        for words, tab in tabs:
            self.tabs.addTab(tab, words)
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self.who = NameForm(who, "pencil")
        self.who.name_given.connect(self._on_name_given)
        states = [each for each in (none, self.who) if each is not None]
        self.build_frame(head, self.tabs, *states, failed=failed, gap_px=TABS_GAP_PX)

    def load_named(self) -> None:
        """Read what the page shows; somebody with a name is there, or nothing can be written."""
        raise NotImplementedError

    def load(self) -> None:  # @override
        if self._context is None:
            return
        if self.can_write and not self._name():
            self.states.setCurrentWidget(self.who)
            return
        self.load_named()

    def _name(self) -> str:
        return self._context.settings.text("profile_name").strip() if self._context else ""

    @Slot(str)
    def _on_name_given(self, name: str) -> None:
        if self._context is not None:
            self._context.settings.set("profile_name", name)
            self._is_stale = True
            self.load()

    @Slot()
    def _on_tab_changed(self, *_: object) -> None:
        raise NotImplementedError
