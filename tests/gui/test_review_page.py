"""The Review page, by keyboard, on a real project."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from studio.actions import align, checklist_answers, checklists
from studio.actions.review import CaseState
from studio.exchange.export_tables import rows_of
from studio.gui.pages.alignment import AlignmentPage
from studio.gui.pages.compare import ComparePage
from studio.gui.pages.review import ReviewPage
from studio.model.authoring import EVERYWHERE
from studio.model.checklists import Dimension, EvidenceBox, ItemAnswer, SourceQuote
from studio.model.reviews import Decision, DisputeKind
from studio.model.scores import Score, Verdict
from studio.sessions.checklist import Unit
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import reviews as review_store
from studio.store import scores as score_store
from tests.gui.projects import make_project
from tests.gui.studies import ctrl, press, window_of
from tests.projects import decks_of, open_session
from tests.sheets import submit_as_it_is

K = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier
SYSTEMS = ("alpha", "beta", "gamma", "模型四")
SLOW_MS = 60_000


def shift(key: Qt.Key) -> tuple[Qt.KeyboardModifier, Qt.Key]:
    return SHIFT, key


@pytest.fixture
def study(tmp_path) -> Path:
    folder = tmp_path / "study"
    with make_project(folder, instances=1, systems=SYSTEMS) as project:
        item = checklists.add_item(
            project, EVERYWHERE, Dimension.COMPLETENESS, "Are all findings of the source there?", author="author"
        )[0].id
        instance = deck_store.list_instances(project)[0]
        decks = decks_of(project, instance.name)
        for name, said in (("ann", ItemAnswer.NO), ("bob", ItemAnswer.YES)):
            session = open_session(project, instance.name, name)
            for place, system in enumerate(SYSTEMS, start=1):
                session.rank(decks[system], place)
            session.submit()
            person = people_store.annotator_named(project, name).id
            sheet, _ = checklist_answers.open_sheet(project, instance.id, person)
            unit = Unit(decks["alpha"], item)
            sheet.answer(unit, said)
            if said is ItemAnswer.NO:
                sheet.set_boxes(unit, [EvidenceBox(slide=3, x0=0.25, y0=0.5, x1=0.75, y1=1.0)])
                sheet.set_quotes(unit, [SourceQuote(source="source.md", page=1, quote="One")])
            submit_as_it_is(sheet)
        score_store.append_scores(
            project,
            [
                Score(run_id=None, metric="aesthetics.total", metric_version=1, preset="benchmark",
                      deck_id=decks[system], instance_id=instance.id, slide=None, value=value)
                for system, value in zip(SYSTEMS, (1.0, 9.0, 8.0, 7.0), strict=True)
            ],
        )  # fmt: skip
        score_store.append_verdicts(
            project,
            [
                Verdict(run_id=None, judge_id="openai:m", model="m", prompt_version="p", instance_id=instance.id,
                        deck_id=decks["alpha"], item_id=item, verdict="yes")
            ],
        )  # fmt: skip
    return folder


@pytest.fixture
def window(app_theme, settings):
    settings.update({"profile_name": "Rae", "profile_role": "reviewer"})
    with window_of(app_theme, settings, ComparePage, ReviewPage, AlignmentPage) as shown:
        yield shown


@pytest.fixture
def page(qtbot, window, study) -> ReviewPage:
    with qtbot.waitSignal(window.project_opened):
        window.open_folder(study, page="review")
    found = window.page("review")
    qtbot.waitUntil(lambda: found.opened is not None)
    return found


def choose(qtbot, page, **values):
    page.cases.choose(**values)
    wanted = page.cases.model.row(0).case.id
    qtbot.waitUntil(lambda: page.opened is not None and page.opened.entry.case.id == wanted)
    return page.opened


def standing(page):
    return review_store.review_of(page.context.project, page.opened.entry.case.id)


def test_that_the_queue_is_ordered_by_size_and_narrowed_by_filters(qtbot, page):
    sizes = [row.size for row in page.cases.model.rows()]
    assert sizes == sorted(sizes, reverse=True)
    # The item is split one to one; alpha is disputed with each of the three others.
    assert len(sizes) == 4
    choose(qtbot, page, dispute=DisputeKind.PEOPLE.value)
    assert page.cases.model.rowCount() == 1
    choose(qtbot, page, who="aesthetics.total")
    assert page.cases.model.rowCount() == 3
    page.cases.choose(dispute=DisputeKind.FLIP.value)
    assert page.cases.model.rowCount() == 0
    assert page.nothing.isVisible()


def test_that_both_sides_stand_side_by_side_at_the_slides_and_words_that_they_cite(qtbot, page):
    opened = choose(qtbot, page, dispute=DisputeKind.PEOPLE.value)
    side = [each.says for each in opened.sides].index("no")
    pane = page.evidence.panes[side]
    assert pane.number == 3
    box = pane.view._boxes[0].rect
    assert (box.x(), box.y(), box.width(), box.height()) == (0.25, 0.5, 0.5, 0.5)
    assert page.evidence.panes[1 - side].number == 1
    source = page.evidence.sources[side]
    qtbot.waitUntil(lambda: source.page_text.textCursor().selectedText() == "One")


def test_that_a_source_panel_that_is_not_shown_reads_nothing(qtbot, page):
    choose(qtbot, page, dispute=DisputeKind.PEOPLE_MACHINE.value)
    shown, hidden = page.evidence.sources
    qtbot.waitUntil(lambda: shown.tabs.count() == 1)
    assert hidden.isHidden() == (hidden.tabs.count() == 0)


def test_that_nobody_is_named_until_it_is_asked_for_and_the_record_says_so(qtbot, page):
    choose(qtbot, page, dispute=DisputeKind.PEOPLE.value)
    words = page.panel.findChildren(type(page.panel.question))
    assert not any(name in label.text() for label in words for name in ("ann", "bob", "openai", "alpha"))
    assert [pane.head.title_label.full_text() for pane in page.evidence.panes] == ["Deck", "Deck"]
    press(K.Key_Y)
    assert standing(page).was_blind
    with qtbot.waitSignal(page.case_shown):
        press(K.Key_H)
    shown = " ".join(label.text() for label in page.panel.findChildren(type(page.panel.question)))
    assert all(name in shown for name in ("ann", "bob", "openai", "alpha"))
    press(K.Key_N)
    assert (standing(page).decision, standing(page).was_blind) == (Decision.NO, False)


def test_that_a_case_is_decided_by_keys_and_each_key_is_undone(qtbot, page):
    choose(qtbot, page, dispute=DisputeKind.PEOPLE.value)
    press(K.Key_N, K.Key_3)
    page.set_error("overlooked")
    page.evidence.show_place(0, 2)
    # From 0.3, 0.3 with 0.4 × 0.4: right by 0.02, lower edge down by 0.02.
    press(K.Key_E, shift(K.Key_E), K.Key_Right, shift(K.Key_Down), K.Key_Return)
    held = standing(page)
    assert (held.decision, held.confidence.value, held.error_type) == (Decision.NO, "high", "overlooked")
    assert [(box.slide, box.x0, box.y1) for box in held.boxes] == [(2, 0.0, 1.0), (2, 0.32, 0.72)]
    for _ in range(5):
        with qtbot.waitSignal(page.desk_read):
            press(ctrl(K.Key_Z))
    assert standing(page) is None
    with qtbot.waitSignal(page.desk_read):
        press((Qt.KeyboardModifier.ControlModifier | SHIFT, K.Key_Z))
    assert standing(page).decision is Decision.NO
    # The reviewer is nobody's third opinion.
    answers = rows_of(page.context.project, "checklist")
    assert {row["annotator_id"] for row in answers} == {
        person.id for person in people_store.list_annotators(page.context.project) if person.name != "Rae"
    }


def test_that_enter_goes_to_the_next_open_case_and_brackets_skip_decided_ones(qtbot, page):
    page.cases.choose()
    rows = [row.case.id for row in page.cases.model.rows()]
    qtbot.waitUntil(lambda: page.opened is not None and page.opened.entry.case.id == rows[0])
    page.say(Decision.TIE if rows[0].startswith("pair") else Decision.YES)
    for expected in rows[1:]:
        with qtbot.waitSignal(page.case_shown):
            press(K.Key_Return)
        assert page.opened.entry.case.id == expected
    with qtbot.waitSignal(page.case_shown):
        press(K.Key_BracketRight)
    assert page.opened.entry.case.id == rows[1]
    with qtbot.waitSignal(page.case_shown):
        press(K.Key_BracketLeft)
    assert page.opened.entry.case.id == rows[-1]
    with qtbot.waitSignal(page.case_shown):
        press(K.Key_Up)
    assert page.opened.entry.case.id == rows[-2]


def test_that_keys_do_nothing_while_a_comment_is_typed_and_the_comment_is_kept(qtbot, page):
    choose(qtbot, page, dispute=DisputeKind.PEOPLE.value)
    press(K.Key_C)
    QTest.keyClicks(page.panel.comment, "yes 1 2 n")
    assert standing(page) is None
    press(K.Key_Escape)
    assert standing(page).comment == "yes 1 2 n"
    assert standing(page).decision is None


def test_that_a_return_needs_a_comment_and_leaves_the_answers_out_until_undone(qtbot, page):
    choose(qtbot, page, dispute=DisputeKind.PEOPLE.value)
    project = page.context.project
    press(K.Key_R)
    assert "looked at again" in page.panel.trouble.text()
    page.panel.comment.setPlainText("Slide 3 shows two of them")
    with qtbot.waitSignal(page.desk_read):
        page.return_case()
    assert checklist_answers.human_replies(project) == {}
    entry = page._desk.entry(page.place()["case"])
    assert entry.state is CaseState.RETURNED
    page._focus()
    with qtbot.waitSignal(page.desk_read):
        press(ctrl(K.Key_Z))
    assert len(checklist_answers.human_replies(project)) == 1


def test_that_accepting_lists_its_cases_and_is_one_act(qtbot, page):
    page.ask_accept()
    dialog = page.dialog
    assert dialog.model.rowCount() == 3
    with qtbot.waitSignal(page.desk_read):
        dialog.take.click()
    assert (page._desk.count(CaseState.ACCEPTED), dialog.panel.head.title_label.full_text()) == (3, "Accepted")
    dialog.close()
    page.window().activateWindow()
    assert QTest.qWaitForWindowActive(page.window(), SLOW_MS)
    page._focus()
    with qtbot.waitSignal(page.desk_read):
        press(ctrl(K.Key_Z))
    assert page._desk.count(CaseState.ACCEPTED) == 0


def test_that_three_clicks_lead_from_the_methods_table_to_a_slide_and_deciding_changes_the_table(qtbot, page, window):
    window.navigate("alignment")
    alignment = window.page("alignment")
    qtbot.waitUntil(lambda: alignment.methods.rowCount() > 0 and not alignment._is_loading)
    before = alignment._view.row("aesthetics.total").mean_rho
    alignment.table.selectRow(0)  # the first click
    with qtbot.waitSignal(page.case_shown):
        alignment.disagreements.click()  # the second
    assert all(
        any(dispute.who_b == "aesthetics.total" for dispute in row.case.disputes) for row in page.cases.model.rows()
    )
    assert all(pane.number == 1 for pane in page.evidence.panes)
    decks = decks_of(page.context.project, deck_store.list_instances(page.context.project)[0].name)
    is_a = page.opened.entry.case.deck_id == decks["alpha"]
    press(K.Key_B if is_a else K.Key_A)  # against what people say
    window.navigate("alignment")
    qtbot.waitUntil(lambda: alignment._view.row("aesthetics.total").mean_rho != before)
    assert alignment._view.row("aesthetics.total").mean_rho > before
    assert align.gather(page.context.project).n_adjudicated == 1
    window.navigate("review")
    with qtbot.waitSignal(page.desk_read):
        press(ctrl(K.Key_Z))
    window.navigate("alignment")
    qtbot.waitUntil(lambda: alignment._view.row("aesthetics.total").mean_rho == before)


def test_that_an_annotator_has_no_review_page(settings, window):
    settings.update({"profile_role": "annotator"})
    from studio.gui.page_list import visible_pages

    assert "review" not in visible_pages(settings.role)


def test_that_a_project_without_disagreements_says_what_to_do(qtbot, window, tmp_path):
    make_project(tmp_path / "calm", instances=1).close()
    with qtbot.waitSignal(window.project_opened):
        window.open_folder(tmp_path / "calm", page="review")
    page = window.page("review")
    qtbot.waitUntil(lambda: page.empty.isVisible())
    assert page.empty.button.text() == "Go to Runs"


def test_that_the_report_on_items_leads_to_an_items_disagreements(qtbot, page):
    press(K.Key_I)
    qtbot.waitUntil(lambda: page.items is not None and page.items.model.rowCount() == 1)
    row = page.items.model.row(0)
    # People are even on the one deck that they answered, so that no judge can be compared with them.
    assert (row["judge_id"], row["n_decks"]) == (None, 0)
    page.items.table.selectRow(0)
    with qtbot.waitSignal(page.items.item_opened):
        page.items.table.row_opened.emit(row)
    assert [each.case.item_id for each in page.cases.model.rows()] == [row["item_id"]]
    page.items.close()
