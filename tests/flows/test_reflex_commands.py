"""perturb and reflex on the command line."""

from __future__ import annotations

import json
import zipfile

import pytest
from pptx import Presentation

from studio.reflex.shipped import shipped_model
from studio.store.project import Project
from studio.store.scores import current_scores

WORDS = {
    "Bees": "bees pollinate orchards and the hive keeps honey through the winter months",
    "Tides": "tides follow the moon and the harbour measures water level every hour",
    "Trams": "trams run on rails through the city and the timetable lists departures",
    "Glass": "glass is melted sand and the furnace burns at high temperature all day",
    "Maps": "maps show contour lines and the scale tells the distance between villages",
}


@pytest.fixture
def deck(tmp_path):
    presentation = Presentation()
    for name, words in WORDS.items():
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = name
        slide.placeholders[1].text = words
    presentation.save(tmp_path / "deck.pptx")
    return tmp_path / "deck.pptx"


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "source.md"
    path.write_text("\n\n".join(f"# {name}\n\n{(words + '. ') * 4}" for name, words in WORDS.items()), "utf-8")
    return path


def test_that_perturb_writes_one_worse_deck_and_prints_its_recipe(studio, deck, tmp_path):
    arguments = ("perturb", deck, "--metric", "flow", "--degree", 2, "--seed", 7, "--json", "--out")
    shown = studio(*arguments, tmp_path / "worse")
    assert shown.code == 0
    assert set(shown.json) == {"deck", "recipe"}
    recipe = shown.json["recipe"]
    assert {"metric", "degree", "seed", "picked", "permutation"} <= set(recipe)
    assert (recipe["metric"], recipe["degree"], recipe["seed"]) == ("flow", 2, 7)
    # 40 % of five slides.
    assert len(recipe["picked"]) == 2
    titles = [slide.shapes.title.text for slide in Presentation(shown.json["deck"]).slides]
    assert titles == [list(WORDS)[number - 1] for number in recipe["permutation"]]
    assert titles != list(WORDS)
    assert [path.suffix for path in (tmp_path / "worse").iterdir()].count(".pptx") == 1
    again = studio(*arguments, tmp_path / "again")
    assert again.json["recipe"] == recipe


def test_that_coverage_needs_a_source_and_takes_its_topics_out(studio, deck, source, tmp_path):
    arguments = ("perturb", deck, "--metric", "coverage", "--degree", 1, "--out", tmp_path / "worse")
    assert "--source" in studio(*arguments).error_line
    shown = studio(*arguments, "--source", source, "--json")
    titles = [slide.shapes.title.text for slide in Presentation(shown.json["deck"]).slides]
    picked = shown.json["recipe"]["picked"]
    assert len(picked) == 1
    assert titles == [name for name in WORDS if name not in picked]


@pytest.mark.parametrize("kind", ["page.html", "talk.odp"])
def test_that_other_formats_are_refused_in_one_line(studio, tmp_path, kind):
    path = tmp_path / kind
    if path.suffix == ".html":
        path.write_text("<!doctype html><html><body><section>One</section></body></html>", "utf-8")
    else:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("mimetype", "application/vnd.oasis.opendocument.presentation")
            archive.writestr("content.xml", "<office:document-content/>")
    shown = studio("perturb", path, "--metric", "flow", "--degree", 1, "--out", tmp_path / "worse")
    assert path.name in shown.error_line


def test_that_score_says_what_is_undefined_and_why(studio, deck, source):
    rows = studio("reflex", "score", deck, "--json").json
    assert [row["metric"] for row in rows] == [
        "reflex.coverage", "reflex.redundancy", "reflex.alignment", "reflex.flow"
    ]  # fmt: skip
    by_metric = {row["metric"]: row for row in rows}
    assert by_metric["reflex.coverage"]["value"] is None
    assert "no source" in by_metric["reflex.coverage"]["undefined_reason"]
    assert 0 <= by_metric["reflex.flow"]["value"] <= 1
    with_source = studio("reflex", "score", deck, "--source", source, "--json").json
    assert 0 <= with_source[0]["value"] <= 1


def test_that_a_damaged_model_is_one_line(studio, deck, tmp_path):
    (tmp_path / "model.npz").write_bytes(b"PK\x03\x04 no model")
    shown = studio("reflex", "score", deck, "--model", tmp_path / "model.npz")
    assert "model.npz" in shown.error_line


