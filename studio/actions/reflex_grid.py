"""Searching the settings of the content scorers, with a table that a stopped search goes on from (decision 40)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from studio.errors import BadInput, Cancelled
from studio.model.protocols import CancelToken
from studio.model.reflex import ContentMetric, DeckObject
from studio.reflex.encoder import StaticEncoder
from studio.reflex.encoders import DEFAULT, ENCODERS, encoder_named, keep_vectors, kind_of
from studio.reflex.grid import GRID, GridRow, best, combinations, digest, row_json, search
from studio.reflex.training import Settings

Tell = Callable[[str], None]


def search_grid(
    fit_on: Sequence[DeckObject],
    score_on: Sequence[DeckObject],
    table: Path,
    *,
    metrics: Sequence[ContentMetric] = tuple(ContentMetric),
    grid: Mapping[str, Sequence[float]] = GRID,
    base: Settings | None = None,
    seed: int = 1,
    encoder: str = DEFAULT,
    cancel: CancelToken | None = None,
    tell: Tell = lambda _: None,
) -> list[GridRow]:
    """Fit and score every combination that the table does not hold yet, and return all rows of these decks.

    Args:
        fit_on: decks to learn from.
        score_on: decks to compare on.
        table: one JSON line a row; appended to, never rewritten.
        metrics: which scorers; those that the decks do not allow are told of and left out.
        grid: values of each searched setting.
        base: the other settings.
        seed: of the compared ladders.
        encoder: name of the encoder; rows of another one are left alone.
        cancel: stops between combinations; rows that are there stay.
        tell: told what goes on.

    Raises:
        BadInput: if the table is damaged, a setting cannot be searched, or a deck is in both parts.
        ToolMissing: if the encoder is not installed.
        Cancelled: if it was stopped.
    """
    both = {deck.id for deck in fit_on} & {deck.id for deck in score_on}
    if both:
        raise BadInput(
            f"{len(both)} decks are in both parts, {min(both)} among them.", next_step="Search on a part of its own."
        )
    wanted = combinations(grid, base or Settings())
    vectors = encoder_named(encoder)
    keep_vectors(vectors)
    data = digest(fit_on, score_on, seed, vectors.id)
    rows = [row for row in read_grid(table) if row.data == data] if table.exists() else []
    table.parent.mkdir(parents=True, exist_ok=True)
    for metric in metrics:
        known = [row.settings for row in rows if row.metric is metric]
        tell(f"{metric.value}: {len(wanted) - sum(each in known for each in wanted)} of {len(wanted)} to do")
        try:
            for row in search(fit_on, score_on, metric, vectors, wanted, known=known, seed=seed, cancel=cancel):
                with table.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row_json(row), ensure_ascii=False) + "\n")
                rows.append(row)
        except BadInput as error:
            tell(f"{metric.value} left out: {error}")
        if cancel is not None and cancel.is_set():
            raise Cancelled("The search was stopped; its table is kept.")
    return rows


def read_grid(table: Path) -> list[GridRow]:
    """Return the rows of a table; a last line that was cut off is left out.

    Raises:
        BadInput: if another line is damaged, or there is no table.
    """
    try:
        lines = table.read_text("utf-8").splitlines(keepends=True)
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{table.name} cannot be read: {error}.", next_step="Make it with reflex grid.") from error
    rows = []
    for number, line in enumerate(lines, start=1):
        try:
            rows.append(_row(json.loads(line)))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            if number == len(lines) and not line.endswith("\n"):
                # The search was killed while it wrote: this combination is done again.
                table.write_text("".join(lines[:-1]), "utf-8")
                break
            raise BadInput(
                f"{table.name}, line {number} is no row of a grid: {error}.", next_step="Choose another table."
            ) from error
    return rows


def best_settings(rows: Sequence[GridRow], encoder: str = DEFAULT) -> dict[ContentMetric, Settings]:
    """Return the best settings of each metric that the rows hold.

    Raises:
        BadInput: if rows of several searches are there, none has a value, or they were searched with another encoder
            than the one of this name.
    """
    other = next((row.encoder for row in rows if row.encoder != ENCODERS[encoder].id), None)
    if other is not None:
        name = kind_of(other, "The table").name
        raise BadInput(
            f"The table was searched with the encoder {name}, not {encoder}.", next_step=f"Add --encoder {name}."
        )
    if len({row.data for row in rows}) > 1:
        raise BadInput("The table holds searches on different decks.", next_step="Keep one table for each data set.")
    found = {metric: row.settings for metric in ContentMetric if (row := best(rows, metric)) is not None}
    if not found:
        raise BadInput("The table holds no result.", next_step="Let studio reflex grid finish one combination.")
    return found


def _row(value: dict[str, Any]) -> GridRow:
    return GridRow(
        metric=ContentMetric(value["metric"]), settings=Settings(**value["settings"]), data=str(value["data"]),
        by_variant={str(name): None if rho is None else float(rho) for name, rho in value["by_variant"].items()},
        n_decks=int(value["n_decks"]), encoder=str(value.get("encoder", StaticEncoder.id)),
    )  # fmt: skip
