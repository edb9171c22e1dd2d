"""Small decks and PDFs that the tests make for themselves."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

from pptx import Presentation
from pptx.util import Inches


def write_deck(
    path: Path, texts: Sequence[str], *, hidden: Sequence[int] = (), notes: dict[int, str] | None = None
) -> Path:
    """Write a 16:9 deck with one text box per slide."""
    presentation = Presentation()
    presentation.slide_width, presentation.slide_height = 12_192_000, 6_858_000
    for number, text in enumerate(texts, start=1):
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(8), Inches(1))
        box.text_frame.text = text
        if number in hidden:
            slide._element.set("show", "0")
        if notes and number in notes:
            slide.notes_slide.notes_text_frame.text = notes[number]
    presentation.save(str(path))
    return path


def rewritten(path: Path, out: Path, change: Callable[[str, bytes], bytes | None]) -> Path:
    """Write a zip again with each member changed; None leaves it out."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = change(name, old.read(name))
            if data is not None:
                new.writestr(name, data)
    return out


def with_content_type(path: Path, out: Path, content_type: str) -> Path:
    """Write a deck under another main content type."""
    main = b"application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
    return rewritten(
        path,
        out,
        lambda name, data: data.replace(main, content_type.encode()) if name == "[Content_Types].xml" else data,
    )


def pdf_bytes(pages: Sequence[tuple[float, float, str]], *, rotate: int = 0) -> bytes:
    """Return a PDF with one line of Helvetica per page: width, height and text; no text, no font."""
    objects: list[bytes] = []
    kids = " ".join(f"{3 + 2 * index} 0 R" for index in range(len(pages)))
    objects.append(b"<< /Type /Catalog /Pages 2 0 R >>")
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode())
    font = "<< /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"
    for index, (width, height, text) in enumerate(pages):
        plain = re.sub(r"([()\\])", r"\\\1", text)
        draw = f"BT /F1 24 Tf 72 {height - 96:g} Td ({plain}) Tj ET" if text else "1 0 0 rg 0 0 50 50 re f"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:g} {height:g}] /Rotate {rotate} "
            f"/Resources << /Font {font} >> /Contents {4 + 2 * index} 0 R >>".encode()
        )
        objects.append(f"<< /Length {len(draw)} >>\nstream\n{draw}\nendstream".encode())
    out = io.BytesIO(b"")
    out.write(b"%PDF-1.4\n")
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(out.tell())
        out.write(f"{number} 0 obj\n".encode() + body + b"\nendobj\n")
    start = out.tell()
    out.write(f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode())
    for offset in offsets:
        out.write(f"{offset:010d} 00000 n \n".encode())
    out.write(f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode())
    return out.getvalue()
