from __future__ import annotations

import zipfile

import pytest

from studio.decks.limits import Limits
from studio.decks.processes import run_program
from studio.decks.render import find_tools, render_deck
from studio.decks.structure import inspect_file
from studio.decks.structure.odp import odp_slide_texts
from studio.model.decks import DeckFormat
from tests.fuzz.whole_files import pptx_bytes

_NS = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" '
    'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" '
    'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" '
    'xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"'
)


def test_that_an_opendocument_deck_gives_slides_hidden_ones_and_size(tmp_path):
    path = tmp_path / "named.pptx"
    content = (
        f'<office:document-content {_NS}><style:style style:name="h"><style:drawing-page-properties '
        'presentation:visibility="hidden"/></style:style><draw:page draw:style-name="v"/>'
        '<draw:page draw:style-name="h"/></office:document-content>'
    )
    styles = (
        f'<office:document-styles {_NS}><style:page-layout style:name="P"><style:page-layout-properties '
        'fo:page-width="10in" fo:page-height="19.05cm"/></style:page-layout>'
        '<style:master-page style:page-layout-name="P"/></office:document-styles>'
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.presentation")
        archive.writestr("content.xml", content)
        archive.writestr("styles.xml", styles)
    facts = inspect_file(path)
    assert facts.failure is None
    assert (facts.format, facts.slides, facts.hidden) == (DeckFormat.ODP, 2, (2,))
    # 10 in x 914,400 and 19.05 cm x 360,000 EMU.
    assert facts.slide_size_emu == (9_144_000, 6_858_000)


@pytest.mark.slow
def test_that_a_deck_saved_as_opendocument_has_the_same_counts(tmp_path):
    soffice = find_tools().libreoffice
    if soffice is None:
        pytest.skip("LibreOffice is not installed")
    whole = tmp_path / "deck.pptx"
    whole.write_bytes(pptx_bytes())
    run_program(
        [str(soffice), f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}", "--headless", "--convert-to", "odp",
         "--outdir", str(tmp_path), str(whole)],
        name="LibreOffice", log=tmp_path / "log", timeout_s=90,
    )  # fmt: skip
    old, new = inspect_file(whole), inspect_file(tmp_path / "deck.odp")
    assert new.failure is None
    for name in ("slides", "hidden", "slide_size_emu", "groups", "pictures", "charts", "tables", "notes"):
        assert getattr(new, name) == getattr(old, name), name
    texts = odp_slide_texts(tmp_path / "deck.odp", Limits())
    assert [text.title for text in texts] == [f"Title of slide {number}" for number in range(1, 5)]
    assert [text.notes for text in texts] == ["what to say", "", "", ""]
    assert "inside a group" in texts[2].text
    deck = render_deck(tmp_path / "deck.odp", tmp_path / "out", format=DeckFormat.ODP, tools=find_tools())
    assert [page.page for page in deck.pages] == [1, 2, 3, None]
    full = render_deck(
        tmp_path / "deck.odp", tmp_path / "full", format=DeckFormat.ODP, tools=find_tools(), with_hidden=True
    )
    assert [page.page for page in full.pages] == [1, 2, 3, 4]
