"""studio pack."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from studio.actions import packs, runs
from studio.actions.studies import study_named
from studio.cli.main import EXIT_CANCELLED, EXIT_OK, EXIT_SOME_FAILED, json_option
from studio.cli.opened import opened, tools
from studio.cli.output import note, print_json, say
from studio.cli.progress import cancel_on_interrupt, shown_progress
from studio.model.packs import MergeReport, PackContent
from studio.model.runs import RunKind, RunSpec


@click.group()
def pack() -> None:
    """Send work out to one annotator, and take the answers back.

    Example: studio pack create my-study ada.pack --annotator Ada
    """


@pack.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("out", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--annotator", required=True, help="Name or id of the person; made if not known.")
@click.option("--study", default="", help="Name or id of the study; left out: rank all decks of all instances.")
@click.option(
    "--content", type=click.Choice([kind.value for kind in PackContent]), default="images", show_default=True,
    help="Pictures of the slides only, or copies of the decks without metadata as well.",
)  # fmt: skip
@json_option
def create(project: Path, out: Path, annotator: str, study: str, content: str, as_json: bool) -> int:
    """Write a pack: what one annotator needs, without systems, file names, verdicts and other people's answers.

    Example: studio pack create my-study ada.pack --annotator Ada
    """
    with opened(project, must_write=True) as source, cancel_on_interrupt() as cancel:
        undrawn = packs.undrawn_decks(source, study_named(source, study))
        if undrawn:
            with shown_progress() as progress:
                spec = RunSpec(kind=RunKind.RENDER, deck_ids=undrawn)
                runs.start_run(source, spec, tools=tools(), emit=progress, cancel=cancel)
            if cancel.is_set():
                return EXIT_CANCELLED
        report, _ = packs.create_pack(source, out, annotator=annotator, study=study, content=PackContent(content))
    for warning in report.warnings:
        note(f"  {warning}")
    if as_json:
        print_json(
            {
                "path": str(report.path), "annotator": report.annotator, "study": report.study,
                "instances": report.n_instances, "decks": report.n_decks, "assignments": report.n_assignments,
                "bytes": report.size_bytes, "warnings": list(report.warnings),
            }
        )  # fmt: skip
    else:
        say(f"Wrote {report.path} for {report.annotator}: {report.n_instances} instances, {report.n_decks} decks")
    return EXIT_OK


@pack.command("open")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@json_option
def open_(file: Path, folder: Path | None, as_json: bool) -> int:
    """Make a project of a pack, beside it unless a folder is named; open it with: studio gui FOLDER.

    Example: studio pack open ada.pack
    """
    made = packs.open_pack(file, folder)
    if as_json:
        print_json({"path": str(made)})
    else:
        say(f"Opened as {made}. Next: studio gui {shlex.quote(str(made))}")
    return EXIT_OK


@pack.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="File; in the project's exports if left out."
)
@json_option
def answers(project: Path, out: Path | None, as_json: bool) -> int:
    """Write the answers of an opened pack to a file that can be sent back.

    Example: studio pack answers ada --out ada.answers.jsonl
    """
    with opened(project) as source:
        path, number = packs.write_answers(source, out)
    if as_json:
        print_json({"path": str(path), "answers": number})
    else:
        say(f"Wrote {number} answers to {path}")
    return EXIT_OK


@pack.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("files", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option("--dry-run", is_flag=True, help="Only say what would become of the answers.")
@click.option("--accept-conflicting", is_flag=True, help="Take answers that went apart as one more revision.")
@json_option
def merge(project: Path, files: tuple[Path, ...], dry_run: bool, accept_conflicting: bool, as_json: bool) -> int:
    """Take answers back; merging the same file twice changes nothing.

    Example: studio pack merge my-study ada.answers.jsonl --dry-run
    """
    reports: list[MergeReport] = []
    with opened(project, must_write=True) as target:
        for file in files:
            report, _ = packs.merge_answers(target, file, is_dry_run=dry_run, takes_conflicting=accept_conflicting)
            reports.append(report)
    refused = [
        {"line": line, "reason": reason, "file": report.file} for report in reports for line, reason in report.refused
    ]
    if as_json:
        sums = {
            name: sum(report.json()[name] for report in reports)
            for name in ("new", "same", "conflicting", "over_quota", "views", "training")
        }
        print_json(sums | {"refused": refused, "dry_run": dry_run, "files": [report.json() for report in reports]})
    for report in reports:
        if not as_json:
            say(
                f"{report.file} ({report.annotator}): {report.new} new, {report.same} the same, "
                f"{report.conflicting} conflicting, {report.over_quota} over quota"
            )
        for line, reason in report.refused:
            note(f"  {report.file}, line {line}: {reason}")
    return EXIT_SOME_FAILED if refused else EXIT_OK
