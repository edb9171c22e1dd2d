"""studio privacy, cache, status and render with a password, as a person types them."""

from __future__ import annotations

import io
import json
import sys
import threading

import pytest
from msoffcrypto.format.ooxml import OOXMLFile
from pptx import Presentation

from studio.actions.decks import import_paths
from studio.actions.projects import new_project
from studio.cli.main import run
from studio.decks.render import find_tools
from tests.unit.decks.decks_made_here import write_deck

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("PODIUM_HOME", str(tmp_path / "home"))


def _said(capsys) -> object:
    return json.loads(capsys.readouterr().out)


def test_that_privacy_of_a_project_names_decks_places_and_systems(tmp_path, capsys):
    folder = tmp_path / "decks" / "task"
    folder.mkdir(parents=True)
    for system in ("Alpha", "Beta"):
        write_deck(folder / f"{system}.pptx", [f"By {system} for you"], notes={1: "speak slowly"})
    project = new_project(tmp_path / "study")
    import_paths(project, [tmp_path / "decks"], emit=lambda _: None, cancel=threading.Event())
    project.close()
    assert run(["privacy", str(tmp_path / "study"), "--json"]) == 0
    rows = _said(capsys)
    assert {row["system"] for row in rows} == {"Alpha", "Beta"}
    for row in rows:
        found = {(item["where"], item["name"], item["slide"], item["stripped_in_packs"]) for item in row["findings"]}
        assert ("slide_text", row["system"], 1, False) in found
        assert ("file_name", row["system"], None, True) in found
        assert ("notes", None, 1, True) in found


def test_that_privacy_of_a_file_takes_systems_and_says_what_it_cannot_read(tmp_path, capsys):
    deck = write_deck(tmp_path / "deck.pptx", ["Made by Zeta Tool"])
    presentation = Presentation(str(deck))
    presentation.core_properties.author = "PptxGenJS"
    presentation.save(str(deck))
    assert run(["privacy", str(deck), "--system", "zeta-tool", "--json"]) == 0
    (row,) = _said(capsys)
    assert {"zeta-tool", "PptxGenJS"} <= {item["name"] for item in row["findings"]}
    assert run(["privacy", str(tmp_path / "nothing.pptx")]) == 2
    assert "not found" in capsys.readouterr().err


def test_that_cache_and_status_tell_and_free_the_room(tmp_path, capsys):
    tools = find_tools()
    if tools.libreoffice is None:
        pytest.skip("LibreOffice is not installed")
    folder = tmp_path / "decks" / "task"
    folder.mkdir(parents=True)
    write_deck(folder / "Alpha.pptx", ["one slide"])
    study = str(tmp_path / "study")
    assert run(["new", study, "--json"]) == 0
    assert run(["import", study, str(tmp_path / "decks"), "--json"]) == 0
    capsys.readouterr()
    assert run(["status", study, "--json"]) == 0
    held = _said(capsys)["cache_bytes"]
    assert held > 0
    assert run(["cache", "show", study, "--json"]) == 0
    facts = _said(capsys)
    assert (facts["decks"], facts["bytes"], facts["limit_bytes"]) == (1, held, 4_096_000_000)
    assert run(["cache", "clear", study, "--json"]) == 0
    assert _said(capsys) == {"freed_bytes": held}
    assert run(["status", study, "--json"]) == 0
    assert _said(capsys)["cache_bytes"] == 0


def test_that_render_takes_a_password_from_standard_input_and_hidden_slides(tmp_path, capsys, monkeypatch):
    tools = find_tools()
    if tools.libreoffice is None:
        pytest.skip("LibreOffice is not installed")
    plain = write_deck(tmp_path / "plain.pptx", ["one", "two"], hidden=[2])
    locked = tmp_path / "locked.pptx"
    with plain.open("rb") as source, locked.open("wb") as out:
        OOXMLFile(source).encrypt("word of pass", out)
    assert run(["render", str(locked), "--out", str(tmp_path / "no")]) == 2
    assert "password" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", io.StringIO("word of pass\n"))
    arguments = ["render", str(locked), "--out", str(tmp_path / "out"), "--password-stdin", "--hidden", "--json"]
    assert run(arguments) == 0
    values = _said(capsys)
    assert [(page["slide"], page["page"], page["hidden"]) for page in values["pages"]] == [(1, 1, False), (2, 2, True)]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["slide_0001.png", "slide_0002.png"]
