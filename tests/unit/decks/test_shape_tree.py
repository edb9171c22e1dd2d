"""The structure of a deck: places through groups, charts with cells, motion in order, faults as warnings."""

from __future__ import annotations

import zipfile
from collections import Counter

import pytest
from lxml import etree
from pptx.util import Emu, Inches

from studio.decks.structure import OFFICE_FORMATS, inspect_file
from studio.decks.structure.geometry import Frame, Matrix, coverage, emu, frame_of, group_matrix, placed
from studio.decks.structure.package import A
from studio.decks.structure.shape_tree import read_structure
from studio.decks.structure.workbook import Cells, is_filled
from studio.model.decks import DeckFormat
from studio.model.structure import ShapeKind, Sheet, WorkbookState
from tests.shared_files import shared, shared_root
from tests.unit.metrics.editability import decks_built as made

SLIDE = (1000, 500)


def xfrm(off, ext, ch_off=None, ch_ext=None, **attributes):
    node = etree.Element(f"{A}xfrm", {key: str(value) for key, value in attributes.items()})
    etree.SubElement(node, f"{A}off", x=str(off[0]), y=str(off[1]))
    etree.SubElement(node, f"{A}ext", cx=str(ext[0]), cy=str(ext[1]))
    if ch_off:
        etree.SubElement(node, f"{A}chOff", x=str(ch_off[0]), y=str(ch_off[1]))
        etree.SubElement(node, f"{A}chExt", cx=str(ch_ext[0]), cy=str(ch_ext[1]))
    return node


def bounds(place):
    return tuple(round(each, 9) for each in (place.box.x0, place.box.y0, place.box.x1, place.box.y1))


def test_that_groups_scale_and_move_what_is_in_them():
    # The outer group shows its inner 200 x 100 as 400 x 100 from (100, 50); the inner one shows 50 x 50 as 100 x 50
    # from (0, 0) of the outer's space. A shape at (10, 10), 20 x 20 there becomes (20, 10), 40 x 20 in the outer
    # space, then (140, 60), 80 x 20 on the slide.
    outer = group_matrix(xfrm((100, 50), (400, 100), (0, 0), (200, 100)))
    inner = group_matrix(xfrm((0, 0), (100, 50), (0, 0), (50, 50)))
    place = placed(frame_of(xfrm((10, 10), (20, 20))), outer @ inner, SLIDE)
    assert bounds(place) == (0.14, 0.12, 0.22, 0.16)
    assert place.area == pytest.approx(80 * 20 / 500_000)


def test_that_a_turned_group_turns_what_is_in_it():
    # The group is 200 x 100 around (200, 150), turned by 90 degrees. The corner (100, 100) lies 100 left of and 50
    # above the centre; clockwise it comes to 50 right and 100 above: (250, 50). A shape of 40 x 20 in that corner
    # takes x from 230 to 250 and y from 50 to 90.
    group = group_matrix(xfrm((100, 100), (200, 100), (100, 100), (200, 100), rot=90 * 60_000))
    place = placed(frame_of(xfrm((100, 100), (40, 20))), group, SLIDE)
    assert bounds(place) == (0.23, 0.1, 0.25, 0.18)
    assert place.rotation_deg == 90


def test_that_a_flipped_group_mirrors_the_places():
    # Mirrored about x = 200, a shape from 100 to 140 comes to 260 to 300.
    group = group_matrix(xfrm((100, 100), (200, 100), (100, 100), (200, 100), flipH=1))
    place = placed(frame_of(xfrm((100, 100), (40, 20))), group, SLIDE)
    assert bounds(place) == (0.26, 0.2, 0.3, 0.24)
    assert place.rotation_deg == 0


def test_that_a_turned_shape_has_the_bounds_of_its_corners():
    # 100 x 100 around (500, 250), turned by 45 degrees: half the diagonal is 70.71.
    place = placed(Frame(450, 200, 100, 100, 45, False, False), Matrix(), SLIDE)
    assert place.box.x0 == pytest.approx(0.5 - 0.0707106781)
    assert place.box.y1 == pytest.approx(0.5 + 0.1414213562)
    assert coverage(place) == pytest.approx(100 * 100 / 500_000)


def test_that_only_what_lies_on_the_slide_covers_it():
    # Half of the width, all of the height and more: what hangs over is cut off.
    place = placed(Frame(500, -100, 1000, 900, 0, False, False), Matrix(), SLIDE)
    assert coverage(place) == pytest.approx(0.5)
    assert coverage(placed(Frame(1200, 0, 100, 100, 0, False, False), Matrix(), SLIDE)) == 0


