"""What names a deck's maker is found, and a sanitised copy does not tell it."""

from __future__ import annotations

import hashlib
import io
import zipfile

import pymupdf
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from pptx import Presentation
from pptx.util import Inches

from studio.decks.image_bytes import without_metadata
from studio.decks.image_metadata import image_metadata
from studio.decks.limits import Limits
from studio.decks.privacy import Where, privacy_findings
from studio.decks.sanitised import sanitised_copy
from studio.decks.structure import inspect_file, slide_texts
from studio.errors import DeckUnreadable
from tests.shared_files import shared
from tests.unit.decks.decks_made_here import pdf_bytes, write_deck


def _png_with_prompt() -> bytes:
    told = PngInfo()
    told.add_text("parameters", "a slide, Midjourney style")
    told.add_itxt("Software", "SecretMaker")
    out = io.BytesIO()
    Image.new("RGB", (40, 30), (10, 120, 200)).save(out, "PNG", pnginfo=told)
    return out.getvalue()


def _deck(path):
    presentation = Presentation()
    presentation.core_properties.author = "PptxGenJS"
    presentation.core_properties.last_modified_by = "Person X"
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    slide.shapes.add_textbox(0, 0, Inches(4), Inches(1)).text_frame.text = "Made with my_system 2 today"
    slide.shapes.add_picture(io.BytesIO(_png_with_prompt()), 0, 0)
    slide.notes_slide.notes_text_frame.text = "secret notes of System B"
    other = presentation.slides.add_slide(presentation.slide_layouts[6])
    other.shapes.add_textbox(0, 0, Inches(4), Inches(1)).text_frame.text = "the gamma function and a pitch"
    presentation.save(str(path))
    return path


def _found(path, **more):
    return {(item.where, item.slide, item.name) for item in privacy_findings(path, **more)}


def test_that_metadata_notes_names_and_words_that_tell_the_maker_are_found(tmp_path):
    deck = _deck(tmp_path / "my-system-2_task1.pptx")
    found = privacy_findings(deck, systems=["My System 2", "System B"])
    by_place = {(item.where, item.slide, item.name) for item in found}
    assert (Where.FILE_NAME, None, "My System 2") in by_place
    assert (Where.METADATA, None, "PptxGenJS") in by_place
    assert (Where.METADATA, None, "Midjourney") in by_place
    assert (Where.NOTES, 1, "System B") in by_place
    assert (Where.SLIDE_TEXT, 1, "My System 2") in by_place
    # A person's name is telling too, though no list knows it.
    assert any(item.text == "Person X" and item.name == "" for item in found)
    # Gamma the letter and a pitch are no products.
    assert not any(item.where is Where.SLIDE_TEXT and item.slide == 2 for item in found)


def test_that_a_copy_of_a_deck_tells_nothing_but_its_words(tmp_path):
    deck = _deck(tmp_path / "deck.pptx")
    before = hashlib.sha256(deck.read_bytes()).hexdigest()
    copy = tmp_path / "copy.pptx"
    sanitised_copy(deck, copy)
    assert hashlib.sha256(deck.read_bytes()).hexdigest() == before
    left = privacy_findings(copy, systems=["My System 2"])
    assert {item.where for item in left} == {Where.SLIDE_TEXT}
    packed = zipfile.ZipFile(copy)
    everything = b"".join(packed.read(name) for name in packed.namelist())
    for word in (b"PptxGenJS", b"Person X", b"secret notes", b"Midjourney", b"SecretMaker"):
        assert word not in everything
    assert len(Presentation(str(copy)).slides) == 2
    old, new = inspect_file(deck), inspect_file(copy)
    assert (new.slides, new.text_boxes, new.pictures, new.notes) == (old.slides, old.text_boxes, old.pictures, 0)
    assert [s.text for s in slide_texts(copy, Limits())] == [s.text for s in slide_texts(deck, Limits())]


def test_that_a_pdf_loses_its_information_xmp_and_comments(tmp_path):
    path = tmp_path / "a.pdf"
    with pymupdf.open(stream=pdf_bytes([(720, 405, "words stay")]), filetype="pdf") as document:
        document.set_metadata({"producer": "Aspose.Slides", "author": "Person X"})
        document.set_xml_metadata(
            '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
            '<rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreatorTool="Gamma"/></rdf:RDF></x:xmpmeta>'
        )
        document[0].add_text_annot((20, 20), "a comment that names Canva")
        document.save(path)
    names = {item.name for item in privacy_findings(path)}
    assert {"Aspose", "Gamma", "Canva", ""} <= names
    sanitised_copy(path, tmp_path / "b.pdf")
    assert privacy_findings(tmp_path / "b.pdf") == ()
    data = (tmp_path / "b.pdf").read_bytes()
    assert not any(word in data for word in (b"Aspose", b"Gamma", b"Canva", b"Person X"))
    with pymupdf.open(tmp_path / "b.pdf") as document:
        assert document[0].get_text().strip() == "words stay"


