"""One person ranking one instance's decks: every act becomes an event, and the events are the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from studio.errors import BadInput
from studio.model.answers import (
    AnswerEvent,
    AnswerKind,
    Comparison,
    Preference,
    RankingState,
    RankMethod,
)
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.model.studies import RankingRule
from studio.sessions import comparison, placement
from studio.sessions.answering import Answering, AnsweringRules, AnswerJournal, Unseen, nothing_unseen, remarks_of
from studio.sessions.clock import Spent
from studio.sessions.journal import Record


@dataclass(frozen=True, kw_only=True)
class Slot:
    """One rank and the decks that hold it; empty slots have none."""

    rank: int
    decks: tuple[DeckId, ...]
    has_large_gap: bool = False
    """Whether the gap to the next decks below is large (≫)."""


@dataclass(frozen=True, kw_only=True)
class RankingRules(AnsweringRules):
    """What the study asks for."""

    rule: RankingRule = RankingRule.FULL
    top_k: int = 3
    """How many decks must be ranked under the rule of that name."""
    ties_allowed: bool = True
    graded_gaps: bool = False


class RankingSession(Answering[RankingState]):
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
        unseen: which slides must still be looked at.
    """

    kind = AnswerKind.RANKING
    changes = Answering.changes | {"rank", "unrank", "move", "tie", "gap", "compare", "repair"}

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
        unseen: Unseen = nothing_unseen,
    ) -> None:
        self.rules = rules or RankingRules()
        super().__init__(
            instance_id=instance_id, annotator_id=annotator_id, display=display, record=record, now=now, spent=spent,
            history=History(events), rules=self.rules, unseen=unseen,
        )  # fmt: skip

    @property
    def state(self) -> RankingState:
        """The present answer, over the decks that can still be seen."""
        state = self._history.state
        if all(deck in self.display for deck in state.ranks):
            return state
        # A deck may be gone since, or have lost its pictures; the others keep their order.
        seen = {deck: rank for deck, rank in state.ranks.items() if deck in self.display}
        return replace(
            state,
            ranks=placement.settle(seen, len(self.display)),
            large_gaps=frozenset(deck for deck in state.large_gaps if deck in seen),
        )

    @property
    def unranked(self) -> tuple[DeckId, ...]:
        """The decks without a rank, in display order."""
        return tuple(deck for deck in self.display if deck not in self.state.ranks)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """All rank slots from 1; a tie of m decks takes m of them but shows as one."""
        state = self.state
        by_rank: dict[int, list[DeckId]] = {}
        for deck in self.display:
            if deck in state.ranks:
                by_rank.setdefault(state.ranks[deck], []).append(deck)
        found, rank = [], 1
        while rank <= len(self.display):
            decks = tuple(by_rank.get(rank, ()))
            is_large = self.rules.graded_gaps and any(deck in state.large_gaps for deck in decks)
            found.append(Slot(rank=rank, decks=decks, has_large_gap=is_large))
            rank += max(1, len(decks))
        return tuple(found)

    @property
    def needed(self) -> int:
        """How many decks must have a rank before this can be submitted."""
        match self.rules.rule:
            case RankingRule.FULL:
                return len(self.display)
            case RankingRule.TOP_K:
                return min(self.rules.top_k, len(self.display))
            case RankingRule.ANY:
                return 1

    @property
    def unanswered(self) -> str:
        """Why the ranking cannot be submitted, such as "2 decks unranked: C, E"; empty if it can."""
        unranked = self.unranked
        names = ", ".join(self.letter_of(deck) for deck in unranked)
        if self.sort.cycle and self.state.rank_method is RankMethod.COMPARISON:
            return f"Answers contradict each other: {self.cycle_words()}"
        if not self.state.ranks:
            return f"No deck ranked yet: {names}"
        n_ranked = len(self.state.ranks)
        if n_ranked >= self.needed:
            return ""
        if self.rules.rule is RankingRule.TOP_K:
            return f"Best {self.needed} wanted, {n_ranked} ranked; unranked: {names}"
        return f"{len(unranked)} deck{'s' if len(unranked) != 1 else ''} unranked: {names}"

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
        self._place("rank", deck, ranks)

    def unrank(self, deck: DeckId) -> None:
        """Take a deck's rank away."""
        if deck in self.state.ranks:
            self._place("unrank", deck, placement.lift_out(self.state.ranks, deck))

    def move(self, deck: DeckId, step: int) -> None:
        """Move a ranked deck one place up (-1) or down (+1)."""
        if deck in self.state.ranks:
            self._place("move", deck, placement.move(self.state.ranks, deck, step, len(self.display)))

    def tie(self, deck: DeckId) -> None:
        """Tie a deck with the one above it, or end the tie it is in.

        Raises:
            BadInput: if the study allows no ties.
        """
        if not self.rules.ties_allowed:
            raise BadInput("This study allows no ties.")
        if deck in self.state.ranks:
            self._place("tie", deck, placement.tie_with_above(self.state.ranks, deck, len(self.display)))

    def toggle_gap(self, deck: DeckId) -> None:
        """Say that the gap below a deck's tier is large (≫), or usual again (>).

        Raises:
            BadInput: if the study does not ask for gaps, or no ranked deck stands below.
        """
        if not self.rules.graded_gaps:
            raise BadInput("This study does not ask how large the gaps are.")
        state = self.state
        if deck not in state.ranks or not _below(state.ranks, state.ranks[deck]):
            raise BadInput("There is no ranked deck below this one.")
        tier = frozenset(other for other, rank in state.ranks.items() if rank == state.ranks[deck])
        gaps = state.large_gaps - tier if tier & state.large_gaps else state.large_gaps | tier
        self._act("gap", replace(state, large_gaps=gaps), acted_on=deck)

    # by comparison

    @property
    def sort(self) -> comparison.Sorted:
        """How far the decks are sorted by the comparisons, and what to ask next."""
        return comparison.sort_by(self.display, self.state.comparisons)

    def cycle_words(self) -> str:
        """Return a contradiction as letters, such as "A > B > C > A"; empty if there is none."""
        cycle = self.sort.cycle
        if not cycle:
            return ""
        words = self.letter_of(cycle[0].better)
        return words + "".join(f" {'=' if link.is_tie else '>'} {self.letter_of(link.worse)}" for link in cycle)

    def compare(self, first: DeckId, second: DeckId, said: Preference) -> None:
        """Answer which of two decks is better, or answer it anew; when the order is complete it becomes the ranking.

        Raises:
            BadInput: if the study allows no ties and this is one, or "both bad" is said, which gives no order.
        """
        if said is Preference.TIE and not self.rules.ties_allowed:
            raise BadInput("This study allows no ties: choose the one that is a little better.")
        if said is Preference.BOTH_BAD:
            raise BadInput("A ranking needs an order: choose one of them, or say that they are equal.")
        state = self.state
        pair = frozenset((first, second))
        others = tuple(item for item in state.comparisons if frozenset((item.first, item.second)) != pair)
        given = (*others, Comparison(first=first, second=second, said=said))
        found = comparison.sort_by(self.display, given)
        verb = "repair" if len(others) < len(state.comparisons) else "compare"
        self._act(
            verb,
            replace(
                state, comparisons=given, rank_method=RankMethod.COMPARISON, ranks=found.ranks,
                large_gaps=_gaps_that_hold(state.large_gaps, state.ranks, found.ranks),
            ),
        )  # fmt: skip

    # for the base

    def _as_submitted(self) -> RankingState:
        ranks = placement.competition(self.state.ranks)
        return replace(self.state, ranks=ranks)

    def _place(self, verb: str, deck: DeckId, ranks: Mapping[DeckId, int]) -> None:
        state = self.state
        if dict(ranks) != state.ranks:
            gaps = _gaps_that_hold(state.large_gaps, state.ranks, ranks)
            placed = replace(state, ranks=dict(ranks), large_gaps=gaps, rank_method=RankMethod.RANKING)
            self._act(verb, placed, acted_on=deck)

    def _state_of(self, event: AnswerEvent) -> RankingState:
        return state_of(event)

    def _as_json(self, state: RankingState) -> dict[str, object]:
        return {
            "ranks": dict(state.ranks),
            "rank_method": state.rank_method.value,
            "large_gaps": sorted(state.large_gaps),
            "comparisons": [[item.first, item.second, item.said.value] for item in state.comparisons],
        }


