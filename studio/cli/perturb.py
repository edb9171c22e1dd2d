"""studio perturb."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions.perturb import perturb_file, recipe_json
from studio.cli.main import json_option
from studio.cli.output import print_json, say
from studio.model.reflex import ContentMetric, Variant


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--metric", required=True, type=click.Choice([each.value for each in ContentMetric]),
              help="What is made worse.")  # fmt: skip
@click.option("--degree", required=True, type=click.IntRange(1, 4), help="How much: 20 % of the slides each.")
@click.option("--seed", default=0, show_default=True, help="Of chance; the same seed makes the same deck.")
@click.option("--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder for the deck.")
@click.option("--source", type=click.Path(path_type=Path), help="What the deck was made from; coverage needs it.")
@click.option("--variant", default="plain", show_default=True, type=click.Choice(["plain", "length-matched"]),
              help="length-matched: copies overwrite other slides.")  # fmt: skip
@json_option
def perturb(
    file: Path, metric: str, degree: int, seed: int, out: Path, source: Path | None, variant: str, as_json: bool
) -> None:
    """Write one worse deck into a folder, and the recipe beside it.

    coverage takes topics out, redundancy shows slides twice, alignment swaps images, flow swaps places.

    Example: studio perturb deck.pptx --metric flow --degree 2 --seed 7 --out worse
    """
    made = perturb_file(
        file, out, ContentMetric(metric), degree=degree, seed=seed, source=source,
        variant=Variant(variant.replace("-", "_")),
    )  # fmt: skip
    if as_json:
        print_json({"deck": str(made.path), "recipe": recipe_json(made.recipe)})
        return
    say(f"{made.path}: {metric}, degree {degree}, picked {', '.join(str(each) for each in made.recipe.picked)}")
