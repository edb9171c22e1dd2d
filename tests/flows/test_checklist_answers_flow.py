"""People's answers: stored, exported, read back, compared with code; and spreadsheets of several authors."""

import pytest

from studio.actions import checklist_answers, checklist_scores, checklist_stats, checklists
from studio.model.authoring import EVERYWHERE
from studio.model.checklists import Dimension, EvidenceBox, ItemAnswer
from studio.model.scores import Verdict
from studio.sessions.checklist import Unit
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import scores as score_store
from studio.store.project import Project
from tests.projects import make_project
from tests.sheets import submit_as_it_is

YES, NO = ItemAnswer.YES, ItemAnswer.NO


@pytest.fixture
def made(tmp_path):
    folder = tmp_path / "p"
    with make_project(folder, instances=1) as project:
        items = [
            checklists.add_item(project, EVERYWHERE, Dimension.DESIGN, f"Is {word} so?", author="Ada")[0]
            for word in ("one", "two")
        ]
        instance = deck_store.list_instances(project)[0]
        decks = deck_store.list_decks(project)
        for name, said in (("Ada", "ynyn"), ("Bo", "ynyy")):
            person = people_store.annotator_named(project, name)
            sheet, _ = checklist_answers.open_sheet(project, instance.id, person.id)
            for deck, letter in zip(decks, said, strict=True):
                sheet.answer(Unit(deck.id, items[0].id), YES if letter == "y" else NO)
                sheet.answer(Unit(deck.id, items[1].id), YES)
            sheet.set_boxes(Unit(decks[1].id, items[0].id), [EvidenceBox(slide=1, x0=0.25, x1=0.5)])
            submit_as_it_is(sheet)
        score_store.append_verdicts(
            project,
            [
                Verdict(run_id=None, judge_id="code", model="", prompt_version="", instance_id=instance.id,
                        deck_id=deck.id, item_id=items[0].id, verdict=said)
                for deck, said in zip(decks, ("no", "no", "yes", "yes"), strict=True)
            ],
        )  # fmt: skip
    return folder, [item.id for item in items]


def test_that_people_and_code_are_compared_item_by_item(made):
    folder, (first, second) = made
    with Project.open(folder) as project:
        found = {each.item_id: each for each in checklist_stats.compare(project)}
        # People: yes, no, yes, split; code: no, no, yes, yes. Of three cases two agree; code says no twice.
        assert found[first].same.value == pytest.approx(2 / 3)
        assert found[first].no.precision.value == pytest.approx(0.5)
        assert found[first].no.recall.value == pytest.approx(1.0)
        rows = {each.item_id: each for each in checklist_stats.item_statistics(project)}
        assert rows[first].prevalence.value == pytest.approx(2 / 3)
        assert rows[first].same.value == pytest.approx(3 / 4)
        assert rows[second].discrimination.undefined_reason == "constant"
        scores = checklist_scores.project_scores(project, "people")
        # A split answer is in the denominator: 2/2, 1/2, 2/2, 1/2.
        assert scores.totals.tolist() == pytest.approx([100, 50, 100, 50])


def test_that_answers_go_out_with_their_evidence_and_come_back_the_same(made, studio, tmp_path):
    folder, _ = made
    out = tmp_path / "checklist.csv"
    assert studio("export", folder, "--table", "checklist", "--out", out).code == 0
    text = out.read_text("utf-8-sig")
    assert '""x0"": 0.25' in text
    # Two people, four decks, two items.
    assert text.count("submitted") == 16
    again = studio("import-table", folder, out, "--json").json
    assert (again["table"], again["new"], again["same"], again["conflicting"]) == ("checklist", 0, 16, 0)


def test_that_two_authors_spreadsheets_are_merged_with_the_conflict_shown(made, studio, tmp_path):
    folder, (first, second) = made
    table = tmp_path / "items.csv"
    studio("checklist", "export", folder, "--out", table)
    text = table.read_text("utf-8-sig")
    (tmp_path / "ada.csv").write_text(text.replace("Is one so?", "Is ONE so?"), "utf-8")
    (tmp_path / "bo.csv").write_text(text.replace("Is one so?", "Is 1 so?").replace("Is two so?", "Is 2 so?"), "utf-8")
    found = studio("checklist", "import", folder, tmp_path / "ada.csv", tmp_path / "bo.csv", "--json")
    assert found.code == 1
    (conflict,) = found.json["conflicts"]
    assert (conflict["item_id"], conflict["base"], conflict["ours"], conflict["theirs"]) == (
        first, "Is one so?", "Is ONE so?", "Is 1 so?",
    )  # fmt: skip
    assert found.json["edited"] == 2
    taken = studio("checklist", "import", folder, tmp_path / "bo.csv", "--take-theirs", first, "--json")
    assert taken.code == 0
    words = {each["item_id"]: each["text"] for each in studio("checklist", "show", folder, "--json").json["items"]}
    assert words == {first: "Is 1 so?", second: "Is 2 so?"}


@pytest.mark.parametrize("table", ["summary", "2", "7", "figures"])
def test_that_the_benchmark_is_told_in_numbers(made, studio, table):
    assert studio("checklist", "benchmark", made[0], "--table", table, "--json").code == 0


def test_that_templates_begin_a_list_once(made, studio):
    assert studio("checklist", "template", made[0], "independent-zh", "--domain", "d", "--json").json["added"] == 25
    assert studio("checklist", "template", made[0], "independent-zh", "--domain", "d", "--json").json["added"] == 0
    assert "no template" in studio("checklist", "template", made[0], "nothing").error_line


def test_that_a_draft_counts_nowhere_and_says_why(made, studio):
    folder, items = made
    with Project.open(folder, must_write=True) as project:
        deck, *_ = deck_store.list_decks(project)
        draft, _ = checklist_answers.open_sheet(
            project, deck.instance_id, people_store.annotator_named(project, "Cy").id
        )
        draft.answer(Unit(deck.id, items[0]), NO)
    words = "1 deck of 1 person is answered but not submitted, and does not count"
    for command in (
        ("checklist", "stats", folder),
        ("checklist", "scores", folder, "--who", "people"),
        ("agree", folder),
    ):
        told = studio(*command)
        assert told.code == 0, told.err
        assert words in told.err
    aligned = studio("align", folder, "--human", "checklist")
    assert "Left out: 1 answer not submitted." in aligned.out
