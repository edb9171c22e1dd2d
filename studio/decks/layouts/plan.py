"""The plan of an import, and the notebook that the layouts write it into."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from studio.decks.images import is_noise, natural_key, readable
from studio.decks.sniff import Sniffed, sniff
from studio.errors import DeckUnreadable
from studio.model.decks import DeckFormat, Failure, FailureKind, SourceFormat

DECK_SUFFIXES: dict[str, DeckFormat] = {
    ".pptx": DeckFormat.PPTX,
    ".potx": DeckFormat.POTX,
    ".ppsx": DeckFormat.PPSX,
    ".pptm": DeckFormat.PPTM,
    ".potm": DeckFormat.POTM,
    ".ppsm": DeckFormat.PPSM,
    ".ppt": DeckFormat.PPT,
    ".pps": DeckFormat.PPT,
    ".odp": DeckFormat.ODP,
    ".pdf": DeckFormat.PDF,
    ".html": DeckFormat.HTML,
    ".htm": DeckFormat.HTML,
}
"""What a name promises; used only where the content cannot be read."""


@dataclass(frozen=True, kw_only=True)
class PlannedSource:
    """One source to add."""

    path: Path
    name: str
    format: SourceFormat


@dataclass(frozen=True, kw_only=True)
class PlannedDeck:
    """One deck to add."""

    path: Path
    system: str
    format: DeckFormat
    failure: Failure | None = None
    """Why the file cannot be used; it is added as a failed deck all the same."""


@dataclass(frozen=True, kw_only=True)
class PlannedInstance:
    """One instance to add or to add to."""

    name: str
    """Unique in the plan."""
    title: str
    instruction: Path | None
    sources: tuple[PlannedSource, ...]
    decks: tuple[PlannedDeck, ...]
    scenario: str = ""
    domain: str = ""
    case: Path | None = None
    """The case's folder in a PresentBench data tree, which holds its checklists."""
    results: tuple[tuple[str, Path], ...] = ()
    """System and folder of each ``generation_task/results`` with what judges said of its deck."""


@dataclass(frozen=True, kw_only=True)
class PlannedFailure:
    """One path that adds nothing, and why."""

    path: Path
    kind: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class ImportPlan:
    """All that an import would add."""

    instances: tuple[PlannedInstance, ...]
    failures: tuple[PlannedFailure, ...]


