"""What if somebody or something were left out: the evidence of the methods table without it, from memory."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from studio.actions.ablation import COMPONENTS
from studio.actions.align import DEFAULT_PRESET, Evidence, method_name
from studio.actions.bucket_align import deck_styles
from studio.actions.checklist_cells import Asked, ChecklistCells, asked_items, cells_of, most_said
from studio.actions.human_answers import ranks_of_cells
from studio.checklists.scoring import DIMENSION_ORDER
from studio.metrics.buckets import Bucket, Style
from studio.model.checklists import Dimension
from studio.model.decks import Deck
from studio.model.human_side import HumanSource
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.model.runs import UnitStatus
from studio.stats.rankings import HumanRankings
from studio.store import checklists as checklist_store
from studio.store import scores as score_store
from studio.store.project import Project

CODE, CHECKLIST = "code", "checklist"
TOTAL = "aesthetics.total"
Values = Mapping[InstanceId, Mapping[DeckId, float | None]]


@dataclass(frozen=True, kw_only=True)
class WhatIf:
    """What is left out; nothing by default."""

    annotators: frozenset[AnnotatorId] = frozenset()
    scenarios: frozenset[str] = frozenset()
    buckets: frozenset[Bucket] = frozenset()
    """Decks of these styles."""
    items: frozenset[str] = frozenset()
    """Checklist items, page items by the item that they are made from."""
    dimensions: frozenset[str] = frozenset()
    """Of checklists."""
    components: frozenset[str] = frozenset()
    """Of the aesthetics total, such as ``aesthetics.harmony``."""
    judges: frozenset[str] = frozenset()
    """All methods of these judges."""
    methods: frozenset[str] = frozenset()
    """Rows of the table."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left out."""
        return self.n == 0

    @property
    def n(self) -> int:
        """How many things are left out."""
        return sum(len(part) for part in vars(self).values())


@dataclass(frozen=True, kw_only=True)
class Droppable:
    """What a project has that can be left out, and what is needed to do without it."""

    styles: Mapping[DeckId, Style]
    cells: Mapping[str, ChecklistCells]
    """Method → the answers behind it, for checklist methods whose answers add up to what is stored."""
    kept: Mapping[str, str] = field(default_factory=dict)
    """Checklist methods that stay as they are stored when items are left out, and why."""
    items: Mapping[str, str] = field(default_factory=dict)
    """Item → its text, of those that somebody or something answered."""
    dimensions: tuple[Dimension, ...] = ()

    @property
    def buckets(self) -> tuple[Bucket, ...]:
        """Return the styles that decks have."""
        there = {bucket for style in self.styles.values() for bucket in style.buckets}
        return tuple(bucket for bucket in Bucket if bucket in there)


def judges_of(evidence: Evidence) -> list[str]:
    """Return the judges that have a method in the table."""
    return list(dict.fromkeys(judge for name in evidence.methods if (judge := judge_of(name))))


def judge_of(method: str) -> str:
    """Return the judge of a method such as ``openai:m/rating.harmony``; empty for a metric."""
    judge, slash, _ = method.rpartition("/")
    return judge if slash else ""


def components_of(evidence: Evidence) -> list[str]:
    """Return the components of the aesthetics total, if it can be added up again without one of them."""
    is_whole = all(name in evidence.methods for name in (TOTAL, *COMPONENTS))
    return list(COMPONENTS) if is_whole else []


def droppable(project: Project, evidence: Evidence) -> Droppable:
    """Return what can be left out of this evidence, and read what is needed for that."""
    checklist_methods = [name for name in evidence.methods if _is_checklist(name)]
    cells: dict[str, ChecklistCells] = {}
    kept: dict[str, str] = {}
    if checklist_methods:
        decks, asked = asked_items(project)
        said = _verdicts(project)
        for name in checklist_methods:
            found = _cells_of_judge(judge_of(name), decks, asked, said)
            if _same(_part_of(name, found, WhatIf()), evidence.methods[name]):
                cells[name] = found
            else:
                kept[name] = "its verdicts do not add up to the score that is stored"
    parts = [*cells.values(), *evidence.people.cells.values()]
    answered = dict.fromkeys(item for part in parts for item in part.item_ids)
    places = sorted({place for part in parts for place in part.answers.dimension.tolist()})
    words = {str(item.id): " ".join(item.text.split()) for item in checklist_store.list_items(project)}
    return Droppable(
        styles=deck_styles(project), cells=cells, kept=kept,
        items={item: words.get(item, item) for item in answered},
        dimensions=tuple(DIMENSION_ORDER[place] for place in places),
    )  # fmt: skip


