"""Summaries of sections by a judge: asked once, kept, taken into data sets; own sentences where there is none."""

from __future__ import annotations

import json
import threading

import pytest

from studio.actions import reflex
from studio.actions.source_summaries import (
    EXTRACTIVE,
    forget_summaries,
    headings_above,
    summaries,
    summarise,
)
from studio.errors import Cancelled
from studio.judges.section_summary import MOST_SIGNS, read_summary, summary_request
from studio.model.reflex import Section

WORDS = {
    "Bees": "bees pollinate orchards and the hive keeps honey through the winter months",
    "Tides": "tides follow the moon and the harbour measures water level every hour",
    "Trams": "trams run on rails through the city and the timetable lists departures",
    "玻璃": "glass is melted sand and the furnace burns at high temperature all day",
}


@pytest.fixture
def folder(studio, tmp_path):
    from pptx import Presentation

    made = Presentation()
    for name in WORDS:
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text = name
        slide.placeholders[1].text = WORDS[name]
    talk = tmp_path / "in" / "talk"
    talk.mkdir(parents=True)
    made.save(talk / "alpha.pptx")
    text = "\n\n".join(f"# {name}\n\n{'. '.join([words] * 5)}." for name, words in WORDS.items())
    (talk / "source.md").write_text(text, "utf-8")
    assert studio("new", tmp_path / "study").code == 0
    assert studio("import", tmp_path / "study", talk.parent).code == 0
    return tmp_path / "study"


def script(folder, *lines):
    path = folder / "script.json"
    path.write_text(json.dumps({"format": "podium scripted judge", "lines": list(lines)}), "utf-8")
    return f"scripted:{path}"


def line(heading, reply):
    return {"text": f"Its heading: {heading}", "reply": reply}


def test_that_a_judge_is_asked_once_for_each_section_and_data_sets_take_what_it_said(studio, folder, tmp_path):
    judge = script(tmp_path, *(line(name, {"summary": f"Of {name}."}) for name in WORDS))
    done = studio("reflex", "summarise", folder, "--judge", judge, "--json")
    assert done.code == 0, done.err
    assert done.json["calls"] == 4
    assert [(row["title"], row["summary"]) for row in done.json["sections"]] == [(n, f"Of {n}.") for n in WORDS]
    assert studio("reflex", "summarise", folder, "--judge", judge, "--json").json["calls"] == 0
    (deck,) = reflex.all_decks(folder)
    assert [section.summary for section in deck.document.sections] == [f"Of {name}." for name in WORDS]
    assert "Of Bees." in studio("reflex", "summarise", folder).out
    own = studio("reflex", "summarise", folder, "--own", "--json").json["sections"]
    assert {row["written_by"] for row in own} == {EXTRACTIVE}
    assert "bees pollinate" in own[0]["summary"]


def test_that_sections_without_a_usable_reply_keep_their_own_sentences_with_the_reason(studio, folder, tmp_path):
    judge = script(
        tmp_path, line("Bees", {"summary": "Of bees."}), line("Tides", "I cannot."), line("Trams", {"summary": ""}),
        {"text": "Its heading: 玻璃", "fault": "bad_request"},
    )  # fmt: skip
    done = studio("reflex", "summarise", folder, "--judge", judge, "--json")
    rows = {row["title"]: row for row in done.json["sections"]}
    assert done.code == 1
    assert (rows["Bees"]["summary"], rows["Bees"]["failure"]) == ("Of bees.", "")
    for name in ("Tides", "Trams"):
        assert "no summary that can be used" in rows[name]["failure"]
        assert rows[name]["written_by"] == EXTRACTIVE
    assert "this call fails" in rows["玻璃"]["failure"]
    assert all(row["summary"] for row in rows.values())


def test_that_what_was_said_before_a_stop_is_kept(folder, tmp_path):
    from studio.store.project import Project

    judge = script(tmp_path, *(line(name, {"summary": f"Of {name}."}) for name in WORDS))
    cancel = threading.Event()
    with Project.open(folder, must_write=True) as project:
        with pytest.raises(Cancelled):
            summarise(project, judge, emit=lambda _: cancel.set(), cancel=cancel)
        first, second, *_ = summaries(project).sections
        assert (first.summary, second.written_by) == ("Of Bees.", EXTRACTIVE)
        forget_summaries(project)
        assert summaries(project).sections[0].written_by == EXTRACTIVE


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--judge", "code"), "Code sums nothing up."), (("--judge", "nobody:x"), "no judge"),
        (("--instance", "other"), "There is no instance other."),
    ],
)  # fmt: skip
def test_that_unknown_judges_and_instances_are_refused_in_one_line(studio, folder, arguments, says):
    assert says in studio("reflex", "summarise", folder, *arguments).error_line


def test_that_a_request_says_where_a_section_stands_and_that_it_was_cut():
    sections = [
        Section(title="Hive", text="a", level=1), Section(title="Queen", text="b", level=2),
        Section(title="Eggs", text="x" * (MOST_SIGNS + 1), level=3), Section(title="Honey", text="d", level=1),
    ]  # fmt: skip
    above = headings_above(sections)
    assert above == [(), ("Hive",), ("Hive", "Queen"), ()]
    words = summary_request(sections[2], above[2], language="zh").parts[-1].text
    for said in ("Hive › Queen", "Its heading: Eggs", "in this language: zh", "[cut here]"):
        assert said in words


def test_that_only_a_summary_in_words_is_read():
    assert read_summary('```json\n{"summary": "Bees  make\\nhoney."}\n```') == "Bees make honey."
    assert read_summary('{"summary": 3}') == read_summary("words") == read_summary('{"summary": "x') == ""
