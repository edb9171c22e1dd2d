"""An import as a person changes it before it begins: names, mapping to systems, places, and what is left out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from studio.decks.layouts import ImportPlan, PlannedDeck, PlannedFailure, PlannedInstance, PlannedSource
from studio.errors import BadInput
from studio.model.decks import DeckFormat, DeckStatus, Failure, SourceFormat
from studio.store import decks as deck_store
from studio.store.project import Project


class FileRole(StrEnum):
    """What a file is taken for."""

    DECK = "deck"
    SOURCE = "source"


_AS_SOURCE = {DeckFormat.PDF: SourceFormat.PDF, DeckFormat.HTML: SourceFormat.HTML}
_AS_DECK = {source: deck for deck, source in _AS_SOURCE.items()}


@dataclass(frozen=True, kw_only=True)
class ImportFile:
    """One file of the plan."""

    key: int
    """Stable while the plan is edited."""
    path: Path
    role: FileRole
    name: str
    """The system of a deck; the shown name of a source."""
    deck_format: DeckFormat | None = None
    source_format: SourceFormat | None = None
    failure: Failure | None = None
    """Why the deck cannot be used; it is kept as failed, so that its system's absence is on record."""
    is_excluded: bool = False

    @property
    def other_role(self) -> FileRole | None:
        """The other thing that this file could be taken for, or None."""
        if self.path.is_dir() or self.failure is not None:
            return None
        if self.role is FileRole.DECK:
            return FileRole.SOURCE if self.deck_format in _AS_SOURCE else None
        return FileRole.DECK if self.source_format in _AS_DECK else None


@dataclass(frozen=True, kw_only=True)
class ImportGroup:
    """One instance of the plan."""

    key: int
    name: str
    title: str
    files: tuple[ImportFile, ...]
    instruction: Path | None = None
    scenario: str = ""
    domain: str = ""

    @property
    def is_excluded(self) -> bool:
        """Whether nothing of it is brought in."""
        return all(file.is_excluded for file in self.files)


@dataclass(frozen=True, kw_only=True)
class ImportCounts:
    """What the import would bring in."""

    instances: int
    decks: int
    sources: int
    systems: int
    failed: int
    """Decks that are kept as failed."""
    excluded: int
    refused: int
    """Files that nothing can be made of."""


@dataclass(frozen=True, kw_only=True)
class Clash:
    """Decks that one system cannot have both."""

    group: int
    system: str
    files: tuple[int, ...]


State = tuple[ImportGroup, ...]


