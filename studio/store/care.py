"""What became of decks, systems, instances and studies: removals, acts that can be undone, answers on earlier files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from studio.errors import BadInput
from studio.model.acts import stacks
from studio.model.ids import DeckId
from studio.store.light_import import Database as Connection
from studio.store.project import Project, utc_now
from studio.store.values import from_json, to_json

Row = dict[str, Any]
REMOVED = "is_removed"
"""Stands among a record's fields in the journal, though it is kept in a table of its own."""


class Kind(StrEnum):
    """What an act is about."""

    DECK = "deck"
    SYSTEM = "system"
    INSTANCE = "instance"
    STUDY = "study"


LIBRARY = frozenset({Kind.DECK, Kind.SYSTEM, Kind.INSTANCE})
STUDIES = frozenset({Kind.STUDY})

_TABLES = {Kind.DECK: "decks", Kind.SYSTEM: "systems", Kind.INSTANCE: "instances", Kind.STUDY: "studies"}
_FILE_PARTS = {"render_rows": "renders", "slide_rows": "slides"}
"""Tables of what belongs to a deck's file and goes and comes with it."""
TRAINING = "training_rows"
"""Stands among the fields of a study: the rows of its training."""
_PARTS = {Kind.DECK: _FILE_PARTS, Kind.STUDY: {TRAINING: "training_items"}}
_OWNER = {Kind.DECK: "deck_id", Kind.STUDY: "study_id"}
"""Which column of these tables names the record."""


@dataclass(frozen=True, kw_only=True)
class ProjectAct:
    """One act on a deck, system, instance or study, as the journal has it."""

    seq: int
    at: str
    verb: str
    kind: Kind
    target_id: str
    words: str
    """What was done, such as "Removed the system Aster"."""
    before: Row
    after: Row
    undoes: int | None = None


@dataclass(frozen=True, kw_only=True)
class Stale:
    """How much of a deck was given on another file than the one that it has now."""

    ranks: int = 0
    """Ranks in people's present rankings."""
    answers: int = 0
    """Other answers of people."""
    scores: int = 0
    """Metrics without a newer value."""
    verdicts: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.ranks + self.answers + self.scores + self.verdicts


def act(
    project: Project, verb: str, kind: Kind, target_id: str, words: str, changes: Mapping[str, object]
) -> ProjectAct | None:
    """Change fields of a record and write down what they were, in one transaction; None if nothing differs.

    Args:
        project: open for writing.
        verb: ``replace``, ``rename``, ``edit`` or ``remove``.
        kind: what the target is.
        target_id: its id.
        words: what is done, for people.
        changes: columns with their new values; `REMOVED` hides the record. A new `asset` of a deck puts its
            pictures and slides aside.

    Raises:
        BadInput: if there is no such record, or a name is taken.
    """
    with project.writing(is_durable=True) as db:
        before = _record(db, kind, target_id)
        after = {name: value for name, value in changes.items() if before[name] != value}
        if not after:
            return None
        old = {name: before[name] for name in after}
        if kind is Kind.DECK and "asset" in after:
            old |= {part: before[part] for part in _FILE_PARTS}
            after |= {part: [] for part in _FILE_PARTS}
        _apply(db, kind, target_id, after)
        return _write(db, verb, kind, target_id, words, old, after, None)


def undo(project: Project, kinds: Collection[Kind] = LIBRARY) -> ProjectAct:
    """Take the last act on things of these kinds back; this is one more act, and `redo` brings it back.

    Raises:
        BadInput: if there is nothing to take back, or what the act changed was changed otherwise since.
    """
    done, _ = stacks(_of(kinds, list_acts(project)))
    if not done:
        raise BadInput(f"There is nothing to undo in the {_subject(kinds)}.")
    return _reverse(project, "undo", done[-1], done[-1].after, done[-1].before)


