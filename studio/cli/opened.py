"""Opening a project for the length of a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from studio import settings
from studio.actions import projects
from studio.cli.output import note
from studio.store.project import Project

if TYPE_CHECKING:
    from studio.decks.tools import RenderTools


@contextmanager
def opened(folder: Path, *, must_write: bool = False) -> Iterator[Project]:
    """Yield the open project; what its user should know goes to stderr."""
    project = projects.open_project(folder, must_write=must_write)
    try:
        for notice in project.notices:
            note(notice)
        yield project
    finally:
        project.close()


def tools() -> RenderTools:
    """Return the programs for rendering, from the user's settings or from where they usually are."""
    # Imported here: most commands render nothing.
    from studio.actions.programs import render_tools

    return render_tools(settings.load())
