"""How the items of one list have behaved once they were answered, as the Author page shows them."""

from __future__ import annotations

from dataclasses import dataclass

from studio.actions import checklist_answers, checklist_stats
from studio.actions.checklist_stats import PEOPLE, ItemComparison, ItemStatistics
from studio.model.authoring import Scope
from studio.model.checklists import Item
from studio.store import checklists as checklist_store
from studio.store.project import Project


@dataclass(frozen=True, kw_only=True)
class ItemBehaviour:
    """One item of the list and its statistics."""

    item: Item
    statistics: ItemStatistics | None
    """None: nobody has answered it."""
    beside_people: tuple[ItemComparison, ...]
    """Each judge beside people, for judges that answered it where people did."""


@dataclass(frozen=True, kw_only=True)
class ListStatistics:
    """The items of one list in their order, those retired left out."""

    who: str
    """Whose answers they are about: `PEOPLE` or a judge."""
    rows: tuple[ItemBehaviour, ...]
    judges: tuple[str, ...]
    """Judges that have said yes or no to anything in the project."""
    left_out: str = ""
    """For people: whose answers do not count, and why; empty if there are none."""

    @property
    def n_answered(self) -> int:
        """Return how many items have statistics."""
        return sum(row.statistics is not None for row in self.rows)


def list_statistics(project: Project, scope: Scope, *, who: str = PEOPLE) -> ListStatistics:
    """Return how a list's items behave: prevalence, agreement between people, discrimination, judges beside people.

    All versions of an item count together, since its id stays; the numbers are over the decks of every instance
    that reads the list.
    """
    found = {each.item_id: each for each in checklist_stats.item_statistics(project, who=who)}
    compared: dict[str, list[ItemComparison]] = {}
    for each in checklist_stats.compare(project):
        compared.setdefault(each.item_id, []).append(each)
    return ListStatistics(
        who=who, judges=tuple(checklist_stats.judges(project)),
        left_out=checklist_answers.left_out_in_words(checklist_answers.read_replies(project).not_submitted)
        if who == PEOPLE
        else "",
        rows=tuple(
            ItemBehaviour(item=item, statistics=found.get(item.id), beside_people=tuple(compared.get(item.id, ())))
            for item in checklist_store.list_items(project, scopes=[scope])
        ),
    )  # fmt: skip
