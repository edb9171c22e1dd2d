"""Any endpoint that speaks OpenAI's chat completions or responses, also on this machine."""

from __future__ import annotations

import base64
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from studio.judges.call_loop import CallLoop
from studio.judges.network import is_local, is_network_error, json_of
from studio.judges.openai_reply import read_chat, read_response
from studio.judges.part_bytes import Memory, mime_of, read_part
from studio.judges.redaction import Secret, redacted
from studio.judges.server_faults import refusal
from studio.judges.settings import DEFAULT_TIMEOUT_S, number
from studio.model.judging import CallFailed, CallFault, FilePart, ImagePart, JudgeReply, JudgeRequest, JudgeSetup, Part
from studio.model.protocols import CancelToken

OPENAI = "https://api.openai.com/v1"

LOCAL_SERVERS: Mapping[str, str] = {
    "Ollama": "http://127.0.0.1:11434/v1",
    "LM Studio": "http://127.0.0.1:1234/v1",
    "vLLM": "http://127.0.0.1:8000/v1",
    "llama.cpp": "http://127.0.0.1:8080/v1",
}
"""Where local servers listen unless told otherwise."""

_EXTENSIONS = {
    "application/pdf": "pdf", "application/vnd.ms-powerpoint": "ppt",
    "application/vnd.oasis.opendocument.presentation": "odp",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
}  # fmt: skip
_NO_KEY = "none"
"""Sent where the endpoint needs no key; the library wants one."""


class OpenAIClient:
    """Sends requests to an OpenAI-compatible endpoint; see `JudgeClient`."""

    def __init__(self, setup: JudgeSetup, key: Secret, *, memory: Memory | None = None) -> None:
        # Imported here: it takes a second, and nobody needs it who has no such judge.
        import httpx2
        import openai

        self._setup = setup
        self._key = key
        self._openai, self._response = openai, httpx2.Response
        self._limit_s = number(setup, "timeout_s", DEFAULT_TIMEOUT_S)
        self._uses_responses = setup.settings.get("api") == "responses"
        self._memory = memory or Memory()
        self._base_url = setup.base_url or OPENAI
        self._client = openai.AsyncOpenAI(
            api_key=key.reveal() or _NO_KEY, base_url=self._base_url, max_retries=0, timeout=self._limit_s + 5,
        )  # fmt: skip
        self._loop = CallLoop("openai calls")

    def ask(self, request: JudgeRequest, cancel: CancelToken) -> JudgeReply:
        """See `JudgeClient.ask`."""
        with self._memory.holding(request.parts, cancel):
            started = time.monotonic()
            body = self._responses_body(request) if self._uses_responses else self._chat_body(request)
            path = "/responses" if self._uses_responses else "/chat/completions"
            came = self._loop.call(self._post(path, body), limit_s=self._limit_s, cancel=cancel)
            answer = json_of(came, self._key)
            latency_s = time.monotonic() - started
        _raise_if_error(answer, self._key)
        return (read_response if self._uses_responses else read_chat)(answer, latency_s=latency_s)

    def close(self) -> None:
        """Free the connections; nothing is left on the server."""
        self._loop.close(self._client.close())

    async def _post(self, path: str, body: dict[str, Any]) -> bytes:
        try:
            # The answer is read by us: servers that are only nearly compatible are then no exception in the library.
            answer = await self._client.post(path, body=body, cast_to=self._response)
            return bytes(answer.content)
        except self._openai.APIStatusError as error:
            failed = refusal(error.status_code, _body_of(error.response), error.response.headers, now=datetime.now(UTC))
        except self._openai.APITimeoutError:
            failed = CallFailed(CallFault.TIMEOUT, f"no reply within {self._limit_s:g} s")
        except self._openai.APIConnectionError as error:
            cause = error.__cause__ or error
            failed = CallFailed(CallFault.NETWORK, f"{type(cause).__name__}: {cause}")
        except Exception as error:
            if not is_network_error(error):
                raise
            failed = CallFailed(CallFault.NETWORK, f"{type(error).__name__}: {error}")
        raise CallFailed(
            failed.fault, redacted(failed.message, [self._key]), retry_after_s=failed.retry_after_s
        ) from None

    def _chat_body(self, request: JudgeRequest) -> dict[str, Any]:
        settings = self._setup.settings
        parts = [part for each in request.parts for part in _chat_parts(each, settings)]
        is_text = all(part["type"] == "text" for part in parts)
        # Small servers that know text only often take nothing but a string here.
        content = "\n\n".join(part["text"] for part in parts) if is_text else parts
        body: dict[str, Any] = {"model": self._setup.model, "messages": [{"role": "user", "content": content}]}
        limit = request.max_output_tokens or settings.get("max_output_tokens")
        if limit:
            # The newer name is the only one that OpenAI's reasoning models take; others know just the older one.
            body["max_completion_tokens" if self._base_url == OPENAI else "max_tokens"] = limit
        if request.wants_token_probabilities:
            body |= {"logprobs": True, "top_logprobs": settings.get("top_logprobs", 20)}
        if "thinking" in settings:
            body["reasoning_effort"] = settings["thinking"]
        if settings.get("json") == "yes":
            body["response_format"] = {"type": "json_object"}
        return body | self._sampling(request)

    def _responses_body(self, request: JudgeRequest) -> dict[str, Any]:
        settings = self._setup.settings
        parts = [part for each in request.parts for part in _response_parts(each, settings)]
        body: dict[str, Any] = {
            "model": self._setup.model, "input": [{"role": "user", "content": parts}], "store": False,
        }  # fmt: skip
        limit = request.max_output_tokens or settings.get("max_output_tokens")
        if limit:
            body["max_output_tokens"] = limit
        if request.wants_token_probabilities:
            body |= {"include": ["message.output_text.logprobs"], "top_logprobs": settings.get("top_logprobs", 20)}
        if "thinking" in settings:
            body["reasoning"] = {"effort": settings["thinking"]}
        if settings.get("json") == "yes":
            body["text"] = {"format": {"type": "json_object"}}
        sampling = self._sampling(request)
        sampling.pop("seed", None)
        return body | sampling

    def _sampling(self, request: JudgeRequest) -> dict[str, Any]:
        settings = self._setup.settings
        chosen = {name: settings[name] for name in ("temperature", "top_p") if name in settings}
        if "seed" in settings:
            chosen["seed"] = int(settings["seed"]) + request.sample  # type: ignore[call-overload]
        return chosen


