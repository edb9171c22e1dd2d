"""studio judge."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from studio import paths
from studio.actions import judge_quality, judging
from studio.actions.judge_wish import EXECUTORS, JudgeWish, read_wish, with_decks
from studio.cli.main import EXIT_BAD_INPUT, EXIT_OK, exit_code, json_option
from studio.cli.opened import opened, tools
from studio.cli.output import figure, note, print_json, print_table, say
from studio.cli.progress import cancel_on_interrupt, shown_progress
from studio.errors import BadInput
from studio.judges.pricing import FILE_NAME
from studio.model.events import RunEnded
from studio.model.judging import DECK_PROTOCOLS
from studio.model.runs import RunState


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--judge", "judge_id", help="gemini:MODEL, openai:MODEL, code, scripted:FILE, or a name of the project.")
@click.option(
    "--protocol",
    type=click.Choice([each.value for each in DECK_PROTOCOLS]),
    default="checklist",
    show_default=True,
    help="How the judge is asked.",
)
@click.option("--dry-run", is_flag=True, help="Print units, cached units and price; ask nothing.")
@click.option("--budget", type=click.FloatRange(min=0.0), metavar="USD", help="Pause when this much is spent.")
@click.option("--budget-tokens", type=click.IntRange(min=1), metavar="N", help="Pause when so many tokens are used.")
@click.option(
    "--first", type=click.IntRange(min=1), metavar="N", help="Ask so many units only: a sample for the price."
)
@click.option("--base-url", default="", help="Another endpoint: its address, or ollama, lmstudio, vllm, llama.cpp.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting of the judge (temperature, seed, thinking, max_in_flight …) or of the protocol "
    "(input=text, batch=10, geval=samples, samples=20, pairs=share, share=0.6, pairs=swiss, rounds=4, criteria=…, "
    "asks=5, compat=yes, sensitivity=yes).",
)
@click.option("--items", multiple=True, help="Only these checklist items; separated by commas or given again.")
@click.option("--decks", multiple=True, help="Only these decks: ids, systems, INSTANCE/SYSTEM or instances.")
@click.option("--repeats", type=click.IntRange(1, 1000), help="Ask everything so often.")
@click.option("--executor", type=click.Choice(EXECUTORS), default="threads", show_default=True)
@click.option("--scheduler", default="", metavar="ADDRESS", help="Of a Dask cluster, such as tcp://host:8786.")
@click.option("--force", is_flag=True, help="Ask again what has a verdict.")
@click.option("--quality", is_flag=True, help="Print how judges agree with themselves, and their biases; ask nothing.")
@json_option
def judge(
    project: Path,
    judge_id: str | None,
    protocol: str,
    dry_run: bool,
    budget: float | None,
    budget_tokens: int | None,
    first: int | None,
    base_url: str,
    settings: tuple[str, ...],
    items: tuple[str, ...],
    decks: tuple[str, ...],
    repeats: int | None,
    executor: str,
    scheduler: str,
    force: bool,
    quality: bool,
    as_json: bool,
) -> int:
    """Let a judge say what it thinks of a project's decks; what was asked before is not asked again.

    Keys come from the environment (GEMINI_API_KEY, OPENAI_API_KEY) or the system's keyring, never from here.

    Example: studio judge my-study --judge openai:MODEL --protocol rating --dry-run
    """
    if quality:
        return _print_quality(project, judge_id, as_json=as_json)
    if judge_id is None:
        raise click.UsageError("Name a judge with --judge.")
    if executor == "dask" and not scheduler:
        raise click.UsageError("--executor dask needs --scheduler.")
    item_ids, deck_names = _split(items), _split(decks)
    with opened(project, must_write=True) as target, cancel_on_interrupt() as cancel, shown_progress() as progress:
        wish = read_wish(
            judge_id, protocol=protocol, base_url=base_url, settings=settings, project=target, repeats=repeats,
            budget_usd=budget, budget_tokens=budget_tokens, first=first, item_ids=item_ids, executor=executor,
            scheduler=scheduler, force=force,
        )  # fmt: skip
        wish = with_decks(target, wish, deck_names)
        if dry_run:
            found = judging.preview(target, wish, tools=tools(), emit=progress, cancel=cancel)
            _print_preview(wish, found, as_json=as_json)
            return EXIT_OK
        ended, _ = judging.start_judging(target, wish, tools=tools(), emit=progress, cancel=cancel)
        told = judging.summary(target, ended)
    return print_ended(ended, told, as_json=as_json)


def print_ended(ended: RunEnded, told: dict[str, Any], *, as_json: bool) -> int:
    """Print what a judge run came to, and return the exit code; a wrong key is the user's input and gives 2."""
    if as_json:
        print_json(told)
    else:
        counts = ", ".join(f"{number} {status}" for status, number in told["units"].items() if number)
        say(f"units    {counts or 'none to do'}, {told['cached']} done before")
        say(f"calls    {told['calls']}, {told['input_tokens']:,} tokens in, {told['output_tokens']:,} out")
        say(f"cost     ${told['cost']:.4f}")
        for name, number in sorted(told["faults"].items()):
            say(f"failed   {number} calls: {name}")
    if ended.state is RunState.FAILED and told["faults"].get("auth"):
        note(f"studio: the run failed: {ended.reason}")
        return EXIT_BAD_INPUT
    return exit_code(ended)


