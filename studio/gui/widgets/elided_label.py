"""A label that cuts a long text in the middle and tells all of it in the tooltip."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyleOption, QWidget


class ElidedLabel(QLabel):
    """Takes the room of its text if there is some, and less if there is not. Plain text, one line."""

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        *,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
    ) -> None:
        super().__init__(parent)
        self._full, self._tip = text, ""
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.set_text(text)

    def set_text(self, text: str, *, tip: str = "") -> None:
        """Show another text; line breaks become spaces. The tooltip says `tip`, or the text where it is cut."""
        whole = " ".join(text.split("\n"))
        is_told, self._tip = tip == self._tip, tip
        if whole == self.text() == self._full and is_told:
            # Said again with each batch of events: not worth a new layout.
            return
        self._full = whole
        super().setText(self._full)
        self.setAccessibleName(self._full)
        self.updateGeometry()
        self._tell_all()

    def setText(self, text: str) -> None:  # @override
        self.set_text(text)

    def full_text(self) -> str:
        """Return the whole text."""
        return self._full

    def shown_text(self) -> str:
        """Return the text as it is drawn now."""
        return self.fontMetrics().elidedText(self._full, self._mode, self.contentsRect().width())

    def sizeHint(self) -> QSize:  # @override
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self._full) + 2, metrics.height())

    def minimumSizeHint(self) -> QSize:  # @override
        metrics = self.fontMetrics()
        least = min(metrics.horizontalAdvance(self._full) + 2, metrics.averageCharWidth() * 4)
        return QSize(least, metrics.height())

    def paintEvent(self, _event: QPaintEvent) -> None:  # @override
        painter = QPainter(self)
        option = QStyleOption()
        option.initFrom(self)
        self.style().drawItemText(
            painter,
            self.contentsRect(),
            int(self.alignment() | Qt.AlignmentFlag.AlignVCenter),
            option.palette,
            self.isEnabled(),
            self.shown_text(),
            self.foregroundRole(),
        )
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:  # @override
        super().resizeEvent(event)
        self._tell_all()

    def changeEvent(self, event: QEvent) -> None:  # @override
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()

    def _tell_all(self) -> None:
        self.setToolTip(self._tip or (self._full if self.shown_text() != self._full else ""))
