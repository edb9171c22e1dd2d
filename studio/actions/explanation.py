"""Why a deck has its numbers: everything the window draws, from what runs have stored."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from studio.actions import foreign_results, references
from studio.actions.foreign_results import Comparison
from studio.actions.measured import measured_deck
from studio.actions.presets import list_presets
from studio.actions.references import Place
from studio.jobs.parameters import parameters_of
from studio.metrics import rhythm
from studio.metrics.aesthetics import DeckScores, deck_scores
from studio.metrics.flags import FLAGS
from studio.metrics.harmony import harmony_score, stray_hues
from studio.metrics.parameters import AestheticsParameters
from studio.metrics.patterns import Finding, WcagLevel, findings, wcag_level
from studio.metrics.slides import SlideMeasures
from studio.model.decks import slide_file_name, thumb_file_name
from studio.model.ids import DeckId
from studio.store import decks as deck_store
from studio.store.project import Project

CURVE_POINTS = 201


@dataclass(frozen=True, kw_only=True)
class Region:
    """One text region as the window draws it."""

    shares: tuple[float, float, float, float]
    """x0, y0, width and height as shares 0–1 of the slide."""
    label: str
    ratio: float
    """1–21: contrast of the lightest to the darkest tenth, which the score is made of."""
    stroke_ratio: float
    """1–21: contrast of strokes and ground, which does not depend on the box."""
    ink_share: float
    """0–0.5."""
    score: float
    """0–1."""
    level: WcagLevel
    """What `stroke_ratio` is good for: the level a reader's eye meets."""
    score_level: WcagLevel
    """What `ratio` is good for."""


@dataclass(frozen=True, kw_only=True)
class SlideWhy:
    """One slide: what was measured and what came of it."""

    number: int
    measures: SlideMeasures
    harmony: float
    """0–1."""
    complexity: float | None
    """Normalised entropy 0–1; None for a picture that is too small."""
    regions: tuple[Region, ...]
    picture: Path | None
    """None if the pictures are gone from the cache."""
    thumbnail: Path | None

    @property
    def stray_hues_deg(self) -> tuple[int, ...]:
        """The hues outside the best template, 0–358, those that cost most first."""
        return tuple(stray.hue_deg for stray in stray_hues(self.measures.harmony))


@dataclass(frozen=True, kw_only=True)
class Curve:
    """How a score depends on one figure, and where the deck is on it."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    """Points that the deck would earn."""
    at: float | None
    """The deck's figure; None if it is undefined."""
    earned: float
    most: float
    """Points at the best place."""
    best: float
    """The figure that earns `most`."""


@dataclass(frozen=True, kw_only=True)
class FlagNote:
    """A flag of the deck, its rule and the slides it applies to."""

    flag: str
    title: str
    rule: str
    slides: tuple[int, ...]
    """Empty: the deck as a whole."""


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """Why one deck has its numbers, with one set of parameters."""

    deck_id: DeckId
    system: str
    preset: str
    parameters: AestheticsParameters
    raster_px: tuple[int, int] | None
    slides: tuple[SlideWhy, ...]
    scores: DeckScores
    curves: Mapping[str, Curve]
    """level, pacing, entropy, rmssd."""
    findings: tuple[Finding, ...]
    flags: tuple[FlagNote, ...]
    presets: tuple[str, ...]
    references: tuple[str, ...]
    reference: str
    """The reference that `places` is against; empty if there is none."""
    places: tuple[Place, ...]
    labels: tuple[str, ...]
    """Results that were made elsewhere and imported for this deck."""
    comparison: Comparison | None

    def slide(self, number: int) -> SlideWhy:
        """Return the slide of this number."""
        return next(slide for slide in self.slides if slide.number == number)


