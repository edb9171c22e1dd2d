"""OpenDocument presentations: how many slides, which hidden, how large."""

from __future__ import annotations

import re
from pathlib import Path

from lxml import etree

from studio.decks.archive import ZIP_ERRORS, opened_zip, read_member
from studio.decks.limits import Limits, safe_xml_parser
from studio.errors import DeckUnreadable
from studio.model.decks import DeckFacts, DeckFormat, DeckWarning, FailureKind

_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_PRESENTATION = "{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}"
_FO = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}"
_EMU = {"in": 914_400, "cm": 360_000, "mm": 36_000, "pt": 12_700, "pc": 152_400}


def odp_facts(path: Path, limits: Limits) -> DeckFacts:
    """Return the slide facts of an OpenDocument presentation; its inner structure is not counted.

    Raises:
        DeckUnreadable: if its content cannot be read.
    """
    with opened_zip(path, limits) as archive:
        try:
            content = etree.fromstring(read_member(archive, "content.xml", limits.max_xml_bytes), safe_xml_parser())
            styles = (
                etree.fromstring(read_member(archive, "styles.xml", limits.max_xml_bytes), safe_xml_parser())
                if "styles.xml" in archive.namelist()
                else None
            )
        except (*ZIP_ERRORS, KeyError, etree.XMLSyntaxError) as error:
            raise DeckUnreadable(
                FailureKind.UNREADABLE, f"{path.name} is a damaged OpenDocument file: {error}."
            ) from error
    slides = list(content.iter(f"{_DRAW}page"))
    hidden_styles = {
        style.get(f"{_STYLE}name")
        for style in content.iter(f"{_STYLE}style")
        if any(p.get(f"{_PRESENTATION}visibility") == "hidden" for p in style)
    }
    hidden = tuple(
        number for number, slide in enumerate(slides, start=1) if slide.get(f"{_DRAW}style-name") in hidden_styles
    )
    return DeckFacts(
        format=DeckFormat.ODP,
        container="zip",
        slides=len(slides),
        hidden_slides=len(hidden),
        hidden=hidden,
        slide_size_emu=_size(styles),
        warnings=(
            DeckWarning(slide=None, message="The inner structure of OpenDocument presentations is not counted."),
        ),
    )


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
    match = re.fullmatch(r"([\d.]+)(in|cm|mm|pt|pc)", length or "")
    return round(float(match.group(1)) * _EMU[match.group(2)]) if match else None
