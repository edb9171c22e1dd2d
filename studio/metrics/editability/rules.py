"""The thresholds of the editability gates, as documented parameters that go in and out as JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from studio.errors import BadInput


@dataclass(frozen=True, kw_only=True)
class EditabilityRules:
    """Thresholds of gates T1 to T5; the defaults are the studio's rules.

    Source:
        SlidesGen-Bench (arXiv 2601.09487) appendix K names the criteria and the parts of the file, but no
        numbers; where a field does not say "paper", the number is the studio's.
    """

    count_hidden_slides: bool = False
    """Look at hidden slides too. Off, a deck is what its audience gets."""

    min_text_chars: int = 1
    """T1: characters other than spaces in shapes, tables, groups and SmartArt. Slide numbers, dates and
    footers are filled in by the program and do not count."""
    picture_coverage: float = 0.85
    """T1, T2: share of a slide's area from which one picture counts as covering it."""
    max_picture_only_share: float = 0.5
    """T1: share of slides that are a covering picture without text; more fails."""

    max_fragment_share: float = 0.30
    """T2: share of the text's characters in paragraphs that are cut into one box for each line; more fails."""
    min_fragment_lines: int = 3
    """T2: one-line boxes in a row that make a cut paragraph."""
    fragment_left_tolerance: float = 0.005
    """T2: how far their left edges may differ, as a share of the slide's width."""
    fragment_size_tolerance_pt: float = 0.5
    """T2: how far their letter sizes may differ."""
    fragment_pitch_tolerance: float = 0.15
    """T2: how far the distance of two lines may differ from the first one, as a share of it."""
    max_fragment_pitch: float = 2.5
    """T2: largest distance of two lines of a paragraph, in letter sizes."""
    assumed_size_pt: float = 18.0
    """T2: letter size where the file leaves it to the layout; PowerPoint's own default."""
    min_vector_objects: int = 1
    """T2: drawn shapes, freeforms, connectors, charts, tables, SmartArt or SVG pictures."""
    inherited_vectors_count: bool = True
    """T2: count those that slides show from their layouts and masters too. A deck of the system that the paper
    puts at L5 has its only vectors there."""
    max_picture_slide_share: float = 0.5
    """T2: share of slides that one picture covers; as many or more fail."""
    min_svgs: int = 1
    """T2, HTML: SVG drawings; there must also be no fewer than canvases."""

    min_master_slide_share: float = 0.5
    """T3: share of slides whose title or background comes from a layout or master; more must do so."""
    layouts_must_be_mapped: bool = False
    """T3: count a layout only if its master's own list names it (paper: layout mapping in slideMaster.xml)."""
    few_loose_shapes_suffice: bool = True
    """T3: without groups, grouping still holds if no slide has more loose shapes than `max_loose_shapes`."""
    max_loose_shapes: int = 12
    """T3: vector shapes of one slide outside of any group that need none."""
    structure_needs_both: bool = False
    """T3: insist on masters and grouping; off, one of them is enough."""

    min_intact_chart_share: float = 1.0
    """T4: share of native charts whose embedded workbook opens and holds the cells that they refer to."""
    smartart_counts: bool = True
    """T4: in a deck without charts a readable SmartArt is enough."""
    smartart_needs_connections: bool = False
    """T4: only if its points are connected (paper: semantic connectors)."""

    transitions_count: bool = True
    """T5: a transition is enough."""
    effects_need_build_list: bool = False
    """T5: count effects only where the timing has a build list (paper: tags such as p:bldLst)."""
    linked_media_fails: bool = True
    """T5: media that are linked, not embedded, fail the gate whatever else moves."""

    chart_words: tuple[str, ...] = (
        "chart",
        "graph",
        "plot",
        "diagram",
        "histogram",
        "diagramm",
        "图表",
        "圖表",
        "グラフ",
        "차트",
    )
    """Native-data share: words in a picture's name or description that make it a picture of a chart."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, bool) or not isinstance(value, int | float):
                continue
            if not math.isfinite(value) or value < 0:
                raise BadInput(f"Editability rule {each.name} is {value}.", next_step="Give a number from 0 up.")
            if each.name.endswith(("_share", "_coverage")) and value > 1:
                raise BadInput(f"Editability rule {each.name} is {value}, but it is a share.", next_step="Give 0 to 1.")
        if self.min_fragment_lines < 2:
            raise BadInput("Editability rule min_fragment_lines is below 2.", next_step="Give 2 or more.")

    def to_json(self) -> dict[str, Any]:
        """Return all rules as JSON values."""
        return {
            each.name: list(value) if isinstance(value := getattr(self, each.name), tuple) else value
            for each in fields(self)
        }

    @classmethod
    def from_json(cls, values: Mapping[str, object], *, base: EditabilityRules | None = None) -> EditabilityRules:
        """Return rules from JSON values; what is not named is as in `base` (the studio's rules if None).

        Raises:
            BadInput: for an unknown name or a value of the wrong kind.
        """
        known = {each.name: getattr(base or cls(), each.name) for each in fields(cls)}
        unknown = sorted(str(name) for name in values if name not in known)
        if unknown:
            raise BadInput(f"Unknown editability rules: {', '.join(unknown)}.", next_step=f"Known: {', '.join(known)}.")
        return replace(base or cls(), **{name: _checked(name, values[name], known[name]) for name in values})


def _checked(name: str, value: object, example: object) -> Any:
    """Return a value of the same kind as the rule's default, or raise."""
    if isinstance(example, bool):
        if isinstance(value, bool):
            return value
    elif isinstance(example, tuple):
        if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
            return tuple(value)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        if isinstance(example, float):
            return float(value)
        if float(value).is_integer():
            return int(value)
    raise BadInput(f"Editability rule {name} is {value!r}.", next_step=f"Give a value such as {_as_json(example)}.")


def _as_json(value: object) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


RULES: dict[str, EditabilityRules] = {
    "studio": EditabilityRules(),
    # Only what the paper itself names: no cut paragraph at all, groups that are there, layouts that the master
    # maps, masters and groups both, connected SmartArt, builds. Where it asks for something without a number
    # (covering pictures), the studio's number stands.
    "paper": EditabilityRules(
        max_fragment_share=0.0,
        inherited_vectors_count=False,
        layouts_must_be_mapped=True,
        few_loose_shapes_suffice=False,
        structure_needs_both=True,
        smartart_needs_connections=True,
        effects_need_build_list=True,
    ),
}
"""Name → rules."""


def rules_named(name: str) -> EditabilityRules:
    """Return the rules of that name.

    Raises:
        BadInput: if there are none.
    """
    if name not in RULES:
        raise BadInput(f"There are no editability rules called {name!r}.", next_step=f"Known: {', '.join(RULES)}.")
    return RULES[name]
