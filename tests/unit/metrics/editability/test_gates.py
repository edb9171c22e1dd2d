"""Each gate on both sides of its threshold."""

from __future__ import annotations

import io
import zipfile

import pytest
from pptx.util import Emu, Inches

from studio.metrics.editability import RULES, EditabilityRules, assess_file
from studio.model.editability import Gate
from tests.unit.metrics.editability import decks_built as made


def outcome(found, gate):
    return next(result for result in found.gates if result.gate is gate)


def test_that_a_deck_without_text_stays_at_level_0(built, judged):
    made.rectangles(built.slide().shapes, 1)
    found = judged(built)
    assert found.level == 0
    assert "no text on any slide" in str(outcome(found, Gate.TEXT).evidence[0])


def test_that_one_letter_is_text(built, judged):
    slide = built.slide()
    made.rectangles(slide.shapes, 1)
    made.text(slide, "x")
    result = outcome(judged(built), Gate.TEXT)
    assert result.passed
    assert result.measures["text_chars"] == 1
    assert (result.evidence[0].slide, result.evidence[0].part) == (1, "ppt/slides/slide1.xml")


def test_that_spaces_are_no_text(built, judged):
    made.text(built.slide(), "  \t ")
    assert judged(built).level == 0


def test_that_text_in_a_group_and_in_a_table_is_text(built, judged):
    slide = built.slide()
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(0, 0, Inches(1), Inches(1)).text_frame.text = "abc"
    made.table(slide).cell(0, 0).text = "de"
    # 3 letters in the group, 2 in the table.
    assert outcome(judged(built), Gate.TEXT).measures["text_chars"] == 5


def test_that_a_slide_number_is_not_written_text(built, judged, tmp_path):
    slide = built.slide()
    made.picture(slide)
    made.text(slide, "7")
    path = built.save(tmp_path / "deck.pptx")
    field = made.replaced(path, [("slides/slide1.xml", b"<a:r>", b'<a:fld id="{1}" type="slidenum">'),
                                 ("slides/slide1.xml", b"</a:r>", b"</a:fld>")])  # fmt: skip
    assert assess_file(path, RULES["studio"]).level == 1
    assert assess_file(field, RULES["studio"]).level == 0


def test_that_text_on_hidden_slides_does_not_count_unless_asked_for(built, judged):
    made.picture(built.slide())
    slide = built.slide()
    made.text(slide, "words")
    made.hide(slide)
    assert judged(built).level == 0
    assert judged(built, EditabilityRules(count_hidden_slides=True)).level == 1


@pytest.mark.parametrize(("pictures", "passes"), [(2, True), (3, False)])
def test_that_more_than_half_of_the_slides_as_pictures_fail_the_text_gate(built, judged, pictures, passes):
    # 2 of 4 slides are exactly half and pass; 3 of 4 are more.
    for index in range(4):
        slide = built.slide()
        if index < pictures:
            made.picture(slide)
        else:
            made.text(slide, "words")
    result = outcome(judged(built), Gate.TEXT)
    assert result.passed is passes
    assert result.measures["picture_only_share"] == pictures / 4


def lines(slide, letters_each, n_lines=3, pitch_in=0.35, left=1.0):
    for index in range(n_lines):
        made.text(slide, "n" * letters_each, top=3 + pitch_in * index, left=left)


@pytest.mark.parametrize(("letters_each", "whole", "passes"), [(10, 70, True), (10, 69, False)])
def test_that_more_than_30_percent_of_cut_text_fails(built, judged, letters_each, whole, passes):
    # Three one-line boxes of 10 letters are 30 letters: 30 of 100 are 30 %, 30 of 99 are more.
    slide = built.slide()
    made.rectangles(slide.shapes, 1)
    made.text(slide, "w" * whole, top=0.5, width=12, size=12)
    lines(slide, letters_each)
    result = outcome(judged(built), Gate.VECTOR)
    assert result.measures["fragment_share"] == pytest.approx(30 / (30 + whole))
    assert result.holds is passes


