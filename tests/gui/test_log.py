from __future__ import annotations

import json
import logging
import sys
import threading
import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication

from studio.errors import StudioError
from studio.gui import log
from studio.gui.diagnostics import save_bundle, scrubbed, scrubbed_text
from studio.gui.dialogs.crash import CrashDialog
from studio.gui.log import CrashReporter


@pytest.fixture
def shown(qapp):
    seen = []
    reporter = CrashReporter(lambda line, details: seen.append((line, details)))
    reporter.install()
    yield seen
    reporter.remove()


def test_that_a_fault_of_any_thread_is_logged_and_shown_once(qtbot, shown):
    def fail():
        raise ZeroDivisionError("in a thread")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    try:
        raise KeyError("on the main thread")
    except KeyError:
        sys.excepthook(*sys.exc_info())
    qtbot.waitUntil(lambda: bool(shown))
    QCoreApplication.processEvents()
    assert [line for line, _ in shown] == ["ZeroDivisionError: in a thread"]
    assert "Traceback" in shown[0][1]
    text = log.log_file().read_text(encoding="utf-8")
    assert "in a thread" in text
    assert "on the main thread" in text


def test_that_hooks_are_put_back(qapp):
    before = (sys.excepthook, threading.excepthook)
    reporter = CrashReporter(lambda *_: None)
    reporter.install()
    assert sys.excepthook != before[0]
    reporter.remove()
    assert (sys.excepthook, threading.excepthook) == before


def test_that_the_log_rotates(qapp, shown, monkeypatch):
    for _ in range(60):
        logging.getLogger("studio").warning("x" * 50_000)
    sizes = [path.stat().st_size for path in log.log_file().parent.iterdir()]
    assert len(sizes) <= log.FILES_KEPT + 1
    assert max(sizes) <= log.FILE_BYTES


def test_that_a_folder_that_cannot_be_written_costs_the_log_only(qapp, monkeypatch, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("x")
    monkeypatch.setattr(log.paths, "log_dir", lambda: blocked / "log")
    before = sys.excepthook
    reporter = CrashReporter(lambda *_: None)
    reporter.install()
    logging.getLogger("studio").error("still here")
    assert sys.excepthook != before
    reporter.remove()
    assert sys.excepthook == before
    assert blocked.read_text() == "x"


def test_that_homes_keys_and_contents_are_taken_out():
    home = Path("/home/somebody")
    # 70 letters in quotation marks are more than the 60 that may stay.
    line = f"2026-01-01 10:00:00,000 ERROR studio read '{'s' * 70}' from /home/somebody/decks/a.pptx"
    assert scrubbed([line, "Dear committee, our revenue is"], home=home) == [
        "2026-01-01 10:00:00,000 ERROR studio read (70 characters removed) from ~/decks/a.pptx"
    ]
    assert scrubbed_text("key sk-abcdefghijk12345 and api_key=q1w2e3", home=home) == (
        "key (key removed) and (key removed)"
    )
    assert scrubbed_text("http://user:pw@proxy.example:80", home=home) == "http://…@proxy.example:80"
    assert scrubbed_text(r"C:\Users\Somebody\x.pptx and /Users/else/y", home=home) == r"~\x.pptx and ~/y"


def test_that_the_bundle_holds_versions_and_log_but_no_person(tmp_path, settings):
    settings.update({"profile_name": "Zhang San", "proxy": "http://u:secret@p:1", "libreoffice_path": "/opt/x/soffice"})
    settings.remember_project(Path.home() / "secret-study")
    lines = [f"2026-01-01 10:00:00,000 INFO studio opened {Path.home()}/x", "slide text"]
    target = save_bundle(tmp_path / "b.zip", settings=settings, log_lines=lines, crash="KeyError: 'x'")
    with zipfile.ZipFile(target) as bundle:
        texts = {name: bundle.read(name).decode() for name in bundle.namelist()}
    everything = "".join(texts.values())
    assert set(texts) == {"versions.json", "settings.json", "log.txt", "crash.txt"}
    for secret in ("Zhang", "secret", "/opt/x", "slide text", str(Path.home() / "x")):
        assert secret not in everything
    assert json.loads(texts["versions.json"])["PySide6-Essentials"].startswith("6.")
    assert json.loads(texts["settings.json"])["profile_name"] == "(set)"
    with pytest.raises(StudioError, match="could not be saved"):
        save_bundle(tmp_path / "none" / "b.zip", settings=settings, log_lines=[])


def test_that_the_crash_dialog_shows_details_and_saves_a_bundle(qtbot, app_theme, settings, tmp_path):
    dialog = CrashDialog("KeyError: 'x'", "Traceback …\nKeyError: 'x'", settings)
    qtbot.addWidget(dialog)
    dialog.show()
    assert "KeyError" in dialog.text.toPlainText()
    dialog.save_bundle_to(tmp_path / "b.zip")
    assert (tmp_path / "b.zip").exists()
    assert "Saved to" in dialog._said.text()
