from __future__ import annotations

import pytest

from studio.metrics.editability import RULES, assess_file
from tests.unit.metrics.editability import decks_built


@pytest.fixture
def built():
    return decks_built.Built()


@pytest.fixture
def judged(tmp_path):
    """Return a function: save a deck and judge it."""

    def judge(deck, rules=RULES["studio"]):
        return assess_file(deck.save(tmp_path / "deck.pptx"), rules)

    return judge
