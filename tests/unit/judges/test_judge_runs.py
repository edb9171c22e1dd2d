"""Judge runs against a server that fails in every way: states, counts, stored replies, keys."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from studio.jobs.engine import run_job
from studio.jobs.judge_job import Again, JudgeJob
from studio.judges.asking import RetryRules
from studio.judges.budget import Budget
from studio.judges.pricing import Price
from studio.model.events import Event, RunEnded, RunStarted, UnitDone
from studio.model.judging import JudgeReply, ReplyEnd, Usage
from studio.model.runs import RunState
from studio.store import judging as judging_store
from studio.store import runs as run_store
from studio.store import scores as score_store
from studio.store.project import Project
from tests.fake_judge_server import KEY, Call, FakeJudgeServer, Fault
from tests.projects import make_project
from tests.unit.judges.asked import NEVER, picture
from tests.unit.judges.talks import FaultyTalk, StubbornTalk, Talk, judge_job

APIS = {"gemini": "gemini:g-1", "chat": "openai:m-1"}
PRICE = Price(input=1000.0, output=1000.0, cached_input=1000.0, as_of="")
"""A dollar for a thousand tokens; the fake server counts 127 for each call: $0.127."""


@pytest.fixture
def project(tmp_path: Path) -> Any:
    made = make_project(tmp_path / "study", instances=1, systems=("Aster", "Birch"))
    yield made
    made.close()


def talks(project: Project, number: int, **more: Any) -> list[Talk]:
    from studio.store import decks as deck_store

    deck = deck_store.list_decks(project)[0]
    return [
        Talk(deck_id=deck.id, instance_id=deck.instance_id, words=f"What of {each}?", **more)
        for each in range(number)
    ]  # fmt: skip


def run(project: Project, job: JudgeJob, cancel: threading.Event | None = None) -> tuple[RunEnded, list[Event]]:
    events: list[Event] = []
    ended = run_job(project, job, emit=events.append, cancel=cancel or threading.Event())
    assert sum(isinstance(event, RunEnded) for event in events) == 1
    assert sum(isinstance(event, RunStarted) for event in events) == 1
    return ended, events


def address(server: FakeJudgeServer, api: str) -> dict[str, str]:
    return {"base_url": server.url if api == "gemini" else server.openai_url, "judge": APIS[api]}


@pytest.mark.parametrize("api", APIS)
def test_that_each_unit_is_asked_once_and_stored_with_all_it_rests_on(project: Project, api: str) -> None:
    with FakeJudgeServer() as server:
        ended, events = run(project, judge_job(talks(project, 20), **address(server, api)))
    assert (ended.state, ended.counts) == (RunState.DONE, {"ok": 20})
    assert server.n_calls == 20
    verdicts = judging_store.verdicts_with_evidence(project, run_id=ended.run_id)
    assert {(verdict.record.score, verdict.record.reason) for verdict in verdicts} == {(7.0, "said so")}
    assert len({verdict.unit_key for verdict in verdicts}) == 20
    reply = judging_store.stored_reply(project, verdicts[0].reply_keys[0])
    assert reply is not None
    assert reply.request["parts"][0]["text"].startswith("What of ")
    assert json.loads(reply.reply.text)["score"] == 7
    totals = judging_store.call_totals(project, ended.run_id)
    # 100 tokens in and 27 out for each call of the fake server.
    assert (totals.calls, totals.input_tokens, totals.output_tokens) == (20, 2000, 540)
    listed = score_store.list_verdicts(project)
    assert sum(verdict.input_tokens for verdict in listed) == 2000
    assert len(events) == 22


def test_that_each_result_is_committed_by_itself_before_it_is_told(project: Project) -> None:
    told: list[int] = []
    stored: list[tuple[int, ...]] = []

    def look(event: object) -> None:
        if isinstance(event, UnitDone):
            # Another connection sees only what is committed.
            other = sqlite3.connect(f"file:{project.folder}/project.db?mode=ro", uri=True)
            tables = ("run_units", "replies", "verdicts", "unit_calls")
            stored.append(tuple(other.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables))
            other.close()
            told.append(event.done)

    with FakeJudgeServer() as server:
        run_job(project, judge_job(talks(project, 12), server.openai_url), emit=look, cancel=NEVER)
    # With batches the first event would find the rows of all that are in its batch.
    assert told == list(range(1, 13))
    assert stored == [(n, n, n, n) for n in range(1, 13)]


class AllAtOnce:
    """A client whose later calls are answered only while as many as are allowed are under way."""

    def __init__(self, in_flight: int, *, at_first: int) -> None:
        self._together = threading.Barrier(in_flight)
        self._lock = threading.Lock()
        self._left = at_first

    def ask(self, request: Any, cancel: Any) -> JudgeReply:
        del request, cancel
        with self._lock:
            self._left -= 1
            is_late = self._left < 0
        if is_late:
            # Broken, and so the test, if a place stays empty; a slow machine only takes longer to fill it.
            self._together.wait(60)
        return JudgeReply(text='{"score": 7}', end=ReplyEnd.COMPLETE, usage=Usage(), raw={}, model="m-1")

    def close(self) -> None:
        pass


def test_that_every_place_at_the_endpoint_is_taken_while_units_are_left(project: Project) -> None:
    in_flight, rounds = 8, 5
    # The first call goes alone, then the number grows by one with each reply: 16 replies are more than enough.
    asked = talks(project, 16 + rounds * in_flight)
    job = judge_job(asked, "http://127.0.0.1:1/v1", settings={"max_in_flight": in_flight})
    client = AllAtOnce(in_flight, at_first=16)
    job._connect = lambda: client  # type: ignore[assignment,return-value]
    ended, _ = run(project, job)
    assert ended.counts == {"ok": len(asked)}


STATES: dict[Fault, tuple[str, str, int]] = {
    # A fault that comes once; how its unit ends, of what kind, and how many calls the unit takes.
    Fault.RATE_INFO: ("ok", "", 2), Fault.RATE_TEXT: ("ok", "", 2), Fault.RATE_BARE: ("ok", "", 2),
    Fault.OVERLOADED: ("ok", "", 2), Fault.TORN_JSON: ("ok", "", 2), Fault.DROPPED: ("ok", "", 2),
    Fault.HANG: ("ok", "", 2), Fault.SLOW_BYTES: ("ok", "", 2),
    Fault.NO_CANDIDATES: ("incomplete", "incomplete", 1), Fault.BLOCKED_PROMPT: ("refused", "refused", 1),
    Fault.BLOCKED_REPLY: ("refused", "refused", 1), Fault.MAX_TOKENS: ("ok", "", 2),
    Fault.BAD_REQUEST: ("api_error", "bad_request", 1),
}  # fmt: skip


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("fault", STATES)
def test_that_one_fault_ends_its_unit_in_the_right_state_and_no_other(project: Project, api: str, fault: Fault) -> None:
    status, kind, calls = STATES[fault]
    with FakeJudgeServer(faults=[(fault, 0.05)]) as server:
        ended, _ = run(project, judge_job(talks(project, 4), settings={"timeout_s": 0.5}, **address(server, api)))
    expected = Counter({"ok": 3}) + Counter([status])
    assert (ended.state, ended.counts) == (RunState.DONE, dict(expected))
    assert server.n_calls == 3 + calls
    assert judging_store.call_totals(project, ended.run_id).calls == 3 + calls
    failed = [unit for unit in run_store.units_of(project, ended.run_id) if unit.status.value != "ok"]
    assert [unit.failure_kind for unit in failed] == ([kind] if kind else [])
    without = [each for each in judging_store.verdicts_with_evidence(project) if each.record.status.value != "ok"]
    assert [(each.record.verdict, each.record.score) for each in without] == ([("", None)] if kind else [])


FOREVER: dict[Fault, tuple[str, str, int]] = {
    # A fault that never ends: five tries, eight where it is the rate; a cut-off reply is asked for once more.
    Fault.RATE_BARE: ("api_error", "rate", 8), Fault.OVERLOADED: ("api_error", "server", 5),
    Fault.TORN_JSON: ("api_error", "broken_reply", 5), Fault.DROPPED: ("api_error", "network", 5),
    Fault.HANG: ("timed_out", "timeout", 5), Fault.MAX_TOKENS: ("incomplete", "incomplete", 2),
    Fault.MAX_TOKENS_HALF: ("incomplete", "incomplete", 2),
}  # fmt: skip


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("fault", FOREVER)
def test_that_a_fault_without_end_is_given_up_and_others_go_on(project: Project, api: str, fault: Fault) -> None:
    status, kind, calls = FOREVER[fault]

    def rule(call: Call) -> Fault:
        return fault if "What of 1?" in call.text else Fault.NONE

    with FakeJudgeServer(rule=rule) as server:
        job = judge_job(talks(project, 3), settings={"timeout_s": 0.3, "max_attempts": 5}, **address(server, api))
        ended, _ = run(project, job)
        assert ended.counts == {"ok": 2, status: 1}
        assert server.n_calls == 2 + calls
        server.rule = None
        again, _ = run(project, judge_job(talks(project, 3), again=Again.FAILED, **address(server, api)))
    assert (again.counts, again.cached) == ({"ok": 1}, 2)
    assert server.n_calls == 2 + calls + 1
    failed = [unit for unit in run_store.units_of(project, ended.run_id) if unit.status.value != "ok"]
    assert [unit.failure_kind for unit in failed] == [kind]


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("fault", [Fault.BAD_KEY, Fault.FORBIDDEN])
def test_that_a_wrong_key_costs_one_call_and_fails_the_run(project: Project, api: str, fault: Fault) -> None:
    with FakeJudgeServer(faults=[fault] * 50) as server:
        ended, _ = run(project, judge_job(talks(project, 40), **address(server, api)))
    assert ended.state is RunState.FAILED
    assert server.n_calls == 1
    assert ended.counts == {"api_error": 1}
    assert KEY not in ended.reason


@pytest.mark.parametrize("api", APIS)
def test_that_a_quota_of_the_day_pauses_the_run_and_tomorrow_goes_on(project: Project, api: str) -> None:
    with FakeJudgeServer(rule=lambda call: Fault.DAY_QUOTA if call.number > 5 else Fault.NONE) as server:
        ended, _ = run(project, judge_job(talks(project, 30), settings={"max_in_flight": 1}, **address(server, api)))
        assert ended.state is RunState.PAUSED
        assert "quota" in ended.reason
        assert (ended.counts["ok"], server.n_calls) == (5, 6)
        server.rule = None
        again, _ = run(project, judge_job(talks(project, 30), **address(server, api)))
    assert (again.state, again.cached, again.counts) == (RunState.DONE, 5, {"ok": 25})
    assert server.n_calls == 6 + 25


def test_that_a_cut_off_reply_is_asked_for_with_four_times_the_limit_and_only_once(project: Project) -> None:
    with FakeJudgeServer(faults=[Fault.MAX_TOKENS_HALF, Fault.OVERLOADED]) as server:
        job = judge_job(talks(project, 1), server.openai_url, settings={"max_output_tokens": 50})
        ended, _ = run(project, job)
    assert [call.settings["max_tokens"] for call in server.calls] == [50, 200]
    # The second try failed, and the short reply is what there is.
    assert ended.counts == {"incomplete": 1}


def test_that_bursts_of_503_fail_nothing_that_the_rules_can_bear(project: Project) -> None:
    seen: Counter[str] = Counter()

    def burst(call: Call) -> Fault:
        seen[call.text] += 1
        is_second = int(call.text.removeprefix("What of ").rstrip("?")) % 2 == 1
        return Fault.OVERLOADED if is_second and seen[call.text] <= 3 else Fault.NONE

    with FakeJudgeServer(rule=burst) as server:
        ended, _ = run(project, judge_job(talks(project, 10), server.openai_url))
    assert ended.counts == {"ok": 10}
    assert server.n_calls == 10 + 5 * 3
    assert judging_store.call_totals(project, ended.run_id).faults == {"server": 15}


def test_that_running_again_asks_nothing_and_one_change_asks_only_what_it_touches(
    project: Project, tmp_path: Path
) -> None:
    parts = (picture(tmp_path, 50), picture(tmp_path, 60))
    first = talks(project, 6, parts=parts)
    with FakeJudgeServer() as server:

        def calls(changed: list[Talk], **more: Any) -> int:
            before = server.n_calls
            run(project, judge_job(changed, server.openai_url, **more))
            return server.n_calls - before

        assert calls(first) == 6
        assert calls(first) == 0
        assert calls([replace(first[0], words="What of 0!"), *first[1:]]) == 1
        assert calls([*first[:5], replace(first[5], parts=(parts[0], picture(tmp_path, 61)))]) == 1
        assert calls([*first[:5], replace(first[5], parts=(parts[1], parts[0]))]) == 1
        assert calls(first, settings={"temperature": 0.5}) == 6
        assert calls(first, settings={"seed": 3}) == 6
        assert calls(first, judge="openai:m-2") == 6
        # How fast it is asked is not what it is.
        assert calls(first, settings={"max_in_flight": 2, "timeout_s": 9, "requests_per_minute": 6000}) == 0
        assert calls([replace(talk, samples=3) for talk in first]) == 6 * 2
        assert calls(first, again=Again.ALL) == 6


def test_that_reading_again_calls_nobody(project: Project) -> None:
    with FakeJudgeServer(answer=lambda call: "prose") as server:
        first, _ = run(project, judge_job(talks(project, 5), server.openai_url))
        assert (first.counts, server.n_calls) == ({"parse_error": 5}, 5)
    # The server is gone: what is read now was stored.
    second, _ = run(project, judge_job(talks(project, 5), server.openai_url, again=Again.REPARSE))
    third, _ = run(project, judge_job(talks(project, 5), server.openai_url))
    assert (second.counts, third.counts) == ({"parse_error": 5}, {"parse_error": 5})
    assert judging_store.call_totals(project, second.run_id).calls == 0
    assert judging_store.call_totals(project, third.run_id).reused == 5


def stubborn(project: Project, number: int) -> list[Talk]:
    return [
        StubbornTalk(deck_id=talk.deck_id, instance_id=talk.instance_id, words=talk.words)
        for talk in talks(project, number)
    ]


def test_that_a_run_stopped_between_two_tries_goes_on_with_the_next_try(project: Project) -> None:
    with FakeJudgeServer() as server:
        job = judge_job(stubborn(project, 1), server.openai_url)

        def prose_then_pause(call: Call) -> str:
            job.pause()
            return "prose"

        server.answer = prose_then_pause
        first, _ = run(project, job)
        assert (first.state, first.counts, server.n_calls) == (RunState.PAUSED, {"skipped": 1}, 1)
        server.answer = lambda call: "8"
        second, _ = run(project, judge_job(stubborn(project, 1), server.openai_url))
    # The prose is read once more, then the server is asked for the second try.
    assert (second.counts, server.n_calls) == ({"ok": 1}, 2)
    assert judging_store.call_totals(project, second.run_id).reused == 1


def test_that_tries_that_were_used_up_are_not_made_again(project: Project) -> None:
    with FakeJudgeServer(answer=lambda call: "prose") as server:
        first, _ = run(project, judge_job(stubborn(project, 2), server.openai_url))
        assert (first.counts, server.n_calls) == ({"parse_error": 2}, 2 * 3)
        again, _ = run(project, judge_job(stubborn(project, 2), server.openai_url))
        assert (again.counts, server.n_calls) == ({"parse_error": 2}, 2 * 3)
        # A good reply that came later counts before the older ones.
        server.answer = lambda call: "6"
        retried, _ = run(project, judge_job(stubborn(project, 2), server.openai_url, again=Again.FAILED))
        assert (retried.counts, server.n_calls) == ({"ok": 2}, 2 * 3 + 2)
    read, _ = run(project, judge_job(stubborn(project, 2), server.openai_url, again=Again.REPARSE))
    assert read.counts == {"ok": 2}


def test_that_reading_again_ends_as_before_where_fewer_replies_are_stored_than_tries(project: Project) -> None:
    with FakeJudgeServer() as server:
        job = judge_job(stubborn(project, 1), server.openai_url)

        def prose_then_pause(call: Call) -> str:
            job.pause()
            return "prose"

        server.answer = prose_then_pause
        run(project, job)
    read, _ = run(project, judge_job(stubborn(project, 1), server.openai_url, again=Again.REPARSE))
    assert read.counts == {"parse_error": 1}


def test_that_a_fault_of_ours_in_reading_keeps_the_reply_that_was_paid_for(project: Project) -> None:
    faulty = [
        FaultyTalk(deck_id=talk.deck_id, instance_id=talk.instance_id, words=talk.words) for talk in talks(project, 2)
    ]
    with FakeJudgeServer() as server:
        ended, _ = run(project, judge_job(faulty, server.openai_url))
        mended, _ = run(project, judge_job(talks(project, 2), server.openai_url))
    assert (ended.counts, mended.counts) == ({"tool_error": 2}, {"ok": 2})
    assert server.n_calls == 2


def test_that_a_conversation_of_many_requests_keeps_those_that_came(project: Project) -> None:
    with FakeJudgeServer(faults=[Fault.NONE, Fault.BAD_REQUEST]) as server:
        ended, _ = run(project, judge_job(talks(project, 1, samples=6), server.openai_url))
        assert ended.counts == {"api_error": 1}
        assert server.n_calls == 6
        again, _ = run(project, judge_job(talks(project, 1, samples=6), server.openai_url))
    assert again.counts == {"ok": 1}
    # Five of the six were stored the first time.
    assert server.n_calls == 6 + 1


def test_that_a_budget_stops_before_the_call_that_would_not_fit(project: Project) -> None:
    with FakeJudgeServer() as server:
        job = judge_job(
            talks(project, 50), server.openai_url, budget=Budget(usd=1.0), price=PRICE, settings={"max_in_flight": 1},
        )  # fmt: skip
        ended, _ = run(project, job)
    # Each call costs $0.127: seven make $0.889, an eighth would make $1.016. The first replies show the real size.
    assert (ended.state, ended.counts["ok"], server.n_calls) == (RunState.PAUSED, 7, 7)
    assert "budget of $1 " in ended.reason
    assert job.live().spent.usd == pytest.approx(0.889)
    assert judging_store.call_totals(project, ended.run_id).cost == pytest.approx(0.889)


def test_that_a_budget_is_not_overshot_by_what_is_in_flight(project: Project) -> None:
    with FakeJudgeServer(latency_s=0.02) as server:
        job = judge_job(talks(project, 60), server.openai_url, budget=Budget(tokens=2000))
        ended, _ = run(project, job)
    spent = job.live().spent
    # 127 tokens each: fifteen make 1,905, a sixteenth would make 2,032.
    assert (server.n_calls, spent.input_tokens + spent.output_tokens) == (15, 1905)
    assert ended.state is RunState.PAUSED


def test_that_a_pause_keeps_what_is_in_flight_and_a_resume_does_the_rest(project: Project) -> None:
    with FakeJudgeServer(latency_s=0.05) as server:
        job = judge_job(talks(project, 40), server.openai_url)

        def answer(call: Call) -> str:
            if call.number == 10:
                job.pause()
            return json.dumps({"score": 7})

        server.answer = answer
        ended, _ = run(project, job)
        assert (ended.state, ended.reason) == (RunState.PAUSED, "paused by the user")
        asked = server.n_calls
        # All that was sent was also stored.
        assert ended.counts == {"ok": asked}
        again, _ = run(project, judge_job(talks(project, 40), server.openai_url))
    assert again.counts == {"ok": 40 - asked}
    assert server.n_calls == 40


def test_that_a_cancel_frees_calls_that_hang_and_calls_that_wait(project: Project) -> None:
    cancel = threading.Event()

    def rule(call: Call) -> Fault | tuple[Fault, float]:
        if call.number == 6:
            cancel.set()
        return Fault.HANG if call.number > 1 else Fault.NONE

    with FakeJudgeServer(rule=rule) as server:
        # Without the cancel each would hang for ten minutes, five times.
        ended, _ = run(project, judge_job(talks(project, 30), server.openai_url, settings={"timeout_s": 600}), cancel)
    assert ended.state is RunState.CANCELLED
    assert ended.counts["ok"] == 1


def test_that_the_servers_delay_holds_all_calls(project: Project) -> None:
    with FakeJudgeServer(faults=[Fault.NONE, (Fault.RATE_INFO, 600.0)]) as server:
        cancel = threading.Event()
        job = judge_job(talks(project, 30), server.openai_url, settings={"max_in_flight": 2}, rules=RetryRules())
        thread = threading.Thread(target=run, args=[project, job, cancel])
        thread.start()
        while job.live().calls < 1 or server.n_calls < 2:
            threading.Event().wait(0.01)
        threading.Event().wait(0.5)
        # Of the second pair one was refused, the other may have been on its way; after that nobody was let through.
        assert server.n_calls <= 3
        cancel.set()
        thread.join()


def test_that_the_key_is_nowhere_in_the_project_or_the_log(
    project: Project, caplog: pytest.LogCaptureFixture, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level("DEBUG")
    for api in APIS:
        for fault in (Fault.BAD_KEY, Fault.FORBIDDEN, Fault.BAD_REQUEST, Fault.NONE):
            with FakeJudgeServer(faults=[fault]) as server:
                job = judge_job(talks(project, 2), settings={"seed": 1}, notes=tmp_path / "n", **address(server, api))
                run(project, job)
    project.close()
    held = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"What of 1?" in held
    assert KEY.encode() not in held
    out, err = capfd.readouterr()
    assert KEY not in caplog.text + out + err
