"""Attention items: an instance again, in which one deck also stands made worse on purpose."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from studio.actions import care
from studio.actions.decks import import_plan
from studio.actions.known_answers import set_known_order
from studio.actions.perturb import perturb_file
from studio.actions.runs import start_run
from studio.actions.studies import save_study, study_decks
from studio.decks.layouts import ImportPlan, PlannedDeck, PlannedInstance, PlannedSource
from studio.decks.render import RenderTools
from studio.decks.scratch import scratch
from studio.errors import BadInput, Cancelled, StudioError
from studio.model.changes import Changes, Topic, changed
from studio.model.decks import Deck, RenderState
from studio.model.ids import DeckId, InstanceId
from studio.model.protocols import CancelToken, Emit
from studio.model.quality import Probe
from studio.model.reflex import ContentMetric, Recipe
from studio.model.runs import RunKind, RunSpec
from studio.model.studies import ALL_ON_ALL, Study, StudyKind
from studio.sessions.pairing import seeded
from studio.store import decks as deck_store
from studio.store.care import Kind
from studio.store.project import Project

SLOT = "Attention {}"
"""The systems to whom the decks of attention items belong, counted from 1: none of a real system is counted twice."""
_STOPPED = "Making the attention item was stopped."


@dataclass(frozen=True, kw_only=True)
class AttentionItem:
    """What was made."""

    instance_id: InstanceId
    better: DeckId
    spoilt: DeckId
    recipe: Recipe
    probe: Probe
    study: Study
    """Its rules as they are now: a study of some systems takes those of the attention items in."""


def make_attention_item(
    project: Project,
    study: Study,
    instance: str,
    system: str,
    *,
    tools: RenderTools,
    metric: ContentMetric = ContentMetric.FLOW,
    degree: int = 4,
    seed: int | None = None,
    emit: Emit,
    cancel: CancelToken,
) -> tuple[AttentionItem, Changes]:
    """Make an instance again in which one deck also stands spoilt, draw it, and say which of the two is better.

    The new instance has the title, the sources and as many decks as the old one has in the study: where there are
    three or more, the spoilt deck takes the place of one that the seed picks.

    Args:
        project: open for writing.
        study: one of ranking; it will ask about the new instance.
        instance: id or name of the instance.
        system: name of the system, or id of the deck, that is made worse.
        tools: the programs to draw with.
        metric: what is made worse.
        degree: 1 to 4; 4 can hardly be missed.
        seed: of the recipe and of the deck left out; the study's if left out.
        emit: told how the drawing goes.
        cancel: stops; then nothing stays.

    Raises:
        BadInput: if the study is of another kind, the deck is not there, or its file cannot be made worse this way.
        Cancelled: if it was stopped.
    """
    if study.kind is not StudyKind.RANK or study.id == ALL_ON_ALL:
        raise BadInput(
            "Spoilt decks are for ranking studies that were made.", next_step="Make one with: studio study new"
        )
    chosen_seed = study.order_seed if seed is None else seed
    old = next((item for item in deck_store.list_instances(project) if instance in (item.id, item.name)), None)
    if old is None:
        raise BadInput(f"There is no instance {instance}.", next_step="Name it by its folder's name or its id.")
    decks = [
        deck
        for deck in study_decks(project, study, old.id)
        if deck.asset is not None and not deck.system.startswith(SLOT.format(""))
    ]
    good = next((deck for deck in decks if system in (deck.id, deck.system)), None)
    if good is None:
        raise BadInput(f"{old.title} has no drawn deck of {system} in {study.name}.")
    others = [deck for deck in decks if deck.id != good.id]
    if len(others) > 1:
        others.remove(seeded(chosen_seed, "spoilt", old.id).choice(others))
    sources = deck_store.list_sources(project, old.id)
    source = next((project.asset_path(item.asset, item.extension) for item in sources), None)
    with scratch("attention") as folder:
        made = perturb_file(
            _copied(project, good, folder), folder / "spoilt", metric, degree=degree, seed=chosen_seed, source=source
        )
        kept = [(deck, _copied(project, deck, folder / str(place))) for place, deck in enumerate([good, *others])]
        files = [*((path, deck.format) for deck, path in kept), (made.path, good.format)]
        seeded(chosen_seed, "slots", old.id).shuffle(files)
        planned = PlannedInstance(
            name=_free_name(project, old.name), title=old.title, instruction=None, scenario=old.scenario,
            domain=old.domain,
            sources=tuple(
                PlannedSource(path=project.asset_path(item.asset, item.extension), name=item.name, format=item.format)
                for item in sources
            ),
            decks=tuple(
                PlannedDeck(path=path, system=SLOT.format(place), format=format)
                for place, (path, format) in enumerate(files, start=1)
                if format is not None
            ),
        )  # fmt: skip
        report, _ = import_plan(project, ImportPlan(instances=(planned,), failures=()), emit=emit, cancel=cancel)
        places = {path: SLOT.format(place) for place, (path, _) in enumerate(files, start=1)}
    if not report.instance_ids:
        raise Cancelled(_STOPPED)
    new_id = report.instance_ids[0]
    try:
        if report.failed:
            raise BadInput(f"The spoilt deck cannot be used: {report.failed[0].message}")
        found = {deck.system: deck for deck in deck_store.list_decks(project, new_id)}
        _draw(project, tuple(deck.id for deck in found.values()), tools, emit, cancel)
    except StudioError:
        care.remove(project, Kind.INSTANCE, new_id)
        raise
    new = next(item for item in deck_store.list_instances(project) if item.id == new_id)
    deck_store.update_instance(
        project, replace(new, instruction=old.instruction, language=old.language, difficulty=old.difficulty)
    )
    better, spoilt = found[places[kept[0][1]]], found[places[made.path]]
    told = _asking(study, new_id, tuple(found))
    save_study(project, told)
    probe, _ = set_known_order(project, told, new_id, [better.id, spoilt.id], is_attention=True)
    item = AttentionItem(
        instance_id=new_id, better=better.id, spoilt=spoilt.id, recipe=made.recipe, probe=probe, study=told
    )
    return item, changed(Topic.DECKS, Topic.PEOPLE)


def _asking(study: Study, instance_id: InstanceId, systems: tuple[str, ...]) -> Study:
    """Return the study with the new instance, and its systems, among what it asks about."""
    instances, chosen = study.instance_ids, study.systems
    return replace(
        study,
        instance_ids=None if instances is None else (*instances, instance_id),
        systems=None if chosen is None else (*chosen, *(name for name in systems if name not in chosen)),
    )


def _draw(
    project: Project, deck_ids: tuple[DeckId, ...], tools: RenderTools, emit: Emit, cancel: CancelToken
) -> None:  # fmt: skip
    start_run(project, RunSpec(kind=RunKind.RENDER, deck_ids=deck_ids), tools=tools, emit=emit, cancel=cancel)
    if cancel.is_set():
        raise Cancelled(_STOPPED)
    undrawn = [
        deck
        for deck in deck_store.list_decks(project)
        if deck.id in deck_ids and deck.render_state is not RenderState.RENDERED
    ]
    if undrawn:
        why = undrawn[0].render_reason or "no reason was given"
        raise BadInput(f"{undrawn[0].original_name} could not be drawn: {why}")


def _copied(project: Project, deck: Deck, folder: Path) -> Path:
    """Return a copy of a deck's file under its own name."""
    folder.mkdir(parents=True, exist_ok=True)
    assert deck.asset is not None
    stored = project.asset_path(deck.asset, deck.extension)
    if not stored.is_file():
        raise BadInput(f"The file of {deck.system} is missing.", next_step="Find it with: studio replace")
    name = Path(deck.original_name).name or stored.name
    target = folder / (name if Path(name).suffix else f"{name}{stored.suffix}")
    shutil.copyfile(stored, target)
    return target


def _free_name(project: Project, name: str) -> str:
    taken = {item.name for item in deck_store.list_instances(project)}
    number = 2
    while (wanted := f"{name}-{number}") in taken:
        number += 1
    return wanted
