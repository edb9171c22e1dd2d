from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from studio.errors import BadInput
from studio.model.answers import AnswerStatus, BestWorstState, Preference, RatingState
from studio.model.ids import DeckId
from studio.model.studies import RankingRule
from studio.sessions.looking import Looking
from studio.sessions.outbox import Outbox
from studio.sessions.pairs import BestWorstSession, PairSession
from studio.sessions.ranking import RankingRules, RankingSession
from studio.sessions.rating import RatingSession
from studio.sessions.scales import PPTEVAL, READY_SETS, REFLEX, scale_set_from
from studio.sessions.touch_log import touches
from tests.unit.sessions.answer_journals import StoredEvents, who

A, B, C, D, E = DECKS = tuple(DeckId(f"deck_{name}") for name in "abcde")


@pytest.fixture
def stored():
    return StoredEvents()


def ranking_on(stored, **rules) -> RankingSession:
    return RankingSession(display=DECKS, rules=RankingRules(**rules), **who(stored, stored.events))


def pair_on(stored, units=("deck_b", "deck_a"), record=None) -> PairSession:
    display = tuple(DeckId(unit.partition("#")[0]) for unit in units)
    return PairSession(display=display, units=units, **who(record or stored, stored.events))


def rating_on(stored, scales=REFLEX) -> RatingSession:
    return RatingSession(deck_id=A, item_key="", scales=scales, display=(A,), **who(stored, stored.events))


# rankings


def test_that_the_best_k_are_enough_where_the_study_asks_for_them(stored):
    session = ranking_on(stored, rule=RankingRule.TOP_K, top_k=2)
    session.rank(C, 1)
    assert session.missing == "Best 2 wanted, 1 ranked; unranked: A, B, D, E"
    session.rank(A, 2)
    session.submit()
    assert session.state.ranks == {C: 1, A: 2}


def test_that_a_large_gap_holds_while_its_neighbours_do(stored):
    session = ranking_on(stored, graded_gaps=True)
    for place, deck in enumerate((A, B, C), start=1):
        session.rank(deck, place)
    session.toggle_gap(A)
    assert [slot.has_large_gap for slot in session.slots] == [True, False, False, False, False]
    session.tie(C)  # C joins B below the gap
    assert session.slots[0].has_large_gap
    session.move(A, 1)  # A goes below them: nothing was said about that gap
    assert not any(slot.has_large_gap for slot in session.slots)
    session.undo()
    assert session.slots[0].has_large_gap


def test_that_gaps_are_asked_for_by_the_study_only(stored):
    session = ranking_on(stored)
    session.rank(A, 1)
    with pytest.raises(BadInput, match="does not ask"):
        session.toggle_gap(A)
    graded = ranking_on(StoredEvents(), graded_gaps=True)
    graded.rank(A, 1)
    with pytest.raises(BadInput, match="no ranked deck below"):
        graded.toggle_gap(A)


def test_that_slides_that_were_not_seen_keep_an_answer_back(stored):
    unseen = [(B, 3), (B, 4), (C, 2)]
    session = RankingSession(display=DECKS[:3], unseen=lambda: unseen, **who(stored, stored.events))
    for place, deck in enumerate(DECKS[:3], start=1):
        session.rank(deck, place)
    assert session.missing == "3 slides not seen: B 3–4, C 2"
    with pytest.raises(BadInput):
        session.submit()
    unseen.clear()
    session.submit()


def test_that_only_decks_that_were_acted_on_are_touched(stored):
    session = ranking_on(stored)
    session.rank(A, 1)
    session.rank(B, 1)
    session.rank(B, 2)
    session.undo()
    session.set_note("three acts")
    found = touches(stored.events)
    assert {deck: touch.n_acts for deck, touch in found.items()} == {A: 1, B: 2}


# pairs and fours


def test_that_a_preference_is_kept_by_unit_whatever_side_it_was_shown_on(stored):
    session = pair_on(stored)  # deck_b is shown at the left
    session.prefer(Preference.A)
    assert stored.events[-1].item_key == "deck_a|deck_b"
    assert stored.events[-1].state["preference"] == "b"
    assert stored.events[-1].state["shown_left"] == "deck_b"
    assert session.shown_preference is Preference.A
    other_side = pair_on(stored, units=("deck_a", "deck_b"))
    assert other_side.shown_preference is Preference.B


