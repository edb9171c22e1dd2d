"""The studio's own layout: instance folders with sources, an instruction and decks; and loose decks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from studio.decks.images import page_images, readable
from studio.decks.layouts.plan import (
    DECK_SUFFIXES,
    PlannedDeck,
    PlannedInstance,
    PlannedSource,
    Planning,
    entries,
    titled,
    with_distinct_systems,
)
from studio.decks.sniff import main_html
from studio.model.decks import FailureKind

_INSTRUCTIONS = ("instruction.md", "instructions.md", "instruction.txt", "generation_prompt.md", "prompt.md")
_SOURCES = ("sources", "source", "materials", "material")
_DECKS = ("decks", "deck", "slides", "outputs")
_AMBIGUOUS = frozenset({"slides", "outputs", "material", "materials"})
_DEEPEST = 6
_TITLE = re.compile(r"^#\s+(.+?)\s*#*\s*$", re.MULTILINE)


def plan_folder(folder: Path, planning: Planning, depth: int = 0) -> None:
    """Plan one folder: an instance, a folder of loose decks, a deck of its own, or a folder of instances."""
    if is_instance(folder):
        planning.add(_instance(folder, planning))
        return
    if _is_deck_folder(folder):
        plan_loose(folder.parent.name, [folder], planning)
        return
    inside = entries(folder)
    files = [entry for entry in inside if entry.is_file()]
    folders = [entry for entry in inside if entry.is_dir()]
    decks = [file for file in files if file.suffix.lower() in DECK_SUFFIXES]
    instances = [one for one in folders if is_instance(one)]
    if not decks and folders and not instances and all(_is_deck_folder(one) for one in folders):
        plan_loose(folder.name, [*files, *folders], planning)
        return
    if decks:
        page_folders = [one for one in folders if _is_deck_folder(one)]
        plan_loose(folder.name, [*files, *page_folders], planning)
        folders = [one for one in folders if one not in page_folders]
    elif not folders:
        if files:
            plan_loose(folder.name, files, planning)
        else:
            planning.fail(folder, FailureKind.EMPTY, "holds no decks and no sources")
        return
    before = len(planning.instances)
    for one in folders:
        if depth < _DEEPEST:
            plan_folder(one, planning, depth + 1)
    if not decks and len(planning.instances) == before and depth == 0 and not planning.failures:
        planning.fail(folder, FailureKind.NOT_A_DECK, "holds no decks and no sources")


def is_instance(folder: Path) -> bool:
    """Say whether a folder has the folders of an instance."""
    return _child(folder, _DECKS) is not None or _child(folder, _SOURCES) is not None


def _child(folder: Path, names: Sequence[str]) -> Path | None:
    by_name = {entry.name.lower(): entry for entry in entries(folder)}
    for name in names:
        found = by_name.get(name)
        if found is None or not found.is_dir():
            continue
        # A folder "slides" may be the pictures of one deck; what is called sources or decks is meant so, even
        # if all it holds is one web page or a few pictures.
        if name in _AMBIGUOUS and _is_deck_folder(found):
            continue
        return found
    return None


def _is_deck_folder(folder: Path) -> bool:
    """Say whether a folder is a deck: an HTML folder, or page pictures and no other files of decks."""
    if main_html(folder) is not None and not any(
        entry.suffix.lower() in DECK_SUFFIXES and entry.suffix.lower() not in {".html", ".htm"}
        for entry in entries(folder)
    ):
        return any(entry.stem.lower() == "index" for entry in entries(folder)) or _has_no_folders(folder)
    has_decks = any(entry.suffix.lower() in DECK_SUFFIXES for entry in entries(folder))
    return not has_decks and bool(page_images(folder))


def _has_no_folders(folder: Path) -> bool:
    return not any(entry.is_dir() for entry in entries(folder))


def _instance(folder: Path, planning: Planning) -> PlannedInstance:
    instruction = instruction_of(folder)
    sources: list[PlannedSource] = []
    source_folder = _child(folder, _SOURCES)
    if source_folder is not None:
        sources = sources_below(source_folder, planning)
    decks: list[PlannedDeck] = []
    deck_folder = _child(folder, _DECKS)
    if deck_folder is not None:
        for entry in entries(deck_folder):
            decks += deck_at(entry, planning)
    return PlannedInstance(
        name=folder.resolve().name,
        title=title_of(instruction, folder.resolve().name),
        instruction=instruction,
        sources=tuple(sources),
        decks=with_distinct_systems(decks),
    )


def deck_at(entry: Path, planning: Planning) -> list[PlannedDeck]:
    """Return the deck of one entry of a deck folder; a folder of deck files is a system with several."""
    system = entry.stem if entry.is_file() else entry.name
    if entry.is_file() or _is_deck_folder(entry):
        deck = planning.deck(entry, system)
        return [deck] if deck is not None else []
    inner = [one for one in entries(entry) if one.suffix.lower() in DECK_SUFFIXES and one.is_file()]
    images = [one for one in entries(entry) if one.is_dir() and _is_deck_folder(one)]
    if not inner and not images:
        planning.fail(entry, FailureKind.NOT_A_DECK, "holds no deck")
        return []
    # Page pictures beside a deck file are pictures of that deck.
    found = [planning.deck(one, system) for one in (inner or images[:1])]
    return [deck for deck in found if deck is not None]


def sources_below(folder: Path, planning: Planning) -> list[PlannedSource]:
    """Return the sources in a folder and its folders, named by their place under it."""
    found: list[PlannedSource] = []
    seen: set[Path] = set()

    def walk(here: Path, prefix: str, depth: int) -> None:
        for entry in entries(here):
            real = entry.resolve()
            if real in seen:
                continue
            if entry.is_dir():
                if depth < _DEEPEST:
                    seen.add(real)
                    walk(entry, f"{prefix}{entry.name}/", depth + 1)
                continue
            seen.add(real)
            source = planning.source(entry)
            if source is not None:
                found.append(
                    PlannedSource(path=source.path, name=readable(f"{prefix}{source.name}"), format=source.format)
                )

    walk(folder, "", 0)
    return found


def instruction_of(folder: Path) -> Path | None:
    """Return the file with the generation instruction, or None."""
    by_name = {entry.name.lower(): entry for entry in entries(folder) if entry.is_file()}
    return next((by_name[name] for name in _INSTRUCTIONS if name in by_name), None)


def title_of(instruction: Path | None, name: str) -> str:
    """Return the first heading of the instruction, else the folder name in words."""
    if instruction is not None:
        try:
            match = _TITLE.search(instruction.read_bytes()[:20_000].decode("utf-8-sig", "replace"))
        except OSError:
            match = None
        if match is not None:
            return match.group(1)[:200]
    return titled(name)


def plan_loose(name: str, paths: Sequence[Path], planning: Planning) -> None:
    """Plan decks that lie side by side as one instance: file stems are the systems.

    Files that are sources and no decks, such as Word documents and texts, become its sources.
    """
    decks: list[PlannedDeck] = []
    sources: list[PlannedSource] = []
    instruction: Path | None = None
    seen: set[Path] = set()
    for path in paths:
        real = path.resolve()
        if real in seen:
            continue
        seen.add(real)
        if path.name.lower() in _INSTRUCTIONS and path.is_file():
            instruction = path
        elif path.is_dir() or path.suffix.lower() in DECK_SUFFIXES:
            deck = planning.deck(path, path.name if path.is_dir() else path.stem)
            decks += [deck] if deck is not None else []
        else:
            _loose_other(path, planning, decks, sources)
    planning.add(
        PlannedInstance(
            name=name or "instance",
            title=title_of(instruction, name or "instance"),
            instruction=instruction,
            sources=tuple(sources),
            decks=with_distinct_systems(decks),
        )
    )


def _loose_other(path: Path, planning: Planning, decks: list[PlannedDeck], sources: list[PlannedSource]) -> None:
    """Plan a file whose name promises nothing by its content."""
    n_failures = len(planning.failures)
    source = planning.source(path)
    if source is not None:
        sources.append(source)
        return
    # Not a source: a deck under an odd name, perhaps.
    failed = planning.failures[n_failures:]
    del planning.failures[n_failures:]
    deck = planning.deck(path, path.stem)
    if deck is not None:
        decks.append(deck)
    elif len(planning.failures) == n_failures:
        planning.failures += failed
