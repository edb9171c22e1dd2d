import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import brier_score_loss, log_loss, precision_recall_fscore_support

from studio.stats.alt_test import CaseScore, alt_test
from studio.stats.calibration import macro_calibration, probability_calibration, verdict_calibration
from studio.stats.judges import (
    Slot,
    expected_score,
    icc_one_way,
    mean_of_samples,
    position_bias,
    self_consistency,
    sensitivity,
    slot_bias,
)

verdicts = st.lists(st.tuples(st.sampled_from(["yes", "no"]), st.sampled_from(["yes", "no"])), min_size=1, max_size=20)


def test_that_a_judge_of_the_place_alone_is_never_consistent():
    found = position_bias([(Slot.FIRST, Slot.FIRST)] * 6)
    assert (found.swap_consistency, found.always_first, found.first_slot_rate.value) == (0, 1, 1)
    # Twelve of twelve: 2 · (1/2)^12
    assert found.first_slot_rate.p == pytest.approx(2 / 4096)
    assert found.reconciled_score == 0.5


def test_that_a_judge_of_ties_alone_has_no_first_slot_rate():
    found = position_bias([(Slot.TIE, Slot.TIE)])
    assert (found.swap_consistency, found.first_slot_rate.undefined_reason) == (1, "too_few")
    assert position_bias([]) is None


def test_that_ranking_in_the_order_shown_is_full_slot_bias():
    assert slot_bias([[1, 2, 3], [1, 2, 3]], [[1, 2, 3], [3, 2, 1]]).value == 0
    assert slot_bias([[1, 2, 3]], [[1, 2, 3]]).value == 1
    assert slot_bias([[1, 2]], [[1, 2]]).undefined_reason == "too_few"


def test_that_failed_repeats_are_counted_and_never_scored():
    found = self_consistency([[4, None, 4], [3, 5], [2, None]])
    # Standard deviations 0 and sqrt(2); one of two cases identical; pairs equal 1 and 0.
    assert found.mean_sd.value == pytest.approx(math.sqrt(2) / 2)
    assert (found.all_identical.value, found.pairwise_agreement.value) == (0.5, 0.5)
    assert (found.mean_sd.n, found.n_failed) == (2, 2)
    assert self_consistency([[1]]).icc_1_1.undefined_reason == "too_few"
    assert self_consistency([[1, 2], [1, 2, 3]]).icc_1_1.undefined_reason == "incomplete"
    assert self_consistency([[2, 2], [2, 2]]).icc_1_1.undefined_reason == "constant"


def test_that_the_published_intraclass_correlation_is_met():
    # Shrout & Fleiss (1979), table 2: four judges, six targets; ICC(1,1) = .17
    scores = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    assert icc_one_way([np.array(row, dtype=float) for row in scores]).value == pytest.approx(0.17, abs=0.005)


def test_that_probability_off_the_scale_is_told_apart():
    found = expected_score({"4": 0.4, " 4": 0.1, "5": 0.3, "nine": 0.1, "9": 0.1})
    # (4·.5 + 5·.3) / .8
    assert (found.value, found.mass) == (pytest.approx(3.5 / 0.8), pytest.approx(0.8))
    assert expected_score({"x": 1.0}).value is None


def test_that_a_reply_without_a_score_lowers_only_the_count():
    found = mean_of_samples([4, None, 2])
    assert (found.value, found.n) == (3, 2)
    assert mean_of_samples([None]).undefined_reason == "too_few"


@given(verdicts)
def test_that_precision_and_recall_equal_scikit_learn(pairs):
    human, judge = [a for a, _ in pairs], [b for _, b in pairs]
    found = verdict_calibration(human, judge)
    precision, recall, f1, _ = precision_recall_fscore_support(human, judge, labels=["no"], zero_division=np.nan)
    for statistic, expected in ((found.precision, precision[0]), (found.recall, recall[0])):
        if statistic.value is None:
            assert math.isnan(expected)
        else:
            assert statistic.value == pytest.approx(expected)
    if found.f1.value is not None:
        assert found.f1.value == pytest.approx(f1[0])


def test_that_an_unsure_or_failed_verdict_is_no_yes_and_no_no():
    found = verdict_calibration(["no", "no", "yes", "yes", None], ["no", "unsure", None, "yes", "no"])
    assert (found.tp, found.fp, found.fn, found.tn) == (1, 0, 0, 1)
    assert (found.coverage, found.n, found.support) == (0.5, 2, 1)


def test_that_precision_and_recall_without_cases_say_why():
    found = verdict_calibration(["yes", "yes"], ["yes", "no"])
    assert found.recall.undefined_reason == found.f1.undefined_reason == "no_support"
    assert found.recall_interval.undefined_reason == "too_few"
    assert verdict_calibration([], []).coverage is None
    assert verdict_calibration(["no", "yes"], ["yes", "no"]).f1.value == 0


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(1, 99)), min_size=1, max_size=30))
def test_that_brier_score_and_log_loss_equal_scikit_learn(cases):
    y, p = [a for a, _ in cases], [b / 100 for _, b in cases]
    found = probability_calibration(y, p)
    assert found.brier == pytest.approx(brier_score_loss(y, p, pos_label=1), abs=1e-12)
    assert found.log_loss == pytest.approx(log_loss(y, p, labels=[0, 1]), abs=1e-9)
    assert sum(row.n for row in found.bins) == len(cases)
    weighted = [row.n * abs(row.mean_probability - row.share_true) for row in found.bins if row.n]
    assert found.ece == pytest.approx(sum(weighted) / len(cases), abs=1e-12)


