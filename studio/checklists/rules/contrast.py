"""Whether text stands out from what is behind it."""

from __future__ import annotations

from dataclasses import dataclass

from studio.checklists.rules.findings import evidence_box, no, not_applicable, quoted, slides_named, yes
from studio.checklists.rules.rule import Rule, parameter
from studio.model.checklists import Finding
from studio.model.deck_evidence import DeckEvidence, DrawnLine, Fact, TextRole

_GLARE = 0.05
_FOOTER_BELOW, _FOOTER_PT = 0.92, 14.0
_LARGE_PT, _LARGE_BOLD_PT = 18.0, 14.0


@dataclass(frozen=True, kw_only=True)
class ContrastParameters:
    """How much contrast text needs."""

    min_ratio: float = parameter(3.0, "Smallest contrast ratio of text below 18 pt (bold: 14 pt).", 1.0, 21.0)
    min_ratio_large: float = parameter(2.0, "Smallest contrast ratio of larger text.", 1.0, 21.0)
    footers: bool = parameter(False, "Whether footers, dates and slide numbers count.")
    min_letters: int = parameter(5, "A slide passes with fewer pale letters than this.", 1, 10_000)


def contrast(evidence: DeckEvidence, parameters: ContrastParameters) -> Finding:
    """Yes if on no visible slide `min_letters` or more letters have less than the smallest contrast ratio.

    The ratio is that of WCAG 2.1, between the colour that most letters of a line are drawn in and the median pixel of
    the line's box. Sizes are for a slide 7.5 inches high. Footers, dates, slide numbers, and small text in the lowest
    twelfth of a slide, which many people make pale on purpose, count only where asked for. The default thresholds are
    laxer than WCAG's level AA (4.5, and 3 for large text); give these two to ask for AA.
    """
    pale: dict[int, list[tuple[float, DrawnLine]]] = {}
    n_lines = 0
    for slide in evidence.visible:
        found = []
        footers = {_words(piece.text) for piece in slide.pieces if piece.role is TextRole.FOOTER}
        for line in slide.lines or ():
            if not parameters.footers and _is_footer(line, footers):
                continue
            if not line.is_seen or line.background_rgb is None or not any(c.isalnum() for c in line.text):
                continue
            n_lines += 1
            is_large = line.size_pt >= (_LARGE_BOLD_PT if line.is_bold else _LARGE_PT)
            ratio = contrast_ratio(line.rgb, line.background_rgb)
            if ratio < (parameters.min_ratio_large if is_large else parameters.min_ratio):
                found.append((ratio, line))
        if sum(c.isalnum() for _, line in found for c in line.text) >= parameters.min_letters:
            pale[slide.number] = found
    if not n_lines:
        return not_applicable("The deck has no text.")
    if not pale:
        return yes("All text stands out from what is behind it.")
    ratio, line = min((pair for found in pale.values() for pair in found), key=lambda pair: pair[0])
    boxes = [evidence_box(number, each.box) for number, found in pale.items() for _, each in found]
    where = f"down to a contrast of {ratio:.1f} to 1 at {quoted(line.text)}"
    return no(f"Text on {slides_named(pale)} is too pale, {where}.", boxes)


def _is_footer(line: DrawnLine, footers: set[str]) -> bool:
    return _words(line.text) in footers or (line.box.y0 >= _FOOTER_BELOW and line.size_pt <= _FOOTER_PT)


def _words(text: str) -> str:
    return "".join(text.split())


def contrast_ratio(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    """Return the contrast ratio of two sRGB colours (0–255), 1 to 21.

    Source:
        WCAG 2.1, contrast ratio and relative luminance.
    """
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + _GLARE) / (darker + _GLARE)


def _luminance(rgb: tuple[int, int, int]) -> float:
    red, green, blue = (
        value / 255 / 12.92 if value / 255 <= 0.04045 else ((value / 255 + 0.055) / 1.055) ** 2.4 for value in rgb
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


CONTRAST = Rule(
    name="contrast", title="Text stands out from its background", judge=contrast, parameters=ContrastParameters,
    needs=frozenset({Fact.SLIDES, Fact.PAGES}), is_verdict=True,
)  # fmt: skip
