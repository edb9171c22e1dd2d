"""Everything a user can do, by id and words, and the keys that do it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction, QInputMethodEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

from studio.errors import BadInput
from studio.settings import Settings

_BARE = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.KeypadModifier,
)


@dataclass(frozen=True, kw_only=True)
class Action:
    """One thing a user can do."""

    id: str
    """Stable name such as `rank.tie`; settings remember other keys by it."""
    words: str
    """A verb and its object, as in a menu: "Tie with the deck above"."""
    run: Callable[[], None]
    keys: tuple[str, ...] = ()
    """Default keys in Qt's portable text: `PgDown`, `Ctrl+1`, `Shift+E`, `?`."""
    page: str = ""
    """The page it belongs to; empty works everywhere."""
    mode: str = ""
    """A mode of that page, such as `pair`, where the same key means something else; several are joined by `|`."""
    group: str = ""
    """Heading in the sheet; the page's title if empty."""
    repeats: bool = False
    """Whether holding the key down repeats it."""
    is_in_palette: bool = True


class Shortcuts(QObject):
    """The actions of one window. Keys work on their page only, and never while the user types or composes."""

    bindings_changed = Signal()
    actions_changed = Signal()

    def __init__(self, window: QWidget, settings: Settings) -> None:
        super().__init__(window)
        self._window = window
        self._settings = settings
        self._actions: dict[str, Action] = {}
        self._bound: dict[str, QAction] = {}
        self._page = ""
        self._mode = ""
        self._off: set[str] = set()
        self._guard = _TypingGuard(self)
        app = QApplication.instance()
        app.focusChanged.connect(self._guard.on_focus_changed)
        self._guard.on_focus_changed(None, app.focusWidget())

    def register(self, actions: Iterable[Action]) -> None:
        """Add actions; one with the id of an older one takes its place.

        Raises:
            BadInput: if the default keys of two actions clash. That is a fault of ours, found at start.
        """
        for action in actions:
            for keys in action.keys:
                other = self.clash(action, keys, among_defaults=True)
                if other:
                    raise BadInput(f"{keys} is both “{other.words}” and “{action.words}”.")
            old = self._bound.pop(action.id, None)
            if old is not None:
                self._window.removeAction(old)
                old.deleteLater()
            self._actions[action.id] = action
            bound = QAction(action.words, self)
            bound.setAutoRepeat(action.repeats)
            bound.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            bound.setData(action.id)
            bound.triggered.connect(self._on_triggered)
            self._bound[action.id] = bound
            self._window.addAction(bound)
            self._bind(action.id)
        self._enable()
        self.actions_changed.emit()

    def forget_page(self, page: str) -> None:
        """Take away the actions of a page that is no longer shown."""
        self.forget([action.id for action in self._actions.values() if action.page == page])

    def forget(self, action_ids: Iterable[str]) -> None:
        """Take away actions by id."""
        for action_id in action_ids:
            bound = self._bound.pop(action_id)
            self._window.removeAction(bound)
            bound.deleteLater()
            del self._actions[action_id]
            self._off.discard(action_id)
        self.actions_changed.emit()

    def all(self) -> list[Action]:
        """Return every action in the order in which they were registered."""
        return list(self._actions.values())

    def action(self, action_id: str) -> Action:
        """Return an action by id."""
        return self._actions[action_id]

    def qaction(self, action_id: str) -> QAction:
        """Return the QAction of an action, for a menu; it lives as long as the action is registered."""
        return self._bound[action_id]

    def set_page(self, page: str, mode: str = "") -> None:
        """Say which page is in front and in which mode; only its actions and the window's own have keys."""
        self._page, self._mode = page, mode
        self._enable()

    def set_enabled(self, action_id: str, is_enabled: bool) -> None:
        """Switch an action on or off, as its button is."""
        if is_enabled:
            self._off.discard(action_id)
        else:
            self._off.add(action_id)
        self._enable()

    def is_available(self, action_id: str) -> bool:
        """Return whether the action can be done now, on this page and in this mode."""
        action = self._actions[action_id]
        is_here = not action.page or (
            action.page == self._page and (not action.mode or self._mode in action.mode.split("|"))
        )
        return is_here and action_id not in self._off

    def trigger(self, action_id: str) -> bool:
        """Do the action if it is available now; return whether it was."""
        if not self.is_available(action_id):
            return False
        self._actions[action_id].run()
        return True

    def keys(self, action_id: str) -> tuple[str, ...]:
        """Return the keys that do this action now, in portable text."""
        changed = self._settings.get("shortcuts").get(action_id)
        if changed is None:
            return self._actions[action_id].keys
        return tuple(part for part in changed.split(" ") if part)

    def cap(self, action_id: str) -> str:
        """Return the first key as a key cap shows it, or an empty text."""
        keys = self.keys(action_id) if action_id in self._actions else ()
        return cap_text(keys[0]) if keys else ""

    def rebind(self, action_id: str, keys: tuple[str, ...]) -> None:
        """Give an action other keys and remember them.

        Raises:
            BadInput: if another action that can be available at the same time has one of the keys.
        """
        action = self._actions[action_id]
        for sequence in keys:
            other = self.clash(action, sequence)
            if other:
                raise BadInput(
                    f"{cap_text(sequence)} is already “{other.words}”.",
                    next_step="Choose another key, or change that one first.",
                )
        changed = self._settings.get("shortcuts")
        if keys == action.keys:
            changed.pop(action_id, None)
        else:
            changed[action_id] = " ".join(keys)
        self._settings.set("shortcuts", changed)
        self._bind(action_id)
        self.bindings_changed.emit()

    def reset(self, action_id: str) -> None:
        """Give an action its default keys again.

        Raises:
            BadInput: if another action was given one of them meanwhile.
        """
        self.rebind(action_id, self._actions[action_id].keys)

    def clash(self, action: Action, keys: str, *, among_defaults: bool = False) -> Action | None:
        """Return the other action that these keys would do at the same time, or None."""
        wanted = QKeySequence(keys)
        for other in self._actions.values():
            if other.id == action.id or not _meet(action, other):
                continue
            taken = other.keys if among_defaults else self.keys(other.id)
            if any(QKeySequence(sequence) == wanted for sequence in taken):
                return other
        return None

    def _bind(self, action_id: str) -> None:
        sequences = [QKeySequence(part) for part in self.keys(action_id)]
        self._bound[action_id].setShortcuts(sequences)

    def _enable(self) -> None:
        for action_id, bound in self._bound.items():
            bound.setEnabled(self.is_available(action_id))

    @Slot()
    def _on_triggered(self) -> None:
        self.trigger(self.sender().data())


