"""The demo project: built from its recipe, with invented people who are labelled as such."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from studio import paths
from studio.actions import checklist_answers, checklist_templates, checklists, quiz_banks, tables
from studio.actions import decks as deck_actions
from studio.errors import BadInput, Cancelled, ProjectLocked, StudioError
from studio.model.authoring import EVERYWHERE, Scope
from studio.model.checklists import Dimension, EvidenceBox, ItemAnswer, ItemKind, RuleCall
from studio.model.ids import AnnotatorId
from studio.model.protocols import CancelToken, Emit
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store.project import DATABASE, Project

_INSTANCE_FIELDS = ("title", "scenario", "domain", "language", "difficulty")
_SYSTEM_FIELDS = ("version", "paradigm", "access_date", "settings", "adaptation")
SAMPLE_AUTHOR = "Sample author (invented)"
TITLE = "Demo: five sources, five systems"
FULL_TITLE = "Full demo: 24 instances, five systems"


def demo_folder(*, is_full: bool = False) -> Path:
    """Return where the demo project is built unless the user says otherwise."""
    return paths.demo_project_dir(is_full=is_full)


def build_demo(
    folder: Path | None = None, *, rebuild: bool, emit: Emit, cancel: CancelToken, say: Callable[[str], None],
    is_full: bool = False,
) -> Path:  # fmt: skip
    """Return the demo project's folder, built from the recipe if it is not there yet.

    It is built beside its place and moved there whole. A rebuild keeps the old one beside the new. The full demo has
    24 instances, 19 of them drawn from the five by a seed.

    Raises:
        BadInput: if the folder holds something else.
        Cancelled: if the user stopped it; nothing is left behind.
        ProjectLocked: if another program is building it.
        StudioError: if the recipe's files cannot be brought in.
    """
    target = folder or demo_folder(is_full=is_full)
    if (target / DATABASE).is_file() and not rebuild:
        return target
    if target.exists() and not (target / DATABASE).is_file() and (not target.is_dir() or any(target.iterdir())):
        raise BadInput(f"{target} holds something else than the demo.", next_step="Choose another folder.")
    target.parent.mkdir(parents=True, exist_ok=True)
    with _alone(target):
        if (target / DATABASE).is_file() and not rebuild:
            return target
        say(f"Building the demo project (about {'five minutes' if is_full else 'a minute'} the first time).")
        _build(target, emit, cancel, is_full=is_full)
    return target


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    """Hold the right to build this demo, and first clear away what a killed build left."""
    name = hashlib.sha256(str(target.resolve()).encode()).hexdigest()[:16]
    # Not beside the demo, where in a checkout it would be a stray file.
    lock = FileLock(Path(tempfile.gettempdir()) / f"podium-demo-{name}.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise ProjectLocked(f"{target} is being built by another program.", next_step="Wait for it.") from error
    try:
        for left_over in target.parent.glob(f"{_building(target)}*"):
            shutil.rmtree(left_over, ignore_errors=True)
        yield
    finally:
        lock.release()


def _building(target: Path) -> str:
    return f".{target.name}-building-"


def _build(target: Path, emit: Emit, cancel: CancelToken, *, is_full: bool) -> None:
    with tempfile.TemporaryDirectory(prefix=_building(target), dir=target.parent) as scratch:
        material = _recipe().build(Path(scratch) / "material", is_full=is_full)
        built = Path(scratch) / "project"
        project = Project.create(built, title=FULL_TITLE if is_full else TITLE)
        try:
            _fill(project, material, emit, cancel)
        finally:
            project.close()
        if cancel.is_set():
            raise Cancelled("The demo was not built.")
        if target.exists():
            if any(target.iterdir()):
                os.replace(target, _free(target))
            else:
                target.rmdir()
        os.replace(built, target)


def _fill(project: Project, material: Path, emit: Emit, cancel: CancelToken) -> None:
    report, _ = deck_actions.import_paths(project, [material], layout="folders", emit=emit, cancel=cancel)
    if cancel.is_set():
        return
    if report.failed:
        raise StudioError(f"The demo could not be built: {report.failed[0].message}")
    records = {record["name"]: record for record in _json(material / "instances.json")}
    for instance in deck_store.list_instances(project):
        fields = {name: str(value) for name, value in records[instance.name].items() if name in _INSTANCE_FIELDS}
        deck_store.update_instance(project, replace(instance, **fields))  # type: ignore[arg-type]  # all are texts
    known = {system.name: system for system in deck_store.list_systems(project)}
    for record in _json(material / "systems.json"):
        fields = {name: str(value) for name, value in record.items() if name in _SYSTEM_FIELDS}
        deck_store.update_system(project, replace(known[record["name"]], **fields))  # type: ignore[arg-type]  # all are texts
    for person in _json(material / "annotators.json"):
        people_store.annotator_named(
            project, person["name"], identifier=person["id"], group=person.get("group", ""), is_sample=True
        )
    tables.import_table(project, material / "rankings.csv")
    _checklists(project, material / "checklists.json")
    quiz_banks.import_banks(project, material / "quiz_banks.json", author=SAMPLE_AUTHOR)


def _checklists(project: Project, file: Path) -> None:
    """Give the demo its checklists, and its invented people's answers for a few decks."""
    content = json.loads(file.read_text(encoding="utf-8"))
    author = content["author"]
    checklist_templates.use_template(project, EVERYWHERE, "independent-en", author=author)
    for instance in deck_store.list_instances(project):
        if instance.language == "zh":
            scope = Scope(domain=instance.domain)
            checklist_templates.use_template(project, scope, "independent-zh", author=author)
        own = Scope(instance_id=instance.id)
        for each in content["items"][instance.name]:
            rule = RuleCall(**each["rule"]) if "rule" in each else None
            kind = ItemKind.CODE if rule else ItemKind.QUESTION
            dimension = Dimension(each["dimension"])
            checklists.add_item(project, own, dimension, each["text"], author=author, kind=kind, rule=rule)
        asked = checklists.instance_checklist(project, instance.id)
        if asked.slide_limits is None:
            limits = content["slide_limits"][instance.name]
            settings = replace(checklists.settings_of(project, own), slide_limits=(limits[0], limits[1]))
            checklists.set_settings(project, own, settings, author=author)
    domains = {instance.domain for instance in deck_store.list_instances(project) if instance.language == "zh"}
    for scope, text in ((EVERYWHERE, "text"), *((Scope(domain=domain), "text_zh") for domain in sorted(domains))):
        for each in content["code_items"]:
            checklists.add_item(
                project, scope, Dimension(each["dimension"]), each[text], author=author, kind=ItemKind.CODE,
                rule=RuleCall(**each["rule"]),
            )  # fmt: skip
    for answers in content["answers"]:
        _answer(project, answers)


