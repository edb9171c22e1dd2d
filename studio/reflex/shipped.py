"""The models that come with the studio, and scorers from model files."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from studio.errors import BadInput
from studio.paths import resource
from studio.reflex.encoder import StaticEncoder
from studio.reflex.encoders import DEFAULT, ENCODERS, encoder_named, kind_of
from studio.reflex.model_file import load
from studio.reflex.scorer import Scorer

SHIPPED = {DEFAULT: "models/reflex-sciduet.npz", "multilingual": "models/reflex-sciduet-multilingual.npz"}
"""Name of the encoder → the model that was trained with it."""


def shipped_model(encoder: str = DEFAULT) -> Path:
    """Return the file of the model that comes with an encoder; its card says what it was trained on.

    Raises:
        BadInput: if none does.
    """
    if encoder not in SHIPPED:
        raise BadInput(
            f"No model with the encoder {encoder} comes with the studio.",
            next_step=f"Train one: studio reflex train DATA --encoder {encoder} --out FILE.npz",
        )
    return resource(SHIPPED[encoder])


def model_file(model: Path | None = None, encoder: str = "") -> Path:
    """Return the model file that is meant.

    Args:
        model: a file, or the name of a shipped model; the shipped one of the encoder if left out.
        encoder: name of the encoder; the default one if empty.
    """
    if model is None:
        return shipped_model(encoder or DEFAULT)
    return shipped_model(str(model)) if str(model) in SHIPPED and not model.exists() else model


@lru_cache(maxsize=2)
def scorer_of(path: Path | None = None, encoder: str = "") -> Scorer:
    """Return the scorer of a model file, with the encoder that it was trained with; kept for the life of the process.

    Args:
        path: see `model_file`.
        encoder: name of the encoder that is wanted; the file's own if empty.

    Raises:
        BadInput: if the file is no model, or was trained with another encoder than the one that is wanted.
        ToolMissing: if the encoder is not installed.
    """
    found = model_file(path, encoder)
    models, card = load(found)
    kind = kind_of(str(card.get("encoder", StaticEncoder.id)), found.name)
    if encoder and encoder != kind.name:
        raise BadInput(
            f"{found.name} was trained with the encoder {kind.name}, not {encoder}.",
            next_step=f"Leave --encoder out, or train one: studio reflex train DATA --encoder {encoder}",
        )
    languages = tuple(str(card.get("language", "en")).split(","))
    return Scorer(models, encoder_named(kind.name), languages, reads_others=ENCODERS[kind.name].reads_many_languages)


@lru_cache(maxsize=4)
def model_digest(path: Path | None = None) -> str:
    """Return the SHA-256 of a model file, by default the shipped one: scores of another model are other scores.

    Raises:
        BadInput: if it cannot be read.
    """
    found = model_file(path)
    try:
        return hashlib.sha256(found.read_bytes()).hexdigest()
    except OSError as error:
        raise BadInput(f"{found.name} cannot be read: {error.strerror}.", next_step="Choose another model.") from error
