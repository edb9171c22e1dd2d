"""Reading sources as text, once for each content, and searching decks and sources."""

from __future__ import annotations

import json
import os
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from studio.decks.sources import read_source
from studio.errors import Cancelled, StudioError
from studio.model.decks import Heading, Source, SourcePage, SourceText
from studio.model.ids import DeckId, InstanceId, Sha256, SourceId
from studio.model.protocols import CancelToken
from studio.sessions.finding import Snippet, find_all, snippet
from studio.store import decks as deck_store
from studio.store.project import Project

HIT_LIMIT = 500
"""Hits listed at most; the rest is counted."""
KEPT_TEXTS = 24
"""Source texts held in memory."""
_FORMAT = 1
"""Raised when texts are read differently, so that older cached ones are read again."""


@dataclass(frozen=True, kw_only=True)
class Hit:
    """One place where a phrase stands."""

    where: DeckId | SourceId
    is_source: bool
    number: int
    """Slide number or page number, from 1."""
    start: int
    """In characters of that slide's or page's text."""
    end: int
    part: str = "text"
    """``text`` or ``notes`` of a slide."""
    snippet: Snippet


@dataclass(frozen=True, kw_only=True)
class Found:
    """What a search came to."""

    phrase: str
    hits: tuple[Hit, ...]
    total: int
    """Hits in all, listed or not."""
    unread: tuple[str, ...] = ()
    """One line for each source that could not be searched, with its reason."""


class SourceReader:
    """The texts of a project's sources: in memory, else from the cache folder, else read from the file.

    May be used from several threads; two of them never read the same file at once.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self._texts: dict[Sha256, SourceText] = {}
        self._lock = threading.Lock()
        self._reading: dict[Sha256, threading.Lock] = {}

    def text(self, source: Source, cancel: CancelToken | None = None) -> SourceText:
        """Return a source as text.

        Raises:
            DeckUnreadable: if it cannot be read.
            Cancelled: the token was set.
        """
        with self._lock:
            known = self._texts.get(source.asset)
            lock = self._reading.setdefault(source.asset, threading.Lock())
        if known is not None:
            return known
        with lock:
            if cancel is not None and cancel.is_set():
                raise Cancelled("Reading the source was stopped.")
            text = self._texts.get(source.asset) or self._cached(source)
            if text is None:
                path = self._project.asset_path(source.asset, source.extension)
                text = read_source(path, source.format, cancel=cancel)
                self._keep(source, text)
        with self._lock:
            self._texts[source.asset] = text
            while len(self._texts) > KEPT_TEXTS:
                self._texts.pop(next(iter(self._texts)))
        return text

    def search(
        self,
        instance_id: InstanceId,
        phrase: str,
        *,
        decks: Sequence[DeckId] = (),
        has_sources: bool = True,
        cancel: CancelToken | None = None,
    ) -> Found:
        """Return where a phrase stands in these decks (slide text and notes) and in the instance's sources.

        A source that cannot be read costs its own hits only; `Found.unread` says why.
        """
        hits: list[Hit] = []
        unread: list[str] = []
        for deck in decks:
            hits += _hits_in_deck(self._project, deck, phrase)
        for source in deck_store.list_sources(self._project, instance_id) if has_sources else []:
            try:
                hits += _hits_in_source(source, self.text(source, cancel), phrase)
            except Cancelled:
                raise
            except StudioError as error:
                unread.append(f"{source.name}: {error.message}")
        return Found(phrase=phrase, hits=tuple(hits[:HIT_LIMIT]), total=len(hits), unread=tuple(unread))

    def _file(self, source: Source) -> Path:
        return self._project.cache_folder / "sources" / f"{source.asset}-{source.format}-{_FORMAT}.json"

    def _cached(self, source: Source) -> SourceText | None:
        try:
            raw = json.loads(self._file(source).read_text(encoding="utf-8"))
            return SourceText(
                pages=tuple(SourcePage(**page) for page in raw["pages"]),
                headings=tuple(Heading(**heading) for heading in raw["headings"]),
            )
        except (OSError, ValueError, TypeError, KeyError):
            # A cache file that is missing or damaged is made again from the original.
            return None

    def _keep(self, source: Source, text: SourceText) -> None:
        target = self._file(source)
        # The cache only saves time: where it cannot be written (read-only folder, full disk), reading goes on.
        with suppress(OSError):
            target.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".source-")
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    json.dump(asdict(text), file, ensure_ascii=False)
                os.replace(temporary, target)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise


def _hits_in_deck(project: Project, deck: DeckId, phrase: str) -> Iterator[Hit]:
    for slide in deck_store.list_slides(project, deck):
        for part, text in (("text", slide.text), ("notes", slide.notes)):
            for span in find_all(text, phrase):
                yield Hit(
                    where=deck, is_source=False, number=slide.number, start=span.start, end=span.end, part=part,
                    snippet=snippet(text, span),
                )  # fmt: skip


def _hits_in_source(source: Source, text: SourceText, phrase: str) -> Iterator[Hit]:
    for page in text.pages:
        for span in find_all(page.text, phrase):
            yield Hit(
                where=source.id, is_source=True, number=page.number, start=span.start, end=span.end,
                snippet=snippet(page.text, span),
            )  # fmt: skip
