"""Answering a checklist: durable acts, undo, evidence, orders and what is missing."""

from itertools import count

import pytest

from studio.errors import BadInput
from studio.model.answers import AnswerStatus
from studio.model.checklists import (
    Checklist,
    Dimension,
    EvidenceBox,
    Item,
    ItemAnswer,
    ItemId,
    ItemKind,
    SourceQuote,
)  # fmt: skip
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.sessions.checklist import AnswerOrder, ChecklistSheet, Unit
from studio.sessions.clock import Spent

A, B = DeckId("a"), DeckId("b")
YES, NO = ItemAnswer.YES, ItemAnswer.NO


def item(name, dimension=Dimension.DESIGN, **more):
    return Item(id=ItemId(name), version=3, dimension=dimension, text=f"Is {name} so?", **more)


ITEMS = (
    item("neat"),
    item("right", Dimension.CORRECTNESS, needs_evidence=True),
    item("p@1", Dimension.FIDELITY, slide=1),
)


class Store:
    """Keeps events as the database does."""

    def __init__(self):
        self.events, self.numbers, self.fails = [], count(1), False

    def __call__(self, event):
        if self.fails:
            raise BadInput("The disk is full.")
        stored = event.__class__(**{**event.__dict__, "seq": next(self.numbers)})
        self.events.append(stored)
        return stored

    def sheet(self, **more):
        lists = {deck: Checklist(instance_id=InstanceId("i"), items=ITEMS) for deck in (A, B)}
        return ChecklistSheet(
            instance_id=InstanceId("i"), annotator_id=AnnotatorId("p"), checklists=lists, events=list(self.events),
            record=self, now=lambda: "2026-01-01T00:00:00Z", spent=lambda: Spent(active_s=1.0, wall_s=2.0), **more,
        )  # fmt: skip


@pytest.fixture
def store():
    return Store()


def test_that_every_answer_is_stored_before_it_shows_and_found_again(store):
    sheet = store.sheet()
    sheet.answer(Unit(A, "neat"), NO)
    sheet.set_boxes(Unit(A, "neat"), [EvidenceBox(slide=2, x0=0.1, y0=0.1, x1=0.5, y1=0.5)])
    sheet.set_quotes(Unit(A, "right"), [SourceQuote(source="tides.pdf", page=3, quote="4.2 m")])
    sheet.set_comment(Unit(A, "neat"), "crowded")
    again = store.sheet()
    for unit in sheet.units():
        assert again.reply(unit) == sheet.reply(unit)
    assert store.events[0].state["item_version"] == 3
    store.fails = True
    with pytest.raises(BadInput):
        sheet.answer(Unit(B, "neat"), YES)
    assert sheet.reply(Unit(B, "neat")).answer is None


def test_that_undo_and_redo_go_over_decks_and_sittings(store):
    sheet = store.sheet()
    sheet.answer(Unit(A, "neat"), YES)
    sheet.answer(Unit(B, "neat"), NO)
    sheet.answer(Unit(B, "neat"), YES)
    sheet = store.sheet()
    assert sheet.undo() == Unit(B, "neat")
    assert sheet.reply(Unit(B, "neat")).answer is NO
    sheet.undo()
    sheet = store.sheet()
    assert sheet.undo() == Unit(A, "neat")
    assert sheet.reply(Unit(A, "neat")).answer is None
    assert not sheet.can_undo
    for _ in range(3):
        sheet.redo()
    assert store.sheet().reply(Unit(B, "neat")).answer is YES
    assert not sheet.can_redo


def test_that_a_deck_is_complete_when_each_answer_has_what_it_needs(store):
    sheet = store.sheet()
    assert sheet.missing(A) == "3 answers open"
    for name in ("neat", "right", "p@1"):
        sheet.answer(Unit(A, name), YES)
    assert sheet.missing(A) == "1 place open"
    with pytest.raises(BadInput, match="1 place open"):
        sheet.submit(A)
    sheet.set_quotes(Unit(A, "right"), [SourceQuote(source="s")])
    sheet.submit(A)
    assert sheet.deck_state(A).status is AnswerStatus.SUBMITTED
    assert sheet.progress(A) == (3, 3)
    assert sheet.progress() == (3, 6)


