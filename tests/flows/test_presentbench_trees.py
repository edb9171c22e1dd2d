"""PresentBench trees through the command line: in, out, and out to in again."""

import json
from pathlib import Path

import docx
import pymupdf
import pytest
import yaml
from PIL import Image

from studio.exchange.presentbench_files import file_prefix, newest_of, parse_name
from studio.store import runs as run_store
from studio.store import scores as score_store
from studio.store.project import Project
from tests.presentbench_trees import CASE, COMMON, answers, reference_total, write_pdf, write_results, write_tree
from tests.shared_files import shared

SAID = {
    "material_independent": {"1": ["yes", "No"], "2": ["yes", " YES "]},
    "material_dependent": {"1": ["yes", "maybe"], "2": ["no"], "3": ["yes", "no", "yes", "yes"]},
}


@pytest.fixture
def project(studio, tmp_path):
    folder = tmp_path / "study"
    assert studio("new", folder).code == 0
    return folder


def bring_in(studio, project, *paths):
    return studio("import", project, *paths, "--layout", "presentbench", "--no-render", "--json")


def result_files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*.yaml") if parse_name(path.name) and "_score" not in path.name
            and "weights" not in path.name]  # fmt: skip


def test_that_a_tree_brings_in_checklists_and_results_once(studio, project, tmp_path):
    case = write_tree(tmp_path / "data")
    write_results(tmp_path / "results", case, files={"g_2026-01-01_00-00-00.yaml": answers(SAID)})
    first = bring_in(studio, project, tmp_path / "data", tmp_path / "results")
    assert first.code == 0, first.err
    # 1 + 1, 2, 1, 1 and 12 of the domain; 2 and 1 of the case.
    assert first.json["added"] == {"instances": 1, "sources": 1, "decks": 1, "checklist_items": 21, "verdicts": 11}
    again = bring_in(studio, project, tmp_path / "data", tmp_path / "results")
    assert again.json["added"] == {"instances": 0, "sources": 0, "decks": 0}
    shown = studio("checklist", "show", project, "--instance", "tides", "--system", "Aster", "--json").json
    assert [each["text"] for each in shown["items"]][1:] == ["a1", "b1", "b2", "c1", "c2", "d1"] + [
        f"slide {number}?" for number in range(1, 5)
    ]
    assert shown["items"][1]["prompt"] == "MI|a1"


def test_that_results_go_out_to_the_same_total_as_they_came_in_with(studio, project, tmp_path):
    case = write_tree(tmp_path / "data")
    write_results(tmp_path / "results", case, files={"org-m_2026-01-01_00-00-00.yaml": answers(SAID)})
    bring_in(studio, project, tmp_path / "data", tmp_path / "results")
    gone = studio(
        "checklist", "export", project, "--format", "presentbench", "--judge", "presentbench:org-m", "--out",
        tmp_path / "out", "--json",
    )  # fmt: skip
    assert gone.code == 0, gone.err
    assert studio("checklist", "export", project, "--format", "presentbench", "--out", tmp_path / "bench").code == 0
    weights = tmp_path / "bench" / "education" / "judge_weights.yaml"
    (before,), (after,) = result_files(tmp_path / "results"), result_files(tmp_path / "out")
    assert reference_total(after, weights) == pytest.approx(reference_total(before, weights), abs=1e-9)
    # 1/2, 2/2, 1/2, 0/1 and 3/4 at 20 points each.
    assert reference_total(after, weights)[0] == pytest.approx(55.0, abs=1e-9)
    written = yaml.safe_load(after.with_name(after.stem + "_score.yaml").read_text())["total"]
    assert written["weighted_arithmetic_mean_percent"] == pytest.approx(55.0, abs=1e-9)
    assert studio("score", "--results", after, "--weights", weights, "--json").json["total"] == pytest.approx(55.0)
    assert after.parent == tmp_path / "out/Aster/education/Harbour_School/tides/generation_task/results"


