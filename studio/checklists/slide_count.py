"""The slide-count check in the words of the reference, for result files and for the compatible mode."""

from __future__ import annotations

from typing import NamedTuple

from studio.model.checklists import ItemAnswer

CODE_TAG = "[judged by code]"
"""Begins every explanation that no judge wrote."""


class Counted(NamedTuple):
    """Answer and explanation as result files hold them."""

    answer: ItemAnswer
    explanation: str


def check_slide_count(slides: int, *, min_count: int, max_count: int) -> Counted:
    """Return whether a deck has so many slides, both ends included.

    Args:
        slides: by default the visible slides as delivered; in compatible mode those left after the cut.
        min_count: fewest.
        max_count: most.
    """
    answer = ItemAnswer.YES if min_count <= slides <= max_count else ItemAnswer.NO
    said = f"{CODE_TAG} The number of slides is {slides}, which is"
    if answer is ItemAnswer.YES:
        return Counted(answer, f"{said} within the required range of {min_count}-{max_count}.")
    how = "few" if slides < min_count else "many"
    return Counted(answer, f"{said} too {how}. The required range is {min_count}-{max_count} slides.")
