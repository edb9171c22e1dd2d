"""People, code and judges beside each other in a window, by item, down to what a verdict rests on."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from studio.actions import checklist_answers, checklists
from studio.gui.answer_comparison import AnswerComparison
from studio.gui.pages.alignment import AlignmentPage
from studio.gui.pages.checklist import ChecklistPage
from studio.gui.pages.compare import ComparePage
from studio.model.authoring import EVERYWHERE
from studio.model.checklists import Dimension, EvidenceBox, ItemAnswer
from studio.model.ids import RunId
from studio.model.judging import JudgingProtocol, VerdictRecord
from studio.model.runs import Run, RunKind, RunState
from studio.sessions.checklist import Unit
from studio.store import decks as deck_store
from studio.store import judging as judging_store
from studio.store import people as people_store
from studio.store import runs as run_store
from tests.gui.projects import make_project
from tests.gui.studies import window_of
from tests.sheets import submit_as_it_is

YES, NO = ItemAnswer.YES, ItemAnswer.NO
JUDGE = "openai:m"
REASON = "Slide 2 shows 4.1 m where the source says 4.2 m. \\boxed{no}"


@pytest.fixture
def study(tmp_path):
    """Two decks, two items: Ada says no and yes to the first item, the judge no and no."""
    project = make_project(tmp_path / "study", instances=1, systems=("alpha", "beta"))
    right, _ = checklists.add_item(project, EVERYWHERE, Dimension.CORRECTNESS, "数字正确吗?", author="author")
    checklists.add_item(project, EVERYWHERE, Dimension.DESIGN, "Is the text readable?", author="author")
    instance = deck_store.list_instances(project)[0]
    decks = deck_store.list_decks(project, instance.id)
    person = people_store.annotator_named(project, "Ada")
    sheet, _ = checklist_answers.open_sheet(project, instance.id, person.id)
    for deck, said in zip(decks, (NO, YES), strict=True):
        sheet.answer(Unit(deck.id, right.id), said)
    sheet.set_boxes(Unit(decks[0].id, right.id), [EvidenceBox(slide=3, x0=0.25, x1=0.5)])
    submit_as_it_is(sheet)
    run_store.add_run(
        project, Run(id=RunId("run_1"), kind=RunKind.JUDGE, title="judge", spec={}, state=RunState.DONE,
                     started_at="2026-01-01T00:00:00Z")
    )  # fmt: skip
    for deck in decks:
        judging_store.append_outcome(
            project,
            judging_store.UnitOutcome(
                run_id=RunId("run_1"), unit_key=f"unit {deck.id}", judge_id=JUDGE, judge_version="1",
                protocol=JudgingProtocol.CHECKLIST, prompt_version="1", model="m",
                verdicts=(
                    VerdictRecord(
                        instance_id=instance.id, deck_id=deck.id, item_id=right.id, verdict="no", reason=REASON,
                        boxes=(EvidenceBox(slide=2),),
                    ),
                ),
            ),
        )  # fmt: skip
    project.close()
    return tmp_path / "study"


@pytest.fixture
def window(qtbot, app_theme, settings, study):
    settings.update({"profile_name": "Eve", "profile_role": "engineer"})
    with window_of(app_theme, settings, ComparePage, ChecklistPage, AlignmentPage) as shown:
        with qtbot.waitSignal(shown.project_opened):
            shown.open_folder(study, page="compare")
        yield shown


@pytest.fixture
def comparison(qtbot, window):
    made = AnswerComparison(window.context, window)
    with qtbot.waitSignals([made.loaded, made.scores.loaded]):
        made.show_fresh()
    yield made
    made.close()


def test_that_items_stand_beside_judges_with_agreement_precision_and_recall(comparison):
    row = next(row for row in comparison.items.rows() if row.text == "数字正确吗?")
    # People no, yes; the judge no, no: one of two the same, one of its two noes right, the only no found.
    no = row.comparison.no
    assert (row.comparison.same.value, no.precision.value, no.recall.value) == (0.5, 0.5, 1.0)
    assert (row.n_yes, row.n_no) == (1, 1)


def test_that_a_verdict_opens_with_what_it_rests_on_and_leads_to_the_slide(qtbot, comparison, window):
    with qtbot.waitSignal(comparison.evidence_shown):
        place = next(place for place, row in enumerate(comparison.cases.rows()) if row.people == "no")
        comparison.case_table.selectRow(place)
    judge, person = comparison.evidence.said
    assert (judge.who, judge.answer, judge.words, judge.slides) == (JUDGE, "no", REASON, (2,))
    assert (person.who, person.answer, person.slides) == ("Ada", "no", (3,))
    assert person.boxes[0].x1 == 0.5
    compare = window.page("compare")
    comparison.evidence.slide_asked.emit(2)
    deck = comparison.cases.row(place).deck_id
    qtbot.waitUntil(lambda: compare.stage.viewing.slide(deck) == 2)
    comparison.case_table.setFocus()
    QTest.keyClick(comparison.case_table, Qt.Key.Key_Return)
    # What people marked comes first.
    qtbot.waitUntil(lambda: compare.stage.viewing.slide(deck) == 3)


def test_that_an_item_without_a_rule_has_nothing_by_code(qtbot, window, comparison):
    comparison.cases.judge = "code"
    with qtbot.waitSignal(comparison.evidence_shown):
        comparison._on_case_selected(comparison.cases.row(0))
    machine = comparison.evidence.said[0]
    assert (machine.who, machine.answer) == ("code", "")
    assert machine.words == "No rule answers this item."


def test_that_items_are_filtered_by_words_and_judge(qtbot, comparison):
    assert comparison.judge_box.isHidden()
    comparison.filter.insert("数字")
    comparison._show_items()
    assert [row.text for row in comparison.items.rows()] == ["数字正确吗?"]
    QTest.keyClicks(comparison.filter, " xyz")
    assert comparison.items.rows() == []
    assert comparison.cases.rows() == []
    comparison.filter.clear()
    comparison._show_items()
    assert len(comparison.items.rows()) == 2


def test_that_scores_are_shown_by_group_and_never_mix_judges(qtbot, comparison):
    scores = comparison.scores
    comparison.tabs.setCurrentWidget(scores)
    assert [scores.who.itemData(place) for place in range(scores.who.count())] == ["people", JUDGE]
    totals = {row.system: row.total for row in scores.rows.rows()}
    # Correctness 0 and 100, design unanswered in strict scoring: (0 + 0) / 2 and (100 + 0) / 2.
    assert totals == {"alpha": 0.0, "beta": 50.0} or totals == {"alpha": 50.0, "beta": 0.0}
    scores.by.setCurrentIndex(scores.by.findData("language"))
    scores.by.activated.emit(scores.by.currentIndex())
    scores.only.setCurrentIndex(1)
    with qtbot.waitSignal(scores.filtered):
        scores.only.activated.emit(1)
    assert len(scores.rows.rows()) == 2
    scores.who.setCurrentIndex(1)
    with qtbot.waitSignal(scores.loaded):
        scores.who.activated.emit(1)
    assert {row.total for row in scores.rows.rows()} == {0.0}


def test_that_the_align_page_leads_there(qtbot, window):
    window.navigate("alignment")
    page = window.page("alignment")
    page.checklists.click()
    with qtbot.waitSignal(page.answers.loaded):
        pass
    assert page.answers.isVisible()
    window.close_project()
    assert page.answers is None
