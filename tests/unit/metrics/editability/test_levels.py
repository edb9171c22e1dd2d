"""Levels of whole decks: look-alikes of each class of system, triage, files that cannot be read, systems."""

from __future__ import annotations

import contextlib
import json
import random
import re
from dataclasses import replace

import pytest
from PIL import Image

from studio.errors import BadInput, DeckUnreadable
from studio.metrics.editability import (
    RULES,
    EditabilityRules,
    EditabilityTask,
    assess_file,
    assess_task,
    editability_json,
    rules_named,
    system_levels,
)
from studio.model.decks import DeckFormat
from studio.model.editability import Gate, Triage
from tests.shared_files import shared
from tests.unit.metrics.editability import decks_built as made

STUDIO, PAPER = RULES["studio"], RULES["paper"]


@pytest.mark.parametrize(
    ("build", "level"),
    [
        (made.picture_only, 0),
        (made.picture_with_overlay, 1),
        (made.loose_shapes, 2),
        (made.template, 3),
        (lambda path: made.template(path, with_chart=True), 4),
        (lambda path: made.template(path, with_chart=True, is_animated=True), 5),
    ],
    ids=["picture only", "picture and overlay", "loose shapes", "template", "chart deck", "animated template"],
)
def test_that_look_alikes_of_each_class_of_system_have_its_level(tmp_path, build, level):
    # SlidesGen-Bench table 4: picture systems with overlay L1, converters L2, template L3, code with charts L4,
    # edited animated templates L5; pictures alone are L0 as NotebookLM's PDF is.
    found = assess_file(build(tmp_path / "deck.pptx"), STUDIO)
    assert found.level == level
    assert found.maximum == 5
    assert [result.passed for result in found.gates] == [gate < level for gate in range(5)]


def test_that_a_gate_behind_a_failed_one_never_counts_but_shows_what_it_holds(tmp_path):
    # Loose shapes fail T3; the charts behind it are fine.
    found = assess_file(made.loose_shapes(tmp_path / "deck.pptx"), STUDIO)
    data = next(result for result in found.gates if result.gate is Gate.DATA)
    assert (data.is_reached, data.holds, data.passed) == (False, True, False)


def test_that_paper_rules_ask_for_masters_and_groups_both(tmp_path, built):
    path = made.template(tmp_path / "deck.pptx", with_chart=True)
    assert (assess_file(path, STUDIO).level, assess_file(path, PAPER).level) == (4, 2)
    slide = built.slide(made.TITLE_ONLY, "Heading")
    slide.shapes.add_group_shape(made.rectangles(slide.shapes, 3))
    made.chart(slide)
    assert assess_file(built.save(path), PAPER).level == 4


def test_that_paper_rules_allow_no_cut_paragraph_and_want_builds(built, tmp_path):
    slide = built.slide(made.TITLE_ONLY, "A heading that is much longer than the three short lines are together")
    slide.shapes.add_group_shape(made.rectangles(slide.shapes, 3))
    made.chart(slide)
    made.effect(slide, slide.shapes.title)
    path = built.save(tmp_path / "deck.pptx")
    no_builds = made.replaced(path, [("slides/slide1.xml", b'<p:bldLst><p:bldP spid="2" grpId="0"/></p:bldLst>', b"")])
    assert assess_file(path, PAPER).level == 5
    assert assess_file(no_builds, PAPER).level == 4
    assert assess_file(no_builds, STUDIO).level == 5
    for index in range(3):
        made.text(slide, "line", top=5 + 0.35 * index)
    built.save(path)
    assert (assess_file(path, STUDIO).level, assess_file(path, PAPER).level) == (5, 1)


def test_that_a_pdf_and_pictures_are_level_0_without_a_trial(tmp_path):
    for number in range(2):
        Image.new("RGB", (64, 36), (200, 200, 200)).save(tmp_path / f"slide_{number + 1:04d}.png")
    found = assess_file(tmp_path, STUDIO)
    assert (found.level, found.maximum, found.triage, found.n_slides) == (0, 0, Triage.STATIC, 2)
    assert [result.is_reached for result in found.gates] == [False] * 5
    assert "static" in str(found.gates[0].evidence[0])


def web(tmp_path, *slides):
    body = "".join(f"<section>{slide}</section>" for slide in slides)
    path = tmp_path / "deck.html"
    path.write_text(f'<html><body><div class="reveal"><div class="slides">{body}</div></div></body></html>', "utf-8")
    return path


