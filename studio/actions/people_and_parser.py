"""How far people who tried decks out agree with the parser: by gate, by deck and by system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from studio.metrics.editability import rules_named
from studio.metrics.registry import EDITABILITY
from studio.model.answers import AnswerEvent, AnswerKind, AnswerStatus
from studio.model.editability import LEVEL_NAMES, Gate
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.model.scores import Score
from studio.sessions.editability import FormHistory, gates_from, level_from
from studio.stats.agreement import Weighting, cohen_kappa, cross_table, percent_agreement
from studio.stats.statistic import Statistic
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import scores as score_store
from studio.store.care import FileHistory
from studio.store.project import Project

PRESET_OF_RULES = {"studio": "benchmark", "paper": "paper-text"}
"""Editability rules → preset of the metrics run that uses them, under which scores are stored."""


@dataclass(frozen=True, kw_only=True)
class GateAgreement:
    """How far people and the parser agree on one gate, or on the level."""

    what: str
    """``T1`` to ``T5``, or ``level``."""
    same: Statistic
    """Share of equal findings, 0 to 1."""
    kappa: Statistic
    """Cohen's kappa; for the level with squared distances."""


@dataclass(frozen=True, kw_only=True)
class FormRow:
    """One submitted form beside what the parser says of the deck."""

    instance_id: InstanceId
    instance: str
    deck_id: DeckId
    system: str
    person: str
    people: dict[Gate, bool | None]
    """What the person found; None where it was left open."""
    parser: dict[Gate, bool | None]
    """What the parser found; None where it did not look, or the deck has no level yet."""
    people_level: int | None
    parser_level: int | None

    @property
    def n_compared(self) -> int:
        """Gates that both decided."""
        return sum(self.people[gate] is not None and self.parser[gate] is not None for gate in Gate)

    @property
    def n_same(self) -> int:
        """Of these, those on which both say the same."""
        return sum(self.people[gate] is not None and self.people[gate] == self.parser[gate] for gate in Gate)

    @property
    def different(self) -> tuple[Gate, ...]:
        """Gates on which both decided differently."""
        return tuple(
            gate
            for gate in Gate
            if None not in (self.people[gate], self.parser[gate]) and self.people[gate] != self.parser[gate]
        )


@dataclass(frozen=True, kw_only=True)
class SystemAgreement:
    """How far people and the parser agree about the decks of one system."""

    system: str
    n_forms: int
    same: Statistic
    """Share of equal findings over all gates of all its forms, 0 to 1."""
    same_level: Statistic
    """Share of forms with the parser's level, 0 to 1."""


def current_levels(project: Project, rules: str) -> dict[DeckId, Score]:
    """Return the stored level of each deck under named rules."""
    return {
        score.deck_id: score
        for score in score_store.current_scores(project)
        if score.metric == EDITABILITY and score.preset == PRESET_OF_RULES[rules]
    }


def form_rows(project: Project, rules: str = "studio") -> tuple[FormRow, ...]:
    """Return every submitted form of a deck's present file beside the parser's findings, in project order.

    Raises:
        BadInput: for rules that have no name.
    """
    rules_named(rules)
    scores = current_levels(project, rules)
    names = {person.id: person.name for person in people_store.list_annotators(project)}
    instances = {item.id: item.name for item in deck_store.list_instances(project)}
    forms: dict[DeckId, list[tuple[AnnotatorId, FormHistory]]] = {}
    for (deck_id, annotator_id), history in _forms(project).items():
        if history.state.status is AnswerStatus.SUBMITTED:
            forms.setdefault(deck_id, []).append((annotator_id, history))
    rows = []
    for deck in deck_store.list_decks(project):
        score = scores.get(deck.id)
        machine = _holds(score) if score is not None else {}
        for annotator_id, history in forms.get(deck.id, ()):
            gates = gates_from(history.state.answers)
            level = level_from(gates).value
            rows.append(
                FormRow(
                    instance_id=deck.instance_id, instance=instances[deck.instance_id], deck_id=deck.id,
                    system=deck.system, person=names.get(annotator_id, annotator_id), people=gates,
                    parser={gate: machine.get(gate.value) for gate in Gate},
                    people_level=None if level is None else int(level),
                    parser_level=None if score is None or score.value is None else int(score.value),
                )
            )  # fmt: skip
    return tuple(rows)


def person_parser_agreement(project: Project, rules: str = "studio") -> tuple[GateAgreement, ...]:
    """Return the agreement between submitted forms and the stored levels, each form one case.

    A gate that a person could not decide, or that the parser did not look at, is no case. Gates are compared
    by themselves, reached or not; the level is what the knock-out makes of them.
    """
    return agreement_of(form_rows(project, rules))


def agreement_of(rows: Sequence[FormRow]) -> tuple[GateAgreement, ...]:
    """Return the agreement over these forms, gate by gate and for the level."""
    found = []
    for gate in Gate:
        table = cross_table(
            [row.people[gate] for row in rows], [row.parser[gate] for row in rows], labels=(False, True)
        )
        found.append(GateAgreement(what=gate.value, same=percent_agreement(table), kappa=cohen_kappa(table)))
    table = cross_table(
        [row.people_level for row in rows], [row.parser_level for row in rows], labels=range(len(LEVEL_NAMES))
    )
    kappa = cohen_kappa(table, weighting=Weighting.QUADRATIC)
    return (*found, GateAgreement(what="level", same=percent_agreement(table), kappa=kappa))


def system_agreement(rows: Sequence[FormRow]) -> tuple[SystemAgreement, ...]:
    """Return the agreement over the decks of each system, by name."""
    found = []
    for system in sorted({row.system for row in rows}):
        own = [row for row in rows if row.system == system]
        gates = cross_table(
            [row.people[gate] for row in own for gate in Gate], [row.parser[gate] for row in own for gate in Gate],
            labels=(False, True),
        )  # fmt: skip
        levels = cross_table(
            [row.people_level for row in own], [row.parser_level for row in own], labels=range(len(LEVEL_NAMES))
        )
        found.append(
            SystemAgreement(
                system=system, n_forms=len(own), same=percent_agreement(gates), same_level=percent_agreement(levels)
            )
        )
    return tuple(found)


def agreement_json(row: GateAgreement) -> dict[str, Any]:
    """Return one row as `studio pei PROJECT --json` prints it."""
    return {
        "gate": row.what,
        "n": row.same.n,
        "same": row.same.value,
        "kappa": row.kappa.value,
        "undefined_reason": row.same.undefined_reason or row.kappa.undefined_reason,
    }


def people_json(project: Project, rules: str = "studio") -> dict[str, Any]:
    """Return what `studio pei PROJECT --people --json` prints.

    Raises:
        BadInput: for rules that have no name.
    """
    rows = form_rows(project, rules)
    return {
        "rules": rules,
        "forms": len(rows),
        "gates": [agreement_json(row) for row in agreement_of(rows)],
        "systems": [
            {
                "system": row.system, "forms": row.n_forms, "same": row.same.value, "same_level": row.same_level.value,
                "undefined_reason": row.same.undefined_reason or row.same_level.undefined_reason,
            }
            for row in system_agreement(rows)
        ],
        "decks": [
            {
                "instance_id": row.instance_id, "instance": row.instance, "deck_id": row.deck_id,
                "system": row.system, "person": row.person, "people_level": row.people_level,
                "parser_level": row.parser_level, "compared": row.n_compared, "same": row.n_same,
                "gates": {
                    gate.value: {"people": row.people[gate], "parser": row.parser[gate]} for gate in Gate
                },
            }
            for row in rows
        ],
    }  # fmt: skip


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
