"""Conversations about decks that were made worse on purpose: whether a judge notices, and from which degree on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from studio.model.judging import Conversation, ConversationResult, JudgeRequest, Replies, VerdictRecord
from studio.model.reflex import ContentMetric, Recipe

DETAIL = "worse"
"""Key of a record's detail that tells a verdict on a worse deck from one on the deck itself."""


@dataclass(frozen=True, kw_only=True)
class WorseConversation:
    """What is asked about a worse deck, in the place of the deck itself; its verdicts name the defect.

    The request is the same as if the deck came so, so that the whole deck (degree 0) is not asked about twice.
    """

    inner: Conversation
    recipe: Recipe | None
    """None: the deck as it is, degree 0, to compare with."""
    metric: ContentMetric | None = None
    """The defect; None for the deck as it is."""
    degree: int = 0
    """0 to 4."""

    def key_parts(self) -> tuple[object, ...]:
        """See `Conversation.key_parts`."""
        recipe = [] if self.recipe is None else [self.recipe.seed, list(self.recipe.permutation)]
        return ("worse", self._defect, self.degree, recipe, *self.inner.key_parts())

    def requests(self) -> tuple[JudgeRequest, ...]:
        """See `Conversation.requests`."""
        return self.inner.requests()

    def subjects(self) -> tuple[VerdictRecord, ...]:
        """See `Conversation.subjects`."""
        return tuple(self._named(record) for record in self.inner.subjects())

    def hold(self, ask: Replies) -> ConversationResult:
        """See `Conversation.hold`."""
        result = self.inner.hold(ask)
        return replace(result, verdicts=tuple(self._named(record) for record in result.verdicts))

    def _named(self, record: VerdictRecord) -> VerdictRecord:
        # Another name than the criterion's, so that nobody takes it for a verdict on the deck.
        told = {"metric": self._defect, "degree": self.degree, "of": record.item_id}
        name = f"{record.item_id}~{self._defect or 'whole'}-{self.degree}"
        return replace(record, item_id=name, detail={**record.detail, DETAIL: told})

    @property
    def _defect(self) -> str:
        return self.metric.value if self.metric is not None else ""
