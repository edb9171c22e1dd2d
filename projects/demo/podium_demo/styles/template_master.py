"""The slide master of Demo Template: theme, five layouts and their ornaments."""

from __future__ import annotations

from enum import IntEnum

from pptx import Presentation
from pptx.oxml.ns import qn
from pptx.presentation import Presentation as PresentationType
from pptx.slide import SlideLayout
from pptx.util import Inches

from podium_demo.styles import pptx_parts as parts

PALETTES: dict[str, dict[str, str]] = {
    "harbour": {
        "dk1": "1D2733",
        "lt1": "FFFFFF",
        "dk2": "12385B",
        "lt2": "EAF0F5",
        "accent1": "14588C",
        "accent2": "E98A2B",
        "accent3": "0C2A45",
        "accent4": "3FA7A0",
        "accent5": "7D8FA3",
        "accent6": "B3C4D3",
    },
    "moss": {
        "dk1": "24302A",
        "lt1": "FFFFFF",
        "dk2": "234B3A",
        "lt2": "EEF3EA",
        "accent1": "2F6B4F",
        "accent2": "D39B2A",
        "accent3": "17332A",
        "accent4": "7FA650",
        "accent5": "8A9A8F",
        "accent6": "C3D1C0",
    },
    "plum": {
        "dk1": "2B2233",
        "lt1": "FFFFFF",
        "dk2": "43275C",
        "lt2": "F3EEF7",
        "accent1": "6A3D9A",
        "accent2": "E0568A",
        "accent3": "2A1740",
        "accent4": "3E9BC4",
        "accent5": "948AA0",
        "accent6": "CDC3D8",
    },
}


class Layout(IntEnum):
    """Indexes of the layouts that `master` leaves."""

    TITLE = 0
    CLOSING = 1
    TWO = 2
    HEADING = 3


_KEPT = {0: Layout.TITLE, 1: Layout.CLOSING, 3: Layout.TWO, 5: Layout.HEADING}


def master(palette: dict[str, str]) -> PresentationType:
    """Return an empty 13.333 × 7.5 inch presentation with the master and its four layouts."""
    presentation = Presentation()
    presentation.slide_width, presentation.slide_height = Inches(13.333), Inches(7.5)
    for index, layout in reversed(list(enumerate(presentation.slide_layouts))):
        if index not in _KEPT:
            presentation.slide_layouts.remove(layout)
    parts.set_theme(presentation, palette, heading="Carlito", body="Carlito")
    slide_master = presentation.slide_master
    for shape in list(slide_master.placeholders):
        kind = shape.placeholder_format.idx
        if kind == 0:
            shape.left, shape.top, shape.width, shape.height = (Inches(v) for v in (0.85, 0.55, 11.6, 1.0))
        elif kind == 1:
            shape.left, shape.top, shape.width, shape.height = (Inches(v) for v in (0.85, 1.85, 11.6, 4.8))
        else:
            shape.element.getparent().remove(shape.element)
    _style_titles(slide_master._element)
    tree = slide_master.shapes._spTree
    bar = (0, 0, Inches(0.28), Inches(7.5))
    tree.insert(2, parts.rectangle_xml(101, "Band", bar, "accent1"))
    tree.insert(3, parts.rectangle_xml(102, "Tab", (0, Inches(0.72), Inches(0.28), Inches(0.7)), "accent2"))
    tree.insert(4, parts.rectangle_xml(103, "Line", (Inches(0.85), Inches(6.95), Inches(11.6), 9525), "accent6"))
    layouts = presentation.slide_layouts
    for layout in layouts:
        for shape in list(layout.placeholders):
            if shape.placeholder_format.idx >= 10:
                shape.element.getparent().remove(shape.element)
    _title_layout(layouts[Layout.TITLE])
    _closing_layout(layouts[Layout.CLOSING])
    _two_layout(layouts[Layout.TWO])
    _place(layouts[Layout.HEADING], 0, (0.85, 0.55, 11.6, 1.0))
    return presentation


