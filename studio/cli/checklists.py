"""studio checklist lint, show, import, export, draft, stats, scores, benchmark, template; editing is its own file."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from studio.actions import (
    benchmark_exports,
    benchmark_facts,
    checklist_answers,
    checklist_exchange,
    checklist_scores,
    checklist_stats,
    checklist_templates,
    judge_draft,
)
from studio.actions import checklists as actions
from studio.checklists.lint import LintFinding
from studio.checklists.reference_score import NullPolicy
from studio.checklists.scoring import GROUPS, Form
from studio.cli.checklist_editing import COMMANDS
from studio.cli.main import EXIT_OK, EXIT_SOME_FAILED, json_option
from studio.cli.opened import opened
from studio.cli.output import figure, note, one_line, print_json, print_table, say
from studio.cli.progress import cancel_on_interrupt, shown_progress
from studio.model.authoring import JudgedPages
from studio.model.checklists import Checklist, Item
from studio.store import decks as deck_store
from studio.store.project import DATABASE

_PROJECT = click.argument("project", type=click.Path(path_type=Path))
_PATH = click.argument("path", type=click.Path(path_type=Path))
_INSTANCE = click.option("--instance", default="", help="Folder name or id of an instance.")
_DOMAIN = click.option("--domain", default="", help="A domain's own list.")
_AUTHOR = click.option("--author", default="terminal", show_default=True, help="Who the changes are by.")
_COMMON = click.option(
    "--common", type=click.Path(path_type=Path), help="The domain's prompt file, for a prompt file without a tree."
)


@click.group()
def checklist() -> None:
    """Write, check, bring in and take out checklists.

    Example: studio checklist lint my-study --instance white-roofs
    """


@checklist.command()
@_PATH
@_INSTANCE
@_COMMON
@json_option
def lint(path: Path, instance: str, common: Path | None, as_json: bool) -> int:
    """Say what is likely to go wrong with the items of a project, an instance or a PresentBench prompt file.

    Exit code 1 if an item names a rule that nobody knows.

    Example: studio checklist lint my-study
    """
    items, findings = _linted(path, instance, common)
    if as_json:
        print_json({"items": [_item_json(item) for item in items], "findings": [_finding(each) for each in findings]})
    else:
        print_table(
            ("item", "severity", "finding", "what"),
            [(each.item_id, each.severity.value, each.hint.value, each.message) for each in findings],
        )
        note(f"{len(items)} items, {len(findings)} findings")
    return EXIT_SOME_FAILED if any(each.severity == "error" for each in findings) else EXIT_OK


def _linted(path: Path, instance: str, common: Path | None) -> tuple[list[Item], list[LintFinding]]:
    if not (path / DATABASE).is_file():
        found = checklist_exchange.read_prompt_files(path, common)
        return list(found.checklist.items), list(found.findings)
    with opened(path) as project:
        items: dict[str, Item] = {}
        findings: dict[LintFinding, None] = {}
        scope = checklist_exchange.scope_named(project, instance=instance)
        for each in deck_store.list_instances(project):
            if scope.instance_id in (None, each.id):
                items |= {item.id: item for item in actions.instance_checklist(project, each.id).items}
                findings |= dict.fromkeys(actions.lint_instance(project, each.id))
    return list(items.values()), list(findings)


@checklist.command()
@_PATH
@_INSTANCE
@click.option("--system", default="", help="Show what this system's deck is asked, its page items among it.")
@_COMMON
@json_option
def show(path: Path, instance: str, system: str, common: Path | None, as_json: bool) -> None:
    """Print the merged checklist of an instance, of one deck, or of a PresentBench prompt file.

    Example: studio checklist show my-study --instance white-roofs --json
    """
    if not (path / DATABASE).is_file():
        _shown([("", checklist_exchange.read_prompt_files(path, common).checklist, None)], as_json)
        return
    with opened(path) as project:
        scope = checklist_exchange.scope_named(project, instance=instance)
        found: list[tuple[str, Checklist, JudgedPages | None]] = []
        for each in deck_store.list_instances(project):
            if scope.instance_id not in (None, each.id):
                continue
            if system:
                for deck in deck_store.list_decks(project, each.id):
                    if deck.system == system:
                        found.append((each.name, *actions.deck_checklist(project, deck.id)))
            else:
                found.append((each.name, actions.instance_checklist(project, each.id), None))
    _shown(found, as_json)


def _shown(found: list[tuple[str, Checklist, JudgedPages | None]], as_json: bool) -> None:
    if as_json:
        rows: list[dict[str, Any]] = [
            {
                "instance_id": each.instance_id, "instance": name, "slide_limits": each.slide_limits,
                "independent_prefix": each.independent_prefix, "dependent_prefix": each.dependent_prefix,
                "notes": list(each.notes), "pages": _pages(pages) if pages else None,
                "items": [
                    _item_json(item) | {"prompt": actions.as_asked(each, item).prompt or None} for item in each.items
                ],
            }
            for name, each, pages in found
        ]  # fmt: skip
        print_json({"items": [item for row in rows for item in row["items"]], "checklists": rows})
        return
    for name, each, _ in found:
        if name:
            say(f"{name}: {len(each.items)} items")
        print_table(
            ("item", "dimension", "kind", "words"),
            [(item.id, item.dimension.value, item.kind.value, one_line(item.text)) for item in each.items],
        )
        for text in each.notes:
            note(f"  {text}")


@checklist.command("import")
@_PROJECT
@click.argument("files", type=click.Path(path_type=Path), nargs=-1, required=True)
@_INSTANCE
@_DOMAIN
@_AUTHOR
@click.option("--take-theirs", multiple=True, help="Item id whose conflict is decided for the file; can be repeated.")
@json_option
def import_(
    project: Path, files: tuple[Path, ...], instance: str, domain: str, author: str, take_theirs: tuple[str, ...],
    as_json: bool,
) -> int:  # fmt: skip
    """Bring items in: spreadsheets (XLSX, CSV, JSONL) of one or several authors, or PresentBench prompt files (JSON).

    What was changed here and differently in a file is a conflict: it stays as it is here and is listed.
    Whole PresentBench trees come in with studio import --layout presentbench.

    Example: studio checklist import my-study items-anna.xlsx items-bo.csv
    """
    reports: list[dict[str, Any]] = []
    with opened(project, must_write=True) as target:
        scope = checklist_exchange.scope_named(target, instance=instance, domain=domain)
        for file in files:
            if file.suffix.lower() == ".json":
                found, _ = checklist_exchange.import_prompts(target, file, scope, author=author)
                reports.append(
                    {
                        "file": str(file), "new": found.items, "edited": 0, "same": found.same, "conflicts": [],
                        "refused": [], "notes": found.notes,
                    }
                )  # fmt: skip
                continue
            report, _ = checklist_exchange.import_items(
                target, file, author=author, scope=scope,
                takes_theirs=[item for item in take_theirs],  # type: ignore[misc]  # ids as typed
            )  # fmt: skip
            reports.append(
                {
                    "file": str(file), "new": report.new, "edited": report.edited, "same": report.same,
                    "conflicts": [
                        {
                            "line": each.line, "item_id": each.item_id, "base": each.base.text, "ours": each.ours.text,
                            "theirs": each.theirs.text,
                        }
                        for each in report.conflicts
                    ],
                    "refused": report.refused, "notes": report.notes,
                }
            )  # fmt: skip
    totals = {key: sum(each[key] for each in reports) for key in ("new", "edited", "same")}
    totals |= {key: [one for each in reports for one in each[key]] for key in ("conflicts", "refused", "notes")}
    if as_json:
        print_json({**totals, "files": reports})
    else:
        say(", ".join(f"{totals[key]} {key}" for key in ("new", "edited", "same")))
        for each in totals["conflicts"]:
            note(f"  line {each['line']}: {each['item_id']} was changed here too: {one_line(each['ours'])}")
        for each in totals["refused"]:
            note(f"  line {each['line']}: {each['reason']}")
        for text in totals["notes"]:
            note(f"  {text}")
    return EXIT_SOME_FAILED if totals["refused"] or totals["conflicts"] else EXIT_OK


@checklist.command()
@_PROJECT
@click.option("--out", type=click.Path(path_type=Path), help="File or folder to write; standard output for a table.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(("csv", "jsonl", "xlsx", "presentbench")),
    default="csv",
    show_default=True,
    help="A table of items, or PresentBench's data tree; a name that ends in .xlsx or .jsonl says it too.",
)
@click.option("--judge", default="", help="With presentbench: write this judge's results and scores instead.")
@click.option("--model", default="", help="Name of the judge in the files' names; its own if left out.")
@_INSTANCE
@_DOMAIN
@click.option("--retired", is_flag=True, help="Retired items too.")
@json_option
def export(
    project: Path, out: Path | None, format_: str, judge: str, model: str, instance: str, domain: str, retired: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Write items as a table, instances as a PresentBench tree, or a judge's results and scores.

    Example: studio checklist export my-study --format presentbench --out bench
    """
    with opened(project) as source:
        scope = checklist_exchange.scope_named(source, instance=instance, domain=domain)
        if format_ != "presentbench":
            scopes = [scope] if instance or domain else None
            if out is None and not as_json and format_ != "xlsx":
                say(
                    checklist_exchange.export_items(source, scopes=scopes, with_retired=retired, format=format_), end=""
                )
                return
            if out is not None and format_ == "csv" and out.suffix.lower() in checklist_exchange.ITEM_FILES:
                format_ = out.suffix.lower()[1:]
            out = out or source.exports_folder / f"items.{format_}"
            checklist_exchange.write_items(
                source, out, scopes=scopes, with_retired=retired, format=format_
            )  # fmt: skip
            files, notes = [out], []
        else:
            out = out or source.exports_folder / "presentbench"
            if judge:
                report = checklist_exchange.export_verdicts(source, out, judge, now=datetime.now(), model=model)
            else:
                chosen = [scope.instance_id] if scope.instance_id else None
                report = checklist_exchange.export_tree(source, out, chosen)
            files, notes = report.files, report.notes
    if as_json:
        print_json({"path": str(out), "files": [str(each) for each in files], "notes": notes})
        return
    for text in notes:
        note(f"  {text}")
    note(f"Wrote {len(files)} file{'s' * (len(files) != 1)} to {out}")


