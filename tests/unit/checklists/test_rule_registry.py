import dataclasses
import sys

import pytest

from studio.checklists.rules import RULES, UnknownRule, code_call, judge_by_code, rule_named
from studio.checklists.rules.rule import parameters_of, specs
from studio.errors import BadInput
from studio.model.checklists import RuleCall
from studio.model.deck_evidence import DeckEvidence, Fact, Gap, SlideEvidence
from studio.model.decks import DeckFormat

PRESENTBENCH = "utils.count_pages.check_slide_count"


def test_that_the_name_in_presentbench_files_is_an_alias():
    assert rule_named(PRESENTBENCH) is RULES["slide_count"]
    call = code_call(PRESENTBENCH, [], {"min_count": 4, "max_count": 9})
    assert call == RuleCall(rule="slide_count", parameters={"min_count": 4, "max_count": 9})


@pytest.mark.parametrize(
    "name", ["os.path.basename", "utils.count_pages.other", "studio.checklists.rules.slides.slide_count", "", "json"]
)
def test_that_every_other_name_is_unknown_and_nothing_is_imported(name):
    before = set(sys.modules)
    with pytest.raises(UnknownRule, match="There is no rule"):
        code_call(name, [], {})
    evidence = DeckEvidence(format=DeckFormat.PDF, slides=())
    with pytest.raises(UnknownRule):
        judge_by_code(evidence, RuleCall(rule=name))
    assert set(sys.modules) == before


def test_that_arguments_by_position_are_refused():
    with pytest.raises(BadInput, match="by position"):
        code_call(PRESENTBENCH, [3, 6], {})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"max": 3}, "has no parameter max"),
        ({"min_count": "many"}, "not a whole number"),
        ({"min_count": 2.5}, "not a whole number"),
        ({"min_count": True}, "not a whole number"),
        ({"min_count": -1}, "not between 0 and 10000"),
        ({"min_count": 7, "max_count": 3}, "min_count 7 is above max_count 3"),
        ({"min_count": float("nan")}, "not a whole number"),
    ],
)
def test_that_parameters_are_checked(given, message):
    with pytest.raises(BadInput, match=message):
        parameters_of(RULES["slide_count"], given)


def test_that_text_from_a_command_line_is_read_as_what_is_meant():
    read = parameters_of(RULES["font_size"], {"min_pt": "14.5", "tables": "yes", "min_letters": "5"})
    assert (read.min_pt, read.tables, read.min_letters) == (14.5, True, 5)
    assert parameters_of(RULES["spelling"], {"allowed": "foo, bar"}).allowed == ("foo", "bar")


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
def test_that_every_rule_says_what_it_does_and_takes(rule):
    assert rule.exact_rule.startswith("Yes if")
    assert len(rule.exact_rule) > 80
    assert rule.needs
    assert rule.version >= 1
    assert dataclasses.is_dataclass(rule.parameters)
    for spec in specs(rule):
        assert spec.doc.endswith(".")
        if spec.kind in {"int", "float"}:
            assert spec.low is not None
            assert spec.high is not None
            assert spec.low <= spec.default <= spec.high
    assert parameters_of(rule, {}) == rule.parameters()


def test_that_what_a_format_can_never_tell_is_not_applicable_and_what_is_missing_today_has_no_answer():
    slides = (SlideEvidence(number=1),)
    never = DeckEvidence(format=DeckFormat.PDF, slides=slides, gaps={Fact.PAGES: Gap(reason="never", is_for_good=True)})
    today = dataclasses.replace(never, gaps={Fact.PAGES: Gap(reason="not today", is_for_good=False)})
    assert judge_by_code(never, RuleCall(rule="contrast")).answer == "not_applicable"
    found = judge_by_code(today, RuleCall(rule="contrast"))
    assert (found.answer, found.reason) == (None, "There is no answer: not today.")


def test_that_a_rule_that_only_approximates_always_says_so():
    slide = SlideEvidence(number=1)
    evidence = DeckEvidence(format=DeckFormat.PPTX, slides=(slide,))
    for name, rule in RULES.items():
        found = judge_by_code(evidence, RuleCall(rule=name))
        if not rule.is_verdict and found.answer in {"yes", "no"}:
            assert found.is_suggestion