@pytest.mark.parametrize(
    ("slides", "level"),
    [
        (("<img src='a.png'>", "<img src='b.png'>"), 0),
        (("<h2>Heading</h2>", "<img src='b.png'>"), 1),
        (("<h2>Heading</h2><svg><path/></svg>", "<p>words</p>"), 2),
        (("<h2>Heading</h2><svg><path/></svg>", "<p>words</p><canvas></canvas>"), 2),
        (("<h2>Heading</h2><svg><path/></svg>", "<p>words</p><canvas></canvas><canvas></canvas>"), 1),
        (("<h2>Heading</h2><img src='icon.svg'>", "<p>words</p>"), 2),
        (("<h2>Heading</h2><svg data-marpit-svg=''><foreignObject/></svg>", "<p>words</p>"), 1),
    ],
    ids=["pictures", "text", "svg", "as many canvases", "more canvases", "linked svg", "frame of a slide"],
)
def test_that_an_html_deck_reaches_level_2_by_its_drawings(tmp_path, slides, level):
    found = assess_file(web(tmp_path, *slides), STUDIO)
    assert (found.level, found.maximum, found.triage) == (level, 2, Triage.WEB)
    assert [result.is_reached for result in found.gates[2:]] == [False] * 3


def test_that_a_deck_without_slides_has_no_level(built, judged):
    found = judged(built)
    assert (found.level, found.undefined_reason) == (None, "no_slides: the deck has no slide to look at")


def test_that_an_unreadable_slide_is_left_out_and_said(tmp_path):
    path = made.template(tmp_path / "deck.pptx")
    broken = made.rewritten(path, lambda name, data: None if name.endswith("slides/slide2.xml") else data)
    found = assess_file(broken, STUDIO)
    assert (found.level, found.n_slides) == (3, 3)
    assert found.notes == ("1 of 4 slides could not be read and are left out",)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("bad/derived__empty.pptx", "empty"),
        ("bad/derived__truncate_half.pptx", "truncated"),
        ("bad/derived__png_named.pptx", "not_a_deck"),
        ("bad/tika__testPPT_protected_passtika.pptx", "needs_password"),
        ("bad/derived__pdf_truncated.pdf", "truncated"),
        ("pdf/unstructured__password.pdf", "needs_password"),
    ],
)
@pytest.mark.corpus
def test_that_a_file_that_cannot_be_read_has_no_level(name, kind):
    with pytest.raises(DeckUnreadable) as caught:
        assess_file(shared(f"corpus/{name}"), STUDIO)
    assert caught.value.kind == kind


@pytest.mark.corpus
def test_that_a_protected_deck_is_judged_with_its_password():
    path = shared("corpus/bad/tika__testPPT_protected_passtika.pptx")
    assert assess_file(path, STUDIO, password="tika").level is not None


@pytest.mark.corpus
def test_that_an_old_powerpoint_file_has_no_level_but_a_reason():
    found = assess_file(shared("corpus/bad/poi__basic_test_ppt_file.ppt"), STUDIO)
    assert found.level is None
    assert found.undefined_reason.startswith("structure_not_read")


@pytest.mark.parametrize(
    ("name", "level"),
    [
        # One full-slide picture and nothing else.
        ("pptx/shapecrawler__087 issue-587-source.pptx", 0),
        # Background photographs as pictures on every slide.
        ("pptx/office2pdf__10-slides.pptx", 1),
        # Blank layouts, up to 17 loose shapes on one slide, five good charts behind that.
        ("pptx/pptx-glimpse__real-financial-report.pptx", 2),
        # The chart's workbook is on a server.
        ("pptx/markitdown__test.pptx", 3),
        # The chart has no workbook.
        ("pptx/pptx-automizer__ChartWithExternalData.pptx", 3),
        # Titles, charts with workbooks, no motion.
        ("pptx/docling__pptx_chart.pptx", 4),
        # A SmartArt with its data, no chart, animated.
        ("pptx/openxmlsdk__SmartArt_OrgChart1+Animation (Fly In, by level one by one).pptx", 5),
        ("html/derived__reveal_demo_static.html", 1),
        ("pdf/docling__normal_4pages.pdf", 0),
    ],
)
@pytest.mark.corpus
def test_that_corpus_decks_have_the_level_that_their_structure_gives(name, level):
    assert assess_file(shared(f"corpus/{name}"), STUDIO).level == level


def test_that_a_system_has_the_lower_median_of_its_decks(tmp_path):
    found = system_levels({"Aster": [4, 2, 3, 2], "Birch": [5, None, 0, 1], "Cedar": [None]})
    # Aster: 2 2 3 4, the lower of the middle two is 2. Birch: 0 1 5 without the undefined one.
    assert [each.level for each in found] == [2, 1, None]
    assert found[0].shares == (0, 0, 0.5, 0.25, 0.25, 0)
    assert (found[1].n_decks, found[1].n_undefined) == (3, 1)
    assert found[1].shares == (1 / 3, 1 / 3, 0, 0, 0, 1 / 3)
    assert found[2].shares == (0,) * 6


