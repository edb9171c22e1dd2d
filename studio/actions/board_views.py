"""The boards that there are: papers' tables over any project, systems by group, and frameworks on one scale."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from studio.actions.align import table_of
from studio.actions.checklist_scores import PEOPLE, project_scores, score_sources
from studio.actions.figures import figure
from studio.actions.leaderboard import (
    ALL,
    DIMENSION,
    Board,
    BoardColumn,
    BoardRow,
    Cell,
    Field,
    by_group,
)
from studio.actions.method_rows import REASONS, people_row, title_of
from studio.actions.reflex_boards import PaperSource
from studio.actions.reflex_paper import PAPER_VIEWS
from studio.actions.ve_matrix import EDITS, LEVELS, LOOKS, SYSTEM_RULE, ve_matrix
from studio.checklists.scoring import DIMENSION_ORDER, DeckState, Scores
from studio.errors import BadInput
from studio.metrics.registry import METRICS
from studio.model.checklists import Dimension
from studio.model.ids import DeckId, InstanceId
from studio.model.judging import JudgingProtocol
from studio.stats.alignment import align_methods
from studio.stats.levels import Level
from studio.stats.rankings import consensus
from studio.store import judging as judging_store
from studio.store.project import Project

DIMENSION_TITLES = {
    Dimension.FUNDAMENTALS: "Fundamentals", Dimension.DESIGN: "Design", Dimension.COMPLETENESS: "Completeness",
    Dimension.CORRECTNESS: "Correctness", Dimension.FIDELITY: "Fidelity",
}  # fmt: skip
AESTHETICS = ("aesthetics.usability", "aesthetics.engagement", "aesthetics.harmony", "aesthetics.rhythm", LOOKS)
QUIZ = "quizbank"
"""The last part of the methods of quiz readers, such as ``offline/quizbank``; the kinds of questions follow a dot."""
_F, _D, _C, _R, _Y = DIMENSION_ORDER
SUBSETS: tuple[tuple[Dimension, ...], ...] = (
    DIMENSION_ORDER, (_F, _D), (_C, _R, _Y),
    *(tuple(each for each in DIMENSION_ORDER if each is not left_out) for left_out in DIMENSION_ORDER),
)  # fmt: skip
"""The tick patterns of PresentBench's ablation: all, the two of form, the three of content, each left out once."""


class Wish(NamedTuple):
    """What a board is asked for."""

    measure: str = ""
    """A method, or whose checklist answers; empty where there is only one."""
    by: str = ""


@dataclass(frozen=True, kw_only=True)
class View:
    """One kind of board."""

    title: str
    source: str
    build: Callable[[Project, Wish], Board]
    needs: str = ""
    """``checklist`` or ``method`` where the measure can be chosen."""
    has_groups: bool = False


def board(project: Project, view: str, *, measure: str = "", by: str = "") -> Board:
    """Return one board.

    Args:
        project: an open project.
        view: one of `VIEWS`.
        measure: a method, or whose checklist answers; see `measures`.
        by: ``scenario``, ``domain``, ``language`` or ``difficulty``, for the views that have groups; for
            ``systems`` also ``dimension``.

    Raises:
        BadInput: for a view, measure or group that is not there.
    """
    if view not in VIEWS:
        raise BadInput(f"There is no view {view}.", next_step=f"Known: {', '.join(VIEWS)}.")
    return VIEWS[view].build(project, Wish(measure, by))


def measures(project: Project, view: str) -> list[str]:
    """Return what a view's numbers can be of; empty where there is nothing to choose."""
    needs = VIEWS[view].needs
    if needs == "checklist":
        return score_sources(project)
    return list(Field.of(project).evidence.methods) if needs == "method" else []


# ---- systems by anything


