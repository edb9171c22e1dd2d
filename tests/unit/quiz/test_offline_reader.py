"""The offline reader: right on whole slides, silent where they are thinned, never right on a changed value."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from studio.model.quiz import INSUFFICIENT, QuestionType, SlideText
from studio.quiz.drafting import draft
from studio.quiz.guessing import cues, guess
from studio.quiz.passages import joined, passages_of, split_slides
from studio.quiz.reader import OfflineReader
from tests.unit.quiz.quiz_texts import HOUSEHOLDS, STATIONS, as_slide, asked, source

MARKDOWN = """# Slide 1: Fleet electrification
- City buses: 412 electric by 2024 (2019: 37)
- Operating cost fell 23 % to €1.84 per km
# Slide 2: Investment
- Total budget: $1.2 billion
- Charging depots received $310 million
- Subsidies covered 40% of the purchase price
# Slide 3: Results
| Depot | Buses | Energy (MWh) | Share (%) |
|---|---|---|---|
| North | 120 | 4,300 | 29 |
| South | 95 | 3,150 | 23 |
| Harbour | 197 | 7,020 | 48 |
# Slide 4: Method
- A paired comparison of diesel and electric routes was used
- Drivers were trained before the switch, because regenerative braking needs practice
"""
DATA = [
    ("How many electric buses did the city operate by 2024?", ["37", "197", "412", "520"], "C", 1),
    ("How many electric buses were there in 2019?", ["37", "412", "95", "120"], "A", 1),
    ("By what percentage did the operating cost drop?", ["12%", "23%", "29%", "48%"], "B", 1),
    ("What was the operating cost per kilometre after the change?", ["€1.84", "€2.10", "€0.95", "€3.20"], "A", 1),
    ("What was the total budget?", ["$310 million", "$120 million", "$2.1 billion", "$1,200 million"], "D", 2),
    ("Which share of the purchase price did subsidies cover?", ["23%", "48%", "40%", "60%"], "C", 2),
    ("How much energy did the Harbour depot use?", ["4,300 MWh", "7.02 GWh", "3,150 MWh", "9,000 MWh"], "B", 3),
    ("What share of energy does the North depot account for?", ["23 %", "29 %", "48 %", "55 %"], "B", 3),
]
CHANGED = MARKDOWN.translate(str.maketrans("0123456789", "3647582910")).replace("# Slide 6", "# Slide 1")


@pytest.mark.parametrize(("words", "options", "key", "slide"), DATA)
def test_that_a_value_on_a_slide_is_found_and_cited(words, options, key, slide):
    reading = OfflineReader(split_slides(MARKDOWN)).read(asked(words, options, key))
    assert (reading.answer, reading.slides) == (key, (slide,))


@pytest.mark.parametrize(("words", "options", "key", "slide"), DATA)
def test_that_a_changed_value_is_never_right(words, options, key, slide):
    assert OfflineReader(split_slides(CHANGED)).read(asked(words, options, key)).answer != key


@pytest.mark.parametrize(("words", "options", "key", "slide"), DATA)
def test_that_nothing_is_read_into_other_slides(words, options, key, slide):
    other = "# Slide 1: Gardening\n- Roses bloom in June\n- Water 3 times a week"
    assert OfflineReader(split_slides(other)).read(asked(words, options, key)).answer == INSUFFICIENT


def test_that_a_concept_is_found_by_its_words():
    reading = OfflineReader(split_slides(MARKDOWN)).read(
        asked("Why were drivers trained before the switch?",
              ["Buses are longer", "Regenerative braking needs practice", "New routes began", "The law changed"], "B",
              QuestionType.CONCEPT)
    )  # fmt: skip
    assert (reading.answer, reading.slides) == ("B", (4,))


def test_that_another_value_in_the_place_of_the_right_one_is_shown():
    slides = [SlideText(number=2, markdown="# Budget\n- The total budget of the programme is $1.7 billion")]
    question = asked("What was the total budget of the programme?", ["$1.2 billion", "$310 million", "$2 million",
                                                                     "$9 billion"], "A")  # fmt: skip
    reading = OfflineReader(slides).read(question)
    assert (reading.answer, reading.slides, reading.is_contradicted) == (INSUFFICIENT, (2,), True)
    assert "$1.7 billion" in reading.reason


@pytest.mark.parametrize("text", [STATIONS, HOUSEHOLDS])
def test_that_complete_thinned_and_changed_slides_are_in_this_order(text):
    questions = draft(source(text), count=20, seed=1).questions
    whole = as_slide(text)
    lines = whole[0].markdown.splitlines()
    thinned = [SlideText(number=1, markdown="\n".join([lines[0], *lines[1::2]]))]
    digits = str.maketrans("123456789", "234567891")
    changed = [SlideText(number=1, markdown=re.sub(r"\d[\d.,]*", lambda found: found[0].translate(digits),
                                                   whole[0].markdown).replace("三", "七"))]  # fmt: skip
    shares = [_share(OfflineReader(slides), questions) for slides in (whole, thinned, changed)]
    assert shares[0] >= Fraction(9, 10)
    assert shares[0] > shares[1] > 0
    assert shares[2] == 0


def test_that_slides_survive_being_joined_and_parted():
    slides = split_slides(MARKDOWN)
    assert split_slides(joined(slides)) == slides
    assert [slide.number for slide in slides] == [1, 2, 3, 4]


def test_that_a_cell_has_the_unit_of_its_column():
    texts = [passage.text for passage in passages_of(split_slides(MARKDOWN))]
    assert "North · Share (%): 29 %" in texts
    assert "South · Energy (MWh): 3,150 MWh" in texts


def test_that_guessing_stays_near_chance():
    questions = [
        question for seed in range(12) for text in (STATIONS, HOUSEHOLDS)
        for question in draft(source(text), count=20, seed=seed).questions
    ]  # fmt: skip
    right = sum(guess(each) == each.answer for each in questions)
    # Four standard deviations of a guess among four.
    n = len(questions)
    assert abs(right - n / 4) < 4 * (n * 3 / 16) ** 0.5


def test_that_what_gives_an_option_away_is_named():
    words = ["It is the rain", "Because the network was extended twice in one year", "It is the snow", "It is frost"]
    assert cues(asked("Why?", words, "B", QuestionType.CONCEPT)) == ["the right option is much longer than the others"]
    assert cues(asked("How heavy is it?", ["12", "14 kg", "15", "17"], "B")) == ["only the right option has a unit"]


def _share(reader, questions):
    return Fraction(sum(reader.read(each).answer == each.answer for each in questions), len(questions))
