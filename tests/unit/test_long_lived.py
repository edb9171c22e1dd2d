"""Collections of garbage, counted in a program of its own: what is frozen stays so for the life of a program."""

from __future__ import annotations

import subprocess
import sys

import pytest

COUNT = """
import gc
from studio.long_lived import keep_what_is_loaded

if {keeps}:
    keep_what_is_loaded()
else:
    gc.collect()
count = [0]
gc.callbacks.append(lambda phase, info: count.__setitem__(0, count[0] + (phase == "start")))
kept = [[] for _ in range(9000)]
print(count[0])
"""


@pytest.mark.parametrize(("keeps", "collections"), [(True, 0), (False, 9000 // 700)])
def test_that_containers_of_one_second_of_calls_start_no_collection(keeps: bool, collections: int) -> None:
    counted = subprocess.run(
        [sys.executable, "-c", COUNT.format(keeps=keeps)], capture_output=True, text=True, check=True
    )
    # Without it, one for each 700 containers, as Python begins with.
    assert int(counted.stdout) == pytest.approx(collections, abs=0 if keeps else 3)
