"""The fixed registry: which names code items may use. Nothing is ever imported by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from studio.checklists.rules.charts import AXIS_TITLES, LEGEND, UNITS
from studio.checklists.rules.contrast import CONTRAST
from studio.checklists.rules.glyphs import GLYPHS
from studio.checklists.rules.language import LANGUAGE
from studio.checklists.rules.left_over import MARKUP, PLACEHOLDER
from studio.checklists.rules.marks import CITATION, SECTION
from studio.checklists.rules.overflow import OVERFLOW
from studio.checklists.rules.overlap import ELEMENT_OVERLAP, TEXT_OVERLAP
from studio.checklists.rules.pictures import RESOLUTION
from studio.checklists.rules.quantities import QUANTITIES
from studio.checklists.rules.rule import Rule
from studio.checklists.rules.slides import EMPTY_SLIDES, SLIDE_COUNT
from studio.checklists.rules.spelling import SPELLING
from studio.checklists.rules.text_amount import BULLETS, FONT_SIZE
from studio.errors import BadInput
from studio.model.checklists import RuleCall

RULES: Mapping[str, Rule] = {
    rule.name: rule
    for rule in (
        SLIDE_COUNT, EMPTY_SLIDES, BULLETS, FONT_SIZE, OVERFLOW, TEXT_OVERLAP, ELEMENT_OVERLAP, CONTRAST, RESOLUTION,
        LANGUAGE, SPELLING, GLYPHS, CITATION, SECTION, QUANTITIES, MARKUP, PLACEHOLDER, AXIS_TITLES, LEGEND, UNITS,
    )
}  # fmt: skip
"""All rules by name, in the order in which people are shown them."""

PRESENTBENCH_COUNT = "utils.count_pages.check_slide_count"
"""The one function that PresentBench's files name (its keywords are ours: min_count and max_count)."""

ALIASES: Mapping[str, str] = {PRESENTBENCH_COUNT: "slide_count"}
"""Names of other tools → ours."""


class UnknownRule(BadInput):
    """A code item names something that the registry does not have; nothing of it is run."""


def rule_named(name: str) -> Rule:
    """Return the rule of a name or alias.

    Raises:
        UnknownRule: for every other name.
    """
    rule = RULES.get(ALIASES.get(name, name))
    if rule is None:
        raise UnknownRule(f"There is no rule {name!r}.", next_step="Choose one of those that `studio rules` lists.")
    return rule


def code_call(func: str, args: Sequence[object], keywords: Mapping[str, object]) -> RuleCall:
    """Return the rule call of a function that a PresentBench file names.

    Args:
        func: its dotted name.
        args: positional arguments; the reference puts them before the deck, which never works.
        keywords: keyword arguments.

    Raises:
        UnknownRule: for a function outside the registry.
        BadInput: for positional arguments.
    """
    rule = rule_named(func)
    if args:
        raise BadInput(
            f"{func} is given {len(args)} arguments by position, which would stand in the place of the deck.",
            next_step="Give them as keywords.",
        )
    return RuleCall(rule=rule.name, parameters=dict(keywords))
