"""Making, opening and copying projects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from studio.actions.care import left_out
from studio.actions.missing_files import missing_files
from studio.model.answers import AnswerKind, AnswerStatus
from studio.model.decks import DeckStatus, RenderState
from studio.model.ids import RunId
from studio.model.runs import Run, RunState
from studio.sessions.ranking import History
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import page_cache
from studio.store import people as people_store
from studio.store import runs as run_store
from studio.store import scores as score_store
from studio.store.project import Project


def new_project(folder: Path, *, title: str = "") -> Project:
    """Return a new, empty project, open for writing; see `Project.create`."""
    return Project.create(folder, title=title)


def open_project(folder: Path, *, must_write: bool = False) -> Project:
    """Return an open project; runs that a killed program left running are marked as interrupted.

    See `Project.open` for what it raises.
    """
    project = Project.open(folder, must_write=must_write)
    if not project.is_read_only:
        run_store.mark_interrupted(project)
    return project


def check_is_project(folder: Path) -> None:
    """Raise `BadInput` unless the folder holds a project; nothing is opened."""
    Project.check(folder)


def save_copy(project: Project, target: Path) -> Path:
    """Write a whole, consistent copy of the project and return its folder."""
    return project.save_copy(target)


def status(project: Project) -> dict[str, Any]:
    """Return the counts that say how far a project is, as JSON values."""
    decks = deck_store.list_decks(project)
    present = [deck for deck in decks if deck.status is DeckStatus.PRESENT]
    runs = run_store.list_runs(project)
    statuses: Counter[str] = Counter()
    by_answer: dict[tuple[str, str, str], History] = {}
    for event in answer_store.events_of(project, AnswerKind.RANKING, repeat=0):
        by_answer.setdefault((event.study_id, event.instance_id, event.annotator_id), History(())).add(event)
    for history in by_answer.values():
        is_in = history.last_submit is not None
        statuses[(AnswerStatus.SUBMITTED if is_in else history.state.status).value] += 1
    return {
        "project_id": project.id,
        "title": project.title,
        "path": str(project.folder),
        "read_only": project.is_read_only,
        "left_out": left_out(project),
        "notices": list(project.notices),
        "instances": len(deck_store.list_instances(project)),
        "sources": len(deck_store.list_sources(project)),
        "systems": len(deck_store.list_systems(project)),
        "decks": len(decks),
        "decks_by_status": dict(Counter(deck.status.value for deck in decks)),
        "rendered": sum(deck.render_state is RenderState.RENDERED for deck in present),
        "render_failed": [
            {"deck_id": deck.id, "system": deck.system, "reason": deck.render_reason}
            for deck in present
            if deck.render_state is RenderState.FAILED
        ],
        "missing_files": [each.words for each in missing_files(project)],
        "annotators": len(people_store.list_annotators(project)),
        "rankings": dict(statuses),
        "scores": len(score_store.current_scores(project)),
        "cache_bytes": page_cache.cache_bytes(project),
        "runs": len(runs),
        "open_runs": _open_runs(runs),
    }


def _open_runs(runs: Sequence[Run]) -> list[RunId]:
    """Return the runs that run or were interrupted, but for those that a later one has finished.

    Args:
        runs: newest first.
    """
    finished: list[Run] = []
    still: list[RunId] = []
    for run in runs:
        if run.state is RunState.DONE:
            finished.append(run)
        elif run.state in {RunState.RUNNING, RunState.INTERRUPTED} and not any(_covers(one, run) for one in finished):
            still.append(run.id)
    return still


def _covers(later: Run, run: Run) -> bool:
    """Return whether what a run was asked to do is part of what a later one did."""
    is_alike = all(later.spec.get(name) == run.spec.get(name) for name in ("evaluators", "preset"))
    if later.kind is not run.kind or not is_alike:
        return False
    done, wanted = later.spec.get("deck_ids"), run.spec.get("deck_ids")
    return done is None or (isinstance(done, list) and isinstance(wanted, list) and set(wanted) <= set(done))
