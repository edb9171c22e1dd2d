import io
import re
import shutil
import subprocess

import pyarrow.parquet as pq
import pytest

from studio.exchange.columns import COLUMNS
from studio.exchange.table_formats import latex_text, markdown_text, parquet_bytes

NASTY = r"50% of A&B_c #1 {x} ~^ \textbf{no} $5 <|>"


def parquet(columns, rows):
    return pq.read_table(io.BytesIO(parquet_bytes(columns, rows)))


def test_that_markdown_keeps_a_table_whatever_its_cells_hold():
    text = markdown_text(("name", "value"), [{"name": "a|b\nc", "value": -0.5}, {"name": "*x*", "value": None}])
    assert text.splitlines() == ["| name | value |", "| --- | ---: |", r"| a\|b c | −0.500 |", r"| \*x\* | – |"]


def test_that_latex_prints_special_letters_as_they_stand():
    line = latex_text(("name",), [{"name": NASTY}]).splitlines()[5]
    assert line == (
        r"50\% of A\&B\_c \#1 \{x\} \textasciitilde{}\textasciicircum{} "
        r"\textbackslash{}textbf\{no\} \$5 \textless{}\textbar{}\textgreater{} \\"
    )


def test_that_a_cell_in_brackets_is_no_option_of_the_line_before_it():
    body = latex_text(("name",), [{"name": "first"}, {"name": "[2mm]"}, {"name": "*"}]).splitlines()[5:8]
    assert body == [r"first \\", r"{[}2mm{]} \\", r"{*} \\"]


def test_that_undefined_is_a_dash_in_papers_and_never_a_zero():
    rows = [{"value": None}, {"value": 0.0}]
    assert latex_text(("value",), rows).splitlines()[5:7] == [r"-- \\", r"0.000 \\"]


@pytest.mark.parametrize(("rows", "name"), [(40, "tabular"), (41, "longtable")])
def test_that_a_latex_table_longer_than_a_page_breaks(rows, name):
    text = latex_text(("n",), [{"n": number} for number in range(rows)])
    assert text.count(rf"\begin{{{name}}}") == text.count(rf"\end{{{name}}}") == 1


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex on this machine")
def test_that_latex_compiles(tmp_path):
    (tmp_path / "t.tex").write_text(latex_text(("a", "ρ"), [{"a": NASTY, "ρ": -1.5}, {"a": "[x]", "ρ": None}]))
    (tmp_path / "all.tex").write_text(
        "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{booktabs}\\begin{document}\\input{t}\\end{document}"
    )
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all"],
        cwd=tmp_path,
        capture_output=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout[-800:]


@pytest.mark.parametrize("table", sorted(COLUMNS))
def test_that_an_empty_parquet_table_has_the_types_of_a_full_one(table):
    schema = parquet(COLUMNS[table], []).schema
    assert schema.names == list(COLUMNS[table])
    types = {name: str(kind) for name, kind in zip(schema.names, schema.types, strict=True)}
    known = {"rank": "int64", "is_tied": "bool", "duration_s": "double", "annotator_id": "string", "evidence": "string"}
    assert {name: types[name] for name in known if name in types} == {
        name: kind for name, kind in known.items() if name in types
    }


def test_that_parquet_keeps_null_apart_from_zero_and_lists_as_json():
    rows = [
        {"rank": 1, "value": 0.0, "flags": ["a", "茶"], "is_tied": False},
        {"rank": None, "value": None, "flags": [], "is_tied": None},
    ]
    assert parquet(("rank", "value", "flags", "is_tied"), rows).to_pylist() == [
        {"rank": 1, "value": 0.0, "flags": '["a", "茶"]', "is_tied": False},
        {"rank": None, "value": None, "flags": "[]", "is_tied": None},
    ]


def test_that_parquet_refuses_a_half_rank():
    with pytest.raises(ValueError, match=re.escape("rank holds 1.5")):
        parquet_bytes(("rank",), [{"rank": 1.5}])