def _systems(project: Project, wish: Wish) -> Board:
    field = Field.of(project)
    measure = _method(field, wish.measure)
    values, reasons = _values(field, measure), field.evidence.reasons.get(measure, {})
    columns, cells = by_group(field, values, "" if wish.by == DIMENSION else wish.by, reasons=reasons)
    for part in _parts(field, measure) if wish.by == DIMENSION else ():
        columns.append(BoardColumn(key=part, title=title_of(part).rpartition(".")[2]))
        cells.append(field.column(_values(field, part), reasons=field.evidence.reasons.get(part, {})))
    return Board(
        view="systems", title=f"{title_of(measure)} by system", columns=tuple(columns), rows=field.rows(cells),
        measure=measure, notes=_notes(wish.by),
    )  # fmt: skip


# ---- PresentBench


def _by_domain(project: Project, wish: Wish) -> Board:
    field, scores, who = _checklists(project, wish.measure)
    values, reasons = _totals(scores)
    columns, cells = by_group(field, values, wish.by or "domain", reasons=reasons, zeros=_failed(scores))
    columns[0] = BoardColumn(key=ALL, title="Total")
    return Board(
        view="presentbench-3", title="Checklist totals by domain, 0 to 100", columns=tuple(columns),
        rows=field.rows(cells), measure=who, notes=(*_notes(wish.by or "domain"), _ZERO),
        sample_data=_is_sample(field, who),
    )  # fmt: skip


def _by_dimension(project: Project, wish: Wish) -> Board:
    field, scores, who = _checklists(project, wish.measure)
    values, reasons = _totals(scores)
    columns = [BoardColumn(key=ALL, title="Total")]
    cells = [field.column(values, reasons=reasons, zeros=_failed(scores))]
    for place, dimension in enumerate(DIMENSION_ORDER):
        of = {
            deck.deck_id: _number(scores.dimensions[row, place]) for row, deck in enumerate(scores.decks)
        }  # fmt: skip
        columns.append(BoardColumn(key=dimension.value, title=DIMENSION_TITLES[dimension]))
        cells.append(field.column(of, reasons=reasons, zeros=_failed(scores)))
    return Board(
        view="presentbench-4", title="Checklist scores by dimension, 0 to 100", columns=tuple(columns),
        rows=field.rows(cells), measure=who, notes=(*_notes(""), _ZERO), sample_data=_is_sample(field, who),
    )  # fmt: skip


def _alignment(view: str, title: str) -> Callable[[Project, Wish], Board]:
    def build(project: Project, _wish: Wish) -> Board:
        field = Field.of(project)
        evidence = field.evidence
        table = table_of(evidence, chosen=list(evidence.methods), level=Level.INSTANCE.value)
        rows = []
        for name, method in table.methods.items():
            why = REASONS.get(method.undefined_reason or "", method.undefined_reason or "")
            rows.append(
                _method_row(
                    name, title_of(name), method.mean_rho, method.std_rho, method.identical, method.n_defined, why,
                    low=method.ci_low, high=method.ci_high,
                )
            )  # fmt: skip
        people = people_row(table)
        rows.append(
            _method_row(
                people.name, "People (leave one out)", people.mean_rho, people.std_rho, people.identical,
                people.n_defined, people.reason, low=people.ci_low, high=people.ci_high,
            )
        )  # fmt: skip
        return Board(
            view=view, title=title, columns=_RHO, rows=tuple(rows), row_word="method",
            notes=("Spearman's ρ per instance, mean over instances; std is that of the population.",),
            sample_data=evidence.has_sample_people,
        )  # fmt: skip

    return build


