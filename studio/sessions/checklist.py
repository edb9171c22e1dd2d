"""One person answering the checklist of one instance, for all its decks: each act is an event of one answer."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from studio.errors import BadInput
from studio.model.answers import AnswerEvent, AnswerKind, AnswerStatus
from studio.model.checklists import Checklist, EvidenceBox, Item, ItemAnswer, ItemKind, SourceQuote, Tier
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.sessions.answering import AnsweringRules, Unseen, nothing_unseen, spans
from studio.sessions.clock import Spent, Unstored
from studio.sessions.journal import Record


class Unit(NamedTuple):
    """One question about one deck."""

    deck_id: DeckId
    item_id: str


class AnswerOrder(StrEnum):
    """How a person goes through the questions."""

    DECK_BY_DECK = "deck_by_deck"
    ITEM_BY_ITEM = "item_by_item"


@dataclass(frozen=True, kw_only=True)
class ItemReply:
    """What a person says to one item about one deck."""

    answer: ItemAnswer | None = None
    boxes: tuple[EvidenceBox, ...] = ()
    quotes: tuple[SourceQuote, ...] = ()
    comment: str = ""
    is_flagged: bool = False
    """Somebody should look at this answer again."""


class Progress(NamedTuple):
    """How far a deck, or all of them, is."""

    answered: int
    total: int


@dataclass(frozen=True, kw_only=True)
class DeckState:
    """Where a deck's answers stand."""

    status: AnswerStatus = AnswerStatus.DRAFT
    reason: str = ""


_Act = tuple[AnswerEvent, dict[str, object]]
"""An event and what held before it."""
_EMPTY = ItemReply()
_OPEN = DeckState()
_DECIDED = frozenset({AnswerStatus.SUBMITTED, AnswerStatus.CANNOT_JUDGE})


