"""Drafts of data questions without a model: facts with a number, and wrong options from the same source."""

from __future__ import annotations

import hashlib
import math
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from studio.model.decks import SourcePage
from studio.model.quiz import LETTERS, Question, QuestionOrigin, QuestionType
from studio.quiz.quotes import NamedPages
from studio.quiz.sentences import on_one_line, sentences
from studio.quiz.values import dimensions, is_year, original, quantities_in, value_of
from studio.quiz.words import content_words, is_mostly_wide
from studio.texts.folded_text import Folded
from studio.texts.quantities import Quantity

MADE_WITH = "offline"
BLANK = "____"
_LEAST_WORDS = 4
_LONGEST = 320
_MOST_NUMBERS = 5
"""Of a sentence; one with more is a list, and asks after nothing."""
_NEEDS_PERSON = "Draft by rules, not checked by anybody: a person must read it against the source."
_OTHER_KIND = "Some wrong options are numbers of this source that measure something else."
_NO_FACT = re.compile(
    r"https?://|www\.|doi\b|@|\bet al\b|©|\bISBN\b|\barXiv\b|\b(?:fig(?:ure)?|table|section|chapter|equation|eq)"
    r"\.?\s*\d",
    re.IGNORECASE,
)
_NAMED_BEFORE = re.compile(
    r"(?:\b(?:fig(?:ure)?|table|section|chapter|page|slide|step|version|v|no|part|phase|grade|level|type|vol|rfc|iso|"
    r"ieee|covid)\.?\s*|[#§第图表]\s*|[\[(]|[A-Za-z]-?)$",
    re.IGNORECASE,
)
_DATE = re.compile(r"\d{1,2}:\d{2}|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}")
_NOUN = re.compile(r"\s?[^\W\d_]{3,}|[\u3400-\u9fff]")


@dataclass(frozen=True, kw_only=True)
class Fact:
    """A sentence with one number in it that can be asked after."""

    source: str
    page: int
    quote: str
    """Verbatim, line breaks included."""
    start: int
    """Of the quote, in characters of the page's text."""
    value: str
    """The number with its unit as written."""
    value_start: int
    """In characters of the quote."""
    quantity: Quantity
    others: tuple[Quantity, ...]
    """The other numbers of the sentence."""
    score: float
    """How well it lends itself to a question."""


@dataclass(frozen=True, kw_only=True)
class Drafts:
    """What drafting came to."""

    questions: tuple[Question, ...]
    facts: int
    """Facts that were found."""
    without_options: int
    """Facts for which the source has not enough other numbers."""


def draft(sources: Sequence[NamedPages], *, count: int, seed: int) -> Drafts:
    """Return data questions about the facts of sources, spread over their pages, keys spread over the letters.

    Args:
        sources: pages of an instance's sources.
        count: questions at most.
        seed: of the choice among facts, of wrong options and of letters.
    """
    rng = random.Random(f"{seed}")
    facts = list(facts_of(sources))
    chosen = _spread(facts, rng)
    letters = _letters(count, rng)
    questions: list[Question] = []
    seen: set[str] = set()
    without = 0
    pool = _pool(sources)
    for fact in chosen:
        if len(questions) == count:
            break
        if fact.quote in seen:
            continue
        found = _options(fact, pool, rng)
        if found is None:
            without += 1
            continue
        seen.add(fact.quote)
        wrong, is_mixed = found
        questions.append(_question(fact, wrong, letters[len(questions)], is_mixed=is_mixed))
    return Drafts(questions=tuple(questions), facts=len(facts), without_options=without)


def facts_of(sources: Sequence[NamedPages]) -> Iterator[Fact]:
    """Yield every fact with a number of all pages, in order."""
    for source in sources:
        for page in source.pages:
            yield from _facts(source.name, page)


