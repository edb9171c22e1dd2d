"""The programs that render decks, as the user set them or as they were found."""

from __future__ import annotations

from pathlib import Path

from studio.decks.tools import RenderTools, find_tools
from studio.settings import Settings


def render_tools(settings: Settings) -> RenderTools:
    """Return the programs that the settings name now, or those found where they usually are."""
    paths = [settings.text(name) for name in ("libreoffice_path", "chromium_path")]
    libreoffice, chromium = (Path(path) if path else None for path in paths)
    return find_tools(libreoffice=libreoffice, chromium=chromium)