def test_that_a_page_loses_its_head_comments_and_notes_but_not_its_scripts(tmp_path):
    path = tmp_path / "deck.html"
    path.write_text(
        """<!doctype html><html><head><meta charset="utf-8"><meta name="generator" content="Slidev 1.0">
        <meta content='Person X' name='author'><meta name="viewport" content="width=device-width">
        <title>By System B</title><script>var s = "<!-- kept -->";</script></head><body><!-- made by Kimi -->
        <div class="reveal"><div class="slides"><section data-notes="whisper"><h1>One</h1><aside class="notes">say
        this</aside></section><section>Claude Monet paints</section></div></div></body></html>"""
    )
    found = _found(path, systems=["System B"])
    assert (Where.METADATA, None, "Slidev") in found
    assert (Where.METADATA, None, "Kimi") in found
    assert (Where.METADATA, None, "System B") in found
    assert sum(where is Where.NOTES for where, _, _ in found) >= 1
    copy = tmp_path / "copy.html"
    sanitised_copy(path, copy)
    text = copy.read_text("utf-8-sig")
    for word in ("Slidev", "Person X", "Kimi", "System B", "whisper", "say"):
        assert word not in text, word
    assert "<!-- kept -->" in text
    assert "viewport" in text
    assert "<h1>One</h1>" in text


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "TIFF"])
def test_that_a_picture_keeps_its_pixels_and_loses_its_texts(kind):
    picture = Image.linear_gradient("L").resize((60, 40))
    picture = picture.convert("P" if kind == "GIF" else "RGB")
    out = io.BytesIO()
    if kind == "PNG":
        told = PngInfo()
        told.add_text("Comment", "by Canva")
        picture.save(out, kind, pnginfo=told)
    elif kind == "GIF":
        picture.save(out, kind, comment=b"by Canva")
    else:
        exif = Image.Exif()
        exif[0x0131] = "Canva"
        picture.save(out, kind, exif=exif)
    data = out.getvalue()
    assert any("Canva" in text for _, text in image_metadata(data))
    stripped = without_metadata(data)
    assert not any("Canva" in text for _, text in image_metadata(stripped))
    assert b"Canva" not in stripped
    with Image.open(io.BytesIO(data)) as old, Image.open(io.BytesIO(stripped)) as new:
        assert old.convert("RGB").tobytes() == new.convert("RGB").tobytes()
    assert without_metadata(data[: len(data) // 3])[:4] == data[:4]
    assert without_metadata(b"no picture") == b"no picture"


def test_that_a_folder_of_pictures_comes_out_as_a_folder_without_texts(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "canva_1.png").write_bytes(_png_with_prompt())
    found = _found(folder)
    assert (Where.METADATA, None, "Midjourney") in found
    assert (Where.FILE_NAME, None, "Canva") in found
    sanitised_copy(folder, tmp_path / "out")
    assert {item.where for item in privacy_findings(tmp_path / "out")} == {Where.FILE_NAME}


def test_that_a_legacy_file_is_not_said_to_be_clean(tmp_path):
    with pytest.raises(DeckUnreadable) as caught:
        sanitised_copy(shared("corpus/bad/poi__basic_test_ppt_file.ppt"), tmp_path / "out.ppt")
    assert caught.value.kind == "legacy_format"
    assert not (tmp_path / "out.ppt").exists()


def test_that_a_clean_deck_has_no_findings_by_name(tmp_path):
    deck = write_deck(tmp_path / "deck.pptx", ["plain words"])
    sanitised_copy(deck, tmp_path / "clean.pptx")
    assert privacy_findings(tmp_path / "clean.pptx", systems=["Alpha"], file_name="deck.pptx") == ()


def test_that_every_shared_deck_can_be_looked_through_and_copied(tmp_path):
    for path in sorted(shared("corpus/pptx").glob("*.pptx"))[:20]:
        privacy_findings(path, systems=["Alpha"])
        sanitised_copy(path, tmp_path / "copy.pptx")
        old, new = inspect_file(path), inspect_file(tmp_path / "copy.pptx")
        assert (new.slides, new.text_boxes, new.pictures, new.charts) == (
            old.slides, old.text_boxes, old.pictures, old.charts,
        ), path.name  # fmt: skip
        left = {item.where for item in privacy_findings(tmp_path / "copy.pptx", file_name="x")}
        assert left <= {Where.SLIDE_TEXT, Where.FILE_NAME}, path.name
