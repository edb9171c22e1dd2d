"""Scores of result files: the golden ones, and the traps that their files can hold."""

import json

import pytest
import yaml

from studio.actions.checklist_scores import score_file, score_json
from studio.checklists.pages import Mode
from studio.checklists.reference_score import NullPolicy, zero_score
from studio.checklists.slide_count import check_slide_count
from studio.errors import BadInput
from studio.exchange.presentbench_files import score_content
from studio.exchange.presentbench_results import read_result, read_score, read_weights
from tests.presentbench_trees import WEIGHTS, answers
from tests.shared_files import shared

ALL_YES = {
    "material_independent": {"1": ["yes", "yes"], "2": ["yes"]},
    "material_dependent": {"1": ["yes"], "2": ["yes"], "3": ["yes", "yes"]},
}


def golden(case: str):
    folder = shared(f"golden/presentbench/{case}")
    return folder / "result.yaml", folder / "judge_weights.yaml", folder


def flat(content, prefix=""):
    if isinstance(content, dict):
        return {key: value for name, each in content.items() for key, value in flat(each, f"{prefix}/{name}").items()}
    return {prefix: content}


@pytest.mark.parametrize("case", ["case1_equal", "case2_unequal_odd_answers"])
@pytest.mark.parametrize("mode", Mode)
def test_that_every_number_of_the_reference_comes_out(case, mode):
    result, weights, folder = golden(case)
    ours = flat(score_content(score_file(result, weights, mode=mode)))
    theirs = flat(yaml.safe_load((folder / "reference_score.yaml").read_text()))
    assert ours.keys() == theirs.keys()
    for key, value in theirs.items():
        assert ours[key] == pytest.approx(value, abs=1e-9), key


def test_that_case_1_has_the_published_totals_and_leave_one_outs():
    result, weights, _ = golden("case1_equal")
    found = score_json(score_file(result, weights))
    assert found["total"] == pytest.approx(61.571428571, abs=1e-9)
    assert [each["percent"] for each in found["classes"].values()] == pytest.approx(
        [75, 40, 100, 50, 42.857142857142854], abs=1e-9
    )
    assert list(found["leave_one_out"].values()) == pytest.approx(
        [58.214285714285715, 66.96428571428571, 51.96428571428571, 64.46428571428571, 66.25], abs=1e-9
    )
    assert (found["answered"], found["items"], found["complete"]) == (21, 21, True)


def test_that_an_item_without_an_answer_fails_or_is_left_out_and_is_told():
    result, weights, folder = golden("case3_null_answer")
    # 2.2 of correctness is null: 50, 100, 100, 1/2 or 1/1, 50 percent at 20 points each.
    strict, lenient = score_file(result, weights), score_file(result, weights, nulls=NullPolicy.EXCLUDE)
    assert strict.total == pytest.approx(70.0, abs=1e-9)
    assert lenient.total == pytest.approx(80.0, abs=1e-9)
    for found in (strict, lenient):
        assert (found.answered, found.items, found.is_complete) == (8, 9, False)
        assert any("1 of 9 items" in note for note in found.notes)
    with pytest.raises(BadInput, match=r"2\.2"):
        score_file(result, weights, mode=Mode.COMPAT)
    assert json.loads((folder / "reference_error.json").read_text())["raises"] == "AttributeError"


def write(tmp_path, result, weights):
    (tmp_path / "r.yaml").write_text(result if isinstance(result, str) else yaml.safe_dump(result))
    (tmp_path / "w.yaml").write_text(weights if isinstance(weights, str) else yaml.safe_dump(weights))
    return tmp_path / "r.yaml", tmp_path / "w.yaml"


def test_that_class_keys_without_quotes_are_read_as_meant(tmp_path):
    files = write(
        tmp_path, answers(ALL_YES),
        "material_independent: {1: 20, 2: 20}\nmaterial_dependent: {1: 20, 2: 20, 3: 20}\n",
    )  # fmt: skip
    found = score_file(*files)
    assert found.total == pytest.approx(100.0)
    assert any("no quotes" in note for note in found.notes)
    # The reference finds no class, while the sum in the denominator still has all points.
    assert score_file(*files, mode=Mode.COMPAT).total == 0.0


def test_that_a_total_inside_a_section_is_no_class(tmp_path):
    weights = {
        "material_independent": {"1": 20.0, "2": 20.0, "total": 40.0},
        "material_dependent": {"1": 20.0, "2": 20.0, "3": 20.0, "total": 60.0},
    }
    files = write(tmp_path, answers(ALL_YES), weights)
    assert score_file(*files).total == pytest.approx(100.0)
    assert any("total inside a section" in note for note in score_file(*files).notes)
    # 100 points over a sum of 200.
    assert score_file(*files, mode=Mode.COMPAT).total == pytest.approx(50.0)


