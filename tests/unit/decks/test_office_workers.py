"""Warm workers: killed, worn, cancelled, and what stays behind."""

from __future__ import annotations

import os
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from studio.decks import office_workers
from studio.decks.libreoffice import shutdown, to_pdf
from studio.decks.office_kit import library_of
from studio.decks.render import RenderTools, find_tools, render_deck
from studio.errors import Cancelled, DeckUnreadable
from studio.model.decks import DeckFormat
from tests.patience import wait_for_end_of, wait_until
from tests.unit.decks.decks_made_here import pdf_bytes, write_deck

pytestmark = pytest.mark.slow


@pytest.fixture
def soffice():
    found = find_tools().libreoffice
    if found is None or library_of(found) is None:
        pytest.skip("LibreOffice is not installed, or not as a library")
    shutdown()
    yield found
    shutdown()


def test_that_one_worker_converts_deck_after_deck(tmp_path, soffice):
    deck = write_deck(tmp_path / "a.pptx", ["one"])
    for _ in range(3):
        assert to_pdf(deck, tmp_path, soffice=soffice, timeout_s=60) == tmp_path / "deck.pdf"
    first = office_workers.worker_pids()
    assert len(first) == 1
    assert to_pdf(deck, tmp_path, soffice=soffice, timeout_s=60) is not None
    assert office_workers.worker_pids() == first


def test_that_a_worker_killed_between_decks_is_replaced(tmp_path, soffice):
    deck = write_deck(tmp_path / "a.pptx", ["one"])
    to_pdf(deck, tmp_path, soffice=soffice, timeout_s=60)
    (pid,) = office_workers.worker_pids()
    os.kill(pid, signal.SIGKILL)
    assert to_pdf(deck, tmp_path, soffice=soffice, timeout_s=60) is not None
    assert pid not in office_workers.worker_pids()


def test_that_a_worker_killed_half_way_costs_a_second_try_and_no_deck(tmp_path, soffice):
    deck = write_deck(tmp_path / "a.pptx", [f"slide {number}" for number in range(150)])
    to_pdf(deck, tmp_path, soffice=soffice, timeout_s=60)
    (pid,) = office_workers.worker_pids()
    threading.Timer(0.1, os.kill, (pid, signal.SIGKILL)).start()
    assert to_pdf(deck, tmp_path, soffice=soffice, timeout_s=60) is not None
    wait_for_end_of(pid)


def test_that_a_stopped_worker_times_out_alone_and_leaves_no_folder(tmp_path, soffice):
    deck = write_deck(tmp_path / "a.pptx", ["one"])
    to_pdf(deck, tmp_path, soffice=soffice, timeout_s=60)
    (pid,) = office_workers.worker_pids()
    (folder,) = office_workers.worker_folders()
    # A stopped process is what a hang looks like from outside.
    os.kill(pid, signal.SIGSTOP)
    with pytest.raises(DeckUnreadable) as caught:
        to_pdf(deck, tmp_path, soffice=soffice, timeout_s=0.5)
    assert caught.value.kind == "timed_out"
    wait_for_end_of(pid)
    assert not folder.exists()
    assert to_pdf(deck, tmp_path, soffice=soffice, timeout_s=60) is not None


def test_that_cancel_stops_a_worker_that_hangs(tmp_path, soffice):
    deck = write_deck(tmp_path / "a.pptx", ["one"])
    to_pdf(deck, tmp_path, soffice=soffice, timeout_s=60)
    (pid,) = office_workers.worker_pids()
    os.kill(pid, signal.SIGSTOP)
    cancel = threading.Event()
    threading.Timer(0.3, cancel.set).start()
    with pytest.raises(Cancelled):
        to_pdf(deck, tmp_path, soffice=soffice, timeout_s=60, cancel=cancel)
    wait_for_end_of(pid)


