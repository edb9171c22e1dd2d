"""studio metrics."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from studio import settings
from studio.actions import facts, pictures, runs
from studio.cli.foreign_results import take_or_write
from studio.cli.main import EXIT_CANCELLED, EXIT_OK, EXIT_SOME_FAILED, json_option
from studio.cli.opened import opened, tools
from studio.cli.output import figure, note, print_json, print_table, say
from studio.cli.progress import cancel_on_interrupt, shown_progress
from studio.metrics.flags import FLAGS, flag_rule
from studio.model.regions import RegionsMode
from studio.model.runs import RunKind, RunSpec


@click.command()
@click.argument("project", type=click.Path(path_type=Path), required=False)
@click.option("--metrics", "names", default="", help="Metrics to print, separated by commas; all if left out.")
@click.option("--preset", default="benchmark", show_default=True, help="Parameters of the aesthetics metrics.")
@click.option(
    "--images", type=click.Path(path_type=Path), help="A folder of slide pictures of one deck, without a project."
)
@click.option("--boxes", type=click.Path(path_type=Path), help="Text regions for --images, as JSON by picture name.")
@click.option(
    "--regions",
    type=click.Choice([mode.value for mode in RegionsMode]),
    help="Slides that are pictures: detect their text, or leave usability undefined. "
    "Left out: as the settings say; none for --images.",
)
@click.option("--content-model", type=click.Path(path_type=Path), help="For reflex metrics: a model file, or the "
              "name of a shipped model; the newest scores of a deck count.")  # fmt: skip
@click.option("--force", is_flag=True, help="Compute again what has a value already.")
@click.option("--workers", type=click.IntRange(1, 64), help="Worker processes; one for each core if left out.")
@click.option("--deck", help="The deck for --reference-out, --reference-in and --compare: id or INSTANCE/SYSTEM.")
@click.option(
    "--reference-out", type=click.Path(path_type=Path, dir_okay=False), help="Write the deck as a reference result."
)
@click.option(
    "--reference-in", type=click.Path(path_type=Path, dir_okay=False), help="Take in a reference result of the deck."
)
@click.option("--label", default="", help="What the result of --reference-in is called; the file's name if left out.")
@click.option("--compare", "label_to_compare", help="Print an imported result beside ours, slide by slide.")
@click.option("--explain", "flag", metavar="FLAG", help="Print the rule of a flag, or of all flags with 'all'.")
@json_option
def metrics(
    project: Path | None,
    names: str,
    preset: str,
    images: Path | None,
    boxes: Path | None,
    regions: str | None,
    content_model: Path | None,
    force: bool,
    workers: int | None,
    deck: str | None,
    reference_out: Path | None,
    reference_in: Path | None,
    label: str,
    label_to_compare: str | None,
    flag: str | None,
    as_json: bool,
) -> int:
    """Run the metrics over all decks of a project, or over a folder of slide pictures.

    With --deck: write a measured deck in the reference's result layout, take in a result that was made
    elsewhere, or compare the two.

    Example: studio metrics my-study --preset benchmark
    """
    if flag is not None:
        return _explain(flag, as_json=as_json)
    if deck is not None:
        if project is None or images is not None:
            raise click.UsageError("--deck goes with a project.")
        take_or_write(
            project, deck, out=reference_out, taken=reference_in, label=label, compared=label_to_compare,
            preset=preset, as_json=as_json,
        )  # fmt: skip
        return EXIT_OK
    if reference_out or reference_in or label_to_compare:
        raise click.UsageError("--reference-out, --reference-in and --compare need --deck.")
    if (project is None) == (images is None):
        raise click.UsageError("Name either a project or --images, not both.")
    if boxes is not None and images is None:
        raise click.UsageError("--boxes goes with --images.")
    if images is not None:
        mode = RegionsMode(regions or RegionsMode.NONE)
        result = pictures.measure_images(images, boxes=boxes, preset=preset, regions=mode)
        if as_json:
            print_json(result)
        else:
            _print_result(result)
        return EXIT_OK
    assert project is not None
    chosen = tuple(name.strip() for name in names.split(",") if name.strip())
    mode = RegionsMode(regions or settings.load().text("text_regions"))
    spec = RunSpec(
        kind=RunKind.METRICS, evaluators=chosen, preset=preset, force=force, workers=workers, regions=mode,
        options=runs.content_model(content_model),
    )  # fmt: skip
    with opened(project, must_write=True) as target, cancel_on_interrupt() as cancel:
        runs.check_evaluators(target, chosen, preset)
        with shown_progress() as progress:
            ended, _ = runs.start_run(target, spec, tools=tools(), emit=progress, cancel=cancel)
        rows = facts.metric_rows(target, metrics=chosen, preset=preset)
    if as_json:
        print_json(rows)
    else:
        _print_rows(rows)
    if ended.state.value == "failed":
        note(f"studio: the run failed: {ended.reason}")
        return EXIT_SOME_FAILED
    if cancel.is_set():
        return EXIT_CANCELLED
    return EXIT_SOME_FAILED if set(ended.counts) - {"ok"} else EXIT_OK


def _print_rows(rows: list[dict[str, Any]]) -> None:
    names = list(dict.fromkeys(row["metric"] for row in rows))
    decks: dict[str, dict[str, Any]] = {}
    for row in rows:
        decks.setdefault(row["deck_id"], {"system": row["system"]})[row["metric"]] = row
    lines = []
    for deck in decks.values():
        reasons = {deck[name]["undefined_reason"] for name in names if deck[name]["undefined_reason"]}
        flags = dict.fromkeys(flag for name in names for flag in deck[name]["flags"])
        lines.append(
            (
                deck["system"], *(figure(deck[name]["value"]) for name in names), ", ".join(flags),
                "; ".join(sorted(reasons)),
            )
        )  # fmt: skip
    short = tuple(name.rpartition(".")[2].replace("_", " ") for name in names)
    print_table(("deck", *short, "flags", "undefined since"), lines, numbers=range(1, len(names) + 1))
    for flag in dict.fromkeys(flag for row in rows for flag in row["flags"] if flag in FLAGS):
        say(f"{flag}: {FLAGS[flag].rule}")


def _explain(flag: str, *, as_json: bool) -> int:
    rules = list(FLAGS.values()) if flag == "all" else [flag_rule(flag)]
    if as_json:
        print_json([{"flag": each.flag, "title": each.title, "rule": each.rule} for each in rules])
    else:
        for each in rules:
            say(f"{each.flag}: {each.rule}")
    return EXIT_OK


def _print_result(result: dict[str, Any]) -> None:
    score = result["aesthetics_score"]
    for name, value in {**score["components"], "total": score["total"]}.items():
        say(f"{name:<14}{figure(value, 4):>10}")
    for name, reason in result["studio"]["undefined_reasons"].items():
        say(f"{name}: {reason}")
