import json
import shlex
import subprocess
import sys

import click
import pytest

from studio.cli import commands, main
from studio.errors import StudioError
from tests.flows.conftest import command, environment
from tests.flows.made_here import instances, picture_deck, write_csv

COMMANDS = (
    "demo", "gui", "doctor", "new", "import", "status", "decks", "replace", "rename", "remove",
    "find-files", "undo", "inspect", "render", "metrics", "regions", "find", "pei", "rules",
    "checklist", "score", "judge", "quiz", "judges", "runs", "presets", "reference", "perturb",
    "reflex", "agree", "align", "review", "leaderboard", "snapshot", "ablate", "tune", "ve-matrix",
    "export", "import-table", "plots", "cases", "release", "report", "study", "people", "pack",
    "privacy", "cache",
)  # fmt: skip


@pytest.fixture
def project(studio, tmp_path):
    folder = tmp_path / "study"
    assert studio("new", folder).code == 0
    return folder


@pytest.mark.parametrize("name", COMMANDS)
def test_that_every_command_has_help_with_an_example(studio, name):
    shown = studio(name, "--help")
    assert shown.code == 0
    assert shown.err == ""
    assert f"Example: studio {name}" in " ".join(shown.out.split())


def test_that_the_list_of_commands_names_each_once(studio):
    shown = studio("--help")
    assert shown.code == 0
    assert [line.split()[0] for line in shown.out.split("Commands:")[1].splitlines() if line.strip()] == list(COMMANDS)
    assert tuple(commands.SUBCOMMANDS) == COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_that_a_listed_command_is_there_under_its_name(name):
    group = main.studio
    found = group.get_command(click.Context(group), name)
    assert found is not None
    assert found.name == name


def test_that_the_version_is_printed(studio):
    assert studio("--version").out.startswith("studio, version ")


def test_that_no_command_shows_the_help_and_counts_as_bad_usage(studio):
    shown = studio()
    assert shown.code == 2
    assert shown.out == ""
    assert "Commands:" in shown.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["frobnicate"], "frobnicate"),
        (["status"], "PROJECT"),
        (["status", "study", "--bogus"], "--bogus"),
        (["status", "nowhere"], "nowhere is not a project"),
        (["decks", "nowhere"], "nowhere is not a project"),
        (["metrics", "nowhere"], "nowhere is not a project"),
        (["agree", "nowhere"], "nowhere is not a project"),
        (["agree", "study", "--human", "ratings"], "Ratings need a dimension"),
        (["align", "nowhere"], "nowhere is not a project"),
        (["report", "nowhere"], "nowhere is not a project"),
        (["export", "nowhere", "--table", "rankings"], "nowhere is not a project"),
        (["import", "nowhere", "study"], "nowhere is not a project"),
        (["import-table", "nowhere", "x.csv"], "nowhere is not a project"),
        (["gui", "nowhere"], "not a project"),
        (["new", "study"], "not empty"),
        (["import", "study"], "PATHS"),
        (["import", "study", "nothing-here"], "nothing-here"),
        (["import", "study", "study", "--layout", "odd"], "odd"),
        (["import-table", "study", "nothing.csv"], "nothing.csv"),
        (["import-table", "study", "study"], "study"),
        (["metrics"], "--images"),
        (["metrics", "study", "--images", "x"], "not both"),
        (["metrics", "study", "--boxes", "x"], "--images"),
        (["metrics", "study", "--preset", "odd"], "benchmark"),
        (["metrics", "study", "--metrics", "beauty"], "aesthetics.total"),
        (["metrics", "study", "--workers", "0"], "--workers"),
        (["metrics", "--images", "nothing"], "nothing"),
        (["metrics", "--images", "study/assets"], "no slide pictures"),
        (["metrics", "--images", "study", "--preset", "odd"], "benchmark"),
        (["align", "study", "--metric", "beauty"], "beauty"),
        (["align", "study", "--level", "odd"], "odd"),
        (["export", "study"], "--table"),
        (["export", "study", "--table", "beauty"], "rankings"),
        (["export", "study", "--table", "scores", "--format", "xlsx"], "xlsx"),
        (["export", "study", "--table", "scores", "--out", "study/project.db/x.csv"], "x.csv"),
        (["report", "study", "--out", "study/project.db/x.html"], "x.html"),
        (["perturb", "nothing.pptx", "--metric", "flow", "--degree", "1", "--out", "worse"], "nothing.pptx"),
        (["perturb", "study", "--metric", "beauty", "--degree", "1", "--out", "worse"], "beauty"),
        (["perturb", "study", "--metric", "flow", "--degree", "5", "--out", "worse"], "--degree"),
        (["reflex", "score", "nothing.pptx"], "nothing.pptx"),
        (["reflex", "evaluate", "study", "--seeds", "one"], "--seeds"),
        (["reflex", "train", "nowhere", "--out", "model.npz"], "nowhere is neither"),
        (["render", "nothing.pptx", "--out", "pages"], "nothing.pptx"),
        (["render", "study/project.db", "--out", "pages"], "project.db"),
        (["render", "study/project.db"], "--out"),
        (["render", "study/project.db", "--out", "pages", "--size", "wide"], "1280x720"),
        (["render", "study/project.db", "--out", "pages", "--size", "3x3"], "1280x720"),
        (["render", "study/project.db", "--out", "pages", "--size", "99999x720"], "1280x720"),
    ],
)
def test_that_a_mistake_is_one_line_with_exit_code_2(studio, project, monkeypatch, arguments, says):
    monkeypatch.chdir(project.parent)
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert says in studio(*arguments).error_line
    assert not (project.parent / "pages").exists()