def test_that_single_slides_are_units_of_a_pair(stored):
    session = pair_on(stored, units=("deck_b#3", "deck_a#3"))
    session.prefer(Preference.B)
    assert (stored.events[-1].item_key, stored.events[-1].state["preference"]) == ("deck_a#3|deck_b#3", "a")


def test_that_strength_belongs_to_a_preferred_side(stored):
    session = pair_on(stored)
    with pytest.raises(BadInput, match="which one"):
        session.set_strength(2)
    session.prefer(Preference.A)
    session.set_strength(3)
    session.prefer(Preference.TIE)
    assert session.state.strength is None
    session.submit()
    assert session.state.status is AnswerStatus.SUBMITTED
    session.prefer(Preference.BOTH_BAD)
    assert (session.state.status, session.revision) == (AnswerStatus.DRAFT, 2)


def test_that_a_pair_that_cannot_be_judged_says_so_in_place_of_a_preference(stored):
    session = pair_on(stored)
    session.prefer(Preference.A)
    session.cannot_judge("blurred")
    assert stored.events[-1].state["preference"] == "cannot_judge"
    session.undo()
    assert session.shown_preference is Preference.A


def test_that_best_and_worst_are_two_units(stored):
    units = ("deck_a", "deck_b", "deck_c", "deck_d")
    session = BestWorstSession(display=DECKS[:4], units=units, **who(stored, stored.events))
    assert session.missing == "Which one is best and which is worst?"
    session.set_best("deck_c")
    session.set_worst("deck_c")
    assert session.state == BestWorstState(best="", worst="deck_c")
    session.set_best("deck_a")
    session.submit()
    assert stored.events[-1].item_key == "deck_a|deck_b|deck_c|deck_d"


# ratings


def test_that_a_form_is_complete_when_every_scale_has_a_point(stored):
    session = rating_on(stored)
    session.rate("coverage", 4)
    assert session.missing == "3 scales open: Redundancy, Text and pictures, Flow"
    with pytest.raises(BadInput, match="goes from 1 to 5"):
        session.rate("flow", 6)
    for dimension in ("redundancy", "alignment", "flow"):
        session.rate(dimension, 5)
    session.set_comment("flow", "slide 3 jumps")
    session.submit()
    event = stored.events[-1]
    assert (event.deck_id, event.item_key, event.state["scale_set"]) == (A, "", "reflex")
    assert event.state["values"] == {"coverage": 4, "redundancy": 5, "alignment": 5, "flow": 5}
    assert event.state["scales"]["flow"] == [1, 5]
    assert event.state["comments"] == {"flow": "slide 3 jumps"}
    session.unrate("flow")
    assert (session.state.status, session.revision) == (AnswerStatus.DRAFT, 2)


def test_that_every_ready_scale_has_words_for_each_of_its_points():
    for scale_set in READY_SETS.values():
        for scale in scale_set.scales:
            assert scale.high - scale.low + 1 == len(set(scale.anchors)) == 5
            assert scale.question.endswith("?")
    assert [scale.dimension for scale in REFLEX.scales] == ["coverage", "redundancy", "alignment", "flow"]
    assert [scale.dimension for scale in PPTEVAL.scales] == ["content", "design", "coherence"]


def test_that_a_set_of_scales_of_ones_own_is_read_and_checked():
    found = scale_set_from({"name": "taste", "scales": [{"dimension": "look", "anchors": ["ugly", "fine"], "low": 0}]})
    assert (found.scale("look").low, found.scale("look").high, found.scale("look").anchor(1)) == (0, 1, "fine")
    with pytest.raises(BadInput, match="1 points"):
        scale_set_from({"name": "taste", "scales": [{"dimension": "look", "anchors": ["ugly"]}]})


# saving