def explain(
    project: Project, deck_id: DeckId, *, preset: str = "benchmark", reference: str = "", label: str = ""
) -> Explanation:
    """Return why a deck has its numbers.

    Slides are not measured anew; the scores follow from the stored measures by the arithmetic of a run.

    Args:
        project: an open project.
        deck_id: which deck.
        preset: the parameters.
        reference: what to compare with; the first one there is if empty.
        label: an imported result to compare with; the newest one there is if empty.

    Raises:
        BadInput: if the deck is not measured, or for a name that is not there.
    """
    deck = measured_deck(project, deck_id)
    parameters = parameters_of(project, preset)
    scores = deck_scores(deck.measures, parameters, numbers=deck.numbers)
    folder = deck_store.page_folder(project, deck_id)
    known = tuple(each.name for each in references.list_references(project))
    against = reference or (known[0] if known else "")
    places = references.places(deck, parameters, references.get(project, against)) if against else ()
    labels = tuple(foreign_results.imported_labels(project, deck_id))
    compared = label or (labels[-1] if labels else "")
    return Explanation(
        deck_id=deck_id,
        system=deck.system,
        preset=preset,
        parameters=parameters,
        raster_px=deck.raster_px,
        slides=tuple(
            _slide(number, measures, parameters, folder)
            for number, measures in zip(deck.numbers, deck.measures, strict=True)
        ),
        scores=scores,
        curves=_curves(scores, parameters),
        findings=findings(
            deck.measures, deck.numbers, slope=parameters.sigmoid_slope, centre=parameters.sigmoid_centre
        ),
        flags=tuple(
            FlagNote(
                flag=flag,
                title=FLAGS[flag].title,
                rule=FLAGS[flag].rule,
                slides=scores.flagged_slides.get(flag, ()),
            )
            for flag in scores.flags
        ),
        presets=tuple(each.name for each in list_presets(project)),
        references=known,
        reference=against,
        places=places,
        labels=labels,
        comparison=foreign_results.compare(project, deck_id, compared) if compared else None,
    )


def _slide(number: int, measures: SlideMeasures, parameters: AestheticsParameters, folder: Path | None) -> SlideWhy:
    entropy = measures.subband_entropy
    picture = folder / slide_file_name(number) if folder else None
    thumbnail = folder / thumb_file_name(number) if folder else None
    return SlideWhy(
        number=number,
        measures=measures,
        harmony=harmony_score(measures.distance_deg, parameters.harmony_sigma_deg),
        complexity=None
        if entropy is None
        else rhythm.normalised_entropy(entropy, parameters.sigmoid_slope, parameters.sigmoid_centre),
        regions=_regions(measures),
        picture=picture if picture is not None and picture.is_file() else None,
        thumbnail=thumbnail if thumbnail is not None and thumbnail.is_file() else None,
    )


def _regions(measures: SlideMeasures) -> tuple[Region, ...]:
    found = []
    for each in measures.regions:
        x0, y0, x1, y1 = each.box_px
        width, height = measures.width_px, measures.height_px
        found.append(
            Region(
                shares=(x0 / width, y0 / height, (x1 - x0) / width, (y1 - y0) / height),
                label=each.label,
                ratio=each.contrast_ratio,
                stroke_ratio=each.stroke_contrast_ratio,
                ink_share=each.ink_share,
                score=each.score,
                level=wcag_level(each.stroke_contrast_ratio),
                score_level=wcag_level(each.contrast_ratio),
            )
        )
    return tuple(found)


def _curves(scores: DeckScores, parameters: AestheticsParameters) -> dict[str, Curve]:
    figures, half = scores.figures, parameters.rhythm_scale * parameters.rhythm_points
    return {
        "level": _bell(
            figures.mean_colourfulness, parameters.engagement_scale * parameters.level_share,
            parameters.level_centre, parameters.level_width, at_least=110.0,
        ),
        "pacing": _bell(
            figures.std_colourfulness, parameters.engagement_scale * parameters.pacing_share,
            parameters.pacing_centre, parameters.pacing_width, at_least=40.0,
        ),
        "entropy": _bell(
            figures.mean_entropy, half, parameters.entropy_centre, parameters.entropy_width, at_least=7.0
        ),
        "rmssd": _triangle(figures.rmssd, half, parameters),
    }  # fmt: skip


def _bell(at: float | None, most: float, centre: float, width: float, *, at_least: float) -> Curve:
    def points(x: float) -> float:
        return most * math.exp(-((x - centre) ** 2) / (2.0 * width**2))

    xs = _span(max(at_least, 1.1 * (at or 0.0), centre))
    return Curve(
        x=xs, y=tuple(map(points, xs)), at=at, earned=0.0 if at is None else points(at), most=most, best=centre
    )


def _triangle(at: float | None, most: float, parameters: AestheticsParameters) -> Curve:
    def points(x: float) -> float:
        return most * rhythm.rhythm_share(x, parameters.rmssd_target, parameters.rmssd_half_width)

    # The corner is a point of its own, or the drawn curve would not reach its top.
    xs = tuple(sorted({*_span(max(0.5, 1.1 * (at or 0.0))), parameters.rmssd_target}))
    scored = 0.0 if at is None and parameters.single_slide_reference else at
    return Curve(
        x=xs,
        y=tuple(map(points, xs)),
        at=at,
        earned=0.0 if scored is None else points(scored),
        most=most,
        best=parameters.rmssd_target,
    )


def _span(end: float) -> tuple[float, ...]:
    return tuple(end * step / (CURVE_POINTS - 1) for step in range(CURVE_POINTS))
