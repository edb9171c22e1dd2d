"""What the author page shows of one list, read off the main thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from studio.actions import checklists as author
from studio.checklists.lint import LintFinding
from studio.model.authoring import Release, Scope
from studio.model.checklists import Checklist, Dimension, Item
from studio.model.decks import Instance
from studio.model.ids import InstanceId
from studio.store import decks as deck_store
from studio.store.project import Project

ORDER = {dimension: place for place, dimension in enumerate(Dimension)}


@dataclass(frozen=True, kw_only=True)
class ListView:
    """One list and what is said about it."""

    scope: Scope
    instances: tuple[Instance, ...]
    items: tuple[Item, ...]
    """In the order of dimensions, then position."""
    findings: tuple[LintFinding, ...]
    """About the items of this list and about the list."""
    checklist: Checklist
    """That prompts are made of."""
    instruction_range: tuple[int, int] | None
    """Fewest and most slides that the instruction asks for of the instance that prompts are made for."""
    is_signed: bool
    undo: str
    """What undo takes back of this person's; empty: nothing."""
    redo: str
    releases: tuple[Release, ...]
    own_lists: Mapping[str, frozenset[Dimension]]
    """Dimensions that each list of the project has, by the key of its scope."""


def read_list(project: Project, scope: Scope, *, with_retired: bool, person: str) -> ListView:
    """Return one list of the project as one person sees it."""
    instances = tuple(deck_store.list_instances(project))
    items = sorted(
        author.list_items(project, scope, with_retired=with_retired),
        key=lambda item: (ORDER[item.dimension], item.position),
    )
    reader = reader_of(scope, instances)
    own = {item.id for item in items}
    asked = author.asked_range(project, reader) if reader is not None else None
    if reader is not None:
        checklist = author.instance_checklist(project, reader)
        found = [each for each in author.lint_instance(project, reader) if each.item_id in own or not each.item_id]
    else:
        settings = author.settings_of(project, scope)
        checklist = Checklist(
            instance_id=InstanceId(""), items=tuple(items), independent_prefix=settings.independent_prefix or "",
            dependent_prefix=settings.dependent_prefix or "",
        )  # fmt: skip
        found = []
    # A list that another takes the place of for this instance has no merged checklist to be checked in.
    merged = {item.id for item in checklist.items} if reader is not None else set()
    alone = [item for item in items if not item.is_retired and item.id not in merged]
    found += [finding for place, item in enumerate(alone) for finding in author.lint_words(item, alone[:place])]
    back, again = author.can_undo(project, author=person)
    return ListView(
        scope=scope, instances=instances, items=tuple(items), findings=tuple(found), checklist=checklist,
        instruction_range=asked,
        is_signed=bool(items) and scope not in author.sign_off_state(project)[1],
        undo=back.words if back else "", redo=again.words if again else "",
        releases=tuple(author.releases(project)), own_lists=author.own_lists(project),
    )  # fmt: skip


def reader_of(scope: Scope, instances: Sequence[Instance]) -> InstanceId | None:
    """Return the first instance that reads a list; None if none does."""
    if scope.instance_id:
        return scope.instance_id
    return next((each.id for each in instances if not scope.domain or each.domain == scope.domain), None)
