"""What the tabs of an explanation share: the score, how it comes about, and patterns with links to slides."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from studio.actions.explanation import Explanation, SlideWhy
from studio.gui import theme
from studio.gui.why.slide_pane import NOTHING
from studio.gui.widgets.panel import toned_label
from studio.metrics.patterns import RULES, Finding, Pattern
from studio.model.scores import Value

MOST_EVIDENCE, MOST_LINKS = 2, 8
"""Places of one pattern up to which each is told with its figures, and up to which each has a link."""


class WhyTab(QScrollArea):
    """One tab; its body scrolls where the window is small."""

    slide_picked = Signal(int)
    title = ""
    mode = NOTHING
    """What is drawn over the slide while this tab is in front."""
    patterns: Collection[Pattern] = ()
    """The patterns that belong to this tab."""

    def __init__(self) -> None:
        super().__init__()
        self.explanation: Explanation | None = None
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.value = toned_label("", "title")
        self.unit = toned_label("", "muted")
        self.formula = toned_label("", "muted")
        self.formula.setWordWrap(True)
        self.formula.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.found = QLabel()
        self.found.setWordWrap(True)
        self.found.setTextFormat(Qt.TextFormat.RichText)
        self.found.linkActivated.connect(self._on_link)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.value, 0, Qt.AlignmentFlag.AlignBottom)
        head.addWidget(self.unit, 1, Qt.AlignmentFlag.AlignBottom)
        body = QWidget()
        self.column = QVBoxLayout(body)
        self.column.setContentsMargins(16, 12, 16, 12)
        self.column.setSpacing(8)
        self.column.addLayout(head)
        self.column.addWidget(self.formula)
        self.column.addWidget(self.found)
        self.setWidget(body)
        theme.current().theme_changed.connect(self._on_theme_changed)

    def show_deck(self, explanation: Explanation) -> None:
        """Show another deck, or the same one with other parameters."""
        self.explanation = explanation
        self.set_found([each for each in explanation.findings if each.pattern in self.patterns])

    def show_slide(self, slide: SlideWhy) -> None:
        """Show another slide of the deck."""

    def set_score(self, value: Value, unit: str, formula: str) -> None:
        """Say what the score is and how it comes about."""
        self.value.setText("–" if value.value is None else f"{value.value:.2f}".replace("-", "−"))
        self.unit.setText(unit if value.value is not None else f"undefined: {value.undefined_reason}")
        self.formula.setText(formula)

    def set_found(self, found: Sequence[Finding]) -> None:
        """Name these patterns, with links to their slides."""
        self._found = list(found)
        lines = []
        for pattern in dict.fromkeys(each.pattern for each in found):
            places = [each for each in found if each.pattern is pattern]
            shown = places[:MOST_LINKS]
            links = ", ".join(_link(each, with_evidence=len(places) <= MOST_EVIDENCE) for each in shown)
            if len(places) > len(shown):
                links += f" and {len(places) - len(shown)} more, see Findings"
            colour = theme.current().css("bad")
            name = f'<b style="color:{colour}">! {pattern.value.replace("_", " ")}</b>'
            lines.append(f'<span title="{escape(RULES[pattern])}">{name}</span> on {links}')
        self.found.setText("<br>".join(lines))
        self.found.setToolTip("\n".join(RULES[each] for each in dict.fromkeys(each.pattern for each in found)))
        self.found.setVisible(bool(lines))

    @Slot(str)
    def _on_link(self, target: str) -> None:
        self.slide_picked.emit(int(target))

    @Slot()
    def _on_theme_changed(self) -> None:
        if self.explanation is not None:
            self.set_found(self._found)


def _link(finding: Finding, *, with_evidence: bool) -> str:
    first, last = finding.slides[0], finding.slides[-1]
    words = f"slide {first}" if first == last else f"slides {first}–{last}"
    colour = theme.current().css("accent")
    link = f'<a href="{first}" style="color:{colour}">{words}</a>'
    return f"{link} ({escape(finding.evidence)})" if with_evidence else link


def caption(words: str) -> QLabel:
    """Return the head of a part of a tab."""
    label = toned_label(words, "heading")
    label.setContentsMargins(0, 8, 0, 0)
    return label
