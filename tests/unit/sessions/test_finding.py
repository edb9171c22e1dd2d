"""Finding phrases and numbers in sources."""

from __future__ import annotations

import pytest

from studio.sessions.finding import Span, find_all, snippet


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("fell from 8.4 ms to 6.1 ms between", "6.1 ms"),
        ("Average Access\ntime fell", "average access time"),
        ("the inter-\nface was", "interface"),
        ("rose by 38\u00a0% in", "38 %"),
        ("a range of 5–7 items", "5-7"),
        ("the “zoned” scheme", '"zoned"'),
        ("costs 1,234,567 in all", "1234567"),
        ("costs 1234567 in all", "1,234,567"),
        ("存储器\n的带宽为 ３．５", "存储器的带宽"),
        ("带宽为 ３．５ GB", "3.5"),
        ("co\u00adope\u00adra\u00adtion", "cooperation"),
    ],
)
def test_that_writing_makes_no_difference(text, phrase):
    assert len(find_all(text, phrase)) == 1


@pytest.mark.parametrize(
    ("text", "phrase"),
    [("16.1", "6.1"), ("6.12", "6.1"), ("26.1 ms", "6.1 ms"), ("1.5", "5"), ("2020", "20"), ("", "a"), ("abc", " ")],
)
def test_that_a_part_of_a_number_is_not_that_number(text, phrase):
    assert find_all(text, phrase) == []


def test_that_a_number_at_the_end_of_a_sentence_is_found():
    assert find_all("It was 6.1. Then", "6.1") == [Span(7, 10)]


def test_that_spans_are_in_the_characters_of_the_text():
    text = "x  A\nB  y a b"
    assert [text[span.start : span.end] for span in find_all(text, "a b")] == ["A\nB", "a b"]


def test_that_a_year_list_is_not_taken_for_thousands():
    assert find_all("in 2019, 2020 and", "2020") == [Span(9, 13)]


def test_that_a_snippet_is_one_line_with_its_surroundings():
    text = "a" * 60 + "\nfound it\n" + "b" * 60
    shown = snippet(text, Span(61, 69))
    assert shown.match == "found it"
    assert (shown.before, shown.after) == ("…" + "a" * 47 + " ", " " + "b" * 47 + "…")
