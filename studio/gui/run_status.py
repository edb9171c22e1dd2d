"""What the status line says about the runs and imports that go on, from their events."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from studio.gui.widgets.status_line import StatusLine
from studio.model.events import ImportProgress, RunEnded, RunStarted, UnitDone, UnitFailed
from studio.model.runs import UnitStatus

IMPORT = "import"


@dataclass(frozen=True, kw_only=True)
class _Going:
    title: str
    done: int
    total: int
    failed: int
    skipped: int = 0
    began_s: float


class RunStatus:
    """Keeps what goes on and shows the newest of it."""

    def __init__(self, line: StatusLine, *, now: Callable[[], float] = time.monotonic) -> None:
        self._line = line
        self._now = now
        self._going: dict[str, _Going] = {}
        self._last_words = ""
        self._busy: list[str] = []
        self._is_blind = False

    def set_busy(self, names: list[str]) -> None:
        """Say what long work goes on, for work that tells no events."""
        self._busy = names
        if not names:
            self._going.pop(IMPORT, None)
        self.draw()

    def take(self, events: list[Any], *, is_blind: bool = False) -> None:
        """Look at a batch of events and draw once; without the runs' titles, which name judges, if blind."""
        self._is_blind = is_blind
        for event in events:
            self._take_one(event)
        self.draw()

    def clear(self) -> None:
        """Forget everything: the project is closed."""
        self._going, self._last_words = {}, ""
        self.draw()

    def draw(self) -> None:
        """Show the newest work, or how the last one ended."""
        if not self._going:
            if self._busy:
                self._line.show_work(self._busy[-1], more=len(self._busy) - 1)
            else:
                self._line.show_idle(self._last_words)
            return
        newest = list(self._going.values())[-1]
        words = " · ".join([newest.title, f"{newest.done:,}/{newest.total:,}", *_not_done(newest)])
        self._line.show_work(
            words,
            done=newest.done,
            total=newest.total,
            left_s=self._left_s(newest),
            more=len(self._going) - 1,
        )

    def _left_s(self, going: _Going) -> float | None:
        spent_s = self._now() - going.began_s
        # The first units tell little: start-up of workers and cold caches are in them.
        if going.done < 3 or spent_s < 2:
            return None
        return spent_s / going.done * (going.total - going.done)

    def _take_one(self, event: Any) -> None:
        match event:
            case RunStarted():
                self._going[event.run_id] = _Going(
                    title="background work" if self._is_blind else event.title,
                    done=0,
                    total=event.total,
                    failed=0,
                    began_s=self._now(),
                )
            case UnitDone() | UnitFailed() if event.run_id in self._going:
                going = self._going[event.run_id]
                # A unit that could not be tried is told as one without a result, and is no failure.
                is_skipped = event.record.status is UnitStatus.SKIPPED
                self._going[event.run_id] = replace(
                    going, done=event.done, total=event.total, skipped=going.skipped + is_skipped,
                    failed=going.failed + (isinstance(event, UnitFailed) and not is_skipped),
                )  # fmt: skip
            case RunEnded():
                going = self._going.pop(event.run_id, None)
                if going is not None:
                    ended = [f"{going.done - going.skipped:,} done", *_not_done(going)]
                    self._last_words = f"{going.title}: {event.state}, {', '.join(ended)}"
            case ImportProgress():
                self._take_import(event)
            case _:
                pass

    def _take_import(self, event: ImportProgress) -> None:
        going = self._going.pop(IMPORT, None)
        began_s, failed = (going.began_s, going.failed) if going else (self._now(), 0)
        failed += event.failed
        if event.done >= event.total:
            told = f", {failed} failed" if failed else ""
            self._last_words = f"Import finished: {event.done - failed:,} of {event.total:,}{told}"
        else:
            self._going[IMPORT] = _Going(
                title="import", done=event.done, total=event.total, failed=failed, began_s=began_s
            )


def _not_done(going: _Going) -> list[str]:
    """Return "2 failed" and "5 skipped", where there are any."""
    counts = ((going.failed, "failed"), (going.skipped, "skipped"))
    return [f"{number:,} {word}" for number, word in counts if number]