@pytest.mark.parametrize(
    ("n_lines", "pitch_in", "is_cut"),
    [
        (3, 0.35, True),  # 25.2 pt apart with 18 pt letters: 1.4 letter sizes
        (2, 0.35, False),  # two boxes may be two things
        (3, 0.62, True),  # 44.6 pt: just below 2.5 letter sizes, 45 pt
        (3, 0.65, False),  # 46.8 pt: cards, not lines
    ],
)
def test_that_lines_belong_together_by_number_and_distance(built, judged, n_lines, pitch_in, is_cut):
    slide = built.slide()
    lines(slide, 10, n_lines, pitch_in)
    assert (outcome(judged(built), Gate.VECTOR).measures["fragment_share"] > 0) is is_cut


def test_that_boxes_with_other_left_edges_or_letter_sizes_are_no_paragraph(built, judged):
    slide = built.slide()
    for index in range(4):
        made.text(slide, "slanted words", top=1 + 0.35 * index, left=1 + 0.2 * index)
        made.text(slide, "growing words", top=4 + 0.35 * index, left=6, size=14 + 2 * index)
    assert outcome(judged(built), Gate.VECTOR).measures["fragment_share"] == 0


def test_that_text_that_wraps_in_its_box_is_whole(built, judged):
    # 60 letters of half an em at 18 pt are 540 pt, in boxes of 4 inches (288 pt).
    slide = built.slide()
    for index in range(3):
        made.text(slide, "n" * 60, top=1 + 0.35 * index, width=4)
    assert outcome(judged(built), Gate.VECTOR).measures["fragment_share"] == 0


@pytest.mark.parametrize(
    "draw",
    [
        lambda slide: made.rectangles(slide.shapes, 1),
        made.line,
        made.freeform,
        made.table,
        made.chart,
    ],
    ids=["autoshape", "connector", "freeform", "table", "chart"],
)
def test_that_one_vector_object_is_needed_and_enough(built, judged, draw):
    slide = built.slide()
    made.text(slide, "words")
    assert judged(built).level == 1
    draw(slide)
    found = judged(built)
    assert outcome(found, Gate.VECTOR).passed
    assert outcome(found, Gate.VECTOR).measures["vector_objects"] == 1


def test_that_a_plain_rectangle_around_text_is_no_vector(built, judged):
    slide = built.slide()
    shape = made.rectangles(slide.shapes, 1)[0]
    shape.text_frame.text = "words"
    assert outcome(judged(built), Gate.VECTOR).passed
    shape.fill.background()
    shape.line.fill.background()
    assert not outcome(judged(built), Gate.VECTOR).passed


@pytest.mark.parametrize(("share", "covers"), [(0.85, True), (0.84, False)])
def test_that_a_picture_covers_a_slide_from_85_percent_of_its_area(built, judged, share, covers):
    slide = built.slide()
    made.text(slide, "words")
    made.rectangles(slide.shapes, 1)
    made.picture(slide, width_share=share)
    result = outcome(judged(built), Gate.VECTOR)
    assert result.measures["picture_slide_share"] == float(covers)
    assert result.passed is not covers


@pytest.mark.parametrize(("covered", "passes"), [(1, True), (2, False)])
def test_that_covering_pictures_on_half_of_the_slides_fail(built, judged, covered, passes):
    # "Fewer than half": 1 of 4 passes, and so would not 2 of 4.
    for index in range(4):
        slide = built.slide()
        made.text(slide, "words")
        made.rectangles(slide.shapes, 1)
        if index < covered:
            made.picture(slide)
    assert outcome(judged(built), Gate.VECTOR).passed is passes


def test_that_a_picture_as_the_slides_background_covers_it(built, tmp_path):
    slide = built.slide()
    made.text(slide, "words")
    made.rectangles(slide.shapes, 1)
    shape = made.picture(slide, width_share=0.1, height_share=0.1)
    path = built.save(tmp_path / "deck.pptx")
    relation = shape._element.blipFill.blip.rEmbed.encode()
    fill = b'<p:cSld><p:bg><p:bgPr><a:blipFill><a:blip r:embed="' + relation + b'"/></a:blipFill></p:bgPr></p:bg>'
    changed = made.replaced(path, [("slides/slide1.xml", b"<p:cSld>", fill)])
    assert outcome(assess_file(path, RULES["studio"]), Gate.VECTOR).passed
    assert not outcome(assess_file(changed, RULES["studio"]), Gate.VECTOR).passed


