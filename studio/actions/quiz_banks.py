"""Question banks: drafting, bringing in and out, checking, and the work of their authors."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from studio.actions.source_index import SourceShelf, instances_named
from studio.decks.source_images import count_images
from studio.decks.sources import read_text
from studio.errors import BadInput, Cancelled, StudioError
from studio.exchange.files import write_whole
from studio.model.acts import Act
from studio.model.changes import Changes, Topic, changed
from studio.model.decks import Instance, SourceFormat
from studio.model.ids import InstanceId, new_id
from studio.model.protocols import CancelToken
from studio.model.quiz import Condition, Question, QuestionState, QuizBank
from studio.quiz import audit as audits
from studio.quiz import bank_files
from studio.quiz.checks import Finding, Severity, check_bank
from studio.quiz.drafting import MADE_WITH, draft
from studio.quiz.quotes import NamedPages, QuoteFinder
from studio.quiz.reader import READER
from studio.quiz.richness import ANCHORS, FORMULA, Richness, Sizes, richness
from studio.store import decks as deck_store
from studio.store import quiz_answers as answer_store
from studio.store import quizzes
from studio.store.project import Project, utc_now

DRAFTS = 10
"""Drafts of a bank unless more are asked for."""
_ASKED_OR_HELD_TO = ("type", "question", "options", "answer", "source", "page", "source_quote")


@dataclass(frozen=True, kw_only=True)
class DraftReport:
    """What drafting one instance's bank came to."""

    instance_id: InstanceId
    instance: str
    bank_id: str
    new: int
    known: int
    """Drafts that the bank has already, whatever became of them."""
    facts: int
    without_options: int
    reason: str = ""
    """Why there is nothing new."""


