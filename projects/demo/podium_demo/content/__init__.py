"""The contents of the demo project: for each instance its source text and its outline."""

from __future__ import annotations

import re
from pathlib import Path

from podium_demo.content import hashing, library, shelters, tea, weather
from podium_demo.outline import DemoInstance, Section

INSTANCES: tuple[DemoInstance, ...] = (
    shelters.INSTANCE,
    library.INSTANCE,
    weather.INSTANCE,
    hashing.INSTANCE,
    tea.INSTANCE,
)

_MARKS = re.compile(r"^(- |\d+\. )|\*+")
"""What a list item starts with, and the stars around bold and slanted words."""


def source_text(instance: DemoInstance) -> str:
    """Return the Markdown from which the instance's source is built."""
    return (Path(__file__).parent / instance.text).read_text(encoding="utf-8")


def excerpt(instance: DemoInstance, section: Section) -> list[str]:
    """Return the paragraphs of the source under the section's heading, without figures, tables and marks.

    Raises:
        ValueError: if the source has no such heading.
    """
    blocks = source_text(instance).split("\n\n")
    starts = [i for i, b in enumerate(blocks) if b.startswith("#") and b.lstrip("# ").startswith(section.heading)]
    if not section.heading or not starts:
        raise ValueError(f"{instance.name}: the source has no heading {section.heading!r}")
    found: list[str] = []
    for block in blocks[starts[0] + 1 :]:
        if block.startswith("#"):
            break
        if block[0] not in "|!" and not block.startswith("**Table"):
            found += [_MARKS.sub("", line) for line in block.splitlines()]
    return found
