"""Hints about items, with items on both sides of each, in English and Chinese."""

from dataclasses import replace

import pytest

from studio.checklists.draft import facts_in, propose
from studio.checklists.instruction_parts import parts_of, text_of
from studio.checklists.instruction_text import slide_range_in
from studio.checklists.lint import Hint, lint_draft, lint_item, lint_list
from studio.checklists.rules.registry import RULES
from studio.model.authoring import InstructionPlan, InstructionSection
from studio.model.checklists import Dimension, Item, ItemId, ItemKind, RuleCall


def item(text, dimension=Dimension.DESIGN, name="x", **more):
    return Item(id=ItemId(name), version=1, dimension=dimension, text=text, **more)


@pytest.mark.parametrize(
    ("hint", "text", "holds"),
    [
        (Hint.DOUBLE_BARRELLED, "Is the text readable and is the layout balanced?", True),
        (Hint.DOUBLE_BARRELLED, "Does the deck name the method and the limits?", True),
        (Hint.DOUBLE_BARRELLED, "Is it neat? Is it calm?", True),
        (Hint.DOUBLE_BARRELLED, "字体是否统一，并且颜色是否协调？", True),
        (Hint.DOUBLE_BARRELLED, "Do text and images match?", False),
        (Hint.DOUBLE_BARRELLED, "Is there a balance between text and the images?", False),
        (Hint.DOUBLE_BARRELLED, "字体是否统一？", False),
        (Hint.NOT_ANSWERABLE, "Does the speaker keep eye contact?", True),
        (Hint.NOT_ANSWERABLE, "演讲者的语速是否合适？", True),
        (Hint.NOT_ANSWERABLE, "Is the title readable?", False),
        (Hint.NO_YES_NO_FORM, "How good is the layout?", True),
        (Hint.NO_YES_NO_FORM, "The layout is good.", True),
        (Hint.NO_YES_NO_FORM, "版式如何？", True),
        (Hint.NO_YES_NO_FORM, "**Layout** Is it balanced?", False),
        (Hint.NO_YES_NO_FORM, "版式是否均衡？", False),
        (Hint.SOURCE_NEEDED, "Do the numbers match the source document?", True),
        (Hint.SOURCE_NEEDED, "内容是否与原文一致？", True),
        (Hint.SOURCE_NEEDED, "Does the deck cite its sources?", False),
        (Hint.MISSING_IF_NO, "Is every chart labelled?", True),
        (Hint.MISSING_IF_NO, "每个图表是否有标注？", True),
        (Hint.MISSING_IF_NO, "Is every chart labelled? If there is no chart, answer no.", False),
        (Hint.MISSING_IF_NO, "Is the title short?", False),
    ],
)
def test_that_a_hint_is_given_on_its_own_side_only(hint, text, holds):
    assert (hint in {each.hint for each in lint_item(item(text))}) is holds


def test_that_a_dependency_note_answers_the_missing_if_no():
    assert not lint_item(item("Is every chart labelled?", no_when="the deck has no chart"))


def test_that_a_source_may_be_needed_where_the_tier_has_it():
    asked = item("Do the numbers match the source document?", Dimension.CORRECTNESS)
    assert Hint.SOURCE_NEEDED not in {each.hint for each in lint_item(asked)}


def test_that_near_duplicates_are_found_but_pages_are_not():
    twins = [item("Is all text easy to read?", name="a"), item("Is all text easy to read, please?", name="b")]
    (found,) = lint_list(twins)
    assert (found.hint, found.item_id, found.other_id) == (Hint.NEAR_DUPLICATE, "b", "a")
    pages = [item(f"Is slide {n} grounded?", Dimension.FIDELITY, name=f"p{n}") for n in (1, 2)]
    assert lint_list(pages) == []
    chinese = [item("字体大小是否合适？", name="c"), item("字体大小是否合适呢？", name="d")]
    assert Hint.NEAR_DUPLICATE in {each.hint for each in lint_list(chinese)}


