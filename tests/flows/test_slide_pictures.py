"""`studio metrics --images`: slide pictures of one deck, without a project."""

import importlib.util
import json
import math
import shutil

import pytest

from tests.flows.made_here import picture, picture_deck
from tests.shared_files import shared


@pytest.fixture(scope="module")
def golden(tmp_path_factory):
    """Return the folder of the shared generator's pictures, its boxes, and the reference values."""
    folder = tmp_path_factory.mktemp("golden")
    spec = importlib.util.spec_from_file_location("make_images", shared("golden/aesthetics/make_images.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["make_images.py", str(folder)])
        module.main()
    values = json.loads(shared("golden/aesthetics/reference_values.json").read_text())
    return folder, folder / "boxes.json", values


def deck_of(golden, folder, names):
    """Copy some of the golden pictures into a folder, in order, under their own names."""
    folder.mkdir()
    for name in names:
        shutil.copy(golden[0] / f"{name}.png", folder)
    return folder


@pytest.mark.parametrize("deck", ["text_deck", "single_slide"])
def test_that_golden_decks_get_the_reference_values(studio, golden, tmp_path, deck):
    expected = golden[2]["recommended_decks"][deck]
    folder = deck_of(golden, tmp_path / "deck", expected["slides"])
    ended = studio("metrics", "--images", folder, "--boxes", golden[1], "--json")
    assert (ended.code, ended.err) == (0, "")
    result = ended.json
    assert result["num_slides"] == len(expected["slides"])
    components = result["aesthetics_score"]["components"]
    # The reference's names: contrast = usability, colorfulness = engagement, entropy + rmssd = rhythm. Entropies may
    # differ by 5e-3 with the FFT library (the file's own tolerance), and the weights raise that to about 1e-2.
    assert components["contrast"] == pytest.approx(expected["usability"], abs=1e-9)
    assert components["colorfulness"] == pytest.approx(expected["engagement"], abs=1e-9)
    assert components["harmony"] == pytest.approx(expected["harmony"], abs=1e-6)
    assert components["entropy"] == pytest.approx(expected["rhythm_entropy"], abs=2e-2)
    assert components["rmssd"] == pytest.approx(expected["rhythm_rmssd"], abs=2e-2)
    assert result["aesthetics_score"]["total"] == pytest.approx(expected["total"], abs=4e-2)
    contrasts = [slide["figure_ground_contrast"]["mean"] for slide in result["slides"]]
    assert contrasts == pytest.approx(expected["figure_ground"], abs=1e-9)
    assert [slide["slide_index"] for slide in result["slides"]] == list(range(len(expected["slides"])))


def test_that_a_picture_without_boxes_has_unknown_regions_and_no_usability(studio, golden, tmp_path):
    folder = deck_of(golden, tmp_path / "deck", ["g02_text_light", "g03_text_dark"])
    result = studio("metrics", "--images", folder, "--json").json
    assert all(slide["figure_ground_contrast"]["mean"] is None for slide in result["slides"])
    score = result["aesthetics_score"]
    assert score["components"]["contrast"] is None
    assert score["total"] is None
    assert score["components"]["harmony"] is not None
    assert result["studio"]["flagged_slides"]["no_regions"] == [1, 2]
    assert result["studio"]["undefined_reasons"].keys() == {"contrast", "total"}


def test_that_an_empty_list_is_a_slide_without_text_and_a_missing_one_is_unknown(studio, golden, tmp_path):
    folder = deck_of(golden, tmp_path / "deck", ["g02_text_light", "g03_text_dark", "g06_gradient"])
    named = json.loads(golden[1].read_text())
    boxes = tmp_path / "b.json"
    boxes.write_text(json.dumps({"g02_text_light": named["g02_text_light"], "g06_gradient": {"boxes": []}}))
    result = studio("metrics", "--images", folder, "--boxes", boxes, "--json").json
    means = [slide["figure_ground_contrast"]["mean"] for slide in result["slides"]]
    assert means[0] is not None
    assert means[1:] == [None, None]
    assert result["studio"]["flagged_slides"]["no_regions"] == [2]
    assert result["studio"]["flagged_slides"]["no_text"] == [3]


def test_that_odd_names_count_in_natural_order_and_relative_folders_work(studio, tmp_path, monkeypatch):
    folder = tmp_path / "deck é #1 %20"
    for number, name in enumerate(("page 2.PNG", "page 10.png", "page 1.png")):
        picture(folder / name, seed=number)
    (folder / "notes.txt").write_text("no picture")
    (folder / ".hidden.png").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    result = studio("metrics", "--images", "deck é #1 %20", "--json").json
    assert [slide["slide_path"].split("/")[-1] for slide in result["slides"]] == [
        "page 1.png", "page 2.PNG", "page 10.png",
    ]  # fmt: skip


def test_that_boxes_that_name_no_picture_are_told(studio, tmp_path):
    folder = picture_deck(tmp_path / "deck", seed=1)
    boxes = tmp_path / "boxes.json"
    boxes.write_text(json.dumps({"slide_1": {"boxes": []}, "slide_9": {"boxes": []}}))
    result = studio("metrics", "--images", folder, "--boxes", boxes, "--json").json
    assert result["studio"]["boxes_without_picture"] == ["slide_9"]


def test_that_another_preset_gives_other_scores_from_the_same_pictures(studio, golden, tmp_path):
    folder = deck_of(golden, tmp_path / "deck", ["g02_text_light", "g03_text_dark", "g09_chart"])
    first = studio("metrics", "--images", folder, "--boxes", golden[1], "--json").json
    other = studio("metrics", "--images", folder, "--boxes", golden[1], "--preset", "paper-text", "--json").json
    assert first["aesthetics_score"]["parameters_used"] != other["aesthetics_score"]["parameters_used"]
    assert math.isfinite(other["aesthetics_score"]["total"])


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("not json", "boxes.json"),
        ("[]", "boxes.json"),
        ('{"slide_1": {"boxes": [{"label": "text", "coordinate": [1, 2, 3]}]}}', "slide_1"),
        ('{"slide_1": {"boxes": [{"label": "text", "coordinate": [1, 2, "x", 4]}]}}', "slide_1"),
        ('{"slide_1": {"boxes": [{"label": "text", "coordinate": [1, 2, NaN, 4]}]}}', "boxes.json"),
    ],
)
def test_that_bad_boxes_are_a_mistake_on_one_line(studio, tmp_path, content, says):
    folder = picture_deck(tmp_path / "deck", seed=1)
    boxes = tmp_path / "boxes.json"
    boxes.write_text(content)
    assert says in studio("metrics", "--images", folder, "--boxes", boxes).error_line
    assert "nothing.json" in studio("metrics", "--images", folder, "--boxes", tmp_path / "nothing.json").error_line


def test_that_a_picture_that_cannot_be_read_is_named(studio, tmp_path):
    folder = picture_deck(tmp_path / "deck", seed=1)
    data = (folder / "slide_2.png").read_bytes()
    (folder / "slide_2.png").write_bytes(data[: len(data) // 2])
    assert "slide_2.png" in studio("metrics", "--images", folder, "--json").error_line


def test_that_plain_output_lists_the_scores(studio, tmp_path):
    shown = studio("metrics", "--images", picture_deck(tmp_path / "deck", seed=1, slides=3))
    assert [line.split()[0] for line in shown.out.splitlines()[:6]] == [
        "contrast", "colorfulness", "harmony", "entropy", "rmssd", "total",
    ]  # fmt: skip
