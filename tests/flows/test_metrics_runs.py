"""Metrics over a project: what is computed, what is cached, what cannot be, and what a kill leaves."""

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections import Counter

import psutil
import pytest

from studio.decks.tools import RenderTools
from studio.model.runs import RunState
from studio.store import runs as run_store
from studio.store import scores as score_store
from studio.store.project import Project
from tests.flows.conftest import command, environment
from tests.flows.made_here import instances, picture_deck
from tests.patience import wait_until
from tests.shared_files import shared, shared_root

# Whole runs in processes of their own; a guard against hanging that a slow machine never meets.
pytestmark = pytest.mark.timeout(580)

METRICS = (
    {f"aesthetics.{name}" for name in ("harmony", "engagement", "usability", "rhythm", "total")}
    | {f"cues.{name}" for name in ("whitespace", "edge_density", "balance", "text_density", "brightness_contrast")}
    | {"editability.pei"}
)
SAMPLE = (
    "pptx/tika__testPPT_various2.pptx",
    "pptx/shapecrawler__002 bar chart.pptx",
    "pptx/docling__powerpoint_malformed_pictures.pptx",
    "pdf/markitdown__test.pdf",
    "pdf/unstructured__rotated-page-90.pdf",
    "html/derived__reveal_math_static.html",
)


@pytest.fixture
def study(studio, tmp_path):
    """Return a function that makes a project from folders or files."""

    def make(*paths, render=True):
        project = tmp_path / "study"
        assert studio("new", project).code == 0
        ended = studio("import", project, *paths, *([] if render else ["--no-render"]))
        assert ended.code in {0, 1}, ended.err
        return project

    return make


def is_libreoffice(process):
    """Whether this is the program, or a worker that has LibreOffice's library in it."""
    try:
        return process.name() in {"oosplash", "soffice", "soffice.bin"} or any(
            "libsofficeapp" in part.path or "libmergedlo" in part.path for part in process.memory_maps()
        )
    except psutil.Error:
        return False


def units_done(folder):
    """Decks that have scores, those of the pictures and that of the file counted apart, as the units are."""
    return len({(score.deck_id, score.metric == "editability.pei") for score in scores_of(folder)})


def told(ended):
    """Return how many units a metrics run had to do, from what it said."""
    line = next(line for line in ended.err.splitlines() if line.startswith("Aesthetics"))
    return int(line.split(": ")[1].split()[0])


def scores_of(project):
    opened = Project.open(project)
    try:
        return score_store.current_scores(opened, with_slides=True)
    finally:
        opened.close()


def has_scores(project):
    """Whether a score is stored. A `Project` opened for this could take the writer's lock from the run that begins."""
    with contextlib.closing(sqlite3.connect(f"file:{project / 'project.db'}?mode=ro", uri=True)) as other:
        return other.execute("SELECT 1 FROM scores LIMIT 1").fetchone() is not None


def all_rows(project):
    """Return how often each score stands in the store, older ones too."""
    opened = Project.open(project)
    try:
        rows = opened.reading().query("SELECT metric, preset, deck_id, slide FROM scores")
        return Counter((row["metric"], row["preset"], row["deck_id"], row["slide"]) for row in rows)
    finally:
        opened.close()


def runs_of(project):
    opened = Project.open(project)
    try:
        return run_store.list_runs(opened)
    finally:
        opened.close()


def test_that_decks_of_every_format_get_a_row_for_every_metric(studio, study):
    project = study(*(shared(f"corpus/{name}") for name in SAMPLE))
    ended = studio("metrics", project, "--json")
    rows = ended.json
    assert Counter(row["metric"] for row in rows) == dict.fromkeys(METRICS, 6)
    assert len({row["deck_id"] for row in rows}) == 6
    assert {row["preset"] for row in rows} == {"benchmark"}
    for row in rows:
        assert (row["value"] is None) != (row["undefined_reason"] is None), row
    assert ended.code == 0, ended.err
    # Whatever has slides has colours.
    assert all(row["value"] is not None for row in rows if row["metric"] == "aesthetics.engagement")

    again = studio("metrics", project, "--json")
    assert (told(again), again.json) == (0, rows)
    assert "12 done before" in again.err
    some = studio("metrics", project, "--metrics", "aesthetics.total,aesthetics.rhythm", "--json")
    assert [row for row in rows if row["metric"] in {"aesthetics.total", "aesthetics.rhythm"}] == sorted(
        some.json, key=rows.index
    )
    assert studio("export", project, "--table", "scores", "--json").code == 0


def test_that_hidden_slides_are_not_measured(studio, study):
    deck = shared("corpus/pptx/tika__testPPT_various2.pptx")
    facts = studio("inspect", deck).json
    assert facts["hidden_slides"] == 1
    project = study(deck)
    studio("metrics", project)
    slides = {score.slide for score in scores_of(project) if score.slide is not None}
    assert len(slides) == facts["slides"] - 1
    (row,) = studio("decks", project, "--json").json
    assert row["pages_rendered"] == facts["slides"] - 1


