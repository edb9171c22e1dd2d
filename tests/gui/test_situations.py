"""Situations in which other programs lost or mixed up answers, lived through on the real pages by keyboard."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from studio.actions import answer_desk
from studio.actions.missing_files import missing_files
from studio.actions.studies import create_study, study_named
from studio.actions.study_plan import plan_study
from studio.gui.background import Background
from studio.gui.main_window import MainWindow
from studio.gui.page_list import BLIND_PAGES, page_classes
from studio.gui.projects import studio_services
from studio.model.answers import AnswerKind
from studio.model.scores import Verdict
from studio.model.studies import StudyKind
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import scores as score_store
from studio.store.project import Project
from tests.gui.projects import make_project
from tests.gui.studies import SYSTEMS, alt, ctrl, open_on, press, ranking_rows, shown_window, texts

K = Qt.Key
ROOT = Path(__file__).resolve().parents[2]
DIGITS = (K.Key_1, K.Key_2, K.Key_3, K.Key_4, K.Key_5)


@pytest.fixture
def window(app_theme, settings):
    with shown_window(app_theme, settings) as made:
        yield made


def rank_in_order(page, n: int) -> dict[str, int]:
    """Give the decks the ranks 1, 2, … in the order shown, by keys."""
    for place in range(n):
        press(ctrl(DIGITS[place]), DIGITS[place])
    return {deck: place for place, deck in enumerate(page._open.session.display, start=1)}


def submit_last(qtbot, page) -> None:
    with qtbot.waitSignal(page.finished):
        press(K.Key_Return)


# names that break joined texts


@pytest.mark.parametrize("systems", [("A,B", "x=y", "模型 一", '"q"'), ("a|b", "line\nbreak", "🙂;x", "tab\there")])
def test_that_systems_of_any_name_are_ranked_reloaded_and_exported_exactly(
    qtbot, tmp_path, app_theme, settings, systems
):  # fmt: skip
    folder = tmp_path / "study"
    project = make_project(folder, instances=1, systems=())
    instance = deck_store.list_instances(project)[0].id
    from tests.projects import add_deck

    for system in systems:  # all have the same file name
        add_deck(project, instance, system)
    from tests.pack_stories import draw_pages

    draw_pages(project)
    names = {deck.id: deck.system for deck in deck_store.list_decks(project)}
    project.close()
    with shown_window(app_theme, settings) as window:
        page = open_on(qtbot, window, folder, "rank")
        wanted = rank_in_order(page, 4)
        submit_last(qtbot, page)
    with shown_window(app_theme, settings) as window:
        with qtbot.waitSignal(window.project_opened):
            window.open_folder(folder, page="rank")
        page = window.page("rank")
        qtbot.waitUntil(lambda: page._layers.currentWidget() is page.empty)
        with qtbot.waitSignal(page.instance_shown):
            press(K.Key_Space)  # look at them again
        assert page._open.session.state.ranks == wanted
    out = tmp_path / "rankings.csv"
    export(folder, "rankings", out)
    with out.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["deck_id"]: int(row["rank"]) for row in rows} == wanted
    assert {row["deck_id"]: row["system"] for row in rows} == names


def export(folder: Path, table: str, out: Path, **environment: str) -> None:
    """Export a table in a process of its own."""
    line = [sys.executable, "-m", "studio", "export", str(folder), "--table", table, "--out", str(out)]
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run(line, cwd=ROOT, env=env, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


# encodings


@pytest.mark.parametrize("locale", ["C", "zh_CN.GBK"])
def test_that_words_of_any_kind_go_round_whatever_the_locale(qtbot, tmp_path, app_theme, settings, locale):
    folder = tmp_path / '项目 🙂, "quoted" ünd'
    comment = '很好，"quoted", 🙂\nsecond line; =1+1'
    with make_project(folder, instances=1, systems=("系统,一",)) as project:
        create_study(project, "评分 🙂", StudyKind.RATE, scale_set="ppteval")
    with shown_window(app_theme, settings, name="陈晨 🙂") as window:
        page = open_on(qtbot, window, folder, "rate")
        press(K.Key_C)
        page.board.note.insertPlainText(comment)
        press(K.Key_Escape)
        press(K.Key_4, K.Key_5, K.Key_3)
        submit_last(qtbot, page)
    out = tmp_path / "出口.csv"
    export(folder, "ratings", out, LC_ALL=locale, LANG=locale, PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert out.read_bytes().startswith(b"\xef\xbb\xbf")
    with out.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["value"], row["comment"]) for row in rows] == [("4", comment), ("5", comment), ("3", comment)]


# a disk that is full


def test_that_a_full_disk_loses_nothing_and_saves_by_itself_when_there_is_room(qtbot, window, small_disk, caplog):
    with make_project(small_disk.folder / "study", instances=1, systems=SYSTEMS[:4], slides=1):
        pass
    page = open_on(qtbot, window, small_disk.folder / "study", "rank")
    press(ctrl(K.Key_1), K.Key_1)
    small_disk.fill()
    refused = 0
    while not page._open.outbox.waiting:  # what the write-ahead log still has room for is saved
        press(ctrl(K.Key_2), K.Key_2, K.Key_Backspace)
        refused += 1
        assert refused < 2000, "the disk never got full"
    press(ctrl(K.Key_2), K.Key_2, ctrl(K.Key_3), K.Key_3)
    assert window.top_bar.saved.text() == "not saved"
    assert not page.board.trouble.isHidden()
    assert sum("could not be stored" in record.getMessage() for record in caplog.records) == 1
    shown = dict(page._open.session.state.ranks)
    assert len(shown) == 3
    assert not window.close()
    window.leaving.box.reject()
    small_disk.free()
    qtbot.waitUntil(lambda: not page._open.outbox.waiting)
    assert window.top_bar.saved.text().startswith("saved ")
    last = answer_store.events_of(window.context.project, AnswerKind.RANKING)[-1]
    assert last.state["ranks"] == shown


# files and folders that moved


def test_that_answers_stay_with_their_deck_when_the_project_moves_and_a_file_is_renamed(
    qtbot, tmp_path, app_theme, settings
):  # fmt: skip
    before, after = tmp_path / "here" / "study", tmp_path / "elsewhere" / "renamed 研究"
    make_project(before, instances=1, systems=SYSTEMS[:3]).close()
    with shown_window(app_theme, settings) as window:
        page = open_on(qtbot, window, before, "rank")
        wanted = rank_in_order(page, 3)
    after.parent.mkdir()
    shutil.move(before, after)
    with Project.open(after) as project:
        deck = deck_store.list_decks(project)[0]
        stored = project.asset_path(deck.asset, deck.extension)
    # What a size recorded by hand would hide: the file is known by its size and its content.
    kept = tmp_path / "backup" / "some other name.bin"
    kept.parent.mkdir()
    stored.rename(kept)
    with Project.open(after) as project, project.writing() as db:
        db.execute("UPDATE decks SET size_bytes = ? WHERE id = ?", [kept.stat().st_size, deck.id])
    with shown_window(app_theme, settings, role="author") as window:
        page = open_on(qtbot, window, after, "rank")
        assert page._open.session.state.ranks == wanted
        assert ["1 original" in words for words in window.notices.notices()] == [True]
        with qtbot.waitSignal(window.files.found):
            window.files.find_missing(tmp_path / "backup")
        assert missing_files(window.context.project) == []
        submit_last(qtbot, page)
    assert {row["deck_id"]: row["rank"] for row in ranking_rows(after)} == wanted
    assert sorted(path.name for path in after.iterdir() if path.suffix == ".db") == ["project.db"]
    assert not before.exists()


# a large project


def large_project(folder: Path, instances: int = 20_000) -> None:
    """Make a project of this many instances with four drawn decks each, the first two of them with pictures."""
    make_project(folder, instances=2, systems=SYSTEMS[:4], slides=1).close()
    with Project.open(folder) as project, project.writing() as db:
        systems = [system.id for system in deck_store.list_systems(project)]
        numbers = range(3, instances + 1)
        db.conn.executemany(
            "INSERT INTO instances VALUES (?, ?, ?, '', 'teaching', '', '', '', ?)",
            ((f"i_{n}", f"topic-{n}", f"Topic {n}", n) for n in numbers),
        )
        every = [(n, system) for n in numbers for system in systems]
        db.conn.executemany(
            "INSERT INTO decks VALUES (?, ?, ?, 'present', '', '', 'pptx', ?, 'pptx', '', 1, 1, 0, '[]', '{}')",
            ((f"d_{n}_{s}", f"i_{n}", s, f"d_{n}_{s}") for n, s in every),
        )
        db.conn.executemany(
            "INSERT INTO renders VALUES (?, ?, 'rendered', '', '', 1, 320, 180, '[]', '[]', '', 0, '')",
            ((f"d_{n}_{s}", f"d_{n}_{s}") for n, s in every),
        )


def test_that_a_filter_over_twenty_thousand_instances_keeps_draft_and_place_and_reads_elsewhere(
    qtbot, window, tmp_path, monkeypatch
):  # fmt: skip
    large_project(tmp_path / "large")
    page = open_on(qtbot, window, tmp_path / "large", "rank")
    press(ctrl(K.Key_1), K.Key_2)
    draft, unit = page._open.session.state, page._open
    read, threads = answer_desk.read_queue, []

    def reading(*args, **kwargs):
        threads.append(threading.current_thread())
        return read(*args, **kwargs)

    monkeypatch.setattr(answer_desk, "read_queue", reading)
    press((Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier, K.Key_F))
    QTest.keyClicks(page.work.filter, "topic 1999")
    assert page._open is unit
    # Topics 1999 and 19990 to 19999, and none of the instances that are open.
    qtbot.waitUntil(lambda: len(page._desk.queue.items) == 11)
    assert threads
    assert threading.main_thread() not in threads
    assert page._open is unit
    assert page._open.session.state == draft
    assert page.work.filter.hasFocus()
    assert page._desk.queue.n_filtered == 20_000 - 11


# letters


def test_that_compare_names_decks_as_the_planned_study_does(qtbot, window, tmp_path):
    with make_project(tmp_path / "study", instances=3, systems=SYSTEMS[:4]) as project:
        from studio.actions.quality import person_named

        person_named(project, "ann")
        study, _ = create_study(project, "Planned", StudyKind.RANK, systems=SYSTEMS[1:4], order_seed=99)
        plan_study(project, study)
    page = open_on(qtbot, window, tmp_path / "study", "rank")
    assert page._desk.study.name == "Planned"
    shown = {deck.name: deck.id for deck in page.stage.decks}
    instance = page._open.instance.id
    press(alt(K.Key_1))
    compare = window.page("compare")
    if compare.place().get("instance") != instance:
        with qtbot.waitSignal(compare.instance_shown, check_params_cb=lambda found: found == instance):
            compare.go_to(instance=str(instance))
    assert {deck.name: deck.id for deck in compare.stage.decks} == shown
    assert study_named(window.context.project, "Planned").systems == SYSTEMS[1:4]


# motion and scaling


def test_that_nothing_moves_while_motion_is_reduced(qtbot, window, tmp_path):
    make_project(tmp_path / "study", instances=1, systems=SYSTEMS[:2]).close()
    page = open_on(qtbot, window, tmp_path / "study", "rank")
    page._layers.setCurrentWidget(page.loading)
    assert page.loading._timer_id
    window.settings.set("reduced_motion", True)
    assert not page.loading._timer_id
    page._layers.setCurrentWidget(page.work)
    page._layers.setCurrentWidget(page.loading)
    assert not page.loading._timer_id
    window.settings.set("reduced_motion", False)
    assert page.loading._timer_id
    page._layers.setCurrentWidget(page.work)


SCALED = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QApplication
from studio.gui import theme
from studio.gui.theme import Theme
from studio.settings import load
from tests.gui.studies import ctrl, press, shown_instance, shown_window

app = QApplication([])
look = Theme(app, parent=app)
theme.install(look)
folder = Path(sys.argv[2])
with shown_window(look, load(folder.parent / "scaled.json"), size=(1280, 760)) as window:
    window.open_folder(folder, page="rank")
    page = None
    while page is None or not shown_instance(page):
        loop = QEventLoop()
        QTimer.singleShot(20, loop.quit)
        loop.exec()
        page = window.page("rank")
    press(ctrl(Qt.Key.Key_1), Qt.Key.Key_1, ctrl(Qt.Key.Key_2), Qt.Key.Key_1)
    inside = window.rect()
    for widget in (page.board.submit, page.work.heading, page.stage, page.board.note_button):
        corner = widget.mapTo(window, widget.rect().bottomRight())
        assert widget.isVisible() and inside.contains(corner), (widget, corner, inside)
    picture = window.grab()
    print(picture.devicePixelRatio(), picture.width(), sorted(page._open.session.state.ranks.values()))
"""


