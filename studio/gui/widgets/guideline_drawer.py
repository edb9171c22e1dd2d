"""The guidelines beside the decks: version, what changed since they were read, good and bad examples."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPixmap, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QLabel, QScrollArea, QTextBrowser, QVBoxLayout, QWidget

from studio.gui import theme
from studio.gui.widgets.badge import Badge
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, toned_label
from studio.model.quality import ExampleDeck
from studio.paths import resource

DRAWER_PX = 380
EXAMPLE_PX = 300


class ExampleCard(QWidget):
    """One example with its verdict, its picture and why."""

    def __init__(self, example: ExampleDeck, picture: Path | None = None, *, tells_all: bool = True) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 8)
        column.setSpacing(4)
        if tells_all:
            column.addWidget(Badge("good" if example.is_good else "bad", "ok" if example.is_good else "bad"))
        if tells_all:
            words = f"{example.aspect.title()}: {example.title}" if example.aspect else example.title
            title = toned_label(words, "heading")
            title.setWordWrap(True)
            column.addWidget(title)
        picture = picture or example_picture(example)
        if picture is not None:
            label = QLabel()
            pixmap = QPixmap(str(picture))
            ratio = self.devicePixelRatioF()
            pixmap = pixmap.scaledToWidth(round(EXAMPLE_PX * ratio), Qt.TransformationMode.SmoothTransformation)
            pixmap.setDevicePixelRatio(ratio)
            label.setPixmap(pixmap)
            kind = ("Good example" if example.is_good else "Bad example") if tells_all else "Example"
            label.setAccessibleName(f"{kind}: {example.title}" if tells_all else kind)
            column.addWidget(label)
        if tells_all:
            why = toned_label(example.why, "muted")
            why.setWordWrap(True)
            column.addWidget(why)


class GuidelineDrawer(Panel):
    """Shows one version of the guidelines."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__("Guidelines", "")
        self.setFixedWidth(DRAWER_PX)
        self.changed = Badge()
        self.head.add_badge(self.changed)
        close = KeyCapButton("Close", "Esc", is_compact=True)
        close.clicked.connect(self.closed)
        self.head.add_control(close)
        self._holder = QWidget()
        self._column_of_text = QVBoxLayout(self._holder)
        self._column_of_text.setContentsMargins(12, 8, 12, 12)
        self._column_of_text.setSpacing(8)
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.text.setStyleSheet("border: 0; padding: 0;")
        self.text.setAccessibleName("Guidelines")
        self.text.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text.document().documentLayout().documentSizeChanged.connect(self._fit)
        self._column_of_text.addWidget(self.text)
        self._examples = QVBoxLayout()
        self._column_of_text.addLayout(self._examples)
        self._column_of_text.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        scroll.setWidget(self._holder)
        self.scroll = scroll
        self.set_body(scroll)
        self.hide()

    def show_text(
        self,
        version: str,
        markdown: str,
        examples: tuple[ExampleDeck, ...],
        *,
        is_changed: bool,
        pictures: Mapping[ExampleDeck, Path] | None = None,
    ) -> None:
        """Show a version; `is_changed` says that an earlier one was read last, `pictures` are the project's own."""
        self.set_title("Guidelines", version)
        self.changed.set_text("changed since you read it" if is_changed else "", "alert")
        self.text.setMarkdown(markdown)
        space_paragraphs(self.text.document())
        while (item := self._examples.takeAt(0)) is not None:
            item.widget().hide()
            item.widget().deleteLater()
        for example in examples:
            self._examples.addWidget(ExampleCard(example, (pictures or {}).get(example)))

    def _fit(self, size: object) -> None:
        self.text.setFixedHeight(round(size.height()) + 4)


def space_paragraphs(document: QTextDocument) -> None:
    """Give paragraphs room, and headings the size that headings have here; Markdown has no say in either."""
    block = document.begin()
    while block.isValid():
        cursor = QTextCursor(block)
        form = block.blockFormat()
        is_heading = form.headingLevel() > 0
        form.setTopMargin(12 if is_heading else 0)
        form.setBottomMargin(4 if is_heading else 8)
        cursor.setBlockFormat(form)
        if is_heading:
            cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
            size = QTextCharFormat()
            size.setFont(theme.sized_font(15, bold=True))
            cursor.mergeCharFormat(size)
        block = block.next()


def example_picture(example: ExampleDeck) -> Path | None:
    """Return the picture of a shipped example, if it has one."""
    if not example.resource:
        return None
    path = resource("guidelines") / example.resource
    return path if path.is_file() else None
