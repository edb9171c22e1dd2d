"""The pyramid against pyrtools, CIELAB against scikit-image, histograms against numpy."""

from __future__ import annotations

import math

import numpy as np
import pytest
import skimage.color
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.metrics.colour import LINEAR, lab_planes, luminance
from studio.metrics.entropy import channel_entropies, equal_bins, histogram_entropy, subband_entropy
from studio.metrics.pyramid import BAND_NAMES, bands, pyramid_masks
from tests.bench import straightforward

SIZES = [(32, 32), (33, 35), (64, 48), (65, 64), (66, 70), (67, 71), (90, 91), (34, 63), (361, 641)]


def noise(height, width, seed=3):
    return np.random.default_rng(seed).random((height, width)).astype(np.float32)


def noisy_slide(height, width, seed=4):
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


@pytest.mark.parametrize(("height", "width"), SIZES)
def test_that_every_band_is_that_of_pyrtools(height, width):
    plane = noise(height, width)
    theirs = list(straightforward.pyramid_bands(plane.astype(float)))
    ours = list(bands(plane))
    assert len(ours) == len(theirs) == len(BAND_NAMES) == 14
    for name, our_band, their_band in zip(BAND_NAMES, ours, theirs, strict=True):
        assert our_band.dtype == np.float32
        assert our_band.shape == their_band.shape, name
        assert np.abs(our_band - their_band).max() < 3e-6 * max(np.ptp(their_band), 1.0), name


def test_that_every_band_of_a_full_size_slide_is_that_of_pyrtools(golden):
    plane = lab_planes(golden.pictures["g05_two_hue"])[0] / np.float32(100)
    for ours, theirs in zip(bands(plane), straightforward.pyramid_bands(plane.astype(float)), strict=True):
        assert np.abs(ours - theirs).max() < 3e-6 * max(np.ptp(theirs), 1.0)


def test_that_a_picture_without_room_for_three_levels_is_refused():
    with pytest.raises(ValueError, match="32 pixels"):
        list(bands(noise(31, 200)))


def test_that_masks_of_a_size_are_made_once():
    assert pyramid_masks(48, 40) is pyramid_masks(48, 40)


def test_that_the_bands_of_a_plane_hold_its_energy():
    # The squared masks add up to 1, so the bands' spectra hold the energy of the plane's. A smaller band's
    # inverse transform divides by fewer pixels: its squares count (n_band / n)² times.
    y, x = np.mgrid[0:64, 0:96]
    waves = np.sin(2 * np.pi * 5 * x / 96) + np.cos(2 * np.pi * (3 * x / 96 + 7 * y / 64))
    plane = waves.astype(np.float32)
    energy = sum(float((band.astype(float) ** 2).mean()) * (band.size / plane.size) ** 2 for band in bands(plane))
    # Mean squares of two waves of amplitude 1: 1/2 + 1/2.
    assert energy == pytest.approx(1.0, abs=1e-4)