def _meet(one: Action, other: Action) -> bool:
    if one.page and other.page and one.page != other.page:
        return False
    return not (one.mode and other.mode) or bool({*one.mode.split("|")} & {*other.mode.split("|")})


def cap_text(keys: str) -> str:
    """Return keys as a key cap shows them: `Alt+Up` → `Alt+↑`, `PgDown` → `PgDn`, `Return` → `Enter`."""
    shown = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
    for long, short in (
        ("PgDown", "PgDn"),
        ("Return", "Enter"),
        ("Backspace", "⌫"),
        ("Up", "↑"),
        ("Down", "↓"),
        ("Left", "←"),
        ("Right", "→"),
    ):
        if shown == long or shown.endswith(f"+{long}"):
            shown = shown.removesuffix(long) + short
    return shown


def is_text_field(widget: QObject | None) -> bool:
    """Return whether keys typed now go into a text."""
    if isinstance(widget, QLineEdit | QPlainTextEdit | QTextEdit):
        return not widget.isReadOnly()
    if isinstance(widget, QComboBox):
        return widget.isEditable()
    return isinstance(widget, QAbstractSpinBox)


class _TypingGuard(QObject):
    """Watches the focused widget only, which is far cheaper than a filter on the whole application."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._watched: QWidget | None = None
        self._is_composing = False

    @Slot(QWidget, QWidget)
    def on_focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        if self._watched is not None and isValid(self._watched):
            self._watched.removeEventFilter(self)
        self._is_composing = False
        self._watched = new
        if new is not None:
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # @override
        kind = event.type()
        if kind == QEvent.Type.InputMethod and isinstance(event, QInputMethodEvent):
            self._is_composing = bool(event.preeditString())
        elif (
            kind == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._belongs_to_text(watched, event)
        ):
            # Accepting the override is Qt's way to say: this key is text, not a shortcut.
            event.accept()
            return True
        elif kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._leaves_text(watched, event)
        return False

    def _belongs_to_text(self, watched: QObject, event: QKeyEvent) -> bool:
        if self._is_composing:
            return True
        is_function_key = Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F35
        return is_text_field(watched) and event.modifiers() in _BARE and not is_function_key

    def _leaves_text(self, watched: QObject, event: QKeyEvent) -> bool:
        if event.key() != Qt.Key.Key_Escape or self._is_composing or not is_text_field(watched):
            return False
        window = watched.window()
        if window.windowType() != Qt.WindowType.Window:
            return False
        watched.clearFocus()
        return True
