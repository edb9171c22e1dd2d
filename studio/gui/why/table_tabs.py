"""Cues, findings, percentiles and results made elsewhere: tables with links to slides."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from studio.actions.explanation import Explanation, SlideWhy
from studio.actions.foreign_results import FIGURES as FOREIGN
from studio.actions.foreign_results import ScorePair
from studio.actions.references import Place
from studio.gui.why.plots import SlidePlot
from studio.gui.why.tab import WhyTab, caption
from studio.gui.widgets.panel import toned_label
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.metrics.cues import CUES
from studio.metrics.patterns import RULES
from studio.metrics.registry import METRICS

SAME_WITHIN = 1e-9


@dataclass(frozen=True, kw_only=True)
class _CueRow:
    name: str
    title: str
    unit: str
    slide: float | None
    mean: float | None
    least: float | None
    most: float | None


class CuesTab(WhyTab):
    """The five cues: this slide, the deck, and one of them along the deck."""

    title = "Cues"

    def __init__(self) -> None:
        super().__init__()
        self.model = RowModel[_CueRow](
            [
                Column(
                    title="cue",
                    value=lambda row: row.title,
                    is_strong=True,
                    text=lambda row: f"{row.title}, {row.unit}",
                ),
                _number("this slide", lambda row: row.slide),
                _number("mean", lambda row: row.mean, width=76),
                _number("least", lambda row: row.least, width=76),
                _number("most", lambda row: row.most, width=76),
            ],
            key=lambda row: row.name,
        )
        self.table = DataTable(is_sortable=False)
        self.table.set_model(self.model)
        self.table.setFixedHeight(28 + 5 * 30 + 2)
        self.table.row_selected.connect(self._on_row_selected)
        self.plot = SlidePlot(y_label="")
        self.plot.slide_picked.connect(self.slide_picked)
        self.head = caption("")
        self.column.addWidget(self.table)
        self.column.addWidget(self.head)
        self.column.addWidget(self.plot, 1)
        self._name = CUES[0]
        self._slide: SlideWhy | None = None

    def show_deck(self, explanation: Explanation) -> None:  # @override
        super().show_deck(explanation)
        self.value.setText("Cues")
        self.unit.setText("plain figures, no verdicts")
        self.formula.setText("None of them has a best value; alignment says whether people like more or less of one.")
        self._show_cue()

    def show_slide(self, slide: SlideWhy) -> None:  # @override
        self._slide = slide
        rows = []
        for name in CUES:
            values = [getattr(each.measures.cues, name) for each in self.explanation.slides]
            known = [value for value in values if value is not None]
            spec = METRICS[f"cues.{name}"]
            rows.append(
                _CueRow(
                    name=name, title=spec.title, unit=spec.unit, slide=getattr(slide.measures.cues, name),
                    mean=sum(known) / len(known) if known else None, least=min(known, default=None),
                    most=max(known, default=None),
                )
            )  # fmt: skip
        self.model.set_rows(rows)
        self.plot.set_current(slide.number)

    def _show_cue(self) -> None:
        slides = self.explanation.slides
        spec = METRICS[f"cues.{self._name}"]
        self.head.setText(f"{spec.title} along the deck, {spec.unit}")
        self.head.setToolTip(spec.description)
        self.plot.show_values(
            [each.number for each in slides], [getattr(each.measures.cues, self._name) for each in slides], low=0.0
        )

    @Slot(object)
    def _on_row_selected(self, row: _CueRow) -> None:
        self._name = row.name
        self._show_cue()


@dataclass(frozen=True, kw_only=True)
class _FoundRow:
    kind: str
    slides: tuple[int, ...]
    words: str
    rule: str
    tone: str


class FindingsTab(WhyTab):
    """Patterns and flags of the deck, each with its rule; a row opens its first slide."""

    title = "Findings"

    def __init__(self) -> None:
        super().__init__()
        self.model = RowModel[_FoundRow](
            [
                Column(
                    title="finding", value=lambda row: row.kind, tone=lambda row: row.tone, width=170,
                    tip=lambda row: row.rule,
                ),
                Column(
                    title="slides", value=lambda row: row.slides[0] if row.slides else 0, width=90,
                    text=lambda row: _slides(row.slides),
                ),
                Column(title="why", value=lambda row: row.words, tip=lambda row: row.rule),
            ],
            key=lambda row: (row.kind, row.slides),
        )  # fmt: skip
        self.table = DataTable()
        self.table.set_model(self.model)
        self.table.row_selected.connect(self._on_row)
        self.table.row_opened.connect(self._on_row)
        self.rule = toned_label("", "muted")
        self.rule.setWordWrap(True)
        self.column.addWidget(self.table, 1)
        self.column.addWidget(self.rule)

    def show_deck(self, explanation: Explanation) -> None:  # @override
        super().show_deck(explanation)
        rows = [
            _FoundRow(
                kind=f"! {each.pattern.value.replace('_', ' ')}", slides=each.slides, words=each.evidence,
                rule=RULES[each.pattern], tone="bad",
            )
            for each in explanation.findings
        ] + [
            _FoundRow(kind=each.title, slides=each.slides, words=each.rule, rule=each.rule, tone="warn")
            for each in explanation.flags
        ]  # fmt: skip
        self.model.set_rows(rows)
        n_patterns, n_flags = len(explanation.findings), len(explanation.flags)
        self.value.setText("Findings" if rows else "Nothing found")
        self.unit.setText(f"{n_patterns} patterns, {n_flags} flags" if rows else "no pattern, no flag")
        self.formula.setText(
            "Patterns are the paper's names for faults of a deck; their limits are the studio's and enter no score. "
            "Flags say which rule a value was made by."
        )
        self.rule.setText("")

    @Slot(object)
    def _on_row(self, row: _FoundRow) -> None:
        self.rule.setText(f"Rule: {row.rule}")
        if row.slides:
            self.slide_picked.emit(row.slides[0])


class PercentilesTab(WhyTab):
    """Where the deck lies in a reference."""

    title = "Percentiles"
    reference_picked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.choice = QComboBox()
        self.choice.setAccessibleName("Reference")
        self.choice.activated.connect(self._on_chosen)
        self.chooser = QWidget()
        row = QHBoxLayout(self.chooser)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(toned_label("Against", "muted"))
        row.addWidget(self.choice)
        row.addStretch(1)
        self.model = RowModel[Place](
            [
                Column(
                    title="figure", value=lambda row: row.title, is_strong=True,
                    text=lambda row: f"{row.title}, {row.unit}" if row.unit else row.title,
                ),
                _number("this deck", lambda row: row.value),
                _number("reference", lambda row: row.mean, width=92),
                Column(
                    title="percentile", value=lambda row: row.percentile, is_number=True, width=90,
                    text=lambda row: f"{row.percentile:.0f}",
                ),
                Column(title="", value=lambda row: row.percentile, text=lambda row: _bar(row.percentile), width=150,
                       tip=lambda row: f"{row.percentile:.1f} % of the reference's decks lie below"),
            ],
            key=lambda row: row.figure,
        )  # fmt: skip
        self.table = DataTable()
        self.table.set_model(self.model)
        self.column.addWidget(self.chooser)
        self.column.addWidget(self.table, 1)
        self.column.addStretch(0)

    def show_deck(self, explanation: Explanation) -> None:  # @override
        super().show_deck(explanation)
        self.choice.clear()
        self.choice.addItems(explanation.references)
        self.choice.setCurrentText(explanation.reference)
        self.choice.setEnabled(len(explanation.references) > 1)
        self.model.set_rows(explanation.places)
        for part in (self.chooser, self.table):
            part.setVisible(bool(explanation.reference))
        if explanation.reference:
            self.value.setText("Percentiles")
            self.unit.setText(f"against {explanation.reference}")
            self.formula.setText(
                "Share of the reference's decks below this one; equal ones count half. Beside the deck's figure stands "
                "the mean of the reference."
            )
        else:
            self.value.setText("No reference yet")
            self.unit.setText("")
            self.formula.setText("Make one of this project's decks with: studio reference make PROJECT NAME")

    @Slot(int)
    def _on_chosen(self, _place: int) -> None:
        self.reference_picked.emit(self.choice.currentText())


@dataclass(frozen=True, kw_only=True)
class _PairRow:
    slide: int
    values: dict[str, tuple[float | None, float | None]]


class ResultTab(WhyTab):
    """A result that was made elsewhere beside ours, slide by slide."""

    title = "Result"
    label_picked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.choice = QComboBox()
        self.choice.setAccessibleName("Imported result")
        self.choice.activated.connect(self._on_chosen)
        self.chooser = QWidget()
        row = QHBoxLayout(self.chooser)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(toned_label("Imported", "muted"))
        row.addWidget(self.choice)
        row.addStretch(1)
        self.scores = RowModel[ScorePair](
            [
                Column(title="score", value=lambda row: METRICS[row.metric].title, is_strong=True),
                _number("ours", lambda row: row.ours, digits=4),
                _number("theirs", lambda row: row.theirs, digits=4),
                _number("theirs, recomputed", lambda row: row.recomputed, digits=4, width=156),
            ],
            key=lambda row: row.metric,
        )
        self.score_table = DataTable(is_sortable=False)
        self.score_table.set_model(self.scores)
        self.score_table.setFixedHeight(28 + 5 * 30 + 2)
        columns: list[Column[_PairRow]] = [Column(title="slide", value=lambda row: row.slide, is_number=True, width=56)]
        for name, (title, _) in FOREIGN.items():
            columns.append(_pair_column(name, title))
        self.pairs = RowModel[_PairRow](columns, key=lambda row: row.slide)
        self.pair_table = DataTable()
        self.pair_table.set_model(self.pairs)
        self.pair_table.row_selected.connect(self._on_row)
        self.pair_caption = caption("Slide by slide: ours, and theirs where it differs")
        self.column.addWidget(self.chooser)
        self.column.addWidget(self.score_table)
        self.column.addWidget(self.pair_caption)
        self.column.addWidget(self.pair_table, 1)
        self.column.addStretch(0)

    def show_deck(self, explanation: Explanation) -> None:  # @override
        super().show_deck(explanation)
        found = explanation.comparison
        self.choice.clear()
        self.choice.addItems(explanation.labels)
        self.choice.setEnabled(len(explanation.labels) > 1)
        for part in (self.chooser, self.score_table, self.pair_caption, self.pair_table):
            part.setVisible(found is not None)
        if found is None:
            self.value.setText("No imported result")
            self.unit.setText("")
            self.formula.setText(
                "Take one in with: studio metrics PROJECT --deck INSTANCE/SYSTEM --reference-in result.json"
            )
            self.scores.set_rows([])
            self.pairs.set_rows([])
            return
        self.choice.setCurrentText(found.label)
        rows: dict[int, dict[str, tuple[float | None, float | None]]] = {}
        for each in found.slides:
            rows.setdefault(each.slide, {})[each.figure] = (each.ours, each.theirs)
        differ = sum(each.difference is None or abs(each.difference) > SAME_WITHIN for each in found.slides)
        self.value.setText(found.label)
        self.unit.setText(f"{differ} of {len(found.slides)} figures differ" if differ else "all figures are equal")
        self.formula.setText(" ".join(found.notes))
        self.scores.set_rows(found.scores)
        self.pairs.set_rows([_PairRow(slide=slide, values=values) for slide, values in rows.items()])

    @Slot(int)
    def _on_chosen(self, _place: int) -> None:
        self.label_picked.emit(self.choice.currentText())

    @Slot(object)
    def _on_row(self, row: _PairRow) -> None:
        self.slide_picked.emit(row.slide)


def _number(title: str, value: object, *, digits: int = 3, width: int = 86) -> Column:
    return Column(
        title=title, value=value, is_number=True, width=width, reason=lambda row: "undefined",
        text=lambda row: f"{value(row):.{digits}f}".replace("-", "−"),
    )  # fmt: skip


def _pair_column(name: str, title: str) -> Column[_PairRow]:
    def text(row: _PairRow) -> str:
        ours, theirs = row.values[name]
        mine = "–" if ours is None else f"{ours:.3f}"
        if ours == theirs or (ours is not None and theirs is not None and abs(ours - theirs) <= SAME_WITHIN):
            return mine
        return f"{mine} · {'–' if theirs is None else f'{theirs:.3f}'}"

    def difference(row: _PairRow) -> float:
        ours, theirs = row.values[name]
        return float("inf") if ours is None or theirs is None else abs(ours - theirs)

    return Column(
        title=title, value=difference, text=text, is_number=True,
        tone=lambda row: "warn" if difference(row) > SAME_WITHIN else "",
        tip=lambda row: f"ours {row.values[name][0]}, theirs {row.values[name][1]}",
    )  # fmt: skip


def _slides(numbers: tuple[int, ...]) -> str:
    if not numbers:
        return "deck"
    is_run = len(numbers) > 2 and numbers == tuple(range(numbers[0], numbers[-1] + 1))
    return f"{numbers[0]}–{numbers[-1]}" if is_run else ", ".join(map(str, numbers))


def _bar(percentile: float) -> str:
    filled = round(percentile / 10)
    return "━" * filled + "┄" * (10 - filled)
