"""Files of answers: written from a project that came from a pack, merged into the project that made the pack."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from studio import __version__
from studio.errors import BadInput
from studio.exchange.answer_lines import (
    MAX_LINE_BYTES,
    AnswerLine,
    answer_line,
    decks_answered,
    decks_named,
    line_text,
    parsed,
    read_answer,
    read_tries,
    read_views,
)
from studio.exchange.files import write_whole
from studio.exchange.names import RowRefused
from studio.exchange.pack_names import deck_tokens
from studio.model.answers import AnswerEvent, AnswerKind, AnswerStatus
from studio.model.ids import AnnotatorId, DeckId
from studio.model.packs import ANSWERS_FORMAT, FORMAT_VERSION, PACK_META, MergeReport
from studio.store import answers as answer_store
from studio.store import checklists as checklist_store
from studio.store import decks as deck_store
from studio.store import packs as pack_store
from studio.store import people as people_store
from studio.store import quality as quality_store
from studio.store import studies as study_store
from studio.store.answer_counts import UnitKey, unit_states
from studio.store.project import Project
from studio.store.values import plain, to_json

_MAX_FILE_BYTES = 512 << 20
_DECISIONS = frozenset({AnswerStatus.SUBMITTED.value, AnswerStatus.CANNOT_JUDGE.value, AnswerStatus.RETURNED.value})


def write_answers(project: Project, out: Path) -> int:
    """Write all answers of a project that came from a pack, whole or not at all; return how many there are.

    The same answers give the same bytes.

    Raises:
        BadInput: if the project came from no pack, or the file cannot be written.
    """
    origin = pack_of(project)
    person = AnnotatorId(origin["annotator"]["id"])
    tokens: dict[str, str] = origin["tokens"]
    lines = [
        {
            "line": "header", "format": ANSWERS_FORMAT, "version": FORMAT_VERSION, "project_id": origin["project_id"],
            "study_id": origin["study_id"], "annotator": origin["annotator"], "app_version": __version__,
        }
    ]  # fmt: skip
    answers = []
    for kind in AnswerKind:
        units: dict[tuple[object, ...], list[AnswerEvent]] = {}
        for event in answer_store.events_of(project, kind, annotator_id=person):
            unit: tuple[object, ...] = (
                event.study_id, event.instance_id, event.deck_id or "", event.item_key, event.repeat,
            )  # fmt: skip
            units.setdefault(unit, []).append(event)
        for _, events in sorted(units.items(), key=lambda item: str(item[0])):
            line = answer_line(events, {})
            named = decks_named(read_answer(line, person))
            answers.append(line | {"decks": {deck: tokens[deck] for deck in sorted(named) if deck in tokens}})
    lines += answers
    views = [plain(view) for view in quality_store.list_views(project, annotator_id=person)]
    if views:
        lines.append({"line": "views", "views": views})
    tries = [plain(item) for item in quality_store.training_tries(project, annotator_id=person)]
    if tries:
        lines.append({"line": "training", "tries": tries})
    write_whole(out, "".join(line_text(line) for line in lines))
    return len(answers)


def pack_of(project: Project) -> dict[str, Any]:
    """Return what a project that came from a pack knows of it.

    Raises:
        BadInput: if it came from none.
    """
    found = project.meta(PACK_META, "")
    if not found:
        raise BadInput(
            f"{project.title} came from no pack.", next_step="Answers are sent back from a pack; export tables instead."
        )
    origin: dict[str, Any] = json.loads(found)
    return origin


def merge_answers(
    project: Project, path: Path, *, is_dry_run: bool = False, takes_conflicting: bool = False
) -> MergeReport:
    """Take a file of answers in, in one transaction, and say what became of each answer.

    Args:
        project: the project that made the pack.
        path: the file; its last line may be cut off.
        is_dry_run: only say what would become of the answers.
        takes_conflicting: store also what an answer that went apart says now, as one more revision.

    Raises:
        BadInput: if it is no file of answers, or of another project.
    """
    lines = _lines(path)
    number, text = next(lines, (0, ""))
    header = _header(text, path)
    if header["project_id"] != project.id:
        raise BadInput(
            f"{path.name} holds answers to another project.", next_step="Merge it into the project that made the pack."
        )
    if is_dry_run and project.is_read_only:
        raise BadInput("The project is open read-only.", next_step="Close it in the other program and try again.")
    try:
        with project.writing(is_durable=True):
            merge = _Merge(project, header, takes_conflicting=takes_conflicting)
            for number, text in lines:
                merge.take(number, text)
            report = merge.report(path.name)
            if is_dry_run:
                raise _NotNow
            if report.new or report.over_quota or report.conflicting or report.refused:
                pack_store.note_merge(project, path.name, merge.person, report, merge.beyond)
    except _NotNow:
        pass
    return report


class _NotNow(Exception):
    """Ends a trial, so that everything is rolled back."""


class _Merge:
    def __init__(self, project: Project, header: dict[str, Any], *, takes_conflicting: bool) -> None:
        self._project = project
        self._takes_conflicting = takes_conflicting
        about = header["annotator"]
        made = people_store.annotator_named(
            project, str(about["name"]), identifier=str(about["id"]), group=str(about.get("group", ""))
        )
        known = {person.id: person for person in people_store.list_annotators(project)}
        # The id tells who it is; the name may have been given to somebody else since.
        person = known.get(AnnotatorId(str(about["id"])), made)
        self.person = person.id
        self._name = person.name
        self._instances = {item.id for item in deck_store.list_instances(project)}
        decks = deck_store.list_decks(project)
        self._instance_of = {deck.id: deck.instance_id for deck in decks}
        self._tokens = {deck.id: deck_tokens(project, deck) for deck in decks}
        self._items = {"", *(item.id for item in checklist_store.list_items(project, with_retired=True))}
        self._studies = {study_store.event_study(study.id): study for study in study_store.list_studies(project)}
        self._submitted: dict[tuple[str, AnswerKind], dict[UnitKey, set[AnnotatorId]]] = {}
        self._new = self._same = self._conflicting = self._views = self._training = 0
        self._refused: list[tuple[int, str]] = []
        self._seen: set[tuple[object, ...]] = set()
        self.beyond: list[list[object]] = []

    def report(self, name: str) -> MergeReport:
        return MergeReport(
            file=name, annotator=self._name, new=self._new, same=self._same, conflicting=self._conflicting,
            over_quota=len(self.beyond), refused=tuple(self._refused), views=self._views, training=self._training,
        )  # fmt: skip

    def take(self, number: int, text: str) -> None:
        if not text.strip():
            return
        try:
            raw = parsed(text)
            match raw.get("line"):
                case "answer":
                    self._take_answer(read_answer(raw, self.person))
                case "views":
                    views = read_views(raw, self.person)
                    if not all(view.instance_id in self._instances for view in views):
                        raise RowRefused("names an instance that is not here")
                    self._views += quality_store.add_views(self._project, views)
                case "training":
                    self._training += quality_store.add_training_tries(self._project, read_tries(raw, self.person))
                case _:
                    raise RowRefused("a line of an unknown kind")
        except RowRefused as refusal:
            self._refused.append((number, str(refusal)))

    def _take_answer(self, line: AnswerLine) -> None:
        self._check(line)
        unit = (line.kind, line.study_id, line.instance_id, line.deck_id, line.item_key, line.repeat)
        if unit in self._seen:
            raise RowRefused("the same answer stands in the file before")
        self._seen.add(unit)
        here = [
            event
            for event in answer_store.events_of(
                self._project, line.kind, study_id=line.study_id, annotator_id=self.person,
                instance_id=line.instance_id, item_key=line.item_key, repeat=line.repeat,
            )
            if event.deck_id == line.deck_id
        ]  # fmt: skip
        mine, theirs = [_told(event) for event in here], [_told(event) for event in line.events]
        if theirs == mine[: len(theirs)]:
            self._same += 1
        elif mine == theirs[: len(mine)]:
            self._add(line, here)
        else:
            taken = _taken_uid(line)
            if any(event.uid == taken for event in here):
                self._same += 1
                return
            self._conflicting += 1
            if self._takes_conflicting:
                self._settle(line, here, taken)

    def _check(self, line: AnswerLine) -> None:
        if line.instance_id not in self._instances:
            raise RowRefused(f"no instance {line.instance_id}")
        if line.study_id and line.study_id not in self._studies:
            raise RowRefused(f"no study {line.study_id}")
        if line.kind is AnswerKind.CHECKLIST and line.item_key.partition("@")[0] not in self._items:
            raise RowRefused(f"no item {line.item_key}")
        for deck in sorted(decks_answered(line)):
            if self._instance_of.get(DeckId(deck)) != line.instance_id:
                raise RowRefused(f"no deck {deck} in this instance")
            if line.tokens.get(deck) not in self._tokens[DeckId(deck)]:
                raise RowRefused(f"deck {deck} has another file now than the one that was seen")

    def _add(self, line: AnswerLine, here: list[AnswerEvent]) -> None:
        fresh = line.events[len(here) :]
        known = answer_store.known_among(self._project, [event.uid for event in fresh])
        if known:
            raise RowRefused("its events belong to another answer of the project")
        is_over = self._is_over_quota(line)
        seqs = [event.seq for event in here]
        for event in fresh:
            target = seqs[event.target] if event.target is not None else None
            seqs.append(answer_store.append(self._project, replace(event, target=target)).seq)
        if is_over:
            self.beyond.append([line.study_id, line.instance_id, line.deck_id, line.item_key, self.person])
        else:
            self._new += 1

    def _settle(self, line: AnswerLine, here: list[AnswerEvent], uid: str) -> None:
        last = line.events[-1]
        revision = max(event.revision for event in here) + 1
        answer_store.append(
            self._project,
            replace(last, uid=uid, verb="merge", target=None, revision=revision, active_s=0.0, wall_s=0.0),
        )

    def _is_over_quota(self, line: AnswerLine) -> bool:
        study = self._studies.get(line.study_id)
        if study is None or study.overlap is None or line.repeat or not _is_submitted(line.events):
            return False
        key = (line.study_id, line.kind)
        if key not in self._submitted:
            by_unit: dict[UnitKey, set[AnnotatorId]] = {}
            for state in unit_states(self._project, line.kind, line.study_id):
                if state.settled is AnswerStatus.SUBMITTED:
                    by_unit.setdefault(state.unit, set()).add(state.annotator_id)
            self._submitted[key] = by_unit
        unit = UnitKey(line.instance_id, line.deck_id or "", line.item_key, 0)
        others = self._submitted[key].setdefault(unit, set()) - {self.person}
        self._submitted[key][unit].add(self.person)
        return len(others) >= study.overlap


def _told(event: AnswerEvent) -> tuple[str, str, str]:
    """Return what makes two events the same: who wrote down what they say under the same id."""
    return event.uid, event.verb, to_json(dict(sorted(event.state.items())))


def _taken_uid(line: AnswerLine) -> str:
    return hashlib.sha256("\x1f".join(event.uid for event in line.events).encode()).hexdigest()[:32]


def _is_submitted(events: Iterable[AnswerEvent]) -> bool:
    done: list[str] = []
    undone: list[str] = []
    for event in events:
        if event.verb == "undo":
            undone.append(done.pop())
        elif event.verb == "redo":
            done.append(undone.pop())
        else:
            done.append(str(event.state.get("status", "")))
            undone.clear()
    last = next((status for status in reversed(done) if status in _DECISIONS), "")
    return last == AnswerStatus.SUBMITTED.value


def _header(text: str, path: Path) -> dict[str, Any]:
    wrong = BadInput(
        f"{path.name} is no file of answers from a pack.", next_step="Merge the .answers.jsonl that came back."
    )
    try:
        raw = parsed(text)
    except RowRefused:
        raise wrong from None
    about = raw.get("annotator")
    if raw.get("format") != ANSWERS_FORMAT or not isinstance(about, dict) or not isinstance(raw.get("project_id"), str):
        raise wrong
    if not all(isinstance(about.get(name), str) and about[name].strip() for name in ("id", "name")):
        raise wrong
    if raw.get("version") != FORMAT_VERSION:
        raise BadInput(f"{path.name} was written by another version of Podium Studio.", next_step="Update the program.")
    return raw


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file with their numbers; one at a time, so that a large file fills no memory."""
    try:
        if path.stat().st_size > _MAX_FILE_BYTES:
            raise BadInput(
                f"{path.name} is larger than {_MAX_FILE_BYTES >> 20} MB.", next_step="Ask for a smaller file."
            )
        with path.open("rb") as file:
            number = 0
            while line := file.readline(MAX_LINE_BYTES + 1):
                number += 1
                if len(line) > MAX_LINE_BYTES:
                    raise BadInput(
                        f"{path.name}, line {number} is longer than {MAX_LINE_BYTES >> 20} MB.",
                        next_step="Ask for the file again.",
                    )
                try:
                    yield number, line.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError:
                    yield number, "{"  # as a line that is cut off, which it may be within a letter
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror or error}).", next_step="Check the path.") from error
