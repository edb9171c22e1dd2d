"""Scores of checklists: of result files, and of the answers and verdicts that a project holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from studio.checklists.pages import Mode
from studio.checklists.reference_score import NullPolicy, ResultScore, score_result
from studio.exchange.presentbench_results import read_result, read_weights


def score_file(
    results: Path, weights: Path, *, nulls: NullPolicy = NullPolicy.FAIL, mode: Mode = Mode.DEFAULT
) -> ResultScore:
    """Return the score of a PresentBench result file.

    Raises:
        BadInput: if a file cannot be used; in compatible mode also where the reference stops.
    """
    return score_result(read_result(results, mode=mode), read_weights(weights, mode=mode), nulls=nulls, mode=mode)


def score_json(score: ResultScore) -> dict[str, Any]:
    """Return a score as `studio score --json` prints it."""
    return {
        "total": score.total,
        **score.sections,
        "classes": {
            each.place.name: {
                "percent": each.percent, "yes": each.yes, "items": each.items, "weight": each.weight,
                "counted": each.counted, "answered": each.answered,
            }
            for each in score.classes
        },
        "leave_one_out": score.leave_one_out,
        "yes": score.yes,
        "answered": score.answered,
        "items": score.items,
        "counted": score.counted,
        "coverage": score.answered / score.items if score.items else None,
        "complete": score.is_complete,
        "force_zero": score.is_forced_zero,
        "notes": list(score.notes),
    }  # fmt: skip