def loose(built, number, *, titles=0, slides=1):
    for index in range(slides):
        slide = built.slide(made.TITLE_ONLY, "Heading") if index < titles else built.slide()
        made.text(slide, "words")
        made.rectangles(slide.shapes, number)
    return built


@pytest.mark.parametrize(("number", "passes"), [(12, True), (13, False)])
def test_that_more_than_twelve_loose_shapes_need_a_group(built, judged, number, passes):
    found = judged(loose(built, number))
    assert outcome(found, Gate.STRUCTURE).passed is passes
    assert found.level == (3 if passes else 2)
    assert outcome(found, Gate.STRUCTURE).measures["most_loose_shapes"] == number


def test_that_a_group_gives_structure_to_many_shapes(built, judged):
    slide = built.slide()
    made.text(slide, "words")
    shapes = made.rectangles(slide.shapes, 20)
    assert judged(built).level == 2
    slide.shapes.add_group_shape(shapes[:8])
    found = judged(built)
    # 12 loose ones are left, and there is a group.
    assert found.level == 3
    assert outcome(found, Gate.STRUCTURE).measures == {
        "master_slide_share": 0.0, "groups": 1, "most_loose_shapes": 12,
    }  # fmt: skip


@pytest.mark.parametrize(("titles", "passes"), [(2, False), (3, True)])
def test_that_most_slides_must_take_their_title_from_the_layout(built, judged, titles, passes):
    # With 13 loose shapes on each slide, grouping fails; 2 of 4 titles are not most, 3 are.
    found = judged(loose(built, 13, titles=titles, slides=4))
    assert outcome(found, Gate.STRUCTURE).passed is passes
    assert outcome(found, Gate.STRUCTURE).measures["master_slide_share"] == titles / 4


def test_that_an_empty_title_placeholder_carries_no_title(built, judged):
    for _ in range(2):
        slide = built.slide(made.TITLE_ONLY)
        made.text(slide, "words")
        made.rectangles(slide.shapes, 13)
    assert judged(built).level == 2


def chart_deck(built, charts=1):
    slide = built.slide(made.TITLE_ONLY, "Sales by region")
    for _ in range(charts):
        made.chart(slide)
    return built


def test_that_a_chart_with_its_workbook_passes_the_data_gate(built, judged):
    found = judged(chart_deck(built))
    assert found.level == 4
    evidence = outcome(found, Gate.DATA).evidence[0]
    assert (evidence.slide, evidence.shape) == (1, "Chart 2")
    assert evidence.part.startswith("ppt/embeddings/")
    assert evidence.part.endswith(".xlsx")


def test_that_a_deck_without_a_chart_fails_the_data_gate(tmp_path):
    found = assess_file(made.template(tmp_path / "deck.pptx"), RULES["studio"])
    assert found.level == 3
    assert "no native chart" in str(outcome(found, Gate.DATA).evidence[0])


def workbook(sheet="Sheet1", cells='<c r="B2"><v>3</v></c>'):
    data = io.BytesIO()
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    rel = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{main}" xmlns:r="{rel}"><sheets><sheet name="{sheet}" sheetId="1" r:id="rId1"/></sheets>'
            "</workbook>",
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Id="rId1" Type="{rel}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/worksheets/sheet1.xml",
            f'<worksheet xmlns="{main}"><sheetData><row r="2">{cells}</row></sheetData></worksheet>',
        )
    return data.getvalue()


def with_workbook(path, data, name="changed.pptx"):
    return made.rewritten(path, lambda member, old: data if member.endswith(".xlsx") else old, name)


@pytest.mark.parametrize(
    ("data", "level"),
    [
        (workbook(), 4),
        (workbook(sheet="Other"), 3),
        (workbook(cells='<c r="C2"><v>3</v></c>'), 3),
        (workbook(cells=""), 3),
        (workbook()[:200], 3),
        (b"no workbook at all", 3),
        (b"", 3),
    ],
    ids=["filled cell", "other sheet", "other column", "no cell", "cut off", "other bytes", "empty"],
)
def test_that_the_workbook_must_hold_the_cells_that_the_chart_names(built, tmp_path, data, level):
    path = chart_deck(built).save(tmp_path / "deck.pptx")
    assert assess_file(with_workbook(path, data), RULES["studio"]).level == level


