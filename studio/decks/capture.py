"""A web deck as a person saved it: the page, its files, and screenshots that show it as it was."""

from __future__ import annotations

import re
from pathlib import Path

from studio.decks.images import page_images
from studio.decks.sniff import main_html

_FOLDERS = frozenset({"screenshots", "screenshot", "screens", "captures"})
_NAMES = re.compile(r"(screen[ _-]?shot|screen|capture|slide|page)s?[ _-]*\(?\d", re.IGNORECASE)


def screenshots(folder: Path) -> tuple[Path, ...]:
    """Return the screenshots of a saved capture in order; empty for a folder that is none.

    They lie in a folder ``screenshots`` beside the page, or beside the page itself under names such as
    ``screenshot 1.png``; other pictures beside a page are parts of it.
    """
    if main_html(folder) is None:
        return ()
    for inner in sorted(folder.iterdir()):
        if (
            inner.name.lower() in _FOLDERS
            and inner.is_dir()
            and not inner.is_symlink()
            and (found := page_images(inner))
        ):
            return found
    return tuple(image for image in page_images(folder) if _NAMES.match(image.stem))
