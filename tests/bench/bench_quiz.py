"""Time the tables of question banks over a whole benchmark: ``python -m tests.bench.bench_quiz``.

189 instances, 9 systems, 10 questions each, the answers made up: every accuracy table with its intervals, the
shares of errors, and the comparison of two readers.
"""

from __future__ import annotations

import random

from studio.actions.quiz_results import Answered, accuracy_rows, compare_backends, error_shares
from studio.model.ids import DeckId, InstanceId
from studio.model.quiz import Condition, ErrorType, QuestionType, QuizAnswer
from tests.bench.bench_stats import median_seconds

INSTANCES, SYSTEMS, QUESTIONS = 189, 9, 10
SCENARIOS, LEVELS = 7, ("low", "medium", "high")


def made_up_answers(readers: int = 1) -> list[Answered]:
    """Return answers of readers that are right in about four of five."""
    rng = random.Random(7)
    found = []
    for reader in range(readers):
        for instance in range(INSTANCES):
            for system in range(SYSTEMS):
                for question in range(QUESTIONS):
                    is_right = rng.random() < 0.8
                    answer = QuizAnswer(
                        bank_id=f"bank_{instance}", bank_version=1, question_id=f"q_{question}",
                        type=QuestionType.DATA if question % 2 else QuestionType.CONCEPT,
                        instance_id=InstanceId(f"inst_{instance}"), deck_id=DeckId(f"deck_{instance}_{system}"),
                        reader=f"openai:reader-{reader}", condition=Condition.SLIDES,
                        answer="A" if is_right else "insufficient", key="A", text_from=f"openai:reader-{reader}",
                    )  # fmt: skip
                    found.append(
                        Answered(
                            answer=answer, instance=f"instance {instance}", system=f"system {system}",
                            scenario=f"scenario {instance % SCENARIOS}", difficulty=LEVELS[instance % 3],
                            error=None if is_right else rng.choice(list(ErrorType)),
                        )
                    )  # fmt: skip
    return found


def main() -> None:
    """Print the medians."""
    answers = made_up_answers()
    two = made_up_answers(2)
    for name, work in (
        ("all accuracy tables", lambda: accuracy_rows(answers)),
        ("shares of errors", lambda: [error_shares(answers), error_shares(answers, by="system")]),
        ("two readers compared", lambda: compare_backends(two)),
    ):
        print(f"{name:<24} {median_seconds(work):.3f} s  ({len(answers):,} answers a reader)")


if __name__ == "__main__":
    main()
