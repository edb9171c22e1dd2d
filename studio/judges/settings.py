"""The settings of a judge: which there are, of what type, and which of them change an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from studio.errors import BadInput
from studio.model.judging import JudgeSetup

NUMBERS = {
    "temperature": (0.0, 2.0), "top_p": (0.0, 1.0), "timeout_s": (0.05, 3600.0),
    "requests_per_minute": (0.01, 1e6), "tokens_per_minute": (1.0, 1e9),
}  # fmt: skip
WHOLE_NUMBERS = {
    "seed": (0, 2**31 - 1), "max_output_tokens": (1, 1_000_000), "max_in_flight": (1, 512), "max_attempts": (1, 20),
    "top_logprobs": (0, 20), "top_k": (1, 1000),
}  # fmt: skip
CHOICES = {
    "api": ("chat", "responses"),
    "transfer": ("auto", "inline", "upload"),
    "safety": ("default", "off"),
    "media_resolution": ("low", "medium", "high"),
    "image_detail": ("auto", "low", "high"),
    "json": ("yes", "no"),
}
THINKING = ("none", "minimal", "low", "medium", "high", "xhigh")

UNCOUNTED = frozenset({
    "timeout_s", "max_in_flight", "max_attempts", "requests_per_minute", "tokens_per_minute", "transfer",
})  # fmt: skip
"""They say how fast, how long or by which way; the same words get the same answer."""

DEFAULT_TIMEOUT_S = 300.0
DEFAULT_IN_FLIGHT = 8
DEFAULT_ATTEMPTS = 5


def read_settings(words: Mapping[str, object]) -> dict[str, object]:
    """Return settings, given as text or as values, with their types.

    Raises:
        BadInput: for a setting that there is not, or a value that it cannot have.
    """
    return {name: _read(name, value) for name, value in words.items()}


def counted(setup: JudgeSetup) -> dict[str, object]:
    """Return the settings that are part of the judge's identity."""
    return {name: value for name, value in sorted(setup.settings.items()) if name not in UNCOUNTED}


def number(setup: JudgeSetup, name: str, default: float) -> float:
    """Return a setting that is a number."""
    return float(setup.settings.get(name, default))  # type: ignore[arg-type]


def _read(name: str, value: object) -> object:
    if name == "thinking":
        return _thinking(value)
    if name in CHOICES:
        word = str(value).lower()
        if word not in CHOICES[name]:
            raise _wrong(name, value, f"one of {', '.join(CHOICES[name])}")
        return word
    if name in WHOLE_NUMBERS:
        lowest, highest = WHOLE_NUMBERS[name]
        found = _number(value)
        if found is None or found != int(found) or not lowest <= found <= highest:
            raise _wrong(name, value, f"a whole number from {lowest} to {highest}")
        return int(found)
    if name in NUMBERS:
        least, most = NUMBERS[name]
        found = _number(value)
        if found is None or not least <= found <= most:
            raise _wrong(name, value, f"a number from {least:g} to {most:g}")
        return found
    known = ", ".join(sorted([*NUMBERS, *WHOLE_NUMBERS, *CHOICES, "thinking"]))
    raise BadInput(f"A judge has no setting {name}.", next_step=f"There are: {known}.")


def _thinking(value: object) -> object:
    word = str(value).lower()
    if word in THINKING:
        return word
    budget = _number(value)
    if budget is None or budget != int(budget) or not -1 <= budget <= 1_000_000:
        raise _wrong("thinking", value, f"one of {', '.join(THINKING)}, or a number of tokens")
    return int(budget)


def _number(value: Any) -> float | None:
    try:
        found = float(value)
    except (TypeError, ValueError):
        return None
    return found if found == found and abs(found) != float("inf") else None


def _wrong(name: str, value: object, wanted: str) -> BadInput:
    return BadInput(f"{name} cannot be {value}.", next_step=f"It is {wanted}.")
