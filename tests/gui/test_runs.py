from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QLabel

from studio.actions import runs as run_actions
from studio.errors import BadInput
from studio.gui.dialogs.new_run import NewRunDialog
from studio.gui.models.run_table import RunTable
from studio.gui.models.unit_table import UnitTable
from studio.gui.pages.runs import RunsPage
from studio.gui.projects import studio_services
from studio.gui.run_status import RunStatus
from studio.gui.widgets.status_line import StatusLine
from studio.jobs.engine import run_job
from studio.jobs.executors import InlineExecutor
from studio.jobs.job import Plan
from studio.metrics.registry import FROM_WORDS
from studio.model.changes import Topic, changed
from studio.model.decks import DeckStatus
from studio.model.events import RunEnded, RunStarted, UnitDone, UnitFailed
from studio.model.ids import DeckId, InstanceId, RunId
from studio.model.runs import RunKind, RunSpec, RunState, Unit, UnitRecord, UnitStatus
from studio.reflex.encoders import ENCODERS
from studio.store import runs as run_store
from studio.store import scores as score_store
from tests.gui import projects
from tests.gui.evidence import add_run
from tests.gui.fake_project import fake_pages
from tests.gui.studies import window_of

OK, BROKEN, SKIPPED = UnitStatus.OK, UnitStatus.TOOL_ERROR, UnitStatus.SKIPPED
NOW = "2026-03-01T14:00:00.000Z"


@pytest.fixture
def study(tmp_path):
    project = projects.make_project(tmp_path / "study", instances=1, slides=2)
    projects.add_deck(project, "i_instance-1", "delta", status=DeckStatus.MISSING, reason="no file came")
    project.close()
    return tmp_path / "study"


@pytest.fixture
def window(app_theme, settings):
    others = [page for page in fake_pages() if page.page_id in ("library", "compare")]
    with window_of(app_theme, settings, *others, RunsPage) as made:
        made.setProperty("quits_unasked", True)
        yield made


def opened(qtbot, window, folder) -> RunsPage:
    with qtbot.waitSignal(window.project_opened):
        window.open_folder(folder, page="runs")
    page = window.page("runs")
    qtbot.waitUntil(lambda: page.states.currentWidget() is not page.loading)
    return page


def with_runs(folder) -> None:
    project = studio_services().open(folder)
    units = [
        ("instance-1", "alpha", OK, ""),
        ("instance-1", "beta", BROKEN, "worker_died: the worker process ended on its own"),
        ("instance-1", "gamma", OK, ""),
        ("instance-1", "delta", SKIPPED, "missing: no file came"),
    ]
    add_run(project, "run_old", units=units, started_at="2026-03-01T13:00:00.000Z")
    add_run(project, "run_new", title="Aesthetics · paper-text", units=units[:1], total=4, state=RunState.CANCELLED)
    project.close()


class FakeJob:
    """Works off as many units as asked for, in line; every third fails."""

    kind = RunKind.METRICS
    title = "Aesthetics · fake"

    def __init__(self, spec: RunSpec, count: int = 9) -> None:
        self.spec = spec
        self._count = count

    def plan(self, project):
        return Plan(units=tuple(make_unit(number) for number in range(self._count)), cached=2)

    def executor(self):
        return InlineExecutor()

    def work(self, cancel):
        def one(number):
            if number % 3 == 2:
                raise BadInput(f"Deck {number} is no use.")
            return number

        return one

    def save(self, project, result, run_id):
        """Nothing to store besides the row."""


def make_unit(number: int) -> Unit:
    return Unit(
        key=f"k{number}", deck_id=DeckId(f"d{number}"), instance_id=InstanceId("i_instance-1"), label=f"s{number}",
        payload=number,
    )  # fmt: skip


def fake_start(project, spec, *, tools, emit, cancel, passwords=None):
    return run_job(project, FakeJob(spec), emit=emit, cancel=cancel), changed(Topic.RUNS)


