"""The demo's question banks: sound by the checks, and read as they should be off three versions of each source."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from studio.decks.sources import read_source
from studio.model.decks import SourceFormat
from studio.model.quiz import QuestionState, QuestionType, QuizBank, SlideText
from studio.quiz.bank_files import read_banks
from studio.quiz.checks import Severity, check_bank
from studio.quiz.quotes import NamedPages, QuoteFinder
from studio.quiz.reader import OfflineReader
from studio.quiz.sentences import on_one_line, sentences

FORMATS = {
    ".pdf": SourceFormat.PDF, ".md": SourceFormat.MARKDOWN, ".docx": SourceFormat.DOCX, ".html": SourceFormat.HTML
}  # fmt: skip
INSTANCES = ("hash-tables-lecture", "library-year", "tea-zh", "weather-station-product", "white-roofs-paper")
_DIGITS = str.maketrans("123456789", "234567891")


def pages_of(built: Path, instance: str) -> list[NamedPages]:
    return [
        NamedPages(name=path.name, pages=read_source(path, FORMATS[path.suffix]).pages)
        for path in sorted((built / instance / "sources").iterdir())
    ]


def questions_of(built: Path, instance: str):
    banks = json.loads((built / "quiz_banks.json").read_text(encoding="utf-8"))
    bank = next(each for each in banks if each["instruction"] == instance)
    return read_banks(json.dumps(bank), "quiz_banks.json")[0].questions


def as_slides(pages: list[NamedPages]) -> list[SlideText]:
    lines = [on_one_line(each.text) for one in pages for page in one.pages for each in sentences(page.text)]
    return [
        SlideText(number=at // 6 + 1, markdown="\n".join(f"- {line}" for line in lines[at : at + 6]))
        for at in range(0, len(lines), 6)
    ]


@pytest.mark.parametrize("instance", INSTANCES)
def test_that_a_bank_is_sound_and_nobody_has_accepted_it(built, instance):
    questions = questions_of(built, instance)
    found = check_bank(QuizBank(id="b", instance_id="i", questions=questions), QuoteFinder(pages_of(built, instance)))
    assert [each.message for each in found if each.severity is Severity.ERROR] == []
    assert {each.state for each in questions} == {QuestionState.DRAFT}
    assert {each.type for each in questions} == set(QuestionType)


@pytest.mark.parametrize("instance", INSTANCES)
def test_that_whole_slides_are_read_and_changed_values_never(built, instance):
    questions = [each for each in questions_of(built, instance) if each.type is QuestionType.DATA]
    whole = as_slides(pages_of(built, instance))
    changed = [
        SlideText(number=each.number, markdown=re.sub(r"\d", lambda digit: digit[0].translate(_DIGITS), each.markdown))
        for each in whole
    ]
    right = sum(OfflineReader(whole).read(each).answer == each.answer for each in questions)
    assert right >= 0.9 * len(questions)
    assert [each.id for each in questions if OfflineReader(changed).read(each).answer == each.answer] == []