def _subsets(project: Project, wish: Wish) -> Board:
    field, scores, who = _checklists(project, wish.measure)
    evidence = field.evidence
    methods: dict[str, dict[InstanceId, dict[DeckId, float | None]]] = {}
    for subset in SUBSETS:
        places = [DIMENSION_ORDER.index(each) for each in subset]
        # A dimension without an answered item leaves the mean undefined, as it does the total.
        means = scores.dimensions[:, places].mean(axis=1) if len(scores.decks) else np.zeros(0)
        by_instance = methods.setdefault(_ticks(subset), {})
        for deck, mean in zip(scores.decks, means, strict=True):
            by_instance.setdefault(deck.instance_id, {})[deck.deck_id] = _number(mean)
    aligned = align_methods(evidence.human, methods, level=Level.INSTANCE.value)
    rows = []
    for subset in SUBSETS:
        found = aligned[_ticks(subset)]
        rows.append(
            _method_row(
                _ticks(subset), _subset_title(subset), found.mean_rho, found.std_rho, found.identical,
                found.n_defined, REASONS.get(found.undefined_reason or "", found.undefined_reason or ""),
                low=found.ci_low, high=found.ci_high,
            )
        )  # fmt: skip
    return Board(
        view="presentbench-6", title="Subsets of the dimensions against people", columns=_RHO, rows=tuple(rows),
        measure=who, row_word="subset", notes=("A subset's score is the plain mean of its dimensions.",),
        sample_data=evidence.has_sample_people,
    )  # fmt: skip


# ---- SlidesGen-Bench


def _content(project: Project, wish: Wish) -> Board:
    field = Field.of(project)
    known = [name for name in field.evidence.methods if _is_quiz(name) and "." not in name.rpartition("/")[2]]
    measure = wish.measure or (known[0] if known else "")
    if measure and measure not in field.evidence.methods:
        raise BadInput(
            f"No scores of {measure} in this project.", next_step=f"There are: {', '.join(known) or 'none'}."
        )
    shares = _values(field, measure) if measure else {}
    values = {deck: None if share is None else 100 * share for deck, share in shares.items()}
    reasons = field.evidence.reasons.get(measure, {})
    columns, cells = by_group(field, values, wish.by or "scenario", reasons=reasons)
    for name, instances in field.groups("difficulty").items() if not wish.by else ():
        columns.append(BoardColumn(key=f"difficulty: {name}", title=name))
        cells.append(field.column(values, instances=instances, reasons=reasons))
    none = () if measure else ("No quiz was answered in this project.",)
    columns = [replace(column, digits=1) for column in columns]
    return Board(
        view="slidesgen-1", title="Content: right answers to quizzes, percent", columns=tuple(columns),
        rows=field.rows(cells), measure=measure, notes=(*_notes(wish.by or "scenario"), *none),
    )  # fmt: skip


def _aesthetics(project: Project, _wish: Wish) -> Board:
    field = Field.of(project)
    columns, cells = [], []
    for name in (LOOKS, *AESTHETICS[:-1]):
        columns.append(BoardColumn(key=name, title=title_of(name)))
        cells.append(field.column(_values(field, name), reasons=field.evidence.reasons.get(name, {})))
    return Board(
        view="slidesgen-3", title="Aesthetics: the total and what it is the sum of", columns=tuple(columns),
        rows=field.rows(cells), measure=LOOKS, notes=_notes(""),
    )  # fmt: skip


def _editability(project: Project, _wish: Wish) -> Board:
    field = Field.of(project)
    values = _values(field, EDITS)
    columns = [BoardColumn(key="level", title="Level", digits=0)]
    base = field.column(values, reasons=field.evidence.reasons.get(EDITS, {}), with_ranks=False)
    medians = []
    for system, cell in zip(field.systems, base, strict=True):
        made = [field.decks.get((instance.id, system)) for instance in field.instances]
        found = [values.get(deck.id) for deck in made if deck is not None]
        levels = [int(value) for value in found if value is not None]
        medians.append((cell, levels))
    cells = [[Cell(value=float(statistics.median_low(of)) if of else None, n=cell.n, reason=cell.reason,
                   absent=cell.absent) for cell, of in medians]]  # fmt: skip
    for level in range(LEVELS):
        columns.append(BoardColumn(key=f"L{level}", title=f"L{level} %", digits=1))
        cells.append(
            [
                Cell(value=100 * of.count(level) / len(of) if of else None, n=len(of), reason=cell.reason,
                     absent=cell.absent)
                for cell, of in medians
            ]
        )  # fmt: skip
    return Board(
        view="slidesgen-4", title="Editability: level and share of decks at each", columns=tuple(columns),
        rows=field.rows(cells), measure=EDITS, notes=("A system's level is the lower median of its decks.",),
    )  # fmt: skip


