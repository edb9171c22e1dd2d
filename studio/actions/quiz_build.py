"""Building question banks with a model, phase by phase; going on after a crash is building again (decision 37)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from studio.actions.judge_access import check_key
from studio.actions.judge_price import checked_budget
from studio.actions.quiz_banks import bank_of, named_pages
from studio.actions.quiz_judge import Asking, Phase, run_phase
from studio.actions.source_index import SourceShelf, instances_named
from studio.jobs.judge_job import JudgeJob
from studio.jobs.quiz_conversations import SetterTask, analyst, critic, number_of, setter
from studio.model.changes import Changes, Topic, changed
from studio.model.decks import Instance
from studio.model.judging import JudgeSetup
from studio.model.protocols import CancelToken, Emit
from studio.model.quiz import PER_TYPE, Evidence, Question, QuestionType, RejectedEvidence
from studio.quiz.construction import (
    MOST_ROUNDS,
    SPARE,
    WINDOW_LETTERS,
    Window,
    choose,
    set_questions,
    sift,
    unsupported,
    windows,
    with_letters,
)
from studio.quiz.quotes import QuoteFinder
from studio.store import decks as deck_store
from studio.store import quizzes
from studio.store.project import Project


@dataclass(frozen=True, kw_only=True)
class PhaseReport:
    """One phase of one instance, for people."""

    phase: str
    units: int
    facts: int
    """Facts, or questions, that stand after it."""
    rejected: tuple[RejectedEvidence, ...]
    """What code or the critic did not let through."""
    duplicates: int
    passed_over: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class BuildReport:
    """What building one instance's bank came to."""

    instance_id: str
    instance: str
    bank_id: str
    new: int
    phases: tuple[PhaseReport, ...]
    evidence: tuple[Evidence, ...]
    """The facts that the questions were chosen from."""
    stopped: str = ""
    """Why it is not finished; building again goes on from there."""


@dataclass(frozen=True, kw_only=True)
class BuildSummary:
    """A whole build."""

    banks: tuple[BuildReport, ...]
    calls: int
    reused: int
    cost: float

    @property
    def is_finished(self) -> bool:
        """Whether nothing was left undone."""
        return not any(each.stopped for each in self.banks)


def build_banks(
    project: Project, setup: JudgeSetup, *, instance: str = "", seed: int | None = None, window: int = WINDOW_LETTERS,
    budget_usd: float | None = None, shelf: SourceShelf | None = None, emit: Emit, cancel: CancelToken,
    on_job: Callable[[JudgeJob], None] = lambda job: None,
) -> tuple[BuildSummary, Changes]:  # fmt: skip
    """Build the banks of one instance or of all with a model; what was asked before is not asked again.

    The questions are drafts: a person must accept each.

    Args:
        project: open for writing.
        setup: the judge that is asked.
        instance: only this one.
        seed: of the choice among facts and of the letters; the project's if None.
        window: letters of the sources in one request.
        budget_usd: pause when so much is spent.
        shelf: reads the sources.
        emit: told each step, from other threads.
        cancel: stops it.
        on_job: given each phase's job before it starts.

    Raises:
        BadInput: if a key is needed and missing, the budget cannot be kept, or there is no such instance.
    """
    check_key(setup)
    checked_budget(setup, usd=budget_usd)
    shelf = shelf or SourceShelf(project)
    asking = Asking(setup=setup, emit=emit, cancel=cancel, budget_usd=budget_usd, on_job=on_job)
    known = {item.id: item for item in deck_store.list_instances(project)}
    reports = []
    for instance_id in instances_named(project, instance):
        builder = _Builder(project, asking, known[instance_id], shelf, project.seed if seed is None else seed, window)
        reports.append(builder.build())
        if reports[-1].stopped and asking.is_halted:
            break
    summary = BuildSummary(banks=tuple(reports), calls=asking.calls, reused=asking.reused, cost=asking.spent_usd)
    return summary, changed(Topic.QUIZ, Topic.RUNS)