@dataclass(frozen=True, kw_only=True)
class ImportReport:
    """What bringing banks in came to."""

    banks: int = 0
    new: int = 0
    same: int = 0
    changed: int = 0
    """Questions whose words differ here; ours are kept unless theirs are asked for."""
    refused: tuple[dict[str, str], ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class BankChecks:
    """A bank with what code finds in it."""

    bank: QuizBank
    instance: str
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> int:
        """Findings that keep a question from being asked."""
        return sum(each.severity is Severity.ERROR for each in self.findings)


def list_banks(project: Project, instance: str = "") -> list[QuizBank]:
    """Return the banks of one instance, by id or name, or of all.

    Raises:
        BadInput: if there is no such instance.
    """
    wanted = set(instances_named(project, instance))
    return [bank for bank in quizzes.list_banks(project) if bank.instance_id in wanted]


def bank_of(project: Project, instance_id: InstanceId, *, made_with: str = "") -> QuizBank:
    """Return an instance's bank, or an empty one that is not stored yet."""
    found = next((bank for bank in quizzes.list_banks(project) if bank.instance_id == instance_id), None)
    if found is not None:
        return found
    title = next((item.title for item in deck_store.list_instances(project) if item.id == instance_id), "")
    return QuizBank(id=new_id("bank"), instance_id=instance_id, title=title, made_with=made_with)


def named_pages(
    shelf: SourceShelf, instance_id: InstanceId, cancel: CancelToken | None = None
) -> tuple[list[NamedPages], str]:
    """Return the pages of an instance's sources, and why some are not among them; empty if all are."""
    found, unread = [], []
    for source in deck_store.list_sources(shelf.project, instance_id):
        try:
            text = shelf.text(source, cancel)
        except Cancelled:
            raise
        except StudioError as error:
            unread.append(f"{source.name}: {error}")
            continue
        found.append(NamedPages(name=source.name, pages=text.pages))
    if not found and not unread:
        unread.append("the instance has no sources")
    return found, "; ".join(unread)


def draft_banks(
    project: Project, *, instance: str = "", count: int = DRAFTS, seed: int | None = None, author: str = "",
    shelf: SourceShelf | None = None, cancel: CancelToken | None = None,
) -> tuple[list[DraftReport], Changes]:  # fmt: skip
    """Add drafts of data questions to the banks of one instance or of all; needs no model and asks nobody.

    Drafting again with the same seed adds nothing: a draft's id depends on its fact.

    Raises:
        BadInput: if there is no such instance.
        Cancelled: if the token was set; what was drafted before is kept.
    """
    shelf = shelf or SourceShelf(project)
    names = {item.id: item for item in deck_store.list_instances(project)}
    reports = []
    for instance_id in instances_named(project, instance):
        if cancel is not None and cancel.is_set():
            raise Cancelled("Drafting was stopped.")
        pages, unread = named_pages(shelf, instance_id, cancel)
        found = draft(pages, count=count, seed=project.seed if seed is None else seed)
        bank = bank_of(project, instance_id, made_with=MADE_WITH)
        known = {each.id for each in bank.questions}
        fresh = [each for each in found.questions if each.id not in known]
        if fresh:
            words = f"Drafted {len(fresh)} questions"
            bank = quizzes.save(project, bank, fresh, verb="draft", words=words, author=author or MADE_WITH)
        reason = unread
        if not found.questions and not unread:
            reason = (
                "no fact with a number was found in the sources" if not found.facts
                else "the sources have too few numbers for wrong options"
            )  # fmt: skip
        reports.append(
            DraftReport(
                instance_id=instance_id, instance=names[instance_id].name, bank_id=bank.id, new=len(fresh),
                known=len(found.questions) - len(fresh), facts=found.facts, without_options=found.without_options,
                reason=reason,
            )
        )  # fmt: skip
    return reports, changed(Topic.QUIZ)


def import_banks(
    project: Project, path: Path, *, instance: str = "", takes_theirs: bool = False, author: str = ""
) -> tuple[ImportReport, Changes]:
    """Bring in the banks of a JSON file; bringing it in twice changes nothing.

    Args:
        project: open for writing.
        path: the file.
        instance: for a file that names none.
        takes_theirs: where a question differs, whether the file's words count.
        author: who brings it in.

    Raises:
        BadInput: if the file holds no questions, or names an instance that is not here.
    """
    banks = bank_files.read_banks(read_text(path), path.name)
    instances = deck_store.list_instances(project)
    new = same = differing = 0
    refused: list[dict[str, str]] = []
    notes: list[str] = []
    for read in banks:
        target = _target(read.instruction or instance, instance, instances, path.name)
        bank = bank_of(project, target.id, made_with=path.name)
        if not bank.questions:
            bank = replace(bank, difficulty=read.difficulty, version=read.version, title=read.title or bank.title)
        known = {each.id: each for each in bank.questions}
        taken = []
        for question in read.questions:
            ours = known.get(question.id)
            if ours is None:
                new += 1
                taken.append(question)
            elif _content(ours) == _content(question):
                same += 1
            else:
                differing += 1
                if takes_theirs:
                    taken.append(question)
        refused += [{"place": each.place, "reason": each.reason} for each in read.refused]
        notes += read.notes
        if taken:
            words = f"Brought in {len(taken)} questions of {path.name}"
            quizzes.save(project, bank, taken, verb="import", words=words, author=author)
    report = ImportReport(
        banks=len(banks), new=new, same=same, changed=differing, refused=tuple(refused), notes=tuple(notes)
    )
    return report, changed(Topic.QUIZ)


def export_banks(project: Project, out: Path, *, instance: str = "") -> Path:
    """Write banks into one JSON file, a list of banks where there are several; returns the file.

    Raises:
        BadInput: if there is no bank.
    """
    banks = list_banks(project, instance)
    if not banks:
        raise BadInput("There is no question bank yet.", next_step="studio quiz draft makes one.")
    names = {item.id: item.name for item in deck_store.list_instances(project)}
    values = [bank_files.bank_json(bank, instruction=names.get(bank.instance_id, "")) for bank in banks]
    content = json.dumps(values[0] if len(values) == 1 else values, ensure_ascii=False, indent=2)
    write_whole(out, content + "\n")
    return out


def check_banks(
    project: Project, *, instance: str = "", shelf: SourceShelf | None = None, cancel: CancelToken | None = None
) -> list[BankChecks]:
    """Return what code finds in the banks of one instance or of all; no model is asked."""
    shelf = shelf or SourceShelf(project)
    names = {item.id: item.name for item in deck_store.list_instances(project)}
    found = []
    for bank in list_banks(project, instance):
        pages, unread = named_pages(shelf, bank.instance_id, cancel)
        findings = findings_of(project, bank, QuoteFinder(pages) if pages else None, unread)
        found.append(BankChecks(bank=bank, instance=names.get(bank.instance_id, ""), findings=tuple(findings)))
    return found


def findings_of(project: Project, bank: QuizBank, finder: QuoteFinder | None, unread: str) -> list[Finding]:
    """Return what code finds in one bank, with the questions that a model answered without any slide."""
    guessed = {
        answer.question_id for answer in answer_store.current_answers(project)
        if answer.bank_id == bank.id and answer.condition is Condition.CLOSED_BOOK and answer.reader != READER
        and answer.is_correct
    }  # fmt: skip
    return check_bank(bank, finder, why_unread=unread, guessed=frozenset(guessed))


def audit_banks(
    project: Project, *, shelf: SourceShelf | None = None, cancel: CancelToken | None = None
) -> audits.Audit:
    """Return the audit over all banks: letters, lengths, places of the evidence, coverage of the sources."""
    shelf = shelf or SourceShelf(project)
    banks = quizzes.list_banks(project)
    finders: dict[str, QuoteFinder] = {}
    unread: dict[str, str] = {}
    for bank in banks:
        pages, why = named_pages(shelf, bank.instance_id, cancel)
        if pages:
            finders[bank.id] = QuoteFinder(pages)
        if why:
            unread[bank.id] = why
    return audits.audit(banks, finders, unread)


def difficulties(
    project: Project, *, shelf: SourceShelf | None = None, cancel: CancelToken | None = None
) -> tuple[dict[InstanceId, Richness], dict[InstanceId, str]]:
    """Return the content richness of every instance whose sources can be read, and why that of others is not known."""
    shelf = shelf or SourceShelf(project)
    sizes: dict[str, Sizes] = {}
    unknown: dict[InstanceId, str] = {}
    for instance in deck_store.list_instances(project):
        try:
            sizes[instance.id] = _sizes(shelf, instance, cancel)
        except Cancelled:
            raise
        except StudioError as error:
            unknown[instance.id] = str(error)
    return {InstanceId(key): value for key, value in richness(sizes).items()}, unknown


def difficulty_json(project: Project) -> dict[str, Any]:
    """Return the difficulties with formula and published anchors, as `studio quiz check --json` prints them."""
    known, unknown = difficulties(project)
    names = {item.id: item.name for item in deck_store.list_instances(project)}
    return {
        "formula": FORMULA, "anchors": ANCHORS,
        "instances": [
            {
                "instance_id": key, "instance": names[key], **asdict(value.sizes), "score": value.score,
                "level": value.level.value if value.level else None, "undefined_reason": value.undefined_reason or None,
                "is_high_by_anchor": value.is_high_by_anchor,
            }
            for key, value in known.items()
        ]
        + [
            {"instance_id": key, "instance": names[key], "score": None, "level": None, "undefined_reason": reason}
            for key, reason in unknown.items()
        ],
    }  # fmt: skip


# the work of authors


def save_question(project: Project, bank: QuizBank, question: Question, *, author: str) -> tuple[QuizBank, Changes]:
    """Store a question that is new or was edited; one whose content changed is a draft again.

    Raises:
        BadInput: without a question, or without a name of who writes.
    """
    if not author.strip():
        raise BadInput("Nobody is named as the author.", next_step="Give a name in the settings.")
    if not question.question.strip():
        raise BadInput("The question is empty.", next_step="Write what is asked.")
    ours = next((each for each in bank.questions if each.id == question.id), None)
    if ours is not None and _content(ours) != _content(question):
        question = replace(question, state=QuestionState.DRAFT, verified_by="", verified_at="")
    words = "Edited a question" if ours is not None else "Wrote a question"
    saved = quizzes.save(project, bank, [question], verb="edit" if ours else "add", words=words, author=author)
    return saved, changed(Topic.QUIZ)


def decide(
    project: Project, bank: QuizBank, question_ids: Sequence[str], state: QuestionState, *, person: str,
    shelf: SourceShelf | None = None,
) -> tuple[QuizBank, Changes]:  # fmt: skip
    """Accept or reject questions, or take that back; it stays known who did and when.

    Raises:
        BadInput: without a person's name, or for accepting a question that code finds an error in.
    """
    if not person.strip():
        raise BadInput("Nobody is named who verifies.", next_step="Give a name in the settings.")
    chosen = [each for each in bank.questions if each.id in set(question_ids)]
    if state is QuestionState.ACCEPTED:
        pages, unread = named_pages(shelf or SourceShelf(project), bank.instance_id)
        finder = QuoteFinder(pages) if pages else None
        wrong = {each.id for each in chosen}
        for finding in check_bank(bank, finder, why_unread=unread):
            if finding.severity is Severity.ERROR and (finding.question_id in wrong or not finding.question_id):
                raise BadInput(finding.message, next_step="Correct the question, then accept it.")
    at = "" if state is QuestionState.DRAFT else utc_now()
    by = "" if state is QuestionState.DRAFT else person
    decided = [replace(each, state=state, verified_by=by, verified_at=at) for each in chosen]
    verb = {QuestionState.ACCEPTED: "accept", QuestionState.REJECTED: "reject", QuestionState.DRAFT: "reopen"}[state]
    words = f"{verb.capitalize()}ed" if verb != "reopen" else "Reopened"
    saved = quizzes.save(
        project, bank, decided, verb=verb, words=f"{words} {len(decided)} questions", author=person
    )  # fmt: skip
    return saved, changed(Topic.QUIZ)


def undo(project: Project, *, author: str = "") -> tuple[Act, Changes]:
    """Take back the last act on question banks. Raises `BadInput` if there is none."""
    return quizzes.journal.undo(project, author=author), changed(Topic.QUIZ)


def redo(project: Project, *, author: str = "") -> tuple[Act, Changes]:
    """Bring back what was taken back last. Raises `BadInput` if there is nothing."""
    return quizzes.journal.redo(project, author=author), changed(Topic.QUIZ)


def can_undo(project: Project) -> tuple[Act | None, Act | None]:
    """Return the acts that undo would take back and redo would bring back."""
    return quizzes.journal.can_undo(project)


def _target(name: str, fallback: str, instances: Sequence[Instance], file: str) -> Instance:
    for wanted in (name, fallback):
        folded = _folded(wanted)
        found = [item for item in instances if folded and folded in {item.id, _folded(item.name), _folded(item.title)}]
        if len(found) == 1:
            return found[0]
    if not name and len(instances) == 1:
        return instances[0]
    known = ", ".join(item.name for item in instances) or "none"
    raise BadInput(
        f"{file} names the instance {name or '(none)'}, which is not in this project.",
        next_step=f"Name one with --instance; there are: {known}.",
    )


def _folded(name: str) -> str:
    return name.casefold().replace("_", " ").replace("-", " ").strip()


def _content(question: Question) -> tuple[object, ...]:
    return tuple(
        tuple(sorted(value.items())) if isinstance(value := getattr(question, name), dict) else value
        for name in _ASKED_OR_HELD_TO
    )


def _sizes(shelf: SourceShelf, instance: Instance, cancel: CancelToken | None) -> Sizes:
    letters = pages = images = 0
    sources = deck_store.list_sources(shelf.project, instance.id)
    if not sources:
        raise BadInput("the instance has no sources")
    for source in sources:
        text = shelf.text(source, cancel)
        letters += sum(len(" ".join(page.text.split())) for page in text.pages)
        pages += len(text.pages)
        path = shelf.project.asset_path(source.asset, source.extension)
        images += _images(path, source.format, shelf.passwords.of(source.asset))
    return Sizes(letters=letters, pages=pages, images=images)


@lru_cache(maxsize=4096)
def _images(path: Path, format: SourceFormat, password: str | None) -> int:
    # An asset's name is its content, so that a count never goes out of date.
    return count_images(path, format, password=password)
