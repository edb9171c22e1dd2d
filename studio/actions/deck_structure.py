"""The structure of a deck as a tree for people: shapes, groups, layouts, charts with their cells, motion, media."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from studio.actions.animation import step_in_words, structure_of
from studio.actions.care import deck_of
from studio.actions.figures import counted
from studio.decks.sniff import DECK_NAMES
from studio.model.decks import DeckFormat
from studio.model.ids import DeckId
from studio.model.passwords import PasswordVault
from studio.model.structure import (
    Chart,
    DeckStructure,
    Media,
    Shape,
    ShapeKind,
    Sheet,
    SlideStructure,
    WorkbookState,
)
from studio.store.project import Project

Corners = tuple[tuple[float, float], ...]

KIND_WORDS = {
    ShapeKind.TEXT_BOX: "text box",
    ShapeKind.AUTOSHAPE: "shape",
    ShapeKind.FREEFORM: "freeform",
    ShapeKind.CONNECTOR: "connector",
    ShapeKind.PICTURE: "picture",
    ShapeKind.GROUP: "group",
    ShapeKind.TABLE: "table",
    ShapeKind.CHART: "chart",
    ShapeKind.SMARTART: "SmartArt",
    ShapeKind.MEDIA: "audio or video",
    ShapeKind.OLE: "embedded object",
    ShapeKind.OTHER: "other",
}
MOST_ROWS, MOST_COLUMNS = 200, 50
"""Cells of a sheet beyond these are left out of the panel."""
_WHY_NONE = {
    DeckFormat.PDF: "A PDF has pages, not shapes: nothing in it can be listed as text boxes, groups or charts.",
    DeckFormat.HTML: "An HTML deck is drawn by its page: it has no masters, charts or animations of a slide file.",
    DeckFormat.IMAGES: "Pictures of slides are all that this deck has.",
    DeckFormat.ODP: "Of an OpenDocument file the shapes are not listed; save it as PowerPoint to see them.",
    DeckFormat.PPT: "Of the binary PowerPoint format the shapes are not listed; save it as .pptx to see them.",
}
_CELL = re.compile(r"([A-Z]+)([0-9]+)$")


@dataclass(frozen=True, kw_only=True)
class CellTable:
    """The filled part of a worksheet behind a chart."""

    sheet: str
    columns: tuple[str, ...]
    """Letters, from the first filled column to the last."""
    rows: tuple[int, ...]
    """Row numbers, likewise."""
    cells: tuple[tuple[str, ...], ...]
    """Text by row and column; empty where a cell is."""
    is_cut: bool = False
    """Whether there is more than is listed."""


@dataclass(frozen=True, kw_only=True)
class Node:
    """One line of the tree."""

    words: str
    kind: str = ""
    """What it is in a word or two, for the second column."""
    facts: tuple[str, ...] = ()
    """More about it, a line each."""
    outlines: tuple[Corners, ...] = ()
    """What to outline on the slide, as shares of its width and height; empty if it has no place."""
    tables: tuple[CellTable, ...] = ()
    """The cells of a chart's workbook."""
    is_open: bool = False
    """Whether its children show from the start."""
    children: tuple[Node, ...] = ()

    def walk(self) -> Iterator[Node]:
        """Yield the node and everything below it."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True, kw_only=True)
class DeckTree:
    """What the structure panel shows of one deck."""

    why_none: str = ""
    """Why there is no structure; empty if there is."""
    slides: Mapping[int, tuple[Node, ...]] = field(default_factory=dict)
    """Slide number → its nodes."""
    counts: Mapping[int, str] = field(default_factory=dict)
    """Slide number → what is on it in a few words."""
    deck: tuple[Node, ...] = ()
    """Nodes about the whole deck: masters with their layouts, sections, warnings."""


def deck_tree(project: Project, deck_id: DeckId, passwords: PasswordVault | None = None) -> DeckTree:
    """Return the structure of a deck as a tree.

    Args:
        project: the open project.
        deck_id: which deck.
        passwords: of protected decks.

    Raises:
        BadInput: if there is no such deck.
        DeckUnreadable: if its file cannot be read.
    """
    structure = structure_of(project, deck_id, passwords)
    if structure is not None:
        return tree_of(structure)
    deck = deck_of(project, deck_id)
    if deck.asset is None or deck.format is None:
        return DeckTree(why_none="This deck has no file.")
    format = DeckFormat(deck.format)
    known = DECK_NAMES.get(format, format.value)
    return DeckTree(why_none=_WHY_NONE.get(format, f"{known} has no structure that can be read here."))


def tree_of(structure: DeckStructure) -> DeckTree:
    """Return a structure as a tree."""
    return DeckTree(
        slides={slide.number: _slide_nodes(structure, slide) for slide in structure.slides},
        counts={slide.number: _counts(slide) for slide in structure.slides},
        deck=_deck_nodes(structure),
    )


def _counts(slide: SlideStructure) -> str:
    if not slide.is_readable:
        return "cannot be read"
    words = counted(sum(shape.kind is not ShapeKind.GROUP for shape in slide.walk()), "shape")
    groups = sum(shape.kind is ShapeKind.GROUP for shape in slide.walk())
    return f"{words} · {counted(groups, 'group')}" if groups else words


def _slide_nodes(structure: DeckStructure, slide: SlideStructure) -> tuple[Node, ...]:
    if not slide.is_readable:
        return (Node(words="This slide's part is missing or damaged", kind="warning", facts=(slide.part,)),)
    shapes = Node(
        words="Shapes, back to front", kind=str(sum(1 for _ in slide.walk())), is_open=True,
        children=tuple(_shape_node(shape) for shape in slide.shapes),
    )  # fmt: skip
    return tuple(
        node
        for node in (_layout_node(structure, slide), shapes, _motion_node(slide), _media_node(slide.media))
        if node is not None
    )


def _layout_node(structure: DeckStructure, slide: SlideStructure) -> Node:
    layout = structure.layout_of(slide)
    if layout is None:
        return Node(words="No layout", kind="layout", facts=("The slide's layout is missing or cannot be read.",))
    master = structure.master_of(layout)
    facts = [f"Part: {layout.part}", f"Placeholders: {', '.join(layout.placeholders) or 'none'}"]
    facts.append(f"Master: {(master.name or master.part) if master is not None else 'missing'}")
    if not slide.shows_master_shapes:
        facts.append("The slide hides the shapes of its layout and master.")
    if slide.has_own_background:
        facts.append("The slide has a background of its own.")
    return Node(words=layout.name or layout.part, kind="layout", facts=tuple(facts))


def _shape_node(shape: Shape) -> Node:
    kind = KIND_WORDS[shape.kind]
    said = " ".join(shape.text.split())
    name = shape.name or f"{kind} {shape.id}"
    words = f"{name} – {said}" if said and said != name else name
    if shape.chart is not None:
        kind = f"chart: {', '.join(_plain_type(name) for name in shape.chart.types) or 'unknown'}"
    elif shape.table_size is not None:
        kind = f"table {shape.table_size[0]} × {shape.table_size[1]}"
    elif shape.placeholder is not None and shape.kind is ShapeKind.AUTOSHAPE:
        kind = f"placeholder: {shape.placeholder}"
    return Node(
        words=words, kind=f"{kind} · hidden" if shape.is_hidden else kind, facts=tuple(_shape_facts(shape)),
        outlines=_outlines(shape), tables=_cell_tables(shape.chart), is_open=len(shape.children) <= 12,
        children=tuple(_shape_node(child) for child in shape.children),
    )  # fmt: skip


def _outlines(shape: Shape) -> tuple[Corners, ...]:
    """Return the shape's own corners; of a group that says no place, those of what is in it."""
    if shape.corners:
        return (shape.corners,)
    return tuple(corners for child in shape.children for corners in _outlines(child))


