"""Reads ``{"reason": …, "score": N}`` out of a reply: alone, in a fence, or with words around it."""

from __future__ import annotations

from typing import NamedTuple

from studio.judges.re_asking import Unreadable
from studio.judges.reply_json import number_in, objects_in, text_in


class ScoreRead(NamedTuple):
    """A score with its reason."""

    score: float
    reason: str
    is_surrounded: bool
    """There is more in the reply than the object."""


def read_score(reply: str, low: float, high: float, *, whole: bool = False) -> ScoreRead | Unreadable:
    """Return the score of the last object in a reply that has one on the scale.

    Args:
        reply: the whole reply.
        low: the lowest score; a score below or above the scale is unreadable, never moved onto it.
        high: the highest one.
        whole: whether only whole numbers are scores.
    """
    off_scale = ""
    for value in objects_in(reply):
        if "score" not in value:
            continue
        score = number_in(value["score"], low, high)
        if score is not None and (not whole or score == int(score)):
            text = reply.strip()
            return ScoreRead(score, text_in(value.get("reason")), not (text.startswith("{") and text.endswith("}")))
        off_scale = off_scale or f"the score {str(value['score'])[:40]} is no number from {low:g} to {high:g}"
    return Unreadable(off_scale or 'the reply holds no object with a "score"')
