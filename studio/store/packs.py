"""Which files of answers were merged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from studio.model.ids import AnnotatorId
from studio.model.packs import MergeReport
from studio.store.project import Project, utc_now
from studio.store.values import from_json, to_json


def note_merge(
    project: Project, file: str, annotator_id: AnnotatorId, report: MergeReport, over_quota: Sequence[object]
) -> None:
    """Keep what a merge did, and which answers were beyond the overlap."""
    with project.writing(is_durable=True) as db:
        db.execute(
            "INSERT INTO pack_merges (at, file, annotator_id, report, over_quota) VALUES (?, ?, ?, ?, ?)",
            [utc_now(), file, annotator_id, to_json(report.json()), to_json(list(over_quota))],
        )


def list_merges(project: Project) -> list[dict[str, Any]]:
    """Return what each merge did, oldest first, with the units beyond the overlap under ``beyond``."""
    return [
        from_json(row["report"]) | {"at": row["at"], "beyond": from_json(row["over_quota"])}
        for row in project.reading().query("SELECT * FROM pack_merges ORDER BY seq")
    ]
