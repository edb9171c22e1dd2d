"""studio remove, rename, replace, undo: care of what is in a project."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions import care, missing_files, runs
from studio.cli.main import EXIT_CANCELLED, EXIT_OK, EXIT_SOME_FAILED, json_option
from studio.cli.opened import opened, tools
from studio.cli.output import note, print_json, say
from studio.cli.progress import cancel_on_interrupt, shown_progress
from studio.model.ids import DeckId
from studio.model.runs import RunKind, RunSpec
from studio.store.care import LIBRARY, Kind, ProjectAct

_KIND = click.Choice([kind.value for kind in sorted(LIBRARY)])


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("kind", type=_KIND)
@click.argument("names", nargs=-1, required=True, metavar="NAME | INSTANCE SYSTEM")
@json_option
def remove(project: Path, kind: str, names: tuple[str, ...], as_json: bool) -> None:
    """Hide a deck, a system or an instance; files and answers stay, and `studio undo` brings them back.

    Example: studio remove my-study deck topic-1 Aster
    """
    with opened(project, must_write=True) as target:
        done, _ = care.remove(target, Kind(kind), care.target_of(target, Kind(kind), names))
    _tell(done, as_json)


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("kind", type=_KIND)
@click.argument("names", nargs=-1, required=True, metavar="NAME | INSTANCE SYSTEM")
@click.option("--to", "name", required=True, help="The new name; of a deck, the name that its file is shown under.")
@json_option
def rename(project: Path, kind: str, names: tuple[str, ...], name: str, as_json: bool) -> None:
    """Give a system, an instance or a deck's file another name.

    Example: studio rename my-study system Aster --to "Aster 2"
    """
    with opened(project, must_write=True) as target:
        done, _ = care.rename(target, Kind(kind), care.target_of(target, Kind(kind), names), name)
    _tell(done, as_json)


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("names", nargs=-1, required=True, metavar="DECK_ID | INSTANCE SYSTEM")
@click.option("--with", "file", type=click.Path(path_type=Path), required=True, help="The new file or folder.")
@click.option("--render/--no-render", default=True, show_default=True, help="Make its slide pictures as well.")
@json_option
def replace(project: Path, names: tuple[str, ...], file: Path, render: bool, as_json: bool) -> int:
    """Give a deck another file; answers and values on the old one stay and count no more.

    Example: studio replace my-study topic-1 Aster --with better.pptx
    """
    with opened(project, must_write=True) as target, cancel_on_interrupt() as cancel:
        deck_id = DeckId(care.target_of(target, Kind.DECK, names))
        done, _ = care.replace_deck_file(target, deck_id, file)
        has_failed = False
        if render:
            with shown_progress() as progress:
                spec = RunSpec(kind=RunKind.RENDER, deck_ids=(deck_id,))
                ended, _ = runs.start_run(target, spec, tools=tools(), emit=progress, cancel=cancel)
            has_failed = bool(set(ended.counts) - {"ok"})
            if has_failed:
                note(f"studio: {care.deck_of(target, deck_id).render_reason}")
        stale = care.stale_of(target).get(deck_id)
    if as_json:
        counts = {name: getattr(stale, name, 0) for name in ("ranks", "answers", "scores", "verdicts")}
        print_json({**care.act_json(done), "stale": counts})
    else:
        say(f"{done.words}.")
        if stale is not None:
            say(f"{stale.total} answers and values were given on the earlier file; they stay and count no more.")
    if cancel.is_set():
        return EXIT_CANCELLED
    return EXIT_SOME_FAILED if has_failed else EXIT_OK


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--redo", "again", is_flag=True, help="Bring back what was undone last.")
@json_option
def undo(project: Path, again: bool, as_json: bool) -> None:
    """Take back the last replacing, renaming or removing.

    Example: studio undo my-study
    """
    with opened(project, must_write=True) as target:
        done, _ = care.redo(target) if again else care.undo(target)
    _tell(done, as_json)


def _tell(done: ProjectAct | None, as_json: bool) -> None:
    if as_json:
        print_json(care.act_json(done))
    else:
        say(f"{done.words}." if done is not None else "Nothing to change.")


@click.command("find-files")
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("folder", type=click.Path(path_type=Path))
@json_option
def find_files(project: Path, folder: Path, as_json: bool) -> int:
    """Bring missing originals of decks and sources back from a folder, whatever they are called there.

    Only files of the same content are taken; answers stay with their decks all the while.

    Example: studio find-files my-study backup
    """
    with opened(project, must_write=True) as target:
        report, _ = missing_files.find_missing(target, folder)
        left = [each.words for each in missing_files.missing_files(target)]
    if as_json:
        print_json({"found": report.n_found, "missing": left})
    else:
        say(f"{report.n_found} found, {report.n_missing} still missing")
        for words in left:
            note(f"  {words}")
    return EXIT_SOME_FAILED if left else EXIT_OK
