"""Boards: values by group and dimension, ranks, what is absent, and papers' tables over any project."""

from dataclasses import replace

import pytest

from studio.actions import (
    benchmark_facts,
    board_views,
    checklist_answers,
    checklists,
    leaderboard,
    snapshots,
    study_desk,
)
from studio.actions.board_views import board
from studio.errors import BadInput
from studio.model.authoring import EVERYWHERE, Curation
from studio.model.checklists import Dimension, ItemAnswer
from studio.model.decks import DeckStatus
from studio.model.scores import Score
from studio.sessions.checklist import Unit
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import scores as score_store
from studio.store.project import Project
from tests.projects import add_deck, add_instance, decks_of, open_session
from tests.sheets import submit_as_it_is

SYSTEMS = ("Aster", "Birch", "Cedar")


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "p", title="Board") as made:
        for name, scenario in (("one", "report"), ("two", "report"), ("three", "lecture")):
            instance = add_instance(made, name, scenario=scenario)
            for system in SYSTEMS:
                status = {
                    ("two", "Birch"): DeckStatus.FAILED, ("three", "Birch"): DeckStatus.NOT_SUPPORTED,
                    ("three", "Cedar"): DeckStatus.MISSING,
                }.get((name, system), DeckStatus.PRESENT)  # fmt: skip
                add_deck(made, instance, system, status=status)
        yield made


def put(project, metric, values, reason="no_text"):
    scores = []
    for name, of in values.items():
        decks = decks_of(project, name)
        instance = next(item.id for item in deck_store.list_instances(project) if item.name == name)
        scores += [
            Score(run_id=None, metric=metric, metric_version=1, preset="benchmark", deck_id=decks[system],
                  instance_id=instance, slide=None, value=value, undefined_reason=None if value is not None else reason)
            for system, value in of.items()
        ]  # fmt: skip
    score_store.append_scores(project, scores)


def cells(found, key):
    return dict(zip((column.key for column in found.columns),
                    next(row for row in found.rows if row.key == key).cells, strict=True))  # fmt: skip


def test_that_systems_stand_by_group_with_what_is_absent_named_apart(project):
    put(project, "aesthetics.total", {"one": {"Aster": 4.0, "Birch": 6.0, "Cedar": None}, "two": {"Aster": 8.0},
                                      "three": {"Aster": 3.0}})  # fmt: skip
    found = board(project, "systems", by="scenario")
    assert [column.key for column in found.columns] == ["all", "lecture", "report"]
    assert [row.key for row in found.rows] == ["Birch", "Aster", "Cedar"]
    aster, birch, cedar = (cells(found, name) for name in SYSTEMS)
    assert (aster["all"].value, aster["report"].value, aster["lecture"].value) == (5.0, 6.0, 3.0)
    assert (aster["all"].rank, birch["all"].rank, cedar["all"].rank) == (2, 1, None)
    gone = birch["all"].absent
    assert (gone.unscored, gone.failed, gone.missing, gone.not_supported) == (0, 1, 0, 1)
    gone = cedar["all"].absent
    assert (gone.unscored, gone.failed, gone.missing, gone.not_supported) == (2, 0, 1, 0)
    assert cedar["report"].reason == "2 without a value; no_text" or "without a value" in cedar["report"].reason
    assert birch["lecture"].reason == "1 not supported"


def answer(project, said):
    """Answer two design items and one fidelity item of every deck that is named, as one person."""
    items = {
        name: checklists.add_item(project, EVERYWHERE, dimension, f"Is {name} so?", author="Ada")[0].id
        for name, dimension in (
            ("a", Dimension.DESIGN), ("b", Dimension.DESIGN), ("c", Dimension.FIDELITY),
        )
    }  # fmt: skip
    person = people_store.annotator_named(project, "Ada").id
    for (name, system), letters in said.items():
        instance = next(item.id for item in deck_store.list_instances(project) if item.name == name)
        sheet, _ = checklist_answers.open_sheet(project, instance, person)
        for item, letter in zip(items.values(), letters, strict=True):
            sheet.answer(
                Unit(decks_of(project, name)[system], item), ItemAnswer.YES if letter == "y" else ItemAnswer.NO
            )
        submit_as_it_is(sheet)


SAID = {
    ("one", "Aster"): "yyy", ("one", "Birch"): "ynn", ("one", "Cedar"): "nny",
    ("two", "Aster"): "ynn", ("two", "Cedar"): "yyn", ("three", "Aster"): "yyn",
}  # fmt: skip


