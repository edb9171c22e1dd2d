"""The paper's tables and figures about content scores, from a model's card and from what people rated (REFLEX, 4–5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studio.errors import BadInput
from studio.exchange.files import csv_text
from studio.exchange.sensitivity_svg import PAPER, Colours, Curve, Facet, sensitivity_svg
from studio.model.reflex import ContentMetric
from studio.reflex.model_file import load
from studio.reflex.shipped import model_file
from studio.whole_files import write_whole

Cell = str | float | int | None
_MEASURES = ("spearman", "kendall", "within_deck", "heuristic", "length_only")


@dataclass(frozen=True, kw_only=True)
class CardTable:
    """One table to look at and to write."""

    name: str
    """Of its file."""
    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    """None where a value is undefined."""


@dataclass(frozen=True, kw_only=True)
class CardTables:
    """All tables of a model, and its card."""

    card: Mapping[str, Any]
    tables: tuple[CardTable, ...]


def card_tables(model: Path | None = None) -> CardTables:
    """Return the tables of a model's card; those that it has no figures for are left out.

    Raises:
        BadInput: if the file is no model.
    """
    _, card = load(model_file(model))
    seeds = list(card.get("tables", []))
    found = [_data(card), _scores(seeds), _degrees(seeds, "kendall_by_degree"), _degrees(seeds, "mean_by_degree"),
             _explanations(seeds), _defects(card), _grid(card)]  # fmt: skip
    return CardTables(card=card, tables=tuple(table for table in found if table.rows))


def write_tables(tables: CardTables, folder: Path) -> list[Path]:
    """Write every table as CSV and the figures as SVG, each whole, and return the files.

    Raises:
        BadInput: if the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{folder} cannot be made: {error}.", next_step="Choose another folder.") from error
    files = []
    for table in tables.tables:
        path = folder / f"{table.name}.csv"
        write_whole(path, csv_text(table.columns, [dict(zip(table.columns, row, strict=True)) for row in table.rows]))
        files.append(path)
    for name, svg in figures(tables).items():
        path = folder / f"{name}.svg"
        write_whole(path, svg)
        files.append(path)
    return files


def figures(tables: CardTables, colours: Colours = PAPER) -> dict[str, str]:
    """Return the figures as SVG: Kendall's tau by degree, and the mean score by degree."""
    made = {}
    for name, words, low in (
        ("sensitivity", "Kendall's tau of the decks as they were and those of one degree", -0.2),
        ("mean-score", "Mean score by degree; 0 is the deck as it was", 0.0),
    ):
        table = next((each for each in tables.tables if each.name == name), None)
        if table is not None:
            made[name] = sensitivity_svg(_facets(table), words=words, colours=colours, low=low, start=None)
    return made


def _facets(table: CardTable) -> list[Facet]:
    degrees = [int(column.rpartition(" ")[2]) for column in table.columns[2:]]
    facets = []
    for metric in ContentMetric:
        curves = tuple(
            Curve(title=str(row[1]), points=tuple(
                (degree, float(value) if isinstance(value, (int, float)) else None)
                for degree, value in zip(degrees, row[2:], strict=True)
            ))
            for row in table.rows
            if row[0] == metric.value
        )  # fmt: skip
        if curves:
            facets.append(Facet(title=metric.value, curves=curves))
    return facets


def _data(card: Mapping[str, Any]) -> CardTable:
    rows: list[tuple[Cell, ...]] = [
        ("decks learned from", card.get("n_decks")), ("from", card.get("data")), ("licence", card.get("licence")),
        ("decks checked on", card.get("checked_on", {}).get("n_decks")), ("language", card.get("language")),
        ("encoder", card.get("encoder")), ("seed", card.get("settings", {}).get("seed")),
        ("ladders of each deck", card.get("settings", {}).get("rounds")), ("remark", card.get("remark")),
        ("note", card.get("note")),
    ]  # fmt: skip
    return CardTable(
        name="data", title="Data", note="What the model learned from and was checked on.", columns=("what", "value"),
        rows=tuple(row for row in rows if row[1] not in (None, "")),
    )  # fmt: skip


