"""What the window calls to make, open and close projects; tests and other front ends hand in their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from studio.gui.context import AppContext
    from studio.model.changes import Changes

PROJECT_FILE = "project.db"


def _no_notices(_project: Any) -> Sequence[str]:
    return ()


def _no_page(_project: Any) -> str:
    return ""


def _is_never(_project: Any) -> bool:
    return False


@dataclass(frozen=True, kw_only=True)
class ProjectServices:
    """Functions over a project. Those that are None have no menu entry that can be chosen.

    `open`, `create`, `save_copy` and `demo` run off the main thread, `close` on it: what a project holds must
    not depend on the thread that opened it.
    """

    open: Callable[[Path], Any]
    create: Callable[..., Any]
    """`create(folder, title=…)`"""
    close: Callable[[Any], None]
    title: Callable[[Any], str]
    folder: Callable[[Any], Path]
    is_read_only: Callable[[Any], bool] = _is_never
    notices: Callable[[Any], Sequence[str]] = _no_notices
    """What the user should know about this project, such as "read-only: open in another window"."""
    save_copy: Callable[[Any, Path], Path] | None = None
    demo: Callable[..., Path] | None = None
    """`demo(emit=…, cancel=…)` builds the demo if it is not there yet, and returns its folder."""
    fill_demo: Callable[..., Changes] | None = None
    """`fill_demo(project, settings, emit=…, cancel=…)` lets code and the scripted judge judge the opened demo."""
    export: Callable[[QWidget, AppContext], None] | None = None
    import_table: Callable[[QWidget, AppContext, Callable[[Sequence[Path]], None]], None] | None = None
    """Asks for tables and hands them to the function."""
    report: Callable[[QWidget, AppContext], None] | None = None
    case_cards: Callable[[QWidget, AppContext], None] | None = None
    release: Callable[[QWidget, AppContext], None] | None = None
    """Ask what goes out for others, and write it in the background."""
    guidelines: Callable[[QWidget, AppContext], None] | None = None
    find_missing: Callable[..., Any] | None = None
    """`find_missing(project, folder)` brings back originals by their content and returns a report and the changes."""
    has_studies: bool = False
    """Whether what `open` returns is a project with studies, people and guidelines."""
    is_pack: Callable[[Any], bool] = _is_never
    """Whether a project came from a pack: its window is an annotator's, whatever the settings say."""
    pack_page: Callable[[Any], str] = _no_page
    """The page on which a pack is answered; empty for any other project."""
    open_pack: Callable[[Path], Path] | None = None
    """Makes a project of a pack, beside it, and returns its folder."""
    send_answers: Callable[[Any, Path], tuple[Path, int]] | None = None
    """Writes a pack's answers and returns where, and how many."""
    merge_answers: Callable[..., Any] | None = None
    """`merge_answers(project, file, is_dry_run=…)` returns what becomes of the answers, and the changes."""


def is_project(folder: Path) -> bool:
    """Return whether a folder holds a project."""
    return (folder / PROJECT_FILE).is_file()
