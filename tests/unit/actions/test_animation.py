from __future__ import annotations

import pytest

from studio.actions.animation import animation_steps, steps_of
from studio.decks.content import content_of
from studio.decks.structure.shape_tree import read_structure
from studio.model.decks import DeckFormat
from studio.model.structure import Effect, Shape, ShapeKind, SlideStructure
from studio.store import care as care_store
from studio.store.care import Kind
from tests.projects import decks_of, make_project
from tests.shared_files import shared


def effect(preset_class, trigger, shape_id, seconds=None):
    return Effect(preset_class=preset_class, preset_id="1", trigger=trigger, shape_id=shape_id, duration_s=seconds)


def test_that_steps_are_named_by_trigger_shape_and_kind_in_the_order_of_the_timeline():
    inner = Shape(id="7", name="Bar", kind=next(iter(ShapeKind)), box=None)
    group = Shape(id="5", name="Group 1", kind=next(iter(ShapeKind)), box=None, children=(inner,))
    slide = SlideStructure(
        number=1, part="", shapes=(group,), transition="fade",
        effects=(
            effect("entr", "clickEffect", "7", 0.5), effect("exit", "withEffect", "5"), effect("path", "", "99"),
        ),
    )  # fmt: skip
    assert steps_of(slide) == (
        "Transition: fade",
        "On click: Bar appears (0.5 s)",
        "With the one before: Group 1 disappears",
        "By itself: something moves along a path",
    )


def test_that_a_format_without_a_timeline_says_nothing_rather_than_none(tmp_path):
    with make_project(tmp_path / "study") as project:
        deck = decks_of(project, "topic-1")["Aster"]
        care_store.act(project, "edit", Kind.DECK, deck, "", {"format": DeckFormat.PDF.value})
        assert animation_steps(project, deck) is None


def test_that_every_effect_of_a_real_file_is_one_step(tmp_path):
    for path in sorted(shared("corpus/pptx").glob("*.pptx")):
        try:
            structure = read_structure(path, DeckFormat.PPTX)
        except Exception:
            continue
        if sum(len(slide.effects) for slide in structure.slides) > 1:
            break
    else:
        pytest.skip("no shared file has animations")
    with make_project(tmp_path / "study") as project:
        deck = decks_of(project, "topic-1")["Aster"]
        content = content_of(path)
        project.add_asset(path, content.sha256, content.extension)
        care_store.act(project, "replace", Kind.DECK, deck, "", {"asset": content.sha256, "extension": "pptx"})
        steps = animation_steps(project, deck)
    expected = {
        slide.number: len(slide.effects) + (slide.transition is not None)
        for slide in structure.slides
        if slide.effects or slide.transition is not None
    }
    assert {number: len(found) for number, found in steps.items()} == expected