def test_that_rules_go_out_and_come_back():
    rules = replace(PAPER, max_loose_shapes=7, chart_words=("chart",))
    assert EditabilityRules.from_json(json.loads(json.dumps(rules.to_json()))) == rules
    assert EditabilityRules.from_json({"max_loose_shapes": 7}) == replace(STUDIO, max_loose_shapes=7)


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"max_lose_shapes": 7}, "Unknown editability rules: max_lose_shapes"),
        ({"max_loose_shapes": "7"}, "max_loose_shapes is '7'"),
        ({"max_loose_shapes": 7.5}, "max_loose_shapes is 7.5"),
        ({"max_fragment_share": 1.5}, "it is a share"),
        ({"picture_coverage": -0.1}, "from 0 up"),
        ({"linked_media_fails": 1}, "linked_media_fails is 1"),
        ({"min_fragment_lines": 1}, "below 2"),
    ],
)
def test_that_rules_that_make_no_sense_are_refused(values, complaint):
    with pytest.raises(BadInput, match=complaint):
        EditabilityRules.from_json(values)


def test_that_rules_without_a_name_are_called_custom(tmp_path):
    path = made.template(tmp_path / "deck.pptx")
    assert assess_file(path, STUDIO).rules == "studio"
    assert assess_file(path, EditabilityRules(max_loose_shapes=3)).rules == "custom"
    with pytest.raises(BadInput, match="no editability rules called 'strict'"):
        rules_named("strict")


def test_that_the_json_of_a_deck_keeps_its_contract(tmp_path):
    values = editability_json(assess_file(made.template(tmp_path / "deck.pptx"), STUDIO))
    assert (values["level"], values["maximum"], values["failure"]) == (3, 5, None)
    assert [gate["gate"] for gate in values["gates"]] == ["T1", "T2", "T3", "T4", "T5"]
    assert [gate["passed"] for gate in values["gates"]] == [True, True, True, False, False]
    assert all(isinstance(gate["evidence"], str) and gate["evidence"] for gate in values["gates"])
    assert list(values["subcriteria"]) == ["text", "grouping", "native_data", "narrative", "motion"]
    json.dumps(values, allow_nan=False)


def test_that_the_shares_beside_the_level_follow_their_formulas(built, judged):
    # Slide 1: title, notes, transition, table, 14 loose rectangles. Slide 2: a picture called a chart, two
    # rectangles, words. Slide 3: a covering picture alone. Slide 4: words only.
    first = built.slide(made.TITLE_ONLY, "Heading")
    first.notes_slide.notes_text_frame.text = "Say hello"
    made.transition(first)
    made.table(first)
    made.rectangles(first.shapes, 14)
    second = built.slide()
    made.picture(second, width_share=0.3, height_share=0.3, name="Sales chart")
    made.rectangles(second.shapes, 2)
    made.text(second, "words")
    made.picture(built.slide())
    made.text(built.slide(), "words")
    shares = judged(built).subcriteria
    assert shares.text == pytest.approx(3 / 4)  # three slides with whole text, one picture of a slide
    assert shares.grouping == pytest.approx(2 / 16)  # 14 of 16 rectangles are loose on a slide with too many
    assert shares.native_data == pytest.approx(1 / 2)  # one table, one picture of a chart
    assert shares.narrative == pytest.approx((1 + 1 + 0) / 12)  # one title, one note, no section; four slides
    assert shares.motion == pytest.approx(1 / 4)


def test_that_a_deck_of_a_hundred_slides_gets_its_level(tmp_path):
    deck = made.Built()
    for number in range(100):
        slide = deck.slide(made.TITLE_AND_CONTENT, f"Heading {number}")
        slide.placeholders[1].text = "First point\nSecond point"
        made.rectangles(slide.shapes, 10)
        if number % 5 == 0:
            made.chart(slide)
    path = deck.save(tmp_path / "deck.pptx")
    assert assess_file(path, STUDIO).level == 4


def test_that_a_format_whose_structure_is_not_read_gets_no_level(tmp_path):
    found = assess_task(EditabilityTask(path=tmp_path / "a.odp", format=DeckFormat.ODP, n_slides=3, rules=STUDIO))
    assert (found.level, found.maximum) == (None, 5)
    assert "save it as .pptx" in found.undefined_reason


_JUNK = (b"", b"-1", b"99999999999999999999", b"abc", b"NaN", "²".encode(), b"rId999", b"../../x")


@pytest.mark.parametrize("seed", range(40))
def test_that_damaged_values_never_raise_anything_but_a_reason(tmp_path, seed):
    rng = random.Random(seed)
    path = made.template(tmp_path / "deck.pptx", with_chart=True, is_animated=True)
    parts = ("slides/slide1.xml", "charts/chart", "slideLayout2.xml", "slideMaster1.xml", "presentation.xml", ".rels")

    def damage(name, data):
        if name.endswith(".xlsx"):
            at = rng.randrange(len(data))
            return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
        if not any(part in name for part in parts):
            return data
        values = list(re.finditer(rb'="([^"]*)"', data))
        for match in sorted(rng.sample(values, min(4, len(values))), key=lambda match: -match.start()):
            data = data[: match.start(1)] + rng.choice(_JUNK) + data[match.end(1) :]
        return data

    with contextlib.suppress(DeckUnreadable):
        json.dumps(editability_json(assess_file(made.rewritten(path, damage), STUDIO)), allow_nan=False)
