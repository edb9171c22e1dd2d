"""Judges on the Runs page, by keyboard, against a server that speaks the wire format."""

from __future__ import annotations

import json
import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QLineEdit

from studio.actions import judge_keys, judge_names
from studio.gui.dialogs.password import PasswordDialog
from studio.gui.judging.new_judge_run import NewJudgeRun, PlannedUnits
from studio.gui.judging.prices_dialog import PricesDialog
from studio.gui.judging.xray import XrayWindow
from studio.gui.pages.runs import RunsPage
from studio.gui.widgets.slide_view import SlideState
from studio.judges.keys import KeySource
from studio.model.runs import RunState
from tests.fake_judge_server import KEY, FakeJudgeServer, Fault
from tests.gui import projects
from tests.gui.fake_project import fake_pages
from tests.gui.studies import window_of

K = Qt.Key
CTRL, CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier, (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
)  # fmt: skip
UNITS = 3 * 4
"""Three decks, four criteria of the rating protocol."""


def rated(call):
    return json.dumps({"reason": "Slide 2 is crowded.", "score": 1 + call.number % 10})


@pytest.fixture
def server():
    with FakeJudgeServer(answer=rated, key=None) as running:
        yield running


@pytest.fixture
def study(tmp_path):
    # Systems whose drawn slides differ: equal pictures would be one question.
    projects.make_project(tmp_path / "study", instances=1, slides=2, systems=("alpha", "beta", "omega")).close()
    return tmp_path / "study"


@pytest.fixture
def window(app_theme, settings):
    others = [page for page in fake_pages() if page.page_id in ("library", "compare")]
    with window_of(app_theme, settings, *others, RunsPage) as made:
        made.setProperty("quits_unasked", True)
        yield made


@pytest.fixture
def page(qtbot, window, study) -> RunsPage:
    with qtbot.waitSignal(window.project_opened):
        window.open_folder(study, page="runs")
    shown = window.page("runs")
    qtbot.waitUntil(lambda: shown.states.currentWidget() is not shown.loading)
    return shown


def type_into(field: QLineEdit, words: str) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, words)