def _facts(source: str, page: SourcePage) -> Iterator[Fact]:
    for sentence in sentences(page.text):
        text = sentence.text
        is_wide = is_mostly_wide(text)
        words = content_words(text)
        if "|" in text or "\t" in text or _NO_FACT.search(text) or len(text) > _LONGEST:
            continue
        if len(words) < _LEAST_WORDS or (not is_wide and len(text) < 25):
            continue
        folded, found = quantities_in(text)
        if text.rstrip("\"'”’」』)）")[-1:] not in ".。!！?？;；" and ("\n" in text or len(found) > 2):
            # Cells of a table that lost its lines, or a heading with what follows it.
            continue
        if len(found) > _MOST_NUMBERS:
            continue
        for quantity in found:
            if not _is_fact(folded.text, quantity):
                continue
            if not _is_whole(text, folded, quantity):
                continue
            if any(each is not quantity and each.raw & quantity.raw for each in found):
                # The sentence itself would hold the answer.
                continue
            start, end = original(text, folded, quantity.start, quantity.end)
            others = tuple(each for each in found if each is not quantity)
            has_unit = bool(quantity.measured) or quantity.is_scaled
            score = 1.0 + has_unit + 0.5 * (quantity.written >= 3) - 0.2 * max(0, len(others) - 2)
            score += 0.3 * (text.rstrip()[-1:] in ".。!！")
            if is_year(quantity):
                score -= 0.8
            yield Fact(
                source=source, page=page.number, quote=text, start=sentence.start, value=text[start:end].strip(),
                value_start=start + len(text[start:end]) - len(text[start:end].lstrip()), quantity=quantity,
                others=others, score=score,
            )  # fmt: skip


def _is_fact(text: str, quantity: Quantity) -> bool:
    before, behind = text[: quantity.start], text[quantity.end :]
    if _NAMED_BEFORE.search(before) or _DATE.search(text[max(0, quantity.start - 6) : quantity.end + 6]):
        return False
    if behind[:1] in {")", "]"} and not (quantity.measured or quantity.is_scaled or is_year(quantity)):
        return False
    if quantity.measured or quantity.is_scaled or is_year(quantity):
        return True
    # A bare number counts if something is counted: "1,240 stations".
    return quantity.written >= 2 and bool(_NOUN.match(behind.lstrip(" -")[:20]))


def _is_whole(text: str, folded: Folded, quantity: Quantity) -> bool:
    """Return whether a quantity is written with its unit: the first of "20 to 40 mg" has it from the second."""
    if not quantity.measured:
        return True
    start, end = original(text, folded, quantity.start, quantity.end)
    return bool(re.search(r"[^\d\s.,'\-−+]", text[start:end]))


def _spread(facts: Sequence[Fact], rng: random.Random) -> list[Fact]:
    """Return facts in the order in which they are tried: better ones first, pages in turns."""
    by_page: dict[tuple[str, int], list[Fact]] = {}
    for fact in facts:
        by_page.setdefault((fact.source, fact.page), []).append(fact)
    for listed in by_page.values():
        rng.shuffle(listed)
        listed.sort(key=lambda fact: -fact.score)
    pages = list(by_page)
    rng.shuffle(pages)
    ordered: list[Fact] = []
    while any(by_page.values()):
        for page in pages:
            if by_page[page]:
                ordered.append(by_page[page].pop(0))
    return ordered


@dataclass(frozen=True, kw_only=True)
class _Number:
    text: str
    quantity: Quantity


def _pool(sources: Sequence[NamedPages]) -> list[_Number]:
    """Return the numbers of all sources as written, each value once."""
    found: dict[tuple[frozenset[str], frozenset[tuple[str, str]]], _Number] = {}
    for source in sources:
        for page in source.pages:
            folded, quantities = quantities_in(page.text)
            for quantity in quantities:
                if _NAMED_BEFORE.search(folded.text[max(0, quantity.start - 12) : quantity.start]):
                    continue
                start, end = original(page.text, folded, quantity.start, quantity.end)
                words = on_one_line(page.text[start:end])
                if not _is_whole(page.text, folded, quantity):
                    continue
                found.setdefault((quantity.raw, quantity.measured), _Number(text=words, quantity=quantity))
    return list(found.values())


def _options(fact: Fact, pool: Sequence[_Number], rng: random.Random) -> tuple[list[str], bool] | None:
    """Return three wrong options, and whether some measure something else; None if there are too few numbers."""
    avoid = [fact.quantity, *fact.others]
    kinds = dimensions(fact.quantity)
    own = [each for each in pool if dimensions(each.quantity) & kinds and _is_apart(each.quantity, avoid)]
    if "count" in kinds:
        is_whole = _as_written(fact.quantity).is_integer()
        own = [
            each for each in own
            if each.quantity.written >= 2 and _as_written(each.quantity).is_integer() is is_whole
        ]  # fmt: skip
    wrong = [each.text for each in _nearest(fact.quantity, own, rng)]
    if len(wrong) == 3:
        return wrong, False
    if is_year(fact.quantity):
        # Any other number would be seen to be no year.
        return None
    taken = [*avoid, *(each.quantity for each in own)]
    unit = _unit_words(fact)
    more = []
    others = [each for each in pool if not dimensions(each.quantity) & kinds]
    for each in _nearest(fact.quantity, others, rng, count=12, by=_as_written):
        number = _digits_of(each)
        made = unit.replace(BLANK, number) if number and not is_year(each.quantity) else ""
        _, read = quantities_in(made) if made else (None, [])
        if len(read) == 1 and _is_apart(read[0], taken):
            taken.append(read[0])
            more.append(made)
        if len(wrong) + len(more) == 3:
            return [*wrong, *more], True
    return None


