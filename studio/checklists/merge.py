"""What one deck is asked: lists of everybody, of the domain and of the instance put together.

PresentBench's rule (its section 3.3 and code): for each dimension the whole list of the most particular scope that
has one counts, lists are never joined, and an empty list that is there wins too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from studio.checklists.pages import Mode, cut_limit, judged_pages, page_items, slide_range
from studio.model.authoring import JudgedPages, ListSettings, Scope
from studio.model.checklists import Checklist, Dimension, Item
from studio.model.ids import InstanceId


@dataclass(frozen=True, kw_only=True)
class ScopeList:
    """The items and the settings of one scope."""

    scope: Scope
    items: tuple[Item, ...] = ()
    """In their order; retired ones are left out."""
    settings: ListSettings = field(default_factory=ListSettings)

    def has(self, dimension: Dimension) -> bool:
        """Say whether the scope has a list for a dimension, be it empty."""
        return dimension in self.settings.declared or any(item.dimension is dimension for item in self.items)


def merge(instance_id: InstanceId, lists: Sequence[ScopeList]) -> Checklist:
    """Return an instance's checklist, fidelity items as they are written.

    Args:
        instance_id: whose checklist it is.
        lists: from the most general scope to the instance's own.
    """
    items: list[Item] = []
    notes: list[str] = []
    for dimension in Dimension:
        owner = next((one for one in reversed(lists) if one.has(dimension)), None)
        if owner is None:
            continue
        own = [item for item in owner.items if item.dimension is dimension and not item.is_retired]
        if not own:
            notes.append(f"empty class: {dimension} is switched off by an empty list, and its weight stays")
        items += own
    settings = [one.settings for one in lists]
    limits = next((one.slide_limits for one in reversed(settings) if one.slide_limits is not None), None)
    return Checklist(
        instance_id=instance_id, items=tuple(items),
        independent_prefix=_last([one.independent_prefix for one in settings]),
        dependent_prefix=_last([one.dependent_prefix for one in settings]),
        slide_limits=limits or slide_range(items), notes=tuple(notes),
    )  # fmt: skip


def weights_of(lists: Sequence[ScopeList]) -> tuple[Mapping[Dimension, float] | None, float | None]:
    """Return the weights of the most particular scope that sets any, and their total; None if none does."""
    owner = next((one.settings for one in reversed(lists) if one.settings.weights is not None), None)
    return (owner.weights, owner.weights_total) if owner is not None else (None, None)


def for_deck(
    checklist: Checklist, *, slides: int, hidden: Sequence[int] = (), cuts: bool = True, mode: Mode = Mode.DEFAULT
) -> tuple[Checklist, JudgedPages]:
    """Return what one deck is asked, and the pages that it is asked about.

    Args:
        checklist: the instance's, from `merge`.
        slides: slides of the deck as delivered, hidden ones counted.
        hidden: numbers of the hidden ones.
        cuts: whether a deck beyond the limit is cut.
        mode: in compatible mode fidelity items are those of all pages, also of those that are cut.
    """
    limit = cut_limit(checklist.items, checklist.slide_limits, mode=mode) if cuts else None
    pages = judged_pages(slides, hidden=hidden, limit=limit)
    asked = pages if mode is Mode.DEFAULT else judged_pages(slides)
    fidelity = [item for item in checklist.items if item.dimension is Dimension.FIDELITY]
    expanded, notes = page_items(fidelity, asked)
    rest = [item for item in checklist.items if item.dimension is not Dimension.FIDELITY]
    found = Checklist(
        instance_id=checklist.instance_id, items=(*rest, *expanded), independent_prefix=checklist.independent_prefix,
        dependent_prefix=checklist.dependent_prefix, slide_limits=checklist.slide_limits,
        notes=(*checklist.notes, *notes),
    )  # fmt: skip
    return found, pages


def _last(texts: Sequence[str | None]) -> str:
    return next((text for text in reversed(texts) if text is not None), "")
