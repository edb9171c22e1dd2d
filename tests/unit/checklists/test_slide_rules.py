from pptx.util import Inches

from studio.model.deck_evidence import DeckEvidence, SlideEvidence
from studio.model.decks import DeckFormat
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
    evidence_of,
    judge,
    pdf,
    picture,
    slides_of,
    text_at,
)


def of(n_slides, hidden=()):
    slides = tuple(SlideEvidence(number=n, is_hidden=n in hidden) for n in range(1, n_slides + 1))
    return DeckEvidence(format=DeckFormat.PPTX, slides=slides)


def test_that_both_ends_of_the_slide_count_are_allowed():
    answers = [judge(of(n), "slide_count", min_count=3, max_count=6).answer for n in (2, 3, 6, 7)]
    assert answers == [NO, YES, YES, NO]


def test_that_the_surplus_slides_are_marked():
    assert slides_of(judge(of(9), "slide_count", min_count=3, max_count=6)) == [7, 8, 9]


def test_that_hidden_slides_are_not_counted(tmp_path):
    deck = Pptx()
    for number in range(3):
        deck.slide(TITLE_AND_BODY, f"Slide {number}", "Words")
    deck.hide(2)
    found = judge(evidence_of(deck.save(tmp_path)), "slide_count", min_count=3, max_count=3)
    assert (found.answer, found.reason) == (NO, "The deck has 2 visible slides beside 1 hidden, too few for 3 to 3.")


def test_that_the_name_in_presentbench_files_counts_slides():
    found = judge(of(5), "utils.count_pages.check_slide_count", min_count=4, max_count=9)
    assert found.answer is YES


def test_that_pages_and_pictures_are_counted(tmp_path):
    pages = pdf(tmp_path, *(text_at(f"Page {n}", 60, 60) for n in range(4)))
    assert judge(evidence_of(pages), "slide_count", max_count=4).answer is YES
    assert judge(evidence_of(pages), "slide_count", max_count=3).answer is NO
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number in range(2):
        picture(tmp_path, 64 + number, 36).rename(folder / f"slide_{number}.png")
    assert judge(evidence_of(folder), "slide_count", max_count=2).answer is YES
    assert judge(evidence_of(folder), "slide_count", max_count=1).answer is NO


def full(deck, *between):
    deck.slide(TITLE, "A cover", "By nobody")
    for add in between:
        add(deck)
    deck.slide(TITLE_AND_BODY, "The end", "All is said")
    return deck


def test_that_a_slide_without_anything_is_empty(tmp_path):
    deck = full(Pptx(), lambda d: d.slide(TITLE_AND_BODY, "Facts", "Some words"), lambda d: d.slide(TITLE_AND_BODY))
    found = judge(evidence_of(deck.save(tmp_path)), "empty_or_title_only_slides")
    assert (found.answer, found.reason, slides_of(found), found.is_suggestion) == (NO, "Slide 3 is empty.", [3], False)


def test_that_a_title_alone_fails_but_not_on_a_section_header(tmp_path):
    deck = full(Pptx(), lambda d: d.slide(TITLE_ONLY, "Only this"), lambda d: d.slide(SECTION, "Part two"))
    evidence = evidence_of(deck.save(tmp_path))
    found = judge(evidence, "empty_or_title_only_slides")
    assert (found.answer, slides_of(found)) == (NO, [2])
    assert slides_of(judge(evidence, "empty_or_title_only_slides", allow_sections=False)) == [2, 3]
    assert judge(evidence, "empty_or_title_only_slides", title_only=False).answer is YES


def test_that_a_picture_or_words_beside_the_title_are_enough(tmp_path):
    deck = Pptx()
    deck.slide(TITLE, "A cover")
    shown = deck.slide(TITLE_ONLY, "With a picture")
    shown.shapes.add_picture(str(picture(tmp_path, 400, 300)), Inches(1), Inches(2), Inches(4), Inches(3))
    deck.slide(TITLE_AND_BODY, "With words", "Here they are")
    deck.slide(TITLE_ONLY, "Thank you")
    found = judge(evidence_of(deck.save(tmp_path)), "empty_or_title_only_slides")
    assert (found.answer, found.is_suggestion) == (YES, False)


def test_that_an_empty_page_of_a_pdf_fails(tmp_path):
    def filled(page):
        text_at("Heading of the page", 60, 60, 32)(page)
        text_at("Words of the page that say a little more", 60, 200)(page)

    def blank(page):
        return None

    assert judge(evidence_of(pdf(tmp_path, filled, filled, filled)), "empty_or_title_only_slides").answer is YES
    found = judge(evidence_of(pdf(tmp_path, filled, blank, filled)), "empty_or_title_only_slides")
    assert (found.answer, slides_of(found), found.is_suggestion) == (NO, [2], True)


def test_that_slides_that_are_pictures_are_not_judged_by_their_words(tmp_path):
    deck = Pptx()
    for _ in range(2):
        slide = deck.slide(BLANK)
        slide.shapes.add_picture(str(picture(tmp_path, 1280, 960)), 0, 0, Inches(10), Inches(7.5))
    evidence = evidence_of(deck.save(tmp_path))
    for rule in ("spelling", "font_size", "placeholder_text", "empty_or_title_only_slides"):
        found = judge(evidence, rule)
        assert found.answer is NOT_APPLICABLE
        assert "pictures" in found.reason
    assert judge(evidence, "image_resolution").answer is YES


def test_that_a_yes_beside_slides_that_are_pictures_is_a_suggestion(tmp_path):
    deck = Pptx()
    deck.slide(TITLE_AND_BODY, "Words", "Nothing is left to be replaced here")
    slide = deck.slide(BLANK)
    slide.shapes.add_picture(str(picture(tmp_path, 1280, 960)), 0, 0, Inches(10), Inches(7.5))
    found = judge(evidence_of(deck.save(tmp_path)), "placeholder_text")
    assert (found.answer, found.is_suggestion) == (YES, True)
    assert "slide 2 could not be looked at" in found.reason


def test_that_a_deck_without_visible_slides_has_only_its_count():
    assert judge(of(0), "slide_count", min_count=1).answer is NO
    assert judge(of(1, hidden=(1,)), "font_size").answer is NOT_APPLICABLE
