"""The reference's result file, written and read."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studio.errors import BadInput
from studio.metrics import rhythm
from studio.metrics.aesthetics import DeckScores
from studio.metrics.boxes_json import read_boxes
from studio.metrics.json_values import finite_number, json_object, number_or_none, what_is_wrong
from studio.metrics.parameters import AestheticsParameters
from studio.metrics.pyramid import N_BANDS
from studio.metrics.slides import SlideMeasures

__all__ = ["METRIC_NAMES", "ReferenceResult", "read_boxes", "read_result", "result_json"]

METRIC_NAMES = ("figure_ground_contrast", "color_harmony", "colorfulness", "subband_entropy")
"""The reference's names of what is measured on a slide."""

# Defaults of the reference's code for figures that it prints beside the scores and does not score.
_PRINTED_PACING_CENTRE = 8.0
_PRINTED_PACING_WIDTH = 5.0
_PRINTED_RMSSD_TARGET = 0.25
_PRINTED_RMSSD_HALF_WIDTH = 0.25
_PRINTED_OVERLOAD_PENALTY = 10.0


@dataclass(frozen=True, kw_only=True)
class ReferenceResult:
    """What a result file in the reference's layout says, one number per slide and metric."""

    slide_paths: tuple[str, ...]
    contrast_means: tuple[float | None, ...]
    harmony_distances: tuple[float, ...]
    """In degrees."""
    colourfulness: tuple[float, ...]
    entropies: tuple[float | None, ...]
    """In bits."""
    parameters: AestheticsParameters | None
    """None if the file holds no scores."""
    components: dict[str, float | None]
    """contrast, colorfulness, harmony, entropy, rmssd as the file has them; empty without scores."""
    total: float | None


def result_json(
    measures: Sequence[SlideMeasures],
    scores: DeckScores,
    parameters: AestheticsParameters,
    paths: Sequence[str],
) -> dict[str, Any]:
    """Return a deck's results in the layout of the reference's result file.

    Keys are the reference's; what is undefined is null. The one key that is not the reference's, ``studio``,
    holds flags and reasons.

    Args:
        measures: the deck's slides in order.
        scores: the deck's scores from these measures and parameters.
        parameters: printed as ``parameters_used``.
        paths: path of each slide picture.
    """
    if len(paths) != len(measures):
        raise ValueError(f"{len(paths)} paths for {len(measures)} slides")
    return {
        "num_slides": len(measures),
        "slides": [_slide(index, each, path) for index, (each, path) in enumerate(zip(measures, paths, strict=True))],
        "aggregated": {
            "figure_ground_contrast": _contrast_block(measures),
            "color_harmony": _harmony_block(measures, scores),
            "colorfulness": _colour_block(measures, scores),
            "subband_entropy": _entropy_block(measures),
            "visual_hrv": _rhythm_block(measures, scores, parameters),
        },
        "aesthetics_score": {
            "total": scores.total.value,
            "components": {
                "contrast": scores.usability.value,
                "colorfulness": scores.engagement.value,
                "harmony": scores.harmony.value,
                "entropy": scores.rhythm_entropy.value,
                "rmssd": scores.rhythm_rmssd.value,
            },
            "parameters_used": parameters.to_reference(),
        },
        "studio": {
            "flags": list(scores.flags),
            "flagged_slides": {flag: list(numbers) for flag, numbers in scores.flagged_slides.items()},
            "undefined_reasons": {
                name: value.undefined_reason
                for name, value in (
                    ("contrast", scores.usability),
                    ("entropy", scores.rhythm_entropy),
                    ("rmssd", scores.rhythm_rmssd),
                    ("total", scores.total),
                )
                if value.undefined_reason is not None
            },
            "rhythm_band": scores.figures.band.value,
        },
    }


def _slide(index: int, each: SlideMeasures, path: str) -> dict[str, Any]:
    entropy = each.entropy
    channels = (None, None, None) if entropy is None else entropy.channels
    totals = (None, None, None) if entropy is None else entropy.channel_totals
    n_bands = 0 if entropy is None else N_BANDS
    return {
        "figure_ground_contrast": {
            "min": each.contrast_min,
            "max": each.contrast_max,
            "mean": each.contrast_mean,
        },
        "color_harmony": {
            "best_template": each.best_template,
            "best_distance": each.distance_deg,
            "template_distances": dict(each.template_distances),
        },
        "colorfulness": each.colourfulness,
        "subband_entropy": {
            "subband_entropy": each.subband_entropy,
            "luminance_entropy": channels[0],
            "chrom_a_entropy": channels[1],
            "chrom_b_entropy": channels[2],
            "luminance_entropy_total": totals[0],
            "chrom_a_entropy_total": totals[1],
            "chrom_b_entropy_total": totals[2],
            "n_subbands": {"L": n_bands, "a": n_bands, "b": n_bands},
        },
        "_timing": {
            name: each.seconds[ours]
            for name, ours in zip(METRIC_NAMES, ("contrast", "harmony", "colourfulness", "entropy"), strict=True)
            if ours in each.seconds
        },
        "_metrics_requested": list(METRIC_NAMES),
        "_metrics_selected": list(METRIC_NAMES),
        "slide_index": index,
        "slide_path": path,
    }


