import math
import statistics
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from studio.stats.alignment import Caution, align, align_methods
from studio.stats.intervals import bootstrap_weights
from studio.stats.levels import Level
from studio.stats.rankings import HumanRankings, consensus


def one(ranks, scores, **options):
    """Return the alignment of one instance ranked by one annotator."""
    return align(HumanRankings(ranks={"i": {"ann": ranks}}), {"i": scores}, **options)


@st.composite
def studies(draw):
    """Return rankings with ties and gaps by several annotators, and scores with ties and gaps."""
    ranks, scores = {}, {}
    for i in range(draw(st.integers(1, 6))):
        decks = [f"d{i}.{k}" for k in range(draw(st.integers(2, 6)))]
        place = st.one_of(st.none(), st.integers(1, 4))
        ranks[f"i{i}"] = {
            f"a{a}": {d: r for d in decks if (r := draw(place)) is not None} for a in range(draw(st.integers(1, 3)))
        }
        scores[f"i{i}"] = {d: draw(st.one_of(st.none(), st.integers(0, 3).map(float))) for d in decks}
    labels = {deck: f"s{deck.split('.')[1]}" for by_deck in scores.values() for deck in by_deck}
    human = HumanRankings(
        ranks=ranks, systems=labels, scenarios={key: "odd" if int(key[1:]) % 2 else "even" for key in ranks}
    )
    return human, scores


def by_the_book(human, scores):
    """Return rho of each instance by plain loops over scipy."""
    found = {}
    for instance, by_annotator in human.ranks.items():
        places = {}
        for ranks in by_annotator.values():
            for deck, rank in zip(ranks, stats.rankdata(list(ranks.values())), strict=True):
                places.setdefault(deck, []).append(rank)
        if not places:
            continue
        shared = [deck for deck in places if scores.get(instance, {}).get(deck) is not None]
        x = [sum(places[deck]) / len(places[deck]) for deck in shared]
        y = [-scores[instance][deck] for deck in shared]
        if len(shared) < 3:
            found[instance] = "too_few"
        elif len(set(x)) == 1 or len(set(y)) == 1:
            found[instance] = "constant"
        else:
            found[instance] = stats.spearmanr(x, y).statistic
    return found


def test_that_high_scores_for_good_ranks_align_with_plus_one():
    found = one({"a": 1, "b": 2, "c": 3}, {"a": 9, "b": 7, "c": 5})
    assert (found.mean_rho, found.mean_tau, found.identical) == (1.0, 1.0, 1.0)
    reversed_scores = one({"a": 1, "b": 2, "c": 3}, {"a": 5, "b": 7, "c": 9})
    assert (reversed_scores.mean_rho, reversed_scores.identical) == (-1.0, 1 / 3)


def test_that_a_method_that_gives_ranks_is_not_turned():
    assert one({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 2, "c": 3}, higher_is_better=False).mean_rho == 1.0


@settings(max_examples=150, deadline=None)
@given(studies())
def test_that_alignment_equals_plain_loops_over_scipy(study):
    human, scores = study
    expected = by_the_book(human, scores)
    found = align(human, scores, resamples=0)
    assert found.n_total == len(expected)
    defined = [rho for rho in expected.values() if not isinstance(rho, str)]
    assert found.n_defined == len(defined)
    for reason in ("constant", "too_few"):
        assert found.undefined[reason] == list(expected.values()).count(reason)
    for each in found.instances:
        rho = expected[each.instance_id]
        if isinstance(rho, str):
            assert (each.rho, each.tau, each.reason) == (None, None, rho)
        else:
            assert each.rho == pytest.approx(rho, abs=1e-12)
            assert each.reason is None
    if not defined:
        assert found.mean_rho is None
        assert found.undefined_reason in [*expected.values(), "too_few"]
        assert found.std_rho is None
    else:
        assert found.mean_rho == pytest.approx(np.mean(defined), abs=1e-12)
        assert found.std_rho == pytest.approx(np.std(defined), abs=1e-12)
        assert found.zero_filled_rho == pytest.approx(sum(defined) / len(expected), abs=1e-12)
        assert found.std_rho_sample == (
            None if len(defined) == 1 else pytest.approx(statistics.stdev(defined), abs=1e-12)
        )


