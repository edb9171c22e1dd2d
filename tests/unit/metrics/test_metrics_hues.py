"""Harmony and colourfulness of small pictures against the plain formulas and hand arithmetic."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.metrics.colourfulness import colourfulness
from studio.metrics.harmony import (
    TEMPLATES,
    distance_table,
    harmony,
    harmony_of_hues,
    harmony_score,
    hue_weights,
    stray_hues,
)
from tests.bench import straightforward


def small_picture(seed, height, width, colours):
    rng = np.random.default_rng(seed)
    palette = rng.integers(0, 256, (colours, 3), dtype=np.uint8)
    return palette[rng.integers(0, colours, (height, width))]


small_pictures = st.builds(
    small_picture, st.integers(0, 100_000), st.integers(1, 9), st.integers(1, 9), st.integers(1, 12)
)


def weights_at(degrees):
    weights = np.zeros(180)
    for hue, weight in degrees.items():
        weights[hue // 2] = weight
    return weights


@given(picture=small_pictures)
@settings(max_examples=12, deadline=None, derandomize=True)
def test_that_harmony_is_that_of_every_pixel_against_every_template(picture):
    plain = straightforward.harmony(picture)
    ours = harmony(picture)
    assert ours.template_distances_deg == pytest.approx(plain, abs=1e-9)
    assert ours.distance_deg == pytest.approx(min(plain.values(), default=0.0), abs=1e-9)


@given(picture=small_pictures, passes=st.lists(st.integers(0, 2879), min_size=1, max_size=20))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_that_each_row_of_the_table_is_one_pass_over_the_pixels(picture, passes):
    hue, saturation = straightforward.hues_and_saturations(picture)
    weights = hue_weights(picture, 0.1)
    assert weights.sum() == pytest.approx(saturation.sum(), abs=1e-9)
    for row in passes if hue.size else []:
        template, rotation = list(TEMPLATES)[row // 360], row % 360
        expected = straightforward.harmony_pass(hue, saturation, template, rotation)
        assert distance_table()[row] @ weights / weights.sum() == pytest.approx(expected, abs=1e-9)


def test_that_the_table_knows_the_borders_of_a_sector():
    table = distance_table().reshape(8, 360, 180)
    # Template i: 0.05 of the circle is 18 degrees around the centre, so 9 to each side.
    assert [table[0, 0, hue // 2] for hue in (0, 8, 10, 180, 350, 352)] == [0, 0, 1, 171, 1, 0]
    # V at 100 degrees: 0.26 is 93.6 degrees, borders at 53.2 and 146.8.
    assert table[1, 100, 52 // 2] == pytest.approx(1.2)
    assert table[1, 100, 148 // 2] == pytest.approx(1.2)
    # T: half the circle around 90 degrees. L: sectors at 0 and 90; its mirror at 0 and -90.
    assert table[5, 0, 270 // 2] == 90
    assert table[2, 0, 90 // 2] == 0
    assert table[3, 0, 270 // 2] == 0
    assert table.max() <= 171.0
    assert table.min() == 0.0


def test_that_two_opposite_hues_fit_the_template_with_opposite_sectors():
    # Red and cyan with equal weight. The 18 degrees of i reach one of them with a border at best; the other
    # is then 180 - 18 degrees from the other border: (0 + 162)/2 = 81.
    found = harmony_of_hues(weights_at({0: 1.0, 180: 1.0}))
    assert found.best_template == "I"
    assert found.distance_deg == 0.0
    assert found.template_distances_deg["i"] == pytest.approx(81.0)


def test_that_the_first_of_equally_good_templates_and_rotations_is_named():
    found = harmony_of_hues(weights_at({40: 2.5}))
    assert (found.best_template, found.best_rotation_deg) == ("i", 31)


def test_that_stray_hues_explain_the_distance():
    # X holds 93.6 degrees twice, so two neighbours of six and their opposites; the weak ones stay outside.
    found = harmony_of_hues(weights_at({0: 5.0, 60: 5.0, 120: 1.0, 180: 5.0, 240: 5.0, 300: 0.5}))
    strays = stray_hues(found)
    assert found.best_template == "X"
    assert sum(stray.distance_deg * stray.share for stray in strays) == pytest.approx(found.distance_deg)
    assert [stray.hue_deg for stray in strays] == [120, 300]
    assert stray_hues(harmony_of_hues(weights_at({40: 1.0}))) == ()
    assert stray_hues(harmony_of_hues(weights_at({}))) == ()


def test_that_hues_may_rotate_in_template_steps():
    rng = np.random.default_rng(5)
    weights = rng.random(180) * (rng.random(180) < 0.2)
    turned = harmony_of_hues(np.roll(weights, 37))
    assert turned.template_distances_deg == pytest.approx(harmony_of_hues(weights).template_distances_deg)


def test_that_a_slide_without_hues_is_in_harmony_and_has_no_template():
    grey = np.full((4, 4, 3), 90, np.uint8)
    found = harmony(grey)
    assert found.is_achromatic
    assert (found.distance_deg, found.best_template, found.best_rotation_deg) == (0.0, None, None)
    assert found.template_distances_deg == {}


def test_that_pale_pixels_do_not_count():
    # HSV saturation of (200, 180, 180) is 20/200 = 0.1, in 8 bits round(25.5) = 26 or 25; (200, 184, 184)
    # has 16/200 = 0.08.
    pale = np.full((3, 3, 3), (200, 184, 184), np.uint8)
    assert harmony(pale).is_achromatic
    assert not harmony(pale, min_saturation=0.05).is_achromatic


@pytest.mark.parametrize("measure", [colourfulness, harmony])
def test_that_the_order_of_pixels_does_not_matter(measure):
    picture = small_picture(11, 24, 31, 40)
    shuffled = np.random.default_rng(2).permutation(picture.reshape(-1, 3)).reshape(31, 24, 3)
    assert measure(np.ascontiguousarray(shuffled)) == measure(picture)


def test_that_harmony_falls_off_like_a_gaussian():
    assert harmony_score(0.0, 0.0005) == 1.0
    assert harmony_score(0.0005, 0.0005) == pytest.approx(math.exp(-0.5))
    assert harmony_score(60.0, 0.0005) == 0.0


@given(picture=small_pictures)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_that_colourfulness_is_that_of_the_plain_formula(picture):
    assert colourfulness(picture).value == pytest.approx(straightforward.colourfulness(picture), abs=1e-9)


def test_that_the_colourfulness_of_two_colours_follows_by_hand():
    # Red (255, 0, 0): rg 255, yb 127.5. Blue (0, 0, 255): rg 0, yb -255.
    # Means 127.5 and -63.75; deviations 127.5 and 191.25.
    picture = np.array([[[255, 0, 0], [0, 0, 255]]], np.uint8)
    found = colourfulness(picture)
    assert found.red_green_mean == 127.5
    assert found.yellow_blue_mean == -63.75
    assert (found.red_green_std, found.yellow_blue_std) == (127.5, 191.25)
    assert found.value == pytest.approx(math.hypot(127.5, 191.25) + 0.3 * math.hypot(127.5, 63.75), rel=1e-12)


def test_that_colourfulness_is_exact_across_chunks():
    picture = small_picture(8, 300, 700, 5000)
    assert colourfulness(picture).value == pytest.approx(straightforward.colourfulness(picture), abs=1e-9)


@pytest.mark.parametrize("level", [0, 77, 255])
def test_that_grey_has_no_colourfulness(level):
    assert colourfulness(np.full((5, 7, 3), level, np.uint8)).value == 0.0
