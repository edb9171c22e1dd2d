"""A recipe carried out on a PowerPoint file: slides go, come twice, change places, or swap their images."""

from __future__ import annotations

import hashlib
import posixpath
import re
import zipfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from studio.decks.archive import ZIP_ERRORS, opened_zip, read_member
from studio.decks.limits import Limits, safe_xml_parser
from studio.errors import BadInput, DeckUnreadable
from studio.model.decks import FailureKind
from studio.model.reflex import ContentMetric, Recipe

_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_REL = "http://schemas.openxmlformats.org/package/2006/relationships"
_CT = "http://schemas.openxmlformats.org/package/2006/content-types"
_P14 = "http://schemas.microsoft.com/office/powerpoint/2010/main"
_MOMENT = (1980, 1, 1, 0, 0, 0)

_SHARED = frozenset({"image", "media", "video", "audio", "slideLayout", "slideMaster", "theme", "notesMaster", "slide",
                     "hyperlink", "font"})  # fmt: skip
"""Kinds of relation that a copy of a slide has in common with it; all others are copied with it."""
_LEFT_OUT = frozenset({"comments"})
"""Kinds that a copy goes without."""
_EVERYWHERE = 0.5
"""An image on more than this share of the slides is a logo, not what a slide is about."""

Element = etree._Element


@dataclass(frozen=True, kw_only=True)
class MainImage:
    """The largest picture of a slide that is not on most of the slides."""

    slide: int
    part: str
    digest: str
    """Equal digests are equal images."""
    relation: str
    alternative: str