class History(AnswerJournal[RankingState]):
    """The journal of one ranking."""

    def __init__(self, events: Sequence[AnswerEvent]) -> None:
        super().__init__(events, empty=RankingState(), state_of=state_of)


def state_of(event: AnswerEvent) -> RankingState:
    """Return the ranking that an event left behind.

    Raises:
        BadInput: if the event holds no ranks.
    """
    raw = event.state
    ranks, gaps, compared = raw.get("ranks", {}), raw.get("large_gaps", []), raw.get("comparisons", [])
    if not (isinstance(ranks, dict) and isinstance(gaps, list) and isinstance(compared, list)):
        raise BadInput(f"Answer event {event.seq} has no ranks.", next_step="Restore a saved copy of the project.")
    return RankingState(
        **remarks_of(event),
        ranks={DeckId(deck): int(rank) for deck, rank in ranks.items()},
        rank_method=RankMethod(str(raw.get("rank_method", RankMethod.RANKING.value))),
        large_gaps=frozenset(DeckId(deck) for deck in gaps),
        comparisons=tuple(
            Comparison(first=DeckId(first), second=DeckId(second), said=Preference(said))
            for first, second, said in compared
        ),
    )


def _below(ranks: Mapping[DeckId, int], rank: int) -> frozenset[DeckId]:
    """Return the decks of the tier next below a rank."""
    below = min((other for other in ranks.values() if other > rank), default=None)
    return frozenset(deck for deck, other in ranks.items() if other == below)


def _gaps_that_hold(
    gaps: Iterable[DeckId], before: Mapping[DeckId, int], after: Mapping[DeckId, int]
) -> frozenset[DeckId]:  # fmt: skip
    """Return the large gaps that a new order leaves: those over which a deck still stands that stood there before.

    A gap was said about two neighbours; between others it was not.
    """
    kept = frozenset(
        deck
        for deck in gaps
        if deck in after and deck in before and _below(before, before[deck]) & _below(after, after[deck])
    )
    ranks_kept = {after[deck] for deck in kept}
    return frozenset(deck for deck, rank in after.items() if rank in ranks_kept)
