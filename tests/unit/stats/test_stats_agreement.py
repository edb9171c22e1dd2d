import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as fleiss_of_statsmodels

from studio.stats.agreement import (
    Scale,
    Weighting,
    cohen_kappa,
    cross_table,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    label_counts,
    pabak,
    percent_agreement,
    randolph_kappa,
)

labels = st.integers(1, 5)
two_raters = st.integers(1, 12).flatmap(lambda n: st.tuples(*[st.lists(labels, min_size=n, max_size=n)] * 2))
many_raters = st.tuples(st.integers(2, 4), st.integers(1, 8)).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(1, 3), min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]
    )
)


@given(two_raters, st.sampled_from(list(Weighting)))
def test_that_kappa_equals_that_of_scikit_learn(raters, weighting):
    a, b = raters
    found = cohen_kappa(cross_table(a, b, labels=range(1, 6)), weighting=weighting)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        weights = None if weighting is Weighting.NONE else weighting.value
        expected = cohen_kappa_score(a, b, labels=[1, 2, 3, 4, 5], weights=weights)
    if found.value is None:
        assert found.undefined_reason == "constant"
        assert len(set(a) | set(b)) == 1
    else:
        assert found.value == pytest.approx(expected, abs=1e-9)


def test_that_cases_without_both_labels_are_dropped():
    table = cross_table(["yes", None, "no", "yes"], ["yes", "no", None, "no"])
    assert table.labels == ("no", "yes")
    assert table.counts.tolist() == [[0, 0], [1, 1]]
    assert percent_agreement(table).value == 0.5


def test_that_an_unknown_label_is_refused():
    with pytest.raises(ValueError, match="none of"):
        cross_table(["yes"], ["maybe"], labels=("yes", "no"))


def test_that_no_cases_give_no_agreement():
    table = cross_table([], [], labels=("yes", "no"))
    for statistic in (percent_agreement, cohen_kappa, gwet_ac1, pabak):
        assert statistic(table).undefined_reason == "too_few"


def test_that_full_agreement_on_one_label_leaves_kappa_undefined_and_ac1_full():
    table = cross_table(["yes"] * 4, ["yes"] * 4, labels=("yes", "no"))
    assert cohen_kappa(table).undefined_reason == "constant"
    assert (percent_agreement(table).value, gwet_ac1(table).value, pabak(table).value) == (1, 1, 1)
    alone = cross_table(["yes"] * 4, ["yes"] * 4)
    assert gwet_ac1(alone).undefined_reason == pabak(alone).undefined_reason == "no_labels"


def test_that_ac1_and_pabak_follow_their_formulas_for_three_labels():
    table = cross_table("aabc", "abbc"[::-1], labels="abc")
    # a a b c against c b b a: agreement 1/4; shares a 3/8, b 3/8, c 2/8:
    # chance = (3·5 + 3·5 + 2·6)/64/2 = 42/128
    assert percent_agreement(table).value == 0.25
    assert gwet_ac1(table).value == pytest.approx((0.25 - 42 / 128) / (1 - 42 / 128))
    assert pabak(table).value == pytest.approx((3 * 0.25 - 1) / 2)


@given(many_raters)
def test_that_fleiss_and_randolph_equal_statsmodels(ratings):
    counts = label_counts(ratings, labels=(1, 2, 3))
    fleiss, randolph = fleiss_kappa(counts), randolph_kappa(counts)
    table, _ = aggregate_raters(np.array(ratings).T, n_cat=None)
    if fleiss.value is None:
        assert fleiss.undefined_reason == "constant"
        assert len({x for row in ratings for x in row}) == 1
    else:
        assert fleiss.value == pytest.approx(fleiss_of_statsmodels(table, method="fleiss"), abs=1e-9)
    full = np.column_stack([[(np.array(ratings)[:, i] == k).sum() for i in range(len(ratings[0]))] for k in (1, 2, 3)])
    assert randolph.value == pytest.approx(fleiss_of_statsmodels(full, method="randolph"), abs=1e-9)


