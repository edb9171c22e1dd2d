"""Conversations about question banks: each asks one thing, and what it is told is held to by code elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from studio.judges.prompts import prompt
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
from studio.judges.reply_json import objects_in, text_in
from studio.model.checklists import EvidenceBox
from studio.model.judging import ConversationResult, JudgeReply, JudgeRequest, Part, Replies, VerdictRecord
from studio.model.quiz import INSUFFICIENT, LETTERS, Question

_SLIDE_HEADING = "# Slide"


@dataclass(frozen=True, kw_only=True)
class ListsConversation:
    """Asks for a JSON object with certain lists; the record's detail keeps them as they came."""

    about: VerdictRecord
    words: str
    prompt_id: str
    lists: tuple[str, ...]
    """Names of the lists; the first one must be there."""
    attempts: int = ATTEMPTS

    def key_parts(self) -> tuple[object, ...]:
        """See `Conversation.key_parts`."""
        return ("quiz-lists", self.about.item_id, self.prompt_id, text_key(self.words), list(self.lists))

    def requests(self) -> tuple[JudgeRequest, ...]:
        """See `Conversation.requests`."""
        return (request_of((), self.words, [self.prompt_id]),)

    def subjects(self) -> tuple[VerdictRecord, ...]:
        """See `Conversation.subjects`."""
        return (self.about,)

    def hold(self, ask: Replies) -> ConversationResult:
        """See `Conversation.hold`."""
        found, reply = ask_until_read(ask, self.requests()[0], self._read, attempts=self.attempts)
        if isinstance(found, Ending):
            return result_of([without_verdict(self.about, found, reply)])
        return result_of([replace(self.about, verdict="read", detail={**self.about.detail, **found})])

    def _read(self, reply: JudgeReply) -> dict[str, list[Any]] | Unreadable:
        for value in objects_in(reply.text):
            if isinstance(value.get(self.lists[0]), list):
                return {
                    name: [each for each in value[name] if isinstance(each, Mapping)]
                    for name in self.lists
                    if isinstance(value.get(name), list)
                }
        return Unreadable(f'the reply holds no JSON object with a list "{self.lists[0]}"')


@dataclass(frozen=True, kw_only=True)
class DescribeConversation:
    """Asks for some slides of a deck as Markdown; the record's detail keeps it."""

    about: VerdictRecord
    parts: tuple[Part, ...]
    slides: tuple[int, ...]
    attempts: int = ATTEMPTS

    def key_parts(self) -> tuple[object, ...]:
        """See `Conversation.key_parts`."""
        return ("quiz-describe", prompt("quiz-describe").id, parts_key(self.parts))

    def requests(self) -> tuple[JudgeRequest, ...]:
        """See `Conversation.requests`."""
        words = prompt("quiz-describe")
        return (request_of(self.parts, words.filled(), [words.id]),)

    def subjects(self) -> tuple[VerdictRecord, ...]:
        """See `Conversation.subjects`."""
        return (self.about,)

    def hold(self, ask: Replies) -> ConversationResult:
        """See `Conversation.hold`."""
        found, reply = ask_until_read(ask, self.requests()[0], self._read, attempts=self.attempts)
        if isinstance(found, Ending):
            return result_of([without_verdict(self.about, found, reply)])
        return result_of([replace(self.about, verdict="read", detail={**self.about.detail, "markdown": found})])

    def _read(self, reply: JudgeReply) -> str | Unreadable:
        text = reply.text.strip().removeprefix("```markdown").removeprefix("```").removesuffix("```").strip()
        if _SLIDE_HEADING.casefold() in text.casefold():
            return text
        if len(self.slides) == 1:
            return f"# Slide {self.slides[0]}\n{text}"
        return Unreadable('the reply has no heading "# Slide N"')


@dataclass(frozen=True, kw_only=True)
class AnswerConversation:
    """Puts a bank's questions about one text; a record for each question."""

    about: VerdictRecord
    questions: tuple[Question, ...]
    material: str
    """Empty: closed book."""
    attempts: int = ATTEMPTS

    def key_parts(self) -> tuple[object, ...]:
        """See `Conversation.key_parts`."""
        return ("quiz-answers", self._prompt_id, text_key(self._words()), [each.id for each in self.questions],
                [each.answer for each in self.questions], self.about.item_id)  # fmt: skip

    def requests(self) -> tuple[JudgeRequest, ...]:
        """See `Conversation.requests`."""
        return (request_of((), self._words(), [self._prompt_id]),)

    def subjects(self) -> tuple[VerdictRecord, ...]:
        """See `Conversation.subjects`."""
        return tuple(
            replace(self.about, item_id=each.id, order_index=place) for place, each in enumerate(self.questions)
        )

    def hold(self, ask: Replies) -> ConversationResult:
        """See `Conversation.hold`. A question without a readable answer has the verdict "" and counts as wrong."""
        found, reply = ask_until_read(ask, self.requests()[0], self._read, attempts=self.attempts)
        if isinstance(found, Ending):
            return result_of([without_verdict(each, found, reply) for each in self.subjects()])
        return result_of([self._answered(each, found.get(each.order_index + 1)) for each in self.subjects()])

    @property
    def _prompt_id(self) -> str:
        return prompt("quiz-answer" if self.material else "quiz-closed-book").id

    def _words(self) -> str:
        questions = "\n\n".join(
            f"{number}. {each.question}\n"
            + "\n".join(f"{letter}) {each.options.get(letter, '')}" for letter in LETTERS)
            for number, each in enumerate(self.questions, start=1)
        )
        if self.material:
            return prompt("quiz-answer").filled({"material": self.material, "questions": questions})
        return prompt("quiz-closed-book").filled({"questions": questions})

    def _read(self, reply: JudgeReply) -> dict[int, Mapping[str, Any]] | Unreadable:
        for value in objects_in(reply.text):
            listed = value.get("answers")
            if isinstance(listed, list):
                found = {
                    number: each for each in listed
                    if isinstance(each, Mapping) and (number := number_of(each.get("id"))) is not None
                }  # fmt: skip
                if any(number in found for number in range(1, len(self.questions) + 1)):
                    return found
        return Unreadable('the reply holds no JSON object with a list "answers"')

    def _answered(self, about: VerdictRecord, said: Mapping[str, Any] | None) -> VerdictRecord:
        words = text_in((said or {}).get("answer")).strip().strip("().").casefold()
        letter = words[:1].upper() if len(words) == 1 else ""
        answer = letter if letter in LETTERS else INSUFFICIENT if words.startswith(INSUFFICIENT) else ""
        slides = (said or {}).get("slides")
        numbers = [each for each in slides if isinstance(each, int) and not isinstance(each, bool) and each > 0] if (
            isinstance(slides, list)
        ) else []  # fmt: skip
        key = self.questions[about.order_index].answer
        return replace(
            about, verdict=answer or "unreadable", score=float(answer == key), scale=(0.0, 1.0),
            boxes=tuple(EvidenceBox(slide=number) for number in dict.fromkeys(numbers)),
            reason=text_in((said or {}).get("reason")) or ("" if said else "the reply has no answer to this question"),
        )  # fmt: skip


def numbered(items: Sequence[str]) -> str:
    """Return items as a numbered list, one in each paragraph."""
    return "\n\n".join(f"{number}. {words}" for number, words in enumerate(items, start=1))


def number_of(value: object) -> int | None:
    """Return the number that an entry of a list names, as a number or in digits; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    words = text_in(value).strip().strip("#.)").removeprefix("Q").removeprefix("q")
    return int(words) if words.isdecimal() else None
