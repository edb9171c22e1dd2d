"""Office files to PDF through LibreOffice: by a warm worker, or by a program of its own where there is none."""

from __future__ import annotations

import atexit
import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from studio.decks import office_workers
from studio.decks.limits import Limits
from studio.decks.office_kit import Order, library_of
from studio.decks.processes import run_program
from studio.decks.scratch import new_folder, scratch
from studio.errors import Cancelled, DeckUnreadable, ToolMissing
from studio.model.decks import FailureKind
from studio.model.protocols import CancelToken

_MAX_AT_ONCE = max(3, min(4, os.cpu_count() or 1))
_POLL_S = 0.1
_HIDDEN_TOO = 'pdf:impress_pdf_Export:{"ExportHiddenSlides":{"type":"boolean","value":"true"}}'

# Macros never run, links to outside are never followed, and nothing asks or phones home.
_COMMON = "/org.openoffice.Office.Common"
_UPDATE = "/org.openoffice.Office.Jobs/Jobs/org.openoffice.Office.Jobs:Job['UpdateCheck']/Arguments"
_SETTINGS = (
    (f"{_COMMON}/Security/Scripting", "MacroSecurityLevel", "3"),
    (f"{_COMMON}/Security/Scripting", "DisableMacrosExecution", "true"),
    (f"{_COMMON}/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    (f"{_COMMON}/Misc", "FirstRun", "false"),
    ("/org.openoffice.Office.Recovery/RecoveryInfo", "Enabled", "false"),
    (_UPDATE, "AutoCheckEnabled", "false"),
)
_TYPE = ' oor:type="xs:boolean"'
_PROFILE = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<oor:items xmlns:oor="http://openoffice.org/2001/registry" '
    'xmlns:xs="http://www.w3.org/2001/XMLSchema">\n'
    + "".join(
        f'<item oor:path="{path}"><prop oor:name="{name}" oor:op="fuse"'
        f"{_TYPE if path == _UPDATE else ''}><value>{value}</value></prop></item>\n"
        for path, name, value in _SETTINGS
    )
    + "</oor:items>\n"
)


