"""The score of one result file as PresentBench computes it, with a rule for items that have no answer.

Source: the reference code's scoring (weighted arithmetic mean), and the paper's section 3.4 for equal weights.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from studio.checklists.pages import Mode
from studio.checklists.results import SECTIONS, Class, Entry, ResultDocument, WeightsDocument
from studio.errors import BadInput


class NullPolicy(StrEnum):
    """What an item without an answer counts as."""

    FAIL = "fail"
    """In the denominator, not met (strict)."""
    EXCLUDE = "exclude"
    """Left out (lenient); the coverage says how many."""


@dataclass(frozen=True, kw_only=True)
class ClassScore:
    """One class of a result."""

    place: Class
    percent: float
    """0 to 100; 0 without items, as in the reference."""
    yes: int
    items: int
    """All items of the file."""
    counted: int
    """Items in the denominator."""
    answered: int
    weight: float


@dataclass(frozen=True, kw_only=True)
class ResultScore:
    """The score of one result file; percents are 0 to 100."""

    total: float
    sections: dict[str, float]
    section_weights: dict[str, float]
    """Share of the total in percent."""
    classes: tuple[ClassScore, ...]
    """In the order of the file."""
    leave_one_out: dict[str, float]
    """Class → total without it, over the classes that the result has."""
    weights_total: float
    is_forced_zero: bool = False
    """The generation failed: zero is a state, and nothing was judged."""
    notes: tuple[str, ...] = ()

    @property
    def yes(self) -> int:
        """Items that are met."""
        return sum(each.yes for each in self.classes)

    @property
    def items(self) -> int:
        """All items."""
        return sum(each.items for each in self.classes)

    @property
    def counted(self) -> int:
        """Items in the denominators."""
        return sum(each.counted for each in self.classes)

    @property
    def answered(self) -> int:
        """Items with an answer."""
        return sum(each.answered for each in self.classes)

    @property
    def is_complete(self) -> bool:
        """Whether every item has an answer."""
        return self.answered == self.items and not self.is_forced_zero


def score_result(
    result: ResultDocument,
    weights: WeightsDocument,
    *,
    nulls: NullPolicy = NullPolicy.FAIL,
    mode: Mode = Mode.DEFAULT,
) -> ResultScore:
    """Return the score of a result.

    Class points are weight · yes / items; a section's percent divides by all weights of the section, the total by
    the weights file's ``total`` or the sum of all weights. Leaving one out divides by the weights of the other
    classes that the result has.

    Raises:
        BadInput: if a section is missing; in compatible mode also for an item without an answer; if there is no weight.
    """
    missing = [section for section in SECTIONS if section not in result.sections]
    if missing:
        raise BadInput(
            f"The result has no section {' and '.join(missing)}.",
            next_step="It comes from a run that was stopped; resume the run, or give a whole file.",
        )
    whole = weights.total if weights.total is not None else weights.sum
    if not 0 < whole < float("inf"):
        raise BadInput(f"The weights add up to {whole:g}.", next_step="Give every class a weight from 0 up.")
    if mode is Mode.COMPAT:
        _stop_at_null(result)
    classes = tuple(
        _class_score(Class(section, key), list(entries.values()), weights, nulls)
        for section in SECTIONS
        for key, entries in result.sections[section].items()
    )
    points = {each.place: each.weight * each.percent / 100 for each in classes}
    sections = {
        section: _percent(
            sum(value for place, value in points.items() if place.section == section),
            sum(weights.sections.get(section, {}).values()),
        )
        for section in SECTIONS
    }
    return ResultScore(
        total=100 * sum(points.values()) / whole,
        sections=sections,
        section_weights={
            section: 100 * sum(weights.sections.get(section, {}).values()) / whole for section in SECTIONS
        },
        classes=classes,
        leave_one_out={
            left.place.name: _percent(
                sum(points[each.place] for each in classes if each is not left),
                sum(each.weight for each in classes if each is not left),
            )
            for left in classes
        },
        weights_total=whole,
        notes=(*result.notes, *weights.notes, *_notes(result, weights, classes, nulls)),
    )


def zero_score(weights: WeightsDocument) -> ResultScore:
    """Return the score of a generation that failed: zero everywhere, over the classes of the weights file."""
    whole = weights.total if weights.total is not None else weights.sum
    return ResultScore(
        total=0.0,
        sections=dict.fromkeys(SECTIONS, 0.0),
        section_weights={},
        classes=tuple(
            ClassScore(place=Class(section, key), percent=0.0, yes=0, items=0, counted=0, answered=0, weight=weight)
            for section in SECTIONS
            for key, weight in weights.sections.get(section, {}).items()
        ),
        leave_one_out={},
        weights_total=whole,
        is_forced_zero=True,
        notes=("the generation failed: zero is a state, nothing was judged",),
    )


def _class_score(place: Class, entries: list[Entry], weights: WeightsDocument, nulls: NullPolicy) -> ClassScore:
    counted = [
        each
        for each in entries
        if not each.is_left_out and (nulls is NullPolicy.FAIL or each.is_answered)
    ]  # fmt: skip
    yes = sum(each.is_yes for each in counted)
    return ClassScore(
        place=place, percent=100 * yes / len(counted) if counted else 0.0, yes=yes, items=len(entries),
        counted=len(counted), answered=sum(each.is_answered for each in entries), weight=weights.of(place),
    )  # fmt: skip


def _percent(points: float, weights: float) -> float:
    return 100 * points / weights if weights else 0.0


def _stop_at_null(result: ResultDocument) -> None:
    for section in SECTIONS:
        for entries in result.sections[section].values():
            for key, entry in entries.items():
                if entry.answer is None and entry.has_answer:
                    raise BadInput(
                        f"Item {key} of {section} has no answer; the reference stops here.",
                        next_step="Leave --compat out to count it as a fail, or leave it out with --nulls exclude.",
                    )


def _notes(
    result: ResultDocument, weights: WeightsDocument, classes: Iterable[ClassScore], nulls: NullPolicy
) -> list[str]:
    notes = []
    found = {each.place: each for each in classes}
    for section, keys in weights.sections.items():
        for key, weight in keys.items():
            at = Class(section, key)
            if weight and (at not in found or not found[at].items):
                notes.append(f"empty class: {at.name} has no items, and its weight {weight:g} stays in the denominator")
    for each in found.values():
        if each.items and not each.counted:
            notes.append(f"{each.place.name}: none of {each.items} items counts, so it scores 0")
        if each.items and not each.weight:
            notes.append(f"{each.place.name} has no weight, so its items do not count")
    if weights.total is not None and abs(weights.total - weights.sum) > 1e-9 * max(1.0, weights.sum):
        notes.append(f"the weights add up to {weights.sum:g}, but the total is {weights.total:g}")
    unanswered = sum(each.items - each.answered for each in found.values())
    if unanswered:
        how = "counted as not met" if nulls is NullPolicy.FAIL else "left out"
        notes.append(f"{unanswered} of {sum(each.items for each in found.values())} items have no answer: {how}")
    left = [
        f"{section} {key}"
        for section in SECTIONS
        for entries in result.sections[section].values()
        for key, entry in entries.items()
        if entry.is_left_out
    ]
    if left:
        notes.append(f"not scored: {', '.join(left)}")
    return notes
