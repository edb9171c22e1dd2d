"""Results of the reference's own program: taken in for a deck, compared with ours, and written in its layout."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studio.actions.measured import MeasuredDeck, deck_of, measured_deck
from studio.actions.presets import RESERVED
from studio.errors import BadInput
from studio.exchange.files import write_whole
from studio.jobs.parameters import parameters_of
from studio.metrics.aesthetics import deck_scores, deck_scores_from_raw
from studio.metrics.harmony import harmony_score
from studio.metrics.parameters import PRESETS, AestheticsParameters
from studio.metrics.reference_json import ReferenceResult, read_result, result_json
from studio.metrics.slides import SlideMeasures
from studio.model.changes import Changes, Topic, changed
from studio.model.decks import slide_file_name
from studio.model.ids import DeckId, RunId, new_id
from studio.model.runs import Run, RunKind, RunState
from studio.model.scores import Score
from studio.store import decks as deck_store
from studio.store import runs as run_store
from studio.store import scores as score_store
from studio.store.project import Project, utc_now

VERSION = 0
"""Metric version of values that were not computed here."""
FIGURES: dict[str, tuple[str, Callable[[SlideMeasures], float | None]]] = {
    "contrast": ("Text contrast", lambda slide: slide.contrast_mean),
    "hue_distance": ("Hue distance", lambda slide: slide.distance_deg),
    "colourfulness": ("Colourfulness", lambda slide: slide.colourfulness),
    "subband_entropy": ("Subband entropy", lambda slide: slide.subband_entropy),
}
"""What a result file holds of a slide, and where ours is."""
COMPONENTS = {
    "aesthetics.harmony": "harmony",
    "aesthetics.engagement": "colorfulness",
    "aesthetics.usability": "contrast",
}
_SUMS = ("entropy", "rmssd")


@dataclass(frozen=True, kw_only=True)
class SlidePair:
    """One figure of one slide, ours and theirs."""

    slide: int
    figure: str
    ours: float | None
    theirs: float | None

    @property
    def difference(self) -> float | None:
        """Return ours - theirs; None if one is missing."""
        return None if self.ours is None or self.theirs is None else self.ours - self.theirs


@dataclass(frozen=True, kw_only=True)
class ScorePair:
    """One score of the deck, ours and theirs, under the parameters that theirs was made with."""

    metric: str
    ours: float | None
    theirs: float | None
    recomputed: float | None
    """What their raw values give here: differs from `theirs` only if the arithmetic does."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """A deck's own measures beside a result that was made elsewhere."""

    label: str
    slides: tuple[SlidePair, ...]
    scores: tuple[ScorePair, ...]
    notes: tuple[str, ...]
    """What must be known to read it, such as that the numbers of slides differ."""


def preset_of(label: str) -> str:
    """Return the preset under which the scores of an imported result stand."""
    return f"{RESERVED}:{label}"