def _scores(seeds: Sequence[Mapping[str, Any]]) -> CardTable:
    rows = []
    for (metric, variant), own in _groups(seeds).items():
        lows = [each["ci_low"] for each in own if each["ci_low"] is not None]
        highs = [each["ci_high"] for each in own if each["ci_high"] is not None]
        rows.append(
            (
                metric, variant, own[0]["n_decks"], len(own), *(_mean(own, name) for name in _MEASURES),
                min(lows, default=None), max(highs, default=None),
            )
        )  # fmt: skip
    return CardTable(
        name="correlation", title="Scores",
        note="Spearman and Kendall with 5 − degree over all rungs, and within decks, mean of the seeds; the paper's "
        "heuristic and the length alone beside them. The interval runs from the lowest to the highest end of the "
        "seeds' 95 % intervals over decks.",
        columns=("metric", "ladder", "decks", "seeds", *_MEASURES, "ci_low", "ci_high"), rows=tuple(rows),
    )  # fmt: skip


def _degrees(seeds: Sequence[Mapping[str, Any]], key: str) -> CardTable:
    is_tau = key == "kendall_by_degree"
    degrees = range(1, 5) if is_tau else range(5)
    rows = []
    for (metric, variant), own in _groups(seeds).items():
        by_degree = [{int(degree): value for degree, value in each[key].items()} for each in own]
        rows.append((metric, variant, *(_mean(by_degree, degree) for degree in degrees)))
    return CardTable(
        name="sensitivity" if is_tau else "mean-score",
        title="Sensitivity" if is_tau else "Mean score",
        note="Kendall's tau-b of the decks as they were and those of one degree; ties in the labels keep it below 1."
        if is_tau else "Mean score of all decks of one degree; a scorer that sees the defect falls from left to right.",
        columns=("metric", "ladder", *(f"degree {degree}" for degree in degrees)), rows=tuple(rows),
    )  # fmt: skip


def _explanations(seeds: Sequence[Mapping[str, Any]]) -> CardTable:
    items = ("precision", "recall", "f1", "f1_all")
    names = ("rouge1", "rouge2", "rouge3", "rougeL", "rouge1_all", "rouge2_all", "rouge3_all", "rougeL_all")
    rows = tuple(
        (metric, variant, *(_mean([each["items"] for each in own], name) for name in items),
         *(_mean([each["rouge"] for each in own], name) for name in names))
        for (metric, variant), own in _groups(seeds).items()
    )  # fmt: skip
    return CardTable(
        name="explanations", title="Explanations",
        note="Precision, recall and F1 of the things named, and ROUGE F1 against the gold explanation; columns that "
        "end in _all are what naming everything would score. The shared wording lifts ROUGE: look at F1.",
        columns=("metric", "ladder", *items, *names), rows=rows,
    )  # fmt: skip


def _defects(card: Mapping[str, Any]) -> CardTable:
    matrix: Mapping[str, Mapping[str, float | None]] = card.get("cross_defects", {})
    names = tuple(matrix)
    return CardTable(
        name="defects", title="Defects",
        note="Spearman of each scorer (column) on decks with one defect alone (row). Only the diagonal is wanted.",
        columns=("defect", *names), rows=tuple((defect, *(row.get(name) for name in names)) for defect, row in
                                               matrix.items()),
    )  # fmt: skip


def _grid(card: Mapping[str, Any]) -> CardTable:
    rows = list(card.get("grid", []))
    searched = [name for name in (rows[0]["settings"] if rows else {})
                if len({row["settings"][name] for row in rows}) > 1]  # fmt: skip
    return CardTable(
        name="grid", title="Searched settings", note="Mean Spearman on the evaluation part; the best row was taken.",
        columns=("metric", *searched, "mean"),
        rows=tuple((row["metric"], *(row["settings"][name] for name in searched), row["mean"]) for row in rows),
    )  # fmt: skip


def _groups(seeds: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], list[Mapping[str, Any]]]:
    found: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for each in seeds:
        found.setdefault((each["metric"], each["variant"].replace("_", " ")), []).append(each)
    return found


def _mean(rows: Sequence[Mapping[Any, Any]], name: object) -> float | None:
    values = [row[name] for row in rows if row.get(name) is not None]
    return sum(values) / len(values) if values else None
