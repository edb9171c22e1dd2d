"""Lists put together, cut and expanded: acceptance cases 11 to 16, 23 and 24."""

import json

import pytest

from studio.checklists.merge import ScopeList, for_deck, merge
from studio.checklists.pages import Mode, cut_limit, judged_pages, slides_counted
from studio.checklists.prompt_files import listed_items, merged, prompt_file
from studio.checklists.prompts import asked, item_words, prompt_of, sees_sources
from studio.checklists.reference_score import score_result
from studio.checklists.results import CLASSES, Entry, ResultDocument, WeightsDocument
from studio.checklists.slide_count import check_slide_count
from studio.errors import BadInput
from studio.model.authoring import EVERYWHERE, ListSettings, Scope
from studio.model.checklists import Dimension, Item, ItemId, ItemKind, Tier
from studio.model.ids import InstanceId
from tests.presentbench_trees import CASE, COMMON, COUNT, WEIGHTS
from tests.shared_files import shared


def checklist_of(case=CASE, common=COMMON):
    both = merged(prompt_file(case, "judge_prompt.json"), prompt_file(common, "common_judge_prompt.json"))
    items = tuple(
        Item(
            id=ItemId(f"{dimension}.{place}"), version=1, dimension=dimension, text=listed.text, kind=listed.kind,
            rule=listed.rule, position=float(place),
        )
        for dimension, values in both.lists.items()
        for place, listed in enumerate(listed_items(values), start=1)
    )  # fmt: skip
    settings = ListSettings(
        independent_prefix=both.prefixes[Tier.INDEPENDENT], dependent_prefix=both.prefixes[Tier.DEPENDENT],
        declared=frozenset(Dimension),
    )  # fmt: skip
    return merge(InstanceId("i"), [ScopeList(scope=EVERYWHERE, items=items, settings=settings)])


def score_all_yes(checklist, pages, mode):
    """Return the total if every question is a yes and the code item counts for itself."""
    sections: dict[str, dict[str, dict[str, Entry]]] = {"material_independent": {}, "material_dependent": {}}
    for item in checklist.items:
        place = CLASSES[item.dimension]
        entries = sections[place.section].setdefault(place.key, {})
        said = "yes"
        if item.kind is ItemKind.CODE:
            said = check_slide_count(slides_counted(pages, mode=mode), **item.rule.parameters).answer.value
        is_out = item.kind is ItemKind.TOOL_ERROR
        entries[f"{place.key}.{len(entries) + 1}"] = Entry(answer=None if is_out else said, is_left_out=is_out)
    weights = WeightsDocument(sections={key: WEIGHTS[key] for key in sections}, total=100.0)
    return score_result(ResultDocument(sections=sections), weights).total


def fidelity(checklist):
    return [item for item in checklist.items if item.dimension is Dimension.FIDELITY]


def test_that_a_deck_over_the_limit_fails_the_count_and_is_asked_about_the_pages_that_are_judged():
    found, pages = for_deck(checklist_of(), slides=9)
    assert (pages.original, pages.judged, pages.limit) == (9, 6, 6)
    assert pages.removed == (7, 8, 9)
    assert [item.slide for item in fidelity(found)] == [1, 2, 3, 4, 5, 6]
    assert any("3 of 9 pages removed by limit 6" in note for note in found.notes)
    # Fundamentals 1 of 2, everything else 100: 10 + 4 · 20.
    assert score_all_yes(found, pages, Mode.DEFAULT) == pytest.approx(90.0)


def test_that_the_compatible_mode_does_with_an_overlong_deck_what_the_reference_did():
    golden = json.loads(shared("golden/presentbench/e2e_overlong_deck.json").read_text())
    inputs, reference = golden["inputs"], golden["reference"]
    checklist = checklist_of(inputs["case_judge_prompt"], inputs["common_judge_prompt"])
    found, pages = for_deck(checklist, slides=inputs["pages"], mode=Mode.COMPAT)
    assert [prompt for _, prompt in asked(found)] == reference["prompts_in_call_order"]
    assert [sees_sources(item) for item, _ in asked(found)] == [bool(each) for each in reference["materials_per_call"]]
    assert len(fidelity(found)) == reference["fidelity_items"]
    count = check_slide_count(slides_counted(pages, mode=Mode.COMPAT), **found.items[0].rule.parameters)
    assert count._asdict() == reference["item_1_1"]
    assert score_all_yes(found, pages, Mode.COMPAT) == pytest.approx(reference["total_percent"])


