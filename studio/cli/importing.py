"""studio import."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions import decks, runs, tables
from studio.cli.main import EXIT_CANCELLED, EXIT_OK, EXIT_SOME_FAILED, exit_code, json_option
from studio.cli.opened import opened, tools
from studio.cli.output import note, one_line, print_json, say
from studio.cli.progress import cancel_on_interrupt, shown_progress
from studio.model.runs import RunKind, RunSpec

LAYOUTS = ("auto", "folders", "presentbench", "slides-align")


@click.command("import")
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("paths", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option("--layout", type=click.Choice(LAYOUTS), default="auto", show_default=True, help="How folders are read.")
@click.option("--render/--no-render", default=True, show_default=True, help="Make the slide pictures as well.")
@json_option
def import_(project: Path, paths: tuple[Path, ...], layout: str, render: bool, as_json: bool) -> int:
    """Bring instances, sources and decks into a project.

    Folders: INSTANCE/sources/*, INSTANCE/instruction.md, INSTANCE/decks/SYSTEM.pptx (or .pdf, .html, or a
    folder of page images). A folder of loose decks is one instance, with file names as systems.

    Example: studio import my-study ~/decks
    """
    with opened(project, must_write=True) as target, cancel_on_interrupt() as cancel:
        with shown_progress() as progress:
            report, _ = decks.import_paths(target, paths, layout=layout, emit=progress, cancel=cancel)
            rendered = EXIT_OK
            if render and report.to_render and not cancel.is_set():
                spec = RunSpec(kind=RunKind.RENDER, deck_ids=report.to_render)
                ended, _ = runs.start_run(target, spec, tools=tools(), emit=progress, cancel=cancel)
                rendered = exit_code(ended)
        for file in (path / "Slides-Align.json" for path in paths if not cancel.is_set()):
            if layout in ("auto", "slides-align") and file.is_file():
                ranks, _ = tables.import_table(target, file)
                refused = f", {len(ranks.refused)} refused: {ranks.refused[0]['reason']}" if ranks.refused else ""
                note(one_line(f"{file.name}: {ranks.new} ranks new, {ranks.same} the same{refused}"))
        failed = [{"path": item.detail, "reason": f"{item.kind}: {item.message}"} for item in report.failed]
        failed += decks.render_failures(target, report.to_render)
    added = {"instances": report.instances, "sources": report.sources, "decks": report.decks}
    if report.checklist_items or report.verdicts:
        added |= {"checklist_items": report.checklist_items, "verdicts": report.verdicts}
    if as_json:
        found = {"added": added, "skipped": report.skipped, "failed": failed}
        print_json(found | ({"notes": list(report.notes)} if report.notes else {}))
    else:
        say(", ".join(f"{number} {name}" for name, number in added.items()) + " added")
        if report.skipped:
            say(f"{report.skipped} there already")
        for text in report.notes:
            note(f"  {text}")
        for item in failed:
            note(f"  {item['path']}: {item['reason']}")
    if cancel.is_set():
        return EXIT_CANCELLED
    return EXIT_SOME_FAILED if failed else rendered