def without(evidence: Evidence, dropped: WhatIf, material: Droppable) -> Evidence:
    """Return the evidence without what is dropped; nothing is read and nothing is stored.

    Decks that stay are ranked among themselves. Checklist scores are added up again from the answers that stay,
    the aesthetics total from the components that stay.
    """
    if dropped.is_empty:
        return evidence
    human = _human(evidence, dropped)
    gone = {deck for deck, style in material.styles.items() if style.buckets & dropped.buckets}
    human = human.without(annotators=dropped.annotators, scenarios=dropped.scenarios, decks=gone)
    methods: dict[str, dict[InstanceId, dict[DeckId, float | None]]] = {}
    found: dict[InstanceId, dict[DeckId, float | None]] | None
    for name, values in evidence.methods.items():
        if name in dropped.methods or judge_of(name) in dropped.judges:
            continue
        found = values
        if dropped.components and name.partition("@")[0] == TOTAL:
            found = _total(evidence, name, dropped.components)
        elif (dropped.items or dropped.dimensions) and name in material.cells:
            found = _part_of(name, material.cells[name], dropped)
        if found is not None:
            methods[name] = found
    people = {person: name for person, name in evidence.annotators.items() if person not in dropped.annotators}
    return replace(evidence, human=human, methods=methods, annotators=people)


def _human(evidence: Evidence, dropped: WhatIf) -> HumanRankings:
    human = evidence.human
    if evidence.people.side.source is not HumanSource.CHECKLIST or not (dropped.items or dropped.dimensions):
        return human
    again = ranks_of_cells(
        evidence.people.cells, without_items=dropped.items, without_dimensions=dropped.dimensions
    )  # fmt: skip
    kept = {
        instance: {person: again.get(instance, {}).get(person, {}) for person in by_person}
        for instance, by_person in human.ranks.items()
    }
    return replace(human, ranks=kept)


def _total(
    evidence: Evidence, name: str, dropped: Collection[str]
) -> dict[InstanceId, dict[DeckId, float | None]] | None:  # fmt: skip
    """Return the sum of the components that stay, rounded once as stored totals are; None if none stays."""
    preset = name.partition("@")[2] or DEFAULT_PRESET
    names = [method_name(each, preset) for each in COMPONENTS if each not in dropped]
    parts = [evidence.methods[each] for each in names if each in evidence.methods]
    if not names or len(parts) < len(names):
        return None
    return {
        instance: {deck: _sum([part.get(instance, {}).get(deck) for part in parts]) for deck in decks}
        for instance, decks in parts[0].items()
    }


def _sum(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return math.fsum(known) if len(known) == len(values) else None


def _is_checklist(name: str) -> bool:
    return name.rpartition("/")[2].partition(".")[0] == CHECKLIST


def _part_of(
    name: str, cells: ChecklistCells, dropped: WhatIf
) -> dict[InstanceId, dict[DeckId, float | None]] | None:  # fmt: skip
    """Return the total of a checklist method, or the share of one dimension; None where that dimension is dropped."""
    part = name.rpartition("/")[2].partition(".")[2]
    if part and part in dropped.dimensions:
        return None
    dimensions = {each.value for each in DIMENSION_ORDER if each.value != part} if part else dropped.dimensions
    return cells.values(without_items=dropped.items, without_dimensions=dimensions)


def _verdicts(project: Project) -> dict[str, dict[DeckId, dict[str, list[str]]]]:
    """Return judge → deck → item → the verdicts of all repeats, the newest of each; empty for a failed unit."""
    newest: dict[tuple[str, DeckId, str, int, int], str] = {}
    for each in score_store.list_verdicts(project):
        said = each.verdict if each.status == UnitStatus.OK.value else ""
        newest[each.judge_id, each.deck_id, each.item_id, each.order_index, each.repeat] = said
    found: dict[str, dict[DeckId, dict[str, list[str]]]] = {}
    for (judge, deck, item, _, _), said in newest.items():
        found.setdefault(judge, {}).setdefault(deck, {}).setdefault(item, []).append(said)
    return found


def _cells_of_judge(
    judge: str, decks: Mapping[DeckId, Deck], asked: Asked,
    said: Mapping[str, Mapping[DeckId, Mapping[str, list[str]]]],
) -> ChecklistCells:  # fmt: skip
    mine, code = said.get(judge, {}), said.get(CODE, {})
    answers: dict[DeckId, dict[str, str]] = {}
    for deck in dict.fromkeys([*mine, *(code if judge == CODE else ())]):
        items = {item.item_id: item for item in asked.get(deck, ())}
        of_deck = {
            item: most_said([[each for each in repeats if each]])[0]
            for item, repeats in mine.get(deck, {}).items()
            if item not in items or not items[item].is_code
        }
        for item, repeats in code.get(deck, {}).items():
            if item in items and items[item].is_code and repeats[-1]:
                of_deck[item] = repeats[-1]
        answers[deck] = of_deck
    wanted = asked
    if judge == CODE:
        wanted = {deck: tuple(item for item in items if item.is_code) for deck, items in asked.items()}
    return cells_of(decks, wanted, answers, with_code=True)


def _same(found: Values | None, stored: Values) -> bool:
    """Return whether every stored value is what the answers add up to."""
    if found is None:
        return False
    for instance, decks in stored.items():
        for deck, value in decks.items():
            again = found.get(instance, {}).get(deck)
            if value is not None and (again is None or not math.isclose(again, value, abs_tol=1e-9)):
                return False
    return True
