"""Fields for numbers: with room at the left like other fields, and deaf to a wheel that scrolls past them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox, QWidget

PADDING_PX = 8
"""As the style sheet gives other fields. What it gives spin boxes, Qt adds to their size and leaves out at the left."""


class WholeBox(QSpinBox):
    """A whole number from `lowest` to `highest`."""

    def __init__(
        self, lowest: int = 0, highest: int = 99, value: int = 0, *, width_px: int | None = None,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.setRange(lowest, highest)
        self.setValue(value)
        if width_px is not None:
            self.setFixedWidth(width_px)
        _set_up(self)

    def wheelEvent(self, event: QWheelEvent) -> None:  # @override
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class DecimalBox(QDoubleSpinBox):
    """A number with decimals from `lowest` to `highest`."""

    def __init__(
        self, lowest: float = 0.0, highest: float = 99.99, value: float = 0.0, *, decimals: int = 2,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.setDecimals(decimals)
        self.setRange(lowest, highest)
        self.setValue(value)
        _set_up(self)

    def wheelEvent(self, event: QWheelEvent) -> None:  # @override
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


def _set_up(box: QAbstractSpinBox) -> None:
    box.lineEdit().setTextMargins(PADDING_PX, 0, 0, 0)
    # Without it, a wheel over the box gives it the focus first.
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
