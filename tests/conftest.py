"""What holds for all tests."""

from __future__ import annotations

import pytest
from hypothesis import settings

from tests.small_disk import small_disk as small_disk

# Hypothesis gives an example 200 ms. The first one also pays for what a function imports late, and on a busy
# machine any of them may wait; how long a test takes is no fact about the code.
settings.register_profile("studio", deadline=None)
settings.load_profile("studio")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files with slow tests first: with two workers the longest file, begun last, is what everybody waits for."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)
