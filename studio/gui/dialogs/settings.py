"""The settings form, made from the typed settings."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from studio.errors import StudioError
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.number_box import WholeBox
from studio.gui.widgets.panel import hairline, toned_label
from studio.settings import ALL, Kind, Setting, Settings


class PathField(QWidget):
    """A line for a path with a button that opens the file dialog."""

    def __init__(self, text: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = title
        self.line = QLineEdit(text)
        choose = KeyCapButton("Choose")
        choose.clicked.connect(self._on_choose_clicked)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.line, 1)
        row.addWidget(choose)

    @Slot()
    def _on_choose_clicked(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self, f"Choose {self._title}", self.line.text())
        if chosen:
            self.line.setText(chosen)


class SettingsDialog(QDialog):
    """Shows every setting that a user may change, in groups. Save takes all of them or none."""

    settings_saved = Signal()

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._fields: dict[str, QWidget] = {}
        self.setWindowTitle("Settings")
        self.resize(600, 620)
        self.setMinimumSize(420, 320)
        self._error = toned_label("", "bad")
        self._error.setWordWrap(True)
        self._error.hide()
        cancel = KeyCapButton("Cancel", "Esc")
        cancel.clicked.connect(self.reject)
        self._save = KeyCapButton("Save", "Enter", is_primary=True)
        self._save.setDefault(True)
        self._save.clicked.connect(self._on_save_clicked)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(self._form())
        column.addWidget(area, 1)
        column.addWidget(hairline())
        foot = QHBoxLayout()
        foot.setContentsMargins(16, 12, 16, 12)
        foot.setSpacing(8)
        foot.addWidget(self._error, 1)
        foot.addStretch(0 if self._error.isVisible() else 1)
        foot.addWidget(cancel)
        foot.addWidget(self._save)
        column.addLayout(foot)

    def field(self, name: str) -> QWidget:
        """Return the widget that edits a setting."""
        return self._fields[name]

    def values(self) -> dict[str, Any]:
        """Return what the form holds now."""
        return {name: _value(field) for name, field in self._fields.items()}

    def _form(self) -> QWidget:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        for group in dict.fromkeys(setting.group for setting in ALL if setting.is_shown):
            column.addWidget(toned_label(group, "question"))
            form = QFormLayout()
            form.setContentsMargins(0, 0, 0, 16)
            form.setHorizontalSpacing(16)
            form.setVerticalSpacing(4)
            form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
            for setting in ALL:
                if setting.is_shown and setting.group == group:
                    self._add(form, setting)
            column.addLayout(form)
        column.addStretch(1)
        return holder

    def _add(self, form: QFormLayout, setting: Setting) -> None:
        field = _field(setting, self._settings.get(setting.name))
        field.setAccessibleName(setting.words)
        self._fields[setting.name] = field
        help_label = toned_label(setting.help, "caption")
        help_label.setWordWrap(True)
        help_label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        words = QLabel("" if setting.kind is Kind.SWITCH else setting.words)
        words.setMinimumWidth(92)
        words.setBuddy(field)
        form.addRow(words, field)
        form.addRow("", help_label)

    @Slot()
    def _on_save_clicked(self) -> None:
        try:
            self._settings.update(self.values())
        except StudioError as error:
            self._error.setText(str(error))
            self._error.show()
            return
        self.settings_saved.emit()
        self.accept()


def _field(setting: Setting, value: Any) -> QWidget:
    match setting.kind:
        case Kind.SWITCH:
            field = QCheckBox(setting.words)
            field.setChecked(value)
        case Kind.CHOICE:
            field = QComboBox()
            for choice in setting.choices:
                field.addItem(choice.capitalize(), choice)
            field.setCurrentIndex(setting.choices.index(value))
        case Kind.NUMBER:
            field = WholeBox()
            field.setRange(setting.lowest, setting.highest)
            field.setSuffix(f" {setting.unit}" if setting.unit else "")
            field.setValue(value)
        case Kind.FILE:
            field = PathField(value, setting.words)
        case _:
            field = QLineEdit(value)
    return field


def _value(field: QWidget) -> Any:
    match field:
        case QCheckBox():
            return field.isChecked()
        case QComboBox():
            return field.currentData()
        case WholeBox():
            return field.value()
        case PathField():
            return field.line.text().strip()
        case _:
            return field.text().strip()
