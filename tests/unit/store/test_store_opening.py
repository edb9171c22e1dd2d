from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import threading
from pathlib import Path

import pytest

from studio.errors import BadInput, ProjectDamaged, ProjectLocked, ProjectTooNew, StudioError
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store.database import Database
from studio.store.migrations import known_steps, migrations
from studio.store.project import DATABASE, Project
from tests.projects import make_project, person
from tests.unit.store.other_programs import OtherProgram

HOLD = """
    import sys
    from pathlib import Path
    from studio.store.project import Project
    project = Project.open(Path(sys.argv[1]), must_write=True)
    project.set_meta("title", "changed elsewhere")
    print("held", flush=True)
    sys.stdin.readline()
    project.close()
"""


@pytest.fixture
def folder(tmp_path):
    make_project(tmp_path / "study").close()
    return tmp_path / "study"


def raw(folder: Path) -> sqlite3.Connection:
    return sqlite3.connect(folder / DATABASE)


def test_that_a_new_project_opens_again_as_the_same(tmp_path):
    with Project.create(tmp_path / "my study", title="模型 study") as made:
        identity = (made.id, made.title, made.seed)
        assert not made.is_read_only
    with Project.open(tmp_path / "my study") as again:
        assert (again.id, again.title, again.seed) == identity
        assert again.notices == ()
    assert {path.name for path in (tmp_path / "my study").iterdir()} >= {"project.db", "assets", "cache", "exports"}


@pytest.mark.parametrize("name", ["研究 🙂", "a#b?c%20d&mode=ro", 'quote \' and "double"', "ends with dot.", "-x"])
def test_that_a_folder_may_have_any_name(tmp_path, name):
    with make_project(tmp_path / name) as project, Project.open(tmp_path / name) as reader:
        project.set_meta("title", "changed")
        assert reader.title == "changed"
        copy = project.save_copy(tmp_path / f"{name} (copy)")
    with Project.open(copy, must_write=True) as again:
        assert again.title == "changed"
    assert {item.name for item in tmp_path.iterdir()} == {name, f"{name} (copy)"}


def test_that_a_project_that_was_moved_is_the_same(folder, tmp_path):
    with Project.open(folder) as project:
        identity = project.id
    folder.rename(tmp_path / "moved")
    with Project.open(tmp_path / "moved", must_write=True) as project:
        assert project.id == identity


def test_that_the_title_is_the_folder_name_unless_one_is_given(tmp_path):
    with Project.create(tmp_path / "spring") as project:
        assert project.title == "spring"


def test_that_projects_differ_in_id_and_seed(tmp_path):
    with Project.create(tmp_path / "a") as first, Project.create(tmp_path / "b") as second:
        assert first.id != second.id
        assert first.seed != second.seed


@pytest.mark.parametrize("content", ["a file", "a folder with something in it"])
def test_that_nothing_is_made_over_something(tmp_path, content):
    place = tmp_path / "taken"
    if content == "a file":
        place.write_text("mine")
    else:
        place.mkdir()
        (place / "mine.txt").write_text("mine")
    with pytest.raises(BadInput, match="not empty"):
        Project.create(place)
    assert not (tmp_path / "taken" / DATABASE).exists()


def test_that_an_empty_folder_can_become_a_project(tmp_path):
    (tmp_path / "empty").mkdir()
    Project.create(tmp_path / "empty", title="Ports").close()
    with Project.open(tmp_path / "empty") as project:
        assert project.title == "Ports"