class ChecklistSheet:
    """The checklist of one instance as one person answers it.

    Args:
        instance_id: the instance.
        annotator_id: who answers.
        checklists: what each deck is asked, its page items among it, in the order in which the decks are shown.
        events: this person's earlier checklist events of the instance, oldest first.
        record: stores an event durably.
        now: the present time as ISO 8601 in UTC.
        spent: the active and wall seconds since the last event.
        needs_evidence: whether every no must name a slide, beside items that ask for it themselves.
        rules: what the answers are stamped with.
        unseen: which slides must still be looked at.
    """

    def __init__(
        self,
        *,
        instance_id: InstanceId,
        annotator_id: AnnotatorId,
        checklists: Mapping[DeckId, Checklist],
        events: Sequence[AnswerEvent],
        record: Record,
        now: Callable[[], str],
        spent: Callable[[], Spent],
        needs_evidence: bool = False,
        rules: AnsweringRules | None = None,
        unseen: Unseen = nothing_unseen,
    ) -> None:
        self.instance_id = instance_id
        self.annotator_id = annotator_id
        self.needs_evidence = needs_evidence
        self.items: dict[DeckId, tuple[Item, ...]] = {
            deck: tuple(item for item in checklist.items if item.kind is not ItemKind.TOOL_ERROR)
            for deck, checklist in checklists.items()
        }
        self._record, self._now, self._spent = record, now, spent
        self._stamp, self._unseen = rules or AnsweringRules(), unseen
        self._unstored = Unstored()
        self._replies: dict[Unit, ItemReply] = {}
        self._decks: dict[DeckId, DeckState] = {}
        self._done: list[_Act] = []
        self._undone: list[_Act] = []
        self._revision = 1
        self.saved_at = ""
        self.recognised_system = False
        """Whether the person said that they know who made one of the decks."""
        for event in events:
            self._take(event)

    @property
    def decks(self) -> tuple[DeckId, ...]:
        """The decks in the order in which they are shown."""
        return tuple(self.items)

    @property
    def acts(self) -> tuple[AnswerEvent, ...]:
        """The acts that hold, oldest first."""
        return tuple(event for event, _ in self._done)

    @property
    def is_decided(self) -> bool:
        """Whether every deck is submitted, or was said to be beyond judging."""
        return all(self.deck_state(deck).status in _DECIDED for deck in self.decks)

    @property
    def is_skipped(self) -> bool:
        """Whether the last thing that holds is that this was left for later."""
        return bool(self._done) and self._done[-1][0].verb == "skip"

    @property
    def unseen(self) -> Sequence[tuple[DeckId, int]]:
        """The slides that must still be looked at, of all decks."""
        return self._unseen()

    def reply(self, unit: Unit) -> ItemReply:
        """Return what was said to an item about a deck; nothing is an empty reply."""
        return self._replies.get(unit, _EMPTY)

    def deck_state(self, deck_id: DeckId) -> DeckState:
        """Return where a deck's answers stand."""
        return self._decks.get(deck_id, _OPEN)

    def units(self, order: AnswerOrder = AnswerOrder.DECK_BY_DECK) -> list[Unit]:
        """Return all questions in the order in which they are asked.

        Item by item, each item is asked of one deck after the other; page items come last, deck by deck.
        """
        by_deck = [Unit(deck, item.id) for deck, items in self.items.items() for item in items]
        if order is AnswerOrder.DECK_BY_DECK:
            return by_deck
        places: dict[str, int] = {}
        for unit in by_deck:
            if self.item(unit).slide is None:
                places.setdefault(unit.item_id, len(places))
        # Stable, so that decks stay in their order under each item.
        return sorted(by_deck, key=lambda unit: places.get(unit.item_id, len(places)))

    def item(self, unit: Unit) -> Item:
        """Return the item of a question.

        Raises:
            BadInput: if the deck is not asked this.
        """
        found = next((item for item in self.items.get(unit.deck_id, ()) if item.id == unit.item_id), None)
        if found is None:
            raise BadInput(
                f"Item {unit.item_id} is not asked of deck {unit.deck_id}.", next_step="Open the page again."
            )
        return found

    def hides_sources(self, unit: Unit) -> bool:
        """Say whether the sources are out of sight while this question is answered, as they are for judges."""
        return self.item(unit).dimension.tier is Tier.INDEPENDENT

    def progress(self, deck_id: DeckId | None = None) -> Progress:
        """Return how many questions have a complete answer, of one deck or of all."""
        units = [unit for unit in self.units() if deck_id in (None, unit.deck_id)]
        return Progress(sum(not self.lacking(unit) for unit in units), len(units))

    def lacking(self, unit: Unit) -> str:
        """Return what an answer lacks: ``answer``, ``evidence``, or an empty text."""
        reply, item = self.reply(unit), self.item(unit)
        if reply.answer is None:
            return "answer"
        asks = item.needs_evidence or (self.needs_evidence and reply.answer is ItemAnswer.NO)
        has_place = bool(reply.boxes or (item.dimension.tier is Tier.DEPENDENT and reply.quotes))
        is_verdict = reply.answer in (ItemAnswer.YES, ItemAnswer.NO)
        return "evidence" if asks and is_verdict and not has_place else ""

    def next_open(self, after: Unit | None = None, order: AnswerOrder = AnswerOrder.DECK_BY_DECK) -> Unit | None:
        """Return the next question that lacks something, going round from `after`; None if none does."""
        units = self.units(order)
        start = units.index(after) + 1 if after in units else 0
        return next((unit for unit in units[start:] + units[:start] if self.lacking(unit)), None)

    def badges(self, deck_id: DeckId) -> dict[int, dict[ItemAnswer, int]]:
        """Return for each slide how many answers of each kind rest on it: their boxes, and page items."""
        found: dict[int, dict[ItemAnswer, int]] = {}
        for item in self.items.get(deck_id, ()):
            reply = self.reply(Unit(deck_id, item.id))
            if reply.answer is None:
                continue
            slides = {box.slide for box in reply.boxes} | ({item.slide} if item.slide is not None else set())
            for slide in slides:
                counts = found.setdefault(slide, {})
                counts[reply.answer] = counts.get(reply.answer, 0) + 1
        return found

    def missing(self, deck_id: DeckId) -> str:
        """Return why a deck cannot be submitted, such as "3 answers and 1 place open"; empty if it can.

        Slides that must still be looked at are named once everything is answered.
        """
        lacks = [self.lacking(unit) for unit in self.units() if unit.deck_id == deck_id]
        answers, places = lacks.count("answer"), lacks.count("evidence")
        said = [
            f"{number} {word}{'s' * (number != 1)}"
            for number, word in ((answers, "answer"), (places, "place"))
            if number
        ]  # fmt: skip
        if said:
            return f"{' and '.join(said)} open"
        unseen = [slide for deck, slide in self._unseen() if deck == deck_id]
        return f"{len(unseen)} slide{'s' * (len(unseen) != 1)} not seen: {spans(unseen)}" if unseen else ""

    def answer(self, unit: Unit, answer: ItemAnswer | None) -> None:
        """Answer a question, change the answer, or take it away with None."""
        self._change("answer" if answer is not None else "clear", unit, replace(self.reply(unit), answer=answer))

    def set_boxes(self, unit: Unit, boxes: Sequence[EvidenceBox]) -> None:
        """Mark where on the slides the answer rests.

        Raises:
            BadInput: for a place that is on no slide.
        """
        for box in boxes:
            edges = (box.x0, box.y0, box.x1, box.y1)
            if box.slide < 1 or not all(0 <= edge <= 1 for edge in edges) or box.x0 >= box.x1 or box.y0 >= box.y1:
                raise BadInput("The marked place is on no slide.", next_step="Mark it again.")
        self._change("evidence", unit, replace(self.reply(unit), boxes=tuple(boxes)))

    def set_quotes(self, unit: Unit, quotes: Sequence[SourceQuote]) -> None:
        """Name where in the sources the answer rests.

        Raises:
            BadInput: for an item that is answered without sources.
        """
        if quotes and self.hides_sources(unit):
            raise BadInput("This item is answered from the deck alone.", next_step="Mark a slide instead.")
        self._change("quote", unit, replace(self.reply(unit), quotes=tuple(quotes)))

    def set_comment(self, unit: Unit, comment: str) -> None:
        """Keep a comment on an answer; an empty one takes it away."""
        self._change("comment", unit, replace(self.reply(unit), comment=comment))

    def toggle_flag(self, unit: Unit) -> None:
        """Flag an answer, or take the flag away."""
        reply = self.reply(unit)
        self._change("flag", unit, replace(reply, is_flagged=not reply.is_flagged))

    def submit(self, deck_id: DeckId) -> None:
        """Submit a deck's answers.

        Raises:
            BadInput: if something is open; the message says what.
        """
        if self.missing(deck_id):
            raise BadInput(f"{self.missing(deck_id)}.", next_step="Answer it, or say that you cannot tell.")
        self._set_deck("submit", deck_id, DeckState(status=AnswerStatus.SUBMITTED))

    def cannot_judge(self, deck_id: DeckId, reason: str) -> None:
        """Record that a deck cannot be judged, and why.

        Raises:
            BadInput: if no reason is given.
        """
        if not reason.strip():
            raise BadInput("Say why it cannot be judged.")
        self._set_deck("cannot_judge", deck_id, DeckState(status=AnswerStatus.CANNOT_JUDGE, reason=reason.strip()))

    def reopen(self, deck_id: DeckId) -> None:
        """Open a submitted deck again; nothing that was said is lost."""
        self._set_deck("reopen", deck_id, _OPEN)

    def skip(self) -> None:
        """Leave the instance for later; what was said stays."""
        if not self.is_skipped:
            self._store("skip", None, "", self._whole(AnswerStatus.SKIPPED))

    def toggle_recognised(self) -> None:
        """Note, or take back, that the person recognised a system."""
        state = self._whole(AnswerStatus.DRAFT) | {"recognised_system": not self.recognised_system}
        self._store("recognised", None, "", state)

    @property
    def can_undo(self) -> bool:
        """Whether there is an act to take back."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether there is an act to bring back."""
        return bool(self._undone)

    def undo(self) -> Unit | None:
        """Take the last act back, as one more event, and return the question that it was about, None for a deck."""
        if not self._done:
            return None
        event, before = self._done[-1]
        return self._store("undo", event.deck_id, event.item_key, before, target=event.seq)

    def redo(self) -> Unit | None:
        """Bring the last act that was taken back again, as one more event."""
        if not self._undone:
            return None
        event, _ = self._undone[-1]
        return self._store("redo", event.deck_id, event.item_key, dict(event.state), target=event.seq)

    def _change(self, verb: str, unit: Unit, reply: ItemReply) -> None:
        if reply == self.reply(unit):
            return
        if self.deck_state(unit.deck_id) != _OPEN:
            self._set_deck("reopen", unit.deck_id, _OPEN)
        self._store(verb, unit.deck_id, unit.item_id, self._json(unit, reply))

    def _set_deck(self, verb: str, deck_id: DeckId, state: DeckState) -> None:
        if state != self.deck_state(deck_id):
            self._store(verb, deck_id, "", {"status": state.status.value, "reason": state.reason})

    def _whole(self, status: AnswerStatus) -> dict[str, object]:
        return {"status": status.value, "recognised_system": self.recognised_system}

    def _store(
        self, verb: str, deck_id: DeckId | None, item_id: str, state: dict[str, object], *, target: int | None = None
    ) -> Unit | None:
        spent = self._unstored.add(self._spent())
        stored = self._record(
            AnswerEvent(
                seq=0, uid=uuid.uuid4().hex, kind=AnswerKind.CHECKLIST, instance_id=self.instance_id,
                annotator_id=self.annotator_id, deck_id=deck_id, item_key=item_id, verb=verb, state=state,
                at=self._now(), active_s=round(spent.active_s, 3), wall_s=round(spent.wall_s, 3), target=target,
                display=self.decks, revision=self._revision, guidelines_version=self._stamp.guidelines_version,
                app_version=self._stamp.app_version,
            )
        )  # fmt: skip
        self._unstored.clear()
        # What waited for the store is known here by the number that it had then.
        self._take(replace(stored, target=target))
        return Unit(deck_id, item_id) if deck_id is not None and item_id else None

    def _take(self, event: AnswerEvent) -> None:
        """Take in a stored event."""
        self.saved_at = event.at
        before = self._state_at(event)
        if event.verb == "undo":
            _move(event.target, self._done, self._undone)
        elif event.verb == "redo":
            _move(event.target, self._undone, self._done)
        else:
            self._done.append((event, before))
            self._undone.clear()
        self._revision = max(self._revision, event.revision) + (event.verb == "reopen")
        if event.deck_id is None:
            self.recognised_system = bool(event.state.get("recognised_system"))
            return
        if event.item_key:
            self._replies[Unit(event.deck_id, event.item_key)] = reply_of(event.state)
        else:
            self._decks[event.deck_id] = DeckState(
                status=AnswerStatus(str(event.state.get("status", "draft"))), reason=str(event.state.get("reason", ""))
            )

    def _state_at(self, event: AnswerEvent) -> dict[str, object]:
        """Return what held before an event, as JSON values."""
        if event.deck_id is None:
            return self._whole(AnswerStatus.DRAFT)
        if event.item_key:
            unit = Unit(event.deck_id, event.item_key)
            return self._json(unit, self.reply(unit), known=event.state)
        state = self.deck_state(event.deck_id)
        return {"status": state.status.value, "reason": state.reason}

    def _json(self, unit: Unit, reply: ItemReply, *, known: Mapping[str, object] | None = None) -> dict[str, object]:
        item = next((each for each in self.items.get(unit.deck_id, ()) if each.id == unit.item_id), None)
        said = known or {}
        return {
            "answer": reply.answer.value if reply.answer is not None else None,
            "item_version": item.version if item else said.get("item_version", 1),
            "dimension": item.dimension.value if item else said.get("dimension", ""),
            "evidence": [
                {"slide": box.slide, "x0": box.x0, "y0": box.y0, "x1": box.x1, "y1": box.y1} for box in reply.boxes
            ],
            "quotes": [{"source": each.source, "page": each.page, "quote": each.quote} for each in reply.quotes],
            "comment": reply.comment,
            **({"is_flagged": True} if reply.is_flagged else {}),
            "status": AnswerStatus.DRAFT.value,
        }


