"""The raw figures of slides that scores are made of, for many decks in one read."""

from __future__ import annotations

from typing import NamedTuple

from studio.model.ids import DeckId, InstanceId
from studio.store.project import Project

_HARMONY, _OTHERS = "aesthetics.harmony", ("aesthetics.engagement", "aesthetics.usability", "aesthetics.rhythm")

# A slide that went away keeps its old score, and a run that failed has no slides: what counts is what came in the
# same run as the deck's own newest value. `->` and not json_extract: its text is read by Python, bit for bit.
_QUERY = f"""
    WITH newest AS (
        SELECT max(id) AS id FROM scores WHERE metric = '{_HARMONY}' AND preset = :preset AND slide IS NULL
        GROUP BY deck_id)
    SELECT s.deck_id AS deck_id, s.instance_id AS instance_id, s.slide AS slide, s.metric AS metric, s.value AS value,
        CASE WHEN s.metric = '{_HARMONY}' THEN s.detail -> '$.harmony.distance_deg' END AS distance
    FROM newest JOIN scores d ON d.id = newest.id
    JOIN scores s ON s.deck_id = d.deck_id AND s.preset = :preset AND s.run_id IS d.run_id AND s.slide IS NOT NULL
    WHERE s.metric IN ('{_HARMONY}', '{_OTHERS[0]}', '{_OTHERS[1]}', '{_OTHERS[2]}')
    ORDER BY s.id"""


class RawSlide(NamedTuple):
    """What was measured on one slide."""

    number: int
    contrast_mean: float | None
    """0–1."""
    distance_deg: float
    colourfulness: float
    entropy: float | None
    """In bits."""


def raw_slides(project: Project, preset: str) -> dict[DeckId, tuple[InstanceId, tuple[RawSlide, ...]]]:
    """Return each deck's slides as its newest run of a preset measured them, in slide order.

    A deck with a slide that lacks its hue distance or colourfulness (scores that came from elsewhere) is left out.
    """
    cells: dict[DeckId, dict[int, dict[str, float | None]]] = {}
    instances: dict[DeckId, InstanceId] = {}
    for row in project.reading().query(_QUERY, {"preset": preset}):
        deck_id = DeckId(row["deck_id"])
        instances[deck_id] = InstanceId(row["instance_id"])
        slide = cells.setdefault(deck_id, {}).setdefault(row["slide"], {})
        if row["metric"] == _HARMONY:
            slide["distance"] = None if row["distance"] in (None, "null") else float(row["distance"])
        else:
            slide[row["metric"]] = row["value"]
    found = {}
    for deck_id, slides in cells.items():
        raw = [_raw(number, slides[number]) for number in sorted(slides)]
        if all(raw):
            found[deck_id] = (instances[deck_id], tuple(each for each in raw if each is not None))
    return found


def _raw(number: int, slide: dict[str, float | None]) -> RawSlide | None:
    distance, colour = slide.get("distance"), slide.get(_OTHERS[0])
    if distance is None or colour is None:
        return None
    return RawSlide(
        number=number, contrast_mean=slide.get(_OTHERS[1]), distance_deg=distance, colourfulness=colour,
        entropy=slide.get(_OTHERS[2]),
    )  # fmt: skip
