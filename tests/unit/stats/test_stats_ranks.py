import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from studio.stats.ranks import (
    TieMethod,
    competition_ranks,
    dense_ranks,
    mid_rank_rows,
    mid_ranks,
    ranks_from_scores,
    reranked,
)
from studio.stats.statistic import Reason, Statistic, complete_pairs

small = st.one_of(st.just(float("nan")), st.integers(0, 4).map(float))


def test_that_tied_values_share_the_mean_of_their_places():
    # Places of 7, 7 are 2 and 3: (2 + 3) / 2 = 2.5
    assert mid_ranks([3, 7, 7, 9]).tolist() == [1, 2.5, 2.5, 4]
    assert competition_ranks([3, 7, 7, 9]).tolist() == [1, 2, 2, 4]
    assert dense_ranks([3, 7, 7, 9]).tolist() == [1, 2, 2, 3]


def test_that_the_highest_score_gets_rank_one():
    scores = {"a": 0.2, "b": 0.9, "c": 0.9, "d": None, "e": float("nan")}
    assert ranks_from_scores(scores) == {"b": 1.5, "c": 1.5, "a": 3}
    assert ranks_from_scores(scores, ties=TieMethod.COMPETITION) == {"b": 1, "c": 1, "a": 3}
    assert ranks_from_scores(scores, ties=TieMethod.DENSE) == {"b": 1, "c": 1, "a": 2}


def test_that_dropped_decks_leave_no_gap_behind():
    assert reranked({"a": 1, "b": 2, "c": 2, "d": 4}, {"b", "c", "d"}) == {"b": 1.5, "c": 1.5, "d": 3}


def test_that_a_missing_value_gets_no_rank_by_mistake():
    with pytest.raises(ValueError, match="drop it first"):
        mid_ranks([1, None, 3])


def test_that_infinities_count_as_missing():
    x, y = complete_pairs([1, float("inf"), 3, None], [4, 5, float("nan"), 7])
    assert (x.tolist(), y.tolist()) == ([1], [4])


def test_that_sides_of_different_length_are_refused():
    with pytest.raises(ValueError, match="one length"):
        complete_pairs([1, 2], [1, 2, 3])


def test_that_a_statistic_is_a_number_or_a_reason():
    with pytest.raises(ValueError, match="never both or neither"):
        Statistic(value=None, n=3)
    with pytest.raises(ValueError, match="never both or neither"):
        Statistic(value=0.0, n=3, undefined_reason=Reason.CONSTANT)


@given(st.integers(1, 7).flatmap(lambda k: st.lists(st.lists(small, min_size=k, max_size=k), min_size=1, max_size=6)))
def test_that_ranks_by_row_equal_those_of_scipy_without_the_gaps(rows):
    found = mid_rank_rows(np.array(rows))
    for row, ranks in zip(np.array(rows), found, strict=True):
        present = ~np.isnan(row)
        assert np.isnan(ranks[~present]).all()
        assert ranks[present].tolist() == rankdata(row[present]).tolist()


def test_that_many_columns_are_ranked_in_blocks():
    values = np.random.default_rng(0).integers(0, 50, (5, 1500)).astype(float)
    assert (mid_rank_rows(values) == rankdata(values, axis=1)).all()
