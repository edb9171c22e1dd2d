"""Models on disk: arrays and a card in one file; nothing in it can run."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from studio.errors import BadInput
from studio.model.reflex import ContentMetric
from studio.reflex.flow import FlowParts
from studio.reflex.forest import Forest
from studio.reflex.order import FEATURES, OrderWeights
from studio.reflex.training import MetricModel

FORMAT = 2
"""1: without the encoder beside each scorer, only in the card."""
_MOST_BYTES = 200 << 20
_PARTS = ("position", "successor", "mean", "scale")
_ORDER = ("with_source", "without_source")


def save(path: Path, models: Mapping[ContentMetric, MetricModel], card: Mapping[str, Any]) -> None:
    """Write models and their card, complete or not at all."""
    arrays: dict[str, np.ndarray] = {}
    about: dict[str, Any] = {}
    for metric, model in models.items():
        name = metric.value
        for part in ("boosting", "extra", "items"):
            forest: Forest = getattr(model, part)
            arrays |= forest.arrays(f"{name}.{part}")
        if model.parts is not None:
            arrays |= {f"{name}.flow.{part}": getattr(model.parts, part) for part in _PARTS}
        if model.order is not None:
            arrays |= {f"{name}.order.{part}": getattr(model.order, part) for part in _ORDER}
        about[name] = {"threshold": model.threshold, "n_decks": model.n_decks, "n_samples": model.n_samples,
                       "encoder": model.encoder}  # fmt: skip
    head = json.dumps({"format": FORMAT, "models": about, "card": dict(card)}, ensure_ascii=False).encode()
    arrays["head"] = np.frombuffer(head, dtype=np.uint8)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.part")
    with beside.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    beside.replace(path)


def load(path: Path) -> tuple[dict[ContentMetric, MetricModel], dict[str, Any]]:
    """Return models and their card. Nothing in the file is executed, whoever made it.

    Raises:
        BadInput: if it is missing, damaged, too large, or of a newer format.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(member.file_size for member in archive.infolist()) > _MOST_BYTES:
                raise BadInput(f"{path.name} is too large for a REFLEX model.", next_step="Get the file again.")
        with np.load(path, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        head = json.loads(arrays["head"].tobytes().decode())
        if head["format"] > FORMAT:
            raise BadInput(f"{path.name} was made by a newer version.", next_step="Update Podium Studio.")
        card = dict(head["card"])
        models = {}
        for name, about in head["models"].items():
            parts = None
            if f"{name}.flow.position" in arrays:
                parts = FlowParts(**{part: arrays[f"{name}.flow.{part}"].astype(np.float64) for part in _PARTS})
            forests = {part: Forest.from_arrays(f"{name}.{part}", arrays) for part in ("boosting", "extra", "items")}
            metric = ContentMetric(name)
            models[metric] = MetricModel(
                metric=metric, parts=parts, threshold=float(about["threshold"]), n_decks=int(about["n_decks"]),
                n_samples=int(about["n_samples"]), encoder=str(about.get("encoder", card.get("encoder", ""))),
                order=_order_of(name, arrays), **forests,
            )  # fmt: skip
        return models, card
    except FileNotFoundError as error:
        raise BadInput(f"There is no model {path.name}.", next_step="Train one with studio reflex train.") from error
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise BadInput(
            f"{path.name} is no REFLEX model: {error}.", next_step="Train it anew or get it again."
        ) from error


def _order_of(name: str, arrays: Mapping[str, np.ndarray]) -> OrderWeights | None:
    """Return the weights of moves; None in a file that was written before they were learned."""
    if f"{name}.order.{_ORDER[0]}" not in arrays:
        return None
    got = {part: arrays[f"{name}.order.{part}"].astype(np.float64) for part in _ORDER}
    if any(each.shape != (len(FEATURES) + 2,) for each in got.values()):
        raise ValueError("its weights of moves do not fit")
    return OrderWeights(**got)


__all__ = ["FORMAT", "load", "save"]
