"""The rating protocol: one call for each deck and criterion, a number from 1 to 10 (SlidesGen-Bench, section 3.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from studio.judges.evidence import slides_named
from studio.judges.prompts import Prompt, prompt
from studio.judges.re_asking import ATTEMPTS, Ending, Unreadable, ask_until_read, parts_key, request_of, result_of
from studio.judges.re_asking import without_verdict as failed
from studio.judges.scored_json import ScoreRead, read_score
from studio.judges.shown import ShownDeck
from studio.model.checklists import EvidenceBox
from studio.model.judging import ConversationResult, JudgeReply, JudgeRequest, ParseStatus, Replies, VerdictRecord

CRITERIA = ("harmony", "engagement", "usability", "rhythm")
"""The paper's four aesthetic criteria."""
SCALE = (1.0, 10.0)


@dataclass(frozen=True, kw_only=True)
class RatingConversation:
    """One criterion of one deck."""

    about: VerdictRecord
    """Its item is the criterion."""
    deck: ShownDeck
    attempts: int = ATTEMPTS

    def key_parts(self) -> tuple[object, ...]:
        """See `Conversation.key_parts`."""
        return ("rating", self._prompt.id, parts_key(self.deck.parts), self.about.sample)

    def requests(self) -> tuple[JudgeRequest, ...]:
        """See `Conversation.requests`."""
        return (request_of(self.deck.parts, self._prompt.filled(), [self._prompt.id], sample=self.about.sample),)

    def subjects(self) -> tuple[VerdictRecord, ...]:
        """See `Conversation.subjects`."""
        return (self.about,)

    def hold(self, ask: Replies) -> ConversationResult:
        """See `Conversation.hold`."""
        found, reply = ask_until_read(ask, self.requests()[0], _read, attempts=self.attempts)
        if isinstance(found, Ending):
            return result_of([failed(self.about, found, reply)])
        return result_of([scored(self.about, found, SCALE, self.deck.slides)])

    @property
    def _prompt(self) -> Prompt:
        return prompt(f"rating-{self.about.item_id}")


def scored(
    about: VerdictRecord, found: ScoreRead, scale: tuple[float, float], shown: tuple[int, ...] = ()
) -> VerdictRecord:
    """Return the record of something that got a score, with the slides that its reason names."""
    return replace(
        about, verdict=f"{found.score:g}", score=found.score, scale=scale, reason=found.reason,
        parse=ParseStatus.REPAIRED if found.is_surrounded else ParseStatus.OK,
        boxes=tuple(EvidenceBox(slide=slide) for slide in slides_named(found.reason, shown)),
    )  # fmt: skip


def _read(reply: JudgeReply) -> ScoreRead | Unreadable:
    return read_score(reply.text, *SCALE)