class _Profiles:
    """Profile folders; a warm one saves LibreOffice a third of its start."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[Path] = []
        self._root: Path | None = None
        self._count = 0

    @contextmanager
    def one(self) -> Iterator[Path]:
        """Give a profile that nobody else has; after an error it is thrown away."""
        profile = self._take()
        try:
            yield profile
        except BaseException:
            shutil.rmtree(profile, ignore_errors=True)
            raise
        self._give_back(profile)

    def _take(self) -> Path:
        with self._lock:
            if self._idle:
                return self._idle.pop()
            if self._root is None or not self._root.is_dir():
                self._root = new_folder("libreoffice")
            self._count += 1
            profile = self._root / f"profile{self._count}"
        user = profile / "user"
        user.mkdir(parents=True)
        (user / "registrymodifications.xcu").write_text(_PROFILE, "utf-8")
        return profile

    def _give_back(self, profile: Path) -> None:
        with self._lock:
            if self._root is not None and profile.is_relative_to(self._root):
                self._idle.append(profile)
                return
        shutil.rmtree(profile, ignore_errors=True)

    def clear(self) -> None:
        """Remove all idle profiles and their folder."""
        with self._lock:
            root, self._root, self._idle = self._root, None, []
        if root is not None:
            shutil.rmtree(root, ignore_errors=True)


_profiles = _Profiles()
_slots = threading.Semaphore(_MAX_AT_ONCE)
atexit.register(_profiles.clear)


@contextmanager
def _turn(cancel: CancelToken | None) -> Iterator[None]:
    while not _slots.acquire(timeout=_POLL_S):
        if cancel is not None and cancel.is_set():
            raise Cancelled("Stopped.")
    try:
        yield
    finally:
        _slots.release()


def shutdown() -> None:
    """Stop idle workers and remove profiles; safe to call twice. Conversions under way are stopped by their tokens."""
    office_workers.shutdown()
    _profiles.clear()


def to_pdf(
    path: Path,
    out_dir: Path,
    *,
    soffice: Path | None,
    timeout_s: float,
    cancel: CancelToken | None = None,
    suffix: str = "",
    with_hidden: bool = False,
) -> Path | None:
    """Convert an Office file and return the PDF, ``out_dir/deck.pdf``.

    Args:
        path: the file; a copy under a plain name is converted, the file itself is never opened for writing.
        out_dir: an existing folder.
        soffice: the program; None if it was not found.
        timeout_s: of the conversion, without the time it waited for its turn.
        cancel: takes effect within two seconds.
        suffix: what the file really is, such as ``.ppsx``; empty: what its name says.
        with_hidden: whether hidden slides get pages too (LibreOffice 7.4 and later).

    Returns:
        None if LibreOffice ended without a word and without a PDF, as it does for a deck whose slides
        are all hidden; whether that is right is the caller's to judge.

    Raises:
        ToolMissing: without LibreOffice.
        DeckUnreadable: kind ``render_failed`` if it says that it cannot load the file, ``timed_out``.
        Cancelled: the token was set.
    """
    if soffice is None:
        raise ToolMissing("LibreOffice was not found.", next_step="Install it or set its path in Settings.")
    with _turn(cancel), scratch("convert") as work:
        source = work / f"deck{suffix or _plain_suffix(path)}"
        shutil.copyfile(path, source)
        made = work / "out"
        made.mkdir()
        library = library_of(soffice)
        if library is not None and _by_worker(library, source, made, path.name, timeout_s, cancel, with_hidden):
            return _taken(made, out_dir)
        return _by_program(soffice, source, made, out_dir, path.name, timeout_s, cancel, with_hidden)


def _by_worker(
    library: Path, source: Path, made: Path, name: str, timeout_s: float, cancel: CancelToken | None, with_hidden: bool
) -> bool:
    """Convert in a warm worker; False if the worker was lost, which says nothing about the deck yet."""
    order = Order(source=str(source), target=str(made / "deck.pdf"), with_hidden=with_hidden)
    try:
        answer = office_workers.convert(library, _PROFILE, order, name=name, timeout_s=timeout_s, cancel=cancel)
    except office_workers.WorkerLost:
        (made / "deck.pdf").unlink(missing_ok=True)
        return False
    if not answer.is_loaded:
        raise _cannot_open(name, answer.message or "it says no more")
    return True


def _by_program(
    soffice: Path, source: Path, made: Path, out_dir: Path, name: str, timeout_s: float,
    cancel: CancelToken | None, with_hidden: bool,
) -> Path | None:  # fmt: skip
    work = made.parent
    with _profiles.one() as profile:
        started = time.monotonic()
        ended = run_program(
            [
                str(soffice),
                f"-env:UserInstallation={profile.as_uri()}",
                "--headless",
                "--norestore",
                "--nologo",
                "--nodefault",
                "--nolockcheck",
                "--convert-to",
                _HIDDEN_TOO if with_hidden else "pdf",
                "--outdir",
                str(made),
                str(source),
            ],
            name=f"LibreOffice ({name})",
            log=work / "log.txt",
            timeout_s=timeout_s,
            memory_bytes=Limits().worker_memory_bytes,
            cancel=cancel,
            env=_environment(work),
        )
        pdf = _taken(made, out_dir)
        # The exit code is 0 on every failure; what it prints tells more.
        if pdf is None and ("could not be loaded" in ended.output or ended.returncode != 0):
            seconds = time.monotonic() - started
            raise _cannot_open(name, f"ended with {ended.returncode} after {seconds:.0f} s")
        return pdf


def _taken(made: Path, out_dir: Path) -> Path | None:
    """Return the PDF at its place, or None if none was made: only the result counts."""
    pdf = made / "deck.pdf"
    if not pdf.is_file() or pdf.stat().st_size == 0:
        return None
    target = out_dir / "deck.pdf"
    shutil.copyfile(pdf, target)
    return target


def _cannot_open(name: str, why: str) -> DeckUnreadable:
    return DeckUnreadable(
        FailureKind.RENDER_FAILED,
        f"LibreOffice cannot open {name} ({why}).",
        next_step="Open it in the program that made it and save it anew, or as PDF.",
    )


def _plain_suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    return suffix if suffix.isascii() and suffix[1:].isalnum() else ".pptx"


def _environment(work: Path) -> dict[str, str]:
    # A window system is not needed and a Qt plugin path of ours must not reach LibreOffice.
    env = {name: value for name, value in os.environ.items() if not name.startswith(("QT_", "LD_PRELOAD"))}
    env["SAL_USE_VCLPLUGIN"] = "svp"
    # Its temporary files go where they are removed with the conversion, however it ends.
    env["TMPDIR"] = str(work)
    return env