def test_that_shifting_a_plane_by_the_coarsest_step_moves_its_bands():
    plane = noise(64, 96)
    shifted = np.roll(plane, (8, 16), axis=(0, 1))
    steps = [1] * 5 + [2] * 4 + [4] * 4 + [8]
    for before, after, step in zip(bands(plane), bands(shifted), steps, strict=True):
        assert np.allclose(np.roll(before, (8 // step, 16 // step), axis=(0, 1)), after, atol=2e-6)


def test_that_a_mirrored_plane_swaps_the_diagonal_bands():
    plane = noise(64, 96)
    here = dict(zip(BAND_NAMES, bands(plane), strict=True))
    there = dict(zip(BAND_NAMES, bands(np.ascontiguousarray(plane[:, ::-1])), strict=True))
    for name, partner in (("level0_45deg", "level0_135deg"), ("level0_135deg", "level0_45deg")):
        assert np.allclose(np.abs(here[name][:, ::-1]), np.abs(there[partner]), atol=2e-6)
    assert np.allclose(here["highpass"][:, ::-1], there["highpass"], atol=2e-6)


def test_that_lab_is_that_of_scikit_image_for_all_greys_and_many_colours():
    steps = np.arange(0, 256, 5, dtype=np.uint8)
    colours = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, steps.size, 3)
    greys = np.repeat(np.arange(256, dtype=np.uint8)[:, None, None], 3, axis=2)
    for picture in (np.ascontiguousarray(colours), np.ascontiguousarray(greys)):
        theirs = skimage.color.rgb2lab(picture)
        for plane, their_plane, span in zip(
            lab_planes(picture), np.moveaxis(theirs, 2, 0), (100, 255, 255), strict=True
        ):
            assert np.abs(plane - their_plane).max() < 1e-5 * span


def test_that_linear_light_follows_the_standard():
    # IEC 61966-2-1: 10/255/12.92 below the threshold; ((128/255 + 0.055)/1.055)^2.4 above.
    assert LINEAR[10] == pytest.approx(10 / 255 / 12.92, rel=1e-15)
    assert LINEAR[128] == pytest.approx(((128 / 255 + 0.055) / 1.055) ** 2.4, rel=1e-15)
    assert (LINEAR[0], LINEAR[255]) == (0.0, 1.0)


def test_that_both_thresholds_of_linear_light_give_the_same_luminance():
    picture = noisy_slide(40, 50)  # The plain version uses 0.03928, ours 0.04045.
    assert np.abs(luminance(picture) - straightforward.luminance(picture)).max() < 1e-15


@given(seed=st.integers(0, 10_000), size=st.integers(2, 5_000), narrow=st.booleans())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_that_bins_are_those_of_numpy(seed, size, narrow):
    rng = np.random.default_rng(seed)
    values = rng.normal(0.0, 1e-3 if narrow else 20.0, size).astype(np.float32)
    low, high = float(values.min()), float(values.max())
    bins = math.ceil(math.sqrt(size))
    theirs, edges = np.histogram(values.astype(float), bins=bins)
    ours = equal_bins(values, low, high, bins)
    assert ours.sum() == size
    # A value within single precision of an edge may fall on its other side.
    near = np.abs(values[:, None].astype(float) - edges[None, 1:-1]).min(axis=1, initial=np.inf)
    assert np.abs(ours - theirs).sum() <= 2 * np.count_nonzero(near < 1e-5 * (high - low))


def test_that_a_large_band_is_counted_across_chunks():
    values = np.random.default_rng(0).integers(0, 800, 600_000).astype(np.float32)
    # Whole numbers 0–799 in 799 bins: each its own, but the last two share the closed last bin.
    counts = np.bincount(values.astype(int), minlength=800)
    expected = np.append(counts[:798], counts[798] + counts[799])
    assert np.array_equal(equal_bins(values, 0.0, 799.0, 799), expected)


def test_that_the_entropy_of_four_equal_groups_is_two_bits():
    # 16 values, ceil(sqrt(16)) = 4 bins, four values in each: -4 · 1/4 · log2(1/4) = 2.
    values = np.repeat(np.array([0, 1, 2, 3], np.float32), 4)
    assert histogram_entropy(values, 1e-6) == pytest.approx(2.0, abs=1e-12)


def test_that_the_number_of_bins_is_rounded_up():
    # 10 values in ceil(sqrt(10)) = 4 bins of 0 … 3: 4, 3, 2 and 1 values.
    values = np.array([0, 0, 0, 0, 1, 1, 1, 2, 2, 3], np.float32)
    expected = -sum(share * math.log2(share) for share in (0.4, 0.3, 0.2, 0.1))
    assert histogram_entropy(values, 1e-6) == pytest.approx(expected, abs=1e-12)


def test_that_a_band_of_rounding_noise_has_no_entropy():
    assert histogram_entropy(noise(32, 32) * np.float32(9e-7), 1e-6) == 0.0
    assert histogram_entropy(noise(32, 32) * np.float32(2e-6), 1e-6) > 1.0
    assert histogram_entropy(np.full(1, 3.0, np.float32), 0.0) == 0.0


def test_that_a_channel_below_the_flat_limit_has_no_entropy():
    plane = noise(40, 40)
    assert channel_entropies(plane * np.float32(0.79), 100.0) == (0.0,) * 14
    assert min(channel_entropies(plane * np.float32(0.85), 100.0)) > 1.0


@pytest.mark.parametrize(("height", "width"), [(32, 40), (61, 47), (90, 160), (121, 200)])
def test_that_subband_entropy_is_that_of_the_plain_formulas(height, width):
    picture = noisy_slide(height, width)
    ours = subband_entropy(picture)
    # A coefficient on a bin's edge may fall on either side: one of n moves the entropy by about log2(n)/n.
    assert list(ours.channels) == pytest.approx(straightforward.channel_entropies(picture), abs=5e-3)
    assert ours.value == pytest.approx(straightforward.subband_entropy(picture), abs=5e-3)
    assert ours.value == pytest.approx(
        0.84 * ours.channels[0] + 0.08 * ours.channels[1] + 0.08 * ours.channels[2], abs=1e-12
    )
    for total, channel, by_band in zip(ours.channel_totals, ours.channels, ours.bands, strict=True):
        assert total == pytest.approx(14 * channel)
        assert total == pytest.approx(math.fsum(by_band))


def test_that_a_shifted_slide_has_the_same_entropy():
    picture = noisy_slide(64, 96)
    shifted = np.ascontiguousarray(np.roll(picture, (8, 16), axis=(0, 1)))
    assert subband_entropy(shifted).value == pytest.approx(subband_entropy(picture).value, abs=5e-3)


def test_that_a_grey_slide_has_entropy_in_lightness_only():
    grey = np.repeat(np.random.default_rng(1).integers(0, 256, (64, 64, 1), dtype=np.uint8), 3, axis=2)
    entropy = subband_entropy(grey)
    assert entropy.channels[0] > 3.0
    assert entropy.channels[1:] == (0.0, 0.0)


@pytest.mark.parametrize("level", [0, 1, 117, 254, 255])
def test_that_a_blank_slide_has_no_entropy(level):
    assert subband_entropy(np.full((72, 128, 3), level, np.uint8)).value == 0.0
