"""How many slides a deck has, and whether each of them says something."""

from __future__ import annotations

from dataclasses import dataclass

from studio.checklists.rules.findings import evidence_box, no, slides_named, yes
from studio.checklists.rules.rule import Rule, parameter
from studio.checklists.rules.slide_kinds import is_only_title, is_section_header, shows_anything
from studio.model.checklists import EvidenceBox, Finding
from studio.model.deck_evidence import DeckEvidence, Fact


@dataclass(frozen=True, kw_only=True)
class SlideCountParameters:
    """How many slides are allowed."""

    min_count: int = parameter(1, "Fewest visible slides, this number included.", 0, 10_000)
    max_count: int = parameter(10_000, "Most visible slides, this number included.", 0, 10_000)


def slide_count(evidence: DeckEvidence, parameters: SlideCountParameters) -> Finding:
    """Yes if the deck as delivered has at least `min_count` and at most `max_count` visible slides.

    Hidden slides are not counted, nor is the deck cut before it is counted.
    """
    n, low, high = len(evidence.visible), parameters.min_count, parameters.max_count
    hidden = len(evidence.slides) - n
    beside = f" beside {hidden} hidden" if hidden else ""
    allowed = f"{low} to {high}"
    if n < low:
        return no(f"The deck has {n} visible slides{beside}, too few for {allowed}.", ())
    if n > high:
        surplus = [EvidenceBox(slide=slide.number) for slide in evidence.visible[high:]]
        return no(f"The deck has {n} visible slides{beside}, too many for {allowed}.", surplus)
    return yes(f"The deck has {n} visible slides{beside}, within {allowed}.")


SLIDE_COUNT = Rule(
    name="slide_count", title="The number of slides is within its limits", judge=slide_count,
    parameters=SlideCountParameters, needs=frozenset({Fact.SLIDES}), is_verdict=True,
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class EmptySlideParameters:
    """Which slides may do with little."""

    title_only: bool = parameter(True, "Whether slides with a title and nothing else fail too.")
    allow_sections: bool = parameter(True, "Whether section headers, told by their layout, may have a title only.")


def empty_or_title_only_slides(evidence: DeckEvidence, parameters: EmptySlideParameters) -> Finding:
    """Yes if every visible slide shows something, and every one but the first and last more than its title.

    A slide is empty if it has neither text nor an object beside footers, dates and slide numbers; where a file does
    not tell of its shapes, if its page has no text and no picture, and less than 0.2% of it differs from its main
    colour. It has more than a title if there is text outside of the title, a picture, table, chart, diagram or medium
    of at least 2% of the slide, or three drawn shapes; elsewhere a picture of that size, or a page of which 2% differ
    from its main colour. Unfilled placeholders do not show. Titles are told by their placeholder; else one block of
    at most 12 words in place of a title only suggests it, as does a page's largest line.
    """
    tells_shapes = Fact.SHAPES not in evidence.gaps
    visible = evidence.visible
    empty = [slide.number for slide in visible if not shows_anything(slide, tells_shapes=tells_shapes)]
    bare = [
        slide
        for slide in visible[1:-1]
        if parameters.title_only and is_only_title(slide, tells_shapes=tells_shapes)
        and not (parameters.allow_sections and is_section_header(slide))
    ]  # fmt: skip
    if not empty and not bare:
        return yes("Every slide shows more than a title.", is_suggestion=not tells_shapes)
    is_known = tells_shapes and (bool(empty) or any(slide.title for slide in bare))
    parts = [f"{slides_named(empty)} {'is' if len(empty) == 1 else 'are'} empty"] if empty else []
    if bare:
        numbers = [slide.number for slide in bare]
        parts.append(f"{slides_named(numbers)} {'has' if len(bare) == 1 else 'have'} a title only")
    boxes = [evidence_box(number, None) for number in empty + [slide.number for slide in bare]]
    text = ", and ".join(parts)
    return no(f"{text[0].upper()}{text[1:]}.", boxes, is_suggestion=not is_known)


EMPTY_SLIDES = Rule(
    name="empty_or_title_only_slides", title="No slide is empty or has a title only",
    judge=empty_or_title_only_slides, parameters=EmptySlideParameters, needs=frozenset({Fact.SLIDES, Fact.TEXT}),
    reads_pages=True, is_verdict=True,
)  # fmt: skip
