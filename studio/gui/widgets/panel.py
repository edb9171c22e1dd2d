"""A panel: one hairline, a head of 36 px with name, facts and controls, and room for what it is about."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from studio.gui.widgets.head_words import HeadWords
from studio.gui.widgets.restyle import set_style_property

HEAD_PX = 36


class PanelHead(QFrame):
    """The head: title in semibold, badges and facts in muted text, controls on the right."""

    def __init__(self, title: str = "", facts: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(HEAD_PX)
        set_style_property(self, "lined", True)
        self.words = HeadWords(title, facts)
        self.title_label, self.facts_label = self.words.title_label, self.words.facts_label
        self._controls = QHBoxLayout()
        self._controls.setSpacing(8)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(8)
        row.addWidget(self.words, 1)
        row.addLayout(self._controls)

    def set_title(self, title: str) -> None:
        """Change the name."""
        self.title_label.set_text(title)

    def set_facts(self, facts: str) -> None:
        """Change the muted words beside the name."""
        self.facts_label.set_text(facts)

    def add_badge(self, badge: QWidget) -> None:
        """Put a badge between name and facts."""
        self.words.add_badge(badge)

    def add_control(self, control: QWidget) -> None:
        """Put a control at the right end."""
        self._controls.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)


class PanelFoot(QFrame):
    """A line of words or controls at the bottom of a panel, above which runs a hairline."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(12, 8, 12, 8)
        self.row.setSpacing(8)


class Panel(QFrame):
    """A framed part of a page. `set_body` fills it; `add_section` stacks a further head and body below."""

    def __init__(self, title: str = "", facts: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.head = PanelHead(title, facts)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(1, 1, 1, 1)
        self._column.setSpacing(0)
        self._column.addWidget(self.head)
        self.head.setVisible(bool(title or facts))
        self._body: QWidget | None = None

    def set_title(self, title: str, facts: str = "") -> None:
        """Change name and facts of the head; the head shows itself."""
        self.head.set_title(title)
        self.head.set_facts(facts)
        self.head.setVisible(True)

    def set_body(self, body: QWidget, *, margin: int = 0) -> None:
        """Put a widget below the head, in place of the one that was there, which is deleted."""
        if self._body is not None:
            self._column.removeWidget(self._body)
            self._body.deleteLater()
        if margin:
            holder = QWidget()
            inner = QVBoxLayout(holder)
            inner.setContentsMargins(margin, margin, margin, margin)
            inner.addWidget(body)
            body = holder
        self._body = body
        self._column.insertWidget(1, body, 1)

    def body(self) -> QWidget | None:
        """Return the widget below the head."""
        return self._body

    def add_section(self, title: str, facts: str, body: QWidget, *, stretch: int = 0) -> PanelHead:
        """Add a further head and body; return the head."""
        head = PanelHead(title, facts)
        self._column.addWidget(hairline())
        self._column.addWidget(head)
        self._column.addWidget(body, stretch)
        return head

    def add_foot(self) -> PanelFoot:
        """Add a foot at the bottom and return it; its `row` takes the controls."""
        foot = PanelFoot()
        self._column.addWidget(foot)
        return foot

    def set_focused(self, is_focused: bool) -> None:
        """Draw the border in the accent colour: keys go to this pane."""
        set_style_property(self, "focused", is_focused)


class Hairline(QFrame):
    """A line of one pixel in the hairline colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(1)


def hairline() -> Hairline:
    """Return a horizontal hairline."""
    return Hairline()


def toned_label(text: str, tone: str) -> QLabel:
    """Return a label in a tone of the style sheet: muted, caption, title, heading, question, …, warn."""
    label = QLabel(text)
    label.setProperty("tone", tone)
    return label
