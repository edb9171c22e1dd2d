"""The per-item report: disputes, precision and recall of no, ambiguity, discrimination."""

import pytest

from studio.actions import checklist_answers, checklists
from studio.actions.item_report import ItemFlag, as_csv, item_report, report_rows
from studio.model.authoring import EVERYWHERE
from studio.model.checklists import Dimension, ItemAnswer
from studio.model.scores import Verdict
from studio.sessions.checklist import Unit
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import scores as score_store
from tests.projects import decks_of, make_project
from tests.sheets import submit_as_it_is

SYSTEMS = ("A", "B", "C", "D", "E", "F")
ANSWERS = {
    # item: (what Ada says, what Bo says, what the judge says), deck by deck
    "good": ("yyyynn", "yyyynn", "yyynnn"),
    "split": ("yyyyyy", "nnnnyy", "yyyyyy"),
    "same": ("yyyyyy", "yyyyyy", "nnnyyy"),
    "against": ("nnyyyy", "nnyyyy", "nnyyyy"),
}
LETTER = {"y": ItemAnswer.YES, "n": ItemAnswer.NO}


@pytest.fixture
def reports(tmp_path):
    with make_project(tmp_path / "p", instances=1, systems=SYSTEMS) as project:
        ids = {
            name: checklists.add_item(project, EVERYWHERE, Dimension.DESIGN, f"Is {name} so?", author="Ada")[0].id
            for name in ANSWERS
        }
        instance = deck_store.list_instances(project)[0].id
        decks = [decks_of(project, "topic-1")[system] for system in SYSTEMS]
        for person, place in (("Ada", 0), ("Bo", 1)):
            sheet, _ = checklist_answers.open_sheet(project, instance, people_store.annotator_named(project, person).id)
            for name, said in ANSWERS.items():
                for deck, letter in zip(decks, said[place], strict=True):
                    sheet.answer(Unit(deck, ids[name]), LETTER[letter])
            submit_as_it_is(sheet)
        score_store.append_verdicts(
            project,
            [
                Verdict(run_id=None, judge_id="openai:m", model="m", prompt_version="p", instance_id=instance,
                        deck_id=deck, item_id=ids[name], verdict=LETTER[letter].value)
                for name, said in ANSWERS.items()
                for deck, letter in zip(decks, said[2], strict=True)
            ],
        )  # fmt: skip
        yield {next(name for name in ids if ids[name] == each.item_id): each for each in item_report(project)}


def test_that_precision_and_recall_of_no_are_those_of_each_item(reports):
    no = reports["good"].judges[0].no
    # The judge says no to D, E, F; people to E and F.
    assert (no.precision.value, no.recall.value) == (pytest.approx(2 / 3), 1.0)
    assert reports["same"].judges[0].no.recall.undefined_reason == "no_support"


def test_that_disputes_are_counted_by_deck(reports):
    assert {name: (each.n_split, each.n_disputed) for name, each in reports.items()} == {
        "good": (0, 1), "split": (4, 0), "same": (0, 3), "against": (0, 0),
    }  # fmt: skip


def test_that_flags_say_what_is_conspicuous(reports):
    flags = {name: set(each.flags) - {ItemFlag.FEW_NO} for name, each in reports.items()}
    # One pair of people a deck: they agree on 2 of 6. Most people say something on E and F only, too few to
    # say whether the item tells decks apart.
    assert flags["split"] == {ItemFlag.AMBIGUOUS}
    assert flags["same"] == {ItemFlag.SAME_FOR_ALL, ItemFlag.DISPUTED}
    # Yes on C to F; the others on A to F: "good" 1 1 1 1 0 0, "same" 1s, so a negative correlation.
    assert flags["against"] == {ItemFlag.NOT_DISCRIMINATING}
    assert next(iter(reports)) == "same"


def test_that_undefined_is_empty_with_a_reason(reports):
    rows = {row["text"]: row for row in report_rows(list(reports.values()))}
    same = rows["Is same so?"]
    assert (same["no_recall"], same["undefined"]["no_recall"]) == (None, "no_support")
    assert "nan" not in as_csv(list(reports.values())).lower().split(",")
