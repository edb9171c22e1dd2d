"""The sensitivity lab: a project that holds decks and what was made worse of them on purpose (decision 39)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from studio.actions.decks import import_plan
from studio.actions.perturb import perturb_file, recipe_json, recipe_of
from studio.actions.runs import start_run
from studio.decks.layouts.plan import ImportPlan, PlannedDeck, PlannedInstance, PlannedSource
from studio.decks.render import RenderTools
from studio.decks.scratch import scratch
from studio.decks.sniff import sniff
from studio.errors import BadInput, Cancelled, DeckUnreadable
from studio.metrics.registry import METRICS
from studio.model.decks import DeckStatus
from studio.model.events import ImportProgress, RunEnded
from studio.model.ids import DeckId
from studio.model.protocols import CancelToken, Emit
from studio.model.reflex import ContentMetric, Recipe
from studio.model.regions import RegionsMode
from studio.model.runs import RunKind, RunSpec
from studio.perturb.amounts import DEGREES
from studio.store import decks as deck_store
from studio.store.project import Project

ORIGINAL = "original"
_META = "lab"
FREE_EVALUATORS = tuple(METRICS)
"""Metrics that ask nobody."""


@dataclass(frozen=True, kw_only=True)
class LabDeck:
    """A deck to make worse."""

    name: str
    """Unique in a lab."""
    path: Path
    sources: tuple[Path, ...] = ()


@dataclass(frozen=True, kw_only=True)
class LabRung:
    """One file of a lab."""

    name: str
    """Of the deck as it was; the instance."""
    system: str
    defect: ContentMetric | None
    """None for the deck as it was."""
    degree: int
    repeat: int = 0
    """Which time the deck was made worse, from 0, each with other chance."""
    recipe: Recipe | None = None
    """What was done; None for the deck as it was."""


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """A kind of defect that a deck does not allow, and why."""

    name: str
    defect: ContentMetric
    reason: str


@dataclass(frozen=True, kw_only=True)
class Lab:
    """What a lab project holds."""

    seed: int
    rungs: tuple[LabRung, ...]
    left_out: tuple[LeftOut, ...]


def lab_of(project: Project) -> Lab | None:
    """Return what a lab project holds; None for a project that is no lab."""
    value = _stored(project)
    if value is None:
        return None
    return Lab(
        seed=int(value["seed"]),
        rungs=tuple(
            LabRung(
                name=each["name"], system=each["system"], degree=int(each["degree"]), repeat=int(each["repeat"]),
                defect=ContentMetric(each["defect"]) if each["defect"] else None,
                recipe=recipe_of(each["recipe"]) if each["recipe"] else None,
            )
            for each in value["rungs"]
        ),
        left_out=tuple(
            LeftOut(name=each["name"], defect=ContentMetric(each["defect"]), reason=each["reason"])
            for each in value["left_out"]
        ),
    )  # fmt: skip


def decks_of_project(project: Project, deck_ids: Sequence[DeckId] | None = None) -> list[LabDeck]:
    """Return the decks of a project that have a file, with their sources; only some of them if ids are given.

    Raises:
        BadInput: if there is none.
    """
    names = {each.id: each.name for each in deck_store.list_instances(project)}
    found = []
    for deck in deck_store.list_decks(project):
        if deck.status is not DeckStatus.PRESENT or deck.asset is None:
            continue
        if deck_ids is not None and deck.id not in deck_ids:
            continue
        sources = tuple(
            project.asset_path(source.asset, source.extension)
            for source in deck_store.list_sources(project, deck.instance_id)
        )
        found.append(
            LabDeck(
                name=f"{names[deck.instance_id]} · {deck.system}", sources=sources,
                path=project.asset_path(deck.asset, deck.extension),
            )
        )  # fmt: skip
    if not found:
        raise BadInput("The project has no deck with a file.", next_step="Import decks first.")
    return found


def decks_to_choose(project: Project) -> list[tuple[DeckId, str]]:
    """Return the decks that a lab can be made of, each with its instance and system in words."""
    names = {each.id: each.title or each.name for each in deck_store.list_instances(project)}
    return [
        (deck.id, f"{names[deck.instance_id]} · {deck.system}")
        for deck in deck_store.list_decks(project)
        if deck.status is DeckStatus.PRESENT and deck.asset is not None
    ]


def make_lab(
    folder: Path,
    decks: Sequence[LabDeck],
    *,
    seed: int,
    defects: Sequence[ContentMetric] = tuple(ContentMetric),
    repeats: int = 1,
    emit: Emit,
    cancel: CancelToken,
) -> Lab:
    """Make or go on with a lab project, and return what it holds; what is there is not made again.

    Args:
        folder: of the lab; a new one, or a lab made with the same seed.
        decks: what is made worse.
        seed: of chance.
        defects: which kinds; those that a deck does not allow are left out with the reason.
        repeats: how many ladders are made of each deck and defect, each with other chance.
        emit: told how many files are made, from this thread.
        cancel: looked at between files; what is made by then is kept.

    Raises:
        BadInput: if the folder is a project but no lab, or was made with another seed.
        Cancelled: if it was stopped.
    """
    is_new = not (folder / "project.db").exists()
    if not decks:
        raise BadInput("There is no deck to make worse.", next_step="Name a deck file or a project.")
    project = Project.create(folder, title="Sensitivity lab") if is_new else Project.open(folder, must_write=True)
    with project:
        value = _stored(project) or {"seed": seed, "rungs": [], "left_out": []}
        if not is_new and _stored(project) is None:
            raise BadInput(f"{folder} is a project, but no lab.", next_step="Choose a new folder for the lab.")
        if value["seed"] != seed:
            raise BadInput(
                f"This lab was made with seed {value['seed']}.", next_step="Use this seed, or another folder."
            )
        project.set_meta(_META, json.dumps(value))
        wanted = [_Wanted(None, 0, 0), *(_Wanted(defect, degree, repeat) for repeat in range(repeats)
                                         for defect in defects for degree in DEGREES)]  # fmt: skip
        total, done = len(decks) * len(wanted), 0
        for deck in decks:
            for each in wanted:
                if cancel.is_set():
                    raise Cancelled("Making the lab was stopped; what was made is kept.")
                _one(project, value, deck, each, seed, cancel)
                done += 1
                emit(ImportProgress(done=done, total=total, name=deck.name))
        made = lab_of(project)
    assert made is not None
    return made


def run_lab(
    project: Project,
    evaluators: Sequence[str] = FREE_EVALUATORS,
    *,
    tools: RenderTools,
    emit: Emit,
    cancel: CancelToken,
    workers: int | None = None,
) -> RunEnded:
    """Run metrics over the files of a lab and return how it ended; what has a value is not run again.

    Raises:
        BadInput: if the project is no lab, or a metric is not known.
    """
    if lab_of(project) is None:
        raise BadInput("This project is no sensitivity lab.", next_step="Make one: studio reflex lab FILE --out FOLDER")
    spec = RunSpec(kind=RunKind.METRICS, evaluators=tuple(evaluators), workers=workers, regions=RegionsMode.NONE)
    return start_run(project, spec, tools=tools, emit=emit, cancel=cancel)[0]


class _Wanted(NamedTuple):
    defect: ContentMetric | None
    degree: int
    repeat: int

    @property
    def system(self) -> str:
        if self.defect is None:
            return ORIGINAL
        return f"{self.defect.value}-{self.degree}" + (f"-r{self.repeat + 1}" if self.repeat else "")


def _one(
    project: Project, value: dict[str, Any], deck: LabDeck, wanted: _Wanted, seed: int, cancel: CancelToken
) -> None:
    defect, degree, repeat = wanted
    system, kind = wanted.system, "" if defect is None else defect.value
    if any((each["name"], each["system"]) == (deck.name, system) for each in value["rungs"]):
        return
    if any((each["name"], each["defect"]) == (deck.name, kind) for each in value["left_out"]):
        return
    with scratch("lab") as folder:
        recipe = None
        path = deck.path
        if defect is not None:
            try:
                made = perturb_file(
                    path, folder, defect, degree=degree, seed=seed + repeat,
                    source=deck.sources if defect is ContentMetric.COVERAGE else None,
                )  # fmt: skip
            except (BadInput, DeckUnreadable) as error:
                reason = str(error).replace(path.name, deck.name)
                value["left_out"].append({"name": deck.name, "defect": kind, "reason": reason})
                project.set_meta(_META, json.dumps(value, ensure_ascii=False))
                return
            path, recipe = made.path, recipe_json(made.recipe)
        _bring_in(project, deck, path, system, cancel)
    value["rungs"].append(
        {"name": deck.name, "system": system, "defect": kind, "degree": degree, "repeat": repeat, "recipe": recipe}
    )  # fmt: skip
    project.set_meta(_META, json.dumps(value, ensure_ascii=False))


def _bring_in(project: Project, deck: LabDeck, path: Path, system: str, cancel: CancelToken) -> None:
    found = sniff(path)
    if found.deck_format is None:
        raise BadInput(f"{path.name} is no deck but a {found.what}.", next_step="Give a .pptx or .pdf.")
    sources = []
    for source in deck.sources if system == ORIGINAL else ():
        format = sniff(source).source_format
        if format is not None:
            sources.append(PlannedSource(path=source, name=source.name, format=format))
    plan = ImportPlan(
        instances=(
            PlannedInstance(
                name=deck.name, title=deck.name, instruction=None, sources=tuple(sources),
                decks=(PlannedDeck(path=path, system=system, format=found.deck_format),),
            ),
        ),
        failures=(),
    )  # fmt: skip
    report, _ = import_plan(project, plan, emit=lambda _: None, cancel=cancel)
    if cancel.is_set():
        raise Cancelled("Making the lab was stopped; what was made is kept.")
    if report.failed:
        message = report.failed[0].message.replace(path.name, "the file")
        raise BadInput(f"{deck.name}: {message}", next_step="Open the file elsewhere to see its fault.")


def _stored(project: Project) -> dict[str, Any] | None:
    text = project.meta(_META, "")
    return dict(json.loads(text)) if text else None
