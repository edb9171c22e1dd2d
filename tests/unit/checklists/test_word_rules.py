from dataclasses import replace

import pytest

from studio.checklists.rules.tongues import latin_language, script_weights
from tests.unit.checklists.decks_for_rules import (
    BLANK,
    NO,
    NOT_APPLICABLE,
    SECTION,
    TITLE,
    TITLE_AND_BODY,
    TITLE_ONLY,
    YES,
    Pptx,
    box,
    evidence_of,
    judge,
    near,
    slides_of,
)

ENGLISH = (
    "The river carries more sand in spring than in autumn because the snow of the mountains melts and the banks are "
    "soft, which every farmer on the lower course has known for a long time"
)
GERMAN = (
    "Der Fluss führt im Frühjahr mehr Sand als im Herbst, weil der Schnee der Berge schmilzt und die Ufer weich sind, "
    "was jeder Bauer am Unterlauf seit langer Zeit weiß"
)
CHINESE = (
    "由于山上的积雪融化，河岸变软，这条河流在春天携带的泥沙比秋天更多，下游的农民早就知道这一点，并据此安排耕作和灌溉。"
)


def deck_of(tmp_path, *bodies):
    deck = Pptx()
    for body in bodies:
        deck.slide(TITLE_AND_BODY, "A heading", body)
    return evidence_of(deck.save(tmp_path))


@pytest.mark.parametrize("other", [GERMAN, CHINESE])
def test_that_a_slide_in_another_language_is_found(tmp_path, other):
    assert judge(deck_of(tmp_path, ENGLISH, ENGLISH), "language_consistency").answer is YES
    found = judge(deck_of(tmp_path, ENGLISH, other, ENGLISH), "language_consistency")
    assert (found.answer, slides_of(found)) == (NO, [2])
    assert near(found.boxes[0], 2, 0, 0, 1, 1, 0)


def test_that_the_expected_language_can_be_named(tmp_path):
    evidence = deck_of(tmp_path, ENGLISH, ENGLISH)
    assert judge(evidence, "language_consistency", language="en-GB").answer is YES
    assert slides_of(judge(evidence, "language_consistency", language="zh")) == [1, 2]


def test_that_terms_in_latin_letters_do_not_make_a_chinese_slide_english(tmp_path):
    evidence = deck_of(tmp_path, CHINESE + " (Transformer, ResNet, GPU cluster, benchmark)", CHINESE)
    assert judge(evidence, "language_consistency").answer is YES


def test_that_too_little_text_has_no_language(tmp_path):
    assert judge(deck_of(tmp_path, "ok", "so"), "language_consistency").answer is NOT_APPLICABLE


def test_that_kana_make_characters_japanese():
    # 6 characters, of which 3 are kana, at 2.5 letters each.
    assert script_weights("川の水は青") == {"ja": 12.5}
    assert script_weights("水 a") == {"zh": 2.5, "latin": 1.0}
    assert latin_language(GERMAN)[0] == "de"


def test_that_a_misspelt_word_is_found_with_its_place(tmp_path):
    deck = Pptx()
    deck.slide(TITLE_ONLY, "The river")
    box(deck.slide(BLANK), "The goverment will recieve the report of the river in spring", (1, 3, 8, 1.5))
    found = judge(evidence_of(deck.save(tmp_path)), "spelling")
    assert (found.answer, found.is_suggestion) == (NO, True)
    assert "“goverment” (for government)" in found.reason
    assert "“recieve” (for receive)" in found.reason
    assert [near(each, 2, 0.1, 0.4, 0.9, 0.6, 0.001) for each in found.boxes] == [True]


def test_that_words_are_allowed_up_to_a_number_or_by_name(tmp_path):
    evidence = deck_of(tmp_path, "The goverment has a plan for the river and the people who live beside it")
    assert judge(evidence, "spelling").answer is NO
    assert judge(evidence, "spelling", max_words=1).answer is YES
    assert judge(evidence, "spelling", allowed=["goverment"]).answer is YES


