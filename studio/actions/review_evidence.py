"""What each side of a disagreement says and rests on, ready to be shown side by side."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from studio.actions.checklist_answers import human_replies
from studio.actions.checklist_stats import ANSWERED
from studio.actions.figures import figure
from studio.actions.method_rows import title_of
from studio.actions.review import Entry, read_desk
from studio.actions.review_items import asked_alike
from studio.actions.review_pairs import PairSides, is_judge_total
from studio.actions.review_quiz import said_about
from studio.actions.viewing import DeckOnView, decks_on_view
from studio.errors import BadInput
from studio.exchange.rankings import current_rankings
from studio.metrics.registry import METRICS
from studio.model.checklists import EvidenceBox, SourceQuote
from studio.model.ids import DeckId
from studio.model.judging import JudgingProtocol
from studio.model.reviews import Case, CaseKind, Decision, DisputeKind
from studio.model.scores import Score
from studio.store import checklist_replies as reply_store
from studio.store import judging as judging_store
from studio.store import people as people_store
from studio.store import scores as score_store
from studio.store.judging import StoredVerdict
from studio.store.project import Project

MOST_PLACES = 4
"""Of one statement; more would not be looked at."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where on which deck something is seen."""

    deck_id: DeckId
    box: EvidenceBox
    words: str = ""
    """What is to be seen there."""
    facts: str = ""
    """The numbers behind it; hidden while the reviewer is blind, since they tell who it is."""


@dataclass(frozen=True, kw_only=True)
class Statement:
    """What one person or machine says about a case."""

    who: str
    """A name; hidden while the reviewer is blind."""
    is_person: bool
    says: str
    """A decision, such as ``no`` or ``a``; ``failed`` where a judge has no verdict."""
    words: str = ""
    """A comment or a judge's reason."""
    facts: str = ""
    """The numbers behind it; hidden while the reviewer is blind, since they tell who it is."""
    places: tuple[Place, ...] = ()
    quotes: tuple[SourceQuote, ...] = ()
    verdict_id: int | None = None
    """The verdict whose raw reply can be looked at; None for people, metrics and imported verdicts."""


@dataclass(frozen=True, kw_only=True)
class Side:
    """Everybody who says the same."""

    says: str
    statements: tuple[Statement, ...]

    def told(self, *, is_blind: bool) -> tuple[tuple[int, Statement], ...]:
        """Return the statements to show with their numbers; to the blind only what has a reason or a place."""
        numbered = tuple(enumerate(self.statements))
        return tuple(
            (number, each) for number, each in numbered
            if not is_blind or each.words.strip() or each.places or each.quotes
        )  # fmt: skip

    @property
    def places(self) -> tuple[Place, ...]:
        """Return all places of this side."""
        return tuple(place for each in self.statements for place in each.places)


@dataclass(frozen=True, kw_only=True)
class OpenCase:
    """One case with everything that is shown of it."""

    entry: Entry
    sides: tuple[Side, ...]
    """In an order that chance decides once for each case, so that it tells nothing."""
    panes: tuple[DeckOnView, ...]
    """Two: of a pair its decks, of other cases the deck twice, once for each side."""
    slides: tuple[int, ...]
    """The slide that each pane shows first."""

    def places_on(self, pane: int) -> tuple[Place, ...]:
        """Return the places to outline in a pane: of a pair those on its deck, else those of its side."""
        deck = self.panes[pane].id
        if self.entry.case.kind is CaseKind.PAIR:
            return tuple(place for side in self.sides for place in side.places if place.deck_id == deck)
        return self.sides[pane].places if pane < len(self.sides) else ()


def open_case(project: Project, entry: Entry, *, is_blind: bool) -> OpenCase:
    """Return a case with both sides' evidence.

    Args:
        project: an open project.
        entry: from the desk.
        is_blind: letters in place of systems' names.
    """
    case = entry.case
    statements = list(STATEMENTS[case.kind](project, case)) if case.kind in STATEMENTS else []
    says = dict.fromkeys(each.says for each in statements)
    sides = sorted(
        (
            Side(says=each, statements=tuple(one for one in statements if one.says == each))
            for each in says
        ),
        key=lambda side: (_order(side.says), _drawn(project.seed, case.id, side.says)),
    )  # fmt: skip
    decks = [case.deck_id, case.against if case.against is not None else case.deck_id]
    names = ("A", "B") if case.kind is CaseKind.PAIR else ("Deck", "Deck")
    systems = (entry.system, entry.against or entry.system)
    shown = names if is_blind else systems
    panes = tuple(
        decks_on_view(project, case.instance_id, {deck: name}, is_blind=is_blind)[0]
        for deck, name in zip(decks, shown, strict=True)
    )  # fmt: skip
    opened = OpenCase(entry=entry, sides=tuple(sides), panes=panes, slides=())
    return OpenCase(
        entry=entry, sides=opened.sides, panes=panes,
        slides=tuple(_first_slide(opened, pane, _page_of(case)) for pane in range(len(panes))),
    )  # fmt: skip


