"""Disagreements from the terminal: listed, shown with what each side rests on, decided, accepted, undone, exported."""

import csv
import io

import pytest

from studio.actions import checklist_answers, checklists
from studio.model.authoring import EVERYWHERE
from studio.model.checklists import Dimension, EvidenceBox, ItemAnswer
from studio.model.scores import Verdict
from studio.sessions.checklist import Unit
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import scores as score_store
from tests.projects import decks_of, make_project
from tests.sheets import submit_as_it_is

YES, NO = ItemAnswer.YES, ItemAnswer.NO


@pytest.fixture
def made(tmp_path):
    folder = tmp_path / "p"
    with make_project(folder, instances=1, systems=("Aster", "模型一")) as project:
        item = checklists.add_item(project, EVERYWHERE, Dimension.DESIGN, "Is the chart named?", author="Ada")[0].id
        instance = deck_store.list_instances(project)[0].id
        decks = decks_of(project, "topic-1")
        for name, said in (("Ada", YES), ("Bo", YES), ("Cy", NO)):
            person = people_store.annotator_named(project, name).id
            sheet, _ = checklist_answers.open_sheet(project, instance, person)
            sheet.answer(Unit(decks["Aster"], item), said)
            sheet.answer(Unit(decks["模型一"], item), YES)
            if said is NO:
                sheet.set_boxes(Unit(decks["Aster"], item), [EvidenceBox(slide=2, x0=0.1, y0=0.2, x1=0.5, y1=0.6)])
            submit_as_it_is(sheet)
        score_store.append_verdicts(
            project,
            [
                Verdict(run_id=None, judge_id="openai:m", model="m", prompt_version="p", instance_id=instance,
                        deck_id=deck, item_id=item, verdict="no")
                for deck in decks.values()
            ],
        )  # fmt: skip
    return folder, f"item:{decks['Aster']}:{item}", f"item:{decks['模型一']}:{item}"


def test_that_cases_are_listed_by_size_and_by_what_is_asked(made, studio):
    folder, split, unanimous = made
    found = studio("review", "list", folder, "--json").json
    assert [(case["case_id"], case["size"]) for case in found["cases"]] == [
        (unanimous, 1.0), (split, pytest.approx(2 / 3))
    ]  # fmt: skip
    only = studio("review", "list", folder, "--dispute", "people", "--json").json
    # Two yes and one no: shares 2/3 and 1/3, whose gap leaves a size of 2/3.
    assert [(case["case_id"], case["people"]) for case in only["cases"]] == [(split, {"yes": 2, "no": 1})]
    assert studio("review", "list", folder, "--who", "nobody", "--json").json["cases"] == []
    assert "People and a machine" in studio("review", "list", folder).out


def test_that_a_case_shows_both_sides_and_no_name_unless_asked(made, studio):
    folder, split, _ = made
    shown = studio("review", "show", folder, split, "--json")
    assert all(name not in shown.out for name in ("Ada", "Cy", "openai:m", "Aster"))
    sides = {side["says"]: side["statements"] for side in shown.json["sides"]}
    # Only the no with a box has anything to look at.
    assert {key: len(each) for key, each in sides.items()} == {"yes": 0, "no": 1}
    places = [place["box"] for each in sides["no"] for place in each["places"]]
    assert places == [{"slide": 2, "x0": 0.1, "y0": 0.2, "x1": 0.5, "y1": 0.6}]
    assert "openai:m" in studio("review", "show", folder, split, "--names").out


def test_that_a_decision_is_exported_with_its_author_and_undone(made, studio):
    folder, split, _ = made
    said = studio(
        "review", "decide", folder, split, "--as", "no", "--error", "overlooked", "--confidence", "high",
        "--comment", "第二页，没有标题", "--reviewer", "Rae", "--json",
    ).json  # fmt: skip
    assert (said["state"], said["decision"], said["reviewer"]) == ("decided", "no", "Rae")
    row = next(csv.DictReader(io.StringIO(studio("export", folder, "--table", "reviews").out.removeprefix("\ufeff"))))
    assert list(row)[:9] == [
        "case_id", "instance_id", "deck_id", "item_id", "reviewer_id", "decision", "error_type", "confidence",
        "comment",
    ]  # fmt: skip
    assert (row["case_id"], row["decision"], row["error_type"], row["confidence"], row["comment"]) == (
        split, "no", "overlooked", "high", "第二页，没有标题",
    )  # fmt: skip
    # The reviewer answered nothing: the answers are the three of before.
    answers = list(csv.DictReader(io.StringIO(studio("export", folder, "--table", "checklist").out)))
    assert len({each["annotator_id"] for each in answers}) == 3
    assert row["reviewer_id"] not in {each["annotator_id"] for each in answers}
    assert studio("review", "undo", folder, "--reviewer", "Rae").out.startswith("Undid: Decided no")
    assert "Decided" not in studio("export", folder, "--table", "reviews").out
    assert studio("review", "redo", folder, "--reviewer", "Rae", "--json").json["cases"] == [split]
    acts = studio("review", "log", folder, "--json").json["acts"]
    assert [(act["verb"], act["reviewer"]) for act in acts] == [(verb, "Rae") for verb in ("decide", "undo", "redo")]


def test_that_accepting_lists_what_it_accepted_and_a_dry_run_changes_nothing(made, studio):
    folder, _, unanimous = made
    rows = studio("review", "accept", folder, "--threshold", "0.9", "--dry-run", "--json").json["accepted"]
    assert [(row["case_id"], row["decision"], row["share"]) for row in rows] == [(unanimous, "yes", 1.0)]
    assert studio("review", "list", folder, "--state", "accepted", "--json").json["cases"] == []
    studio("review", "accept", folder, "--threshold", "0.9", "--reviewer", "Rae")
    accepted = studio("review", "list", folder, "--state", "accepted", "--json").json["cases"]
    assert [(case["case_id"], case["by"]) for case in accepted] == [(unanimous, "threshold")]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["show", "nothing"], "There is no case nothing"),
        (["decide", "nothing", "--as", "yes", "--reviewer", "Rae"], "There is no case nothing"),
        (["accept", "--threshold", "0.4", "--reviewer", "Rae"], "above 0.5"),
        (["undo", "--reviewer", "Rae"], "nothing to undo"),
    ],
)
def test_that_mistakes_are_one_line(made, studio, arguments, says):
    command, *rest = arguments
    assert says in studio("review", command, made[0], *rest).error_line


def test_that_a_wrong_error_type_names_those_there_are(made, studio):
    folder, split, _ = made
    shown = studio("review", "decide", folder, split, "--as", "no", "--error", "bad", "--reviewer", "Rae").error_line
    assert "misread_source" in shown


def test_that_items_are_reported_with_their_rules(made, studio, tmp_path):
    folder, _, _ = made
    out = tmp_path / "items.csv"
    found = studio("review", "items", folder, "--out", out, "--json").json
    row = found["items"][0]
    # Most people say yes to both decks and the judge no: nothing of what it finds is confirmed.
    assert (row["judge_id"], row["no_precision"], row["undefined"]["no_recall"]) == ("openai:m", 0.0, "no_support")
    assert row["flags"][0] == "disputed"
    assert "ambiguous" in found["rules"]
    assert out.read_text("utf-8-sig").startswith("item_id,dimension,text,judge_id")