def test_that_a_range_that_differs_and_a_rule_that_nobody_knows_are_found():
    rule = RuleCall(rule="slide_count", parameters={"min_count": 3, "max_count": 6})
    counter = item("3 to 6?", kind=ItemKind.CODE, rule=rule)
    assert [each.hint for each in lint_list([counter], instruction_range=(5, 8))] == [Hint.SLIDE_RANGE]
    assert lint_list([counter], instruction_range=(3, 6), known_rules=RULES) == []
    odd = item("odd", kind=ItemKind.CODE, rule=RuleCall(rule="no_such"))
    assert [each.hint for each in lint_item(odd, known_rules=RULES)] == [Hint.UNKNOWN_RULE]


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("Make 21–35 slides.", (21, 35)), ("between 15 and 20 pages", (15, 20)), ("Slides: 10-12", (10, 12)),
        ("制作15到20页幻灯片", (15, 20)), ("at most 12 slides", (1, 12)), ("in 2019-2020 we sold", None), ("", None),
        ("20-10 slides", None),
    ],
)  # fmt: skip
def test_that_the_slide_range_of_an_instruction_is_read(text, limits):
    assert slide_range_in(text) == limits


def test_that_facts_are_numbers_with_units_and_names():
    assert facts_in("The spring tide reaches 4.2 m at Port Hollow in 2024") == ["4.2 m", "Port Hollow", "2024"]


def test_that_an_instruction_by_structure_gives_items_of_each_kind():
    plan = parts_of(
        "# Talk\n\nMake 8-10 slides.\n\nAudience: pupils\n\n## Sections\n\n1. Tides\n   - Spring tide of 4.2 m\n"
        "2. Ships\n\n"
        "## Constraints\n\n- At most 5 bullets per slide\n- Be cheerful\n"
    )
    assert plan.slide_limits == (8, 10)
    assert [section.title for section in plan.sections][-2:] == ["Tides", "Ships"]
    found = propose(plan)
    rules = {each.rule.rule: each.rule.parameters for each in found if each.rule}
    assert rules == {
        "slide_count": {"min_count": 8, "max_count": 10}, "bullets_per_slide": {"max_bullets": 5},
    }  # fmt: skip
    assert set(rules) <= set(RULES)
    assert {each.dimension for each in found} == set(Dimension)


def typed(text, *, id="draft", kind=ItemKind.QUESTION, rule=None, dimension=Dimension.DESIGN):
    return Item(id=ItemId(id), version=1, dimension=dimension, text=text, kind=kind, rule=rule)


def test_that_a_typed_item_is_compared_with_those_it_will_stand_among():
    others = [typed("Is the title of each slide short?", id="a"), typed("Are sources named?", id="b")]
    found = lint_draft(typed("Is the title of each slide short"), others)
    duplicate = next(each for each in found if each.hint is Hint.NEAR_DUPLICATE)
    assert (duplicate.item_id, duplicate.other_id) == ("draft", "a")
    # Its own earlier state is no other item.
    assert not [
        each for each in lint_draft(replace(others[0], text="Is the title of each slide short, yes?"), others)
        if each.hint is Hint.NEAR_DUPLICATE
    ]  # fmt: skip


def test_that_a_typed_slide_count_is_compared_with_the_instruction():
    count = typed(
        "", kind=ItemKind.CODE, rule=RuleCall(rule="slide_count", parameters={"min_count": 4, "max_count": 9})
    )
    assert [each.hint for each in lint_draft(count, [], instruction_range=(8, 12))] == [Hint.SLIDE_RANGE]
    assert lint_draft(count, [], instruction_range=(4, 9)) == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_that_an_instruction_s_text_has_the_parts_that_it_was_made_of(language):
    titles = ("Background", "Results") if language == "en" else ("背景", "结果")
    plan = InstructionPlan(
        slide_limits=(8, 12), language=language, constraints=("At most six bullets on a slide",),
        sections=tuple(InstructionSection(title=title, key_points=(f"{title} 1",)) for title in titles),
    )  # fmt: skip
    again = parts_of(text_of(plan, title="Rivers"))
    assert (again.sections, again.slide_limits, again.constraints) == (plan.sections, (8, 12), plan.constraints)
