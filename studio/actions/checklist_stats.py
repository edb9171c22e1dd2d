"""How items behave: prevalence, agreement, discrimination, and people beside code and judges item by item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from studio.actions.checklist_answers import Case, human_replies, settled
from studio.checklists.item_statistics import discrimination, prevalence, rest_scores
from studio.model.checklists import ItemAnswer
from studio.model.scores import Value
from studio.stats.agreement import Scale, krippendorff_alpha
from studio.stats.calibration import VerdictCalibration, verdict_calibration
from studio.stats.statistic import Statistic
from studio.store import scores as score_store
from studio.store.project import Project

ANSWERED = (ItemAnswer.YES.value, ItemAnswer.NO.value)
PEOPLE = "people"


@dataclass(frozen=True, kw_only=True)
class ItemStatistics:
    """One item over all decks that it was answered for."""

    item_id: str
    n: int
    """Decks with an answer that most people, or the judge, gave."""
    prevalence: Value
    """Share of yes."""
    agreement: Statistic
    """Krippendorff's alpha between people; nominal over yes, no, cannot tell and not applicable."""
    same: Statistic
    """Share of pairs of people who say the same about a deck."""
    discrimination: Value
    """Correlation with the share of the deck's other items that are met."""


@dataclass(frozen=True, kw_only=True)
class ItemComparison:
    """One judge beside people for one item, or for all of them."""

    item_id: str
    """Empty for all items together."""
    judge_id: str
    same: Statistic
    """Share of cases where both say the same yes or no."""
    no: VerdictCalibration
    """Precision and recall of the judge's no."""


def base_id(item_id: str) -> str:
    """Return the item behind a page item: the id before ``@``."""
    return item_id.partition("@")[0]


def machine_answers(project: Project, judge_id: str) -> dict[Case, str]:
    """Return what a judge's newest verdict says to each item of each deck; without a verdict the unit's status."""
    return {
        (deck, item): words
        for deck, of_deck in score_store.newest_words(project, judge_id).items()
        for item, words in of_deck.items()
    }


def judges(project: Project) -> list[str]:
    """Return the judges that have a verdict of yes or no in the project."""
    return score_store.judges_that_said(project, ANSWERED)


def item_statistics(project: Project, *, who: str = PEOPLE) -> list[ItemStatistics]:
    """Return the statistics of each item that was answered, by people or by one judge."""
    replies = human_replies(project)
    if who == PEOPLE:
        said = {case: most.value for case, most in settled(project, replies).items() if most is not None}
    else:
        said = machine_answers(project, who)
    decks = sorted({deck for deck, _ in said})
    # An item about which people are even on every deck has no answer, and is not to be missed for it.
    asked = replies if who == PEOPLE else said
    items = sorted({item for _, item in said} | {item for _, item in asked})
    rows, columns = ({name: place for place, name in enumerate(names)} for names in (decks, items))
    table = np.full((len(decks), len(items)), np.nan)
    for (deck, item), answer in said.items():
        if answer in ANSWERED:
            table[rows[deck], columns[item]] = float(answer == ItemAnswer.YES.value)
    rest = rest_scores(table) if len(decks) else table
    of_item: dict[str, list[int]] = {}
    for item, column in columns.items():
        of_item.setdefault(base_id(item), []).append(column)
    cases: dict[str, list[Case]] = {}
    for case in replies:
        cases.setdefault(base_id(case[1]), []).append(case)
    found = []
    for item, places in of_item.items():
        answers, others = table[:, places].ravel(), rest[:, places].ravel()
        labels = [
            {str(person): reply.answer.value for person, reply in replies[case].items() if reply.answer is not None}
            for case in cases.get(item, ())
        ]
        found.append(
            ItemStatistics(
                item_id=item, n=int(np.isfinite(answers).sum()), prevalence=prevalence(answers),
                agreement=_alpha(labels), same=_same(labels), discrimination=discrimination(answers, others),
            )
        )  # fmt: skip
    return found


def compare(project: Project, judge_ids: Sequence[str] | None = None) -> list[ItemComparison]:
    """Return each judge beside what most people say, item by item, and over all items under an empty id.

    Where a reviewer decided a case, the decision stands in place of what most people say.
    """
    people = {case: most.value for case, most in settled(project, human_replies(project)).items() if most is not None}
    found = []
    for judge_id in judges(project) if judge_ids is None else judge_ids:
        verdicts = machine_answers(project, judge_id)
        groups: dict[str, list[Case]] = {"": []}
        for case in people:
            if case in verdicts:
                groups.setdefault(base_id(case[1]), []).append(case)
                groups[""].append(case)
        found += [
            _comparison(item, judge_id, [people[case] for case in group], [verdicts[case] for case in group])
            for item, group in groups.items()
            if group
        ]
    return found


def _comparison(item: str, judge_id: str, people: list[str], machine: list[str]) -> ItemComparison:
    pairs = [(a, b) for a, b in zip(people, machine, strict=True) if a in ANSWERED and b in ANSWERED]
    same = (
        Statistic(value=sum(a == b for a, b in pairs) / len(pairs), n=len(pairs))
        if pairs
        else Statistic(value=None, n=0, undefined_reason="too_few")
    )
    return ItemComparison(item_id=item, judge_id=judge_id, same=same, no=verdict_calibration(people, machine))


def _alpha(labels: Sequence[Mapping[str, str]]) -> Statistic:
    people = sorted({person for each in labels for person in each})
    if len(people) < 2:
        return Statistic(value=None, n=len(labels), undefined_reason="one_rater")
    ratings = [[each.get(person) for each in labels] for person in people]
    return krippendorff_alpha(ratings, scale=Scale.NOMINAL)


def _same(labels: Sequence[Mapping[str, str]]) -> Statistic:
    pairs = [
        (first, second)
        for each in labels
        for place, first in enumerate(each.values())
        for second in list(each.values())[place + 1 :]
    ]
    if not pairs:
        return Statistic(value=None, n=0, undefined_reason="one_rater")
    return Statistic(value=sum(first == second for first, second in pairs) / len(pairs), n=len(pairs))
