"""Packs of checklist studies: out, answered elsewhere as a project of its own, and back."""

import json
import zipfile
from pathlib import Path

import pytest

from studio.actions import checklist_answers, checklists, packs, studies
from studio.actions.answer_desk import read_desk
from studio.actions.checklist_desk import open_checklist
from studio.actions.projects import open_project
from studio.errors import BadInput
from studio.exchange.pack_write import MANIFEST
from studio.model.answers import AnswerKind, AnswerStatus
from studio.model.authoring import EVERYWHERE, Scope
from studio.model.checklists import Dimension, EvidenceBox, ItemAnswer, SourceQuote
from studio.model.ids import Sha256
from studio.model.studies import StudyKind
from studio.store import answers as answer_store
from studio.store import checklist_lists as list_store
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store.project import Project
from tests.pack_stories import draw_pages
from tests.projects import make_project

ANN, AUTHOR = "Ann", "Writer of items"  # invented
YES, NO, TELL = ItemAnswer.YES, ItemAnswer.NO, ItemAnswer.CANNOT_TELL
KINDS = (StudyKind.CHECKLIST,)


@pytest.fixture
def origin(tmp_path):
    project = make_project(tmp_path / "origin", instances=2, systems=("Aster Maker", "Birch-Gen"))
    draw_pages(project)
    first = deck_store.list_instances(project)[0].id
    checklists.add_item(project, EVERYWHERE, Dimension.DESIGN, "Is the text readable?", author=AUTHOR)
    right, _ = checklists.add_item(
        project, Scope(instance_id=first), Dimension.CORRECTNESS, "数字都正确吗?", author=AUTHOR, needs_evidence=True
    )
    checklists.edit_items(project, [right.id], {"note": "任何错误数字都算否"}, author=AUTHOR)
    checklists.add_item(
        project, EVERYWHERE, Dimension.FIDELITY, "Is slide {slide} grounded?", author=AUTHOR,
    )  # fmt: skip
    yield project
    project.close()


def sent(project: Project, folder: Path, study: str) -> Path:
    packs.create_pack(project, folder / "ann.pack", annotator=ANN, study=study)
    return packs.open_pack(folder / "ann.pack", folder / "ann")


def study_of(project: Project) -> str:
    made, _ = studies.create_study(project, "Checklists by three", StudyKind.CHECKLIST, overlap=3)
    return made.name


def opened(project: Project, number: int = 0):
    desk = read_desk(project, ANN, kinds=KINDS)
    item = desk.queue.items[number]
    return open_checklist(project, desk.study, item.assignment)


def back(folder: Path, out: Path) -> Path:
    with open_project(folder, must_write=True) as project:
        return packs.write_answers(project, out)[0]


def said_in(project: Project):
    return {
        case: {str(person): (reply.answer, reply.boxes, reply.quotes, reply.comment) for person, reply in said.items()}
        for case, said in checklist_answers.human_replies(project).items()
    }


def lists_of(project: Project):
    return {
        instance: [(item.id, item.version, item.text, item.note, item.needs_evidence) for item in asked.items]
        for instance, asked in list_store.checklists(project).items()
    }


@pytest.mark.parametrize("make", [study_of, lambda _project: "All checklists"])
def test_that_a_pack_asks_the_same_questions_and_its_answers_come_back_once(origin, tmp_path, make):
    study = make(origin)
    person = people_store.annotator_named(origin, ANN).id
    folder = sent(origin, tmp_path, study)
    letters = [deck.id for deck in opened(origin).decks]
    with open_project(folder, must_write=True) as pack:
        assert packs.pack_kind(pack) is StudyKind.CHECKLIST
        assert lists_of(pack) == lists_of(origin)
        unit = opened(pack)
        assert [deck.id for deck in unit.decks] == letters
        for asked in unit.sheet.units():
            unit.sheet.answer(asked, NO)
            unit.sheet.set_boxes(asked, [EvidenceBox(slide=1, x0=0.25, y0=0.25, x1=0.5, y1=0.5)])
        first = unit.sheet.units()[0]
        unit.sheet.answer(first, TELL)
        unit.sheet.undo()
        right = next(each for each in unit.sheet.units() if not unit.sheet.hides_sources(each))
        unit.sheet.set_quotes(right, [SourceQuote(source="material.md", page=2, quote="第三季度 4.2 米")])
        unit.sheet.set_comment(right, "数字不对")
        unit.sheet.toggle_recognised()
        unit.sheet.submit(letters[0])
        unit.sheet.cannot_judge(letters[1], "slides not shown")
        unit.sheet.reopen(letters[1])
        unit.sheet.submit(letters[1])
        wanted = said_in(pack)
        n_events = len(answer_store.events_of(pack, AnswerKind.CHECKLIST))
    out = back(folder, tmp_path / "ann.answers.jsonl")
    report, _ = packs.merge_answers(origin, out)
    assert (report.same, report.conflicting, report.refused) == (0, 0, ())
    # Each item of each deck is one answer, each deck's decision is one, and what was recognised is one.
    assert report.new == len(wanted) + len(letters) + 1
    assert said_in(origin) == wanted
    events = answer_store.events_of(origin, AnswerKind.CHECKLIST)
    assert len(events) == n_events
    assert {event.annotator_id for event in events} == {person}
    again, _ = packs.merge_answers(origin, out)
    assert (again.new, again.same) == (0, report.new)
    assert len(answer_store.events_of(origin, AnswerKind.CHECKLIST)) == n_events
    chosen = studies.study_named(origin, study)
    desk = read_desk(origin, ANN, kinds=KINDS, study_id=chosen.id)
    assert [item.status for item in desk.queue.items] == [AnswerStatus.SUBMITTED, None]


