"""Profiles and guidelines for authors, and what known answers say of each annotator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

from studio.actions.studies import ANSWER_KINDS
from studio.actions.training import training_result
from studio.errors import BadInput
from studio.model.answers import Annotator, AnswerEvent, AnswerStatus, Role
from studio.model.changes import Changes, Topic, changed
from studio.model.ids import AnnotatorId, InstanceId
from studio.model.quality import ExampleDeck, Guidelines, Probe, Profile
from studio.model.studies import AssignmentPurpose, Study
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import quality as quality_store
from studio.store import studies as study_store
from studio.store.project import Project

_DECISIONS = frozenset({AnswerStatus.SUBMITTED.value, AnswerStatus.CANNOT_JUDGE.value, AnswerStatus.RETURNED.value})
_MAX_GUIDELINES_BYTES = 1 << 20

HASTY = 1 / 3
"""An answer that took less than this share of the study's median is counted as hasty."""

Unit = tuple[InstanceId, str, str, int]


def person_named(project: Project, name: str) -> Annotator:
    """Return the annotator with this name or id, made if new."""
    return people_store.annotator_named(project, name)


def set_profile(
    project: Project,
    name: str,
    *,
    group: str | None = None,
    role: Role | None = None,
    qualification: str | None = None,
    is_active: bool | None = None,
) -> tuple[dict[str, Any], Changes]:
    """Change what is known of a person, who is made if new; what is None stays. Return their row."""
    person = people_store.annotator_named(project, name)
    people_store.update_annotator(
        project, replace(person, group=person.group if group is None else group, role=role or person.role)
    )
    before = quality_store.list_profiles(project).get(person.id, Profile(annotator_id=person.id))
    quality_store.save_profile(
        project,
        replace(
            before,
            qualification=before.qualification if qualification is None else qualification,
            is_active=before.is_active if is_active is None else is_active,
        ),
    )
    row = next(row for row in people_rows(project) if row["annotator_id"] == person.id)
    return row, changed(Topic.PEOPLE)


def people_rows(project: Project) -> list[dict[str, Any]]:
    """Return one row for each annotator, as JSON values."""
    profiles = quality_store.list_profiles(project)
    rows = []
    for person in people_store.list_annotators(project):
        profile = profiles.get(person.id, Profile(annotator_id=person.id))
        rows.append(
            {
                "annotator_id": person.id, "name": person.name, "group": person.group, "role": person.role.value,
                "qualification": profile.qualification, "is_active": profile.is_active, "is_sample": person.is_sample,
            }
        )  # fmt: skip
    return rows


def guidelines_from(project: Project, version: str, file: Path) -> Guidelines:
    """Store a Markdown file as a version of the guidelines and return it.

    Raises:
        BadInput: if it cannot be read, or the version has other words already.
    """
    try:
        if file.stat().st_size > _MAX_GUIDELINES_BYTES:
            raise BadInput(f"{file.name} is larger than 1 MB.", next_step="Guidelines are a text.")
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{file.name} is not UTF-8.", next_step="Save it as UTF-8 and try again.") from error
    except OSError as error:
        raise BadInput(f"{file} cannot be read ({error.strerror or error}).", next_step="Check the path.") from error
    return quality_store.add_guidelines(project, Guidelines(version=version, text=text))


def add_guidelines(
    project: Project, version: str, text: str, examples: Sequence[ExampleDeck] = ()
) -> tuple[Guidelines, Changes]:
    """Store a new version of the guidelines, with its good and bad examples, and return it.

    Raises:
        BadInput: if it has no name or no words, the version has other words already, or an example shows nothing
            that is there.
    """
    name = version.strip()
    if not name or not text.strip():
        raise BadInput("Guidelines need a version and a text.", next_step="Type both.")
    if len(text.encode()) > _MAX_GUIDELINES_BYTES:
        raise BadInput("The guidelines are larger than 1 MB.", next_step="Guidelines are a text.")
    decks = {deck.id for deck in deck_store.list_decks(project)}
    for example in examples:
        if example.deck_id is not None and example.deck_id not in decks:
            raise BadInput(f"The example {example.title} shows a deck that is not in the project.")
        if example.deck_id is None and not example.resource:
            raise BadInput(f"The example {example.title} shows nothing.", next_step="Choose a deck for it.")
    stored = quality_store.add_guidelines(project, Guidelines(version=name, text=text, examples=tuple(examples)))
    return stored, changed(Topic.PEOPLE)


def guidelines_of(project: Project, version: str) -> Guidelines:
    """Return a version of the guidelines.

    Raises:
        BadInput: if there is none of that name.
    """
    found = quality_store.guidelines_named(project, version)
    if found is None:
        known = ", ".join(item.version for item in quality_store.list_guidelines(project)) or "none yet"
        raise BadInput(f"There are no guidelines {version}.", next_step=f"Versions: {known}.")
    return found


