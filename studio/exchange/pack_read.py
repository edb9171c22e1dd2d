"""Opens packs: a project of its own, made of what `pack.json` names and nothing else."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from PIL import Image

from studio.decks.archive import ZIP_ERRORS, opened_zip, read_member
from studio.decks.limits import Limits
from studio.errors import BadInput, DeckUnreadable
from studio.exchange import pack_desk
from studio.exchange.answer_lines import read_event
from studio.exchange.names import RowRefused
from studio.exchange.pack_checklists import add_checklists
from studio.exchange.pack_write import MANIFEST
from studio.model.answers import Role
from studio.model.decks import (
    Deck,
    DeckFormat,
    DeckStatus,
    Instance,
    RenderState,
    Slide,
    Source,
    SourceFormat,
    TextBox,
    slide_file_name,
    thumb_file_name,
)
from studio.model.ids import AnnotatorId, DeckId, InstanceId, Sha256, SourceId
from studio.model.packs import CHECKLIST_VERSION, FORMAT_VERSION, PACK_FORMAT, PACK_META
from studio.model.quality import ExampleDeck, Guidelines, TrainingItem
from studio.model.studies import AnswerUnit, Assignment, RankingRule, Study, StudyId, StudyKind
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import quality as quality_store
from studio.store import studies as study_store
from studio.store.faults import CONTRADICTION
from studio.store.page_cache import PAGES_PREFIX
from studio.store.project import Project

_MEMBER = re.compile(
    r"pack\.json|decks/[A-Za-z0-9_-]{1,80}/((slide|thumb)_\d{1,6}\.png|deck\.[A-Za-z0-9]{1,8})"
    r"|sources/[A-Za-z0-9_-]{1,80}\.[A-Za-z0-9]{1,8}|examples/[0-9a-f]{64}\.png"
)
_SHIPPED = re.compile(r"pictures/[A-Za-z0-9_-]{1,80}\.png")
_ID = re.compile(r"[A-Za-z0-9_-]{1,80}")
_EXTENSION = re.compile(r"[A-Za-z0-9]{0,8}")
_LIMITS = Limits(max_file_bytes=8 << 30, max_unpacked_bytes=16 << 30, max_parts=500_000)
_MAX_MANIFEST = 256 << 20
_MOMENT = (1980, 1, 1, 0, 0, 0)


class _Wrong(Exception):
    """The pack is not what it should be; the message says where."""


def open_pack(pack: Path, folder: Path) -> Path:
    """Make a project of a pack in a new folder, whole or not at all, and return the folder.

    Raises:
        BadInput: if it is no pack, is damaged or holds anything that a pack does not, or the folder is not empty.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInput(f"{folder} exists already and is not empty.", next_step="Choose another folder for the pack.")
    if not pack.is_file():
        raise BadInput(f"{pack} was not found.", next_step="Check the path.")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as staging:
            made = Path(staging) / "project"
            with opened_zip(pack, _LIMITS) as archive:
                manifest = _manifest(archive)
                project = Project.create(made, title=pack.stem)
                try:
                    with project.writing(is_durable=True):
                        _fill(project, archive, manifest)
                finally:
                    project.close()
            if folder.exists():
                folder.rmdir()
            os.replace(made, folder)
    except DeckUnreadable as error:
        raise BadInput(f"{pack.name} cannot be opened: {error.message}", next_step="Ask for the pack again.") from error
    except OSError as error:
        raise BadInput(
            f"{folder} cannot be written ({error.strerror or error}).", next_step="Choose another place."
        ) from error
    except (_Wrong, RowRefused) as error:
        raise BadInput(f"{pack.name} is no sound pack: {error}.", next_step="Ask for the pack again.") from error
    except CONTRADICTION as error:
        raise BadInput(
            f"{pack.name} is no sound pack: what it holds contradicts itself ({error}).",
            next_step="Ask for the pack again.",
        ) from error
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError, *ZIP_ERRORS) as error:
        raise BadInput(
            f"{pack.name} is no sound pack: {type(error).__name__} in {MANIFEST}.", next_step="Ask for the pack again."
        ) from error
    return folder


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    names = [member.filename for member in archive.infolist()]
    odd = next((name for name in names if not _MEMBER.fullmatch(name)), None)
    if odd is not None:
        raise _Wrong(f"it holds {odd[:80]!r}, which no pack does")
    if len(set(names)) != len(names):
        raise _Wrong("it holds a file twice")
    if MANIFEST not in names:
        raise _Wrong(f"it has no {MANIFEST}")
    manifest = json.loads(read_member(archive, MANIFEST, _MAX_MANIFEST))
    if not isinstance(manifest, dict) or manifest.get("format") != PACK_FORMAT:
        raise _Wrong(f"{MANIFEST} is of something else")
    if manifest.get("version") not in {FORMAT_VERSION, CHECKLIST_VERSION}:
        raise _Wrong("it was made by another version of Podium Studio")
    files = manifest["files"]
    if not isinstance(files, dict) or {*files, MANIFEST} != set(names):
        raise _Wrong("its files are not those that it names")
    return manifest


