"""Verdicts in boxes: the golden cases in compatible mode, and what the default mode makes of them."""

import json

import pytest

from studio.checklists.boxed import read_boxed
from studio.checklists.pages import Mode
from studio.model.checklists import ItemAnswer
from tests.shared_files import shared

YES, NO = ItemAnswer.YES, ItemAnswer.NO


def test_that_the_compatible_mode_stores_what_the_reference_stores():
    cases = json.loads(shared("golden/presentbench/boxed_parsing.json").read_text(encoding="utf-8"))["cases"]
    assert len(cases) > 20
    for case in cases:
        found = read_boxed(case["response"], mode=Mode.COMPAT)
        assert found.token == case["reference_answer"], case
        expected = {"yes": YES, "not-yes": NO, "none->crash": None}[case["scored_as"]]
        assert found.answer is expected, case


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (r"\boxed{\text{no}}", NO),
        (r"\boxed{\textbf{Yes}}", YES),
        (r"\boxed{ YES }", YES),
        (r"\boxed{yes.}", YES),
        (r"Format: \boxed{...}. Final: \boxed{no}", NO),
        (r"\boxed{maybe} then \boxed{yes}", YES),
        (r"\boxed{yes} then \boxed{maybe}", YES),
        (r"\boxed{**yes**}", YES),
        (r"\boxed{“no”}", NO),
        (r"\boxed{\color{red}{no}}", NO),
        (r"\boxed{\boxed{no}}", NO),
        (r"\boxed{\mathrm{\mathbf{Yes}}}", YES),
        (r"\boxed{yes \boxed{no}", NO),
    ],
)
def test_that_a_verdict_is_read_through_its_dress(reply, answer):
    assert read_boxed(reply).answer is answer


@pytest.mark.parametrize(
    "reply", [None, "", r"\boxed{maybe}", r"\boxed{}", "no", r"\boxed{yes, mostly}", r"\boxed{N/A}",
              r"\boxed{yes or no}",
              r"\fbox{yes}", r"\boxed{\text{The answer is no}}", r"\boxed{yes"]
)  # fmt: skip
def test_that_anything_else_is_no_verdict_and_says_why(reply):
    found = read_boxed(reply)
    assert found.answer is None
    assert not found.is_complete
    assert found.reason


def test_that_a_reply_that_contradicts_itself_is_flagged_and_the_last_box_counts():
    reply = r"First \boxed{yes}; on reflection \boxed{no}"
    assert read_boxed(reply).answer is NO
    assert read_boxed(reply).is_conflicting
    assert read_boxed(reply, mode=Mode.COMPAT).answer is YES
    assert not read_boxed(r"\boxed{no} and again \boxed{No}").is_conflicting
