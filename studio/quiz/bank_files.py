"""Question banks as JSON: out in the recommended layout, in from whatever comes close to it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from studio.errors import BadInput
from studio.model.quiz import LETTERS, Question, QuestionOrigin, QuestionState, QuestionType, QuizBank
from studio.quiz.values import quantities_in

FORMAT_VERSION = 1
_NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "question_id", "qid", "uid"),
    "type": ("type", "question_type", "category", "kind"),
    "question": ("question", "stem", "text", "prompt", "query"),
    "options": ("options", "choices", "answers", "candidates"),
    "answer": ("answer", "correct", "correct_answer", "correct_option", "answer_key", "key", "label"),
    "explanation": ("explanation", "rationale", "reason", "analysis"),
    "page": ("page", "page_number", "source_page", "pages"),
    "source": ("source", "document", "file", "source_name"),
    "source_quote": ("source_quote", "quote", "evidence", "source_text", "verbatim", "citation"),
    "state": ("state", "status"),
    "origin": ("origin",),
    "verified_by": ("verified_by",),
    "verified_at": ("verified_at",),
    "note": ("note",),
}
_CONCEPT = frozenset({"concept", "conceptual", "understanding", "qualitative", "概念", "概念题"})
_DATA = frozenset({"data", "numeric", "numerical", "quantitative", "value", "fact", "数据", "数据题"})
_LETTERED = re.compile(r"^\s*[(（\[]?\s*(?:option[ _]?)?([A-Za-z])\s*[)）\].:：、]\s*(.*)$", re.DOTALL)
_LETTER = re.compile(r"^\s*[(（\[]?\s*(?:option[ _]?|answer[ _:]*)?([A-Da-d])\s*[)）\].:：、]?\s*$", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class RefusedQuestion:
    """An entry of a file that is no question."""

    place: str
    """Such as ``questions[3]``."""
    reason: str


@dataclass(frozen=True, kw_only=True)
class ReadBank:
    """What a file holds."""

    instruction: str
    """The instance that it names, as written; empty if it names none."""
    difficulty: str
    title: str
    version: int
    questions: tuple[Question, ...]
    refused: tuple[RefusedQuestion, ...]
    notes: tuple[str, ...] = ()
    """What was guessed."""


def bank_json(bank: QuizBank, *, instruction: str) -> dict[str, Any]:
    """Return a bank as it is written; reading it gives the same questions."""
    return {
        "format_version": FORMAT_VERSION, "instruction": instruction, "difficulty": bank.difficulty,
        "bank_id": bank.id, "title": bank.title, "version": bank.version, "made_with": bank.made_with,
        "questions": [question_json(each) for each in bank.questions],
    }  # fmt: skip


def question_json(question: Question) -> dict[str, Any]:
    """Return one question as it is written; what an imported file said besides goes out with it."""
    return {
        **question.extra, "id": question.id, "type": question.type.value, "question": question.question,
        "options": dict(question.options), "answer": question.answer, "explanation": question.explanation,
        "source": question.source, "page": question.page, "source_quote": question.source_quote,
        "state": question.state.value, "origin": question.origin.value, "verified_by": question.verified_by,
        "verified_at": question.verified_at, "note": question.note,
    }  # fmt: skip


def read_banks(text: str, name: str) -> list[ReadBank]:
    """Return the banks of a file: one object, a list of banks, a list of questions, or JSON lines.

    Args:
        text: the file's content.
        name: what the file is called, for messages.

    Raises:
        BadInput: if it is no JSON, or holds no question at all.
    """
    value = _parsed(text.removeprefix("\ufeff"), name)
    if isinstance(value, list) and value and all(isinstance(each, Mapping) and _has_questions(each) for each in value):
        banks = [_bank(each) for each in value]
    elif isinstance(value, Mapping) and _has_questions(value):
        banks = [_bank(value)]
    elif isinstance(value, list):
        banks = [_bank({"questions": value})]
    elif isinstance(value, Mapping) and value and all(isinstance(each, list | Mapping) for each in value.values()):
        # Banks under the names of their instances.
        banks = [
            _bank(
                {**each, "instruction": key} if isinstance(each, Mapping) else {"instruction": key, "questions": each}
            )
            for key, each in value.items()
        ]
    else:
        banks = []
    if not any(bank.questions or bank.refused for bank in banks):
        raise BadInput(f"{name} holds no questions.", next_step='A bank is an object with a list "questions".')
    return banks


def question_of(raw: Mapping[str, Any], *, place: str = "") -> tuple[Question | None, str, list[str]]:
    """Return a question as far as an entry is one, why it is none, and what was guessed."""
    values = {field: _first(raw, names) for field, names in _NAMES.items()}
    known = {name for names in _NAMES.values() for name in names}
    words = _text(values["question"])
    if not words:
        return None, "no question", []
    options, notes = _options(values["options"], raw)
    if not options:
        return None, "no options", []
    answer = _answer(values["answer"], options)
    if not answer:
        return None, "no answer that is one of its options", []
    kind, guessed = _type(values["type"], options)
    if guessed:
        notes.append(f"{place}: taken for a {kind.value} question")
    state = _text(values["state"])
    origin = _text(values["origin"])
    option_keys = {f"{prefix}{letter}" for letter in "abcdABCD" for prefix in ("", "option_", "option", "Option")}
    extra = {key: each for key, each in raw.items() if key not in known and key not in option_keys}
    question = Question(
        id=_text(values["id"]) or content_id(words, options), type=kind, question=words, options=options, answer=answer,
        explanation=_text(values["explanation"]), source=_text(values["source"]), page=_page(values["page"]),
        source_quote=_quote(values["source_quote"]),
        state=QuestionState(state) if state in list(QuestionState) else QuestionState.DRAFT,
        origin=QuestionOrigin(origin) if origin in list(QuestionOrigin) else QuestionOrigin.IMPORTED,
        verified_by=_text(values["verified_by"]), verified_at=_text(values["verified_at"]), note=_text(values["note"]),
        extra=extra,
    )  # fmt: skip
    return question, "", notes


def content_id(words: str, options: Mapping[str, str]) -> str:
    """Return an id that depends on what is asked and on nothing else."""
    text = "\n".join([words, *sorted(options.values())])
    return f"q_{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def _parsed(text: str, name: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        lines = [line for line in text.splitlines() if line.strip()]
        try:
            rows = [json.loads(line) for line in lines] if len(lines) > 1 else []
        except (ValueError, RecursionError):
            rows = []
        if not rows:
            raise BadInput(f"{name} is no JSON: {error}.", next_step="Correct the file.") from error
        return rows


def _has_questions(value: Mapping[str, Any]) -> bool:
    return any(key in value for key in ("questions", "quiz", "items", "concept", "data", "qa", "mcq"))


def _entries(value: Mapping[str, Any]) -> Iterator[tuple[str, Any, str]]:
    """Yield place, entry and the type that its list implies."""
    for key in ("questions", "quiz", "items", "qa", "mcq"):
        listed = value.get(key)
        if isinstance(listed, Mapping):
            yield from _entries(listed)
        elif isinstance(listed, list):
            yield from ((f"{key}[{place}]", each, "") for place, each in enumerate(listed, start=1))
    for kind in ("concept", "data"):
        if isinstance(value.get(kind), list):
            yield from ((f"{kind}[{place}]", each, kind) for place, each in enumerate(value[kind], start=1))


def _bank(value: Mapping[str, Any]) -> ReadBank:
    questions: dict[str, Question] = {}
    refused, notes = [], []
    for place, raw, kind in _entries(value):
        if not isinstance(raw, Mapping):
            refused.append(RefusedQuestion(place=place, reason="not an object"))
            continue
        entry = raw if not kind or _first(raw, _NAMES["type"]) else {**raw, "type": kind}
        question, reason, guessed = question_of(entry, place=place)
        if question is None:
            refused.append(RefusedQuestion(place=place, reason=reason))
            continue
        if question.id in questions:
            if questions[question.id].question == question.question:
                refused.append(RefusedQuestion(place=place, reason="the same question again"))
                continue
            # Files number their questions anew in each part.
            question = _with_id(question, content_id(question.question, question.options))
        questions[question.id] = question
        notes += guessed
    version = value.get("version")
    return ReadBank(
        instruction=_text(_first(value, ("instruction", "instance", "instance_id", "topic", "name", "document"))),
        difficulty=_text(value.get("difficulty")), title=_text(value.get("title")),
        version=version if isinstance(version, int) and not isinstance(version, bool) and version > 0 else 1,
        questions=tuple(questions.values()), refused=tuple(refused), notes=tuple(notes),
    )  # fmt: skip


def _with_id(question: Question, identifier: str) -> Question:
    return replace(question, id=identifier)


def _first(raw: Mapping[str, Any], names: Sequence[str]) -> Any:
    lowered = {str(key).lower(): value for key, value in raw.items()}
    return next((lowered[name] for name in names if lowered.get(name) is not None), None)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _quote(value: Any) -> str:
    if isinstance(value, Mapping):
        return _text(_first(value, _NAMES["source_quote"] + ("text",)))
    if isinstance(value, list):
        return _quote(value[0]) if value else ""
    return _text(value)


def _page(value: Any) -> int | None:
    if isinstance(value, list):
        return _page(value[0]) if value else None
    found = re.search(r"\d+", _text(value))
    return int(found[0]) if found and int(found[0]) > 0 else None


def _options(value: Any, raw: Mapping[str, Any]) -> tuple[dict[str, str], list[str]]:
    if value is None:
        lowered = {str(key).lower(): each for key, each in raw.items()}
        found = {
            letter: _text(lowered.get(f"option_{letter.lower()}", lowered.get(f"option{letter.lower()}",
                          lowered.get(letter.lower()))))
            for letter in LETTERS
        }  # fmt: skip
        return {letter: words for letter, words in found.items() if words}, []
    options: dict[str, str] = {}
    if isinstance(value, Mapping):
        for key, each in value.items():
            letter = _LETTER.match(str(key))
            words = _text(each)
            if words:
                options[letter[1].upper() if letter else str(key)] = words
        if not set(options) <= set(LETTERS):
            options = dict(zip(LETTERS, options.values(), strict=False))
    elif isinstance(value, list):
        for place, each in enumerate(value[: len(LETTERS) + 2]):
            named = _text(_first(each, ("label", "letter", "id", "key"))) if isinstance(each, Mapping) else ""
            words = (
                _text(_first(each, ("text", "value", "option", "content")))
                if isinstance(each, Mapping)
                else _text(each)
            )
            lettered = _LETTERED.match(words)
            if lettered is not None and lettered[1].upper() == chr(ord("A") + place):
                words = lettered[2].strip()
            letter_named = named.upper() if len(named) == 1 and named.isalpha() else chr(ord("A") + place)
            if words:
                options[letter_named] = words
    return options, []


def _answer(value: Any, options: Mapping[str, str]) -> str:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, int) and not isinstance(value, bool):
        # A number is a place from 0, unless only counting from 1 makes sense of it.
        letters = list(options)
        return letters[value] if 0 <= value < len(letters) else ""
    words = _text(value)
    letter = _LETTER.match(words)
    if letter is not None and letter[1].upper() in options:
        return letter[1].upper()
    lettered = _LETTERED.match(words)
    if lettered is not None and lettered[1].upper() in options:
        return lettered[1].upper()
    same = [key for key, option in options.items() if option.casefold() == words.casefold()]
    return same[0] if len(same) == 1 else ""


def _type(value: Any, options: Mapping[str, str]) -> tuple[QuestionType, bool]:
    words = re.split(r"[\s_-]", _text(value).casefold())[0] if _text(value) else ""
    if words in _CONCEPT:
        return QuestionType.CONCEPT, False
    if words in _DATA:
        return QuestionType.DATA, False
    has_numbers = all(quantities_in(option)[1] for option in options.values())
    return (QuestionType.DATA if has_numbers else QuestionType.CONCEPT), True
