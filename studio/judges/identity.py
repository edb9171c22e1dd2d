"""Which judge it is, and which request: equal keys mean that the same was asked of the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from studio.judges.network import is_local
from studio.judges.scripted import script_hash
from studio.judges.settings import counted
from studio.model.judging import FilePart, ImagePart, JudgeRequest, JudgeSetup, Part, TextPart

INLINE_TEXT = 400
"""Longer texts are stored once by their hash."""


def judge_version(setup: JudgeSetup) -> str:
    """Return 16 hex digits that name a judge with all that changes its answers; never with its key.

    All ports of this machine are one endpoint: a local server started anew is the same judge.
    """
    model = script_hash(Path(setup.model)) if setup.provider == "scripted" else setup.model
    return _hash([setup.provider, model, _endpoint(setup.base_url), counted(setup)])[:16]


def request_key(version: str, request: JudgeRequest) -> str:
    """Return the key of what was asked of a judge, 64 hex digits."""
    parts = [_key_of(part) for part in request.parts]
    return _hash([
        version, parts, request.prompt_version, request.max_output_tokens, request.wants_token_probabilities,
        request.sample,
    ])  # fmt: skip


def request_json(request: JudgeRequest) -> tuple[dict[str, object], dict[str, str]]:
    """Return a request as it is stored, and its long texts by hash; of pictures and files the hashes, not the bytes."""
    texts: dict[str, str] = {}
    parts: list[dict[str, object]] = []
    for part in request.parts:
        if isinstance(part, TextPart):
            if len(part.text) <= INLINE_TEXT:
                parts.append({"text": part.text})
            else:
                digest = _text_hash(part.text)
                texts[digest] = part.text
                parts.append({"text_sha256": digest})
        elif isinstance(part, ImagePart):
            parts.append({"image": part.sha256, "label": part.label, "mime": part.mime, "size_px": part.size_px})
        else:
            parts.append({"file": part.sha256, "label": part.label, "mime": part.mime, "pages": part.pages})
    value: dict[str, object] = {
        "parts": parts, "prompt_version": request.prompt_version, "max_output_tokens": request.max_output_tokens,
        "wants_token_probabilities": request.wants_token_probabilities, "sample": request.sample,
    }  # fmt: skip
    return value, texts


def files_of(requests: Sequence[JudgeRequest]) -> dict[str, Path]:
    """Return where each picture and file of the requests lies, by hash."""
    return {
        part.sha256: part.path
        for request in requests
        for part in request.parts
        if isinstance(part, ImagePart | FilePart)
    }


def _key_of(part: Part) -> list[object]:
    if isinstance(part, TextPart):
        return ["text", _text_hash(part.text)]
    if isinstance(part, ImagePart):
        return ["image", part.sha256, part.label]
    return ["file", part.sha256, part.label]


def _endpoint(base_url: str) -> str:
    if not base_url:
        return ""
    if is_local(base_url):
        return "local"
    address = urlsplit(base_url)
    return f"{address.scheme}://{address.netloc.rpartition('@')[2]}{address.path}".rstrip("/")


def _text_hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _hash(value: object) -> str:
    return hashlib.sha256(
        json.dumps(value, sort_keys=True, ensure_ascii=True, allow_nan=False, default=str).encode()
    ).hexdigest()