def test_that_a_folder_without_a_database_is_no_project(tmp_path):
    with pytest.raises(BadInput, match="studio new"):
        Project.open(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_that_the_database_keeps_a_write_ahead_log(folder):
    with Project.open(folder) as project:
        assert project.reading().execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert project.reading().execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_that_a_closed_project_says_so_and_can_be_closed_again(folder):
    project = Project.open(folder)
    project.close()
    project.close()
    with pytest.raises(StudioError, match="closed"):
        project.meta("title")


def test_that_closing_an_old_handle_leaves_a_later_holder_alone(folder):
    first = Project.open(folder)
    first.close()
    with Project.open(folder, must_write=True):
        first.close()
        assert Project.open(folder).is_read_only


def test_that_another_thread_than_the_opener_may_let_go(folder):
    project = Project.open(folder)
    closing = threading.Thread(target=project.close)
    closing.start()
    closing.join()
    with Project.open(folder, must_write=True) as again:
        assert not again.is_read_only


def test_that_a_second_opener_reads_and_is_told_who_holds_it(folder):
    with OtherProgram(HOLD, folder) as holder:
        assert holder.line() == "held"
        with Project.open(folder) as project:
            assert project.is_read_only
            (notice,) = project.notices
            assert "read-only" in notice
            assert f"process {holder.pid} on" in notice
            assert project.title == "changed elsewhere"
            with pytest.raises(StudioError, match=f"process {holder.pid}"):
                project.set_meta("title", "mine")
        with pytest.raises(ProjectLocked, match=f"process {holder.pid}") as caught:
            Project.open(folder, must_write=True)
        assert caught.value.next_step
        assert holder.finish() == 0
    with Project.open(folder, must_write=True) as project:
        assert project.title == "changed elsewhere"


def test_that_a_reader_sees_what_the_holder_writes_meanwhile(folder):
    with Project.open(folder) as writer, Project.open(folder) as reader:
        assert reader.is_read_only
        writer.set_meta("title", "first")
        assert reader.title == "first"
        writer.set_meta("title", "second")
        assert reader.title == "second"


def test_that_a_killed_holder_lets_go(folder):
    with OtherProgram(HOLD, folder) as holder:
        assert holder.line() == "held"
        holder.kill()
        with Project.open(folder, must_write=True) as project:
            assert not project.is_read_only
            assert project.title == "changed elsewhere"
            assert project.notices == ()


def test_that_a_stale_note_of_a_killed_holder_is_replaced(folder):
    with OtherProgram(HOLD, folder) as holder:
        assert holder.line() == "held"
        holder.kill()
    with Project.open(folder), Project.open(folder) as second:
        assert f"process {os.getpid()}" in second.notices[0]


def test_that_a_note_that_cannot_be_read_names_another_program(folder):
    with Project.open(folder):
        (folder / ".writer.json").write_text("{half", encoding="utf-8")
        with Project.open(folder) as second:
            assert "another program" in second.notices[0]


def test_that_a_project_of_a_newer_program_is_refused_and_left_alone(folder):
    with raw(folder) as db:
        db.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('podium-studio', 'm0999', '2031')"
        )
    db.close()
    before = (folder / DATABASE).read_bytes()
    with pytest.raises(ProjectTooNew, match="newer") as caught:
        Project.open(folder)
    assert "Update" in caught.value.next_step
    assert (folder / DATABASE).read_bytes() == before
    # It is not held either.
    with pytest.raises(ProjectTooNew):
        Project.open(folder, must_write=True)


def test_that_steps_of_other_sets_do_not_count_as_newer(folder):
    with raw(folder) as db:
        db.execute("INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('a plug-in', 'x', '2031')")
    db.close()
    with Project.open(folder) as project:
        assert not project.is_read_only


