"""OpenDocument presentations: what their slides hold, which are hidden, how large they are."""

from __future__ import annotations

import posixpath
import re
import zipfile
from pathlib import Path
from urllib.parse import unquote

from lxml import etree

from studio.decks.archive import ZIP_ERRORS, opened_zip, read_member
from studio.decks.fonts import missing_fonts
from studio.decks.limits import Limits, safe_xml_parser
from studio.decks.structure.pptx import SlideText
from studio.errors import DeckUnreadable
from studio.model.decks import (
    AnimationCounts,
    ChartCounts,
    DeckFacts,
    DeckFormat,
    DeckWarning,
    FailureKind,
    FontFacts,
    MediaCounts,
    PictureCounts,
)

_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_PRESENTATION = "{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}"
_FO = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_SMIL = "{urn:oasis:names:tc:opendocument:xmlns:smil-compatible:1.0}"
_SVG = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_EMU = {"in": 914_400, "cm": 360_000, "mm": 36_000, "pt": 12_700, "pc": 152_400}


def odp_facts(path: Path, limits: Limits) -> DeckFacts:
    """Return the facts of an OpenDocument presentation.

    Raises:
        DeckUnreadable: if its content cannot be read.
    """
    with opened_zip(path, limits) as archive:
        content, styles = _roots(archive, path, limits)
        names = set(archive.namelist())
        kinds = _kinds(archive, limits)
    slides = list(content.iter(f"{_DRAW}page"))
    limits.check_pages(len(slides), path.name)
    hidden = _hidden(content, slides)
    pictures = [_picture_state(node, names) for slide in slides for node in _pictures(slide)]
    charts = [node for slide in slides for node in _shown(slide, f"{_DRAW}object") if "chart" in _kind(node, kinds)]
    effects = [
        sum(node.get(f"{_PRESENTATION}preset-class") is not None for node in slide.iter() if isinstance(node.tag, str))
        for slide in slides
    ]
    media = {str(node.get(_HREF)) for slide in slides for node in _shown(slide, f"{_DRAW}plugin") if node.get(_HREF)}
    asked = _fonts(content)
    return DeckFacts(
        format=DeckFormat.ODP,
        container="zip",
        slides=len(slides),
        hidden_slides=len(hidden),
        hidden=hidden,
        slide_size_emu=_size(styles),
        text_boxes=sum(
            node.getparent() is not None and node.getparent().get(f"{_PRESENTATION}class") is None  # type: ignore[union-attr]
            for slide in slides
            for node in _shown(slide, f"{_DRAW}text-box")
        ),
        groups=sum(len(_shown(slide, f"{_DRAW}g")) for slide in slides),
        pictures=PictureCounts(
            embedded=pictures.count("embedded"), linked=pictures.count("linked"), broken=pictures.count("broken")
        ),
        charts=ChartCounts(native=len(charts), with_workbook=len(charts)),
        tables=sum(len([t for t in _shown(slide, f"{_TABLE}table") if _is_in_frame(t)]) for slide in slides),
        media=MediaCounts(
            embedded=sum(_local(target) in names for target in media),
            linked=sum(_local(target) not in names for target in media),
        ),
        animations=AnimationCounts(effects=sum(effects), slides=sum(count > 0 for count in effects)),
        transitions=_transitions(content, slides),
        notes=sum(bool(_notes(slide)) for slide in slides),
        fonts=FontFacts(asked=asked, missing=missing_fonts(asked)),
        warnings=(DeckWarning(slide=None, message="Diagrams of OpenDocument presentations are not told from groups."),),
    )


def odp_slide_texts(path: Path, limits: Limits) -> tuple[SlideText, ...]:
    """Return the words of every slide in order.

    Raises:
        DeckUnreadable: as `odp_facts`.
    """
    with opened_zip(path, limits) as archive:
        content, _ = _roots(archive, path, limits)
    slides = list(content.iter(f"{_DRAW}page"))
    hidden = _hidden(content, slides)
    return tuple(
        SlideText(
            number=number, is_hidden=number in hidden, title=_title(slide), text="\n".join(_lines(slide)),
            notes=_notes(slide),
        )
        for number, slide in enumerate(slides, start=1)
    )  # fmt: skip


def _roots(archive: zipfile.ZipFile, path: Path, limits: Limits) -> tuple[etree._Element, etree._Element | None]:
    try:
        content = etree.fromstring(read_member(archive, "content.xml", limits.max_xml_bytes), safe_xml_parser())
        styles = (
            etree.fromstring(read_member(archive, "styles.xml", limits.max_xml_bytes), safe_xml_parser())
            if "styles.xml" in archive.namelist()
            else None
        )
    except (*ZIP_ERRORS, KeyError, etree.XMLSyntaxError) as error:
        raise DeckUnreadable(FailureKind.UNREADABLE, f"{path.name} is a damaged OpenDocument file: {error}.") from error
    return content, styles


