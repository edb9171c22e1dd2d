"""The filters of the library: words, scenario, language and status."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QWidget

from studio.actions.library import CellState, LibraryFilter

PAUSE_MS = 80
"""After the last key, before the rows are looked through."""
STATUSES = (
    ("Any status", ""),
    ("Rendered", CellState.RENDERED.value),
    ("Not rendered", CellState.PENDING.value),
    ("Rendering failed", CellState.RENDER_FAILED.value),
    ("No slides", CellState.NO_SLIDES.value),
    ("File gone", CellState.FILE_GONE.value),
    ("Failed", CellState.FAILED.value),
    ("Missing", CellState.MISSING.value),
    ("Not supported", CellState.NOT_SUPPORTED.value),
    ("With warnings", "warnings"),
    ("Fonts missing", "fonts"),
    ("With stale answers", "stale"),
)


class LibraryFilters(QWidget):
    """A line for words and three lists; a list with one value only is not shown."""

    filter_changed = Signal()
    left = Signal()
    """The user is done typing: Enter."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self.filter_changed)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Filter instances, systems and files")
        self.search.setClearButtonEnabled(True)
        self.search.setMinimumWidth(140)
        self.search.setMaximumWidth(360)
        self.search.textChanged.connect(self._timer.start)
        self.search.returnPressed.connect(self._on_return_pressed)
        self.boxes = {name: QComboBox() for name in ("scenario", "language", "status")}
        for words, value in STATUSES:
            self.boxes["status"].addItem(words, value)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.search, 1)
        for name, box in self.boxes.items():
            box.setAccessibleName(name.capitalize())
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.currentIndexChanged.connect(self._timer.start)
            row.addWidget(box)

    def wanted(self) -> LibraryFilter:
        """Return what the user wants to see."""
        chosen = {name: box.currentData() or "" for name, box in self.boxes.items()}
        return LibraryFilter(text=self.search.text(), **chosen)

    def set_choices(self, scenarios: list[str], languages: list[str]) -> None:
        """Offer these values; what was chosen stays chosen if it is still there."""
        for name, values in (("scenario", scenarios), ("language", languages)):
            box = self.boxes[name]
            wanted = ["", *values]
            if [box.itemData(number) for number in range(box.count())] != wanted:
                chosen = box.currentData()
                box.blockSignals(True)
                box.clear()
                for value in wanted:
                    box.addItem(value or f"Any {name}", value)
                box.setCurrentIndex(max(0, box.findData(chosen)))
                box.blockSignals(False)
            box.setVisible(len(values) > 1)

    def choose(self, **values: str) -> None:
        """Choose `scenario`, `language` or `status` as a user would; takes effect at once."""
        for name, value in values.items():
            self.boxes[name].setCurrentIndex(self.boxes[name].findData(value))
        self._apply_now()

    def clear(self) -> None:
        """Let everything pass."""
        self.search.clear()
        for box in self.boxes.values():
            box.setCurrentIndex(0)
        self._apply_now()

    def begin(self) -> None:
        """Put the cursor into the line for words."""
        self.search.setFocus()
        self.search.selectAll()

    def stop(self) -> None:
        """Tell nothing any more: the project closes."""
        self._timer.stop()

    @Slot()
    def _on_return_pressed(self) -> None:
        self._apply_now()
        self.left.emit()

    def _apply_now(self) -> None:
        self._timer.stop()
        self.filter_changed.emit()
