"""What a model can be asked about question banks from one place: what it would cost, and the asking itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from studio.actions.judge_access import check_key
from studio.actions.judge_price import Estimate, checked_budget, estimate
from studio.actions.quiz_banks import named_pages
from studio.actions.quiz_build import build_banks
from studio.actions.quiz_reading import run_reader
from studio.actions.quiz_run import banks_asked, quotes_of
from studio.actions.source_index import SourceShelf, instances_named
from studio.decks.render import RenderTools
from studio.errors import BadInput
from studio.jobs.judge_material import Material, NothingToShow
from studio.jobs.quiz_conversations import analyst, answers, critic, describe
from studio.judges.shown import ShownDeck
from studio.model.changes import Changes
from studio.model.decks import Deck, DeckStatus, Instance
from studio.model.judging import JudgeSetup, PlannedConversation
from studio.model.judging_options import ShownAs
from studio.model.passwords import PasswordVault
from studio.model.protocols import CancelToken, Emit
from studio.model.quiz import Condition
from studio.quiz.construction import WINDOW_LETTERS, windows
from studio.store import decks as deck_store
from studio.store import quiz_answers as answer_store
from studio.store.project import Project

LETTERS_A_SLIDE = 600
"""Taken for a slide's words until they are there; for estimates only."""


class QuizTask(StrEnum):
    """What a model is asked for."""

    BUILD = "build"
    SLIDES = "slides"
    ORACLE = "oracle"
    CLOSED_BOOK = "closed_book"


