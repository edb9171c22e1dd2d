"""Copies of decks without metadata and notes, for packs that are judged blind; the original stays as it is."""

from __future__ import annotations

import re
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

from lxml import etree

from studio.decks.archive import ZIP_ERRORS, opened_zip, read_member
from studio.decks.content import copy_content, unpacked
from studio.decks.image_bytes import without_metadata
from studio.decks.images import image_suffix, is_noise
from studio.decks.limits import Limits, safe_xml_parser
from studio.decks.mupdf import save_without_metadata
from studio.decks.passwords import decrypted, is_encrypted_office
from studio.decks.scratch import scratch
from studio.decks.sniff import Sniffed, sniff
from studio.decks.structure import OFFICE_FORMATS
from studio.decks.structure.html import read_html_text
from studio.decks.structure.html_maker import without_maker
from studio.decks.workers import in_worker
from studio.errors import DeckUnreadable
from studio.model.decks import DeckFormat, FailureKind

_SAVE_S = 300.0
_MOMENT = (1980, 1, 1, 0, 0, 0)
_CORE = (
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?><cp:coreProperties xmlns:cp='
    b'"http://schemas.openxmlformats.org/package/2006/metadata/core-properties"/>'
)
_APP = (
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Properties xmlns='
    b'"http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"/>'
)
_CUSTOM = _APP.replace(b"extended-properties", b"custom-properties")
_ODF_META = (
    b'<?xml version="1.0" encoding="UTF-8"?><office:document-meta '
    b'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" office:version="1.2"><office:meta/>'
    b"</office:document-meta>"
)
_ODF_NOTES = "{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}notes"
_PAGES = frozenset({".html", ".htm", ".xhtml"})


def sanitised_copy(path: Path, out: Path, *, password: str | None = None, limits: Limits | None = None) -> None:
    """Write a copy of a deck without metadata, notes, comments and their authors, and picture metadata.

    A protected file comes out without its password. Words on slides, alternative texts and the names of files
    inside stay: `privacy_findings` of the copy lists what is left.

    Args:
        path: the deck; a folder gives a folder, a packed folder a zip.
        out: the copy; replaced if it exists, complete or not at all.
        password: for a protected file.
        limits: bounds on what is read.

    Raises:
        DeckUnreadable: as `sniff`; kind ``legacy_format`` for .ppt, which cannot be stripped.
    """
    limits = limits or Limits()
    out.parent.mkdir(parents=True, exist_ok=True)
    with scratch("sanitised") as folder:
        part = folder / "copy"
        if path.is_file() and is_encrypted_office(path):
            with decrypted(path, password) as plain:
                _write(plain, part, None, limits)
        else:
            _write(path, part, password, limits)
        beside = out.with_name(f".{out.name}.part")
        if part.is_dir():
            shutil.rmtree(beside, ignore_errors=True)
            shutil.copytree(part, beside)
            shutil.rmtree(out, ignore_errors=True)
        else:
            shutil.copyfile(part, beside)
        beside.replace(out)


def _write(path: Path, part: Path, password: str | None, limits: Limits) -> None:
    sniffed = sniff(path, limits=limits)
    if sniffed.deck_format in OFFICE_FORMATS:
        _rewrite(path, part, _office_part, limits)
    elif sniffed.deck_format is DeckFormat.ODP:
        _rewrite(path, part, _odf_part, limits)
    elif sniffed.deck_format is DeckFormat.PDF:
        in_worker(save_without_metadata, str(path), password, str(part), timeout_s=_SAVE_S)
    elif sniffed.deck_format in {DeckFormat.HTML, DeckFormat.IMAGES} or sniffed.container == "image":
        _write_files(path, part, sniffed, limits)
    elif sniffed.deck_format is DeckFormat.PPT:
        raise DeckUnreadable(
            FailureKind.LEGACY_FORMAT,
            f"{path.name} is a PowerPoint 97–2003 file, whose metadata cannot be removed here.",
            next_step="Save it as .pptx, or give its pages as PDF or pictures.",
        )
    else:
        raise DeckUnreadable(FailureKind.NOT_A_DECK, f"{path.name} is no deck but a {sniffed.what}.")


def _write_files(path: Path, part: Path, sniffed: Sniffed, limits: Limits) -> None:
    if sniffed.container in {"image", "html"}:
        part.write_bytes(_stripped_file(path))
        return
    folder = part.with_name("folder")
    with unpacked(path, limits=limits) as original:
        for file in sorted(original.rglob("*")):
            if file.is_symlink() or not file.is_file() or is_noise(file):
                continue
            target = folder / file.relative_to(original)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(_stripped_file(file))
    if path.is_dir():
        folder.rename(part)
    else:
        copy_content(folder, part, limits=limits)


def _stripped_file(file: Path) -> bytes:
    if file.suffix.lower() in _PAGES:
        return without_maker(read_html_text(file)).encode("utf-8-sig")
    data = file.read_bytes()
    if image_suffix(file):
        return without_metadata(data)
    if data.lstrip()[:1] == b"<" and re.search(rb"<html[\s>]", data[:4096], re.IGNORECASE):
        return without_maker(read_html_text(file)).encode("utf-8-sig")
    return data


def _rewrite(path: Path, part: Path, change: Callable[[str, bytes], bytes], limits: Limits) -> None:
    with opened_zip(path, limits) as archive, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as new:
        for member in archive.infolist():
            if member.is_dir():
                continue
            try:
                data = read_member(archive, member.filename, limits.max_part_bytes)
            except ZIP_ERRORS as error:
                raise DeckUnreadable(
                    FailureKind.UNREADABLE, f"{path.name}: {member.filename} is damaged: {error}."
                ) from error
            info = zipfile.ZipInfo(member.filename, _MOMENT)
            # The type of an OpenDocument file stands first and unpacked, by its standard.
            info.compress_type = member.compress_type if member.filename == "mimetype" else zipfile.ZIP_DEFLATED
            new.writestr(info, change(member.filename.lower(), data))


def _office_part(name: str, data: bytes) -> bytes:
    fixed = {"docprops/core.xml": _CORE, "docprops/app.xml": _APP, "docprops/custom.xml": _CUSTOM}.get(name)
    if fixed is not None:
        return fixed
    if re.match(r"ppt/(notesslides|comments)/[^/]+\.xml$", name):
        return _without_words(data)
    if re.match(r"ppt/(commentauthors|authors)\.xml$", name):
        return re.sub(rb'\b(name|initials|userId|providerId)="[^"]*"', rb'\1=""', data)
    if name.startswith(("ppt/media/", "docprops/thumbnail")):
        return without_metadata(data)
    return data


def _without_words(data: bytes) -> bytes:
    try:
        root = etree.fromstring(data, safe_xml_parser())
    except (etree.XMLSyntaxError, ValueError):
        # What nobody can read as XML must not carry its words into a pack.
        return b'<?xml version="1.0"?><empty/>'
    for node in root.iter():
        if isinstance(node.tag, str) and etree.QName(node).localname in {"t", "text"}:
            node.text = ""
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _odf_part(name: str, data: bytes) -> bytes:
    if name == "meta.xml":
        return _ODF_META
    if name.startswith(("pictures/", "thumbnails/")):
        return without_metadata(data)
    if name in {"content.xml", "styles.xml"}:
        try:
            root = etree.fromstring(data, safe_xml_parser())
        except (etree.XMLSyntaxError, ValueError):
            return data
        for notes in list(root.iter(_ODF_NOTES)):
            for node in list(notes):
                notes.remove(node)
        return etree.tostring(root, xml_declaration=True, encoding="UTF-8")
    return data
