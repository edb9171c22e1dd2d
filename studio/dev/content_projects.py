"""A project for pictures of content: the talk with four defects, a Chinese one, one of two slides, one broken file."""

from __future__ import annotations

import threading
from pathlib import Path

from studio.actions.decks import import_paths
from studio.actions.explanation_units import Explanation, explanation_rows, plan_explanations
from studio.actions.runs import start_run
from studio.actions.studies import create_study
from studio.decks.render import find_tools
from studio.dev.worse_talk import CHINESE, ORDER, SWAPPED, TALK, source_text, write_talk
from studio.metrics.registry import FROM_WORDS
from studio.model.answers import Annotator, AnswerEvent, AnswerKind
from studio.model.decks import Deck
from studio.model.runs import RunKind, RunSpec
from studio.model.studies import Study, StudyKind
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import studies as study_store
from studio.store.project import Project

FOUR, WHOLE, CHINESE_DECK, SHORT, BROKEN = (
    "four-defects", "as-it-was", "中文演示文稿：一个名字很长很长的生成系统", "two-slides", "broken",
)  # fmt: skip
_RATERS = ("Sample expert (invented)", "Sample student (invented)", "示例用户（虚构）")
_POINTS = {
    FOUR: ((2, 2, 2, 2), (2, 1, 2, 3), (3, 2, 2, 2)), WHOLE: ((4, 5, 5, 5), (5, 5, 4, 5), (4, 4, 5, 4)),
    CHINESE_DECK: ((4, 3, 4, 4), (3, 3, 5, 4), (5, 4, 4, 3)), SHORT: ((1, 5, 3, 3), (2, 4, 3, 2), (1, 5, 2, 3)),
}  # fmt: skip
"""Invented: coverage, redundancy, alignment and flow by each rater."""


def prepare_content(home: Path) -> Path:
    """Make the project, with pages, scores and invented ratings, and return its folder."""
    talk, chinese = home / "made" / "talk", home / "made" / "花粉预报"
    for folder in (talk, chinese):
        folder.mkdir(parents=True)
    write_talk(talk / f"{FOUR}.pptx", ORDER, SWAPPED)
    write_talk(talk / f"{WHOLE}.pptx", range(len(TALK)))
    write_talk(talk / f"{SHORT}.pptx", range(2))
    write_talk(talk / f"{BROKEN}.pptx", range(4))
    (talk / "source.md").write_text(source_text(), "utf-8")
    write_talk(chinese / f"{CHINESE_DECK}.pptx", range(len(CHINESE)), talk=CHINESE)
    (chinese / "source.md").write_text(source_text(CHINESE, ("居民隐私", "摄像头模糊人脸，居民书面同意")), "utf-8")
    project = Project.create(home / "content", title="Content of decks")
    cancel = threading.Event()
    with project:
        import_paths(project, [talk.parent], emit=_ignore, cancel=cancel)
        start_run(project, RunSpec(kind=RunKind.RENDER), tools=find_tools(), emit=_ignore, cancel=cancel)
        spec = RunSpec(kind=RunKind.METRICS, evaluators=FROM_WORDS)
        start_run(project, spec, tools=find_tools(), emit=_ignore, cancel=cancel)
        _rate(project)
        broken = next(deck for deck in deck_store.list_decks(project) if deck.system == BROKEN)
        assert broken.asset is not None
        # As if a disk had lost it: the window has to say so.
        project.asset_path(broken.asset, broken.extension).write_bytes(b"PK\x03\x04 lost")
    return home / "content"


def _rate(project: Project) -> None:
    people = [people_store.annotator_named(project, name, is_sample=True) for name in _RATERS]
    decks = {deck.system: deck for deck in deck_store.list_decks(project)}
    content, _ = create_study(project, "Content", StudyKind.RATE, scale_set="reflex")
    for system, by_rater in _POINTS.items():
        for person, points in zip(people, by_rater, strict=True):
            values = dict(zip(("coverage", "redundancy", "alignment", "flow"), points, strict=True))
            _submit(project, content, person, decks[system], values, "reflex")
    use, _ = create_study(project, "Use of explanations", StudyKind.RATE, scale_set="usefulness")
    said = [
        Explanation(deck_id=decks[system].id, metric=metric, text=f"{writer} on {metric} of {system}.",
                    written_by=writer)
        for system in (FOUR, WHOLE) for metric in ("coverage", "redundancy", "flow")
        for writer in ("REFLEX-CPU", "A judge · few-shot", "Sample expert (invented)")
    ]  # fmt: skip
    plan_explanations(project, use, said, [person.id for person in people])
    by_id = {deck.id: deck for deck in decks.values()}
    for place, row in enumerate(explanation_rows(project, use)):
        for number, rater in enumerate(people):
            base = {"REFLEX-CPU": 4, "A judge · few-shot": 3}.get(row.written_by, 5)
            point = max(1, min(5, base - (place + number) % 3 // 2 - (row.metric == "flow")))
            _submit(project, use, rater, by_id[row.deck_id], {"usefulness": point}, "usefulness", item=row.id)


def _submit(
    project: Project, study: Study, person: Annotator, deck: Deck, values: dict[str, int], scales: str, *,
    item: str = "",
) -> None:  # fmt: skip
    state: dict[str, object] = {"values": values, "scale_set": scales, "status": "submitted"}
    if item:
        state |= {"target": "explanation", "target_id": item}
    answer_store.append(
        project,
        AnswerEvent(
            seq=0, uid=f"sample/{study.id}/{person.id}/{deck.id}/{item}", kind=AnswerKind.RATING,
            instance_id=deck.instance_id, annotator_id=person.id, deck_id=deck.id,
            item_key=f"text:{item}" if item else "", verb="submit", state=state, at="2026-11-30T10:00:00Z",
            active_s=60, wall_s=60, study_id=study_store.event_study(study.id) or "", repeat=0, app_version="sample",
        ),
    )  # fmt: skip


def _ignore(_event: object) -> None:
    pass
