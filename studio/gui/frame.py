"""The window's frame: the rail with the pages, the bar on top and the short messages."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from studio.gui import theme
from studio.gui.icons import draw_icon
from studio.gui.widgets.badge import Badge
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.panel import toned_label

RAIL_PX = 64
TOP_PX = 44
TOAST_MS = 4000


class RailButton(QAbstractButton):
    """An icon with a word below it."""

    def __init__(self, page_id: str, title: str, icon_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.page_id = page_id
        self._icon_name = icon_name
        self.setText(title)
        self.setCheckable(True)
        self.setAccessibleName(title)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def sizeHint(self) -> QSize:  # @override
        return QSize(RAIL_PX - 8, 52)

    def minimumSizeHint(self) -> QSize:  # @override
        return QSize(RAIL_PX - 8, 40)

    def paintEvent(self, _event: QPaintEvent) -> None:  # @override
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(Qt.PenStyle.NoPen)
        if self.isChecked():
            painter.setBrush(theme.color("rail_selected"))
            painter.drawRoundedRect(box, 6, 6)
        elif self.underMouse():
            painter.setBrush(theme.color("surface_hover"))
            painter.drawRoundedRect(box, 6, 6)
        if self.hasFocus():
            painter.setPen(QPen(theme.color("accent"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, 6, 6)
        ink = theme.color("accent" if self.isChecked() else "text_muted")
        top = (self.height() - 38) / 2
        draw_icon(painter, self._icon_name, QRectF(self.width() / 2 - 10, top, 20, 20), ink)
        painter.setFont(theme.sized_font(10))
        painter.setPen(ink)
        room = QRect(0, round(top + 23), self.width(), 15)
        words = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width() - 2)
        painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), words)
        painter.end()


class NavigationRail(QFrame):
    """The pages, one button each."""

    page_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedWidth(RAIL_PX)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._group.buttonClicked.connect(self._on_button_clicked)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(4, 8, 4, 8)
        self._column.setSpacing(4)
        self._column.addStretch(1)
        self._buttons: dict[str, RailButton] = {}

    def set_pages(self, pages: list[tuple[str, str, str, str]]) -> None:
        """Show these pages: (id, title, icon, key) each."""
        for button in self._buttons.values():
            self._group.removeButton(button)
            self._column.removeWidget(button)
            button.deleteLater()
        self._buttons = {}
        for place, (page_id, title, icon_name, key) in enumerate(pages):
            button = RailButton(page_id, title, icon_name, self)
            button.setToolTip(f"{title}  {key}".strip())
            self._buttons[page_id] = button
            self._group.addButton(button)
            self._column.insertWidget(place, button)

    def page_ids(self) -> list[str]:
        """Return the ids of the pages on the rail."""
        return list(self._buttons)

    def set_current(self, page_id: str) -> None:
        """Mark the page in front."""
        button = self._buttons.get(page_id)
        if button is not None:
            button.setChecked(True)

    @Slot(QAbstractButton)
    def _on_button_clicked(self, button: RailButton) -> None:
        self.page_chosen.emit(button.page_id)


class TopBar(QFrame):
    """Project › study › page at the left; profile and saved state at the right."""

    profile_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(TOP_PX)
        self.trail = ElidedLabel()
        self.trail.setProperty("tone", "muted")
        self.profile = ElidedLabel()
        self.profile.setProperty("tone", "muted")
        self.lock = Badge("", "alert")
        self.saved = Badge("")
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(12)
        row.addWidget(toned_label("Podium", "heading"))
        row.addWidget(self.trail)
        row.addWidget(self.lock)
        row.addStretch(1)
        row.addWidget(self.profile)
        row.addWidget(self.saved)

    def set_trail(self, *parts: str) -> None:
        """Show where the user is; empty parts are left out."""
        self.trail.set_text(" › ".join(part for part in parts if part))

    def set_profile(self, name: str, role: str) -> None:
        """Show who sits here."""
        self.profile.set_text(f"{name} · {role}" if name else role)


class Toast(QFrame):
    """A short message at the bottom of the window that goes by itself."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._label = QLabel()
        self._label.setWordWrap(True)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 16, 8)
        row.addWidget(self._label)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_timeout)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        parent.installEventFilter(self)

    def text(self) -> str:
        """Return what is said, or an empty text while nothing is shown."""
        return self._label.text() if not self.isHidden() else ""

    def say(self, words: str) -> None:
        """Show words; a newer message takes the place of an older one."""
        self._label.setText(words)
        self._place()
        self.show()
        self.raise_()
        self._timer.start(max(TOAST_MS, 60 * len(words)))

    @Slot()
    def _on_timeout(self) -> None:
        self.hide()

    def _place(self) -> None:
        room = self.parentWidget().size()
        metrics = self._label.fontMetrics()
        width = min(metrics.horizontalAdvance(self._label.text()) + 48, room.width() - 48, 720)
        self._label.setFixedWidth(max(60, width - 32))
        self.resize(width, self._label.heightForWidth(max(60, width - 32)) + 18)
        self.move(QPoint((room.width() - self.width()) // 2, room.height() - self.height() - 44))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # @override
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self._place()
        return super().eventFilter(watched, event)
