"""What an interrupted search has tried, kept in the project's cache so that it goes on from there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TextIO

from studio.stats.search import Point
from studio.store.project import Project


class Ledger:
    """The points of each stage of one search, in the order in which they were tried.

    The cache may be deleted at any time: a search without its ledger starts anew and ends at the same place.

    Args:
        path: one line of JSON for each point; None to keep nothing, as in a project open for reading.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._points: dict[int, list[Point]] = {}
        self._file: TextIO | None = None
        if path is not None and path.is_file():
            for line in path.read_text("utf-8").splitlines():
                self._take(line)

    def points(self, stage: int) -> tuple[Point, ...]:
        """Return the points of a stage that an earlier search tried."""
        return tuple(self._points.get(stage, ()))

    @property
    def n_known(self) -> int:
        """Return how many points an earlier search left behind."""
        return sum(len(points) for points in self._points.values())

    def record(self, stage: int, number: int, point: Point) -> None:
        """Keep the point of a trial, counted from 1, unless it is there already."""
        if self._path is None or number <= len(self._points.get(stage, ())):
            return
        if self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("a", encoding="utf-8")
            self._file.write("\n")  # a search that was killed may have left half a line
        self._file.write(json.dumps({"stage": stage, "point": point}) + "\n")
        self._file.flush()

    def close(self, *, is_done: bool) -> None:
        """Let go of the file; a search that is done needs it no more."""
        if self._file is not None:
            self._file.close()
            self._file = None
        if is_done and self._path is not None:
            self._path.unlink(missing_ok=True)

    def _take(self, line: str) -> None:
        try:
            item = json.loads(line)
            self._points.setdefault(int(item["stage"]), []).append(tuple(float(each) for each in item["point"]))
        except (ValueError, KeyError, TypeError):
            return  # a line that a killed search left half written, or an empty one


def ledger_of(project: Project, key: str) -> Ledger:
    """Return the ledger of the search with this key."""
    folder = project.cache_folder / "tuning"
    return Ledger(None if project.is_read_only else folder / f"{key[:32]}.jsonl")
