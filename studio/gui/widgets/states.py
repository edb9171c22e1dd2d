"""What a panel shows while it has nothing to show: what to do first, that it is coming, or why it failed."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, QTimerEvent, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from studio.errors import StudioError
from studio.gui import theme
from studio.gui.icons import draw_icon, icon
from studio.gui.widgets.keycap import KeyCapButton

WORDS_PX = 420
_REDUCED = "studio_reduced_motion"


def reduce_motion(is_on: bool) -> None:
    """Let everything that moves in the application stand still, or move again."""
    QApplication.instance().setProperty(_REDUCED, is_on)
    for widget in QApplication.allWidgets():
        if isinstance(widget, LoadingState) and widget.isVisible():
            widget.begin()


def motion_is_reduced() -> bool:
    """Return whether nothing is to move."""
    return QApplication.instance().property(_REDUCED) is True


class Glyph(QWidget):
    """An icon as a picture, in a tone of the theme."""

    def __init__(self, name: str, pixels: int, tone: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._tone = name, tone
        self.setFixedSize(pixels, pixels)

    def paintEvent(self, _event: QPaintEvent) -> None:  # @override
        painter = QPainter(self)
        draw_icon(painter, self._name, QRectF(self.rect()), theme.color(self._tone))
        painter.end()


class _State(QWidget):
    def __init__(self, icon_name: str, tone: str, title: str, words: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._title = QLabel(title)
        self._title.setProperty("tone", "question")
        self._words = QLabel(words)
        self._words.setProperty("tone", "muted")
        for label in (self._title, self._words):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            label.setMaximumWidth(WORDS_PX)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(8)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(8)
        column.addStretch(2)
        column.addWidget(Glyph(icon_name, 32, tone), 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(4)
        for label in (self._title, self._words):
            row = QHBoxLayout()
            row.addStretch(1)
            row.addWidget(label, 8)
            row.addStretch(1)
            column.addLayout(row)
        column.addSpacing(8)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addLayout(self._buttons)
        row.addStretch(1)
        column.addLayout(row)
        column.addStretch(3)
        self._words.setVisible(bool(words))

    def _add_button(self, button: KeyCapButton) -> None:
        self._buttons.addWidget(button)
        button.setVisible(bool(button.text()))

    def set_words(self, title: str, words: str = "") -> None:
        """Change what is said."""
        self._title.setText(title)
        self._words.setText(words)
        self._words.setVisible(bool(words))


class EmptyState(_State):
    """Says what to do first, with one button for it."""

    button_clicked = Signal()

    def __init__(
        self,
        title: str,
        words: str = "",
        button: str = "",
        *,
        icon_name: str = "library",
        key: str = "",
        is_primary: bool = True,
        second: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(icon_name, "text_muted", title, words, parent)
        self.button = KeyCapButton(button, key, is_primary=is_primary)
        self.button.clicked.connect(self.button_clicked)
        self._add_button(self.button)
        self.second = KeyCapButton(second)
        self._add_button(self.second)


class FailedState(_State):
    """Says what failed, why, and offers to try again."""

    retried = Signal()
    details_asked = Signal()

    def __init__(
        self,
        title: str,
        reason: str = "",
        *,
        retry: str = "Retry",
        details: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("triangle-alert", "bad", title, reason, parent)
        self.retry_button = KeyCapButton(retry, icon=icon("refresh-cw"))
        self.retry_button.clicked.connect(self.retried)
        self.details_button = KeyCapButton(details)
        self.details_button.clicked.connect(self.details_asked)
        self._add_button(self.retry_button)
        self._add_button(self.details_button)

    def set_error(self, error: StudioError) -> None:
        """Show what happened and the next step of an error that a user can act on."""
        self.set_words(error.message, error.next_step)


class LoadingState(QWidget):
    """Grey shapes where the rows or the slide will be. They breathe unless motion is reduced."""

    def __init__(
        self, *, rows: int = 6, is_slide: bool = False, is_still: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._rows, self._is_slide, self._is_still = rows, is_slide, is_still
        self._timer_id = 0
        self._phase = 0
        self.setAccessibleName("Loading")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def showEvent(self, event: object) -> None:  # @override
        super().showEvent(event)
        self.begin()

    def begin(self) -> None:
        """Breathe, or stand still where motion is reduced."""
        is_still = self._is_still or motion_is_reduced()
        if is_still and self._timer_id:
            self.killTimer(self._timer_id)
            self._timer_id = 0
        elif not is_still and not self._timer_id:
            self._timer_id = self.startTimer(120)
        self.update()

    def hideEvent(self, event: object) -> None:  # @override
        super().hideEvent(event)
        if self._timer_id:
            self.killTimer(self._timer_id)
            self._timer_id = 0

    def timerEvent(self, _event: QTimerEvent) -> None:  # @override
        self._phase = (self._phase + 1) % 12
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # @override
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setOpacity(1.0 - 0.4 * abs(self._phase - 6) / 6 if self._timer_id else 1.0)
        painter.setBrush(theme.color("skeleton"))
        if self._is_slide:
            width = min(self.width() - 32.0, (self.height() - 32.0) * 16 / 9)
            if width > 0:
                left, top = (self.width() - width) / 2, (self.height() - width * 9 / 16) / 2
                painter.drawRoundedRect(QRectF(left, top, width, width * 9 / 16), 3, 3)
        else:
            for row in range(self._rows):
                top = 14 + row * 30
                if top + 12 > self.height():
                    break
                name = (self.width() - 48) * (0.34 + 0.12 * ((row * 5) % 3))
                painter.drawRoundedRect(QRectF(12, top, name, 11), 3, 3)
                painter.drawRoundedRect(QRectF(self.width() - 12 - 64, top, 64, 11), 3, 3)
        painter.end()
