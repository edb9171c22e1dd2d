"""Weighted sums of components against people, held against `align` on the same sums."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.stats.alignment import align
from studio.stats.components import ablation, component_table, weighted, weighted_sums
from studio.stats.rankings import HumanRankings

NAMES = ("harmony", "engagement", "usability", "rhythm")


def people(orders):
    """Rankings of one person: instance → deck → rank."""
    return HumanRankings(ranks={name: {"ada": dict(ranks)} for name, ranks in orders.items()})


TWO = people({"one": {"a": 1, "b": 2, "c": 3}, "two": {"d": 1, "e": 2, "f": 3}})


def test_that_a_sum_of_two_components_gives_the_hand_computed_rho():
    # one: x + y = a 3, b 5, c 1 → ranks 2, 1, 3 against 1, 2, 3: d² = 1 + 1 + 0, rho = 1 − 6·2/(3·8) = 0.5
    # two: x + y = d 6, e 4, f 2 → ranks 1, 2, 3: rho = 1. Mean 0.75, population deviation 0.25.
    # identical: one 1/3, two 3/3 → 2/3
    table = component_table(
        TWO,
        {
            "x": {"one": {"a": 1, "b": 4, "c": 1}, "two": {"d": 1, "e": 2, "f": 1}},
            "y": {"one": {"a": 2, "b": 1, "c": 0}, "two": {"d": 5, "e": 2, "f": 1}},
        },
    )
    found = weighted(table, {"x": 1, "y": 1})
    assert found.mean_rho == pytest.approx(0.75)
    assert found.std_rho == pytest.approx(0.25)
    assert found.identical == pytest.approx(2 / 3)
    assert (found.n_defined, found.n_total) == (2, 2)
    assert found.rho == {"one": 0.5, "two": 1.0}


def test_that_a_component_of_weight_zero_does_not_make_a_deck_undefined():
    table = component_table(
        TWO, {"x": {"one": {"a": 3, "b": 2, "c": 1}}, "y": {"one": {"a": 1, "b": None, "c": 1}}}
    )  # fmt: skip
    assert weighted(table, {"x": 1, "y": 0}).mean_rho == 1.0
    both = weighted(table, {"x": 1, "y": 1})
    assert (both.mean_rho, both.undefined_reason) == (None, "too_few")
    assert both.undefined == {"constant": 0, "too_few": 2}


def test_that_a_sum_without_components_is_constant():
    table = component_table(TWO, {"x": {"one": {"a": 3, "b": 2, "c": 1}, "two": {"d": 3, "e": 2, "f": 1}}})
    found = weighted(table, {"x": 0})
    assert (found.mean_rho, found.std_rho, found.undefined_reason, found.n_defined) == (None, None, "constant", 0)


def test_that_unknown_names_and_infinite_weights_are_refused():
    table = component_table(TWO, {"x": {}})
    with pytest.raises(ValueError, match="no component is called z"):
        weighted(table, {"z": 1})
    with pytest.raises(ValueError, match="not finite"):
        weighted(table, {"x": math.inf})


def test_that_a_tie_of_the_stored_total_stays_a_tie():
    # 0.1 + 0.2 + 0.3 is 0.6000000000000001 from left to right, and 0.6 when summed exactly, as 0.3 + 0.2 + 0.1.
    parts = {"a": (0.1, 0.2, 0.3), "b": (0.3, 0.2, 0.1), "c": (0.0, 0.0, 0.0)}
    scores = {name: {"one": {deck: values[i] for deck, values in parts.items()}} for i, name in enumerate("xyz")}
    total = {"one": {deck: math.fsum(values) for deck, values in parts.items()}}
    human = people({"one": {"a": 1, "b": 2, "c": 3}})
    found = weighted(component_table(human, scores), dict.fromkeys("xyz", 1.0))
    # ranks 1.5, 1.5, 3 against 1, 2, 3: Pearson 1.5 / sqrt(1.5 · 2) = 0.8660
    assert found.mean_rho == pytest.approx(math.sqrt(3) / 2)
    assert found.mean_rho == align(human, total, resamples=0).mean_rho


def test_that_the_ablation_lists_every_subset_with_the_smaller_ones_first():
    table = component_table(TWO, {name: {} for name in NAMES})
    sizes = [len(row.components) for row in ablation(table)]
    assert sizes == [1] * 4 + [2] * 6 + [3] * 4 + [4]
    assert len({row.components for row in ablation(table)}) == 15


def test_that_too_many_components_are_refused():
    with pytest.raises(ValueError, match="too many subsets"):
        ablation(component_table(TWO, {str(number): {} for number in range(13)}))


def test_that_no_choice_gives_no_rows():
    assert weighted_sums(component_table(TWO, {"x": {}}), []) == []


values = st.one_of(st.none(), st.integers(-3, 3).map(float), st.floats(-5, 5))
ranks = st.one_of(st.none(), st.integers(1, 5))


@st.composite
def studies(draw):
    n_instances, n_decks = draw(st.integers(1, 5)), draw(st.integers(2, 6))
    decks = {f"i{i}": [f"i{i}d{k}" for k in range(n_decks)] for i in range(n_instances)}

    def column(cell):
        return {name: {deck: draw(cell) for deck in of} for name, of in decks.items()}

    human = HumanRankings(
        ranks={
            name: {
                person: {deck: rank for deck in of if (rank := draw(ranks)) is not None} for person in ("ada", "bo")
            }
            for name, of in decks.items()
        }
    )  # fmt: skip
    return human, {name: column(values) for name in NAMES}


@given(studies(), st.lists(st.sampled_from([0.0, 0.5, 1.0, -1.0, 2.7]), min_size=4, max_size=4))
@settings(max_examples=60, deadline=None)
def test_that_every_weighted_sum_agrees_as_align_says(study, weights):
    human, components = study
    chosen = {name: weight for name, weight in zip(NAMES, weights, strict=True) if weight}
    sums = {}
    for instance, decks in human.ranks.items():
        del decks
        sums[instance] = {}
        for deck in components[NAMES[0]][instance]:
            parts = [components[name][instance][deck] for name in chosen]
            is_known = all(part is not None for part in parts)
            terms = [weight * part for weight, part in zip(chosen.values(), parts, strict=True)] if is_known else []
            sums[instance][deck] = math.fsum(terms) if is_known else None
    expected = align(human, sums, resamples=0)
    found = weighted(component_table(human, components), dict(zip(NAMES, weights, strict=True)))
    for ours, theirs in (
        (found.mean_rho, expected.mean_rho), (found.std_rho, expected.std_rho), (found.identical, expected.identical),
    ):  # fmt: skip
        assert (ours is None) == (theirs is None)
        assert ours is None or ours == pytest.approx(theirs, abs=1e-12)
    assert (found.n_defined, found.n_total, found.undefined) == (
        expected.n_defined, expected.n_total, expected.undefined,
    )  # fmt: skip
    assert (found.undefined_reason is None) == (expected.undefined_reason is None)
    assert list(found.rho.values()) == [item.rho for item in expected.instances]


def test_that_the_ablation_gives_what_align_gives_for_each_subset():
    rng = np.random.default_rng(7)
    names = [[f"i{i}d{k}" for k in range(6)] for i in range(8)]
    human = people({f"i{i}": dict(zip(row, rng.permutation(6) + 1, strict=True)) for i, row in enumerate(names)})
    scores = {
        name: {f"i{i}": dict(zip(row, rng.normal(size=6).tolist(), strict=True)) for i, row in enumerate(names)}
        for name in NAMES
    }
    rows = {row.components: row for row in ablation(component_table(human, scores))}
    for size in range(1, 5):
        for subset in combinations(NAMES, size):
            sums = {
                f"i{i}": {deck: math.fsum(scores[name][f"i{i}"][deck] for name in subset) for deck in row}
                for i, row in enumerate(names)
            }
            expected = align(human, sums, resamples=0)
            assert rows[subset].mean_rho == pytest.approx(expected.mean_rho, abs=1e-12)
            assert rows[subset].identical == pytest.approx(expected.identical, abs=1e-12)