def _fill(project: Project, archive: zipfile.ZipFile, manifest: dict[str, Any]) -> None:
    about = manifest["annotator"]
    person = people_store.annotator_named(
        project, _text(about["name"]), identifier=_text(about["id"]), group=_text(about["group"]), role=Role.ANNOTATOR
    ).id
    rules = manifest["rules"]
    project.set_meta("ranking_require", RankingRule(rules["ranking_require"]).value)
    for key in ("ties_allowed", "guidelines_version"):
        project.set_meta(key, _text(rules[key]))
    project.set_meta("seed", str(int(manifest["seed"])))
    tokens: dict[str, str] = {}
    for raw in manifest["instances"]:
        instance = Instance(
            id=InstanceId(_id(raw["id"])), name=_id(raw["id"]), title=_text(raw["title"]),
            instruction=_text(raw["instruction"]), scenario=_text(raw["scenario"]), domain=_text(raw["domain"]),
            language=_text(raw["language"]), difficulty=_text(raw["difficulty"]),
        )  # fmt: skip
        deck_store.add_instance(project, instance)
        for source in raw["sources"]:
            _add_source(project, archive, manifest, instance.id, source)
        for deck in raw["decks"]:
            if deck["id"] in tokens:
                raise _Wrong(f"it holds the deck {deck['id']!r:.80} twice")
            tokens[_id(deck["id"])] = _text(deck["token"])
            _add_deck(project, archive, manifest, instance.id, deck)
    odd = {deck for item in manifest["assignments"] for deck in item["deck_ids"]} - tokens.keys()
    if odd:
        raise _Wrong(f"it asks about the deck {min(odd)!r:.80}, which it does not hold")
    study_id = _add_study(project, archive, manifest, person)
    pack_desk.fill_desk(project, manifest.get("desk"), StudyId(study_id) if study_id else None)
    for raw in manifest["guidelines"]:
        quality_store.add_guidelines(
            project,
            Guidelines(
                version=_text(raw["version"]),
                text=_text(raw["text"]),
                examples=_examples(project, archive, manifest, raw["examples"]),
            ),
        )
    if "checklists" in manifest:
        add_checklists(project, manifest["checklists"])
    stored: dict[str, int] = {}
    for raw in manifest["events"]:
        event = read_event(raw, person, stored)
        stored[event.uid] = answer_store.append(project, event).seq
    origin = {
        "project_id": _text(manifest["project_id"]), "study_id": study_id,
        "annotator": {"id": person, "name": _text(about["name"]), "group": _text(about["group"])}, "tokens": tokens,
        "kind": StudyKind(manifest.get("kind", StudyKind.RANK.value)).value,
    }  # fmt: skip
    project.set_meta(PACK_META, json.dumps(origin, ensure_ascii=False, sort_keys=True))