def open_case_named(project: Project, case_id: str, *, is_blind: bool) -> OpenCase:
    """Return a case by its id.

    Raises:
        BadInput: if there is no such case.
    """
    entry = read_desk(project).entry(case_id)
    if entry is None:
        raise BadInput(f"There is no case {case_id}.", next_step="List them with: studio review list PROJECT")
    return open_case(project, entry, is_blind=is_blind)


def _of_item(project: Project, case: Case) -> Iterator[Statement]:
    people = {person.id: person.name for person in people_store.list_annotators(project)}
    for annotator, reply in human_replies(project, case.deck_id).get((case.deck_id, case.item_id), {}).items():
        if reply.answer is not None:
            yield Statement(
                who=people.get(annotator, annotator), is_person=True, says=reply.answer.value, words=reply.comment,
                places=_places(case.deck_id, reply.boxes), quotes=reply.quotes,
            )  # fmt: skip
    known = {
        (each.judge_id, each.record.sample): each
        for each in judging_store.verdicts_with_evidence(project, deck_id=case.deck_id)
        if each.record.item_id == case.item_id
    }
    explained = {
        each.run_id: each.explanation or ""
        for each in reply_store.newest(project, deck_id=case.deck_id)
        if each.item_id == case.item_id
    }
    newest = {
        (each.judge_id, each.repeat): each
        for each in score_store.list_verdicts(project)
        if each.deck_id == case.deck_id and each.item_id == case.item_id
    }
    for (judge, repeat), verdict in newest.items():
        first = newest.get((judge, 0))
        if first is None or not asked_alike(verdict, first):
            continue  # a repeat of an earlier run
        said = verdict.verdict if verdict.status == "ok" and verdict.verdict else "failed"
        words = explained.get(verdict.run_id, "") if verdict.run_id is not None else ""
        if said == "failed":
            words = words or verdict.status.replace("_", " ")
        who = f"{judge}, repeat {repeat + 1}" if repeat else judge
        yield _with_evidence(who, said, words, case.deck_id, known.get((judge, repeat)))


def _with_evidence(who: str, said: str, words: str, deck: DeckId, stored: StoredVerdict | None) -> Statement:
    if stored is None:
        return Statement(who=who, is_person=False, says=said, words=words)
    record = stored.record
    return Statement(
        who=who, is_person=False, says=said, words=record.reason or words, places=_places(deck, record.boxes),
        quotes=record.quotes, verdict_id=stored.id,
    )  # fmt: skip


def _of_pair(project: Project, case: Case) -> Iterator[Statement]:
    sides = PairSides.of(project, with_verdicts=False)
    a, b = case.deck_id, case.against
    assert b is not None, "a pair has two decks"
    notes = {
        ranking.annotator_id: ranking for ranking in current_rankings(project)
        if ranking.instance_id == case.instance_id
    }  # fmt: skip
    for annotator, said in sides.votes(a, b).items():
        ranking = notes.get(annotator)
        ranks = sides.ranks.get(annotator, {})
        facts = f"ranked A {ranks[a]:g} and B {ranks[b]:g}" if a in ranks and b in ranks else "compared the two"
        yield Statement(
            who=sides.evidence.annotators.get(annotator) or _name(project, annotator), is_person=True, says=said,
            words=ranking.note if ranking is not None else "", facts=facts,
        )  # fmt: skip
    flips = {each.who_a for each in case.disputes if each.kind is DisputeKind.FLIP}
    yield from _in_arena(project, a, b, flips)
    named = {who for each in case.disputes for who in (each.who_a, each.who_b)}
    by_slide = {deck: score_store.current_scores(project, deck_id=deck, with_slides=True) for deck in (a, b)}
    for name, values in sides.evidence.methods.items():
        lead = sides.of_method(name, a, b)
        if lead is None or not (name in named or is_judge_total(name)):
            continue
        of = values[case.instance_id]
        said = "tie" if lead == 0 else "a" if lead > 0 else "b"
        facts, reason = f"A {figure(of[a])}, B {figure(of[b])}", ""
        better, worse = (a, b) if lead >= 0 else (b, a)
        if is_judge_total(name):
            places, reason, verdict = _judge_places(project, name, better, worse)
        else:
            places, verdict = _metric_places(name, by_slide, better, worse), None
        yield Statement(
            who=title_of(name), is_person=False, says=said, words=reason, facts=facts, places=places,
            verdict_id=verdict,
        )  # fmt: skip


