"""Replacing, renaming and removing decks, systems and instances; nothing is lost, and everything can be undone."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from studio.decks.content import Content, content_of, copy_content
from studio.decks.structure import inspect_file
from studio.errors import BadInput, DeckUnreadable
from studio.exchange.rankings import current_rankings
from studio.model.answers import AnswerKind, Ranking
from studio.model.changes import Changes, Topic, changed
from studio.model.decks import Deck, DeckStatus, Instance, System
from studio.model.ids import DeckId
from studio.store import answers as answer_store
from studio.store import care as care_store
from studio.store import decks as deck_store
from studio.store.care import REMOVED, FileHistory, Kind, ProjectAct, Stale
from studio.store.project import Project
from studio.store.values import to_json

CHANGED = changed(Topic.DECKS, Topic.ANSWERS, Topic.SCORES)
"""What an act of care may change: what is shown, and which answers and values count."""


def replace_deck_file(
    project: Project, deck_id: DeckId, path: Path, *, password: str | None = None
) -> tuple[ProjectAct, Changes]:
    """Give a deck another file; its old one, its old pictures and all answers stay, and an undo brings them back.

    Args:
        project: open for writing.
        deck_id: the deck whose file is replaced.
        path: the new file or folder; copied, never moved.
        password: of a protected file; used to read it now and not stored.

    Raises:
        BadInput: if there is no such deck, or the file is the one that it has.
        DeckUnreadable: if the new file cannot be used; the deck then keeps what it had.
    """
    deck = deck_of(project, deck_id)
    content = content_of(path)
    if content.sha256 == deck.asset:
        raise BadInput(f"{path.name} is the file that {deck.system} has already.", next_step="Choose another file.")
    facts = inspect_file(path, password=password)
    if facts.failure is not None:
        raise DeckUnreadable(facts.failure.kind, f"{path.name} was not taken: {facts.failure.message}")
    _store_asset(project, path, content)
    done = care_store.act(
        project,
        "replace",
        Kind.DECK,
        deck_id,
        f"Replaced the file of {deck.system} by {path.name}",
        {
            "status": DeckStatus.PRESENT.value, "reason": "", "failure_kind": "",
            "format": facts.format.value if facts.format else None, "asset": content.sha256,
            "extension": content.extension, "original_name": path.name, "size_bytes": content.size_bytes,
            "slides": facts.slides or 0, "hidden_slides": facts.hidden_slides or 0,
            "warnings": to_json(facts.warnings), "facts": to_json(facts),
        },
    )  # fmt: skip
    assert done is not None, "another content is always a difference"
    return done, CHANGED


def rename(project: Project, kind: Kind, target_id: str, name: str) -> tuple[ProjectAct | None, Changes]:
    """Give a system or an instance another name, or a deck's file another name to be shown under.

    Returns:
        None for the act if it has that name already.

    Raises:
        BadInput: for an empty name, or one that another system or instance has.
    """
    name = name.strip()
    if not name:
        raise BadInput(f"The {kind.value} needs a name.", next_step="Type one.")
    column = "original_name" if kind is Kind.DECK else "name"
    old = str(care_store.record(project, kind, target_id)[column])
    done = care_store.act(
        project, "rename", kind, target_id, f"Renamed the {kind.value} {old} to {name}", {column: name}
    )
    return done, changed(Topic.DECKS)


def save_system(project: Project, system: System) -> Changes:
    """Store a system's record, as an act that can be undone."""
    fields = {
        "name": system.name, "version": system.version, "paradigm": system.paradigm,
        "access_date": system.access_date, "settings": system.settings, "adaptation": system.adaptation,
    }  # fmt: skip
    care_store.act(project, "edit", Kind.SYSTEM, system.id, f"Changed the system {system.name}", fields)
    return changed(Topic.DECKS)


def save_instance(project: Project, instance: Instance) -> Changes:
    """Store an instance's record, as an act that can be undone."""
    fields = {
        "name": instance.name, "title": instance.title, "instruction": instance.instruction,
        "scenario": instance.scenario, "domain": instance.domain, "language": instance.language,
        "difficulty": instance.difficulty,
    }  # fmt: skip
    words = f"Changed the instance {instance.title or instance.name}"
    care_store.act(project, "edit", Kind.INSTANCE, instance.id, words, fields)
    return changed(Topic.DECKS)


def remove(project: Project, kind: Kind, target_id: str) -> tuple[ProjectAct | None, Changes]:
    """Hide a deck, a system with its decks, or an instance with its sources and decks.

    Files, answers and values stay where they are; nothing counts or shows them until the removal is undone.

    Returns:
        None for the act if it is removed already.

    Raises:
        BadInput: if there is no such thing.
    """
    before = care_store.record(project, kind, target_id)
    if before[REMOVED]:
        return None, changed()
    values: dict[str, object] = {REMOVED: 1}
    decks = deck_store.list_decks(project)
    if kind is Kind.DECK:
        deck = deck_of(project, DeckId(target_id))
        words = f"Removed the deck of {deck.system}"
    else:
        column = "system_id" if kind is Kind.SYSTEM else "instance_id"
        number = sum(getattr(deck, column) == target_id and deck.asset is not None for deck in decks)
        title = str(before.get("title") or before["name"])
        words = f"Removed the {kind.value} {title}"
        words += f" with its {number} deck{'s' if number != 1 else ''}" if number else ""
        # The name is free again, for something that is imported under it.
        values["name"] = f"{before['name']} (removed {target_id})"
    return care_store.act(project, "remove", kind, target_id, words, values), CHANGED


