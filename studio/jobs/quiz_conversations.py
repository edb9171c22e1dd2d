"""What judges are asked about question banks, phase by phase: the conversations of one phase from what came before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from studio.judges.prompts import prompt
from studio.judges.quiz_talks import AnswerConversation, DescribeConversation, ListsConversation, number_of, numbered
from studio.judges.shown import ShownDeck
from studio.model.decks import Deck, Instance
from studio.model.ids import DeckId
from studio.model.judging import JudgingProtocol, PlannedConversation, VerdictRecord
from studio.model.quiz import Condition, Evidence, QuestionType, QuizBank
from studio.quiz.construction import RULES, Window, fact_words

SLIDES_AT_ONCE = 12
"""Slides that are described in one call."""


@dataclass(frozen=True, kw_only=True)
class SetterTask:
    """Facts that questions are asked for."""

    kind: QuestionType
    round: int
    """From 1; later rounds ask for questions in place of those that did not pass."""
    facts: tuple[Evidence, ...]


def analyst(instance: Instance, parts: Sequence[Window]) -> list[PlannedConversation]:
    """Return a conversation for each window of an instance's sources."""
    words = prompt("quiz-analyst")
    return [
        _planned(
            instance, f"analyst/{part.number}", words.filled({"pages": part.text}), words.id, ("evidence",),
            f"facts of part {part.number} of {len(parts)}",
        )
        for part in parts
    ]  # fmt: skip


def critic(
    instance: Instance, parts: Sequence[Window], facts: Mapping[int, Sequence[Evidence]], round: int
) -> list[PlannedConversation]:
    """Return a conversation for each window that has facts to be checked or gaps to be looked for.

    Args:
        instance: whose sources they are.
        parts: windows of this round.
        facts: those of each window, by its number.
        round: from 1.
    """
    words = prompt("quiz-critic")
    return [
        _planned(
            instance, f"critic/{round}/{part.number}",
            words.filled({
                "pages": part.text,
                "evidence": numbered([fact_words(each) for each in facts.get(part.number, ())]) or "(none yet)",
            }),
            words.id, ("verdicts", "additions"), f"round {round}, part {part.number} of {len(parts)}",
        )
        for part in parts
    ]  # fmt: skip


def setter(instance: Instance, tasks: Sequence[SetterTask]) -> list[PlannedConversation]:
    """Return a conversation for each type of question."""
    words = prompt("quiz-setter")
    return [
        _planned(
            instance, f"setter/{task.kind.value}/{task.round}",
            words.filled({
                "kind": task.kind.value, "rules": RULES[task.kind], "count": str(len(task.facts)),
                "evidence": numbered([fact_words(each) for each in task.facts]),
            }),
            words.id, ("questions",), f"{len(task.facts)} {task.kind.value} questions",
        )
        for task in tasks
        if task.facts
    ]  # fmt: skip


def describe(instance: Instance, deck: Deck, shown: ShownDeck, blocked: str) -> list[PlannedConversation]:
    """Return a conversation for every twelve slides of a deck."""
    found = []
    n = len(shown.parts)
    for number, first in enumerate(range(0, max(1, n), SLIDES_AT_ONCE), start=1):
        about = VerdictRecord(instance_id=instance.id, deck_id=deck.id, item_id=f"slides/{number}")
        last = min(n, first + SLIDES_AT_ONCE)
        found.append(
            PlannedConversation(
                conversation=DescribeConversation(
                    about=about, parts=shown.parts[first:last], slides=shown.slides[first:last]
                ),
                protocol=JudgingProtocol.QUIZ_TEXT, instance_id=instance.id, deck_id=deck.id,
                label=f"{instance.name} · {deck.system} · slides {first + 1} to {last} as text", blocked=blocked,
            )
        )  # fmt: skip
    return found


def answers(
    instance: Instance, bank: QuizBank, material: str, condition: Condition, *, deck: Deck | None = None,
    blocked: str = "",
) -> PlannedConversation:  # fmt: skip
    """Return the conversation that puts a bank's questions, about a deck or about none."""
    deck_id = deck.id if deck is not None else DeckId("")
    about = VerdictRecord(instance_id=instance.id, deck_id=deck_id, item_id=f"{bank.id}/{condition.value}")
    who = deck.system if deck is not None else condition.value.replace("_", " ")
    return PlannedConversation(
        conversation=AnswerConversation(about=about, questions=bank.asked, material=material),
        protocol=JudgingProtocol.QUIZ_ANSWERS, instance_id=instance.id, deck_id=deck_id,
        label=f"{instance.name} · {who} · {len(bank.asked)} questions", blocked=blocked,
    )  # fmt: skip


def _planned(
    instance: Instance, item_id: str, words: str, prompt_id: str, lists: tuple[str, ...], label: str
) -> PlannedConversation:
    about = VerdictRecord(instance_id=instance.id, deck_id=DeckId(""), item_id=item_id)
    return PlannedConversation(
        conversation=ListsConversation(about=about, words=words, prompt_id=prompt_id, lists=lists),
        protocol=JudgingProtocol.QUIZ_BUILD, instance_id=instance.id, deck_id=DeckId(""),
        label=f"{instance.name} · {item_id.partition('/')[0]} · {label}",
    )  # fmt: skip


__all__ = ["SetterTask", "analyst", "answers", "critic", "describe", "number_of", "setter"]
