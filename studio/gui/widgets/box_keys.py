"""A box on a slide that is placed by keys: moved, stretched, and kept as a piece of evidence."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from studio.model.checklists import EvidenceBox

STEP = 0.02
"""How far one key moves or stretches a box, as a share of the slide."""
FIRST_BOX = QRectF(0.3, 0.3, 0.4, 0.4)


def moved(box: QRectF, x: int, y: int) -> QRectF:
    """Return a box some steps further right and down, within the slide."""
    left = min(max(0.0, box.x() + x * STEP), 1 - box.width())
    top = min(max(0.0, box.y() + y * STEP), 1 - box.height())
    return QRectF(left, top, box.width(), box.height())


def stretched(box: QRectF, x: int, y: int) -> QRectF:
    """Return a box with its lower right corner some steps further, within the slide."""
    width = min(max(STEP, box.width() + x * STEP), 1 - box.x())
    height = min(max(STEP, box.height() + y * STEP), 1 - box.y())
    return QRectF(box.x(), box.y(), width, height)


def as_evidence(box: QRectF, slide: int) -> EvidenceBox:
    """Return a box as evidence; sums of steps leave edges a hair beyond the slide, which are put right."""
    edges = (box.left(), box.top(), box.x() + box.width(), box.y() + box.height())
    x0, y0, x1, y1 = (min(1.0, max(0.0, round(edge, 4))) for edge in edges)
    return EvidenceBox(slide=slide, x0=x0, y0=y0, x1=x1, y1=y1)
