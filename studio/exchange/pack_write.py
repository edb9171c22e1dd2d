"""Writes packs: what one annotator needs for one study, and nothing that tells who made what."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from studio import __version__
from studio.decks.image_bytes import without_metadata
from studio.decks.privacy import privacy_findings
from studio.decks.sanitised import sanitised_copy
from studio.errors import BadInput, DeckUnreadable
from studio.exchange import pack_desk
from studio.exchange.answer_lines import event_json
from studio.exchange.pack_checklists import checklists_json
from studio.exchange.pack_examples import guidelines_json, named_in_words, training_json
from studio.exchange.pack_names import deck_token, masker, telling_names
from studio.model.answers import Annotator, AnswerEvent
from studio.model.decks import Deck, Instance, Slide, slide_file_name, thumb_file_name
from studio.model.packs import CHECKLIST_VERSION, FORMAT_VERSION, PACK_FORMAT, PackContent
from studio.model.quality import Guidelines, TrainingItem, TrainingTry
from studio.model.studies import IMPLICIT, Assignment, Study, StudyKind
from studio.store import decks as deck_store
from studio.store.project import Project
from studio.store.values import plain

MANIFEST = "pack.json"
_MOMENT = (1980, 1, 1, 0, 0, 0)


def write_pack(
    project: Project,
    out: Path,
    *,
    study: Study,
    annotator: Annotator,
    decks: Mapping[str, Sequence[Deck]],
    instances: Sequence[Instance],
    assignments: Sequence[Assignment],
    events: Sequence[AnswerEvent],
    guidelines: Sequence[Guidelines],
    training: Sequence[TrainingItem],
    tries: Sequence[TrainingTry],
    content: PackContent,
) -> tuple[int, tuple[str, ...]]:
    """Write a pack whole or not at all, and return its size and where decks still name a system.

    The same project state gives the same bytes.

    Raises:
        BadInput: if a deck has no pictures, or the file cannot be written.
    """
    every = [deck for found in decks.values() for deck in found]
    systems = [system.name for system in deck_store.list_systems(project)]
    names = telling_names(systems, every)
    mask = masker(names)
    files: dict[str, str] = {}
    warnings: list[str] = []
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}-")
        os.close(handle)
    except OSError as error:
        raise _unwritable(out, error) from error
    try:
        with zipfile.ZipFile(part, "w") as archive, tempfile.TemporaryDirectory(prefix="podium-") as scratch:

            def put(name: str, data: bytes, *, is_packed: bool) -> str:
                if name in files:
                    return name
                info = zipfile.ZipInfo(name, _MOMENT)
                info.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
                info.external_attr = 0o644 << 16
                archive.writestr(info, data)
                files[name] = hashlib.sha256(data).hexdigest()
                return name

            told = []
            for instance in instances:
                sources = _sources(project, instance, names, put)
                shown = []
                for deck in sorted(decks[instance.id], key=lambda deck: deck.id):
                    entry = _deck(project, deck, mask, put)
                    if content is PackContent.DECKS:
                        copy = Path(scratch) / f"deck.{deck.extension or 'bin'}"
                        entry["file"], found = _stripped(project, deck, copy, systems, put)
                        entry |= {"format": str(deck.format), "extension": deck.extension}
                        warnings += found
                    shown.append(entry)
                told.append(
                    {
                        "id": instance.id, "title": instance.title, "instruction": instance.instruction,
                        "scenario": instance.scenario, "domain": instance.domain, "language": instance.language,
                        "difficulty": instance.difficulty, "sources": sources, "decks": shown,
                    }
                )  # fmt: skip
            told_before = [guidelines_json(project, item, put, warnings) for item in guidelines]
            trained = [training_json(project, item, put, warnings) for item in training]
            warnings += named_in_words(systems, instances, guidelines, training)
            asked = {}
            if study.kind is StudyKind.CHECKLIST:
                asked = {"checklists": checklists_json(project, instances)}
            uid_of = {event.seq: event.uid for event in events}
            manifest = {
                "format": PACK_FORMAT, "version": CHECKLIST_VERSION if asked else FORMAT_VERSION,
                "app_version": __version__, "kind": study.kind.value, **asked,
                "project_id": project.id, "seed": project.seed,
                "rules": {
                    key: project.meta(key, default)
                    for key, default in (("ranking_require", "full"), ("ties_allowed", "1"), ("guidelines_version", ""))
                },
                "study": _study(study), "annotator": {"id": annotator.id, "name": annotator.name,
                                                      "group": annotator.group},
                "desk": pack_desk.desk_of(project, study, mask),
                "instances": told,
                "assignments": [_assignment(item) for item in assignments],
                "guidelines": told_before, "training": trained, "tries": plain(list(tries)),
                "events": [event_json(event, uid_of) for event in events],
                "files": dict(sorted(files.items())),
            }  # fmt: skip
            text = json.dumps(manifest, ensure_ascii=False, allow_nan=False, sort_keys=True, indent=1)
            put(MANIFEST, text.encode(), is_packed=False)
        Path(part).chmod(0o644)
        os.replace(part, out)
    except OSError as error:
        raise _unwritable(out, error) from error
    finally:
        Path(part).unlink(missing_ok=True)
    return out.stat().st_size, tuple(warnings)


def _unwritable(out: Path, error: OSError) -> BadInput:
    return BadInput(f"{out} cannot be written ({error.strerror or error}).", next_step="Choose another place.")


def _study(study: Study) -> dict[str, Any] | None:
    """Return the rules that a person meets; None for an implicit study, which every project has."""
    if study.id in IMPLICIT:
        return None
    hidden = {"systems": None, "instance_ids": None, "annotator_ids": None, "overlap": None}
    rules: dict[str, Any] = plain(study)
    return rules | hidden


def _assignment(item: Assignment) -> dict[str, Any]:
    # Its purpose stays here: a person must not be able to tell known answers from others.
    return {
        "instance_id": item.instance_id, "deck_ids": list(item.deck_ids), "item_key": item.item_key,
        "repeat": item.repeat, "position": item.position, "is_about_deck": item.is_about_deck,
    }  # fmt: skip


def _sources(project: Project, instance: Instance, names: Iterable[str], put: Any) -> list[dict[str, Any]]:
    found = []
    lowered = [name.casefold() for name in names if len(name) > 2]
    for number, source in enumerate(deck_store.list_sources(project, instance.id), start=1):
        path = project.asset_path(source.asset, source.extension)
        if not path.is_file():
            raise BadInput(f"The source {source.name} is missing.", next_step="Import it again.")
        name = source.name
        if any(telling in name.casefold() for telling in lowered):
            name = f"source {number}.{source.extension}"
        data = path.read_bytes()
        if source.format.value == "image":
            data = without_metadata(data)
        found.append(
            {"id": source.id, "name": name, "format": source.format.value, "extension": source.extension,
             "file": put(f"sources/{source.id}.{source.extension or 'bin'}", data, is_packed=False)}
        )  # fmt: skip
    return found


def _deck(project: Project, deck: Deck, mask: Any, put: Any) -> dict[str, Any]:
    folder = deck_store.page_folder(project, deck.id)
    if folder is None:
        raise BadInput("A deck of the pack has no pictures.", next_step="Draw its slides first.")
    slides = []
    for slide in deck_store.list_slides(project, deck.id):
        slides.append(_slide(slide, mask))
        if slide.page is None:
            continue
        for name in (slide_file_name(slide.number), thumb_file_name(slide.number)):
            path = folder / name
            if path.is_file():
                put(f"decks/{deck.id}/{name}", without_metadata(path.read_bytes()), is_packed=True)
            elif name.startswith("slide"):
                raise BadInput("A deck of the pack lacks pictures.", next_step="Draw its slides again.")
    return {
        "id": deck.id, "token": deck_token(project, deck), "raster_px": list(deck.raster_px or (0, 0)),
        "slides": slides,
    }  # fmt: skip


def _slide(slide: Slide, mask: Any) -> dict[str, Any]:
    boxes = None
    if slide.boxes is not None:
        boxes = [plain(box) | {"text": mask(box.text)} for box in slide.boxes]
    return {
        "number": slide.number, "page": slide.page, "is_hidden": slide.is_hidden, "text": mask(slide.text),
        "boxes": boxes, "width_px": slide.width_px, "height_px": slide.height_px,
    }  # fmt: skip


def _stripped(project: Project, deck: Deck, copy: Path, systems: Sequence[str], put: Any) -> tuple[str, list[str]]:
    if deck.asset is None:
        raise BadInput("A deck of the pack has no file.")
    try:
        sanitised_copy(project.asset_path(deck.asset, deck.extension), copy)
        left = privacy_findings(copy, systems=systems)
    except DeckUnreadable as error:
        raise BadInput(
            f"The deck of {deck.system} cannot be copied without its metadata ({error}).",
            next_step="Make the pack of pictures: --content images.",
        ) from error
    name = put(f"decks/{deck.id}/deck.{deck.extension or 'bin'}", copy.read_bytes(), is_packed=True)
    found = [
        f"{deck.system}: {item.what}{f', slide {item.slide}' if item.slide else ''} names {item.name}"
        for item in left
        if item.name
    ]
    return name, found
