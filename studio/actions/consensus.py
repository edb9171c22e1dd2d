"""What people said together: one order of the decks of each instance, ready for a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studio.actions.human_answers import HumanAnswers
from studio.exchange.files import csv_text, jsonl_text, write_whole
from studio.model.decks import Deck, Instance
from studio.model.ids import DeckId, InstanceId
from studio.stats.consensus_orders import ConsensusOrders, consensus_orders
from studio.stats.rankings import consensus, stacked
from studio.store import decks as deck_store
from studio.store.project import Project

COLUMNS = (
    "instance_id", "instance", "deck_id", "system", "mean_rank", "mean_value", "n", "kemeny_rank", "kemeny_orders",
    "kemeny_distance", "kemeny_reason", "strength", "strength_method", "strength_regularised", "strength_reason",
)  # fmt: skip
"""Of consensus.csv."""


@dataclass(frozen=True, kw_only=True)
class ConsensusDeck:
    """One deck in the consensus of its instance."""

    deck_id: DeckId
    system: str
    mean_rank: float | None
    """Mean of the annotators' mid-ranks."""
    mean_value: float | None
    """For sides on one scale: the mean rating or score; None for orders."""
    n: int
    """Annotators who placed it."""
    kemeny_rank: float | None
    strength: float | None
    """Natural log, mean 0 over the decks."""


@dataclass(frozen=True, kw_only=True)
class InstanceConsensus:
    """The consensus of one instance, best mean rank first."""

    instance_id: InstanceId
    instance: str
    decks: tuple[ConsensusDeck, ...]
    orders: ConsensusOrders
    n_annotators: int


def consensus_of(
    answers: HumanAnswers, instance_id: InstanceId, *, instances: dict[InstanceId, Instance], decks: dict[DeckId, Deck]
) -> InstanceConsensus | None:
    """Return the consensus of one instance; None if nobody answered it."""
    table = stacked(answers.rankings)
    if instance_id not in table.instance_ids:
        return None
    owner = table.instance_ids.index(instance_id)
    names = table.deck_ids[owner]
    rows = table.values[table.owners == owner][:, : len(names)]
    orders = consensus_orders(list(rows))
    side = consensus(answers.rankings) if answers.rankings.is_on_one_scale else None
    theta = orders.strengths.theta or {}
    found = [
        ConsensusDeck(
            deck_id=deck, system=decks[deck].system if deck in decks else "", mean_rank=orders.mean_ranks[place],
            mean_value=None if side is None else -float(side.mean_ranks[owner, place]), n=orders.n[place],
            kemeny_rank=None if orders.kemeny.ranks is None else orders.kemeny.ranks[place],
            strength=theta.get(place),
        )
        for place, deck in enumerate(names)
    ]  # fmt: skip
    instance = instances.get(instance_id)
    return InstanceConsensus(
        instance_id=instance_id, instance=instance.name if instance is not None else "",
        decks=tuple(sorted(found, key=lambda each: (each.mean_rank or 0.0, each.system, each.deck_id))),
        orders=orders, n_annotators=len(rows),
    )  # fmt: skip


def all_consensus(project: Project, answers: HumanAnswers) -> list[InstanceConsensus]:
    """Return the consensus of every instance that somebody answered."""
    instances = {item.id: item for item in deck_store.list_instances(project)}
    decks = {deck.id: deck for deck in deck_store.list_decks(project)}
    found = [
        consensus_of(answers, instance_id, instances=instances, decks=decks)
        for instance_id in answers.rankings.instance_ids
    ]
    return [each for each in found if each is not None]


def as_json(found: Sequence[InstanceConsensus]) -> list[dict[str, Any]]:
    """Return one row for each deck, under `COLUMNS`."""
    rows = []
    for each in found:
        kemeny, strengths = each.orders.kemeny, each.orders.strengths
        rows += [
            {
                "instance_id": each.instance_id, "instance": each.instance, "deck_id": deck.deck_id,
                "system": deck.system, "mean_rank": deck.mean_rank, "mean_value": deck.mean_value, "n": deck.n,
                "kemeny_rank": deck.kemeny_rank, "kemeny_orders": kemeny.n_orders or None,
                "kemeny_distance": kemeny.distance, "kemeny_reason": kemeny.undefined_reason,
                "strength": deck.strength,
                "strength_method": "bradley_terry" if each.orders.has_ties else "plackett_luce",
                "strength_regularised": each.orders.is_regularised, "strength_reason": strengths.undefined_reason,
            }
            for deck in each.decks
        ]  # fmt: skip
    return rows


def export_consensus(found: Sequence[InstanceConsensus], out: Path) -> Path:
    """Write the consensus into a file: JSONL if it is called ``.jsonl``, else CSV. Returns the file.

    Raises:
        BadInput: if it cannot be written.
    """
    text = jsonl_text if out.suffix.lower() == ".jsonl" else csv_text
    write_whole(out, text(COLUMNS, as_json(found)))
    return out