def test_that_an_exported_tree_is_read_back_to_the_same_prompts(studio, project, tmp_path):
    write_tree(tmp_path / "data", case={**CASE, "material_dependent_checklist_2": ["\n**潮** 对吗？\n"]})
    bring_in(studio, project, tmp_path / "data")
    studio("checklist", "export", project, "--format", "presentbench", "--out", tmp_path / "bench")
    common = json.loads((tmp_path / "bench/education/common_judge_prompt.json").read_text())
    assert common == COMMON
    folder = tmp_path / "bench/education/Harbour_School/tides"
    case = json.loads((folder / "generation_task/judge_prompt.json").read_text())
    assert case == {**CASE, "material_dependent_checklist_2": ["\n**潮** 对吗？\n"]}
    assert (folder / "material.md").read_text().startswith("# Tides")
    assert (folder / "generation_task/instructions.md").read_text() == "Make a deck of 3 to 6 slides."


def test_that_a_resumed_file_takes_the_place_of_the_one_before(studio, project, tmp_path):
    case = write_tree(tmp_path / "data")
    open_ = {**SAID, "material_dependent": {**SAID["material_dependent"], "2": [None]}}
    resumed = answers(SAID) | {"_resume_info": {"resumed_from": "g_2026-01-01_00-00-00.yaml", "is_alias": False}}
    write_results(
        tmp_path / "results", case,
        files={"g_2026-01-01_00-00-00.yaml": answers(open_), "g_2026-01-02_00-00-00.yaml": resumed},
    )  # fmt: skip
    bring_in(studio, project, tmp_path / "data", tmp_path / "results")
    found = studio("checklist", "scores", project, "--who", "presentbench:g", "--json").json
    assert found["decks"][0]["answered"] == 10  # "maybe" is no verdict
    assert found["systems"][0]["total"] == pytest.approx(55.0)
    with Project.open(project) as opened:
        assert [run.kind for run in run_store.list_runs(opened)] == ["imported"]


def test_that_two_judges_are_never_mixed(studio, project, tmp_path):
    case = write_tree(tmp_path / "data")
    files = {"g_2026-01-01_00-00-00.yaml": answers(SAID), "g_high_2026-02-01_00-00-00.yaml": answers(SAID)}
    write_results(tmp_path / "results", case, files=files)
    bring_in(studio, project, tmp_path / "data", tmp_path / "results")
    assert "presentbench:g_high" in studio("checklist", "scores", project).error_line
    with Project.open(project) as opened:
        assert {each.judge_id for each in score_store.list_verdicts(opened)} == {
            "presentbench:g",
            "presentbench:g_high",
        }


def test_that_a_model_is_not_taken_for_the_same_model_with_a_level():
    names = ["g_2026-01-01_00-00-00.yaml", "g_high_2026-02-01_00-00-00.yaml", "g_2025-01-01_00-00-00_score.yaml"]
    assert newest_of(names, "g") == "g_2026-01-01_00-00-00.yaml"
    assert newest_of(names, "org/g", "high") == "g_high_2026-02-01_00-00-00.yaml"
    assert newest_of(names, "g", scores=True) == "g_2025-01-01_00-00-00_score.yaml"
    assert newest_of(["gemini-3-flash-preview.yaml"], "gemini-3-flash-preview") == "gemini-3-flash-preview.yaml"


@pytest.mark.parametrize(
    ("model", "level", "prefix"),
    [
        ("org/m:1", "", "m-1"), ("a\\b\\c", "", "c"), (" .-x?*y-. ", "", "x-y"), ("///", "", "model"),
        ("two words", "High", "two words_High"), ("m\x01\x02n", "", "m-n"),
    ],
)  # fmt: skip
def test_that_file_names_are_cleaned_as_the_reference_does(model, level, prefix):
    assert file_prefix(model, level) == prefix


