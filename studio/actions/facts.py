"""What each deck holds and what each metric says of it, as rows for people and programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from studio.decks.structure import inspect_file
from studio.metrics.registry import FROM_WORDS, METRICS
from studio.model.decks import DeckFacts
from studio.store import decks as deck_store
from studio.store import scores as score_store
from studio.store.project import Project
from studio.store.values import plain


def inspect(path: Path, *, password: str | None = None) -> DeckFacts:
    """Return the facts of one file, without a project and without rendering; a bad file has `failure` filled."""
    return inspect_file(path, password=password)


def facts_json(facts: DeckFacts) -> dict[str, Any]:
    """Return facts as `studio inspect` prints them."""
    values: dict[str, Any] = plain(facts)
    if facts.failure is not None:
        values["failure"] = {"kind": facts.failure.kind, "message": facts.failure.message}
    return values


def deck_rows(project: Project) -> list[dict[str, Any]]:
    """Return one row for each deck: who made it, its state, and the facts of its file."""
    facts = deck_store.deck_facts(project)
    instances = {item.id: item for item in deck_store.list_instances(project)}
    rows = []
    for deck in deck_store.list_decks(project):
        row: dict[str, Any] = {
            "instance_id": deck.instance_id,
            "instance": instances[deck.instance_id].name,
            "deck_id": deck.id,
            "system": deck.system,
            "status": deck.status.value,
            "reason": deck.reason or None,
            "original_name": deck.original_name,
            "render_state": deck.render_state.value,
            "render_reason": deck.render_reason or None,
            "pages_rendered": deck.pages_rendered,
            "raster_px": list(deck.raster_px) if deck.raster_px else None,
        }
        rows.append(facts.get(deck.id, {}) | row | {"warnings": plain(deck.warnings)})
    return rows


def metric_rows(project: Project, *, metrics: Sequence[str] = (), preset: str = "benchmark") -> list[dict[str, Any]]:
    """Return one row for each deck and metric of a preset: a value, or the reason why there is none."""
    decks = {deck.id: deck for deck in deck_store.list_decks(project)}
    scores = {
        (score.deck_id, score.metric): score
        for score in score_store.current_scores(project)
        if score.preset == preset and score.deck_id in decks
    }
    there = {metric for _, metric in scores}
    # Content metrics run only when they are named: where none has run, their absence says nothing.
    names = list(metrics) or [name for name in METRICS if name not in FROM_WORDS or name in there]
    rows = []
    for deck_id, deck in decks.items():
        for name in names:
            score = scores.get((deck_id, name))
            rows.append(
                {
                    "instance_id": deck.instance_id,
                    "deck_id": deck_id,
                    "system": deck.system,
                    "metric": name,
                    "preset": preset,
                    "metric_version": score.metric_version if score else None,
                    "value": score.value if score else None,
                    "undefined_reason": score.undefined_reason if score else "not_computed",
                    "flags": list(score.flags) if score else [],
                    "regions": score.detail.get("regions", []) if score else [],
                    "raster_px": list(score.raster_px) if score and score.raster_px else None,
                }
            )
    return rows
