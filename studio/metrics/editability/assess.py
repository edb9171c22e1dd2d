"""Triage and the knock-out from T1 to T5: a deck's level and all the evidence for it."""

from __future__ import annotations

from collections.abc import Callable

from studio.metrics.editability.contents import slides_judged
from studio.metrics.editability.gates import (
    Finding,
    Slides,
    data_gate,
    structure_gate,
    text_gate,
    time_gate,
    vector_gate,
)
from studio.metrics.editability.rules import RULES, EditabilityRules
from studio.metrics.editability.subcriteria import NOTHING, subcriteria, web_subcriteria
from studio.metrics.editability.web import web_text_gate, web_vector_gate
from studio.model.decks import DeckFormat
from studio.model.editability import MAXIMUM_LEVEL, Editability, Evidence, Gate, GateResult, Triage
from studio.model.structure import DeckStructure, WebStructure

_GATES: dict[Gate, Callable[[DeckStructure, Slides, EditabilityRules], Finding]] = {
    Gate.TEXT: text_gate,
    Gate.VECTOR: vector_gate,
    Gate.STRUCTURE: structure_gate,
    Gate.DATA: data_gate,
    Gate.TIME: time_gate,
}
NO_SLIDES = "no_slides: the deck has no slide to look at"
_STATIC_NAMES = {DeckFormat.PDF: "a PDF", DeckFormat.IMAGES: "a folder of pictures"}


def triage_of(format: DeckFormat) -> Triage:
    """Return what kind of file a format is (paper K): static, web or native."""
    if format in _STATIC_NAMES:
        return Triage.STATIC
    return Triage.WEB if format is DeckFormat.HTML else Triage.NATIVE


def assess_structure(deck: DeckStructure, rules: EditabilityRules) -> Editability:
    """Return the editability of a PowerPoint deck.

    Every gate is looked at, so that its evidence can be shown; the level is the last one passed in order.

    Source:
        SlidesGen-Bench 2.4 and appendix K; thresholds in `EditabilityRules`.
    """
    slides = slides_judged(deck, rules)
    unreadable = sum(not slide.is_readable for slide in deck.slides)
    notes = (f"{unreadable} of {len(deck.slides)} slides could not be read and are left out",) if unreadable else ()
    if not slides:
        reason = "unreadable: no slide of the deck can be read" if unreadable else NO_SLIDES
        return Editability(
            level=None, undefined_reason=reason, triage=Triage.NATIVE, maximum=MAXIMUM_LEVEL[Triage.NATIVE],
            rules=name_of(rules), notes=notes,
        )  # fmt: skip
    findings = {gate: test(deck, slides, rules) for gate, test in _GATES.items()}
    gates = knock_out(findings)
    return Editability(
        level=level_of(gates), triage=Triage.NATIVE, maximum=MAXIMUM_LEVEL[Triage.NATIVE], gates=gates,
        subcriteria=subcriteria(deck, slides, rules), rules=name_of(rules), n_slides=len(slides), notes=notes,
    )  # fmt: skip


def assess_web(deck: WebStructure, rules: EditabilityRules) -> Editability:
    """Return the editability of an HTML deck: T1 and T2 are tried, more it cannot have (paper K)."""
    slides = tuple(slide for slide in deck.slides if rules.count_hidden_slides or not slide.is_hidden)
    if not slides:
        return Editability(
            level=None, undefined_reason=NO_SLIDES, triage=Triage.WEB, maximum=MAXIMUM_LEVEL[Triage.WEB],
            rules=name_of(rules),
        )  # fmt: skip
    findings = {
        Gate.TEXT: web_text_gate(slides, rules, are_slides_known=deck.are_slides_known),
        Gate.VECTOR: web_vector_gate(slides, rules),
    }
    notes = () if deck.are_slides_known else ("no slides were recognised in the page; it was taken as one",)
    gates = (*knock_out(findings), *_untried("an HTML deck can reach level 2 at most", after=Gate.VECTOR))
    return Editability(
        level=level_of(gates), triage=Triage.WEB, maximum=MAXIMUM_LEVEL[Triage.WEB], gates=gates,
        subcriteria=web_subcriteria(deck, rules), rules=name_of(rules), n_slides=len(slides), notes=notes,
    )  # fmt: skip


def static_level(format: DeckFormat, n_slides: int, rules: EditabilityRules) -> Editability:
    """Return level 0, which every PDF and every folder of pictures has without a trial (paper K).

    Args:
        format: PDF or IMAGES.
        n_slides: pages or pictures.
        rules: only their name is kept.
    """
    if not n_slides:
        return Editability(
            level=None, undefined_reason=NO_SLIDES, triage=Triage.STATIC, maximum=0, rules=name_of(rules)
        )
    reason = f"{_STATIC_NAMES[format]} is static: level 0 without a trial"
    return Editability(
        level=0, triage=Triage.STATIC, maximum=MAXIMUM_LEVEL[Triage.STATIC], gates=_untried(reason, after=None),
        subcriteria=NOTHING, rules=name_of(rules), n_slides=n_slides,
    )  # fmt: skip


def knock_out(findings: dict[Gate, Finding]) -> tuple[GateResult, ...]:
    """Return the gates in order; those behind the first that fails are not reached."""
    results = []
    is_reached = True
    for gate, finding in findings.items():
        results.append(
            GateResult(
                gate=gate, is_reached=is_reached, holds=finding.holds, evidence=finding.evidence,
                measures=dict(finding.measures),
            )
        )  # fmt: skip
        is_reached = is_reached and finding.holds
    return tuple(results)


def level_of(gates: tuple[GateResult, ...]) -> int:
    """Return the level: the number of gates passed before the first that was not."""
    level = 0
    for result in gates:
        if not result.passed:
            break
        level += 1
    return level


def name_of(rules: EditabilityRules) -> str:
    """Return the name of rules, ``custom`` for rules that have none."""
    return next((name for name, known in RULES.items() if known == rules), "custom")


def _untried(reason: str, *, after: Gate | None) -> tuple[GateResult, ...]:
    order = list(Gate)
    start = order.index(after) + 1 if after is not None else 0
    return tuple(
        GateResult(gate=gate, is_reached=False, holds=None, evidence=(Evidence(text=reason),)) for gate in order[start:]
    )