def import_result(project: Project, deck_id: DeckId, path: Path, *, label: str = "") -> tuple[str, Changes]:
    """Store a result file in the reference's layout as scores of a deck, under a run of their own.

    Taking in the same result twice changes nothing; another one under the same label becomes the current one.
    Slides are matched by their order among the deck's shown slides.

    Args:
        project: an open project.
        deck_id: the deck that was measured elsewhere.
        path: the result file.
        label: what the result is called; the file's name without its ending if empty.

    Returns:
        The label, and what changed.

    Raises:
        BadInput: if the file cannot be used, or has another number of slides than the deck shows.
    """
    deck = deck_of(project, deck_id)
    result = read_result(path)
    label = label or path.stem
    if not label.strip() or set(label) & set("@/\\\n") or len(label) > 60:
        raise BadInput(f"A result cannot be called {label!r}.", next_step="Give a plain name with --label.")
    numbers = [slide.number for slide in deck_store.list_slides(project, deck_id) if slide.page is not None]
    if len(numbers) != len(result.slide_paths):
        raise BadInput(
            f"{path.name} has {len(result.slide_paths)} slides, and the deck of {deck.system} shows {len(numbers)}.",
            next_step="Choose the deck that the result was made from.",
        )
    now, run_id = utc_now(), RunId(new_id("run"))
    parameters = result.parameters or PRESETS["benchmark"]
    spec = {
        "file": path.name, "label": label, "deck": deck_id, "parameters": parameters.to_json(),
        "has_scores": result.parameters is not None, "components": dict(result.components), "total": result.total,
    }  # fmt: skip
    common: dict[str, Any] = {
        "run_id": run_id, "metric_version": VERSION, "preset": preset_of(label), "deck_id": deck_id,
        "instance_id": deck.instance_id,
    }  # fmt: skip
    scores = [*_deck_rows(result, common), *_slide_rows(result, parameters, numbers, common)]
    if _said(scores) == _said(_stored(project, deck_id, label)):
        return label, changed()
    with project.writing(is_durable=True):
        run_store.add_run(
            project,
            Run(
                id=run_id, kind=RunKind.IMPORTED, title=f"Imported {label} · {deck.system}", spec=spec,
                state=RunState.DONE, started_at=now, ended_at=now, total=1,
            ),
        )  # fmt: skip
        score_store.append_scores(project, scores)
    return label, changed(Topic.SCORES, Topic.RUNS)


def imported_labels(project: Project, deck_id: DeckId) -> list[str]:
    """Return the labels of the results that were imported for a deck, oldest first."""
    start = preset_of("")
    found = score_store.current_scores(project, deck_id=deck_id)
    return list(dict.fromkeys(score.preset.removeprefix(start) for score in found if score.preset.startswith(start)))


def compare(project: Project, deck_id: DeckId, label: str) -> Comparison:
    """Return an imported result beside our own measures of the same deck, slide by slide.

    Raises:
        BadInput: if there is no such result, or the deck is not measured here.
    """
    rows = _stored(project, deck_id, label)
    if not rows:
        known = ", ".join(imported_labels(project, deck_id))
        raise BadInput(
            f"No result called {label} was imported for this deck.",
            next_step=f"There are: {known}." if known else "Import one with: studio metrics PROJECT --reference-in",
        )
    run_id = rows[-1].run_id
    run = next(run for run in run_store.list_runs(project) if run.id == run_id)
    parameters = AestheticsParameters.from_json(_mapping(run.spec["parameters"]))
    theirs = {score.slide: score.detail for score in rows if score.slide is not None and score.detail}
    ours = measured_deck(project, deck_id)
    mine = dict(zip(ours.numbers, ours.measures, strict=True))
    pairs = tuple(
        SlidePair(
            slide=number,
            figure=name,
            ours=value(mine[number]) if number in mine else None,
            theirs=_number(theirs[number].get(name)) if number in theirs else None,
        )
        for number in sorted({*mine, *theirs})
        for name, (_, value) in FIGURES.items()
    )
    notes = []
    if set(mine) != set(theirs):
        notes.append(f"The result has {len(theirs)} slides, and {len(mine)} are measured here.")
    if not run.spec["has_scores"]:
        notes.append('The result holds no scores: those shown are recomputed with the parameters "benchmark".')
    return Comparison(
        label=label, slides=pairs, scores=_score_pairs(ours, theirs, rows, parameters), notes=tuple(notes)
    )


def _stored(project: Project, deck_id: DeckId, label: str) -> list[Score]:
    return [
        score
        for score in score_store.current_scores(project, deck_id=deck_id, with_slides=True)
        if score.preset == preset_of(label)
    ]


def _said(scores: Sequence[Score]) -> dict[tuple[str, int | None], tuple[object, ...]]:
    return {(each.metric, each.slide): (each.value, each.undefined_reason, each.detail) for each in scores}


def export_result(project: Project, deck_id: DeckId, out: Path, *, preset: str = "benchmark") -> Path:
    """Write a measured deck as a result file in the reference's layout and return the file.

    Raises:
        BadInput: if the deck is not measured, or the file cannot be written.
    """
    write_whole(out, json.dumps(result_of(project, deck_id, preset=preset), indent=2, allow_nan=False) + "\n")
    return out


