"""A judge that says what a file tells it to say, for tests and demos. It is no model, and is called so everywhere."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studio import paths
from studio.errors import BadInput
from studio.judges.pricing import estimated_input_tokens
from studio.model.judging import (
    CallFailed,
    CallFault,
    FilePart,
    ImagePart,
    JudgeReply,
    JudgeRequest,
    JudgeSetup,
    ReplyEnd,
    TextPart,
    TokenChoice,
    Usage,
)
from studio.model.protocols import CancelToken

FORMAT = "podium scripted judge"
DEMO = "demo"


@dataclass(frozen=True, kw_only=True)
class Line:
    """What is said when a request matches."""

    text: re.Pattern[str] | None
    """Found in the request's words; None: any words."""
    sha256: frozenset[str]
    """One of these pictures or files is in the request; empty: any."""
    replies: tuple[str, ...]
    """Taken in turn by the number of the repeat; more than one line of a script may match, the first counts."""
    end: ReplyEnd
    fault: CallFault | None

    def fits(self, words: str, contents: frozenset[str]) -> bool:
        """Return whether a request is meant by this line."""
        return (self.text is None or self.text.search(words) is not None) and (
            not self.sha256 or bool(self.sha256 & contents)
        )


class ScriptedClient:
    """Answers from a file; see `JudgeClient`.

    The file is JSON: ``{"format": "podium scripted judge", "lines": [{"text": regex, "sha256": [...],
    "replies": [...], "end": "complete", "fault": null}, …]}``. A reply that is no string is sent as JSON. In a
    reply, ``{{number:1:10}}`` stands for a whole number of that range and ``{{one of:yes|no}}`` for one of these
    words, the same for the same request. A request that no line fits fails its unit.
    """

    def __init__(self, setup: JudgeSetup) -> None:
        self.path = script_path(setup.model)
        self._lines = read_script(self.path)

    def ask(self, request: JudgeRequest, cancel: CancelToken) -> JudgeReply:
        """See `JudgeClient.ask`."""
        if cancel.is_set():
            raise CallFailed(CallFault.CANCELLED, "stopped")
        words = "\n".join(part.text for part in request.parts if isinstance(part, TextPart))
        files = [part for part in request.parts if isinstance(part, ImagePart | FilePart)]
        labels = "\n".join(part.label for part in files)
        contents = frozenset(part.sha256 for part in files)
        line = next((line for line in self._lines if line.fits(f"{words}\n{labels}", contents)), None)
        if line is None:
            raise CallFailed(CallFault.BAD_REQUEST, f"{self.path.name} has no line for this request.")
        if line.fault is not None:
            raise CallFailed(line.fault, f"{self.path.name} says that this call fails.")
        seed = hashlib.sha256("\x1f".join([words, *sorted(contents), str(request.sample)]).encode()).hexdigest()
        text = _filled(line.replies[request.sample % len(line.replies)], seed)
        usage = Usage(input_tokens=estimated_input_tokens(request), output_tokens=max(1, len(text) // 4))
        choice = (TokenChoice(token=text, logprob=0.0),) if request.wants_token_probabilities else ()
        return JudgeReply(
            text=text, end=line.end, usage=usage, raw={"scripted": self.path.name, "text": text}, tokens=choice,
            model=f"scripted {self.path.name}", why_blocked="scripted" if line.end is ReplyEnd.BLOCKED else "",
        )  # fmt: skip

    def close(self) -> None:
        """See `JudgeClient.close`."""


def script_path(model: str) -> Path:
    """Return the file of a scripted judge; ``demo`` is the one that comes with the demo, wherever the program runs.

    A file of that name is named ``./demo``: what lies in the current folder never decides who the demo's judge is.
    """
    return paths.demo_recipe_dir() / "scripted_judge.json" if model == DEMO else Path(model)


def read_script(path: Path) -> tuple[Line, ...]:
    """Return the lines of a scripted judge's file.

    Raises:
        BadInput: if there is no such file, or it is none; the message names the line.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(
            f"The scripted judge {path.name} cannot be read ({error.strerror}).", next_step="Check its path."
        ) from error
    except ValueError as error:
        raise BadInput(f"{path.name} is no JSON ({error}).", next_step="Correct it, then start again.") from error
    if not isinstance(value, dict) or value.get("format") != FORMAT or not isinstance(value.get("lines"), list):
        raise BadInput(
            f'{path.name} is no scripted judge: it has no "format": "{FORMAT}" with "lines".',
            next_step="See the help on judges for an example.",
        )
    return tuple(_line(each, f"{path.name}, line {number}") for number, each in enumerate(value["lines"], 1))


def script_hash(path: Path) -> str:
    """Return the hash of what the file says; a changed script is another judge."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise BadInput(
            f"The scripted judge {path.name} cannot be read ({error.strerror}).", next_step="Check its path."
        ) from error


def _line(value: Any, where: str) -> Line:
    try:
        replies = value.get("replies", [value["reply"]] if "reply" in value else [])
        line = Line(
            text=re.compile(value["text"], re.DOTALL) if value.get("text") else None,
            sha256=frozenset(value.get("sha256", ())),
            replies=tuple(each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in replies),
            end=ReplyEnd(value.get("end", "complete")), fault=CallFault(value["fault"]) if value.get("fault") else None,
        )  # fmt: skip
    except (AttributeError, KeyError, TypeError, ValueError, re.error) as error:
        raise BadInput(f"{where} cannot be used ({error}).", next_step="Correct it, then start again.") from error
    if not line.replies and line.fault is None:
        raise BadInput(f"{where} says nothing.", next_step='Give it "replies" or a "fault".')
    return line


def _filled(text: str, seed: str) -> str:
    def number(match: re.Match[str]) -> str:
        lowest, highest = int(match[1]), int(match[2])
        digest = int(hashlib.sha256(f"{seed}{match.start()}".encode()).hexdigest()[:12], 16)
        return str(lowest + digest % (highest - lowest + 1))

    def word(match: re.Match[str]) -> str:
        words = match[1].split("|")
        digest = int(hashlib.sha256(f"{seed}{match.start()}".encode()).hexdigest()[:12], 16)
        return words[digest % len(words)]

    filled = re.sub(r"\"?\{\{number:(\d+):(\d+)\}\}\"?", number, text)
    return re.sub(r"\{\{one of:([^{}]+)\}\}", word, filled)
