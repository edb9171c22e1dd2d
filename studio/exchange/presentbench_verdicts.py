"""Brings result and score files in as verdicts of imported runs, so that judging can go on from them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from studio.checklists.merge import for_deck
from studio.checklists.pages import Mode
from studio.checklists.results import DIMENSIONS, Class, Entry
from studio.errors import StudioError
from studio.exchange.presentbench_files import parse_name
from studio.exchange.presentbench_import import ChecklistReport
from studio.exchange.presentbench_results import read_result, read_score
from studio.model.checklists import Checklist, Dimension, Item
from studio.model.decks import Deck, DeckStatus
from studio.model.ids import RunId
from studio.model.runs import Run, RunKind, RunState, UnitRecord, UnitStatus
from studio.model.scores import Verdict
from studio.store import checklist_replies as reply_store
from studio.store import decks as deck_store
from studio.store import runs as run_store
from studio.store import scores as score_store
from studio.store.checklist_lists import checklists, hidden_slides
from studio.store.project import Project, utc_now

JUDGE = "presentbench"
_REPEAT = re.compile(r"^rep(\d+)$")


def judge_id_of(prefix: str) -> str:
    """Return the judge that answers of a file with this prefix (model, and level if any) are kept under."""
    return f"{JUDGE}:{prefix}"


class ResultsImport:
    """One import of results under way.

    A judge's files are one run. Files of one deck count in the order of their times, so that a resumed file's
    answers replace those before; ``repeats/<model>/rep<k>`` is repeat k − 1.
    """

    def __init__(self, project: Project, report: ChecklistReport) -> None:
        self._project = project
        self._report = report
        self._checklists = checklists(project)
        self._done: dict[RunId, set[tuple[str, str]]] = {}
        self._decks = {(deck.instance_id, deck.system): deck for deck in deck_store.list_decks(project)}
        self._instances = {item.name: item.id for item in deck_store.list_instances(project)}

    def folder(self, instance: str, system: str, folder: Path) -> None:
        """Bring in every result file of one ``results`` folder."""
        deck = self._decks.get((self._instances.get(instance), system))  # type: ignore[arg-type]  # None finds none
        files = _files(folder)
        if deck is None:
            if files:
                self._report.note(f"{instance}: results of {system} have no deck to belong to")
            return
        for path, repeat in files:
            name = parse_name(path.name)
            if name is None:
                continue
            try:
                if name.is_score:
                    self._score(path, deck, f"{instance} · {system}")
                else:
                    self._result(path, name.prefix, name.time, repeat, deck, f"{instance} · {system}")
            except StudioError as error:
                self._report.fail(path, str(error))

    def _score(self, path: Path, deck: Deck, label: str) -> None:
        if not read_score(path).is_forced_zero:
            return
        reply_store.note_failed_generation(self._project, deck.id, path.name)
        if deck.status is DeckStatus.PRESENT:
            self._report.note(
                f"{label}: {path.name} says that the generation failed, but there is a deck; it is judged"
            )

    def _result(self, path: Path, prefix: str, time: str, repeat: int, deck: Deck, label: str) -> None:
        run_id = self._run(prefix)
        key = (hashlib.sha256(path.read_bytes() + f"{repeat}".encode()).hexdigest(), deck.id)
        result = read_result(path)
        if key in self._done[run_id]:
            self._report.results_same += sum(
                len(entries) for classes in result.sections.values() for entries in classes.values()
            )
            return
        for text in result.notes:
            self._report.note(f"{label}: {path.name}: {text}")
        replies, verdicts = [], []
        for at, entries in _classes(result.sections):
            for order, (place, entry) in enumerate(entries.items()):
                item_id = self._item_id(deck, at, place, label)
                verdicts.append(_verdict(run_id, prefix, deck, item_id, entry, order, repeat))
                replies.append(
                    reply_store.Reply(
                        run_id=run_id, deck_id=deck.id, item_id=item_id, repeat=repeat, place=f"{at.section} {place}",
                        answer=entry.answer, explanation=entry.explanation, log=entry.log,
                    )
                )  # fmt: skip
        with self._project.writing():
            score_store.append_verdicts(self._project, verdicts)
            reply_store.append(self._project, replies)
            run_store.add_units(
                self._project,
                [
                    UnitRecord(
                        run_id=run_id, key=key[0], deck_id=deck.id, instance_id=deck.instance_id,
                        label=f"{label} · {path.name}", status=UnitStatus.OK, at=utc_now(),
                    )
                ],
            )  # fmt: skip
        self._done[run_id].add(key)
        self._report.results += len(verdicts)

    def _run(self, prefix: str) -> RunId:
        digest = hashlib.sha256(f"{JUDGE}\0{prefix}".encode()).hexdigest()[:16]
        run_id = RunId(f"run_{digest}")
        if run_id not in self._done:
            if all(run.id != run_id for run in run_store.list_runs(self._project)):
                now = utc_now()
                spec: dict[str, object] = {"format": JUDGE, "judge_id": judge_id_of(prefix), "model": prefix}
                run_store.add_run(
                    self._project,
                    Run(
                        id=run_id, kind=RunKind.IMPORTED, title=f"PresentBench results of {prefix}", spec=spec,
                        state=RunState.DONE, started_at=now, ended_at=now,
                    ),
                )  # fmt: skip
            self._done[run_id] = {(unit.key, unit.deck_id) for unit in run_store.units_of(self._project, run_id)}
        return run_id

    def _item_id(self, deck: Deck, at: Class, place: str, label: str) -> str:
        """Return the item at a place of a result file; one that no list has keeps its place as id."""
        foreign = f"{JUDGE}:{at.name}:{place}"
        dimension, number = DIMENSIONS.get(at), place.rpartition(".")[2]
        checklist = self._checklists.get(deck.instance_id)
        if dimension is None or checklist is None or not number.isdigit():
            return foreign
        inside = _of_dimension(self._project, deck, checklist, dimension)
        if not 1 <= int(number) <= len(inside):
            if checklist.items:
                self._report.note(f"{label}: answers to items that no list has: {at.name}")
            return foreign
        return str(inside[int(number) - 1].id)


def _of_dimension(project: Project, deck: Deck, checklist: Checklist, dimension: Dimension) -> list[Item]:
    if dimension is Dimension.FIDELITY:
        # As the reference lists them: one for each page before the cut.
        hidden = hidden_slides(project, deck.id)
        checklist, _ = for_deck(
            checklist, slides=deck.slides or 1000, hidden=hidden if deck.slides else (), cuts=False, mode=Mode.DEFAULT
        )
    return [item for item in checklist.items if item.dimension is dimension]


def _classes(sections: object) -> list[tuple[Class, dict[str, Entry]]]:
    assert isinstance(sections, dict)
    return [
        (Class(section, key), dict(entries))
        for section, classes in sections.items()
        for key, entries in classes.items()
    ]


def _verdict(run_id: RunId, prefix: str, deck: Deck, item_id: str, entry: Entry, order: int, repeat: int) -> Verdict:
    said = (entry.answer or "").strip().lower()
    is_verdict = said in {"yes", "no"}
    status = (
        UnitStatus.OK if is_verdict else UnitStatus.PARSE_ERROR if entry.explanation or said else UnitStatus.API_ERROR
    )
    return Verdict(
        run_id=run_id, judge_id=judge_id_of(prefix), model=prefix, prompt_version=JUDGE,
        instance_id=deck.instance_id, deck_id=deck.id, item_id=item_id, verdict=said if is_verdict else "",
        status=status.value, order_index=0, repeat=repeat,
    )  # fmt: skip


def _files(folder: Path) -> list[tuple[Path, int]]:
    """Return result and score files with their repeat, in the order of their times."""
    found: list[tuple[Path, int]] = []
    try:
        found += [(path, 0) for path in folder.iterdir() if path.is_file()]
        for rep in sorted(folder.glob("repeats/*/rep*")):
            number = _REPEAT.match(rep.name)
            if number and rep.is_dir():
                found += [(path, max(0, int(number[1]) - 1)) for path in rep.iterdir() if path.is_file()]
    except OSError:
        return []
    named = [(parsed.time, path.name, path, repeat) for path, repeat in found if (parsed := parse_name(path.name))]
    return [(path, repeat) for _, _, path, repeat in sorted(named, key=lambda each: (each[3], each[0], each[1]))]


def bring_in(project: Project, folders: Sequence[tuple[str, str, Path]], report: ChecklistReport) -> None:
    """Bring in the results of folders, each with the instance's name and the system."""
    work = ResultsImport(project, report)
    for instance, system, folder in folders:
        work.folder(instance, system, folder)
