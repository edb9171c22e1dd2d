"""A judge's server on the loopback: real HTTP, the wire formats of Gemini and of OpenAI, and faults on demand.

It reads both spellings of every key (``inlineData`` and ``inline_data``), counts every call, and answers with what
`answer` returns. Run as a program it serves until it is stopped, for measurements from other processes:
``python -m tests.fake_judge_server --latency 0.2``.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import hashlib
import json
import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

KEY = "test-key-9f3c2a-never-to-be-seen"

_REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
            429: "Too Many Requests", 500: "Internal Server Error", 503: "Service Unavailable"}  # fmt: skip


class Fault(StrEnum):
    """What may go wrong with one answer."""

    NONE = "none"
    RATE_INFO = "rate_info"
    """429 with a RetryInfo detail (Gemini) or Retry-After (OpenAI)."""
    RATE_TEXT = "rate_text"
    """429 whose words alone say how long: "retry in 0.3s"."""
    RATE_BARE = "rate_bare"
    """429 that does not say how long."""
    DAY_QUOTA = "day_quota"
    OVERLOADED = "overloaded"
    """503."""
    HANG = "hang"
    """The connection is taken and nothing comes."""
    SLOW_BYTES = "slow_bytes"
    """One byte of the body now and then."""
    TORN_JSON = "torn_json"
    NO_CANDIDATES = "no_candidates"
    BLOCKED_PROMPT = "blocked_prompt"
    BLOCKED_REPLY = "blocked_reply"
    MAX_TOKENS = "max_tokens"
    """Ended at the limit, without any content."""
    MAX_TOKENS_HALF = "max_tokens_half"
    """Ended at the limit in the middle of the words."""
    BAD_REQUEST = "bad_request"
    BAD_KEY = "bad_key"
    """The server says that the key is wrong, and repeats it in its words."""
    FORBIDDEN = "forbidden"
    DROPPED = "dropped"
    """The connection is closed without an answer."""


@dataclass(frozen=True, kw_only=True)
class Call:
    """One request as the server understood it."""

    number: int
    """From 1, of the calls that ask for words."""
    api: str
    """``gemini``, ``chat`` or ``responses``."""
    model: str
    text: str
    """All words of the request, in order, joined by newlines."""
    images: tuple[str, ...] = ()
    """Hashes of the pictures that came inline."""
    files: tuple[str, ...] = ()
    """Hashes of the files that came inline or were uploaded before."""
    settings: dict[str, Any] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    """``text``, ``image`` or ``file`` for each part."""


def says_yes(call: Call) -> str:
    """Answer as a checklist judge that likes everything."""
    return json.dumps({"reason": f"call about {len(call.text)} letters", "score": 7, "verdict": "yes"})


Answer = Callable[[Call], str]
Script = Callable[[Call], "Fault | tuple[Fault, float]"]


class FakeJudgeServer:
    """The server; a context manager that listens on 127.0.0.1 at a free port.

    Args:
        answer: what to say to a call.
        latency_s: how long each answer takes.
        faults: one for each asking call, in order of arrival; with a number of seconds where one belongs to it.
            After the last, all is well.
        rule: instead of `faults`, the fault by call.
        key: the only key that is let in; None lets everybody in.
        casing: ``camel`` or ``snake``, of the keys in Gemini's answers.
    """

    def __init__(
        self, *, answer: Answer = says_yes, latency_s: float = 0.0,
        faults: Iterable[Fault | tuple[Fault, float]] = (), rule: Script | None = None, key: str | None = KEY,
        casing: str = "camel", port: int = 0,
    ) -> None:  # fmt: skip
        self.answer, self.latency_s, self.rule, self.key, self.casing = answer, latency_s, rule, key, casing
        self.faults = list(faults)
        self.calls: list[Call] = []
        self.paths: list[str] = []
        """Method and path of everything that was asked for, uploads and deletions too."""
        self.headers: list[dict[str, str]] = []
        self.refused = 0
        """Asking calls with a wrong key."""
        self.uploaded: dict[str, bytes] = {}
        """What is kept by the Files API now, by name."""
        self.uploads = 0
        self.deleted: list[str] = []
        self.in_flight = self.most_in_flight = 0
        self.keep_calls = True
        self.n_calls = 0
        self._pending: dict[str, dict[str, str]] = {}
        self._port = port
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="fake judge server", daemon=True)
        self._lock = threading.Lock()

    def __enter__(self) -> FakeJudgeServer:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    @property
    def url(self) -> str:
        """The address without a path, as the Gemini client wants it."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def openai_url(self) -> str:
        """The address as the OpenAI client wants it."""
        return f"{self.url}/v1"

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", self._port, limit=2**26))
        self._port = server.sockets[0].getsockname()[1]
        self._ready.set()
        try:
            self._loop.run_forever()
        finally:
            server.close()
            for task in asyncio.all_tasks(self._loop):
                task.cancel()
            self._loop.run_until_complete(asyncio.sleep(0))
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, path, _ = head[0].split(" ", 2)
        headers = {
            name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)
        }
        body = await _body(reader, headers)
        with self._lock:
            self.paths.append(f"{method} {path.partition('?')[0]}")
            if self.keep_calls:
                self.headers.append(headers)
        return await self._route(method, path, headers, body, writer)

    async def _route(
        self, method: str, path: str, headers: dict[str, str], body: bytes, writer: asyncio.StreamWriter
    ) -> bool:
        plain_path = path.partition("?")[0]
        if plain_path.startswith("/upload/"):
            return await self._upload(plain_path, headers, body, writer)
        if method == "DELETE" and "/files/" in plain_path:
            name = "files/" + plain_path.rpartition("/")[2]
            known = self.uploaded.pop(name, None) is not None
            self.deleted.append(name)
            return await _send(writer, 200 if known else 404, {})
        if "/files/" in plain_path:
            name = "files/" + plain_path.rpartition("/")[2]
            return await _send(writer, 200, self._file(name))
        api = (
            "gemini" if ":generateContent" in plain_path
            else "chat" if plain_path.endswith("/chat/completions")
            else "responses" if plain_path.endswith("/responses")
            else ""
        )  # fmt: skip
        if not api:
            return await _send(writer, 404, {"error": {"message": f"no such path {plain_path}", "code": 404}})
        return await self._ask(api, plain_path, headers, body, writer)

    async def _ask(
        self, api: str, path: str, headers: dict[str, str], body: bytes, writer: asyncio.StreamWriter
    ) -> bool:
        given = headers.get("x-goog-api-key") or headers.get("authorization", "").removeprefix("Bearer ")
        with self._lock:
            self.n_calls += 1
            call = self._read(api, path, json.loads(body), self.n_calls)
            if self.keep_calls:
                self.calls.append(call)
            chosen = self.rule(call) if self.rule else self.faults.pop(0) if self.faults else Fault.NONE
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
        fault, seconds = chosen if isinstance(chosen, tuple) else (chosen, 0.3)
        if self.key is not None and given != self.key:
            self.refused += 1
            fault = Fault.BAD_KEY
        try:
            if self.latency_s:
                await asyncio.sleep(self.latency_s)
            return await self._answer(api, call, fault, seconds, given, writer)
        finally:
            with self._lock:
                self.in_flight -= 1

    async def _answer(
        self, api: str, call: Call, fault: Fault, seconds: float, given: str, writer: asyncio.StreamWriter
    ) -> bool:
        if fault is Fault.HANG:
            await asyncio.sleep(3600)
        if fault is Fault.DROPPED:
            return False
        refusal = _refusal(api, fault, seconds, given)
        if refusal is not None:
            status, value, extra = refusal
            return await _send(writer, status, value, extra)
        words = self.answer(call)
        value = _ANSWERS[api](call, words, fault)
        if api == "gemini" and self.casing == "snake":
            value = _snake_keys(value)
        data = json.dumps(value).encode()
        if fault is Fault.TORN_JSON:
            data = data[: len(data) // 2]
        if fault is Fault.SLOW_BYTES:
            writer.write(_head(200, len(data), {}))
            for position in range(len(data)):
                writer.write(data[position : position + 1])
                await writer.drain()
                await asyncio.sleep(seconds)
            return True
        return await _send(writer, 200, data)

    def _read(self, api: str, path: str, body: dict[str, Any], number: int) -> Call:
        if api == "gemini":
            model = re.sub(r".*/models/|:generateContent.*", "", path)
            parts = [_snake(part) for content in body.get("contents", []) for part in content.get("parts", [])]
            settings = _snake(body.get("generationConfig") or body.get("generation_config") or {})
            instruction = _snake(body).get("system_instruction")
            texts = [part["text"] for part in (instruction or {}).get("parts", []) if "text" in part]
            return self._call(number, api, model, parts, settings, texts)
        if api == "chat":
            parts = [part for message in body["messages"] for part in _chat_parts(message["content"])]
        else:
            parts = [part for message in body["input"] for part in _chat_parts(message["content"])]
        settings = {name: value for name, value in body.items() if name not in {"messages", "input", "model"}}
        return self._call(number, api, body["model"], parts, settings, [])

    def _call(
        self, number: int, api: str, model: str, parts: list[dict[str, Any]], settings: dict[str, Any],
        texts: list[str],
    ) -> Call:  # fmt: skip
        images, files, order = [], [], []
        for part in parts:
            kind, value = _kind_of(part)
            order.append(kind)
            if kind == "text":
                texts.append(value)
                continue
            if kind == "uploaded":
                order[-1] = "file"
                data = self.uploaded.get("files/" + value.rpartition("/")[2], b"")
                files.append(hashlib.sha256(data).hexdigest())
            elif self.keep_calls:
                digest = hashlib.sha256(base64.b64decode(value)).hexdigest()
                (images if kind == "image" else files).append(digest)
        return Call(
            number=number, api=api, model=model, text="\n".join(texts), images=tuple(images), files=tuple(files),
            settings=settings, order=tuple(order),
        )  # fmt: skip

    async def _upload(self, path: str, headers: dict[str, str], body: bytes, writer: asyncio.StreamWriter) -> bool:
        command = headers.get("x-goog-upload-command", "")
        if command == "start":
            name = f"files/f{len(self._pending) + 1}"
            self._pending[name] = _snake(json.loads(body)).get("file", {})
            return await _send(
                writer,
                200,
                {},
                {"X-Goog-Upload-URL": f"{self.url}/upload/put/{name}", "X-Goog-Upload-Status": "active"},
            )
        name = path.partition("/put/")[2]
        self.uploaded[name] = self.uploaded.get(name, b"") + body
        if "finalize" in command:
            self.uploads += 1
            return await _send(writer, 200, {"file": self._file(name)}, {"X-Goog-Upload-Status": "final"})
        return await _send(writer, 200, {}, {"X-Goog-Upload-Status": "active"})

    def _file(self, name: str) -> dict[str, Any]:
        mime = self._pending.get(name, {}).get("mime_type", "application/octet-stream")
        return {"name": name, "uri": f"{self.url}/v1/{name}", "mimeType": mime, "state": "ACTIVE",
                "sizeBytes": str(len(self.uploaded.get(name, b"")))}  # fmt: skip


def _refusal(api: str, fault: Fault, seconds: float, given: str) -> tuple[int, dict[str, Any], dict[str, str]] | None:
    """Return status, body and headers of a fault that is no answer; None where it is one."""
    gemini = api == "gemini"
    match fault:
        case Fault.RATE_INFO:
            details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{seconds:g}s"}]
            value = _error(gemini, 429, "RESOURCE_EXHAUSTED", "Too many requests.", details if gemini else [])
            return 429, value, {} if gemini else {"Retry-After": f"{seconds:g}"}
        case Fault.RATE_TEXT:
            words = f"Rate limit reached for requests. Please retry in {seconds:g}s."
            return 429, _error(gemini, 429, "RESOURCE_EXHAUSTED", words), {}
        case Fault.RATE_BARE:
            return 429, _error(gemini, 429, "RESOURCE_EXHAUSTED", "Too many requests."), {}
        case Fault.DAY_QUOTA:
            details = [{
                "@type": "type.googleapis.com/google.rpc.QuotaFailure",
                "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel", "quotaValue": "250"}],
            }, {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "1s"}]  # fmt: skip
            value = _error(gemini, 429, "RESOURCE_EXHAUSTED", "You exceeded your current quota.", details)
            if not gemini:
                value["error"]["code"] = "insufficient_quota"
            return 429, value, {}
        case Fault.OVERLOADED:
            return 503, _error(gemini, 503, "UNAVAILABLE", "The model is overloaded. Please try again later."), {}
        case Fault.BAD_REQUEST:
            return 400, _error(gemini, 400, "INVALID_ARGUMENT", "Unable to process input image."), {}
        case Fault.BAD_KEY:
            words = f"API key not valid: {given}. Please pass a valid API key."
            details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}]
            return (400 if gemini else 401), _error(gemini, 400, "INVALID_ARGUMENT", words, details), {}
        case Fault.FORBIDDEN:
            return 403, _error(gemini, 403, "PERMISSION_DENIED", f"The key {given} has no right to this model."), {}
    return None


