"""References, stored measures and style buckets."""

from __future__ import annotations

import json
import statistics

import numpy as np
import pytest
from scipy.stats import percentileofscore

from studio.errors import BadInput
from studio.metrics.buckets import Bucket, style
from studio.metrics.cues import SlideCues
from studio.metrics.parameters import PRESETS, AestheticsParameters
from studio.metrics.references import (
    DeckValues,
    distribution,
    from_json,
    percentile,
    percentiles,
    reference,
    to_json,
)
from studio.metrics.slides import PixelBox, measure_slide
from studio.metrics.stored import slide_measures
from studio.store.values import from_json as read_json
from studio.store.values import to_json as write_json


def test_that_mean_variance_and_histogram_are_those_of_the_values():
    values = [0.0, 1.0, 2.0, 2.0, 10.0]
    found = distribution(values, values)
    assert (found.mean, found.variance) == (statistics.mean(values), statistics.pvariance(values))
    # 20 bins of 0.5: 0 | 1 | 2, 2 | 10 in the last, closed one.
    assert {place: count for place, count in enumerate(found.counts) if count} == {0: 1, 2: 1, 4: 2, 19: 1}
    assert (found.edges[0], found.edges[-1], len(found.edges)) == (0.0, 10.0, 21)


def test_that_equal_values_make_one_bin():
    found = distribution([3.0, 3.0], [3.0])
    assert (found.counts, found.edges, found.variance) == ((2,), (3.0, 3.0), 0.0)


@pytest.mark.parametrize("value", [-1.0, 0.0, 2.0, 5.0, 11.0])
def test_that_percentiles_count_equal_decks_half(value):
    decks = [0.0, 1.0, 2.0, 2.0, 10.0]
    assert percentile(value, distribution(decks, decks)) == pytest.approx(percentileofscore(decks, value, kind="mean"))


def two_decks():
    return [
        DeckValues(slides={"colourfulness": [10.0, 20.0], "contrast": []}, deck={"rmssd": 0.1}),
        DeckValues(slides={"colourfulness": [40.0]}, deck={}),
    ]


def test_that_figures_of_slides_pool_slides_and_rank_decks_by_their_means():
    made = reference("two", two_decks(), n_slides=3)
    colour = made.figures["colourfulness"]
    assert (colour.n, colour.deck_values) == (3, (15.0, 40.0))
    assert made.figures["rmssd"].n == 1
    assert "contrast" not in made.figures


def test_that_a_deck_gets_percentiles_for_what_both_sides_have():
    made = reference("two", two_decks(), n_slides=3)
    found = percentiles(DeckValues(slides={"colourfulness": [15.0]}, deck={"aesthetics.total": 3.0}), made)
    assert found == {"colourfulness": (15.0, 25.0)}  # one of two decks is equal: ½ / 2


def test_that_a_reference_goes_out_and_comes_back_the_same():
    made = reference("two", two_decks(), n_slides=3, description="–", preset="benchmark", raster_px=(1280, 720))
    assert from_json(json.loads(json.dumps(to_json(made)))) == made


@pytest.mark.parametrize(
    "spoil",
    [
        lambda c: c.pop("format"),
        lambda c: c.update(version=99),
        lambda c: c["figures"]["rmssd"].update(mean="x"),
        lambda c: c["figures"]["rmssd"].update(n=5),
        lambda c: c["figures"]["rmssd"].pop("histogram"),
        lambda c: c["figures"]["rmssd"].update(variance=-1),
        lambda c: c.update(figures=[]),
    ],
)
def test_that_a_document_that_is_no_reference_is_refused_in_one_line(spoil):
    content = to_json(reference("two", two_decks(), n_slides=3))
    spoil(content)
    with pytest.raises(BadInput) as caught:
        from_json(content)
    assert "\n" not in str(caught.value)


def test_that_a_reference_needs_a_deck():
    with pytest.raises(BadInput, match="no measured decks"):
        reference("none", [], n_slides=0)


