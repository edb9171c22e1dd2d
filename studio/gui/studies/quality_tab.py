"""What known answers, repeats, training and speed say of each person, and the known answers themselves."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from studio.actions.known_answers import points_from, set_known_order, set_known_points
from studio.actions.measured import deck_of
from studio.actions.programs import render_tools
from studio.actions.spoilt_decks import AttentionItem, make_attention_item
from studio.actions.study_desk import KnownAnswer, StudiesDesk, StudyDetail
from studio.errors import BadInput
from studio.gui.context import AppContext
from studio.gui.dialogs.record_form import RecordField, RecordForm
from studio.gui.dialogs.study_results import COLUMNS
from studio.gui.studies.deck_line import deck_named, propose_decks
from studio.gui.studies.table_panel import TablePanel
from studio.gui.widgets.table import Column
from studio.model.changes import Changes
from studio.model.ids import DeckId
from studio.model.protocols import CancelToken, Emit
from studio.model.reflex import ContentMetric
from studio.model.studies import ALL_ON_ALL, AnswerUnit, Study, StudyKind

KNOWN: tuple[Column[KnownAnswer], ...] = (
    Column(title="instance", value=lambda each: each.instance),
    Column(title="kind", value=lambda each: each.probe.purpose.value, width=90),
    Column(title="known to be right", value=lambda each: each.words),
    Column(title="right", value=lambda each: each.n_right if each.n_asked else None,
           text=lambda each: f"{each.n_right} of {each.n_asked}", reason=lambda _: "nobody has answered it yet",
           width=90),
)  # fmt: skip

_WORSE = {
    "flow": "slides in a wrong order",
    "redundancy": "slides shown twice",
    "alignment": "pictures swapped (PowerPoint files)",
    "coverage": "topics of the source taken out",
}


def _asks_slides(study: Study) -> bool:
    return study.unit is AnswerUnit.SLIDE and study.kind is not StudyKind.RANK


class KnownOrderForm(RecordForm):
    """Which decks of an instance are known to be in which order."""

    def __init__(
        self, desk: StudiesDesk, study: Study, take: Callable[[str, list[str], bool], None],
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        self._desk, self._take = desk, take
        what = "Systems of decks, one a line" if not _asks_slides(study) else "Slides, one a line, such as alpha#3"
        rest = "only questions whose four are all named count" if study.kind is StudyKind.BEST_WORST else (
            "those that are not named do not matter"
        )  # fmt: skip
        fields = (
            RecordField(name="instance", words="Instance", help="Its title, name or id."),
            RecordField(name="order", words="Best first", lines=5,
                        help=f"{what}; {rest}."),
            RecordField(name="kind", words="Kind", value="gold", choices=("gold", "attention"),
                        help="Attention items are left out of all tables and figures."),
        )  # fmt: skip
        super().__init__("Known order", fields, parent=parent)

    def check(self, values: dict[str, str]) -> None:  # @override
        self._instance(values["instance"])
        if len([line for line in values["order"].splitlines() if line.strip()]) < 2:
            raise BadInput("A known order needs two or more decks.", next_step="Name one system a line, best first.")
        if values["kind"] not in ("gold", "attention"):
            raise BadInput("A known answer is gold or attention.")

    def take(self, values: dict[str, str]) -> None:  # @override
        order = [line.strip() for line in values["order"].splitlines() if line.strip()]
        self._take(self._instance(values["instance"]), order, values["kind"] == "attention")

    def _instance(self, words: str) -> str:
        found = [item.id for item in self._desk.instances if words in (item.id, item.name, item.title)]
        if len(found) != 1:
            raise BadInput(
                f"{len(found) or 'No'} instance{'s are' if len(found) > 1 else ' is'} called {words or 'nothing'}.",
                next_step="Name it by its title, its folder's name or its id.",
            )
        return found[0]


class KnownPointsForm(RecordForm):
    """Which points of a deck are known to be right."""

    def __init__(
        self, desk: StudiesDesk, study: Study, take: Callable[[DeckId, str, dict[str, tuple[int, int]], bool], None],
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        self._desk, self._take, self._asks_slides = desk, take, _asks_slides(study)
        fields = (
            RecordField(name="deck", words="Deck"),
            *((RecordField(name="slide", words="Slide", help="Its number, from 1."),) if self._asks_slides else ()),
            RecordField(name="points", words="Points", help="Such as flow=1-2, coverage=4"),
            RecordField(name="kind", words="Kind", value="gold", choices=("gold", "attention"),
                        help="Attention items are left out of all tables and figures."),
        )  # fmt: skip
        super().__init__("Known points", fields, parent=parent)
        line = self.editor("deck")
        assert isinstance(line, QLineEdit)
        propose_decks(line, desk.decks)

    def check(self, values: dict[str, str]) -> None:  # @override
        deck_named(values["deck"], self._desk.decks)
        points_from(values["points"])
        if self._asks_slides and not values["slide"].isdecimal():
            raise BadInput("The study asks about slides.", next_step="Give the slide's number, from 1.")
        if values["kind"] not in ("gold", "attention"):
            raise BadInput("A known answer is gold or attention.")

    def take(self, values: dict[str, str]) -> None:  # @override
        deck = deck_named(values["deck"], self._desk.decks)
        self._take(deck, values.get("slide", ""), points_from(values["points"]), values["kind"] == "attention")


class SpoiltDeckForm(RecordForm):
    """Which deck is made worse, and how."""

    def __init__(
        self, desk: StudiesDesk, study: Study, take: Callable[[DeckId, ContentMetric, int, int], None],
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        self._desk, self._take = desk, take
        ways = tuple(f"{metric.value} – {_WORSE[metric.value]}" for metric in ContentMetric)
        fields = (
            RecordField(name="deck", words="Deck", help="Its instance is asked once more, with this deck also spoilt."),
            RecordField(name="metric", words="What gets worse", value=next(w for w in ways if w.startswith("flow")),
                        choices=ways),
            RecordField(name="degree", words="Degree", value="4", choices=("1", "2", "3", "4"),
                        help="20 % of the slides each; 4 can hardly be missed."),
            RecordField(name="seed", words="Seed", value=str(study.order_seed)),
        )  # fmt: skip
        super().__init__("Attention item with a spoilt deck", fields, save="Make it", parent=parent)
        line = self.editor("deck")
        assert isinstance(line, QLineEdit)
        propose_decks(line, desk.decks)

    def check(self, values: dict[str, str]) -> None:  # @override
        deck_named(values["deck"], self._desk.decks)
        if values["degree"] not in ("1", "2", "3", "4") or not values["seed"].isdecimal():
            raise BadInput("The degree is 1 to 4, the seed a whole number.")
        if values["metric"].split(" ")[0] not in {metric.value for metric in ContentMetric}:
            raise BadInput(f"Decks cannot be made worse in {values['metric']}.", next_step="Choose from the list.")

    def take(self, values: dict[str, str]) -> None:  # @override
        metric = ContentMetric(values["metric"].split(" ")[0])
        deck = deck_named(values["deck"], self._desk.decks)
        self._take(deck, metric, int(values["degree"]), int(values["seed"]))


class QualityTab(QWidget):
    """Results above, known answers below."""

    def __init__(
        self,
        context: AppContext,
        do: Callable[..., None],
        do_long: Callable[..., None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._context, self._do, self._do_long = context, do, do_long
        self._desk: StudiesDesk | None = None
        self._study: Study | None = None
        self.results = TablePanel(
            "Results", COLUMNS, key=lambda row: row["annotator_id"], nothing="Nobody has answered in this study yet."
        )
        self.results.foot.hide()
        self.known = TablePanel(
            "Known answers", KNOWN, key=lambda each: (each.probe.instance_id, each.probe.deck_id, each.probe.item_key),
            nothing="No known answers yet. Annotators never see which questions have one.",
        )  # fmt: skip
        self.spoil = self.known.add_button("Spoil a deck…", self.ask_spoilt)
        self.add_known = self.known.add_button("Known answer…", self.ask_known)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.results, 3)
        column.addWidget(self.known, 2)

    def show_detail(self, detail: StudyDetail, desk: StudiesDesk) -> None:
        """Show results and known answers of a study."""
        self._study, self._desk = detail.study, desk
        self.results.show_rows(detail.results, f"{len(detail.results)} people" if detail.results else "")
        self.known.show_rows(detail.known, str(len(detail.known)))
        kind, is_own = detail.study.kind, detail.study.id != ALL_ON_ALL
        has_known = kind is not StudyKind.CHECKLIST
        self.known.set_can_change(is_own and has_known and not self._context.project.is_read_only)
        self.spoil.setVisible(kind is StudyKind.RANK)

    def ask_known(self) -> None:
        """Ask for a known order, or in a study of ratings for known points."""
        if self._desk is None or self._study is None:
            return
        if self._study.kind is StudyKind.RATE:
            KnownPointsForm(self._desk, self._study, self._store_points, self).open()
        else:
            KnownOrderForm(self._desk, self._study, self._store_order, self).open()

    def ask_spoilt(self) -> None:
        """Ask which deck is to be made worse."""
        if self._desk is not None and self._study is not None:
            SpoiltDeckForm(self._desk, self._study, self.make_spoilt, self).open()

    def make_spoilt(self, deck: DeckId, metric: ContentMetric, degree: int, seed: int) -> None:
        """Make the attention item in the background."""
        project, study = self._context.project, self._study
        if study is None:
            return
        tools = render_tools(self._context.settings)

        def make(*, emit: Emit, cancel: CancelToken) -> tuple[AttentionItem, Changes]:
            instance = deck_of(project, deck).instance_id
            return make_attention_item(
                project, study, instance, deck, tools=tools, metric=metric, degree=degree, seed=seed, emit=emit,
                cancel=cancel,
            )  # fmt: skip

        self._do_long(make, "Attention item", self._on_made)

    def _store_order(self, instance: str, order: list[str], is_attention: bool) -> None:
        self._do(
            partial(
                set_known_order, self._context.project, self._study, instance, order, is_attention=is_attention
            )
        )  # fmt: skip

    def _store_points(
        self, deck: DeckId, slide: str, points: dict[str, tuple[int, int]], is_attention: bool
    ) -> None:  # fmt: skip
        project, study = self._context.project, self._study

        def store() -> object:
            instance = deck_of(project, deck).instance_id
            unit = f"{deck}#{slide}" if slide else deck
            return set_known_points(project, study, instance, unit, points, is_attention=is_attention)

        self._do(store)

    def _on_made(self, _outcome: tuple[AttentionItem, Changes]) -> None:
        self._context.toast("The attention item is in the study. Plan it again, so that people get it.")
