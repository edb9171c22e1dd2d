"""Zips as people make them, and web decks as people save them."""

from __future__ import annotations

import zipfile

from PIL import Image

from studio.decks.content import content_of, copy_content
from studio.decks.render import RenderTools, render_deck
from studio.decks.structure import inspect_file
from studio.model.decks import DeckFormat

_NONE = RenderTools(libreoffice=None, chromium=None)


def _pages(folder, names):
    folder.mkdir(parents=True, exist_ok=True)
    for index, name in enumerate(names):
        Image.new("RGB", (160, 90), (index * 60, 0, 0)).save(folder / name)


def _zip(path, folder, top=""):
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.write(file, f"{top}{file.relative_to(folder).as_posix()}")
    return path


def test_that_a_zip_of_pictures_is_a_deck_with_or_without_a_folder_in_it(tmp_path):
    _pages(tmp_path / "in", ["slide_10.png", "slide_2.png", "slide_1.png"])
    for top in ("", "My deck/"):
        path = _zip(tmp_path / f"deck{len(top)}.zip", tmp_path / "in", top)
        facts = inspect_file(path)
        assert (facts.failure, facts.format, facts.slides) == (None, DeckFormat.IMAGES, 3)
        deck = render_deck(path, tmp_path / f"out{len(top)}", format=DeckFormat.IMAGES, tools=_NONE)
        reds = [Image.open(page.image).getpixel((5, 5))[0] for page in deck.pages]
        # slide_1, slide_2, slide_10 were painted 120, 60, 0.
        assert reds == [120, 60, 0]


def test_that_what_a_system_puts_into_zips_is_no_page(tmp_path):
    _pages(tmp_path / "in", ["1.png", "2.png"])
    _pages(tmp_path / "in" / "__MACOSX", ["._1.png"])
    facts = inspect_file(_zip(tmp_path / "deck.zip", tmp_path / "in"))
    assert (facts.format, facts.slides) == (DeckFormat.IMAGES, 2)


def test_that_a_single_picture_is_a_deck_of_one_page(tmp_path):
    _pages(tmp_path, ["only.png"])
    deck = render_deck(tmp_path / "only.png", tmp_path / "out", format=DeckFormat.IMAGES, tools=_NONE)
    assert deck.failure is None
    assert len(deck.pages) == 1


def test_that_a_saved_web_deck_is_shown_by_its_screenshots(tmp_path):
    site = tmp_path / "capture"
    _pages(site / "screenshots", ["2.png", "10.png", "1.png"])
    _pages(site / "Deck_files", ["logo.png"])
    (site / "Deck.html").write_text('<html><body><div id="root"></div><script src="https://x.example/a.js"></script>')
    facts = inspect_file(site)
    assert (facts.failure, facts.format, facts.slides) == (None, DeckFormat.HTML, 3)
    assert "screenshots" in facts.warnings[0].message
    packed = tmp_path / "packed.zip"
    copy_content(site, packed)
    assert content_of(site).is_packed
    for path in (site, packed, _zip(tmp_path / "by_hand.zip", site, "capture/")):
        deck = render_deck(path, tmp_path / "out", format=DeckFormat.HTML, tools=_NONE)
        assert deck.failure is None
        assert [Image.open(page.image).getpixel((5, 5))[0] for page in deck.pages] == [120, 0, 60]


def test_that_pictures_beside_a_page_are_parts_of_it_unless_named_as_screenshots(tmp_path):
    from studio.decks.capture import screenshots

    site = tmp_path / "site"
    _pages(site, ["logo.png", "photo.png"])
    (site / "index.html").write_text("<section>a</section><section>b</section>")
    assert screenshots(site) == ()
    _pages(site, ["Screenshot 2.png", "Screenshot 1.png"])
    assert [shot.name for shot in screenshots(site)] == ["Screenshot 1.png", "Screenshot 2.png"]
    (site / "index.html").write_text('<section><img src="Screenshot%201.png"></section><section>b</section>')
    assert screenshots(site) == ()
