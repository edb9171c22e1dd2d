"""Searching decks and sources, and finding in the sources what a slide says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from studio.actions.source_index import SourceShelf
from studio.model.decks import Source, SourceText
from studio.model.ids import DeckId, InstanceId, SourceId
from studio.model.protocols import CancelToken
from studio.sessions.finding import Snippet, Span, find_all, snippet
from studio.store import decks as deck_store
from studio.store import regions as region_store
from studio.store.project import Project
from studio.texts.places import Box
from studio.texts.source_lookup import HitKind, Lookup

HIT_LIMIT = 500
"""Hits listed at most; the rest is counted."""


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
    """``text`` or ``notes`` of a slide; ``picture`` for what was read on a slide that is one."""
    snippet: Snippet
    kind: HitKind = HitKind.EXACT
    """Whether the same words stand there, the same in other numbers or units, or nearly the same."""
    boxes: tuple[Box, ...] = ()
    """Where on the page, as shares of it; empty for slides and for sources without places."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """What a search came to."""

    phrase: str
    hits: tuple[Hit, ...]
    total: int
    """Hits in all, listed or not."""
    unread: tuple[str, ...] = ()
    """One line for each source that could not be searched, with its reason."""
    missing_numbers: tuple[str, ...] = ()
    """Numbers of the phrase that stand nowhere in the sources, if it was not found there."""


class SourceReader(SourceShelf):
    """The sources of a project, read once, and the searches over decks and sources.

    May be used from several threads; two of them never read the same file at once.
    """

    def search(
        self,
        instance_id: InstanceId,
        phrase: str,
        *,
        decks: Sequence[DeckId] = (),
        has_sources: bool = True,
        cancel: CancelToken | None = None,
    ) -> Found:
        """Return where a phrase stands in these decks and in the instance's sources.

        Of decks the text, the notes and what was read on pictures count. A phrase that is one number is also found
        where the sources write it otherwise. A source that cannot be read costs its own hits only; `Found.unread`
        says why.
        """
        hits = [hit for deck in decks for hit in _hits_in_deck(self.project, deck, phrase)]
        if not has_sources or not deck_store.list_sources(self.project, instance_id):
            return Found(phrase=phrase, hits=tuple(hits[:HIT_LIMIT]), total=len(hits))
        index, sources, unread = self.index(instance_id, cancel)
        found = index.search(phrase, limit=HIT_LIMIT)
        more = self._hits(found, sources)
        return Found(phrase=phrase, hits=(*hits, *more)[:HIT_LIMIT], total=len(hits) + found.total, unread=unread)

    def lookup(self, instance_id: InstanceId, phrase: str, *, cancel: CancelToken | None = None) -> Found:
        """Return where the instance's sources say what a phrase of a slide says; that they do not is an answer too."""
        if not deck_store.list_sources(self.project, instance_id):
            return Found(phrase=phrase, hits=(), total=0)
        answer = self.find(instance_id, phrase, cancel=cancel)
        return Found(
            phrase=phrase, hits=self._hits(answer.lookup, answer.sources), total=answer.lookup.total,
            unread=answer.unread, missing_numbers=answer.lookup.missing_numbers,
        )  # fmt: skip

    def _hits(self, found: Lookup[SourceId], sources: dict[SourceId, Source]) -> tuple[Hit, ...]:
        texts: dict[SourceId, SourceText] = {}
        hits = []
        for hit in found.hits:
            if hit.where not in texts:
                texts[hit.where] = self.text(sources[hit.where])
            page = next(page for page in texts[hit.where].pages if page.number == hit.page)
            hits.append(
                Hit(
                    where=hit.where, is_source=True, number=hit.page, start=hit.start, end=hit.end,
                    snippet=snippet(page.text, Span(hit.start, hit.end)), kind=hit.kind, boxes=hit.boxes,
                )
            )  # fmt: skip
        return tuple(hits)


def _hits_in_deck(project: Project, deck: DeckId, phrase: str) -> Iterator[Hit]:
    read = region_store.picture_texts(project, deck)
    for slide in deck_store.list_slides(project, deck):
        picture = read[slide.number].text if slide.number in read else ""
        for part, text in (("text", slide.text), ("notes", slide.notes), ("picture", picture)):
            for span in find_all(text, phrase):
                yield Hit(
                    where=deck, is_source=False, number=slide.number, start=span.start, end=span.end, part=part,
                    snippet=snippet(text, span),
                )  # fmt: skip
