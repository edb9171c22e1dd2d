"""People's rankings as scores that Inspect attaches to the samples of a log (`precomputed_scores`)."""

from __future__ import annotations

import json

from studio.exchange.rankings import current_rankings
from studio.model.answers import AnswerStatus
from studio.model.ids import DeckId, InstanceId
from studio.stats.ranks import mid_ranks
from studio.store import decks as deck_store
from studio.store.project import Project


def scores_jsonl(project: Project) -> str:
    """Return one record a line for each deck that anybody ranked.

    `id` is the deck's id, for every epoch of the sample. `value` is 1 for a deck that everybody puts first, 0 for one
    that everybody puts last: the mean over annotators of (k − mid-rank) / (k − 1) among the k decks that each of them
    ranked. Rankings of one deck say nothing and are left out. The metadata names instance and system.
    """
    values: dict[DeckId, list[float]] = {}
    ranks: dict[DeckId, list[float]] = {}
    of_deck: dict[DeckId, InstanceId] = {}
    for ranking in current_rankings(project):
        if ranking.status is not AnswerStatus.SUBMITTED or len(ranking.ranks) < 2:
            continue
        decks = sorted(ranking.ranks)
        for deck, rank in zip(decks, mid_ranks([ranking.ranks[deck] for deck in decks]), strict=True):
            values.setdefault(deck, []).append((len(decks) - float(rank)) / (len(decks) - 1))
            ranks.setdefault(deck, []).append(float(rank))
            of_deck[deck] = ranking.instance_id
    instances = {item.id: item for item in deck_store.list_instances(project)}
    lines = []
    for known in deck_store.list_decks(project):
        if known.id not in values:
            continue
        given, placed = values[known.id], ranks[known.id]
        record = {
            "id": known.id, "value": sum(given) / len(given),
            "explanation": f"mean over {len(given)} annotators of their place among the decks of the instance",
            "metadata": {
                "instance_id": of_deck[known.id], "instance": instances[of_deck[known.id]].name, "system": known.system,
                "mean_rank": sum(placed) / len(placed), "n_annotators": len(given),
            },
        }  # fmt: skip
        lines.append(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")
    return "".join(lines)
