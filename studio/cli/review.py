"""studio review list, show, decide, return, accept, undo, redo, items."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from studio.actions import item_report
from studio.actions import review as actions
from studio.actions.figures import percent
from studio.actions.review_evidence import OpenCase, open_case_named
from studio.cli.main import json_option
from studio.cli.opened import opened
from studio.cli.output import figure, note, one_line, print_json, print_table, say
from studio.errors import BadInput
from studio.model.reviews import DISPUTE_WORDS, ERROR_TYPES, CaseKind, Confidence, Decision, DisputeKind
from studio.store.values import plain

_PROJECT = click.argument("project", type=click.Path(path_type=Path))
_CASE = click.argument("case_id")
_REVIEWER = click.option("--reviewer", required=True, help="Who reviews.")


@click.group()
def review() -> None:
    """Go through disagreements of people and machines, decide them, or return them.

    Example: studio review list my-study --dispute people_machine
    """


@review.command("list")
@_PROJECT
@click.option("--kind", type=click.Choice([each.value for each in CaseKind]), help="Items, pairs of decks, or quiz.")
@click.option("--dispute", type=click.Choice([each.value for each in DisputeKind]), help="Who disagrees with whom.")
@click.option("--who", default="", help="A judge or method that takes part.")
@click.option("--instance", default="", help="Id of an instance.")
@click.option("--group", default="", help="A dimension of the checklist.")
@click.option("--state", type=click.Choice([each.value for each in actions.CaseState]), help="Where cases stand.")
@click.option("--smallest", type=float, default=0.0, show_default=True, help="Leave smaller disagreements out (0–1).")
@json_option
def list_(
    project: Path, kind: str | None, dispute: str | None, who: str, instance: str, group: str, state: str | None,
    smallest: float, as_json: bool,
) -> None:  # fmt: skip
    """List disagreements, the largest first.

    Example: studio review list my-study --dispute people --state open
    """
    wanted = actions.Filter(
        kind=CaseKind(kind) if kind else None, dispute=DisputeKind(dispute) if dispute else None, who=who,
        instance_id=instance, group=group, state=state or "", smallest=smallest,
    )  # fmt: skip
    with opened(project) as source:
        desk = actions.read_desk(source)
    found = actions.filtered(desk, wanted)
    if as_json:
        counts = {each.value: desk.count(each) for each in actions.CaseState}
        print_json({"cases": [actions.entry_json(entry, desk.names) for entry in found], "counts": counts})
        return
    print_table(
        ("case", "size", "state", "instance", "what", "who disagrees"),
        [
            (
                entry.case.id, figure(entry.size), entry.state.value, entry.instance, one_line(entry.case.text),
                "; ".join(dict.fromkeys(DISPUTE_WORDS[each.kind] for each in entry.case.disputes)),
            )
            for entry in found
        ],
        numbers=(1,),
    )  # fmt: skip
    note(f"{len(found)} of {len(desk.entries)} cases, {sum(entry.is_open for entry in desk.entries)} open")


@review.command()
@_PROJECT
@_CASE
@click.option("--names", is_flag=True, help="Say who said what; else a side is all that is told.")
@json_option
def show(project: Path, case_id: str, names: bool, as_json: bool) -> None:
    """Print what each side of a disagreement says and rests on.

    Without names, statements without a reason or a place are left out: their number would tell who is who.

    Example: studio review show my-study item:deck_1:item_2
    """
    with opened(project) as source:
        found = open_case_named(source, case_id, is_blind=not names)
    if as_json:
        print_json(_open_json(found, names))
        return
    say(one_line(found.entry.case.text))
    for side in found.sides:
        say(f"{side.says}:")
        for _, each in side.told(is_blind=not names):
            slides = ", ".join(f"slide {place.box.slide}" for place in each.places)
            quotes = ", ".join(f"{one.source} p. {one.page}" if one.page else one.source for one in each.quotes)
            known = [each.who, each.facts] if names else []
            parts = [*known, one_line(each.words), slides, quotes]
            say(f"  {' · '.join(part for part in parts if part) or 'no reason given'}")


def _open_json(found: OpenCase, names: bool) -> dict[str, Any]:
    def statement(each: Any) -> dict[str, Any]:
        shown: dict[str, Any] = plain(asdict(each))
        for place in shown["places"] if not names else ():
            place.pop("facts")
        return (
            shown if names else {key: value for key, value in shown.items() if key not in {"who", "is_person", "facts"}}
        )

    return {
        "case_id": found.entry.case.id, "text": found.entry.case.text,
        "sides": [
            {"says": side.says, "statements": [statement(each) for _, each in side.told(is_blind=not names)]}
            for side in found.sides
        ],
        "panes": [
            {"deck_id": pane.id, "name": pane.name, "slide": slide}
            for pane, slide in zip(found.panes, found.slides, strict=True)
        ],
    }  # fmt: skip


@review.command()
@_PROJECT
@_CASE
@click.option("--as", "decision", type=click.Choice([each.value for each in Decision]), required=True,
              help="What is so: yes or no for items, a, b or tie for pairs.")  # fmt: skip
@click.option("--error", "error_type", help="Kind of error; the message for an unknown one names those there are.")
@click.option("--confidence", type=click.Choice([each.value for each in Confidence]), help="How sure.")
@click.option("--comment", help="Why.")
@_REVIEWER
@json_option
def decide(
    project: Path, case_id: str, decision: str, error_type: str | None, confidence: str | None, comment: str | None,
    reviewer: str, as_json: bool,
) -> None:  # fmt: skip
    """Decide a case; the decision stands in place of what most people say, and is nobody's answer.

    Example: studio review decide my-study item:deck_1:item_2 --as no --reviewer Rae
    """
    with opened(project, must_write=True) as target:
        case = _entry(target, case_id).case
        actions.decide(
            target, case, Decision(decision), reviewer=actions.reviewer_named(target, reviewer).id,
            error_type=error_type, confidence=Confidence(confidence) if confidence else None, comment=comment,
        )  # fmt: skip
        _tell(target, case_id, as_json)


@review.command("return")
@_PROJECT
@_CASE
@click.option("--comment", required=True, help="What should be looked at again.")
@_REVIEWER
@json_option
def return_(project: Path, case_id: str, comment: str, reviewer: str, as_json: bool) -> None:
    """Send the answers to a case back to those who gave them.

    Example: studio review return my-study item:deck_1:item_2 --comment "See slide 4" --reviewer Rae
    """
    with opened(project, must_write=True) as target:
        case = _entry(target, case_id).case
        actions.return_case(target, case, comment, reviewer=actions.reviewer_named(target, reviewer).id)
        _tell(target, case_id, as_json)


@review.command()
@_PROJECT
@click.option("--threshold", type=float, required=True, help="Share of people who must agree, above 0.5 and up to 1.")
@click.option("--fewest", type=int, default=actions.FEWEST_PEOPLE, show_default=True, help="People who must answer.")
@click.option("--dry-run", is_flag=True, help="List what would be accepted, and accept nothing.")
@click.option("--reviewer", default="", help="Who accepts; needed unless it is a dry run.")
@json_option
def accept(project: Path, threshold: float, fewest: int, dry_run: bool, reviewer: str, as_json: bool) -> None:
    """Take agreement between people for the decision where it reaches a threshold, and list what was accepted.

    Example: studio review accept my-study --threshold 0.8 --reviewer Rae
    """
    if not dry_run and not reviewer.strip():
        raise click.UsageError("Say who accepts with --reviewer, or look first with --dry-run.")
    with opened(project, must_write=not dry_run) as target:
        if dry_run:
            found = actions.acceptable(actions.read_desk(target), threshold, fewest=fewest)
        else:
            who = actions.reviewer_named(target, reviewer).id
            found, _ = actions.accept(target, threshold, reviewer=who, fewest=fewest)
    rows: list[dict[str, Any]] = [
        {
            "case_id": entry.case.id, "instance": entry.instance, "text": entry.case.text,
            "decision": decision.value, "share": entry.case.majority[1], "people": entry.case.majority[2],
        }
        for entry, decision in found
    ]  # fmt: skip
    if as_json:
        print_json({"accepted": rows, "threshold": threshold, "dry_run": dry_run})
        return
    print_table(
        ("case", "instance", "decision", "share", "people"),
        [(row["case_id"], row["instance"], row["decision"], figure(row["share"]), row["people"]) for row in rows],
        numbers=(3, 4),
    )  # fmt: skip
    note(f"{len(rows)} {'would be' if dry_run else ''} accepted".replace("  ", " "))


@review.command()
@_PROJECT
@_REVIEWER
@json_option
def undo(project: Path, reviewer: str, as_json: bool) -> None:
    """Take back a reviewer's last act.

    Example: studio review undo my-study --reviewer Rae
    """
    with opened(project, must_write=True) as target:
        act, cases, _ = actions.undo(target, reviewer=actions.reviewer_named(target, reviewer).id)
    _tell_act(act.words, list(cases), as_json)


@review.command()
@_PROJECT
@_REVIEWER
@json_option
def redo(project: Path, reviewer: str, as_json: bool) -> None:
    """Bring back what was taken back last.

    Example: studio review redo my-study --reviewer Rae
    """
    with opened(project, must_write=True) as target:
        act, cases, _ = actions.redo(target, reviewer=actions.reviewer_named(target, reviewer).id)
    _tell_act(act.words, list(cases), as_json)


@review.command()
@_PROJECT
@json_option
def log(project: Path, as_json: bool) -> None:
    """List every act of every reviewer, undone ones and undoings among them.

    Example: studio review log my-study
    """
    with opened(project) as source:
        acts, names = actions.all_acts(source)
    if as_json:
        print_json({"acts": [plain(asdict(act)) | {"reviewer": names.get(act.reviewer_id)} for act in acts]})
        return
    print_table(
        ("act", "at", "reviewer", "what", "undoes"),
        [(act.seq, act.at[:19], names.get(act.reviewer_id), act.words, act.undoes) for act in acts],
        numbers=(0, 4),
    )  # fmt: skip


@review.command()
@_PROJECT
@click.option("--judge", "judges", multiple=True, help="A judge to compare with; may be repeated. All if left out.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="CSV file to write.")
@json_option
def items(project: Path, judges: tuple[str, ...], out: Path | None, as_json: bool) -> None:
    """Print, item by item, what is disputed or ambiguous, the precision and recall of no, and what tells decks apart.

    Example: studio review items my-study --judge code
    """
    with opened(project) as source:
        found = item_report.item_report(source, judges=judges or None)
    rows = item_report.report_rows(found)
    if out is not None:
        item_report.export_items(found, out)
    if as_json:
        print_json({"items": rows, "rules": {flag.value: words for flag, words in item_report.FLAG_WORDS.items()}})
        return
    print_table(
        ("item", "judge", "decks", "yes %", "people same %", "alpha", "discriminates", "disputed", "no: precision %",
         "no: recall %", "flags"),
        [
            (
                one_line(row["text"])[:60], row["judge_id"], row["n_decks"], percent(row["prevalence"]),
                percent(row["same_people"]), figure(row["alpha"]), figure(row["discrimination"]), row["n_disputed"],
                percent(row["no_precision"]), percent(row["no_recall"]), ", ".join(row["flags"]),
            )
            for row in rows
        ],
        numbers=(2, 3, 4, 5, 6, 7, 8, 9),
    )  # fmt: skip
    for flag in dict.fromkeys(flag for each in found for flag in each.flags):
        note(f"{flag.value}: {item_report.FLAG_WORDS[flag]}")


def _entry(project: Any, case_id: str) -> actions.Entry:
    found = actions.read_desk(project).entry(case_id)
    if found is None:
        raise BadInput(f"There is no case {case_id}.", next_step="List them with: studio review list PROJECT")
    return found


def _tell(project: Any, case_id: str, as_json: bool) -> None:
    desk = actions.read_desk(project)
    entry = desk.entry(case_id)
    assert entry is not None, "what was reviewed stays in the list"
    if as_json:
        print_json(actions.entry_json(entry, desk.names))
        return
    held = entry.review
    said = held.decision.value if held is not None and held.decision is not None else entry.state.value
    error = ERROR_TYPES[entry.case.kind].get(held.error_type, "") if held is not None else ""
    say(f"{case_id}: {said}" + (f" ({error})" if error else ""))


def _tell_act(words: str, cases: list[Any], as_json: bool) -> None:
    if as_json:
        print_json({"words": words, "cases": cases})
    else:
        say(f"{words} ({len(cases)} case{'s' if len(cases) != 1 else ''})")
