"""What to do about a score: only slides and topics that exist, each with the similarity that it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from studio.model.reflex import ContentMetric, DeckObject
from studio.reflex import alignment, redundancy
from studio.reflex.embedded import Embedded, cosines
from studio.reflex.repair import Repair

_POSITIVE = {
    ContentMetric.COVERAGE: "All major topics of the source are covered.",
    ContentMetric.REDUNDANCY: "Concise: no slide repeats another.",
    ContentMetric.ALIGNMENT: "The images fit the text beside them.",
    ContentMetric.FLOW: "The slides follow one another naturally.",
}


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """One thing to change."""

    slide: int | None
    """Number of the slide at fault; None for a topic that is missing."""
    topic: str
    """The slide's title, or the missing section's."""
    other: int | None
    """The slide that it repeats, that its image fits, or after which it should stand (0: first of all)."""
    chance: float
    """How sure the scorer is that this is at fault, 0 to 1."""
    evidence: float
    """What says so: the similarity of the section and its nearest slide, or of the two slides; the margin by which
    the image fits elsewhere; the gain of the move in log odds; for a slide that is less sure, the chance again."""
    text: str
    is_firm: bool = True
    """Whether it is worth following. A slide beside a moved one may look out of place too: it is named, not moved."""


def suggestions(
    it: Embedded, metric: ContentMetric, chance: np.ndarray, threshold: float, planned: Repair
) -> tuple[Suggestion, ...]:
    """Return what to change, in the order of the deck; empty if there is nothing.

    Args:
        it: the deck.
        metric: what is explained.
        chance: of each thing that it is at fault, 0 to 1.
        threshold: of the chance; things above it are named. Flow names what is planned instead.
        planned: the moves that flow asks for; they come first, in their order, and slides that it is less sure of
            follow.
    """
    if metric is ContentMetric.FLOW:
        return _out_of_place(it, planned)
    found = [int(each) for each in np.flatnonzero(chance > threshold)]
    make = {
        ContentMetric.COVERAGE: _missing, ContentMetric.REDUNDANCY: _repeated,
        ContentMetric.ALIGNMENT: _misplaced_image,
    }  # fmt: skip
    return tuple(made for each in found if (made := make[metric](it, each, float(chance[each]))) is not None)


def explanation(metric: ContentMetric, found: Sequence[Suggestion]) -> str:
    """Return the sentences that a person reads."""
    return "\n".join(each.text for each in found) if found else _POSITIVE[metric]


def template(metric: ContentMetric, topics: Sequence[str]) -> str:
    """Return an explanation in the paper's form, for the comparison by ROUGE."""
    return "; ".join(topics) if topics else _POSITIVE[metric]


def item_names(deck: DeckObject, metric: ContentMetric) -> list[str]:
    """Return what the things that may be at fault are called, in the order of their marks."""
    if metric is ContentMetric.COVERAGE:
        return [section.title for section in (deck.document.sections if deck.document else ())]
    slides = [slide for slide in deck.slides if slide.image_words or metric is not ContentMetric.ALIGNMENT]
    return [f"{slide.number}. {slide.title}" for slide in slides]


def _missing(it: Embedded, at: int, chance: float) -> Suggestion:
    assert it.deck.document is not None
    title = it.deck.document.sections[at].title
    near = cosines(it.sections[at : at + 1], it.texts)[0]
    best = int(near.argmax())
    return Suggestion(
        slide=None, topic=title, other=it.deck.slides[best].number, chance=chance, evidence=float(near[best]),
        text=f"Add: {title}. Nearest is slide {it.deck.slides[best].number} (similarity {near[best]:.2f}).",
    )  # fmt: skip


def _repeated(it: Embedded, at: int, chance: float) -> Suggestion | None:
    if at == 0:
        return None
    earlier, near = redundancy.nearest_earlier(it, at)
    if cosines(it.texts[at : at + 1], it.texts[at + 1 :]).max(initial=-1.0) > near:
        # Its twin comes later, and the later of the two is the repeat.
        return None
    slide, other = it.deck.slides[at], it.deck.slides[earlier]
    return Suggestion(
        slide=slide.number, topic=slide.title, other=other.number, chance=chance, evidence=near,
        text=f"{slide.number}. {slide.title}: repeats slide {other.number} (similarity {near:.2f}).",
    )  # fmt: skip


def _misplaced_image(it: Embedded, row: int, chance: float) -> Suggestion:
    slide = it.deck.slides[alignment.places(it)[row]]
    best, margin = alignment.better_place(it, row)
    other = it.deck.slides[best]
    if other.number == slide.number:
        text = f"{slide.number}. {slide.title}: its image fits its text poorly; no other slide fits it better."
    else:
        text = f"{slide.number}. {slide.title}: its image fits slide {other.number} better (margin {margin:.2f})."
    return Suggestion(
        slide=slide.number, topic=slide.title, other=other.number, chance=chance, evidence=margin, text=text
    )


def _out_of_place(it: Embedded, planned: Repair) -> tuple[Suggestion, ...]:
    titles = {slide.number: slide.title for slide in it.deck.slides}
    firm = [
        Suggestion(
            slide=move.slide, topic=titles[move.slide], other=move.after, chance=move.chance, evidence=move.gain,
            text=f"{move.slide}. {titles[move.slide]}: move it to {_where(move.after)} "
            f"({_likeness(it, move.slide, move.after)}gain {move.gain:.1f}).",
        )
        for move in planned.moves
    ]  # fmt: skip
    unsure = [
        Suggestion(
            slide=number, topic=titles[number], other=None, chance=chance, evidence=chance, is_firm=False,
            text=f"{number}. {titles[number]}: may not follow from its neighbours (likelihood {chance:.2f}).",
        )
        for number, chance in planned.unsure
    ]  # fmt: skip
    return (*firm, *unsure)


def _where(after: int) -> str:
    return f"after slide {after}" if after else "the front"


def _likeness(it: Embedded, number: int, after: int) -> str:
    """Return how like a slide is to the one that it should follow and to the one that it follows now, in words."""
    numbers = [slide.number for slide in it.deck.slides]
    at = numbers.index(number)
    if not after or at == 0:
        return ""
    text = cosines(it.texts[at : at + 1], it.texts)[0]
    return f"similarity {text[numbers.index(after)]:.2f}, to the one before it now {text[at - 1]:.2f}; "


def suggestion_json(suggestion: Suggestion) -> dict[str, object]:
    """Return a suggestion as JSON values."""
    return {
        "slide": suggestion.slide, "topic": suggestion.topic, "other": suggestion.other,
        "chance": round(suggestion.chance, 4), "evidence": round(suggestion.evidence, 4), "text": suggestion.text,
        "is_firm": suggestion.is_firm,
    }  # fmt: skip