@pytest.mark.parametrize("mode", Mode)
def test_that_a_deck_that_is_too_short_fails_the_count_only(mode):
    found, pages = for_deck(checklist_of(), slides=2, mode=mode)
    assert len(fidelity(found)) == 2
    assert score_all_yes(found, pages, mode) == pytest.approx(90.0)


def test_that_an_unknown_function_is_a_tool_error_and_the_cut_stays():
    unknown = {"__type__": "partial", "func": "utils.other.check", "keywords": {"min_count": 3, "max_count": 6}}
    checklist = checklist_of(common={**COMMON, "material_independent_checklist_1": [unknown, "a1"]})
    assert checklist.items[0].kind is ItemKind.TOOL_ERROR
    found, pages = for_deck(checklist, slides=9)
    assert (len(fidelity(found)), pages.judged) == (6, 6)
    assert score_all_yes(found, pages, Mode.DEFAULT) == pytest.approx(100.0)
    _, whole = for_deck(checklist, slides=9, mode=Mode.COMPAT)
    assert whole.judged == 9


@pytest.mark.parametrize(
    "value",
    [
        {"__type__": "partial", "func": "os.path.basename", "keywords": {}},
        {"__type__": "callable", "callable": "os.system"},
        {"__type__": "partial", "func": "nodots"},
        {"text": "no type"},
        3,
        None,
        ["list"],
        {**COUNT, "keywords": {"min_count": "3", "max_count": 6}},
        {**COUNT, "keywords": {"min_count": True, "max_count": 6}},
        {**COUNT, "keywords": {"min_count": 3, "max_count": 6, "more": 1}},
    ],
)
def test_that_what_no_rule_stands_for_is_a_visible_tool_error_and_nothing_is_imported(value, monkeypatch):
    def refuse(*_args, **_kwargs):
        raise AssertionError("something was imported by name")

    monkeypatch.setattr("importlib.import_module", refuse)
    (found,) = listed_items([value])
    assert found.kind is ItemKind.TOOL_ERROR
    assert found.problem


def test_that_arguments_by_position_are_read_as_meant():
    (found,) = listed_items([{**COUNT, "args": [4, 9], "keywords": {}}])
    assert found.kind is ItemKind.CODE
    assert found.rule.parameters == {"min_count": 4, "max_count": 9}


def test_that_the_limit_is_found_wherever_the_count_check_stands():
    checklist = checklist_of(common={**COMMON, "material_independent_checklist_1": ["a1", COUNT]})
    assert cut_limit(checklist.items) == 6
    assert cut_limit(checklist.items, mode=Mode.COMPAT) is None
    assert cut_limit(checklist.items, (2, 4)) == 4


def test_that_an_empty_list_wins_and_is_told():
    checklist = checklist_of({**CASE, "material_independent_checklist_1": []})
    assert not [item for item in checklist.items if item.dimension is Dimension.FUNDAMENTALS]
    assert any(note.startswith("empty class: fundamentals") for note in checklist.notes)
    found, pages = for_deck(checklist, slides=5)
    assert score_all_yes(found, pages, Mode.DEFAULT) == pytest.approx(80.0)


@pytest.mark.parametrize(
    ("case", "common", "key"),
    [
        ({**CASE, "material_dependent_checklist_1": None}, COMMON, "material_dependent_checklist_1"),
        (CASE, {k: v for k, v in COMMON.items() if k != "material_dependent_prefix"}, "material_dependent_prefix"),
        (CASE, {k: v for k, v in COMMON.items() if not k.endswith("_checklist_3")}, "material_dependent_checklist_3"),
        ({**CASE, "material_independent_checklist_2": "b"}, COMMON, "material_independent_checklist_2"),
        ({**CASE, "material_independent_prefix": 3}, COMMON, "material_independent_prefix"),
    ],
)  # fmt: skip
def test_that_a_key_that_is_missing_null_or_of_the_wrong_kind_is_named(case, common, key):
    with pytest.raises(BadInput, match=key):
        checklist_of(case, common)


