"""studio quiz draft, import, export, build, check, run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from studio.actions import quiz_banks, quiz_build, quiz_reading, quiz_results, quiz_run
from studio.actions.judge_wish import read_wish, with_decks
from studio.cli.main import EXIT_CANCELLED, EXIT_OK, EXIT_SOME_FAILED, exit_code, json_option
from studio.cli.opened import opened, tools
from studio.cli.output import figure, note, print_json, print_table, say
from studio.cli.progress import cancel_on_interrupt, shown_progress
from studio.judges.connect import read_setup
from studio.model.ids import DeckId
from studio.model.judging_options import ShownAs
from studio.model.quiz import Condition
from studio.model.runs import RunState
from studio.quiz.checks import Severity
from studio.quiz.construction import WINDOW_LETTERS
from studio.quiz.reader import READER, RULE
from studio.store.project import Project

_PROJECT = click.argument("project", type=click.Path(path_type=Path))
_INSTANCE = click.option("--instance", default="", help="Only this instance: its name or id.")
_SETTINGS = click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A setting of the judge.")
_BASE_URL = click.option("--base-url", default="", help="Another endpoint of the judge.")
_BUDGET = click.option("--budget", type=click.FloatRange(min=0.0), metavar="USD", help="Pause when this is spent.")


@click.group()
def quiz() -> None:
    """Ask decks what their sources say: make question banks, check them, and let readers answer.

    Example: studio quiz draft my-study && studio quiz run my-study
    """


@quiz.command()
@_PROJECT
@_INSTANCE
@click.option("--count", default=quiz_banks.DRAFTS, show_default=True, type=click.IntRange(1, 500),
              help="Drafts of an instance at most.")  # fmt: skip
@click.option("--seed", type=int, help="Of the choice among facts; the project's if left out.")
@json_option
def draft(project: Path, instance: str, count: int, seed: int | None, as_json: bool) -> int:
    """Draft data questions from the numbers in the sources; no model is asked. A person must accept each.

    Example: studio quiz draft my-study --count 10
    """
    with opened(project, must_write=True) as target, cancel_on_interrupt() as cancel:
        reports, _ = quiz_banks.draft_banks(target, instance=instance, count=count, seed=seed, cancel=cancel)
        banks = _banks_json(target, instance)
    if as_json:
        print_json({"banks": banks, "drafted": [asdict(each) for each in reports]})
        return EXIT_OK
    print_table(
        ("Instance", "New drafts", "Known", "Facts found", ""),
        [(each.instance, each.new, each.known, each.facts, each.reason) for each in reports], numbers=(1, 2, 3),
    )  # fmt: skip
    note("Drafts by rules: a person must read each against the source before it counts.")
    return EXIT_OK


@quiz.command(name="import")
@_PROJECT
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@_INSTANCE
@click.option("--take-theirs", is_flag=True, help="Where a question differs, the file's words count.")
@json_option
def import_(project: Path, file: Path, instance: str, take_theirs: bool, as_json: bool) -> int:
    """Bring question banks of a JSON file in; twice changes nothing.

    Example: studio quiz import my-study bank.json --instance topic-1
    """
    with opened(project, must_write=True) as target:
        report, _ = quiz_banks.import_banks(target, file, instance=instance, takes_theirs=take_theirs)
    if as_json:
        print_json(asdict(report))
        return EXIT_OK
    say(f"{report.banks} banks: {report.new} questions new, {report.same} as before, {report.changed} differ")
    for each in report.refused:
        note(f"{each['place']}: {each['reason']}")
    for words in report.notes:
        note(words)
    return EXIT_OK


@quiz.command()
@_PROJECT
@click.option("--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="File to write.")
@_INSTANCE
@json_option
def export(project: Path, out: Path, instance: str, as_json: bool) -> int:
    """Write question banks into a JSON file that can be brought in again.

    Example: studio quiz export my-study --out banks.json
    """
    with opened(project) as source:
        path = quiz_banks.export_banks(source, out, instance=instance)
        count = len(quiz_banks.list_banks(source, instance))
    if as_json:
        print_json({"path": str(path), "banks": count})
    else:
        say(f"{path}: {count} banks")
    return EXIT_OK


@quiz.command()
@_PROJECT
@_INSTANCE
@click.option("--judge", "judge_id", required=True, help="gemini:MODEL, openai:MODEL or scripted:FILE.")
@click.option("--seed", type=int, help="Of the choice among facts and of the letters; the project's if left out.")
@click.option(
    "--window",
    default=WINDOW_LETTERS,
    show_default=True,
    type=click.IntRange(1000, 2_000_000),
    help="Letters of the sources in one request; longer sources are asked in parts that overlap.",
)
@_SETTINGS
@_BASE_URL
@_BUDGET
@json_option
def build(
    project: Path, instance: str, judge_id: str, seed: int | None, window: int, settings: tuple[str, ...],
    base_url: str, budget: float | None, as_json: bool,
) -> int:  # fmt: skip
    """Build banks with a model: facts with quotes, a critic, questions. Building again goes on where it stopped.

    Every quote is compared with the source by code; what is not found word for word is thrown away. The questions are
    drafts: a person must accept each.

    Example: studio quiz build my-study --judge openai:MODEL --budget 2
    """
    setup = read_setup(judge_id, base_url=base_url, settings=_pairs(settings))
    with opened(project, must_write=True) as target, cancel_on_interrupt() as cancel, shown_progress() as progress:
        summary, _ = quiz_build.build_banks(
            target, setup, instance=instance, seed=seed, window=window, budget_usd=budget, emit=progress, cancel=cancel
        )
        banks = _banks_json(target, instance)
    if as_json:
        built = [asdict(each) for each in summary.banks]
        print_json({"banks": banks, "built": built, "calls": summary.calls, "replies_reused": summary.reused,
                    "cost": summary.cost, "finished": summary.is_finished})  # fmt: skip
    else:
        for bank in summary.banks:
            say(f"{bank.instance}: {bank.new} new questions{f', stopped: {bank.stopped}' if bank.stopped else ''}")
            for phase in bank.phases:
                note(
                    f"  {phase.phase}: {phase.units} units, {phase.facts} stand, {len(phase.rejected)} rejected, "
                    f"{phase.duplicates} duplicates"
                )
                for words in phase.passed_over:
                    note(f"    passed over: {words}")
        say(f"calls {summary.calls}, cost ${summary.cost:.4f}")
    if cancel.is_set():
        return EXIT_CANCELLED
    return EXIT_OK if summary.is_finished else EXIT_SOME_FAILED


@quiz.command()
@_PROJECT
@_INSTANCE
@json_option
def check(project: Path, instance: str, as_json: bool) -> int:
    """Check banks by code: options, keys, quotes word by word, numbers, balance, what can be guessed.

    Example: studio quiz check my-study
    """
    with opened(project) as source, cancel_on_interrupt() as cancel:
        found = quiz_banks.check_banks(source, instance=instance, cancel=cancel)
        audit = quiz_banks.audit_banks(source, cancel=cancel)
        difficulty = quiz_banks.difficulty_json(source)
    rows = [
        {"bank_id": each.bank_id, "instance": bank.instance, "question_id": each.question_id or None,
         "rule": each.rule.value, "severity": each.severity.value, "message": each.message}
        for bank in found for each in bank.findings
    ]  # fmt: skip
    errors = sum(bank.errors for bank in found)
    if as_json:
        print_json({"findings": rows, "errors": errors, "banks": len(found), "difficulty": difficulty,
                    "audit": {**asdict(audit), "thirds": audit.thirds}})  # fmt: skip
        return EXIT_OK if not errors else 1
    print_table(
        ("Instance", "Question", "Weight", "Finding"),
        [(row["instance"], row["question_id"], row["severity"], row["message"]) for row in rows
         if row["severity"] == Severity.ERROR or row["rule"] != "not_verified"],
    )  # fmt: skip
    say(f"{len(found)} banks, {errors} errors, {len(rows) - errors} warnings")
    letters = ", ".join(f"{letter} {n}" for letter, n in audit.letters.items())
    say(f"keys {letters}; the right option is the longest in {figure(audit.key_longest)} of the questions")
    return EXIT_OK if not errors else 1


@quiz.command()
@_PROJECT
@_INSTANCE
@click.option("--reader", default=READER, show_default=True, help="offline, or a judge such as gemini:MODEL.")
@click.option("--oracle", is_flag=True, help="Give the quotes instead of slides: must come to 1.")
@click.option("--closed-book", is_flag=True, help="Give nothing: must stay at chance, one in four.")
@click.option("--text", "text_from", default="", help="Who turns slides into words: offline or a judge; the reader.")
@click.option("--decks", multiple=True, help="Only these decks: ids, systems, INSTANCE/SYSTEM or instances.")
@click.option("--force", is_flag=True, help="Ask again what was answered.")
@_SETTINGS
@_BASE_URL
@_BUDGET
@json_option
def run(
    project: Path,
    instance: str,
    reader: str,
    oracle: bool,
    closed_book: bool,
    text_from: str,
    decks: tuple[str, ...],
    force: bool,
    settings: tuple[str, ...],
    base_url: str,
    budget: float | None,
    as_json: bool,
) -> int:
    """Let a reader answer the banks about every deck, and print the accuracies.

    The offline reader is a retrieval rule: free, the same every time, and no measure of what a model would see.

    Example: studio quiz run my-study --reader offline
    """
    if oracle and closed_book:
        raise click.UsageError("--oracle and --closed-book are two runs; give one of them.")
    condition = Condition.ORACLE if oracle else Condition.CLOSED_BOOK if closed_book else Condition.SLIDES
    with opened(project, must_write=True) as target, cancel_on_interrupt() as cancel, shown_progress() as progress:
        how: dict[str, Any] = {
            "condition": condition, "deck_ids": _deck_ids(target, decks), "instance": instance, "force": force,
            "tools": tools(), "emit": progress, "cancel": cancel,
        }  # fmt: skip
        if reader == READER:
            ended, _ = quiz_run.run_offline(target, **how)
            stopped = ended.reason if ended.state is not RunState.DONE else ""
            cost: dict[str, Any] = {}
        else:
            pairs = _pairs(settings)
            pictures_or_text = ShownAs(str(pairs.pop("input", ShownAs.PICTURES.value)))
            setup = read_setup(reader, base_url=base_url, settings=pairs)
            reader = setup.id
            teller = read_setup(text_from, base_url=base_url, settings=pairs) if text_from not in {"", READER} else None
            asking, stopped, _ = quiz_reading.run_reader(
                target,
                setup,
                text_from=teller,
                offline_text=text_from == READER,
                budget_usd=budget,
                input=pictures_or_text,
                **how,
            )
            ended = asking.ended[-1]
            cost = {"calls": asking.calls, "replies_reused": asking.reused, "cost": asking.spent_usd}
        answered = quiz_results.gather(target, cancel=cancel)
        missing = quiz_results.missing_decks(target, answered)
    own = [each for each in answered if each.answer.reader == reader and each.answer.condition is condition]
    rows = quiz_results.accuracy_rows(own)
    if as_json:
        told: dict[str, Any] = {
            "rows": quiz_results.rows_json(rows), "reader": reader, "condition": condition.value,
            "rule": RULE if reader == READER else None, "accuracy_rule": quiz_results.ACCURACY_RULE,
            "units": dict(ended.counts), "cached": ended.cached, "state": ended.state.value, "reason": stopped, **cost,
            "not_answered": missing, "errors": [asdict(each) for each in quiz_results.error_shares(own)],
        }  # fmt: skip
        if condition is Condition.SLIDES:
            told["apart"] = quiz_results.generation_accuracy(own, reader=reader)
        if condition is Condition.CLOSED_BOOK:
            told["chance"] = quiz_results.chance_test(own, reader=reader)
        print_json(told)
        return exit_code(ended)
    listed = [row for row in rows if row.level in {"all", "system", "scenario", "difficulty", "type"}]
    print_table(
        ("By", "", "Accuracy", "95 % interval", "Questions", "Decks"),
        [(row.level, row.system or row.scenario or row.difficulty or row.type or "all", figure(row.accuracy, 3),
          f"{figure(row.ci_low, 3)} … {figure(row.ci_high, 3)}", row.n_questions, row.n_decks) for row in listed],
        numbers=(2, 4, 5),
    )  # fmt: skip
    if condition is Condition.SLIDES:
        apart = quiz_results.generation_accuracy(own, reader=reader)
        note(f"Without what was lost in turning slides into words: {figure(apart['without_extraction_failures'], 3)}")
    if reader == READER:
        note(RULE)
    for system, number in sorted(missing.items()):
        note(f"{system}: {number} decks have no words that could be read")
    return exit_code(ended)


def _pairs(settings: Sequence[str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip():
            raise click.UsageError(f"{setting} is no setting; write it as name=value, such as temperature=0.")
        found[name.strip()] = value.strip()
    return found


def _deck_ids(project: Project, names: Sequence[str]) -> tuple[DeckId, ...] | None:
    listed = tuple(name.strip() for value in names for name in value.split(",") if name.strip())
    return with_decks(project, read_wish("code"), listed).deck_ids if listed else None


def _banks_json(project: Project, instance: str) -> list[dict[str, Any]]:
    from studio.quiz.bank_files import bank_json
    from studio.store import decks as deck_store

    names = {item.id: item.name for item in deck_store.list_instances(project)}
    return [
        {**bank_json(bank, instruction=names.get(bank.instance_id, "")), "instance_id": bank.instance_id}
        for bank in quiz_banks.list_banks(project, instance)
    ]
