"""The sources of an instance, read once for each content, and looked through for what a slide says."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studio.decks.sources import read_source
from studio.decks.text_regions import detector_name, why_no_detector
from studio.errors import BadInput, Cancelled, DeckUnreadable, StudioError
from studio.model.decks import Heading, PlacedWord, Source, SourceFormat, SourcePage, SourceText
from studio.model.ids import DeckId, InstanceId, Sha256, SourceId
from studio.model.passwords import PasswordVault
from studio.model.protocols import CancelToken
from studio.store import decks as deck_store
from studio.store import regions as region_store
from studio.store.project import Project
from studio.texts.source_lookup import Lookup, SourceIndex
from studio.whole_files import write_whole

_FORMAT = 2
"""Raised when texts are read differently, so that older cached ones are read again."""
_READ_BY_MODEL = frozenset({SourceFormat.IMAGE, SourceFormat.PDF})
KEPT_TEXTS = 24
"""Source texts held in memory."""
KEPT_INDEXES = 4
"""Instances whose index is held in memory."""

Where = SourceId | DeckId


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the sources of an instance say about a phrase."""

    instance_id: InstanceId
    lookup: Lookup[SourceId]
    sources: dict[SourceId, Source]
    unread: tuple[str, ...] = ()
    """One line for each source that could not be looked through, with its reason."""