@pytest.mark.parametrize(
    "right",
    [
        "The colour of the harbour, the centre of the theatre and its programme were analysed",
        "We preprocessed the dataset, finetuned the tokenizer and benchmarked the workflow of the people",
        "Write to someone@exampel.org or see https://exmaple.org/pathh for the people of the town",
        "Mr Gauss met Ms Kowalevskaja in Goettingen and they talked of the weather",
        "the doesn’t and isn’t of the people who couldn’t come",
    ],
)
def test_that_right_words_terms_names_and_addresses_pass(tmp_path, right):
    assert judge(deck_of(tmp_path, right), "spelling").answer is YES


def test_that_a_language_without_a_word_list_is_not_judged(tmp_path):
    assert judge(deck_of(tmp_path, CHINESE), "spelling").answer is NOT_APPLICABLE


@pytest.mark.parametrize(
    "mark",
    ["as shown [3]", "as shown (Okafor, 2021)", "Okafor et al. 2021", "doi:10.1000/182", "Source: own survey",
     "来源：自制", "https://example.org/data", "as shown¹"],
)  # fmt: skip
def test_that_every_content_slide_must_have_a_mark_of_a_source(tmp_path, mark):
    def deck(second):
        made = Pptx()
        made.slide(TITLE, "A cover", "By nobody")
        made.slide(TITLE_AND_BODY, "First", f"Rain fell for days, {mark}")
        made.slide(TITLE_AND_BODY, "Second", second)
        made.slide(SECTION, "Part two")
        made.slide(TITLE_AND_BODY, "Thank you", "Questions?")
        return evidence_of(made.save(tmp_path))

    with_all = judge(deck(f"Snow fell, {mark}"), "citation_mark")
    assert (with_all.answer, with_all.is_suggestion) == (YES, True)
    without = judge(deck("Snow fell"), "citation_mark")
    assert (without.answer, slides_of(without)) == (NO, [3])
    assert judge(deck("Snow fell"), "citation_mark", min_share=0.5).answer is YES


def test_that_the_form_of_a_citation_can_be_given(tmp_path):
    evidence = deck_of(tmp_path, "A cover", "Rain fell {ref-12}", "Snow fell [2]")
    assert slides_of(judge(evidence, "citation_mark", pattern=r"\{ref-\d+\}")) == [3]


def test_that_section_marks_are_names_of_sections_or_numbers(tmp_path):
    deck = Pptx()
    deck.slide(TITLE, "A cover")
    deck.slide(SECTION, "Methods")
    marked = deck.slide(TITLE_AND_BODY, "How we measured", "With a gauge")
    box(marked, "Methods", (7, 0.1, 2.5, 0.4), 12)
    deck.slide(TITLE_AND_BODY, "2.1 Gauges", "Three of them")
    deck.slide(TITLE_AND_BODY, "Weather", "Rain and methods of telling it")
    found = judge(evidence_of(deck.save(tmp_path)), "section_mark")
    assert (found.answer, slides_of(found), found.is_suggestion) == (NO, [5], True)
    evidence = evidence_of(deck.save(tmp_path))
    assert judge(evidence, "section_mark", sections=["Methods", "Weather"]).answer is YES


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("Rain rose by 12 %, snow by 3.5 % and wind by 7 km/h", True),
        ("In 1998, 2004 and 2011 it rained", False),
        ("1. rain\n2. snow\n3. wind", False),
        ("See [3], [4, 5] and Figure 2 on page 12", False),
        ("Costs of $4.2 and $5,300 for 17 gauges", True),
        ("Only 12 % and 13 %", False),
    ],
)
def test_that_three_numbers_make_a_slide_quantitative(tmp_path, text, counts):
    found = judge(deck_of(tmp_path, text), "quantitative_slide_count")
    assert (found.answer, found.is_suggestion) == (YES if counts else NO, True)
    assert slides_of(found) == ([1] if counts else [])


def test_that_quantitative_slides_are_counted_between_limits(tmp_path):
    rich = "Rain rose by 12 %, snow by 3.5 % and wind by 7 km/h"
    evidence = deck_of(tmp_path, rich, "no numbers", rich)
    answers = [judge(evidence, "quantitative_slide_count", min_count=n).answer for n in (2, 3)]
    assert answers == [YES, NO]
    assert judge(evidence, "quantitative_slide_count", max_count=1).answer is NO


