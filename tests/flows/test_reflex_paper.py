"""The paper's tables and figures of a project that is made, measured, judged and rated from the terminal."""

from __future__ import annotations

import json

import pytest
from pptx import Presentation

from studio.actions.content import content_of, order_in_words, save_suggested, suggested_order
from studio.actions.explanation_units import explanation_rows
from studio.errors import BadInput
from studio.model.answers import AnswerEvent, AnswerKind
from studio.model.reflex import ContentMetric
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import studies as study_store
from studio.store.project import Project

TOPICS = {
    "Bees": "bees pollinate orchards and the hive keeps honey through the winter months",
    "Tides": "tides follow the moon and the harbour measures water level every hour",
    "Trams": "trams run on rails through the city and the timetable lists departures",
    "Glass": "glass is melted sand and the furnace burns at high temperature all day",
    "Maps": "maps show contour lines and the scale tells the distance between villages",
    "Rain": "rain gauges on roofs collect drops and the forecast names the wet quarters",
}
# How often each deck says its first slide again; people rate redundancy 5, 4, 3, 2 for it.
REPEATS = {"alpha": 0, "beta": 1, "gamma": 2, "delta": 4}


def write_deck(path, repeats: int) -> None:
    presentation = Presentation()
    for name in [*TOPICS, *["Bees"] * repeats]:
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = name
        slide.placeholders[1].text = TOPICS[name]
    presentation.save(path)


@pytest.fixture
def project(studio, tmp_path):
    folder = tmp_path / "in" / "talk"
    folder.mkdir(parents=True)
    for system, repeats in REPEATS.items():
        write_deck(folder / f"{system}.pptx", repeats)
    words = "\n\n".join(f"# {name}\n\n{(words + '. ') * 4}" for name, words in TOPICS.items())
    (folder / "source.md").write_text(words, "utf-8")
    made = tmp_path / "study"
    assert studio("new", made).code == 0
    assert studio("import", made, folder.parent).code == 0
    return made


def submit(project: Project, who: str, system: str, values, *, study: str, scales: str, item: str = "") -> None:
    deck = next(each for each in deck_store.list_decks(project) if each.system == system)
    state: dict[str, object] = {"values": values, "scale_set": scales, "status": "submitted"}
    if item:
        state |= {"target": "explanation", "target_id": item}
    stored = next(each for each in study_store.list_studies(project) if each.name == study)
    answer_store.append(
        project,
        AnswerEvent(
            seq=0, uid=f"{who}/{system}/{item}", kind=AnswerKind.RATING, instance_id=deck.instance_id,
            annotator_id=people_store.annotator_named(project, who).id, deck_id=deck.id, verb="submit", state=state,
            item_key=f"text:{item}" if item else "", at="2026-11-30T10:00:00Z", active_s=60, wall_s=60,
            study_id=study_store.event_study(stored.id) or "", repeat=0, app_version="test",
        ),
    )  # fmt: skip


def rate_redundancy(studio, folder) -> None:
    """Two invented raters: the first goes by the repeats, the second takes the first two the other way round."""
    assert studio("study", "new", folder, "Content", "--kind", "rate", "--scales", "reflex").code == 0
    with Project.open(folder, must_write=True) as project:
        for who, points in (("Ada", (5, 4, 3, 2)), ("Bo", (4, 5, 3, 2))):
            for system, point in zip(REPEATS, points, strict=True):
                submit(project, who, system, {"redundancy": point}, study="Content", scales="reflex")


def pages(studio, folder) -> dict:
    shown = studio("reflex", "tables", folder, "--json")
    assert shown.code == 0, shown.err
    return {page["view"]: page for page in shown.json}


def cells(page, row: str) -> dict:
    return next(each["cells"] for each in page["rows"] if each["title"] == row)


def test_that_what_nobody_rated_yet_is_said_with_what_to_do(studio, project, tmp_path):
    found = pages(studio, project)
    assert [page["number"] for page in found.values()] == [
        *(f"Table {number}" for number in (1, 2, 3, 4, 5)), "Figure 3", "Figure 4",
    ]  # fmt: skip
    assert "studio study new PROJECT NAME --kind rate" in found["reflex-3"]["undefined_reason"]
    assert "studio study explanations" in found["reflex-figure-4"]["undefined_reason"]
    # What the shipped model's card knows stands there without any answer.
    card = cells(found["reflex-1"], "REFLEX-CPU · card")
    assert 0.9 < card["redundancy.rho"]["value"] <= 1
    assert card["coverage.rho"]["ci_low"] < card["coverage.rho"]["value"] < card["coverage.rho"]["ci_high"]
    assert "length matched" in cells(found["reflex-1"], "REFLEX-CPU · card · length matched")["flow.rho"][
        "undefined_reason"
    ]  # fmt: skip
    assert len(found["reflex-5"]["rows"]) >= 18
    written = studio("reflex", "tables", project, "--out", tmp_path / "tables")
    assert written.code == 0
    assert "Table 3: Nobody rated" in written.err
    assert {path.name for path in (tmp_path / "tables").iterdir()} == {
        *(f"{name}.{ending}" for name in ("reflex-1", "reflex-2", "reflex-5", "reflex-figure-3")
          for ending in ("csv", "md", "tex")), "reflex-figure-3.svg",
    }  # fmt: skip


