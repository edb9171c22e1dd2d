"""The few-shot baseline: one example in the prompt, explanation and score in one reply."""

from __future__ import annotations

import json

import pytest

from studio.judges.fewshot import CRITERIA, FewShotConversation
from studio.model.runs import UnitStatus
from tests.unit.judges.replying import Replying, about, deck, words


def asked(criterion="flow", **more):
    shown = deck()
    return FewShotConversation(about=about(criterion), parts=shown.parts, slides=shown.slides, **more)


def test_that_the_explanation_is_kept_with_the_score():
    record = asked().hold(Replying('{"reason": "2. Trams; 1. Maps", "score": 3}')).verdicts[0]
    assert (record.score, record.scale, record.reason) == (3, (1.0, 5.0), "2. Trams; 1. Maps")
    assert record.status is UnitStatus.OK


@pytest.mark.parametrize("said", ['{"reason": "x", "score": 0}', '{"reason": "x", "score": 3.5}', "3"])
def test_that_anything_but_a_whole_number_from_1_to_5_is_no_score(said):
    found = asked(attempts=1).hold(Replying(said))
    assert (found.status, found.verdicts[0].score) == (UnitStatus.PARSE_ERROR, None)


def test_that_each_criterion_has_one_example_of_its_own():
    each = [asked(name) for name in CRITERIA]
    said = [words(one.requests()[0]) for one in each]
    assert all(text.count("An example.") == 1 for text in said)
    assert len(set(said)) == len({json.dumps(one.key_parts()) for one in each}) == 4