def test_that_measures_come_back_from_json_as_they_were():
    rng = np.random.default_rng(3)
    rgb = rng.integers(0, 256, (48, 64, 3), dtype=np.uint8)
    boxes = [PixelBox(label="text", x0=3, y0=4, x1=40, y1=20)]
    for picture in (rgb, np.full((8, 8, 3), 255, np.uint8)):
        measured = measure_slide(picture, boxes, PRESETS["benchmark"])
        assert slide_measures(read_json(write_json(measured))) == measured


def test_that_measures_of_an_older_version_ask_for_a_new_run():
    stored = read_json(write_json(measure_slide(np.zeros((40, 40, 3), np.uint8), None, PRESETS["benchmark"])))
    del stored["cues"]
    with pytest.raises(BadInput, match="Run the metrics again"):
        slide_measures(stored)


def cue(**values: float) -> SlideCues:
    return SlideCues(
        **{
            "whitespace": 0.5, "edge_density": 0.1, "balance": 0.9, "text_density": 0.1, "brightness_contrast": 10.0,
            "background_lightness": 95.0, "photo_share": 0.0, **values,
        }
    )  # fmt: skip


FACTS = {"slides": 4, "charts": {"native": 0}, "tables": 0, "groups": 0, "smartart": 0}


@pytest.mark.parametrize(
    ("slides", "facts", "buckets"),
    [
        ([cue()], FACTS, {Bucket.LIGHT, Bucket.CORPORATE}),
        ([cue(background_lightness=10), cue(background_lightness=10), cue()], FACTS, {Bucket.DARK, Bucket.CORPORATE}),
        ([cue(background_lightness=10), cue()], FACTS, {Bucket.LIGHT, Bucket.CORPORATE}),
        ([cue(whitespace=0.85, edge_density=0.05)], FACTS, {Bucket.LIGHT, Bucket.MINIMAL}),
        ([cue(whitespace=0.85, edge_density=0.06)], FACTS, {Bucket.LIGHT, Bucket.CORPORATE}),
        ([cue(photo_share=0.15), cue()], FACTS, {Bucket.LIGHT, Bucket.IMAGE_RICH}),
        ([cue()], {**FACTS, "charts": {"native": 1}}, {Bucket.LIGHT, Bucket.DATA_HEAVY}),
        ([cue()], {**FACTS, "groups": 1, "smartart": 1}, {Bucket.LIGHT, Bucket.DIAGRAM}),
        ([cue()], {**FACTS, "groups": 1}, {Bucket.LIGHT, Bucket.CORPORATE}),
    ],
)  # fmt: skip
def test_that_a_deck_gets_its_buckets_by_the_stated_rules(slides, facts, buckets):
    assert style(slides, facts).buckets == buckets


def test_that_a_file_without_known_structure_leaves_data_and_diagrams_undecided():
    found = style([cue()], {"slides": 4, "charts": None, "tables": None, "groups": None, "smartart": None})
    assert not found.is_decided
    assert found.data_per_slide is None


def test_that_parameters_go_out_under_the_references_keys_and_come_back():
    for each in PRESETS.values():
        assert set(each.to_json()) == set(each.to_reference())
        assert AestheticsParameters.from_json(each.to_json()) == each
    own = AestheticsParameters(min_saturation=0.2, grid_fallback=True)
    assert own.to_json()["studio"] == {"min_saturation": 0.2, "grid_fallback": True}
    assert AestheticsParameters.from_json(own.to_json()) == own


@pytest.mark.parametrize(
    "studio", [{"nope": 1}, {"min_saturation": True}, {"grid_fallback": 1}, {"min_saturation": "x"}, [],
               {"weight_contrast": 3}, {"usability_scale": 3}]
)  # fmt: skip
def test_that_studio_parameters_of_the_wrong_kind_are_refused(studio):
    with pytest.raises(BadInput):
        AestheticsParameters.from_json({**PRESETS["benchmark"].to_json(), "studio": studio})
