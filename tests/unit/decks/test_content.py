from __future__ import annotations

import hashlib
import os
import zipfile

import pytest
from PIL import Image

from studio.decks.content import content_of, copy_content, unpacked
from studio.decks.sniff import sniff
from studio.decks.structure import inspect_file
from studio.errors import DeckUnreadable
from studio.model.decks import DeckFormat


def _pictures(folder, names):
    folder.mkdir()
    for shade, name in enumerate(names):
        Image.new("RGB", (16, 9), (shade * 40, 0, 0)).save(folder / name)
    return folder


def test_that_a_file_is_hashed_as_it_is(tmp_path):
    path = tmp_path / "A.PPTX"
    path.write_bytes(b"abc")
    content = content_of(path)
    assert content.sha256 == hashlib.sha256(b"abc").hexdigest()
    assert (content.extension, content.size_bytes, content.is_packed) == ("pptx", 3, False)


def test_that_equal_folders_pack_to_equal_bytes_whatever_their_times(tmp_path):
    first = _pictures(tmp_path / "a", ["b.png", "a.png"])
    second = tmp_path / "b"
    second.mkdir()
    for name in ("a.png", "b.png"):
        (second / name).write_bytes((first / name).read_bytes())
        os.utime(second / name, (1_000_000_000, 1_000_000_000))
    (second / ".DS_Store").write_bytes(b"noise")
    assert content_of(first) == content_of(second)
    copy_content(first, tmp_path / "out" / "x.zip")
    assert content_of(first).sha256 == hashlib.sha256((tmp_path / "out" / "x.zip").read_bytes()).hexdigest()
    assert [entry.name for entry in (tmp_path / "out").iterdir()] == ["x.zip"]


def test_that_a_packed_folder_is_read_like_the_folder(tmp_path):
    folder = _pictures(tmp_path / "pages", ["slide_2.png", "slide_10.png"])
    copy_content(folder, tmp_path / "asset")
    assert sniff(tmp_path / "asset").format is DeckFormat.IMAGES
    assert inspect_file(tmp_path / "asset").slides == 2
    with unpacked(tmp_path / "asset") as inside:
        assert sorted(entry.name for entry in inside.iterdir()) == ["slide_10.png", "slide_2.png"]
    assert not inside.exists()


def test_that_links_out_of_a_folder_are_left_out_and_loops_end(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    folder = tmp_path / "deck"
    folder.mkdir()
    (folder / "index.html").write_text("<html></html>")
    (folder / "leak.txt").symlink_to(secret)
    (folder / "loop").symlink_to(folder)
    copy_content(folder, tmp_path / "packed.zip")
    with zipfile.ZipFile(tmp_path / "packed.zip") as archive:
        assert archive.namelist() == ["index.html"]


@pytest.mark.parametrize("name", ["../evil.txt", "/evil.txt", "a/../../evil.txt", "..\\evil.txt", "C:/evil.txt"])
def test_that_a_member_outside_of_the_folder_is_refused(tmp_path, name):
    path = tmp_path / "slip.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("index.html", "<html></html>")
        archive.writestr(name, "x")
    with pytest.raises(DeckUnreadable, match="outside"), unpacked(path):
        pass
    assert not list(tmp_path.rglob("evil.txt"))


def test_that_a_link_inside_a_zip_is_refused(tmp_path):
    path = tmp_path / "link.zip"
    with zipfile.ZipFile(path, "w") as archive:
        info = zipfile.ZipInfo("link")
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/hostname")
    with pytest.raises(DeckUnreadable, match="outside"), unpacked(path):
        pass
