"""Freezing the state of a benchmark, and saying what differs between two states."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from studio.actions.align import Evidence, gather
from studio.actions.checklist_scores import project_scores, score_sources
from studio.errors import BadInput
from studio.exchange.files import csv_text
from studio.model.checklists import Checklist
from studio.stats.rankings import consensus
from studio.store import checklist_lists as list_store
from studio.store import decks as deck_store
from studio.store import snapshots as snapshot_store
from studio.store.project import Project
from studio.store.snapshots import StoredSnapshot
from studio.store.values import plain, to_json

NOW = "now"
"""In place of a snapshot's name: the project as it is."""
PEOPLE_RANK, CHECKLIST = "people.mean_rank", "checklist:"
_INSTANCE = ("name", "title", "scenario", "domain", "language", "difficulty")
_SYSTEM = ("name", "version", "paradigm", "access_date", "settings", "adaptation")


def freeze(project: Project) -> dict[str, Any]:
    """Return the state of a benchmark as JSON values: what was asked, which decks there are, and what came of them."""
    evidence = gather(project)
    return {
        "instances": {
            key: {name: getattr(item, name) for name in _INSTANCE} | {"instruction": _digest(item.instruction)}
            for key, item in evidence.instances.items()
        },
        "sources": {
            source.id: {"name": f"{evidence.instances[key].name} · {source.name}", "asset": source.asset}
            for key in evidence.instances
            for source in deck_store.list_sources(project, key)
        },
        "systems": {
            system.id: {name: getattr(system, name) for name in _SYSTEM}
            for system in deck_store.list_systems(project)
        },
        "decks": {
            deck.id: {
                "instance_id": deck.instance_id, "system": deck.system, "status": deck.status.value,
                "asset": deck.asset, "slides": deck.slides,
            }
            for deck in evidence.decks.values()
        },
        "checklists": {key: _checklist_digest(found) for key, found in list_store.checklists(project).items()},
        "values": _values(project, evidence),
        "people": {
            "annotators": len(evidence.annotators), "adjudicated_pairs": evidence.n_adjudicated,
            "sample_data": evidence.has_sample_people,
        },
    }  # fmt: skip


def take_snapshot(project: Project, name: str, *, author: str = "", note: str = "") -> StoredSnapshot:
    """Freeze the benchmark under a name and return the snapshot.

    Raises:
        BadInput: if the name is blank or taken.
    """
    content = freeze(project)
    return snapshot_store.add(
        project, name=name, author=author, note=note, content_hash=_digest(to_json(content)), content=content
    )


def list_snapshots(project: Project) -> list[StoredSnapshot]:
    """Return all snapshots, oldest first."""
    return snapshot_store.list_all(project)


def state_named(project: Project, name: str) -> dict[str, Any]:
    """Return the content of a snapshot by its name or number, or of the project as it is for ``now``.

    Raises:
        BadInput: if there is none of that name.
    """
    if name == NOW:
        return freeze(project)
    known = list_snapshots(project)
    found = next((each for each in known if name in (each.name, str(each.number))), None)
    if found is None:
        there = ", ".join(each.name for each in known) or "none yet"
        raise BadInput(
            f"There is no snapshot {name}.", next_step=f"There are: {there}; and {NOW} for the project as it is."
        )
    return snapshot_store.content_of(project, found.number)


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One system and one method in two states."""

    system: str
    method: str
    before: float | None
    """Mean over the decks with a value."""
    after: float | None
    n_before: int
    n_after: int
    on_both: float | None
    """Mean of after minus before over decks that have a value in both states."""
    n_both: int
    n_changed: int
    """Decks whose value came, went or is another one; the means may be the same all the same."""
    reason: str = ""
    """Why there is no difference on both."""


@dataclass(frozen=True, kw_only=True)
class Part:
    """What came, went and changed of one kind of thing."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs."""
        return not (self.added or self.removed or self.changed)


@dataclass(frozen=True, kw_only=True)
class SnapshotComparison:
    """What differs between two states of a benchmark."""

    before: str
    after: str
    parts: Mapping[str, Part]
    """Instances, sources, systems, decks and checklists, by name."""
    differences: tuple[Difference, ...]
    methods: Part
    people: tuple[Mapping[str, Any], Mapping[str, Any]]

    @property
    def is_same(self) -> bool:
        """Whether the two states are one."""
        is_same_values = not any(each.n_changed for each in self.differences)
        is_same_rest = self.methods.is_empty and all(part.is_empty for part in self.parts.values())
        return is_same_values and is_same_rest and not self.people_in_words

    @property
    def people_in_words(self) -> list[str]:
        """Return what differs of the people behind the values, such as "annotators 3 → 4"."""
        before, after = self.people
        return [
            f"{name.replace('_', ' ')} {before.get(name)} → {after.get(name)}"
            for name in dict.fromkeys([*before, *after])
            if before.get(name) != after.get(name)
        ]


