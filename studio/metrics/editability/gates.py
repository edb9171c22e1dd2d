"""The five gates of a PowerPoint deck: each says whether it holds, with its evidence and its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from studio.metrics.editability import contents
from studio.metrics.editability.fragments import fragment_runs
from studio.metrics.editability.rules import EditabilityRules
from studio.model.editability import Evidence
from studio.model.structure import DeckStructure, Shape, SlideStructure

MAX_EXAMPLES = 5
"""Places that a gate names of one kind; the count says how many there are."""

Slides = tuple[SlideStructure, ...]


class Finding(NamedTuple):
    """Whether a gate holds, why, and the numbers behind it."""

    holds: bool
    evidence: tuple[Evidence, ...]
    measures: Mapping[str, float]


def text_gate(deck: DeckStructure, slides: Slides, rules: EditabilityRules) -> Finding:
    """T1: text is text, and the slides are not pictures of text (paper 2.4, K)."""
    by_slide = {slide.number: contents.slide_chars(slide) for slide in slides}
    chars = sum(by_slide.values())
    with_text = sum(count > 0 for count in by_slide.values())
    pictures = [slide for slide in slides if contents.is_picture_only(slide, rules)]
    share = len(pictures) / len(slides)
    evidence = [_first_text(slides, chars, with_text)] if chars else [Evidence(text="no text on any slide")]
    evidence += _examples(
        [_picture_evidence(slide, rules, "a picture covers the slide, without text") for slide in pictures]
    )
    if pictures:
        evidence.append(Evidence(text=f"{_count(len(pictures), 'slide')} of {len(slides)} are pictures only"))
    holds = chars >= max(rules.min_text_chars, 1) and share <= rules.max_picture_only_share
    return Finding(
        holds, tuple(evidence), {"text_chars": chars, "slides_with_text": with_text, "picture_only_share": share}
    )


def vector_gate(deck: DeckStructure, slides: Slides, rules: EditabilityRules) -> Finding:
    """T2: paragraphs are whole, graphics are vectors, and pictures do not cover the slides (paper 2.4, K)."""
    chars = sum(contents.slide_chars(slide) for slide in slides)
    evidence: list[Evidence] = []
    cut_chars = 0
    cuts = []
    for slide in slides:
        for run in fragment_runs(slide, deck.slide_size_emu, rules):
            cut_chars += sum(contents.text_chars(shape) for shape in run)
            cuts.append(_at(slide, run[0], f"a paragraph is cut into {len(run)} one-line boxes, from here down"))
    cut_share = cut_chars / chars if chars else 0.0
    evidence += _examples(cuts)
    evidence.append(Evidence(text=f"{cut_share:.0%} of the text is in cut paragraphs"))

    found = [(slide, shape) for slide in slides for shape in contents.vectors(slide)]
    inherited = sum(contents.inherited_vectors(deck, slide) for slide in slides)
    n_vectors = len(found) + (inherited if rules.inherited_vectors_count else 0)
    if found:
        slide, shape = found[0]
        evidence.append(_at(slide, shape, f"{_count(len(found), 'vector object')}, the first of kind {_kind(shape)}"))
    else:
        evidence.append(Evidence(text="no vector object on any slide"))
    if inherited:
        does = "count too" if rules.inherited_vectors_count else "do not count"
        evidence.append(Evidence(text=f"{_count(inherited, 'vector')} from layouts and masters {does}"))

    covered = [slide for slide in slides if contents.covering_picture(slide, rules) is not None]
    covered_share = len(covered) / len(slides)
    evidence += _examples([_picture_evidence(slide, rules, "a picture covers the slide") for slide in covered])
    if covered:
        evidence.append(Evidence(text=f"one picture covers {_count(len(covered), 'slide')} of {len(slides)}"))
    holds = (
        cut_share <= rules.max_fragment_share
        and n_vectors >= rules.min_vector_objects
        and covered_share < rules.max_picture_slide_share
    )
    measures = {
        "fragment_share": cut_share,
        "vector_objects": n_vectors,
        "picture_slide_share": covered_share,
    }
    return Finding(holds, tuple(evidence), measures)


def structure_gate(deck: DeckStructure, slides: Slides, rules: EditabilityRules) -> Finding:
    """T3: slides inherit from masters, or complex graphics are grouped (paper 2.4, K; table 4 fits "or")."""
    what = {slide.number: contents.inherits(deck, slide, rules) for slide in slides}
    inheriting = [slide for slide in slides if what[slide.number]]
    share = len(inheriting) / len(slides)
    has_masters = share > rules.min_master_slide_share
    evidence = [Evidence(text=f"{len(inheriting)} of {_count(len(slides), 'slide')} inherit a title or a background")]
    if inheriting:
        first = inheriting[0]
        evidence.append(
            Evidence(text=f"takes its {what[first.number]} from the layout", slide=first.number, part=first.layout)
        )
    alone = next((slide for slide in slides if not what[slide.number]), None)
    if alone is not None:
        reason = "takes nothing from its layout" if alone.layout else "has no layout"
        evidence.append(Evidence(text=reason, slide=alone.number, part=alone.layout))

    grouped = [(slide, group) for slide in slides for group in contents.groups(slide)]
    most = max(slides, key=lambda slide: len(contents.loose_vectors(slide)))
    n_loose = len(contents.loose_vectors(most))
    is_grouped = bool(grouped) or (rules.few_loose_shapes_suffice and n_loose <= rules.max_loose_shapes)
    if grouped:
        slide, group = grouped[0]
        evidence.append(_at(slide, group, f"{_count(len(grouped), 'group')}, the first here"))
    else:
        compared = "no more" if n_loose <= rules.max_loose_shapes else "more"
        evidence.append(
            Evidence(
                text=f"no group; at most {_count(n_loose, 'loose vector shape')} on one slide, "
                f"{compared} than the {rules.max_loose_shapes} that need none",
                slide=most.number,
            )
        )
    holds = has_masters and is_grouped if rules.structure_needs_both else has_masters or is_grouped
    measures = {"master_slide_share": share, "groups": len(grouped), "most_loose_shapes": n_loose}
    return Finding(holds, tuple(evidence), measures)


def data_gate(deck: DeckStructure, slides: Slides, rules: EditabilityRules) -> Finding:
    """T4: native charts have an intact workbook in the file, or SmartArt has its data (paper 2.4, K.5)."""
    found = list(contents.charts(slides))
    good = [(place, chart) for place, chart in found if chart.workbook.is_intact]
    bad = [(place, chart) for place, chart in found if not chart.workbook.is_intact]
    evidence = _examples(
        [
            Evidence(
                text="native chart whose workbook opens and holds its cells"
                if chart.workbook.is_readable
                else "native chart with a binary workbook; its cells were not compared",
                slide=place.slide.number, shape=place.shape.name, part=chart.workbook.part,
            )
            for place, chart in good
        ]
    )  # fmt: skip
    evidence += _examples(
        [
            Evidence(text=chart.workbook.reason, slide=place.slide.number, shape=place.shape.name, part=chart.part)
            for place, chart in bad
        ]
    )
    diagrams = [
        (place, diagram)
        for place, diagram in contents.smartarts(slides)
        if diagram.connections or not rules.smartart_needs_connections
    ]
    evidence += _examples(
        [
            Evidence(
                text=f"SmartArt with {_count(len(diagram.texts), 'text')} and "
                f"{_count(diagram.connections, 'connection')}",
                slide=place.slide.number, shape=place.shape.name, part=diagram.part,
            )
            for place, diagram in diagrams
        ]
    )  # fmt: skip
    if not found:
        evidence.insert(0, Evidence(text="no native chart"))
    share = len(good) / len(found) if found else 0.0
    has_data = bool(good) and share >= rules.min_intact_chart_share
    holds = has_data if found else rules.smartart_counts and bool(diagrams)
    measures = {"charts": len(found), "intact_charts": len(good), "smartarts": len(diagrams)}
    return Finding(holds, tuple(evidence), measures)


def time_gate(deck: DeckStructure, slides: Slides, rules: EditabilityRules) -> Finding:
    """T5: effects, transitions or embedded media (paper 2.4, K.5)."""
    effects = [
        (slide, effect)
        for slide in slides
        for effect in slide.effects
        if slide.has_build_list or not rules.effects_need_build_list
    ]
    transitions = [slide for slide in slides if slide.transition is not None] if rules.transitions_count else []
    embedded = [
        (slide, media) for slide in slides for media in slide.media if not media.is_linked and not media.is_missing
    ]
    linked = [(slide, media) for slide in slides for media in slide.media if media.is_linked or media.is_missing]
    evidence: list[Evidence] = []
    if effects:
        slide, effect = effects[0]
        name = next((shape.name for shape in slide.walk() if shape.id == effect.shape_id), "")
        evidence.append(
            Evidence(text=f"{_count(len(effects), 'effect')}, the first here", slide=slide.number, shape=name)
        )
    if transitions:
        kind = f" ({transitions[0].transition})" if transitions[0].transition else ""
        evidence.append(
            Evidence(
                text=f"{_count(len(transitions), 'transition')}, the first here{kind}", slide=transitions[0].number
            )
        )
    evidence += _examples(
        [Evidence(text="embedded media", slide=slide.number, part=media.target) for slide, media in embedded]
    )
    evidence += _examples(
        [
            Evidence(
                text="media outside of the file" if media.is_linked else "media missing from the file",
                slide=slide.number, part=media.target,
            )
            for slide, media in linked
        ]
    )  # fmt: skip
    if not evidence:
        evidence.append(Evidence(text="no effect, no transition, no media"))
    moves = bool(effects or transitions or embedded)
    holds = moves and not (linked and rules.linked_media_fails)
    measures = {
        "effects": len(effects), "transitions": len(transitions), "embedded_media": len(embedded),
        "linked_media": len(linked),
    }  # fmt: skip
    return Finding(holds, tuple(evidence), measures)


def _first_text(slides: Slides, chars: int, with_text: int) -> Evidence:
    slide, shape = next((slide, shape) for slide in slides for shape in slide.walk() if contents.text_chars(shape))
    return _at(slide, shape, f"{chars:,} characters of text on {_count(with_text, 'slide')}, the first here")


def _picture_evidence(slide: SlideStructure, rules: EditabilityRules, text: str) -> Evidence:
    found = contents.covering_picture(slide, rules)
    if isinstance(found, Shape):
        return Evidence(
            text=text, slide=slide.number, shape=found.name, part=found.picture.part if found.picture else ""
        )
    return Evidence(text=text, slide=slide.number, part=found or "")


def _at(slide: SlideStructure, shape: Shape, text: str) -> Evidence:
    return Evidence(text=text, slide=slide.number, shape=shape.name, part=slide.part)


def _examples(found: Sequence[Evidence]) -> list[Evidence]:
    kept = list(found[:MAX_EXAMPLES])
    if len(found) > MAX_EXAMPLES:
        kept.append(Evidence(text=f"and {len(found) - MAX_EXAMPLES} more like this"))
    return kept


def _kind(shape: Shape) -> str:
    return "SVG picture" if shape.picture is not None else shape.kind.value.replace("_", " ")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
