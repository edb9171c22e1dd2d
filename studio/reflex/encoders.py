"""The encoders by name and by the id that model files keep."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from studio.errors import BadInput
from studio.paths import data_dir
from studio.reflex import minilm, multilingual
from studio.reflex.encoder import Encoder, StaticEncoder, static_encoder, why_no_encoder
from studio.reflex.sentence_encoder import SentenceEncoder

DEFAULT = "static"


@dataclass(frozen=True, kw_only=True)
class EncoderKind:
    """One encoder before it is loaded."""

    name: str
    id: str
    """Of its vectors; model files keep it."""
    about: str
    load: Callable[[], Encoder]
    why_missing: Callable[[], str]
    """Returns why it cannot be loaded, with a next step; empty if it can."""
    reads_many_languages: bool = False


ENCODERS: dict[str, EncoderKind] = {
    each.name: each
    for each in (
        EncoderKind(
            name=DEFAULT, id=StaticEncoder.id, about="English word vectors",
            load=static_encoder, why_missing=why_no_encoder,
        ),
        EncoderKind(
            name="minilm", id=minilm.ID, about="English sentences, all-MiniLM-L6-v2",
            load=minilm.minilm_encoder, why_missing=minilm.why_no_minilm,
        ),
        EncoderKind(
            name="multilingual", id=multilingual.ID,
            about="many languages, multilingual-e5-small",
            load=multilingual.multilingual_encoder, why_missing=multilingual.why_no_multilingual,
            reads_many_languages=True,
        ),
    )
}  # fmt: skip
"""Name → encoder, the default first."""


@cache
def encoder_named(name: str) -> Encoder:
    """Return the one encoder of this name in this process.

    Raises:
        BadInput: if there is none.
        ToolMissing: if its package is not installed.
    """
    if name not in ENCODERS:
        raise BadInput(f"There is no encoder {name!r}.", next_step=f"Choose one of {', '.join(ENCODERS)}.")
    return ENCODERS[name].load()


def kind_of(id: str, model: str) -> EncoderKind:
    """Return the encoder whose id a model file keeps.

    Args:
        id: as the file has it.
        model: what to call the file.

    Raises:
        BadInput: if this version has no such encoder.
    """
    found = next((kind for kind in ENCODERS.values() if kind.id == id), None)
    if found is None:
        raise BadInput(
            f"{model} was trained with the encoder {id or 'of no name'!r}, which is not known here.",
            next_step="Update Podium Studio, or train it anew.",
        )
    return found


def keep_vectors(encoder: Encoder) -> None:
    """Let an encoder that is slow keep its vectors among the user's data, for whoever trains or evaluates again."""
    if isinstance(encoder, SentenceEncoder):
        encoder.keep(data_dir() / "vectors" / f"{encoder.id}.vectors")