def _nearest(
    wanted: Quantity,
    pool: Sequence[_Number],
    rng: random.Random,
    *,
    count: int = 3,
    by: Callable[[Quantity], float] = value_of,
) -> list[_Number]:
    """Return numbers of like size, all of different value.

    How many of the first three are smaller than the wanted one is drawn first, so that its place among the options
    tells nothing.
    """
    own = by(wanted)
    size = math.log10(abs(own) or 1e-9)
    ordered = sorted(pool, key=lambda each: abs(math.log10(abs(by(each.quantity)) or 1e-9) - size))
    kept: list[_Number] = []
    for each in ordered:
        if all(_is_apart(each.quantity, [one.quantity]) for one in kept):
            kept.append(each)
        if len(kept) == 4 * count:
            break
    below = [each for each in kept if by(each.quantity) < own]
    above = [each for each in kept if by(each.quantity) >= own]
    for side in (below, above):
        nearer = side[:4]
        rng.shuffle(nearer)
        side[:4] = nearer
    smaller = rng.randint(0, 3)
    chosen = below[:smaller] + above[: 3 - smaller]
    rest = [each for each in kept if each not in chosen]
    chosen = (chosen + rest)[:count]
    rng.shuffle(chosen)
    return chosen


def _as_written(quantity: Quantity) -> float:
    """Return the number alone, whatever its unit makes of it."""
    return float(min(quantity.raw, key=lambda value: abs(float(value)), default="0"))


def _is_apart(one: Quantity, others: Sequence[Quantity]) -> bool:
    """Return whether a quantity is no other way to write, and no rounding of, one of the others."""
    return not any(
        one.raw & other.raw or one.measured & other.measured or one.rounds(other) or other.rounds(one)
        or one.agrees(other) or other.agrees(one)
        for other in others
    )  # fmt: skip


def _unit_words(fact: Fact) -> str:
    """Return a fact's value with its number blanked, such as ``$____ million``."""
    found = re.search(r"\d[\d.,'\s\u00a0\u202f]*\d|\d", fact.value)
    if found is None:
        return BLANK
    return fact.value[: found.start()] + BLANK + fact.value[found.end() :]


def _digits_of(number: _Number) -> str:
    found = re.search(r"\d[\d.,'\u00a0\u202f]*\d|\d", number.text)
    return found.group() if found is not None else ""


def _letters(count: int, rng: random.Random) -> list[str]:
    """Return so many letters, each as often as the others, in a random order."""
    letters: list[str] = []
    while len(letters) < count:
        block = list(LETTERS)
        rng.shuffle(block)
        letters += block
    return letters


def _question(fact: Fact, wrong: Sequence[str], letter: str, *, is_mixed: bool) -> Question:
    begin, end = fact.value_start, fact.value_start + len(fact.value)
    sentence = on_one_line(fact.quote[:begin] + BLANK + fact.quote[end:])
    is_wide = is_mostly_wide(fact.quote)
    words = (
        f"原文中空格处应填哪个数值？“{sentence}”"
        if is_wide
        else f"Which value completes this sentence of the source? “{sentence}”"
    )
    left = iter(wrong)
    options = {each: on_one_line(fact.value) if each == letter else next(left) for each in LETTERS}
    digest = hashlib.sha256(
        f"{fact.source}\n{fact.page}\n{fact.start}\n{fact.value_start}\n{fact.quote}".encode()
    ).hexdigest()
    return Question(
        id=f"q_{digest[:16]}", type=QuestionType.DATA, question=words, options=options, answer=letter,
        explanation=on_one_line(fact.quote), source=fact.source, page=fact.page, source_quote=fact.quote,
        origin=QuestionOrigin.OFFLINE, note=f"{_NEEDS_PERSON} {_OTHER_KIND}" if is_mixed else _NEEDS_PERSON,
    )  # fmt: skip
