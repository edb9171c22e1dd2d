"""Do the machines agree with the people? The methods table and what lies behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from studio.actions import care
from studio.actions.human_answers import HumanAnswers, read_human_side
from studio.errors import BadInput
from studio.exchange.rankings import current_rankings
from studio.metrics.registry import METRICS
from studio.model.decks import Deck, Instance
from studio.model.human_side import HumanSide
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.stats.alignment import MethodAlignment, align_methods
from studio.stats.ceiling import HumanCeilings, human_ceilings
from studio.stats.levels import Level
from studio.stats.rankings import HumanRankings, consensus
from studio.store import decks as deck_store
from studio.store import scores as score_store
from studio.store.checklists import as_curated
from studio.store.project import Project

DEFAULT_PRESET = "benchmark"


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Everything that alignment is computed from, read once."""

    human: HumanRankings
    methods: dict[str, dict[InstanceId, dict[DeckId, float | None]]]
    reasons: dict[str, dict[DeckId, str]]
    """Why a method has no value for a deck."""
    instances: dict[InstanceId, Instance]
    decks: dict[DeckId, Deck]
    annotators: dict[AnnotatorId, str]
    has_sample_people: bool
    people: HumanAnswers
    """Which answers the human side is made of."""
    left_out: dict[str, int] = field(default_factory=dict)
    """What is there and does not count: stale answers and values, removed decks."""

    @property
    def n_adjudicated(self) -> int:
        """How many pairs of decks a reviewer decided; they bind the people's order."""
        return sum(map(len, self.human.adjudicated.values()))


@dataclass(frozen=True, kw_only=True)
class AlignmentTable:
    """The methods table at one level."""

    level: Level
    methods: dict[str, MethodAlignment]
    ceilings: HumanCeilings
    evidence: Evidence
    what_if: tuple[str, ...] = ()
    """What was left out, in the words of the command line."""


class Point(NamedTuple):
    """One deck in the scatter plot of a method."""

    deck_id: DeckId
    instance_id: InstanceId
    system: str
    mean_human_rank: float
    """From 1, the best; for a side on one scale the mean value, the higher the better."""
    score: float


def method_name(metric: str, preset: str) -> str:
    """Return a method's name: the metric's, with the preset behind an @ unless it is "benchmark"."""
    return metric if preset == DEFAULT_PRESET else f"{metric}@{preset}"


def left_out(method: MethodAlignment) -> str:
    """Return what a method's numbers leave out and why, such as "2 too_few, 1 constant"; empty if nothing."""
    counts = ", ".join(f"{number} {reason}" for reason, number in method.undefined.items() if number)
    return counts or method.undefined_reason or ""


def gather(project: Project, side: HumanSide | None = None) -> Evidence:
    """Return the chosen human side (submitted rankings without a choice) and the current scores of a project.

    Raises:
        BadInput: for a side that nobody answered, or a group without anybody.
    """
    instances = {item.id: item for item in as_curated(project, deck_store.list_instances(project))}
    decks = {deck.id: deck for deck in deck_store.list_decks(project)}
    rankings = current_rankings(project)
    people = read_human_side(project, side, rankings=rankings, decks=decks)
    methods: dict[str, dict[InstanceId, dict[DeckId, float | None]]] = {}
    reasons: dict[str, dict[DeckId, str]] = {}
    for score in score_store.current_values(project):
        name = method_name(score.metric, score.preset)
        methods.setdefault(name, {}).setdefault(score.instance_id, {})[score.deck_id] = score.value
        if score.undefined_reason:
            reasons.setdefault(name, {})[score.deck_id] = score.undefined_reason
    return Evidence(
        human=people.rankings,
        people=people,
        methods={name: methods[name] for name in sorted(methods, key=_order)},
        reasons=reasons,
        instances=instances,
        decks=decks,
        annotators=dict(people.annotators),
        has_sample_people=people.has_sample_people,
        left_out=care.left_out(project, rankings),
    )


def methods_table(
    project: Project, *, metrics: Sequence[str] = (), level: str = Level.INSTANCE.value, resamples: int = 1000,
    side: HumanSide | None = None,
) -> AlignmentTable:  # fmt: skip
    """Return how well each method agrees with the people.

    Args:
        project: an open project.
        metrics: methods to show; empty for all that have scores.
        level: ``instance``, ``scenario``, ``system`` or ``pooled``.
        resamples: bootstrap resamples for the intervals.
        side: which answers are the human side; all submitted rankings without a choice.

    Raises:
        BadInput: for a side, a level or a method that is not there; the message names those that are.
    """
    evidence, chosen = chosen_evidence(project, metrics, level, side)
    return table_of(evidence, chosen=chosen, level=level, resamples=resamples)