def test_that_a_failure_marker_is_a_state_that_a_later_deck_ends(studio, project, tmp_path):
    case = write_tree(tmp_path / "data")
    folder = write_results(tmp_path / "results", case, pages=0, files={"slides_generation_failed.txt": "no"})
    zero = shared("golden/presentbench/zero_score_reference.yaml").read_text()
    (folder / "g_2026-01-01_00-00-00_score.yaml").write_text(zero)
    other = write_results(
        tmp_path / "results", case, system="Birch", files={"g_2026-01-01_00-00-00.yaml": answers(SAID)}
    )
    bring_in(studio, project, tmp_path / "data", tmp_path / "results")
    found = studio("checklist", "scores", project, "--who", "presentbench:g", "--json").json
    states = {each["system"]: (each["state"], each["total"]) for each in found["decks"]}
    assert states["Aster"] == ("failed", 0.0)
    out = tmp_path / "out"
    studio("checklist", "export", project, "--format", "presentbench", "--judge", "presentbench:g", "--out", out)
    (score,) = (out / "Aster").rglob("*_score.yaml")
    assert yaml.safe_load(score.read_text()) == yaml.safe_load(zero)
    assert list((out / "Aster").rglob("slides_generation_failed.txt"))
    (folder / "slides.pdf").write_bytes((other / "slides.pdf").read_bytes())
    assert bring_in(studio, project, tmp_path / "data", tmp_path / "results").json["added"]["decks"] == 1
    found = studio("checklist", "scores", project, "--who", "presentbench:g", "--json").json
    assert {each["system"]: each["state"] for each in found["decks"]}["Aster"] == "missing"


def test_that_bad_files_are_named_and_stop_nothing(studio, project, tmp_path):
    write_tree(tmp_path / "data", name="good")
    folder = write_tree(tmp_path / "other", domain="talk", name="null", case={"material_dependent_checklist_1": None})
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 12\n"
    (folder / "material.md").write_text(pointer)
    found = bring_in(studio, project, tmp_path / "data", tmp_path / "other")
    assert found.code == 1
    reasons = [each["reason"] for each in found.json["failed"]]
    assert any("material_dependent_checklist_1" in reason for reason in reasons)
    assert any("Git LFS" in reason for reason in reasons)
    assert len(studio("checklist", "show", project, "--instance", "good", "--json").json["items"]) == 19


def test_that_a_tool_error_is_told_and_an_older_name_of_the_instruction_is_read(studio, project, tmp_path):
    unknown = {"__type__": "partial", "func": "os.path.basename", "keywords": {}}
    folder = write_tree(tmp_path / "data", case={**CASE, "material_dependent_checklist_2": [unknown]})
    task = folder / "generation_task"
    (task / "instructions.md").rename(task / "generation_prompt.md")
    (task / "generation_prompt.md").write_text("Between 10 and 12 slides, please.")
    notes = bring_in(studio, project, tmp_path / "data").json["notes"]
    assert any("os.path.basename" in note and "not scored" in note for note in notes)
    assert any("10–12" in note and "3–6" in note for note in notes)
    linted = studio("checklist", "lint", project, "--json")
    assert linted.code == 1
    assert {"tool_error", "slide_range_differs"} <= {each["finding"] for each in linted.json["findings"]}


def test_that_what_a_person_edited_is_not_taken_back_by_importing_again(studio, project, tmp_path):
    write_tree(tmp_path / "data")
    bring_in(studio, project, tmp_path / "data")
    table = tmp_path / "items.csv"
    studio("checklist", "export", project, "--out", table)
    table.write_bytes(table.read_bytes().replace(b",c1,", b",Is c1 so?,"))
    assert studio("checklist", "import", project, table, "--json").json["edited"] == 1
    assert "checklist_items" not in bring_in(studio, project, tmp_path / "data").json["added"]
    words = [each["text"] for each in studio("checklist", "show", project, "--json").json["items"]]
    assert "Is c1 so?" in words
    assert "c1" not in words