def test_that_shutdown_leaves_no_process_and_no_folder(tmp_path, soffice):
    deck = write_deck(tmp_path / "a.pptx", ["one"])
    outs = [tmp_path / str(number) for number in range(3)]
    for out in outs:
        out.mkdir()
    with ThreadPoolExecutor(3) as threads:
        list(threads.map(lambda out: to_pdf(deck, out, soffice=soffice, timeout_s=60), outs))
    pids, folders = office_workers.worker_pids(), office_workers.worker_folders()
    assert pids
    assert folders
    shutdown()
    for pid in pids:
        wait_for_end_of(pid)
    assert not any(folder.exists() for folder in folders)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no library is looked for")
def test_that_a_library_that_does_not_load_gives_way_to_the_program_and_is_not_tried_for_ever(tmp_path, monkeypatch):
    pdf = tmp_path / "made.pdf"
    pdf.write_bytes(pdf_bytes([(720, 405, "by the program")]))
    program = tmp_path / "soffice"
    program.write_text(f'#!/bin/sh\nfor last; do :; done\ncp "{pdf}" "$(dirname "$last")/out/deck.pdf"\n')
    program.chmod(0o755)
    (tmp_path / "libsofficeapp.so").write_bytes(b"no library at all")
    assert library_of(program) == tmp_path / "libsofficeapp.so"
    deck = write_deck(tmp_path / "a.pptx", ["one"])
    begun = []
    new_folder = office_workers.new_folder
    monkeypatch.setattr(office_workers, "new_folder", lambda name: begun.append(name) or new_folder(name))
    for _ in range(3):
        assert to_pdf(deck, tmp_path, soffice=program, timeout_s=60) is not None
    assert office_workers.worker_pids() == ()
    # The third time no worker is started any more.
    assert len(begun) == 2
    shutdown()


def test_that_a_worker_ends_with_its_studio(tmp_path, soffice):
    import subprocess

    deck = write_deck(tmp_path / "a.pptx", ["one"])
    script = tmp_path / "studio_like.py"
    script.write_text(
        "import sys, time\nfrom pathlib import Path\n"
        "from studio.decks import office_workers\nfrom studio.decks.libreoffice import to_pdf\n"
        "if __name__ == '__main__':\n"
        f"    to_pdf(Path({str(deck)!r}), Path({str(tmp_path)!r}), soffice=Path({str(soffice)!r}), timeout_s=60)\n"
        f"    Path({str(tmp_path / 'pid')!r}).write_text(str(office_workers.worker_pids()[0]))\n"
        "    time.sleep(60)\n"
    )
    studio = subprocess.Popen([sys.executable, str(script)], env=os.environ | {"PYTHONPATH": str(Path.cwd())})
    try:
        file = tmp_path / "pid"
        wait_until(lambda: file.exists() and file.read_text() != "", "no deck was converted")
        pid = int(file.read_text())
    finally:
        studio.kill()
        studio.wait()
    wait_for_end_of(pid)


def test_that_a_hidden_slide_is_rendered_when_asked(tmp_path, soffice):
    deck = write_deck(tmp_path / "a.pptx", ["first slide here", "second slide here", "third slide here"], hidden=[2])
    tools = RenderTools(libreoffice=soffice, chromium=None)
    usual = render_deck(deck, tmp_path / "usual", format=DeckFormat.PPTX, tools=tools)
    assert [page.page for page in usual.pages] == [1, None, 2]
    full = render_deck(deck, tmp_path / "full", format=DeckFormat.PPTX, tools=tools, with_hidden=True)
    assert [page.page for page in full.pages] == [1, 2, 3]
    assert [page.is_hidden for page in full.pages] == [False, True, False]
    assert full.pages[1].boxes[0].text == "second slide here"
    all_hidden = write_deck(tmp_path / "b.pptx", ["only slide here"], hidden=[1])
    assert render_deck(all_hidden, tmp_path / "b1", format=DeckFormat.PPTX, tools=tools).pages[0].image is None
    shown = render_deck(all_hidden, tmp_path / "b2", format=DeckFormat.PPTX, tools=tools, with_hidden=True)
    assert shown.pages[0].image is not None
    assert shown.pages[0].is_hidden
