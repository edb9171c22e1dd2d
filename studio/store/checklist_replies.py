"""What stands behind imported checklist verdicts: the words of the reply, and failures that came as zero scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from studio.model.ids import DeckId, RunId
from studio.store.project import Project, utc_now


@dataclass(frozen=True, kw_only=True)
class Reply:
    """One record of a result file."""

    run_id: RunId
    deck_id: DeckId
    item_id: str
    repeat: int
    place: str
    """Class and key in the file, such as ``material_dependent 2.1``."""
    answer: str | None
    """As it stands in the file."""
    explanation: str | None
    log: str | None


def append(project: Project, replies: Sequence[Reply]) -> None:
    """Store replies; the newest of a place counts."""
    with project.writing() as db:
        db.conn.executemany(
            "INSERT INTO checklist_replies (run_id, deck_id, item_id, repeat, place, answer, explanation, log) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    one.run_id, one.deck_id, one.item_id, one.repeat, one.place, one.answer, one.explanation, one.log,
                )
                for one in replies
            ],
        )  # fmt: skip


def newest(project: Project, *, run_id: RunId | None = None, deck_id: DeckId | None = None) -> list[Reply]:
    """Return the newest reply of each run, deck, item and repeat, narrowed as asked."""
    wanted = {"run_id": run_id, "deck_id": deck_id}
    given = {name: value for name, value in wanted.items() if value is not None}
    condition = "".join(f" AND {name} = :{name}" for name in given)
    rows = project.reading().query(
        "SELECT * FROM checklist_replies WHERE seq IN (SELECT max(seq) FROM checklist_replies "
        f"WHERE 1 = 1{condition} GROUP BY run_id, deck_id, item_id, repeat) ORDER BY seq",
        given,
    )
    return [
        Reply(
            run_id=RunId(row["run_id"]), deck_id=DeckId(row["deck_id"]), item_id=row["item_id"],
            repeat=row["repeat"], place=row["place"], answer=row["answer"], explanation=row["explanation"],
            log=row["log"],
        )
        for row in rows
    ]  # fmt: skip


def note_failed_generation(project: Project, deck_id: DeckId, file: str) -> bool:
    """Note that a file says that this deck's generation failed; return whether that is new."""
    with project.writing() as db:
        cursor = db.execute(
            "INSERT INTO failed_generations VALUES (?, ?, ?) ON CONFLICT DO NOTHING", [deck_id, file, utc_now()]
        )
        return bool(cursor.rowcount > 0)


def failed_generations(project: Project) -> set[DeckId]:
    """Return the decks of which a file says so; a deck that was delivered since is scored all the same."""
    return {DeckId(row["deck_id"]) for row in project.reading().query("SELECT deck_id FROM failed_generations")}
