"""Findings in one shape for all rules: an answer, one sentence, and where it shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from studio.model.checklists import EvidenceBox, Finding, ItemAnswer
from studio.model.structure import Box

MAX_BOXES = 50
"""More marks than a person would look at."""
_MAX_NAMED = 6


def yes(reason: str, *, boxes: Sequence[EvidenceBox] = (), is_suggestion: bool = False) -> Finding:
    """Return that the deck passes."""
    return Finding(answer=ItemAnswer.YES, reason=reason, boxes=tuple(boxes)[:MAX_BOXES], is_suggestion=is_suggestion)


def no(reason: str, boxes: Sequence[EvidenceBox], *, is_suggestion: bool = False) -> Finding:
    """Return that the deck fails, with every place where it does, in the order of the slides."""
    ordered = sorted(boxes, key=lambda box: (box.slide, box.y0, box.x0, box.y1, box.x1))
    return Finding(answer=ItemAnswer.NO, reason=reason, boxes=tuple(ordered)[:MAX_BOXES], is_suggestion=is_suggestion)


def not_applicable(reason: str) -> Finding:
    """Return that the question has no object in this deck, or that its format cannot tell."""
    return Finding(answer=ItemAnswer.NOT_APPLICABLE, reason=reason)


def evidence_box(slide: int, box: Box | None) -> EvidenceBox:
    """Return a mark on a slide, cut off at its edges; the whole slide where the place is not known."""
    if box is None:
        return EvidenceBox(slide=slide)
    x0, y0, x1, y1 = (min(1.0, max(0.0, round(value, 4))) for value in (box.x0, box.y0, box.x1, box.y1))
    # What lies off the slide altogether is marked on the whole of it.
    return EvidenceBox(slide=slide, x0=x0, y0=y0, x1=x1, y1=y1) if x1 > x0 and y1 > y0 else EvidenceBox(slide=slide)


def slides_named(numbers: Iterable[int]) -> str:
    """Return "slide 3", "slides 3 and 5" or "slides 1, 2, 3, 4, 5, 6 and 7 more"."""
    listed = sorted(set(numbers))
    if len(listed) == 1:
        return f"slide {listed[0]}"
    if len(listed) > _MAX_NAMED:
        return f"slides {', '.join(map(str, listed[:_MAX_NAMED]))} and {len(listed) - _MAX_NAMED} more"
    return f"slides {', '.join(map(str, listed[:-1]))} and {listed[-1]}"


def quoted(text: str, length: int = 40) -> str:
    """Return text in quotation marks on one line, cut where it is long."""
    line = " ".join(text.split())
    return f"“{line if len(line) <= length else line[: length - 1].rstrip() + '…'}”"
