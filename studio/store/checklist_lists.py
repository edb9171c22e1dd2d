"""The checklist of an instance and of a deck, put together from what the project holds."""

from __future__ import annotations

from collections.abc import Mapping

from studio.checklists.merge import ScopeList, for_deck, merge
from studio.checklists.pages import Mode
from studio.checklists.prompts import content_hash
from studio.errors import BadInput
from studio.model.authoring import EVERYWHERE, JudgedPages, ListSettings, Scope
from studio.model.checklists import Checklist, Item
from studio.model.decks import Deck, Instance
from studio.model.ids import DeckId, InstanceId
from studio.store import checklists as checklist_store
from studio.store import decks as deck_store
from studio.store.project import Project
from studio.store.values import from_json, plain

CUTS_META = "checklist_cuts"
"""Setting of a project: whether decks beyond the limit are cut; they are unless it is ``0``."""


def scopes_of(instance: Instance) -> tuple[Scope, ...]:
    """Return the scopes whose lists an instance may use, from the most general to its own."""
    domain = (Scope(domain=instance.domain),) if instance.domain else ()
    return (EVERYWHERE, *domain, Scope(instance_id=instance.id))


def scope_list(project: Project, scope: Scope) -> ScopeList:
    """Return the items and settings of one scope."""
    return ScopeList(
        scope=scope, items=tuple(checklist_store.list_items(project, scopes=[scope])),
        settings=checklist_store.settings_of(project, scope),
    )  # fmt: skip


def all_lists(project: Project) -> dict[str, ScopeList]:
    """Return the items and settings of every scope that has any, by its key, in two queries."""
    items: dict[str, list[Item]] = {}
    for item in checklist_store.list_items(project):
        items.setdefault(checklist_store.scope_of(item).key, []).append(item)
    settings = checklist_store.list_settings(project)
    return {
        key: ScopeList(
            scope=Scope.of_key(key), items=tuple(items.get(key, ())), settings=settings.get(key, ListSettings())
        )
        for key in dict.fromkeys((*items, *settings))
    }


def lists_of(instance: Instance, known: Mapping[str, ScopeList]) -> list[ScopeList]:
    """Return an instance's lists out of `all_lists`, from the most general to its own."""
    return [known[scope.key] for scope in scopes_of(instance) if scope.key in known]


def checklists(project: Project) -> dict[InstanceId, Checklist]:
    """Return the merged checklist of every instance, fidelity items as they are written."""
    known = all_lists(project)
    return {item.id: merge(item.id, lists_of(item, known)) for item in deck_store.list_instances(project)}


def checklist_of(project: Project, instance_id: InstanceId) -> Checklist:
    """Return the merged checklist of one instance.

    Raises:
        BadInput: if there is no such instance.
    """
    instance = instance_by_id(project, instance_id)
    return merge(instance_id, [scope_list(project, scope) for scope in scopes_of(instance)])


def checklist_of_deck(
    project: Project, deck: Deck, *, known: Checklist | None = None, mode: Mode = Mode.DEFAULT
) -> tuple[Checklist, JudgedPages]:
    """Return what a deck is asked, and the pages that it is asked about.

    Args:
        project: an open project.
        deck: a deck of it.
        known: the merged checklist of the deck's instance, where the caller has it.
        mode: whose behaviour counts where the reference and the studio differ.
    """
    checklist = known or checklist_of(project, deck.instance_id)
    return for_deck(
        checklist, slides=deck.slides, hidden=hidden_slides(project, deck.id), cuts=cuts(project), mode=mode
    )


def hidden_slides(project: Project, deck_id: DeckId) -> tuple[int, ...]:
    """Return the numbers of a deck's hidden slides: of its slides, or of its file's facts before it is rendered."""
    rows = project.reading().execute(
        "SELECT number FROM slides WHERE deck_id = ? AND is_hidden = 1 ORDER BY number", [deck_id]
    )
    found = tuple(int(row[0]) for row in rows.fetchall())
    if found:
        return found
    row = project.reading().execute("SELECT facts FROM decks WHERE id = ?", [deck_id]).fetchone()
    return tuple(int(number) for number in (from_json(row[0]).get("hidden") or ())) if row else ()


def all_hidden_slides(project: Project) -> dict[DeckId, tuple[int, ...]]:
    """Return `hidden_slides` of every deck that has any, in two queries."""
    connection = project.reading().conn
    found: dict[DeckId, tuple[int, ...]] = {}
    for deck, hidden in connection.execute(
        "SELECT id, json_extract(facts, '$.hidden') FROM decks WHERE json_array_length(facts, '$.hidden') > 0"
    ):
        found[DeckId(deck)] = tuple(int(number) for number in from_json(hidden))
    of_slides: dict[DeckId, list[int]] = {}
    for deck, number in connection.execute("SELECT deck_id, number FROM slides WHERE is_hidden = 1 ORDER BY number"):
        of_slides.setdefault(DeckId(deck), []).append(int(number))
    return found | {deck: tuple(numbers) for deck, numbers in of_slides.items()}


def cuts(project: Project) -> bool:
    """Return whether decks beyond the limit are cut."""
    return project.meta(CUTS_META, "1") != "0"


def set_cuts(project: Project, *, is_cut: bool) -> None:
    """Say whether decks beyond the limit are cut."""
    project.set_meta(CUTS_META, "1" if is_cut else "0")


def instance_by_id(project: Project, instance_id: InstanceId) -> Instance:
    """Return an instance.

    Raises:
        BadInput: if there is no such one.
    """
    found = next((item for item in deck_store.list_instances(project) if item.id == instance_id), None)
    if found is None:
        raise BadInput(f"There is no instance {instance_id}.", next_step="Choose one of this project.")
    return found


def list_hash(one: ScopeList) -> str:
    """Return the hash of a scope's list: what a sign-off is about."""
    return content_hash(one.items, plain(one.settings))