def _shape_facts(shape: Shape) -> Iterator[str]:
    yield f"{KIND_WORDS[shape.kind].capitalize()}, id {shape.id or 'none'}"
    if shape.placeholder is not None:
        yield f"Placeholder: {shape.placeholder}"
    if shape.box is None:
        yield "It says no place, and neither does its placeholder."
    else:
        box = shape.box
        place = f"left {box.x0:.1%}, top {box.y0:.1%}, width {box.width:.1%}, height {box.height:.1%}"
        yield f"Bounds: {place.replace('%', ' %')}" + (
            f", turned by {shape.rotation_deg:g}°" if shape.rotation_deg else ""
        )
    if shape.text.strip():
        sizes = sorted({run.size_pt for line in shape.paragraphs for run in line.runs if run.size_pt is not None})
        size = f" ({', '.join(f'{size:g}' for size in sizes)} pt)" if sizes else ""
        yield f"Text{size}: {shape.text}"
    if shape.description:
        yield f"Alternative text: {shape.description}"
    if shape.picture is not None:
        picture = shape.picture
        state = "linked, not in the file" if picture.is_linked else "broken" if picture.is_broken else "in the file"
        yield f"Picture: {picture.svg_part or picture.part or 'none'} ({state})"
    if shape.media is not None:
        yield f"Media: {_media_words(shape.media)}"
    if shape.smartart is not None:
        yield f"{counted(len(shape.smartart.texts), 'point')}, {counted(shape.smartart.connections, 'connection')}"
    if shape.chart is not None:
        yield from _chart_facts(shape.chart)


def _chart_facts(chart: Chart) -> Iterator[str]:
    if chart.title:
        yield f"Title: {chart.title}"
    yield f"Chart part: {chart.part or 'missing'}"
    for series in chart.series:
        values = ", ".join("–" if value is None else f"{value:g}" for value in series.values[:8])
        more = " …" if len(series.values) > 8 else ""
        cells = f" from {series.values_ref}" if series.values_ref else ", typed into the chart"
        yield f"Series {series.name or 'without a name'}: {values or 'no values'}{more}{cells}"
    book = chart.workbook
    state = {
        WorkbookState.EMBEDDED: "in the file", WorkbookState.EXTERNAL: "outside of the file",
        WorkbookState.BROKEN: "broken",
    }[book.state]  # fmt: skip
    yield f"Workbook: {book.part or 'none'} ({state})" + (f": {book.reason}" if book.reason else "")
    if book.missing_refs:
        yield f"Cells that are not filled: {', '.join(book.missing_refs)}"
    if not book.is_readable:
        yield "Its cells are in a binary format that is not read here."


