"""An alignment set for others, as one folder."""

from __future__ import annotations

from pathlib import Path

from studio.actions import tables
from studio.exchange.release import Release as Release
from studio.exchange.release import write_release
from studio.store.project import Project


def release(project: Project, out: Path, *, licence: str = "", with_comments: bool = False) -> Release:
    """Write all tables of a project, its guidelines, a card and checksums; see `write_release`."""
    found = {name: tables.table_rows(project, name) for name in (*tables.TABLES, *tables.ONLY_OUT) if name != "dpo"}
    return write_release(project, out, found, licence=licence, with_comments=with_comments)
