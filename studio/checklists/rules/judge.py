"""One code item over one deck."""

from __future__ import annotations

from dataclasses import replace

from studio.checklists.rules.findings import not_applicable, slides_named
from studio.checklists.rules.registry import rule_named
from studio.checklists.rules.rule import Rule, parameters_of
from studio.model.checklists import Finding, ItemAnswer, RuleCall
from studio.model.deck_evidence import DeckEvidence, Fact

_OF_TEXT = frozenset({Fact.TEXT, Fact.SHAPES, Fact.PAGES})


def judge_by_code(evidence: DeckEvidence, call: RuleCall) -> Finding:
    """Return the finding of a rule: pure, and the same for the same evidence and call.

    A fact that this format can never tell gives *not applicable*; one that was not there this time gives no
    answer, with the reason. Where some slides are pictures, or cannot be read, a "yes" speaks for the others only
    and is a suggestion.

    Raises:
        UnknownRule: for a name outside the registry.
        BadInput: for parameters that the rule does not have or that are out of bounds.
    """
    rule = rule_named(call.rule)
    parameters = parameters_of(rule, call.parameters)
    for fact in Fact:
        gap = evidence.gaps.get(fact) if fact in rule.needs else None
        if gap is not None and gap.is_for_good:
            return not_applicable(f"This cannot be told: {gap.reason}.")
        if gap is not None:
            return Finding(answer=None, reason=f"There is no answer: {gap.reason}.")
    undrawn = evidence.gaps.get(Fact.PAGES)
    if rule.reads_pages and Fact.SHAPES in evidence.gaps and undrawn is not None:
        return Finding(answer=None, reason=f"There is no answer: {undrawn.reason}.")
    if rule.needs == frozenset({Fact.SLIDES}):
        return _marked(rule, rule.judge(evidence, parameters))
    if not evidence.visible:
        return not_applicable("The deck has no visible slide.")
    unknown = _unknown(rule, evidence)
    if len(unknown) == len(evidence.visible):
        what = "are pictures without text" if all(s.is_readable for s in evidence.visible) else "cannot be read"
        return not_applicable(f"This cannot be told: all slides {what}.")
    known = replace(evidence, slides=tuple(slide for slide in evidence.slides if slide.number not in unknown))
    finding = _marked(rule, rule.judge(known, parameters))
    if not unknown or finding.answer is not ItemAnswer.YES:
        return finding
    note = f"{slides_named(unknown)} could not be looked at"
    return replace(finding, reason=f"{finding.reason.rstrip('.')}; {note}.", is_suggestion=True)


def _unknown(rule: Rule, evidence: DeckEvidence) -> list[int]:
    """Return the visible slides of which the rule cannot know anything."""
    return [
        slide.number
        for slide in evidence.visible
        if not slide.is_readable
        or (slide.is_picture and bool(rule.needs & _OF_TEXT))
        or (Fact.PAGES in rule.needs and slide.lines is None)
    ]


def _marked(rule: Rule, finding: Finding) -> Finding:
    is_answer = finding.answer in {ItemAnswer.YES, ItemAnswer.NO}
    return replace(finding, is_suggestion=True) if is_answer and not rule.is_verdict else finding
