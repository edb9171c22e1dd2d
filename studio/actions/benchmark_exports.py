"""The tables and figures of a benchmark as files: the papers' Tables 2 and 7, Figures 2, 4 and 5, and the instances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from studio.actions import benchmark_facts as facts_of
from studio.actions.benchmark_facts import InstanceFacts
from studio.errors import BadInput
from studio.exchange.benchmark_figures import PRINT, Bar, Histogram, Palette, bars_svg, histograms_svg, png_of
from studio.exchange.files import csv_text, write_whole
from studio.exchange.workbook import workbook_bytes
from studio.model.checklists import Dimension

__all__ = ["Palette"]

TABLES = {
    "2": "Table 2: by domain", "7": "Table 7: by data source", "language": "By language",
    "difficulty": "By difficulty", "instances": "Instances",
}  # fmt: skip
FIGURES = {
    "2": "Instances by domain and data source", "4": "Sizes of instances", "5": "Checklist items of instances"
}  # fmt: skip
FIGURE_COLUMNS = {
    "2": ("group", "domain", "name", "instances", "share"),
    "4": ("quantity", "from", "to", "instances", "missing"),
    "5": ("quantity", "from", "to", "instances", "missing"),
}
TITLES = {
    "tokens": "Input tokens (estimate)", "pages": "Pages of PDF sources", "images": "Pictures among the sources",
    "items": "Items, page items left out",
}  # fmt: skip


def table_rows(found: Sequence[InstanceFacts], which: str) -> list[dict[str, Any]]:
    """Return the rows of one of `TABLES`.

    Raises:
        BadInput: if there is no such table.
    """
    match which:
        case "2":
            return facts_of.table_2(found)
        case "7":
            return facts_of.table_7(found)
        case "language" | "difficulty":
            return facts_of.table_by(found, which)
        case "instances":
            return [_instance_row(each) for each in found]
    raise BadInput(f"There is no table {which}.", next_step=f"Known: {', '.join(TABLES)}.")


def _instance_row(each: InstanceFacts) -> dict[str, Any]:
    return {
        "instance": each.name, "domain": each.domain, "source": each.source, "language": each.language,
        "difficulty": each.difficulty, "licence": each.licence, "address": each.address,
        "accepted": each.is_accepted, "why": each.why, "sources": each.sources, "pages": each.pages,
        "images": each.images, "tokens": each.tokens,
        **{
            dimension.value: count for dimension, count in each.items.items() if dimension is not Dimension.FIDELITY
        },
        "items": sum(each.items.values()),
    }  # fmt: skip


def figure_rows(found: Sequence[InstanceFacts], which: str) -> list[dict[str, Any]]:
    """Return the numbers behind one of `FIGURES`, a row for each bar.

    Raises:
        BadInput: if there is no such figure.
    """
    if which == "2":
        rows = []
        for domain in sorted({each.domain for each in found}):
            group = [each for each in found if each.domain == domain]
            rows.append(_share("domain", domain, domain, group, found))
            for source in sorted({each.source for each in group}):
                rows.append(_share("source", domain, source, [one for one in group if one.source == source], found))
        return rows
    return [
        {
            "quantity": name, "from": content["edges"][place], "to": content["edges"][place + 1], "instances": count,
            "missing": content["missing"],
        }
        for name, content in _histograms(found, which).items()
        for place, count in enumerate(content["counts"])
    ]  # fmt: skip


def figure_svg(found: Sequence[InstanceFacts], which: str, palette: Palette = PRINT) -> str:
    """Return one of `FIGURES` as SVG.

    Raises:
        BadInput: if there is no such figure.
    """
    if which == "2":
        bars = [
            Bar(
                label=row["name"] or "not said", value=row["instances"], is_group=row["group"] == "domain",
                text=f"{row['instances']} · {row['share']:.1%}",
            )
            for row in figure_rows(found, which)
        ]  # fmt: skip
        return bars_svg(FIGURES[which], bars, palette)
    histograms = [
        Histogram(
            title=TITLES.get(name, f"Items of {name}"), edges=tuple(content["edges"]),
            counts=tuple(content["counts"]), missing=content["missing"],
        )
        for name, content in _histograms(found, which).items()
    ]  # fmt: skip
    return histograms_svg(FIGURES[which], histograms, palette)


def write_table(found: Sequence[InstanceFacts], which: str, path: Path) -> None:
    """Write one of `TABLES` as CSV, or as a workbook where the name ends in ``.xlsx``."""
    rows = table_rows(found, which)
    columns = tuple(rows[0]) if rows else ()
    if path.suffix.lower() == ".xlsx":
        write_whole(path, workbook_bytes(columns, rows, title=f"table {which}"))
    else:
        write_whole(path, csv_text(columns, rows))


def write_figure(found: Sequence[InstanceFacts], which: str, path: Path) -> None:
    """Write one of `FIGURES` as SVG, PNG or CSV, as the file's name ends.

    Raises:
        BadInput: for another ending, or if it cannot be written.
    """
    match path.suffix.lower():
        case ".svg":
            write_whole(path, figure_svg(found, which))
        case ".png":
            write_whole(path, png_of(figure_svg(found, which)))
        case ".csv":
            write_whole(path, csv_text(FIGURE_COLUMNS[which], figure_rows(found, which)))
        case _:
            raise BadInput(f"{path.name} is no name of a figure.", next_step="End it in .svg, .png or .csv.")


def write_all(found: Sequence[InstanceFacts], folder: Path) -> list[Path]:
    """Write every table as CSV and every figure as CSV, SVG and PNG into a folder, and return the files."""
    files = []
    for which in TABLES:
        files.append(folder / (f"{which}.csv" if which == "instances" else f"table-{which}.csv"))
        write_table(found, which, files[-1])
    for which in FIGURES:
        for ending in ("csv", "svg", "png"):
            files.append(folder / f"figure-{which}.{ending}")
            write_figure(found, which, files[-1])
    return files


def _share(
    group: str, domain: str, name: str, inside: Sequence[InstanceFacts], found: Sequence[InstanceFacts]
) -> dict[str, Any]:
    return {
        "group": group, "domain": domain, "name": name, "instances": len(inside), "share": len(inside) / len(found)
    }  # fmt: skip


def _histograms(found: Sequence[InstanceFacts], which: str) -> Mapping[str, Any]:
    if which not in FIGURES:
        raise BadInput(f"There is no figure {which}.", next_step=f"Known: {', '.join(FIGURES)}.")
    content: Mapping[str, Any] = facts_of.figures(found)[f"figure_{which}"]
    return content
