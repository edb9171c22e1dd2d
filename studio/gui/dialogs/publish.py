"""Asks what goes out for others: an alignment set as a folder, or case cards as one page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QWidget

from studio.actions import case_cards as cards_action
from studio.actions import release as release_action
from studio.actions.case_cards import CardFile
from studio.actions.figures import counted
from studio.actions.release import Release
from studio.errors import BadInput, Cancelled
from studio.gui.context import AppContext
from studio.gui.dialogs.record_form import RecordField, RecordForm
from studio.model.protocols import CancelToken, Emit

LICENCES = ("", "cc-by-4.0", "cc-by-sa-4.0", "cc-by-nc-4.0", "cc0-1.0")
WITHOUT, WITH = "leave out", "go along"
DISPUTED, EVERY = "where people and the judge differ", "every case that both answered"
ALL_JUDGES = "all judges"


class _WritingForm(RecordForm):
    """Writes in the background once what it asks is answered."""

    def __init__(self, context: AppContext, title: str, fields: Sequence[RecordField], parent: QWidget | None) -> None:
        super().__init__(title, fields, save="Write", parent=parent)
        self._context = context
        self.resize(560, 380)

    def place(self, typed: str) -> Path:
        """Return where something is written; a name alone means the project's exports folder."""
        path = Path(typed).expanduser()
        return path if path.is_absolute() else self._context.project.folder / "exports" / path


class ReleaseForm(_WritingForm):
    """Asks for the folder, the licence, and whether people's words go along; writes the alignment set."""

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        exports = context.project.folder / "exports"
        fields = (
            RecordField(
                name="folder", words="Folder", value=str(_free(exports, "alignment-set")),
                help="That is not there yet. It gets tables, pairs, guidelines, a dataset card and checksums; "
                "annotators stand under numbers that are drawn anew.",
            ),
            RecordField(
                name="licence", words="Licence", choices=LICENCES,
                help="Of the data, as you state it; it stands in the card.",
            ),
            RecordField(
                name="comments", words="Comments", value=WITHOUT, choices=(WITHOUT, WITH),
                help="People's free words, in which names may stand.",
            ),
        )  # fmt: skip
        super().__init__(context, "Release an alignment set", fields, parent)

    def check(self, values: dict[str, str]) -> None:  # @override
        if not values["folder"]:
            raise BadInput("A release needs a folder.", next_step="Name one that is not there yet.")
        if values["comments"] not in (WITHOUT, WITH):
            raise BadInput("Comments either leave out or go along.", next_step="Choose one of the two.")

    def take(self, values: dict[str, str]) -> None:  # @override
        context, out = self._context, self.place(values["folder"])

        def work(*, emit: Emit, cancel: CancelToken) -> Release:
            return release_action.release(
                context.project, out, licence=values["licence"], with_comments=values["comments"] == WITH
            )

        context.background.start(
            work, name=f"Write {out.name}", done=partial(_released, context), failed=partial(_report, context)
        )


class CaseCardsForm(_WritingForm):
    """Asks for the file, the judge and which cases; writes the cards."""

    def __init__(self, context: AppContext, judges: Sequence[str], parent: QWidget | None = None) -> None:
        self._judges = tuple(judges)
        fields = (
            RecordField(
                name="file",
                words="File",
                value=str(context.project.folder / "exports" / "cases.html"),
                help="One page without outside references: slide, item, what people and the judge say, and why.",
            ),
            RecordField(name="judge", words="Judge", value=ALL_JUDGES, choices=(ALL_JUDGES, *self._judges)),
            RecordField(name="cases", words="Cases", value=DISPUTED, choices=(DISPUTED, EVERY)),
            RecordField(
                name="most", words="Cards at most", value=str(cards_action.MOST), help="Each card holds a picture."
            ),
        )
        super().__init__(context, "Case cards", fields, parent)

    def check(self, values: dict[str, str]) -> None:  # @override
        if not values["file"]:
            raise BadInput("The cards need a file.", next_step="Name one.")
        if values["judge"] not in (ALL_JUDGES, *self._judges):
            raise BadInput(f"{values['judge']} has no verdicts here.", next_step="Choose a judge from the list.")
        if values["cases"] not in (DISPUTED, EVERY):
            raise BadInput("There are no such cases.", next_step="Choose one of the two.")
        if not (values["most"].isascii() and values["most"].isdecimal() and int(values["most"]) > 0):
            raise BadInput("The number of cards is a whole number from 1.", next_step="Type one.")

    def take(self, values: dict[str, str]) -> None:  # @override
        context, out = self._context, self.place(values["file"])
        if not out.suffix:
            out = out.with_suffix(".html")
        judges = () if values["judge"] == ALL_JUDGES else (values["judge"],)

        def work(*, emit: Emit, cancel: CancelToken) -> CardFile:
            return cards_action.write_case_cards(
                context.project, out, judge_ids=judges, only_disputed=values["cases"] == DISPUTED,
                most=int(values["most"]),
            )  # fmt: skip

        context.background.start(
            work, name=f"Write {out.name}", done=partial(_carded, context), failed=partial(_report, context)
        )


def _free(folder: Path, name: str) -> Path:
    """Return a folder of this name that is not there yet, numbered from 2 where it is."""
    number, place = 2, folder / name
    while place.exists():
        number, place = number + 1, folder / f"{name}-{number}"
    return place


def _released(context: AppContext, made: Release) -> None:
    rows = counted(sum(made.rows.values()), "row")
    context.toast(f"{made.folder} holds {rows} of {counted(made.annotators, 'annotator')}, under numbers.")


def _carded(context: AppContext, written: CardFile) -> None:
    context.toast(f"{counted(written.cards, 'card')} of {counted(written.cases, 'case')} written to {written.path}.")


def _report(context: AppContext, error: BaseException) -> None:
    if not isinstance(error, Cancelled):
        context.report(error)