def test_that_a_changed_file_becomes_the_next_version_under_the_same_id(studio, project, tmp_path):
    folder = write_tree(tmp_path / "data")
    bring_in(studio, project, tmp_path / "data")
    before = {each["text"]: each for each in studio("checklist", "show", project, "--json").json["items"]}
    (folder / "generation_task/judge_prompt.json").write_text(
        json.dumps({**CASE, "material_dependent_checklist_1": ["c1", "c2 now"]})
    )
    assert bring_in(studio, project, tmp_path / "data").json["added"]["checklist_items"] == 1
    after = {each["text"]: each for each in studio("checklist", "show", project, "--json").json["items"]}
    assert after["c2 now"]["item_id"] == before["c2"]["item_id"]
    assert after["c2 now"]["item_version"] == 2


def test_that_prompt_files_can_be_looked_at_without_a_project(studio, tmp_path):
    folder = write_tree(tmp_path / "data")
    assert len(studio("checklist", "show", folder, "--json").json["items"]) == 19
    linted = studio("checklist", "lint", folder / "generation_task" / "judge_prompt.json", "--json")
    assert linted.code == 0
    assert {each["finding"] for each in linted.json["findings"]} == {"no_yes_no_form"}
    (folder / "generation_task/judge_prompt.json").write_text("[]")
    assert "no JSON object" in studio("checklist", "lint", folder).error_line
    assert "cannot be read" in studio("checklist", "lint", tmp_path / "nothing.json").error_line


def test_that_unquoted_answers_in_a_tree_are_read_with_a_note(studio, project, tmp_path):
    case = write_tree(tmp_path / "data")
    text = (
        yaml.safe_dump(answers(SAID), sort_keys=False).replace("answer: 'yes'", "answer: yes").replace("'3.1'", "3.1")
    )
    write_results(tmp_path / "results", case, files={"g.yaml": text})
    found = bring_in(studio, project, tmp_path / "data", tmp_path / "results").json
    assert found["added"]["verdicts"] == 11
    assert any("unquoted yes read as yes" in note for note in found["notes"])
    assert any("keys without quotes" in note for note in found["notes"])


