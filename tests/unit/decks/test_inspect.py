from __future__ import annotations

import os
import zipfile

import pytest
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from studio.decks.structure import inspect_file
from studio.model.decks import DeckFormat, FailureKind
from tests.unit.decks.decks_made_here import rewritten, with_content_type, write_deck


def test_that_shapes_in_groups_of_any_depth_are_counted(tmp_path):
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    Image.new("RGB", (8, 8)).save(tmp_path / "p.png")
    group = slide.shapes
    for depth in range(3):
        group.add_textbox(0, 0, Inches(1), Inches(1)).text_frame.text = f"at depth {depth}"
        group.add_picture(str(tmp_path / "p.png"), 0, 0) if hasattr(group, "add_picture") else None
        group = group.add_group_shape().shapes
    group.add_textbox(0, 0, Inches(1), Inches(1))
    group.add_picture(str(tmp_path / "p.png"), 0, 0)
    presentation.save(str(tmp_path / "a.pptx"))
    facts = inspect_file(tmp_path / "a.pptx")
    assert facts.failure is None
    assert (facts.text_boxes, facts.groups) == (4, 3)
    assert facts.pictures is not None
    assert (facts.pictures.embedded, facts.pictures.broken) == (4, 0)


def test_that_a_chart_without_its_workbook_is_broken(tmp_path):
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    data = CategoryChartData()
    data.categories = ["a", "b"]
    data.add_series("s", (1, 2))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, Inches(4), Inches(3), data)
    presentation.save(str(tmp_path / "a.pptx"))
    whole = inspect_file(tmp_path / "a.pptx").charts
    cut = rewritten(
        tmp_path / "a.pptx", tmp_path / "b.pptx", lambda name, data: None if name.endswith(".xlsx") else data
    )
    broken = inspect_file(cut).charts
    assert whole is not None
    assert broken is not None
    assert (whole.native, whole.with_workbook, whole.broken) == (1, 1, 0)
    assert (broken.native, broken.with_workbook, broken.broken) == (1, 0, 1)


def test_that_a_template_has_the_same_facts_as_the_deck(tmp_path):
    deck = write_deck(tmp_path / "a.pptx", ["one", "two"], hidden=[2], notes={1: "n"})
    template = with_content_type(
        deck,
        tmp_path / "b.pptx",
        "application/vnd.openxmlformats-officedocument.presentationml.template.main+xml",
    )
    first, second = inspect_file(deck), inspect_file(template)
    assert second.format is DeckFormat.POTX
    assert (second.slides, second.hidden, second.notes, second.text_boxes) == (2, (2,), 1, 2)
    assert first.slide_size_emu == second.slide_size_emu == (12_192_000, 6_858_000)


def test_that_one_bad_slide_is_one_warning_and_entities_are_not_expanded(tmp_path):
    deck = write_deck(tmp_path / "a.pptx", ["one", "two", "three"])
    bomb = (
        b'<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa">'
        b'<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
        b']><p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main">&b;</p:sld>'
    )

    def change(name, data):
        if name == "ppt/slides/slide2.xml":
            return bomb
        return data[:200] if name == "ppt/slides/slide3.xml" else data

    facts = inspect_file(rewritten(deck, tmp_path / "b.pptx", change))
    assert facts.failure is None
    assert facts.slides == 3
    assert facts.text_boxes == 1
    assert sorted(warning.slide for warning in facts.warnings) == [2, 3]


def test_that_reading_never_changes_the_file(tmp_path):
    deck = write_deck(tmp_path / "a.pptx", ["one"])
    before = deck.read_bytes()
    inspect_file(deck)
    assert deck.read_bytes() == before


@pytest.mark.parametrize(
    ("names", "kind"),
    [(["a.txt"], "not_a_deck"), (["ppt/presentation.xml"], "not_a_deck"), ([], "not_a_deck")],
)
def test_that_a_zip_that_is_no_deck_says_so(tmp_path, names, kind):
    path = tmp_path / "a.pptx"
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    facts = inspect_file(path)
    assert facts.failure is not None
    assert facts.failure.kind == kind


def test_that_a_deck_without_presentation_part_is_unreadable(tmp_path):
    deck = write_deck(tmp_path / "a.pptx", ["one"])
    cut = rewritten(deck, tmp_path / "b.pptx", lambda name, data: None if name == "ppt/presentation.xml" else data)
    facts = inspect_file(cut)
    assert facts.failure is not None
    assert facts.failure.kind == "unreadable"
    assert facts.format is DeckFormat.PPTX


def test_that_a_missing_file_and_a_folder_of_nothing_fail_without_an_exception(tmp_path):
    assert inspect_file(tmp_path / "gone.pptx").failure.kind == "not_found"
    (tmp_path / "empty").mkdir()
    assert inspect_file(tmp_path / "empty").failure.kind == "empty"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_that_a_pipe_is_refused_without_waiting_for_its_writer(tmp_path):
    os.mkfifo(tmp_path / "pipe.pptx")
    facts = inspect_file(tmp_path / "pipe.pptx")
    assert facts.failure is not None
    assert (facts.container, facts.failure.kind) == ("unknown", FailureKind.UNREADABLE)
    assert "pipe.pptx is a device or a pipe" in facts.failure.message
