"""Placing a box on a slide as evidence: a drag draws it, or arrow keys move and stretch it."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from studio.model.checklists import EvidenceBox

STEP = 0.02
"""How far one key moves or stretches a box, as a share of the slide."""
FIRST_BOX = QRectF(0.3, 0.3, 0.4, 0.4)


class BoxDraft:
    """A box that is being placed, in shares of the slide; it never leaves the slide."""

    def __init__(self) -> None:
        self.rect: QRectF | None = None
        """None while no box is being placed."""
        self.replaces: int | None = None
        """The place, among the boxes of the answer, of the one that is adjusted."""

    def begin(self, rect: QRectF = FIRST_BOX, replaces: int | None = None) -> None:
        """Begin with this box, which may be one that is there already."""
        self.rect, self.replaces = QRectF(rect), replaces

    def take(self) -> tuple[QRectF | None, int | None]:
        """Return the box and which one it replaces, and let go of it."""
        taken = self.rect, self.replaces
        self.rect = self.replaces = None
        return taken

    def move(self, x: int, y: int) -> None:
        """Move it by so many steps to the right and down."""
        if self.rect is not None:
            left = min(max(0.0, self.rect.x() + x * STEP), 1 - self.rect.width())
            top = min(max(0.0, self.rect.y() + y * STEP), 1 - self.rect.height())
            self.rect = QRectF(left, top, self.rect.width(), self.rect.height())

    def stretch(self, x: int, y: int) -> None:
        """Move its lower right corner by so many steps."""
        if self.rect is not None:
            width = min(max(STEP, self.rect.width() + x * STEP), 1 - self.rect.x())
            height = min(max(STEP, self.rect.height() + y * STEP), 1 - self.rect.y())
            self.rect = QRectF(self.rect.x(), self.rect.y(), width, height)


def box_on(slide: int, rect: QRectF) -> EvidenceBox:
    """Return a box on a slide as evidence; sums of steps leave edges a hair beyond the slide, which is mended."""
    edges = (rect.left(), rect.top(), rect.x() + rect.width(), rect.y() + rect.height())
    x0, y0, x1, y1 = (min(1.0, max(0.0, round(edge, 4))) for edge in edges)
    return EvidenceBox(slide=slide, x0=x0, y0=y0, x1=x1, y1=y1)


def rect_of(box: EvidenceBox) -> QRectF:
    """Return a box as a rectangle in shares of the slide."""
    return QRectF(box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0)
