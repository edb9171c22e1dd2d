"""What can be guessed: the option that surface cues favour, without any source or slide."""

from __future__ import annotations

import hashlib
import math
from statistics import median

from studio.model.quiz import Question, QuestionType
from studio.quiz.values import quantities_in, value_of
from studio.quiz.words import content_words, share_of

MUCH_LONGER = 1.6
"""An option so many times as long as the others' median stands out."""
SAME_WORDS = 0.34
"""An option that shares so much more of its words with the question than any other stands out."""
FAR_OFF = 1000.0


def guess(question: Question) -> str:
    """Return the letter that somebody would guess who knows nothing.

    By words shared with the question, length, and the middle of the numbers; where no cue speaks, by a hash of the
    question, which favours no letter.
    """
    letters = [letter for letter, words in question.options.items() if words.strip()]
    if not letters:
        return ""
    scores = {letter: _score(question, letter) for letter in letters}
    best = max(scores.values())
    favoured = [letter for letter in letters if scores[letter] >= best - 1e-9]
    digest = hashlib.sha256(f"{question.id}\n{question.question}".encode()).digest()
    return favoured[digest[0] % len(favoured)]


def cues(question: Question) -> list[str]:
    """Return what gives the right option away; empty if nothing does."""
    key = question.answer
    others = [words for letter, words in question.options.items() if letter != key and words.strip()]
    if key not in question.options or not others:
        return []
    words = question.options[key]
    found = []
    usual = median(len(each) for each in others)
    if question.type is QuestionType.CONCEPT and usual >= 8 and len(words) >= MUCH_LONGER * usual:
        found.append("the right option is much longer than the others")
    asked = set(content_words(question.question))
    own = share_of(content_words(words), asked)
    if own - max(share_of(content_words(each), asked) for each in others) >= SAME_WORDS:
        found.append("the right option repeats the question's words, the others do not")
    values = {letter: quantities_in(each)[1] for letter, each in question.options.items()}
    if all(len(each) == 1 for each in values.values()):
        numbers = {letter: abs(value_of(each[0])) for letter, each in values.items()}
        rest = [number for letter, number in numbers.items() if letter != key]
        if numbers[key] and all(rest) and all(
            max(number, numbers[key]) / min(number, numbers[key]) >= FAR_OFF for number in rest
        ):  # fmt: skip
            found.append("the other values are of another order of magnitude")
        units = {letter: bool(each[0].measured) for letter, each in values.items()}
        if units[key] and not any(has for letter, has in units.items() if letter != key):
            found.append("only the right option has a unit")
    if any(word in words.casefold() for word in ("all of the above", "以上都是", "以上全部")):
        found.append("the right option is 'all of the above'")
    return found


def _score(question: Question, letter: str) -> float:
    words = question.options[letter]
    asked = set(content_words(question.question))
    overlap = share_of(content_words(words), asked)
    lengths = [len(each) for each in question.options.values() if each.strip()]
    usual = median(lengths) or 1
    length = min(1.0, max(0.0, len(words) / usual - 1.25)) if question.type is QuestionType.CONCEPT else 0.0
    middle = 0.0
    values = {each: quantities_in(text)[1] for each, text in question.options.items()}
    if all(len(each) == 1 for each in values.values()):
        logs = sorted(math.log10(abs(value_of(each[0])) or 1e-12) for each in values.values())
        own = math.log10(abs(value_of(values[letter][0])) or 1e-12)
        middle = 0.2 if logs[0] < own < logs[-1] else 0.0
    return overlap + 0.5 * length + middle