def _truncated(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def _random_bytes(path: Path) -> None:
    path.write_bytes(random.Random(3).randbytes(20_000))


def _scrambled_inside(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096:] = random.Random(4).randbytes(len(content) - 4096)
    path.write_bytes(bytes(content))


def _text(path: Path) -> None:
    path.write_text("dear diary")


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _of_another_program(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
    db.close()


@pytest.mark.parametrize(
    "damage",
    [_truncated, _random_bytes, _scrambled_inside, _text, _empty, _of_another_program],
    ids=lambda f: f.__name__,
)
def test_that_a_damaged_file_is_said_in_one_line_and_left_as_it_is(folder, damage):
    damage(folder / DATABASE)
    before = (folder / DATABASE).read_bytes()
    for _ in range(2):
        with pytest.raises(ProjectDamaged) as caught:
            Project.open(folder, must_write=True)
        assert "\n" not in str(caught.value)
        assert "study" in caught.value.message
        assert "saved copy" in caught.value.next_step
    assert (folder / DATABASE).read_bytes() == before


@pytest.fixture
def read_only(folder):
    """The folder on a mount that nobody can write to, since rights do not stop the superuser."""
    with Project.open(folder) as project:
        project.set_meta("title", "before")
    yield from _mounted_read_only(folder)


def _mounted_read_only(folder: Path):
    if os.geteuid() != 0:
        folder.chmod(0o555)
        yield folder
        folder.chmod(0o755)
        return
    if subprocess.run(["mount", "--bind", folder, folder], capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount, or not to be the superuser")
    try:
        if subprocess.run(["mount", "-o", "remount,ro,bind", folder], capture_output=True, check=False).returncode:
            pytest.skip("this machine cannot mount a folder read-only")
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def test_that_a_read_only_folder_opens_for_reading_and_says_why(read_only):
    with Project.open(read_only) as project:
        assert project.is_read_only
        assert project.title == "before"
        assert project.notices == ("Opened read-only: its folder or database cannot be written to.",)
        assert len(deck_store.list_decks(project)) == 8
        with pytest.raises(StudioError, match="cannot be written to") as caught:
            project.set_meta("title", "after")
        assert "save a copy" in caught.value.next_step
    with pytest.raises(ProjectLocked, match="cannot be written to"):
        Project.open(read_only, must_write=True)


def test_that_a_write_protected_database_opens_for_reading(folder):
    if os.geteuid() == 0:
        pytest.skip("rights do not stop the superuser")
    (folder / DATABASE).chmod(0o444)
    with Project.open(folder) as project:
        assert project.is_read_only
        assert "cannot be written to" in project.notices[0]
        assert project.title == "Test study"


def test_that_a_read_only_project_can_be_copied(read_only, tmp_path):
    with Project.open(read_only) as project:
        copy = project.save_copy(tmp_path / "copy")
    with Project.open(copy, must_write=True) as project:
        assert project.title == "before"


@pytest.mark.parametrize("has_index", [True, False])
def test_that_what_a_killed_writer_left_in_the_log_is_read_in_a_read_only_folder(folder, has_index):
    with OtherProgram(HOLD, folder) as holder:
        assert holder.line() == "held"
        holder.kill()
    assert (folder / f"{DATABASE}-wal").stat().st_size > 0
    if not has_index:
        (folder / f"{DATABASE}-shm").unlink()
    mounted = _mounted_read_only(folder)
    next(mounted)
    try:
        with Project.open(folder) as project:
            assert project.is_read_only
            assert project.title == "changed elsewhere"
    finally:
        next(mounted, None)


def test_that_the_first_step_makes_the_tables_in_an_empty_file(tmp_path):
    database = Database(tmp_path / "new.db", is_read_only=False)
    database.migrate()
    tables = set(database.reading().table_names())
    database.close()
    assert tables >= {"meta", "instances", "decks", "answer_events", "scores", "verdicts", "runs", "run_units"}


def test_that_a_step_that_fails_leaves_nothing_behind(tmp_path, monkeypatch):
    database = Database(tmp_path / "new.db", is_read_only=False)
    monkeypatch.setattr("studio.store.migrations.APPEND_ONLY", ("answer_events", "no_such_table"))
    with pytest.raises(sqlite3.OperationalError):
        database.migrate()
    assert "meta" not in database.reading().table_names()
    monkeypatch.undo()
    database.migrate()
    assert "meta" in database.reading().table_names()
    database.close()


def test_that_opening_twice_changes_nothing(folder):
    def dump() -> list[str]:
        db = raw(folder)
        try:
            return list(db.iterdump())
        finally:
            db.close()

    before = dump()
    for _ in range(2):
        Project.open(folder).close()
    assert dump() == before


def test_that_known_steps_are_those_that_are_applied(folder):
    with Project.open(folder) as project:
        assert {step.name for step in migrations.applied(project.reading())} == known_steps()
    assert "m0001_first" in known_steps()


def test_that_an_older_project_is_not_half_read_where_it_cannot_be_brought_up_to_date(folder):
    with raw(folder) as db:
        db.execute("DELETE FROM _sqlite_migrations")
    db.close()
    database = Database(folder / DATABASE, is_read_only=True)
    with pytest.raises(StudioError, match="older"):
        database.migrate()
    database.close()


def test_that_append_only_tables_refuse_changes(folder):
    with Project.open(folder) as project:
        _fill_append_only(project)
        for table in ("answer_events", "scores", "verdicts"):
            assert project.reading().execute(f"SELECT count(*) FROM {table}").fetchone() == (1,)
            for statement in (f"UPDATE {table} SET instance_id = 'x'", f"DELETE FROM {table}"):
                with pytest.raises(sqlite3.IntegrityError, match="append-only"), project.writing() as db:
                    db.execute(statement)
            assert project.reading().execute(f"SELECT count(*) FROM {table}").fetchone() == (1,)


def _fill_append_only(project: Project) -> None:
    from studio.model.answers import AnswerEvent, AnswerKind
    from studio.model.scores import Score, Verdict
    from studio.store import scores as score_store

    deck = deck_store.list_decks(project)[0]
    answer_store.append(
        project,
        AnswerEvent(
            seq=0, uid="u1", kind=AnswerKind.RANKING, instance_id=deck.instance_id,
            annotator_id=person(project, "Ada"), deck_id=None, item_key="", verb="note", state={"note": "x"}, at="now",
        ),
    )  # fmt: skip
    score_store.append_scores(
        project,
        [
            Score(
                run_id=None, metric="m", metric_version=1, preset="benchmark", deck_id=deck.id,
                instance_id=deck.instance_id, slide=None, value=1.0,
            )
        ],
    )  # fmt: skip
    score_store.append_verdicts(
        project,
        [
            Verdict(
                run_id=None, judge_id="code", model="", prompt_version="", instance_id=deck.instance_id,
                deck_id=deck.id, item_id="i1", verdict="yes",
            )
        ],
    )  # fmt: skip


@pytest.mark.parametrize("was_there", [True, False])
def test_that_a_full_disk_leaves_no_half_project_and_says_so(small_disk, was_there):
    folder = small_disk.folder / "study"
    if was_there:
        folder.mkdir()
    small_disk.fill()
    with pytest.raises(StudioError, match=r"full|space"):
        Project.create(folder)
    assert folder.exists() == was_there
    small_disk.free()
    Project.create(folder, title="Second").close()
    with Project.open(folder) as made:
        assert made.title == "Second"
