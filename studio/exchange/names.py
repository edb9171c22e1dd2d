"""Finds the instance, deck and person that a row of a table means."""

from __future__ import annotations

from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store.project import Project


class RowRefused(Exception):
    """This row cannot be taken in; the message says why."""


class Names:
    """Names and ids of a project, looked up once for a whole table."""

    def __init__(self, project: Project) -> None:
        self._project = project
        instances = deck_store.list_instances(project)
        self._instances = {item.name: item.id for item in instances} | {item.id: item.id for item in instances}
        decks = deck_store.list_decks(project)
        self._deck_instance = {deck.id: deck.instance_id for deck in decks}
        self._by_system = {(deck.instance_id, deck.system): deck.id for deck in decks}
        self._people = {person.name: person.id for person in people_store.list_annotators(project)}
        self._people |= {AnnotatorId(identifier): identifier for identifier in self._people.values()}

    def instance(self, row: dict[str, str]) -> InstanceId:
        """Return the instance that `instance_id` names, by id or by folder name."""
        name = filled(row, "instance_id")
        found = self._instances.get(name)
        if found is None:
            raise RowRefused(f"no instance {name}")
        return found

    def deck(self, row: dict[str, str], instance_id: InstanceId, column: str = "deck_id") -> DeckId:
        """Return the deck that a row names by its id, or else by its system."""
        named = row.get(column, "")
        if named:
            deck = DeckId(named)
            if self._deck_instance.get(deck) == instance_id:
                return deck
            by_system = self._by_system.get((instance_id, named))
            if by_system is not None:
                return by_system
            if deck in self._deck_instance:
                raise RowRefused(f"deck {named} belongs to another instance")
        system = row.get("system", "") if column == "deck_id" else ""
        found = self._by_system.get((instance_id, system)) if system else None
        if found is None:
            raise RowRefused(
                f"no deck {named}" if named else f"no deck of system {system}" if system else "no deck named"
            )
        return found

    def person(self, row: dict[str, str]) -> AnnotatorId:
        """Return the annotator that a row names by id or name, made if new."""
        name = filled(row, "annotator_id")
        if name not in self._people:
            self._people[name] = people_store.annotator_named(self._project, name).id
        return self._people[name]


def filled(row: dict[str, str], column: str) -> str:
    """Return a cell that must not be empty."""
    value = row.get(column, "")
    if not value:
        raise RowRefused(f"{column} is empty")
    return value


def whole(row: dict[str, str], column: str, default: int) -> int:
    """Return a cell as a whole number, or the default if it is empty."""
    text = row.get(column, "")
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        raise RowRefused(f"{column} is not a number: {text}") from None
    if value != int(value):
        raise RowRefused(f"{column} is not a whole number: {text}")
    return int(value)


def number(row: dict[str, str], column: str) -> float | None:
    """Return a cell as a finite number, or None if it is empty."""
    text = row.get(column, "")
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        raise RowRefused(f"{column} is not a number: {text}") from None
    if value != value or value in (float("inf"), float("-inf")):
        raise RowRefused(f"{column} is not a finite number: {text}; leave it empty and give an undefined_reason")
    return value


def one_of(row: dict[str, str], column: str, known: tuple[str, ...], default: str | None = None) -> str:
    """Return a cell that must be one of a closed set."""
    value = row.get(column, "") or default or ""
    if value not in known:
        raise RowRefused(f"{column} is {value or 'empty'}, not one of {', '.join(known)}")
    return value
