"""Rankings, scores and runs for small projects, without running anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from studio.model.answers import AnswerEvent, AnswerKind
from studio.model.ids import AnnotatorId, DeckId, InstanceId, RunId
from studio.model.runs import Run, RunKind, RunState, UnitRecord, UnitStatus
from studio.model.scores import Score
from studio.store import answers as answer_store
from studio.store import people as people_store
from studio.store import runs as run_store
from studio.store import scores as score_store
from studio.store.project import Project

AT = "2026-03-01T14:02:11.000Z"


def add_ranking(project: Project, person: str, instance: str, order: Sequence[str], *, is_sample: bool = False) -> None:
    """Store a submitted ranking: systems from the best to the last."""
    people_store.annotator_named(project, person, identifier=f"a_{person}", is_sample=is_sample)
    ranks = {f"d_i_{instance}_{system}": place for place, system in enumerate(order, start=1)}
    state = {
        "ranks": ranks, "status": "submitted", "note": "", "is_flagged": False, "reason": "",
        "recognised_system": False, "rank_method": "ranking",
    }  # fmt: skip
    answer_store.append(
        project,
        AnswerEvent(
            seq=0, uid=f"{person}-{instance}", kind=AnswerKind.RANKING, instance_id=InstanceId(f"i_{instance}"),
            annotator_id=AnnotatorId(f"a_{person}"), deck_id=None, item_key="", verb="submit", state=state, at=AT,
            display=tuple(DeckId(deck) for deck in ranks), app_version="test",
        ),
    )  # fmt: skip


def add_scores(
    project: Project, metric: str, instance: str, values: Mapping[str, float | None], *, preset: str = "benchmark"
) -> None:
    """Store a metric's value of each system's deck; None is undefined for the reason ``no_text``."""
    score_store.append_scores(
        project,
        [
            Score(
                run_id=None, metric=metric, metric_version=1, preset=preset,
                deck_id=DeckId(f"d_i_{instance}_{system}"), instance_id=InstanceId(f"i_{instance}"), slide=None,
                value=value, undefined_reason="no_text" if value is None else None,
            )
            for system, value in values.items()
        ],
    )  # fmt: skip


def add_run(
    project: Project,
    run_id: str,
    *,
    title: str = "Aesthetics · benchmark",
    state: RunState = RunState.DONE,
    units: Sequence[tuple[str, str, UnitStatus, str]] = (),
    total: int | None = None,
    cached: int = 0,
    spec: Mapping[str, object] | None = None,
    started_at: str = AT,
) -> None:
    """Store a run with its units: instance, system, status and ``kind: message`` of each."""
    run_store.add_run(
        project,
        Run(
            id=RunId(run_id), kind=RunKind.METRICS, title=title,
            spec=dict(spec or {"kind": "metrics", "preset": "benchmark"}), state=RunState.RUNNING,
            started_at=started_at, total=len(units) if total is None else total, cached=cached,
        ),
    )  # fmt: skip
    records = []
    for number, (instance, system, status, failure) in enumerate(units):
        kind, _, message = failure.partition(": ")
        records.append(
            UnitRecord(
                run_id=RunId(run_id), key=f"{run_id}-{number}", deck_id=DeckId(f"d_i_{instance}_{system}"),
                instance_id=InstanceId(f"i_{instance}"), label=system, status=status, failure_kind=kind,
                message=message, seconds=1.25 + number % 7, at=started_at,
            )
        )  # fmt: skip
    run_store.add_units(project, records)
    if state is not RunState.RUNNING:
        reason = {RunState.INTERRUPTED: "the program ended while it ran", RunState.CANCELLED: "stopped by the user"}
        run_store.end_run(project, RunId(run_id), state, {}, reason.get(state, ""))
