"""The demo project, from nothing to its report; it builds real decks, so most of this is slow."""

import json
import re
import shutil
import subprocess
import time

import pytest

from tests.flows.conftest import ROOT, command, environment

pytestmark = [
    pytest.mark.slow,
    # Three builds, two of them killed: minutes on a machine that has other work too. Guards against hanging only.
    pytest.mark.timeout(1800),
    pytest.mark.skipif(shutil.which("soffice") is None, reason="the demo's decks need LibreOffice"),
    pytest.mark.skipif(not (ROOT / "projects/demo/recipe.py").is_file(), reason="this checkout has no demo recipe"),
]
METHODS = [
    *(f"aesthetics.{name}" for name in ("total", "harmony", "engagement", "usability", "rhythm")),
    *(f"cues.{name}" for name in ("whitespace", "edge_density", "balance", "text_density", "brightness_contrast")),
    "editability.pei",
    *(f"code/checklist{part}" for part in ("", ".design", ".fundamentals")),
    "scripted:demo/checklist",
    *(
        f"scripted:demo/checklist.{dimension}"
        for dimension in ("completeness", "correctness", "design", "fidelity", "fundamentals")
    ),
    *(f"scripted:demo/rating{part}" for part in ("", ".engagement", ".harmony", ".rhythm", ".usability")),
]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Return a home with the demo built after two calls that were killed half-way, and how the third ended."""
    home = tmp_path_factory.mktemp("home")
    for until in ("Building", "Render decks"):
        killed_after(until, home)
    done = subprocess.run(
        command("demo", "--headless", "--json"),
        env=environment(PODIUM_HOME=str(home)),
        capture_output=True,
        text=True,
        timeout=1500,
    )
    return home, done


def killed_after(line_begins, home):
    running = subprocess.Popen(
        command("demo", "--headless"),
        env=environment(PODIUM_HOME=str(home)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    for line in running.stderr:
        if line.startswith(line_begins):
            break
    time.sleep(0.3)
    running.kill()
    running.communicate(timeout=60)


@pytest.fixture
def at_home(built, monkeypatch):
    monkeypatch.setenv("PODIUM_HOME", str(built[0]))
    return built[0]


def test_that_a_call_after_killed_ones_ends_with_the_methods_table(built):
    home, done = built
    assert done.returncode == 0, done.stderr
    table = json.loads(done.stdout)
    assert table["level"] == "instance"
    assert table["sample_data"] is True
    assert [method["method"] for method in table["methods"]] == METHODS
    for method in table["methods"]:
        assert method["n_total"] == 5
        if method["method"] == "code/checklist.fundamentals":
            # Every deck of the demo meets these items, and equal values have no order.
            assert method["undefined"]["constant"] == 5
            continue
        assert -1 <= method["ci_low"] <= method["mean_rho"] <= method["ci_high"] <= 1
    assert str(home / "data" / "demo" / "exports" / "report.html") in done.stderr
    assert "Traceback" not in done.stderr
    assert [path.name for path in (home / "data").iterdir()] == ["demo"]


def test_that_the_report_is_one_file_that_says_it_is_invented(built):
    text = (built[0] / "data" / "demo" / "exports" / "report.html").read_text(encoding="utf-8")
    assert "invented" in text
    # Nothing is fetched: no address, no script, no file beside it.
    assert re.findall(r"https?:|//[a-z]|<script|<link|<iframe|@import|url\(|\ssrc=|\shref=", text) == []
    assert "default-src 'none'" in text
    assert text.count("<svg") >= len(METHODS)
    assert "nan" not in re.findall(r"[a-z]+", text.lower())


def test_that_the_second_call_builds_and_measures_nothing_and_says_the_same(studio, built, at_home):
    again = studio("demo", "--headless")
    assert again.code == 0
    assert "50 done before" in again.err
    assert "Building" not in again.err
    assert [line.split()[0] for line in again.out.splitlines()[1 : 1 + len(METHODS)]] == METHODS
    assert "invented sample data" in again.out


def test_that_the_demo_s_decks_are_all_there(studio, at_home):
    status = studio("status", at_home / "data" / "demo", "--json").json
    assert (status["instances"], status["systems"], status["decks"], status["rendered"]) == (5, 5, 25, 25)
    assert status["rankings"] == {"submitted": 15}
    assert status["missing_files"] == []