def record(number: int, status: UnitStatus = OK, run_id: str = "r") -> UnitRecord:
    return UnitRecord(
        run_id=RunId(run_id), key=f"k{number}", deck_id=DeckId(f"d{number}"), instance_id=InstanceId("i"),
        label=f"s{number}", status=status, seconds=1.5,
    )  # fmt: skip


def words(model, row: int) -> list[str]:
    return [model.index(row, column).data() for column in range(model.columnCount())]


def test_that_a_project_without_runs_offers_the_first_one(qtbot, window, study):
    page = opened(qtbot, window, study)
    assert page.states.currentWidget() is page.empty
    assert not page.new.isVisible()
    QTest.keyClick(window, Qt.Key.Key_N)
    dialog = page.findChild(NewRunDialog)
    with qtbot.waitSignal(dialog.previewed):
        pass
    assert dialog.count.text() == "3 decks to do · 0 cached · 1 blocked · free"
    assert "Instance 1 · delta – no file came" in dialog.details.text()
    assert dialog.start.isEnabled()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not run_store.list_runs(window.context.project)


def test_that_runs_are_listed_newest_first_with_their_units(qtbot, window, study):
    with_runs(study)
    page = opened(qtbot, window, study)
    assert [row.id for row in page.runs.rows()] == ["run_new", "run_old"]
    assert words(page.runs, 1)[2:] == ["4 / 4", "free", "done"]
    assert words(page.runs, 0)[2:] == ["1 / 4", "free", "stopped"]
    QTest.keyClick(page.table, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: page.detail.units.rowCount() == 4)
    assert words(page.detail.units, 1) == [
        "Instance 1 · beta", "✗ failed", "2.2", "worker died: the worker process ended on its own",
    ]  # fmt: skip
    assert words(page.detail.units, 3) == ["Instance 1 · delta", "skipped", "–", "missing: no file came"]
    assert page.retry.text() == "Retry failed (1)"


def test_that_failed_units_can_be_seen_alone(qtbot, window, study):
    with_runs(study)
    page = opened(qtbot, window, study)
    page._select("run_old")
    qtbot.waitUntil(lambda: page.detail.units.rowCount() == 4)
    page.detail.failed_only.setFocus()
    QTest.keyClick(page.detail.failed_only, Qt.Key.Key_Space)
    assert [row.record.label for row in page.detail.units.rows()] == ["beta"]
    page._select("run_new")
    qtbot.waitUntil(lambda: page.detail.states.currentWidget() is page.detail.empty)
    assert page.detail.empty._title.text() == "No failed units"


def test_that_a_unit_opens_its_deck(qtbot, window, study):
    with_runs(study)
    page = opened(qtbot, window, study)
    qtbot.waitUntil(lambda: page.detail.units.rowCount() == 1)
    page.detail.table.setFocus()
    page.detail.table.selectRow(0)
    QTest.keyClick(page.detail.table, Qt.Key.Key_Return)
    assert window.page("compare").told[-1] == {"instance": "i_instance-1", "deck": "d_i_instance-1_alpha"}


def test_that_retrying_is_one_forced_run_over_the_failed_decks(qtbot, window, study, monkeypatch):
    with_runs(study)
    page = opened(qtbot, window, study)
    page._select("run_old")
    qtbot.waitUntil(lambda: page.retry.isEnabled())
    asked = []
    monkeypatch.setattr(page, "start", asked.append)
    QTest.keyClick(window, Qt.Key.Key_R)
    assert [(spec.deck_ids, spec.force) for spec in asked] == [(("d_i_instance-1_beta",), True)]


def test_that_a_stopped_run_can_be_gone_on_with(qtbot, window, study, monkeypatch):
    with_runs(study)
    page = opened(qtbot, window, study)
    qtbot.waitUntil(lambda: page.resume.isEnabled())
    asked = []
    monkeypatch.setattr(page, "start", asked.append)
    QTest.keyClick(window, Qt.Key.Key_G)
    qtbot.waitUntil(lambda: bool(asked))
    assert asked == [RunSpec(kind=RunKind.METRICS)]


