"""studio reflex build, train, score, evaluate; the lab stands in a file of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from studio.actions import reflex as actions
from studio.actions.reflex_grid import best_settings, read_grid, search_grid
from studio.cli.main import json_option
from studio.cli.opened import opened
from studio.cli.output import figure, note, print_json, print_table, say
from studio.cli.progress import cancel_on_interrupt
from studio.cli.reflex_lab import reflex_lab
from studio.cli.reflex_lora import reflex_finetune
from studio.cli.reflex_summaries import reflex_summarise
from studio.cli.reflex_tables import reflex_tables
from studio.model.reflex import ContentMetric
from studio.reflex.encoders import DEFAULT, ENCODERS
from studio.reflex.grid import GRID, row_json
from studio.reflex.training import Settings

_DATA = click.argument("data", type=click.Path(path_type=Path, exists=False))
_METRICS = click.option("--metric", "metrics", multiple=True, type=click.Choice([each.value for each in ContentMetric]),
                        help="Only this metric; may be repeated.")  # fmt: skip
_MODEL = click.option("--model", type=click.Path(path_type=Path),
                      help="A model file, or the name of a shipped one; the static one if left out.")  # fmt: skip
_ENCODERS = click.Choice(list(ENCODERS))
_ENCODER = click.option("--encoder", type=_ENCODERS, default=DEFAULT, show_default=True,
                        help="What turns words into vectors; the model is tied to it.")  # fmt: skip
_OF_MODEL = click.option("--encoder", type=_ENCODERS, default=None,
                         help="Refuse a model of another encoder; alone: the shipped model of this one.")  # fmt: skip

_FIGURES = ("spearman", "kendall", "within_deck", "heuristic", "length_only", "f1")


@click.group()
def reflex() -> None:
    """Score what slides say: coverage, redundancy, text–image alignment and flow, with what to change.

    Example: studio reflex score deck.pptx --source paper.pdf
    """


@reflex.command()
@_DATA
@click.option("--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder to write.")
@click.option("--part", default="", help="Only this part of a SciDuet-like folder, such as train.")
@click.option("--seed", default=0, show_default=True, help="Of the split.")
@click.option("--without-ends", is_flag=True, help="Also take decks without an opening or a closing slide.")
@click.option("--language", "languages", multiple=True, default=("en",), show_default=True, help="May be repeated.")
@json_option
def build(
    data: Path, out: Path, part: str, seed: int, without_ends: bool, languages: tuple[str, ...], as_json: bool
) -> None:
    """Choose decks to learn from: every rejected one with its reasons, the rest split 70:15:15.

    DATA is a SciDuet-like folder or a project.

    Example: studio reflex build sciduet --out dataset
    """
    decks = actions.all_decks(data, part)
    made = actions.build(decks, seed=seed, needs_ends=not without_ends, languages=languages)
    path = actions.write_dataset(made, out)
    value = {
        "path": str(path), "decks": len(made.decks), "parts": {name: len(ids) for name, ids in made.parts.items()},
        "rejected": [{"deck_id": each.deck_id, "reasons": list(each.reasons)} for each in made.rejected],
    }  # fmt: skip
    if as_json:
        print_json(value)
        return
    for each in made.rejected:
        note(f"{each.deck_id}: {'; '.join(each.reasons)}")
    say(f"{path}: {len(made.decks)} decks, {len(made.rejected)} rejected")


@reflex.command()
@_DATA
@click.option("--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="Model file to write.")
@click.option("--part", default="train", show_default=True, help="The part to learn from; all decks if empty.")
@click.option("--check-part", default="", help="A part, never learned from, on which the card's tables are made.")
@click.option("--seed", default=42, show_default=True, help="Of perturbations and fits.")
@click.option("--grid", "grid_file", type=click.Path(path_type=Path, dir_okay=False),
              help="Take the best settings of a table of reflex grid; the card keeps the table.")  # fmt: skip
@click.option("--licence", default="", help="Of the decks, for the card.")
@click.option("--remark", default="", help="For the card, such as how often the checked part was looked at.")
@_ENCODER
@_METRICS
@json_option
def train(
    data: Path,
    out: Path,
    part: str,
    check_part: str,
    seed: int,
    grid_file: Path | None,
    licence: str,
    remark: str,
    encoder: str,
    metrics: tuple[str, ...],
    as_json: bool,
) -> None:
    """Fit the scorers on decks made worse on purpose, and write them with their model card.

    Example: studio reflex train sciduet --part train --check-part val --out model.npz
    """
    decks = actions.read_data(data, part)
    check_on = actions.read_data(data, check_part) if check_part else []
    rows = read_grid(grid_file) if grid_file is not None else []
    with cancel_on_interrupt() as cancel:
        card = actions.train(
            decks, out, data=f"{data.name}, part {part or 'all'}", licence=licence, remark=remark, check_on=check_on,
            metrics=[ContentMetric(each) for each in metrics] or actions.ALL, settings=Settings(seed=seed),
            best=best_settings(rows, encoder) if grid_file is not None else None, grid=[row_json(row) for row in rows],
            encoder=encoder, cancel=cancel, tell=note,
        )  # fmt: skip
    if as_json:
        print_json({"model": str(out), "card": card})
        return
    say(f"{out}: learned from {card['n_decks']} decks")
    _print(card.get("means", []))


@reflex.command()
@_DATA
@click.option("--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="Table; goes on from it.")
@click.option("--part", default="train", show_default=True, help="The part to fit on.")
@click.option("--on", "on_part", default="evaluation", show_default=True, help="The part to compare on.")
@click.option("--try", "tries", multiple=True, metavar="NAME=V,V", help="Values of a setting; 81 combinations if none.")
@click.option("--seed", default=42, show_default=True, help="Of perturbations and fits.")
@_ENCODER
@_METRICS
@json_option
def grid(
    data: Path, out: Path, part: str, on_part: str, tries: tuple[str, ...], seed: int, encoder: str,
    metrics: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """Fit with every combination of settings and compare them on another part; a stopped search goes on.

    Example: studio reflex grid dataset --out grid.jsonl --try depth=2,3 --try leaf=3,6
    """
    with cancel_on_interrupt() as cancel:
        rows = search_grid(
            actions.read_data(data, part), actions.read_data(data, on_part), out, grid=_grid(tries) or GRID,
            metrics=[ContentMetric(each) for each in metrics] or actions.ALL, base=Settings(seed=seed), encoder=encoder,
            cancel=cancel, tell=note,
        )  # fmt: skip
    if as_json:
        print_json([row_json(row) for row in rows])
        return
    names = list(_grid(tries) or GRID)
    ordered = sorted(rows, key=lambda row: (row.metric.value, -(row.mean if row.mean is not None else -2)))
    print_table(
        ["Metric", *names, "mean ρ", "by ladder"],
        [[row.metric.value, *(f"{getattr(row.settings, name):g}" for name in names), figure(row.mean, 3),
          ", ".join(f"{name.replace('_', ' ')} {figure(rho, 3)}" for name, rho in row.by_variant.items())]
         for row in ordered], numbers=range(2, len(names) + 3),
    )  # fmt: skip


def _grid(tries: tuple[str, ...]) -> dict[str, tuple[float, ...]]:
    try:
        return {name.strip(): tuple(float(value) for value in values.split(","))
                for name, _, values in (each.partition("=") for each in tries)}  # fmt: skip
    except ValueError as error:
        raise click.UsageError("--try takes numbers, such as depth=2,3,4.") from error


@reflex.command()
@click.argument("deck", type=click.Path(path_type=Path))
@click.option("--source", type=click.Path(path_type=Path), help="What the deck was made from; coverage needs it.")
@_MODEL
@_OF_MODEL
@json_option
def score(deck: Path, source: Path | None, model: Path | None, encoder: str | None, as_json: bool) -> None:
    """Score a deck file, or every deck of a project, and say what to change.

    A project's scores are not stored by this command: studio metrics --metrics reflex.flow does that.

    Example: studio reflex score deck.pptx --source paper.pdf
    """
    scorer, card = actions.load_scorer(model, encoder or "")
    if (deck / "project.db").is_file():
        with opened(deck) as project:
            decks = actions.project_decks(project)
    else:
        decks = [actions.file_deck(deck, source)]
    rows = [{"deck_id": each.id} | actions.score_json(found) for each in decks for found in scorer.score_all(each)]
    if as_json:
        print_json(rows)
        return
    note(
        f"Model: {card['data']}; it knows {', '.join(scorer.languages) or 'no language'} and flags other ones. "
        "Nobody has compared these scores with people's yet."
    )
    print_table(
        ["Deck", "Metric", "Score", "Flags", "What to change"],
        [[row["deck_id"], row["metric"], figure(row["value"], 3), ", ".join(row["flags"]),
          row["undefined_reason"] or row["explanation"]]
         for row in rows], numbers=(2,),
    )  # fmt: skip


@reflex.command()
@_DATA
@click.option("--part", default="", help="A part that the model was not trained on, such as val.")
@click.option("--seeds", default="1,2,3", show_default=True, help="Of the perturbations.")
@_MODEL
@_OF_MODEL
@json_option
def evaluate(data: Path, part: str, seeds: str, model: Path | None, encoder: str | None, as_json: bool) -> None:
    """Print how well the scorers see what was made worse, beside the heuristics and the length alone.

    Example: studio reflex evaluate sciduet --part val
    """
    scorer, card = actions.load_scorer(model, encoder or "")
    try:
        numbers = [int(each) for each in seeds.split(",")]
    except ValueError as error:
        raise click.UsageError("--seeds takes whole numbers, such as 1,2,3.") from error
    decks = actions.read_data(data, part)
    with cancel_on_interrupt() as cancel:
        found = actions.evaluate(decks, scorer, seeds=numbers, cancel=cancel, tell=note)
    if as_json:
        print_json({"model": card | {"tables": None, "means": None, "cross_defects": None}} | found)
        return
    _print(found["means"])


reflex.add_command(reflex_lab)
reflex.add_command(reflex_finetune)
reflex.add_command(reflex_tables)
reflex.add_command(reflex_summarise)


def _print(rows: list[dict[str, Any]]) -> None:
    if rows:
        print_table(
            ["Metric", "Decks made worse", "n", "ρ", "τ", "within", "heuristic", "length only", "item F1"],
            [[row["metric"], row["variant"].replace("_", " "), row["n_decks"],
              *(figure(row[name], 3) for name in _FIGURES)]
             for row in rows], numbers=range(2, 9),
        )  # fmt: skip
