"""Everything about a bank that code can check; no model is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from studio.model.quiz import LETTERS, PER_TYPE, Question, QuestionState, QuestionType, QuizBank
from studio.quiz.guessing import cues
from studio.quiz.quotes import QuoteFinder, is_long_enough
from studio.quiz.values import agreement, quantities_in
from studio.texts.folded_text import fold

MOST_OF_A_LETTER = 0.5
"""From four questions on no letter is the key of more than this share."""


class Severity(StrEnum):
    """How much a finding weighs."""

    ERROR = "error"
    """The question, or the bank, cannot be asked as it is."""
    WARNING = "warning"


class Rule(StrEnum):
    """What is checked."""

    FOUR_OPTIONS = "four_options"
    DIFFERENT_OPTIONS = "different_options"
    KEY_AMONG_OPTIONS = "key_among_options"
    QUOTE_MISSING = "quote_missing"
    QUOTE_NOT_FOUND = "quote_not_found"
    QUOTE_TOO_SHORT = "quote_too_short"
    OTHER_PAGE = "quote_on_other_page"
    SOURCES_UNREAD = "sources_unread"
    NUMBER_MISSING = "number_missing"
    VALUE_NOT_IN_QUOTE = "value_not_in_quote"
    SAME_QUESTION = "same_question"
    SAME_QUOTE = "same_quote"
    KEY_IN_QUESTION = "key_in_question"
    GUESSABLE = "guessable"
    GUESSED = "guessed_closed_book"
    LETTERS = "letters_unbalanced"
    COUNT = "five_and_five"
    NOBODY_VERIFIED = "not_verified"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that is wrong."""

    rule: Rule
    severity: Severity
    message: str
    bank_id: str
    question_id: str = ""
    """Empty: about the bank."""


class _Add(Protocol):
    """Takes note of a finding."""

    def __call__(
        self, rule: Rule, message: str, question: Question | None = None, *, is_error: bool = True
    ) -> None: ...


def check_bank(
    bank: QuizBank, finder: QuoteFinder | None, *, why_unread: str = "", guessed: frozenset[str] = frozenset()
) -> list[Finding]:
    """Return what is wrong with a bank and with each question that is not rejected.

    Args:
        bank: the questions.
        finder: the instance's sources; None where they cannot be read, which is a finding itself.
        why_unread: the reason for that.
        guessed: ids of questions that closed-book runs of models answered correctly.
    """
    live = [each for each in bank.questions if each.state is not QuestionState.REJECTED]
    found: list[Finding] = []

    def add(rule: Rule, message: str, question: Question | None = None, *, is_error: bool = True) -> None:
        severity = Severity.ERROR if is_error else Severity.WARNING
        found.append(
            Finding(
                rule=rule, severity=severity, message=message, bank_id=bank.id,
                question_id=question.id if question is not None else "",
            )
        )  # fmt: skip

    if finder is None:
        add(Rule.SOURCES_UNREAD, f"Quotes could not be checked: {why_unread or 'no source can be read'}.")
    for question in live:
        for rule, message, is_error in _of_question(question, finder):
            add(rule, message, question, is_error=is_error)
        if question.id in guessed:
            add(Rule.GUESSED, "A model answered it without any slides: it tests world knowledge.", question)
        if question.state is QuestionState.DRAFT:
            add(Rule.NOBODY_VERIFIED, "Nobody has accepted it yet.", question, is_error=False)
    _repeats(live, add)
    _letters(bank, add)
    accepted = [each for each in live if each.state is QuestionState.ACCEPTED]
    counts = Counter(each.type for each in accepted or live)
    if any(counts[kind] != PER_TYPE for kind in QuestionType):
        which = "accepted " if accepted else ""
        add(
            Rule.COUNT,
            f"It has {counts[QuestionType.CONCEPT]} {which}concept and {counts[QuestionType.DATA]} {which}data "
            f"questions; a finished bank has {PER_TYPE} and {PER_TYPE}.",
            is_error=False,
        )
    return found


