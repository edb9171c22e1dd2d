"""Where a phrase of a slide stands in the sources, in one line."""

from __future__ import annotations

from collections.abc import Sequence

from studio.actions.sources import Found, Hit
from studio.texts.source_lookup import HitKind

_KIND_WORDS = {
    HitKind.EXACT: "",
    HitKind.NORMALISED: " in other numbers or units",
    HitKind.FUZZY: " in nearly the same words or rounded",
}


def where_found(found: Found, hits: Sequence[Hit], origin: str, *, has_sources: bool) -> str:
    """Return whether a phrase of a slide is in the sources, and where.

    Args:
        found: what the search found, also outside the sources.
        hits: those of it in the sources.
        origin: where the phrase is from, such as "deck B, slide 5"; it may be empty.
        has_sources: whether there is any source to be found in.
    """
    shown = " ".join(found.phrase.split())
    shown = shown if len(shown) <= 60 else f"{shown[:58]}…"
    words = f"“{shown}” from {origin}: "
    if not has_sources:
        return words + "there is no source"
    if not hits:
        words += "not found"
        if found.missing_numbers and found.missing_numbers != (shown,):
            words += f"; nowhere: {', '.join(found.missing_numbers)}"
    else:
        pages = sorted({hit.number for hit in hits})
        times = {1: "once", 2: "twice"}.get(found.total, f"{found.total} times")
        listed = ", ".join(map(str, pages[:6])) + (" …" if len(pages) > 6 else "")
        words += f"found {times}{_KIND_WORDS[hits[0].kind]}, page{'s' if len(pages) > 1 else ''} {listed}"
    return " · ".join([words, *found.unread])
