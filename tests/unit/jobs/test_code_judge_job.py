import hashlib
import threading

import pytest
from pptx import Presentation

from studio.jobs.code_judge_job import CodeJudgeJob
from studio.jobs.engine import run_job
from studio.model.checklists import Dimension, Item, ItemAnswer, ItemId, ItemKind, RuleCall
from studio.model.decks import Deck, DeckFormat, DeckStatus
from studio.model.ids import DeckId, Sha256
from studio.model.runs import RunKind, RunSpec, UnitStatus
from studio.store import decks as deck_store
from studio.store import judging as judging_store
from studio.store import runs as run_store
from studio.store import scores as score_store
from studio.store.project import Project
from tests.projects import add_instance


def code_item(name, rule, *, kind=ItemKind.CODE, retired=False, version=1, **parameters):
    return Item(
        id=ItemId(name), version=version, dimension=Dimension.FUNDAMENTALS, text=name, kind=kind,
        rule=RuleCall(rule=rule, parameters=parameters), is_retired=retired,
    )  # fmt: skip


def stored_deck(project, folder, instance_id, system, n_slides):
    deck = Presentation()
    for number in range(n_slides):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.placeholders[0].text_frame.text = f"Slide {number}"
        slide.placeholders[1].text_frame.text = "Lorem ipsum" if system == "Birch" else "Words"
    path = folder / f"{system}.pptx"
    deck.save(str(path))
    asset = Sha256(hashlib.sha256(path.read_bytes()).hexdigest())
    project.add_asset(path, asset, "pptx")
    made_by = deck_store.system_named(project, system)
    deck_id = DeckId(f"deck_{system}")
    deck_store.add_deck(
        project,
        Deck(
            id=deck_id, instance_id=instance_id, system_id=made_by.id, system=system, status=DeckStatus.PRESENT,
            format=DeckFormat.PPTX, asset=asset, extension="pptx", original_name=path.name, slides=n_slides,
        ),
    )  # fmt: skip
    return deck_id


@pytest.fixture
def study(tmp_path):
    project = Project.create(tmp_path / "study", title="Test study")
    instance_id = add_instance(project, "rivers")
    decks = {
        system: stored_deck(project, tmp_path, instance_id, system, n) for system, n in (("Aster", 2), ("Birch", 5))
    }
    yield project, instance_id, decks
    project.close()


def run(project, items, instance_id, **options):
    events = []
    job = CodeJudgeJob(
        RunSpec(kind=RunKind.JUDGE, workers=1, **options.pop("spec", {})), {instance_id: items}, **options
    )
    ended = run_job(project, job, emit=events.append, cancel=threading.Event())
    assert ended.state == "done", ended.reason
    return ended


ITEMS = (
    code_item("count", "utils.count_pages.check_slide_count", min_count=3, max_count=6),
    code_item("left", "placeholder_text"),
    code_item("pale", "contrast"),
    code_item("foreign", "os.path.basename", kind=ItemKind.TOOL_ERROR),
    code_item("old", "font_size", retired=True),
)


def test_that_code_items_are_judged_and_their_verdicts_stored(study):
    project, instance_id, decks = study
    run(project, ITEMS, instance_id)
    said = {(v.deck_id, v.item_id): (v.verdict, v.status) for v in score_store.list_verdicts(project)}
    assert said == {
        (decks["Aster"], "count"): ("no", "ok"),
        (decks["Aster"], "left"): ("yes", "ok"),
        (decks["Birch"], "count"): ("yes", "ok"),
        (decks["Birch"], "left"): ("no", "ok"),
        # Nobody drew the pages, and nothing of a foreign name is run.
        (decks["Aster"], "pale"): ("", "incomplete"),
        (decks["Birch"], "pale"): ("", "incomplete"),
        (decks["Aster"], "foreign"): ("", "tool_error"),
        (decks["Birch"], "foreign"): ("", "tool_error"),
    }
    assert {v.judge_id for v in score_store.list_verdicts(project)} == {"code"}


def test_that_what_is_judged_is_not_judged_again_until_an_item_changes(study):
    project, instance_id, _ = study
    assert run(project, ITEMS, instance_id).counts[UnitStatus.OK] == 2
    again = run(project, ITEMS, instance_id)
    assert (again.cached, again.counts.get(UnitStatus.OK, 0)) == (2, 0)
    stricter = (code_item("count", "slide_count", min_count=3, max_count=4, version=2), *ITEMS[1:])
    assert run(project, stricter, instance_id).counts[UnitStatus.OK] == 2
    assert run(project, stricter, instance_id, spec={"force": True}).counts[UnitStatus.OK] == 2
    assert len(run_store.done_units(project, RunKind.JUDGE)) == 4
    assert run_store.done_units(project, RunKind.METRICS) == set()


def test_that_whoever_keeps_reasons_gets_the_findings(study):
    project, instance_id, decks = study
    kept = []
    run(project, ITEMS, instance_id, keep=lambda _, verdicts: kept.extend(verdicts))
    by_item = {(each.verdict.deck_id, each.verdict.item_id): each for each in kept}
    count = by_item[decks["Aster"], "count"]
    assert count.finding.answer is ItemAnswer.NO
    assert count.finding.reason == "The deck has 2 visible slides, too few for 3 to 6."
    left = by_item[decks["Birch"], "left"]
    assert [box.slide for box in left.finding.boxes] == [1, 2, 3, 4, 5]
    assert "no rule 'os.path.basename'" in by_item[decks["Birch"], "foreign"].error


def test_that_a_stored_verdict_keeps_its_reason_and_places(study):
    project, instance_id, decks = study
    run(project, ITEMS, instance_id)
    stored = {
        (each.record.deck_id, each.record.item_id): each.record
        for each in judging_store.verdicts_with_evidence(project, judge_id="code")
    }
    assert stored[decks["Aster"], "count"].reason == "The deck has 2 visible slides, too few for 3 to 6."
    assert [box.slide for box in stored[decks["Birch"], "left"].boxes] == [1, 2, 3, 4, 5]
    assert "no rule 'os.path.basename'" in stored[decks["Birch"], "foreign"].reason


def test_that_instances_without_code_items_have_no_units(study):
    project, instance_id, _ = study
    question = Item(id=ItemId("q"), version=1, dimension=Dimension.DESIGN, text="Is it good?")
    assert CodeJudgeJob(RunSpec(kind=RunKind.JUDGE), {instance_id: (question,)}).plan(project).units == ()
