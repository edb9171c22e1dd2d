"""Units of a judge run on a Dask cluster; results come back to this program, the only one that writes.

The workers need the studio installed and the judge's key in their own environment or keyring, and no project: the
contents of pictures and files that they cannot see are sent along with a unit.
"""

from __future__ import annotations

import atexit
import hashlib
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any

from studio.errors import StudioError, ToolMissing
from studio.jobs.executors import Outcome, Work, result_of, run_work
from studio.jobs.judge_work import AskerParts, JudgeTask
from studio.judges.asking import Asker, Held, RunStop
from studio.judges.budget import Budget, Ledger
from studio.judges.connect import connect
from studio.judges.identity import files_of
from studio.judges.keys import find_key
from studio.judges.limits import Limits
from studio.model.decks import Failure
from studio.model.judging import FilePart, ImagePart, JudgeClient, JudgeReply, JudgeRequest, Part
from studio.model.protocols import CancelToken
from studio.model.runs import Unit, UnitResult

_POLL_S = 0.2
_CONNECT_S = 15


@dataclass(frozen=True, kw_only=True)
class Parcel:
    """A unit's work as it is sent to a worker."""

    parts: AskerParts
    task: JudgeTask
    workers: int
    """How many share the endpoint's limits."""
    run: str
    """Names the run, so that a worker makes one client for it."""
    stored: Mapping[str, Sequence[JudgeReply]] = field(default_factory=dict)
    contents: Mapping[str, bytes] = field(default_factory=dict)
    """Pictures and files that the worker cannot see, by hash."""


class Sending(Enum):
    """Whether a unit may be sent."""

    NOW = "now"
    LATER = "later"
    """Once others came back."""
    NEVER = "never"


class DaskExecutor:
    """Sends units to the workers of a scheduler, a few more than are in flight at the endpoint.

    Args:
        scheduler: its address, such as ``tcp://10.0.0.5:8786``.
        parts: what the workers make their askers of.
        finish: applied to each result.
        drain: once set, nothing more is sent.
        before: asked before a unit is sent; a unit that is to wait is asked after again when others came back.
        stored: returns the stored replies that a unit will look for.
    """

    def __init__(
        self, scheduler: str, *, parts: AskerParts, finish: Callable[[UnitResult], UnitResult | None],
        drain: CancelToken, before: Callable[[Unit], Sending],
        stored: Callable[[JudgeTask, str], Mapping[str, Sequence[JudgeReply]]],
    ) -> None:  # fmt: skip
        self._scheduler = scheduler
        self._parts = parts
        self._finish = finish
        self._drain = drain
        self._before = before
        self._stored = stored

    def stream(self, work: Work, units: Iterable[Unit], cancel: CancelToken) -> Iterator[UnitResult | None]:
        """See `Executor.stream`. Units of a worker that is lost fail by themselves; the others go on."""
        del work
        client = _client(self._scheduler)
        try:
            yield from self._stream(client, units, cancel)
        finally:
            client.close()

    def _stream(self, client: Any, units: Iterable[Unit], cancel: CancelToken) -> Iterator[UnitResult | None]:
        import distributed

        as_completed: Any = distributed.as_completed

        workers = len(client.scheduler_info(n_workers=-1)["workers"])
        if not workers:
            raise StudioError(
                f"The scheduler at {self._scheduler} has no workers.", next_step="Start workers for it: dask worker."
            )
        run = f"{self._parts.version}-{time.time_ns():x}"
        sees = _Sees(client)
        limit = 2 * max(workers, Limits.of(self._parts.setup).max_in_flight)
        waiting = iter(units)
        in_flight: dict[Any, Unit] = {}
        held: Unit | None = None
        done = as_completed(loop=client.loop, with_results=False)
        while True:
            while len(in_flight) < limit and not cancel.is_set() and not self._drain.is_set():
                unit = held or next(waiting, None)
                held = None
                if unit is None:
                    break
                sending = self._before(unit)
                if sending is not Sending.NOW:
                    held = unit if sending is Sending.LATER else None
                    break
                parcel = self._parcel(unit, workers, run, sees)
                # The scheduler gives the units of a lost worker to others; one that kills several workers fails.
                future = client.submit(hold, parcel, pure=False)
                in_flight[future] = unit
                done.add(future)
            if cancel.is_set():
                client.cancel(list(in_flight))
                return
            if not in_flight:
                return
            finished = _next_batch(done, cancel)
            if not finished:
                yield None
            for future in finished:
                unit = in_flight.pop(future)
                result = result_of(unit, _outcome(future), cancel)
                kept = self._finish(result) if result is not None else None
                if kept is not None:
                    yield kept

    def _parcel(self, unit: Unit, workers: int, run: str, sees: _Sees) -> Parcel:
        task: JudgeTask = unit.payload
        files = files_of(task.conversation.requests())
        contents = {} if sees.all(files) else {digest: path.read_bytes() for digest, path in files.items()}
        return Parcel(
            parts=self._parts, task=task, workers=workers, run=run, stored=self._stored(task, unit.key),
            contents=contents,
        )  # fmt: skip


