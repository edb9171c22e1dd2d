"""The invented annotators of the demo, and their rankings as rows of the table ``rankings``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from podium_demo.outline import DemoInstance

ANNOTATORS: list[dict[str, object]] = [
    {"id": "sample-a", "name": "Sample annotator A (invented)", "group": "design student", "is_sample": True},
    {"id": "sample-b", "name": "Sample annotator B (invented)", "group": "expert", "is_sample": True},
    {"id": "sample-c", "name": "Sample annotator C (invented)", "group": "end user", "is_sample": True},
]

RANKING_COLUMNS = (
    "project_id",
    "instance_id",
    "scenario",
    "annotator_id",
    "deck_id",
    "system",
    "rank",
    "rank_method",
    "n_ranked",
    "n_candidates",
    "is_tied",
    "display_position",
    "status",
    "duration_s",
    "active_s",
    "revision",
    "started_at",
    "submitted_at",
    "guidelines_version",
    "app_version",
)


def written_answers(table: Path) -> dict[str, dict[str, Any]]:
    """Return the rankings of ``rankings.json`` by annotator and instance."""
    answers: dict[str, dict[str, Any]] = json.loads(table.read_text(encoding="utf-8"))["rankings"]
    return answers


def ranking_rows(
    answers: Mapping[str, Mapping[str, Any]], instances: Iterable[DemoInstance]
) -> Iterator[dict[str, object]]:
    """Yield a row for each deck that somebody ranked.

    Args:
        answers: by annotator and instance the ranks by system, the systems in the order shown and the seconds that
            it took. A system that is shown and has no rank was left unranked.
        instances: those that the answers are about.
    """
    scenarios = {instance.name: instance.scenario for instance in instances}
    for annotator, by_instance in answers.items():
        started = datetime(2026, 1, 5, 9 + ord(annotator[-1]) - ord("a"), 0, tzinfo=UTC)
        for name, answer in by_instance.items():
            if name not in scenarios:
                continue
            ended = started + timedelta(seconds=answer["duration_s"])
            shown, ranks = answer["shown"], answer["ranks"]
            held = Counter(ranks.values())
            for system, rank in sorted(ranks.items(), key=lambda pair: (pair[1], pair[0])):
                yield {
                    "project_id": "",
                    "instance_id": name,
                    "scenario": scenarios[name],
                    "annotator_id": annotator,
                    "deck_id": "",
                    "system": system,
                    "rank": rank,
                    "rank_method": "ranking",
                    "n_ranked": len(ranks),
                    "n_candidates": len(shown),
                    "is_tied": str(held[rank] > 1).lower(),
                    "display_position": shown.index(system) + 1,
                    "status": "submitted",
                    "duration_s": answer["duration_s"],
                    "active_s": answer["active_s"],
                    "revision": 1,
                    "started_at": started.strftime("%Y-%m-%dT%H:%M:%SZ"),
                    "submitted_at": ended.strftime("%Y-%m-%dT%H:%M:%SZ"),
                    "guidelines_version": "demo-1",
                    "app_version": "",
                }
            started = ended + timedelta(seconds=40)
