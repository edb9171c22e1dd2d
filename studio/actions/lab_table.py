"""Who notices what: the table of a sensitivity lab, read from the scores that are stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from studio.actions.figures import counted
from studio.actions.lab import FREE_EVALUATORS, Lab, LabDeck, LabRung, lab_of, make_lab, run_lab
from studio.actions.lab_values import lab_values
from studio.actions.method_rows import title_of
from studio.decks.render import RenderTools
from studio.errors import Cancelled
from studio.exchange.files import csv_text
from studio.exchange.sensitivity_svg import PAPER, Colours, Curve, Facet, sensitivity_svg
from studio.metrics.registry import METRICS
from studio.model.ids import DeckId
from studio.model.protocols import CancelToken, Emit
from studio.model.reflex import ContentMetric
from studio.stats.noticing import Noticing, Rung, corrected, noticing
from studio.store.project import Project

_COLUMNS = (
    "evaluator", "defect", "degree", "n_ladders", "n", "lower", "higher", "same", "signed_share", "mean_change",
    "sign_p", "tau", "tau_low", "tau_high", "n_tau", "n_constant", "p", "p_holm", "from_degree", "is_noticed",
    "undefined_reason",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class LabRow:
    """One evaluator and what it notices of each kind of defect."""

    evaluator: str
    title: str
    is_baseline: bool
    """A heuristic or the length alone, computed from the words of the lab's files."""
    by_defect: Mapping[ContentMetric, Noticing]


@dataclass(frozen=True, kw_only=True)
class LabTable:
    """The table of a lab."""

    lab: Lab
    defects: tuple[ContentMetric, ...]
    rows: tuple[LabRow, ...]
    """Evaluators that have a score in the lab, then the baselines."""
    n_decks: int
    n_ladders: int
    """Of the defect that has most: decks times repeats."""


def lab_table(project: Project) -> LabTable:
    """Return who notices what in a lab, for every evaluator that has scores there.

    Raises:
        BadInput: if the project is no lab.
    """
    found = lab_values(project)
    lab, decks, values = found.lab, found.rungs, found.scores
    defects = tuple(each for each in ContentMetric if any(rung.defect is each for rung in lab.rungs))
    ordered = [*(name for name in METRICS if name in values), *sorted(set(values) - set(METRICS))]
    rows = [_row(name, title_of(name), False, values[name], decks, defects, lab.seed) for name in ordered]
    n_of = [len({(rung.name, rung.repeat) for rung in lab.rungs if rung.defect is each}) for each in defects]
    rows += [_row(each.name, each.title, True, each.values, decks, defects, lab.seed) for each in found.baselines]
    return LabTable(
        lab=lab, defects=defects, rows=_corrected([row for row in rows if row.by_defect]),
        n_decks=len({rung.name for rung in lab.rungs}),
        n_ladders=max(n_of, default=0),
    )  # fmt: skip


def stored_table(project: Project, folder: Path) -> LabTable | None:
    """Return the table of a lab that was made before: the project itself, or the one in a folder; None without one."""
    if lab_of(project) is not None:
        return lab_table(project)
    if not (folder / "project.db").is_file():
        return None
    with Project.open(folder, only_read=True) as lab:
        return lab_table(lab) if lab_of(lab) is not None else None


def worked_lab(
    folder: Path,
    decks: Sequence[LabDeck],
    *,
    seed: int = 0,
    repeats: int = 1,
    evaluators: Sequence[str] = FREE_EVALUATORS,
    tools: RenderTools,
    emit: Emit,
    cancel: CancelToken,
) -> LabTable:
    """Make a lab, run metrics over it, and return its table; what was made or scored before is kept as it is.

    Raises:
        BadInput: see `make_lab` and `run_lab`.
        Cancelled: if it was stopped.
    """
    make_lab(folder, decks, seed=seed, repeats=repeats, emit=emit, cancel=cancel)
    with Project.open(folder, must_write=True) as project:
        run_lab(project, evaluators, tools=tools, emit=emit, cancel=cancel)
        if cancel.is_set():
            raise Cancelled("The lab was stopped; what was made and scored is kept.")
        return lab_table(project)