def redo(project: Project, kinds: Collection[Kind] = LIBRARY) -> ProjectAct:
    """Bring back what was taken back last of things of these kinds.

    Raises:
        BadInput: if there is nothing to bring back, or it was changed otherwise since.
    """
    acts = list_acts(project)
    _, undone = stacks(_of(kinds, acts))
    if not undone:
        raise BadInput(f"There is nothing to redo in the {_subject(kinds)}.")
    taken_back = next(item for item in reversed(acts) if item.verb == "undo" and item.undoes == undone[-1].seq)
    return _reverse(project, "redo", undone[-1], taken_back.after, taken_back.before)


def list_acts(project: Project) -> list[ProjectAct]:
    """Return all acts in the order in which they were done."""
    return [
        ProjectAct(
            seq=row["seq"], at=row["at"], verb=row["verb"], kind=Kind(row["kind"]), target_id=row["target_id"],
            words=row["words"], before=from_json(row["before"]), after=from_json(row["after"]), undoes=row["undoes"],
        )
        for row in project.reading().query("SELECT * FROM project_acts ORDER BY seq")
    ]  # fmt: skip


def last_acts(
    project: Project, kinds: Collection[Kind] = LIBRARY
) -> tuple[ProjectAct | None, ProjectAct | None]:  # fmt: skip
    """Return the act that `undo` would take back, and the one that `redo` would bring back."""
    done, undone = stacks(_of(kinds, list_acts(project)))
    return (done[-1] if done else None), (undone[-1] if undone else None)


def _subject(kinds: Collection[Kind]) -> str:
    return "studies" if Kind.STUDY in kinds else "library"


def _of(kinds: Collection[Kind], acts: Iterable[ProjectAct]) -> list[ProjectAct]:
    return [act for act in acts if act.kind in kinds]


def record(project: Project, kind: Kind, target_id: str) -> Row:
    """Return a record as it stands, with `REMOVED`, and of a deck with its rendering and slides.

    Raises:
        BadInput: if there is no such record.
    """
    return _record(project.reading(), kind, target_id)


class FileHistory:
    """Which file a deck had when an answer was given; decks that always had the same one cost nothing."""

    def __init__(self, project: Project) -> None:
        db = project.reading()
        self.hidden = frozenset(DeckId(row["id"]) for row in db.query("SELECT id FROM hidden_decks"))
        """Decks that were removed, by themselves or with their system or instance."""
        self._files: dict[str, list[tuple[int, str | None]]] = {}
        self._now: dict[str, str | None] = {}
        for row in db.query(
            "SELECT f.deck_id AS deck_id, f.asset AS asset, f.after_answer AS after_answer, d.asset AS now "
            "FROM deck_files f JOIN decks d ON d.id = f.deck_id "
            "WHERE f.deck_id IN (SELECT deck_id FROM changed_decks) ORDER BY f.seq"
        ):
            self._files.setdefault(row["deck_id"], []).append((row["after_answer"], row["asset"]))
            self._now[row["deck_id"]] = row["now"]

    def is_stale(self, deck_id: str | None, answer_seq: int) -> bool:
        """Return whether an answer was given on another file of the deck than it has now."""
        files = self._files.get(deck_id or "")
        if deck_id is None or not files:
            return False
        then = next((asset for after, asset in reversed(files) if after < answer_seq), files[0][1])
        return then != self._now[deck_id]

    def is_current(self, deck_id: str | None, answer_seq: int) -> bool:
        """Return whether an answer counts: its deck is there and has the file that the answer was given on."""
        return deck_id not in self.hidden and not self.is_stale(deck_id, answer_seq)


def stale_scores(project: Project) -> dict[DeckId, int]:
    """Return of each visible deck how many metrics have only values of an earlier file."""
    rows = project.reading().query(
        "SELECT deck_id, count(*) AS number FROM (SELECT DISTINCT deck_id, metric, preset FROM scores "
        "WHERE slide IS NULL AND id IN (SELECT id FROM stale_scores) AND deck_id NOT IN (SELECT id FROM hidden_decks) "
        "EXCEPT SELECT DISTINCT deck_id, metric, preset FROM scores WHERE slide IS NULL AND deck_id IN "
        "(SELECT deck_id FROM changed_decks) AND id NOT IN (SELECT id FROM stale_scores)) GROUP BY deck_id"
    )
    return {DeckId(row["deck_id"]): int(row["number"]) for row in rows}


