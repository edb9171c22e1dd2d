"""Numbers in Chinese numerals, by hand."""

from __future__ import annotations

import pytest

from studio.texts.chinese_numerals import numerals, value_of


@pytest.mark.parametrize(
    ("words", "digits"),
    [
        ("三十五", "35"), ("十二", "12"), ("二百零六", "206"), ("三千五百万", "35000000"), ("一亿二千万", "120000000"),
        ("二〇二一", "2021"), ("两万五千", "25000"), ("一万亿", "1000000000000"), ("十六点五", "16.5"),
    ],
)  # fmt: skip
def test_a_numeral_is_its_number(words: str, digits: str) -> None:
    assert value_of(words) == digits


def test_words_that_hold_one_numeral_letter_are_no_numbers() -> None:
    assert list(numerals("统一的一种方法，万一失败")) == []


def test_a_share_is_a_percentage() -> None:
    assert [each.digits for each in numerals("占全国的百分之三十五，共二百四十座")] == ["35%", "240"]


def test_a_magnitude_behind_digits_belongs_to_them() -> None:
    assert list(numerals("人口为1200万人")) == []
