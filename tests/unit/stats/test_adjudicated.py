import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.model.answers import Comparison, Preference
from studio.stats.adjudicated import adjudicated_ranks
from studio.stats.ceiling import human_ceilings
from studio.stats.rankings import HumanRankings, consensus
from studio.stats.ranks import mid_rank_rows

FIVE = np.array([1.0, 2.0, 3.0, 4.0, 5.0])


def test_that_a_decided_pair_binds_and_the_others_keep_their_order():
    # Best first the last deck comes after 2, 3, 4 (places 2 3 4 at 1 2 3, then 5, 1); worst first it comes before
    # them (5, 1, 2, 3, 4). The means: deck 1 (5 + 2) / 2, deck 5 (4 + 1) / 2, deck 2 (1 + 3) / 2, and so on.
    assert adjudicated_ranks(FIVE, before=[(4, 0)]).tolist() == [3.5, 2.0, 3.0, 4.0, 2.5]


def test_that_a_pair_which_stands_so_already_moves_nothing():
    assert adjudicated_ranks(FIVE, before=[(0, 4)]).tolist() == FIVE.tolist()


def test_that_several_pairs_are_all_kept():
    assert adjudicated_ranks(FIVE, before=[(1, 0), (2, 1)]).tolist() == [3.0, 2.0, 1.0, 4.0, 5.0]


def test_that_a_decided_tie_and_a_circle_share_one_place():
    # The tie stands at (1 + 5) / 2 = 3, level with the deck in the middle: 2, then three decks at 3, then 4.
    assert adjudicated_ranks(FIVE, ties=[(0, 4)]).tolist() == [3.0, 1.0, 3.0, 5.0, 3.0]
    assert adjudicated_ranks(FIVE, before=[(1, 0), (2, 1), (0, 2)]).tolist() == [2.0, 2.0, 2.0, 4.0, 5.0]


def test_that_a_deck_nobody_ranked_stays_without_a_rank():
    found = adjudicated_ranks(np.array([1.0, np.nan, 1.0, 3.0]), before=[(1, 0), (3, 2)])
    assert np.isnan(found[1])
    assert found[3] < found[2]


@given(
    st.lists(st.integers(1, 6), min_size=2, max_size=7),
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=5),
)
def test_that_every_pair_without_a_circle_is_kept_and_none_changes_nothing(ranks, pairs):
    values = np.array(ranks, dtype=np.float64)
    assert adjudicated_ranks(values).tolist() == mid_rank_rows(values[None])[0].tolist()
    # Pairs along one order of the decks can make no circle.
    kept = [(min(a, b), max(a, b)) for a, b in pairs if a != b and max(a, b) < len(ranks)]
    found = adjudicated_ranks(values, before=kept)
    assert all(found[a] < found[b] for a, b in kept)
    assert found.sum() == pytest.approx(len(ranks) * (len(ranks) + 1) / 2)


def test_that_a_decision_changes_the_consensus_and_no_ceiling():
    ranks = {"i": {"x": {"a": 1, "b": 2, "c": 3}, "y": {"a": 1, "b": 2, "c": 3}, "z": {"a": 1, "b": 3, "c": 2}}}
    before = HumanRankings(ranks=ranks)
    after = HumanRankings(
        ranks=ranks, adjudicated={"i": (Comparison(first="a", second="b", said=Preference.B),)}
    )  # fmt: skip
    first, second = consensus(before).mean_ranks[0], consensus(after).mean_ranks[0]
    assert first.tolist() == pytest.approx([1, 7 / 3, 8 / 3])
    assert second[1] < second[0] < second[2]
    assert human_ceilings(after) == human_ceilings(before)
    assert consensus(after).n_annotators == (3,)
