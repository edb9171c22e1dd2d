"""Where the demo's fonts come from: fontconfig, and MuPDF's own fonts on machines without it.

Pictures and PDFs need font files. On Linux `fc-match -f %{file}` names the file of a family, and always
answers with some font. Windows and macOS have no fontconfig; there MuPDF's built-in Helvetica and Droid Sans
Fallback, which come with PyMuPDF, take their places, so that the recipe runs everywhere.
"""

from __future__ import annotations

import io
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache

import pymupdf
from PIL import ImageFont

SANS = "Carlito"
PLAIN = "Liberation Sans"
NARROW = "Liberation Sans Narrow"
SERIF = "Caladea"
CHINESE = "Noto Sans CJK SC"
CHINESE_SERIF = "Noto Serif CJK SC"


@dataclass(frozen=True, kw_only=True)
class Face:
    """A font file, or the bytes of a built-in font."""

    path: str = ""
    index: int = 0
    """Number of the font in a collection."""
    data: bytes = b""
    stroke: float = 0.0
    """Width of an outline that makes a face bold which has no bold cut, in type sizes."""

    def open(self) -> pymupdf.Font:
        """Return the font for measuring."""
        return pymupdf.Font(fontfile=self.path) if self.path else pymupdf.Font(fontbuffer=self.data)


@cache
def face(family: str, *, bold: bool = False) -> Face:
    """Return the font file that stands for a family.

    Args:
        family: a family name such as ``Carlito``.
        bold: whether the bold cut is wanted.
    """
    is_chinese = "CJK" in family
    program = shutil.which("fc-match")
    if program is None:
        return _built_in(is_chinese, bold)
    pattern = f"{family}:bold" if bold else family
    found = subprocess.run(
        [program, "-f", "%{file}\n%{index}", pattern], capture_output=True, text=True, check=True, timeout=30
    )
    path, index = found.stdout.split("\n")
    # fontconfig answers with a Latin font where no Chinese one is installed.
    if not path or (is_chinese and not pymupdf.Font(fontfile=path).has_glyph(ord("茶"))):
        return _built_in(is_chinese, bold)
    return Face(path=path, index=int(index) & 0xFFFF)


@cache
def page_face(family: str, *, bold: bool = False) -> Face:
    """Return the font that stands for a family on a PDF page.

    MuPDF cannot cut a subset out of a collection (`.ttc`), as which Chinese fonts are installed, and would
    put all of its 20 MB into the file. Pages therefore use its own Chinese font, outlined where it is bold.
    """
    if "CJK" not in family:
        return face(family, bold=bold)
    return Face(data=_built_in(True, bold).data, stroke=0.035 if bold else 0.0)


def _built_in(is_chinese: bool, bold: bool) -> Face:
    name = "cjk" if is_chinese else "hebo" if bold else "helv"
    return Face(data=bytes(pymupdf.Font(name).buffer))


@cache
def measuring(font: Face) -> pymupdf.Font:
    """Return the font opened once for measuring."""
    return font.open()


@cache
def pillow_font(font: Face, size_px: int) -> ImageFont.FreeTypeFont:
    """Return the font for drawing on a Pillow image at a size in pixels."""
    source = font.path or io.BytesIO(font.data)
    # The basic layout engine is part of every Pillow; Raqm is not, and would set text differently.
    return ImageFont.truetype(source, size_px, index=font.index, layout_engine=ImageFont.Layout.BASIC)
