"""Pictures without the texts that stand beside their pixels; PNG, JPEG and WebP keep every pixel."""

from __future__ import annotations

import io
import struct

from PIL import Image

from studio.decks.image_metadata import image_metadata
from studio.decks.images import image_kind

_PNG_DROPPED = frozenset({b"tEXt", b"zTXt", b"iTXt", b"eXIf", b"tIME", b"caBX"})
_WEBP_DROPPED = frozenset({b"EXIF", b"XMP ", b"C2PA"})
_JPEG_KEPT = frozenset({0xE0, 0xE2, 0xEE})
"""JFIF, colour profile and Adobe's colour transform: without these the picture would look otherwise."""


def without_metadata(data: bytes) -> bytes:
    """Return a picture without EXIF, text chunks, comments and provenance; anything else as it is."""
    kind = image_kind(data[:16])
    try:
        if kind == "PNG":
            return _png(data)
        if kind == "JPEG":
            return _jpeg(data)
        if kind == "WebP":
            return _webp(data)
    except (struct.error, IndexError):
        return data
    if kind is not None and image_metadata(data):
        return _drawn_again(data)
    return data


def _png(data: bytes) -> bytes:
    out = [data[:8]]
    at = 8
    while at + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        name = data[at + 4 : at + 8]
        if name not in _PNG_DROPPED:
            out.append(data[at : at + 12 + length])
        at += 12 + length
        if name == b"IEND":
            break
    return b"".join(out)


def _jpeg(data: bytes) -> bytes:
    out = [data[:2]]
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        mark = data[at + 1]
        if mark == 0xFF:
            at += 1
            continue
        if mark == 0xDA:
            break
        (length,) = struct.unpack_from(">H", data, at + 2)
        is_told = mark == 0xFE or (0xE0 <= mark <= 0xEF and mark not in _JPEG_KEPT)
        if not is_told:
            out.append(data[at : at + 2 + length])
        at += 2 + length
    return b"".join([*out, data[at:]])


def _webp(data: bytes) -> bytes:
    chunks = []
    at = 12
    while at + 8 <= len(data):
        name = data[at : at + 4]
        (length,) = struct.unpack_from("<I", data, at + 4)
        chunk = bytearray(data[at : at + 8 + length + (length & 1)])
        if name == b"VP8X" and len(chunk) > 8:
            # The flags must not promise what was taken out: bit 3 EXIF, bit 2 XMP.
            chunk[8] &= ~0x0C
        if name not in _WEBP_DROPPED:
            chunks.append(bytes(chunk))
        at += 8 + length + (length & 1)
    body = b"WEBP" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _drawn_again(data: bytes) -> bytes:
    try:
        with Image.open(io.BytesIO(data)) as picture:
            picture.load()
            plain = Image.frombytes(picture.mode, picture.size, picture.tobytes())
            if picture.mode == "P" and (palette := picture.getpalette()) is not None:
                plain.putpalette(palette)
            out = io.BytesIO()
            plain.save(out, picture.format)
            return out.getvalue()
    except Exception:  # Pillow raises many types; a picture that cannot be read shows nothing either
        return data
