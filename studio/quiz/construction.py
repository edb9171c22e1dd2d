"""Building a bank with a model, the part that is code: windows, what a reply is held to, choosing, setting letters."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rapidfuzz import fuzz

from studio.model.quiz import (
    LETTERS,
    PER_TYPE,
    Evidence,
    Question,
    QuestionOrigin,
    QuestionType,
    QuizBank,
    RejectedEvidence,
)
from studio.quiz.checks import Severity, check_bank
from studio.quiz.quotes import NamedPages, QuoteFinder, is_long_enough
from studio.quiz.values import agreement, quantities_in
from studio.texts.folded_text import fold

WINDOW_LETTERS = 12_000
OVERLAP_LETTERS = 1_500
MOST_ROUNDS = 3
"""Of the critic; it stops before where a round adds nothing."""
SPARE = 3
"""Facts of each type that are asked for beyond those needed, since some questions do not pass."""
_SAME_CLAIM = 90.0
"""From this similarity on, 0 to 100, two claims on one page are the same."""


@dataclass(frozen=True, kw_only=True)
class Window:
    """A part of the sources that fits into one request."""

    number: int
    text: str
    """With a marker before each page."""
    pages: tuple[tuple[str, int], ...]
    """Source and page of what is in it."""


@dataclass(frozen=True, kw_only=True)
class Sifted:
    """What is left of a model's list, and what is not."""

    kept: tuple[Evidence, ...]
    rejected: tuple[RejectedEvidence, ...]
    duplicates: int = 0


