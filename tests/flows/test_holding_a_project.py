"""Two programs on one project: one writes, the others read."""

import subprocess
import sys

import pytest

from tests.flows.conftest import environment
from tests.flows.made_here import instances, ranking_rows, write_csv

HOLD = """
import sys
from pathlib import Path
from studio.store.project import Project
sys.argv[0] = "holding-program"
project = Project.open(Path(sys.argv[1]), must_write=True)
print("held", flush=True)
sys.stdin.readline()
project.close()
"""


@pytest.fixture
def held(studio, tmp_path):
    """Yield a project that another process holds for writing, and that process."""
    project = tmp_path / "study"
    material = instances(tmp_path / "material", ["alpha"], systems=("Aster", "Birch", "Cedar"))
    assert studio("new", project).code == 0
    assert studio("import", project, material).code == 0
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(project)],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout.readline() == "held\n"
    yield project, holder
    holder.kill()
    holder.communicate(timeout=60)


def test_that_writing_commands_are_refused_and_name_the_holder(studio, held, tmp_path):
    project, holder = held
    table = write_csv(tmp_path / "r.csv", ranking_rows({"alpha": {"Aster": 1, "Birch": 2, "Cedar": 3}}))
    for arguments in (
        ["import", project, tmp_path / "material"],
        ["import-table", project, table],
        ["metrics", project],
        ["demo", "--headless", "--folder", project],
    ):
        line = studio(*arguments).error_line if arguments[0] != "demo" else studio(*arguments).err
        assert str(holder.pid) in line, arguments
        assert "holding-program" in line, arguments


def test_that_reading_commands_work_and_say_so(studio, held, tmp_path):
    project, holder = held
    for arguments, kind in (
        (["status", project], dict),
        (["decks", project], list),
        (["align", project], dict),
        (["export", project, "--table", "scores", "--out", tmp_path / "s.csv"], dict),
        (["report", project, "--out", tmp_path / "r.html"], dict),
    ):
        ended = studio(*arguments, "--json")
        assert ended.code == 0, arguments
        assert isinstance(ended.json, kind)
        assert "read-only" in ended.err
        assert str(holder.pid) in ended.err
    assert studio("status", project, "--json").json["read_only"] is True


def test_that_a_killed_holder_lets_go_by_itself(studio, held, tmp_path):
    project, holder = held
    holder.kill()
    holder.wait(60)
    table = write_csv(tmp_path / "r.csv", ranking_rows({"alpha": {"Aster": 1, "Birch": 2, "Cedar": 3}}))
    assert studio("import-table", project, table).code == 0
    assert studio("status", project, "--json").json["read_only"] is False
