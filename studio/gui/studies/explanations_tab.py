"""Explanations whose usefulness people rate, with what raters never see: who wrote them, and known defects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import mean

from PySide6.QtWidgets import QFileDialog, QLineEdit, QVBoxLayout, QWidget

from studio.actions.explanation_agreement import ALL, ExplanationAgreement
from studio.actions.explanation_units import Explanation, ExplanationRow, plan_explanations, read_explanations
from studio.actions.figures import counted, figure
from studio.actions.study_desk import StudiesDesk, StudyDetail
from studio.actions.study_plan import people_asked
from studio.errors import BadInput
from studio.gui.context import AppContext
from studio.gui.dialogs.record_form import RecordField, RecordForm
from studio.gui.studies.deck_line import deck_named, propose_decks
from studio.gui.studies.table_panel import TablePanel
from studio.gui.widgets.table import Column
from studio.model.changes import Changes
from studio.model.ids import DeckId
from studio.model.studies import Study, StudyKind

_WHY = {
    "one_rater": "no two people rated the same explanations",
    "too_few": "no two people rated the same three explanations",
    "constant": "somebody gave all of them the same point",
}  # fmt: skip


def _why(row: ExplanationAgreement) -> str:
    return _WHY.get(row.undefined_reason or "", row.undefined_reason or "")


_AGREEMENT: tuple[Column[ExplanationAgreement], ...] = (
    Column(title="dimension", value=lambda row: row.dimension, width=130),
    Column(title="explanations", value=lambda row: "all" if row.about == ALL else
           f"{row.about}: {row.name or 'not noted'}"),
    Column(title="rated", value=lambda row: row.n, is_number=True, width=70),
    Column(title="by two or more", value=lambda row: row.n_shared, is_number=True, width=120),
    Column(title="mean", value=lambda row: row.mean, text=lambda row: f"{row.mean:.2f}",
           reason=lambda _: "nobody has rated it yet", is_number=True, width=80),
    Column(title="pairwise mean", value=lambda row: row.pairwise_mean, text=lambda row: figure(row.pairwise_mean, 2),
           reason=_why, is_number=True, width=120),
    Column(title="pairwise max", value=lambda row: row.pairwise_max, text=lambda row: figure(row.pairwise_max, 2),
           reason=_why, is_number=True, width=120),
    Column(title="couples", value=lambda row: row.n_couples, is_number=True, width=80),
    Column(title="α", value=lambda row: row.alpha, text=lambda row: figure(row.alpha, 2),
           reason=lambda _: "too few ratings, or all the same", is_number=True, width=70),
)  # fmt: skip
"""Spearman's rho of every two raters on what both rated, and Krippendorff's alpha of everybody."""


class ExplanationForm(RecordForm):
    """One explanation of how a deck did by a metric."""

    def __init__(
        self, decks: Mapping[DeckId, str], take: Callable[[Explanation], None], parent: QWidget | None = None
    ) -> None:  # fmt: skip
        self._decks, self._take = decks, take
        fields = (
            RecordField(name="deck", words="Deck"),
            RecordField(name="metric", words="Metric", help="Raters see it, such as coverage."),
            RecordField(name="text", words="Explanation", lines=6, help="Raters see it."),
            RecordField(name="written_by", words="Written by", help="A person or a judge; raters never see it."),
            RecordField(name="known_defect", words="Known defect", help="Of the deck; raters never see it."),
        )
        super().__init__("Explanation", fields, save="Add", parent=parent)
        self.resize(560, 460)
        line = self.editor("deck")
        assert isinstance(line, QLineEdit)
        propose_decks(line, decks)

    def check(self, values: dict[str, str]) -> None:  # @override
        deck_named(values["deck"], self._decks)
        if not values["metric"] or not values["text"]:
            raise BadInput("An explanation needs a metric and a text.", next_step="Type both.")

    def take(self, values: dict[str, str]) -> None:  # @override
        self._take(
            Explanation(
                deck_id=deck_named(values["deck"], self._decks), metric=values["metric"], text=values["text"],
                written_by=values["written_by"], known_defect=values["known_defect"],
            )
        )  # fmt: skip


class ExplanationsTab(QWidget):
    """The explanations of a rate study, and how useful they were found."""

    def __init__(self, context: AppContext, do: Callable[..., None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self._do = context, do
        self._desk: StudiesDesk | None = None
        self._study: Study | None = None
        columns: tuple[Column[ExplanationRow], ...] = (
            Column(title="deck", value=lambda row: self._deck(row.deck_id)),
            Column(title="metric", value=lambda row: row.metric, width=100),
            Column(title="explanation", value=lambda row: row.text),
            Column(title="written by", value=lambda row: row.written_by or None, reason=lambda _: "not noted",
                   width=120),
            Column(title="known defect", value=lambda row: row.known_defect or None, reason=lambda _: "none",
                   width=130),
            Column(title="mean (n)", value=lambda row: mean(row.ratings) if row.ratings else None,
                   text=lambda row: f"{mean(row.ratings):.2f} ({len(row.ratings)})",
                   reason=lambda _: "nobody has rated it yet", is_number=True, width=90),
        )  # fmt: skip
        self.panel = TablePanel(
            "Explanations", columns, key=lambda row: row.id,
            nothing="No explanations yet. Raters see the deck, the metric and the text, never who wrote it.",
        )  # fmt: skip
        self.panel.add_button("Read a file…", self.ask_file)
        self.panel.add_button("Add…", self.add)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.addWidget(self.panel, 3)
        self.agreement = TablePanel(
            "Agreement of raters", _AGREEMENT, key=lambda row: (row.dimension, row.about, row.name),
            nothing="Agreement stands here once two people have rated the same three explanations.",
        )  # fmt: skip
        self.agreement.foot.hide()
        column.addWidget(self.agreement, 2)

    def show_detail(self, detail: StudyDetail, desk: StudiesDesk) -> None:
        """Show a study's explanations."""
        self._study, self._desk = detail.study, desk
        self.panel.show_rows(detail.explanations, str(len(detail.explanations)) if detail.explanations else "")
        rated = detail.agreement if any(row.n_shared for row in detail.agreement) else ()
        self.agreement.show_rows(rated, "Spearman of each two raters" if rated else "")
        self.panel.set_can_change(detail.study.kind is StudyKind.RATE and not self._context.project.is_read_only)

    def add(self) -> None:
        """Ask for one explanation."""
        if self._desk is not None:
            ExplanationForm(self._desk.decks, lambda one: self.store([one]), self).open()

    def ask_file(self) -> None:
        """Ask for a JSONL file of explanations."""
        chosen, _ = QFileDialog.getOpenFileName(self, "Read explanations", "", "Explanations (*.jsonl)")
        if chosen:
            self.read(Path(chosen))

    def read(self, file: Path) -> None:
        """Take the explanations of a file in."""
        project, study = self._context.project, self._study
        if study is not None:

            def take() -> tuple[int, Changes]:
                return plan_explanations(project, study, read_explanations(project, file), people_asked(project, study))

            self._do(take, self._on_planned)

    def store(self, explanations: list[Explanation]) -> None:
        """Let the people of the study rate these."""
        project, study = self._context.project, self._study
        if study is not None:
            self._do(
                lambda: plan_explanations(project, study, explanations, people_asked(project, study)),
                self._on_planned,
            )

    def _deck(self, deck_id: DeckId) -> str:
        return self._desk.decks.get(deck_id, str(deck_id)) if self._desk else str(deck_id)

    def _on_planned(self, outcome: tuple[int, Changes]) -> None:
        self._context.toast(f"{counted(outcome[0], 'new assignment')}.")
