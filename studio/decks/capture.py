"""A web deck as a person saved it: the page, its files, and screenshots that show it as it was."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

from studio.decks.images import page_images
from studio.decks.sniff import main_html

_FOLDERS = frozenset({"screenshots", "screenshot", "screens", "captures"})
_NAMES = re.compile(r"(screen[ _-]?shot|screen[ _-]?capture|capture)s?\b", re.IGNORECASE)
_MAX_PAGE_BYTES = 16 << 20


def screenshots(folder: Path) -> tuple[Path, ...]:
    """Return the screenshots of a saved capture in order; empty for a folder that is none.

    They lie in a folder ``screenshots`` beside the page, or beside the page itself under names such as
    ``Screenshot 1.png``. Pictures that the page itself shows are parts of it, whatever they are called.
    """
    page = main_html(folder)
    if page is None:
        return ()
    found = tuple(image for image in page_images(folder) if _NAMES.match(image.stem))
    for inner in sorted(folder.iterdir()):
        is_folder = inner.is_dir() and not inner.is_symlink()
        if is_folder and inner.name.lower() in _FOLDERS and (images := page_images(inner)):
            found = images
            break
    with page.open("rb") as file:
        shown = file.read(_MAX_PAGE_BYTES)
    names = [image.relative_to(folder).as_posix() for image in found]
    is_shown = any(way.encode() in shown for name in names for way in (name, quote(name)))
    return () if is_shown else found
