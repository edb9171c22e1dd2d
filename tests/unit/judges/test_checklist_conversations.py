from __future__ import annotations

import json
import pickle
from dataclasses import replace
from functools import partial

import pytest

from studio.checklists.boxed import read_boxed
from studio.checklists.pages import Mode
from studio.judges.checklist import ItemConversation
from studio.judges.checklist_batch import BatchConversation, BatchItem
from studio.model.checklists import SourceQuote
from studio.model.ids import DeckId
from studio.model.judging import ImagePart, ParseStatus, ReplyEnd, TextPart
from studio.model.runs import UnitStatus
from tests.unit.judges.replying import Replying, about, deck, picture, reply, words


def item(**more: object) -> ItemConversation:
    shown = deck()
    given = {"about": about("q1"), "parts": shown.parts, "words": "Prefix.\n\nIs it so?\n", "prompt_id": "p@1#0",
             "shown": shown.slides, "read_boxes": partial(read_boxed, mode=Mode.DEFAULT)} | more  # fmt: skip
    return ItemConversation(**given)  # type: ignore[arg-type]


def compat() -> ItemConversation:
    return item(read_boxes=partial(read_boxed, mode=Mode.COMPAT), reading="compat")


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        (r"\boxed{\text{no}}", "no"),
        (r"\boxed{\textbf{Yes}}", "yes"),
        (r"\boxed{ YES }", "yes"),
        (r"\boxed{yes.}", "yes"),
        (r"\boxed{**yes**}", "yes"),
        (r"Format: \boxed{...}. Final: \boxed{no}", "no"),
        (r"\boxed{maybe} then \boxed{yes}", "yes"),
        ('```json\n{"answer": "no", "reason": "slide 2"}\n```', "no"),
        ('Thus: {"answer": "Yes"} as asked.', "yes"),
    ],
)
def test_that_a_verdict_is_read_in_one_call(said: str, verdict: str) -> None:
    judge = Replying(said)
    found = item().hold(judge)
    assert (found.status, found.verdicts[0].verdict, judge.calls) == (UnitStatus.OK, verdict, 1)


def test_that_the_last_of_two_verdicts_counts_and_is_flagged() -> None:
    found = item().hold(Replying(r"First \boxed{yes}; on reflection \boxed{no}")).verdicts[0]
    assert (found.verdict, found.parse) == ("no", ParseStatus.REPAIRED)
    assert "conflict" in found.detail


def test_that_the_first_of_two_verdicts_counts_in_compatible_mode() -> None:
    assert compat().hold(Replying(r"First \boxed{yes}; on reflection \boxed{no}")).verdicts[0].verdict == "yes"


@pytest.mark.parametrize("said", [r"\boxed{maybe}", r"\boxed{}", "Yes, it is.", "Answer: C"])
def test_that_five_unreadable_replies_are_no_verdict(said: str) -> None:
    judge = Replying(*[said] * 5)
    found = item().hold(judge)
    record = found.verdicts[0]
    assert (judge.calls, found.status, record.verdict, record.score) == (5, UnitStatus.PARSE_ERROR, "", None)
    assert record.reason
    assert record.detail["reply"] == said


def test_that_maybe_ends_the_asking_in_compatible_mode() -> None:
    judge = Replying(r"\boxed{maybe}")
    found = compat().hold(judge)
    # The reference stores "maybe" and scores it as no.
    assert (judge.calls, found.verdicts[0].verdict, found.verdicts[0].detail["token"]) == (1, "no", "maybe")


def test_that_empty_replies_are_asked_again() -> None:
    judge = Replying(reply("", ReplyEnd.EMPTY), reply(""), r"\boxed{yes}")
    assert item().hold(judge).verdicts[0].verdict == "yes"
    assert judge.calls == 3


def test_that_only_empty_replies_are_incomplete() -> None:
    judge = Replying(*[reply("", ReplyEnd.EMPTY)] * 5)
    assert item().hold(judge).status is UnitStatus.INCOMPLETE


@pytest.mark.parametrize(
    ("end", "status"), [(ReplyEnd.BLOCKED, UnitStatus.REFUSED), (ReplyEnd.CUT_OFF, UnitStatus.INCOMPLETE)]
)
def test_that_a_verdict_in_a_blocked_or_cut_reply_does_not_count(end: ReplyEnd, status: UnitStatus) -> None:
    judge = Replying(reply(r"\boxed{yes}", end))
    found = item().hold(judge)
    assert (found.status, found.verdicts[0].verdict, judge.calls) == (status, "", 1)


