"""Summaries of a source's sections: its own sentences, or a judge's where one was asked; replies are kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from studio.actions.judge_price import Estimate, estimate
from studio.actions.judge_single import NoReply, ask_once, model_judge
from studio.decks.sources import read_source
from studio.errors import BadInput, Cancelled, DeckUnreadable
from studio.judges.section_summary import read_summary, summary_request
from studio.model.decks import Instance, SourceFormat
from studio.model.events import ImportProgress
from studio.model.ids import InstanceId
from studio.model.judging import JudgeRequest
from studio.model.protocols import CancelToken, Emit
from studio.model.reflex import DocumentObject, Section
from studio.perturb.topics import document_of
from studio.store import decks as deck_store
from studio.store.project import Project

_META = "section_summaries"
EXTRACTIVE = "its own sentences"


@dataclass(frozen=True, kw_only=True)
class SectionSummary:
    """One section of an instance's sources, and what stands for it."""

    instance: str
    """Name of the instance."""
    title: str
    level: int
    """Of the heading, from 1."""
    summary: str
    written_by: str
    """A judge's id, or `EXTRACTIVE`."""
    failure: str = ""
    """Why the judge that was asked now gave none; its own sentences stay."""


@dataclass(frozen=True, kw_only=True)
class Summarised:
    """The sections of the instances asked for, and what asking took."""

    sections: tuple[SectionSummary, ...]
    calls: int = 0
    cost: float = 0.0


def summaries(project: Project, instance: str = "") -> Summarised:
    """Return the sections of all instances, or of one, as they are summed up now.

    Raises:
        BadInput: if there is no such instance.
    """
    kept = _kept(project)
    found: list[SectionSummary] = []
    for each in _instances(project, instance):
        document = document_of_instance(project, each.id)
        for section in document.sections if document else ():
            found.append(_told(each, section, kept))
    return Summarised(sections=tuple(found))


def summarise(
    project: Project, judge: str, *, instance: str = "", emit: Emit, cancel: CancelToken
) -> Summarised:  # fmt: skip
    """Let a judge sum up every section, and keep what it says; the same section is never asked about twice.

    A section for which the judge gave nothing that can be used keeps its own sentences, with the reason.

    Args:
        project: open for writing.
        judge: its name in the project, or ``provider:model``.
        instance: only this one.
        emit: told how many sections are done, from this thread.
        cancel: looked at between sections; what was said by then is kept.

    Raises:
        BadInput: for a judge or an instance that there is not, or a key that is missing.
        Cancelled: if it was stopped.
    """
    setup = model_judge(project, judge, code_says="Code sums nothing up.")
    wanted = _wanted(project, instance)
    found: list[SectionSummary] = []
    calls, cost = 0, 0.0
    for number, (each, section, above) in enumerate(wanted):
        if cancel.is_set():
            raise Cancelled("Summing up was stopped; what was said is kept.")
        failure = ""
        try:
            told = ask_once(
                project, setup, summary_request(section, above, language=each.language), unit_key="summary",
                cancel=cancel,
            )  # fmt: skip
        except NoReply as failed:
            if cancel.is_set():
                raise Cancelled("Summing up was stopped; what was said is kept.") from failed
            failure = failed.message
        else:
            calls, cost = calls + told.calls, cost + told.cost
            said = read_summary(told.reply.text)
            if said:
                _keep(project, section, said, setup.id)
            else:
                failure = f"The reply of {setup.id} has no summary that can be used."
        found.append(replace(_told(each, section, _kept(project)), failure=failure))
        emit(ImportProgress(done=number + 1, total=len(wanted), name=section.title))
    return Summarised(sections=tuple(found), calls=calls, cost=cost)


@dataclass(frozen=True, kw_only=True)
class _Question:
    request: JudgeRequest

    def requests(self) -> tuple[JudgeRequest, ...]:
        return (self.request,)


def estimate_summaries(project: Project, judge: str, *, instance: str = "") -> Estimate:
    """Return what letting a judge sum up every section would cost; nothing is asked.

    Raises:
        BadInput: as `summarise`.
    """
    setup = model_judge(project, judge, code_says="Code sums nothing up.")
    asked = [_Question(request=summary_request(section, above, language=each.language))
             for each, section, above in _wanted(project, instance)]  # fmt: skip
    return estimate(project, setup, asked)


def forget_summaries(project: Project) -> None:
    """Go back to the sections' own sentences everywhere; what judges replied stays stored."""
    project.set_meta(_META, "{}")


def with_kept_summaries(project: Project, document: DocumentObject | None) -> DocumentObject | None:
    """Return a document with the summaries that judges gave to its sections; the others keep their own sentences."""
    kept = _kept(project) if document is not None else {}
    if document is None or not kept:
        return document
    return replace(
        document,
        sections=tuple(
            replace(section, summary=kept[key]["summary"]) if (key := _key(section)) in kept else section
            for section in document.sections
        ),
    )


def document_of_instance(project: Project, instance_id: InstanceId) -> DocumentObject | None:
    """Return an instance's sources as sections; None if it has none that can be read."""
    texts = []
    for source in deck_store.list_sources(project, instance_id):
        if source.format is SourceFormat.IMAGE:
            continue
        try:
            texts.append(read_source(project.asset_path(source.asset, source.extension), source.format))
        except DeckUnreadable:
            # What cannot be read has no sections; the Library says so beside the source.
            continue
    return document_of(texts) if texts else None


def headings_above(sections: Sequence[Section]) -> list[tuple[str, ...]]:
    """Return for each section the headings that it stands below, the highest first: the section tree."""
    found: list[tuple[str, ...]] = []
    open_: list[Section] = []
    for section in sections:
        open_ = [each for each in open_ if each.level < section.level]
        found.append(tuple(each.title for each in open_))
        open_.append(section)
    return found


def _wanted(project: Project, instance: str) -> list[tuple[Instance, Section, tuple[str, ...]]]:
    """Return every section with its instance and the headings above it."""
    wanted: list[tuple[Instance, Section, tuple[str, ...]]] = []
    for each in _instances(project, instance):
        document = document_of_instance(project, each.id)
        sections = document.sections if document else ()
        wanted += [(each, section, above) for section, above in zip(sections, headings_above(sections), strict=True)]
    return wanted


def _instances(project: Project, name: str) -> list[Instance]:
    listed = deck_store.list_instances(project)
    if not name:
        return listed
    found = [each for each in listed if name in (each.name, each.id)]
    if not found:
        raise BadInput(f"There is no instance {name}.", next_step="studio decks lists them.")
    return found


def _told(instance: Instance, section: Section, kept: dict[str, dict[str, str]]) -> SectionSummary:
    known = kept.get(_key(section))
    return SectionSummary(
        instance=instance.name, title=section.title, level=section.level,
        summary=known["summary"] if known else section.summary, written_by=known["judge"] if known else EXTRACTIVE,
    )  # fmt: skip


def _keep(project: Project, section: Section, summary: str, judge: str) -> None:
    kept = _kept(project) | {_key(section): {"summary": summary, "judge": judge}}
    project.set_meta(_META, json.dumps(kept, ensure_ascii=False))


def _kept(project: Project) -> dict[str, dict[str, str]]:
    return dict(json.loads(project.meta(_META, "{}")))


def _key(section: Section) -> str:
    return hashlib.sha256(f"{section.title}\x1f{section.text}".encode("utf-8", "replace")).hexdigest()
