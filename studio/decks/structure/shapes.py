"""The shapes of one slide, layout or master, at every depth of grouping."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from studio.decks.limits import Limits
from studio.decks.structure.chart_parts import broken_chart, read_chart, read_smartart
from studio.decks.structure.geometry import Frame, Matrix, Placed, coverage, frame_of, group_matrix, placed
from studio.decks.structure.package import MC, A, Element, P, Package, PartFault, R, Relation
from studio.decks.structure.picture_size import pixels_of
from studio.decks.structure.shape_text import paragraphs_of, table_cells, table_paragraphs, wraps
from studio.decks.structure.text_styles import NO_STYLE, ListStyle, fit_of
from studio.model.structure import Box, Media, Picture, Shape, ShapeKind, SmartArt

_CHART_URIS = frozenset(
    {
        "http://schemas.openxmlformats.org/drawingml/2006/chart",
        "http://schemas.microsoft.com/office/drawing/2014/chartex",
    }
)
_DIAGRAM_URI = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
_SVG_BLIP = "{http://schemas.microsoft.com/office/drawing/2016/SVG/main}svgBlip"
_MEDIA_TAGS = frozenset({"videoFile", "audioFile", "wavAudioFile", "quickTimeFile", "media"})
_FILLS = ("solidFill", "gradFill", "blipFill", "pattFill", "grpFill")
_WHOLE = Placed(
    box=Box(x0=0.0, y0=0.0, x1=1.0, y1=1.0), corners=((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)),
    rotation_deg=0.0, area=1.0,
)  # fmt: skip
_MAX_DEPTH = 100


@dataclass(frozen=True, kw_only=True)
class Inherited:
    """Where the placeholders of a layout and its master are."""

    by_idx: dict[str, Frame] = field(default_factory=dict)
    by_type: dict[str, Frame] = field(default_factory=dict)
    styles_by_idx: dict[str, ListStyle] = field(default_factory=dict)
    styles_by_type: dict[str, ListStyle] = field(default_factory=dict)
    default_style: ListStyle = NO_STYLE
    """Of text outside of placeholders."""

    def frame(self, kind: str, idx: str) -> Frame | None:
        """Return the place that a placeholder inherits, or None."""
        same = {"ctrTitle": "title", "subTitle": "body", "obj": "body"}.get(kind, kind)
        for found in (self.by_idx.get(idx) if idx else None, self.by_type.get(kind), self.by_type.get(same)):
            if found is not None:
                return found
        return None

    def style(self, kind: str, idx: str) -> ListStyle:
        """Return the text style that a placeholder inherits."""
        same = {"ctrTitle": "title", "title": "title", "ftr": "other", "dt": "other", "sldNum": "other"}
        for found in (
            self.styles_by_idx.get(idx) if idx else None,
            self.styles_by_type.get(kind),
            self.styles_by_type.get(same.get(kind, "body")),
        ):
            if found is not None:
                return found
        return self.default_style


@dataclass(kw_only=True)
class PartReader:
    """Reads the shape tree of one part; a faulty shape costs a warning, never the part."""

    package: Package
    part: str
    slide_size_emu: tuple[int, int]
    limits: Limits
    inherited: Inherited = field(default_factory=Inherited)
    warnings: list[str] = field(default_factory=list)

    @property
    def relations(self) -> dict[str, Relation]:
        """The part's relations by id."""
        return self.package.relations(self.part)

    def shapes(self, root: Element) -> tuple[Shape, ...]:
        """Return the shapes of the part, back to front."""
        tree = root.find(f"{P}cSld/{P}spTree")
        return self._children(tree, Matrix(), 0) if tree is not None else ()

    def background(self, root: Element) -> Picture | None:
        """Return the picture that fills the part's own background, or None."""
        fill = root.find(f"{P}cSld/{P}bg/{P}bgPr/{A}blipFill")
        return self._picture(fill, _WHOLE) if fill is not None else None

    def _children(self, parent: Element, around: Matrix, depth: int) -> tuple[Shape, ...]:
        if depth > _MAX_DEPTH:
            self.warnings.append(f"groups are nested more than {_MAX_DEPTH} deep; what is deeper is left out")
            return ()
        readers: dict[str, Callable[[Element, Matrix, int], Shape]] = {
            f"{P}sp": self._drawn_shape,
            f"{P}cxnSp": self._connector,
            f"{P}pic": self._picture_shape,
            f"{P}grpSp": self._group,
            f"{P}graphicFrame": self._frame,
            f"{P}contentPart": self._other,
        }
        return tuple(
            readers[str(node.tag)](node, around, depth) for node in visible_children(parent) if node.tag in readers
        )

    def _shape(
        self, node: Element, kind: ShapeKind, around: Matrix, xfrm: Element | None, **more: Any
    ) -> tuple[dict[str, Any], Placed | None]:
        """Return what all shapes have, and the place."""
        properties = next((found for found in node if _local(found).startswith("nv")), None)
        names = properties.find(f"{P}cNvPr") if properties is not None else None
        holder = properties.find(f"{P}nvPr/{P}ph") if properties is not None else None
        kind_of_holder = holder.get("type", "obj") if holder is not None else None
        idx = holder.get("idx", "") if holder is not None else ""
        frame = frame_of(xfrm)
        if frame is None and kind_of_holder is not None:
            frame = self.inherited.frame(kind_of_holder, idx)
        place = placed(frame, around, self.slide_size_emu) if frame is not None else None
        return {
            "id": str(names.get("id", "")) if names is not None else "",
            "name": str(names.get("name", "")) if names is not None else "",
            "description": str(names.get("descr", "")) if names is not None else "",
            "is_hidden": names is not None and names.get("hidden") in {"1", "true"},
            "kind": kind,
            "box": place.box if place is not None else None,
            "corners": place.corners if place is not None else (),
            "rotation_deg": place.rotation_deg if place is not None else 0.0,
            "placeholder": kind_of_holder,
            "placeholder_idx": idx,
            **more,
        }, place

    def _drawn_shape(self, node: Element, around: Matrix, depth: int) -> Shape:
        look = node.find(f"{P}spPr")
        geometry = _geometry(look)
        own = node.find(f"{P}nvSpPr/{P}cNvSpPr")
        if own is not None and own.get("txBox") in {"1", "true"}:
            kind = ShapeKind.TEXT_BOX
        else:
            kind = ShapeKind.FREEFORM if geometry == "custom" else ShapeKind.AUTOSHAPE
        values, place = self._shape(node, kind, around, look.find(f"{A}xfrm") if look is not None else None)
        fill = look.find(f"{A}blipFill") if look is not None else None
        body = node.find(f"{P}txBody")
        holder = values["placeholder"]
        style = self.inherited.default_style
        if holder is not None:
            style = self.inherited.style(holder, values["placeholder_idx"])
        return Shape(
            **values, geometry=geometry, is_drawn=_is_drawn(look, node.find(f"{P}style")), wraps=wraps(body),
            fit=fit_of(body), paragraphs=paragraphs_of(body, style),
            picture=self._picture(fill, place) if fill is not None else None,
        )  # fmt: skip

    def _connector(self, node: Element, around: Matrix, depth: int) -> Shape:
        look = node.find(f"{P}spPr")
        xfrm = look.find(f"{A}xfrm") if look is not None else None
        values, _ = self._shape(node, ShapeKind.CONNECTOR, around, xfrm)
        return Shape(**values, geometry=_geometry(look))

    def _picture_shape(self, node: Element, around: Matrix, depth: int) -> Shape:
        look = node.find(f"{P}spPr")
        media = self._media(node)
        kind = ShapeKind.MEDIA if media is not None else ShapeKind.PICTURE
        values, place = self._shape(node, kind, around, look.find(f"{A}xfrm") if look is not None else None)
        return Shape(
            **values, geometry=_geometry(look), media=media, picture=self._picture(node.find(f"{P}blipFill"), place)
        )

    def _group(self, node: Element, around: Matrix, depth: int) -> Shape:
        xfrm = node.find(f"{P}grpSpPr/{A}xfrm")
        values, _ = self._shape(node, ShapeKind.GROUP, around, xfrm)
        return Shape(**values, children=self._children(node, group_matrix(xfrm, around), depth + 1))

    def _frame(self, node: Element, around: Matrix, depth: int) -> Shape:
        data = node.find(f"{A}graphic/{A}graphicData")
        uri = str(data.get("uri", "")) if data is not None else ""
        table = data.find(f"{A}tbl") if data is not None else None
        kind, more = ShapeKind.OTHER, dict[str, Any]()
        if table is not None:
            rows = table.findall(f"{A}tr")
            kind = ShapeKind.TABLE
            more = {
                "table_size": (len(rows), len(table.findall(f"{A}tblGrid/{A}gridCol"))),
                "table_cells": table_cells(table),
                "paragraphs": table_paragraphs(table, self.inherited.default_style),
            }
        elif data is not None and uri in _CHART_URIS:
            kind, more = ShapeKind.CHART, {"chart": self._chart(data)}
        elif data is not None and uri == _DIAGRAM_URI:
            kind, more = ShapeKind.SMARTART, {"smartart": self._smartart(data)}
        elif data is not None and next(data.iter(f"{P}oleObj"), None) is not None:
            kind = ShapeKind.OLE
        values, _ = self._shape(node, kind, around, node.find(f"{P}xfrm"), **more)
        return Shape(**values)

    def _other(self, node: Element, around: Matrix, depth: int) -> Shape:
        values, _ = self._shape(node, ShapeKind.OTHER, around, node.find("{*}xfrm"))
        return Shape(**values)

    def _chart(self, data: Element) -> Any:
        link = data.find("{*}chart")
        relation = self.relations.get(str(link.get(f"{R}id"))) if link is not None else None
        if relation is None or relation.is_external:
            chart = broken_chart("a chart has no chart part in the file")
        else:
            chart = read_chart(self.package, relation.target, self.limits)
        if chart.workbook.reason:
            self.warnings.append(chart.workbook.reason)
        return chart

    def _smartart(self, data: Element) -> SmartArt:
        link = data.find("{*}relIds")
        relation = self.relations.get(str(link.get(f"{R}dm"))) if link is not None else None
        try:
            if relation is None or relation.is_external:
                raise PartFault("it has no data part in the file")
            return read_smartart(self.package, relation.target)
        except PartFault as fault:
            self.warnings.append(f"a SmartArt cannot be read: {fault}")
            return SmartArt(part="", texts=(), connections=0)

    def _media(self, node: Element) -> Media | None:
        properties = node.find(f"{P}nvPicPr/{P}nvPr")
        found: list[Media] = []
        is_media = False
        for mark in properties.iter() if properties is not None else ():
            if _local(mark) not in _MEDIA_TAGS:
                continue
            is_media = True
            for name in ("embed", "link"):
                relation = self.relations.get(str(mark.get(f"{R}{name}")))
                if relation is not None:
                    found.append(media_of(self.package, relation))
        # PowerPoint names embedded media twice, the older way by a link that leads inside.
        found.sort(key=lambda media: (media.is_linked, media.is_missing))
        return found[0] if found else Media(target="", is_linked=False, is_missing=True) if is_media else None

    def _picture(self, fill: Element | None, place: Placed | None) -> Picture:
        covers = coverage(place) if place is not None else 0.0
        blip = fill.find(f"{A}blip") if fill is not None else None
        if blip is None:
            return Picture(part="", is_broken=True, coverage=covers)
        svg = next(blip.iter(_SVG_BLIP), None)
        svg_relation = self.relations.get(str(svg.get(f"{R}embed"))) if svg is not None else None
        svg_part = ""
        if svg_relation is not None and not svg_relation.is_external and self.package.has(svg_relation.target):
            svg_part = svg_relation.target
        relation = self.relations.get(str(blip.get(f"{R}embed") or blip.get(f"{R}link")))
        if relation is None:
            return Picture(part=svg_part, is_broken=not svg_part, svg_part=svg_part, coverage=covers)
        is_inside = not relation.is_external and self.package.has(relation.target)
        if is_inside and relation.target.lower().endswith((".svg", ".svgz")):
            svg_part = relation.target
        return Picture(
            part=relation.target, is_linked=relation.is_external, svg_part=svg_part, coverage=covers,
            is_broken=not relation.is_external and not is_inside, crop=_crop(fill),
            size_px=pixels_of(self.package, relation.target) if is_inside and not svg_part else None,
        )  # fmt: skip


