"""The Checklist page on the desk of all answering pages: studies, skipping, evidence, blindness, read-only, Chinese."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QWidget

from studio.actions import checklist_answers, checklists
from studio.actions.studies import create_study
from studio.gui.main_window import MainWindow
from studio.gui.pages.checklist import ChecklistPage
from studio.gui.pages.compare import ComparePage
from studio.gui.pages.rank import RankPage
from studio.model.answers import AnswerKind, AnswerStatus
from studio.model.authoring import EVERYWHERE
from studio.model.checklists import Dimension, ItemAnswer, SourceQuote
from studio.model.scores import Verdict
from studio.model.studies import StudyKind
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import quality as quality_store
from studio.store import scores as score_store
from studio.store.project import Project
from tests.gui.projects import make_project
from tests.gui.studies import ctrl, open_on, press, window_of

K = Qt.Key
SYSTEMS = ("Alphamaker", "Betamaker", "Gammamaker")
SECRET = "MachineSaidSo"
ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole,
         Qt.ItemDataRole.AccessibleDescriptionRole)  # fmt: skip


@pytest.fixture
def study(tmp_path):
    project = make_project(tmp_path / "study", instances=2, systems=SYSTEMS)
    checklists.add_item(project, EVERYWHERE, Dimension.FUNDAMENTALS, "**标题** 每一页都有标题吗?", author="author")
    checklists.add_item(project, EVERYWHERE, Dimension.CORRECTNESS, "数字和来源一致吗?", author="author",
                        needs_evidence=True)  # fmt: skip
    for deck in deck_store.list_decks(project):
        score_store.append_verdicts(
            project,
            [
                Verdict(run_id=None, judge_id=SECRET, model=SECRET, prompt_version="1", instance_id=deck.instance_id,
                        deck_id=deck.id, item_id=item.id, verdict="no")
                for item in checklists.list_items(project, EVERYWHERE)
            ],
        )  # fmt: skip
    project.close()
    return tmp_path / "study"


@pytest.fixture
def open_window(app_theme, settings):
    with ExitStack() as windows:

        def window(role: str = "annotator", name: str = "标注者一") -> MainWindow:
            settings.update({"profile_name": name, "profile_role": role})
            return windows.enter_context(window_of(app_theme, settings, ComparePage, RankPage, ChecklistPage))

        yield window


@pytest.fixture
def page(qtbot, open_window, study):
    return open_on(qtbot, open_window(), study, "checklist")


def reply(page):
    return page._open.sheet.reply(page.unit)


def test_that_all_decks_of_an_instance_stand_beside_each_other_under_letters(page):
    assert [deck.name for deck in page.stage.decks] == ["A", "B", "C"]
    first = page.unit
    # The same question of the next deck, and back.
    press(K.Key_Right)
    assert (page.unit.item_id, page.unit.deck_id) == (first.item_id, page.stage.decks[1].id)
    press(ctrl(K.Key_1))
    assert page.unit == first


def test_that_a_required_place_is_asked_for_and_a_quote_is_one(page):
    press(K.Key_Down, K.Key_Y)
    assert page.panel.evidence_words.text() == "Name the place: this answer needs one."
    assert page._open.sheet.lacking(page.unit) == "evidence"
    press(K.Key_Return)
    # The other question first, since it comes after this one, going round.
    assert "1 answer and 1 place open" in page._open.sheet.missing(page.unit.deck_id)
    page.ask(page._open.sheet.units()[1])
    quote = SourceQuote(source="material.md", page=2, quote="第三季度：4.2 米")
    page._on_unit(lambda sheet, unit: sheet.set_quotes(unit, [quote]))
    assert page._open.sheet.lacking(page.unit) == ""
    words = [label.full_text() for label in page.panel.findChildren(QLabel) if hasattr(label, "full_text")]
    assert "material.md, page 2: “第三季度：4.2 米”" in words
    press(K.Key_Backspace)
    assert reply(page).quotes == ()


def test_that_every_no_needs_a_place_where_the_project_says_so(qtbot, open_window, study):
    with Project.open(study, must_write=True) as project:
        checklist_answers.set_needs_evidence(project, True)
    page = open_on(qtbot, open_window(), study, "checklist")
    press(K.Key_N)
    assert page._open.sheet.lacking(page.unit) == "evidence"
    press(K.Key_E)
    assert page._open.sheet.lacking(page.unit) == ""


def test_that_the_contact_sheet_has_the_marks_of_the_answers(page):
    press(K.Key_N, K.Key_PageDown, K.Key_E, K.Key_G)
    marks = {slide.number: slide.mark for slide in page.stage.sheet_strip.model().slides()}
    assert (marks[1], marks[2]) == ("", "bad")
    press(K.Key_Escape)
    assert not page.stage.has_sheet


def test_that_skipping_leaves_an_instance_for_later_and_keeps_what_was_said(qtbot, page):
    press(K.Key_Y)
    first, unit = page.place()["instance"], page.unit
    with qtbot.waitSignal(page.instance_shown):
        press(ctrl(K.Key_Space))
    assert page.place()["instance"] != first
    assert [item.status for item in page._desk.queue.items] == [None, AnswerStatus.SKIPPED]
    with qtbot.waitSignal(page.instance_shown):
        page.go(1)
    assert page._open.sheet.reply(unit).answer is ItemAnswer.YES


def test_that_counters_tell_how_many_instances_are_done(qtbot, page):
    assert "mine 0/2" in page.facts.full_text()
    for unit in page._open.sheet.units():
        page.ask(unit)
        page.say(ItemAnswer.YES)
        page.add_slide()
    press(K.Key_Return, K.Key_Return)
    with qtbot.waitSignal(page.instance_shown):
        press(K.Key_Return)
    assert "mine 1/2" in page.facts.full_text()
    assert page._desk.queue.items[0].is_done


def test_that_a_study_has_its_own_answers_guidelines_and_reasons(qtbot, open_window, study):
    with Project.open(study, must_write=True) as project:
        made, _ = create_study(project, "清单研究", StudyKind.CHECKLIST, needs_all_slides_seen=True)
    page = open_on(qtbot, open_window(), study, "checklist")
    assert page._desk.study.id == made.id
    assert [each.name for each in page._desk.studies] == ["清单研究", "All checklists"]
    press(K.Key_Y)
    project = page.context.project
    (event,) = answer_store.events_of(project, AnswerKind.CHECKLIST)
    assert event.study_id == made.id
    page.ask(page._open.sheet.units()[1])
    page.say(ItemAnswer.CANNOT_TELL)
    assert " not seen: " in page._open.sheet.missing(page.unit.deck_id)
    page.toggle_guidelines()
    assert page.drawer.isVisible()
    press(K.Key_Escape)
    assert page.drawer.isHidden()
    press((Qt.KeyboardModifier.ShiftModifier, K.Key_R))
    assert page._open.sheet.recognised_system
    with qtbot.waitSignal(page.instance_shown):
        page._on_study_chosen("study_checklists")
    assert reply(page).answer is None
    page.looking.stop()
    assert {view.study_id for view in quality_store.list_views(project)} <= {made.id, ""}


def test_that_nothing_can_be_changed_in_a_project_that_is_read_only(qtbot, open_window, study):
    with Project.open(study, must_write=True):
        page = open_on(qtbot, open_window(), study, "checklist")
        assert page.context.project.is_read_only
        press(K.Key_Y, K.Key_F, K.Key_C, K.Key_E)
        assert reply(page).answer is None
        assert not any(button.isEnabled() for button in page.panel.answers.values())
        assert page.panel.comment.isReadOnly()
        assert page.panel.missing.full_text() == "Read-only: nothing can be changed"
        assert not page.work.undo_button.isEnabled()
        # Looking goes on.
        press(K.Key_Down, K.Key_PageDown)
        assert page.unit == page._open.sheet.units()[1]


def test_that_changes_of_the_checklist_reach_the_page(qtbot, page):
    project = page.context.project
    _, changes = checklists.add_item(project, EVERYWHERE, Dimension.DESIGN, "清楚吗?", author="author")
    press(K.Key_Y)
    with qtbot.waitSignal(page.instance_shown):
        page.window().announce(changes)
    assert len(page._open.sheet.items[page.unit.deck_id]) == 3
    assert page._open.sheet.progress().answered == 1


def told(widget: QWidget) -> set[str]:
    """Return all words that a widget shows, tells on hovering, or tells a screen reader."""
    words = {widget.toolTip(), widget.statusTip(), widget.whatsThis(), widget.accessibleName(),
             widget.accessibleDescription(), widget.windowTitle(), widget.objectName()}  # fmt: skip
    for name in ("text", "full_text", "toPlainText", "placeholderText", "currentText", "title"):
        ask = getattr(widget, name, None)
        if callable(ask):
            words.add(str(ask()))
    return words


@pytest.mark.parametrize("role", ["annotator", "author"])
def test_that_nothing_machine_made_and_no_system_is_told_where_one_answers(qtbot, open_window, study, role):
    page = open_on(qtbot, open_window(role), study, "checklist")
    press(K.Key_N, K.Key_E, K.Key_G)
    widgets = [page, *page.findChildren(QWidget)]
    words = {word for widget in widgets for word in told(widget)} | {
        word for action in page.findChildren(QAction) for word in (action.text(), action.toolTip())
    }
    for view in [each for each in widgets if hasattr(each, "model") and callable(each.model) and each.model()]:
        model = view.model()
        for row in range(model.rowCount()):
            words |= {str(model.index(row, 0).data(each)) for each in ROLES}
    assert any("标题" in word for word in words)
    assert [word for word in words if SECRET in word or any(name in word for name in SYSTEMS)] == []
