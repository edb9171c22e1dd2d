"""Letters that came out as boxes."""

from __future__ import annotations

from dataclasses import dataclass

from studio.checklists.rules.findings import evidence_box, no, not_applicable, quoted, slides_named, yes
from studio.checklists.rules.rule import Rule, parameter
from studio.model.checklists import EvidenceBox, Finding
from studio.model.deck_evidence import DeckEvidence, Fact

_REPLACEMENT = "\ufffd"


@dataclass(frozen=True, kw_only=True)
class GlyphParameters:
    """How many missing letters are allowed."""

    max_letters: int = parameter(0, "Most letters without a shape on one slide, this number included.", 0, 10_000)


def missing_glyphs(evidence: DeckEvidence, parameters: GlyphParameters) -> Finding:
    """Yes if on every visible slide at most `max_letters` letters have no shape.

    A letter has no shape if the page draws the "missing" glyph of its font for it (number 0, a box or nothing), or if
    the file itself has the replacement character in its place. Spaces, joiners and fonts whose glyphs are drawings of
    their own are left out. Pages of office and HTML decks were drawn with the fonts of this machine, which stand in
    for those that are missing letter by letter.
    """
    found: dict[int, int] = {}
    boxes: list[EvidenceBox] = []
    first = ""
    n_lines = 0
    is_own_text = Fact.SHAPES not in evidence.gaps
    for slide in evidence.visible:
        # Of a page's own words MuPDF puts the same character where it cannot tell the letter, which is drawn.
        pieces = [piece for piece in slide.pieces if is_own_text and _REPLACEMENT in piece.text]
        lines = [line for line in slide.lines or () if line.is_seen and line.missing_glyphs]
        n_lines += len(slide.lines or ()) + len(slide.pieces)
        count = sum(line.missing_glyphs for line in lines) + sum(piece.text.count(_REPLACEMENT) for piece in pieces)
        if count > parameters.max_letters:
            found[slide.number] = count
            places = [line.box for line in lines] + [piece.box for piece in pieces]
            first = first or (lines[0].text if lines else pieces[0].text)
            boxes += [evidence_box(slide.number, box) for box in places]
    if not n_lines:
        return not_applicable("The deck has no text.")
    if not found:
        return yes("Every letter has a shape.")
    total = sum(found.values())
    letters = "1 letter has" if total == 1 else f"{total} letters have"
    return no(f"{letters} no shape, on {slides_named(found)}, such as in {quoted(first)}.", boxes)


GLYPHS = Rule(
    name="missing_glyphs", title="Every letter is drawn", judge=missing_glyphs, parameters=GlyphParameters,
    needs=frozenset({Fact.SLIDES, Fact.TEXT, Fact.PAGES}), is_verdict=True,
)  # fmt: skip
