"""What every evaluator says of the files of a lab, and what the words of decks say without any model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from studio.actions.lab import Lab, LabRung, lab_of
from studio.errors import BadInput
from studio.jobs.reflex_job import deck_object, task_of
from studio.metrics.registry import METRICS
from studio.model.ids import DeckId
from studio.model.reflex import ContentMetric
from studio.reflex.embedded import Embedded, embedded
from studio.reflex.encoder import static_encoder
from studio.reflex.heuristics import heuristic, length_only
from studio.reflex.scorer import why_undefined
from studio.store import decks as deck_store
from studio.store import scores as score_store
from studio.store.project import Project

PRESET = "benchmark"
FEW, MANY = "length.few", "length.many"
Values = Mapping[DeckId, float | None]


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """A heuristic, or the length alone, computed from the words of decks."""

    name: str
    title: str
    values: Values


@dataclass(frozen=True, kw_only=True)
class LabValues:
    """A lab's files and what is said of them."""

    lab: Lab
    rungs: Mapping[DeckId, LabRung]
    scores: Mapping[str, Values]
    """By evaluator; the sign turned where lower is better."""
    baselines: tuple[Baseline, ...]


def lab_values(project: Project) -> LabValues:
    """Return what is stored of a lab's files, and the baselines computed now.

    Raises:
        BadInput: if the project is no lab.
    """
    lab, rungs = _lab(project), lab_rungs(project)
    scores: dict[str, dict[DeckId, float | None]] = {}
    for score in score_store.current_scores(project):
        if score.slide is None and score.preset == PRESET and score.deck_id in rungs:
            known = METRICS.get(score.metric)
            sign = -1.0 if known is not None and not known.higher_is_better else 1.0
            scores.setdefault(score.metric, {})[score.deck_id] = None if score.value is None else sign * score.value
    return LabValues(lab=lab, rungs=rungs, scores=scores, baselines=baselines(project, rungs))


def lab_rungs(project: Project) -> dict[DeckId, LabRung]:
    """Return what each file of a lab is.

    Raises:
        BadInput: if the project is no lab.
    """
    names = {each.id: each.name for each in deck_store.list_instances(project)}
    places = {(each.name, each.system): each for each in _lab(project).rungs}
    return {
        deck.id: places[names[deck.instance_id], deck.system]
        for deck in deck_store.list_decks(project)
        if (names[deck.instance_id], deck.system) in places
    }


def _lab(project: Project) -> Lab:
    lab = lab_of(project)
    if lab is None:
        raise BadInput("This project is no sensitivity lab.", next_step="Make one: studio reflex lab FILE --out FOLDER")
    return lab


def baselines(project: Project, deck_ids: Collection[DeckId]) -> tuple[Baseline, ...]:
    """Return the paper's heuristics and the length alone of decks, from their words; decks without a file have none."""
    makers: dict[str, tuple[str, Callable[[Embedded], float | None]]] = {}
    for metric in ContentMetric:
        makers[f"heuristic.{metric.value}"] = (
            f"Heuristic: {metric.value}", lambda it, metric=metric: heuristic(it, metric)  # type: ignore[misc]
        )  # fmt: skip
    makers[FEW] = ("Length: few slides", lambda it: length_only(it, ContentMetric.REDUNDANCY))
    makers[MANY] = ("Length: many slides", lambda it: -length_only(it, ContentMetric.REDUNDANCY))
    found: dict[str, dict[DeckId, float | None]] = {name: {} for name in makers}
    encoder = static_encoder()
    for deck in deck_store.list_decks(project):
        task = task_of(project, deck, tuple(ContentMetric)) if deck.id in deck_ids else None
        if task is None:
            continue
        it = embedded(deck_object(task), encoder)
        for name, (_, make) in makers.items():
            kind, _, of = name.partition(".")
            is_defined = kind != "heuristic" or not why_undefined(it, ContentMetric(of))
            found[name][deck.id] = make(it) if is_defined else None
    return tuple(Baseline(name=name, title=title, values=found[name]) for name, (title, _) in makers.items())
