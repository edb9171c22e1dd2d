"""Finds the instance, deck and person that a row of a table means.

Whatever reads a row here raises `RowRefused` where a cell does not fit.
"""

from __future__ import annotations

import math
from datetime import datetime

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
        for known in (name, name.strip()):
            if known in self._instances:
                return self._instances[known]
        raise RowRefused(f"no instance {name}")

    def deck(self, row: dict[str, str], instance_id: InstanceId, column: str = "deck_id") -> DeckId:
        """Return the deck that a row names by its id, or else by its system."""
        named = row.get(column, "")
        system = row.get("system", "") if column == "deck_id" else ""
        for known in (named, named.strip()):
            if self._deck_instance.get(DeckId(known)) == instance_id:
                return DeckId(known)
        if named.strip() in self._deck_instance:
            raise RowRefused(f"deck {named.strip()} belongs to another instance")
        for known in (named, named.strip(), system, system.strip()):
            if (instance_id, known) in self._by_system:
                return self._by_system[instance_id, known]
        if system.strip():
            raise RowRefused(f"no deck of system {system.strip()}")
        raise RowRefused(f"no deck {named.strip()}" if named.strip() else "no deck named")

    def person(self, row: dict[str, str]) -> AnnotatorId:
        """Return the annotator that a row names by id or name; a new one keeps what the table calls them as id."""
        known = self.known_person(row)
        if known is not None:
            return known
        name = text(row, "annotator_id")
        self._people[name] = people_store.annotator_named(self._project, name, identifier=name).id
        return self._people[name]

    def known_person(self, row: dict[str, str]) -> AnnotatorId | None:
        """Return the annotator that a row names, or None if nobody has that id or name yet."""
        name = filled(row, "annotator_id")
        return self._people.get(name) or self._people.get(name.strip())


def filled(row: dict[str, str], column: str) -> str:
    """Return a cell that must not be empty, as it stands."""
    value = row.get(column, "")
    if not value.strip():
        raise RowRefused(f"{column} is empty")
    return value


def text(row: dict[str, str], column: str) -> str:
    """Return a cell without the space around it."""
    return row.get(column, "").strip()


def number(row: dict[str, str], column: str) -> float | None:
    """Return a cell as a finite number, or None if it is empty."""
    said = text(row, column)
    if not said:
        return None
    try:
        value = float(said)
    except ValueError:
        raise RowRefused(f"{column} is not a number: {said}") from None
    if not math.isfinite(value):
        raise RowRefused(f"{column} is not a finite number: {said}; leave it empty if there is none")
    return value


_LARGEST = 2**53
"""Up to here every whole number is told from its neighbours, in a spreadsheet as here."""


def whole(row: dict[str, str], column: str, default: int, *, least: int = 0) -> int:
    """Return a cell as a whole number from `least` up, or the default if it is empty."""
    value = number(row, column)
    if value is None:
        return default
    if value != int(value) or value < least:
        raise RowRefused(f"{column} is not a whole number from {least} up: {text(row, column)}")
    if value > _LARGEST:
        raise RowRefused(f"{column} is too large: {text(row, column)}")
    return int(value)


def moment(row: dict[str, str], column: str) -> str:
    """Return a cell that is a time in ISO 8601, or an empty string."""
    said = text(row, column)
    try:
        if said:
            datetime.fromisoformat(said)
    except ValueError:
        raise RowRefused(f"{column} is not a time like 2026-05-04T10:20:30Z: {said}") from None
    return said


def one_of(row: dict[str, str], column: str, known: tuple[str, ...], default: str | None = None) -> str:
    """Return a cell that must be one of a closed set."""
    value = text(row, column) or default or ""
    if value not in known:
        raise RowRefused(f"{column} is {value or 'empty'}, not one of {', '.join(known)}")
    return value