def _matrix(project: Project, _wish: Wish) -> Board:
    field, found = Field.of(project), ve_matrix(project)
    points = {each.system: each for each in found.systems}
    looks = field.column(_values(field, LOOKS), reasons=field.evidence.reasons.get(LOOKS, {}))
    rows = []
    for place, system in enumerate(field.systems):
        point, absent = points.get(system), looks[place].absent
        why = "" if point is not None else looks[place].reason or "no deck has both values"
        n = point.n_decks if point is not None else 0
        rows.append(
            BoardRow(
                key=system, title=system,
                cells=(
                    Cell(value=point.total if point else None, n=n, reason=why, absent=absent),
                    Cell(value=float(point.level) if point else None, n=n, reason=why, absent=absent),
                ),
            )
        )  # fmt: skip
    lines = [
        f"{name} {figure(line.at)} ({line.rule})"
        for name, line in (("looks", found.looks_line), ("edits", found.edits_line))
        if line is not None
    ]
    return Board(
        view="ve-matrix", title="Looks against editability",
        columns=(BoardColumn(key=LOOKS, title="Aesthetics total"), BoardColumn(key=EDITS, title="Level", digits=0)),
        rows=tuple(sorted(rows, key=lambda row: (row.cells[0].value is None, -(row.cells[0].value or 0.0), row.title))),
        measure=f"{LOOKS}, {EDITS}", notes=(f"Lines: {', '.join(lines)}.", f"Of a system: {SYSTEM_RULE}."),
    )  # fmt: skip


# ---- several frameworks on one scale


def _frameworks(project: Project, _wish: Wish) -> Board:
    field = Field.of(project)
    columns: list[BoardColumn] = []
    cells: list[list[Cell]] = []
    notes = ["Each framework is put on 0 to 100: 0 is the worst and 100 the best that it can say."]
    for who in score_sources(project):
        scores = project_scores(project, who)
        values, reasons = _totals(scores)
        columns.append(BoardColumn(key=f"checklist: {who}", title=f"Checklist · {who}", digits=1))
        cells.append(field.column(values, reasons=reasons, zeros=_failed(scores)))
    scales = {name: _scale_of(project, name) for name in field.evidence.methods}
    for name, scale in scales.items():
        if scale is None:
            continue
        of = {deck: None if value is None else scale.apply(value) for deck, value in _values(field, name).items()}
        columns.append(BoardColumn(key=name, title=title_of(name), digits=1))
        cells.append(field.column(of, reasons=field.evidence.reasons.get(name, {})))
        notes.append(f"{title_of(name)}: {scale.words}.")
    ranked = _ranked(field)
    if ranked:
        columns.append(BoardColumn(key="people: ranks", title="People's ranks", digits=1))
        cells.append(field.column(ranked))
        notes.append("People's ranks: 100 · (k − mean rank) / (k − 1) among the k ranked decks of an instance.")
    left_out = [
        title_of(name)
        for name in field.evidence.methods
        if scales[name] is None and "." not in name and not name.endswith("/checklist")
    ]
    if left_out:
        notes.append(f"Without a fixed range, and so not on this scale: {', '.join(left_out)}.")
    if not columns:
        raise BadInput("Nothing in this project has a fixed range yet.", next_step="Run a judge or answer a checklist.")
    return Board(
        view="frameworks", title="Every framework on one scale, 0 to 100", columns=tuple(columns),
        rows=field.rows(cells), notes=(*notes, _ZERO), sample_data=bool(ranked) and field.evidence.has_sample_people,
    )  # fmt: skip


