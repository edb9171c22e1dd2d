"""The room that rendered pages take on disk."""

from __future__ import annotations

from typing import Any

from studio import settings
from studio.model.changes import Changes, Topic, changed
from studio.store import page_cache
from studio.store.project import Project


def cache_facts(project: Project) -> dict[str, Any]:
    """Return how many decks have pages in the cache, and how much room these take, as JSON values."""
    pages = page_cache.cached_pages(project)
    return {
        "folder": str(project.cache_folder),
        "decks": len(pages),
        "bytes": sum(one.size_bytes for one in pages),
        "limit_bytes": limit_bytes(),
    }


def limit_bytes() -> int:
    """Return how much room the user's settings give to the pages of one project."""
    return settings.load().number("page_cache_mb") * 1_000_000


def trim_cache(project: Project) -> int:
    """Remove the longest unused pages until they fit the user's limit, and return the bytes that became free."""
    page_cache.remove_left_over(project)
    return page_cache.evict(project, limit_bytes())


def clear_cache(project: Project) -> tuple[int, Changes]:
    """Remove all pages and return the bytes that became free; they are rendered again when wanted."""
    return page_cache.clear(project), changed(Topic.DECKS)
