"""The story of the studio at its full size: from the methods table in three clicks to a slide, decided, undone."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from studio.actions import checklist_answers, checklists
from studio.gui.pages.alignment import AlignmentPage
from studio.gui.pages.compare import ComparePage
from studio.gui.pages.review import ReviewPage
from studio.model.authoring import EVERYWHERE
from studio.model.checklists import Dimension, EvidenceBox, ItemAnswer
from studio.model.reviews import CaseKind
from studio.model.scores import Score, Verdict
from studio.sessions.checklist import Unit
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import scores as score_store
from tests.gui.projects import make_project
from tests.gui.studies import ctrl, press, window_of
from tests.projects import decks_of, open_session

K = Qt.Key
INSTANCES = 24
SYSTEMS = ("alpha", "beta", "gamma", "delta", "模型五")
PEOPLE = {"ann": (1, 2, 3, 4, 5), "bob": (2, 1, 3, 4, 5), "cyd": (1, 3, 2, 5, 4)}
METHODS = {
    "aesthetics.total": (1, 5, 4, 3, 2), "cues.balance": (5, 4, 3, 2, 1), "scripted:m/checklist": (0, 50, 100, 0, 50),
}  # fmt: skip
HANG_MS = 120_000


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("story") / "study"
    with make_project(folder, instances=INSTANCES, systems=SYSTEMS, slides=2) as project:
        item = checklists.add_item(project, EVERYWHERE, Dimension.COMPLETENESS, "All there?", author="author")[0].id
        scores, verdicts = [], []
        for instance in deck_store.list_instances(project):
            decks = decks_of(project, instance.name)
            for name, ranks in PEOPLE.items():
                session = open_session(project, instance.name, name)
                for system, rank in zip(SYSTEMS, ranks, strict=True):
                    session.rank(decks[system], rank)
                session.submit()
            person = people_store.annotator_named(project, "ann").id
            sheet, _ = checklist_answers.open_sheet(project, instance.id, person)
            unit = Unit(decks["alpha"], item)
            sheet.answer(unit, ItemAnswer.NO)
            sheet.set_boxes(unit, [EvidenceBox(slide=2, x0=0.1, y0=0.1, x1=0.5, y1=0.5)])
            sheet.submit(decks["alpha"])
            verdicts.append(
                Verdict(run_id=None, judge_id="scripted:m", model="m", prompt_version="p", instance_id=instance.id,
                        deck_id=decks["alpha"], item_id=item, verdict="yes")
            )  # fmt: skip
            scores += [
                Score(run_id=None, metric=name, metric_version=1, preset="benchmark", deck_id=decks[system],
                      instance_id=instance.id, slide=None, value=float(value))
                for name, values in METHODS.items()
                for system, value in zip(SYSTEMS, values, strict=True)
            ]  # fmt: skip
        score_store.append_scores(project, scores)
        score_store.append_verdicts(project, verdicts)
    return folder


@pytest.fixture
def window(qtbot, app_theme, settings, study):
    settings.update({"profile_name": "Rae"})
    with window_of(app_theme, settings, ComparePage, ReviewPage, AlignmentPage) as shown:
        assert QTest.qWaitForWindowActive(shown, HANG_MS)
        with qtbot.waitSignal(shown.project_opened):
            shown.open_folder(study, page="alignment")
        yield shown


def click_row(page, name):
    number = [row.name for row in page.methods.rows()].index(name)
    index = page.methods.index(number, 0)
    page.table.scrollTo(index)
    QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=page.table.visualRect(index).center())


@pytest.mark.parametrize("method", ["aesthetics.total", "scripted:m/checklist"])
def test_that_three_clicks_explain_a_disagreement_and_deciding_it_moves_the_number_until_it_is_undone(
    qtbot, window, method
):
    page, review = window.page("alignment"), window.page("review")
    qtbot.waitUntil(lambda: page.methods.rowCount() == len(METHODS) + 1)

    def rho():
        return page._view.row(method).mean_rho

    before = rho()
    click_row(page, method)  # the first click
    with qtbot.waitSignal(review.case_shown):
        QTest.mouseClick(page.disagreements, Qt.MouseButton.LeftButton)  # the second
    assert review.opened.entry.case.kind is CaseKind.PAIR
    assert {each.who_b for row in review.cases.model.rows() for each in row.case.disputes} >= {method}
    index = review.cases.model.index(1, 0)
    with qtbot.waitSignal(review.case_shown):  # the third: a case of the queue, both decks at a slide
        QTest.mouseClick(
            review.cases.table.viewport(), Qt.MouseButton.LeftButton, pos=review.cases.table.visualRect(index).center()
        )
    assert [pane.number for pane in review.evidence.panes] == list(review.opened.slides)
    says = {each.who: side.says for side in review.opened.sides for each in side.statements if not each.is_person}
    assert says
    case = review.opened.entry.case
    people_say = max(case.people, key=case.people.get)
    press(K.Key_B if people_say == "a" else K.Key_A)
    assert review._review().decision.value != people_say
    window.navigate("alignment")
    qtbot.waitUntil(lambda: rho() != before)
    window.navigate("review")
    with qtbot.waitSignal(review.desk_read):
        press(ctrl(K.Key_Z))
    window.navigate("alignment")
    qtbot.waitUntil(lambda: rho() == before)
