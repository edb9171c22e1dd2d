"""studio checklist edit, settings, curate, try, sign-off, release, undo."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click

from studio.actions import checklist_answers, checklist_exchange, item_trial
from studio.actions import checklists as actions
from studio.cli.main import EXIT_OK, exit_code, json_option
from studio.cli.opened import opened, tools
from studio.cli.output import note, one_line, print_json, print_table, say
from studio.cli.progress import cancel_on_interrupt, shown_progress
from studio.errors import BadInput
from studio.model.authoring import Curation, ListSettings
from studio.model.checklists import Dimension, ItemId
from studio.store import decks as deck_store
from studio.store.values import plain

_PROJECT = click.argument("project", type=click.Path(path_type=Path))
_INSTANCE = click.option("--instance", default="", help="Folder name or id of an instance.")
_DOMAIN = click.option("--domain", default="", help="A domain's own list.")
_AUTHOR = click.option("--author", default="terminal", show_default=True, help="Who the changes are by.")
_DIMENSIONS = click.Choice([each.value for each in Dimension])
_UNSET = "none"
_RANGE = re.compile(r"\s*(\d{1,4})\s*(?:-|–|to)\s*(\d{1,4})\s*")
DECISIONS = {"accepted": True, "rejected": False, "undecided": None}


@click.command()
@_PROJECT
@click.argument("items", nargs=-1, required=True)
@click.option("--text", help="The question; of one item only.")
@click.option("--note", "note_", help="What counts as no.")
@click.option("--no-when", help="Counts as no when this holds.")
@click.option("--dimension", type=_DIMENSIONS)
@click.option("--weight", type=float)
@click.option("--evidence/--no-evidence", default=None, help="Whether people must mark a slide.")
@click.option("--tag", multiple=True, help="Add a tag; can be repeated.")
@click.option("--untag", multiple=True, help="Take a tag away; can be repeated.")
@click.option("--retire/--bring-back", "retired", default=None)
@_AUTHOR
@json_option
def edit(
    project: Path, items: tuple[str, ...], text: str | None, note_: str | None, no_when: str | None,
    dimension: str | None, weight: float | None, evidence: bool | None, tag: tuple[str, ...], untag: tuple[str, ...],
    retired: bool | None, author: str, as_json: bool,
) -> None:  # fmt: skip
    """Change items together, as one step.

    Example: studio checklist edit my-study item_1 item_2 --weight 2 --tag layout
    """
    if text is not None and len(items) > 1:
        raise BadInput("Many items cannot have the same words.", next_step="Give --text with one item.")
    fields: dict[str, Any] = {
        "text": text, "note": note_, "no_when": no_when, "weight": weight, "needs_evidence": evidence,
        "dimension": Dimension(dimension) if dimension else None, "is_retired": retired,
    }  # fmt: skip
    with opened(project, must_write=True) as target:
        changed, _ = actions.bulk_edit(
            target, [ItemId(each) for each in items],
            {name: value for name, value in fields.items() if value is not None}, author=author, add_tags=tag,
            remove_tags=untag,
        )  # fmt: skip
    if as_json:
        print_json({"items": [plain(item) for item in changed]})
    else:
        note(f"Changed {len(changed)} items.")


@click.command()
@_PROJECT
@_INSTANCE
@_DOMAIN
@click.option("--slides", help="Fewest and most slides, such as 8-12; none leaves it to the list behind.")
@click.option("--independent-prefix", help="What judges read before items that need no source; none unsets it.")
@click.option("--dependent-prefix", help="What judges read before items that need one; none unsets it.")
@click.option("--weights", help="Points such as fundamentals=20,design=20; none unsets them.")
@click.option("--total", help="What the points are divided by; none: their sum.")
@click.option("--empty", multiple=True, type=_DIMENSIONS, help="This list stays empty on purpose; can be repeated.")
@click.option("--not-empty", multiple=True, type=_DIMENSIONS, help="Take that back; can be repeated.")
@click.option(
    "--evidence/--no-evidence", default=None, help="Whether every no of people must name a place, in all lists."
)
@_AUTHOR
@json_option
def settings(
    project: Path, instance: str, domain: str, slides: str | None, independent_prefix: str | None,
    dependent_prefix: str | None, weights: str | None, total: str | None, empty: tuple[str, ...],
    not_empty: tuple[str, ...], evidence: bool | None, author: str, as_json: bool,
) -> None:  # fmt: skip
    """Print what a list says beside its items, or change it.

    Example: studio checklist settings my-study --domain academia --slides 16-20
    """
    given = (slides, independent_prefix, dependent_prefix, weights, total)
    is_edit = any(each is not None for each in given) or bool(empty or not_empty)
    if evidence is not None and (instance or domain):
        raise BadInput(
            "Whether every no needs a place is asked in all lists alike.",
            next_step="Leave --instance and --domain out, or ask it of single items: studio checklist edit --evidence.",
        )
    is_write = is_edit or evidence is not None
    with opened(project, must_write=is_write) as target:
        scope = checklist_exchange.scope_named(target, instance=instance, domain=domain)
        found = actions.settings_of(target, scope)
        if slides is not None:
            found = replace(found, slide_limits=_slides(slides))
        if independent_prefix is not None:
            found = replace(found, independent_prefix=_text(independent_prefix))
        if dependent_prefix is not None:
            found = replace(found, dependent_prefix=_text(dependent_prefix))
        if weights is not None:
            found = replace(found, weights=_weights(weights))
        if total is not None:
            found = replace(found, weights_total=None if total == _UNSET else _number(total, "--total"))
        declared = (found.declared | {Dimension(each) for each in empty}) - {Dimension(each) for each in not_empty}
        found = replace(found, declared=frozenset(declared))
        if is_edit:
            actions.set_settings(target, scope, found, author=author)
        if evidence is not None:
            checklist_answers.set_needs_evidence(target, evidence)
        content = _settings_json(scope.key, found) | {"needs_evidence": checklist_answers.needs_evidence(target)}
    if as_json:
        print_json(content)
        return
    for name, value in content.items():
        say(f"{name}: {'–' if value in (None, [], '') else value}")


def _settings_json(scope: str, found: ListSettings) -> dict[str, Any]:
    return {
        "scope": scope, "slide_limits": list(found.slide_limits) if found.slide_limits else None,
        "independent_prefix": found.independent_prefix, "dependent_prefix": found.dependent_prefix,
        "weights": {each.value: value for each, value in found.weights.items()} if found.weights is not None else None,
        "weights_total": found.weights_total, "empty": sorted(each.value for each in found.declared),
    }  # fmt: skip


@click.command()
@_PROJECT
@_INSTANCE
@click.option("--address", help="Where the sources were found.")
@click.option("--licence")
@click.option("--difficulty")
@click.option("--decision", type=click.Choice(list(DECISIONS)), help="Whether it is part of the benchmark.")
@click.option("--why", help="Why it was accepted or rejected.")
@_AUTHOR
@json_option
def curate(
    project: Path, instance: str, address: str | None, licence: str | None, difficulty: str | None,
    decision: str | None, why: str | None, author: str, as_json: bool,
) -> None:  # fmt: skip
    """Print where instances come from and whether they are in the benchmark, or say it of one.

    Example: studio checklist curate my-study --instance roofs --licence "CC BY 4.0" --decision accepted
    """
    said = {"address": address, "licence": licence, "difficulty": difficulty, "why": why}
    changes: dict[str, Any] = {name: value for name, value in said.items() if value is not None}
    if decision is not None:
        changes["is_accepted"] = DECISIONS[decision]
    if changes and not instance:
        raise BadInput("A curation belongs to an instance.", next_step="Name it with --instance.")
    with opened(project, must_write=bool(changes)) as target:
        scope = checklist_exchange.scope_named(target, instance=instance)
        known = actions.curations(target)
        if changes and scope.instance_id is not None:
            before = known.get(scope.instance_id) or Curation(instance_id=scope.instance_id)
            actions.set_curation(target, replace(before, **changes), author=author)
            known = actions.curations(target)
        rows = [
            {"instance": each.name, **asdict(known.get(each.id) or Curation(instance_id=each.id))}
            for each in deck_store.list_instances(target)
            if scope.instance_id in (None, each.id)
        ]
    if as_json:
        print_json(rows)
        return
    words = {value: name for name, value in DECISIONS.items()}
    print_table(
        ("instance", "decision", "why", "difficulty", "licence", "address"),
        [
            (row["instance"], words[row["is_accepted"]], row["why"], row["difficulty"], row["licence"], row["address"])
            for row in rows
        ],
    )


@click.command("try")
@_PROJECT
@click.argument("item")
@click.option("--judge", default="", help="provider:model, or a judge's name; code for code items. None only shows.")
@click.option("--deck", "decks", multiple=True, help="System, or INSTANCE/SYSTEM; the first three if none is named.")
@_AUTHOR
@json_option
def try_(project: Path, item: str, judge: str, decks: tuple[str, ...], author: str, as_json: bool) -> int:
    """Try one item on a few decks: what you, annotators, code and judges say, side by side.

    Example: studio checklist try my-study item_1 --judge scripted:demo --deck alpha
    """
    code = EXIT_OK
    with opened(project, must_write=bool(judge)) as target:
        offered = item_trial.trial_decks(target, ItemId(item))
        chosen = [
            each.deck.id for each in offered
            if {each.deck.id, each.deck.system, f"{each.instance.name}/{each.deck.system}"} & set(decks)
        ] if decks else [each.deck.id for each in offered[: item_trial.FEW]]  # fmt: skip
        if decks and not chosen:
            raise BadInput(f"No deck that is asked this item is named {decks[0]}.", next_step="See: studio decks.")
        if judge:
            asked = actions.versions(target, ItemId(item))[-1]
            wish = item_trial.trial_wish(target, asked, chosen, judge)
            with cancel_on_interrupt() as cancel, shown_progress() as progress:
                ended, _ = item_trial.run_trial(target, wish, tools=tools(), emit=progress, cancel=cancel)
            code = exit_code(ended)
        view = item_trial.trial_view(target, ItemId(item), chosen, person=author)
    if as_json:
        print_json({"item": plain(view.item), "judges": list(view.judges), "rows": [plain(row) for row in view.rows]})
        return code
    say(one_line(view.item.text))
    print_table(
        ("deck", "instance", "slide", "you", "people", *view.judges),
        [
            (
                row.deck, row.instance, row.slide, row.mine.value if row.mine else None, row.people or None,
                *(_said(row, each) for each in view.judges),
            )
            for row in view.rows
        ],
    )  # fmt: skip
    for row in view.rows:
        for name, reply in row.replies.items():
            note(f"  {row.deck}, {name}: {one_line(reply.reason)}")
    return code


def _said(row: item_trial.TrialRow, judge: str) -> str | None:
    reply = row.replies.get(judge)
    if reply is None:
        return None
    return reply.answer.value if reply.answer else reply.status


@click.command("sign-off")
@_PROJECT
@_INSTANCE
@_DOMAIN
@click.option("--person", required=True, help="Who signs; refused to whoever wrote in the list.")
@click.option("--note", "words", default="")
@json_option
def sign_off(project: Path, instance: str, domain: str, person: str, words: str, as_json: bool) -> None:
    """Sign a list off as its second reader.

    Example: studio checklist sign-off my-study --domain academia --person "Bo"
    """
    with opened(project, must_write=True) as target:
        scope = checklist_exchange.scope_named(target, instance=instance, domain=domain)
        signed, _ = actions.sign_off(target, scope, person=person, note=words)
        left = [each.key for each in actions.sign_off_state(target)[1]]
    if as_json:
        print_json({"scope": scope.key, "person": signed.person, "at": signed.at, "unsigned": left})
    else:
        note(f"Signed off. Lists without a sign-off: {', '.join(left) or 'none'}.")


@click.command()
@_PROJECT
@click.option("--title", required=True)
@click.option("--note", "words", default="")
@_AUTHOR
@json_option
def release(project: Path, title: str, words: str, author: str, as_json: bool) -> None:
    """Freeze all lists under the next number; each must be signed off.

    Example: studio checklist release my-study --title "First"
    """
    with opened(project, must_write=True) as target:
        made, _ = actions.release(target, title=title, author=author, note=words)
    if as_json:
        print_json({"number": made.number, "title": made.title, "at": made.at, "content_hash": made.content_hash})
    else:
        note(f"Release {made.number}: {made.title}.")


@click.command()
@_PROJECT
@click.option("--redo", is_flag=True, help="Bring back what was taken back last.")
@_AUTHOR
@json_option
def undo(project: Path, redo: bool, author: str, as_json: bool) -> None:
    """Take back one's own last change of the checklists.

    Example: studio checklist undo my-study --author Ada
    """
    with opened(project, must_write=True) as target:
        act, _ = actions.redo(target, author=author) if redo else actions.undo(target, author=author)
    if as_json:
        print_json({"words": act.words, "undoes": act.undoes, "at": act.at})
    else:
        note(act.words)


COMMANDS = (edit, settings, curate, try_, sign_off, release, undo)


def _slides(said: str) -> tuple[int, int] | None:
    if said == _UNSET:
        return None
    found = _RANGE.fullmatch(said)
    if found is None:
        raise BadInput(f"{said} is no range of slides.", next_step="Write it as 8-12.")
    return int(found[1]), int(found[2])


def _text(said: str) -> str | None:
    return None if said == _UNSET else said


def _weights(said: str) -> dict[Dimension, float] | None:
    if said == _UNSET:
        return None
    found = {}
    for part in filter(str.strip, said.split(",")):
        name, equals, value = part.partition("=")
        if not equals or name.strip() not in list(Dimension):
            raise BadInput(f"{part.strip()} is no weight.", next_step="Write such as fundamentals=20,design=20.")
        found[Dimension(name.strip())] = _number(value, name.strip())
    return found


def _number(said: str, what: str) -> float:
    try:
        return float(said)
    except ValueError:
        raise BadInput(f"{what} is {said}, not a number.", next_step="Give a number.") from None