def _contrast_block(measures: Sequence[SlideMeasures]) -> dict[str, float | None]:
    means = _spread([each.contrast_mean for each in measures])
    return {
        **means,
        "slide_min_mean": _spread([each.contrast_min for each in measures])["mean"],
        "slide_max_mean": _spread([each.contrast_max for each in measures])["mean"],
    }


def _harmony_block(measures: Sequence[SlideMeasures], scores: DeckScores) -> dict[str, Any]:
    distances = [each.distance_deg for each in measures]
    spread = _spread(distances)
    mean, std = scores.figures.mean_harmony, scores.figures.std_harmony
    return {
        "mean_distance": spread["mean"],
        "std_distance": spread["std"],
        "min_distance": spread["min"],
        "max_distance": spread["max"],
        "deck_metrics": {
            "mean_score": mean,
            "deck_consistency": std,
            "final_score": 100.0 * mean - 100.0 * std,
        },
        "raw_distances": distances,
    }


def _colour_block(measures: Sequence[SlideMeasures], scores: DeckScores) -> dict[str, Any]:
    std = scores.figures.std_colourfulness
    return {
        **_spread([each.colourfulness for each in measures]),
        "pacing_score": math.exp(-((std - _PRINTED_PACING_CENTRE) ** 2) / (2.0 * _PRINTED_PACING_WIDTH**2)),
        "pacing_normalization": {
            "method": "gaussian",
            "formula": "exp(-(sigma_pacing - mu_target)^2 / (2 * w^2))",
            "mu_target": _PRINTED_PACING_CENTRE,
            "w": _PRINTED_PACING_WIDTH,
            "sigma_pacing": std,
        },
    }


def _entropy_block(measures: Sequence[SlideMeasures]) -> dict[str, float | None]:
    lightness = [None if each.entropy is None else each.entropy.channels[0] for each in measures]
    return {
        **_spread([each.subband_entropy for each in measures]),
        "mean_luminance": _spread(lightness)["mean"],
    }


def _rhythm_block(
    measures: Sequence[SlideMeasures], scores: DeckScores, parameters: AestheticsParameters
) -> dict[str, Any]:
    figures = scores.figures
    normalised = figures.normalised_entropies
    final = None
    if figures.rmssd is not None:
        off = abs(figures.rmssd - _PRINTED_RMSSD_TARGET) / _PRINTED_RMSSD_HALF_WIDTH
        final = 100.0 * (1.0 - off) - _PRINTED_OVERLOAD_PENALTY * len(figures.overload_windows)
    return {
        "rmssd": figures.rmssd,
        "overload_count": len(figures.overload_windows),
        "overload_window": rhythm.OVERLOAD_WINDOW,
        "overload_threshold": rhythm.OVERLOAD_ABOVE,
        "overload_window_start_indices": list(figures.overload_windows),
        "deltas": [abs(after - before) for before, after in itertools.pairwise(normalised)],
        "final_score": final,
        "interpretation": figures.interpretation.value,
        "n_slides_used": len(normalised),
        "normalization": {
            "method": "sigmoid",
            "formula": "1 / (1 + exp(-k * (x - mu)))",
            "mu": parameters.sigmoid_centre,
            "k": parameters.sigmoid_slope,
            "raw_scores": [each.subband_entropy for each in measures],
            "normalized_scores": list(normalised),
        },
    }


def _spread(values: Sequence[float | None]) -> dict[str, float | None]:
    """Return mean, population standard deviation, minimum and maximum of the values that there are."""
    known = [value for value in values if value is not None]
    if not known:
        return {"mean": None, "std": None, "min": None, "max": None}
    mean = math.fsum(known) / len(known)
    std = math.sqrt(math.fsum((value - mean) ** 2 for value in known) / len(known))
    return {"mean": mean, "std": std, "min": min(known), "max": max(known)}


def read_result(source: Path | str | Mapping[str, Any]) -> ReferenceResult:
    """Return what a result file in the reference's layout says.

    Args:
        source: the file, or its content.

    Raises:
        BadInput: if it cannot be read or is not in that layout.
    """
    content, name = json_object(source)
    try:
        slides = content["slides"]
        score = content.get("aesthetics_score")
        result = ReferenceResult(
            slide_paths=tuple(str(each.get("slide_path", "")) for each in slides),
            contrast_means=tuple(number_or_none(each["figure_ground_contrast"]["mean"]) for each in slides),
            harmony_distances=tuple(finite_number(each["color_harmony"]["best_distance"]) for each in slides),
            colourfulness=tuple(finite_number(each["colorfulness"]) for each in slides),
            entropies=tuple(number_or_none(each["subband_entropy"]["subband_entropy"]) for each in slides),
            parameters=None if score is None else AestheticsParameters.from_reference(score["parameters_used"]),
            components={}
            if score is None
            else {str(key): number_or_none(value) for key, value in score["components"].items()},
            total=None if score is None else number_or_none(score["total"]),
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise BadInput(
            f"{name} is not an aesthetics result: {what_is_wrong(error)}.",
            next_step="Give a file that the aesthetics metrics wrote.",
        ) from error
    return result