def needs_no_key(base_url: str) -> bool:
    """Return whether an endpoint may be asked without a key: any but OpenAI's own."""
    return bool(base_url) and (is_local(base_url) or base_url.rstrip("/") != OPENAI)


def _chat_parts(part: Part, settings: Mapping[str, object]) -> list[dict[str, Any]]:
    if isinstance(part, ImagePart):
        picture: dict[str, Any] = {"url": _data_url(part)}
        if "image_detail" in settings:
            picture["detail"] = settings["image_detail"]
        return [*_label(part, "text"), {"type": "image_url", "image_url": picture}]
    if isinstance(part, FilePart):
        file = {"filename": _file_name(part), "file_data": _data_url(part)}
        return [*_label(part, "text"), {"type": "file", "file": file}]
    return [{"type": "text", "text": part.text}]


def _response_parts(part: Part, settings: Mapping[str, object]) -> list[dict[str, Any]]:
    if isinstance(part, ImagePart):
        picture = {"type": "input_image", "image_url": _data_url(part)}
        if "image_detail" in settings:
            picture["detail"] = str(settings["image_detail"])
        return [*_label(part, "input_text"), picture]
    if isinstance(part, FilePart):
        file = {"type": "input_file", "filename": _file_name(part), "file_data": _data_url(part)}
        return [*_label(part, "input_text"), file]
    return [{"type": "input_text", "text": part.text}]


def _label(part: ImagePart | FilePart, kind: str) -> list[dict[str, Any]]:
    return [{"type": kind, "text": f"[{part.label}]"}] if part.label else []


def _data_url(part: ImagePart | FilePart) -> str:
    data = read_part(part)
    return f"data:{mime_of(data, part.mime)};base64,{base64.b64encode(data).decode('ascii')}"


def _file_name(part: FilePart) -> str:
    """Return a name for the server that says nothing of the user's own names, which may not be ASCII either."""
    return f"{part.sha256[:12]}.{_EXTENSIONS.get(part.mime, 'bin')}"


def _body_of(response: Any) -> object:
    try:
        return response.json()
    except Exception:
        return str(getattr(response, "text", ""))


def _raise_if_error(answer: Mapping[str, Any], key: Secret) -> None:
    """Raise for an error that came with status 200, as gateways send them."""
    if answer.get("error") and not answer.get("choices") and not answer.get("output"):
        error = answer["error"]
        code = error.get("code") if isinstance(error, Mapping) else None
        failed = refusal(code if isinstance(code, int) else 500, answer, {}, now=datetime.now(UTC))
        raise CallFailed(failed.fault, redacted(failed.message, [key]), retry_after_s=failed.retry_after_s)
