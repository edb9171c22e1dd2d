"""studio reflex summarise."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions import source_summaries as actions
from studio.cli.main import EXIT_OK, EXIT_SOME_FAILED, json_option
from studio.cli.opened import opened
from studio.cli.output import note, print_json, say
from studio.cli.progress import cancel_on_interrupt, shown_progress
from studio.store.values import plain


@click.command("summarise")
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--judge", help="Let this judge sum up each section, such as openai:MODEL; it is asked once for each.")
@click.option("--instance", default="", help="Only this one.")
@click.option("--own", is_flag=True, help="Go back to the sections' own sentences.")
@json_option
def reflex_summarise(project: Path, judge: str | None, instance: str, own: bool, as_json: bool) -> int:
    """Show what stands for each section of the sources: its own sentences, or what a judge said of it.

    Data sets made of the project (reflex build) take these summaries, and fine-tuned models read them.

    Example: studio reflex summarise my-study --judge openai:MODEL
    """
    if own and judge:
        raise click.UsageError("--own and --judge exclude each other.")
    with (
        opened(project, must_write=bool(judge or own)) as target,
        cancel_on_interrupt() as cancel,
        shown_progress() as progress,
    ):
        if own:
            actions.forget_summaries(target)
        if judge:
            found = actions.summarise(target, judge, instance=instance, emit=progress, cancel=cancel)
        else:
            found = actions.summaries(target, instance)
    failed = [each for each in found.sections if each.failure]
    if as_json:
        print_json({"calls": found.calls, "cost": found.cost, "sections": [plain(each) for each in found.sections]})
    else:
        before = None
        for each in found.sections:
            if each.instance != before:
                say(f"{each.instance}:")
                before = each.instance
            say(f"{'#' * max(1, each.level)} {each.title} ({each.written_by})\n{each.summary}\n")
        if judge:
            say(f"{len(found.sections) - len(failed)} of {len(found.sections)} sections summed up, {found.calls} calls")
        for each in failed:
            note(f"{each.instance}, {each.title}: {each.failure}")
        if not found.sections:
            note("No source with sections. Import one beside its decks.")
    return EXIT_SOME_FAILED if failed else EXIT_OK
