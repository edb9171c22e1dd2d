"""The whole structure of a PowerPoint file: slides, layouts, masters and sections."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from studio.decks.limits import Limits
from studio.decks.structure.geometry import Frame, frame_of
from studio.decks.structure.motion import effects_of, has_build_list, transition_of
from studio.decks.structure.package import A, Element, P, Package, PartFault, R, opened_package
from studio.decks.structure.pptx import notes_text, presentation_of, size_of, slide_parts, slide_root_of
from studio.decks.structure.shapes import Inherited, PartReader, media_of
from studio.decks.structure.text_styles import ListStyle, list_style
from studio.model.decks import DeckFormat, DeckWarning
from studio.model.structure import (
    DeckStructure,
    LayoutStructure,
    Media,
    Section,
    Shape,
    ShapeKind,
    SlideStructure,
)

_P14 = "{http://schemas.microsoft.com/office/powerpoint/2010/main}"
_WIDESCREEN = (12_192_000, 6_858_000)
_MEDIA_KINDS = frozenset({"audio", "video", "media"})
_PLAIN_BACKGROUND = "1001"
"""Index of the theme's first background fill: the bare colour that every new file has."""


def read_structure(path: Path, format: DeckFormat, limits: Limits | None = None) -> DeckStructure:
    """Return the structure of a PowerPoint file; one bad part is one warning.

    Args:
        path: a file in the zip format, not encrypted.
        format: what sniffing said it is.
        limits: bounds on what is read.

    Raises:
        DeckUnreadable: if the package or its presentation part cannot be read at all.
    """
    limits = limits or Limits()
    with opened_package(path, limits) as package:
        part, root = presentation_of(package, path)
        size = size_of(root)
        reader = _Deck(
            package=package, size=size if size and min(size) > 0 else _WIDESCREEN, limits=limits,
            defaults=list_style(root.find(f"{P}defaultTextStyle")),
        )  # fmt: skip
        parts = slide_parts(package, part, root)
        limits.check_pages(len(parts), path.name)
        slides = tuple(reader.slide(number, name) for number, name in enumerate(parts, start=1))
        return DeckStructure(
            format=format,
            slide_size_emu=reader.size,
            slides=slides,
            layouts=tuple(found.structure for found in reader.layouts.values()),
            masters=tuple(found.structure for found in reader.masters.values()),
            sections=_sections(root),
            warnings=tuple(reader.warnings),
        )


@dataclass(frozen=True, kw_only=True)
class _Base:
    """A layout or master, and the places that it hands down."""

    structure: LayoutStructure
    inherited: Inherited


class _Deck:
    """Reads the parts of one deck, each layout and master once."""

    def __init__(self, *, package: Package, size: tuple[int, int], limits: Limits, defaults: ListStyle) -> None:
        self._bottom = Inherited(default_style=defaults)
        self.size = size
        self.layouts: dict[str, _Base] = {}
        self.masters: dict[str, _Base] = {}
        self.warnings: list[DeckWarning] = []
        self._package = package
        self._limits = limits

    def slide(self, number: int, part: str | None) -> SlideStructure:
        try:
            if part is None:
                raise PartFault("the slide list names a relation that is not in the file")
            root = slide_root_of(self._package, part)
        except PartFault as fault:
            self._warn(number, f"the slide cannot be read: {fault}")
            return SlideStructure(number=number, part=part or "", is_readable=False)
        layout = self._package.related(part, "slideLayout")
        base = self._layout(layout) if layout is not None else None
        if base is None or not base.structure.is_readable:
            self._warn(number, f"its layout cannot be read: {layout}" if layout else "the slide has no layout")
        reader = PartReader(
            package=self._package, part=part, slide_size_emu=self.size, limits=self._limits,
            inherited=base.inherited if base is not None else self._bottom,
        )  # fmt: skip
        shapes = reader.shapes(root)
        for message in reader.warnings:
            self._warn(number, message)
        return SlideStructure(
            number=number, part=part, is_hidden=root.get("show") in {"0", "false"},
            layout=layout if layout is not None and base is not None and base.structure.is_readable else "",
            has_own_background=root.find(f"{P}cSld/{P}bg") is not None,
            background_picture=reader.background(root),
            shows_master_shapes=_shows_master_shapes(root), shapes=shapes, effects=effects_of(root),
            has_build_list=has_build_list(root), transition=transition_of(root), media=self._media(part),
            notes=notes_text(self._package, part),
        )  # fmt: skip

    def _layout(self, part: str) -> _Base:
        if part not in self.layouts:
            master = self._package.related(part, "slideMaster")
            below = None
            if master is not None:
                if master not in self.masters:
                    self.masters[master] = self._base(master, "", None)
                below = self.masters[master]
            self.layouts[part] = self._base(part, master or "", below)
        return self.layouts[part]

    def _base(self, part: str, master: str, below: _Base | None) -> _Base:
        inherited = below.inherited if below is not None else self._bottom
        try:
            root = self._package.xml(part)
        except PartFault as fault:
            self._warn(None, f"a layout or master cannot be read: {fault}")
            return _Base(structure=LayoutStructure(part=part, name="", is_readable=False), inherited=inherited)
        reader = PartReader(
            package=self._package, part=part, slide_size_emu=self.size, limits=self._limits, inherited=inherited
        )
        own = [shape for shape in reader.shapes(root) if shape.placeholder is None]
        common = root.find(f"{P}cSld")
        has_master = below is not None and below.structure.is_readable
        return _Base(
            structure=LayoutStructure(
                part=part, name=str(common.get("name", "")) if common is not None else "",
                master=master if has_master else "",
                placeholders=tuple(
                    str(holder.get("type", "obj")) for holder in root.iter(f"{P}ph")
                ),
                own_shapes=len(own),
                vector_shapes=sum(_is_vector(inner) for shape in own for inner in shape.walk()),
                has_background=_has_background(root), shows_master_shapes=_shows_master_shapes(root),
                maps_layouts=self._mapped(part, root),
            ),
            inherited=_places(root, inherited),
        )  # fmt: skip

    def _mapped(self, part: str, root: Element) -> tuple[str, ...]:
        relations = self._package.relations(part)
        links = (relations.get(str(node.get(f"{R}id"))) for node in root.iterfind(f"{P}sldLayoutIdLst/{P}sldLayoutId"))
        return tuple(link.target for link in links if link is not None and not link.is_external)

    def _media(self, part: str) -> tuple[Media, ...]:
        found = {
            relation.target: media_of(self._package, relation)
            for relation in self._package.relations(part).values()
            if relation.kind in _MEDIA_KINDS
        }
        return tuple(found.values())

    def _warn(self, slide: int | None, message: str) -> None:
        self.warnings.append(DeckWarning(slide=slide, message=message))


