"""studio demo."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions import align as alignment
from studio.actions import demo as demo_action
from studio.actions import judging, reports, runs
from studio.cli.align import print_methods
from studio.cli.main import exit_code, json_option
from studio.cli.opened import opened, tools
from studio.cli.output import note, print_json
from studio.cli.progress import cancel_on_interrupt, shown_progress
from studio.cli.window import has_display, open_window
from studio.model.protocols import CancelToken, Emit
from studio.model.runs import RunKind, RunSpec


@click.command()
@click.option("--headless", is_flag=True, help="Without a window: run the metrics, print the table, write the report.")
@click.option("--folder", type=click.Path(path_type=Path), help="Where the demo project is built.")
@click.option("--full", is_flag=True, help="24 instances instead of five, drawn from the five; takes minutes.")
@click.option("--rebuild", is_flag=True, help="Build it anew, even if it is there; the old one is kept beside it.")
@json_option
def demo(headless: bool, folder: Path | None, full: bool, rebuild: bool, as_json: bool) -> int:
    """Build the demo project if needed and open the window on it.

    Its people and their rankings are invented sample data, and say so wherever they show.

    Example: studio demo --headless
    """
    if not headless and not has_display():
        note("There is no display, so the demo runs without a window.")
        headless = True
    with cancel_on_interrupt() as cancel, shown_progress() as progress:
        place = demo_action.build_demo(folder, rebuild=rebuild, emit=progress, cancel=cancel, say=note, is_full=full)
        if headless:
            return _headless(place, as_json=as_json, progress=progress, cancel=cancel)
    return open_window(place, is_demo=True)


def _headless(place: Path, *, as_json: bool, progress: Emit, cancel: CancelToken) -> int:
    with opened(place, must_write=True) as project:
        spec = RunSpec(kind=RunKind.METRICS)
        ended, _ = runs.start_run(project, spec, tools=tools(), emit=progress, cancel=cancel)
        if not cancel.is_set():
            judging.judge_demo(project, tools=tools(), emit=progress, cancel=cancel)
        table = alignment.methods_table(project)
        report = reports.write_report(project, project.exports_folder / "report.html")
    if as_json:
        print_json(alignment.as_json(table))
    else:
        print_methods(table)
    note(f"Report: {report}")
    return exit_code(ended)


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write; the exports folder if left out."
)
@json_option
def report(project: Path, out: Path | None, as_json: bool) -> None:
    """Write a self-contained HTML report with the methods table and its plots.

    Example: studio report my-study --out report.html
    """
    with opened(project) as source:
        path = reports.write_report(source, out or source.exports_folder / "report.html")
    if as_json:
        print_json({"path": str(path)})
    else:
        note(f"Wrote {path}")