def _style_titles(element: object) -> None:
    styles = element.find(qn("p:txStyles"))  # type: ignore[attr-defined]
    for bullet_font in styles.iter(qn("a:buFont")):
        bullet_font.set("typeface", "Carlito")
    title = styles.find(qn("p:titleStyle")).find(qn("a:lvl1pPr"))
    title.set("algn", "l")
    title.find(qn("a:defRPr")).set("sz", "3200")
    title.find(qn("a:defRPr")).set("b", "1")
    fill = title.find(qn("a:defRPr")).find(qn("a:solidFill"))
    fill[0].set("val", "tx2")
    body = styles.find(qn("p:bodyStyle")).find(qn("a:lvl1pPr"))
    body.set("marL", "0")
    body.set("indent", "0")
    body.find(qn("a:defRPr")).set("sz", "2000")
    for bullet in body.findall(qn("a:buChar")):
        bullet.getparent().replace(bullet, bullet.makeelement(qn("a:buNone"), {}))


def _place(layout: SlideLayout, idx: int, box: tuple[float, float, float, float]) -> None:
    shape = next(s for s in layout.placeholders if s.placeholder_format.idx == idx)
    shape.left, shape.top, shape.width, shape.height = (Inches(v) for v in box)


def _title_layout(layout: SlideLayout) -> None:
    layout._element.set("showMasterSp", "0")
    parts.set_ground(layout, "tx2")
    tree = layout.shapes._spTree
    tree.insert(
        2,
        parts.rectangle_xml(201, "Disc", tuple(Inches(v) for v in (7.75, 0.9, 5.6, 5.6)), "accent3", "ellipse"),
    )
    tree.insert(3, parts.rectangle_xml(202, "Foot", tuple(Inches(v) for v in (0, 7.2, 13.333, 0.3)), "accent2"))
    _place(layout, 0, (0.9, 1.7, 6.7, 2.3))
    _place(layout, 1, (0.9, 4.2, 6.5, 1.9))
    _whiten(layout, title_pt=46, body_pt=20)


def _closing_layout(layout: SlideLayout) -> None:
    layout._element.set("showMasterSp", "0")
    parts.set_ground(layout, "tx2")
    tree = layout.shapes._spTree
    tree.insert(2, parts.rectangle_xml(203, "Foot", tuple(Inches(v) for v in (0, 7.2, 13.333, 0.3)), "accent2"))
    tree.insert(3, parts.rectangle_xml(204, "Rule", tuple(Inches(v) for v in (0.9, 1.75, 1.2, 0.07)), "accent2"))
    _place(layout, 0, (0.9, 0.7, 11.5, 1.0))
    _place(layout, 1, (0.9, 2.2, 8.9, 4.4))
    _whiten(layout, title_pt=40, body_pt=26)


def _two_layout(layout: SlideLayout) -> None:
    _place(layout, 0, (0.85, 0.55, 11.6, 1.0))
    _place(layout, 1, (0.85, 1.85, 4.3, 4.8))
    _place(layout, 2, (5.45, 1.75, 7.1, 5.0))


def _whiten(layout: SlideLayout, *, title_pt: int, body_pt: int) -> None:
    for shape in layout.placeholders:
        is_title = shape.placeholder_format.idx == 0
        style = shape.element.txBody.find(qn("a:lstStyle"))
        for old in list(style):
            style.remove(old)
        level = style.makeelement(qn("a:lvl1pPr"), {"algn": "l", "marL": "0", "indent": "0"})
        spacing = level.makeelement(qn("a:spcAft"), {})
        spacing.append(spacing.makeelement(qn("a:spcPts"), {"val": "0" if is_title else "1200"}))
        level.append(spacing)
        level.append(level.makeelement(qn("a:buNone"), {}))
        run = level.makeelement(qn("a:defRPr"), {"sz": str((title_pt if is_title else body_pt) * 100)})
        run.set("b", "1" if is_title else "0")
        fill = run.makeelement(qn("a:solidFill"), {})
        fill.append(fill.makeelement(qn("a:schemeClr"), {"val": "bg1"}))
        run.append(fill)
        level.append(run)
        style.append(level)
        body = shape.element.txBody.find(qn("a:bodyPr"))
        body.set("anchor", "b" if is_title else "t")