@checklist.command()
@_PROJECT
@click.option("--instance", required=True, help="Folder name or id of an instance.")
@click.option("--judge", default="", help="Ask a judge, by provider:model or its name, instead of the structure.")
@click.option("--dry-run", is_flag=True, help="Print what asking the judge would cost; ask nothing.")
@click.option("--accept", is_flag=True, help="Add all proposals to the instance's list.")
@_AUTHOR
@json_option
def draft(
    project: Path, instance: str, judge: str, dry_run: bool, accept: bool, author: str, as_json: bool
) -> None:  # fmt: skip
    """Propose items from an instance's instruction, offline, or from its sources too by a judge.

    Nothing is added unless you accept. The price is told before a judge is asked. Its reply is stored: asking the same
    again costs nothing.

    Example: studio checklist draft my-study --instance white-roofs
    """
    if dry_run and not judge:
        raise click.UsageError("--dry-run is for a judge's draft: name one with --judge. Without a judge it is free.")
    with opened(project, must_write=not dry_run and (accept or bool(judge))) as target:
        scope = checklist_exchange.scope_named(target, instance=instance)
        assert scope.instance_id is not None
        if judge:
            price = judge_draft.draft_price(target, scope.instance_id, judge)
            if dry_run and as_json:
                print_json(
                    {**asdict(price), "price": price.cost, "calls": price.calls, "judge": judge, "dry_run": True}
                )
                return
            (say if dry_run else note)(judge_draft.price_words(price))
            note(f"Estimate: {price.basis}.")
            if dry_run:
                return
            with cancel_on_interrupt() as cancel, shown_progress() as progress:
                drafted = judge_draft.draft_by_judge(target, scope.instance_id, judge, emit=progress, cancel=cancel)
            found = list(drafted.proposals)
            note(f"{drafted.calls} calls, ${drafted.cost:.4f}; {drafted.n_left_out} proposals left out")
        else:
            found = actions.proposals(target, scope.instance_id)
        replaced = actions.replaces(target, scope, [each.dimension for each in found]) if accept else []
        accepted = actions.accept(target, scope, found, author=author)[0] if accept else []
    if replaced:
        names = ", ".join(dimension.value for dimension in replaced)
        note(f"This instance now has its own list of {names}; there the common items are not asked any more.")
    if as_json:
        print_json(
            {
                "proposals": [
                    {
                        "dimension": each.dimension.value, "kind": each.kind.value, "text": each.text, "why": each.why,
                        "note": each.note,
                        "rule": {"rule": each.rule.rule, "parameters": each.rule.parameters} if each.rule else None,
                    }
                    for each in found
                ],
                "accepted": [item.id for item in accepted],
            }
        )  # fmt: skip
        return
    print_table(
        ("dimension", "kind", "words", "from"),
        [(each.dimension.value, each.kind.value, one_line(each.text), each.why) for each in found],
    )
    note(f"{len(found)} proposals, {len(accepted)} accepted")


