"""PPTEval: content and design of each slide, coherence of the deck, each in two stages and from 1 to 5.

Source: Zheng et al. (2025), PPTAgent, section 4. Differs: own words, own prompts; the first stage's text is kept as
evidence; a slide without a score is left out of its deck's mean and counted.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from studio.judges.prompts import prompt
from studio.judges.rating import scored
from studio.judges.re_asking import (
    ATTEMPTS,
    Ending,
    Unreadable,
    ask_until_read,
    parts_key,
    request_of,
    result_of,
    text_key,
    without_verdict,
)
from studio.judges.reply_json import number_in, objects_in, text_in
from studio.judges.scored_json import ScoreRead, read_score
from studio.model.judging import ConversationResult, JudgeReply, JudgeRequest, Part, Replies, VerdictRecord

SLIDE_DIMENSIONS = ("content", "design")
COHERENCE = "coherence"
DIMENSIONS = (*SLIDE_DIMENSIONS, COHERENCE)
SCALE = (1.0, 5.0)


@dataclass(frozen=True, kw_only=True)
class SlideConversation:
    """Content or design of one slide: a description is made of it, and the description is scored."""

    about: VerdictRecord
    """Its item is the dimension, and its slide is given."""
    parts: tuple[Part, ...]
    """The slide."""
    attempts: int = ATTEMPTS

    def key_parts(self) -> tuple[object, ...]:
        """See `Conversation.key_parts`."""
        ids = [prompt(self._name(stage)).id for stage in ("describe", "score")]
        return ("ppteval", self.about.item_id, ids, parts_key(self.parts), self.about.sample)

    def requests(self) -> tuple[JudgeRequest, ...]:
        """See `Conversation.requests`. The second stage sends words only."""
        describe = prompt(self._name("describe"))
        return (request_of(self.parts, describe.filled(), [describe.id], sample=self.about.sample),)

    def subjects(self) -> tuple[VerdictRecord, ...]:
        """See `Conversation.subjects`."""
        return (self.about,)

    def hold(self, ask: Replies) -> ConversationResult:
        """See `Conversation.hold`."""
        described, reply = ask_until_read(ask, self.requests()[0], _words, attempts=self.attempts)
        if isinstance(described, Ending):
            return result_of([without_verdict(self.about, _at("describing", described), reply)])
        about = replace(self.about, detail={**self.about.detail, "description": described})
        score = prompt(self._name("score"))
        request = request_of((), score.filled({"description": described}), [score.id], sample=about.sample)
        return _scored(about, request, ask, self.attempts)

    def _name(self, stage: str) -> str:
        return f"ppteval-{self.about.item_id}-{stage}"


@dataclass(frozen=True, kw_only=True)
class CoherenceConversation:
    """Coherence of a deck: the purpose of each slide is drawn from its text, and what was drawn is scored."""

    about: VerdictRecord
    texts: tuple[str, ...]
    """Text of each judged slide, in order."""
    attempts: int = ATTEMPTS

    def key_parts(self) -> tuple[object, ...]:
        """See `Conversation.key_parts`."""
        ids = [prompt(f"ppteval-coherence-{stage}").id for stage in ("extract", "score")]
        return ("ppteval", COHERENCE, ids, [text_key(text) for text in self.texts], self.about.sample)

    def requests(self) -> tuple[JudgeRequest, ...]:
        """See `Conversation.requests`."""
        extract = prompt("ppteval-coherence-extract")
        slides = "\n\n".join(f"Slide {number}:\n{text.strip()}" for number, text in enumerate(self.texts, start=1))
        words = extract.filled({"slides": slides, "count": str(len(self.texts))})
        return (request_of((), words, [extract.id], sample=self.about.sample),)

    def subjects(self) -> tuple[VerdictRecord, ...]:
        """See `Conversation.subjects`."""
        return (self.about,)

    def hold(self, ask: Replies) -> ConversationResult:
        """See `Conversation.hold`."""
        outline, reply = ask_until_read(ask, self.requests()[0], self._outline, attempts=self.attempts)
        if isinstance(outline, Ending):
            return result_of([without_verdict(self.about, _at("extracting", outline), reply)])
        about = replace(self.about, detail={**self.about.detail, "outline": outline})
        score = prompt("ppteval-coherence-score")
        words = score.filled({"outline": json.dumps(outline, ensure_ascii=False, indent=1)})
        return _scored(about, request_of((), words, [score.id], sample=about.sample), ask, self.attempts)

    def _outline(self, reply: JudgeReply) -> dict[str, Any] | Unreadable:
        for value in objects_in(reply.text):
            slides = value.get("slides")
            if not isinstance(slides, list):
                continue
            purposes = {
                int(number): text_in(each.get("purpose")).strip()
                for each in slides
                if isinstance(each, dict)
                and (number := number_in(each.get("slide"), 1, len(self.texts))) is not None
                and number == int(number)
            }
            if sorted(purposes) != list(range(1, len(self.texts) + 1)) or len(slides) != len(purposes):
                return Unreadable(f"the reply does not hold one purpose for each of {len(self.texts)} slides")
            background = value.get("background")
            return {
                "background": background if isinstance(background, dict) else {},
                "slides": [{"slide": number, "purpose": purposes[number]} for number in sorted(purposes)],
            }
        return Unreadable('the reply holds no object with "slides"')


def _scored(about: VerdictRecord, request: JudgeRequest, ask: Replies, attempts: int) -> ConversationResult:
    found, reply = ask_until_read(ask, request, _score, attempts=attempts)
    if isinstance(found, Ending):
        return result_of([without_verdict(about, _at("scoring", found), reply)])
    return result_of([scored(about, found, SCALE)])


def _at(stage: str, ending: Ending) -> Ending:
    return replace(ending, reason=f"{stage}: {ending.reason}")


def _words(reply: JudgeReply) -> str | Unreadable:
    return reply.text.strip()


def _score(reply: JudgeReply) -> ScoreRead | Unreadable:
    return read_score(reply.text, *SCALE, whole=True)
