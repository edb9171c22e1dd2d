"""One person rating one unit on a set of scales: every act becomes an event, and the events are the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from studio.errors import BadInput
from studio.model.answers import AnswerEvent, AnswerKind, RatingState
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.sessions.answering import Answering, AnsweringRules, AnswerJournal, Unseen, nothing_unseen, remarks_of
from studio.sessions.clock import Spent
from studio.sessions.journal import Record
from studio.sessions.scales import ScaleSet


class RatingSession(Answering[RatingState]):
    """The ratings of one deck, slide or explanation by one person.

    Args:
        instance_id: the deck's instance.
        annotator_id: who rates.
        deck_id: the deck that is rated, or that the slide or explanation belongs to.
        item_key: empty for the whole deck; `#3` for its third slide; the name of an explanation.
        scales: what is rated.
        display: the deck alone.
        events: this person's earlier events for this unit, oldest first.
        record: stores an event durably.
        now: the present time as ISO 8601 in UTC.
        spent: the active and wall seconds since the last event.
        rules: what the answer is stamped with.
        unseen: which slides must still be looked at.
        target: what is rated if it is not the deck: `explanation` and its id.
    """

    kind = AnswerKind.RATING
    changes = Answering.changes | {"rate", "unrate", "comment"}

    def __init__(
        self,
        *,
        instance_id: InstanceId,
        annotator_id: AnnotatorId,
        deck_id: DeckId,
        item_key: str,
        scales: ScaleSet,
        display: tuple[DeckId, ...],
        events: Sequence[AnswerEvent],
        record: Record,
        now: Callable[[], str],
        spent: Callable[[], Spent],
        rules: AnsweringRules | None = None,
        unseen: Unseen = nothing_unseen,
        target: tuple[str, str] | None = None,
    ) -> None:
        self.scales = scales
        self._target = target
        super().__init__(
            instance_id=instance_id, annotator_id=annotator_id, display=display, record=record, now=now, spent=spent,
            history=RatingJournal(events, scale_set=scales.name), deck_id=deck_id, item_key=item_key, rules=rules,
            unseen=unseen,
        )  # fmt: skip

    @property
    def open_dimensions(self) -> tuple[str, ...]:
        """The dimensions without a value, in their order."""
        return tuple(
            scale.dimension for scale in self.scales.scales if scale.dimension not in self.state.values
        )  # fmt: skip

    @property
    def unanswered(self) -> str:
        """What is left to rate, such as "2 scales open: Coverage, Flow"; empty if everything is rated."""
        names = [scale.title for scale in self.scales.scales if scale.dimension not in self.state.values]
        return f"{len(names)} scale{'s' if len(names) != 1 else ''} open: {', '.join(names)}" if names else ""

    def rate(self, dimension: str, value: int) -> None:
        """Give a point of a scale.

        Raises:
            BadInput: if there is no such scale, or no such point on it.
        """
        scale = self.scales.scale(dimension)
        if not scale.low <= value <= scale.high:
            raise BadInput(f"{scale.title} goes from {scale.low} to {scale.high}.")
        if self.state.values.get(dimension) != value:
            self._change("rate", replace(self.state, values={**self.state.values, dimension: value}))

    def unrate(self, dimension: str) -> None:
        """Take the point away that a scale was given."""
        if dimension in self.state.values:
            left = {name: value for name, value in self.state.values.items() if name != dimension}
            self._change("unrate", replace(self.state, values=left))

    def set_comment(self, dimension: str, comment: str) -> None:
        """Keep a comment on one scale; an empty one takes it away."""
        self.scales.scale(dimension)
        if comment != self.state.comments.get(dimension, ""):
            comments = {name: text for name, text in {**self.state.comments, dimension: comment}.items() if text}
            self._change("comment", replace(self.state, comments=comments))

    def _change(self, verb: str, state: RatingState) -> None:
        self._act(verb, replace(state, scale_set=self.scales.name))

    def _state_of(self, event: AnswerEvent) -> RatingState:
        return rating_state_of(event)

    def _as_json(self, state: RatingState) -> dict[str, object]:
        said: dict[str, object] = {
            "scale_set": self.scales.name,
            "values": dict(state.values),
            "comments": dict(state.comments),
            "scales": {scale.dimension: [scale.low, scale.high] for scale in self.scales.scales},
        }
        if self._target is not None:
            said["target"], said["target_id"] = self._target
        return said


class RatingJournal(AnswerJournal[RatingState]):
    """The journal of one unit's ratings."""

    def __init__(self, events: Sequence[AnswerEvent], *, scale_set: str = "") -> None:
        super().__init__(events, empty=RatingState(scale_set=scale_set), state_of=rating_state_of)


def rating_state_of(event: AnswerEvent) -> RatingState:
    """Return the ratings that an event left behind.

    Raises:
        BadInput: if the event holds none.
    """
    values, comments = event.state.get("values", {}), event.state.get("comments", {})
    if not isinstance(values, dict) or not isinstance(comments, dict):
        raise BadInput(f"Answer event {event.seq} has no ratings.", next_step="Restore a saved copy of the project.")
    return RatingState(
        **remarks_of(event),
        scale_set=str(event.state.get("scale_set", "")),
        values={str(name): int(value) for name, value in values.items()},
        comments={str(name): str(text) for name, text in comments.items()},
    )
