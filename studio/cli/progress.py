"""Shows a run's events on stderr: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from studio.cli.output import note
from studio.model.events import Event, ImportProgress, RunEnded, RunStarted, SearchProgress, UnitDone, UnitFailed
from studio.model.runs import RunState

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_LINE_EVERY = 25
"""Plain output says how far it is every so many units."""


class Shown:
    """Takes events from any thread and shows them."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._task: TaskID | None = None
        self._lock = threading.Lock()

    def __call__(self, event: Event) -> None:
        """Show one event."""
        with self._lock:
            match event:
                case RunStarted():
                    cached = f", {event.cached} done before" if event.cached else ""
                    self._begin(f"{event.title}: {event.total} to do{cached}", event.total)
                case UnitDone():
                    self._step(event.done, event.total, event.record.label)
                case UnitFailed():
                    self._say(f"  {event.record.label}: {event.record.message or event.record.failure_kind}")
                    self._step(event.done, event.total, event.record.label)
                case ImportProgress():
                    if self._task is None and self._progress is not None:
                        self._begin("Import", event.total)
                    self._step(event.done, event.total, event.name)
                case SearchProgress():
                    if self._task is None and self._progress is not None:
                        self._begin("Search", event.total)
                    self._step(event.done, event.total, f"{event.stage}, best {event.best:.3f}")
                case RunEnded():
                    counts = ", ".join(f"{number} {status}" for status, number in event.counts.items())
                    nothing = "nothing to do" if event.state is RunState.DONE else "nothing finished"
                    self._end(f"{event.state.value}: {counts or nothing} in {event.seconds:.1f} s")

    def _begin(self, text: str, total: int) -> None:
        if self._progress is None:
            note(text)
        else:
            from rich.markup import escape

            # Escaped, since titles and labels hold people's names, and "[draft]" in one is no markup.
            self._task = self._progress.add_task(escape(text), total=max(total, 1))

    def _step(self, done: int, total: int, label: str) -> None:
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=done)
        elif done % _LINE_EVERY == 0:
            note(f"  {done}/{total} {label}")

    def _end(self, text: str) -> None:
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=self._progress.tasks[self._task].total)
            self._task = None
        self._say(f"  {text}")

    def _say(self, text: str) -> None:
        if self._progress is not None:
            self._progress.console.print(text, highlight=False, markup=False)
        else:
            note(text)


@contextmanager
def shown_progress() -> Iterator[Shown]:
    """Yield something that shows events, with a live bar if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield Shown(None)
        return
    # Imported here: nothing of it is needed where no bar is shown.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=False) as progress:
        yield Shown(progress)


@contextmanager
def cancel_on_interrupt() -> Iterator[threading.Event]:
    """Yield an event that Ctrl-C (or a polite kill) sets, so that work ends with what is done kept."""
    cancel = threading.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        if cancel.is_set():
            raise KeyboardInterrupt
        cancel.set()
        note("Stopping; what is done is kept. Ctrl-C again stops at once.")

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield cancel
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
