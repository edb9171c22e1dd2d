"""Runs, their units, scores and verdicts in the database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from studio.model.ids import DeckId, InstanceId, RunId
from studio.model.runs import Run, RunKind, RunState, UnitRecord, UnitStatus
from studio.store.project import Project, utc_now
from studio.store.values import from_json, to_json


def add_run(project: Project, run: Run) -> None:
    """Store a run as it starts."""
    with project.writing() as db:
        db.execute(
            "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                run.id, run.kind.value, run.title, to_json(run.spec), run.state.value, run.started_at, run.ended_at,
                run.total, run.cached, to_json(run.counts), run.reason,
            ],
        )  # fmt: skip


def end_run(project: Project, run_id: RunId, state: RunState, counts: dict[str, int], reason: str = "") -> None:
    """Store how a run ended."""
    with project.writing() as db:
        db.execute(
            "UPDATE runs SET state = ?, ended_at = ?, counts = ?, reason = ? WHERE id = ?",
            [state.value, utc_now(), to_json(counts), reason, run_id],
        )


def mark_interrupted(project: Project) -> int:
    """Return how many runs were found running in a project that was just opened; they are now interrupted."""
    with project.writing() as db:
        cursor = db.execute(
            "UPDATE runs SET state = 'interrupted', ended_at = ?, reason = 'the program ended while it ran' "
            "WHERE state = 'running'",
            [utc_now()],
        )
        return int(cursor.rowcount)


def list_runs(project: Project) -> list[Run]:
    """Return all runs, newest first, with the units counted from their rows."""
    counts: dict[str, dict[str, int]] = {}
    for row in project.reading().query("SELECT run_id, status, count(*) AS n FROM run_units GROUP BY run_id, status"):
        counts.setdefault(row["run_id"], {})[row["status"]] = row["n"]
    return [
        Run(
            id=RunId(row["id"]), kind=RunKind(row["kind"]), title=row["title"], spec=from_json(row["spec"]),
            state=RunState(row["state"]), started_at=row["started_at"], ended_at=row["ended_at"],
            total=row["total"], cached=row["cached"], counts=counts.get(row["id"], {}), reason=row["reason"],
        )
        for row in project.reading().query("SELECT * FROM runs ORDER BY started_at DESC, rowid DESC")
    ]  # fmt: skip


def add_units(project: Project, records: Sequence[UnitRecord]) -> None:
    """Store how units ended."""
    with project.writing() as db:
        db.conn.executemany(
            "INSERT INTO run_units (run_id, key, deck_id, instance_id, label, status, failure_kind, message, "
            "seconds, at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    record.run_id, record.key, record.deck_id, record.instance_id, record.label, record.status.value,
                    record.failure_kind, record.message, record.seconds, record.at,
                )
                for record in records
            ],
        )  # fmt: skip


def units_of(project: Project, run_id: RunId) -> list[UnitRecord]:
    """Return a run's units in the order in which they ended."""
    return [
        _unit(row) for row in project.reading().query("SELECT * FROM run_units WHERE run_id = ? ORDER BY id", [run_id])
    ]


def newest_unit(project: Project, key: str, deck_id: DeckId) -> tuple[Run | None, UnitRecord | None]:
    """Return how a unit ended last, and the run that it ended in; None for both if it never did."""
    rows = project.reading().query(
        "SELECT * FROM run_units WHERE key = ? AND deck_id = ? ORDER BY id DESC LIMIT 1", [key, deck_id]
    )
    row = next(iter(rows), None)
    if row is None:
        return None, None
    record = _unit(row)
    return next((run for run in list_runs(project) if run.id == record.run_id), None), record


def done_units(project: Project, kind: RunKind) -> set[tuple[str, DeckId]]:
    """Return keys and decks of the units of all runs of a kind that have a good result."""
    rows = project.reading().query(
        "SELECT DISTINCT u.key AS key, u.deck_id AS deck_id FROM run_units u JOIN runs r ON r.id = u.run_id "
        "WHERE r.kind = ? AND u.status = 'ok'",
        [kind.value],
    )
    return {(str(row["key"]), DeckId(row["deck_id"])) for row in rows}


def _unit(row: dict[str, Any]) -> UnitRecord:
    return UnitRecord(
        run_id=RunId(row["run_id"]), key=row["key"], deck_id=DeckId(row["deck_id"]),
        instance_id=InstanceId(row["instance_id"]), label=row["label"], status=UnitStatus(row["status"]),
        failure_kind=row["failure_kind"], message=row["message"], seconds=row["seconds"], at=row["at"],
    )  # fmt: skip
