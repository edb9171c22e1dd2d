"""What can be applied of a deck's suggestions, one by one, and what evaluators are called."""

from __future__ import annotations

import pytest

from studio.actions.content import Line, moved_slides, order_in_words, suggested_order
from studio.actions.content_methods import families
from studio.actions.lab_explanations import named_slides
from studio.model.reflex import ContentMetric, DeckObject, SlideObject
from studio.reflex.explanations import Suggestion

FLOW, REPEAT, COVER, IMAGE = (
    ContentMetric.FLOW, ContentMetric.REDUNDANCY, ContentMetric.COVERAGE, ContentMetric.ALIGNMENT,
)  # fmt: skip
DECK = DeckObject(id="d", slides=tuple(SlideObject(number=n, title=f"T{n}", body="words") for n in range(1, 7)))


def line(metric, slide, other, *, firm=True, text="", evidence=0.5):
    made = Suggestion(
        slide=slide, topic="T", other=other, chance=0.9, evidence=evidence, text=text, is_firm=firm
    )  # fmt: skip
    return Line(metric=metric, suggestion=made)


@pytest.mark.parametrize(
    ("chosen", "order"),
    [
        ([], (1, 2, 3, 4, 5, 6)),
        ([line(REPEAT, 5, 2)], (1, 2, 3, 4, 6)),
        ([line(FLOW, 6, 1)], (1, 6, 2, 3, 4, 5)),
        ([line(FLOW, 3, 0)], (3, 1, 2, 4, 5, 6)),
        # Repeats go first: nothing can stand behind a slide that is gone.
        ([line(FLOW, 6, 5), line(FLOW, 2, 5), line(REPEAT, 5, 2)], (1, 2, 3, 4, 6)),
        # One after the other: 6 behind 1, then 2 behind 6.
        ([line(FLOW, 6, 1), line(FLOW, 3, 6)], (1, 6, 3, 2, 4, 5)),
        # What is to be done by hand changes no order.
        ([line(COVER, None, 4), line(IMAGE, 2, 3), line(FLOW, 4, None, firm=False)], (1, 2, 3, 4, 5, 6)),
        # A deck never goes whole.
        ([line(REPEAT, number, 1) for number in range(1, 7)], (1, 2, 3, 4, 5, 6)),
    ],
)
def test_that_chosen_lines_and_no_others_change_the_order(chosen, order):
    assert suggested_order(DECK, chosen) == order


def test_that_only_sure_lines_that_a_file_can_follow_are_ticked_at_first():
    assert line(REPEAT, 5, 2).is_chosen
    assert not line(FLOW, 6, 1, firm=False).is_chosen
    assert line(FLOW, 6, 1, firm=False).can_be_applied
    assert not line(COVER, None, 4).can_be_applied


def test_that_moves_are_counted_by_the_fewest_slides():
    # 1 2 3 4 5 stay in order whichever way 6 went.
    assert moved_slides([1, 2, 3, 4, 5, 6], [1, 6, 2, 3, 4, 5]) == [6]
    assert moved_slides([1, 2, 3, 4], [1, 2, 3, 4]) == []
    assert len(moved_slides([1, 2, 3, 4], [4, 3, 2, 1])) == 3
    assert order_in_words(DECK, (1, 6, 2, 3, 4)) == "5 slides · left out: 5 · moved: 6"


def test_that_the_figure_stands_in_its_own_column():
    shown = line(REPEAT, 5, 2, text="5. T: repeats slide 2 (similarity 0.98).", evidence=0.98)
    assert (shown.words, shown.evidence) == ("5. T: repeats slide 2.", "similarity 0.98")
    moved = line(FLOW, 5, 2, text="5. T (gain of trust): move it to after slide 2 (gain 2.5).", evidence=2.5)
    assert (moved.words, moved.evidence) == ("5. T (gain of trust): move it to after slide 2.", "gain 2.5")


def test_that_evaluators_are_families_of_four_methods():
    found = families([
        "reflex.flow", "reflex.coverage", "openai:m/geval.flow", "openai:m/fewshot.flow", "heuristic.flow",
        "length.few", "length.many", "aesthetics.total", "reflex.flow@other", "openai:m/rating",
    ])  # fmt: skip
    assert [each.title for each in found] == [
        "REFLEX-CPU", "REFLEX-CPU · other", "openai:m · few-shot", "openai:m · G-Eval", "Heuristic", "Length only",
    ]  # fmt: skip
    assert found[0].methods == {FLOW: "reflex.flow", COVER: "reflex.coverage"}
    assert found[-1].methods[COVER] == "length.many"
    assert found[-1].methods[REPEAT] == "length.few"


@pytest.mark.parametrize(
    ("text", "slides"),
    [
        ("2. Conclusion; 9. Outline", {2, 9}), ("Slide 3: repeats\nslide 12. again", {3, 12}),
        ("The slides follow one another naturally.", set()), ("Results of 2019. Nothing else", set()),
    ],
)  # fmt: skip
def test_that_slides_are_read_as_the_forms_ask_for_them(text, slides):
    assert named_slides(text) == slides
