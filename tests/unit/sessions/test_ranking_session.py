from __future__ import annotations

import json
from dataclasses import replace
from itertools import count, pairwise

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from studio.errors import BadInput, StudioError
from studio.model.answers import AnswerEvent, AnswerKind, AnswerStatus, RankingState
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.model.studies import RankingRule
from studio.sessions import placement
from studio.sessions.clock import Spent
from studio.sessions.ranking import History, RankingRules, RankingSession

DECKS = tuple(DeckId(f"deck_{name}") for name in "dbac")
A, B, C, D = (DeckId(f"deck_{name}") for name in "abcd")


class Journal:
    """Stored events, as JSON text and back, as a database would keep them."""

    def __init__(self) -> None:
        self.events: list[AnswerEvent] = []
        self.is_broken = False

    def __call__(self, event: AnswerEvent) -> AnswerEvent:
        if self.is_broken:
            raise StudioError("The disk is full.", next_step="Free some space.")
        stored = replace(event, seq=len(self.events) + 1, state=json.loads(json.dumps(event.state)))
        self.events.append(stored)
        return stored


def session_on(journal, *, rules=None, display=DECKS, spent=lambda: Spent(1.0, 2.0)):
    ticks = count(len(journal.events))
    return RankingSession(
        instance_id=InstanceId("i"),
        annotator_id=AnnotatorId("p"),
        display=display,
        events=journal.events,
        record=journal,
        now=lambda: f"2026-05-04T10:00:{next(ticks):02d}.000Z",
        spent=spent,
        rules=rules,
    )


@pytest.fixture
def journal():
    return Journal()


@pytest.fixture
def session(journal):
    return session_on(journal)


def rank_all(session, order=DECKS):
    for place, deck in enumerate(order, start=1):
        session.rank(deck, place)


def test_that_an_untouched_ranking_is_not_submitted_and_says_which_decks_are_missing(session, journal):
    with pytest.raises(BadInput, match=r"No deck ranked yet: A, B, C, D"):
        session.submit()
    assert journal.events == []
    assert session.state == RankingState()
    assert session.unranked == DECKS


def test_that_an_incomplete_ranking_names_the_decks_without_rank(session, journal):
    session.rank(DECKS[0], 1)
    session.rank(DECKS[2], 2)
    with pytest.raises(BadInput, match=r"2 decks unranked: B, D\."):
        session.submit()
    session.rank(DECKS[1], 3)
    assert session.missing == "1 deck unranked: D"
    assert [event.verb for event in journal.events] == ["rank"] * 3


def test_that_a_partial_ranking_is_submitted_where_the_study_allows_it_but_never_an_empty_one(journal):
    session = session_on(journal, rules=RankingRules(rule=RankingRule.ANY))
    with pytest.raises(BadInput, match="No deck ranked yet"):
        session.submit()
    session.rank(C, 3)
    session.submit()
    assert session.state.ranks == {C: 1}
    assert session.state.status is AnswerStatus.SUBMITTED


@pytest.mark.parametrize("rank", [0, 5, 9, -1])
def test_that_a_digit_over_the_number_of_slots_is_refused(session, journal, rank):
    with pytest.raises(BadInput, match="ranks go from 1 to 4"):
        session.rank(A, rank)
    assert journal.events == []


def test_that_a_deck_of_another_instance_is_refused(session, journal):
    with pytest.raises(BadInput, match="not among those"):
        session.rank(DeckId("deck_elsewhere"), 1)
    assert journal.events == []


def test_that_ties_are_refused_where_the_study_has_none(journal):
    session = session_on(journal, rules=RankingRules(ties_allowed=False))
    rank_all(session)
    with pytest.raises(BadInput, match="no ties"):
        session.tie(A)
    session.rank(DECKS[3], 1)
    # The newcomer takes the slot, and the decks from there on move down.
    assert session.state.ranks == {DECKS[3]: 1, DECKS[0]: 2, DECKS[1]: 3, DECKS[2]: 4}