def _plain_type(name: str) -> str:
    """Return ``bar`` for ``barChart``."""
    return name.removesuffix("Chart") or name


def _cell_tables(chart: Chart | None) -> tuple[CellTable, ...]:
    return tuple(cell_table(sheet) for sheet in chart.workbook.sheets) if chart is not None else ()


def cell_table(sheet: Sheet) -> CellTable:
    """Return the filled rectangle of a sheet, at most 200 rows and 50 columns of it."""
    filled: dict[tuple[int, int], str] = {}
    for address, value in sheet.cells.items():
        match = _CELL.match(address)
        if match is not None:
            filled[int(match[2]), _column_number(match[1])] = f"{value:.10g}" if isinstance(value, float) else value
    if not filled:
        return CellTable(sheet=sheet.name, columns=(), rows=(), cells=(), is_cut=sheet.is_cut)
    all_rows, all_columns = {row for row, _ in filled}, {column for _, column in filled}
    rows = range(min(all_rows), min(max(all_rows), min(all_rows) + MOST_ROWS - 1) + 1)
    columns = range(min(all_columns), min(max(all_columns), min(all_columns) + MOST_COLUMNS - 1) + 1)
    return CellTable(
        sheet=sheet.name, columns=tuple(_column_letters(column) for column in columns), rows=tuple(rows),
        cells=tuple(tuple(filled.get((row, column), "") for column in columns) for row in rows),
        is_cut=sheet.is_cut or rows[-1] < max(all_rows) or columns[-1] < max(all_columns),
    )  # fmt: skip


def _column_number(letters: str) -> int:
    number = 0
    for each in letters:
        number = number * 26 + ord(each) - ord("A") + 1
    return number


def _column_letters(number: int) -> str:
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _motion_node(slide: SlideStructure) -> Node | None:
    shapes = {shape.id: shape for shape in slide.walk()}
    names = {id: shape.name or shape.text for id, shape in shapes.items()}
    steps = [] if slide.transition is None else [Node(words=f"Transition: {slide.transition or 'plain'}")]
    steps += [
        Node(
            words=f"{place}. {step_in_words(effect, names)}",
            outlines=_outlines(shapes[effect.shape_id]) if effect.shape_id in shapes else (),
        )
        for place, effect in enumerate(slide.effects, start=1)
    ]
    if not steps:
        return None
    return Node(words="Animation, in order", kind=str(len(steps)), is_open=True, children=tuple(steps))


def _media_node(media: Sequence[Media]) -> Node | None:
    if not media:
        return None
    lines = tuple(Node(words=_media_words(item)) for item in media)
    return Node(words="Media", kind=str(len(media)), is_open=True, children=lines)


def _media_words(media: Media) -> str:
    state = "missing" if media.is_missing else "linked" if media.is_linked else "in the file"
    return f"{media.target or 'unknown'} ({state})"


def _deck_nodes(structure: DeckStructure) -> tuple[Node, ...]:
    used: dict[str, list[int]] = {}
    for slide in structure.slides:
        used.setdefault(slide.layout, []).append(slide.number)
    masters = []
    for master in structure.masters:
        layouts = [layout for layout in structure.layouts if layout.master == master.part]
        children = [
            Node(
                words=layout.name or layout.part, kind=counted(len(used.get(layout.part, ())), "slide"),
                facts=(
                    f"Slides: {', '.join(map(str, used.get(layout.part, ())))}", f"Part: {layout.part}",
                    f"Placeholders: {', '.join(layout.placeholders) or 'none'}",
                    f"Shapes of its own: {layout.own_shapes}",
                ),
            )
            for layout in layouts
        ]  # fmt: skip
        facts = (f"Part: {master.part}", f"Shapes of its own: {master.own_shapes}",
                 f"Layouts that it lists: {len(master.maps_layouts)}, used here: {len(layouts)}")  # fmt: skip
        masters.append(Node(words=master.name or master.part, kind="master", facts=facts, children=tuple(children)))
    nodes = [Node(words="Masters and layouts used", kind=str(len(masters)), children=tuple(masters))]
    if structure.sections:
        sections = tuple(
            Node(words=section.name or "without a name", kind=counted(len(section.slides), "slide"))
            for section in structure.sections
        )
        nodes.append(Node(words="Sections", kind=str(len(sections)), children=sections))
    if structure.warnings:
        warnings = tuple(
            Node(words=(f"slide {warning.slide}: " if warning.slide is not None else "") + warning.message)
            for warning in structure.warnings
        )
        nodes.append(Node(words="Could not be read", kind=str(len(warnings)), children=warnings))
    return tuple(nodes)
