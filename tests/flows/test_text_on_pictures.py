"""Decks that are pictures, from the terminal: regions found, measured, exported, imported, and searched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from studio.cli.main import run
from studio.jobs import regions_job
from studio.store import runs as run_store
from studio.store.project import Project
from tests.unit.decks.decks_made_here import pdf_bytes

NO_DETECTOR = "text cannot be found on pictures: rapidocr is not installed. Run: make setup"


def draw(path: Path, *lines: str) -> None:
    canvas = Image.new("RGB", (1280, 720), (250, 250, 245))
    pen = ImageDraw.Draw(canvas)
    for number, line in enumerate(lines):
        pen.text((90, 80 + 140 * number), line, font=ImageFont.load_default(size=48), fill=(30, 30, 30))
    path.parent.mkdir(parents=True, exist_ok=True)
    canvas.save(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("pictures")
    instance = root / "collection" / "harbour"
    draw(instance / "decks" / "Painted" / "slide_1.png", "Harbour traffic", "Ships wait 9 hours")
    draw(instance / "decks" / "Painted" / "slide_2.png", "Grants grew to 5 million")
    (instance / "decks" / "Typeset.pdf").write_bytes(pdf_bytes([(960, 540, "Harbour traffic as text")]))
    (instance / "sources").mkdir()
    (instance / "sources" / "report.md").write_text("# Report\n\nShips waited 540 minutes.\n\n# Money\n\nNone.\n")
    draw(instance / "sources" / "board.png", "Berth 7 closed in March")
    return root


@pytest.fixture(scope="module")
def project(folder):
    path = folder / "study"
    assert run(["new", str(path)]) == 0
    assert run(["import", str(path), str(folder / "collection")]) == 0
    return path


@pytest.fixture
def ask(capsys):
    def asked(*arguments: object) -> tuple[int, object]:
        capsys.readouterr()
        code = run([*map(str, arguments), "--json"])
        out = capsys.readouterr().out
        return code, json.loads(out) if out else None

    return asked


def usability(rows: object) -> dict[str, dict[str, object]]:
    return {row["system"]: row for row in rows if row["metric"] == "aesthetics.usability"}  # type: ignore[attr-defined]


def test_that_decks_that_are_pictures_are_measured_with_what_is_found_on_them(project, ask):
    code, rows = ask("metrics", project)
    assert code == 0
    painted, typeset = usability(rows)["Painted"], usability(rows)["Typeset"]
    assert painted["value"] is not None
    assert "detected_regions" in painted["flags"]
    (note,) = painted["regions"]
    assert note["origin"] == "detected"
    assert note["slides"] == [1, 2]
    assert "RapidOCR" in note["source"]
    # What a deck's own file says about its text stays as it is.
    assert typeset["value"] is not None
    assert (typeset["regions"], "detected_regions" in typeset["flags"]) == ([], False)


def test_that_the_run_is_on_record_and_nothing_is_found_twice(project, ask):
    ask("metrics", project)
    with Project.open(project) as opened:
        kinds = [listed.kind.value for listed in run_store.list_runs(opened)]
    assert kinds.count("regions") == 1
    code, summary = ask("regions", "detect", project)
    assert (code, summary["units"], summary["cached"]) == (0, {}, 1)


def test_that_usability_stays_undefined_where_detection_is_switched_off(project, ask):
    _, before = ask("metrics", project)
    code, rows = ask("metrics", project, "--regions", "none")
    painted = usability(rows)["Painted"]
    assert code == 0
    assert painted["value"] is None
    assert painted["undefined_reason"].endswith("text detection on pictures is switched off")
    # Asked for again, the values are those with regions again.
    _, after = ask("metrics", project, "--regions", "detect")
    assert usability(after)["Painted"]["value"] == usability(before)["Painted"]["value"]


def test_that_a_missing_detector_is_the_reason_with_its_next_step(folder, ask, monkeypatch):
    path = folder / "without"
    run(["new", str(path)])
    run(["import", str(path), str(folder / "collection")])
    monkeypatch.setattr(regions_job, "why_no_detector", lambda: NO_DETECTOR)
    _, rows = ask("metrics", path)
    painted = usability(rows)["Painted"]
    assert painted["value"] is None
    assert painted["undefined_reason"].endswith(NO_DETECTOR)
    monkeypatch.undo()
    # Once it is there, the same command finds the text.
    _, rows = ask("metrics", path)
    assert usability(rows)["Painted"]["value"] is not None


def test_that_regions_go_out_in_the_detectors_layout_and_come_back_as_they_are(project, ask, tmp_path):
    ask("metrics", project)
    out = tmp_path / "regions.json"
    assert ask("regions", "export", project, "--deck", "Painted", "--out", out)[0] == 0
    content = json.loads(out.read_text())
    assert sorted(content) == ["slide_0001", "slide_0002"]
    first = content["slide_0001"]["boxes"]
    assert [(box["label"], box["text"]) for box in first] == [
        ("text", "Harbour traffic"),
        ("text", "Ships wait 9 hours"),
    ]
    assert content["slide_0001"]["input_path"] == "slide_0001.png"
    # One region on each slide, where there is nothing but paper: the values must come from these.
    mine = {stem: {"boxes": [{"label": "text", "score": 1.0, "coordinate": [900, 600, 1000, 700]}]} for stem in content}
    changed = tmp_path / "mine.json"
    changed.write_text(json.dumps(mine | {"slide_0099": {"boxes": []}}))
    code, report = ask("regions", "import", project, changed, "--deck", "Painted")
    assert (code, report["slides"], report["regions"], report["unknown"]) == (0, 2, 2, ["slide_0099"])
    _, rows = ask("metrics", project)
    painted = usability(rows)["Painted"]
    assert painted["regions"] == [{"origin": "imported", "source": "mine.json", "slides": [1, 2]}]
    assert "imported_regions" in painted["flags"]
    # Plain paper has no contrast at all.
    assert painted["value"] == 0
    code, cleared = ask("regions", "clear", project, "--deck", "Painted")
    assert (code, cleared["slides"]) == (0, 2)
    _, rows = ask("metrics", project)
    assert usability(rows)["Painted"]["regions"][0]["origin"] == "detected"


def test_that_a_file_for_another_deck_is_refused_in_one_line(project, tmp_path, capsys):
    (tmp_path / "other.json").write_text('{"page_1": {"boxes": []}}')
    assert run(["regions", "import", str(project), str(tmp_path / "other.json"), "--deck", "Painted"]) == 2
    assert "slide_0001" in capsys.readouterr().err
    assert run(["regions", "export", str(project), "--deck", "Nobody"]) == 2
    assert "Painted" in capsys.readouterr().err


def test_that_words_on_pictures_are_searched_with_the_rest(project, ask):
    ask("regions", "detect", project)
    _, found = ask("find", project, "harbour traffic", "--slides")
    assert [(hit["system"], hit["slide"], hit["part"]) for hit in found["slides"]] == [
        ("Painted", 1, "picture"),
        ("Typeset", 1, "text"),
    ]


def test_that_a_number_of_a_slide_is_found_in_another_unit(project, ask):
    code, found = ask("find", project, "9 hours")
    assert code == 0
    (hit,) = found["hits"]
    # 9 h are 540 minutes.
    assert (hit["source"], hit["page"], hit["kind"], hit["text"]) == ("report.md", 1, "normalised", "540 minutes")


def test_that_a_source_that_is_a_picture_is_read_and_has_places(project, ask):
    _, found = ask("find", project, "Berth 7 closed", "--instance", "harbour")
    (hit,) = found["hits"]
    assert (hit["source"], hit["kind"]) == ("board.png", "exact")
    ((x0, y0, x1, y1),) = hit["boxes"]
    # Drawn from (90, 80) of 1280 × 720, 48 pixels high: 0.07 and 0.11 to about 0.19.
    assert (x0, y0) == (pytest.approx(0.07, abs=0.02), pytest.approx(0.12, abs=0.03))
    assert 0.2 < x1 < 0.5
    assert 0.15 < y1 < 0.25


def test_that_not_found_is_an_answer(project, ask):
    code, found = ask("find", project, "Grants grew to 7 million")
    assert (code, found["found"], found["hits"], found["missing_numbers"]) == (0, False, [], ["7 million"])


def test_that_an_unknown_instance_and_an_empty_text_are_refused(project, capsys):
    assert run(["find", str(project), "tea", "--instance", "nowhere"]) == 2
    assert "harbour" in capsys.readouterr().err
    assert run(["find", str(project), " "]) == 2


def test_that_a_folder_of_pictures_is_measured_with_regions_only_if_asked(folder, ask):
    pictures = folder / "collection" / "harbour" / "decks" / "Painted"
    _, plain = ask("metrics", "--images", pictures)
    assert "contrast" in plain["studio"]["undefined_reasons"]
    _, found = ask("metrics", "--images", pictures, "--regions", "detect")
    assert found["studio"]["undefined_reasons"] == {}
    assert found["studio"]["detected_regions"]["pictures"] == ["slide_1", "slide_2"]
