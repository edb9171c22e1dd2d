"""A dialog that edits one record: labelled fields, one line for what is wrong, Cancel and Save."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from studio.errors import StudioError
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import hairline, toned_label


@dataclass(frozen=True, kw_only=True)
class RecordField:
    """One field of a record."""

    name: str
    words: str
    value: str = ""
    help: str = ""
    choices: tuple[str, ...] = ()
    """Offered, but anything else may be typed too."""
    lines: int = 1
    """More than one gives a text box of about this height."""


class RecordForm(QDialog):
    """Shows fields; `check` refuses values with a `StudioError`, `take` gets those that are good."""

    def __init__(
        self,
        title: str,
        fields: Sequence[RecordField],
        *,
        save: str = "Save",
        is_read_only: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.setMinimumSize(420, 240)
        self._fields = {field.name: _editor(field, is_read_only=is_read_only) for field in fields}
        self.form = QFormLayout()
        self.form.setContentsMargins(16, 16, 16, 16)
        self.form.setHorizontalSpacing(16)
        self.form.setVerticalSpacing(8)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        for field in fields:
            self._add(field)
        self._error = toned_label("", "bad")
        self._error.setWordWrap(True)
        self._error.setTextFormat(Qt.TextFormat.PlainText)
        cancel = KeyCapButton("Close" if is_read_only else "Cancel", "Esc")
        cancel.clicked.connect(self.reject)
        self.save_button = KeyCapButton(
            save, "Ctrl+Enter" if any(field.lines > 1 for field in fields) else "Enter", is_primary=True
        )
        self.save_button.setDefault(True)
        self.save_button.setVisible(not is_read_only)
        self.save_button.clicked.connect(self._on_save_clicked)
        if is_read_only:
            self.show_error("The project is open read-only, so nothing can be changed.")
        self._build(cancel)

    def _build(self, cancel: KeyCapButton) -> None:
        holder = QWidget()
        holder.setLayout(self.form)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(holder)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        foot = QHBoxLayout()
        foot.setContentsMargins(16, 12, 16, 12)
        foot.setSpacing(8)
        foot.addWidget(self._error, 1)
        foot.addWidget(cancel)
        foot.addWidget(self.save_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(area, 1)
        column.addWidget(hairline())
        column.addLayout(foot)

    def _add(self, field: RecordField) -> None:
        editor = self._fields[field.name]
        words = QLabel(field.words)
        words.setMinimumWidth(92)
        words.setBuddy(editor)
        editor.setAccessibleName(field.words)
        self.form.addRow(words, editor)
        if field.help:
            help_label = toned_label(field.help, "caption")
            help_label.setWordWrap(True)
            help_label.setMinimumWidth(300)
            self.form.addRow("", help_label)

    def editor(self, name: str) -> QWidget:
        """Return the widget that edits a field."""
        return self._fields[name]

    def values(self) -> dict[str, str]:
        """Return what the fields hold, without blanks at the ends."""
        return {name: _text(editor).strip() for name, editor in self._fields.items()}

    def show_error(self, words: str) -> None:
        """Say what is wrong; an empty text takes it away."""
        self._error.setText(words)

    def error(self) -> str:
        """Return what is said to be wrong."""
        return self._error.text()

    def check(self, values: dict[str, str]) -> None:
        """Raise a `StudioError` for values that cannot be taken."""

    def take(self, values: dict[str, str]) -> None:
        """Use good values; the form closes afterwards."""
        raise NotImplementedError

    @Slot()
    def _on_save_clicked(self) -> None:
        values = self.values()
        try:
            self.check(values)
        except StudioError as error:
            self.show_error(str(error))
            return
        self.take(values)
        self.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # @override
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.save_button.click()
            return
        super().keyPressEvent(event)


def _editor(field: RecordField, *, is_read_only: bool) -> QWidget:
    if field.lines > 1:
        editor = QPlainTextEdit(field.value)
        editor.setTabChangesFocus(True)
        height_px = 18 * field.lines + 14
        if field.lines < 6:
            editor.setFixedHeight(height_px)
        else:
            editor.setMinimumHeight(height_px)
        editor.setReadOnly(is_read_only)
        return editor
    if field.choices:
        box = QComboBox()
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        box.addItems(field.choices)
        box.setCurrentText(field.value)
        box.setEnabled(not is_read_only)
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        return box
    line = QLineEdit(field.value)
    line.setReadOnly(is_read_only)
    line.setCursorPosition(0)
    return line


def _text(editor: QWidget) -> str:
    match editor:
        case QPlainTextEdit():
            return editor.toPlainText()
        case QComboBox():
            return editor.currentText()
        case QLineEdit():
            return editor.text()
        case _:
            raise TypeError(f"no text in {type(editor).__name__}")
