"""Rank: a person puts an instance's decks in order, compares two, or finds best and worst of four, by keyboard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from studio.actions.answer_desk import OpenUnit
from studio.actions.figures import counted
from studio.gui.answer_page import AnswerPage
from studio.gui.shortcuts import Action
from studio.gui.typed_ranks import TypedRanks
from studio.gui.widgets.answer_board import AnswerBoard
from studio.gui.widgets.choice_boards import BestWorstBoard, PairBoard, QuestionBoard
from studio.gui.widgets.rank_board import BoardState, RankBoard
from studio.model.answers import AnswerStatus, Preference, RankMethod
from studio.model.ids import DeckId
from studio.model.studies import RankingRule, StudyKind
from studio.sessions.comparison import Question, check_question
from studio.sessions.pairs import STRENGTHS
from studio.sessions.ranking import RankingSession

PLACING, PAIR, FOUR, QUESTION = "placing", "pair", "four", "question"
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_SIDES = {1: Preference.A, 2: Preference.B, 0: Preference.TIE}


class RankPage(AnswerPage):
    """The page on which decks are ranked and compared."""

    page_id = "rank"
    title = "Rank"
    icon_name = "list-ordered"
    kinds = (StudyKind.RANK, StudyKind.PAIRWISE, StudyKind.BEST_WORST)
    answering_modes = f"{PLACING}|{PAIR}|{FOUR}|{QUESTION}"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._digits = TypedRanks(self)
        self._digits.rank_typed.connect(self._give)
        self._is_comparing = False
        self._asked: Question | None = None
        """A question that was chosen, in place of the one that the sort asks."""

    def make_boards(self) -> Sequence[AnswerBoard]:  # @override
        self.rank_board = RankBoard(self.context.background, self.context.images)
        self.pair_board, self.question_board, self.four_board = PairBoard(), QuestionBoard(), BestWorstBoard()
        self.rank_board.deck_picked.connect(self._on_deck_picked)
        self.rank_board.rank_asked.connect(self._on_rank_asked, Qt.ConnectionType.QueuedConnection)
        self.rank_board.unrank_asked.connect(self._on_unrank_asked, Qt.ConnectionType.QueuedConnection)
        self.pair_board.strength_picked.connect(self._on_strength_picked)
        self.question_board.asked_again.connect(self._on_asked_again)
        self.four_board.best_picked.connect(self._on_best_picked)
        self.four_board.worst_picked.connect(self._on_worst_picked)
        return (self.rank_board, self.pair_board, self.question_board, self.four_board)

    def board_for(self, unit: OpenUnit) -> AnswerBoard:  # @override
        return {
            PLACING: self.rank_board, QUESTION: self.question_board, PAIR: self.pair_board, FOUR: self.four_board
        }[self.mode_for(unit)]  # fmt: skip

    def mode_for(self, unit: OpenUnit) -> str:  # @override
        if unit.study.kind is StudyKind.RANK:
            return QUESTION if self._is_comparing else PLACING
        return PAIR if unit.study.kind is StudyKind.PAIRWISE else FOUR

    def heading_for(self, unit: OpenUnit) -> str:  # @override
        what = "slides" if unit.slides else "decks"
        match unit.study.kind:
            case StudyKind.PAIRWISE:
                return f"Which of the two {what} is better?"
            case StudyKind.BEST_WORST:
                return f"Which of the four {what} is best, and which is worst?"
        total = len(unit.decks)
        number = NUMBERS[total] if total < len(NUMBERS) else str(total)
        if unit.study.rule is RankingRule.TOP_K:
            return f"Rank the best {min(unit.study.top_k, total)} of the {number} decks by overall quality"
        return f"Rank the {number} decks by overall quality"

    def begin_unit(self, unit: OpenUnit) -> None:  # @override
        self._digits.begin(len(unit.decks))
        self._asked = None
        state = unit.session.state
        self._is_comparing = (
            unit.study.kind is StudyKind.RANK
            and state.rank_method is RankMethod.COMPARISON
            and state.status is AnswerStatus.DRAFT
            and not state.ranks
        )
        self.work.boards.setCurrentWidget(self.board_for(unit))
        self.work.compare_button.setVisible(unit.study.kind is StudyKind.RANK)
        if isinstance(unit.session, RankingSession):
            self.rank_board.set_decks({deck.id: deck for deck in unit.decks})

    def own_actions(self) -> list[Action]:  # @override
        def act(name: str, words: str, run: Callable[[], None], *keys: str, mode: str = PLACING, **more: Any) -> Action:
            return Action(id=f"rank.{name}", words=words, run=run, keys=keys, page="rank", mode=mode, **more)

        compared = f"{PAIR}|{QUESTION}"
        give = [
            act(f"give_{rank}", f"Rank the focused deck {rank}", partial(self.press_digit, rank), str(rank),
                is_in_palette=False)
            for rank in range(1, 10)
        ]  # fmt: skip
        return [
            *give,
            act("unrank", "Take the rank away", self.unrank, "Backspace"),
            act("up", "Move up", partial(self.move, -1), "Alt+Up", repeats=True),
            act("down", "Move down", partial(self.move, 1), "Alt+Down", repeats=True),
            act("tie", "Tie with the deck above, or end the tie", self.tie, "T"),
            act("gap", "Much better than the next, or not", self.toggle_gap, "Shift+T", ">"),
            act("by_comparison", "Rank by comparison", self.toggle_comparison, "Q", mode=f"{PLACING}|{QUESTION}"),
            act("prefer_a", "A is better", partial(self.prefer, Preference.A), "A", mode=compared),
            act("prefer_b", "B is better", partial(self.prefer, Preference.B), "B", mode=compared),
            act("equal", "Equal", partial(self.prefer, Preference.TIE), "E", mode=compared),
            act("both_bad", "Both bad", partial(self.prefer, Preference.BOTH_BAD), "X", mode=PAIR),
            act("check", "Ask one more, as a check", self.ask_check, "K", mode=QUESTION),
            act("repair", "Change the first answer of a contradiction", self.repair, "R", mode=QUESTION),
            act("best", "The focused one is best", partial(self.choose_extreme, is_best=True), "B", mode=FOUR),
            act("worst", "The focused one is worst", partial(self.choose_extreme, is_best=False), "W", mode=FOUR),
            act("text", "Slide text", self.stage.toggle_text, "X", mode=f"{PLACING}|{QUESTION}|{FOUR}", group="View"),
            act("wall", "All decks at once", self.stage.toggle_wall, "W", mode=f"{PLACING}|{QUESTION}|{PAIR}",
                group="View"),
        ]  # fmt: skip

    # showing

    def show_answer(self, unit: OpenUnit, *, is_locked: bool) -> None:  # @override
        match self.mode_for(unit):
            case "placing":
                self._show_ranking(unit, is_locked=is_locked)
            case "question":
                self._show_question(unit, is_locked=is_locked)
            case "pair":
                session = unit.session
                self.pair_board.show_choice(
                    session.shown_preference, session.state.strength, ties_allowed=session.ties_allowed,
                    can_change=not is_locked,
                )  # fmt: skip
            case _:
                session = unit.session
                places = {other: place for place, other in enumerate(session.units)}
                best, worst = places.get(session.state.best), places.get(session.state.worst)
                letters = [deck.name for deck in unit.decks]
                self.four_board.show_choice(letters, best, worst, can_change=not is_locked)
                marks = {deck.id: word for place, deck in enumerate(unit.decks)
                         for word, chosen in (("best", best), ("worst", worst)) if place == chosen}  # fmt: skip
                self.stage.set_rank(marks)
        self.work.compare_button.setText("By hand" if self._is_comparing else "By comparison")

    def _show_ranking(self, unit: OpenUnit, *, is_locked: bool) -> None:
        session = unit.session
        self.rank_board.show_state(
            BoardState(
                slots=session.slots, unranked=session.unranked, focused=self.stage.focused, can_change=not is_locked,
                pending=str(self._digits.waiting or ""),
            )
        )  # fmt: skip
        self.stage.set_rank({deck: str(rank) for deck, rank in session.state.ranks.items()})

    def _show_question(self, unit: OpenUnit, *, is_locked: bool) -> None:
        session = unit.session
        found, asked = session.sort, self.question()
        pair = (session.letter_of(asked.first), session.letter_of(asked.second)) if asked else None
        if found.question is not None:
            facts = f"question {found.n_asked + 1}, {found.n_most} more at most"
        elif found.cycle:
            facts = "Change one of the answers that contradict each other (R)."
        else:
            facts = f"{counted(found.n_asked, 'answer')} put {len(unit.decks)} decks in order."
        bad = {frozenset((link.better, link.worse)) for link in found.cycle}
        answers = []
        for item in session.state.comparisons:
            sign = {Preference.A: ">", Preference.B: "<", Preference.TIE: "="}[item.said]
            if item.first in session.display and item.second in session.display:
                words = f"{session.letter_of(item.first)} {sign} {session.letter_of(item.second)}"
                answers.append((words, frozenset((item.first, item.second)) in bad))
        conflict = f"These answers contradict each other: {session.cycle_words()}" if found.cycle else ""
        checks = check_question(session.display, session.state.comparisons) is not None
        self.question_board.show_question(
            pair, facts=facts, conflict=conflict, answers=answers, ties_allowed=session.rules.ties_allowed,
            can_check=checks, can_change=not is_locked,
        )  # fmt: skip
        self.stage.set_rank({deck: str(rank) for deck, rank in session.state.ranks.items()})

    def decks_to_show(self, unit: OpenUnit) -> Sequence[Any]:  # @override
        asked = self.question() if self._is_comparing else None
        if asked is None:
            return unit.decks
        decks = {deck.id: deck for deck in unit.decks}
        return (decks[asked.first], decks[asked.second])

    def question(self) -> Question | None:
        """Return the question that is asked now, in a ranking by comparison."""
        if self._open is None or not isinstance(self._open.session, RankingSession):
            return None
        if self._asked is not None:
            return self._asked
        return self._open.session.sort.question

    def _bring_question(self) -> None:
        """Put the two decks that are asked about on the stage; all of them when nothing is asked."""
        decks = self.decks_to_show(self._open)
        if [deck.id for deck in decks] != [deck.id for deck in self.stage.decks]:
            self.stage.show_decks(decks, keeps_place=False)
        self._show()
        self._show_head()
        self._focus_stage()

    def missing_words(self, unit: OpenUnit) -> str:  # @override
        session = unit.session
        if not isinstance(session, RankingSession):
            return session.missing
        if self._is_comparing and session.sort.question is not None and not session.sort.cycle:
            return f"{counted(session.sort.n_most, 'question')} open at most"
        if session.unranked and not session.sort.cycle and unit.study.rule is RankingRule.FULL:
            # An untouched ranking too says what to do: "5 decks unranked: A, B, C, D, E".
            letters = sorted(session.letter_of(deck) for deck in session.unranked)
            return f"{counted(len(letters), 'deck')} unranked: {', '.join(letters)}"
        return session.missing

    def last_change_words(self, unit: OpenUnit) -> str:  # @override
        session = unit.session
        if not isinstance(session, RankingSession) or self._is_comparing or self.stage.focused is None:
            n_said = len(session.state.comparisons) if isinstance(session, RankingSession) else 0
            return counted(n_said, "answer") if n_said else "" if session.unanswered else "complete"
        deck = self.stage.focused
        rank = session.state.ranks.get(deck)
        name = session.letter_of(deck)
        if rank is None:
            return f"{name} unranked"
        mates = [other for other, place in session.state.ranks.items() if place == rank and other != deck]
        tied = f", tied with {', '.join(sorted(session.letter_of(mate) for mate in mates))}" if mates else ""
        return f"{name} is {rank} of {len(session.display)}{tied}"

    def go_to_unanswered(self) -> bool:  # @override
        session = self._open.session
        if isinstance(session, RankingSession):
            if not session.unanswered or self._is_comparing:
                return bool(session.unanswered)
            if session.unranked:
                self.stage.focus(session.unranked[0])
            return True
        return bool(session.unanswered)

    # ranking

    def settle(self) -> None:  # @override
        self._digits.settle()

    def press_digit(self, digit: int) -> None:  # @override
        """Take a digit: a rank for the focused deck, a side, or a deck to focus."""
        if self._open is None or not self._is_answering():
            return
        if self._mode == PLACING:
            self._digits.press(digit)
            self._show()
        elif self._mode in {PAIR, QUESTION}:
            if digit in _SIDES:
                self.prefer(_SIDES[digit])
        elif digit:
            self.stage.focus_place(digit - 1)

    def unrank(self) -> None:
        """Take the focused deck's rank away."""
        self._on_focused(lambda session, deck: session.unrank(deck))

    def move(self, step: int) -> None:
        """Move the focused deck up (−1) or down (+1)."""
        self._on_focused(lambda session, deck: session.move(deck, step))

    def tie(self) -> None:
        """Tie the focused deck with the one above, or end its tie."""
        self._on_focused(lambda session, deck: session.tie(deck))

    def toggle_gap(self) -> None:
        """Say that the gap below the focused deck is large, or not."""
        self._on_focused(lambda session, deck: session.toggle_gap(deck))

    def _on_focused(self, do: Callable[[Any, DeckId], None], *, settles: bool = True) -> None:
        deck = self.stage.focused
        if deck is not None:
            self._act(lambda session: do(session, deck), settles=settles)

    @Slot(int)
    def _give(self, rank: int) -> None:
        if self._open is None:
            return
        if rank <= len(self._open.decks):
            self._on_focused(lambda session, deck: session.rank(deck, rank), settles=False)
        else:
            self.context.toast(f"There is no rank {rank}: there are {len(self._open.decks)} decks.")

    # comparing

    def toggle_comparison(self) -> None:
        """Fill the ranking by questions about two decks, or place decks by hand again."""
        if self._open is None or self._open.study.kind is not StudyKind.RANK:
            return
        self.settle()
        self._is_comparing = not self._is_comparing
        self._asked = None
        self.work.boards.setCurrentWidget(self.board_for(self._open))
        self._set_mode(self.mode_for(self._open))
        self._bring_question()
        self._show_trouble()

    def prefer(self, side: Preference) -> None:
        """Take an answer: which side is better. The same side again says that it is better by more."""
        if self._open is None:
            return
        if self._mode == QUESTION:
            asked = self.question()
            if asked is not None:
                self._act(lambda session: session.compare(asked.first, asked.second, side))
                self._asked = None
                self._bring_question()
            return
        session = self._open.session
        if session.shown_preference is side and side in {Preference.A, Preference.B}:
            strength = (session.state.strength or 0) % len(STRENGTHS) + 1
            self._act(lambda session: session.set_strength(strength))
        else:
            self._act(lambda session: session.prefer(side))

    def ask_check(self) -> None:
        """Ask about two decks that were never compared, to see whether answers hold together."""
        if self._open is not None and self._mode == QUESTION and self.question() is None:
            session = self._open.session
            self._asked = check_question(session.display, session.state.comparisons)
            self._bring_question()

    def repair(self) -> None:
        """Ask the newest answer of a contradiction anew."""
        if self._open is None or self._mode != QUESTION:
            return
        bad = {frozenset((link.better, link.worse)) for link in self._open.session.sort.cycle}
        for number, item in reversed(list(enumerate(self._open.session.state.comparisons))):
            if frozenset((item.first, item.second)) in bad:
                self._on_asked_again(number)
                return

    def choose_extreme(self, *, is_best: bool) -> None:
        """Take the focused one of four as the best or the worst."""
        if self._open is None or self.stage.focused is None:
            return
        place = [deck.id for deck in self._open.decks].index(self.stage.focused)
        self._choose_place(place, is_best=is_best)

    def _choose_place(self, place: int, *, is_best: bool) -> None:
        unit = self._open.session.units[place]
        self._act(lambda session: session.set_best(unit) if is_best else session.set_worst(unit))

    # what widgets tell

    @Slot(str)
    def _on_focus_changed(self, deck: str) -> None:  # @override
        # A waiting digit belongs to the deck that was focused when it was pressed.
        self._digits.forget()
        super()._on_focus_changed(deck)

    @Slot(str)
    def _on_deck_picked(self, deck: str) -> None:
        self.stage.focus(DeckId(deck))

    @Slot(str, int)
    def _on_rank_asked(self, deck: str, rank: int) -> None:
        self.stage.focus(DeckId(deck))
        self._act(lambda session: session.rank(DeckId(deck), rank))

    @Slot(str)
    def _on_unrank_asked(self, deck: str) -> None:
        self.stage.focus(DeckId(deck))
        self._act(lambda session: session.unrank(DeckId(deck)))

    @Slot(int)
    def _on_strength_picked(self, strength: int) -> None:
        self._act(lambda session: session.set_strength(strength))

    @Slot(int)
    def _on_asked_again(self, number: int) -> None:
        item = self._open.session.state.comparisons[number]
        self._asked = Question(item.first, item.second)
        self._bring_question()

    @Slot(int)
    def _on_best_picked(self, place: int) -> None:
        self._choose_place(place, is_best=True)

    @Slot(int)
    def _on_worst_picked(self, place: int) -> None:
        self._choose_place(place, is_best=False)

    @Slot()
    def undo(self) -> None:  # @override
        super().undo()
        self._after_history()

    @Slot()
    def redo(self) -> None:  # @override
        super().redo()
        self._after_history()

    def _after_history(self) -> None:
        if self._open is not None and self._is_comparing:
            self._asked = None
            self._bring_question()

    def close_project(self) -> None:  # @override
        super().close_project()
        self._digits.forget()