def _row(
    name: str, title: str, is_baseline: bool, values: Mapping[DeckId, float | None], decks: Mapping[DeckId, LabRung],
    defects: Sequence[ContentMetric], seed: int,
) -> LabRow:  # fmt: skip
    by_defect = {}
    for defect in defects:
        ladders = {(rung.name, rung.repeat) for rung in decks.values() if rung.defect is defect}
        rungs = [
            Rung(origin=f"{name}/{repeat}", degree=rung.degree, value=values[deck_id])
            for name, repeat in sorted(ladders)
            for deck_id, rung in decks.items()
            if rung.name == name and deck_id in values
            and (rung.defect is None or (rung.defect is defect and rung.repeat == repeat))
        ]  # fmt: skip
        if rungs:
            by_defect[defect] = noticing(rungs, seed=seed)
    return LabRow(evaluator=name, title=title, is_baseline=is_baseline, by_defect=by_defect)


def _corrected(rows: Sequence[LabRow]) -> tuple[LabRow, ...]:
    """Return the rows with the p-values of all their cells corrected together: one chance cell is no noticing."""
    cells = iter(corrected([found for row in rows for found in row.by_defect.values()]))
    return tuple(replace(row, by_defect={defect: next(cells) for defect in row.by_defect}) for row in rows)


@dataclass(frozen=True, kw_only=True)
class Confusion:
    """Which defects a content scorer takes for its own."""

    metric: ContentMetric
    own: Noticing | None
    """Of the defect that it is meant for; None without ladders of it."""
    others: Mapping[ContentMetric, Noticing]


def confusions(table: LabTable) -> tuple[Confusion, ...]:
    """Return what each of REFLEX's scorers that ran in a lab does on decks with another defect than its own."""
    by_name = {row.evaluator: row.by_defect for row in table.rows}
    return tuple(
        Confusion(
            metric=metric, own=found.get(metric),
            others={defect: each for defect, each in found.items() if defect is not metric},
        )
        for metric in ContentMetric
        if (found := by_name.get(f"reflex.{metric.value}")) is not None
    )  # fmt: skip


def in_words(table: LabTable) -> str:
    """Return how many decks and ladders a table rests on."""
    return f"{counted(table.n_decks, 'deck')}, {counted(table.n_ladders, 'ladder')}, seed {table.lab.seed}"


def lab_rows(table: LabTable) -> list[dict[str, Any]]:
    """Return one row for each evaluator, defect and degree, as the command line and the CSV give them."""
    rows = []
    for row in table.rows:
        for defect, found in row.by_defect.items():
            for each in found.degrees:
                rows.append(
                    {
                        "evaluator": row.evaluator, "defect": defect.value, "degree": each.degree,
                        "n_ladders": found.n_ladders, "n": each.n, "lower": each.lower, "higher": each.higher,
                        "same": each.same, "signed_share": each.signed_share, "mean_change": each.mean_change,
                        "sign_p": each.p, "tau": found.tau, "tau_low": found.low, "tau_high": found.high,
                        "n_tau": found.n_tau, "n_constant": found.n_constant, "from_degree": found.from_degree,
                        "is_noticed": found.is_noticed, "p": found.p, "p_holm": found.p_holm,
                        "undefined_reason": found.undefined_reason,
                    }
                )  # fmt: skip
    return rows


def lab_csv(table: LabTable) -> str:
    """Return the table as CSV."""
    return csv_text(_COLUMNS, lab_rows(table))


def lab_svg(table: LabTable, colours: Colours = PAPER) -> str:
    """Return the plot as SVG: for each kind of defect, how many ladders fall less how many rise, by degree."""
    return sensitivity_svg(
        [
            Facet(
                title=defect.value,
                curves=tuple(
                    Curve(
                        title=row.title, is_baseline=row.is_baseline,
                        points=tuple((each.degree, each.signed_share) for each in row.by_defect[defect].degrees),
                    )
                    for row in table.rows
                    if defect in row.by_defect
                ),
            )
            for defect in table.defects
        ],
        words=f"Share of ladders that fall minus share that rise. {in_words(table)}",
        colours=colours,
    )  # fmt: skip
