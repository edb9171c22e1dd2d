"""Disagreements about which of two decks is better, from rankings, comparisons, scores and arenas."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from studio.actions.align import Evidence, gather
from studio.actions.checklist_answers import human_replies
from studio.actions.checklist_stats import ANSWERED
from studio.actions.review_items import PEOPLE, minority, verdicts_of_items
from studio.exchange.settled import settled_answers
from studio.metrics.registry import METRICS
from studio.model.answers import AnswerKind
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.model.judging import JudgingProtocol
from studio.model.reviews import Case, CaseId, CaseKind, Decision, Dispute, DisputeKind
from studio.stats.rankings import consensus
from studio.store import judging as judging_store
from studio.store.project import Project

Pair = tuple[DeckId, DeckId]
ITEMS_AGREE, FEWEST_ITEMS = 0.8, 4
"""A judge is right on items where it says as people do to this share of at least so many items of the two decks."""
_SAID = {"a": Decision.A.value, "b": Decision.B.value, "tie": Decision.TIE.value, "both_bad": Decision.TIE.value}


def pair_case_id(one: DeckId, other: DeckId) -> CaseId:
    """Return the id of the case about two decks, the same whichever is named first."""
    return CaseId("pair:" + ":".join(sorted((one, other))))


def as_shown(one: DeckId, other: DeckId, *, seed: int) -> Pair:
    """Return the decks as a and b; chance decides once and for all, so that neither place means anything."""
    first, second = sorted((one, other))
    digest = hashlib.sha256(f"{seed}\x1f{first}\x1f{second}".encode()).digest()
    return (first, second) if digest[0] % 2 else (second, first)


def pair_cases(project: Project) -> list[Case]:
    """Return every pair of decks of an instance that somebody disagrees about."""
    sides = PairSides.of(project)
    return [
        Case(
            id=pair_case_id(a, b), kind=CaseKind.PAIR, instance_id=instance, deck_id=a, against=b,
            text="Which of the two decks is better?", disputes=disputes, people=Counter(sides.votes(a, b).values()),
        )
        for instance, decks in sides.decks.items()
        for one, other in combinations(decks, 2)
        for a, b in [as_shown(one, other, seed=project.seed)]
        if (disputes := tuple(sides.disputes(instance, a, b)))
    ]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class PairSides:
    """What everybody says about pairs of decks, read once."""

    evidence: Evidence
    decks: Mapping[InstanceId, tuple[DeckId, ...]]
    """The decks of each instance that are there."""
    ranks: Mapping[AnnotatorId, Mapping[DeckId, float]]
    """Each person's ranks of all decks that they placed; 1 is best within an instance."""
    direct: Mapping[Pair, Mapping[AnnotatorId, str]]
    """Answers to "which is better?", by the decks in the order of their ids."""
    mean_ranks: Mapping[DeckId, float]
    places: Mapping[str, Mapping[DeckId, float]]
    """Each method's place of each deck: 0 is the best of its instance, 1 the last."""
    arena: Mapping[Pair, Mapping[str, Sequence[str]]]
    """What each judge said in an arena, once for each order, repeat and criterion, by the decks in their order."""
    judges: frozenset[str]
    """Methods that are the whole score of a judge."""
    same_items: Mapping[str, Mapping[DeckId, tuple[int, int]]]
    """For each judge and deck the items that it answers as people do, and all that both answer."""

    @staticmethod
    def of(project: Project, *, with_verdicts: bool = True) -> PairSides:
        """Return what a project holds.

        Args:
            project: an open project.
            with_verdicts: without, `arena` and `same_items` stay empty: most of the reading is for these, and they
                serve the search for disputes alone.
        """
        evidence = gather(project)
        # Without decisions: a case must stay where it is once it is decided.
        human = replace(evidence.human, adjudicated={})
        side = consensus(human)
        means = {
            deck: float(rank)
            for decks, ranks in zip(side.deck_ids, side.mean_ranks, strict=True)
            for deck, rank in zip(decks, ranks, strict=False)
        }
        ranks: dict[AnnotatorId, dict[DeckId, float]] = {}
        for by_annotator in human.ranks.values():
            for person, placed in by_annotator.items():
                ranks.setdefault(person, {}).update(placed)
        decks: dict[InstanceId, tuple[DeckId, ...]] = {}
        for deck in evidence.decks.values():
            if deck.asset is not None:
                decks[deck.instance_id] = (*decks.get(deck.instance_id, ()), deck.id)
        return PairSides(
            evidence=evidence, decks=decks, ranks=ranks, direct=_direct(project), mean_ranks=means,
            places={name: _places(by_instance) for name, by_instance in evidence.methods.items()},
            arena=_arena(project) if with_verdicts else {},
            same_items=_same_items(project) if with_verdicts else {},
            judges=frozenset(filter(is_judge_total, evidence.methods)),
        )  # fmt: skip

    def votes(self, a: DeckId, b: DeckId) -> dict[AnnotatorId, str]:
        """Return what each person says: a, b or tie; a comparison that was asked for counts before a ranking."""
        found = {
            person: "tie" if placed[a] == placed[b] else "a" if placed[a] < placed[b] else "b"
            for person, placed in self.ranks.items()
            if a in placed and b in placed
        }
        pair, is_turned = _ordered(a, b)
        return found | {
            person: _turned(said) if is_turned else said for person, said in self.direct.get(pair, {}).items()
        }

    def of_method(self, name: str, a: DeckId, b: DeckId) -> float | None:
        """Return how far a method puts a before b, −1 to 1, in shares of its range of places; None without values."""
        places = self.places.get(name, {})
        return places[b] - places[a] if a in places and b in places else None

    def disputes(self, instance: InstanceId, a: DeckId, b: DeckId) -> Iterator[Dispute]:
        """Yield every disagreement about two decks."""
        votes = list(self.votes(a, b).values())
        if minority(votes):
            yield Dispute(kind=DisputeKind.PEOPLE, who_a=PEOPLE, who_b=PEOPLE, size=minority(votes))
        margin = (votes.count("a") - votes.count("b")) / len(votes) if votes else 0.0
        gap = self._human_gap(instance, a, b)
        lead = {name: found for name in self.places if (found := self.of_method(name, a, b))}
        for name, found in lead.items():
            if margin * found < 0:
                size = abs(margin) * (gap + abs(found)) / 2
                yield Dispute(kind=DisputeKind.PEOPLE_MACHINE, who_a=PEOPLE, who_b=name, size=size)
        judges = {name: found for name, found in lead.items() if name in self.judges}
        for (one, x), (other, y) in combinations(judges.items(), 2):
            if x * y < 0:
                yield Dispute(kind=DisputeKind.MACHINES, who_a=one, who_b=other, size=(abs(x) + abs(y)) / 2)
        pair, _ = _ordered(a, b)
        for judge, said in self.arena.get(pair, {}).items():
            if minority(said):
                yield Dispute(kind=DisputeKind.FLIP, who_a=judge, who_b=judge, size=minority(said))
        for judge, same in self.same_items.items():
            (right_a, of_a), (right_b, of_b) = same.get(a, (0, 0)), same.get(b, (0, 0))
            share = (right_a + right_b) / max(1, of_a + of_b)
            wrong = [found for name, found in judges.items() if name.startswith(f"{judge}/") and margin * found < 0]
            if wrong and of_a + of_b >= FEWEST_ITEMS and share >= ITEMS_AGREE:
                size = share * abs(margin) * (gap + max(map(abs, wrong))) / 2
                yield Dispute(kind=DisputeKind.ITEMS_NOT_RANK, who_a=PEOPLE, who_b=judge, size=size)

    def _human_gap(self, instance: InstanceId, a: DeckId, b: DeckId) -> float:
        if a not in self.mean_ranks or b not in self.mean_ranks:
            return 1.0
        known = [deck for deck in self.decks[instance] if deck in self.mean_ranks]
        return abs(self.mean_ranks[a] - self.mean_ranks[b]) / max(1, len(known) - 1)