@pytest.mark.parametrize("scale", ["1", "2"])
def test_that_the_page_fits_and_is_drawn_sharply_at_twice_the_size(tmp_path, scale):
    make_project(tmp_path / "study", instances=1, systems=SYSTEMS, slides=1).close()
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale}
    line = [sys.executable, "-c", SCALED, str(ROOT), str(tmp_path / "study")]
    done = subprocess.run(line, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.stdout.split() == [f"{scale}.0", str(1280 * int(scale)), "[1,", "1]"], done.stderr


# blind in one shared project


def test_that_every_page_of_an_annotators_window_hides_systems_verdicts_and_other_answers(
    qtbot, app_theme, settings, tmp_path, caplog
):  # fmt: skip
    systems = ("SystemAlpha", "SystemBeta", "SystemGamma")
    with make_project(tmp_path / "study", instances=2, systems=systems) as project:
        told_by_others(project)
        create_study(project, "Pairs", StudyKind.PAIRWISE)
        create_study(project, "Ratings", StudyKind.RATE, scale_set="reflex")
    settings.update({"profile_name": "ann", "profile_role": "annotator"})
    window = MainWindow(
        settings=settings, theme=app_theme, background=Background(), services=studio_services(),
        page_classes=page_classes(),
    )  # fmt: skip
    window.resize(1440, 900)
    window.show()
    assert QTest.qWaitForWindowActive(window, 60_000)
    with qtbot.waitSignal(window.project_opened):
        window.open_folder(tmp_path / "study")
    found = ""
    for page_id in window.page_titles():
        window.navigate(page_id)
        qtbot.waitUntil(lambda: not window.background.busy)
        page = window.page(page_id)
        # Checklists have nothing to ask in this project, and say so.
        if page_id != "checklist" and not page.place().get("instance"):
            with qtbot.waitSignal(page.instance_shown):
                pass
        found += texts(window)
    window.commands.show_palette()
    found += texts(window)
    press(K.Key_Escape)
    for menu in window.menuBar().findChildren(QMenu):
        found += "\n".join(f"{action.text()} {action.toolTip()}" for action in menu.actions() if action.isEnabled())
    found += "\n".join(record.getMessage() for record in caplog.records)
    assert set(window.page_titles()) == BLIND_PAGES
    secrets = (
        *systems, *(f"{system}.pptx" for system in systems), "Other Person", "their secret note", "SecretJudge",
        "the machine's reason",
    )  # fmt: skip
    assert [secret for secret in secrets if secret in found] == []
    for action in ("file.studies", "file.find_missing", "file.merge_answers", "file.export", "help.log"):
        assert not window.shortcuts.is_available(action)
    window.close()
    window.deleteLater()


def told_by_others(project: Project) -> None:
    """Store somebody else's ranking with a note, and a verdict of a judge."""
    from studio.actions import sessions

    other = sessions.be_annotator(project, "Other Person")
    instance = deck_store.list_instances(project)[0].id
    session, _ = sessions.open_ranking(project, instance, other.id)
    for place, deck in enumerate(session.display, start=1):
        session.rank(deck, place)
    session.set_note("their secret note")
    session.submit()
    deck = deck_store.list_decks(project)[0]
    score_store.append_verdicts(
        project,
        [
            Verdict(
                run_id=None, judge_id="SecretJudge", model="SecretJudge", prompt_version="1",
                instance_id=deck.instance_id, deck_id=deck.id, item_id="overall", verdict="the machine's reason",
                score=1.0,
            )
        ],
    )  # fmt: skip