def _of_question(question: Question, finder: QuoteFinder | None) -> list[tuple[Rule, str, bool]]:
    found: list[tuple[Rule, str, bool]] = []
    options = {letter: words.strip() for letter, words in question.options.items()}
    if set(options) != set(LETTERS) or not all(options.values()):
        found.append((Rule.FOUR_OPTIONS, f"It has {sum(map(bool, options.values()))} options; A to D are asked.", True))
    for one, other in _equal_options(options):
        found.append((Rule.DIFFERENT_OPTIONS, f"Options {one} and {other} say the same.", True))
    if question.answer not in options:
        found.append((Rule.KEY_AMONG_OPTIONS, f"The key {question.answer or '(none)'} is none of its options.", True))
    found += _of_quote(question, finder)
    if question.type is QuestionType.DATA:
        found += _of_number(question)
    found += [(Rule.GUESSABLE, f"It can be guessed: {cue}.", False) for cue in cues(question)]
    key = fold(options.get(question.answer, "")).text
    if len(key) > 2 and key in fold(question.question).text:
        found.append((Rule.KEY_IN_QUESTION, "The question itself holds the right option.", True))
    return found


def _equal_options(options: dict[str, str]) -> list[tuple[str, str]]:
    """Return the pairs of options that a reader would call equal: the same words, or the same quantity alone."""
    folded = {letter: fold(words).text.strip(" .。") for letter, words in options.items() if words}
    values = {}
    for letter, words in folded.items():
        text, found = quantities_in(words)
        is_alone = len(found) == 1 and not (text.text[: found[0].start] + text.text[found[0].end :]).strip()
        values[letter] = found[0] if is_alone else None
    letters = list(folded)
    pairs = []
    for place, one in enumerate(letters):
        for other in letters[place + 1 :]:
            left, right = values[one], values[other]
            is_same = left is not None and right is not None and (
                bool(left.measured & right.measured)
                or (not left.measured and not right.measured and left.raw == right.raw)
            )  # fmt: skip
            if folded[one] == folded[other] or is_same:
                pairs.append((one, other))
    return pairs


def _of_quote(question: Question, finder: QuoteFinder | None) -> list[tuple[Rule, str, bool]]:
    if not question.source_quote.strip():
        return [(Rule.QUOTE_MISSING, "It has no quote of the source.", True)]
    found: list[tuple[Rule, str, bool]] = []
    if not is_long_enough(question.source_quote):
        found.append((Rule.QUOTE_TOO_SHORT, "Its quote is too short to prove anything.", True))
    if finder is None:
        return found
    places = finder.places(question.source_quote)
    if not places:
        found.append((Rule.QUOTE_NOT_FOUND, "Its quote stands in no source, word for word.", True))
    elif question.page is not None and not any(
        place.page == question.page and (not question.source or place.source == question.source) for place in places
    ):
        first = places[0]
        found.append(
            (Rule.OTHER_PAGE, f"Its quote stands on page {first.page} of {first.source}, not on {question.page}.", True)
        )
    return found


def _of_number(question: Question) -> list[tuple[Rule, str, bool]]:
    _, key = quantities_in(question.key_words)
    if not key:
        return [(Rule.NUMBER_MISSING, "It is a data question, and its right option holds no number.", True)]
    found: list[tuple[Rule, str, bool]] = []
    without = [letter for letter, words in question.options.items() if not quantities_in(words)[1]]
    if without:
        found.append((Rule.NUMBER_MISSING, f"Option {', '.join(sorted(without))} holds no number.", False))
    _, said = quantities_in(question.source_quote)
    if question.source_quote.strip() and not all(any(agreement(each, one) for one in said) for each in key):
        found.append((Rule.VALUE_NOT_IN_QUOTE, "The number of its right option does not stand in its quote.", True))
    return found


def _repeats(questions: Sequence[Question], add: _Add) -> None:
    by_words: dict[str, Question] = {}
    by_quote: dict[str, Question] = {}
    for question in questions:
        words, quote = fold(question.question).text, fold(question.source_quote).text
        if words in by_words:
            add(Rule.SAME_QUESTION, "Another question asks the same.", question)
        elif quote and quote in by_quote and by_quote[quote].key_words == question.key_words:
            add(Rule.SAME_QUOTE, "Another question has the same quote and the same answer.", question, is_error=False)
        by_words.setdefault(words, question)
        by_quote.setdefault(quote, question)


def _letters(bank: QuizBank, add: _Add) -> None:
    asked = bank.asked
    counts = Counter(each.answer for each in asked)
    if len(asked) < len(LETTERS):
        return
    letter, most = max(counts.items(), key=lambda each: (each[1], each[0]))
    if most > MOST_OF_A_LETTER * len(asked) or len([one for one in LETTERS if counts[one]]) < len(LETTERS) - 1:
        spread = ", ".join(f"{one} {counts[one]}" for one in LETTERS)
        add(Rule.LETTERS, f"The keys are not balanced ({spread}): always {letter} would be right {most} times.",
            is_error=False)  # fmt: skip
