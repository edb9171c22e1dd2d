"""What a wrong answer looks like, sorted before a person decides (the four types of SlidesGen-Bench, appendix A)."""

from __future__ import annotations

from collections.abc import Sequence

from studio.model.quiz import INSUFFICIENT, ErrorType, Question
from studio.quiz.values import agreement, quantities_in
from studio.texts.folded_text import fold

RULE = (
    "extraction failure: the right value or words were read on the slides' pictures and are not in the Markdown; value "
    "mismatch: a wrong letter with a cited slide, or slides that give another value; missing content: insufficient; "
    "else other"
)


def presort(
    question: Question, answer: str, *, cited: Sequence[int], markdown: str, on_pictures: str = "",
    is_contradicted: bool = False,
) -> ErrorType | None:  # fmt: skip
    """Return what a wrong answer looks like; None for a right one.

    Args:
        question: what was asked.
        answer: the letter, `INSUFFICIENT`, or empty for a reply that could not be read.
        cited: slides that the answer names.
        markdown: what the reader had.
        on_pictures: what an independent reading of the slides holds: text found by OCR, or the file's own words.
        is_contradicted: the reader saw another value in the place of the right one.
    """
    if answer == question.answer:
        return None
    if on_pictures and is_said(question.key_words, on_pictures) and not is_said(question.key_words, markdown):
        return ErrorType.EXTRACTION
    if is_contradicted or (answer not in {INSUFFICIENT, ""} and cited):
        return ErrorType.VALUE
    return ErrorType.MISSING if answer == INSUFFICIENT else ErrorType.OTHER


def is_said(words: str, text: str) -> bool:
    """Return whether a text holds these words, or, where they are a quantity, an equal one."""
    folded, wanted = quantities_in(words)
    rest = "".join(folded.text[: wanted[0].start] + folded.text[wanted[0].end :]).strip() if len(wanted) == 1 else "-"
    if len(wanted) == 1 and not rest:
        return any(agreement(wanted[0], each) for each in quantities_in(text)[1])
    return bool(words.strip()) and fold(words).text.strip() in fold(text).text
