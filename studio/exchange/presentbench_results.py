"""Result, weights and score files of PresentBench, read in every form they have had (decision 19)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from studio.checklists.pages import Mode
from studio.checklists.results import SECTIONS, Class, Entry, ResultDocument, WeightsDocument
from studio.errors import BadInput
from studio.exchange.yaml_nodes import Mapping as Node
from studio.exchange.yaml_nodes import Plain, parse_yaml, read_yaml


def read_result(path: Path, *, mode: Mode = Mode.DEFAULT) -> ResultDocument:
    """Return a result file's answers.

    Raises:
        BadInput: if it is none; in compatible mode also for an answer that is no string.
    """
    content = read_yaml(path)
    if not isinstance(content, Node):
        raise BadInput(f"{path.name} is no result file.", next_step="Give a YAML with sections, classes and items.")
    if ("total" in content and not set(SECTIONS) & set(content) - {"total"}) or _is_score(content):
        raise BadInput(
            f"{path.name} is a score file, which holds no answers.",
            next_step="Give the result file beside it, without _score in its name.",
        )
    notes: list[str] = []
    sections: dict[str, dict[str, dict[str, Entry]]] = {}
    for section in SECTIONS:
        if section not in content:
            continue
        classes = content[section]
        if _is_null(classes):
            classes = Node()
        if not isinstance(classes, Node):
            raise BadInput(f"{section} of {path.name} holds no classes.", next_step="Mend the file.")
        _key_notes(classes, section, notes)
        sections[section] = {
            key: _entries(section, key, items, path.name, mode, notes) for key, items in classes.items()
        }
    if not sections:
        raise BadInput(
            f"{path.name} has neither {' nor '.join(SECTIONS)}.", next_step="Give a result file of PresentBench."
        )
    info = content.get("_resume_info")
    return ResultDocument(
        sections=sections, resume_info=_values(info) if isinstance(info, Node) else {}, notes=tuple(_folded(notes))
    )


def _entries(section: str, key: str, items: Any, name: str, mode: Mode, notes: list[str]) -> dict[str, Entry]:
    if _is_null(items):
        return {}
    if not isinstance(items, Node):
        raise BadInput(f"Class {key} of {section} in {name} holds no items.", next_step="Mend the file.")
    _key_notes(items, f"{section} {key}", notes)
    return {
        place: _entry(f"{section} {place}", record, name, mode, notes)
        for place, record in items.items()
        if isinstance(record, Node)
    }


def _entry(at: str, record: Node, name: str, mode: Mode, notes: list[str]) -> Entry:
    said = record.get("answer")
    explanation, log = _text(record.get("explanation")), _text(record.get("log"))
    if "answer" not in record:
        notes.append(f"{at} has no answer field: it counts as an item that is not met")
        return Entry(answer=None, has_answer=False, explanation=explanation, log=log)
    if not isinstance(said, Plain):
        raise BadInput(f"The answer of {at} in {name} is no single value.", next_step="Mend the file.")
    if said.resolved is None:
        return Entry(answer=None, explanation=explanation, log=log)
    if isinstance(said.resolved, str):
        return Entry(answer=said.resolved, explanation=explanation, log=log)
    if mode is Mode.COMPAT:
        raise BadInput(
            f"The answer of {at} in {name} is {said.text} without quotes, which YAML reads as "
            f"{said.resolved!r}; the reference stops here.",
            next_step="Leave --compat out, or put it in quotes.",
        )
    if isinstance(said.resolved, bool):
        meant = "yes" if said.resolved else "no"
        notes.append(f"unquoted {said.text} read as {meant}: {at}")
        return Entry(answer=meant, explanation=explanation, log=log)
    notes.append(f"unquoted {said.text} read as text: {at}")
    return Entry(answer=said.text, explanation=explanation, log=log)


def read_weights(path: Path, *, mode: Mode = Mode.DEFAULT) -> WeightsDocument:
    """Return a weights file's points: YAML by its ending, JSON for any other.

    Raises:
        BadInput: if it is none.
    """
    content = read_yaml(path) if path.suffix.lower() in {".yaml", ".yml"} else _json_as_nodes(path)
    if not isinstance(content, Node):
        raise BadInput(f"{path.name} is no weights file.", next_step="Give a mapping of sections to points.")
    return weights_of(content, path.name, mode=mode)


def weights_of(content: Node, name: str, *, mode: Mode = Mode.DEFAULT) -> WeightsDocument:
    """Return the points of a weights file that was read.

    Raises:
        BadInput: for a weight that is no number from 0 up, or a section that is missing.
    """
    notes: list[str] = []
    sections: dict[str, dict[str, float]] = {}
    given = [section for section in SECTIONS if section in content]
    if len(given) < len(SECTIONS):
        missing = next(section for section in SECTIONS if section not in content)
        raise BadInput(f"{name} has no {missing}.", next_step="Give the points of both sections.")
    for section in given:
        classes = Node() if _is_null(content[section]) else content[section]
        if not isinstance(classes, Node):
            raise BadInput(f"{section} of {name} holds no classes.", next_step="Mend the file.")
        if classes.unquoted and mode is Mode.DEFAULT:
            notes.append(f"{section}: class keys {', '.join(classes.unquoted)} have no quotes; read as text")
        points: dict[str, float] = {}
        for key, value in classes.items():
            if key == "total" and mode is Mode.DEFAULT:
                notes.append(f"{section}: a total inside a section is no class; left out")
                continue
            # The reference finds nothing under a number, but its sum still holds the points.
            known = key if mode is Mode.DEFAULT or key not in classes.unquoted else f"\0{key}"
            points[known] = _number(value, f"{section} {key}", name)
        sections[section] = points
    total = content.get("total")
    found = WeightsDocument(
        sections=sections,
        total=None if total is None or _is_null(total) else _number(total, "total", name),
        notes=tuple(notes),
    )
    if found.total is not None and found.total <= 0:
        raise BadInput(f"The total of {name} is {found.total:g}.", next_step="Give a number above 0, or leave it out.")
    return found


def _number(value: Any, at: str, name: str) -> float:
    if isinstance(value, Plain):
        try:
            number = float(value.text)
        except ValueError:
            number = math.nan
        if math.isfinite(number) and number >= 0 and not isinstance(value.resolved, bool):
            return number
    said = value.text if isinstance(value, Plain) else "no single value"
    raise BadInput(f"The weight {at} of {name} is {said}.", next_step="Give a number from 0 up.")


@dataclass(frozen=True, kw_only=True)
class ScoreFile:
    """A score file, whichever form it has."""

    total: float
    yes: int
    counted: int
    """``valid_count``: all items today; only yes and no in the first form."""
    sections: dict[str, float]
    classes: dict[Class, float]
    """Percent of each class."""
    class_counts: dict[Class, tuple[int, int]]
    """Yes and counted items of each class."""
    class_weights: dict[Class, float]
    leave_one_out: dict[str, float] = field(default_factory=dict)
    not_applicable: int = 0
    is_forced_zero: bool = False
    form: str = "current"
    """``current``, ``first`` (with not_applicable_count) or ``split`` (sections beside total)."""


def read_score(path: Path) -> ScoreFile:
    """Return a score file in the current form, the first one, or the one with sections beside the total.

    Raises:
        BadInput: if it is none.
    """
    content = read_yaml(path)
    total = content.get("total") if isinstance(content, Node) else None
    if not isinstance(total, Node) or "weighted_arithmetic_mean_percent" not in total:
        raise BadInput(f"{path.name} is no score file.", next_step="Give a file that ends in _score.yaml.")
    split = any(isinstance(content.get(section), Node) for section in SECTIONS)
    holder = content if split else total
    values = _values(total)
    sections: dict[str, float] = {}
    classes: dict[Class, float] = {}
    counts: dict[Class, tuple[int, int]] = {}
    weights: dict[Class, float] = {}
    for section in SECTIONS:
        found = holder.get(section)
        if not isinstance(found, Node):
            continue
        body = _values(found)
        sections[section] = float(body.get("weighted_arithmetic_mean_percent") or 0.0)
        for name, record in (body.get("classes") or {}).items():
            place = Class(section, str(name).removeprefix("class_"))
            classes[place] = float(record.get("score_percent") or 0.0)
            counts[place] = (int(record.get("yes_count") or 0), int(record.get("valid_count") or 0))
            weights[place] = float(record.get("weight_percent") or 0.0)
    loo = values.get("leave_one_out_analysis") or {}
    return ScoreFile(
        total=float(values["weighted_arithmetic_mean_percent"] or 0.0), yes=int(values.get("yes_count") or 0),
        counted=int(values.get("valid_count") or 0), sections=sections, classes=classes, class_counts=counts,
        class_weights=weights,
        leave_one_out={str(key): float(each["weighted_arithmetic_mean_percent"]) for key, each in loo.items()},
        not_applicable=int(values.get("not_applicable_count") or 0),
        is_forced_zero=values.get("force_zero") is True,
        form="split" if split else "first" if "not_applicable_count" in values else "current",
    )  # fmt: skip


def _is_score(content: Node) -> bool:
    total = content.get("total")
    return isinstance(total, Node) and "weighted_arithmetic_mean_percent" in total


def _is_null(value: Any) -> bool:
    return isinstance(value, Plain) and value.resolved is None


def _text(value: Any) -> str | None:
    return value.text if isinstance(value, Plain) and value.resolved is not None else None


def _key_notes(mapping: Node, at: str, notes: list[str]) -> None:
    if mapping.unquoted:
        notes.append(f"keys without quotes read as text: {at} {', '.join(mapping.unquoted)}")
    if mapping.repeated:
        notes.append(f"{at} names {', '.join(mapping.repeated)} twice; the last one counts")


def _folded(notes: list[str]) -> list[str]:
    """Return notes with those that differ only in the item put together."""
    found: dict[str, list[str]] = {}
    for note in notes:
        head, _, tail = note.partition(": ")
        found.setdefault(head, []).append(tail)
    return [f"{head}: {', '.join(tails)}" if any(tails) else head for head, tails in found.items()]


def _values(node: Any) -> Any:
    """Return nodes as plain values, keys as strings."""
    if isinstance(node, Plain):
        return node.resolved
    if isinstance(node, Mapping):
        return {key: _values(value) for key, value in node.items()}
    return [_values(each) for each in node]


def _json_as_nodes(path: Path) -> Any:
    try:
        text = path.read_bytes().decode("utf-8-sig")
        value = json.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        raise BadInput(f"{path.name} cannot be read as JSON: {error}.", next_step="Give YAML or JSON.") from error
    # JSON is YAML as far as these files go, and one reader of nodes is enough.
    return parse_yaml(json.dumps(value), path.name)
