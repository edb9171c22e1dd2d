"""PowerPoint files in the zip format: facts of the deck, and the words of each slide."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from studio.decks.fonts import missing_fonts
from studio.decks.limits import Limits
from studio.decks.structure.charts import ChartData
from studio.decks.structure.package import A, Element, P, Package, PartFault, R, main_part, opened_package
from studio.decks.structure.slides import SlideCounts, count_slide, fonts_in, without_fallbacks
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

_TITLES = frozenset({"title", "ctrTitle"})


@dataclass(frozen=True, kw_only=True)
class SlideText:
    """The words of one slide as its XML has them."""

    number: int
    is_hidden: bool
    title: str
    """Text of the title placeholder; empty without one."""
    text: str
    """All text of the slide in the order of its shapes, one paragraph a line, tables and groups counted."""
    notes: str
    fonts: tuple[str, ...] = ()
    """Fonts that the slide asks for, its layout, master and theme included."""


def pptx_facts(path: Path, format: DeckFormat, limits: Limits) -> DeckFacts:
    """Return the facts of a PowerPoint file; one bad part is one warning.

    Raises:
        DeckUnreadable: if the package or its presentation part cannot be read at all.
    """
    with opened_package(path, limits) as package:
        part, root = presentation_of(package, path)
        slides = slide_parts(package, part, root)
        limits.check_pages(len(slides), path.name)
        warnings: list[DeckWarning] = []
        counts: list[SlideCounts] = []
        hidden: list[int] = []
        n_notes = 0
        layouts: set[str] = set()
        for number, slide in enumerate(slides, start=1):
            try:
                slide_root = slide_root_of(package, slide)
            except PartFault as fault:
                warnings.append(DeckWarning(slide=number, message=f"the slide cannot be read: {fault}"))
                continue
            if _is_hidden(slide_root):
                hidden.append(number)
            found = count_slide(package, str(slide), slide_root)
            counts.append(found)
            warnings += [DeckWarning(slide=number, message=message) for message in found.warnings]
            n_notes += bool(notes_text(package, str(slide)))
            layout = package.related(str(slide), "slideLayout")
            if layout is not None:
                layouts.add(layout)
            else:
                warnings.append(DeckWarning(slide=number, message="the slide has no layout"))
        if any(name.lower().endswith("vbaproject.bin") for name in package.parts()):
            warnings.append(DeckWarning(slide=None, message="The file holds macros; they are never run."))
        asked = set().union(*(found.fonts for found in counts)) | _inherited_fonts(package, layouts)
        facts = DeckFacts(
            format=format,
            container="zip",
            slides=len(slides),
            hidden_slides=len(hidden),
            hidden=tuple(hidden),
            slide_size_emu=size_of(root),
            notes=n_notes,
            fonts=FontFacts(asked=tuple(sorted(asked, key=str.casefold)), missing=missing_fonts(asked)),
            warnings=tuple(warnings),
        )
        return _with_sums(facts, counts)


def slide_texts(path: Path, limits: Limits) -> tuple[SlideText, ...]:
    """Return the words of every slide in the order of the slide list; unreadable slides have none.

    Raises:
        DeckUnreadable: as `pptx_facts`.
    """
    with opened_package(path, limits) as package:
        part, root = presentation_of(package, path)
        texts: list[SlideText] = []
        inherited: dict[str | None, set[str]] = {}
        for number, slide in enumerate(slide_parts(package, part, root), start=1):
            try:
                slide_root = slide_root_of(package, slide)
            except PartFault:
                texts.append(SlideText(number=number, is_hidden=False, title="", text="", notes=""))
                continue
            layout = package.related(str(slide), "slideLayout")
            if layout not in inherited:
                inherited[layout] = _inherited_fonts(package, {layout} if layout else set())
            fonts = fonts_in(slide_root) | inherited[layout]
            texts.append(
                SlideText(
                    number=number,
                    fonts=tuple(sorted(fonts, key=str.casefold)),
                    is_hidden=_is_hidden(slide_root),
                    title=_title(slide_root),
                    text=_words(slide_root),
                    notes=notes_text(package, str(slide)),
                )
            )
        return tuple(texts)


def presentation_of(package: Package, path: Path) -> tuple[str, Element]:
    """Return the name and root of the presentation part.

    Raises:
        DeckUnreadable: kind ``unreadable``.
    """
    part = main_part(package, path.name)
    try:
        root = package.xml(part)
        if root.tag != f"{P}presentation":
            raise PartFault(f"the part {part} holds something else than a presentation")
        return part, root
    except PartFault as fault:
        raise DeckUnreadable(
            FailureKind.UNREADABLE,
            f"{path.name} cannot be read: {fault}.",
            next_step="Open it in PowerPoint, let it be repaired, and save it anew.",
        ) from fault


def slide_parts(package: Package, part: str, root: Element) -> list[str | None]:
    """Return the slide parts in the order of the slide list; None where the relation itself is missing."""
    relations = package.relations(part)
    found: list[str | None] = []
    for entry in root.iterfind(f"{P}sldIdLst/{P}sldId"):
        relation = relations.get(str(entry.get(f"{R}id")))
        found.append(None if relation is None or relation.is_external else relation.target)
    return found


def slide_root_of(package: Package, slide: str | None) -> Element:
    """Return the root of a slide part.

    Raises:
        PartFault: if the part is missing, damaged or no slide.
    """
    if slide is None:
        raise PartFault("the slide list names a relation that is not in the file")
    root = package.xml(slide)
    if root.tag != f"{P}sld":
        raise PartFault(f"the part {slide} holds something else than a slide")
    return root


def _is_hidden(root: Element) -> bool:
    return root.get("show") in {"0", "false"}


def size_of(root: Element) -> tuple[int, int] | None:
    """Return width and height of the slides in EMU, or None if the file does not say."""
    size = root.find(f"{P}sldSz")
    try:
        return (int(str(size.get("cx"))), int(str(size.get("cy")))) if size is not None else None
    except ValueError:
        return None


def _with_sums(facts: DeckFacts, counts: list[SlideCounts]) -> DeckFacts:
    charts = Counter(state for found in counts for state in found.charts)
    return replace(
        facts,
        text_boxes=sum(found.text_boxes for found in counts),
        groups=sum(found.groups for found in counts),
        pictures=PictureCounts(
            embedded=sum(found.pictures_embedded for found in counts),
            linked=sum(found.pictures_linked for found in counts),
            broken=sum(found.pictures_broken for found in counts),
        ),
        charts=ChartCounts(
            native=charts.total(),
            with_workbook=charts[ChartData.EMBEDDED],
            external=charts[ChartData.EXTERNAL],
            broken=charts[ChartData.BROKEN],
        ),
        tables=sum(found.tables for found in counts),
        smartart=sum(found.smartart for found in counts),
        media=MediaCounts(
            embedded=len(set().union(*(found.media_embedded for found in counts))),
            linked=len(set().union(*(found.media_linked for found in counts))),
        ),
        animations=AnimationCounts(
            effects=sum(found.effects for found in counts),
            slides=sum(found.effects > 0 for found in counts),
        ),
        transitions=sum(found.has_transition for found in counts),
    )


def _inherited_fonts(package: Package, layouts: set[str]) -> set[str]:
    """Return what the used layouts, their masters and themes ask for."""
    masters = {master for layout in layouts if (master := package.related(layout, "slideMaster"))}
    fonts: set[str] = set()
    for part in layouts | masters:
        try:
            fonts |= fonts_in(package.xml(part))
        except PartFault:
            continue
    for master in masters:
        theme = package.related(master, "theme")
        if theme is None:
            continue
        try:
            scheme = next(package.xml(theme).iter(f"{A}fontScheme"), None)
        except PartFault:
            continue
        if scheme is not None:
            fonts |= fonts_in(scheme)
    return fonts


def _title(root: Element) -> str:
    for shape in without_fallbacks(root):
        if shape.tag == f"{P}sp":
            placeholder = shape.find(f"{P}nvSpPr/{P}nvPr/{P}ph")
            if placeholder is not None and placeholder.get("type") in _TITLES:
                return " ".join(_words(shape).split())
    return ""


def _words(root: Element) -> str:
    """Return the text under an element, one paragraph a line, empty paragraphs left out."""
    lines: list[str] = []
    for paragraph in without_fallbacks(root):
        if paragraph.tag != f"{A}p":
            continue
        pieces: list[str] = []
        for node in without_fallbacks(paragraph):
            if node.tag == f"{A}t":
                pieces.append(node.text or "")
            elif node.tag == f"{A}br":
                pieces.append("\n")
        line = "".join(pieces).strip()
        if line:
            lines.append(line)
    return "\n".join(lines)


def notes_text(package: Package, slide: str) -> str:
    """Return the speaker notes of a slide part; empty without any."""
    part = package.related(slide, "notesSlide")
    if part is None:
        return ""
    try:
        root = package.xml(part)
    except PartFault:
        return ""
    texts = []
    for shape in without_fallbacks(root):
        if shape.tag != f"{P}sp":
            continue
        placeholder = shape.find(f"{P}nvSpPr/{P}nvPr/{P}ph")
        if placeholder is not None and placeholder.get("type") == "body":
            texts.append(_words(shape))
    return "\n".join(text for text in texts if text)