@settings(max_examples=60, deadline=None)
@given(studies(), st.randoms(use_true_random=False), st.sampled_from(list(Level)))
def test_that_names_and_order_of_decks_and_annotators_never_change_a_number(study, random, level):
    human, scores = study
    decks = sorted({deck for by_deck in scores.values() for deck in by_deck})
    new = {deck: f"n{place}" for deck, place in zip(decks, random.sample(range(99), len(decks)), strict=True)}

    def shuffled(mapping):
        return dict(random.sample(list(mapping.items()), len(mapping)))

    renamed = HumanRankings(
        ranks={
            instance: shuffled(
                {
                    f"x{place}": shuffled({new[d]: r for d, r in ranks.items()})
                    for place, ranks in enumerate(by_annotator.values())
                }
            )
            for instance, by_annotator in human.ranks.items()
        },
        scenarios=human.scenarios,
        systems={new[d]: f"{s}-renamed" for d, s in human.systems.items()},
    )
    other = {instance: shuffled({new[d]: v for d, v in row.items()}) for instance, row in scores.items()}
    assert align(human, scores, level=level, resamples=50) == align(renamed, other, level=level, resamples=50)


@settings(max_examples=40, deadline=None)
@given(studies(), st.sampled_from([Level.INSTANCE, Level.SCENARIO]))
def test_that_the_order_of_instances_never_changes_a_number(study, level):
    human, scores = study
    backwards = replace(human, ranks=dict(reversed(human.ranks.items())))
    first = align(human, scores, level=level, resamples=50)
    second = align(backwards, scores, level=level, resamples=50)
    assert replace(first, instances=()) == replace(second, instances=())
    assert set(first.instances) == set(second.instances)


def test_that_the_human_side_is_the_mean_of_mid_ranks():
    human = HumanRankings(ranks={"i": {"x": {"a": 1, "b": 2, "c": 2, "d": 4}, "y": {"b": 1, "a": 2, "c": 3}, "z": {}}})
    side = consensus(human)
    means = dict(zip(side.deck_ids[0], side.mean_ranks[0], strict=True))
    # x: 1, 2.5, 2.5, 4; y: a 2, b 1, c 3; d was ranked by x alone; z ranked nothing.
    assert means == {"a": 1.5, "b": 1.75, "c": 2.75, "d": 4}
    assert side.n_annotators == (2,)


def test_that_competition_ranks_dense_ranks_and_gaps_express_the_same_order():
    scores = {"a": 3, "b": 1, "c": 2, "d": 0}
    expected = one({"a": 1, "b": 2, "c": 2, "d": 4}, scores)
    assert one({"a": 1, "b": 2, "c": 2, "d": 3}, scores) == expected
    assert one({"a": 10, "b": 20.5, "c": 20.5, "d": 99}, scores) == expected


def test_that_only_shared_decks_are_compared_and_ranked_anew():
    # Shared b, c, d: human 1 2 3, method 1 2 3 after dropping a.
    found = one({"a": 1, "b": 2, "c": 3, "d": 4}, {"b": 3, "c": 2, "d": 1, "e": 9})
    assert (found.mean_rho, found.identical, found.instances[0].n) == (1.0, 1.0, 3)


def test_that_missing_scores_are_counted_and_never_zero():
    human = HumanRankings(ranks={k: {"p": {"a": 1, "b": 2, "c": 3}} for k in ("i", "j", "k", "l")})
    scores = {
        "i": {"a": 3, "b": 2, "c": 1},
        "j": {"a": 3, "b": None, "c": float("nan")},
        "k": {"a": 1, "b": 1, "c": 1},
    }
    found = align(human, scores)
    assert (found.mean_rho, found.zero_filled_rho, found.n_defined, found.n_total) == (1.0, 0.25, 1, 4)
    assert found.undefined == {"constant": 1, "too_few": 2}
    assert [(each.reason, each.n) for each in found.instances] == [
        (None, 3), ("too_few", 1), ("constant", 3), ("too_few", 0),
    ]  # fmt: skip
    # Identical: 1 for i; k ties all at 2, so that b agrees, 1/3; j and l are no cases.
    assert found.identical == pytest.approx((1 + 1 / 3) / 2)
    assert found.chance_identical == pytest.approx(1 / 3)


def test_that_an_instance_without_a_ranking_is_no_instance():
    found = align(HumanRankings(ranks={"i": {}, "j": {"p": {}}}), {"i": {"a": 1.0}})
    assert (found.n_total, found.mean_rho, found.undefined_reason, found.ci_low) == (0, None, "too_few", None)
    assert align(HumanRankings(ranks={}), {}, level="pooled").mean_rho is None
    assert align(HumanRankings(ranks={}), {}, level="system").undefined_reason == "no_labels"


