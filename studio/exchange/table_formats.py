"""Rows as Markdown and LaTeX for papers, and as Parquet for data sets."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from studio.exchange.files import Row

UNDEFINED = "–"

_WHOLE = frozenset({
    "rank", "n_ranked", "n_candidates", "display_position", "revision", "item_version", "slide", "slides",
    "scale_low", "scale_high", "tries", "order_index", "repeat", "input_tokens", "output_tokens", "n", "n_for",
    "n_against", "n_undecided", "n_defined", "n_total", "n_pairs", "n_annotators", "undefined_constant",
    "undefined_too_few", "undefined_one_rater",
})  # fmt: skip
_REAL = frozenset({
    "duration_s", "active_s", "seen_s", "source_opened_s", "value", "score", "cost", "latency_s", "ci_low",
    "ci_high", "mean_rho", "std_rho", "identical", "difference", "p", "p_holm", "rho", "confidence", "strength",
})  # fmt: skip
_TRUTH = frozenset({"is_tied", "correct", "passed", "cached", "sample_data"})
_LIST = frozenset({"evidence", "quotes", "flags", "cited_slides"})

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "[": "{[}", "]": "{]}", "*": "{*}",
    "ρ": r"$\rho$", "τ": r"$\tau$", "α": r"$\alpha$", "κ": r"$\kappa$", "−": "$-$", "–": "--",
    "—": "---", "×": r"$\times$", "±": r"$\pm$", "≤": r"$\leq$", "≥": r"$\geq$", "≫": r"$\gg$", "…": r"\ldots{}",
    "·": r"$\cdot$", "→": r"$\rightarrow$", "“": "``", "”": "''", "’": "'", "‘": "`", "\u00a0": "~",
}  # fmt: skip

_MARKDOWN = re.compile(r"[\\`*_\[\]<>|&]")

_ONE_PAGE = 40
"""Rows of a table that still fits on a page."""


def markdown_text(
    columns: Sequence[str],
    rows: Iterable[Row],
    *,
    heads: Sequence[str] | None = None,
    right: Iterable[str] | None = None,
) -> str:
    """Return rows as a Markdown table; numbers with three decimals, undefined as a dash.

    Args:
        columns: keys of the rows.
        rows: one mapping a row.
        heads: what stands above the columns, where it is not their keys; two heads may be alike.
        right: columns that stand to the right; None: those that hold numbers only.
    """
    found = list(rows)
    right = _numeric(columns, found) if right is None else set(right)
    lines = [
        _line(columns if heads is None else map(_markdown_cell, heads)),
        _line("---:" if name in right else "---" for name in columns),
        *(_line(_markdown_cell(row.get(name)) for name in columns) for row in found),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def latex_text(
    columns: Sequence[str],
    rows: Iterable[Row],
    *,
    heads: Sequence[str] | None = None,
    right: Iterable[str] | None = None,
    remarks: Iterable[str] = (),
) -> str:
    r"""Return rows as a LaTeX table for ``booktabs``: one that breaks over pages (``longtable``) if it is long.

    It is a fragment to be read with ``\input``. Chinese or Japanese text needs XeLaTeX or LuaLaTeX and a font.

    Args:
        columns: keys of the rows.
        rows: one mapping a row.
        heads: what stands above the columns, where it is not their keys; two heads may be alike.
        right: columns that stand to the right; None: those that hold numbers only.
        remarks: lines that stand as comments above the table.
    """
    found = list(rows)
    right = _numeric(columns, found) if right is None else set(right)
    is_long = len(found) > _ONE_PAGE
    name = "longtable" if is_long else "tabular"
    head = " & ".join(latex_escaped(name) for name in (columns if heads is None else heads)) + r" \\"
    body = [" & ".join(latex_escaped(_text(row.get(column))) for column in columns) + r" \\" for row in found]
    lines = [
        *(f"% {' '.join(remark.split())}" for remark in remarks),
        rf"% needs \usepackage{{booktabs}}{' and {longtable}' if is_long else ''}",
        rf"\begin{{{name}}}{{{''.join('r' if column in right else 'l' for column in columns)}}}",
        r"\toprule", head, r"\midrule", *([r"\endhead"] if is_long else []), *body, r"\bottomrule",
        rf"\end{{{name}}}",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def latex_escaped(text: str) -> str:
    """Return text that LaTeX prints as it stands."""
    return "".join(_LATEX.get(letter, letter) for letter in " ".join(text.split()))


def markdown_escaped(text: str) -> str:
    """Return text that Markdown shows as it stands, on one line: no mark-up, HTML or entity of its own."""
    return _MARKDOWN.sub(r"\\\g<0>", " ".join(text.split()))


def parquet_bytes(columns: Sequence[str], rows: Iterable[Row]) -> bytes:
    """Return rows as a Parquet file; undefined is null, lists and objects are JSON texts.

    Raises:
        ValueError: if a value does not fit its column's type.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    found = list(rows)
    types = {True: pa.bool_(), "whole": pa.int64(), "real": pa.float64(), "text": pa.string()}
    arrays, fields = [], []
    for name in columns:
        kind = types[_kind(name)]
        arrays.append(pa.array([_parquet_value(name, row.get(name)) for row in found], type=kind))
        fields.append(pa.field(name, kind))
    out = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(arrays, schema=pa.schema(fields)), out, compression="zstd")
    return out.getvalue()


def _kind(name: str) -> Any:
    if name in _TRUTH:
        return True
    return "whole" if name in _WHOLE else "real" if name in _REAL else "text"


def _parquet_value(name: str, value: object) -> object:
    if value is None:
        return None
    match _kind(name):
        case True:
            return bool(value)
        case "whole":
            number = float(str(value))
            if number != int(number):
                raise ValueError(f"{name} holds {value}, which is no whole number")
            return int(number)
        case "real":
            return float(str(value))
        case _:
            is_plain = isinstance(value, str) and name not in _LIST
            return value if is_plain else _json(value)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _numeric(columns: Sequence[str], rows: Sequence[Row]) -> set[str]:
    """Return the columns that hold numbers only."""
    return {
        name
        for name in columns
        if any(row.get(name) is not None for row in rows)
        and all(isinstance(row.get(name), int | float | None) and not isinstance(row.get(name), bool) for row in rows)
    }


def _text(value: object) -> str:
    if value is None:
        return UNDEFINED
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}".replace("-", "−")
    if isinstance(value, list | dict):
        return _json(value) if value else ""
    return str(value)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown_cell(value: object) -> str:
    return markdown_escaped(_text(value))
