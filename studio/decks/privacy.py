"""What in a deck names its maker: metadata, notes, file names and words on slides."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from lxml import etree

from studio.decks.archive import ZIP_ERRORS
from studio.decks.content import unpacked
from studio.decks.image_metadata import image_metadata
from studio.decks.images import page_images
from studio.decks.limits import Limits, safe_xml_parser
from studio.decks.mupdf import page_texts, pdf_metadata
from studio.decks.passwords import decrypted, is_encrypted_office
from studio.decks.sniff import main_html, sniff
from studio.decks.structure import OFFICE_FORMATS, slide_texts
from studio.decks.structure.html import read_html_deck, read_html_text
from studio.decks.structure.html_maker import html_metadata
from studio.decks.structure.package import Package, PartFault, opened_package
from studio.decks.workers import in_worker
from studio.errors import DeckUnreadable
from studio.model.decks import DeckFormat

_READ_S = 120.0
_PROPERTY_PARTS = ("docProps/core.xml", "docProps/app.xml", "docProps/custom.xml")
_TELLING = frozenset(
    {"creator", "lastModifiedBy", "Application", "AppVersion", "Company", "Manager", "title", "subject", "keywords",
     "description", "category", "Template", "HyperlinkBase", "identifier", "contentStatus", "generator", "producer",
     "author"}
)  # fmt: skip

GENERATORS: tuple[str, ...] = (
    "PptxGenJS", "python-pptx", "Aspose", "Apache POI", "LibreOffice", "OpenOffice", "Google Slides", "Keynote",
    "Gamma", "Beautiful.ai", "Tome", "Canva", "SlidesAI", "Decktopus", "Presentations.AI", "Pitch", "Prezi",
    "Plus AI", "MagicSlides", "SlidesGPT", "Kimi", "Manus", "Skywork", "Genspark", "Zhipu", "GLM", "Qwen", "NotebookLM",
    "ChatGPT", "GPT-4", "GPT-5", "OpenAI", "DALL-E", "DALL·E", "Claude", "Anthropic", "Gemini", "Nano Banana", "Imagen",
    "DeepSeek", "Copilot", "Midjourney", "Stable Diffusion", "ComfyUI", "AUTOMATIC1111", "Flux", "Ideogram",
    "PPTAgent", "AutoPresent", "SlideCoder", "AutoSlides", "DeepPresenter", "reveal.js", "impress.js", "Slidev", "Marp",
    "Beamer", "WPS", "iSlide", "Quark", "Doubao", "ERNIE", "MiniMax", "AiPPT",
)  # fmt: skip
"""Products whose names tell a judge what made a deck."""

_COMMON_WORDS = frozenset({"gamma", "tome", "canva", "pitch", "flux", "imagen", "quark", "gemini", "keynote", "plus ai",
                           "claude", "copilot", "beamer", "marp", "wps"})  # fmt: skip
"""Names that are also words: in running text they count only as they are written in the product's name."""