def test_that_a_killed_programs_run_is_marked_and_can_be_gone_on_with(qtbot, window, study):
    project = studio_services().open(study)
    add_run(project, "run_1", state=RunState.RUNNING, units=[("instance-1", "alpha", OK, "")], total=3)
    project.close()
    page = opened(qtbot, window, study)
    assert words(page.runs, 0)[2:] == ["1 / 3", "free", "interrupted"]
    qtbot.waitUntil(lambda: page.detail.head.facts_label.full_text() == "the program ended while it ran")
    assert page.resume.isVisible()


def test_that_a_run_goes_on_in_the_list_and_stays_as_stored(qtbot, window, study, monkeypatch):
    monkeypatch.setattr(run_actions, "start_run", fake_start)
    page = opened(qtbot, window, study)
    page.start(RunSpec(kind=RunKind.METRICS))
    assert not window.shortcuts.is_available("runs.new")
    qtbot.waitUntil(lambda: bool(page.runs.rows()) and page.runs.row(0).state is RunState.DONE)
    qtbot.waitUntil(lambda: page.runs.row(0).run is not None and page.detail.units.rowCount() == 9)
    row = page.runs.row(0)
    assert (row.done, row.total, row.failed, row.cached) == (9, 9, 3, 2)
    assert page.retry.text() == "Retry failed (3)"
    assert page.states.currentWidget() is page.splitter
    assert window.shortcuts.is_available("runs.new")


def test_that_one_run_goes_on_at_a_time(qtbot, window, study):
    page = opened(qtbot, window, study)
    with_free = window.context.background.start(lambda *, emit, cancel: cancel.wait(60), name="import")
    assert page._why_not() == "Import goes on; one piece of work at a time"
    assert not page.empty.button.isEnabled()
    page.start(RunSpec(kind=RunKind.METRICS))
    assert [work.name for work in window.context.background.busy] == ["import"]
    with_free.cancel.set()
    qtbot.waitUntil(lambda: not window.context.background.busy)
    assert page.empty.button.isEnabled()


def test_that_stopping_keeps_the_finished_units(qtbot, window, study, monkeypatch):
    class SlowJob(FakeJob):
        def work(self, cancel):
            return lambda number: number if number < 2 else cancel.wait(60)

    def start(project, spec, *, tools, emit, cancel, passwords=None):
        return run_job(project, SlowJob(spec, 50), emit=emit, cancel=cancel), changed(Topic.RUNS)

    monkeypatch.setattr(run_actions, "start_run", start)
    page = opened(qtbot, window, study)
    page.start(RunSpec(kind=RunKind.METRICS))
    qtbot.waitUntil(lambda: bool(page.runs.rows()))
    QTest.keyClick(window, Qt.Key.Key_S)
    assert page.stop.text() == "Stopping"
    qtbot.waitUntil(lambda: page.runs.row(0).state is RunState.CANCELLED)
    stored = run_store.list_runs(window.context.project)[0]
    assert stored.state is RunState.CANCELLED
    assert 2 <= sum(stored.counts.values()) < 50
    qtbot.waitUntil(lambda: page.resume.isVisible())


def test_that_a_read_only_project_shows_its_runs_and_starts_none(qtbot, window, study):
    with_runs(study)
    holder = studio_services().open(study)
    try:
        page = opened(qtbot, window, study)
        assert len(page.runs.rows()) == 2
        assert not page.new.isEnabled()
        assert page.head.facts_label.full_text().startswith("Read-only")
    finally:
        window.close_project()
        qtbot.waitUntil(lambda: window.context is None)
        holder.close()


def test_that_real_metrics_run_from_the_dialog_to_the_scores(qtbot, window, study):
    page = opened(qtbot, window, study)
    page.ask_new()
    dialog = page.findChild(NewRunDialog)
    with qtbot.waitSignal(dialog.previewed):
        pass
    dialog.workers.setValue(1)
    with qtbot.waitSignal(dialog.previewed):
        dialog.choose_decks(["d_i_instance-1_alpha"])
    assert dialog.count.text().startswith("1 deck to do")
    dialog.start.setFocus()
    QTest.keyClick(dialog.start, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: bool(page.runs.rows()) and page.runs.row(0).state is RunState.DONE, timeout=60_000)
    scores = score_store.current_scores(window.context.project)
    assert {score.deck_id for score in scores} == {"d_i_instance-1_alpha"}
    assert any(score.metric == "aesthetics.total" and score.value is not None for score in scores)


