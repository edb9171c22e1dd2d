"""The scales of a rating form: a question each, and a point with its words for every value."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from studio.gui.widgets.answer_board import AnswerBoard
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import toned_label
from studio.gui.widgets.restyle import set_style_property
from studio.sessions.scales import Scale, ScaleSet


class ScaleRow(QFrame):
    """One scale. The one that digits go to shows the words of all its points."""

    value_picked = Signal(str, int)
    focus_asked = Signal(str)

    def __init__(self, scale: Scale) -> None:
        super().__init__()
        self.scale = scale
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(4)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(toned_label(scale.title, "heading"))
        head.addStretch(1)
        self.said = toned_label("", "muted")
        head.addWidget(self.said)
        column.addLayout(head)
        self.question = QLabel(scale.question)
        self.question.setWordWrap(True)
        self.question.setProperty("tone", "muted")
        column.addWidget(self.question)
        self.points: dict[int, KeyCapButton] = {}
        row = QHBoxLayout()
        row.setSpacing(4)
        for value in range(scale.low, scale.high + 1):
            button = KeyCapButton(str(value))
            button.setCheckable(True)
            button.setToolTip(scale.anchor(value))
            button.setAccessibleName(f"{scale.title} {value}: {scale.anchor(value)}")
            button.clicked.connect(partial(self._on_picked, value))
            row.addWidget(button, 1)
            self.points[value] = button
        column.addLayout(row)
        self.anchors = QLabel(
            "\n".join(f"{value}  {scale.anchor(value)}" for value in range(scale.low, scale.high + 1))
        )  # fmt: skip
        self.anchors.setProperty("tone", "caption")
        self.anchors.setWordWrap(True)
        self.anchors.setTextFormat(Qt.TextFormat.PlainText)
        column.addWidget(self.anchors)
        self.setAccessibleName(scale.title)

    def show_value(self, value: int | None, *, is_focused: bool, can_change: bool) -> None:
        """Show the value, and whether digits go here."""
        set_style_property(self, "focused", is_focused)
        self.question.setVisible(is_focused)
        self.anchors.setVisible(is_focused)
        for point, button in self.points.items():
            button.setChecked(point == value)
            button.setEnabled(can_change)
        self.said.setText("open" if value is None else "")
        self.setAccessibleDescription("open" if value is None else f"{value}: {self.scale.anchor(value)}")

    def _on_picked(self, value: int, _is_checked: bool = False) -> None:
        self.value_picked.emit(self.scale.dimension, value)


class RateBoard(AnswerBoard):
    """A form of scales."""

    value_picked = Signal(str, int)
    """Dimension and value."""

    def __init__(self) -> None:
        super().__init__("Your rating", "")
        self.rows: dict[str, ScaleRow] = {}
        self._set: ScaleSet | None = None
        self.explanation_head = toned_label("The explanation", "caption")
        self.explanation = QLabel()
        self.explanation.setWordWrap(True)
        self.explanation.setTextFormat(Qt.TextFormat.PlainText)
        self.explanation.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        form = QWidget()
        self._scales = QVBoxLayout(form)
        self._scales.setContentsMargins(0, 8, 0, 8)
        self._scales.setSpacing(4)
        for label in (self.explanation_head, self.explanation):
            label.setContentsMargins(12, 0, 12, 0)
            self._scales.addWidget(label)
        self._scales.addStretch(1)
        self.scroll = QScrollArea()
        self.scroll.setWidgetResizable(True)
        self.scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll.setWidget(form)
        self.set_body(self.scroll)
        self._build_foot()
        self._hidden_while_asking.append(self.scroll)

    def show_scales(self, scales: ScaleSet, metric: str = "", explanation: str = "") -> None:
        """Show these scales, and the explanation that they are about."""
        self.set_title("Your rating", scales.title)
        for label in (self.explanation_head, self.explanation):
            label.setVisible(bool(explanation))
        self.explanation_head.setText(f"The explanation, of {metric}" if metric else "The explanation")
        self.explanation.setText(explanation)
        if scales == self._set:
            return
        self._set = scales
        for row in self.rows.values():
            row.hide()
            row.deleteLater()
        self.rows = {}
        for place, scale in enumerate(scales.scales):
            row = ScaleRow(scale)
            row.value_picked.connect(self.value_picked)
            self._scales.insertWidget(2 + place, row)
            self.rows[scale.dimension] = row

    def show_values(self, values: dict[str, int], focused: str, *, can_change: bool) -> None:
        """Show the values, and which scale digits go to."""
        for dimension, row in self.rows.items():
            row.show_value(values.get(dimension), is_focused=dimension == focused, can_change=can_change)
        if focused in self.rows:
            self.scroll.ensureWidgetVisible(self.rows[focused], 0, 8)