def test_that_submitting_closes_gaps_and_keeps_ties(session):
    session.rank(A, 2)
    session.rank(B, 2)
    session.rank(C, 1)
    session.rank(D, 4)
    session.submit()
    assert session.state.ranks == {C: 1, A: 2, B: 2, D: 4}


def test_that_an_act_that_changes_nothing_is_not_stored(session, journal):
    rank_all(session)
    session.rank(DECKS[0], 1)
    session.move(DECKS[0], -1)
    session.tie(DECKS[0])
    session.set_note("")
    session.unrank(DeckId("deck_elsewhere"))
    assert len(journal.events) == 4


def test_that_submitting_twice_stores_one_answer(session, journal):
    rank_all(session)
    session.submit()
    session.submit()
    assert [event.verb for event in journal.events].count("submit") == 1
    assert session.revision == 1


def test_that_a_changed_mind_is_a_second_revision_and_both_are_kept(session, journal):
    rank_all(session)
    session.submit()
    session.move(DECKS[0], +1)
    assert session.state.status is AnswerStatus.DRAFT
    assert session.revision == 2
    session.submit()
    submits = [event for event in journal.events if event.verb == "submit"]
    assert [event.revision for event in submits] == [1, 2]
    assert submits[0].state["ranks"] != submits[1].state["ranks"]
    assert History(journal.events).last_submit == submits[1]


def test_that_a_draft_after_a_submit_leaves_the_submitted_answer_in_force(session, journal):
    rank_all(session)
    session.submit()
    submitted = journal.events[-1]
    session.move(DECKS[0], +1)
    session.skip()
    assert History(journal.events).last_submit == submitted


def test_that_cannot_judge_after_a_submit_is_the_answer_in_force(session, journal):
    rank_all(session)
    session.submit()
    session.cannot_judge("  the pictures are missing ")
    history = History(journal.events)
    assert history.last_submit is None
    assert history.last_decision == journal.events[-1]
    assert session.state.reason == "the pictures are missing"
    assert session.revision == 2
    session.undo()
    assert History(journal.events).last_submit == journal.events[4]
    assert session.revision == 1


def test_that_cannot_judge_needs_a_reason(session, journal):
    with pytest.raises(BadInput, match="Say why"):
        session.cannot_judge("  ")
    assert journal.events == []


def test_that_a_skipped_instance_is_a_draft_again_once_it_is_worked_on(session):
    session.rank(A, 1)
    session.skip()
    assert session.state.status is AnswerStatus.SKIPPED
    session.rank(B, 2)
    assert session.state.status is AnswerStatus.DRAFT
    assert session.state.ranks == {A: 1, B: 2}


def test_that_a_submit_can_be_undone_and_redone(session, journal):
    rank_all(session)
    session.submit()
    session.undo()
    assert session.state.status is AnswerStatus.DRAFT
    assert History(journal.events).last_submit is None
    session.redo()
    assert session.state.status is AnswerStatus.SUBMITTED
    assert History(journal.events).last_submit == journal.events[4]


def test_that_an_undone_state_survives_a_restart_and_can_still_be_redone(session, journal):
    session.rank(A, 1)
    session.rank(B, 2)
    session.undo()
    again = session_on(journal)
    assert again.state.ranks == {A: 1}
    assert again.can_redo
    again.redo()
    assert again.state.ranks == {A: 1, B: 2}
    assert journal.events[-2].target == journal.events[1].seq
    assert journal.events[-1].target == journal.events[1].seq


def test_that_a_new_act_after_an_undo_ends_the_way_back(session):
    session.rank(A, 1)
    session.undo()
    session.rank(B, 1)
    assert not session.can_redo
    session.redo()
    assert session.state.ranks == {B: 1}


def test_that_what_could_not_be_stored_did_not_happen(session, journal):
    session.rank(A, 1)
    before = (session.state, session.revision, session.saved_at, session.can_undo, session.can_redo)
    journal.is_broken = True
    for act in (
        lambda: session.rank(B, 2),
        lambda: session.set_note("x"),
        session.toggle_flag,
        session.undo,
        lambda: session.cannot_judge("why"),
    ):
        with pytest.raises(StudioError, match="disk is full"):
            act()
    assert (session.state, session.revision, session.saved_at, session.can_undo, session.can_redo) == before
    journal.is_broken = False
    session.rank(B, 2)
    assert session_on(journal).state == session.state