def test_that_content_scores_are_run_from_the_dialog(qtbot, window, study):
    page = opened(qtbot, window, study)
    page.ask_new()
    dialog = page.findChild(NewRunDialog)
    with qtbot.waitSignal(dialog.previewed):
        pass
    dialog.workers.setValue(1)
    with qtbot.waitSignal(dialog.previewed):
        QTest.keyClicks(dialog.kind, "Content")
    assert dialog.kind.currentText() == "Content (REFLEX)"
    assert dialog.spec().evaluators == FROM_WORDS
    assert dialog.count.text().startswith("3 decks to do")
    dialog.start.setFocus()
    QTest.keyClick(dialog.start, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: bool(page.runs.rows()) and page.runs.row(0).state is RunState.DONE, timeout=60_000)
    scores = score_store.current_scores(window.context.project)
    assert {score.metric for score in scores} == set(FROM_WORDS)
    # A score, or why there is none.
    assert all((score.value is None) == bool(score.undefined_reason) for score in scores)


def test_that_another_content_model_is_chosen_by_keyboard_and_a_missing_extra_is_said(
    qtbot, window, study, monkeypatch
):
    page = opened(qtbot, window, study)
    page.ask_new()
    dialog = page.findChild(NewRunDialog)
    assert not dialog.model.isVisible()
    with qtbot.waitSignal(dialog.previewed):
        QTest.keyClicks(dialog.kind, "Content")
    assert dialog.model.isVisible()
    assert dialog.spec().options == {}
    reason = ENCODERS["multilingual"].why_missing()
    assert dialog.model.model().item(1).isEnabled() == (not reason)
    if not reason:
        with qtbot.waitSignal(dialog.previewed):
            QTest.keyClicks(dialog.model, "multilingual")
        assert dialog.spec().options == {"content_model": "multilingual"}
        QTest.keyClick(dialog.kind, Qt.Key.Key_Home)
        assert dialog.spec().options == {}
    dialog.reject()
    missing = replace(ENCODERS["multilingual"], why_missing=lambda: "It needs an optional extra.")
    monkeypatch.setitem(ENCODERS, "multilingual", missing)
    page.ask_new()
    again = page.findChildren(NewRunDialog)[-1]
    assert not again.model.model().item(1).isEnabled()
    assert again.model.itemData(1, Qt.ItemDataRole.ToolTipRole) == "It needs an optional extra."


def test_that_a_run_that_cannot_begin_says_so(qtbot, window, study, monkeypatch):
    def refuse(project, spec, *, tools, emit, cancel, passwords=None):
        raise BadInput("There is no preset best.")

    monkeypatch.setattr(run_actions, "start_run", refuse)
    page = opened(qtbot, window, study)
    page.start(RunSpec(kind=RunKind.METRICS))
    qtbot.waitUntil(lambda: window.toast.isVisible())
    assert page.states.currentWidget() is page.empty


def test_that_a_batch_of_events_is_one_change_of_the_table(app_theme):
    table = RunTable()
    QAbstractItemModelTester(table, QAbstractItemModelTester.FailureReportingMode.Fatal)
    table.take([RunStarted(run_id=RunId("r"), kind=RunKind.METRICS, title="T", total=1000, cached=5)], now=NOW)
    told = []
    table.dataChanged.connect(lambda *_: told.append(1))
    events = [UnitDone(run_id=RunId("r"), record=record(n), done=n + 1, total=1000) for n in range(998)]
    events.append(UnitFailed(run_id=RunId("r"), record=record(998, BROKEN), done=999, total=1000))
    events.append(UnitFailed(run_id=RunId("r"), record=record(999, SKIPPED), done=1000, total=1000))
    assert table.take(events, now=NOW) is False
    assert len(told) == 1
    row = table.row(0)
    assert (row.done, row.failed, row.skipped) == (1000, 1, 1)
    ended = RunEnded(run_id=RunId("r"), kind=RunKind.METRICS, state=RunState.DONE)
    assert table.take([ended], now=NOW) is True
    assert table.row(0).state is RunState.DONE


