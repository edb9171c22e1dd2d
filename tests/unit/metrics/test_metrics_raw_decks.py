"""Scores of many decks at once are the scores of each deck."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.metrics.aesthetics import deck_scores_from_raw
from studio.metrics.parameters import PRESETS, AestheticsParameters
from studio.metrics.raw_decks import RawSlides, components_of, raw_decks

slides = st.tuples(
    st.one_of(st.none(), st.floats(0, 1)),
    st.floats(0, 40),
    st.floats(0, 120),
    st.one_of(st.floats(0, 8), st.floats(0, 8), st.floats(0, 8), st.none()),
)
decks = st.lists(st.lists(slides, min_size=1, max_size=6), min_size=1, max_size=5)
parameters = st.sampled_from(
    [
        *PRESETS.values(),
        replace(AestheticsParameters(), single_slide_reference=True, harmony_sigma_deg=3.0, rmssd_target=0.2),
        replace(AestheticsParameters(), usability_scale=-2.0, sigmoid_slope=400.0, rhythm_scale=0.0),
    ]
)


@given(decks, parameters)
@settings(max_examples=80, deadline=None)
def test_that_each_deck_gets_the_scores_it_gets_alone(given_decks, chosen):
    columns = [list(zip(*deck, strict=True)) for deck in given_decks]
    found = components_of(
        raw_decks(
            RawSlides(contrast_means=c, distances_deg=d, colourfulness=m, entropies=e) for c, d, m, e in columns
        ),
        chosen,
    )  # fmt: skip
    for place, (contrast, distance, colour, entropy) in enumerate(columns):
        alone = deck_scores_from_raw(contrast, distance, colour, entropy, chosen)
        for name in ("harmony", "engagement", "usability", "rhythm", "total"):
            ours, theirs = getattr(found, name)[place], getattr(alone, name).value
            assert np.isnan(ours) == (theirs is None)
            assert theirs is None or ours == pytest.approx(theirs, rel=1e-12, abs=1e-12)


def test_that_no_decks_have_no_scores():
    assert len(components_of(raw_decks([]), AestheticsParameters()).total) == 0


def test_that_a_deck_without_slides_or_with_gaps_between_lists_is_refused():
    with pytest.raises(ValueError, match="one or more slides"):
        raw_decks([RawSlides(contrast_means=(), distances_deg=(), colourfulness=(), entropies=())])
    with pytest.raises(ValueError, match="one or more slides"):
        raw_decks([RawSlides(contrast_means=(0.5,), distances_deg=(1.0, 2.0), colourfulness=(1.0,), entropies=(1.0,))])
