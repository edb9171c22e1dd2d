from __future__ import annotations

import json

import pytest

from studio.model.reflex import ContentMetric, Recipe, Variant
from studio.perturb.amounts import amount
from studio.reflex.ladder import ladder
from tests.shared_files import shared
from tests.unit.reflex.made_decks import made_deck


def golden(name):
    cases = json.loads(shared("golden/stats_golden.json").read_text("utf-8"))["cases"]
    return next(case for case in cases if case["id"] == name)


def test_that_targets_are_those_of_the_published_table():
    case = golden("reflex_targets")
    rungs = ladder(made_deck(1), ContentMetric.FLOW, seed=1)
    assert [rung.degree for rung in rungs] == case["input"]["d"]
    assert [rung.target for rung in rungs] == case["expected"]["unit_interval"]
    recipes = [
        Recipe(metric=ContentMetric.FLOW, degree=d, seed=0, picked=(), permutation=()).target for d in (1, 2, 3, 4)
    ]
    assert recipes == case["expected"]["unit_interval"][1:]


def test_that_counts_are_those_of_the_published_table():
    case = golden("reflex_counts")
    counts = [[amount(n, d) for d in case["input"]["d"]] for n in case["input"]["n"]]
    assert counts == case["expected"]["table"]
    assert amount(5, 1, least=2) == 2


def test_that_marks_of_flow_are_the_places_where_another_slide_stands():
    deck = made_deck(2)
    for rung in ladder(deck, ContentMetric.FLOW, seed=3)[1:]:
        moved = [new.title + new.body != old.title + old.body
                 for new, old in zip(rung.deck.slides, deck.slides, strict=True)]  # fmt: skip
        assert list(rung.marks) == moved
        assert sum(moved) == max(2, amount(16, rung.degree))


def test_that_marks_of_redundancy_are_the_later_of_equal_slides():
    for rung in ladder(made_deck(3), ContentMetric.REDUNDANCY, seed=5)[1:]:
        texts = [slide.text for slide in rung.deck.slides]
        assert list(rung.marks) == [text in texts[:place] for place, text in enumerate(texts)]
        assert sum(rung.marks) == amount(16, rung.degree)


def test_that_marks_of_coverage_name_the_topics_that_went():
    for rung in ladder(made_deck(4), ContentMetric.COVERAGE, seed=5)[1:]:
        titles = {slide.title for slide in rung.deck.slides}
        gone = [section.title for section, mark in zip(rung.deck.document.sections, rung.marks, strict=True) if mark]
        assert gone
        assert set(gone) == set(rung.recipe.picked)
        assert not titles & set(gone)


def test_that_marks_of_alignment_are_the_slides_that_show_another_image():
    deck = made_deck(6)
    for rung in ladder(deck, ContentMetric.ALIGNMENT, seed=5)[1:]:
        assert list(rung.marks) == [
            new.images != old.images for new, old in zip(rung.deck.slides, deck.slides, strict=True)
        ]


@pytest.mark.parametrize("variant", [Variant.LENGTH_MATCHED, Variant.NOISY])
def test_that_a_ladder_is_the_same_for_the_same_seed_and_keeps_its_lengths(variant):
    once = ladder(made_deck(7), ContentMetric.REDUNDANCY, seed=9, variant=variant)
    again = ladder(made_deck(7), ContentMetric.REDUNDANCY, seed=9, variant=variant)
    assert once == again
    lengths = [len(rung.deck.slides) for rung in once]
    assert lengths == (
        [16] * 5 if variant is Variant.LENGTH_MATCHED else [16, *(16 + amount(16, d) for d in (1, 2, 3, 4))]
    )
    assert all(rung.deck.slides != once[0].deck.slides for rung in once[1:])


def test_that_length_matched_coverage_fills_its_gaps_from_other_decks():
    fillers = made_deck(40).slides
    rungs = ladder(made_deck(8), ContentMetric.COVERAGE, seed=2, variant=Variant.LENGTH_MATCHED, fillers=fillers)
    bodies = {slide.body for slide in fillers}
    for rung in rungs[1:]:
        assert len(rung.deck.slides) == 16
        assert any(slide.body in bodies for slide in rung.deck.slides)
