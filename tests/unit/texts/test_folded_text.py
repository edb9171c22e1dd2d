from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.texts.folded_text import fold


@pytest.mark.parametrize(
    ("original", "folded"),
    [
        ("The  Year\nin\tBrief", "the year in brief"),
        ("ﬁnal oﬀer", "final offer"),
        ("Ｆｕｌｌ　ｗｉｄｔｈ １２３", "full width 123"),
        ("infor\u00admation", "information"),
        ("infor-\nmation", "information"),
        ("infor-\n   mation", "information"),
        ("state-of-the-\nart", "stateoftheart"),
        ("state-of-the-art", "stateoftheart"),
        ("Berlin-\nWest", "berlin- west"),  # a capital begins a new word
        ("COVID-19", "covid-19"),
        ("10–20", "10-20"),
        ("a – b", "a - b"),
        ("“so” it’s", '"so" it\'s'),
        ("六大 茶\n类", "六大茶类"),
        ("采用 BERT 模型", "采用bert模型"),
        ("10²³ and m²", "10^23 and m^2"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("NBSP\u00a0here\u202f5", "nbsp here 5"),
        ("", ""),
    ],
)
def test_that_typesetting_makes_no_difference(original, folded):
    assert fold(original).text == folded


@given(st.text(max_size=80))
def test_that_every_folded_character_has_its_place_in_order(original):
    folded = fold(original)
    assert len(folded.text) == len(folded.cased) == len(folded.origin)
    assert list(folded.origin) == sorted(folded.origin)
    assert all(0 <= place < len(original) for place in folded.origin)


@given(st.text(alphabet="abcdefghij ,.;:!?XYZ0123456789", max_size=80))
def test_that_plain_text_keeps_its_characters(original):
    # Hand rule: runs of spaces become one, and nothing leads with a space; the rest is the text in small letters.
    words = original.lower().split()
    assert fold(original).text.strip() == " ".join(words)


@pytest.mark.parametrize("word", ["Café", "Größe", "señor", "Ångström", "한국어", "Việt Nam", "が"])
def test_that_accents_apart_from_their_letters_are_the_same(word):
    assert fold(unicodedata.normalize("NFD", word)).text == fold(unicodedata.normalize("NFC", word)).text