def test_that_fleiss_says_why_it_is_undefined():
    assert fleiss_kappa(label_counts([[1, 2], [1, None]])).undefined_reason == "incomplete"
    assert fleiss_kappa(label_counts([[1, 2]])).undefined_reason == "one_rater"
    assert fleiss_kappa(np.zeros((0, 2))).undefined_reason == "too_few"
    assert randolph_kappa(np.full((3, 1), 2.0)).undefined_reason == "no_labels"


def by_all_pairs(ratings, difference):
    """Return alpha from its definition: mean difference within cases over mean difference of all pairs."""
    cases = [[r for r in column if r is not None] for column in zip(*ratings, strict=True)]
    cases = [case for case in cases if len(case) >= 2]
    everything = [r for case in cases for r in case]
    n = len(everything)
    within = sum(
        sum(difference(a, b) for i, a in enumerate(case) for j, b in enumerate(case) if i != j) / (len(case) - 1)
        for case in cases
    )
    overall = sum(difference(a, b) for i, a in enumerate(everything) for j, b in enumerate(everything) if i != j)
    return 1 - (within / n) / (overall / (n * (n - 1)))


@given(
    st.tuples(st.integers(2, 4), st.integers(1, 6)).flatmap(
        lambda size: st.lists(
            st.lists(st.one_of(st.none(), st.integers(1, 4)), min_size=size[1], max_size=size[1]),
            min_size=size[0],
            max_size=size[0],
        )
    )
)
def test_that_alpha_equals_its_definition_over_all_pairs(ratings):
    paired = [column for column in zip(*ratings, strict=True) if sum(r is not None for r in column) >= 2]
    values = [r for column in paired for r in column if r is not None]
    nominal = krippendorff_alpha(ratings, scale=Scale.NOMINAL)
    if not paired:
        assert nominal.undefined_reason == "too_few"
        return
    assert nominal.n == len(paired)
    if len(set(values)) == 1:
        assert nominal.undefined_reason == "constant"
        return

    def ordinal(a, b):
        low, high = min(a, b), max(a, b)
        return (sum(low <= v <= high for v in values) - (values.count(a) + values.count(b)) / 2) ** 2

    assert nominal.value == pytest.approx(by_all_pairs(ratings, lambda a, b: a != b), abs=1e-9)
    interval = krippendorff_alpha(ratings, scale=Scale.INTERVAL)
    assert interval.value == pytest.approx(by_all_pairs(ratings, lambda a, b: (a - b) ** 2), abs=1e-9)
    found = krippendorff_alpha(ratings, scale=Scale.ORDINAL)
    assert found.value == pytest.approx(by_all_pairs(ratings, ordinal), abs=1e-9)
    ratio = krippendorff_alpha(ratings, scale=Scale.RATIO)
    assert ratio.value == pytest.approx(by_all_pairs(ratings, lambda a, b: ((a - b) / (a + b)) ** 2), abs=1e-9)


def test_that_alpha_says_why_it_is_undefined():
    assert krippendorff_alpha([[1, 2]], scale=Scale.NOMINAL).undefined_reason == "one_rater"
    assert krippendorff_alpha([[1, None], [None, 2]], scale=Scale.NOMINAL).undefined_reason == "too_few"
    assert krippendorff_alpha([[1, 1], [1, 1]], scale=Scale.ORDINAL).undefined_reason == "constant"


def test_that_the_order_of_ordinal_words_can_be_given():
    words = [["low", "high", "mid", "low"], ["mid", "high", "mid", "low"]]
    numbers = [[1, 3, 2, 1], [2, 3, 2, 1]]
    found = krippendorff_alpha(words, scale=Scale.ORDINAL, labels=("low", "mid", "high"))
    assert found == krippendorff_alpha(numbers, scale=Scale.ORDINAL)
    with pytest.raises(ValueError, match="no number"):
        krippendorff_alpha(words, scale=Scale.INTERVAL)
