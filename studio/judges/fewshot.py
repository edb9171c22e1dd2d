"""The few-shot baseline of content scores: one example, then explanation and score in one reply (REFLEX, section 4.1).

The example's explanation has the wording of the trained scorers' explanations, so that both can be compared item by
item. Differs: the example is invented and the same for every deck, and the score is asked for in the same reply.
"""

from __future__ import annotations

from dataclasses import dataclass

from studio.judges.geval import CRITERIA, NEEDS_SOURCES
from studio.judges.prompts import Prompt, prompt
from studio.judges.rating import scored
from studio.judges.re_asking import ATTEMPTS, Ending, Unreadable, ask_until_read, parts_key, request_of, result_of
from studio.judges.re_asking import without_verdict as failed
from studio.judges.scored_json import ScoreRead, read_score
from studio.model.judging import ConversationResult, JudgeReply, JudgeRequest, Part, Replies, VerdictRecord

SCALE = (1.0, 5.0)


@dataclass(frozen=True, kw_only=True)
class FewShotConversation:
    """One content criterion of one deck."""

    about: VerdictRecord
    """Its item is the criterion."""
    parts: tuple[Part, ...]
    """The deck, and for coverage its sources."""
    slides: tuple[int, ...] = ()
    """Numbers of the slides that are shown."""
    attempts: int = ATTEMPTS

    def key_parts(self) -> tuple[object, ...]:
        """See `Conversation.key_parts`."""
        return ("fewshot", self._prompt.id, parts_key(self.parts), self.about.sample)

    def requests(self) -> tuple[JudgeRequest, ...]:
        """See `Conversation.requests`."""
        return (request_of(self.parts, self._prompt.filled(), [self._prompt.id], sample=self.about.sample),)

    def subjects(self) -> tuple[VerdictRecord, ...]:
        """See `Conversation.subjects`."""
        return (self.about,)

    def hold(self, ask: Replies) -> ConversationResult:
        """See `Conversation.hold`. The explanation is the record's reason."""
        found, reply = ask_until_read(ask, self.requests()[0], _read, attempts=self.attempts)
        if isinstance(found, Ending):
            return result_of([failed(self.about, found, reply)])
        return result_of([scored(self.about, found, SCALE, self.slides)])

    @property
    def _prompt(self) -> Prompt:
        return prompt(f"fewshot-{self.about.item_id}")


def _read(reply: JudgeReply) -> ScoreRead | Unreadable:
    return read_score(reply.text, *SCALE, whole=True)


__all__ = ["CRITERIA", "NEEDS_SOURCES", "SCALE", "FewShotConversation"]
