"""Everything that the Alignment page shows, read or computed in one go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from studio.actions.align import Evidence, gather
from studio.actions.care import left_out_in_words
from studio.actions.figures import counted
from studio.actions.human_answers import known_groups, known_sides
from studio.actions.method_rows import MethodsView, view_of
from studio.actions.what_if import Droppable, WhatIf, droppable, without
from studio.model.human_side import HumanSide, HumanSource
from studio.store.project import Project

RESAMPLES = 1000


@dataclass(frozen=True, kw_only=True)
class LoadedAlignment:
    """The table, with and without what is left out."""

    evidence: Evidence
    """With nothing left out."""
    view: MethodsView | None
    """None where there are no answers or no scores."""
    whole: MethodsView | None
    """With nothing left out; the same as `view` without a what-if."""
    material: Droppable | None
    sides: tuple[HumanSide, ...] = ()
    groups: tuple[str, ...] = ()


def load_alignment(
    project: Project, side: HumanSide, *, level: str, compare_with: str = "", what_if: WhatIf | None = None,
    with_material: bool = False, resamples: int = RESAMPLES,
) -> LoadedAlignment:  # fmt: skip
    """Return the table of a project.

    Args:
        project: an open project.
        side: the human side.
        level: of the numbers.
        compare_with: the method of the paired tests.
        what_if: what is left out.
        with_material: whether to read what is needed to leave items and styles out.
        resamples: bootstrap resamples.

    Raises:
        BadInput: for a side that nobody answered.
    """
    evidence = gather(project, side)
    sides = tuple(known_sides(project, evidence.people))
    if side == HumanSide() and sides and side not in sides:
        # A project with ratings only has no rankings to begin with.
        evidence = gather(project, sides[0])
    material = droppable(project, evidence) if with_material else None
    found = recomputed(
        evidence, material, what_if or WhatIf(), level=level, compare_with=compare_with, resamples=resamples
    )
    return LoadedAlignment(
        evidence=evidence, view=found.view, whole=found.whole, material=material, sides=sides,
        groups=tuple(known_groups(project)),
    )  # fmt: skip


def recomputed(
    evidence: Evidence, material: Droppable | None, what_if: WhatIf, *, level: str, compare_with: str = "",
    resamples: int = RESAMPLES, whole: MethodsView | None = None,
) -> LoadedAlignment:  # fmt: skip
    """Return the table of evidence in memory.

    Args:
        evidence: with nothing left out.
        material: what is needed to leave items and styles out; None while nothing of that kind is left out.
        what_if: what is left out.
        level: of the numbers.
        compare_with: the method of the paired tests.
        resamples: bootstrap resamples.
        whole: the table with nothing left out, where it is there already; else it is made without intervals.
    """
    is_enough = bool(evidence.methods) and bool(evidence.human.instance_ids)
    if not is_enough:
        return LoadedAlignment(evidence=evidence, view=None, whole=None, material=material)
    if what_if.is_empty:
        view = view_of(evidence, level=level, compare_with=compare_with, resamples=resamples)
        return LoadedAlignment(evidence=evidence, view=view, whole=view, material=material)
    left = without(evidence, what_if, material or Droppable(styles={}, cells={}))
    return LoadedAlignment(
        evidence=evidence,
        view=view_of(left, level=level, compare_with=compare_with, resamples=resamples),
        whole=whole
        if whole is not None and whole.table.level.value == level
        else view_of(evidence, level=level, compare_with=compare_with, resamples=0),
        material=material,
    )


class Missing(NamedTuple):
    """What a page without a table says, and where its button leads."""

    title: str
    words: str
    button: str
    page: str
    """Empty: back to every submitted ranking."""
    place: dict[str, str]


def what_is_missing(evidence: Evidence) -> Missing:
    """Return what has to be done first."""
    side = evidence.people.side
    if not evidence.instances:
        words = "Import decks first; then people rank them and metrics measure them."
        return Missing("No decks yet", words, "Import decks", "library", {})
    if not evidence.human.instance_ids and side.is_filtered:
        left_out = evidence.people.filtered_in_words
        return Missing("No answer passes the filter", left_out, "Take the filter off", "", {})
    if not evidence.human.instance_ids and evidence.people.filtered_in_words:
        words = f"What people answered does not count yet: {evidence.people.filtered_in_words}."
        return Missing("Nothing is submitted yet", words, "Go on answering", "checklist", {})
    if not evidence.human.instance_ids:
        return Missing(
            "No rankings yet", "Alignment compares scores with what people submitted.", "Rank decks", "rank", {}
        )
    return Missing(
        "No scores yet", "The people have ranked; now measure the decks.", "Run the metrics", "runs",
        {"new": "metrics"},
    )  # fmt: skip


def facts_in_words(evidence: Evidence, left_out: str) -> str:
    """Return what a table's numbers are of.

    Args:
        evidence: behind the numbers.
        left_out: what a what-if leaves out, in words.
    """
    ranked, total = len(evidence.human.instance_ids), len(evidence.instances)
    systems = len({deck.system_id for deck in evidence.decks.values()})
    side = evidence.people.side
    facts = [
        left_out,
        side.words if side.source is not HumanSource.RANKINGS else "",
        f"{ranked:,} instances" if ranked == total else f"{ranked:,} of {total:,} instances ranked",
        f"{systems:,} systems",
        counted(len(evidence.annotators), "annotator"),
    ]
    if side.is_filtered:
        facts.append(f"{side.filter_words} ({evidence.people.filtered_in_words or 'nothing left out'})")
    elif evidence.people.filtered_in_words:
        facts.append(f"left out: {evidence.people.filtered_in_words}")
    if evidence.n_adjudicated:
        facts.append(f"{counted(evidence.n_adjudicated, 'pair')} adjudicated")
    missed = left_out_in_words(evidence.left_out)
    facts.append(missed[:1].lower() + missed[1:].removesuffix("."))
    return " · ".join(fact for fact in facts if fact)
