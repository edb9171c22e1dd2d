"""A recipe carried out on a PDF or on page pictures: pages go, come twice or change places."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Sequence
from pathlib import Path

from studio.decks.mupdf import mupdf, opened_pdf


def rearranged_pdf(path: str, pages: Sequence[int], out: str) -> None:
    """Write the pages of a PDF in this order; a page may come several times. Runs in a worker process.

    Args:
        path: the PDF.
        pages: numbers from 1.
        out: the new file.
    """
    with opened_pdf(path, None) as document, mupdf().open() as new:
        for number in pages:
            new.insert_pdf(document, from_page=number - 1, to_page=number - 1)
        new.save(out, garbage=3, deflate=True, no_new_id=True)


def rearranged_pictures(pictures: Sequence[Path], pages: Sequence[int], out: Path) -> None:
    """Write page pictures in this order as a zip of ``slide_0001.png`` and so on."""
    beside = out.with_name(f".{out.name}.part")
    with zipfile.ZipFile(beside, "w", zipfile.ZIP_STORED) as archive:
        for place, number in enumerate(pages, start=1):
            picture = pictures[number - 1]
            name = zipfile.ZipInfo(f"slide_{place:04d}{picture.suffix.lower()}", (1980, 1, 1, 0, 0, 0))
            with picture.open("rb") as file, archive.open(name, "w") as member:
                shutil.copyfileobj(file, member)
    beside.replace(out)
