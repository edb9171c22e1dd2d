"""studio reflex finetune."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions.reflex import read_data
from studio.actions.reflex_lora import evaluate_finetuned, finetune
from studio.cli.main import json_option
from studio.cli.output import figure, note, print_json, print_table, say
from studio.cli.progress import cancel_on_interrupt
from studio.model.reflex import ContentMetric
from studio.reflex.lora import LoraSettings

_DEFAULT = LoraSettings()


@click.command("finetune")
@click.argument("data", type=click.Path(path_type=Path))
@click.option("--base", type=click.Path(path_type=Path, file_okay=False), help="Folder of a causal language model.")
@click.option("--metric", required=True, type=click.Choice([each.value for each in ContentMetric]), help="Which one.")
@click.option("--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder of the adapters.")
@click.option("--part", default="train", show_default=True, help="The part to learn from; all decks if empty.")
@click.option("--check-part", default="", help="A part, never learned from, on which tables are made.")
@click.option("--evaluate", "only_evaluate", is_flag=True, help="Learn nothing: measure --out on --check-part.")
@click.option("--epochs", default=_DEFAULT.epochs, show_default=True, type=click.IntRange(1))
@click.option("--batch", default=_DEFAULT.batch, show_default=True, type=click.IntRange(1))
@click.option("--learning-rate", default=_DEFAULT.learning_rate, show_default=True)
@click.option("--dropout", default=_DEFAULT.dropout, show_default=True)
@click.option("--weight-decay", default=_DEFAULT.weight_decay, show_default=True)
@click.option("--rank", default=_DEFAULT.rank, show_default=True, type=click.IntRange(1), help="Alpha is twice that.")
@click.option("--most-tokens", default=_DEFAULT.most_tokens, show_default=True, help="Of deck and document.")
@click.option("--seed", default=_DEFAULT.seed, show_default=True)
@json_option
def reflex_finetune(
    data: Path, base: Path | None, metric: str, out: Path, part: str, check_part: str, only_evaluate: bool,
    epochs: int, batch: int, learning_rate: float, dropout: float, weight_decay: float, rank: int, most_tokens: int,
    seed: int, as_json: bool,
) -> None:  # fmt: skip
    """Fine-tune a language model as the paper does: two LoRA adapters, explanation and score (extra lora).

    Example: studio reflex finetune dataset --base phi-3-mini --metric flow --out flow-lora --check-part test
    """
    chosen = ContentMetric(metric)
    check_on = read_data(data, check_part) if check_part else []
    with cancel_on_interrupt() as cancel:
        if only_evaluate:
            if not check_on:
                raise click.UsageError("--evaluate needs --check-part.")
            found = evaluate_finetuned(out, check_on, base=base, seeds=(1,), cancel=cancel, tell=note)
        else:
            if base is None:
                raise click.UsageError("Name the folder of a language model with --base.")
            settings = LoraSettings(
                rank=rank, alpha=2 * rank, dropout=dropout, epochs=epochs, batch=batch, learning_rate=learning_rate,
                weight_decay=weight_decay, most_tokens=most_tokens, seed=seed,
            )  # fmt: skip
            found = finetune(
                read_data(data, part), base, chosen, out, settings=settings, check_on=check_on, cancel=cancel, tell=note
            )
    if as_json:
        print_json({"adapters": str(out)} | found)
        return
    say(f"{out}: adapters for {metric}")
    rows = found.get("means", [])
    if rows:
        print_table(
            ["Decks made worse", "n", "ρ", "heuristic", "length only", "item F1"],
            [[row["variant"], row["n_decks"], *(figure(row[name], 3) for name in
              ("spearman", "heuristic", "length_only", "f1"))] for row in rows], numbers=range(1, 6),
        )  # fmt: skip
