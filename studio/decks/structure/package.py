"""An Office Open XML package read part by part, transitional or strict, without python-pptx."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from lxml import etree

from studio.decks.archive import ZIP_ERRORS, opened_zip, read_member
from studio.decks.limits import Limits, safe_xml_parser
from studio.errors import DeckUnreadable
from studio.model.decks import FailureKind

Element = etree._Element

_TRANSITIONAL = "http://schemas.openxmlformats.org/"
_STRICT_TO_TRANSITIONAL = {
    "http://purl.oclc.org/ooxml/presentationml/main": f"{_TRANSITIONAL}presentationml/2006/main",
    "http://purl.oclc.org/ooxml/drawingml/main": f"{_TRANSITIONAL}drawingml/2006/main",
    "http://purl.oclc.org/ooxml/drawingml/chart": f"{_TRANSITIONAL}drawingml/2006/chart",
    "http://purl.oclc.org/ooxml/drawingml/diagram": f"{_TRANSITIONAL}drawingml/2006/diagram",
    "http://purl.oclc.org/ooxml/officeDocument/relationships": (f"{_TRANSITIONAL}officeDocument/2006/relationships"),
}
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"


class PartFault(Exception):
    """One part is missing or damaged; the message is fit for a warning."""


@dataclass(frozen=True, kw_only=True)
class Relation:
    """A link from one part to another, or out of the package."""

    id: str
    kind: str
    """Last piece of its type, such as ``image`` or ``notesSlide``."""
    target: str
    """Name of the part, or the address outside."""
    is_external: bool


class Package:
    """Parts, relations and content types of an open package."""

    def __init__(self, archive: zipfile.ZipFile, limits: Limits) -> None:
        self._archive = archive
        self._limits = limits
        # Part names are equal without regard to case, by the packaging standard.
        self._names = {name.replace("\\", "/").lower(): name for name in archive.namelist()}
        self._relations: dict[str, dict[str, Relation]] = {}
        self._defaults: dict[str, str] = {}
        self._overrides: dict[str, str] = {}
        self._read_types()

    def has(self, part: str) -> bool:
        """Say whether the part is in the package."""
        return part.lower() in self._names

    def parts(self) -> tuple[str, ...]:
        """Return the names of all parts as they are written."""
        return tuple(self._names.values())

    def size(self, part: str) -> int:
        """Return the unpacked size of a part in bytes, 0 if it is missing."""
        name = self._names.get(part.lower())
        return self._archive.getinfo(name).file_size if name is not None else 0

    def data(self, part: str, *, max_bytes: int | None = None) -> bytes:
        """Return a part's bytes.

        Raises:
            PartFault: if it is missing, damaged or too large.
        """
        name = self._names.get(part.lower())
        if name is None:
            raise PartFault(f"the part {part} is not in the file")
        try:
            return read_member(self._archive, name, max_bytes or self._limits.max_part_bytes)
        except ZIP_ERRORS as error:
            raise PartFault(f"the part {part} is damaged: {error}") from error
        except DeckUnreadable as error:
            raise PartFault(error.message) from error

    def head(self, part: str, n_bytes: int) -> bytes:
        """Return the first bytes of a part, or raise `PartFault`."""
        name = self._names.get(part.lower())
        if name is None:
            raise PartFault(f"the part {part} is not in the file")
        try:
            with self._archive.open(name) as file:
                return file.read(n_bytes)
        except ZIP_ERRORS as error:
            raise PartFault(f"the part {part} is damaged: {error}") from error

    def xml(self, part: str) -> Element:
        """Return the root of a part, strict namespaces turned into transitional ones.

        Raises:
            PartFault: if it is missing or not well-formed.
        """
        data = self.data(part, max_bytes=self._limits.max_xml_bytes)
        for strict, transitional in _STRICT_TO_TRANSITIONAL.items():
            data = data.replace(strict.encode(), transitional.encode())
        try:
            root = etree.fromstring(data, safe_xml_parser())
        except (etree.XMLSyntaxError, ValueError) as error:
            raise PartFault(f"the part {part} is not valid XML: {error}") from error
        if root.getroottree().docinfo.internalDTD is not None:
            raise PartFault(f"the part {part} declares entities, which Office never does; it is not read")
        return root

    def relations(self, part: str) -> dict[str, Relation]:
        """Return the relations of a part by id; a damaged list counts as empty."""
        if part not in self._relations:
            try:
                self._relations[part] = self._read_relations(part)
            except PartFault:
                self._relations[part] = {}
        return self._relations[part]

    def related(self, part: str, kind: str) -> str | None:
        """Return the first part inside the package that `part` is related to by `kind`."""
        for relation in self.relations(part).values():
            if relation.kind == kind and not relation.is_external:
                return relation.target
        return None

    def content_type(self, part: str) -> str:
        """Return the declared content type of a part, empty if there is none."""
        extension = posixpath.splitext(part)[1].lstrip(".").lower()
        return self._overrides.get(part.lower(), self._defaults.get(extension, ""))

    def _read_relations(self, part: str) -> dict[str, Relation]:
        folder, name = posixpath.split(part)
        rels = posixpath.join(folder, "_rels", f"{name}.rels")
        found: dict[str, Relation] = {}
        if not self.has(rels):
            return found
        for node in self.xml(rels).iter("{*}Relationship"):
            target = str(node.get("Target", ""))
            is_external = node.get("TargetMode") == "External"
            if not is_external:
                # Absolute names start at the root of the package; joining handles both.
                target = posixpath.normpath(posixpath.join("/", folder, unquote(target))).lstrip("/")
            relation_id = str(node.get("Id", ""))
            found[relation_id] = Relation(
                id=relation_id,
                kind=str(node.get("Type", "")).rstrip("/").rpartition("/")[2],
                target=target,
                is_external=is_external,
            )
        return found

    def _read_types(self) -> None:
        try:
            root = self.xml("[Content_Types].xml")
        except PartFault:
            return
        for node in root.iter("{*}Default"):
            self._defaults[str(node.get("Extension", "")).lower()] = str(node.get("ContentType", ""))
        for node in root.iter("{*}Override"):
            self._overrides[str(node.get("PartName", "")).lstrip("/").lower()] = str(node.get("ContentType", ""))


@contextmanager
def opened_package(path: Path, limits: Limits) -> Iterator[Package]:
    """Open a package for reading; the file is never changed.

    Raises:
        DeckUnreadable: as `studio.decks.archive.opened_zip`.
    """
    with opened_zip(path, limits) as archive:
        yield Package(archive, limits)


def main_part(package: Package, name: str) -> str:
    """Return the name of the presentation part.

    Raises:
        DeckUnreadable: kind ``unreadable`` if the package has none.
    """
    part = package.related("", "officeDocument") or "ppt/presentation.xml"
    if not package.has(part):
        raise DeckUnreadable(
            FailureKind.UNREADABLE,
            f"{name} has no presentation part.",
            next_step="Open it in PowerPoint, let it be repaired, and save it anew.",
        )
    return part
