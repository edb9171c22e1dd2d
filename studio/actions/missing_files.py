"""Originals that are not in the project's folder any more: which, and finding them by their content."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from studio.actions.figures import counted
from studio.decks.content import content_of
from studio.errors import BadInput, DeckUnreadable
from studio.model.changes import Changes, Topic, changed
from studio.model.ids import Sha256
from studio.model.packs import PACK_META
from studio.store import decks as deck_store
from studio.store.project import Project

_MOST_FILES = 200_000
"""More are not looked at: a folder so large was chosen by mistake."""


@dataclass(frozen=True, kw_only=True)
class MissingFile:
    """One original that is recorded and not there."""

    asset: Sha256
    extension: str
    size_bytes: int
    words: str
    """What it is, such as ``deck Aster (talk.pptx)``."""


@dataclass(frozen=True, kw_only=True)
class FoundReport:
    """What a search brought."""

    n_found: int
    n_missing: int
    """Still missing afterwards."""


def missing_files(project: Project) -> list[MissingFile]:
    """Return the originals of decks and sources that are not in the project's folder."""
    there = _names(project)
    decks = [
        MissingFile(asset=deck.asset, extension=deck.extension, size_bytes=deck.size_bytes,
                    words=f"deck {deck.system} ({deck.original_name})")
        for deck in deck_store.list_decks(project)
        if deck.asset and project.asset_path(deck.asset, deck.extension).name not in there
    ]  # fmt: skip
    sources = [
        MissingFile(asset=source.asset, extension=source.extension, size_bytes=source.size_bytes,
                    words=f"source {source.name}")
        for source in deck_store.list_sources(project)
        if project.asset_path(source.asset, source.extension).name not in there
    ]  # fmt: skip
    return decks + sources


def missing_notice(project: Project) -> tuple[str, ...]:
    """Return a line about missing originals for whoever opens the project, or nothing."""
    if project.meta(PACK_META, ""):
        return ()
    there = _names(project)
    recorded = deck_store.recorded_assets(project)
    number = sum(project.asset_path(asset, extension).name not in there for asset, extension in recorded)
    if not number:
        return ()
    verb = "is" if number == 1 else "are"
    return (
        f"{counted(number, 'original')} of decks or sources {verb} missing. Answers stay; bring them back with "
        "File › Find missing files.",
    )


def find_missing(project: Project, folder: Path) -> tuple[FoundReport, Changes]:
    """Bring back missing originals whose content lies in a folder or below, under whatever name.

    Files are copied, never moved. Only a file of the recorded size and hash is taken, so that answers and values stay
    about the file that they were given on.

    Raises:
        BadInput: if the folder is not there, or holds far too many files.
        StudioError: if a file cannot be copied into the project.
    """
    if not folder.is_dir():
        raise BadInput(f"{folder} is no folder.", next_step="Choose another one.")
    wanted = {each.asset: each for each in missing_files(project)}
    sizes = {each.size_bytes for each in wanted.values()}
    found = 0
    for path in _files(folder):
        if len(wanted) == 0:
            break
        try:
            if path.stat().st_size not in sizes:
                continue
            content = content_of(path)
        except (DeckUnreadable, OSError):
            continue
        known = wanted.pop(content.sha256, None)
        if known is not None:
            project.add_asset(path, known.asset, known.extension)
            found += 1
    return FoundReport(n_found=found, n_missing=len(wanted)), changed(Topic.DECKS)


def _names(project: Project) -> frozenset[str]:
    folder = project.folder / "assets"
    return frozenset(os.listdir(folder)) if folder.is_dir() else frozenset()


def _files(folder: Path) -> Iterator[Path]:
    number = 0
    for base, _, names in os.walk(folder):
        for name in sorted(names):
            number += 1
            if number > _MOST_FILES:
                raise BadInput(
                    f"{folder} holds more than {_MOST_FILES:,} files.", next_step="Choose the folder that they lie in."
                )
            yield Path(base) / name
