"""G-Eval: a form with one field, its score weighted by the judge's own token probabilities, or the mean of samples.

Source: Liu et al. (2023), G-Eval, section 2. Differs: probabilities are scaled by the mass on valid scores, and the
mass is kept; a sample without a score is left out and counted, never 0; one mode never stands in for the other.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from studio.judges.prompts import Prompt, prompt
from studio.judges.re_asking import (
    ATTEMPTS,
    Ending,
    Unreadable,
    ask_until_read,
    ending_of,
    parts_key,
    request_of,
    result_of,
    without_verdict,
)
from studio.model.judging import ConversationResult, JudgeReply, JudgeRequest, ParseStatus, Part, Replies, VerdictRecord
from studio.model.judging_options import GEvalMode
from studio.model.runs import UnitStatus

CRITERIA = ("coverage", "redundancy", "alignment", "flow")
NEEDS_SOURCES = frozenset({"coverage"})
SCALE = (1.0, 5.0)
SAMPLES = 20
"""Samples of one form where token probabilities are not used; the number of the reference."""
_FIELD = re.compile(r"^[\s\-*_`#>]*(?:[^\d\n:]{1,60}:)?[\s*_`]*([1-5])\s*(?:/\s*5|out of 5)?[\s.*_`]*$", re.IGNORECASE)
_VALID = {"1", "2", "3", "4", "5"}


class Expected(Protocol):
    """A score weighted by probabilities; `studio.stats.judges.ExpectedScore` fits."""

    @property
    def value(self) -> float | None:
        """Mean over the valid scores; None without any mass on them."""
        ...

    @property
    def mass(self) -> float:
        """Probability on valid scores, 0 to 1."""
        ...


@dataclass(frozen=True, kw_only=True)
class FormConversation:
    """One criterion of one deck."""

    about: VerdictRecord
    """Its item is the criterion."""
    parts: tuple[Part, ...]
    mode: GEvalMode
    expected: Callable[[Mapping[str, float]], Expected]
    """Weights scores 1 to 5 by the probabilities of their tokens; a function of a module."""
    samples: int = SAMPLES
    attempts: int = ATTEMPTS

    def key_parts(self) -> tuple[object, ...]:
        """See `Conversation.key_parts`."""
        samples = self.samples if self.mode is GEvalMode.SAMPLES else 1
        return ("geval", self._prompt.id, parts_key(self.parts), self.mode.value, samples, self.about.sample)

    def requests(self) -> tuple[JudgeRequest, ...]:
        """See `Conversation.requests`. Samples differ in their number, so that a seed gives each its own."""
        count = self.samples if self.mode is GEvalMode.SAMPLES else 1
        return tuple(
            request_of(
                self.parts, self._prompt.filled(), [self._prompt.id], sample=self.about.sample * count + index,
                probabilities=self.mode is GEvalMode.LOGPROB,
            )
            for index in range(count)
        )  # fmt: skip

    def subjects(self) -> tuple[VerdictRecord, ...]:
        """See `Conversation.subjects`."""
        return (self.about,)

    def hold(self, ask: Replies) -> ConversationResult:
        """See `Conversation.hold`."""
        match self.mode:
            case GEvalMode.LOGPROB:
                return self._weighted(ask)
            case GEvalMode.SAMPLES:
                return self._sampled(ask)
            case GEvalMode.SINGLE:
                found, reply = ask_until_read(ask, self.requests()[0], _read, attempts=self.attempts)
                if isinstance(found, Ending):
                    return result_of([without_verdict(self._about(), found, reply)])
                return self._said(float(found), {})

    def _weighted(self, ask: Replies) -> ConversationResult:
        reply = ask(self.requests())[0]
        ending = ending_of(reply)
        if ending is None and not reply.tokens:
            ending = Ending(
                status=UnitStatus.TOOL_ERROR,
                reason="the server sent no token probabilities; ask with --set geval=samples instead",
            )
        if ending is not None:
            return result_of([without_verdict(self._about(), ending, reply)])
        probabilities = score_probabilities(reply)
        expected = self.expected(probabilities) if probabilities else None
        if expected is None or expected.value is None:
            none = Ending(status=UnitStatus.PARSE_ERROR, reason="no token of the reply is a score from 1 to 5")
            return result_of([without_verdict(self._about(), none, reply)])
        return self._said(expected.value, {"mass": expected.mass, "probabilities": probabilities})

    def _sampled(self, ask: Replies) -> ConversationResult:
        scores: list[int | None] = []
        endings = []
        replies = ask(self.requests())
        for reply in replies:
            ending = ending_of(reply)
            found = _read(reply) if ending is None else Unreadable(ending.reason)
            if ending is None and isinstance(found, Unreadable):
                ending = Ending(status=UnitStatus.PARSE_ERROR, reason=found.reason)
            scores.append(found if isinstance(found, int) else None)
            endings += [ending] if ending is not None else []
        valid = [score for score in scores if score is not None]
        detail = {"samples": scores, "n": len(scores), "n_valid": len(valid)}
        if not valid:
            about = replace(self._about(), detail={**self._about().detail, **detail})
            return result_of([without_verdict(about, endings[-1], replies[-1])])
        return self._said(math.fsum(valid) / len(valid), detail)

    def _said(self, score: float, detail: Mapping[str, object]) -> ConversationResult:
        about = self._about()
        return result_of(
            [
                replace(
                    about, verdict=f"{score:.4g}", score=score, scale=SCALE, parse=ParseStatus.OK,
                    detail={**about.detail, **detail},
                )
            ]
        )  # fmt: skip

    def _about(self) -> VerdictRecord:
        return replace(self.about, detail={**self.about.detail, "mode": self.mode.value})

    @property
    def _prompt(self) -> Prompt:
        return prompt(f"geval-{self.about.item_id}")


def read_field(text: str) -> int | Unreadable:
    """Return the score of a form that was filled in: the last line holds a whole number from 1 to 5 and nothing else.

    The field's name before it, emphasis around it and "/ 5" behind it do not matter.
    """
    lines = [line for line in text.splitlines() if line.strip(" \t*_`")]
    found = _FIELD.match(lines[-1]) if lines else None
    return int(found[1]) if found else Unreadable("the reply is not a whole number from 1 to 5")


def score_probabilities(reply: JudgeReply) -> dict[str, float]:
    """Return the probabilities of the tokens in the place of the score: the last place that holds a score.

    Numbers in a reasoning before it are not the score. Empty if no place holds one.
    """
    place = next((each for each in reversed(reply.tokens) if each.token.strip() in _VALID), None)
    if place is None:
        return {}
    listed = dict(place.alternatives)
    listed.setdefault(place.token, place.logprob)
    return {token: math.exp(logprob) for token, logprob in listed.items()}


def _read(reply: JudgeReply) -> int | Unreadable:
    return read_field(reply.text)
