from __future__ import annotations

import io
import json
import zipfile

import pytest
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from studio.actions.perturb import perturb_file
from studio.decks.mupdf import page_texts
from studio.decks.structure import inspect_file
from studio.errors import BadInput
from studio.model.reflex import ContentMetric
from tests.shared_files import shared

TOPICS = {
    "Bees": "bees pollinate orchards and the hive keeps honey through the winter months " * 4,
    "Tides": "tides follow the moon and the harbour measures water level every hour " * 4,
    "Trams": "trams run on rails through the city and the timetable lists departures " * 4,
    "Glass": "glass is melted sand and the furnace burns at high temperature all day " * 4,
    "Maps": "maps show contour lines and the scale tells the distance between villages " * 4,
}


def picture(colour) -> io.BytesIO:
    data = io.BytesIO()
    Image.new("RGB", (64, 48), colour).save(data, "PNG")
    data.seek(0)
    return data


@pytest.fixture
def deck(tmp_path):
    presentation = Presentation()
    for number, (name, words) in enumerate(TOPICS.items()):
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = name
        slide.placeholders[1].text = words[:80]
        slide.shapes.add_picture(picture((40 * number, 90, 200)), Inches(1), Inches(4), Inches(3), Inches(2))
        slide.notes_slide.notes_text_frame.text = f"notes on {name}"
    data = CategoryChartData()
    data.categories = ["a", "b"]
    data.add_series("s", (1.0, 2.0))
    presentation.slides[0].shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, Inches(2), Inches(2), data)
    path = tmp_path / "deck.pptx"
    presentation.save(path)
    return path


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "source.md"
    path.write_text("\n\n".join(f"# {name}\n\n{words}" for name, words in TOPICS.items()), "utf-8")
    return path


def titles(path) -> list[str]:
    return [slide.shapes.title.text for slide in Presentation(path).slides]


def test_that_flow_changes_the_order_and_nothing_else(deck, tmp_path):
    made = perturb_file(deck, tmp_path / "out", ContentMetric.FLOW, degree=2, seed=5)
    names = list(TOPICS)
    assert titles(made.path) == [names[number - 1] for number in made.recipe.permutation]
    assert sorted(titles(made.path)) == sorted(names)
    assert len(made.recipe.picked) == 2


def test_that_a_copied_slide_has_its_own_chart_workbook_and_notes(deck, tmp_path):
    copied = next(
        made
        for seed in range(50)
        if 1
        in (
            made := perturb_file(deck, tmp_path / f"{seed}", ContentMetric.REDUNDANCY, degree=2, seed=seed)
        ).recipe.picked
    )  # fmt: skip
    facts = inspect_file(copied.path)
    assert facts.slides == 7
    assert (facts.charts.native, facts.charts.with_workbook) == (2, 2)
    assert facts.warnings == ()
    slides = Presentation(copied.path).slides
    both = [slide for slide in slides if slide.shapes.title.text == "Bees"]
    assert [slide.notes_slide.notes_text_frame.text for slide in both] == ["notes on Bees"] * 2
    charts = {shape.chart.part.partname for slide in both for shape in slide.shapes if shape.has_chart}
    assert len(charts) == 2
    with zipfile.ZipFile(copied.path) as archive:
        assert len(set(archive.namelist())) == len(archive.namelist())


def test_that_swapped_images_are_all_another_slides_image(deck, tmp_path):
    before = [slide.shapes[2].image.sha1 for slide in Presentation(deck).slides]
    made = perturb_file(deck, tmp_path / "out", ContentMetric.ALIGNMENT, degree=3, seed=1)
    after = [slide.shapes[2].image.sha1 for slide in Presentation(made.path).slides]
    assert after == [before[number - 1] for number in made.recipe.permutation]
    changed = [number for number, (a, b) in enumerate(zip(before, after, strict=True), start=1) if a != b]
    assert tuple(changed) == made.recipe.picked
    # 60 % of five slides.
    assert len(changed) == 3


def test_that_coverage_takes_the_slides_of_the_picked_topics(deck, source, tmp_path):
    made = perturb_file(deck, tmp_path / "out", ContentMetric.COVERAGE, degree=2, seed=3, source=source)
    assert titles(made.path) == [name for name in TOPICS if name not in made.recipe.picked]
    assert len(made.recipe.picked) == 2
    with zipfile.ZipFile(made.path) as archive:
        slides = [name for name in archive.namelist() if name.startswith("ppt/slides/slide")]
        notes = [name for name in archive.namelist() if name.startswith("ppt/notesSlides/notesSlide")]
    # What was taken out is not hidden in the file.
    assert (len(slides), len(notes)) == (3, 3)


def test_that_the_same_call_makes_the_same_bytes_and_leaves_the_deck_alone(deck, tmp_path):
    before = deck.read_bytes()
    made = [perturb_file(deck, tmp_path / name, ContentMetric.FLOW, degree=1, seed=9) for name in ("a", "b")]
    assert made[0].path.read_bytes() == made[1].path.read_bytes()
    assert deck.read_bytes() == before
    assert json.loads(made[0].recipe_path.read_text("utf-8"))["picked"] == list(made[0].recipe.picked)


def test_that_links_to_a_slide_that_went_are_taken_away(deck, source, tmp_path):
    presentation = Presentation(deck)
    slides = list(presentation.slides)
    for slide in slides:
        for other in slides:
            if other is not slide:
                box = slide.shapes.add_textbox(0, 0, Inches(1), Inches(1))
                box.click_action.target_slide = other
    presentation.save(deck)
    made = perturb_file(deck, tmp_path / "out", ContentMetric.COVERAGE, degree=2, seed=3, source=source)
    assert inspect_file(made.path).slides == 3
    with zipfile.ZipFile(made.path) as archive:
        assert len([name for name in archive.namelist() if name.startswith("ppt/slides/slide")]) == 3


def test_that_hidden_slides_stay_where_they_are(deck, tmp_path):
    presentation = Presentation(deck)
    presentation.slides[1]._element.set("show", "0")
    presentation.save(deck)
    made = perturb_file(deck, tmp_path / "out", ContentMetric.FLOW, degree=4, seed=2)
    assert 2 not in made.recipe.picked
    assert titles(made.path)[1] == "Tides"
    assert inspect_file(made.path).hidden == (2,)


def test_that_a_pdf_keeps_its_pages_and_changes_their_order(tmp_path):
    path = shared("corpus")
    pdf = next((each for each in sorted(path.rglob("*.pdf")) if (inspect_file(each).slides or 0) >= 5), None)
    if pdf is None:
        pytest.skip("the shared corpus has no PDF of five pages")
    before = page_texts(str(pdf), None)
    made = perturb_file(pdf, tmp_path / "out", ContentMetric.FLOW, degree=2, seed=1)
    assert list(page_texts(str(made.path), None)) == [before[number - 1] for number in made.recipe.permutation]


def test_that_coverage_without_a_source_says_what_is_missing(deck, tmp_path):
    with pytest.raises(BadInput, match="--source"):
        perturb_file(deck, tmp_path / "out", ContentMetric.COVERAGE, degree=1, seed=0)


def test_that_images_in_a_pdf_cannot_change_places(tmp_path, deck):
    pdf = next(iter(sorted(shared("corpus").rglob("*.pdf"))))
    with pytest.raises(BadInput, match=r"\.pptx"):
        perturb_file(pdf, tmp_path / "out", ContentMetric.ALIGNMENT, degree=1, seed=0)