def test_that_failed_decks_get_undefined_scores_with_the_reason(studio, study, tmp_path):
    folder = tmp_path / "mixed"
    picture_deck(folder / "Good", seed=1)
    (folder / "Empty.pptx").write_bytes(b"")
    shutil.copy(shared("corpus/bad/tika__testPPT_protected_passtika.pptx"), folder / "Locked.pptx")
    shutil.copy(shared("corpus/pptx/python-pptx__no-slides.pptx"), folder / "Bare.pptx")
    project = study(folder)
    ended = studio("metrics", project, "--json")
    assert ended.code == 1
    reasons = {(row["system"], row["undefined_reason"].split(":")[0]) for row in ended.json if row["system"] != "Good"}
    assert reasons == {("Empty", "empty"), ("Locked", "needs_password"), ("Bare", "no_slides")}
    assert all(row["value"] is None for row in ended.json if row["system"] != "Good")
    assert len(ended.json) == 4 * len(METRICS)
    before = all_rows(project)
    assert studio("metrics", project).code == 1
    assert all_rows(project) == before
    plain = studio("metrics", project).out
    assert "needs_password" in plain


def test_that_a_run_again_does_only_what_is_left(studio, study, tmp_path):
    project = study(instances(tmp_path / "material", ["alpha"], systems=("Aster", "Birch", "Cedar")))
    first = studio("metrics", project, "--json")
    assert (first.code, told(first)) == (0, 6)
    assert studio("metrics", project, "--workers", 1).code == 0
    once = all_rows(project)
    assert set(once.values()) == {1}

    # A new deck: its pictures and its file.
    picture_deck(tmp_path / "material" / "alpha" / "decks" / "Dahlia", seed=77)
    studio("import", project, tmp_path / "material")
    assert told(studio("metrics", project)) == 2
    # Another preset: each deck once more, under its own name.
    other = studio("metrics", project, "--preset", "paper-text", "--json")
    assert told(other) == 8
    assert {row["preset"] for row in other.json} == {"paper-text"}
    assert told(studio("metrics", project, "--preset", "paper-text")) == 0
    assert told(studio("metrics", project)) == 0
    # Force: all again, and the newest counts.
    forced = studio("metrics", project, "--force", "--json")
    assert told(forced) == 8
    values = {(row["system"], row["metric"]): row["value"] for row in first.json}
    assert {(row["system"], row["metric"]): row["value"] for row in forced.json}.items() >= values.items()


def test_that_a_deleted_cache_is_rendered_anew_and_nothing_is_measured_twice(studio, study, tmp_path):
    project = study(instances(tmp_path / "material", ["alpha"], systems=("Aster", "Birch")))
    first = studio("metrics", project, "--json").json
    shutil.rmtree(project / "cache")
    again = studio("metrics", project, "--json")
    assert "Render decks: 2 to do" in again.err
    assert (again.code, told(again), again.json) == (0, 0, first)
    # One deck's pages gone: one rendering.
    shutil.rmtree(next((project / "cache").iterdir()))
    assert "Render decks: 1 to do" in studio("metrics", project).err


def test_that_a_rendering_that_failed_is_tried_again(studio, study, tmp_path, monkeypatch):
    project = study(shared("corpus/pptx/docling__powerpoint_malformed_pictures.pptx"), render=False)
    with monkeypatch.context() as without:
        without.setattr("studio.cli.metrics.tools", lambda: RenderTools(libreoffice=None, chromium=None))
        missing = studio("metrics", project, "--json")
    assert missing.code == 1
    assert {row["value"] for row in missing.json if row["metric"] != "editability.pei"} == {None}
    assert "LibreOffice" in missing.json[0]["undefined_reason"]
    status = studio("status", project, "--json").json
    assert "LibreOffice" in status["render_failed"][0]["reason"]
    now = studio("metrics", project, "--json")
    assert (now.code, told(now)) == (0, 1)
    assert any(row["value"] is not None for row in now.json)
    assert studio("status", project, "--json").json["render_failed"] == []


def test_that_values_stay_when_their_deck_cannot_be_rendered_today(studio, study, monkeypatch):
    project = study(shared("corpus/pptx/docling__powerpoint_malformed_pictures.pptx"))
    first = studio("metrics", project, "--json").json
    shutil.rmtree(project / "cache")
    with monkeypatch.context() as without:
        without.setattr("studio.cli.metrics.tools", lambda: RenderTools(libreoffice=None, chromium=None))
        missing = studio("metrics", project, "--json")
    assert (missing.code, missing.json) == (1, first)
    assert studio("metrics", project, "--json").json == first