def test_that_a_model_is_not_used_with_another_encoder_than_its_own(studio, deck):
    shown = studio("reflex", "score", deck, "--model", "static", "--encoder", "minilm")
    assert "reflex-sciduet.npz was trained with the encoder static, not minilm." in shown.error_line
    alone = studio("reflex", "evaluate", deck.parent, "--encoder", "minilm")
    assert "studio reflex train DATA --encoder minilm" in alone.error_line
    assert studio("reflex", "score", deck, "--model", "static", "--json").json == studio(
        "reflex", "score", deck, "--encoder", "static", "--json").json  # fmt: skip
    unknown = studio("reflex", "train", deck.parent, "--out", deck.parent / "m.npz", "--encoder", "bert")
    assert unknown.code == 2
    assert "'static', 'minilm', 'multilingual'" in unknown.err


def test_that_build_says_why_it_rejects(studio, tmp_path):
    folder = tmp_path / "pairs"
    (folder / "paper_jsons").mkdir(parents=True)
    page = {"title": "One", "text": ["words"], "images": []}
    (folder / "slides.json").write_text(json.dumps({"short": {"slides": {"1": page, "2": page}}}), "utf-8")
    shown = studio("reflex", "build", folder, "--out", tmp_path / "data", "--json")
    assert shown.json["decks"] == 0
    assert shown.json["rejected"][0]["deck_id"] == "short"
    assert "2 slides" in shown.json["rejected"][0]["reasons"][0]


def test_that_a_worse_deck_renders_and_a_project_keeps_its_scores(studio, deck, source, tmp_path):
    made = studio("perturb", deck, "--metric", "redundancy", "--degree", 2, "--out", tmp_path / "worse", "--json").json
    shown = studio("render", made["deck"], "--out", tmp_path / "pages")
    assert shown.code == 0
    assert len(list((tmp_path / "pages").glob("slide_*.png"))) == len(made["recipe"]["permutation"]) == 7
    folder = tmp_path / "in" / "talk"
    folder.mkdir(parents=True)
    (folder / "alpha.pptx").write_bytes(deck.read_bytes())
    (folder / "source.md").write_bytes(source.read_bytes())
    project = tmp_path / "study"
    assert studio("new", project).code == 0
    assert studio("import", project, folder.parent).code == 0
    rows = studio("metrics", project, "--metrics", "reflex.flow", "--json").json
    assert [row["metric"] for row in rows] == ["reflex.flow"]
    assert 0 <= rows[0]["value"] <= 1
    assert "reflex.flow" in studio("align", project, "--metric", "reflex.flow").out
    own = tmp_path / "own.npz"
    own.write_bytes(shipped_model().read_bytes() + b"another file")
    again = studio("metrics", project, "--metrics", "reflex.flow", "--content-model", own, "--json").json
    assert [row["value"] for row in again] == [rows[0]["value"]]
    titles = [each["title"] for each in studio("runs", project, "--json").json]
    assert sum("own" in title for title in titles) == 1
    for model, name in (("static", "reflex-sciduet.npz"), (own, "own.npz"), (own, "own.npz")):
        assert studio("metrics", project, "--metrics", "reflex.flow", "--content-model", model).code == 0
        with Project.open(project) as opened:
            (score,) = current_scores(opened)
        assert score.detail["model"] == name
    assert studio("runs", project, "--json").json[0]["cached"] == 1
    gone = studio("metrics", project, "--metrics", "reflex.flow", "--content-model", tmp_path / "gone.npz")
    assert "There is no model gone.npz." in gone.error_line


