"""Answering question banks without a model: a unit for each deck, or for each bank where no deck is needed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from studio.decks.limits import Limits
from studio.decks.mupdf import page_texts
from studio.decks.slide_markdown import office_markdown, text_markdown
from studio.decks.structure import OFFICE_FORMATS
from studio.decks.structure.odp import odp_slide_texts
from studio.jobs.executors import Executor, ProcessExecutor, Work
from studio.jobs.job import Plan
from studio.jobs.keys import unit_key
from studio.jobs.render_job import wanted_decks
from studio.model.decks import Deck, DeckFormat, DeckStatus, Failure, RenderState
from studio.model.ids import DeckId
from studio.model.protocols import CancelToken
from studio.model.quiz import Condition, Question, QuizAnswer, QuizBank, SlideText
from studio.model.runs import RunKind, RunSpec, Unit, UnitResult, UnitStatus
from studio.quiz.guessing import guess
from studio.quiz.passages import joined
from studio.quiz.presort import presort
from studio.quiz.reader import READER, READER_VERSION, OfflineReader, Reading
from studio.reflex.encoder import static_encoder, why_no_encoder
from studio.store import decks as deck_store
from studio.store import quiz_answers as answer_store
from studio.store import regions as region_store
from studio.store.project import Project
from studio.store.quizzes import asked_words

MARKDOWN_VERSION = 1
"""Goes up when the same file would give other Markdown."""
NO_TEXT = "no_text"
_MAX_SECONDS = 300.0
FROM_FILE = OFFICE_FORMATS | {DeckFormat.ODP}
"""Formats whose words are read from the file; those of others come from their rendering."""


@dataclass(frozen=True, kw_only=True)
class DeckText:
    """Where the words of a deck's slides come from, for a worker process."""

    path: Path | None
    """The file, where its words are in it."""
    format: DeckFormat
    slides: tuple[SlideText, ...] = ()
    """Words that were found when it was rendered."""
    on_pictures: tuple[tuple[int, str], ...] = ()
    """What was read on slides that are pictures, by slide number."""


@dataclass(frozen=True, kw_only=True)
class QuizTask:
    """One bank's questions about one deck, or about none."""

    questions: tuple[Question, ...]
    condition: Condition
    text: DeckText | None = None
    uses_vectors: bool = True


@dataclass(frozen=True, kw_only=True)
class QuizOutcome:
    """What a reader made of a task."""

    readings: tuple[Reading, ...]
    markdown: str = ""
    on_pictures: str = ""


def question_key(question: Question) -> str:
    """Return the hash of what a question asks and is held to."""
    return hashlib.sha256(asked_words(question).encode()).hexdigest()[:24]


def slide_texts(text: DeckText) -> list[SlideText]:
    """Return a deck's slides as Markdown, with what was read on pictures under the words of the file."""
    if text.path is None:
        slides = list(text.slides)
    elif text.format in OFFICE_FORMATS:
        slides = list(office_markdown(text.path))
    elif text.format is DeckFormat.ODP:
        slides = [
            text_markdown(each.number, each.text) for each in odp_slide_texts(text.path, Limits()) if not each.is_hidden
        ]
    else:
        slides = [text_markdown(number, page) for number, page in enumerate(page_texts(str(text.path), None), start=1)]
    found = {slide.number: slide for slide in slides}
    for number, words in text.on_pictures:
        own = found.get(number)
        if own is None or not own.markdown.strip():
            found[number] = text_markdown(number, words)
        else:
            lines = "\n".join(f"- {line}" for line in words.splitlines() if line.strip() and line not in own.markdown)
            found[number] = SlideText(number=number, markdown=f"{own.markdown}\n{lines}".rstrip())
    return [found[number] for number in sorted(found)]


def deck_text(project: Project, deck: Deck) -> DeckText | None:
    """Return where a deck's words are; None for a deck without a file, or one that must be rendered first."""
    if deck.status is not DeckStatus.PRESENT or deck.asset is None or deck.format is None:
        return None
    read = tuple((number, found.text) for number, found in region_store.picture_texts(project, deck.id).items())
    is_rendered = deck.render_state is RenderState.RENDERED
    if deck.format in FROM_FILE:
        return DeckText(path=project.asset_path(deck.asset, deck.extension), format=deck.format, on_pictures=read)
    if not is_rendered:
        if deck.format is DeckFormat.PDF:
            return DeckText(path=project.asset_path(deck.asset, deck.extension), format=deck.format)
        return None
    slides = tuple(
        text_markdown(slide.number, slide.text)
        for slide in deck_store.list_slides(project, deck.id)
        if not slide.is_hidden
    )
    return DeckText(path=None, format=deck.format, slides=slides, on_pictures=read)


def answer_task(task: QuizTask) -> QuizOutcome:
    """Return the offline reader's answers to a task; for worker processes."""
    if task.condition is Condition.CLOSED_BOOK:
        readings = [
            Reading(answer=guess(each), reason="Guessed from the options alone, without any slide.")
            for each in task.questions
        ]
        return QuizOutcome(readings=tuple(readings))
    encode = static_encoder().encode if task.uses_vectors else None
    if task.condition is Condition.ORACLE:
        slides = [
            SlideText(number=number, markdown=f"- {' '.join(each.source_quote.split())}")
            for number, each in enumerate(task.questions, start=1)
            if each.source_quote.strip()
        ]
        readings = list(map(OfflineReader(slides, encode).read, task.questions))
        return QuizOutcome(readings=tuple(readings), markdown=joined(slides))
    assert task.text is not None
    slides = slide_texts(task.text)
    readings = list(map(OfflineReader(slides, encode).read, task.questions))
    return QuizOutcome(
        readings=tuple(readings),
        markdown=joined(slides),
        on_pictures="\n".join(words for _, words in task.text.on_pictures),
    )


