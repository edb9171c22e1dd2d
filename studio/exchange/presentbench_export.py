"""Writes instances and results as trees that the reference code reads."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from studio.checklists.merge import ScopeList, for_deck, merge, weights_of
from studio.checklists.pages import PAGE
from studio.checklists.prompt_files import FOREIGN_RULES, LIST_KEYS, PREFIX_KEYS, file_value
from studio.checklists.prompts import item_words
from studio.checklists.reference_score import ResultScore, score_result, zero_score
from studio.checklists.results import CLASSES, DEPENDENT, INDEPENDENT, Entry, ResultDocument, WeightsDocument
from studio.checklists.slide_count import CODE_TAG
from studio.decks.image_pages import picture_as_pdf
from studio.decks.sources import source_markdown
from studio.errors import BadInput, StudioError
from studio.exchange.files import write_whole
from studio.exchange.presentbench_files import (
    file_prefix,
    parse_name,
    result_content,
    score_content,
    weights_content,
    write_yaml,
)  # fmt: skip
from studio.exchange.presentbench_import import CASE, COMMON, WEIGHTS
from studio.model.authoring import EVERYWHERE, Scope
from studio.model.checklists import Checklist, Dimension, Item, ItemKind, Tier
from studio.model.decks import Deck, DeckStatus, Instance, Source, SourceFormat
from studio.model.scores import Verdict
from studio.store import checklist_replies as reply_store
from studio.store import decks as deck_store
from studio.store import judging as judging_store
from studio.store import scores as score_store
from studio.store.checklist_lists import all_lists, cuts, hidden_slides, lists_of
from studio.store.project import Project

MOST_PAGES = 100
"""Page items written for a fidelity template where no limit says how many pages there can be."""
EVEN = {dimension: 20.0 for dimension in Dimension}
CODE_JUDGE = "code"
_HOW_MATERIALS_CHANGE = {
    SourceFormat.DOCX: "Markdown, its words without pictures",
    SourceFormat.HTML: "Markdown, its words without pictures",
    SourceFormat.IMAGE: "a PDF of one page",
}
"""The reference reads Markdown and PDF only."""


@dataclass
class ExportReport:
    """What was written."""

    files: list[Path] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def case_path(instance: Instance) -> Path:
    """Return ``<domain>/<source>/<case>`` of an instance."""
    parts = (instance.domain or "general", instance.scenario or "general", instance.name)
    return Path(*(_folder(part) for part in parts))


def _folder(name: str) -> str:
    safe = "".join("-" if letter in '<>:"/\\|?*' or ord(letter) < 32 else letter for letter in name).strip(" .")
    return safe or "unnamed"


def weights_document(weights: Mapping[Dimension, float] | None, total: float | None) -> WeightsDocument:
    """Return weights by dimension as a file's; 20 for each where nobody set any."""
    points = weights or EVEN
    sections: dict[str, dict[str, float]] = {INDEPENDENT: {}, DEPENDENT: {}}
    for dimension, place in CLASSES.items():
        if dimension in points:
            sections[place.section][place.key] = float(points[dimension])
    return WeightsDocument(sections=sections, total=total)


def export_instances(project: Project, out: Path, instances: Sequence[Instance] | None = None) -> ExportReport:
    """Write the data tree: sources, instruction and checklists of instances, prompts and weights of their domains.

    Raises:
        BadInput: if a file cannot be written.
    """
    report = ExportReport()
    known = all_lists(project)
    chosen = list(deck_store.list_instances(project) if instances is None else instances)
    for domain in dict.fromkeys(item.domain for item in chosen):
        _domain(out / _folder(domain or "general"), domain, known, report)
    for instance in chosen:
        folder = out / case_path(instance)
        own = known.get(Scope(instance_id=instance.id).key)
        content = _file_content(own) if own is not None else {}
        _write_json(folder / "generation_task" / CASE, content, report)
        _write(folder / "generation_task" / "instructions.md", instance.instruction, report)
        _materials(project, instance, folder, report)
        _foreign_notes(instance.name, own.items if own is not None else (), report)
        if own is not None and own.settings.weights is not None:
            report.notes.append(
                f"{instance.name}: its own points are left out: the tree has one {WEIGHTS} for a whole domain"
            )
        if any(item.weight != 1 for item in merge(instance.id, lists_of(instance, known)).items):
            report.notes.append(f"{instance.name}: weights of single items are left out: the reference has none")
    return report


def _domain(folder: Path, domain: str, known: Mapping[str, ScopeList], report: ExportReport) -> None:
    scopes = [EVERYWHERE] + ([Scope(domain=domain)] if domain else [])
    lists = [known[scope.key] for scope in scopes if scope.key in known]
    content: dict[str, Any] = {}
    for one in lists:
        content |= _file_content(one)
    for key in LIST_KEYS.values():
        if key not in content:
            content[key] = []
    for key in PREFIX_KEYS.values():
        content.setdefault(key, "")
    _write_json(folder / COMMON, content, report)
    write_yaml(folder / WEIGHTS, weights_content(weights_document(*weights_of(lists))))
    report.files.append(folder / WEIGHTS)
    for one in lists:
        _foreign_notes(domain or "general", one.items, report)


