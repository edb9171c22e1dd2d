import pymupdf
import pytest
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import MSO_ANCHOR, MSO_AUTO_SIZE
from pptx.util import Inches, Pt

from studio.checklists.rules.contrast import contrast_ratio
from studio.metrics.contrast import contrast_ratio as ratio_of_luminances
from studio.model.deck_evidence import DeckEvidence, DrawnLine, SlideEvidence
from studio.model.decks import DeckFormat
from studio.model.structure import Box
from tests.unit.checklists.decks_for_rules import (
    BLANK,
    NO,
    NOT_APPLICABLE,
    TITLE_ONLY,
    YES,
    Pptx,
    box,
    drawn_evidence,
    evidence_of,
    judge,
    near,
    pdf,
    picture,
    slides_of,
    text_at,
)


def grey(value):
    return (value / 255,) * 3


@pytest.mark.parametrize(("value", "answer"), [(0x94, YES), (0x96, NO)])
def test_that_small_text_needs_a_contrast_of_three(tmp_path, value, answer):
    # On white: 0x949494 has 3.03 to 1, 0x969696 has 2.96 to 1 (WCAG 2.1).
    found = judge(evidence_of(pdf(tmp_path, text_at("Small letters", 96, 108, 16, grey(value)))), "contrast")
    assert found.answer is answer
    if answer is NO:
        # From x 96 of 960; the line box of 16 pt letters around the base line at 108 of 540.
        assert near(found.boxes[0], 1, 0.1, 0.17, 0.2, 0.21)


def test_that_large_text_needs_less_and_wcag_can_be_asked_for(tmp_path):
    # 0xAAAAAA on white: 2.32 to 1.
    evidence = evidence_of(pdf(tmp_path, text_at("Large letters", 96, 108, 40, grey(0xAA))))
    assert judge(evidence, "contrast").answer is YES
    assert judge(evidence, "contrast", min_ratio=4.5, min_ratio_large=3).answer is NO


def test_that_a_pale_footer_counts_only_where_asked_for(tmp_path):
    def page(p):
        text_at("Words that everybody can read", 96, 108)(p)
        text_at("A pale line at the foot", 96, 525, 10, grey(0xBB))(p)

    evidence = evidence_of(pdf(tmp_path, page))
    assert judge(evidence, "contrast").answer is YES
    assert judge(evidence, "contrast", footers=True).answer is NO


def test_that_contrast_is_measured_against_what_is_behind_the_text(tmp_path):
    def on_dark(page):
        page.draw_rect(pymupdf.Rect(0, 0, 480, 540), fill=(0, 0, 0.3), color=None)
        text_at("White on blue", 60, 100, 20, (1, 1, 1))(page)

    def on_light(page):
        on_dark(page)
        text_at("White on white", 600, 100, 20, (0.95, 0.95, 0.95))(page)

    assert judge(evidence_of(pdf(tmp_path, on_dark)), "contrast").answer is YES
    found = judge(evidence_of(pdf(tmp_path, on_dark, on_light)), "contrast")
    assert (found.answer, slides_of(found)) == (NO, [2])
    assert found.boxes[0].x0 == pytest.approx(600 / 960, abs=0.01)


def test_that_heavy_letters_are_not_taken_for_their_background():
    line = DrawnLine(
        text="HEAVY", box=Box(x0=0.1, y0=0.1, x1=0.3, y1=0.2), size_pt=40, rgb=(0, 0, 0),
        background_rgb=(255, 255, 255),
    )  # fmt: skip
    slide = SlideEvidence(number=1, lines=(line,))
    assert judge(DeckEvidence(format=DeckFormat.PDF, slides=(slide,)), "contrast").answer is YES


def test_that_the_contrast_ratio_is_that_of_the_metric():
    # 0x777777 on white is the published example just below 4.5 to 1: 4.48.
    assert contrast_ratio((0x77,) * 3, (255,) * 3) == pytest.approx(4.478, abs=0.001)
    assert contrast_ratio((0, 0, 0), (255,) * 3) == pytest.approx(ratio_of_luminances(1.0, 0.0))
    assert contrast_ratio((9, 9, 9), (9, 9, 9)) == 1.0


def test_that_text_that_nobody_sees_has_no_contrast(tmp_path):
    def scanned(page):
        page.insert_text((60, 100), "behind a scan", fontsize=20, render_mode=3)

    found = judge(evidence_of(pdf(tmp_path, scanned)), "contrast")
    assert found.answer is NOT_APPLICABLE


@pytest.mark.parametrize(("second", "answer"), [(100, NO), (112, NO), (130, YES)])
def test_that_lines_over_each_other_overlap(tmp_path, second, answer):
    def page(p):
        text_at("The first line of text", 96, 100)(p)
        text_at("Another one in its place", 110, second)(p)

    found = judge(evidence_of(pdf(tmp_path, page)), "text_overlap")
    assert found.answer is answer
    if answer is NO:
        assert found.boxes[0].slide == 1
        assert found.boxes[0].x0 == pytest.approx(0.1, abs=0.01)


