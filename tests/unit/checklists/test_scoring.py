"""Scores of many decks: forms, null policies, states and tables, by hand arithmetic."""

from dataclasses import replace

import numpy as np
import pytest

from studio.checklists.reference_score import NullPolicy
from studio.checklists.scoring import Answers, DeckState, Form, Said, ScoredDeck, score_decks, table
from studio.model.checklists import Dimension as D
from studio.model.ids import DeckId, InstanceId

DECKS = [
    ScoredDeck(deck_id=DeckId("a1"), instance_id=InstanceId("1"), system="A", domain="talk"),
    ScoredDeck(deck_id=DeckId("a2"), instance_id=InstanceId("2"), system="A", domain="economics"),
    ScoredDeck(deck_id=DeckId("b1"), instance_id=InstanceId("1"), system="B", domain="talk", state=DeckState.FAILED),
    ScoredDeck(deck_id=DeckId("b2"), instance_id=InstanceId("2"), system="B", domain="economics",
               state=DeckState.MISSING),
]  # fmt: skip
ROWS = [
    (0, D.DESIGN, Said.YES, 1.0), (0, D.DESIGN, Said.NO, 1.0), (0, D.CORRECTNESS, Said.YES, 3.0),
    (0, D.CORRECTNESS, Said.NO, 1.0), (0, D.CORRECTNESS, Said.LEFT_OUT, 1.0),
    (1, D.DESIGN, Said.YES, 1.0), (1, D.CORRECTNESS, Said.UNANSWERED, 1.0), (1, D.CORRECTNESS, Said.YES, 1.0),
]  # fmt: skip

POINTS = {"1": {D.DESIGN: 10.0, D.CORRECTNESS: 30.0}, "2": {D.DESIGN: 30.0, D.CORRECTNESS: 10.0}}


def test_that_the_equal_form_is_the_mean_of_dimensions():
    found = score_decks(DECKS, Answers.of(ROWS))
    # Deck a1: design 1/2, correctness 3/4 by weight. a2: 1/1 and 1/2.
    assert found.totals[:2].tolist() == pytest.approx([62.5, 75.0])
    assert found.total(2).value == 0.0
    assert found.total(3).undefined_reason.startswith("missing")
    assert found.coverage[:2].tolist() == pytest.approx([4 / 5, 2 / 3])


def test_that_lenient_scores_leave_open_items_out():
    assert score_decks(DECKS, Answers.of(ROWS), nulls=NullPolicy.EXCLUDE).totals[1] == pytest.approx(100.0)


def test_that_points_count_for_each_deck_and_leave_one_out_follows():
    decks = [replace(deck, points=POINTS[str(deck.instance_id)]) for deck in DECKS]
    found = score_decks(decks, Answers.of(ROWS), form=Form.WEIGHTED)
    # a1: (10 · 50 + 30 · 75) / 40. a2, of another instance: (30 · 100 + 10 · 50) / 40.
    assert found.totals[:2].tolist() == pytest.approx([68.75, 87.5])
    assert found.leave_one_out[0, list(D).index(D.DESIGN)] == pytest.approx(75.0)


@pytest.mark.parametrize(("whole", "total"), [(None, 68.75), (80.0, 34.375), (50.0, 55.0)])
def test_that_points_are_divided_by_the_total_that_the_lists_give(whole, total):
    decks = [replace(deck, points=POINTS["1"], points_total=whole) for deck in DECKS]
    found = score_decks(decks, Answers.of(ROWS), form=Form.WEIGHTED)
    assert found.totals[0] == pytest.approx(total)
    # Leaving one out divides by the points of the others, whatever the total.
    assert found.leave_one_out[0, list(D).index(D.CORRECTNESS)] == pytest.approx(50.0)
    part = score_decks(decks, Answers.of(ROWS), form=Form.WEIGHTED, dimensions=[D.CORRECTNESS])
    assert part.totals[0] == pytest.approx(75.0)


def test_that_an_empty_class_keeps_its_points_though_no_deck_has_items_in_it():
    rows = [(0, each, Said.YES, 1.0) for each in D if each is not D.FUNDAMENTALS]
    found = score_decks(DECKS[:1], Answers.of(rows), form=Form.WEIGHTED)
    assert found.totals[0] == pytest.approx(80.0)
    # Classes that are not in the result are in no leave-one-out.
    assert found.leave_one_out[0, list(D).index(D.DESIGN)] == pytest.approx(100.0)
    assert score_decks(DECKS[:1], Answers.of(rows)).totals[0] == pytest.approx(100.0)


def test_that_a_dimension_without_items_leaves_the_equal_form_without_a_total_and_keeps_its_weight_in_the_other():
    rows = [row for row in ROWS if row[0] == 0 or row[1] is D.DESIGN]
    equal = score_decks(DECKS, Answers.of(rows))
    assert np.isnan(equal.totals[1])
    assert "correctness" in equal.total(1).undefined_reason
    assert score_decks(DECKS, Answers.of(rows), form=Form.WEIGHTED).totals[1] == pytest.approx(20.0)


def test_that_tables_name_missing_instances_and_failed_decks():
    rows = {row.system: row for row in table(score_decks(DECKS, Answers.of(ROWS)))}
    assert (rows["A"].total, rows["A"].n) == (pytest.approx(68.75), 2)
    assert (rows["B"].total, rows["B"].n, rows["B"].n_failed, rows["B"].missing) == (0.0, 1, 1, ("2",))
    by_domain = {(row.system, row.group): row.total for row in table(score_decks(DECKS, Answers.of(ROWS)), by="domain")}
    assert by_domain["A", "talk"] == pytest.approx(62.5)
    assert by_domain["B", "economics"] is None
    mask = np.array([True, False, False, False])
    assert [row.n for row in table(score_decks(DECKS, Answers.of(ROWS)), mask=mask)] == [1]
