"""A person's form: answers, level, undo, and what is stored."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import BadInput
from studio.model.answers import AnswerKind, AnswerStatus
from studio.model.editability import STEPS, Gate, StepAnswer
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.sessions.clock import Spent
from studio.sessions.editability import EditabilityForm, gates_from, level_from

YES, NO, OPEN, NONE = StepAnswer.YES, StepAnswer.NO, StepAnswer.CANNOT_TELL, StepAnswer.NOT_APPLICABLE
ALL_YES = {step.id: YES for step in STEPS}


def form(events=None, *, fails=False):
    events = [] if events is None else events

    def record(event):
        if fails:
            raise OSError("the disk is full")
        stored = replace(event, seq=len(events) + 1)
        events.append(stored)
        return stored

    return EditabilityForm(
        instance_id=InstanceId("topic"), annotator_id=AnnotatorId("person"), deck_id=DeckId("deck"),
        events=list(events), record=record, now=lambda: f"2026-01-01T00:00:{len(events):02d}Z",
        spent=lambda: Spent(1.0, 2.0),
    )  # fmt: skip


def answered(answers, **more):
    found = form(**more)
    for step, answer in answers.items():
        found.answer(step, answer)
    return found


@pytest.mark.parametrize(
    ("changed", "level"),
    [
        ({}, 5),
        ({"A1": NO}, 0),
        ({"B1": NO}, 0),
        ({"A2": NO}, 1),
        ({"B2": NO}, 1),
        ({"A2": NONE}, 5),  # no icon to look at; the paragraphs decide
        ({"B3": NO}, 5),  # masters are enough
        ({"C1": NO}, 5),  # groups are enough
        ({"B3": NO, "C1": NO}, 2),
        ({"B3": NONE, "C1": NO}, 2),
        ({"C2": NONE}, 3),  # no chart, so no data to edit
        ({"C3": NO}, 4),
        ({"C3": NONE}, 4),
        ({"A1": NO, "C2": OPEN}, 0),  # what is open lies behind the first gate that fails
    ],
)
def test_that_answers_give_a_level_by_knock_out(changed, level):
    found = level_from(gates_from({**ALL_YES, **changed}))
    assert (found.value, found.undefined_reason) == (level, None)


@pytest.mark.parametrize(
    ("changed", "gate"),
    [({"B1": OPEN}, "T1"), ({"A2": OPEN}, "T2"), ({"B3": NO, "C1": OPEN}, "T3"), ({"C2": OPEN}, "T4")],
)
def test_that_a_gate_nobody_could_decide_gives_no_level(changed, gate):
    found = level_from(gates_from({**ALL_YES, **changed}))
    assert (found.value, found.undefined_reason) == (None, f"not_judged: {gate} is open")


def test_that_an_unanswered_step_leaves_its_gate_open():
    gates = gates_from({"A1": YES})
    assert gates[Gate.TEXT] is None
    assert gates_from({"A1": NO})[Gate.TEXT] is False


def test_that_only_a_complete_form_can_be_submitted():
    found = answered({step: YES for step in ALL_YES if step not in {"B3", "C2"}})
    assert found.missing == "2 steps open: B3, C2"
    with pytest.raises(BadInput, match="2 steps open: B3, C2"):
        found.submit()
    found.answer("B3", NO)
    found.answer("C2", NONE)
    found.submit()
    assert found.state.status is AnswerStatus.SUBMITTED
    assert found.level.value == 3


def test_that_a_change_after_a_submit_reopens_the_form_as_a_new_revision():
    events = []
    found = answered(ALL_YES, events=events)
    found.submit()
    found.answer("C3", NO)
    assert found.state.status is AnswerStatus.DRAFT
    assert [event.revision for event in events[-2:]] == [1, 2]


def test_that_acts_are_taken_back_and_brought_again():
    events = []
    found = form(events)
    found.answer("A1", YES)
    found.answer("A1", NO)
    found.undo()
    assert found.state.answers == {"A1": YES}
    found.redo()
    assert found.state.answers == {"A1": NO}
    found.undo()
    found.undo()
    assert found.state.answers == {}
    assert [event.verb for event in events] == ["answer", "answer", "undo", "redo", "undo", "undo"]


def test_that_a_form_opened_again_goes_on_where_it_stood():
    events = []
    found = form(events)
    found.answer("A1", YES)
    found.set_note("A1", "blurred on slide 3")
    found.undo()
    again = form(events)
    assert again.state == found.state
    assert again.can_redo
    again.redo()
    assert again.state.notes == {"A1": "blurred on slide 3"}


def test_that_events_say_who_did_what_to_which_deck():
    events = []
    form(events).answer("B2", NO)
    event = events[0]
    assert (event.kind, event.deck_id, event.item_key, event.verb) == (
        AnswerKind.EDITABILITY, DeckId("deck"), "B2", "answer",
    )  # fmt: skip
    assert (event.active_s, event.wall_s) == (1.0, 2.0)


def test_that_an_answer_that_is_not_stored_does_not_show():
    found = form(fails=True)
    with pytest.raises(OSError, match="the disk is full"):
        found.answer("A1", YES)
    assert found.state.answers == {}


def test_that_the_same_answer_again_is_no_event():
    events = []
    found = form(events)
    found.answer("A1", YES)
    found.answer("A1", YES)
    found.set_note("A1", "")
    found.clear("B1")
    assert len(events) == 1


def test_that_unknown_steps_and_missing_reasons_are_refused():
    found = form()
    with pytest.raises(BadInput, match="There is no step 'D1'"):
        found.answer("D1", YES)
    with pytest.raises(BadInput, match="Say why"):
        found.cannot_judge("  ")


def test_that_cannot_judge_is_an_answer_with_a_reason():
    found = form()
    found.cannot_judge("the program does not open it")
    assert (found.state.status, found.state.reason) == (AnswerStatus.CANNOT_JUDGE, "the program does not open it")


@given(st.dictionaries(st.sampled_from(sorted(ALL_YES)), st.sampled_from(list(StepAnswer)), min_size=len(ALL_YES)))
def test_that_one_more_yes_never_lowers_the_level(answers):
    before = level_from(gates_from(answers)).value
    for step in answers:
        after = level_from(gates_from({**answers, step: YES})).value
        if before is not None and after is not None:
            assert after >= before


def test_that_time_of_an_act_that_could_not_be_stored_belongs_to_the_next_one():
    stored, is_full = [], [True]

    def record(event):
        if is_full:
            is_full.clear()
            raise OSError("the disk is full")
        stored.append(replace(event, seq=len(stored) + 1))
        return stored[-1]

    found = EditabilityForm(
        instance_id=InstanceId("topic"), annotator_id=AnnotatorId("person"), deck_id=DeckId("deck"),
        events=[], record=record, now=lambda: "2026-01-01T00:00:00Z", spent=lambda: Spent(1.0, 2.0),
    )  # fmt: skip
    with pytest.raises(OSError, match="full"):
        found.answer("A1", YES)
    found.answer("A1", YES)
    found.answer("A2", YES)
    # Each act took 1 s of work in 2 s; the first was stored with the second.
    assert [(event.active_s, event.wall_s) for event in stored] == [(2.0, 4.0), (1.0, 2.0)]


def test_that_an_undo_of_nothing_is_a_damaged_journal():
    events = []
    answered({"A1": YES}, events=events)
    with pytest.raises(BadInput, match="undo of nothing"):
        form([replace(events[0], verb="undo")])
