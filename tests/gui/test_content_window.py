"""The content of a deck, opened from Compare by keyboard: a slide moved, one shown twice, images swapped, a section
left out."""

from __future__ import annotations

import json
import threading

import pytest
from pptx import Presentation
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from studio.actions.lab import decks_of_project, make_lab
from studio.decks import libreoffice, workers
from studio.decks.render import find_tools
from studio.dev.worse_talk import ORDER, PRIVACY, SWAPPED, TALK, source_text, write_talk
from studio.gui.widgets.suggestion_list import MOST_UNSURE
from studio.model.reflex import ContentMetric
from studio.store import decks as deck_store
from studio.store.project import Project
from tests.gui.projects import add_deck, add_instance, add_source, make_project
from tests.gui.studies import open_on, press, shown_window

K = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def study(tmp_path):
    project = make_project(tmp_path / "study", instances=0)
    instance = add_instance(project, "talk")
    add_source(project, instance.id, text=source_text())
    deck_id = add_deck(project, instance.id, "alpha", slides=len(ORDER))
    deck = next(deck for deck in deck_store.list_decks(project) if deck.id == deck_id)
    write_talk(project.asset_path(deck.asset, deck.extension), ORDER, SWAPPED)
    project.close()
    return tmp_path / "study"


@pytest.fixture
def window(app_theme, settings):
    with shown_window(app_theme, settings, role="engineer") as made:
        yield made


def make_lab_of(study, folder):
    """A lab with one ladder of repeats, made as the terminal makes it."""
    with Project.open(study) as project:
        decks = decks_of_project(project)
    make_lab(folder, decks, seed=0, defects=[ContentMetric.REDUNDANCY], emit=lambda _: None, cancel=threading.Event())


def scored(qtbot, page):
    qtbot.waitUntil(lambda: page.content.window is not None and page.content.window.content is not None, timeout=60_000)
    return page.content.window


def suggestions(content, metric):
    return next(score for score in content.scores if score.metric is metric).suggestions


