"""studio runs."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions import judging, quiz_run, run_plan
from studio.actions import runs as run_actions
from studio.actions.judge_xray import unit_json, unit_named
from studio.cli.judging import print_ended
from studio.cli.main import EXIT_OK, exit_code, json_option
from studio.cli.opened import opened, tools
from studio.cli.output import figure, print_json, print_table, say
from studio.cli.progress import cancel_on_interrupt, shown_progress
from studio.errors import BadInput
from studio.model.events import RunEnded
from studio.model.runs import RunKind
from studio.store import runs as run_store


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--resume", metavar="ID", help="Do what this run left undone.")
@click.option("--retry-failed", metavar="ID", help="Do again what failed in this run, and only that.")
@click.option("--reparse", metavar="ID", help="Read the stored replies of this judge run again; asks nobody.")
@click.option("--units", metavar="ID", help="List the units of this run: how each ended, its key, and why it failed.")
@click.option("--unit", metavar="KEY", help="Print what was asked and replied in this unit of a judge run.")
@json_option
def runs(
    project: Path, resume: str | None, retry_failed: str | None, reparse: str | None, units: str | None,
    unit: str | None, as_json: bool,
) -> int:  # fmt: skip
    """List the runs of a project, go on with one, or try again what failed in it.

    Example: studio runs my-study --resume run_0123
    """
    if sum(given is not None for given in (resume, retry_failed, reparse, units, unit)) > 1:
        raise click.UsageError("Give one of --resume, --retry-failed, --reparse, --units and --unit.")
    if units is not None:
        return _print_units(project, units, as_json=as_json)
    if unit is not None:
        return _print_unit(project, unit, as_json=as_json)
    name = resume or retry_failed or reparse
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
            again = judging.resume_judging if resume else judging.retry_failed if retry_failed else judging.reparse
            ended, _ = again(target, run, tools=tools(), emit=progress, cancel=cancel)
            return print_ended(ended, judging.summary(target, ended), as_json=as_json)
        if reparse:
            raise BadInput(f"{run.title} is no judge run.", next_step="Only judges give replies to read again.")
        if run.kind is RunKind.QUIZ:
            ended, _ = quiz_run.resume_offline(target, run, tools=tools(), emit=progress, cancel=cancel)
            return _print_end(ended, as_json=as_json)
        spec = (
            run_plan.resume_spec(target, run)
            if resume
            else run_plan.retry_spec(run, run_store.units_of(target, run.id))
        )
        if spec is None:
            raise BadInput(f"{run.title} has nothing to do again.", next_step="Start a new run.")
        ended, _ = run_actions.start_run(target, spec, tools=tools(), emit=progress, cancel=cancel)
    return _print_end(ended, as_json=as_json)


def _print_end(ended: RunEnded, *, as_json: bool) -> int:
    if as_json:
        print_json({"run_id": ended.run_id, "state": ended.state.value, "units": ended.counts, "cached": ended.cached})
    return exit_code(ended)


def _print_units(project: Path, name: str, *, as_json: bool) -> int:
    with opened(project) as source:
        rows = run_store.units_of(source, judging.run_named(source, name).id)
    if as_json:
        print_json([
            {"key": row.key, "deck_id": row.deck_id, "instance_id": row.instance_id, "label": row.label,
             "status": row.status.value, "failure": row.failure_kind, "message": row.message, "seconds": row.seconds}
            for row in rows
        ])  # fmt: skip
        return EXIT_OK
    print_table(
        ("unit", "status", "time, s", "key", "reason"),
        [(row.label, row.status.value, figure(row.seconds), row.key[:12], row.message) for row in rows],
        numbers=(2,),
    )
    return EXIT_OK


def _print_unit(project: Path, key: str, *, as_json: bool) -> int:
    with opened(project) as source:
        view = unit_named(source, key)
    if as_json:
        print_json(unit_json(view))
        return EXIT_OK
    say(f"{view.title}: {view.judge}, {view.protocol}")
    for call in view.calls:
        say(f"\n--- asked ({call.prompt_version}) ---\n{call.words}")
        for reply in call.replies:
            say(f"\n--- replied ({reply.ending}, {reply.at}) ---\n{reply.text or reply.why_blocked}")
    if view.note:
        say(view.note)
    return EXIT_OK