def test_that_a_shadow_of_the_same_words_is_no_overlap(tmp_path):
    def page(p):
        text_at("Heading with a shadow", 98, 102, 30, grey(0x80))(p)
        text_at("Heading with a shadow", 96, 100, 30)(p)

    assert judge(evidence_of(pdf(tmp_path, page)), "text_overlap").answer is YES


def test_that_text_over_the_edge_of_its_page_overflows(tmp_path):
    inside, outside = text_at("This line fits", 60, 100), text_at("This line runs over the edge", 800, 300)
    assert judge(evidence_of(pdf(tmp_path, inside)), "text_overflow").answer is YES
    found = judge(evidence_of(pdf(tmp_path, inside, outside)), "text_overflow")
    assert (found.answer, slides_of(found), found.is_suggestion) == (NO, [2], False)
    assert near(found.boxes[0], 2, 800 / 960, 0.51, 1.0, 0.57)


def test_that_what_was_parked_off_the_page_does_not_overflow(tmp_path):
    page = text_at("Beside the page", 1000, 100)
    assert judge(evidence_of(pdf(tmp_path, page)), "text_overflow").answer is YES


def filled_box(slide, text, height):
    shape = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, Inches(1), Inches(1), Inches(3), Inches(height))
    shape.fill.solid()
    shape.fill.fore_color.rgb = RGBColor(0xEE, 0xEE, 0xFF)
    frame = shape.text_frame
    frame.word_wrap, frame.vertical_anchor, frame.text = True, MSO_ANCHOR.TOP, text
    frame.paragraphs[0].runs[0].font.size = Pt(18)
    frame.paragraphs[0].runs[0].font.color.rgb = RGBColor(0, 0, 0)
    return shape


LONG = "These are many more words than this small box has room for, so that they run out of it at its lower edge"


def test_that_text_that_does_not_fit_its_filled_box_overflows(tmp_path):
    deck = Pptx()
    filled_box(deck.slide(BLANK), LONG, 3)
    filled_box(deck.slide(BLANK), LONG, 0.6)
    found = judge(drawn_evidence(deck.save(tmp_path), tmp_path), "text_overflow")
    assert (found.answer, slides_of(found), found.is_suggestion) == (NO, [2], False)
    # From the box's own upper edge, 1 inch of 7.5, down to below its lower one at 1.6 inches.
    assert (found.boxes[0].x0, found.boxes[0].y0) == (0.1, pytest.approx(0.1333, abs=0.001))
    assert found.boxes[0].y1 > 0.25


def test_that_text_that_leaves_an_unseen_box_only_suggests(tmp_path):
    deck = Pptx()
    shape = box(deck.slide(BLANK), LONG, (1, 1, 3, 0.4))
    # python-pptx's own text boxes grow with their text.
    shape.text_frame.auto_size = MSO_AUTO_SIZE.NONE
    found = judge(drawn_evidence(deck.save(tmp_path), tmp_path), "text_overflow")
    assert (found.answer, found.is_suggestion) == (NO, True)


def test_that_labels_of_two_letters_are_not_taken_for_lines_of_a_box(tmp_path):
    deck = Pptx()
    slide = deck.slide(TITLE_ONLY, "Results of Q1 and Q2")
    for number, label in enumerate(("Q1", "Q2")):
        box(slide, label, (2 + 3 * number, 6, 1, 0.5), 12)
    assert judge(drawn_evidence(deck.save(tmp_path), tmp_path), "text_overflow").answer is YES


@pytest.mark.parametrize(("left", "answer"), [(4.1, YES), (3.0, NO), (1.5, YES)])
def test_that_objects_overlap_when_one_partly_covers_another(tmp_path, left, answer):
    # The first picture reaches from 1 to 4 inches; at 1.5 the second, smaller one lies wholly on it.
    deck = Pptx()
    slide = deck.slide(BLANK)
    shot = str(picture(tmp_path, 300, 300))
    slide.shapes.add_picture(shot, Inches(1), Inches(2), Inches(3), Inches(3))
    slide.shapes.add_picture(shot, Inches(left), Inches(2.5), Inches(2), Inches(2))
    found = judge(evidence_of(deck.save(tmp_path)), "element_overlap")
    assert (found.answer, found.is_suggestion) == (answer, True)
    if answer is NO:
        # Around both: 1 to 5 inches of 10, 2 to 5 of 7.5.
        assert near(found.boxes[0], 1, 0.1, 0.2667, 0.5, 0.6667, 0.001)


def test_that_members_of_one_group_do_not_overlap(tmp_path):
    deck = Pptx()
    group = deck.slide(BLANK).shapes.add_group_shape()
    shot = str(picture(tmp_path, 300, 300))
    group.shapes.add_picture(shot, Inches(1), Inches(2), Inches(3), Inches(3))
    group.shapes.add_picture(shot, Inches(3), Inches(2.5), Inches(2), Inches(2))
    assert judge(evidence_of(deck.save(tmp_path)), "element_overlap").answer is YES


