"""Searching settings: every combination once, and a stopped search goes on."""

from __future__ import annotations

import threading

import pytest

from studio.actions.reflex_grid import best_settings, read_grid, search_grid
from studio.errors import BadInput, Cancelled
from studio.model.reflex import ContentMetric
from studio.reflex.encoder import static_encoder
from studio.reflex.grid import GridRow, best, combinations
from studio.reflex.training import Settings, fit, fit_prepared, prepare
from tests.unit.reflex.made_decks import made_deck

BASE = Settings(rounds=1, trees=10)
GRID = {"depth": (2, 3), "leaf": (3,)}
FLOW = [ContentMetric.FLOW]


@pytest.fixture(scope="module")
def decks():
    return [made_deck(number) for number in range(16)]


def test_that_a_fit_from_what_was_prepared_is_the_fit(decks):
    fitted = fit(decks[:12], ContentMetric.REDUNDANCY, static_encoder(), BASE)
    prepared = prepare(decks[:12], ContentMetric.REDUNDANCY, static_encoder(), BASE)
    again = fit_prepared(prepared, BASE)
    assert (fitted.boosting.value == again.boosting.value).all()
    assert (fitted.extra.value == again.extra.value).all()
    assert fitted.threshold == again.threshold


def test_that_combinations_are_the_product_with_whole_numbers_whole():
    made = combinations({"depth": (2.0, 3.0), "learning_rate": (0.1, 0.2)}, BASE)
    assert [(each.depth, each.learning_rate) for each in made] == [(2, 0.1), (2, 0.2), (3, 0.1), (3, 0.2)]
    assert all(isinstance(each.depth, int) for each in made)


def test_that_only_what_changes_the_trees_alone_can_be_searched():
    with pytest.raises(BadInput, match="rounds cannot be searched"):
        combinations({"rounds": (1, 2)}, BASE)


def test_that_a_stopped_search_keeps_its_rows_and_goes_on(decks, tmp_path):
    table = tmp_path / "grid.jsonl"
    cancel = threading.Event()

    def stop_at_once(words):
        if words.startswith("flow"):
            cancel.set()

    with pytest.raises(Cancelled):
        search_grid(decks[:11], decks[11:], table, metrics=FLOW, grid=GRID, base=BASE, cancel=cancel, tell=stop_at_once)
    first = search_grid(decks[:11], decks[11:], table, metrics=FLOW, grid={"depth": (2,), "leaf": (3,)}, base=BASE)
    before = table.read_text("utf-8")
    rows = search_grid(decks[:11], decks[11:], table, metrics=FLOW, grid=GRID, base=BASE)
    assert [row.settings.depth for row in rows] == [2, 3]
    assert rows[0] == first[0]
    # The table only grows.
    assert table.read_text("utf-8").startswith(before)
    assert search_grid(decks[:11], decks[11:], table, metrics=FLOW, grid=GRID, base=BASE) == rows
    assert len(read_grid(table)) == 2


def test_that_a_line_cut_off_at_the_end_is_done_again(decks, tmp_path):
    table = tmp_path / "grid.jsonl"
    search_grid(decks[:11], decks[11:], table, metrics=FLOW, grid=GRID, base=BASE)
    whole = table.read_text("utf-8")
    table.write_text(whole[:-30], "utf-8")
    assert len(read_grid(table)) == 1
    search_grid(decks[:11], decks[11:], table, metrics=FLOW, grid=GRID, base=BASE)
    assert table.read_text("utf-8") == whole


def test_that_no_deck_may_be_in_both_parts(decks, tmp_path):
    with pytest.raises(BadInput, match="in both parts"):
        search_grid(decks[:12], decks[11:], tmp_path / "grid.jsonl", metrics=FLOW, grid=GRID, base=BASE)


def row(depth, value, data="d"):
    settings = Settings(depth=depth)
    return GridRow(metric=ContentMetric.FLOW, settings=settings, data=data, by_variant={"plain": value}, n_decks=4)


def test_that_of_equal_rows_the_first_is_best_and_undefined_ones_never():
    assert best([row(2, None), row(3, 0.5), row(4, 0.5)], ContentMetric.FLOW).settings.depth == 3
    assert best([row(2, None)], ContentMetric.FLOW) is None


def test_that_rows_of_different_decks_are_not_compared():
    with pytest.raises(BadInput, match="different decks"):
        best_settings([row(2, 0.5), row(3, 0.6, data="other")])