def test_that_an_unquoted_yes_is_a_yes_with_a_note(tmp_path):
    text = yaml.safe_dump(answers(ALL_YES)).replace("answer: 'yes'", "answer: yes")
    files = write(tmp_path, text, WEIGHTS)
    found = score_file(*files)
    assert found.total == pytest.approx(100.0)
    assert any("unquoted yes read as yes" in note for note in found.notes)
    with pytest.raises(BadInput, match="without quotes"):
        score_file(*files, mode=Mode.COMPAT)


def test_that_item_1_10_is_not_taken_for_item_1_1(tmp_path):
    content = answers({**ALL_YES, "material_independent": {"1": ["no"] + ["yes"] * 9, "2": ["yes"]}})
    text = yaml.safe_dump(content, sort_keys=False).replace("'1.10':", "1.10:").replace("'1.1':", "1.1:")
    found = score_file(*write(tmp_path, text, WEIGHTS))
    # 9 of 10: unquoted, YAML 1.1 makes both keys 1.1 and keeps one of them.
    assert found.classes[0].items == 10
    assert found.classes[0].percent == pytest.approx(90.0)
    assert any("without quotes" in note for note in found.notes)


def test_that_an_empty_class_keeps_its_weight(tmp_path):
    content = answers({**ALL_YES, "material_independent": {"2": ["yes"]}})
    found = score_file(*write(tmp_path, content, WEIGHTS))
    assert found.total == pytest.approx(80.0)
    assert any("empty class: material_independent_1" in note for note in found.notes)


@pytest.mark.parametrize("mode", Mode)
def test_that_a_result_without_a_section_is_an_error_that_names_it(tmp_path, mode):
    content = answers({"material_independent": ALL_YES["material_independent"]})
    with pytest.raises(BadInput, match="material_dependent"):
        score_file(*write(tmp_path, content, WEIGHTS), mode=mode)


def test_that_a_score_file_is_not_taken_for_a_result(tmp_path):
    files = write(tmp_path, score_content(score_file(*write(tmp_path, answers(ALL_YES), WEIGHTS))), WEIGHTS)
    with pytest.raises(BadInput, match="score file"):
        read_result(files[0])


@pytest.mark.parametrize("text", ["[1, 2", "- a\n", "a: &x [*x]\n", "material_independent: 3\n", ""])
def test_that_a_file_that_is_no_result_is_one_clear_error(tmp_path, text):
    (tmp_path / "r.yaml").write_text(text)
    with pytest.raises(BadInput) as error:
        read_result(tmp_path / "r.yaml")
    assert "\n" not in str(error.value)


def test_that_a_pointer_of_git_lfs_is_named(tmp_path):
    (tmp_path / "r.yaml").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n")
    with pytest.raises(BadInput, match="Git LFS"):
        read_result(tmp_path / "r.yaml")


def test_that_json_weights_are_read(tmp_path):
    (tmp_path / "w.json").write_text(json.dumps(WEIGHTS))
    assert read_weights(tmp_path / "w.json").sum == 100.0


@pytest.mark.parametrize("weight", ["-1", "many", ".nan", ".inf", "true"])
def test_that_a_weight_must_be_a_number_from_0_up(tmp_path, weight):
    (tmp_path / "w.yaml").write_text(f"material_independent: {{'1': {weight}}}\nmaterial_dependent: {{'1': 20}}\n")
    with pytest.raises(BadInput, match="weight"):
        read_weights(tmp_path / "w.yaml")


def test_that_the_zero_form_is_that_of_the_reference():
    theirs = flat(yaml.safe_load(shared("golden/presentbench/zero_score_reference.yaml").read_text()))
    weights = read_weights(shared("golden/presentbench/case1_equal/judge_weights.yaml"))
    assert flat(score_content(zero_score(weights))) == theirs


def test_that_all_three_forms_of_score_files_are_read(tmp_path):
    result, weights, folder = golden("case1_equal")
    current = yaml.safe_load((folder / "reference_score.yaml").read_text())
    split = {"total": {k: v for k, v in current["total"].items() if not k.startswith("material_")}}
    split |= {k: v for k, v in current["total"].items() if k.startswith("material_")}
    first = json.loads(json.dumps(current))
    first["total"]["not_applicable_count"] = 2
    for name, content in (("current", current), ("split", split), ("first", first)):
        (tmp_path / f"{name}.yaml").write_text(yaml.safe_dump(content))
        found = read_score(tmp_path / f"{name}.yaml")
        assert found.form == name
        assert found.total == pytest.approx(score_file(result, weights).total, abs=1e-9)
        assert len(found.classes) == 5
    assert read_score(shared("golden/presentbench/zero_score_reference.yaml")).is_forced_zero


def test_that_the_slide_count_check_says_what_the_reference_says():
    for case in json.loads(shared("golden/presentbench/check_slide_count.json").read_text()):
        if "pages" in case:
            found = check_slide_count(case["pages"], min_count=case["min"], max_count=case["max"])
            assert found._asdict() == case["output"]
