"""One person saying which of two units is better, or which of four is best and which worst."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from studio.errors import BadInput
from studio.model.answers import AnswerEvent, AnswerKind, BestWorstState, PairState, Preference
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.sessions.answering import Answering, AnsweringRules, AnswerJournal, Unseen, nothing_unseen, remarks_of
from studio.sessions.clock import Spent
from studio.sessions.journal import Record
from studio.sessions.pairing import item_key as key_of

STRENGTHS = {1: "slightly", 2: "clearly", 3: "much"}
"""How much better, in words."""


class PairSession(Answering[PairState]):
    """Two units and one person's preference.

    Args:
        instance_id: the instance that they belong to.
        annotator_id: who answers.
        display: their decks, left and right.
        units: the units, left and right: a deck's id, or `ID#3` for its third slide.
        events: this person's earlier events for this pair, oldest first.
        record: stores an event durably.
        now: the present time as ISO 8601 in UTC.
        spent: the active and wall seconds since the last event.
        ties_allowed: whether "equal" and "both bad" are answers.
        rules: what the answer is stamped with.
        unseen: which slides must still be looked at.
    """

    kind = AnswerKind.PAIR
    changes = Answering.changes | {"prefer", "strength"}

    def __init__(
        self,
        *,
        instance_id: InstanceId,
        annotator_id: AnnotatorId,
        display: tuple[DeckId, ...],
        units: tuple[str, ...],
        events: Sequence[AnswerEvent],
        record: Record,
        now: Callable[[], str],
        spent: Callable[[], Spent],
        ties_allowed: bool = True,
        rules: AnsweringRules | None = None,
        unseen: Unseen = nothing_unseen,
    ) -> None:
        self.units = units
        self.ties_allowed = ties_allowed
        super().__init__(
            instance_id=instance_id, annotator_id=annotator_id, display=display, record=record, now=now, spent=spent,
            history=PairJournal(events), item_key=key_of(units), rules=rules, unseen=unseen,
        )  # fmt: skip

    @property
    def unanswered(self) -> str:
        """What is left to say."""
        return "" if self.state.preference is not None else "Which one is better?"

    @property
    def shown_preference(self) -> Preference | None:
        """The preference by sides: `A` is the left one, as it is named on the screen."""
        said = self.state.preference
        return said if said is None or not self._is_turned() else _TURNED.get(said, said)

    def prefer(self, side: Preference) -> None:
        """Say which side is better: `A` is the left one; how much better is then open again.

        Raises:
            BadInput: if the study allows no ties and this is one.
        """
        if side is Preference.TIE and not self.ties_allowed:
            raise BadInput("This study allows no ties: choose the one that is a little better.")
        said = _TURNED.get(side, side) if self._is_turned() else side
        if said is not self.state.preference:
            self._act("prefer", replace(self.state, preference=said, strength=None))

    def set_strength(self, strength: int) -> None:
        """Say how much better the preferred side is.

        Raises:
            BadInput: if neither side is preferred, or there is no such strength.
        """
        if self.state.preference not in {Preference.A, Preference.B}:
            raise BadInput("Say first which one is better.")
        if strength not in STRENGTHS:
            raise BadInput(f"There is no strength {strength}: {', '.join(f'{n} {w}' for n, w in STRENGTHS.items())}.")
        self._act("strength", replace(self.state, strength=strength))

    def _is_turned(self) -> bool:
        return self.units[0] != self.item_key.partition("|")[0]

    def _state_of(self, event: AnswerEvent) -> PairState:
        return pair_state_of(event)

    def _as_json(self, state: PairState) -> dict[str, object]:
        cannot = state.status.value == "cannot_judge"
        said = state.preference.value if state.preference else None
        return {
            "preference": "cannot_judge" if cannot else said,
            "preferred_before": said if cannot else None,
            "strength": state.strength,
            "shown_left": self.units[0],
        }


class PairJournal(AnswerJournal[PairState]):
    """The journal of one pair."""

    def __init__(self, events: Sequence[AnswerEvent]) -> None:
        super().__init__(events, empty=PairState(), state_of=pair_state_of)


def pair_state_of(event: AnswerEvent) -> PairState:
    """Return the answer about a pair that an event left behind."""
    raw = event.state
    said = raw.get("preference")
    if said == "cannot_judge":
        said = raw.get("preferred_before")
    strength = raw.get("strength")
    return PairState(
        **remarks_of(event),
        preference=Preference(str(said)) if said else None,
        strength=int(strength) if isinstance(strength, int | float) else None,
    )


class BestWorstSession(Answering[BestWorstState]):
    """Four units, and which of them one person finds best and worst; the arguments are those of `PairSession`."""

    kind = AnswerKind.BEST_WORST
    changes = Answering.changes | {"best", "worst"}

    def __init__(
        self,
        *,
        instance_id: InstanceId,
        annotator_id: AnnotatorId,
        display: tuple[DeckId, ...],
        units: tuple[str, ...],
        events: Sequence[AnswerEvent],
        record: Record,
        now: Callable[[], str],
        spent: Callable[[], Spent],
        rules: AnsweringRules | None = None,
        unseen: Unseen = nothing_unseen,
    ) -> None:
        self.units = units
        super().__init__(
            instance_id=instance_id, annotator_id=annotator_id, display=display, record=record, now=now, spent=spent,
            history=BestWorstJournal(events), item_key=key_of(units), rules=rules, unseen=unseen,
        )  # fmt: skip

    @property
    def unanswered(self) -> str:
        """What is left to say."""
        left = [word for word, unit in (("best", self.state.best), ("worst", self.state.worst)) if not unit]
        return f"Which one is {' and which is '.join(left)}?" if left else ""

    def set_best(self, unit: str) -> None:
        """Say which unit is best; if it was the worst, that is open again."""
        self._check(unit)
        worst = "" if self.state.worst == unit else self.state.worst
        self._act("best", replace(self.state, best=unit, worst=worst))

    def set_worst(self, unit: str) -> None:
        """Say which unit is worst; if it was the best, that is open again."""
        self._check(unit)
        best = "" if self.state.best == unit else self.state.best
        self._act("worst", replace(self.state, worst=unit, best=best))

    def _check(self, unit: str) -> None:
        if unit not in self.units:
            raise BadInput("That is not one of those to choose from.")

    def _state_of(self, event: AnswerEvent) -> BestWorstState:
        return best_worst_state_of(event)

    def _as_json(self, state: BestWorstState) -> dict[str, object]:
        return {"best": state.best, "worst": state.worst}


class BestWorstJournal(AnswerJournal[BestWorstState]):
    """The journal of one best-worst question."""

    def __init__(self, events: Sequence[AnswerEvent]) -> None:
        super().__init__(events, empty=BestWorstState(), state_of=best_worst_state_of)


def best_worst_state_of(event: AnswerEvent) -> BestWorstState:
    """Return the answer about a group that an event left behind."""
    return BestWorstState(
        **remarks_of(event), best=str(event.state.get("best", "")), worst=str(event.state.get("worst", ""))
    )


_TURNED = {Preference.A: Preference.B, Preference.B: Preference.A}
