"""Pairs, fours, ratings, ranking by comparison, guidelines, training and what was looked at, by keyboard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from studio.actions.explanation_units import Explanation, plan_explanations
from studio.actions.known_answers import set_known_order
from studio.actions.shipped_guidelines import use_shipped
from studio.actions.studies import create_study
from studio.errors import StudioError
from studio.exchange.export_tables import rows_of
from studio.gui.dialogs.study_results import StudyResults
from studio.model.answers import AnswerKind, Preference
from studio.model.studies import AnswerUnit, RankingRule, StudyKind
from studio.sessions.pairs import STRENGTHS
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import quality as quality_store
from studio.store.project import Project
from tests.gui.projects import make_project
from tests.gui.studies import SYSTEMS, alt, ctrl, open_on, press, shown_instance, shown_window, texts

K = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def window(app_theme, settings):
    with shown_window(app_theme, settings) as made:
        yield made


@pytest.fixture
def opened(qtbot, window, tmp_path):
    """Return what opens a page on a project with one study of a kind, whose rules are given."""

    def make(kind: StudyKind, *, page: str = "rank", systems=SYSTEMS[:4], instances: int = 1, slides: int = 2,
             before: Any = None, **rules: Any):  # fmt: skip
        folder = tmp_path / "study"
        with make_project(folder, instances=instances, systems=systems, slides=slides) as project:
            study, _ = create_study(project, "The study", kind, **rules)
            if before is not None:
                before(project, study)
        return open_on(qtbot, window, folder, page)

    return make


def rows(folder: Path, table: str) -> list[dict[str, Any]]:
    with Project.open(folder) as project:
        return list(rows_of(project, table))


def shown(qtbot, page, *keys) -> None:
    with qtbot.waitSignal(page.instance_shown):
        press(*keys)


def finished(qtbot, page, *keys) -> None:
    with qtbot.waitSignal(page.finished):
        press(*keys)


# pairs


def test_that_pairs_are_answered_by_one_key_and_exported_by_deck(qtbot, opened, window, tmp_path):
    page = opened(StudyKind.PAIRWISE, systems=SYSTEMS[:3])
    keys = (K.Key_A, K.Key_B, K.Key_E)
    wanted = {}
    for number, key in enumerate(keys):
        left, right = page._open.session.units
        assert [deck.name for deck in page.stage.decks] == ["A", "B"]
        better = {K.Key_A: left, K.Key_B: right, K.Key_E: None}[key]
        wanted[page._open.session.item_key] = better
        press(key)
        (shown if number < 2 else finished)(qtbot, page, K.Key_Return)
    window.close()
    found = {}
    for row in rows(tmp_path / "study", "pairs"):
        better = {"a": row["deck_a"], "b": row["deck_b"], "tie": None}[row["preference"]]
        found[f"{row['deck_a']}|{row['deck_b']}"] = better
    assert found == wanted


def test_that_the_same_side_again_says_by_how_much(opened, window):
    page = opened(StudyKind.PAIRWISE, systems=SYSTEMS[:3])
    press(K.Key_A)
    assert page._open.session.state.strength is None
    press(K.Key_A, K.Key_A)
    assert STRENGTHS[page._open.session.state.strength] == "clearly"
    assert page.pair_board.strengths[2].isChecked()
    press(K.Key_X)
    assert page._open.session.shown_preference is Preference.BOTH_BAD
    press(ctrl(K.Key_Z))
    assert page._open.session.state.strength == 2
    press(K.Key_2)
    assert page._open.session.shown_preference is Preference.B


def test_that_an_unanswered_pair_is_not_submitted(opened, window):
    page = opened(StudyKind.PAIRWISE, systems=SYSTEMS[:3])
    press(K.Key_Return)
    assert answer_store.events_of(window.context.project, AnswerKind.PAIR) == []
    assert "Which one is better?" in page.board.missing.full_text() + page.board.missing_above.full_text()


def test_that_single_slides_are_compared(opened, window):
    page = opened(StudyKind.PAIRWISE, systems=SYSTEMS[:2], unit=AnswerUnit.SLIDE, slides=3)
    number = next(iter(page._open.slides.values()))
    assert set(page._open.slides.values()) == {number}
    assert [page.stage.viewing.slide(deck) for deck in page.stage.viewing.decks] == [number, number]
    press(K.Key_A)
    (event,) = answer_store.events_of(window.context.project, AnswerKind.PAIR)
    assert event.item_key.count(f"#{number}") == 2


def test_that_keys_of_pairs_do_nothing_while_a_note_is_typed(opened, window):
    page = opened(StudyKind.PAIRWISE, systems=SYSTEMS[:3])
    press(K.Key_C)
    QTest.keyClicks(page.board.note, "abex 1 2")
    assert page._open.session.state.preference is None
    assert page.board.note.toPlainText() == "abex 1 2"


# best and worst


def test_that_best_and_worst_of_four_are_chosen_by_keys(qtbot, opened, window):
    page = opened(StudyKind.BEST_WORST)
    press(K.Key_2, K.Key_B, K.Key_4, K.Key_W)
    units = page._open.session.units
    assert (page._open.session.state.best, page._open.session.state.worst) == (units[1], units[3])
    assert page.four_board.best[1].isChecked()
    finished(qtbot, page, K.Key_Return)
    events = answer_store.events_of(window.context.project, AnswerKind.BEST_WORST)
    assert [event.verb for event in events] == ["best", "worst", "submit"]


# ranking by comparison


def by_worth(page, worth: dict[str, int]) -> int:
    """Answer every question by what the decks are worth, and return how many there were."""
    asked = 0
    while (question := page.question()) is not None:
        press(K.Key_A if worth[question.first] > worth[question.second] else K.Key_B)
        asked += 1
    return asked


def test_that_questions_fill_the_ranking_and_it_is_exported_as_one_by_comparison(qtbot, opened, window, tmp_path):
    page = opened(StudyKind.RANK, systems=SYSTEMS)
    press(K.Key_Q)
    assert len(page.stage.decks) == 2
    worth = {deck: number for number, deck in enumerate(sorted(page._open.session.display))}
    asked = by_worth(page, worth)
    assert asked <= 8
    assert page._open.session.state.ranks == {deck: 5 - number for deck, number in worth.items()}
    finished(qtbot, page, K.Key_Return)
    window.close()
    found = rows(tmp_path / "study", "rankings")
    assert {row["rank_method"] for row in found} == {"comparison"}
    assert {row["deck_id"]: row["rank"] for row in found} == {deck: 5 - number for deck, number in worth.items()}


def test_that_a_comparison_goes_on_where_it_stopped_after_a_restart(
    qtbot, opened, window, tmp_path, app_theme, settings
):  # fmt: skip
    page = opened(StudyKind.RANK)
    press(K.Key_Q, K.Key_A, K.Key_B)
    question = page.question()
    window.close()
    with shown_window(app_theme, settings) as again:
        page = open_on(qtbot, again, tmp_path / "study", "rank")
        assert page.board is page.question_board
        assert page.question() == question
        press(ctrl(K.Key_Z))
        assert len(page._open.session.state.comparisons) == 1


def test_that_a_contradiction_is_shown_and_repaired_by_keys(opened, window):
    page = opened(StudyKind.RANK)
    press(K.Key_Q)
    by_worth(page, {deck: -number for number, deck in enumerate(page._open.session.display)})
    assert page._open.session.state.ranks == {deck: n for n, deck in enumerate(page._open.session.display, start=1)}
    press(K.Key_K)
    question = page.question()
    ranks = page._open.session.state.ranks
    worse_side = K.Key_B if ranks[question.first] < ranks[question.second] else K.Key_A
    press(worse_side)
    assert "contradict" in page.question_board.conflict.text()
    assert page._open.session.state.ranks == {}
    press(K.Key_Return)
    assert page._open.session.state.status.value == "draft"
    press(K.Key_R)
    assert page.question() == question
    press(K.Key_A if worse_side == K.Key_B else K.Key_B)
    assert page.question_board.conflict.isHidden()
    assert page._open.session.state.ranks == ranks


def test_that_gaps_and_the_best_k_follow_the_rules_of_the_study(opened, window):
    page = opened(StudyKind.RANK, rule=RankingRule.TOP_K, top_k=2, graded_gaps=True)
    press(ctrl(K.Key_1), K.Key_1, ctrl(K.Key_2), K.Key_2, ctrl(K.Key_1), (SHIFT, K.Key_T))
    assert page._open.session.slots[0].has_large_gap
    assert page.heading.full_text() == "Rank the best 2 of the four decks by overall quality"
    assert page.board.submit.isEnabled()


@pytest.mark.parametrize("kind", [StudyKind.RANK, StudyKind.BEST_WORST])
def test_that_the_question_stands_whole_above_the_decks_whatever_stands_beside_it(opened, kind):
    def more(project, _study):
        create_study(project, "整体印象：内容、设计与连贯性，第二轮（复核）", StudyKind.RANK)

    page = opened(kind, before=more, instances=12)
    assert page.heading.shown_text() == page.heading.full_text()
    assert "mine 0/" in page.facts.shown_text()
    page.work.filter.show()
    QApplication.processEvents()
    assert page.heading.shown_text() == page.heading.full_text()
    page.work.filter.hide()
    QApplication.processEvents()
    assert "Sync: slide + zoom" in page.work.sync_button.accessibleName()


def test_that_a_move_is_said_aloud(opened, window):
    page = opened(StudyKind.RANK)
    press(ctrl(K.Key_1), K.Key_1, ctrl(K.Key_2), K.Key_2, K.Key_T)
    assert page.board.live.text() == "B is 1 of 4, tied with A"
    press(K.Key_Backspace)
    assert page.board.live.text() == "B unranked"


# ratings


def test_that_scales_are_rated_by_digits_and_exported(qtbot, opened, window, tmp_path):
    page = opened(StudyKind.RATE, page="rate", systems=SYSTEMS[:2], scale_set="reflex")
    deck = page._open.assignment.deck_ids[0]
    press(K.Key_4, K.Key_5, K.Key_3)
    press(K.Key_Return)
    assert "1 scale open: Flow" in page.board.missing.full_text() + page.board.missing_above.full_text()
    press(K.Key_2, K.Key_Up, K.Key_1)
    assert page._open.session.state.values == {"coverage": 4, "redundancy": 5, "alignment": 1, "flow": 2}
    shown(qtbot, page, K.Key_Return)
    assert page._open.session.state.values == {}
    window.close()
    found = {row["dimension"]: row for row in rows(tmp_path / "study", "ratings") if row["deck_id"] == deck}
    assert {name: row["value"] for name, row in found.items()} == {
        "coverage": 4, "redundancy": 5, "alignment": 1, "flow": 2,
    }  # fmt: skip
    assert (found["flow"]["scale_low"], found["flow"]["scale_high"], found["flow"]["scale_set"]) == (1, 5, "reflex")


def test_that_a_point_that_a_scale_has_not_is_refused(opened, window):
    page = opened(StudyKind.RATE, page="rate", systems=SYSTEMS[:2], scale_set="ppteval")
    press(K.Key_7, K.Key_0)
    assert page._open.session.state.values == {}
    press(K.Key_3, K.Key_Up, K.Key_Backspace)
    assert page._open.session.state.values == {}


def test_that_an_explanation_is_rated_without_its_writer(qtbot, opened, window, tmp_path):
    def plan(project, study):
        person = people_store.annotator_named(project, "ann")
        deck = deck_store.list_decks(project)[0].id
        said = [
            Explanation(deck_id=deck, metric="coverage", text="Slide 2 lacks the second topic.", written_by="judge-x",
                        known_defect="topic removed"),
            Explanation(deck_id=deck, metric="flow", text="Order 1, 3, 2.", written_by="Ms Writer"),
        ]  # fmt: skip
        plan_explanations(project, study, said, [person.id])

    page = opened(StudyKind.RATE, page="rate", systems=SYSTEMS[:2], scale_set="usefulness", before=plan)
    seen = texts(page)
    assert page.rate_board.explanation.text() in {"Slide 2 lacks the second topic.", "Order 1, 3, 2."}
    assert not [word for word in ("judge-x", "Ms Writer", "topic removed") if word in seen]
    press(K.Key_5)
    shown(qtbot, page, K.Key_Return)
    press(K.Key_1)
    finished(qtbot, page, K.Key_Return)
    window.close()
    found = rows(tmp_path / "study", "ratings")
    assert sorted(row["value"] for row in found) == [1, 5]
    assert {row["target"] for row in found} == {"explanation"}
    assert len({row["target_id"] for row in found}) == 2


# guidelines and training


def test_that_guidelines_open_beside_the_decks_and_say_what_is_new(qtbot, opened, window):
    page = opened(StudyKind.RANK, before=lambda project, study: use_shipped(project, study))
    project = window.context.project
    press(K.Key_F1)
    assert page.drawer.isVisible()
    assert "Harmony" in page.drawer.text.toPlainText()
    person = page._desk.person.id
    qtbot.waitUntil(lambda: quality_store.last_read(project, person) == "studio-1-en")
    press(ctrl(K.Key_1), K.Key_1)
    assert page._open.session.state.ranks != {}
    assert answer_store.events_of(project, AnswerKind.RANKING)[-1].guidelines_version == "studio-1-en"
    press(K.Key_Escape)
    assert page.drawer.isHidden()


def test_that_the_training_opens_the_study(qtbot, opened_training, window):
    page = opened_training
    answers = {item.id: item.options.index(item.answer) for item in page._desk.training_items}
    digits = (K.Key_1, K.Key_2, K.Key_3)
    first = page.training.item
    wrong = next(number for number in range(3) if number != answers[first.id])
    press(digits[wrong])
    qtbot.waitUntil(lambda: page.training.reply.isVisible())
    assert page.training.reply.text() == "✗ Not right. 1 try left."
    for _ in answers:
        item = page.training.item
        press(digits[answers[item.id]])
        qtbot.waitUntil(lambda: page.training.go_on.isVisible())
        assert item.explanation in page.training.reply.text()
        if page.training._result.is_passed:
            break
        press(K.Key_Return)
    shown(qtbot, page, K.Key_Return)
    assert len(page.stage.decks) == 4


@pytest.fixture
def opened_training(qtbot, window, tmp_path):
    folder = tmp_path / "study"
    with make_project(folder, instances=1, systems=SYSTEMS[:4]) as project:
        study, _ = create_study(project, "The study", StudyKind.RANK)
        use_shipped(project, study, with_training=True)
    with qtbot.waitSignal(window.project_opened):
        window.open_folder(folder, page="rank")
    page = window.page("rank")
    if page._layers.currentWidget() is not page.training:
        with qtbot.waitSignal(page.training_shown):
            pass
    return page


# what was looked at


def test_that_slides_looked_at_are_stored_and_a_study_can_ask_for_them(qtbot, opened, window, monkeypatch, tmp_path):
    page = opened(StudyKind.RANK, systems=SYSTEMS[:2], needs_all_slides_seen=True)
    now = [100.0]
    monkeypatch.setattr(page._open.looking, "_monotonic", lambda: now[0])
    page._open.looking._since = now[0]
    press(ctrl(K.Key_1), K.Key_1, ctrl(K.Key_2), K.Key_2)
    now[0] += 2
    press(K.Key_Return)
    assert page._open.session.missing == "2 slides not seen: A 2, B 2"
    assert page.stage.viewing.position == 2
    now[0] += 3
    press(K.Key_S)
    now[0] += 1
    finished(qtbot, page, K.Key_Return)
    window.close()
    found = {(row["deck_id"], row["slide"]): row for row in rows(tmp_path / "study", "views")}
    assert len(found) == 5
    assert found[None, None]["source_opened_s"] == 1
    assert {row["seen_s"] for (deck, slide), row in found.items() if slide == 2} == {4}


def test_that_what_was_looked_at_never_holds_an_answer_up(qtbot, opened, window, monkeypatch):
    def refuse(*_args):
        raise StudioError("The disk is full.")

    page = opened(StudyKind.RANK, systems=SYSTEMS[:2])
    monkeypatch.setattr(quality_store, "add_views", refuse)
    press(ctrl(K.Key_1), K.Key_1, ctrl(K.Key_2), K.Key_2)
    page.looking.flush()
    finished(qtbot, page, K.Key_Return)


# blindness


def test_that_an_annotators_window_names_no_system_file_or_other_person(qtbot, opened, window, caplog):
    def others(project, study):
        people_store.annotator_named(project, "Other Person")

    systems = ("SystemAlpha", "SystemBeta", "SystemGamma", "SystemDelta")
    page = opened(StudyKind.RANK, systems=systems, before=others)
    press(ctrl(K.Key_1), K.Key_1, K.Key_S, ctrl(K.Key_F))
    QTest.keyClicks(page.source.search, "SystemAlpha")
    with qtbot.waitSignal(page.source.searched):
        press(K.Key_Return)
    found = texts(window).replace(page.source.search.text(), "")
    press(K.Key_Escape, K.Key_Escape)
    press(K.Key_G)
    found += texts(window)
    press(K.Key_Escape, K.Key_X, K.Key_N)
    found += texts(window)
    press(alt(K.Key_1))
    assert window.current_page_id() == "compare"
    compare = window.page("compare")
    if not compare.place().get("instance"):
        with qtbot.waitSignal(compare.instance_shown):
            pass
    found += texts(window) + window.windowTitle() + "\n".join(record.getMessage() for record in caplog.records)
    secrets = [*systems, *(f"{system}.pptx" for system in systems), "Other Person"]
    assert [secret for secret in secrets if secret in found] == []
    assert set(window.page_titles()) == {"compare", "rank", "rate"}


# filters


def test_that_filtering_keeps_the_draft_and_the_place(qtbot, opened, window):
    page = opened(StudyKind.RANK, instances=3)
    press(ctrl(K.Key_1), K.Key_2)
    before = (page._open, page._open.session.state)
    press((Qt.KeyboardModifier.ControlModifier | SHIFT, K.Key_F))
    desk = page._desk
    QTest.keyClicks(QApplication.focusWidget(), "instance 3")
    qtbot.waitUntil(lambda: page._desk is not desk and len(page._desk.queue.items) == 1)
    assert (page._open, page._open.session.state) == before


# for the author


def test_that_the_author_sees_how_known_answers_went_and_an_annotator_has_no_such_action(
    qtbot, tmp_path, app_theme, settings
):
    folder = tmp_path / "study"
    with make_project(folder, instances=1, systems=SYSTEMS[:3]) as project:
        study, _ = create_study(project, "The study", StudyKind.RANK)
        instance = deck_store.list_instances(project)[0].id
        set_known_order(project, study, instance, ["alpha", "beta", "gamma"])
    with shown_window(app_theme, settings, role="author") as window:
        page = open_on(qtbot, window, folder, "rank")
        order = [f"d_{shown_instance(page)}_{system}" for system in SYSTEMS[:3]]
        for rank, deck in zip((K.Key_1, K.Key_2, K.Key_3), order, strict=True):
            page.stage.focus(deck)
            press(rank)
        finished(qtbot, page, K.Key_Return)
        assert window.shortcuts.trigger("rank.results")
        qtbot.waitUntil(lambda: window.findChild(StudyResults) is not None)
        dialog = window.findChild(StudyResults)
        (row,) = dialog.model.rows()
        assert (row["annotator"], row["gold"], row["gold_right"], row["self_agreement"]) == ("ann", 1, 1, None)
        dialog.close()
    with shown_window(app_theme, settings) as window:
        open_on(qtbot, window, folder, "compare")
        assert not [action.id for action in window.shortcuts.all() if action.id.endswith(".results")]


# names and languages


def test_that_names_with_commas_quotes_and_chinese_come_back_exactly(qtbot, window, tmp_path):
    systems = ("A,B", "x=y", "模型 一", '"q"')
    folder = tmp_path / "研究, «один» 📊"
    make_project(folder, instances=1, systems=systems).close()
    page = open_on(qtbot, window, folder, "rank")
    wanted = dict(zip(page._open.session.display, (3, 1, 4, 2), strict=True))
    for place, key in enumerate((K.Key_3, K.Key_1, K.Key_4, K.Key_2)):
        page.stage.focus_place(place)
        press(key)
    press(K.Key_C)
    note = 'Zeile 1\n"two", 三; 🎯'
    page.board.note.insertPlainText(note)
    press(K.Key_Escape)
    finished(qtbot, page, K.Key_Return)
    window.close()
    found = rows(folder, "rankings")
    assert {row["deck_id"]: row["rank"] for row in found} == wanted
    assert {row["system"] for row in found} == set(systems)
    with Project.open(folder) as project:
        assert answer_store.events_of(project, AnswerKind.RANKING)[-1].state["note"] == note


def test_that_nothing_of_one_rating_appears_in_the_next(qtbot, opened, window):
    page = opened(StudyKind.RATE, page="rate", systems=SYSTEMS[:2], scale_set="reflex")
    press(K.Key_4, K.Key_F, K.Key_C)
    QTest.keyClicks(page.board.note, "half a thou")
    press((Qt.KeyboardModifier.NoModifier, K.Key_Escape))
    shown(qtbot, page, K.Key_Right)
    assert page._open.session.state.values == {}
    assert page.board.note.toPlainText() == ""
    assert page.board.note.isHidden()
    assert not page.board.flag_button.isChecked()
    assert page._scale == "coverage"
    shown(qtbot, page, K.Key_Left)
    assert page._open.session.state.values == {"coverage": 4}
    assert page.board.note.toPlainText() == "half a thou"
