"""Deck scores by hand arithmetic, presets, rhythm, and what is undefined."""

from __future__ import annotations

import dataclasses
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.errors import BadInput, StudioError
from studio.metrics.aesthetics import deck_scores, deck_scores_from_raw
from studio.metrics.parameters import PRESETS, REFERENCE_KEYS, AestheticsParameters, preset
from studio.metrics.registry import METRICS, metric
from studio.metrics.rhythm import (
    interpretation,
    normalised_entropy,
    overload_windows,
    rhythm_band,
    rhythm_share,
    rmssd,
)
from studio.metrics.slides import PixelBox, measure_slide

BENCHMARK = PRESETS["benchmark"]


def raw(n=2, contrast=0.5, distance=0.0, colour=26.0, entropy=5.4, parameters=BENCHMARK):
    return deck_scores_from_raw([contrast] * n, [distance] * n, [colour] * n, [entropy] * n, parameters)


def test_that_a_deck_of_equal_slides_follows_by_hand():
    scores = raw()
    assert scores.usability.value == pytest.approx(3.5)  # 7 · 0.5
    assert scores.harmony.value == pytest.approx(2.0)  # 0.4 · (5 · 1 - 20 · 0)
    # 10 · (0.55 · 1 + 0.5 · exp(-15²/72))
    assert scores.engagement.value == pytest.approx(5.5 + 5 * math.exp(-225 / 72))
    assert scores.rhythm_entropy.value == pytest.approx(8.0)
    assert scores.rhythm_rmssd.value == pytest.approx(8 * (1 - 0.03 / 0.21))
    assert scores.rhythm.value == pytest.approx(scores.rhythm_entropy.value + scores.rhythm_rmssd.value)
    assert scores.total.value == pytest.approx(
        scores.usability.value + scores.harmony.value + scores.engagement.value + scores.rhythm.value
    )
    assert scores.flags == ()


def test_that_mixed_harmony_is_the_worst():
    # Half of the slides at 1, half at 0: 0.4 · (5 · 0.5 - 20 · 0.5) = -3.
    scores = deck_scores_from_raw([0.5] * 4, [0.0, 60.0] * 2, [20.0] * 4, [4.0] * 4, BENCHMARK)
    assert scores.harmony.value == pytest.approx(-3.0)
    assert (scores.figures.mean_harmony, scores.figures.std_harmony) == (0.5, 0.5)


def test_that_standard_deviations_are_those_of_a_population():
    scores = deck_scores_from_raw([0.5] * 2, [0.0] * 2, [10.0, 20.0], [4.0] * 2, BENCHMARK)
    assert scores.figures.std_colourfulness == pytest.approx(5.0)


@given(
    st.lists(
        st.tuples(st.floats(0, 1), st.floats(0, 90), st.floats(0, 200), st.floats(0, 8)),
        min_size=1,
        max_size=12,
    )
)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_that_scores_stay_in_their_ranges_and_add_up(slides):
    scores = deck_scores_from_raw(*([row[k] for row in slides] for k in range(4)), BENCHMARK)
    assert 0 <= scores.usability.value <= 7 + 1e-9
    assert 0 <= scores.engagement.value <= 10.5 + 1e-9
    assert -3.2 <= scores.harmony.value <= 2 + 1e-9
    assert 0 <= scores.rhythm.value <= 16 + 1e-9
    parts = (scores.usability, scores.engagement, scores.harmony, scores.rhythm)
    assert scores.total.value == pytest.approx(sum(part.value for part in parts), abs=1e-9)


@given(st.permutations(range(6)))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_that_only_pacing_depends_on_the_order_of_slides(order):
    columns = [
        [0.1, 0.9, 0.5, 0.4, 0.3, 0.8],
        [0.0, 3.0, 0.0, 9.0, 0.0, 1.0],
        [5.0, 60.0, 20.0, 1.0, 9.0, 33.0],
        [1.0, 6.0, 2.0, 4.0, 3.0, 5.0],
    ]
    here = deck_scores_from_raw(*columns, BENCHMARK)
    there = deck_scores_from_raw(*([column[k] for k in order] for column in columns), BENCHMARK)
    for part in ("usability", "engagement", "harmony", "rhythm_entropy"):
        assert getattr(there, part).value == pytest.approx(getattr(here, part).value, abs=1e-12)


def test_that_one_slide_has_no_rhythm_unless_the_reference_is_asked_for():
    scores = raw(n=1)
    assert (scores.figures.rmssd, scores.rhythm_rmssd.value) == (None, 0.0)
    assert "one_slide" in scores.flags
    assert scores.total.value is not None
    reference = raw(n=1, parameters=AestheticsParameters(single_slide_reference=True))
    assert reference.rhythm_rmssd.value == pytest.approx(8 * (1 - 0.03 / 0.21))
    assert "one_slide" in reference.flags


