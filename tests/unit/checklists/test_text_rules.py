import pytest
from pptx.enum.text import MSO_AUTO_SIZE
from pptx.oxml.ns import qn
from pptx.util import Inches, Pt

from studio.model.deck_evidence import TextRole
from tests.unit.checklists.decks_for_rules import (
    BLANK,
    NO,
    NOT_APPLICABLE,
    TITLE_AND_BODY,
    TITLE_ONLY,
    YES,
    Pptx,
    box,
    evidence_of,
    judge,
    near,
    pdf,
    slides_of,
    text_at,
)

WORDS = "Words of an ordinary slide that people can read"


def bullets(n):
    return "\n".join(f"Point {number}" for number in range(n))


@pytest.mark.parametrize(("n", "answer"), [(6, YES), (7, NO)])
def test_that_six_bullets_are_allowed_and_seven_are_not(tmp_path, n, answer):
    deck = Pptx()
    deck.slide(TITLE_AND_BODY, "Points", bullets(n))
    found = judge(evidence_of(deck.save(tmp_path)), "bullets_per_slide", max_bullets=6)
    assert (found.answer, found.is_suggestion) == (answer, False)
    if answer is NO:
        # The body of the template's slide: x 0.5 in of 10, y 1.75 in of 7.5, 9 in wide, 4.95 in high.
        assert near(found.boxes[0], 1, 0.05, 0.2333, 0.95, 0.8933)


def test_that_paragraphs_without_bullets_are_not_counted(tmp_path):
    deck = Pptx()
    box(deck.slide(BLANK), bullets(12), (1, 1, 8, 5))
    slide = deck.slide(TITLE_AND_BODY, "Points", bullets(9))
    for paragraph in slide.placeholders[1].text_frame.paragraphs:
        paragraph._p.get_or_add_pPr().insert(0, paragraph._p.makeelement(qn("a:buNone"), {}))
    assert judge(evidence_of(deck.save(tmp_path)), "bullets_per_slide").answer is YES


def test_that_typed_bullets_count_and_deeper_ones_can_be_left_out(tmp_path):
    deck = Pptx()
    box(deck.slide(BLANK), "\n".join(f"• typed {n}" for n in range(7)), (1, 1, 8, 5))
    slide = deck.slide(TITLE_AND_BODY, "Points", bullets(8))
    for paragraph in slide.placeholders[1].text_frame.paragraphs[4:]:
        paragraph.level = 1
    evidence = evidence_of(deck.save(tmp_path))
    assert slides_of(judge(evidence, "bullets_per_slide")) == [1, 2]
    assert slides_of(judge(evidence, "bullets_per_slide", top_level_only=True)) == [1]


def test_that_bullets_of_a_page_only_suggest(tmp_path):
    def page(p):
        for n in range(8):
            text_at(f"- point {n} of the page", 60, 80 + 40 * n)(p)

    found = judge(evidence_of(pdf(tmp_path, page)), "bullets_per_slide")
    assert (found.answer, found.is_suggestion) == (NO, True)


@pytest.mark.parametrize(("size", "answer"), [(11.5, NO), (12, YES)])
def test_that_body_text_of_twelve_points_is_large_enough(tmp_path, size, answer):
    deck = Pptx()
    slide = deck.slide(TITLE_ONLY, "A title")
    box(slide, WORDS, (1, 3, 8, 1.5), size)
    found = judge(evidence_of(deck.save(tmp_path)), "font_size")
    assert found.answer is answer
    if answer is NO:
        # 1 to 9 inches of 10, 3 to 4.5 of 7.5.
        assert near(found.boxes[0], 1, 0.1, 0.4, 0.9, 0.6, 0.001)
        assert "11.5 pt" in found.reason


def test_that_a_small_note_beside_large_text_passes(tmp_path):
    deck = Pptx()
    slide = deck.slide(BLANK)
    box(slide, WORDS * 4, (1, 1, 8, 4), 20)
    box(slide, "Source: a register", (1, 6, 8, 0.5), 8)
    assert judge(evidence_of(deck.save(tmp_path)), "font_size").answer is YES


def test_that_sizes_are_inherited_from_the_master(tmp_path):
    deck = Pptx()
    slide = deck.slide(TITLE_AND_BODY, "A title", "one\ntwo")
    slide.placeholders[1].text_frame.paragraphs[1].level = 1
    pieces = evidence_of(deck.save(tmp_path)).slides[0].pieces
    # The template's master: titles 44 pt, body 32 pt on the first level and 28 pt on the second.
    assert [(piece.role, piece.size_pt) for piece in pieces] == [
        (TextRole.TITLE, 44.0), (TextRole.BODY, 32.0), (TextRole.BODY, 28.0)
    ]  # fmt: skip


def test_that_the_shrinking_of_text_to_fit_counts(tmp_path):
    deck = Pptx()
    shape = box(deck.slide(BLANK), WORDS, (1, 1, 8, 1), 20)
    shape.text_frame.auto_size = MSO_AUTO_SIZE.TEXT_TO_FIT_SHAPE
    shape.text_frame._txBody.bodyPr.find(qn("a:normAutofit")).set("fontScale", "50000")
    evidence = evidence_of(deck.save(tmp_path))
    # 20 pt at 50%.
    assert evidence.slides[0].pieces[0].size_pt == 10.0
    assert judge(evidence, "font_size").answer is NO


def test_that_sizes_are_scaled_to_a_slide_seven_and_a_half_inches_high(tmp_path):
    deck = Pptx()
    deck.deck.slide_width, deck.deck.slide_height = Inches(6.6667), Inches(3.75)
    box(deck.slide(BLANK), WORDS, (1, 1, 5, 2), 10)
    # A slide half as high: 10 pt look like 20.
    assert judge(evidence_of(deck.save(tmp_path)), "font_size", min_pt=19.9).answer is YES
    small = pdf(tmp_path, text_at(WORDS, 20, 100, 10), size=(480, 270))
    assert judge(evidence_of(small), "font_size", min_pt=19.9).answer is YES
    assert judge(evidence_of(small), "font_size", min_pt=20.1).answer is NO


def test_that_a_deck_without_body_text_has_no_size_to_judge(tmp_path):
    deck = Pptx()
    deck.slide(TITLE_ONLY, "A title")
    assert judge(evidence_of(deck.save(tmp_path)), "font_size").answer is NOT_APPLICABLE


def test_that_tables_count_where_asked_for(tmp_path):
    deck = Pptx()
    slide = deck.slide(BLANK)
    box(slide, WORDS, (1, 0.5, 8, 1), 20)
    table = slide.shapes.add_table(2, 2, Inches(1), Inches(3), Inches(8), Inches(2)).table
    for cell in (table.cell(row, column) for row in range(2) for column in range(2)):
        cell.text = "a cell with several words in it"
        cell.text_frame.paragraphs[0].runs[0].font.size = Pt(9)
    evidence = evidence_of(deck.save(tmp_path))
    assert judge(evidence, "font_size").answer is YES
    assert judge(evidence, "font_size", tables=True).answer is NO
