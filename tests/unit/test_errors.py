from __future__ import annotations

import pickle

import pytest

from studio.errors import BadInput, DeckUnreadable, StudioError


@pytest.mark.parametrize(
    "error",
    [
        StudioError("Nothing works.", next_step="Try again."),
        BadInput("No such file."),
        DeckUnreadable("truncated", "deck.pptx ends too early.", next_step="Copy it again."),
    ],
)
def test_that_an_error_comes_back_whole_from_a_worker_process(error: StudioError) -> None:
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error)
    assert str(back) == str(error)
    assert vars(back) == vars(error)
    assert back.args == error.args
