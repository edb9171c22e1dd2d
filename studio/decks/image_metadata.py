"""What a picture says about its maker beside its pixels."""

from __future__ import annotations

import io
import warnings

from PIL import ExifTags, Image

_EXIF = ("Software", "Artist", "Make", "Model", "ImageDescription", "Copyright", "HostComputer", "DocumentName",
         "XPAuthor", "XPComment", "XPTitle", "XPKeywords", "UserComment", "MakerNote")  # fmt: skip
_NOT_TEXT = frozenset({"icc_profile", "exif", "transparency", "gamma", "dpi", "background", "srgb", "interlace",
                       "jfif", "jfif_version", "jfif_unit", "jfif_density", "progressive", "progression", "adobe",
                       "adobe_transform", "duration", "loop", "version", "compression", "chromaticity", "aspect",
                       "extension", "timestamp", "mp"})  # fmt: skip
_MAX_TEXT = 4000


def image_metadata(data: bytes) -> list[tuple[str, str]]:
    """Return names and texts of a picture's EXIF fields, text chunks and comments; empty for no raster picture."""
    try:
        with warnings.catch_warnings(), Image.open(io.BytesIO(data)) as picture:
            warnings.simplefilter("ignore")
            exif = picture.getexif()
            fields = dict(exif) | dict(exif.get_ifd(ExifTags.IFD.Exif))
            info = dict(picture.info)
            if picture.format == "PNG":
                # Text may also stand behind the pixels.
                picture.load()
                info |= dict(getattr(picture, "text", {}))
    except Exception:  # Pillow raises many types for what is no picture or a damaged one
        return []
    found = []
    for tag, value in fields.items():
        name = ExifTags.TAGS.get(tag, "")
        if name in _EXIF and (text := _text(value)):
            found.append((f"EXIF {name}", text))
    for key, value in info.items():
        if str(key).lower() not in _NOT_TEXT and isinstance(value, str | bytes) and (text := _text(value)):
            found.append((str(key), text))
    return found


def _text(value: object) -> str:
    if isinstance(value, bytes):
        encoding = "utf-16-le" if value[1:2] == b"\x00" else "utf-8"
        value = value.removeprefix(b"ASCII\x00\x00\x00").decode(encoding, "replace")
    return str(value).strip("\x00 \r\n\t")[:_MAX_TEXT]
