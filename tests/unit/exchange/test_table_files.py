from __future__ import annotations

import csv
import io
import json
import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import BadInput
from studio.exchange.columns import COLUMNS, REQUIRED, table_of
from studio.exchange.files import csv_text, jsonl_text, read_table, write_whole

HARD = ["模型 一", "A,B", 'say "hi"', "two\nlines", "cr\r\nlf", " spaced ", "🙂", "\u2028\u0085\x0b", "=1+1", "'", "\t"]
cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)


def test_that_csv_is_rfc_4180_with_a_byte_order_mark():
    text = csv_text(["a", "b"], [{"a": 'say "hi"', "b": None}, {"a": "x,y", "b": True}, {"a": 0.1, "b": [1, "é"]}])
    # By hand after RFC 4180: CRLF, quotes around fields with comma or quote, inner quotes doubled.
    assert text == '\ufeffa,b\r\n"say ""hi""",\r\n"x,y",true\r\n0.1,"[1, ""é""]"\r\n'


def test_that_jsonl_has_no_byte_order_mark_and_null_for_nothing():
    text = jsonl_text(["a", "b"], [{"a": "模型 一", "b": None}, {"a": 1.5}])
    assert text == '{"a": "模型 一", "b": null}\n{"a": 1.5, "b": null}\n'


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
@pytest.mark.parametrize("to_text", [csv_text, jsonl_text])
def test_that_nan_never_leaves(value, to_text):
    with pytest.raises(ValueError, match=r"nan|inf|JSON"):
        to_text(["a"], [{"a": value}])


def read_text(folder: Path, text: str, name: str = "t.csv"):
    path = folder / name
    path.write_bytes(text.encode())
    return read_table(path)


def marked(word: str) -> str:
    begins = word.lstrip("'")[:1]
    return f"'{word}" if begins and begins in "=+-@\t\r" else word


@given(rows=st.lists(st.tuples(cells, cells), max_size=5))
def test_that_csv_comes_back_as_it_went_out(tmp_path_factory, rows):
    # A row in which every field is blank is no row.
    rows = [(first + "x", second) for first, second in rows]
    text = csv_text(["a", "b"], [{"a": first, "b": second} for first, second in rows])
    found = read_text(tmp_path_factory.mktemp("t"), text)
    assert [tuple(row.values()) for _, row in found.rows] == rows
    assert found.refused == []
    # A second reader of CSV says the same, but for the mark on what would run as a formula.
    again = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))
    assert [tuple(row) for row in again[1:]] == [(marked(first), marked(second)) for first, second in rows]


@given(rows=st.lists(st.tuples(cells, cells), max_size=5))
def test_that_jsonl_comes_back_as_it_went_out(tmp_path_factory, rows):
    text = jsonl_text(["a", "b"], [{"a": first, "b": second} for first, second in rows])
    found = read_text(tmp_path_factory.mktemp("t"), text, "t.jsonl")
    assert [tuple(row.values()) for _, row in found.rows] == rows
    assert [json.loads(line) for line in text.split("\n") if line] == [
        dict(zip("ab", row, strict=True)) for row in rows
    ]


@pytest.mark.parametrize(("to_text", "name"), [(csv_text, "t.csv"), (jsonl_text, "t.jsonl"), (jsonl_text, "t.txt")])
def test_that_hard_text_survives(tmp_path, to_text, name):
    found = read_text(tmp_path, to_text(["a", "b"], [{"a": cell, "b": "x"} for cell in HARD]), name)
    assert [row["a"] for _, row in found.rows] == HARD


def test_that_values_come_back_as_text(tmp_path):
    rows = [{"a": 0.1 + 0.2, "b": True, "c": None, "d": [{"slide": 1}]}]
    columns = ["a", "b", "c", "d"]
    expected = {"a": "0.30000000000000004", "b": "true", "c": "", "d": '[{"slide": 1}]'}
    for to_text, name in ((csv_text, "t.csv"), (jsonl_text, "t.jsonl")):
        assert read_text(tmp_path, to_text(columns, rows), name).rows[0][1] == expected


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_that_all_line_ends_are_read_with_and_without_a_mark(tmp_path, ending, mark):
    found = read_text(tmp_path, mark + ending.join(["a,b", "1,2", "3,4"]))
    assert found.header == ("a", "b")
    assert found.rows == [(2, {"a": "1", "b": "2"}), (3, {"a": "3", "b": "4"})]


def test_that_lines_are_counted_through_cells_of_several_lines(tmp_path):
    found = read_text(tmp_path, 'a,b\r\n"one\r\ntwo\r\nthree",x\r\n\r\n4,5\r\n6\r\n"7\n8",9,10\r\n11,12\r\n')
    assert [(line, row["b"]) for line, row in found.rows] == [(2, "x"), (6, "5"), (10, "12")]
    assert found.refused == [
        (7, "1 fields where the header has 2"),
        (8, "3 fields where the header has 2"),
    ]


def test_that_a_header_may_have_space_around_names(tmp_path):
    assert read_text(tmp_path, " a , b\n1,2\n").header == ("a", "b")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_that_the_header_tells_what_stands_between_the_fields(tmp_path, separator):
    found = read_text(tmp_path, 'a|b\r\n"x|y"|0.5\r\n"1,2;3\t4"|\r\n'.replace("|", separator))
    assert found.header == ("a", "b")
    assert [tuple(row.values()) for _, row in found.rows] == [(f"x{separator}y", "0.5"), ("1,2;3\t4", "")]


def test_that_a_line_that_is_no_csv_is_named(tmp_path):
    with pytest.raises(BadInput, match=r"t\.csv, line 3"):
        read_text(tmp_path, 'a,b\n1,2\n"x"y,3\n')


