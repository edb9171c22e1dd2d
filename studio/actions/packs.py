"""Packs: work goes out, opens elsewhere as a project of its own, and its answers come back."""

from __future__ import annotations

from pathlib import Path

from studio.actions.studies import ANSWER_KINDS, study_named
from studio.actions.study_queue import assignments_of
from studio.errors import BadInput
from studio.exchange import answers_file
from studio.exchange.pack_read import open_pack as read_pack
from studio.exchange.pack_write import write_pack
from studio.model.answers import Annotator
from studio.model.changes import Changes, Topic, changed
from studio.model.decks import Deck
from studio.model.ids import DeckId, InstanceId
from studio.model.packs import PACK_META, MergeReport, PackContent, PackReport
from studio.model.studies import Study, StudyKind
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import quality as quality_store
from studio.store import studies as study_store
from studio.store.answer_counts import drawn_decks
from studio.store.checklists import as_curated
from studio.store.project import Project

_NAME_BYTES = 100


def undrawn_decks(project: Project, study: Study) -> tuple[DeckId, ...]:
    """Return the decks that a pack of a study would need and that have no pictures on disk, but could have them."""
    guidelines = quality_store.guidelines_named(project, study.guidelines_version)
    asked = quality_store.training_items(project, study.id)
    examples = [*(guidelines.examples if guidelines else ()), *(one for item in asked for one in item.examples)]
    shown = {example.deck_id for example in examples}
    return tuple(
        deck.id
        for deck in deck_store.list_decks(project)
        if deck.asset is not None
        and (
            deck.id in shown
            or (
                (study.systems is None or deck.system in study.systems)
                and (study.instance_ids is None or deck.instance_id in study.instance_ids)
            )
        )
        and deck.status.value == "present"
        and deck_store.page_folder(project, deck.id) is None
    )


def create_pack(
    project: Project,
    out: Path,
    *,
    annotator: str,
    study: str = "",
    content: PackContent = PackContent.IMAGES,
) -> tuple[PackReport, Changes]:
    """Write what one annotator needs for a study; an annotator who is not known is made.

    Raises:
        BadInput: if the study gives the annotator nothing, a deck has no pictures, or the file cannot be written.
    """
    chosen = study_named(project, study)
    person = people_store.annotator_named(project, annotator)
    assignments = assignments_of(project, chosen, person.id)
    if not assignments:
        raise BadInput(
            f"{chosen.name} gives {person.name} nothing to answer.",
            next_step="Plan the study for this person, or draw the slides first.",
        )
    wanted = {item.instance_id for item in assignments}
    instances = [item for item in as_curated(project, deck_store.list_instances(project)) if item.id in wanted]
    decks = _decks(project, chosen, wanted)
    is_planned = study_store.has_assignments(project, chosen.id)
    guidelines = quality_store.guidelines_named(project, chosen.guidelines_version)
    size, warnings = write_pack(
        project,
        out,
        study=chosen,
        annotator=person,
        decks=decks,
        instances=instances,
        assignments=assignments if is_planned else (),
        events=[
            event
            for event in answer_store.events_of(
                project,
                ANSWER_KINDS[chosen.kind],
                study_id=study_store.event_study(chosen.id),
                annotator_id=person.id,
            )
            if event.instance_id in wanted
        ],
        guidelines=[guidelines] if guidelines else (),
        training=quality_store.training_items(project, chosen.id),
        tries=quality_store.training_tries(project, chosen.id, person.id),
        content=content,
    )
    report = PackReport(
        path=out, annotator=person.name, study=chosen.name, n_instances=len(instances),
        n_decks=sum(len(found) for found in decks.values()), n_assignments=len(assignments), size_bytes=size,
        warnings=warnings,
    )  # fmt: skip
    return report, changed(Topic.PEOPLE)


def open_pack(pack: Path, folder: Path | None = None) -> Path:
    """Return the folder of the project that a pack becomes: the folder named, or one beside the pack with its name.

    A pack that was opened there before is not opened again: its answers are in that project.

    Raises:
        BadInput: if it is no sound pack, or the folder holds something else.
    """
    target = folder if folder is not None else pack.with_suffix("")
    if folder is None and (target / "project.db").is_file():
        return target
    return read_pack(pack, target)


def is_pack(project: Project) -> bool:
    """Return whether a project came from a pack; its window is an annotator's, whoever opens it."""
    return bool(project.meta(PACK_META, ""))


def pack_kind(project: Project) -> StudyKind | None:
    """Return what the pack that a project came from asks for, or None in any other project."""
    if not is_pack(project):
        return None
    return StudyKind(answers_file.pack_of(project).get("kind", StudyKind.RANK.value))


def pack_person(project: Project) -> Annotator | None:
    """Return the person for whom a pack was made, or None in any other project."""
    if not is_pack(project):
        return None
    person = answers_file.pack_of(project)["annotator"]["id"]
    return next((one for one in people_store.list_annotators(project) if one.id == person), None)


def write_answers(project: Project, out: Path | None = None) -> tuple[Path, int]:
    """Write the answers of a pack's project as ``NAME.answers.jsonl``; return where, and how many there are.

    Raises:
        BadInput: if the project came from no pack, or the file cannot be written.
    """
    origin = answers_file.pack_of(project)
    if out is None:
        name = "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in origin["annotator"]["name"])
        out = project.exports_folder / f"{_cut(project.folder.name)}-{_cut(name)}.answers.jsonl"
    return out, answers_file.write_answers(project, out)


def _cut(name: str) -> str:
    """Return as much of a name as a file's name has room for."""
    return name.encode()[:_NAME_BYTES].decode(errors="ignore")


def merge_answers(
    project: Project, file: Path, *, is_dry_run: bool = False, takes_conflicting: bool = False
) -> tuple[MergeReport, Changes]:
    """Take a file of answers in and say what became of each; see `exchange.answers_file.merge_answers`."""
    report = answers_file.merge_answers(project, file, is_dry_run=is_dry_run, takes_conflicting=takes_conflicting)
    return report, changed(Topic.ANSWERS, Topic.PEOPLE)


def _decks(project: Project, study: Study, wanted: set[InstanceId]) -> dict[str, list[Deck]]:
    drawn = drawn_decks(project, study.systems)
    ids = {deck for instance in wanted for deck in drawn.get(instance, ())}
    found: dict[str, list[Deck]] = {instance: [] for instance in wanted}
    for deck in deck_store.list_decks(project):
        if deck.id in ids:
            found[deck.instance_id].append(deck)
    return found