@checklist.command()
@_PROJECT
@click.option("--who", default=checklist_stats.PEOPLE, show_default=True, help="People, or a judge.")
@json_option
def stats(project: Path, who: str, as_json: bool) -> None:
    """Print prevalence, agreement and discrimination of each item, and people beside each judge.

    Example: studio checklist stats my-study
    """
    with opened(project) as source:
        rows = checklist_stats.item_statistics(source, who=who)
        compared = checklist_stats.compare(source)
        waiting = checklist_answers.left_out_in_words(checklist_answers.read_replies(source).not_submitted)
    if as_json:
        print_json(
            {
                "items": [
                    {
                        "item_id": each.item_id, "n": each.n, "prevalence": each.prevalence.value,
                        "agreement": each.agreement.value, "same": each.same.value,
                        "discrimination": each.discrimination.value,
                        "undefined": {
                            "agreement": each.agreement.undefined_reason,
                            "discrimination": each.discrimination.undefined_reason,
                        },
                    }
                    for each in rows
                ],
                "left_out": waiting,
                "compared": [
                    {
                        "item_id": each.item_id or None, "judge_id": each.judge_id, "same": each.same.value,
                        "n": each.same.n, "no_precision": each.no.precision.value, "no_recall": each.no.recall.value,
                        "support": each.no.support,
                    }
                    for each in compared
                ],
            }
        )  # fmt: skip
        return
    print_table(
        ("item", "decks", "yes", "alpha", "same", "discrimination"),
        [
            (
                each.item_id, each.n, figure(each.prevalence.value), figure(each.agreement.value),
                figure(each.same.value), figure(each.discrimination.value),
            )
            for each in rows
        ],
        numbers=(1, 2, 3, 4, 5),
    )  # fmt: skip
    for each in compared:
        if not each.item_id:
            say(
                f"{each.judge_id} beside people: {figure(each.same.value)} the same over {each.same.n} answers, "
                f"no-precision {figure(each.no.precision.value)}, no-recall {figure(each.no.recall.value)}"
            )
    if waiting:
        note(f"{waiting}.")


