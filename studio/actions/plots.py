"""The plots of the alignment as files for papers: SVG, PDF or PNG."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from studio.actions import align
from studio.actions.figures import figure
from studio.actions.method_rows import people_row, title_of
from studio.decks.vector_files import svg_to_pdf, svg_to_png
from studio.errors import BadInput
from studio.exchange.files import write_whole
from studio.exchange.svg_plots import IntervalRow, bump_svg, heat_svg, intervals_svg, scatter_svg, standalone
from studio.model.ids import DeckId
from studio.stats.rankings import consensus
from studio.stats.ranks import mid_ranks
from studio.store.project import Project

FORMATS: dict[str, Callable[[str], bytes]] = {
    "svg": lambda svg: svg.encode("utf-8"), "pdf": svg_to_pdf, "png": svg_to_png,
}  # fmt: skip
"""What makes a file of a plot, by its ending."""


def write_plots(
    project: Project, out: Path, *, formats: Sequence[str] = ("svg",), metrics: Sequence[str] = ()
) -> list[Path]:
    """Write the interval plot, the heat map, the bump chart and a scatter plot of each method; return the files.

    Raises:
        BadInput: for a format or method that is not known, if there is nothing to plot, or if it cannot be written.
    """
    _check_formats(formats)
    return write_plots_of(align.methods_table(project, metrics=metrics), out, formats=formats)


def write_plots_of(table: align.AlignmentTable, out: Path, *, formats: Sequence[str] = ("svg",)) -> list[Path]:
    """Write the plots of a table that was computed before, whatever it leaves out; see `write_plots`."""
    _check_formats(formats)
    drawn = plots(table)
    if not drawn:
        raise BadInput("There is nothing to plot: no method has scores beside rankings.", next_step="Run the metrics.")
    written = []
    for name, svg in drawn.items():
        for format in formats:
            path = out / f"{name}.{format}"
            write_whole(path, FORMATS[format](svg))
            written.append(path)
    return written


def _check_formats(formats: Sequence[str]) -> None:
    unknown = [name for name in formats if name not in FORMATS]
    if unknown:
        raise BadInput(f"No plot is written as {unknown[0]}.", next_step=f"Known: {', '.join(FORMATS)}.")


def plots(table: align.AlignmentTable) -> dict[str, str]:
    """Return the plots of a methods table as whole SVG files, by file name."""
    evidence, methods = table.evidence, table.methods
    if not any(each.n_defined for each in methods.values()):
        return {}
    rows = [
        IntervalRow(
            name=title_of(name), mean=each.mean_rho, low=each.ci_low, high=each.ci_high,
            note=f"{figure(each.mean_rho)}  ({each.n_defined}/{each.n_total})",
        )
        for name, each in methods.items()
    ]  # fmt: skip
    label = f"ρ with people, {table.level.value}; bar: 95 % interval"
    if table.ceilings.leave_one_out is not None:
        label += "; upright line: people, leave one out"
    drawn = {"intervals": intervals_svg(rows, ceiling=table.ceilings.leave_one_out, x_label=label)}
    instances = [item.instance_id for item in next(iter(methods.values())).instances]
    people = {cell.instance_id: cell.rho for cell in people_row(table).cells}
    titles = [evidence.instances[each].title or evidence.instances[each].name for each in instances]
    of_method = [[item.rho for item in method.instances] for method in methods.values()]
    drawn["heat-map"] = heat_svg(
        [*(title_of(name) for name in methods), "people"],
        [
            (title, [*(values[place] for values in of_method), people.get(instances[place])])
            for place, title in enumerate(titles)
        ],
    )
    systems = sorted({deck.system for deck in evidence.decks.values()})
    drawn["bump"] = bump_svg(["people", *(title_of(name) for name in methods)], _mean_ranks(evidence), systems)
    for name in methods:
        points = [
            (point.mean_human_rank, point.score, point.system, f"{point.system}: {figure(point.score)}")
            for point in align.points(evidence, name)
        ]
        if len(points) > 1:
            drawn[f"scatter-{_file_name(name)}"] = scatter_svg(
                points, systems, x_label="mean human rank (1 is best)", y_label=title_of(name)
            )
    return {name: standalone(str(svg)) for name, svg in drawn.items()}


def _mean_ranks(evidence: align.Evidence) -> dict[str, list[float | None]]:
    """Return each system's mean rank over instances: by people first, then by each method among the same decks."""
    side = consensus(evidence.human)
    ranks: dict[str, list[list[float]]] = {}
    columns = 1 + len(evidence.methods)
    for instance, decks, placed in zip(side.instance_ids, side.deck_ids, side.mean_ranks, strict=True):
        shared = [deck for deck in decks if deck in evidence.decks]
        by_people = {deck: float(rank) for deck, rank in zip(decks, placed, strict=False)}
        _add(ranks, evidence, shared, mid_ranks([by_people[deck] for deck in shared]), 0, columns)
        for place, scores in enumerate(evidence.methods.values(), start=1):
            given = {deck: value for deck, value in scores.get(instance, {}).items() if value is not None}
            known = [deck for deck in shared if deck in given]
            if len(known) > 1:
                _add(ranks, evidence, known, mid_ranks([-given[deck] for deck in known]), place, columns)
    return {
        system: [sum(values) / len(values) if values else None for values in by_column]
        for system, by_column in sorted(ranks.items())
    }


def _add(
    ranks: dict[str, list[list[float]]], evidence: align.Evidence, decks: Sequence[DeckId], placed: Iterable[float],
    column: int, columns: int,
) -> None:  # fmt: skip
    for deck, rank in zip(decks, placed, strict=True):
        ranks.setdefault(evidence.decks[deck].system, [[] for _ in range(columns)])[column].append(float(rank))


def _file_name(name: str) -> str:
    return re.sub(r"[^\w.@-]+", "-", name).strip("-.") or "method"