def test_that_scores_are_held_against_ratings_with_every_baseline_beside_them(studio, project):
    assert studio("metrics", project, "--metrics", "reflex.redundancy").code == 0
    rate_redundancy(studio, project)
    found = pages(studio, project)
    # Mean ratings 4.5, 4.5, 3, 2 have the ranks 3.5, 3.5, 2, 1; fewer slides have 4, 3, 2, 1. Deviations from 2.5:
    # (1, 1, −.5, −1.5) · (1.5, .5, −.5, −1.5) = 4.5 over sqrt(4.5 · 5).
    length = cells(found["reflex-3"], "Length only")
    assert length["redundancy"]["value"] == pytest.approx(4.5 / (4.5 * 5) ** 0.5)
    assert length["redundancy"]["n"] == 4
    assert length["flow"] == length["flow"] | {"value": None, "undefined_reason": "nobody rated flow"}
    reflex = cells(found["reflex-3"], "REFLEX-CPU")
    aligned = studio(
        "align", project, "--human", "ratings", "--dimension", "reflex/redundancy", "--level", "pooled", "--json"
    )
    assert aligned.code == 0, aligned.err
    method = next(row for row in aligned.json["methods"] if row["method"] == "reflex.redundancy")
    assert reflex["redundancy"]["value"] == pytest.approx(method["mean_rho"])
    assert reflex["redundancy"]["value"] > 0.8
    assert "no score of coverage" not in reflex["coverage"]["undefined_reason"]
    # Ada and Bo: two squared differences of one among four, 1 − 6 · 2 / 60.
    for row, column in (("reflex-3", "People, one with another"),):
        assert cells(found[row], column)["redundancy"]["value"] == pytest.approx(0.8)
    agreed = cells(found["reflex-4"], "Redundancy")
    assert (agreed["mean"]["value"], agreed["max"]["value"]) == (pytest.approx(0.8), pytest.approx(0.8))
    assert agreed["rating"]["value"] == pytest.approx(28 / 8)
    board = studio("leaderboard", project, "--view", "reflex-3", "--json")
    assert board.json["rows"] == found["reflex-3"]["rows"]


def test_that_judges_are_held_against_ratings_beside_the_scorer(studio, project, tmp_path):
    # Asked by one example, it gives decks with more slides fewer points; of everything else it says the same.
    lines = [
        {"text": f"(?s)deck slide {n}:.*Redundancy", "reply": {"reason": "repeats", "score": 12 - n}}
        for n in (10, 9, 8, 7)
    ]
    lines += [{"text": ".", "reply": {"reason": "nothing", "score": 5}}]
    script = tmp_path / "judge.json"
    script.write_text(json.dumps({"format": "podium scripted judge", "lines": lines}), "utf-8")
    told = studio("judge", project, "--judge", f"scripted:{script}", "--protocol", "fewshot", "--set", "input=text")
    assert told.code == 0, told.err
    rate_redundancy(studio, project)
    people = pages(studio, project)["reflex-3"]
    judge = next(row["title"] for row in people["rows"] if "few-shot" in row["title"])
    # Points 5, 5, 4, 2 for mean ratings 4.5, 4.5, 3, 2: the same order, ties too.
    assert cells(people, judge)["redundancy"]["value"] == pytest.approx(1.0)
    assert cells(people, judge)["flow"]["undefined_reason"] == "nobody rated flow"


