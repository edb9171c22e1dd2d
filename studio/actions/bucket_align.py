"""Alignment by style: among the decks of each bucket, and with each bucket left out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from studio.actions.align import Evidence, chosen_evidence
from studio.actions.measured import measured_deck, measured_decks
from studio.metrics.buckets import RULES, Bucket, Style, style
from studio.model.human_side import HumanSide
from studio.model.ids import DeckId
from studio.stats.alignment import MethodAlignment, align_methods
from studio.stats.levels import Level
from studio.stats.rankings import HumanRankings, consensus
from studio.store import decks as deck_store
from studio.store.project import Project


@dataclass(frozen=True, kw_only=True)
class BucketAlignment:
    """Alignment among the decks of one bucket, and among all others."""

    bucket: Bucket
    n_decks: int
    """Ranked decks of this style."""
    share: float
    """Share 0–1 of the ranked decks whose style is known."""
    mean_human_rank: float | None
    """Mean over its ranked decks of the people's mean rank, or mean value; None if there is none."""
    within: Mapping[str, MethodAlignment]
    """Method → alignment among the bucket's decks, ranked anew among them."""
    without: Mapping[str, MethodAlignment]
    """Method → alignment with the bucket's decks left out."""


@dataclass(frozen=True, kw_only=True)
class BucketTable:
    """Alignment by style at one level."""

    level: Level
    styles: Mapping[DeckId, Style]
    buckets: tuple[BucketAlignment, ...]
    overall: Mapping[str, MethodAlignment]
    """Method → alignment among all decks whose style is known: what the buckets compare with."""
    unknown: tuple[DeckId, ...]
    """Ranked decks that are not measured, so that their style is not known; they are in no bucket."""


def deck_styles(project: Project) -> dict[DeckId, Style]:
    """Return the style of every measured deck."""
    facts = deck_store.deck_facts(project)
    return {
        deck.deck_id: style([each.cues for each in deck.measures], facts.get(deck.deck_id, {}))
        for deck in measured_decks(project)
    }


def style_of_deck(project: Project, deck_id: DeckId) -> Style:
    """Return the style of one deck.

    Raises:
        BadInput: if there is no such deck, or it is not measured yet.
    """
    deck = measured_deck(project, deck_id)
    return style([each.cues for each in deck.measures], deck_store.deck_facts(project).get(deck_id, {}))


def bucket_table(
    project: Project, *, metrics: Sequence[str] = (), level: str = Level.INSTANCE.value, resamples: int = 1000,
    side: HumanSide | None = None,
) -> BucketTable:  # fmt: skip
    """Return how well each method agrees with the people by style of deck.

    Args:
        project: an open project.
        metrics: methods to show; empty for all that have scores.
        level: ``instance``, ``scenario``, ``system`` or ``pooled``.
        resamples: bootstrap resamples for the intervals.
        side: which answers are the human side; all submitted rankings without a choice.

    Raises:
        BadInput: for a level or a method that is not there.
    """
    evidence, chosen = chosen_evidence(project, metrics, level, side)
    styles = deck_styles(project)
    ranked = {deck for of in evidence.human.ranks.values() for ranks in of.values() for deck in ranks}
    known_decks = ranked & set(styles)

    def aligned(decks: Collection[DeckId]) -> dict[str, MethodAlignment]:
        human = only_decks(evidence.human, decks)
        methods = {name: evidence.methods[name] for name in chosen}
        return dict(align_methods(human, methods, level=level, resamples=resamples))

    rows = []
    for bucket in Bucket:
        inside = {deck for deck in known_decks if bucket in styles[deck].buckets}
        rows.append(
            BucketAlignment(
                bucket=bucket,
                n_decks=len(inside),
                share=len(inside) / len(known_decks) if known_decks else 0.0,
                mean_human_rank=_mean_rank(evidence, inside),
                within=aligned(inside),
                without=aligned(known_decks - inside),
            )
        )
    return BucketTable(
        level=Level(level),
        styles=styles,
        buckets=tuple(rows),
        overall=aligned(known_decks),
        unknown=tuple(sorted(ranked - set(styles))),
    )


def only_decks(human: HumanRankings, decks: Collection[DeckId]) -> HumanRankings:
    """Return the rankings of these decks only; everybody's order among them stays."""
    kept = set(decks)
    return replace(
        human,
        ranks={
            instance: {
                annotator: {deck: rank for deck, rank in ranks.items() if deck in kept}
                for annotator, ranks in of.items()
            }
            for instance, of in human.ranks.items()
        },
    )


def as_json(table: BucketTable) -> dict[str, Any]:
    """Return the table as `studio align --by bucket --json` prints it."""
    return {
        "level": table.level.value,
        "by": "bucket",
        "rules": {bucket.value: rule for bucket, rule in RULES.items()},
        "n_decks": len(table.styles),
        "unknown": list(table.unknown),
        "undecided": sorted(deck for deck, found in table.styles.items() if not found.is_decided),
        "overall": [_method_json(name, item) for name, item in table.overall.items()],
        "buckets": [
            {
                "bucket": row.bucket.value,
                "n_decks": row.n_decks,
                "share": row.share,
                "mean_human_rank": row.mean_human_rank,
                "within": [_method_json(name, item) for name, item in row.within.items()],
                "without": [_method_json(name, item) for name, item in row.without.items()],
            }
            for row in table.buckets
        ],
        "decks": [
            {
                "deck_id": deck, "buckets": sorted(found.buckets), "dark_share": found.dark_share,
                "whitespace": found.whitespace, "edge_density": found.edge_density,
                "photo_slides": found.photo_slides, "data_per_slide": found.data_per_slide,
                "diagrams_per_slide": found.diagrams_per_slide,
            }
            for deck, found in table.styles.items()
        ],
    }  # fmt: skip


def _method_json(name: str, item: MethodAlignment) -> dict[str, Any]:
    return {
        "method": name,
        "mean_rho": item.mean_rho,
        "std_rho": item.std_rho,
        "identical": item.identical,
        "n_defined": item.n_defined,
        "n_total": item.n_total,
        "undefined": dict(item.undefined),
        "undefined_reason": item.undefined_reason,
        "ci_low": item.ci_low,
        "ci_high": item.ci_high,
    }


def _mean_rank(evidence: Evidence, decks: Collection[DeckId]) -> float | None:
    """Return the mean rank that people gave these decks among all decks of their instance."""
    side, sign = consensus(evidence.human), -1 if evidence.human.is_on_one_scale else 1
    ranks = [
        sign * float(rank)
        for row, ids in enumerate(side.deck_ids)
        for deck, rank in zip(ids, side.mean_ranks[row], strict=False)
        if deck in decks
    ]
    return sum(ranks) / len(ranks) if ranks else None