def compare(project: Project, before: str, after: str = NOW) -> SnapshotComparison:
    """Return what differs between two snapshots, or between one and the project as it is.

    Raises:
        BadInput: if there is no such snapshot.
    """
    old, new = state_named(project, before), state_named(project, after)
    parts = {
        name: _part(old[name], new[name], _namer(name, old, new))
        for name in ("instances", "sources", "systems", "decks", "checklists")
    }
    methods = Part(
        added=tuple(sorted(new["values"].keys() - old["values"].keys())),
        removed=tuple(sorted(old["values"].keys() - new["values"].keys())), changed=(),
    )  # fmt: skip
    systems = sorted({deck["system"] for state in (old, new) for deck in state["decks"].values()})
    every = [*dict.fromkeys([*old["values"], *new["values"]])]
    return SnapshotComparison(
        before=before, after=after, parts=parts, methods=methods, people=(old["people"], new["people"]),
        differences=tuple(_difference(old, new, system, method) for method in every for system in systems),
    )  # fmt: skip


def standing_of(project: Project, name: str) -> list[Difference]:
    """Return how systems stood in a snapshot: each system's mean by each method, as a comparison with itself.

    Raises:
        BadInput: if there is no such snapshot.
    """
    state = state_named(project, name)
    systems = sorted({deck["system"] for deck in state["decks"].values()})
    return [_difference(state, state, system, method) for method in state["values"] for system in systems]


def comparison_json(found: SnapshotComparison) -> dict[str, Any]:
    """Return a comparison as `studio snapshot compare --json` prints it."""
    return {
        "before": found.before, "after": found.after, "same": found.is_same,
        **{name: plain(part) for name, part in found.parts.items()}, "methods": plain(found.methods),
        "people": {"before": dict(found.people[0]), "after": dict(found.people[1])},
        "differences": difference_rows(found.differences),
    }  # fmt: skip


COLUMNS = ("system", "method", "before", "after", "n_before", "n_after", "difference_on_both", "n_both",
           "n_changed", "undefined_reason")  # fmt: skip


def difference_rows(differences: Sequence[Difference]) -> list[dict[str, Any]]:
    """Return one row for each system and method; undefined is None with the reason."""
    return [
        {
            "system": each.system, "method": each.method, "before": each.before, "after": each.after,
            "n_before": each.n_before, "n_after": each.n_after, "difference_on_both": each.on_both,
            "n_both": each.n_both, "n_changed": each.n_changed, "undefined_reason": each.reason or None,
        }
        for each in differences
    ]  # fmt: skip


def as_csv(found: SnapshotComparison) -> str:
    """Return the differences as CSV."""
    return csv_text(COLUMNS, difference_rows(found.differences))


def _values(project: Project, evidence: Evidence) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for name, by_instance in evidence.methods.items():
        found[name] = {
            deck: value for decks in by_instance.values() for deck, value in decks.items() if value is not None
        }  # fmt: skip
    for who in score_sources(project):
        scores = project_scores(project, who)
        totals = {deck.deck_id: scores.total(place).value for place, deck in enumerate(scores.decks)}
        found[f"{CHECKLIST}{who}"] = {deck: value for deck, value in totals.items() if value is not None}
    side = consensus(evidence.human)
    ranks = {
        deck: float(rank)
        for decks, row in zip(side.deck_ids, side.mean_ranks, strict=True)
        for deck, rank in zip(decks, row, strict=False)
        if deck in evidence.decks
    }
    if ranks:
        found[PEOPLE_RANK] = {str(deck): rank for deck, rank in ranks.items()}
    return found


def _difference(old: Mapping[str, Any], new: Mapping[str, Any], system: str, method: str) -> Difference:
    before, after = (
        {
            deck: value
            for deck, value in state["values"].get(method, {}).items()
            if state["decks"].get(deck, {}).get("system") == system
        }
        for state in (old, new)
    )
    both = sorted(before.keys() & after.keys())
    reason = "" if both else "no deck has a value in both"
    return Difference(
        system=system, method=method, before=_mean(list(before.values())), after=_mean(list(after.values())),
        n_before=len(before), n_after=len(after), n_both=len(both), reason=reason,
        n_changed=sum(before.get(deck) != after.get(deck) for deck in before.keys() | after.keys()),
        on_both=_mean([after[deck] - before[deck] for deck in both]),
    )  # fmt: skip


def _part(old: Mapping[str, Any], new: Mapping[str, Any], names: Mapping[str, str]) -> Part:
    def called(keys: Sequence[str]) -> tuple[str, ...]:
        return tuple(sorted(names.get(key, key) for key in keys))

    return Part(
        added=called([key for key in new if key not in old]), removed=called([key for key in old if key not in new]),
        changed=called([key for key in new if key in old and new[key] != old[key]]),
    )  # fmt: skip


def _namer(kind: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, str]:
    instances = {key: str(item["name"]) for state in (old, new) for key, item in state["instances"].items()}
    match kind:
        case "instances" | "checklists":
            return instances
        case "systems" | "sources":
            return {key: str(item["name"]) for state in (old, new) for key, item in state[kind].items()}
        case "decks":
            return {
                key: f"{instances.get(deck['instance_id'], '?')} · {deck['system']}"
                for state in (old, new)
                for key, deck in state["decks"].items()
            }
    return {}


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def _checklist_digest(checklist: Checklist) -> str:
    return _digest(to_json([plain(item) for item in checklist.items]))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
