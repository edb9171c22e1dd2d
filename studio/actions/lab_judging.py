"""Judges in a sensitivity lab: what asking one would cost, and asking it, with the lab's table as the result."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from studio.actions import judging
from studio.actions.judge_wish import JudgeWish, read_wish
from studio.actions.judging import JudgePreview
from studio.actions.lab import lab_of
from studio.actions.lab_table import LabTable, lab_table
from studio.decks.render import RenderTools
from studio.errors import BadInput, Cancelled
from studio.model.judging import JudgingProtocol
from studio.model.judging_options import ShownAs
from studio.model.protocols import CancelToken, Emit
from studio.store.project import Project

PROTOCOLS: tuple[tuple[JudgingProtocol, str], ...] = (
    (JudgingProtocol.FEWSHOT, "Few-shot"), (JudgingProtocol.GEVAL, "G-Eval"), (JudgingProtocol.RATING, "Rating"),
    (JudgingProtocol.PPTEVAL, "PPTEval"),
)  # fmt: skip
"""Those that give each file a score by itself; the first explains, too."""


@dataclass(frozen=True, kw_only=True)
class LabQuestion:
    """Which judge is asked in a lab, and how."""

    judge: str
    """Its name in the project, or ``provider:model``."""
    protocol: JudgingProtocol
    shown_as: ShownAs = ShownAs.TEXT


def lab_price(
    project: Project, folder: Path, question: LabQuestion, *, tools: RenderTools, emit: Emit, cancel: CancelToken
) -> JudgePreview:
    """Return what asking a judge about every file of a lab would take; files are rendered for it, nothing is asked.

    Args:
        project: whose judges have names; it may be the lab.
        folder: of the lab.
        question: which judge, and how.
        tools: the programs to draw with.
        emit: told how rendering goes.
        cancel: stops rendering.

    Raises:
        BadInput: for a judge that there is not, or a folder that is no lab.
    """
    wish = _wish(project, question)
    with _lab(project, folder) as lab:
        found = judging.preview(lab, wish, tools=tools, emit=emit, cancel=cancel)
    if cancel.is_set():
        raise Cancelled("Counting was stopped; nothing was asked.")
    return found


def ask_in_lab(
    project: Project, folder: Path, question: LabQuestion, *, tools: RenderTools, emit: Emit, cancel: CancelToken
) -> LabTable:
    """Ask a judge about every file of a lab, and return the lab's table; what was said before is not asked again.

    Raises:
        BadInput: as `lab_price`, or if the judge's key is missing.
        Cancelled: if it was stopped; what was said is kept.
    """
    wish = _wish(project, question)
    with _lab(project, folder) as lab:
        judging.start_judging(lab, wish, tools=tools, emit=emit, cancel=cancel)
        if cancel.is_set():
            raise Cancelled("Asking was stopped; what was said is kept.")
        return lab_table(lab)


def _wish(project: Project, question: LabQuestion) -> JudgeWish:
    return read_wish(
        question.judge, protocol=question.protocol.value, settings=(f"input={question.shown_as.value}",),
        project=project,
    )  # fmt: skip


@contextmanager
def _lab(project: Project, folder: Path) -> Iterator[Project]:
    if lab_of(project) is not None:
        yield project
        return
    if not (folder / "project.db").is_file():
        raise BadInput("There is no lab of these decks yet.", next_step="Start it first; then judges can be asked.")
    with Project.open(folder, must_write=True) as lab:
        if lab_of(lab) is None:
            raise BadInput(f"{folder.name} is a project, but no lab.", next_step="Move it away and start the lab.")
        yield lab
