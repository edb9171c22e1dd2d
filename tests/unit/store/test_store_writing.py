from __future__ import annotations

import hashlib
import os
import sqlite3
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from studio.errors import BadInput, ProjectDamaged, ProjectLocked, StudioError
from studio.model.answers import AnswerEvent, AnswerKind
from studio.model.ids import AnnotatorId, InstanceId, Sha256
from studio.store import answers as answer_store
from studio.store import people as people_store
from studio.store.database import Database
from studio.store.faults import as_studio_error
from studio.store.project import Project
from tests.projects import instance_named, make_project, person
from tests.unit.store.other_programs import OtherProgram


@pytest.fixture
def project(tmp_path):
    with make_project(tmp_path / "study") as made:
        yield made


def event(number: int, instance_id: str, annotator_id: str, *, note: str = "") -> AnswerEvent:
    return AnswerEvent(
        seq=0, uid=f"u{number}", kind=AnswerKind.RANKING, instance_id=InstanceId(instance_id),
        annotator_id=AnnotatorId(annotator_id), deck_id=None, item_key="", verb="note",
        state={"ranks": {}, "note": note or str(number)}, at="2026-05-04T10:00:00.000Z",
    )  # fmt: skip


def stored(project: Project) -> list[AnswerEvent]:
    return answer_store.events_of(project, AnswerKind.RANKING)


def test_that_threads_write_at_once_and_lose_nothing(project):
    instance, who = instance_named(project, "topic-1"), person(project, "Ada")
    connections = set()
    start = threading.Barrier(6)

    def write(worker: int) -> None:
        connections.add(id(project.reading().conn))
        start.wait()
        for number in range(25):
            with project.writing(is_durable=number % 2 == 0) as db:
                # Reading first is what makes a deferred transaction fail with "database is locked".
                db.execute("SELECT count(*) FROM answer_events").fetchone()
                answer_store.append(project, event(worker * 100 + number, instance, who))

    with ThreadPoolExecutor(6) as pool:
        for done in [pool.submit(write, worker) for worker in range(6)]:
            done.result()
    assert len(connections) == 6
    assert len(stored(project)) == 150


def test_that_threads_that_ask_for_one_new_person_get_the_same(project):
    with ThreadPoolExecutor(6) as pool:
        found = {done.result() for done in [pool.submit(person, project, "Grace") for _ in range(12)]}
    assert len(found) == 1
    assert [who.name for who in people_store.list_annotators(project)] == ["Grace"]


def test_that_a_person_without_a_name_is_refused(project):
    with pytest.raises(BadInput, match="needs a name"):
        person(project, "  ")


def test_that_connections_of_ended_threads_do_not_pile_up(project):
    for _ in range(30):
        thread = threading.Thread(target=project.meta, args=["title"])
        thread.start()
        thread.join()
    open_files = [file.path for file in psutil.Process().open_files() if file.path.startswith(str(project.folder))]
    # This thread and the last one each have the database and its log open; the index and the lock come to it.
    assert 1 <= len(open_files) <= 8


def test_that_an_error_takes_the_whole_transaction_back(project):
    def half_done() -> None:
        with project.writing() as db:
            db.execute("INSERT INTO meta VALUES ('a', '1')")
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        half_done()
    assert project.meta("a", "none") == "none"
    project.set_meta("a", "2")
    assert project.meta("a") == "2"


def test_that_an_inner_transaction_joins_the_outer(project):
    def half_done() -> None:
        with project.writing() as db:
            project.set_meta("inner", "1")
            assert db.conn.in_transaction
            raise RuntimeError("outer fails after the inner ended")

    with pytest.raises(RuntimeError, match="outer"):
        half_done()
    assert project.meta("inner", "none") == "none"
    with project.writing():
        project.set_meta("inner", "2")
    assert project.meta("inner") == "2"
    assert not project.reading().conn.in_transaction


def test_that_others_do_not_see_what_is_not_committed(project):
    with Project.open(project.folder) as reader:
        with project.writing() as db:
            db.execute("INSERT INTO meta VALUES ('a', '1')")
            assert reader.meta("a", "none") == "none"
        assert reader.meta("a") == "1"


@pytest.mark.parametrize(("is_durable", "expected"), [(True, 2), (False, 1)])
def test_that_only_durable_writing_waits_for_the_disk(project, is_durable, expected):
    with project.writing(is_durable=is_durable) as db:
        # SQLite's synchronous: 1 is NORMAL, 2 is FULL.
        assert db.execute("PRAGMA synchronous").fetchone() == (expected,)


def test_that_a_durable_act_inside_a_plain_transaction_is_made_durable_too(project, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_ino))
    with project.writing():
        project.set_meta("a", "1")
    assert synced == [(project.folder / "project.db-wal").stat().st_ino]
    synced.clear()
    with project.writing() as db:
        db.execute("INSERT INTO meta VALUES ('b', '1')")
    assert synced == []


APPEND = """
    import sys
    from dataclasses import replace
    from pathlib import Path
    from studio.store import answers
    from studio.store.project import Project
    from tests.unit.store.test_store_writing import event
    project = Project.open(Path(sys.argv[1]), must_write=True)
    for number in range(int(sys.argv[4]), 1_000_000):
        answers.append(project, event(number, sys.argv[2], sys.argv[3]))
        print(number, flush=True)
"""