@pytest.mark.parametrize(("pixels", "answer"), [(432, YES), (420, NO)])
def test_that_pictures_need_seventy_two_pixels_to_the_inch(tmp_path, pixels, answer):
    # 6 inches wide on a slide 7.5 inches high: 432 pixels are 72 to the inch.
    deck = Pptx()
    shot = picture(tmp_path, pixels, pixels * 2 // 3)
    deck.slide(BLANK).shapes.add_picture(str(shot), Inches(1), Inches(1), Inches(6), Inches(4))
    found = judge(evidence_of(deck.save(tmp_path)), "image_resolution")
    assert found.answer is answer
    if answer is NO:
        assert near(found.boxes[0], 1, 0.1, 0.1333, 0.7, 0.6667, 0.001)


def test_that_cropped_pixels_do_not_count_and_small_pictures_are_left_out(tmp_path):
    deck = Pptx()
    shot = str(picture(tmp_path, 800, 600))
    shown = deck.slide(BLANK).shapes.add_picture(shot, Inches(1), Inches(1), Inches(6), Inches(4))
    shown.crop_left = shown.crop_right = 0.25
    tiny = str(picture(tmp_path, 20, 20))
    deck.slide(BLANK).shapes.add_picture(tiny, Inches(1), Inches(1), Inches(1), Inches(1))
    # Half of 800 pixels on 6 inches: 66.7 to the inch.
    found = judge(evidence_of(deck.save(tmp_path)), "image_resolution")
    assert (found.answer, slides_of(found)) == (NO, [1])
    assert "67 pixels" in found.reason


def test_that_pictures_of_a_page_and_slides_that_are_pictures_are_measured(tmp_path):
    shot = str(picture(tmp_path, 200, 200))
    page = pdf(tmp_path, lambda p: p.insert_image(pymupdf.Rect(96, 108, 528, 540), filename=shot))
    # 432 of 540 points are 6 of 7.5 inches: 200 pixels are 33 to the inch.
    found = judge(evidence_of(page), "image_resolution")
    assert found.answer is NO
    assert near(found.boxes[0], 1, 0.1, 0.2, 0.55, 1.0)
    folder = tmp_path / "pages"
    folder.mkdir()
    picture(tmp_path, 640, 360).rename(folder / "page_1.png")
    # 360 pixels on 7.5 inches: 48 to the inch.
    assert judge(evidence_of(folder), "image_resolution").answer is NO
    assert judge(evidence_of(folder), "image_resolution", min_dpi=48).answer is YES


@pytest.mark.parametrize(("text", "answer"), [("abc", YES), ("abc 漢字", NO)])
def test_that_letters_drawn_as_the_missing_glyph_are_found_on_a_page(tmp_path, text, answer):
    def page(p):
        # A font of Latin letters alone: all others come out as its glyph number 0.
        p.insert_font("F0", fontbuffer=pymupdf.Font("helv").buffer)
        p.insert_text((96, 108), text, fontsize=24, fontname="F0")

    evidence = evidence_of(pdf(tmp_path, page))
    assert evidence.slides[0].lines[0].missing_glyphs == (2 if answer is NO else 0)
    found = judge(evidence, "missing_glyphs")
    assert found.answer is answer
    if answer is NO:
        assert found.boxes[0].x0 == pytest.approx(0.1, abs=0.01)


def test_that_a_letter_that_its_font_lacks_is_found(tmp_path):
    def page_with(text):
        def draw(page):
            writer = pymupdf.TextWriter(page.rect)
            writer.append((60, 100), text, font=pymupdf.Font("helv"), fontsize=24)
            writer.write_text(page)

        return draw

    assert judge(evidence_of(pdf(tmp_path, page_with("All letters are here"))), "missing_glyphs").answer is YES
    line = DrawnLine(text="lost", box=Box(x0=0.1, y0=0.2, x1=0.3, y1=0.25), size_pt=20, rgb=(0, 0, 0), missing_glyphs=2)
    lost = DeckEvidence(format=DeckFormat.PDF, slides=(SlideEvidence(number=1, lines=(line,)),))
    found = judge(lost, "missing_glyphs")
    assert (found.answer, found.reason) == (NO, "2 letters have no shape, on slide 1, such as in “lost”.")
    assert near(found.boxes[0], 1, 0.1, 0.2, 0.3, 0.25, 0.001)
    assert judge(lost, "missing_glyphs", max_letters=2).answer is YES


def test_that_rules_for_pages_have_no_answer_where_none_were_drawn(tmp_path):
    deck = Pptx()
    box(deck.slide(BLANK), "Words", (1, 1, 4, 1))
    evidence = evidence_of(deck.save(tmp_path))
    for rule in ("contrast", "text_overlap", "text_overflow", "missing_glyphs"):
        found = judge(evidence, rule)
        assert found.answer is None
        assert "not drawn" in found.reason
