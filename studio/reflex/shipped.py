"""The model that comes with the studio."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from studio.paths import resource
from studio.reflex.encoder import static_encoder
from studio.reflex.model_file import load
from studio.reflex.scorer import Scorer

NAME = "models/reflex-sciduet.npz"


def shipped_model() -> Path:
    """Return the file of the default model; its card says what it was trained on."""
    return resource(NAME)


@lru_cache(maxsize=2)
def scorer_of(path: Path | None = None) -> Scorer:
    """Return the scorer of a model file, by default the shipped one; kept for the life of the process.

    Raises:
        BadInput: if the file is no model.
        ToolMissing: if the word vectors are not installed.
    """
    models, card = load(path or shipped_model())
    languages = tuple(str(card.get("language", "en")).split(","))
    return Scorer(models, static_encoder(), languages)


@lru_cache(maxsize=1)
def model_digest() -> str:
    """Return the SHA-256 of the shipped model: scores of another model are other scores."""
    return hashlib.sha256(shipped_model().read_bytes()).hexdigest()
