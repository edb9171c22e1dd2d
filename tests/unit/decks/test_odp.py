from __future__ import annotations

import zipfile

from studio.decks.structure import inspect_file
from studio.model.decks import DeckFormat

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