def test_that_a_pack_tells_neither_authors_nor_verdicts_nor_systems(origin, tmp_path):
    packs.create_pack(origin, tmp_path / "ann.pack", annotator=ANN, study=study_of(origin))
    with zipfile.ZipFile(tmp_path / "ann.pack") as archive:
        text = archive.read(MANIFEST).decode()
    assert all(word not in text for word in (AUTHOR, "Aster", "Birch", "verdict"))
    assert "数字都正确吗" in text


def test_that_work_begun_here_goes_on_there_and_undo_still_finds_its_act(origin, tmp_path):
    people_store.annotator_named(origin, ANN)
    study = study_of(origin)
    here = opened(origin)
    first, second = here.sheet.units()[:2]
    here.sheet.answer(first, YES)
    here.sheet.answer(second, NO)
    here.sheet.undo()
    folder = sent(origin, tmp_path, study)
    with open_project(folder, must_write=True) as pack:
        there = opened(pack)
        assert there.sheet.reply(first).answer is YES
        assert there.sheet.reply(second).answer is None
        there.sheet.redo()
        assert there.sheet.reply(second).answer is NO
        there.sheet.undo()
        there.sheet.undo()
        assert there.sheet.reply(first).answer is None
    report, _ = packs.merge_answers(origin, back(folder, tmp_path / "ann.answers.jsonl"))
    assert (report.new, report.conflicting) == (2, 0)
    merged = opened(origin)
    assert merged.sheet.reply(first).answer is None
    merged.sheet.redo()
    merged.sheet.redo()
    assert (merged.sheet.reply(first).answer, merged.sheet.reply(second).answer) == (YES, NO)


def test_that_only_answers_about_a_deck_that_changed_are_refused(origin, tmp_path):
    folder = sent(origin, tmp_path, study_of(origin))
    with open_project(folder, must_write=True) as pack:
        unit = opened(pack)
        for asked in unit.sheet.units():
            unit.sheet.answer(asked, YES)
        decks = [deck.id for deck in unit.decks]
        n_each = len(unit.sheet.items[decks[0]])
    out = back(folder, tmp_path / "ann.answers.jsonl")
    with origin.writing(is_durable=True) as db:
        db.execute("UPDATE decks SET asset = ? WHERE id = ?", [Sha256("0" * 64), decks[0]])
    report, _ = packs.merge_answers(origin, out)
    assert report.new == n_each
    assert len(report.refused) == n_each
    assert all("has another file now" in why for _, why in report.refused)
    assert {event.deck_id for event in answer_store.events_of(origin, AnswerKind.CHECKLIST)} == {decks[1]}


def test_that_answers_to_items_that_nobody_wrote_are_refused(origin, tmp_path):
    folder = sent(origin, tmp_path, study_of(origin))
    with open_project(folder, must_write=True) as pack:
        unit = opened(pack)
        unit.sheet.answer(unit.sheet.units()[0], YES)
    out = back(folder, tmp_path / "ann.answers.jsonl")
    text = out.read_text("utf-8")
    known = json.loads(text.splitlines()[1])["item_key"]
    out.write_text(text.replace(known, "item_unheard_of"), "utf-8")
    report, _ = packs.merge_answers(origin, out)
    assert report.refused == ((2, "no item item_unheard_of"),)


@pytest.mark.parametrize(
    "damage",
    [
        lambda raw: raw["checklists"].pop("items"),
        lambda raw: raw["checklists"]["items"].append("x"),
        lambda raw: raw["checklists"]["items"][0].update(version=0),
        lambda raw: raw["checklists"]["items"][0].update(dimension="beauty"),
        lambda raw: raw["checklists"]["items"][0].update(rule={"rule": "os.system"}),
        lambda raw: raw["checklists"]["settings"].update(pack="1"),
        lambda raw: raw["checklists"]["lists"][0].update(slide_limits="many"),
    ],
)
def test_that_a_pack_with_odd_checklists_is_refused_whole(origin, tmp_path, damage):
    packs.create_pack(origin, tmp_path / "ann.pack", annotator=ANN, study=study_of(origin))
    with zipfile.ZipFile(tmp_path / "ann.pack") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    raw = json.loads(members[MANIFEST])
    damage(raw)
    members[MANIFEST] = json.dumps(raw).encode()
    with zipfile.ZipFile(tmp_path / "odd.pack", "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    with pytest.raises(BadInput, match="no sound pack"):
        packs.open_pack(tmp_path / "odd.pack", tmp_path / "odd")
    assert not (tmp_path / "odd").exists()
