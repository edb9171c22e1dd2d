"""What stays for the life of the program, kept out of the garbage collector's way."""

from __future__ import annotations

import gc
from functools import lru_cache

SELDOM = (10_000, 20, 10)
"""New containers before a collection of the youngest; collections of the youngest before one of the next; and so on.

Python begins with 700, 10 and 10. Calls of judges make thousands of containers a second, none of them in a cycle: with
700 the window's thread waited a dozen times a second for a collection that freed nothing.
"""


def keep_what_is_loaded() -> None:
    """Have later collections of garbage pass over everything that is there now, and come less often.

    Loaded libraries are some hundred thousand objects that no collection can free. Looking at them all takes a
    collection more than 100 ms, in which no thread can do anything, the window's among them.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SELDOM)


@lru_cache(maxsize=32)
def keep_library(name: str) -> None:
    """Do the same once for each library that is loaded later, when it was loaded; `name` is which.

    Libraries are loaded on workers, so nothing is collected here: what a window left would be freed off its thread.
    """
    del name
    gc.freeze()
    gc.set_threshold(*SELDOM)