def _error(gemini: bool, code: int, status: str, words: str, details: list[Any] | None = None) -> dict[str, Any]:
    if gemini:
        return {"error": {"code": code, "message": words, "status": status, "details": details or []}}
    return {"error": {"message": words, "type": "invalid_request_error" if code == 400 else "error", "code": None}}


def _gemini_answer(call: Call, words: str, fault: Fault) -> dict[str, Any]:
    usage = {"promptTokenCount": 100 + len(call.images) * 258, "candidatesTokenCount": 20, "totalTokenCount": 120,
             "thoughtsTokenCount": 7, "cachedContentTokenCount": 10}  # fmt: skip
    answer: dict[str, Any] = {
        "modelVersion": f"{call.model}-001",
        "usageMetadata": usage,
        "responseId": f"r{call.number}",
    }
    match fault:
        case Fault.NO_CANDIDATES:
            return answer
        case Fault.BLOCKED_PROMPT:
            return answer | {"promptFeedback": {"blockReason": "SAFETY"}}
        case Fault.BLOCKED_REPLY:
            ratings = [{"category": "HARM_CATEGORY_DANGEROUS_CONTENT", "probability": "HIGH", "blocked": True}]
            return answer | {"candidates": [{"finishReason": "SAFETY", "index": 0, "safetyRatings": ratings}]}
        case Fault.MAX_TOKENS:
            return answer | {"candidates": [{"finishReason": "MAX_TOKENS", "index": 0}]}
    half = fault is Fault.MAX_TOKENS_HALF
    content = {"role": "model", "parts": [{"text": words[: len(words) // 2] if half else words}]}
    return answer | {"candidates": [
        {"content": content, "finishReason": "MAX_TOKENS" if half else "STOP", "index": 0}
    ]}  # fmt: skip


def _chat_answer(call: Call, words: str, fault: Fault) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "id": f"c{call.number}", "object": "chat.completion", "created": 1, "model": f"{call.model}-001",
        "usage": {"prompt_tokens": 100 + len(call.images) * 258, "completion_tokens": 27, "total_tokens": 127,
                  "prompt_tokens_details": {"cached_tokens": 10}, "completion_tokens_details": {"reasoning_tokens": 7}},
    }  # fmt: skip
    message: dict[str, Any] = {"role": "assistant", "content": words}
    finish = "stop"
    match fault:
        case Fault.NO_CANDIDATES:
            return answer | {"choices": []}
        case Fault.BLOCKED_PROMPT:
            finish, message["content"] = "content_filter", None
        case Fault.BLOCKED_REPLY:
            message = {"role": "assistant", "content": None, "refusal": "I can't help with that."}
        case Fault.MAX_TOKENS:
            finish, message["content"] = "length", None
        case Fault.MAX_TOKENS_HALF:
            finish, message["content"] = "length", words[: len(words) // 2]
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
    if call.settings.get("logprobs"):
        likely = [{"token": "7", "logprob": -0.2, "bytes": None}, {"token": "6", "logprob": -1.9, "bytes": None}]
        choice["logprobs"] = {"content": [{"token": "7", "logprob": -0.2, "bytes": None, "top_logprobs": likely}]}
    return answer | {"choices": [choice]}


def _responses_answer(call: Call, words: str, fault: Fault) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "id": f"p{call.number}", "object": "response", "created_at": 1, "model": f"{call.model}-001",
        "status": "completed", "error": None, "incomplete_details": None, "parallel_tool_calls": False, "tools": [],
        "tool_choice": "auto",
        "usage": {"input_tokens": 100 + len(call.images) * 258, "output_tokens": 27, "total_tokens": 127,
                  "input_tokens_details": {"cached_tokens": 10}, "output_tokens_details": {"reasoning_tokens": 7}},
    }  # fmt: skip
    content: list[dict[str, Any]] = [{"type": "output_text", "text": words, "annotations": []}]
    match fault:
        case Fault.NO_CANDIDATES:
            return answer | {"output": []}
        case Fault.BLOCKED_PROMPT:
            return answer | {"output": [], "status": "incomplete", "incomplete_details": {"reason": "content_filter"}}
        case Fault.BLOCKED_REPLY:
            content = [{"type": "refusal", "refusal": "I can't help with that."}]
        case Fault.MAX_TOKENS:
            ended = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
            return answer | {"output": []} | ended
    return answer | {"output": [
        {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": content}
    ]}  # fmt: skip


_ANSWERS = {"gemini": _gemini_answer, "chat": _chat_answer, "responses": _responses_answer}


def _kind_of(part: dict[str, Any]) -> tuple[str, str]:
    """Return ``text``, ``image``, ``file`` or ``uploaded``, and its words, data or address."""
    if "inline_data" in part:
        data = part["inline_data"]
        return ("image" if data["mime_type"].startswith("image/") else "file"), data["data"].replace("-", "+").replace(
            "_", "/"
        )
    if isinstance(part.get("file_data"), dict):
        return "uploaded", part["file_data"]["file_uri"]
    kind = part.get("type", "text")
    if kind in {"text", "input_text"}:
        return "text", part["text"]
    if kind == "image_url":
        return "image", part["image_url"]["url"].partition(",")[2]
    if kind == "input_image":
        return "image", part["image_url"].partition(",")[2]
    if kind == "file":
        return "file", part["file"]["file_data"].partition(",")[2]
    if kind == "input_file":
        return "file", part["file_data"].partition(",")[2]
    raise ValueError(f"a part of an unknown kind: {sorted(part)}")


def _chat_parts(content: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _snake(value: Any) -> Any:
    """Return the value with every key in snake case, whichever of the two spellings it came in."""
    return _snake_keys(value)


def _snake_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", key).lower(): _snake_keys(part) for key, part in value.items()}
    return [_snake_keys(part) for part in value] if isinstance(value, list) else value


async def _body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if headers.get("transfer-encoding", "").lower() == "chunked":
        blocks = []
        while size := int((await reader.readline()).split(b";")[0], 16):
            blocks.append(await reader.readexactly(size))
            await reader.readline()
        await reader.readline()
        return b"".join(blocks)
    return await reader.readexactly(int(headers.get("content-length", 0)))


def _head(status: int, length: int, extra: dict[str, str]) -> bytes:
    lines = [
        f"HTTP/1.1 {status} {_REASONS.get(status, 'Status')}", "Content-Type: application/json",
        f"Content-Length: {length}", *(f"{name}: {value}" for name, value in extra.items()),
    ]  # fmt: skip
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def _send(
    writer: asyncio.StreamWriter, status: int, value: dict[str, Any] | bytes, extra: dict[str, str] | None = None
) -> bool:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    writer.write(_head(status, len(data), extra or {}) + data)
    await writer.drain()
    return True


def main() -> None:
    """Serve until standard input ends; the first line on standard output is the port."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--port", type=int, default=0)
    arguments = parser.parse_args()
    server = FakeJudgeServer(latency_s=arguments.latency, key=None, port=arguments.port)
    server.keep_calls = False
    with server:
        print(server.url.rpartition(":")[2], flush=True)
        try:
            while input() != "stop":
                print(server.n_calls, flush=True)
        except EOFError:
            pass


if __name__ == "__main__":
    main()