def test_that_two_slides_have_one_difference():
    scores = deck_scores_from_raw([0.5] * 2, [0.0] * 2, [9.0] * 2, [2.1, 99.0], BENCHMARK)
    # The sigmoid gives 0.5 at its centre and 1 far above it.
    assert scores.figures.rmssd == pytest.approx(0.5)
    assert scores.rhythm_rmssd.value == 0.0


def test_that_a_slide_without_contrast_is_left_out_of_the_mean_and_named():
    scores = deck_scores_from_raw([0.2, None, 0.6], [0.0] * 3, [9.0] * 3, [4.0] * 3, BENCHMARK, numbers=[4, 5, 7])
    assert scores.usability.value == pytest.approx(7 * 0.4)
    assert scores.flagged_slides["slides_left_out_of_contrast"] == (5,)


def test_that_a_deck_without_contrast_has_no_usability_and_no_total():
    scores = raw(contrast=None)
    assert scores.usability.value is None
    assert scores.usability.undefined_reason == "no slide has a contrast value"
    assert scores.total.undefined_reason == scores.usability.undefined_reason
    assert scores.engagement.value is not None


def test_that_a_slide_without_entropy_leaves_rhythm_undefined():
    scores = deck_scores_from_raw([0.5] * 3, [0.0] * 3, [9.0] * 3, [4.0, None, 4.0], BENCHMARK)
    assert scores.rhythm.value is None
    assert "slide 2" in scores.rhythm.undefined_reason
    assert scores.total.undefined_reason == scores.rhythm.undefined_reason
    assert scores.figures.rmssd is None


def test_that_measured_slides_carry_their_flags_to_the_deck():
    grey = np.full((40, 40, 3), 128, np.uint8)
    red = np.full((40, 40, 3), (200, 20, 20), np.uint8)
    text = [PixelBox(label="text", x0=0, y0=0, x1=9, y1=9)]
    measures = [
        measure_slide(grey, None, BENCHMARK),
        measure_slide(red, [], BENCHMARK),
        measure_slide(red, text, BENCHMARK),
    ]
    scores = deck_scores(measures, BENCHMARK, numbers=[3, 4, 9])
    assert scores.flagged_slides == {
        "achromatic": (3,),
        "no_regions": (3,),
        "no_text": (4,),
        "slides_left_out_of_contrast": (3, 4),
    }
    assert set(scores.flags) == set(scores.flagged_slides)


@pytest.mark.parametrize(
    ("boxes", "reason"),
    [
        ((None, None), "text regions are not known for any slide"),
        (((), ()), "no slide has a text region"),
        ((None, ()), "text regions are not known for 1 slides, and the other 1 have none"),
    ],
)
def test_that_a_deck_says_why_it_has_no_usability(boxes, reason):
    blank = np.full((40, 40, 3), 255, np.uint8)
    scores = deck_scores([measure_slide(blank, each, BENCHMARK) for each in boxes], BENCHMARK)
    assert scores.usability.undefined_reason == reason
    assert scores.total.undefined_reason == reason


@pytest.mark.parametrize("size", [(1, 1), (31, 64), (3, 500)])
def test_that_a_tiny_slide_has_everything_but_entropy(size):
    measures = measure_slide(np.full((*size, 3), (9, 200, 30), np.uint8), [], BENCHMARK)
    assert measures.subband_entropy is None
    assert "too_small" in measures.flags
    assert measures.colourfulness > 0
    assert measures.distance_deg == 0.0
    assert "shorter than 32 pixels" in deck_scores([measures], BENCHMARK).rhythm.undefined_reason


@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros((4, 4), np.uint8),
        np.zeros((4, 4, 4), np.uint8),
        np.zeros((4, 4, 3), np.float32),
        np.zeros((0, 4, 3), np.uint8),
    ],
)
def test_that_what_is_no_picture_is_refused(wrong):
    with pytest.raises(BadInput):
        measure_slide(wrong, None, BENCHMARK)


def test_that_a_view_with_gaps_is_measured_like_its_copy():
    rgb = np.random.default_rng(0).integers(0, 256, (80, 160, 3), dtype=np.uint8)
    view = rgb[::2, ::2]
    assert measure_slide(view, [], BENCHMARK) == measure_slide(view.copy(), [], BENCHMARK)


def test_that_measures_and_scores_are_picklable():
    measures = measure_slide(np.full((40, 40, 3), 128, np.uint8), [], BENCHMARK)
    assert pickle.loads(pickle.dumps(measures)) == measures
    scores = deck_scores([measures], BENCHMARK)
    assert pickle.loads(pickle.dumps(scores)) == scores


def test_that_a_deck_without_slides_or_with_gaps_is_refused():
    with pytest.raises(BadInput, match="no slides"):
        deck_scores([], BENCHMARK)
    with pytest.raises(BadInput, match="same number of slides"):
        deck_scores_from_raw([0.5], [0.0, 0.0], [1.0, 1.0], [1.0, 1.0], BENCHMARK)
    with pytest.raises(BadInput, match="colourfulness of slide 2"):
        deck_scores_from_raw([0.5] * 2, [0.0] * 2, [1.0, math.nan], [1.0] * 2, BENCHMARK)


