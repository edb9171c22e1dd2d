"""Second opinions of scipy, scikit-learn and statsmodels, over ties, gaps, constants and other names."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from studio.stats.agreement import (
    Weighting,
    cohen_kappa,
    cross_table,
    fleiss_kappa,
    label_counts,
)
from studio.stats.alignment import align
from studio.stats.ceiling import annotator_agreements, human_ceilings
from studio.stats.rankings import HumanRankings

few = settings(max_examples=40, deadline=None)
rank = st.one_of(st.none(), st.integers(1, 5))
score = st.one_of(st.none(), st.integers(0, 3).map(float))


@st.composite
def studies(draw):
    """One to four instances of two to six decks; ranks tie and are missing, and so are scores."""
    human, scores = {}, {}
    for number in range(draw(st.integers(1, 4))):
        decks = [f"i{number}.d{deck}" for deck in range(draw(st.integers(2, 6)))]
        people = {}
        for person in ("a", "b", "c")[: draw(st.integers(1, 3))]:
            placed = {deck: float(value) for deck in decks if (value := draw(rank)) is not None}
            if placed:
                people[person] = placed
        human[f"i{number}"] = people
        scores[f"i{number}"] = {deck: draw(score) for deck in decks}
    return human, scores


def opinion(people, scores) -> tuple[float, float] | None:
    """Return scipy's rho and tau of one instance, worked as the document says; None where it is undefined."""
    decks = {deck for ranks in people.values() for deck in ranks}
    mids = {person: dict(zip(ranks, stats.rankdata(list(ranks.values())), strict=True))
            for person, ranks in people.items()}  # fmt: skip
    means = {deck: np.mean([ranks[deck] for ranks in mids.values() if deck in ranks]) for deck in decks}
    shared = [deck for deck in sorted(decks) if scores.get(deck) is not None]
    x, y = [means[deck] for deck in shared], [-scores[deck] for deck in shared]
    if len(shared) < 3 or len(set(x)) < 2 or len(set(y)) < 2:
        return None
    return float(stats.spearmanr(x, y).statistic), float(stats.kendalltau(x, y).statistic)


@few
@given(studies())
def test_that_every_instance_has_the_rho_and_tau_of_scipy_or_a_reason(study):
    human, scores = study
    row = align(HumanRankings(ranks=human), scores, resamples=0)
    for each in row.instances:
        expected = opinion(human[each.instance_id], scores[each.instance_id])
        if expected is None:
            assert (each.rho, each.tau) == (None, None)
            assert each.reason in ("too_few", "constant")
        else:
            assert (each.rho, each.tau) == (pytest.approx(expected[0]), pytest.approx(expected[1]))
    defined = [each.rho for each in row.instances if each.rho is not None]
    assert row.mean_rho == (pytest.approx(np.mean(defined)) if defined else None)
    assert row.n_defined + sum(row.undefined.values()) == row.n_total


@few
@given(studies(), st.randoms(use_true_random=False))
def test_that_no_name_and_no_order_changes_a_number(study, shuffler):
    human, scores = study
    decks = [deck for of in scores.values() for deck in of]
    others = [f"x{number}" for number in range(len(decks))]
    shuffler.shuffle(others)
    renamed = dict(zip(decks, others, strict=True))

    def turned(mapping):
        keys = list(mapping)
        shuffler.shuffle(keys)
        return {key: mapping[key] for key in keys}

    human_2 = {
        instance: turned({
            f"other {person}": turned({renamed[deck]: value for deck, value in ranks.items()})
            for person, ranks in people.items()
        })
        for instance, people in human.items()
    }  # fmt: skip
    scores_2 = {
        instance: turned({renamed[deck]: value for deck, value in of.items()}) for instance, of in scores.items()
    }
    before, after = (
        align(HumanRankings(ranks=each), values, resamples=50)
        for each, values in ((human, scores), (human_2, scores_2))
    )
    for name in ("mean_rho", "std_rho", "mean_tau", "identical", "ci_low", "ci_high", "n_defined", "undefined"):
        assert getattr(before, name) == getattr(after, name), name
    ceilings = [human_ceilings(HumanRankings(ranks=each)) for each in (human, human_2)]
    assert ceilings[0].pairwise_mean == pytest.approx(ceilings[1].pairwise_mean)
    assert ceilings[0].leave_one_out == pytest.approx(ceilings[1].leave_one_out)


@few
@given(studies())
def test_that_values_on_one_scale_are_compared_by_their_means(study):
    """The mean of ratings, and not of ranks: scipy on the plain means of everybody's values."""
    human, scores = study
    row = align(HumanRankings(ranks=human, is_on_one_scale=True), scores, resamples=0)
    for each in row.instances:
        people = human[each.instance_id]
        means = {
            deck: round(float(np.mean([ranks[deck] for ranks in people.values() if deck in ranks])), 9)
            for deck in {deck for ranks in people.values() for deck in ranks}
        }
        shared = [deck for deck in means if scores[each.instance_id].get(deck) is not None]
        x, y = [means[deck] for deck in shared], [-scores[each.instance_id][deck] for deck in shared]
        is_defined = len(shared) >= 3 and len(set(x)) > 1 and len(set(y)) > 1
        assert each.rho == (pytest.approx(stats.spearmanr(x, y).statistic) if is_defined else None)


@few
@given(studies())
def test_that_couples_of_annotators_have_the_rho_of_scipy(study):
    human, _ = study
    for each in annotator_agreements(HumanRankings(ranks=human), resamples=1):
        if each.other is None:
            continue
        rhos = []
        for people in human.values():
            first, second = people.get(each.annotator), people.get(each.other)
            if not first or not second:
                continue
            shared = [deck for deck in first if deck in second]
            x, y = [first[deck] for deck in shared], [second[deck] for deck in shared]
            if len(shared) >= 3 and len(set(x)) > 1 and len(set(y)) > 1:
                rhos.append(stats.spearmanr(x, y).statistic)
        assert each.n_defined == len(rhos)
        assert each.mean_rho == (pytest.approx(np.mean(rhos)) if rhos else None)


labels = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=20)


@few
@given(labels)
def test_that_kappas_are_those_of_scikit_learn_or_have_a_reason(pairs):
    from sklearn.metrics import cohen_kappa_score

    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    for weighting, weights in (
        (Weighting.NONE, None),
        (Weighting.LINEAR, "linear"),
        (Weighting.QUADRATIC, "quadratic"),
    ):
        found = cohen_kappa(cross_table(first, second, labels=[1, 2, 3, 4]), weighting=weighting)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it divides by zero where chance agreement is full
            expected = float(cohen_kappa_score(first, second, labels=[1, 2, 3, 4], weights=weights))
        if math.isnan(expected):
            assert (found.value, found.undefined_reason) == (None, "constant")
        else:
            assert found.value == pytest.approx(expected)


@few
@given(st.lists(st.lists(st.sampled_from("yn?"), min_size=3, max_size=3), min_size=1, max_size=15))
def test_that_fleiss_kappa_is_that_of_statsmodels_or_has_a_reason(cases):
    from statsmodels.stats.inter_rater import fleiss_kappa as opinion_of

    raters = [list(row) for row in zip(*cases, strict=True)]
    counts = label_counts(raters, labels=list("yn?"))
    found = fleiss_kappa(counts)
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = float(opinion_of(counts))
    if math.isnan(expected) or len({label for row in cases for label in row}) == 1:
        assert (found.value, found.undefined_reason) == (None, "constant")
    else:
        assert found.value == pytest.approx(expected)