def _places(root: Element, below: Inherited) -> Inherited:
    """Return where the placeholders of a layout or master are, those that it leaves open taken from below."""
    by_idx: dict[str, Frame] = {}
    by_type = dict(below.by_type)
    styles_by_idx: dict[str, ListStyle] = {}
    found_styles: dict[str, ListStyle] = {}
    styles_by_type = {**below.styles_by_type, **_master_styles(root, below.default_style)}
    for shape in root.iterfind(f"{P}cSld/{P}spTree/*"):
        holder = shape.find(f"*/{P}nvPr/{P}ph")
        if holder is None:
            continue
        kind, idx = str(holder.get("type", "obj")), str(holder.get("idx", ""))
        frame = frame_of(shape.find(f"{P}spPr/{A}xfrm")) or below.frame(kind, idx)
        if frame is not None:
            by_type[kind] = frame
            if idx:
                by_idx[idx] = frame
        own = list_style(shape.find(f"{P}txBody/{A}lstStyle"))
        here = Inherited(styles_by_type=styles_by_type, default_style=below.default_style)
        style = own.over(below.style(kind, "") if root.find(f"{P}txStyles") is None else here.style(kind, ""))
        if idx:
            styles_by_idx[idx] = style
        found_styles.setdefault(kind, style)
    return Inherited(
        by_idx=by_idx, by_type=by_type, styles_by_idx=styles_by_idx, styles_by_type={**styles_by_type, **found_styles},
        default_style=below.default_style,
    )  # fmt: skip


def _master_styles(root: Element, defaults: ListStyle) -> dict[str, ListStyle]:
    """Return what a master says of titles, bodies and the rest; nothing for a layout."""
    styles = root.find(f"{P}txStyles")
    if styles is None:
        return {}
    return {kind: list_style(styles.find(f"{P}{kind}Style")).over(defaults) for kind in ("title", "body", "other")}


def _shows_master_shapes(root: Element) -> bool:
    return root.get("showMasterSp", "1") not in {"0", "false"}


def _has_background(root: Element) -> bool:
    background = root.find(f"{P}cSld/{P}bg")
    if background is None:
        return False
    reference = background.find(f"{P}bgRef")
    if reference is None:
        return background.find(f"{P}bgPr") is not None
    colour = reference.find(f"{A}schemeClr")
    is_page_colour = colour is not None and colour.get("val") in {"bg1", "lt1"} and len(colour) == 0
    return reference.get("idx") != _PLAIN_BACKGROUND or not is_page_colour


def _is_vector(shape: Shape) -> bool:
    match shape.kind:
        case ShapeKind.AUTOSHAPE | ShapeKind.FREEFORM:
            return shape.is_drawn
        case ShapeKind.CONNECTOR | ShapeKind.CHART | ShapeKind.TABLE | ShapeKind.SMARTART:
            return True
        case ShapeKind.PICTURE:
            return shape.picture is not None and bool(shape.picture.svg_part)
        case _:
            return False


def _sections(root: Element) -> tuple[Section, ...]:
    numbers = {
        str(node.get("id")): number for number, node in enumerate(root.iterfind(f"{P}sldIdLst/{P}sldId"), start=1)
    }
    found = []
    for section in root.iter(f"{_P14}section"):
        ids = (str(node.get("id")) for node in section.iter(f"{_P14}sldId"))
        slides = tuple(numbers[each] for each in ids if each in numbers)
        found.append(Section(name=str(section.get("name", "")), slides=slides))
    return tuple(found)