@pytest.mark.parametrize("text", ["", "\ufeff", "\n\n", "  \n"])
def test_that_an_empty_file_is_said(tmp_path, text):
    with pytest.raises(BadInput, match="empty"):
        read_text(tmp_path, text)


def test_that_a_column_named_twice_is_refused(tmp_path):
    with pytest.raises(BadInput, match="twice"):
        read_text(tmp_path, "a,b,a\n1,2,3\n")


def test_that_other_encodings_are_refused_with_a_step(tmp_path):
    (tmp_path / "t.csv").write_bytes("a,b\né,2\n".encode("latin-1"))
    with pytest.raises(BadInput, match="not UTF-8") as caught:
        read_table(tmp_path / "t.csv")
    assert "UTF-8" in caught.value.next_step


def test_that_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(BadInput, match="cannot be read"):
        read_table(tmp_path / "gone.csv")
    with pytest.raises(BadInput, match="cannot be read"):
        read_table(tmp_path)


def test_that_lines_of_jsonl_that_are_no_object_are_refused_with_their_line(tmp_path):
    found = read_text(tmp_path, '{"a": 1}\n\n[1]\n{"a": \n{"b": null, "a": "x"}\n', "t.jsonl")
    assert found.header == ("a", "b")
    assert found.rows == [(1, {"a": "1", "b": ""}), (5, {"a": "x", "b": ""})]
    assert [line for line, _ in found.refused] == [3, 4]


def test_that_a_file_is_written_whole_and_others_may_read_it(tmp_path):
    path = tmp_path / "new folder" / "t.csv"
    write_whole(path, "é\r\n")
    assert path.read_bytes() == b"\xc3\xa9\r\n"
    assert path.stat().st_mode & 0o444 == 0o444
    write_whole(path, "second")
    assert path.read_text() == "second"
    assert [item.name for item in path.parent.iterdir()] == ["t.csv"]


def test_that_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    write_whole(path, "old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadInput, match="No space left"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert [item.name for item in tmp_path.iterdir()] == ["t.csv"]


def test_that_text_that_cannot_be_encoded_leaves_the_old_file(tmp_path):
    path = tmp_path / "t.csv"
    write_whole(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "half of a pair: \ud83d")
    assert path.read_text() == "old"
    assert [item.name for item in tmp_path.iterdir()] == ["t.csv"]


def test_that_a_place_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "a file").write_text("x")
    with pytest.raises(BadInput, match="cannot be written") as caught:
        write_whole(tmp_path / "a file" / "t.csv", "x")
    assert caught.value.next_step
    (tmp_path / "folder").mkdir()
    with pytest.raises(BadInput, match="cannot be written"):
        write_whole(tmp_path / "folder", "x")


def test_that_a_full_disk_leaves_the_old_file(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("needs the right to mount a small file system")
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(tmp_path)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this machine does not let a small file system be mounted")
    try:
        write_whole(tmp_path / "t.csv", "old")
        with pytest.raises(BadInput, match="No space left"):
            write_whole(tmp_path / "t.csv", "x" * (1 << 20))
        assert (tmp_path / "t.csv").read_text() == "old"
        assert [item.name for item in tmp_path.iterdir()] == ["t.csv"]
    finally:
        subprocess.run(["umount", tmp_path], check=True)


@pytest.mark.parametrize("table", REQUIRED)
def test_that_a_table_is_recognised_by_its_header(table):
    assert table_of(COLUMNS[table]) == table
    assert table_of(tuple(reversed(COLUMNS[table]))) == table
    assert table_of((*REQUIRED[table], "deck_id")) == table
    assert table_of((*REQUIRED[table], "system", "my own column")) == table


@given(st.data())
def test_that_the_order_of_columns_and_further_ones_do_not_matter(data):
    table = data.draw(st.sampled_from(sorted(REQUIRED)))
    optional = [name for name in COLUMNS[table] if name not in REQUIRED[table]]
    kept = data.draw(st.lists(st.sampled_from(optional), unique=True))
    header = data.draw(st.permutations([*REQUIRED[table], *kept, "my notes", "colour"]))
    assert table_of(tuple(header)) == table


@pytest.mark.parametrize("table", REQUIRED)
def test_that_a_header_without_a_required_column_is_not_recognised(table):
    for name in REQUIRED[table]:
        assert table_of(tuple(column for column in REQUIRED[table] if column != name)) is None


def test_that_tables_that_are_only_written_are_not_taken_for_others():
    assert table_of(COLUMNS["agreement"]) is None
    assert table_of(("instance_id", "deck_id", "annotator_id", "slide", "seen_s")) is None


def test_that_a_line_of_json_nested_without_end_is_refused_and_the_others_are_read(tmp_path):
    path = tmp_path / "scores.jsonl"
    whole = json.dumps({"metric": "m", "instance_id": "i", "deck_id": "d", "value": 1})
    path.write_text(f"{whole}\n{'[' * 100_000}\n", "utf-8")
    read = read_table(path)
    assert len(read.rows) == 1
    assert [line for line, _ in read.refused] == [2]


@pytest.mark.parametrize("word", ["=cmd|'calc'!A0", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1"])
@pytest.mark.parametrize("marks", ["", "'", "''"])
def test_that_words_a_spreadsheet_would_run_are_marked_and_come_back_as_they_were(tmp_path, word, marks):
    text = csv_text(("system", "value"), [{"system": marks + word, "value": -1.5}])
    file = tmp_path / "t.csv"
    file.write_text(text, encoding="utf-8", newline="")
    written = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))[1]
    assert written == ["'" + marks + word, "-1.5"]  # a number is no words
    assert read_table(file).rows == [(2, {"system": marks + word, "value": "-1.5"})]
