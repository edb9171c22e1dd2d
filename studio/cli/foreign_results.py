"""What studio metrics --deck does: results of one deck in the reference's layout, out, in and compared."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions import foreign_results, measured
from studio.cli.opened import opened
from studio.cli.output import figure, note, print_json, print_table


def take_or_write(
    project: Path,
    deck: str,
    *,
    out: Path | None,
    taken: Path | None,
    label: str,
    compared: str | None,
    preset: str,
    as_json: bool,
) -> None:
    """Write, take in or compare a result of one deck, whichever is asked for; several in this order."""
    if out is None and taken is None and compared is None:
        raise click.UsageError("--deck needs --reference-out, --reference-in or --compare.")
    with opened(project, must_write=taken is not None) as target:
        deck_id = measured.find_deck(target, deck).id
        if out is not None:
            foreign_results.export_result(target, deck_id, out, preset=preset)
            note(f"Wrote {out}")
        if taken is not None:
            compared, _ = foreign_results.import_result(target, deck_id, taken, label=label)
            note(f"Stored {taken.name} as {foreign_results.preset_of(compared)}.")
        if compared is None:
            if as_json:
                print_json({"deck_id": deck_id, "path": str(out)})
            return
        found = foreign_results.compare(target, deck_id, compared)
    if as_json:
        print_json({"deck_id": deck_id} | foreign_results.comparison_json(found))
    else:
        print_comparison(found)


def print_comparison(found: foreign_results.Comparison) -> None:
    """Print an imported result beside ours for a person."""
    print_table(
        ("score", "ours", "theirs", "theirs recomputed"),
        [
            (each.metric, figure(each.ours, 4), figure(each.theirs, 4), figure(each.recomputed, 4))
            for each in found.scores
        ],
        numbers=(1, 2, 3),
    )
    print_table(
        ("slide", "figure", "ours", "theirs", "difference"),
        [
            (
                each.slide, each.figure.replace("_", " "), figure(each.ours, 4), figure(each.theirs, 4),
                figure(each.difference, 4),
            )
            for each in found.slides
        ],
        numbers=(0, 2, 3, 4),
    )  # fmt: skip
    for text in found.notes:
        note(text)