class QuizJob:
    """Asks every bank's questions of the offline reader.

    Args:
        spec: which decks; `options` are stored with the run.
        banks: with the questions that are asked.
        condition: what the reader is given.
    """

    kind = RunKind.QUIZ

    def __init__(self, spec: RunSpec, banks: Sequence[QuizBank], condition: Condition) -> None:
        self.spec = spec
        self.condition = condition
        self.title = f"Question banks · {READER}" + ("" if condition is Condition.SLIDES else f" · {condition.value}")
        self._banks = [bank for bank in banks if bank.asked]
        self._uses_vectors = not why_no_encoder()

    def plan(self, project: Project) -> Plan:
        """See `Job.plan`. Equal words, questions and rules are read once."""
        units, blocked = [], []
        if self.condition is Condition.SLIDES:
            by_instance: dict[str, list[QuizBank]] = {}
            for bank in self._banks:
                by_instance.setdefault(bank.instance_id, []).append(bank)
            for deck in wanted_decks(project, self.spec):
                for bank in by_instance.get(deck.instance_id, ()):
                    unit = self._of_deck(project, deck, bank)
                    if unit.payload[1].text is None:
                        blocked.append(_blocked(unit, deck))
                    else:
                        units.append(unit)
        else:
            units = [self._of_bank(bank) for bank in self._banks]
        done = answer_store.answered_units(project)
        left = tuple(unit for unit in units if self.spec.force or (unit.key, unit.deck_id) not in done)
        return Plan(units=left, cached=len(units) - len(left), blocked=tuple(blocked))

    def executor(self) -> Executor:
        """See `Job.executor`."""
        return ProcessExecutor(self.spec.workers or os.cpu_count() or 1, limit_s=_MAX_SECONDS)

    def work(self, cancel: CancelToken) -> Work:
        """See `Job.work`."""
        return _work

    def save(self, project: Project, result: UnitResult, run_id: str) -> None:
        """See `Job.save`. A deck that could not be read leaves no answers, only its unit with the reason."""
        if result.status is not UnitStatus.OK:
            return
        bank, task, asset = result.unit.payload
        outcome: QuizOutcome = result.value
        if task.condition is Condition.SLIDES:
            answer_store.append_text(
                project, result.unit.deck_id, outcome.markdown, text_from=READER, unit_key=result.unit.key
            )
        answers = [
            QuizAnswer(
                bank_id=bank.id, bank_version=bank.version, question_id=question.id, type=question.type,
                instance_id=bank.instance_id, deck_id=result.unit.deck_id, reader=READER, condition=task.condition,
                answer=reading.answer, key=question.answer, cited_slides=reading.slides, reason=reading.reason,
                text_from=READER if task.condition is Condition.SLIDES else "", question_key=question_key(question),
                run_id=run_id,
                presort=presort(
                    question, reading.answer, cited=reading.slides, markdown=outcome.markdown,
                    on_pictures=outcome.on_pictures, is_contradicted=reading.is_contradicted,
                ) if task.condition is Condition.SLIDES else None,
            )
            for question, reading in zip(task.questions, outcome.readings, strict=True)
        ]  # fmt: skip
        answer_store.append_answers(project, answers, unit_key=result.unit.key, asset=asset)

    def _of_deck(self, project: Project, deck: Deck, bank: QuizBank) -> Unit:
        text = deck_text(project, deck)
        task = QuizTask(questions=bank.asked, condition=self.condition, text=text, uses_vectors=self._uses_vectors)
        key = unit_key(
            "quiz", READER, READER_VERSION, MARKDOWN_VERSION, self.condition.value, deck.asset or deck.id, bank.id,
            [question_key(each) for each in bank.asked], self._uses_vectors,
            [[each.number, each.markdown] for each in text.slides] if text else [],
            [list(each) for each in text.on_pictures] if text else [],
        )  # fmt: skip
        return Unit(
            key=key, deck_id=deck.id, instance_id=deck.instance_id, label=deck.system,
            payload=(bank, task, deck.asset or ""),
        )  # fmt: skip

    def _of_bank(self, bank: QuizBank) -> Unit:
        task = QuizTask(questions=bank.asked, condition=self.condition, uses_vectors=self._uses_vectors)
        key = unit_key(
            "quiz", READER, READER_VERSION, self.condition.value, bank.id, [question_key(each) for each in bank.asked],
            [each.source_quote for each in bank.asked], self._uses_vectors,
        )  # fmt: skip
        return Unit(
            key=key, deck_id=DeckId(""), instance_id=bank.instance_id, label=f"{bank.title} · {self.condition.value}",
            payload=(bank, task, ""),
        )  # fmt: skip


def _work(payload: tuple[QuizBank, QuizTask, str]) -> QuizOutcome:
    return answer_task(payload[1])


def _blocked(unit: Unit, deck: Deck) -> UnitResult:
    if deck.status is DeckStatus.PRESENT:
        why = deck.render_reason or "its words come from its pages, which were not drawn; render it first"
        failure = Failure(kind=NO_TEXT, message=why)
    else:
        kind, _, message = deck.reason.partition(": ")
        failure = Failure(kind=kind or deck.status.value, message=message or deck.reason or deck.status.value)
    return UnitResult(unit=unit, status=UnitStatus.SKIPPED, failure=failure)
