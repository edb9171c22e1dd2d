"""What holds for all tests."""

from __future__ import annotations

from hypothesis import settings

from tests.small_disk import small_disk as small_disk

# Hypothesis gives an example 200 ms. The first one also pays for what a function imports late, and on a busy
# machine any of them may wait; how long a test takes is no fact about the code.
settings.register_profile("studio", deadline=None)
settings.load_profile("studio")