@dataclass(kw_only=True)
class Planning:
    """Collects instances and failures while folders are looked at."""

    instances: list[PlannedInstance] = field(default_factory=list)
    failures: list[PlannedFailure] = field(default_factory=list)

    def fail(self, path: Path, kind: str, reason: str) -> None:
        """Note a path that adds nothing."""
        said = readable(f"{path.name or path} {reason}.".replace("..", "."))
        self.failures.append(PlannedFailure(path=path, kind=str(kind), reason=said))

    def add(self, instance: PlannedInstance) -> None:
        """Note an instance; one without sources, decks and checklists adds nothing."""
        if instance.decks or instance.sources or instance.case is not None:
            self.instances.append(instance)

    def deck(self, path: Path, system: str) -> PlannedDeck | None:
        """Return the deck at `path`, failed if its content is bad; None (noted) if it is no deck at all."""
        promised = DECK_SUFFIXES.get(path.suffix.lower())
        system = readable(system)
        if is_lfs_pointer(path):
            failure = Failure(kind=FailureKind.NOT_FOUND, message=readable(f"{path.name} {LFS_REASON}."))
            if promised is not None:
                return PlannedDeck(path=path, system=system, format=promised, failure=failure)
            self.failures.append(PlannedFailure(path=path, kind=failure.kind, reason=failure.message))
            return None
        try:
            found: Sniffed = sniff(path)
        except DeckUnreadable as error:
            failure = Failure(kind=str(error.kind), message=readable(str(error)))
            format = promised or (DeckFormat.IMAGES if path.is_dir() else None)
            if format is None:
                self.failures.append(PlannedFailure(path=path, kind=failure.kind, reason=failure.message))
                return None
            return PlannedDeck(path=path, system=system, format=format, failure=failure)
        if found.deck_format is not None:
            return PlannedDeck(path=path, system=system, format=found.deck_format)
        reason = f"{readable(path.name)} is no deck but a {found.what}."
        if promised is not None:
            failure = Failure(kind=FailureKind.NOT_A_DECK, message=reason)
            return PlannedDeck(path=path, system=system, format=promised, failure=failure)
        self.failures.append(PlannedFailure(path=path, kind=FailureKind.NOT_A_DECK, reason=reason))
        return None

    def source(self, path: Path) -> PlannedSource | None:
        """Return the source at `path`; None (noted) if its content is bad or of another kind."""
        if is_lfs_pointer(path):
            self.fail(path, FailureKind.NOT_FOUND, LFS_REASON)
            return None
        try:
            found = sniff(path)
        except DeckUnreadable as error:
            self.failures.append(PlannedFailure(path=path, kind=str(error.kind), reason=readable(str(error))))
            return None
        if found.source_format is None or path.is_dir():
            self.fail(path, FailureKind.UNREADABLE, f"cannot be a source: it is a {found.what}")
            return None
        return PlannedSource(path=path, name=readable(path.name), format=found.source_format)

    def plan(self) -> ImportPlan:
        """Return the plan, with names made unique over its instances."""
        names: set[str] = set()
        unique: list[PlannedInstance] = []
        for instance in self.instances:
            name = _unused(readable(instance.name) or "instance", names)
            names.add(name)
            unique.append(replace(instance, name=name, title=readable(instance.title)))
        return ImportPlan(instances=tuple(unique), failures=tuple(self.failures))


def with_distinct_systems(decks: Iterable[PlannedDeck]) -> tuple[PlannedDeck, ...]:
    """Return the decks with system names that differ: those of one stem get their extension added."""
    planned = list(decks)
    counts: dict[str, int] = {}
    for deck in planned:
        counts[deck.system] = counts.get(deck.system, 0) + 1
    names: set[str] = {deck.system for deck in planned if counts[deck.system] == 1}
    named: list[PlannedDeck] = []
    for deck in planned:
        if counts[deck.system] == 1:
            named.append(deck)
            continue
        kind = deck.path.suffix.lower().lstrip(".") or str(deck.format)
        name = _unused(f"{deck.system}.{kind}", names)
        names.add(name)
        named.append(replace(deck, system=name))
    return tuple(named)


LFS_REASON = "is a Git LFS pointer, not the file itself: run git lfs pull in its folder, then import it again"
_LFS = b"version https://git-lfs.github.com/spec/"


def is_lfs_pointer(path: Path) -> bool:
    """Say whether a file only stands in for a large file that was not fetched."""
    try:
        if not path.is_file() or path.stat().st_size > 1024:
            return False
        with path.open("rb") as file:
            return file.read(len(_LFS)) == _LFS
    except OSError:
        return False


def _unused(name: str, names: set[str]) -> str:
    candidate, number = name, 2
    while candidate in names:
        candidate, number = f"{name} ({number})", number + 1
    return candidate


def entries(folder: Path) -> list[Path]:
    """Return what is in a folder in natural order, without hidden and lock files and without loops."""
    return sorted(
        (entry for entry in folder.iterdir() if not is_noise(entry) and not _is_loop(entry)),
        key=lambda entry: (natural_key(entry.name), entry.name),
    )


def _is_loop(entry: Path) -> bool:
    """Say whether a link leads to a folder that it is itself in, or nowhere."""
    if not entry.is_symlink():
        return False
    try:
        target = entry.resolve(strict=True)
    except (OSError, RuntimeError):
        return True
    return target.is_dir() and entry.parent.resolve().is_relative_to(target)


def titled(name: str) -> str:
    """Return a folder name as people would write it: ``sea_ports`` becomes ``Sea ports``."""
    words = " ".join(name.replace("_", " ").split())
    return words[:1].upper() + words[1:] if words else name
