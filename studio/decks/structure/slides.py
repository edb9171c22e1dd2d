"""What one slide holds, counted in its XML at every depth of grouping."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from studio.decks.images import image_kind
from studio.decks.structure.charts import ChartData, chart_data
from studio.decks.structure.package import MC, A, Element, P, Package, PartFault, R, Relation

_VECTOR_MAGIC = (b"\x01\x00\x00\x00", b"\xd7\xcd\xc6\x9a", b"\x01\x00\x09\x00", b"\x02\x00\x09\x00")
_MEDIA_KINDS = frozenset({"audio", "video", "media"})
_MEDIA_MARKS = frozenset({"videoFile", "audioFile", "wavAudioFile", "quickTimeFile", "audioCd"})
_P14_MEDIA = "{http://schemas.microsoft.com/office/powerpoint/2010/main}media"
_DIAGRAM_URI = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
_CHART_URIS = frozenset(
    {
        "http://schemas.openxmlformats.org/drawingml/2006/chart",
        "http://schemas.microsoft.com/office/drawing/2014/chartex",
    }
)


@dataclass(kw_only=True)
class SlideCounts:
    """Counts of one slide while they are being made."""

    text_boxes: int = 0
    groups: int = 0
    pictures_embedded: int = 0
    pictures_linked: int = 0
    pictures_broken: int = 0
    charts: list[ChartData] = field(default_factory=list)
    tables: int = 0
    smartart: int = 0
    effects: int = 0
    has_transition: bool = False
    media_embedded: set[str] = field(default_factory=set)
    media_linked: set[str] = field(default_factory=set)
    fonts: set[str] = field(default_factory=set)
    warnings: list[str] = field(default_factory=list)


def without_fallbacks(root: Element) -> Iterator[Element]:
    """Walk an XML tree in order, leaving out what stands in ``mc:Fallback``."""
    stack = [root]
    while stack:
        node = stack.pop()
        if not isinstance(node.tag, str) or node.tag == f"{MC}Fallback":
            continue
        yield node
        stack.extend(reversed(node))


def count_slide(package: Package, part: str, root: Element) -> SlideCounts:
    """Return the counts of the slide `root` that is the part `part`; faults become warnings."""
    counts = SlideCounts()
    relations = package.relations(part)
    _check_relations(package, relations, counts)
    for node in without_fallbacks(root):
        tag = node.tag
        if tag == f"{P}sp":
            box = node.find(f"{P}nvSpPr/{P}cNvSpPr")
            counts.text_boxes += box is not None and box.get("txBox") in {"1", "true"}
        elif tag == f"{P}grpSp":
            counts.groups += 1
        elif tag == f"{P}pic":
            _count_picture(package, relations, node, counts)
        elif tag == f"{P}graphicFrame":
            _count_frame(package, relations, node, counts)
        elif tag == f"{P}transition":
            counts.has_transition = True
        elif tag == f"{P}cTn":
            counts.effects += node.get("presetClass") is not None
    counts.fonts |= fonts_in(root)
    _count_media(relations, counts)
    return counts


def fonts_in(root: Element) -> set[str]:
    """Return the font names that a part asks for; names of theme slots (``+mn-lt``) are left out."""
    names: set[str] = set()
    for tag in ("latin", "ea", "cs", "sym", "buFont"):
        for node in root.iter(f"{A}{tag}"):
            name = str(node.get("typeface", "")).strip()
            if name and not name.startswith("+"):
                names.add(name)
    return names


def _check_relations(package: Package, relations: dict[str, Relation], counts: SlideCounts) -> None:
    for relation in relations.values():
        if not relation.is_external and not package.has(relation.target):
            counts.warnings.append(
                f"relation {relation.id} points to a part that is not in the file: {relation.target}"
            )


def _count_picture(package: Package, relations: dict[str, Relation], node: Element, counts: SlideCounts) -> None:
    if _is_poster(node) or _is_ole_preview(node):
        return
    try:
        if _is_linked(package, relations, node):
            counts.pictures_linked += 1
            target = relations[str(node.find(f"{P}blipFill/{A}blip").get(f"{R}link"))].target  # type: ignore[union-attr]
            counts.warnings.append(f"a picture is linked, not in the file: {target}")
        else:
            counts.pictures_embedded += 1
    except PartFault as fault:
        counts.pictures_broken += 1
        counts.warnings.append(f"a picture cannot be read: {fault}")


def _is_linked(package: Package, relations: dict[str, Relation], node: Element) -> bool:
    """Say whether a picture is outside of the file, or raise `PartFault` with the reason why it is broken."""
    fill = node.find(f"{P}blipFill")
    if fill is None:
        raise PartFault("it has no picture fill")
    blip = fill.find(f"{A}blip")
    if blip is None:
        raise PartFault("its fill has no picture")
    embed, link = blip.get(f"{R}embed"), blip.get(f"{R}link")
    if embed:
        relation = relations.get(embed)
        if relation is None:
            raise PartFault(f"there is no relation {embed}")
        if relation.is_external:
            return True
        _check_image(package, relation.target)
        return False
    if link:
        relation = relations.get(link)
        if relation is None:
            raise PartFault(f"there is no relation {link}")
        if relation.is_external:
            return True
        _check_image(package, relation.target)
        return False
    raise PartFault("it names no image")


def _check_image(package: Package, part: str) -> None:
    head = package.head(part, 1024)
    if not head:
        raise PartFault(f"{part} is empty")
    content_type = package.content_type(part)
    if content_type and not content_type.startswith("image/"):
        raise PartFault(f"{part} is declared as {content_type}, not as an image")
    is_vector = head.startswith(_VECTOR_MAGIC) or b"<svg" in head or b"<?xml" in head[:64]
    # A zipped metafile (.emz, .wmz) is as good as the metafile.
    if image_kind(head[:16]) is None and not is_vector and not head.startswith((b"\x1f\x8b", b"\x00\x00\x00\x0cjP")):
        raise PartFault(f"{part} is not an image")


def _is_poster(node: Element) -> bool:
    properties = node.find(f"{P}nvPicPr/{P}nvPr")
    if properties is None:
        return False
    return any(
        child.tag == _P14_MEDIA or (isinstance(child.tag, str) and child.tag.rpartition("}")[2] in _MEDIA_MARKS)
        for child in properties.iter()
    )


def _is_ole_preview(node: Element) -> bool:
    return any(parent.tag == f"{P}oleObj" for parent in node.iterancestors())


def _count_frame(package: Package, relations: dict[str, Relation], node: Element, counts: SlideCounts) -> None:
    data = node.find(f"{A}graphic/{A}graphicData")
    if data is None:
        return
    uri = str(data.get("uri", ""))
    if data.find(f"{A}tbl") is not None:
        counts.tables += 1
    elif uri == _DIAGRAM_URI:
        counts.smartart += 1
    elif uri in _CHART_URIS:
        chart = data.find("{*}chart")
        counts.charts.append(_chart(package, relations, chart, counts))


def _chart(package: Package, relations: dict[str, Relation], chart: Element | None, counts: SlideCounts) -> ChartData:
    relation = relations.get(str(chart.get(f"{R}id"))) if chart is not None else None
    if relation is None or relation.is_external:
        counts.warnings.append("a chart has no chart part in the file")
        return ChartData.BROKEN
    state, reason = chart_data(package, relation.target)
    if reason:
        counts.warnings.append(reason)
    return state


def _count_media(relations: dict[str, Relation], counts: SlideCounts) -> None:
    for relation in relations.values():
        if relation.kind in _MEDIA_KINDS:
            (counts.media_linked if relation.is_external else counts.media_embedded).add(relation.target)
