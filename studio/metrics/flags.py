"""What each flag beside a value means: the rule that applied, in one sentence for people."""

from __future__ import annotations

from dataclasses import dataclass

from studio.errors import BadInput
from studio.metrics import aesthetics, slides, work


@dataclass(frozen=True, kw_only=True)
class FlagRule:
    """One flag and its rule."""

    flag: str
    title: str
    """In a few words, for a table."""
    rule: str
    """What was done, and what it does to the values."""


FLAGS: dict[str, FlagRule] = {
    each.flag: each
    for each in (
        FlagRule(
            flag=slides.NO_REGIONS,
            title="text regions unknown",
            rule="Nobody said where the slide's text is, as for a plain picture. The slide has no contrast value and "
            "is left out of the deck's mean; usability and the total are undefined if no slide has one.",
        ),
        FlagRule(
            # Content scorers are beside the metrics, so the name stands here as a word.
            flag="untrained_language",
            title="language not trained on",
            rule="The deck's words are in a language that the content model was not trained on (the shipped one knows "
            "English; the language is told by script for Chinese, Japanese and Korean, otherwise by a classifier, "
            "from 20 letters on). The score is kept, but nobody has tested it for that language.",
        ),
        FlagRule(
            flag="language_in_vectors",
            title="language read, not trained on",
            rule="The encoder of the content model reads the deck's language, so that words of one meaning are near "
            "each other, but no deck in it taught the model what is at fault.",
        ),
        FlagRule(
            flag=slides.NO_TEXT,
            title="no text",
            rule="The slide has no text region, so it has no contrast value and is left out of the deck's mean.",
        ),
        FlagRule(
            flag=aesthetics.SOME_WITHOUT_CONTRAST,
            title="slides without contrast",
            rule="Some slides have no contrast value; usability is 7 times the mean over the others.",
        ),
        FlagRule(
            flag=slides.ACHROMATIC,
            title="no hue",
            rule="No pixel has a saturation of 0.1 or more, so there is no hue to fit: distance 0 and harmony 1 by "
            "definition, and no best template.",
        ),
        FlagRule(
            flag=aesthetics.ONE_SLIDE,
            title="one slide",
            rule="Nothing varies in a deck of one slide: spreads are 0, RMSSD is undefined and its half of rhythm "
            "earns 0 (the reference gives it 6.86 of 8; parameter single_slide_reference).",
        ),
        FlagRule(
            flag=slides.BOX_CLIPPED,
            title="region over the edge",
            rule="A text region reaches over the edge of the picture; the part inside was measured.",
        ),
        FlagRule(
            flag=slides.BOX_OUTSIDE,
            title="region outside",
            rule="A text region lies outside the picture and was left out.",
        ),
        FlagRule(
            flag=slides.BOX_EMPTY,
            title="region without area",
            rule="A text region has no area and was left out.",
        ),
        FlagRule(
            flag=work.BOX_WITHOUT_INK,
            title="region without ink",
            rule="Nothing is to be seen in a text region: text in the colour of its ground, or covered. It counts, "
            "with contrast 0.",
        ),
        FlagRule(
            flag=work.DETECTED_REGIONS,
            title="regions detected",
            rule="The deck's file does not say where text is, so a detector found the slide's text regions on its "
            "picture; they are used as they are.",
        ),
        FlagRule(
            flag=work.IMPORTED_REGIONS,
            title="regions imported",
            rule="The slide's text regions were brought in as a file and are used as they are, never tightened.",
        ),
        FlagRule(
            flag=slides.UNKNOWN_LABEL,
            title="unknown label",
            rule="A region's label is neither a known text label nor a known other one; the region was left out.",
        ),
        FlagRule(
            flag=slides.TOO_SMALL,
            title="picture too small",
            rule="A side of the picture is shorter than 32 pixels: no subband entropy, so rhythm and the total of "
            "its deck are undefined.",
        ),
        FlagRule(
            flag=slides.GRID_FALLBACK,
            title="grid in place of text",
            rule="The contrast comes from neighbouring cells of a 4×4 grid and not from text, because the parameter "
            "grid_fallback asks for it.",
        ),
    )
}
"""Flag → its rule."""


def flag_rule(flag: str) -> FlagRule:
    """Return the rule of a flag.

    Raises:
        BadInput: if there is no such flag; the message names those that there are.
    """
    if flag not in FLAGS:
        raise BadInput(f"There is no flag {flag}.", next_step=f"Known: {', '.join(FLAGS)}.")
    return FLAGS[flag]
