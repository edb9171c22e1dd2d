from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from studio.decks import scratch as module
from studio.decks.scratch import new_folder, remove_all, scratch

_CHILD = (
    "from studio.decks.scratch import new_folder; import sys, time; print(new_folder('x'), flush=True); time.sleep(60)"
)


def test_that_folders_go_when_they_are_left_and_at_the_end():
    with scratch("one") as folder:
        (folder / "file").write_text("x")
    assert not folder.exists()
    kept = new_folder("two")
    remove_all()
    remove_all()
    assert not kept.parent.exists()


def test_that_folders_of_a_killed_process_are_removed_and_those_of_a_living_one_stay():
    assert Path(tempfile.gettempdir()).is_dir()
    remove_all()
    children = [
        subprocess.Popen([sys.executable, "-c", _CHILD], stdout=subprocess.PIPE, text=True, cwd=Path.cwd())
        for _ in range(2)
    ]
    folders = [Path(child.stdout.readline().strip()) for child in children]
    os.kill(children[0].pid, signal.SIGKILL)
    children[0].wait()
    module.new_folder("mine")
    alive = [folder.exists() for folder in folders]
    children[1].kill()
    children[1].wait()
    remove_all()
    module.new_folder("again")
    assert alive == [False, True]
    assert not folders[1].exists()
    remove_all()
    for child in children:
        child.stdout.close()
