"""One person ranking one instance's decks: every act becomes an event, and the events are the answer."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from studio.errors import BadInput
from studio.model.answers import AnswerEvent, AnswerKind, AnswerStatus, RankingState
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.sessions import placement
from studio.sessions.clock import Spent, Unstored
from studio.sessions.journal import Journal, Record
from studio.sessions.order import letter

_DECISIONS = frozenset(
    status.value for status in (AnswerStatus.SUBMITTED, AnswerStatus.RETURNED, AnswerStatus.CANNOT_JUDGE)
)
"""What settles an answer; changing it afterwards begins a new revision."""


@dataclass(frozen=True, kw_only=True)
class Slot:
    """One rank and the decks that hold it; empty slots have none."""

    rank: int
    decks: tuple[DeckId, ...]


@dataclass(frozen=True, kw_only=True)
class RankingRules:
    """What the study asks for."""

    must_rank_all: bool = True
    ties_allowed: bool = True
    guidelines_version: str = ""
    app_version: str = ""


class RankingSession:
    """The ranking of one instance by one person.

    The state is only ever what the stored events say: an act is first recorded, then shown. A deck that nobody
    placed is unranked, whatever the order on the screen.

    Args:
        instance_id: what is ranked.
        annotator_id: who ranks.
        display: the decks in the order in which they are shown.
        events: this person's earlier events for this instance, oldest first.
        record: stores an event durably.
        now: the present time as ISO 8601 in UTC.
        spent: the active and wall seconds since the last event.
        rules: what the study asks for.
    """

    def __init__(
        self,
        *,
        instance_id: InstanceId,
        annotator_id: AnnotatorId,
        display: tuple[DeckId, ...],
        events: Sequence[AnswerEvent],
        record: Record,
        now: Callable[[], str],
        spent: Callable[[], Spent],
        rules: RankingRules | None = None,
    ) -> None:
        self.instance_id = instance_id
        self.annotator_id = annotator_id
        self.display = display
        self.rules = rules or RankingRules()
        self._record = record
        self._now = now
        self._spent = spent
        self._unstored = Unstored()
        self._history = History(events)
        self.saved_at = events[-1].at if events else ""

    @property
    def state(self) -> RankingState:
        """The present answer, over the decks that can still be seen."""
        state = self._history.state
        if all(deck in self.display for deck in state.ranks):
            return state
        # A deck may be gone since, or have lost its pictures; the others keep their order.
        seen = {deck: rank for deck, rank in state.ranks.items() if deck in self.display}
        return replace(state, ranks=placement.settle(seen, len(self.display)))

    @property
    def revision(self) -> int:
        """1 until the first change of a settled answer, then one more each time."""
        return self._history.revision

    @property
    def unranked(self) -> tuple[DeckId, ...]:
        """The decks without a rank, in display order."""
        return tuple(deck for deck in self.display if deck not in self.state.ranks)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """All rank slots from 1; a tie of m decks takes m of them but shows as one."""
        by_rank: dict[int, list[DeckId]] = {}
        for deck in self.display:
            if deck in self.state.ranks:
                by_rank.setdefault(self.state.ranks[deck], []).append(deck)
        found, rank = [], 1
        while rank <= len(self.display):
            decks = tuple(by_rank.get(rank, ()))
            found.append(Slot(rank=rank, decks=decks))
            rank += max(1, len(decks))
        return tuple(found)

    def letter_of(self, deck: DeckId) -> str:
        """Return a deck's anonymous name."""
        return letter(self.display.index(deck))

    @property
    def missing(self) -> str:
        """Why the ranking cannot be submitted, such as "2 decks unranked: C, E"; empty if it can."""
        unranked = self.unranked
        names = ", ".join(self.letter_of(deck) for deck in unranked)
        if not self.state.ranks:
            return f"No deck ranked yet: {names}"
        if unranked and self.rules.must_rank_all:
            return f"{len(unranked)} deck{'s' if len(unranked) != 1 else ''} unranked: {names}"
        return ""

    @property
    def can_undo(self) -> bool:
        """Whether there is an act to take back."""
        return bool(self._history.done)

    @property
    def can_redo(self) -> bool:
        """Whether there is an act to bring back."""
        return bool(self._history.undone)

    def rank(self, deck: DeckId, rank: int) -> None:
        """Give a deck a rank; a deck already there ties with it, or makes room where ties are not allowed.

        Raises:
            BadInput: if there is no such rank, or no such deck.
        """
        if deck not in self.display:
            raise BadInput("That deck is not among those to rank here.", next_step="Open the instance again.")
        n_slots = len(self.display)
        if not 1 <= rank <= n_slots:
            raise BadInput(f"There is no rank {rank}: ranks go from 1 to {n_slots}.")
        ranks = placement.put(self.state.ranks, deck, rank, n_slots, ties_allowed=self.rules.ties_allowed)
        self._place("rank", ranks)

    def unrank(self, deck: DeckId) -> None:
        """Take a deck's rank away."""
        if deck in self.state.ranks:
            self._place("unrank", placement.lift_out(self.state.ranks, deck))

    def move(self, deck: DeckId, step: int) -> None:
        """Move a ranked deck one place up (-1) or down (+1)."""
        if deck in self.state.ranks:
            self._place("move", placement.move(self.state.ranks, deck, step, len(self.display)))

    def tie(self, deck: DeckId) -> None:
        """Tie a deck with the one above it, or end the tie it is in.

        Raises:
            BadInput: if the study allows no ties.
        """
        if not self.rules.ties_allowed:
            raise BadInput("This study allows no ties.")
        if deck in self.state.ranks:
            self._place("tie", placement.tie_with_above(self.state.ranks, deck, len(self.display)))

    def set_note(self, note: str) -> None:
        """Keep a comment on the whole answer."""
        if note != self.state.note:
            self._act("note", replace(self.state, note=note))

    def toggle_flag(self) -> None:
        """Set or clear the flag."""
        self._act("flag", replace(self.state, is_flagged=not self.state.is_flagged))

    def toggle_recognised(self) -> None:
        """Note, or take back, that the person recognised a system."""
        self._act("recognised", replace(self.state, recognised_system=not self.state.recognised_system))

    def submit(self) -> None:
        """Submit the ranking; one that is submitted as it stands stays as it is.

        Raises:
            BadInput: if it is incomplete; the message says what is missing.
        """
        if self.missing:
            raise BadInput(f"{self.missing}.")
        ranks = placement.competition(self.state.ranks)
        self._act("submit", replace(self.state, ranks=ranks, status=AnswerStatus.SUBMITTED, reason=""))

    def skip(self) -> None:
        """Leave the instance for later; it goes to the end of this person's queue."""
        self._act("skip", replace(self.state, status=AnswerStatus.SKIPPED))

    def cannot_judge(self, reason: str) -> None:
        """Record that this instance cannot be judged, and why.

        Raises:
            BadInput: if no reason is given.
        """
        if not reason.strip():
            raise BadInput("Say why it cannot be judged.")
        self._act("cannot_judge", replace(self.state, status=AnswerStatus.CANNOT_JUDGE, reason=reason.strip()))

    def undo(self) -> None:
        """Take the last act back; this is one more event."""
        if self.can_undo:
            self._store("undo", self._history.state_before_last(), target=self._history.done[-1].seq)

    def redo(self) -> None:
        """Bring the last act that was taken back again; this is one more event."""
        if self.can_redo:
            event = self._history.undone[-1]
            self._store("redo", state_of(event), target=event.seq)

    def _place(self, verb: str, ranks: Mapping[DeckId, int]) -> None:
        if dict(ranks) != self.state.ranks:
            self._act(verb, replace(self.state, ranks=dict(ranks)))

    def _act(self, verb: str, state: RankingState) -> None:
        is_change = verb in {"rank", "unrank", "move", "tie", "note", "flag", "recognised"}
        if is_change and state.status is not AnswerStatus.DRAFT:
            state = replace(state, status=AnswerStatus.DRAFT, reason="")
        if state != self.state:
            self._store(verb, state)

    def _store(self, verb: str, state: RankingState, *, target: int | None = None) -> None:
        spent = self._unstored.add(self._spent())
        revision = self.revision
        if target is None and self.state.status.value in _DECISIONS:
            revision += 1
        stored = self._record(
            AnswerEvent(
                seq=0,
                uid=uuid.uuid4().hex,
                kind=AnswerKind.RANKING,
                instance_id=self.instance_id,
                annotator_id=self.annotator_id,
                deck_id=None,
                item_key="",
                verb=verb,
                state=_as_json(state),
                at=self._now(),
                active_s=round(spent.active_s, 3),
                wall_s=round(spent.wall_s, 3),
                target=target,
                display=self.display,
                revision=revision,
                guidelines_version=self.rules.guidelines_version,
                app_version=self.rules.app_version,
            )
        )
        self._unstored.clear()
        self._history.add(stored)
        self.saved_at = stored.at