def _add_study(project: Project, archive: zipfile.ZipFile, manifest: dict[str, Any], person: AnnotatorId) -> str:
    raw = manifest["study"]
    if raw is None:
        return ""
    study = Study(
        id=StudyId(_id(raw["id"])), name=_text(raw["name"]), kind=StudyKind(raw["kind"]),
        rule=RankingRule(raw["rule"]), unit=AnswerUnit(raw["unit"]), annotator_ids=(person,), at=_text(raw["at"]),
        order_seed=_whole(raw["order_seed"], least=-(2**63)), top_k=_whole(raw["top_k"], least=1),
        training_tries=_whole(raw["training_tries"], least=1), training_pass_mark=_share(raw["training_pass_mark"]),
        scale_set=_text(raw["scale_set"]), guidelines_version=_text(raw["guidelines_version"]),
        ties_allowed=_truth(raw["ties_allowed"]), graded_gaps=_truth(raw["graded_gaps"]),
        needs_all_slides_seen=_truth(raw["needs_all_slides_seen"]), needs_training=_truth(raw["needs_training"]),
    )  # fmt: skip
    study_store.save_study(project, study)
    study_store.add_assignments(
        project,
        [
            Assignment(
                study_id=study.id, annotator_id=person, instance_id=InstanceId(_id(item["instance_id"])),
                deck_ids=tuple(DeckId(_id(deck)) for deck in item["deck_ids"]), item_key=_text(item["item_key"]),
                repeat=_whole(item["repeat"]), position=_whole(item["position"]),
                is_about_deck=_truth(item["is_about_deck"]),
            )
            for item in manifest["assignments"]
        ],
    )  # fmt: skip
    quality_store.save_training_items(
        project,
        study.id,
        [
            TrainingItem(
                id=_text(item["id"]), study_id=study.id, question=_text(item["question"]),
                options=tuple(_text(option) for option in item["options"]), answer=_text(item["answer"]),
                explanation=_text(item["explanation"]),
                examples=_examples(project, archive, manifest, item["examples"]),
            )
            for item in manifest["training"]
        ],
    )  # fmt: skip
    return study.id


def _add_source(
    project: Project, archive: zipfile.ZipFile, manifest: dict[str, Any], instance_id: InstanceId, raw: dict[str, Any]
) -> None:
    data = _member(archive, manifest, raw["file"])
    asset, extension = _stored(project, data, _extension(raw["extension"]))
    deck_store.add_source(
        project,
        Source(
            id=SourceId(_id(raw["id"])), instance_id=instance_id, name=_text(raw["name"]),
            format=SourceFormat(raw["format"]), asset=asset, extension=extension, size_bytes=len(data),
        ),
    )  # fmt: skip


def _add_deck(
    project: Project, archive: zipfile.ZipFile, manifest: dict[str, Any], instance_id: InstanceId, raw: dict[str, Any]
) -> None:
    deck_id = DeckId(_id(raw["id"]))
    slides = tuple(_slide(deck_id, slide) for slide in raw["slides"])
    pictures: dict[str, bytes] = {}
    for slide in slides:
        for name in (slide_file_name(slide.number), thumb_file_name(slide.number)):
            member = f"decks/{deck_id}/{name}"
            if slide.page is not None and (member in manifest["files"] or name.startswith("slide")):
                pictures[name] = _picture(_member(archive, manifest, member), name)
    if "file" in raw:
        data = _member(archive, manifest, raw["file"])
        kind = DeckFormat(raw["format"])
        asset, extension = _stored(project, data, _extension(raw["extension"]))
    else:
        data = _packed({name: data for name, data in pictures.items() if name.startswith("slide")})
        kind = DeckFormat.IMAGES
        asset, extension = _stored(project, data, "zip")
    folder = project.cache_folder / f"{PAGES_PREFIX}{asset[:24]}-{deck_id}"
    folder.mkdir()
    for name, picture in pictures.items():
        (folder / name).write_bytes(picture)
    # Each deck has a system of its own: one name for several decks would tell that they were made alike.
    system = deck_store.system_named(project, deck_id)
    deck_store.add_deck(
        project,
        Deck(
            id=deck_id, instance_id=instance_id, system_id=system.id, system=system.name, status=DeckStatus.PRESENT,
            format=kind, asset=asset, extension=extension, original_name=f"{deck_id}.{extension}",
            size_bytes=len(data), slides=len(slides), hidden_slides=sum(slide.is_hidden for slide in slides),
        ),
    )  # fmt: skip
    width, height = (int(side) for side in raw["raster_px"])
    deck_store.record_rendering(
        project,
        deck_store.Rendering(
            deck_id=deck_id, asset=asset, state=RenderState.RENDERED, renderer="pack",
            pages=sum(slide.page is not None for slide in slides), raster_px=(width, height), folder=folder.name,
            slides=slides,
        ),
    )  # fmt: skip


