from __future__ import annotations

import json
import math

import pytest

from studio.judges import geval
from studio.judges.geval import FormConversation, read_field
from studio.judges.ppteval import CoherenceConversation, SlideConversation
from studio.judges.rating import CRITERIA, RatingConversation
from studio.model.judging import ParseStatus, ReplyEnd, TokenChoice
from studio.model.judging_options import GEvalMode
from studio.model.runs import UnitStatus
from studio.stats.judges import expected_score
from tests.unit.judges.replying import Replying, about, deck, picture, reply, words


def rating(criterion: str = "usability", **more: object) -> RatingConversation:
    return RatingConversation(about=about(criterion), deck=deck(), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "score", "parse"),
    [
        ('{"reason": "Slide 2 is small.", "score": 7}', 7, ParseStatus.OK),
        ('```json\n{"reason": "ok", "score": 3}\n```', 3, ParseStatus.REPAIRED),
        ('I think:\n{"reason": "a {brace} in words", "score": 10}\nThat is all.', 10, ParseStatus.REPAIRED),
        ('{"score": 2} no, rather {"reason": "last", "score": 4}', 4, ParseStatus.OK),
        ('{"reason": "two\nlines", "score": 5}', 5, ParseStatus.OK),
    ],
)
def test_that_a_score_is_read_alone_fenced_or_surrounded(said: str, score: float, parse: ParseStatus) -> None:
    record = rating().hold(Replying(said)).verdicts[0]
    assert (record.score, record.scale, record.status) == (score, (1.0, 10.0), UnitStatus.OK)
    assert record.parse is parse


@pytest.mark.parametrize(
    "said",
    [
        "I give it a 7.", '{"reason": "x", "score": 90}', '{"reason": "x", "score": 0}', '{"score": "7"}',
        '{"score": true}', '{"score": null}', '{"score": NaN}', '{"rating": 7}', '[7]', '{"score": 7',
    ],
)  # fmt: skip
def test_that_anything_else_is_a_parse_error_after_the_retries(said: str) -> None:
    judge = Replying(*[said] * 5)
    found = rating().hold(judge)
    assert (judge.calls, found.status, found.verdicts[0].score) == (5, UnitStatus.PARSE_ERROR, None)


def test_that_a_score_off_the_scale_is_named_and_not_clamped() -> None:
    found = rating(attempts=1).hold(Replying('{"score": 90}'))
    assert "90" in found.message
    assert "1 to 10" in found.message


def test_that_each_criterion_has_its_own_words_and_key() -> None:
    each = [rating(name) for name in CRITERIA]
    assert len({words(one.requests()[0]) for one in each}) == len({json.dumps(one.key_parts()) for one in each}) == 4


def test_that_slides_of_the_reason_are_evidence() -> None:
    record = rating().hold(Replying('{"reason": "slides 2 and 3", "score": 7}')).verdicts[0]
    assert [box.slide for box in record.boxes] == [2, 3]


def slide(dimension: str = "content") -> SlideConversation:
    return SlideConversation(about=about(dimension, slide=2), parts=(picture(2),))


def test_that_a_slide_is_described_first_and_the_description_is_scored() -> None:
    judge = Replying("Eight words and a chart.", '{"reason": "level 5", "score": 5}')
    record = slide().hold(judge).verdicts[0]
    assert (record.score, record.slide, record.detail["description"]) == (5.0, 2, "Eight words and a chart.")
    assert "Eight words and a chart." in words(judge.asked[1])
    assert len(judge.asked[1].parts) == 1  # the second stage sees the description only


@pytest.mark.parametrize("said", ['{"score": 6}', '{"score": 3.5}', "three"])
def test_that_a_slide_without_a_whole_score_has_none(said: str) -> None:
    found = slide("design").hold(Replying("Words.", *[said] * 5))
    assert (found.status, found.verdicts[0].score) == (UnitStatus.PARSE_ERROR, None)
    assert found.message.startswith("scoring:")