def chosen_evidence(
    project: Project, metrics: Sequence[str], level: str, side: HumanSide | None
) -> tuple[Evidence, list[str]]:
    """Return what people and methods said, and the methods to show: those named, or all that have scores.

    Raises:
        BadInput: for a side, a level or a method that is not there; the message names those that are.
    """
    if level not in list(Level):
        raise BadInput(f"There is no level {level}.", next_step=f"Known: {', '.join(Level)}.")
    evidence = gather(project, side)
    missing = [name for name in metrics if name not in evidence.methods]
    if missing:
        known = ", ".join(evidence.methods) or "none yet; run the metrics first"
        raise BadInput(f"No scores of {', '.join(missing)} in this project.", next_step=f"There are: {known}.")
    return evidence, [name for name in evidence.methods if not metrics or name in metrics]


def table_of(evidence: Evidence, *, chosen: Sequence[str], level: str, resamples: int = 1000) -> AlignmentTable:
    """Return the methods table of evidence that was gathered before; nothing is read anew."""
    return AlignmentTable(
        level=Level(level),
        methods=dict(
            align_methods(
                evidence.human, {name: evidence.methods[name] for name in chosen}, level=level, resamples=resamples
            )
        ),
        ceilings=human_ceilings(evidence.human),
        evidence=evidence,
    )


def points(evidence: Evidence, method: str) -> list[Point]:
    """Return the decks that have both a mean human rank and a score of this method."""
    side = consensus(evidence.human)
    found = []
    for instance_id, decks, ranks in zip(side.instance_ids, side.deck_ids, side.mean_ranks, strict=True):
        scores = evidence.methods[method].get(instance_id, {})
        for deck_id, rank in zip(decks, ranks, strict=False):
            score = scores.get(deck_id)
            if score is not None and deck_id in evidence.decks:
                value = -float(rank) if evidence.human.is_on_one_scale else float(rank)
                found.append(Point(deck_id, instance_id, evidence.decks[deck_id].system, value, score))
    return found


def as_json(table: AlignmentTable) -> dict[str, Any]:
    """Return the table as `studio align --json` prints it."""
    return {
        "level": table.level.value,
        "n_annotators": len(table.evidence.annotators),
        "human": side_json(table.evidence.people),
        "left_out": dict(table.evidence.left_out),
        "adjudicated_pairs": table.evidence.n_adjudicated,
        "without": list(table.what_if),
        "sample_data": table.evidence.has_sample_people,
        "methods": [
            _method_json(name, method, table.ceilings, table.evidence) for name, method in table.methods.items()
        ],
    }


def side_json(people: HumanAnswers) -> dict[str, Any]:
    """Return which answers the human side is made of, as the commands print it."""
    side = people.side
    return {
        "source": side.source.value,
        "scale_set": side.scale_set or None,
        "dimension": side.dimension or None,
        "study": side.study,
        "groups": sorted(side.groups),
        "min_seconds": side.min_seconds,
        "max_seconds": side.max_seconds,
        "min_slides_seen": side.min_slides_seen,
        "filtered": dict(people.filtered),
    }


def _method_json(name: str, method: MethodAlignment, ceilings: HumanCeilings, evidence: Evidence) -> dict[str, Any]:
    return {
        "method": name,
        "mean_rho": method.mean_rho,
        "std_rho": method.std_rho,
        "std_rho_sample": method.std_rho_sample,
        "zero_filled_rho": method.zero_filled_rho,
        "mean_tau": method.mean_tau,
        "identical": method.identical,
        "chance_identical": method.chance_identical,
        "n_defined": method.n_defined,
        "n_total": method.n_total,
        "undefined": dict(method.undefined),
        "undefined_reason": method.undefined_reason,
        "ci_low": method.ci_low,
        "ci_high": method.ci_high,
        "resamples": method.resamples,
        "seed": method.seed,
        "cautions": sorted(method.cautions),
        "by_level": {level.value: value for level, value in method.by_level.items()},
        "ceiling": {"kind": "leave_one_out", "value": ceilings.leave_one_out},
        "ceiling_pairwise": ceilings.pairwise_mean,
        "instances": [
            {
                "instance_id": item.instance_id,
                "instance": evidence.instances[item.instance_id].name if item.instance_id in evidence.instances else "",
                "rho": item.rho,
                "tau": item.tau,
                "identical": item.identical,
                "n": item.n,
                "n_annotators": item.n_annotators,
                "reason": item.reason,
            }
            for item in method.instances
        ],
    }


def _order(name: str) -> tuple[int, str]:
    metric = name.partition("@")[0]
    known = ["aesthetics.total", *(item for item in METRICS if item != "aesthetics.total")]
    return (known.index(metric) if metric in known else len(known), name)
