"""Records of checklists: whole states that are only added to, the acts behind them, undo and redo (decision 18)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from studio.errors import BadInput
from studio.model.authoring import ChecklistAct
from studio.store.project import Project, utc_now
from studio.store.values import from_json, to_json

State = Mapping[str, Any]


class RecordKind(StrEnum):
    """What a record is about."""

    ITEM = "item"
    LIST = "list"
    CURATION = "curation"
    INSTRUCTION = "instruction"
    TRIAL = "trial"
    """What an author says to an item about a deck while trying it; never an annotator's answer."""


@dataclass(frozen=True, kw_only=True)
class Record:
    """One state of one thing, as stored or to be stored."""

    kind: RecordKind
    key: str
    """Item id, scope key or instance id."""
    scope: str
    """Key of the scope that it belongs to."""
    state: State | None
    """None: it was not there yet; an act that made it was taken back."""
    seq: int = 0
    at: str = ""
    author: str = ""


def write(
    project: Project, records: Sequence[Record], *, verb: str, words: str, author: str = "", at: str = ""
) -> ChecklistAct | None:
    """Append states as one act and return it; None if all of them are as they were.

    Durable: when this returns, what the author did survives a crash.
    """
    with project.writing(is_durable=True):
        fresh = [record for record in records if not _is_current(project, record)]
        if not fresh:
            return None
        return _append(project, fresh, ChecklistAct(seq=0, at=at or utc_now(), author=author, verb=verb, words=words))


def current(project: Project, kind: RecordKind, *, scopes: Sequence[str] | None = None) -> list[Record]:
    """Return the newest state of every key of a kind, narrowed to some scopes if asked, in the order of first writing.

    Keys whose making was taken back are left out.
    """
    condition, parameters = "", [kind.value]
    if scopes is not None:
        condition = f"AND scope IN ({', '.join('?' * len(scopes))})"
        parameters += scopes
    rows = project.reading().query(
        "SELECT r.*, a.at AS at, a.author AS author, newest.first AS first FROM checklist_records r "
        "JOIN (SELECT max(seq) AS seq, min(seq) AS first FROM checklist_records "
        f"WHERE kind = ? {condition} GROUP BY key) newest ON newest.seq = r.seq "
        "JOIN checklist_acts a ON a.seq = r.act ORDER BY newest.first",
        parameters,
    )
    return [record for record in map(_record, rows) if record.state is not None]


def history(project: Project, kind: RecordKind, key: str) -> list[Record]:
    """Return all states of one key, oldest first."""
    rows = project.reading().query(
        "SELECT r.*, a.at AS at, a.author AS author FROM checklist_records r JOIN checklist_acts a ON a.seq = r.act "
        "WHERE r.kind = ? AND r.key = ? ORDER BY r.seq",
        [kind.value, key],
    )
    return list(map(_record, rows))


def histories(project: Project, kind: RecordKind, scopes: Sequence[str]) -> dict[str, list[Record]]:
    """Return all states of every key of a kind in some scopes, oldest first."""
    rows = project.reading().query(
        "SELECT r.*, a.at AS at, a.author AS author FROM checklist_records r JOIN checklist_acts a ON a.seq = r.act "
        f"WHERE r.kind = ? AND r.scope IN ({', '.join('?' * len(scopes))}) ORDER BY r.seq",
        [kind.value, *scopes],
    )
    found: dict[str, list[Record]] = {}
    for record in map(_record, rows):
        found.setdefault(record.key, []).append(record)
    return found


def list_acts(project: Project) -> list[ChecklistAct]:
    """Return all acts, oldest first."""
    return [
        ChecklistAct(
            seq=row["seq"], at=row["at"], author=row["author"], verb=row["verb"], words=row["words"],
            undoes=row["undoes"],
        )
        for row in project.reading().query("SELECT * FROM checklist_acts ORDER BY seq")
    ]  # fmt: skip


def undo(project: Project, *, author: str = "") -> ChecklistAct:
    """Take back the last act that holds, of one author if named; this is one more act.

    Raises:
        BadInput: if there is nothing to take back, or somebody has changed the same since.
    """
    with project.writing(is_durable=True):
        done, _ = _stacks(list_acts(project), author)
        if not done:
            raise BadInput(f"There is nothing {'of ' + author + ' ' if author else ''}to undo in the checklists.")
        act = done[-1]
        records = _of_act(project, act.seq)
        _refuse_if_changed(project, records, act)
        return _append(project, [_before(project, record) for record in records], _reversal("undo", act, author))


