"""Whatever a person does, takes back, brings back and restarts, the answer is that of a list with a pointer."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from studio.actions.studies import implicit_study, recorder
from studio.errors import BadInput, StudioError
from studio.model.answers import AnswerKind, Preference
from studio.model.ids import DeckId
from studio.sessions import placement
from studio.sessions.outbox import Outbox
from studio.sessions.pairs import PairSession
from studio.sessions.ranking import RankingRules, RankingSession
from studio.sessions.rating import RatingSession
from studio.sessions.scales import REFLEX
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store.project import Project
from tests.projects import make_project, person
from tests.unit.sessions.answer_journals import StoredEvents, who

DECKS = tuple(DeckId(f"deck{number}") for number in range(5))
DIMENSIONS = tuple(scale.dimension for scale in REFLEX.scales)
DECIDED = ("submitted", "skipped", "cannot_judge")
State = dict[str, Any]
Act = tuple[str, ...]

BEGUN: State = {"status": "draft", "note": "", "is_flagged": False, "reason": "", "recognised_system": False}

REMARKS = st.one_of(
    st.tuples(st.just("note"), st.sampled_from(["", "one", "二 🙂"])),
    st.sampled_from([("flag",), ("recognised",), ("submit",), ("skip",)]),
    st.tuples(st.just("cannot_judge"), st.sampled_from(["", "too small"])),
)
RANKING = st.one_of(
    st.tuples(st.just("rank"), st.sampled_from(DECKS), st.integers(0, 6)),
    st.tuples(st.sampled_from(["unrank", "tie"]), st.sampled_from(DECKS)),
    st.tuples(st.just("move"), st.sampled_from(DECKS), st.sampled_from([-1, 1])),
)
PAIR = st.one_of(
    st.tuples(st.just("prefer"), st.sampled_from(list(Preference))), st.tuples(st.just("strength"), st.integers(0, 4))
)
RATING = st.one_of(
    st.tuples(st.just("rate"), st.sampled_from(DIMENSIONS), st.integers(0, 6)),
    st.tuples(st.just("unrate"), st.sampled_from(DIMENSIONS)),
    st.tuples(st.just("comment"), st.sampled_from(DIMENSIONS), st.sampled_from(["", "why, exactly?"])),
)


class Refused(Exception):
    """What the model does not take."""


def remarked(state: State, act: Act, missing: bool, changed: Callable[[State, Act], State]) -> State:
    """Return the model's state after an act: `changed` knows the acts of its kind."""
    match act[0]:
        case "submit":
            if missing:
                raise Refused
            return {**state, "status": "submitted", "reason": ""}
        case "skip":
            return {**state, "status": "skipped"}
        case "cannot_judge":
            if not act[1]:
                raise Refused
            return {**state, "status": "cannot_judge", "reason": act[1]}
        case "note":
            after = {**state, "note": act[1]}
        case "flag":
            after = {**state, "is_flagged": not state["is_flagged"]}
        case "recognised":
            after = {**state, "recognised_system": not state["recognised_system"]}
        case _:
            after = changed(state, act)
    if after != state and state["status"] in DECIDED:
        return {**after, "status": "draft", "reason": ""}
    return after


