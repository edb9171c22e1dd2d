"""Reads scores and verdicts back in."""

from __future__ import annotations

import json

from studio.exchange.columns import UNIT_STATUSES
from studio.exchange.names import Names, RowRefused, filled, number, one_of, text, whole
from studio.exchange.table_report import Line, TableReport
from studio.model.ids import RunId
from studio.model.runs import Run, RunKind, RunState
from studio.model.scores import Score, Verdict
from studio.store import runs as run_store
from studio.store import scores as score_store
from studio.store.project import Project, utc_now


def read_scores(project: Project, names: Names, lines: list[Line], report: TableReport) -> None:
    """Take scores in and count their rows in `report`; each has a finite value or a reason why there is none."""
    known = {_score_unit(score): _score_said(score) for score in score_store.current_scores(project, with_slides=True)}
    fresh = []
    for line, row in lines:
        try:
            score = _score(names, row)
        except RowRefused as refusal:
            report.refuse(line, str(refusal))
            continue
        if _is_new(known, _score_unit(score), _score_said(score), report):
            fresh.append(score)
    _make_runs(project, [score.run_id for score in fresh])
    score_store.append_scores(project, fresh)


def _score(names: Names, row: dict[str, str]) -> Score:
    instance_id = names.instance(row)
    value, reason = number(row, "value"), text(row, "undefined_reason") or None
    if (value is None) == (reason is None):
        raise RowRefused("a score needs either a value or an undefined_reason, not both or neither")
    return Score(
        run_id=RunId(text(row, "run_id")) or None, metric=filled(row, "metric").strip(),
        metric_version=whole(row, "metric_version", 1), preset=text(row, "preset") or "benchmark",
        deck_id=names.deck(row, instance_id), instance_id=instance_id,
        slide=whole(row, "slide", 0, least=1) or None, value=value, undefined_reason=reason,
        flags=_flags(text(row, "flags")),
    )  # fmt: skip


def _flags(said: str) -> tuple[str, ...]:
    """Return the names of a JSON list; an empty cell names none."""
    try:
        found = json.loads(said) if said else []
    except (ValueError, RecursionError):
        raise RowRefused("flags are not JSON") from None
    if not isinstance(found, list) or not all(isinstance(flag, str) for flag in found):
        raise RowRefused("flags are not a JSON list of names")
    return tuple(found)


def _score_unit(score: Score) -> tuple[object, ...]:
    return score.metric, score.preset, score.deck_id, score.slide


def _score_said(score: Score) -> tuple[object, ...]:
    return score.value, score.undefined_reason


def read_verdicts(project: Project, names: Names, lines: list[Line], report: TableReport) -> None:
    """Take verdicts in and count their rows in `report`; a unit has one verdict in each run."""
    known = {_verdict_unit(item): _verdict_said(item) for item in score_store.list_verdicts(project)}
    fresh = []
    for line, row in lines:
        try:
            verdict = _verdict(names, row)
        except RowRefused as refusal:
            report.refuse(line, str(refusal))
            continue
        if _is_new(known, _verdict_unit(verdict), _verdict_said(verdict), report):
            fresh.append(verdict)
    _make_runs(project, [verdict.run_id for verdict in fresh])
    score_store.append_verdicts(project, fresh)


def _verdict(names: Names, row: dict[str, str]) -> Verdict:
    instance_id = names.instance(row)
    status = one_of(row, "status", UNIT_STATUSES, "ok")
    return Verdict(
        run_id=RunId(text(row, "run_id")) or None, judge_id=filled(row, "judge_id").strip(),
        model=text(row, "model"), prompt_version=text(row, "prompt_version"), instance_id=instance_id,
        deck_id=names.deck(row, instance_id), item_id=filled(row, "item_id").strip(),
        verdict=filled(row, "verdict") if status == "ok" else row["verdict"], score=number(row, "score"),
        status=status, order_index=whole(row, "order_index", 0), repeat=whole(row, "repeat", 0),
        input_tokens=whole(row, "input_tokens", 0), output_tokens=whole(row, "output_tokens", 0),
        cost=number(row, "cost") or 0.0, cached=text(row, "cached").lower() in {"1", "true", "yes"},
        latency_s=number(row, "latency_s") or 0.0,
    )  # fmt: skip


def _verdict_unit(verdict: Verdict) -> tuple[object, ...]:
    return (
        verdict.run_id, verdict.judge_id, verdict.instance_id, verdict.deck_id, verdict.item_id,
        verdict.order_index, verdict.repeat,
    )  # fmt: skip


def _verdict_said(verdict: Verdict) -> tuple[object, ...]:
    return verdict.verdict, verdict.status, verdict.score


def _is_new(
    known: dict[tuple[object, ...], tuple[object, ...]],
    unit: tuple[object, ...],
    said: tuple[object, ...],
    report: TableReport,
) -> bool:
    before = known.get(unit)
    if before is None:
        known[unit] = said
        report.new += 1
        return True
    if before == said:
        report.same += 1
    else:
        report.conflicting += 1
    return False


def _make_runs(project: Project, run_ids: list[RunId | None]) -> None:
    """Make a run of kind imported for each run that rows name and nobody knows."""
    known = {run.id for run in run_store.list_runs(project)}
    for run_id in dict.fromkeys(run_ids):
        if run_id is not None and run_id not in known:
            now = utc_now()
            run_store.add_run(
                project,
                Run(
                    id=run_id, kind=RunKind.IMPORTED, title=f"Imported {run_id}", spec={}, state=RunState.DONE,
                    started_at=now, ended_at=now,
                ),
            )  # fmt: skip