@pytest.mark.parametrize("as_json", [True, False])
def test_that_a_mistake_prints_no_document(studio, project, as_json):
    assert studio("align", project, "--metric", "m", *(["--json"] if as_json else [])).error_line


def test_that_a_project_of_a_file_or_a_damaged_database_is_refused(studio, project, tmp_path):
    (tmp_path / "file").write_text("x")
    assert "not a project" in studio("status", tmp_path / "file").error_line
    (project / "project.db").write_bytes(b"no database at all" * 100)
    for name in (".writer.json", "project.db-wal", "project.db-shm"):
        (project / name).unlink(missing_ok=True)
    assert "study" in studio("status", project).error_line


def test_that_each_json_command_prints_one_document_and_nothing_else(studio, project, tmp_path):
    material = instances(tmp_path / "material", ["alpha"], systems=("Aster", "Birch"))
    deck = picture_deck(tmp_path / "deck", seed=5)
    table = write_csv(
        tmp_path / "r.csv", [{"instance_id": "alpha", "annotator_id": "Ada", "system": "Aster", "rank": 1}]
    )
    for arguments, kind in (
        (["new", tmp_path / "other"], dict),
        (["import", project, material], dict),
        (["import-table", project, table], dict),
        (["metrics", project, "--workers", 1], list),
        (["metrics", "--images", deck], dict),
        (["status", project], dict),
        (["decks", project], list),
        (["inspect", deck], dict),
        (["render", deck, "--out", tmp_path / "pages"], dict),
        (["agree", project], list),
        (["align", project], dict),
        (["export", project, "--table", "scores"], dict),
        (["report", project, "--out", tmp_path / "report.html"], dict),
        (["doctor"], list),
    ):
        ended = studio(*arguments, "--json")
        assert isinstance(ended.json, kind), arguments
        assert ended.out.endswith("\n"), arguments
        assert ended.code in {0, 1}, arguments


def test_that_new_json_names_id_and_path(studio, tmp_path):
    made = studio("new", tmp_path / "a study", "--title", "My study", "--json").json
    assert made["project_id"]
    assert made["path"] == str(tmp_path / "a study")
    assert studio("status", tmp_path / "a study", "--json").json["title"] == "My study"