class Acts(RuleBasedStateMachine):
    """One answer; a kind says how its session is made, what it shows, and what its acts mean."""

    begun: ClassVar[State] = {}

    def __init__(self) -> None:
        super().__init__()
        self.stored = StoredEvents()
        self.past: list[State] = [{**BEGUN, **self.begun}]
        self.future: list[State] = []
        self.n_events = 0
        self.session = self.made()

    def made(self) -> Any:
        raise NotImplementedError

    def do(self, act: Act) -> None:
        raise NotImplementedError

    def after(self, state: State, act: Act) -> State:
        raise NotImplementedError

    def shown(self) -> State:
        state = self.session.state
        return {
            "status": state.status.value, "note": state.note, "is_flagged": state.is_flagged, "reason": state.reason,
            "recognised_system": state.recognised_system,
        }  # fmt: skip

    def common(self, act: Act) -> bool:
        """Do what all kinds have; return whether this was one of these."""
        match act[0]:
            case "note":
                self.session.set_note(act[1])
            case "flag":
                self.session.toggle_flag()
            case "recognised":
                self.session.toggle_recognised()
            case "submit":
                self.session.submit()
            case "skip":
                self.session.skip()
            case "cannot_judge":
                self.session.cannot_judge(act[1])
            case _:
                return False
        return True

    def act(self, act: Act) -> None:
        before = self.past[-1]
        try:
            expected = self.after(before, act)
        except Refused:
            with pytest.raises(BadInput):
                self.do(act)
            return
        self.do(act)
        if expected != before:
            self.past.append(expected)
            self.future.clear()

    @rule(act=REMARKS)
    def remark(self, act: Act) -> None:
        self.act(act)

    @rule()
    def undo(self) -> None:
        self.session.undo()
        if len(self.past) > 1:
            self.future.append(self.past.pop())

    @rule()
    def redo(self) -> None:
        self.session.redo()
        if self.future:
            self.past.append(self.future.pop())

    @rule()
    def restart(self) -> None:
        self.session = self.made()

    @precondition(lambda self: len(self.past) > 1)
    @rule()
    def undo_on_a_full_disk(self) -> None:
        self.stored.is_broken = True
        with pytest.raises(StudioError):
            self.session.undo()
        self.stored.is_broken = False

    @invariant()
    def shows_what_the_model_says(self) -> None:
        assert self.shown() == self.past[-1]
        assert self.session.can_undo == (len(self.past) > 1)
        assert self.session.can_redo == bool(self.future)
        assert [self.of(event) for event in self.session.acts] == self.past[1:]

    @invariant()
    def forgets_no_event(self) -> None:
        assert len(self.stored.events) >= self.n_events
        self.n_events = len(self.stored.events)

    def of(self, event: Any) -> State:
        """Return the model's fields of a stored event."""
        return {name: event.state[name] for name in self.past[0]}


class RankingActs(Acts):
    begun: ClassVar[State] = {"ranks": {}}

    def made(self) -> RankingSession:
        return RankingSession(display=DECKS, rules=RankingRules(), **who(self.stored, self.stored.events))

    def shown(self) -> State:
        return super().shown() | {"ranks": self.session.state.ranks}

    def do(self, act: Act) -> None:
        if not self.common(act):
            getattr(self.session, act[0])(*act[1:])

    def after(self, state: State, act: Act) -> State:
        ranks, n = state["ranks"], len(DECKS)

        def changed(before: State, act: Act) -> State:
            verb, deck, *rest = act
            if verb == "rank":
                if not 1 <= rest[0] <= n:
                    raise Refused
                now = placement.put(ranks, deck, rest[0], n, ties_allowed=True)
            elif deck not in ranks:
                now = ranks
            elif verb == "unrank":
                now = placement.lift_out(ranks, deck)
            elif verb == "move":
                now = placement.move(ranks, deck, rest[0], n)
            else:
                now = placement.tie_with_above(ranks, deck, n)
            return {**before, "ranks": dict(now)}

        after = remarked(state, act, len(ranks) < n, changed)
        return {**after, "ranks": placement.competition(ranks)} if act[0] == "submit" else after

    @rule(act=RANKING)
    def place(self, act: Act) -> None:
        self.act(act)

    @invariant()
    def ties_take_the_slots_below_them(self) -> None:
        ranks = sorted(self.session.state.ranks.values())
        assert all(sum(other == rank for other in ranks) <= len(DECKS) - rank + 1 for rank in ranks)
        assert all(not rank < other < rank + ranks.count(rank) for rank in ranks for other in ranks)


class PairActs(Acts):
    begun: ClassVar[State] = {"preference": None, "strength": None}

    def made(self) -> PairSession:
        # Shown the other way round than the units are named, so that sides and units differ.
        units = (DECKS[1], DECKS[0])
        return PairSession(units=units, display=units, **who(self.stored, self.stored.events))

    def shown(self) -> State:
        state = self.session.state
        said = state.preference.value if state.preference else None
        return super().shown() | {"preference": said, "strength": state.strength}

    def do(self, act: Act) -> None:
        if not self.common(act):
            getattr(self.session, {"prefer": "prefer", "strength": "set_strength"}[act[0]])(act[1])

    def after(self, state: State, act: Act) -> State:
        turned = {Preference.A: "b", Preference.B: "a", Preference.TIE: "tie", Preference.BOTH_BAD: "both_bad"}

        def changed(before: State, act: Act) -> State:
            if act[0] == "prefer":
                said = turned[act[1]]
                return before if said == before["preference"] else {**before, "preference": said, "strength": None}
            if before["preference"] not in ("a", "b") or act[1] not in (1, 2, 3):
                raise Refused
            return {**before, "strength": act[1]}

        return remarked(state, act, state["preference"] is None, changed)

    def of(self, event: Any) -> State:
        # A pair that cannot be judged says so in the table's column, and keeps beside it what was preferred before.
        cannot = event.state["preference"] == "cannot_judge"
        return super().of(event) | ({"preference": event.state["preferred_before"]} if cannot else {})

    @rule(act=PAIR)
    def say(self, act: Act) -> None:
        self.act(act)