def test_that_the_prompt_is_prefix_and_item_byte_for_byte():
    text = "\n**Tide table** Is it shown?\n\n"
    common = {**COMMON, "material_dependent_prefix": "  Deck first.\n---\n"}
    checklist = checklist_of({**CASE, "material_dependent_checklist_1": [text]}, common)
    item = next(item for item in checklist.items if item.dimension is Dimension.COMPLETENESS)
    assert prompt_of(checklist, item) == "  Deck first.\n---\n" + text
    assert sees_sources(item)
    with pytest.raises(ValueError, match="code"):
        prompt_of(checklist, checklist.items[0])


def test_that_a_note_and_a_dependency_are_words_that_judges_read_too():
    item = Item(
        id=ItemId("x"), version=1, dimension=Dimension.DESIGN, text="Is each axis named?", note="Short is fine.",
        no_when="the deck has no chart",
    )  # fmt: skip
    assert item_words(item).splitlines()[2:] == ["Note: Short is fine.", "", "Counts as no when: the deck has no chart"]


def test_that_hidden_slides_are_not_judged_and_pages_keep_their_slide_numbers():
    found, pages = for_deck(checklist_of(), slides=3, hidden=[2])
    assert pages.slides == (1, 3)
    assert [(item.text, item.slide) for item in fidelity(found)] == [("slide 1?", 1), ("slide 2?", 3)]
    assert slides_counted(pages) == 2


def test_that_a_template_is_asked_of_each_judged_page_under_an_id_of_its_own():
    item = Item(id=ItemId("f"), version=2, dimension=Dimension.FIDELITY, text="Is slide {slide} right?")
    checklist = merge(InstanceId("i"), [ScopeList(scope=EVERYWHERE, items=(item,))])
    found, _ = for_deck(checklist, slides=3, hidden=[1])
    assert [(each.id, each.text, each.slide) for each in found.items] == [
        ("f@1", "Is slide 1 right?", 2), ("f@2", "Is slide 2 right?", 3),
    ]  # fmt: skip


def test_that_the_most_particular_list_counts_whole():
    def item(name, dimension, **more):
        return Item(id=ItemId(name), version=1, dimension=dimension, text=f"Is {name} so?", **more)

    own = Scope(instance_id=InstanceId("i"))
    lists = [
        ScopeList(
            scope=EVERYWHERE, items=(item("a", Dimension.DESIGN), item("b", Dimension.COMPLETENESS)),
            settings=ListSettings(independent_prefix="all|", slide_limits=(1, 9)),
        ),
        ScopeList(scope=Scope(domain="d"), items=(item("c", Dimension.DESIGN),)),
        ScopeList(scope=own, items=(item("e", Dimension.COMPLETENESS),), settings=ListSettings(slide_limits=(2, 5))),
    ]  # fmt: skip
    found = merge(InstanceId("i"), lists)
    assert [each.id for each in found.items] == ["c", "e"]
    assert (found.independent_prefix, found.slide_limits) == ("all|", (2, 5))


def test_that_a_rule_that_counts_other_things_gives_no_limit():
    values = listed_items([COUNT])
    other = values[0].rule.__class__(rule="quantitative_slide_count", parameters={"min_count": 1, "max_count": 2})
    item = Item(id=ItemId("q"), version=1, dimension=Dimension.DESIGN, text="q", kind=ItemKind.CODE, rule=other)
    assert cut_limit([item]) is None


@pytest.mark.parametrize(("slides", "limit", "judged"), [(0, 5, 0), (5, 5, 5), (6, 5, 5), (6, None, 6)])
def test_that_pages_end_at_the_limit(slides, limit, judged):
    assert judged_pages(slides, limit=limit).judged == judged
