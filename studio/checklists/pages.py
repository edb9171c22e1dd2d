"""Which slides of a deck are judged: hidden ones never, and none beyond the limit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import StrEnum

from studio.model.authoring import JudgedPages
from studio.model.checklists import Dimension, Item, ItemKind

SLIDE_COUNT = "slide_count"
"""The rule whose ``max_count`` is a limit; other rules count other things."""


class Mode(StrEnum):
    """Whose behaviour counts where the reference and the studio differ (decision 19)."""

    DEFAULT = "default"
    COMPAT = "compat"


def judged_pages(slides: int, *, hidden: Iterable[int] = (), limit: int | None = None) -> JudgedPages:
    """Return the pages that are judged.

    Args:
        slides: slides of the deck as delivered, hidden ones counted.
        hidden: numbers (from 1) of those that are hidden.
        limit: the most pages to judge; None judges all.
    """
    out = set(hidden)
    visible = [number for number in range(1, slides + 1) if number not in out]
    keep = len(visible) if limit is None else max(0, limit)
    return JudgedPages(
        original=len(visible), slides=tuple(visible[:keep]), removed=tuple(visible[keep:]),
        hidden=tuple(sorted(number for number in out if 1 <= number <= slides)),
        limit=limit if len(visible) > keep else None,
    )  # fmt: skip


def slides_counted(pages: JudgedPages, *, mode: Mode = Mode.DEFAULT) -> int:
    """Return the slides that a slide-count check counts: those delivered, in compatible mode those after the cut."""
    return pages.judged if mode is Mode.COMPAT else pages.original


def cut_limit(
    items: Sequence[Item], slide_limits: tuple[int, int] | None = None, *, mode: Mode = Mode.DEFAULT
) -> int | None:
    """Return the most pages that are judged, or None without a limit.

    Default: what a person set, else the most of the first code item that names a ``max_count``, also one whose
    rule nobody knows. Compatible: only of the very first item of fundamentals, and only if its rule is known.
    """
    if mode is Mode.COMPAT:
        first = next((item for item in items if item.dimension is Dimension.FUNDAMENTALS), None)
        found = _limits_of(first) if first is not None and first.kind is ItemKind.CODE else None
        return found[1] if found else None
    limits = slide_limits or slide_range(items)
    return limits[1] if limits else None


def slide_range(items: Iterable[Item]) -> tuple[int, int] | None:
    """Return fewest and most slides as the first slide-count item has them, or None if there is none."""
    return next((limits for item in items if (limits := _limits_of(item)) is not None), None)


def _limits_of(item: Item) -> tuple[int, int] | None:
    if item.rule is None or item.kind is ItemKind.QUESTION:
        return None
    if item.kind is ItemKind.CODE and item.rule.rule != SLIDE_COUNT:
        return None
    most, fewest = item.rule.parameters.get("max_count"), item.rule.parameters.get("min_count", 1)
    if not _is_count(most):
        return None
    return (int(fewest) if _is_count(fewest) else 1), int(most)  # type: ignore[call-overload]  # checked


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


PAGE = "{slide}"
"""Stands in a fidelity item for the number of the page; such an item is asked of each judged page."""


def page_items(items: Sequence[Item], pages: JudgedPages) -> tuple[tuple[Item, ...], tuple[str, ...]]:
    """Return the fidelity items of a deck, and what a person should know about them.

    An item with ``{slide}`` in its words is a template, asked once of each page. Items without it, as
    PresentBench writes them, are about page 1, 2, 3 … in their order, and the list is cut to the judged pages.
    `slide` of what comes back is the slide's number in the file, which differs from the page where slides are hidden.
    """
    templates = [item for item in items if PAGE in item.text]
    written = [item for item in items if PAGE not in item.text]
    found = [
        replace(item, slide=slide)
        for item, slide in zip(written, pages.slides, strict=False)
    ]  # fmt: skip
    for template in templates:
        found += [
            replace(template, id=type(template.id)(f"{template.id}@{page}"), slide=slide,
                    text=template.text.replace(PAGE, str(page)))
            for page, slide in enumerate(pages.slides, start=1)
        ]  # fmt: skip
    return tuple(found), _page_notes(len(written), bool(templates), pages)


def _page_notes(written: int, has_template: bool, pages: JudgedPages) -> tuple[str, ...]:
    notes = []
    if pages.removed:
        notes.append(f"{len(pages.removed)} of {pages.original} pages removed by limit {pages.limit}")
    if written and written < pages.judged and not has_template:
        notes.append(f"fidelity: {pages.judged - written} pages have no item (the list ends at {written})")
    if pages.hidden:
        notes.append(f"hidden slides are not judged: {', '.join(map(str, pages.hidden))}")
    return tuple(notes)
