"""PresentBench's own files judged from the terminal: the order of calls, what each call carries, and hidden slides."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
import yaml

from studio.actions.judge_wish import read_wish
from studio.actions.judging import planned_units
from studio.decks.render import find_tools
from studio.exchange.presentbench_files import parse_name
from studio.model.judging import FilePart
from studio.store import checklist_lists
from studio.store import decks as deck_store
from studio.store.project import Project
from tests.fake_judge_server import KEY, FakeJudgeServer
from tests.presentbench_trees import reference_total, write_results, write_tree
from tests.unit.decks.decks_made_here import write_deck

CLASSES = {
    "material_independent_checklist_1": ["a1", "a2"], "material_independent_checklist_2": ["b1", "b2"],
    "material_dependent_checklist_1": ["c1", "c2"], "material_dependent_checklist_2": ["d1", "d2"],
    "material_dependent_checklist_3": [f"e{number}" for number in range(1, 7)],
}  # fmt: skip
PREFIXES = {"material_independent_prefix": "MI|\n", "material_dependent_prefix": "MD|  "}


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.fixture
def server():
    with FakeJudgeServer(answer=lambda call: "Slide 1 is so. \\boxed{yes}") as running:
        yield running


def ask(studio, project: Path, server, *more: str):
    return studio(
        "judge", project, "--judge", "openai:m-1", "--base-url", server.openai_url, "--set", "max_in_flight=1",
        "--json", *more,
    )  # fmt: skip


def test_that_one_worker_asks_all_five_classes_in_the_references_order_with_its_words(studio, server, tmp_path):
    case = write_tree(tmp_path / "data", common={**PREFIXES, **CLASSES}, case={})
    (case / "material_1.md").write_text("# First\n\nThe pier is old.\n")
    (case / "material.md").unlink()
    (case / "material_2.md").write_text("# Second\n\nThe pier is new.\n")
    write_results(tmp_path / "results", case, pages=4)
    project = tmp_path / "study"
    assert studio("new", project).code == 0
    brought = studio("import", project, tmp_path / "data", tmp_path / "results", "--layout", "presentbench")
    assert brought.code == 0, brought.err
    ended = ask(studio, project, server)
    assert ended.code == 0, ended.err
    # Four pages: the fifth and sixth page items are about pages that this deck does not have.
    items = ["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1", "e2", "e3", "e4"]
    words = [("MI|\n" if item[0] in "ab" else "MD|  ") + item for item in items]
    assert len(server.calls) == len(words)
    for call, prompt in zip(server.calls, words, strict=True):
        # Prefix and item byte for byte, behind all that is shown: the deck, then the materials in their order.
        assert call.text.endswith(prompt)
        assert call.order[-1] == "text"
        assert len(call.images) == 4
        before = call.text.removesuffix(prompt)
        shown = [before.find(part) for part in ("deck slide 4", "source 1", "The pier is old", "The pier is new")]
        if prompt.startswith("MI"):
            assert shown[0] >= 0
            assert shown[1:] == [-1, -1, -1]
        else:
            assert shown == sorted(shown)
            assert min(shown) >= 0


@pytest.mark.slow
def test_that_a_hidden_slide_is_neither_judged_nor_counted_and_numbers_stay_those_of_the_file(studio, server, tmp_path):
    if find_tools().libreoffice is None:
        pytest.skip("LibreOffice is not installed")
    case = write_tree(tmp_path / "data", common={**PREFIXES, **CLASSES}, case={})
    results = write_results(tmp_path / "results", case, pages=0)
    write_deck(results / "slides.pptx", ["The pier", "A secret", "The harbour"], hidden=[2])
    project = tmp_path / "study"
    assert studio("new", project).code == 0
    brought = studio("import", project, tmp_path / "data", tmp_path / "results", "--layout", "presentbench")
    assert brought.code == 0, brought.err
    ended = ask(studio, project, server)
    assert ended.code == 0, ended.err
    # Eight items of the four other classes, and one for each of two pages.
    assert [call.text.rpartition("|")[2].strip() for call in server.calls[-2:]] == ["e1", "e2"]
    assert len(server.calls) == 10
    for call in server.calls:
        assert len(call.images) == 2
        assert ["deck slide 1" in call.text, "deck slide 2" in call.text, "deck slide 3" in call.text] == [
            True, False, True,
        ]  # fmt: skip
        assert "A secret" not in call.text
    with Project.open(project) as opened:
        (deck,) = deck_store.list_decks(opened)
        _, pages = checklist_lists.checklist_of_deck(opened, deck)
        assert (deck.slides, pages.slides, pages.hidden) == (3, (1, 3), (2,))
        # As one file, the deck is the drawn PDF without the hidden slide.
        wish = read_wish("openai:m-1", protocol="checklist", base_url="http://127.0.0.1:1/v1", settings=("input=file",))
        units = planned_units(opened, wish)
        assert len(units) == 10
        (file,) = {
            part.path
            for unit in units
            if unit.conversation is not None
            for request in unit.conversation.requests()
            for part in request.parts
            if isinstance(part, FilePart) and part.label.startswith("deck")
        }
        with pymupdf.open(file) as document:
            words = [page.get_text().strip() for page in document]
        assert words == ["The pier", "The harbour"]
    shown = studio("checklist", "show", project, "--instance", "tides", "--system", "Aster", "--json").json
    assert [each["slide"] for each in shown["items"] if each["dimension"] == "fidelity"] == [1, 3]
    out = tmp_path / "out"
    exported = studio("checklist", "export", project, "--format", "presentbench", "--judge", "openai:m-1", "--out", out)
    assert exported.code == 0, exported.err
    (result,) = [
        path for path in out.rglob("*.yaml") if parse_name(path.name) and not path.name.endswith("_score.yaml")
    ]
    assert list(yaml.safe_load(result.read_text())["material_dependent"]["3"]) == ["3.1", "3.2"]
    weights = tmp_path / "data" / "education" / "judge_weights.yaml"
    assert reference_total(result, weights) == (pytest.approx(100.0), 10, 10)
    scored = studio("score", "--results", result, "--weights", weights, "--json").json
    assert scored["total"] == pytest.approx(100.0, abs=1e-9)
