"""The side panel of the library: one deck's state, faults and facts, and the instance that it belongs to."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from studio.actions.figures import UNDEFINED
from studio.actions.library import PRESENT, Cell, CellState, Fact, LibraryRow, size_words
from studio.decks.privacy import Finding
from studio.gui.icons import icon
from studio.gui.models.instance_matrix import slides_in_words, sources_in_words, stale_in_words
from studio.gui.shortcuts import Shortcuts
from studio.gui.widgets.badge import Badge
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, hairline, toned_label
from studio.model.decks import DeckWarning, Source

MOST_WARNINGS = 40
"""More than these are counted, not listed: a deck with a thousand faults needs no thousand rows here."""

MOST_FINDINGS = 12

_TONES = {
    CellState.RENDERED: ("rendered", "ok"),
    CellState.PENDING: ("not rendered", ""),
    CellState.RENDER_FAILED: ("rendering failed", "bad"),
    CellState.NO_SLIDES: ("no slides", ""),
    CellState.FILE_GONE: ("file gone", "warn"),
    CellState.FAILED: ("failed", "bad"),
    CellState.MISSING: ("missing", ""),
    CellState.NOT_SUPPORTED: ("not supported", ""),
}


class DeckDetails(Panel):
    """Shows what `show_cell` and `show_facts` say; only asks, the page does."""

    source_opened = Signal(object)
    """A `Source`."""
    warning_opened = Signal(int)
    """Number of the slide that a warning is about."""

    def __init__(self, shortcuts: Shortcuts, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._shortcuts = shortcuts
        self._cell: Cell | None = None
        self._row: LibraryRow | None = None
        self._can_change = True
        self.setMinimumWidth(248)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._facts = FactGrid()
        self.set_body(self._area)
        self.show_nothing()

    @property
    def facts(self) -> FactGrid:
        """The grid of facts that is shown."""
        return self._facts

    def words(self) -> str:
        """Return everything that is said, line by line."""
        return "\n".join([self.head.title_label.full_text(), *(label.text() for label in self.findChildren(QLabel))])

    def source_lines(self) -> list[SourceLine]:
        """Return the lines of the sources."""
        return self.findChildren(SourceLine)

    def set_can_change(self, can_change: bool) -> None:
        """Offer what changes the project, or not."""
        self._can_change = can_change

    def show_nothing(self) -> None:
        """Say that no deck is selected."""
        self._cell = self._row = None
        self.set_title("Details")
        words = toned_label("Select a deck to see what it holds.", "muted")
        words.setWordWrap(True)
        words.setContentsMargins(12, 12, 12, 12)
        words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._area.setWidget(words)

    def show_cell(self, row: LibraryRow, cell: Cell, *, is_rendering: bool) -> None:
        """Show a cell and its instance. Facts come later, with `show_facts`."""
        self._row, self._cell = row, cell
        deck = cell.deck
        is_here = cell.state in PRESENT and deck is not None
        self.set_title(cell.system.name, slides_in_words(deck.slides) if is_here and deck else "")
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 12)
        column.setSpacing(0)
        column.addWidget(self._state_part(cell, is_rendering=is_rendering))
        if deck is not None and deck.warnings:
            column.addWidget(self._warnings_part(deck.warnings))
        if deck is not None and deck.missing_fonts:
            column.addWidget(
                _part(f"Fonts missing here · {len(deck.missing_fonts)}", [_words(", ".join(deck.missing_fonts))])
            )
        self._facts = FactGrid()
        self._facts.setVisible(False)
        column.addWidget(self._facts)
        self._privacy = QWidget()
        QVBoxLayout(self._privacy).setContentsMargins(0, 0, 0, 0)
        self._privacy.setVisible(False)
        column.addWidget(self._privacy)
        column.addWidget(hairline())
        column.addWidget(self._instance_part(row))
        column.addStretch(1)
        self._area.setWidget(holder)

    def show_facts(self, deck_id: str, facts: Sequence[Fact]) -> None:
        """Show the facts of a deck, if it is still the one that is shown."""
        if self._cell is not None and self._cell.deck is not None and self._cell.deck.id == deck_id:
            self._facts.set_facts(facts)
            self._facts.setVisible(bool(facts))

    def show_privacy(self, deck_id: str, findings: Sequence[Finding]) -> None:
        """List what in a deck names its maker, if the deck is still the one that is shown."""
        if self._cell is None or self._cell.deck is None or self._cell.deck.id != deck_id or not findings:
            return
        lines: list[QWidget] = [_words(finding_in_words(finding)) for finding in findings[:MOST_FINDINGS]]
        if len(findings) > MOST_FINDINGS:
            lines.append(_words(f"and {len(findings) - MOST_FINDINGS:,} more"))
        staying = sum(not finding.is_stripped for finding in findings)
        tail = f"{staying:,} of them stay" if staying else "none of them stays"
        lines.append(toned_label(f"Packs for blind work leave these out; {tail}.", "caption"))
        lines[-1].setWordWrap(True)  # type: ignore[attr-defined]
        layout = self._privacy.layout()
        while layout.count():
            layout.takeAt(0).widget().deleteLater()
        layout.addWidget(_part(f"Names its maker · {len(findings):,}", lines))
        self._privacy.setVisible(True)

    def _state_part(self, cell: Cell, *, is_rendering: bool) -> QWidget:
        words, tone = ("needs password", "warn") if cell.needs_password else _TONES[cell.state]
        if cell.state is CellState.PENDING and is_rendering:
            words, tone = "rendering", "accent"
        badges = QHBoxLayout()
        badges.setSpacing(4)
        for badge in (Badge(words, tone), Badge(cell.system.paradigm), Badge(cell.system.version)):
            if badge.text():
                badges.addWidget(badge)
        badges.addStretch(1)
        parts: list[QWidget] = [_held(badges)]
        if cell.reason:
            # The kind before the colon is for tables; here the badge says it.
            parts.append(_words(cell.reason.partition(": ")[2] if cell.needs_password else cell.reason))
        if cell.stale.total:
            parts.append(_words(f"{stale_in_words(cell.stale)}."))
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        if cell.state is CellState.RENDERED:
            buttons.addWidget(self._button("Compare", "library.open", "columns-2"))
        if cell.needs_password:
            buttons.addWidget(self._button("Give the password", "library.password", "lock"))
        elif cell.state in (CellState.PENDING, CellState.RENDER_FAILED):
            retry = "Render" if cell.state is CellState.PENDING else "Retry rendering"
            buttons.addWidget(self._button(retry, "library.retry", "refresh-cw"))
        if cell.state in (CellState.MISSING, CellState.NOT_SUPPORTED, CellState.FAILED) and not cell.needs_password:
            buttons.addWidget(self._button("Record why", "library.absence", "pencil"))
        buttons.addStretch(1)
        if buttons.count() > 1:
            parts.append(_held(buttons))
        return _part("", parts)

    def _warnings_part(self, warnings: Sequence[DeckWarning]) -> QWidget:
        lines: list[QWidget] = []
        for warning in warnings[:MOST_WARNINGS]:
            line = WarningLine(warning)
            line.opened.connect(self.warning_opened)
            lines.append(line)
        if len(warnings) > MOST_WARNINGS:
            lines.append(_words(f"and {len(warnings) - MOST_WARNINGS:,} more"))
        return _part(f"Warnings · {len(warnings):,}", lines)

    def _instance_part(self, row: LibraryRow) -> QWidget:
        title = QLabel(row.instance.title)
        title.setTextFormat(Qt.TextFormat.PlainText)
        title.setProperty("tone", "heading")
        title.setWordWrap(True)
        parts: list[QWidget] = [title]
        if row.badges or row.instance.domain:
            badges = QHBoxLayout()
            badges.setSpacing(4)
            for text in (*row.badges, row.instance.domain):
                if text:
                    badges.addWidget(Badge(text))
            badges.addStretch(1)
            parts.append(_held(badges))
        name = ElidedLabel(row.instance.name)
        name.setProperty("tone", "caption")
        parts.append(name)
        parts.append(toned_label(sources_in_words(row).capitalize(), "muted"))
        for source in row.sources:
            line = SourceLine(source)
            line.opened.connect(self.source_opened)
            parts.append(line)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self._button("Instance", "library.edit_instance", "pencil"))
        buttons.addWidget(self._button("System", "library.edit_system", "pencil"))
        buttons.addStretch(1)
        parts.append(_held(buttons))
        return _part("", parts)

    def _button(self, words: str, action_id: str, icon_name: str) -> KeyCapButton:
        button = KeyCapButton(words, icon=icon(icon_name), is_compact=True)
        button.follow(self._shortcuts, action_id)
        changes = action_id != "library.open"
        button.setEnabled(self._can_change or not changes)
        if changes and not self._can_change:
            button.setToolTip("The project is open read-only.")
        return button


def finding_in_words(finding: Finding) -> str:
    """Return such as "slide 3, notes: Made with Aster"."""
    place = f"slide {finding.slide}, " if finding.slide is not None else ""
    return f"{place}{finding.what}: {finding.text}"


class FactGrid(QWidget):
    """Labels and values, two columns; what is undefined is named below with the reason."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(12, 8, 12, 12)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._values: dict[str, str] = {}

    def values(self) -> dict[str, str]:
        """Return what is shown, by label."""
        return dict(self._values)

    def set_facts(self, facts: Sequence[Fact]) -> None:
        """Show these facts, in this order."""
        while item := self._grid.takeAt(0):
            if item.widget() is not None:
                item.widget().deleteLater()
        self._values = {fact.label: fact.value for fact in facts}
        defined = [fact for fact in facts if fact.value != UNDEFINED]
        for number, fact in enumerate(defined):
            value = QLabel(fact.value)
            value.setTextFormat(Qt.TextFormat.PlainText)
            value.setWordWrap(True)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            value.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self._grid.addWidget(toned_label(fact.label, "muted"), number, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(value, number, 1)
        # Ten lines of "–" would hide the few facts that a picture deck has.
        for reason in dict.fromkeys(fact.reason for fact in facts if fact.value == UNDEFINED):
            labels = [fact.label.lower() for fact in facts if fact.value == UNDEFINED and fact.reason == reason]
            line = toned_label(f"{UNDEFINED} {reason.removesuffix('.')}: {', '.join(labels)}", "caption")
            line.setWordWrap(True)
            self._grid.addWidget(line, self._grid.rowCount(), 0, 1, 2)


class WarningLine(QFrame):
    """One warning; with a slide number it can be opened."""

    opened = Signal(int)

    def __init__(self, warning: DeckWarning, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._slide = warning.slide
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        words = _words(warning.message)
        if warning.slide is not None:
            go = KeyCapButton(f"slide {warning.slide}", is_compact=True)
            go.setProperty("flat", True)
            go.setToolTip("Show this slide in Compare")
            go.clicked.connect(self._on_clicked)
            row.addWidget(go, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(words, 1)

    @Slot()
    def _on_clicked(self) -> None:
        self.opened.emit(self._slide)


class SourceLine(QFrame):
    """One source with its size and a button that opens it."""

    opened = Signal(object)

    def __init__(self, source: Source, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.source = source
        name = ElidedLabel(source.name)
        name.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        size = toned_label(size_words(source.size_bytes), "caption")
        self.button = KeyCapButton("Open", is_compact=True)
        self.button.setAccessibleName(f"Open {source.name}")
        self.button.clicked.connect(self._on_clicked)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(name, 1)
        row.addWidget(size)
        row.addWidget(self.button)

    @Slot()
    def _on_clicked(self) -> None:
        self.opened.emit(self.source)


def _part(title: str, parts: Sequence[QWidget]) -> QWidget:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(12, 12, 12, 4)
    column.setSpacing(6)
    if title:
        column.addWidget(toned_label(title, "heading"))
    for part in parts:
        column.addWidget(part)
    return holder


def _held(row: QHBoxLayout) -> QWidget:
    holder = QWidget()
    row.setContentsMargins(0, 0, 0, 0)
    holder.setLayout(row)
    return holder


def _words(text: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setProperty("tone", "muted")
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return label