def test_that_a_constant_human_side_is_undefined():
    found = one({"a": 1, "b": 1, "c": 1}, {"a": 1, "b": 2, "c": 3})
    assert (found.mean_rho, found.undefined["constant"], found.undefined_reason) == (None, 1, "constant")


def opposed():
    """Return three decks in each of two instances where every level can be worked out by hand."""
    ranks = {
        "i": {"p": {"i.a": 1, "i.b": 2, "i.c": 3}},
        "j": {"p": {"j.a": 1, "j.b": 2, "j.c": 3}},
        "k": {"p": {"k.a": 1, "k.b": 3, "k.c": 2}},
    }
    scores = {
        "i": {"i.a": 9, "i.b": 8, "i.c": 7},
        "j": {"j.a": 6, "j.b": 5, "j.c": 4},
        "k": {"k.a": 1, "k.b": 2, "k.c": 0},
    }
    systems = {f"{i}.{s}": s for i in "ijk" for s in "abc"}
    return HumanRankings(ranks=ranks, systems=systems, scenarios={"i": "one", "j": "one", "k": "two"}), scores


def test_that_each_level_is_what_it_says():
    human, scores = opposed()
    # k: human 1 3 2, method 2 1 3: about 2: (−1)(0) + (1)(−1) + (0)(1) = −1 over 2: −.5
    found = {level: align(human, scores, level=level) for level in Level}
    assert found[Level.INSTANCE].mean_rho == pytest.approx((1 + 1 - 0.5) / 3)
    assert found[Level.SCENARIO].mean_rho == pytest.approx((1 - 0.5) / 2)
    assert found[Level.SCENARIO].std_rho == pytest.approx(0.75)
    # Human means 1, 7/3, 8/3; method means 16/3, 5, 11/3: the same order.
    assert found[Level.SYSTEM].mean_rho == 1.0
    assert found[Level.SYSTEM].std_rho is None
    x, y = [1, 2, 3, 1, 2, 3, 1, 3, 2], [9, 8, 7, 6, 5, 4, 1, 2, 0]
    assert found[Level.POOLED].mean_rho == pytest.approx(-stats.spearmanr(x, y).statistic, abs=1e-12)
    assert [found[level].n_units for level in Level] == [3, 2, 3, 9]
    assert {(each.n_defined, each.n_total) for each in found.values()} == {(3, 3)}
    by_level = found[Level.INSTANCE].by_level
    assert by_level == {level: each.mean_rho for level, each in found.items()}


def test_that_levels_of_opposite_sign_raise_a_caution():
    ranks = {f"i{k}": {"p": {f"{k}a": 1, f"{k}b": 2, f"{k}c": 3}} for k in range(2)}
    systems = {deck: deck[1] for by_annotator in ranks.values() for deck in by_annotator["p"]}
    # Instances +1 and −.5 (method ranks 3 1 2), so the mean is +.25.
    # Systems: a −24/2, b −14/2, c −16/2, so the method ranks them 3 1 2 against 1 2 3: −.5.
    scores = {"i0": {"0a": -1, "0b": -2, "0c": -3}, "i1": {"1a": -23, "1b": -12, "1c": -13}}
    found = align(HumanRankings(ranks=ranks, systems=systems), scores)
    assert (found.by_level[Level.INSTANCE], found.by_level[Level.SYSTEM]) == (0.25, -0.5)
    assert Caution.SIGNS_DISAGREE in found.cautions
    agreeing = {"i0": {"0a": 3, "0b": 2, "0c": 1}, "i1": {"1a": 3, "1b": 2, "1c": 1}}
    assert Caution.SIGNS_DISAGREE not in align(HumanRankings(ranks=ranks, systems=systems), agreeing).cautions


def test_that_few_instances_and_few_decks_raise_cautions():
    human, scores = opposed()
    assert {Caution.FEW_INSTANCES, Caution.FEW_DECKS} <= align(human, scores).cautions
    found = one({"a": 1, "b": 2, "c": 3}, {"a": 3, "b": 2, "c": 1})
    assert Caution.NO_WIDTH in found.cautions
    assert (found.ci_low, found.ci_high) == (1.0, 1.0)


