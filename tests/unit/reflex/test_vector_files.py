"""Kept vectors: whole records only, bounded, and never in the way."""

from __future__ import annotations

import numpy as np
import pytest

from studio.reflex import vector_file
from studio.reflex.encoder import digest_of
from studio.reflex.vector_file import VectorFile

WIDTH = 4
RECORD = 32 + 4 * WIDTH


def rows(*names: str) -> dict[bytes, np.ndarray]:
    made = {}
    for number, name in enumerate(names):
        made[digest_of(name)] = np.roll(np.array([1, 0, 0, 0], dtype=np.float32), number)
    return made


def kept(path):
    return VectorFile(path, "made-1", WIDTH)


def test_that_what_was_added_is_read_again(tmp_path):
    path = tmp_path / "deep" / "vectors"
    written = rows("a", "b", "c")
    kept(path).add(written)
    found = kept(path).read([*written, digest_of("d")])
    assert {key: row.tolist() for key, row in found.items()} == {key: row.tolist() for key, row in written.items()}


def test_that_half_a_record_of_a_killed_process_is_cut_off(tmp_path):
    path = tmp_path / "vectors"
    kept(path).add(rows("a", "b"))
    whole = path.read_bytes()
    path.write_bytes(whole[:-10])
    reader = kept(path)
    assert set(reader.read(rows("a", "b"))) == {digest_of("a")}
    kept(path).add(rows("c"))
    assert path.stat().st_size == len(whole)
    assert set(reader.read(rows("a", "b", "c"))) == {digest_of("a"), digest_of("c")}


def test_that_a_vector_that_has_no_length_of_1_any_more_is_left_out(tmp_path):
    path = tmp_path / "vectors"
    kept(path).add(rows("a", "b"))
    data = bytearray(path.read_bytes())
    data[-4 * WIDTH :] = np.array([9, 9, np.nan, 9], dtype="<f4").tobytes()
    path.write_bytes(data)
    assert set(kept(path).read(rows("a", "b"))) == {digest_of("a")}


def test_that_a_key_that_ends_in_zeros_is_found(tmp_path):
    key = b"\1" * 29 + b"\0" * 3
    kept(tmp_path / "vectors").add({key: np.array([0, 1, 0, 0], dtype=np.float32)})
    assert set(kept(tmp_path / "vectors").read([key])) == {key}


def test_that_a_full_file_keeps_its_newer_half(tmp_path, monkeypatch):
    monkeypatch.setattr(vector_file, "MOST_BYTES", 128 + 4 * RECORD)
    path = tmp_path / "vectors"
    reader = kept(path)
    for name in "abcd":
        kept(path).add(rows(name))
    assert len(reader.read(rows(*"abcd"))) == 4
    kept(path).add(rows("e"))
    assert path.stat().st_size == 128 + 3 * RECORD
    assert set(kept(path).read(rows(*"abcde"))) == set(rows(*"cde"))
    # A reader that saw the file before it was written anew still finds what came since.
    assert digest_of("e") in reader.read(rows("e"))


@pytest.mark.parametrize("content", [b"", b"no vectors at all", b"podium vectors 1 other 4\n".ljust(200, b"\0")])
def test_that_a_file_of_another_kind_is_begun_anew(tmp_path, content):
    path = tmp_path / "vectors"
    path.write_bytes(content)
    assert kept(path).read(rows("a")) == {}
    kept(path).add(rows("a"))
    assert set(kept(path).read(rows("a"))) == {digest_of("a")}


def test_that_a_disk_that_refuses_is_logged_once(tmp_path, caplog):
    (tmp_path / "file").write_text("in the way")
    file = kept(tmp_path / "file" / "vectors")
    file.add(rows("a"))
    file.add(rows("b"))
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert file.read(rows("a")) == {}
