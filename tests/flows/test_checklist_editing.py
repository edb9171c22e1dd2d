"""Writing checklists from the terminal: editing together, settings, curation, trying, signing off, undo."""

from __future__ import annotations

import json

import pytest

from tests.trials import question, script, trial_project


@pytest.fixture
def study(tmp_path):
    project = trial_project(tmp_path)
    items = [question(project, words).id for words in ("Is every slide calm?", "Is every slide neat?")]
    project.close()
    return tmp_path / "study", items


def printed(result):
    assert result.code == 0, result.err
    return json.loads(result.out)


def test_that_items_are_edited_together_and_taken_back_by_their_author(studio, study):
    folder, items = study
    edited = printed(
        studio("checklist", "edit", folder, *items, "--weight", "2", "--tag", "布局", "--evidence", "--author", "Bo",
               "--json")
    )["items"]  # fmt: skip
    assert [(each["weight"], each["tags"], each["needs_evidence"]) for each in edited] == [(2.0, ["布局"], True)] * 2
    shown = printed(studio("checklist", "show", folder, "--instance", "rivers", "--json"))["items"]
    assert {each["weight"] for each in shown} == {2.0}
    refused = studio("checklist", "undo", folder, "--author", "Cy")
    assert (refused.code, "nothing of Cy to undo" in refused.err) == (2, True)
    assert printed(studio("checklist", "undo", folder, "--author", "Bo", "--json"))["words"].startswith("Undid")
    shown = printed(studio("checklist", "show", folder, "--instance", "rivers", "--json"))["items"]
    assert {each["weight"] for each in shown} == {1.0}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["edit", "ITEM", "OTHER", "--text", "x"], "same words"),
        (["edit", "ITEM"], "Nothing was named"),
        (["edit", "nobody", "--weight", "2"], "There is no item nobody"),
        (["edit", "ITEM", "--weight", "-1"], "weight"),
        (["settings", "--slides", "12-8"], "No deck can have"),
        (["settings", "--slides", "many"], "no range"),
        (["settings", "--weights", "beauty=2"], "no weight"),
        (["settings", "--instance", "rivers", "--evidence"], "in all lists alike"),
        (["curate", "--licence", "x"], "belongs to an instance"),
        (["curate", "--instance", "rivers", "--decision", "rejected"], "without a reason"),
        (["curate", "--instance", "nowhere"], "There is no instance nowhere"),
        (["try", "ITEM", "--judge", "code"], "code items only"),
        (["try", "ITEM", "--deck", "Nobody"], "Nobody"),
        (["release", "--title", "First"], "Not signed off"),
    ],
)
def test_that_a_mistake_is_one_line_with_a_next_step(studio, study, arguments, says):
    folder, (first, second) = study
    command, *rest = [{"ITEM": first, "OTHER": second}.get(each, each) for each in arguments]
    result = studio("checklist", command, folder, *rest)
    assert (result.code, result.out) == (2, "")
    assert says in result.err
    assert len(result.err.strip().splitlines()) == 1


def test_that_every_no_can_be_asked_a_place_and_no_more(studio, study):
    folder, _ = study
    assert printed(studio("checklist", "settings", folder, "--json"))["needs_evidence"] is False
    assert printed(studio("checklist", "settings", folder, "--evidence", "--json"))["needs_evidence"] is True
    assert printed(studio("checklist", "settings", folder, "--instance", "rivers", "--json"))["needs_evidence"] is True
    assert printed(studio("checklist", "settings", folder, "--no-evidence", "--json"))["needs_evidence"] is False
    # Nothing was written into a list by it.
    assert studio("checklist", "undo", folder, "--author", "terminal").code == 2


def test_that_settings_of_a_list_are_printed_and_changed(studio, study):
    folder, _ = study
    changed = printed(
        studio("checklist", "settings", folder, "--instance", "rivers", "--slides", "3-6", "--weights",
               "design=30,fidelity=10", "--independent-prefix", "Look.", "--empty", "correctness", "--json")
    )  # fmt: skip
    assert changed["slide_limits"] == [3, 6]
    assert changed["weights"] == {"design": 30.0, "fidelity": 10.0}
    assert printed(studio("checklist", "settings", folder, "--instance", "rivers", "--json")) == changed
    unset = printed(
        studio("checklist", "settings", folder, "--instance", "rivers", "--slides", "none", "--weights", "none",
               "--not-empty", "correctness", "--json")
    )  # fmt: skip
    assert (unset["slide_limits"], unset["weights"], unset["empty"]) == (None, None, [])
    assert unset["independent_prefix"] == "Look."


def test_that_curation_is_in_the_facts_of_the_benchmark(studio, study):
    folder, _ = study
    rows = printed(
        studio("checklist", "curate", folder, "--instance", "roofs", "--licence", "CC BY 4.0", "--difficulty", "hard",
               "--decision", "accepted", "--address", "https://example.org/roofs", "--json")
    )  # fmt: skip
    assert [(row["instance"], row["is_accepted"], row["licence"]) for row in rows] == [("roofs", True, "CC BY 4.0")]
    facts = printed(studio("checklist", "benchmark", folder, "--json"))
    assert facts["accepted"] == 1
    assert facts["difficulty"] == {"": 1, "hard": 1}
    assert "CC BY 4.0" in studio("checklist", "curate", folder).out


def test_that_an_item_is_tried_by_a_judge_without_a_key(studio, study, tmp_path):
    folder, (item, _) = study
    judge = script(tmp_path)
    tried = printed(studio("checklist", "try", folder, item, "--judge", judge, "--deck", "rivers/Birch", "--json"))
    (row,) = tried["rows"]
    assert (row["deck"], row["replies"][judge]["answer"]) == ("Birch", "no")
    assert row["replies"][judge]["boxes"][0]["slide"] == 2
    plain = studio("checklist", "try", folder, item)
    assert plain.code == 0
    assert "Is every slide calm?" in plain.out


def test_that_a_second_person_signs_off_and_a_release_is_made(studio, study):
    folder, _ = study
    refused = studio("checklist", "sign-off", folder, "--person", "Ada Example (invented)")
    assert refused.code == 2
    assert printed(studio("checklist", "sign-off", folder, "--person", "Bo", "--json"))["unsigned"] == []
    assert printed(studio("checklist", "release", folder, "--title", "First", "--json"))["number"] == 1