class _Sees:
    """Tells whether all workers see a folder's files; each folder is asked after once."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._folders: dict[Path, bool] = {}

    def all(self, files: Mapping[str, Path]) -> bool:
        for path in files.values():
            if path.parent not in self._folders:
                self._folders[path.parent] = all(self._client.run(_exists, str(path)).values())
        return all(self._folders[path.parent] for path in files.values())


def _exists(path: str) -> bool:
    return Path(path).is_file()


def _client(scheduler: str) -> Any:
    try:
        import distributed
    except ImportError as error:
        raise ToolMissing(
            "Dask is not installed.", next_step='Install it with: pip install "podium-studio[dask]"'
        ) from error
    make: Any = distributed.Client
    try:
        return make(scheduler, timeout=_CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise StudioError(
            f"There is no Dask scheduler at {scheduler} ({error}).",
            next_step="Start one with: dask scheduler, or check its address.",
        ) from error


def _next_batch(done: Any, cancel: CancelToken) -> list[Any]:
    """Return the futures that have ended since; after a moment without any, none."""
    until = time.monotonic() + _POLL_S
    while not done.has_ready() and not cancel.is_set() and time.monotonic() < until:
        time.sleep(0.005)
    return list(done.next_batch(block=False)) if done.has_ready() else []


def _outcome(future: Any) -> Outcome:
    if future.status == "finished":
        outcome: Outcome = future.result()
        return outcome
    if future.status in {"cancelled", "lost"}:
        return Outcome(None, Failure(kind="worker_died", message="the cluster lost this unit"), False, 0.0, 0)
    error = future.exception()
    kind = "worker_died" if type(error).__name__ == "KilledWorker" else "fault"
    words = "the worker that had this unit ended" if kind == "worker_died" else f"{type(error).__name__}: {error}"
    return Outcome(None, Failure(kind=kind, message=words), False, 0.0, 0)


# --- on the workers

_askers: dict[str, Asker] = {}
_making = threading.Lock()
_NEVER = threading.Event()


def hold(parcel: Parcel) -> Outcome:
    """Hold a conversation on a worker and return what became of it."""
    return run_work(_hold, parcel)


def _hold(parcel: Parcel) -> Held:
    asker = _asker_of(parcel)
    stored = parcel.stored

    def look(key: str) -> Sequence[JudgeReply]:
        return stored.get(key, ())

    return asker.hold(parcel.task.conversation, _NEVER, look)


def _asker_of(parcel: Parcel) -> Asker:
    """Return this worker's asker for the run; one of an earlier run is closed, and what it uploaded deleted."""
    with _making:
        asker = _askers.get(parcel.run)
        if asker is None:
            close_all()
            setup = parcel.parts.setup
            client: JudgeClient = connect(setup, key=find_key(setup.provider).key)
            # The budget is kept by the program that writes.
            asker = parcel.parts.asker(_FromParcels(client), RunStop(), Ledger(Budget(), None), workers=parcel.workers)
            _askers[parcel.run] = asker
        if parcel.contents and isinstance(asker.client, _FromParcels):
            asker.client.unpack(parcel.contents)
        return asker


def close_all() -> None:
    """Close the askers of this worker."""
    for run in list(_askers):
        asker = _askers.pop(run)
        asker.close()
        asker.client.close()


atexit.register(close_all)


class _FromParcels:
    """A client that takes pictures and files from what was sent along, where they are not on this machine."""

    def __init__(self, client: JudgeClient) -> None:
        self._client = client
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._known: dict[str, Path] = {}

    def unpack(self, contents: Mapping[str, bytes]) -> None:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="podium-worker-")
        for digest, data in contents.items():
            if digest not in self._known and hashlib.sha256(data).hexdigest() == digest:
                path = Path(self._folder.name) / digest
                path.write_bytes(data)
                self._known[digest] = path

    def ask(self, request: JudgeRequest, cancel: CancelToken) -> JudgeReply:
        return self._client.ask(replace(request, parts=self._here(request.parts)), cancel)

    def close(self) -> None:
        self._client.close()
        if self._folder is not None:
            self._folder.cleanup()

    def _here(self, parts: Sequence[Part]) -> tuple[Part, ...]:
        return tuple(
            replace(part, path=self._known[part.sha256])
            if isinstance(part, ImagePart | FilePart) and part.sha256 in self._known
            else part
            for part in parts
        )
