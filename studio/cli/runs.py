"""studio runs."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions import judging, run_plan
from studio.actions import runs as run_actions
from studio.cli.judging import print_ended
from studio.cli.main import EXIT_OK, exit_code, json_option
from studio.cli.opened import opened, tools
from studio.cli.output import print_json, print_table
from studio.cli.progress import cancel_on_interrupt, shown_progress
from studio.errors import BadInput
from studio.model.runs import RunKind
from studio.store import runs as run_store


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--resume", metavar="ID", help="Do what this run left undone.")
@click.option("--retry-failed", metavar="ID", help="Do again what failed in this run, and only that.")
@json_option
def runs(project: Path, resume: str | None, retry_failed: str | None, as_json: bool) -> int:
    """List the runs of a project, go on with one, or try again what failed in it.

    Example: studio runs my-study --resume run_0123
    """
    if resume and retry_failed:
        raise click.UsageError("Give either --resume or --retry-failed.")
    name = resume or retry_failed
    if name is None:
        with opened(project) as source:
            rows = judging.run_rows(source)
        if as_json:
            print_json(rows)
        else:
            print_table(
                ("run", "kind", "title", "state", "started", "units", "done before"),
                [
                    (
                        row["run_id"], row["kind"], row["title"], row["state"], row["started_at"],
                        ", ".join(f"{number} {status}" for status, number in row["units"].items()), str(row["cached"]),
                    )
                    for row in rows
                ],
            )  # fmt: skip
        return EXIT_OK
    with opened(project, must_write=True) as target, cancel_on_interrupt() as cancel, shown_progress() as progress:
        run = judging.run_named(target, name)
        if run.kind is RunKind.JUDGE:
            again = judging.resume_judging if resume else judging.retry_failed
            ended, _ = again(target, run, tools=tools(), emit=progress, cancel=cancel)
            return print_ended(ended, judging.summary(target, ended), as_json=as_json)
        spec = (
            run_plan.resume_spec(target, run)
            if resume
            else run_plan.retry_spec(run, run_store.units_of(target, run.id))
        )
        if spec is None:
            raise BadInput(f"{run.title} has nothing to do again.", next_step="Start a new run.")
        ended, _ = run_actions.start_run(target, spec, tools=tools(), emit=progress, cancel=cancel)
    if as_json:
        print_json({"run_id": ended.run_id, "state": ended.state.value, "units": ended.counts, "cached": ended.cached})
    return exit_code(ended)
