"""Buttons that say which key does the same, in a small cap beside the words."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QFontMetrics, QIcon, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QPushButton, QStyle, QStyleOptionButton, QStylePainter, QWidget

from studio.gui import theme
from studio.gui.shortcuts import Shortcuts

CAP_GAP = 6
CAP_PADDING = 4
_SHOW_CAPS = "studio_show_key_caps"


def show_key_caps(is_on: bool) -> None:
    """Show or hide the key caps of every button in the application."""
    app = QApplication.instance()
    app.setProperty(_SHOW_CAPS, is_on)
    for widget in QApplication.allWidgets():
        if isinstance(widget, KeyCapButton | KeyCap):
            widget.updateGeometry()
            widget.update()


def key_caps_are_shown() -> bool:
    """Return whether key caps are drawn."""
    return QApplication.instance().property(_SHOW_CAPS) is not False


def draw_cap(painter: QPainter, rect: QRectF, text: str, ink: QColor, edge: QColor, fill: QColor) -> None:
    """Draw one key cap: a small box with a slightly thicker lower edge."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(theme.sized_font(10))
    box = rect.adjusted(0.5, 0.5, -0.5, -0.5)
    painter.setPen(QPen(edge, 1))
    painter.setBrush(fill)
    painter.drawRoundedRect(box, 3, 3)
    painter.drawLine(box.left() + 2, box.bottom() - 1, box.right() - 2, box.bottom() - 1)
    painter.setPen(ink)
    painter.drawText(rect.adjusted(0, -0.5, 0, -1), int(Qt.AlignmentFlag.AlignCenter), text)
    painter.restore()


def cap_size(text: str) -> QSize:
    """Return the size of a key cap with this text, in logical pixels."""
    metrics = QFontMetrics(theme.sized_font(10))
    return QSize(max(16, metrics.horizontalAdvance(text) + 2 * CAP_PADDING), 16)


class KeyCap(QWidget):
    """A key cap by itself, for heads and sheets; `words` may stand in it too, as in "T tie"."""

    def __init__(self, text: str, parent: QWidget | None = None, *, is_always_shown: bool = False) -> None:
        super().__init__(parent)
        self._text = text
        self._is_always_shown = is_always_shown
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def set_text(self, text: str) -> None:
        """Show another key."""
        self._text = text
        self.updateGeometry()
        self.update()

    def _is_shown(self) -> bool:
        return bool(self._text) and (self._is_always_shown or key_caps_are_shown())

    def sizeHint(self) -> QSize:  # @override
        return cap_size(self._text) if self._is_shown() else QSize(0, 16)

    def minimumSizeHint(self) -> QSize:  # @override
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:  # @override
        if not self._is_shown():
            return
        painter = QPainter(self)
        size = cap_size(self._text)
        box = QRectF(0, (self.height() - size.height()) / 2, size.width(), size.height())
        draw_cap(
            painter,
            box,
            self._text,
            theme.color("key_cap_text"),
            theme.color("hairline_strong"),
            theme.color("key_cap"),
        )
        painter.end()


