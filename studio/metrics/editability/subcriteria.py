"""Five shares that stand beside the level: text, grouping, native data, narrative and motion."""

from __future__ import annotations

import re

from studio.metrics.editability import contents
from studio.metrics.editability.fragments import fragment_runs
from studio.metrics.editability.rules import EditabilityRules
from studio.model.editability import Subcriteria
from studio.model.structure import DeckStructure, Shape, ShapeKind, SlideStructure, WebStructure

NOTHING = Subcriteria(text=0.0, grouping=0.0, native_data=0.0, narrative=0.0, motion=0.0)
"""Of a static file: nothing in it can be edited as a deck."""


def subcriteria(deck: DeckStructure, slides: tuple[SlideStructure, ...], rules: EditabilityRules) -> Subcriteria:
    """Return the shares of a PowerPoint deck over the slides that are judged (at least one).

    Source:
        SlidesGen-Bench 2.4 names the five, without formulas; the formulas are the studio's.
    """
    return Subcriteria(
        text=_text(deck, slides, rules),
        grouping=_grouping(slides, rules),
        native_data=_native_data(slides, rules),
        narrative=_narrative(deck, slides),
        motion=sum(_moves(slide) for slide in slides) / len(slides),
    )


def _text(deck: DeckStructure, slides: tuple[SlideStructure, ...], rules: EditabilityRules) -> float:
    """Return whole-paragraph characters over all characters that are shown.

    What a picture of a slide says cannot be counted; it is taken to hold as much as a slide with text does on
    average, so that the share becomes (1 − cut share) · text slides / (text slides + picture-only slides).
    """
    chars = sum(contents.slide_chars(slide) for slide in slides)
    if not chars:
        return 0.0
    cut = sum(
        contents.text_chars(shape)
        for slide in slides
        for run in fragment_runs(slide, deck.slide_size_emu, rules)
        for shape in run
    )
    with_text = sum(contents.slide_chars(slide) > 0 for slide in slides)
    pictures = sum(contents.is_picture_only(slide, rules) for slide in slides)
    return (1 - cut / chars) * with_text / (with_text + pictures)


def _grouping(slides: tuple[SlideStructure, ...], rules: EditabilityRules) -> float:
    """Return the drawn vectors in groups, or on slides with too few to need one, over all; 1 without any."""
    total = good = 0
    for slide in slides:
        drawn = sum(contents.is_loose_kind(shape) for shape in slide.walk())
        loose = len(contents.loose_vectors(slide))
        total += drawn
        good += drawn if loose <= rules.max_loose_shapes else drawn - loose
    return good / total if total else 1.0


def _native_data(slides: tuple[SlideStructure, ...], rules: EditabilityRules) -> float:
    """Return charts with an intact workbook and tables over these, other charts and pictures of charts."""
    native = rest = 0
    for slide in slides:
        for shape in slide.walk():
            if shape.is_hidden:
                continue
            if shape.chart is not None:
                native += shape.chart.workbook.is_intact
                rest += not shape.chart.workbook.is_intact
            elif shape.kind is ShapeKind.TABLE:
                native += 1
            elif shape.kind is ShapeKind.PICTURE and shows_chart(shape, rules):
                rest += 1
    return native / (native + rest) if native + rest else 0.0


def shows_chart(shape: Shape, rules: EditabilityRules) -> bool:
    """Say whether a picture calls itself a chart in its name or description; pixels are not looked at."""
    words = set(re.findall(r"[^\W\d_]+", f"{shape.name} {shape.description}".casefold()))
    text = f"{shape.name} {shape.description}".casefold()
    # Words of languages without spaces are looked for anywhere, others as whole words, plural or not.
    return any(
        word in text if not word.isascii() else {word, f"{word}s"} & words
        for word in map(str.casefold, rules.chart_words)
    )


def _narrative(deck: DeckStructure, slides: tuple[SlideStructure, ...]) -> float:
    titled = sum(bool(slide.title) for slide in slides)
    noted = sum(bool(slide.notes.strip()) for slide in slides)
    # One section around everything divides nothing.
    named = {number for section in deck.sections for number in section.slides} if len(deck.sections) > 1 else set()
    sectioned = sum(slide.number in named for slide in slides)
    return (titled + noted + sectioned) / (3 * len(slides))


def _moves(slide: SlideStructure) -> bool:
    has_media = any(not media.is_linked and not media.is_missing for media in slide.media)
    return bool(slide.effects) or slide.transition is not None or has_media


def web_subcriteria(deck: WebStructure, rules: EditabilityRules) -> Subcriteria:
    """Return the shares of an HTML deck; all 0 without slides.

    Text is real wherever it stands in the markup; grouping looks at its drawings, native data at tables against
    canvases, narrative at headings and notes, motion at fragments, transitions and media.
    """
    slides = [slide for slide in deck.slides if rules.count_hidden_slides or not slide.is_hidden]
    if not slides:
        return NOTHING
    with_text = sum(bool(slide.text) for slide in slides)
    pictures = sum(not slide.text and slide.images + slide.canvases > 0 for slide in slides)
    svgs = sum(slide.svgs for slide in slides)
    grouped = sum(slide.grouped_svgs for slide in slides)
    tables = sum(slide.tables for slide in slides)
    canvases = sum(slide.canvases for slide in slides)
    headed = sum(bool(slide.heading) for slide in slides)
    noted = sum(slide.has_notes for slide in slides)
    return Subcriteria(
        text=with_text / (with_text + pictures) if with_text else 0.0,
        grouping=grouped / svgs if svgs else 1.0,
        native_data=tables / (tables + canvases) if tables else 0.0,
        narrative=(headed + noted) / (2 * len(slides)),
        motion=sum(slide.has_motion or slide.media > 0 for slide in slides) / len(slides),
    )
