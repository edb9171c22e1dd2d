"""What the page of question banks shows, read off the main thread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from studio.actions import quiz_banks, quiz_results
from studio.actions.quiz_composite import CompositeRow, Weights, composite
from studio.actions.source_index import SourceShelf
from studio.model.decks import Instance
from studio.model.ids import InstanceId
from studio.model.quiz import Question, QuizBank
from studio.quiz.audit import Audit, covered_pages
from studio.quiz.checks import Finding
from studio.quiz.quotes import NamedPages, QuoteFinder
from studio.quiz.richness import Richness
from studio.store import decks as deck_store
from studio.store.project import Project


@dataclass(frozen=True, kw_only=True)
class BankView:
    """One instance's bank, its sources, and what code finds in it."""

    instances: tuple[Instance, ...]
    counts: Mapping[InstanceId, int]
    """Questions of each instance."""
    instance: Instance | None
    bank: QuizBank | None
    findings: tuple[Finding, ...]
    pages: tuple[NamedPages, ...]
    finder: QuoteFinder | None
    unread: str
    covered: Mapping[tuple[str, int], int]
    """Questions on each page with words."""
    undo: str
    redo: str


@dataclass(frozen=True, kw_only=True)
class ResultsView:
    """All answers that count and the tables made of them."""

    answered: tuple[quiz_results.Answered, ...]
    rows: tuple[quiz_results.AccuracyRow, ...]
    errors: tuple[quiz_results.ErrorShare, ...]
    comparisons: tuple[quiz_results.Comparison, ...]
    composite: tuple[CompositeRow, ...]
    missing: Mapping[str, int]
    questions: Mapping[tuple[str, str], Question]
    """By bank and question id."""


@dataclass(frozen=True, kw_only=True)
class AuditView:
    """The audit over all banks, and the difficulty of the instances."""

    audit: Audit
    names: Mapping[str, str]
    """Instance by bank id."""
    richness: Mapping[InstanceId, Richness]
    unknown: Mapping[InstanceId, str] = field(default_factory=dict)
    instances: tuple[Instance, ...] = ()


def read_bank(project: Project, shelf: SourceShelf, instance_id: InstanceId | None) -> BankView:
    """Return the bank of an instance; of the first one that has a bank, or of the first, where none is named."""
    instances = tuple(deck_store.list_instances(project))
    banks = quiz_banks.list_banks(project)
    with_bank = {bank.instance_id: bank for bank in reversed(banks)}
    chosen = next((each for each in instances if each.id == instance_id), None)
    if chosen is None:
        chosen = next((each for each in instances if each.id in with_bank), instances[0] if instances else None)
    bank = with_bank.get(chosen.id) if chosen is not None else None
    pages, unread = quiz_banks.named_pages(shelf, chosen.id) if chosen is not None else ([], "")
    finder = QuoteFinder(pages) if pages else None
    findings = quiz_banks.findings_of(project, bank, finder, unread) if bank is not None else ()
    back, again = quiz_banks.can_undo(project)
    return BankView(
        instances=instances, counts={each.instance_id: len(each.questions) for each in banks}, instance=chosen,
        bank=bank, findings=tuple(findings), pages=tuple(pages), finder=finder, unread=unread,
        covered=covered_pages(bank.asked if bank is not None else (), finder) if finder is not None else {},
        undo=back.words if back else "", redo=again.words if again else "",
    )  # fmt: skip


def read_results(project: Project, shelf: SourceShelf, weights: Weights) -> ResultsView:
    """Return the answers and their tables."""
    answered = quiz_results.gather(project, shelf=shelf)
    questions = {(bank.id, each.id): each for bank in quiz_banks.list_banks(project) for each in bank.questions}
    return ResultsView(
        answered=tuple(answered), rows=tuple(quiz_results.accuracy_rows(answered)),
        errors=tuple(
            [*quiz_results.error_shares(answered), *quiz_results.error_shares(answered, by="system"),
             *quiz_results.error_shares(answered, by="topic")]
        ),
        comparisons=tuple(quiz_results.compare_backends(answered)), composite=tuple(composite(project, weights)),
        missing=quiz_results.missing_decks(project, answered), questions=questions,
    )  # fmt: skip


def read_audit(project: Project, shelf: SourceShelf) -> AuditView:
    """Return the audit over all banks."""
    instances = tuple(deck_store.list_instances(project))
    names = {item.id: item.title or item.name for item in instances}
    known, unknown = quiz_banks.difficulties(project, shelf=shelf)
    return AuditView(
        audit=quiz_banks.audit_banks(project, shelf=shelf),
        names={bank.id: names.get(bank.instance_id, "") for bank in quiz_banks.list_banks(project)}, richness=known,
        unknown=unknown, instances=instances,
    )  # fmt: skip