def test_that_a_change_after_submitting_opens_the_deck_as_a_revision(store):
    sheet = store.sheet()
    for name in ("neat", "p@1"):
        sheet.answer(Unit(A, name), YES)
    sheet.answer(Unit(A, "right"), ItemAnswer.CANNOT_TELL)
    sheet.submit(A)
    sheet.answer(Unit(A, "neat"), NO)
    assert sheet.deck_state(A).status is AnswerStatus.DRAFT
    assert store.events[-1].revision == 2


def test_that_a_no_needs_a_place_where_the_study_asks_for_it(store):
    sheet = store.sheet(needs_evidence=True)
    sheet.answer(Unit(A, "neat"), NO)
    assert sheet.lacking(Unit(A, "neat")) == "evidence"
    sheet.answer(Unit(A, "neat"), YES)
    assert sheet.lacking(Unit(A, "neat")) == ""


def test_that_questions_go_deck_by_deck_or_item_by_item(store):
    sheet = store.sheet()
    assert [tuple(unit) for unit in sheet.units()][:3] == [("a", "neat"), ("a", "right"), ("a", "p@1")]
    order = [tuple(unit) for unit in sheet.units(AnswerOrder.ITEM_BY_ITEM)]
    assert order == [("a", "neat"), ("b", "neat"), ("a", "right"), ("b", "right"), ("a", "p@1"), ("b", "p@1")]
    sheet.answer(Unit(A, "neat"), YES)
    assert sheet.next_open(Unit(A, "neat"), AnswerOrder.ITEM_BY_ITEM) == Unit(B, "neat")
    assert sheet.next_open(Unit(B, "p@1")) == Unit(A, "right")


def test_that_independent_items_hide_the_sources_and_take_no_quote(store):
    sheet = store.sheet()
    assert sheet.hides_sources(Unit(A, "neat"))
    assert not sheet.hides_sources(Unit(A, "right"))
    with pytest.raises(BadInput, match="deck alone"):
        sheet.set_quotes(Unit(A, "neat"), [SourceQuote(source="s")])


@pytest.mark.parametrize(
    "box", [EvidenceBox(slide=0), EvidenceBox(slide=1, x0=0.5, x1=0.5), EvidenceBox(slide=1, y1=1.2)]
)
def test_that_a_place_off_the_slides_is_refused(store, box):
    with pytest.raises(BadInput):
        store.sheet().set_boxes(Unit(A, "neat"), [box])


def test_that_badges_count_answers_on_slides(store):
    sheet = store.sheet()
    sheet.set_boxes(Unit(A, "neat"), [EvidenceBox(slide=2), EvidenceBox(slide=2)])
    sheet.answer(Unit(A, "neat"), NO)
    sheet.answer(Unit(A, "p@1"), YES)
    assert sheet.badges(A) == {2: {NO: 1}, 1: {YES: 1}}


def test_that_tool_errors_are_not_asked_of_people():
    lists = {A: Checklist(instance_id=InstanceId("i"), items=(item("x", kind=ItemKind.TOOL_ERROR),))}
    sheet = ChecklistSheet(
        instance_id=InstanceId("i"), annotator_id=AnnotatorId("p"), checklists=lists, events=[], record=Store(),
        now=str, spent=lambda: Spent(active_s=0.0, wall_s=0.0),
    )  # fmt: skip
    assert sheet.units() == []


def test_that_cannot_judge_needs_a_reason(store):
    sheet = store.sheet()
    with pytest.raises(BadInput):
        sheet.cannot_judge(A, " ")
    sheet.cannot_judge(A, "It does not open.")
    assert store.sheet().deck_state(A).reason == "It does not open."