def test_that_time_of_an_act_that_could_not_be_stored_goes_to_the_next(journal):
    session = session_on(journal, spent=iter([Spent(1.0, 2.0), Spent(4.0, 8.0), Spent(16.0, 32.0)]).__next__)
    journal.is_broken = True
    for _ in range(2):
        with pytest.raises(StudioError):
            session.rank(A, 1)
    journal.is_broken = False
    session.rank(A, 1)
    # 1 + 4 + 16 and 2 + 8 + 32.
    assert [(event.active_s, event.wall_s) for event in journal.events] == [(21.0, 42.0)]


def test_that_a_deck_that_is_gone_leaves_the_others_in_order(session, journal):
    rank_all(session)
    session.submit()
    left = tuple(deck for deck in DECKS if deck != DECKS[1])
    again = session_on(journal, display=left)
    assert again.state.ranks == {DECKS[0]: 1, DECKS[2]: 2, DECKS[3]: 3}
    again.move(DECKS[0], +1)
    again.submit()
    assert journal.events[-1].state["ranks"] == {DECKS[2]: 1, DECKS[0]: 2, DECKS[3]: 3}


def test_that_slots_show_ties_once_and_gaps_as_empty(session):
    session.rank(A, 2)
    session.rank(B, 2)
    session.rank(D, 4)
    assert [(slot.rank, set(slot.decks)) for slot in session.slots] == [(1, set()), (2, {A, B}), (4, {D})]
    assert session.unranked == (C,)


def test_that_letters_follow_the_display(session):
    assert [session.letter_of(deck) for deck in DECKS] == ["A", "B", "C", "D"]


def test_that_events_carry_what_an_export_needs(journal):
    session = session_on(journal, rules=RankingRules(guidelines_version="3", app_version="1.2"))
    session.rank(A, 1)
    event = journal.events[0]
    assert (event.kind, event.instance_id, event.annotator_id) == (AnswerKind.RANKING, "i", "p")
    assert (event.display, event.guidelines_version, event.app_version) == (DECKS, "3", "1.2")
    assert session.saved_at == event.at


def test_that_an_undo_of_nothing_in_a_journal_is_said_clearly(session, journal):
    session.rank(A, 1)
    broken = [replace(journal.events[0], seq=7, verb="undo")]
    with pytest.raises(BadInput, match="event 7 is an undo of nothing"):
        History(broken)


