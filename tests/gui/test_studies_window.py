"""The window for authors of studies: rules with a live plan, people, guidelines, training, scales, packs, merging."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from studio.actions import packs, quality, sessions, studies
from studio.actions.answer_desk import cannot_judge_reasons, scale_set_named
from studio.actions.explanation_units import explanation_rows
from studio.actions.projects import open_project
from studio.gui.dialogs.record_form import RecordForm
from studio.gui.studies.guidelines_tab import ExampleForm
from studio.gui.studies.scales_tab import EXAMPLE, scales_from, scales_text
from studio.gui.widgets.guideline_drawer import ExampleCard
from studio.model.studies import AnswerUnit, RankingRule, StudyKind
from studio.sessions.scales import PPTEVAL, scale_set_from
from studio.store import decks as deck_store
from studio.store import quality as quality_store
from studio.store import studies as study_store
from studio.store.project import Project
from tests.gui.projects import make_project
from tests.gui.studies import SYSTEMS, ctrl, open_on, press, shown_window
from tests.pack_stories import answer

K = Qt.Key


@pytest.fixture
def folder(tmp_path) -> Path:
    with make_project(tmp_path / "study", instances=4, systems=SYSTEMS[:4], slides=2) as project:
        for name in ("Ada", "Bo", "陈晨"):
            quality.set_profile(project, name)
    return tmp_path / "study"


@pytest.fixture
def window(app_theme, settings):
    with shown_window(app_theme, settings, name="an author", role="author") as made:
        yield made


@pytest.fixture
def shown(qtbot, window, folder):
    open_on(qtbot, window, folder, "rank")
    window.studies.open()
    found = window.studies.shown
    if found.desk is None:
        with qtbot.waitSignal(found.loaded):
            pass
    assert QTest.qWaitForWindowActive(found, 60_000)
    return found


def form_in(window: object) -> RecordForm:
    """Return the form that is open on top."""
    return next(each for each in QApplication.topLevelWidgets() if isinstance(each, RecordForm) and each.isVisible())


def filled(qtbot, shown, **values: str) -> None:
    """Fill the form that is open, save it by its key, and wait until that is stored."""
    form = form_in(shown)
    for name, words in values.items():
        editor = form.editor(name)
        if hasattr(editor, "setPlainText"):
            editor.setPlainText(words)
        elif hasattr(editor, "setCurrentText"):
            editor.setCurrentText(words)
        else:
            editor.setText(words)
    with qtbot.waitSignal(shown.loaded):
        QTest.keyClick(form, K.Key_Return, Qt.KeyboardModifier.ControlModifier)


def add_study(qtbot, shown, name: str, **rules) -> str:
    study, _ = studies.create_study(shown._context.project, name, **rules)
    with qtbot.waitSignal(shown.loaded):
        shown.reload()
    with qtbot.waitSignal(shown.study_shown, check_params_cb=lambda found: found == study.id):
        shown.choose(study.id)
    return study.id


# rules and plan


def test_that_a_study_is_made_and_planned_by_keyboard_with_its_plan_in_view(qtbot, shown, window):
    form = shown.rules.form
    press(ctrl(K.Key_N))
    QTest.keyClicks(QApplication.focusWidget(), "Pilot 1")
    assert form.name.text() == "Pilot 1"
    qtbot.waitUntil(lambda: shown.rules.preview is not None)
    # Everybody answers everything: 4 instances for each of the three annotators.
    qtbot.waitUntil(lambda: [row["instances"] for row in shown.rules.model.rows()] == [4, 4, 4])
    form.overlap.setFocus()
    with qtbot.waitSignal(shown.rules.previewed):
        press(K.Key_Up)
    # One person for each of four instances: loads differ by one at most.
    qtbot.waitUntil(lambda: sorted(row["instances"] for row in shown.rules.model.rows()) == [1, 1, 2])
    # Of four answers each gets done with probability 0.9: 4 × 0.1 will be missing.
    assert "0.4 of 4" in shown.rules.shortfall.text()
    with qtbot.waitSignal(shown.loaded):
        press(ctrl(K.Key_Return))
    with Project.open(window.context.project.folder) as project:
        study = studies.study_named(project, "Pilot 1")
        assert (study.kind, study.overlap) == (StudyKind.RANK, 1)
        assert len(study_store.list_assignments(project, study.id)) == 4


def test_that_more_people_than_there_are_show_as_a_shortfall(qtbot, shown):
    shown.new_study()
    shown.rules.form.overlap.setValue(5)
    qtbot.waitUntil(lambda: "3 of 5 wanted" in shown.rules.summary.text())
    # Two answers lack for each of four instances.
    assert "8 answers" in shown.rules.shortfall.text()


def test_that_a_sample_is_drawn_by_strata_with_some_of_the_systems(qtbot, shown):
    shown.new_study()
    form = shown.rules.form
    form.strata["scenario"].setChecked(True)
    assert form.strata_words.text() == "2 strata: lecture 2, report 2"
    form.sample_size.setValue(2)
    form.sample_systems.setValue(3)
    with qtbot.waitSignal(form.changed):
        form.sample_asked.emit(2, ["scenario"], 3)
    sampled = form.study()
    scenarios = {item.id: item.scenario for item in shown.desk.instances}
    assert sorted(scenarios[item] for item in sampled.instance_ids) == ["lecture", "report"]
    assert len(sampled.systems) == 3


def test_that_rules_of_every_kind_are_stored_as_they_are_shown(qtbot, shown, window):
    shown.new_study()
    form = shown.rules.form
    form.kind.setCurrentIndex(form.kind.findData(StudyKind.RANK))
    form.rule.setCurrentIndex(form.rule.findData(RankingRule.TOP_K))
    form.top_k.setValue(2)
    form.ties.setChecked(False)
    form.gaps.setChecked(True)
    form.all_slides.setChecked(True)
    form.people.every.setChecked(False)
    form.people.model.setData(form.people.model.index(0), Qt.CheckState.Unchecked.value, Qt.ItemDataRole.CheckStateRole)
    with qtbot.waitSignal(shown.loaded):
        shown.rules.save_rules()
    with Project.open(window.context.project.folder) as project:
        study = studies.study_named(project, "Study 1")
        names = {person["annotator_id"]: person["name"] for person in quality.people_rows(project)}
    assert (study.rule, study.top_k, study.ties_allowed, study.graded_gaps) == (RankingRule.TOP_K, 2, False, True)
    assert study.needs_all_slides_seen
    assert [names[who] for who in study.annotator_ids] == ["Bo", "an author", "陈晨"]


def test_that_what_a_planned_study_asks_cannot_be_changed(qtbot, shown, window):
    study_id = add_study(qtbot, shown, "Pilot", kind=StudyKind.RANK, overlap=1)
    with qtbot.waitSignal(shown.loaded):
        shown.rules.save_and_plan()
    qtbot.waitUntil(lambda: not shown.rules.form.kind.isEnabled())
    with qtbot.waitSignal(shown.refused) as refused:
        shown.rules.form.name.setText("")
        shown.rules.save_rules()
    assert refused.args == ["A study needs a name. Type one."]
    assert shown.trouble.text() == "A study needs a name. Type one."
    assert study_id


def test_that_a_closed_study_takes_nothing_more_and_opens_again(qtbot, shown, window):
    add_study(qtbot, shown, "Pilot", kind=StudyKind.RANK)
    with qtbot.waitSignal(shown.loaded):
        shown.toggle_closed()
    assert shown.close_button.text() == "Reopen"
    assert not shown.rules.apply.isEnabled()
    with qtbot.waitSignal(shown.loaded):
        shown.toggle_closed()
    assert shown.close_button.text() == "Close"


def test_that_typed_rules_stay_while_others_answer_and_while_another_study_is_looked_at(qtbot, shown, window):
    first = add_study(qtbot, shown, "First", kind=StudyKind.RANK)
    second = add_study(qtbot, shown, "Second", kind=StudyKind.RANK)
    shown.rules.form.name.setText("Second, renamed")
    shown.rules.form.overlap.setValue(2)
    shown.training.tries.setValue(7)
    with qtbot.waitSignal(shown.study_shown):
        shown.reload()
    assert (shown.rules.form.name.text(), shown.rules.form.overlap.value()) == ("Second, renamed", 2)
    assert shown.training.tries.value() == 7
    for study_id in (first, second):
        with qtbot.waitSignal(shown.study_shown, check_params_cb=lambda found, wanted=study_id: found == wanted):
            shown.choose(study_id)
    assert shown.rules.form.name.text() == "Second, renamed"
    with qtbot.waitSignal(shown.study_shown):
        shown.rules.save_rules()
    assert studies.study_named(window.context.project, "Second, renamed").overlap == 2
    assert shown.rules.form.name.text() == "Second, renamed"


# people, guidelines, training, scales


def test_that_a_profile_is_made_with_group_and_qualification_and_drops_out(qtbot, shown, window):
    shown.show_tab("people")
    shown.people.add()
    filled(qtbot, shown, name="Zoë", group="expert", qualification="5 years of design")
    row = next(row for row in shown.people.panel.model.rows() if row["name"] == "Zoë")
    assert (row["group"], row["role"], row["qualification"], row["is_active"]) == (
        "expert", "annotator", "5 years of design", True,
    )  # fmt: skip
    shown.people.panel.table.selectRow(shown.people.panel.model.rows().index(row))
    with qtbot.waitSignal(shown.loaded):
        shown.people.toggle_active()
    assert shown.people.drop.text() == "Takes part again"


def test_that_a_version_with_an_example_deck_is_shown_with_its_picture(qtbot, shown, window):
    study_id = add_study(qtbot, shown, "Pilot", kind=StudyKind.RANK)
    editor = shown.guidelines.add()
    editor.version.setText("v1")
    editor.text.setPlainText("# Look at everything")
    deck = next(iter(shown.desk.decks))
    form = ExampleForm(shown.desk.decks, editor.add_example, editor)
    form.open()
    for name, words in (("deck", shown.desk.decks[deck]), ("title", "Much room"), ("why", "Nothing is crowded.")):
        line = form.editor(name)
        line.setPlainText(words) if hasattr(line, "setPlainText") else line.setText(words)
    QTest.keyClick(form, K.Key_Return, Qt.KeyboardModifier.ControlModifier)
    with qtbot.waitSignal(shown.loaded):
        editor.save.click()
    form = shown.rules.form
    form.guidelines.setCurrentIndex(form.guidelines.findData("v1"))
    with qtbot.waitSignal(shown.loaded):
        shown.rules.save_rules()
    page = window.page("rank")
    with qtbot.waitSignal(page.instance_shown):
        page.go_to(study=study_id)
        page.reload()
    page.toggle_guidelines()
    cards = page.drawer.findChildren(ExampleCard)
    pictures = [label for card in cards for label in card.children() if getattr(label, "pixmap", None)]
    assert [label.accessibleName() for label in pictures if not label.pixmap().isNull()] == ["Good example: Much room"]
    with qtbot.waitSignal(shown.stored):
        shown.guidelines.take_shipped()
    again = shown.guidelines.add()
    again.version.setText("v1")
    again.text.setPlainText("other words")
    again.save.click()
    assert again.error.text() == "Version v1 is there already; versions are never changed."
    again.reject()


def test_that_a_training_with_limited_tries_and_a_pass_mark_is_made(qtbot, shown, window):
    study_id = add_study(qtbot, shown, "Pilot", kind=StudyKind.RANK)
    shown.show_tab("training")
    shown.training.pass_mark.setValue(50)
    shown.training.tries.setValue(3)
    shown.training.is_needed.setChecked(True)
    for number in (1, 2):
        shown.training.add()
        filled(qtbot, shown, question=f"Which one? {number}", options="left\nright", answer="2", explanation="So.")
        qtbot.waitUntil(lambda number=number: len(shown.training.panel.model.rows()) == number)
    assert shown.training.words.text() == "1 of 2 questions must be right."
    with Project.open(window.context.project.folder) as project:
        study = studies.study_named(project, study_id)
        items = quality_store.training_items(project, study.id)
    assert (study.needs_training, study.training_pass_mark, study.training_tries) == (True, 0.5, 3)
    assert [(item.question, item.answer) for item in items] == [("Which one? 1", "right"), ("Which one? 2", "right")]


def test_that_a_training_is_not_asked_for_without_questions(qtbot, shown):
    add_study(qtbot, shown, "Pilot", kind=StudyKind.RANK)
    shown.training.is_needed.setChecked(True)
    with qtbot.waitSignal(shown.refused) as refused:
        shown.training.save_all()
    assert refused.args[0].startswith("A training needs at least one question.")


def test_that_scales_are_typed_as_they_are_shown():
    raw = {"name": "ppteval_2", "title": "x", "scales": scales_from(scales_text(PPTEVAL))}
    made = scale_set_from(raw)
    assert [(each.dimension, each.question, each.anchors, each.low) for each in made.scales] == [
        (each.dimension, each.question, each.anchors, each.low) for each in PPTEVAL.scales
    ]


def test_that_a_set_of_scales_of_ones_own_can_be_chosen_for_a_study(qtbot, shown, window):
    shown.show_tab("scales")
    shown.scales.add()
    filled(qtbot, shown, name="clarity", title="清晰度", scales=EXAMPLE)
    made = scale_set_named(window.context.project, "clarity")
    assert [(each.dimension, each.low, each.high) for each in made.scales] == [("clarity", 1, 3)]
    shown.new_study()
    form = shown.rules.form
    form.kind.setCurrentIndex(form.kind.findData(StudyKind.RATE))
    form.scales.setCurrentIndex(form.scales.findData("clarity"))
    assert form.study().scale_set == "clarity"
    shown.show_tab("scales")
    shown.scales.add()
    form = form_in(shown)
    form.editor("name").setText("clarity")
    QTest.keyClick(form, K.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert form.error() == "There is a set of scales clarity already. Choose another name."
    form.reject()


def test_that_reasons_are_the_projects_own_until_they_are_emptied(qtbot, shown, window):
    shown.scales.reasons.setPlainText("看不清\nToo little time")
    with qtbot.waitSignal(shown.loaded):
        shown.scales.save_reasons()
    assert cannot_judge_reasons(window.context.project) == ("看不清", "Too little time")
    shown.scales.reasons.setPlainText("\n".join(map(str, range(9))))
    with qtbot.waitSignal(shown.refused):
        shown.scales.save_reasons()
    assert cannot_judge_reasons(window.context.project) == ("看不清", "Too little time")


def test_that_the_plan_of_a_study_that_was_left_is_never_shown_for_another(qtbot, shown):
    study_id = add_study(qtbot, shown, "Pilot", kind=StudyKind.RANK)
    with qtbot.waitSignal(shown.study_shown, check_params_cb=lambda name: name == "study_all"):
        shown.choose(study_id)
        shown.choose("study_all")
    qtbot.waitUntil(lambda: not shown._context.background.busy)
    assert (shown.rules.preview, shown.rules.summary.text()) == (None, "")
    assert "needs no plan" in shown.rules.trouble.text()


# undo


def test_that_rules_that_were_saved_are_taken_back_and_brought_back_by_key(qtbot, shown, window):
    study_id = add_study(qtbot, shown, "Pilot", kind=StudyKind.RANK)
    form = shown.rules.form
    form.name.setText("Pilot, second round")
    with qtbot.waitSignal(shown.study_shown):
        shown.rules.save_rules()
    assert shown.rules.undo.toolTip() == "Undo (Ctrl+Z): Changed the rules of Pilot"
    shown.list.table.setFocus()
    for key, name in (
        (ctrl(K.Key_Z), "Pilot"),
        ((ctrl(K.Key_Z)[0] | Qt.KeyboardModifier.ShiftModifier, K.Key_Z), "Pilot, second round"),
    ):
        with qtbot.waitSignal(shown.study_shown):
            press(key)
        assert (shown._chosen, shown.rules.form.name.text()) == (study_id, name)


# known answers and explanations


def test_that_a_known_order_is_stored_and_shown_in_words(qtbot, shown):
    add_study(qtbot, shown, "Pilot", kind=StudyKind.RANK)
    shown.show_tab("results")
    shown.quality.ask_known()
    filled(qtbot, shown, instance="instance-1", order="alpha\ngamma", kind="attention")
    qtbot.waitUntil(lambda: [each.words for each in shown.quality.known.model.rows()] == ["alpha > gamma"])
    assert shown.quality.known.model.rows()[0].probe.purpose.value == "attention"


def test_that_known_answers_of_best_and_worst_and_of_slides_are_stored(qtbot, shown):
    add_study(qtbot, shown, "Four", kind=StudyKind.BEST_WORST)
    shown.show_tab("results")
    shown.quality.ask_known()
    filled(qtbot, shown, instance="instance-1", order="alpha\nbeta\ngamma\ndelta", kind="gold")
    qtbot.waitUntil(lambda: len(shown.quality.known.model.rows()) == 1)
    words = shown.quality.known.model.rows()[0].words
    assert (words.startswith("alpha > "), words.endswith(" > delta")) == (True, True)
    add_study(qtbot, shown, "Slides", kind=StudyKind.RATE, scale_set="reflex", unit=AnswerUnit.SLIDE)
    deck = next(iter(shown.desk.decks))
    shown.quality.ask_known()
    filled(qtbot, shown, deck=shown.desk.decks[deck], slide="1", points="flow=1-2", kind="gold")
    qtbot.waitUntil(lambda: [each.words for each in shown.quality.known.model.rows()] == ["alpha#1: flow 1–2"])


def test_that_known_points_of_a_deck_are_stored_in_a_study_of_ratings(qtbot, shown):
    add_study(qtbot, shown, "Ratings", kind=StudyKind.RATE, scale_set="reflex")
    shown.show_tab("results")
    deck = next(iter(shown.desk.decks))
    shown.quality.ask_known()
    filled(qtbot, shown, deck=shown.desk.decks[deck], points="flow=1-2, coverage=4", kind="gold")
    qtbot.waitUntil(
        lambda: [each.words for each in shown.quality.known.model.rows()] == ["alpha: flow 1–2, coverage 4–4"]
    )


def test_that_an_explanation_is_planned_for_everybody_and_keeps_its_writer_from_raters(qtbot, shown, window):
    study_id = add_study(qtbot, shown, "Useful?", kind=StudyKind.RATE, scale_set="usefulness")
    shown.show_tab("explanations")
    deck = next(iter(shown.desk.decks))
    shown.explanations.add()
    filled(
        qtbot, shown, deck=shown.desk.decks[deck], metric="flow", text="Order 1, 3, 2.", written_by="judge-x",
        known_defect="slides swapped",
    )  # fmt: skip
    with Project.open(window.context.project.folder) as project:
        study = studies.study_named(project, study_id)
        (row,) = explanation_rows(project, study)
        people = {item.annotator_id for item in study_store.list_assignments(project, study.id)}
        wanted = {each["annotator_id"] for each in quality.people_rows(project) if each["role"] == "annotator"}
    assert (row.written_by, row.known_defect, row.ratings) == ("judge-x", "slides swapped", ())
    assert people == wanted


# packs


def test_that_a_pack_goes_out_and_conflicting_answers_are_taken_only_if_wanted(qtbot, shown, window, tmp_path):
    shown.show_tab("packs")
    with qtbot.waitSignal(shown.study_shown):
        shown.choose("study_all")
    with qtbot.waitSignal(shown.packs.made):
        shown.packs.write(tmp_path / "ada.pack", "Ada")
    assert "4 instances, 16 decks" in shown.packs.told.text()
    there = packs.open_pack(tmp_path / "ada.pack", tmp_path / "there")
    with open_project(there, must_write=True) as elsewhere:
        for turn, project in enumerate((elsewhere, window.context.project)):
            who = sessions.be_annotator(project, "Ada").id
            for number, instance in enumerate(deck_store.list_instances(project)[:2]):
                answer(project, "Ada", who, instance.id, number + turn)
        file, _ = packs.write_answers(elsewhere, tmp_path / "ada.answers.jsonl")
    with qtbot.waitSignal(window.files.merge_shown):
        window.files.preview_merge(file)
    merging = window.files.merging
    (report,) = merging.model.rows()
    assert (report.new, report.same, report.conflicting, report.over_quota) == (0, 0, 2, 0)
    assert not merging.take.isEnabled()
    assert merging.words.text() == "There is nothing new in it."
    merging.conflicting.setFocus()
    press(K.Key_Space)
    with qtbot.waitSignal(window.files.merged):
        press(K.Key_Return)
    with qtbot.waitSignal(window.files.merge_shown):
        window.files.preview_merge(file)
    (again,) = window.files.merging.model.rows()
    assert (again.same, again.conflicting) == (2, 0)
    window.files.merging.reject()
    qtbot.waitUntil(lambda: len(shown.packs.merges.model.rows()) == 1)


# who may see it


def test_that_an_annotator_has_no_studies_window(qtbot, app_theme, settings, folder):
    with shown_window(app_theme, settings, name="Ada") as window:
        open_on(qtbot, window, folder, "rank")
        assert not window.shortcuts.is_available("file.studies")
        window.studies.open()
        assert window.studies.shown is None


def test_that_the_window_goes_with_its_project(qtbot, shown, window):
    window.close_project()
    assert window.studies.shown is None