class Where(StrEnum):
    """In which part of a deck something was found."""

    METADATA = "metadata"
    FILE_NAME = "file_name"
    NOTES = "notes"
    SLIDE_TEXT = "slide_text"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One place that names a maker."""

    where: Where
    what: str
    """The property, part or file, such as ``docProps/core.xml: creator``."""
    slide: int | None
    """Slide number from 1, for notes and slide text."""
    text: str
    """What stands there, at most 200 characters around the name."""
    name: str
    """The system or product that it names; empty for metadata and notes that name none that is known."""
    is_stripped: bool
    """Whether `sanitised_copy` takes it away; words on slides stay."""


def privacy_findings(
    path: Path,
    *,
    systems: Sequence[str] = (),
    file_name: str | None = None,
    password: str | None = None,
    limits: Limits | None = None,
) -> tuple[Finding, ...]:
    """Return every place of a deck that names who or what made it.

    Metadata that is telling by itself (creator, program, company) is listed whatever it says; file names and
    words on slides only where they contain the name of one of `systems` or of a known product; notes always,
    since a judge must not see them.

    Args:
        path: a deck file or folder.
        systems: names of the systems under comparison.
        file_name: the name that the deck came with, if `path` has another.
        password: for a protected file.
        limits: bounds on what is read.

    Raises:
        DeckUnreadable: as `sniff`, or kind ``not_a_deck``.
    """
    limits = limits or Limits()
    names = _Names(systems)
    found = [
        Finding(where=Where.FILE_NAME, what="file name", slide=None, text=given, name=name, is_stripped=True)
        for given in [file_name or path.name]
        if (name := names.in_text(given, is_running_text=False))
    ]
    if path.is_file() and is_encrypted_office(path):
        with decrypted(path, password) as plain:
            return (*found, *_findings(plain, names, None, limits))
    return (*found, *_findings(path, names, password, limits))


def _findings(path: Path, names: _Names, password: str | None, limits: Limits) -> Iterator[Finding]:
    sniffed = sniff(path, limits=limits)
    if sniffed.deck_format in OFFICE_FORMATS:
        yield from _office(path, names, limits)
    elif sniffed.deck_format is DeckFormat.ODP:
        yield from _open_document(path, names, limits)
    elif sniffed.deck_format is DeckFormat.PDF:
        yield from _pdf(path, names, password)
    elif sniffed.deck_format is DeckFormat.HTML:
        yield from _html(path, names, limits)
    elif sniffed.deck_format is DeckFormat.IMAGES or sniffed.container == "image":
        yield from _images(path, names, limits)
    elif sniffed.deck_format is None:
        raise DeckUnreadable("not_a_deck", f"{path.name} is no deck but a {sniffed.what}.")


def _office(path: Path, names: _Names, limits: Limits) -> Iterator[Finding]:
    with opened_package(path, limits) as package:
        for part in _PROPERTY_PARTS:
            yield from names.in_metadata(part, _properties(package, part))
        for part in package.parts():
            if part.lower().startswith("ppt/media/"):
                try:
                    told = image_metadata(package.data(part))
                except PartFault:
                    continue
                yield from names.in_metadata(part, told, only_named=True)
                yield from names.in_name(part)
            elif re.match(r"ppt/commentauthors\.xml|ppt/authors\.xml", part.lower()):
                yield from names.in_metadata(part, _authors(package, part))
    for slide in slide_texts(path, limits):
        yield from names.in_notes(slide.number, slide.notes)
        yield from names.in_slide(slide.number, slide.text)


def _properties(package: Package, part: str) -> list[tuple[str, str]]:
    try:
        root = package.xml(part)
    except PartFault:
        return []
    found = []
    for node in root.iter():
        if not isinstance(node.tag, str) or not (node.text or "").strip():
            continue
        name = str(etree.QName(node).localname)
        if part.endswith("custom.xml"):
            parent = node.getparent()
            name = str(parent.get("name", name)) if parent is not None else name
        elif name not in _TELLING:
            continue
        found.append((name, str(node.text).strip()))
    return found


def _authors(package: Package, part: str) -> list[tuple[str, str]]:
    try:
        root = package.xml(part)
    except PartFault:
        return []
    return [("author", str(node.get("name"))) for node in root.iter() if isinstance(node.tag, str) and node.get("name")]


def _open_document(path: Path, names: _Names, limits: Limits) -> Iterator[Finding]:
    with opened_package(path, limits) as package:
        try:
            root = etree.fromstring(package.data("meta.xml"), safe_xml_parser())
        except (PartFault, etree.XMLSyntaxError, *ZIP_ERRORS):
            return
        told = [
            (str(etree.QName(node).localname), str(node.text).strip())
            for node in root.iter()
            if isinstance(node.tag, str) and (node.text or "").strip()
        ]
    wanted = _TELLING | {"initial-creator", "printed-by", "user-defined"}
    yield from names.in_metadata("meta.xml", [pair for pair in told if pair[0] in wanted])


def _pdf(path: Path, names: _Names, password: str | None) -> Iterator[Finding]:
    told = in_worker(pdf_metadata, str(path), password, timeout_s=_READ_S)
    yield from names.in_metadata("PDF information", told)
    for number, text in enumerate(in_worker(page_texts, str(path), password, timeout_s=_READ_S), start=1):
        yield from names.in_slide(number, text)


def _html(path: Path, names: _Names, limits: Limits) -> Iterator[Finding]:
    deck = read_html_deck(path, limits)
    page: Path | None = path
    if path.is_dir() or sniff(path, limits=limits).container == "zip":
        with unpacked(path, limits=limits) as folder:
            page = main_html(folder)
            text = read_html_text(page) if page is not None else ""
            for file in sorted(folder.rglob("*")):
                if file.is_file() and not file.is_symlink():
                    yield from names.in_name(file.relative_to(folder).as_posix())
    else:
        text = read_html_text(path)
    told, notes = html_metadata(text)
    yield from names.in_metadata("HTML head", told)
    for note in notes:
        yield from names.in_notes(None, note)
    if deck.slides is None:
        yield from names.in_slide(None, re.sub(r"<[^>]*>", " ", text))
    for number, words in enumerate(deck.texts, start=1):
        yield from names.in_slide(number, words)


def _images(path: Path, names: _Names, limits: Limits) -> Iterator[Finding]:
    if path.is_file() and sniff(path, limits=limits).container == "image":
        yield from names.in_metadata(path.name, image_metadata(path.read_bytes()))
        return
    with unpacked(path, limits=limits) as folder:
        for page in page_images(folder):
            limits.check_file_bytes(page.stat().st_size, page.name)
            yield from names.in_metadata(page.name, image_metadata(page.read_bytes()))
            yield from names.in_name(page.name)


class _Names:
    """The names to look for."""

    def __init__(self, systems: Sequence[str]) -> None:
        given = [system for system in systems if len(system.strip()) >= 2]
        self._patterns = [(name, _pattern(name, keeps_case=False)) for name in given]
        self._patterns += [(name, _pattern(name, keeps_case=False)) for name in GENERATORS]
        self._strict = [(name, _pattern(name, keeps_case=len(name) <= 3)) for name in given]
        self._strict += [(name, _pattern(name, keeps_case=name.lower() in _COMMON_WORDS)) for name in GENERATORS]

    def in_text(self, text: str, *, is_running_text: bool = True) -> str:
        """Return the first name that stands in the text, or an empty text."""
        patterns = self._strict if is_running_text else self._patterns
        return next((name for name, pattern in patterns if pattern.search(text)), "")

    def in_metadata(self, part: str, told: Sequence[tuple[str, str]], *, only_named: bool = False) -> Iterator[Finding]:
        for key, text in told:
            name = self.in_text(text, is_running_text=False)
            if name or not only_named:
                yield Finding(
                    where=Where.METADATA, what=f"{part}: {key}", slide=None, text=text[:200], name=name,
                    is_stripped=True,
                )  # fmt: skip

    def in_name(self, part: str) -> Iterator[Finding]:
        base = posixpath.basename(part)
        if name := self.in_text(base, is_running_text=False):
            yield Finding(where=Where.FILE_NAME, what=part, slide=None, text=base, name=name, is_stripped=False)

    def in_notes(self, number: int | None, notes: str) -> Iterator[Finding]:
        if notes.strip():
            yield Finding(
                where=Where.NOTES, what="notes", slide=number, text=notes[:200], name=self.in_text(notes),
                is_stripped=True,
            )  # fmt: skip

    def in_slide(self, number: int | None, text: str) -> Iterator[Finding]:
        for name, pattern in self._strict:
            match = pattern.search(text)
            if match is not None:
                around = text[max(0, match.start() - 60) : match.end() + 60]
                yield Finding(
                    where=Where.SLIDE_TEXT, what="words on the slide", slide=number,
                    text=" ".join(around.split())[:200], name=name, is_stripped=False,
                )  # fmt: skip


def _pattern(name: str, *, keeps_case: bool) -> re.Pattern[str]:
    # Between the words of a name anything that is no letter may stand: my_system-2 for "My System 2".
    words = [re.escape(word) for word in re.findall(r"\w+", name.replace("_", " "))]
    middle = r"[\W_]*".join(words) or re.escape(name)
    return re.compile(rf"(?<![^\W_]){middle}(?![^\W_])", 0 if keeps_case else re.IGNORECASE)