def _kinds(archive: zipfile.ZipFile, limits: Limits) -> dict[str, str]:
    """Return the media types that the manifest gives, by path without slashes at its ends."""
    try:
        data = read_member(archive, "META-INF/manifest.xml", limits.max_xml_bytes)
        root = etree.fromstring(data, safe_xml_parser(recover=True))
    except (*ZIP_ERRORS, KeyError, DeckUnreadable, etree.XMLSyntaxError):
        return {}
    kinds = {}
    for node in root.iter("{*}file-entry") if root is not None else ():
        values = {str(etree.QName(key).localname): str(value) for key, value in node.attrib.items()}
        kinds[values.get("full-path", "").strip("/")] = values.get("media-type", "")
    return kinds


def _shown(slide: etree._Element, tag: str) -> list[etree._Element]:
    """Return the elements of a slide without those of its notes page."""
    return [
        node for node in slide.iter(tag) if not any(up.tag == f"{_PRESENTATION}notes" for up in node.iterancestors())
    ]


def _pictures(slide: etree._Element) -> list[etree._Element]:
    found = []
    for node in _shown(slide, f"{_DRAW}image"):
        frame = node.getparent()
        # Objects and tables carry a picture of themselves for readers that cannot draw them.
        stands_in = frame is not None and any(
            child.tag in {f"{_DRAW}object", f"{_DRAW}object-ole", f"{_DRAW}plugin", f"{_TABLE}table"} for child in frame
        )
        if not stands_in and (frame is None or frame.find(f"{_DRAW}image") is node):
            found.append(node)
    return found


def _picture_state(node: etree._Element, names: set[str]) -> str:
    target = str(node.get(_HREF, ""))
    if _local(target) in names or len(node):
        return "embedded"
    return "linked" if re.match(r"[a-z][a-z0-9+.-]*:|\.\./|/", target, re.IGNORECASE) else "broken"


def _local(target: str) -> str:
    return posixpath.normpath(unquote(target)) if target else ""


def _kind(node: etree._Element, kinds: dict[str, str]) -> str:
    return kinds.get(_local(str(node.get(_HREF, ""))), "")


def _is_in_frame(node: etree._Element) -> bool:
    parent = node.getparent()
    return parent is not None and parent.tag == f"{_DRAW}frame"


def _hidden(content: etree._Element, slides: list[etree._Element]) -> tuple[int, ...]:
    styles = {
        style.get(f"{_STYLE}name")
        for style in content.iter(f"{_STYLE}style")
        if any(p.get(f"{_PRESENTATION}visibility") == "hidden" for p in style)
    }
    return tuple(number for number, slide in enumerate(slides, start=1) if slide.get(f"{_DRAW}style-name") in styles)


def _transitions(content: etree._Element, slides: list[etree._Element]) -> int:
    moving = {
        style.get(f"{_STYLE}name")
        for style in content.iter(f"{_STYLE}style")
        if any(p.get(f"{_SMIL}type") or p.get(f"{_PRESENTATION}transition-style") not in {None, "none"} for p in style)
    }
    return sum(slide.get(f"{_DRAW}style-name") in moving for slide in slides)


def _fonts(content: etree._Element) -> tuple[str, ...]:
    names = {str(face.get(f"{_SVG}font-family", "")).strip("'\" ") for face in content.iter(f"{_STYLE}font-face")}
    return tuple(sorted((name for name in names if name), key=str.casefold))


def _title(slide: etree._Element) -> str:
    for frame in _shown(slide, f"{_DRAW}frame"):
        if frame.get(f"{_PRESENTATION}class") == "title":
            return " ".join(" ".join(_lines(frame)).split())
    return ""


def _lines(node: etree._Element) -> list[str]:
    lines = []
    for paragraph in node.iter(f"{_TEXT}p", f"{_TEXT}h"):
        if node.tag == f"{_DRAW}page" and any(up.tag == f"{_PRESENTATION}notes" for up in paragraph.iterancestors()):
            continue
        if line := "".join(str(piece) for piece in paragraph.itertext()).strip():
            lines.append(line)
    return lines


def _notes(slide: etree._Element) -> str:
    notes = slide.find(f"{_PRESENTATION}notes")
    if notes is None:
        return ""
    frames = [frame for frame in notes.iter(f"{_DRAW}frame") if frame.get(f"{_PRESENTATION}class") == "notes"]
    # Beside the notes stand fields for date and page number.
    return "\n".join(line for part in frames or [notes] for line in _lines(part))


def _size(styles: etree._Element | None) -> tuple[int, int] | None:
    if styles is None:
        return None
    layouts = {node.get(f"{_STYLE}name"): node for node in styles.iter(f"{_STYLE}page-layout")}
    for master in styles.iter(f"{_STYLE}master-page"):
        layout = layouts.get(master.get(f"{_STYLE}page-layout-name"))
        properties = layout.find(f"{_STYLE}page-layout-properties") if layout is not None else None
        if properties is not None:
            width, height = (_emu(properties.get(f"{_FO}page-{side}")) for side in ("width", "height"))
            if width and height:
                return (width, height)
    return None


def _emu(length: str | None) -> int | None:
    match = re.fullmatch(r"(\d+(?:\.\d+)?|\.\d+)(in|cm|mm|pt|pc)", length or "")
    return round(float(match.group(1)) * _EMU[match.group(2)]) if match else None