class SourceShelf:
    """Texts and indexes of a project's sources: in memory, else from the cache folder, else read from the file.

    May be used from several threads; two of them never read the same file at once.
    """

    def __init__(self, project: Project, passwords: PasswordVault | None = None) -> None:
        self.project = project
        self.passwords = passwords or PasswordVault()
        self._texts: dict[Sha256, SourceText] = {}
        self._indexes: dict[tuple[Sha256, ...], SourceIndex[SourceId]] = {}
        self._lock = threading.Lock()
        self._reading: dict[Sha256, threading.Lock] = {}

    def text(self, source: Source, cancel: CancelToken | None = None) -> SourceText:
        """Return a source as text.

        Raises:
            DeckUnreadable: if it cannot be read.
            Cancelled: the token was set.
        """
        with self._lock:
            lock = self._reading.setdefault(source.asset, threading.Lock())
        with lock:
            with self._lock:
                known = self._texts.get(source.asset)
            if known is not None:
                return known
            if cancel is not None and cancel.is_set():
                raise Cancelled("Reading the source was stopped.")
            text = self._cached(source)
            if text is None:
                path = self.project.asset_path(source.asset, source.extension)
                password = self.passwords.of(source.asset)
                try:
                    text = read_source(path, source.format, cancel=cancel, password=password)
                except DeckUnreadable as error:
                    # The stored file is named by its content, which says nothing to a person.
                    error.message = error.message.replace(path.name, source.name)
                    raise
                if password is None:
                    # What somebody protected is not written down as plain text.
                    self._keep(source, text)
        with self._lock:
            self._texts[source.asset] = text
            while len(self._texts) > KEPT_TEXTS:
                self._texts.pop(next(iter(self._texts)))
        return text

    def index(
        self, instance_id: InstanceId, cancel: CancelToken | None = None
    ) -> tuple[SourceIndex[SourceId], dict[SourceId, Source], tuple[str, ...]]:
        """Return the index of an instance's sources, those sources, and why some of them are not in it.

        Raises:
            Cancelled: the token was set.
        """
        read: list[tuple[Source, SourceText]] = []
        unread: list[str] = []
        listed = deck_store.list_sources(self.project, instance_id)
        if not listed:
            unread.append("the instance has no sources")
        for source in listed:
            try:
                text = self.text(source, cancel)
            except Cancelled:
                raise
            except StudioError as error:
                unread.append(f"{source.name}: {error}")
                continue
            if not any(page.text.strip() for page in text.pages):
                unread.append(f"{source.name}: {why_no_detector() or 'no text was found in it'}")
            read.append((source, text))
        contents = tuple(Sha256(f"{source.id} {source.asset}") for source, _ in read)
        with self._lock:
            index = self._indexes.get(contents)
        if index is None:
            index = SourceIndex([(source.id, text.pages) for source, text in read])
            with self._lock:
                self._indexes[contents] = index
                while len(self._indexes) > KEPT_INDEXES:
                    self._indexes.pop(next(iter(self._indexes)))
        return index, {source.id: source for source, _ in read}, tuple(unread)

    def find(self, instance_id: InstanceId, phrase: str, *, cancel: CancelToken | None = None) -> Answer:
        """Return where an instance's sources say what a phrase of a slide says; that they do not is an answer too.

        Raises:
            Cancelled: the token was set.
        """
        index, sources, unread = self.index(instance_id, cancel)
        return Answer(instance_id=instance_id, lookup=index.lookup(phrase), sources=sources, unread=unread)

    def _file(self, source: Source) -> Path:
        reader = f"-{detector_name().split()[1]}" if source.format in _READ_BY_MODEL else ""
        return self.project.cache_folder / "sources" / f"{source.asset}-{source.format}{reader}-{_FORMAT}.json"

    def _cached(self, source: Source) -> SourceText | None:
        try:
            return _from_json(json.loads(self._file(source).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError, KeyError):
            # A cache file that is missing or damaged is made again from the original.
            return None

    def _keep(self, source: Source, text: SourceText) -> None:
        if source.format in _READ_BY_MODEL and why_no_detector() and not all(page.text for page in text.pages):
            # Once the model is installed there may be more to read.
            return
        # The cache only saves time: where it cannot be written (read-only folder, full disk), reading goes on.
        with suppress(OSError):
            content = json.dumps(_to_json(text), ensure_ascii=False, separators=(",", ":"))
            write_whole(self._file(source), content, is_durable=False)


def slides_with(
    project: Project, decks: Sequence[DeckId], phrase: str
) -> list[tuple[Lookup[tuple[DeckId, str]], DeckId]]:
    """Return where a phrase stands on the slides of decks: in their text, their notes, and what was read on pictures.

    `where` of a hit is the deck and ``text``, ``notes`` or ``picture``; `page` is the slide's number.
    """
    found = []
    for deck in decks:
        slides = deck_store.list_slides(project, deck)
        read = region_store.picture_texts(project, deck)
        parts = {
            "text": [SourcePage(number=slide.number, text=slide.text) for slide in slides],
            "notes": [SourcePage(number=slide.number, text=slide.notes) for slide in slides],
            "picture": [SourcePage(number=number, text=text.text) for number, text in read.items()],
        }
        index = SourceIndex([((deck, part), pages) for part, pages in parts.items()])
        found.append((index.search(phrase), deck))
    return found


def instances_named(project: Project, name: str = "") -> list[InstanceId]:
    """Return the instance with this id or name, or all if no name is given.

    Raises:
        BadInput: if there is none of that name.
    """
    known = deck_store.list_instances(project)
    found = [item.id for item in known if not name or name in {item.id, item.name}]
    if name and not found:
        raise BadInput(
            f"There is no instance {name}.", next_step=f"There are: {', '.join(item.name for item in known) or 'none'}."
        )
    return found


def answer_json(project: Project, answers: Sequence[Answer]) -> dict[str, Any]:
    """Return answers as `studio find --json` prints them."""
    names = {item.id: item.name for item in deck_store.list_instances(project)}
    hits = [
        {
            "instance_id": answer.instance_id, "instance": names[answer.instance_id], "source_id": hit.where,
            "source": answer.sources[hit.where].name, "page": hit.page, "kind": hit.kind.value, "score": hit.score,
            "text": hit.text, "start": hit.start, "end": hit.end, "boxes": [list(box) for box in hit.boxes],
        }
        for answer in answers
        for hit in answer.lookup.hits
    ]  # fmt: skip
    missing = [set(answer.lookup.missing_numbers) for answer in answers]
    return {
        "phrase": answers[0].lookup.phrase if answers else "",
        "found": any(answer.lookup.is_found for answer in answers),
        "total": sum(answer.lookup.total for answer in answers),
        "hits": hits,
        "missing_numbers": sorted(set.intersection(*missing)) if missing else [],
        "pages_searched": sum(answer.lookup.pages_searched for answer in answers),
        "unread": [line for answer in answers for line in answer.unread],
    }


def _to_json(text: SourceText) -> dict[str, Any]:
    return {
        "pages": [[page.number, page.text, page.words] for page in text.pages],
        "headings": [[heading.level, heading.text, heading.page] for heading in text.headings],
    }


def _from_json(raw: dict[str, Any]) -> SourceText:
    return SourceText(
        pages=tuple(
            SourcePage(number=number, text=text, words=tuple(PlacedWord(*word) for word in words))
            for number, text, words in raw["pages"]
        ),
        headings=tuple(Heading(level=level, text=text, page=page) for level, text, page in raw["headings"]),
    )
