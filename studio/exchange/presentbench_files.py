"""Writes result and score files that the reference code reads to the same numbers, and names them as it does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from studio.checklists.reference_score import ResultScore
from studio.checklists.results import SECTIONS, ResultDocument, WeightsDocument
from studio.exchange.files import write_whole

_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]+')
_TIME = r"\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2}"
_NAME = re.compile(rf"^(?P<model>.+?)(?:_(?P<time>{_TIME}))?(?P<score>_score)?\.ya?ml$", re.IGNORECASE | re.DOTALL)
LEVELS = ("none", "minimal", "low", "medium", "high", "xhigh", "max", "disabled", "adaptive", "off", "on", "auto")
"""Thinking levels that may stand behind a model's name."""


class ResultName(NamedTuple):
    """What a file's name says."""

    prefix: str
    """Model, and level if there is one, as cleaned for a file name."""
    time: str
    """``YYYY-MM-DD_HH-MM-SS``; empty in older files."""
    is_score: bool


def file_prefix(model: str, level: str = "") -> str:
    """Return what the reference puts before the time: the model's last path part, cleaned, and the level."""
    last = model.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    return _cleaned(last) + (f"_{_cleaned(level)}" if level.strip() else "")


def _cleaned(name: str) -> str:
    return _FORBIDDEN.sub("-", name.strip()).strip(" .-") or "model"


def parse_name(name: str) -> ResultName | None:
    """Return what a result or score file's name says, or None if it is neither."""
    match = _NAME.match(name)
    if match is None or match["model"].startswith(("average_scores", "repeats_summary", "statistics", "judge_weights")):
        return None
    return ResultName(match["model"], match["time"] or "", match["score"] is not None)


def newest_of(names: Sequence[str], model: str, level: str = "", *, scores: bool = False) -> str | None:
    """Return the newest file of exactly this model and level, or None.

    The reference compares beginnings, so that ``g`` also finds ``g_high``; here the whole name is read.
    """
    wanted = {file_prefix(model, level)}
    if not level:
        wanted.add(model.replace("\\", "/").rsplit("/", 1)[-1])
    fitting = [
        (parsed.time, name)
        for name in names
        if (parsed := parse_name(name)) and parsed.prefix in wanted and parsed.is_score == scores
    ]
    return max(fitting)[1] if fitting else None


class _Dumper(yaml.SafeDumper):  # type: ignore[misc]  # the library has no types
    """Quotes every string that some YAML reader takes for something else."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write repeated values out, since the reference's readers show no anchors to people."""
        return True


def _quoted(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    # The plain dumper quotes "yes", "1.1" and the like, but not the letters that the standard reads as booleans too.
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="'" if text.lower() in {"y", "n"} else None)


_Dumper.add_representer(str, _quoted)


def yaml_text(content: object) -> str:
    """Return YAML in block style, keys in their order, as UTF-8 text."""
    return str(
        yaml.dump(content, Dumper=_Dumper, allow_unicode=True, sort_keys=False, default_flow_style=False, width=10**6)
    )


def result_content(result: ResultDocument) -> dict[str, Any]:
    """Return a result as the reference writes it; classes without items are left out."""
    content: dict[str, Any] = {
        section: {
            key: {
                place: {"answer": entry.answer, "explanation": entry.explanation}
                | ({"log": entry.log} if entry.log is not None else {})
                for place, entry in entries.items()
            }
            for key, entries in result.sections.get(section, {}).items()
            if entries
        }
        for section in SECTIONS
    }
    return content | ({"_resume_info": dict(result.resume_info)} if result.resume_info else {})


def score_content(score: ResultScore) -> dict[str, Any]:
    """Return a score in the current form, or the zero form of a generation that failed."""
    head: dict[str, Any] = {"force_zero": True} if score.is_forced_zero else {}
    counts = {"yes_count": score.yes, "valid_count": score.counted}
    mean = {"weighted_arithmetic_mean_percent": score.total}
    head |= counts | mean if score.is_forced_zero else mean | counts
    if not score.is_forced_zero:
        head["leave_one_out_analysis"] = {
            name: {"weighted_arithmetic_mean_percent": value} for name, value in score.leave_one_out.items()
        }
    for section in SECTIONS:
        inside = [each for each in score.classes if each.place.section == section]
        counts = {"yes_count": sum(each.yes for each in inside), "valid_count": sum(each.counted for each in inside)}
        mean = {"weighted_arithmetic_mean_percent": score.sections[section]}
        body: dict[str, Any] = counts | mean if score.is_forced_zero else mean | counts
        if not score.is_forced_zero:
            body["weight_percent"] = score.section_weights[section]
        body["classes"] = {
            f"class_{each.place.key}": {
                "weight_percent": 100 * each.weight / score.weights_total,
                "score_percent": each.percent,
                "yes_count": each.yes,
                "valid_count": each.counted,
            }
            for each in inside
        }
        head[section] = body
    return {"total": head}


def weights_content(weights: WeightsDocument) -> dict[str, Any]:
    """Return weights as the reference reads them."""
    content: dict[str, Any] = {} if weights.total is None else {"total": weights.total}
    return content | {section: dict(weights.sections.get(section, {})) for section in SECTIONS}


def write_yaml(path: Path, content: object) -> None:
    """Write YAML whole or not at all.

    Raises:
        BadInput: if it cannot be written.
    """
    write_whole(path, yaml_text(content))
