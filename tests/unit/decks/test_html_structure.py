from __future__ import annotations

import pytest

from studio.decks.html import prepared
from studio.decks.limits import Limits
from studio.decks.structure.html import read_html_deck, read_html_text

_REVEAL = """<!doctype html><html><head><title>t</title></head><body><div class="reveal"><div class="slides">
<section><h1>One</h1></section>
<section><section><h2>Two a</h2></section><section data-visibility="hidden">Two b</section></section>
<section><aside class="notes">n</aside>Three</section></div></div></body></html>"""


def _deck(tmp_path, text):
    path = tmp_path / "deck.html"
    path.write_text(text, "utf-8")
    return read_html_deck(path, Limits())


def test_that_vertical_slides_of_reveal_count_and_their_stack_does_not(tmp_path):
    deck = _deck(tmp_path, _REVEAL)
    assert (deck.kind, deck.slides, deck.hidden) == ("reveal", 4, (3,))
    assert deck.titles == ("One", "Two a", "", "")


@pytest.mark.parametrize(
    ("body", "kind", "slides"),
    [
        ('<div id="impress"><div class="step">a</div><div class="step slide">b</div></div>', "impress", 2),
        ('<div class="marpit"><section id="1">a</section><section id="2">b</section></div>', "marp", 2),
        ('<div class="slidev-page slidev-page-1">a</div><div class="slidev-page">b</div>', "slidev", 2),
        (
            '<div class="slide">a<div class="slide">x</div></div><div class="slide active">b</div>',
            "generic",
            2,
        ),
        ("<main><section>a<section>x</section></section><section>b</section></main>", "generic", 2),
        ("<section>only one</section>", None, None),
        ('<p class="slides slide-title">text</p>', None, None),
    ],
)
def test_that_each_kind_of_deck_is_recognised(tmp_path, body, kind, slides):
    deck = _deck(tmp_path, f"<html><body>{body}</body></html>")
    assert (deck.kind, deck.slides) == (kind, slides)


def test_that_addresses_outside_are_listed_and_ordinary_links_are_not(tmp_path):
    deck = _deck(
        tmp_path,
        '<html><head><link rel="stylesheet" href="//cdn.example/a.css">'
        '<link rel="canonical" href="https://x.example/">'
        '<style>@import "https://fonts.example/f"; b { background: url(http://img.example/b.png) }'
        "</style></head>"
        '<body><a href="https://linked.example/">l</a><img src="https://img.example/c.png">'
        '<img src="data:image/png,">'
        '<img src="beside.png"></body></html>',
    )
    assert set(deck.external) == {
        "//cdn.example/a.css",
        "https://fonts.example/f",
        "http://img.example/b.png",
        "https://img.example/c.png",
    }
    assert deck.lacking == ("beside.png",)


@pytest.mark.parametrize(
    "data",
    [
        "\ufeffGröße".encode("utf-16-le"),
        b'<meta charset="iso-8859-1">Gr\xf6\xdfe',
        "Größe".encode(),
        b"\xef\xbb\xbf" + "Größe".encode(),
        b'<meta charset="no-such-charset">' + "Größe".encode(),
    ],
)
def test_that_a_page_is_decoded_by_its_mark_or_its_declaration(tmp_path, data):
    path = tmp_path / "a.html"
    path.write_bytes(data)
    assert read_html_text(path).endswith("Größe")


def test_that_the_policy_stands_before_anything_the_page_loads(tmp_path):
    deck = _deck(tmp_path, _REVEAL)
    text = prepared(_REVEAL, deck)
    assert text.index("Content-Security-Policy") < text.index("<title>")
    assert "default-src 'none'" in text
    assert "file:" not in text
    bare = prepared("<p>x</p>", _deck(tmp_path, "<p>x</p>"))
    assert bare.index("Content-Security-Policy") < bare.index("<p>x")


def test_that_a_page_that_is_no_html_at_all_has_no_slides(tmp_path):
    deck = _deck(tmp_path, "<!-- nothing -->")
    assert deck.slides is None
