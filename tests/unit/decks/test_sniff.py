from __future__ import annotations

import zipfile

import pytest
from PIL import Image

from studio.decks.limits import Limits
from studio.decks.sniff import sniff
from studio.errors import DeckUnreadable
from studio.model.decks import DeckFormat, SourceFormat
from tests.unit.decks.decks_made_here import pdf_bytes, with_content_type, write_deck

_P = "application/vnd.openxmlformats-officedocument.presentationml."
_MS = "application/vnd.ms-powerpoint."


@pytest.mark.parametrize(
    ("content_type", "format"),
    [
        (f"{_P}template.main+xml", DeckFormat.POTX),
        (f"{_P}slideshow.main+xml", DeckFormat.PPSX),
        (f"{_MS}presentation.macroEnabled.main+xml", DeckFormat.PPTM),
        (f"{_MS}template.macroEnabled.main+xml", DeckFormat.POTM),
        (f"{_MS}slideshow.macroEnabled.main+xml", DeckFormat.PPSM),
    ],
)
def test_that_the_content_type_decides_not_the_extension(tmp_path, content_type, format):
    deck = write_deck(tmp_path / "a.pptx", ["one"])
    renamed = with_content_type(deck, tmp_path / "renamed.pptx", content_type)
    assert sniff(renamed).format is format


def test_that_a_pdf_after_other_bytes_is_a_pdf(tmp_path):
    path = tmp_path / "named.pptx"
    path.write_bytes(b"\xef\xbb\xbf\n" + pdf_bytes([(200, 100, "hi")]))
    assert sniff(path).format is DeckFormat.PDF
    assert sniff(path).source_format is SourceFormat.PDF


@pytest.mark.parametrize(
    ("name", "data", "format"),
    [
        ("a.md", b"# Head\n", SourceFormat.MARKDOWN),
        ("a.txt", b"# Head\n", SourceFormat.TEXT),
        ("a", "Größe".encode("windows-1252"), SourceFormat.TEXT),
        ("a.txt", "\ufeffpage one".encode("utf-16-le"), SourceFormat.TEXT),
        ("a.txt", b"<!DOCTYPE html><html><body>x</body></html>", DeckFormat.HTML),
        ("a.txt", "\ufeff<html><body>x</body></html>".encode("utf-16-le"), DeckFormat.HTML),
        ("a.pptx", b"\x7fELF\x02\x01\x01\x00", None),
    ],
)
def test_that_text_is_told_by_its_content(tmp_path, name, data, format):
    path = tmp_path / name
    path.write_bytes(data)
    assert sniff(path).format is format


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", "empty"),
        (b"\x00" * 5000, "unreadable"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n", "unreadable"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 100, "unreadable"),
    ],
)
def test_that_bad_files_have_their_own_kind(tmp_path, data, kind):
    path = tmp_path / "deck.pptx"
    path.write_bytes(data)
    with pytest.raises(DeckUnreadable) as caught:
        sniff(path)
    assert caught.value.kind == kind
    assert "deck.pptx" in str(caught.value)


def test_that_a_missing_file_is_not_found(tmp_path):
    with pytest.raises(DeckUnreadable) as caught:
        sniff(tmp_path / "gone.pptx")
    assert caught.value.kind == "not_found"


def test_that_a_deck_without_its_last_bytes_is_truncated_even_with_a_workbook_inside(tmp_path):
    workbook = tmp_path / "book.xlsx"
    with zipfile.ZipFile(workbook, "w") as archive:
        archive.writestr(
            "[Content_Types].xml",
            '<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-'
            'officedocument.spreadsheetml.sheet.main+xml"/></Types>',
        )
    deck = tmp_path / "deck.pptx"
    with zipfile.ZipFile(deck, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("ppt/presentation.xml", "<p/>")
        archive.write(workbook, "ppt/embeddings/book.xlsx")
    deck.write_bytes(deck.read_bytes()[:-64])
    with pytest.raises(DeckUnreadable) as caught:
        sniff(deck)
    assert caught.value.kind == "truncated"


def test_that_a_zip_bomb_is_refused_by_its_declared_ratio(tmp_path):
    path = tmp_path / "bomb.pptx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ppt/media/image1.png", b"\x00" * (30 << 20))
    with pytest.raises(DeckUnreadable) as caught:
        sniff(path)
    assert caught.value.kind == "too_large"
    assert "200 times" in str(caught.value)


@pytest.mark.parametrize(
    ("limits", "names"),
    [
        (Limits(max_parts=3), "3 files"),
        (Limits(max_unpacked_bytes=1 << 10), "unpacked"),
        (Limits(max_file_bytes=1 << 10), "limit for a file"),
    ],
)
def test_that_each_limit_names_itself(tmp_path, limits, names):
    deck = write_deck(tmp_path / "a.pptx", ["one"])
    with pytest.raises(DeckUnreadable, match=names) as caught:
        sniff(deck, limits=limits)
    assert caught.value.kind == "too_large"


def test_that_folders_are_html_or_pictures(tmp_path):
    html, images, both = (tmp_path / name for name in ("html", "images", "both"))
    for folder in (html, images, both):
        folder.mkdir()
    (html / "only.html").write_text("<html></html>")
    (html / "Thumbs.db").write_bytes(b"x")
    Image.new("RGB", (4, 3)).save(images / "slide_0001.png")
    Image.new("RGB", (4, 3)).save(both / "figure.png")
    (both / "index.html").write_text("<html></html>")
    (both / "other.html").write_text("<html></html>")
    assert sniff(html).format is DeckFormat.HTML
    assert sniff(images).format is DeckFormat.IMAGES
    assert sniff(both).format is DeckFormat.HTML


def test_that_a_folder_with_only_hidden_files_is_empty(tmp_path):
    (tmp_path / ".DS_Store").write_bytes(b"x")
    with pytest.raises(DeckUnreadable) as caught:
        sniff(tmp_path)
    assert caught.value.kind == "empty"