@checklist.command()
@_PROJECT
@click.option("--who", help="People, or a judge; judges are never mixed.")
@click.option("--form", type=click.Choice([each.value for each in Form]), default=Form.EQUAL.value, show_default=True)
@click.option(
    "--nulls", type=click.Choice([each.value for each in NullPolicy]), default=NullPolicy.FAIL.value, show_default=True
)
@click.option("--by", type=click.Choice(GROUPS), help="A row for each group of instances.")
@json_option
def scores(project: Path, who: str | None, form: str, nulls: str, by: str | None, as_json: bool) -> None:
    """Print the checklist scores of systems, over all decks or by domain, source, language or difficulty.

    Example: studio checklist scores my-study --who people --by domain
    """
    with opened(project) as source:
        found = checklist_scores.project_scores(source, who, form=Form(form), nulls=NullPolicy(nulls))
        is_of_people = who in (None, checklist_scores.PEOPLE)
        replies = checklist_answers.read_replies(source) if is_of_people else None
    content = checklist_scores.scores_json(found, by=by)
    if as_json:
        print_json(content)
        return
    dimensions = list(content["systems"][0]["dimensions"]) if content["systems"] else []
    print_table(
        ("system", by or "group", "total", *dimensions, "decks", "failed", "missing"),
        [
            (
                row["system"], row["group"], figure(row["total"]),
                *(figure(row["dimensions"][each]) for each in dimensions),
                row["n"], row["n_failed"], len(row["missing"]),
            )
            for row in content["systems"]
        ],
        numbers=tuple(range(2, 6 + len(dimensions))),
    )  # fmt: skip
    if replies is not None and replies.said and replies.not_submitted:
        note(f"{checklist_answers.left_out_in_words(replies.not_submitted)}.")