def result_of(project: Project, deck_id: DeckId, *, preset: str = "benchmark") -> dict[str, Any]:
    """Return a measured deck in the layout of the reference's result file, from what is stored.

    Raises:
        BadInput: if the deck is not measured, or there is no such preset.
    """
    deck = measured_deck(project, deck_id)
    parameters = parameters_of(project, preset)
    scores = deck_scores(deck.measures, parameters, numbers=deck.numbers)
    paths = [f"slide_images/{slide_file_name(number)}" for number in deck.numbers]
    return result_json(deck.measures, scores, parameters, paths)


def comparison_json(item: Comparison) -> dict[str, Any]:
    """Return a comparison as `studio metrics --compare --json` prints it."""
    return {
        "label": item.label,
        "notes": list(item.notes),
        "scores": [
            {"metric": each.metric, "ours": each.ours, "theirs": each.theirs, "recomputed": each.recomputed}
            for each in item.scores
        ],
        "slides": [
            {
                "slide": each.slide, "figure": each.figure, "ours": each.ours, "theirs": each.theirs,
                "difference": each.difference,
            }
            for each in item.slides
        ],
    }  # fmt: skip


def _deck_rows(result: ReferenceResult, common: dict[str, Any]) -> list[Score]:
    values = {metric: result.components.get(key) for metric, key in COMPONENTS.items()}
    halves = [result.components.get(key) for key in _SUMS]
    values["aesthetics.rhythm"] = None if None in halves else sum(half for half in halves if half is not None)
    values["aesthetics.total"] = result.total
    reason = "the imported result has no such score"
    return [
        Score(**common, metric=metric, slide=None, value=value, undefined_reason=reason if value is None else None)
        for metric, value in values.items()
    ]


def _slide_rows(
    result: ReferenceResult, parameters: AestheticsParameters, numbers: list[int], common: dict[str, Any]
) -> list[Score]:
    rows = []
    columns = zip(
        numbers, result.contrast_means, result.harmony_distances, result.colourfulness, result.entropies, strict=True
    )
    for number, contrast, distance, colour, entropy in columns:
        raw = {
            "contrast": contrast, "hue_distance": distance, "colourfulness": colour, "subband_entropy": entropy,
        }  # fmt: skip
        values = {
            "aesthetics.harmony": harmony_score(distance, parameters.harmony_sigma_deg),
            "aesthetics.engagement": colour,
            "aesthetics.usability": contrast,
            "aesthetics.rhythm": entropy,
        }
        rows += [
            Score(
                **common, metric=metric, slide=number, value=value,
                undefined_reason="null in the imported result" if value is None else None,
                detail=dict(raw) if metric == "aesthetics.harmony" else {},
            )
            for metric, value in values.items()
        ]  # fmt: skip
    return rows


def _score_pairs(
    ours: MeasuredDeck, theirs: dict[int, dict[str, object]], rows: list[Score], parameters: AestheticsParameters
) -> tuple[ScorePair, ...]:
    mine = deck_scores(ours.measures, parameters, numbers=ours.numbers)
    columns: dict[str, list[float | None]] = {
        name: [_number(theirs[number].get(name)) for number in sorted(theirs)] for name in FIGURES
    }
    again = deck_scores_from_raw(
        columns["contrast"],
        [value for value in columns["hue_distance"] if value is not None],
        [value for value in columns["colourfulness"] if value is not None],
        columns["subband_entropy"],
        parameters,
    )
    given = {score.metric: score.value for score in rows if score.slide is None}
    return tuple(
        ScorePair(
            metric=metric,
            ours=getattr(mine, metric.removeprefix("aesthetics.")).value,
            theirs=given[metric],
            recomputed=getattr(again, metric.removeprefix("aesthetics.")).value,
        )
        for metric in given
    )


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _mapping(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"{value!r} is no object")
    return value