def test_that_the_lab_says_who_notices_what_and_does_nothing_twice(studio, deck, source, tmp_path):
    arguments = ("reflex", "lab", deck, "--source", source, "--out", tmp_path / "lab", "--defect", "redundancy",
                 "--metrics", "editability.pei", "--csv", tmp_path / "lab.csv",
                 "--svg", tmp_path / "lab.svg")  # fmt: skip
    shown = studio(*arguments, "--json")
    assert shown.code == 0
    rows = {(row["evaluator"], row["degree"]): row for row in shown.json["rows"]}
    # More slides from degree to degree: five, then one, two, three and four copies.
    assert [rows["length.few", degree]["mean_change"] for degree in (1, 2, 3, 4)] == [-1, -2, -3, -4]
    assert rows["length.few", 1]["tau"] == pytest.approx(1.0)
    assert rows["editability.pei", 1]["undefined_reason"] == "constant"
    assert (tmp_path / "lab.csv").read_text("utf-8-sig").startswith("evaluator,defect,degree")
    assert (tmp_path / "lab.svg").read_text("utf-8").startswith("<svg")
    decks = studio("decks", tmp_path / "lab", "--json").json
    assert {each["system"] for each in decks} == {"original", *(f"redundancy-{degree}" for degree in (1, 2, 3, 4))}
    again = studio(*arguments, "--json")
    assert again.json["rows"] == shown.json["rows"]
    assert studio("decks", tmp_path / "lab", "--json").json == decks
    assert shown.json["confusions"] == []
    scored = studio("reflex", "lab", tmp_path / "lab", "--metrics", "reflex.redundancy,reflex.flow", "--json").json
    own, taken = scored["confusions"]
    assert (own["metric"], own["defect"], own["is_own"]) == ("reflex.redundancy", "redundancy", True)
    assert own["tau"] > 0.5
    # One ladder, four signs: it cannot be told.
    assert own["is_noticed"] is None
    assert (taken["metric"], taken["defect"], taken["is_own"]) == ("reflex.flow", "redundancy", False)
    other = studio("reflex", "lab", deck, "--out", tmp_path / "lab", "--seed", 3, "--metrics", "none")
    assert "seed 0" in other.error_line


def test_that_a_judge_in_the_lab_is_told_what_it_notices(studio, deck, tmp_path):
    # It counts: five slides get 5, nine get 1. Of everything else it says the same whatever it is shown.
    lines = [
        {"text": f"(?s)deck slide {n}:.*Redundancy", "reply": {"reason": "repeats", "score": 10 - n}}
        for n in (9, 8, 7, 6)
    ]
    lines += [{"text": "Redundancy", "reply": {"reason": "none", "score": 5}},
              {"text": ".", "reply": {"reason": "fine", "score": 4}}]  # fmt: skip
    script = tmp_path / "judge.json"
    script.write_text(json.dumps({"format": "podium scripted judge", "lines": lines}), "utf-8")
    asked = ("--judge", f"scripted:{script}", "--protocol", "fewshot", "--set", "input=text")
    shown = studio("reflex", "lab", deck, "--out", tmp_path / "lab", "--defect", "redundancy", "--metrics", "none",
                   *asked, "--json")  # fmt: skip
    assert shown.code == 0, shown.err
    rows = {(row["evaluator"], row["degree"]): row for row in shown.json["rows"]}
    judge = next(name for name, _ in rows if name.endswith("fewshot.redundancy"))
    assert [rows[judge, degree]["mean_change"] for degree in (1, 2, 3, 4)] == [-1, -2, -3, -4]
    assert rows[judge, 1]["tau"] == pytest.approx(1.0)
    assert rows[judge.replace("redundancy", "flow"), 1]["undefined_reason"] == "constant"


def test_that_a_lab_leaves_out_what_a_deck_does_not_allow_with_the_reason(studio, deck, tmp_path):
    shown = studio("reflex", "lab", deck, "--out", tmp_path / "lab", "--defect", "coverage", "--defect", "alignment",
                   "--metrics", "none")  # fmt: skip
    assert shown.code == 0
    assert "coverage left out" in shown.err
    assert "alignment left out" in shown.err


def test_that_the_tables_of_a_model_are_printed_and_written(studio, tmp_path):
    shown = studio("reflex", "tables", "--json")
    by_name = {table["name"]: table for table in shown.json}
    assert {"data", "correlation", "sensitivity", "mean-score", "explanations", "defects"} <= set(by_name)
    scores = by_name["mean-score"]
    flow = next(row for row in scores["rows"] if row[0] == "flow")
    assert flow[2:] == sorted(flow[2:], reverse=True)
    assert studio("reflex", "tables", "--out", tmp_path / "tables").code == 0
    assert (tmp_path / "tables" / "sensitivity.svg").is_file()
