"""Patterns of decks that are made up so that each rule is on one side of its limit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from studio.errors import BadInput
from studio.metrics.flags import FLAGS, flag_rule
from studio.metrics.parameters import PRESETS
from studio.metrics.patterns import (
    Pattern,
    WcagLevel,
    findings,
    palette_spikes,
    rhythm_findings,
    wcag_level,
)
from studio.metrics.slides import PixelBox, SlideMeasures, measure_slide


def of(found, pattern):
    return [each.slides for each in found if each.pattern is pattern]


def slide(ink: int, ground: int, colour=None) -> SlideMeasures:
    rgb = np.full((64, 64, 3), ground, np.uint8)
    rgb[20:30, 10:50:2] = ink
    if colour is not None:
        rgb[40:60, 5:60] = colour
    return measure_slide(rgb, [PixelBox(label="text", x0=10, y0=20, x1=50, y1=30)], PRESETS["benchmark"])


def all_findings(slides):
    return findings(slides, range(1, len(slides) + 1), slope=1.5, centre=2.1)


def test_that_text_below_three_to_one_is_fog_and_black_on_white_is_not():
    # Grey 170 on white: (1 + .05)/(.402 + .05) = 2.3
    found = all_findings([slide(0, 255), slide(170, 255)])
    assert of(found, Pattern.FOG) == [(2,)]


def test_that_a_region_without_ink_is_no_fog():
    assert of(all_findings([slide(255, 255)]), Pattern.FOG) == []


def test_that_a_slide_without_colour_is_ghostly():
    found = all_findings([slide(0, 255, (255, 0, 0)), slide(0, 255)])
    assert of(found, Pattern.GHOSTLY) == [(2,)]


def test_that_a_palette_of_its_own_is_a_spike():
    # Median 1, deviation 1.4826 · 1: the limit is 1 + max(5, 4.45) = 6.
    assert of(palette_spikes([0.0, 1.0, 2.0, 6.0, 0.0], [1, 2, 3, 4, 5]), Pattern.PALETTE_SPIKE) == [(4,)]
    assert palette_spikes([0.0, 1.0, 2.0, 5.9, 0.0], [1, 2, 3, 4, 5]) == []


def test_that_two_slides_have_no_palette_to_leave():
    assert palette_spikes([0.0, 90.0], [1, 2]) == []


def test_that_a_jump_up_is_a_jumpscare_and_a_fall_is_not():
    assert of(rhythm_findings([0.2, 0.51, 0.2], [1, 2, 3]), Pattern.JUMPSCARE) == [(2,)]
    assert of(rhythm_findings([0.2, 0.49, 0.2], [1, 2, 3]), Pattern.JUMPSCARE) == []


def test_that_four_equal_slides_are_a_flatline_and_three_are_not():
    assert of(rhythm_findings([0.5, 0.505, 0.5, 0.505, 0.7], [2, 3, 5, 6, 7]), Pattern.FLATLINE) == [(2, 3, 5, 6)]
    assert of(rhythm_findings([0.5, 0.505, 0.5], [1, 2, 3]), Pattern.FLATLINE) == []


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ([0.1, 0.5, 0.1, 0.5], [(1, 2, 3, 4)]),
        ([0.1, 0.5, 0.1], []),  # two jumps
        ([0.0, 0.31, 0.62, 0.93], []),  # three jumps, all up
        ([0.0, 0.4, 0.8, 0.4, 0.8], [(2, 3, 4, 5)]),  # the first of two jumps up does not belong to it
        ([0.1, 0.5, 0.1, 0.5, 0.1, 0.2, 0.6, 0.2, 0.6], [(1, 2, 3, 4, 5), (6, 7, 8, 9)]),
    ],
)
def test_that_three_jumps_by_turns_are_a_strobe(levels, expected):
    assert of(rhythm_findings(levels, range(1, len(levels) + 1)), Pattern.STROBE) == expected


def test_that_overload_names_the_slides_of_each_window():
    # Means .76, .76, .50: two windows above .75
    assert of(rhythm_findings([0.76, 0.76, 0.76, 0.76, 0.0], range(1, 6)), Pattern.OVERLOAD) == [(1, 2, 3), (2, 3, 4)]


def test_that_a_deck_with_a_picture_too_small_for_entropy_has_no_rhythm_patterns():
    slides = [slide(0, 255)] * 5
    assert of(all_findings(slides), Pattern.FLATLINE) == [(1, 2, 3, 4, 5)]
    assert of(all_findings([*slides, replace(slides[0], entropy=None)]), Pattern.FLATLINE) == []


@pytest.mark.parametrize(
    ("ratio", "level"),
    [(7.0, WcagLevel.AAA), (6.99, WcagLevel.AA), (4.5, WcagLevel.AA), (4.49, WcagLevel.AA_LARGE),
     (3.0, WcagLevel.AA_LARGE), (2.99, WcagLevel.FAILS)],
)  # fmt: skip
def test_that_wcag_levels_begin_at_their_ratio(ratio, level):
    assert wcag_level(ratio) is level


def test_that_every_flag_that_the_metrics_raise_has_a_rule():
    from studio.metrics import aesthetics, slides, work
    from studio.reflex import language

    raised = {
        value
        for module in (aesthetics, slides, work, language)
        for name, value in vars(module).items()
        if name.isupper() and isinstance(value, str)
    }
    assert raised
    assert raised == set(FLAGS)


def test_that_an_unknown_flag_names_the_known_ones():
    with pytest.raises(BadInput, match="no_text"):
        flag_rule("no_such_flag")
