"""The gate of an endpoint, token buckets, delays, prices and budgets, on a clock of their own."""

from __future__ import annotations

import json
import random
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from studio.checklists.boxed import read_boxed
from studio.errors import BadInput
from studio.judges.asking import Asker, RetryRules, RunStop
from studio.judges.budget import Budget, BudgetSpent, Ledger
from studio.judges.checklist import ItemConversation
from studio.judges.connect import read_setup
from studio.judges.identity import judge_version, request_key
from studio.judges.limits import ALONE_S, EndpointGate, Limits
from studio.judges.pricing import Price, estimated_input_tokens, picture_tokens, read_prices
from studio.judges.redaction import HIDDEN, Secret, redacted, reply_without
from studio.judges.server_faults import delay_s, refusal
from studio.model.judging import CallFailed, CallFault, JudgeReply, JudgeRequest, ReplyEnd, Usage
from studio.paths import resource
from tests.shared_files import shared
from tests.unit.judges.asked import NEVER, ask_for, picture
from tests.unit.judges.replying import about, deck

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class FakeClock:
    """Time goes on only by waiting."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def now(self) -> float:
        return self.seconds

    def wait(self, change: threading.Condition, seconds: float) -> None:
        self.seconds += seconds


def gate(clock: FakeClock, **limits: Any) -> EndpointGate:
    return EndpointGate(Limits(**limits), clock)


def rate(seconds: float | None = None) -> CallFailed:
    return CallFailed(CallFault.RATE, "slower", retry_after_s=seconds)


def test_that_the_first_call_goes_alone_and_the_number_grows_to_the_limit() -> None:
    clock = FakeClock()
    one = gate(clock, max_in_flight=8)
    one.enter(10, NEVER)
    assert one.allowed == 1
    one.leave(None)
    # Three quarters of eight, and one for the good reply.
    assert one.allowed == 7
    for _ in range(5):
        one.enter(10, NEVER)
    for _ in range(5):
        one.leave(None)
    assert one.allowed == 8


def test_that_a_first_call_that_hangs_keeps_the_others_waiting_for_a_while_only() -> None:
    clock = FakeClock()
    one = gate(clock, max_in_flight=8)
    one.enter(10, NEVER)
    one.enter(10, NEVER)
    assert clock.seconds == pytest.approx(100 + ALONE_S, abs=0.3)


def test_that_a_refusal_halves_the_number_once_for_a_crowd_and_growth_is_slow_after_it() -> None:
    clock = FakeClock()
    one = gate(clock, max_in_flight=16)
    one.enter(1, NEVER)
    one.leave(None)
    for _ in range(8):
        one.enter(1, NEVER)
    assert one.allowed == 13
    for _ in range(3):
        one.leave(rate())
    assert one.allowed == 6
    one.leave(None)
    # 13 / 2 = 6.5, and 1 / 6.5 more: 6.65; then 6.80, 6.95, 7.09, 7.23.
    assert one.allowed == 6
    for _ in range(4):
        one.leave(None)
    assert one.allowed == 7


def test_that_a_delay_from_the_server_holds_all_calls() -> None:
    clock = FakeClock()
    one = gate(clock, max_in_flight=8)
    one.enter(1, NEVER)
    one.leave(rate(53.0))
    one.enter(1, NEVER)
    assert clock.seconds >= 153.0


def test_that_requests_and_tokens_of_a_minute_are_kept() -> None:
    clock = FakeClock()
    one = gate(clock, max_in_flight=1, requests_per_minute=60)
    for _ in range(66):
        one.enter(1, NEVER)
        one.leave(None)
    # A burst of six (a tenth of a minute's worth), then one each second.
    assert clock.seconds == pytest.approx(160, abs=0.5)
    clock = FakeClock()
    two = gate(clock, max_in_flight=1, tokens_per_minute=6000)
    for _ in range(7):
        two.enter(100, NEVER)
        # Each took twice what was thought.
        two.leave(None, tokens_over=100)
    # 600 at once, then 100 a second: 1,400 tokens less the burst and less the last correction and its draw.
    assert clock.seconds == pytest.approx(107, abs=0.5)


def test_that_a_wait_ends_with_the_cancel() -> None:
    clock = FakeClock()
    one = gate(clock, max_in_flight=8)
    one.hold(1000.0)
    stop = RunStop()
    stop.stop("enough")
    with pytest.raises(CallFailed) as caught:
        one.enter(1, NEVER, stop)
    assert caught.value.fault is CallFault.CANCELLED


DELAYS = [
    ({"details": [{"@type": "x/google.rpc.RetryInfo", "retryDelay": "53s"}]}, {}, "", 53.0),
    ({"details": [{"retry_delay": {"seconds": 2, "nanos": 500000000}}]}, {}, "", 2.5),
    ({}, {"retry-after": "7"}, "", 7.0),
    ({}, {"retry-after-ms": "1500"}, "", 1.5),
    ({}, {"retry-after": "Thu, 01 Jan 2026 00:00:30 GMT"}, "", 30.0),
    ({}, {}, "Please retry in 12.3s.", 12.3),
    ({}, {}, "Rate limit reached. Please try again in 1m12.5s. Visit the page.", 72.5),
    ({}, {}, "Please try again in 20ms.", 0.02),
    ({}, {}, "Too many requests.", None),
    ({"details": [{"retryDelay": "3s"}]}, {"retry-after": "9"}, "retry in 5s", 9.0),
]  # fmt: skip


@pytest.mark.parametrize(("error", "headers", "words", "seconds"), DELAYS)
def test_that_delays_are_read_in_every_shape(
    error: dict[str, Any], headers: dict[str, str], words: str, seconds: float | None
) -> None:
    assert delay_s(error, headers, words, now=NOW) == (None if seconds is None else pytest.approx(seconds))


def test_that_a_quota_of_the_day_is_told_from_a_rate() -> None:
    def fault(quota: str, status: int = 429) -> CallFault:
        body = {"error": {"message": "m", "details": [{"violations": [{"quota_id": quota}]}]}}
        return refusal(status, body, {}, now=NOW).fault

    assert fault("GenerateRequestsPerDayPerProjectPerModel-FreeTier") is CallFault.QUOTA
    assert fault("GenerateRequestsPerMinutePerProjectPerModel") is CallFault.RATE
    assert refusal(429, {"error": {"code": "insufficient_quota"}}, {}, now=NOW).fault is CallFault.QUOTA
    assert (
        refusal(429, {"error": {"message": "Limit 200 requests per day (RPD)"}}, {}, now=NOW).fault is CallFault.QUOTA
    )
    assert refusal(529, "busy", {}, now=NOW).fault is CallFault.SERVER


class Refuses:
    """A client that fails so often, then answers."""

    def __init__(self, *faults: CallFailed) -> None:
        self.faults = list(faults)
        self.calls = 0

    def ask(self, request: JudgeRequest, cancel: Any) -> JudgeReply:
        self.calls += 1
        if self.faults:
            raise self.faults.pop(0)
        return JudgeReply(text="7", end=ReplyEnd.COMPLETE, usage=Usage(input_tokens=1, output_tokens=1), raw={})

    def close(self) -> None:
        pass


class Asks:
    """A conversation of one request."""

    def requests(self) -> tuple[JudgeRequest, ...]:
        return (ask_for("hi"),)

    def hold(self, ask: Any) -> Any:
        return ask(self.requests())


def test_that_a_call_waits_as_long_as_the_server_says_each_time_and_comes_to_one_result() -> None:
    waits: list[float] = []
    client = Refuses(rate(7.0), rate(7.0))
    clock = FakeClock()
    asker = Asker(
        client, version="v", provider="openai", gate=gate(clock, max_in_flight=4), ledger=Ledger(Budget(), None),
        stop=RunStop(), rng=random.Random(0), wait=lambda seconds, *stops: waits.append(seconds),
    )  # fmt: skip
    held = asker.hold(Asks(), NEVER, lambda key: ())  # type: ignore[arg-type]
    assert (held.calls, held.faults, len(held.answered)) == (3, {"rate": 2}, 1)
    assert all(7.0 <= each <= 7.7 for each in waits)
    assert clock.seconds >= 114.0


def test_that_waits_grow_with_jitter_up_to_a_limit() -> None:
    waits: list[float] = []
    client = Refuses(*[CallFailed(CallFault.SERVER, "busy")] * 5)
    asker = Asker(
        client, version="v", provider="openai", gate=gate(FakeClock(), max_in_flight=4),
        ledger=Ledger(Budget(), None), stop=RunStop(), rng=random.Random(1),
        rules=RetryRules(attempts=5, longest_wait_s=2.0),
        wait=lambda seconds, *stops: waits.append(seconds),
    )  # fmt: skip
    held = asker.hold(Asks(), NEVER, lambda key: ())  # type: ignore[arg-type]
    assert (held.fault, held.calls) == (CallFault.SERVER, 5)
    bounds = [0.5, 1.0, 2.0, 2.0]
    assert all(bound / 2 <= each <= bound for each, bound in zip(waits, bounds, strict=True))
    assert len(set(waits)) == 4


class Says:
    """A client that says one thing after the other; None is a reply without words."""

    def __init__(self, said: list[str | None]) -> None:
        self.said = list(said)

    def ask(self, request: JudgeRequest, cancel: Any) -> JudgeReply:
        text = self.said.pop(0)
        end = ReplyEnd.EMPTY if text is None else ReplyEnd.COMPLETE
        return JudgeReply(text=text or "", end=end, usage=Usage(input_tokens=1, output_tokens=1), raw={})

    def close(self) -> None:
        pass


def golden_retries() -> list[dict[str, Any]]:
    cases = json.loads(shared("golden/presentbench/retry.json").read_text(encoding="utf-8"))
    # What a call that fails waits for is held to the rules of the endpoint, not to the reference's.
    return [case for case in cases if not any(str(each).startswith("RuntimeError") for each in case["responses"])]


@pytest.mark.parametrize("number", range(6))
def test_that_an_item_is_asked_again_after_the_waits_of_the_reference(number: int) -> None:
    case = golden_retries()[number]
    waits: list[float] = []
    asker = Asker(
        Says(case["responses"]), version="v", provider="openai", gate=gate(FakeClock(), max_in_flight=4),
        ledger=Ledger(Budget(), None), stop=RunStop(), rng=random.Random(0),
        wait=lambda seconds, *stops: waits.append(seconds),
    )  # fmt: skip
    shown = deck()
    item = ItemConversation(
        about=about("q1"), parts=shown.parts, words="Is it so?", prompt_id="p@1#0", shown=shown.slides,
        read_boxes=read_boxed, attempts=case["max_retries"],
    )  # fmt: skip
    held = asker.hold(item, NEVER, lambda key: ())
    assert held.result is not None
    stored = held.result.verdicts[0].verdict or None
    assert (held.calls, waits, stored) == (case["calls"], case["sleeps"], case["stored"]["answer"])


def test_that_an_empty_reply_that_was_stored_is_not_waited_for() -> None:
    waits: list[float] = []
    asker = Asker(
        Says([None, r"\boxed{no}"]), version="v", provider="openai", gate=gate(FakeClock(), max_in_flight=4),
        ledger=Ledger(Budget(), None), stop=RunStop(), rng=random.Random(0),
        wait=lambda seconds, *stops: waits.append(seconds),
    )  # fmt: skip
    shown = deck()
    item = ItemConversation(
        about=about("q1"), parts=shown.parts, words="Is it so?", prompt_id="p@1#0", shown=shown.slides,
        read_boxes=read_boxed,
    )  # fmt: skip
    empty = JudgeReply(text="", end=ReplyEnd.EMPTY, usage=Usage(), raw={})
    held = asker.hold(item, NEVER, lambda key: (empty,))
    # The stored attempt was the first; the fresh one that is empty too was the second, after which two seconds pass.
    assert (held.reused, held.calls, waits) == (1, 2, [2.0])


def test_that_prices_are_looked_up_by_name_and_version_and_an_unknown_one_is_said(tmp_path: Path) -> None:
    own = tmp_path / "prices.toml"
    own.write_text('[models."mine"]\ninput = 1\noutput = 2\n', encoding="utf-8")
    table = read_prices(resource("prices/prices.toml"), own)

    def price(judge: str, **more: Any) -> Price | None:
        return table.of(read_setup(judge, **more))

    dated, plain = price("openai:gpt-4o-2024-08-06"), price("openai:gpt-4o")
    assert plain is not None
    assert dated == plain != price("openai:gpt-4o-mini")
    assert price("gemini:unheard-of") is None
    local = price("openai:llama", base_url="Ollama")
    assert local is not None
    assert local.cost(Usage(input_tokens=10, output_tokens=10)) == 0
    mine = price("openai:mine")
    assert mine is not None
    # 1,000,000 in (of them 500,000 from the cache, priced as the rest) at $1, 100,000 out at $2.
    usage = Usage(input_tokens=1_000_000, output_tokens=100_000, cached_input_tokens=500_000)
    assert mine.cost(usage) == pytest.approx(1.2)
    own.write_text('[models."mine"]\ninput = "much"\noutput = 2\n', encoding="utf-8")
    with pytest.raises(BadInput, match="mine has no input"):
        read_prices(resource("prices/prices.toml"), own)


def test_that_the_size_of_a_request_is_estimated_from_words_and_pictures(tmp_path: Path) -> None:
    # 1280x720 is scaled to 1365x768 at OpenAI only when larger; as it is 3 x 2 tiles: 85 + 6 * 170.
    assert picture_tokens((1280, 720), "openai") == 1105
    # Gemini: tiles of 480 px, 3 x 2, 258 each.
    assert picture_tokens((1280, 720), "gemini") == 1548
    assert picture_tokens((300, 200), "gemini") == 258
    # Eight letters are two tokens, two Chinese signs are two.
    assert estimated_input_tokens(ask_for("abcdefgh", "模型", picture(tmp_path))) == 2 + 2 + 85 + 170


def test_that_a_reserve_that_does_not_fit_is_refused_with_the_figures() -> None:
    ledger = Ledger(Budget(usd=0.01), Price(input=1.0, output=10.0, cached_input=1.0, as_of=""))
    with pytest.raises(BudgetSpent, match=r"\$0.01 is used up: \$0.0000 spent, the next call costs about \$0.0170"):
        # 10,000 tokens in at $1 and the likely 700 out at $10 a million: 0.01 + 0.007.
        ledger.reserve(ask_for("x"), 10_000)


def test_that_a_key_shows_itself_to_nobody() -> None:
    secret = Secret("abc-123-very-secret")
    assert repr(secret) == str(secret) == f"{secret}" == HIDDEN
    assert (
        redacted("Bearer abc-123-very-secret, ?key=abc-123-very-secret", [secret]) == f"Bearer {HIDDEN}, ?key={HIDDEN}"
    )
    assert redacted("bad abc-123-very-secret here", [secret]) == f"bad {HIDDEN} here"
    assert (
        redacted("Bearer xyz and sk-proj-abcdefgh1234 and ?key=AIzaSy")
        == f"Bearer {HIDDEN} and {HIDDEN} and ?key={HIDDEN}"
    )
    import pickle

    with pytest.raises(TypeError):
        pickle.dumps(secret)


def test_that_a_judge_is_its_settings_and_not_its_speed_or_its_port() -> None:
    plain = judge_version(read_setup("openai:m", base_url="http://127.0.0.1:1234/v1"))
    assert plain == judge_version(
        read_setup("openai:m", base_url="http://localhost:999/v1", settings={"max_in_flight": "9"})
    )
    others = [
        read_setup("openai:m"), read_setup("openai:n", base_url="LM Studio"),
        read_setup("openai:m", base_url="LM Studio", settings={"temperature": "0"}),
        read_setup("openai:m", base_url="https://elsewhere.example/v1"),
    ]  # fmt: skip
    assert len({plain, *(judge_version(each) for each in others)}) == 5


def test_that_a_request_is_all_that_is_sent(tmp_path: Path) -> None:
    one, two = picture(tmp_path, 1), picture(tmp_path, 2)
    base = ask_for("a", one, two)
    others = [
        ask_for("b", one, two), ask_for("a", two, one), ask_for("a", one), ask_for("a", one, two, sample=1),
        ask_for("a", one, two, max_output_tokens=5), ask_for("a", one, two, wants_token_probabilities=True),
    ]  # fmt: skip
    assert len({request_key("v", each) for each in [base, *others]}) == 7
    assert request_key("v", base) == request_key("v", ask_for("a", one, two)) != request_key("w", base)


@pytest.mark.parametrize(
    ("judge", "settings", "words"),
    [
        ("mistral:m", {}, "provider is not known"), ("openai", {}, "has no model"),
        ("openai:m", {"temperature": "hot"}, "a number from 0 to 2"),
        ("openai:m", {"colour": "1"}, "no setting colour"),
        ("openai:m", {"seed": "1.5"}, "a whole number"), ("openai:m", {"thinking": "deep"}, "one of none"),
    ],
)  # fmt: skip
def test_that_a_judge_that_cannot_be_is_refused_with_a_next_step(
    judge: str, settings: dict[str, object], words: str
) -> None:
    with pytest.raises(BadInput) as caught:
        read_setup(judge, settings=settings)
    assert words in str(caught.value)


def test_that_what_is_set_aside_for_units_elsewhere_is_never_above_the_budget() -> None:
    # A dollar for a thousand tokens: 1,000 in and the likely 700 out are $1.70 of $4.
    ledger = Ledger(Budget(usd=4.0), Price(input=1000.0, output=1000.0, cached_input=1000.0, as_of=""))
    asked = [(ask_for("w"), 1000)]
    first, second = ledger.reserve_unit(asked), ledger.reserve_unit(asked)
    assert first is not None
    assert second is not None
    assert ledger.reserve_unit(asked) is None
    assert ledger.why_not(asked) is None
    ledger.release(first, Usage(input_tokens=1000, output_tokens=700), calls=1)
    assert ledger.reserve_unit(asked) is None
    ledger.release(second, Usage(), calls=0)
    assert ledger.why_not([(ask_for("w"), 3000)]) == (
        "The budget of $4 is used up: $1.7000 spent, the next call costs about $3.7000."
    )
    assert ledger.reserve_unit(asked) is not None


def test_that_a_reply_is_kept_as_it_came_but_for_the_key_that_was_sent():
    key = Secret("abc/123+very-secret")
    assert (
        reply_without(r'{"a": "abc/123+very-secret and abc\/123+very-secret"}', key)
        == f'{{"a": "{HIDDEN} and {HIDDEN}"}}'
    )
    assert reply_without("sk-proj-abcdefgh1234 is on slide 3", key) == "sk-proj-abcdefgh1234 is on slide 3"
    # What local servers take for a key may be part of any word.
    assert reply_without("none of the slides, okay", Secret("none")) == "none of the slides, okay"