def test_that_the_doctor_never_shows_a_key(studio, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-value")
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    plain, ended = studio("doctor"), studio("doctor", "--json")
    assert "sk-secret" not in plain.out + plain.err + ended.out + ended.err
    rows = {row["check"]: row for row in ended.json}
    assert rows["key OPENAI_API_KEY"]["detail"] == "present (environment)"
    assert rows["key GEMINI_API_KEY"]["detail"] == "not set"
    assert {"LibreOffice", "Chromium", "fonts, Latin"} <= rows.keys()


def test_that_a_fault_is_one_line_and_keeps_its_traceback_in_the_log(studio, home, monkeypatch, project):
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("inner detail")

    monkeypatch.setattr("studio.actions.projects.status", broken)
    ended = studio("status", project)
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err.count("\n") == 1
    assert "A fault of the studio" in ended.err
    assert "ZeroDivisionError: inner detail" in (home / "log" / "terminal.log").read_text()


def test_that_a_message_over_several_lines_becomes_one(studio, monkeypatch, project):
    def refused(*_: object, **__: object) -> None:
        raise StudioError("first\nsecond", next_step="third")

    monkeypatch.setattr("studio.actions.projects.status", refused)
    assert studio("status", project).error_line == "studio: first second third"


def test_that_help_and_status_import_no_heavy_library(process, project):
    heavy = {"scipy", "cv2", "pymupdf", "PySide6", "rich", "jinja2", "pptx"}
    program = (
        "import sys; from studio.cli.main import run; code = run(sys.argv[1:]); "
        f"print(sorted({heavy!r} & sys.modules.keys()), 'numpy' in sys.modules, file=sys.stderr); sys.exit(code)"
    )
    for arguments, numpy in ((["--help"], False), (["status", str(project)], None), (["new", "--help"], None)):
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            env=environment(),
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        said = done.stderr.splitlines()[-1]
        assert said.startswith("[]"), (arguments, said)
        if numpy is not None:
            assert said.endswith(str(numpy)), (arguments, said)


def test_that_exit_codes_and_streams_of_a_process_are_kept_apart(process, project):
    good = process("status", project, "--json")
    assert (good.code, good.err) == (0, "")
    assert good.json["decks"] == 0
    bad = process("status", "nowhere")
    assert bad.error_line.startswith("studio: nowhere is not a project")
    unread = process("inspect", "nowhere.pptx")
    assert unread.code == 1
    assert unread.json["failure"]["kind"] == "not_found"


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_that_a_closed_stream_is_no_failure(project, home, closed):
    # No test harness closes a stream of its own; a shell does.
    line = shlex.join(command("decks", project))
    done = subprocess.run(f"{line} {closed}", shell=True, env=environment(), capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("" if ">&-" in closed and closed != "2>&-" else "instance")
    assert not (home / "log" / "terminal.log").exists()


def test_that_names_are_shown_as_they_are_and_not_as_markup(studio, project, tmp_path):
    names = ("[draft] a", "[bold]b[", 'a, "c"', "系统 😀")
    material = instances(tmp_path / "material", ["topic"], systems=names)
    assert studio("import", project, material, "--no-render").code == 0
    shown = studio("decks", project)
    assert shown.code == 0, shown.err
    for name in names:
        assert name in shown.out


def test_that_json_loses_no_character_where_stdout_is_not_utf_8(process, project, studio, tmp_path):
    material = instances(tmp_path / "material", ["topic"], systems=("系统 😀",))
    assert studio("import", project, material, "--no-render").code == 0
    shown = process("decks", project, "--json", PYTHONIOENCODING="latin-1")
    assert shown.code == 0, shown.err
    assert json.loads(shown.out)[0]["system"] == "系统 😀"
    table = process("decks", project, PYTHONIOENCODING="latin-1")
    assert (table.code, table.err) == (0, "")


def test_that_a_reader_that_goes_away_is_no_failure(project, studio, tmp_path):
    material = instances(tmp_path / "material", [f"topic-{number}" for number in range(40)], systems=("Aster",))
    assert studio("import", project, material, "--no-render").code == 0
    running = subprocess.Popen(
        command("decks", project, "--json"), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    # 40 rows are more than a pipe holds (64 KiB would take 60; so read one byte and close).
    assert running.stdout.read(1) == b"["
    running.stdout.close()
    error = running.stderr.read().decode()
    running.stderr.close()
    assert running.wait(60) == 0, error
    assert error == ""


def test_that_the_window_without_a_display_is_refused_clearly(process):
    bare = {name: "" for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")}
    assert "no display" in process("gui", **bare).error_line


def test_that_output_is_utf_8_under_any_locale(process, project, studio, tmp_path):
    material = instances(tmp_path / "material", ["茶叶 “1”"], systems=("Système é",))
    assert studio("import", project, material, "--no-render").code == 0
    shown = process("decks", project, "--json", LC_ALL="C", LANG="C", PYTHONIOENCODING="", PYTHONUTF8="")
    assert shown.code == 0, shown.err
    assert json.loads(shown.out)[0]["system"] == "Système é"
    plain = process("decks", project, LC_ALL="C", LANG="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert plain.code == 0, plain.err
    assert "Système é" in plain.out


def test_that_the_window_is_not_opened_on_a_folder_that_is_no_project(studio, tmp_path, monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    ended = studio("gui", tmp_path / "nowhere")
    assert ended.code == 2
    assert "nowhere is not a project" in ended.error_line
