"""studio rules, from the terminal."""

from __future__ import annotations

import pytest
from pptx import Presentation
from pptx.util import Inches, Pt

from studio.checklists.rules import RULES


@pytest.fixture
def deck(tmp_path):
    made = Presentation()
    slide = made.slides.add_slide(made.slide_layouts[6])
    shape = slide.shapes.add_textbox(Inches(1), Inches(3), Inches(8), Inches(1.5))
    shape.text_frame.text = "Lorem ipsum in letters that are small"
    shape.text_frame.paragraphs[0].runs[0].font.size = Pt(10)
    path = tmp_path / "deck.pptx"
    made.save(str(path))
    return path


def test_that_the_rules_are_listed_with_their_parameters(studio):
    listed = studio("rules", "--json")
    assert (listed.code, listed.err) == (0, "")
    assert [row["rule"] for row in listed.json] == list(RULES)
    (size,) = studio("rules", "--rule", "font_size", "--json").json
    assert size["parameters"][0] == {
        "name": "min_pt", "type": "float", "default": 12.0, "min": 1.0, "max": 200.0,
        "doc": "Smallest size of body text, in points on a slide 7.5 inches high.",
    }  # fmt: skip
    assert "font_size: " in studio("rules").out


def test_that_a_rule_is_tried_on_a_file(studio, deck):
    tried = studio("rules", deck, "--rule", "placeholder_text", "--json")
    assert tried.code == 0
    assert tried.json == [
        {
            "rule": "placeholder_text", "parameters": {}, "version": 1, "answer": "no", "is_suggestion": False,
            "reason": "Placeholder text is left over on slide 1, such as “Lorem ipsum in letters”.",
            "evidence": [{"slide": 1, "x0": 0.1, "y0": 0.4, "x1": 0.9, "y1": 0.6}],
        }
    ]  # fmt: skip


@pytest.mark.parametrize(("limit", "answer"), [("9.5", "yes"), ("10.5", "no")])
def test_that_parameters_can_be_set(studio, deck, limit, answer):
    (row,) = studio("rules", deck, "--rule", "font_size", "--set", f"min_pt={limit}", "--json").json
    assert (row["answer"], row["parameters"]) == (answer, {"min_pt": float(limit)})


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--rule", "os.path.basename"), "There is no rule 'os.path.basename'."),
        (("--rule", "font_size", "--set", "min_pt=900"), "min_pt is 900, not between 1 and 200"),
        (("--rule", "font_size", "--set", "size=9"), "has no parameter size"),
        (("--set", "min_pt=9"), "--set goes with one --rule"),
        (("--rule", "font_size", "--set", "min_pt"), "not KEY=VALUE"),
    ],
)
def test_that_bad_usage_is_one_clear_line(studio, deck, arguments, says):
    tried = studio("rules", deck, *arguments)
    assert (tried.code, tried.out) == (2, "")
    assert says in tried.err


def test_that_files_that_are_no_decks_are_named(studio, tmp_path):
    missing = studio("rules", tmp_path / "none.pptx", "--rule", "slide_count")
    assert (missing.code, missing.out) == (2, "")
    text = tmp_path / "notes.txt"
    text.write_text("words")
    other = studio("rules", text, "--rule", "slide_count")
    assert other.code in {1, 2}
    assert "notes.txt is no deck" in other.err
