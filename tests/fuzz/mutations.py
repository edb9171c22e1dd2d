"""Damaged files, each made from a whole one by a number: the same number gives the same bytes."""

from __future__ import annotations

import io
import random
import re
import zipfile
import zlib
from collections.abc import Callable

_NAMES = "truncated flipped zeroed shuffled swapped dropped relation xml number doubled"


def mutated(data: bytes, seed: int) -> tuple[str, bytes]:
    """Return what was done to a file, and the damaged file."""
    rng = random.Random(seed)
    for _ in range(20):
        name = rng.choice(_NAMES.split())
        made = _MUTATORS[name](data, rng)
        if made is not None and made != data:
            return name, made
    return "truncated", data[: len(data) // 2]


def _truncated(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data))]


def _flipped(data: bytes, rng: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(rng.choice((1, 4, 16, 64))):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def _zeroed(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data))
    length = min(len(data) - start, rng.randrange(1, 2000))
    return data[:start] + bytes(length) + data[start + length :]


def _shuffled(data: bytes, rng: random.Random) -> bytes:
    first, second = sorted(rng.randrange(len(data)) for _ in range(2))
    return data[:first] + data[second:] + data[first:second]


def _members(data: bytes) -> list[tuple[str, bytes]] | None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return [(name, archive.read(name)) for name in archive.namelist()]
    except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, NotImplementedError, EOFError, ValueError):
        return None


def _packed(members: list[tuple[str, bytes]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)
    return out.getvalue()


def _swapped(data: bytes, rng: random.Random) -> bytes | None:
    members = _members(data)
    if not members or len(members) < 2:
        return None
    first, second = rng.sample(range(len(members)), 2)
    a, b = members[first], members[second]
    members[first], members[second] = (a[0], b[1]), (b[0], a[1])
    return _packed(members)


def _dropped(data: bytes, rng: random.Random) -> bytes | None:
    members = _members(data)
    if not members:
        return None
    members.pop(rng.randrange(len(members)))
    return _packed(members)


def _doubled(data: bytes, rng: random.Random) -> bytes | None:
    members = _members(data)
    if not members:
        return None
    name, body = rng.choice(members)
    return _packed([*members, (f"{name}.copy", body), (name.upper(), body[: len(body) // 2])])


def _in_xml(data: bytes, rng: random.Random, change: Callable[[bytes], bytes], only: str) -> bytes | None:
    members = _members(data)
    if members is None:
        return change(data) if data.lstrip()[:1] in {b"<", b"%"} else None
    chosen = [index for index, (name, _) in enumerate(members) if name.endswith(only)]
    if not chosen:
        return None
    index = rng.choice(chosen)
    members[index] = (members[index][0], change(members[index][1]))
    return _packed(members)


def _relation(data: bytes, rng: random.Random) -> bytes | None:
    def change(xml: bytes) -> bytes:
        found = list(re.finditer(rb'(Target|Id|Type|TargetMode)="([^"]*)"', xml))
        if not found:
            return xml
        match = rng.choice(found)
        value = rng.choice(
            (b"NULL", b"", b"../../../../etc/hosts", b"slide1.xml", b"http://127.0.0.1:9/x", b"rId1", b"External",
             b"../slides/slide99.xml", b"presentation.xml", b"\xc3\xa4%00#?"),
        )  # fmt: skip
        return xml[: match.start(2)] + value + xml[match.end(2) :]

    return _in_xml(data, rng, change, ".rels")


def _xml(data: bytes, rng: random.Random) -> bytes | None:
    def change(xml: bytes) -> bytes:
        found = list(re.finditer(rb"<[^>]{1,200}>", xml))
        if not found:
            return xml
        match = rng.choice(found)
        other = rng.choice(found)
        by = rng.choice((b"", match.group() * 2, other.group(), b"<", b"&boom;", b"\x00", b"<a:p>" * 300))
        return xml[: match.start()] + by + xml[match.end() :]

    return _in_xml(data, rng, change, ".xml")


def _number(data: bytes, rng: random.Random) -> bytes | None:
    def change(xml: bytes) -> bytes:
        found = list(re.finditer(rb"(?<=[\" ])-?\d+(?=[\" ])", xml))
        if not found:
            return xml
        match = rng.choice(found)
        by = rng.choice((b"0", b"-1", b"2147483648", b"99999999999999999999", b"1e400", b"NaN", b"x", b"-914400000"))
        return xml[: match.start()] + by + xml[match.end() :]

    return _in_xml(data, rng, change, ".xml")


_MUTATORS: dict[str, Callable[[bytes, random.Random], bytes | None]] = {
    "truncated": _truncated, "flipped": _flipped, "zeroed": _zeroed, "shuffled": _shuffled, "swapped": _swapped,
    "dropped": _dropped, "relation": _relation, "xml": _xml, "number": _number, "doubled": _doubled,
}  # fmt: skip