def test_that_a_blocked_description_ends_the_slide() -> None:
    judge = Replying(reply("", ReplyEnd.BLOCKED))
    assert (slide().hold(judge).status, judge.calls) == (UnitStatus.REFUSED, 1)


def outline(*numbers: int) -> str:
    return json.dumps({"background": {"speaker": "A"}, "slides": [{"slide": n, "purpose": f"p{n}"} for n in numbers]})


def test_that_coherence_is_scored_from_the_purposes_of_all_slides() -> None:
    coherence = CoherenceConversation(about=about("coherence"), texts=("One", "Two", "Three"))
    judge = Replying(outline(1, 2), f"Here:\n{outline(1, 2, 3)}", '{"reason": "r", "score": 4}')
    record = coherence.hold(judge).verdicts[0]
    assert (record.score, judge.calls) == (4.0, 3)
    assert record.detail["outline"]["slides"][2] == {"slide": 3, "purpose": "p3"}  # type: ignore[index]


def form(mode: GEvalMode = GEvalMode.SAMPLES, samples: int = 3) -> FormConversation:
    return FormConversation(
        about=about("flow"), parts=deck().parts, mode=mode, expected=expected_score, samples=samples
    )


def test_that_a_sample_without_a_score_is_left_out_and_never_zero() -> None:
    # (4 + 4 + 4) / 3 with the unreadable one left out; counting it as 0 would give 3.
    record = form(samples=4).hold(Replying("4", "4", "I cannot say", "4")).verdicts[0]
    assert (record.score, record.detail["n"], record.detail["n_valid"]) == (4.0, 4, 3)
    assert record.detail["samples"] == [4, 4, None, 4]
    assert record.detail["mode"] == "samples"


def test_that_samples_have_different_numbers() -> None:
    assert [request.sample for request in form(samples=3).requests()] == [0, 1, 2]


def test_that_only_unreadable_samples_are_no_score() -> None:
    found = form(samples=2).hold(Replying("none", "7"))
    assert (found.status, found.verdicts[0].score) == (UnitStatus.PARSE_ERROR, None)


def test_that_probabilities_are_scaled_to_the_mass_on_valid_scores() -> None:
    # 0.5·4 + 0.3·5 = 3.5 over a mass of 0.8 is 4.375.
    tokens = (
        TokenChoice(token="2", logprob=math.log(0.9)),  # a number in the reasoning before it
        TokenChoice(token="4", logprob=math.log(0.5), alternatives=((" 5", math.log(0.3)), ("x", math.log(0.2)))),
    )
    record = form(GEvalMode.LOGPROB).hold(Replying(reply("2 points missing: 4", tokens=tokens))).verdicts[0]
    assert record.score == pytest.approx(4.375)
    assert record.detail["mass"] == pytest.approx(0.8)


def test_that_missing_probabilities_are_an_error_and_no_other_mode_stands_in() -> None:
    judge = Replying("4")
    found = form(GEvalMode.LOGPROB).hold(judge)
    assert (found.status, found.verdicts[0].score, judge.calls) == (UnitStatus.TOOL_ERROR, None, 1)
    assert "geval=samples" in found.message


def test_that_modes_and_numbers_of_samples_have_different_keys() -> None:
    each = [form(GEvalMode.LOGPROB), form(GEvalMode.SINGLE), form(samples=3), form(samples=4)]
    assert len({json.dumps(one.key_parts()) for one in each}) == 4


@pytest.mark.parametrize(
    ("said", "score"),
    [("4", 4), ("- Flow: 4", 4), ("**3**", 3), ("Reasons 1 and 2.\n\n5", 5), ("4/5", 4), ("2.", 2), ("4 out of 5", 4)],
)
def test_that_a_filled_form_is_read(said: str, score: int) -> None:
    assert read_field(said) == score


@pytest.mark.parametrize("said", ["", "7", "0", "3.5", "between 3 and 4", "45", "four"])
def test_that_a_form_without_a_score_is_not_read(said: str) -> None:
    assert isinstance(read_field(said), geval.Unreadable)
