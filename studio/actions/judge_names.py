"""Judges with a name of their own in a project: which there are, keeping one, and forgetting it. Never with a key."""

from __future__ import annotations

from collections.abc import Mapping

from studio.errors import BadInput
from studio.judges.connect import PROVIDERS, read_setup
from studio.model.changes import Changes, Topic, changed
from studio.model.judging import JudgeSetup
from studio.store import judging as judging_store
from studio.store.judging import SavedJudge
from studio.store.project import Project

LONGEST_NAME = 60


def saved_judges(project: Project) -> list[SavedJudge]:
    """Return the project's judges with names, by name."""
    return judging_store.list_judges(project)


def save_judge(project: Project, name: str, setup: JudgeSetup) -> Changes:
    """Keep a judge under a name; one of the same name is replaced, its verdicts stay.

    Raises:
        BadInput: for a name that is empty, too long, or looks like ``provider:model``.
    """
    kept = " ".join(name.split())
    if not kept or len(kept) > LONGEST_NAME or ":" in kept or kept.casefold() in PROVIDERS:
        raise BadInput(
            f"A judge cannot be called “{name}”.",
            next_step=f"Give it a name of at most {LONGEST_NAME} letters without a colon.",
        )
    same = named(project, kept)
    judging_store.save_judge(project, SavedJudge(name=same.name if same is not None else kept, setup=setup))
    return changed(Topic.RUNS)


def forget_judge(project: Project, name: str) -> Changes:
    """Remove a judge's name; what it said stays.

    Raises:
        BadInput: if there is no judge of this name.
    """
    found = named(project, name)
    if found is None:
        raise BadInput(f"There is no judge called “{name}”.", next_step="studio judges PROJECT lists them.")
    judging_store.forget_judge(project, found.name)
    return changed(Topic.RUNS)


def named(project: Project, name: str) -> SavedJudge | None:
    """Return the judge of a name, whatever its case; None if there is none."""
    wanted = " ".join(name.split()).casefold()
    return next((each for each in judging_store.list_judges(project) if each.name.casefold() == wanted), None)


def setup_of(
    project: Project, judge: str, *, base_url: str = "", settings: Mapping[str, object] | None = None
) -> JudgeSetup:
    """Return the setup that a name or ``provider:model`` stands for.

    What is given besides counts before what was saved under the name.

    Raises:
        BadInput: for a name that is neither, or a setting that does not fit.
    """
    found = named(project, judge)
    if found is None:
        if ":" not in judge and judge not in PROVIDERS:
            raise BadInput(
                f"There is no judge called “{judge}” in this project.",
                next_step="studio judges PROJECT lists them; others: gemini:MODEL, openai:MODEL, code, scripted:FILE.",
            )
        return read_setup(judge, base_url=base_url, settings=dict(settings or {}))
    saved = found.setup
    return read_setup(
        saved.provider if not saved.model else saved.id, base_url=base_url or saved.base_url,
        settings={**saved.settings, **(settings or {})},
    )  # fmt: skip
