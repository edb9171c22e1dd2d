"""Gemini through google-genai: pictures inline or uploaded once, replies read from the raw JSON."""

from __future__ import annotations

import io
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from studio.judges.call_loop import CallLoop
from studio.judges.gemini_reply import read_reply
from studio.judges.network import is_network_error, json_of
from studio.judges.part_bytes import Memory, mime_of, read_part
from studio.judges.redaction import Secret, redacted
from studio.judges.server_faults import refusal
from studio.judges.settings import DEFAULT_TIMEOUT_S, number
from studio.judges.uploads import UploadNotes, Uploads
from studio.model.judging import CallFailed, CallFault, FilePart, ImagePart, JudgeReply, JudgeRequest, JudgeSetup
from studio.model.protocols import CancelToken

_POLL_S = 0.5
"""How often a file that the server still works on is asked after."""


class GeminiClient:
    """Sends requests to the Gemini API; see `JudgeClient`.

    Args:
        setup: the judge.
        key: its key.
        notes: where uploads are noted until they are deleted, so that a later start can delete what a crash left.
        memory: the limit of file contents in memory, shared by all calls.
    """

    def __init__(
        self, setup: JudgeSetup, key: Secret, *, notes: UploadNotes | None = None, memory: Memory | None = None
    ) -> None:
        # Imported here: it takes seconds, and nobody needs it who has no such judge.
        from google import genai
        from google.genai import errors, types

        self._setup = setup
        self._key = key
        self._types, self._errors = types, errors
        self._limit_s = number(setup, "timeout_s", DEFAULT_TIMEOUT_S)
        self._transfer = str(setup.settings.get("transfer", "auto"))
        self._memory = memory or Memory()
        self._client = genai.Client(
            api_key=key.reveal(), vertexai=False,
            http_options=types.HttpOptions(
                base_url=setup.base_url or None,
                # In milliseconds; without it the library would wait for ever. Ours is shorter and counts all bytes.
                timeout=int((self._limit_s + 5) * 1000),
                retry_options=types.HttpRetryOptions(attempts=1),
            ),
        )  # fmt: skip
        self._loop = CallLoop("gemini calls")
        self._uploads = Uploads(notes, endpoint=setup.base_url)

    def ask(self, request: JudgeRequest, cancel: CancelToken) -> JudgeReply:
        """See `JudgeClient.ask`."""
        with self._memory.holding(request.parts, cancel):
            started = time.monotonic()
            body = self._loop.call(self._generate(request, cancel), limit_s=self._limit_s, cancel=cancel)
            return read_reply(json_of(body, self._key), latency_s=time.monotonic() - started)

    def close(self) -> None:
        """Delete what was uploaded and free the connections."""
        self._loop.close(self._finish())

    def delete_left_over(self) -> int:
        """Return how many files of programs that crashed were deleted from the server now."""
        names = self._uploads.left_over()
        if not names:
            return 0
        return self._loop.call(self._delete(names), limit_s=30.0, cancel=_Never())

    async def _generate(self, request: JudgeRequest, cancel: CancelToken) -> str:
        contents = await self._contents(request)
        answer = await self._sent(
            self._client.aio.models.generate_content(
                model=self._setup.model, contents=contents, config=self._config(request)
            )
        )
        return str(answer.sdk_http_response.body or "")

    async def _contents(self, request: JudgeRequest) -> Any:
        types = self._types
        parts = []
        for part in request.parts:
            if not isinstance(part, ImagePart | FilePart):
                parts.append(types.Part(text=part.text))
                continue
            if part.label:
                parts.append(types.Part(text=f"[{part.label}]"))
            if self._is_uploaded(part):
                name, mime = await self._uploads.once(part.sha256, lambda part=part: self._upload(part))  # type: ignore[misc]
                parts.append(types.Part(file_data=types.FileData(file_uri=name, mime_type=mime)))
            else:
                data = read_part(part)
                parts.append(types.Part(inline_data=types.Blob(data=data, mime_type=mime_of(data, part.mime))))
        return [types.Content(role="user", parts=parts)]

    def _is_uploaded(self, part: ImagePart | FilePart) -> bool:
        return self._transfer == "upload" or (self._transfer == "auto" and isinstance(part, FilePart))

    async def _upload(self, part: ImagePart | FilePart) -> tuple[str, str, str]:
        """Return the server's name for a file, its address and its kind. The file's own name is never sent."""
        data = read_part(part)
        mime = mime_of(data, part.mime)
        file = await self._sent(
            self._client.aio.files.upload(file=io.BytesIO(data), config={"mime_type": mime, "display_name": "part"})
        )
        self._uploads.note(file.name)
        while file.state is not None and file.state.name == "PROCESSING":
            import asyncio

            await asyncio.sleep(_POLL_S)
            file = await self._sent(self._client.aio.files.get(name=file.name))
        if file.state is not None and file.state.name == "FAILED":
            raise CallFailed(CallFault.BAD_REQUEST, f"The server could not read {part.label}.")
        return str(file.name), str(file.uri), mime

    def _config(self, request: JudgeRequest) -> Any:
        types, settings = self._types, self._setup.settings
        config = types.GenerateContentConfig(should_return_http_response=True)
        for name in ("temperature", "top_p", "top_k"):
            if name in settings:
                setattr(config, name, settings[name])
        if "seed" in settings:
            config.seed = int(settings["seed"]) + request.sample  # type: ignore[call-overload]
        limit = request.max_output_tokens or settings.get("max_output_tokens")
        if limit:
            config.max_output_tokens = limit
        if settings.get("json") == "yes":
            config.response_mime_type = "application/json"
        if "media_resolution" in settings:
            config.media_resolution = types.MediaResolution(
                f"MEDIA_RESOLUTION_{str(settings['media_resolution']).upper()}"
            )
        if "thinking" in settings:
            config.thinking_config = self._thinking(settings["thinking"])
        if settings.get("safety") == "off":
            names = ("HARASSMENT", "HATE_SPEECH", "SEXUALLY_EXPLICIT", "DANGEROUS_CONTENT")
            config.safety_settings = [
                types.SafetySetting(
                    category=types.HarmCategory(f"HARM_CATEGORY_{name}"),
                    threshold=types.HarmBlockThreshold("BLOCK_NONE"),
                )
                for name in names
            ]
        if request.wants_token_probabilities:
            config.response_logprobs = True
            config.logprobs = settings.get("top_logprobs", 10)
        return config

    def _thinking(self, value: object) -> Any:
        """Return a level for models that have levels, or a budget of tokens; "none" is a budget of 0."""
        if value == "none":
            return self._types.ThinkingConfig(thinking_budget=0)
        if isinstance(value, int):
            return self._types.ThinkingConfig(thinking_budget=value)
        return self._types.ThinkingConfig(thinking_level=self._types.ThinkingLevel(str(value).upper()))

    async def _sent(self, sending: Any) -> Any:
        """Return what the SDK returns; its errors come out classed, without the key and without its traceback."""
        try:
            return await sending
        except self._errors.APIError as error:
            headers = getattr(error.response, "headers", None) or {}
            failed = refusal(error.code or 500, error.details, headers, now=datetime.now(UTC))
        except CallFailed:
            raise
        except Exception as error:
            if not is_network_error(error):
                raise
            failed = CallFailed(CallFault.NETWORK, f"{type(error).__name__}: {error}")
        raise CallFailed(
            failed.fault, redacted(failed.message, [self._key]), retry_after_s=failed.retry_after_s
        ) from None

    async def _finish(self) -> None:
        try:
            await self._delete(self._uploads.names())
        finally:
            await self._client.aio.aclose()

    async def _delete(self, names: Mapping[str, object] | list[str]) -> int:
        deleted = 0
        for name in list(names):
            try:
                await self._sent(self._client.aio.files.delete(name=name))
                deleted += 1
            except CallFailed as error:
                if error.fault is not CallFault.BAD_REQUEST:
                    # It stays noted, and the next start tries again; the server drops it after two days by itself.
                    continue
            self._uploads.forget(name)
        return deleted


class _Never:
    def is_set(self) -> bool:
        return False

    def wait(self, timeout: float | None = None) -> bool:
        del timeout
        return False