def noisy(n=24, k=5, seed=1):
    """Return rankings and scores that agree somewhat."""
    rng = np.random.default_rng(seed)
    ranks, scores, systems, scenarios = {}, {}, {}, {}
    for i in range(n):
        truth = rng.normal(size=k)
        decks = [f"{i}.{d}" for d in range(k)]
        ranks[f"i{i}"] = {
            f"a{a}": dict(zip(decks, stats.rankdata(-(truth + rng.normal(size=k))), strict=True)) for a in range(2)
        }
        scores[f"i{i}"] = dict(zip(decks, np.round(truth + rng.normal(size=k), 1).tolist(), strict=True))
        systems |= {deck: f"s{place}" for place, deck in enumerate(decks)}
        scenarios[f"i{i}"] = f"c{i % 3}"
    return HumanRankings(ranks=ranks, systems=systems, scenarios=scenarios), scores


def test_that_the_interval_is_that_of_resampled_instances():
    human, scores = noisy()
    found = align(human, scores, resamples=400, seed=11)
    rho = np.sort([each.rho for each in found.instances])
    draws = rho[np.random.default_rng(11).integers(0, 24, (400, 24))].mean(axis=1)
    low, high = np.quantile(draws, [0.025, 0.975])
    assert (found.ci_low, found.ci_high) == (pytest.approx(low, abs=1e-12), pytest.approx(high, abs=1e-12))
    assert found.ci_low < found.mean_rho < found.ci_high


@pytest.mark.parametrize("level", [Level.SYSTEM, Level.POOLED])
def test_that_resampled_levels_equal_those_of_repeated_instances(level):
    human, scores = noisy()
    names = list(human.ranks)
    weights = bootstrap_weights(24, resamples=40, seed=2)
    draws = []
    for row in weights.astype(int):
        ranks, values, systems = {}, {}, {}
        for name, times in zip(names, row, strict=True):
            for copy in range(times):
                ranks[f"{name}#{copy}"] = {
                    a: {f"{d}#{copy}": r for d, r in one_ranking.items()}
                    for a, one_ranking in human.ranks[name].items()
                }
                values[f"{name}#{copy}"] = {f"{d}#{copy}": v for d, v in scores[name].items()}
                systems |= {f"{d}#{copy}": human.systems[d] for d in scores[name]}
        repeated = HumanRankings(ranks=ranks, systems=systems)
        draws.append(align(repeated, values, level=level, resamples=0).mean_rho)
    low, high = np.quantile(draws, [0.025, 0.975])
    found = align(human, scores, level=level, resamples=40, seed=2)
    assert (found.ci_low, found.ci_high) == (pytest.approx(low, abs=1e-9), pytest.approx(high, abs=1e-9))
    assert (found.resamples, found.degenerate_resamples) == (40, 0)


def test_that_scenarios_are_resampled_through_their_instances():
    human, scores = noisy()
    found = align(human, scores, level="scenario", resamples=300, seed=4)
    assert found.ci_low < found.mean_rho < found.ci_high
    alone = replace(human, scenarios={})
    # One scenario for all: its mean is the mean of instances, and so is its interval.
    assert align(alone, scores, level="scenario", seed=4).mean_rho == align(alone, scores, seed=4).mean_rho
    assert align(alone, scores, level="scenario", seed=4).ci_low == pytest.approx(align(alone, scores, seed=4).ci_low)


def test_that_a_resample_without_order_is_counted_and_left_out():
    ranks = {"i": {"p": {"a": 1, "b": 2, "c": 3}}, "j": {"p": {"d": 1, "e": 1, "f": 1}}}
    scores = {"i": {"a": 3, "b": 2, "c": 1}, "j": {"d": 1, "e": 1, "f": 1}}
    found = align(HumanRankings(ranks=ranks), scores, level="pooled", resamples=200, seed=0)
    only_j = (bootstrap_weights(2, resamples=200, seed=0)[:, 0] == 0).sum()
    assert found.degenerate_resamples == only_j > 0


def test_that_the_same_seed_gives_the_same_interval_and_another_does_not():
    human, scores = noisy()
    first, again, other = (align(human, scores, seed=seed) for seed in (5, 5, 6))
    assert first == again
    assert (first.ci_low, first.ci_high) != (other.ci_low, other.ci_high)


def test_that_methods_together_give_what_each_gives_alone():
    human, scores = noisy()
    partly = {key: row for key, row in scores.items() if key != "i3"}
    found = align_methods(human, {"all": scores, "some": partly}, resamples=100, seed=9)
    assert found["all"] == align(human, scores, resamples=100, seed=9)
    assert found["some"] == align(human, partly, resamples=100, seed=9)
    assert math.isclose(found["some"].n_defined, 23)


def test_that_no_resamples_leave_the_interval_out():
    human, scores = noisy()
    found = align(human, scores, resamples=0)
    assert (found.ci_low, found.ci_high, found.resamples) == (None, None, 0)