def media_of(package: Package, relation: Relation) -> Media:
    """Return where a media relation leads."""
    return Media(
        target=relation.target, is_linked=relation.is_external,
        is_missing=not relation.is_external and not package.has(relation.target),
    )  # fmt: skip


def visible_children(parent: Element) -> Iterator[Element]:
    """Yield the children of an element, of alternatives the first choice (the fallback where there is none)."""
    for node in parent:
        if node.tag != f"{MC}AlternateContent":
            yield node
            continue
        chosen = node.find(f"{MC}Choice")
        if chosen is None:
            chosen = node.find(f"{MC}Fallback")
        if chosen is not None:
            yield from visible_children(chosen)


def _crop(fill: Element | None) -> tuple[float, float, float, float]:
    source = fill.find(f"{A}srcRect") if fill is not None else None
    if source is None:
        return (0.0, 0.0, 0.0, 0.0)
    left, top, right, bottom = (_share(source.get(side, "0")) for side in "ltrb")
    return (left, top, right, bottom)


def _share(text: str) -> float:
    try:
        return float(text.rstrip("%")) / (100.0 if text.endswith("%") else 100_000.0)
    except ValueError:
        return 0.0


def _local(node: Element) -> str:
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def _geometry(look: Element | None) -> str:
    if look is None:
        return ""
    preset = look.find(f"{A}prstGeom")
    if preset is not None:
        return str(preset.get("prst", ""))
    return "custom" if look.find(f"{A}custGeom") is not None else ""


def _is_drawn(look: Element | None, style: Element | None) -> bool:
    """Say whether a shape has a fill or an outline, its own or by its style."""
    return _has_fill(look, style) or _has_line(look, style)


def _has_fill(look: Element | None, style: Element | None) -> bool:
    if look is not None:
        if look.find(f"{A}noFill") is not None:
            return False
        if any(look.find(f"{A}{name}") is not None for name in _FILLS):
            return True
    return _style_index(style, "fillRef") > 0


def _has_line(look: Element | None, style: Element | None) -> bool:
    line = look.find(f"{A}ln") if look is not None else None
    if line is not None:
        if line.find(f"{A}noFill") is not None:
            return False
        if any(line.find(f"{A}{name}") is not None for name in _FILLS):
            return True
    return _style_index(style, "lnRef") > 0


def _style_index(style: Element | None, name: str) -> int:
    reference = style.find(f"{A}{name}") if style is not None else None
    text = reference.get("idx", "0") if reference is not None else "0"
    return int(text) if text.isdecimal() else 0