def _answer(project: Project, answers: dict[str, Any]) -> None:
    instance = next(each for each in deck_store.list_instances(project) if each.name == answers["instance"])
    deck = next(each for each in deck_store.list_decks(project, instance.id) if each.system == answers["system"])
    sheet, _ = checklist_answers.open_sheet(project, instance.id, AnnotatorId(answers["annotator"]), deck_ids=[deck.id])
    noes = {int(place): slide for place, slide in answers["no"].items()}
    asked = [unit for unit in sheet.units() if sheet.item(unit).rule is None]
    # What code can answer people answer too, so that both can be set side by side.
    for unit in sheet.units():
        rule = sheet.item(unit).rule
        if rule is not None:
            slide = answers["code_no"].get(rule.rule)
            if slide:
                sheet.set_boxes(unit, [EvidenceBox(slide=slide, x0=0.06, y0=0.2, x1=0.94, y1=0.9)])
            sheet.answer(unit, ItemAnswer.NO if slide else ItemAnswer.YES)
    for place, unit in enumerate(asked):
        if noes.get(place):
            sheet.set_boxes(unit, [EvidenceBox(slide=noes[place])])
        sheet.answer(unit, ItemAnswer.NO if place in noes else ItemAnswer.YES)
    sheet.submit(deck.id)


def _recipe() -> Any:
    file = paths.demo_recipe_dir() / "recipe.py"
    spec = importlib.util.spec_from_file_location("podium_demo_recipe", file)
    if spec is None or spec.loader is None:
        raise StudioError("The demo's recipe is not part of this installation.", next_step="Install the studio again.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _json(path: Path) -> list[dict[str, str]]:
    records: list[dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    return records


def _free(target: Path) -> Path:
    number = 1
    while (candidate := target.with_name(f"{target.name}-{number}")).exists():
        number += 1
    return candidate