class SessionMachine(RuleBasedStateMachine):
    """A session beside a list of states, with an index for the present one."""

    @initialize(ties_allowed=st.booleans(), asked=st.sampled_from(RankingRule))
    def begin(self, ties_allowed, asked):
        self.rules = RankingRules(ties_allowed=ties_allowed, rule=asked, top_k=2)
        self.journal = Journal()
        self.session = session_on(self.journal, rules=self.rules)
        self.states = [(RankingState(), 1)]
        self.at = 0

    def _expect(self, state: RankingState) -> None:
        """Take a new state into the list, unless nothing changed."""
        before, revision = self.states[self.at]
        if state == before:
            return
        settled = before.status in (AnswerStatus.SUBMITTED, AnswerStatus.CANNOT_JUDGE)
        del self.states[self.at + 1 :]
        self.states.append((state, revision + settled))
        self.at += 1

    def _edit(self, **changes) -> None:
        """Take in a change to the content, which makes the answer a draft again."""
        before = self.states[self.at][0]
        state = replace(before, **changes)
        if state != before and before.status is not AnswerStatus.DRAFT:
            state = replace(state, status=AnswerStatus.DRAFT, reason="")
        self._expect(state)

    @property
    def ranks(self):
        return self.states[self.at][0].ranks

    @rule(deck=st.sampled_from(DECKS), rank=st.integers(-1, 6))
    def rank_a_deck(self, deck, rank):
        if not 1 <= rank <= 4:
            with pytest.raises(BadInput):
                self.session.rank(deck, rank)
            return
        self.session.rank(deck, rank)
        self._edit(ranks=placement.put(self.ranks, deck, rank, 4, ties_allowed=self.rules.ties_allowed))

    @rule(deck=st.sampled_from(DECKS))
    def unrank_a_deck(self, deck):
        self.session.unrank(deck)
        self._edit(ranks=placement.lift_out(self.ranks, deck))

    @rule(deck=st.sampled_from(DECKS), step=st.sampled_from([-1, 1]))
    def move_a_deck(self, deck, step):
        self.session.move(deck, step)
        if deck in self.ranks:
            self._edit(ranks=placement.move(self.ranks, deck, step, 4))

    @rule(deck=st.sampled_from(DECKS))
    def tie_a_deck(self, deck):
        if not self.rules.ties_allowed:
            with pytest.raises(BadInput):
                self.session.tie(deck)
            return
        self.session.tie(deck)
        if deck in self.ranks:
            self._edit(ranks=placement.tie_with_above(self.ranks, deck, 4))

    @rule(note=st.sampled_from(["", "x", '模型 一, "q"\n🙂']))
    def note(self, note):
        self.session.set_note(note)
        self._edit(note=note)

    @rule()
    def flag(self):
        self.session.toggle_flag()
        self._edit(is_flagged=not self.states[self.at][0].is_flagged)

    @rule()
    def recognise(self):
        self.session.toggle_recognised()
        self._edit(recognised_system=not self.states[self.at][0].recognised_system)

    @rule()
    def submit(self):
        if len(self.ranks) < {RankingRule.FULL: 4, RankingRule.TOP_K: 2, RankingRule.ANY: 1}[self.rules.rule]:
            with pytest.raises(BadInput):
                self.session.submit()
            return
        self.session.submit()
        state = self.states[self.at][0]
        ranks = placement.competition(state.ranks)
        self._expect(replace(state, ranks=ranks, status=AnswerStatus.SUBMITTED, reason=""))

    @rule()
    def skip(self):
        self.session.skip()
        self._expect(replace(self.states[self.at][0], status=AnswerStatus.SKIPPED))

    @rule(reason=st.sampled_from(["", "too dark", "not mine"]))
    def cannot_judge(self, reason):
        if not reason:
            with pytest.raises(BadInput):
                self.session.cannot_judge(reason)
            return
        self.session.cannot_judge(reason)
        self._expect(replace(self.states[self.at][0], status=AnswerStatus.CANNOT_JUDGE, reason=reason))

    @rule()
    def undo(self):
        self.session.undo()
        self.at = max(self.at - 1, 0)

    @rule()
    def redo(self):
        self.session.redo()
        self.at = min(self.at + 1, len(self.states) - 1)

    @precondition(lambda self: self.journal.events)
    @rule()
    def restart(self):
        self.session = session_on(self.journal, rules=self.rules)

    @invariant()
    def the_session_says_what_the_list_says(self):
        state, revision = self.states[self.at]
        assert self.session.state == state
        assert self.session.revision == revision
        assert self.session.can_undo == (self.at > 0)
        assert self.session.can_redo == (self.at < len(self.states) - 1)

    @invariant()
    def the_journal_alone_says_the_same(self):
        history = History(self.journal.events)
        assert history.state == self.states[self.at][0]
        held = [state.status for state, _ in self.states[: self.at + 1]]
        settled = [status for status in held if status in (AnswerStatus.SUBMITTED, AnswerStatus.CANNOT_JUDGE)]
        assert (history.last_submit is not None) == (settled[-1:] == [AnswerStatus.SUBMITTED])

    @invariant()
    def the_journal_only_grows(self):
        seqs = [event.seq for event in self.journal.events]
        assert all(later > earlier for earlier, later in pairwise(seqs))
        assert len({event.uid for event in self.journal.events}) == len(seqs)


SessionMachine.TestCase.settings = settings(max_examples=200, stateful_step_count=30, deadline=None)
TestAnySequenceOfActs = SessionMachine.TestCase