class ImportEdit:
    """A plan under edit. Every change can be undone; keys stay what they are."""

    def __init__(self, plan: ImportPlan, *, known: Mapping[str, Collection[str]] | None = None) -> None:
        """Begin with a plan.

        Args:
            plan: what the layouts found.
            known: instance name → systems that have a deck there already.
        """
        self._known = {name: frozenset(systems) for name, systems in (known or {}).items()}
        self._failures = plan.failures
        self._next_key = 0
        self._state: State = tuple(self._group(planned) for planned in plan.instances)
        self._undo: list[State] = []
        self._redo: list[State] = []

    @property
    def groups(self) -> State:
        """The instances as they stand, in their order."""
        return self._state

    @property
    def failures(self) -> tuple[PlannedFailure, ...]:
        """The files that nothing can be made of."""
        return self._failures

    def group(self, key: int) -> ImportGroup:
        """Return an instance by its key."""
        return next(group for group in self._state if group.key == key)

    def file(self, key: int) -> ImportFile:
        """Return a file by its key."""
        return next(file for group in self._state for file in group.files if file.key == key)

    def group_of(self, file_key: int) -> ImportGroup:
        """Return the instance that a file belongs to."""
        return next(group for group in self._state if any(file.key == file_key for file in group.files))

    def systems(self) -> dict[str, int]:
        """Return how many decks each system would get, in the order of names."""
        counts: dict[str, int] = {}
        for file in self._taken():
            if file.role is FileRole.DECK:
                counts[file.name] = counts.get(file.name, 0) + 1
        return dict(sorted(counts.items()))

    # changes

    def rename(self, key: int, name: str) -> None:
        """Give an instance another name; one that another instance has puts the two together.

        Raises:
            BadInput: for an empty name.
        """
        name = _filled(name, "An instance")
        group = self.group(key)
        other = next((item for item in self._state if item.name == name and item.key != key), None)
        if other is None:
            self._replace(replace(group, name=name))
            return
        joined = replace(other, files=other.files + group.files, instruction=other.instruction or group.instruction)
        self._set(tuple(joined if item.key == other.key else item for item in self._state if item.key != key))

    def describe(self, key: int, *, title: str | None = None, scenario: str | None = None) -> None:
        """Change the title or the scenario of an instance.

        Raises:
            BadInput: for an empty title.
        """
        group = self.group(key)
        if title is not None:
            group = replace(group, title=_filled(title, "A title"))
        if scenario is not None:
            group = replace(group, scenario=scenario.strip())
        self._replace(group)

    def name_file(self, key: int, name: str) -> None:
        """Say which system a deck is of, or what a source is called.

        Raises:
            BadInput: for an empty name.
        """
        file = self.file(key)
        name = _filled(name, "A system" if file.role is FileRole.DECK else "A source")
        self._change_files({key}, lambda item: replace(item, name=name))

    def map_system(self, old: str, new: str) -> None:
        """Rename a system in every instance.

        Raises:
            BadInput: for an empty name.
        """
        new = _filled(new, "A system")
        keys = {file.key for file in self._files() if file.role is FileRole.DECK and file.name == old}
        self._change_files(keys, lambda item: replace(item, name=new))

    def move(self, keys: Collection[int], target: int | str) -> int:
        """Move files to an instance and return its key; an instance that is left empty goes away.

        Args:
            keys: of files.
            target: key of an instance, or the name of one; a name that is new makes it.

        Raises:
            BadInput: for an empty name.
        """
        moved = [file for file in self._files() if file.key in set(keys)]
        if isinstance(target, str):
            name = _filled(target, "An instance")
            found = next((group for group in self._state if group.name == name), None)
            group = found or ImportGroup(key=self._new_key(), name=name, title=name, files=())
        else:
            group = self.group(target)
        state = list(self._state) if any(item.key == group.key for item in self._state) else [*self._state, group]
        changed: list[ImportGroup] = []
        for item in state:
            stay = tuple(file for file in item.files if file.key not in set(keys))
            if item.key == group.key:
                changed.append(replace(item, files=(*stay, *moved)))
            elif stay:
                changed.append(replace(item, files=stay))
        self._set(tuple(changed))
        return group.key

    def exclude(self, keys: Collection[int], is_excluded: bool = True) -> None:
        """Leave files out, or take them in again."""
        self._change_files(keys, lambda item: replace(item, is_excluded=is_excluded))

    def use_as(self, keys: Collection[int], role: FileRole) -> None:
        """Take PDF and HTML files for decks or for sources; files that can be only one thing stay it."""

        def changed(file: ImportFile) -> ImportFile:
            if file.other_role is not role:
                return file
            if role is FileRole.SOURCE:
                assert file.deck_format is not None
                return replace(file, role=role, name=file.path.name, source_format=_AS_SOURCE[file.deck_format])
            assert file.source_format is not None
            return replace(file, role=role, name=file.path.stem, deck_format=_AS_DECK[file.source_format])

        self._change_files(keys, changed)

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return bool(self._undo)

    @property
    def can_redo(self) -> bool:
        """Whether there is a change to do again."""
        return bool(self._redo)

    def undo(self) -> None:
        """Take the last change back; nothing happens where there is none."""
        if self._undo:
            self._redo.append(self._state)
            self._state = self._undo.pop()

    def redo(self) -> None:
        """Do again what was taken back last."""
        if self._redo:
            self._undo.append(self._state)
            self._state = self._redo.pop()

    # what stands in the way, and the result

    def clashes(self) -> list[Clash]:
        """Return where one system would get two decks in one instance."""
        found = []
        for group in self._state:
            by_system: dict[str, list[int]] = {}
            for file in group.files:
                if file.role is FileRole.DECK and not file.is_excluded:
                    by_system.setdefault(file.name, []).append(file.key)
            found += [
                Clash(group=group.key, system=system, files=tuple(keys))
                for system, keys in by_system.items()
                if len(keys) > 1
            ]
        return found

    def known_decks(self) -> frozenset[int]:
        """Return the decks whose place is taken in the project; those there are kept as they are."""
        return frozenset(
            file.key
            for group in self._state
            for file in group.files
            if file.role is FileRole.DECK and file.name in self._known.get(group.name, frozenset())
        )

    def is_known(self, group: ImportGroup) -> bool:
        """Return whether the project has an instance of this name, which then gets the files."""
        return group.name in self._known

    def problems(self) -> list[str]:
        """Return what must be changed before the import can begin, one line each."""
        lines = []
        for clash in self.clashes():
            name = self.group(clash.group).name
            lines.append(f"{name}: {len(clash.files)} decks of {clash.system}; one system has one deck there.")
        if not lines and not any(True for _ in self._taken()):
            lines.append("Nothing is left to import.")
        return lines

    def counts(self) -> ImportCounts:
        """Return what the import would bring in."""
        taken = list(self._taken())
        decks = [file for file in taken if file.role is FileRole.DECK]
        return ImportCounts(
            instances=sum(not group.is_excluded for group in self._state),
            decks=sum(file.failure is None for file in decks),
            sources=len(taken) - len(decks),
            systems=len(self.systems()),
            failed=sum(file.failure is not None for file in decks),
            excluded=sum(file.is_excluded for file in self._files()),
            refused=len(self._failures),
        )

    def plan(self) -> ImportPlan:
        """Return the plan as edited, without what is excluded.

        Raises:
            BadInput: if there are problems; see `problems`.
        """
        problems = self.problems()
        if problems:
            raise BadInput(problems[0], next_step="Change or exclude one of them.")
        return ImportPlan(
            instances=tuple(_planned(group) for group in self._state if not group.is_excluded),
            failures=self._failures,
        )

    def _group(self, planned: PlannedInstance) -> ImportGroup:
        key = self._new_key()
        sources = [
            ImportFile(
                key=self._new_key(), path=item.path, role=FileRole.SOURCE, name=item.name, source_format=item.format
            )
            for item in planned.sources
        ]
        decks = [
            ImportFile(
                key=self._new_key(), path=item.path, role=FileRole.DECK, name=item.system, deck_format=item.format,
                failure=item.failure,
            )
            for item in planned.decks
        ]  # fmt: skip
        return ImportGroup(
            key=key, name=planned.name, title=planned.title, files=(*decks, *sources),
            instruction=planned.instruction, scenario=planned.scenario, domain=planned.domain,
        )  # fmt: skip

    def _new_key(self) -> int:
        self._next_key += 1
        return self._next_key

    def _files(self) -> Iterable[ImportFile]:
        return (file for group in self._state for file in group.files)

    def _taken(self) -> Iterable[ImportFile]:
        return (file for file in self._files() if not file.is_excluded)

    def _replace(self, group: ImportGroup) -> None:
        self._set(tuple(group if item.key == group.key else item for item in self._state))

    def _change_files(self, keys: Collection[int], change: Callable[[ImportFile], ImportFile]) -> None:
        wanted = frozenset(keys)
        self._set(
            tuple(
                replace(group, files=tuple(change(file) if file.key in wanted else file for file in group.files))
                for group in self._state
            )
        )

    def _set(self, state: State) -> None:
        if state != self._state:
            self._undo.append(self._state)
            self._redo.clear()
            self._state = state