def test_that_presentbench_tables_are_views_and_a_failed_generation_is_a_counted_zero(project):
    answer(project, SAID)
    totals = board(project, "presentbench-3", by="scenario")
    # Aster: (100 + 100)/2, (50 + 0)/2, (100 + 0)/2; Birch: 25, then 0 for the failure.
    assert cells(totals, "Aster")["all"].value == pytest.approx((100 + 25 + 50) / 3)
    birch = cells(totals, "Birch")["all"]
    assert (birch.value, birch.n, birch.failed_as_zero, birch.absent.not_supported) == (12.5, 2, 1, 1)
    by_dimension = board(project, "presentbench-4")
    assert [column.key for column in by_dimension.columns][1:] == [each.value for each in Dimension]
    aster = cells(by_dimension, "Aster")
    assert (aster["design"].value, aster["fidelity"].value) == (pytest.approx(250 / 3), pytest.approx(100 / 3))
    assert aster["correctness"].value is None
    assert aster["correctness"].reason


def test_that_subsets_of_dimensions_have_the_papers_tick_patterns(project):
    answer(project, SAID)
    for who in ("Ada", "Bo"):
        session = open_session(project, "one", who)
        for place, system in enumerate(("Cedar", "Aster", "Birch"), start=1):
            session.rank(decks_of(project, "one")[system], place)
        session.submit()
    found = board(project, "presentbench-6")
    assert [row.title for row in found.rows] == [
        "All five", "Fundamentals + Design", "Completeness + Correctness + Fidelity", "Without fundamentals",
        "Without design", "Without completeness", "Without correctness", "Without fidelity",
    ]  # fmt: skip
    # Three dimensions have no item at all, so every subset here has one without an answer.
    assert all(row.cells[0].value is None and row.cells[0].reason for row in found.rows)
    methods = board(project, "presentbench-5")
    assert methods.rows[-1].key == "people"
    assert methods.rows[-1].cells[0].value == pytest.approx(1.0)


def test_that_aesthetics_and_editability_are_slidesgens_tables(project):
    for name, value in (("usability", 4.0), ("engagement", 2.0), ("harmony", 1.0), ("rhythm", 3.0), ("total", 10.0)):
        put(project, f"aesthetics.{name}", {"one": {"Aster": value}})
    put(
        project,
        "editability.pei",
        {"one": {"Aster": 2.0, "Birch": 4.0}, "two": {"Aster": 5.0}, "three": {"Aster": 2.0}},
    )
    parts = board(project, "systems", by="dimension")
    assert [column.title for column in parts.columns] == ["All", "Usability", "Engagement", "Harmony", "Rhythm"]
    looks = cells(board(project, "slidesgen-3"), "Aster")
    assert looks["aesthetics.total"].value == sum(
        looks[f"aesthetics.{name}"].value for name in ("usability", "engagement", "harmony", "rhythm")
    )
    edits = cells(board(project, "slidesgen-4"), "Aster")
    assert (edits["level"].value, edits["L2"].value, edits["L5"].value) == (2.0, pytest.approx(200 / 3),
                                                                           pytest.approx(100 / 3))  # fmt: skip
    matrix = cells(board(project, "ve-matrix"), "Aster")
    assert (matrix["aesthetics.total"].value, matrix["editability.pei"].value) == (10.0, 2.0)
    assert board(project, "slidesgen-1").notes[-1] == "No quiz was answered in this project."
    put(project, "offline/quizbank", {"one": {"Aster": 0.9}, "two": {"Aster": 0.5}})
    put(project, "offline/quizbank.data", {"one": {"Aster": 0.8}})
    content = board(project, "slidesgen-1")
    assert content.measure == "offline/quizbank"
    assert cells(content, "Aster")["all"].value == pytest.approx(70)
    assert cells(content, "Birch")["all"].reason.startswith("1 without a value")


def test_that_frameworks_share_one_scale_and_say_how(project):
    answer(project, {("one", "Aster"): "yyy"})
    put(project, "editability.pei", {"one": {"Aster": 2.0}})
    put(project, "m:x/arena", {"one": {"Aster": 0.0, "Birch": 1.0986122886681098}})
    put(project, "m:x/listwise", {"one": {"Aster": 0.25}})
    session = open_session(project, "one", "Ada")
    for place, system in enumerate(("Aster", "Birch", "Cedar"), start=1):
        session.rank(decks_of(project, "one")[system], place)
    session.submit()
    found = board(project, "frameworks")
    aster = cells(found, "Aster")
    # ln 3 is three wins to one.
    assert {key: round(cell.value, 6) for key, cell in aster.items()} == {
        "checklist: people": 100.0, "editability.pei": 40.0, "m:x/arena": 50.0, "m:x/listwise": 25.0,
        "people: ranks": 100.0,
    }  # fmt: skip
    assert cells(found, "Birch")["m:x/arena"].value == pytest.approx(75.0)
    assert cells(found, "Birch")["people: ranks"].value == pytest.approx(50.0)
    assert any("chance of winning" in words for words in found.notes)


