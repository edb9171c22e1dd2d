"""The rules of the code judge: what there is, and what they say of one file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from studio.checklists.rules import RULES, UnknownRule, rule_named
from studio.checklists.rules.rule import parameters_of, specs
from studio.checklists.rules.work import CodeOutcome, CodeTask, judge_task
from studio.decks.evidence.drawn import drawn_pdf
from studio.decks.passwords import decrypted, is_encrypted_office
from studio.decks.scratch import scratch
from studio.decks.sniff import sniff
from studio.decks.tools import RenderTools
from studio.decks.workers import in_worker
from studio.errors import DeckUnreadable
from studio.model.checklists import Finding, RuleCall
from studio.model.decks import FailureKind
from studio.model.protocols import CancelToken
from studio.store.values import plain

__all__ = ["judge_file", "outcome_rows", "rule_calls", "rule_name", "rule_rows"]

_TIMEOUT_S = 300.0


def rule_rows() -> list[dict[str, Any]]:
    """Return one row for each rule: its exact words, parameters with their bounds, and what it needs."""
    return [
        {
            "rule": rule.name,
            "title": rule.title,
            "version": rule.version,
            "is_verdict": rule.is_verdict,
            "needs": sorted(fact.value for fact in rule.needs),
            "exact_rule": rule.exact_rule,
            "parameters": [
                {
                    "name": spec.name, "type": spec.kind, "default": plain(spec.default), "doc": spec.doc,
                    "min": spec.low, "max": spec.high,
                }
                for spec in specs(rule)
            ],
        }
        for rule in RULES.values()
    ]  # fmt: skip


def rule_name(name: str) -> str:
    """Return the name of the rule that a name stands for, also the reference's own; empty if there is none."""
    try:
        return rule_named(name).name
    except UnknownRule:
        return ""


def rule_calls(names: Sequence[str], parameters: Mapping[str, object]) -> tuple[RuleCall, ...]:
    """Return the calls of the rules named, of all rules where none is.

    Raises:
        BadInput: for an unknown rule, or parameters that a named rule does not take.
    """
    chosen = [rule_named(name) for name in names] or list(RULES.values())
    # As the rule reads them: text from a command line has become a number by then.
    return tuple(
        RuleCall(rule=rule.name, parameters={name: getattr(typed, name) for name in parameters})
        for rule in chosen
        for typed in (parameters_of(rule, parameters),)
    )


def judge_file(
    path: Path, calls: Sequence[RuleCall], *, tools: RenderTools, cancel: CancelToken, password: str | None = None
) -> tuple[CodeOutcome, ...]:
    """Return what rules say of one deck, drawn for those that look at its pages.

    Raises:
        DeckUnreadable: if it is no deck or cannot be read.
        Cancelled: the token was set.
    """
    if not path.exists():
        raise DeckUnreadable(FailureKind.NOT_FOUND, f"{path.name} was not found.", next_step="Name a deck file.")
    if path.is_file() and is_encrypted_office(path):
        with decrypted(path, password) as opened:
            return judge_file(opened, calls, tools=tools, cancel=cancel)
    sniffed = sniff(path)
    if sniffed.deck_format is None:
        raise DeckUnreadable(
            FailureKind.NOT_A_DECK,
            f"{path.name} is no deck but a {sniffed.what}.",
            next_step="Choose a PowerPoint, OpenDocument, PDF or HTML file, or a folder of pictures.",
        )
    with scratch("rules") as folder:
        pages = drawn_pdf(path, folder, format=sniffed.deck_format, tools=tools, password=password, cancel=cancel)
        task = CodeTask(
            path=path, format=sniffed.deck_format, pdf=pages.pdf, why_no_pages=pages.reason, password=password,
            calls=tuple(calls),
        )  # fmt: skip
        return in_worker(judge_task, task, timeout_s=_TIMEOUT_S, cancel=cancel)


def outcome_rows(outcomes: Sequence[CodeOutcome]) -> list[dict[str, Any]]:
    """Return one row for each outcome: answer, reason, places, and whether it is a suggestion only."""
    return [
        {
            "rule": outcome.call.rule,
            "parameters": plain(outcome.call.parameters),
            "version": rule_named(outcome.call.rule).version,
            "answer": finding.answer.value if finding is not None and finding.answer is not None else None,
            "reason": finding.reason if finding is not None else outcome.error,
            "is_suggestion": finding.is_suggestion if finding is not None else False,
            "evidence": [
                {"slide": box.slide, "x0": box.x0, "y0": box.y0, "x1": box.x1, "y1": box.y1} for box in _boxes(finding)
            ],
        }
        for outcome in outcomes
        for finding in (outcome.finding,)
    ]


def _boxes(finding: Finding | None) -> Sequence[Any]:
    return finding.boxes if finding is not None else ()
