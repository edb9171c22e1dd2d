"""Rankings as tasks for Label Studio: a list to be ranked, people's rankings as annotations, methods as predictions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from studio.exchange.rankings import current_rankings
from studio.model.answers import AnswerStatus, Ranking
from studio.model.ids import DeckId, InstanceId
from studio.sessions.placement import competition
from studio.store import decks as deck_store
from studio.store import scores as score_store
from studio.store.project import Project

LABELLING = """<View>
  <Text name="instruction" value="$instruction"/>
  <List name="decks" value="$decks" title="Decks"/>
  <Ranker name="rank" toName="decks"/>
</View>
"""
"""The labelling configuration that the tasks are for."""


def tasks_json(project: Project) -> str:
    """Return one task for each instance with decks, as Label Studio imports them.

    A submitted ranking is an annotation, the order of a metric or a judge a prediction. The Ranker's result is an
    order and knows no ties: the ranks stand in `meta` beside it. Decks bear their systems' names, annotators numbers.
    """
    decks: dict[InstanceId, list[Any]] = {}
    for deck in deck_store.list_decks(project):
        decks.setdefault(deck.instance_id, []).append(deck)
    rankings: dict[InstanceId, list[Ranking]] = {}
    for ranking in current_rankings(project):
        if ranking.status is AnswerStatus.SUBMITTED and ranking.ranks:
            rankings.setdefault(ranking.instance_id, []).append(ranking)
    people = sorted({ranking.annotator_id for each in rankings.values() for ranking in each})
    numbers = {person: number for number, person in enumerate(people, start=1)}
    scores: dict[InstanceId, dict[str, dict[DeckId, float]]] = {}
    for score in score_store.current_scores(project):
        if score.value is not None:
            name = f"{score.metric}@{score.preset}" if score.preset else score.metric
            scores.setdefault(score.instance_id, {}).setdefault(name, {})[score.deck_id] = score.value
    tasks = []
    for number, instance in enumerate(deck_store.list_instances(project), start=1):
        if instance.id not in decks:
            continue
        tasks.append(
            {
                "id": number,
                "data": {
                    "instance_id": instance.id, "instance": instance.name, "scenario": instance.scenario,
                    "instruction": instance.instruction or instance.title,
                    "decks": [{"id": deck.id, "title": deck.system, "body": ""} for deck in decks[instance.id]],
                },
                "annotations": [
                    {
                        "completed_by": numbers[ranking.annotator_id], "was_cancelled": False, "ground_truth": False,
                        "lead_time": ranking.active_s, "result": [_result(dict(competition(ranking.ranks)))],
                    }
                    for ranking in rankings.get(instance.id, ())
                ],
                "predictions": [
                    {"model_version": name, "result": [_result(_ranks(values))]}
                    for name, values in sorted(scores.get(instance.id, {}).items())
                ],
            }
        )  # fmt: skip
    return json.dumps(tasks, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _ranks(values: Mapping[DeckId, float]) -> dict[DeckId, int]:
    """Return competition ranks, the highest value first."""
    return {deck: 1 + sum(other > value for other in values.values()) for deck, value in values.items()}


def _result(ranks: Mapping[DeckId, int]) -> dict[str, Any]:
    order = sorted(ranks, key=lambda deck: (ranks[deck], deck))
    return {
        "id": "rank", "from_name": "rank", "to_name": "decks", "type": "ranker",
        "value": {"ranker": {"rank": order}}, "meta": {"ranks": {deck: ranks[deck] for deck in order}},
    }  # fmt: skip