def _slide(deck_id: DeckId, raw: dict[str, Any]) -> Slide:
    boxes = raw["boxes"]
    return Slide(
        deck_id=deck_id, number=int(raw["number"]), page=None if raw["page"] is None else int(raw["page"]),
        is_hidden=raw["is_hidden"] is True, text=_text(raw["text"]),
        boxes=None if boxes is None else tuple(TextBox(**{key: _simple(box[key]) for key in box}) for box in boxes),
        width_px=int(raw["width_px"]), height_px=int(raw["height_px"]),
    )  # fmt: skip


def _member(archive: zipfile.ZipFile, manifest: dict[str, Any], name: object) -> bytes:
    if not isinstance(name, str) or name not in manifest["files"]:
        raise _Wrong(f"{name!r:.80} is not among its files")
    data = read_member(archive, name, _LIMITS.max_part_bytes)
    if hashlib.sha256(data).hexdigest() != manifest["files"][name]:
        raise _Wrong(f"{name} is damaged")
    return data


def _picture(data: bytes, name: str) -> bytes:
    with Image.open(io.BytesIO(data), formats=("PNG",)) as picture:
        _LIMITS.check_pixels(*picture.size, name)
    return data


def _packed(pictures: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in sorted(pictures.items()):
            archive.writestr(zipfile.ZipInfo(name, _MOMENT), data)
    return out.getvalue()


def _stored(project: Project, data: bytes, extension: str) -> tuple[Sha256, str]:
    asset = Sha256(hashlib.sha256(data).hexdigest())
    with tempfile.TemporaryDirectory(prefix="podium-") as folder:
        file = Path(folder) / "asset"
        file.write_bytes(data)
        project.add_asset(file, asset, extension)
    return asset, extension


def _examples(
    project: Project, archive: zipfile.ZipFile, manifest: dict[str, Any], raw: list[dict[str, Any]]
) -> tuple[ExampleDeck, ...]:
    found = []
    for item in raw:
        picture = ""
        if item.get("picture"):
            data = _picture(_member(archive, manifest, item["picture"]), item["picture"])
            picture, _ = _stored(project, data, "png")
        shipped = _text(item["resource"])
        if shipped and not _SHIPPED.fullmatch(shipped):
            raise _Wrong(f"{shipped!r:.80} is no shipped example")
        found.append(
            ExampleDeck(
                title=_text(item["title"]), is_good=item["is_good"] is True, aspect=_text(item["aspect"]),
                why=_text(item["why"]), resource=shipped, picture=picture,
            )
        )  # fmt: skip
    return tuple(found)


def _id(value: object) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise _Wrong(f"{value!r:.80} is no id")
    return value


def _extension(value: object) -> str:
    if not isinstance(value, str) or not _EXTENSION.fullmatch(value):
        raise _Wrong(f"{value!r:.40} is no ending of a file name")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise _Wrong(f"{value!r:.40} is no text")
    value.encode()
    return value


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise _Wrong(f"{value!r:.40} is neither true nor false")
    return value


def _whole(value: object, *, least: int = 0) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value < 2**63:
        raise _Wrong(f"{value!r:.40} is no whole number from {least} up")
    return value


def _share(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        raise _Wrong(f"{value!r:.40} is no share from 0 to 1")
    return float(value)


def _simple(value: Any) -> Any:
    if value is not None and not isinstance(value, str | int | float | bool):
        raise _Wrong(f"{value!r:.40} is no single value")
    return value
