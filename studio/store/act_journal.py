"""Journals of authors' work: whole states that are only added to, the acts behind them, undo and redo (decision 18)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from studio.errors import BadInput
from studio.model.acts import Act, Stacks, stacks
from studio.store.project import Project, utc_now
from studio.store.values import from_json, to_json

State = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Record:
    """One state of one thing, as stored or to be stored."""

    kind: str
    """What it is about; each journal has its own kinds."""
    key: str
    """Id of the thing."""
    scope: str
    """Key of what it belongs to."""
    state: State | None
    """None: it was not there yet; an act that made it was taken back."""
    seq: int = 0
    at: str = ""
    author: str = ""


def _nothing(record: Record) -> State | None:
    del record
    return None


@dataclass(frozen=True, kw_only=True)
class ActJournal:
    """One kind of journal: two tables, ``<name>_acts`` and ``<name>_records``, that are only added to."""

    name: str
    """Of the tables."""
    subject: str
    """What people call what is in it."""
    unmade: Callable[[Record], State | None] = _nothing
    """The state of a thing whose making is taken back; None: as if it had never been."""
    is_own_only: bool = False
    """Whether a named person takes back their own acts only; else the last act, whoever did it."""

    def write(
        self, project: Project, records: Sequence[Record], *, verb: str, words: str, author: str = "", at: str = ""
    ) -> Act | None:
        """Append states as one act and return it; None if all of them are as they were.

        Durable: when this returns, what the author did survives a crash.
        """
        with project.writing(is_durable=True):
            fresh = [record for record in records if not self._is_current(project, record)]
            if not fresh:
                return None
            act = Act(seq=0, at=at or utc_now(), author=author, verb=verb, words=words)
            return self._append(project, fresh, act)

    def current(self, project: Project, kind: str, *, scopes: Sequence[str] | None = None) -> list[Record]:
        """Return the newest state of every key of a kind, narrowed to some scopes if asked, by first writing.

        Keys whose making was taken back are left out.
        """
        condition, parameters = "", [kind]
        if scopes is not None:
            condition = f"AND scope IN ({', '.join('?' * len(scopes))})"
            parameters += scopes
        rows = project.reading().query(
            f"SELECT r.*, a.at AS at, a.author AS author, newest.first AS first FROM {self.name}_records r "
            f"JOIN (SELECT max(seq) AS seq, min(seq) AS first FROM {self.name}_records "
            f"WHERE kind = ? {condition} GROUP BY key) newest ON newest.seq = r.seq "
            f"JOIN {self.name}_acts a ON a.seq = r.act ORDER BY newest.first",
            parameters,
        )
        return [record for record in map(_record, rows) if record.state is not None]

    def history(self, project: Project, kind: str, key: str) -> list[Record]:
        """Return all states of one key, oldest first."""
        rows = project.reading().query(
            f"SELECT r.*, a.at AS at, a.author AS author FROM {self.name}_records r "
            f"JOIN {self.name}_acts a ON a.seq = r.act WHERE r.kind = ? AND r.key = ? ORDER BY r.seq",
            [kind, key],
        )
        return list(map(_record, rows))

    def histories(self, project: Project, kind: str, scopes: Sequence[str]) -> dict[str, list[Record]]:
        """Return all states of every key of a kind in some scopes, oldest first."""
        rows = project.reading().query(
            f"SELECT r.*, a.at AS at, a.author AS author FROM {self.name}_records r "
            f"JOIN {self.name}_acts a ON a.seq = r.act "
            f"WHERE r.kind = ? AND r.scope IN ({', '.join('?' * len(scopes))}) ORDER BY r.seq",
            [kind, *scopes],
        )
        found: dict[str, list[Record]] = {}
        for record in map(_record, rows):
            found.setdefault(record.key, []).append(record)
        return found

    def list_acts(self, project: Project) -> list[Act]:
        """Return all acts, oldest first."""
        return [
            Act(
                seq=row["seq"], at=row["at"], author=row["author"], verb=row["verb"], words=row["words"],
                undoes=row["undoes"],
            )
            for row in project.reading().query(f"SELECT * FROM {self.name}_acts ORDER BY seq")
        ]  # fmt: skip

    def undo(self, project: Project, *, author: str = "") -> Act:
        """Take back the last act that holds, in a journal of one's own the author's; this is one more act.

        Raises:
            BadInput: if there is nothing to take back, or somebody has changed the same since.
        """
        with project.writing(is_durable=True):
            done, _ = _stacks(self.list_acts(project), self._whose(author))
            if not done:
                raise BadInput(f"There is nothing {_of(self._whose(author))}to undo in the {self.subject}.")
            act = done[-1]
            records = self._of_act(project, act.seq)
            self._refuse_if_changed(project, records, act)
            states = [self._before(project, record) for record in records]
            return self._append(project, states, _reversal("undo", act, author))

    def redo(self, project: Project, *, author: str = "") -> Act:
        """Bring back the act that was taken back last, in a journal of one's own the author's.

        Raises:
            BadInput: if there is nothing to bring back, or somebody has changed the same since.
        """
        with project.writing(is_durable=True):
            _, undone = _stacks(self.list_acts(project), self._whose(author))
            if not undone:
                raise BadInput(f"There is nothing {_of(self._whose(author))}to redo in the {self.subject}.")
            act = undone[-1]
            records = self._of_act(project, act.seq)
            self._refuse_if_changed(project, [self._before(project, record) for record in records], act)
            return self._append(project, records, _reversal("redo", act, author))

    def can_undo(self, project: Project, *, author: str = "") -> tuple[Act | None, Act | None]:
        """Return the act that undo would take back for this person, and the one that redo would bring back."""
        done, undone = _stacks(self.list_acts(project), self._whose(author))
        return (done[-1] if done else None), (undone[-1] if undone else None)

    def _whose(self, author: str) -> str:
        return author if self.is_own_only else ""

    def _refuse_if_changed(self, project: Project, expected: Sequence[Record], act: Act) -> None:
        """Refuse where a record is no more as an act left it, since its newer state would be lost."""
        changed = [record for record in expected if not self._is_current(project, record)]
        if changed:
            last = self.history(project, changed[0].kind, changed[0].key)[-1]
            raise BadInput(
                f"{last.author or 'Somebody'} has changed "
                f"{'this' if len(expected) == 1 else f'{len(changed)} of them'} since: {act.words}.",
                next_step="Edit it by hand; its earlier words are among its versions.",
            )

    def _append(self, project: Project, records: Sequence[Record], act: Act) -> Act:
        with project.writing(is_durable=True) as db:
            seq = int(
                db.execute(
                    f"INSERT INTO {self.name}_acts (at, author, verb, words, undoes) VALUES (?, ?, ?, ?, ?)",
                    [act.at, act.author, act.verb, act.words, act.undoes],
                ).lastrowid
                or 0
            )
            db.conn.executemany(
                f"INSERT INTO {self.name}_records (act, kind, key, scope, state) VALUES (?, ?, ?, ?, ?)",
                [(seq, str(each.kind), each.key, each.scope, to_json(each.state)) for each in records],
            )
        return Act(seq=seq, at=act.at, author=act.author, verb=act.verb, words=act.words, undoes=act.undoes)

    def _is_current(self, project: Project, record: Record) -> bool:
        row = (
            project.reading()
            .execute(
                f"SELECT state FROM {self.name}_records WHERE kind = ? AND key = ? ORDER BY seq DESC LIMIT 1",
                [str(record.kind), record.key],
            )
            .fetchone()
        )
        return row is not None and row[0] == to_json(record.state)

    def _of_act(self, project: Project, act: int) -> list[Record]:
        rows = project.reading().query(
            f"SELECT r.*, a.at AS at, a.author AS author FROM {self.name}_records r "
            f"JOIN {self.name}_acts a ON a.seq = r.act WHERE r.act = ? ORDER BY r.seq",
            [act],
        )
        return list(map(_record, rows))

    def _before(self, project: Project, record: Record) -> Record:
        """Return the state before a record."""
        earlier = [each for each in self.history(project, record.kind, record.key) if each.seq < record.seq]
        if earlier:
            return earlier[-1]
        return Record(kind=record.kind, key=record.key, scope=record.scope, state=self.unmade(record))


def _reversal(verb: str, act: Act, author: str) -> Act:
    words = f"{'Undid' if verb == 'undo' else 'Redid'}: {act.words}"
    return Act(seq=0, at=utc_now(), author=author, verb=verb, words=words, undoes=act.seq)


def _of(author: str) -> str:
    return f"of {author} " if author else ""


def _stacks(acts: Sequence[Act], author: str) -> Stacks[Act]:
    """Return the acts that hold and those that were taken back, of one author or of all."""
    # Undos of others stay: an act that is taken back holds no more for its author, whoever pressed it.
    return stacks(act for act in acts if not author or act.author == author or act.undoes is not None)


def _record(row: dict[str, Any]) -> Record:
    return Record(
        kind=row["kind"], key=row["key"], scope=row["scope"], state=from_json(row["state"]), seq=row["seq"],
        at=row["at"], author=row["author"],
    )  # fmt: skip