class _Scale(NamedTuple):
    """How values are put on 0 to 100."""

    words: str
    low: float = 0.0
    high: float = 1.0
    is_logistic: bool = False
    """The value is a strength, and what counts is the chance of winning against a strength of 0."""

    def apply(self, value: float) -> float:
        """Return a value on the scale."""
        if self.is_logistic:
            return 100 / (1 + math.exp(-value))
        return 100 * (value - self.low) / (self.high - self.low)


def _scale_of(project: Project, method: str) -> _Scale | None:
    """Return how a method's values are put on 0 to 100, or None if they have no fixed range."""
    name = method.partition("@")[0]
    if name == EDITS:
        return _Scale(f"100 · level / {LEVELS - 1}", high=LEVELS - 1)
    if _is_quiz(name):
        return _Scale("100 · share of right answers")
    judge, _, protocol = name.rpartition("/")
    if name in METRICS or not judge or protocol not in set(JudgingProtocol):
        return None
    match JudgingProtocol(protocol):
        case JudgingProtocol.CHECKLIST:
            return None  # shown once, as whose answers they are
        case JudgingProtocol.ARENA:
            return _Scale("chance of winning against a deck of mean strength, percent", is_logistic=True)
        case JudgingProtocol.LISTWISE:
            return _Scale("100 · share of the other decks ranked behind, mean over lists")
        case _:
            return _points_scale(project, judge, JudgingProtocol(protocol))


def _is_quiz(method: str) -> bool:
    return method.rpartition("/")[2].partition(".")[0] == QUIZ


def _points_scale(project: Project, judge: str, protocol: JudgingProtocol) -> _Scale | None:
    for stored in judging_store.verdicts_with_evidence(project, judge_id=judge):
        if stored.protocol is protocol and stored.record.scale is not None:
            low, high = stored.record.scale
            return _Scale(f"100 · (points − {low:g}) / {high - low:g}", low, high)
    return None


def _ranked(field: Field) -> dict[DeckId, float | None]:
    side = consensus(field.evidence.human)
    found: dict[DeckId, float | None] = {}
    for decks, ranks in zip(side.deck_ids, side.mean_ranks, strict=True):
        if len(decks) > 1:
            for deck, rank in zip(decks, ranks, strict=False):
                found[deck] = 100 * (len(decks) - float(rank)) / (len(decks) - 1)
    return found


# ---- shared


_ZERO = "A deck whose generation failed counts as zero, and is counted."
_RHO = (
    BoardColumn(key="rho", title="mean ρ"), BoardColumn(key="std", title="std"),
    BoardColumn(key="identical", title="identical %", digits=1),
)  # fmt: skip


def _method_row(
    key: str, title: str, rho: float | None, std: float | None, identical: float | None, n: int, reason: str, *,
    low: float | None, high: float | None,
) -> BoardRow:  # fmt: skip
    why = reason if rho is None else ""
    share = None if identical is None else 100 * identical
    return BoardRow(
        key=key, title=title,
        cells=(
            Cell(value=rho, low=low, high=high, n=n, reason=why),
            Cell(value=std, n=n, reason=why or ("" if std is not None else "one instance only")),
            Cell(value=share, n=n, reason=why),
        ),
    )  # fmt: skip


def _notes(by: str) -> tuple[str, ...]:
    means = "Means over instances; intervals and ranges of ranks: 95 % of resamples of instances."
    return (means, f"Columns: {by}.") if by else (means,)


def _parts(field: Field, method: str) -> list[str]:
    """Return the methods that are parts of another: ``judge/checklist.design``, or what the aesthetics total sums."""
    if method == LOOKS:
        return [name for name in AESTHETICS[:-1] if name in field.evidence.methods]
    return [name for name in field.evidence.methods if name.startswith(f"{method}.")]


def _method(field: Field, wanted: str) -> str:
    known = list(field.evidence.methods)
    if wanted in known or (not wanted and known):
        return wanted or known[0]
    what = f"No scores of {wanted} in this project." if wanted else "No scores in this project yet."
    raise BadInput(what, next_step=f"There are: {', '.join(known) or 'none; run the metrics first'}.")


