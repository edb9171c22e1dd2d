"""Studies, people and known answers from the terminal: what each command stores, prints and refuses."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from studio.actions import studies
from studio.actions.explanation_units import Explanation, explanation_id, plan_explanations
from studio.actions.missing_files import missing_files
from studio.actions.runs import start_run
from studio.actions.spoilt_decks import make_attention_item
from studio.actions.study_desk import known_answers
from studio.actions.study_plan import preview_plan
from studio.actions.study_queue import read_queue
from studio.decks.render import find_tools
from studio.errors import Cancelled
from studio.exchange.export_tables import rows_of
from studio.exchange.rankings import current_rankings
from studio.model.answers import AnswerEvent, AnswerKind
from studio.model.runs import RunKind, RunSpec
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import studies as study_store
from studio.store.project import Project
from tests.flows import made_here
from tests.projects import make_project, rank, ticking_clock

PEOPLE = ("Ada", "Bo", "Cleo")  # invented


@pytest.fixture
def folder(tmp_path) -> Path:
    with make_project(tmp_path / "study", instances=6) as project:
        for name in PEOPLE:
            people_store.annotator_named(project, name)
    return tmp_path / "study"


def test_that_a_study_is_made_planned_listed_and_closed(studio, folder):
    made = studio(
        "study", "new", folder, "Pilot", "--overlap", 2, "--seed", 5, "--top-k", 2, "--rule", "top_k", "--json"
    )
    assert (made.json["kind"], made.json["overlap"], made.json["rule"], made.json["top_k"]) == ("rank", 2, "top_k", 2)
    tried = studio("study", "plan", folder, "Pilot", "--dry-run", "--json").json
    # 6 instances × 2 people are 12, 4 for each of three.
    assert ([row["instances"] for row in tried["annotators"]], tried["new"], tried["shortfall"]) == ([4, 4, 4], 12, 0)
    # Of each instance none of two answers comes with 0.1², one with 2 · 0.9 · 0.1: 2 · 0.01 + 0.18 = 0.2 are missing.
    assert tried["expected_shortfall"] == pytest.approx(6 * 0.2)
    with Project.open(folder) as project:
        assert not study_store.has_assignments(project, made.json["id"])
    assert studio("study", "plan", folder, "Pilot", "--json").json["new"] == 12
    assert studio("study", "plan", folder, "Pilot", "--json").json["new"] == 0
    listed = {row["name"]: row for row in studio("study", "list", folder, "--json").json}
    assert set(listed) == {"All on all", "Pilot"}
    assert [(row["name"], row["total"]) for row in listed["Pilot"]["annotators"]] == [(name, 4) for name in PEOPLE]
    assert studio("study", "close", folder, "Pilot", "--json").json["is_closed"]
    with Project.open(folder) as project:
        who = people_store.annotator_named(project, "Ada").id
        queue = read_queue(project, studies.study_named(project, "Pilot"), who)
    assert (queue.items, queue.n_locked) == ((), 4)
    assert not studio("study", "close", folder, "Pilot", "--reopen", "--json").json["is_closed"]


def test_that_work_of_somebody_who_dropped_out_goes_to_others(studio, folder):
    studio("study", "new", folder, "Pilot", "--overlap", 2)
    studio("study", "plan", folder, "Pilot")
    row = studio("people", "set", folder, "Cleo", "--dropped-out", "--group", "expert", "--json").json
    assert (row["is_active"], row["group"]) == (False, "expert")
    again = studio("study", "plan", folder, "Pilot", "--json").json
    assert (again["withdrawn"], again["new"]) == (4, 4)
    assert {row["name"]: row["instances"] for row in again["annotators"]} == {"Ada": 6, "Bo": 6}


def test_that_changed_rules_are_undone_and_redone_in_the_terminal(studio, folder):
    studio("study", "new", folder, "Pilot", "--overlap", 2)
    studio("study", "plan", folder, "Pilot", "--overlap", 3)
    undone = studio("study", "undo", folder, "--json").json
    assert (undone["words"], undone["verb"]) == ("Undone: Changed the rules of Pilot", "undo")
    assert studio("study", "undo", folder, "--redo").out.strip() == "Redone: Changed the rules of Pilot."
    assert "nothing to redo in the studies" in studio("study", "undo", folder, "--redo").error_line


def test_that_profiles_are_listed_as_they_were_set(studio, folder):
    studio("people", "set", folder, "陈晨", "--role", "reviewer", "--qualification", "母语者")
    rows = {row["name"]: row for row in studio("people", "list", folder, "--json").json}
    assert (rows["陈晨"]["role"], rows["陈晨"]["qualification"]) == ("reviewer", "母语者")
    assert rows["Ada"]["role"] == "annotator"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (("study", "plan", "{}", "Nowhere"), "There is no study Nowhere."),
        (("study", "plan", "{}", "All on all"), "All on all needs no plan"),
        (("study", "new", "{}", " "), "A study needs a name."),
        (("study", "new", "{}", "x", "--system", "Nobody"), "There is no system Nobody."),
        (("study", "new", "{}", "x", "--sample", "7"), "7 of 6 cannot be drawn."),
        (("study", "gold", "{}", "All on all", "topic-9", "--order", "Aster,Birch"), "There is no instance topic-9."),
        (("study", "gold", "{}", "All on all", "topic-1", "--order", "Aster"), "two or more different decks"),
        (("study", "guidelines", "{}", "v9"), "There are no guidelines v9."),
        (("study", "training", "{}", "Pilot", "--needed"), "A training needs at least one question."),
        (("study", "explanations", "{}", "Pilot", "missing.jsonl"), "missing.jsonl cannot be read"),
        (("study", "spoil", "{}", "All on all", "topic-1", "Aster"), "Spoilt decks are for ranking studies"),
        (("study", "spoil", "{}", "Pilot", "topic-1", "Nobody"), "has no drawn deck of Nobody"),
        (("study", "gold", "{}", "All on all", "topic-1"), "Give an order of decks, or the points of one."),
        (("study", "gold", "{}", "Pilot", "topic-1", "--points", "flow=2", "--system", "Aster"), "asks for no ratings"),
        (("study", "gold", "{}", "Pilot", "topic-1", "--points", "flow"), "flow is no known point."),
        (("find-files", "{}", "nowhere"), "nowhere is no folder."),
    ],
)
def test_that_what_makes_no_sense_is_refused_in_one_line(studio, folder, line, words):
    studio("study", "new", folder, "Pilot")
    assert words in studio(*(folder if part == "{}" else part for part in line)).error_line


def test_that_the_name_of_a_study_is_taken_once(studio, folder):
    studio("study", "new", folder, "Pilot")
    assert "There is a study named Pilot already." in studio("study", "new", folder, "Pilot").error_line


def test_that_guidelines_are_stored_once_and_never_changed(studio, folder, tmp_path):
    (tmp_path / "v1.md").write_text("# 看清楚\n", encoding="utf-8")
    (tmp_path / "other.md").write_text("# Look\n", encoding="utf-8")
    assert studio("study", "guidelines", folder, "v1", tmp_path / "v1.md", "--json").json["version"] == "v1"
    assert studio("study", "guidelines", folder, "v1", tmp_path / "v1.md").code == 0
    assert "there already" in studio("study", "guidelines", folder, "v1", tmp_path / "other.md").error_line
    assert studio("study", "guidelines", folder, "v1").out == "# 看清楚\n\n"


def test_that_known_answers_repeats_and_speed_are_counted_for_each_person(studio, folder):
    studio("study", "gold", folder, "All on all", "topic-1", "--order", "Aster,Birch")
    studio("study", "gold", folder, "All on all", "topic-2", "--order", "Birch,Aster", "--attention")
    with Project.open(folder) as project:
        for name in PEOPLE[:2]:
            for topic in ("topic-1", "topic-2", "topic-3"):
                rank(project, topic, name, ("Aster", "Birch", "Cedar", "Dahlia"))
    rows = {row["annotator"]: row for row in studio("study", "results", folder, "All on all", "--json").json}
    ada = rows["Ada"]
    assert (ada["done"], ada["gold"], ada["gold_right"]) == (3, 1, 1)
    assert (ada["attention"], ada["attention_right"]) == (1, 0)
    # Four ranks and the submit of 2 s each: 10 s for every answer, so none is hasty.
    assert (ada["median_s"], ada["hasty"], ada["self_agreement"]) == (10.0, 0, None)
    with Project.open(folder) as project:
        assert {item.instance_id for item in current_rankings(project)} == {
            item.id for item in deck_store.list_instances(project) if item.name in ("topic-1", "topic-3")
        }


def test_that_every_pair_of_a_known_order_and_every_point_has_its_known_answer(studio, folder):
    studio("study", "new", folder, "Pairs", "--kind", "pairwise")
    studio("study", "new", folder, "Ratings", "--kind", "rate", "--scales", "reflex")
    studio("study", "gold", folder, "Pairs", "topic-1", "--order", "Cedar,Aster,Birch")
    given = studio(
        "study", "gold", folder, "Ratings", "topic-1", "--system", "Aster", "--points", "flow=1-2,coverage=4", "--json"
    )
    assert given.json["expected"] == {"values": {"flow": [1, 2], "coverage": [4, 4]}}
    with Project.open(folder) as project:
        pairs = {each.words for each in known_answers(project, studies.study_named(project, "Pairs"))}
        (points,) = known_answers(project, studies.study_named(project, "Ratings"))
        preview = preview_plan(project, studies.study_named(project, "Pairs"))
    assert pairs == {"Cedar > Aster", "Cedar > Birch", "Aster > Birch"}
    assert points.words == "Aster: flow 1–2, coverage 4–4"
    # The instance with known answers goes to everybody: six pairs for each of three people.
    assert sum(item.purpose.value == "gold" for item in preview.plan.new) == 6 * len(PEOPLE)


def test_that_training_scales_and_reasons_come_from_files_and_options(studio, folder, tmp_path):
    studio("study", "new", folder, "Pilot")
    item = {"question": "Which?", "options": ["left", "right"], "answer": "right", "explanation": "So."}
    (tmp_path / "q.jsonl").write_text(json.dumps(item) + "\n\n" + json.dumps(item | {"answer": "left"}), "utf-8")
    done = studio(
        "study", "training", folder, "Pilot", tmp_path / "q.jsonl", "--pass-mark", 0.5, "--tries", 3, "--json"
    )
    assert (done.json["questions"], done.json["training_pass_mark"], done.json["training_tries"]) == (2, 0.5, 3)
    assert done.json["needs_training"]
    (tmp_path / "bad.jsonl").write_text(json.dumps(item | {"answer": "up"}), "utf-8")
    assert "no right answer" in studio("study", "training", folder, "Pilot", tmp_path / "bad.jsonl").error_line
    kept = studio("study", "training", folder, "Pilot", "--not-needed", "--json").json
    assert (kept["questions"], kept["needs_training"]) == (2, False)
    shipped = studio("study", "training", folder, "Pilot", "--shipped", "zh", "--json").json
    assert (shipped["questions"], shipped["guidelines_version"]) == (6, "studio-1-zh")
    scale = {"dimension": "clarity", "question": "Clear?", "anchors": ["no", "yes"]}
    (tmp_path / "s.json").write_text(json.dumps({"name": "own", "scales": [scale]}), "utf-8")
    assert studio("study", "scales", folder, tmp_path / "s.json", "--json").json[-1]["name"] == "own"
    (tmp_path / "s.json").write_text("[1]", "utf-8")
    assert "s.json is no JSON object." in studio("study", "scales", folder, tmp_path / "s.json").error_line
    assert studio("study", "reasons", folder, "--reason", "看不清", "--json").json == ["看不清"]
    assert len(studio("study", "reasons", folder, "--usual", "--json").json) == 4


def test_that_explanations_are_read_planned_and_listed_with_their_writers(studio, folder, tmp_path):
    studio("study", "new", folder, "Useful", "--kind", "rate", "--scales", "usefulness")
    line = {"deck": "topic-1/Aster", "metric": "flow", "text": "Order 1, 3, 2.", "written_by": "judge-x"}
    (tmp_path / "e.jsonl").write_text(json.dumps(line) + "\n", "utf-8")
    done = studio("study", "explanations", folder, "Useful", tmp_path / "e.jsonl", "--json").json
    assert done["new"] == len(PEOPLE)
    assert [(row["written_by"], row["ratings"]) for row in done["explanations"]] == [("judge-x", [])]
    assert studio("study", "explanations", folder, "Useful", tmp_path / "e.jsonl", "--json").json["new"] == 0
    assert studio("study", "explanations", folder, "Useful", "--json").json["agreement"] == []
    with Project.open(folder) as project:
        study = studies.study_named(project, "Useful")
        deck = deck_store.list_decks(project)[0].id
        made = [Explanation(deck_id=deck, metric="flow", text=f"Words {n}.", written_by="judge-x") for n in range(3)]
        plan_explanations(project, study, made, [])
        for name, points in (("Ada", (1, 2, 3)), ("Bo", (1, 3, 2))):
            for each, point in zip(made, points, strict=True):
                rate_explanation(project, study, name, each, point)
    (row,) = studio("study", "explanations", folder, "Useful", "--json").json["agreement"]
    # 1 − 6·(0 + 1 + 1)/24.
    assert (row["pairwise_mean"], row["pairwise_max"], row["n_couples"]) == (pytest.approx(0.5), pytest.approx(0.5), 1)
    assert "pairwise mean" in studio("study", "explanations", folder, "Useful").out
    (tmp_path / "e.jsonl").write_text(json.dumps(line | {"deck": "topic-1/Nobody"}), "utf-8")
    assert "line 1 names no deck" in studio("study", "explanations", folder, "Useful", tmp_path / "e.jsonl").error_line


def test_that_a_spoilt_deck_is_asked_in_its_study_only_and_counts_in_no_table(studio, tmp_path):
    folder = pilot_study(studio, tmp_path)
    made = studio("study", "spoil", folder, "Pilot", "one", "Aster", "--degree", 4, "--seed", 3, "--json")
    assert made.code == 0, made.err
    with Project.open(folder) as project:
        pilot = studies.study_named(project, "Pilot")
        item = next(each for each in deck_store.list_instances(project) if each.id == made.json["instance_id"])
        original = next(each for each in deck_store.list_instances(project) if each.name == "one")
        assert (item.title, item.instruction) == (original.title, original.instruction)
        decks = deck_store.list_decks(project, item.id)
        # Three decks as in the other instances: the good one, its spoilt form, and one of the two others.
        assert len(decks) == 3
        assert {deck.system for deck in decks} == {"Attention 1", "Attention 2", "Attention 3"}
        by_id = {deck.id: deck for deck in decks}
        aster = next(deck for deck in deck_store.list_decks(project, original.id) if deck.system == "Aster")
        assert by_id[made.json["better"]].asset == aster.asset
        assert by_id[made.json["spoilt"]].asset != aster.asset
        who = people_store.annotator_named(project, "Ada").id
        assert item.id in {each.instance.id for each in read_queue(project, pilot, who).items}
        everything = read_queue(project, studies.implicit_study(project), who)
        assert {each.instance.name for each in everything.items} == {"one", "two"}
        other, _ = studies.create_study(project, "Other", pilot.kind)
        assert item.id not in {each.instance.id for each in read_queue(project, other, who).items}
        answered(project, pilot, who, item.id, first=made.json["spoilt"])
        assert rows_of(project, "rankings") == []
    (row,) = [row for row in studio("study", "results", folder, "Pilot", "--json").json if row["annotator"] == "Ada"]
    assert (row["attention"], row["attention_right"]) == (1, 0)


def rate_explanation(project: Project, study, name: str, explanation: Explanation, point: int) -> None:
    who, which = people_store.annotator_named(project, name).id, explanation_id(project, explanation)
    deck = next(each for each in deck_store.list_decks(project) if each.id == explanation.deck_id)
    answer_store.append(
        project,
        AnswerEvent(
            seq=0, uid=f"{name}-{which}", kind=AnswerKind.RATING, instance_id=deck.instance_id,
            annotator_id=who, deck_id=deck.id, item_key=f"text:{which}", verb="submit",
            state={"values": {"usefulness": point}, "scale_set": "usefulness", "status": "submitted"},
            at="2026-05-04T10:00:00.000Z", active_s=1.0, wall_s=1.0, study_id=study.id, repeat=0, app_version="test",
        ),
    )  # fmt: skip


def test_that_an_attention_item_that_is_stopped_leaves_nothing(studio, tmp_path):
    stopped = threading.Event()
    stopped.set()
    with Project.open(pilot_study(studio, tmp_path)) as project, pytest.raises(Cancelled, match="was stopped"):
        make_attention_item(
            project, studies.study_named(project, "Pilot"), "one", "Aster", tools=find_tools(),
            emit=lambda _event: None, cancel=stopped,
        )  # fmt: skip
    with Project.open(tmp_path / "study") as project:
        assert {each.name for each in deck_store.list_instances(project)} == {"one", "two"}


def pilot_study(studio, tmp_path: Path) -> Path:
    """Return a project of two instances, drawn, with a ranking study of three systems."""
    made_here.instances(tmp_path / "in", ["one", "two"], systems=("Aster", "Birch", "Cedar"), slides=5)
    folder = tmp_path / "study"
    studio("new", folder)
    studio("import", folder, tmp_path / "in")
    draw(folder)
    for name in PEOPLE[:2]:
        studio("people", "set", folder, name)
    studio("study", "new", folder, "Pilot", "--system", "Aster", "--system", "Birch", "--system", "Cedar")
    return folder


def draw(folder: Path) -> None:
    with Project.open(folder) as project:
        spec = RunSpec(kind=RunKind.RENDER, workers=1)
        start_run(project, spec, tools=find_tools(), emit=lambda _event: None, cancel=threading.Event())


def answered(project: Project, study, who, instance, *, first: str) -> None:
    """Let a person rank an instance's decks with one of them first."""
    from studio.model.studies import Assignment
    from studio.sessions.clock import Spent
    from studio.sessions.ranking import RankingSession

    assignment = Assignment(study_id=study.id, annotator_id=who, instance_id=instance)
    session = RankingSession(
        instance_id=instance, annotator_id=who, display=studies.shown_decks(project, study, assignment), events=[],
        record=studies.recorder(project, study), now=ticking_clock(), spent=lambda: Spent(active_s=1.0, wall_s=1.0),
    )  # fmt: skip
    for place, deck in enumerate(sorted(session.display, key=lambda deck: deck != first), start=1):
        session.rank(deck, place)
    session.submit()


def test_that_missing_originals_come_back_from_a_folder_by_their_content(studio, tmp_path):
    made_here.instances(tmp_path / "in", ["one"], systems=("Aster", "Birch"), slides=1)
    folder = tmp_path / "study"
    studio("new", folder)
    studio("import", folder, tmp_path / "in")
    backup = tmp_path / "backup" / "deep"
    backup.mkdir(parents=True)
    with Project.open(folder) as project:
        for number, deck in enumerate(deck_store.list_decks(project)):
            project.asset_path(deck.asset, deck.extension).rename(backup / f"no name {number}")
        assert len(missing_files(project)) == 2
    (backup / "no name 1").write_bytes(b"something else")
    found = studio("find-files", folder, tmp_path / "backup", "--json")
    assert (found.code, found.json["found"], len(found.json["missing"])) == (1, 1, 1)