class RatingActs(Acts):
    begun: ClassVar[State] = {"values": {}, "comments": {}}

    def made(self) -> RatingSession:
        return RatingSession(
            deck_id=DECKS[0], item_key="", scales=REFLEX, display=DECKS[:1], **who(self.stored, self.stored.events)
        )

    def shown(self) -> State:
        return super().shown() | {"values": self.session.state.values, "comments": self.session.state.comments}

    def do(self, act: Act) -> None:
        if not self.common(act):
            names = {"rate": "rate", "unrate": "unrate", "comment": "set_comment"}
            getattr(self.session, names[act[0]])(*act[1:])

    def after(self, state: State, act: Act) -> State:
        def changed(before: State, act: Act) -> State:
            verb, dimension, *rest = act
            values, comments = dict(before["values"]), dict(before["comments"])
            if verb == "rate":
                if not 1 <= rest[0] <= 5:
                    raise Refused
                values[dimension] = rest[0]
            elif verb == "unrate":
                values.pop(dimension, None)
            elif rest[0]:
                comments[dimension] = rest[0]
            else:
                comments.pop(dimension, None)
            return {**before, "values": values, "comments": comments}

        return remarked(state, act, len(state["values"]) < len(DIMENSIONS), changed)

    @rule(act=RATING)
    def rate(self, act: Act) -> None:
        self.act(act)


class StoredRankingActs(RankingActs):
    """The same over a project on disk: a restart closes and opens it, and acts go through the outbox of the page."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._home = Path(self._folder.name) / "study"
        project = make_project(self._home, instances=1, systems=())
        self._who = person(project, "Ann")
        self._instance = deck_store.list_instances(project)[0].id
        self._project: Project = project
        super().__init__()

    def made(self) -> RankingSession:
        self._project.close()
        self._project = Project.open(self._home, must_write=True)
        events = answer_store.events_of(self._project, AnswerKind.RANKING, annotator_id=self._who)
        store = recorder(self._project, implicit_study(self._project))

        def record(event: Any) -> Any:
            if self.stored.is_broken:
                raise StudioError("The disk is full.")
            self.stored.events.append(event)
            return store(event)

        given = who(record, events) | {"instance_id": self._instance, "annotator_id": self._who}
        return RankingSession(display=DECKS, rules=RankingRules(), **given)

    def teardown(self) -> None:
        self._project.close()
        self._folder.cleanup()


RankingActs.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
PairActs.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
RatingActs.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
StoredRankingActs.TestCase.settings = settings(max_examples=12, stateful_step_count=25, deadline=None)
TestAnySequenceOfRankingActs = RankingActs.TestCase
TestAnySequenceOfPairActs = PairActs.TestCase
TestAnySequenceOfRatingActs = RatingActs.TestCase
TestAnySequenceOfStoredRankingActs = StoredRankingActs.TestCase


def test_that_acts_that_wait_in_the_outbox_become_the_same_events_later():
    stored = StoredEvents()
    outbox = Outbox(stored)
    session = RankingSession(display=DECKS, rules=RankingRules(), **who(outbox, []))
    stored.is_broken = True
    for place, deck in enumerate(DECKS, start=1):
        session.rank(deck, place)
    session.undo()
    assert stored.events == []
    stored.is_broken = False
    assert outbox.flush()
    again = RankingSession(display=DECKS, rules=RankingRules(), **who(stored, stored.events))
    assert again.state == session.state
    assert again.state.ranks == {deck: place for place, deck in enumerate(DECKS[:4], start=1)}
    assert again.can_redo
