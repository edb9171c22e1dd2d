"""The tree of a deck's structure: what it lists, what is behind a chart, and where outlines lie on the picture."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_SHAPE
from pptx.util import Inches

from studio.actions.deck_structure import cell_table, deck_tree, tree_of
from studio.decks.render import find_tools, render_deck
from studio.decks.structure.shape_tree import read_structure
from studio.errors import StudioError
from studio.model.decks import DeckFormat
from studio.model.structure import Sheet
from studio.store import care as care_store
from studio.store.care import Kind
from tests.projects import decks_of, make_project
from tests.shared_files import shared
from tests.unit.metrics.editability import decks_built as made

COLOURS = {
    "plain": "C00000",
    "turned": "00A000",
    "in a group": "0000C0",
    "nested": "C000C0",
    "mirrored": "00A0A0",
    "upended": "A08000",
}


def filled(shapes, name, left, top, width, height, turn=0.0):
    shape = shapes.add_shape(MSO_SHAPE.RECTANGLE, Inches(left), Inches(top), Inches(width), Inches(height))
    shape.name = name
    shape.fill.solid()
    shape.fill.fore_color.rgb = RGBColor.from_string(COLOURS[name])
    shape.line.fill.background()
    shape.shadow.inherit = False
    shape.rotation = turn
    return shape


def place_group(group, left, top, width, height, turn=0.0, **flips):
    """Show what is in a group, as large as it is, in another place and size."""
    xfrm = group._element.grpSpPr.find("{http://schemas.openxmlformats.org/drawingml/2006/main}xfrm")
    group.left, group.top, group.width, group.height = Inches(left), Inches(top), Inches(width), Inches(height)
    if turn:
        xfrm.set("rot", str(int(turn * 60_000)))
    for name in flips:
        xfrm.set(name, "1")


def deck_of_places(path):
    deck = made.Built()
    shapes = deck.slide(6).shapes
    filled(shapes, "plain", 0.5, 0.5, 2, 1)
    filled(shapes, "turned", 4, 0.6, 2, 0.8, 30)
    outer = shapes.add_group_shape()
    outer.name = "outer"
    filled(outer.shapes, "in a group", 1, 3, 1.5, 0.5)
    inner = outer.shapes.add_group_shape()
    inner.name = "inner"
    filled(inner.shapes, "nested", 3.5, 3.5, 1, 0.5)
    place_group(inner, 3, 3.6, 1.2, 0.9, 25)
    place_group(outer, 0.8, 3, 5, 3, 20)
    other = shapes.add_group_shape()
    other.name = "other"
    filled(other.shapes, "mirrored", 8, 1, 2, 0.6, 20)
    place_group(other, 8, 4, 3, 0.9, flipH=True)
    third = shapes.add_group_shape()
    third.name = "third"
    filled(third.shapes, "upended", 9, 2, 1.5, 0.5, 90)
    place_group(third, 9.5, 1.3, 1.5, 0.8)
    return deck.save(path)


def nodes_of(tree, number=1):
    return {node.words: node for top in tree.slides[number] for node in top.walk()}


def test_that_every_outline_lies_on_the_pixels_of_its_shape(tmp_path):
    tools = find_tools()
    if tools.libreoffice is None:
        pytest.skip("LibreOffice is not installed")
    path = deck_of_places(tmp_path / "places.pptx")
    page = render_deck(path, tmp_path / "out", format=DeckFormat.PPTX, tools=tools).pages[0]
    pixels = np.asarray(Image.open(page.image).convert("RGB")).astype(int)
    nodes = nodes_of(tree_of(read_structure(path, DeckFormat.PPTX)))
    for name, colour in COLOURS.items():
        wanted = [int(colour[at : at + 2], 16) for at in (0, 2, 4)]
        drawn = (np.abs(pixels - wanted) < 12).all(axis=2)
        (corners,) = nodes[name].outlines
        mask = Image.new("1", (page.width_px, page.height_px))
        ImageDraw.Draw(mask).polygon([(x * page.width_px, y * page.height_px) for x, y in corners], fill=1)
        outlined = np.asarray(mask)
        # Only pixels on the edge may differ: those that are half covered, and one in rounding.
        assert (drawn & outlined).sum() / (drawn | outlined).sum() > 0.95, name


def test_that_a_group_without_a_place_is_outlined_by_what_is_in_it(tmp_path):
    deck = made.Built()
    group = deck.slide(6).shapes.add_group_shape()
    group.name = "loose"
    made.rectangles(group.shapes, 2)
    properties = group._element.grpSpPr
    properties.remove(properties[0])
    tree = tree_of(read_structure(deck.save(tmp_path / "deck.pptx"), DeckFormat.PPTX))
    assert len(nodes_of(tree)["loose"].outlines) == 2


def test_that_the_tree_holds_groups_layout_chart_cells_and_the_whole_deck(tmp_path):
    deck = made.Built()
    slide = deck.slide(made.TITLE_AND_CONTENT, "Heading")
    made.chart(slide)
    group = slide.shapes.add_group_shape()
    group.name = "pair"
    made.rectangles(group.shapes, 2)
    tree = tree_of(read_structure(deck.save(tmp_path / "deck.pptx"), DeckFormat.PPTX))
    layout, shapes = tree.slides[1]
    assert (layout.words, layout.kind) == ("Title and Content", "layout")
    pair = next(node for node in shapes.children if node.words == "pair")
    assert len(pair.children) == 2
    chart = next(node for node in shapes.children if node.kind == "chart: bar")
    # The chart's sheet: sales of north 3 and south 5, with nothing in A1.
    (table,) = chart.tables
    assert (table.columns, table.rows) == (("A", "B"), (1, 2, 3))
    assert table.cells == (("", "sales"), ("north", "3"), ("south", "5"))
    assert any("from Sheet1!$B$2:$B$3" in fact for fact in chart.facts)
    (masters,) = [node for node in tree.deck if node.words == "Masters and layouts used"]
    used = [(node.words, node.kind) for master in masters.children for node in master.children]
    assert used == [("Title and Content", "1 slide")]
    assert tree.counts[1].endswith("1 group")


def test_that_the_cells_shown_are_the_filled_rectangle_and_that_a_cut_is_said():
    # AA is column 27: from Z to AB are 26 to 28.
    table = cell_table(Sheet(name="S", cells={"Z3": "left", "AB4": 2.5}))
    assert (table.columns, table.rows, table.is_cut) == (("Z", "AA", "AB"), (3, 4), False)
    assert table.cells == (("left", "", ""), ("", "", "2.5"))
    tall = cell_table(Sheet(name="S", cells={"A1": 1.0, "A900": 2.0}))
    assert tall.is_cut
    assert len(tall.rows) == 200
    assert cell_table(Sheet(name="S", cells={})).cells == ()


def test_that_animation_steps_are_numbered_and_outline_their_shape():
    path = shared("corpus/pptx/openxmlsdk__animation.pptx")
    structure = read_structure(path, DeckFormat.PPTX)
    tree = tree_of(structure)
    moving = next(slide for slide in structure.slides if slide.effects)
    (motion,) = [node for node in tree.slides[moving.number] if node.words == "Animation, in order"]
    steps = [node for node in motion.children if not node.words.startswith("Transition")]
    assert [int(step.words.split(".")[0]) for step in steps] == list(range(1, len(moving.effects) + 1))
    shapes = {shape.id: shape for shape in moving.walk()}
    for step, effect in zip(steps, moving.effects, strict=True):
        if effect.shape_id in shapes and shapes[effect.shape_id].corners:
            assert step.outlines == (shapes[effect.shape_id].corners,)


def test_that_every_shared_deck_has_a_tree_with_every_shape_and_finite_outlines():
    seen = 0
    for path in sorted(shared("corpus/pptx").glob("*.pptx")):
        try:
            structure = read_structure(path, DeckFormat.PPTX)
        except StudioError:
            continue
        tree = tree_of(structure)
        for slide in structure.slides:
            if not slide.is_readable:
                continue
            (shapes,) = [node for node in tree.slides[slide.number] if node.words == "Shapes, back to front"]
            listed = list(shapes.walk())[1:]
            assert len(listed) == sum(1 for _ in slide.walk()), path.name
            assert all(np.isfinite(corners).all() for node in listed for corners in node.outlines)
            for node, shape in zip(listed, slide.walk(), strict=True):
                if shape.box is not None:
                    xs, ys = zip(*shape.corners, strict=True)
                    assert (min(xs), min(ys), max(xs), max(ys)) == (
                        shape.box.x0, shape.box.y0, shape.box.x1, shape.box.y1,
                    )  # fmt: skip
                assert len(node.tables) == (len(shape.chart.workbook.sheets) if shape.chart else 0)
            seen += len(listed)
    assert seen > 300


@pytest.mark.parametrize(
    ("format", "words"),
    [
        (DeckFormat.PDF, "pages, not shapes"), (DeckFormat.HTML, "drawn by its page"), (DeckFormat.IMAGES, "Pictures"),
        (DeckFormat.ODP, "OpenDocument"), (DeckFormat.PPT, "binary"),
    ],
)  # fmt: skip
def test_that_a_format_without_shapes_says_so_calmly(tmp_path, format, words):
    with make_project(tmp_path / "study") as project:
        deck = decks_of(project, "topic-1")["Aster"]
        care_store.act(project, "edit", Kind.DECK, deck, "", {"format": format.value})
        tree = deck_tree(project, deck)
    assert words in tree.why_none
    assert not tree.slides