def test_that_rmssd_takes_successive_differences():
    # Differences 0.3, -0.4 and 0: sqrt((0.09 + 0.16 + 0)/3).
    assert rmssd([0.1, 0.4, 0.0, 0.0]) == pytest.approx(math.sqrt(0.25 / 3))
    assert rmssd([0.5]) is None
    assert rmssd([]) is None


def test_that_overlapping_overload_windows_each_count():
    # Means of three: 0.8, 0.8, 0.733…; the limit 0.75 itself is no overload.
    assert overload_windows([0.8, 0.8, 0.8, 0.8, 0.6]) == (0, 1)
    assert overload_windows([0.75, 0.75, 0.75]) == ()
    assert overload_windows([0.9, 0.9]) == ()


@pytest.mark.parametrize(
    ("value", "label", "band"),
    [
        (None, "insufficient_data", "undefined"),
        (0.005, "flatline", "constant"),
        (0.05, "flatline", "steady"),
        (0.10, "transitional", "steady"),
        (0.15, "healthy_pulse", "varied"),
        (0.35, "healthy_pulse", "restless"),
        (0.40, "transitional", "restless"),
        (0.51, "strobe_light", "restless"),
    ],
)
def test_that_both_sets_of_labels_are_kept(value, label, band):
    assert (interpretation(value), rhythm_band(value)) == (label, band)


def test_that_the_sigmoid_is_half_at_its_centre_and_never_overflows():
    assert normalised_entropy(2.1, 1.5, 2.1) == 0.5
    assert normalised_entropy(-1e6, 1.5, 2.1) == 0.0
    assert normalised_entropy(1e6, 1.5, 2.1) == 1.0


def test_that_the_pacing_share_is_a_triangle():
    assert rhythm_share(0.03, 0.03, 0.21) == 1.0
    assert rhythm_share(0.135, 0.03, 0.21) == pytest.approx(0.5)
    assert rhythm_share(0.5, 0.03, 0.21) == 0.0


def test_that_parameters_go_out_and_come_in_under_the_references_keys():
    for name, parameters in PRESETS.items():
        assert AestheticsParameters.from_reference(parameters.to_reference()) == parameters, name
    assert len(REFERENCE_KEYS) == 20
    assert BENCHMARK.to_reference()["harmony_sigma"] == 0.0005


def test_that_the_benchmark_preset_has_the_published_values(golden):
    assert BENCHMARK.to_reference() == golden.values["slidesgen_run"]["parameters"]


def test_that_wrong_parameters_are_refused():
    whole = BENCHMARK.to_reference()
    with pytest.raises(StudioError, match="weight_charm"):
        AestheticsParameters.from_reference({**whole, "weight_charm": 1})
    with pytest.raises(StudioError, match="missing: se_mu"):
        AestheticsParameters.from_reference({key: whole[key] for key in whole if key != "se_mu"})
    with pytest.raises(StudioError, match="not a number"):
        AestheticsParameters.from_reference({**whole, "se_k": "steep"})
    with pytest.raises(StudioError, match="not a number"):
        AestheticsParameters.from_reference({**whole, "se_k": True})
    with pytest.raises(StudioError, match="harmony_sigma is 0"):
        AestheticsParameters.from_reference({**whole, "harmony_sigma": 0})
    with pytest.raises(StudioError, match="finite"):
        AestheticsParameters(usability_scale=math.inf)
    with pytest.raises(StudioError, match="paper-text"):
        preset("beautiful")


def test_that_a_partial_configuration_needs_a_base():
    wider = AestheticsParameters.from_reference({"harmony_sigma": 1}, base=BENCHMARK)
    assert wider == dataclasses.replace(BENCHMARK, harmony_sigma_deg=1.0)


def test_that_a_wider_sigma_forgives_more():
    strict, mild = raw(distance=0.01), raw(distance=0.01, parameters=preset("paper-text"))
    assert strict.harmony.value == pytest.approx(0.0, abs=1e-9)
    assert mild.figures.mean_harmony == pytest.approx(math.exp(-0.5))


def test_that_every_metric_is_described():
    assert [name for name in METRICS if name.startswith(("aesthetics.", "cues."))] == [
        "aesthetics.harmony",
        "aesthetics.engagement",
        "aesthetics.usability",
        "aesthetics.rhythm",
        "aesthetics.total",
        "cues.whitespace",
        "cues.edge_density",
        "cues.balance",
        "cues.text_density",
        "cues.brightness_contrast",
    ]
    for name in METRICS:
        spec = metric(name)
        assert spec.higher_is_better
        assert spec.description.endswith(".")
        assert spec.version >= 1
    assert "text_regions" in metric("aesthetics.usability").needs
    assert "text_regions" not in metric("aesthetics.rhythm").needs
    with pytest.raises(StudioError, match=r"aesthetics\.harmony"):
        metric("aesthetics.charm")
