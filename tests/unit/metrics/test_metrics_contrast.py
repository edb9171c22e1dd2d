"""Contrast of regions, which boxes count, and boxes drawn tight around their ink."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.metrics.contrast import contrast_score, grid_contrast, region_contrast
from studio.metrics.ink import outward_box, tightened
from studio.metrics.parameters import PRESETS, AestheticsParameters
from studio.metrics.slides import TEXT_LABELS, PixelBox, measure_slide
from tests.bench import straightforward

BENCHMARK = PRESETS["benchmark"]


def page(ink_box=None, ink=(0, 0, 0), paper=(255, 255, 255), size=(100, 60)):
    width, height = size
    rgb = np.full((height, width, 3), paper, np.uint8)
    if ink_box:
        x0, y0, x1, y1 = ink_box
        rgb[y0:y1, x0:x1] = ink
    return rgb


def box(x0, y0, x1, y1, label="text"):
    return PixelBox(label=label, x0=x0, y0=y0, x1=x1, y1=y1)


def test_that_black_on_white_scores_one():
    region = region_contrast(page((10, 10, 30, 20)), (10, 5, 30, 25), "text")
    # Half of the 400 pixels are ink.
    assert region.score == pytest.approx(1.0, abs=1e-12)
    assert region.contrast_ratio == pytest.approx(21.0, abs=1e-9)
    assert region.ink_share == 0.5
    assert region.stroke_contrast_ratio == pytest.approx(21.0, abs=1e-9)


def test_that_ink_below_a_tenth_scores_near_zero_while_its_strokes_do_not():
    # 40 of 2000 pixels are black: the 10th percentile is white, so "the pixels up to it" are all of them.
    # Darker tail: (1960 · 1 + 40 · 0)/2000 = 0.98; ratio 1.05/1.03.
    region = region_contrast(page((10, 10, 20, 14)), (0, 0, 50, 40), "text")
    assert region.contrast_ratio == pytest.approx(1.05 / 1.03, abs=1e-12)
    assert region.ink_share == pytest.approx(0.02)
    assert region.stroke_contrast_ratio == pytest.approx(21.0, abs=1e-9)


def test_that_a_flat_region_scores_zero():
    region = region_contrast(page(paper=(120, 40, 200)), (0, 0, 7, 3), "text")
    assert (region.score, region.contrast_ratio, region.ink_share) == (0.0, 1.0, 0.0)
    assert region.stroke_contrast_ratio == 1.0


def test_that_a_region_of_one_pixel_has_no_contrast():
    assert region_contrast(page(), (3, 3, 4, 4), "text").score == 0.0


@given(seed=st.integers(0, 10_000), width=st.integers(1, 25), height=st.integers(1, 25))
@settings(max_examples=80, deadline=None, derandomize=True)
def test_that_region_scores_are_those_of_the_plain_formula(seed, width, height):
    rgb = np.random.default_rng(seed).integers(0, 256, (30, 30, 3), dtype=np.uint8)
    area = (2, 1, 2 + width, 1 + height)
    region = region_contrast(rgb, area, "text")
    assert region.score == pytest.approx(straightforward.region_score(rgb, area), abs=1e-9)
    assert 0.0 <= region.ink_share <= 0.5
    assert 1.0 <= region.stroke_contrast_ratio <= 21.0 + 1e-9


def test_that_the_order_of_pixels_does_not_matter_to_contrast():
    rgb = np.random.default_rng(1).integers(0, 256, (20, 30, 3), dtype=np.uint8)
    turned = np.ascontiguousarray(np.rot90(rgb))
    here = region_contrast(rgb, (0, 0, 30, 20), "text")
    there = region_contrast(turned, (0, 0, 20, 30), "text")
    assert there.score == pytest.approx(here.score, abs=1e-12)
    assert there.ink_share == here.ink_share


def test_that_the_grid_compares_24_neighbours():
    # Left half black, right half white: 4 of the 24 pairs lie across the border and score 1.
    rgb = page((0, 0, 50, 60))
    assert grid_contrast(rgb) == pytest.approx((4 / 24, 0.0, 1.0), abs=1e-12)
    with pytest.raises(ValueError, match="4 pixels"):
        grid_contrast(page(size=(3, 9)))


def test_that_contrast_is_the_mean_over_text_regions_only():
    rgb = page((10, 10, 30, 20))
    measures = measure_slide(rgb, [box(10, 5, 30, 25), box(50, 5, 90, 50), box(0, 0, 30, 30, label="chart")], BENCHMARK)
    assert [region.score for region in measures.regions] == pytest.approx([1.0, 0.0])
    assert (measures.contrast_mean, measures.contrast_min) == (pytest.approx(0.5), 0.0)
    assert measures.contrast_max == pytest.approx(1.0)
    assert "unknown_label" not in measures.flags


@pytest.mark.parametrize("label", ["text", "doc_title", "number", "figure_title", "content", "aside_text"])
def test_that_running_text_counts(label):
    assert label in TEXT_LABELS
    assert measure_slide(page(), [box(0, 0, 5, 5, label=label)], BENCHMARK).regions[0].label == label


@pytest.mark.parametrize("label", ["table", "chart", "image", "formula", "reference_content"])
def test_that_other_parts_do_not_count(label):
    measures = measure_slide(page(), [box(0, 0, 5, 5, label=label)], BENCHMARK)
    assert measures.contrast_mean is None
    assert "no_text" in measures.flags


def test_that_unknown_regions_and_no_text_are_told_apart():
    unknown = measure_slide(page(), None, BENCHMARK)
    empty = measure_slide(page(), [], BENCHMARK)
    assert (unknown.contrast_mean, empty.contrast_mean) == (None, None)
    assert "no_regions" in unknown.flags
    assert "no_text" not in unknown.flags
    assert "no_text" in empty.flags
    assert "no_regions" not in empty.flags


def test_that_the_grid_stands_in_only_when_asked_for():
    rgb = page((0, 0, 50, 60))
    asked = measure_slide(rgb, None, AestheticsParameters(grid_fallback=True))
    assert asked.contrast_mean == pytest.approx(4 / 24)
    assert {"grid_fallback", "no_regions"} <= set(asked.flags)
    assert measure_slide(rgb, None, BENCHMARK).contrast_mean is None


@pytest.mark.parametrize(
    ("given", "flag", "kept"),
    [
        (box(-5, -5, 20, 20), "box_clipped", (0, 0, 20, 20)),
        (box(90, 50, 130, 80), "box_clipped", (90, 50, 100, 60)),
        (box(100, 0, 120, 20), "box_outside", None),
        (box(10, -30, 20, 0), "box_outside", None),
        (box(10, 10, 10, 20), "box_empty", None),
        (box(20, 10, 10, 20), "box_empty", None),
        (box(0, 0, 9, 9, label="sticker"), "unknown_label", None),
    ],
)
def test_that_a_box_that_does_not_fit_is_flagged(given, flag, kept):
    measures = measure_slide(page(), [given], BENCHMARK)
    assert flag in measures.flags
    if kept is None:
        assert measures.regions == ()
        assert "no_text" in measures.flags
    else:
        assert measures.regions[0].box_px == kept


def test_that_shares_become_whole_pixels_outward():
    # 0.101 · 100 = 10.1 → 10, 0.2 · 60 = 12, 0.301 · 100 = 30.1 → 31, 0.5 · 60 = 30.
    assert outward_box("text", (0.101, 0.2, 0.301, 0.5), 100, 60) == box(10, 12, 31, 30)


@given(x0=st.integers(0, 1279), y0=st.integers(0, 719), x1=st.integers(1, 1280), y1=st.integers(1, 720))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_that_shares_of_whole_pixels_come_back_whole(x0, y0, x1, y1):
    assert outward_box("text", (x0 / 1280, y0 / 720, x1 / 1280, y1 / 720), 1280, 720) == box(x0, y0, x1, y1)


@pytest.mark.parametrize(
    ("ink", "paper"),
    [((0, 0, 0), (255, 255, 255)), ((255, 255, 0), (16, 24, 80)), ((240, 240, 240), (255, 255, 255))],
)
def test_that_a_box_is_drawn_tight_around_its_ink(ink, paper):
    found = tightened(page((20, 15, 60, 22), ink, paper), box(5, 5, 95, 50))
    assert found.box == box(20, 15, 60, 22)
    assert found.has_ink


def test_that_the_rim_of_a_glyph_is_not_ink():
    rgb = page((20, 15, 60, 22))
    rgb[14, 20:60] = 220  # 35 of 255 away from the paper: less than a quarter of the ink's difference.
    assert tightened(rgb, box(5, 5, 95, 50)).box == box(20, 15, 60, 22)


def test_that_a_box_without_ink_stays_and_says_so():
    found = tightened(page(), box(5, 5, 95, 50))
    assert found.box == box(5, 5, 95, 50)
    assert not found.has_ink


def test_that_a_box_on_a_photo_stays():
    noise = np.random.default_rng(9).integers(0, 256, (60, 100, 3), dtype=np.uint8)
    assert tightened(noise, box(5, 5, 95, 50)).box == box(5, 5, 95, 50)


def test_that_a_box_outside_the_picture_is_left_to_the_measure():
    assert tightened(page(), box(200, 5, 240, 50)).box == box(200, 5, 240, 50)


def test_that_a_score_is_logarithmic():
    assert contrast_score(1.0) == 0.0
    assert contrast_score(21.0) == 1.0
    assert contrast_score(math.sqrt(21.0)) == pytest.approx(0.5)
