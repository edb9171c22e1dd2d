"""How LibreOffice is run, with small scripts in its place."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from studio.decks import processes
from studio.decks.libreoffice import shutdown, to_pdf
from studio.decks.render import RenderTools, render_deck
from studio.errors import Cancelled, DeckUnreadable, ToolMissing
from studio.model.decks import DeckFormat
from tests.patience import cancelled_when, wait_for_end_of, wait_until
from tests.shared_files import shared
from tests.unit.decks.decks_made_here import pdf_bytes, write_deck

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scripts need a POSIX shell")

# $1 is the profile argument, the last but one the output folder, the last the file.
_HEAD = '#!/bin/sh\nprofile="${1#-env:UserInstallation=file://}"\nfor last; do :; done\n'


def _script(path: Path, body: str) -> Path:
    path.write_text(_HEAD + body)
    path.chmod(0o755)
    return path


def _converting(tmp_path: Path, pages: int = 1) -> str:
    pdf = tmp_path / "made.pdf"
    pdf.write_bytes(pdf_bytes([(720, 405, f"page {number}") for number in range(pages)]))
    return f'cp "{pdf}" "$(dirname "$last")/out/deck.pdf"\n'


def _is_written(file: Path) -> bool:
    return file.exists() and file.read_text().endswith("\n")


def _child_pid(file: Path) -> int:
    wait_until(lambda: _is_written(file), "the script did not start")
    return int(file.read_text())


def test_that_cancel_kills_the_program_behind_the_wrapper(tmp_path):
    deck = write_deck(tmp_path / "a.pptx", ["one"])
    script = _script(tmp_path / "soffice", f"trap '' TERM\nsleep 60 &\necho $! > {tmp_path}/pid\nwait\n")
    cancel = cancelled_when(lambda: _is_written(tmp_path / "pid"))
    with pytest.raises(Cancelled):
        to_pdf(deck, tmp_path, soffice=script, timeout_s=60, cancel=cancel)
    wait_for_end_of(_child_pid(tmp_path / "pid"))


def test_that_the_time_limit_kills_the_program_behind_the_wrapper(tmp_path, monkeypatch):
    deck = write_deck(tmp_path / "a.pptx", ["one"])
    script = _script(tmp_path / "soffice", f"sleep 60 &\necho $! > {tmp_path}/pid\nwait\n")
    hours = count()
    # No time goes by until the program is there, however long it takes to start; then an hour from look to look.
    clock = SimpleNamespace(monotonic=lambda: 3600.0 * next(hours) if _is_written(tmp_path / "pid") else 0.0)
    monkeypatch.setattr(processes, "time", clock)
    with pytest.raises(DeckUnreadable) as caught:
        to_pdf(deck, tmp_path, soffice=script, timeout_s=60)
    assert caught.value.kind == "timed_out"
    wait_for_end_of(_child_pid(tmp_path / "pid"))


def test_that_the_program_dies_with_a_killed_studio(tmp_path):
    deck = write_deck(tmp_path / "a.pptx", ["one"])
    script = _script(tmp_path / "soffice", f"sleep 60 &\necho $! > {tmp_path}/pid\nwait\n")
    code = (
        "from pathlib import Path; from studio.decks.libreoffice import to_pdf; "
        f"to_pdf(Path({str(deck)!r}), Path({str(tmp_path)!r}), soffice=Path({str(script)!r}), timeout_s=60)"
    )
    studio = subprocess.Popen([sys.executable, "-c", code], cwd=Path.cwd())
    pid = _child_pid(tmp_path / "pid")
    time.sleep(0.2)
    os.kill(studio.pid, signal.SIGKILL)
    studio.wait()
    wait_for_end_of(pid)


def test_that_no_profile_is_used_twice_at_once_and_warm_ones_are_used_again(tmp_path):
    deck = write_deck(tmp_path / "a.pptx", ["one"])
    body = (
        'mkdir "$profile/busy" || exit 9\n'
        f'echo "$profile" >> {tmp_path}/log\nsleep 0.2\nrmdir "$profile/busy"\n' + _converting(tmp_path)
    )
    script = _script(tmp_path / "soffice", body)

    def convert(number: int) -> Path | None:
        out = tmp_path / str(number)
        out.mkdir()
        return to_pdf(deck, out, soffice=script, timeout_s=60)

    with ThreadPoolExecutor(6) as threads:
        made = list(threads.map(convert, range(6)))
    assert [pdf for pdf in made if pdf is None] == []
    profiles = (tmp_path / "log").read_text().split()
    assert len(profiles) == 6
    assert len(set(profiles)) < 6
    shutdown()
    assert not any(Path(profile).exists() for profile in profiles)


def test_that_only_the_pdf_counts_and_not_the_exit_code(tmp_path):
    deck = write_deck(tmp_path / "a.pptx", ["one"])
    silent = _script(tmp_path / "silent", "exit 0\n")
    loud = _script(tmp_path / "loud", 'echo "Error: source file could not be loaded"\nexit 0\n')
    assert to_pdf(deck, tmp_path, soffice=silent, timeout_s=60) is None
    with pytest.raises(DeckUnreadable) as caught:
        to_pdf(deck, tmp_path, soffice=loud, timeout_s=60)
    assert caught.value.kind == "render_failed"
    with pytest.raises(ToolMissing, match="Settings"):
        to_pdf(deck, tmp_path, soffice=None, timeout_s=60)


def test_that_too_few_pages_leave_a_slide_without_a_picture_and_a_warning(tmp_path):
    deck = write_deck(tmp_path / "a.pptx", ["", "", ""])
    tools = RenderTools(libreoffice=_script(tmp_path / "soffice", _converting(tmp_path, 2)), chromium=None)
    rendered = render_deck(deck, tmp_path / "out", format=DeckFormat.PPTX, tools=tools)
    assert rendered.failure is None
    assert sum(page.image is None for page in rendered.pages) == 1
    assert any("3 visible slides but 2 pages" in warning.message for warning in rendered.warnings)


def test_that_a_legacy_file_that_cannot_be_opened_is_called_legacy(tmp_path):
    path = shared("corpus/bad/poi__basic_test_ppt_file.ppt")
    script = _script(tmp_path / "soffice", 'echo "Error: source file could not be loaded"\n')
    tools = RenderTools(libreoffice=script, chromium=None)
    rendered = render_deck(path, tmp_path / "out", format=DeckFormat.PPT, tools=tools)
    assert rendered.failure is not None
    assert rendered.failure.kind == "legacy_format"