def test_that_the_status_line_counts_units_that_were_skipped_apart_from_those_that_failed(app_theme):
    line = StatusLine()
    status = RunStatus(line)
    status.take([RunStarted(run_id=RunId("r"), kind=RunKind.METRICS, title="T", total=5, cached=0)])
    endings = [OK, BROKEN, SKIPPED, SKIPPED]
    status.take([
        (UnitDone if ending is OK else UnitFailed)(run_id=RunId("r"), record=record(n, ending), done=n + 1, total=5)
        for n, ending in enumerate(endings)
    ])  # fmt: skip
    assert "T · 4/5 · 1 failed · 2 skipped" in shown_words(line)
    status.take([RunEnded(run_id=RunId("r"), kind=RunKind.METRICS, state=RunState.DONE)])
    assert "T: done, 2 done, 1 failed, 2 skipped" in shown_words(line)


def shown_words(line: StatusLine) -> str:
    return " | ".join(label.text() for label in line.findChildren(QLabel))


def test_that_what_units_said_is_one_change_of_the_table_whenever_it_comes(app_theme):
    table = UnitTable()
    QAbstractItemModelTester(table, QAbstractItemModelTester.FailureReportingMode.Fatal)
    table.set_units([record(n) for n in range(1000)])
    told = []
    table.dataChanged.connect(lambda *_: told.append(1))
    place = [(record(n).key, record(n).deck_id) for n in range(1001)]
    table.set_said({place[3]: ["yes"], place[900]: ["no"], place[1000]: ["yes"]})
    assert len(told) == 1
    table.add_units([record(1000, OK)])
    assert [table.row(n).said for n in (3, 4, 900, 1000)] == ["yes", "", "no", "yes"]
    table.set_filter(group="", words="no")
    assert [table.row(n).said for n in range(table.rowCount())] == ["no"]
    assert table.groups() == {"ok": 1001}


def test_that_rows_below_those_in_sight_are_added_many_at_once(qtbot, app_theme):
    table = UnitTable()
    QAbstractItemModelTester(table, QAbstractItemModelTester.FailureReportingMode.Fatal)
    added = []
    table.rowsInserted.connect(lambda _parent, first, last: added.append((first, last)))
    for first in range(0, 2000, 10):
        table.add_units([record(n) for n in range(first, first + 10)])
    # What can be seen came at once, ten by ten; of the 190 batches below, the first, and the others when it is time.
    assert added[:11] == [(first, first + 9) for first in range(0, 110, 10)]
    qtbot.waitUntil(lambda: table.rowCount() == 2000)
    assert len(added) < 50
    assert [table.row(n).record.label for n in (0, 500, 1999)] == [record(n).label for n in (0, 500, 1999)]
    # Counts and filters know of a unit before its row is there.
    table.add_units([record(2000)])
    table.add_units([record(2001, BROKEN)])
    assert (table.n_failed, len(table.units)) == (1, 2002)
    table.set_failed_only(True)
    assert table.rowCount() == 1


def test_that_units_are_shown_once_however_they_come(app_theme):
    table = UnitTable()
    QAbstractItemModelTester(table, QAbstractItemModelTester.FailureReportingMode.Fatal)
    table.set_units([record(n) for n in range(5000)])
    table.add_units([record(4999), record(5000, BROKEN)])
    assert (table.rowCount(), table.n_failed) == (5001, 1)
    table.set_failed_only(True)
    assert table.rowCount() == 1
    table.add_units([record(5001), record(5002, BROKEN)])
    assert table.rowCount() == 2
