"""The trees of PresentBench: ``<domain>/<source>/<case>/`` with materials, and the same below each agent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from studio.decks.layouts.folders import deck_at, title_of
from studio.decks.layouts.plan import (
    DECK_SUFFIXES,
    PlannedDeck,
    PlannedInstance,
    PlannedSource,
    Planning,
    entries,
    with_distinct_systems,
)
from studio.model.decks import DeckFormat, Failure, FailureKind

_TASK = "generation_task"
_INSTRUCTIONS = ("instructions.md", "instruction.md", "generation_prompt.md")
_MATERIAL = re.compile(r"material(?:_(\d+))?\.(md|pdf)", re.IGNORECASE)
_DECK_FOLDERS = frozenset({"decks", "outputs", "generated", "slides"})
_FAILED = "slides_generation_failed.txt"
_DEEPEST = 6
_MOST_FOLDERS_LOOKED_AT = 3000


@dataclass(kw_only=True)
class _Case:
    """One case with what several trees say about it."""

    domain: str
    group: str
    name: str
    data: Path | None = None
    results: list[Path] = field(default_factory=list)


def is_presentbench(folder: Path) -> bool:
    """Say whether a folder is a case, or holds cases of either tree below it."""
    waiting = [(folder, 0)]
    for _ in range(_MOST_FOLDERS_LOOKED_AT):
        if not waiting:
            return False
        here, depth = waiting.pop(0)
        if (here / _TASK).is_dir():
            return True
        if depth < _DEEPEST:
            waiting += [(entry, depth + 1) for entry in entries(here) if entry.is_dir()]
    return False


def plan_presentbench(folders: Sequence[Path], planning: Planning) -> None:
    """Plan one instance for each case, with the decks that the result trees among the folders hold for it.

    Materials are read as the reference does: ``material.md`` wins over ``material.pdf``, then the
    numbered ones up to the first gap. ``results/<agent>/…/generation_task/results/slides.pdf`` (or
    ``.pptx``; the PDF wins) is the agent's deck; a failure marker is a failed deck.
    """
    cases: dict[tuple[str, str, str], _Case] = {}
    for folder in folders:
        found: list[Path] = []
        _collect(folder, found, _DEEPEST)
        if not found:
            planning.fail(folder, FailureKind.NOT_A_DECK, "holds no case with a generation_task folder")
        for path in found:
            _sort_in(path.resolve(), cases)
    names = [case.name for case in cases.values()]
    for case in cases.values():
        _plan_case(case, names.count(case.name) == 1, planning)


def _collect(folder: Path, cases: list[Path], depth: int) -> None:
    if (folder / _TASK).is_dir():
        cases.append(folder)
    elif depth > 0:
        for entry in entries(folder):
            if entry.is_dir():
                _collect(entry, cases, depth - 1)


def _sort_in(path: Path, cases: dict[tuple[str, str, str], _Case]) -> None:
    group, domain = path.parent.name, path.parent.parent.name
    case = cases.setdefault((domain, group, path.name), _Case(domain=domain, group=group, name=path.name))
    has_data = (path / _TASK / "judge_prompt.json").is_file() or any(
        _MATERIAL.fullmatch(entry.name) for entry in entries(path)
    )
    if has_data or not (path / _TASK / "results").is_dir():
        case.data = path
    if (path / _TASK / "results").is_dir():
        case.results.append(path)


def _plan_case(case: _Case, is_only: bool, planning: Planning) -> None:
    task = case.data / _TASK if case.data is not None else None
    instruction = (
        next((file for name in _INSTRUCTIONS if (file := task / name).is_file()), None) if task is not None else None
    )
    decks = [deck for path in case.results for deck in _result(path, case, planning)]
    if case.data is not None:
        decks += _decks_beside(case.data, planning)
    planning.add(
        PlannedInstance(
            name=case.name if is_only else f"{case.group}-{case.name}",
            title=title_of(instruction, case.name),
            instruction=instruction,
            sources=tuple(_materials(case.data, planning)) if case.data is not None else (),
            decks=with_distinct_systems(decks),
            scenario=case.group,
            domain=case.domain,
            case=case.data if case.data is not None and (case.data / _TASK / "judge_prompt.json").is_file() else None,
            results=tuple((_agent(path, case), path / _TASK / "results") for path in case.results),
        )
    )


def _agent(path: Path, case: _Case) -> str:
    """Return whose results a case folder holds."""
    # The agent's folder stands above domain, source and case; inside the data tree nobody is named.
    return "deck" if path == case.data else path.parents[2].name


def _result(path: Path, case: _Case, planning: Planning) -> list[PlannedDeck]:
    folder = path / _TASK / "results"
    system = _agent(path, case)
    for name in ("slides.pdf", "slides.pptx"):
        if (folder / name).is_file():
            deck = planning.deck(folder / name, system)
            return [deck] if deck is not None else []
    marker = folder / _FAILED
    if marker.is_file():
        failure = Failure(kind=FailureKind.NOT_FOUND, message=f"{system} delivered no deck ({_FAILED}).")
        return [PlannedDeck(path=marker, system=system, format=DeckFormat.PDF, failure=failure)]
    return []


def _materials(case: Path, planning: Planning) -> list[PlannedSource]:
    by_number: dict[int, dict[str, Path]] = {}
    for entry in entries(case):
        match = _MATERIAL.fullmatch(entry.name)
        if match is not None and entry.is_file():
            by_number.setdefault(int(match.group(1) or 0), {})[match.group(2).lower()] = entry
    chosen = [by_number[0]] if 0 in by_number else []
    number = 1
    while number in by_number:
        chosen.append(by_number[number])
        number += 1
    for skipped in sorted(set(by_number) - {0, *range(1, number)}):
        for path in by_number[skipped].values():
            planning.fail(path, FailureKind.NOT_FOUND, f"stands after a gap: material_{number} is missing")
    found = [planning.source(files.get("md") or files["pdf"]) for files in chosen]
    return [source for source in found if source is not None]


def _decks_beside(case: Path, planning: Planning) -> list[PlannedDeck]:
    decks: list[PlannedDeck] = []
    for entry in entries(case):
        if entry.name == _TASK or _MATERIAL.fullmatch(entry.name):
            continue
        if entry.is_dir() and entry.name.lower() in _DECK_FOLDERS:
            for one in entries(entry):
                decks += deck_at(one, planning)
        elif entry.is_file() and entry.suffix.lower() in DECK_SUFFIXES:
            decks += deck_at(entry, planning)
    return decks
