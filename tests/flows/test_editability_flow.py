"""studio pei and the editability metric in a project, from the terminal."""

from __future__ import annotations

import io
import json

import pytest

from studio.actions import editability
from studio.actions.people_and_parser import person_parser_agreement
from studio.model.editability import STEPS, StepAnswer
from studio.model.runs import RunKind
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import runs as run_store
from studio.store import scores as score_store
from studio.store.project import Project
from tests.unit.decks.decks_made_here import pdf_bytes
from tests.unit.metrics.editability import decks_built as made


@pytest.fixture
def terminal(studio):
    """Return a function: run a command line and give its exit code, its JSON and its messages."""

    def type_in(*arguments):
        ended = studio(*arguments)
        return ended.code, ended.json if ended.out.strip() else None, ended.err

    return type_in


@pytest.fixture
def study(tmp_path, terminal):
    """Return a project of two topics: pictures, template and charts in both, a PDF and a broken file in the first."""
    for topic in ("rivers", "bees"):
        folder = tmp_path / "in" / topic / "decks"
        folder.mkdir(parents=True)
        made.picture_with_overlay(folder / "Pictures.pptx")
        made.template(folder / "Template.pptx")
        made.template(folder / "Coder.pptx", with_chart=True, is_animated=topic == "bees")
    first = tmp_path / "in" / "rivers" / "decks"
    (first / "Printer.pdf").write_bytes(pdf_bytes([(960, 540, "Rivers")]))
    (first / "Broken.pptx").write_bytes((first / "Template.pptx").read_bytes()[:3000])
    assert terminal("new", tmp_path / "study", "--json")[0] == 0
    terminal("import", tmp_path / "study", tmp_path / "in", "--no-render", "--json")
    return tmp_path / "study"


def test_that_one_file_is_judged_without_a_project(tmp_path, terminal):
    code, values, _ = terminal("pei", made.template(tmp_path / "deck.pptx"), "--json")
    assert code == 0
    assert (values["level"], values["maximum"], values["rules"]) == (3, 5, "studio")
    assert [gate["passed"] for gate in values["gates"]] == [True, True, True, False, False]
    assert values["gates"][3]["evidence"] == "no native chart"


def test_that_a_broken_file_has_no_level_but_the_reason(tmp_path, terminal):
    path = made.template(tmp_path / "deck.pptx")
    path.write_bytes(path.read_bytes()[:3000])
    code, values, messages = terminal("pei", path, "--json")
    assert code == 1
    assert (values["level"], values["failure"]["kind"], values["subcriteria"]) == (None, "truncated", None)
    assert values["undefined_reason"].startswith("truncated: ")
    assert messages.startswith("studio: no level: ")


def test_that_a_missing_file_is_bad_input(tmp_path, terminal):
    code, values, messages = terminal("pei", tmp_path / "nowhere.pptx", "--json")
    assert (code, values) == (2, None)
    assert "was not found" in messages
    assert messages.count("\n") == 1


def test_that_a_protected_file_opens_with_its_password(tmp_path, terminal, monkeypatch):
    from msoffcrypto.format.ooxml import OOXMLFile

    plain = made.template(tmp_path / "plain.pptx")
    path = tmp_path / "deck.pptx"
    with plain.open("rb") as source, path.open("wb") as out:
        OOXMLFile(source).encrypt("open sesame", out)
    code, values, _ = terminal("pei", path, "--json")
    assert (code, values["failure"]["kind"]) == (1, "needs_password")
    monkeypatch.setattr("sys.stdin", io.StringIO("open sesame\n"))
    code, values, _ = terminal("pei", path, "--password-stdin", "--json")
    assert (code, values["level"]) == (0, 3)


def test_that_thresholds_go_out_and_come_back_changed(tmp_path, terminal):
    code, rules, _ = terminal("pei", "--print-rules")
    assert code == 0
    path = made.template(tmp_path / "deck.pptx")
    file = tmp_path / "rules.json"
    file.write_text(json.dumps({**rules, "min_vector_objects": 13}), "utf-8")
    # Three rectangles on each of four slides are 12 vector objects.
    code, values, _ = terminal("pei", path, "--rules", file, "--json")
    assert (code, values["level"], values["rules"]) == (0, 1, "custom")
    file.write_text('{"nonsense": 1}', "utf-8")
    code, values, messages = terminal("pei", path, "--rules", file, "--json")
    assert (code, values) == (2, None)
    assert "Unknown editability rules: nonsense" in messages


