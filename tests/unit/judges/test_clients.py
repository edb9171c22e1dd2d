"""Both clients against a server that speaks their wire formats."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from studio.judges.connect import connect, read_setup
from studio.judges.redaction import Secret
from studio.model.judging import CallFailed, CallFault, JudgeClient, ReplyEnd
from tests.fake_judge_server import KEY, FakeJudgeServer, Fault
from tests.unit.judges.asked import NEVER, ask_for, document, picture

KINDS = ("gemini", "chat", "responses")


def client_for(
    server: FakeJudgeServer, kind: str, *, key: str = KEY, notes: Path | None = None, **settings: Any
) -> JudgeClient:
    if kind == "gemini":
        setup = read_setup("gemini:g-1", base_url=server.url, settings=settings)
    else:
        setup = read_setup("openai:m-1", base_url=server.openai_url, settings={"api": kind, **settings})
    return connect(setup, key=Secret(key), notes=notes)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("casing", ["camel", "snake"])
def test_that_a_reply_has_its_words_its_end_and_its_tokens(kind: str, casing: str) -> None:
    with FakeJudgeServer(answer=lambda call: "seven", casing=casing) as server:
        client = client_for(server, kind)
        reply = client.ask(ask_for("hello"), NEVER)
        client.close()
    assert (reply.text, reply.end) == ("seven", ReplyEnd.COMPLETE)
    # Gemini counts thoughts apart (20 + 7); OpenAI has them in the 27.
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (100, 27)
    assert (reply.usage.cached_input_tokens, reply.usage.thinking_tokens) == (10, 7)
    assert reply.model == ("g-1-001" if kind == "gemini" else "m-1-001")
    assert server.n_calls == 1


@pytest.mark.parametrize("kind", KINDS)
def test_that_pictures_and_files_come_in_order_each_after_its_label(kind: str, tmp_path: Path) -> None:
    request = ask_for("before", picture(tmp_path, 10, "deck slide 7"), document(tmp_path), "after")
    with FakeJudgeServer() as server:
        client = client_for(server, kind, transfer="inline")
        client.ask(request, NEVER)
        client.close()
    call = server.calls[0]
    assert call.order == ("text", "text", "image", "text", "file", "text")
    assert call.text == "before\n[deck slide 7]\n[source 1]\nafter"
    assert call.images == (request.parts[1].sha256,)  # type: ignore[union-attr]
    assert call.files == (request.parts[2].sha256,)  # type: ignore[union-attr]


def test_that_a_file_is_uploaded_once_referred_to_and_deleted_at_the_end(tmp_path: Path) -> None:
    pdf = document(tmp_path, "Vorlesung – Überblick (最終版) #2%20.pdf")
    same = document(tmp_path, "copy.pdf")
    with FakeJudgeServer() as server:
        client = client_for(server, "gemini", notes=tmp_path / "notes")
        threads = [threading.Thread(target=client.ask, args=[ask_for(str(n), pdf, same), NEVER]) for n in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert server.uploads == 1
        assert all(call.files == (pdf.sha256, pdf.sha256) for call in server.calls)
        assert len(list((tmp_path / "notes").iterdir())) == 1
        client.close()
        assert server.uploaded == {}
        assert list((tmp_path / "notes").iterdir()) == []
    # The user's own name of a file is nobody's business, and need not be ASCII.
    assert "Vorlesung" not in json.dumps(server.headers)


def test_that_what_a_crashed_program_left_on_the_server_is_deleted_at_the_next_start(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    with FakeJudgeServer() as server:
        server.uploaded["files/old"] = b"left"
        gone = {"pid": 2**22 + 1, "started": 1.0, "endpoint": server.url, "names": ["files/old", "files/older"]}
        (notes / "1-a.json").write_text(json.dumps(gone))
        client_for(server, "gemini", notes=notes).close()
        assert server.uploaded == {}
    assert server.deleted == ["files/old", "files/older"]
    assert list(notes.iterdir()) == []


def test_that_settings_arrive_as_the_api_names_them() -> None:
    settings = {"temperature": 0, "seed": 7, "thinking": "low", "max_output_tokens": 500, "top_p": 0.5}
    with FakeJudgeServer() as server:
        for kind in KINDS:
            client = client_for(server, kind, **settings)
            client.ask(ask_for("hi", sample=2, wants_token_probabilities=True), NEVER)
            client.close()
    gemini, chat, responses = (call.settings for call in server.calls)
    assert (gemini["temperature"], gemini["seed"], gemini["max_output_tokens"]) == (0, 9, 500)
    assert gemini["thinking_config"] == {"thinking_level": "LOW"}
    assert gemini["response_logprobs"] is True
    assert (chat["temperature"], chat["seed"], chat["max_tokens"], chat["reasoning_effort"]) == (0, 9, 500, "low")
    assert chat["logprobs"] is True
    assert (responses["max_output_tokens"], responses["reasoning"]) == (500, {"effort": "low"})
    assert "seed" not in responses


def test_that_token_probabilities_are_read() -> None:
    with FakeJudgeServer(answer=lambda call: "7") as server:
        client = client_for(server, "chat")
        reply = client.ask(ask_for("hi", wants_token_probabilities=True), NEVER)
        client.close()
    assert reply.tokens[0].token == "7"
    assert reply.tokens[0].alternatives == (("7", -0.2), ("6", -1.9))


ENDS = {
    Fault.NO_CANDIDATES: ReplyEnd.EMPTY, Fault.BLOCKED_PROMPT: ReplyEnd.BLOCKED,
    Fault.BLOCKED_REPLY: ReplyEnd.BLOCKED, Fault.MAX_TOKENS: ReplyEnd.CUT_OFF,
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("casing", ["camel", "snake"])
@pytest.mark.parametrize("fault", ENDS)
def test_that_a_reply_without_an_answer_says_how_it_ended(kind: str, casing: str, fault: Fault) -> None:
    with FakeJudgeServer(faults=[fault], casing=casing) as server:
        client = client_for(server, kind)
        reply = client.ask(ask_for("hello"), NEVER)
        client.close()
    assert reply.end is ENDS[fault]
    assert reply.text == ""
    assert bool(reply.why_blocked) or reply.end is ReplyEnd.EMPTY


FAULTS = {
    Fault.RATE_BARE: CallFault.RATE, Fault.DAY_QUOTA: CallFault.QUOTA, Fault.OVERLOADED: CallFault.SERVER,
    Fault.TORN_JSON: CallFault.BROKEN_REPLY, Fault.BAD_REQUEST: CallFault.BAD_REQUEST,
    Fault.BAD_KEY: CallFault.AUTH, Fault.FORBIDDEN: CallFault.AUTH, Fault.DROPPED: CallFault.NETWORK,
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fault", FAULTS)
def test_that_a_failed_call_has_its_class_and_is_sent_once(kind: str, fault: Fault) -> None:
    with FakeJudgeServer(faults=[fault]) as server:
        client = client_for(server, kind)
        with pytest.raises(CallFailed) as caught:
            client.ask(ask_for("hello"), NEVER)
        client.close()
    assert caught.value.fault is FAULTS[fault]
    assert server.n_calls == 1
    assert KEY not in str(caught.value)
    assert KEY not in repr(caught.value.__cause__)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fault", [Fault.RATE_INFO, Fault.RATE_TEXT])
def test_that_the_servers_delay_is_read(kind: str, fault: Fault) -> None:
    with FakeJudgeServer(faults=[(fault, 12.5)]) as server:
        client = client_for(server, kind)
        with pytest.raises(CallFailed) as caught:
            client.ask(ask_for("hello"), NEVER)
        client.close()
    assert caught.value.fault is CallFault.RATE
    assert caught.value.retry_after_s == 12.5


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fault", [Fault.HANG, Fault.SLOW_BYTES])
def test_that_a_reply_that_hangs_or_trickles_meets_the_total_limit(kind: str, fault: Fault) -> None:
    with FakeJudgeServer(faults=[(fault, 0.05)]) as server:
        client = client_for(server, kind, timeout_s=0.4)
        with pytest.raises(CallFailed) as caught:
            client.ask(ask_for("hello"), NEVER)
        client.close()
    assert caught.value.fault is CallFault.TIMEOUT


@pytest.mark.parametrize("kind", KINDS)
def test_that_a_cancel_frees_a_call_that_hangs(kind: str) -> None:
    cancel = threading.Event()
    failures: list[CallFailed] = []
    with FakeJudgeServer(faults=[Fault.HANG]) as server:
        client = client_for(server, kind, timeout_s=600)

        def ask() -> None:
            try:
                client.ask(ask_for("hello"), cancel)
            except CallFailed as failed:
                failures.append(failed)

        thread = threading.Thread(target=ask)
        thread.start()
        while server.n_calls == 0:
            time.sleep(0.01)
        cancel.set()
        thread.join(60)
        client.close()
    assert [failed.fault for failed in failures] == [CallFault.CANCELLED]


@pytest.mark.parametrize("kind", KINDS)
def test_that_nobody_listening_is_a_fault_of_the_network(kind: str) -> None:
    with FakeJudgeServer() as server:
        pass
    client = client_for(server, kind)
    with pytest.raises(CallFailed) as caught:
        client.ask(ask_for("hello"), NEVER)
    client.close()
    assert caught.value.fault is CallFault.NETWORK


@pytest.mark.parametrize("kind", KINDS)
def test_that_an_empty_or_changed_picture_is_found_before_the_call(kind: str, tmp_path: Path) -> None:
    empty, changed = picture(tmp_path, 1), picture(tmp_path, 2)
    empty.path.write_bytes(b"")
    changed.path.write_bytes(b"other")
    with FakeJudgeServer() as server:
        client = client_for(server, kind)
        for part in (empty, changed):
            with pytest.raises(CallFailed) as caught:
                client.ask(ask_for("look", part), NEVER)
            assert caught.value.fault is CallFault.BAD_REQUEST
        client.close()
    assert server.n_calls == 0


def test_that_pictures_are_sent_as_what_they_are_not_as_they_are_called(tmp_path: Path) -> None:
    part = picture(tmp_path, 3)
    jpeg = b"\xff\xd8\xff\xe0" + b"x" * 20
    part.path.write_bytes(jpeg)
    lied = type(part)(path=part.path, sha256=hashlib.sha256(jpeg).hexdigest(), label="l", mime="image/png")  # type: ignore[arg-type]
    from studio.judges.part_bytes import mime_of

    assert mime_of(jpeg, lied.mime) == "image/jpeg"