def test_that_explanations_are_compared_by_who_wrote_them(studio, project, tmp_path):
    assert studio("study", "new", project, "Use", "--kind", "rate", "--scales", "usefulness").code == 0
    lines = [
        {"deck": "talk/alpha", "metric": "flow", "text": "Move slide 2.", "written_by": "REFLEX-CPU"},
        {"deck": "talk/beta", "metric": "flow", "text": "Move slide 3.", "written_by": "REFLEX-CPU"},
        {"deck": "talk/alpha", "metric": "redundancy", "text": "Slide 7 repeats.", "written_by": "a judge"},
    ]
    (tmp_path / "said.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    with Project.open(project, must_write=True) as source:
        people_store.annotator_named(source, "Ada")
    assert studio("study", "explanations", project, "Use", tmp_path / "said.jsonl").code == 0
    with Project.open(project, must_write=True) as source:
        study = next(each for each in study_store.list_studies(source) if each.name == "Use")
        named = {row.text: row.id for row in explanation_rows(source, study)}
        for text, system, points in (("Move slide 2.", "alpha", (5, 4)), ("Move slide 3.", "beta", (3, 2)),
                                     ("Slide 7 repeats.", "alpha", (2, 2))):  # fmt: skip
            for who, point in zip(("Ada", "Bo"), points, strict=True):
                submit(source, who, system, {"usefulness": point}, study="Use", scales="usefulness", item=named[text])
    found = pages(studio, project)
    # (4.5 + 2.5) / 2, and of the judge 2.
    use = found["reflex-figure-4"]
    assert [row["title"] for row in use["rows"]] == ["REFLEX-CPU", "a judge"]
    assert cells(use, "REFLEX-CPU")["all"]["value"] == pytest.approx(3.5)
    assert cells(use, "a judge")["redundancy"]["value"] == pytest.approx(2.0)
    assert cells(use, "a judge")["flow"]["undefined_reason"] == "no explanation of this metric was rated"
    # Ranks of Ada 3, 2, 1 and of Bo 3, 1.5, 1.5: 1.5 / sqrt(2 · 1.5).
    agreed = cells(found["reflex-4"], "Explanations · usefulness")
    assert agreed["mean"]["value"] == pytest.approx(1.5 / 3**0.5)
    assert studio("reflex", "tables", project, "--out", tmp_path / "tables").code == 0
    picture = (tmp_path / "tables" / "reflex-figure-4.svg").read_text("utf-8")
    assert "REFLEX-CPU" in picture
    assert "3.50" in picture


def test_that_judges_stand_beside_the_scorer_in_the_lab_of_a_project(studio, project, tmp_path):
    # It counts slides, and names the last of them as a repeat wherever there are more than six.
    lines = [
        {"text": f"(?s)deck slide {n}:.*Redundancy", "reply": {"reason": f"{n}. Bees", "score": max(1, 11 - n)}}
        for n in range(14, 6, -1)
    ]
    lines += [{"text": ".", "reply": {"reason": "nothing", "score": 4}}]
    script = tmp_path / "judge.json"
    script.write_text(json.dumps({"format": "podium scripted judge", "lines": lines}), "utf-8")
    lab = project / "exports" / "lab-all"
    shown = studio(
        "reflex", "lab", project, "--out", lab, "--defect", "redundancy", "--metrics", "reflex.redundancy",
        "--judge", f"scripted:{script}", "--protocol", "fewshot", "--set", "input=text",
    )  # fmt: skip
    assert shown.code == 0, shown.err
    found = pages(studio, project)
    rows = [row["title"] for row in found["reflex-1"]["rows"] if row["title"].endswith("· lab")]
    judge = next(title for title in rows if "few-shot" in title)
    assert {"REFLEX-CPU · lab", "Heuristic · lab", "Length only · lab"} < set(rows)
    assert cells(found["reflex-1"], "REFLEX-CPU · lab")["redundancy.rho"]["n"] == 4
    assert cells(found["reflex-1"], judge)["redundancy.rho"]["value"] > 0.5
    assert cells(found["reflex-1"], judge)["flow.rho"]["undefined_reason"] == "not measured in the lab"
    told = [row["title"] for row in found["reflex-2"]["rows"] if "· lab" in row["title"]]
    assert f"{judge} · Redundancy" in told
    assert cells(found["reflex-2"], "REFLEX-CPU · lab · Redundancy")["f1"]["value"] > 0.5
    assert cells(found["reflex-2"], f"{judge} · Redundancy")["rouge1"]["value"] is not None
    # The lab itself is a project, with the same rows.
    own = pages(studio, lab)
    assert cells(own["reflex-1"], judge)["redundancy.rho"] == cells(found["reflex-1"], judge)["redundancy.rho"]


def test_that_a_copy_without_its_repeats_opens_and_renders(studio, project, tmp_path):
    with Project.open(project) as source:
        deck = next(each for each in deck_store.list_decks(source) if each.system == "delta")
        found = content_of(source, deck.id)
        repeats = [line for line in found.lines if line.metric is ContentMetric.REDUNDANCY and line.can_be_applied]
        # Bees four times too often.
        assert len(repeats) == 4
        order = suggested_order(found.deck, repeats)
        copy = save_suggested(source, deck.id, order, tmp_path / "copy.pptx")
        with pytest.raises(BadInput, match=r"Call it copy\.pptx"):
            save_suggested(source, deck.id, order, tmp_path / "copy.pdf")
    assert [slide.shapes.title.text for slide in Presentation(copy).slides] == list(TOPICS)
    assert order_in_words(found.deck, order) == "6 slides · left out: 7, 8, 9, 10"
    rendered = studio("render", copy, "--out", tmp_path / "pages")
    assert rendered.code == 0, rendered.err
    assert len(list((tmp_path / "pages").glob("slide_*.png"))) == 6