def test_that_a_person_reads_the_gates_on_the_terminal(tmp_path, studio):
    ended = studio("pei", made.template(tmp_path / "deck.pptx"))
    assert ended.code == 0
    printed = ended.out
    assert printed.startswith("L3 structural (of at most L5, studio rules)")
    assert "T4 Charts have their data: failed\n   no native chart" in printed
    assert "T5 Animation, transitions, media: not reached" in printed


def test_that_a_project_gets_a_level_for_each_deck_and_system(study, terminal):
    code, values, _ = terminal("pei", study, "--json")
    levels = {(row["instance"], row["system"]): row["level"] for row in values["decks"]}
    assert levels == {
        ("rivers", "Broken"): None,
        ("rivers", "Coder"): 4,
        ("rivers", "Pictures"): 1,
        ("rivers", "Printer"): 0,
        ("rivers", "Template"): 3,
        ("bees", "Coder"): 5,
        ("bees", "Pictures"): 1,
        ("bees", "Template"): 3,
    }
    assert code == 1  # one deck has no level
    broken = next(row for row in values["decks"] if row["system"] == "Broken")
    assert broken["undefined_reason"]
    systems = {row["system"]: row for row in values["systems"]}
    assert {name: row["level"] for name, row in systems.items()} == {
        "Broken": None, "Coder": 4, "Pictures": 1, "Printer": 0, "Template": 3,
    }  # fmt: skip
    assert systems["Coder"]["shares"]["L4"] == systems["Coder"]["shares"]["L5"] == 0.5


def test_that_a_second_run_finds_everything_done_and_paper_rules_stand_beside(study, terminal):
    terminal("pei", study, "--json")
    terminal("pei", study, "--json")
    code, values, _ = terminal("pei", study, "--rules", "paper", "--json")
    assert {row["level"] for row in values["decks"] if row["system"] == "Coder"} == {2}
    project = Project.open(study)
    try:
        runs = [run for run in run_store.list_runs(project) if "Editability" in run.title]
        assert sorted(run.cached for run in runs) == [0, 0, 7]
        presets = {score.preset for score in score_store.current_scores(project)}
        assert presets == {"benchmark", "paper-text"}
        # Judging needs no pictures.
        assert RunKind.RENDER not in {run.kind for run in run_store.list_runs(project)}
    finally:
        project.close()
    assert code == 1


def test_that_the_metrics_command_names_the_level_among_its_metrics(study, terminal):
    _, rows, _ = terminal("metrics", study, "--metrics", "editability.pei", "--json")
    assert {row["metric"] for row in rows} == {"editability.pei"}
    assert {row["system"]: row["value"] for row in rows if row["system"] == "Template"} == {"Template": 3.0}
    undefined = [row for row in rows if row["value"] is None]
    assert [row["system"] for row in undefined] == ["Broken"]
    assert undefined[0]["undefined_reason"]


