"""Values computed on pictures in which a substitute stands for a font that was not there say so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from studio.model.decks import Slide
from studio.model.scores import Score

MISSING_FONTS = "missing_fonts"
"""Flag: a font that the slide, or one of the deck's shown slides, asks for was not there when it was drawn."""


def with_missing_fonts(scores: Iterable[Score], slides: Sequence[Slide]) -> list[Score]:
    """Return the scores of one deck, those flagged that stand on pictures with substituted fonts."""
    lacking = {slide.number for slide in slides if slide.page is not None and slide.missing_fonts}
    return [
        replace(score, flags=(*score.flags, MISSING_FONTS))
        if (lacking if score.slide is None else score.slide in lacking)
        else score
        for score in scores
    ]