def _values(field: Field, method: str) -> dict[DeckId, float | None]:
    by_instance = field.evidence.methods.get(method, {})
    return {deck: value for decks in by_instance.values() for deck, value in decks.items()}


def _checklists(project: Project, who: str) -> tuple[Field, Scores, str]:
    known = score_sources(project)
    if not known:
        raise BadInput("Nobody has answered a checklist yet.", next_step="Answer one, or run a judge with one.")
    # People come first where there are several; judges are never mixed.
    chosen = who or known[0]
    return Field.of(project), project_scores(project, chosen), chosen


def _totals(scores: Scores) -> tuple[Mapping[DeckId, float | None], Mapping[DeckId, str]]:
    values: dict[DeckId, float | None] = {}
    reasons: dict[DeckId, str] = {}
    for place, deck in enumerate(scores.decks):
        total = scores.total(place)
        values[deck.deck_id] = total.value
        if total.undefined_reason:
            reasons[deck.deck_id] = total.undefined_reason
    return values, reasons


def _failed(scores: Scores) -> frozenset[DeckId]:
    return frozenset(deck.deck_id for deck in scores.decks if deck.state is DeckState.FAILED)


def _is_sample(field: Field, who: str) -> bool:
    return who == PEOPLE and field.evidence.has_sample_people


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _ticks(subset: Sequence[Dimension]) -> str:
    return "+".join(each.value for each in subset)


def _subset_title(subset: Sequence[Dimension]) -> str:
    if len(subset) == len(DIMENSION_ORDER):
        return "All five"
    if len(subset) == len(DIMENSION_ORDER) - 1:
        gone = next(each for each in DIMENSION_ORDER if each not in subset)
        return f"Without {DIMENSION_TITLES[gone].lower()}"
    return " + ".join(DIMENSION_TITLES[each] for each in subset)


VIEWS: Mapping[str, View] = {
    "systems": View(title="Systems by any method", source="", build=_systems, needs="method", has_groups=True),
    "presentbench-3": View(
        title="PresentBench: totals by domain", source="PresentBench, table 3", build=_by_domain, needs="checklist",
        has_groups=True,
    ),
    "presentbench-4": View(
        title="PresentBench: by dimension", source="PresentBench, table 4", build=_by_dimension, needs="checklist"
    ),
    "presentbench-5": View(
        title="PresentBench: alignment with people", source="PresentBench, table 5",
        build=_alignment("presentbench-5", "Methods against people"),
    ),
    "presentbench-6": View(
        title="PresentBench: subsets of dimensions", source="PresentBench, table 6", build=_subsets, needs="checklist"
    ),
    "slidesgen-1": View(
        title="SlidesGen-Bench: content", source="SlidesGen-Bench, table 1", build=_content, has_groups=True
    ),
    "slidesgen-2": View(
        title="SlidesGen-Bench: alignment with people", source="SlidesGen-Bench, table 2",
        build=_alignment("slidesgen-2", "Methods against people"),
    ),
    "slidesgen-3": View(title="SlidesGen-Bench: aesthetics", source="SlidesGen-Bench, table 3", build=_aesthetics),
    "slidesgen-4": View(title="SlidesGen-Bench: editability", source="SlidesGen-Bench, table 4", build=_editability),
    "ve-matrix": View(title="Looks against editability", source="SlidesGen-Bench, V-E matrix", build=_matrix),
    **{
        each.name: View(
            title=f"REFLEX: {each.title.casefold()}", source=each.source,
            build=lambda project, _wish, each=each: each.build(PaperSource(project)),  # type: ignore[misc]
        )
        for each in PAPER_VIEWS
    },
    "frameworks": View(title="Every framework on one scale", source="PresentBench, figure 1", build=_frameworks),
}  # fmt: skip
"""By name, in the order in which they are offered."""