def test_that_people_and_the_parser_are_compared_gate_by_gate(study, terminal):
    terminal("pei", study, "--json")
    project = Project.open(study, must_write=True)
    try:
        person = people_store.annotator_named(project, "Rater").id
        topic = next(item.id for item in deck_store.list_instances(project) if item.name == "rivers")
        decks = {deck.system: deck.id for deck in deck_store.list_decks(project, topic)}
        no = {"Pictures": {"A2", "B2", "B3", "C1", "C2", "C3"}, "Template": {"C2", "C3"}, "Coder": {"C2", "C3"}}
        for system, failed in no.items():
            form, _ = editability.open_form(project, decks[system], person)
            for step in STEPS:
                form.answer(step.id, StepAnswer.NO if step.id in failed else StepAnswer.YES)
            form.submit()
        draft, _ = editability.open_form(project, decks["Printer"], person)
        draft.answer("A1", StepAnswer.YES)
        found = {row.what: row for row in person_parser_agreement(project)}
        printed = editability.project_editability(project)["people"]
    finally:
        project.close()
    code, people, _ = terminal("pei", study, "--people", "--json")
    assert code == 0
    # Of five gates each: Pictures and Coder differ on one, Template on none; the draft is no form.
    assert people["forms"] == 3
    assert {row["system"]: (row["forms"], row["same"], row["same_level"]) for row in people["systems"]} == {
        "Pictures": (1, 0.8, 1), "Template": (1, 1, 1), "Coder": (1, 0.8, 0),
    }  # fmt: skip
    decks_found = {row["system"]: row for row in people["decks"]}
    assert (decks_found["Coder"]["people_level"], decks_found["Coder"]["parser_level"]) == (3, 4)
    assert decks_found["Coder"]["gates"]["T4"] == {"people": False, "parser": True}
    assert (decks_found["Coder"]["same"], decks_found["Coder"]["compared"]) == (4, 5)
    assert decks_found["Coder"]["person"] == "Rater"
    assert people["gates"] == printed
    # Parser: Pictures + . + . ., Template + + + . ., Coder + + + + . (T1 to T5; T3 of Pictures holds since it has
    # no loose shapes). Person: Pictures + . . . ., Template + + + . ., Coder + + + . . .
    assert {what: row.same.n for what, row in found.items()} == dict.fromkeys(
        ("T1", "T2", "T3", "T4", "T5", "level"), 3
    )
    assert found["T1"].same.value == 1
    assert found["T1"].kappa.undefined_reason == "constant"
    assert found["T2"].kappa.value == pytest.approx(1)
    assert found["T3"].same.value == pytest.approx(2 / 3)
    assert found["T4"].same.value == pytest.approx(2 / 3)
    # Levels: person 1 3 3, parser 1 3 4. Squared distances: observed (0 + 0 + 1) / 3; expected over all nine pairs
    # (0+4+9 + 4+0+1 + 4+0+1) / 9 = 23 / 9. Kappa = 1 - (1/3) / (23/9) = 20 / 23.
    assert found["level"].same.value == pytest.approx(2 / 3)
    assert found["level"].kappa.value == pytest.approx(20 / 23)
    assert [row["gate"] for row in printed] == ["T1", "T2", "T3", "T4", "T5", "level"]
    assert (printed[0]["same"], printed[0]["kappa"], printed[0]["undefined_reason"]) == (1, None, "constant")


def test_that_agreement_without_forms_is_undefined(study, terminal):
    _, values, _ = terminal("pei", study, "--json")
    assert {(row["n"], row["same"], row["undefined_reason"]) for row in values["people"]} == {(0, None, "too_few")}
    code, people, _ = terminal("pei", study, "--people", "--json")
    assert (code, people["forms"], people["decks"], people["systems"]) == (0, 0, [], [])


def test_that_forms_are_asked_of_a_project_not_of_a_file(tmp_path, terminal):
    code, values, messages = terminal("pei", made.template(tmp_path / "deck.pptx"), "--people", "--json")
    assert (code, values) == (2, None)
    assert "project" in messages


def test_that_one_metrics_run_gives_aesthetics_and_editability(tmp_path, terminal):
    folder = tmp_path / "in" / "rivers" / "decks"
    folder.mkdir(parents=True)
    (folder / "Printer.pdf").write_bytes(pdf_bytes([(960, 540, "Rivers"), (960, 540, "Lakes")]))
    assert terminal("new", tmp_path / "study", "--json")[0] == 0
    terminal("import", tmp_path / "study", tmp_path / "in", "--json")
    code, rows, _ = terminal("metrics", tmp_path / "study", "--workers", "1", "--json")
    values = {row["metric"]: row["value"] for row in rows}
    assert code == 0
    assert values["editability.pei"] == 0
    assert values["aesthetics.engagement"] is not None
    project = Project.open(tmp_path / "study")
    try:
        runs = [run for run in run_store.list_runs(project) if run.kind is RunKind.METRICS]
        assert [(run.title, run.total) for run in runs] == [("Aesthetics · benchmark + Editability · studio rules", 2)]
    finally:
        project.close()
    # Everything is done: the same run again plans nothing.
    code, again, _ = terminal("metrics", tmp_path / "study", "--workers", "1", "--json")
    assert (code, again) == (0, rows)
