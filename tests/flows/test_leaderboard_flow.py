"""Boards and snapshots from the terminal."""

import pytest

from studio.model.decks import DeckStatus
from studio.model.scores import Score
from studio.store import decks as deck_store
from studio.store import scores as score_store
from studio.store.project import Project
from tests.projects import add_deck, add_instance, decks_of, make_project


def put(project, values):
    decks = decks_of(project, "topic-1")
    instance = next(item.id for item in deck_store.list_instances(project) if item.name == "topic-1")
    score_store.append_scores(
        project,
        [
            Score(run_id=None, metric="aesthetics.total", metric_version=1, preset="benchmark", deck_id=decks[system],
                  instance_id=instance, slide=None, value=value)
            for system, value in values.items()
        ],
    )  # fmt: skip


@pytest.fixture
def made(tmp_path):
    folder = tmp_path / "p"
    with make_project(folder, instances=1, systems=("Aster", "模型一")) as project:
        add_deck(project, add_instance(project, "topic-2", scenario="report"), "Aster", status=DeckStatus.NOT_SUPPORTED)
        put(project, {"Aster": 4.0, "模型一": 6.0})
    return folder


def test_that_a_board_is_printed_and_written(made, studio, tmp_path):
    found = studio("leaderboard", made, "--by", "scenario", "--json").json
    assert [row["system"] for row in found["rows"]] == ["模型一", "Aster"]
    aster = found["rows"][1]["cells"]
    assert (aster["all"]["value"], aster["all"]["rank"], aster["all"]["not_supported"]) == (4.0, 2, 1)
    assert (aster["report"]["value"], aster["report"]["undefined_reason"]) == (None, "1 not supported")
    # Nothing of that system's was ever there for the second instance.
    assert found["rows"][0]["cells"]["all"]["missing"] == 1
    shown = studio("leaderboard", made, "--out", tmp_path / "board.md")
    assert "1 not supported" in shown.out
    assert (tmp_path / "board.md").read_text("utf-8").startswith("| System | All |")


def test_that_a_view_without_data_is_one_line(made, studio):
    assert "checklist" in studio("leaderboard", made, "--view", "presentbench-4").error_line
    assert "presentbench-3" in studio("leaderboard", made, "--view", "odd").error_line


def test_that_snapshots_freeze_a_state_and_are_compared(made, studio):
    first = studio("snapshot", "take", made, "--name", "2026-11", "--json").json
    assert studio("snapshot", "compare", made, "2026-11").out.strip() == "Nothing differs."
    with Project.open(made) as project:
        put(project, {"Aster": 7.0})
        add_deck(project, add_instance(project, "topic-3"), "Birch")
    second = studio("snapshot", "take", made, "--name", "2026-12", "--json").json
    assert first["content_hash"] != second["content_hash"]
    with Project.open(made) as project:
        put(project, {"Aster": 1.0})
    found = studio("snapshot", "compare", made, "2026-11", "2026-12", "--json").json
    rows = {row["system"]: row for row in found["differences"]}
    # What came after the second snapshot is not in it.
    assert (rows["Aster"]["before"], rows["Aster"]["after"], rows["Aster"]["difference_on_both"]) == (4.0, 7.0, 3.0)
    assert rows["Birch"]["undefined_reason"] == "no deck has a value in both"
    assert (found["instances"]["added"], found["decks"]["added"]) == (["topic-3"], ["topic-3 · Birch"])
    assert found["systems"]["added"] == ["Birch"]
    assert studio("snapshot", "compare", made, "2", "--json").json["differences"][0]["after"] == 1.0
    # The frozen state stays what it was.
    shown = studio("snapshot", "show", made, "2026-11", "--json").json["values"]
    assert {row["system"]: (row["mean"], row["n"]) for row in shown} == {"Aster": (4.0, 1), "模型一": (6.0, 1)}
    assert [each["name"] for each in studio("snapshot", "list", made, "--json").json["snapshots"]] == [
        "2026-11", "2026-12",
    ]  # fmt: skip


def test_that_a_name_is_used_once_and_an_unknown_one_is_said(made, studio):
    studio("snapshot", "take", made, "--name", "one")
    assert "already" in studio("snapshot", "take", made, "--name", "one").error_line
    assert "There are: one" in studio("snapshot", "compare", made, "two").error_line
