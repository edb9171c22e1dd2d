"""Runs of question banks by the offline reader, and what their answers come to as scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from studio.actions.quiz_methods import method_of
from studio.decks.render import RenderTools
from studio.errors import BadInput
from studio.jobs.engine import run_job
from studio.jobs.quiz_job import FROM_FILE, QuizJob, question_key
from studio.jobs.regions_job import RegionsJob
from studio.jobs.render_job import RenderJob
from studio.model.changes import Changes, Topic, changed
from studio.model.decks import Deck, DeckFormat, DeckStatus, RenderState
from studio.model.events import RunEnded
from studio.model.ids import DeckId, RunId
from studio.model.passwords import PasswordVault
from studio.model.protocols import CancelToken, Emit
from studio.model.quiz import Condition, QuestionType, QuizAnswer, QuizBank
from studio.model.runs import Run, RunKind, RunSpec
from studio.model.scores import Score
from studio.quiz.reader import READER, READER_VERSION, RULE
from studio.store import decks as deck_store
from studio.store import quiz_answers as answer_store
from studio.store import quizzes
from studio.store import scores as score_store
from studio.store.project import Project

SCORE_VERSION = 1
NOT_ANSWERED = "not_answered"


def run_offline(
    project: Project, *, condition: Condition = Condition.SLIDES, deck_ids: Sequence[DeckId] | None = None,
    instance: str = "", force: bool = False, tools: RenderTools | None, emit: Emit, cancel: CancelToken,
    passwords: PasswordVault | None = None,
) -> tuple[RunEnded, Changes]:  # fmt: skip
    """Ask the offline reader every bank's questions, and write the accuracies; what was answered is not asked again.

    Decks whose words are in their pages are rendered first, and text on pictures is read, as far as that can be done
    here; a deck that has no words then is left out with the reason.

    Raises:
        BadInput: if there is no bank with questions.
    """
    banks = banks_asked(project, instance)
    decks = None if deck_ids is None else tuple(deck_ids)
    if condition is Condition.SLIDES and tools is not None:
        _prepare(project, banks, decks, tools, emit, cancel, passwords)
    spec = RunSpec(
        kind=RunKind.QUIZ, evaluators=(READER,), deck_ids=decks, force=force,
        options={"condition": condition.value, "banks": [bank.id for bank in banks], "rule": RULE},
    )  # fmt: skip
    ended = run_job(project, QuizJob(spec, banks, condition), emit=emit, cancel=cancel)
    if condition is Condition.SLIDES:
        write_accuracies(project, READER, run_id=ended.run_id)
    return ended, changed(Topic.QUIZ, Topic.RUNS, Topic.SCORES, Topic.DECKS)


def resume_offline(
    project: Project, run: Run, *, tools: RenderTools | None, emit: Emit, cancel: CancelToken
) -> tuple[RunEnded, Changes]:
    """Do what a stored run of the offline reader left undone; see `run_offline`.

    Raises:
        BadInput: if it is no such run, or its banks are not there any more.
    """
    stored: dict[str, Any] = run.spec
    options = stored.get("options") or {}
    if run.kind is not RunKind.QUIZ or "condition" not in options:
        raise BadInput(f"{run.title} is no run of question banks.", next_step="Start it anew.")
    decks = stored.get("deck_ids")
    banks = list(options.get("banks") or [])
    return run_offline(
        project, condition=Condition(options["condition"]),
        deck_ids=None if decks is None else tuple(DeckId(deck) for deck in decks),
        instance=str(banks[0]) if len(banks) == 1 else "", tools=tools, emit=emit, cancel=cancel,
    )  # fmt: skip


def banks_asked(project: Project, instance: str = "") -> list[QuizBank]:
    """Return the banks with questions to ask, of one instance or bank (by id or name) or of all.

    Raises:
        BadInput: if there is none.
    """
    wanted = instance.strip()
    names = {item.id: item.name for item in deck_store.list_instances(project)}
    banks = [
        bank for bank in quizzes.list_banks(project)
        if bank.asked and (not wanted or wanted in {bank.id, bank.instance_id, names.get(bank.instance_id)})
    ]  # fmt: skip
    if not banks:
        raise BadInput(
            f"There is no question bank{f' of {wanted}' if wanted else ''} with questions to ask.",
            next_step="studio quiz draft PROJECT makes drafts, studio quiz import brings banks in.",
        )
    return banks


def quotes_of(bank: QuizBank) -> str:
    """Return the quotes that a bank's questions rest on, each as a slide: what the oracle is given."""
    return "\n".join(
        f"# Slide {number}\n- {' '.join(each.source_quote.split())}"
        for number, each in enumerate(bank.asked, start=1)
        if each.source_quote.strip()
    )


