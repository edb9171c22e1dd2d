"""Runs of question banks by a model: slides to Markdown, then Markdown and questions to answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from studio.actions.judge_access import check_key
from studio.actions.judge_price import checked_budget
from studio.actions.quiz_judge import Asking, Phase, run_phase
from studio.actions.quiz_run import banks_asked, quotes_of, run_offline, write_accuracies
from studio.decks.render import RenderTools
from studio.decks.workers import in_worker
from studio.errors import DeckUnreadable
from studio.jobs.engine import run_job
from studio.jobs.judge_material import Material, NothingToShow
from studio.jobs.keys import unit_key
from studio.jobs.quiz_conversations import answers, describe
from studio.jobs.quiz_job import deck_text, question_key, slide_texts
from studio.jobs.render_job import RenderJob
from studio.judges.shown import ShownDeck
from studio.model.changes import Changes, Topic, changed
from studio.model.decks import Deck, DeckStatus, Instance
from studio.model.ids import DeckId, InstanceId, RunId
from studio.model.judging import JudgeSetup, PlannedConversation, VerdictRecord
from studio.model.judging_options import ShownAs
from studio.model.passwords import PasswordVault
from studio.model.protocols import CancelToken, Emit
from studio.model.quiz import INSUFFICIENT, LETTERS, Condition, QuizAnswer, QuizBank
from studio.model.runs import RunKind, RunSpec, RunState
from studio.quiz.passages import joined
from studio.quiz.presort import presort
from studio.quiz.reader import READER
from studio.store import decks as deck_store
from studio.store import quiz_answers as answer_store
from studio.store.project import Project

_READ_S = 180.0


def run_reader(
    project: Project, setup: JudgeSetup, *, condition: Condition = Condition.SLIDES,
    text_from: JudgeSetup | None = None, offline_text: bool = False, deck_ids: Sequence[DeckId] | None = None,
    instance: str = "", force: bool = False, budget_usd: float | None = None, input: ShownAs = ShownAs.PICTURES,
    tools: RenderTools | None, emit: Emit, cancel: CancelToken, passwords: PasswordVault | None = None,
) -> tuple[Asking, str, Changes]:  # fmt: skip
    """Let a judge answer every bank; what was asked before is not asked again.

    Args:
        project: open for writing.
        setup: the judge that answers.
        condition: what it is given.
        text_from: the judge that turns slides into words; None: the same.
        offline_text: the words come from the file and from what was read on pictures, without a model.
        deck_ids: only these decks.
        instance: only this instance's banks.
        force: ask anew.
        budget_usd: pause when so much is spent.
        input: how slides are shown to the judge that describes them.
        tools: for decks that must be drawn first; None: they are left out.
        emit: told each step.
        cancel: stops it.
        passwords: of protected decks.

    Returns:
        what the asking took, why it is not complete (empty if it is), and what changed.

    Raises:
        BadInput: without a bank, without a key that is needed, or for a budget that cannot be kept.
    """
    check_key(setup)
    checked_budget(setup, usd=budget_usd)
    asking = Asking(setup=setup, emit=emit, cancel=cancel, budget_usd=budget_usd, force=force)
    banks = banks_asked(project, instance)
    known = {item.id: item for item in deck_store.list_instances(project)}
    topics = changed(Topic.QUIZ, Topic.RUNS, Topic.SCORES, Topic.DECKS)
    if condition is not Condition.SLIDES:
        planned = [
            answers(
                known[bank.instance_id], bank, "" if condition is Condition.CLOSED_BOOK else quotes_of(bank), condition
            )
            for bank in banks
        ]
        phase = run_phase(project, asking, condition.value.replace("_", " "), planned)
        _store(project, asking, phase, banks, condition, {}, text_from="")
        return asking, phase.stopped, topics
    wanted = {bank.instance_id for bank in banks}
    decks = [
        deck for deck in deck_store.list_decks(project)
        if deck.instance_id in wanted and deck.status is DeckStatus.PRESENT
        and (deck_ids is None or deck.id in set(deck_ids))
    ]  # fmt: skip
    if offline_text:
        texts, stopped, source = _offline_texts(project, decks, tools, emit, cancel, passwords), "", READER
    else:
        teller = asking if text_from is None else replace(asking, setup=text_from, ended=[])
        texts, stopped = _described(project, teller, decks, known, input, tools, passwords)
        source = teller.setup.id
        asking.spent_usd, asking.calls, asking.reused = teller.spent_usd, teller.calls, teller.reused
        asking.ended = asking.ended or teller.ended
    if stopped:
        return asking, stopped, topics
    planned = []
    for deck in decks:
        text = texts.get(deck.id)
        for bank in banks:
            if bank.instance_id == deck.instance_id and text:
                planned.append(answers(known[deck.instance_id], bank, text, Condition.SLIDES, deck=deck))
    phase = run_phase(project, asking, "answers", planned)
    _store(project, asking, phase, banks, Condition.SLIDES, texts, text_from=source)
    write_accuracies(project, setup.id, run_id=asking.ended[-1].run_id)
    return asking, phase.stopped, topics


def _offline_texts(
    project: Project, decks: Sequence[Deck], tools: RenderTools | None, emit: Emit, cancel: CancelToken,
    passwords: PasswordVault | None,
) -> dict[DeckId, str]:  # fmt: skip
    """Return each deck's words as the offline reader has them, by letting it read first: that costs nothing."""
    ids = [deck.id for deck in decks]
    run_offline(project, deck_ids=ids, tools=tools, emit=emit, cancel=cancel, passwords=passwords)
    found = {}
    for deck in decks:
        own = _own_words(project, deck)
        if own:
            found[deck.id] = own
    return found


