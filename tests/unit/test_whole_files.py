from __future__ import annotations

import stat
import sys

import pytest

from studio.whole_files import PRIVATE, write_whole


def test_that_missing_folders_are_made_and_line_ends_are_kept(tmp_path):
    path = tmp_path / "new" / "folder" / "t.csv"
    write_whole(path, "é\r\nx\n")
    assert path.read_bytes() == "é\r\nx\n".encode()


def test_that_a_text_that_cannot_be_encoded_leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "t.txt"
    write_whole(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "half of a pair: \ud83d")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(sys.platform == "win32", reason="rights of POSIX")
def test_that_a_file_is_readable_for_a_group_unless_it_is_private(tmp_path):
    write_whole(tmp_path / "shared", "x")
    write_whole(tmp_path / "private", "x", mode=PRIVATE)
    rights = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("shared", "private")]
    assert rights == [0o644, 0o600]