def _move(seq: int | None, source: list[_Act], target: list[_Act]) -> None:
    """Move an act by its number: histories of several items that were merged interleave, so places tell nothing.

    An undo without a number, as packs of earlier releases carry it, is of the last act.
    """
    for place in range(len(source) - 1, -1, -1):
        if seq is None or source[place][0].seq == seq:
            target.append(source.pop(place))
            return


def reply_of(state: Mapping[str, object]) -> ItemReply:
    """Return the reply that an event left behind, also one that came by table."""
    answer, boxes, quotes = state.get("answer"), state.get("evidence") or [], state.get("quotes") or []
    assert isinstance(boxes, list)
    assert isinstance(quotes, list)
    return ItemReply(
        answer=ItemAnswer(str(answer)) if answer else None,
        boxes=tuple(
            EvidenceBox(slide=int(box["slide"]), **{edge: float(box[edge]) for edge in _EDGES if edge in box})
            for box in boxes
        ),
        quotes=tuple(
            SourceQuote(source=str(each.get("source", "")), page=each.get("page"), quote=str(each.get("quote", "")))
            for each in quotes
        ),
        comment=str(state.get("comment") or ""),
        is_flagged=bool(state.get("is_flagged")),
    )


_EDGES = ("x0", "y0", "x1", "y1")
