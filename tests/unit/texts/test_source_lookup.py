from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.model.decks import PlacedWord, SourcePage
from studio.texts.places import Box, boxes_of
from studio.texts.source_lookup import HitKind, Lookup, SourceIndex

REPORT = """The year in brief
In 2025 the main library and its five branches counted 612,400 visits, 9 % more than in the year before.
People borrowed 1,148,000 items; every third loan was digi-
tal. The median waiting time fell from 3,460 ms to 0.9 s. Grants grew to 5 million euros.
Response times lay between 10–20 ms. The eﬃcient work\u00adflow is state-of-the-art."""
CHINESE = "六大茶类都来自山茶科的茶树，区别在采摘之后的加\n工。全国茶园面积约 ３３０ 万公顷，产值超过3000亿元。"


def index(*texts: str) -> SourceIndex[str]:
    return SourceIndex(
        [(f"source {number}", [SourcePage(number=1, text=text)]) for number, text in enumerate(texts, start=1)]
    )


def best(phrase: str, *texts: str) -> tuple[str, str] | None:
    found = index(*(texts or (REPORT, CHINESE))).lookup(phrase)
    return (found.hits[0].kind.value, " ".join(found.hits[0].text.split())) if found.hits else None


@pytest.mark.parametrize(
    ("phrase", "kind", "text"),
    [
        ("the main library", "exact", "the main library"),
        ("Every third loan was digital", "exact", "every third loan was digi- tal"),
        ("efficient workflow", "exact", "eﬃcient work\u00adflow"),
        ("state of the art workflow", None, None),
        ("612,400 visits", "exact", "612,400 visits"),
        ("612 400 visits", "normalised", "612,400 visits"),
        ("612.4k visits", "normalised", "612,400 visits"),
        ("9%", "normalised", "9 %"),
        ("9 percent more", "normalised", "9 % more"),
        ("3.46 s", "normalised", "3,460 ms"),
        ("900 ms", "normalised", "0.9 s"),
        ("€5M", "normalised", "5 million euros"),
        ("20 ms", "exact", "20 ms"),
        ("10 ms", "normalised", "10"),
        ("10 to 20 ms", "normalised", "10–20 ms"),
        ("1.15 million items", "fuzzy", "1,148,000 items"),
        ("• Grants grew to 5 million euros.", "exact", "Grants grew to 5 million euros"),
        ("the main libary and its five branches", "fuzzy", "the main library and its five branches"),
        ("六大茶类都来自山茶科", "exact", "六大茶类都来自山茶科"),
        ("采摘之后的加工", "exact", "采摘之后的加 工"),
        ("330万公顷", "exact", "３３０ 万公顷"),
        ("3.3 million hectares", "normalised", "３３０ 万公顷"),
        ("产值超过3千亿元", "normalised", "产值超过3000亿元"),
        ("产值超过0.3万亿元", "normalised", "产值超过3000亿元"),
        ("区别在采摘以后的加工", "fuzzy", "区别在采摘之后的加 工"),
    ],
)
def test_that_a_phrase_is_found_in_the_best_way_there_is(phrase, kind, text):
    assert best(phrase) == (None if kind is None else (kind, text))


@pytest.mark.parametrize(
    "phrase",
    [
        "612,500 visits",  # other number
        "2.400",  # inside another number
        "12,400",
        "Grants grew to 5",  # five million is not five
        "Grants grew to 5 thousand euros",
        "8% more than in the year before",  # same words, other number
        "the main library of Lisbon opened a garden",
        "rary",  # part of a word
        "5 million dollars",
        "340 万公顷",
        "",
        "•",
    ],
)
def test_that_what_the_sources_do_not_say_is_not_found(phrase):
    found = index(REPORT, CHINESE).lookup(phrase)
    assert not found.is_found
    assert found.hits == ()


def test_that_an_answer_names_the_numbers_that_stand_nowhere():
    found = index(REPORT).lookup("visits rose by 17 % to 612,400 thanks to 42 new desks")
    # 612,400 is there, the other two are not.
    assert found.missing_numbers == ("17 %", "42")
    assert found.pages_searched == 1


def test_that_exact_hits_come_before_the_same_number_written_otherwise():
    found = index("It took 1.5 s.", "It took 1500 ms.", "It took 1500ms.").lookup("1500 ms")
    assert [(hit.where, hit.kind) for hit in found.hits] == [
        ("source 2", HitKind.EXACT),
        ("source 1", HitKind.NORMALISED),
        ("source 3", HitKind.NORMALISED),
    ]


