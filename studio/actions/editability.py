"""How far decks can be edited: of one file, of a project's decks and systems, and as people find it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from studio import __version__
from studio.actions.runs import start_run
from studio.decks.render import RenderTools
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
from studio.model.answers import AnswerEvent, AnswerKind, AnswerStatus
from studio.model.changes import Changes
from studio.model.decks import Failure
from studio.model.editability import LEVEL_NAMES, Editability, Gate
from studio.model.events import RunEnded
from studio.model.ids import AnnotatorId, DeckId
from studio.model.protocols import CancelToken, Emit
from studio.model.runs import RunKind, RunSpec
from studio.model.scores import Score
from studio.sessions.clock import ActiveClock
from studio.sessions.editability import EditabilityForm, FormHistory, gates_from, level_from
from studio.stats.agreement import Weighting, cohen_kappa, cross_table, percent_agreement
from studio.stats.statistic import Statistic
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import scores as score_store
from studio.store.care import FileHistory
from studio.store.project import Project, utc_now

PRESET_OF_RULES = {"studio": "benchmark", "paper": "paper-text"}
"""Editability rules → preset of the metrics run that uses them, under which scores are stored."""


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
    except (OSError, ValueError) as error:
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
    scores = _current(project, PRESET_OF_RULES[rules])
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
        "people": [_agreement_json(row) for row in person_parser_agreement(project, rules)],
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


@dataclass(frozen=True, kw_only=True)
class GateAgreement:
    """How far people and the parser agree on one gate, or on the level."""

    what: str
    """``T1`` to ``T5``, or ``level``."""
    same: Statistic
    """Share of equal findings, 0 to 1."""
    kappa: Statistic
    """Cohen's kappa; for the level with squared distances."""


def person_parser_agreement(project: Project, rules: str = "studio") -> tuple[GateAgreement, ...]:
    """Return the agreement between submitted forms and the stored levels, each form one case.

    A gate that a person could not decide, or that the parser did not look at, is no case. Gates are compared
    by themselves, reached or not; the level is what the knock-out makes of them.
    """
    rules_named(rules)
    scores = _current(project, PRESET_OF_RULES[rules])
    people: dict[str, list[Any]] = {}
    parser: dict[str, list[Any]] = {}
    for (deck_id, _), history in _forms(project).items():
        score = scores.get(deck_id)
        if history.state.status is not AnswerStatus.SUBMITTED or score is None:
            continue
        gates = gates_from(history.state.answers)
        machine = _holds(score)
        for gate in Gate:
            people.setdefault(gate.value, []).append(gates[gate])
            parser.setdefault(gate.value, []).append(machine.get(gate.value))
        level = level_from(gates).value
        people.setdefault("level", []).append(None if level is None else int(level))
        parser.setdefault("level", []).append(None if score.value is None else int(score.value))
    found = []
    for what in (*(gate.value for gate in Gate), "level"):
        labels: Sequence[Any] = range(len(LEVEL_NAMES)) if what == "level" else (False, True)
        table = cross_table(people.get(what, []), parser.get(what, []), labels=labels)
        weighting = Weighting.QUADRATIC if what == "level" else Weighting.NONE
        found.append(
            GateAgreement(what=what, same=percent_agreement(table), kappa=cohen_kappa(table, weighting=weighting))
        )
    return tuple(found)


def _agreement_json(row: GateAgreement) -> dict[str, Any]:
    return {
        "gate": row.what,
        "n": row.same.n,
        "same": row.same.value,
        "kappa": row.kappa.value,
        "undefined_reason": row.same.undefined_reason or row.kappa.undefined_reason,
    }


def file_json(found: Editability) -> dict[str, Any]:
    """Return what `studio pei FILE --json` prints."""
    return editability_json(found)


def _current(project: Project, preset: str) -> dict[DeckId, Score]:
    return {
        score.deck_id: score
        for score in score_store.current_scores(project)
        if score.metric == EDITABILITY and score.preset == preset
    }


def _forms(project: Project) -> dict[tuple[DeckId, AnnotatorId], FormHistory]:
    events: dict[tuple[DeckId, AnnotatorId], list[AnswerEvent]] = {}
    files = FileHistory(project)
    for event in answer_store.events_of(project, AnswerKind.EDITABILITY):
        if event.deck_id is not None and event.deck_id not in files.hidden:
            events.setdefault((event.deck_id, event.annotator_id), []).append(event)
    # Acts on an earlier file of the deck are part of the history; a form that ends with one is stale.
    return {
        (deck_id, annotator_id): FormHistory(found)
        for (deck_id, annotator_id), found in events.items()
        if files.is_current(deck_id, found[-1].seq)
    }


def _holds(score: Score) -> dict[str, bool | None]:
    gates = score.detail.get("gates", [])
    return {str(gate["gate"]): gate["holds"] for gate in gates} if isinstance(gates, list) else {}