@pytest.mark.parametrize(
    "raw",
    [
        r"the area \frac{a}{b}", r"$$E = mc^2$$", r"with $x_i$ for all", r"\(a+b\)", "this is **bold** text",
        "## Heading",
        "see [here](https://example.org)",
        "```python", "a<br>b", "rain &amp; snow", r"as in \cite{x}",
    ],
)  # fmt: skip
def test_that_raw_markup_is_found(tmp_path, raw):
    deck = Pptx()
    deck.slide(TITLE_ONLY, "Plain")
    box(deck.slide(BLANK), raw, (1, 3, 8, 1.5))
    found = judge(evidence_of(deck.save(tmp_path)), "raw_markup")
    assert (found.answer, found.is_suggestion) == (NO, False)
    assert near(found.boxes[0], 2, 0.1, 0.4, 0.9, 0.6, 0.001)


@pytest.mark.parametrize(
    "plain",
    [
        "5 * 3 * 2 = 30", "from $3 to $5 a day", "#1 in the town", "the # of gauges", "a | b | c", "2**10 and 3**4",
        r"C:\begin now", "A & B; x < y", "[1] (see page 3)", "R² = 0.9", "costs 5 $ or 6 $",
    ],
)  # fmt: skip
def test_that_plain_text_is_not_taken_for_markup(tmp_path, plain):
    assert judge(deck_of(tmp_path, plain), "raw_markup").answer is YES


def test_that_code_is_no_left_over_markup_and_kinds_can_be_switched_off(tmp_path):
    deck = Pptx()
    box(deck.slide(BLANK), "print('**bold**')", (1, 3, 8, 1.5), font="Courier New")
    assert judge(evidence_of(deck.save(tmp_path)), "raw_markup").answer is YES
    evidence = deck_of(tmp_path, "this is **bold** text")
    assert judge(evidence, "raw_markup", markdown=False).answer is YES


@pytest.mark.parametrize(
    "left",
    ["Lorem ipsum dolor sit amet", "Click to add title", "在此处添加标题", "单击此处编辑母版标题样式", "请输入文本",
     "Insert your text here", "[Your Name]", "Hello {{ name }}", "XXXX", "TODO: write this", "Your logo here",
     "Text durch Klicken hinzufügen", "Placeholder text"],
)  # fmt: skip
def test_that_placeholder_text_is_found(tmp_path, left):
    deck = Pptx()
    deck.slide(TITLE_ONLY, "Plain")
    box(deck.slide(BLANK), left, (1, 3, 8, 1.5))
    found = judge(evidence_of(deck.save(tmp_path)), "placeholder_text")
    assert (found.answer, found.is_suggestion) == (NO, False)
    assert near(found.boxes[0], 2, 0.1, 0.4, 0.9, 0.6, 0.001)


@pytest.mark.parametrize(
    "plain",
    ["Click the button to start", "我们在此处停下", "The title of the book", "Size XXL", "[1] Okafor",
     "What to do next",
     "Add salt and pepper here and there", "Your company and you"],
)  # fmt: skip
def test_that_ordinary_words_are_no_placeholder_text(tmp_path, plain):
    assert judge(deck_of(tmp_path, plain), "placeholder_text").answer is YES


def test_that_unfilled_placeholders_do_not_show(tmp_path):
    deck = Pptx()
    deck.slide(TITLE_AND_BODY, "A title")
    assert judge(evidence_of(deck.save(tmp_path)), "placeholder_text").answer is YES


def test_that_the_replacement_character_counts_as_a_lost_letter(tmp_path):
    evidence = replace(deck_of(tmp_path, "Caf\ufffd in town"), gaps={})
    assert judge(evidence, "missing_glyphs").answer is NOT_APPLICABLE
    slides = tuple(replace(slide, lines=()) for slide in evidence.slides)
    found = judge(replace(evidence, slides=slides), "missing_glyphs")
    assert (found.answer, slides_of(found)) == (NO, [1])
