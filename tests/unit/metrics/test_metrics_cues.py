"""Cues of small pictures whose figures can be counted by hand."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from skimage.color import rgb2lab

from studio.metrics.colour import lab_planes
from studio.metrics.cues import SlideCues, covered_share, deck_cue, edge_density, slide_cues
from studio.metrics.parameters import PRESETS
from studio.metrics.slides import PixelBox, measure_slide


def picture(width: int = 100, height: int = 100, colour: int = 255) -> np.ndarray:
    return np.full((height, width, 3), colour, np.uint8)


def cues_of(rgb: np.ndarray, boxes: list[tuple[int, int, int, int]] | None = None) -> SlideCues:
    return slide_cues(rgb, lab_planes(rgb), boxes)


def test_that_whitespace_is_the_share_of_pixels_like_the_background():
    rgb = picture()
    rgb[20:40, 10:60] = 0  # 20 · 50 = 1000 of 10,000 pixels
    assert cues_of(rgb).whitespace == pytest.approx(0.9)


def test_that_a_shade_of_the_background_is_background_and_a_visible_step_is_not():
    rgb = picture()
    rgb[:10] = 252  # L 98.9: 1.1 from white
    rgb[10:20] = 230  # L 91.3: 8.7 from white
    lightness = rgb2lab(rgb)[..., 0]
    assert 100 - lightness[0, 0] < 5 < 100 - lightness[15, 0]
    assert cues_of(rgb).whitespace == pytest.approx(0.9)


def test_that_ink_in_the_middle_is_in_balance_and_ink_in_a_corner_is_not():
    middle, corner = picture(), picture()
    middle[40:60, 40:60] = 0
    corner[:2, :2] = 0
    assert cues_of(middle).balance == pytest.approx(1.0)
    # The centre of the corner's ink is (1, 1), √2·49 from (50, 50); half a diagonal is √2·50.
    assert cues_of(corner).balance == pytest.approx(1 - 49 / 50)


def test_that_an_empty_slide_has_no_balance_and_no_edges():
    found = cues_of(picture())
    assert found.balance is None
    assert (found.whitespace, found.edge_density, found.brightness_contrast) == (1.0, 0.0, 0.0)


def test_that_an_edge_of_a_square_is_two_pixels_wide_on_each_side_of_the_border():
    lightness = np.zeros((50, 50), np.float32)
    lightness[:, 25:] = 80.0
    # Sobel with a step between columns 24 and 25 answers in just these two columns.
    assert edge_density(lightness) == pytest.approx(2 / 50)


def test_that_edge_density_follows_otsu_of_the_sobel_magnitude():
    rng = np.random.default_rng(4)
    lightness = cv2.GaussianBlur(rng.uniform(0, 100, (90, 120)).astype(np.float32), (5, 5), 0)
    padded = np.pad(lightness.astype(np.float64), 1, mode="reflect")
    rows = padded[:-2] * -1 + padded[2:]
    across = padded[:, 2:] - padded[:, :-2]
    gy = rows[:, :-2] + 2 * rows[:, 1:-1] + rows[:, 2:]
    gx = across[:-2] + 2 * across[1:-1] + across[2:]
    magnitude = np.hypot(gx, gy)
    steps = np.rint(magnitude * 255 / magnitude.max()).astype(np.uint8)
    from skimage.filters import threshold_otsu

    assert edge_density(lightness) == pytest.approx((steps > threshold_otsu(steps)).mean(), abs=0.002)


def test_that_overlapping_text_counts_once():
    # 40·20 + 40·20 - 20·20 = 1200 of 10,000
    assert covered_share([(0, 0, 40, 20), (20, 0, 60, 20)], 100, 100) == pytest.approx(0.12)


def test_that_text_density_is_undefined_where_nobody_knows_the_text():
    assert cues_of(picture(), None).text_density is None
    assert cues_of(picture(), []).text_density == 0.0


def test_that_brightness_contrast_is_the_population_deviation_of_lightness():
    rgb = picture()
    rgb[:50] = 0
    assert cues_of(rgb).brightness_contrast == pytest.approx(50.0, abs=1e-3)  # half at 0, half at 100


def test_that_noise_is_photographic_and_text_on_a_plain_ground_is_not():
    rng = np.random.default_rng(1)
    rgb = picture(160, 80)
    rgb[:, :80] = rng.integers(0, 256, (80, 80, 3), dtype=np.uint8)
    assert cues_of(rgb).photo_share == pytest.approx(0.5)
    written = picture(160, 80)
    cv2.putText(written, "Slide 1", (5, 50), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (0, 0, 0), 2, cv2.LINE_AA)
    assert cues_of(written).photo_share == 0.0


def test_that_a_deck_has_the_mean_over_the_slides_that_have_a_value():
    empty, full = picture(), picture()
    full[40:60, 40:60] = 0
    slides = [cues_of(empty), cues_of(full)]
    assert deck_cue("balance", slides).value == pytest.approx(1.0)
    assert deck_cue("whitespace", slides).value == pytest.approx((1.0 + 0.96) / 2)


def test_that_a_deck_without_any_value_says_why():
    assert deck_cue("balance", [cues_of(picture())]).undefined_reason == "every slide is empty"
    assert deck_cue("text_density", [cues_of(picture())]).undefined_reason is not None


def test_that_measuring_a_slide_takes_text_density_from_its_text_regions_only():
    rgb = picture()
    rgb[20:40, 10:60] = 0
    boxes = (PixelBox(label="text", x0=10, y0=20, x1=60, y1=40), PixelBox(label="chart", x0=0, y0=60, x1=90, y1=90))
    assert measure_slide(rgb, boxes, PRESETS["benchmark"]).cues.text_density == pytest.approx(0.1)
