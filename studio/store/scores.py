"""Scores of metrics and verdicts of judges: appended, with the newest of each kind as the current one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from studio.model.ids import DeckId, InstanceId, RunId
from studio.model.scores import Score, Verdict
from studio.store.project import Project, utc_now
from studio.store.values import from_json, to_json

_CURRENT = """SELECT * FROM scores WHERE id IN (
    SELECT max(id) FROM scores WHERE (:slides = 1 OR slide IS NULL) AND (:deck IS NULL OR deck_id = :deck)
        AND id NOT IN (SELECT id FROM stale_scores) AND deck_id NOT IN (SELECT id FROM hidden_decks)
    GROUP BY metric, preset, deck_id, slide) ORDER BY id"""


def append_scores(project: Project, scores: Sequence[Score], *, unit_key: str = "") -> None:
    """Store scores; older ones of the same metric, preset and deck stay as history.

    Raises:
        ValueError: for NaN or infinity, which SQLite would store as no value at all or as no number.
    """
    for score in scores:
        _must_be_finite(score.value, score.metric)
    at = utc_now()
    with project.writing() as db:
        db.conn.executemany(
            "INSERT INTO scores (run_id, unit_key, metric, metric_version, preset, deck_id, instance_id, slide, value, "
            "undefined_reason, width_px, height_px, flags, detail, at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    score.run_id, unit_key, score.metric, score.metric_version, score.preset, score.deck_id,
                    score.instance_id, score.slide, score.value, score.undefined_reason,
                    score.raster_px[0] if score.raster_px else None, score.raster_px[1] if score.raster_px else None,
                    to_json(score.flags), to_json(score.detail), at,
                )
                for score in scores
            ],
        )  # fmt: skip


def current_scores(project: Project, *, deck_id: DeckId | None = None, with_slides: bool = False) -> list[Score]:
    """Return the newest score of each metric, preset and deck (and slide, if asked for).

    Scores of another file that the deck had, and of decks that were removed, are left out.
    """
    rows = project.reading().query(_CURRENT, {"slides": int(with_slides), "deck": deck_id})
    return [_score(row) for row in rows]


class CurrentValue(NamedTuple):
    """A current score of a whole deck without what explains it."""

    metric: str
    preset: str
    instance_id: InstanceId
    deck_id: DeckId
    value: float | None
    undefined_reason: str | None


def current_values(project: Project) -> list[CurrentValue]:
    """Return the values of `current_scores`: for many decks a fraction of its work, since nothing is unpacked."""
    rows = project.reading().query(_CURRENT, {"slides": 0, "deck": None})
    return [
        CurrentValue(
            row["metric"], row["preset"], InstanceId(row["instance_id"]), DeckId(row["deck_id"]), row["value"],
            row["undefined_reason"],
        )
        for row in rows
    ]  # fmt: skip


def scored_units(project: Project) -> set[tuple[str, DeckId]]:
    """Return the keys of units whose scores came of a good result, with the deck that each stands on.

    A unit that failed leaves undefined scores behind; it is not among these, so that it is planned again.
    """
    rows = project.reading().query(
        "SELECT DISTINCT s.unit_key AS unit_key, s.deck_id AS deck_id FROM scores s JOIN run_units u "
        "ON u.key = s.unit_key AND u.status = 'ok' AND u.run_id = s.run_id AND u.deck_id = s.deck_id"
    )
    return {(row["unit_key"], DeckId(row["deck_id"])) for row in rows}


def current_units(project: Project) -> set[tuple[str, DeckId]]:
    """Return the keys of the units that the newest good scores came of, with the deck that each stands on.

    A key of older scores is not among these: its unit was computed with other text regions since then.
    """
    rows = project.reading().query(
        "SELECT DISTINCT unit_key, deck_id FROM scores WHERE id IN (SELECT max(s.id) FROM scores s "
        "JOIN run_units u ON u.key = s.unit_key AND u.status = 'ok' AND u.run_id = s.run_id AND u.deck_id = s.deck_id "
        "WHERE s.slide IS NULL AND s.id NOT IN (SELECT id FROM stale_scores) GROUP BY s.metric, s.preset, s.deck_id)"
    )
    return {(row["unit_key"], DeckId(row["deck_id"])) for row in rows}


def append_verdicts(project: Project, verdicts: Sequence[Verdict]) -> list[int]:
    """Store verdicts of a judge and return their row numbers.

    Raises:
        ValueError: for a score of NaN or infinity.
    """
    for verdict in verdicts:
        _must_be_finite(verdict.score, verdict.judge_id)
    with project.writing() as db:
        return [
            int(
                db.conn.execute(
                    "INSERT INTO verdicts (run_id, judge_id, model, prompt_version, instance_id, deck_id, item_id, "
                    "verdict, score, status, order_index, repeat, input_tokens, output_tokens, cost, cached, "
                    "latency_s) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [
                        item.run_id, item.judge_id, item.model, item.prompt_version, item.instance_id, item.deck_id,
                        item.item_id, item.verdict, item.score, item.status, item.order_index, item.repeat,
                        item.input_tokens, item.output_tokens, item.cost, item.cached, item.latency_s,
                    ],
                ).lastrowid
                or 0
            )
            for item in verdicts
        ]  # fmt: skip


def list_verdicts(project: Project) -> list[Verdict]:
    """Return the verdicts in the order in which they came, without those on removed decks or on earlier files."""
    return [
        Verdict(
            run_id=RunId(row["run_id"]) if row["run_id"] else None, judge_id=row["judge_id"], model=row["model"],
            prompt_version=row["prompt_version"], instance_id=InstanceId(row["instance_id"]),
            deck_id=DeckId(row["deck_id"]), item_id=row["item_id"], verdict=row["verdict"], score=row["score"],
            status=row["status"], order_index=row["order_index"], repeat=row["repeat"],
            input_tokens=row["input_tokens"], output_tokens=row["output_tokens"], cost=row["cost"],
            cached=bool(row["cached"]), latency_s=row["latency_s"],
        )
        for row in project.reading().query(
            f"SELECT * FROM verdicts WHERE {_CURRENT_VERDICTS} ORDER BY id"
        )
    ]  # fmt: skip


_CURRENT_VERDICTS = "id NOT IN (SELECT id FROM stale_verdicts) AND deck_id NOT IN (SELECT id FROM hidden_decks)"


def newest_words(project: Project, judge_id: str) -> dict[DeckId, dict[str, str]]:
    """Return what a judge's newest verdict says to each item, deck by deck; without a verdict the unit's status.

    Verdicts on removed decks, on earlier files and of further repeats are left out.
    """
    rows = project.reading().conn.execute(
        "SELECT deck_id, item_id, CASE status WHEN 'ok' THEN verdict ELSE status END FROM verdicts "
        f"WHERE judge_id = ? AND repeat = 0 AND {_CURRENT_VERDICTS} ORDER BY id",
        [judge_id],
    )
    found: dict[DeckId, dict[str, str]] = {}
    for deck, item, words in rows:
        of_deck = found.get(deck)
        if of_deck is None:
            of_deck = found[DeckId(deck)] = {}
        of_deck[item] = words
    return found


def judges_that_said(project: Project, words: Sequence[str]) -> list[str]:
    """Return the judges with a verdict of these words, by their ids."""
    marks = ", ".join("?" * len(words))
    rows = project.reading().conn.execute(
        f"SELECT DISTINCT judge_id FROM verdicts WHERE verdict IN ({marks}) AND {_CURRENT_VERDICTS}", list(words)
    )
    return sorted(row[0] for row in rows)


def _must_be_finite(value: float | None, of: str) -> None:
    if value is not None and not math.isfinite(value):
        raise ValueError(f"{of} is {value}; a missing value is None with a reason")


def _score(row: dict[str, Any]) -> Score:
    return Score(
        run_id=RunId(row["run_id"]) if row["run_id"] else None, metric=row["metric"],
        metric_version=row["metric_version"], preset=row["preset"], deck_id=DeckId(row["deck_id"]),
        instance_id=InstanceId(row["instance_id"]), slide=row["slide"], value=row["value"],
        undefined_reason=row["undefined_reason"],
        raster_px=(row["width_px"], row["height_px"]) if row["width_px"] else None,
        flags=tuple(from_json(row["flags"])), detail=from_json(row["detail"]),
    )  # fmt: skip