class _Builder:
    """Takes one instance through the phases."""

    def __init__(
        self, project: Project, asking: Asking, instance: Instance, shelf: SourceShelf, seed: int, window: int
    ) -> None:
        self.project, self.asking, self.instance = project, asking, instance
        pages, self.unread = named_pages(shelf, instance.id, asking.cancel)
        self.finder = QuoteFinder(pages)
        self.parts = windows(pages, letters=window, overlap=window // 8)
        self.seed = f"{seed} {instance.id}"
        self.phases: list[PhaseReport] = []

    def build(self) -> BuildReport:
        """Return what the phases came to; the bank is stored if all of them are complete."""
        if not self.parts:
            return self._report((), stopped=self.unread or "the sources have no text")
        evidence, stopped = self._analyst()
        if not stopped:
            evidence, stopped = self._critic(evidence)
        if stopped:
            return self._report(evidence, stopped=stopped)
        questions, stopped = self._setter(evidence)
        if stopped:
            return self._report(evidence, stopped=stopped)
        return self._report(evidence, questions=questions)

    def _run(self, name: str, planned: Sequence[Any]) -> Phase:
        return run_phase(self.project, self.asking, name, planned)

    def _analyst(self) -> tuple[list[Evidence], str]:
        phase = self._run("analyst", analyst(self.instance, self.parts))
        evidence: list[Evidence] = []
        rejected: list[RejectedEvidence] = []
        duplicates = 0
        for _, records in phase.records:
            sifted = sift(_list(records[0].detail, "evidence"), self.finder, known=evidence)
            evidence += sifted.kept
            rejected += sifted.rejected
            duplicates += sifted.duplicates
        self._note(phase, len(evidence), rejected, duplicates)
        return evidence, phase.stopped

    def _critic(self, evidence: list[Evidence]) -> tuple[list[Evidence], str]:
        open_parts: list[Window] = list(self.parts)
        dropped: dict[str, str] = {}
        for round in range(1, MOST_ROUNDS + 1):
            facts = {part.number: self._of_part(part, evidence, dropped) for part in open_parts}
            planned = critic(self.instance, open_parts, facts, round)
            phase = self._run(f"critic, round {round}", planned)
            rejected: list[RejectedEvidence] = []
            duplicates = 0
            grown: list[Window] = []
            by_item = {each.conversation.subjects()[0].item_id: records for each, records in phase.records}
            for part in open_parts:
                records = by_item.get(f"critic/{round}/{part.number}")
                if records is None:
                    continue
                shown = facts[part.number]
                for number, reason in unsupported(_list(records[0].detail, "verdicts"), len(shown), number_of).items():
                    fact = shown[number - 1]
                    dropped[fact.id] = reason
                    rejected.append(
                        RejectedEvidence(claim=fact.claim, quote=fact.quote, page=fact.page, reason=f"critic: {reason}")
                    )
                sifted = sift(_list(records[0].detail, "additions"), self.finder, known=evidence)
                evidence = [*evidence, *sifted.kept]
                rejected += sifted.rejected
                duplicates += sifted.duplicates
                if sifted.kept:
                    grown.append(part)
            self._note(phase, sum(each.id not in dropped for each in evidence), rejected, duplicates)
            if phase.stopped:
                return evidence, phase.stopped
            if not grown:
                break
            open_parts = grown
        return [each for each in evidence if each.id not in dropped], ""

    def _of_part(self, part: Window, evidence: Sequence[Evidence], dropped: dict[str, str]) -> list[Evidence]:
        pages = set(part.pages)
        return [each for each in evidence if (each.source, each.page) in pages and each.id not in dropped]

    def _setter(self, evidence: Sequence[Evidence]) -> tuple[list[Question], str]:
        questions: dict[QuestionType, list[Question]] = {kind: [] for kind in QuestionType}
        used: set[str] = set()
        for round in range(1, MOST_ROUNDS + 1):
            tasks = []
            for kind in QuestionType:
                lacking = PER_TYPE - len(questions[kind])
                left = [each for each in evidence if each.id not in used]
                if lacking > 0:
                    wanted = choose(
                        left, kind, seed=f"{self.seed} {round}", count=lacking + (SPARE if round == 1 else 0)
                    )
                    tasks.append(SetterTask(kind=kind, round=round, facts=tuple(wanted)))
            tasks = [task for task in tasks if task.facts]
            if not tasks:
                break
            used |= {fact.id for task in tasks for fact in task.facts}
            phase = self._run(f"setter, round {round}", setter(self.instance, tasks))
            rejected: list[RejectedEvidence] = []
            by_item = {each.conversation.subjects()[0].item_id: records for each, records in phase.records}
            for task in tasks:
                records = by_item.get(f"setter/{task.kind.value}/{task.round}")
                if records is None:
                    continue
                made, faults = set_questions(
                    _list(records[0].detail, "questions"), task.facts, self.finder, number_of,
                    made_with=self.asking.setup.id,
                )  # fmt: skip
                known = {each.question.casefold() for listed in questions.values() for each in listed}
                for each in made:
                    if each.question.casefold() in known:
                        faults.append(_again(each))
                    elif len(questions[task.kind]) < PER_TYPE:
                        known.add(each.question.casefold())
                        questions[task.kind].append(each)
                rejected += faults
            self._note(phase, sum(map(len, questions.values())), rejected, 0)
            if phase.stopped:
                return [], phase.stopped
        return with_letters([each for kind in QuestionType for each in questions[kind]], seed=self.seed), ""

    def _note(self, phase: Phase, facts: int, rejected: Sequence[RejectedEvidence], duplicates: int) -> None:
        self.phases.append(
            PhaseReport(
                phase=phase.name, units=phase.units, facts=facts, rejected=tuple(rejected), duplicates=duplicates,
                passed_over=phase.passed_over,
            )
        )  # fmt: skip

    def _report(
        self, evidence: Sequence[Evidence], *, questions: Sequence[Question] = (), stopped: str = ""
    ) -> BuildReport:
        bank = bank_of(self.project, self.instance.id, made_with=self.asking.setup.id)
        known = {each.id for each in bank.questions}
        fresh = [replace(each, note=_NEEDS_PERSON) for each in questions if each.id not in known]
        if fresh:
            bank = quizzes.save(
                self.project, bank, fresh, verb="build", words=f"Built {len(fresh)} questions",
                author=self.asking.setup.id,
            )  # fmt: skip
        return BuildReport(
            instance_id=self.instance.id, instance=self.instance.name, bank_id=bank.id if fresh or known else "",
            new=len(fresh), phases=tuple(self.phases), evidence=tuple(evidence), stopped=stopped,
        )  # fmt: skip


_NEEDS_PERSON = "Written by a model; its quote was found in the source by code. A person must read it."


def _again(question: Question) -> RejectedEvidence:
    return RejectedEvidence(
        claim=question.question, quote=question.source_quote, page=question.page, reason="it was asked before"
    )


def _list(detail: Any, name: str) -> list[dict[str, Any]]:
    return [each for each in detail.get(name) or () if isinstance(each, dict)]