def test_that_a_board_leaves_as_csv_markdown_and_latex_with_undefined_empty(project, tmp_path):
    put(project, "aesthetics.total", {"one": {"Aster": 4.0}})
    found = board(project, "systems")
    rows = leaderboard.as_csv(found).splitlines()
    assert rows[0].startswith("\ufeffview,measure,row,column,value")
    assert rows[2].startswith("systems,aesthetics.total,Birch,all,,,,0,")
    assert "| Aster | 4.00 |" in leaderboard.as_markdown(found)
    tex = leaderboard.export_board(found, tmp_path / "board.tex").read_text("utf-8")
    assert r"Aster & 4.00 \\" in tex


def test_that_a_board_keeps_its_table_whatever_its_systems_and_groups_are_called():
    cells = (leaderboard.Cell(value=1.0), leaderboard.Cell(value=2.0))
    odd = leaderboard.Board(
        view="systems", title="", columns=(
            leaderboard.BoardColumn(key="scenario: easy", title="easy"),
            leaderboard.BoardColumn(key="difficulty: easy", title="easy"),
        ), rows=(leaderboard.BoardRow(key="x", title="[a|b]*\n<c>", cells=cells),),
    )  # fmt: skip
    assert leaderboard.as_markdown(odd).splitlines()[:3] == [
        "| System | easy | easy |", "| --- | ---: | ---: |", r"| \[a\|b\]\* \<c\> | 1.00 | 2.00 |",
    ]  # fmt: skip
    assert r"{[}a\textbar{}b{]}{*} \textless{}c\textgreater{} & 1.00 & 2.00 \\" in leaderboard.as_latex(odd)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"view": "odd"}, "presentbench-3"),
        ({"view": "systems", "measure": "beauty"}, "beauty"),
        ({"view": "presentbench-3"}, "checklist"),
        ({"view": "systems", "by": "colour"}, "scenario"),
    ],
)
def test_that_what_is_not_there_is_named(project, arguments, says):
    put(project, "aesthetics.total", {"one": {"Aster": 4.0}})
    with pytest.raises(BadInput, match=says):
        board(project, **arguments)


def test_that_every_view_names_where_it_is_from():
    assert [view.source for view in board_views.VIEWS.values() if "table" in view.source] == [
        *(f"PresentBench, table {number}" for number in (3, 4, 5, 6)),
        *(f"SlidesGen-Bench, table {number}" for number in (1, 2, 3, 4)),
        *(f"REFLEX, table {number}, as we read it" for number in (1, 2, 3, 4, 5)),
    ]  # fmt: skip


def test_that_a_curated_difficulty_is_the_difficulty_wherever_it_is_grouped_by(project):
    one, two, _ = deck_store.list_instances(project)
    deck_store.update_instance(project, replace(two, difficulty="easy"))
    checklists.set_curation(project, Curation(instance_id=one.id, difficulty="hard"), author="Ada")
    put(project, "aesthetics.total", {"one": {"Aster": 4.0}, "two": {"Aster": 8.0}, "three": {"Aster": 3.0}})
    found = board(project, "systems", by="difficulty")
    assert [column.key for column in found.columns] == ["all", "easy", "hard", "not given"]
    assert [each.difficulty for each in benchmark_facts.instance_facts(project)] == ["hard", "easy", ""]
    assert [each.difficulty for each in study_desk.read_studies(project).instances] == ["hard", "easy", ""]


def test_that_snapshots_with_the_same_means_and_other_values_differ(project):
    put(project, "aesthetics.total", {"one": {"Aster": 4.0}, "two": {"Aster": 6.0}})
    snapshots.take_snapshot(project, "before")
    assert snapshots.compare(project, "before").is_same
    put(project, "aesthetics.total", {"one": {"Aster": 6.0}, "two": {"Aster": 4.0}})
    found = snapshots.compare(project, "before")
    aster = next(each for each in found.differences if each.system == "Aster")
    assert (aster.before, aster.after, aster.on_both, aster.n_changed) == (5.0, 5.0, 0.0, 2)
    assert not found.is_same


def test_that_snapshots_differ_where_other_people_are_behind_the_values(project):
    snapshots.take_snapshot(project, "before")
    found = snapshots.compare(project, "before")
    assert (found.is_same, found.people_in_words) == (True, [])
    more = replace(found, people=({**found.people[0], "annotators": 3}, {**found.people[1], "annotators": 4}))
    assert (more.is_same, more.people_in_words) == (False, ["annotators 3 → 4"])
