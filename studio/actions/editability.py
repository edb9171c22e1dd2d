"""How far decks can be edited: of one file, of a project's decks and systems, and as people find it."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from studio import __version__
from studio.actions.care import deck_of
from studio.actions.people_and_parser import (
    PRESET_OF_RULES,
    agreement_json,
    current_levels,
    person_parser_agreement,
)
from studio.actions.runs import start_run
from studio.decks.render import RenderTools
from studio.decks.sanitised import sanitised_copy
from studio.errors import BadInput, DeckUnreadable
from studio.metrics.editability import (
    RULES,
    SYSTEM_RULE,
    EditabilityRules,
    assess_file,
    editability_json,
    rules_named,
    system_json,
    system_levels,
)
from studio.metrics.registry import EDITABILITY
from studio.model.answers import AnswerKind
from studio.model.changes import Changes
from studio.model.decks import Failure
from studio.model.editability import LEVEL_NAMES, Editability
from studio.model.events import RunEnded
from studio.model.ids import AnnotatorId, DeckId
from studio.model.passwords import PasswordVault
from studio.model.protocols import CancelToken, Emit
from studio.model.runs import RunKind, RunSpec
from studio.sessions.clock import ActiveClock
from studio.sessions.editability import EditabilityForm
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store.project import Project, utc_now


def read_rules(name_or_path: str) -> EditabilityRules:
    """Return rules by name, or those of a JSON file; what the file does not name is as in the studio's.

    Raises:
        BadInput: if there are no such rules, or the file cannot be used.
    """
    if name_or_path in RULES:
        return RULES[name_or_path]
    path = Path(name_or_path)
    if not path.is_file():
        return rules_named(name_or_path)
    try:
        values = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BadInput(f"{path.name} cannot be read as rules: {error}.", next_step="Give a JSON object.") from error
    if not isinstance(values, dict):
        raise BadInput(f"{path.name} holds no rules.", next_step="Give a JSON object of rule names and values.")
    return EditabilityRules.from_json(values)


def assess(path: Path, rules: EditabilityRules, *, password: str | None = None) -> Editability:
    """Return the editability of one file; a bad file has no level and `failure` filled."""
    try:
        return assess_file(path, rules, password=password)
    except DeckUnreadable as error:
        failure = Failure(kind=error.kind, message=str(error))
    except (OSError, RecursionError, MemoryError) as error:
        failure = Failure(kind="unreadable", message=f"{path.name} cannot be read: {error or type(error).__name__}.")
    return Editability(level=None, undefined_reason=f"{failure.kind}: {failure.message}", failure=failure)


def run_editability(
    project: Project, rules: str, *, tools: RenderTools, force: bool = False, workers: int | None = None,
    emit: Emit, cancel: CancelToken,
) -> tuple[RunEnded, Changes]:  # fmt: skip
    """Judge all decks of a project that have no level under these rules yet, and store the levels.

    Raises:
        BadInput: for rules that have no name; only named rules are stored.
    """
    rules_named(rules)
    spec = RunSpec(
        kind=RunKind.METRICS, evaluators=(EDITABILITY,), preset=PRESET_OF_RULES[rules], force=force, workers=workers
    )
    return start_run(project, spec, tools=tools, emit=emit, cancel=cancel)


def project_editability(project: Project, rules: str = "studio") -> dict[str, Any]:
    """Return the stored level of each deck with its gates, the level of each system, and how far people agree."""
    rules_named(rules)
    scores = current_levels(project, rules)
    instances = {item.id: item.name for item in deck_store.list_instances(project)}
    rows = []
    levels: dict[str, list[int | None]] = {}
    for deck in deck_store.list_decks(project):
        score = scores.get(deck.id)
        level = int(score.value) if score is not None and score.value is not None else None
        levels.setdefault(deck.system, []).append(level)
        detail = score.detail if score is not None else {}
        rows.append(
            {
                "instance_id": deck.instance_id,
                "instance": instances[deck.instance_id],
                "deck_id": deck.id,
                "system": deck.system,
                "level": level,
                "level_name": LEVEL_NAMES[level] if level is not None else None,
                "undefined_reason": score.undefined_reason if score is not None else "not_computed",
                "maximum": detail.get("maximum"),
                "gates": detail.get("gates", []),
                "subcriteria": detail.get("subcriteria"),
                "notes": detail.get("notes", []),
            }
        )
    systems = [system_json(found) for found in system_levels({name: levels[name] for name in sorted(levels)})]
    return {
        "rules": rules,
        "decks": rows,
        "systems": systems,
        "system_rule": SYSTEM_RULE,
        "people": [agreement_json(row) for row in person_parser_agreement(project, rules)],
    }


class OpenForm(NamedTuple):
    """An editability form and the clock that the page keeps going."""

    form: EditabilityForm
    clock: ActiveClock


def open_form(
    project: Project,
    deck_id: DeckId,
    annotator_id: AnnotatorId,
    *,
    now: Callable[[], str] = utc_now,
    monotonic: Callable[[], float] = time.monotonic,
) -> OpenForm:
    """Return this person's form for a deck as it stands; every act on it is stored before it shows.

    Raises:
        BadInput: if there is no such deck.
    """
    deck = next((deck for deck in deck_store.list_decks(project) if deck.id == deck_id), None)
    if deck is None:
        raise BadInput(f"There is no deck {deck_id}.", next_step="Choose a deck of this project.")
    events = answer_store.events_of(
        project, AnswerKind.EDITABILITY, instance_id=deck.instance_id, annotator_id=annotator_id
    )
    clock = ActiveClock(monotonic)
    form = EditabilityForm(
        instance_id=deck.instance_id, annotator_id=annotator_id, deck_id=deck_id,
        events=[event for event in events if event.deck_id == deck_id],
        record=lambda event: answer_store.append(project, event), now=now, spent=clock.take, app_version=__version__,
    )  # fmt: skip
    return OpenForm(form, clock)


def copy_to_try(
    project: Project, deck_id: DeckId, folder: Path, name: str, *, is_blind: bool = False,
    passwords: PasswordVault | None = None,
) -> Path:  # fmt: skip
    """Write a copy of a deck for a person to try out, so that what they change there is nobody's original.

    Args:
        project: the open project.
        deck_id: a deck with a file.
        folder: where the copy goes; it must exist.
        name: what the copy is called, without its ending; a blind person's copy must not name the system.
        is_blind: whether metadata, notes and comments are taken out as well.
        passwords: of protected decks; a blind person's copy comes out without one.

    Raises:
        BadInput: if there is no such deck, or it has no file.
        DeckUnreadable: if it cannot be read.
    """
    deck = deck_of(project, deck_id)
    if deck.asset is None:
        raise BadInput("This deck has no file to try out.", next_step="Choose a deck that was delivered.")
    safe = "".join(letter if letter.isalnum() or letter in " -_" else "_" for letter in name).strip() or "deck"
    path = project.asset_path(deck.asset, deck.extension)
    out = folder / f"{safe}{path.suffix}"
    if is_blind:
        sanitised_copy(path, out, password=passwords.of(deck.asset) if passwords else None)
    elif path.is_dir():
        shutil.copytree(path, out, dirs_exist_ok=True)
    else:
        shutil.copyfile(path, out)
    return out


def file_json(found: Editability) -> dict[str, Any]:
    """Return what `studio pei FILE --json` prints."""
    return editability_json(found)