def redo(project: Project, *, author: str = "") -> ChecklistAct:
    """Bring back the act that was taken back last, of one author if named.

    Raises:
        BadInput: if there is nothing to bring back, or somebody has changed the same since.
    """
    with project.writing(is_durable=True):
        _, undone = _stacks(list_acts(project), author)
        if not undone:
            raise BadInput(f"There is nothing {'of ' + author + ' ' if author else ''}to redo in the checklists.")
        act = undone[-1]
        records = _of_act(project, act.seq)
        _refuse_if_changed(project, [_before(project, record) for record in records], act)
        return _append(project, records, _reversal("redo", act, author))


def can_undo(project: Project, *, author: str = "") -> tuple[ChecklistAct | None, ChecklistAct | None]:
    """Return the act that undo would take back and the one that redo would bring back, of one author if named."""
    done, undone = _stacks(list_acts(project), author)
    return (done[-1] if done else None), (undone[-1] if undone else None)


def _reversal(verb: str, act: ChecklistAct, author: str) -> ChecklistAct:
    words = f"{'Undid' if verb == 'undo' else 'Redid'}: {act.words}"
    return ChecklistAct(seq=0, at=utc_now(), author=author, verb=verb, words=words, undoes=act.seq)


def _stacks(acts: Sequence[ChecklistAct], author: str) -> tuple[list[ChecklistAct], list[ChecklistAct]]:
    """Return the acts that hold and those that were taken back, of one author or of all."""
    done: list[ChecklistAct] = []
    undone: list[ChecklistAct] = []
    for act in acts:
        if act.verb in {"undo", "redo"}:
            source, sink = (done, undone) if act.verb == "undo" else (undone, done)
            # Whoever pressed it: an act that is taken back holds no more for its author.
            moved = next((each for each in reversed(source) if each.seq == act.undoes), None)
            if moved is not None:
                source.remove(moved)
                sink.append(moved)
        elif not author or act.author == author:
            done.append(act)
            undone.clear()
    return done, undone


def _refuse_if_changed(project: Project, expected: Sequence[Record], act: ChecklistAct) -> None:
    """Refuse where a record is no more as an act left it, since its newer state would be lost."""
    changed = [record for record in expected if not _is_current(project, record)]
    if changed:
        last = history(project, changed[0].kind, changed[0].key)[-1]
        raise BadInput(
            f"{last.author or 'Somebody'} has changed {'this' if len(expected) == 1 else f'{len(changed)} of them'} "
            f"since: {act.words}.",
            next_step="Edit it by hand; its earlier words are among its versions.",
        )


def _append(project: Project, records: Sequence[Record], act: ChecklistAct) -> ChecklistAct:
    with project.writing(is_durable=True) as db:
        seq = int(
            db.execute(
                "INSERT INTO checklist_acts (at, author, verb, words, undoes) VALUES (?, ?, ?, ?, ?)",
                [act.at, act.author, act.verb, act.words, act.undoes],
            ).lastrowid
            or 0
        )
        db.conn.executemany(
            "INSERT INTO checklist_records (act, kind, key, scope, state) VALUES (?, ?, ?, ?, ?)",
            [(seq, each.kind.value, each.key, each.scope, to_json(each.state)) for each in records],
        )
    return ChecklistAct(
        seq=seq, at=act.at, author=act.author, verb=act.verb, words=act.words, undoes=act.undoes
    )  # fmt: skip


def _is_current(project: Project, record: Record) -> bool:
    row = (
        project.reading()
        .execute(
            "SELECT state FROM checklist_records WHERE kind = ? AND key = ? ORDER BY seq DESC LIMIT 1",
            [record.kind.value, record.key],
        )
        .fetchone()
    )
    return row is not None and row[0] == to_json(record.state)


def _of_act(project: Project, act: int) -> list[Record]:
    rows = project.reading().query(
        "SELECT r.*, a.at AS at, a.author AS author FROM checklist_records r JOIN checklist_acts a ON a.seq = r.act "
        "WHERE r.act = ? ORDER BY r.seq",
        [act],
    )
    return list(map(_record, rows))


def _before(project: Project, record: Record) -> Record:
    """Return the state before a record; an item stays known as retired, since answers may name it."""
    earlier = [each for each in history(project, record.kind, record.key) if each.seq < record.seq]
    if earlier:
        return earlier[-1]
    state = {**record.state, "is_retired": True} if record.kind is RecordKind.ITEM and record.state else None
    return Record(kind=record.kind, key=record.key, scope=record.scope, state=state)


def _record(row: dict[str, Any]) -> Record:
    return Record(
        kind=RecordKind(row["kind"]), key=row["key"], scope=row["scope"], state=from_json(row["state"]),
        seq=row["seq"], at=row["at"], author=row["author"],
    )  # fmt: skip