def quality_rows(project: Project, study: Study) -> list[dict[str, Any]]:
    """Return for each person of a study how known answers, repeats and training went, as JSON values.

    `self_agreement` is the share of repeats answered just as the first time (in rankings: of pairs of decks that stand
    in the same order or tie as before); None where nothing was repeated. `median_s` is the median of the active
    seconds of an answer, with all changes of mind; `hasty` counts answers that took less than `HASTY` of the median
    of all answers of the study. Both are None for answers that came without times.
    """
    answers = _settled(project, study)
    seconds = _active_seconds(project, study)
    timed = [spent for (_, unit), spent in seconds.items() if spent > 0 and not unit[3]]
    usual = median(timed) if timed else None
    probes = quality_store.list_probes(project, study.id)
    rows = []
    for person in people_store.list_annotators(project):
        mine = answers.get(person.id, {})
        if not mine and (study.annotator_ids is None or person.id not in study.annotator_ids):
            continue
        counts = {purpose: [0, 0] for purpose in (AssignmentPurpose.GOLD, AssignmentPurpose.ATTENTION)}
        for probe in probes:
            given = mine.get((probe.instance_id, probe.deck_id or "", probe.item_key, 0))
            if given is not None:
                counts[probe.purpose][0] += 1
                counts[probe.purpose][1] += meets(given.state, probe.expected)
        same = [
            agreement
            for (instance_id, deck, key, repeat), again in mine.items()
            if repeat and (first := mine.get((instance_id, deck, key, 0))) is not None
            and (agreement := _alike(first.state, again.state)) is not None
        ]  # fmt: skip
        mine_s = [spent for unit in mine if not unit[3] and (spent := seconds.get((person.id, unit), 0.0)) > 0]
        training = training_result(project, study, person.id)
        rows.append(
            {
                "annotator_id": person.id, "annotator": person.name,
                "done": sum(1 for unit in mine if not unit[3]),
                "gold": counts[AssignmentPurpose.GOLD][0], "gold_right": counts[AssignmentPurpose.GOLD][1],
                "attention": counts[AssignmentPurpose.ATTENTION][0],
                "attention_right": counts[AssignmentPurpose.ATTENTION][1],
                "median_s": round(median(mine_s), 3) if mine_s else None,
                "hasty": sum(spent < HASTY * usual for spent in mine_s) if mine_s and usual is not None else None,
                "repeats": len(same), "self_agreement": sum(same) / len(same) if same else None,
                "training_items": training.n_items, "training_right": training.n_correct,
                "training_passed": training.is_passed,
            }
        )  # fmt: skip
    return rows


def known_counts(project: Project, study: Study, probes: Sequence[Probe]) -> list[tuple[int, int]]:
    """Return for each known answer how many people answered it, and how many of them as is known."""
    answers = _settled(project, study)
    counts = []
    for probe in probes:
        unit = (probe.instance_id, probe.deck_id or "", probe.item_key, 0)
        given = [mine[unit].state for mine in answers.values() if unit in mine]
        counts.append((len(given), sum(meets(state, probe.expected) for state in given)))
    return counts


def meets(state: dict[str, object], expected: dict[str, Any]) -> bool:
    """Return whether an answer is the known one: of ranks only the order of the decks that are known counts."""
    if "ranks" in expected:
        ranks = state.get("ranks")
        if not isinstance(ranks, dict):
            return False
        wanted: dict[str, int] = expected["ranks"]
        if not wanted.keys() <= ranks.keys():
            return False
        return all(_sign(wanted[a] - wanted[b]) == _sign(ranks[a] - ranks[b]) for a in wanted for b in wanted if a < b)
    if "values" in expected:
        values = state.get("values")
        return isinstance(values, dict) and all(
            isinstance(values.get(name), int | float) and low <= values[name] <= high
            for name, (low, high) in expected["values"].items()
        )
    return all(state.get(name) == value for name, value in expected.items())


def _alike(first: dict[str, object], again: dict[str, object]) -> float | None:
    before, after = first.get("ranks"), again.get("ranks")
    if isinstance(before, dict) and isinstance(after, dict):
        shared = sorted(before.keys() & after.keys())
        pairs = [(a, b) for a in shared for b in shared if a < b]
        same = sum(_sign(before[a] - before[b]) == _sign(after[a] - after[b]) for a, b in pairs)
        return same / len(pairs) if pairs else None
    for name in ("preference", "values", "answer"):
        if name in first:
            return float(first.get(name) == again.get(name))
    if "best" in first:
        return float((first["best"], first.get("worst")) == (again.get("best"), again.get("worst")))
    return None


def _active_seconds(project: Project, study: Study) -> dict[tuple[AnnotatorId, Unit], float]:
    found: dict[tuple[AnnotatorId, Unit], float] = {}
    for event in answer_store.events_of(project, ANSWER_KINDS[study.kind], study_id=study_store.event_study(study.id)):
        key = (event.annotator_id, (event.instance_id, event.deck_id or "", event.item_key, event.repeat))
        found[key] = found.get(key, 0.0) + event.active_s
    return found


def _settled(project: Project, study: Study) -> dict[AnnotatorId, dict[Unit, AnswerEvent]]:
    done: dict[tuple[AnnotatorId, Unit], list[AnswerEvent]] = {}
    undone: dict[tuple[AnnotatorId, Unit], list[AnswerEvent]] = {}
    named = study_store.event_study(study.id)
    for event in answer_store.events_of(project, ANSWER_KINDS[study.kind], study_id=named):
        key = (event.annotator_id, (event.instance_id, event.deck_id or "", event.item_key, event.repeat))
        acts, back = done.setdefault(key, []), undone.setdefault(key, [])
        if event.verb == "undo":
            back.append(acts.pop())
        elif event.verb == "redo":
            acts.append(back.pop())
        else:
            acts.append(event)
            back.clear()
    found: dict[AnnotatorId, dict[Unit, AnswerEvent]] = {}
    for (person, unit), acts in done.items():
        last = next((act for act in reversed(acts) if act.state.get("status") in _DECISIONS), None)
        if last is not None:
            found.setdefault(person, {})[unit] = last
    return found


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