def _print_preview(wish: JudgeWish, found: judging.JudgePreview, *, as_json: bool) -> None:
    if as_json:
        told = asdict(found)
        print_json({**told, "price": found.price_usd, "cost": found.price_usd, "judge": wish.setup.id,
                    "protocol": wish.protocol.value, "dry_run": True})  # fmt: skip
        return
    price = "not known for this model" if found.price_usd is None else f"${found.price_usd:.4f}"
    say(f"units    {found.units} to do, {found.cached} done before, {found.blocked} cannot be done")
    say(f"calls    {found.calls}, {found.pictures} pictures")
    say(f"tokens   {found.input_tokens:,} in, {found.output_tokens:,} out (estimated)")
    say(f"price    {price}")
    note(f"Estimate: {found.rule}.")
    note(f"Prices are changed in {paths.config_dir() / FILE_NAME}, or under Prices in the window.")


def _print_quality(project: Path, judge_id: str | None, *, as_json: bool) -> int:
    with opened(project) as source:
        rows = judge_quality.quality_rows(source, judge_id)
    if as_json:
        print_json(rows)
        return EXIT_OK
    names = ("flip_rate", "mean_sd", "swap_consistency", "first_slot_rate", "slot_rho", "length_rho")
    heads = tuple(name.replace("_", " ") for name in names)
    print_table(
        ("judge", "version", "protocol", "verdicts", "failed", *heads),
        [
            (
                row["judge_id"], row["judge_version"][:8], row["protocol"], str(row["verdicts"]),
                figure(row["failed_rate"]), *(figure(row[name]) for name in names),
            )
            for row in rows
        ],
        numbers=range(3, 5 + len(names)),
    )  # fmt: skip
    noticed = [(row, found) for row in rows for found in row["sensitivity"]]
    if noticed:
        say("")
        print_table(
            ("judge", "version", "criterion", "defect", "noticed from", "fall at degree 1", "2", "3", "4", "decks"),
            [
                (
                    row["judge_id"], row["judge_version"][:8], found["criterion"], found["defect"],
                    str(found["noticed_from"] or "never"), *(figure(each["fall"]) for each in found["degrees"]),
                    str(max(each["n"] for each in found["degrees"])),
                )
                for row, found in noticed
            ],
            numbers=range(5, 10),
        )  # fmt: skip
    return EXIT_OK


def _split(values: tuple[str, ...]) -> tuple[str, ...]:
    names = tuple(name.strip() for value in values for name in value.split(",") if name.strip())
    if values and not names:
        raise BadInput("An option was given without a name.", next_step="Name at least one, or leave it out.")
    return names