def test_that_sources_of_every_kind_go_out_as_materials_that_the_reference_finds(studio, project, tmp_path):
    folder = tmp_path / "decks" / "潮汐"
    (folder / "sources").mkdir(parents=True)
    document = docx.Document()
    document.add_heading("潮汐 and tides", 1)
    document.add_paragraph("The spring tide is 4.2 m.")
    table = document.add_table(rows=1, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "June", "3.9 m"
    document.save(folder / "sources" / "a.docx")
    (folder / "sources" / "b.html").write_text(
        "<!doctype html><html><body><h2>Harbour</h2><p>Two piers.</p></body></html>"
    )
    (folder / "sources" / "c.txt").write_bytes("Café tide".encode("utf-16"))
    (folder / "sources" / "d.md").write_bytes(b"# As it is\r\n")
    write_pdf(folder / "sources" / "e.pdf", 2)
    Image.new("RGBA", (40, 30), (200, 10, 10, 90)).save(folder / "sources" / "f.png")
    (folder / "decks").mkdir()
    write_pdf(folder / "decks" / "aster.pdf", 3)
    assert studio("import", project, tmp_path / "decks", "--no-render").code == 0
    found = studio("checklist", "export", project, "--format", "presentbench", "--out", tmp_path / "out", "--json").json
    (case,) = (path.parent.parent for path in (tmp_path / "out").rglob("judge_prompt.json"))
    assert sorted(path.name for path in case.glob("material*")) == [
        "material_1.md", "material_2.md", "material_3.md", "material_4.md", "material_5.pdf", "material_6.pdf",
    ]  # fmt: skip
    assert (case / "material_1.md").read_text() == "# 潮汐 and tides\n\nThe spring tide is 4.2 m.\n\nJune\t3.9 m\n"
    assert (case / "material_2.md").read_text() == "## Harbour\n\nTwo piers.\n"
    assert (case / "material_3.md").read_text() == "Café tide"
    assert (case / "material_4.md").read_bytes() == b"# As it is\r\n"
    with pymupdf.open(case / "material_6.pdf") as picture:
        assert picture.page_count == 1
    assert sum("goes out as" in note for note in found["notes"]) == 3


def test_that_an_instance_is_scored_by_its_own_points_and_its_domain_by_the_domains(studio, project, tmp_path):
    weights = {
        "total": 200.0, "material_independent": {"1": 20.0, "2": 20.0},
        "material_dependent": {"1": 20.0, "2": 20.0, "3": 20.0},
    }  # fmt: skip
    for name in ("ebb", "flood"):
        case = write_tree(tmp_path / "data", name=name, weights=weights)
        write_results(tmp_path / "results", case, files={"g_2026-01-01_00-00-00.yaml": answers(SAID)})
    bring_in(studio, project, tmp_path / "data", tmp_path / "results")
    own = ("--instance", "flood", "--weights", "fundamentals=30,correctness=10", "--total", "none")
    assert studio("checklist", "settings", project, *own).code == 0
    found = studio("checklist", "scores", project, "--who", "presentbench:g", "--form", "weighted", "--json").json
    totals = {each["instance_id"]: each["total"] for each in found["decks"]}
    # (1/2 + 2/2 + 1/2 + 0 + 3/4) · 20 = 55 of the total of 200; 30 · 1/2 + 10 · 0 = 15 of 40.
    assert sorted(totals.values()) == pytest.approx([27.5, 37.5])
    result = next((tmp_path / "results").rglob("ebb/**/g_*.yaml"))
    file_weights = tmp_path / "data/education/judge_weights.yaml"
    assert reference_total(result, file_weights)[0] == pytest.approx(27.5)
    out = ("--format", "presentbench", "--out", tmp_path / "out", "--json")
    notes = studio("checklist", "export", project, *out).json["notes"]
    assert [note for note in notes if "own points" in note]


def test_that_verdicts_that_come_in_by_a_tree_or_a_table_are_a_method_beside_people(studio, project, tmp_path):
    for name in ("ebb", "flood"):
        case = write_tree(tmp_path / "data", name=name)
        for number, system in enumerate(("Aster", "Birch", "Cedar")):
            said = {**SAID, "material_independent": {"1": ["yes", "No"], "2": [["yes", "yes"], ["no", "yes"],
                    ["no", "no"]][number]}}  # fmt: skip
            write_results(
                tmp_path / "results", case, system=system, files={"g_2026-01-01_00-00-00.yaml": answers(said)}
            )
    bring_in(studio, project, tmp_path / "data", tmp_path / "results")
    studio("export", project, "--table", "verdicts", "--out", tmp_path / "verdicts.csv")
    ranks = ["instance_id,annotator_id,deck_id,rank"]
    decks = studio("checklist", "scores", project, "--who", "presentbench:g", "--json").json["decks"]
    ranks += [f"{each['instance_id']},a1,{each['deck_id']},{'ABC'.index(each['system'][0]) + 1}" for each in decks]
    (tmp_path / "ranks.csv").write_text("\n".join(ranks))
    assert studio("import-table", project, tmp_path / "ranks.csv").code == 0
    methods = {each["method"]: each for each in studio("align", project, "--json").json["methods"]}
    # Layout falls from Aster to Cedar and nothing else differs.
    assert methods["presentbench:g/checklist"]["mean_rho"] == pytest.approx(1.0)
    other = tmp_path / "other.csv"
    table = (tmp_path / "verdicts.csv").read_text(encoding="utf-8-sig").replace("presentbench:g", "elsewhere:h")
    lines = table.splitlines(keepends=True)
    assert "run_id" in lines[0]
    other.write_text(table)
    assert studio("import-table", project, other).code == 0
    methods = {each["method"]: each for each in studio("align", project, "--json").json["methods"]}
    assert methods["elsewhere:h/checklist"]["mean_rho"] == pytest.approx(1.0)
    assert "elsewhere:h/checklist.design" in methods