class History(Journal[RankingState]):
    """The journal of one ranking."""

    def __init__(self, events: Sequence[AnswerEvent]) -> None:
        super().__init__(events, empty=RankingState(), state_of=state_of)

    @property
    def last_decision(self) -> AnswerEvent | None:
        """The newest act that settled the answer (submitted, returned, cannot judge) and was not taken back.

        A skip and a draft settle nothing: what was submitted before stays the answer.
        """
        return next((event for event in reversed(self.done) if event.state.get("status") in _DECISIONS), None)

    @property
    def last_submit(self) -> AnswerEvent | None:
        """The submitted answer that holds, or None if none was, or if it was returned or taken for unjudgeable."""
        event = self.last_decision
        return event if event is not None and event.state.get("status") == AnswerStatus.SUBMITTED.value else None


def state_of(event: AnswerEvent) -> RankingState:
    """Return the ranking that an event left behind.

    Raises:
        BadInput: if the event holds no ranks.
    """
    raw = event.state
    ranks = raw.get("ranks", {})
    if not isinstance(ranks, dict):
        raise BadInput(f"Answer event {event.seq} has no ranks.", next_step="Restore a saved copy of the project.")
    return RankingState(
        ranks={DeckId(deck): int(rank) for deck, rank in ranks.items()},
        status=AnswerStatus(str(raw.get("status", "draft"))),
        note=str(raw.get("note", "")),
        is_flagged=bool(raw.get("is_flagged", False)),
        reason=str(raw.get("reason", "")),
        recognised_system=bool(raw.get("recognised_system", False)),
    )


def _as_json(state: RankingState) -> dict[str, object]:
    return {
        "ranks": dict(state.ranks),
        "status": state.status.value,
        "note": state.note,
        "is_flagged": state.is_flagged,
        "reason": state.reason,
        "recognised_system": state.recognised_system,
    }