def test_that_deck_comes_first_then_sources_then_prefix_and_item_byte_for_byte() -> None:
    source = picture(1, "source 1 page")
    request = item(parts=(*deck().parts, source)).requests()[0]
    labels = [part.label for part in request.parts if isinstance(part, ImagePart)]
    assert labels == ["deck slide 1", "deck slide 2", "deck slide 3", "source 1 page 1"]
    assert words(request) == "Prefix.\n\nIs it so?\n"


def test_that_places_and_quotes_stand_in_the_record() -> None:
    said = 'Slide 3 has "12 %", while source 1 page 2 has "21 %". \\boxed{no}'
    record = item().hold(Replying(said)).verdicts[0]
    assert [box.slide for box in record.boxes] == [3]
    assert record.quotes == (SourceQuote(source="1", page=2, quote="21 %"),)


def test_that_the_key_changes_with_word_picture_order_prefix_and_repeat() -> None:
    plain = item()
    parts = plain.parts
    others = [
        item(words="Prefix.\n\nIs it so ?\n"), item(prompt_id="p@1#1"), item(parts=parts[::-1]), item(parts=parts[:2]),
        item(parts=(replace(parts[0], sha256="f" * 64), *parts[1:])), item(about=about("q1", sample=1)), compat(),
    ]  # fmt: skip
    keys = {json.dumps(each.key_parts()) for each in [plain, *others]}
    assert len(keys) == 1 + len(others)
    assert item(attempts=2).key_parts() == plain.key_parts()


def test_that_a_conversation_can_be_sent_to_another_process() -> None:
    assert pickle.loads(pickle.dumps(item())).key_parts() == item().key_parts()


def batch(*ids: str, **more: object) -> BatchConversation:
    shown = deck()
    return BatchConversation(
        deck_id=DeckId("d1"), items=tuple(BatchItem(about(each), f"Is {each} so?") for each in ids or ("a", "b", "c")),
        parts=shown.parts, guidance="Guidance.", prompt_id="p@1#0", shown=shown.slides, **more,
    )  # type: ignore[arg-type]  # fmt: skip


def results(*pairs: tuple[int, str]) -> str:
    return json.dumps({"results": [{"item": number, "answer": said, "reason": "slide 2"} for number, said in pairs]})


def test_that_a_batch_gives_each_item_exactly_one_verdict() -> None:
    judge = Replying(results((1, "yes"), (2, "no"), (3, "yes")))
    found = batch().hold(judge)
    assert [(each.item_id, each.verdict) for each in found.verdicts] == [("a", "yes"), ("b", "no"), ("c", "yes")]
    assert (found.status, judge.calls) == (UnitStatus.OK, 1)


def test_that_only_missing_doubled_and_unreadable_items_are_asked_again() -> None:
    judge = Replying(
        results((1, "yes"), (2, "no"), (2, "yes"), (4, "maybe"), (9, "yes")), results((2, "no"), (3, "no"), (4, "yes"))
    )
    found = batch("a", "b", "c", "d").hold(judge)
    assert [each.verdict for each in found.verdicts] == ["yes", "no", "no", "yes"]
    assert "Is a so?" not in words(judge.asked[1])
    assert all(f"Requirement {number}:" in words(judge.asked[1]) for number in (2, 3, 4))


def test_that_an_item_without_result_fails_alone() -> None:
    judge = Replying(*[results((1, "yes"))] + [results()] * 4)
    found = batch("a", "b").hold(judge)
    assert [each.status for each in found.verdicts] == [UnitStatus.OK, UnitStatus.PARSE_ERROR]
    assert (found.status, judge.calls) == (UnitStatus.PARSE_ERROR, 5)


def test_that_items_with_a_verdict_are_not_asked_when_the_batch_is_planned_again() -> None:
    whole, rest = batch(), batch(answered_before=frozenset({"a", "c"}))
    assert rest.key_parts() == whole.key_parts()
    found = rest.hold(Replying(results((2, "no"))))
    assert [(each.item_id, each.verdict) for each in found.verdicts] == [("b", "no")]


def test_that_a_batch_has_the_parts_of_a_single_item() -> None:
    request = batch().requests()[0]
    assert [isinstance(part, TextPart) for part in request.parts] == [False, False, False, True]