def start(project):
    """Start a metrics run as its own process and wait until some units are stored."""
    running = subprocess.Popen(
        command("metrics", project, "--json", "--workers", 2),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        wait_until(lambda: has_scores(project) or running.poll() is not None, "no unit was stored", within_s=300)
    except BaseException:
        # A test that gives up leaves no run behind.
        os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
        raise
    assert running.poll() is None, running.communicate()[1]
    return running


@pytest.fixture
def long_study(study, tmp_path):
    return study(instances(tmp_path / "material", ["alpha", "beta"], slides=6))


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_that_a_killed_run_is_taken_up_where_it_stopped(studio, long_study):
    running = start(long_study)
    family = [psutil.Process(running.pid), *psutil.Process(running.pid).children(recursive=True)]
    running.kill()
    running.communicate(timeout=120)
    wait_until(lambda: not any(alive(one) for one in family), "a process goes on")
    done = units_done(long_study)
    assert 0 < done < 20
    assert len(studio("status", long_study, "--json").json["open_runs"]) == 1
    assert runs_of(long_study)[0].state is RunState.INTERRUPTED

    rest = studio("metrics", long_study, "--json")
    assert (rest.code, told(rest)) == (0, 20 - done)
    rows = all_rows(long_study)
    assert set(rows.values()) == {1}
    # 10 decks: every metric, and for each of 6 slides all but the total and editability.
    assert len(rows) == 10 * (len(METRICS) + 6 * (len(METRICS) - 2))
    assert [run.state for run in runs_of(long_study)][:2] == [RunState.DONE, RunState.INTERRUPTED]
    # The second run has done what the first one could not: nothing is left open.
    assert studio("status", long_study, "--json").json["open_runs"] == []


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_that_an_interrupt_keeps_what_is_done_and_leaves_no_process(studio, long_study):
    running = start(long_study)
    family = [psutil.Process(running.pid), *psutil.Process(running.pid).children(recursive=True)]
    # The whole group, as Ctrl-C in a terminal does.
    os.killpg(running.pid, signal.SIGINT)
    _, error = running.communicate(timeout=120)
    assert running.returncode == 130, error
    assert "Traceback" not in error
    wait_until(lambda: not any(alive(one) for one in family), "a process goes on")
    assert runs_of(long_study)[0].state is RunState.CANCELLED
    done = units_done(long_study)
    assert 0 < done < 20
    assert told(studio("metrics", long_study)) == 20 - done
    assert set(all_rows(long_study).values()) == {1}


def alive(process):
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_that_an_interrupt_while_rendering_stops_libreoffice_and_measures_nothing(study, tmp_path):
    folder = tmp_path / "decks"
    folder.mkdir()
    for number in range(6):
        shutil.copy(shared("corpus/pptx/pptx-glimpse__real-financial-report.pptx"), folder / f"S{number}.pptx")
        # Another file each: equal ones would share their pages.
        with (folder / f"S{number}.pptx").open("ab") as file:
            file.write(bytes(number))
    project = study(folder, render=False)
    running = subprocess.Popen(
        command("metrics", project, "--workers", 1),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    parent = psutil.Process(running.pid)
    wait_until(
        lambda: any(is_libreoffice(one) for one in parent.children(recursive=True)),
        "LibreOffice did not start",
        within_s=120,
    )
    family = [parent, *parent.children(recursive=True)]
    # The whole group, as Ctrl-C in a terminal does.
    os.killpg(running.pid, signal.SIGINT)
    _, error = running.communicate(timeout=120)
    assert running.returncode == 130, error
    wait_until(lambda: not any(alive(one) for one in family), "a process goes on")
    assert scores_of(project) == []
    assert [run.kind.value for run in runs_of(project)] == ["render"]


@pytest.mark.slow
@pytest.mark.corpus
@pytest.mark.timeout(580)
def test_that_the_whole_corpus_is_measured_and_the_rest_has_reasons(studio, study):
    shared("corpus/pptx")
    project = study(*(shared_root() / "corpus" / name for name in ("pptx", "pdf", "html", "bad")))
    ended = studio("metrics", project, "--json")
    assert ended.code == 1
    decks = {row["deck_id"]: row for row in studio("decks", project, "--json").json}
    assert len(ended.json) == len(METRICS) * len(decks)
    measured = {
        row["deck_id"] for row in ended.json if row["metric"] == "aesthetics.rhythm" and row["value"] is not None
    }
    for row in ended.json:
        deck = decks[row["deck_id"]]
        assert (row["value"] is None) != (row["undefined_reason"] is None), row
        if deck["status"] == "failed":
            assert row["undefined_reason"].startswith(f"{deck['failure']['kind']}: "), row
    rendered = {deck_id for deck_id, deck in decks.items() if deck["pages_rendered"]}
    assert measured == rendered
    assert {deck["system"] for deck_id, deck in decks.items() if deck_id not in rendered} == {
        "python-pptx__no-slides",
        "unstructured__password",
        "derived__empty",
        "derived__pdf_truncated",
        "derived__png_named",
        "derived__truncate_half",
        "pdfjs__poppler-85140-0",
        "poi__clusterfuzz-testcase-minimized-POIXSLFFuzzer-5463285576892416",
        "tika__testPPT_protected_passtika",
    }
    again = studio("metrics", project, "--json")
    assert again.json == ended.json
    # Blocked again: the pictures of decks without pages, and the editability of files that cannot be read.
    unreadable = [deck for deck in decks.values() if deck["status"] == "failed"]
    assert told(again) == len(decks) - len(rendered) + len(unreadable) == 17