@pytest.mark.parametrize(
    ("text", "value"), [("914400", 914_400), ("1in", 914_400), ("2.5cm", 900_000), ("-3pt", -38_100)]
)
def test_that_coordinates_may_carry_a_unit(text, value):
    assert emu(text) == value


def test_that_a_group_without_a_size_does_not_divide_by_zero():
    assert group_matrix(xfrm((5, 5), (0, 0), (0, 0), (0, 0))).apply(1, 1) == (6, 6)


def read(deck, tmp_path):
    return read_structure(deck.save(tmp_path / "deck.pptx"), DeckFormat.PPTX)


def test_that_shapes_keep_their_nesting(tmp_path):
    deck = made.Built()
    slide = deck.slide()
    group = slide.shapes.add_group_shape()
    group.name = "outer"
    inner = group.shapes.add_group_shape()
    inner.name = "inner"
    made.rectangles(inner.shapes, 2)
    found = read(deck, tmp_path).slides[0]
    assert [shape.name for shape in found.shapes] == ["outer"]
    assert [shape.kind for shape in found.walk()] == [
        ShapeKind.GROUP, ShapeKind.GROUP, ShapeKind.AUTOSHAPE, ShapeKind.AUTOSHAPE,
    ]  # fmt: skip


def test_that_a_placeholder_without_a_place_takes_that_of_its_layout(tmp_path):
    deck = made.Built()
    slide = deck.slide(made.TITLE_AND_CONTENT, "Heading")
    title = read(deck, tmp_path).slides[0].shapes[0]
    # python-pptx asks the layout and then the master for it.
    wanted = slide.shapes.title
    assert title.placeholder == "title"
    assert title.box.x0 == pytest.approx(wanted.left / made.WIDE)
    assert title.box.y1 == pytest.approx((wanted.top + wanted.height) / made.HIGH)


def test_that_a_chart_comes_with_its_series_and_the_cells_behind_it(tmp_path):
    deck = made.Built()
    made.chart(deck.slide())
    chart = read(deck, tmp_path).slides[0].shapes[0].chart
    assert chart.types == ("barChart",)
    series = chart.series[0]
    assert (series.name, series.categories, series.values) == ("sales", ("north", "south"), (3.0, 5.0))
    assert (series.name_ref, series.categories_ref, series.values_ref) == (
        "Sheet1!$B$1", "Sheet1!$A$2:$A$3", "Sheet1!$B$2:$B$3",
    )  # fmt: skip
    assert chart.workbook.state is WorkbookState.EMBEDDED
    assert chart.workbook.sheets[0].cells == {"A2": "north", "A3": "south", "B1": "sales", "B2": 3.0, "B3": 5.0}


@pytest.mark.parametrize(
    ("reference", "filled"),
    [
        ("Data!$B$2", True),
        ("Data!$B$3:$B$9", False),
        ("Data!$A$1:$C$2", True),
        ("Data!$B:$B", True),
        ("'My ''own'' sheet'!$A$1", True),
        ("[1]Data!$B$2", True),
        ("(Data!$D$1,Data!$B$2)", True),
        ("data!b2", True),
        ("Nowhere!$B$2", False),
        ("Data!sales", True),
        ("profit", False),
    ],
)
def test_that_references_of_every_form_find_their_cells(reference, filled):
    cells = Cells(
        sheets=(Sheet(name="Data", cells={"B2": 3.0}), Sheet(name="My 'own' sheet", cells={"A1": "x"})),
        names={"sales": "Data!$B$2"},
        is_readable=True,
    )
    assert is_filled(reference, cells) is filled


def test_that_effects_stand_in_their_order_with_their_targets(tmp_path):
    deck = made.Built()
    slide = deck.slide(made.TITLE_ONLY, "Heading")
    made.effect(slide, slide.shapes.title)
    made.transition(slide)
    found = read(deck, tmp_path).slides[0]
    effect = found.effects[0]
    assert (effect.preset_class, effect.preset_id, effect.trigger, effect.duration_s) == (
        "entr",
        "10",
        "clickEffect",
        0.5,
    )
    assert effect.shape_id == str(slide.shapes.title.shape_id)
    assert (found.transition, found.has_build_list) == ("fade", True)