class OfficeFile:
    """The parts of one PowerPoint file in memory, to be changed and written as another file.

    Raises:
        DeckUnreadable: if it is damaged, over a limit, or no Open XML presentation of the usual (transitional) kind.
    """

    def __init__(self, path: Path, limits: Limits | None = None) -> None:
        limits = limits or Limits()
        self._name = path.name
        self._parts: dict[str, bytes] = {}
        with opened_zip(path, limits) as archive:
            for member in archive.infolist():
                if member.is_dir():
                    continue
                try:
                    self._parts[member.filename] = read_member(archive, member.filename, limits.max_part_bytes)
                except ZIP_ERRORS as error:
                    raise self._unreadable(f"{member.filename} is damaged: {error}") from error
        types = self._xml("[Content_Types].xml")
        self._types: Element = types
        self._main = self._main_part()
        self._root = self._xml(self._main)
        if self._root.tag != f"{{{_P}}}presentation":
            raise self._unreadable("it is no presentation in the usual (transitional) Open XML form")
        self._rels = self._relations(self._main)
        self._list = self._root.find(f"{{{_P}}}sldIdLst")
        self._entries: list[Element] = [] if self._list is None else list(self._list)

    @property
    def n_slides(self) -> int:
        """Slides of the slide list, hidden ones counted."""
        return len(self._entries)

    def visible(self) -> list[int]:
        """Return the numbers, from 1, of the slides that are shown."""
        shown = []
        for number in range(1, self.n_slides + 1):
            part = self._slide_part(number)
            if part is None or self._xml(part).get("show") not in {"0", "false"}:
                shown.append(number)
        return shown

    def main_images(self) -> dict[int, MainImage]:
        """Return, for each visible slide that has one, the image that it is about."""
        found: dict[int, list[tuple[float, MainImage]]] = {}
        visible = self.visible()
        for number in visible:
            part = self._slide_part(number)
            if part is not None:
                found[number] = list(self._images(number, part))
        spread = Counter(digest for images in found.values() for digest in {image.digest for _, image in images})
        most = max(2.0, _EVERYWHERE * len(visible))
        chosen = {}
        for number, images in found.items():
            own = [(area, image) for area, image in images if spread[image.digest] <= most]
            if own:
                chosen[number] = max(own, key=lambda each: each[0])[1]
        return chosen

    def apply(self, recipe: Recipe) -> None:
        """Make the deck worse as the recipe says; slides that the recipe does not name, hidden ones, stay in place."""
        if recipe.metric is ContentMetric.ALIGNMENT:
            self._swap_images(recipe)
        else:
            self._reorder(recipe)

    def write(self, out: Path) -> None:
        """Write the file, complete or not at all; parts that nothing leads to are left out."""
        self._store(self._main, self._root)
        self._store(_rels_of(self._main), self._rels)
        reached = self._reached()
        for override in list(self._types):
            name = (override.get("PartName") or "").lstrip("/")
            if override.tag == f"{{{_CT}}}Override" and name not in reached:
                self._types.remove(override)
        self._store("[Content_Types].xml", self._types)
        beside = out.with_name(f".{out.name}.part")
        beside.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as new:
            for name, data in self._parts.items():
                if name in reached or name == "[Content_Types].xml":
                    new.writestr(zipfile.ZipInfo(name, _MOMENT), data, zipfile.ZIP_DEFLATED)
        beside.replace(out)

    def _reorder(self, recipe: Recipe) -> None:
        if 0 in recipe.permutation:
            raise BadInput("Slides of other decks cannot be put into a file.", next_step="Choose the plain variant.")
        visible = self.visible()
        gone = set(visible) - set(recipe.permutation)
        self._unlink({part for number in gone if (part := self._slide_part(number))})
        made: list[Element] = []
        seen: set[int] = set()
        first = not recipe.inserted
        for place, number in enumerate(recipe.permutation, start=1):
            is_copy = number in seen if first else place in recipe.inserted
            made.append(self._copied(number) if is_copy else self._entries[number - 1])
            seen.add(number)
        for number, entry in enumerate(self._entries, start=1):
            if number not in visible:
                made.insert(min(number - 1, len(made)), entry)
        assert self._list is not None
        for entry in list(self._list):
            self._list.remove(entry)
        for entry in made:
            self._list.append(entry)
        kept = {entry.get(f"{{{_R}}}id") for entry in made}
        for number in gone:
            relation = self._entries[number - 1].get(f"{{{_R}}}id")
            if relation not in kept:
                for each in list(self._rels):
                    if each.get("Id") == relation:
                        self._rels.remove(each)
        self._mend_lists(made, kept)

    def _mend_lists(self, made: list[Element], kept: set[str | None]) -> None:
        ids = [entry.get("id") for entry in made]
        sections = list(self._root.iter(f"{{{_P14}}}section"))
        known: set[str | None] = set()
        for section in sections:
            for each in list(section.iter(f"{{{_P14}}}sldId")):
                known.add(each.get("id"))
                if each.get("id") not in ids:
                    _remove(each)
        if sections:
            # Slides in another order than their sections would be put back by PowerPoint: one section takes them all.
            holder = sections[0].find(f"{{{_P14}}}sldIdLst")
            if holder is None:
                holder = etree.SubElement(sections[0], f"{{{_P14}}}sldIdLst")
            for section in sections[1:]:
                _remove(section)
            for each in list(holder):
                holder.remove(each)
            for each_id in ids:
                etree.SubElement(holder, f"{{{_P14}}}sldId").set("id", str(each_id))
        for each in list(self._root.iter(f"{{{_P}}}sld")):
            if each.get(f"{{{_R}}}id") not in kept and each.getparent() is not None:
                _remove(each)

    def _copied(self, number: int) -> Element:
        entry = self._entries[number - 1]
        part = self._slide_part(number)
        if part is None:
            raise self._unreadable(f"slide {number} cannot be copied: its part is missing")
        copy = self._copy_part(part, {})
        relation = self._new_relation(self._rels, f"{_R}/slide", "/" + copy)
        new = etree.Element(entry.tag)
        taken = [int(each.get("id", "256")) for each in self._root.iter(f"{{{_P}}}sldId")]
        taken += [self._highest]
        self._highest = max(taken) + 1
        new.set("id", str(self._highest))
        new.set(f"{{{_R}}}id", relation)
        return new

    _highest = 255

    def _copy_part(self, part: str, done: dict[str, str]) -> str:
        """Copy a part and what belongs to it alone; return the copy's name."""
        if part in done:
            return done[part]
        copy = self._free_name(part)
        done[part] = copy
        self._parts[copy] = self._parts[part]
        for override in self._types.iterfind(f"{{{_CT}}}Override"):
            if (override.get("PartName") or "").lstrip("/") == part:
                etree.SubElement(self._types, f"{{{_CT}}}Override", PartName="/" + copy,
                                 ContentType=override.get("ContentType") or "")  # fmt: skip
                break
        if _rels_of(part) in self._parts:
            relations = self._relations(part)
            for each in list(relations):
                kind = (each.get("Type") or "").rsplit("/", 1)[-1]
                target = _target(part, each)
                if kind in _LEFT_OUT:
                    relations.remove(each)
                elif target is None:
                    continue
                elif target in done:
                    each.set("Target", "/" + done[target])
                elif kind in _SHARED or target not in self._parts:
                    each.set("Target", "/" + target)
                else:
                    each.set("Target", "/" + self._copy_part(target, done))
            self._store(_rels_of(copy), relations)
        return copy

    def _unlink(self, gone: set[str]) -> None:
        """Take away links of the other slides to slides that go."""
        for number in range(1, self.n_slides + 1):
            part = self._slide_part(number)
            if part is None or part in gone or _rels_of(part) not in self._parts:
                continue
            relations = self._relations(part)
            dead = {
                each.get("Id") for each in relations
                if (each.get("Type") or "").endswith("/slide") and _target(part, each) in gone
            }  # fmt: skip
            if not dead:
                continue
            root = self._xml(part)
            for node in list(root.iter(f"{{{_A}}}hlinkClick", f"{{{_A}}}hlinkHover", f"{{{_A}}}hlinkMouseOver")):
                if node.get(f"{{{_R}}}id") in dead and node.getparent() is not None:
                    _remove(node)
            for each in list(relations):
                if each.get("Id") in dead:
                    relations.remove(each)
            self._store(part, root)
            self._store(_rels_of(part), relations)

    def _swap_images(self, recipe: Recipe) -> None:
        images = self.main_images()
        now = dict(zip(self.visible(), recipe.permutation, strict=True))
        for number, shown in now.items():
            if number == shown:
                continue
            old, new = images[number], images[shown]
            part = str(self._slide_part(number))
            root, relations = self._xml(part), self._relations(part)
            relation = self._new_relation(relations, f"{_R}/image", "/" + new.part)
            for picture in root.iter(f"{{{_P}}}pic"):
                blip = picture.find(f"{{{_P}}}blipFill/{{{_A}}}blip")
                if blip is None or blip.get(f"{{{_R}}}embed") != old.relation:
                    continue
                self._fit(picture, old.part, new.part)
                blip.set(f"{{{_R}}}embed", relation)
                for extra in blip.findall(f"{{{_A}}}extLst"):
                    # It may hold the same picture as SVG, which would be shown instead.
                    blip.remove(extra)
                for crop in picture.findall(f"{{{_P}}}blipFill/{{{_A}}}srcRect"):
                    _remove(crop)
                about = picture.find(f"{{{_P}}}nvPicPr/{{{_P}}}cNvPr")
                if about is not None:
                    about.set("descr", new.alternative)
                    about.attrib.pop("title", "")
            self._store(part, root)
            self._store(_rels_of(part), relations)

    def _fit(self, picture: Element, old: str, new: str) -> None:
        """Keep the new image's proportions inside the old frame, where both sizes are known."""
        offset = picture.find(f"{{{_P}}}spPr/{{{_A}}}xfrm/{{{_A}}}off")
        extent = picture.find(f"{{{_P}}}spPr/{{{_A}}}xfrm/{{{_A}}}ext")
        size = _pixels(self._parts[new])
        if offset is None or extent is None or size is None:
            return
        width, height = int(extent.get("cx", "0")), int(extent.get("cy", "0"))
        scale = min(width / size[0], height / size[1])
        if scale <= 0:
            return
        fitted = round(size[0] * scale), round(size[1] * scale)
        offset.set("x", str(int(offset.get("x", "0")) + (width - fitted[0]) // 2))
        offset.set("y", str(int(offset.get("y", "0")) + (height - fitted[1]) // 2))
        extent.set("cx", str(fitted[0]))
        extent.set("cy", str(fitted[1]))

    def _images(self, number: int, part: str) -> Iterable[tuple[float, MainImage]]:
        if _rels_of(part) not in self._parts:
            return
        targets = {each.get("Id"): _target(part, each) for each in self._relations(part)}
        for picture in self._xml(part).iter(f"{{{_P}}}pic"):
            blip = picture.find(f"{{{_P}}}blipFill/{{{_A}}}blip")
            relation = blip.get(f"{{{_R}}}embed") if blip is not None else None
            target = targets.get(relation)
            if relation is None or target is None or target not in self._parts:
                continue
            extent = picture.find(f"{{{_P}}}spPr/{{{_A}}}xfrm/{{{_A}}}ext")
            # A picture without a frame of its own stands in a placeholder, which is large.
            area = float("inf") if extent is None else float(extent.get("cx", "0")) * float(extent.get("cy", "0"))
            about = picture.find(f"{{{_P}}}nvPicPr/{{{_P}}}cNvPr")
            yield area, MainImage(
                slide=number, part=target, digest=hashlib.sha256(self._parts[target]).hexdigest(), relation=relation,
                alternative="" if about is None else about.get("descr", ""),
            )  # fmt: skip

    def _slide_part(self, number: int) -> str | None:
        relation = self._entries[number - 1].get(f"{{{_R}}}id")
        for each in self._rels:
            if each.get("Id") == relation:
                target = _target(self._main, each)
                return target if target in self._parts else None
        return None

    def _main_part(self) -> str:
        for each in self._relations(""):
            if (each.get("Type") or "").endswith("/officeDocument"):
                target = _target("", each)
                if target in self._parts:
                    return str(target)
        raise self._unreadable("its main part is missing")

    def _relations(self, part: str) -> Element:
        name = _rels_of(part)
        if name in self._parts:
            return self._xml(name)
        return etree.Element(f"{{{_REL}}}Relationships", nsmap={None: _REL})  # type: ignore[dict-item]

    def _new_relation(self, relations: Element, kind: str, target: str) -> str:
        taken = {each.get("Id") for each in relations}
        name = next(f"rId{number}" for number in range(1, len(taken) + 2) if f"rId{number}" not in taken)
        etree.SubElement(relations, f"{{{_REL}}}Relationship", Id=name, Type=kind, Target=target)
        return name

    def _free_name(self, part: str) -> str:
        stem, dot, ending = part.rpartition(".")
        stem = re.sub(r"\d+$", "", stem)
        number = 1
        while f"{stem}{number}{dot}{ending}" in self._parts:
            number += 1
        return f"{stem}{number}{dot}{ending}"

    def _reached(self) -> set[str]:
        reached: set[str] = {"_rels/.rels"}
        waiting = [""]
        while waiting:
            part = waiting.pop()
            name = _rels_of(part)
            if name not in self._parts:
                continue
            reached.add(name)
            for each in self._relations(part):
                target = _target(part, each)
                if target is not None and target in self._parts and target not in reached:
                    reached.add(target)
                    waiting.append(target)
        return reached

    def _xml(self, part: str) -> Element:
        try:
            return etree.fromstring(self._parts[part], safe_xml_parser())
        except KeyError as error:
            raise self._unreadable(f"the part {part} is missing") from error
        except (etree.XMLSyntaxError, ValueError) as error:
            raise self._unreadable(f"the part {part} is damaged") from error

    def _store(self, part: str, root: Element) -> None:
        self._parts[part] = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)

    def _unreadable(self, what: str) -> DeckUnreadable:
        return DeckUnreadable(
            FailureKind.UNREADABLE, f"{self._name} cannot be changed: {what}.",
            next_step="Open it in PowerPoint or LibreOffice and save it anew as .pptx.",
        )  # fmt: skip


def _remove(node: Element) -> None:
    parent = node.getparent()
    if parent is not None:
        parent.remove(node)


def _rels_of(part: str) -> str:
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", f"{name}.rels")


def _target(part: str, relation: Element) -> str | None:
    target = relation.get("Target") or ""
    if relation.get("TargetMode") == "External" or not target:
        return None
    if target.startswith("/"):
        return posixpath.normpath(target[1:])
    return posixpath.normpath(posixpath.join(posixpath.dirname(part), target))


def _pixels(data: bytes) -> tuple[int, int] | None:
    from io import BytesIO

    from PIL import Image

    try:
        with Image.open(BytesIO(data)) as image:
            return image.size
    except (OSError, ValueError, Image.DecompressionBombError):
        return None