def test_that_bins_are_closed_above_and_the_first_one_below_too():
    found = probability_calibration([0, 0, 1, 1], [0.0, 0.5, 0.5000001, 1.0], bins=2)
    assert [row.n for row in found.bins] == [2, 2]
    assert probability_calibration([], []) is None
    with pytest.raises(ValueError, match="from 0 to 1"):
        probability_calibration([1], [1.2])


def ratings(*values):
    return dict(enumerate(values))


def test_that_a_judge_equal_to_everybody_wins_and_ties():
    humans = {name: ratings(*"ab" * 20) for name in ("x", "y", "z")}
    found = alt_test(humans, ratings(*"ab" * 20), epsilon=0.1)
    assert (found.winning_rate, found.advantage, found.passes) == (1.0, 1.0, True)
    assert [each.p for each in found.annotators] == [0, 0, 0]
    assert found.annotators[0].annotator_advantage == 1.0


def test_that_differences_without_spread_are_compared_directly():
    humans = {name: ratings(*"a" * 30) for name in ("x", "y")}
    always_wrong = ratings(*"b" * 30)
    # Each annotator is right and the judge wrong everywhere: the difference is 1 throughout.
    assert [each.p for each in alt_test(humans, always_wrong, epsilon=0.2).annotators] == [1, 1]
    assert [each.p for each in alt_test(humans, always_wrong, epsilon=1.0).annotators] == [0.5, 0.5]


def test_that_annotators_with_few_shared_cases_are_skipped_and_listed():
    humans = {"x": ratings(*"ab" * 20), "y": ratings(*"ab" * 20), "z": ratings(*"ab")}
    found = alt_test(humans, ratings(*"ab" * 20), epsilon=0.1)
    assert (dict(found.skipped), len(found.annotators)) == ({"z": 2}, 2)
    nobody = alt_test({"x": ratings(*"ab" * 20)}, ratings(*"ab" * 20), epsilon=0.1)
    assert (nobody.winning_rate, nobody.passes, nobody.undefined_reason) == (None, None, "too_few")


def test_that_scores_are_compared_by_their_error():
    rng = np.random.default_rng(3)
    truth = rng.integers(1, 6, 50)
    humans = {name: ratings(*np.clip(truth + rng.integers(-1, 2, 50), 1, 5).tolist()) for name in ("x", "y", "z")}
    judge = ratings(*truth.tolist())
    found = alt_test(humans, judge, epsilon=0.15, score=CaseScore.RMSE)
    first = found.annotators[0]
    own, machine = [], []
    for case in range(50):
        others = np.array([humans["y"][case], humans["z"][case]])
        error_own = np.sqrt(((humans["x"][case] - others) ** 2).mean())
        error_judge = np.sqrt(((judge[case] - others) ** 2).mean())
        own.append(error_own <= error_judge)
        machine.append(error_judge <= error_own)
    difference = np.array(own, float) - np.array(machine, float)
    assert first.advantage == pytest.approx(np.mean(machine))
    assert first.p == pytest.approx(stats.ttest_1samp(difference, 0.15, alternative="less").pvalue)
    words = {"x": ratings(*"ab" * 20), "y": ratings(*"ab" * 20)}
    with pytest.raises(ValueError, match="by accuracy"):
        alt_test(words, words["x"], epsilon=0.1, score=CaseScore.RMSE)


def test_that_the_macro_mean_takes_items_with_support_only():
    good = verdict_calibration(["no", "yes"], ["no", "yes"])
    silent = verdict_calibration(["no", "yes"], ["yes", "yes"])
    unasked = verdict_calibration(["yes", "yes"], ["no", "yes"])
    found = macro_calibration([good, silent, unasked])
    # Precision is defined for the first alone; recall is 1 and 0.
    assert (found.precision.value, found.precision.n, found.recall.value, found.f1.n) == (1, 1, 0.5, 1)
    assert (found.n_items, found.n_without_support) == (2, 1)
    assert macro_calibration([]).recall.undefined_reason == "no_support"


def test_that_a_defect_is_noticed_from_the_degree_on_at_which_scores_fall() -> None:
    decks = "abcdef"
    whole = dict.fromkeys(decks, 5.0)
    mixed = dict(zip(decks, (5.0, 6.0, 4.0, 5.0, 6.0, 4.0), strict=True))
    lower = dict(zip(decks, (4.0, 3.0, 4.0, 4.0, 3.0, 4.0), strict=True))
    found = sensitivity({0: whole, 1: mixed, 2: lower, 3: lower, 4: dict.fromkeys(decks, 1.0)})
    # Degree 1: (0 + 1 − 1 + 0 + 1 − 1) / 6; degree 2: (−1 − 2 − 1 − 1 − 2 − 1) / 6.
    assert [each.fall.difference for each in found.degrees] == pytest.approx([0.0, -8 / 6, -8 / 6, -4.0])
    assert [each.lower for each in found.degrees] == pytest.approx([2 / 6, 1.0, 1.0, 1.0])
    assert found.noticed_from == 2


def test_that_a_lower_degree_counts_only_if_all_above_it_are_noticed_too() -> None:
    whole, same = dict.fromkeys("abcd", 5.0), dict.fromkeys("abcd", 5.0)
    assert sensitivity({0: whole, 1: dict.fromkeys("abcd", 2.0), 2: same}).noticed_from is None


def test_that_two_decks_are_too_few_to_notice_anything() -> None:
    whole, worse = dict.fromkeys("ab", 5.0), dict.fromkeys("ab", 1.0)
    assert sensitivity({0: whole, 1: worse}).noticed_from is None
    assert sensitivity({1: worse}).degrees[0].fall.difference is None
