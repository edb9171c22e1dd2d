"""Words as vectors, offline: what an encoder is, and the default one, a packaged table of static embeddings."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from studio.errors import ToolMissing

Vectors = NDArray[np.float32]

_WEIGHTS = "l2_supercat_256.safetensors"
_MOST_TOKENS = 512
"""Of one text; more is cut."""


class Encoder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def id(self) -> str:
        """Name and version; models are tied to it."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one L2-normalised row for each text; a text without a known word is a row of zeros."""
        ...


class StaticEncoder:
    """Mean of static token embeddings, 256 dimensions (wordllama l2_supercat, MIT), made from English text.

    Raises:
        ToolMissing: if the package with the weights is not installed.
    """

    id = "wordllama-l2_supercat-256"

    def __init__(self) -> None:
        folder = _folder()
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        weights = load_file(folder / "weights" / _WEIGHTS)
        self._table = next(iter(weights.values())).astype(np.float32)
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizers" / "l2_supercat_tokenizer_config.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_MOST_TOKENS)
        self._known: dict[bytes, Vectors] = {}

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row for each text, shape (len(texts), 256)."""
        keys = [digest_of(text) for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if new:
            found = self._tokenizer.encode_batch([sound(text) for text in new.values()], add_special_tokens=False)
            for key, encoded in zip(new, found, strict=True):
                mean = self._table[encoded.ids].mean(axis=0) if encoded.ids else np.zeros(self._table.shape[1])
                self._known[key] = unit_rows(mean[None].astype(np.float32))[0]
        if not keys:
            return np.zeros((0, self._table.shape[1]), dtype=np.float32)
        return np.stack([self._known[key] for key in keys])


def why_no_encoder() -> str:
    """Return why the static word vectors are missing; empty if they are there."""
    try:
        weights = _folder() / "weights" / _WEIGHTS
    except ToolMissing as error:
        return str(error)
    return "" if weights.is_file() else f"The word vectors of REFLEX are missing: {_WEIGHTS}."


@lru_cache(maxsize=1)
def static_encoder() -> StaticEncoder:
    """Return the one static encoder of this process; loading takes some 0.2 s."""
    return StaticEncoder()


def digest_of(text: str) -> bytes:
    """Return the SHA-256 of a text, 32 bytes."""
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()


def sound(text: str) -> str:
    """Return a text that has bytes: question marks for lone surrogates."""
    return text.encode("utf-8", "replace").decode("utf-8")


def unit_rows(rows: Vectors) -> Vectors:
    """Return rows of length 1; rows of zeros stay."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def package_folder(name: str) -> Path | None:
    """Return the folder of an installed package, not imported; None if it is not installed."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def _folder() -> Path:
    folder = package_folder("wordllama")
    if folder is None:
        raise ToolMissing(
            "The word vectors of REFLEX are missing: the package wordllama is not installed.",
            next_step="Run make setup again.",
        )
    return folder