def _file_content(one: ScopeList) -> dict[str, Any]:
    """Return a scope's prompt file: the keys that it has, in the order of the reference's files."""
    content: dict[str, Any] = {}
    settings = one.settings
    for tier, said in ((Tier.INDEPENDENT, settings.independent_prefix), (Tier.DEPENDENT, settings.dependent_prefix)):
        if said is not None:
            content[PREFIX_KEYS[tier]] = said
    most = merge(one.scope.instance_id or "", [one]).slide_limits  # type: ignore[arg-type]  # any id will do
    for dimension, key in LIST_KEYS.items():
        if one.has(dimension):
            inside = [item for item in one.items if item.dimension is dimension]
            content[key] = [value for item in inside for value in _values(item, most[1] if most else MOST_PAGES)]
    return content


def _values(item: Item, most_pages: int) -> list[object]:
    if item.dimension is Dimension.FIDELITY and PAGE in item.text:
        # The reference cuts the list by the pages before the cut, so that one too many does no harm.
        words = item_words(item)
        return [words.replace(PAGE, str(page)) for page in range(1, max(most_pages, MOST_PAGES) + 1)]
    return [file_value(item.kind, item_words(item), item.rule)]


def _foreign_notes(where: str, items: Sequence[Item], report: ExportReport) -> None:
    ours = {own for own, _ in FOREIGN_RULES.values()}
    names = sorted({item.rule.rule for item in items if item.kind is ItemKind.CODE and item.rule} - ours)
    if names:
        report.notes.append(
            f"{where}: the reference has no rule {', '.join(names)}; it answers no unless results are resumed"
        )


def _materials(project: Project, instance: Instance, folder: Path, report: ExportReport) -> None:
    sources = deck_store.list_sources(project, instance.id)
    made: list[tuple[Source, str, bytes]] = []
    for source in sources:
        try:
            made.append((source, *_material(project.asset_path(source.asset, source.extension), source.format)))
        except (StudioError, OSError) as error:
            why = error.strerror or error if isinstance(error, OSError) else error
            report.notes.append(f"{instance.name}: {source.name} is left out: {why}")
            continue
        if source.format in _HOW_MATERIALS_CHANGE:
            report.notes.append(f"{instance.name}: {source.name} goes out as {_HOW_MATERIALS_CHANGE[source.format]}")
    if not made:
        report.notes.append(f"{instance.name}: there is no material, so the reference passes this case over")
    # The reference takes the first of material.md and material.pdf and stops at the first number that is missing.
    for number, (_, ending, content) in enumerate(made, start=1):
        name = "material" if len(made) == 1 else f"material_{number}"
        target = folder / f"{name}.{ending}"
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, content)
        report.files.append(target)


def _material(path: Path, format: SourceFormat) -> tuple[str, bytes]:
    """Return a source as the reference can read it: the ending and the bytes."""
    if format is SourceFormat.PDF:
        return "pdf", path.read_bytes()
    if format is SourceFormat.IMAGE:
        return "pdf", picture_as_pdf(path)
    content = path.read_bytes()
    words = source_markdown(path, format)
    # A text in UTF-8 stays byte for byte what it was; the reference reads no other encoding.
    is_kept = format in {SourceFormat.MARKDOWN, SourceFormat.TEXT} and _is_utf8(content)
    return "md", content if is_kept else words.encode("utf-8")


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def export_results(
    project: Project,
    out: Path,
    judge_id: str,
    *,
    time: str,
    model: str = "",
    level: str = "",
    decks: Sequence[Deck] | None = None,
) -> ExportReport:
    """Write a judge's verdicts as result and score files, below ``<system>/<domain>/<source>/<case>``.

    Code items take the verdicts of the code rules where the judge has none. An item that has no yes or no is
    written as null with its reason in ``log``; what came from a result file is written as it came, and the file says
    which one it was resumed from. While an item is open there is no score file, since the reference asks nothing
    more where it finds one. A deck whose generation failed gets the marker and the zero form of the score.

    Args:
        project: an open project.
        out: the results root.
        judge_id: whose verdicts; two judges are never mixed.
        time: ``YYYY-MM-DD_HH-MM-SS`` for the files' names.
        model: name for the files; the judge's model if empty.
        level: thinking level for the files' names.
        decks: those to write; None for all.

    Raises:
        BadInput: if the judge has no verdict in the project, or a file cannot be written.
    """
    report = ExportReport()
    verdicts = [each for each in score_store.list_verdicts(project) if each.judge_id in {judge_id, CODE_JUDGE}]
    if all(each.judge_id != judge_id for each in verdicts):
        raise BadInput(f"{judge_id} has no verdict in this project.", next_step="Run it, or name another judge.")
    table = {
        (each.deck_id, each.item_id): each
        for each in sorted(verdicts, key=lambda each: each.judge_id == judge_id)
        if each.repeat == 0
    }
    prefix = file_prefix(model or next(each.model or judge_id for each in verdicts if each.judge_id == judge_id), level)
    known = all_lists(project)
    resumed = _resumed_from(project, judge_id)
    words = {(one.deck_id, one.item_id, one.run_id): one for one in reply_store.newest(project) if one.repeat == 0}
    failed = reply_store.failed_generations(project)
    instances = {item.id: item for item in deck_store.list_instances(project)}
    for deck in deck_store.list_decks(project) if decks is None else decks:
        instance = instances[deck.instance_id]
        lists = lists_of(instance, known)
        folder = out / _folder(deck.system) / case_path(instance) / "generation_task" / "results"
        weights = weights_document(*weights_of(lists))
        if deck.status is not DeckStatus.PRESENT:
            if deck.status is DeckStatus.FAILED or deck.id in failed:
                _write(folder / "slides_generation_failed.txt", deck.reason + "\n", report)
                _yaml(folder / f"{prefix}_{time}_score.yaml", score_content(zero_score(weights)), report)
            continue
        if not any(each.deck_id == deck.id and each.judge_id == judge_id for each in table.values()):
            report.notes.append(f"{instance.name} · {deck.system}: {judge_id} has no verdict; nothing was written")
            continue
        checklist, _ = for_deck(
            merge(instance.id, lists), slides=deck.slides, hidden=hidden_slides(project, deck.id), cuts=cuts(project)
        )
        result = result_of(checklist, deck, table, words)
        if deck.id in resumed:
            result = replace(result, resume_info=_resume_info(resumed[deck.id], prefix))
        _yaml(folder / f"{prefix}_{time}.yaml", result_content(result), report)
        n_open = _n_open(result)
        if n_open:
            where = f"{instance.name} · {deck.system}"
            report.notes.append(f"{where}: {n_open} items are open; no score file yet, so that judging goes on")
            continue
        _yaml(folder / f"{prefix}_{time}_score.yaml", score_content(reference_score(result, weights)), report)
    return report


