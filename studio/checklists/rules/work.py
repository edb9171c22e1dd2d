"""Several rules over one deck file, for worker processes: paths and calls in, findings out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from studio.checklists.rules.judge import judge_by_code
from studio.decks.evidence import read_evidence
from studio.errors import BadInput
from studio.model.checklists import Finding, RuleCall
from studio.model.decks import DeckFormat


@dataclass(frozen=True, kw_only=True)
class CodeTask:
    """One deck and the rules to judge it by."""

    path: Path
    format: DeckFormat
    pdf: Path | None
    """Its pages as drawn; None for PDFs, for pictures, and where they were not drawn."""
    why_no_pages: str = ""
    password: str | None = None
    calls: tuple[RuleCall, ...]


@dataclass(frozen=True, kw_only=True)
class CodeOutcome:
    """What came of one call: a finding, or an error of the call itself."""

    call: RuleCall
    finding: Finding | None
    error: str = ""
    """Why the call cannot be run at all: an unknown rule, or parameters that it does not take."""


def judge_task(task: CodeTask) -> tuple[CodeOutcome, ...]:
    """Return the outcomes of all calls in their order, the deck read once.

    Raises:
        DeckUnreadable: if the deck cannot be read at all.
    """
    evidence = read_evidence(
        task.path, format=task.format, pdf=task.pdf, why_no_pages=task.why_no_pages, password=task.password
    )
    outcomes = []
    for call in task.calls:
        try:
            outcomes.append(CodeOutcome(call=call, finding=judge_by_code(evidence, call)))
        except BadInput as error:
            outcomes.append(CodeOutcome(call=call, finding=None, error=str(error)))
    return tuple(outcomes)
