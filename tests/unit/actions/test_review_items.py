"""How the question of a case is said."""

from __future__ import annotations

from studio.actions.review_items import words_of
from studio.model.checklists import Dimension, Item, ItemId


def test_that_the_question_of_a_page_item_names_its_page():
    item = Item(id=ItemId("f"), version=1, dimension=Dimension.FIDELITY, text="Is all of\nslide {slide} in the source?")
    assert words_of(item, "f@3") == "Is all of slide 3 in the source?"
    # Of all pages together there is no number to name.
    assert words_of(item, "f") == "Is all of slide {slide} in the source?"
    assert words_of(None, "f@3") == "f@3"
