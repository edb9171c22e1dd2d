"""studio pei: how far a deck, or every deck of a project, can be edited."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from studio.actions import editability
from studio.actions.people_and_parser import people_json
from studio.cli.main import EXIT_CANCELLED, EXIT_OK, EXIT_SOME_FAILED, json_option
from studio.cli.opened import opened, tools
from studio.cli.output import figure, note, print_json, print_table, say
from studio.cli.progress import cancel_on_interrupt, shown_progress
from studio.errors import BadInput
from studio.metrics.editability import RULES


@click.command()
@click.argument("path", metavar="FILE|PROJECT", type=click.Path(path_type=Path), required=False)
@click.option("--rules", default="studio", show_default=True, help="studio, paper, or a JSON file with thresholds.")
@click.option("--print-rules", is_flag=True, help="Print the thresholds as JSON, to be changed and given to --rules.")
@click.option("--password-stdin", is_flag=True, help="Read the file's password from standard input.")
@click.option("--force", is_flag=True, help="Of a project: judge again what has a level already.")
@click.option("--people", is_flag=True, help="Of a project: how far people's forms agree with the stored levels.")
@json_option
def pei(
    path: Path | None, rules: str, print_rules: bool, password_stdin: bool, force: bool, people: bool, as_json: bool
) -> int:
    """Say how far a deck can be edited: level 0 to 5, every gate with its evidence, and five shares.

    Exit code 1 when a deck has no level, with the reason.

    Example: studio pei deck.pptx --json
    """
    chosen = editability.read_rules(rules)
    if print_rules:
        print_json(chosen.to_json())
        return EXIT_OK
    if path is None:
        raise click.UsageError("Name a deck file or a project.")
    if not path.exists():
        raise BadInput(f"{path} was not found.", next_step="Name a deck file or a project folder.")
    if (path / "project.db").is_file():
        if rules not in RULES:
            raise click.UsageError("Rules from a file go with a deck file, not with a project.")
        if people:
            return _people(path, rules, as_json=as_json)
        return _project(path, rules, force=force, as_json=as_json)
    if people:
        raise click.UsageError("People's forms are in a project: name its folder.")
    password = sys.stdin.readline().rstrip("\r\n") if password_stdin else None
    found = editability.assess(path, chosen, password=password)
    values = editability.file_json(found)
    if as_json:
        print_json(values)
    elif found.level is not None:
        _print_deck(values)
    if found.level is None:
        note(f"studio: no level: {found.failure.message if found.failure else found.undefined_reason}")
        return EXIT_SOME_FAILED
    return EXIT_OK


def _project(path: Path, rules: str, *, force: bool, as_json: bool) -> int:
    with opened(path, must_write=True) as project, cancel_on_interrupt() as cancel:
        with shown_progress() as progress:
            ended, _ = editability.run_editability(
                project, rules, tools=tools(), force=force, emit=progress, cancel=cancel
            )
        values = editability.project_editability(project, rules)
    if as_json:
        print_json(values)
    else:
        print_table(
            ("instance", "system", "level", "first gate not passed", "undefined since"),
            [
                (row["instance"], row["system"], row["level"], _stopped_at(row), row["undefined_reason"])
                for row in values["decks"]
            ],
            numbers=(2,),
        )
        say("")
        shares = [f"L{level}" for level in range(6)]
        print_table(
            ("system", "level", "decks", *shares),
            [
                (row["system"], row["level"], row["decks"], *(figure(row["shares"][name]) for name in shares))
                for row in values["systems"]
            ],
            numbers=range(1, 9),
        )
        if any(row["n"] for row in values["people"]):
            say("")
            _print_gates(values["people"])
    if ended.state.value == "failed":
        note(f"studio: the run failed: {ended.reason}")
        return EXIT_SOME_FAILED
    if cancel.is_set():
        return EXIT_CANCELLED
    return EXIT_SOME_FAILED if any(row["level"] is None for row in values["decks"]) else EXIT_OK


def _people(path: Path, rules: str, *, as_json: bool) -> int:
    with opened(path) as project:
        values = people_json(project, rules)
    if as_json:
        print_json(values)
        return EXIT_OK
    if not values["forms"]:
        note("studio: nobody has submitted a form of protocols A to C yet.")
        return EXIT_OK
    _print_gates(values["gates"])
    say("")
    print_table(
        ("system", "forms", "same gates", "same level"),
        [(row["system"], row["forms"], figure(row["same"]), figure(row["same_level"])) for row in values["systems"]],
        numbers=(1, 2, 3),
    )
    say("")
    print_table(
        ("instance", "system", "person", "people", "parser", "same", "of"),
        [
            (row["instance"], row["system"], row["person"], row["people_level"], row["parser_level"], row["same"],
             row["compared"])
            for row in values["decks"]
        ],
        numbers=(3, 4, 5, 6),
    )  # fmt: skip
    return EXIT_OK


def _print_gates(rows: list[dict[str, Any]]) -> None:
    print_table(
        ("people and parser", "forms", "same", "kappa"),
        [(row["gate"], row["n"], figure(row["same"]), figure(row["kappa"])) for row in rows],
        numbers=(1, 2, 3),
    )


def _stopped_at(row: dict[str, Any]) -> str:
    return next((f"{gate['gate']} {gate['title'].lower()}" for gate in row["gates"] if not gate["passed"]), "")


def _print_deck(values: dict[str, Any]) -> None:
    say(f"L{values['level']} {values['level_name']} (of at most L{values['maximum']}, {values['rules']} rules)")
    for gate in values["gates"]:
        mark = "passed" if gate["passed"] else "failed" if gate["reached"] else "not reached"
        say(f"\n{gate['gate']} {gate['title']}: {mark}")
        for fact in gate["facts"]:
            where = [f"slide {fact['slide']}"] if fact["slide"] is not None else []
            where += [text for text in (fact["shape"], fact["part"]) if text]
            say(f"   {fact['text']}" + (f" ({', '.join(where)})" if where else ""))
    say("\n" + "  ".join(f"{name} {figure(share)}" for name, share in values["subcriteria"].items()))
    for text in values["notes"]:
        note(f"  {text}")
