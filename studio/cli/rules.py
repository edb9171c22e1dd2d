"""studio rules: what the code judge can tell, and what it says of one file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from studio.actions import code_rules
from studio.cli.files import password_option
from studio.cli.main import EXIT_OK, EXIT_SOME_FAILED, json_option
from studio.cli.opened import tools
from studio.cli.output import print_json, print_table, say
from studio.cli.progress import cancel_on_interrupt
from studio.errors import BadInput


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--rule", "names", multiple=True, metavar="NAME", help="Only this rule; may be given several times.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A parameter of the rule.")
@password_option
@json_option
def rules(
    file: Path | None, names: tuple[str, ...], settings: tuple[str, ...], password_stdin: bool, as_json: bool
) -> int:
    """List the rules that judge decks by code, or try them on one file: yes, no or not applicable, and where.

    Exit code 1 when a rule has no answer, such as for pages that could not be drawn.

    Example: studio rules deck.pptx --rule font_size --set min_pt=14
    """
    if settings and len(names) != 1:
        raise click.UsageError("--set goes with one --rule.")
    calls = code_rules.rule_calls(names, dict(_setting(text) for text in settings))
    if file is None:
        _list({call.rule for call in calls}, as_json=as_json)
        return EXIT_OK
    if not file.exists():
        raise BadInput(f"{file} was not found.", next_step="Name a deck file.")
    password = sys.stdin.readline().rstrip("\r\n") if password_stdin else None
    with cancel_on_interrupt() as cancel:
        outcomes = code_rules.judge_file(file, calls, tools=tools(), cancel=cancel, password=password)
    rows = code_rules.outcome_rows(outcomes)
    if as_json:
        print_json(rows)
    else:
        print_table(("rule", "answer", "reason"), [(row["rule"], _answer(row), row["reason"]) for row in rows])
    return EXIT_SOME_FAILED if any(row["answer"] is None for row in rows) else EXIT_OK


def _list(chosen: set[str], *, as_json: bool) -> None:
    rows = [row for row in code_rules.rule_rows() if row["rule"] in chosen]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        kind = "" if row["is_verdict"] else " (suggestion only)"
        say(f"{row['rule']}: {row['title']}{kind}")
        for each in row["parameters"]:
            bounds = f", {each['min']:g} to {each['max']:g}" if each["min"] is not None else ""
            default = ",".join(each["default"]) if isinstance(each["default"], list) else each["default"]
            say(f"    {each['name']} = {'' if default is None else default}{bounds}: {each['doc']}")
        if len(rows) == 1:
            say(f"\n{row['exact_rule']}")


def _answer(row: dict[str, Any]) -> str:
    words = {"yes": "yes", "no": "no", "not_applicable": "not applicable", None: "none"}
    return words[row["answer"]] + (" ?" if row["is_suggestion"] else "")


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise click.UsageError(f"--set is {text!r}, not KEY=VALUE.")
    return key.strip(), value
