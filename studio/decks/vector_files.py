"""PDF and PNG files of drawings and of text that the program made itself."""

from __future__ import annotations

import io
from pathlib import Path

from studio.decks.mupdf import mupdf

_A4_PT = (595, 842)
_MARGIN_PT = 54
_TEXT_CSS = (
    "body { font-family: sans-serif; font-size: 10.5pt; line-height: 1.4; } h1 { font-size: 17pt; } "
    "h2 { font-size: 13pt; } h3 { font-size: 11.5pt; } table { border-collapse: collapse; } "
    "td, th { border: 0.5pt solid #888; padding: 3pt; }"
)


def svg_to_pdf(svg: str) -> bytes:
    """Return a drawing as a PDF of one page of its own size; lines and text stay what they are."""
    with mupdf().open(stream=svg.encode("utf-8"), filetype="svg") as document:
        return bytes(document.convert_to_pdf())


def svg_to_png(svg: str, *, scale: float = 3.0) -> bytes:
    """Return a drawing as a PNG with `scale` pixels for each unit of the drawing, on white."""
    pymupdf = mupdf()
    with pymupdf.open(stream=svg.encode("utf-8"), filetype="svg") as document:
        return bytes(document[0].get_pixmap(matrix=pymupdf.Matrix(scale, scale), alpha=False).tobytes("png"))


def html_to_pdf(html: str) -> bytes:
    """Return a text as a PDF of A4 pages; pictures and addresses in it are not fetched."""
    pymupdf = mupdf()
    width, height = _A4_PT
    page = pymupdf.Rect(0, 0, width, height)
    inner = pymupdf.Rect(_MARGIN_PT, _MARGIN_PT, width - _MARGIN_PT, height - _MARGIN_PT)
    out = io.BytesIO()
    story, writer = pymupdf.Story(html=html, user_css=_TEXT_CSS), pymupdf.DocumentWriter(out)
    more = 1
    while more:
        device = writer.begin_page(page)
        more, _ = story.place(inner)
        story.draw(device)
        writer.end_page()
    writer.close()
    return out.getvalue()


def png_thumbnail(path: Path, *, width_px: int) -> bytes:
    """Return a picture as a JPEG of at most this width, for pages that hold many."""
    from PIL import Image

    with Image.open(path) as picture:
        small = picture.convert("RGB")
        if small.width > width_px:
            small = small.resize((width_px, round(small.height * width_px / small.width)), Image.Resampling.LANCZOS)
        out = io.BytesIO()
        small.save(out, "JPEG", quality=82, optimize=True)
    return out.getvalue()