def press(qtbot, window, key: Qt.Key, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
    """Press a key on the page, once the window is in front again."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.page("runs").table.setFocus()
    QTest.keyClick(window, key, modifiers)


def asked(qtbot, window, page, server, *, protocol: str = "rating") -> NewJudgeRun:
    """Open the dialog by its key and fill it in until a plan is shown."""
    press(qtbot, window, K.Key_J)
    dialog = page.judges.dialog
    qtbot.waitUntil(lambda: dialog.form.choice.instance.count() > 0)
    type_into(dialog.form.model, "m-1")
    type_into(dialog.form.address.lineEdit(), server.openai_url)
    dialog.form.protocol.setCurrentIndex(dialog.form.protocol.findData(protocol))
    qtbot.waitUntil(dialog.start.isEnabled)
    return dialog


def ended(qtbot, page, runs: int = 1) -> None:
    qtbot.waitUntil(
        lambda: len(page.runs.rows()) == runs and not page.runs.row(0).is_live and page.runs.row(0).run is not None
        and page._work is None and page.detail.units.units != []
    )  # fmt: skip


def run_to_the_end(qtbot, window, page, server, **more) -> None:
    dialog = asked(qtbot, window, page, server, **more)
    QTest.keyClick(dialog, K.Key_Return, CTRL)
    ended(qtbot, page)


def status_words(page) -> list[str]:
    return [page.detail.units.index(row, 1).data() for row in range(page.detail.units.rowCount())]


def test_that_a_run_is_configured_previewed_priced_and_started_by_keyboard(qtbot, window, page, server):
    dialog = asked(qtbot, window, page, server)
    assert dialog.count.text() == f"{UNITS} units to do · 0 done before · free"
    assert f"{UNITS} calls at least, {UNITS * 2} pictures" in dialog.details.text()
    assert server.n_calls == 0
    dialog.table.setFocus()
    QTest.keyClick(dialog.table, K.Key_Down)
    # The exact request of the chosen unit, with its pictures.
    qtbot.waitUntil(lambda: "The quality is **engagement**" in dialog.calls.words.toPlainText())
    assert "[deck slide 1] [deck slide 2]" in dialog.calls.words.toPlainText()
    qtbot.waitUntil(lambda: dialog.calls.slide.state is SlideState.SHOWN)
    QTest.keyClick(dialog, K.Key_PageDown)
    assert dialog.calls.caption.full_text() == "deck slide 2 · 2 of 2"
    type_into(dialog.search, "beta rhythm")
    assert [row.label for row in dialog.units.rows()] == ["instance-1 · beta · rhythm"]
    QTest.keyClick(dialog, K.Key_Return, CTRL)
    ended(qtbot, page)
    assert server.n_calls == UNITS
    assert page.runs.row(0).title == "openai:m-1/rating"
    assert (page.runs.row(0).cost, page.runs.row(0).state) == ("free", RunState.DONE)
    # What is previewed is what is sent.
    assert any("The quality is **engagement**" in call.text for call in server.calls)


def test_that_a_unit_shows_its_verdict_request_and_raw_reply(qtbot, window, page, server):
    run_to_the_end(qtbot, window, page, server)
    qtbot.waitUntil(lambda: all(re.fullmatch(r"\d+", words) for words in status_words(page)))
    page.detail.table.setFocus()
    QTest.keyClick(page.detail.table, K.Key_Down)
    QTest.keyClick(page.detail.table, K.Key_Down)
    qtbot.waitUntil(lambda: "Slide 2 is crowded." in page.calls.reply.toPlainText())
    # The slide that the judge names comes first.
    assert page.calls.caption.full_text() == "deck slide 2 · 2 of 2"
    page.calls.raw.setFocus()
    QTest.keyClick(page.calls.raw, K.Key_Space)
    assert json.loads(page.calls.reply.toPlainText())["model"] == "m-1-001"
    QTest.keyClick(page.detail.table, K.Key_Return)
    xray = page.judges.xray
    qtbot.waitUntil(lambda: "Slide 2 is crowded." in xray.calls.reply.toPlainText())
    assert xray.facts.full_text().startswith("openai:m-1 · rating")
    QTest.keyClick(xray, K.Key_Return, CTRL)
    assert window.page("compare").told[-1]["instance"] == "i_instance-1"
    xray.close()


def test_that_units_are_filtered_by_class_of_failure_and_only_those_are_retried(qtbot, window, page, server):
    server.rule = lambda call: {2: Fault.BAD_REQUEST, 5: Fault.BLOCKED_REPLY, 6: Fault.BAD_REQUEST}.get(
        call.number, Fault.NONE
    )
    run_to_the_end(qtbot, window, page, server)
    group = page.detail.group
    assert [group.itemText(number) for number in range(group.count())] == [
        f"All {UNITS}", f"✓ done · {UNITS - 3}", "✗ no reply: bad request · 2", "? refused · 1",
    ]  # fmt: skip
    group.setFocus()
    QTest.keyClick(group, K.Key_Down)
    QTest.keyClick(group, K.Key_Down)
    assert page.detail.units.rowCount() == 2
    page.detail.table.setFocus()
    page.detail.table.selectRow(0)
    # Nothing came back, and still it shows what was asked.
    qtbot.waitUntil(lambda: "HTTP 400" in page.calls.reply.toPlainText())
    assert "You rate one quality" in page.calls.words.toPlainText()
    type_into(page.detail.search, "no such deck")
    qtbot.waitUntil(lambda: page.detail.states.currentWidget() is page.detail.empty)
    assert page.detail.empty._title.text() == "No such unit"
    page.detail.search.clear()
    server.rule = None
    press(qtbot, window, K.Key_R)
    ended(qtbot, page, runs=2)
    assert page.runs.row(0).run.counts == {"ok": 3}
    assert server.n_calls == UNITS + 3


def test_that_a_pause_keeps_what_came_and_going_on_asks_the_rest(qtbot, window, page, server):
    def pausing(call):
        if call.number == 4:
            page.judges.pause()
        return rated(call)

    server.answer = pausing
    run_to_the_end(qtbot, window, page, server)
    assert page.runs.row(0).state is RunState.PAUSED
    assert page.detail.head.facts_label.full_text() == "paused by the user"
    first = server.n_calls
    assert first < UNITS
    qtbot.waitUntil(page.resume.isEnabled)
    press(qtbot, window, K.Key_G)
    ended(qtbot, page, runs=2)
    assert (page.runs.row(0).run.counts, server.n_calls) == ({"ok": UNITS - first}, UNITS)


def test_that_rate_spend_and_failed_calls_show_while_it_goes_on(qtbot, window, page, server):
    server.rule = lambda call: Fault.OVERLOADED if call.number == 1 else Fault.HANG if call.number == 10 else Fault.NONE
    dialog = asked(qtbot, window, page, server)
    type_into(dialog.form.tokens, "1,000,000")
    qtbot.waitUntil(dialog.start.isEnabled)
    QTest.keyClick(dialog, K.Key_Return, CTRL)
    qtbot.waitUntil(lambda: page.detail.units.rowCount() >= 3)
    facts = page.detail.head.facts_label.full_text
    qtbot.waitUntil(lambda: "1 server" in facts() and "of 1,000,000 tokens" in facts())
    assert "openai:m-1 · " in window.status_line.spend.full_text()
    assert page.pause.isVisible()
    # The call that hangs is freed by stopping.
    press(qtbot, window, K.Key_S)
    ended(qtbot, page)
    assert page.runs.row(0).state is RunState.CANCELLED


def test_that_a_sample_measures_the_price_and_its_replies_count(qtbot, window, page, server):
    dialog = asked(qtbot, window, page, server)
    assert "Estimated" in dialog.details.text()
    with qtbot.waitSignal(dialog.previewed):
        QTest.keyClick(dialog, K.Key_Return, CTRL_SHIFT)
    assert dialog.isVisible()
    qtbot.waitUntil(lambda: "Measured on 6 replies" in dialog.details.text())
    assert dialog.count.text() == f"{UNITS - 6} units to do · 6 done before · free"
    qtbot.waitUntil(dialog.start.isEnabled)
    QTest.keyClick(dialog, K.Key_Return, CTRL)
    ended(qtbot, page, runs=2)
    assert server.n_calls == UNITS


def test_that_stored_replies_are_read_again_without_a_call(qtbot, window, page, server):
    run_to_the_end(qtbot, window, page, server)
    qtbot.waitUntil(page.reread.isEnabled)
    press(qtbot, window, K.Key_R, Qt.KeyboardModifier.ShiftModifier)
    ended(qtbot, page, runs=2)
    assert page.runs.row(0).run.counts == {"ok": UNITS}
    assert server.n_calls == UNITS


def test_that_a_judge_is_kept_under_a_name_and_comes_back_with_it(qtbot, window, page, server):
    dialog = asked(qtbot, window, page, server)
    type_into(dialog.form.temperature, "0.5")
    dialog.save_as("Careful 细心")
    qtbot.waitUntil(lambda: dialog.form.saved.currentData() == "Careful 细心")
    QTest.keyClick(dialog, K.Key_Escape)
    qtbot.waitUntil(lambda: page.judges.dialog is None)
    (saved,) = judge_names.saved_judges(window.context.project)
    assert (saved.setup.model, saved.setup.base_url, saved.setup.settings) == (
        "m-1", server.openai_url, {"temperature": 0.5},
    )  # fmt: skip
    press(qtbot, window, K.Key_J)
    again = page.judges.dialog
    qtbot.waitUntil(lambda: again.form.model.text() == "m-1")
    assert again.form.temperature.text() == "0.5"
    again.form.forget.setFocus()
    QTest.keyClick(again.form.forget, K.Key_Space)
    qtbot.waitUntil(lambda: again.form.saved.count() == 1)
    assert judge_names.saved_judges(window.context.project) == []
    QTest.keyClick(again, K.Key_Escape)


def test_that_a_mistake_is_said_in_the_dialog_and_nothing_can_be_started(qtbot, window, page, server):
    dialog = asked(qtbot, window, page, server)
    for field, words, said in (
        (dialog.form.more, "coolness=3", "no setting coolness"),
        (dialog.form.usd, "some", "A budget in dollars cannot be some"),
        (dialog.form.temperature, "hot", "temperature cannot be hot"),
    ):
        type_into(field, words)
        qtbot.waitUntil(lambda said=said: said in dialog.details.text())
        assert not dialog.start.isEnabled()
        field.clear()
        qtbot.waitUntil(dialog.start.isEnabled)
    QTest.keyClick(dialog, K.Key_Escape)


def test_that_the_page_rule_is_the_projects(qtbot, window, page, server):
    dialog = asked(qtbot, window, page, server)
    assert dialog.form.pages.currentText() == "Cut at the instance's limit"
    with qtbot.waitSignal(dialog.previewed):
        dialog.form.pages.setFocus()
        QTest.keyClick(dialog.form.pages, K.Key_Down)
    from studio.actions.page_rule import PageRule, page_rule

    assert page_rule(window.context.project) is PageRule.FULL
    QTest.keyClick(dialog, K.Key_Escape)


def test_that_a_key_goes_to_the_keyring_and_nowhere_else(qtbot, window, page, server, monkeypatch):
    kept = []
    monkeypatch.setattr(judge_keys, "keep_key", lambda provider, value: kept.append((provider, value)))
    state = judge_keys.KeyState(provider="openai", name="OPENAI_API_KEY", source=KeySource.KEYRING)
    dialog = asked(qtbot, window, page, server)
    monkeypatch.setattr(judge_keys, "key_states", lambda: [state])
    dialog.form.keep_key.setFocus()
    QTest.keyClick(dialog.form.keep_key, K.Key_Space)
    (asking,) = dialog.findChildren(PasswordDialog)
    assert asking.field.echoMode() is QLineEdit.EchoMode.Password
    QTest.keyClicks(asking.field, KEY)
    QTest.keyClick(asking, K.Key_Return)
    qtbot.waitUntil(lambda: kept == [("openai", KEY)])
    qtbot.waitUntil(lambda: dialog.form.key_state.full_text() == "from the keyring")
    QTest.keyClick(dialog, K.Key_Escape)
    folder = window.context.project.folder
    window.close_project()
    assert all(KEY.encode() not in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_that_prices_are_changed_in_the_window_and_count_at_once(qtbot, window, page, server):
    dialog = asked(qtbot, window, page, server)
    dialog.prices.setFocus()
    QTest.keyClick(dialog.prices, K.Key_Space)
    (prices,) = dialog.findChildren(PricesDialog)
    qtbot.waitUntil(lambda: prices.rows.rowCount() > 3)
    assert prices.model.text() == "m-1"
    type_into(prices.input, "1000")
    type_into(prices.output, "x")
    QTest.keyClick(prices, K.Key_Return)
    assert "Output cannot be “x”" in prices.said.text()
    type_into(prices.output, "2000")
    with qtbot.waitSignal(prices.prices_changed):
        QTest.keyClick(prices, K.Key_Return)
    QTest.keyClick(prices, K.Key_Escape)
    # 700 tokens a reply at $2,000 a million are $1.40 for each of the twelve, and what is sent comes on top.
    qtbot.waitUntil(lambda: "about $" in dialog.count.text())
    assert float(dialog.count.text().rpartition("$")[2]) > UNITS * 1.40
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    QTest.keyClick(dialog, K.Key_Return, CTRL)
    ended(qtbot, page)
    # The server counts 100 tokens, 258 for each of two pictures, and 27 out: $0.616 + $0.054 for each call.
    assert page.runs.row(0).cost == "$8.04"


def test_that_code_rules_are_a_judge_that_asks_nobody(qtbot, window, page, server):
    dialog = asked(qtbot, window, page, server)
    dialog.form.provider.setFocus()
    dialog.form.provider.setCurrentIndex(dialog.form.provider.findData("code"))
    qtbot.waitUntil(lambda: "Code rules ask nobody" in dialog.details.text())
    assert not dialog.form.model.isVisible()
    QTest.keyClick(dialog, K.Key_Escape)


def test_that_a_read_only_project_asks_no_judge(qtbot, window, study):
    from studio.store.project import Project

    holder = Project.open(study, must_write=True)
    with qtbot.waitSignal(window.project_opened):
        window.open_folder(study, page="runs")
    shown = window.page("runs")
    qtbot.waitUntil(lambda: shown.states.currentWidget() is not shown.loading)
    assert not window.shortcuts.is_available("runs.judge")
    holder.close()


def test_that_a_verdict_opens_its_call_from_elsewhere(qtbot, window, page, server):
    run_to_the_end(qtbot, window, page, server)
    window.navigate("runs", judge="openai:m-1", deck="d_i_instance-1_beta", item="harmony")
    xray = page.judges.xray
    qtbot.waitUntil(lambda: xray.heading.full_text() == "instance-1 · beta · harmony")
    xray.show_verdict("code", "d_i_instance-1_beta", "q1")
    qtbot.waitUntil(lambda: xray.calls.empty._title.text() == "There is no call to show")
    xray.show_verdict("openai:m-2", "d_i_instance-1_beta", "harmony")
    qtbot.waitUntil(lambda: "came by a table" in xray.calls.empty._words.text())
    xray.close()


def test_that_the_quality_of_a_judge_shows_which_degree_of_a_defect_it_notices(qtbot, window, page, server):
    server.answer = lambda call: json.dumps({"score": max(1, 9 - 3 * (len(call.images) - len(set(call.images))))})
    dialog = asked(qtbot, window, page, server)
    dialog.form.sensitivity.setFocus()
    QTest.keyClick(dialog.form.sensitivity, K.Key_Space)
    qtbot.waitUntil(dialog.start.isEnabled)
    QTest.keyClick(dialog, K.Key_Return, CTRL)
    ended(qtbot, page)
    press(qtbot, window, K.Key_Q)
    quality = page.judges.quality
    qtbot.waitUntil(lambda: quality.noticed.rowCount() == 8)
    rows = [[quality.noticed.index(row, column).data() for column in (0, 1, 2, 7)] for row in range(8)]
    # Of two slides one is doubled at every degree: three points less, and two copies at 60 % and 80 %.
    assert ["engagement", "redundancy", "-3.00", "20 %"] in rows
    assert ["engagement", "flow", "+0.00", "–"] in rows
    quality.close()


def test_that_closing_the_project_ends_dialog_and_run(qtbot, window, page, server):
    server.rule = lambda call: Fault.HANG
    dialog = asked(qtbot, window, page, server)
    QTest.keyClick(dialog, K.Key_Return, CTRL)
    qtbot.waitUntil(lambda: server.n_calls > 0)
    press(qtbot, window, K.Key_J)
    project = window.context.project
    window.close_project()
    qtbot.waitUntil(lambda: not window.findChildren(XrayWindow) and not window._background.busy)
    assert project.folder.is_dir()


def test_that_the_models_keep_the_rules_of_models(app_theme):
    model = PlannedUnits()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_units(())
    model.set_wanted("x")
    assert tester is not None