def undo(project: Project) -> tuple[ProjectAct, Changes]:
    """Take the last act on the library back; see `studio.store.care.undo`."""
    return care_store.undo(project), CHANGED


def redo(project: Project) -> tuple[ProjectAct, Changes]:
    """Bring back what was taken back last; see `studio.store.care.redo`."""
    return care_store.redo(project), CHANGED


def deck_of(project: Project, deck_id: DeckId) -> Deck:
    """Return a deck that is there.

    Raises:
        BadInput: if there is none, or if it was removed.
    """
    deck = next((deck for deck in deck_store.list_decks(project) if deck.id == deck_id), None)
    if deck is None:
        raise BadInput(f"There is no deck {deck_id}.", next_step="List the decks with: studio decks PROJECT")
    return deck


def target_of(project: Project, kind: Kind, names: tuple[str, ...]) -> str:
    """Return the id of what a person names: a system, an instance, or a deck by instance and system, or any by id.

    Raises:
        BadInput: if there is none of that name.
    """
    found: str | None
    if kind is Kind.DECK:
        instances = {item.name: item.id for item in deck_store.list_instances(project)}
        found = next(
            (
                deck.id
                for deck in deck_store.list_decks(project)
                if names == (deck.id,)
                or (len(names) == 2 and deck.system == names[1] and deck.instance_id == instances.get(names[0]))
            ),
            None,
        )
    else:
        listed = deck_store.list_systems(project) if kind is Kind.SYSTEM else deck_store.list_instances(project)
        found = next((item.id for item in listed if names in ((item.id,), (item.name,))), None)
    if found is None:
        how = "INSTANCE SYSTEM, or its id" if kind is Kind.DECK else "its name or its id"
        raise BadInput(f"There is no {kind.value} {' '.join(names)}.", next_step=f"Name it by {how}.")
    return found


def stale_of(project: Project, rankings: Sequence[Ranking] | None = None) -> dict[DeckId, Stale]:
    """Return, for each deck that has any, how many ranks, answers and values were given on another file of it.

    Args:
        project: an open project.
        rankings: the current ones, where the caller has them.
    """
    found: dict[DeckId, Stale] = {}

    def add(deck_id: DeckId, change: Callable[[Stale], Stale]) -> None:
        found[deck_id] = change(found.get(deck_id, Stale()))

    for ranking in current_rankings(project) if rankings is None else rankings:
        for deck_id in ranking.stale_decks:
            add(deck_id, lambda stale: replace(stale, ranks=stale.ranks + 1))
    files = FileHistory(project)
    for kind in (AnswerKind.CHECKLIST, AnswerKind.RATING, AnswerKind.EDITABILITY):
        newest = {
            (event.deck_id, event.annotator_id, event.item_key): event.seq
            for event in answer_store.events_of(project, kind)
        }
        for (of, _, _), seq in newest.items():
            if of is not None and of not in files.hidden and files.is_stale(of, seq):
                add(of, lambda stale: replace(stale, answers=stale.answers + 1))
    for deck_id, number in care_store.stale_scores(project).items():
        add(deck_id, lambda stale, number=number: replace(stale, scores=number))  # type: ignore[misc]
    for deck_id, number in care_store.stale_verdicts(project).items():
        add(deck_id, lambda stale, number=number: replace(stale, verdicts=number))  # type: ignore[misc]
    return found


def left_out(project: Project, rankings: Sequence[Ranking] | None = None) -> dict[str, int]:
    """Return what a project's figures leave out: stale answers and values, and decks that were removed."""
    stale = stale_of(project, rankings).values()
    return {
        "stale_ranks": sum(item.ranks for item in stale),
        "stale_answers": sum(item.answers for item in stale),
        "stale_scores": sum(item.scores for item in stale),
        "stale_verdicts": sum(item.verdicts for item in stale),
        "removed_decks": len(FileHistory(project).hidden),
    }


def left_out_in_words(counts: dict[str, int]) -> str:
    """Return such as "Left out: 3 ranks and 2 values on earlier files, 1 removed deck."; empty if nothing is."""
    values = counts["stale_scores"] + counts["stale_verdicts"]
    given = [
        f"{number:,} {word}{'s' if number != 1 else ''}"
        for number, word in (
            (counts["stale_ranks"], "rank"), (counts["stale_answers"], "answer"), (values, "value"),
        )
        if number
    ]  # fmt: skip
    parts = [f"{' and '.join(given)} given on earlier files"] if given else []
    if counts["removed_decks"]:
        parts.append(f"{counts['removed_decks']:,} removed deck{'s' if counts['removed_decks'] != 1 else ''}")
    return f"Left out: {', '.join(parts)}." if parts else ""


def act_json(done: ProjectAct | None) -> dict[str, Any]:
    """Return an act as the commands print it with --json."""
    if done is None:
        return {"done": False}
    return {
        "done": True, "seq": done.seq, "at": done.at, "verb": done.verb, "kind": done.kind.value,
        "id": done.target_id, "words": done.words, "undoes": done.undoes,
    }  # fmt: skip


def _store_asset(project: Project, path: Path, content: Content) -> None:
    if not content.is_packed:
        project.add_asset(path, content.sha256, content.extension)
        return
    with tempfile.TemporaryDirectory(prefix="podium-") as folder:
        packed = Path(folder) / "packed.zip"
        copy_content(path, packed)
        project.add_asset(packed, content.sha256, content.extension)