def test_that_a_strict_file_reads_like_a_transitional_one(tmp_path):
    path = made.template(tmp_path / "deck.pptx", with_chart=True)
    old, new = b"http://schemas.openxmlformats.org/", b"http://purl.oclc.org/ooxml/"
    pairs = [
        (b"presentationml/2006/main", b"presentationml/main"),
        (b"drawingml/2006/main", b"drawingml/main"),
        (b"drawingml/2006/chart", b"drawingml/chart"),
        (b"officeDocument/2006/relationships", b"officeDocument/relationships"),
    ]

    def stricter(name, data):
        if name.endswith((".xml", ".rels")) and name != "[Content_Types].xml":
            for before, after in pairs:
                data = data.replace(old + before, new + after)
        return data

    strict = made.rewritten(path, stricter)
    with zipfile.ZipFile(strict) as archive:
        assert new in archive.read("ppt/slides/slide1.xml")
    assert read_structure(strict, DeckFormat.PPTX) == read_structure(path, DeckFormat.PPTX)


def test_that_one_bad_part_is_one_warning(tmp_path):
    path = made.template(tmp_path / "deck.pptx")
    broken = made.rewritten(path, lambda name, data: data[:100] if name.endswith("slides/slide3.xml") else data)
    found = read_structure(broken, DeckFormat.PPTX)
    assert [slide.is_readable for slide in found.slides] == [True, True, False, True]
    assert [warning.slide for warning in found.warnings] == [3]


def test_that_the_size_of_letters_and_fields_are_kept(tmp_path):
    deck = made.Built()
    made.text(deck.slide(), "words", size=13.5)
    run = read(deck, tmp_path).slides[0].shapes[0].paragraphs[0].runs[0]
    assert (run.text, run.size_pt, run.is_field) == ("words", 13.5, False)


def test_that_a_picture_says_what_share_of_the_slide_it_covers(tmp_path):
    deck = made.Built()
    shape = made.picture(deck.slide(), width_share=0.5, height_share=0.5)
    shape.left = Emu(round(made.WIDE * 0.75))
    picture = read(deck, tmp_path).slides[0].shapes[0].picture
    # Half of its width hangs over the edge: 0.25 of the width times 0.5 of the height.
    assert picture.coverage == pytest.approx(0.125)
    assert picture.part.startswith("ppt/media/")


def test_that_media_say_whether_they_are_in_the_file(tmp_path):
    deck = made.Built()
    slide = deck.slide()
    made.embedded_video(slide)
    made.linked_video(slide)
    found = read(deck, tmp_path).slides[0]
    assert sorted(media.is_linked for media in found.media) == [False, True]
    assert found.shapes[0].kind is ShapeKind.MEDIA
    assert not found.shapes[0].media.is_linked


def test_that_tables_keep_their_size_and_words(tmp_path):
    deck = made.Built()
    table = made.table(deck.slide(), rows=2, columns=3)
    table.cell(1, 2).text = "last"
    shape = read(deck, tmp_path).slides[0].shapes[0]
    assert (shape.kind, shape.table_size, shape.text.strip()) == (ShapeKind.TABLE, (2, 3), "last")
    assert Inches(1) / made.WIDE == pytest.approx(shape.box.x0)


def _decks():
    root = shared_root()
    found = sorted((root / "corpus/pptx").glob("*.pptx")) if root is not None else []
    return [path.name for path in found] or [pytest.param("", marks=pytest.mark.skip(reason="needs the shared corpus"))]


@pytest.mark.corpus
@pytest.mark.parametrize("name", _decks())
def test_that_the_tree_holds_as_much_as_the_facts_count(name):
    path = shared(f"corpus/pptx/{name}")
    facts = inspect_file(path)
    assert facts.format in OFFICE_FORMATS
    found = read_structure(path, facts.format)
    kinds = Counter(shape.kind for slide in found.slides for shape in slide.walk())
    charts = [shape.chart for slide in found.slides for shape in slide.walk() if shape.chart is not None]
    assert len(found.slides) == facts.slides
    assert kinds[ShapeKind.TEXT_BOX] == facts.text_boxes
    assert kinds[ShapeKind.GROUP] == facts.groups
    assert kinds[ShapeKind.TABLE] == facts.tables
    assert kinds[ShapeKind.SMARTART] == facts.smartart
    assert kinds[ShapeKind.PICTURE] == facts.pictures.embedded + facts.pictures.linked + facts.pictures.broken
    assert len(charts) == facts.charts.native
    assert Counter(chart.workbook.state.value for chart in charts) == Counter(
        embedded=facts.charts.with_workbook, external=facts.charts.external, broken=facts.charts.broken
    )
    assert sum(len(slide.effects) for slide in found.slides) == facts.animations.effects
    assert sum(slide.transition is not None for slide in found.slides) == facts.transitions
    assert sum(bool(slide.notes) for slide in found.slides) == facts.notes
