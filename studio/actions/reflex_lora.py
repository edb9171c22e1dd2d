"""Fine-tuning a language model as a content scorer, with the optional extra ``lora`` (decision 40)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from studio.actions.reflex import evaluate
from studio.errors import BadInput
from studio.model.protocols import CancelToken
from studio.model.reflex import ContentMetric, DeckObject
from studio.reflex.lora import LoraScorer, LoraSettings

Tell = Callable[[str], None]


def finetune(
    decks: Sequence[DeckObject],
    base: Path,
    metric: ContentMetric,
    out: Path,
    *,
    settings: LoraSettings,
    check_on: Sequence[DeckObject] = (),
    seeds: Sequence[int] = (1,),
    cancel: CancelToken | None = None,
    tell: Tell = lambda _: None,
) -> dict[str, Any]:
    """Train the two adapters of one metric, write them, and return the tables of the checked decks, if there are any.

    Args:
        decks: to learn from.
        base: folder of a causal language model.
        metric: what it will score.
        out: folder to write; must not exist.
        settings: of adapters and training.
        check_on: decks that are not learned from.
        seeds: of their perturbations.
        cancel: looked at between batches.
        tell: told what goes on.

    Raises:
        BadInput: if the output is there, the base is no model, or no deck can be made worse.
        ToolMissing: if the extra is not installed.
        Cancelled: if it was stopped; nothing is written then.
    """
    if out.exists():
        raise BadInput(f"{out.name} is there already.", next_step="Choose another name.")
    scorer = LoraScorer(base, metric, settings).fit(decks, cancel=cancel, tell=tell)
    out.mkdir(parents=True)
    scorer.save(out)
    return evaluate(check_on, scorer, seeds=seeds, cancel=cancel, tell=tell) if check_on else {}


def evaluate_finetuned(
    folder: Path, decks: Sequence[DeckObject], *, base: Path | None = None, seeds: Sequence[int],
    cancel: CancelToken | None = None, tell: Tell = lambda _: None,
) -> dict[str, Any]:  # fmt: skip
    """Return the tables of a scorer that `finetune` wrote; see `evaluate`.

    Raises:
        BadInput: if the folder holds no such scorer.
        ToolMissing: if the extra is not installed.
    """
    return evaluate(decks, LoraScorer.load(folder, base), seeds=seeds, cancel=cancel, tell=tell)
