"""Items that a judge proposes: one request, stored, and only what can be used."""

from __future__ import annotations

import json
import threading

import pytest

from studio.actions import checklists as author
from studio.actions.judge_draft import DraftFailed, draft_by_judge, draft_price, price_words
from studio.errors import BadInput
from studio.judges.item_draft import draft_request, read_draft
from studio.model.authoring import Scope
from studio.model.checklists import Dimension
from studio.store import decks as deck_store
from tests.trials import AUTHOR, trial_project

ITEMS = [
    {"dimension": "completeness", "text": "Does the deck state that roofs are white?", "note": "", "why": "line 1"},
    {"dimension": "Correctness", "text": "Is the height given as 4.2 m?", "note": "Other units are no.", "why": "p. 2"},
    {"dimension": "beauty", "text": "Is it beautiful?"},
    {"dimension": "completeness", "text": "Describe the method."},
    {"dimension": "completeness", "text": "Does the deck state that roofs are white?"},
    "nonsense",
]


@pytest.fixture
def project(tmp_path):
    made = trial_project(tmp_path)
    yield made
    made.close()


def script(folder, reply):
    path = folder / "draft.json"
    lines = [{"text": "checklist for slide decks", "reply": reply}]
    path.write_text(json.dumps({"format": "podium scripted judge", "lines": lines}), encoding="utf-8")
    return f"scripted:{path}"


def drafted(project, judge):
    instance = deck_store.list_instances(project)[0]
    return draft_by_judge(project, instance.id, judge, emit=lambda _: None, cancel=threading.Event())


def test_that_usable_items_are_proposed_once_and_the_others_counted(project, tmp_path):
    found = drafted(project, script(tmp_path, {"items": ITEMS}))
    assert [(each.dimension, each.text, each.note) for each in found.proposals] == [
        (Dimension.COMPLETENESS, "Does the deck state that roofs are white?", ""),
        (Dimension.CORRECTNESS, "Is the height given as 4.2 m?", "Other units are no."),
    ]
    assert (found.n_left_out, found.calls) == (4, 1)
    assert found.proposals[0].why.endswith(": line 1")


def test_that_the_same_is_not_asked_twice_and_known_items_are_left_out(project, tmp_path):
    judge = script(tmp_path, {"items": ITEMS})
    drafted(project, judge)
    again = drafted(project, judge)
    assert (again.calls, again.cost, len(again.proposals)) == (0, 0.0, 2)
    scope = Scope(instance_id=deck_store.list_instances(project)[0].id)
    accepted, _ = author.accept(project, scope, again.proposals[:1], author=AUTHOR)
    assert accepted[0].text == again.proposals[0].text
    # What is asked already stands in the request, so it is another one.
    third = drafted(project, judge)
    assert (third.calls, [each.text for each in third.proposals]) == (1, ["Is the height given as 4.2 m?"])


@pytest.mark.parametrize("reply", ["I cannot.", {"items": []}, {"items": "none"}, '{"items": [{"text"'])
def test_that_a_reply_without_items_is_one_line(project, tmp_path, reply):
    with pytest.raises(DraftFailed, match="no items"):
        drafted(project, script(tmp_path, reply))


def test_that_code_and_unknown_judges_and_missing_keys_are_refused(project, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    for judge, says in (("code", "Code proposes nothing"), ("nobody:x", "no judge"), ("openai:m-1", "needs a key")):
        with pytest.raises(BadInput, match=says):
            drafted(project, judge)


def test_that_a_judge_that_fails_says_why(project, tmp_path):
    path = tmp_path / "fails.json"
    lines = [{"text": "checklist", "fault": "bad_request"}]
    path.write_text(json.dumps({"format": "podium scripted judge", "lines": lines}), encoding="utf-8")
    with pytest.raises(DraftFailed, match="this call fails"):
        drafted(project, f"scripted:{path}")


def test_that_instruction_sources_and_known_items_stand_in_the_request():
    request = draft_request("Make 8 slides {{known}}.", "[document 1]\nTides", ["Is it\nneat?"], language="zh")
    words = request.parts[-1].text
    for said in ("Make 8 slides {{known}}.", "[document 1]\nTides", "- Is it neat?", "this language: zh"):
        assert said in words


def test_that_items_in_a_fence_are_read():
    items, dropped = read_draft('Here:\n```json\n{"items": [{"dimension": "design", "text": "整体是否一致？"}]}\n```')
    assert ([each.text for each in items], dropped) == (["整体是否一致？"], 0)


def test_that_the_price_is_that_of_the_very_request_and_nothing_once_the_reply_is_stored(project, tmp_path):
    instance = deck_store.list_instances(project)[0]
    # No key is there, and none is needed for a price: gpt-4o is listed with 2.50 dollars a million in, 10.00 out.
    dear = draft_price(project, instance.id, "openai:gpt-4o")
    assert (dear.calls, dear.output_tokens) == (1, 2000)
    assert dear.cost == pytest.approx((2.5 * dear.input_tokens + 10.0 * 2000) / 1e6)
    judge = script(tmp_path, {"items": ITEMS})
    assert draft_price(project, instance.id, judge).input_tokens == dear.input_tokens
    drafted(project, judge)
    again = draft_price(project, instance.id, judge)
    assert (again.calls, again.cost) == (0, 0.0)
    assert price_words(again).startswith("No call")
    unknown = draft_price(project, instance.id, "openai:nobody-knows")
    assert unknown.cost is None
    assert "not known" in price_words(unknown)
    with pytest.raises(BadInput):
        draft_price(project, instance.id, "code")
