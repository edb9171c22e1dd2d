"""Verdicts that come by table are a method like any other."""

from __future__ import annotations

import pytest

from studio.actions import align, checklists, tables
from studio.model.authoring import EVERYWHERE
from studio.model.checklists import Dimension
from studio.store import scores as score_store
from tests.projects import SYSTEMS, decks_of, make_project, open_session

METHOD = "other:模型/checklist"
SAID = {"Aster": ("yes", "yes"), "Birch": ("yes", "no"), "Cedar": ("no", "no")}


@pytest.fixture
def project(tmp_path):
    with make_project(tmp_path / "study", instances=1) as made:
        yield made


def items_of(project) -> tuple[str, str]:
    wanted = ((Dimension.COMPLETENESS, "All there?"), (Dimension.CORRECTNESS, "All right?"))
    return tuple(
        checklists.add_item(project, EVERYWHERE, dimension, words, author="author")[0].id for dimension, words in wanted
    )


def table(project, said, items, *, name="verdicts.csv", judge="other:模型"):
    rows = ["judge_id,instance_id,system,item_id,verdict,run_id"]
    for system, answers in said.items():
        for item, answer in zip(items, answers, strict=False):
            rows.append(f"{judge},topic-1,{system},{item},{answer},theirs")
    path = project.folder.parent / name
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def values(project, method=METHOD):
    names = {deck: system for system, deck in decks_of(project, "topic-1").items()}
    return {names[each.deck_id]: each for each in score_store.current_scores(project) if each.metric == method}


def ranked(project):
    session, decks = open_session(project, "topic-1", "ada"), decks_of(project, "topic-1")
    for place, system in enumerate(SYSTEMS, start=1):
        session.rank(decks[system], place)
    session.submit()


def test_that_a_table_of_verdicts_makes_a_method_with_its_dimensions(project):
    ranked(project)
    report, _ = tables.import_table(project, table(project, SAID, items_of(project)))
    # One item in each of two dimensions, their plain mean: 100, 50, 0.
    assert {system: each.value for system, each in values(project).items()} == {"Aster": 100, "Birch": 50, "Cedar": 0}
    assert values(project, f"{METHOD}.completeness")["Birch"].value == 100
    methods = align.methods_table(project).methods
    assert methods[METHOD].mean_rho == pytest.approx(1.0)
    # Nine values: a total and two dimensions for each of three decks.
    assert report.notes == [f"{METHOD}: 9 values for the methods table"]


def test_that_a_deck_with_an_item_left_open_is_undefined_and_says_so_until_the_rest_comes(project):
    items = items_of(project)
    tables.import_table(project, table(project, SAID | {"Dahlia": ("yes",)}, items))
    held = values(project)["Dahlia"]
    assert (held.value, held.undefined_reason) == (None, "not_judged: 1 of 2 items")
    tables.import_table(project, table(project, {"Dahlia": ("yes", "no")}, items))
    assert values(project)["Dahlia"].value == 50


def test_that_the_same_table_twice_adds_nothing(project):
    path = table(project, SAID, items_of(project))
    tables.import_table(project, path)
    report, _ = tables.import_table(project, path)
    assert (report.new, report.same, report.notes) == (0, 6, [])


def test_that_values_that_came_by_another_way_are_kept(project):
    items = items_of(project)
    scores = project.folder.parent / "scores.csv"
    scores.write_text(f"metric,instance_id,system,value\n{METHOD},topic-1,Aster,77\n", encoding="utf-8")
    tables.import_table(project, scores)
    tables.import_table(project, table(project, SAID, items))
    assert values(project)["Aster"].value == 77
    assert values(project)["Birch"].value == 50


def test_that_verdicts_on_no_checklist_item_make_no_method(project):
    tables.import_table(project, table(project, {"Aster": ("4", "5")}, ("harmony", "rhythm")))
    assert values(project) == {}


@pytest.mark.parametrize(
    "order", [("rankings", "verdicts"), ("rankings", "verdicts", "scores"), ("scores", "verdicts", "rankings")]
)
@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_that_what_goes_out_comes_back_to_the_same_methods_table(project, tmp_path, order, ending):
    ranked(project)
    items = items_of(project)
    tables.import_table(project, table(project, SAID | {"Dahlia": ("yes",)}, items))
    with make_project(tmp_path / "other", instances=1) as other:
        theirs = items_of(other)
        for name in order:
            path = tables.export_table(project, name, format=ending, out=tmp_path / f"{name}.{ending}")
            words = path.read_text("utf-8-sig")
            for own, their in zip(items, theirs, strict=True):
                words = words.replace(own, their)
            path.write_text(words, encoding="utf-8")
            report, _ = tables.import_table(other, path)
            assert (report.refused, report.conflicting) == ([], 0)
        here, there = (align.as_json(align.methods_table(each))["methods"] for each in (project, other))
        assert {each["method"]: (each["mean_rho"], each["identical"], each["undefined"]) for each in there} == {
            each["method"]: (each["mean_rho"], each["identical"], each["undefined"]) for each in here
        }
