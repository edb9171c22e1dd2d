"""What judges are shown of a project: slides of decks and pages of sources, as pictures or as text, with labels."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from studio.checklists.pages import Mode
from studio.decks.limits import Limits
from studio.decks.mupdf import pdf_facts
from studio.decks.mupdf_pages import PagePicture, render_pages
from studio.decks.sources import read_source
from studio.decks.workers import in_worker
from studio.errors import DeckUnreadable
from studio.jobs.metrics_job import why_not
from studio.judges.prompts import prompt
from studio.judges.shown import ShownDeck
from studio.model.authoring import JudgedPages
from studio.model.checklists import Checklist
from studio.model.decks import Deck, DeckFormat, Slide, Source, SourceFormat, slide_file_name
from studio.model.ids import DeckId, InstanceId, Sha256
from studio.model.judging import FilePart, ImagePart, Part, TextPart
from studio.model.judging_options import WHOLE_FILES, ShownAs
from studio.model.protocols import CancelToken
from studio.model.reflex import DocumentObject
from studio.perturb.other_files import rearranged_pdf
from studio.store import checklist_lists
from studio.store import decks as deck_store
from studio.store.page_cache import PAGES_PREFIX, mark_used
from studio.store.project import Project
from studio.store.values import plain

SOURCE_PX = (1240, 1754)
"""The box that a source's page is fitted into: an A4 page at 150 dots an inch, as the reference draws it."""
_CHUNK = 16
"""Pages drawn in one call, so that a long source can be stopped."""
_TIMEOUT_S = 300.0
PDF_MIME = "application/pdf"
_OFFICE_MIME = {
    DeckFormat.PPTX: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    DeckFormat.PPT: "application/vnd.ms-powerpoint",
    DeckFormat.ODP: "application/vnd.oasis.opendocument.presentation",
}
_MIME = {"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "gif": "image/gif"}


class NothingToShow(Exception):
    """A deck or a source cannot be shown, as ``kind: reason``."""


class Material:
    """Reads what judges are shown, once for each deck and instance.

    Args:
        project: open for writing where pages of sources must be drawn.
        input: pictures or text.
        mode: whose page rule counts where the reference and the studio differ.
        cancel: stops the drawing of sources.
    """

    def __init__(
        self, project: Project, *, input: ShownAs, mode: Mode = Mode.DEFAULT, cancel: CancelToken | None = None
    ) -> None:
        self.input = input
        self._project = project
        self._mode = mode
        self._cancel = cancel
        self._merged = checklist_lists.checklists(project)
        self._asked: dict[DeckId, tuple[Checklist, JudgedPages]] = {}
        self._slides: dict[DeckId, list[tuple[int, Slide, Part]]] = {}
        self._sources: dict[InstanceId, tuple[Part, ...]] = {}
        self._documents: dict[InstanceId, DocumentObject | None] = {}

    @property
    def note(self) -> tuple[Part, ...]:
        """What is said before everything else: that text or a whole file stands in for pictures."""
        if self.input is ShownAs.TEXT:
            return (TextPart(text=prompt("text-input").filled()),)
        return (TextPart(text=prompt("file-input").filled()),) if self.input in WHOLE_FILES else ()

    def checklist(self, deck: Deck) -> tuple[Checklist, JudgedPages]:
        """Return what a deck is asked, and the pages that the project's page rule leaves."""
        if deck.id not in self._asked:
            self._asked[deck.id] = checklist_lists.checklist_of_deck(
                self._project, deck, known=self._merged[deck.instance_id], mode=self._mode
            )
        return self._asked[deck.id]

    def deck(self, deck: Deck, *, name: str = "deck") -> ShownDeck:
        """Return a deck as parts; each label begins with `name`.

        Raises:
            NothingToShow: if it has no pages.
        """
        listed = self._listed(deck)
        parts: Sequence[Part] = [part for _, _, part in listed]
        if self.input in WHOLE_FILES:
            parts = self._file(deck, [slide for _, slide, _ in listed])
        return ShownDeck(
            deck_id=deck.id, parts=tuple(_named(part, name) for part in parts),
            slides=tuple(slide.number for _, slide, _ in listed), texts=tuple(slide.text for _, slide, _ in listed),
            pages=self.pages(deck),
        )  # fmt: skip

    def pages(self, deck: Deck) -> dict[str, object]:
        """Return the page rule and what it came to for a deck, as it is stored beside each value."""
        pages = self.checklist(deck)[1]
        rule = "cut" if checklist_lists.cuts(self._project) else "full"
        found: dict[str, object] = {"rule": rule, "input": self.input.value, **plain(pages)}
        return found

    def sources(self, instance_id: InstanceId) -> tuple[Part, ...]:
        """Return the pages of an instance's sources, in the order of their names.

        Raises:
            NothingToShow: if one cannot be read or drawn, or there is none.
        """
        if instance_id not in self._sources:
            sources = deck_store.list_sources(self._project, instance_id)
            if not sources:
                raise NothingToShow("no_sources: the instance has no sources")
            parts: list[Part] = []
            for number, source in enumerate(sources, start=1):
                try:
                    parts += self._source(source, number)
                except DeckUnreadable as error:
                    raise NothingToShow(f"{error.kind}: source {source.name}: {error.message}") from error
            self._sources[instance_id] = tuple(parts)
        return self._sources[instance_id]

    def document(self, instance_id: InstanceId) -> DocumentObject | None:
        """Return an instance's sources as topics; None if it has none that can be read."""
        if instance_id not in self._documents:
            # Imported here: it loads a library that takes seconds.
            from studio.perturb.topics import document_of

            texts = []
            for source in deck_store.list_sources(self._project, instance_id):
                path = self._project.asset_path(source.asset, source.extension)
                try:
                    texts.append(read_source(path, source.format, cancel=self._cancel))
                except DeckUnreadable:
                    continue
            self._documents[instance_id] = document_of(texts) if texts else None
        return self._documents[instance_id]

    def _listed(self, deck: Deck) -> list[tuple[int, Slide, Part]]:
        """Return place, slide and part of each judged slide."""
        if deck.id in self._slides:
            return self._slides[deck.id]
        reason = why_not(deck)
        folder = deck_store.page_folder(self._project, deck.id)
        if not reason and folder is None and self.input is ShownAs.PICTURES:
            reason = "not_rendered: the deck's pictures were removed from the cache; render it again"
        if reason and self.input is not ShownAs.OFFICE:
            raise NothingToShow(reason)
        slides = {slide.number: slide for slide in deck_store.list_slides(self._project, deck.id)}
        found = []
        for place, number in enumerate(self.checklist(deck)[1].slides, start=1):
            slide = slides.get(number)
            if slide is not None:
                found.append((place, slide, self._part(slide, place, folder)))
        if not found:
            raise NothingToShow("no_slides: the deck has no visible slide")
        self._slides[deck.id] = found
        return found

    def _file(self, deck: Deck, judged: Sequence[Slide]) -> list[Part]:
        """Return a deck as one file that holds the judged slides and nothing else.

        Raises:
            NothingToShow: if there is no such file.
        """
        if deck.asset is None or deck.format is None:
            raise NothingToShow("no_file: the deck has no file")
        own = self._project.asset_path(deck.asset, deck.extension)
        if self.input is ShownAs.OFFICE and deck.format is not DeckFormat.PDF:
            if deck.format not in _OFFICE_MIME:
                raise NothingToShow(f"no_file: a deck of this kind ({deck.format.value}) is no file that judges read")
            if len(judged) != deck.slides:
                raise NothingToShow(
                    f"cannot_cut: {len(judged)} of the file's {deck.slides} slides are judged, and it cannot be cut"
                )
            return [FilePart(path=own, sha256=deck.asset, label="", mime=_OFFICE_MIME[deck.format], pages=deck.slides)]
        folder = deck_store.page_folder(self._project, deck.id)
        drawn = folder / "deck.pdf" if folder is not None else None
        source = own if deck.format is DeckFormat.PDF else drawn
        if source is None or not source.is_file():
            raise NothingToShow("no_pdf: there is no PDF of this deck; show it as pictures")
        pages = [slide.page for slide in judged if slide.page is not None]
        if len(pages) != len(judged):
            raise NothingToShow("no_pdf: some judged slides have no page; show the deck as pictures")
        path = self._cut(source, pages)
        parts: list[Part] = [FilePart(path=path, sha256=file_sha(path), label="", mime=PDF_MIME, pages=len(pages))]
        numbers = [slide.number for slide in judged]
        if numbers != list(range(1, len(numbers) + 1)):
            parts.append(TextPart(text=f"pages are, in order, the slides {', '.join(map(str, numbers))}."))
        return parts

    def _cut(self, source: Path, pages: Sequence[int]) -> Path:
        """Return a PDF with these pages only: the file itself if that is all it has, else a copy in the cache."""
        facts = in_worker(
            pdf_facts, str(source), None, Limits().max_pages, timeout_s=_TIMEOUT_S, cancel=self._cancel
        )  # fmt: skip
        if list(pages) == list(range(1, facts.pages + 1)):
            return source
        name = hashlib.sha256(f"{file_sha(source)} {list(pages)}".encode()).hexdigest()[:32]
        folder = self._project.cache_folder / f"{PAGES_PREFIX}file-{name}"
        if not folder.is_dir():
            staging = folder.with_name(f".{folder.name}.{os.getpid()}.0")
            shutil.rmtree(staging, ignore_errors=True)
            staging.mkdir(parents=True)
            try:
                in_worker(
                    rearranged_pdf, str(source), tuple(pages), str(staging / "deck.pdf"), timeout_s=_TIMEOUT_S,
                    cancel=self._cancel,
                )  # fmt: skip
                staging.rename(folder)
            finally:
                shutil.rmtree(staging, ignore_errors=True)
        mark_used(folder)
        return folder / "deck.pdf"

    def _part(self, slide: Slide, place: int, folder: Path | None) -> Part:
        label = f"slide {slide.number}" if slide.number == place else f"slide {slide.number} (page {place})"
        if self.input is not ShownAs.PICTURES:
            return TextPart(text=f"{label}:\n{slide.text.strip() or '(no text)'}")
        picture = folder / slide_file_name(slide.number) if folder is not None else None
        if slide.page is None or picture is None or not picture.is_file():
            return TextPart(text=f"{label}:\n(no picture of this slide could be made)")
        size = (slide.width_px, slide.height_px) if slide.width_px and slide.height_px else None
        return ImagePart(path=picture, sha256=file_sha(picture), label=label, size_px=size)

    def _source(self, source: Source, number: int) -> Sequence[Part]:
        path = self._project.asset_path(source.asset, source.extension)
        name = f"source {number}"
        if source.format is SourceFormat.IMAGE and self.input is ShownAs.PICTURES:
            mime = _MIME.get(source.extension.lower())
            if mime is not None:
                return [ImagePart(path=path, sha256=source.asset, label=f"{name} page 1", mime=mime)]
        if source.format is SourceFormat.PDF and self.input is ShownAs.PICTURES:
            return [
                ImagePart(path=picture, sha256=file_sha(picture), label=f"{name} page {page}", size_px=size)
                for page, (picture, size) in enumerate(self._drawn(source, path), start=1)
            ]
        if source.format is SourceFormat.PDF and self.input in WHOLE_FILES:
            return [FilePart(path=path, sha256=source.asset, label=name, mime=PDF_MIME)]
        text = read_source(path, source.format, cancel=self._cancel)
        return [TextPart(text=f"{name} page {page.number}:\n{page.text.strip()}") for page in text.pages]

    def _drawn(self, source: Source, path: Path) -> list[tuple[Path, tuple[int, int]]]:
        """Return the pictures of a PDF's pages with their sizes, drawn now if they are not in the cache."""
        folder = self._project.cache_folder / f"{PAGES_PREFIX}source-{source.asset[:24]}-{SOURCE_PX[0]}x{SOURCE_PX[1]}"
        if not folder.is_dir():
            # Beside its name first: a drawing that was stopped leaves no half folder.
            staging = folder.with_name(f".{folder.name}.{os.getpid()}.0")
            shutil.rmtree(staging, ignore_errors=True)
            staging.mkdir(parents=True)
            try:
                count = in_worker(
                    pdf_facts, str(path), None, Limits().max_pages, timeout_s=_TIMEOUT_S, cancel=self._cancel
                ).pages
                for first in range(1, count + 1, _CHUNK):
                    numbers = range(first, min(first + _CHUNK, count + 1))
                    wanted = tuple((page, str(staging / f"page_{page:04d}.png"), None) for page in numbers)
                    drawn: tuple[PagePicture, ...] = in_worker(
                        render_pages, str(path), None, wanted, SOURCE_PX, SOURCE_PX, timeout_s=_TIMEOUT_S,
                        cancel=self._cancel,
                    )  # fmt: skip
                    assert len(drawn) == len(wanted)
                staging.rename(folder)
            finally:
                shutil.rmtree(staging, ignore_errors=True)
        mark_used(folder)
        return [(picture, _png_size(picture)) for picture in sorted(folder.glob("page_*.png"))]


def _named(part: Part, name: str) -> Part:
    match part:
        case ImagePart():
            return ImagePart(
                path=part.path, sha256=part.sha256, label=f"{name} {part.label}", mime=part.mime, size_px=part.size_px
            )
        case TextPart():
            return TextPart(text=f"{name} {part.text}")
        case FilePart():
            return replace(part, label=name)


def file_sha(path: Path) -> Sha256:
    """Return the hash of a file's content; read once as long as the file does not change."""
    stat = path.stat()
    return _sha(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=100_000)
def _sha(path: Path, _mtime_ns: int, _size: int) -> Sha256:
    with path.open("rb") as file:
        return Sha256(hashlib.file_digest(file, "sha256").hexdigest())


def _png_size(path: Path) -> tuple[int, int]:
    with path.open("rb") as file:
        head = file.read(24)
    return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
