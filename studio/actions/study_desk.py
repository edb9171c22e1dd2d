"""What whoever makes a study has before them: how far each study is, people, and what rules can be chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from studio.actions.answer_desk import cannot_judge_reasons, own_scale_sets
from studio.actions.explanation_agreement import ExplanationAgreement, explanation_agreement
from studio.actions.explanation_units import ExplanationRow, explanation_rows
from studio.actions.quality import known_counts, people_rows, quality_rows
from studio.actions.studies import list_studies, save_study, study_acts
from studio.actions.study_queue import read_queue
from studio.actions.training import training_result
from studio.errors import BadInput
from studio.exchange.settled import attention_instances
from studio.model.changes import Changes, Topic, changed
from studio.model.decks import Instance
from studio.model.ids import AnnotatorId, DeckId, new_id
from studio.model.quality import ExampleDeck, Guidelines, Probe, TrainingItem
from studio.model.studies import ALL_ON_ALL, Study, StudyId
from studio.sessions.pairing import parsed_unit
from studio.sessions.sampling import STRATA
from studio.sessions.scales import READY_SETS, ScaleSet
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import packs as pack_store
from studio.store import quality as quality_store
from studio.store import studies as study_store
from studio.store.checklists import as_curated
from studio.store.project import Project


@dataclass(frozen=True, kw_only=True)
class StudyRow:
    """One study and how far it is."""

    study: Study
    n_units: int
    n_done: int
    """Units with as many submitted answers as are wanted."""
    wanted: int
    is_planned: bool
    is_begun: bool
    """Whether it was planned or answered: what it asks cannot be changed then."""

    @property
    def is_own(self) -> bool:
        """Whether it was made; the study of all on all has the project's own rules."""
        return self.study.id != ALL_ON_ALL


@dataclass(frozen=True, kw_only=True)
class StudiesDesk:
    """What the window of studies shows of the project as a whole."""

    rows: tuple[StudyRow, ...]
    people: tuple[dict[str, Any], ...]
    """As `quality.people_rows`, with ``trainings``: names of the studies whose training the person has passed."""
    instances: tuple[Instance, ...]
    """Without attention items."""
    systems: tuple[str, ...]
    """With a deck, in the order of their names; without those of attention items."""
    guidelines: tuple[Guidelines, ...]
    """Oldest first."""
    scale_sets: tuple[ScaleSet, ...]
    """Ready ones first."""
    own_scales: frozenset[str]
    reasons: tuple[str, ...]
    decks: dict[DeckId, str]
    """Deck → what an author calls it: instance and system."""
    merges: tuple[dict[str, Any], ...]
    """What each merge of answers did, newest first."""
    undo_words: str = ""
    """The change of rules or training that undo would take back; empty if there is none."""
    redo_words: str = ""

    def row_of(self, study_id: str) -> StudyRow | None:
        """Return the row of a study, or None if it is gone."""
        return next((row for row in self.rows if row.study.id == study_id), None)


@dataclass(frozen=True, kw_only=True)
class KnownAnswer:
    """One probe in words."""

    probe: Probe
    instance: str
    words: str
    """Such as "alpha > beta"."""
    n_asked: int
    n_right: int


@dataclass(frozen=True, kw_only=True)
class StudyDetail:
    """What the window shows of one study besides its rules."""

    study: Study
    results: tuple[dict[str, Any], ...]
    known: tuple[KnownAnswer, ...]
    training: tuple[TrainingItem, ...]
    explanations: tuple[ExplanationRow, ...]
    agreement: tuple[ExplanationAgreement, ...]


def read_studies(project: Project) -> StudiesDesk:
    """Return what the window of studies shows."""
    nobody = AnnotatorId("")
    rows = []
    for study in list_studies(project):
        queue = read_queue(project, study, nobody)
        planned = study_store.has_assignments(project, study.id)
        rows.append(
            StudyRow(
                study=study, n_units=queue.project_total, n_done=queue.project_done, wanted=queue.wanted,
                is_planned=planned,
                is_begun=planned or answer_store.has_events(project, study_id=study_store.event_study(study.id)),
            )
        )  # fmt: skip
    hidden = attention_instances(project)
    instances = {item.id: item for item in as_curated(project, deck_store.list_instances(project))}
    decks = deck_store.list_decks(project)
    own = own_scale_sets(project)
    trained = [row.study for row in rows if row.study.needs_training]
    people = []
    for person in people_rows(project):
        passed = [s.name for s in trained if training_result(project, s, person["annotator_id"]).is_passed]
        people.append(person | {"trainings": passed, "n_trainings": len(trained)})
    done, undone = study_acts(project)
    return StudiesDesk(
        undo_words=done.words if done else "",
        redo_words=undone.words if undone else "",
        rows=tuple(rows),
        people=tuple(people),
        instances=tuple(item for item in instances.values() if item.id not in hidden),
        systems=tuple(sorted({deck.system for deck in decks if deck.instance_id not in hidden})),
        guidelines=tuple(quality_store.list_guidelines(project)),
        scale_sets=(*READY_SETS.values(), *own),
        own_scales=frozenset(each.name for each in own),
        reasons=cannot_judge_reasons(project),
        decks={deck.id: f"{instances[deck.instance_id].title} · {deck.system}" for deck in decks},
        merges=tuple(reversed(pack_store.list_merges(project))),
    )