def test_that_a_repeat_swapped_images_and_a_moved_slide_are_found_and_told(qtbot, window, study, tmp_path):
    page = open_on(qtbot, window, study, "compare")
    press((SHIFT, K.Key_C))
    opened = scored(qtbot, page)
    content = opened.content
    assert [(each.slide, each.other) for each in suggestions(content, ContentMetric.REDUNDANCY)] == [(12, 6)]
    assert {3, 8} <= {each.slide for each in suggestions(content, ContentMetric.ALIGNMENT)}
    assert 4 in {each.slide for each in suggestions(content, ContentMetric.FLOW)}
    assert 12 not in content.order
    line = next(each for each in opened.lines.all_lines() if each.suggestion.slide == 12)
    opened.lines.setFocus()
    opened.lines.go_to(line)
    # What it rests on is to be seen, not only told: both slides side by side, with the figure.
    assert [slide.number for slide in opened.evidence.strip.model().slides()] == [12, 6]
    assert opened.evidence.figure.text().startswith("Similarity 1.00")
    QTest.keyClick(opened.lines, K.Key_Return)
    assert page.stage.viewing.slide(page.stage.focused) == 12
    before = {path: path.stat().st_mtime_ns for path in study.rglob("*.pptx")}
    QTest.keyClick(opened, K.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(opened.preview.isVisible, timeout=10_000)
    assert [slide.number for slide in opened.strip.model().slides()] == list(content.order)
    assert {path: path.stat().st_mtime_ns for path in study.rglob("*.pptx")} == before
    out = tmp_path / "copy.pptx"
    opened.save_copy(out)
    qtbot.waitUntil(out.exists, timeout=60_000)
    titles = [slide.shapes.title.text for slide in Presentation(out).slides]
    assert titles == [TALK[ORDER[number - 1]][1] for number in content.order]
    QTest.keyClick(opened, K.Key_Escape)
    assert not opened.isVisible()


def test_that_a_section_that_was_left_out_is_found_and_no_other(qtbot, window, study):
    page = open_on(qtbot, window, study, "compare")
    press((SHIFT, K.Key_C))
    opened = scored(qtbot, page)
    assert [each.topic for each in suggestions(opened.content, ContentMetric.COVERAGE)] == [PRIVACY[0]]
    assert any(f"Add: {PRIVACY[0]}" in words for words in opened.lines.words())
    line = next(each for each in opened.lines.all_lines() if each.suggestion.topic == PRIVACY[0])
    topics = []
    opened.topic_picked.connect(topics.append)
    opened.lines.go_to(line)
    assert "cameras blur faces" in opened.evidence.section.text()
    QTest.keyClick(opened.lines, K.Key_Return)
    assert topics == [PRIVACY[0]]


def test_that_what_is_less_sure_is_folded_and_short(qtbot, window, study):
    # In the talk with a moved slide nothing is in doubt. In the talk as it was, some slide might stand elsewhere.
    with Project.open(study) as project:
        deck = deck_store.list_decks(project)[0]
        write_talk(project.asset_path(deck.asset, deck.extension), range(len(TALK)))
    page = open_on(qtbot, window, study, "compare")
    press((SHIFT, K.Key_C))
    opened = scored(qtbot, page)
    unsure = opened.lines.unsure
    assert unsure is not None
    assert not unsure.isExpanded()
    assert unsure is opened.lines.topLevelItem(opened.lines.topLevelItemCount() - 1)
    assert unsure.childCount() <= MOST_UNSURE + 1
    opened.lines.setCurrentItem(unsure)
    QTest.keyClick(opened.lines, K.Key_Space)
    assert unsure.isExpanded()


def test_that_one_line_alone_can_be_applied(qtbot, window, study, tmp_path):
    page = open_on(qtbot, window, study, "compare")
    press((SHIFT, K.Key_C))
    opened = scored(qtbot, page)
    assert opened.order == opened.content.order
    moves = [line for line in opened.lines.chosen() if line.metric is ContentMetric.FLOW]
    assert moves
    for line in moves:
        opened.lines.go_to(line)
        QTest.keyClick(opened.lines, K.Key_Space)
    # Only the repeat is left out now: every other slide stays where it was.
    wanted = [number for number in range(1, len(ORDER) + 1) if number != 12]
    assert list(opened.order) == wanted
    QTest.keyClick(opened, K.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(opened.preview.isVisible, timeout=10_000)
    out = tmp_path / "one.pptx"
    opened.save_copy(out)
    qtbot.waitUntil(out.exists, timeout=60_000)
    titles = [slide.shapes.title.text for slide in Presentation(out).slides]
    assert titles == [TALK[ORDER[number - 1]][1] for number in wanted]
    # With nothing ticked there is nothing to save.
    opened.lines.choose([])
    assert not opened.save.isEnabled()
    assert not opened.apply.isEnabled()


def test_that_a_judge_sums_sections_up_after_its_price_is_shown_and_can_be_put_aside(qtbot, window, study, tmp_path):
    script = tmp_path / "judge.json"
    lines = [{"text": "(?s).*Privacy of residents.*", "reply": {"summary": "Faces are blurred."}},
             {"text": ".", "reply": {"summary": "A section."}}]  # fmt: skip
    script.write_text(json.dumps({"format": "podium scripted judge", "lines": lines}), "utf-8")
    page = open_on(qtbot, window, study, "compare")
    page.content.open_summaries()
    opened = page.content.summaries
    qtbot.waitUntil(lambda: opened.found is not None, timeout=20_000)
    own = {row.title: row.summary for row in opened.model.rows()}
    assert PRIVACY[0] in own
    assert not opened.start.isEnabled()
    with qtbot.waitSignal(opened.priced, timeout=20_000):
        opened.judge.setEditText("openai:")
    assert not opened.start.isEnabled()
    with qtbot.waitSignal(opened.priced, timeout=20_000):
        opened.judge.setEditText(f"scripted:{script}")
    assert f"{len(own)} calls" in opened.price.text()
    opened.judge.setFocus()
    QTest.keyClick(opened.judge, K.Key_Return, Qt.KeyboardModifier.ControlModifier)
    with qtbot.waitSignal(opened.shown, timeout=60_000):
        pass
    told = {row.title: (row.summary, row.written_by) for row in opened.model.rows()}
    assert told[PRIVACY[0]][0] == "Faces are blurred."
    assert all(who.startswith("scripted:") for _, who in told.values())
    QTest.keyClick(opened.own, K.Key_Space)
    qtbot.waitUntil(lambda: {row.title: row.summary for row in opened.model.rows()} == own, timeout=20_000)
    # The same judge again costs nothing.
    with qtbot.waitSignal(opened.priced, timeout=20_000):
        opened.judge.setEditText(f"scripted:{script} ")
    assert "0 calls" in opened.price.text()


def test_that_the_papers_tables_say_what_is_there_and_what_is_missing(qtbot, window, study, tmp_path):
    page = open_on(qtbot, window, study, "compare")
    page.content.open_paper()
    opened = page.content.paper
    with qtbot.waitSignal(opened.shown, timeout=60_000):
        pass
    names = [opened.tabs.tabText(number) for number in range(opened.tabs.count())]
    assert [name.partition(" · ")[0] for name in names] == [
        "Table 1", "Table 2", "Table 3", "Table 4", "Table 5", "Figure 3", "Figure 4",
    ]  # fmt: skip
    assert opened.copy.isEnabled()
    opened.copy.menu().actions()[2].trigger()
    assert r"\begin{tabular}" in QGuiApplication.clipboard().text()
    opened.tabs.setCurrentIndex(2)
    assert not opened.copy.isEnabled()
    opened.save_to(tmp_path / "tables")
    qtbot.waitUntil(lambda: opened.said.full_text().startswith("Saved"), timeout=20_000)
    assert (tmp_path / "tables" / "reflex-figure-3.svg").read_text("utf-8").startswith("<svg")
    assert (tmp_path / "tables" / "reflex-1.tex").is_file()


@pytest.mark.timeout(400)
def test_that_the_lab_of_a_deck_shows_who_notices_what(qtbot, window, study, tmp_path):
    page = open_on(qtbot, window, study, "compare")
    press((SHIFT, K.Key_C))
    opened = scored(qtbot, page)
    qtbot.waitUntil(opened.isActiveWindow, timeout=20_000)
    QTest.keyClick(opened, K.Key_L, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: page.content.lab is not None, timeout=20_000)
    lab = page.content.lab
    qtbot.waitUntil(lambda: lab.states.currentWidget() is lab.empty and lab.isActiveWindow(), timeout=20_000)
    lab.looks.setChecked(False)
    lab.content.setChecked(False)
    lab.repeats.setValue(1)
    lab.repeats.setFocus()
    QTest.keyClick(lab.repeats, K.Key_Return, Qt.KeyboardModifier.ControlModifier)
    # Qt shows the button pressed for a moment before it clicks it.
    qtbot.waitUntil(lambda: lab.start.text() == "Stop", timeout=20_000)
    assert lab.start.shortcut().toString() == "Ctrl+Return"
    qtbot.waitUntil(lambda: lab.table is not None, timeout=90_000)
    rows = {row.evaluator: row for row in lab.table.rows}
    found = rows["length.few"].by_defect[ContentMetric.REDUNDANCY]
    assert [each.lower for each in found.degrees] == [1, 1, 1, 1]
    # One ladder cannot tell noticing from chance; how a file is built does not change with what its slides say.
    assert found.is_noticed is None
    assert rows["editability.pei"].by_defect[ContentMetric.FLOW].undefined_reason == "constant"
    assert lab.model.rowCount() == len(lab.table.rows)
    assert lab.plot.grab().toImage().size().isValid()
    before = lab.lab_folder()
    assert (before / "project.db").is_file()
    # Ticked alone, the deck has the lab that it had before; with nothing ticked there is none.
    lab.which.setCurrentIndex(lab.which.findData("chosen"))
    qtbot.waitUntil(lambda: lab.states.currentWidget() is lab.empty, timeout=20_000)
    assert not lab.judges.price.isEnabled()
    lab.decks.setData(lab.decks.index(0), Qt.CheckState.Checked.value, Qt.ItemDataRole.CheckStateRole)
    qtbot.waitUntil(lambda: lab.table is not None, timeout=20_000)
    assert lab.lab_folder() == before
    QTest.keyClick(lab, K.Key_Escape)
    assert not lab.isVisible()


@pytest.mark.timeout(600)
def test_that_a_judge_is_asked_in_the_lab_after_its_price_was_seen(qtbot, window, study, tmp_path):
    if find_tools().libreoffice is None:
        pytest.skip("LibreOffice is not installed, and judges are shown rendered decks")
    script = tmp_path / "judge.json"
    lines = [{"text": ".", "reply": {"reason": "12. Sensor network", "score": 4}}]
    script.write_text(json.dumps({"format": "podium scripted judge", "lines": lines}), "utf-8")
    page = open_on(qtbot, window, study, "compare")
    page.content.open_lab()
    lab = page.content.lab
    lab.show_deck(page.stage.focused, "alpha")
    make_lab_of(study, lab.lab_folder())
    lab.show_deck(page.stage.focused, "alpha")
    qtbot.waitUntil(lambda: lab.table is not None, timeout=60_000)
    try:
        lab.judges.judge.setEditText(f"scripted:{script}")
        assert not lab.judges.ask.isEnabled()
        QTest.keyClick(lab.judges.price, K.Key_Space)
        qtbot.waitUntil(lab.judges.ask.isEnabled, timeout=300_000)
        # Five files, four criteria each.
        assert lab.judges.words.full_text().startswith("20 calls")
        QTest.keyClick(lab.judges.ask, K.Key_Space)
        qtbot.waitUntil(lambda: any(row.evaluator.endswith("fewshot.flow") for row in lab.table.rows), timeout=60_000)
    finally:
        libreoffice.shutdown()
        workers.shutdown()
    assert {row.by_defect[ContentMetric.REDUNDANCY].undefined_reason for row in lab.table.rows
            if "fewshot" in row.evaluator} == {"constant"}  # fmt: skip


def test_that_the_model_card_shows_the_tables_and_saves_them(qtbot, window, study, tmp_path):
    page = open_on(qtbot, window, study, "compare")
    press((SHIFT, K.Key_C))
    opened = scored(qtbot, page)
    opened.more.menu().actions()[0].trigger()
    card = page.content.card
    qtbot.waitUntil(lambda: card.tables is not None, timeout=20_000)
    shown = [card.tabs.tabText(number) for number in range(card.tabs.count())]
    assert shown == ["Data", "Scores", "Sensitivity", "Mean score", "Explanations", "Defects", "Searched settings",
                     "Sensitivity plot", "Score plot"]  # fmt: skip
    card.save_to(str(tmp_path / "tables"))
    qtbot.waitUntil(lambda: card.said.full_text().startswith("Saved"), timeout=20_000)
    written = {path.name for path in (tmp_path / "tables").iterdir()}
    assert {"correlation.csv", "explanations.csv", "grid.csv", "sensitivity.svg"} <= written


def test_that_a_blind_viewer_has_no_way_to_it(qtbot, app_theme, settings, study):
    with shown_window(app_theme, settings, role="annotator") as blind:
        page = open_on(qtbot, blind, study, "compare")
        assert page.content_button.parent() is None
        assert "compare.content" not in {action.id for action in page.actions()}
        page.content.open()
        assert page.content.window is None
