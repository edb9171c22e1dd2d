"""References: what a corpus of decks looks like in figures, and where one deck lies in it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from studio.actions.measured import MeasuredDeck, measured_decks
from studio.errors import BadInput
from studio.exchange.files import write_whole
from studio.jobs.parameters import parameters_of
from studio.metrics import references
from studio.metrics.aesthetics import deck_scores
from studio.metrics.cues import CUES
from studio.metrics.harmony import harmony_score
from studio.metrics.parameters import AestheticsParameters
from studio.metrics.references import FIGURES, DeckValues, Reference
from studio.metrics.registry import METRICS
from studio.model.changes import Changes, Topic, changed
from studio.model.ids import DeckId
from studio.store import references as reference_store
from studio.store.project import Project
from studio.store.references import StoredReference


class Place(NamedTuple):
    """Where a deck lies on one figure of a reference."""

    figure: str
    title: str
    unit: str
    value: float
    """The deck's value; the mean over its slides for a figure of slides."""
    percentile: float
    """0–100."""
    mean: float
    """The reference's."""


def make(
    project: Project,
    name: str,
    *,
    preset: str = "benchmark",
    systems: Sequence[str] = (),
    instances: Sequence[str] = (),
    description: str = "",
    replace: bool = False,
) -> tuple[Reference, Changes]:
    """Make a reference of the project's measured decks and store it.

    Args:
        project: an open project.
        name: what it is called.
        preset: the parameters for harmony and the scores.
        systems: names of the systems whose decks count; empty for all.
        instances: names of the instances whose decks count; empty for all.
        description: what the corpus is.
        replace: put it in place of another one of that name.

    Raises:
        BadInput: if no deck is measured, or the name is taken.
    """
    _check_name(name)
    parameters = parameters_of(project, preset)
    decks = [
        deck
        for deck in measured_decks(project)
        if (not systems or deck.system in systems) and (not instances or deck.instance in instances)
    ]
    rasters = {deck.raster_px for deck in decks}
    made = references.reference(
        name,
        [deck_values(deck, parameters) for deck in decks],
        n_slides=sum(len(deck.measures) for deck in decks),
        description=description,
        preset=preset,
        raster_px=rasters.pop() if len(rasters) == 1 else None,
        versions={
            spec.name: spec.version for spec in METRICS.values() if spec.name.startswith(("aesthetics.", "cues."))
        },
    )
    provenance = {"kind": "made", "systems": list(systems), "instances": list(instances)}
    return made, _store(project, made, provenance, replace=replace)


def deck_values(deck: MeasuredDeck, parameters: AestheticsParameters) -> DeckValues:
    """Return the raw figures of a measured deck."""
    slides: dict[str, list[float | None]] = {
        "contrast": [each.contrast_mean for each in deck.measures],
        "hue_distance": [each.distance_deg for each in deck.measures],
        "harmony": [harmony_score(each.distance_deg, parameters.harmony_sigma_deg) for each in deck.measures],
        "colourfulness": [each.colourfulness for each in deck.measures],
        "subband_entropy": [each.subband_entropy for each in deck.measures],
        **{cue: [getattr(each.cues, cue) for each in deck.measures] for cue in CUES},
    }
    scores = deck_scores(deck.measures, parameters, numbers=deck.numbers)
    of_deck = {
        "colourfulness_spread": scores.figures.std_colourfulness,
        "rmssd": scores.figures.rmssd,
        **{
            name: getattr(scores, name.removeprefix("aesthetics.")).value
            for name in FIGURES
            if name.startswith("aesthetics.")
        },
    }
    return DeckValues(
        slides={name: [value for value in values if value is not None] for name, values in slides.items()},
        deck={name: value for name, value in of_deck.items() if value is not None},
    )


def list_references(project: Project) -> list[Reference]:
    """Return the project's references."""
    return [references.from_json(each.content) for each in reference_store.list_references(project)]


def get(project: Project, name: str) -> Reference:
    """Return one reference.

    Raises:
        BadInput: if there is none of that name; the message names those that there are.
    """
    stored = reference_store.get_reference(project, name)
    if stored is None:
        known = ", ".join(each.name for each in reference_store.list_references(project))
        raise BadInput(
            f"There is no reference {name}.",
            next_step=f"Known: {known}." if known else "Make one with: studio reference make PROJECT NAME",
        )
    return references.from_json(stored.content)


def export_reference(project: Project, name: str, out: Path) -> Path:
    """Write a reference as JSON and return the file.

    Raises:
        BadInput: if there is no such reference, or the file cannot be written.
    """
    content = references.to_json(get(project, name))
    write_whole(out, json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n")
    return out


def import_reference(
    project: Project, path: Path, *, name: str = "", replace: bool = False
) -> tuple[Reference, Changes]:
    """Store the reference of a file that was exported, under its own name or another.

    Raises:
        BadInput: if the file is no reference, or the name is taken.
    """
    found = references.from_json(path)
    content = references.to_json(found) | ({"name": name} if name else {})
    renamed = references.from_json(content)
    _check_name(renamed.name)
    return renamed, _store(project, renamed, {"kind": "imported", "file": path.name}, replace=replace)


def places(deck: MeasuredDeck, parameters: AestheticsParameters, against: Reference) -> tuple[Place, ...]:
    """Return where a deck lies on every figure that it and a reference have."""
    found = references.percentiles(deck_values(deck, parameters), against)
    return tuple(
        Place(name, FIGURES[name].title, FIGURES[name].unit, value, percentile, against.figures[name].mean)
        for name, (value, percentile) in found.items()
    )


def percentile_rows(
    project: Project, name: str, *, preset: str = "", deck_ids: Iterable[DeckId] | None = None
) -> list[dict[str, Any]]:
    """Return one row for each measured deck and figure: value and percentile against a reference.

    Args:
        project: an open project.
        name: the reference.
        preset: parameters for harmony and the scores; those of the reference if empty.
        deck_ids: the decks; None for all.
    """
    against = get(project, name)
    parameters = parameters_of(project, preset or against.preset or "benchmark")
    wanted = None if deck_ids is None else set(deck_ids)
    return [
        {
            "instance_id": deck.instance_id, "deck_id": deck.deck_id, "system": deck.system, "reference": name,
            "figure": place.figure, "value": place.value, "percentile": place.percentile,
            "reference_mean": place.mean,
        }
        for deck in measured_decks(project)
        if wanted is None or deck.deck_id in wanted
        for place in places(deck, parameters, against)
    ]  # fmt: skip


def _store(project: Project, item: Reference, provenance: dict[str, Any], *, replace: bool) -> Changes:
    stored = StoredReference(name=item.name, content=references.to_json(item), provenance=provenance)
    reference_store.save_reference(project, stored, replace=replace)
    return changed(Topic.SCORES)


def _check_name(name: str) -> None:
    if not name.strip() or name != name.strip() or len(name) > 60:
        raise BadInput(f"A reference cannot be called {name!r}.", next_step="Use 1 to 60 characters.")