def _own_words(project: Project, deck: Deck) -> str:
    """Return what a deck's file and its pictures say without a model; empty where they cannot be read."""
    text = deck_text(project, deck)
    if text is None:
        return ""
    try:
        return joined(in_worker(slide_texts, text, timeout_s=_READ_S))
    except DeckUnreadable:
        # The offline run, and the deck's own state, say why.
        return ""


def _described(
    project: Project, asking: Asking, decks: Sequence[Deck], known: dict[InstanceId, Instance], input: ShownAs,
    tools: RenderTools | None, passwords: PasswordVault | None,
) -> tuple[dict[DeckId, str], str]:  # fmt: skip
    if tools is not None:
        render = RenderJob(RunSpec(kind=RunKind.RENDER, deck_ids=tuple(deck.id for deck in decks)), tools, passwords)
        if render.plan(project).units:
            ended = run_job(project, render, emit=asking.emit, cancel=asking.cancel)
            if ended.state is not RunState.DONE:
                return {}, ended.reason or ended.state.value
    material = Material(project, input=input, cancel=asking.cancel)
    planned: list[PlannedConversation] = []
    for deck in deck_store.list_decks(project):
        if deck.id not in {each.id for each in decks}:
            continue
        try:
            shown, blocked = material.deck(deck), ""
        except NothingToShow as error:
            shown, blocked = ShownDeck(deck_id=deck.id, parts=(), slides=()), str(error)
        planned += describe(known[deck.instance_id], deck, shown, blocked)
    phase = run_phase(project, asking, "slides as text", planned)
    parts: dict[DeckId, list[str]] = {}
    whole: dict[DeckId, int] = {}
    for each in planned:
        whole[each.deck_id] = whole.get(each.deck_id, 0) + 1
    for each, records in phase.records:
        parts.setdefault(each.deck_id, []).append(str(records[0].detail.get("markdown", "")))
    # A deck of which a part could not be described is not answered about: what it lacks would count as missing.
    texts = {deck: "\n\n".join(found) for deck, found in parts.items() if len(found) == whole[deck]}
    for deck_id, text in texts.items():
        if answer_store.slide_text(project, deck_id, asking.setup.id) != text:
            answer_store.append_text(
                project, deck_id, text, text_from=asking.setup.id, unit_key=unit_key("quiz-text", text)
            )
    return texts, phase.stopped


def _store(
    project: Project, asking: Asking, phase: Phase, banks: Sequence[QuizBank], condition: Condition,
    texts: dict[DeckId, str], *, text_from: str,
) -> None:  # fmt: skip
    """Keep the answers of a phase that are not kept yet."""
    by_id = {bank.id: bank for bank in banks}
    done = answer_store.answered_units(project)
    decks = {deck.id: deck for deck in deck_store.list_decks(project)}
    run_id = asking.ended[-1].run_id if asking.ended else RunId("")
    for planned, records in phase.records:
        bank = by_id[planned.conversation.about.item_id.partition("/")[0]]  # type: ignore[attr-defined]
        key = unit_key("quiz", asking.version, text_from, planned.conversation.key_parts())
        if (key, planned.deck_id) in done and not asking.force:
            continue
        deck = decks.get(planned.deck_id)
        markdown = texts.get(planned.deck_id, "")
        own = _own_words(project, deck) if deck is not None and text_from != READER else ""
        found = {record.item_id: record for record in records}
        kept = []
        for question in bank.asked:
            record = found.get(question.id)
            if record is None:
                continue
            answer = _answer_of(record)
            slides = tuple(box.slide for box in record.boxes)
            kept.append(
                QuizAnswer(
                    bank_id=bank.id, bank_version=bank.version, question_id=question.id, type=question.type,
                    instance_id=bank.instance_id, deck_id=planned.deck_id, reader=asking.setup.id, condition=condition,
                    answer=answer, key=question.answer, cited_slides=slides, reason=record.reason,
                    text_from=text_from, question_key=question_key(question), run_id=run_id,
                    presort=presort(question, answer, cited=slides, markdown=markdown, on_pictures=own)
                    if condition is Condition.SLIDES else None,
                )
            )  # fmt: skip
        asset = (deck.asset or "") if deck is not None else ""
        answer_store.append_answers(project, kept, unit_key=key, asset=asset)


def _answer_of(record: VerdictRecord) -> str:
    return record.verdict if record.verdict in {*LETTERS, INSUFFICIENT} else ""