@dataclass(frozen=True, kw_only=True)
class QuizWish:
    """One run of a model."""

    task: QuizTask
    setup: JudgeSetup
    instance: str = ""
    """Name or id; empty: all of them."""
    has_offline_text: bool = False
    """Whether the slides' words come from the files, without the model."""
    shown_as: ShownAs = ShownAs.PICTURES
    budget_usd: float | None = None


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a run of a model came to."""

    wish: QuizWish
    words: str
    """One line for people."""
    stopped: str
    """Why it is not complete; empty if it is. Asking again goes on from there."""
    calls: int
    reused: int
    cost: float


def estimate_asking(
    project: Project, wish: QuizWish, *, shelf: SourceShelf | None = None, cancel: CancelToken
) -> Estimate:
    """Return what a run would take, as far as that is known before it starts; nothing is asked.

    Args:
        project: an open project.
        wish: the run.
        shelf: reads the sources.
        cancel: stops the counting.

    Raises:
        BadInput: if a key is missing, the budget cannot be kept, or there is no bank to ask about.
    """
    check_key(wish.setup)
    checked_budget(wish.setup, usd=wish.budget_usd)
    if wish.task is QuizTask.BUILD:
        planned, note = _to_build(project, wish, shelf or SourceShelf(project), cancel)
    elif wish.task is QuizTask.SLIDES:
        planned, note = _to_read(project, wish, cancel)
    else:
        condition = Condition(wish.task.value)
        known = {item.id: item for item in deck_store.list_instances(project)}
        planned = [
            answers(known[bank.instance_id], bank, quotes_of(bank) if condition is Condition.ORACLE else "", condition)
            for bank in banks_asked(project, wish.instance)
        ]
        note = "every request is counted"
    found = estimate(project, wish.setup, [each.conversation for each in planned if not each.blocked])
    return replace(found, basis=f"{found.basis}; {note}")


def ask_model(
    project: Project, wish: QuizWish, *, shelf: SourceShelf | None = None, tools: RenderTools | None, emit: Emit,
    cancel: CancelToken, passwords: PasswordVault | None = None,
) -> tuple[Asked, Changes]:  # fmt: skip
    """Do what is wished; what was asked before is not asked again.

    Args:
        project: open for writing.
        wish: the run.
        shelf: reads the sources.
        tools: for decks that must be drawn first; None: they are left out.
        emit: told each step, from other threads.
        cancel: stops it.
        passwords: of protected decks.

    Raises:
        BadInput: if a key is missing, the budget cannot be kept, or there is no bank to ask about.
    """
    if wish.task is QuizTask.BUILD:
        built, changes = build_banks(
            project, wish.setup, instance=wish.instance, budget_usd=wish.budget_usd, shelf=shelf, emit=emit,
            cancel=cancel,
        )  # fmt: skip
        new = sum(each.new for each in built.banks)
        stopped = "; ".join(f"{each.instance}: {each.stopped}" for each in built.banks if each.stopped)
        words = f"{new} new questions, {built.calls} calls, ${built.cost:.4f}"
        return Asked(
            wish=wish, words=words, stopped=stopped, calls=built.calls, reused=built.reused, cost=built.cost
        ), changes
    asking, stopped, changes = run_reader(
        project, wish.setup, condition=Condition(wish.task.value), offline_text=wish.has_offline_text,
        instance=wish.instance, budget_usd=wish.budget_usd, input=wish.shown_as, tools=tools, emit=emit, cancel=cancel,
        passwords=passwords,
    )  # fmt: skip
    words = f"{asking.calls} calls, {asking.reused} replies reused, ${asking.spent_usd:.4f}"
    return Asked(
        wish=wish, words=words, stopped=stopped, calls=asking.calls, reused=asking.reused, cost=asking.spent_usd
    ), changes


def _to_build(
    project: Project, wish: QuizWish, shelf: SourceShelf, cancel: CancelToken
) -> tuple[list[PlannedConversation], str]:
    known = {item.id: item for item in deck_store.list_instances(project)}
    planned: list[PlannedConversation] = []
    unread = []
    for instance_id in instances_named(project, wish.instance):
        pages, why = named_pages(shelf, instance_id, cancel)
        parts = windows(pages, letters=WINDOW_LETTERS, overlap=WINDOW_LETTERS // 8)
        planned += [*analyst(known[instance_id], parts), *critic(known[instance_id], parts, {}, 1)]
        if not parts:
            unread.append(f"{known[instance_id].name}: {why or 'the sources have no text'}")
    if not planned:
        raise BadInput(
            f"There is nothing to read: {'; '.join(unread[:3]) or 'no instances'}.",
            next_step="Attach the sources to the instances first.",
        )
    left_out = f"; {len(unread)} instances have no sources that can be read" if unread else ""
    return planned, f"the analyst and the critic's first round; later rounds and the questions come on top{left_out}"


def _to_read(project: Project, wish: QuizWish, cancel: CancelToken) -> tuple[list[PlannedConversation], str]:
    banks = banks_asked(project, wish.instance)
    known: dict[object, Instance] = {item.id: item for item in deck_store.list_instances(project)}
    wanted = {bank.instance_id for bank in banks}
    decks = [
        deck for deck in deck_store.list_decks(project)
        if deck.instance_id in wanted and deck.status is DeckStatus.PRESENT
    ]  # fmt: skip
    material = Material(project, input=wish.shown_as, cancel=cancel)
    planned: list[PlannedConversation] = []
    unseen = guessed = 0
    for deck in decks:
        stored = None if wish.has_offline_text else answer_store.slide_text(project, deck.id, wish.setup.id)
        guessed += stored is None
        if not wish.has_offline_text:
            seen = _describing(material, known[deck.instance_id], deck)
            unseen += any(each.blocked for each in seen)
            planned += seen
        words = stored if stored is not None else _likely_words(deck)
        planned += [
            answers(known[deck.instance_id], bank, words, Condition.SLIDES, deck=deck)
            for bank in banks
            if bank.instance_id == deck.instance_id
        ]
    notes = [f"{len(decks)} decks"]
    if guessed:
        notes.append(f"{LETTERS_A_SLIDE} letters taken for each slide of {guessed} decks, whose words come later")
    if unseen:
        notes.append(f"{unseen} decks have no pages yet: they are drawn first, then asked about")
    return planned, "; ".join(notes)


def _describing(material: Material, instance: Instance, deck: Deck) -> list[PlannedConversation]:
    try:
        return describe(instance, deck, material.deck(deck), "")
    except NothingToShow as error:
        return describe(instance, deck, ShownDeck(deck_id=deck.id, parts=(), slides=()), str(error))


def _likely_words(deck: Deck) -> str:
    return "x" * (LETTERS_A_SLIDE * max(1, deck.slides))
