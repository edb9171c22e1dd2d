"""How many slides put numbers forward."""

from __future__ import annotations

import re
from dataclasses import dataclass

from studio.checklists.rules.findings import evidence_box, no, slides_named, yes
from studio.checklists.rules.rule import Rule, parameter
from studio.checklists.rules.slide_kinds import is_references
from studio.model.checklists import Finding
from studio.model.deck_evidence import DeckEvidence, Fact, SlideEvidence, TextRole

_NOT_A_QUANTITY = re.compile(
    r"https?://\S+|\[[\d,\s–-]+\]|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b(?:19|20)\d\d(?:\s*[–/-]\s*(?:19|20)?\d\d)?\b(?!\s*[%€$£])"
    r"|^\s*\d{1,2}[.)、]\s|\b(?:v|version|figure|fig|table|slide|page|section|chapter|step|part|图|表)\.?\s*\d+(?:\.\d+)*"
    r"|\b[A-Za-z][\w-]*\d[\w-]*|\d{1,2}:\d\d",
    re.IGNORECASE | re.MULTILINE,
)
_QUANTITY = re.compile(r"[$€£¥]?\s?\d+(?:[.,\u202f\s]\d{3})*(?:[.,]\d+)?\s?[%‰°]?")
_CELL = re.compile(r"^[\s$€£¥~≈<>±+−–-]*\d[\d.,\s]*\s*(?:[%‰°]|[A-Za-z]{1,6})?(?:\s*[±(].*)?$")


@dataclass(frozen=True, kw_only=True)
class QuantityParameters:
    """How many slides are asked for, and from how many numbers on one counts."""

    min_count: int = parameter(1, "Fewest slides with quantities, this number included.", 0, 10_000)
    max_count: int = parameter(10_000, "Most slides with quantities, this number included.", 0, 10_000)
    min_numbers: int = parameter(3, "From so many numbers in its text on, a slide counts.", 1, 1000)


def quantitative_slide_count(evidence: DeckEvidence, parameters: QuantityParameters) -> Finding:
    """Yes if at least `min_count` and at most `max_count` visible slides put numbers forward.

    Such a slide has a native chart with values, a table with four or more cells that are numbers, or text with at
    least `min_numbers` numbers. Years, dates, times, numbers of lists, figures, versions and references, slide
    numbers, addresses and numbers inside names do not count. Charts that are pictures are not seen, so this only
    suggests an answer.
    """
    found = [slide for slide in evidence.visible if _is_quantitative(slide, parameters.min_numbers)]
    n, low, high = len(found), parameters.min_count, parameters.max_count
    numbers = [slide.number for slide in found]
    where = f" ({slides_named(numbers)})" if numbers else ""
    boxes = [evidence_box(number, None) for number in numbers]
    if n < low:
        return no(f"{n} slides put numbers forward{where}, fewer than {low}.", boxes)
    if n > high:
        return no(f"{n} slides put numbers forward{where}, more than {high}.", boxes)
    return yes(f"{n} slides put numbers forward{where}.", boxes=boxes)


def _is_quantitative(slide: SlideEvidence, min_numbers: int) -> bool:
    charts = any(value is not None for seen in slide.charts for series in seen.chart.series for value in series.values)
    cells = [piece.text for piece in slide.pieces if piece.role is TextRole.TABLE]
    if charts or sum(bool(_CELL.match(cell)) for cell in cells) >= 4:
        return True
    if is_references(slide):
        return False
    text = "\n".join(piece.text for piece in slide.pieces if piece.role is not TextRole.FOOTER and not piece.is_code)
    return len(_QUANTITY.findall(_NOT_A_QUANTITY.sub(" ", text))) >= min_numbers


QUANTITIES = Rule(
    name="quantitative_slide_count", title="Enough slides put numbers forward", judge=quantitative_slide_count,
    parameters=QuantityParameters, needs=frozenset({Fact.SLIDES, Fact.TEXT}), is_verdict=False,
)  # fmt: skip
