"""Real files made worse by each of the four defects open, and render one picture a slide."""

from __future__ import annotations

import pytest
from PIL import Image
from pptx import Presentation

from studio.actions.perturb import perturb_file
from studio.decks.render import find_tools, render_deck
from studio.decks.slide_objects import read_slide_objects
from studio.decks.structure import inspect_file
from studio.model.decks import DeckFormat
from studio.model.reflex import ContentMetric
from tests.shared_files import shared

FILES = {
    ContentMetric.FLOW: "pptagent__build_effective_agents.pptx",
    ContentMetric.REDUNDANCY: "markitdown__test.pptx",
    ContentMetric.ALIGNMENT: "tika__testPPT_various2.pptx",
    ContentMetric.COVERAGE: "pptagent__build_effective_agents.pptx",
}


@pytest.fixture(scope="module")
def tools():
    found = find_tools()
    if found.libreoffice is None:
        pytest.skip("LibreOffice is not installed")
    return found


@pytest.mark.parametrize("metric", ContentMetric)
def test_that_a_real_file_made_worse_opens_and_renders(metric, tools, tmp_path):
    path = shared("corpus") / "pptx" / FILES[metric]
    if not path.is_file():
        pytest.skip(f"the shared corpus has no {path.name}")
    source = tmp_path / "source.md"
    slides = read_slide_objects(path)
    source.write_text("\n\n".join(f"# Part {each.number}\n\n{f'{each.text}. ' * 6}" for each in slides), "utf-8")
    before = path.read_bytes()
    made = perturb_file(path, tmp_path / "out", metric, degree=2, seed=1, source=source)
    assert path.read_bytes() == before
    assert made.path.read_bytes() != before
    facts = inspect_file(made.path)
    assert facts.failure is None
    assert len(Presentation(str(made.path)).slides) - len(facts.hidden) == len(made.recipe.permutation)
    pages = tmp_path / "pages"
    rendered = render_deck(made.path, pages, format=DeckFormat.PPTX, tools=tools)
    assert rendered.failure is None
    pictures = sorted(pages.glob("slide_*.png"))
    assert len(pictures) == len(made.recipe.permutation)
    for picture in pictures:
        with Image.open(picture) as image:
            image.verify()