class KeyCapButton(QPushButton):
    """A push button with an optional icon, words and a key cap.

    With `shortcuts` and `action_id` the cap follows the binding, and the tooltip names all its keys.
    """

    def __init__(
        self,
        words: str,
        key: str = "",
        parent: QWidget | None = None,
        *,
        icon: QIcon | None = None,
        is_primary: bool = False,
        is_compact: bool = False,
        tone: str = "",
    ) -> None:
        super().__init__(words, parent)
        self._key = key
        self._shortcuts: Shortcuts | None = None
        self._action_id = ""
        self.setIconSize(QSize(16, 16))
        if icon is not None:
            self.setIcon(icon)
        if is_primary:
            self.setProperty("primary", True)
        if is_compact:
            self.setProperty("compact", True)
        if tone:
            self.setProperty("tone", tone)
        # A click must not take the focus from the slide, or the next digit would go nowhere.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def setText(self, words: str) -> None:  # @override
        # Qt derives a shortcut from the words anew with every change, and forgets the one that was set.
        keys = self.shortcut()
        super().setText(words)
        if not keys.isEmpty():
            self.setShortcut(keys)

    def key(self) -> str:
        """Return the text of the key cap."""
        return self._key

    def set_key(self, key: str) -> None:
        """Change the text of the key cap; empty draws none."""
        self._key = key
        self.updateGeometry()
        self.update()

    def follow(self, shortcuts: Shortcuts, action_id: str) -> None:
        """Do this action when clicked, and show its first key, also after it is bound anew."""
        self._shortcuts, self._action_id = shortcuts, action_id
        shortcuts.bindings_changed.connect(self._on_bindings_changed)
        shortcuts.actions_changed.connect(self._on_bindings_changed)
        self.clicked.connect(self._on_clicked)
        self._on_bindings_changed()

    @Slot()
    def _on_bindings_changed(self) -> None:
        self.set_key(self._shortcuts.cap(self._action_id))

    @Slot()
    def _on_clicked(self) -> None:
        self._shortcuts.trigger(self._action_id)

    def sizeHint(self) -> QSize:  # @override
        hint = super().sizeHint()
        if self._has_cap():
            gap = CAP_GAP if self.text() else 0
            hint.setWidth(hint.width() + gap + cap_size(self._key).width())
        return hint

    def minimumSizeHint(self) -> QSize:  # @override
        return self.sizeHint()

    def changeEvent(self, event: QEvent) -> None:  # @override
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange:
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # @override
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text, option.icon = "", QIcon()
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        self._draw_content(painter, option)
        painter.end()

    def _has_cap(self) -> bool:
        return bool(self._key) and key_caps_are_shown()

    def _draw_content(self, painter: QPainter, option: QStyleOptionButton) -> None:
        # The words are drawn here, not by the style, so that words and cap are centred as one.
        metrics = self.fontMetrics()
        cap = cap_size(self._key) if self._has_cap() else QSize(0, 0)
        has_icon, has_text = not self.icon().isNull(), bool(self.text())
        icon_px = self.iconSize().width() if has_icon else 0
        room = self.width() - 6 - cap.width() - (CAP_GAP if cap.width() else 0) - (icon_px + 6 if has_icon else 0)
        words = metrics.elidedText(self.text(), Qt.TextElideMode.ElideMiddle, room)
        width = metrics.horizontalAdvance(words) + icon_px + cap.width()
        width += (6 if has_icon and has_text else 0) + (CAP_GAP if cap.width() and (has_text or has_icon) else 0)
        left = (self.width() - width) // 2
        ink = _ink(self, option)
        if has_icon:
            mode = QIcon.Mode.Normal if self.isEnabled() else QIcon.Mode.Disabled
            state = QIcon.State.On if self.isChecked() else QIcon.State.Off
            self.icon().paint(
                painter,
                QRect(QPoint(left, (self.height() - icon_px) // 2), self.iconSize()),
                Qt.AlignmentFlag.AlignCenter,
                mode,
                state,
            )
            left += icon_px + (6 if has_text or cap.width() else 0)
        painter.setPen(ink)
        painter.setFont(self.font())
        painter.drawText(
            QRect(left, 0, metrics.horizontalAdvance(words) + 2, self.height()),
            int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft),
            words,
        )
        if cap.width():
            left += metrics.horizontalAdvance(words) + (CAP_GAP if has_text else 0)
            box = QRectF(left, (self.height() - cap.height()) / 2, cap.width(), cap.height())
            is_filled = self.property("primary") is True and self.isEnabled()
            is_filled = is_filled or (self.isChecked() and bool(self.property("tone")))
            edge = ink if is_filled else theme.color("hairline_strong")
            fill = QColor(Qt.GlobalColor.transparent) if is_filled else theme.color("key_cap")
            cap_ink = ink if is_filled or not self.isEnabled() else theme.color("key_cap_text")
            draw_cap(painter, box, self._key, cap_ink, edge, fill)


def _ink(button: QPushButton, option: QStyleOptionButton) -> QColor:
    """Return the colour of a button's words, as the style sheet has it."""
    if not button.isEnabled():
        return theme.color("text_disabled")
    tone = button.property("tone")
    if button.property("primary") is True:
        return theme.color("on_accent")
    if tone in ("ok", "bad", "warn"):
        return theme.color("on_status" if button.isChecked() else tone)
    if button.isChecked():
        return theme.color("accent")
    if button.property("compact") is True or button.property("flat") is True:
        is_under_mouse = bool(option.state & QStyle.StateFlag.State_MouseOver)
        return theme.color("text" if is_under_mouse else "text_muted")
    return theme.color("text")
