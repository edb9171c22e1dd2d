"""What stays for the life of the program, kept out of the garbage collector's way."""

from __future__ import annotations

import gc
from functools import lru_cache


def keep_what_is_loaded() -> None:
    """Have later collections of garbage pass over everything that is there now.

    Loaded libraries are some hundred thousand objects that no collection can free. Looking at them all takes a
    collection more than 100 ms, in which no thread can do anything, the window's among them.
    """
    gc.collect()
    gc.freeze()


@lru_cache(maxsize=32)
def keep_library(name: str) -> None:
    """Do the same once for each library that is loaded later, when it was loaded; `name` is which."""
    del name
    keep_what_is_loaded()