def _prepare(
    project: Project, banks: Sequence[QuizBank], decks: tuple[DeckId, ...] | None, tools: RenderTools, emit: Emit,
    cancel: CancelToken, passwords: PasswordVault | None,
) -> None:  # fmt: skip
    instances = {bank.instance_id for bank in banks}
    facts = deck_store.deck_facts(project)
    wanted = [
        deck for deck in deck_store.list_decks(project)
        if deck.instance_id in instances and deck.status is DeckStatus.PRESENT and (decks is None or deck.id in decks)
    ]  # fmt: skip
    pending = tuple(
        deck.id for deck in wanted
        if deck.render_state is RenderState.PENDING and _needs_pages(deck, facts.get(deck.id, {}))
    )  # fmt: skip
    if pending:
        run_job(project, RenderJob(RunSpec(kind=RunKind.RENDER, deck_ids=pending), tools, passwords), emit=emit,
                cancel=cancel)  # fmt: skip
    if cancel.is_set():
        return
    regions = RegionsJob(RunSpec(kind=RunKind.REGIONS, deck_ids=tuple(deck.id for deck in wanted)))
    if regions.plan(project).units:
        run_job(project, regions, emit=emit, cancel=cancel)


def _needs_pages(deck: Deck, facts: dict[str, Any]) -> bool:
    """Return whether a deck's words can only be had from its pages: not in the file, or slides without text boxes."""
    if deck.format not in FROM_FILE:
        return deck.format is not DeckFormat.PDF or not facts
    return int(facts.get("text_boxes") or 0) < deck.slides


def current_answers(project: Project, *, condition: Condition | None = None) -> list[QuizAnswer]:
    """Return the answers that count: newest, about the present file, to the question as it is asked now."""
    asked = {(bank.id, each.id): question_key(each) for bank in quizzes.list_banks(project) for each in bank.asked}
    return [
        each for each in answer_store.current_answers(project)
        if asked.get((each.bank_id, each.question_id)) == each.question_key
        and (condition is None or each.condition is condition)
    ]  # fmt: skip


def write_accuracies(project: Project, reader: str, *, run_id: RunId | None) -> int:
    """Append each deck's accuracy, 0 to 1, in all and by type, where it differs from the current one.

    The denominator is the questions that were really asked; a deck that was not answered about has no value but the
    reason. Returns how many values are new.
    """
    answers = [each for each in current_answers(project, condition=Condition.SLIDES) if each.reader == reader]
    by_deck: dict[DeckId, list[QuizAnswer]] = {}
    for each in answers:
        by_deck.setdefault(each.deck_id, []).append(each)
    asked: dict[str, int] = {}
    for bank in quizzes.list_banks(project):
        asked[bank.instance_id] = asked.get(bank.instance_id, 0) + len(bank.asked)
    scores = []
    for deck in deck_store.list_decks(project):
        if deck.status is not DeckStatus.PRESENT or not asked.get(deck.instance_id):
            continue
        found = by_deck.get(deck.id, [])
        for part in ("", *(kind.value for kind in QuestionType)):
            of_part = [each for each in found if not part or each.type.value == part]
            if part and not of_part:
                continue
            n, correct = len(of_part), sum(each.is_correct for each in of_part)
            reason = None if n else f"{NOT_ANSWERED}: {asked[deck.instance_id]} questions"
            detail: dict[str, object] = {
                "asked": n, "correct": correct, "insufficient": sum(each.answer == "insufficient" for each in of_part),
                "reader": reader,
            }  # fmt: skip
            if reader == READER:
                detail |= {"rule": RULE, "reader_version": READER_VERSION}
            scores.append(
                Score(
                    run_id=run_id, metric=method_of(reader, part), metric_version=SCORE_VERSION, preset="benchmark",
                    deck_id=deck.id, instance_id=deck.instance_id, slide=None, value=correct / n if n else None,
                    undefined_reason=reason, detail=detail,
                )
            )  # fmt: skip
    before = {(each.metric, each.deck_id): each for each in score_store.current_scores(project)}
    fresh = [each for each in scores if _differs(each, before.get((each.metric, each.deck_id)))]
    if fresh:
        score_store.append_scores(project, fresh)
    return len(fresh)


def _differs(score: Score, before: Score | None) -> bool:
    return before is None or (score.value, score.undefined_reason, score.detail.get("asked")) != (
        before.value, before.undefined_reason, before.detail.get("asked"),
    )  # fmt: skip
