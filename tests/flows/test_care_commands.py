"""studio remove, rename, replace and undo, as a person types them."""

from __future__ import annotations

import json

import pymupdf
import pytest

from studio.cli.main import run
from studio.decks import workers
from tests.projects import SYSTEMS, make_project, rank


@pytest.fixture(autouse=True)
def _own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("PODIUM_HOME", str(tmp_path / "home"))


@pytest.fixture(autouse=True, scope="module")
def _workers_end():
    """Stop the reader processes, which otherwise stay for the next file."""
    yield
    workers.shutdown()


@pytest.fixture
def study(tmp_path) -> str:
    with make_project(tmp_path / "study") as project:
        rank(project, "topic-1", "Ann", SYSTEMS)
    return str(tmp_path / "study")


def said(capsys) -> dict:
    return json.loads(capsys.readouterr().out)


def test_that_remove_rename_and_undo_say_what_they_did(study, capsys):
    assert run(["remove", study, "deck", "topic-1", "Birch", "--json"]) == 0
    done = said(capsys)
    assert (done["done"], done["verb"], done["words"]) == (True, "remove", "Removed the deck of Birch")
    assert run(["decks", study, "--json"]) == 0
    assert ("topic-1", "Birch") not in {(row["instance"], row["system"]) for row in said(capsys)}
    assert run(["undo", study, "--json"]) == 0
    assert said(capsys)["undoes"] == done["seq"]
    assert run(["rename", study, "system", "Aster", "--to", "Aster 2"]) == 0
    assert capsys.readouterr().out == "Renamed the system Aster to Aster 2.\n"
    assert run(["undo", study]) == 0
    assert capsys.readouterr().out == "Undone: Renamed the system Aster to Aster 2.\n"
    assert run(["undo", study, "--redo", "--json"]) == 0
    assert said(capsys)["verb"] == "redo"


def test_that_replace_counts_what_became_stale_and_status_says_what_is_left_out(study, tmp_path, capsys):
    with pymupdf.open() as pdf:
        pdf.new_page(width=960, height=540)
        pdf.save(tmp_path / "better.pdf")
    command = ["replace", study, "topic-1", "Birch", "--with", str(tmp_path / "better.pdf"), "--no-render", "--json"]
    assert run(command) == 0
    assert said(capsys)["stale"] == {"ranks": 1, "answers": 0, "scores": 0, "verdicts": 0}
    assert run(["status", study, "--json"]) == 0
    assert said(capsys)["left_out"]["stale_ranks"] == 1
    assert run(command) == 2
    assert "is the file that Birch has already" in capsys.readouterr().err


def test_that_what_is_not_there_is_one_line_with_a_next_step(study, capsys):
    assert run(["remove", study, "system", "Nobody"]) == 2
    assert "There is no system Nobody. Name it by its name or its id." in capsys.readouterr().err
    assert run(["undo", study]) == 2
    assert "nothing to undo" in capsys.readouterr().err