def windows(
    sources: Sequence[NamedPages], *, letters: int = WINDOW_LETTERS, overlap: int = OVERLAP_LETTERS
) -> list[Window]:
    """Return the sources in parts of at most so many letters; each begins with the end of the one before.

    Pages are cut at paragraphs where they do not fit. A part begins anew with each source.
    """
    found: list[Window] = []
    for source in sources:
        pieces = [
            piece for page in source.pages for piece in _pieces(source.name, page.number, page.text, letters // 2)
        ]
        at = 0
        while at < len(pieces):
            end, size = at, 0
            while end < len(pieces) and (end == at or size + len(pieces[end][2]) <= letters):
                size += len(pieces[end][2])
                end += 1
            found.append(_window(len(found) + 1, pieces[at:end]))
            if end == len(pieces):
                break
            back, kept = end, 0
            while back - 1 > at and kept + len(pieces[back - 1][2]) <= overlap:
                back -= 1
                kept += len(pieces[back][2])
            at = back
    return found


def _pieces(source: str, page: int, text: str, most: int) -> list[tuple[str, int, str]]:
    pieces: list[tuple[str, int, str]] = []
    current = ""
    for paragraph in text.split("\n"):
        while len(paragraph) > most:
            cut = paragraph.rfind(" ", 0, most)
            cut = cut if cut > most // 2 else most
            if current.strip():
                pieces.append((source, page, current))
            pieces.append((source, page, paragraph[:cut]))
            current, paragraph = "", paragraph[cut:]
        if len(current) + len(paragraph) > most // 4 and current.strip():
            pieces.append((source, page, current))
            current = ""
        current += ("\n" if current else "") + paragraph
    if current.strip():
        pieces.append((source, page, current))
    return pieces


def _window(number: int, pieces: Sequence[tuple[str, int, str]]) -> Window:
    lines: list[str] = []
    last: tuple[str, int] | None = None
    for source, page, text in pieces:
        if (source, page) != last:
            lines.append(f"[source {source} · page {page}]")
            last = (source, page)
        lines.append(text)
    return Window(
        number=number, text="\n".join(lines), pages=tuple(dict.fromkeys((source, page) for source, page, _ in pieces))
    )


def sift(raw: Sequence[Mapping[str, Any]], finder: QuoteFinder, *, known: Sequence[Evidence] = ()) -> Sifted:
    """Return what of a model's list stands in the sources word for word, each fact once.

    A quote that is not found is rejected however good its claim is. A fact is a duplicate if its quote overlaps a known
    one and the claims or values agree. A data fact needs a number that stands in its quote.

    Args:
        raw: entries with ``type``, ``claim``, ``value``, ``source``, ``page``, ``quote``.
        finder: the instance's sources.
        known: facts that were kept before.
    """
    kept: list[Evidence] = []
    rejected: list[RejectedEvidence] = []
    duplicates = 0
    for entry in raw:
        claim, quote = _words(entry.get("claim")), _words(entry.get("quote"))
        page = entry.get("page") if isinstance(entry.get("page"), int) else None
        fact, reason = _fact(entry, claim, quote, page, finder)
        if fact is None:
            rejected.append(RejectedEvidence(claim=claim, quote=quote, page=page, reason=reason))
        elif any(_is_same(fact, other) for other in (*known, *kept)):
            duplicates += 1
        else:
            kept.append(fact)
    return Sifted(kept=tuple(kept), rejected=tuple(rejected), duplicates=duplicates)


def _fact(
    entry: Mapping[str, Any], claim: str, quote: str, page: int | None, finder: QuoteFinder
) -> tuple[Evidence | None, str]:
    kind = _words(entry.get("type")).casefold()
    if kind not in list(QuestionType):
        return None, "its type is neither data nor concept"
    if not claim:
        return None, "it has no claim"
    if not is_long_enough(quote):
        return None, "its quote is missing or too short"
    place = finder.place(quote, source=_words(entry.get("source")), page=page)
    if place is None:
        return None, "its quote stands in no source, word for word"
    value = _words(entry.get("value"))
    if kind == QuestionType.DATA:
        _, said = quantities_in(quote)
        _, wanted = quantities_in(value or claim)
        if not said or not wanted:
            return None, "it is a data fact without a number"
        if value and not all(any(agreement(each, one) for one in said) for each in wanted):
            return None, "its value does not stand in its quote"
    text = finder.page_text(place.source, place.page)[place.start : place.end]
    digest = hashlib.sha256(f"{place.source}\n{place.page}\n{place.start}\n{kind}\n{claim}".encode()).hexdigest()
    return Evidence(
        id=f"ev_{digest[:16]}", type=QuestionType(kind), claim=claim, quote=text, source=place.source, page=place.page,
        start=place.start, end=place.end, value=value,
    ), ""  # fmt: skip


def _is_same(one: Evidence, other: Evidence) -> bool:
    if one.type is not other.type or (one.source, one.page) != (other.source, other.page):
        return False
    overlaps = one.start < other.end and other.start < one.end
    if one.type is QuestionType.DATA and one.value and other.value:
        left, right = quantities_in(one.value)[1], quantities_in(other.value)[1]
        if overlaps and left and right:
            return len(left) == len(right) and all(agreement(a, b) for a, b in zip(left, right, strict=True))
    if overlaps and fold(one.quote).text == fold(other.quote).text and one.type is QuestionType.CONCEPT:
        return True
    return fuzz.token_sort_ratio(one.claim.casefold(), other.claim.casefold()) >= _SAME_CLAIM


def unsupported(raw: Sequence[Mapping[str, Any]], count: int, number_of: Any) -> dict[int, str]:
    """Return the numbers of the facts that a critic does not find supported, with its reasons.

    Args:
        raw: entries with ``id`` and ``supported``.
        count: facts that it was shown.
        number_of: reads the number of an entry.
    """
    found: dict[int, str] = {}
    for entry in raw:
        number = number_of(entry.get("id"))
        if number is not None and 1 <= number <= count and entry.get("supported") is False:
            found[number] = _words(entry.get("reason")) or "not supported by the pages"
    return found


def choose(
    evidence: Sequence[Evidence], kind: QuestionType, *, seed: str, count: int = PER_TYPE + SPARE
) -> list[Evidence]:
    """Return facts of a type by a seeded draw that takes the pages in turns."""
    rng = random.Random(f"{seed} {kind.value}")
    by_page: dict[tuple[str, int], list[Evidence]] = {}
    for each in sorted(evidence, key=lambda one: one.id):
        if each.type is kind:
            by_page.setdefault((each.source, each.page), []).append(each)
    pages = list(by_page)
    rng.shuffle(pages)
    for listed in by_page.values():
        rng.shuffle(listed)
    chosen: list[Evidence] = []
    while len(chosen) < count and any(by_page.values()):
        for page in pages:
            if by_page[page] and len(chosen) < count:
                chosen.append(by_page[page].pop(0))
    return chosen


def set_questions(
    raw: Sequence[Mapping[str, Any]], chosen: Sequence[Evidence], finder: QuoteFinder, number_of: Any, *, made_with: str
) -> tuple[list[Question], list[RejectedEvidence]]:
    """Return the questions of a reply that pass every check of code, and why the others do not; keys are all A.

    Args:
        raw: entries with ``id``, ``question``, ``right``, ``wrong``, ``explanation``.
        chosen: the facts in the order in which they were numbered.
        finder: the instance's sources.
        number_of: reads the number of an entry.
        made_with: the judge's id.
    """
    questions: list[Question] = []
    rejected: list[RejectedEvidence] = []
    seen: set[int] = set()
    for entry in raw:
        number = number_of(entry.get("id"))
        if number is None or not 1 <= number <= len(chosen) or number in seen:
            continue
        fact = chosen[number - 1]
        wrong = (
            [_words(each) for each in entry.get("wrong") or () if _words(each)]
            if isinstance(entry.get("wrong"), list)
            else []
        )
        options = dict(zip(LETTERS, [_words(entry.get("right")), *wrong], strict=False))
        question = Question(
            id=f"q_{hashlib.sha256(f'{fact.id} {made_with}'.encode()).hexdigest()[:16]}", type=fact.type,
            question=_words(entry.get("question")), options=options, answer="A",
            explanation=_words(entry.get("explanation")), source=fact.source, page=fact.page, source_quote=fact.quote,
            origin=QuestionOrigin.JUDGE, extra={"evidence_id": fact.id, "claim": fact.claim},
        )  # fmt: skip
        bank = QuizBank(id="", instance_id="", questions=(question,))  # type: ignore[arg-type]  # of nothing
        errors = [
            each.message for each in check_bank(bank, finder)
            if each.severity is Severity.ERROR and each.question_id == question.id
        ]  # fmt: skip
        if not question.question:
            errors.append("It has no question.")
        if len(wrong) != len(LETTERS) - 1:
            errors.append("It has not exactly three wrong options.")
        if errors:
            rejected.append(RejectedEvidence(claim=fact.claim, quote=fact.quote, page=fact.page, reason=errors[0]))
            continue
        seen.add(number)
        questions.append(question)
    return questions, rejected


def with_letters(questions: Sequence[Question], *, seed: str) -> list[Question]:
    """Return questions with their options shuffled so that each letter is the key about equally often."""
    rng = random.Random(f"{seed} letters")
    letters: list[str] = []
    while len(letters) < len(questions):
        block = list(LETTERS)
        rng.shuffle(block)
        letters += block
    found = []
    for question, letter in zip(questions, letters, strict=False):
        wrong = [words for key, words in question.options.items() if key != question.answer]
        rng.shuffle(wrong)
        rest = iter(wrong)
        options = {each: question.key_words if each == letter else next(rest) for each in LETTERS}
        found.append(replace(question, options=options, answer=letter))
    return found


def fact_words(fact: Evidence, *, with_claim: bool = True) -> str:
    """Return a fact as a model is shown it."""
    lines = [f"{fact.claim}" if with_claim else ""]
    if fact.value:
        lines.append(f"Value: {fact.value}")
    lines.append(f"Quote ({fact.source}, page {fact.page}): {' '.join(fact.quote.split())}")
    return "\n".join(line for line in lines if line)


RULES: Mapping[QuestionType, str] = {
    QuestionType.DATA: (
        "all four options are values of the same unit, and the right one is the value of the fact, as the source "
        "writes it. The wrong ones differ from it by more than rounding."
    ),
    QuestionType.CONCEPT: (
        "it asks after understanding, a cause, a meaning, a relation or a decision, and not after a number."
    ),
}


def _words(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
