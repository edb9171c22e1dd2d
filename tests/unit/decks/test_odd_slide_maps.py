"""Which page shows which slide, on decks that are made to be confused."""

from __future__ import annotations

from studio.decks.slide_pages import slide_pages


def _map(hidden, slides, pages):
    return slide_pages(hidden, slides, pages)


def test_that_no_slides_and_only_hidden_slides_give_no_pages_and_no_fault():
    assert _map([], [], []).pages == ()
    assert _map([True, True], ["first words here", "second words here"], []).pages == (None, None)


def test_that_slides_without_words_take_the_pages_that_no_other_slide_proves():
    texts = ["opening words of the deck", "", "closing words of the deck"]
    # One page is lacking: the one without words on it could only be the middle slide's.
    assert _map([False] * 3, texts, ["opening words of the deck", "closing words of the deck"]).pages == (1, None, 2)
    assert _map([False] * 3, texts, ["opening words of the deck", "", "closing words of the deck"]).pages == (1, 2, 3)


def test_that_the_same_words_on_every_slide_keep_the_order():
    texts = ["the very same words"] * 5
    found = _map([False, True, False, False, True], texts, ["the very same words"] * 3)
    assert found.pages == (1, None, 2, 3, None)
    assert found.warnings == ()


def test_that_a_page_too_many_in_front_moves_no_slide():
    texts = [f"unmistakable sentence number {number}" for number in range(4)]
    found = _map([False] * 4, texts, ["a page that LibreOffice made up", *texts])
    assert found.pages == (2, 3, 4, 5)
    assert len(found.warnings) == 1


def test_that_swapped_pages_are_noticed():
    texts = ["alpha sentence on its own slide", "beta sentence on its own slide"]
    found = _map([False, False], texts, ["zzz beta sentence qqq", "zzz alpha sentence qqq"])
    assert found.pages == (1, 2)
    assert _map([False, False], ["alphabetical wording", "betatronic phrasing"],
                ["betatronic phrasing", "alphabetical wording"]).warnings  # fmt: skip


def test_that_words_without_spaces_and_broken_words_still_agree():
    slides = ["深度学习的基本概念与方法综述", "Donaudampfschifffahrtsgesellschaft und mehr"]
    pages = ["深 度 学 习 的\n基本概念与方法 综述", "Donaudampf-\nschifffahrts-\ngesellschaft und mehr"]
    found = _map([False, False], slides, pages)
    assert (found.pages, found.warnings) == ((1, 2), ())


def test_that_one_slide_without_a_page_is_found_among_fifteen_hundred():
    texts = [f"slide {number} says {number * 7919} and {number * 104729}" for number in range(1500)]
    found = _map([False] * 1500, texts, texts[:700] + texts[701:])
    assert found.pages[699:702] == (700, None, 701)
