"""The parameters of a code rule, each with an editor of its type; what is left alone stays at the rule's default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLabel, QLineEdit, QWidget

from studio.gui.widgets.number_box import DecimalBox, WholeBox
from studio.gui.widgets.panel import toned_label

LARGEST = 1_000_000_000


class RuleForm(QWidget):
    """One line for each parameter; `edited` tells that a person changed one."""

    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(12)
        self._form.setVerticalSpacing(6)
        self._specs: dict[str, Mapping[str, Any]] = {}
        self._given: dict[str, Any] = {}
        self._is_read_only = False
        self.editors: dict[str, QWidget] = {}

    def show_rule(self, specs: Sequence[Mapping[str, Any]], given: Mapping[str, Any]) -> None:
        """Show a rule's parameters; those that it does not know are kept as they came."""
        self._specs = {str(spec["name"]): spec for spec in specs}
        self._given = dict(given)
        while self._form.rowCount():
            self._form.removeRow(0)
        self.editors = {}
        for name, spec in self._specs.items():
            editor = _editor(spec, self._given.get(name, spec["default"]))
            words = name.replace("_", " ").capitalize()
            editor.setAccessibleName(words)
            editor.setToolTip(f"{spec['doc']} Default: {_words(spec['default'])}")
            editor.setEnabled(not self._is_read_only)
            self.editors[name] = editor
            self._form.addRow(toned_label(words, "muted"), editor)
            _changed(editor).connect(self._on_edited)
        unknown = sorted(set(self._given) - set(self._specs))
        if unknown:
            self._form.addRow(_note(f"The rule does not know {', '.join(unknown)}: it will refuse the item."))
        if not self._specs:
            self._form.addRow(_note("This rule has no parameters."))

    def parameters(self) -> dict[str, Any]:
        """Return what was given before or differs from the rule's default."""
        found = {name: value for name, value in self._given.items() if name not in self._specs}
        for name, spec in self._specs.items():
            value = _value(self.editors[name])
            if name in self._given and _same(value, self._given[name]):
                found[name] = self._given[name]
            elif name in self._given or not _same(value, spec["default"]):
                found[name] = value
        return found

    def set_read_only(self, is_read_only: bool) -> None:
        """Let nothing be changed."""
        self._is_read_only = is_read_only
        for editor in self.editors.values():
            editor.setEnabled(not is_read_only)

    @Slot()
    def _on_edited(self, *_: object) -> None:
        self.edited.emit()


def _editor(spec: Mapping[str, Any], value: Any) -> QWidget:
    low, high = spec["min"], spec["max"]
    match spec["type"]:
        case "bool":
            tick = QCheckBox()
            tick.setChecked(value is True or str(value).lower() in {"true", "yes", "1"})
            return tick
        case "int":
            whole = WholeBox()
            whole.setRange(int(low if low is not None else -LARGEST), int(high if high is not None else LARGEST))
            whole.setValue(int(_number(value, spec["default"])))
            whole.setMaximumWidth(140)
            return whole
        case "float":
            number = DecimalBox()
            number.setDecimals(3)
            number.setRange(low if low is not None else -LARGEST, high if high is not None else LARGEST)
            number.setSingleStep(0.05 if high is not None and high <= 1 else 1.0)
            number.setValue(_number(value, spec["default"]))
            number.setMaximumWidth(140)
            return number
    line = QLineEdit(", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value or ""))
    line.setProperty("is_list", spec["type"] == "list")
    if spec["type"] == "list":
        line.setPlaceholderText("with commas between them")
    return line


def _changed(editor: QWidget) -> Any:
    if isinstance(editor, QCheckBox):
        return editor.toggled
    return editor.textEdited if isinstance(editor, QLineEdit) else editor.valueChanged


def _value(editor: QWidget) -> Any:
    if isinstance(editor, QCheckBox):
        return editor.isChecked()
    if isinstance(editor, QLineEdit):
        text = editor.text().strip()
        if editor.property("is_list"):
            return [part.strip() for part in text.replace("，", ",").split(",") if part.strip()]
        return text
    return round(editor.value(), 3) if isinstance(editor, DecimalBox) else editor.value()


def _same(first: Any, second: Any) -> bool:
    if isinstance(first, list) and isinstance(second, list | tuple):
        return first == list(second)
    if isinstance(first, bool) != isinstance(second, bool):
        return False
    return first == second


def _number(value: Any, default: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return float(default)


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return f"{value:g}" if isinstance(value, float) else str(value) or "empty"


def _note(words: str) -> QLabel:
    label = toned_label(words, "caption")
    label.setWordWrap(True)
    return label
