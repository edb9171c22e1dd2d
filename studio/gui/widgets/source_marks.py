"""How a page of a source is marked: headings in bold, found words in the colour of what is found."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from studio.gui import theme


def embolden(field: QPlainTextEdit, headings: frozenset[str]) -> None:
    """Set the lines in bold that are one of these headings, whatever marks of Markdown stand around them."""
    bold = QTextCharFormat()
    bold.setFontWeight(QFont.Weight.DemiBold)
    block = field.document().begin() if headings else None
    while block is not None and block.isValid():
        if block.text().strip(" #\t") in headings:
            cursor = QTextCursor(block)
            cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
            cursor.mergeCharFormat(bold)
        block = block.next()


def highlight(field: QPlainTextEdit, spans: Iterable[tuple[int, int]]) -> None:
    """Highlight these places, from and to in characters, and nothing else."""
    ink = QTextCharFormat()
    ink.setBackground(theme.color("highlight"))
    ink.setForeground(theme.color("highlight_text"))
    marks = []
    for start, end in spans:
        mark = QTextEdit.ExtraSelection()
        mark.format = ink
        mark.cursor = field.textCursor()
        mark.cursor.setPosition(start)
        mark.cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        marks.append(mark)
    field.setExtraSelections(marks)