def read_detail(project: Project, study: Study) -> StudyDetail:
    """Return results, known answers, training and explanations of a study."""
    explanations = explanation_rows(project, study)
    return StudyDetail(
        study=study,
        results=tuple(quality_rows(project, study)),
        known=known_answers(project, study),
        training=tuple(quality_store.training_items(project, study.id)),
        explanations=explanations,
        agreement=explanation_agreement(explanations),
    )


def known_answers(project: Project, study: Study) -> tuple[KnownAnswer, ...]:
    """Return a study's known answers in words, with how often each was asked and met."""
    probes = quality_store.list_probes(project, study.id)
    counts = known_counts(project, study, probes)
    titles = {item.id: item.title for item in deck_store.list_instances(project)}
    systems = {deck.id: deck.system for deck in deck_store.list_decks(project)}
    return tuple(
        KnownAnswer(
            probe=probe, instance=titles.get(probe.instance_id, probe.instance_id), words=_words(probe, systems),
            n_asked=asked, n_right=right,
        )
        for probe, (asked, right) in zip(probes, counts, strict=True)
    )  # fmt: skip


def strata_counts(instances: Sequence[Instance], by: Sequence[str]) -> dict[str, int]:
    """Return how many instances each combination of domain, scenario, difficulty and language has, for the planner."""
    names = [name for name in STRATA if name in by]
    return dict(Counter(" · ".join(getattr(item, name) or "–" for name in names) for item in instances))


def save_training(
    project: Project, study: Study, items: Sequence[TrainingItem], *, pass_mark: float, tries: int, is_needed: bool
) -> tuple[Study, Changes]:
    """Store a study's training: its items in order, the pass mark, the tries for each, and whether it must be passed.

    Raises:
        BadInput: if an item has no question, fewer than two options, or an answer that is none of them; if training is
            asked for without items; or for a mark or number of tries that makes no sense.
    """
    for number, item in enumerate(items, start=1):
        check_training_item(item, number)
    if is_needed and not items:
        raise BadInput("A training needs at least one question.", next_step="Add one, or use the shipped training.")
    told = replace(study, training_pass_mark=pass_mark, training_tries=tries, needs_training=is_needed)
    with project.writing(is_durable=True):
        save_study(project, told)
        quality_store.save_training_items(project, study.id, items)
    return told, changed(Topic.PEOPLE)


def training_item(
    study_id: StudyId,
    question: str,
    options: Sequence[str],
    answer: str,
    explanation: str,
    *,
    examples: Sequence[ExampleDeck] = (),
    item_id: str = "",
) -> TrainingItem:
    """Return a training item, under a new id unless one is given.

    Raises:
        BadInput: as in `save_training`.
    """
    item = TrainingItem(
        id=item_id or f"{study_id}/{new_id('item')}", study_id=study_id, question=question.strip(),
        options=tuple(words.strip() for words in options if words.strip()), answer=answer.strip(),
        explanation=explanation.strip(), examples=tuple(examples),
    )  # fmt: skip
    check_training_item(item)
    return item


def check_training_item(item: TrainingItem, number: int | None = None) -> None:
    """Refuse an item that nobody could answer."""
    which = "The question" if number is None else f"Question {number}"
    if not item.question:
        raise BadInput(f"{which} has no words.", next_step="Type what is asked.")
    if not 2 <= len(item.options) <= 9 or len(set(item.options)) != len(item.options):
        raise BadInput(f"{which} needs two to nine different answers.", next_step="Type one on each line.")
    if item.answer not in item.options:
        raise BadInput(f"{which} has no right answer among its answers.", next_step="Repeat one of them exactly.")


def _words(probe: Probe, systems: dict[DeckId, str]) -> str:
    expected = probe.expected
    ranks = expected.get("ranks")
    if isinstance(ranks, dict):
        ordered = sorted(ranks, key=lambda deck: ranks[deck])
        words = [systems.get(deck, str(deck)) for deck in ordered]
        signs = [" = " if ranks[a] == ranks[b] else " > " for a, b in pairwise(ordered)]
        return "".join(part for pair in zip(words, [*signs, ""], strict=True) for part in pair)
    if expected.get("preference") in ("a", "b"):
        units = probe.item_key.split("|")
        better, worse = units if expected["preference"] == "a" else reversed(units)
        return f"{_unit_words(better, systems)} > {_unit_words(worse, systems)}"
    if "best" in expected:
        best, worst = str(expected["best"]), str(expected["worst"])
        rest = [_unit_words(unit, systems) for unit in probe.item_key.split("|") if unit not in (best, worst)]
        return f"{_unit_words(best, systems)} > {', '.join(rest)} > {_unit_words(worst, systems)}"
    values = expected.get("values")
    if isinstance(values, dict) and probe.deck_id is not None:
        points = ", ".join(f"{name} {low}–{high}" for name, (low, high) in values.items())
        return f"{_unit_words(f'{probe.deck_id}{probe.item_key}', systems)}: {points}"
    return ", ".join(f"{name}: {value}" for name, value in expected.items())


def _unit_words(unit: str, systems: dict[DeckId, str]) -> str:
    deck, slide = parsed_unit(unit)
    name = systems.get(DeckId(deck), deck)
    return name if slide is None else f"{name}#{slide}"