def known_decks(project: Project) -> dict[str, frozenset[str]]:
    """Return, for each instance of a project by name, the systems that have a deck there.

    The record of an absence is none: a deck that comes later takes its place.
    """
    names = {instance.id: instance.name for instance in deck_store.list_instances(project)}
    known: dict[str, set[str]] = {name: set() for name in names.values()}
    for deck in deck_store.list_decks(project):
        if deck.status is DeckStatus.PRESENT:
            known[names[deck.instance_id]].add(deck.system)
    return {name: frozenset(systems) for name, systems in known.items()}


def _planned(group: ImportGroup) -> PlannedInstance:
    taken = [file for file in group.files if not file.is_excluded]
    return PlannedInstance(
        name=group.name,
        title=group.title,
        instruction=group.instruction,
        sources=tuple(
            PlannedSource(path=file.path, name=file.name, format=file.source_format)
            for file in taken
            if file.role is FileRole.SOURCE and file.source_format is not None
        ),
        decks=tuple(
            PlannedDeck(path=file.path, system=file.name, format=file.deck_format, failure=file.failure)
            for file in taken
            if file.role is FileRole.DECK and file.deck_format is not None
        ),
        scenario=group.scenario,
        domain=group.domain,
    )


def _filled(text: str, what: str) -> str:
    text = " ".join(text.split())
    if not text:
        raise BadInput(f"{what} cannot be without a name.", next_step="Type a name.")
    return text