def test_that_a_kill_loses_nothing_that_was_said_to_be_stored(project):
    instance, who = instance_named(project, "topic-1"), person(project, "Ada")
    project.close()
    told: list[int] = []
    for kept_going in (15, 40):
        with OtherProgram(APPEND, project.folder, instance, who, 10_000 * len(told)) as writer:
            told += [int(line) for line in writer.lines_until_killed(kept_going)]
        with Project.open(project.folder, must_write=True) as again:
            found = [int(item.uid[1:]) for item in stored(again)]
        # The kill may fall between the commit and the word of it, so one more may be there each time.
        assert set(told) <= set(found)
        assert len(found) - len(told) <= 2


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 2 MB."""
    place = tmp_path / "small"
    place.mkdir()
    if os.geteuid() != 0:
        pytest.skip("needs the right to mount a small file system")
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", place], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("this machine does not let a small file system be mounted")
    yield place
    subprocess.run(["umount", place], check=True)


def fill(place: Path) -> Path:
    """Take all space that is left, and return the file that holds it."""
    ballast = place / "ballast"
    with ballast.open("wb", buffering=0) as out:
        for size in (1 << 16, 1 << 12, 1 << 9):
            try:
                while out.write(b"x" * size):
                    pass
            except OSError:
                continue
    return ballast


def test_that_a_full_disk_is_said_clearly_and_keeps_what_was_there(small_disk):
    with make_project(small_disk / "study") as project:
        instance, who = instance_named(project, "topic-1"), person(project, "Ada")
        answer_store.append(project, event(1, instance, who))
        ballast = fill(small_disk)

        def go_on() -> None:
            for number in range(2, 200):
                answer_store.append(project, event(number, instance, who, note="long " * 2000))

        with pytest.raises(StudioError, match="full") as caught:
            go_on()
        assert "Free some space" in caught.value.next_step
        kept = len(stored(project))
        assert not project.reading().conn.in_transaction
        ballast.unlink()
        # It goes on by itself once there is space.
        answer_store.append(project, event(500, instance, who))
        assert len(stored(project)) == kept + 1
    with Project.open(small_disk / "study") as project:
        assert len(stored(project)) == kept + 1


def test_that_a_full_disk_leaves_no_half_original(small_disk, tmp_path):
    original = tmp_path / "deck.pptx"
    original.write_bytes(os.urandom(3 << 20))
    asset = Sha256(hashlib.sha256(original.read_bytes()).hexdigest())
    with make_project(small_disk / "study") as project:
        with pytest.raises(StudioError, match=r"deck\.pptx could not be copied"):
            project.add_asset(original, asset, "pptx")
        assert list((project.folder / "assets").iterdir()) == []


def test_that_a_full_disk_leaves_no_half_copy(small_disk, tmp_path):
    with make_project(tmp_path / "big", instances=3) as project:
        original = tmp_path / "deck.pptx"
        original.write_bytes(os.urandom(3 << 20))
        project.add_asset(original, Sha256(hashlib.sha256(original.read_bytes()).hexdigest()), "pptx")
        with pytest.raises(BadInput, match="No space left"):
            project.save_copy(small_disk / "copy")
        fill(small_disk)
        with pytest.raises(StudioError, match=r"No space left|full"):
            project.save_copy(small_disk / "copy")
    assert [path.name for path in small_disk.iterdir()] == ["ballast"]


def test_that_a_project_opens_again_after_the_disk_was_full(small_disk):
    make_project(small_disk / "study").close()
    ballast = fill(small_disk)
    # SQLite needs a little space for the log's index before it reads anything.
    with pytest.raises(StudioError, match="space"):
        Project.open(small_disk / "study")
    ballast.unlink()
    with Project.open(small_disk / "study", must_write=True) as project:
        assert project.title == "Test study"


def test_that_a_busy_database_is_said_clearly(project, monkeypatch):
    monkeypatch.setattr("studio.store.database.BUSY_TIMEOUT_MS", 50)
    blocker = sqlite3.connect(project.folder / "project.db", isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")

    def write() -> None:
        project.set_meta("a", "1")

    try:
        with ThreadPoolExecutor(1) as pool, pytest.raises(ProjectLocked, match="busy"):
            pool.submit(write).result()
    finally:
        blocker.close()
    project.set_meta("a", "1")


def error_with(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("what SQLite says")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("code", "kind", "says"),
    [
        (sqlite3.SQLITE_FULL, StudioError, "full"),
        (sqlite3.SQLITE_READONLY, StudioError, "write-protected"),
        (sqlite3.SQLITE_READONLY_DBMOVED, StudioError, "write-protected"),
        (sqlite3.SQLITE_BUSY, ProjectLocked, "busy"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, ProjectLocked, "busy"),
        (sqlite3.SQLITE_IOERR_WRITE, StudioError, "cannot be reached"),
        (sqlite3.SQLITE_CANTOPEN, StudioError, "cannot be reached"),
        (sqlite3.SQLITE_CORRUPT, ProjectDamaged, "cannot be read"),
        (sqlite3.SQLITE_NOTADB, ProjectDamaged, "cannot be read"),
    ],
)
def test_that_what_a_user_can_act_on_has_a_next_step(code, kind, says):
    told = as_studio_error(error_with(code), Path("study"))
    assert type(told) is kind
    assert says in told.message
    assert "study" in told.message
    assert told.next_step


def test_that_a_wrong_statement_stays_our_fault(project):
    assert as_studio_error(error_with(sqlite3.SQLITE_CONSTRAINT_CHECK), Path("study")) is None
    with pytest.raises(sqlite3.OperationalError, match="no such table"), project.writing() as db:
        db.execute("INSERT INTO no_such_table VALUES (1)")
    assert not project.reading().conn.in_transaction


def test_that_a_write_protected_database_is_said_clearly(tmp_path):
    database = Database(tmp_path / "x.db", is_read_only=False)
    database.migrate()
    database.reading().execute("PRAGMA query_only=ON")
    with pytest.raises(StudioError, match="write-protected"), database.writing() as db:
        db.execute("INSERT INTO meta VALUES ('a', '1')")
    database.close()
