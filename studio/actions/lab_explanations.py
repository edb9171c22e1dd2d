"""What evaluators said of the files of a lab, held against what was done to them: ROUGE and F1 of the things named."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from studio.actions.content_methods import REFLEX
from studio.actions.lab import LabRung
from studio.actions.lab_values import lab_rungs
from studio.jobs.reflex_job import deck_object, task_of
from studio.model.ids import DeckId
from studio.model.judging import JudgingProtocol
from studio.model.reflex import ContentMetric, DeckObject
from studio.model.runs import UnitStatus
from studio.reflex.explanations import item_names, template
from studio.reflex.ladder import marks_of
from studio.store import decks as deck_store
from studio.store import judging as judging_store
from studio.store import scores as score_store
from studio.store.project import Project

_ROUGE = ("rouge1", "rouge2", "rouge3", "rougeL")
_NUMBER = re.compile(r"(?:^|[;\n])\s*(?:slide\s+)?(\d+)\s*[.:]", re.IGNORECASE)
"""How the forms ask for slides: number, full stop, title, with semicolons between."""
ALL_NAMED = "all"


@dataclass(frozen=True, kw_only=True)
class Explained:
    """One evaluator on one kind of defect, or on all."""

    family: str
    metric: ContentMetric | None
    """None: the mean over metrics."""
    n: int
    """Files whose explanation was compared."""
    figures: Mapping[str, float] = field(default_factory=dict)
    """``rouge1`` to ``rougeL``: mean F1; ``precision``, ``recall`` and ``f1`` of the things named, 0 to 1."""


@dataclass
class _Tally:
    rouge: dict[str, list[float]] = field(default_factory=dict)
    hits: int = 0
    named: int = 0
    wrong: int = 0


def explained(project: Project, lab: str = "") -> tuple[Explained, ...]:
    """Return how the explanations of a lab's evaluators compare with the gold ones; empty if none has any.

    Args:
        project: a lab, or a project with labs below its exports.
        lab: name of the folder below exports; empty: the project itself.
    """
    if not lab:
        return _explained(project)
    with Project.open(project.folder / "exports" / lab, only_read=True) as found:
        return _explained(found)


def named_slides(text: str) -> set[int]:
    """Return the slides that an explanation names as the forms ask for it: ``2. Conclusion; 9. Outline``."""
    return {int(number) for number in _NUMBER.findall(text)}


def _explained(project: Project) -> tuple[Explained, ...]:
    # It brings half of scipy along, which would delay the window.
    from rouge_score.rouge_scorer import RougeScorer

    rungs = lab_rungs(project)
    said = _said(project, rungs)
    if not said:
        return ()
    rouge = RougeScorer(list(_ROUGE))
    tallies: dict[tuple[str, ContentMetric], _Tally] = {}
    for deck_id, deck in _decks(project, rungs):
        rung = rungs[deck_id]
        # A deck as it was has nothing at fault, whatever is asked after.
        for metric in (rung.defect,) if rung.defect is not None else tuple(ContentMetric):
            names, marks = item_names(deck, metric), marks_of(deck, metric, rung.recipe)
            if not names or len(names) != len(marks):
                continue
            gold = template(metric, [name for name, mark in zip(names, marks, strict=True) if mark])
            of_deck = {family: texts[deck_id, metric] for family, texts in said.items() if (deck_id, metric) in texts}
            if of_deck:
                of_deck[ALL_NAMED] = _Said(text=template(metric, names), items=frozenset(range(len(names))))
            for family, found in of_deck.items():
                tally = tallies.setdefault((family, metric), _Tally())
                named = found.items if found.items is not None else _items(found.text, deck, metric)
                words = found.text
                if family == REFLEX:
                    words = template(metric, [name for place, name in enumerate(names) if place in named])
                for name, score in rouge.score(gold, words).items():
                    tally.rouge.setdefault(name, []).append(score.fmeasure)
                if rung.degree:
                    tally.hits += sum(mark and place in named for place, mark in enumerate(marks))
                    tally.named += len(named)
                    tally.wrong += sum(marks)
    return tuple(_told(tallies))


@dataclass(frozen=True, kw_only=True)
class _Said:
    text: str
    items: frozenset[int] | None = None
    """Places in `item_names`; None: to be read from the text."""


def _said(
    project: Project, rungs: Mapping[DeckId, LabRung]
) -> dict[str, dict[tuple[DeckId, ContentMetric], _Said]]:  # fmt: skip
    found: dict[str, dict[tuple[DeckId, ContentMetric], _Said]] = {}
    decks = dict(_decks(project, rungs))
    for score in score_store.current_scores(project):
        kind, _, of = score.metric.partition(".")
        if kind != REFLEX or score.deck_id not in decks or "suggestions" not in score.detail or score.value is None:
            continue
        metric, deck = ContentMetric(of), decks[score.deck_id]
        keys = _keys(deck, metric)
        named = {
            str(each["topic"]) if metric is ContentMetric.COVERAGE else int(each["slide"])
            for each in _suggestions(score.detail["suggestions"])
            if metric is ContentMetric.COVERAGE or each.get("slide") is not None
        }  # fmt: skip
        items = frozenset(place for place, key in enumerate(keys) if key in named)
        found.setdefault(REFLEX, {})[score.deck_id, metric] = _Said(text="", items=items)
    for stored in judging_store.verdicts_with_evidence(project):
        record = stored.record
        if stored.protocol is not JudgingProtocol.FEWSHOT or record.status is not UnitStatus.OK:
            continue
        if record.deck_id in decks and record.item_id in set(ContentMetric):
            family = f"{stored.judge_id}/{JudgingProtocol.FEWSHOT.value}"
            key = record.deck_id, ContentMetric(record.item_id)
            found.setdefault(family, {})[key] = _Said(text=record.reason)
    return found


def _suggestions(value: object) -> list[dict[str, str]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _decks(project: Project, rungs: Mapping[DeckId, LabRung]) -> Iterator[tuple[DeckId, DeckObject]]:
    for deck in deck_store.list_decks(project):
        task = task_of(project, deck, tuple(ContentMetric)) if deck.id in rungs else None
        if task is not None:
            yield deck.id, deck_object(task)


def _keys(deck: DeckObject, metric: ContentMetric) -> list[str | int]:
    """Return what names each thing that may be at fault: a section's title, or a slide's number."""
    if metric is ContentMetric.COVERAGE:
        return [section.title for section in (deck.document.sections if deck.document else ())]
    return [slide.number for slide in deck.slides if slide.image_words or metric is not ContentMetric.ALIGNMENT]


def _items(text: str, deck: DeckObject, metric: ContentMetric) -> frozenset[int]:
    keys = _keys(deck, metric)
    if metric is ContentMetric.COVERAGE:
        words = text.casefold()
        return frozenset(place for place, key in enumerate(keys) if str(key).casefold() in words)
    numbers = named_slides(text)
    return frozenset(place for place, key in enumerate(keys) if key in numbers)


def _told(tallies: Mapping[tuple[str, ContentMetric], _Tally]) -> Iterator[Explained]:
    for family in sorted({family for family, _ in tallies}, key=lambda each: (each == ALL_NAMED, each != REFLEX, each)):
        own = [
            Explained(family=family, metric=metric, n=max((len(each) for each in tally.rouge.values()), default=0),
                      figures=_figures(tally))
            for metric in ContentMetric
            if (tally := tallies.get((family, metric))) is not None
        ]  # fmt: skip
        names = {name for each in own for name in each.figures}
        yield Explained(
            family=family, metric=None, n=sum(each.n for each in own),
            figures={name: _mean([each.figures[name] for each in own if name in each.figures]) for name in names},
        )  # fmt: skip
        yield from own


def _figures(tally: _Tally) -> dict[str, float]:
    found = {name: _mean(values) for name, values in tally.rouge.items()}
    if tally.named:
        found["precision"] = tally.hits / tally.named
    if tally.wrong:
        found["recall"] = tally.hits / tally.wrong
    if tally.named + tally.wrong:
        found["f1"] = 2 * tally.hits / (tally.named + tally.wrong)
    return found


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
