"""studio judges."""

from __future__ import annotations

from pathlib import Path

import click

from studio.actions import judge_names
from studio.actions.judge_wish import read_wish
from studio.actions.page_rule import PageRule, page_rule, set_page_rule
from studio.cli.main import json_option
from studio.cli.opened import opened
from studio.cli.output import note, print_json, print_table


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--add", metavar="NAME", help="Keep a judge under this name; one of the same name is replaced.")
@click.option("--judge", "judge_id", help="With --add: gemini:MODEL, openai:MODEL, code or scripted:FILE.")
@click.option("--base-url", default="", help="With --add: another endpoint than the provider's.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="With --add: a setting of the judge.")
@click.option("--remove", metavar="NAME", help="Forget this name; what the judge said stays.")
@click.option("--pages", type=click.Choice([each.value for each in PageRule]),
              help="The rule for decks longer than their instance allows: cut at the limit, or full.")  # fmt: skip
@json_option
def judges(
    project: Path, add: str | None, judge_id: str | None, base_url: str, settings: tuple[str, ...],
    remove: str | None, pages: str | None, as_json: bool,
) -> None:  # fmt: skip
    """List the judges that have a name in a project, keep one, or forget one; keys are no part of it.

    Example: studio judges my-study --add careful --judge openai:MODEL --set temperature=0
    """
    if (add is None) != (judge_id is None):
        raise click.UsageError("--add and --judge go together.")
    with opened(project, must_write=bool(add or remove or pages)) as target:
        if add is not None and judge_id is not None:
            setup = read_wish(judge_id, base_url=base_url, settings=settings).setup
            judge_names.save_judge(target, add, setup)
        if remove is not None:
            judge_names.forget_judge(target, remove)
        if pages is not None:
            set_page_rule(target, PageRule(pages))
        rows, rule = judge_names.saved_judges(target), page_rule(target)
    if as_json:
        print_json({
            "judges": [
                {"name": row.name, "judge": row.setup.id if row.setup.model else row.setup.provider,
                 "base_url": row.setup.base_url, "settings": dict(row.setup.settings)}
                for row in rows
            ],
            "pages": rule.value,
        })  # fmt: skip
        return
    print_table(
        ("name", "judge", "address", "settings"),
        [
            (row.name, row.setup.id, row.setup.base_url, " ".join(f"{k}={v}" for k, v in row.setup.settings.items()))
            for row in rows
        ],
    )
    note(f"Pages of decks that are too long: {rule.value}.")
