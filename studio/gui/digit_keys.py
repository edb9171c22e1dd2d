"""Digits by the place of their key, so that they work on keyboards where the digit row needs Shift."""

from __future__ import annotations

import sys

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

_BARE = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
_ROW = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0)
_FIRST_SCAN_CODE = {"linux": 10, "win32": 2}
"""Scan code of the key left of the digit row's "2"; the others follow it."""
_MAC_KEYS = {18: 1, 19: 2, 20: 3, 21: 4, 23: 5, 22: 6, 26: 7, 28: 8, 25: 9, 29: 0}
"""macOS gives no scan codes, but its virtual keys stand for places."""


def digit_of(event: QKeyEvent, platform: str = sys.platform) -> int | None:
    """Return the digit of a key press (digit row or keypad, with Shift or without), or None.

    On AZERTY the digit row types other signs without Shift; there the place of the key decides.
    """
    if event.modifiers() & ~_BARE:
        return None
    key = event.key()
    if Qt.Key.Key_0 <= key <= Qt.Key.Key_9:
        return int(key) - int(Qt.Key.Key_0)
    if platform == "darwin":
        return _MAC_KEYS.get(event.nativeVirtualKey())
    first = _FIRST_SCAN_CODE.get(platform)
    place = event.nativeScanCode() - first if first and event.nativeScanCode() else -1
    return _ROW[place] if 0 <= place < len(_ROW) else None