@checklist.command()
@_PROJECT
@click.option(
    "--table",
    type=click.Choice(("summary", *benchmark_exports.TABLES, "figures")),
    default="summary",
    show_default=True,
)
@click.option("--figure", type=click.Choice(tuple(benchmark_exports.FIGURES)), help="A figure instead of a table.")
@click.option("--all", "all_", is_flag=True, help="Write all tables and figures into the folder --out.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Table: .csv or .xlsx. Figure: .svg, .png or .csv. All: a folder."
)
@json_option
def benchmark(
    project: Path, table: str, figure: str | None, all_: bool, out: Path | None, as_json: bool
) -> None:  # fmt: skip
    """Print what the benchmark is made of: instances, pages, tokens by a stated estimate, items per dimension.

    Example: studio checklist benchmark my-study --figure 5 --out figure-5.svg
    """
    with opened(project) as source:
        facts = benchmark_facts.instance_facts(source)
        folder = source.exports_folder
    if all_:
        files = benchmark_exports.write_all(facts, out or folder / "benchmark")
        if as_json:
            print_json({"files": [str(each) for each in files]})
        else:
            note(f"Wrote {len(files)} files to {files[0].parent}")
        return
    content: Any
    if figure is not None:
        content = benchmark_exports.figure_rows(facts, figure)
        if out is not None:
            benchmark_exports.write_figure(facts, figure, out)
    elif table in benchmark_exports.TABLES:
        content = benchmark_exports.table_rows(facts, table)
        if out is not None:
            benchmark_exports.write_table(facts, table, out)
    else:
        content = benchmark_facts.summary(facts) if table == "summary" else benchmark_facts.figures(facts)
        if out is not None:
            checklist_exchange.write_text(out, benchmark_facts.facts_csv([content]))
    if as_json:
        print_json(content)
    elif isinstance(content, list):
        columns = tuple(content[0]) if content else ()
        print_table(columns, [[_cell(row[name]) for name in columns] for row in content])
    else:
        for key, value in content.items():
            say(f"{key}: {_cell(value)}")


@checklist.command()
@_PROJECT
@click.argument("key", required=False)
@_INSTANCE
@_DOMAIN
@_AUTHOR
@json_option
def template(project: Path, key: str | None, instance: str, domain: str, author: str, as_json: bool) -> None:
    """Begin a list with a starter template; lists the templates if none is named.

    Example: studio checklist template my-study independent-en --domain academia
    """
    if key is None:
        known = [
            {"key": each.key, "name": each.name, "language": each.language, "items": len(each.items)}
            for each in checklist_templates.list_templates()
        ]
        if as_json:
            print_json(known)
        else:
            print_table(("key", "name", "language", "items"), [tuple(each.values()) for each in known])
        return
    with opened(project, must_write=True) as target:
        scope = checklist_exchange.scope_named(target, instance=instance, domain=domain)
        items, _ = checklist_templates.use_template(target, scope, key, author=author)
    if as_json:
        print_json({"added": len(items), "items": [_item_json(item) for item in items]})
    else:
        note(f"Added {len(items)} items.")


def _cell(value: object) -> str:
    if isinstance(value, float):
        return figure(value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {_cell(each)}" for key, each in value.items())
    if isinstance(value, list):
        return ", ".join(map(_cell, value))
    return "–" if value is None else str(value)


def _item_json(item: Item) -> dict[str, Any]:
    return {
        "item_id": item.id, "item_version": item.version, "dimension": item.dimension.value,
        "tier": item.dimension.tier.value, "kind": item.kind.value, "text": item.text, "note": item.note,
        "no_when": item.no_when, "weight": item.weight, "slide": item.slide, "domain": item.domain,
        "instance_id": item.instance_id, "is_retired": item.is_retired, "needs_evidence": item.needs_evidence,
        "rule": {"rule": item.rule.rule, "parameters": item.rule.parameters} if item.rule else None,
    }  # fmt: skip


def _finding(each: LintFinding) -> dict[str, Any]:
    return {
        "item_id": each.item_id, "finding": each.hint.value, "severity": each.severity.value, "message": each.message,
        "other_id": each.other_id,
    }  # fmt: skip


def _pages(pages: JudgedPages) -> dict[str, Any]:
    return {
        "original": pages.original, "judged": pages.judged, "slides": list(pages.slides), "hidden": list(pages.hidden),
        "removed": list(pages.removed), "limit": pages.limit,
    }  # fmt: skip


for _command in COMMANDS:
    checklist.add_command(_command)