def stale_verdicts(project: Project) -> dict[DeckId, int]:
    """Return of each visible deck how many verdicts are about an earlier file."""
    rows = project.reading().query(
        "SELECT deck_id, count(*) AS number FROM stale_verdicts WHERE deck_id NOT IN (SELECT id FROM hidden_decks) "
        "GROUP BY deck_id"
    )
    return {DeckId(row["deck_id"]): int(row["number"]) for row in rows}


def _reverse(project: Project, verb: str, of: ProjectAct, expected: Row, wanted: Row) -> ProjectAct:
    with project.writing(is_durable=True) as db:
        now = _record(db, of.kind, of.target_id)
        changed = [name for name in expected if name not in _FILE_PARTS and now[name] != expected[name]]
        if changed:
            field = "training" if changed[0] == TRAINING else changed[0].replace("_", " ")
            what = "it was removed or brought back" if changed[0] == REMOVED else f"its {field} was changed"
            raise BadInput(
                f"“{of.words}” cannot be {'undone' if verb == 'undo' else 'redone'}: {what} since.",
                next_step="Change it by hand.",
            )
        _apply(db, of.kind, of.target_id, wanted)
        words = f"{'Undone' if verb == 'undo' else 'Redone'}: {of.words}"
        return _write(db, verb, of.kind, of.target_id, words, {name: now[name] for name in wanted}, wanted, of.seq)


def _record(db: Connection, kind: Kind, target_id: str) -> Row:
    row = next(iter(db.query(f"SELECT * FROM {_TABLES[kind]} WHERE id = ?", [target_id])), None)
    if row is None:
        raise BadInput(f"There is no {kind.value} {target_id} in this project.")
    found = dict(row)
    found[REMOVED] = int(any(True for _ in db.query("SELECT 1 FROM removed WHERE id = ?", [target_id])))
    for part, table in _PARTS.get(kind, {}).items():
        rows = db.query(f"SELECT * FROM {table} WHERE {_OWNER[kind]} = ?", [target_id])
        found[part] = [dict(item) for item in rows]
    return found


def _apply(db: Connection, kind: Kind, target_id: str, values: Row) -> None:
    parts = _PARTS.get(kind, {})
    columns = {name: value for name, value in values.items() if name != REMOVED and name not in parts}
    name = columns.get("name")
    if name is not None:
        taken = db.query(f"SELECT 1 FROM {_TABLES[kind]} WHERE name = ? AND id <> ?", [name, target_id])
        if any(True for _ in taken):
            raise BadInput(f"There is another {kind.value} named {name}.", next_step="Choose another name.")
    if columns:
        settings = ", ".join(f"{column} = ?" for column in columns)
        db.execute(f"UPDATE {_TABLES[kind]} SET {settings} WHERE id = ?", [*columns.values(), target_id])
    if REMOVED in values:
        db.execute("DELETE FROM removed WHERE id = ?", [target_id])
        if values[REMOVED]:
            db.execute("INSERT INTO removed VALUES (?, ?, ?)", [target_id, kind.value, utc_now()])
    for part, table in parts.items():
        if part in values:
            db.execute(f"DELETE FROM {table} WHERE {_OWNER[kind]} = ?", [target_id])
            for row in values[part]:
                places = ", ".join("?" for _ in row)
                db.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", list(row.values()))


def _write(
    db: Connection, verb: str, kind: Kind, target_id: str, words: str, before: Row, after: Row, undoes: int | None
) -> ProjectAct:
    at = utc_now()
    cursor = db.execute(
        "INSERT INTO project_acts (at, verb, kind, target_id, words, before, after, undoes) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [at, verb, kind.value, target_id, words, to_json(before), to_json(after), undoes],
    )
    return ProjectAct(
        seq=int(cursor.lastrowid or 0), at=at, verb=verb, kind=kind, target_id=target_id, words=words,
        before=before, after=after, undoes=undoes,
    )  # fmt: skip
