"""The structure of an HTML deck: text, vector drawings, canvases and motion of each slide, no script run."""

from __future__ import annotations

import re
from pathlib import Path

from lxml import etree

from studio.decks.limits import Limits
from studio.decks.structure.html import page_slides
from studio.model.structure import WebSlide, WebStructure

_Element = etree._Element

_FRAME_OF_A_SLIDE = "data-marpit-svg"
"""Marp draws each slide inside an ``<svg>`` of its own; that one is no drawing."""
_PIECES = frozenset({"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "image", "use"})
_FEW_PIECES = 12
_MOTION_CLASSES = frozenset({"fragment", "v-click", "animate__animated", "animated", "animation", "build"})
_MOTION_ATTRIBUTES = (
    "data-transition",
    "data-background-transition",
    "data-auto-animate",
    "data-animate",
    "data-fragment-index",
    "data-marpit-fragment",
    "data-marpit-fragments",
)
_SVG_ADDRESS = re.compile(r"\.svgz?(?:[?#].*)?$|^data:image/svg\+xml", re.IGNORECASE)
_DRAWINGS = frozenset({"animate", "animatetransform", "animatemotion"})


def read_web_structure(path: Path, limits: Limits | None = None) -> WebStructure:
    """Return the structure of an HTML file, an HTML folder or a packed one.

    Raises:
        DeckUnreadable: if there is no page or it is too large.
    """
    body, slides, hidden = page_slides(path, limits or Limits())
    if slides:
        found = tuple(_slide(node, number, is_hidden=number in hidden) for number, node in enumerate(slides, start=1))
        return WebStructure(slides=found, are_slides_known=True)
    return WebStructure(slides=(_slide(body, 1),) if body is not None else (), are_slides_known=False)


def _slide(node: _Element, number: int, *, is_hidden: bool = False) -> WebSlide:
    svgs = [svg for svg in node.iter("svg") if svg.get(_FRAME_OF_A_SLIDE) is None and not _is_inside(svg, "svg", node)]
    pictures = [str(image.get("src") or image.get("data-src") or "") for image in node.iter("img")]
    linked_svgs = sum(bool(_SVG_ADDRESS.search(address.strip())) for address in pictures)
    linked_svgs += sum(
        bool(_SVG_ADDRESS.search(str(each.get("data") or each.get("src") or "").strip()))
        for each in node.iter("object", "embed")
    )
    n_pictures = len(pictures) - sum(bool(_SVG_ADDRESS.search(address.strip())) for address in pictures)
    return WebSlide(
        number=number,
        text=_text(node),
        heading=_heading(node),
        svgs=len(svgs) + linked_svgs,
        grouped_svgs=sum(_needs_no_group(svg) for svg in svgs),
        canvases=sum(1 for _ in node.iter("canvas")),
        images=n_pictures,
        tables=sum(1 for _ in node.iter("table")),
        media=sum(1 for _ in node.iter("audio", "video")),
        has_motion=any(_moves(each) for each in node.iter()),
        has_notes=_has_notes(node),
        is_hidden=is_hidden,
    )


def _is_inside(node: _Element, tag: str, end: _Element) -> bool:
    for parent in node.iterancestors():
        if parent is end:
            return False
        if parent.tag == tag and parent.get(_FRAME_OF_A_SLIDE) is None:
            return True
    return False


def _needs_no_group(svg: _Element) -> bool:
    if next(svg.iter("g"), None) is not None:
        return True
    return sum(each.tag in _PIECES for each in svg.iter()) <= _FEW_PIECES


def _moves(node: _Element) -> bool:
    if not isinstance(node.tag, str):
        return False
    classes = set(str(node.get("class", "")).split())
    return (
        bool(classes & _MOTION_CLASSES)
        or node.tag in _DRAWINGS
        or any(node.get(name) not in {None, "none"} for name in _MOTION_ATTRIBUTES)
    )


def _has_notes(node: _Element) -> bool:
    return bool(node.get("data-notes")) or any(_is_notes(each) and _all_text(each) for each in node.iter("aside"))


def _is_notes(node: _Element) -> bool:
    return "notes" in str(node.get("class", "")).split()


def _text(node: _Element) -> str:
    found = node.xpath(
        ".//text()[not(ancestor::script) and not(ancestor::style) and not(ancestor::template) "
        "and not(ancestor::aside[contains(concat(' ', normalize-space(@class), ' '), ' notes ')])]"
    )
    pieces = found if isinstance(found, list) else []
    return "\n".join(line for piece in pieces if (line := " ".join(str(piece).split())))


def _all_text(node: _Element) -> str:
    return "".join(str(piece) for piece in node.itertext()).strip()


def _heading(node: _Element) -> str:
    for each in node.iter("h1", "h2", "h3"):
        if text := " ".join(_all_text(each).split()):
            return text
    return ""
