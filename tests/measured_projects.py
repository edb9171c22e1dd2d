"""Projects whose slides have raw figures and whose people rank by parameters that a search should find."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from studio.metrics.aesthetics import DeckScores, deck_scores_from_raw
from studio.metrics.parameters import PRESETS, AestheticsParameters
from studio.model.answers import AnswerEvent, AnswerKind
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.model.scores import Score
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import scores as score_store
from studio.store.project import Project
from tests.projects import add_deck, add_instance, make_project

TRUTH = replace(
    AestheticsParameters(), usability_scale=16.0, engagement_scale=2.0, harmony_sigma_deg=3.0, harmony_scale=3.0
)
"""What the people of these projects rank by."""
COMPONENTS = ("harmony", "engagement", "usability", "rhythm", "total")
Slide = tuple[float | None, float, float, float]
"""Contrast 0–1, hue distance in degrees, colourfulness, subband entropy in bits."""


def measured_project(
    folder: Path,
    *,
    instances: int = 12,
    systems: Sequence[str] = ("Aster", "Birch", "Cedar", "Dahlia", "Elder", "Fern"),
    seed: int = 0,
    noise: float = 0.0,
    ranks: bool = True,
    scenario: Callable[[int], str] = lambda number: "teaching" if number % 2 else "report",
) -> Project:
    """Return an open project with measured decks, ranked by the totals of `TRUTH` plus noise.

    Args:
        folder: where it is made.
        instances: how many.
        systems: one deck of each for every instance.
        seed: of the figures and the noise.
        noise: standard deviation of what is added to the true total before ranking.
        ranks: whether Ada ranks every instance.
        scenario: of the instance with this number.
    """
    rng = np.random.default_rng(seed)
    project = make_project(folder, instances=0)
    for number in range(1, instances + 1):
        instance_id = add_instance(project, f"topic-{number}", scenario=scenario(number))
        totals = {}
        for system in systems:
            deck_id = add_deck(project, instance_id, system, slides=3)
            slides = draw_slides(rng, 3)
            add_measures(project, instance_id, deck_id, slides)
            truth = scores_of(slides, TRUTH).total.value
            assert truth is not None
            totals[deck_id] = truth + rng.normal() * noise
        if ranks:
            order = sorted(totals, key=lambda deck: -totals[deck])
            add_ranking(project, "Ada", instance_id, {deck: place for place, deck in enumerate(order, start=1)})
    return project


def draw_slides(rng: np.random.Generator, n: int) -> list[Slide]:
    """Return slides with figures in the range that real ones have."""
    base = rng.uniform(0.3, 0.9), rng.uniform(0, 6), rng.uniform(5, 50), rng.uniform(2, 5)
    return [
        (
            float(np.clip(base[0] + rng.normal() * 0.05, 0, 1)), float(abs(base[1] + rng.normal() * 1.5)),
            float(abs(base[2] + rng.normal() * 8)), float(abs(base[3] + rng.normal() * 0.4)),
        )
        for _ in range(n)
    ]  # fmt: skip


def scores_of(slides: Sequence[Slide], parameters: AestheticsParameters) -> DeckScores:
    """Return the scores of a deck of these slides."""
    contrast, distance, colour, entropy = zip(*slides, strict=True)
    return deck_scores_from_raw(contrast, distance, colour, entropy, parameters)


def add_measures(
    project: Project, instance_id: InstanceId, deck_id: DeckId, slides: Sequence[Slide], *, preset: str = "benchmark"
) -> None:
    """Store what a metrics run stores of these slides, as far as scores are made of it."""

    def score(metric: str, value: float | None, slide: int | None, reason: str | None = None, **more: object) -> Score:
        return Score(
            run_id=None, metric=f"aesthetics.{metric}", metric_version=1, preset=preset, deck_id=deck_id,
            instance_id=instance_id, slide=slide, value=value,
            undefined_reason=(reason or "no_text") if value is None else None, **more,
        )  # fmt: skip

    found = scores_of(slides, PRESETS[preset])
    rows = []
    for name in COMPONENTS:
        value = getattr(found, name)
        rows.append(score(name, value.value, None, value.undefined_reason))
    for number, (contrast, distance, colour, entropy) in enumerate(slides, start=1):
        rows += [
            score("harmony", 0.5, number, detail={"harmony": {"distance_deg": distance}}),
            score("engagement", colour, number),
            score("usability", contrast, number),
            score("rhythm", entropy, number),
        ]
    score_store.append_scores(project, rows)


def add_ranking(project: Project, person: str, instance_id: InstanceId, ranks: dict[DeckId, int]) -> None:
    """Store a submitted ranking."""
    annotator = people_store.annotator_named(project, person).id
    state: dict[str, object] = {
        "ranks": ranks, "status": "submitted", "note": "", "is_flagged": False, "reason": "",
        "recognised_system": False, "rank_method": "ranking",
    }  # fmt: skip
    _add(project, AnswerKind.RANKING, instance_id, annotator, "", "submit", state)


def add_pair(project: Project, person: str, instance_id: InstanceId, a: DeckId, b: DeckId, preference: str) -> None:
    """Store one person's answer to one pair."""
    annotator = people_store.annotator_named(project, person).id
    state: dict[str, object] = {"preference": preference, "strength": None, "shown_left": None}
    _add(project, AnswerKind.PAIR, instance_id, annotator, f"{a}|{b}", "submit", state)


def add_level(project: Project, deck_id: DeckId, level: float | None, *, preset: str = "benchmark") -> None:
    """Store an editability level, or that there is none."""
    deck = next(each for each in deck_store.list_decks(project) if each.id == deck_id)
    score_store.append_scores(
        project,
        [
            Score(
                run_id=None, metric="editability.pei", metric_version=1, preset=preset, deck_id=deck_id,
                instance_id=deck.instance_id, slide=None, value=level,
                undefined_reason="unreadable" if level is None else None,
            )
        ],
    )  # fmt: skip


def _add(
    project: Project, kind: AnswerKind, instance_id: InstanceId, annotator: AnnotatorId, item_key: str, verb: str,
    state: dict[str, object],
) -> None:  # fmt: skip
    number = len(answer_store.known_uids(project))
    answer_store.append(
        project,
        AnswerEvent(
            seq=0, uid=f"{kind}-{instance_id}-{annotator}-{item_key}-{number}", kind=kind, instance_id=instance_id,
            annotator_id=annotator, deck_id=None, item_key=item_key, verb=verb, state=state,
            at=f"2026-05-04T10:00:00.{number:03d}Z", app_version="test",
        ),
    )  # fmt: skip
