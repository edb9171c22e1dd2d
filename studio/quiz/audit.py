"""An audit over all banks of a project: what a reader could learn about the keys instead of about the decks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from studio.model.quiz import LETTERS, Question, QuizBank
from studio.quiz.quotes import QuoteFinder
from studio.quiz.values import quantities_in, value_of


@dataclass(frozen=True, kw_only=True)
class BankCoverage:
    """How much of an instance's sources its questions reach."""

    bank_id: str
    questions: int
    pages: int
    """Pages with words."""
    pages_asked: int
    """Of these, pages that a quote stands on."""
    thirds: tuple[int, int, int]
    """Questions whose quote stands in the first, middle and last third of the sources' pages."""
    unplaced: int
    """Questions whose quote stands nowhere."""

    @property
    def share(self) -> float | None:
        """Pages asked after as a share of all; None without pages."""
        return self.pages_asked / self.pages if self.pages else None


@dataclass(frozen=True, kw_only=True)
class Audit:
    """Figures over the questions that are asked."""

    questions: int
    letters: Mapping[str, int]
    letters_p: float | None
    """Probability of letters at least so uneven if each were as likely (chi-squared, 3 degrees); None under 20."""
    key_longest: float | None
    """Share of questions whose right option is the only longest; chance is about a quarter."""
    key_shortest: float | None
    length_ratio: float | None
    """Median of the right option's length over the mean of the others."""
    middle_value: float | None
    """Of questions with four numbers, the share whose right one is neither the largest nor the smallest; chance 0.5."""
    coverage: tuple[BankCoverage, ...]
    unread: Mapping[str, str]
    """Banks whose sources cannot be read, with the reason."""

    @property
    def thirds(self) -> tuple[int, int, int]:
        """Questions by the third of the source that their quote stands in."""
        columns = list(zip(*(each.thirds for each in self.coverage), strict=True))
        return (sum(columns[0]), sum(columns[1]), sum(columns[2])) if columns else (0, 0, 0)


def audit(banks: Sequence[QuizBank], finders: Mapping[str, QuoteFinder], unread: Mapping[str, str]) -> Audit:
    """Return the audit of banks; `finders` and `unread` are by bank id."""
    asked = [question for bank in banks for question in bank.asked]
    letters = Counter(each.answer for each in asked)
    ratios, longest, shortest, middle = [], 0, 0, []
    for each in asked:
        own = len(each.key_words)
        others = [len(words) for letter, words in each.options.items() if letter != each.answer]
        if not own or not others:
            continue
        ratios.append(own / (sum(others) / len(others)) if sum(others) else 1.0)
        longest += own > max(others)
        shortest += own < min(others)
        numbers = {letter: quantities_in(words)[1] for letter, words in each.options.items()}
        if len(numbers) == len(LETTERS) and all(len(found) == 1 for found in numbers.values()):
            values = {letter: value_of(found[0]) for letter, found in numbers.items()}
            middle.append(min(values.values()) < values[each.answer] < max(values.values()))
    n = len(ratios)
    return Audit(
        questions=len(asked), letters={letter: letters[letter] for letter in LETTERS},
        letters_p=_chi_squared_p([letters[letter] for letter in LETTERS]),
        key_longest=longest / n if n else None, key_shortest=shortest / n if n else None,
        length_ratio=median(ratios) if ratios else None, middle_value=sum(middle) / len(middle) if middle else None,
        coverage=tuple(_coverage(bank, finders[bank.id]) for bank in banks if bank.id in finders), unread=dict(unread),
    )  # fmt: skip


def covered_pages(questions: Sequence[Question], finder: QuoteFinder) -> dict[tuple[str, int], int]:
    """Return how many questions ask after each page with words, by source and page, in order."""
    counts = dict.fromkeys(finder.page_numbers, 0)
    for question in questions:
        place = finder.place(question.source_quote, source=question.source, page=question.page)
        if place is not None and (place.source, place.page) in counts:
            counts[place.source, place.page] += 1
    return counts


def _coverage(bank: QuizBank, finder: QuoteFinder) -> BankCoverage:
    counts = covered_pages(bank.asked, finder)
    thirds = [0, 0, 0]
    for place, number in enumerate(counts.values()):
        thirds[min(2, 3 * place // max(1, len(counts)))] += number
    return BankCoverage(
        bank_id=bank.id, questions=len(bank.asked), pages=len(counts), pages_asked=sum(map(bool, counts.values())),
        thirds=(thirds[0], thirds[1], thirds[2]), unplaced=len(bank.asked) - sum(counts.values()),
    )  # fmt: skip


def _chi_squared_p(counts: Sequence[int]) -> float | None:
    """Return the upper tail of chi-squared with 3 degrees of freedom; None if a cell expects fewer than five."""
    n = sum(counts)
    expected = n / len(counts)
    if expected < 5:
        return None
    x = sum((count - expected) ** 2 for count in counts) / expected
    return math.erfc(math.sqrt(x / 2)) + math.sqrt(2 * x / math.pi) * math.exp(-x / 2)
