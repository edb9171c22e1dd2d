from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.texts.folded_text import fold
from studio.texts.quantities import Quantity, quantities


def only(text: str) -> Quantity:
    (found,) = quantities(fold(text))
    return found


SAME = [
    ("1,234,567", "1234567"),
    ("1.234.567", "1 234 567"),
    ("1'234'567", "1,234,567"),
    ("1,234.5", "1.234,5"),
    ("3,5 %", "3.5 percent"),
    ("35 per cent", "35%"),
    ("120 ms", "0.12 s"),
    ("1.5 h", "90 minutes"),
    ("2 km", "2000 metres"),
    ("0.5 kg", "500 g"),
    ("1.2 GB", "1200 MB"),
    ("60 km/h", "60 km per hour"),
    ("$5M", "5 million dollars"),
    ("US$ 5m", "USD 5,000,000"),
    ("€1.2bn", "1,2 Mrd EUR"),
    ("¥300", "300元"),
    ("150万", "1.5 million"),
    ("1.5亿元", "CNY 150 million"),
    ("３５％", "35%"),
    ("6.02 × 10²³", "6.02e23"),
    ("4.5k", "4,500"),
    ("20 ℃", "20 °C"),
    ("2倍", "2x"),
    ("15 m²", "15 平方米"),
    ("87.3%", "0.873"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_that_one_value_written_in_two_ways_agrees(one, other):
    assert only(one).agrees(only(other)) > 0
    assert only(other).agrees(only(one)) > 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5", "5 million"),
        ("5 MW", "5 mW"),
        ("3.5", "3,500"),  # nobody writes two zeros behind a decimal comma
        ("16.1", "6.1"),
        ("120 ms", "120 s"),
        ("$5", "€5"),
        ("5 %", "-5 %"),
        ("5 ms", "5"),  # a lone 5 proves nothing about milliseconds
        ("35%", "0.35"),  # two digits are too few to be the same figure
        ("2 km", "2 kg"),
        ("10%", "10 percentage points"),
    ],
)
def test_that_different_values_do_not_agree(one, other):
    assert only(one).agrees(only(other)) == 0


def test_that_a_number_without_unit_is_met_by_that_number_with_any_unit():
    assert only("1500").agrees(only("1,500 km")) == 1.0
    assert only("1500 km").agrees(only("1,500")) == 0.8  # as in a table whose unit is in its head


def test_that_the_ends_of_a_range_share_their_unit_and_magnitude():
    first, second = quantities(fold("10–20 ms"))
    # 10 ms are 0.01 s, 20 ms are 0.02 s.
    assert (first.measured, second.measured) == ({("time", "0.01")}, {("time", "0.02")})
    first, second = quantities(fold("$10–20M"))
    assert (first.measured, second.measured) == ({("USD", "10000000")}, {("USD", "20000000")})
    first, second = quantities(fold("10 至 20 万"))
    assert "100000" in first.raw
    assert second.raw == {"200000"}


@pytest.mark.parametrize("text", ["H100", "GPT4", "v1.2.3", "x_5", "10.1.2.3"])
def test_that_digits_of_names_and_versions_are_no_numbers(text):
    assert quantities(fold(text)) == []


def test_that_only_the_year_of_a_date_is_a_number():
    assert [number.raw for number in quantities(fold("2026-03-01"))] == [{"2026"}]


@pytest.mark.parametrize(
    ("rounded", "exact", "expected"),
    [
        # 1.15 million means 1,145,000 to 1,155,000.
        ("1.15 million", "1,148,000", True),
        ("1.15 million", "1,156,000", False),
        # 35 % means 34.5 to 35.5.
        ("35%", "34.9%", True),
        ("35%", "34.4%", False),
        # One digit rounds half of everything.
        ("3 s", "2.9 s", False),
        # 612,000 has three digits that count.
        ("612,000", "612,400", True),
        ("612,000", "612,600", False),
        # Two bare digits say too little.
        ("12", "12.4", False),
        # The exact number is not the rounding of a coarser one.
        ("1,148,000", "1.15 million", False),
        ("3.5 s", "3,460 ms", True),
    ],
)
def test_that_a_rounded_number_is_met_by_what_it_rounds(rounded, exact, expected):
    assert only(rounded).rounds(only(exact)) is expected


@given(st.integers(min_value=0, max_value=10**12))
def test_that_thousands_separators_never_change_a_value(number):
    plain = only(str(number))
    for sign in (",", " ", "'", "\u202f"):
        assert plain.agrees(only(f"{number:,}".replace(",", sign))) == 1.0


@given(
    st.integers(min_value=1, max_value=99_999),
    st.sampled_from([("s", "ms", 1000), ("km", "m", 1000), ("GB", "MB", 1000)]),
)
def test_that_a_conversion_by_a_power_of_ten_agrees_both_ways(number, units):
    large, small, factor = units
    one, other = only(f"{number} {large}"), only(f"{number * factor} {small}")
    assert one.measured & other.measured
    assert one.agrees(other) == other.agrees(one) == 1.0


@given(st.text(max_size=60))
def test_that_no_text_breaks_the_reader_and_places_are_in_order(text):
    folded = fold(text)
    found = quantities(folded)
    ends = [number.end for number in found]
    assert all(0 <= number.start < number.end <= len(folded.text) for number in found)
    assert all(start >= end for start, end in zip([number.start for number in found[1:]], ends, strict=False))