def is_judge_total(name: str) -> bool:
    """Return whether a method is the whole score of a judge, such as ``openai:m/rating`` and not its parts."""
    protocol = name.partition("@")[0].rpartition("/")[2]
    return name.partition("@")[0] not in METRICS and protocol in set(JudgingProtocol)


def _places(by_instance: Mapping[InstanceId, Mapping[DeckId, float | None]]) -> dict[DeckId, float]:
    found: dict[DeckId, float] = {}
    for values in by_instance.values():
        known = {deck: value for deck, value in values.items() if value is not None}
        for deck, value in known.items():
            better = sum(other > value for other in known.values())
            same = sum(other == value for other in known.values())
            found[deck] = (better + (same - 1) / 2) / max(1, len(known) - 1)
    return found


def _direct(project: Project) -> dict[Pair, dict[AnnotatorId, str]]:
    found: dict[Pair, dict[AnnotatorId, str]] = {}
    for event in settled_answers(project, AnswerKind.PAIR):
        said = _SAID.get(str(event.state.get("preference")))
        if said is None or "#" in event.item_key:  # between single slides
            continue
        first, _, second = event.item_key.partition("|")
        pair, is_turned = _ordered(DeckId(first), DeckId(second))
        found.setdefault(pair, {})[event.annotator_id] = _turned(said) if is_turned else said
    return found


def _arena(project: Project) -> dict[Pair, dict[str, list[str]]]:
    """Return arena verdicts as a, b and tie by the decks in the order of their ids."""
    found: dict[Pair, dict[str, list[str]]] = {}
    newest: dict[tuple[object, ...], tuple[Pair, str, str]] = {}
    for stored in judging_store.verdicts_with_evidence(project):
        record = stored.record
        if stored.protocol is not JudgingProtocol.ARENA or not record.verdict or len(record.against) != 1:
            continue
        pair, is_turned = _ordered(record.deck_id, record.against[0])
        said = {"first": "a", "second": "b"}.get(record.verdict, "tie")
        unit = (stored.judge_id, pair, record.item_id, record.order_index, record.sample)
        newest[unit] = (pair, stored.judge_id, _turned(said) if is_turned else said)
    for pair, judge, said in newest.values():
        found.setdefault(pair, {}).setdefault(judge, []).append(said)
    return found


def _same_items(project: Project) -> dict[str, dict[DeckId, tuple[int, int]]]:
    replies, machine = human_replies(project), verdicts_of_items(project)
    found: dict[str, dict[DeckId, tuple[int, int]]] = {}
    for case, judges in machine.items():
        said = Counter(reply.answer.value for reply in replies.get(case, {}).values() if reply.answer is not None)
        most = said.most_common(2)
        if not most or most[0][0] not in ANSWERED or (len(most) > 1 and most[0][1] == most[1][1]):
            continue
        for judge, repeats in judges.items():
            same, of = found.setdefault(judge, {}).get(case[0], (0, 0))
            found[judge][case[0]] = (same + (repeats[0] == most[0][0]), of + 1)
    return found


def _ordered(a: DeckId, b: DeckId) -> tuple[Pair, bool]:
    return ((a, b), False) if a < b else ((b, a), True)


def _turned(said: str) -> str:
    return {"a": "b", "b": "a"}.get(said, said)