def test_that_a_workbook_outside_the_file_is_no_editable_data(built, tmp_path):
    path = chart_deck(built).save(tmp_path / "deck.pptx")
    with zipfile.ZipFile(path) as archive:
        rels = next(name for name in archive.namelist() if name.startswith("ppt/charts/_rels/"))
        target = archive.read(rels).split(b'Target="')[1].split(b'"')[0]
    linked = made.replaced(
        path, [(rels, b'Target="' + target + b'"', b'Target="file:///C:/sales.xlsx" TargetMode="External"')]
    )
    found = assess_file(linked, RULES["studio"])
    assert found.level == 3
    assert "linked to a workbook outside: file:///C:/sales.xlsx" in str(outcome(found, Gate.DATA).evidence[0])


def test_that_one_broken_chart_fails_the_gate_unless_a_share_is_enough(built, tmp_path):
    path = chart_deck(built, charts=2).save(tmp_path / "deck.pptx")
    with zipfile.ZipFile(path) as archive:
        first = next(name for name in archive.namelist() if name.endswith(".xlsx"))
    broken = made.rewritten(path, lambda member, data: b"" if member == first else data)
    assert assess_file(path, RULES["studio"]).level == 4
    assert assess_file(broken, RULES["studio"]).level == 3
    assert assess_file(broken, EditabilityRules(min_intact_chart_share=0.5)).level == 4


def test_that_time_needs_an_effect_a_transition_or_embedded_media(built, judged):
    assert judged(chart_deck(built)).level == 4
    slide = built.presentation.slides[0]
    made.transition(slide)
    found = judged(built)
    assert found.level == 5
    assert outcome(found, Gate.TIME).measures["transitions"] == 1


def test_that_an_effect_is_named_with_its_shape(built, judged):
    slide = chart_deck(built).presentation.slides[0]
    made.effect(slide, slide.shapes.title)
    found = judged(built)
    assert found.level == 5
    assert (outcome(found, Gate.TIME).evidence[0].slide, outcome(found, Gate.TIME).evidence[0].shape) == (1, "Title 1")


def test_that_embedded_media_pass_and_linked_media_fail(built, judged):
    slide = chart_deck(built).presentation.slides[0]
    made.embedded_video(slide)
    assert judged(built).level == 5
    made.linked_video(slide)
    assert judged(built).level == 4
    assert judged(built, EditabilityRules(linked_media_fails=False)).level == 5


def test_that_a_timing_without_an_effect_is_no_motion(built, judged, tmp_path):
    slide = chart_deck(built).presentation.slides[0]
    made.effect(slide, slide.shapes.title)
    path = built.save(tmp_path / "deck.pptx")
    still = made.replaced(path, [("slides/slide1.xml", b' presetClass="entr"', b"")])
    assert assess_file(still, RULES["studio"]).level == 4


def test_that_evidence_of_one_kind_is_named_five_times_and_then_counted(built, judged):
    for _ in range(8):
        made.picture(built.slide())
    texts = [item.text for item in outcome(judged(built), Gate.TEXT).evidence]
    assert sum("a picture covers" in item for item in texts) == 5
    assert "and 3 more like this" in texts


def test_that_a_box_with_measures_in_millimetres_is_understood(built, tmp_path):
    slide = built.slide()
    made.text(slide, "words")
    made.rectangles(slide.shapes, 1)
    made.picture(slide)
    path = built.save(tmp_path / "deck.pptx")
    # 12,192,000 EMU are 338.67 mm; 36,000 EMU are 1 mm. 30 mm are 9 % of the width.
    small = made.replaced(path, [("slides/slide1.xml", b'cx="12192000"', b'cx="30mm"')])
    assert outcome(assess_file(small, RULES["studio"]), Gate.VECTOR).measures["picture_slide_share"] == 0
    assert Emu(30 * 36_000) / made.WIDE == pytest.approx(0.0886, abs=1e-4)