def _in_arena(project: Project, a: DeckId, b: DeckId, judges: Collection[str]) -> Iterator[Statement]:
    """Yield what judges that contradict themselves said about a pair, once for each order and repeat."""
    newest: dict[tuple[object, ...], StoredVerdict] = {}
    for deck, other in ((a, b), (b, a)):
        for stored in judging_store.verdicts_with_evidence(project, deck_id=deck) if judges else ():
            record = stored.record
            is_pair = stored.protocol is JudgingProtocol.ARENA and record.against == (other,) and record.verdict
            if is_pair and stored.judge_id in judges:
                newest[stored.judge_id, record.item_id, record.order_index, record.sample] = stored
    for stored in newest.values():
        record = stored.record
        first, second = ("a", "b") if record.deck_id == a else ("b", "a")
        yield Statement(
            who=stored.judge_id, is_person=False, says={"first": first, "second": second}.get(record.verdict, "tie"),
            words=record.reason, facts=f"{first.upper()} shown first", verdict_id=stored.id,
            places=_places(record.deck_id, record.boxes), quotes=record.quotes,
        )  # fmt: skip


def _judge_places(
    project: Project, method: str, better: DeckId, worse: DeckId
) -> tuple[tuple[Place, ...], str, int | None]:
    """Return what a judge found wrong with the worse deck and right with the better one, and its own words."""
    judge = method.rpartition("/")[0]
    protocol = method.rpartition("/")[2]
    found: list[Place] = []
    reason, verdict = "", None
    for deck, wanted in ((worse, "no"), (better, "yes")):
        places: list[Place] = []
        for stored in judging_store.verdicts_with_evidence(project, judge_id=judge, deck_id=deck):
            record = stored.record
            if stored.protocol.value != protocol or (record.verdict in ANSWERED and record.verdict != wanted):
                continue
            words = record.reason
            places += [Place(deck_id=deck, box=box, words=words) for box in record.boxes]
            if record.slide is not None and not record.boxes:
                places.append(Place(deck_id=deck, box=EvidenceBox(slide=record.slide), words=words))
            if not reason and words:
                reason, verdict = words, stored.id
        found += places[:MOST_PLACES]
    return tuple(found), reason, verdict


def _metric_places(
    method: str, by_slide: Mapping[DeckId, Sequence[Score]], better: DeckId, worse: DeckId
) -> tuple[Place, ...]:
    """Return the best slide of the better deck and the worst of the other, by a metric or what it is made of."""
    name, _, preset = method.partition("@")
    family = name.partition(".")[0]
    for wanted in dict.fromkeys((name, *(metric for metric in METRICS if metric.startswith(f"{family}.")))):
        found = []
        for deck, is_better in ((worse, False), (better, True)):
            values = {
                each.slide: each.value
                for each in by_slide[deck]
                if each.metric == wanted and each.preset == (preset or "benchmark")
                and each.slide is not None and each.value is not None
            }  # fmt: skip
            if len(set(values.values())) < 2:
                continue
            slide = (max if is_better else min)(values, key=lambda number: (values[number], -number))
            words = "the best slide of the deck" if is_better else "the weakest slide of the deck"
            facts = f"{title_of(wanted)} {figure(values[slide])}"
            found.append(Place(deck_id=deck, box=EvidenceBox(slide=slide), words=words, facts=facts))
        if found:
            return tuple(found)
    return ()


def _places(deck: DeckId, boxes: Iterable[EvidenceBox]) -> tuple[Place, ...]:
    return tuple(Place(deck_id=deck, box=box) for box in boxes)


def _first_slide(opened: OpenCase, pane: int, page: int | None) -> int:
    places = opened.places_on(pane)
    if places:
        return places[0].box.slide
    if page is not None:
        return page
    slides = opened.panes[pane].slides
    return slides[0].number if slides else 0


def _page_of(case: Case) -> int | None:
    """Return the slide that a page item is about."""
    number = case.item_id.partition("@")[2]
    return int(number) if number.isdigit() else None


def _order(says: str) -> int:
    # Of a pair A is always at the left; what nobody decided comes last.
    return {Decision.A.value: 0, Decision.B.value: 1, Decision.TIE.value: 2, "failed": 9}.get(says, 0)


def _drawn(seed: int, case_id: str, says: str) -> bytes:
    return hashlib.sha256(f"{seed}\x1f{case_id}\x1f{says}".encode()).digest()


def _name(project: Project, annotator: str) -> str:
    return next((each.name for each in people_store.list_annotators(project) if each.id == annotator), annotator)


def _of_quiz(project: Project, case: Case) -> Iterator[Statement]:
    for who, says, words, boxes, quotes, is_person in said_about(project, case):
        yield Statement(
            who=who, is_person=is_person, says=says, words=words, places=_places(case.deck_id, boxes), quotes=quotes
        )


STATEMENTS: dict[CaseKind, Callable[[Project, Case], Iterator[Statement]]] = {
    CaseKind.ITEM: _of_item,
    CaseKind.PAIR: _of_pair,
    CaseKind.QUIZ: _of_quiz,
}
"""What everybody says about a case, by its kind; a further kind of case is one more entry here."""