def test_that_every_place_counts_though_only_some_are_listed():
    found = index("tea " * 80).lookup("tea", limit=10)
    assert (found.total, len(found.hits)) == (80, 10)


def test_that_a_search_finds_parts_of_words_and_a_lookup_does_not():
    both = index("teapots and tea")
    assert both.search("tea").total == 2
    assert both.lookup("tea").total == 1


def test_that_a_hit_has_one_box_for_each_line():
    # Two lines of two words; each word is 0.3 wide, lines are 0.1 high.
    words = (
        PlacedWord(0, 5, 0.1, 0.1, 0.4, 0.2, 0),
        PlacedWord(6, 11, 0.5, 0.1, 0.8, 0.2, 0),
        PlacedWord(12, 17, 0.1, 0.3, 0.4, 0.4, 1),
        PlacedWord(18, 23, 0.5, 0.3, 0.8, 0.4, 1),
    )
    page = SourcePage(number=3, text="alpha bravo\ncharl delta", words=words)
    (hit,) = SourceIndex([("pdf", [page])]).lookup("bravo charl").hits
    assert (hit.page, hit.boxes) == (3, (Box(0.5, 0.1, 0.8, 0.2), Box(0.1, 0.3, 0.4, 0.4)))


def test_that_a_part_of_a_run_of_chinese_has_its_share_of_the_box():
    page = SourcePage(number=1, text="六大茶类", words=(PlacedWord(0, 4, 0.2, 0.5, 0.6, 0.6, 0),))
    # Letters 2 and 3 of four in 0.2 to 0.6: each is 0.1 wide.
    assert boxes_of(page, 1, 3) == (Box(0.3, 0.5, 0.5, 0.6),)


WORDS = ["tea", "leaf", "water", "steep", "green", "black", "pot", "cup", "warm", "slow", "hills", "rain"]


@given(st.lists(st.sampled_from(WORDS), min_size=4, max_size=40), st.data())
def test_that_every_part_of_a_text_is_found_where_it_stands(words, data):
    start = data.draw(st.integers(0, len(words) - 2))
    length = data.draw(st.integers(1, len(words) - start))
    text = " ".join(words)
    phrase = " ".join(words[start : start + length])
    found = index(text).lookup(phrase)
    assert found.hits[0].kind is HitKind.EXACT
    assert all(text[hit.start : hit.end] == phrase for hit in found.hits if hit.kind is HitKind.EXACT)


@given(st.integers(1000, 10**9), st.integers(1000, 10**9))
def test_that_another_number_is_never_found(number, other):
    found = index(f"There were {number:,} of them in all.").lookup(str(other))
    assert found.is_found == (number == other or _rounds(other, number))


def _rounds(rounded: int, exact: int) -> bool:
    digits = str(rounded).rstrip("0")
    step = 10 ** (len(str(rounded)) - len(digits))
    return len(digits) >= 3 and abs(rounded - exact) * 2 <= step and len(str(exact).rstrip("0")) > len(digits)


@given(st.text(max_size=60), st.text(max_size=200))
def test_that_no_text_breaks_a_lookup_and_hits_say_what_stands_there(phrase, text):
    found: Lookup[str] = index(text).lookup(phrase)
    assert all(hit.text == text[hit.start : hit.end] and hit.text for hit in found.hits)


def three_hundred_pages() -> list[SourcePage]:
    rng = random.Random(7)
    vocabulary = [f"{rng.choice('bcdfghklmnprst')}{rng.choice('aeiou')}{rng.choice('lmnrst')}{number}x"[:-1]
                  if number % 3 else rng.choice(WORDS) for number in range(4000)]  # fmt: skip
    return [
        SourcePage(number=number, text=" ".join(rng.choice(vocabulary) for _ in range(450)) + f" total {number * 37}")
        for number in range(1, 301)
    ]


def test_that_a_phrase_is_found_among_300_pages_even_with_a_slip():
    pages = three_hundred_pages()
    whole = SourceIndex([("book", pages)])
    phrase = " ".join(pages[150].text.split()[100:112])
    typo = phrase.replace("a", "o", 1)
    assert whole.lookup(phrase).hits[0].page == 151
    assert whole.lookup(typo).hits[0].page == 151
    assert whole.lookup("a sentence that stands nowhere in this book at all").hits == ()
