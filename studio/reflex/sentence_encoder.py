"""Texts as vectors by a network: each text read once, in batches, and kept if that is asked for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from studio.reflex.encoder import Vectors, digest_of, sound
from studio.reflex.vector_file import VectorFile

_BATCH = 64
"""Texts at a time; after each batch their vectors are kept."""
_MOST_KNOWN = 50_000
"""Texts in memory, some 80 MB; the oldest go first."""


class SentenceEncoder:
    """An encoder that asks a network for the texts that it has not seen yet.

    Args:
        id: name and version of the network and of how it is asked.
        width: length of its vectors.
        network: returns one unit row for each text, whatever texts stand beside it; zeros for a text that says
            nothing. It is handed at most 64 texts, of like lengths.
        most_chars: of one text; more is cut.
    """

    def __init__(self, id: str, width: int, network: Callable[[Sequence[str]], Vectors], most_chars: int) -> None:
        self.id = id
        self.width = width
        self._network = network
        self._most_chars = most_chars
        self._known: dict[bytes, Vectors] = {}
        self._kept: VectorFile | None = None
        # The window scores in a thread, and a network answers one at a time.
        self._turn = threading.Lock()

    def keep(self, path: Path) -> None:
        """Read vectors from this file from now on, and add new ones to it; other processes may do the same."""
        if self._kept is None or self._kept.path != path:
            self._kept = VectorFile(path, self.id, self.width)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row for each text, shape (len(texts), width)."""
        with self._turn:
            return self._encode(texts)

    def _encode(self, texts: Sequence[str]) -> Vectors:
        cut = [sound(text[: self._most_chars]) for text in texts]
        keys = [digest_of(text) for text in cut]
        found = {key: self._known[key] for key in keys if key in self._known}
        new = {key: text for key, text in zip(keys, cut, strict=True) if key not in found}
        if new and self._kept is not None:
            found |= self._kept.read(new)
            new = {key: text for key, text in new.items() if key not in found}
        # Texts of one length beside each other: a batch is as slow as its longest text.
        order = sorted(new, key=lambda key: len(new[key]))
        for start in range(0, len(order), _BATCH):
            batch = order[start : start + _BATCH]
            made = dict(zip(batch, self._network([new[key] for key in batch]), strict=True))
            found |= made
            if self._kept is not None:
                self._kept.add(made)
        self._remember(found)
        return np.stack([found[key] for key in keys]) if keys else np.zeros((0, self.width), dtype=np.float32)

    def _remember(self, found: dict[bytes, Vectors]) -> None:
        self._known |= found
        while len(self._known) > _MOST_KNOWN:
            del self._known[next(iter(self._known))]
