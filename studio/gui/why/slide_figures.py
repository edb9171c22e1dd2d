"""The raw figures of one slide in a few lines, whatever tab is in front."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from studio.actions.explanation import SlideWhy
from studio.gui import theme
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.panel import toned_label
from studio.metrics.flags import FLAGS

COLUMNS = 3


class SlideFigures(QWidget):
    """Names and numbers, three beside each other; "–" with the reason as a tooltip where undefined."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(12, 10, 12, 10)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        self._cells: list[tuple[ElidedLabel, QLabel]] = []
        for place in range(12):
            name, number = ElidedLabel(mode=Qt.TextElideMode.ElideRight), QLabel()
            name.setProperty("tone", "muted")
            number.setFont(theme.sized_font(theme.BODY_PX, bold=True, tabular=True))
            number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            row, column = divmod(place, COLUMNS)
            self._grid.addWidget(name, row, 2 * column)
            self._grid.addWidget(number, row, 2 * column + 1)
            self._grid.setColumnStretch(2 * column + 1, 1)
            self._cells.append((name, number))
        self.flags = toned_label("", "warn")
        self.flags.setWordWrap(True)
        self._grid.addWidget(self.flags, 4, 0, 1, 2 * COLUMNS)

    def show_slide(self, slide: SlideWhy) -> None:
        """Show the figures of a slide."""
        measures, cues = slide.measures, slide.measures.cues
        rows = [
            ("Contrast", measures.contrast_mean, "{:.3f}", "no text region"),
            ("Colourfulness", measures.colourfulness, "{:.1f}", ""),
            ("Whitespace", cues.whitespace, "{:.3f}", ""),
            ("Hue distance", measures.distance_deg, "{:.4g}°", ""),
            ("Entropy", measures.subband_entropy, "{:.2f} bits", "the picture is too small"),
            ("Edge density", cues.edge_density, "{:.3f}", ""),
            ("Harmony", slide.harmony, "{:.3f}", ""),
            ("Complexity", slide.complexity, "{:.3f}", "the picture is too small"),
            ("Balance", cues.balance, "{:.3f}", "the slide is empty"),
            ("Text regions", len(slide.regions), "{}", ""),
            ("Brightness contrast", cues.brightness_contrast, "{:.1f}", ""),
            ("Text density", cues.text_density, "{:.3f}", "text regions are not known"),
        ]
        for (name, number), (words, value, form, reason) in zip(self._cells, rows, strict=True):
            name.set_text(words)
            number.setText("–" if value is None else form.format(value))
            number.setToolTip(reason if value is None else "")
        notes = [FLAGS[flag] for flag in measures.flags if flag in FLAGS]
        self.flags.setText("  ".join(f"! {each.title}" for each in notes))
        self.flags.setToolTip("\n".join(each.rule for each in notes))
        self.flags.setVisible(bool(notes))
