"""What calls cost: a table of prices, the likely size of a request, and the real cost of a reply."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studio.errors import BadInput
from studio.judges.network import is_local
from studio.model.judging import FilePart, ImagePart, JudgeRequest, JudgeSetup, Part, TextPart, Usage

FILE_NAME = "prices.toml"

LIKELY_OUTPUT_TOKENS = 700
"""Of a reply with its reason, until the first replies of a run tell better."""

_VERSION = re.compile(r"-(?:\d|v\d|latest|preview|exp)", re.IGNORECASE)
_WIDE = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")


@dataclass(frozen=True, kw_only=True)
class Price:
    """What a model costs, in US dollars for a million tokens."""

    input: float
    output: float
    cached_input: float
    as_of: str
    """The day on which somebody saw it listed so; empty: nobody says to have looked."""
    note: str = ""
    entered: str = ""
    """The day on which it was typed in; empty: not known."""

    @property
    def origin(self) -> str:
        """Where the numbers come from, for people: no price here is read from a provider."""
        if not self.entered and not self.as_of and self.note and not (self.input or self.output):
            return self.note
        said = f"price entered by hand{f' on {self.entered}' if self.entered else ''}"
        said += f", seen so on {self.as_of}" if self.as_of else ""
        return f"{said}: check it with your provider{f' ({self.note})' if self.note else ''}"

    def cost(self, usage: Usage) -> float:
        """Return what a reply cost, in US dollars."""
        fresh = max(0, usage.input_tokens - usage.cached_input_tokens)
        tokens = fresh * self.input + usage.cached_input_tokens * self.cached_input + usage.output_tokens * self.output
        return tokens / 1e6


FREE = Price(input=0.0, output=0.0, cached_input=0.0, as_of="", note="on this machine: counted as free")
SCRIPTED = Price(input=0.0, output=0.0, cached_input=0.0, as_of="", note="scripted: nothing is asked of a model")


class PriceTable:
    """Prices by model."""

    def __init__(self, models: Mapping[str, Price]) -> None:
        self.models = dict(models)

    def of(self, setup: JudgeSetup) -> Price | None:
        """Return the price of a judge's model; None if it is not known.

        A model with a date or version behind its name costs what the name costs, unless it is listed itself.
        """
        if setup.provider == "scripted":
            return SCRIPTED
        name = setup.model.rpartition("/")[2]
        listed = [
            each
            for each in self.models
            if name == each or (name.startswith(each) and _VERSION.match(name[len(each) :]))
        ]
        if listed:
            return self.models[max(listed, key=len)]
        return FREE if setup.base_url and is_local(setup.base_url) else None


def read_prices(shipped: Path, own: Path) -> PriceTable:
    """Return the shipped prices with the user's own over them.

    Raises:
        BadInput: if the user's file cannot be read; the message names what is wrong.
    """
    models = _read(shipped)
    if own.is_file():
        models |= _read(own)
    return PriceTable(models)


def _read(path: Path) -> dict[str, Price]:
    try:
        with path.open("rb") as file:
            value = tomllib.load(file)
        return {name: _price(name, table) for name, table in value.get("models", {}).items()}
    except (OSError, tomllib.TOMLDecodeError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(
            f"The prices in {path.name} cannot be used: {error}.", next_step=f"Correct {path}, or remove it."
        ) from error


def _price(name: str, table: Mapping[str, Any]) -> Price:
    values = {}
    for field in ("input", "output", "cached_input"):
        value = table.get(field, table.get("input") if field == "cached_input" else None)
        if isinstance(value, bool) or not isinstance(value, int | float) or not (0 <= value < math.inf):
            raise ValueError(f"{name} has no {field} that is a price")
        values[field] = float(value)
    return Price(
        **values, as_of=str(table.get("as_of", "")), note=str(table.get("note", "")),
        entered=str(table.get("entered", "")),
    )  # fmt: skip


def estimated_input_tokens(request: JudgeRequest, *, provider: str = "openai") -> int:
    """Return about how many tokens a request is.

    Words by length (four letters a token, one for each Chinese, Japanese or Korean sign); pictures by the providers'
    published rules for their size. The first replies of a run tell how far off that is.
    """
    return sum(_tokens_of(part, provider) for part in request.parts)


def _tokens_of(part: Part, provider: str) -> int:
    if isinstance(part, TextPart):
        wide = len(_WIDE.findall(part.text))
        return wide + math.ceil((len(part.text) - wide) / 4)
    if isinstance(part, ImagePart):
        return picture_tokens(part.size_px or (1280, 720), provider)
    return 258 * _pages_of(part)


def _pages_of(part: FilePart) -> int:
    return part.pages or 10


def picture_tokens(size_px: tuple[int, int], provider: str) -> int:
    """Return how many tokens a picture is by the provider's published rule.

    Source: Gemini API, "Understand and count tokens": 258 up to 384 px, else 258 for each tile, tiles being squares
    of the shorter side over 1.5, 256 to 768 px. OpenAI, "Images and vision", GPT-4o: fitted into 2048 px, then the
    shorter side to 768 px, 170 for each tile of 512 px and 85 more.
    """
    width, height = size_px
    if provider == "gemini":
        if max(width, height) <= 384:
            return 258
        tile = min(768.0, max(256.0, math.floor(min(width, height) / 1.5)))
        return 258 * math.ceil(width / tile) * math.ceil(height / tile)
    scale = min(1.0, 2048 / max(width, height))
    scale *= min(1.0, 768 / (min(width, height) * scale))
    return 85 + 170 * math.ceil(width * scale / 512) * math.ceil(height * scale / 512)
