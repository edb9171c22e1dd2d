from __future__ import annotations

import pytest

from studio.judges.evidence import boxes_given, quotes_given, slides_named, source_quotes
from studio.model.checklists import EvidenceBox, SourceQuote

SHOWN = tuple(range(1, 13))


@pytest.mark.parametrize(
    ("words", "slides"),
    [
        ("Slide 7 is crowded.", (7,)),
        ("see deck slide 7 and slide 2", (7, 2)),
        ("slides 3, 5 and 7 fail", (3, 5, 7)),
        ("Slides 3–5 repeat", (3, 4, 5)),
        ("pages 2 to 4", (2, 3, 4)),
        ("第3页和第5页", (3, 5)),
        ("slide 40 was never shown", ()),
        ("source 2 page 3 says otherwise", ()),
        ("slide 4 against source 1, page 9", (4,)),
        ("in 2024, sales rose by 30%", ()),
    ],
)
def test_that_slides_are_found_in_words(words: str, slides: tuple[int, ...]) -> None:
    assert slides_named(words, SHOWN) == slides


def test_that_page_two_of_a_deck_with_a_hidden_slide_is_slide_three() -> None:
    # Slides 1 and 3 were shown: page 2 is slide 3, and slide 2 was never seen.
    assert slides_named("page 2", (1, 3)) == (3,)
    assert slides_named("slide 2", (1, 3)) == ()


def test_that_a_quote_goes_with_the_nearest_source_page() -> None:
    quotes = source_quotes('Slide 2 says "12 %", but source 2 page 3 has "21 %".')
    assert quotes == (SourceQuote(source="2", page=3, quote="21 %"),)


def test_that_boxes_and_slides_of_json_become_places() -> None:
    value = {"slides": [3, 5, 99, "7"], "boxes": [{"slide": 3, "box": [0.1, 0.2, 0.5, 0.4]},
                                                  {"slide": 4, "box": [0.5, 0.2, 0.1, 0.4]}, "x"]}  # fmt: skip
    assert boxes_given(value, SHOWN) == (EvidenceBox(slide=3, x0=0.1, y0=0.2, x1=0.5, y1=0.4), EvidenceBox(slide=5))


def test_that_quotes_of_json_are_read() -> None:
    value = {"quotes": [{"source": 2, "page": 3, "quote": "21 %"}, {"page": 1}, None]}
    assert quotes_given(value) == (SourceQuote(source="2", page=3, quote="21 %"),)