def _resumed_from(project: Project, judge_id: str) -> dict[Any, str]:
    """Return for each deck the newest result file that verdicts of the judge were taken over from."""
    return {
        stored.record.deck_id: str(stored.record.detail["taken_from"])
        for stored in judging_store.verdicts_with_evidence(project, judge_id=judge_id)
        if "taken_from" in stored.record.detail
    }


def _resume_info(file: str, prefix: str) -> dict[str, object]:
    name = parse_name(file)
    before = name.prefix if name is not None else prefix
    return {
        "resumed_from": file, "source_judge_model": before, "current_judge_model": prefix, "is_alias": before != prefix,
    }  # fmt: skip


def _n_open(result: ResultDocument) -> int:
    return sum(
        entry.answer is None
        for classes in result.sections.values()
        for entries in classes.values()
        for entry in entries.values()
    )


def reference_score(result: ResultDocument, weights: WeightsDocument) -> ResultScore:
    """Return the score that goes into a score file: items without an answer are in the denominator."""
    return score_result(result, weights)


def result_of(
    checklist: Checklist,
    deck: Deck,
    verdicts: Mapping[tuple[Any, str], Verdict],
    words: Mapping[tuple[Any, str, Any], reply_store.Reply],
) -> ResultDocument:
    """Return a deck's verdicts at the places that a result file gives them."""
    sections: dict[str, dict[str, dict[str, Entry]]] = {INDEPENDENT: {}, DEPENDENT: {}}
    for dimension, place in CLASSES.items():
        inside = [item for item in checklist.items if item.dimension is dimension]
        entries = {
            f"{place.key}.{number}": _entry(item, verdicts.get((deck.id, item.id)), deck, words)
            for number, item in enumerate(inside, start=1)
        }
        if entries:
            sections[place.section][place.key] = entries
    return ResultDocument(sections=sections)


def _entry(
    item: Item, verdict: Verdict | None, deck: Deck, words: Mapping[tuple[Any, str, Any], reply_store.Reply]
) -> Entry:
    if verdict is None:
        why = item.text if item.kind is ItemKind.TOOL_ERROR else "not asked"
        return Entry(answer=None, log=why)
    reply = words.get((deck.id, item.id, verdict.run_id))
    if reply is not None:
        return Entry(answer=reply.answer, explanation=reply.explanation, log=reply.log)
    if verdict.verdict in {"yes", "no"} and verdict.status == "ok":
        tag = f"{CODE_TAG} {item.rule.rule}" if verdict.judge_id == CODE_JUDGE and item.rule else None
        return Entry(answer=verdict.verdict, explanation=tag or f"\\boxed{{{verdict.verdict}}}")
    return Entry(answer=None, log=verdict.verdict or verdict.status)


def _yaml(path: Path, content: object, report: ExportReport) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_yaml(path, content)
    report.files.append(path)


def _write(path: Path, text: str, report: ExportReport) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text)
    report.files.append(path)


def _write_json(path: Path, content: object, report: ExportReport) -> None:
    _write(path, json.dumps(content, ensure_ascii=False, indent=2) + "\n", report)