def test_that_acts_that_cannot_be_stored_wait_in_order_and_are_stored_once(stored):
    outbox = Outbox(stored)
    session = pair_on(stored, record=outbox)
    session.prefer(Preference.A)
    stored.is_broken = True
    session.prefer(Preference.B)
    session.undo()
    session.redo()
    assert (outbox.waiting, str(outbox.trouble)) == (3, "The disk is full. Free some space.")
    assert session.shown_preference is Preference.B
    assert not outbox.flush()
    stored.is_broken = False
    assert outbox.flush()
    assert [event.verb for event in stored.events] == ["prefer", "prefer", "undo", "redo"]
    # Undo and redo name the stored number of the act, not the number that it had while it waited.
    assert [event.target for event in stored.events] == [None, None, 2, 2]
    assert pair_on(stored).state == session.state
    session.undo()
    assert stored.events[-1].target == 2


# what was looked at


def test_that_slides_side_by_side_are_all_looked_at_and_idle_time_is_cut():
    now = [0.0]
    looking = Looking(lambda: now[0])
    looking.show([(A, 1), (B, 1)], has_source=False)
    now[0] += 5
    looking.show([(A, 2), (B, 1)], has_source=True)
    now[0] += 500  # away without a sign of life: 60 s count
    looking.away()
    now[0] += 30
    looking.touch()
    found = {(deck, slide): seconds for deck, slide, seconds in looking.take()}
    assert found == {(A, 1): 5, (B, 1): 65, (A, 2): 60, (None, None): 60}
    assert looking.take() == ()


def test_that_a_slide_that_was_leafed_past_is_not_seen():
    now = [0.0]
    looking = Looking(lambda: now[0], seen=[(C, 7)])
    looking.show([(A, 1)], has_source=False)
    now[0] += 0.1
    looking.show([(A, 2)], has_source=False)
    now[0] += 0.5
    assert (looking.is_seen(A, 1), looking.is_seen(A, 2), looking.is_seen(C, 7)) == (False, True, True)
    assert [(deck, slide) for deck, slide, _ in looking.take()] == [(A, 2)]
    looking.show([(A, 1)], has_source=False)
    now[0] += 0.4
    # 0.1 s and 0.4 s are half a second: seen after all, and the first glance counts.
    assert looking.take() == ((A, 1, 0.5),)


# any sequence of acts


class RatingMachine(RuleBasedStateMachine):
    """A form beside a list of states, with an index for the present one; the store fails now and then."""

    @initialize()
    def begin(self):
        self.stored = StoredEvents()
        self.outbox = Outbox(self.stored)
        self.open()
        self.states = [RatingState(scale_set="ppteval")]
        self.at = 0

    def open(self):
        self.session = RatingSession(
            deck_id=A, item_key="", scales=PPTEVAL, display=(A,), **who(self.outbox, self.stored.events)
        )

    def keep(self):
        if self.session.state != self.states[self.at]:
            self.states = [*self.states[: self.at + 1], self.session.state]
            self.at += 1

    @rule(dimension=st.sampled_from([scale.dimension for scale in PPTEVAL.scales]), value=st.integers(1, 5))
    def rate(self, dimension, value):
        self.session.rate(dimension, value)
        assert self.session.state.values[dimension] == value
        self.keep()

    @rule(dimension=st.sampled_from([scale.dimension for scale in PPTEVAL.scales]))
    def unrate(self, dimension):
        self.session.unrate(dimension)
        assert dimension not in self.session.state.values
        self.keep()

    @rule(note=st.text(max_size=5))
    def note(self, note):
        self.session.set_note(note)
        self.keep()

    @rule()
    def submit(self):
        if self.session.missing:
            with pytest.raises(BadInput):
                self.session.submit()
        else:
            self.session.submit()
            assert self.session.state.status is AnswerStatus.SUBMITTED
        self.keep()

    @rule()
    def skip(self):
        self.session.skip()
        self.keep()

    @rule()
    def undo(self):
        self.session.undo()
        self.at = max(0, self.at - 1)

    @rule()
    def redo(self):
        self.session.redo()
        self.at = min(len(self.states) - 1, self.at + 1)

    @rule()
    def break_the_store(self):
        self.stored.is_broken = True

    @rule()
    def repair_and_restart(self):
        self.stored.is_broken = False
        assert self.outbox.flush()
        self.open()

    @invariant()
    def is_the_state_of_the_model(self):
        assert self.session.state == self.states[self.at]


TestRatings = RatingMachine.TestCase
TestRatings.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
