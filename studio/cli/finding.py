"""studio find."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from studio.actions import source_index
from studio.cli.main import json_option
from studio.cli.opened import opened
from studio.cli.output import note, print_json, print_table
from studio.store import decks as deck_store
from studio.store.project import Project


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("text")
@click.option("--instance", default="", help="Look only in this instance's sources; all if left out.")
@click.option("--slides", is_flag=True, help="Also search the slides: text, notes, and what was read on pictures.")
@json_option
def find(project: Path, text: str, instance: str, slides: bool, as_json: bool) -> None:
    """Find a phrase or a number in the sources: word for word, in other numbers or units, or nearly.

    That it is not found is an answer too: exit code 0.

    Example: studio find my-study "1.2 million visits" --instance library
    """
    if not text.strip():
        raise click.UsageError("There is nothing to find: TEXT is empty.")
    with opened(project) as source:
        shelf = source_index.SourceShelf(source)
        wanted = source_index.instances_named(source, instance)
        answers = [shelf.find(instance_id, text) for instance_id in wanted]
        result = {"phrase": text} | source_index.answer_json(source, answers)
        result["phrase"] = text
        if slides:
            result["slides"] = _slides(source, set(wanted), text)
    if as_json:
        print_json(result)
        return
    for line in result["unread"]:
        note(line)
    _print(result)


def _slides(project: Project, instances: set[Any], text: str) -> list[dict[str, Any]]:
    decks = {deck.id: deck for deck in deck_store.list_decks(project) if deck.instance_id in instances}
    return [
        {
            "instance_id": decks[deck_id].instance_id, "deck_id": deck_id, "system": decks[deck_id].system,
            "slide": hit.page, "part": hit.where[1], "text": hit.text,
        }
        for lookup, deck_id in source_index.slides_with(project, list(decks), text)
        for hit in lookup.hits
    ]  # fmt: skip


def _print(result: dict[str, Any]) -> None:
    if not result["found"]:
        missing = ", ".join(result["missing_numbers"])
        click.echo(f"not found in {result['pages_searched']} pages" + (f"; nowhere: {missing}" if missing else ""))
    else:
        print_table(
            ("instance", "source", "page", "kind", "score", "text"),
            [
                (hit["instance"], hit["source"], hit["page"], hit["kind"], f"{hit['score']:.2f}",
                 " ".join(hit["text"].split()))
                for hit in result["hits"]
            ],
            numbers=(2, 4),
        )  # fmt: skip
        if result["total"] > len(result["hits"]):
            note(f"{result['total']} places in all")
    if result.get("slides"):
        print_table(
            ("system", "slide", "part", "text"),
            [(hit["system"], hit["slide"], hit["part"], " ".join(hit["text"].split())) for hit in result["slides"]],
            numbers=(1,),
        )
