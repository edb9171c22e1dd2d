"""One page per slide for the exports of the common frameworks, from small samples of their shape."""

from __future__ import annotations

import pytest

from studio.decks.render import find_tools, render_deck
from studio.model.decks import DeckFormat

pytestmark = pytest.mark.slow

_REVEAL_NESTED = """<!doctype html><html><head><style>.reveal .slides section { display: none }
.reveal .slides .present { display: block }</style></head><body><div class="reveal"><div class="slides">
<section class="present"><h1>Alpha</h1></section>
<section><section><h2>Beta top</h2></section><section><h2>Beta below</h2><p class="fragment">fragment text</p></section>
</section><section data-visibility="hidden"><h2>Gamma hidden</h2></section><section><h2>Delta</h2></section>
</div></div></body></html>"""

_IMPRESS = """<!doctype html><html><body class="impress-not-supported"><div id="impress">
<div id="a" class="step slide" data-x="-1000" data-y="-1500"><q>Alpha step</q></div>
<div id="b" class="step" data-x="850" data-y="3000" data-rotate="90" data-scale="5"><p>Beta step</p></div>
<div id="overview" class="step" data-x="3000" data-y="1500" data-scale="10"></div></div></body></html>"""

_MARP = """<!doctype html><html lang="en"><head><meta charset="utf-8"><style>
div#\\3a \\$p > svg > foreignObject > section { width: 1280px; height: 720px; padding: 60px }
body { margin: 0 } svg[data-marpit-svg] { display: none } svg.bespoke-marp-active { display: block }</style></head>
<body><div id=":$p" class="marpit"><svg data-marpit-svg="" viewBox="0 0 1280 720" class="bespoke-marp-active">
<foreignObject width="1280" height="720"><section id="1" data-marpit-pagination="1" data-marpit-pagination-total="2">
<h1>Alpha marp</h1></section></foreignObject></svg><svg data-marpit-svg="" viewBox="0 0 1280 720">
<foreignObject width="1280" height="720"><section id="2" data-marpit-pagination="2" data-marpit-pagination-total="2">
<h2>Beta marp</h2><ul><li>point</li></ul></section></foreignObject></svg></div></body></html>"""

_SLIDEV = """<!doctype html><html><head><style>#slide-content { transform: scale(0.8) }
.slidev-page { position: absolute; inset: 0 } .slidev-page[style*="display: none"] { display: none }</style></head>
<body><div id="app"><div id="page-root" class="grid"><div id="slide-container" class="slidev-slides-container">
<div id="slide-content"><div class="slidev-page slidev-page-1" data-slidev-no="1"><div class="slidev-layout cover">
<h1>Alpha slidev</h1></div></div><div class="slidev-page slidev-page-2" data-slidev-no="2" style="display: none">
<div class="slidev-layout default"><h2>Beta slidev</h2></div></div></div></div></div></div></body></html>"""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (_REVEAL_NESTED, ["Alpha", "Beta top", "Beta below", None, "Delta"]),
        (_IMPRESS, ["Alpha step", "Beta step", ""]),
        (_MARP, ["Alpha marp", "Beta marp"]),
        (_SLIDEV, ["Alpha slidev", "Beta slidev"]),
    ],
    ids=["reveal", "impress", "marp", "slidev"],
)
def test_that_every_slide_of_a_framework_is_a_page_with_its_own_words(tmp_path, text, words):
    tools = find_tools()
    if tools.chromium is None:
        pytest.skip("Chromium is not installed")
    path = tmp_path / "deck.html"
    path.write_text(text, "utf-8")
    deck = render_deck(path, tmp_path / "out", format=DeckFormat.HTML, tools=tools, timeout_s=60)
    assert deck.failure is None
    assert len(deck.pages) == len(words)
    for page, wanted in zip(deck.pages, words, strict=True):
        if wanted is None:
            assert page.is_hidden
            assert page.image is None
            continue
        seen = " ".join(box.text for box in page.boxes or ())
        assert wanted in seen
        others = [other for other in words if other and other != wanted and other not in wanted]
        assert not any(other in seen for other in others)
